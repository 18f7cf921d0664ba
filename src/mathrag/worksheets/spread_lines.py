"""Lines that ask how sure a result is: the budget of linear propagation, the worst case, Monte Carlo, as text."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

from mathrag.answer.figures import number_text
from mathrag.compute.printers.latex import symbol_latex
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.compute.printers.units import plain_unit
from mathrag.knowledge.units import coherent_unit
from mathrag.types.quantity import Quantity
from mathrag.worksheets.computing import Scope
from mathrag.worksheets.definitions import Definition
from mathrag.worksheets.lines import Spread
from mathrag.worksheets.results import FIGURES, LineResult, Row, amount_latex, amount_text
from mathrag.worksheets.spreads import Contribution, linear, monte_carlo, worst_case


def spread(line: Spread, scope: Scope) -> LineResult:
    """The uncertainty of a result by one of the methods."""
    target = scope.definition(line.name)
    if line.method == "uncertainty":
        return _linear(line, scope, target)
    return _worst(line, scope, target) if line.method == "worst" else _monte_carlo(line, scope, target)


def _linear(line: Spread, scope: Scope, target: Definition) -> LineResult:
    found = linear(target)
    return _result(line, scope, target, amount_text(target.shown), amount_latex(target.shown),
                   notes=("linear propagation of standard uncertainties; values that share a source vary together",),
                   rows=_rows(found.contributions, target))  # fmt: skip


def _worst(line: Spread, scope: Scope, target: Definition) -> LineResult:
    found = worst_case(target)
    low = _outwards(_in_own_unit(found.low, target), ROUND_FLOOR)
    high = _outwards(_in_own_unit(found.high, target), ROUND_CEILING)
    bounds = f"{amount_text(low)} … {amount_text(high)}"
    how = "reached at the ends of the values" if found.is_reached else "not all of it need be reached"
    return _result(line, scope, target, bounds,
                   f"{amount_latex(low)} \\ldots {amount_latex(high)}",
                   notes=(f"interval arithmetic, every ± a hard limit: encloses all results; {how}",))  # fmt: skip


def _monte_carlo(line: Spread, scope: Scope, target: Definition) -> LineResult:
    found = monte_carlo(target, samples=line.samples, seed=line.seed)
    scale = abs(target.quantity.unit.scale)
    mean = _in_own_unit(found.mean, target)
    shown = Quantity(mean.value, mean.unit, found.deviation / scale)
    quantiles = {share: amount_text(_in_own_unit(each, target)) for share, each in found.quantiles.items()}
    middle = f"68 % between {quantiles[0.16]} and {quantiles[0.84]}"
    notes = (
        f"{found.samples:,} samples, seed {found.seed}: mean and standard deviation",
        f"median {quantiles[0.5]}; {middle}; 95 % between {quantiles[0.025]} and {quantiles[0.975]}",
    )
    return _result(line, scope, target, amount_text(shown), amount_latex(shown), notes=notes,
                   rows=_rows(found.contributions, target))  # fmt: skip


def _result(
    line: Spread,
    scope: Scope,
    target: Definition,
    answer: str,
    latex: str,
    *,
    notes: tuple[str, ...],
    rows: tuple[Row, ...] = (),
) -> LineResult:
    return LineResult(
        scope.number,
        line,
        "value",
        text=f"{plain_symbol(target.name)} = {answer}",
        latex=f"{symbol_latex(target.name)} = {latex}",
        answer=answer,
        notes=notes,
        rows=rows,
    )


def _outwards(quantity: Quantity, rounding: str) -> Quantity:
    """A bound with six figures, rounded away from what it bounds."""
    exact = Decimal(repr(float(quantity.value)))
    return Quantity(float(Context(prec=FIGURES, rounding=rounding).create_decimal(exact)), quantity.unit)


def _in_own_unit(value: float, target: Definition) -> Quantity:
    """A number in SI in the unit in which the result is shown."""
    unit = target.quantity.unit
    is_difference = unit.is_absolute_temperature and target.name.startswith("Delta_")
    return Quantity((value - (0.0 if is_difference else unit.offset)) / unit.scale, unit)


def _rows(contributions: tuple[Contribution, ...], target: Definition) -> tuple[Row, ...]:
    roots = {each.name: each for each in target.roots.values()}
    rows = []
    for each in contributions:
        dimension = roots[each.name].dimension
        spread = Quantity(float(f"{each.standard:.3g}"), coherent_unit(dimension))
        slope = ""
        if each.slope is not None:
            per = coherent_unit(target.dimension / dimension)
            slope = f"{number_text(each.slope, 4)} {plain_unit(per.text)}".strip()
        rows.append(Row(each.name, amount_text(spread), slope, each.share))
    return tuple(rows)
