"""Compare a reader with the golden corpus: same symbols, same relation at random points."""

from __future__ import annotations

import math
import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mathrag.compute.evaluate import evaluate
from mathrag.compute.evaluate.failure import Failure
from mathrag.types.expression import Declined, Equation, Expression, Reading, Symbol, equation_symbols, substitute

GOLDEN = Path(__file__).parent / "golden"
_NAMES: dict[str, Any] = {
    **{name: getattr(math, name) for name in dir(math) if not name.startswith("_")},
    "abs": abs,
    "min": min,
    "max": max,
    "comb": math.comb,
    "sum": sum,
    "range": range,
    "__builtins__": {},
}


def load(name: str, folder: Path = GOLDEN) -> list[dict[str, Any]]:
    """The entries of a golden file."""
    with (folder / f"{name}.toml").open("rb") as file:
        content = tomllib.load(file)
    return next(iter(content.values()))


def expected_equations(entry: dict[str, Any]) -> list[tuple[str, str]]:
    """The equations a reading must contain, as Python text."""
    if "equations" in entry:
        return [(left, right) for left, right in entry["equations"]]
    return [(entry["lhs"], entry["rhs"])]


def _point(entry: dict[str, Any], rng: random.Random) -> dict[str, float | int]:
    ranges, whole = entry.get("range", {}), set(entry.get("integer", ()))
    point: dict[str, float | int] = {}
    for name in sorted(entry["symbols"], key=lambda symbol: symbol in whole):
        low, high = ranges.get(name, (0.5, 2.5))
        point[name] = (
            rng.randint(math.ceil(low), max(math.ceil(low), math.floor(high)))
            if name in whole
            else rng.uniform(low, high)
        )
    return point


def _reference(text: str, point: dict[str, float | int]) -> float:
    return float(eval(compile(text, "golden", "eval"), {**_NAMES, **point}))  # golden text is our own


def _agrees(equation: Equation, pair: tuple[str, str], points: list[dict[str, float | int]]) -> bool:
    """Both sides agree with the reference, as written or swapped, or up to the same sign of left minus right."""
    for left, right in ((equation.left, equation.right), (equation.right, equation.left)):
        if all(
            _close(evaluate(left, point), _reference(pair[0], point))
            and _close(evaluate(right, point), _reference(pair[1], point))
            for point in points
        ):
            return True
    return False


def _close(value: object, reference: float) -> bool:
    if isinstance(value, Failure):
        return False
    number = float(value)  # type: ignore[arg-type]
    return math.isclose(number, reference, rel_tol=1e-9, abs_tol=1e-12)


def _renamed(equation: Equation, spelled: dict[str, str]) -> Equation:
    names = {other: Symbol(name) for other, name in spelled.items()}
    return Equation(substitute(equation.left, names), substitute(equation.right, names), equation.relation)


def judge(entry: dict[str, Any], reading: Reading | Declined) -> str:
    """An empty text when the reading is right; otherwise what is wrong, beginning with `declined` or `WRONG`."""
    if isinstance(reading, Declined):
        return f"declined ({reading.code}): {reading.reason}"
    rng = random.Random(entry["id"])
    points = [_point(entry, rng) for _ in range(3)]
    equations = list(reading.equations)
    if not equations and reading.expression is not None:
        return "WRONG: an expression instead of an equation" if "lhs" in entry or "equations" in entry else ""
    spelled = {other: name for name, others in entry.get("aliases", {}).items() for other in others}
    equations = [_renamed(equation, spelled) for equation in equations]
    found = {name for equation in equations for name in equation_symbols(equation)}
    extra = found - set(entry["symbols"])
    if extra:
        return f"WRONG: symbols {sorted(extra)} are not in the formula"
    expected = expected_equations(entry)
    for pair in expected:
        if not any(_agrees(equation, pair, points) for equation in equations):
            return f"WRONG: no equation agrees with {pair[0]} = {pair[1]}"
    texts = {text for pair in expected for text in pair}
    for equation in equations:
        if not all(any(_same(side, text, points) for text in texts) for side in (equation.left, equation.right)):
            return "WRONG: the reading has an equation that the formula does not state"
    missing = set(entry.get("flags", ())) - {flag.code for flag in reading.flags}
    return f"WRONG: the flags {sorted(missing)} are missing" if missing and reading.source == entry["latex"] else ""


def _same(side: Expression, text: str, points: list[dict[str, float | int]]) -> bool:
    return all(_close(evaluate(side, point), _reference(text, point)) for point in points)


def report(
    entries: list[dict[str, Any]], field: str, read: Callable[[str, list[str]], Reading | Declined]
) -> dict[str, str]:
    """What is wrong with each entry that has the field; empty texts left in, so that rates can be counted."""
    return {entry["id"]: judge(entry, read(entry[field], entry.get("hint", []))) for entry in entries if field in entry}
