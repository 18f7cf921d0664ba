"""Relations in one unknown that are to be solved among given numbers: `… = 0 over C`, `solve … for integers x`, `… on
[0, 2π)`; and relations that stand alone without a word: chains, systems, an equation with a range behind it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from mathrag.compute.algebra.identities import Comparison
from mathrag.compute.algebra.inequalities import Interval, solve_relations
from mathrag.compute.algebra.points import fraction_text
from mathrag.compute.algebra.solving import solve_equation
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.compute.solve.tidy import constant_of, tidied
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.equations import solved
from mathrag.reason.direct.algebra.outcomes import failure
from mathrag.reason.direct.algebra.questions import Solve, read_task, task_text
from mathrag.reason.direct.algebra.wording import relation_line, relation_text
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Call, Symbol, symbols_of, walk

_LONGEST = 300
_MOST_LISTED = 60
_RELATION = re.compile(r"[=<>≤≥]|\\(?:leq?|geq?)\b")
_SETS = any_of("solving.number_sets")
_OVER = re.compile(
    rf"[ ,;]+(?P<how>over|in|among|within|for|on|where|with|if)(?: [a-z] (?:in|is in|∈|\\in))?(?: the)?(?: set of|"
    rf" field of| ring of)? (?P<set>{_SETS})(?: [a-z])?\Z"
    rf"|[ ,;(]+[a-z] ?(?:∈|\\in\b|in|is an?|is|an?) ?(?P<member>{_SETS})\)?\Z"
)
_INTERVAL = re.compile(
    r"[ ,;]+(?:(?:on|in|over|for|within|with|where|if) )?(?:(?P<letter>[a-zθ]|\\theta) (?:in|∈|\\in) ?)?(?:the )?"
    r"(?:(?:closed |open |half-open )?interval |range )?(?P<open>[\[(]) ?(?P<low>[^,;\[\]=<>]{1,16}), ?"
    r"(?P<high>[^,;\[\]=<>]{1,16}?) ?(?P<close>[\])])\Z"
)
_BOUNDED = re.compile(
    r"[ ,;]+(?:for|where|with|when|if|given|given that|in the range|on|in the interval|such that|over) "
    r"(?P<limits>[^<>≤≥=]{1,16}(?:[<>]=?|[≤≥]|\\leq?|\\geq?)[^=]{1,30})\Z"
)
_ASKED_BEHIND = re.compile(
    rf"[ ,;:.]+(?:and |then |please )?(?:{any_of('solving.seeking')})(?: for)?(?: all)?(?: the)?"
    rf"(?: (?P<set>{_SETS}))?(?: possible| exact)?(?: values? of| values? for| solutions?| roots?)?(?: for| of)?"
    r"(?: (?P<letter>[a-z]))?\Z",
    re.IGNORECASE,
)
_ASKED_BEFORE = re.compile(
    rf"\A(?:(?:{any_of('solving.seeking')}) )?(?:for )?(?:all |the |every )*(?P<set>{_SETS}) "
    r"(?:numbers? |values? of |values? for )?(?P<letter>[a-z])?"
    r"(?: ?: ?| such that | with | satisfying | for which | where | so that | that satisfy | in |, )",
    re.IGNORECASE,
)
_SOUGHT = re.compile(rf"\b(?:{any_of('solving.seeking')})\b", re.IGNORECASE)
_SOLUTIONS_OF = re.compile(
    (
        rf"\A(?:(?:{any_of('algebra.solution_qualities')}) )*(?:{any_of('algebra.solutions')}) (?:of|to|for)(?: "
        rf"the equation)? "
    ),
    re.IGNORECASE,
)
_UNKNOWNS = frozenset("xyz")


def answer_solution_set(text: str) -> AlgebraOutcome:
    """The solutions among the numbers that are said; None for any other question."""
    if len(text) > _LONGEST or not _RELATION.search(text):
        return None
    asked = task_text(text)
    body, kind, is_said = _taken_off(_SOLUTIONS_OF.sub("solve ", asked))
    is_sought = bool(_SOUGHT.search(tidy(text)))
    try:
        if not is_said or (not is_sought and re.search(r"\b(?:for|where|if)\b|∈|\\in\b", asked) and kind):
            return _bare(asked)
        task = read_task(body if re.match(r"(?:solve|resolve)\b", body, re.IGNORECASE) else f"solve {body}")
    except (UnreadMathematicsError, AmbiguousMathematicsError):
        return None
    if not isinstance(task, Solve) or len({name for each in task.relations for name in each.names}) != 1:
        return None
    if not is_sought and not any(each.sign == "=" and not symbols_of(each.right) for each in task.relations):
        # An inequality with a condition is a claim; so is an equation between two expressions.
        return None
    found = _solved_among(task, kind)
    return None if isinstance(found, DirectFailure) and not is_sought else found


def _solved_among(task: Solve, kind: str) -> AlgebraOutcome:
    match kind:
        case "complex":
            return solved(replace(task, wants_complex=True)) if len(task.relations) == 1 else None
        case "" | "real":
            return solved(task)
    return _among(task, kind)


def _taken_off(asked: str) -> tuple[str, str, bool]:
    """The relations as they are to be solved, the kind of numbers, and whether the question said any of this."""
    body, kind, is_said, limits = asked, "", False, ""
    for _ in range(3):
        for pattern in (_ASKED_BEFORE, _ASKED_BEHIND, _OVER, _INTERVAL, _BOUNDED):
            found = pattern.search(body)
            if found is None:
                continue
            rest = body[found.end() :] if pattern is _ASKED_BEFORE else body[: found.start()]
            if not _RELATION.search(rest):
                continue
            groups = found.groupdict()
            named = groups.get("set") or groups.get("member")
            if named:
                pairs = word_pairs("solving.number_sets")
                kind = pairs.get(named) or pairs.get(named.lower(), "")
            if pattern is _INTERVAL:
                limits = f", {_as_relation(groups, rest)}"
            elif pattern is _BOUNDED:
                limits = f", {groups['limits']}"
            body, is_said = rest, True
    return f"{body}{limits}", kind, is_said


def _as_relation(groups: dict[str, str | None], rest: str) -> str:
    letters = re.findall(r"(?<![A-Za-z\\])[a-z](?![A-Za-z])", rest)
    letter = groups["letter"] or (letters[0] if letters else "x")
    low, high = ("<=" if groups["open"] == "[" else "<"), ("<=" if groups["close"] == "]" else "<")
    return f"{groups['low']} {low} {letter} {high} {groups['high']}"


# Whole numbers and fractions.


def _among(task: Solve, kind: str) -> AlgebraOutcome:
    """The solutions that are whole numbers, natural numbers or fractions."""
    relations, name = task.relations, task.relations[0].names[0]
    whole = " and ".join(relation_text(each) for each in relations)
    if len(relations) == 1 and relations[0].sign == "=":
        found = solve_equation(relations[0].left, relations[0].right, name)
        if isinstance(found, Failure) or not found.is_complete or found.everything:
            return None
        if any(each.period is not None or each.exact is None for each in found.solutions):
            return None
        values = [constant_of(tidied(each.exact)) for each in found.solutions if each.exact is not None]
        return _told(task, whole, [each for each in values if each is not None and _is_of(each, kind)], kind, name)
    if kind == "rational":
        return None
    intervals = solve_relations([(each.left, each.sign, each.right) for each in relations], name)
    if isinstance(intervals, Failure):
        return failure(intervals.code, f"{whole}: {intervals.message}")
    listed_ones = _whole_in(intervals, 1 if kind == "positive" else 0 if kind == "natural" else None)
    return None if listed_ones is None else _told(task, whole, listed_ones, kind, name)


def _is_of(value: Fraction, kind: str) -> bool:
    if kind == "rational":
        return True
    return value.denominator == 1 and not (kind == "natural" and value < 0) and not (kind == "positive" and value < 1)


def _whole_in(intervals: Sequence[Interval], least: int | None) -> list[Fraction] | None:
    found: list[Fraction] = []
    for each in intervals:
        if each.high is None or (each.low is None and least is None):
            return None
        low = Fraction(least) if each.low is None and least is not None else each.low.low if each.low else Fraction(0)
        first = math.floor(low) - 1 if least is None else max(math.floor(low) - 1, least)
        last = math.ceil(each.high.high) + 1
        if last - first > _MOST_LISTED:
            return None
        found.extend(Fraction(place) for place in range(first, last + 1) if _is_in(Fraction(place), each))
    return found


def _is_in(place: Fraction, interval: Interval) -> bool:
    low, high = interval.low, interval.high
    is_below = low is not None and (place < low.low or (place == low.low == low.high and not interval.has_low))
    is_above = high is not None and (place > high.high or (place == high.low == high.high and not interval.has_high))
    return not is_below and not is_above


_KINDS = {
    "integer": "whole numbers",
    "natural": "natural numbers (0 counted)",
    "positive": "positive whole numbers",
    "rational": "rational numbers",
}


def _told(task: Solve, whole: str, values: Sequence[Fraction], kind: str, name: str) -> DirectStatement:
    lines = tuple(relation_line(each) for each in task.relations)
    numbers = _KINDS[kind]
    if not values:
        return DirectStatement(f"{whole} has no solution among the {numbers}.", whole, lines, task.notes)
    shown = [f"{plain_symbol(name)} = {fraction_text(each).replace('-', '−')}" for each in values]
    count = "this is the only one" if len(values) == 1 else "these are all"
    text = f"{whole}: {listed(shown, 'or')} (among the {numbers}; {count})."
    return DirectStatement(text, whole, (*lines, *map(WorkingLine, shown)), task.notes)


# Relations without a word.


def _bare(asked: str) -> AlgebraOutcome:
    """A chain, a system or an equation with a range, and nothing else: there to be solved."""
    if re.search(r"[A-Za-z]{4,}", re.sub(r"\\[A-Za-z]+|sinh|cosh|tanh|sqrt", "", asked)):
        return None
    task = read_task(f"solve {asked}")
    if not isinstance(task, Solve) or task.unknowns:
        return None
    names = {name for each in task.relations for name in each.names}
    if not names or not names <= _UNKNOWNS or all(_is_given(each) for each in task.relations):
        return None
    equations = [each for each in task.relations if each.sign == "="]
    if len(names) > 1:
        is_system = len(equations) == len(task.relations) == len(names) and not any(map(_is_given, equations))
        return solved(task) if is_system else None
    return solved(task) if _is_to_solve(task, equations) else None


def _is_to_solve(task: Solve, equations: Sequence[Comparison]) -> bool:
    """Whether relations in one unknown, without a word, ask for its values and are no statement about all of them."""
    nodes = [node for each in task.relations for side in (each.left, each.right) for node in walk(side)]
    calls = {node.function for node in nodes if isinstance(node, Call) and symbols_of(node)}
    if len(task.relations) == 1:
        return calls == {"abs"}
    if len(equations) > 1 or (not equations and calls - {"abs"}):
        return False
    # Between two expressions it may be a statement with a condition.
    return not any(symbols_of(each.left) and symbols_of(each.right) for each in equations)


def _is_given(relation: Comparison) -> bool:
    """A letter alone, with a number."""
    sides = (relation.left, relation.right)
    return any(isinstance(side, Symbol) for side in sides) and any(not symbols_of(side) for side in sides)
