"""The smallest parts of Python-like text: numbers, names, groups, calls, and the signs that follow them."""

from __future__ import annotations

import keyword
import re
from decimal import Decimal

from mathrag.compute.pythontext.cursor import Cursor
from mathrag.compute.pythontext.functions import NAMES, PREFIXES, SYMBOL_LIKE, build_call
from mathrag.compute.pythontext.names import canonical_name
from mathrag.compute.pythontext.tokens import FRACTIONS, Token
from mathrag.errors import UnitError
from mathrag.types.expression import (
    ONE,
    PI,
    ZERO,
    Add,
    Expression,
    Measure,
    Negate,
    Number,
    Series,
    Symbol,
    add,
    call,
    divide,
    multiply,
    negate,
    power,
    subtract,
)

_DECLINED_WORDS = {
    "lambda": "lambda expressions are not formulas",
    "inf": "infinity is not a number to compute with",
    "nan": "nan stands only at the end of a conditional expression",
    "diff": "derivatives are not computed",
    "Derivative": "derivatives are not computed",
    "integrate": "integrals are not computed here",
    "Integral": "integrals are not computed here",
    "limit": "limits are not computed",
}
_UNIT_TEXT = re.compile(r"[^\x00-\x1f\"'\\]{1,200}")
_SUPERSCRIPT_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ", "0123456789+-ni")


def literal(text: str) -> Number:
    """A number as it was written: whole numbers exactly, others with their digits."""
    return Number(Decimal(text)) if "." in text or "e" in text else Number(int(Decimal(text)))


