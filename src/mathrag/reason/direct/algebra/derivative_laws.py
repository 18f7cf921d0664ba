"""Laws of derivatives in letters: `is (fg)' = f'g'?`, `(f/g)' = (f'g − fg')/g²`.

The letters f, g, h, u, v and w stand for any differentiable functions of one variable, others for constants. By the
rules of derivatives both sides become expressions in the functions and their derivatives at one place, which may have
any values there: what fails at some values is false, and what holds by algebra is true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from mathrag.compute.algebra.identities import Comparison, Trial, Witness, is_exactly_equal, try_statement
from mathrag.compute.algebra.points import point_text, value_at
from mathrag.compute.calculus import derivative
from mathrag.compute.evaluate import Failure
from mathrag.compute.typed_mathematics import (
    AmbiguousMathematicsError,
    UnreadMathematicsError,
    read_mathematics,
    read_one,
)
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import word_class
from mathrag.reason.direct.algebra.stated_letters import stated_equation
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Expression, Symbol, add, multiply, substitute, symbols_of

_LONGEST = 200
_VALUES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
_APART = 1e-9
_FUNCTIONS = "fghuvw"
_PRIME = re.compile(r"['′’″‴]{1,6}")
_HIGHEST_ORDER = 4
# f'(x) and f(x) are f' and f: all functions are taken at one place.
_OF_ARGUMENT = re.compile(rf"(?<=[{_FUNCTIONS}])(?P<prime>['′’″‴]*) ?\( ?[xt] ?\)")
_PLACEHOLDERS = "ABCDEFGHJKLMNPQR"


def answer_derivative_law(text: str) -> AlgebraOutcome:
    """Whether an equation between derivatives of functions in letters is true; None for any other question."""
    if len(text) > _LONGEST or not _PRIME.search(text) or "=" not in text:
        return None
    stated = stated_equation(text)
    if stated is None or stated.body.count("=") != 1 or stated.groups:
        return None
    if not word_class("algebra.of_functions").issuperset(word.lower() for word in stated.unread):
        return None
    try:
        relation = _relation(_OF_ARGUMENT.sub(r"\g<prime>", stated.body))
    except (UnreadMathematicsError, AmbiguousMathematicsError):
        return None
    return None if relation is None else _told(stated.body, relation, _tried(relation))


def _tried(relation: Comparison) -> Trial:
    """Whether both sides are one expression; with many letters by algebra, or by values that are all different."""
    trial = try_statement(relation)
    if trial.verdict != "undecided":
        return trial
    if is_exactly_equal(relation):
        return Trial("by_algebra")
    point = dict(zip(relation.names, map(Fraction, _VALUES), strict=False))
    sides = [value_at(each, point) for each in (relation.left, relation.right)]
    is_other = all(each.is_real for each in sides) and abs(sides[0].real - sides[1].real) > _APART
    return Trial("refuted", counterexample=Witness(point, sides[0], sides[1])) if is_other else trial


def _relation(body: str) -> Comparison | None:
    """The equation with every derivative written out in the functions and their derivatives."""
    if any(sign in body for sign in _PLACEHOLDERS):
        return None
    values: dict[str, Expression] = {}
    written = body
    for name in _PLACEHOLDERS:
        mark = _PRIME.search(written)
        if mark is None:
            break
        start, found = _derived(written[: mark.start()].rstrip(), _order(mark[0]))
        if found is None:
            return None
        values[name] = found
        written = f"{written[:start]} {name} {written[mark.end() :]}"
    statement = read_mathematics(written)
    if _PRIME.search(written) or len(statement.sides) != 2:
        return None
    left, right = (substitute(side, values) for side in statement.sides)
    return Comparison(left, "=", right)


def _order(primes: str) -> int:
    """How many derivatives a run of primes means."""
    return sum({"″": 2, "‴": 3}.get(each, 1) for each in primes)


def _named(function: str, order: int) -> str:
    return function if not order else f"{function}_prime" if order == 1 else f"{function}_prime{order}"


def _derived(before: str, order: int) -> tuple[int, Expression | None]:
    """Where that begins whose derivative primes mean, and the derivative; None where nothing can be derived."""
    if order > _HIGHEST_ORDER:
        return 0, None
    if before[-1:] and before[-1] in _FUNCTIONS and before[-2:-1] not in _PLACEHOLDERS:
        return len(before) - 1, Symbol(_named(before[-1], order))
    start = _opening(before)
    if start is None or _PRIME.search(before, start):
        return 0, None
    inner = read_one(before[start + 1 : -1])
    for _ in range(order):
        parts = list(_terms(inner))
        if not parts:
            return 0, None
        inner = add(*parts)
    return start, inner


def _terms(inner: Expression) -> Iterator[Expression]:
    """The parts of a derivative, one a function in it."""
    for name in symbols_of(inner):
        function, _, primes = name.partition("_prime")
        if function in _FUNCTIONS:
            found = derivative(inner, name)
            if isinstance(found, Failure):
                raise UnreadMathematicsError(found.message)
            order = 0 if function == name else int(primes or 1)
            yield multiply(found, Symbol(_named(function, order + 1)))


def _opening(text: str) -> int | None:
    """The place of the bracket that the last sign of a text closes."""
    level = 0
    for place in range(len(text) - 1, -1, -1):
        level += (text[place] == ")") - (text[place] == "(")
        if level == 0:
            return place if text[place] == "(" else None
    return None


def _told(whole: str, relation: Comparison, trial: Trial) -> DirectStatement | None:
    names = dict.fromkeys(name.partition("_prime")[0] for name in relation.names)
    functions = listed([name for name in names if name in _FUNCTIONS])
    rules = "By the sum, product, quotient and chain rules"
    if trial.verdict == "by_algebra":
        often = "twice " if any("prime2" in each for each in relation.names) else ""
        often = "sufficiently often " if any(re.search("prime[34]", each) for each in relation.names) else often
        where = f"for all {often}differentiable functions {functions} for which both sides have a value"
        shown = f"{rules} both sides are the same expression in the functions and their derivatives (shown by algebra)."
        return DirectStatement(f"True {where}: {whole}. {shown}", whole, (WorkingLine(whole),))
    witness = trial.counterexample
    if trial.verdict != "refuted" or witness is None:
        return None
    at = _with_primes(point_text(witness.point))
    sides = f"the left side is {witness.left.shown()} and the right side is {witness.right.shown()}"
    said = (
        f"False in general: {rules[0].lower()}{rules[1:]} the left side is {_with_primes(plain(relation.left))}, "
        f"and the right side "
        f"is {_with_primes(plain(relation.right))}. For functions with {at} at some place, {sides}."
    )
    return DirectStatement(said, whole, (WorkingLine(f"left: {_with_primes(plain(relation.left))}"),))


def _with_primes(text: str) -> str:
    for written, order in (("_prime4", 4), ("_prime3", 3), ("_prime2", 2), ("_prime", 1)):
        text = text.replace(written, "′" * order)
    return text
