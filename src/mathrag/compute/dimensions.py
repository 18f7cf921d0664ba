"""Check that the dimensions of an equation agree, and infer the dimensions that nobody gave. Computes no values.

The dimension of every part is a product of known ones and of powers of the symbols' dimensions, so that each sum,
each argument of a function and the equality itself is one linear equation between exponents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, assert_never

from mathrag.compute.evaluate import Failure, evaluate
from mathrag.compute.evaluate.failure import shown
from mathrag.compute.printers.pythontext import python_text
from mathrag.errors import UnitError
from mathrag.types.expression import (
    MAXIMUM_DEPTH,
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
    depth_of,
    equation_symbols,
    negate,
    symbols_of,
)
from mathrag.types.quantity import DIMENSIONLESS, Dimension

# Linear equations between unknown dimensions, solved exactly as they come in. Knows exponents, not formulas.


@dataclass(frozen=True, slots=True)
class Form:
    """A known dimension times powers of unknown ones, by name."""

    known: Dimension = DIMENSIONLESS
    unknown: Mapping[str, Fraction] = field(default_factory=dict)

    def times(self, other: Form) -> Form:
        """The dimension of a product."""
        powers = dict(self.unknown)
        for name, exponent in other.unknown.items():
            powers[name] = powers.get(name, Fraction(0)) + exponent
        return Form(
            _product(self.known, other.known), {name: exponent for name, exponent in powers.items() if exponent}
        )

    def to(self, exponent: Fraction) -> Form:
        """The dimension of a power."""
        if not exponent:
            return Form()
        known = self.known if self.known is DIMENSIONLESS else self.known**exponent
        return Form(known, {name: power * exponent for name, power in self.unknown.items()})


def _product(first: Dimension, second: Dimension) -> Dimension:
    """The product; most forms are of symbols alone, and fractions are slow to add."""
    if second is DIMENSIONLESS:
        return first
    return second if first is DIMENSIONLESS else first * second


class DimensionSystem:
    """Facts "this combination is a plain number", kept in solved form: each solved unknown in terms of free ones."""

    def __init__(self) -> None:
        self.solved: dict[str, Form] = {}

    def reduce(self, form: Form) -> Form:
        """The form with everything known put in."""
        result = Form(form.known)
        for name, exponent in form.unknown.items():
            result = result.times(self.solved.get(name, Form(unknown={name: Fraction(1)})).to(exponent))
        return result

    def equate(self, left: Form, right: Form) -> bool:
        """Take in that two forms are equal; False (and nothing taken in) if that contradicts what is known."""
        rest = self.reduce(left.times(right.to(Fraction(-1))))
        if not rest.unknown:
            return rest.known.is_dimensionless
        name, exponent = next(iter(rest.unknown.items()))
        others = Form(rest.known, {other: power for other, power in rest.unknown.items() if other != name})
        value = others.to(-1 / exponent)
        for solved, form in list(self.solved.items()):
            share = form.unknown.get(name)
            if share:
                remaining = {other: power for other, power in form.unknown.items() if other != name}
                self.solved[solved] = Form(form.known, remaining).times(value.to(share))
        self.solved[name] = value
        return True

    def dimension_of(self, form: Form) -> Dimension | None:
        """The dimension of a form, or None while unknowns are left in it."""
        reduced = self.reduce(form)
        return None if reduced.unknown else reduced.known


# Walk an equation and collect what its form says about dimensions: which parts must agree, which must be numbers.

_ROOTS = {"sqrt": Fraction(1, 2), "cbrt": Fraction(1, 3)}
_SAME_DIMENSION = frozenset(("abs", "floor", "ceil", "min", "max", "mod", "gcd", "lcm"))
_LOGARITHMS = frozenset(("ln", "log", "log10", "log2"))
_NUMBER = Form(DIMENSIONLESS)


@dataclass(frozen=True, slots=True)
class Member:
    """A part of the formula with its dimension as a form."""

    expression: Expression
    form: Form


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that must have one dimension (`expected`, or that of the first), and where in the formula."""

    place: str
    members: tuple[Member, ...]
    expected: Form | None = None


@dataclass(frozen=True, slots=True)
class SymbolicPower:
    """A power whose exponent holds symbols; its dimension is the unknown `name` until the base is known."""

    name: str
    base: Form
    exponent: str
    text: str


