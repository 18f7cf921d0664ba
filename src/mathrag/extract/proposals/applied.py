"""Lay a model's proposals over what the rules extracted: check every record, keep what passes, reject the rest by name.

Pure: the same extraction, chunks and proposals give the same result, in whatever order the proposals come, and applying
them again changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from mathrag.documents.views.records import ChunkView
from mathrag.extract.proposals.additions import FieldProblem, enrich
from mathrag.extract.proposals.constant_checks import CONSTANT_CHECKS, ConstantCase
from mathrag.extract.proposals.findings import PROPOSED_BY, new_constant, new_finding, span_of, understood_finding
from mathrag.extract.proposals.formula_checks import FORMULA_CHECKS, FormulaCase, Setting
from mathrag.extract.proposals.meanings import definitions_near
from mathrag.extract.proposals.prompt import constants_in_chunk, findings_in_chunk
from mathrag.extract.proposals.quotes import find_passage, plain_typography
from mathrag.extract.proposals.records import (
    ConstantProposal,
    FormulaProposal,
    MalformedProposal,
    Problem,
    Proposal,
    ProposalKind,
    RejectedProposal,
    RelationProposal,
)
from mathrag.extract.proposals.relation_checks import HIGHEST_CONFIDENCE, RELATION_CHECKS, RelationCase
from mathrag.types.document import Document, Place
from mathrag.types.expression import Flag
from mathrag.types.library import (
    PROPOSED,
    RELATION_KINDS,
    ConstantFinding,
    Extraction,
    Finding,
    SymbolMeaning,
    TextRelation,
)

COMPLETED_BY = "completed_by_model"
_LONGEST_NAME = 80
_Case = TypeVar("_Case", FormulaCase, ConstantCase, RelationCase)
_SORTS = (MalformedProposal, FormulaProposal, ConstantProposal, RelationProposal)


def apply_proposals(
    extraction: Extraction,
    chunks: Sequence[ChunkView],
    proposals: Iterable[Proposal],
    *,
    model_name: str,
    document: Document | None = None,
    again: Iterable[Proposal] = (),
) -> tuple[Extraction, tuple[RejectedProposal, ...]]:
    """What the rules and a model together understood of a document, and the records that failed a check.

    `document` gives quotes the place of their block; without it they have that of their chunk. `again` is what the
    model proposed when it was asked a second time: nothing of it is kept, it only confirms or contradicts.
    """
    work = _Work(
        extraction,
        {chunk.ordinal: chunk for chunk in chunks},
        _plain_name(model_name),
        document,
        again=tuple(sorted({one for one in again if isinstance(one, FormulaProposal)}, key=_order)),
    )
    for proposal in sorted(dict.fromkeys(proposals), key=_order):
        work.take(proposal)
    return work.result(), tuple(dict.fromkeys(work.rejected))


def _order(proposal: Proposal) -> tuple[int, int, str, str]:
    # Records that cannot be written as JSON all show the same text; what was read of them tells them apart.
    return (_SORTS.index(type(proposal)), proposal.chunk, proposal.record, repr(proposal))


def _plain_name(model: str) -> str:
    shown = "".join(character for character in model if character.isprintable())
    return " ".join(shown.split())[:_LONGEST_NAME] or "a model"


@dataclass(slots=True)
class _Work:
    """One application under way. `names` are the entries that relations of a chunk can speak of."""

    extraction: Extraction
    chunks: dict[int, ChunkView]
    model: str
    document: Document | None
    again: tuple[FormulaProposal, ...] = ()
    findings: dict[int, Finding] = field(default_factory=dict)
    constants: dict[int, ConstantFinding] = field(default_factory=dict)
    relations: list[TextRelation] = field(default_factory=list)
    rejected: list[RejectedProposal] = field(default_factory=list)
    changes: dict[int, dict[str, None]] = field(default_factory=dict)
    formula_names: dict[tuple[int, str], int] = field(default_factory=dict)
    constant_names: dict[tuple[int, str], int] = field(default_factory=dict)
    settings: dict[int, Setting] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.findings = {one.position: one for one in self.extraction.findings}
        self.constants = {one.position: one for one in self.extraction.constants}
        self.relations = list(self.extraction.relations)

    def result(self) -> Extraction:
        """The extraction with everything that was kept."""
        findings = [self._flagged(self.findings[position]) for position in sorted(self.findings)]
        constants = [self.constants[position] for position in sorted(self.constants)]
        return replace(
            self.extraction,
            findings=tuple(findings),
            constants=tuple(constants),
            relations=tuple(dict.fromkeys(self.relations)),
        )

    def _flagged(self, finding: Finding) -> Finding:
        """With a note of what a model added to a finding of the rules."""
        changed = self.changes.get(finding.position)
        if not changed or any(flag.code == PROPOSED_BY for flag in finding.flags):
            return finding
        message = f"{', '.join(changed)}: proposed by {self.model}, checked"
        return replace(finding, flags=tuple(dict.fromkeys((*finding.flags, Flag(COMPLETED_BY, message)))))

    def take(self, proposal: Proposal) -> None:
        """Check one record and keep or reject it."""
        if isinstance(proposal, MalformedProposal):
            self._reject(proposal, proposal.kind, Problem(proposal.code, proposal.reason))
            return
        if proposal.chunk not in self.chunks:
            kind: ProposalKind = _kind_of(proposal)
            self._reject(proposal, kind, Problem("unknown_chunk", f"there is no chunk {proposal.chunk}"))
            return
        match proposal:
            case FormulaProposal():
                self._take_formula(proposal)
            case ConstantProposal():
                self._take_constant(proposal)
            case RelationProposal():
                self._take_relation(proposal)

    def _setting(self, chunk: int) -> Setting:
        if chunk not in self.settings:
            view = self.chunks[chunk]
            found = findings_in_chunk(self.extraction, view)
            again = tuple(one for one in self.again if one.chunk == chunk)
            self.settings[chunk] = Setting(view, found, definitions_near(self.extraction, view), self.document, again)
            for number, finding in enumerate(found, 1):
                self.formula_names[chunk, f"F{number}"] = finding.position
            for number, constant in enumerate(constants_in_chunk(self.extraction, view), 1):
                self.constant_names[chunk, f"C{number}"] = constant.position
        return self.settings[chunk]

    def _reject(
        self, proposal: Proposal, kind: ProposalKind, problem: Problem, *, record: str = "", place: Place | None = None
    ) -> None:
        chunk = self.chunks.get(proposal.chunk)
        home = chunk.place if chunk is not None else Place()
        quote = "" if isinstance(proposal, MalformedProposal) else plain_typography(proposal.quote)
        self.rejected.append(
            RejectedProposal(
                self.extraction.document,
                place or home,
                kind,
                record or proposal.record,
                problem.code,
                problem.reason,
                quote,
                proposal.chunk,
            )
        )

    def _take_formula(self, proposal: FormulaProposal) -> None:
        setting = self._setting(proposal.chunk)
        case = FormulaCase(proposal, setting)
        named = setting.named(proposal.finding) if proposal.finding else None
        if proposal.finding and named is None:
            reason = f"{proposal.finding} is no formula that was found in the passage"
            self._reject(proposal, "formula", Problem("unknown_finding", reason))
            return
        is_bare = not proposal.latex and not proposal.python
        if named is not None and (is_bare or (isinstance(case.read, Problem) and named.equation is not None)):
            self._add_to(named, case)
            return
        problem = _first_problem(FORMULA_CHECKS, case)
        if problem is None and named is not None and case.equal is not named:
            problem = _not_that_one(named, case)
        if problem is not None:
            place = case.passage.place if case.passage is not None else None
            self._reject(proposal, "formula", problem, place=place)
            return
        if case.equal is not None:
            self._enrich(case.equal.position, case)
        elif case.declined is not None:
            self._complete(case.declined, case)
        else:
            self._insert(case)

    def _add_to(self, named: Finding, case: FormulaCase) -> None:
        """More about a formula of the rules; its own LaTeX is not in question."""
        if case.proposal.quote.strip() and case.passage is None:
            self._reject(
                case.proposal, "formula", Problem("quote_not_found", "the quote does not stand in the passage")
            )
            return
        if isinstance(case.read, Problem) and case.read.code != "no_equation":
            source = case.proposal.latex or case.proposal.python
            self._set_aside(case, (FieldProblem("equation", source, case.read),))
        self._enrich(named.position, case)

    def _enrich(self, position: int, case: FormulaCase) -> None:
        found = enrich(self.findings[position], case.proposal, case.said, text=case.setting.chunk.text)
        if isinstance(found, Problem):
            self._reject(case.proposal, "formula", found)
            return
        self.findings[position] = found.finding
        if found.changed:
            self.changes.setdefault(position, {}).update(dict.fromkeys(found.changed))
        self.formula_names[case.proposal.chunk, case.proposal.name] = position
        self._set_aside(case, found.problems)

    def _set_aside(self, case: FormulaCase, problems: Iterable[FieldProblem]) -> None:
        called = case.proposal.finding or case.proposal.latex or case.proposal.python
        place = case.passage.place if case.passage is not None else None
        for one in problems:
            record = json.dumps({"formula": called, one.field: one.value}, ensure_ascii=False, sort_keys=True)
            self._reject(case.proposal, "formula", one.problem, record=record, place=place)

    def _complete(self, declined: Finding, case: FormulaCase) -> None:
        """A formula that the rules could not read, with the equation that a model reads in the same signs."""
        self.findings[declined.position] = understood_finding(self.findings[declined.position], case, self.model)
        self._enrich(declined.position, case)

    def _insert(self, case: FormulaCase) -> None:
        made = new_finding(self.extraction.document, case, self.model)
        for position, known in self.findings.items():
            if known.notation == PROPOSED and known.form == made.form and known.span == made.span:
                self._enrich(position, case)
                return
        position = max(self.findings, default=-1) + 1
        self.findings[position] = replace(made, position=position)
        self._enrich(position, case)

    def _take_constant(self, proposal: ConstantProposal) -> None:
        case = ConstantCase(proposal, self._setting(proposal.chunk))
        problem = _first_problem(CONSTANT_CHECKS, case)
        if problem is not None:
            place = case.passage.place if case.passage is not None else None
            self._reject(proposal, "constant", problem, place=place)
            return
        made = new_constant(self.extraction.document, case, self.model)
        for position, known in self.constants.items():
            same_value = (known.symbol, known.value, known.unit) == (made.symbol, made.value, made.unit)
            if same_value and (not known.proposed_by or known.span == made.span):
                self.constant_names[proposal.chunk, proposal.name] = position
                return
        position = max(self.constants, default=-1) + 1
        self.constants[position] = replace(made, position=position)
        self.constant_names[proposal.chunk, proposal.name] = position

    def _take_relation(self, proposal: RelationProposal) -> None:
        self._setting(proposal.chunk)
        chunk = self.chunks[proposal.chunk]
        passage = find_passage(proposal.quote, chunk, document=self.document)
        ends: dict[str, Finding | ConstantFinding] = {}
        ends |= {name: self.findings[at] for (home, name), at in self.formula_names.items() if home == proposal.chunk}
        ends |= {name: self.constants[at] for (home, name), at in self.constant_names.items() if home == proposal.chunk}
        case = RelationCase(proposal, passage, ends)
        problem = _first_problem(RELATION_CHECKS, case)
        if problem is not None:
            self._reject(proposal, "relation", problem, place=passage.place if passage is not None else None)
            return
        source, target = case.source, case.target
        assert isinstance(source, Finding)
        assert passage is not None
        if isinstance(target, ConstantFinding):
            self._use_constant(source, target)
            return
        assert isinstance(target, Finding)
        kind = next(one for one in RELATION_KINDS if one == proposal.kind)
        if any(
            (one.kind, one.source, one.target) == (kind, source.position, target.position) for one in self.relations
        ):
            return
        span = span_of(self.extraction.document, passage, chunk)
        confidence = min(proposal.confidence, HIGHEST_CONFIDENCE)
        evidence = f"{' '.join(passage.quote.split())} (proposed by {self.model})"
        self.relations.append(
            TextRelation(self.extraction.document, kind, source.position, target.position, confidence, evidence, span)
        )

    def _use_constant(self, source: Finding, constant: ConstantFinding) -> None:
        """The symbol becomes a constant; that the formula uses it then follows as for any other."""
        current = self.findings[source.position]
        symbols = tuple(
            _as_constant(one, constant.standard) if one.name == constant.symbol else one for one in current.symbols
        )
        if symbols != current.symbols:
            self.findings[source.position] = replace(current, symbols=symbols)
            self.changes.setdefault(source.position, {})[f"that {constant.symbol} is a constant"] = None


def _as_constant(symbol: SymbolMeaning, standard: str | None) -> SymbolMeaning:
    if symbol.origin in ("document", "edited"):
        return symbol
    return replace(symbol, role="constant", constant=symbol.constant or standard)


def _kind_of(proposal: FormulaProposal | ConstantProposal | RelationProposal) -> ProposalKind:
    match proposal:
        case FormulaProposal():
            return "formula"
        case ConstantProposal():
            return "constant"
        case RelationProposal():
            return "relation"


def _first_problem(checks: Iterable[Callable[[_Case], Problem | None]], case: _Case) -> Problem | None:
    """What the first check that fails says; None where all pass."""
    return next((problem for check in checks if (problem := check(case)) is not None), None)


def _not_that_one(named: Finding, case: FormulaCase) -> Problem | None:
    """A record about one formula that states another is about neither."""
    if case.declined is not None and case.declined.position == named.position:
        return None
    if case.equal is not None and case.equal.form == named.form:
        return None
    return Problem(
        "contradicts_rules", f"{case.proposal.finding} is {named.latex.strip()[:200]}, and this is another formula"
    )
