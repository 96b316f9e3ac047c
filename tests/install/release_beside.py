"""Does what release_wheel.py does in a process that has other copies of the libraries in the modules, loaded before them
with their symbols visible to all, and then uses these.

usage: release_beside.py DIRECTORY
"""

import ctypes
import sqlite3
import sys
import zlib

from google.protobuf import struct_pb2

for library in ("libstdc++.so.6", "libprotobuf.so.32", "libsqlite3.so.0", "libz.so.1"):
    ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)

import release_wheel  # noqa: E402 - after them, so that it would find their symbols first.

release_wheel.record(sys.argv[1])
release_wheel.read(sys.argv[1])

assert zlib.decompress(zlib.compress(b"words")) == b"words"
assert sqlite3.connect(":memory:").execute("SELECT 6 * 7").fetchone() == (42,)
sent = struct_pb2.Value(string_value="words")
assert struct_pb2.Value.FromString(sent.SerializeToString()) == sent
