"""A walk through a page that tells, in reading order, what is text, what is a formula and where blocks begin and end.

Decides nothing about blocks: readers of blocks and of cells listen to the same walk. Never recurses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from mathrag.documents.html.appearance import (
    PLAIN,
    Style,
    is_block,
    is_dropped,
    is_hidden,
    is_navigation,
    shown_text,
    style_inside,
)
from mathrag.documents.html.formulas import formula_at, is_tagged_formula
from mathrag.documents.html.nodes import Node
from mathrag.types.document import Break, Math


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one style. `formula` is the element that says they belong to one formula, where one does."""

    text: str
    style: Style
    node: Node
    formula: Node | None = None


Atom: TypeAlias = Run | Math | Break


@dataclass(frozen=True, slots=True)
class Opened:
    """A block begins."""

    node: Node


@dataclass(frozen=True, slots=True)
class Closed:
    """A block ends."""

    node: Node


@dataclass(frozen=True, slots=True)
class Whole:
    """An element that the listener reads by itself."""

    node: Node


Event: TypeAlias = Run | Math | Break | Opened | Closed | Whole


@dataclass(slots=True)
class LeftOut:
    """How many elements of which kind were not read, and where the first one stood."""

    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, Node] = field(default_factory=dict)

    def add(self, kind: str, node: Node) -> None:
        self.counts[kind] += 1
        self.first.setdefault(kind, node)


def walk(root: Node, *, is_whole: Callable[[Node], bool], left_out: LeftOut, style: Style = PLAIN) -> Iterator[Event]:
    """The events inside an element, itself not included."""
    pending: list[tuple[Node | str | Closed, Node, Style, Node | None]]
    pending = [(child, root, style, None) for child in reversed(root.children)]
    while pending:
        item, parent, outer, formula = pending.pop()
        if isinstance(item, str):
            yield Run(shown_text(item, outer), outer, parent, formula)
            continue
        if isinstance(item, Closed):
            yield item
            continue
        found = formula_at(item)
        if isinstance(found, Math):
            is_sign = found.notation == "mathml" and not any(character.isalnum() for character in found.quote)
            yield Run(found.quote, outer, item, formula) if outer.scripts or is_sign else found
            continue
        if found == "drop" or _is_left_out(item, left_out):
            continue
        if item.name == "br":
            yield Break()
        elif item.name == "wbr":
            continue
        elif is_whole(item):
            yield Whole(item)
        else:
            inner = style_inside(item, outer)
            if is_block(item):
                yield Opened(item)
                inner = replace(inner, scripts=()) if inner.scripts else inner
                pending.append((Closed(item), item, inner, None))
            inside = item if formula is None and is_tagged_formula(item) else formula
            if item.name == "q":
                pending.append(("”", item, inner, inside))
            pending.extend((child, item, inner, inside) for child in reversed(item.children))
            if item.name == "q":
                pending.append(("“", item, inner, inside))
            elif item.has_class("classifier"):
                # Sphinx leaves the colon between a name and its type to the style sheet.
                pending.append((" : ", item, outer, inside))


def _is_left_out(node: Node, left_out: LeftOut) -> bool:
    if is_navigation(node):
        left_out.add("navigation", node)
        return True
    if is_dropped(node):
        return True
    if is_hidden(node):
        left_out.add("hidden", node)
        return True
    return False
