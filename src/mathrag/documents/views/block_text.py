"""A block as text in pieces that may not be cut, with how good a place to cut each end is. Decides no cuts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mathrag.types.document import (
    Block,
    Break,
    Cell,
    Code,
    Content,
    Display,
    Heading,
    Image,
    Inline,
    ListItem,
    Math,
    Paragraph,
    Reference,
    Table,
    Text,
    plain_text,
)

# How good it is to cut after a piece.
INSIDE_WORD, AFTER_WORD, AFTER_SENTENCE = 0, 1, 2
_DEEPEST_INDENT = 10
_WORD = re.compile(r"\S+\s*|\s+")
_SENTENCE_END = re.compile(r"[.!?。！？]['\"”’)\]]{0,3}\s+$|\n\s*$")


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text that stays together; plain words may be cut in need, formulas and table rows never."""

    text: str
    cut: int = INSIDE_WORD
    is_whole: bool = False


def pieces_of(block: Block) -> Iterator[Piece]:
    """The text of a block that is no table, piece by piece."""
    match block:
        case Heading() | Paragraph():
            yield from content_pieces(block.content)
        case ListItem():
            indent = "  " * min(max(block.depth - 1, 0), _DEEPEST_INDENT)
            yield Piece(f"{indent}{block.marker or '-'} ")
            if block.term:
                yield from content_pieces(block.term)
                yield Piece(": ", AFTER_WORD)
            yield from content_pieces(block.content)
        case Display():
            yield Piece(block.math.quote, is_whole=True)
        case Image():
            yield from _words(block.alternative)
            if block.alternative and block.caption:
                yield Piece("\n", AFTER_SENTENCE)
            yield from content_pieces(block.caption)
        case Code():
            for line in block.text.splitlines(keepends=True):
                yield Piece(line, AFTER_SENTENCE)
        case Reference():
            if block.key:
                yield Piece(f"[{block.key}] ")
            yield from _words(block.text)
        case Table():
            raise TypeError("a table is cut between its rows, see table_lines")


def table_lines(table: Table) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Caption, header lines and row lines of a table, cells apart by ` | `."""
    return (
        _one_line(plain_text(table.caption)),
        tuple(_row_line(row) for row in table.header),
        tuple(_row_line(row) for row in table.rows),
    )


def block_text(block: Block) -> str:
    """The whole text of a block as chunks show it."""
    if isinstance(block, Table):
        caption, header, rows = table_lines(block)
        return "\n".join(line for line in (caption, *header, *rows) if line)
    return "".join(piece.text for piece in pieces_of(block))


def cell_text(content: Content) -> str:
    """A cell on one line."""
    return _one_line(plain_text(content))


def _row_line(row: tuple[Cell, ...]) -> str:
    return " | ".join(cell_text(cell.content) for cell in row)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def content_pieces(content: Content) -> Iterator[Piece]:
    """Words and formulas, piece by piece."""
    for piece in content:
        yield from _inline(piece)


def _inline(piece: Inline) -> Iterator[Piece]:
    match piece:
        case Text():
            yield from _words(piece.text)
        case Math():
            yield Piece(piece.quote, is_whole=True)
        case Break():
            yield Piece("\n", AFTER_SENTENCE)


def _words(text: str) -> Iterator[Piece]:
    for match in _WORD.finditer(text):
        word = match.group()
        if _SENTENCE_END.search(word):
            yield Piece(word, AFTER_SENTENCE)
        else:
            yield Piece(word, AFTER_WORD if word[-1].isspace() else INSIDE_WORD)