@dataclass(slots=True)
class Facts:
    """Everything one equation says about its dimensions."""

    groups: list[Group] = field(default_factory=list)
    powers: list[SymbolicPower] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def collect_facts(equation: Equation) -> Facts:
    """The facts of an equation: inner parts first, the equality of all its terms last."""
    walker = _Walker()
    right = [negate(term) for term in _terms(equation.right)]
    terms = walker.without_logarithms("the equation", [*_terms(equation.left), *right])
    members = [walker.member(_positive(term)) for term in terms if not _is_zero(term)]
    if members:
        walker.facts.groups.append(Group("the equation", tuple(members)))
    return walker.facts


def _terms(side: Expression) -> Sequence[Expression]:
    return side.terms if isinstance(side, Add) else (side,)


def _positive(term: Expression) -> Expression:
    """Without the sign that only moved it to the other side."""
    return term.operand if isinstance(term, Negate) else term


def _logarithm(term: Expression) -> tuple[str, Fraction, Expression] | None:
    """A term that is a number times a logarithm: the function, the number and the argument."""
    match term:
        case Call(function, (argument,)) if function in _LOGARITHMS:
            return function, Fraction(1), argument
        case Negate(operand):
            found = _logarithm(operand)
            return None if found is None else (found[0], -found[1], found[2])
        case Multiply(factors):
            logarithms = [found for factor in factors if (found := _logarithm(factor)) is not None]
            plain = [factor for factor in factors if not symbols_of(factor) and _logarithm(factor) is None]
            values = [evaluate(factor, {}) for factor in plain]
            if len(logarithms) == 1 and len(plain) == len(factors) - 1:
                function, coefficient, argument = logarithms[0]
                for value in values:
                    if isinstance(value, Failure):
                        return None
                    coefficient *= Fraction(value).limit_denominator(10_000)
                return function, coefficient, argument
        case Divide(numerator, denominator) if not symbols_of(denominator):
            found = _logarithm(numerator)
            below = evaluate(denominator, {})
            if found is not None and not isinstance(below, Failure) and below:
                return found[0], found[1] / Fraction(below).limit_denominator(10_000), found[2]
    return None


def _is_zero(expression: Expression) -> bool:
    """A zero fits every dimension."""
    match expression:
        case Number(value):
            return value == 0
        case Negate(operand):
            return _is_zero(operand)
        case Multiply(factors):
            return any(map(_is_zero, factors))
        case _:
            return False


