"""The extension module of sightline.profiles; use that instead."""

import os

_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]

def find_profiles(paths: list[_Path]) -> list[str]:
    """The profiles in and below these paths. A path without one is in the list as it is."""

def read_parts(paths: list[_Path]) -> str:
    """What a cluster needs of these profiles and of those below these paths, as JSON."""

def join_parts(parts: list[str]) -> tuple[str, list[tuple[str, str]]]:
    """The cluster that these parts are together, as JSON, and the path and error of each damaged file."""
