"""Puts SummaryMonitor into MindFormers' registry of callbacks, in place of MindFormers' own."""


def register() -> None:
    """From now on `type: SummaryMonitor` in a configuration of MindFormers means ours.

    Imports MindFormers, whose registry keeps what was registered last under a name. May be called again.
    Call it before MindFormers builds its callbacks.

    Raises ModuleNotFoundError where MindFormers is not installed.
    """
    # Registers theirs, once, when it is first imported: so it must come before ours.
    import mindformers.core.callback
    from mindformers.tools.register import MindFormerModuleType, MindFormerRegister

    from sightline.mindspore.callback import SummaryMonitor

    MindFormerRegister.register_cls(SummaryMonitor, MindFormerModuleType.CALLBACK)
