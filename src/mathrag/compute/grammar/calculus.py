"""Sums, products, integrals and derivatives: short sums are written out, definite integrals become their closed form.

What has no value here is declined: derivatives, open sums, integrals without a rule. No integral node exists in the
tree; the result is an ordinary expression.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Literal

from mathrag.compute.grammar.context import Context, Cursor
from mathrag.compute.grammar.names import argument_key, is_function_word, symbol_name, symbol_parts
from mathrag.compute.grammar.values import cursor_over, number_of, read_row
from mathrag.compute.notation import (
    Accent,
    Digits,
    Fence,
    Mark,
    Name,
    Row,
    Script,
    Sign,
    Space,
    Stack,
    visible,
    walk_marks,
)
from mathrag.types.expression import (
    MAXIMUM_NODES,
    ONE,
    TWO,
    ZERO,
    Add,
    Call,
    Divide,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Series,
    Symbol,
    add,
    call,
    divide,
    map_symbols,
    multiply,
    negate,
    number,
    power,
    size_of,
    substitute,
    subtract,
    symbols_of,
)
from mathrag.types.symbol_names import SymbolParts, join_name, split_name


def is_euler(base: Name, sup: Row, context: Context) -> bool:
    """Whether e with this exponent is Euler's number. A whole positive exponent speaks for a symbol (e squared)."""
    if base.style == "upright":
        return True
    items = visible(sup.items)
    if all(isinstance(mark, Sign) for mark in items):
        return False
    if context.knows("e"):
        if len(items) == 1 and isinstance(items[0], Digits):
            return False
        context.flag(
            "e_base", "e is a known symbol, yet with this exponent it is read as Euler's number", base.position
        )
        return True
    if len(items) == 1 and isinstance(items[0], Digits):
        context.flag(
            "e_base",
            "e to a whole power is read as the symbol e; write \\exp or \\mathrm{e} for Euler's number",
            base.position,
        )
        return False
    if "e" in context.plain_letters:
        context.flag("e_base", "e stands alone elsewhere, yet here it is read as Euler's number", base.position)
    return True


def refuse_complex(exponent: Row, context: Context) -> None:
    """An imaginary exponent has no real value."""
    for mark in exponent.items:
        rows = (mark.above, mark.below) if isinstance(mark, Stack) else (Row((mark,), mark.position),)
        for row in rows:
            for inner in row.items:
                if isinstance(inner, Name) and inner.text in ("i", "j") and not context.knows(inner.text):
                    context.decline("complex", "an imaginary exponent has no real value", inner.position)


def _plain(row: Row) -> list[Mark]:
    return [
        mark
        for mark in row.items
        if not isinstance(mark, Space) and not (isinstance(mark, Sign) and mark.text in "\u2061\u2062")
    ]


def _is_d(mark: Mark, letters: tuple[str, ...] = ("d",)) -> bool:
    base = mark.base if isinstance(mark, Script) and mark.sub is None else mark
    return isinstance(base, Name) and base.text in letters


def refuse_derivative(stack: Stack, context: Context) -> None:
    """`\\frac{dx}{dt}`, `\\frac{d}{dx}`, `\\frac{\\partial f}{\\partial x}`: no value here."""
    above, below = _plain(stack.above), _plain(stack.below)
    for marks in (above, below):
        for mark in marks:
            base = mark.base if isinstance(mark, Script) else mark
            if isinstance(base, Sign) and base.text == "∂":
                context.decline("derivative", "a partial derivative has no value here", base.position)
    if not above or len(below) < 2:
        return
    for letters in (("d",), ("D",), ("delta",)):
        if _is_d(above[0], letters) and _is_d(below[0], letters) and not isinstance(below[0], Script):
            context.decline("derivative", "a derivative has no value here", stack.position)


def changing_in_time(stack: Stack) -> list[Mark] | None:
    """What `\\frac{dx}{dt}` is the rate of, where it is a plain derivative with respect to t."""
    above, below = _plain(stack.above), _plain(stack.below)
    if len(above) < 2 or len(below) != 2 or not _is_d(above[0]) or isinstance(above[0], Script) or not _is_d(below[0]):
        return None
    return above[1:] if isinstance(below[1], Name) and below[1].text == "t" else None


