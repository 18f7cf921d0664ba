"""A display region into its formulas: lines, equation numbers, conditions, several formulas side by side.

Works on nodes that are already read; what a formula means is not its business, only where one ends and the next begins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from mathrag.documents.pdf.boxes import union
from mathrag.documents.pdf.formulas import characters as table
from mathrag.documents.pdf.formulas import thresholds as limit
from mathrag.documents.pdf.formulas.conditions import Piece, read_pieces
from mathrag.documents.pdf.formulas.items import Item, Ledger, Node, box_of, merged
from mathrag.documents.pdf.formulas.lines import Reader
from mathrag.documents.pdf.formulas.plausibility import doubt_brackets, doubt_line
from mathrag.documents.pdf.page_content import Box

_LONGEST_NUMBER = 14


@dataclass(frozen=True, slots=True)
class Part:
    """One formula of a display, or a line of text between formulas (then there is no LaTeX)."""

    latex: str
    box: Box
    ledger: Ledger
    number: str = ""
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """The items of one line and the reader that knows what was uncertain about them."""

    items: list[Item]
    reader: Reader


@dataclass(frozen=True, slots=True)
class _Line:
    nodes: list[Node]
    size: float
    box: Box
    reader: Reader
    number: str


def split_display(rows: list[Row]) -> list[Part]:
    """The formulas of a region in reading order."""
    lines: list[_Line] = []
    orphan = ""
    for row in rows:
        number, rest = _take_number(row.items)
        if not rest:
            if lines and not lines[-1].number:
                lines[-1] = replace(lines[-1], number=number)
            else:
                orphan = number
            continue
        level = row.reader.line(rest)
        lines.append(_Line(level.nodes, level.size, box_of(rest), row.reader, number or orphan))
        orphan = ""
    parts: list[Part] = []
    groups = _joined(lines)
    _doubt_groups(groups)
    for group in groups:
        parts.extend(_parts(group))
    return parts


def _doubt_groups(groups: list[list[_Line]]) -> None:
    """Lines that look like the parts of a fraction whose bar is missing."""
    for group in groups:
        for before, after in pairwise(group):
            # A line set to the right margin after one at the left begins farther away.
            if before.box[2] < after.box[0] < before.box[2] + limit.NUMBER_GAP * before.size:
                after.reader.ledger.doubt("a line that goes on beside the line above", 0.3)
    related = [any(_has_relation(line.nodes) for line in group) for group in groups]
    for number, group in enumerate(groups):
        is_text = all(_is_words(line.nodes) for line in group)
        neighbours = [*groups[max(0, number - 1) : number], *groups[number + 1 : number + 2]]
        if related[number] or is_text or not any(related[max(0, number - 1) : number + 2]):
            continue
        for line in (line for each in (group, *neighbours) for line in each):
            line.reader.ledger.doubt("a line without a relation beside one that has it", 0.15)


def _is_words(nodes: list[Node]) -> bool:
    return any(node.item.kind == "word" and len(node.item.text) > 2 for node in nodes)


def _take_number(row: list[Item]) -> tuple[str, list[Item]]:
    """The equation number at one end of a row, and the rest."""
    order = sorted(row, key=lambda item: item.left)
    for ordered, from_right in ((list(reversed(order)), True), (order, False)):
        taken: list[Item] = []
        for item in ordered:
            taken.append(item)
            text = "".join(each.text for each in (reversed(taken) if from_right else taken))
            if len(text) > _LONGEST_NUMBER:
                break
            if not table.EQUATION_NUMBER.fullmatch(text) or len(text) < 3:
                continue
            rest = ordered[len(taken) :]
            if not rest:
                return (text, []) if any(character.isdigit() for character in text) else ("", row)
            edge = max(each.right for each in rest) if from_right else min(each.left for each in rest)
            inner = min(each.left for each in taken) if from_right else max(each.right for each in taken)
            gap = inner - edge if from_right else edge - inner
            if gap > limit.NUMBER_GAP * item.size:
                return text, rest
            break
    return "", row


def _kind(nodes: list[Node], *, last: bool) -> str:
    visible = [node for node in nodes if node.item.kind != "phantom" or node.above or node.below]
    if last:
        while visible and visible[-1].item.text in (".", ",", ";"):
            visible.pop()
    if not visible:
        return ""
    return visible[-1 if last else 0].item.kind


def _has_relation(nodes: list[Node]) -> bool:
    depth = 0
    for node in nodes:
        kind = node.item.kind
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        elif kind == "relation" and depth <= 0 and node.item.text != ":":
            return True
    return False


def _is_unclosed(nodes: list[Node]) -> bool:
    kinds = [node.item.kind for node in nodes]
    return kinds.count("open") > kinds.count("close")


def _joined(rows: list[_Line]) -> list[list[_Line]]:
    """Lines that continue the line before, with it: those that begin with a relation or an operator, or are cut off."""
    groups: list[list[_Line]] = []
    for row in rows:
        if groups and _continues(groups[-1], row):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _continues(group: list[_Line], row: _Line) -> bool:
    before = group[-1]
    first = _kind(row.nodes, last=False)
    last = _kind(before.nodes, last=True)
    if first == "relation":
        return True
    if last in ("operator", "relation", "open"):
        return True
    if first == "operator":
        return not _has_relation(row.nodes) or (_is_unclosed(before.nodes) and bool(before.nodes))
    return _is_unclosed(before.nodes) and not _has_relation(row.nodes)


def _parts(group: list[_Line]) -> list[Part]:
    number = next((line.number for line in reversed(group) if line.number), "")
    box = union([line.box for line in group])
    pieces: list[Piece] = []
    for line in group:
        doubt_line(line.nodes, size=line.size, ledger=line.reader.ledger)
        found = read_pieces(line.nodes, reader=line.reader, size=line.size)
        if pieces and found and found[0].latex and pieces[-1].latex:
            pieces[-1] = _bridge(pieces[-1], found[0])
            found = found[1:]
        pieces.extend(found)
    ledger = merged([line.reader.ledger for line in group])
    parts: list[Part] = []
    for piece in pieces:
        condition, place = piece.condition, piece.box if len(pieces) > 1 else box
        if piece.latex and parts and not parts[-1].latex:
            # A word before the formula ("where") is reported with it.
            before = parts.pop()
            condition, place = condition or before.condition, union([before.box, place])
        parts.append(Part(piece.latex, place, _checked(piece.latex, ledger), condition=condition))
    if parts and number:
        numbered = -1 if len(group) == 1 else 0
        parts[numbered] = replace(parts[numbered], number=number)
    return parts


def _checked(latex: str, ledger: Ledger) -> Ledger:
    """What is uncertain about one formula of a line: that of the line, and its own brackets."""
    checked = merged([ledger])
    doubt_brackets(latex, checked)
    return checked


def _bridge(before: Piece, after: Piece) -> Piece:
    """Two rows of one formula; a sign repeated at the break is printed once."""
    left, right = before.latex.rstrip(), after.latex.lstrip()
    for sign in ("=", "+", "\\times", "\\cdot"):
        if left.endswith(sign) and right.startswith(sign):
            right = right[len(sign) :].lstrip()
            break
    return Piece(f"{left} {right}", union([before.box, after.box]), after.condition or before.condition)