class Atoms(Cursor):
    """Reads one atom with what is attached to it. What stands between parentheses is left to `expression`."""

    def expression(self, *, top: bool = False) -> Expression:
        """A whole expression; the grammar above the atoms."""
        raise NotImplementedError

    def atom(self) -> Expression:
        """A primary, then factorial signs and small raised digits."""
        value = self._primary()
        while True:
            if self.at("!"):
                mark = self.advance()
                if self.at("!"):
                    raise self.fail("double_factorial", "a double factorial is not read", mark)
                value = call("factorial", value)
            elif self.token.kind == "superscript":
                value = self._superscript(value)
            elif self.at("["):
                raise self.fail(
                    "indexing", "indexing with square brackets is not part of a formula; write x_1 for a subscript"
                )
            elif self.at("."):
                raise self.fail("attribute", "access to an attribute with a dot is not part of a formula")
            elif self.at("°"):
                raise self.fail("degree", "a degree sign is not read here; write x*pi/180, or give the value its unit")
            elif self.token.kind == "string":
                raise self.fail("string", "text in quotes is not part of a formula")
            else:
                return value

    def _primary(self) -> Expression:
        token = self.token
        match token.kind:
            case "number":
                return self._number()
            case "fraction":
                above, below = FRACTIONS[self.advance().text]
                return divide(Number(above), Number(below))
            case "name":
                return self._named()
            case "string":
                raise self.fail("string", "text in quotes is not part of a formula")
            case "operator":
                return self._sign()
            case _:
                raise self.fail("unexpected", f"a value is missing; found {self.describe(token)}")

    def _number(self) -> Expression:
        token = self.advance()
        following = self.token
        if token.text == "0" and following.position == token.end and re.match(r"[xXbBoO][0-9a-fA-F]", following.text):
            raise self.fail("bad_number", "only decimal numbers are read", token)
        return literal(token.text)

    def _sign(self) -> Expression:
        token = self.advance()
        match token.text:
            case "(":
                return self._group(token)
            case "|":
                value = self.expression()
                self.expect("|", token)
                return call("abs", value)
            case "√" | "∛":
                operand = self._primary()
                if self.token.kind == "superscript":
                    raise self.fail("ambiguous_root", "is the power inside the root? write sqrt(x**2) or sqrt(x)**2")
                return call("sqrt" if token.text == "√" else "cbrt", operand)
            case "[" | "{":
                raise self.fail("brackets", f"{token.text!r} is not read here; group with parentheses", token)
            case "±" | "∓":
                raise self.fail("plus_minus", "two signs at once; write the two formulas separately", token)
            case "∞":
                raise self.fail("infinity", "infinity is not a number to compute with", token)
            case "∑" | "∏" | "∫" | "∂" | "∇":
                raise self.fail(
                    "not_computable",
                    f"{token.text} is not read in Python text; write sum(x for k in range(1, n + 1))",
                    token,
                )
            case _:
                raise self.fail("unexpected", f"a value is missing before {self.describe(token)}", token)

    def _group(self, opening: Token) -> Expression:
        if self.at(")"):
            raise self.fail("unexpected", "there is nothing between the parentheses")
        value = self.expression()
        if self.at(","):
            raise self.fail("tuple", "several values in parentheses are not one value")
        if self.at_word("for"):
            raise self.fail("comprehension", "only sum(... for k in range(a, b)) and prod(...) take 'for'")
        self.expect(")", opening)
        return value

    def _superscript(self, value: Expression) -> Expression:
        token = self.advance()
        text = token.text.translate(_SUPERSCRIPT_DIGITS)
        found = re.fullmatch(r"([+-]?)([0-9]+|n|i)", text)
        if found is None:
            raise self.fail("bad_exponent", f"the raised {token.text!r} is not an exponent", token)
        sign, body = found.groups()
        exponent: Expression = literal(body) if body.isdigit() else Symbol(body)
        if self.at("**"):
            raise self.fail("ambiguous_power", "a raised exponent is followed by another; add parentheses")
        return power(value, negate(exponent) if sign == "-" else exponent)

    # -- names and calls

    def _named(self) -> Expression:
        token = self.advance()
        name, prefixed = self._without_prefix(token)
        if keyword.iskeyword(name) and (name != "lambda" or self._opens_lambda()):
            raise self.fail(
                "python_keyword", _DECLINED_WORDS.get(name, f"{name!r} is a word of Python, not of a formula"), token
            )
        if name in _DECLINED_WORDS and name != "lambda":
            raise self.fail("not_computable", _DECLINED_WORDS[name], token)
        constant = self._constant(name, prefixed)
        if constant is not None:
            return constant
        opened = self.at("(")
        if name in ("sum", "prod") and opened:
            return self._series(token, name)
        if name == "quantity" and opened:
            return self._quantity(token)
        if self.is_function(name) and (opened or name not in (*SYMBOL_LIKE, *self.symbols)):
            return self._call(token, name, prefixed)
        if prefixed:
            raise self.fail("unknown_function", f"the function {name!r} is not known", token)
        return self._symbol(token)

    def is_function(self, name: str) -> bool:
        """Whether a name before a parenthesis is a function; gamma is one only where it is no known symbol."""
        return name in NAMES and not (name in SYMBOL_LIKE and name in self.symbols)

    def _opens_lambda(self) -> bool:
        return self.token.kind == "name" or self.at(":")

    def _without_prefix(self, token: Token) -> tuple[str, bool]:
        """`math.sqrt` is `sqrt`; any other dot after a name is refused."""
        name, prefixed = token.text, False
        while self.at(".") and name in PREFIXES:
            self.advance()
            if self.token.kind != "name":
                raise self.fail("attribute", "a name is missing after the dot")
            name, prefixed = self.advance().text, True
        if prefixed and name not in NAMES and name.lower() not in ("pi", "e", "prod", "sum"):
            raise self.fail("unknown_function", f"{name[:40]!r} is not a known function", self.previous)
        return name, prefixed

    def _constant(self, name: str, prefixed: bool) -> Expression | None:
        if name in ("pi", "π") or (prefixed and name == "PI"):
            return PI
        if prefixed and name in ("e", "E"):
            return call("exp", ONE)
        return None

    def _symbol(self, token: Token) -> Expression:
        found = canonical_name(token.text, token.position)
        name = found.name
        if found.note:
            self.flag("look_alike", found.note, token.position)
        spelled = re.fullmatch(r"([A-Za-z]+)([0-9]+)", name)
        if spelled and name not in self.symbols and "_".join(spelled.groups()) in self.symbols:
            self.flag(
                "symbol_spelling", f"{name} is taken for the known symbol {'_'.join(spelled.groups())}", token.position
            )
            name = "_".join(spelled.groups())
        if len(name) > 1 and name not in self.symbols and name.isalpha() and self.symbols.issuperset(name):
            self.flag(
                "joined_name", f"{name} is read as one name; write {'*'.join(name)} for a product", token.position
            )
        if self.at("("):
            if name not in self.symbols:
                raise self.fail(
                    "unknown_function",
                    f"{token.text!r} is not a known function; write {name}*(...) for a product",
                    token,
                )
            opening = self.advance()
            self.flag(
                "call_or_product", f"{name}(...) is read as a product, since {name} is a known symbol", token.position
            )
            return multiply(Symbol(name), self._group(opening))
        return Symbol(name)

    def _call(self, token: Token, name: str, prefixed: bool) -> Expression:
        if not self.at("("):
            raise self.fail("bare_function", f"the function {name} needs its argument in parentheses: {name}(x)", token)
        opening = self.advance()
        arguments = [] if self.at(")") else [self.expression()]
        while self.at(","):
            self.advance()
            arguments.append(self.expression())
        if self.at_word("for"):
            raise self.fail("comprehension", "only sum(... for k in range(a, b)) and prod(...) take 'for'")
        if self.at("=", ":="):
            raise self.fail("unexpected", f"{name} takes values, not named arguments")
        self.expect(")", opening)
        if name == "log" and len(arguments) == 1 and not prefixed:
            self.flag("log_base", "log is read as the natural logarithm; write log10 for base 10", token.position)
        built = build_call(name, arguments)
        if isinstance(built, str):
            raise self.fail("wrong_arguments", built, token)
        return built

    def _series(self, token: Token, name: str) -> Expression:
        opening = self.advance()
        body = self.expression()
        if not self.at_word("for"):
            raise self.fail("comprehension", f"{name} is read only as {name}(body for k in range(a, b))", token)
        self.advance()
        if self.token.kind != "name":
            raise self.fail("comprehension", "the running index is missing after 'for'")
        index = canonical_name(self.token.text, self.advance().position).name
        if keyword.iskeyword(index) or index == "pi":
            raise self.fail("comprehension", f"{index!r} cannot be an index", self.previous)
        if not self.at_word("in") or self.tokens[self.place + 1].text != "range":
            raise self.fail("comprehension", "the index must run over range(a, b)")
        self.place += 2
        inner = self.expect("(")
        bounds = [self.expression()]
        if self.at(","):
            self.advance()
            bounds.append(self.expression())
        if self.at(","):
            raise self.fail("comprehension", "a range with a step is not read")
        self.expect(")", inner)
        self.expect(")", opening)
        lower = bounds[0] if len(bounds) == 2 else ZERO
        return Series("sum" if name == "sum" else "product", index, lower, _before(bounds[-1]), body)

    def _quantity(self, token: Token) -> Expression:
        opening = self.advance()
        number = self.token
        if number.kind != "number":
            raise self.fail("wrong_arguments", "quantity takes a plain number and a unit in quotes", token)
        self.advance()
        self.expect(",")
        text = self.token
        if text.kind != "string" or not _UNIT_TEXT.fullmatch(text.text[1:-1]):
            raise self.fail("wrong_arguments", "quantity takes a plain number and a unit in quotes")
        self.advance()
        self.expect(")", opening)
        # Imported here: the unit tables take a while to load and most texts have no units.
        from mathrag.compute.units import read_canonical_unit

        try:
            return Measure(literal(number.text), read_canonical_unit(text.text[1:-1]).text)
        except UnitError as error:
            raise self.fail("unknown_unit", str(error), text) from error


def _before(stop: Expression) -> Expression:
    """Python's range ends before its second bound; n + 1 means up to n."""
    if isinstance(stop, Number) and isinstance(stop.value, int) and stop.value >= 1:
        return Number(stop.value - 1)
    if isinstance(stop, Number) and stop == ZERO:
        return Negate(ONE)
    if isinstance(stop, Add) and stop.terms[-1] == ONE:
        return add(*stop.terms[:-1])
    return subtract(stop, ONE)
