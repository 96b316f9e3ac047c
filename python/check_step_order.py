"""check_step_order.py MAP: whether each name in step_order.ld is a function of the module with this link map.

Exit code: 0 all are, 1 some are not, which are printed.
"""

import re
import sys
from pathlib import Path

FOUND = (" .text.", " *fill*")  # A function, or the gap before its begin.


def names_of_nothing(link_map: str) -> list[str]:
    """The map has a line for each pattern, followed by one for each section that fits."""
    section = re.search(r"^\.text\.step\s.*?^\.text\s", link_map, re.DOTALL | re.MULTILINE)
    lines = section.group().splitlines() if section else []
    followers = zip(lines, lines[1:])
    return [line for line, follower in followers if line.startswith(" *(") and not follower.startswith(FOUND)]


def main() -> int:
    gone = names_of_nothing(Path(sys.argv[1]).read_text())
    for pattern in gone:
        print(f"python/step_order.ld: there is no function of the name{pattern}")
    return 1 if gone else 0


if __name__ == "__main__":
    sys.exit(main())
