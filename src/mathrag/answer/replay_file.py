"""Saved answers as text and back. Text from outside is distrusted: every value is checked against its noun's types."""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, TypeVar

from mathrag.errors import ReplayError
from mathrag.types.answer import Bound, Origin, Provenance, Row, Step
from mathrag.types.expression import MAXIMUM_DEPTH, MAXIMUM_NODES, Equation, depth_of, size_of
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.library import Formula, Span
from mathrag.types.quantity import Quantity

FORMAT = 1
_LONGEST_FILE = 8_000_000
_LONGEST_TEXT = 2_000_000
_MOST_STEPS = 50
_MOST_BINDINGS = 200
_MOST_ROWS = 1_000
_DEEPEST = 400
_LONGEST_WHOLE = 14_000
_ORIGINS: tuple[str, ...] = typing.get_args(Origin)
_T = TypeVar("_T")


@dataclasses.dataclass(frozen=True, slots=True)
class SavedAnswer:
    """What a file says: the question, the computed steps with their results, and what computed them."""

    software: str
    question: str
    outcome: Literal["answered", "refused", "chat"]
    steps: tuple[Step, ...] = ()
    value: Quantity | None = None
    exact: str = ""
    provenance: tuple[Provenance, ...] = ()
    rows: tuple[Row, ...] = ()
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    library: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    trace: tuple[Any, ...] = ()


def is_writable(quantity: Quantity) -> bool:
    """Whether JSON can hold the number; Python writes no whole number of more than 4300 digits."""
    return not isinstance(quantity.value, int) or quantity.value.bit_length() < _LONGEST_WHOLE


def write_saved(saved: SavedAnswer) -> str:
    """The file's text: JSON, one answer, everything needed to compute it again."""
    data = {
        "mathrag_replay": FORMAT,
        "software": saved.software,
        "question": saved.question,
        "outcome": saved.outcome,
        "options": dict(saved.options),
        "library": dict(saved.library),
        "value": to_json(saved.value),
        "exact": saved.exact,
        "provenance": [_provenance_json(each) for each in saved.provenance],
        "steps": [_step_json(step) for step in saved.steps],
        "rows": [{"values": [list(pair) for pair in row.values], "result": to_json(row.result)} for row in saved.rows],
        "trace": list(saved.trace),
    }
    return json.dumps(data, ensure_ascii=True, allow_nan=False, indent=1) + "\n"


def _step_json(step: Step) -> dict[str, Any]:
    # One place is enough to say where a formula stood; worked examples and corrections compute nothing.
    formula = dataclasses.replace(step.formula, spans=step.formula.spans[:1], instances=(), corrections=())
    return {
        "number": step.number,
        "formula": to_json(formula),
        "equation": to_json(step.equation),
        "target": step.target,
        "bindings": [_bound_json(bound) for bound in step.bindings],
        "result": to_json(step.result),
        "significant_figures": step.significant_figures,
        "method": step.method,
    }


def _bound_json(bound: Bound) -> dict[str, Any]:
    return {
        "symbol": bound.symbol,
        "quantity": to_json(bound.quantity),
        "letter": bound.letter,
        "description": bound.description,
        "significant_figures": bound.significant_figures,
        "provenance": _provenance_json(bound.provenance),
    }


def _provenance_json(origin: Provenance) -> dict[str, Any]:
    return {
        "origin": origin.origin,
        "text": origin.text,
        "source": origin.source,
        "step": origin.step,
        "span": to_json(origin.span),
    }


def read_saved(text: str) -> SavedAnswer:
    """What a file says. Raises `ReplayError` for anything that `write_saved` did not write."""
    data = _object(_parsed(text), "the file")
    version = data.get("mathrag_replay")
    if version != FORMAT or isinstance(version, bool):
        raise ReplayError(f"this is no saved answer of format {FORMAT}")
    outcome = data.get("outcome")
    if outcome not in ("answered", "refused", "chat"):
        raise ReplayError("the file does not say how the question ended")
    return SavedAnswer(
        software=_text(data, "software"),
        question=_text(data, "question"),
        outcome=outcome,
        steps=tuple(_step(item, place) for place, item in enumerate(_list(data, "steps", most=_MOST_STEPS), start=1)),
        value=_optional(data.get("value"), Quantity, "value"),
        exact=_text(data, "exact"),
        provenance=tuple(_provenance(item) for item in _list(data, "provenance", most=_MOST_BINDINGS)),
        rows=tuple(_row(item) for item in _list(data, "rows", most=_MOST_ROWS)),
        options=_object(data.get("options", {}), "options"),
        library=_object(data.get("library", {}), "library"),
        trace=tuple(_list(data, "trace", most=_MOST_STEPS)),
    )


