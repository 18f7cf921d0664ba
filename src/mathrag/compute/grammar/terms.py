"""Sums, products and powers out of marks: the recursive descent that gives a row of notation its meaning.

One `Terms` reads one row. What stands between the operators is read by `mathrag.compute.grammar.factors`.
"""

from __future__ import annotations

from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.lexicon import DECLINED_SIGNS
from mathrag.compute.grammar.matrices import Matrix, Value, add_values, divide_values, multiply_values, negate_value
from mathrag.compute.grammar.names import is_function_word, prepare
from mathrag.compute.notation import Accent, Digits, Fence, Mark, Name, Root, Row, Script, Sign, Space, Words, visible
from mathrag.types.expression import Expression, Number, call, multiply, symbols_of

_ADDING = frozenset(("+", "-", "±", "∓"))
_TIMES = frozenset(("·", "×", "*", "\u2062"))
_INVISIBLE = frozenset(("\u2061", "\u200b"))


class Terms:
    """A row being read from left to right."""

    def __init__(
        self, items: tuple[Mark, ...] | list[Mark], context: Context, end: int, *, is_prepared: bool = False
    ) -> None:
        prepared = items if is_prepared else prepare(tuple(items), context)
        self.marks = [
            mark
            for mark in prepared
            if not (isinstance(mark, Space) or (isinstance(mark, Sign) and mark.text in _INVISIBLE))
        ]
        self.context = context
        self.index = 0
        self.end = end
        self.in_divisor = False
        self.in_argument = False

    def peek(self, offset: int = 0) -> Mark | None:
        """The mark `offset` places ahead, unread."""
        index = self.index + offset
        return self.marks[index] if 0 <= index < len(self.marks) else None

    def peek_sign(self, offset: int = 0) -> str:
        """The sign ahead, or an empty text when there is none."""
        mark = self.peek(offset)
        return mark.text if isinstance(mark, Sign) else ""

    def position(self) -> int:
        """Where the next mark stands in the source."""
        mark = self.peek()
        return mark.position if mark is not None else self.end

    def value(self) -> Value:
        """The whole row; anything left over is an error at its place."""
        self.context.enter(self.position())
        if not self.marks:
            self.context.decline("syntax", "something is missing here", self.end)
        result = self.sum()
        leftover = self.peek()
        if leftover is not None:
            self.refuse(leftover)
        self.context.leave()
        return result

    def expression(self) -> Expression:
        """The whole row as a number."""
        start = self.position()
        return self.scalar(self.value(), start)

    def scalar(self, value: Value, position: int) -> Expression:
        """A value that must be a number, not a matrix."""
        if isinstance(value, Matrix):
            self.context.decline("matrix", "a matrix or vector stands where a number is needed", position)
        return value

    def refuse(self, mark: Mark) -> None:
        """Say why reading cannot go on at this mark."""
        if isinstance(mark, Script) and isinstance(mark.base, Sign):
            mark = mark.base
        if isinstance(mark, Sign):
            code, reason = DECLINED_SIGNS.get(mark.text, ("syntax", f"{mark.text} does not belong here"))
            self.context.decline(code, reason, mark.position)
        if isinstance(mark, Words):
            self.context.decline(
                "free_text", f"running text inside the formula: {mark.text.strip()[:40]!r}", mark.position
            )
        self.context.decline("syntax", "this does not fit what stands before it", mark.position)

    def sign_factor(self, sign: str, position: int) -> str:
        """`+` or `-`; a plus-minus takes the sign of the branch being read."""
        if sign in ("±", "∓"):
            self.context.saw_plus_minus = True
            self.context.flag("plus_minus", "the plus-minus sign is read as two equations, one for each sign", position)
            if sign == "∓":
                return "-" if self.context.branch == "+" else "+"
            return self.context.branch
        return sign

    def sum(self) -> Value:
        """Terms with signs between them."""
        result: Value | None = None
        while True:
            sign, position = self.peek_sign(), self.position()
            if sign in _ADDING:
                self.index += 1
                if self.peek() is None:
                    self.context.decline("syntax", f"{sign} has nothing after it", position)
                sign = self.sign_factor(sign, position)
            elif result is not None:
                return result
            if self.peek_sign() in ("-", "+") and result is not None:
                # a - -b: the second sign belongs to the term.
                again, place = self.peek_sign(), self.position()
                self.index += 1
                inner = self.product()
                term = negate_value(inner) if self.sign_factor(again, place) == "-" else inner
            else:
                term = self.product()
            if sign == "-":
                term = negate_value(term)
            result = term if result is None else add_values(result, term, self.context, position)

    def product(self) -> Value:
        """Factors side by side or with a product or division sign between them."""
        factors = [self.factor()]
        while (mark := self.peek()) is not None:
            sign = mark.text if isinstance(mark, Sign) else ""
            if sign in _TIMES:
                self.refuse_vector_product(sign, mark.position)
                self.index += 1
                factors.append(self.signed_factor(mark))
            elif sign == "÷":
                self.index += 1
                above = self.multiplied(factors)
                factors = [divide_values(above, self.signed_factor(mark), self.context, mark.position)]
                if (following := self.peek()) is not None and self.starts_factor(following):
                    self.flag_slash("only the factor right after the division sign is the divisor", mark.position)
            elif sign == "/":
                self.refuse_slash_derivative(mark.position)
                self.index += 1
                above = self.multiplied(factors)
                factors = [divide_values(above, self.after_slash(above, mark), self.context, mark.position)]
            elif isinstance(mark, Name) and mark.text == "mod" and mark.style == "upright":
                self.index += 1
                divisor = self.scalar(self.product(), mark.position)
                factors = [call("mod", self.scalar(self.multiplied(factors), mark.position), divisor)]
            elif self.starts_factor(mark):
                self.refuse_juxtaposed(mark)
                self.flag_lone_unit(mark)
                factors.append(self.unit_factor(factors) or self.factor())
            else:
                break
        return self.multiplied(factors)

    def multiplied(self, factors: list[Value]) -> Value:
        """The product of the factors; flat and in one go where all are numbers."""
        if len(factors) == 1:
            return factors[0]
        numbers = [factor for factor in factors if not isinstance(factor, Matrix)]
        if len(numbers) == len(factors):
            return multiply(*numbers)
        result = factors[0]
        for factor in factors[1:]:
            result = multiply_values(result, factor, self.context, self.position())
        return result

    def unit_factor(self, factors: list[Value]) -> Value | None:
        """A unit after a value without symbols, such as `\\sqrt{2}\\,\\mathrm{m}`: one of that unit, as a factor."""
        from mathrag.compute.grammar.units_inside import unit_after_value, unit_text

        mark = self.peek()
        if mark is None or isinstance(mark, Accent | Digits | Root):
            return None
        if isinstance(mark, Name) and (mark.style != "upright" or self.context.knows(mark.text)):
            return None
        numbers = [factor for factor in factors if not isinstance(factor, Matrix)]
        if unit_text(mark, self.context) is None or len(numbers) < len(factors):
            return None
        lettered = any(symbols_of(factor) for factor in numbers)
        has_number = any(isinstance(factor, Number) for factor in numbers)
        is_marked = isinstance(mark, Words) or (
            isinstance(mark, Name) and mark.style == "upright" and len(mark.text) > 1
        )
        if lettered and not (has_number and is_marked):
            return None
        return unit_after_value(self, at_end=lettered)

    def flag_lone_unit(self, mark: Mark) -> None:
        """`2y\\ \\mathrm{J}`: an upright letter set apart at the end may be the unit of the result."""
        if isinstance(mark, Name) and mark.style == "upright" and len(mark.text) == 1 and self.peek(1) is None:
            start = len(self.context.source[: mark.position].removesuffix("\\mathrm{"))
            is_apart = self.context.spacing_before(start) in ("\\", "\\,", "\\;", "~")
            if is_apart and not self.context.knows(mark.text):
                reading = f"the upright {mark.text} at the end is read as a symbol; it may be a unit"
                self.context.flag("unit_or_symbol", reading, mark.position)

    def refuse_juxtaposed(self, mark: Mark) -> None:
        """Two numbers, or two vectors, side by side are no product."""
        before = self.peek(-1)
        if before is None:
            return
        if isinstance(before, Digits) and isinstance(mark, Digits):
            self.context.decline("syntax", "two numbers stand side by side", mark.position)
        is_inverse = (
            isinstance(before, Script)
            and isinstance(before.base, Name)
            and before.base.text.isupper()
            and is_minus_one(before.sup)
        )
        is_matrix = isinstance(before, Name) and before.text == "A" and before.style == "italic"
        if is_vector(mark) and (is_vector(before) or is_inverse or is_matrix):
            self.context.decline(
                "vector_product", "vectors or matrices side by side have no scalar product", mark.position
            )

    def signed_factor(self, operator: Mark) -> Value:
        """The factor after an explicit operator, which may carry its own sign."""
        sign, position = self.peek_sign(), self.position()
        if self.peek() is None:
            self.context.decline("syntax", "something is missing after this sign", operator.position)
        if sign in _ADDING:
            self.index += 1
            value = self.signed_factor(operator)
            return negate_value(value) if self.sign_factor(sign, position) == "-" else value
        return self.factor()

    def after_slash(self, numerator: Value, slash: Mark) -> Value:
        """What is divided by: `a/bc` divides by the product bc, `1/2 m` is a half of m. Both are flagged."""
        first_mark = self.peek()
        # 13/3 x 10^-8 goes left to right; d/3 x 10^8 divides by the whole literal, as its author means.
        self.in_divisor = _is_whole(numerator)
        if isinstance(first_mark, Digits) and self.peek_sign(1) in ("×", "·") and isinstance(self.peek(2), Script):
            self.flag_slash("how far the slash reaches before a power of ten is not sure", slash.position)
        first = self.signed_factor(slash)
        self.in_divisor = False
        factors = [first]
        is_coefficient = _is_whole(numerator) and _is_whole(first)
        while (mark := self.peek()) is not None and self.starts_factor(mark) and not isinstance(first_mark, Fence):
            if isinstance(mark, Name) and is_function_word(mark, self.context):
                self.flag_slash("the function after the divisor is read as a factor of its own", slash.position)
                break
            # 1/2 pi f is one over all of it; 4/3 pi is a fraction of pi.
            over_pi = isinstance(mark, Name) and mark.text == "pi" and numerator == Number(1)
            if is_coefficient and len(factors) == 1 and not over_pi:
                self.flag_slash("the number before the letters is read as a fraction of its own", slash.position)
                break
            factors.append(self.factor())
        if isinstance(first_mark, Fence) and (mark := self.peek()) is not None and self.starts_factor(mark):
            self.flag_slash("only the parenthesis right after the slash is read as the divisor", slash.position)
        if len(factors) > 1:
            self.flag_slash("everything written together after the slash is read as the divisor", slash.position)
        return self.multiplied(factors)

    def flag_slash(self, message: str, position: int) -> None:
        """Note how far a slash reaches."""
        self.context.flag("slash_product", message, position)

    def starts_factor(self, mark: Mark) -> bool:
        """Whether a mark can continue a product without a sign."""
        if isinstance(mark, Sign):
            return mark.text in ("∑", "∏", "∫", "√")
        if isinstance(mark, Script) and isinstance(mark.base, Sign):
            return mark.base.text in ("∑", "∏", "∫")
        return not isinstance(mark, Space)

    def refuse_vector_product(self, sign: str, position: int) -> None:
        """A cross or dot between two vectors is no product of numbers."""
        before, after = self.peek(-1), self.peek(1)
        if before is None or after is None:
            return
        caller = self.peek(-2)
        if isinstance(before, Fence) and caller is not None and is_vector(caller):
            before = caller  # B(t) x N(t): what counts is the letter before the argument
        if sign == "*" and isinstance(before, Fence) and self.context.arguments and isinstance(self.peek(2), Fence):
            self.context.decline("unknown_function", "a convolution of functions is no product", position)
        vectors = is_vector(before) + is_vector(after)
        if vectors == 0 or (vectors == 1 and (sign != "×" or not (_is_letter_like(before) and _is_letter_like(after)))):
            return
        kind = "cross" if sign == "×" else "dot"
        self.context.decline("vector_product", f"a {kind} product of vectors has no scalar reading", position)

    def refuse_slash_derivative(self, position: int) -> None:
        """`dx/dt` is a derivative, not a quotient of products."""
        from mathrag.compute.grammar.calculus import is_slash_derivative

        if is_slash_derivative(self):
            self.context.decline("derivative", "a derivative has no value here", position)

    def factor(self) -> Value:
        """One operand with its postfix signs; see `factors`."""
        from mathrag.compute.grammar.factors import read_factor

        return read_factor(self)


