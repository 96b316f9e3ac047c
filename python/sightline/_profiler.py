"""The extension module that _profiler.pyi describes, from the file of _core."""

from sightline._extension import load

load(__name__)
