"""Lines that search: systems of equations solved together, curves over a range, and the value that meets a goal."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from mathrag.calculator import in_kind
from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.evaluate import Failure, compile_expression, evaluate_quantity
from mathrag.compute.printers.latex import symbol_latex
from mathrag.compute.printers.plaintext import plain_formula, plain_symbol
from mathrag.compute.printers.units import plain_unit
from mathrag.compute.solve.numeric import STEPS, solve_numeric
from mathrag.compute.solve.systems import Branch, Combined, combine, holds_at, in_si
from mathrag.errors import UnitError
from mathrag.knowledge.units import coherent_unit
from mathrag.types.expression import Equation, Expression, Symbol, equation_symbols, number, substitute, symbols_of
from mathrag.types.quantity import Dimension, Quantity, Unit
from mathrag.worksheets.computing import (
    LineError,
    Scope,
    computed_definition,
    lost_notes,
    own_quantity,
    wanted_unit,
)
from mathrag.worksheets.definitions import Definition, composed, measured_behind
from mathrag.worksheets.lines import Formula, Goal, Plot, System
from mathrag.worksheets.results import Curve, LineResult, amount_latex, amount_text

_POINTS = 161
_STEPS = 3 * STEPS
_SYSTEM_SECONDS = 6.0
_FREE = "free_value"


# Systems: every unknown in closed form, checked in all equations.


def system(line: System, scope: Scope) -> LineResult:
    """The unknowns of a system, each from the values above; a system with several solutions is refused with them."""
    equations = line.trees
    names = dict.fromkeys(name for each in equations for name in equation_symbols(each))
    missing = [name for name in line.unknowns if name not in names]
    if missing:
        raise LineError(f"{missing[0]} does not occur in the equations")
    inputs = {name: scope.definition(name) for name in names if name not in line.unknowns}
    _agree(equations, inputs, line.unknowns)
    values = {name: each.si_value for name, each in inputs.items()}
    solutions = _solutions(equations, line.unknowns, inputs, values)
    if not solutions:
        raise LineError("no real solution satisfies all the equations with these values")
    if len(solutions) > 1:
        listed = "; or ".join(_listed(one) for one in _defined(solutions, scope, inputs))
        raise LineError(f"the equations have {len(solutions)} solutions: {listed}; add a line that says which is meant")
    (found,) = _defined(solutions, scope, inputs)
    definitions = tuple(found[name] for name in line.unknowns)
    return LineResult(
        scope.number,
        line,
        "value",
        text=_listed(found),
        latex=",\\quad ".join(f"{symbol_latex(each.name)} = {amount_latex(each.shown)}" for each in definitions),
        answer=_listed(found),
        definitions=definitions,
        notes=tuple(dict.fromkeys(note for each in definitions for note in lost_notes(each))),
    )


def _listed(solution: Mapping[str, Definition]) -> str:
    return ", ".join(f"{plain_symbol(name)} = {amount_text(each.shown)}" for name, each in solution.items())


def _agree(equations: tuple[Equation, ...], inputs: Mapping[str, Definition], unknowns: tuple[str, ...]) -> None:
    known = {name: each.dimension for name, each in inputs.items()}
    for _ in unknowns:
        for equation in equations:
            report = check_dimensions(equation, known)
            if report.status == "inconsistent":
                raise LineError(report.disagreements[0].message)
            known.update({name: found for name, found in report.dimensions.items() if name in unknowns})


def _solutions(
    equations: tuple[Equation, ...],
    unknowns: tuple[str, ...],
    inputs: Mapping[str, Definition],
    values: Mapping[str, float],
) -> list[dict[str, Expression]]:
    """The distinct real solutions as trees over known symbols; each was put back into all equations."""
    found: list[tuple[dict[str, Expression], dict[str, float]]] = []
    first = combine(equations, unknowns[0], tuple(inputs), values=values, seconds=_SYSTEM_SECONDS)
    if isinstance(first, Failure):
        raise LineError(first.message)
    for branch in first.branches:
        if branch.equation.target != unknowns[0]:
            raise LineError("the equations have no closed solution; use goal with a range instead")
        trees = _all_unknowns(equations, unknowns, inputs, branch, first)
        for one in trees:
            numbers = _numbers(one, values)
            if numbers is None or not _holds(equations, {**values, **numbers}):
                continue
            if not any(_is_same(numbers, other) for _, other in found):
                found.append((one, numbers))
    return [trees for trees, _ in found]


def _all_unknowns(
    equations: tuple[Equation, ...],
    unknowns: tuple[str, ...],
    inputs: Mapping[str, Definition],
    branch: Branch,
    combined: Combined,
) -> list[dict[str, Expression]]:
    """Every unknown for one value of the first: those that were eliminated follow from it, the rest are solved for."""
    trees: dict[str, Expression] = {unknowns[0]: _side(branch.equation, unknowns[0])}
    for name, expression in reversed(branch.derived):
        trees[name] = substitute(expression, trees)
    open_names = [name for name in unknowns if name not in trees]
    if not open_names:
        return [{name: trees[name] for name in unknowns}]
    rest = tuple(
        Equation(substitute(each.left, trees), substitute(each.right, trees))
        for place, each in enumerate(equations)
        if place not in combined.used
    )
    known = tuple(inputs)
    following = combine(rest, open_names[0], known, seconds=_SYSTEM_SECONDS) if rest else None
    if following is None or isinstance(following, Failure):
        raise LineError(
            f"{open_names[0]} is not determined by the equations" if following is None else following.message
        )
    found: list[dict[str, Expression]] = []
    for each in following.branches:
        if each.equation.target == open_names[0]:
            further = _all_unknowns(rest, tuple(open_names), inputs, each, following)
            found.extend({name: {**trees, **more}[name] for name in unknowns} for more in further)
    return found


def _side(equation: Equation, target: str) -> Expression:
    return equation.right if equation.left == Symbol(target) else equation.left


def _numbers(trees: Mapping[str, Expression], values: Mapping[str, float]) -> dict[str, float] | None:
    found: dict[str, float] = {}
    order = list(values)
    for name, tree in trees.items():
        value = compile_expression(in_si(tree), order)(*values.values())
        if isinstance(value, Failure):
            return None
        found[name] = value
    return found


def _holds(equations: tuple[Equation, ...], values: Mapping[str, float]) -> bool:
    anything = Equation(number(1), number(1))
    return holds_at(equations, Branch(anything, ()), values)


def _is_same(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    return all(abs(one[name] - other[name]) <= 1e-9 * max(abs(one[name]), abs(other[name]), 1e-300) for name in one)


def _defined(
    solutions: list[dict[str, Expression]], scope: Scope, inputs: Mapping[str, Definition]
) -> list[dict[str, Definition]]:
    return [
        {
            name: computed_definition(scope, name, tree, {each: inputs[each] for each in symbols_of(tree)})
            for name, tree in one.items()
        }
        for one in solutions
    ]


# One value moving through a range.


def _moving(formula: Formula, variable: str, scope: Scope, dimension: Dimension) -> tuple[Expression, Dimension]:
    """The formula over the moving value alone, in SI, and the dimension of what it gives."""
    at_hand = scope.names.get(variable)
    free = at_hand if isinstance(at_hand, Definition) else None
    if free is not None and free.dimension != dimension:
        raise LineError(
            f"{plain_symbol(variable)} is in {free.quantity.unit.text or 'plain numbers'}, its range is not"
        )
    inputs = {name: scope.definition(name) for name in symbols_of(formula.tree) if name != variable or free is not None}
    if free is None:
        placeholder = Quantity(1.0, coherent_unit(dimension))
        free = Definition(f"{scope.id}:free", variable, scope.number, placeholder)
        inputs = {**inputs, **({variable: free} if variable in symbols_of(formula.tree) else {})}
    tree = composed(formula.tree, inputs, free, _FREE)
    if tree is None:
        raise LineError("what stands behind this result is too long; plot or seek an earlier one")
    if _FREE not in symbols_of(tree):
        raise LineError(f"{formula.text} does not depend on {plain_symbol(variable)}")
    return tree, _dimension(formula, inputs)


def _dimension(formula: Formula, inputs: Mapping[str, Definition]) -> Dimension:
    """The dimension of a formula, whatever its values; found by dimensions alone, for a value may be missing there."""

    known = {name: each.dimension for name, each in inputs.items()}
    if isinstance(formula.tree, Symbol):
        return known[formula.tree.name]
    report = check_dimensions(Equation(Symbol("result_of_formula"), formula.tree), known)
    if report.status == "inconsistent":
        raise LineError(report.disagreements[0].message)
    found = report.dimensions.get("result_of_formula")
    if found is None:
        raise LineError(f"the dimension of {formula.text} is not known")
    return found


def _amount(formula: Formula, scope: Scope) -> Quantity:
    inputs = scope.inputs(formula.tree)
    values = {name: each.quantity for name, each in inputs.items()}
    stated = own_quantity(formula.tree, values)
    if stated is not None:
        return Quantity(stated.value, stated.unit)
    found = evaluate_quantity(formula.tree, values)
    if isinstance(found, Failure):
        raise LineError(found.message)
    return found


def _bounds(low: Formula, high: Formula, scope: Scope) -> tuple[Quantity, Quantity]:
    """The two ends of a range, in the unit of the upper one; a bare zero takes any unit."""
    first, last = _amount(low, scope), _amount(high, scope)
    if first.value == 0 and not first.unit.text and last.unit.text:
        first = Quantity(0.0, last.unit)
    try:
        first = in_kind(first, last.unit)
    except UnitError as error:
        raise LineError(f"the ends of the range do not fit: {error}") from error
    if not first.value < last.value:
        raise LineError("the range must rise: the smaller value first")
    return first, last


def plot(line: Plot, scope: Scope) -> LineResult:
    """A curve over a range."""
    first, last = _bounds(line.low, line.high, scope)
    tree, dimension = _moving(line.formula, line.variable, scope, last.dimension)
    unit = _plot_unit(line, scope, dimension)
    compiled = compile_expression(tree, [_FREE])
    span = last.value - first.value
    points: list[tuple[float, float | None]] = []
    for step in range(_POINTS):
        at = first.value + span * step / (_POINTS - 1)
        found = compiled(Quantity(at, last.unit).si_value)
        points.append((at, None if isinstance(found, Failure) else (found - unit.offset) / unit.scale))
    if all(y is None for _, y in points):
        raise LineError("there is no value anywhere in this range")
    name = plain_formula(line.formula.tree)
    words = f"{name} for {plain_symbol(line.variable)} from {amount_text(first)} to {amount_text(last)}"
    gaps = sum(y is None for _, y in points)
    return LineResult(
        scope.number,
        line,
        "value",
        text=words,
        answer=words,
        notes=(f"{gaps} of {len(points)} points have no value",) if gaps else (),
        curve=Curve(
            plain_symbol(line.variable), plain_unit(last.unit.text), name, plain_unit(unit.text), tuple(points)
        ),
    )


def _plot_unit(line: Plot, scope: Scope, dimension: Dimension) -> Unit:
    wanted = wanted_unit(line.wanted, dimension)
    if wanted is not None:
        if wanted.dimension != dimension:
            raise LineError(f"{line.formula.text} is not measured in {line.wanted}")
        return wanted
    if isinstance(line.formula.tree, Symbol):
        shown = scope.names.get(line.formula.tree.name)
        if isinstance(shown, Definition):
            return shown.quantity.unit
    return coherent_unit(dimension)


def goal(line: Goal, scope: Scope) -> LineResult:
    """The values of a variable at which a result meets its goal; all that are found in the range are told."""
    first, last = _bounds(line.low, line.high, scope)
    tree, dimension = _moving(line.formula, line.variable, scope, last.dimension)
    target = _amount(line.target, scope)
    if target.dimension != dimension and not (target.value == 0 and not target.unit.text):
        raise LineError(f"{line.formula.text} has the dimension {dimension}, its goal {target.dimension}")
    wanted = number_of(target.si_value)
    bracket = (first.si_value, last.si_value)
    found = solve_numeric(Equation(tree, wanted), _FREE, {}, bracket=bracket, steps=_STEPS)
    if isinstance(found, Failure):
        if found.code != "no_solution":
            raise LineError(found.message)
        raise LineError(
            f"no {plain_symbol(line.variable)} from {amount_text(first)} to {amount_text(last)} makes "
            f"{line.formula.text} = {amount_text(target)}"
        )
    unit = last.unit
    roots = [Quantity((each - unit.offset) / unit.scale, unit) for each in found]
    listed = " or ".join(map(amount_text, roots))
    if line.name and len(roots) > 1:
        raise LineError(f"{len(roots)} values meet the goal: {listed}; narrow the range to the one that is meant")
    definitions: tuple[Definition, ...] = ()
    if line.name:
        inputs = {
            name: each
            for name in symbols_of(line.formula.tree)
            if isinstance(each := scope.names.get(name), Definition)
        }
        free = scope.names.get(line.variable)
        lost = [
            each.name
            for each in measured_behind(inputs.values())
            if not isinstance(free, Definition) or each.id != free.id
        ]
        definitions = (Definition(f"{scope.id}:{line.name}", line.name, scope.number, roots[0], untracked=tuple(lost)),)
    name = line.name or line.variable
    notes = [f"{line.formula.text} = {amount_text(target)} there"]
    notes += ["all values found in the range" if len(roots) > 1 else "the only value found in the range"]
    notes += [note for each in definitions for note in lost_notes(each)]
    return LineResult(
        scope.number,
        line,
        "value",
        text=f"{plain_symbol(name)} = {listed}",
        latex=f"{symbol_latex(name)} = " + "\\ \\text{or}\\ ".join(map(amount_latex, roots)),
        answer=listed,
        definitions=definitions,
        notes=tuple(notes),
    )


def number_of(value: float) -> Expression:
    """A number in SI as a tree."""
    return number(Decimal(repr(float(value))))
