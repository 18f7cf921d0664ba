"""One planned step computed: values in, solved with units, checked, shown. Chooses no formula and no binding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mathrag.compute.evaluate import Failure
from mathrag.compute.unknowns import Evaluation
from mathrag.errors import MathragError
from mathrag.reason.computing.failures import StepFailure
from mathrag.reason.computing.figures import significant_figures
from mathrag.reason.computing.plain_formulas import plain_symbol
from mathrag.reason.computing.result_units import shown_result
from mathrag.reason.computing.solving import EXCLUDED, branch_rank, solved
from mathrag.reason.computing.symbol_facts import SymbolFacts
from mathrag.reason.computing.validity import plausibility_warnings, validity_warnings
from mathrag.reason.computing.values import StepValues, step_values
from mathrag.reason.computing.working import plain_quantity, show_working
from mathrag.types.answer import PlannedStep, Step
from mathrag.types.quantity import Dimension, Quantity, Unit

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
