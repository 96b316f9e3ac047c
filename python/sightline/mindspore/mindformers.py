"""Puts SummaryMonitor and ProfileMonitor into MindFormers' registry of callbacks, in place of MindFormers' own, and
captures what it records through tensorboardX.
"""

import importlib
from typing import Any

from sightline._capture import capture


def register() -> None:
    """From now on, `type: SummaryMonitor` in a configuration of MindFormers means Sightline's, and the keys profile_*
    mean Sightline's ProfileMonitor. What MindFormers records through tensorboardX goes through Sightline as well
    (sightline.capture).

    This imports MindFormers, whose registry keeps what was registered last under a name; its trainer takes
    ProfileMonitor from its own module. You can call this again. Call it before MindFormers builds its callbacks.

    Raises ModuleNotFoundError if MindFormers is not installed.
    """
    capture()
    # This registers MindFormers' classes when it is first imported, so it must precede ours.
    from mindformers.tools.register import MindFormerModuleType, MindFormerRegister

    from sightline.mindspore.callback import SummaryMonitor
    from sightline.mindspore.profile_monitor import ProfileMonitor

    for ours in (SummaryMonitor, ProfileMonitor):
        MindFormerRegister.register_cls(ours, MindFormerModuleType.CALLBACK)
    try:
        trainer: Any = importlib.import_module("mindformers.trainer.trainer")
    except ImportError:  # It needs something that is not installed; callbacks do not.
        return
    trainer.ProfileMonitor = ProfileMonitor
