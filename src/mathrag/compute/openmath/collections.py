"""Sets, multisets, lists, relations, vectors and matrices of dictionaries computed, as long as they are finite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import compress
from itertools import product as combinations
from math import prod

from mathrag.compute.openmath.equality import Computing
from mathrag.compute.openmath.values import (
    Family,
    FiniteSet,
    Function,
    Interval,
    ListOf,
    Matrix,
    Multiset,
    NumberSet,
    UncertainError,
    UndefinedError,
    Value,
    Vector,
    Where,
    WrongKindError,
)

Operation = Callable[..., Value]
_LARGEST = 200


def _items(value: Value, *kinds: type) -> tuple[Value, ...]:
    if not isinstance(value, kinds):
        raise WrongKindError("a collection of another kind is expected")
    items: tuple[Value, ...] = getattr(value, "items", ())
    return items


def _union(_evaluator: Computing, *sets: Value) -> Value:
    if sets and all(isinstance(each, Multiset) for each in sets):
        return Multiset(tuple(item for each in sets for item in each.items))
    if sets and all(isinstance(each, Family) for each in sets):
        return Family(tuple(member for each in sets for member in each.members))
    if sum(len(_items(each, FiniteSet)) for each in sets) > 2 * _LARGEST:
        raise UndefinedError("the union is too large")
    return FiniteSet(tuple(item for each in sets for item in each.items))


def _intersect(evaluator: Computing, first: Value, *others: Value) -> Value:
    contains = evaluator.comparing.contains
    if isinstance(first, Multiset):
        return _intersect_counted(evaluator, first, *others)
    kept = _items(first, FiniteSet)
    return FiniteSet(tuple(each for each in kept if all(contains(other, each) for other in others)))


def _intersect_counted(evaluator: Computing, first: Value, *others: Value) -> Value:
    left = list(_items(first, Multiset))
    for other in others:
        available, kept = list(_items(other, Multiset)), []
        for each in left:
            place = _place(evaluator, available, each)
            if place is not None:
                available.pop(place)
                kept.append(each)
        left = kept
    return Multiset(tuple(left))


def _difference(evaluator: Computing, first: Value, second: Value) -> Value:
    if isinstance(first, Multiset):
        removed, kept = list(_items(second, Multiset)), []
        for each in first.items:
            place = _place(evaluator, removed, each)
            if place is None:
                kept.append(each)
            else:
                removed.pop(place)
        return Multiset(tuple(kept))
    return FiniteSet(tuple(each for each in _items(first, FiniteSet) if not evaluator.comparing.contains(second, each)))


def _place(evaluator: Computing, items: Sequence[Value], value: Value) -> int | None:
    return next((place for place, each in enumerate(items) if evaluator.comparing.same(each, value)), None)


def _distinct(evaluator: Computing, items: Sequence[Value]) -> tuple[Value, ...]:
    kept: list[Value] = []
    for each in items:
        if _place(evaluator, kept, each) is None:
            kept.append(each)
    return tuple(kept)


def _size(evaluator: Computing, value: Value) -> Value:
    if isinstance(value, FiniteSet):
        return Fraction(len(_distinct(evaluator, value.items)))
    return Fraction(len(_items(value, Multiset)))


def _such_that(evaluator: Computing, domain: Value, test: Value) -> Value:
    if not isinstance(test, Function):
        raise WrongKindError("a test is expected")
    if isinstance(domain, FiniteSet):
        return FiniteSet(tuple(each for each in domain.items if evaluator.truth(test.apply(each))))
    return Where(domain, lambda value: evaluator.truth(test.apply(value)))


def _mapped(evaluator: Computing, function: Value, domain: Value) -> Value:
    if not isinstance(function, Function):
        raise WrongKindError("a function is expected")
    match domain:
        case FiniteSet(items):
            return FiniteSet(tuple(map(function.apply, items)))
        case ListOf(items):
            return ListOf(tuple(map(function.apply, items)))
        case Family(members):
            return Family(tuple(_moved(evaluator, function, base, step) for base, step in members))
        case _:
            raise UncertainError("a set without end cannot be mapped")


def _moved(evaluator: Computing, function: Function, base: Value, step: Value) -> tuple[Value, Value]:
    """A family under a function that stretches and shifts; another one would not give a family."""
    first, second, third = (function.apply(base + step * turn) for turn in range(3))
    if not evaluator.numbers.same(third - second, second - first):
        raise UncertainError("the function does not keep the steps equal")
    return first, second - first


def _integer_range(evaluator: Computing, low: Value, high: Value) -> Value:
    first, last = evaluator.numbers.whole(low), evaluator.numbers.whole(high)
    if last - first > _LARGEST:
        raise UndefinedError("the interval is too long")
    # From one to zero is empty; further back, sums would be given a meaning that they have not.
    if last < first - 1:
        raise UndefinedError("an interval whose ends are the wrong way round")
    return FiniteSet(tuple(Fraction(each) for each in range(first, last + 1)))


def _interval(has_low: bool | None, has_high: bool | None) -> Operation:
    def operation(_evaluator: Computing, low: Value, high: Value) -> Value:
        return Interval(low, high, has_low, has_high)

    return operation


def _cartesian(_evaluator: Computing, *sets: Value) -> Value:
    if len(sets) < 2:
        raise WrongKindError("a product of sets needs two of them")
    members = [_items(one, FiniteSet) for one in sets]
    if prod(map(len, members)) > _LARGEST:
        raise UndefinedError("the product of the sets is too large")
    return FiniteSet(tuple(ListOf(each) for each in combinations(*members)))


# Relations: a set of pairs, each a list of two.


def _is_relation(evaluator: Computing, domain: Value, relation: Value) -> bool:
    pairs = _items(relation, FiniteSet)
    return all(
        isinstance(pair, ListOf)
        and len(pair.items) == 2
        and all(evaluator.comparing.contains(domain, each) for each in pair.items)
        for pair in pairs
    )


def _related(evaluator: Computing, relation: Value, left: Value, right: Value) -> bool:
    return evaluator.comparing.contains(relation, ListOf((left, right)))


def _needs_relation(test: Callable[[Computing, tuple[Value, ...], Value], bool]) -> Operation:
    def operation(evaluator: Computing, domain: Value, relation: Value) -> bool:
        if not _is_relation(evaluator, domain, relation):
            raise UndefinedError("no relation on that set")
        return test(evaluator, _items(domain, FiniteSet), relation)

    return operation


def _reflexive(evaluator: Computing, items: tuple[Value, ...], relation: Value) -> bool:
    return all(_related(evaluator, relation, each, each) for each in items)


def _symmetric(evaluator: Computing, items: tuple[Value, ...], relation: Value) -> bool:
    pairs = combinations(items, items)
    return all(not _related(evaluator, relation, a, b) or _related(evaluator, relation, b, a) for a, b in pairs)


def _transitive(evaluator: Computing, items: tuple[Value, ...], relation: Value) -> bool:
    related = [(a, b) for a, b in combinations(items, items) if _related(evaluator, relation, a, b)]
    return all(
        _related(evaluator, relation, a, d) for a, b in related for c, d in related if evaluator.comparing.same(b, c)
    )


def _equivalence(evaluator: Computing, items: tuple[Value, ...], relation: Value) -> bool:
    return all(test(evaluator, items, relation) for test in (_reflexive, _symmetric, _transitive))


def _class_of(evaluator: Computing, domain: Value, relation: Value, member: Value) -> Value:
    kept = (each for each in _items(domain, FiniteSet) if _related(evaluator, relation, member, each))
    return FiniteSet(tuple(kept))


# Lists.


def _selected(evaluator: Computing, place: Value, collection: Value) -> Value:
    items = _items(collection, ListOf, Vector)
    number = evaluator.numbers.whole(place)
    if not 1 <= number <= len(items):
        raise UndefinedError("there is no such entry")
    return items[number - 1]


def _list_items(value: Value) -> tuple[Value, ...]:
    return _items(value, ListOf)


def _first(_evaluator: Computing, collection: Value) -> Value:
    if not _list_items(collection):
        raise UndefinedError("an empty list has no first entry")
    return collection.items[0]


def _rest(_evaluator: Computing, collection: Value) -> Value:
    if not _list_items(collection):
        raise UndefinedError("an empty list has no rest")
    return ListOf(collection.items[1:])


def _joined(_evaluator: Computing, *lists: Value) -> Value:
    return ListOf(tuple(item for each in lists for item in _list_items(each)))


def _appended(_evaluator: Computing, collection: Value, item: Value) -> Value:
    return ListOf((*_list_items(collection), item))


# Vectors and matrices.


def _transposed(_evaluator: Computing, value: Value) -> Value:
    match value:
        case Vector(items, is_column):
            return Vector(items, not is_column)
        case Matrix(rows):
            return Matrix(tuple(zip(*rows, strict=True)))
        case _:
            raise WrongKindError("a vector or a matrix is expected")


def _matrix(value: Value) -> tuple[tuple[Value, ...], ...]:
    if not isinstance(value, Matrix):
        raise WrongKindError("a matrix is expected")
    return value.rows


def _entry(evaluator: Computing, row: Value, column: Value, matrix: Value) -> Value:
    rows = _matrix(matrix)
    first, second = evaluator.numbers.whole(row), evaluator.numbers.whole(column)
    if not (1 <= first <= len(rows) and 1 <= second <= len(rows[0])):
        raise UndefinedError("there is no such entry")
    return rows[first - 1][second - 1]


def _square(_evaluator: Computing, matrix: Value) -> tuple[tuple[Value, ...], ...]:
    rows = _matrix(matrix)
    if len(rows) != len(rows[0]):
        raise UndefinedError("a square matrix is expected")
    return rows


def _determinant(evaluator: Computing, matrix: Value) -> Value:
    rows = _square(evaluator, matrix)
    evaluator.spend(10 * len(rows))
    if len(rows) == 1:
        return rows[0][0]
    total: Value = Fraction(0)
    for column, value in enumerate(rows[0]):
        smaller = Matrix(tuple((*row[:column], *row[column + 1 :]) for row in rows[1:]))
        total = total + (-1) ** column * value * _determinant(evaluator, smaller)
    return total


def _rank(_evaluator: Computing, matrix: Value) -> Value:
    rows = [list(row) for row in _matrix(matrix)]
    if not all(isinstance(each, Fraction) for row in rows for each in row):
        raise UncertainError("a rank is told only of exact numbers")
    rank = 0
    for column in range(len(rows[0])):
        pivot = next((place for place in range(rank, len(rows)) if rows[place][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for place in range(rank + 1, len(rows)):
            factor = rows[place][column] / rows[rank][column]
            rows[place] = [a - factor * b for a, b in zip(rows[place], rows[rank], strict=True)]
        rank += 1
    return Fraction(rank)


def _left_kernel(evaluator: Computing, matrix: Value) -> Value:
    """A basis, as rows, of the vectors that the matrix sends to zero when it stands to their right."""
    rows = _matrix(matrix)
    _rank(evaluator, matrix)
    work = [[*row, *(Fraction(place == other) for other in range(len(rows)))] for place, row in enumerate(rows)]
    width, done = len(rows[0]), 0
    for column in range(width):
        pivot = next((place for place in range(done, len(work)) if work[place][column]), None)
        if pivot is None:
            continue
        work[done], work[pivot] = work[pivot], work[done]
        for place in range(done + 1, len(work)):
            factor = work[place][column] / work[done][column]
            work[place] = [a - factor * b for a, b in zip(work[place], work[done], strict=True)]
        done += 1
    if done == len(work):
        raise UndefinedError("the kernel is zero and has no basis to write down")
    return Matrix(tuple(tuple(row[width:]) for row in work[done:]))


def _subsets(evaluator: Computing, value: Value) -> Value:
    items = _distinct(evaluator, _items(value, FiniteSet))
    if len(items) > 6:
        raise UndefinedError("the set is too large")
    choices = combinations((False, True), repeat=len(items))
    return FiniteSet(tuple(FiniteSet(tuple(compress(items, kept))) for kept in choices))


def _common(evaluator: Computing, value: Value) -> Value:
    sets = _items(value, FiniteSet)
    if not sets:
        raise UndefinedError("there is no set to take members of")
    return _intersect(evaluator, *sets)


def _dimension(evaluator: Computing, value: Value) -> int:
    number = evaluator.numbers.whole(value, least=1)
    if number > 12:
        raise UndefinedError("the matrix is too large")
    return number


def _filled(evaluator: Computing, height: Value, width: Value, entry: Callable[[int, int], Value]) -> Value:
    rows, columns = _dimension(evaluator, height), _dimension(evaluator, width)
    return Matrix(tuple(tuple(entry(row, column) for column in range(columns)) for row in range(rows)))


def _scalar_matrix(evaluator: Computing, size: Value, value: Value) -> Value:
    return _filled(evaluator, size, size, lambda row, column: value if row == column else Fraction(0))


def _constant_matrix(evaluator: Computing, *arguments: Value) -> Value:
    height, width, value = arguments if len(arguments) == 3 else (arguments[0], *arguments)
    return _filled(evaluator, height, width, lambda _row, _column: value)


def _constant_vector(evaluator: Computing, size: Value, value: Value) -> Value:
    return Vector((value,) * _dimension(evaluator, size))


def _triangle(value: Value, *, has_diagonal: bool) -> tuple[list[tuple[Value, ...]], int]:
    """A vector of vectors, each one shorter than the one before: the upper triangle of a matrix."""
    rows = [_items(each, Vector) for each in _items(value, Vector)]
    size = len(rows) if has_diagonal else len(rows) + 1
    wanted = [size - place - (0 if has_diagonal else 1) for place in range(len(rows))]
    if [len(row) for row in rows] != wanted or not rows:
        raise UndefinedError("the vectors do not make a triangle")
    return rows, size


def _mirrored(mirror: Callable[[Computing, Value], Value], *, has_diagonal: bool = True) -> Operation:
    def operation(evaluator: Computing, value: Value) -> Value:
        rows, size = _triangle(value, has_diagonal=has_diagonal)
        offset = 0 if has_diagonal else 1
        if has_diagonal and not all(evaluator.comparing.same(row[0], mirror(evaluator, row[0])) for row in rows):
            raise UndefinedError("the diagonal must equal its own mirror image")

        def entry(row: int, column: int) -> Value:
            if row == column and not has_diagonal:
                return Fraction(0)
            if column >= row:
                return rows[row][column - row - offset]
            return mirror(evaluator, rows[column][row - column - offset])

        return _filled(evaluator, Fraction(size), Fraction(size), entry)

    return operation


def _conjugated(evaluator: Computing, value: Value) -> Value:
    return value if isinstance(value, Fraction) else evaluator.numbers.context.conj(value)


def _triangular(*, is_upper: bool) -> Operation:
    def operation(evaluator: Computing, value: Value) -> Value:
        rows, size = _triangle(value, has_diagonal=True)

        def entry(row: int, column: int) -> Value:
            row, column = (row, column) if is_upper else (column, row)
            return rows[row][column - row] if column >= row else Fraction(0)

        return _filled(evaluator, Fraction(size), Fraction(size), entry)

    return operation


def _vector_product(_evaluator: Computing, left: Value, right: Value) -> Value:
    a, b = _items(left, Vector), _items(right, Vector)
    if len(a) != 3 or len(b) != 3:
        raise WrongKindError("vectors of three entries are expected")
    turns = ((1, 2), (2, 0), (0, 1))
    return Vector(tuple(a[i] * b[j] - a[j] * b[i] for i, j in turns))


def _scalar_product(_evaluator: Computing, left: Value, right: Value) -> Value:
    a, b = _items(left, Vector), _items(right, Vector)
    if len(a) != len(b):
        raise UndefinedError("vectors of the same length are expected")
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def _outer_product(_evaluator: Computing, left: Value, right: Value) -> Value:
    a, b = _items(left, Vector), _items(right, Vector)
    return Matrix(tuple(tuple(x * y for y in b) for x in a))


def _in_each(dictionaries: str, table: dict[str, Operation]) -> dict[str, Operation]:
    return {f"{each}:{name}": operation for each in dictionaries.split() for name, operation in table.items()}


OPERATIONS: dict[str, Operation] = {
    **_in_each(
        "set1 multiset1",
        {
            "union": _union,
            "intersect": _intersect,
            "setdiff": _difference,
            "size": _size,
            "in": lambda evaluator, value, domain: evaluator.comparing.contains(domain, value),
            "notin": lambda evaluator, value, domain: not evaluator.comparing.contains(domain, value),
            "subset": lambda evaluator, inner, outer: evaluator.comparing.within(inner, outer),
            "notsubset": lambda evaluator, inner, outer: not evaluator.comparing.within(inner, outer),
            "prsubset": lambda evaluator, inner, outer: (
                evaluator.comparing.within(inner, outer) and not evaluator.comparing.within(outer, inner)
            ),
            "notprsubset": lambda evaluator, inner, outer: (
                not evaluator.comparing.within(inner, outer) or evaluator.comparing.within(outer, inner)
            ),
        },
    ),
    "set1:set": lambda _evaluator, *items: FiniteSet(items),
    "multiset1:multiset": lambda _evaluator, *items: Multiset(items),
    "set1:suchthat": _such_that,
    "set1:map": _mapped,
    "list1:map": _mapped,
    "set1:cartesian_product": _cartesian,
    "interval1:integer_interval": _integer_range,
    "interval1:interval": _interval(None, None),
    "interval1:ordered_interval": _interval(True, True),
    "interval1:interval_cc": _interval(True, True),
    "interval1:interval_oo": _interval(False, False),
    "interval1:interval_oc": _interval(False, True),
    "interval1:interval_co": _interval(True, False),
    "set3:powerset": _subsets,
    "set3:big_intersect": _common,
    "set3:big_union": lambda evaluator, value: _union(evaluator, *_items(value, FiniteSet)),
    "linalgrank1:kernel_matrix": _left_kernel,
    "relation3:is_relation": _is_relation,
    "relation3:is_reflexive": _needs_relation(_reflexive),
    "relation3:is_symmetric": _needs_relation(_symmetric),
    "relation3:is_transitive": _needs_relation(_transitive),
    "relation3:is_equivalence": _needs_relation(_equivalence),
    "relation3:class": _class_of,
    "list1:list": lambda _evaluator, *items: ListOf(items),
    **_in_each("list2 list3", {"list_selector": _selected}),
    **_in_each("list3 list4", {"entry": lambda evaluator, items, place: _selected(evaluator, place, items)}),
    "list2:first": _first,
    "list2:rest": _rest,
    "list2:cons": lambda _evaluator, item, items: ListOf((item, *_list_items(items))),
    "list2:append": _joined,
    "list3:concatenate": _joined,
    "list3:append": _appended,
    **_in_each("list2 list4", {"reverse": lambda _evaluator, items: ListOf(_list_items(items)[::-1])}),
    "list2:size": lambda _evaluator, items: Fraction(len(_list_items(items))),
    "list3:length": lambda _evaluator, items: Fraction(len(_list_items(items))),
    "list2:in": lambda evaluator, value, items: evaluator.comparing.contains(items, value),
    "linalg2:vector": lambda _evaluator, *items: Vector(items),
    "linalg2col:vector": lambda _evaluator, *items: Vector(items, is_column=True),
    "linalg1:vector_selector": _selected,
    "linalg1:matrix_selector": _entry,
    "linalg1:transpose": _transposed,
    "linalg1:determinant": _determinant,
    "linalg1:vectorproduct": _vector_product,
    "linalg1:scalarproduct": _scalar_product,
    "linalg1:outerproduct": _outer_product,
    **_in_each("linalg4 linalg5 linalgrank1", {"rank": _rank}),
    **_in_each(
        "linalg3 linalg4",
        {
            "rowcount": lambda _evaluator, matrix: Fraction(len(_matrix(matrix))),
            "columncount": lambda _evaluator, matrix: Fraction(len(_matrix(matrix)[0])),
            "size": lambda _evaluator, vector: Fraction(len(_items(vector, Vector))),
        },
    ),
    **_in_each(
        "linalg4mat linalg5",
        {
            "identity": lambda evaluator, size: _scalar_matrix(evaluator, size, Fraction(1)),
            "zero": lambda evaluator, height, width: _constant_matrix(evaluator, height, width, Fraction(0)),
            "scalar": _scalar_matrix,
            "constant": _constant_matrix,
        },
    ),
    "linalg4vec:zero": lambda evaluator, size: _constant_vector(evaluator, size, Fraction(0)),
    "linalg4vec:constant": _constant_vector,
    **_in_each("linalg5 linalgsym1", {"symmetric": _mirrored(lambda _evaluator, value: value)}),
    **_in_each(
        "linalg5 linalgsym1",
        {
            name: _mirrored(lambda _evaluator, value: -value, has_diagonal=False)
            for name in ("skew-symmetric", "skew_symmetric")
        },
    ),
    **_in_each("linalg5 linalgsym1", {"Hermitian": _mirrored(_conjugated)}),
    **_in_each(
        "linalg5 linalgsym1",
        {
            name: _mirrored(lambda evaluator, value: -_conjugated(evaluator, value), has_diagonal=False)
            for name in ("anti-Hermitian", "anti_Hermitian")
        },
    ),
    **_in_each(
        "linalg5 linalgspec1",
        {
            name: _triangular(is_upper=name.startswith("upper"))
            for name in ("upper-triangular", "upper_triangular", "lower-triangular", "lower_triangular")
        },
    ),
}

CONSTANTS: dict[str, Value] = {
    **{f"setname1:{name}": NumberSet(name) for name in "NZQRCP"},
    "setname2:Boolean": FiniteSet((False, True)),
    "set1:emptyset": FiniteSet(()),
    "multiset1:emptyset": Multiset(()),
    "list2:nil": ListOf(()),
}
