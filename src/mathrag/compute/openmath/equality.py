"""When two computed values are one: numbers to many digits, collections by their members, functions at arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Protocol

from mathrag.compute.openmath.numbers import Numbers
from mathrag.compute.openmath.values import (
    UNIT_NEAR,
    Amount,
    Family,
    FiniteSet,
    Function,
    Infinite,
    Interval,
    ListOf,
    Matrix,
    Multiset,
    NotANumber,
    NumberSet,
    UncertainError,
    UndefinedError,
    Value,
    Vector,
    Where,
    WrongKindError,
    is_whole,
)

# At how many arguments functions are compared, and how many members of a family are tried.
_ARGUMENTS = (Fraction(1, 3), Fraction(-7, 5), Fraction(9, 4), Fraction(0), Fraction(2), Fraction(-3, 7))
_TURNS = range(-2, 3)


class Comparing:
    """Equality, membership and inclusion. `coarseness` is what written decimals leave open of a unit's size."""

    def __init__(self, numbers: Numbers, spend: Callable[[], None], coarseness: Fraction = Fraction(0)) -> None:
        self.numbers = numbers
        self.spend = spend
        self.coarseness = coarseness

    def same(self, left: Value, right: Value) -> bool:
        self.spend()
        if isinstance(left, NotANumber) or isinstance(right, NotANumber):
            return False
        if self.numbers.is_number(left) and self.numbers.is_number(right):
            return self.numbers.same(left, right)
        if isinstance(left, bool) and isinstance(right, bool):
            return left == right
        if isinstance(left, Where) or isinstance(right, Where):
            return self._same_where(left, right)
        if type(left) is not type(right):
            raise WrongKindError("the two sides are of different kinds")
        return self._same_kind(left, right)

    def _same_kind(self, left: Value, right: Value) -> bool:
        match left:
            case ListOf() | Vector():
                if isinstance(left, Vector) and left.is_column != right.is_column:
                    return False
                return len(left.items) == len(right.items) and self._all(left.items, right.items)
            case Matrix():
                shapes = [(len(each.rows), len(each.rows[0])) for each in (left, right)]
                return shapes[0] == shapes[1] and all(map(self._all, left.rows, right.rows))
            case FiniteSet():
                return self.within(left, right) and self.within(right, left)
            case Multiset():
                return len(left.items) == len(right.items) and self.within(left, right)
            case Family():
                return self._family_within(left, right) and self._family_within(right, left)
            case Amount():
                return self._same_amount(left, right)
            case Function():
                return self._same_function(left, right)
            case Interval() | NumberSet() | Infinite():
                return bool(left == right)
            case _:
                raise UncertainError("these cannot be compared")

    def _all(self, left: Iterable[Value], right: Iterable[Value]) -> bool:
        return all(self.same(first, second) for first, second in zip(left, right, strict=True))

    def _same_amount(self, left: Amount, right: Amount) -> bool:
        if left.dimension != right.dimension:
            return False
        apart, size = abs(left.size - right.size), max(abs(left.size), abs(right.size))
        return apart <= size * max(UNIT_NEAR, self.coarseness)

    def _same_function(self, left: Function, right: Function) -> bool:
        """Equal at every argument of a finite domain; otherwise at arguments that have nothing in common."""
        if left.domain is not None and right.domain is not None:
            if not self.same(left.domain, right.domain):
                return False
            return all(self.same(left.apply(each), right.apply(each)) for each in left.domain.items)
        compared = 0
        for each in _ARGUMENTS:
            try:
                first, second = left.apply(each), right.apply(each)
            except UndefinedError:
                continue
            compared += 1
            if not self.same(first, second):
                return False
        if compared < 3:
            raise UncertainError("the functions have too few arguments in common")
        return True

    def _same_where(self, left: Value, right: Value) -> bool:
        """Sets given by a test: whatever is in the other must pass it, what lies beside must not."""
        given, tested = (right, left) if isinstance(left, Where) else (left, right)
        if isinstance(given, Where) or not isinstance(tested, Where):
            raise UncertainError("two sets given by tests cannot be compared")
        if isinstance(tested.domain, FiniteSet) and isinstance(given, FiniteSet):
            kept = tuple(each for each in tested.domain.items if tested.test(each))
            return self.same(given, FiniteSet(kept))
        if not isinstance(given, Family):
            raise UncertainError("a set given by a test cannot be compared with this one")
        inside = [base + step * turn for base, step in given.members for turn in _TURNS]
        if not all(self.contains(tested.domain, each) and tested.test(each) for each in inside):
            return False
        return all(self.contains(given, each) for each in self._beside(given) if self._passes(tested, each))

    def _beside(self, family: Family) -> list[Value]:
        """Numbers near a family that are likely solutions if the family lacks some: mirrored, and shifted by parts."""
        shifts = [
            step * part for _, step in family.members for part in (Fraction(1, 2), Fraction(1, 3), Fraction(1, 4))
        ]
        halves = [sign * base for base, _ in family.members for sign in (1, -1)]
        conjugates = [self.numbers.context.conj(self.numbers.many(each)) for each in halves]
        return [*halves, *conjugates, *(each + shift for each in halves for shift in shifts)]

    def _passes(self, where: Where, value: Value) -> bool:
        try:
            return where.test(value)
        except UndefinedError:
            return False

    def _family_within(self, inner: Family, outer: Family) -> bool:
        """Every number of one family is one of the other: tried at several, since steps may differ."""
        tried = (base + step * turn for base, step in inner.members for turn in _TURNS)
        return all(self.contains(outer, each) for each in tried)

    def contains(self, collection: Value, value: Value) -> bool:
        match collection:
            case FiniteSet(items) | Multiset(items) | ListOf(items):
                return any(self._equal_or_other(value, each) for each in items)
            case NumberSet(name):
                return self._is_number_of(name, value)
            case Interval():
                return self._lies_between(collection, value)
            case Family(members):
                return any(self._is_turn(value, base, step) for base, step in members)
            case Where(domain, test):
                return self.contains(domain, value) and test(value)
            case _:
                raise WrongKindError("membership is asked of something that is no set")

    def _equal_or_other(self, left: Value, right: Value) -> bool:
        """Members of different kinds are different members."""
        try:
            return self.same(left, right)
        except WrongKindError:
            return False

    def _is_turn(self, value: Value, base: Value, step: Value) -> bool:
        turns = self.numbers.divide(self.numbers.many(value) - base, step)
        if not self.numbers.is_real(turns):
            return False
        return self.numbers.same(turns, Fraction(int(self.numbers.context.nint(self.numbers.real(turns)))))

    def _is_number_of(self, name: str, value: Value) -> bool:
        if not self.numbers.is_number(value):
            raise WrongKindError("a number is expected where there is none")
        if name == "C":
            return True
        if not self.numbers.is_real(value):
            return False
        real = self.numbers.real(value)
        if name == "R":
            return True
        if isinstance(real, Fraction):
            return {
                "Q": True,
                "Z": is_whole(real),
                "N": is_whole(real) and real >= 0,
                "P": is_whole(real) and _is_prime(int(real)),
            }[name]
        nearest = self.numbers.context.nint(real)
        if abs(nearest) < 10**6 and self.numbers.same(real, Fraction(int(nearest))):
            return self._is_number_of(name, Fraction(int(nearest)))
        if name == "Q":
            raise UncertainError("whether a number is rational cannot be told from its digits")
        return False

    def _lies_between(self, interval: Interval, value: Value) -> bool:
        if not self.numbers.is_real(value):
            return False
        for end, belongs, first, second in (
            (interval.low, interval.has_low, interval.low, value),
            (interval.high, interval.has_high, value, interval.high),
        ):
            if not isinstance(end, Infinite) and self.numbers.same(end, value):
                if belongs is None:
                    raise UncertainError("whether the ends belong to the interval is left open")
                if not belongs:
                    return False
            elif not self.numbers.less(first, second):
                return False
        return True

    def within(self, inner: Value, outer: Value) -> bool:
        """Whether one collection is part of another."""
        match inner, outer:
            case Multiset(first), Multiset(second):
                return all(self._count(each, first) <= self._count(each, second) for each in first)
            case FiniteSet(first), _:
                return all(self.contains(outer, each) for each in first)
            case Interval(), Interval():
                return self._interval_within(inner, outer)
            case Family(), Family():
                return self._family_within(inner, outer)
            case NumberSet(first), NumberSet(second):
                order = "PNZQRC"
                return order.index(first) <= order.index(second)
            case _:
                raise UncertainError("inclusion of these cannot be told")

    def _count(self, value: Value, items: tuple[Value, ...]) -> int:
        return sum(self._equal_or_other(value, each) for each in items)

    def _interval_within(self, inner: Interval, outer: Interval) -> bool:
        if self.numbers.less(inner.high, inner.low):
            raise UndefinedError("an interval whose ends are the wrong way round")
        # An end that belongs to the inner must belong to the outer; where it is left open, the worst is assumed.
        ends = (
            (inner.low, inner.has_low, outer.low, outer.has_low),
            (inner.high, inner.has_high, outer.high, outer.has_high),
        )
        for (first, first_in, second, second_in), is_low in zip(ends, (True, False), strict=True):
            if self.same(first, second):
                if first_in is not False and second_in is not True:
                    return False
            elif not (self.numbers.less(second, first) if is_low else self.numbers.less(first, second)):
                return False
        return True


def _is_prime(number: int) -> bool:
    if number > 10**6:
        raise UncertainError("the number is too large")
    return number > 1 and all(number % each for each in range(2, int(number**0.5) + 1))


class Computing(Protocol):
    """What an operation may ask of the one who evaluates."""

    numbers: Numbers
    comparing: Comparing

    def truth(self, value: Value) -> bool:
        """A truth value, and nothing else."""
        ...

    def spend(self, steps: int = 1) -> None:
        """Count work that takes long."""
        ...

    def operation(self, full: str, values: tuple[Value, ...]) -> Value:
        """What a name gives at values."""
        ...
