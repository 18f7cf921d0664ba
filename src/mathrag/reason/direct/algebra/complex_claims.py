"""Whether an equation holds for all complex numbers: `is |z|^2 = z conj(z) for complex z?`"""

from __future__ import annotations

import re

from mathrag.compute.algebra.complex_orders import order_shown
from mathrag.compute.algebra.complex_statements import (
    ENOUGH_POINTS,
    ComplexStatement,
    ComplexTrial,
    Sort,
    UnreadComplexError,
    read_complex_statement,
    try_complex,
)
from mathrag.language.enumeration import listed
from mathrag.reason.direct.algebra.stated_letters import StatedEquation, stated_equation
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 300
_MARKS = re.compile(r"\$+|\\[()\[\]]|`|\\(?:mathrm|operatorname) ?")
# What only complex numbers have; a question that uses one of these speaks of them.
_OF_COMPLEX = re.compile(r"\b(?:conj|conjugate|Re|Im|arg) ?\(|\\(?:bar|overline)\b|[a-zA-Z][\u0304\u0305]|\bcomplex\b")
_INDEXED = re.compile(
    r"(?<![A-Za-z\\])(?P<letter>[zw])(?:_ ?\{ ?(?P<braced>[0-9]) ?\}|_? ?(?P<index>[0-9₀-₉]))(?![0-9])"
)
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
# Letters that no question uses, for those with an index.
_FOR_INDEXED = "ζξψχ"
# Sizes of two letters that mostly stand for complex numbers.
_TWO_LETTERS = re.compile(r"\|[^|=]*(?:z[^|=A-Za-z]*w|w[^|=A-Za-z]*z)[^|=]*\|")
# Letters that stand for real and for whole numbers where complex ones are named beside them.
_USUALLY_REAL = frozenset("abrtxyθφα")
_USUALLY_WHOLE = frozenset("kmn")


def answer_complex_claim(text: str) -> AlgebraOutcome:
    """What algebra or points say of an equation between complex numbers; None for any other question."""
    if len(text) > _LONGEST:
        return None
    text, indexed = _without_indexes(text)
    is_of_sizes = "|" in text and bool(indexed or _TWO_LETTERS.search(text))
    if "complex" not in text.lower() and not _OF_COMPLEX.search(text) and not is_of_sizes:
        return None
    stated = stated_equation(_MARKS.sub(" ", text).replace("==", "="))
    if stated is None or not (_OF_COMPLEX.search(text) or stated.says("complex") or is_of_sizes):
        return None
    found = _answered(stated)
    return _with_indexes(found, indexed) if indexed else found


def _without_indexes(text: str) -> tuple[str, dict[str, str]]:
    """Letters with an index by letters of their own; and what each of them stands for."""
    named: dict[str, str] = {}
    free = [each for each in _FOR_INDEXED if each not in text]

    def lettered(found: re.Match[str]) -> str:
        name = f"{found['letter']}{(found['braced'] or found['index']).translate(_LOWERED)}"
        if name not in named and len(named) == len(free):
            return found[0]
        return named.setdefault(name, free[len(named)] if name not in named else named[name])

    made = _INDEXED.sub(lettered, text)
    return made, {letter: name for name, letter in named.items()}


def _with_indexes(found: AlgebraOutcome, indexed: dict[str, str]) -> AlgebraOutcome:
    def named(text: str) -> str:
        return "".join(indexed.get(character, character) for character in text)

    if isinstance(found, DirectStatement):
        lines = tuple(WorkingLine(named(each.text)) for each in found.lines)
        return DirectStatement(named(found.text), named(found.expression), lines, found.notes)
    return DirectFailure(found.code, named(found.message), found.kind) if isinstance(found, DirectFailure) else found


def _answered(stated: StatedEquation) -> AlgebraOutcome:
    if stated.says("matrix"):
        return None
    try:
        statement = read_complex_statement(stated.body)
    except UnreadComplexError as error:
        if not stated.says("complex") or re.search(r"[A-Za-z]{9,}", stated.body):
            return None
        return DirectFailure(
            "unread", f"{stated.body} could not be read as a statement about complex numbers: {error}", "algebra"
        )
    if stated.unread:
        words = listed([f"“{word}”" for word in stated.unread])
        return DirectFailure(
            "unread", f"{stated.body} was not tried: what {words} requires of its letters is not known here", "algebra"
        )
    return _told(statement, stated)


def _sorts(statement: ComplexStatement, stated: StatedEquation) -> dict[str, Sort]:
    """What each letter stands for: as said, else as is usual beside letters that are called complex."""
    named = stated.letters_said("complex")
    found: dict[str, Sort] = {}
    for name in statement.letters:
        if stated.is_said(name, "whole"):
            found[name] = "whole"
        elif name in stated.letters_said("real"):
            found[name] = "real"
        elif name in named or (not stated.says("complex") and name in ("z", "w", *_FOR_INDEXED)):
            found[name] = "complex"
        elif name in _USUALLY_WHOLE:
            found[name] = "whole"
        elif (named or not stated.says("complex")) and name in _USUALLY_REAL and {"z", "w"} & set(statement.letters):
            found[name] = "real"
        else:
            found[name] = "complex"
    return found


def _told(statement: ComplexStatement, stated: StatedEquation) -> AlgebraOutcome:
    whole, sorts = stated.body, _sorts(statement, stated)
    nonzero = frozenset(name for name in statement.letters if stated.is_said(name, "nonzero"))
    trial = try_complex(statement, sorts, nonzero=nonzero)
    where = f" for {_letters_text(sorts)}"
    if trial.counterexample is not None:
        return _refuted(whole, where, trial)
    if trial.held < ENOUGH_POINTS:
        reason = f"both sides have a value at only {trial.held} of the points tried"
        return DirectFailure("unsolved", f"{whole}{where} could not be told true or false: {reason}", "algebra")
    order = order_shown(statement, sorts)
    if order:
        return DirectStatement(f"True: {whole}{where}. {order}", whole, (WorkingLine(whole),))
    if trial.is_shown:
        divided = " for which both sides have a value" if "/" in whole or "^-" in whole or "−1" in whole else ""
        how = "Written out in real and imaginary parts, both sides are the same (shown by algebra)."
        text = f"True: {whole}{where}{divided}. {how}"
        return DirectStatement(text, whole, (WorkingLine(whole),))
    text = (
        f"No counterexample found, not proved: {whole} holds at all {trial.held} points tried{where} "
        "(checked numerically with 60 digits, not proved)."
    )
    return DirectStatement(text, whole, (WorkingLine(whole),))


def _refuted(whole: str, where: str, trial: ComplexTrial) -> DirectStatement:
    assert trial.counterexample is not None
    point, left, right = trial.counterexample
    at = ", ".join(f"{name} = {value}" for name, value in point.items())
    sides = f"the left side is {left} and the right side is {right}"
    return DirectStatement(f"False{where}: at {at} {sides}.", whole, (WorkingLine(f"at {at}: {left} / {right}"),))


def _letters_text(sorts: dict[str, Sort]) -> str:
    said = {"complex": "complex", "real": "real", "whole": "whole numbers from 0 on"}
    told = []
    for sort, words in said.items():
        names = [name for name, each in sorts.items() if each == sort]
        if names:
            told.append(f"{words} {listed(names)}" if sort != "whole" else f"{words} as {listed(names)}")
    return " and ".join(told)
