"""The scripts on docs/python.md are run as they stand."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text()


def scripts(marker: str) -> list[str]:
    return re.findall(rf"<!-- {marker} -->\n```python\n(.*?)```", PAGE, re.DOTALL)


def test_every_script_of_the_page_is_marked_for_running():
    assert len(scripts("run")) == 2
    assert len(scripts("run") + scripts("run with torch")) == PAGE.count("```python")


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
