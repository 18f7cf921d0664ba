"""Compute again what an answer computed, with other values: its steps one after another, or over a range of one value.

Which formulas, and in which order, was decided when the question was answered; here they are only put in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mathrag.calculator import convert, read_value
from mathrag.compute.patience import Patience, one_computation
from mathrag.errors import MathragError, UsageError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.library.ask.computation import MOST_POINTS, SWEEP_SECONDS, Scale, compute, range_points, sweep
from mathrag.library.opened import OpenLibrary
from mathrag.types.json_value import Json
from mathrag.types.quantity import Quantity

# Answers have a few steps; what claims to have more is not one of ours.
MOST_STEPS = 20
# Every point goes through every step, so there are fewer than with one formula.
_MOST_CHAIN_POINTS = 200
_PLAIN_NUMBER = re.compile(r"[-+−]?[0-9.,]{1,40}(?:[eE][-+]?[0-9]{1,4})?")


def compute_steps(
    library: OpenLibrary, *, steps: Sequence[Json], values: Mapping[str, str], unit: str | None = None
) -> Json:
    """The result of the last step. Each step has `formula`, `target` and `inputs`.

    `inputs` says for each symbol of the formula whose value it takes: a name of `values`, or `#1` for the result of
    step 1.
    """
    if not 1 <= len(steps) <= MOST_STEPS:
        raise UsageError(f"there are 1 to {MOST_STEPS} steps, not {len(steps)}")
    made: list[Json] = []
    for step in steps:
        is_last = len(made) == len(steps) - 1
        put_in = {symbol: _value_text(source, values, made) for symbol, source in step["inputs"].items()}
        made.append(
            compute(
                library,
                formula=step["formula"],
                values=put_in,
                solve_for=step["target"],
                unit=unit if is_last else None,
            )
        )
    last = made[-1]
    return {
        "symbol": last["symbol"],
        "value": last["value"],
        "unit": last["unit"],
        "label": last["label"],
        "others": last["others"],
        "notes": [note for each in made for note in each["notes"]],
        "steps": [{name: each[name] for name in ("formula", "symbol", "value", "unit", "values")} for each in made],
    }


def _value_text(source: str, values: Mapping[str, str], made: Sequence[Json]) -> str:
    if source.startswith("#"):
        number = int(source[1:]) if source[1:].isdecimal() and len(source) < 4 else 0
        if not 1 <= number <= len(made):
            raise UsageError(f"{source} is no earlier step")
        if made[number - 1]["value"] is None:
            raise UsageError(f"step {number} gives a number that is too large to go on with")
        return f"{made[number - 1]['value']!r} {made[number - 1]['unit']}"
    if source not in values:
        raise UsageError(f"there is no value of {source}")
    return values[source]


def sweep_steps(
    library: OpenLibrary,
    *,
    steps: Sequence[Json],
    values: Mapping[str, str],
    symbol: str,
    start: str,
    stop: str,
    points: int = 60,
    scale: Scale = "linear",
    unit: str | None = None,
) -> Json:
    """The result of the last step against one of `values` that goes from `start` to `stop`.

    A plain number as an end is meant in the unit of the value that varies.
    """
    if symbol not in values:
        raise UsageError(f"{symbol} is none of the values that can be varied: {', '.join(values) or 'there are none'}")
    unit_of_ends = _unit_of(values[symbol])
    ends = (with_unit(start, unit_of_ends), with_unit(stop, unit_of_ends))
    with one_computation():
        if len(steps) == 1:
            step = steps[0]
            curve = _one_step(library, step, values, symbol=symbol, ends=ends, points=points, scale=scale, unit=unit)
        else:
            curve = _chain(library, steps, values, symbol=symbol, ends=ends, points=points, scale=scale, unit=unit)
        return {**curve, "mark": _mark(library, steps, values, symbol=symbol, curve=curve)}


def _chain(
    library: OpenLibrary, steps: Sequence[Json], values: Mapping[str, str], *, symbol: str, ends: tuple[str, str],
    points: int, scale: Scale, unit: str | None,
) -> Json:  # fmt: skip
    """Every point goes through all the steps."""
    if not 2 <= points <= min(_MOST_CHAIN_POINTS, MOST_POINTS):
        raise UsageError(f"a range over several steps has 2 to {_MOST_CHAIN_POINTS} points, not {points}")
    first = _quantity(ends[0])
    last = convert(_quantity(ends[1]), first.unit)
    patience, shown, problem = Patience(SWEEP_SECONDS), unit, None
    made: list[tuple[float, float | None]] = []
    for x in range_points(float(first.value), float(last.value), points, scale):
        if patience.is_over:
            raise UsageError(f"computing {points} points takes too long; ask for fewer")
        given = {**values, symbol: f"{x!r} {first.unit.text}".strip()}
        try:
            result = compute_steps(library, steps=steps, values=given, unit=shown)
        except MathragError as error:
            problem = problem or error
            made.append((x, None))
            continue
        shown = result["unit"]
        made.append((x, result["value"]))
    if problem is not None and all(y is None for _, y in made):
        raise problem
    return {
        "symbol": symbol,
        "symbol_unit": first.unit.text,
        "target": str(steps[-1]["target"]),
        "unit": shown or "",
        "points": [{"x": x, "y": y} for x, y in made],
    }


def _one_step(
    library: OpenLibrary, step: Json, values: Mapping[str, str], *, symbol: str, ends: tuple[str, str], points: int,
    scale: Scale, unit: str | None,
) -> Json:  # fmt: skip
    """One formula has a quicker way, which also says more about what cannot be computed."""
    varied = next((name for name, source in step["inputs"].items() if source == symbol), None)
    if varied is None:
        raise UsageError(f"the formula has no {symbol}")
    put_in = {name: _value_text(source, values, ()) for name, source in step["inputs"].items() if name != varied}
    found = sweep(
        library, formula=step["formula"], values=put_in, symbol=varied, start=ends[0], stop=ends[1], points=points,
        scale=scale, solve_for=step["target"], unit=unit,
    )  # fmt: skip
    return {name: found[name] for name in ("symbol", "symbol_unit", "target", "unit", "points")}


def _mark(
    library: OpenLibrary, steps: Sequence[Json], values: Mapping[str, str], *, symbol: str, curve: Json
) -> Json | None:
    """Where the values themselves lie on the curve; None where nothing can be computed with them."""
    try:
        result = compute_steps(library, steps=steps, values=values, unit=curve["unit"] or None)
        for step, made in zip(steps, result["steps"], strict=True):
            for name, source in step["inputs"].items():
                if source == symbol and name in made["values"] and result["value"] is not None:
                    value = made["values"][name]
                    here = Quantity(value["value"], read_canonical_unit(value["unit"]))
                    there = convert(here, read_canonical_unit(curve["symbol_unit"]))
                    return {"x": float(there.value), "y": float(result["value"])}
    except MathragError:
        pass
    return None


def with_unit(text: str, unit: str) -> str:
    """What a person typed beside a unit: a plain number is meant in it, anything else stands for itself."""
    return f"{text.strip()} {unit}" if unit and _PLAIN_NUMBER.fullmatch(text.strip()) else text


def _unit_of(value: str) -> str:
    return value.strip().partition(" ")[2]


def _quantity(text: str) -> Quantity:
    """A quantity; a unit that people use for two things is meant as the canonical text it is."""
    mention = read_value(text)
    written = _unit_of(text)
    exact = [each for each in mention.quantities if each.unit.text == written]
    return exact[0] if exact else mention.quantity
