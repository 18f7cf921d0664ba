"""Search for the likeliest meanings whose dimensions agree. Knows weights and exponents, neither words nor formulas.

Depth first over the symbols, the surest first, cut off by the best found so far. Dimensions are numbered while one
formula is looked at, so that what a row demands, and what fits it, is worked out once and looked up after that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from operator import add, mul, sub
from typing import TypeAlias

from mathrag.compute.dimensions import DimensionSystem, Form, collect_facts
from mathrag.extract.weights import weights
from mathrag.knowledge.constants import constants_for_symbol
from mathrag.types.expression import Equation
from mathrag.types.library import SymbolMeaning
from mathrag.types.quantity import DIMENSIONLESS, Dimension
from mathrag.types.symbol_names import split_name

Vector: TypeAlias = tuple[float, ...]

_MAXIMUM_NODES = 4000
# Where nothing has been found after so many steps, the formula is left without meanings rather than the reader waiting.
_GIVEN_UP = 30_000
_LIKELY = 7
_SIBLINGS_DIFFER = math.log(weights("choice")["siblings_differ"])
_WORTH_KEEPING = -math.log(weights("choice")["worth_keeping"])
_IMPLIED = math.log(weights("choice")["implied"])
# Exponents are sums of halves, thirds and quarters; what rounding leaves is smaller.
_CLOSE = 1e-5
_SIGNATURE = (1.0, 2.236, 5.0, 11.18, 25.0, 55.9, 125.0, 279.5)
_SIGNATURE_SLACK = 1e-5 * sum(_SIGNATURE) * 1.01
# Numbers of dimensions that are none: left open, and demanded to be two at once.
_OPEN = -1
_IMPOSSIBLE = -2


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


@lru_cache(maxsize=4096)
def vector_of(dimension: Dimension) -> Vector:
    """The exponents as floats, which compare fast; halves, thirds and quarters survive the way back."""
    return tuple(float(exponent) for exponent in dimension.exponents)


@lru_cache(maxsize=4096)
def dimension_of(vector: Vector) -> Dimension:
    """The dimension nearest to a vector of floats."""
    return Dimension(tuple(Fraction(exponent).limit_denominator(24) for exponent in vector))


# The logarithm of its share of the weight, the number of its dimension, the proposal (None where it is implied only).
_Option: TypeAlias = tuple[float, int, Proposal | None]


@dataclass(frozen=True, slots=True)
class _Demand:
    """What a row says of one of its symbols once the others are chosen, remembered by their dimensions."""

    known: Vector
    own: float
    others: tuple[tuple[int, float], ...]
    remembered: dict[tuple[int, ...], int]


@dataclass(frozen=True, slots=True)
class _Found:
    """One complete choice: the dimensions of all symbols by number, and the proposals they come from."""

    score: float
    settled: tuple[int, ...]
    proposals: tuple[Proposal | None, ...]


class ChoiceSearch:
    """One search; `nodes` counts its steps."""

    def __init__(self, rows: Sequence[Row], proposals: Mapping[str, Sequence[Proposal]], keep: int) -> None:
        self.keep = keep
        self.nodes = 0
        self._most_nodes = _GIVEN_UP
        # Choices that cannot come above this are not worth looking at.
        self._floor = -math.inf
        self._best: list[_Found] = []
        self._vectors: list[Vector] = []
        self._signatures: list[float] = []
        self._numbers: dict[Vector, int] = {}
        options = {name: self._weighed(each) for name, each in proposals.items()}
        # The surest first: they prune the most.
        self.order = sorted(options, key=lambda name: (-_certainty(options[name]), name))
        self._options = [options[name] for name in self.order]
        self._fitting: list[dict[int, list[_Option]]] = [{_OPEN: _likely(each)} for each in self._options]
        self._bounds = [0.0] * (len(self.order) + 1)
        for index in range(len(self.order) - 1, -1, -1):
            each = self._options[index]
            self._bounds[index] = self._bounds[index + 1] + (each[0][0] if each else _IMPLIED)
        self._chosen = [_OPEN] * len(self.order)
        self._taken: list[Proposal | None] = [None] * len(self.order)
        self._siblings = _siblings(self.order)
        self._demands = _demands(rows, self.order)
        # While the search goes down, only those count whose other symbols are all chosen before.
        self._ripe = [
            [demand for demand in demands if all(other < index for other, _ in demand.others)]
            for index, demands in enumerate(self._demands)
        ]

    def _weighed(self, proposals: Sequence[Proposal]) -> list[_Option]:
        total = sum(proposal.weight for proposal in proposals) or 1.0
        return sorted(
            (
                (math.log(max(proposal.weight / total, 1e-9)), self._number(proposal.vector), proposal)
                for proposal in proposals
            ),
            key=lambda option: -option[0],
        )

    def _number(self, vector: Vector | None) -> int:
        if vector is None:
            return _OPEN
        number = self._numbers.get(vector)
        if number is None:
            number = self._numbers[vector] = len(self._vectors)
            self._vectors.append(vector)
            self._signatures.append(_signature(vector))
        return number

    def run(self) -> list[Choice]:
        """The best choices, best first."""
        self.nodes = 1
        if self.order:
            self._visit(0, 0.0)
        else:
            self._record(0.0)
        return [self._choice(found) for found in self._best]

    def _visit(self, index: int, score: float) -> None:
        """Try every meaning of one symbol, those before it being chosen."""
        demanded = self._demanded(self._ripe[index]) if self._ripe[index] else _OPEN
        if demanded == _IMPOSSIBLE:
            return
        fitting = self._fitting[index].get(demanded)
        if fitting is None:
            fitting = self._fitting[index][demanded] = self._fitted(index, demanded)
        siblings, chosen, taken = self._siblings[index], self._chosen, self._taken
        bound, is_last = self._bounds[index + 1], index + 1 == len(self.order)
        for weight, number, proposal in fitting:
            next_score = score + weight
            if siblings and number != _OPEN:
                # What it costs to differ from a symbol that has the same letter.
                for other in siblings:
                    if chosen[other] not in (_OPEN, number):
                        next_score += _SIBLINGS_DIFFER
                        break
            self.nodes += 1
            if next_score + bound <= self._floor or self.nodes > self._most_nodes:
                continue
            chosen[index] = number
            taken[index] = proposal
            if is_last:
                self._record(next_score)
            else:
                self._visit(index + 1, next_score)
        chosen[index] = _OPEN

    def _fitted(self, index: int, demanded: int) -> list[_Option]:
        """The options that have the dimension that the formula demands; rare meanings count only here."""
        vector, signature = self._vectors[demanded], self._signatures[demanded]
        signatures = self._signatures
        fitting = [
            option
            for option in self._options[index]
            if option[1] == _OPEN
            or (
                -_SIGNATURE_SLACK < signatures[option[1]] - signature < _SIGNATURE_SLACK
                and _are_close(self._vectors[option[1]], vector)
            )
        ]
        proposed = [option for option in fitting if option[1] != _OPEN]
        if proposed:
            # Something proposed is what the formula implies: that is no less likely than leaving it open.
            opened = max((weight for weight, number, _ in fitting if number == _OPEN), default=proposed[0][0])
            return [(max(weight, opened), number, proposal) for weight, number, proposal in proposed]
        return [(weight, demanded, proposal) for weight, _, proposal in fitting] or [(_IMPLIED, demanded, None)]

    def _demanded(self, demands: Sequence[_Demand]) -> int:
        """The dimension that follows from what is chosen already, where one equation settles it."""
        found = _OPEN
        chosen = self._chosen
        for demand in demands:
            key = tuple([chosen[other] for other, _ in demand.others])
            number = demand.remembered.get(key)
            if number is None:
                number = demand.remembered[key] = self._worked_out(demand, key)
            if number == _OPEN:
                continue
            if found not in (_OPEN, number):
                return _IMPOSSIBLE
            found = number
        return found

    def _worked_out(self, demand: _Demand, key: tuple[int, ...]) -> int:
        if _OPEN in key:
            return _OPEN
        total = demand.known
        for (_, power), number in zip(demand.others, key, strict=True):
            vector = self._vectors[number]
            if power == 1.0:
                total = tuple(map(sub, total, vector))
            elif power == -1.0:
                total = tuple(map(add, total, vector))
            else:
                total = tuple([have - power * exponent for have, exponent in zip(total, vector, strict=True)])
        if demand.own != 1.0:
            total = tuple([exponent / demand.own for exponent in total])
        # Adding zero makes a negative zero a plain one.
        return self._number(tuple([(each if each.is_integer() else round(each, 6)) + 0.0 for each in total]))

    def _record(self, score: float) -> None:
        settled = self._settled()
        if settled is None:
            return
        best = self._best
        for index, other in enumerate(best):
            if other.settled == settled:
                if other.score >= score:
                    return
                del best[index]
                break
        place = next((index for index, other in enumerate(best) if other.score < score), len(best))
        best.insert(place, _Found(score, settled, tuple(self._taken)))
        del best[self.keep :]
        self._most_nodes = _MAXIMUM_NODES
        self._floor = best[0].score - _WORTH_KEEPING
        if len(best) >= self.keep:
            self._floor = max(self._floor, best[-1].score)

    def _settled(self) -> tuple[int, ...] | None:
        """The dimensions chosen, and those of open symbols that now follow; None where two things follow."""
        if _OPEN not in self._chosen:
            return tuple(self._chosen)
        kept = list(self._chosen)
        has_impossible = self._fill_in()
        settled = tuple(self._chosen)
        self._chosen[:] = kept
        return None if has_impossible else settled

    def _fill_in(self) -> bool:
        progress = True
        while progress:
            progress = False
            for index, number in enumerate(self._chosen):
                if number == _OPEN and (demanded := self._demanded(self._demands[index])) != _OPEN:
                    if demanded == _IMPOSSIBLE:
                        return True
                    self._chosen[index] = demanded
                    progress = True
        return False

    def _choice(self, found: _Found) -> Choice:
        meanings: dict[str, SymbolMeaning] = {}
        for name, number, proposal in zip(self.order, found.settled, found.proposals, strict=True):
            dimension = None if number == _OPEN else dimension_of(self._vectors[number])
            if proposal is None:
                meanings[name] = SymbolMeaning(name, dimension=dimension, origin="inferred")
                continue
            meaning = proposal.make()
            if meaning.dimension is None and dimension is not None:
                origin = "inferred" if meaning.origin == "unknown" else meaning.origin
                meaning = replace(meaning, dimension=dimension, origin=origin)
            meanings[name] = meaning
        implied = [name for name, proposal in zip(self.order, found.proposals, strict=True) if proposal is None]
        return Choice(found.score, meanings, frozenset(implied))


def _likely(options: Sequence[_Option]) -> list[_Option]:
    """The options where the formula demands nothing: the few likeliest, and those that leave the dimension open."""
    return [option for option in options[:_LIKELY] if option[1] != _OPEN] + [
        option for option in options if option[1] == _OPEN
    ]


def _certainty(options: Sequence[_Option]) -> float:
    if not options:
        return -1.0
    numbers = {number for _, number, _ in options}
    return 2.0 if len(numbers) == 1 and _OPEN not in numbers else math.exp(options[0][0])


def _siblings(order: Sequence[str]) -> list[list[int]]:
    """For every symbol those before it that have the same letter."""
    families: dict[str, list[int]] = {}
    found = []
    for index, name in enumerate(order):
        parts = split_name(name)
        # A constant has a letter of its own: N_A is no N.
        own = name if constants_for_symbol(name) else ""
        family = families.setdefault(f"{own}{parts.prefix}:{parts.letter}:{'.'.join(parts.marks)}", [])
        found.append(list(family))
        family.append(index)
    return found


def _demands(rows: Sequence[Row], order: Sequence[str]) -> list[list[_Demand]]:
    """What the rows say of each symbol. A row with something that is no symbol of the formula never says anything."""
    places = {name: index for index, name in enumerate(order)}
    found: list[list[_Demand]] = [[] for _ in order]
    for row in rows:
        if all(name in places for name, _ in row.powers):
            for name, own in row.powers:
                others = tuple((places[other], power) for other, power in row.powers if other != name)
                found[places[name]].append(_Demand(row.known, own, others, {}))
    return found


def _are_close(first: Vector, second: Vector) -> bool:
    return all(abs(a - b) < _CLOSE for a, b in zip(first, second, strict=True))


def _signature(vector: Vector) -> float:
    """One number a vector: vectors that are close have close ones, so that most others are told apart at once."""
    return math.fsum(map(mul, vector, _SIGNATURE))


# Choose what the symbols of one formula mean, all at once: the likeliest choices whose dimensions agree.
#
# The form of the formula gives linear equations between the dimensions of its symbols (`compute.dimension_facts`);
# `choice_search.py` keeps the few best choices that satisfy them. Proposals come with their weights from
# `meanings.py`.

# More symbols than any formula people use; the search recurses once a symbol.
_MOST_SYMBOLS = 60


@dataclass(frozen=True, slots=True)
class DimensionRows:
    """What the form of a formula demands. `is_impossible`: it contradicts itself, whatever its symbols mean."""

    rows: tuple[Row, ...]
    is_impossible: bool = False


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
    return ChoiceSearch(rows.rows, proposals, keep).run()