def _parsed(text: str) -> Any:
    if len(text) > _LONGEST_FILE:
        raise ReplayError(f"the file has {len(text)} characters; a saved answer has at most {_LONGEST_FILE}")
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise ReplayError("the file is nested too deeply") from None
    except ValueError as error:
        raise ReplayError(f"the file is not JSON: {error}") from None
    pending = [(data, 1)]
    while pending:
        value, depth = pending.pop()
        if depth > _DEEPEST:
            raise ReplayError("the file is nested too deeply")
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        pending.extend((item, depth + 1) for item in inner)
    return data


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _step(item: object, place: int) -> Step:
    data = _object(item, f"step {place}")
    if data.get("number") != place or isinstance(data.get("number"), bool):
        raise ReplayError(f"step {place} has another number")
    equation = _noun(data.get("equation"), Equation, f"the equation of step {place}")
    for side in (equation.left, equation.right):
        if depth_of(side) > MAXIMUM_DEPTH or size_of(side) > MAXIMUM_NODES:
            raise ReplayError(f"the equation of step {place} is larger than any real formula")
    figures = data.get("significant_figures")
    if not isinstance(figures, int) or isinstance(figures, bool) or not 0 < figures < 10_000:
        raise ReplayError(f"step {place} has no number of significant figures")
    bindings = _list(data, "bindings", most=_MOST_BINDINGS)
    return Step(
        place,
        _noun(data.get("formula"), Formula, f"the formula of step {place}"),
        equation,
        _text(data, "target"),
        tuple(_bound(bound) for bound in bindings),
        _noun(data.get("result"), Quantity, f"the result of step {place}"),
        figures,
        _text(data, "method"),
    )


def _bound(item: object) -> Bound:
    data = _object(item, "a binding")
    figures = data.get("significant_figures")
    if figures is not None and (not isinstance(figures, int) or isinstance(figures, bool)):
        raise ReplayError("a binding has a strange number of significant figures")
    return Bound(
        _text(data, "symbol"),
        _provenance(data.get("provenance")),
        _optional(data.get("quantity"), Quantity, "a binding"),
        _text(data, "letter"),
        _text(data, "description"),
        figures,
    )


def _provenance(item: object) -> Provenance:
    data = _object(item, "an origin")
    origin, step = data.get("origin"), data.get("step")
    if origin not in _ORIGINS or not (step is None or (isinstance(step, int) and not isinstance(step, bool))):
        raise ReplayError("a value does not say where it comes from")
    return Provenance(
        origin, _text(data, "text"), _text(data, "source"), step, _optional(data.get("span"), Span, "a place")
    )


def _row(item: object) -> Row:
    data = _object(item, "a row")
    pairs = _list(data, "values", most=_MOST_BINDINGS)
    if not all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) for each in pair) for pair in pairs
    ):
        raise ReplayError("a row has strange values")
    return Row(tuple((pair[0], pair[1]) for pair in pairs), _noun(data.get("result"), Quantity, "a row"))


def _object(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ReplayError(f"{place} is not an object")
    return value


def _list(data: Mapping[str, Any], key: str, *, most: int) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list) or len(value) > most:
        raise ReplayError(f"{key} is not a list of at most {most}")
    return value


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        raise ReplayError(f"{key} is not a text")
    return value


def _optional(data: object, kind: type[_T], place: str) -> _T | None:
    return None if data is None else _noun(data, kind, place)


def _noun(data: object, kind: type[_T], place: str) -> _T:
    """A noun of the library, with every field of the type it should have."""
    try:
        value = from_json(data)
    except ValueError as error:
        raise ReplayError(f"{place} cannot be read: {error}") from None
    if not has_type(value, kind):
        raise ReplayError(f"{place} has parts of the wrong kind")
    assert isinstance(value, kind)
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def has_type(value: object, hint: Any) -> bool:
    """Whether a value has a type, all the way down. Iterative; numbers must be finite."""
    pending = [(value, hint)]
    while pending:
        value, hint = pending.pop()
        if typing.get_origin(hint) in (typing.Union, types.UnionType):
            hint = next((each for each in typing.get_args(hint) if _looks_like(value, each)), hint)
        if not _looks_like(value, hint):
            return False
        if isinstance(value, tuple):
            inner = typing.get_args(hint)
            pending.extend(zip(value, (inner[0],) * len(value) if inner[-1] is ... else inner, strict=True))
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            hints = _hints(type(value))
            pending.extend((getattr(value, field.name), hints[field.name]) for field in dataclasses.fields(value))
    return True


def _looks_like(value: object, hint: Any) -> bool:
    """The outermost layer of a type."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return isinstance(value, str) and value in inner
    if origin is tuple:
        return isinstance(value, tuple) and (inner[-1] is ... or len(inner) == len(value))
    if origin in (typing.Union, types.UnionType):
        return any(_looks_like(value, each) for each in inner)
    if hint is float:
        return type(value) in (int, float) and _is_finite(value)
    return type(value) is hint


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return isinstance(value, int)
