"""Puts SummaryMonitor into MindFormers' registry of callbacks, in place of MindFormers' own.

MindFormers registers its class when its module of callbacks is imported, and what is registered last wins. So
`register` does it at once where that module is there, and otherwise, or when it is imported later, right behind it.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

# The module whose import registers MindFormers' own class.
_THEIRS = "mindformers.core.callback.callback"


def register() -> None:
    """Registers ours now or as soon as theirs is. May be called again."""
    if _THEIRS in sys.modules:
        _replace()
    if not any(isinstance(finder, _AfterTheirs) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterTheirs())


def _replace() -> None:
    from mindformers.tools.register import MindFormerModuleType, MindFormerRegister

    from sightline.mindspore.callback import SummaryMonitor

    MindFormerRegister.register_cls(SummaryMonitor, MindFormerModuleType.CALLBACK)


class _AfterTheirs(MetaPathFinder):
    """Finds their module as the finders behind do, and has `_replace` called when it is imported."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != _THEIRS:
            return None
        behind = sys.meta_path[sys.meta_path.index(self) + 1 :]
        spec = next(filter(None, (finder.find_spec(name, path, target) for finder in behind)), None)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_replace(module: ModuleType) -> None:
            execute(module)
            _replace()

        spec.loader.exec_module = execute_and_replace  # type: ignore[method-assign]
        return spec
