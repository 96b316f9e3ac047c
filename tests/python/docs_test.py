"""The scripts on docs/python.md and docs/frameworks.md are run as they stand."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {page: (DOCS / page).read_text() for page in ("python.md", "frameworks.md")}


def scripts(marker: str) -> list[str]:
    return [
        script
        for page in PAGES.values()
        for script in re.findall(rf"<!-- {marker} -->\n```python\n(.*?)```", page, re.DOTALL)
    ]


def test_every_script_of_the_pages_is_marked_for_running():
    frameworks = ["torch", "keras", "lightning", "transformers"]
    marked = [scripts("run")] + [scripts(f"run with {framework}") for framework in frameworks]
    assert [len(found) for found in marked] == [2, 1, 1, 1, 1]
    assert sum(map(len, marked)) == sum(page.count("```python") for page in PAGES.values())


@pytest.mark.parametrize("index", range(2))
def test_a_script_of_the_page_runs_and_records(run_script, recording, tmp_path, monkeypatch, index):
    monkeypatch.chdir(tmp_path)
    done = run_script(scripts("run")[index])
    if index == 0:
        assert done.stdout == "204 None\n"
        run = recording(tmp_path / "run")
        assert run.scalars()["loss", 100] == pytest.approx(0.01)
        assert run.of("image").keys() == {("digits", 100)}
    else:
        run = recording(tmp_path / "run_monitor")
        assert run.scalars()["eval/accuracy", 100] == pytest.approx(0.9)
        assert len(run.of("histogram")) == 11
        assert list((tmp_path / "run_monitor").glob("export_*/tensor/*.npy"))
