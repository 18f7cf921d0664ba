"""Mathematics as people type it into a question: plain text, Unicode signs and everyday LaTeX, into one tree.

Letters are single symbols and stand side by side for a product, functions may go without parentheses, `e` is Euler's
number. What mathematicians would ask back about (`1/2x`, `e^2x`) is refused with both readings; words are refused.
Knows nothing of units and of quantities: the readers of formulas are for those.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from mathrag.language.word_classes import word_class
from mathrag.types.expression import (
    ONE,
    PI,
    TEN,
    TWO,
    Expression,
    Number,
    Symbol,
    add,
    call,
    divide,
    multiply,
    negate,
    power,
    size_of,
    subtract,
)
from mathrag.types.symbol_names import GREEK, GREEK_NAMES

LONGEST_TEXT = 400
_LARGEST_TREE = 300
_DEEPEST = 30
_LONGEST_NUMBER = 40

Sign = str


class UnreadMathematicsError(ValueError):
    """The text is no mathematics, or none that is read here."""


class AmbiguousMathematicsError(UnreadMathematicsError):
    """The text has two usual readings; the message names both."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Sides with the signs between them: one side has no sign. `notes` say how something was taken."""

    sides: tuple[Expression, ...]
    signs: tuple[Sign, ...] = ()
    notes: tuple[str, ...] = ()
    # `log` without a base stands in it: natural in analysis, to base ten on calculators.
    has_bare_log: bool = False


def read_mathematics(text: str) -> Statement:
    """Read an expression, an equation or a chain of relations; raises `UnreadMathematicsError`."""
    if len(text) > LONGEST_TEXT:
        raise UnreadMathematicsError("the text is too long")
    reader = _Reader(_tokens(_with_indexes(_plain(text))))
    statement = reader.statement()
    if sum(map(size_of, statement.sides)) > _LARGEST_TREE:
        raise UnreadMathematicsError("the formula is too long")
    return statement


def read_one(text: str) -> Expression:
    """Read an expression alone."""
    statement = read_mathematics(text)
    if statement.signs:
        raise UnreadMathematicsError("an equation stands where an expression is wanted")
    return statement.sides[0]


# One alphabet: Unicode signs and LaTeX commands as the ASCII signs they mean.

_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿˣ", "0123456789+-nx", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉ₙₖᵢ", "0123456789nki", strict=True))
_SIGNS = {
    "−": "-", "–": "-", "·": "*", "×": "*", "∙": "*", "⋅": "*", "÷": "/", "∕": "/", "⁄": "/", "≤": "<=", "≥": ">=",
    "⩽": "<=", "⩾": ">=", "≠": "!=", "≡": "=", "√": " sqrt ", "∛": " cbrt ", "∞": " infinity ", "½": "(1/2)",
    "¼": "(1/4)", "¾": "(3/4)", "⅓": "(1/3)", "⅔": "(2/3)", "[": "(", "]": ")",
}  # fmt: skip
_COMMANDS = {
    "cdot": "*", "times": "*", "div": "/", "ast": "*", "le": "<=", "leq": "<=", "ge": ">=", "geq": ">=", "ne": "!=",
    "neq": "!=", "equiv": "=", "lvert": "|", "rvert": "|", "vert": "|", "infty": " infinity ", "quad": " ",
    "qquad": " ", "left": "", "right": "", "displaystyle": "", "limits": "", "big": "", "Big": "", "lbrace": "(",
    "rbrace": ")", "varphi": " phi ", "varepsilon": " epsilon ", "vartheta": " theta ", "mathrm": "", "mathit": "",
    "operatorname": "", "rm": "",
}  # fmt: skip
_KEPT_COMMANDS = frozenset(("frac", "dfrac", "tfrac", "sqrt", "binom", "dbinom", "lfloor", "rfloor", "lceil", "rceil"))
_COMMAND = re.compile(r"\\([A-Za-z]+|.)")


