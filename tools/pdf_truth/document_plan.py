"""A measuring document before it is typeset: headings, sentences, displays, tables, lists, and the truth about it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

from pdf_truth.formula_lists import (
    Formula,
    display_formulas,
    golden_formulas,
    half_of,
    inline_formulas,
    order_of,
    prose,
    symbols,
)

Where: TypeAlias = Literal["display", "inline", "symbol", "table"]
Style: TypeAlias = Literal["plain", "italic", "bold"]
Item = TypeVar("Item")
TableStyle: TypeAlias = Literal["ruled", "booktabs", "long"]


@dataclass(frozen=True, slots=True)
class Words:
    """Words of one style."""

    text: str
    style: Style = "plain"


@dataclass(frozen=True, slots=True)
class Inline:
    """A formula among words."""

    formula: Formula
    where: Where = "inline"


Sentence: TypeAlias = tuple[Words | Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    level: int


@dataclass(frozen=True, slots=True)
class Prose:
    content: Sentence


@dataclass(frozen=True, slots=True)
class DisplayPiece:
    formula: Formula
    numbered: bool
    mark: str = ""


@dataclass(frozen=True, slots=True)
class TablePiece:
    style: TableStyle
    header: tuple[str, ...]
    rows: tuple[tuple[Sentence, ...], ...]


@dataclass(frozen=True, slots=True)
class ListPiece:
    items: tuple[Sentence, ...]
    numbered: bool


Piece: TypeAlias = Heading | Prose | DisplayPiece | TablePiece | ListPiece


@dataclass(frozen=True, slots=True)
class Extent:
    """How much a document holds and how wide its column is, in rough formula tokens."""

    displays: int = 90
    widest: int = 60
    widest_cell: int = 26
    table_rows: int = 24
    only: str = ""


def make_plan(seed: str, extent: Extent) -> tuple[Piece, ...]:
    """A document, the same for the same seed."""
    return tuple(_Planner(seed, extent).pieces())


class _Planner:
    def __init__(self, seed: str, extent: Extent) -> None:
        self.chance = random.Random(seed)
        self.extent = extent
        self.prose = prose()
        self.displays = [each for each in self._shuffled(display_formulas(), seed) if self._fits(each)]
        self.displays = self._own_first(self.displays)[: extent.displays]
        self.chance.shuffle(self.displays)
        self.inlines = self._endless(self._shuffled(inline_formulas(), seed))
        self.cells = self._endless(
            [each for each in self._shuffled(golden_formulas(), seed + "cells") if each.tokens <= extent.widest_cell]
        )
        self.symbols = self._endless(list(symbols()))

    def _own_first(self, formulas: list[Formula]) -> list[Formula]:
        """Two thirds of the places for the lists written for print, the rest for the golden ones."""
        own = [each for each in formulas if not each.id.startswith("golden/")]
        golden = [each for each in formulas if each.id.startswith("golden/")]
        keep = min(len(own), self.extent.displays * 2 // 3)
        return own[:keep] + golden

    def _fits(self, formula: Formula) -> bool:
        widest = max((len(row) for row in formula.source.split(r"\\")), default=0) if formula.environment else 0
        return formula.tokens <= self.extent.widest and widest <= self.extent.widest * 2.2

    @staticmethod
    def _shuffled(formulas: tuple[Formula, ...], seed: str) -> list[Formula]:
        return sorted(formulas, key=lambda each: order_of(each.id, seed))

    def _endless(self, items: list[Item]) -> Iterator[Item]:
        while True:
            yield from items
            self.chance.shuffle(items)

    def pieces(self) -> Iterator[Piece]:
        tables: list[TableStyle] = ["ruled", "booktabs", "long"]
        for index, formula in enumerate(self.displays):
            if index % 15 == 0:
                yield Heading(self.chance.choice(self.prose["headings"]), 1)
                yield Prose((*self._plain(), *self._with_formula()))
            elif index % 5 == 0:
                yield Heading(self.chance.choice(self.prose["headings"]), 2)
            yield Prose((*self._plain(), *self._lead()))
            numbered = self.chance.random() < 0.5
            yield DisplayPiece(formula, numbered, "" if numbered else self.chance.choice(("", "", ".", ",")))
            if self.chance.random() < 0.6:
                yield Prose(self._where())
            if self.chance.random() < 0.4:
                yield Prose((*self._with_formula(), *self._plain()))
            if index % 30 == 12:
                yield self._list()
            if index % 30 == 22 and tables:
                yield from self._table(tables.pop(0))
        for style in tables:
            yield from self._table(style)

    def _plain(self) -> Sentence:
        if self.chance.random() < 0.25:
            styles: dict[str, Style] = {"*": "italic", "!": "bold"}
            parts = self.chance.choice(self.prose["emphasised"])
            words = [Words(part[1:], styles[part[0]]) if part[0] in styles else Words(part) for part in parts]
            return (*words, Words(" "))
        return (Words(self.chance.choice(self.prose["plain"]) + " "),)

    def _with_formula(self) -> Sentence:
        parts = self.chance.choice(self.prose["with_formula"]).split("{}")
        found: list[Words | Inline] = [Words(parts[0])]
        for part in parts[1:]:
            found += [Inline(next(self.inlines)), Words(part)]
        return (*found, Words(" "))

    def _lead(self) -> Sentence:
        text = self.chance.choice(self.prose["before_display"]).format(name=self.chance.choice(self.prose["names"]))
        return (Words(text[0].upper() + text[1:]),)

    def _symbol(self) -> tuple[Inline, str]:
        latex, words, unit = next(self.symbols)
        return Inline(Formula(f"symbol/{latex}", latex, (latex,)), "symbol"), words + (f" in {unit}" if unit else "")

    def _where(self) -> Sentence:
        found: list[Words | Inline] = [Words("where ")]
        count = self.chance.randint(2, 3)
        for index in range(count):
            symbol, words = self._symbol()
            joint = "." if index == count - 1 else " and " if index == count - 2 else ", "
            found += [symbol, Words(" is " + words + joint)]
        return tuple(found)

    def _list(self) -> ListPiece:
        items: list[Sentence] = []
        for _ in range(4):
            symbol, words = self._symbol()
            items.append((symbol, Words(f": {words}")))
        items += [self._with_formula(), self._plain()]
        return ListPiece(tuple(items), self.chance.random() < 0.5)

    def _table(self, style: TableStyle) -> Iterator[Piece]:
        yield Prose((Words("The following table collects the relations of this section."),))
        rows: list[tuple[Sentence, ...]] = []
        for _ in range(self.extent.table_rows if style == "long" else max(4, self.extent.table_rows // 4)):
            name = self.chance.choice(self.prose["names"]).removeprefix("the ")
            cell = Inline(next(self.cells), "table")
            rows.append(((Words(name[0].upper() + name[1:]),), (cell,), (Words(next(self.symbols)[2] or "none"),)))
        yield TablePiece(style, ("Quantity", "Relation", "Unit"), tuple(rows))


def truth_of(plan: tuple[Piece, ...]) -> list[dict[str, object]]:
    """Every formula of a document in reading order, as plain data."""
    found: list[dict[str, object]] = []
    for piece in plan:
        match piece:
            case DisplayPiece():
                found += _records(piece.formula, "display")
            case Prose():
                found += _sentence_records(piece.content)
            case ListPiece():
                for item in piece.items:
                    found += _sentence_records(item)
            case TablePiece():
                for row in piece.rows:
                    for cell in row:
                        found += _sentence_records(cell)
            case Heading():
                pass
    return found


def _sentence_records(sentence: Sentence) -> Iterator[dict[str, object]]:
    for part in sentence:
        if isinstance(part, Inline):
            yield from _records(part.formula, part.where)


def _records(formula: Formula, where: Where) -> Iterator[dict[str, object]]:
    for statement in formula.statements:
        yield {
            "id": formula.id,
            "where": where,
            "half": half_of(formula.id),
            "latex": statement,
            "shape": formula.environment,
        }
