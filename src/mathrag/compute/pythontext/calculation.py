"""Expressions of numbers alone, as people and models write them for a calculator: also `round`, `len` and percent.

What `round` gives depends on the value, so it is computed on the way, exactly, and its result stands in the tree. Ties
go to the even digit, as with Python's `round`, but of the number as it is written: 2.675 gives 2.68, not 2.67.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from mathrag.compute.evaluate import Failure, evaluate_surely
from mathrag.compute.pythontext.names import PREFIXES
from mathrag.compute.pythontext.reader import Parser
from mathrag.compute.pythontext.tokens import TextToken, tokenise
from mathrag.errors import FormulaError
from mathrag.types.expression import (
    MAXIMUM_DEPTH,
    MAXIMUM_NODES,
    Declined,
    Expression,
    Negate,
    Number,
    add,
    depth_of,
    divide,
    multiply,
    negate,
    size_of,
    symbols_of,
)

LONGEST_CALCULATION = 4_000
MOST_ROUNDED = 30
MOST_PLACES = 30
# A comma before three digits, where other commas have a blank behind them, may group the digits of one number.
_GROUPED = re.compile(r"(?<![0-9.])[0-9]{1,3},[0-9]{3}(?![0-9])")
_SPACED = re.compile(r",\s")
_HUNDRED = Number(100)
_OPENING, _CLOSING = frozenset("(["), frozenset(")]")


def read_calculation(text: str) -> Expression | Declined:
    """The tree of an expression without symbols, roundings done; declined with the reason where it is none."""
    stripped = text.strip()
    if len(stripped) > LONGEST_CALCULATION:
        return Declined(
            stripped[:200], "too_large", f"a calculation has at most {LONGEST_CALCULATION:,} characters; split it"
        )
    if _GROUPED.search(stripped) and _SPACED.search(stripped):
        reason = "is the comma in 1,234 part of the number? write 1234, and a blank after every comma between numbers"
        return Declined(text, "ambiguous", reason)
    try:
        parser = _Calculation(_on_one_line(tokenise(stripped)), ())
        tree = parser.whole()
    except FormulaError as error:
        return Declined(text, error.code, error.reason, error.position)
    except RecursionError:
        return Declined(text, "too_large", "the expression is nested too deeply")
    unknown = symbols_of(tree)
    if unknown:
        names = ", ".join(sorted(unknown)[:5])
        return Declined(text, "symbols", f"{names} has no value; write an expression of numbers alone")
    return tree


def _on_one_line(tokens: list[TextToken]) -> list[TextToken]:
    """The tokens without the line ends inside of brackets, where they are only blanks."""
    depth = 0
    kept: list[TextToken] = []
    for token in tokens:
        if token.kind == "operator":
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if token.kind != "newline" or depth <= 0:
            kept.append(token)
    return kept


class _Calculation(Parser):
    """Reads one expression of numbers."""

    def __init__(self, tokens: list[TextToken], symbols: tuple[str, ...]) -> None:
        super().__init__(tokens, symbols)
        self._shares: list[Expression] = []
        self._rounded = 0

    def whole(self) -> Expression:
        """The expression that the text is, and nothing else."""
        tree = self.expression()
        if self.token.kind != "end":
            raise self.fail("unexpected", f"{self.describe(self.token)} has no meaning at this place")
        if depth_of(tree) > MAXIMUM_DEPTH or size_of(tree) > MAXIMUM_NODES:
            raise self.fail("too_large", "the expression is too large")
        return tree

    # -- round and len

    def _named(self) -> Expression:
        name = self._own_function()
        if name == "round":
            return self._round()
        return self._length() if name == "len" else super()._named()

    def _own_function(self) -> str:
        """The function of a calculator that is called here, stepped over; empty where it is another."""
        ahead = [token.text for token in self.tokens[self.place : self.place + 4]]
        steps = 2 if len(ahead) == 4 and ahead[0] in PREFIXES and ahead[1] == "." else 0
        if len(ahead) < steps + 2 or ahead[steps] not in ("round", "len") or ahead[steps + 1] != "(":
            return ""
        self.place += steps + 1
        return ahead[steps]

    def _round(self) -> Expression:
        opening = self.advance()
        value = self.expression()
        places: Expression | None = None
        if self.at(","):
            self.advance()
            if self.at_word("ndigits", "decimals") and self.tokens[self.place + 1].text == "=":
                self.place += 2
            places = self.expression()
        self.expect(")", opening)
        self._rounded += 1
        if self._rounded > MOST_ROUNDED:
            raise self.fail("too_large", f"a calculation rounds at most {MOST_ROUNDED} times", opening)
        exact = self._value(value, opening)
        wanted = Fraction(0) if places is None else self._value(places, opening)
        if wanted.denominator != 1 or abs(wanted) > MOST_PLACES:
            raise self.fail("wrong_arguments", f"round takes a whole number of places, at most {MOST_PLACES}", opening)
        return _number(round(exact, int(wanted)))

    def _value(self, tree: Expression, token: TextToken) -> Fraction:
        unknown = symbols_of(tree)
        if unknown:
            raise self.fail("symbols", f"{sorted(unknown)[0]} has no value; write numbers alone", token)
        if depth_of(tree) > MAXIMUM_DEPTH or size_of(tree) > MAXIMUM_NODES:
            raise self.fail("too_large", "the expression is too large", token)
        value = evaluate_surely(tree, {})
        if isinstance(value, Failure):
            raise self.fail(value.code, value.message, token)
        return Fraction(value)

    def _length(self) -> Expression:
        opening = self.advance()
        if not self.at("["):
            raise self.fail("wrong_arguments", "len takes a list of numbers: len([1, 2, 3])")
        if self.tokens[self.place + 1].text == "]":
            self.place += 2
            self.expect(")", opening)
            return Number(0)
        return Number(len(self._listed(opening)))

    # -- percent

    def _whole_division(self, left: Expression) -> Expression:
        if not self.at("%"):
            return super()._whole_division(left)
        sign = self.advance()
        if self.at_word("of"):
            self.advance()
            return multiply(divide(left, _HUNDRED), self._factor())
        if self.at("+", "-"):
            reason = "is this a percentage or a remainder? write 0.05 for 5 %, or parentheses around what follows %"
            raise self.fail("percent", reason, sign)
        if self._starts_operand():
            self.place -= 1
            return super()._whole_division(left)
        share = divide(left, _HUNDRED)
        self._shares.append(share)
        return share

    def _sum(self) -> Expression:
        """A sum; a bare percentage beside something that is none is refused, for nobody says of what it is taken."""
        start = self.token
        terms = [self._term()]
        while self.at("+", "-"):
            is_subtracted = self.advance().text == "-"
            term = self._term()
            terms.append(negate(term) if is_subtracted else term)
        if len(terms) > 1 and self._shares:
            # By identity: another term of the same value is no percentage.
            shares = set(map(id, self._shares))
            bare = [id(term.operand if isinstance(term, Negate) else term) in shares for term in terms]
            if any(bare) and not all(bare):
                raise self.fail("percent", "of what is the percentage taken? write 200 + 10 % of 200", start)
        return add(*terms)


def _number(value: Fraction | int) -> Expression:
    """A number with finitely many decimals as a literal."""
    exact = Fraction(value)
    places = 0
    while exact.denominator != 1:
        exact *= 10
        places += 1
    digits = Number(Decimal(f"{abs(exact.numerator)}e-{places}")) if places else Number(abs(exact.numerator))
    return negate(digits) if exact < 0 else digits
