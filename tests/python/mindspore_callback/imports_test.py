"""Imports: lazy, and in any order beside MindSpore, whose own Protocol Buffers are in the same process."""

import pytest

RECORD = """
import sys
{imports}
import numpy as np
from mindspore.train import summary_pb2  # Protocol Buffers of MindSpore's, in Python.
from mindspore import Tensor

event = summary_pb2.Event()
event.wall_time = 1.0
event.version = "1"
assert summary_pb2.Event.FromString(event.SerializeToString()).version == "1"

with sightline.SummaryMonitor(sys.argv[1], collect_freq=1, formats=("mindspore", "tensorboard")) as monitor:
    monitor.begin(network="Net")
    monitor.end_step(1, loss=Tensor(np.float32(0.5)).asnumpy(), parameters={{"w": np.ones(3, np.float32)}})
sys.argv.append("again")
import networks  # A graph is compiled: MindSpore's C++ Protocol Buffers.
from sightline.mindspore import SummaryMonitor
model = networks.model(networks.Dense())
model.train(1, networks.rows(2), [SummaryMonitor(sys.argv[1] + "_trained", collect_freq=1)], dataset_sink_mode=False)
"""


@pytest.mark.parametrize(
    "imports",
    ["import sightline\nimport mindspore", "import mindspore\nimport sightline"],
    ids=["first", "last"],
)
def test_mindspore_and_sightline_are_imported_in_either_order(
    run_script, recording, tmp_path, monkeypatch, imports
):
    from pathlib import Path

    run_script(
        RECORD.format(imports=imports), tmp_path / "run", PYTHONPATH=str(Path(__file__).parent)
    )
    assert recording(tmp_path / "run").scalars()["loss/auto", 1] == 0.5
    trained = recording(tmp_path / "run_trained")
    assert ("loss/auto", 2) in trained.scalars()
    assert [event for event in trained.events if "graph_def" in event]


def test_importing_the_module_imports_no_mindspore(run_script):
    script = """
    import sys
    import sightline.mindspore
    assert "mindspore" not in sys.modules and "sightline.mindspore.callback" not in sys.modules
    sightline.mindspore.SummaryMonitor
    assert "mindspore" in sys.modules
    try:
        sightline.mindspore.Nothing
    except AttributeError as error:
        assert "has no attribute 'Nothing'" in str(error)
    else:
        raise AssertionError
    """
    run_script(script)
