"""The script on docs/mindspore.md is run as it stands, and its configuration is one that the monitor takes."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[3] / "docs" / "mindspore.md").read_text()


def test_the_script_of_the_page_trains_and_records(run_script, recording, tmp_path, monkeypatch):
    (script,) = re.findall(r"<!-- run -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    assert run_script(script).stdout.splitlines()[-1] == "None"
    run = recording(tmp_path / "run_mindspore")
    assert [step for tag, step in run.scalars() if tag == "activation"] == [
        1,
        5,
        10,
        15,
        20,
        25,
        30,
    ]
    assert ("eval/accuracy", 30) in run.scalars()
    assert run.of("image").keys() == {
        ("input_data/auto", step) for step in (1, 5, 10, 15, 20, 25, 30)
    }
    assert len(run.of("histogram")) == 7 * 3  # Conv2d has no bias.
    for kind in ("graph_def", "dataset_graph", "evaluation_lineage", "user_defined_info"):
        assert len([event for event in run.events if kind in event]) == 1, kind
    # At the beginning and at the end.
    assert len([event for event in run.events if "train_lineage" in event]) == 2
