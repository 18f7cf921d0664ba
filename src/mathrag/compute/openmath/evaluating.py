"""The value of a statement or a term at a point: logic here, everything else from tables of operations.

Quantifiers inside are decided by what can be gone through: a witness, a counterexample, or all members of a finite set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from itertools import product as combinations

from mathrag.compute.openmath import amounts, collections, functions, numbers, structures
from mathrag.compute.openmath.equality import Comparing
from mathrag.compute.openmath.numbers import Numbers
from mathrag.compute.openmath.values import (
    Amount,
    ExhaustedError,
    FiniteSet,
    Function,
    Infinite,
    Matrix,
    NotANumber,
    UncertainError,
    UndefinedError,
    UnsupportedError,
    UnwitnessedError,
    Value,
    Vector,
    WrongKindError,
    is_exact,
    sized,
)
from mathrag.types.quantity import DIMENSIONLESS
from mathrag.types.statement import (
    Application,
    Binding,
    DictionaryName,
    Literal,
    StatementTree,
    Variable,
    free_variables,
    walk_statement,
)

Environment = Mapping[str, Value]
_MOST_WITNESSES = 600
_LARGEST_POWER = 12
_COARSEST = Fraction(1, 200)
_QUANTIFIERS = frozenset(("quant1:forall", "quant1:exists"))
_NUMBER_OPERATIONS = numbers.OPERATIONS
_OPERATIONS = {**collections.OPERATIONS, **functions.OPERATIONS, **amounts.OPERATIONS, **structures.OPERATIONS}
_CONSTANTS: dict[str, Value] = {
    **collections.CONSTANTS,
    **amounts.PREFIXES,
    "alg1:zero": Fraction(0),
    "alg1:one": Fraction(1),
    "logic1:true": True,
    "logic1:false": False,
    "nums1:infinity": Infinite(1),
    "nums1:NaN": NotANumber(),
    **{f"limit1:{name}": name for name in ("above", "below", "both_sides", "null")},
}


def coarseness_of(tree: StatementTree) -> Fraction:
    """What the written decimals leave open, relatively: half a unit of the last digit of the coarsest. A decimal of a
    digit or two is taken as exact: nobody rounds to half."""
    literals = (node.value for node in walk_statement(tree) if isinstance(node, Literal))
    decimals = [value for value in literals if isinstance(value, Decimal) and value.is_finite() and value]
    found = [Fraction(1, 2 * _digits_as_number(each)) for each in decimals]
    return max((each for each in found if each <= _COARSEST), default=Fraction(0))


def _digits_as_number(value: Decimal) -> int:
    return max(1, int("".join(map(str, value.as_tuple().digits))))


class Evaluator:
    """Evaluates at one precision within a number of steps."""

    def __init__(self, digits: int, steps: int, *, coarseness: Fraction = Fraction(0)) -> None:
        self.numbers = Numbers(digits)
        self.comparing = Comparing(self.numbers, self.spend, coarseness)
        self.steps = steps

    def spend(self, steps: int = 1) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise ExhaustedError("it takes too long to compute")

    def truth(self, value: Value) -> bool:
        if not isinstance(value, bool):
            raise WrongKindError("a truth value is expected")
        return value

    def value(self, tree: StatementTree, environment: Environment) -> Value:
        self.spend()
        match tree:
            case Variable(name):
                if name not in environment:
                    raise UndefinedError(f"{name} has no value")
                return environment[name]
            case Literal(value):
                return _literal(value)
            case DictionaryName():
                return self._name(tree)
            case Application(DictionaryName() as head, arguments):
                return self._applied(head.full, arguments, environment)
            case Application(head, arguments):
                return self._called(self.value(head, environment), arguments, environment)
            case Binding():
                return self._bound(tree, environment)
            case _:
                raise UnsupportedError("there is text in it that means nothing to a calculator")

    def _name(self, name: DictionaryName) -> Value:
        full, context = name.full, self.numbers.context
        if full in _CONSTANTS:
            return _CONSTANTS[full]
        if full in amounts.AMOUNTS:
            return amounts.AMOUNTS[full]
        many = {"nums1:pi": context.pi, "nums1:e": context.e, "nums1:gamma": context.euler}
        if full in many:
            return many[full] + 0
        if full == "nums1:i":
            return context.mpc(0, 1)
        if full in _NUMBER_OPERATIONS or full in _OPERATIONS or full in _LAZY or full in _BASIC:
            return Function(lambda *values: self.operation(full, values), text=full)
        raise UnsupportedError(f"{full} is not something that is computed here")

    def _applied(self, full: str, arguments: tuple[StatementTree, ...], environment: Environment) -> Value:
        if full in _LAZY:
            return self._logic(full, arguments, environment)
        if full == "arith1:sum" and _is_endless(arguments):
            start = arguments[0].arguments[0]  # type: ignore[union-attr]
            return functions.endless_sum(self, self.value(start, environment), self.value(arguments[1], environment))
        return self.operation(full, tuple(self.value(each, environment) for each in arguments))

    def operation(self, full: str, values: tuple[Value, ...]) -> Value:
        """What a name gives at values."""
        self.spend()
        if full in _LAZY:
            return _connected(full, tuple(map(self.truth, values)))
        try:
            if full in _BASIC:
                return _BASIC[full](self, *values)
            if full in _NUMBER_OPERATIONS:
                return _NUMBER_OPERATIONS[full](self.numbers, *values)
            if full in _OPERATIONS:
                return _OPERATIONS[full](self, *values)
        except TypeError:
            raise WrongKindError(f"{full} is applied to what it does not take") from None
        except (ValueError, ZeroDivisionError, OverflowError):
            raise UndefinedError(f"{full} has no value there") from None
        raise UnsupportedError(f"{full} is not something that is computed here")

    def _called(self, function: Value, arguments: tuple[StatementTree, ...], environment: Environment) -> Value:
        if not isinstance(function, Function):
            raise WrongKindError("something is applied that is no function")
        values = [self.value(each, environment) for each in arguments]
        if function.domain is not None and len(values) == 1 and not self.comparing.contains(function.domain, values[0]):
            raise UndefinedError("an argument outside the domain of its function")
        try:
            return function.apply(*values)
        except TypeError:
            raise WrongKindError("a function is applied to what it does not take") from None

    def _bound(self, binding: Binding, environment: Environment) -> Value:
        full = binding.binder.full if isinstance(binding.binder, DictionaryName) else ""
        names = [each.name for each in binding.variables]
        if full == "fns1:lambda":
            if len(set(names)) != len(names):
                raise UndefinedError("a variable is bound twice")
            body = binding.body
            return Function(lambda *values: self.value(body, _extended(environment, names, values)))
        if full in _QUANTIFIERS:
            return self._quantified(binding, environment, is_universal=full == "quant1:forall")
        raise UnsupportedError(f"{full or 'a binder'} is not something that is computed here")

    def _logic(self, full: str, arguments: tuple[StatementTree, ...], environment: Environment) -> Value:
        """Connectives; once they are decided, what stands behind need not have a value."""
        if full == "logic1:implies" and len(arguments) == 2:
            return not self.truth(self.value(arguments[0], environment)) or self.truth(
                self.value(arguments[1], environment)
            )
        if full in ("logic1:and", "logic1:or"):
            deciding = full == "logic1:or"
            doubts: list[UncertainError | UndefinedError] = []
            for each in arguments:
                try:
                    if self.truth(self.value(each, environment)) is deciding:
                        return deciding
                except (UncertainError, UndefinedError) as doubt:
                    doubts.append(doubt)
            if doubts:
                raise doubts[0]
            return not deciding
        return _connected(full, tuple(self.truth(self.value(each, environment)) for each in arguments))

    # Quantifiers inside a statement.

    def _quantified(self, binding: Binding, environment: Environment, *, is_universal: bool) -> bool:
        """Whether the body holds for all, or for some: told by going through candidates."""
        names = [each.name for each in binding.variables]
        conditions, _ = conditions_and_claim(binding.body) if is_universal else (conjuncts(binding.body), None)
        choices, is_complete = self._candidates(names, conditions, environment)
        for place, name in enumerate(names):
            # What is put into a finite map ranges over its domain.
            domain = _domain_of_map(name, binding.body, environment)
            if domain is not None:
                choices[place] = list(domain.items)
        is_complete = is_complete or all(_domain_of_map(name, binding.body, environment) for name in names)
        deciding = not is_universal
        for count, values in enumerate(combinations(*choices)):
            if count > _MOST_WITNESSES:
                is_complete = False
                break
            extended = dict(environment)
            try:
                extended.update(zip(names, values, strict=True))
                if self.truth(self.value(binding.body, extended)) is deciding:
                    return deciding
            except (UndefinedError, UncertainError, WrongKindError):
                is_complete = False
        if not is_complete:
            raise UnwitnessedError("a quantifier inside it ranges over more than can be tried")
        return not deciding

    def _candidates(
        self, names: list[str], conditions: tuple[StatementTree, ...], environment: Environment
    ) -> tuple[list[list[Value]], bool]:
        """Values to try for each variable, and whether they are all there are."""
        choices, is_complete = [], True
        for name in names:
            known = self._given_values(name, names, conditions, environment)
            is_complete = is_complete and known is not None
            choices.append(list(known) if known is not None else list(self._likely(environment)))
        return choices, is_complete

    def _given_values(
        self, name: str, names: list[str], conditions: tuple[StatementTree, ...], environment: Environment
    ) -> tuple[Value, ...] | None:
        """All values that the conditions allow, where they say which: members of a finite set, or the only solution."""
        for condition in conditions:
            match condition:
                case Application(DictionaryName("set1", "in"), (Variable(variable), domain)) if variable == name:
                    if set(names) & set(free_variables(domain)):
                        continue
                    try:
                        found = self.value(domain, environment)
                    except (UndefinedError, UncertainError, WrongKindError):
                        continue
                    if isinstance(found, FiniteSet):
                        return found.items
                case Application(DictionaryName("relation1", "eq"), (left, right)):
                    for alone, other in ((left, right), (right, left)):
                        if alone == Variable(name) and not set(names) & set(free_variables(other)):
                            try:
                                return (self.value(other, environment),)
                            except (UndefinedError, UncertainError):
                                return None
        return None

    def _likely(self, environment: Environment) -> Iterator[Value]:
        """Values that witnesses often have: small ones, and what can be made of the values at hand."""
        present = [value for value in environment.values() if self.numbers.is_number(value)]
        for value in present:
            if is_exact(value):
                yield from (Fraction(value.numerator), Fraction(value.denominator), value, value + 1, value - 1, -value)
            else:
                yield from (self.numbers.context.re(value), self.numbers.context.im(value), value)
        yield from ((first + second) / 2 for first, second in pairwise(present))
        yield from (Fraction(each) for each in (0, 1, 2, -1))
        yield from (True, False)


def _domain_of_map(name: str, body: StatementTree, environment: Environment) -> FiniteSet | None:
    for node in walk_statement(body):
        match node:
            case Application(Variable(head), (Variable(argument),)) if argument == name:
                function = environment.get(head)
                if isinstance(function, Function) and function.domain is not None:
                    return function.domain
    return None


def _extended(environment: Environment, names: list[str], values: tuple[Value, ...]) -> Environment:
    if len(names) != len(values):
        raise WrongKindError("a function is applied to another number of arguments")
    return {**environment, **dict(zip(names, values, strict=True))}


def _is_endless(arguments: tuple[StatementTree, ...]) -> bool:
    match arguments:
        case (
            Application(DictionaryName("interval1", "integer_interval"), (_, DictionaryName("nums1", "infinity"))),
            _,
        ):
            return True
        case _:
            return False


def conjuncts(tree: StatementTree) -> tuple[StatementTree, ...]:
    """What must hold together."""
    match tree:
        case Application(DictionaryName("logic1", "and"), parts):
            return tuple(each for part in parts for each in conjuncts(part))
        case _:
            return (tree,)


def conditions_and_claim(tree: StatementTree) -> tuple[tuple[StatementTree, ...], StatementTree]:
    """What is supposed, and what is claimed then."""
    found: list[StatementTree] = []
    while True:
        match tree:
            case Application(DictionaryName("logic1", "implies"), (condition, claim)):
                found.extend(conjuncts(condition))
                tree = claim
            case _:
                return tuple(found), tree


def _literal(value: int | Decimal) -> Value:
    if isinstance(value, Decimal) and not value.is_finite():
        return NotANumber() if value.is_nan() else Infinite(1 if value > 0 else -1)
    return Fraction(value)


def _connected(full: str, truths: tuple[bool, ...]) -> bool:
    """A connective of truth values."""
    count = sum(truths)
    table = {
        "logic1:and": count == len(truths),
        "logic1:nand": count < len(truths),
        "logic1:or": count > 0,
        "logic1:nor": count == 0,
        "logic1:xor": count % 2 == 1,
        "logic1:xnor": count % 2 == 0,
    }
    if full in table:
        return table[full]
    if full == "logic1:not" and len(truths) == 1:
        return not truths[0]
    if full in ("logic1:implies", "logic1:equivalent") and len(truths) == 2:
        return truths[0] is truths[1] if full.endswith("equivalent") else not truths[0] or truths[1]
    raise WrongKindError(f"{full} is applied to what it does not take")


_LAZY = frozenset(
    f"logic1:{name}" for name in ("and", "or", "not", "implies", "equivalent", "xor", "xnor", "nand", "nor")
)


# Arithmetic of whatever can be added and multiplied: numbers, vectors, matrices, amounts of units.


def _plus(evaluator: Evaluator, *values: Value) -> Value:
    return reduce(lambda left, right: _added(evaluator, left, right), values)


def _added(evaluator: Evaluator, left: Value, right: Value) -> Value:
    if evaluator.numbers.is_number(left) and evaluator.numbers.is_number(right):
        return _sum(evaluator, left, right)
    match left, right:
        case Vector(first, is_column), Vector(second, other) if is_column == other and len(first) == len(second):
            return Vector(tuple(a + b for a, b in zip(first, second, strict=True)), is_column)
        case Matrix(first), Matrix(second) if (len(first), len(first[0])) == (len(second), len(second[0])):
            return Matrix(
                tuple(tuple(a + b for a, b in zip(*rows, strict=True)) for rows in zip(first, second, strict=True))
            )
        case Amount(first, dimension), Amount(second, other) if dimension == other:
            return Amount(first + second, dimension)
        case _:
            raise WrongKindError("these cannot be added")


def _sum(evaluator: Evaluator, left: Value, right: Value) -> Value:
    if is_exact(left) and is_exact(right):
        return sized(left + right)
    return evaluator.numbers.many(left) + evaluator.numbers.many(right)


def _negated(evaluator: Evaluator, value: Value) -> Value:
    match value:
        case bool():
            raise WrongKindError("a truth value has no opposite number")
        case Infinite(sign):
            return Infinite(-sign)
        case Vector(items, is_column):
            return Vector(tuple(-each for each in items), is_column)
        case Matrix(rows):
            return Matrix(tuple(tuple(-each for each in row) for row in rows))
        case Amount(size, dimension):
            return Amount(-size, dimension)
        case _:
            return -value if is_exact(value) else -evaluator.numbers.many(value)


def _times(evaluator: Evaluator, *values: Value) -> Value:
    return reduce(lambda left, right: _multiplied(evaluator, left, right), values)


def _multiplied(evaluator: Evaluator, left: Value, right: Value) -> Value:
    is_number = evaluator.numbers.is_number
    if is_number(left) and is_number(right):
        if is_exact(left) and is_exact(right):
            return sized(left * right)
        return evaluator.numbers.many(left) * evaluator.numbers.many(right)
    if isinstance(left, Matrix | Vector) or isinstance(right, Matrix | Vector):
        return _linear(evaluator, left, right)
    if isinstance(left, Amount | Fraction) and isinstance(right, Amount | Fraction):
        first, second = _amount(left), _amount(right)
        return Amount(sized(first.size * second.size), first.dimension * second.dimension)
    raise WrongKindError("these cannot be multiplied")


def _amount(value: Value) -> Amount:
    return value if isinstance(value, Amount) else Amount(value, DIMENSIONLESS)


def _linear(evaluator: Evaluator, left: Value, right: Value) -> Value:
    for number, other in ((left, right), (right, left)):
        if evaluator.numbers.is_number(number):
            if isinstance(other, Vector):
                return Vector(tuple(number * each for each in other.items), other.is_column)
            return Matrix(tuple(tuple(number * each for each in row) for row in other.rows))
    match left, right:
        case Matrix(rows), Matrix(others) if len(rows[0]) == len(others):
            columns = tuple(zip(*others, strict=True))
            return Matrix(tuple(tuple(_dot(row, column) for column in columns) for row in rows))
        case Matrix(rows), Vector(items, _) if len(rows[0]) == len(items):
            return Vector(tuple(_dot(row, items) for row in rows), right.is_column)
        case Vector(items, _), Matrix(rows) if len(rows) == len(items):
            return Vector(tuple(_dot(items, column) for column in zip(*rows, strict=True)), left.is_column)
        case _:
            raise WrongKindError("these cannot be multiplied")


def _dot(left: tuple[Value, ...], right: tuple[Value, ...]) -> Value:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def _power(evaluator: Evaluator, base: Value, exponent: Value) -> Value:
    if isinstance(base, Amount):
        times = evaluator.numbers.whole(exponent)
        if abs(times) > _LARGEST_POWER:
            raise UndefinedError("the power is too large")
        return Amount(base.size**times, base.dimension**times)
    if not (evaluator.numbers.is_number(base) and evaluator.numbers.is_number(exponent)):
        raise WrongKindError("only numbers are raised to powers")
    return evaluator.numbers.power(base, exponent)


def _divided(evaluator: Evaluator, left: Value, right: Value) -> Value:
    if isinstance(left, Amount) or isinstance(right, Amount):
        first, second = _amount(left), _amount(right)
        quotient = Amount(first.size / second.size, first.dimension / second.dimension)
        return quotient.size if quotient.dimension == DIMENSIONLESS else quotient
    return evaluator.numbers.divide(left, right)


def _not_less(evaluator: Evaluator, left: Value, right: Value) -> bool:
    return not evaluator.numbers.less(left, right)


def _approximately(evaluator: Evaluator, left: Value, right: Value) -> bool:
    """Amounts that agree to the digits written; nobody calls near what is one part in a hundred off."""
    if not (isinstance(left, Amount) and isinstance(right, Amount)):
        raise UncertainError("how close is meant is not said")
    if evaluator.comparing.same(left, right):
        return True
    if left.dimension != right.dimension or abs(left.size - right.size) > abs(right.size) / 100:
        return False
    raise UncertainError("how close is meant is not said")


_BASIC: dict[str, Callable[..., Value]] = {
    "arith1:plus": _plus,
    "arith1:minus": lambda evaluator, left, right: _added(evaluator, left, _negated(evaluator, right)),
    "arith1:unary_minus": _negated,
    "arith1:times": _times,
    "arith2:times": _times,
    "arith1:divide": _divided,
    "arith1:power": _power,
    "relation1:eq": lambda evaluator, left, right: evaluator.comparing.same(left, right),
    "relation1:neq": lambda evaluator, left, right: not evaluator.comparing.same(left, right),
    "relation1:lt": lambda evaluator, left, right: evaluator.numbers.less(left, right),
    "relation1:gt": lambda evaluator, left, right: evaluator.numbers.less(right, left),
    "relation1:leq": lambda evaluator, left, right: _not_less(evaluator, right, left),
    "relation1:le": lambda evaluator, left, right: _not_less(evaluator, right, left),
    "relation1:geq": lambda evaluator, left, right: _not_less(evaluator, left, right),
    "relation1:approx": _approximately,
}
