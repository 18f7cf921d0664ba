"""Content MathML to the formula tree: here the source says what it means, so there is nothing to guess.

Derivatives, integrals, sets, vectors and functions we do not know are declined at their place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal, NoReturn, cast

from mathrag.compute.grammar.integrals import definite_integral
from mathrag.compute.mathml import operators as table
from mathrag.compute.mathml.content_tokens import number_of, symbol_of
from mathrag.compute.mathml.elements import Element, Text
from mathrag.compute.statements import Relation, equations_of_chain
from mathrag.errors import ExpressionLimitError, FormulaError
from mathrag.types.expression import (
    FUNCTIONS,
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
    add,
    call,
    divide,
    multiply,
    negate,
    power,
    size_of,
    subtract,
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
    return element.name in table.CONTENT_ELEMENTS


def read_content(element: Element, source: str) -> Reading:
    """What a content `<math>` states: equations, a condition, or one expression."""
    element = _sole(element)
    equations: list[Equation] = []
    comparisons: list[Comparison] = []
    expression: Expression | None = None
    is_statement = False
    for part in _joined_statements(element):
        operator = _operator(part) if part.name in {"apply", "reln"} else ""
        is_statement = is_statement or operator in table.EQUALITIES or operator in table.COMPARISONS
        if operator in table.EQUALITIES:
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
    return operator in table.EQUALITIES or operator in table.COMPARISONS


def _equations(element: Element, operator: str) -> tuple[Equation, ...]:
    arguments = _arguments(element)
    if len(arguments) < 2:
        _refuse("structure", f"<{operator}> needs two sides", element)
    members = [_expression(each) for each in arguments]
    relation = cast("Relation", table.EQUALITIES[operator])
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
        return table.STRICT_NAMES.get(name, name)
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
    code, reason = table.DECLINED.get(element.name, ("element", f"<{element.name}> is not something I can compute"))
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
    if operator in table.DECLINED:
        code, reason = table.DECLINED[operator]
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
    relation = "=" if operator == "eq" else table.COMPARISONS.get(operator)
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
    **{name: _called(function) for name, function in table.CALLS.items()},
    **{name: _reciprocal(function) for name, function in table.RECIPROCALS.items()},
    **{name: _of_reciprocal(function) for name, function in table.INVERSE_RECIPROCALS.items()},
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
    **{
        name: (FUNCTIONS[function], FUNCTIONS[function])
        for name, function in table.CALLS.items()
        if FUNCTIONS[function] > 0
    },
    **{name: (1, _MANY) for name, function in table.CALLS.items() if FUNCTIONS[function] < 0},
    **dict.fromkeys(("plus", "times"), (1, _MANY)),
    **dict.fromkeys(("divide", "power", "quotient"), (2, 2)),
    **dict.fromkeys(("minus", "root", "log"), (1, 2)),
}
