"""A block as text, in pieces that know whether they may be cut and how well. Decides no cuts."""

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
_LONGEST_LABEL = 60
_WORD = re.compile(r"\S+\s*|\s+")
_SENTENCE_END = re.compile(r"[.!?。！？]['\"”’)\]]{0,3}\s+$|\n\s*$")


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text of a block. A whole piece (a formula, a marker) is never cut; program text is cut between lines."""

    text: str
    cut: int = INSIDE_WORD
    is_whole: bool = False
    is_code: bool = False


def pieces_of(block: Block) -> Iterator[Piece]:
    """The text of a block that is no table, piece by piece."""
    match block:
        case Heading() | Paragraph():
            yield from content_pieces(block.content)
        case ListItem():
            indent = "  " * min(max(block.depth - 1, 0), _DEEPEST_INDENT)
            yield Piece(f"{indent}{block.marker[:_LONGEST_LABEL] or '-'} ", is_whole=True)
            if block.term:
                yield from content_pieces(block.term)
                yield Piece(": ", AFTER_WORD, is_whole=True)
            yield from content_pieces(block.content)
        case Display():
            yield Piece(block.math.quote, is_whole=True)
        case Image():
            yield Piece(block.alternative)
            if block.alternative and block.caption:
                yield Piece("\n", AFTER_SENTENCE, is_whole=True)
            yield from content_pieces(block.caption)
        case Code():
            yield Piece(block.text, is_code=True)
        case Reference():
            if block.key:
                yield Piece(f"[{block.key[:_LONGEST_LABEL]}] ", is_whole=True)
            yield Piece(block.text)
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
        yield _inline(piece)


def _inline(piece: Inline) -> Piece:
    match piece:
        case Text():
            return Piece(piece.text)
        case Math():
            return Piece(piece.quote, is_whole=True)
        case Break():
            return Piece("\n", AFTER_SENTENCE, is_whole=True)


def words_of(piece: Piece) -> Iterator[Piece]:
    """A piece taken apart as far as it may be: into words, or into lines where it is program text."""
    if piece.is_whole:
        yield piece
        return
    if piece.is_code:
        for line in piece.text.splitlines(keepends=True):
            yield Piece(line, AFTER_SENTENCE)
        return
    for match in _WORD.finditer(piece.text):
        word = match.group()
        if _SENTENCE_END.search(word):
            yield Piece(word, AFTER_SENTENCE)
        else:
            yield Piece(word, AFTER_WORD if word[-1].isspace() else INSIDE_WORD)
