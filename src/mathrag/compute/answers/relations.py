"""Read inequalities: as an interval of one symbol wherever they are one, else as they stand."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from mathrag.compute.answers.single_values import read_expression
from mathrag.compute.answers.writing import split_outside
from mathrag.compute.canonical import vanishing_terms
from mathrag.types.expression import Divide, Equation, Expression, Negate, Number, Power, Symbol, symbols_of, walk
from mathrag.types.math_answer import IntervalAnswer, MathAnswer, RelationAnswer, UnionAnswer

_SIGNS = {"<": ("<", False), "\\le": ("<=", False), ">": ("<", True), "\\ge": ("<=", True), "\\neq": ("!=", False)}
_TYPED = (("<=", "\\le "), (">=", "\\ge "), ("!=", "\\neq "))
_SEPARATORS = frozenset(_SIGNS)
_INFINITY = Symbol("infinity")
_ENDLESS = Negate(_INFINITY)

_Read = tuple[IntervalAnswer | UnionAnswer | RelationAnswer, str]


def read_relation(text: str, is_label: Callable[[str], bool]) -> _Read | None:
    """An inequality of two or three members, with the name of what it limits; None where the text is none."""
    for typed, command in _TYPED:
        text = text.replace(typed, command)
    members = split_outside(text, _SEPARATORS)
    if len(members) == 3:
        return _between(members, is_label)
    if len(members) != 2:
        return None
    relation, is_turned = _SIGNS[members[1][0]]
    left, right = (member for _, member in (members[::-1] if is_turned else members))
    if is_label(left) != is_label(right):
        return _one_sided(left, relation, right, label_first=is_label(left))
    return _linear(left, relation, right)


def _between(members: list[tuple[str, str]], is_label: Callable[[str], bool]) -> _Read | None:
    """a < x < b, or the same turned round."""
    (first, first_turned), (second, second_turned) = (_SIGNS[sign] for sign, _ in members[1:])
    middle = members[1][1]
    if first_turned != second_turned or "!=" in (first, second) or not is_label(middle):
        return None
    ends = [read_expression(member) for _, member in (members[0], members[2])]
    closed = [first == "<=", second == "<="]
    if first_turned:
        ends, closed = ends[::-1], closed[::-1]
    low, high = ends
    if low is None or high is None:
        return None
    return IntervalAnswer(low, high, has_low=closed[0], has_high=closed[1]), middle


def _one_sided(left: str, relation: str, right: str, *, label_first: bool) -> _Read | None:
    """left < right, where one of them is a name."""
    label, bound = (left, read_expression(right)) if label_first else (right, read_expression(left))
    if bound is None:
        return None
    return _limited(bound, relation, below=label_first), label


def _limited(bound: Expression, relation: str, *, below: bool) -> IntervalAnswer | UnionAnswer:
    has_bound = relation == "<="
    under = IntervalAnswer(_ENDLESS, bound, has_low=False, has_high=has_bound)
    over = IntervalAnswer(bound, _INFINITY, has_low=has_bound, has_high=False)
    if relation == "!=":
        return UnionAnswer((MathAnswer(under), MathAnswer(over)))
    return under if below else over


def _linear(left: str, relation: str, right: str) -> _Read | None:
    """An inequality linear in one symbol says how far it goes; others stay as they are."""
    first, second = read_expression(left), read_expression(right)
    if first is None or second is None:
        return None
    names = tuple(dict.fromkeys((*symbols_of(first), *symbols_of(second))))
    if len(names) == 1 and not _divides_by_symbols(first) and not _divides_by_symbols(second):
        terms = vanishing_terms(Equation(first, second))
        slope = terms.pop(((names[0], Fraction(1)),), None)
        constant = terms.pop((), Fraction(0))
        if slope and not terms:
            bound = _number(-constant / slope)
            return _limited(bound, relation, below=slope > 0), names[0]
    stated: RelationAnswer
    match relation:
        case "<":
            stated = RelationAnswer(first, "<", second)
        case "<=":
            stated = RelationAnswer(first, "<=", second)
        case _:
            stated = RelationAnswer(first, "!=", second)
    return stated, ""


def _divides_by_symbols(expression: Expression) -> bool:
    """Whether clearing denominators could turn the inequality round."""
    return any(
        (isinstance(node, Divide) and symbols_of(node.denominator)) or isinstance(node, Power)
        for node in walk(expression)
    )


def _number(value: Fraction) -> Expression:
    size = abs(value)
    expression: Expression = Number(size.numerator)
    if size.denominator != 1:
        expression = Divide(expression, Number(size.denominator))
    return Negate(expression) if value < 0 else expression
