"""The configurations on the pages load as they stand, and their JSON schema names the parameters that there are."""

import json
import re
from pathlib import Path

import pytest
import sightline

DOCS = Path(__file__).parents[3] / "docs"
CALLBACK = "callbacks:\n  - type: SummaryMonitor\n"


def configurations() -> list[str]:
    blocks = [
        block
        for page in ("summary_monitor.md", "mindspore.md")
        for block in re.findall(r"```yaml\n(.*?)```", (DOCS / page).read_text(), re.S)
    ]
    return [block if block.startswith("callbacks:") else CALLBACK + block for block in blocks]


@pytest.mark.parametrize("configuration", configurations())
def test_a_configuration_of_the_pages_loads(configuration, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sightline.SummaryMonitor.from_yaml(configuration, say=lambda line: None).end()


def test_every_configuration_of_the_pages_is_found():
    assert len(configurations()) == 4


def known(parameters: str) -> set[str]:
    """What the answer to an unknown key in place of `unknown` says."""
    with pytest.raises(ValueError) as error:
        sightline.SummaryMonitor.from_yaml(CALLBACK + "    " + parameters)
    (names,) = re.findall(
        r"has the unknown (?:key|parameter) 'unknown'; known are ([a-z_, ]+)", str(error.value)
    )
    return set(names.split(", "))


def test_the_schema_names_the_parameters_that_there_are():
    definitions = json.loads((DOCS / "summary_monitor.schema.json").read_text())["$defs"]

    def properties(name: str, of: dict = definitions["SummaryMonitor"]) -> set[str]:
        value = of["properties"][name]
        return set(
            next(
                each
                for each in value.get("anyOf", [value])
                if "properties" in each or "items" in each
            ).get("properties", ())
        )

    assert set(definitions["SummaryMonitor"]["properties"]) == known("unknown: 1")
    assert set(definitions["landscape"]["properties"]) == known(
        "collect_specified_data: {collect_landscape: {unknown: 1}}"
    )
    assert properties("create_landscape", definitions["landscape"]) == known(
        "collect_specified_data: {collect_landscape: {create_landscape: {unknown: 1}}}"
    )
    assert properties("collect_specified_data") == known("collect_specified_data: {unknown: 1}")
    assert properties("export_options") == known("export_options: {unknown: 1}")
    (frequencies, _) = definitions["SummaryMonitor"]["properties"]["frequencies"]["anyOf"]
    assert set(frequencies["items"]["properties"]) == known("frequencies: [{unknown: 1}]")
