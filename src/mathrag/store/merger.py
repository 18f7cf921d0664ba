"""The seam between the store and what merges: pure functions that the store is given. Nothing here merges.

The store calls them for the entries a change touches and for no others, so they must be functions of their arguments
alone, and `relate` must judge each neighbour and each constant by itself: what it says of two entries may not depend
on which others it is shown. Then the library is the same in whatever order its documents came.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from mathrag.types.library import Constant, ConstantFinding, Correction, Finding, Formula, Relation


class Merger(Protocol):
    """Makes formulas, constants and relations of what was found."""

    def merge_findings(self, findings: Sequence[Finding], corrections: Sequence[Correction]) -> tuple[Formula, ...]:
        """The formulas of all findings of one form. Every finding's span is a span of one of them."""
        ...

    def merge_constants(self, findings: Sequence[ConstantFinding]) -> tuple[Constant, ...]:
        """The constants of all findings of one symbol."""
        ...

    def relate(
        self,
        formula: Formula,
        neighbours: Sequence[Formula],
        constants: Sequence[Constant],
        stated: Sequence[Relation],
    ) -> tuple[Relation, ...]:
        """The relations from this formula to its neighbours and constants; those from a neighbour are not asked for.

        `stated` is what texts say about this formula and one of the neighbours, in either direction.
        """
        ...