def _plain(text: str) -> str:
    text = _COMMAND.sub(_command, text.replace("**", "^").replace("==", "="))
    written: list[str] = []
    raised = lowered = False
    for character in text:
        if (character in _RAISED) != raised:
            written.append(")" if raised else "^(")
            raised = not raised
        if (character in _LOWERED) != lowered:
            if not lowered:
                written.append("_")
            lowered = not lowered
        if raised:
            written.append(_RAISED[character])
        elif lowered:
            written.append(_LOWERED[character])
        elif character in GREEK:
            written.append(f" {GREEK[character]} ")
        else:
            written.append(_SIGNS.get(character, character))
    return "".join(written) + (")" if raised else "")


_NUMBERED = re.compile(r"(?<![A-Za-z\\_])([A-Za-z])([0-9])(?![0-9.])")


def _with_indexes(text: str) -> str:
    """A letter with different digits right behind it is so many letters: z1 and z2."""
    digits: dict[str, set[str]] = {}
    for letter, digit in _NUMBERED.findall(text):
        digits.setdefault(letter, set()).add(digit)
    several = {letter for letter, found in digits.items() if len(found) > 1}
    return _NUMBERED.sub(lambda found: f"{found[1]}_{found[2]}" if found[1] in several else found[0], text)


def _command(found: re.Match[str]) -> str:
    name = found.group(1)
    if name in _COMMANDS:
        return _COMMANDS[name]
    if name in _KEPT_COMMANDS:
        return f"\\{name} "
    if name in _FUNCTIONS or name in GREEK_NAMES or name in _RECIPROCALS:
        return f" {name} "
    if name in ",;:! ":
        return " "
    if name in "{}":
        return "(" if name == "{" else ")"
    raise UnreadMathematicsError(f"the command {name[:20]!r} is not read here")


# Tokens.