def is_slash_derivative(cursor: Cursor) -> bool:
    """Whether the cursor stands on the slash of `dx/dt`."""
    before, after, variable = cursor.peek(-2), cursor.peek(1), cursor.peek(2)
    return (
        before is not None
        and after is not None
        and variable is not None
        and _is_d(before)
        and _is_d(after)
        and isinstance(variable, Name | Script | Accent)
    )


def is_differential(marks: list[Mark], context: Context) -> bool:
    """Whether a side is a differential such as `dU` or `\\delta W`."""
    plain = _plain(Row(tuple(marks), 0))
    if len(plain) != 2 or not isinstance(plain[1], Name | Script | Accent):
        return False
    first = plain[0]
    return isinstance(first, Name) and first.text in ("d", "delta") and not context.knows(first.text)


def _is_integral(mark: Mark) -> bool:
    base = mark.base if isinstance(mark, Script) else mark
    return isinstance(base, Sign) and base.text == "∫"


def differentials_in(marks: list[Mark], context: Context) -> int | None:
    """Where a bare d stands right before a symbol, outside integrals: a differential, or a distance times something."""
    if "d" not in context.plain_letters or context.knows("d"):
        return None
    everything = walk_marks(Row(tuple(marks), 0))
    below = {
        id(inner) for mark in everything if isinstance(mark, Script) and mark.sub for inner in walk_marks(mark.sub)
    }
    for row in (mark for mark in everything if isinstance(mark, Row) and id(mark) not in below):
        items = _plain(row)
        if any(_is_integral(item) for item in items):
            return None
        for first, second in itertools.pairwise(items):
            base = second.base if isinstance(second, Script) else second
            is_letter = isinstance(base, Accent) or (isinstance(base, Name) and not is_function_word(base, context))
            if isinstance(first, Name) and first.text == "d" and is_letter:
                return first.position
    return None


def read_integral(cursor: Cursor, mark: Script) -> Expression:
    """A definite integral with its differential, as the closed form of its value."""
    context = cursor.context
    if mark.sub is None or mark.sup is None:
        context.decline("integral", "an integral without both bounds has no value", mark.position)
    for row in (mark.sub, mark.sup):
        for item in row.items:
            if isinstance(item, Sign) and item.text == "∞":
                context.decline("integral", "an integral to infinity is not computed", item.position)
    lower, upper = read_row(mark.sub, context), read_row(mark.sup, context)
    cursor.index += 1
    integrand, variable = _integrand(cursor, mark.position)
    if {lower, upper} <= {Symbol("i"), Symbol("f"), Symbol("s")}:
        context.decline("integral", "the bounds name states, not values", mark.position)
    for head, fence in itertools.pairwise(integrand):
        if isinstance(fence, Fence) and isinstance(head, Name | Script) and argument_key(fence, context) == variable:
            context.decline("integral", f"how the integrand depends on {variable} is not written", fence.position)
    body = number_of(cursor_over(integrand, context, cursor.position()))
    names = symbols_of(body)
    if names and variable not in names:
        context.decline("integral", f"how the integrand depends on {variable} is not written", mark.position)
    if set(names) - {variable}:
        others = ", ".join(name for name in names if name != variable)
        context.flag(
            "integrand_constant", f"{others} in the integrand are taken not to depend on {variable}", mark.position
        )
    result = definite_integral(body, variable, lower=lower, upper=upper)
    if result is None:
        context.decline("integral", "no closed form of this integral is known here", mark.position)
    return result


def _integrand(cursor: Cursor, position: int) -> tuple[list[Mark], str]:
    """The marks up to the differential, and the name of the variable; the cursor moves past the differential."""
    context = cursor.context
    taken: list[Mark] = []
    while (mark := cursor.peek()) is not None:
        following = cursor.peek(1)
        if (
            _is_d(mark)
            and not isinstance(mark, Script)
            and following is not None
            and isinstance(following, Name | Script | Accent)
        ):
            cursor.index += 2
            again, symbol = cursor.peek(), cursor.peek(1)
            if again is not None and symbol is not None and _is_d(again) and isinstance(symbol, Name | Script):
                context.decline("integral", "a double integral has no value here", again.position)
            return (taken or _after_differential(cursor, position)), _variable(following, context)
        if isinstance(mark, Stack):
            above = _plain(mark.above)
            if len(above) >= 2 and _is_d(above[-2]) and not isinstance(above[-2], Script):
                cursor.index += 1
                numerator: tuple[Mark, ...] = tuple(above[:-2]) or (Digits("1", position),)
                taken.append(Stack(Row(numerator, mark.above.position), mark.below, mark.position))
                return taken, _variable(above[-1], context)
        if isinstance(mark, Script) and isinstance(mark.base, Sign) and mark.base.text == "∫":
            context.decline("integral", "a double integral has no value here", mark.position)
        taken.append(mark)
        cursor.index += 1
    context.decline("integral", "the integral has no differential that names its variable", position)


