"""A concept of mathematics as a card and as data: what a dictionary says of it, and what trying its formulas gave.

That a formula holds at points is never called proved; what was not tried says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mathrag.answer.cards.content import Card, Inline, Line, Math, Section, Words, citation_section
from mathrag.answer.clean_text import clean, is_safe_latex, shown_latex
from mathrag.compute.openmath.mentions import mentioned_concepts
from mathrag.knowledge.errata import remarked
from mathrag.types.answer import Reply
from mathrag.types.concept import Concept, ConceptExample, ConceptProperty, GlossaryEntry, SampleCheck

NOT_PROVED = "Formulas are tried at points, which proves nothing."
FALSE = "Stated by the dictionary, but false"
# What trying a formula at "all truth values" shows is proved.
_EVERY_CASE = "all truth values"
_MOST_SHOWN = 12
_LONGEST = 1_200


def check_words(one: ConceptProperty) -> str:
    """What came of trying a property, in a few words; or why it is known to be false."""
    is_judged = one.check is not None and one.check.outcome == "fails"
    return "stated in words, not checked" if one.kind == "stated" and not is_judged else sample_words(one.check)


def sample_words(check: SampleCheck | None) -> str:
    """What came of trying a formula at points, in a few words."""
    if check is None or check.outcome == "undecided":
        reason = "" if check is None else clean(check.reason)
        return f"not checked, because {reason or 'nothing in it can be computed'}"
    if check.outcome == "holds":
        points = "1 point" if check.points == 1 else f"{check.points} points"
        return f"holds at {points}{f' ({clean(check.numbers)})' if check.numbers else ''}"
    values = ", ".join(f"{clean(name)} = {clean(value)}" for name, value in check.counterexample)
    if values:
        return f"fails at {values}"
    return f"false as it stands: {clean(check.reason)}" if check.reason else "fails"


def concept_card(reply: Reply) -> Card:
    """The definition, and below it signature, properties with what trying them gave, examples, the source."""
    # One definition a line: what follows the first would drown in one long paragraph.
    first, *rest = reply.text.split("\n") if reply.glossary else [reply.text]
    sections = [Section("Further", tuple((Words(line),) for line in rest), "items"), _glossary_formulas(reply)]
    sections.append(_glossary_examples(reply))
    sections += [*(() if reply.concept is None else _sections(reply.concept)), _also(reply), _see_also(reply)]
    sections.append(citation_section(reply.citations))
    sections.append(Section("Warnings", tuple((Words(each),) for each in reply.warnings), "items"))
    return Card((Words(first),), tuple(one for one in sections if one.lines), "chat")


def concept_data(concept: Concept) -> dict[str, Any]:
    """A concept as plain values for JSON."""
    concept = remarked(concept)
    _, false = _by_outcome(concept.properties)
    return {
        "name": concept.name,
        "dictionary": concept.dictionary,
        "symbol": concept.symbol,
        "description": concept.description,
        "role": concept.role,
        "signature": concept.signature,
        "see_also": list(mentioned_concepts(concept)),
        "properties": [
            {
                "kind": one.kind,
                "text": one.text,
                "latex": one.latex,
                "checked": check_words(one),
                "check": _check(one.check),
                "is_false": one in false,
            }
            for one in concept.properties
        ],
        "examples": [{"text": one.text, "latex": list(one.latex)} for one in concept.examples],
    }


def entry_data(entry: GlossaryEntry) -> dict[str, Any]:
    """An entry of the glossary as plain values for JSON."""
    return {
        "name": entry.name,
        "also": list(entry.also),
        "source": entry.source,
        "definition": entry.definition,
        "formula": entry.formula,
        "unlike": dict(entry.unlike),
        "example": entry.example,
        "counterexample": entry.counterexample,
    }


def _check(check: SampleCheck | None) -> dict[str, Any] | None:
    if check is None:
        return None
    return {
        "outcome": check.outcome,
        "points": check.points,
        "numbers": check.numbers,
        "counterexample": dict(check.counterexample),
        "reason": check.reason,
    }


def _sections(concept: Concept) -> tuple[Section, ...]:
    concept = remarked(concept)
    signature: tuple[Line, ...] = ((Words(concept.signature),),) if concept.signature else ()
    kept, false = _by_outcome(concept.properties)
    properties = tuple(_property_line(one) for one in kept[:_MOST_SHOWN])
    if len(kept) > _MOST_SHOWN:
        properties = (*properties, (Words(f"and {len(kept) - _MOST_SHOWN} more"),))
    tried = (one.check for one in kept if one.check is not None and one.check.outcome != "undecided")
    if any(check.numbers != _EVERY_CASE for check in tried):
        properties = (*properties, (Words(NOT_PROVED),))
    examples = tuple(_example_line(one) for one in concept.examples[:_MOST_SHOWN])
    return (
        Section("Signature", signature),
        Section("Properties", properties, "items"),
        Section(FALSE, tuple(_property_line(one) for one in false[:_MOST_SHOWN]), "items"),
        Section("Examples", examples, "items"),
    )


def _by_outcome(properties: Sequence[ConceptProperty]) -> tuple[list[ConceptProperty], list[ConceptProperty]]:
    """The properties, and those that are false: what failed where it was tried takes the words that stand before it
    along, what is known to be false does not, since its words may be right."""
    kept: list[ConceptProperty] = []
    false: list[ConceptProperty] = []
    for one in properties:
        if one.check is None or one.check.outcome != "fails":
            kept.append(one)
            continue
        if kept and kept[-1].kind == "stated" and one.check.points:
            false.append(kept.pop())
        false.append(one)
    return kept, false


def _glossary_formulas(reply: Reply) -> Section:
    return Section("Formula", tuple((_math(one.formula),) for one in reply.glossary if one.formula), "formulas")


def _glossary_examples(reply: Reply) -> Section:
    """Examples of the glossary that the text of the reply does not tell already."""
    told = tuple(
        (Words(f"{lead}: {said}" if len(reply.glossary) == 1 else f"{lead} ({one.name}): {said}"),)
        for one in reply.glossary
        for lead, said in (("Example", one.example), ("Not one", one.counterexample))
        if said and said not in reply.text
    )
    return Section("Examples" if reply.concept is None else "Examples of the glossary", told, "items")


def _also(reply: Reply) -> Section:
    title = "Also called so" if reply.concept is not None else "Near to it"
    return Section(title, ((Words(", ".join(map(clean, reply.also))),),) if reply.also else ())


def _see_also(reply: Reply) -> Section:
    """Other concepts that the formulas of this one mention, whether the library has them or not."""
    names = () if reply.concept is None else mentioned_concepts(reply.concept)
    return Section("See also", ((Words(", ".join(map(clean, names))),),) if names else ())


def _property_line(one: ConceptProperty) -> Line:
    said: Inline = _math(one.latex) if one.kind == "formal" and one.latex else Words(_shown(one.text or one.source))
    return (said, Words(f"  [{check_words(one)}]"))


def _example_line(one: ConceptExample) -> Line:
    parts: list[Inline] = [Words(_shown(one.text))] if one.text.strip() else []
    for latex in one.latex[:_MOST_SHOWN]:
        parts += [*((Words("  "),) if parts else ()), _math(latex)]
    return tuple(parts) or (Words("(no words)"),)


def _math(latex: str) -> Inline:
    short = " ".join(latex.split())
    return Math(short, shown_latex(short)) if is_safe_latex(short) else Words(_shown(short))


def _shown(text: str) -> str:
    one = " ".join(text.split())
    return one if len(one) <= _LONGEST else f"{one[:_LONGEST]}…"