_TOKEN = re.compile(
    r"(?P<number>\d+(?:\.\d+)?|\.\d+)|(?P<command>\\[A-Za-z]+)|(?P<word>[A-Za-z]+)|(?P<sign><=|>=|!=|[-+*/^()={}<>|!,_\[\]'])"
    r"|(?P<blank>\s+)"
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    # Whether a blank stands before it: `1/2 x` and `1/2x` are not the same to a reader.
    is_apart: bool = False


_END = _Token("end", "")


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    place, is_apart = 0, False
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise UnreadMathematicsError(f"{text[place]!r} has no meaning here")
        place = match.end()
        kind = match.lastgroup or ""
        if kind == "blank":
            is_apart = True
            continue
        if kind == "number" and len(match.group()) > _LONGEST_NUMBER:
            raise UnreadMathematicsError("a number is too long")
        if _is_product_after_all(match.group(), found):
            parts: tuple[_Token, ...] = tuple(_Token("name", letter) for letter in match.group())
        else:
            parts = _letters(match.group()) if kind == "word" else (_Token(kind, match.group()),)
        for index, part in enumerate(parts):
            found.append(_Token(part.kind, part.text, is_apart and index == 0))
        is_apart = False
    return found


def _is_product_after_all(word: str, before: Sequence[_Token]) -> bool:
    """Whether what looks like a word is a product where it stands: ax + by, e^{it}."""
    last = [token.text for token in before[-2:]]
    if word == "by":
        return last[-1:] in (["+"], ["-"])
    return word in ("it", "is", "in") and last in (["^", "{"], ["^", "("])


_FUNCTIONS = {
    **{name: name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh", "acosh")},
    "atanh": "atanh", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arsinh": "asinh",
    "arccosh": "acosh", "arcosh": "acosh", "arctanh": "atanh", "artanh": "atanh", "ln": "log", "log": "log",
    "lg": "log10", "exp": "exp", "sqrt": "sqrt", "cbrt": "cbrt", "abs": "abs", "floor": "floor", "ceil": "ceil",
    "erf": "erf", "erfc": "erfc", "tg": "tan", "arctg": "atan",
}  # fmt: skip
_RECIPROCALS = {
    "cot": "tan",
    "sec": "cos",
    "csc": "sin",
    "cosec": "sin",
    "ctg": "tan",
    "cotg": "tan",
    "coth": "tanh",
    "sech": "cosh",
    "csch": "sinh",
}
_SEVERAL = frozenset(("min", "max", "gcd", "lcm"))
# Names of the number of choices; the letter is one only before two arguments.
_CHOICES, _CHOICE_LETTER = frozenset(("binom", "binomial", "nCr")), "C"
_INVERSES = {"sin": "asin", "cos": "acos", "tan": "atan", "sinh": "asinh", "cosh": "acosh", "tanh": "atanh"}
_CALLED = frozenset((*_FUNCTIONS, *_RECIPROCALS, *_SEVERAL, *_CHOICES))
_BY_LENGTH = sorted(_CALLED, key=len, reverse=True)
# Letters that name functions; before a parenthesis they are no factor.
_FUNCTION_LETTERS = frozenset("fghFGH")
# Names of parts, traces and variances that look like a product.
_NO_PRODUCTS = frozenset(("Re", "Im", "Arg", "Tr", "Var", "Cov", "Log"))
# So many letters side by side are a product; more are a word.
_MOST_LETTERS = 3


def _letters(word: str) -> tuple[_Token, ...]:
    """A run of letters: a function, a Greek letter, a function with its argument, or a few letters as a product."""
    if word in _CALLED:
        return (_Token("function", word),)
    if word in GREEK_NAMES or word in ("infinity", "inf"):
        return (_Token("name", "infinity" if word == "inf" else word),)
    if word.lower() in word_class("algebra.no_letters") or word in _NO_PRODUCTS:
        raise UnreadMathematicsError(f"{word!r} is a word")
    for place in (0, 1):
        for function in _BY_LENGTH:
            rest = word[place + len(function) :]
            if word.startswith(function, place) and 0 < len(rest) <= 2 and len(word) <= len(function) + 2:
                before = tuple(_Token("name", letter) for letter in word[:place])
                return (*before, _Token("function", function), *(_Token("name", letter) for letter in rest))
    if len(word) > _MOST_LETTERS:
        raise UnreadMathematicsError(f"{word[:30]!r} is a word")
    return tuple(_Token("name", letter) for letter in word)


# The grammar.

_RELATIONS = frozenset(("=", "<", ">", "<=", ">=", "!="))
_OPENERS = {"(": ")", "{": "}"}
_MOST_SIDES = 6


class _Reader:
    def __init__(self, tokens: Sequence[_Token]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0
        self.bars = 0
        self.notes: dict[str, None] = {}
        self.has_bare_log = False

    @property
    def token(self) -> _Token:
        return self.tokens[self.place] if self.place < len(self.tokens) else _END

    def at(self, *texts: str) -> bool:
        return self.token.kind == "sign" and self.token.text in texts

    def advance(self) -> _Token:
        token = self.token
        self.place += 1
        return token

    def expect(self, text: str) -> None:
        if not self.at(text):
            raise UnreadMathematicsError(f"{text!r} is missing")
        self.advance()

    def statement(self) -> Statement:
        sides, signs = [self.expression()], []
        while self.at(*_RELATIONS):
            signs.append(self.advance().text)
            sides.append(self.expression())
        if self.token is not _END or len(sides) > _MOST_SIDES:
            raise UnreadMathematicsError(f"{self.token.text[:20]!r} has no meaning here")
        return Statement(tuple(sides), tuple(signs), tuple(self.notes), self.has_bare_log)

    def expression(self) -> Expression:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise UnreadMathematicsError("the formula is nested too deeply")
        total = self.term()
        while self.at("+", "-"):
            minus = self.advance().text == "-"
            total = subtract(total, self.term()) if minus else add(total, self.term())
        self.depth -= 1
        return total

    def term(self) -> Expression:
        """A product. A slash takes one factor; what follows it without a sign is asked back about."""
        negative = False
        while self.at("+", "-"):
            negative ^= self.advance().text == "-"
        value = self.factor()
        was_divided = False
        while True:
            if self.at("*"):
                self.advance()
                value, was_divided = multiply(value, self.signed_factor()), False
            elif self.at("/"):
                self.advance()
                start = self.place
                value = divide(value, self.signed_factor())
                was_divided = not (start < len(self.tokens) and self.tokens[start].text == "(" and self._closed(start))
            elif self.starts_factor():
                if was_divided:
                    self._check_after_slash()
                value = multiply(value, self.factor())
            else:
                return negate(value) if negative else value

    def _closed(self, start: int) -> bool:
        """Whether the divisor was one group in parentheses, so that nothing behind it can belong to it."""
        return self.tokens[self.place - 1].text == ")" and self.tokens[start].text == "("

    def _check_after_slash(self) -> None:
        before = self.tokens[self.place - 1]
        is_plain = before.kind == "number" and self.token.is_apart
        if not is_plain:
            around = f"{before.text}{self.token.text}"
            raise AmbiguousMathematicsError(
                f"…/{around}… can mean that {self.token.text} is below the line or not; write parentheses"
            )

    def signed_factor(self) -> Expression:
        if self.at("+", "-"):
            return negate(self.signed_factor()) if self.advance().text == "-" else self.signed_factor()
        return self.factor()

    def starts_factor(self) -> bool:
        token = self.token
        if token.kind in ("number", "name", "function", "command"):
            if token.kind == "number" and self.place and self.tokens[self.place - 1].kind == "number":
                raise UnreadMathematicsError("two numbers stand side by side")
            return token.text not in ("\\rfloor", "\\rceil")
        return self.at("(", "{") or (self.at("|") and self.bars == 0)

    def factor(self) -> Expression:
        """An atom with factorials and a power; powers bind to the right."""
        start = self.token
        value = self.atom()
        while self.at("!"):
            self.advance()
            value = call("factorial", value)
        if self.at("^"):
            self.advance()
            exponent = self.exponent(start)
            value = exponential(value, exponent)
            while self.at("!"):
                raise UnreadMathematicsError("a factorial behind a power; write parentheses")
        return value

    def exponent(self, base: _Token) -> Expression:
        first = self.token
        if self.at("-", "+"):
            return negate(self.exponent(base)) if self.advance().text == "-" else self.exponent(base)
        value = self.atom()
        if self.at("^"):
            self.advance()
            value = exponential(value, self.exponent(first))
        is_open = first.kind in ("number", "name") and (
            base.kind == "number" or base.text == "e" or first.kind == "name"
        )
        follows = self.token.kind in ("name", "function") and not self.token.is_apart
        if is_open and follows:
            raise AmbiguousMathematicsError(
                f"^{first.text}{self.token.text} can mean that {self.token.text} stands in the exponent or not; "
                "write parentheses"
            )
        return value

    def atom(self) -> Expression:
        token = self.advance()
        match token.kind:
            case "number":
                return Number(int(token.text)) if token.text.isdigit() else Number(Decimal(token.text))
            case "name":
                return self.named(token)
            case "function":
                return self.function(token)
            case "command":
                return self.command(token)
        if token.text in _OPENERS:
            value = self.expression()
            self.expect(_OPENERS[token.text])
            return value
        if token.text == "|":
            self.bars += 1
            value = self.expression()
            self.bars -= 1
            self.expect("|")
            return call("abs", value)
        raise UnreadMathematicsError("a value is missing")

    def named(self, token: _Token) -> Expression:
        if token.text == "pi":
            return PI
        if token.text == "infinity":
            return Symbol("infinity")
        name = token.text
        if self.at("_"):
            self.advance()
            name = f"{name}_{self.subscript()}"
        elif name == "e":
            return call("exp", ONE)
        if self.at("'"):
            raise UnreadMathematicsError("a prime is not read here")
        if name in _FUNCTION_LETTERS and self.at("(") and not self.token.is_apart:
            raise UnreadMathematicsError(f"{name}(…) is a function that is not given")
        if self.at("(") and not self.token.is_apart and self.has_one_name():
            # Nobody brackets a single letter to multiply by it.
            raise UnreadMathematicsError(f"{name}(…) is a function that is not given")
        if name == _CHOICE_LETTER and self.at("(") and self.has_two_arguments():
            return self.choice()
        return Symbol(name)

    def has_one_name(self) -> bool:
        """Whether the bracket that opens here holds a letter and nothing else."""
        inside = self.tokens[self.place + 1 : self.place + 3]
        return len(inside) == 2 and inside[0].kind == "name" and inside[1] == _Token("sign", ")", inside[1].is_apart)

    def has_two_arguments(self) -> bool:
        """Whether the bracket that opens here holds one comma of its own."""
        depth = commas = 0
        for token in self.tokens[self.place :]:
            if token.kind == "sign":
                depth += (token.text in "([{") - (token.text in ")]}")
                commas += token.text == "," and depth == 1
            if depth == 0:
                break
        return commas == 1

    def choice(self) -> Expression:
        """The number of ways to choose some of many."""
        arguments = self.arguments()
        if len(arguments) != 2:
            raise UnreadMathematicsError("a number of choices needs two numbers")
        return call("comb", *arguments)

    def subscript(self) -> str:
        token = self.advance()
        if token.text == "{":
            text = ""
            while self.token.kind in ("number", "name"):
                text += self.advance().text
            self.expect("}")
            token = _Token("name", text)
        if token.kind not in ("number", "name") or not token.text.isalnum():
            raise UnreadMathematicsError("the subscript is not read")
        return token.text

    # -- functions

    def function(self, token: _Token) -> Expression:
        name = token.text
        base = self.logarithm_base(name)
        exponent = self.function_power()
        if name in _SEVERAL:
            return call(name, *self.arguments())
        if name in _CHOICES:
            return self.choice()
        if name == "sqrt" and self.at("^"):
            raise UnreadMathematicsError("a root with a power; write parentheses")
        if exponent == -1:
            if name not in _INVERSES:
                raise AmbiguousMathematicsError(f"{name}^(-1) can be the inverse function or one over it")
            spoken = _INVERSES[name].replace("a", "arc", 1) if name[-1] != "h" else f"ar{name}"
            other = f"one over {name} x is written 1/{name}(x) or ({name} x)⁻¹"
            self.notes[f"{name}⁻¹ is read as the inverse function {spoken}; {other}"] = None
            name, exponent = _INVERSES[name], None
        argument = self.argument(name)
        value = self.applied(name, argument, base)
        return value if exponent is None else power(value, Number(exponent))

    def applied(self, name: str, argument: Expression, base: Expression | None) -> Expression:
        if base is not None:
            if base in (TEN, TWO):
                return call("log10" if base == TEN else "log2", argument)
            return divide(call("log", argument), call("log", base))
        if name == "log":
            self.has_bare_log = True
            self.notes["log is read as the natural logarithm"] = None
        if name in _RECIPROCALS:
            return divide(ONE, call(_RECIPROCALS[name], argument))
        return call(_FUNCTIONS[name], argument)

    def logarithm_base(self, name: str) -> Expression | None:
        if name != "log":
            return None
        if self.at("_"):
            self.advance()
            if self.token.kind == "name" and self.token.text not in ("e", "pi"):
                # A letter is the base itself: the bracket of `log_b(x)` belongs to the logarithm.
                return Symbol(self.advance().text)
            return self.atom()
        following = self.tokens[self.place + 1] if self.place + 1 < len(self.tokens) else _END
        # A whole number joined to the name and right before a bracket is the base: `log3(81)`.
        is_base = self.token.text.isdecimal() and int(self.token.text[:6]) >= 2 and following.text == "("
        if is_base and not self.token.is_apart:
            return Number(int(self.advance().text))
        return None

    def function_power(self) -> int | None:
        """The 2 of `sin^2 x`; a power of a whole number alone."""
        if not self.at("^"):
            return None
        self.advance()
        closing = _OPENERS.get(self.token.text) if self.token.kind == "sign" else None
        if closing:
            self.advance()
        negative = self.at("-")
        if negative:
            self.advance()
        if self.token.kind != "number" or not self.token.text.isdigit() or len(self.token.text) > 2:
            raise UnreadMathematicsError("a function to a power that is no small whole number")
        count = int(self.advance().text)
        if closing:
            self.expect(closing)
        return -count if negative else count

    def arguments(self) -> tuple[Expression, ...]:
        self.expect("(")
        found = [self.expression()]
        while self.at(","):
            self.advance()
            found.append(self.expression())
        self.expect(")")
        return tuple(found)

    def argument(self, name: str) -> Expression:
        """What a function is applied to: a group, or the product that follows it without one."""
        if self.at("(", "{", "|"):
            return self.atom()
        if self.at("-"):
            raise UnreadMathematicsError(f"what {name} is applied to needs parentheses")
        parts: list[Expression] = []
        while self.token.kind in ("number", "name", "command") and not (parts and self.token.kind == "number"):
            if name in ("sqrt", "cbrt") and parts:
                if not self.token.is_apart:
                    raise AmbiguousMathematicsError(f"it is not clear what stands under the root; write {name}(…)")
                break
            parts.append(self.factor())
        if not parts:
            raise UnreadMathematicsError(f"{name} is applied to nothing")
        after = self.tokens[self.place + 1] if self.place + 1 < len(self.tokens) else _END
        if self.at("("):
            raise AmbiguousMathematicsError(f"it is not clear where the argument of {name} ends; write {name}(…)")
        if self.at("/") and not self.token.is_apart and after.kind == "number":
            raise AmbiguousMathematicsError(
                f"it is not clear whether {name} is divided or what is in it; write {name}(…)"
            )
        return multiply(*parts)

    # -- commands of LaTeX

    def command(self, token: _Token) -> Expression:
        name = token.text[1:]
        if name in ("frac", "dfrac", "tfrac"):
            return divide(self.braced(), self.braced())
        if name in ("binom", "dbinom"):
            return call("comb", self.braced(), self.braced())
        if name == "sqrt":
            return self.root()
        if name in ("lfloor", "lceil"):
            value = self.expression()
            if self.advance().text != f"\\r{name[1:]}":
                raise UnreadMathematicsError("a bracket is not closed")
            return call("floor" if name == "lfloor" else "ceil", value)
        raise UnreadMathematicsError(f"{name!r} has no meaning here")

    def braced(self) -> Expression:
        if self.at("{"):
            return self.atom()
        token = self.token
        if token.kind == "number" and len(token.text) == 2 and token.text.isdigit():
            # \frac12
            rest = (_Token("number", token.text[0]), _Token("number", token.text[1]))
            self.tokens = [*self.tokens[: self.place], *rest, *self.tokens[self.place + 1 :]]
        return self.atom()

    def root(self) -> Expression:
        if self.at("("):
            # Square brackets hold the degree; both kinds of brackets look alike by now, braces do not.
            degree = self.atom()
            value = self.braced()
            return call("cbrt", value) if degree == Number(3) else power(value, divide(ONE, degree))
        return call("sqrt", self.braced())


def exponential(base: Expression, exponent: Expression) -> Expression:
    """A power; that of Euler's number is the exponential function."""
    return call("exp", exponent) if base == call("exp", ONE) else power(base, exponent)
