"""Between the formulas that the calculator computes and statements: what both can say goes over, in both directions.

From a formula the names of the concepts it uses can be told (`names_used`), and it can be tried at points like any
statement. Most statements say more than a formula can; then there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from mathrag.types.expression import (
    FUNCTIONS,
    ONE,
    PI,
    TWO,
    ZERO,
    Add,
    Call,
    Comparison,
    Divide,
    Equation,
    Expression,
    MathConstant,
    Measure,
    Multiply,
    Negate,
    Number,
    Piecewise,
    Power,
    Series,
    Symbol,
    add,
    call,
    divide,
    multiply,
    negate,
    number,
    power,
    subtract,
)
from mathrag.types.statement import (
    Application,
    Binding,
    DictionaryName,
    Literal,
    Quoted,
    StatementTree,
    Variable,
)

_RELATIONS = {"=": "eq", "!=": "neq", "<": "lt", ">": "gt", "<=": "leq", ">=": "geq"}
_UNARY = {
    **{name: f"transc1:{name}" for name in ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{f"a{name}": f"transc1:arc{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    "log": "transc1:ln",
    "abs": "arith1:abs",
    "floor": "rounding1:floor",
    "ceil": "rounding1:ceiling",
    "factorial": "integer1:factorial",
}
_SEVERAL = {"gcd": "arith1:gcd", "lcm": "arith1:lcm", "comb": "combinat1:binomial"}
# What no dictionary defines just so has a name of our own, which nothing computes.
_OWN = "mathrag"


def _apply(full: str, *arguments: StatementTree) -> StatementTree:
    dictionary, _, symbol = full.partition(":")
    return Application(DictionaryName(dictionary, symbol), arguments)


def statement_of(equation: Equation) -> StatementTree:
    """An equation as a statement; its conditions, where they can be checked, are supposed."""
    name = "relation1:approx" if equation.relation == "≈" else "relation1:eq"
    claim = _apply(name, statement_term(equation.left), statement_term(equation.right))
    tests = [_compared(each) for condition in equation.conditions for each in condition.comparisons]
    if not tests:
        return claim
    return _apply("logic1:implies", tests[0] if len(tests) == 1 else _apply("logic1:and", *tests), claim)


def _compared(test: Comparison) -> StatementTree:
    return _apply(f"relation1:{_RELATIONS[test.relation]}", statement_term(test.left), statement_term(test.right))


def statement_term(expression: Expression) -> StatementTree:
    """An expression as a term of a statement."""
    match expression:
        case Number(value):
            return Literal(value)
        case Symbol(name):
            return Variable(name)
        case MathConstant():
            return DictionaryName("nums1", "pi")
        case Measure(value, unit):
            return _apply(f"{_OWN}:measure", Literal(value.value), Quoted(unit))
        case Add((first, Negate(second))):
            return _apply("arith1:minus", statement_term(first), statement_term(second))
        case Add(terms):
            return _apply("arith1:plus", *map(statement_term, terms))
        case Multiply(factors):
            return _apply("arith1:times", *map(statement_term, factors))
        case Divide(above, below):
            return _apply("arith1:divide", statement_term(above), statement_term(below))
        case Negate(operand):
            return _apply("arith1:unary_minus", statement_term(operand))
        case Power(base, exponent):
            return _apply("arith1:power", statement_term(base), statement_term(exponent))
        case Call(function, arguments):
            return _called(function, tuple(map(statement_term, arguments)))
        case Series():
            return _series(expression)
        case Piecewise():
            return _piecewise(expression)
    assert_never(expression)


def _piecewise(expression: Piecewise) -> StatementTree:
    pieces = [
        _apply("piece1:piece", statement_term(value), _apply("logic1:and", *map(_compared, tests)))
        for value, tests in expression.branches
    ]
    if expression.otherwise is not None:
        pieces.append(_apply("piece1:otherwise", statement_term(expression.otherwise)))
    return _apply("piece1:piecewise", *pieces)


def _called(function: str, arguments: tuple[StatementTree, ...]) -> StatementTree:
    if function in _UNARY:
        return _apply(_UNARY[function], *arguments)
    if function in _SEVERAL:
        return _apply(_SEVERAL[function], *arguments)
    match function:
        case "sqrt":
            return _apply("arith1:root", arguments[0], Literal(2))
        case "log10" | "log2":
            return _apply("transc1:log", Literal(10 if function == "log10" else 2), arguments[0])
        case "min" | "max":
            return _apply(f"minmax1:{function}", _apply("set1:set", *arguments))
        case "atan2":
            return _apply("transc2:arctan", arguments[1], arguments[0])
        case _:
            return _apply(f"{_OWN}:{function}", *arguments)


def _series(series: Series) -> StatementTree:
    domain = _apply("interval1:integer_interval", statement_term(series.lower), statement_term(series.upper))
    body = Binding(DictionaryName("fns1", "lambda"), (Variable(series.index),), statement_term(series.body))
    return _apply(f"arith1:{series.operation}", domain, body)


# And back.

_FROM_UNARY = {name: function for function, name in _UNARY.items()}
_FROM_SEVERAL = {name: function for function, name in _SEVERAL.items()}
_CONSTANTS: dict[str, Expression] = {
    "alg1:zero": ZERO,
    "alg1:one": ONE,
    "nums1:pi": PI,
    "nums1:e": call("exp", ONE),
}
_BUILDERS: dict[tuple[str, int], Callable[..., Expression]] = {
    ("arith1:minus", 2): subtract,
    ("arith1:unary_minus", 1): negate,
    ("arith1:divide", 2): divide,
    ("nums1:rational", 2): divide,
    ("arith1:power", 2): power,
    ("arith1:root", 2): lambda value, degree: (
        call("sqrt", value) if degree == TWO else power(value, divide(ONE, degree))
    ),
    ("transc1:log", 2): lambda base, value: divide(call("log", value), call("log", base)),
    ("transc2:arctan", 2): lambda across, up: call("atan2", up, across),
    ("transc1:sec", 1): lambda value: divide(ONE, call("cos", value)),
    ("transc1:csc", 1): lambda value: divide(ONE, call("sin", value)),
    ("transc1:cot", 1): lambda value: divide(ONE, call("tan", value)),
}


def equation_of(tree: StatementTree) -> Equation | None:
    """The equation that a statement is, apart from what it is for all of; None where it is none."""
    while isinstance(tree, Binding) and tree.binder == DictionaryName("quant1", "forall"):
        tree = tree.body
    match tree:
        case Application(DictionaryName("relation1", "eq"), (left, right)):
            first, second = expression_of(left), expression_of(right)
            return Equation(first, second) if first is not None and second is not None else None
        case _:
            return None


def expression_of(tree: StatementTree) -> Expression | None:
    """The expression of the calculator that a term is; None where it says more than one can."""
    match tree:
        case Literal(value) if value == value and abs(value) != float("inf"):
            return number(value)
        case Variable(name) if name.isidentifier() and name.isascii():
            return Symbol(name)
        case DictionaryName():
            return _CONSTANTS.get(tree.full)
        case Application(DictionaryName("arith1", "sum" | "product" as operation), arguments):
            return _series_of(operation, arguments)
        case Application(DictionaryName() as head, arguments):
            parts = [expression_of(each) for each in arguments]
            found = [each for each in parts if each is not None]
            return _built(head.full, found) if found and len(found) == len(parts) else None
        case _:
            return None


def _built(full: str, parts: list[Expression]) -> Expression | None:
    if (full, len(parts)) in _BUILDERS:
        return _BUILDERS[full, len(parts)](*parts)
    if full == "arith1:plus":
        return add(*parts)
    if full in ("arith1:times", "arith2:times"):
        return multiply(*parts)
    function = _FROM_UNARY.get(full) if len(parts) == 1 else _FROM_SEVERAL.get(full)
    if function is None or FUNCTIONS[function] not in (-1, len(parts)):
        return None
    return call(function, *parts)


def _series_of(operation: str, arguments: tuple[StatementTree, ...]) -> Expression | None:
    match arguments:
        case (
            Application(DictionaryName("interval1", "integer_interval"), (lower, upper)),
            Binding(DictionaryName("fns1", "lambda"), (Variable(index),), body),
        ) if index.isidentifier() and index.isascii():
            parts = [expression_of(each) for each in (lower, upper, body)]
            first, last, term = parts
            if first is None or last is None or term is None:
                return None
            return Series("sum" if operation == "sum" else "product", index, first, last, term)
        case _:
            return None
