"""Equations that are to be solved among the complex numbers, and all roots of one number: `solve z^2 = -3 + 4i`, `the
cube roots of 8i`."""

from __future__ import annotations

import re

from mathrag.compute.algebra.complex_roots import (
    IMAGINARY,
    ComplexRoot,
    coefficients,
    complex_solutions,
    roots_of_number,
)
from mathrag.compute.algebra.polynomials import NotPolynomialError
from mathrag.compute.typed_mathematics import UnreadMathematicsError, read_mathematics, read_one
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import ZERO, Expression, Symbol, subtract, symbols_of

_LONGEST = 300
_COMPLEX = any_of("complex_equations.among_complex")
_SOLVE = re.compile(
    rf"(?:(?:{any_of('complex_equations.seeking')})[ :,]*)+(?P<body>[^=]+=[^=]+?)(?:,? for (?P<letter>[a-z]))?"
    rf"(?P<over>[ ,;(]+(?:{_COMPLEX})(?: [a-z])?\)?)?(?:,? for [a-z])?",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"(?P<body>[^=]+=[^=]+?)(?P<over>[ ,;:]+(?:{any_of('complex_equations.asked_behind')}|{_COMPLEX}))+", re.IGNORECASE
)
_ROOTS = re.compile(
    rf"(?:(?:{any_of('complex_equations.all_of')}) )*(?P<order>{any_of('complex_equations.orders')}|[0-9]{{1,2}}(?:th|"
    rf"rd|nd))"
    rf"[ -]roots? of (?P<body>.+?)(?P<over>[ ,]+(?:{_COMPLEX}))?",
    re.IGNORECASE,
)
_SAID = re.compile(r"\bcomplex|ℂ|\b(?:over|in) C\b")


def answer_complex_equation(text: str) -> AlgebraOutcome:
    """All complex solutions of an equation, or all roots of a number; None for any other question."""
    lower = text.lower()
    if len(text) > _LONGEST or not ("=" in text or "root" in lower):
        return None
    asked = re.sub(r"\\mathbb ?\{? ?C ?\}?", "ℂ", task_text(text)).strip(" ,:")
    roots = _ROOTS.fullmatch(asked)
    try:
        if roots is not None:
            return _roots(roots)
        found = _SOLVE.fullmatch(asked) or _BEHIND.fullmatch(asked)
        return None if found is None else _solved(found["body"], is_said=_SAID.search(asked) is not None)
    except (UnreadMathematicsError, NotPolynomialError, KeyError):
        return None


def _solved(body: str, *, is_said: bool) -> AlgebraOutcome:
    statement = read_mathematics(body)
    if statement.signs != ("=",):
        return None
    left, right = statement.sides
    names = {*symbols_of(left), *symbols_of(right)}
    unknowns = names - {IMAGINARY}
    if len(unknowns) != 1 or not (is_said or IMAGINARY in names):
        return None
    (symbol,) = unknowns
    if symbol in ("e", "j") or Symbol(symbol) in (left, right):
        # A letter alone is given a value.
        return None
    whole = coefficients(subtract(left, right), symbol)
    found = complex_solutions(whole)
    if found is None:
        return None
    head = f"{plain(left)} = {plain(right)}"
    degree = max(n for n, each in enumerate(whole) if not each.is_zero)
    why = f"an equation of degree {degree} has at most {degree} complex solution{'s' if degree > 1 else ''}"
    if len(found) < degree:
        why = f"a solution that counts {degree} times"
    return _told(head, symbol, found, why, is_real=IMAGINARY not in names)


def _roots(found: re.Match[str]) -> AlgebraOutcome:
    said = found["order"].lower()
    count = int(word_pairs("complex_equations.orders").get(said) or re.sub(r"\D", "", said))
    body = re.sub(r"\b(?:unity|one)\b", "1", found["body"], flags=re.IGNORECASE)
    is_unity = body != found["body"]
    number = read_one(body)
    if set(symbols_of(number)) - {IMAGINARY}:
        return None
    is_plural = "roots" in found[0].lower()
    # One root of a real number is what arithmetic says; all of them are asked for in the plural, or by name.
    if IMAGINARY not in symbols_of(number) and not (found["over"] or is_unity or "complex" in found[0].lower()):
        return None
    roots = roots_of_number(coefficients(number, "z")[0], count)
    if roots is None or (not is_plural and IMAGINARY not in symbols_of(number)):
        return None
    head = f"z^{count} = {plain(number)}"
    return _told(head, "z", roots, f"a number other than 0 has exactly {count} roots of order {count}", is_real=False)


def _told(head: str, symbol: str, found: list[ComplexRoot], why: str, *, is_real: bool) -> DirectStatement:
    shown = [f"{symbol} = {_shown(each)}" for each in found]
    notes = () if is_real else ("i is taken as the imaginary unit",)
    all_said = "This is the only complex solution" if len(found) == 1 else "These are all complex solutions"
    text = f"{head}: {listed(shown, 'or')}. {all_said} ({why})."
    return DirectStatement(text, head, tuple(WorkingLine(each) for each in (head, *shown)), notes)


def _shown(root: ComplexRoot) -> str:
    if root.parts is not None:
        return _sum(*root.parts)
    assert root.polar is not None
    size, angle = (plain(each) for each in root.polar)
    about = f"{root.value.real:.6g} {'−' if root.value.imag < 0 else '+'} {abs(root.value.imag):.6g} i".replace(
        "-", "−"
    )
    before = "" if size == "1" else f"{size} · "
    return f"{before}(cos({angle}) + i sin({angle})) ≈ {about}"


def _sum(real: Expression, imaginary: Expression) -> str:
    """`2 − 3 i`."""
    if imaginary == ZERO:
        return plain(real)
    size = plain(imaginary)
    is_negative = size.startswith("−")
    size = size[1:].removeprefix("(").removesuffix(")") if is_negative and size[1:2] == "(" else size.lstrip("−")
    turned = "i" if size == "1" else f"({size}) i" if re.search(r"[ /+]", size) else f"{size} i"
    if real == ZERO:
        return f"−{turned}" if is_negative else turned
    return f"{plain(real)} {'−' if is_negative else '+'} {turned}"
