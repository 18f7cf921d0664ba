"""What the formula reader works with: printed pieces that grow from single glyphs to whole fractions.

Values only. Every item knows how many marks of the page it stands for (`ink`), so that nothing is lost or used twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from mathrag.documents.pdf.boxes import union
from mathrag.documents.pdf.page_content import Box, Style

Kind: TypeAlias = Literal[
    "letter",  # one letter or a sign that stands like one
    "digit",
    "word",  # upright letters side by side
    "function",  # a word that is the name of a function
    "operator",
    "relation",
    "punctuation",
    "open",
    "close",
    "bar",
    "big",  # sums, integrals
    "prime",
    "raised",  # a character that is a superscript by itself
    "lowered",
    "accent",
    "overlay",
    "root",  # the sign alone
    "brace",  # a lying brace over or under others
    "fraction",
    "block",  # anything built that stands on the baseline of its own content
    "grid",
    "unknown",
    "phantom",
]


@dataclass(frozen=True, slots=True)
class Item:
    """One piece: what it is, where it stands, and its LaTeX.

    `left` and `right` are where the pen was before and after. A centred item (a fraction, a tall delimiter, a big
    sign) stands on the axis: its `baseline` holds the height of its middle, and its size may say nothing.
    """

    kind: Kind
    latex: str
    text: str
    box: Box
    left: float
    right: float
    baseline: float
    size: float
    ink: int = 1
    depth: int = 0
    style: Style = "upright"
    is_bold: bool = False
    is_math_font: bool = False
    is_centred: bool = False
    is_size_known: bool = True
    # A fraction or a root: what is inside it may be smaller than the line it stands on.
    font: str = ""

    @property
    def top(self) -> float:
        return self.box[1]

    @property
    def bottom(self) -> float:
        return self.box[3]

    @property
    def middle(self) -> float:
        return (self.box[0] + self.box[2]) / 2

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    def with_(self, **changes: object) -> Item:
        """The same item with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]


# Reads items of one place into one item that stands on its own baseline.
Compose: TypeAlias = Callable[[list[Item]], Item]


@dataclass(slots=True)
class Node:
    """An item of a line with its scripts, each a line of its own."""

    item: Item
    below: list[Node] = field(default_factory=list)
    above: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Ledger:
    """What was uncertain while one region was read: plain words, each with how much trust it costs."""

    doubts: dict[str, float] = field(default_factory=dict)
    unknown: int = 0
    # Marks that were understood and left out: the frame around a formula.
    ink: int = 0

    def doubt(self, words: str, cost: float = 0.3) -> None:
        """Note an uncertainty; the same words cost their highest price once."""
        self.doubts[words] = max(cost, self.doubts.get(words, 0.0))

    @property
    def confidence(self) -> float:
        value = 1.0
        for cost in self.doubts.values():
            value *= 1.0 - cost
        return round(max(0.0, value), 3)


def merged(ledgers: list[Ledger]) -> Ledger:
    """What several ledgers hold, in a new one."""
    together = Ledger()
    for ledger in ledgers:
        together.unknown += ledger.unknown
        together.ink += ledger.ink
        for words, cost in ledger.doubts.items():
            together.doubt(words, cost)
    return together


def box_of(items: list[Item]) -> Box:
    """The box around items."""
    return union([item.box for item in items])


def ink_of(items: list[Item]) -> int:
    """How many marks of the page the items stand for."""
    return sum(item.ink for item in items)
