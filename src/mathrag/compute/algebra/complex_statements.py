"""Equations between complex numbers in letters, `|z w| = |z| |w|`: read into a tree, shown by algebra where real and
imaginary parts are quotients of polynomials, else tried at points with many digits.

One point where both sides have a value and differ refutes; holding at all points is no proof.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from mathrag.compute.algebra.identities import Comparison, is_exactly_equal
from mathrag.compute.algebra.term_reader import Node, TermReader, Token, names_of, two_sides
from mathrag.compute.evaluate.precision import numbers_of
from mathrag.types.expression import (
    ONE,
    ZERO,
    Expression,
    Number,
    Symbol,
    add,
    divide,
    multiply,
    negate,
    size_of,
    subtract,
)

Sort: TypeAlias = Literal["complex", "real", "whole"]

MOST_LETTERS = 4
TRIALS = 60
ENOUGH_POINTS = 10
_LONGEST = 300
_DEEPEST = 40
_DIGITS = 60
_LARGEST_POWER = 12
_LARGEST_PARTS = 400
_FUNCTIONS = ("conj", "re", "im", "arg", "abs", "exp", "ln", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh")
_NAMES = {"conjugate": "conj", "bar": "conj", "overline": "conj", "real": "re", "imag": "im", "modulus": "abs"} | {
    "argument": "arg", "log": "ln", "mod": "abs"
}  # fmt: skip
_TOKEN = re.compile(
    r"\s*(?:(?P<function>conjugate|conj|bar|overline|modulus|mod|argument|arg|real|Re|imag|Im|re|im|abs|exp|ln|log|sqrt"
    r"|sinh|cosh|tanh|sin|cos|tan)(?![A-Za-z])|(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<constant>pi|π)(?![A-Za-z])"
    r"|(?P<letter>[A-Za-zα-ω])(?P<mark>̄|̅|\u0304|\u0305)?|(?P<raised>[²³⁴])|(?P<sign>\*\*|<=|>=|[-−+*·×/^()|={}<>≤≥]|√))"
)
_RELATIONS = {"=": "=", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "≤": "<=", "≥": ">="}
_RAISED = {"²": 2, "³": 3, "⁴": 4}


class UnreadComplexError(ValueError):
    """A text that is no equation between complex numbers; the message says what was not read."""


@dataclass(frozen=True, slots=True)
class ComplexStatement:
    """Two sides and the sign between them; an order is one between real numbers."""

    left: Node
    right: Node
    letters: tuple[str, ...]
    sign: str = "="


@dataclass(frozen=True, slots=True)
class ComplexTrial:
    """At how many points it held, and the first at which it did not, with both sides; all as text."""

    held: int
    counterexample: tuple[Mapping[str, str], str, str] | None = None
    is_shown: bool = False


def read_complex_statement(text: str) -> ComplexStatement:
    """The equation that a text is as a whole; raises `UnreadComplexError`."""
    tokens = _tokens(text)
    sides = two_sides(tokens, _RELATIONS)
    if sides is None:
        raise UnreadComplexError("there is not one equation")
    left, right = (_Reader(side).whole() for side in (sides.left, sides.right))
    letters = tuple(sorted(names_of((left, right), "letter")))
    if not letters or len(letters) > MOST_LETTERS:
        raise UnreadComplexError("it has no letters, or too many")
    return ComplexStatement(left, right, letters, _RELATIONS[sides.sign])


def _tokens(text: str) -> list[Token]:
    if len(text) > _LONGEST:
        raise UnreadComplexError("it is too long")
    written = text.replace("\\left", "").replace("\\right", "").replace("\\cdot", "*").replace("\\", "")
    found: list[Token] = []
    place, end = 0, len(written.rstrip())
    while place < end:
        match = _TOKEN.match(written, place)
        if match is None:
            raise UnreadComplexError(f"“{written[place:].strip()[:20]}” is not read")
        place = match.end()
        kind = "letter" if match["letter"] else match.lastgroup or ""
        said = match[kind].replace("−", "-").replace("**", "^")
        found.append((kind, said))
        if match["mark"]:
            found.append(("mark", "conj"))
    return found


class _Reader(TermReader):
    def whole(self) -> Node:
        found = self.sum()
        if self.place != len(self.tokens):
            raise UnreadComplexError(f"“{self.tokens[self.place][1]}” stands where nothing is expected")
        return found

    def sum(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise UnreadComplexError("it is nested too deeply")
        found = self.signed_products()
        self.depth -= 1
        return found

    def product(self) -> Node:
        found = self.power()
        while self.place < len(self.tokens):
            if self.at("+", "-", ")", "}", "|", "=") and not self._opens_bars():
                break
            if self.take("/"):
                found = Node("quotient", (found, self.power()))
                continue
            self.place += self.at("*", "·", "×")
            found = Node("product", (found, self.power()))
        return found

    def _opens_bars(self) -> bool:
        """Whether a bar begins a size: outside of any size it does."""
        return self.at("|") and not self.is_within_bars

    def power(self) -> Node:
        found = self.single()
        while self.place < len(self.tokens):
            kind, said = self.tokens[self.place]
            if kind == "mark":
                found = Node("conj", (found,))
            elif kind == "raised":
                found = Node("power", (found, Node("number", (), str(_RAISED[said]))))
            elif (kind, said) == ("sign", "^"):
                self.place += 1
                is_negative = self.take("-")
                exponent = self.single()
                found = Node("power", (found, Node("minus", (exponent,)) if is_negative else exponent))
                continue
            else:
                break
            self.place += 1
        return found

    def single(self) -> Node:
        if self.place >= len(self.tokens):
            raise UnreadComplexError("something is missing at the end")
        kind, said = self.tokens[self.place]
        self.place += 1
        if kind == "letter":
            return Node("constant", (), said) if said in ("i", "e") else Node("letter", (), said)
        if kind == "number":
            return Node("number", (), said)
        if kind == "constant":
            return Node("constant", (), "pi")
        if kind == "function" or said == "√":
            name = "sqrt" if said == "√" else _NAMES.get(said.lower(), said.lower())
            # conj z w is conj(z) w; sin 2z is sin(2z): only one letter or a bracket is taken, the rest is not guessed.
            return Node(name, (self.single(),))
        closing = {"(": ")", "{": "}", "|": "|"}.get(said) if kind == "sign" else None
        if closing is None:
            raise UnreadComplexError(f"“{said}” stands where a number is expected")
        outside, self.is_within_bars = self.is_within_bars, said == "|"
        inner = self.sum()
        self.is_within_bars = outside
        if not self.take(closing):
            raise UnreadComplexError(f"“{closing}” is missing")
        return Node("abs", (inner,)) if said == "|" else inner


# By algebra: real and imaginary part of each side, in those of the letters.

_Parts: TypeAlias = tuple[Expression, Expression]


class NoPartsError(ValueError):
    """The parts are no quotients of polynomials, or too long."""


def _is_shown(statement: ComplexStatement, sorts: Mapping[str, Sort]) -> bool:
    sides = (statement.left, statement.right)
    if all(_is_size(side) for side in sides):
        # Neither is negative: they are the same where their squares are.
        sides = (_squared(sides[0]), _squared(sides[1]))
    try:
        left, right = (parts_of(side, sorts) for side in sides)
    except NoPartsError:
        return False
    return all(is_exactly_equal(Comparison(one, "=", other)) for one, other in zip(left, right, strict=True))


def _is_size(node: Node) -> bool:
    """Whether a term is a product or quotient of sizes and numbers."""
    match node.kind:
        case "abs" | "number":
            return True
        case "product" | "quotient":
            return all(map(_is_size, node.parts))
        case "power":
            return _is_size(node.parts[0])
    return False


def _squared(node: Node) -> Node:
    if node.kind in ("product", "quotient"):
        return Node(node.kind, tuple(map(_squared, node.parts)))
    if node.kind == "power":
        return Node("power", (_squared(node.parts[0]), node.parts[1]))
    return Node("power", (node, Node("number", (), "2")))


def parts_of(node: Node, sorts: Mapping[str, Sort]) -> _Parts:
    """The real and the imaginary part of a term."""
    match node.kind:
        case "letter":
            name = ord(node.name)
            imaginary = Symbol(f"y_{name}") if sorts[node.name] == "complex" else ZERO
            return Symbol(f"x_{name}"), imaginary
        case "number":
            return Number(int(node.name) if node.name.isdigit() else Decimal(node.name)), ZERO
        case "constant" if node.name == "i":
            return ZERO, ONE
        case "power":
            return _power_parts(node, sorts)
        case "sum" | "minus" | "product" | "quotient" | "conj" | "re" | "im":
            made = _joined_parts(node.kind, [parts_of(part, sorts) for part in node.parts])
        case _:
            raise NoPartsError
    if any(size_of(part) > _LARGEST_PARTS for part in made):
        raise NoPartsError
    return made


def _joined_parts(kind: str, parts: list[_Parts]) -> _Parts:
    a, b = parts[0]
    if kind in ("minus", "conj", "re", "im"):
        return {"minus": (negate(a), negate(b)), "conj": (a, negate(b)), "re": (a, ZERO), "im": (b, ZERO)}[kind]
    c, d = parts[1]
    if kind == "sum":
        return add(a, c), add(b, d)
    if kind == "product":
        return subtract(multiply(a, c), multiply(b, d)), add(multiply(a, d), multiply(b, c))
    size = add(multiply(c, c), multiply(d, d))
    above = add(multiply(a, c), multiply(b, d)), subtract(multiply(b, c), multiply(a, d))
    return divide(above[0], size), divide(above[1], size)


def _power_parts(node: Node, sorts: Mapping[str, Sort]) -> _Parts:
    base, exponent = node.parts
    if exponent.kind != "number" or not exponent.name.isdigit() or not 1 <= int(exponent.name) <= _LARGEST_POWER:
        raise NoPartsError
    count = int(exponent.name)
    if base.kind == "abs":
        # An even power of a size is a polynomial; the size itself is not.
        if count % 2:
            raise NoPartsError
        real, imaginary = parts_of(base.parts[0], sorts)
        unit: _Parts = (add(multiply(real, real), multiply(imaginary, imaginary)), ZERO)
        count //= 2
    else:
        unit = parts_of(base, sorts)
    made = unit
    for _ in range(count - 1):
        made = _joined_parts("product", [made, unit])
        if any(size_of(part) > _LARGEST_PARTS for part in made):
            raise NoPartsError
    return made


# At points.

_PLAIN = (1, 0, -1, 1j, -1j, 1 + 1j, 2 - 1j, -2 + 3j, -1 - 2j, 3 + 4j)


def try_complex(
    statement: ComplexStatement, sorts: Mapping[str, Sort], *, nonzero: frozenset[str] = frozenset(), seed: int = 11
) -> ComplexTrial:
    """Try a statement at points of the sorts that its letters have; `nonzero` letters are never 0."""
    context = numbers_of(_DIGITS)
    held = 0
    for point in _points(statement.letters, sorts, seed):
        if any(not point[name] for name in nonzero):
            continue
        try:
            known = {name: context.mpc(value) for name, value in point.items()}
            sides = [_value(context, side, known) for side in (statement.left, statement.right)]
            fails = _fails(context, statement.sign, sides)
        except (ArithmeticError, ValueError, OverflowError):
            continue
        if not all(context.isfinite(side) for side in sides):
            continue
        if fails:
            shown = {name: complex_text(value) for name, value in point.items()}
            return ComplexTrial(held, (shown, complex_text(complex(sides[0])), complex_text(complex(sides[1]))))
        held += 1
    return ComplexTrial(held, is_shown=held > 0 and statement.sign == "=" and _is_shown(statement, sorts))


def _fails(context: Any, sign: str, sides: list[Any]) -> bool:
    """Whether two values do not stand in a relation; those that are not real have no order."""
    left, right = sides
    size = max(1, abs(left), abs(right))
    near = abs(left - right) <= size * context.mpf("1e-40")
    if sign == "=":
        return not near
    if any(abs(context.im(side)) > size * context.mpf("1e-40") for side in sides):
        raise ValueError("no order")
    if near:
        return sign in ("<", ">")
    return bool((context.re(left) < context.re(right)) != (sign in ("<", "<=")))


def _points(letters: tuple[str, ...], sorts: Mapping[str, Sort], seed: int) -> Iterator[dict[str, complex]]:
    chance = random.Random(seed)  # noqa: S311 - no secret

    def drawn(sort: Sort) -> complex:
        match sort:
            case "whole":
                return complex(chance.randint(0, 5))
            case "real":
                return complex(chance.randint(-12, 12) / 4)
        return complex(chance.randint(-12, 12) / 4, chance.randint(-12, 12) / 4)

    if all(sorts[name] == "complex" for name in letters) and len(letters) <= 2:
        for values in itertools.product(_PLAIN, repeat=len(letters)):
            yield dict(zip(letters, map(complex, values), strict=True))
    for _ in range(TRIALS):
        yield {name: drawn(sorts[name]) for name in letters}


def _value(context: Any, node: Node, known: Mapping[str, Any]) -> Any:
    if node.kind == "letter":
        return known[node.name]
    if node.kind == "number":
        return context.mpc(context.mpf(node.name))
    if node.kind == "constant":
        return {"i": context.mpc(0, 1), "e": context.mpc(context.e), "pi": context.mpc(context.pi)}[node.name]
    parts = [_value(context, part, known) for part in node.parts]
    match node.kind:
        case "sum":
            return parts[0] + parts[1]
        case "minus":
            return -parts[0]
        case "product":
            return parts[0] * parts[1]
        case "quotient":
            return parts[0] / parts[1]
        case "power":
            return _raised(context, node.parts[0], parts[0], parts[1])
        case "arg" if not parts[0]:
            raise ArithmeticError("zero has no direction")
        case "ln" if not parts[0]:
            raise ArithmeticError("zero has no logarithm")
    name = {"abs": "fabs"}.get(node.kind, node.kind)
    return context.mpc(getattr(context, name)(parts[0]))


def _raised(context: Any, written: Node, base: Any, exponent: Any) -> Any:
    real = context.re(exponent)
    if written == Node("constant", (), "e"):
        return context.exp(exponent)
    if not context.im(exponent) and real == int(real) and abs(real) <= _LARGEST_POWER:
        return base ** int(real)
    if not base:
        raise ArithmeticError("zero has no such power")
    return context.exp(exponent * context.ln(base))


def complex_text(value: complex) -> str:
    """`2 − 3i`, with a few digits where there are more."""
    real, imaginary = (float(f"{part:.8g}") + 0.0 for part in (value.real, value.imag))
    real, imaginary = (0.0 if abs(part) < 1e-12 else part for part in (real, imaginary))
    if not imaginary:
        return f"{real:.8g}".replace("-", "−")
    size = "" if abs(imaginary) == 1 else f"{abs(imaginary):.8g}"
    if not real:
        return f"{'−' if imaginary < 0 else ''}{size}i"
    return f"{real:.8g} {'−' if imaginary < 0 else '+'} {size}i".replace("-", "−")
