"""Equations with one thing asked of them: one unknown, both of them, or an expression in them.

`x + y = 10 and x - y = 4. What is x?` and `if …, what is xy?` are one task; so is `find x if …`. Strict: as many
equations as letters, each letter a small one, and all the rest of the text asks. A value is told where all solutions
agree about it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.solving import as_fraction, solve_equation
from mathrag.compute.algebra.systems import solve_system
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.solve.tidy import constant_of, tidied
from mathrag.compute.typed_mathematics import (
    AmbiguousMathematicsError,
    UnreadMathematicsError,
    read_mathematics,
    read_one,
)
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.outcomes import numeric
from mathrag.reason.direct.algebra.wording import number_with_digits, plain
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Expression, Symbol, substitute, symbols_of

_LONGEST, _MOST_EQUATIONS = 300, 4
_SEEK = rf"(?:{any_of('direct.what_is')}|{any_of('direct.demands')}|{any_of('direct.calculate')}|solve for)"
_VALUE = rf"(?:(?:{any_of('algebra.values_of')}) )?"
_TARGET = rf"{_SEEK} {_VALUE}(?P<target>[^=<>?,;]{{1,40}}?)"
_SUCH = any_of("algebra.such_that")
_GIVEN = rf"(?:(?:{_SUCH}|let|suppose(?: that)?)\b[ ,:]*)?(?:(?:{any_of('algebra.equation_names')})\b[ ,:]*)?"
_EQUATIONS = r"(?P<equations>[^?]*=[^?]*?)"
_SOLVE_FOR = re.compile(rf"solve {_GIVEN}{_EQUATIONS},? for (?P<target>[a-z])", re.IGNORECASE)
_FORMS = (
    re.compile(rf"{_GIVEN}{_EQUATIONS}(?:[ ]*[,.;:?]+[ ]*|[ ]+)(?:and |then |so )?{_TARGET}", re.IGNORECASE),
    re.compile(rf"{_TARGET}(?:,? (?:{_SUCH})| ?:|,? for) {_GIVEN}{_EQUATIONS}", re.IGNORECASE),
    _SOLVE_FOR,
)
_PARTS = re.compile(r"(?:[,;.]\s*(?:and )?(?:that )?| and (?:that )?)(?=[^=]*=)")
_SMALL = re.compile(r"[a-z]")
_WORD = re.compile(r"(?:[A-Za-z](?![a-z])|xy|yx|ab|[0-9+*/^(). −²³-])+")


@dataclass(frozen=True, slots=True)
class _System:
    """Equations in as many letters, what is asked of them, and their solutions in full."""

    equations: tuple[tuple[Expression, Expression], ...]
    letters: tuple[str, ...]
    solutions: tuple[tuple[Expression, ...], ...]

    @property
    def text(self) -> str:
        return "; ".join(f"{plain(left)} = {plain(right)}" for left, right in self.equations)


def answer_asked_unknowns(text: str) -> AlgebraOutcome:
    """The value of what is asked of equations; None for any other question."""
    if len(text) > _LONGEST or "=" not in text:
        return None
    asked = without_ending(tidy(text)).replace("$", "")
    for form in _FORMS:
        found = form.fullmatch(asked)
        try:
            told = None if found is None else _answered(found["equations"], found["target"].strip(), form=form)
        except (UnreadMathematicsError, AmbiguousMathematicsError):
            continue
        if told is not None:
            return told
    return None


def _answered(written: str, target: str, *, form: re.Pattern[str]) -> AlgebraOutcome:
    system = _system(written)
    if system is None or (form is _SOLVE_FOR and len(system.equations) == 1):
        return None
    if not system.solutions:
        return DirectStatement(
            f"{system.text}: there is no real solution; the equations contradict each other.", system.text
        )
    if target.lower() in _ALL:
        return _all(system) if len(system.letters) > 1 or target.lower() == "the solution" else None
    names = re.split(r", ?| and ", target)
    if len(names) > 1 and sorted(names) == sorted(system.letters):
        return _all(system)
    if not _WORD.fullmatch(target) or " and " in target:
        return None
    wanted = read_one(_spaced(target, system.letters))
    if not symbols_of(wanted) or not set(symbols_of(wanted)) <= set(system.letters):
        return None
    values = [
        as_fraction(tidied(substitute(wanted, dict(zip(system.letters, solution, strict=True)))))
        for solution in system.solutions
    ]
    return _told(system, wanted, values)


_ALL = frozenset(("both", "both values", "both unknowns", "both numbers", "them", "them both", "the solution"))


def _spaced(target: str, letters: Sequence[str]) -> str:
    """`xy` as a product of the letters of the equations."""
    pair = re.compile(rf"(?<![A-Za-z])[{''.join(letters)}]{{2,3}}(?![A-Za-z(])")
    return pair.sub(lambda found: "*".join(found[0]), target)


def _system(written: str) -> _System | None:
    equations = _read_equations(written)
    if equations is None:
        return None
    letters = tuple(sorted({name for pair in equations for side in pair for name in symbols_of(side)}))
    # The imaginary unit and the base of powers are no unknowns; capitals name quantities.
    if len(letters) != len(equations) or not all(_SMALL.fullmatch(each) and each not in "ei" for each in letters):
        return None
    if all(isinstance(left, Symbol) and constant_of(right) is not None for left, right in equations):
        # Values of quantities are no equations to be solved.
        return None
    solutions = _solutions(equations, letters)
    return None if solutions is None else _System(equations, letters, solutions)


def _read_equations(written: str) -> tuple[tuple[Expression, Expression], ...] | None:
    parts = [part for part in _PARTS.split(written.strip(" ,.;:")) if part]
    if not 1 <= len(parts) <= _MOST_EQUATIONS or any(part.count("=") != 1 for part in parts):
        return None
    statements = [read_mathematics(part) for part in parts]
    # A logarithm without a base may be either one.
    if any(statement.signs != ("=",) or statement.has_bare_log for statement in statements):
        return None
    return tuple((statement.sides[0], statement.sides[1]) for statement in statements)


def _solutions(
    equations: tuple[tuple[Expression, Expression], ...], letters: tuple[str, ...]
) -> tuple[tuple[Expression, ...], ...] | None:
    """All real solutions in closed form; None where they are not all known."""
    if len(equations) == 1:
        one = solve_equation(*equations[0], letters[0], may_search=False)
        if isinstance(one, Failure) or not one.is_complete or one.everything:
            return None
        exact = [each.exact for each in one.solutions if each.exact is not None and each.period is None]
        return tuple((each,) for each in exact) if len(exact) == len(one.solutions) else None
    put_in = _with_values_put_in(equations)
    found = solve_system(put_in, letters)
    if isinstance(found, Failure) or found.free or not found.is_complete:
        return None
    return found.solutions if found.unknowns == letters else None


def _with_values_put_in(
    equations: tuple[tuple[Expression, Expression], ...],
) -> list[tuple[Expression, Expression]]:
    """The equations with the value of each letter that one of them gives put into the others."""
    known = {
        left.name: right for left, right in equations if isinstance(left, Symbol) and constant_of(right) is not None
    }
    return [
        (left, right)
        if isinstance(left, Symbol) and left.name in known
        else (substitute(left, known), substitute(right, known))
        for left, right in equations
    ]


def _all(system: _System) -> AlgebraOutcome:
    lines = tuple(WorkingLine(_pairs(system, solution)) for solution in system.solutions)
    count = "this is the only solution" if len(lines) == 1 else "these are all real solutions"
    shown = " or ".join(line.text for line in lines)
    text = f"{system.text}: {shown} (put back into all equations; {count})."
    return DirectStatement(text, system.text, lines)


def _pairs(system: _System, solution: tuple[Expression, ...]) -> str:
    return ", ".join(f"{name} = {plain(value)}" for name, value in zip(system.letters, solution, strict=True))


def _told(system: _System, wanted: Expression, values: list[Expression]) -> AlgebraOutcome:
    different = list(dict.fromkeys(values))
    shown = [_pairs(system, solution) for solution in system.solutions]
    lines = (*(WorkingLine(each) for each in shown),)
    checked = "put back into all equations"
    numbers = [value_at(each, {}) for each in different]
    if not all(number.is_real for number in numbers):
        return None
    count = "the only solution" if len(shown) == 1 else "all real solutions"
    is_said = isinstance(wanted, Symbol) and len(system.letters) == 1
    behind = checked if is_said else f"{count}: {' or '.join(shown)}; {checked}"
    if len(different) > 1:
        said = listed([f"{plain(wanted)} = {plain(each)}" for each in different], "or")
        return DirectStatement(f"{system.text}: {said} ({behind}).", system.text, lines)
    number = float(numbers[0].real)
    said = f"{plain(wanted)} = {number_with_digits(different[0], number)}"
    sentence = f"{system.text}: {said} ({behind})."
    return numeric(different[0], number, sentence, expression=system.text, checked=checked, lines=lines)
