"""Rows of text in the columns of a table to rows of the table, where no borders part them. Reads no words.

Text of several columns on one baseline begins a row. Cells of several rows stand with their first row on it, or centred
on a label that stands beside no other text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.documents.boxes import middle_y, width
from mathrag.documents.pdf.layout.rows import Row
from mathrag.language.word_classes import word_class

STARTS_NUMBER = re.compile(r"[-+−–<>~]?\.?\d|[-–—]+$|n/?a$", re.IGNORECASE)
_WHOLE_CELL = re.compile(r"[-+−–<>~]?\.?\d[\d,.]*[%KkMB]?(?:[±/]\d[\d,.]*|\([\d.,]+\))?[*∗†‡]{0,3}")
_RELATIONS = frozenset("=≈≡≤≥<>∝∼→")
_ROW_LEADS_ON = re.compile(
    rf"(?:[,\-–]|\b(?:{'|'.join(sorted(word_class('printed_pages.unfinished_cells')))}))\s*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of text in the columns from `first` up to `end`."""

    row: Row
    first: int
    end: int

    @property
    def is_spanning(self) -> bool:
        return self.end - self.first > 1


def _levels(entries: Sequence[Entry], *, size: float) -> list[list[Entry]]:
    """What stands on one baseline, from top to bottom."""
    levels: list[list[Entry]] = []
    for entry in sorted(entries, key=lambda entry: entry.row.y):
        if levels and entry.row.y - levels[-1][0].row.y < 0.3 * size:
            levels[-1].append(entry)
        else:
            levels.append([entry])
    return levels


def stacked_rows(entries: Sequence[Entry], *, columns: int, size: float) -> list[list[Entry]]:
    """The rows between two borders that stand only between groups of rows: each has a label, and a number in every
    other column. Empty where it is one row."""
    levels = _levels(entries, size=size)
    is_stacked = len(levels) > 1 and columns > 2 and all(len(level) == columns for level in levels)
    rows = [sorted(level, key=lambda entry: entry.first) for level in levels]
    texts = [["".join(item.glyph.text for item in entry.row.items) for entry in row] for row in rows]
    is_numbered = all(_is_numbered(text) for line in texts for text in line[1:])
    has_labels = all(line[0][:1].isalpha() for line in texts)
    return rows if is_stacked and is_numbered and has_labels else _grouped_rows(entries, columns=columns, size=size)


def _grouped_rows(entries: Sequence[Entry], *, columns: int, size: float) -> list[list[Entry]]:
    """The rows of a group whose label stands once beside all of them; each gets it. Empty where it is one row."""
    label = [entry for entry in entries if entry.first == 0]
    levels = _levels([entry for entry in entries if entry.first > 0], size=size)
    if columns < 3 or len(levels) < 2 or not 0 < len(label) < len(levels):
        return []
    rows = [sorted(level, key=lambda entry: entry.first) for level in levels]
    if any([entry.first for entry in row] != list(range(1, columns)) for row in rows):
        return []
    return [[*label, *row] for row in rows] if all(_is_named_and_numbered(row) for row in rows) else []


def _is_named_and_numbered(row: Sequence[Entry]) -> bool:
    """Whether a row has a name of its own and numbers behind it. The rest of a name that runs over lines begins with a
    small letter, and what a number is off by with a bracket."""
    name, *others = ("".join(item.glyph.text for item in entry.row.items) for entry in row)
    return (name[:1].isupper() or name[:1].isdigit()) and all(map(_is_numbered, others))


def _is_numbered(text: str) -> bool:
    return STARTS_NUMBER.match(text) is not None


def split_rows(entries: Sequence[Entry], *, size: float) -> list[list[Entry]]:
    """The rows of a table without borders between them, from top to bottom."""
    levels = _levels(entries, size=size)
    held = _held_by_labels(levels, size=size)
    widest = max((width(entry.row.box) for entry in entries if entry.first == 0 and not entry.is_spanning), default=0.0)
    rows: list[list[Entry]] = []
    bottom = 0.0
    for index, level in enumerate(levels):
        top = min(entry.row.box[1] for entry in level)
        is_spanning = any(entry.is_spanning for entry in level)
        was_spanning = bool(rows) and any(entry.is_spanning for entry in rows[-1])
        starts = len(level) > 1 or top - bottom > 0.9 * size or is_spanning != was_spanning
        starts = starts or _is_new_label(rows[-1] if rows else [], level, widest=widest)
        if index in held or index - 1 in held:
            # The first row above a label begins the row; the label and the rest go on with it.
            starts = index in held and held.get(index - 1) != held[index]
        if not rows or (starts and not _goes_on(rows[-1], level, size=size, widest=widest)):
            rows.append([])
        rows[-1].extend(level)
        bottom = max(bottom, *(entry.row.box[3] for entry in level))
    return rows


