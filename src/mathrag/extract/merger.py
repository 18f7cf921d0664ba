"""The rules as the store wants them: one object with the three pure functions that make entries of findings."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.extract.merging import merge_constants, merge_findings
from mathrag.extract.relations import relate
from mathrag.types.library import Constant, ConstantFinding, Correction, Finding, Formula, Relation


class RuleMerger:
    """Merges by canonical form and dimension; relates by algebra and by what texts state."""

    def merge_findings(self, findings: Sequence[Finding], corrections: Sequence[Correction]) -> tuple[Formula, ...]:
        """The formulas of all findings of one form."""
        return merge_findings(findings, corrections)

    def merge_constants(self, findings: Sequence[ConstantFinding]) -> tuple[Constant, ...]:
        """The constants of all findings of one symbol."""
        return merge_constants(findings)

    def relate(
        self, formula: Formula, neighbours: Sequence[Formula], constants: Sequence[Constant], stated: Sequence[Relation]
    ) -> tuple[Relation, ...]:
        """The relations from one formula to its neighbours and constants."""
        return relate(formula, neighbours, constants, stated)
