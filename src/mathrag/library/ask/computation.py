"""Compute with one formula of a library: values put in, any symbol solved for, one value going through a range; or the
formula itself solved for a symbol, with no values in it.

Constants of the formula are filled in where no value is given. Chooses no formula; answers no question.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, TypeAlias

from mathrag.answer.objects import quantity_object
from mathrag.calculator import (
    Evaluation,
    Failure,
    choose_values,
    convert,
    evaluate_formula,
    fill_constants,
    python_text,
    read_unit,
    read_value,
    resolve_symbol,
    solve,
    understood,
)
from mathrag.compute.patience import Patience, one_computation
from mathrag.compute.printers.latex import latex_text
from mathrag.errors import AmbiguousUnitError, DimensionError, MathragError, SolveError, UsageError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.library.ask.results import Amount, Computed, Curve, Solved, SolvedForm
from mathrag.library.opened import OpenLibrary
from mathrag.reason.computing.step import in_unit
from mathrag.reason.computing.validity import SymbolFacts, as_counted, facts_of
from mathrag.settings import load_settings
from mathrag.types.expression import Equation, Reading, equation_symbols
from mathrag.types.json_value import Json
from mathrag.types.quantity import Dimension, Quantity, Unit

if TYPE_CHECKING:
    from mathrag.language.quantities.mention import Mention
    from mathrag.types.library import Formula

Scale: TypeAlias = Literal["linear", "logarithmic"]
# More points than a screen is wide show nothing new.
MOST_POINTS = 1_000
# Of the processor. A page waits for the whole curve; whoever needs longer asks for fewer points.
SWEEP_SECONDS = 10.0
# A number with its unit is short. Longer texts are sent by mistake or by strangers.
_LONGEST_VALUE = 200


@dataclass(frozen=True, slots=True)
class Prepared:
    """A formula with the values it gets; `sources` says where those come from that the user did not give, `facts` how
    each symbol takes its values."""

    formula: Formula
    equation: Equation
    target: str
    values: Mapping[str, Quantity]
    sources: Mapping[str, str]
    unit: Unit | None
    facts: Mapping[str, SymbolFacts]


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """What a formula gave; `value` is in the unit asked for, else in that of the document."""

    prepared: Prepared
    evaluation: Evaluation
    value: Quantity


def computed(
    library: OpenLibrary,
    *,
    formula: str,
    values: Mapping[str, str | float],
    solve_for: str | None = None,
    unit: str | None = None,
) -> Computed:
    """The value of one symbol of a formula: see `Library.compute`."""
    worked = work_out(library, formula=formula, values=_texts(values), solve_for=solve_for, unit=unit)
    prepared, result = worked.prepared, worked.evaluation
    return Computed(
        formula=prepared.formula.id,
        label=prepared.formula.label,
        symbol=prepared.target,
        result=Amount(worked.value),
        values={name: Amount(quantity) for name, quantity in prepared.values.items()},
        sources=dict(prepared.sources),
        others=tuple(map(Amount, result.others)),
        rearranged="" if result.rearranged is None else python_text(result.rearranged),
        method=result.method,
        notes=tuple(result.notes),
    )


def compute(
    library: OpenLibrary,
    *,
    formula: str,
    values: Mapping[str, str],
    solve_for: str | None = None,
    unit: str | None = None,
) -> Json:
    """What `computed` gives, as data for programs and pages; values by symbol such as `{"m": "2 kg"}`."""
    worked = work_out(library, formula=formula, values=values, solve_for=solve_for, unit=unit)
    prepared, result = worked.prepared, worked.evaluation
    return {
        "formula": prepared.formula.id,
        "label": prepared.formula.label,
        "symbol": prepared.target,
        **quantity_object(worked.value),
        "method": result.method,
        "rearranged": None if result.rearranged is None else python_text(result.rearranged),
        "rearranged_latex": None if result.rearranged is None else latex_text(result.rearranged),
        "values": {
            name: {**quantity_object(quantity), "source": prepared.sources.get(name, "given")}
            for name, quantity in prepared.values.items()
        },
        "others": [quantity_object(other) for other in result.others],
        "notes": list(result.notes),
    }


def work_out(
    library: OpenLibrary,
    *,
    formula: str,
    values: Mapping[str, str],
    solve_for: str | None = None,
    unit: str | None = None,
) -> WorkedOut:
    """What `compute` gives as data, as it was computed."""
    prepared = _prepared(library, formula, values, solve_for=solve_for, unit=unit)
    missing = _missing(prepared)
    if missing:
        raise UsageError(f"values are missing for {', '.join(missing)}")
    seconds = load_settings().solve_seconds
    reading = Reading("", (prepared.equation,))
    result = evaluate_formula(reading, _counted(prepared), symbol=prepared.target, seconds=seconds)
    result = replace(result, others=tuple(_stated(prepared, other) for other in result.others))
    return WorkedOut(prepared, result, _stated(prepared, result.value))


def _counted(prepared: Prepared) -> dict[str, Quantity]:
    """The values as the formula counts them, such as turns a minute as so many a minute."""
    return {name: as_counted(quantity, prepared.facts[name]) for name, quantity in prepared.values.items()}


def sweep(
    library: OpenLibrary,
    *,
    formula: str,
    values: Mapping[str, str],
    symbol: str,
    start: str,
    stop: str,
    points: int = 60,
    scale: Scale = "linear",
    solve_for: str | None = None,
    unit: str | None = None,
) -> Json:
    """The result against one input that goes from `start` to `stop`; points without a value have None."""
    if not 2 <= points <= MOST_POINTS:
        raise UsageError(f"a range has 2 to {MOST_POINTS} points, not {points}")
    prepared = _prepared(library, formula, {**values, symbol: start}, solve_for=solve_for, unit=unit)
    name = resolve_symbol(symbol, equation_symbols(prepared.equation))
    if name == prepared.target:
        raise UsageError(f"{name} cannot be varied and computed at the same time")
    missing = _missing(prepared)
    if missing:
        raise UsageError(f"values are missing for {', '.join(missing)}")
    first = prepared.values[name]
    ending = _values(prepared.formula, prepared.equation, {name: read_value(_short(stop))})[name]
    last = convert(_with_unit(prepared.formula, name, ending), first.unit)
    seconds, patience = load_settings().solve_seconds, Patience(SWEEP_SECONDS)
    reading, made, shown = Reading("", (prepared.equation,)), [], prepared.unit
    fixed = _counted(prepared)
    with one_computation():
        for x in range_points(float(first.value), float(last.value), points, scale):
            if patience.is_over:
                raise UsageError(f"computing {points} points takes too long; ask for fewer")
            given = {**fixed, name: as_counted(Quantity(x, first.unit), prepared.facts[name])}
            y: Quantity | None
            try:
                y = evaluate_formula(reading, given, symbol=prepared.target, seconds=seconds).value
                y = _stated(prepared, y, shown)
            except MathragError:
                y = None
            if y is not None:
                shown = y.unit
            made.append((x, None if y is None or not math.isfinite(y.value) else float(y.value)))
    return {
        "formula": prepared.formula.id,
        "label": prepared.formula.label,
        "symbol": name,
        "symbol_unit": first.unit.text,
        "target": prepared.target,
        "unit": "" if shown is None else shown.text,
        "points": [{"x": x, "y": y} for x, y in made],
        "values": {
            other: {**quantity_object(quantity), "source": prepared.sources.get(other, "given")}
            for other, quantity in prepared.values.items()
            if other != name
        },
    }


def curve(
    library: OpenLibrary,
    *,
    formula: str,
    values: Mapping[str, str | float],
    symbol: str,
    start: str | float,
    stop: str | float,
    points: int = 60,
    scale: Scale = "linear",
    solve_for: str | None = None,
    unit: str | None = None,
) -> Curve:
    """The result against one input, in Python: see `Library.sweep`."""
    found = sweep(
        library,
        formula=formula,
        values=_texts(values),
        symbol=symbol,
        start=_text(start),
        stop=_text(stop),
        points=points,
        scale=scale,
        solve_for=solve_for,
        unit=unit,
    )
    kept = {name: str(found[name]) for name in ("formula", "label", "symbol", "symbol_unit", "target", "unit")}
    return Curve(
        **kept, x=tuple(point["x"] for point in found["points"]), y=tuple(point["y"] for point in found["points"])
    )


def _texts(values: Mapping[str, str | float]) -> dict[str, str]:
    return {name: _text(value) for name, value in values.items()}


def _text(value: str | float) -> str:
    """As a person would type it; a number keeps all its digits."""
    return value if isinstance(value, str) else repr(value)


def _prepared(
    library: OpenLibrary, identifier: str, values: Mapping[str, str], *, solve_for: str | None, unit: str | None
) -> Prepared:
    found = library.formula(identifier)
    if found.equation is None or found.status != "executable":
        raise UsageError(f"{found.label or found.id} is {found.status}, so it cannot be computed: {found.reason}")
    symbols = equation_symbols(found.equation)
    target = resolve_symbol(solve_for, symbols) if solve_for else found.target
    if target is None:
        raise UsageError(f"say which symbol to solve for: one of {', '.join(symbols)}")
    mentions = {
        resolve_symbol(name, symbols): read_value(_short(text)) for name, text in values.items() if text.strip()
    }
    mentions.pop(target, None)
    quantities = _values(found, found.equation, mentions)
    quantities = {name: _with_unit(found, name, quantity) for name, quantity in quantities.items()}
    for name, quantity in quantities.items():
        _check_dimension(found, name, quantity)
    sources: dict[str, str] = {}
    for name, (quantity, source) in {
        **fill_constants((found.equation,), quantities, asked=target),
        **_own_constants(library, found),
    }.items():
        if name not in quantities and name != target:
            quantities[name], sources[name] = quantity, source
    facts = {name: facts_of(name, formula=found, equation=found.equation) for name in {target, *quantities}}
    return Prepared(found, found.equation, target, quantities, sources, _result_unit(found, target, unit), facts)


def _result_unit(formula: Formula, target: str, unit: str | None) -> Unit | None:
    """The unit asked for; one that can mean two things is meant as the document gives the symbol, else as it stands."""
    if not unit:
        return None
    try:
        return read_unit(_short(unit), prefer=_dimensions(formula, target))
    except AmbiguousUnitError:
        return read_canonical_unit(unit)


def _short(text: str) -> str:
    if len(text) > _LONGEST_VALUE:
        raise UsageError(f"a value has at most {_LONGEST_VALUE} characters")
    return text


def _values(formula: Formula, equation: Equation, mentions: Mapping[str, Mention]) -> dict[str, Quantity]:
    """One quantity for each value. An ambiguous unit is meant as the document gives the symbol, else as it fits."""
    settled = {name: _settled(mention, _dimensions(formula, name)) for name, mention in mentions.items()}
    try:
        return choose_values((equation,), settled)
    except AmbiguousUnitError:
        return choose_values((equation,), {name: _as_written(mention) for name, mention in settled.items()})


def _settled(mention: Mention, possible: Sequence[Dimension]) -> Mention:
    fitting = tuple(unit for unit in mention.units if unit.dimension in possible)
    return replace(mention, units=fitting) if len(mention.units) > 1 and len(fitting) == 1 else mention


def _as_written(mention: Mention) -> Mention:
    """`F/m` is farad per metre before it is a difference of degrees; a lone `C` stays ambiguous."""
    exact = tuple(unit for unit in mention.units if "/" in unit.text and mention.text.endswith(f" {unit.text}"))
    return replace(mention, units=exact) if len(exact) == 1 else mention


def _dimensions(formula: Formula, name: str) -> list[Dimension]:
    """Those that the document, or another reading of it, gives a symbol."""
    readings = (formula.symbols, *(one.symbols for one in formula.alternatives))
    known = [symbol.dimension for symbols in readings for symbol in symbols if symbol.name == name]
    return [dimension for dimension in known if dimension is not None]


def _with_unit(formula: Formula, name: str, quantity: Quantity) -> Quantity:
    """A plain number is meant in the unit that the document gives the symbol."""
    meaning = next((symbol for symbol in formula.symbols if symbol.name == name), None)
    if meaning is None or not meaning.unit or quantity.unit.text:
        return quantity
    return Quantity(quantity.value, read_canonical_unit(meaning.unit), quantity.uncertainty)


def _check_dimension(formula: Formula, name: str, quantity: Quantity) -> None:
    """A value must be of the dimension that the document, or another reading of it, gives the symbol."""
    possible = _dimensions(formula, name)
    if possible and quantity.dimension not in possible:
        unit = next((symbol.unit for symbol in formula.symbols if symbol.name == name and symbol.unit), "")
        said = f"; give it in {unit}" if unit else ""
        raise DimensionError(f"{name} cannot be {quantity.value:g} {quantity.unit.text or '(a plain number)'}{said}")


def _own_constants(library: OpenLibrary, formula: Formula) -> dict[str, tuple[Quantity, str]]:
    """Constants of the library that the formula's symbols name."""
    found: dict[str, tuple[Quantity, str]] = {}
    for symbol in formula.symbols:
        if symbol.constant is None or not symbol.constant.startswith("c-"):
            continue
        for constant in library.find_constants(symbol.constant):
            value = constant.value if isinstance(constant.value, Decimal) else Decimal(constant.value)
            found[symbol.name] = (
                Quantity(
                    float(value), read_canonical_unit(constant.unit) if constant.unit else read_value("1").quantity.unit
                ),
                constant.name or constant.symbol,
            )
    return found


