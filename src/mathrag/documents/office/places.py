"""Blocks made anew: places without lines where a format has none, formulas in another notation. Reads nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from mathrag.types.document import (
    Block,
    Cell,
    Content,
    Display,
    Heading,
    Image,
    ListItem,
    Math,
    Paragraph,
    Place,
    Table,
)


def _same(math: Math) -> Math:
    return math


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What becomes of every place and every formula of a block."""

    place: Callable[[Place], Place]
    formula: Callable[[Math], Math] = _same

    def blocks(self, blocks: Iterable[Block]) -> list[Block]:
        """The blocks rewritten."""
        return [self._block(block) for block in blocks]

    def _block(self, block: Block) -> Block:
        place = self.place(block.place)
        match block:
            case Heading() | Paragraph():
                return replace(block, place=place, content=self._content(block.content))
            case ListItem():
                content, term = self._content(block.content), self._content(block.term)
                return replace(block, place=place, content=content, term=term)
            case Table():
                header, rows = (tuple(self._row(row) for row in part) for part in (block.header, block.rows))
                return replace(block, place=place, header=header, rows=rows, caption=self._content(block.caption))
            case Display():
                return replace(block, place=place, math=self._math(block.math))
            case Image():
                return replace(block, place=place, caption=self._content(block.caption))
            case _:
                return replace(block, place=place)

    def _row(self, row: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple(replace(cell, place=self.place(cell.place), content=self._content(cell.content)) for cell in row)

    def _content(self, content: Content) -> Content:
        return tuple(self._math(piece) if isinstance(piece, Math) else piece for piece in content)

    def _math(self, math: Math) -> Math:
        return self.formula(replace(math, place=self.place(math.place)))


def without_lines(place: Place) -> Place:
    """A place that names the element alone."""
    return replace(place, line=None, end_line=None)
