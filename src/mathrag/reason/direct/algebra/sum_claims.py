"""Claims about sums and products up to n: `1 + 3 + … + (2n − 1) = n²`, `Σ k² = n(n+1)(2n+1)/6`, also in words."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from mathrag.compute.algebra.lettered_powers import linear_in
from mathrag.compute.algebra.points import fraction_text
from mathrag.compute.algebra.polynomials import NotPolynomialError, expression_of, terms_of
from mathrag.compute.algebra.sum_claims import SumClaim, SumVerdict, closed_form, judge_sum, shown_zero
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.compute.solve.tidy import tidied
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.limited_claims import FramedClaim, framed_claim
from mathrag.reason.direct.algebra.outcomes import failure
from mathrag.reason.direct.algebra.wording import latex, plain
from mathrag.reason.direct.algebra.written_sums import WrittenSum, normal_signs, read_sum, signed_head
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import (
    Add,
    Call,
    Expression,
    Symbol,
    add,
    power,
    substitute,
    symbols_of,
)

_LONGEST = 400
_HINT = re.compile(r"sum|∑|Σ|∏|Π|prod|dots|…|⋯|\.\.|\bfirst [a-z]\b|add", re.IGNORECASE)
_SAID = re.compile(rf" (?:{any_of('stated_sums.said_to_be')}) ", re.IGNORECASE)
_SQUARED = re.compile(r"(?:\\left ?)?[(\[](?P<inside>.+?)(?:\\right ?)?[)\]] ?(?:\^ ?\{?2\}?|²)")


def answer_sum_claim(text: str) -> AlgebraOutcome:
    """Whether a sum up to n is what it is said to be; None for any other question."""
    if len(text) > _LONGEST or not _HINT.search(text):
        return None
    framed = framed_claim(normal_signs(text))
    if framed is None:
        return None
    for left, right in _pairs(framed.body):
        try:
            found = _answered(left, right, framed) or _answered(right, left, framed)
        except AmbiguousMathematicsError as error:
            return failure("ambiguous", str(error))
        except (UnreadMathematicsError, NotPolynomialError):
            continue
        if found is not None:
            return found
    return None


def _pairs(body: str) -> list[tuple[str, str]]:
    """The two sides of a claim: at an equals sign that is in no bound, or at words that say so."""
    head = signed_head(body)
    offset = head.end() if head is not None else 0
    depth, cuts = 0, []
    for place, sign in enumerate(body):
        depth += (sign in "({[") - (sign in ")}]")
        if sign in "=≡" and depth == 0 and place >= offset and body[place - 1 : place] not in ("<", ">", "!", "="):
            cuts.append(place)
    pairs = [(body[:cut].strip(), body[cut + 1 :].lstrip("= ").strip()) for cut in cuts[-2:]]
    said = [(body[: found.start()], body[found.end() :]) for found in _SAID.finditer(body)]
    return [pair for pair in (*pairs, *said) if all(pair)][:4]


def _answered(side: str, other: str, framed: FramedClaim) -> AlgebraOutcome:
    written = read_sum(side)
    if written is None:
        return None
    if any(limit.name == written.symbol and limit.sign not in (">", ">=") for limit in framed.limits):
        return None
    claimed = _claimed(other, written)
    if claimed is None or not set(symbols_of(claimed)) <= {written.symbol, *symbols_of(written.body)}:
        return None
    claim = _claim(written, claimed, framed)
    verdict = _of_logarithms(claim) or judge_sum(claim)
    if verdict is None or verdict.kind == "unknown":
        return None
    if written.is_open and verdict.kind == "refuted":
        first = _first_term(written)
        second = judge_sum(_claim(first[0], _moved(claimed, first[1]), framed)) if first is not None else None
        if second is not None and second.kind != "refuted":
            return failure(
                "ambiguous", "it is not clear how far the sum reaches; write parentheses around what is added"
            )
    if verdict.kind == "refuted" and verdict.later is None and written.symbol not in symbols_of(claimed):
        # An equation for n, not a claim about every n.
        return None
    return _told(written, claimed, verdict)


_LOGARITHMS = ("log", "log2", "log10")


def _of_logarithms(claim: SumClaim) -> SumVerdict | None:
    """A sum of logarithms of positive numbers is the logarithm of their product."""
    body, claimed = claim.body, claim.claimed
    if not isinstance(body, Call) or not isinstance(claimed, Call) or body.function not in _LOGARITHMS:
        return None
    if claimed.function != body.function or claim.is_product or claim.start < 1:
        return None
    inside = body.arguments[0]
    if any(value < 0 for value in terms_of(inside).values()):
        return None
    found = judge_sum(replace(claim, body=inside, claimed=claimed.arguments[0], is_product=True))
    if found is None or found.kind != "induction":
        return None
    why = "log a + log b = log(a b) for positive numbers: the product of these numbers is"
    return replace(found, kind="theorem", tried=0, why=f"{why} {plain(claimed.arguments[0])}, as induction shows")


def _claim(written: WrittenSum, claimed: Expression, framed: FramedClaim) -> SumClaim:
    return SumClaim(
        written.body,
        written.index,
        written.start,
        written.upper,
        written.symbol,
        claimed,
        written.is_product,
        dict(framed.least).get(written.symbol),
        tuple(limit for limit in framed.limits if limit.name != written.symbol),
    )


def _claimed(text: str, written: WrittenSum) -> Expression | None:
    """What the sum is said to be; the square of a sum by its closed form."""
    squared = _SQUARED.fullmatch(text)
    inner = None
    if squared is not None:
        try:
            inner = read_sum(squared["inside"])
        except (UnreadMathematicsError, NotPolynomialError):
            inner = None
    if inner is None:
        return read_one(text)
    if inner.symbol != written.symbol or inner.is_product or inner.upper != Symbol(inner.symbol):
        return None
    closed = closed_form(inner.body, inner.index, inner.start, inner.symbol)
    return None if closed is None else power(closed, read_one("2"))


def _first_term(written: WrittenSum) -> tuple[WrittenSum, Expression] | None:
    if not isinstance(written.body, Add):
        return None
    first, *rest = written.body.terms
    return replace(written, body=first), add(*rest) if len(rest) > 1 else rest[0]


def _moved(claimed: Expression, rest: Expression) -> Expression:
    from_left = tidied(rest)
    return read_one("0") if claimed == from_left else add(claimed, _opposite(from_left))


def _opposite(expression: Expression) -> Expression:
    return expression_of({monomial: -value for monomial, value in terms_of(expression).items()})


# Words.


def _told(written: WrittenSum, claimed: Expression, verdict: SumVerdict) -> DirectStatement:
    sign, latex_sign = ("∏", r"\prod") if written.is_product else ("Σ", r"\sum")
    body = _shown(written.body)
    body = f"({body})" if isinstance(written.body, Add) else body
    head = f"{sign}({plain_symbol(written.index)}={written.start}…{plain(written.upper)}) {body}"
    whole = f"{head} = {_shown(claimed)}"
    below, above = f"{plain_symbol(written.index)}={written.start}", latex(written.upper)
    line = WorkingLine(whole, rf"{latex_sign}_{{{below}}}^{{{above}}} {latex(written.body)} = {latex(claimed)}")
    notes = (written.note,) if written.note else ()
    if written.is_open:
        notes = (*notes, f"the sum is taken over the whole of {_shown(written.body)}")
    if verdict.kind == "refuted":
        text, at = _refuted(written, whole, verdict)
        return DirectStatement(text, whole, (line, WorkingLine(at)), notes)
    name = plain_symbol(written.symbol)
    if verdict.kind == "held":
        text = (
            f"No counterexample found, not proved: {whole} holds for {_span(name, verdict)} (both sides computed "
            f"exactly); whether it holds for every {name} is not shown here."
        )
        return DirectStatement(text, whole, (line,), notes)
    how = _how(written, verdict)
    opening = f"True for every whole number {name} ≥ {verdict.first}{_limits(verdict.needed)}: {whole}."
    return DirectStatement(f"{opening} {how}", whole, (line, WorkingLine(how)), notes)


def _shown(expression: Expression) -> str:
    return re.sub(r"\bcomb\(", "C(", plain(expression))


def _span(name: str, verdict: SumVerdict) -> str:
    return f"{name} = {verdict.first}, …, {verdict.first + verdict.tried - 1}"


def _limits(needed: tuple[Expression, ...]) -> str:
    said = []
    for divisor in needed:
        names = symbols_of(divisor)
        zero = shown_zero(divisor, names[0]) if len(names) == 1 else None
        said.append(f"{plain_symbol(names[0])} ≠ {plain(zero)}" if zero is not None else f"{plain(divisor)} ≠ 0")
    return f" and {listed(list(dict.fromkeys(said)))}" if said else ""


def _how(written: WrittenSum, verdict: SumVerdict) -> str:
    name = plain_symbol(written.symbol)
    if verdict.kind == "theorem":
        return f"By {verdict.why}." + (f" Also computed exactly for {_span(name, verdict)}." if verdict.tried else "")
    following = substitute(written.body, {written.index: add(written.upper, read_one("1"))})
    try:
        shown = plain(expression_of(terms_of(following)))
    except NotPolynomialError:
        shown = _shown(tidied(following))
    grows = "is multiplied" if written.is_product else "grows"
    is_one = linear_in(written.upper, written.symbol)[0] == 1
    what = f"exactly the next term, {shown}" if is_one else "exactly the terms that come in"
    return (
        f"Shown by induction: at {name} = {verdict.first} both sides are equal; from {name} to {name} + 1 the "
        f"right side {grows} by {what} (compared by algebra)."
    )


def _refuted(written: WrittenSum, whole: str, verdict: SumVerdict) -> tuple[str, str]:
    """The sentence, and the line with both sides where they differ."""
    assert verdict.sides is not None
    kind = "product" if written.is_product else "sum"
    at = listed([f"{plain_symbol(name)} = {_number(value)}" for name, value in verdict.point])
    sides = f"at {at} the {kind} is {_number(verdict.sides[0])}, and the right side is {_number(verdict.sides[1])}"
    if verdict.later is not None:
        name, limits = plain_symbol(written.symbol), _limits(verdict.later.needed)
        opening = f"True for every whole number {name} ≥ {verdict.later.first}{limits}, but not at {at}: {whole}."
        return f"{opening} {sides[0].upper()}{sides[1:]}. {_how(written, verdict.later)}", sides
    rest = f" The sum is {_shown(tidied(verdict.closed))}." if verdict.closed is not None else ""
    return f"False: {whole} does not hold for every {plain_symbol(written.symbol)}: {sides}.{rest}", sides


def _number(value: Fraction) -> str:
    return fraction_text(value).replace("-", "−")