def _after_differential(cursor: Cursor, position: int) -> list[Mark]:
    """Physicists write `\\int_0^1 dx\\, x^2`: what follows the differential is the integrand, up to the next sign."""
    taken: list[Mark] = []
    while (mark := cursor.peek()) is not None and not (isinstance(mark, Sign) and mark.text in "+-±"):
        taken.append(mark)
        cursor.index += 1
    return taken or [Digits("1", position)]


def _variable(mark: Mark, context: Context) -> str:
    parts = symbol_parts(mark, context)
    if parts is None:
        context.decline("integral", "the variable of the integral is not a symbol", mark.position)
    return symbol_name(parts, context, mark.position)


# Sums and products with bounds. Short literal ones are written out, open ones are declined.

_LONGEST_WRITTEN_OUT = 40
_INDEX_LETTERS = frozenset("ijkn")


def read_series(cursor: Cursor, mark: Script, sign: Sign) -> Expression:
    """A sum or product sign with its bounds and the product that follows it."""
    context, position = cursor.context, mark.position
    word: Literal["sum", "product"] = "sum" if sign.text == "∑" else "product"
    if context.terms is None and (mark.sub is None or mark.sup is None):
        context.decline("open_sum", f"the bounds of the {word} are not both written", position)
    index, lower, upper = _bounds(mark, context, word)
    cursor.index += 1
    body = _summand(cursor)
    index = index or _index_in(body)
    body = map_symbols(body, lambda name: _opened_index(name, index))
    indexed = [name for name in symbols_of(body) if index in split_name(name).subscripts]
    first = _whole(lower)
    last = None if upper is None else _whole(upper)
    if last is None and first is not None and indexed and context.terms is not None:
        last = first + context.terms - 1
        _count(context, index, upper, position)
        context.flag("written_out", f"the {word} is written out with {context.terms} terms", position)
    if first is not None and last is not None and last - first < _LONGEST_WRITTEN_OUT:
        return _written_out(context, body, index, (first, last), word, position)
    if indexed or upper is None:
        named = f"the terms {', '.join(indexed)} of " if indexed else "the bounds of "
        context.decline("open_sum", f"{named}the {word} are not given one by one", position)
    return Series(word, index, lower, upper, body)


def _bounds(mark: Script, context: Context, word: str) -> tuple[str, Expression, Expression | None]:
    """What the sum runs over, empty where it does not say so, from where, and to where if that is written."""
    index, lower_row = ("", None) if mark.sub is None else _index(mark.sub, context, word)
    if mark.sup is not None and any(isinstance(item, Sign) and item.text == "∞" for item in mark.sup.items):
        context.decline("open_sum", f"an infinite {word} is not computed", mark.sup.position)
    lower = number(1) if lower_row is None else read_row(lower_row, context)
    return index, lower, None if mark.sup is None else read_row(mark.sup, context)


def _summand(cursor: Cursor) -> Expression:
    """The product after the sign, which may carry a minus."""
    start = cursor.position()
    is_negative = cursor.peek_sign() == "-"
    cursor.index += is_negative
    body = cursor.scalar(cursor.product(), start)
    return negate(body) if is_negative else body


def _count(context: Context, index: str, upper: Expression | None, position: int) -> None:
    """Remember what the sum runs over; a second sum over something else has a number of terms of its own."""
    if upper is not None and not (isinstance(upper, Symbol) and len(upper.name) == 1):
        context.decline("open_sum", "the sum runs over something that is not counted", position)
    if context.index not in ("", index):
        context.decline("open_sum", "two sums run over different things", position)
    context.index = index
    if isinstance(upper, Symbol):
        context.counted.add(upper.name)


