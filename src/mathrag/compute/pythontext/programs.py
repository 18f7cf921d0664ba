"""Assignments at the margin of a program, with the remarks beside them. Reads lines only; nothing is ever run.

What stands inside functions, loops and conditions depends on more than its line says and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mathrag.compute.pythontext.reader import read_python_text
from mathrag.types.expression import Equation, Number, Power, Reading, Symbol, equation_symbols, symbols_of, walk

LANGUAGES = frozenset(("python", "python3", "py", "ipython", "ipython3", "sage"))
_MOST_LINES = 2_000
_LONGEST_LINE = 300
_TARGET = re.compile(r"([A-Za-z]\w{0,63})(?:\s*:\s*(?:float|int))?\s*=(?!=)")
_TEXT_LIMITS = ('"""', "'''")
_OPENING, _CLOSING = "([{", ")]}"
# No part of a formula: texts, lists, comparisons, statements on one line, options of calls.
_NO_FORMULA = re.compile(r"[\"'\[\]{};:@&|~!<>\\=%]|\b(?:if|else|for|in|not|and|or|lambda|await|is)\b")
# The largest or the sum of what one name holds is none of a formula's numbers.
_GATHERS = re.compile(r"\b(?:max|min|sum|mean|average|median|prod|std|var|len)\s*\(\s*[\w.]+\s*\)")
_LEAST_POWER_OF_TEN = 1_000


@dataclass(frozen=True, slots=True)
class Assignment:
    """`name = right  # remark` in line `line` (from zero); `above` is the remark on a line of its own before it."""

    line: int
    name: str
    right: str
    remark: str
    above: str


def assignments(text: str) -> Iterator[Assignment]:
    """The assignments that stand at the margin, each on one line."""
    depth, quoted, above = 0, "", ""
    for number, line in enumerate(text.split("\n")[:_MOST_LINES]):
        code, remark = _parted(line[:_LONGEST_LINE])
        was_inside = bool(quoted) or depth > 0
        for limit in _TEXT_LIMITS:
            if line.count(limit) % 2 and quoted in ("", limit):
                quoted = "" if quoted else limit
        depth = max(0, depth + sum(map(code.count, _OPENING)) - sum(map(code.count, _CLOSING)))
        found = _TARGET.match(code) if len(line) <= _LONGEST_LINE else None
        if found is not None and not was_inside and not quoted and not depth and not code.rstrip().endswith("\\"):
            yield Assignment(number, found[1], code[found.end() :].strip(), remark, above)
        above = remark if not code.strip() and remark and line[:1] == "#" else ""


def formulas(text: str) -> list[tuple[Assignment, Equation]]:
    """The assignments that compute their name from others, in the same way wherever they do."""
    every = list(assignments(text))
    found: dict[str, list[tuple[Assignment, Equation]]] = {}
    changed: set[str] = set()
    for one in every:
        equation = _equation(one)
        if re.search(rf"(?<![\w.]){re.escape(one.name)}(?!\w)", one.right):
            changed.add(one.name)
        elif equation is not None and _computes(equation):
            found.setdefault(one.name, []).append((one, equation))
    return sorted(
        (
            several[0]
            for name, several in found.items()
            if name not in changed and len({each for _, each in several}) == 1
        ),
        key=lambda pair: pair[0].line,
    )


def _parted(line: str) -> tuple[str, str]:
    """The program of a line and its remark; a sign in a text opens none."""
    quote = ""
    for place, character in enumerate(line):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "#":
            return line[:place], line[place:].lstrip("#").strip()
    return line, ""


def _equation(one: Assignment) -> Equation | None:
    if not one.right or _NO_FORMULA.search(one.right) or _GATHERS.search(one.right):
        return None
    reading = read_python_text(f"{one.name} = {one.right}")
    if not isinstance(reading, Reading) or len(reading.equations) != 1 or reading.conditions:
        return None
    return reading.equations[0]


def _computes(equation: Equation) -> bool:
    """Whether the right side is more than another name, a number, or a name in other units (`1e9 * freq_GHz`)."""
    names = set(symbols_of(equation.right))
    if not names or isinstance(equation.right, Symbol) or not isinstance(equation.left, Symbol):
        return False
    numbers = [node.value for node in walk(equation.right) if isinstance(node, Number)]
    is_scaled = len(names) == 1 and not any(isinstance(node, Power) for node in walk(equation.right))
    return len(equation_symbols(equation)) > 1 and not (
        is_scaled and bool(numbers) and all(map(_is_power_of_ten, numbers))
    )


def _is_power_of_ten(value: object) -> bool:
    size = abs(float(str(value)))
    size = size if size >= 1 or not size else 1 / size
    return size >= _LEAST_POWER_OF_TEN and f"{size:e}".startswith("1.000000e")
