"""What a calculator shows for an expression: a number as text, exact where it can be, or why there is none.

For programs and models that write `round(2/3, 2)`, `sum([1, 2, 3]) / 3`, `12.5 % of 80`. Questions of people go through
`arithmetic`, which this falls back to. Looks up nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.evaluate import Failure, evaluate_surely
from mathrag.compute.pythontext.calculation import LONGEST_CALCULATION, read_calculation
from mathrag.reason.direct.arithmetic import compute
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.result import DirectFailure, as_number, exact_text
from mathrag.types.expression import Declined

# Of a value that has no end; as many as a float is sure of.
_FIGURES = 15


@dataclass(frozen=True, slots=True)
class Calculated:
    """The value of an expression. `text` is the number with its unit, if any; `exact` all of it where that is longer:
    a fraction such as 2/3."""

    expression: str
    text: str
    value: int | float
    exact: str = ""


def calculate(expression: str) -> Calculated | DirectFailure:
    """The value of an expression of numbers. Never raises; what is too large or no arithmetic says so."""
    tree = read_calculation(expression)
    if not isinstance(tree, Declined):
        value = evaluate_surely(tree, {})
        if isinstance(value, Failure):
            return DirectFailure(value.code, value.message)
        return _calculated(expression, value)
    # People's signs and digits in other alphabets, as the reader of questions writes them.
    other = compute(tidy(expression)) if tree.code != "ambiguous" and len(expression) <= LONGEST_CALCULATION else None
    if other is None:
        return DirectFailure(tree.code, f"the expression cannot be computed: {tree.reason}")
    if isinstance(other, DirectFailure):
        return other
    made = _calculated(expression, other.quantity.value if other.exact is None else other.exact)
    if isinstance(made, DirectFailure) or not other.quantity.unit.text:
        return made
    return Calculated(expression, f"{made.text} {other.quantity.unit.text}", made.value)


def _calculated(expression: str, value: int | float | Fraction) -> Calculated | DirectFailure:
    number = as_number(value)
    if number is None:
        return DirectFailure("too_large", "the result is larger or smaller than any number that can be shown")
    if isinstance(value, float):
        return Calculated(expression, f"{number:.{_FIGURES}g}", number)
    exact = exact_text(value, decimals=True)
    text = f"{number:.{_FIGURES}g}" if "/" in exact else exact
    return Calculated(expression, text, number, exact if exact != text else "")
