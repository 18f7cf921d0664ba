"""One planned step computed: values in, solved with units, checked, shown in a unit that people read. Chooses neither
formula nor binding; why there is no number is a value too (`StepFailure`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.evaluate import Failure
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.compute.unknowns import Evaluation, evaluate_unknown
from mathrag.errors import MathragError, readable
from mathrag.extract.guesses import guesses_of
from mathrag.knowledge.units import coherent_unit, convert, reading_notes, without_dust
from mathrag.reason.computing.bare_angles import angle_notes, with_angle_unit
from mathrag.reason.computing.result_units import unasked_unit, unit_names
from mathrag.reason.computing.validity import (
    SymbolFacts,
    as_counted,
    as_percentage,
    as_stated,
    facts_of,
    plausibility_warnings,
    unit_for_result,
    usual_unit,
    validity_warnings,
)
from mathrag.reason.computing.worked_lines import plain_quantity, show_working, significant_figures
from mathrag.types.answer import Bound, PlannedStep, Step
from mathrag.types.expression import Call, Equation, Expression, Power, equation_symbols, symbols_of, walk
from mathrag.types.library import SymbolMeaning
from mathrag.types.quantity import NO_UNIT, Dimension, Quantity, Unit

# Further solutions that a warning names.
_MOST_OTHERS = 4
# Where words of a person are behind a value.
_STATED = frozenset(("question", "pinned"))
_POSSIBLE = "possible"
_AMOUNT = Dimension.of({"amount": 1})


@dataclass(frozen=True, slots=True)
class StepFailure:
    """A step without a result: a code for programs, a sentence for people, the symbol it is about (or empty).

    Codes: `missing` (a symbol has no value), `target` (the symbol asked for is not in the formula), `unit` (the unit
    asked for does not fit), and those of an evaluation: `dimension`, `division_by_zero`, `domain`, `complex`,
    `overflow`, `underflow`, `undefined`, `no_solution`, `unsolved`, `timeout`, `too_large`, `bad_value`, `not_whole`.
    """

    code: str
    message: str
    symbol: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", readable(self.message))

    def __str__(self) -> str:
        return self.message


def compute_step(
    step: PlannedStep,
    number: int,
    *,
    results: Mapping[int, Step],
    unit: Unit | None = None,
    is_shown: bool = True,
    near: float | None = None,
) -> Step | StepFailure:
    """Solve a step's formula for its target and evaluate it, in `unit` if one is asked for.

    `results` are the steps computed before, by number. Of several solutions the one `near` a value (in SI) is taken,
    where one is named. Whatever goes wrong is a `StepFailure`, never an exception.
    """
    try:
        values = step_values(step, results)
        if isinstance(values, StepFailure):
            return values
        return _compute(step, number, values, unit=unit, is_shown=is_shown, near=near)
    except (ArithmeticError, ValueError, RecursionError, MathragError) as error:
        return StepFailure("failed", f"{step.target} cannot be computed: {error}", step.target)


def compute_steps(
    steps: Sequence[PlannedStep], *, unit: Unit | None = None, is_shown: bool = True
) -> tuple[Step, ...] | StepFailure:
    """The steps of a plan one after the other, the last in `unit` if one is asked for; the first failure ends it.

    Those that are not `is_shown` to anybody have no working and no warnings.
    """
    results: dict[int, Step] = {}
    for number, step in enumerate(steps, start=1):
        asked = unit if number == len(steps) else None
        computed = compute_step(step, number, results=results, unit=asked, is_shown=is_shown)
        if isinstance(computed, StepFailure):
            return computed
        results[number] = computed
    return tuple(results.values())


def _compute(
    step: PlannedStep, number: int, values: StepValues, *, unit: Unit | None, is_shown: bool, near: float | None
) -> Step | StepFailure:
    facts = values.facts[step.target]
    found = _nearest_first(
        _holding(step, solved(step.equation, facts, values.counted, is_shown=is_shown), values.counted), near
    )
    if isinstance(found, Failure):
        return StepFailure(found.code, found.message, step.target)
    misfit = _misfit(step, values, found.value.dimension)
    if isinstance(misfit, StepFailure):
        return misfit
    shown = [
        shown_result(value, facts, unit=unit, bindings=values.bindings, others=values.facts, made_by=found.rearranged)
        for value in (found.value, *found.others[:_MOST_OTHERS])
    ]
    failure = next((each for each in shown if isinstance(each, StepFailure)), None)
    if failure is not None:
        return failure
    result, *others = (each for each in shown if not isinstance(each, StepFailure))
    figures = significant_figures(values.bindings, result)
    if not is_shown:
        return Step(
            number, step.formula, step.equation, step.target, values.bindings, result, figures, found.method,
            others=tuple(others),
        )  # fmt: skip
    working = show_working(
        step,
        rearranged=found.rearranged,
        counted=values.counted,
        bindings=values.bindings,
        result=result,
        figures=figures,
    )
    everything = {**values.counted, step.target: found.value}
    warnings = (
        *_reading_notes(values.bindings, result),
        *misfit,
        *((found.limit,) if found.limit else ()),
        *_branch_warnings(found, facts, others=others, figures=figures),
        *validity_warnings(step.formula, step.equation, everything),
        *plausibility_warnings(everything, values.facts, target=step.target),
    )
    return Step(
        number,
        step.formula,
        step.equation,
        step.target,
        values.bindings,
        result,
        figures,
        found.method,
        rearranged=working.rearranged,
        working=working.latex,
        working_text=working.text,
        others=tuple(others),
        warnings=tuple(dict.fromkeys(warnings)),
        behind=tuple(place for place, group in enumerate(_branches(found, facts)) if group != _POSSIBLE),
    )


def _holding(step: PlannedStep, found: Evaluation | Failure, counted: Mapping[str, Quantity]) -> Evaluation | Failure:
    """The solutions for which the formula holds by its own conditions, where one of them is such: of an angle up to the
    right one there is no second."""
    if isinstance(found, Failure) or not found.others:
        return found
    kept = [
        each
        for each in (found.value, *found.others)
        if not validity_warnings(step.formula, step.equation, {**counted, step.target: each})
    ]
    return replace(found, value=kept[0], others=tuple(kept[1:])) if kept else found


def _nearest_first(found: Evaluation | Failure, near: float | None) -> Evaluation | Failure:
    """The solutions with the one nearest to a value in front, where one is named."""
    if near is None or isinstance(found, Failure):
        return found
    first, *others = sorted((found.value, *found.others), key=lambda each: abs(each.si_value - near))
    return found if first == found.value else replace(found, value=first, others=tuple(others))


def _reading_notes(bindings: Sequence[Bound], result: Quantity) -> Iterator[str]:
    """How values were taken that leave their unit open: everyday names of units, angles without one.

    A unit that stands in all values and in the result cancels, and nothing has to be said about it.
    """
    stated = [bound for bound in bindings if bound.provenance.origin in _STATED and bound.quantity is not None]
    for bound in stated:
        yield from angle_notes(bound)
    units = [bound.quantity.unit for bound in bindings if bound.quantity is not None] + [result.unit]
    for bound in stated:
        assert bound.quantity is not None
        own = bound.quantity.unit
        related = [unit for unit in units if _shares_dimension(unit, own)]
        is_kept = own.is_absolute_temperature or len(related) < 2
        # A rate a year and a time in years speak of the same year.
        if is_kept or any(not unit_names(own) <= unit_names(unit) for unit in related):
            yield from reading_notes(bound.provenance.text, own.text)
    related = [unit for unit in units[:-1] if _shares_dimension(unit, result.unit)]
    if related and not any(unit_names(result.unit) <= unit_names(unit) for unit in related):
        yield from reading_notes(result.unit.text, result.unit.text)


def _shares_dimension(one: Unit, other: Unit) -> bool:
    pairs = zip(one.dimension.exponents, other.dimension.exponents, strict=True)
    return any(first and second for first, second in pairs)


def _misfit(step: PlannedStep, values: StepValues, found: Dimension) -> tuple[str, ...] | StepFailure:
    """Whether the result has the dimension that the formula gives its target, under some reading of its symbols.

    Where only assumptions say otherwise, or energies are given per mole throughout, the values decide and a warning
    says so.
    """
    facts = values.facts[step.target]
    meaning = facts.meaning
    if meaning is None or meaning.dimension is None or meaning.dimension == found:
        return ()
    if facts.kind is not None and facts.kind.takes_any_unit:
        return ()
    for alternative in step.formula.alternatives:
        other = next((each for each in alternative.symbols if each.name == step.target), None)
        if other is not None and other.dimension == found:
            return ()
    sentence = f"{plain_symbol(step.target)} comes out in {found}, where {meaning.dimension} is expected"
    others = [
        (each.meaning, values.counted[name].dimension) for name, each in values.facts.items() if name != step.target
    ]
    reinterpreted = any(each is not None and each.dimension not in (None, dimension) for each, dimension in others)
    if not reinterpreted or (not _differs_by_amount(found, meaning.dimension) and _is_said(step, meaning)):
        return StepFailure("dimension", sentence, step.target)
    return (sentence,)


def _is_said(step: PlannedStep, meaning: SymbolMeaning) -> bool:
    """Whether somebody stated the dimension of what a step computes, and not only what it is called."""
    if meaning.origin not in ("document", "edited"):
        return False
    return step.target not in guesses_of(step.formula.symbols, step.equation).names


def _differs_by_amount(one: Dimension, other: Dimension) -> bool:
    """Whether one is the other per mole, or the reverse."""
    ratio = one / other
    return ratio in (_AMOUNT, _AMOUNT**-1)


def _branches(found: Evaluation, facts: SymbolFacts) -> list[str]:
    """Of each further solution, whether it is as possible as the first, less usual, or ruled out by the kind."""
    rank = branch_rank(facts)
    best, ranks = rank(found.value), map(rank, found.others)
    return [_POSSIBLE if each <= best else "excluded" if each == EXCLUDED else "unusual" for each in ranks]


def _branch_warnings(
    found: Evaluation, facts: SymbolFacts, *, others: Sequence[Quantity], figures: int
) -> tuple[str, ...]:
    """What is said about other solutions: as possible as this one, less usual, or ruled out by the kind."""
    texts: dict[str, list[str]] = {_POSSIBLE: [], "unusual": [], "excluded": []}
    for group, shown in zip(_branches(found, facts), others, strict=False):
        texts[group].append(plain_quantity(replace(shown, uncertainty=None), figures))
    name = plain_symbol(facts.name)
    kind = "" if facts.kind is None else facts.kind.name
    sentences = {
        _POSSIBLE: f"{name} has another solution that is as plausible: {{}}",
        "unusual": f"{name} = {{}} solves the formula too; the positive solution is given",
        "excluded": f"{name} = {{}} solves the formula too, but no {kind} has that value",
    }
    return tuple(sentences[group].format(", ".join(found)) for group, found in texts.items() if found)


# The values of a step's symbols, as the formula counts them: those bound, and those that earlier steps computed.


@dataclass(frozen=True, slots=True)
class StepValues:
    """The bindings with every quantity filled in, and each symbol's value as the formula counts it."""

    bindings: tuple[Bound, ...]
    counted: Mapping[str, Quantity]
    facts: Mapping[str, SymbolFacts]


