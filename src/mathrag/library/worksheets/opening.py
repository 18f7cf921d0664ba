"""Worksheets from files and libraries, computed: what commands and pages ask for in one call."""

from __future__ import annotations

from pathlib import Path

from mathrag.errors import UsageError
from mathrag.worksheets.engine import Engine
from mathrag.worksheets.lines import LONGEST_SHEET
from mathrag.worksheets.results import Results

# A worksheet to begin with: it shows every kind of line once.
EXAMPLE = """# A car brakes
" Text begins with a quotation mark. Change a number, and all that follows from it changes.
m = 1200 ± 15 kg
v = 27.0 ± 0.5 m/s
g = [standard gravity]
mu = 0.7

## Energy and distance
E = m*v^2/2 -> kJ
d = v^2/(2*mu*g)
F = E/d -> kN

## How sure is it?
uncertainty E
worst E
montecarlo E 10000 seed 1

## What if?
plot d for v = 0 m/s .. 40 m/s
goal d = 100 m by v in 0 m/s .. 100 m/s
solve x + y = d, x = 3*y for x, y
"""


def worksheet_file(path: Path) -> str:
    """The text of a file; refused where it is no text or longer than a worksheet."""
    try:
        with path.open("rb") as file:
            content = file.read(4 * LONGEST_SHEET + 4)
        if len(content) > 4 * LONGEST_SHEET:
            raise UsageError(f"{path} is too long for a worksheet: at most {LONGEST_SHEET:,} characters")
        return content.decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text in UTF-8") from error


def computed_alone(text: str) -> Results:
    """A worksheet computed without a library."""
    return Engine().run(text)
