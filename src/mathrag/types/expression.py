"""The one formula tree: immutable nodes, the equations made of them, and what a reader gives back.

Knows structure only. Reading, printing, evaluating and solving live in `mathrag.compute`; nothing here computes.
Trees are built through the small functions at the end (`add`, `multiply`, ...), which keep one normal shape, so that
two readers of the same formula give equal trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias

# Real formulas stay far below these; what exceeds them is an attack or an accident.
MAXIMUM_DEPTH = 120
MAXIMUM_NODES = 20_000
MAXIMUM_DIGITS = 4_300  # what Python itself is willing to print

# name -> number of arguments (-1: one or more). Python's math functions plus abs, min, max, comb and mod.
FUNCTIONS: dict[str, int] = {
    **dict.fromkeys(
        ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"), 1
    ),
    **dict.fromkeys(("exp", "log", "log10", "log2", "sqrt", "cbrt", "abs", "floor", "ceil", "factorial"), 1),
    **dict.fromkeys(("erf", "erfc", "gamma", "lgamma"), 1),
    **dict.fromkeys(("atan2", "comb", "perm", "mod"), 2),
    **dict.fromkeys(("gcd", "lcm", "min", "max"), -1),
}


@dataclass(frozen=True, slots=True)
class Number:
    """A literal without a sign. Whole numbers are `int`; a `Decimal` keeps the digits as they were written."""

    value: int | Decimal

    def __post_init__(self) -> None:
        if self.value < 0:
            raise ValueError("a Number carries no sign; wrap it in Negate")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A variable, by its canonical name (an ASCII identifier such as `v_avg`, `Delta_x`, `Q_dot`)."""

    name: str

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise ValueError(f"not a symbol name: {self.name!r}")


