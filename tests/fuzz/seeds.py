#!/usr/bin/env python3
"""Packs and unpacks the seed inputs of the fuzz targets.

usage: seeds.py unpack CORPUS TARGET FOLDER   empties FOLDER and unpacks the seeds of TARGET into it
       seeds.py pack CORPUS TARGET FOLDER     makes the seeds of TARGET of the files in FOLDER

The seeds are CORPUS/TARGET_seed_corpus.zip, the form that OSS-Fuzz reads. The same files always give the same bytes: they
are stored, sorted by name, without their times.
"""

import shutil
import sys
import zipfile
from pathlib import Path


def unpack(archive: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with zipfile.ZipFile(archive) as seeds:
        seeds.extractall(folder)


def pack(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as seeds:
        for file in sorted(folder.iterdir()):
            seeds.writestr(zipfile.ZipInfo(file.name), file.read_bytes())


def main() -> int:
    if len(sys.argv) != 5 or sys.argv[1] not in ("pack", "unpack"):
        print(__doc__, file=sys.stderr)
        return 2
    command = {"pack": pack, "unpack": unpack}[sys.argv[1]]
    corpus, target, folder = sys.argv[2:]
    command(Path(corpus) / f"{target}_seed_corpus.zip", Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
