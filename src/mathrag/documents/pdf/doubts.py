"""Doubts about a formula that says it lacks its other end: what else stands beside it may settle them.

Named here because those who put the pieces of a formula together ask for them by name.
"""

from __future__ import annotations

SCRIPT_ON_NOTHING = "a script on nothing before a relation"
HOLE = "a hole beside an operator or a relation"
BRACKET_ALONE = "a bracket without its partner"
CUT_IN_ROW = "cut at its edge: something stands against it that is no word"
# Doubts about the arrangement of signs that are all there and known. Whoever reads a picture of the formula can settle
# them; not those about where it ends or what belongs to it, because the picture is cut out along the same line.
SETTLED_BY_SIGHT = frozenset(
    (
        "a fraction whose parts are not centred on its bar",
        "a fraction with type of two sizes above and below its bar",
        "a line much longer than what stands above and below it",
        "a line that is neither fraction bar nor overline",
        "a root sign without a line over what it covers",
        "a script whose level is unclear",
        "a short line taken for a minus sign",
        "a sign that stands on no clear line",
        "a sign with limits and scripts",
        "an accent between two letters",
    )
)
OPEN_ENDS = frozenset((SCRIPT_ON_NOTHING, HOLE, BRACKET_ALONE, CUT_IN_ROW))
