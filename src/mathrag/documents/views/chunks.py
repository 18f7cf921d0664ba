"""Cut a document into chunks: by section first, then between blocks, then at sentences; never in a formula or a row."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from mathrag.documents.views.records import ChunkView, SectionView, section_of
from mathrag.types.document import (
    Block,
    Break,
    Cell,
    Code,
    Content,
    Display,
    Document,
    Heading,
    Image,
    Inline,
    ListItem,
    Math,
    Paragraph,
    Place,
    Reference,
    Table,
    Text,
    plain_text,
)

# A block as text, in pieces that know whether they may be cut and how well. Decides no cuts.

# How good it is to cut after a piece.
INSIDE_WORD, AFTER_WORD, AFTER_SENTENCE = 0, 1, 2
_DEEPEST_INDENT = 10
_LONGEST_LABEL = 60
_WORD = re.compile(r"\S+\s*|\s+")
_SENTENCE_END = re.compile(r"[.!?。！？]['\"”’)\]]{0,3}\s+$|\n\s*$")


@dataclass(frozen=True, slots=True)
class ChunkPiece:
    """Some text of a block. A whole piece (a formula, a marker) is never cut; program text is cut between lines."""

    text: str
    cut: int = INSIDE_WORD
    is_whole: bool = False
    is_code: bool = False


def pieces_of(block: Block) -> Iterator[ChunkPiece]:
    """The text of a block that is no table, piece by piece."""
    match block:
        case Heading() | Paragraph():
            yield from content_pieces(block.content)
        case ListItem():
            indent = "  " * min(max(block.depth - 1, 0), _DEEPEST_INDENT)
            yield ChunkPiece(f"{indent}{block.marker[:_LONGEST_LABEL] or '-'} ", is_whole=True)
            if block.term:
                yield from content_pieces(block.term)
                yield ChunkPiece(": ", AFTER_WORD, is_whole=True)
            yield from content_pieces(block.content)
        case Display():
            yield ChunkPiece(block.math.quote, is_whole=True)
        case Image():
            yield ChunkPiece(block.alternative)
            if block.alternative and block.caption:
                yield ChunkPiece("\n", AFTER_SENTENCE, is_whole=True)
            yield from content_pieces(block.caption)
        case Code():
            yield ChunkPiece(block.text, is_code=True)
        case Reference():
            if block.key:
                yield ChunkPiece(f"[{block.key[:_LONGEST_LABEL]}] ", is_whole=True)
            yield ChunkPiece(block.text)
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


def content_pieces(content: Content) -> Iterator[ChunkPiece]:
    """Words and formulas, piece by piece."""
    for piece in content:
        yield _inline(piece)


def _inline(piece: Inline) -> ChunkPiece:
    match piece:
        case Text():
            return ChunkPiece(piece.text)
        case Math():
            return ChunkPiece(piece.quote, is_whole=True)
        case Break():
            return ChunkPiece("\n", AFTER_SENTENCE, is_whole=True)


def words_of(piece: ChunkPiece) -> Iterator[ChunkPiece]:
    """A piece taken apart as far as it may be: into words, or into lines where it is program text."""
    if piece.is_whole:
        yield piece
        return
    if piece.is_code:
        for line in piece.text.splitlines(keepends=True):
            yield ChunkPiece(line, AFTER_SENTENCE)
        return
    for match in _WORD.finditer(piece.text):
        word = match.group()
        if _SENTENCE_END.search(word):
            yield ChunkPiece(word, AFTER_SENTENCE)
        else:
            yield ChunkPiece(word, AFTER_WORD if word[-1].isspace() else INSIDE_WORD)


CHUNK_CHARACTERS = 3_000
BETWEEN_BLOCKS = "\n\n"


@dataclass(frozen=True, slots=True)
class _Part:
    """Text of one block, all of it or what fits into one chunk."""

    text: str
    repeated: int = 0
    is_oversized: bool = False


@dataclass(slots=True)
class _Growing:
    """The chunk that is being filled."""

    parts: list[_Part] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    length: int = 0
    has_body: bool = False

    def room(self, characters: int) -> int:
        """How much more fits."""
        return characters - self.length - (len(BETWEEN_BLOCKS) if self.parts else 0)

    def add(self, part: _Part, block: int, *, is_body: bool) -> None:
        self.length += len(part.text) + (len(BETWEEN_BLOCKS) if self.parts else 0)
        self.parts.append(part)
        self.blocks.append(block)
        self.has_body = self.has_body or is_body


def make_chunks(
    document: Document, sections: tuple[SectionView, ...], *, characters: int = CHUNK_CHARACTERS
) -> tuple[ChunkView, ...]:
    """Every chunk in reading order. Together they hold all text once, apart from repeated table headers.

    Headings directly above each other open one chunk together with what follows them.
    """
    finished: list[_Growing] = []
    growing = _Growing()
    for number, block in enumerate(document.blocks):
        is_body = not isinstance(block, Heading)
        if isinstance(block, Heading) and _ends_with(growing, document, block):
            finished.append(growing)
            growing = _Growing()
        room = growing.room(characters)
        parts = _parts(block, room if not growing.has_body else None, characters)
        for part in parts:
            if not part.text.strip():
                continue
            stands_apart = part.is_oversized or part.repeated > 0
            if growing.parts and (stands_apart or len(part.text) > growing.room(characters)):
                finished.append(growing)
                growing = _Growing()
            growing.add(part, number, is_body=is_body)
            if part.is_oversized:
                finished.append(growing)
                growing = _Growing()
    if growing.parts:
        finished.append(growing)
    return tuple(_chunk(ordinal, chunk, document, sections) for ordinal, chunk in enumerate(finished))


def _ends_with(growing: _Growing, document: Document, heading: Heading) -> bool:
    """Whether a chunk must end where a heading begins: after text, and after a section that has none."""
    if growing.has_body or not growing.blocks:
        return growing.has_body
    above = document.blocks[growing.blocks[-1]]
    return isinstance(above, Heading) and above.level >= heading.level


def _chunk(ordinal: int, grown: _Growing, document: Document, sections: tuple[SectionView, ...]) -> ChunkView:
    first, last = grown.blocks[0], grown.blocks[-1]
    section = section_of(sections, last)
    return ChunkView(
        ordinal=ordinal,
        text=BETWEEN_BLOCKS.join(part.text for part in grown.parts),
        heading_path=section.path if section is not None else (),
        first_block=first,
        last_block=last,
        place=_joined_place(document.blocks[first].place, document.blocks[last].place),
        section=section.ordinal if section is not None else None,
        repeated_characters=grown.parts[0].repeated,
        is_oversized=any(part.is_oversized for part in grown.parts),
    )


def _joined_place(first: Place, last: Place) -> Place:
    """From the first place to the end of the last, where both are lines of one file."""
    end = last.end_line if last.end_line is not None else last.line
    if first.line is None or end is None or first.file != last.file or end < first.line:
        return first
    return Place(first.line, end, first.page, first.box if first is last else None, first.path, first.file)


def _parts(block: Block, room: int | None, characters: int) -> Iterator[_Part]:
    """The text of a block in parts that fit. `room` is what is left under the headings that stand alone so far; None
    when the block may as well begin a chunk of its own."""
    if isinstance(block, Table):
        yield from _table_parts(block, room, characters)
        return
    pieces = [piece for piece in pieces_of(block) if piece.text]
    length = sum(len(piece.text) for piece in pieces)
    if not any(piece.text.strip() for piece in pieces):
        return
    if length <= characters:
        is_kept_together = room is None or length <= room or length <= characters // 2
        if is_kept_together:
            yield _Part("".join(piece.text for piece in pieces))
            return
    yield from _cut(pieces, room if room is not None and room >= characters // 4 else characters, characters)


def _cut(pieces: Sequence[ChunkPiece], room: int, characters: int) -> Iterator[_Part]:
    """Greedy: as much as fits, cut back to the end of a sentence, else of a word, else between pieces."""
    waiting: list[ChunkPiece] = []
    length = 0
    for piece in _divided(pieces, characters):
        if piece.is_whole and len(piece.text) > characters:
            if waiting:
                yield _Part("".join(part.text for part in waiting))
            yield _Part(piece.text, is_oversized=True)
            waiting, length, room = [], 0, characters
            continue
        while waiting and length + len(piece.text) > room:
            kept = _best_cut(waiting, room)
            yield _Part("".join(part.text for part in waiting[:kept]))
            waiting, room = waiting[kept:], characters
            length = sum(len(part.text) for part in waiting)
        waiting.append(piece)
        length += len(piece.text)
    if waiting:
        yield _Part("".join(part.text for part in waiting))


def _best_cut(pieces: Sequence[ChunkPiece], room: int) -> int:
    """After how many pieces to cut. A sentence's end counts only where the part does not become too short for it."""
    ends: list[int] = []
    length = 0
    for piece in pieces:
        length += len(piece.text)
        ends.append(length)
    for quality, least in ((AFTER_SENTENCE, room // 2), (AFTER_WORD, room // 4)):
        for position in range(len(pieces), 0, -1):
            if ends[position - 1] < least:
                break
            if pieces[position - 1].cut >= quality:
                return position
    return len(pieces)


def _divided(pieces: Sequence[ChunkPiece], characters: int) -> Iterator[ChunkPiece]:
    """The pieces as words and formulas, with words that are longer than a chunk taken apart between characters."""
    for piece in chain.from_iterable(map(words_of, pieces)):
        if piece.is_whole or len(piece.text) <= characters:
            yield piece
            continue
        start = 0
        while start < len(piece.text):
            end = min(start + characters, len(piece.text))
            # A letter keeps the accents that follow it, unless someone piled up thousands of them.
            for back in range(end, max(start + characters // 2, end - 50), -1):
                if back == len(piece.text) or not unicodedata.combining(piece.text[back]):
                    end = back
                    break
            yield ChunkPiece(piece.text[start:end], piece.cut if end == len(piece.text) else AFTER_WORD)
            start = end


def _table_parts(table: Table, room: int | None, characters: int) -> Iterator[_Part]:
    """A table whole, or between its rows with the header again on top where that leaves room for a row."""
    caption, header_lines, rows = table_lines(table)
    lines = [line for line in (caption, *header_lines, *rows) if line]
    if not lines:
        return
    whole = "\n".join(lines)
    if len(whole) <= characters and (room is None or len(whole) <= room or len(whole) <= characters // 2):
        yield _Part(whole)
        return
    budget = room if room is not None and room >= characters // 4 else characters
    if len(caption) > characters // 3:
        yield from _cut([piece for piece in content_pieces(table.caption) if piece.text], budget, characters)
        caption, budget = "", characters
    header = "\n".join(line for line in header_lines if line)
    if len(header) > characters // 3:
        yield from _row_parts([line for line in (caption, *header_lines, *rows) if line], "", budget, characters)
        return
    opening = "\n".join(line for line in (caption, header) if line)
    yield from _row_parts([line for line in (opening, *rows) if line], header, budget, characters)


def _row_parts(lines: Sequence[str], header: str, budget: int, characters: int) -> Iterator[_Part]:
    """Lines packed into parts; every part after the first begins with the header."""
    text, repeated = (lines[0] if lines else ""), 0
    if len(text) > characters:
        yield _Part(text, is_oversized=True)
        text = ""
    for line in lines[1:]:
        if len(line) > characters:
            if text:
                yield _Part(text, repeated)
            yield _Part(line, is_oversized=True)
            text, budget = "", characters
            continue
        if text and len(text) + 1 + len(line) > budget:
            yield _Part(text, repeated)
            text, budget = "", characters
        if text:
            text = f"{text}\n{line}"
        else:
            repeated = len(header) + 1 if header and len(header) + 1 + len(line) <= characters else 0
            text = f"{header}\n{line}" if repeated else line
    if text:
        yield _Part(text, repeated)
