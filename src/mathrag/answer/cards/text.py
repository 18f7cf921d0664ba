"""A card as lines of plain text for a terminal. Every line is harmless: no control character comes through."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Literal, TypeAlias, assert_never

from mathrag.answer.cards.content import (
    Card,
    Command,
    Inline,
    Line,
    Math,
    Section,
    Words,
    answer_card,
    built_in_words,
    document_name,
    outcome_sentence,
    plain_equation,
    plain_symbol,
    refusal_sentence,
    span_place,
)
from mathrag.answer.cards.naming import result_name
from mathrag.answer.clean_text import clean
from mathrag.answer.figures import stated_quantity_text
from mathrag.types.answer import Answer, Bound, Outcome, Refusal, Reply, Step

LineStyle: TypeAlias = Literal["headline", "title", "body"]
_LONGEST = 4_000
_WIDEST_COLUMN = 48


def text_card(card: Card) -> str:
    """The card as one text, a line a line."""
    return "\n".join(line for _, line in text_lines(card))


def text_lines(card: Card) -> tuple[tuple[LineStyle, str], ...]:
    """The lines, each with what it is, so that a terminal can set it off."""
    lines: list[tuple[LineStyle, str]] = [("headline", _line(card.headline))]
    for section in card.sections:
        shown = _section_lines(section)
        # Short sections stand on the line of their title; a screen has few lines.
        if len(shown) == 1 and section.layout == "lines":
            lines.append(("title", ""))
            lines.append(("body", f"{section.title}: {shown[0].strip()}"))
            continue
        lines.append(("title", ""))
        lines.append(("title", section.title))
        lines.extend(("body", f"  {line}".rstrip()) for line in shown)
    return tuple(lines)


def table_lines(section: Section) -> list[str]:
    """A section of columns as lines, its header first where it needs one."""
    return _columns(section)


def _section_lines(section: Section) -> list[str]:
    if section.layout == "columns":
        return _columns(section)
    mark = "- " if section.layout == "items" and len(section.lines) > 1 else ""
    return [f"{mark}{_line(line)}" for line in section.lines]


def _columns(section: Section) -> list[str]:
    # The values of symbols explain themselves; only a table of results needs its header.
    rows = [[_line(cell) for cell in row] for row in section.rows]
    if section.title.endswith("Table"):
        rows.insert(0, [_line(cell) for cell in section.header])
    count = max((len(row) for row in rows), default=0)
    widths = [min(_WIDEST_COLUMN, max(_width(row[index]) for row in rows)) for index in range(count)]
    return ["   ".join(_padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _width(text: str) -> int:
    """Cells of a terminal: accents that stand on a letter take none."""
    return sum(1 for character in text if not unicodedata.combining(character))


def _padded(text: str, width: int) -> str:
    return text + " " * max(0, width - _width(text))


def _line(line: Line) -> str:
    return "".join(_inline(part) for part in line).strip()


def _inline(part: Inline) -> str:
    match part:
        case Words(text):
            blank_before, blank_after = _blanks(text)
            return f"{blank_before}{clean(text, longest=_LONGEST)}{blank_after}"
        case Math(plain, _):
            return clean(plain, longest=_LONGEST)
        case Command(text):
            return clean(text, longest=_LONGEST)
    assert_never(part)


def _blanks(text: str) -> tuple[str, str]:
    """Blanks around a part separate it from its neighbours; cleaning takes them off."""
    if not text.strip():
        return ("  " if text else ""), ""
    before = len(text) - len(text.lstrip(" "))
    after = len(text) - len(text.rstrip(" "))
    return " " * min(before, 2), " " * min(after, 2)


# An outcome in a few lines: the sentence, each formula with its place, the values. The whole card is elsewhere.

_MOST_NEAREST = 1


def brief_lines(outcome: Outcome) -> tuple[tuple[LineStyle, str], ...]:
    """The lines for a terminal, each with what it is. Every line is harmless."""
    match outcome:
        case Answer():
            return (("headline", _headline(outcome)), *(("body", f"  {line}") for line in _answer_lines(outcome)))
        case Refusal():
            headline = f"No answer: {refusal_sentence(outcome)}."
            return (("headline", headline), *(("body", f"  {line}") for line in _refusal_lines(outcome)))
        case Reply():
            notes = outcome.warnings if outcome.working else ()
            return (("headline", clean(outcome.text)), *(("body", f"  note: {clean(note)}") for note in notes))
    assert_never(outcome)


def _headline(answer: Answer) -> str:
    """A table says it better than a sentence with all its values."""
    if not answer.rows:
        return outcome_sentence(answer)
    name = result_name(answer.steps[-1], answer.question) if answer.steps else ""
    return f"The {name or 'result'} for {len(answer.rows)} values:"


def _answer_lines(answer: Answer) -> Iterator[str]:
    if said := built_in_words(answer):
        yield said
    if answer.rows:
        yield from table_lines(answer_card(answer).sections[0])
    for step in answer.steps:
        yield f"{plain_equation(step.equation)}    {_source(step, answer)}"
        values = [_value(bound) for bound in step.bindings]
        if values and not answer.rows:
            yield f"  with {', '.join(values)}"
        if step.rearranged or len(answer.steps) > 1:
            # The line before the result has the values put in; the one before that is the formula solved.
            yield f"  {clean(' → '.join(step.working_text[1:]))}"
    yield from (f"note: {clean(warning)}" for warning in answer.warnings)


def _source(step: Step, answer: Answer) -> str:
    cited = next((each.span for each in answer.citations if each.formula == step.formula.id), None)
    span = cited if cited is not None else step.formula.spans[0] if step.formula.spans else None
    place = (
        "" if span is None else f" ({clean(document_name(span.document, answer.citations))}, {clean(span_place(span))})"
    )
    return f"{clean(step.formula.label) or step.formula.id}{place}"


def _value(bound: Bound) -> str:
    symbol = plain_symbol(bound.symbol)
    if bound.quantity is None or bound.provenance.step is not None:
        return f"{symbol} from step {bound.provenance.step}"
    named = (
        f" ({clean(bound.provenance.text)})" if bound.provenance.origin in ("constant", "document", "assumed") else ""
    )
    return f"{symbol} = {stated_quantity_text(bound.quantity, bound.significant_figures)}{named}"


def _refusal_lines(refusal: Refusal) -> Iterator[str]:
    for near in refusal.nearest[:_MOST_NEAREST]:
        yield f"nearest    {clean(near.label)}{f' ({clean(near.document)})' if near.document else ''}"
    settings = [f"--set '{clean(each.symbol)}=NUMBER {clean(each.unit)}'" for each in refusal.missing if each.symbol]
    if settings:
        yield f"ask again  with {' '.join(settings)}"