def _goes_on(row: Sequence[Entry], level: Sequence[Entry], *, size: float, widest: float) -> bool:
    """Whether a level goes on with the row above it: its label is the rest of the label there."""
    label = next((entry for entry in level if entry.first == 0), None)
    before = [other for other in row if other.first == 0]
    if label is None or not before or not _is_rest(before[-1], label, size=size):
        return False
    if _is_numbered_anew(row, level):
        return False
    # Beside other cells, a label is the rest of one that filled its column; short labels may well begin in lower case.
    return len(level) == 1 or width(before[-1].row.box) > 0.8 * widest > 6 * size


def _is_numbered_anew(row: Sequence[Entry], level: Sequence[Entry]) -> bool:
    """Whether a level has cells of its own in all columns of the row above it, and a number or a list where that has
    one: numbers do not go on in the next row."""
    columns = {entry.first for entry in row}
    if len(columns) < 2 or {entry.first for entry in level} != columns:
        return False
    above = {entry.first: _text_of(entry) for entry in sorted(row, key=lambda entry: -entry.row.y)}
    below = {entry.first: _text_of(entry) for entry in level}
    return any(_is_whole(above[column]) and _is_whole(below[column]) for column in columns if column > 0)


def _is_whole(text: str) -> bool:
    """Whether a cell is a number, whatever it is off by, or a list in brackets."""
    is_list = text[:1] == "[" and text[-1:] == "]" and text.count("[") == text.count("]") == 1
    return is_list or _WHOLE_CELL.fullmatch(text) is not None


def _text_of(entry: Entry) -> str:
    return "".join(item.glyph.text for item in entry.row.items)


def _is_new_label(row: Sequence[Entry], level: Sequence[Entry], *, widest: float) -> bool:
    """Whether a label begins below one that ended short of its column's edge."""
    label = next((entry for entry in level if entry.first == 0), None)
    before = [other for other in row if other.first == 0]
    if label is None or not before:
        return False
    first = label.row.items[0].glyph
    return first.text[:1].isupper() and not first.is_math_font and width(before[-1].row.box) < 0.75 * widest


def _is_rest(before: Entry, entry: Entry, *, size: float) -> bool:
    """Whether a label goes on in the next row: in lower case, inside brackets, or after a word that cannot end it."""
    if entry.row.y - before.row.y > 1.6 * size:
        return False
    text = "".join(item.glyph.text if item.gap < 0.15 else " " + item.glyph.text for item in before.row.items)
    if text.count("(") > text.count(")") or (
        _ROW_LEADS_ON.search(text) and not before.row.items[-1].glyph.is_math_font
    ):
        return True
    first = entry.row.items[0].glyph
    return not first.is_math_font and first.text[:1].islower() and first.style != "italic"


def _held_by_labels(levels: Sequence[list[Entry]], *, size: float) -> dict[int, int]:
    """Levels that stand above a label they belong to, with the level of that label: cells centred on their row.

    A label beside no other text holds as many rows above it as below, at the same distances.
    """
    held: dict[int, int] = {}
    last: Entry | None = None
    for index, level in enumerate(levels):
        label = next((entry for entry in level if entry.first == 0 and not entry.is_spanning), None)
        if label is None:
            continue
        is_rest = last is not None and _is_rest(last, label, size=size)
        last = label
        if is_rest:
            continue
        here = {entry.first for entry in level}
        step = 1
        while (
            _is_loose(levels, index - step, here) and _is_loose(levels, index + step, here) and index - step not in held
        ):
            above, below = levels[index - step][0].row.y, levels[index + step][0].row.y
            if abs((above + below) / 2 - label.row.y) > 0.45 * size:
                break
            held[index - step] = index
            step += 1
    held.update(_held_by_chains(levels, size=size))
    return held


def _held_by_chains(levels: Sequence[list[Entry]], *, size: float) -> dict[int, int]:
    """The same for an equation that stands around a label in several rows, begun by relations after the first."""
    labels = {
        index: entry
        for index, level in enumerate(levels)
        for entry in level
        if not entry.first and not entry.is_spanning
    }
    chains: dict[int, list[tuple[int, Entry]]] = {}
    held: dict[int, int] = {}
    for index, level in enumerate(levels):
        for entry in level:
            if entry.first == 0 or entry.is_spanning:
                continue
            chain = chains.get(entry.first, [])
            is_rest = bool(chain) and entry.row.items[0].glyph.text in _RELATIONS
            if not is_rest or entry.row.box[1] - chain[-1][1].row.box[3] > 0.9 * size:
                chain = []
            chains[entry.first] = chain = [*chain, (index, entry)]
            top, bottom = chain[0][1].row.box[1], chain[-1][1].row.box[3]
            inside = [i for i, label in labels.items() if top < middle_y(label.row.box) < bottom]
            if len(chain) > 1 and len(inside) == 1 and chain[0][0] not in labels:
                above = [i for i, _ in chain if i < inside[0]]
                if all(len(levels[i]) == 1 for i in above):
                    held.update(dict.fromkeys(above, inside[0]))
    return held


def _is_loose(levels: Sequence[list[Entry]], index: int, taken: set[int]) -> bool:
    """Whether a level stands in columns that a label has nothing in."""
    if not 0 <= index < len(levels):
        return False
    return all(entry.first not in taken and not entry.is_spanning for entry in levels[index])
