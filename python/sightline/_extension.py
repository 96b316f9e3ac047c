"""Loads the extension modules that are in the file of sightline._core: one file holds all of them, so that what they share
is in the wheel once.
"""

import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader

from sightline import _core


def load(name: str) -> None:
    """Makes sys.modules[name] the extension module of that name ("Multiple modules in one library" in PEP 489)."""
    spec = spec_from_loader(name, ExtensionFileLoader(name, _core.__file__))
    if spec is None or spec.loader is None:
        raise ImportError(f"{_core.__file__} cannot be loaded as {name}", name=name)
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
