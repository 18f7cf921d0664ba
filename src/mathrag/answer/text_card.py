"""A card as lines of plain text for a terminal. Every line is harmless: no control character comes through."""

from __future__ import annotations

import unicodedata
from typing import Literal, TypeAlias, assert_never

from mathrag.answer.card import Card, Command, Inline, Line, Math, Section, Words
from mathrag.answer.clean_text import clean

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
