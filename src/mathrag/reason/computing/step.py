"""One planned step computed: values in, solved with units, checked, shown. Chooses no formula and no binding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.evaluate import Failure
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.compute.unknowns import Evaluation, evaluate_unknown
from mathrag.errors import MathragError
from mathrag.knowledge.units import coherent_unit
from mathrag.reason.computing.figures import significant_figures
from mathrag.reason.computing.result_units import shown_result
from mathrag.reason.computing.validity import SymbolFacts, plausibility_warnings, validity_warnings
from mathrag.reason.computing.values import StepFailure, StepValues, step_values
from mathrag.reason.computing.worked_lines import plain_quantity, show_working
from mathrag.types.answer import PlannedStep, Step
from mathrag.types.expression import Call, Equation, Expression, Power, symbols_of, walk
from mathrag.types.quantity import NO_UNIT, Dimension, Quantity, Unit

# A step's unknown in coherent SI units: with dimensions throughout, or in SI numbers where bare logarithms stand.

_LOGARITHMS = frozenset(("log", "log10", "log2"))
_EXACT_ENOUGH = 1e-9

ADMITTED, UNUSUAL, EXCLUDED = range(3)


def solved(
    equation: Equation, facts: SymbolFacts, values: Mapping[str, Quantity], *, seconds: float = 2.0
) -> Evaluation | Failure:
    """The value of the symbol, with branches that its kind admits first.

    `ln k = ln A - E/(R T)` compares logarithms of quantities: it holds for their numbers in any coherent units, as long
    as the dimensions under the logarithms agree.
    """
    rank = branch_rank(facts)
    found = evaluate_unknown(equation, facts.name, values, seconds=seconds, rank=rank)
    if not (isinstance(found, Failure) and found.code == "dimension" and _may_take_numbers(equation, facts.name)):
        return _distinct(found)
    dimension = _target_dimension(equation, facts, values)
    if dimension is None:
        return found
    plain = {name: Quantity(quantity.si_value, NO_UNIT, quantity.si_uncertainty) for name, quantity in values.items()}
    unit = coherent_unit(dimension)
    in_numbers = evaluate_unknown(
        equation, facts.name, plain, seconds=seconds, rank=lambda value: rank(replace(value, unit=unit))
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


_MOST_OTHERS = 4
_AMOUNT = Dimension.of({"amount": 1})


def compute_step(
    step: PlannedStep, number: int, *, results: Mapping[int, Step], unit: Unit | None = None, is_shown: bool = True
) -> Step | StepFailure:
    """Solve a step's formula for its target and evaluate it, in `unit` if one is asked for.

    `results` are the steps computed before, by number. Whatever goes wrong is a `StepFailure`, never an exception.
    """
    try:
        return _compute(step, number, results=results, unit=unit, is_shown=is_shown)
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
    step: PlannedStep, number: int, *, results: Mapping[int, Step], unit: Unit | None, is_shown: bool
) -> Step | StepFailure:
    values = step_values(step, results)
    if isinstance(values, StepFailure):
        return values
    facts = values.facts[step.target]
    found = solved(step.equation, facts, values.counted)
    if isinstance(found, Failure):
        return StepFailure(found.code, found.message, step.target)
    misfit = _misfit(step, values, found.value.dimension)
    if isinstance(misfit, StepFailure):
        return misfit
    shown = [
        shown_result(value, facts, unit=unit, bindings=values.bindings, others=values.facts)
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
        *misfit,
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
    )


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
    is_molar = _differs_by_amount(found, meaning.dimension)
    if not reinterpreted or (meaning.origin in ("document", "edited") and not is_molar):
        return StepFailure("dimension", sentence, step.target)
    return (sentence,)


def _differs_by_amount(one: Dimension, other: Dimension) -> bool:
    """Whether one is the other per mole, or the reverse."""
    ratio = one / other
    return ratio in (_AMOUNT, _AMOUNT**-1)


def _branch_warnings(
    found: Evaluation, facts: SymbolFacts, *, others: Sequence[Quantity], figures: int
) -> tuple[str, ...]:
    """What is said about other solutions: as possible as this one, less usual, or ruled out by the kind."""
    rank = branch_rank(facts)
    best = rank(found.value)
    texts: dict[str, list[str]] = {"possible": [], "unusual": [], "excluded": []}
    for value, shown in zip(found.others, others, strict=False):
        group = "possible" if rank(value) <= best else "excluded" if rank(value) == EXCLUDED else "unusual"
        texts[group].append(plain_quantity(replace(shown, uncertainty=None), figures))
    name = plain_symbol(facts.name)
    kind = "" if facts.kind is None else facts.kind.name
    sentences = {
        "possible": f"{name} has another solution that is as plausible: {{}}",
        "unusual": f"{name} = {{}} solves the formula too; the positive solution is given",
        "excluded": f"{name} = {{}} solves the formula too, but no {kind} has that value",
    }
    return tuple(sentences[group].format(", ".join(found)) for group, found in texts.items() if found)
