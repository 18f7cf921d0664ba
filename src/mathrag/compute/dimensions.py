"""Check that the dimensions of an equation agree, and infer the dimensions that nobody gave. Computes no values.

The dimension of every part is a product of known ones and of powers of the symbols' dimensions, so that each sum,
each argument of a function and the equality itself is one linear equation between exponents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from mathrag.compute.dimension_facts import Facts, Group, collect_facts
from mathrag.compute.evaluate.failure import shown
from mathrag.compute.linear_dimensions import DimensionSystem, Form
from mathrag.types.expression import MAXIMUM_DEPTH, Equation, depth_of, equation_symbols
from mathrag.types.quantity import Dimension


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
