"""The names content MathML has for operations, and what each is in the tree. Tables only."""

from __future__ import annotations

_INVERSE_PREFIX = ("arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh")

# Functions of the tree under their own or another name.
CALLS: dict[str, str] = {
    **{name: name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "abs", "floor", "factorial")},
    **{name: f"a{name[3:]}" for name in _INVERSE_PREFIX},
    **{name: name for name in ("min", "max", "gcd", "lcm")},
    "ceiling": "ceil",
    "ln": "log",
    "rem": "mod",
    "binomial": "comb",
}
RECIPROCALS = {"sec": "cos", "csc": "sin", "cot": "tan", "sech": "cosh", "csch": "sinh", "coth": "tanh"}
INVERSE_RECIPROCALS = {
    "arcsec": "acos",
    "arccsc": "asin",
    "arccot": "atan",
    "arcsech": "acosh",
    "arccsch": "asinh",
    "arccoth": "atanh",
}
EQUALITIES = {"eq": "=", "approx": "≈", "equivalent": "≡"}
COMPARISONS = {"lt": "<", "leq": "<=", "gt": ">", "geq": ">=", "neq": "!="}

# Strict content MathML names a few operations differently.
STRICT_NAMES = {"remainder": "rem", "ceil": "ceiling"}

_NOT_COMPUTED: dict[str, tuple[str, tuple[str, ...]]] = {
    "derivative": ("a derivative has no value here", ("diff", "partialdiff")),
    "integral": ("an integral without bounds has no value", ("int", "defint")),
    "vector_calculus": (
        "a gradient, divergence or curl has no value here",
        ("grad", "divergence", "curl", "laplacian"),
    ),
    "vector_product": (
        "a product of vectors has no scalar reading",
        ("vectorproduct", "scalarproduct", "outerproduct"),
    ),
    "matrix": (
        "a matrix or vector is no number",
        ("matrix", "vector", "matrixrow", "determinant", "transpose", "selector"),
    ),
    "set_notation": (
        "sets have no value here",
        (
            *("set", "list", "interval", "union", "intersect", "in", "notin", "subset", "prsubset", "notsubset"),
            *("notprsubset", "setdiff", "card", "cartesianproduct", "emptyset", "reals", "integers", "rationals"),
            *("naturalnumbers", "complexes", "primes"),
        ),
    ),
    "logic": (
        "a logical statement has no value here",
        ("and", "or", "xor", "not", "implies", "forall", "exists", "true", "false"),
    ),
    "limit": ("a limit has no closed value here", ("limit", "tendsto")),
    "infinite": ("infinity is no number", ("infinity", "notanumber")),
    "complex": (
        "complex numbers are not computed",
        ("imaginaryi", "real", "imaginary", "arg", "conjugate", "complex_cartesian"),
    ),
    "unknown_function": (
        "a function made on the spot is not computed",
        ("lambda", "compose", "inverse", "ident", "domain", "codomain", "image", "fn", "bind", "declare", "eulergamma"),
    ),
    "statistic_operator": (
        "a statistic of data has no value here",
        ("mean", "sdev", "variance", "median", "mode", "moment"),
    ),
    "relation": ("divisibility is no value", ("factorof",)),
    "merror": ("the source marks this formula as an error", ("cerror",)),
}
DECLINED: dict[str, tuple[str, str]] = {
    name: (code, reason) for code, (reason, names) in _NOT_COMPUTED.items() for name in names
}

CONTENT_ELEMENTS = frozenset(
    (
        *("apply", "reln", "cn", "ci", "csymbol", "piecewise", "pi", "exponentiale", "sum", "product", "cs", "cbytes"),
        *DECLINED,
    )
)
