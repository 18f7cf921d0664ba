"""Rows that came back, as a model is shown them: JSON lines, a Markdown table, aligned text or HTML. Pictures by name.

Whatever stands in a cell stays in its place: no cell ends a line, a column or the table, and nothing in it is hidden.
Rows and long cells are cut to what a turn may cost, and the last line says what was cut. Shows; reads nothing back.
"""

from __future__ import annotations

import html
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mathrag.llm.accounts import usual_tokens
from mathrag.types.document_actions import ObservationFormat, PageCut, Rows

MOST_ROWS = 10
MOST_TOKENS = 5_000
MOST_COLUMNS = 100
# Cells are shown with as many characters as leave room for all rows; below the fair length, rows are left out first.
_LENGTHS = (4_000, 2_000, 1_000, 500, 250, 120, 60, 30)
_FAIR_LENGTH = 500
_LONGEST_NAME = 60
_LONGEST_WORD = 25
# Beside longer cells nothing is filled up: blanks cost as much as words.
_WIDEST = 60
# Tokens that are kept free for the last line.
_LAST_LINE = 60
_NAMES: Mapping[ObservationFormat, str] = {
    "json": "JSON lines",
    "markdown": "a Markdown table",
    "string": "aligned text",
    "html": "an HTML table",
}
_NOTHING = "NULL"


@dataclass(frozen=True, slots=True)
class _Shown:
    """A table ready to be written: names, cells as values that JSON has, and how many cells were cut."""

    names: Sequence[str]
    rows: Sequence[Sequence[object]]
    cut: int = 0


def write_rows(
    found: Rows, form: ObservationFormat = "json", *, most_rows: int = MOST_ROWS, most_tokens: int = MOST_TOKENS
) -> str:
    """The rows in a format, as many as may be shown, and a last line that says how many of how many these are."""
    total = max(found.total or 0, len(found.rows))
    names = _column_names(found)
    given = [_padded(row, len(names)) for row in found.rows[: max(0, most_rows)]]
    shown, count = _fitted(_WRITERS[form], names, given, max(0, most_tokens - _LAST_LINE))
    notes = [f"{count} of {_counted(total, 'row')} shown as {_NAMES[form]}"]
    if shown.cut:
        notes.append(f"{_counted(shown.cut, 'cell')} cut short, marked by …")
    if count < len(given):
        notes.append("more would be too long; ask for fewer columns or shorter texts")
    elif count < total:
        notes.append("ask for the rest with other conditions, an order or an offset")
    width = max((len(row) for row in found.rows[: max(0, most_rows)]), default=0)
    if max(len(found.columns), width) > MOST_COLUMNS:
        notes.append(f"only the first {MOST_COLUMNS} columns")
    table = _WRITERS[form](shown) if count else ""
    return f"{table}\n\n{'; '.join(notes)}." if table else f"{'; '.join(notes)}."


def name_picture(cut: PageCut) -> str:
    """A picture as the text beside it names it; the box as x, y, width, height, as actions write it."""
    whole = f"page {cut.page} of {_visible(cut.document, 80)}"
    if cut.box is None:
        return f"picture: {whole}"
    left, top, right, bottom = cut.box
    sides = ", ".join(f"{round(side, 2):g}" for side in (left, top, right - left, bottom - top))
    return f"picture: {whole}, cut to [{sides}]"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


# ---- what fits


def _fitted(
    write: Callable[[_Shown], str], names: Sequence[str], rows: Sequence[Sequence[object]], tokens: int
) -> tuple[_Shown, int]:
    """The table with cells as long as they may be, and how many of its rows fit."""
    best = _Shown(names, []), 0
    for length in _LENGTHS:
        shown = _cut(names, rows, length)
        count = _fitting(write, shown, tokens)
        if count > best[1]:
            best = _first(shown, count, length, rows), count
        if count == len(rows) or (best[1] and length <= _FAIR_LENGTH):
            break
    return best


def _first(shown: _Shown, count: int, length: int, rows: Sequence[Sequence[object]]) -> _Shown:
    return shown if count == len(rows) else _cut(shown.names, rows[:count], length)


def _fitting(write: Callable[[_Shown], str], shown: _Shown, tokens: int) -> int:
    """How many rows fit: found by halving, for the whole costs about as much as its parts."""
    low, high = 0, len(shown.rows)
    if usual_tokens(write(shown)) <= tokens:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        fits = usual_tokens(write(_Shown(shown.names, shown.rows[:middle]))) <= tokens
        low, high = (middle, high) if fits else (low, middle)
    return low


def _cut(names: Sequence[str], rows: Sequence[Sequence[object]], length: int) -> _Shown:
    made: list[list[object]] = []
    cut = 0
    for row in rows:
        cells = [_cell(value, length) for value in row]
        cut += sum(is_cut for _, is_cut in cells)
        made.append([value for value, _ in cells])
    return _Shown(names, made, cut)


