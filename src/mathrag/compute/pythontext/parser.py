"""Expressions in Python-like text: recursive descent over tokens, with an explicit guard on nesting.

Each nesting level costs a handful of Python frames, so the guard keeps well inside Python's own limit. Whole
statements (equations, chains, conditions) are put together in `mathrag.compute.pythontext.reader`.
"""

from __future__ import annotations

import keyword
from typing import Literal

from mathrag.compute.pythontext.atoms import Atoms
from mathrag.compute.pythontext.tokens import Token
from mathrag.errors import ExpressionLimitError
from mathrag.types.expression import (
    Comparison,
    Divide,
    Expression,
    Negate,
    Number,
    Piecewise,
    Symbol,
    add,
    call,
    divide,
    multiply,
    negate,
    power,
)

MAXIMUM_NESTING = 100

COMPARISONS: dict[str, Literal["<", "<=", ">", ">=", "=", "!="]] = {
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "==": "=",
    "=": "=",
    "!=": "!=",
}
CONDITION_WORDS = frozenset(("if", "for", "where", "when"))


class Parser(Atoms):
    """Reads expressions from a list of tokens, noting flags on the way. One parser reads one text, once."""

    def expression(self, *, top: bool = False) -> Expression:
        """A sum, or a conditional expression. At the top of a statement `if` without `else` is a trailing condition."""
        self.nesting += 1
        if self.nesting > MAXIMUM_NESTING:
            raise ExpressionLimitError(f"more than {MAXIMUM_NESTING} levels of nesting", position=self.token.position)
        value = self._sum()
        branches: list[tuple[Expression, tuple[Comparison, ...]]] = []
        otherwise: Expression | None = value
        while self.at_word("if"):
            word = self.advance()
            comparisons = self.comparisons()
            if not self.at_word("else"):
                if top and not branches:
                    self.trailing = comparisons
                    break
                raise self.fail("unexpected", "a value 'if' a condition needs an 'else' here", word)
            self.advance()
            branches.append((value, comparisons))
            if self.at_word("nan"):
                self.advance()
                otherwise = None
                break
            otherwise = value = self._sum()
        self.nesting -= 1
        return Piecewise(tuple(branches), otherwise) if branches else value

    def comparisons(self) -> tuple[Comparison, ...]:
        """Comparisons joined by `and`; a chain 0 < x < 1 is two of them."""
        if self.at_word("True"):
            self.advance()
            return ()
        found: list[Comparison] = []
        while True:
            left = self._sum()
            if not (self.token.kind == "operator" and self.token.text in COMPARISONS):
                raise self.fail("unexpected", f"expected a comparison such as x > 0, found {self.describe(self.token)}")
            while self.token.kind == "operator" and self.token.text in COMPARISONS:
                relation = COMPARISONS[self.advance().text]
                right = self._sum()
                found.append(Comparison(relation, left, right))
                left = right
            if not self.at_word("and"):
                return tuple(found)
            self.advance()

    def _sum(self) -> Expression:
        terms = [self._term()]
        while self.at("+", "-"):
            subtracted = self.advance().text == "-"
            term = self._term()
            terms.append(negate(term) if subtracted else term)
        return add(*terms)

    def _term(self) -> Expression:
        """Factors joined by * / // %. A leading minus covers the product, but not past % and //, as in Python."""
        signs = 0
        while self.at("+", "-"):
            signs += self.advance().text == "-"
        value: Expression | None = None
        factors = [self._factor()]
        divided = False
        while True:
            if self.at("*"):
                self.advance()
                factors.append(self._factor())
            elif self.at("/"):
                self.advance()
                factors = [divide(multiply(*factors), self._factor())]
                divided = True
                continue
            elif self.at("//", "%"):
                value = _with_signs(multiply(*factors), signs)
                signs = 0
                factors = [self._whole_division(value)]
            elif self._implicit_product(divided):
                factors.append(self._factor())
            else:
                return _with_signs(multiply(*factors), signs)
            divided = False

    def _whole_division(self, left: Expression) -> Expression:
        operator = self.advance()
        if operator.text == "%" and not self._starts_operand():
            raise self.fail("percent", "a percent sign is not read here; write 0.05 for 5 %", operator)
        right = self._factor()
        return call("mod", left, right) if operator.text == "%" else call("floor", divide(left, right))

    def _starts_operand(self) -> bool:
        token = self.token
        if token.kind == "name":
            return token.text not in CONDITION_WORDS and token.text not in ("and", "else", "or")
        return token.kind in ("number", "fraction") or self.at("(", "+", "-", "√", "∛", "|")

    def _implicit_product(self, divided: bool) -> bool:
        """Whether the next token multiplies without a sign: 2m, 3(x + 1), (a)(b). Adjacent names are refused."""
        token, before = self.token, self.previous
        named = token.kind == "name" and not keyword.iskeyword(token.text) and token.text not in ("where", "when")
        if not (named or token.kind in ("number", "fraction") or self.at("(", "√", "∛")):
            return False
        if token.kind in ("number", "fraction"):
            raise self.fail("adjacent_values", f"a number follows {self.describe(before)} without an operator")
        if before.kind == "name":
            joined = f"{before.text}*{token.text}"
            raise self.fail("adjacent_names", f"two names stand side by side; write {joined} for a product")
        if not (before.kind in ("number", "fraction", "superscript") or before.text == ")"):
            raise self.fail(
                "adjacent_values", f"{self.describe(token)} follows {self.describe(before)} without an operator"
            )
        if divided:
            raise self.fail("ambiguous_division", "is this inside the divisor? write 1/(2*m) or 1/2*m")
        if before.kind == "number" and self.place >= 2 and self.tokens[self.place - 2].text in ("**", "-"):
            self._refuse_open_exponent()
        self.flag("implicit_product", f"read as a product: {before.text} times {token.text}", token.position)
        return True

    def _refuse_open_exponent(self) -> None:
        behind = [each.text for each in self.tokens[max(0, self.place - 3) : self.place - 1]]
        if behind and (behind[-1] == "**" or behind == ["**", "-"]):
            raise self.fail("ambiguous_power", "is this inside the exponent? write x**(2*y) or x**2*y")

    def _factor(self) -> Expression:
        """A signed power; the power binds more tightly than a sign before it, and to the right."""
        signs = 0
        while self.at("+", "-"):
            signs += self.advance().text == "-"
        start = self.token
        value = self.atom()
        if self.at("**"):
            rooted = start.text in ("√", "∛")
            if rooted:
                raise self.fail("ambiguous_root", "is the power inside the root? write sqrt(x**2) or sqrt(x)**2")
            bare_e = start.kind == "name" and self.previous is start and value == Symbol("e")
            self.advance()
            exponent = self._exponent()
            value = self._raised(value, exponent, start) if bare_e else power(value, exponent)
        return _with_signs(value, signs)

    def _exponent(self) -> Expression:
        self.nesting += 1
        if self.nesting > MAXIMUM_NESTING:
            raise ExpressionLimitError(f"more than {MAXIMUM_NESTING} levels of nesting", position=self.token.position)
        exponent = self._factor()
        self.nesting -= 1
        return exponent

    def _raised(self, base: Expression, exponent: Expression, start: Token) -> Expression:
        """Bare e to a power is the exponential function, unless the exponent is a plain whole number."""
        whole = isinstance(exponent, Number) and isinstance(exponent.value, int) and exponent.value > 0
        if whole or ("e" in self.symbols and _is_literal(exponent)):
            self.flag("e_base", "e before a plain number is read as the symbol e, not as exp", start.position)
            return power(base, exponent)
        self.flag("e_base", "e to a power is read as the exponential function", start.position)
        return call("exp", exponent)


def _with_signs(value: Expression, signs: int) -> Expression:
    for _ in range(signs):
        value = negate(value)
    return value


def _is_literal(expression: Expression) -> bool:
    match expression:
        case Number():
            return True
        case Negate(operand):
            return _is_literal(operand)
        case Divide(numerator, denominator):
            return _is_literal(numerator) and _is_literal(denominator)
        case _:
            return False