def _written_out(
    context: Context, body: Expression, index: str, bounds: tuple[int, int], word: str, position: int
) -> Expression:
    first, last = bounds
    if last < first:
        context.decline("open_sum", f"the {word} ends before it begins", position)
    if (last - first + 1) * size_of(body) > MAXIMUM_NODES:
        context.decline("too_large", f"the {word} has too many terms to be written out", position)
    parts = [_at(body, index, value) for value in range(first, last + 1)]
    return add(*parts) if word == "sum" else multiply(*parts)


def _index_in(body: Expression) -> str:
    """The index of a sum that does not name it: the letter below its symbols."""
    found = {part for name in symbols_of(body) for part in split_name(name).subscripts if part in _INDEX_LETTERS}
    return found.pop() if len(found) == 1 else ""


def _index(sub: Row, context: Context, word: str) -> tuple[str, Row | None]:
    items = visible(sub.items)
    is_lone = len(items) == 1 and context.terms is not None
    if not is_lone and (len(items) < 3 or not (isinstance(items[1], Sign) and items[1].text == "=")):
        context.decline("open_sum", f"the lower bound of the {word} is not of the form i = 1", sub.position)
    parts = symbol_parts(items[0], context)
    if parts is None:
        context.decline("open_sum", f"the index of the {word} is not a symbol", items[0].position)
    name = symbol_name(parts, context, items[0].position)
    return name, None if is_lone else Row(tuple(items[2:]), items[2].position)


def _whole(bound: Expression) -> int | None:
    if isinstance(bound, Number) and isinstance(bound.value, int):
        return bound.value
    if isinstance(bound, Negate) and isinstance(bound.operand, Number) and isinstance(bound.operand.value, int):
        return -bound.operand.value
    return None


def _at(body: Expression, index: str, value: int) -> Expression:
    """The term for one value of the index, also where the index is a subscript (x_i becomes x_3)."""

    def change(name: str) -> Expression:
        if name == index:
            return number(value)
        parts = split_name(name)
        if index not in parts.subscripts:
            return Symbol(name)
        return Symbol(
            join_name(SymbolParts(parts.letter, _shifted(parts.subscripts, index, value), parts.marks, parts.prefix))
        )

    return map_symbols(body, change)


def _opened_index(name: str, index: str) -> Expression:
    """`L_ij` summed over i: letters run together in a subscript are two indices, L with i and j."""
    parts = split_name(name)
    opened = tuple(
        letter
        for part in parts.subscripts
        for letter in (part if index in part and len(part) > 1 and set(part) <= set("ijklmnrs") else (part,))
    )
    return Symbol(join_name(SymbolParts(parts.letter, opened, parts.marks, parts.prefix)))


def _shifted(subscripts: tuple[str, ...], index: str, value: int) -> tuple[str, ...]:
    """The subscripts with the index as a number; `i plus 1` is counted."""
    result: list[str] = []
    position = 0
    while position < len(subscripts):
        part = subscripts[position]
        if part != index:
            result.append(part)
            position += 1
            continue
        following = subscripts[position + 1 : position + 3]
        if len(following) == 2 and following[0] in ("plus", "minus") and following[1].isdigit():
            shift = int(following[1]) * (1 if following[0] == "plus" else -1)
            result.append(str(max(0, value + shift)))
            position += 3
        else:
            result.append(str(value))
            position += 1
    return tuple(result)


# Definite integrals in closed form by rule: sums, powers, reciprocals, exponentials, sines of a linear argument.

Primitive = Callable[[Expression], Expression]


def definite_integral(body: Expression, variable: str, *, lower: Expression, upper: Expression) -> Expression | None:
    """The integral of `body` over `variable` between the bounds, or None when no rule applies."""
    match body:
        case _ if variable not in symbols_of(body):
            return _times(body, subtract(upper, lower) if lower != ZERO else upper)
        case Add(terms):
            return _total([definite_integral(term, variable, lower=lower, upper=upper) for term in terms])
        case Negate(operand):
            inner = definite_integral(operand, variable, lower=lower, upper=upper)
            return None if inner is None else negate(inner)
        case Multiply(factors):
            return _product(list(factors), variable, lower, upper)
        case Divide(numerator, denominator):
            return _quotient(numerator, denominator, variable, lower, upper)
        case _:
            return _leaf(body, variable, lower, upper)


