"""What follows from equations between matrices: `AB = AC` with A invertible gives `B = C`, and `AB = 0` does not give
`A = 0 or B = 0`. Refuted by 2 × 2 matrices of noughts and ones with signs; proved where the premise, multiplied by
inverses that are given on either side, or transposed, is the conclusion. What is neither is not decided."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.algebra.matrices import Matrix, determinant
from mathrag.compute.algebra.matrix_laws import Kinds, difference_form
from mathrag.compute.algebra.matrix_statements import (
    MatrixStatement,
    NoValueError,
    Value,
    holds_for,
)
from mathrag.compute.algebra.term_reader import Node

_SIZE = 2
_MOST_CHOICES = 7_000
_ENTRIES = tuple(map(Fraction, (0, 1, -1)))


@dataclass(frozen=True, slots=True)
class MatrixImplication:
    """Equations that are given, letters that are invertible or not the zero matrix, and equations one of which should
    hold."""

    premises: tuple[MatrixStatement, ...]
    conclusions: tuple[MatrixStatement, ...]
    invertible: frozenset[str] = frozenset()
    nonzero: frozenset[str] = frozenset()

    @property
    def letters(self) -> tuple[str, ...]:
        """All letters that stand for matrices."""
        every = {name for one in (*self.premises, *self.conclusions) for name in one.letters}
        return tuple(sorted(every | self.invertible | self.nonzero))


def refuting_matrices(claim: MatrixImplication) -> Mapping[str, Matrix] | None:
    """Small matrices for which all that is given holds, and none of the conclusions."""
    for chosen in _choices(claim.letters):
        if any(not determinant(chosen[name]) for name in claim.invertible):
            continue
        if any(not any(map(any, chosen[name])) for name in claim.nonzero):
            continue
        case: dict[str, Value] = dict(chosen)
        try:
            if all(holds_for(one, case, _SIZE) for one in claim.premises) and not any(
                holds_for(one, case, _SIZE) for one in claim.conclusions
            ):
                return chosen
        except NoValueError:
            continue
    return None


def _choices(letters: Sequence[str]) -> Iterator[Mapping[str, Matrix]]:
    """All ways to choose few matrices, of many some by chance, those of noughts and ones first."""
    small = [((a, b), (c, d)) for a, b, c, d in itertools.product(_ENTRIES[:2], repeat=4)]
    every = [((a, b), (c, d)) for a, b, c, d in itertools.product(_ENTRIES, repeat=4)]
    for among in (small, every):
        if len(among) ** len(letters) <= _MOST_CHOICES:
            for values in itertools.product(among, repeat=len(letters)):
                yield dict(zip(letters, values, strict=True))
        else:
            chance = random.Random(5)  # noqa: S311 - no secret
            for _ in range(_MOST_CHOICES):
                yield {name: chance.choice(among) for name in letters}


def is_proved(claim: MatrixImplication) -> bool:
    """Whether a premise becomes a conclusion when it is multiplied by given inverses, or transposed."""
    for premise, conclusion in itertools.product(claim.premises, claim.conclusions):
        wanted = difference_form(conclusion.left, conclusion.right, Kinds())
        if wanted is None:
            continue
        factors = [Node("letter", (), "I")]
        factors += [Node("raised", (Node("letter", (), name),), "-1") for name in sorted(claim.invertible)]
        for before, behind, power in itertools.product(factors, factors, ("", "T", "-1")):
            sides = [_multiplied(side, before, behind, power) for side in (premise.left, premise.right)]
            if power == "-1" and not _is_invertible(premise, claim.invertible):
                continue
            found = difference_form(sides[0], sides[1], Kinds())
            if found is not None and (found == wanted or {term: -count for term, count in found.items()} == wanted):
                return True
    return False


def _multiplied(side: Node, before: Node, behind: Node, power: str) -> Node:
    made = Node("product", (Node("product", (before, side)), behind))
    return Node("raised", (made,), power) if power else made


def _is_invertible(premise: MatrixStatement, invertible: frozenset[str]) -> bool:
    return set(premise.letters) <= invertible