@dataclass(frozen=True, slots=True)
class MathConstant:
    """A number that has a name: only pi. Euler's number is written as the function exp."""

    name: Literal["pi"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A number with a unit written inside a formula, such as 8.314 J/(mol K). The unit is text in canonical form."""

    number: Number
    unit: str


@dataclass(frozen=True, slots=True)
class Add:
    """A sum of two or more terms; a difference has a `Negate` among them."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Multiply:
    """A product of two or more factors."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Divide:
    """A quotient."""

    numerator: Expression
    denominator: Expression


@dataclass(frozen=True, slots=True)
class Negate:
    """The opposite of a value."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Power:
    """A base to an exponent."""

    base: Expression
    exponent: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """A known function applied to arguments. `log` is the natural logarithm, as in Python."""

    function: str
    arguments: tuple[Expression, ...]

    def __post_init__(self) -> None:
        arity = FUNCTIONS.get(self.function)
        if arity is None:
            raise ValueError(f"unknown function: {self.function!r}")
        if not self.arguments or (arity >= 0 and len(self.arguments) != arity):
            raise ValueError(f"{self.function} takes {arity} argument(s), not {len(self.arguments)}")


@dataclass(frozen=True, slots=True)
class Series:
    """A finite sum or product of `body` over the whole numbers `lower` to `upper`."""

    operation: Literal["sum", "product"]
    index: str
    lower: Expression
    upper: Expression
    body: Expression


@dataclass(frozen=True, slots=True)
class Comparison:
    """One relation between two expressions, used in conditions."""

    relation: Literal["<", "<=", ">", ">=", "=", "!="]
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Piecewise:
    """The value of the first branch whose comparisons all hold; `otherwise` when none does (None: undefined there)."""

    branches: tuple[tuple[Expression, tuple[Comparison, ...]], ...]
    otherwise: Expression | None = None


Expression: TypeAlias = (
    Number | Symbol | MathConstant | Measure | Add | Multiply | Divide | Negate | Power | Call | Series | Piecewise
)


@dataclass(frozen=True, slots=True)
class Condition:
    """Where a formula holds: comparisons that can be checked, or only the words of the source."""

    comparisons: tuple[Comparison, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Equation:
    """Two sides that are equal (`=`), nearly so (`≈`) or by definition (`≡`), and where that holds."""

    left: Expression
    right: Expression
    relation: Literal["=", "≈", "≡"] = "="
    conditions: tuple[Condition, ...] = ()

    @property
    def target(self) -> str | None:
        """The symbol the equation is written for: alone on one side and absent from the other."""
        for alone, other in ((self.left, self.right), (self.right, self.left)):
            if isinstance(alone, Symbol) and alone.name not in symbols_of(other):
                return alone.name
        return None


# The flag of a formula of which nobody states all the units that it holds for.
UNITS_TAKEN = "units_taken"


@dataclass(frozen=True, slots=True)
class Flag:
    """A choice the reader made where the notation allows another: what, in words, and where."""

    code: str
    message: str
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of a formula that name a symbol of it, and the unit in brackets behind them; empty where none stands.

    A symbol in letters with its unit behind it has that unit and no words.
    """

    name: str
    text: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A place where the notation alone allows two readings, and the one that was taken there.

    `letters`: side by side, one name or a product (`text` the letters). `call`: a parenthesis after a symbol, the value
    of a function or a factor (`text` the symbol, `inside` what is in it). `unit`: letters that spell a unit, or are
    factors (`text` the letters, `inside` the symbol or the number before them). `is_set` says that the author's type
    already speaks for one reading: letters in one token, a unit set apart from its number.
    """

    kind: Literal["letters", "call", "unit"]
    text: str
    taken: Literal["name", "product", "value", "unit"]
    inside: str = ""
    is_set: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader understood: equations, or one bare expression, with the choices it made."""

    source: str
    equations: tuple[Equation, ...] = ()
    expression: Expression | None = None
    conditions: tuple[Condition, ...] = ()
    flags: tuple[Flag, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    ambiguities: tuple[Ambiguity, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Declined:
    """A formula that was recognised as not computable, or not understood: why, and the place in the source."""

    source: str
    code: str
    reason: str
    position: int | None = None
    flags: tuple[Flag, ...] = field(default=(), compare=False)
    ambiguities: tuple[Ambiguity, ...] = field(default=(), compare=False)


def children(expression: Expression) -> tuple[Expression, ...]:
    """The direct parts of a node, in reading order, including those inside conditions."""
    match expression:
        case Number() | Symbol() | MathConstant() | Measure():
            return ()
        case Add(parts) | Multiply(parts) | Call(_, parts):
            return parts
        case Divide(first, second) | Power(first, second):
            return (first, second)
        case Negate(operand):
            return (operand,)
        case Series(_, _, lower, upper, body):
            return (lower, upper, body)
        case Piecewise(branches, otherwise):
            parts = tuple(
                part
                for value, comparisons in branches
                for part in (value, *(side for each in comparisons for side in (each.left, each.right)))
            )
            return parts if otherwise is None else (*parts, otherwise)


def walk(expression: Expression) -> Iterator[Expression]:
    """Every node, parents first, left to right. Iterative, so that depth costs no stack."""
    pending = [expression]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(children(node)))


def symbols_of(expression: Expression) -> tuple[str, ...]:
    """The free symbols in order of first appearance; the index of a sum is bound, not free."""
    found: dict[str, None] = {}
    # Hardly any formula has a sum: the names that one binds are only carried along below it.
    plain = [expression]
    while plain:
        node = plain.pop()
        if isinstance(node, Symbol):
            found[node.name] = None
        elif isinstance(node, Series):
            return _free_symbols(expression)
        elif not isinstance(node, Number):
            plain.extend(children(node)[::-1])
    return tuple(found)


def _free_symbols(expression: Expression) -> tuple[str, ...]:
    found: dict[str, None] = {}
    pending: list[tuple[Expression, frozenset[str]]] = [(expression, frozenset())]
    while pending:
        node, bound = pending.pop()
        if isinstance(node, Symbol):
            if node.name not in bound:
                found.setdefault(node.name)
        elif isinstance(node, Series):
            pending.append((node.body, bound | {node.index}))
            pending.append((node.upper, bound))
            pending.append((node.lower, bound))
        else:
            pending.extend((child, bound) for child in reversed(children(node)))
    return tuple(found)


def equation_symbols(equation: Equation) -> tuple[str, ...]:
    """The free symbols of both sides, in order of first appearance."""
    return tuple(dict.fromkeys((*symbols_of(equation.left), *symbols_of(equation.right))))


def size_of(expression: Expression) -> int:
    """The number of nodes."""
    return sum(1 for _ in walk(expression))


def depth_of(expression: Expression) -> int:
    """The longest path from the root to a leaf, counted in nodes."""
    deepest = 0
    pending = [(expression, 1)]
    while pending:
        node, depth = pending.pop()
        deepest = max(deepest, depth)
        pending.extend((child, depth + 1) for child in children(node))
    return deepest


ZERO = Number(0)
ONE = Number(1)
TWO = Number(2)
TEN = Number(10)
PI = MathConstant("pi")


def number(value: int | Decimal) -> Expression:
    """A literal with its sign taken out, so that -5 and "minus 5" are the same tree."""
    return Negate(Number(-value)) if value < 0 else Number(value)


def negate(operand: Expression) -> Expression:
    """The opposite; kept as written, even of an opposite."""
    return Negate(operand)


def add(*terms: Expression) -> Expression:
    """A flat sum: sums among the terms are opened. One term is itself, none is 0."""
    flat: list[Expression] = []
    for term in terms:
        flat.extend(term.terms if isinstance(term, Add) else (term,))
    return flat[0] if len(flat) == 1 else Add(tuple(flat)) if flat else ZERO


def subtract(left: Expression, right: Expression) -> Expression:
    """A difference, as a sum with an opposite."""
    return add(left, negate(right))


def _power_of_ten(expression: Expression) -> int | None:
    """The whole exponent when the expression is 10 to a literal whole power, as in 6.67 x 10^-11."""
    if not (isinstance(expression, Power) and expression.base == TEN):
        return None
    exponent, sign = expression.exponent, 1
    if isinstance(exponent, Negate):
        exponent, sign = exponent.operand, -1
    if isinstance(exponent, Number) and isinstance(exponent.value, int) and exponent.value <= 400:
        return sign * exponent.value
    return None


def multiply(*factors: Expression) -> Expression:
    """A flat product. A number followed by a power of ten is one literal: people write 6.67 x 10^-11 for 6.67e-11."""
    flat: list[Expression] = []
    for factor in factors:
        for part in factor.factors if isinstance(factor, Multiply) else (factor,):
            exponent = _power_of_ten(part) if flat and isinstance(flat[-1], Number) else None
            previous = flat[-1] if flat else None
            if exponent is not None and isinstance(previous, Number) and _has_no_exponent(previous.value):
                flat[-1] = Number(_scaled(previous.value, exponent))
            else:
                flat.append(part)
    return flat[0] if len(flat) == 1 else Multiply(tuple(flat)) if flat else ONE


def _has_no_exponent(value: int | Decimal) -> bool:
    """Only a plain mantissa takes a power of ten; 6e3 x 10^2 stays a product."""
    return isinstance(value, int) or "E" not in str(value)


def _scaled(value: int | Decimal, exponent: int) -> Decimal:
    sign, digits, shift = Decimal(value).as_tuple()
    assert isinstance(shift, int)
    return Decimal((sign, digits, shift + exponent))


def divide(numerator: Expression, denominator: Expression) -> Expression:
    """A quotient, as written."""
    return Divide(numerator, denominator)


def power(base: Expression, exponent: Expression) -> Expression:
    """A power, as written."""
    return Power(base, exponent)


def call(function: str, *arguments: Expression) -> Expression:
    """A known function applied to its arguments."""
    return Call(function, arguments)


# Replacing symbols in a tree. Bound indices are left alone.


def map_parts(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The same node over changed parts, in the shape it has; what has no parts is itself."""
    match expression:
        case Add(terms):
            return Add(tuple(map(change, terms)))
        case Multiply(factors):
            return Multiply(tuple(map(change, factors)))
        case Divide(numerator, denominator):
            return Divide(change(numerator), change(denominator))
        case Negate(operand):
            return Negate(change(operand))
        case Power(base, exponent):
            return Power(change(base), change(exponent))
        case Call(function, arguments):
            return Call(function, tuple(map(change, arguments)))
        case Series(operation, index, lower, upper, body):
            return Series(operation, index, change(lower), change(upper), change(body))
        case Piecewise(branches, otherwise):
            changed = tuple((change(value), _compared(tests, change)) for value, tests in branches)
            return Piecewise(changed, None if otherwise is None else change(otherwise))
        case _:
            return expression


def _compared(tests: tuple[Comparison, ...], change: Callable[[Expression], Expression]) -> tuple[Comparison, ...]:
    return tuple(Comparison(test.relation, change(test.left), change(test.right)) for test in tests)


def substitute(expression: Expression, values: Mapping[str, Expression]) -> Expression:
    """The tree with every free symbol of `values` replaced, all at once."""
    return map_symbols(expression, lambda name: values.get(name) or Symbol(name))


def map_symbols(expression: Expression, change: Callable[[str], Expression]) -> Expression:
    """The tree with every free symbol replaced by `change(name)`, in the normal shape that the builders keep."""
    match expression:
        case Symbol(name):
            return change(name)
        case Add(terms):
            return add(*(map_symbols(term, change) for term in terms))
        case Multiply(factors):
            return multiply(*(map_symbols(factor, change) for factor in factors))
        case Negate(operand):
            return negate(map_symbols(operand, change))
        case Series(operation, index, lower, upper, body):
            bounds = map_symbols(lower, change), map_symbols(upper, change)
            inner = map_symbols(body, lambda name: Symbol(name) if name == index else change(name))
            return Series(operation, index, *bounds, inner)
        case _:
            return map_parts(expression, lambda part: map_symbols(part, change))


def rename_symbols(expression: Expression, names: Mapping[str, str]) -> Expression:
    """The same tree, shape and all, with other names for its symbols."""
    match expression:
        case Symbol(name):
            return Symbol(names.get(name, name))
        case Series(operation, index, lower, upper, body):
            inner = {name: new for name, new in names.items() if name != index}
            bounds = rename_symbols(lower, names), rename_symbols(upper, names)
            return Series(operation, index, *bounds, rename_symbols(body, inner))
        case _:
            return map_parts(expression, lambda part: rename_symbols(part, names))


def rename_equation(equation: Equation, names: Mapping[str, str]) -> Equation:
    """The same equation with other names for its symbols; conditions, which speak of the old ones, are left out."""
    return Equation(rename_symbols(equation.left, names), rename_symbols(equation.right, names), equation.relation)
