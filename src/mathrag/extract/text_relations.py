"""Relations within one document: what its text states between formulas, and what follows from two by algebra."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mathrag.extract.phrases import last_sentence, words_of
from mathrag.extract.relations import derived_forms
from mathrag.types.document import Document, Math, Paragraph
from mathrag.types.library import Finding, RelationKind, TextRelation

_LARGEST_SECTION = 25
_DERIVED = re.compile(
    r"\b(?:substitut\w+|rearrang\w+|solv\w+\s+(?:this|the|equation|for)|combin\w+|derive[ds]?|follows? from|obtain\w*|"
    r"divid\w+ both sides|multiply\w* both sides|taking the (?:square root|logarithm)|eliminat\w+|plugg?\w*)\b",
    re.I,
)
_SPECIAL = re.compile(
    r"\b(?:special case|reduces? to|simplif\w+ to|becomes|if .{2,40} (?:is|are) zero|in the limit)\b", re.I
)


def find_text_relations(
    document: Document, findings: Sequence[Finding], *, document_id: str
) -> tuple[TextRelation, ...]:
    """A sentence such as "substituting this into … gives" between two formulas says how they hang together."""
    by_place: dict[tuple[object, str], int] = {}
    for finding in findings:
        if finding.status == "executable":
            by_place.setdefault((finding.span.place, finding.source), finding.position)
    found: list[TextRelation] = []
    previous: tuple[int, int] | None = None
    text = ""
    for index, block in enumerate(document.blocks):
        content = block.content if isinstance(block, Paragraph) else ()
        pieces = content or _single(block)
        for position, piece in enumerate(pieces):
            if not isinstance(piece, Math):
                continue
            place = by_place.get((piece.place, piece.source))
            text = last_sentence(f"{text} {words_of(pieces[:position])}"[-400:])
            if place is None:
                continue
            if previous is not None and index - previous[1] <= 3:
                said = _relation(text)
                if said is not None and findings[previous[0]].form != findings[place].form:
                    kind, confidence = said
                    span = findings[place].span
                    found.append(TextRelation(document_id, kind, place, previous[0], confidence, text.strip(), span))
            previous = (place, index)
            text = ""
        text = f"{text} {words_of(content)}"[-400:] if content else text
    unique: dict[tuple[str, int, int], TextRelation] = {}
    for relation in (*found, *_derivations(findings, document_id)):
        unique.setdefault((relation.kind, relation.source, relation.target), relation)
    return tuple(unique.values())


def _derivations(findings: Sequence[Finding], document_id: str) -> Iterator[TextRelation]:
    """In one section: a formula that is another one with a third put into it, and that stands after both."""
    sections: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        if finding.status == "executable" and finding.equation is not None:
            sections.setdefault(finding.span.headings, []).append(finding)
    for members in sections.values():
        forms = {finding.form: finding for finding in reversed(members)}
        unique = sorted(forms.values(), key=lambda finding: finding.position)[:_LARGEST_SECTION]
        for base, partner, name in _pairs(unique):
            for form in derived_forms(base.equation, partner.equation, name):
                result = forms.get(form)
                if result is not None and result.position > max(base.position, partner.position):
                    evidence = f"follows from {base.latex} with {name} from {partner.latex}"
                    for parent in (base, partner):
                        yield TextRelation(document_id, "derived_from", result.position, parent.position, 0.8, evidence)


def _pairs(members: Sequence[Finding]) -> Iterator[tuple[Finding, Finding, str]]:
    """Pairs and a symbol to eliminate between them, where a later formula has just the symbols that would remain."""
    symbols = [frozenset(symbol.name for symbol in finding.symbols) for finding in members]
    for first, ours in enumerate(symbols):
        for second, theirs in enumerate(symbols):
            if first == second:
                continue
            for name in sorted(ours & theirs):
                left = (ours | theirs) - {name}
                later = symbols[max(first, second) + 1 :]
                if any(left >= result and len(left - result) <= 1 and name not in result for result in later):
                    yield members[first], members[second], name


def _single(block: object) -> tuple[Math, ...]:
    math = getattr(block, "math", None)
    return (math,) if isinstance(math, Math) else ()


def _relation(text: str) -> tuple[RelationKind, float] | None:
    if _SPECIAL.search(text):
        return "specializes", 0.6
    derived = _DERIVED.search(text)
    # "The total follows from" points at the formula to come, not at the one before.
    if derived is not None and text[derived.end() :].strip(" :,"):
        return "derived_from", 0.7
    return None
