"""A card as Markdown, formulas between dollar signs. What strangers wrote is shown as written and does nothing."""

from __future__ import annotations

from typing import assert_never

from mathrag.answer.cards.content import Card, Command, Inline, Line, Math, Section, Words
from mathrag.answer.clean_text import between_its_blanks, markdown_code, markdown_text

_LONGEST = 4_000


def markdown_card(card: Card) -> str:
    """The card as Markdown."""
    parts = [_line(card.headline)]
    for section in card.sections:
        parts.append(f"### {section.title}")
        parts.append(_section(section))
    return "\n\n".join(parts)


def _section(section: Section) -> str:
    match section.layout:
        case "columns":
            return _table(section)
        case "items":
            return "\n".join(f"- {_line(line)}" for line in section.lines)
        case "formulas":
            return "\n\n".join(_display(line) for line in section.lines)
        case "lines":
            return "\n\n".join(_line(line) for line in section.lines)
    assert_never(section.layout)


def _display(line: Line) -> str:
    match line:
        case (Math(_, latex),):
            return f"$${latex}$$"
        case _:
            return _line(line)


def _table(section: Section) -> str:
    rows = [_row(section.header), "|" + " --- |" * len(section.header)]
    return "\n".join([*rows, *(_row(row) for row in section.rows)])


def _without_bars(latex: str) -> str:
    """A bare bar inside a formula would begin a new cell."""
    return latex.replace("\\|", "\\Vert ").replace("|", "\\vert ")


def _row(cells: tuple[Line, ...]) -> str:
    shown = (_line(cell, in_table=True) for cell in cells)
    return f"| {' | '.join(shown)} |"


def _line(line: Line, *, in_table: bool = False) -> str:
    return "".join(_inline(part, in_table=in_table) for part in line).strip()


def _inline(part: Inline, *, in_table: bool) -> str:
    match part:
        case Words(text, is_strong):
            shown = markdown_text(text, longest=_LONGEST)
            return between_its_blanks(text, f"**{shown}**" if is_strong and shown else shown)
        case Math(_, latex):
            return f"${_without_bars(latex) if in_table else latex}$"
        case Command(text):
            code = markdown_code(text, longest=_LONGEST)
            return code.replace("|", "\\|") if in_table else code
    assert_never(part)
