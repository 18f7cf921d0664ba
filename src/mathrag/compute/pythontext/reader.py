"""Whole statements in Python-like text: equations, chains, several lines, trailing conditions."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Literal

from mathrag.compute.choices import NO_CHOICES, Choices
from mathrag.compute.pythontext.names import GATHERING, NAMES, PREFIXES, SYMBOL_LIKE, build_call, canonical_name
from mathrag.compute.pythontext.tokens import FRACTIONS, Cursor, TextToken, tokenise
from mathrag.compute.statements import Relation, equations_of_chain
from mathrag.errors import ExpressionLimitError, FormulaError, UnitError
from mathrag.types.expression import (
    MAXIMUM_DEPTH,
    MAXIMUM_NODES,
    ONE,
    PI,
    ZERO,
    Add,
    Ambiguity,
    Comparison,
    Condition,
    Declined,
    Divide,
    Equation,
    Expression,
    Measure,
    Negate,
    Number,
    Piecewise,
    Reading,
    Series,
    Symbol,
    add,
    call,
    depth_of,
    divide,
    multiply,
    negate,
    power,
    size_of,
    subtract,
)
from mathrag.types.symbol_names import GREEK

# The smallest parts of Python-like text: numbers, names, groups, calls, and the signs that follow them.

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
# Words of Python that are as often the name of a quantity.
_KEYWORD_NAMES = frozenset(("lambda", "yield", "return"))
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

    def _group(self, opening: TextToken) -> Expression:
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
        if keyword.iskeyword(name) and (name not in _KEYWORD_NAMES or self._opens_statement(name)):
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

    def _opens_statement(self, name: str) -> bool:
        """Whether a word of Python is used as one: `lambda x: …`, `yield x`, not `yield = kept / lost`."""
        if name == "lambda":
            return self.token.kind == "name" or self.at(":")
        return self.token.kind in ("name", "number", "string") or self.at("(") or self.at("[")

    def _without_prefix(self, token: TextToken) -> tuple[str, bool]:
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

    def _symbol(self, token: TextToken) -> Expression:
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

    def _call(self, token: TextToken, name: str, prefixed: bool) -> Expression:
        if not self.at("("):
            raise self.fail("bare_function", f"the function {name} needs its argument in parentheses: {name}(x)", token)
        opening = self.advance()
        if name in GATHERING and self.at("["):
            arguments = self._listed(opening)
        else:
            arguments = [] if self.at(")") else [self.expression()]
            while self.at(","):
                self.advance()
                arguments.append(self.expression())
            if self.at_word("for"):
                raise self.fail("comprehension", "only sum(... for k in range(a, b)) and prod(...) take 'for'")
            if self.at("=", ":="):
                raise self.fail("unexpected", f"{name} takes values, not named arguments")
            self.expect(")", opening)
            if len(arguments) == 1 and name in GATHERING and name in SYMBOL_LIKE:
                raise self.fail("wrong_arguments", f"{name} takes several values, or a list of them", token)
        if name == "log" and len(arguments) == 1 and not prefixed:
            self.flag("log_base", "log is read as the natural logarithm; write log10 for base 10", token.position)
        built = build_call(name, arguments)
        if isinstance(built, str):
            raise self.fail("wrong_arguments", built, token)
        return built

    def _listed(self, opening: TextToken) -> list[Expression]:
        """The values of a list that is the only argument of a call."""
        bracket = self.advance()
        if self.at("]"):
            raise self.fail("wrong_arguments", "there is nothing in the list")
        values = [self.expression()]
        while self.at(","):
            self.advance()
            if self.at("]"):
                break
            values.append(self.expression())
        if self.at_word("for"):
            raise self.fail("comprehension", "only sum(... for k in range(a, b)) and prod(...) take 'for'")
        self.expect("]", bracket)
        self.expect(")", opening)
        return values

    def _series(self, token: TextToken, name: str) -> Expression:
        opening = self.advance()
        gather = add if name == "sum" else multiply
        if self.at("["):
            return gather(*self._listed(opening))
        body = self.expression()
        if self.at(","):
            values = [body]
            while self.at(","):
                self.advance()
                values.append(self.expression())
            self.expect(")", opening)
            return gather(*values)
        if not self.at_word("for"):
            raise self.fail(
                "comprehension", f"{name} is read as {name}(body for k in range(a, b)) or {name}([a, b])", token
            )
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

    def _quantity(self, token: TextToken) -> Expression:
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
        from mathrag.knowledge.units import read_canonical_unit

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


# Expressions in Python-like text: recursive descent over tokens, with an explicit guard on nesting.
#
# Each nesting level costs a handful of Python frames, so the guard keeps well inside Python's own limit. Whole
# statements (equations, chains, conditions) are put together in `mathrag.compute.pythontext.reader`.

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

    def _raised(self, base: Expression, exponent: Expression, start: TextToken) -> Expression:
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


_RELATIONS: dict[str, Relation] = {"=": "=", "==": "=", ":=": "≡", "≈": "≈", "≡": "≡"}
_REFUSED_RELATIONS = {
    "∝": ("proportionality", "a proportionality lacks its constant, so nothing can be computed from it"),
    "~": ("proportionality", "'~' does not say that both sides are equal"),
    "->": ("arrow", "an arrow is not an equation"),
    "→": ("arrow", "an arrow is not an equation"),
    "⇌": ("reaction", "a reaction is not an equation to compute with"),
    "±": ("plus_minus", "two signs at once; write the two formulas separately"),
    "∓": ("plus_minus", "two signs at once; write the two formulas separately"),
    ":": ("unexpected", "a colon has no meaning here"),
    ")": ("unopened", "this parenthesis was never opened"),
    "]": ("unopened", "this bracket was never opened"),
    "}": ("unopened", "this brace was never opened"),
}
_MAXIMUM_MEMBERS = 50
# A name of more letters is a word or an abbreviation.
_MOST_FACTORS = 4
_IDENTIFIER = re.compile(r"[A-Za-z]{2,}(?:_[A-Za-z0-9]{2,})+")
_NO_LETTERS = frozenset((*NAMES, *PREFIXES, *CONDITION_WORDS, *GREEK.values(), "sum", "prod", "quantity", "nan", "inf"))


def read_python_text(text: str, symbols: Collection[str] = (), *, choices: Choices = NO_CHOICES) -> Reading | Declined:
    """Read equations or one expression. `symbols` are names known to be symbols, so that `K(x + 1)` is a product.

    Letters that `choices` calls a product are read as if a sign stood between them.
    """
    parser: Parser | None = None
    places: tuple[Ambiguity, ...] = ()
    try:
        tokens = tokenise(text)
        places = _joined_letters(tokens, symbols)
        parser = Parser(_taken_apart(tokens, choices.products), symbols)
        return replace(_Statements(text, parser).read(), ambiguities=places)
    except FormulaError as error:
        return replace(_declined(text, error.code, error.reason, error.position, parser), ambiguities=places)
    except RecursionError:
        return _declined(text, "too_large", "the formula is nested too deeply", 0, parser)


def _joined_letters(tokens: Sequence[TextToken], symbols: Collection[str]) -> tuple[Ambiguity, ...]:
    """The names of a few letters that may be products: `mgh`, `Fd`. Whole words, and what the caller names, are not.

    Who writes a star for a product, or names such as `path_loss`, does not leave signs out elsewhere.
    """
    if any(token.text == "*" or (token.kind == "name" and _IDENTIFIER.fullmatch(token.text)) for token in tokens):
        return ()
    found = {
        token.text
        for token in tokens
        if token.kind == "name"
        and 1 < len(token.text) <= _MOST_FACTORS
        and token.text.isascii()
        and token.text.isalpha()
        and not keyword.iskeyword(token.text)
        and token.text not in _NO_LETTERS
        and token.text not in symbols
    }
    return tuple(Ambiguity("letters", text, "name", is_set=True) for text in sorted(found))


def _taken_apart(tokens: list[TextToken], products: Collection[str]) -> list[TextToken]:
    """The tokens with a product sign between the letters of every product; a power then is one of the last letter."""
    if not products:
        return tokens
    apart: list[TextToken] = []
    for token in tokens:
        if token.kind != "name" or token.text not in products:
            apart.append(token)
            continue
        for index, letter in enumerate(token.text):
            place = token.position + index
            apart.extend([TextToken("operator", "*", place, place)] if index else [])
            apart.append(TextToken("name", letter, place, place + 1))
    return apart


def _declined(text: str, code: str, reason: str, position: int | None, parser: Parser | None) -> Declined:
    return Declined(text, code, reason, position, tuple(parser.flags) if parser else ())


class _Statements:
    def __init__(self, source: str, parser: Parser) -> None:
        self.source = source
        self.parser = parser
        self.equations: list[Equation] = []
        self.expressions: list[Expression] = []
        self.conditions: list[Condition] = []
        self._join_bracketed_lines()

    def _join_bracketed_lines(self) -> None:
        """Inside parentheses a line break is only a blank."""
        depth = 0
        kept: list[TextToken] = []
        for token in self.parser.tokens:
            depth += (token.text == "(") - (token.text == ")") if token.kind == "operator" else 0
            if token.kind != "newline" or depth <= 0:
                kept.append(token)
        self.parser.tokens = kept

    def read(self) -> Reading:
        parser = self.parser
        while True:
            while parser.token.kind == "newline" or parser.at(";"):
                parser.advance()
            if parser.token.kind == "end":
                break
            self._statement()
            if not (parser.token.kind in ("newline", "end") or parser.at(";")):
                self._refuse_rest()
        return self._result()

    def _result(self) -> Reading:
        if not self.equations and not self.expressions:
            reason = "an inequality alone computes nothing" if self.conditions else "there is no formula in the text"
            raise FormulaError("inequality" if self.conditions else "empty", reason, position=0)
        if self.expressions and (self.equations or len(self.expressions) > 1):
            raise FormulaError("several_expressions", "several formulas of which not all are equations", position=0)
        conditions = tuple(self.conditions)
        equations = tuple(
            Equation(each.left, each.right, each.relation, (*each.conditions, *conditions)) for each in self.equations
        )
        expression = self.expressions[0] if self.expressions else None
        return Reading(self.source, equations, expression, conditions if expression else (), tuple(self.parser.flags))

    def _refuse_rest(self) -> None:
        parser = self.parser
        code, reason = _REFUSED_RELATIONS.get(
            parser.token.text, ("unexpected", f"{parser.describe(parser.token)} has no meaning at this place")
        )
        raise parser.fail(code, reason)

    def _statement(self) -> None:
        parser = self.parser
        start = parser.place
        parser.trailing = ()
        members = [self._member(first=True)]
        if parser.token.text in COMPARISONS and parser.token.text not in _RELATIONS:
            parser.place = start
            self.conditions.append(Condition(parser.comparisons()))
            return
        relations: list[Relation] = []
        while parser.token.kind == "operator" and parser.token.text in _RELATIONS and not parser.trailing:
            relations.append(_RELATIONS[parser.advance().text])
            members.append(self._member(first=False))
            if len(members) > _MAXIMUM_MEMBERS:
                raise parser.fail("too_large", f"a chain has at most {_MAXIMUM_MEMBERS} members")
        if parser.token.text in COMPARISONS and parser.token.kind == "operator":
            raise parser.fail(
                "mixed_relations", "an equation and an inequality in one chain; separate them with a comma"
            )
        conditions = self._trailing_conditions()
        if relations:
            self.equations.extend(equations_of_chain(members, relations, conditions))
        else:
            self.expressions.append(members[0])
            self.conditions.extend(conditions)

    def _member(self, *, first: bool) -> Expression:
        named = self._function_head() if first else None
        value = named or self.parser.expression(top=True)
        if depth_of(value) > MAXIMUM_DEPTH or size_of(value) > MAXIMUM_NODES:
            raise FormulaError("too_large", "the formula is larger than any real one", position=0)
        return value

    def _function_head(self) -> Expression | None:
        """`f(x, y) =` at the start of a statement defines f."""
        parser = self.parser
        name, place = parser.token, parser.place + 1
        if name.kind != "name" or parser.tokens[place].text != "(":
            return None
        arguments: list[str] = []
        while parser.tokens[place].text in ("(", ",") and parser.tokens[place + 1].kind == "name":
            arguments.append(parser.tokens[place + 1].text)
            place += 2
        closing, relation = parser.tokens[place], parser.tokens[min(place + 1, len(parser.tokens) - 1)]
        if closing.text != ")" or not arguments or relation.kind != "operator" or relation.text not in _RELATIONS:
            return None
        if parser.is_function(name.text) and name.text not in GATHERING & SYMBOL_LIKE:
            return None
        parser.place = place + 1
        found = canonical_name(name.text, name.position)
        parser.flag("function_of", f"{found.name} is defined as a function of {', '.join(arguments)}", name.position)
        return Symbol(found.name)

    def _trailing_conditions(self) -> tuple[Condition, ...]:
        parser = self.parser
        found = [Condition(parser.trailing)] if parser.trailing else []
        while parser.at(",") or parser.at_word(*CONDITION_WORDS):
            place = parser.advance()
            if place.text == "," and parser.at_word(*CONDITION_WORDS):
                parser.advance()
            start = parser.token
            comparisons = parser.comparisons()
            if any(self._assigns(each) for each in comparisons):
                parser.flag("condition_or_equation", "an equation after a comma is read as a condition", start.position)
            found.append(Condition(comparisons))
        return tuple(found)

    @staticmethod
    def _assigns(comparison: Comparison) -> bool:
        return comparison.relation == "="
