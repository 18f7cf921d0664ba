"""Choose what the symbols of one formula mean, all at once: the likeliest choices whose dimensions agree.

The form of the formula gives linear equations between the dimensions of its symbols (`compute.dimension_facts`). A
depth-first search over the proposed meanings, best first and cut off by the best found so far, keeps the few best
choices that satisfy them. Knows nothing of words: proposals come with their weights from `meanings.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from mathrag.compute.constants import constants_for_symbol
from mathrag.compute.dimension_facts import collect_facts
from mathrag.compute.linear_dimensions import DimensionSystem, Form
from mathrag.compute.symbol_names import split_name
from mathrag.types.expression import Equation
from mathrag.types.library import SymbolMeaning
from mathrag.types.quantity import BASE_DIMENSIONS, DIMENSIONLESS, Dimension

Vector: TypeAlias = tuple[float, ...]

_ZERO: Vector = (0.0,) * len(BASE_DIMENSIONS)
_MAXIMUM_NODES = 4000
# Where nothing has been found after so many steps, the formula is left without meanings rather than the reader waiting.
_GIVEN_UP = 30_000
_LIKELY = 7
# More symbols than any formula people use; the search recurses once a symbol.
_MOST_SYMBOLS = 60
# Symbols that differ in their subscript only are nearly always of one dimension.
_SIBLINGS_DIFFER = math.log(0.08)
# Readings twenty times less likely than the best are not worth looking for.
_WORTH_KEEPING = math.log(20)
# A dimension that only the rest of the formula implies and no proposal supports.
_IMPLIED = math.log(0.0004)


@dataclass(frozen=True, slots=True)
class Proposal:
    """One possible meaning of a symbol, made when it is chosen. `vector` None leaves its dimension open.

    Weights of a symbol need not sum to 1.
    """

    weight: float
    vector: Vector | None
    make: Callable[[], SymbolMeaning]


@dataclass(frozen=True, slots=True)
class Choice:
    """A meaning for every symbol; those no proposal fits carry the dimension that the formula implies."""

    score: float
    meanings: Mapping[str, SymbolMeaning]
    implied: frozenset[str]


@dataclass(frozen=True, slots=True)
class Row:
    """One equation: the powers of these dimensions multiply to a known one."""

    powers: tuple[tuple[str, float], ...]
    known: Vector


@dataclass(frozen=True, slots=True)
class DimensionRows:
    """What the form of a formula demands. `is_impossible`: it contradicts itself, whatever its symbols mean."""

    rows: tuple[Row, ...]
    is_impossible: bool = False


@lru_cache(maxsize=4096)
def vector_of(dimension: Dimension) -> Vector:
    """The exponents as floats, which compare fast; halves, thirds and quarters survive the way back."""
    return tuple(float(exponent) for exponent in dimension.exponents)


@lru_cache(maxsize=4096)
def dimension_of(vector: Vector) -> Dimension:
    """The dimension nearest to a vector of floats."""
    return Dimension(tuple(Fraction(exponent).limit_denominator(24) for exponent in vector))


def dimension_rows(equation: Equation) -> DimensionRows:
    """The linear equations between the dimensions of an equation's symbols."""
    facts = collect_facts(equation)
    system = DimensionSystem()
    is_impossible = False
    for group in facts.groups:
        first = group.members[0].form if group.expected is None else group.expected
        for member in group.members:
            is_impossible |= not system.equate(member.form, first)
    # A power with a symbol above is a plain number when its base is; otherwise it is left unchecked.
    for power in facts.powers:
        base = system.dimension_of(power.base)
        if base is not None and base.is_dimensionless:
            system.equate(Form(unknown={power.name: Fraction(1)}), Form(DIMENSIONLESS))
    open_powers = {power.name for power in facts.powers}
    rows = []
    for name, form in system.solved.items():
        if name in open_powers or not open_powers.isdisjoint(form.unknown):
            continue
        powers = ((name, 1.0), *((other, -float(exponent)) for other, exponent in form.unknown.items()))
        rows.append(Row(powers, vector_of(form.known)))
    return DimensionRows(tuple(rows), is_impossible)


def choose(rows: DimensionRows, proposals: Mapping[str, Sequence[Proposal]], *, keep: int = 4) -> list[Choice]:
    """The best choices, best first, of different dimensions each; empty if the form contradicts itself."""
    if rows.is_impossible or len(proposals) > _MOST_SYMBOLS:
        return []
    search = _Search(rows.rows, proposals, keep)
    search.run()
    return search.best


