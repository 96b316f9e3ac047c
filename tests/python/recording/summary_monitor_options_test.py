"""SummaryMonitor's options: what each does, which values are refused, and configuration files."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import sightline


def test_every_fault_of_the_options_is_in_one_message(tmp_path):
    with pytest.raises(ValueError) as error:
        sightline.SummaryMonitor(
            tmp_path / "run",
            collect_freq=0,
            collect_tensor_freq="often",
            max_file_size=-1,
            collect_specified_data={
                "collect_metrics": True,
                "collect_graph": "yes",
                "histogram_regular": "(",
            },
            custom_lineage_data={"": 1, "map": {"a": 1}},
            export_options={"tensor_format": "csv"},
            keep_default_action=0,
            formats="html",
            on_nonfinite=3,
            workers=-1,
            colour="red",
        )
    for fault in (
        "collect_freq is 0, but must be at least 1",
        "collect_tensor_freq is 'often', but must be a whole number",
        "max_file_size is -1, but must be a number of bytes, not negative",
        "collect_specified_data has the unknown key 'collect_metrics' (did you mean 'collect_metric'?); known are collect_metric, collect_graph",
        "collect_specified_data.collect_graph is 'yes', but must be true or false",
        "histogram_regular",
        "custom_lineage_data has an empty key",
        "custom_lineage_data.map is {'a': 1}, but must be",
        "export_options.tensor_format is 'csv', but must be npy or none",
        "keep_default_action is 0, but must be true or false",
        "formats is 'html', but must be",
        "on_nonfinite is 3, but must be a function",
        "workers is -1, but must be between 0 and 64",
        "SummaryMonitor has the unknown parameter 'colour'; known are on_nonfinite, save_checkpoint, say, summary_dir, collect_freq",
    ):
        assert fault in str(error.value), fault
    assert not (tmp_path / "run").exists()


def test_an_object_store_is_no_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ValueError,
        match="summary_dir is s3://bucket/run, but must be a path of this machine.*; collect_freq is 0",
    ):
        sightline.SummaryMonitor("s3://bucket/run", collect_freq=0)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("keep", [True, False])
def test_without_the_default_action_only_what_is_named_is_collected(
    tmp_path, monitor, recording, keep
):
    with monitor(
        collect_freq=1,
        keep_default_action=keep,
        collect_specified_data={"collect_histograms": True},
    ) as summary:
        summary.end_step(1, loss=1.0, parameters={"w": np.ones(3)})
    assert ("loss/auto", 1) in recording(tmp_path).scalars() or not keep
    assert (recording(tmp_path).scalars() == {}) == (not keep)
    assert recording(tmp_path).of("histogram").keys() == {("w/auto", 1)}


def test_histogram_regular_switches_histograms_on_where_nothing_else_is(
    tmp_path, monitor, recording
):
    with monitor(
        collect_freq=1,
        keep_default_action=False,
        collect_specified_data={"histogram_regular": "fc"},
    ) as summary:
        summary.end_step(1, loss=1.0, parameters={"w": np.ones(3), "fc.w": np.ones(3)})
    assert recording(tmp_path).scalars() == {}
    assert recording(tmp_path).of("histogram").keys() == {("fc.w/auto", 1)}


LANDSCAPE = {
    "collect_landscape": {
        "unit": "step",
        "intervals": [[1, 2, 4]],
        "create_landscape": {"result": False},
    }
}


def test_the_checkpoints_of_a_landscape_are_saved_by_a_function(tmp_path, monitor):
    saved = []

    def save(path: str) -> None:
        saved.append(Path(path).name)
        Path(path).write_bytes(b"weights")

    with monitor(
        collect_freq=100, collect_specified_data=LANDSCAPE, save_checkpoint=save
    ) as summary:
        summary.begin(epochs=1, steps_per_epoch=5, network="LeNet5")
        due = [step for step in range(1, 6) if summary.is_checkpoint_due(step)]
        for step in range(1, 6):
            summary.end_step(step, loss=1.0)
    assert due == [1, 2, 4]
    assert saved == ["LeNet5_1_step.ckpt", "LeNet5_2_step.ckpt", "LeNet5_4_step.ckpt"]
    metadata = json.loads((tmp_path / "ckpt_dir" / "train_metadata.json").read_text())
    assert metadata["epoch_group"] == {"0": [1, 2, 4]}
    assert metadata["model_params_file_map"]["4"] == str(
        tmp_path / "ckpt_dir" / "LeNet5_4_step.ckpt"
    )
    assert metadata["create_landscape"] == {"train": True, "result": False}


def test_a_checkpoint_that_cannot_be_saved_is_said_and_reported_at_the_end(monitor, lines):
    summary = monitor(collect_specified_data=LANDSCAPE, save_checkpoint=lambda path: 1 / 0)
    summary.end_step(1, loss=1.0)
    assert "save_checkpoint: ZeroDivisionError" in lines[-1]
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        summary.end()


YAML = """
seed: 42
callbacks:
  - type: MFLossMonitor
  - type: SummaryMonitor
    summary_dir: {directory}
    collect_freq: 2
    max_file_size: 4GB
    collect_specified_data: {{collect_dataset_graph: False}}