def step_values(step: PlannedStep, results: Mapping[int, Step]) -> StepValues | StepFailure:
    """A value for every symbol of the step's equation but the target; the first that is missing is a failure."""
    symbols = equation_symbols(step.equation)
    if step.target not in symbols:
        return StepFailure("target", f"{step.target} does not occur in the formula", step.target)
    facts = {name: facts_of(name, formula=step.formula, equation=step.equation) for name in symbols}
    bindings: list[Bound] = []
    counted: dict[str, Quantity] = {}
    for bound in step.bindings:
        filled = _filled(bound, results)
        if isinstance(filled, StepFailure):
            return filled
        if bound.symbol in facts:
            filled = with_angle_unit(filled, facts[bound.symbol].kind, step.equation)
        bindings.append(filled)
        if bound.symbol not in facts or bound.symbol == step.target:
            continue
        assert filled.quantity is not None
        value = as_counted(filled.quantity, facts[bound.symbol])
        if bound.provenance.origin == "question":
            taken = as_percentage(value, facts[bound.symbol], step.equation)
            if taken is None:
                return StepFailure("bad_value", _share_or_percent(bound.symbol, value), bound.symbol)
            value = taken
        problem = _problem(bound.symbol, value)
        if problem is not None:
            return problem
        if bound.symbol in counted and counted[bound.symbol] != value:
            return StepFailure("bad_value", f"{bound.symbol} has two different values", bound.symbol)
        counted[bound.symbol] = value
    missing = [name for name in symbols if name != step.target and name not in counted]
    if missing:
        return StepFailure("missing", f"no value is given for {', '.join(missing)}", missing[0])
    return StepValues(tuple(bindings), _without_idle_uncertainty(counted, bindings), facts)


