"""What a line needs to compute: the names it sees, values with units and derivatives, and how a calculation reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from mathrag.calculator import in_kind
from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.compute.evaluate.quantities import slopes_of
from mathrag.compute.printers.latex import latex_text, number_latex, symbol_latex
from mathrag.compute.printers.plaintext import plain_formula, plain_symbol
from mathrag.compute.printers.units import latex_unit
from mathrag.errors import MathragError, UnitError
from mathrag.knowledge.units import coherent_unit, read_canonical_unit, read_unit
from mathrag.types.expression import (
    Expression,
    Measure,
    Negate,
    Number,
    Symbol,
    multiply,
    number,
    substitute,
    symbols_of,
)
from mathrag.types.quantity import Dimension, Quantity, Unit
from mathrag.worksheets.definitions import Definition, Measured
from mathrag.worksheets.expressions import has_shifted_temperature
from mathrag.worksheets.results import amount_latex, amount_text
from mathrag.worksheets.seams import Sources

_MEASURE = re.compile(r"\\SI\{([^{}]*)\}\{([^{}]*)\}")


class LineError(MathragError):
    """A line cannot be computed; `cause` is the line at fault where it is another."""

    def __init__(self, message: str, *, cause: int | None = None) -> None:
        super().__init__(message)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Failed:
    """A name whose line went wrong."""

    line: int


@dataclass(slots=True)
class Scope:
    """What a line sees: the names defined before it, its own number and id, and the library."""

    names: dict[str, Definition | Failed]
    number: int
    id: str
    sources: Sources

    def definition(self, name: str) -> Definition:
        """What a name stands for here."""
        found = self.names.get(name)
        if found is None:
            raise LineError(f"{plain_symbol(name)} has no value here; define it on a line above")
        if isinstance(found, Failed):
            raise LineError(f"{plain_symbol(name)} comes from line {found.line}, which has an error", cause=found.line)
        return found

    def inputs(self, tree: Expression) -> dict[str, Definition]:
        """The definitions behind the symbols of a tree."""
        return {name: self.definition(name) for name in symbols_of(tree)}


# Values and formulas: the number, its unit and its uncertainty.


def measured_definition(scope: Scope, name: str, quantity: Quantity, measured: Measured) -> Definition:
    """A value that was measured: the root of an uncertainty."""
    plain = Quantity(quantity.value, quantity.unit)
    bare = Definition(
        f"{scope.id}:{name}", name, scope.number, plain, measured=measured, slopes={f"{scope.id}:{name}": 1.0}
    )
    return replace(bare, roots={bare.id: bare})


def computed_definition(
    scope: Scope, name: str, tree: Expression, inputs: Mapping[str, Definition], *, unit: Unit | None = None
) -> Definition:
    """A value computed from others, in the unit asked for or the usual one, with its derivatives."""
    values = {each: inputs[each].quantity for each in symbols_of(tree)}
    found = own_quantity(tree, values)
    if found is None:
        evaluated = evaluate_quantity(tree, values)
        if isinstance(evaluated, Failure):
            raise LineError(evaluated.message)
        found = in_kind(evaluated, _usual_unit(evaluated.dimension, values))
    kept, tree = _in_unit(found, unit, tree)
    kept = _in_range(kept)
    roots = {key: root for each in inputs.values() for key, root in each.roots.items()}
    untracked = tuple(dict.fromkeys(name for each in inputs.values() for name in each.untracked))
    slopes = _slopes(tree, inputs) if roots else {}
    return Definition(
        f"{scope.id}:{name}",
        name,
        scope.number,
        kept,
        tree,
        dict(inputs),
        slopes=slopes,
        roots=roots,
        untracked=untracked,
    )


def _usual_unit(dimension: Dimension, values: Mapping[str, Quantity]) -> Unit:
    """The unit of a value that measures the same (kN m stays kN m), else the SI unit of the dimension."""
    units = (each.unit for each in values.values() if each.dimension == dimension and not each.unit.offset)
    return coherent_unit(dimension) if dimension.is_dimensionless else next(units, coherent_unit(dimension))


def own_quantity(tree: Expression, values: Mapping[str, Quantity]) -> Quantity | None:
    """The quantity of a tree that only states one, in the unit in which it is stated; None for a calculation."""
    inner, sign = (tree.operand, -1) if isinstance(tree, Negate) else (tree, 1)
    if isinstance(inner, Symbol):
        quantity = values[inner.name]
        return quantity if sign == 1 else None
    if isinstance(inner, Number):
        return Quantity(sign * (inner.value if isinstance(inner.value, int) else float(inner.value)))
    if isinstance(inner, Measure):
        literal = inner.number.value
        plain = literal if isinstance(literal, int) else float(literal)
        return Quantity(sign * plain, read_canonical_unit(inner.unit))
    if has_shifted_temperature(tree):
        raise LineError("a temperature in °C or °F stands alone: give it a name on its own line, or write it in K")
    return None


def _in_unit(found: Quantity, unit: Unit | None, tree: Expression) -> tuple[Quantity, Expression]:
    if unit is None:
        return found, tree
    try:
        converted = in_kind(found, unit)
    except UnitError as error:
        raise LineError(str(error)) from error
    if found.unit.offset or unit.offset or not found.value:
        return converted, tree
    # From turns to angles and back there is a factor besides the units, which whoever computes again must know.
    factor = (converted.value * unit.scale) / (found.value * found.unit.scale)
    if abs(factor - 1.0) > 1e-9:
        return converted, multiply(tree, number(Decimal(repr(factor))))
    return converted, tree


def _in_range(quantity: Quantity) -> Quantity:
    value = quantity.value
    if isinstance(value, float) and value - value != 0.0:
        raise LineError(f"the result is too large a number in {quantity.unit.text or 'floating point'}")
    if isinstance(value, int) and value.bit_length() > 1_000:
        raise LineError("the result is too large a number to be shown")
    return quantity


def _slopes(tree: Expression, inputs: Mapping[str, Definition]) -> dict[str, float]:
    """Derivatives by the measured values: those of this tree by its symbols, then along each of them."""
    marked = {
        name: replace(each.quantity, uncertainty=1.0 / abs(each.quantity.unit.scale)) if each.roots else each.quantity
        for name, each in inputs.items()
    }
    own = slopes_of(tree, marked)
    if isinstance(own, Failure):
        raise LineError(own.message)
    total: dict[str, float] = {}
    for name, slope in own.items():
        for key, along in inputs[name].slopes.items():
            total[key] = total.get(key, 0.0) + slope * along
    return total


def wanted_unit(text: str, dimension: Dimension | None = None) -> Unit | None:
    """The unit behind the arrow of a line; what is ambiguous is settled by the dimension it must have."""
    if not text:
        return None
    return read_unit(text, prefer=[] if dimension is None else [dimension])


def lost_notes(definition: Definition) -> tuple[str, ...]:
    """That an uncertainty does not come along, where it does not."""
    if not definition.untracked:
        return ()
    return (f"without the uncertainty of {', '.join(map(plain_symbol, definition.untracked))}",)


def worked(
    definition: Definition, tree: Expression, inputs: Mapping[str, Definition], *, head: str | None = None
) -> tuple[str, str]:
    """A calculation as text and as LaTeX: the formula, the same with its values, the result."""
    name = definition.name if head is None else head
    texts = [plain_symbol(name)] if name else []
    latex = [symbol_latex(name)] if name else []
    is_stated = isinstance(tree, Number | Measure) or (
        isinstance(tree, Negate) and isinstance(tree.operand, Number | Measure)
    )
    if not is_stated:
        texts.append(plain_formula(tree))
        latex.append(_with_plain_units(latex_text(tree)))
        if inputs and not isinstance(tree, Symbol):
            shown = {each: _short(one.quantity) for each, one in inputs.items()}
            texts.append(plain_formula(tree, {each: amount_text(one) for each, one in shown.items()}))
            inserted = substitute(tree, {each: _as_tree(one) for each, one in shown.items()})
            latex.append(_with_plain_units(latex_text(inserted)))
    texts.append(amount_text(definition.shown))
    latex.append(amount_latex(definition.shown))
    return " = ".join(texts), " = ".join(latex)


def _with_plain_units(latex: str) -> str:
    """Numbers with units as every renderer of LaTeX shows them, without the package siunitx."""
    return _MEASURE.sub(lambda found: number_latex(Decimal(found.group(1))) + latex_unit(found.group(2)), latex)


def _short(quantity: Quantity) -> Quantity:
    if isinstance(quantity.value, int):
        return quantity
    return Quantity(float(f"{quantity.value:.6g}"), quantity.unit)


def _as_tree(quantity: Quantity) -> Expression:
    """A quantity as a tree, for printing."""
    value = quantity.value
    plain: int | Decimal = value if isinstance(value, int) else Decimal(repr(value))
    if isinstance(plain, Decimal) and plain == plain.to_integral_value() and abs(plain) < 10**6:
        plain = int(plain)
    size = Number(-plain if plain < 0 else plain)
    tree: Expression = Measure(size, quantity.unit.text) if quantity.unit.text else size
    return Negate(tree) if plain < 0 else tree
