"""Sums and products out of marks: what the signs between the operands of a row mean, and what no sign means.

The operands themselves are read by `mathrag.compute.grammar.operands`, which calls back for the rows inside them.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.compute.grammar.calculus import is_slash_derivative
from mathrag.compute.grammar.context import Cursor, Matrix, Value
from mathrag.compute.grammar.names import is_function_word, is_minus_one
from mathrag.compute.grammar.units_inside import unit_after_value, unit_text
from mathrag.compute.grammar.values import add_values, divide_values, multiply_values, negate_value
from mathrag.compute.grammar.vectors import is_vector_mark, points_somewhere, refuse_vector_sum
from mathrag.compute.notation import Accent, Digits, Fence, Mark, Name, Root, Script, Sign, Words
from mathrag.types.expression import Negate, Number, call, multiply, symbols_of

_ADDING = frozenset(("+", "-", "±", "∓"))
_TIMES = frozenset(("·", "×", "*", "\u2062"))


def _sign_factor(cursor: Cursor, sign: str, position: int) -> str:
    """`+` or `-`; a plus-minus takes the sign of the branch being read."""
    if sign in ("±", "∓"):
        cursor.context.saw_plus_minus = True
        cursor.context.flag("plus_minus", "the plus-minus sign is read as two equations, one for each sign", position)
        if sign == "∓":
            return "-" if cursor.context.branch == "+" else "+"
        return cursor.context.branch
    return sign


def read_sum(cursor: Cursor) -> Value:
    """Terms with signs between them."""
    result: Value | None = None
    terms: list[Sequence[Mark]] = []
    start = cursor.position()
    while True:
        sign, position = cursor.peek_sign(), cursor.position()
        if sign in _ADDING:
            cursor.index += 1
            if cursor.peek() is None:
                cursor.context.decline("syntax", f"{sign} has nothing after it", position)
            sign = _sign_factor(cursor, sign, position)
        elif result is not None:
            refuse_vector_sum(terms, cursor.context, start)
            if len(terms) == 1 and isinstance(result, Negate) and points_somewhere(terms[0], cursor.context):
                # The size of `-mg \\hat j` is mg: the sign turns the direction round.
                return result.operand
            return result
        first = cursor.index
        if cursor.peek_sign() in ("-", "+") and result is not None:
            # a - -b: the second sign belongs to the term.
            again, place = cursor.peek_sign(), cursor.position()
            cursor.index += 1
            inner = read_product(cursor)
            term = negate_value(inner) if _sign_factor(cursor, again, place) == "-" else inner
        else:
            term = read_product(cursor)
        if sign == "-":
            term = negate_value(term)
        terms.append(tuple(cursor.marks[first : cursor.index]))
        result = term if result is None else add_values(result, term, cursor.context, position)


def read_product(cursor: Cursor) -> Value:
    """Factors side by side or with a product or division sign between them."""
    factors = [cursor.factor()]
    while (mark := cursor.peek()) is not None:
        sign = mark.text if isinstance(mark, Sign) else ""
        if sign in _TIMES:
            _refuse_vector_product(cursor, sign, mark.position)
            cursor.index += 1
            factors.append(_signed_factor(cursor, mark))
        elif sign == "÷":
            cursor.index += 1
            above = _multiplied(cursor, factors)
            factors = [divide_values(above, _signed_factor(cursor, mark), cursor.context, mark.position)]
            if (following := cursor.peek()) is not None and cursor.starts_factor(following):
                _flag_slash(cursor, "only the factor right after the division sign is the divisor", mark.position)
        elif sign == "/":
            if is_slash_derivative(cursor):
                cursor.context.decline("derivative", "a derivative has no value here", mark.position)
            cursor.index += 1
            above = _multiplied(cursor, factors)
            factors = [divide_values(above, read_divisor(cursor, above, mark), cursor.context, mark.position)]
        elif isinstance(mark, Name) and mark.text == "mod" and mark.style == "upright":
            cursor.index += 1
            divisor = cursor.scalar(read_product(cursor), mark.position)
            factors = [call("mod", cursor.scalar(_multiplied(cursor, factors), mark.position), divisor)]
        elif cursor.starts_factor(mark):
            _refuse_juxtaposed(cursor, mark)
            _flag_lone_unit(cursor, mark)
            factors.append(_unit_factor(cursor, factors) or cursor.factor())
        else:
            break
    return _multiplied(cursor, factors)


def _multiplied(cursor: Cursor, factors: list[Value]) -> Value:
    """The product of the factors; flat and in one go where all are numbers."""
    if len(factors) == 1:
        return factors[0]
    numbers = [factor for factor in factors if not isinstance(factor, Matrix)]
    if len(numbers) == len(factors):
        return multiply(*numbers)
    result = factors[0]
    for factor in factors[1:]:
        result = multiply_values(result, factor, cursor.context, cursor.position())
    return result


def _unit_factor(cursor: Cursor, factors: list[Value]) -> Value | None:
    """A unit after a value without symbols, such as `\\sqrt{2}\\,\\mathrm{m}`: one of that unit, as a factor."""
    mark = cursor.peek()
    if mark is None or isinstance(mark, Accent | Digits | Root):
        return None
    if isinstance(mark, Name) and (mark.style != "upright" or cursor.context.knows(mark.text)):
        return None
    numbers = [factor for factor in factors if not isinstance(factor, Matrix)]
    if unit_text(mark, cursor.context) is None or len(numbers) < len(factors):
        return None
    lettered = any(symbols_of(factor) for factor in numbers)
    has_number = any(isinstance(factor, Number) for factor in numbers)
    is_marked = isinstance(mark, Words) or (isinstance(mark, Name) and mark.style == "upright" and len(mark.text) > 1)
    if lettered and not (has_number and is_marked):
        return None
    return unit_after_value(cursor, at_end=lettered)


def _flag_lone_unit(cursor: Cursor, mark: Mark) -> None:
    """`2y\\ \\mathrm{J}`: an upright letter set apart at the end may be the unit of the result."""
    if isinstance(mark, Name) and mark.style == "upright" and len(mark.text) == 1 and cursor.peek(1) is None:
        start = len(cursor.context.source[: mark.position].removesuffix("\\mathrm{"))
        is_apart = cursor.context.spacing_before(start) in ("\\", "\\,", "\\;", "~")
        if is_apart and not cursor.context.knows(mark.text):
            reading = f"the upright {mark.text} at the end is read as a symbol; it may be a unit"
            cursor.context.flag("unit_or_symbol", reading, mark.position)


def _refuse_juxtaposed(cursor: Cursor, mark: Mark) -> None:
    """Two numbers, or two vectors, side by side are no product."""
    before = cursor.peek(-1)
    if before is None:
        return
    context = cursor.context
    if isinstance(before, Digits) and isinstance(mark, Digits):
        context.decline("syntax", "two numbers stand side by side", mark.position)
    is_inverse = (
        isinstance(before, Script)
        and isinstance(before.base, Name)
        and before.base.text.isupper()
        and is_minus_one(before.sup)
    )
    is_matrix = isinstance(before, Name) and before.text == "A" and before.style == "italic"
    if is_vector_mark(mark, context) and (is_vector_mark(before, context) or is_inverse or is_matrix):
        context.decline("vector_product", "vectors or matrices side by side have no scalar product", mark.position)


def _signed_factor(cursor: Cursor, operator: Mark) -> Value:
    """The factor after an explicit operator, which may carry its own sign."""
    sign, position = cursor.peek_sign(), cursor.position()
    if cursor.peek() is None:
        cursor.context.decline("syntax", "something is missing after this sign", operator.position)
    if sign in _ADDING:
        cursor.index += 1
        value = _signed_factor(cursor, operator)
        return negate_value(value) if _sign_factor(cursor, sign, position) == "-" else value
    return cursor.factor()


def read_divisor(cursor: Cursor, numerator: Value, slash: Mark) -> Value:
    """What is divided by: `a/bc` divides by the product bc, `1/2 m` is a half of m. Both are flagged."""
    first_mark = cursor.peek()
    # 13/3 x 10^-8 goes left to right; d/3 x 10^8 divides by the whole literal, as its author means.
    cursor.in_divisor = _is_whole(numerator)
    if isinstance(first_mark, Digits) and cursor.peek_sign(1) in ("×", "·") and isinstance(cursor.peek(2), Script):
        _flag_slash(cursor, "how far the slash reaches before a power of ten is not sure", slash.position)
    first = _signed_factor(cursor, slash)
    cursor.in_divisor = False
    factors = [first]
    is_coefficient = _is_whole(numerator) and _is_whole(first)
    while (mark := cursor.peek()) is not None and cursor.starts_factor(mark) and not isinstance(first_mark, Fence):
        if isinstance(mark, Name) and is_function_word(mark, cursor.context):
            _flag_slash(cursor, "the function after the divisor is read as a factor of its own", slash.position)
            break
        # 1/2 pi f is one over all of it; 4/3 pi is a fraction of pi.
        over_pi = isinstance(mark, Name) and mark.text == "pi" and numerator == Number(1)
        if is_coefficient and len(factors) == 1 and not over_pi:
            _flag_slash(cursor, "the number before the letters is read as a fraction of its own", slash.position)
            break
        factors.append(cursor.factor())
    if isinstance(first_mark, Fence) and (mark := cursor.peek()) is not None and cursor.starts_factor(mark):
        _flag_slash(cursor, "only the parenthesis right after the slash is read as the divisor", slash.position)
    if len(factors) > 1:
        _flag_slash(cursor, "everything written together after the slash is read as the divisor", slash.position)
    return _multiplied(cursor, factors)


def _flag_slash(cursor: Cursor, message: str, position: int) -> None:
    """Note how far a slash reaches."""
    cursor.context.flag("slash_product", message, position)


def _refuse_vector_product(cursor: Cursor, sign: str, position: int) -> None:
    """A cross or dot between two vectors is no product of numbers."""
    before, after = cursor.peek(-1), cursor.peek(1)
    if before is None or after is None:
        return
    caller = cursor.peek(-2)
    if isinstance(before, Fence) and caller is not None and is_vector_mark(caller, cursor.context):
        before = caller  # B(t) x N(t): what counts is the letter before the argument
    if sign == "*" and isinstance(before, Fence) and cursor.context.arguments and isinstance(cursor.peek(2), Fence):
        cursor.context.decline("unknown_function", "a convolution of functions is no product", position)
    vectors = is_vector_mark(before, cursor.context) + is_vector_mark(after, cursor.context)
    if vectors == 0 or (vectors == 1 and (sign != "×" or not (_is_letter_like(before) and _is_letter_like(after)))):
        return
    kind = "cross" if sign == "×" else "dot"
    cursor.context.decline("vector_product", f"a {kind} product of vectors has no scalar reading", position)


def _is_whole(value: Value) -> bool:
    return isinstance(value, Number) and isinstance(value.value, int)


def _is_letter_like(mark: Mark) -> bool:
    base = mark.base if isinstance(mark, Script) else mark
    return isinstance(base, Name | Accent)
