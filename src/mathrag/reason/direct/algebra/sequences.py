"""Lists of numbers that go on: the next one and the n-th, where differences, quotients or second differences stay the
same. Such a list never determines how it goes on, so the rule that is taken is said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from mathrag.compute.algebra.polynomials import polynomial_expression, trimmed
from mathrag.compute.algebra.polynomials import value_at as polynomial_value
from mathrag.compute.evaluate.exact import evaluate
from mathrag.compute.solve.tidy import literal
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.outcomes import numeric
from mathrag.reason.direct.algebra.questions import task_text
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Expression, Symbol, multiply, number, power, subtract, symbols_of

_LONGEST = 240
_FEWEST, _MOST = 3, 20
_LARGEST_PLACE = 1000
_DOTS = r"(?:[ ,]*(?:\.\.\.*|…|\\dots|\\ldots|etc\.?|and so on|_+|\?+))*"
_NUMBER = r"[-−]?(?:[0-9]+(?:\.[0-9]+)?(?:/[0-9]+)?)"
_LIST = rf"(?P<list>{_NUMBER}(?:(?:, ?|; ?| )(?:and )?{_NUMBER}){{2,19}}){_DOTS}"
_ONE = rf"(?:{any_of('number_forms.continued')}|(?P<place{{0}}>[0-9]{{{{1,4}}}})(?:st|nd|rd|th) term)"
_JOINED = r"(?:,| and|, and| &)(?: also)?(?: find| give)?(?: the| a)?"
_WANTED = rf"(?P<first>{_ONE.format(1)})(?:{_JOINED} (?P<second>{_ONE.format(2)}))?"
_BETWEEN = rf"(?: (?:of|in|for|to))?(?: (?:{any_of('number_forms.list_names')}))?[ :,]*"
_FORMS = (
    re.compile(rf"(?:which |what )?{_WANTED}{_BETWEEN} ?{_LIST}", re.IGNORECASE),
    re.compile(
        rf"(?:(?:{any_of('number_forms.list_names')})[ :,]*)?{_LIST}[ ,;:.?]*(?:and )?"
        rf"(?:find |give |what is |whats |what's |what |which )?(?:is )?(?:the |a )?{_WANTED}",
        re.IGNORECASE,
    ),
)


@dataclass(frozen=True, slots=True)
class ListRule:
    """How a list goes on: its n-th term, and the sentence that says why; no term where only the next one is known."""

    said: str
    following: Fraction
    term: Expression | None = None
    polynomial: tuple[Fraction, ...] = ()
    ratio: Fraction = Fraction(0)


def answer_sequence(text: str) -> AlgebraOutcome:
    """The next term or the n-th of a list; None for any other question."""
    if len(text) > _LONGEST or not re.search(r"[0-9][^0-9]+[0-9]+[^0-9]+[0-9]", text):
        return None
    asked = task_text(text)
    found = next((match for form in _FORMS if (match := form.fullmatch(asked))), None)
    if found is None:
        return None
    try:
        terms = [list_value(part) for part in re.split(r"[,;] ?(?:and )?| and | ", found["list"]) if part.strip()]
    except (UnreadMathematicsError, AmbiguousMathematicsError):
        return None
    if not _FEWEST <= len(terms) <= _MOST:
        return None
    rule = rule_of(terms)
    return None if rule is None else _told(terms, rule, found)


def list_value(written: str) -> Fraction:
    """The number that a term writes. Raises `UnreadMathematicsError` for anything else."""
    expression = read_one(written)
    value = evaluate(expression, {}) if not symbols_of(expression) else None
    if not isinstance(value, int | Fraction):
        raise UnreadMathematicsError("no number")
    return Fraction(value)


def rule_of(terms: Sequence[Fraction]) -> ListRule | None:
    """How a list goes on, by the simplest rule that gives it; None where none of those known here does."""
    steps = [after - before for before, after in pairwise(terms)]
    if len(set(steps)) == 1:
        polynomial = trimmed((terms[0] - steps[0], steps[0]))
        said = f"arithmetic: each term is the one before it {_signed(steps[0])}"
        return ListRule(said, terms[-1] + steps[0], polynomial_expression(polynomial, "n"), polynomial)
    if all(terms) and len({after / before for before, after in pairwise(terms)}) == 1:
        ratio = terms[1] / terms[0]
        raised = power(literal(ratio), subtract(Symbol("n"), number(1)))
        term = raised if terms[0] == 1 else multiply(literal(terms[0]), raised)
        said = f"geometric: each term is the one before it times {shown_number(ratio)}"
        return ListRule(said, terms[-1] * ratio, term, ratio=ratio)
    second = [after - before for before, after in pairwise(steps)]
    if len(terms) >= 4 and len(set(second)) == 1:
        half = second[0] / 2
        linear = steps[0] - 3 * half
        polynomial = trimmed((terms[0] - half - linear, linear, half))
        differences = ", ".join(map(shown_number, steps))
        said = f"quadratic: the differences {differences} grow by {shown_number(second[0])} each time"
        return ListRule(said, terms[-1] + steps[-1] + second[0], polynomial_expression(polynomial, "n"), polynomial)
    if len(terms) >= 5 and all(terms[n] == terms[n - 1] + terms[n - 2] for n in range(2, len(terms))):
        return ListRule("each term is the sum of the two before it", terms[-1] + terms[-2])
    return None


def _signed(step: Fraction) -> str:
    return f"{'plus' if step >= 0 else 'minus'} {shown_number(abs(step))}"


def shown_number(value: Fraction) -> str:
    """A term as people write it."""
    return plain(literal(value))


def _told(terms: Sequence[Fraction], rule: ListRule, found: re.Match[str]) -> AlgebraOutcome:
    pairs = word_pairs("number_forms.continued")
    wanted = [pairs.get((found[name] or "").lower(), "") for name in ("first", "second")]
    places = [int(found[name]) for name in ("place1", "place2") if found[name]]
    if any(not 1 <= place <= _LARGEST_PLACE for place in places):
        return None
    if rule.term is None and ("general" in wanted or places):
        return None
    shown = ", ".join(map(shown_number, terms))
    said: list[str] = []
    if "next" in wanted:
        said.append(f"the next term is {shown_number(rule.following)}")
    said.extend(f"term {place} is {shown_number(_at(terms, rule, place))}" for place in places)
    if rule.term is not None:
        assert all(_at(terms, rule, place) == value for place, value in enumerate(terms, start=1))
        said.append(f"the n-th term is {plain(rule.term)} (n = 1 for the first; it gives all terms shown)")
    text = f"{shown}, … taken as {rule.said}: {'; '.join(said)}. Other rules can begin with the same numbers."
    lines = tuple(map(WorkingLine, said))
    # One term that is asked for is a number.
    asked = [_at(terms, rule, place) for place in places] or ([rule.following] if "next" in wanted else [])
    if len(asked) != 1 or "general" in wanted:
        return DirectStatement(text, shown, lines)
    return numeric(literal(asked[0]), None, text, expression=shown, checked="by the rule named", lines=lines)


def _at(terms: Sequence[Fraction], rule: ListRule, place: int) -> Fraction:
    if rule.ratio:
        return terms[0] * rule.ratio ** (place - 1)
    return polynomial_value(rule.polynomial, Fraction(place))
