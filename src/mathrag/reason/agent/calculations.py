"""Calculations that a planner writes itself: an expression over values of the episode, formulas put together, functions
of one variable. Each becomes one equation, made for this question alone, and is computed like any formula.

What a planner writes is read by our own grammar. Every name in it must be a value of the episode, every number be
structural or quoted from the question; units are checked as everywhere.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from mathrag.compute.calculus import definite_integral, derivative, is_maximum, is_minimum, stationary
from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.evaluate import Failure
from mathrag.compute.evaluate.compiled import compile_expression
from mathrag.compute.limits import equation_at_limit, has_limit
from mathrag.compute.printers.latex import latex_text
from mathrag.compute.printers.plaintext import plain_formula
from mathrag.compute.pythontext import read_python_text
from mathrag.compute.solve.numeric_systems import NumericRoot, numeric_roots
from mathrag.compute.solve.systems import Branch, Combined, combine, holds_at
from mathrag.knowledge.kinds import kind, kinds_for_words
from mathrag.knowledge.units import coherent_unit, difference_of
from mathrag.knowledge.units.families import family_of
from mathrag.language.spoken_numbers import strange_words
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.agent.action_inputs import WHICH_ROOTS, Calculus, Computation, System, is_plain_name
from mathrag.reason.agent.formula_tools import find_value
from mathrag.reason.agent.number_sources import has_numbers, is_same
from mathrag.reason.agent.quoted_values import (
    cancels,
    constant_in_disguise,
    is_plain_arithmetic,
    passage_of,
    unit_called,
    unquoted_number,
)
from mathrag.reason.agent.seams import Problem, Source, Workbench
from mathrag.reason.agent.state import EpisodeState
from mathrag.reason.computing import StepFailure, compute_step
from mathrag.reason.computing.validity import TEMPERATURE
from mathrag.reason.computing.worked_lines import plain_quantity
from mathrag.types.answer import Bound, PlannedStep, Provenance, Step
from mathrag.types.expression import (
    Declined,
    Equation,
    Expression,
    Symbol,
    equation_symbols,
    rename_equation,
    rename_symbols,
    substitute,
    symbols_of,
)
from mathrag.types.library import MADE_ID, Formula, SymbolMeaning, Validity
from mathrag.types.quantity import Dimension, Quantity, Unit

OWN_ARITHMETIC = "calculation of this question"
_LONGEST_MEANING = 80
_MOST_READINGS = 12
_JOINTS = word_class("questions.stop_words")
# What algebra could not do in its time may still be done by number; what it refuses for a reason stays refused.
_LEFT_BY_ALGEBRA = ("unsolved", "timeout")
_DIFFERENCE_KIND = "temperature_difference"
_DIFFERENCE = "this is a difference of temperatures: as many kelvins as degrees Celsius"
BY_NUMBER = "solved by number: all equations were checked with the values found"
# A root is the value of one of its equations, computed anew, when both agree so far.
_SAME_ROOT = 1e-6
_REACHED = re.compile(rf"\b(?:{any_of('questions.reached_limits')})\b")


@dataclass(frozen=True, slots=True)
class _Draft:
    """An equation over values of the episode, by the names under which they are shown. `claim` is what the planner says
    that it is: for a judge, and for nobody else."""

    equation: Equation
    target: str
    bindings: tuple[Bound, ...]
    label: str
    meaning: str = ""
    symbols: tuple[SymbolMeaning, ...] = ()
    parts: tuple[Formula, ...] = ()
    conditions: tuple[Validity, ...] = ()
    notes: tuple[str, ...] = ()
    claim: str = ""


def compute_expression(inputs: Computation, state: EpisodeState) -> Step | Problem:
    """The value of an expression."""
    read = _read(inputs, state)
    if isinstance(read, Problem):
        return read
    # Only the whole: a place or a term may be at nothing, as the start of an integral is.
    nothing = constant_in_disguise(read, zero=True)
    if nothing is read:
        return _says_nothing(nothing)
    return _value_of(read, inputs, state)


def slope_of(inputs: Calculus, state: EpisodeState) -> Step | Problem:
    """The derivative of a function at a place."""
    read = _read_function(inputs, state, {"at": inputs.at})
    if isinstance(read, Problem):
        return read
    body, places = read
    found = derivative(body, inputs.variable)
    if isinstance(found, Failure):
        return Problem(found.code, found.message)
    return _value_of(substitute(found, {inputs.variable: places["at"]}), inputs.function, state)


def integral_of(inputs: Calculus, state: EpisodeState) -> Step | Problem:
    """The integral of a function between two places."""
    read = _read_function(inputs, state, {"lower": inputs.lower, "upper": inputs.upper})
    if isinstance(read, Problem):
        return read
    body, places = read
    found = definite_integral(body, inputs.variable, places["lower"], places["upper"], values=_sizes(state))
    if isinstance(found, Failure):
        return Problem(found.code, found.message)
    return _value_of(found, inputs.function, state)


def extremum_of(inputs: Calculus, state: EpisodeState) -> Step | Problem:
    """Where a function is greatest or least."""
    read = _read_function(inputs, state, {})
    if isinstance(read, Problem):
        return read
    body, _ = read
    equation = stationary(body, inputs.variable)
    if isinstance(equation, Failure):
        return Problem(equation.code, equation.message)
    draft = _draft_of(equation, inputs.variable, inputs.function, state)
    step = _computed(draft, state, unit=inputs.function.unit)
    if isinstance(step, Problem):
        return step
    is_extreme = is_maximum if inputs.which == "maximum" else is_minimum
    if is_extreme(body, inputs.variable, {**_sizes(state), inputs.variable: step.result.si_value}) is not True:
        return Problem("no_extremum", f"the function has no {inputs.which} where its slope is zero")
    return step


def _sizes(state: EpisodeState) -> dict[str, float]:
    """Every value of the episode in SI, by its name."""
    return {source.id: source.quantities[0].si_value for source in state.ledger}


@dataclass(frozen=True, slots=True)
class _Whole:
    """All equations of a system, those of its formulas first, then the relations; and what is known."""

    equations: tuple[Equation, ...]
    formulas: tuple[Formula, ...]
    inputs: System
    bound: Mapping[str, Bound]

    @property
    def values(self) -> dict[str, float]:
        """What is known, in SI."""
        return {name: each.quantity.si_value for name, each in self.bound.items() if each.quantity is not None}

    @property
    def signs(self) -> dict[str, str]:
        """Which symbols stand for something that is never below zero."""
        meanings = (one for formula in self.formulas for one in formula.symbols)
        signs = {one.name: kind(one.kind).sign for one in meanings if one.kind is not None}
        return {name: sign for name, sign in signs.items() if sign != "any"}


def solve_system(inputs: System, state: EpisodeState, bench: Workbench) -> Step | Problem:
    """One symbol of several formulas, which share symbols by name."""
    whole = _limit_problem(inputs.limit, state) or _whole(inputs, state, bench)
    if isinstance(whole, Problem):
        return whole
    equations, bound, values, signs = whole.equations, whole.bound, whole.values, whole.signs
    combined = combine(equations, inputs.target, set(bound), kinds=signs, values=values)
    if isinstance(combined, Failure):
        if combined.code in _LEFT_BY_ALGEBRA:
            return _solved_by_number(whole, state)
        return Problem(combined.code, combined.message)
    draft = _system_draft(combined.used, whole, state, equation=combined.equation)
    draft = replace(draft, notes=(*draft.notes, *(f"{name} cancels" for name in combined.cancelled)))
    used = [equations[place] for place in combined.used]

    def holds(branch: Branch, result: Quantity) -> bool:
        return holds_at(used, branch, {**values, inputs.target: result.si_value})

    found = _branches_that_hold(combined, draft, bound, holds, state, unit=inputs.unit)
    return found if isinstance(found, Problem) else _the_one_meant(found, inputs, sign=signs.get(inputs.target, "any"))


def _whole(inputs: System, state: EpisodeState, bench: Workbench) -> _Whole | Problem:
    """The equations of a system as a planner names them, with a value for each symbol that has one."""
    formulas = _each(_part(part.formula_id, part.names, inputs, state, bench) for part in inputs.formulas)
    if isinstance(formulas, Problem):
        return formulas
    own = {name for equation in _equations(formulas) for name in equation_symbols(equation)}
    relations = _each(_relation(text, own, inputs, state) for text in inputs.relations)
    if isinstance(relations, Problem):
        return relations
    equations = (*_equations(formulas), *relations)
    symbols = {name for equation in equations for name in equation_symbols(equation)}
    bound = _foreign_symbol(equations, own, inputs, state) or _known(inputs, formulas, symbols, state, bench)
    return bound if isinstance(bound, Problem) else _Whole(equations, tuple(formulas), inputs, bound)


def _foreign_symbol(
    equations: Sequence[Equation], own: set[str], inputs: System, state: EpisodeState
) -> Problem | None:
    """A target that stands nowhere, or a symbol of one relation alone that nobody gives a value: it relates nothing,
    and could only help to make a number of nothing."""
    counts = Counter(name for equation in equations for name in set(equation_symbols(equation)))
    symbols = set(counts)
    if inputs.target not in symbols:
        return Problem("target", f"{inputs.target[:40]} stands in none of these formulas; they have {_listed(symbols)}")
    others = [name for name in symbols - own - {inputs.target, *inputs.known} if counts[name] == 1]
    loose = [name for name in others if state.ledger.get(name) is None]
    if loose:
        return Problem("unknown_symbol", f"{min(loose)[:40]} stands in none of these formulas and has no value")
    return None


def _equations(formulas: Iterable[Formula]) -> Iterator[Equation]:
    for formula in formulas:
        if formula.equation is not None:
            yield formula.equation


def _system_draft(places: Sequence[int], whole: _Whole, state: EpisodeState, *, equation: Equation) -> _Draft:
    """What the formulas that were needed are together, without values yet."""
    formulas, inputs = whole.formulas, whole.inputs
    used = [formulas[place] for place in places if place < len(formulas)]
    stated = [inputs.relations[place - len(formulas)] for place in places if place >= len(formulas)]
    label = " with ".join(dict.fromkeys(formula.label or formula.id for formula in used)) or OWN_ARITHMETIC
    reached = (f"solved at the limit, where both sides are equal: “{inputs.limit}”",) if inputs.limit else ()
    return _Draft(
        equation,
        inputs.target,
        (),
        f"{label}, at the limit" if inputs.limit else label,
        safe_meaning(inputs.meaning, state),
        tuple({one.name: one for formula in used for one in formula.symbols}.values()),
        tuple(state.originals.get(formula.id, formula) for formula in used),
        tuple(condition for formula in used for condition in formula.conditions),
        reached,
        "; ".join((inputs.meaning, *stated)),
    )


_Made = TypeVar("_Made")


def _each(made: Iterable[_Made | Problem]) -> list[_Made] | Problem:
    """All that were made, or the first problem."""
    found: list[_Made] = []
    for each in made:
        if isinstance(each, Problem):
            return each
        found.append(each)
    return found


def _branches_that_hold(
    combined: Combined,
    draft: _Draft,
    bound: Mapping[str, Bound],
    holds: Callable[[Branch, Quantity], bool],
    state: EpisodeState,
    *,
    unit: str,
) -> list[Step] | Problem:
    """The ways to solve a system that its own equations confirm at the values of the question, the usual first."""
    failure: Problem | None = None
    found: list[Step] = []
    for branch in combined.branches:
        needed = equation_symbols(branch.equation)
        bindings = tuple(each for name, each in bound.items() if name in needed)
        step = _computed(replace(draft, equation=branch.equation, bindings=bindings), state, unit=unit)
        if isinstance(step, Problem):
            failure = failure or step
        elif holds(branch, step.result):
            found.append(step)
    if not found:
        return failure or Problem("no_solution", "the formulas cannot all hold with these values")
    return found


def _the_one_meant(found: Sequence[Step], inputs: System, *, sign: str) -> Step | Problem:
    """The one solution among those found that the target can have: the only one, or the one that the planner names.

    The usual one of two that differ in their sign alone is taken, and the other one said. Of others nobody here can say
    which is meant.
    """
    different: list[Step] = []
    for step in found:
        if not any(is_same(step.result, each.result) for each in different):
            different.append(step)
    possible = [step for step in different if _admits(sign, step.result)]
    if not possible:
        return Problem("no_solution", f"{inputs.target[:40]} would be {_shown(different)}, which it cannot be")
    if inputs.which:
        chosen = _named(possible, inputs.which)
        return chosen if isinstance(chosen, Problem) else _one_of(chosen, possible, f"the {inputs.which} one")
    angles = [step for step in possible if family_of(step.result.unit) == "angle"]
    acute = [step for step in angles if 0 < step.result.si_value <= math.pi / 2]
    if len(acute) == 1:
        # Of the angles that have one sine or cosine, the one between two lines is meant, unless somebody says more.
        return _one_of(acute[0], possible, "the angle up to 90°")
    first, *others = possible
    if any(not math.isclose(abs(each.result.si_value), abs(first.result.si_value)) for each in others):
        return Problem(
            "several_solutions",
            f"{inputs.target[:40]} may be {_shown(possible)}; say which the question means: which is one of "
            f"{', '.join(WHICH_ROOTS)}, or use what rules the others out",
        )
    if not others:
        return first
    return replace(
        first,
        others=(*first.others, *(each.result for each in others)),
        warnings=(f"{first.target} has another solution: {_shown(others)}", *first.warnings),
    )


def _admits(sign: str, result: Quantity) -> bool:
    size = result.si_value
    return size > 0 if sign == "positive" else size >= 0 if sign == "non-negative" else True


def _one_of(chosen: Step, possible: Sequence[Step], words: str) -> Step:
    """The solution that is taken, with a word on the others."""
    taken = f"of several solutions ({_shown(possible)}) {words} is taken"
    return replace(chosen, warnings=(taken, *chosen.warnings)) if len(possible) > 1 else chosen


def _named(steps: Sequence[Step], which: str) -> Step | Problem:
    ordered = sorted(steps, key=lambda step: step.result.si_value)
    match which:
        case "least":
            return ordered[0]
        case "greatest":
            return ordered[-1]
    of_sign = [step for step in ordered if (step.result.si_value > 0) is (which == "positive")]
    if not of_sign:
        return Problem("no_solution", f"no solution is {which}: {_shown(steps)}")
    several = Problem("several_solutions", f"several solutions are {which}: {_shown(of_sign)}")
    return of_sign[0] if len(of_sign) == 1 else several


def _shown(steps: Sequence[Step]) -> str:
    return ", ".join(plain_quantity(each.result, max(2, each.significant_figures)) for each in steps)


# By number, where algebra finds no one equation: every unknown has a value then, and what is asked is computed from one
# of the equations with the others' values put in, so that it has units, figures and working like any result.


def _solved_by_number(whole: _Whole, state: EpisodeState) -> Step | Problem:
    inputs, values, signs = whole.inputs, whole.values, whole.signs
    roots = numeric_roots(whole.equations, inputs.target, values)
    if isinstance(roots, Failure):
        return Problem(roots.code, f"{roots.message}; neither algebra nor numbers solve this")
    dimensions = _dimensions(whole)
    found: list[Step] = []
    for root in roots:
        point = {**values, **root.others, inputs.target: root.value}
        can_be = all(_admits(signs.get(name, "any"), Quantity(value)) for name, value in root.others.items())
        if can_be and _all_hold(whole.equations, point):
            step = _at_root(root, whole, dimensions, state)
            if isinstance(step, Problem):
                return step
            found.append(step)
    if not found:
        return Problem("no_solution", "the formulas cannot all hold with these values")
    return _the_one_meant(found, inputs, sign=signs.get(inputs.target, "any"))


def _all_hold(equations: Sequence[Equation], point: Mapping[str, float]) -> bool:
    """Whether values put into every equation that they settle satisfy it, those too that were not needed."""
    settled = [each for each in equations if all(name in point for name in equation_symbols(each))]
    return holds_at(settled, Branch(settled[0], ()), point)


def _dimensions(whole: _Whole) -> dict[str, Dimension]:
    """What is known of the dimensions of all symbols: from values, from meanings, from the equations between them."""
    known = {
        one.name: one.dimension for formula in whole.formulas for one in formula.symbols if one.dimension is not None
    }
    known |= {name: each.quantity.dimension for name, each in whole.bound.items() if each.quantity is not None}
    for _ in whole.equations:
        for equation in whole.equations:
            known = {**check_dimensions(equation, known).dimensions, **known}
    return known


def _at_root(
    root: NumericRoot, whole: _Whole, dimensions: Mapping[str, Dimension], state: EpisodeState
) -> Step | Problem:
    """The target computed by an equation of the system, with the other unknowns as they were found."""
    inputs, bound = whole.inputs, whole.bound
    lacking = [name for name in root.others if name not in dimensions]
    if lacking:
        return Problem("dimension", f"the unit of {lacking[0][:40]} is not known; say what it is by CORRECT_MEANING")
    figures = [each.significant_figures for each in bound.values() if each.significant_figures is not None]
    beside = {
        name: Bound(
            name,
            # Of the same step: it stands and falls with the result.
            Provenance("derived", "found by number, together with the result", step=len(state.steps) + 1),
            Quantity(value, coherent_unit(dimensions[name])),
            significant_figures=min(figures, default=None),
        )
        for name, value in root.others.items()
    }
    failure: Problem | None = None
    for place in root.used:
        equation = whole.equations[place]
        needed = equation_symbols(equation)
        if inputs.target not in needed:
            continue
        draft = _system_draft(root.used, whole, state, equation=equation)
        bindings = tuple(each for name, each in {**bound, **beside}.items() if name in needed)
        draft = replace(draft, bindings=bindings, notes=(BY_NUMBER, *draft.notes))
        step = _computed(draft, state, unit=inputs.unit, near=root.value)
        if isinstance(step, Problem):
            failure = failure or step
        elif math.isclose(step.result.si_value, root.value, rel_tol=_SAME_ROOT):
            return replace(step, others=())
    return failure or Problem("unsolved", f"{inputs.target[:40]} was not found with certainty")


def _limit_problem(quote: str, state: EpisodeState) -> Problem | None:
    """Why the words that a planner names do not ask for the case in which a limit is reached."""
    if not quote:
        return None
    if not passage_of(quote, state.question.text):
        return Problem("quote_not_found", f"the question does not say {quote[:80]!r}; copy its words exactly")
    if not _REACHED.search(quote.casefold()):
        return Problem("no_limit", f"{quote[:80]!r} does not ask for the case in which a limit is reached")
    return None


def is_own_formula(step: Step) -> bool:
    """Whether a step says how quantities go together without a formula of the library behind it."""
    if not step.formula.is_made or step.parts or step.formula.is_proposed:
        return False
    dimensions = {bound.symbol: bound.quantity.dimension for bound in step.bindings if bound.quantity is not None}
    return not is_plain_arithmetic(step.equation.right, dimensions)


def _read(inputs: Computation, state: EpisodeState, *, variable: str = "") -> Expression | Problem:
    """An expression whose names are values of the episode and whose numbers have a reason."""
    expression = _parsed(inputs.expression, state, variable=variable)
    if isinstance(expression, Problem):
        return expression
    problem = unquoted_number(expression, dict(inputs.quotes), state.question.text) or _disguise(expression)
    return problem or expression


def _disguise(expression: Expression, *, zero: bool = False) -> Problem | None:
    part = constant_in_disguise(expression, zero=zero)
    return None if part is None else _says_nothing(part)


def _says_nothing(part: Expression) -> Problem:
    return Problem(
        "number_without_source",
        f"{plain_formula(part)[:80]} is the same whatever its values are: leave it out; a number that words of the "
        "question say comes by DEFINE_VALUE or quotes",
    )


def _parsed(text: str, state: EpisodeState, *, variable: str = "") -> Expression | Problem:
    names = {source.id for source in state.ledger} | ({variable} if variable else set())
    reading = read_python_text(text, symbols=names)
    if isinstance(reading, Declined):
        return Problem("malformed_expression", f"{text[:80]!r} cannot be read: {reading.reason}")
    if reading.expression is None:
        return Problem("malformed_expression", "write one expression without an equals sign")
    unknown = [name for name in symbols_of(reading.expression) if name not in names]
    if unknown:
        known = ", ".join(sorted(names))
        return Problem("unknown_source", f"there is no value {unknown[0][:40]!r}; known: {known[:400]}")
    return reading.expression


def _read_function(
    inputs: Calculus, state: EpisodeState, places: Mapping[str, str]
) -> tuple[Expression, dict[str, Expression]] | Problem:
    if state.ledger.get(inputs.variable) is not None:
        return Problem("malformed_inputs", f"{inputs.variable} is a value already; give the variable another name")
    body = _read(inputs.function, state, variable=inputs.variable)
    if isinstance(body, Problem):
        return body
    if inputs.variable not in symbols_of(body):
        return Problem("malformed_inputs", f"the expression has no {inputs.variable}")
    found: dict[str, Expression] = {}
    for name, text in places.items():
        place = _read(replace(inputs.function, expression=text), state)
        if isinstance(place, Problem):
            return place
        found[name] = place
    return body, found


def _value_of(expression: Expression, inputs: Computation, state: EpisodeState) -> Step | Problem:
    """What an expression over values of the episode comes to."""
    target = f"y_{len(state.steps) + 1}"
    return _computed(_draft_of(Equation(Symbol(target), expression), target, inputs, state), state, unit=inputs.unit)


def _draft_of(equation: Equation, target: str, inputs: Computation, state: EpisodeState) -> _Draft:
    used = [name for name in equation_symbols(equation) if name != target]
    names = _shown_names(used, state, taken=(target,))
    bindings = []
    for identifier, name in names.items():
        source = state.ledger.get(identifier)
        assert source is not None
        bindings.append(_bound(name, source))
    return _Draft(
        rename_equation(equation, names),
        target,
        tuple(bindings),
        OWN_ARITHMETIC,
        safe_meaning(inputs.meaning, state),
        symbols=tuple(SymbolMeaning(bound.symbol, bound.description) for bound in bindings),
        claim=inputs.meaning,
    )


def _bound(name: str, source: Source, quantity: Quantity | None = None) -> Bound:
    return Bound(
        name,
        source.provenance,
        quantity or source.quantities[0],
        description=source.provenance.words if source.provenance.origin != "derived" else "",
        significant_figures=source.significant_figures,
    )


def _shown_names(identifiers: Sequence[str], state: EpisodeState, *, taken: Sequence[str] = ()) -> dict[str, str]:
    """Under which name each value is shown: its own symbol where it has one that is free."""
    names: dict[str, str] = {}
    used = set(taken)
    for identifier in identifiers:
        source = state.ledger.get(identifier)
        if source is None:
            continue
        wanted = source.symbol if source.symbol.isidentifier() and source.symbol.isascii() else f"x_{len(names) + 1}"
        name, number = wanted, 1
        while name in used:
            number += 1
            name = f"{wanted}_{number}"
        names[identifier] = name
        used.add(name)
    return names


def safe_meaning(meaning: str, state: EpisodeState) -> str:
    """A planner's name for a result, where it consists of words that the question and the formulas use or is the name
    of a quantity; else nothing, for a name can say anything."""
    words = meaning.strip()[:_LONGEST_MEANING]
    if not words or not words.isprintable() or has_numbers(words) or strange_words(words, frozenset()):
        return ""
    if kinds_for_words(words):
        return words
    known = state.known_words()
    said = [word.strip(".,;:()'\"").casefold() for word in words.split()]
    return words if all(word in known or word in _JOINTS for word in said if word) else ""


def _computed(draft: _Draft, state: EpisodeState, *, unit: str, near: float | None = None) -> Step | Problem:
    """The draft carried out, in the unit wanted or asked for; other readings of a value are tried where one misfits."""
    wanted = unit_called(unit) if unit else None
    if isinstance(wanted, Problem):
        return wanted
    if not draft.bindings:
        return Problem("number_without_source", "this rests on no value: use those of the question and the documents")
    number = len(state.steps) + 1
    kinds = kinds_for_words(draft.meaning)[:1]
    own = next((one for one in draft.symbols if one.name == draft.target), None)
    named = _temperature_kind(draft) or (kinds[0].id if kinds else None)
    target = own or SymbolMeaning(draft.target, draft.meaning, kind=named)
    notes = draft.notes
    if own is None and named == _DIFFERENCE_KIND:
        notes = (*notes, _DIFFERENCE)
        wanted = wanted if unit or state.question.units else _degrees(draft)
    others = tuple(one for one in draft.symbols if one.name != draft.target)
    formula = Formula(
        f"{MADE_ID}{number}",
        "",
        draft.label,
        latex_text(draft.equation),
        "executable",
        (),
        draft.equation,
        intent=draft.claim,
        symbols=(target, *others),
        conditions=draft.conditions,
    )
    failure: Problem | None = None
    for bindings in _readings(draft.bindings, state):
        planned = PlannedStep(formula, draft.equation, draft.target, bindings)
        step = _in_unit(planned, number, wanted, state, near=near)
        if not isinstance(step, StepFailure):
            return replace(step, parts=draft.parts, warnings=(*notes, *step.warnings))
        failure = failure or Problem(step.code, step.message)
        if step.code != "dimension":
            break
    assert failure is not None
    return failure


def _temperature_kind(draft: _Draft) -> str | None:
    """Whether what is computed from temperatures is a temperature or a difference of some, by what it does when all of
    them are shifted alike: a difference stays, a temperature goes along. None where that tells nothing.

    A planner's name for it would not do: 15 °C more and 15 °C are 258 degrees apart.
    """
    sizes = {bound.symbol: bound.quantity for bound in draft.bindings if bound.quantity is not None}
    shifted = _temperatures(draft)
    if draft.equation.target != draft.target or not shifted or len(sizes) < len(draft.bindings):
        return None
    dimensions = check_dimensions(draft.equation, {name: each.dimension for name, each in sizes.items()}).dimensions
    if dimensions.get(draft.target) != TEMPERATURE:
        return None
    function = compile_expression(draft.equation.right, tuple(sizes))
    values = [
        function(*(each.si_value + (shift if name in shifted else 0.0) for name, each in sizes.items()))
        for shift in (0.0, 1.0, 2.5)
    ]
    numbers = [each for each in values if not isinstance(each, Failure)]
    if len(numbers) < len(values):
        return None
    largest = max(abs(each.si_value) for each in shifted.values())
    moves = numbers[1] - numbers[0], (numbers[2] - numbers[0]) / 2.5
    for rate, found in ((0.0, _DIFFERENCE_KIND), (1.0, "temperature")):
        if all(abs(move - rate) <= 1e-9 * largest for move in moves):
            return found
    return None


def _temperatures(draft: _Draft) -> dict[str, Quantity]:
    """The values that are temperatures, not differences of some."""
    found = {bound.symbol: bound.quantity for bound in draft.bindings if bound.quantity is not None}
    return {
        name: each
        for name, each in found.items()
        if each.dimension == TEMPERATURE and not each.unit.text.startswith("delta_")
    }


def _degrees(draft: _Draft) -> Unit | None:
    """The unit of a difference between temperatures that are all stated in one scale."""
    units = {each.unit.text: each.unit for each in _temperatures(draft).values()}
    return difference_of(next(iter(units.values()))) if len(units) == 1 else None


def _in_unit(
    planned: PlannedStep, number: int, wanted: Unit | None, state: EpisodeState, *, near: float | None
) -> Step | StepFailure:
    """The step in the unit that the planner wants, else in one that the question asks for, else in a usual one."""
    if wanted is None and state.question.units:
        tried = compute_step(planned, number, results={}, is_shown=False)
        if isinstance(tried, StepFailure):
            return tried
        wanted = next((each for each in state.question.units if each.dimension == tried.result.dimension), None)
    return compute_step(planned, number, results={}, unit=wanted, near=near)


def _readings(bindings: tuple[Bound, ...], state: EpisodeState) -> list[tuple[Bound, ...]]:
    """The bindings, and with one of them in another reading of its unit (5 C is a charge or a temperature)."""
    found = [bindings]
    for place, bound in enumerate(bindings):
        source = next((each for each in state.ledger if each.provenance == bound.provenance), None)
        others = () if source is None else source.quantities[1:]
        found += [(*bindings[:place], replace(bound, quantity=one), *bindings[place + 1 :]) for one in others]
    return found[:_MOST_READINGS]


# Systems: formulas of the library under other names for their symbols.


_NAME_THE_LIMIT = (
    "states a limit: it holds as an equation only where that is reached; if the question asks for that case, give its "
    "words in limit, such as the minimum or at most"
)


def _with_equation(formula_id: str, inputs: System, state: EpisodeState, bench: Workbench) -> Formula | Problem:
    """A formula of a system; one that states a limit as the equation that holds where the limit is reached."""
    formula = state.formula_called(formula_id, bench)
    if not isinstance(formula, Problem) or formula.code != "not_executable":
        return formula
    identifier = state.formula_id_called(formula_id)
    known = {each.id: each for each in state.formulas()}
    declined = None if isinstance(identifier, Problem) else known.get(identifier) or bench.formula(identifier)
    if declined is None or not has_limit(declined.latex, "latex"):
        return formula
    if not inputs.limit:
        return Problem("limit_not_named", f"{declined.label or declined.id} {_NAME_THE_LIMIT}")
    equation = equation_at_limit(declined.latex, "latex")
    if isinstance(equation, Declined):
        return Problem("not_executable", f"this formula cannot be computed at its limit: {equation.reason}")
    return replace(declined, equation=equation)


def _part(
    formula_id: str, names: Mapping[str, str], inputs: System, state: EpisodeState, bench: Workbench
) -> Formula | Problem:
    formula = _with_equation(formula_id, inputs, state, bench)
    if isinstance(formula, Problem):
        return formula
    assert formula.equation is not None
    symbols = equation_symbols(formula.equation)
    foreign = [name for name in names if name not in symbols]
    if foreign:
        return Problem(
            "unknown_symbol", f"{formula.label or formula.id} has no {foreign[0][:40]}; it has {_listed(symbols)}"
        )
    kept = {name: names.get(name, name) for name in symbols}
    dimensions = {one.name: one.dimension for one in formula.symbols}
    for name in symbols:
        others = [
            other for other in symbols if kept[other] == kept[name] and dimensions.get(other) != dimensions.get(name)
        ]
        if others:
            return Problem("dimension", f"{name} and {others[0]} cannot be one: their units differ")
    renamed = replace(
        formula,
        equation=rename_equation(formula.equation, kept),
        symbols=tuple(
            replace(one, name=kept[one.name], letter="" if kept[one.name] != one.name else one.letter)
            for one in formula.symbols
            if one.name in kept
        ),
        conditions=tuple(_renamed_condition(each, kept) for each in formula.conditions),
    )
    state.originals.setdefault(formula.id, formula)
    return renamed


def _renamed_condition(condition: Validity, names: Mapping[str, str]) -> Validity:
    changed = tuple(
        replace(each, left=rename_symbols(each.left, names), right=rename_symbols(each.right, names))
        for each in condition.comparisons
    )
    return replace(condition, comparisons=changed)


def _relation(text: str, own: Collection[str], inputs: System, state: EpisodeState) -> Equation | Problem:
    """A relation that the question states between the symbols of a system."""
    equation = _stated(text, inputs)
    if isinstance(equation, Problem):
        return equation
    names = equation_symbols(equation)
    if any(name not in own and not is_plain_name(name) for name in names):
        return Problem("malformed_expression", f"{text[:80]!r} has a name that is none; write such as v_1")
    related = [name for name in names if not cancels(equation, name)]
    if not related:
        return Problem("malformed_expression", f"{text[:80]!r} relates nothing to anything")
    # What a symbol is set to must be said by somebody, be it nothing or one.
    is_set = len(related) == 1
    for side in (equation.left, equation.right):
        problem = unquoted_number(side, dict(inputs.quotes), state.question.text, all_numbers=is_set)
        problem = problem or _disguise(side, zero=True)
        if problem is not None:
            return problem
    return equation


def _stated(text: str, inputs: System) -> Equation | Problem:
    """The equation that a relation is; one that states a limit, where that is reached."""
    if has_limit(text, "python"):
        if not inputs.limit:
            return Problem("limit_not_named", f"{text[:80]!r} {_NAME_THE_LIMIT}")
        reached = equation_at_limit(text, "python")
        if isinstance(reached, Declined):
            return Problem("malformed_expression", f"{text[:80]!r} cannot be read: {reached.reason}")
        return reached
    reading = read_python_text(text)
    if isinstance(reading, Declined):
        return Problem("malformed_expression", f"{text[:80]!r} cannot be read: {reading.reason}")
    if len(reading.equations) != 1:
        return Problem("malformed_expression", f"{text[:80]!r} is no equation such as v_2 = 2*v_1")
    return reading.equations[0]


def _known(
    inputs: System, formulas: Sequence[Formula], symbols: set[str], state: EpisodeState, bench: Workbench
) -> dict[str, Bound] | Problem:
    """A value for each symbol that has one: as the planner says, by name in the relations, and constants."""
    bound: dict[str, Bound] = {}
    meanings = {one.name: one for formula in formulas for one in formula.symbols}
    for name, raw in inputs.known.items():
        if name not in symbols:
            return Problem(
                "unknown_symbol", f"{name[:40]} stands in none of these formulas; they have {_listed(symbols)}"
            )
        if name == inputs.target:
            return Problem("target", f"{name[:40]} is what is solved for")
        meaning = meanings.get(name)
        found = find_value(name, raw, dimension=None if meaning is None else meaning.dimension, ledger=state.ledger)
        if isinstance(found, Problem):
            return found
        source, quantity = found
        described = _bound(name, source, quantity)
        bound[name] = (
            described if meaning is None else replace(described, letter=meaning.letter, description=meaning.description)
        )
    for name in symbols:
        named = state.ledger.get(name)
        if named is not None and name not in bound and name != inputs.target:
            bound[name] = _bound(name, named)
    for name, meaning in meanings.items():
        if name not in bound and name != inputs.target and meaning.constant is not None:
            constant = bench.constant_of(meaning)
            if constant is not None:
                bound[name] = constant
    return bound


def _listed(symbols: Sequence[str] | set[str]) -> str:
    return ", ".join(sorted(symbols))[:200]
