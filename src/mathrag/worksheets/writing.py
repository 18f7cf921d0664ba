"""Lines of a worksheet back as text, one blank where blanks belong: what is written reads back to the same lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

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
    Unread,
    Value,
)


def write_worksheet(lines: Iterable[Line]) -> str:
    """The text of a worksheet."""
    return "".join(f"{write_line(line)}\n" for line in lines)


def write_line(line: Line) -> str:
    """The text of one line."""
    match line:
        case Blank():
            return ""
        case Heading(level, text):
            return f"{'#' * level} {text}"
        case Text(text):
            return f'" {text}'.rstrip()
        case Value(name, amount, distribution=distribution, wanted=wanted):
            word = "" if distribution == "normal" else f" {distribution}"
            return f"{name} = {amount}{word}{_arrow(wanted)}"
        case Assignment(name, formula, wanted):
            return f"{_head(name)}{formula.text}{_arrow(wanted)}"
        case Citation(name, cited, bindings, wanted):
            return f"{name} = [{cited}]{_given(bindings)}{_arrow(wanted)}"
        case Question(name, text, wanted):
            return f"{_head(name)}? {text}{_arrow(wanted)}"
        case System() | Plot() | Goal() | Spread():
            return _command(line)
        case Unread(text):
            return text
    assert_never(line)


def _command(line: System | Plot | Goal | Spread) -> str:
    match line:
        case System(equations, unknowns):
            written = ", ".join(f"{left.text} = {right.text}" for left, right in equations)
            return f"solve {written} for {', '.join(unknowns)}"
        case Plot(formula, variable, low, high, wanted):
            return f"plot {formula.text} for {variable} = {low.text} .. {high.text}{_arrow(wanted)}"
        case Goal(formula, target, variable, low, high, name):
            named = f" as {name}" if name else ""
            return f"goal {formula.text} = {target.text} by {variable} in {low.text} .. {high.text}{named}"
        case Spread("montecarlo", name, samples, seed):
            return f"montecarlo {name} {samples} seed {seed}"
        case Spread(method, name):
            return f"{method} {name}"
    assert_never(line)


def _head(name: str) -> str:
    return f"{name} = " if name else ""


def _given(bindings: tuple[tuple[str, Formula], ...]) -> str:
    return f"({', '.join(_binding(*each) for each in bindings)})" if bindings else ""


def _arrow(wanted: str) -> str:
    return f" -> {wanted}" if wanted else ""


def _binding(symbol: str, formula: Formula) -> str:
    return symbol if formula.text == symbol else f"{symbol}={formula.text}"