@dataclass(slots=True)
class _Search:
    rows: tuple[Row, ...]
    proposals: Mapping[str, Sequence[Proposal]]
    keep: int
    best: list[Choice] = field(default_factory=list)
    keys: list[tuple[Vector | None, ...]] = field(default_factory=list)
    nodes: int = 0
    order: list[str] = field(default_factory=list)
    options: dict[str, list[tuple[float, Vector | None, Proposal]]] = field(default_factory=dict)
    likely: dict[str, list[tuple[float, Vector | None, Proposal]]] = field(default_factory=dict)
    bounds: list[float] = field(default_factory=list)
    chosen: dict[str, tuple[Vector | None, Proposal | None]] = field(default_factory=dict)
    rows_of: dict[str, list[Row]] = field(default_factory=dict)
    siblings: dict[str, str] = field(default_factory=dict)

    def run(self) -> None:
        for name, proposals in self.proposals.items():
            total = sum(proposal.weight for proposal in proposals) or 1.0
            self.options[name] = sorted(
                ((math.log(max(proposal.weight / total, 1e-9)), proposal.vector, proposal) for proposal in proposals),
                key=lambda option: -option[0],
            )
            self.likely[name] = [option for option in self.options[name][:_LIKELY] if option[1] is not None] + [
                option for option in self.options[name] if option[1] is None
            ]
            self.rows_of[name] = [row for row in self.rows if any(other == name for other, _ in row.powers)]
            parts = split_name(name)
            # A constant has a letter of its own: N_A is no N.
            own = name if constants_for_symbol(name) else ""
            self.siblings[name] = f"{own}{parts.prefix}:{parts.letter}:{'.'.join(parts.marks)}"
        # The surest first: they prune the most.
        self.order = sorted(self.options, key=lambda name: (-self._certainty(name), name))
        self.bounds = [0.0] * (len(self.order) + 1)
        for index in range(len(self.order) - 1, -1, -1):
            options = self.options[self.order[index]]
            self.bounds[index] = self.bounds[index + 1] + (options[0][0] if options else _IMPLIED)
        self._visit(0, 0.0)

    def _certainty(self, name: str) -> float:
        options = self.options[name]
        if not options:
            return -1.0
        dimensions = {option[1] for option in options}
        return 2.0 if len(dimensions) == 1 and None not in dimensions else math.exp(options[0][0])

    def _visit(self, index: int, score: float) -> None:
        self.nodes += 1
        possible = score + self.bounds[index]
        if self.best and possible <= self.best[0].score - _WORTH_KEEPING:
            return
        if len(self.best) >= self.keep and possible <= self.best[-1].score:
            return
        if self.nodes > (_MAXIMUM_NODES if self.best else _GIVEN_UP):
            return
        if index == len(self.order):
            self._record(score)
            return
        name = self.order[index]
        forced = self._forced(name)
        if forced is _IMPOSSIBLE:
            return
        # Rare meanings count only where the formula itself asks for them.
        options = self.options[name] if forced is not None else self.likely[name]
        fitting = [option for option in options if _agree(option[1], forced)]
        if forced is not None and any(vector is not None for _, vector, _ in fitting):
            # Something proposed is what the formula implies: leaving it open would say the same with less.
            fitting = [option for option in fitting if option[1] is not None]
        for weight, vector, proposal in fitting:
            self.chosen[name] = (forced if vector is None else vector, proposal)
            self._visit(index + 1, score + weight + self._family(name, self.chosen[name][0]))
            del self.chosen[name]
        if forced is not None and not fitting:
            self.chosen[name] = (forced, None)
            self._visit(index + 1, score + _IMPLIED + self._family(name, forced))
            del self.chosen[name]

    def _forced(self, name: str) -> Vector | None:
        """The dimension that follows from what is chosen already, where one equation settles it."""
        found: Vector | None = None
        for row in self.rows_of[name]:
            total, own = list(row.known), 0.0
            for other, power in row.powers:
                if other == name:
                    own = power
                    continue
                vector = self.chosen.get(other, (None, None))[0]
                if vector is None:
                    break
                total = [have - power * exponent for have, exponent in zip(total, vector, strict=True)]
            else:
                forced = tuple(round(exponent / own, 6) + 0.0 for exponent in total)
                if found is not None and found != forced:
                    return _IMPOSSIBLE
                found = forced
        return found

    def _family(self, name: str, vector: Vector | None) -> float:
        """What it costs to differ from a symbol that has the same letter."""
        if vector is None:
            return 0.0
        for other, (settled, _) in self.chosen.items():
            is_sibling = other != name and self.siblings[other] == self.siblings[name]
            if is_sibling and settled is not None and settled != vector:
                return _SIBLINGS_DIFFER
        return 0.0

    def _record(self, score: float) -> None:
        settled = self._settled()
        if settled is None:
            return
        key = tuple(settled[name] for name in self.order)
        for index, (other, known) in enumerate(zip(self.best, self.keys, strict=True)):
            if known == key:
                if other.score >= score:
                    return
                del self.best[index], self.keys[index]
                break
        meanings: dict[str, SymbolMeaning] = {}
        for name, (_, proposal) in self.chosen.items():
            vector = settled[name]
            dimension = None if vector is None else dimension_of(vector)
            if proposal is None:
                meanings[name] = SymbolMeaning(name, dimension=dimension, origin="inferred")
                continue
            meaning = proposal.make()
            if meaning.dimension is None and dimension is not None:
                origin = "inferred" if meaning.origin == "unknown" else meaning.origin
                meaning = replace(meaning, dimension=dimension, origin=origin)
            meanings[name] = meaning
        implied = frozenset(name for name, (_, proposal) in self.chosen.items() if proposal is None)
        place = next((index for index, other in enumerate(self.best) if other.score < score), len(self.best))
        self.best.insert(place, Choice(score, meanings, implied))
        self.keys.insert(place, key)
        del self.best[self.keep :], self.keys[self.keep :]

    def _settled(self) -> dict[str, Vector | None] | None:
        """The dimensions chosen, and those of open symbols that now follow; None where two things follow."""
        settled = {name: vector for name, (vector, _) in self.chosen.items()}
        kept = dict(self.chosen)
        progress = True
        while progress:
            progress = False
            for name, vector in settled.items():
                if vector is None and (forced := self._forced(name)) is not None:
                    if forced is _IMPOSSIBLE:
                        self.chosen = kept
                        return None
                    settled[name] = forced
                    self.chosen[name] = (forced, self.chosen[name][1])
                    progress = True
        self.chosen = kept
        return settled


# Agrees with no dimension at all.
_IMPOSSIBLE: Vector = (math.nan,) * len(BASE_DIMENSIONS)


def _agree(vector: Vector | None, forced: Vector | None) -> bool:
    return vector is None or forced is None or all(abs(a - b) < 1e-5 for a, b in zip(vector, forced, strict=True))
