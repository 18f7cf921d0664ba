"""A display region into its formulas: lines, equation numbers, conditions, several formulas side by side.

Works on nodes that are already read; what a formula means is not its business, only where one ends and the next begins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from mathrag.documents.pdf.formulas import thresholds as limit
from mathrag.documents.pdf.formulas.conditions import Piece, read_pieces
from mathrag.documents.pdf.formulas.items import Item, Ledger, Node, box_of, merged, union
from mathrag.documents.pdf.formulas.lines import Reader
from mathrag.documents.pdf.page_content import Box

# (3), (3.2), (A.1), (12a), (2-5), (IV), with round or square brackets.
_NUMBER = re.compile(r"[(\[](?:[A-Z]{1,3}[.\-–]?)?\d{0,4}(?:[.\-–]\d{1,4}){0,3}[a-z]?['′*]{0,2}[)\]]")
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
    for group in _joined(lines):
        parts.extend(_parts(group))
    return parts


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
            if not _NUMBER.fullmatch(text) or len(text) < 3:
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
    """Brackets that do not close are a sign that something was misread."""
    plain = latex.replace("\\left.", "").replace("\\{", "(").replace("\\}", ")").replace("\\right.", "")
    opened = sum(plain.count(sign) for sign in ("(", "[", "\\langle"))
    closed = sum(plain.count(sign) for sign in (")", "]", "\\rangle"))
    if abs(opened - closed) <= latex.count("\\left.") + latex.count("\\right."):
        return ledger
    checked = merged([ledger])
    checked.doubt("a bracket without its partner", 0.2)
    return checked


def _bridge(before: Piece, after: Piece) -> Piece:
    """Two rows of one formula; a sign repeated at the break is printed once."""
    left, right = before.latex.rstrip(), after.latex.lstrip()
    for sign in ("=", "+", "\\times", "\\cdot"):
        if left.endswith(sign) and right.startswith(sign):
            right = right[len(sign) :].lstrip()
            break
    return Piece(f"{left} {right}", union([before.box, after.box]), after.condition or before.condition)
