"""The extension module of sightline.ir, from the library that _core is in.

Both know MindSpore's schemas, which a process may register with the system's libprotobuf once only: as libraries of
their own they would end it.
"""

import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader

from sightline import _core

_loader = ExtensionFileLoader(__name__, _core.__file__)
_spec = spec_from_loader(__name__, _loader)
assert _spec is not None
_module = module_from_spec(_spec)
_loader.exec_module(_module)
sys.modules[__name__] = _module
