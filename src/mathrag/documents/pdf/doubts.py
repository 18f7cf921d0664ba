"""Doubts about a formula that says it lacks its other end: what else stands beside it may settle them.

Named here because those who put the pieces of a formula together ask for them by name.
"""

from __future__ import annotations

SCRIPT_ON_NOTHING = "a script on nothing before a relation"
HOLE = "a hole beside an operator or a relation"
BRACKET_ALONE = "a bracket without its partner"
CUT_IN_ROW = "cut at its edge: something stands against it that is no word"
OPEN_ENDS = frozenset((SCRIPT_ON_NOTHING, HOLE, BRACKET_ALONE, CUT_IN_ROW))