def _missing(prepared: Prepared) -> list[str]:
    return [
        name for name in equation_symbols(prepared.equation) if name != prepared.target and name not in prepared.values
    ]


def _stated(prepared: Prepared, value: Quantity, unit: Unit | None = None) -> Quantity:
    """A result in the unit asked for, else in that which the document gives the symbol, where it fits."""
    facts, asked = prepared.facts[prepared.target], unit or prepared.unit
    if asked is not None:
        return in_unit(value, asked, facts)
    if facts.meaning is None or not facts.meaning.unit:
        return value
    try:
        return in_unit(value, read_canonical_unit(facts.meaning.unit), facts)
    except MathragError:
        return value


def range_points(first: float, last: float, points: int, scale: str) -> list[float]:
    """Numbers from one to another one, evenly spaced or evenly multiplied."""
    if not (math.isfinite(first) and math.isfinite(last)) or first == last:
        raise UsageError("a range goes from one number to another one")
    if scale == "logarithmic":
        if first <= 0 or last <= 0:
            raise UsageError("a logarithmic range has positive ends")
        ratio = math.log(last / first)
        return [first * math.exp(ratio * step / (points - 1)) for step in range(points)]
    return [first + (last - first) * step / (points - 1) for step in range(points)]


# Solve a formula of a library, or one that is written out, for a symbol in closed form. Puts no values in.


