"""The scripts on docs/python.md, docs/frameworks.md and docs/record_anything.md are run as they stand."""

import math
import re
import shutil
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
PAGES = {
    page: (DOCS / page).read_text() for page in ("python.md", "frameworks.md", "record_anything.md")
}


def scripts(marker: str) -> list[str]:
    return [
        script
        for page in PAGES.values()
        for script in re.findall(rf"<!-- {marker} -->\n```python\n(.*?)```", page, re.DOTALL)
    ]


def test_every_script_of_the_pages_is_marked_for_running():
    frameworks = ["torch", "tensorboardX", "keras", "lightning", "transformers"]
    marked = [scripts("run"), scripts("run and read")] + [
        scripts(f"run with {what}") for what in ["a dump", *frameworks]
    ]
    assert [len(found) for found in marked] == [3, 1, 2, 1, 1, 1, 1, 1]
    assert sum(map(len, marked)) == sum(page.count("```python") for page in PAGES.values())


@pytest.mark.parametrize("index", range(3))
def test_a_script_of_the_page_runs_and_records(run_script, recording, tmp_path, monkeypatch, index):
    monkeypatch.chdir(tmp_path)
    done = run_script(scripts("run")[index])
    if index == 0:
        run = recording(tmp_path / "run_loop")
        assert run.scalars()["accuracy", 100] > 0.7
        assert len(run.of("histogram")) == 100 and len(run.of("image")) == 2
    elif index == 1:
        assert done.stdout == "204 None\n"
        run = recording(tmp_path / "run")
        assert run.scalars()["loss", 100] == pytest.approx(0.01)
        assert run.of("image").keys() == {("digits", 100)}
    else:
        run = recording(tmp_path / "run_monitor")
        assert run.scalars()["eval/accuracy", 100] == pytest.approx(0.9)
        assert len(run.of("histogram")) == 11
        assert list((tmp_path / "run_monitor").glob("export_*/tensor/*.npy"))


def test_the_script_that_reads_prints_what_the_page_says(run_script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, numbers, shape, chosen = run_script(scripts("run and read")[0]).stdout.splitlines()
    assert f"`{first}`" in PAGES["python.md"] and shape == "(2, 3)"
    assert [float(number) for number in numbers.split()] == pytest.approx(
        [100, math.exp(-10), math.exp(-5)]
    )
    assert chosen.split()[0] == "lr_0.1" and float(chosen.split()[1]) == pytest.approx(
        math.exp(-10)
    )


@pytest.fixture
def dump(tmp_path, monkeypatch):
    """The dump that the page's scripts read."""
    name = "20_validate_0074.ir"
    (tmp_path / "graphs").mkdir()
    monkeypatch.chdir(tmp_path)
    return Path(
        shutil.copy(
            DOCS.parent / "tests" / "corpus" / "ir" / "mlp_level1" / name, tmp_path / "graphs"
        )
    )


def test_the_script_of_a_dump_finds_its_products(run_script, dump):
    first, *products = run_script(scripts("run with a dump")[0]).stdout.splitlines()
    entry, count, problems = first.split()
    assert f"# IR entry: @{entry}\n" in dump.read_text()
    assert int(count) == len(products) > 0
    assert problems == "0"
    assert all(
        re.fullmatch(r"\S+ \[\(\d+, \d+\), \(\d+, \d+\)\] \['.*'\] .*\.py:\d+", line)
        for line in products
    )


def test_the_script_of_a_diff_says_which_operator_is_another_one(run_script, dump):
    (line,) = run_script(scripts("run with a dump")[1]).stdout.splitlines()
    assert re.fullmatch(r"changed \S+ callee PrimFunc_ReLU -> PrimFunc_GeLU", line)
    assert line.split()[1] in dump.read_text()
