"""The part of Protocol Buffers' wire format that writing needs (protobuf.dev/programming-guides/encoding).

A message is the concatenation of its fields. A field with its default value is left out, as in proto3.
"""

import struct
from collections.abc import Iterable


def varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def integer(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value) if value else b""


def double(field: int, value: float) -> bytes:
    return varint(field << 3 | 1) + struct.pack("<d", value)


def single(field: int, value: float) -> bytes:
    return varint(field << 3 | 5) + struct.pack("<f", value)


def doubles(field: int, values: Iterable[float]) -> bytes:
    """A packed repeated field of doubles."""
    numbers = list(values)
    return message(field, struct.pack(f"<{len(numbers)}d", *numbers))


def text(field: int, value: str) -> bytes:
    return message(field, value.encode("utf-8", "replace")) if value else b""


def message(field: int, *parts: bytes) -> bytes:
    """A message with these fields, or bytes; written even if it is empty."""
    payload = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(payload)) + payload
