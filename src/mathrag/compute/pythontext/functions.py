"""The functions Python-like text may call: those of the tree, their other spellings, and ones made of several nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mathrag.types.expression import (
    FUNCTIONS,
    ONE,
    PI,
    TEN,
    TWO,
    Expression,
    Number,
    add,
    call,
    divide,
    multiply,
    negate,
    power,
    subtract,
)

# Packages whose functions people write with a prefix; the prefix says nothing more.
PREFIXES = frozenset(("math", "np", "numpy", "sp", "sympy", "Math", "scipy", "cmath"))

# Names that are a function before a parenthesis and a symbol elsewhere.
SYMBOL_LIKE = frozenset(("gamma",))

_SPELLINGS = {
    "ln": "log",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "arsinh": "asinh",
    "arcosh": "acosh",
    "artanh": "atanh",
    "fabs": "abs",
    "absolute": "abs",
    "Abs": "abs",
    "ceiling": "ceil",
    "binomial": "comb",
    "binom": "comb",
    "choose": "comb",
    "nCr": "comb",
    "nPr": "perm",
    "Min": "min",
    "Max": "max",
    "minimum": "min",
    "maximum": "max",
    "gammaln": "lgamma",
    "loggamma": "lgamma",
    "Mod": "mod",
    "fact": "factorial",
}

_Builder = Callable[[Sequence[Expression]], Expression]


def _power_modulo(arguments: Sequence[Expression]) -> Expression:
    raised = power(arguments[0], arguments[1])
    return raised if len(arguments) == 2 else call("mod", raised, arguments[2])


def _logarithm(arguments: Sequence[Expression]) -> Expression:
    if len(arguments) == 1:
        return call("log", arguments[0])
    value, base = arguments
    if base == TEN:
        return call("log10", value)
    if base == TWO:
        return call("log2", value)
    return divide(call("log", value), call("log", base))


def _square_sum(arguments: Sequence[Expression]) -> Expression:
    return call("sqrt", add(*(power(each, TWO) for each in arguments)))


_HALF_TURN = Number(180)

# name -> fewest and most arguments, and what it means in the tree.
_COMPOSED: dict[str, tuple[int, int, _Builder]] = {
    "log": (1, 2, _logarithm),
    "pow": (2, 3, _power_modulo),
    "power": (2, 2, _power_modulo),
    "log1p": (1, 1, lambda a: call("log", add(ONE, a[0]))),
    "expm1": (1, 1, lambda a: subtract(call("exp", a[0]), ONE)),
    "exp2": (1, 1, lambda a: power(TWO, a[0])),
    "square": (1, 1, lambda a: power(a[0], TWO)),
    "hypot": (2, 8, _square_sum),
    "radians": (1, 1, lambda a: divide(multiply(a[0], PI), _HALF_TURN)),
    "deg2rad": (1, 1, lambda a: divide(multiply(a[0], PI), _HALF_TURN)),
    "degrees": (1, 1, lambda a: divide(multiply(a[0], _HALF_TURN), PI)),
    "rad2deg": (1, 1, lambda a: divide(multiply(a[0], _HALF_TURN), PI)),
    "sec": (1, 1, lambda a: divide(ONE, call("cos", a[0]))),
    "csc": (1, 1, lambda a: divide(ONE, call("sin", a[0]))),
    "cot": (1, 1, lambda a: divide(ONE, call("tan", a[0]))),
    "isqrt": (1, 1, lambda a: call("floor", call("sqrt", a[0]))),
    "neg": (1, 1, lambda a: negate(a[0])),
}

NAMES = frozenset((*FUNCTIONS, *_SPELLINGS, *_COMPOSED))


def build_call(name: str, arguments: Sequence[Expression]) -> Expression | str:
    """The tree of a call, or a sentence saying how many arguments the function takes."""
    composed = _COMPOSED.get(name)
    if composed is not None:
        fewest, most, build = composed
        if fewest <= len(arguments) <= most:
            return build(arguments)
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        return f"{name} takes {wanted} argument(s), not {len(arguments)}"
    function = _SPELLINGS.get(name, name)
    arity = FUNCTIONS[function]
    if not arguments or (arity >= 0 and len(arguments) != arity):
        return f"{name} takes {arity if arity >= 0 else 'one or more'} argument(s), not {len(arguments)}"
    return call(function, *arguments)