def _share_or_percent(name: str, quantity: Quantity) -> str:
    number = f"{quantity.value:g}"
    return f"{plain_symbol(name)} is in percent in the formula, and {number} may be a share or mean {number} %"


def _filled(bound: Bound, results: Mapping[int, Step]) -> Bound | StepFailure:
    if bound.quantity is not None:
        return bound
    number = bound.provenance.step
    earlier = None if number is None else results.get(number)
    if earlier is None:
        place = "an earlier step" if number is None else f"step {number}"
        return StepFailure("missing", f"{bound.symbol} was to come from {place}, which has no result", bound.symbol)
    figures = earlier.significant_figures if bound.significant_figures is None else bound.significant_figures
    return replace(bound, quantity=earlier.result, significant_figures=figures)


def _problem(name: str, quantity: Quantity) -> StepFailure | None:
    try:
        finite = math.isfinite(quantity.si_value)
    except OverflowError:
        return StepFailure("overflow", f"the value of {name} is too large", name)
    return None if finite else StepFailure("bad_value", f"the value of {name} is not a finite number", name)


def _without_idle_uncertainty(counted: Mapping[str, Quantity], bindings: list[Bound]) -> dict[str, Quantity]:
    """Constants are uncertain too, but only beside a value that someone stated with its uncertainty."""
    constants = {bound.symbol for bound in bindings if bound.provenance.origin == "constant"}
    if any(quantity.uncertainty for name, quantity in counted.items() if name not in constants):
        return dict(counted)
    return {
        name: quantity if quantity.uncertainty is None else replace(quantity, uncertainty=None)
        for name, quantity in counted.items()
    }