"""


@pytest.mark.parametrize("given", ["text", "path", "str of a path"])
def test_from_yaml_takes_a_path_or_the_text_itself(tmp_path, lines, recording, given):
    text = YAML.format(directory=tmp_path / "run")
    file = tmp_path / "monitor.yaml"
    file.write_text(text)
    source = {"text": text, "path": file, "str of a path": str(file)}[given]
    with sightline.SummaryMonitor.from_yaml(source, say=lines.append, collect_freq=7) as summary:
        for step in range(1, 5):
            summary.end_step(step, loss=float(step))
    assert [step for tag, step in recording(tmp_path / "run").scalars() if tag == "loss/auto"] == [
        1,
        2,
        4,
    ]
    assert len(lines) == 2


@pytest.mark.parametrize("named_in_file", [True, False])
def test_from_yaml_records_in_the_keywords_directory_where_the_file_names_none(
    tmp_path, named_in_file
):
    named = f", summary_dir: {tmp_path / 'file'}" if named_in_file else ""
    yaml = f"{{callbacks: [{{type: SummaryMonitor{named}}}]}}"
    with sightline.SummaryMonitor.from_yaml(
        yaml, summary_dir=tmp_path / "keyword", say=print
    ) as summary:
        assert summary.directory == str(tmp_path / ("file" if named_in_file else "keyword"))


def test_the_word_none_is_the_default_as_in_configurations(tmp_path, monitor, recording):
    nothing = {"histogram_regular": "None", "collect_landscape": "None"}
    with monitor(
        collect_freq="None", collect_tensor_freq="None", max_file_size="None", keep_default_action="None",
        collect_specified_data=nothing, export_options={"tensor_format": "None"}, custom_lineage_data={"note": "None"},
    ) as summary:  # fmt: skip
        for step in range(1, 21):
            summary.end_step(step, loss=1.0, parameters={"weight": np.ones(2, np.float32)})
    run = recording(tmp_path)
    assert (
        steps_of(run.scalars(), "loss/auto")
        == steps_of(run.of("histogram"), "weight/auto")
        == [1, 10, 20]
    )
    assert [event for event in run.events if "'note'" in str(event) and "'None'" in str(event)]


@pytest.mark.parametrize(
    "name",
    [
        "collect_specified_data",
        "custom_lineage_data",
        "export_options",
        "frequencies",
        "ranks",
        "resume_from_step",
    ],
)
def test_the_word_none_stands_for_any_parameter(name):
    sightline.SummaryMonitor.check(**{name: "None"})


class Settings(Mapping):
    """A mapping that is no dict, as configuration libraries have."""

    def __init__(self, **settings):
        self._settings = settings

    def __getitem__(self, key):
        return self._settings[key]

    def __iter__(self):
        return iter(self._settings)

    def __len__(self):
        return len(self._settings)


def test_options_may_be_any_mapping_sequence_or_numpy_value(tmp_path, monitor, recording):
    with monitor(
        collect_freq=np.int16(2),
        keep_default_action=np.False_,
        collect_specified_data=Settings(collect_metric=np.True_),
        custom_lineage_data=Settings(note=np.float32(0.5)),
        ranks=range(4),
    ) as summary:
        for step in range(1, 5):
            summary.end_step(step, loss=1.0)
    run = recording(tmp_path)
    assert run.scalars().keys() == {("loss/auto", 1), ("loss/auto", 2), ("loss/auto", 4)}
    assert [event for event in run.events if "'note'" in str(event)]
    landscape = {"intervals": np.array([[1, 2, 3]])}
    sightline.SummaryMonitor.check(
        collect_specified_data={"collect_landscape": landscape},
        frequencies=({"tag": "a", "every_steps": 2},),
    )


class Broken(Mapping):
    def __getitem__(self, key):
        raise RuntimeError

    __iter__ = __len__ = __getitem__


@pytest.mark.parametrize(
    "bad",
    [
        Broken(),
        range(10**12),
        range(10**30),
        b"one",
        {3: True},
        {"\ud800": True},
        {1, 2},
        np.zeros((2, 2)),
    ],
    ids=repr,
)
def test_what_is_no_map_is_refused(bad):
    for name in ("collect_specified_data", "custom_lineage_data"):
        with pytest.raises(ValueError, match=f"(?s){name} is .*, but must be a map"):
            sightline.SummaryMonitor.check(**{name: bad})


@pytest.mark.parametrize("bad", ["\u00e9" * 100, "x" + "\u00e9" * 100, "\udcff"])
def test_a_bad_value_is_named_in_any_script(bad):
    with pytest.raises(ValueError, match="collect_freq is '.*, but must be a whole number"):
        sightline.SummaryMonitor.check(collect_freq=bad)
    yaml = f"{{callbacks: [{{type: SummaryMonitor, '{bad}': 1}}]}}".encode(
        errors="replace"
    ).decode()
    with pytest.raises(ValueError, match="SummaryMonitor has the unknown parameter"):
        sightline.SummaryMonitor.from_yaml(yaml)


def test_a_directory_may_have_a_name_that_is_no_utf8(tmp_path, lines):
    directory = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    with sightline.SummaryMonitor(directory, say=lines.append) as summary:
        summary.end_step(1, loss=1.0)
    assert len(lines) == 2 and "\\xff" in lines[0]
    with sightline.Recorder(directory) as recorder:
        assert recorder.directory == directory
        assert all(os.path.exists(file) for file in recorder.stats.files)
    with pytest.raises(OSError, match=r"/dev/null/\\xff"):
        sightline.Recorder(b"/dev/null/\xff")


def test_from_yaml_names_every_fault_of_the_file(tmp_path):
    with pytest.raises(
        ValueError, match="line 1: max_file_size is 4 GX.*\nline 1: collect_freq is 0"
    ):
        sightline.SummaryMonitor.from_yaml(
            "{callbacks: [{type: SummaryMonitor, collect_freq: 0, max_file_size: 4 GX}]}"
        )
    with pytest.raises(FileNotFoundError, match="none.yaml"):
        sightline.SummaryMonitor.from_yaml(tmp_path / "none.yaml")
    with pytest.raises(ValueError, match="unknown parameter 'colour'"):
        sightline.SummaryMonitor.from_yaml(tmp_path / "none.yaml", colour="red")
    with pytest.raises(TypeError):
        sightline.SummaryMonitor.from_yaml(3)


def test_a_whole_number_beyond_64_bits_is_told():
    with pytest.raises(ValueError) as error:
        sightline.SummaryMonitor.check(
            collect_freq=2**63,
            max_file_size=10**400,
            custom_lineage_data={"id": -(2**63) - 1},
            flush_interval=10**20,
        )
    for fault in (
        "collect_freq is 9223372036854775808, but must be a whole number from -9223372036854775808 to 9223372036854775807",
        "00..., but must be a number of bytes, not negative and below 2^63, or one with a unit, such as 500MB or 4GiB",
        "custom_lineage_data.id is -9223372036854775809, but must be a text, a number (whole ones of 64 bits), true or false, or a list of these",
        "flush_interval is 100000000000000000000, but must be a number of seconds, 0.001 to 1e9",
    ):
        assert fault in str(error.value)
    with pytest.raises(ValueError, match="every_seconds is .*, but must be a number of seconds"):
        sightline.SummaryMonitor.check(frequencies=[{"tag": "a", "every_seconds": 2**63}])


def test_from_yaml_merges_maps_and_refuses_a_key_that_is_given_twice(tmp_path, lines, recording):
    base = "base: &base {collect_freq: 3, collect_tensor_freq: 5}\n"
    yaml = (
        base
        + f"callbacks:\n  - {{type: SummaryMonitor, <<: *base, collect_freq: 2, summary_dir: {tmp_path}}}"
    )
    with sightline.SummaryMonitor.from_yaml(yaml, say=lines.append) as summary:
        for step in range(1, 6):
            summary.end_step(step, loss=1.0, tensors={"logits": np.ones(2)})
    run = recording(tmp_path)
    assert steps_of(run.scalars(), "loss/auto") == [1, 2, 4] and steps_of(
        run.of("tensor"), "logits"
    ) == [1, 5]
    with pytest.raises(ValueError, match="callbacks is given twice, in lines 2 and 4"):
        sightline.SummaryMonitor.from_yaml(yaml + "\ncallbacks: []")


def steps_of(values, tag):
    return [step for name, step in values if name == tag]


@pytest.mark.parametrize(
    ("frequency", "expected"),
    [
        ({"every_steps": 6}, [1, 6, 12]),
        ({"first_steps": 3}, [1, 2, 3]),
        ({"every_steps": 5, "first_steps": 2}, [1, 2, 5, 10]),
        ({"every_seconds": 1e6}, [1]),
    ],
)
@pytest.mark.parametrize(
    "which", [{"kind": "histogram"}, {"tag": "w.*/auto"}, {"kind": "histogram", "tag": "weight"}]
)
def test_a_frequency_counts_for_its_kind_or_tags(
    tmp_path, monitor, recording, which, frequency, expected
):
    asked = []
    with monitor(collect_freq=4, frequencies=[{**which, **frequency}]) as summary:
        for step in range(1, 13):
            asked += [step] if summary.should_record("weight/auto", step, "histogram") else []
            summary.end_step(step, loss=1.0, parameters=lambda: {"weight": np.ones(3)})
    assert steps_of(recording(tmp_path).of("histogram"), "weight/auto") == asked == expected
    assert steps_of(recording(tmp_path).scalars(), "loss/auto") == [1, 4, 8, 12]


def test_a_kind_that_a_step_does_not_record_is_not_asked_for(monitor):
    asked = []
    with monitor(
        collect_freq=2,
        frequencies=[{"kind": "image", "every_steps": 3}, {"kind": "histogram", "first_steps": 1}],
    ) as summary:
        for step in range(1, 7):
            summary.end_step(
                step,
                loss=lambda: asked.append(("loss", step)),
                input=lambda: asked.append(("input", step)),
                histograms=lambda: asked.append(("histograms", step)) or {},
            )
    assert asked == [
        ("loss", 1), ("input", 1), ("histograms", 1), ("loss", 2), ("input", 3), ("loss", 4), ("loss", 6), ("input", 6),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ([{"every_steps": 3}], r"frequencies\[0\] has neither kind nor tag"),
        (
            [{"tag": "a"}],
            r"frequencies\[0\] has none of every_steps, every_seconds and first_steps",
        ),
        (
            [{"kind": "graph", "every_steps": 3}],
            r"frequencies\[0\].kind is 'graph', but must be scalar or histogram or image or tensor",
        ),
        ([{"tag": "(", "every_steps": 3}], r"frequencies\[0\].tag is '\('"),
        (
            [{"tag": "a", "every_steps": 0}],
            r"frequencies\[0\].every_steps is 0, but must be at least 1 step",
        ),
        ([{"tag": "a", "every_seconds": 0}], r"frequencies\[0\].every_seconds is 0"),
        ([{"tag": "a", "every": 3}], r"frequencies\[0\] has the unknown key 'every'"),
        ({"tag": "a"}, "frequencies is .*, but must be a list of maps"),
    ],
)
def test_a_wrong_frequency_is_a_value_error(tmp_path, wrong, fault):
    with pytest.raises(ValueError, match=fault):
        sightline.SummaryMonitor(tmp_path, frequencies=wrong)


def test_should_record_tells_what_a_step_records_before_it_and_within(monitor):
    within = []
    with monitor(
        collect_freq=10, collect_tensor_freq=4, collect_specified_data={"collect_input_data": False}
    ) as summary:
        assert summary.should_record("logits", 4) and not summary.should_record("logits", 5)
        assert summary.should_record("loss/auto", 10, "scalar") and not summary.should_record(
            "loss/auto", 4, "scalar"
        )
        assert not summary.should_record("input_data/auto", 10, "image")
        summary.end_step(
            4,
            tensors=lambda: (
                within.append(summary.should_record("logits", 4)) or {"logits": np.ones(2)}
            ),
        )
        assert within == [True] and not summary.should_record("logits", 4)
        with pytest.raises(
            ValueError, match="kind is 'graph', but must be scalar, histogram, image or tensor"
        ):
            summary.should_record("logits", 4, "graph")
    assert not summary.should_record("logits", 8)


@pytest.mark.parametrize("ranks", [2, [0, 2]])
def test_only_the_ranks_that_are_named_record(tmp_path, lines, ranks):
    enabled = []
    for rank in range(3):
        directory = tmp_path / str(rank)
        with sightline.SummaryMonitor(
            directory, say=lines.append, ranks=ranks, rank=rank, world_size=3
        ) as summary:
            summary.end_step(1, loss=lambda: 1.0 if summary.enabled else 1 / 0)
            assert summary.stats.first_error is None
        enabled += [rank] if summary.enabled else []
        assert directory.exists() == summary.enabled
    assert enabled == ([2] if ranks == 2 else [0, 2])
    assert (
        f"rank 1 does not record: ranks = {ranks if isinstance(ranks, list) else [ranks]}" in lines
    )


@pytest.mark.parametrize("ranks", [None, "all"])
def test_every_rank_records_by_default_and_its_files_name_it(tmp_path, monitor, recording, ranks):
    with monitor(ranks=ranks, rank=2, world_size=3) as summary:
        summary.end_step(1, loss=1.0)
    (session,) = recording(tmp_path).info()["sessions"]
    assert (session["rank"], session["world_size"]) == (2, 3)


@pytest.mark.parametrize("wrong", ["some", [], [-1], ["0"], 1.5])
def test_wrong_ranks_are_a_value_error(tmp_path, wrong):
    with pytest.raises(ValueError, match="ranks"):
        sightline.SummaryMonitor(tmp_path, ranks=wrong)


def test_an_overhead_budget_leaves_out_heavy_values_and_says_so(
    tmp_path, monitor, recording, lines
):
    gradient = np.ones(1_000_000, np.float32)
    with monitor(collect_freq=1, max_overhead="1%") as summary:
        for step in range(1, 301):
            summary.end_step(step, loss=1.0, histograms={"grad": gradient})
    assert "max_overhead = 1 %" in lines[1] and "for max_overhead" in lines[-1]
    run = recording(tmp_path)
    histograms = steps_of(run.of("histogram"), "grad")
    assert len(histograms) + summary.thinned_steps == 300 and summary.thinned_steps > 0
    assert len(steps_of(run.scalars(), "loss/auto")) == 300
    assert steps_of(run.scalars(), "recording_rate/auto")


@pytest.mark.parametrize("wrong", [0, 1, "100%", "little", -0.5, True])
def test_a_wrong_overhead_budget_is_a_value_error(tmp_path, wrong):
    with pytest.raises(ValueError, match="max_overhead is"):
        sightline.SummaryMonitor(tmp_path, max_overhead=wrong)


def test_a_resumed_training_goes_on_behind_the_run_and_its_steps_count_once(
    tmp_path, monitor, recording, lines
):
    for first, options in ((1, {}), (21, {"resume_from_step": 21})):
        with monitor(collect_freq=10, **options) as summary:
            for step in range(first, first + 30):
                summary.end_step(step, loss=float(first))
    assert "resumed from step 21 of session" in lines[2]
    assert recording(tmp_path).scalars()["loss/auto", 30] == 21.0
    run = recording(tmp_path).info()
    (loss,) = [tag for tag in run["tags"] if tag["tag"] == "loss/auto"]
    assert (loss["values"], loss["last_step"], loss["superseded"]) == (
        6,
        50,
        1,
    )  # 1, 10, 20, 30, 40, 50
    assert [session.get("superseded_from") for session in run["sessions"]] == [21, None]


def test_a_step_before_the_one_to_resume_from_is_said_and_reported_at_the_end(monitor, lines):
    summary = monitor(resume_from_step=21)
    summary.end_step(1, loss=1.0)
    assert "step 1 ended, though resume_from_step is 21" in lines[-1]
    with pytest.raises(ValueError, match="count steps from 21 on"):
        summary.end()


@pytest.mark.parametrize("wrong", [-1, "21", 2.5])
def test_a_wrong_step_to_resume_from_is_a_value_error(tmp_path, wrong):
    with pytest.raises(ValueError, match="resume_from_step is"):
        sightline.SummaryMonitor(tmp_path, resume_from_step=wrong)
