"""Whether a formula holds for the values put into it, and whether they make sense. Finds words; changes no number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.compute.evaluate.careful import holds
from mathrag.reason.computing.figures import plain_number
from mathrag.reason.computing.plain_formulas import plain_comparison, plain_symbol
from mathrag.reason.computing.symbol_facts import SymbolFacts
from mathrag.reason.computing.unit_texts import joined
from mathrag.types.answer import Step
from mathrag.types.expression import ZERO, Comparison, Equation, symbols_of
from mathrag.types.library import Formula
from mathrag.types.quantity import Quantity, Unit

_TOLERANCE = 1e-9
_LONGEST = 200
# How the left side may stand to the right: below, level, above.
_ORDERS = {"<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}, "=": {0}, "!=": {-1, 1}}


def validity_warnings(formula: Formula, equation: Equation, values: Mapping[str, Quantity]) -> tuple[str, ...]:
    """A sentence for each condition of the formula that these values break."""
    found: list[str] = []
    for text, comparison in conditions_to_check(formula, equation):
        if _verdict(comparison, values) is False:
            condition = plain_comparison(comparison)
            said = f" ({_short(text)})" if text and _short(text) != condition else ""
            found.append(f"the formula holds for {condition}{said}, which these values do not meet")
    return tuple(dict.fromkeys(found))


def step_assumptions(step: Step) -> tuple[str, ...]:
    """What a computed step takes for granted: the conditions in words, and those that could not be checked."""
    values = {bound.symbol: bound.quantity for bound in step.bindings if bound.quantity is not None}
    values[step.target] = step.result
    found: list[str] = []
    for validity in step.formula.conditions:
        verdicts = [_verdict(comparison, values) for comparison in validity.comparisons]
        if (not verdicts or None in verdicts) and validity.text.strip():
            found.append(f"holds for {_short(validity.text)}")
    found.extend(
        f"holds for {_short(condition.text)}"
        for condition in step.equation.conditions
        if not condition.comparisons and condition.text.strip()
    )
    return tuple(dict.fromkeys(found))


def conditions_to_check(formula: Formula, equation: Equation) -> tuple[tuple[str, Comparison], ...]:
    """The comparisons that must hold, each with its words, once each.

    A formula found in several places may have picked up the condition of its neighbour: one that contradicts the
    equation's own is left out, and of two that contradict each other, both.
    """
    own = [(condition.text, each) for condition in equation.conditions for each in condition.comparisons]
    found = [(validity.text, each) for validity in formula.conditions for each in validity.comparisons]
    kept = [
        (text, each)
        for text, each in found
        if not any(_contradicts(each, other) for _, other in own)
        and not any(_contradicts(each, other) for _, other in found)
    ]
    distinct = {comparison: text for text, comparison in (*reversed(kept), *own)}
    return tuple((text, comparison) for comparison, text in distinct.items())


def _contradicts(one: Comparison, other: Comparison) -> bool:
    if (one.left, one.right) == (other.left, other.right):
        return not _ORDERS[one.relation] & _ORDERS[other.relation]
    if (one.left, one.right) == (other.right, other.left):
        return not _ORDERS[one.relation] & {-order for order in _ORDERS[other.relation]}
    return False


def _short(text: str) -> str:
    line = " ".join(text.split()).rstrip(".;,")
    for opening in ("holds for ", "valid for ", "for ", "if ", "when ", "where "):
        if line.lower().startswith(opening):
            line = line[len(opening) :]
            break
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _verdict(comparison: Comparison, values: Mapping[str, Quantity]) -> bool | None:
    """Whether a comparison is true of the values; None where it cannot be told."""
    names = (*symbols_of(comparison.left), *symbols_of(comparison.right))
    if any(name not in values for name in names):
        return None
    left, right = (evaluate_quantity(side, values) for side in (comparison.left, comparison.right))
    if isinstance(left, Failure) or isinstance(right, Failure):
        return None
    if left.dimension != right.dimension and ZERO not in (comparison.left, comparison.right):
        return None
    first, second = left.si_value, right.si_value
    is_equal = abs(first - second) <= _TOLERANCE * max(abs(first), abs(second))
    if comparison.relation in ("<=", ">=", "=") and is_equal:
        return True
    if comparison.relation in ("<", ">", "!=") and is_equal:
        return False
    return holds(comparison.relation, first, second)


def plausibility_warnings(
    values: Mapping[str, Quantity], facts: Mapping[str, SymbolFacts], *, target: str
) -> tuple[str, ...]:
    """A sentence for each value that no quantity of its kind has: a negative mass, an efficiency above 1."""
    return tuple(
        sentence
        for name, quantity in values.items()
        if name in facts and (sentence := _implausible(facts[name], quantity, is_result=name == target))
    )


def _implausible(facts: SymbolFacts, quantity: Quantity, *, is_result: bool) -> str:
    kind = facts.kind
    if kind is None or kind.takes_any_unit or kind.dimension != quantity.dimension:
        return ""
    value = quantity.si_value / 100.0 if facts.counts_percent else quantity.si_value
    if kind.admits(value) or _is_beside(value, (kind.minimum, kind.maximum)):
        return ""
    subject = f"the result for {plain_symbol(facts.name)}" if is_result else plain_symbol(facts.name)
    shown = joined(plain_number(value, 3), Unit(kind.unit, kind.dimension))
    if value < 0 <= kind.minimum:
        return f"{subject} is {shown}, but a {kind.name} is not negative"
    if value == 0 and kind.sign == "positive":
        return f"{subject} is zero, but a {kind.name} is positive"
    bounds = (joined(plain_number(bound, 3), Unit(kind.unit, kind.dimension)) for bound in (kind.minimum, kind.maximum))
    return f"{subject} is {shown}, outside what is plausible for a {kind.name} ({' to '.join(bounds)})"


def _is_beside(value: float, bounds: Iterable[float]) -> bool:
    """A value a rounding error beyond a bound is on it."""
    return any(abs(value - bound) <= _TOLERANCE * abs(bound) for bound in bounds)