# ---- cells


def _cell(value: object, length: int) -> tuple[object, bool]:
    """A cell as a value of JSON, not longer than this, and whether it was cut."""
    match value:
        case None | bool():
            return value, False
        case int():
            # Whoever needs all digits of such a number asks for it as text.
            return (value if abs(value) < 10**40 else f"a whole number of {value.bit_length():,} bits"), False
        case float():
            return (value if math.isfinite(value) else str(value)), False
        case PageCut():
            return name_picture(value), False
        case bytes() | bytearray() | memoryview():
            return f"{len(value):,} bytes", False
        case str():
            text = value
        case _:
            text = _as_text(value)
    if len(text) <= length:
        return text, False
    return _beginning(text, length), True


def _beginning(text: str, length: int) -> str:
    """The beginning of a text, up to the end of a word: half a number would be another number."""
    kept = text[:length]
    if not text[length].isspace():
        place = max(map(kept.rfind, " \n\t"))
        kept = kept[:place] if place > length - _LONGEST_WORD else kept.rstrip("0123456789.,-+%")
    return kept.rstrip() + "…"


def _as_text(value: object) -> str:
    """Lists and mappings as JSON, anything else as it prints."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return f"a {type(value).__name__}"


def _column_names(found: Rows) -> list[str]:
    """A name for every column, none twice; rows that are longer than the heading get numbers."""
    width = min(MOST_COLUMNS, max([len(found.columns), *(len(row) for row in found.rows[:MOST_ROWS])]))
    names: list[str] = []
    taken: set[str] = set()
    for place in range(width):
        given = _visible(found.columns[place], _LONGEST_NAME) if place < len(found.columns) else ""
        base = given or f"column_{place + 1}"
        name, number = base, 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        names.append(name)
        taken.add(name)
    return names


def _padded(row: Sequence[object], width: int) -> tuple[object, ...]:
    return (*row[:width], *([None] * (width - len(row))))


def _visible(text: str, length: int) -> str:
    shown = _one_line(text[: length + 1])
    return shown if len(shown) <= length else f"{shown[:length]}…"


def _one_line(text: str) -> str:
    """The text on one line: blanks for white space, a sign for what cannot be seen, such as controls and directions."""
    if text.isprintable():
        return text
    return "".join(" " if sign.isspace() else sign if sign.isprintable() else "\ufffd" for sign in text)


def _plain(value: object) -> str:
    """A cell as words."""
    match value:
        case None:
            return _NOTHING
        case bool():
            return "true" if value else "false"
        case str():
            return _one_line(value)
        case _:
            return json.dumps(value)


# ---- the four formats


def _json_lines(shown: _Shown) -> str:
    return "\n".join(_json_line(dict(zip(shown.names, row, strict=True))) for row in shown.rows)


def _json_line(row: Mapping[str, object]) -> str:
    text = json.dumps(row, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _escaped(sign) for sign in text)


def _escaped(character: str) -> str:
    number = ord(character)
    if number < 0x10000:
        return f"\\u{number:04x}"
    number -= 0x10000
    return f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"


def _markdown(shown: _Shown) -> str:
    lines = [shown.names, ["---"] * len(shown.names), *shown.rows]
    return "\n".join(f"| {' | '.join(_markdown_cell(value) for value in row)} |" for row in lines)


def _markdown_cell(value: object) -> str:
    return _plain(value).replace("\\", "\\\\").replace("|", "\\|")


def _string(shown: _Shown) -> str:
    """Columns one below the other, numbers to the right."""
    cells = [list(shown.names), *([_plain(value) for value in row] for row in shown.rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(shown.names))]
    to_right = [_is_numeric([row[place] for row in shown.rows]) for place in range(len(shown.names))]
    return "\n".join("  ".join(_aligned(row, widths, to_right)).rstrip() for row in cells)


def _aligned(row: Sequence[str], widths: Sequence[int], to_right: Sequence[bool]) -> Iterator[str]:
    for cell, width, is_right in zip(row, widths, to_right, strict=True):
        yield cell.rjust(width) if is_right else cell.ljust(min(width, _WIDEST))


def _is_numeric(values: Sequence[object]) -> bool:
    known = [value for value in values if value is not None]
    return bool(known) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in known)


def _html(shown: _Shown) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in shown.names)
    rows = ["".join(f"<td>{html.escape(_plain(value))}</td>" for value in row) for row in shown.rows]
    body = "\n".join(f"<tr>{cells}</tr>" for cells in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


_WRITERS: Mapping[ObservationFormat, Callable[[_Shown], str]] = {
    "json": _json_lines,
    "markdown": _markdown,
    "string": _string,
    "html": _html,
}
