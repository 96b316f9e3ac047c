"""Trains LeNet from one seed and evaluates it, recorded by the class that is named:
train_lenet.py sightline.mindspore.SummaryMonitor|mindspore.SummaryCollector DIRECTORY"""

import importlib
import sys

import mindspore as ms
import networks

module, _, name = sys.argv[1].rpartition(".")
recorder = getattr(importlib.import_module(module), name)
ms.set_seed(1)
model = networks.model(networks.SummingLeNet5())
callback = recorder(
    summary_dir=sys.argv[2],
    collect_freq=3,
    collect_specified_data={"collect_landscape": None},
    custom_lineage_data={"version": "1.2", "seed": 3, "ratio": 0.5},
)
model.train(2, networks.patterns(steps=10, batch=16), callbacks=[callback], dataset_sink_mode=False)
model.eval(networks.patterns(steps=4, batch=16), callbacks=[callback], dataset_sink_mode=False)