def _total(parts: list[Expression | None]) -> Expression | None:
    """The sum of the parts, if there is a rule for each of them."""
    known = [part for part in parts if part is not None]
    return add(*known) if len(known) == len(parts) else None


def _parted(parts: Iterable[Expression], variable: str) -> tuple[list[Expression], list[Expression]]:
    """The parts without the variable, and those with it."""
    constant: list[Expression] = []
    varying: list[Expression] = []
    for part in parts:
        (varying if variable in symbols_of(part) else constant).append(part)
    return constant, varying


def _times(factor: Expression, value: Expression) -> Expression:
    return value if factor == ONE else multiply(factor, value)


def _product(factors: list[Expression], variable: str, lower: Expression, upper: Expression) -> Expression | None:
    constant, varying = _parted(factors, variable)
    if constant:
        inner = definite_integral(multiply(*varying), variable, lower=lower, upper=upper)
        return None if inner is None else multiply(*constant, inner)
    for position, factor in enumerate(varying):
        opened = factor.terms if isinstance(factor, Add) else None
        if opened is not None:
            rest = [*varying[:position], *varying[position + 1 :]]
            return definite_integral(
                add(*(multiply(*rest, term) for term in opened)), variable, lower=lower, upper=upper
            )
        if isinstance(factor, Negate):
            rest = [*varying[:position], factor.operand, *varying[position + 1 :]]
            inner = definite_integral(multiply(*rest), variable, lower=lower, upper=upper)
            return None if inner is None else negate(inner)
        if isinstance(factor, Divide):
            rest = [*varying[:position], factor.numerator, *varying[position + 1 :]]
            return _quotient(multiply(*rest), factor.denominator, variable, lower, upper)
    exponents = [_monomial_exponent(factor, variable) for factor in varying]
    if any(exponent is None for exponent in exponents):
        return None
    total = sum(exponent for exponent in exponents if exponent is not None)
    return _leaf(power(Symbol(variable), number(total)) if total != 1 else Symbol(variable), variable, lower, upper)


def _monomial_exponent(factor: Expression, variable: str) -> int | None:
    match factor:
        case Symbol(name) if name == variable:
            return 1
        case Power(Symbol(name), Number(int() as value)) if name == variable:
            return value
        case _:
            return None


def _quotient(
    numerator: Expression, denominator: Expression, variable: str, lower: Expression, upper: Expression
) -> Expression | None:
    if variable not in symbols_of(denominator):
        inner = definite_integral(numerator, variable, lower=lower, upper=upper)
        return None if inner is None else divide(inner, denominator)
    if isinstance(denominator, Multiply):
        constant, varying = _parted(denominator.factors, variable)
        if constant:
            inner = _quotient(numerator, multiply(*varying), variable, lower, upper)
            return None if inner is None else divide(inner, multiply(*constant))
    if isinstance(numerator, Add):
        return _total([_quotient(term, denominator, variable, lower, upper) for term in numerator.terms])
    if isinstance(numerator, Negate):
        inner = _quotient(numerator.operand, denominator, variable, lower, upper)
        return None if inner is None else negate(inner)
    if variable not in symbols_of(numerator):
        inner = _leaf(_reciprocal(denominator), variable, lower, upper)
        return None if inner is None else _times(numerator, inner)
    return None


def _reciprocal(denominator: Expression) -> Expression:
    match denominator:
        case Power(base, exponent):
            return power(base, negate(exponent))
        case Call("sqrt", (inner,)):
            return power(inner, negate(divide(ONE, TWO)))
        case _:
            return power(denominator, negate(ONE))


def _leaf(body: Expression, variable: str, lower: Expression, upper: Expression) -> Expression | None:
    """One function of a linear argument."""
    inner, primitive = _primitive(body, variable)
    if inner is None:
        return None
    slope = _slope(inner, variable)
    if slope is None:
        return None
    at_upper, at_lower = (substitute(inner, {variable: bound}) for bound in (upper, lower))
    if primitive is None:
        value = call("log", divide(at_upper, at_lower))
    else:
        value = subtract(primitive(at_upper), primitive(at_lower))
        if inner == Symbol(variable) and lower == ZERO and _starts_at_zero(body, variable):
            value = primitive(at_upper)
    return value if slope == ONE else divide(value, slope)


