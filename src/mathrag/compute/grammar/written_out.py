"""Dots in a sum (`R_1 + R_2 + … + R_n`) written out with a given number of terms, before anything is read."""

from __future__ import annotations

import re
from dataclasses import replace

from mathrag.compute.grammar.context import Context
from mathrag.compute.notation import (
    Accent,
    Digits,
    Fence,
    Grid,
    Mark,
    Name,
    Root,
    Row,
    Script,
    Sign,
    Stack,
    visible,
    walk_marks,
)

_JOINTS = frozenset("+-")
_RELATIONS = frozenset(("=", "≈", "≡", ",", ";"))
_COUNTS = frozenset("nNkmM")


def without_dots(row: Row, context: Context, terms: int) -> Row:
    """The row with every `…` between terms replaced by the terms it stands for; as it was where that cannot be told."""
    if not any(isinstance(mark, Sign) and mark.text == "…" for mark in walk_marks(row)):
        return row
    return _in_row(row, context, terms)


def _in_row(row: Row, context: Context, terms: int) -> Row:
    items = [_inside(item, context, terms) for item in visible(row.items)]
    dots = next((place for place, item in enumerate(items) if isinstance(item, Sign) and item.text == "…"), None)
    if dots is None or dots < 2 or not _is_joint(items[dots - 1]):
        return Row(tuple(items), row.position) if items != visible(row.items) else row
    start = _start(items, dots - 1)
    pattern = items[start : dots - 1]
    last = _number_below(pattern)
    end, count = _end(items, dots)
    if last is None or last > terms or (end > dots + 1 and not count):
        return row
    leads_to = items[dots + 2 : end]
    if not _continues(items, start, pattern, last) and not (last == 1 and _ends(leads_to, pattern, count)):
        return row
    if count:
        context.counted.add(count)
    written: list[Mark] = []
    for value in range(last + 1, terms + 1):
        written.append(items[dots - 1])
        written.extend(_renumbered(mark, str(last), str(value)) for mark in pattern)
    context.flag("written_out", f"the dots are written out up to {terms} terms", items[dots].position)
    return Row((*items[: dots - 1], *written, *items[end:]), row.position)


def _inside(mark: Mark, context: Context, terms: int) -> Mark:
    match mark:
        case Row():
            return _in_row(mark, context, terms)
        case Fence() | Accent():
            return replace(mark, body=_in_row(mark.body, context, terms))
        case Stack():
            return replace(mark, above=_in_row(mark.above, context, terms), below=_in_row(mark.below, context, terms))
        case Root():
            return replace(mark, body=_in_row(mark.body, context, terms))
        case Grid():
            lines = tuple(tuple(_in_row(cell, context, terms) for cell in line) for line in mark.lines)
            return replace(mark, lines=lines)
        case _:
            return mark


def _continues(items: list[Mark], start: int, pattern: list[Mark], last: int) -> bool:
    """Whether the term before is the same one with the number before: only then do the dots say how it goes on."""
    joint = items[start + len(pattern)]
    if start < 2 or not _is_joint(items[start - 1]) or _bare(items[start - 1]) != _bare(joint):
        return False
    before = items[_start(items, start - 1) : start - 1]
    renumbered = [_renumbered(mark, str(last), str(last - 1)) for mark in pattern]
    return [_bare(mark) for mark in before] == [_bare(mark) for mark in renumbered]


def _ends(leads_to: list[Mark], pattern: list[Mark], count: str) -> bool:
    """Whether what follows the dots is the first term with the letter that counts: R_1 + … + R_N."""
    wanted = [_bare(mark).replace("Digits(text='1', )", f"Name(text='{count}', , style='italic')") for mark in pattern]
    return bool(count) and [_bare(mark) for mark in leads_to] == wanted


def _bare(mark: Mark) -> str:
    """A mark without its place in the source."""
    return re.sub(r"position=\d+", "", repr(mark))


def _is_joint(mark: Mark) -> bool:
    return isinstance(mark, Sign) and mark.text in _JOINTS


def _start(items: list[Mark], joint: int) -> int:
    """Where the term before a joint begins."""
    place = joint
    while place > 0:
        before = items[place - 1]
        if isinstance(before, Sign) and (before.text in _JOINTS or before.text in _RELATIONS):
            break
        place -= 1
    return place


def _end(items: list[Mark], dots: int) -> tuple[int, str]:
    """Where what the dots lead to ends, after `+ R_n` if that follows, and the letter that counts: n."""
    place = dots + 1
    if place < len(items) and _is_joint(items[place]):
        place += 1
        while place < len(items):
            mark = items[place]
            if isinstance(mark, Sign) and (mark.text in _JOINTS or mark.text in _RELATIONS):
                break
            place += 1
        names = [part.text for mark in items[dots:place] for part in walk_marks(mark) if isinstance(part, Name)]
        count = next((name for name in names if name in _COUNTS), "")
        return place, count
    return place, ""


def _number_below(pattern: list[Mark]) -> int | None:
    """The number that counts the terms: the one below the symbols of the term before the dots."""
    found = {
        digit.text
        for mark in pattern
        for script in walk_marks(mark)
        if isinstance(script, Script) and script.sub is not None
        for digit in script.sub.items
        if isinstance(digit, Digits)
    }
    text = found.pop() if len(found) == 1 else ""
    return int(text) if text.isdigit() and len(text) < 3 else None


def _renumbered(mark: Mark, old: str, new: str) -> Mark:
    match mark:
        case Script():
            sub = mark.sub
            if sub is not None:
                sub = Row(tuple(_digit(item, old, new) for item in sub.items), sub.position)
            return replace(mark, base=_renumbered(mark.base, old, new), sub=sub)
        case Row():
            return Row(tuple(_renumbered(item, old, new) for item in mark.items), mark.position)
        case Fence() | Accent():
            return replace(mark, body=_row(mark.body, old, new))
        case Stack():
            return replace(mark, above=_row(mark.above, old, new), below=_row(mark.below, old, new))
        case Root():
            return replace(mark, body=_row(mark.body, old, new))
        case _:
            return mark


def _row(row: Row, old: str, new: str) -> Row:
    return Row(tuple(_renumbered(item, old, new) for item in row.items), row.position)


def _digit(mark: Mark, old: str, new: str) -> Mark:
    return Digits(new, mark.position) if isinstance(mark, Digits) and mark.text == old else mark
