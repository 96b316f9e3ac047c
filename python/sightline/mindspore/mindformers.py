"""Puts SummaryMonitor and ProfileMonitor into MindFormers' registry of callbacks, in place of MindFormers' own."""

import importlib
from typing import Any


def register() -> None:
    """From now on `type: SummaryMonitor` in a configuration of MindFormers means ours, and its keys profile_* our ProfileMonitor.

    Imports MindFormers, whose registry keeps what was registered last under a name; its trainer takes the second from
    its own module. May be called again. Call it before MindFormers builds its callbacks.

    Raises ModuleNotFoundError where MindFormers is not installed.
    """
    # Registers theirs, once, when it is first imported: so it must come before ours.
    import mindformers.core.callback
    from mindformers.tools.register import MindFormerModuleType, MindFormerRegister

    from sightline.mindspore.callback import SummaryMonitor
    from sightline.mindspore.profile_monitor import ProfileMonitor

    for ours in (SummaryMonitor, ProfileMonitor):
        MindFormerRegister.register_cls(ours, MindFormerModuleType.CALLBACK)
    try:
        trainer: Any = importlib.import_module("mindformers.trainer.trainer")
    except ImportError:  # What it asks for and callbacks do not is not installed.
        return
    trainer.ProfileMonitor = ProfileMonitor