def _starts_at_zero(body: Expression, variable: str) -> bool:
    """Whether the primitive of a power is zero where the variable is: not of 2^x, nor of 1/x^2."""
    if not isinstance(body, Power):
        return isinstance(body, Symbol)
    is_inverse = isinstance(body.exponent, Negate) and isinstance(body.exponent.operand, Number)
    is_arc = isinstance(body.base, Add)
    return variable in symbols_of(body.base) and (is_arc or not is_inverse)


def _primitive(body: Expression, variable: str) -> tuple[Expression | None, Primitive | None]:
    """The linear inside of a function and the primitive of the function; a primitive of None is the logarithm."""
    match body:
        case Symbol():
            return body, lambda x: divide(power(x, TWO), TWO)
        case Power(Add() as base, Negate(Number(1))) if (root := _root_beside_square(base, variable)) is not None:
            return Symbol(variable), lambda x: divide(call("atan", divide(x, root)), root)
        case Power(Call("sin" | "cos" as function, (inner,)), Number(2)):
            return inner, _square_primitive(function)
        case Power(base, exponent) if variable not in symbols_of(exponent):
            if exponent == negate(ONE):
                return base, None
            return base, _power_primitive(exponent)
        case Power(base, exponent) if variable not in symbols_of(base):
            return exponent, lambda x: divide(power(base, x), call("log", base))
        case Call("sqrt", (inner,)):
            return inner, lambda x: multiply(divide(TWO, Number(3)), power(x, divide(Number(3), TWO)))
        case Call("exp", (inner,)):
            return inner, lambda x: call("exp", x)
        case Call("sin", (inner,)):
            return inner, lambda x: negate(call("cos", x))
        case Call("cos", (inner,)):
            return inner, lambda x: call("sin", x)
        case Call("sinh", (inner,)):
            return inner, lambda x: call("cosh", x)
        case Call("cosh", (inner,)):
            return inner, lambda x: call("sinh", x)
        case Call("log", (inner,)):
            return inner, lambda x: subtract(multiply(x, call("log", x)), x)
        case _:
            return None, None


def _root_beside_square(terms: Add, variable: str) -> Expression | None:
    """The a of x^2 + a^2, for the arc tangent; None for any other sum."""
    square = power(Symbol(variable), TWO)
    if len(terms.terms) != 2 or square not in terms.terms:
        return None
    other = next(term for term in terms.terms if term != square)
    if variable in symbols_of(other) or isinstance(other, Negate):
        return None
    return (
        other.base
        if isinstance(other, Power) and other.exponent == TWO
        else other
        if other == ONE
        else call("sqrt", other)
    )


def _square_primitive(function: str) -> Primitive:
    """The primitive of sin^2 or cos^2: half the argument, less or plus a quarter of the sine of twice it."""

    def primitive(x: Expression) -> Expression:
        quarter = divide(call("sin", multiply(TWO, x)), Number(4))
        return subtract(divide(x, TWO), quarter) if function == "sin" else add(divide(x, TWO), quarter)

    return primitive


def _power_primitive(exponent: Expression) -> Primitive:
    raised = _plus_one(exponent)
    return lambda x: divide(x if raised == ONE else power(x, raised), raised)


def _plus_one(exponent: Expression) -> Expression:
    match exponent:
        case Number(int() as value):
            return Number(value + 1)
        case Negate(Number(int() as value)):
            return number(1 - value)
        case _:
            return add(exponent, ONE)


def _slope(inner: Expression, variable: str) -> Expression | None:
    """The factor of the variable when the expression is linear in it, else None."""
    match inner:
        case Symbol(name) if name == variable:
            return ONE
        case Negate(operand):
            slope = _slope(operand, variable)
            return None if slope is None else negate(slope)
        case Multiply(factors):
            constant, varying = _parted(factors, variable)
            slope = _slope(varying[0], variable) if len(varying) == 1 else None
            return None if slope is None else multiply(*constant, slope) if slope != ONE else multiply(*constant)
        case Divide(numerator, denominator) if variable not in symbols_of(denominator):
            slope = _slope(numerator, variable)
            return None if slope is None else divide(slope, denominator)
        case Add(terms):
            varying = _parted(terms, variable)[1]
            return _slope(varying[0], variable) if len(varying) == 1 else None
        case _:
            return None
