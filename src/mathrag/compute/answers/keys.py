"""A text for each answer that was read, one for the same answers: what votes are counted by."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from mathrag.compute.answers.expressions import exact_value, expression_key, statement_key
from mathrag.types.expression import Add, Divide, Equation, Expression, Negate, Symbol
from mathrag.types.math_answer import (
    AnswerBody,
    BaseNumeral,
    ClockAnswer,
    EquationAnswer,
    IntervalAnswer,
    MathAnswer,
    MatrixAnswer,
    RelationAnswer,
    SeveralAnswer,
    UnionAnswer,
    ValueAnswer,
    WordsAnswer,
)

# Units that a bare number may have left out and that are numbers themselves keep their sign in the key.
_PURE_NUMBERS = frozenset(("percent", "deg"))


def key_of(body: AnswerBody) -> str | None:
    """The key of an answer; None where there is nothing to make one from."""
    match body:
        case ValueAnswer():
            return _value_key(body)
        case SeveralAnswer():
            return _several_key(body)
        case EquationAnswer(left, right):
            return statement_key(Equation(left, right))
        case IntervalAnswer():
            return _interval_key(body)
        case RelationAnswer() | UnionAnswer() | MatrixAnswer():
            return _structured_key(body)
        case BaseNumeral(digits, base):
            return f"{digits}_{base}"
        case ClockAnswer(hours, minutes, half):
            return f"{hours}:{minutes:02}{half}"
        case WordsAnswer(text):
            return f"words {text}"


def expressions_of(several: SeveralAnswer) -> list[Expression]:
    """The expressions of the values among several answers."""
    return [item.body.expression for item in several.items if isinstance(item.body, ValueAnswer)]


def _structured_key(body: RelationAnswer | UnionAnswer | MatrixAnswer) -> str | None:
    match body:
        case RelationAnswer(left, relation, right):
            side = expression_key(Add((left, Negate(right))))
            return None if side is None else f"{side} {relation} 0"
        case UnionAnswer(parts):
            keys = _keys(parts)
            return None if keys is None else " u ".join(sorted(set(keys)))
        case MatrixAnswer(rows):
            texts = [_keys(row) for row in rows]
            known = [", ".join(text) for text in texts if text is not None]
            return f"[{'; '.join(known)}]" if len(known) == len(texts) else None


def _interval_key(interval: IntervalAnswer) -> str | None:
    ends = _keys([MathAnswer(ValueAnswer(end)) for end in (interval.low, interval.high)])
    if ends is None:
        return None
    return f"{'[' if interval.has_low else '('}{', '.join(ends)}{']' if interval.has_high else ')'}"


def _keys(items: Sequence[MathAnswer]) -> list[str] | None:
    found = [key_of(item.body) for item in items]
    known = [key for key in found if key is not None]
    return known if len(known) == len(found) else None


def _several_key(several: SeveralAnswer) -> str | None:
    keys = _keys(several.items)
    if keys is None:
        return None
    match several.arrangement:
        case "list" | "set":
            return "{" + ", ".join(sorted(set(keys))) + "}"
        case "ratio":
            expressions = expressions_of(several)
            shares = [expression_key(Divide(each, expressions[0])) for each in expressions]
            known = [share for share in shares if share is not None]
            return f"ratio {' : '.join(known)}" if len(known) == len(shares) else None
        case "named":
            pairs = zip(several.items, keys, strict=True)
            return ", ".join(f"{item.label} = {key}" for item, key in pairs)
        case "tuple":
            return "(" + ", ".join(keys) + ")"


def _value_key(value: ValueAnswer) -> str | None:
    if isinstance(value.expression, Symbol) and value.unit is None and not value.counted:
        # A letter is the same whether it was typeset as a symbol or as the letter of a choice.
        return f"words {value.expression.name}"
    key = expression_key(value.expression)
    if key is None or value.unit is None:
        return f"{key} {value.counted}" if key and value.counted else key
    exact = exact_value(value.expression)
    if exact is None or value.unit.offset or value.unit.text in _PURE_NUMBERS:
        return f"{key} {value.unit.text}"
    return f"{float(exact * Fraction(str(value.unit.scale))):.12g} {value.unit.dimension}"
