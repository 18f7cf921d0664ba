"""Add to a finding what a model says about it, where the rules left something empty or only supposed it.

What the document says stays. Every text is checked by itself, so that one bad label does not cost a good unit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from mathrag.compute.dimensions import check_dimensions
from mathrag.extract.choice_search import vector_of
from mathrag.extract.meanings import Surroundings, propose
from mathrag.extract.phrases import LAW_LIKE
from mathrag.extract.proposals.meanings import UNIT_PROBLEMS, Proposed, subscript_problem
from mathrag.extract.proposals.plain_text import (
    LONGEST_DESCRIPTION,
    LONGEST_INTENT,
    LONGEST_KEYWORD,
    LONGEST_LABEL,
    fragment_problem,
    text_problem,
)
from mathrag.extract.proposals.quotes import find_quote
from mathrag.extract.proposals.records import FormulaProposal, Problem
from mathrag.extract.proposals.spoken import phrase_of_text
from mathrag.language.quantity_names import head_kinds, head_of
from mathrag.types.library import PROPOSED, Finding, Origin, Span, SymbolMeaning, Validity
from mathrag.types.quantity import Dimension

# A heading names a topic, a symbol its own meaning; anything else names the formula itself.
_WEAK_LABELS = frozenset(("", "symbol", "heading"))
_OPEN_ORIGINS = frozenset(("assumed", "inferred", "unknown"))
_MOST_KEYWORDS = 48
_MOST_CONDITIONS = 12


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """A field of a record that was set aside: which, what it said, and why."""

    field: str
    value: str
    problem: Problem


@dataclass(frozen=True, slots=True)
class Enriched:
    """A finding with what was added, the fields that changed and those that were set aside."""

    finding: Finding
    changed: tuple[str, ...] = ()
    problems: tuple[FieldProblem, ...] = ()


def enrich(
    finding: Finding, proposal: FormulaProposal, said: Mapping[str, Proposed], *, text: str
) -> Enriched | Problem:
    """What a record adds to a finding, or why it cannot be about it; `text` is the chunk."""
    enriched = _with_symbols(Enriched(finding), said, text)
    if isinstance(enriched, Problem):
        return enriched
    for step in (_with_label, _with_description, _with_intent, _with_keywords, _with_conditions):
        enriched = step(enriched, proposal, text)
    return enriched


def _set_aside(enriched: Enriched, field: str, value: str, problem: Problem) -> Enriched:
    return replace(enriched, problems=(*enriched.problems, FieldProblem(field, value, problem)))


def _changed(enriched: Enriched, field: str, finding: Finding) -> Enriched:
    if finding == enriched.finding:
        return enriched
    return replace(enriched, finding=finding, changed=tuple(dict.fromkeys((*enriched.changed, field))))


def _with_label(enriched: Enriched, proposal: FormulaProposal, text: str) -> Enriched:
    finding, label = enriched.finding, proposal.label.rstrip(" .:;,")
    if not label:
        return enriched
    problem = (
        text_problem(label, text, longest=LONGEST_LABEL)
        or fragment_problem(label, text)
        or _names_another_quantity(label, finding)
    )
    if problem is not None:
        return _set_aside(enriched, "label", label, problem)
    if finding.label_origin not in _WEAK_LABELS:
        return enriched
    return _changed(enriched, "label", replace(finding, label=label, label_origin=PROPOSED))


def _names_another_quantity(label: str, finding: Finding) -> Problem | None:
    """Whether a label is the name of a quantity, and of none that the formula gives."""
    target = finding.equation.target if finding.equation is not None else None
    meaning = next((one for one in finding.symbols if one.name == target), None)
    if meaning is None or meaning.dimension is None or LAW_LIKE.search(head_of(label)):
        return None
    kinds = head_kinds(label)
    if not kinds or any(kind.dimension == meaning.dimension or kind.takes_any_unit for kind in kinds):
        return None
    return Problem(
        "label_of_another_quantity", f"it names {kinds[0].name}, and the formula gives {meaning.description}"
    )


def _with_description(enriched: Enriched, proposal: FormulaProposal, text: str) -> Enriched:
    if not proposal.description:
        return enriched
    problem = text_problem(proposal.description, text, longest=LONGEST_DESCRIPTION)
    if problem is not None:
        return _set_aside(enriched, "description", proposal.description, problem)
    if enriched.finding.description:
        return enriched
    return _changed(enriched, "description", replace(enriched.finding, description=proposal.description))


def _with_intent(enriched: Enriched, proposal: FormulaProposal, text: str) -> Enriched:
    if not proposal.intent:
        return enriched
    problem = text_problem(proposal.intent, text, longest=LONGEST_INTENT)
    if problem is not None:
        return _set_aside(enriched, "intent", proposal.intent, problem)
    if enriched.finding.intent:
        return enriched
    return _changed(enriched, "intent", replace(enriched.finding, intent=proposal.intent))


def _with_keywords(enriched: Enriched, proposal: FormulaProposal, text: str) -> Enriched:
    kept = list(enriched.finding.keywords)
    known = {word.casefold() for word in kept}
    for word in proposal.keywords:
        problem = text_problem(word, text, longest=LONGEST_KEYWORD)
        if problem is not None:
            enriched = _set_aside(enriched, "keyword", word, problem)
        elif word.casefold() not in known and len(kept) < _MOST_KEYWORDS:
            known.add(word.casefold())
            kept.append(word.casefold())
    return _changed(enriched, "keywords", replace(enriched.finding, keywords=tuple(kept)))


def _with_conditions(enriched: Enriched, proposal: FormulaProposal, text: str) -> Enriched:
    """A condition is the document's or nobody's: its words must stand there."""
    for condition in proposal.conditions:
        quoted = find_quote(condition, text)
        if quoted is None:
            problem = Problem("condition_not_in_text", "these words do not stand in the passage")
            enriched = _set_aside(enriched, "condition", condition, problem)
            continue
        finding = enriched.finding
        words = " ".join(quoted.text.split())
        known = {one.text.casefold() for one in finding.conditions}
        is_new = words.casefold() not in known and re.search(r"[^\W\d_]{2}", words) is not None
        if is_new and len(finding.conditions) < _MOST_CONDITIONS:
            span = Span(finding.document, finding.span.place, words, finding.span.headings)
            conditions = (*finding.conditions, Validity(words, (), span))
            enriched = _changed(enriched, "conditions", replace(finding, conditions=conditions))
    return enriched


def _with_symbols(enriched: Enriched, said: Mapping[str, Proposed], text: str) -> Enriched | Problem:
    finding = enriched.finding
    words = _words(text)
    symbols = {one.name: one for one in finding.symbols}
    changed: dict[str, SymbolMeaning] = {}
    for name, proposed in said.items():
        current = symbols.get(name)
        if current is None:
            continue
        for problem in proposed.problems:
            if finding.notation == PROPOSED and _was_taken(problem, proposed, current):
                continue
            enriched = _set_aside(enriched, f"symbol {name}", proposed.meanings[0].description, problem)
        found = _meaning(current, proposed, words)
        if isinstance(found, Problem):
            enriched = _set_aside(enriched, f"symbol {name}", proposed.meanings[0].description, found)
        elif found is not None and found != current:
            changed[name] = found
    return _with_meanings(enriched, changed)


def _was_taken(problem: Problem, proposed: Proposed, current: SymbolMeaning) -> bool:
    """Whether a unit that the words for a symbol do not support was borne out by the formula all the same."""
    also = proposed.also
    return problem.code in UNIT_PROBLEMS and also is not None and also.dimension == current.dimension is not None


def _words(text: str) -> frozenset[str]:
    return frozenset(word for line in re.split(r"[.\n]", text[:8_000]) for word in phrase_of_text(line).words)


def _meaning(current: SymbolMeaning, proposed: Proposed, words: frozenset[str]) -> SymbolMeaning | Problem | None:
    """What a symbol means after a model has spoken; None where that changes nothing."""
    fitting = next((one for one in proposed.meanings if one.dimension == current.dimension), proposed.meanings[0])
    if current.origin not in _OPEN_ORIGINS:
        clashes = (
            fitting.dimension is not None and current.dimension is not None and fitting.dimension != current.dimension
        )
        if clashes and current.origin in ("document", "edited"):
            reason = f"the document says that {current.name} is {current.description or current.unit}"
            return Problem("contradicts_document", reason)
        return None
    if current.role == "constant" and fitting.constant != current.constant:
        return None
    problem = subscript_problem(current, fitting.description)
    if problem is not None:
        return problem
    phrase = phrase_of_text(fitting.description)
    is_in_text = bool(phrase.head) and phrase.head <= words
    if fitting.dimension is None:
        if not fitting.description:
            return None
        if not is_in_text:
            return Problem(
                "description_unsupported", f"neither a unit nor the text supports that {current.name} is this"
            )
        return replace(current, description=fitting.description, origin=_still(current))
    # Where the rules know nothing, what the letter usually stands for is support enough.
    is_supported = is_in_text or proposed.unit_stands or fitting.dimension == current.dimension
    if not is_supported and (current.dimension is not None or not _is_usual(current.name, fitting.dimension)):
        reason = f"neither its unit nor the words for {current.name} stand in the passage"
        return Problem("description_unsupported", reason)
    is_same = fitting.dimension == current.dimension
    return replace(
        current,
        description=fitting.description or current.description,
        unit=fitting.unit if proposed.unit_stands or not is_same else current.unit,
        dimension=fitting.dimension,
        kind=fitting.kind or (current.kind if is_same else None),
        role=fitting.role if fitting.role == "constant" else current.role,
        constant=fitting.constant or (current.constant if is_same else None),
        origin="proposed",
    )


def _is_usual(name: str, dimension: Dimension) -> bool:
    return any(one.vector == vector_of(dimension) for one in propose((name,), Surroundings())[name])


def _still(current: SymbolMeaning) -> Origin:
    """Words alone do not make a dimension that was worked out any surer."""
    return current.origin if current.dimension is None or current.origin == "inferred" else "proposed"


def _with_meanings(enriched: Enriched, changed: Mapping[str, SymbolMeaning]) -> Enriched | Problem:
    """All new meanings together, if the dimensions agree; else the record is about another formula."""
    finding = enriched.finding
    if not changed:
        return enriched
    before = {one.name: one.dimension for one in finding.symbols}
    moved = {name for name, one in changed.items() if one.dimension != before[name]}
    if moved and finding.equation is not None:
        known: dict[str, Dimension] = {}
        for one in finding.symbols:
            dimension = changed.get(one.name, one).dimension
            if dimension is not None and (one.name in changed or one.origin != "inferred"):
                known[one.name] = dimension
        report = check_dimensions(finding.equation, known)
        if report.status == "inconsistent":
            return Problem("dimensions", "; ".join(one.message for one in report.disagreements) or "they do not agree")
    symbols = tuple(changed.get(one.name, one) for one in finding.symbols)
    # Other readings were listed beside meanings that no longer hold.
    alternatives = () if moved else finding.alternatives
    names = tuple(f"the meaning of {name}" for name in sorted(changed))
    return replace(
        enriched,
        finding=replace(enriched.finding, symbols=symbols, alternatives=alternatives),
        changed=(*enriched.changed, *names),
    )
