"""The working of a step, line by line: the formula, its rearrangement, the values put in, the result, each number with
the figures that mean something. Prints only."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal

from mathrag.compute.printers.latex import latex_text, symbol_latex
from mathrag.compute.printers.money import money_text
from mathrag.compute.printers.plaintext import plain_formula, plain_symbol
from mathrag.compute.printers.units import joined, latex_unit
from mathrag.knowledge.units import coherent_unit, convert
from mathrag.types.answer import Bound, PlannedStep
from mathrag.types.expression import (
    Equation,
    Expression,
    Measure,
    Number,
    Symbol,
    depth_of,
    negate,
    size_of,
    substitute,
)
from mathrag.types.quantity import Quantity

# A formula beyond this is not read with numbers in it.
_LONGEST = 400
_DEEPEST = 60
_MEASURE = re.compile(r"\\SI\{([^{}]*)\}\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Working:
    """The same lines as LaTeX and as plain text, and the rearranged formula where it had to be rearranged."""

    latex: tuple[str, ...]
    text: tuple[str, ...]
    rearranged: str = ""


def show_working(
    step: PlannedStep,
    *,
    rearranged: Expression | None,
    counted: Mapping[str, Quantity],
    bindings: tuple[Bound, ...],
    result: Quantity,
    figures: int,
) -> Working:
    """All lines of a computed step."""
    target = Symbol(step.target)
    latex = [step.formula.latex.strip() or latex_text(step.equation)]
    text = [plain_equation(step.equation)]
    moved = ""
    if rearranged is not None and size_of(rearranged) <= _LONGEST and depth_of(rearranged) <= _DEEPEST:
        if not _is_alone(step.equation, target, rearranged):
            moved = f"{symbol_latex(step.target)} = {latex_text(rearranged)}"
            latex.append(moved)
            text.append(f"{plain_symbol(step.target)} = {plain_formula(rearranged)}")
        shown = {bound.symbol: bound for bound in bindings if bound.symbol in counted}
        latex.append(f"{symbol_latex(step.target)} = {_latex_with_values(rearranged, shown, counted)}")
        texts = {name: _plain_value(bound, counted[name]) for name, bound in shown.items()}
        text.append(f"{plain_symbol(step.target)} = {plain_formula(rearranged, texts)}")
    elif rearranged is None:
        text.append(f"solved numerically for {plain_symbol(step.target)}")
    latex.append(f"{symbol_latex(step.target)} = {latex_quantity(result, figures)}")
    text.append(f"{plain_symbol(step.target)} = {plain_quantity(result, figures)}")
    return Working(_distinct(latex), _distinct(text), moved)


def _distinct(lines: list[str]) -> tuple[str, ...]:
    """A constant formula put in itself says nothing twice."""
    return tuple(line for index, line in enumerate(lines) if line and (index == 0 or line != lines[index - 1]))


def _is_alone(equation: Equation, target: Symbol, rearranged: Expression) -> bool:
    return (equation.left == target and equation.right == rearranged) or (
        equation.right == target and equation.left == rearranged
    )


def plain_equation(equation: Equation) -> str:
    """An equation as readable text; empty where it is too deep for people."""
    if max(depth_of(equation.left), depth_of(equation.right)) > _DEEPEST:
        return ""
    return f"{plain_formula(equation.left)} {equation.relation} {plain_formula(equation.right)}"


def plain_quantity(quantity: Quantity, figures: int) -> str:
    """A result as plain text: 517 m/s, 5.0 ± 0.1 cm."""
    number = _money(quantity) or plain_number(quantity.value, figures)
    if quantity.uncertainty:
        number = (
            f"({number} ± {plain_number(quantity.uncertainty, 2)})"
            if quantity.unit.text
            else (f"{number} ± {plain_number(quantity.uncertainty, 2)}")
        )
    return joined(number, quantity.unit)


def latex_quantity(quantity: Quantity, figures: int) -> str:
    """A result as LaTeX."""
    number = money_text(quantity) or latex_number(quantity.value, figures)
    if quantity.uncertainty:
        number = f"({number} \\pm {latex_number(quantity.uncertainty, 2)})"
    return number + latex_unit(quantity.unit.text)


def _money(quantity: Quantity) -> str:
    return (money_text(quantity) or "").replace("-", "−")


def _plain_value(bound: Bound, counted: Quantity) -> str:
    value, figures = _as_put_in(bound, counted)
    return joined(plain_number(value.value, figures), value.unit)


def _as_put_in(bound: Bound, counted: Quantity) -> tuple[Quantity, int]:
    """The value as it enters the formula: as stated, but temperatures from absolute zero."""
    figures = stated_figures(bound)
    if counted.unit.is_absolute_temperature:
        kelvin = convert(counted, coherent_unit(counted.dimension))
        decimals = max(2, figures - len(str(abs(int(counted.value)))))
        return kelvin, len(str(abs(int(kelvin.value)))) + decimals
    if bound.quantity is not None and bound.quantity.value != counted.value:
        figures = max(figures, 4)
    return counted, figures


def _latex_with_values(expression: Expression, shown: Mapping[str, Bound], counted: Mapping[str, Quantity]) -> str:
    nodes: dict[str, Expression] = {}
    for name, bound in shown.items():
        value, figures = _as_put_in(bound, counted[name])
        mantissa, power = number_parts(value.value, figures)
        size = Decimal(f"{mantissa.lstrip('-')}e{power}") if power else Decimal(mantissa.lstrip("-"))
        literal = Number(size)
        node: Expression = Measure(literal, value.unit.text) if value.unit.text else literal
        nodes[name] = negate(node) if mantissa.startswith("-") else node
    return _MEASURE.sub(_upright, latex_text(substitute(expression, nodes)))


def _upright(found: re.Match[str]) -> str:
    mantissa, _, power = found.group(1).partition("e")
    number = f"{mantissa} \\times 10^{{{int(power)}}}" if power else mantissa
    return number + latex_unit(found.group(2))


# How many figures of a result mean something, and numbers written with that many. Knows nothing of formulas.

# Fewer figures look careless, more than twelve are noise of floats.
FEWEST, MOST = 3, 12
# Where nothing that was measured takes part.
_UNLIMITED = 4
# Constants of nature have more digits than any question; what is assumed or follows from words has none.
_LIMITING = frozenset(("question", "pinned", "document", "derived"))
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# Powers of ten between which plain digits read better.
_PLAIN_FROM, _PLAIN_TO = -4, 6


def significant_figures(bindings: Iterable[Bound], result: Quantity) -> int:
    """The fewest figures among the inputs, between 3 and 12. Counts and constants do not limit; an exact whole number
    keeps all its digits."""
    limits = [
        bound.significant_figures
        for bound in bindings
        if bound.significant_figures is not None and bound.provenance.origin in _LIMITING and not _is_count(bound)
    ]
    if limits:
        return max(FEWEST, min(MOST, *limits, MOST))
    if isinstance(result.value, int):
        return max(FEWEST, min(len(str(abs(result.value))), MOST)) if abs(result.value) < 10**MOST else MOST
    return _UNLIMITED


def _is_count(bound: Bound) -> bool:
    quantity = bound.quantity
    return quantity is not None and isinstance(quantity.value, int) and not quantity.unit.text


def number_parts(value: float, figures: int) -> tuple[str, int]:
    """A number with so many figures as mantissa and power of ten; the power is 0 where plain digits read better."""
    if isinstance(value, int) and abs(value) < 10 ** (_PLAIN_TO + 1):
        return str(value), 0
    value = float(value)
    if value == 0 or not math.isfinite(value):
        return ("0" if value == 0 else repr(value)), 0
    # From the shortest digits and half up, as the result is rounded where it is shown.
    rounded = Context(prec=figures, rounding=ROUND_HALF_UP).plus(Decimal(repr(value)))
    exponent = rounded.adjusted()
    if _PLAIN_FROM <= exponent < max(_PLAIN_TO, figures):
        return f"{rounded:.{max(0, figures - 1 - exponent)}f}", 0
    return f"{rounded.scaleb(-exponent):.{figures - 1}f}", exponent


def stated_figures(bound: Bound) -> int:
    """How many figures to show of an input: those it was stated with, or enough to tell it apart."""
    if bound.significant_figures is not None and bound.provenance.origin != "derived":
        return max(1, min(bound.significant_figures, MOST))
    value = 0.0 if bound.quantity is None else float(bound.quantity.value)
    most = 6 if bound.provenance.origin == "derived" else 10
    text = f"{value:.{most - 1}e}".partition("e")[0].rstrip("0").lstrip("-").replace(".", "")
    return max(1, len(text))


def plain_number(value: float, figures: int) -> str:
    """As plain text: 1.60×10⁻¹⁹."""
    mantissa, power = number_parts(value, figures)
    text = mantissa.replace("-", "−")
    return text if not power else f"{text}×10{str(power).translate(_SUPERSCRIPTS)}"


def latex_number(value: float, figures: int) -> str:
    """As LaTeX: 1.60 \\times 10^{-19}."""
    mantissa, power = number_parts(value, figures)
    return mantissa if not power else f"{mantissa} \\times 10^{{{power}}}"
