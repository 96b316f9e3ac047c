#!/usr/bin/env python3
"""Makes libsightline.a of one object that shows the functions of sightline.h and nothing else, and leaves that object
beside it, as libsightline.o.

usage: make_archive.py --ld LD --objcopy OBJCOPY --ar AR OUTPUT FILE...

The files are objects and archives, which may need each other. A program that links the result may link another
version of any library that is inside, since no name of theirs is visible.
"""

import argparse
import struct
import subprocess
from pathlib import Path

WANTED = "sightline_*"

SYMBOL_TABLE, STRONG, UNIQUE = 2, 1, 10  # SHT_SYMTAB, STB_GLOBAL, STB_GNU_UNIQUE of elf.h.


def make_unique_symbols_strong(path: Path) -> None:
    """GCC gives some symbols a binding of its own, which objcopy does not make local: makes it the usual one."""
    data = bytearray(path.read_bytes())
    if data[:6] != b"\x7fELF\x02\x01":
        raise SystemExit(f"make_archive: {path} is not a 64-bit little-endian ELF file")
    (sections_at,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    if count == 0:  # More than 65,279: the number is in the first section.
        (count,) = struct.unpack_from("<Q", data, sections_at + 32)
    for section in range(count):
        at = sections_at + section * size
        (kind,) = struct.unpack_from("<I", data, at + 4)
        if kind != SYMBOL_TABLE:
            continue
        begin, length = struct.unpack_from("<QQ", data, at + 24)
        for info in range(begin + 4, begin + length, 24):  # st_info of each symbol.
            if data[info] >> 4 == UNIQUE:
                data[info] = STRONG << 4 | data[info] & 15
    path.write_bytes(data)


def main() -> None:
    parser = argparse.ArgumentParser()
    for tool in ("ld", "objcopy", "ar"):
        parser.add_argument(f"--{tool}", required=True)
    parser.add_argument("output", type=Path)
    parser.add_argument("files", nargs="+")
    given = parser.parse_args()

    whole = given.output.with_suffix(".o")
    # Groups are resolved here: later, one of a program's could replace one of ours.
    link = [given.ld, "-r", "--force-group-allocation", "-o", whole]
    subprocess.run([*link, "--start-group", *given.files, "--end-group"], check=True)
    make_unique_symbols_strong(whole)
    subprocess.run(
        [given.objcopy, "--wildcard", f"--keep-global-symbol={WANTED}", "--strip-debug", whole],
        check=True,
    )
    given.output.unlink(missing_ok=True)
    subprocess.run([given.ar, "rcsD", given.output, whole], check=True)


if __name__ == "__main__":
    main()
