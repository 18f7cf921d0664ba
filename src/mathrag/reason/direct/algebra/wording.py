"""Expressions, numbers and sets of numbers in the words and signs of an answer: plain text and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from mathrag.compute.algebra.identities import Comparison
from mathrag.compute.algebra.inequalities import Interval
from mathrag.compute.algebra.number_identities import as_part_of_pi
from mathrag.compute.algebra.points import shown_number
from mathrag.compute.algebra.polynomials import Root
from mathrag.compute.printers.latex import latex_text
from mathrag.compute.printers.plaintext import plain_formula, plain_symbol
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Divide, Expression, Multiply, Negate, size_of

_LONGEST_SHOWN = 400
_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠"}
_LATEX_SIGNS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne"}
_EULER = re.compile(r"\bexp\(1\)")
_LATEX_EULER = re.compile(r"e\^\{1\}|\\exp\\left\(1\\right\)")


def plain(expression: Expression) -> str:
    """An expression for people."""
    if size_of(expression) > _LONGEST_SHOWN:
        return "(too long to be shown)"
    if isinstance(expression, Negate) and isinstance(expression.operand, Multiply | Divide):
        # One sign before a product needs no parentheses.
        return f"−{plain(expression.operand)}"
    return _EULER.sub("e", plain_formula(expression)).replace("infinity", "∞")


def latex(expression: Expression) -> str:
    """An expression in LaTeX."""
    return _LATEX_EULER.sub("e", latex_text(expression)).replace(r"\mathrm{infinity}", r"\infty")


def relation_text(relation: Comparison) -> str:
    """`a + b ≤ c`."""
    return f"{plain(relation.left)} {_SIGNS.get(relation.sign, relation.sign)} {plain(relation.right)}"


def relation_latex(relation: Comparison) -> str:
    """The same in LaTeX."""
    return f"{latex(relation.left)} {_LATEX_SIGNS.get(relation.sign, relation.sign)} {latex(relation.right)}"


def line(left: str, left_latex: str, right: Expression, *, is_rounded: bool = False) -> WorkingLine:
    """`left = right`, in both writings."""
    sign, latex_sign = ("≈", r"\approx") if is_rounded else ("=", "=")
    return WorkingLine(f"{left} {sign} {plain(right)}", f"{left_latex} {latex_sign} {latex(right)}")


def relation_line(relation: Comparison) -> WorkingLine:
    """A relation as a line."""
    return WorkingLine(relation_text(relation), relation_latex(relation))


def number_with_digits(exact: Expression | None, number: float | None) -> str:
    """`√2 ≈ 1.4142136`; whole numbers and fractions as they are, what has no exact form by its digits."""
    if exact is None:
        return "" if number is None else f"≈ {shown_number(number, 10)}"
    angle = None if number is None else as_part_of_pi(exact, number)
    text = plain(exact if angle is None else angle)
    if number is None or not re.search(r"[^\d−./ ()]", text):
        return text
    return f"{text} ≈ {shown_number(number)}"


def intervals_text(symbol: str, intervals: Sequence[Interval]) -> str:
    """`x < −2 or x > 2`."""
    return " or ".join(_interval_text(plain_symbol(symbol), each) for each in intervals)


def _interval_text(name: str, interval: Interval) -> str:
    low, high = interval.low, interval.high
    if low is not None and low == high:
        return f"{name} = {_end(low)}"
    if low is None and high is None:
        return f"every real {name}"
    if low is None:
        assert high is not None
        return f"{name} {'≤' if interval.has_high else '<'} {_end(high)}"
    if high is None:
        return f"{name} {'≥' if interval.has_low else '>'} {_end(low)}"
    return f"{_end(low)} {'≤' if interval.has_low else '<'} {name} {'≤' if interval.has_high else '<'} {_end(high)}"


def _end(root: Root) -> str:
    return plain(root.exact) if root.exact is not None else shown_number(root.value, 10)


def complex_text(pair: tuple[Fraction, Expression]) -> str:
    """`−1/2 ± (√3 / 2) i`."""
    middle, spread = pair
    size = plain(spread)
    imaginary = "i" if size == "1" else f"{size} i" if " " not in size else f"({size}) i"
    sign = "−" if middle < 0 else ""
    size_of_middle = abs(middle)
    shown = f"{size_of_middle.numerator}" + (f"/{size_of_middle.denominator}" if size_of_middle.denominator > 1 else "")
    return f"±{imaginary}" if not middle else f"{sign}{shown} ± {imaginary}"
