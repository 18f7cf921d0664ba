"""Lines that cite a library: a formula or constant by its name, and questions with values put into them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mathrag.calculator import in_kind
from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.compute.evaluate.floats import holds
from mathrag.compute.printers.latex import symbol_latex
from mathrag.compute.printers.plaintext import plain_comparison, plain_symbol
from mathrag.compute.unknowns import evaluate_unknown
from mathrag.types.expression import Comparison, Equation, Expression, Symbol, equation_symbols, substitute, symbols_of
from mathrag.types.quantity import Quantity
from mathrag.worksheets.computing import (
    LineError,
    Scope,
    computed_definition,
    lost_notes,
    measured_definition,
    wanted_unit,
    worked,
)
from mathrag.worksheets.definitions import Definition, Measured, measured_behind
from mathrag.worksheets.lines import Citation, Question
from mathrag.worksheets.results import LineResult, amount_latex, amount_text
from mathrag.worksheets.seams import CitedConstant, CitedFormula

_BRACED = re.compile(r"\{\s*([^{}\s]+)\s*\}")
_SECONDS = 3.0


def names_in_question(text: str) -> tuple[str, ...]:
    """The names in braces."""
    return tuple(dict.fromkeys(_BRACED.findall(text)))


def citation(line: Citation, scope: Scope) -> LineResult:
    """A formula with values for all its symbols but one, or a constant."""
    found = scope.sources.cited(line.cited)
    if isinstance(found, CitedConstant):
        if line.bindings:
            raise LineError(f"{found.link.label} is a constant; it takes no values")
        return _constant(line, scope, found)
    inputs = _bound(line, scope, found)
    equation, unknown = _chosen(found, inputs)
    values = {name: each.quantity for name, each in inputs.items()}
    solved = evaluate_unknown(equation, unknown, values, seconds=_SECONDS)
    if isinstance(solved, Failure):
        raise LineError(f"{found.link.label}: {solved.message}")
    _check(found.conditions, {**values, unknown: solved.value}, found.link.label)
    unit = wanted_unit(line.wanted, solved.value.dimension)
    notes = list(found.warnings)
    if solved.others:
        others = " or ".join(amount_text(in_kind(each, unit) if unit else each) for each in solved.others)
        notes.append(f"the formula also allows {plain_symbol(unknown)} = {others}")
    if solved.rearranged is None:
        value = solved.value if unit is None else in_kind(solved.value, unit)
        definition = _searched(line.name, value, inputs, scope)
        tree: Expression = Symbol(unknown)
        text, latex = _plain_result(line.name, definition)
        notes.append(f"found by number: {'; '.join(solved.notes)}")
    else:
        tree = solved.rearranged
        used = {name: inputs[name] for name in symbols_of(tree)}
        flat, inner = _flattened(line, scope, tree, used)
        definition = computed_definition(scope, line.name, flat, inner, unit=unit)
        text, latex = worked(definition, tree, used)
    return LineResult(
        scope.number,
        line,
        "value",
        text=text,
        latex=latex,
        answer=amount_text(definition.shown),
        definitions=(definition,),
        notes=(*lost_notes(definition), *notes),
        links=(found.link,),
    )


def _constant(line: Citation, scope: Scope, found: CitedConstant) -> LineResult:
    quantity, unit = found.quantity, wanted_unit(line.wanted, found.quantity.dimension)
    if unit is not None:
        quantity = in_kind(quantity, unit)
    if quantity.uncertainty:
        limit = quantity.uncertainty * abs(quantity.unit.scale)
        definition = measured_definition(scope, line.name, quantity, Measured(limit))
    else:
        definition = Definition(
            f"{scope.id}:{line.name}", line.name, scope.number, Quantity(quantity.value, quantity.unit)
        )
    text, latex = _plain_result(line.name, definition)
    return LineResult(
        scope.number,
        line,
        "value",
        text=text,
        latex=latex,
        answer=amount_text(definition.shown),
        definitions=(definition,),
        links=(found.link,),
    )


def _plain_result(name: str, definition: Definition) -> tuple[str, str]:
    shown = definition.shown
    return f"{plain_symbol(name)} = {amount_text(shown)}", f"{symbol_latex(name)} = {amount_latex(shown)}"


def _bound(line: Citation, scope: Scope, found: CitedFormula) -> dict[str, Definition]:
    """The values that the line gives the symbols of the formula, each as a definition of its own."""
    known = {name for equation in found.equations for name in equation_symbols(equation)}
    inputs: dict[str, Definition] = {}
    for symbol, formula in line.bindings:
        if symbol not in known:
            raise LineError(f"{found.link.label} has no symbol {symbol}; it has {', '.join(sorted(known))}")
        behind = scope.inputs(formula.tree)
        inputs[symbol] = computed_definition(scope, symbol, formula.tree, behind)
    return inputs


def _chosen(found: CitedFormula, inputs: Mapping[str, Definition]) -> tuple[Equation, str]:
    """The equation in which one symbol is open, and that symbol."""
    fewest: list[str] = []
    for equation in found.equations:
        open_names = [name for name in equation_symbols(equation) if name not in inputs]
        if len(open_names) == 1:
            return equation, open_names[0]
        if not fewest or len(open_names) < len(fewest):
            fewest = open_names
    if not fewest:
        raise LineError(f"every symbol of {found.link.label} has a value; leave out the one to compute")
    raise LineError(f"{found.link.label} needs values for all but one of {', '.join(fewest)}")


def _flattened(
    line: Citation, scope: Scope, tree: Expression, used: Mapping[str, Definition]
) -> tuple[Expression, dict[str, Definition]]:
    """The formula over names of the sheet: what is bound to an expression is put in for its symbol."""
    inner = {symbol: formula.tree for symbol, formula in line.bindings if symbol in used}
    flat = substitute(tree, inner)
    return flat, scope.inputs(flat)


def _check(conditions: tuple[Comparison, ...], values: Mapping[str, Quantity], label: str) -> None:
    for each in conditions:
        left, right = evaluate_quantity(each.left, values), evaluate_quantity(each.right, values)
        if isinstance(left, Failure) or isinstance(right, Failure):
            continue
        if left.dimension == right.dimension and not holds(each.relation, left.si_value, right.si_value):
            raise LineError(f"{label} holds only for {plain_comparison(each)}")


def _searched(name: str, value: Quantity, inputs: Mapping[str, Definition], scope: Scope) -> Definition:
    """A value without a tree: what is uncertain behind it is said to be lost."""
    lost = dict.fromkeys(each.name for each in measured_behind(inputs.values()))
    lost.update(dict.fromkeys(each for one in inputs.values() for each in one.untracked))
    plain = Quantity(value.value, value.unit)
    return Definition(f"{scope.id}:{name}", name, scope.number, plain, untracked=tuple(lost))


def question(line: Question, scope: Scope) -> LineResult:
    """What the library answers, with the values of names in braces put into the question."""
    inputs = {name: scope.definition(name) for name in names_in_question(line.text)}
    asked = _BRACED.sub(lambda found: amount_text(inputs[found.group(1)].quantity), line.text)
    found = scope.sources.ask(asked)
    if found.refusal:
        raise LineError(found.refusal)
    if found.quantity is None:
        if line.name or line.wanted:
            raise LineError(f"the answer is no quantity: {found.text}")
        return LineResult(scope.number, line, "value", text=found.text, answer=found.text, links=found.links)
    unit = wanted_unit(line.wanted, found.quantity.dimension)
    value = in_kind(found.quantity, unit) if unit else found.quantity
    definition = _searched(line.name, value, inputs, scope)
    name = plain_symbol(line.name) if line.name else ""
    answer = amount_text(definition.shown)
    return LineResult(
        scope.number,
        line,
        "value",
        text=f"{name} = {answer}" if name else found.text,
        latex=f"{symbol_latex(line.name)} = {amount_latex(definition.shown)}" if line.name else "",
        answer=answer,
        definitions=(definition,),
        notes=lost_notes(definition),
        links=found.links,
    )
