"""Event files as the peers frame them: TFRecord, both checksums verified by an implementation that is not ours."""

import struct
from collections.abc import Iterator
from pathlib import Path

import google_crc32c


def _masked(data: bytes) -> int:
    crc = google_crc32c.value(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def read_records(path: Path) -> Iterator[bytes]:
    """The payloads of a finished file; an AssertionError where one is damaged or cut."""
    data = path.read_bytes()
    at = 0
    while at < len(data):
        length, length_crc = struct.unpack_from("<QI", data, at)
        assert _masked(data[at : at + 8]) == length_crc, f"{path}: length at {at}"
        end = at + 12 + length
        payload = data[at + 12 : end]
        assert len(payload) == length, f"{path}: the record at {at} is cut"
        assert _masked(payload) == struct.unpack_from("<I", data, end)[0], (
            f"{path}: payload at {at}"
        )
        yield payload
        at = end + 4


def frame(payload: bytes) -> bytes:
    """A record of the payload."""
    length = struct.pack("<Q", len(payload))
    return (
        length + struct.pack("<I", _masked(length)) + payload + struct.pack("<I", _masked(payload))
    )