def shown_result(
    value: Quantity,
    facts: SymbolFacts,
    *,
    unit: Unit | None,
    bindings: tuple[Bound, ...],
    others: Mapping[str, SymbolFacts],
    made_by: Expression | None = None,
) -> Quantity | StepFailure:
    """The value in the unit to show, `made_by` an expression; a unit asked for that does not fit is a failure."""
    stated = as_stated(value, facts)
    if unit is None:
        return in_unit(stated, unasked_unit(stated, facts, bindings, others, made_by), facts)
    if unit.dimension != value.dimension:
        return StepFailure(
            "unit",
            f"{facts.name} is a value in {usual_unit(value.dimension, facts).text or 'plain numbers'}, "
            f"which cannot be given in {unit.text or 'plain numbers'}",
            facts.name,
        )
    return in_unit(stated, unit, facts)


def in_unit(value: Quantity, unit: Unit, facts: SymbolFacts) -> Quantity:
    """A value that a formula gave, in a unit as people state it."""
    counted = unit_for_result(unit, facts)
    found = without_dust(value if value.unit == counted else convert(value, counted))
    # 25 turns a second are shown as 1500 rpm with the unit as everyone reads it: a later step divides the 2 pi out.
    return replace(found, unit=unit) if counted != unit and counted.text == unit.text else found


