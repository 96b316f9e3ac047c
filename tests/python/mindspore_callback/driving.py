"""The calls of a training to its callbacks, without one."""

import mindspore as ms
import networks
import numpy as np
from mindspore.train.callback import RunContext


def drive(callback, steps, each=lambda: None, network=None, **parameters):
    """A training without Model: MindSpore's parameters as a data sink or a cluster would have them. `each` is called for
    each step."""
    network = network or networks.Dense()
    given = {
        "train_network": network,
        "network": network,
        "optimizer": None,
        "loss_fn": None,
        "train_dataset": networks.rows(steps),
        "train_dataset_element": None,
        "net_outputs": ms.Tensor(np.float32(0.5)),
        "epoch_num": 1,
        "cur_epoch_num": 1,
        "batch_num": steps,
        "cur_step_num": 0,
        "parallel_mode": "stand_alone",
        "device_number": 1,
        "dataset_sink_mode": False,
        "list_callback": [callback],
        **parameters,
    }
    context = RunContext(given)
    callback.on_train_begin(context)
    for epoch in range(1, given["epoch_num"] + 1):
        given["cur_epoch_num"] = epoch
        for _ in range(1 if given["dataset_sink_mode"] else steps):
            given["cur_step_num"] += steps if given["dataset_sink_mode"] else 1
            each()
            callback.on_train_step_end(context)
        callback.on_train_epoch_end(context)
    callback.on_train_end(context)
