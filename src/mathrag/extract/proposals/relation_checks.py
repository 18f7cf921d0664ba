"""The checks that a proposed relation passes, one function each, read top to bottom in `RELATION_CHECKS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mathrag.extract.proposals.formula_checks import LONGEST_QUOTE
from mathrag.extract.proposals.quotes import Passage
from mathrag.extract.proposals.records import Problem, RelationProposal
from mathrag.extract.weights import weights
from mathrag.types.library import RELATION_KINDS, ConstantFinding, Finding

HIGHEST_CONFIDENCE = weights("proposals")["relation"]
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class RelationCase:
    """A proposed relation under examination. `ends` are the entries by what the reply may call them."""

    proposal: RelationProposal
    passage: Passage | None
    ends: Mapping[str, Finding | ConstantFinding]

    def end(self, called: str) -> Finding | ConstantFinding | None:
        """What a name, a label or a LaTeX text stands for; None where it is nothing that was kept."""
        for name in (called, called.upper()):
            if name in self.ends:
                return self.ends[name]
        meant = {name for known, name in self.proposal.peers if known == called}
        return self.ends.get(next(iter(meant))) if len(meant) == 1 else None

    @property
    def source(self) -> Finding | ConstantFinding | None:
        """Where it starts."""
        return self.end(self.proposal.source)

    @property
    def target(self) -> Finding | ConstantFinding | None:
        """Where it leads."""
        return self.end(self.proposal.target)


def kind_is_allowed(case: RelationCase) -> Problem | None:
    """It is of a kind that the library has."""
    if case.proposal.kind in RELATION_KINDS:
        return None
    return Problem("unknown_relation", f"{case.proposal.kind[:40]!r} is no kind of relation")


def evidence_stands_in_the_text(case: RelationCase) -> Problem | None:
    """The words that say it are in the chunk, and are more than a word."""
    if case.passage is None or len(case.proposal.quote) > LONGEST_QUOTE:
        return Problem("quote_not_found", "the words that should say so do not stand in the passage")
    if len(case.passage.quote.split()) < _FEWEST_WORDS:
        return Problem("no_quote", "a word or two say nothing about a relation")
    return None


def both_ends_exist(case: RelationCase) -> Problem | None:
    """Both are entries that were kept, and not one and the same."""
    for called, end in ((case.proposal.source, case.source), (case.proposal.target, case.target)):
        if end is None:
            return Problem("unknown_end", f"{called[:80]!r} is nothing that was found in the passage")
    source, target = case.source, case.target
    if source == target or (isinstance(source, Finding) and isinstance(target, Finding) and source.form == target.form):
        return Problem("same_ends", "both ends are the same formula")
    return None


def ends_fit_the_kind(case: RelationCase) -> Problem | None:
    """Only computable formulas have relations; a constant is used by a formula that has its symbol."""
    source, target = case.source, case.target
    if not isinstance(source, Finding) or source.status != "executable":
        return Problem("end_not_usable", "a relation starts from a formula that can be computed")
    if case.proposal.kind == "uses_constant":
        if not isinstance(target, ConstantFinding):
            return Problem("end_not_usable", "uses_constant leads to a constant")
        symbol = next((one for one in source.symbols if one.name == target.symbol), None)
        if symbol is None or symbol.dimension != target.dimension:
            return Problem("constant_not_used", f"the formula has no symbol {target.symbol} of that dimension")
        if target.standard is None:
            # The spring constant of one stand must not become that of every spring.
            return Problem(
                "constant_of_one_case", "it is no constant of nature, so the formula holds for other values too"
            )
        return None
    if not isinstance(target, Finding) or target.status != "executable":
        return Problem("end_not_usable", f"{case.proposal.kind} leads to a formula that can be computed")
    if case.proposal.kind == "uses":
        given = target.equation.target if target.equation is not None else None
        if given is None or all(one.name != given for one in source.symbols):
            return Problem("nothing_used", "the one formula does not need what the other gives")
    return None


RelationCheck = Callable[[RelationCase], Problem | None]
RELATION_CHECKS: tuple[RelationCheck, ...] = (
    kind_is_allowed,
    evidence_stands_in_the_text,
    both_ends_exist,
    ends_fit_the_kind,
)