# A step's unknown in coherent SI units: with dimensions throughout, or in SI numbers where bare logarithms stand.

_LOGARITHMS = frozenset(("log", "log10", "log2"))
_EXACT_ENOUGH = 1e-9

ADMITTED, UNUSUAL, EXCLUDED = range(3)


def solved(
    equation: Equation,
    facts: SymbolFacts,
    values: Mapping[str, Quantity],
    *,
    seconds: float = 2.0,
    is_shown: bool = True,
) -> Evaluation | Failure:
    """The value of the symbol, with branches that its kind admits first.

    `ln k = ln A - E/(R T)` compares logarithms of quantities: it holds for their numbers in any coherent units, as long
    as the dimensions under the logarithms agree.
    """
    rank = branch_rank(facts)
    found = evaluate_unknown(equation, facts.name, values, seconds=seconds, rank=rank, is_shown=is_shown)
    if not (isinstance(found, Failure) and found.code == "dimension" and _may_take_numbers(equation, facts.name)):
        return _distinct(found)
    dimension = _target_dimension(equation, facts, values)
    if dimension is None:
        return found
    plain = {name: Quantity(quantity.si_value, NO_UNIT, quantity.si_uncertainty) for name, quantity in values.items()}
    unit = coherent_unit(dimension)
    in_numbers = evaluate_unknown(
        equation,
        facts.name,
        plain,
        seconds=seconds,
        rank=lambda value: rank(replace(value, unit=unit)),
        is_shown=is_shown,
    )
    if isinstance(in_numbers, Failure) or not in_numbers.value.dimension.is_dimensionless:
        return found
    return _distinct(
        replace(
            in_numbers,
            value=replace(in_numbers.value, unit=unit),
            others=tuple(replace(other, unit=unit) for other in in_numbers.others),
        )
    )


def branch_rank(facts: SymbolFacts) -> Callable[[Quantity], int]:
    """Orders branches: what the symbol's kind admits, then negative values that it admits too, then the rest."""

    def rank(value: Quantity) -> int:
        kind = facts.kind
        if kind is None or kind.takes_any_unit or kind.dimension != value.dimension:
            return UNUSUAL if value.si_value < 0 else ADMITTED
        size = value.si_value / 100.0 if facts.counts_percent else value.si_value
        if kind.admits(size):
            return UNUSUAL if size < 0 and not facts.is_difference else ADMITTED
        return EXCLUDED

    return rank


@lru_cache(maxsize=2048)
def _may_take_numbers(equation: Equation, symbol: str) -> bool:
    """Whether logarithms stand in the equation, or arise when it is solved for a symbol in an exponent."""
    return any(_takes_logarithm(node, symbol) for side in (equation.left, equation.right) for node in walk(side))


def _takes_logarithm(node: Expression, symbol: str) -> bool:
    if isinstance(node, Call):
        return node.function in _LOGARITHMS
    return isinstance(node, Power) and symbol in symbols_of(node.exponent)


def _target_dimension(equation: Equation, facts: SymbolFacts, values: Mapping[str, Quantity]) -> Dimension | None:
    """The dimension that the unknown must have; None where the dimensions cannot agree, or leave it open."""
    known = {name: quantity.dimension for name, quantity in values.items()}
    report = check_dimensions(equation, known)
    if report.status == "inconsistent":
        return None
    inferred = report.dimensions.get(facts.name)
    if inferred is not None:
        return inferred
    stated = None if facts.meaning is None else facts.meaning.dimension
    if stated is None:
        return None
    return stated if check_dimensions(equation, {**known, facts.name: stated}).status != "inconsistent" else None


def _distinct(found: Evaluation | Failure) -> Evaluation | Failure:
    """Branches that give one number are one branch."""
    if isinstance(found, Failure) or not found.others:
        return found
    kept = [found.value]
    for other in found.others:
        size = abs(other.si_value)
        if all(abs(other.si_value - each.si_value) > _EXACT_ENOUGH * max(size, abs(each.si_value)) for each in kept):
            kept.append(other)
    return replace(found, others=tuple(kept[1:]))
