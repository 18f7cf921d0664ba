"""Copy the OpenMath dictionaries that may be passed on into the package, each byte as its authors wrote it.

    python tools/copy_dictionaries.py FOLDER_OF_OPENMATH_CDS

A dictionary comes along only where its own text grants that: most older ones carry the licence of the OpenMath Society
(`redistribute this document freely as a verbatim copy`), some newer ones and all files of signatures carry none. What
may not be passed on, a user fetches and ingests.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

TARGET = Path(__file__).parents[1] / "src" / "mathrag" / "data" / "openmath"
_GRANT = re.compile(
    rb"grants\s+you\s+permission\s+to\s+redistribute\s+this\s+document\s+freely\s+as\s+a\s+verbatim\s+copy"
)


def may_be_passed_on(data: bytes) -> bool:
    """Whether the text of a dictionary itself allows copies of it."""
    return _GRANT.search(data) is not None


def main(folder: str) -> None:
    """Replace what the package carries."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for old in TARGET.glob("*.ocd"):
        old.unlink()
    kept = left = 0
    for path in sorted(Path(folder).rglob("*.ocd")):
        data = path.read_bytes()
        if may_be_passed_on(data):
            (TARGET / path.name).write_bytes(data)
            kept += 1
        else:
            left += 1
    print(f"{kept} dictionaries copied to {TARGET}; {left} carry no licence and were left out")


if __name__ == "__main__":
    main(sys.argv[1])
