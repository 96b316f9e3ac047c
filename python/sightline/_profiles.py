"""The extension module that _profiles.pyi describes, from the file of _core."""

from sightline._extension import load

load(__name__)
