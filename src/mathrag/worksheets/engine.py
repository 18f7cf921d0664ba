"""A worksheet computed from top to bottom: names are looked up as they stand at each line, and a change computes anew
only what depends on it. An error stays at its line; lines that need what failed say which line it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from mathrag.calculator import in_kind
from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.compute.patience import Computation, Patience, one_computation
from mathrag.compute.printers.latex import symbol_latex
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.errors import MathragError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.expression import Symbol, symbols_of
from mathrag.types.quantity import Quantity
from mathrag.worksheets.citing import citation, names_in_question, question
from mathrag.worksheets.computing import (
    Failed,
    LineError,
    Scope,
    computed_definition,
    lost_notes,
    measured_definition,
    own_quantity,
    wanted_unit,
    worked,
)
from mathrag.worksheets.definitions import Definition, Measured
from mathrag.worksheets.lines import (
    Assignment,
    Blank,
    Citation,
    Formula,
    Goal,
    Heading,
    Line,
    Plot,
    Question,
    Spread,
    System,
    Text,
    UnitUse,
    Unread,
    Value,
)
from mathrag.worksheets.reading import read_worksheet
from mathrag.worksheets.results import LineResult, Problem, Results, amount_latex, amount_text
from mathrag.worksheets.seams import NoLibrary, Sources
from mathrag.worksheets.searching import goal, plot, system
from mathrag.worksheets.spread_lines import spread
from mathrag.worksheets.writing import write_line

# Of the processor.
SECONDS = 30.0
MOST_KEPT = 5_000


class Engine:
    """Computes worksheets over one library, keeping what it computed for the next time."""

    def __init__(self, sources: Sources | None = None, *, seconds: float = SECONDS) -> None:
        self.sources: Sources = sources or NoLibrary()
        self.seconds = seconds
        self._kept: dict[str, LineResult] = {}

    def run(self, text: str) -> Results:
        """The results of a worksheet, line by line."""
        with one_computation() as computation:
            return self._run(text, computation)

    def _run(self, text: str, computation: Computation) -> Results:
        patience = Patience(self.seconds)
        names: dict[str, Definition | Failed] = {}
        found: list[LineResult] = []
        computed: set[int] = set()
        repeated: dict[str, int] = {}
        told: set[str] = set()
        version = self.sources.version
        for place, line in enumerate(read_worksheet(text), 1):
            written = write_line(line)
            repeated[written] = repeated.get(written, 0) + 1
            key = _key(line, written, repeated[written], names, version)
            kept = self._kept.get(key)
            if kept is None:
                scope = Scope(dict(names), place, key, self.sources)
                given_up = computation.times
                kept = self._computed(line, scope, is_late=patience.is_over)
                computed.add(place)
                # There may be time for it the next time.
                is_whole = computation.times == given_up
                if is_whole and (kept.problem is None or kept.problem.cause is None):
                    self._keep(key, kept)
            result = replace(kept, number=place, notes=(*_untold(kept, told), *kept.notes))
            found.append(result)
            for name in defined_names(line):
                names[name] = next((each for each in result.definitions if each.name == name), Failed(place))
        return Results(tuple(found), frozenset(computed))

    def _keep(self, key: str, result: LineResult) -> None:
        while len(self._kept) >= MOST_KEPT:
            self._kept.pop(next(iter(self._kept)), None)
        self._kept[key] = result

    def _computed(self, line: Line, scope: Scope, *, is_late: bool) -> LineResult:
        if isinstance(line, Unread):
            return LineResult(scope.number, line, "error", problem=Problem(line.reason, line.column + 1))
        if is_late and not isinstance(line, Blank | Heading | Text):
            reason = f"the worksheet took longer than {self.seconds:g} s; this line was not computed"
            return LineResult(scope.number, line, "error", problem=Problem(reason, cause=scope.number))
        try:
            result = _dispatch(line, scope)
            return replace(result, shadows=_shadow_notes(line, scope))
        except LineError as error:
            return LineResult(scope.number, line, "error", problem=Problem(str(error), cause=error.cause))
        except MathragError as error:
            return LineResult(scope.number, line, "error", problem=Problem(str(error)))


def _untold(result: LineResult, told: set[str]) -> tuple[str, ...]:
    new = tuple(each for each in result.shadows if each not in told)
    told.update(new)
    return new


def _key(line: Line, written: str, repeated: int, names: Mapping[str, Definition | Failed], version: str) -> str:
    """What a line gives depends on this alone: its text, and what the names in it stand for."""
    used = sorted(used_names(line))
    parts = [written, str(repeated), version if isinstance(line, Citation | Question) else ""]
    for name in used:
        found = names.get(name)
        parts.append(f"{name}={found.id if isinstance(found, Definition) else found}")
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def _formulas(line: Line) -> tuple[Formula, ...]:
    match line:
        case Assignment(_, formula):
            return (formula,)
        case Citation(_, _, bindings):
            return tuple(formula for _, formula in bindings)
        case System(equations):
            return tuple(side for sides in equations for side in sides)
        case Plot(formula, _, low, high) | Goal(formula, low=low, high=high):
            return (formula, low, high, line.target) if isinstance(line, Goal) else (formula, low, high)
        case _:
            return ()


def used_names(line: Line) -> set[str]:
    """The names of the sheet that a line may depend on, units that could be meant as names among them."""
    names = {name for each in _formulas(line) for name in symbols_of(each.tree)}
    names |= {name for each in _formulas(line) for use in each.units for name in use.names}
    if isinstance(line, Plot | Goal):
        names.add(line.variable)
    if isinstance(line, Spread):
        names.add(line.name)
    if isinstance(line, Question):
        names |= set(names_in_question(line.text))
    return names


def defined_names(line: Line) -> tuple[str, ...]:
    """The names that a line gives a value."""
    match line:
        case Value(name) | Assignment(name) | Citation(name) | Question(name) | Goal(name=name):
            return (name,) if name else ()
        case System(_, unknowns):
            return unknowns
        case _:
            return ()


def _shadow_notes(line: Line, scope: Scope) -> tuple[str, ...]:
    """Units that are also names of the sheet: told, or refused where nobody can know which is meant."""
    notes: dict[str, None] = {}
    for use in (use for formula in _formulas(line) for use in formula.units):
        taken = [name for name in use.names if name in scope.names]
        if not taken:
            continue
        _refuse_odd_unit(use, taken)
        listed = " and ".join(taken)
        notes[f"{use.text} behind a number is the unit, not the value {listed}"] = None
    return tuple(notes)


def _refuse_odd_unit(use: UnitUse, taken: list[str]) -> None:
    if not use.is_usual:
        raise LineError(
            f"is {use.text} a unit, or does it use the value {' and '.join(taken)}? write [{use.text}] for the unit, "
            "or blanks around * and / for the value"
        )


def _dispatch(line: Line, scope: Scope) -> LineResult:
    match line:
        case Blank() | Heading() | Text():
            return LineResult(scope.number, line, "text")
        case Value():
            return _value(line, scope)
        case Assignment():
            return _assignment(line, scope)
        case Citation():
            return citation(line, scope)
        case Question():
            return question(line, scope)
        case System():
            return system(line, scope)
        case Plot():
            return plot(line, scope)
        case Goal():
            return goal(line, scope)
        case Spread():
            return spread(line, scope)
        case Unread():
            raise LineError(line.reason)
    assert_never(line)


# Values and formulas.


def _value(line: Value, scope: Scope) -> LineResult:
    unit = read_canonical_unit(line.unit)
    quantity = Quantity(line.number, unit, line.spread)
    measured = Measured(line.spread * abs(unit.scale), line.distribution)
    wanted = wanted_unit(line.wanted)
    if wanted is not None:
        quantity = in_kind(quantity, wanted)
    definition = measured_definition(scope, line.name, quantity, measured)
    answer = amount_text(definition.shown if line.distribution == "normal" else quantity)
    latex = amount_latex(definition.shown if line.distribution == "normal" else quantity)
    notes: tuple[str, ...] = ()
    if line.distribution != "normal":
        standard = Quantity(float(f"{measured.standard / abs(quantity.unit.scale):.3g}"), quantity.unit)
        notes = (f"{line.distribution} within these limits: standard uncertainty {amount_text(standard)}",)
    return LineResult(
        scope.number,
        line,
        "value",
        text=f"{plain_symbol(line.name)} = {answer}",
        latex=f"{symbol_latex(line.name)} = {latex}",
        answer=answer,
        definitions=(definition,),
        notes=notes,
    )


def _assignment(line: Assignment, scope: Scope) -> LineResult:
    tree = line.formula.tree
    if isinstance(tree, Symbol) and not line.name and tree.name not in scope.names:
        raise LineError(f'{plain_symbol(tree.name)} has no value here; define it on a line above, or begin text with "')
    inputs = scope.inputs(tree)
    like = None
    if line.wanted:
        values = {name: each.quantity for name, each in inputs.items()}
        stated = own_quantity(tree, values)
        found = stated if stated is not None else evaluate_quantity(tree, values)
        if isinstance(found, Failure):
            raise LineError(found.message)
        like = found
    unit = wanted_unit(line.wanted, None if like is None else like.dimension)
    definition = computed_definition(scope, line.name, tree, inputs, unit=unit)
    text, latex = worked(definition, line.formula.tree, inputs)
    return LineResult(
        scope.number,
        line,
        "value",
        text=text,
        latex=latex,
        answer=amount_text(definition.shown),
        definitions=(definition,),
        notes=lost_notes(definition),
    )