class _Walker:
    def __init__(self) -> None:
        self.facts = Facts()
        self.indices: list[str] = []

    def member(self, expression: Expression) -> Member:
        return Member(expression, self.form(expression))

    def form(self, node: Expression) -> Form:
        match node:
            case Number() | MathConstant():
                return _NUMBER
            case Measure():
                return self._measure(node)
            case Symbol(name):
                return _NUMBER if name in self.indices else Form(unknown={name: Fraction(1)})
            case Add(terms):
                return self._alike(f"the sum {python_text(node)}", terms)
            case Multiply(factors):
                total = _NUMBER
                for factor in factors:
                    total = total.times(self.form(factor))
                return total
            case Divide(numerator, denominator):
                return self.form(numerator).times(self.form(denominator).to(Fraction(-1)))
            case Negate(operand):
                return self.form(operand)
            case Power():
                return self._power(node)
            case Call():
                return self._call(node)
            case Series():
                return self._series(node)
            case Piecewise():
                return self._piecewise(node)
        assert_never(node)

    def _measure(self, node: Measure) -> Form:
        # Imported here: the unit tables take a while to load and most formulas carry no units.
        from mathrag.knowledge.units import read_canonical_unit

        try:
            return Form(read_canonical_unit(node.unit).dimension)
        except UnitError:
            self.facts.notes.append(f"the unit {node.unit!r} is not known")
            return self._fresh(node)

    def _fresh(self, node: Expression) -> Form:
        """An unknown of its own, for a part that says nothing about its dimension."""
        return Form(unknown={f"?{len(self.facts.notes)}:{python_text(node)}": Fraction(1)})

    def without_logarithms(self, place: str, terms: Sequence[Expression]) -> list[Expression]:
        """The terms of a sum that are left when its logarithms are taken together.

        ln k - ln A says only that k / A is a plain number; each alone would have to be one.
        """
        found = [_logarithm(term) for term in terms]
        functions = {one[0] for one in found if one is not None}
        if sum(one is not None for one in found) < 2 or len(functions) != 1:
            return list(terms)
        total = _NUMBER
        for one in found:
            if one is not None:
                total = total.times(self.form(one[2]).to(one[1]))
        arguments = [one[2] for one in found if one is not None]
        self.facts.groups.append(Group(f"the logarithms of {place}", (Member(arguments[0], total),), _NUMBER))
        # One number stands for them, so that the other terms of the sum must be numbers too.
        return [Number(1), *(term for term, one in zip(terms, found, strict=True) if one is None)]

    def _alike(self, place: str, parts: Sequence[Expression]) -> Form:
        parts = self.without_logarithms(place, parts) if place.startswith("the sum") else parts
        members = [self.member(part) for part in parts if not _is_zero(part)]
        if len(members) > 1:
            self.facts.groups.append(Group(place, tuple(members)))
        return members[0].form if members else _NUMBER

    def _number(self, place: str, part: Expression) -> None:
        """A part that must be a plain number."""
        member = self.member(part)
        if member.form != _NUMBER and not _is_zero(part):
            self.facts.groups.append(Group(place, (member,), _NUMBER))

    def _power(self, node: Power) -> Form:
        base = self.form(node.base)
        exponent = None if symbols_of(node.exponent) else evaluate(node.exponent, {})
        if exponent is None or isinstance(exponent, Failure):
            self._number(f"the exponent of {python_text(node)}", node.exponent)
            return _NUMBER if base == _NUMBER else self._symbolic(node, base, python_text(node.exponent))
        if isinstance(exponent, float):
            exponent = Fraction(exponent).limit_denominator(10_000)
        return base.to(Fraction(exponent))

    def _symbolic(self, node: Expression, base: Form, exponent: str) -> Form:
        text = python_text(node)
        name = f"?power:{text}"
        if all(power.name != name for power in self.facts.powers):
            self.facts.powers.append(SymbolicPower(name, base, exponent, text))
        return Form(unknown={name: Fraction(1)})

    def _call(self, node: Call) -> Form:
        function, arguments = node.function, node.arguments
        if function in _ROOTS:
            return self.form(arguments[0]).to(_ROOTS[function])
        if function in _SAME_DIMENSION:
            return self._alike(f"the arguments of {function}", arguments)
        if function == "atan2":
            self._alike("the arguments of atan2", arguments)
            return _NUMBER
        for argument in arguments:
            self._number(f"the argument of {function}", argument)
        return _NUMBER

    def _series(self, node: Series) -> Form:
        self._number("the bounds of the series", node.lower)
        self._number("the bounds of the series", node.upper)
        self.indices.append(node.index)
        body = self.form(node.body)
        self.indices.pop()
        if node.operation == "sum" or body == _NUMBER:
            return body
        return self._symbolic(node, body, f"the number of factors in {python_text(node)}")

    def _piecewise(self, node: Piecewise) -> Form:
        for _, comparisons in node.branches:
            for comparison in comparisons:
                self._comparison(comparison)
        values = [value for value, _ in node.branches]
        return self._alike("the cases", values if node.otherwise is None else [*values, node.otherwise])

    def _comparison(self, comparison: Comparison) -> None:
        self._alike("a condition", (comparison.left, comparison.right))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One term whose dimension is not what its place asks for."""

    term: str
    found: Dimension
    expected: Dimension
    message: str


@dataclass(frozen=True, slots=True)
class DimensionReport:
    """What the check found.

    `consistent`: everything agrees and every symbol's dimension is known. `underdetermined`: nothing disagrees, but
    the symbols in `undetermined` could have several dimensions. `inconsistent`: see `disagreements`. `unknown`:
    nothing disagrees, but a part could not be checked; `notes` say which.
    """

    status: Literal["consistent", "inconsistent", "underdetermined", "unknown"]
    dimensions: Mapping[str, Dimension]
    disagreements: tuple[Disagreement, ...] = ()
    undetermined: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def check_dimensions(equation: Equation, known: Mapping[str, Dimension]) -> DimensionReport:
    """Check an equation against the dimensions of some of its symbols."""
    symbols = equation_symbols(equation)
    if max(depth_of(equation.left), depth_of(equation.right)) > MAXIMUM_DEPTH:
        return DimensionReport("unknown", {}, undetermined=symbols, notes=("the formula is nested too deeply",))
    facts = collect_facts(equation)
    system = DimensionSystem()
    for name in symbols:
        if name in known:
            system.equate(_unknown(name), Form(known[name]))
    clashing = _take_in(facts, system)
    unsettled = _settle_powers(facts, system, clashing)
    dimensions = {name: found for name in symbols if (found := system.dimension_of(_unknown(name))) is not None}
    notes = (*facts.notes, *unsettled)
    if clashing:
        disagreements = tuple(each for group in clashing for each in _blame(group, facts, known))
        return DimensionReport("inconsistent", dimensions, disagreements, notes=notes)
    undetermined = tuple(name for name in symbols if name not in dimensions)
    if notes:
        return DimensionReport("unknown", dimensions, undetermined=undetermined, notes=notes)
    return DimensionReport("underdetermined" if undetermined else "consistent", dimensions, undetermined=undetermined)


def _unknown(name: str) -> Form:
    return Form(unknown={name: Fraction(1)})


def _take_in(facts: Facts, system: DimensionSystem) -> list[Group]:
    """All groups of parts that must agree; those that cannot come back."""
    return [group for group in facts.groups if not _agrees(group, system)]


def _agrees(group: Group, system: DimensionSystem) -> bool:
    first = group.members[0].form if group.expected is None else group.expected
    # Every member is taken in before judging: those that do agree still teach the system something.
    verdicts = [system.equate(member.form, first) for member in group.members]
    return all(verdicts)


def _settle_powers(facts: Facts, system: DimensionSystem, clashing: list[Group]) -> list[str]:
    """Powers with a symbol in the exponent: numbers where the base is one, the same thing where the bases are alike."""
    pending = list(facts.powers)
    shared: dict[tuple[str, Dimension], str] = {}
    while True:
        settled = []
        for power in pending:
            base = system.dimension_of(power.base)
            if base is None:
                continue
            settled.append(power)
            target = Form()
            if not base.is_dimensionless:
                target = _unknown(shared.setdefault((power.exponent, base), power.name))
            if not system.equate(_unknown(power.name), target) and facts.groups[-1] not in clashing:
                clashing.append(facts.groups[-1])
        if not settled:
            break
        pending = [power for power in pending if power not in settled]
    notes = [f"the dimension of {power.text} depends on a base that is not known" for power in pending]
    for (exponent, base), name in shared.items():
        # Left free, the power cancels out of the equation whatever it is.
        if system.dimension_of(_unknown(name)) is not None:
            notes.append(f"a base of dimension {base} has the symbolic exponent {exponent}; that part is not checked")
    return notes


def _blame(group: Group, facts: Facts, known: Mapping[str, Dimension]) -> list[Disagreement]:
    """The terms of a group that disagree with most of it, judged by what was given and by the other groups."""
    system = DimensionSystem()
    for name, dimension in known.items():
        system.equate(_unknown(name), Form(dimension))
    for other in facts.groups:
        if other is not group:
            _agrees(other, system)
    found = [(member, system.dimension_of(member.form)) for member in group.members]
    certain = [(member, dimension) for member, dimension in found if dimension is not None]
    expected = system.dimension_of(group.expected) if group.expected is not None else None
    if expected is None and certain:
        votes = [dimension for _, dimension in certain]
        # max keeps the first of equals, so the left side wins a tie.
        expected = max(votes, key=votes.count)
    disagreeing = [(member, dimension) for member, dimension in certain if dimension != expected]
    if expected is None or not disagreeing:
        first, last = group.members[0], group.members[-1]
        first_text, last_text = shown(first.expression), shown(last.expression)
        message = f"in {group.place} the dimensions of {first_text} and {last_text} cannot agree, whatever is unknown"
        found_form, expected_form = system.reduce(last.form), system.reduce(first.form)
        return [Disagreement(last_text, found_form.known, expected_form.known, message)]
    return [
        Disagreement(text, dimension, expected, _sentence(group.place, text, dimension, expected))
        for member, dimension in disagreeing
        for text in (shown(member.expression),)
    ]


def _sentence(place: str, text: str, found: Dimension, expected: Dimension) -> str:
    return f"in {place} the term {text} has the dimension {found}, expected {expected}"
