"""Derivatives are declined, definite integrals become their closed form, Euler's number is told from a symbol e."""

from __future__ import annotations

import itertools

from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.integrals import definite_integral
from mathrag.compute.grammar.names import argument_key, is_function_word, symbol_name, symbol_parts
from mathrag.compute.grammar.terms import Terms, read_row
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
from mathrag.types.expression import Expression, Symbol, symbols_of


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


def is_slash_derivative(terms: Terms) -> bool:
    """Whether the cursor stands on the slash of `dx/dt`."""
    before, after, variable = terms.peek(-2), terms.peek(1), terms.peek(2)
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


def read_integral(terms: Terms, mark: Script) -> Expression:
    """A definite integral with its differential, as the closed form of its value."""
    context = terms.context
    if mark.sub is None or mark.sup is None:
        context.decline("integral", "an integral without both bounds has no value", mark.position)
    for row in (mark.sub, mark.sup):
        for item in row.items:
            if isinstance(item, Sign) and item.text == "∞":
                context.decline("integral", "an integral to infinity is not computed", item.position)
    lower, upper = read_row(mark.sub, context), read_row(mark.sup, context)
    terms.index += 1
    integrand, variable = _integrand(terms, mark.position)
    if {lower, upper} <= {Symbol("i"), Symbol("f"), Symbol("s")}:
        context.decline("integral", "the bounds name states, not values", mark.position)
    for head, fence in itertools.pairwise(integrand):
        if isinstance(fence, Fence) and isinstance(head, Name | Script) and argument_key(fence, context) == variable:
            context.decline("integral", f"how the integrand depends on {variable} is not written", fence.position)
    body = Terms(integrand, context, terms.position()).expression()
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


def _integrand(terms: Terms, position: int) -> tuple[list[Mark], str]:
    """The marks up to the differential, and the name of the variable; the cursor moves past the differential."""
    context = terms.context
    taken: list[Mark] = []
    while (mark := terms.peek()) is not None:
        following = terms.peek(1)
        if (
            _is_d(mark)
            and not isinstance(mark, Script)
            and following is not None
            and isinstance(following, Name | Script | Accent)
        ):
            terms.index += 2
            again, symbol = terms.peek(), terms.peek(1)
            if again is not None and symbol is not None and _is_d(again) and isinstance(symbol, Name | Script):
                context.decline("integral", "a double integral has no value here", again.position)
            return (taken or _after_differential(terms, position)), _variable(following, context)
        if isinstance(mark, Stack):
            above = _plain(mark.above)
            if len(above) >= 2 and _is_d(above[-2]) and not isinstance(above[-2], Script):
                terms.index += 1
                numerator: tuple[Mark, ...] = tuple(above[:-2]) or (Digits("1", position),)
                taken.append(Stack(Row(numerator, mark.above.position), mark.below, mark.position))
                return taken, _variable(above[-1], context)
        if isinstance(mark, Script) and isinstance(mark.base, Sign) and mark.base.text == "∫":
            context.decline("integral", "a double integral has no value here", mark.position)
        taken.append(mark)
        terms.index += 1
    context.decline("integral", "the integral has no differential that names its variable", position)


def _after_differential(terms: Terms, position: int) -> list[Mark]:
    """Physicists write `\\int_0^1 dx\\, x^2`: what follows the differential is the integrand, up to the next sign."""
    taken: list[Mark] = []
    while (mark := terms.peek()) is not None and not (isinstance(mark, Sign) and mark.text in "+-±"):
        taken.append(mark)
        terms.index += 1
    return taken or [Digits("1", position)]


def _variable(mark: Mark, context: Context) -> str:
    parts = symbol_parts(mark, context)
    if parts is None:
        context.decline("integral", "the variable of the integral is not a symbol", mark.position)
    return symbol_name(parts, context, mark.position)