def _is_whole(value: Value) -> bool:
    return isinstance(value, Number) and isinstance(value.value, int)


def is_minus_one(sup: Row | None) -> bool:
    """Whether a superscript is -1."""
    items = visible(sup.items) if sup is not None else []
    texts = [mark.text for mark in items if isinstance(mark, Sign | Digits)]
    return texts == ["-", "1"] and len(items) == 2


def _is_letter_like(mark: Mark) -> bool:
    base = mark.base if isinstance(mark, Script) else mark
    return isinstance(base, Name | Accent)


def is_vector(mark: Mark) -> bool:
    """Whether a mark is set as a vector: an arrow, or bold type."""
    base = mark
    while isinstance(base, Script):
        base = base.base
    if isinstance(base, Row):
        return bool(base.items) and is_vector(base.items[-1])
    if isinstance(base, Fence):
        return base.opening == "(" and any(is_vector(item) for item in base.body.items)
    if isinstance(base, Accent):
        return base.mark == "vec" or (base.mark == "hat" and any(is_vector(item) for item in base.body.items))
    return isinstance(base, Name) and base.style == "bold"


def read_row(row: Row, context: Context) -> Expression:
    """A row as a number."""
    return Terms(row.items, context, _end_of(row)).expression()


def read_value(row: Row, context: Context) -> Value:
    """A row as a number or a matrix."""
    return Terms(row.items, context, _end_of(row)).value()


def _end_of(row: Row) -> int:
    return row.items[-1].position + 1 if row.items else row.position