def solve_formula(library: OpenLibrary, formula: str, symbol: str) -> Solved:
    """A formula, by its id or label or as LaTeX or text, solved for a symbol."""
    equations = _equations(library, formula)
    names = {name for equation in equations for name in equation_symbols(equation)}
    wanted = resolve_symbol(symbol, sorted(names))
    settings = load_settings()
    failure = ""
    for equation in equations:
        if wanted not in equation_symbols(equation):
            continue
        found = solve(equation, wanted, seconds=settings.solve_seconds, megabytes=settings.solve_megabytes)
        if isinstance(found, Failure):
            failure = found.message
            continue
        return Solved(
            wanted,
            tuple(
                SolvedForm(wanted, python_text(one.expression), latex_text(one.expression), one.is_default, one.note)
                for one in found.solutions
            ),
        )
    raise SolveError(f"it was not solved for {wanted}: {failure or 'the symbol does not occur in it'}")


def _equations(library: OpenLibrary, formula: str) -> tuple[Equation, ...]:
    if library.find_formulas(formula):
        known = library.formula(formula)
        if known.equation is None:
            raise UsageError(f"{known.label or known.id} cannot be computed with: {known.reason}")
        return (known.equation,)
    equations = understood(formula).equations
    if not equations:
        raise UsageError("there is no equation; give the id of a formula, or write one with an equals sign")
    return equations
