"""Delimiters of one line by their partners: which are printed with \\left and \\right. Knows kinds and heights only."""

from __future__ import annotations

from dataclasses import dataclass, field

from mathrag.documents.pdf.formulas import thresholds as limit
from mathrag.documents.pdf.formulas.items import Item, Node

_NO_OPERAND = frozenset(("operator", "relation", "open", "phantom", "function", "big", "punctuation"))


@dataclass(frozen=True, slots=True)
class _Open:
    position: int
    item: Item


@dataclass(slots=True)
class Fences:
    """What delimiters are printed as, by position, and before which positions an invisible one opens."""

    names: dict[int, str] = field(default_factory=dict)
    opened: set[int] = field(default_factory=set)


def pair_fences(nodes: list[Node], size: float) -> Fences:
    """Stretched delimiters with a partner get \\left and \\right; a bar that evaluates closes what stands before it."""
    fences = Fences()
    stack: list[_Open] = []
    partners: dict[int, int] = {}
    for position, node in enumerate(nodes):
        item = node.item
        if item.kind == "open" or (item.kind == "bar" and not _closes(nodes, position, stack)):
            stack.append(_Open(position, item))
        elif item.kind in ("close", "bar"):
            opening = _partner(item, stack)
            if opening is None and item.text == "⟩" and stack:
                # A ket: the bar before it is no other bar's partner.
                stack.pop()
            if opening is None:
                _alone(position, item, fences, size)
                continue
            partners[position] = opening.position
            _pair(opening, position, item, fences, size)
    for waiting in stack:
        _unpaired(nodes, waiting, partners, fences, size)
    return fences


def _closes(nodes: list[Node], position: int, stack: list[_Open]) -> bool:
    """A bar closes if one is open and an operand stands before it."""
    if position == 0:
        return False
    text = nodes[position].item.text
    for waiting in reversed(stack):
        if waiting.item.kind == "open":
            return False
        if waiting.item.text == text:
            return nodes[position - 1].item.kind not in _NO_OPERAND
    return False


def _partner(item: Item, stack: list[_Open]) -> _Open | None:
    """The delimiter that this one closes; it and all that waited inside it leave the stack."""
    for number in range(len(stack) - 1, -1, -1):
        waiting = stack[number].item
        fits = waiting.text == item.text if item.kind == "bar" else waiting.kind == "open"
        if fits:
            found = stack[number]
            del stack[number:]
            return found
    return None


def _pair(opening: _Open, position: int, item: Item, fences: Fences, size: float) -> None:
    if max(opening.item.height, item.height) > limit.STRETCHED_DELIMITER * size or item.kind == "bar":
        fences.names[opening.position] = f"\\left{opening.item.latex}"
        fences.names[position] = f"\\right{item.latex}"


def _alone(position: int, item: Item, fences: Fences, size: float) -> None:
    if item.height > limit.STRETCHED_DELIMITER * size:
        fences.names[position] = f"\\big{item.latex}"


def _unpaired(nodes: list[Node], waiting: _Open, partners: dict[int, int], fences: Fences, size: float) -> None:
    """An open delimiter without a partner; a tall bar with scripts after an operand evaluates that operand."""
    position, item = waiting.position, waiting.item
    node = nodes[position]
    if item.height <= limit.STRETCHED_DELIMITER * size:
        if item.kind == "bar" and _is_relation(nodes, position):
            fences.names[position] = "\\mid" if item.latex == "|" else "\\parallel"
        return
    evaluates = item.kind == "bar" and bool(node.below or node.above) and position > 0
    if not evaluates or nodes[position - 1].item.kind in _NO_OPERAND:
        _alone(position, item, fences, size)
        return
    fences.opened.add(partners.get(position - 1, position - 1))
    fences.names[position] = f"\\right{item.latex}"


def _is_relation(nodes: list[Node], position: int) -> bool:
    """A bar with a blank on either side, between operands."""
    if not 0 < position < len(nodes) - 1 or nodes[position].above or nodes[position].below:
        return False
    item, before, after = nodes[position].item, nodes[position - 1].item, nodes[position + 1].item
    blank = limit.WORD_GAP * item.size
    return before.kind not in _NO_OPERAND and item.left - before.right > blank and after.left - item.right > blank
