"""Content MathML to the formula tree: here the source says what it means, so there is nothing to guess.

Derivatives, integrals, sets, vectors and functions we do not know are declined at their place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Literal, NoReturn, cast

from mathrag.compute.grammar import lone_symbol
from mathrag.compute.grammar.calculus import definite_integral
from mathrag.compute.mathml.elements import Element, Text
from mathrag.compute.mathml.presentation import notation_of
from mathrag.compute.statements import Relation, equations_of_chain
from mathrag.errors import ExpressionLimitError, FormulaError
from mathrag.types.expression import (
    FUNCTIONS,
    MAXIMUM_DIGITS,
    MAXIMUM_NODES,
    ONE,
    PI,
    TEN,
    TWO,
    Comparison,
    Condition,
    Equation,
    Expression,
    Flag,
    Number,
    Piecewise,
    Reading,
    Series,
    Symbol,
    add,
    call,
    divide,
    multiply,
    negate,
    number,
    power,
    size_of,
    subtract,
)
from mathrag.types.symbol_names import join_name, split_name

# Numbers and symbols of content MathML: `<cn>` with its types, `<ci>` with text or presentation inside.

_DECIMAL = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_WITH_EXPONENT = re.compile(rf"({_DECIMAL.pattern})[eE]([-+]?[0-9]{{1,4}})")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*_?")
_LARGEST_EXPONENT = 400


def number_of(element: Element) -> Expression:
    """The number of a `<cn>`."""
    parts = _parts(element)
    kind = element.attribute("type").lower() or "real"
    if kind == "constant":
        return _constant_number(parts[0], element)
    if kind in {"rational", "e-notation"} and len(parts) == 2:
        first = _literal(parts[0], element)
        if kind == "rational":
            return divide(first, _literal(parts[1], element))
        return _scaled(parts[0], parts[1], element)
    if len(parts) != 1 or kind not in {"real", "integer", "double", "rational", "e-notation"}:
        raise FormulaError("number", f"numbers of type {kind[:20]!r} are not read", position=element.position)
    if element.attribute("base") not in {"", "10"}:
        return _in_base(parts[0], element)
    exponential = _WITH_EXPONENT.fullmatch(parts[0])
    if exponential and kind != "integer":
        return _scaled(exponential.group(1), exponential.group(2), element)
    return _literal(parts[0], element)


def _parts(element: Element) -> list[str]:
    """The texts between the `<sep/>` elements."""
    parts = [""]
    for child in element.children:
        if isinstance(child, Text):
            parts[-1] += child.value
        elif child.name == "sep":
            parts.append("")
        else:
            raise FormulaError("number", f"<{child.name}> cannot stand inside a number", position=child.position)
    return ["".join(part.split()).replace("−", "-") for part in parts]


def _literal(text: str, element: Element) -> Expression:
    if len(text) > MAXIMUM_DIGITS:
        raise ExpressionLimitError(f"a number of more than {MAXIMUM_DIGITS:,} digits", position=element.position)
    if not _DECIMAL.fullmatch(text):
        raise FormulaError("number", f"{text[:20]!r} is no number", position=element.position)
    digits = text.lstrip("+-")
    value = number(int(digits) if digits.isdigit() else Decimal(digits))
    return negate(value) if text.startswith("-") else value


def _scaled(mantissa: str, exponent: str, element: Element) -> Expression:
    if not re.fullmatch(r"[-+]?[0-9]{1,4}", exponent) or abs(int(exponent)) > _LARGEST_EXPONENT:
        raise FormulaError("number", f"{exponent[:20]!r} is no exponent", position=element.position)
    size = multiply(_literal(mantissa.lstrip("+-"), element), power(TEN, number(int(exponent))))
    return negate(size) if mantissa.startswith("-") else size


def _in_base(text: str, element: Element) -> Expression:
    base = element.attribute("base")
    try:
        value = int(text, int(base)) if len(text) <= 1000 else None
    except ValueError:
        value = None
    if value is None or "_" in text or int(base) == 0:
        raise FormulaError("number", f"{text[:20]!r} is no whole number in base {base[:5]}", position=element.position)
    return number(value)


def _constant_number(text: str, element: Element) -> Expression:
    if text in {"π", "pi"}:
        return PI
    if text in {"ⅇ", "e"}:
        return call("exp", number(1))
    raise FormulaError("number", f"the constant {text[:20]!r} is not read", position=element.position)


def symbol_of(element: Element) -> Symbol:
    """The symbol of a `<ci>` (or of the `<bvar>` content): its text, or the presentation it holds."""
    if element.name not in {"ci", "csymbol"}:
        raise FormulaError("symbol", f"<{element.name}> stands where a symbol is needed", position=element.position)
    text = element.text.strip()
    if not element.elements and _NAME.fullmatch(text) and len(text) <= 80:
        return Symbol(join_name(split_name(text)))
    inside = element.elements or (Element("mi", element.position, {}, element.children),)
    row = notation_of(Element("math", element.position, {}, inside))
    symbol = lone_symbol(row, element.position)
    if symbol is None:
        raise FormulaError("symbol", "this is not the name of a symbol", position=element.position)
    return symbol


# The names content MathML has for operations, and what each is in the tree. Tables only.

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

_QUALIFIERS = frozenset(
    ("bvar", "lowlimit", "uplimit", "degree", "logbase", "condition", "domainofapplication", "momentabout")
)
_THREE = Number(3)

_Relation = Literal["<", "<=", ">", ">=", "=", "!="]


def is_content(element: Element) -> bool:
    """Whether a `<math>` holds content MathML, looking through `<semantics>` and groups."""
    while element.name in {"math", "semantics", "mrow", "mstyle"} and element.elements:
        element = element.elements[0]
    return element.name in CONTENT_ELEMENTS


def read_content(element: Element, source: str) -> Reading:
    """What a content `<math>` states: equations, a condition, or one expression."""
    element = _sole(element)
    equations: list[Equation] = []
    comparisons: list[Comparison] = []
    expression: Expression | None = None
    is_statement = False
    for part in _joined_statements(element):
        operator = _operator(part) if part.name in {"apply", "reln"} else ""
        is_statement = is_statement or operator in EQUALITIES or operator in COMPARISONS
        if operator in EQUALITIES:
            equations.extend(_equations(part, operator))
        elif is_statement:
            comparisons.extend(_comparisons(part))
        else:
            expression = _expression(part)
    sides = [side for each in equations for side in (each.left, each.right)]
    if sum(map(size_of, [*sides, *([expression] if expression is not None else [])])) > MAXIMUM_NODES:
        raise ExpressionLimitError(f"a formula of more than {MAXIMUM_NODES:,} parts", position=element.position)
    conditions = (Condition(tuple(comparisons)),) if comparisons else ()
    return Reading(source, tuple(equations), expression, conditions, _flags(element))


def _joined_statements(element: Element) -> list[Element]:
    """The parts of an `and` of equations and comparisons; anything else stands alone."""
    if element.name in {"apply", "reln"} and _operator(element) == "and":
        parts = [_sole(each) for each in _arguments(element)]
        if parts and all(each.name in {"apply", "reln"} and _is_relation(_operator(each)) for each in parts):
            return parts
    return [element]


def _is_relation(operator: str) -> bool:
    return operator in EQUALITIES or operator in COMPARISONS


def _equations(element: Element, operator: str) -> tuple[Equation, ...]:
    arguments = _arguments(element)
    if len(arguments) < 2:
        _refuse("structure", f"<{operator}> needs two sides", element)
    members = [_expression(each) for each in arguments]
    relation = cast("Relation", EQUALITIES[operator])
    return equations_of_chain(members, [relation] * (len(members) - 1))


def _flags(element: Element) -> tuple[Flag, ...]:
    """Whole-number division differs between conventions once a number is negative."""
    pending = [element]
    while pending:
        current = pending.pop()
        if current.name in {"rem", "quotient"}:
            message = "whole-number division is read for positive numbers; with negative ones conventions differ"
            return (Flag("integer_division", message, current.position),)
        pending.extend(reversed(current.elements))
    return ()


def _refuse(code: str, reason: str, element: Element) -> NoReturn:
    raise FormulaError(code, reason, position=element.position)


def _sole(element: Element) -> Element:
    """What stands inside `<math>`, groups and `<semantics>`; more than one thing there is a mistake."""
    while element.name in {"math", "semantics", "mrow", "mstyle"}:
        inside = [each for each in element.elements if each.name not in {"annotation", "annotation-xml"}]
        if len(inside) != 1:
            _refuse(
                "structure",
                f"<{element.name}> holds {len(inside)} formulas; give one",
                inside[1] if inside else element,
            )
        element = inside[0]
    return element


def _operator(element: Element) -> str:
    """The name of what is applied; strict symbols by their text, so that both dialects read alike."""
    if not element.elements:
        _refuse("structure", f"<{element.name}> is empty", element)
    head = element.elements[0]
    if head.name == "csymbol":
        name = head.text.strip()
        return STRICT_NAMES.get(name, name)
    return head.name


def _arguments(element: Element) -> list[Element]:
    for child in element.children:
        if isinstance(child, Text) and child.value.strip():
            raise FormulaError(
                "stray_text", f"{child.value.strip()[:20]!r} stands outside any element", position=child.position
            )
    return [each for each in element.elements[1:] if each.name not in _QUALIFIERS]


def _qualifier(element: Element, name: str) -> Element | None:
    """The content of a qualifier such as `<degree>`."""
    found = [each for each in element.elements[1:] if each.name == name]
    if len(found) > 1:
        _refuse("structure", f"several <{name}>", found[1])
    if not found:
        return None
    if len(found[0].elements) != 1:
        _refuse("structure", f"<{name}> needs one element inside", found[0])
    return found[0].elements[0]


def _expression(element: Element) -> Expression:
    element = _sole(element)
    match element.name:
        case "cn":
            return number_of(element)
        case "ci":
            symbol = symbol_of(element)
            return PI if symbol.name == "pi" else symbol
        case "pi":
            return PI
        case "exponentiale":
            return call("exp", ONE)
        case "csymbol":
            return _constant(element)
        case "piecewise":
            return _piecewise(element)
        case "apply" | "reln":
            return _apply(element)
    code, reason = DECLINED.get(element.name, ("element", f"<{element.name}> is not something I can compute"))
    _refuse(code, reason, element)


def _constant(element: Element) -> Expression:
    name = element.text.strip()
    if name == "pi":
        return PI
    if name == "e" and element.attribute("cd") == "nums1":
        return call("exp", ONE)
    if element.attribute("cd"):
        _refuse(
            "unknown_function", f"the symbol {name[:20]!r} of a content dictionary is not one I can compute", element
        )
    return symbol_of(element)


def _apply(element: Element) -> Expression:
    operator = _operator(element)
    arguments = _arguments(element)
    if operator in {"sum", "product", "int"}:
        return _bounded(element, operator, arguments)
    if operator in DECLINED:
        code, reason = DECLINED[operator]
        _refuse(code, reason, element.elements[0])
    if _is_relation(operator):
        _refuse("relation", "a relation stands where a number is needed", element)
    if any(each.name in {"bvar", "condition", "domainofapplication"} for each in element.elements):
        _refuse("structure", f"<{operator}> with bound variables is not something I can compute", element)
    build = _BUILDERS.get(operator)
    if build is None:
        head = element.elements[0]
        if head.name not in {"ci", "csymbol"}:
            _refuse("element", f"<{head.name}> is not something I can compute", head)
        _refuse("unknown_function", f"{head.text.strip()[:20] or 'this'!r} is not a function I know", head)
    least, most = _ARITY.get(operator, (1, 1))
    if not least <= len(arguments) <= most:
        _refuse("structure", f"<{operator}> cannot take {len(arguments)} arguments", element)
    is_strict = element.elements[0].name == "csymbol"
    if operator == "root":
        return _root(element, arguments, is_strict=is_strict)
    if operator == "log":
        return _logarithm(element, arguments, is_strict=is_strict)
    if operator == "power" and arguments[0].name == "exponentiale":
        return call("exp", _expression(arguments[1]))
    return build([_expression(each) for each in arguments])


def _root(element: Element, arguments: list[Element], *, is_strict: bool) -> Expression:
    degree = _qualifier(element, "degree")
    if is_strict and len(arguments) == 2:
        degree = arguments.pop()
    if len(arguments) != 1:
        _refuse("structure", "<root> needs one argument", element)
    body = _expression(arguments[0])
    order = _expression(degree) if degree is not None else TWO
    if order == TWO:
        return call("sqrt", body)
    return call("cbrt", body) if order == _THREE else power(body, divide(ONE, order))


def _logarithm(element: Element, arguments: list[Element], *, is_strict: bool) -> Expression:
    """Without a base content MathML means 10, unlike print, where it is a guess."""
    base_element = _qualifier(element, "logbase")
    if is_strict and len(arguments) == 2:
        base_element = arguments.pop(0)
    if len(arguments) != 1:
        _refuse("structure", "<log> needs one argument", element)
    body = _expression(arguments[0])
    base = _expression(base_element) if base_element is not None else TEN
    if base == call("exp", ONE):
        return call("log", body)
    if base in (TEN, TWO):
        return call("log10" if base == TEN else "log2", body)
    return divide(call("log", body), call("log", base))


def _bounded(element: Element, operator: str, arguments: list[Element]) -> Expression:
    """A sum, product or integral between bounds."""
    index, lower, upper = (_qualifier(element, name) for name in ("bvar", "lowlimit", "uplimit"))
    if lower is None and upper is None and len(arguments) == 2 and arguments[0].name == "interval":
        ends = arguments[0].elements
        lower, upper = (ends[0], ends[1]) if len(ends) == 2 else (None, None)
        arguments = arguments[1:]
    if index is None or lower is None or upper is None or len(arguments) != 1:
        code = "integral" if operator == "int" else "open_sum"
        _refuse(code, "the variable or the bounds are not written", element)
    variable, body = symbol_of(index).name, _expression(arguments[0])
    bounds = _expression(lower), _expression(upper)
    if operator == "int":
        closed = definite_integral(body, variable, lower=bounds[0], upper=bounds[1])
        return closed if closed is not None else _refuse("integral", "this integral has no closed form I know", element)
    return Series("sum" if operator == "sum" else "product", variable, *bounds, body)


def _piecewise(element: Element) -> Expression:
    branches: list[tuple[Expression, tuple[Comparison, ...]]] = []
    otherwise: Expression | None = None
    for part in element.elements:
        inside = part.elements
        if part.name == "piece" and len(inside) == 2:
            branches.append((_expression(inside[0]), _comparisons(inside[1])))
        elif part.name == "otherwise" and len(inside) == 1 and otherwise is None:
            otherwise = _expression(inside[0])
        else:
            _refuse("structure", f"<{part.name}> is not a complete part of <piecewise>", part)
    if not branches:
        _refuse("structure", "<piecewise> has no pieces", element)
    return Piecewise(tuple(branches), otherwise)


def _comparisons(element: Element) -> tuple[Comparison, ...]:
    """A condition: one relation, a chain of them, or several joined by `and`."""
    element = _sole(element)
    operator = _operator(element) if element.name in {"apply", "reln"} else ""
    arguments = _arguments(element) if operator else []
    if operator == "and" and arguments:
        return tuple(each for part in arguments for each in _comparisons(part))
    relation = "=" if operator == "eq" else COMPARISONS.get(operator)
    if relation is None or len(arguments) < 2 or (operator == "neq" and len(arguments) > 2):
        _refuse("condition", "this condition is not a comparison", element)
    sides = [_expression(each) for each in arguments]
    return tuple(Comparison(cast("_Relation", relation), left, right) for left, right in pairwise(sides))


def _reciprocal(function: str) -> Callable[[Sequence[Expression]], Expression]:
    return lambda arguments: divide(ONE, call(function, arguments[0]))


def _of_reciprocal(function: str) -> Callable[[Sequence[Expression]], Expression]:
    return lambda arguments: call(function, divide(ONE, arguments[0]))


def _called(function: str) -> Callable[[Sequence[Expression]], Expression]:
    return lambda arguments: call(function, *arguments)


_BUILDERS: dict[str, Callable[[Sequence[Expression]], Expression]] = {
    **{name: _called(function) for name, function in CALLS.items()},
    **{name: _reciprocal(function) for name, function in RECIPROCALS.items()},
    **{name: _of_reciprocal(function) for name, function in INVERSE_RECIPROCALS.items()},
    "plus": lambda arguments: add(*arguments),
    "times": lambda arguments: multiply(*arguments),
    "minus": lambda arguments: subtract(*arguments) if len(arguments) == 2 else negate(arguments[0]),
    "unary_minus": lambda arguments: negate(arguments[0]),
    "divide": lambda arguments: divide(*arguments),
    "power": lambda arguments: power(*arguments),
    "quotient": lambda arguments: call("floor", divide(*arguments)),
    # Replaced where they are applied, since their qualifiers come as elements.
    "root": lambda arguments: call("sqrt", arguments[0]),
    "log": lambda arguments: call("log10", arguments[0]),
}
_MANY = 10_000
_ARITY: dict[str, tuple[int, int]] = {
    **{name: (FUNCTIONS[function], FUNCTIONS[function]) for name, function in CALLS.items() if FUNCTIONS[function] > 0},
    **{name: (1, _MANY) for name, function in CALLS.items() if FUNCTIONS[function] < 0},
    **dict.fromkeys(("plus", "times"), (1, _MANY)),
    **dict.fromkeys(("divide", "power", "quotient"), (2, 2)),
    **dict.fromkeys(("minus", "root", "log"), (1, 2)),
}
