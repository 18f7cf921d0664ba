"""A card as a fragment of HTML, formulas as MathML. No script, no style, no address: text of strangers stays text."""

from __future__ import annotations

from html import escape
from typing import assert_never

from mathrag.answer.cards.content import Card, Command, Inline, Line, Math, Section, Words
from mathrag.answer.clean_text import between_its_blanks, clean
from mathrag.compute.printers.notation_mathml import latex_mathml

_LONGEST = 4_000


def html_card(card: Card) -> str:
    """The card as an `article` whose classes say what each part is."""
    sections = "".join(_section(section) for section in card.sections)
    headline = f'<p class="headline">{_line(card.headline)}</p>'
    return f'<article class="mathrag-card mathrag-{card.kind}">\n{headline}\n{sections}</article>'


def _section(section: Section) -> str:
    return f"<section><h3>{escape(section.title)}</h3>\n{_body(section)}\n</section>\n"


def _body(section: Section) -> str:
    match section.layout:
        case "columns":
            return _table(section)
        case "items":
            return f"<ul>{''.join(f'<li>{_line(line)}</li>' for line in section.lines)}</ul>"
        case "formulas":
            return "".join(f'<div class="formula">{_line(line, is_display=True)}</div>' for line in section.lines)
        case "lines":
            return "".join(f"<p>{_line(line)}</p>" for line in section.lines)
    assert_never(section.layout)


def _table(section: Section) -> str:
    head = "".join(f'<th scope="col">{_line(cell)}</th>' for cell in section.header)
    rows = "".join(f"<tr>{''.join(f'<td>{_line(cell)}</td>' for cell in row)}</tr>" for row in section.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _line(line: Line, *, is_display: bool = False) -> str:
    return "".join(_inline(part, is_display=is_display and len(line) == 1) for part in line)


def _inline(part: Inline, *, is_display: bool) -> str:
    match part:
        case Words(text, is_strong):
            shown = escape(_kept(text))
            return f"<strong>{shown}</strong>" if is_strong else shown
        case Math(plain, latex):
            return latex_mathml(latex, is_display=is_display) or f"<code>{escape(_kept(plain))}</code>"
        case Command(text):
            return f"<code>{escape(_kept(text))}</code>"
    assert_never(part)


def _kept(text: str) -> str:
    return between_its_blanks(text, clean(text, longest=_LONGEST))
