"""Expressions of a worksheet: Python-like text in which a number may carry its unit, as in `2*(27 m/s)^2`.

A name directly behind a number is a unit, never a factor: `2 m` are two metres, `2*m` is twice the value m. A unit ends
at a blank, except that further units may follow it (`5 N m`); the longest text that is a unit is taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.compute.pythontext import read_python_text
from mathrag.errors import AmbiguousUnitError, FormulaError, UnitError
from mathrag.types.expression import Declined, Expression, Measure, walk
from mathrag.types.quantity import Unit
from mathrag.worksheets.lines import Formula, UnitUse

_NUMBER = re.compile(r"(?<![\w.])(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_POWER = r"(?:(?:\^|\*\*)(?:-?\d{1,3}|\(-?\d{1,3}(?:/\d{1,3})?\))|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
_WORD = r"[A-Za-zµμΩΩÅ°℃℉€£$′″][A-Za-zµμΩΩ°_]*"
_PART = re.compile(rf"(?P<word>{_WORD}|%|‰){_POWER}(?!\w)")
_NAME = re.compile(r"[^\W\d]\w*(?!\w)(?!\()")
_GROUP = re.compile(rf"\(\s*{_WORD}{_POWER}(?:\s*[*·⋅/]\s*{_WORD}{_POWER}|\s+{_WORD}{_POWER})*\s*\)")
_BRACKETS = re.compile(r"\[([^\[\]]{1,100})\]")
_NO_UNITS = frozenset(("if", "else", "for", "and", "or", "not", "pi", "π"))
_LETTERS = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the rewritten text that stands for one of the source."""

    start: int
    end: int
    source: int


def read_expression(text: str, *, offset: int = 0) -> Formula:
    """Read an expression; raises `FormulaError` whose position counts from the start of the line (`offset`)."""
    stripped = text.strip()
    offset += len(text) - len(text.lstrip())
    if not stripped:
        raise FormulaError("empty", "a value or a formula is missing here", position=offset)
    rewritten, pieces, uses = _with_measures(stripped, offset)
    reading = read_python_text(rewritten)
    if isinstance(reading, Declined):
        place = None if reading.position is None else offset + _back(reading.position, pieces)
        raise FormulaError(reading.code, reading.reason, position=offset if place is None else place)
    if reading.expression is None:
        raise FormulaError("equation", "an equation stands where one value is expected", position=offset)
    if reading.conditions:
        raise FormulaError("condition", "a condition has no meaning here; write a if x > 0 else b", position=offset)
    return Formula(stripped, reading.expression, tuple(uses))


def read_written_unit(text: str, position: int) -> Unit:
    """A unit as it was written; an error points at the place."""
    from mathrag.knowledge.units import read_unit

    try:
        return read_unit(text.strip())
    except AmbiguousUnitError as error:
        raise FormulaError("ambiguous_unit", error.reason, position=position) from error
    except UnitError as error:
        raise FormulaError("unknown_unit", error.reason, position=position) from error


def has_shifted_temperature(tree: Expression) -> bool:
    """Whether a temperature in °C or °F stands inside the expression, where it may count as a difference or not."""
    from mathrag.knowledge.units import read_canonical_unit

    units = (node.unit for node in walk(tree) if isinstance(node, Measure))
    return any(read_canonical_unit(unit).is_absolute_temperature for unit in units)


def _with_measures(text: str, offset: int) -> tuple[str, list[_Piece], list[UnitUse]]:
    written: list[str] = []
    pieces: list[_Piece] = []
    uses: list[UnitUse] = []
    place = length = 0
    for found in _NUMBER.finditer(text):
        if found.start() < place:
            continue
        unit = _unit_behind(text, found.end(), offset)
        if unit is None:
            continue
        end, use, canonical = unit
        if text[: found.start()].rstrip().endswith("/"):
            amount = text[found.start() : end]
            reason = f"is {amount} the divisor? write 1/({amount}), or (1/2)*(1 {use.text}) for a fraction of the unit"
            raise FormulaError("ambiguous_division", reason, position=offset + found.start())
        before = text[place : found.start()]
        pieces.append(_Piece(length, length + len(before), place))
        measure = f'quantity({found.group()}, "{canonical}")'
        pieces.append(_Piece(length + len(before), length + len(before) + len(measure), found.start()))
        written += [before, measure]
        length += len(before) + len(measure)
        place = end
        uses.append(use)
    pieces.append(_Piece(length, length + len(text) - place + 1, place))
    return "".join([*written, text[place:]]), pieces, uses


def _back(position: int, pieces: list[_Piece]) -> int:
    for piece in pieces:
        if piece.start <= position < piece.end:
            return piece.source + (position - piece.start if piece is pieces[-1] or _is_kept(piece, pieces) else 0)
    return 0


def _is_kept(piece: _Piece, pieces: list[_Piece]) -> bool:
    return pieces.index(piece) % 2 == 0


def _unit_behind(text: str, place: int, offset: int) -> tuple[int, UnitUse, str] | None:
    """The end of the unit behind a number, how it reads, and its canonical text; None where none stands there."""
    start = place + len(text[place:]) - len(text[place:].lstrip(" "))
    bracketed = _BRACKETS.match(text, start)
    if bracketed is not None:
        unit = read_written_unit(bracketed.group(1), offset + start + 1)
        return bracketed.end(), UnitUse(bracketed.group(1).strip(), (), is_usual=True), unit.text
    ends = _unit_ends(text, start)
    if not ends:
        name = _NAME.match(text, start)
        if name is None or name.group() in _NO_UNITS:
            return None
        ends = [name.end()]
    first: FormulaError | None = None
    for end in reversed(ends):
        try:
            unit = read_written_unit(text[start:end], offset + start)
        except FormulaError as error:
            if error.code == "ambiguous_unit":
                raise
            first = first or error
            continue
        return end, _use(text[start:end], unit), unit.text
    assert first is not None
    word = text[start : ends[0]]
    hint = f"write {text[:place].split()[-1]}*{word} for a product" if word.isidentifier() else "see the list of units"
    raise FormulaError("unknown_unit", f"{word!r} behind a number is no unit; {hint}", position=offset + start)


def _use(text: str, unit: Unit) -> UnitUse:
    from mathrag.knowledge.units.reader import known_dimensions

    return UnitUse(text, tuple(dict.fromkeys(_LETTERS.findall(text))), unit.dimension in known_dimensions())


def _unit_ends(text: str, start: int) -> list[int]:
    """The places where a unit that begins here may end, the nearest first."""
    found = _PART.match(text, start)
    if found is None or found["word"] in _NO_UNITS or text[found.end() : found.end() + 1] == "(":
        return []
    if found["word"] == "%" and re.match(r"\s*[\w(]", text[found.end() :]):
        # A remainder, as in 7 % 3.
        return []
    ends = [found.end()]
    while True:
        end = ends[-1]
        joined = _joined_part(text, end)
        if joined is None:
            return ends
        ends.append(joined)


def _joined_part(text: str, end: int) -> int | None:
    if text[end : end + 1] in ("*", "·", "⋅", "/") and text[end : end + 2] != "**":
        following = _GROUP.match(text, end + 1) or _PART.match(text, end + 1)
        start = end + 1
    else:
        start = end + len(text[end:]) - len(text[end:].lstrip(" "))
        following = _PART.match(text, start) if start > end else None
    if following is None or following.group().startswith("%"):
        return None
    word = following.group() if following.re is _GROUP else following["word"]
    if word in _NO_UNITS or (following.re is _PART and text[following.end() : following.end() + 1] == "("):
        return None
    return following.end()
