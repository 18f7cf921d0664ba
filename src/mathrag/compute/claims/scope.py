"""What is known before a claim: the equations so far, what was last written, and what the problem makes doubtful."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mathrag.compute.claims.chains import Side, chains_of, words_of
from mathrag.compute.claims.consequences import OneUnknown, follows
from mathrag.compute.claims.passages import passages_of
from mathrag.compute.claims.sides import read_side
from mathrag.language.word_classes import word_class

# A problem in another base counts otherwise: 7 + 5 = 13 is right there.
_OTHER_BASE = re.compile(
    r"\bbase[- ]?\$?\\?\(?(?:\d|[a-z]\b|two|three|four|five|six|seven|eight|nine)|\d_\{?[\dbB]", re.IGNORECASE
)
# `a \\star b = 2a + b`: a sign that the problem itself explains.
_OTHER_OPERATION = re.compile(
    r"[a-zA-Z]\)?\s*(\\(?:star|ast|circ|oplus|otimes|odot|diamond|Diamond|clubsuit|spadesuit|heartsuit|bullet|triangle|Box"
    r"|boxplus|boxtimes|nabla|dagger|ddagger|Join|bowtie|bigstar|ominus|amalg|wr|uplus|sqcup|S|#|&)|[*@#&§◦∘⊕⊗⋆★♣♠♥♦~])\s*\(?[a-zA-Z]\s*="
)
_MOST_CONSTRAINTS = 60
_MOST_EQUATIONS = 20


@dataclass(frozen=True, slots=True)
class Stated:
    """The chain before: its text on the left, its last side, and where it stood."""

    left: str
    last: Side
    step: int
    end: int
    sides: int = 2


@dataclass(slots=True)
class Scope:
    """What the problem and the steps so far state."""

    # Numbers are written in another base.
    has_other_base: bool = False
    # Letters side by side may be the digits of one number.
    has_digits: bool = False
    # A sign that the problem gives a meaning of its own.
    own_sign: str = ""
    constraints: set[frozenset[str]] = field(default_factory=set)
    stated: Stated | None = None
    equation: OneUnknown | None = None
    equations: list[OneUnknown] = field(default_factory=list)

    def constrain(self, symbols: frozenset[str]) -> None:
        """Note that an equation holds between symbols."""
        if symbols and len(self.constraints) < _MOST_CONSTRAINTS:
            self.constraints.add(symbols)

    def add_equation(self, equation: OneUnknown | None) -> None:
        """Keep an equation for one unknown as the last one."""
        self.equation = equation
        if equation is not None:
            self.equations = [*self.equations[-_MOST_EQUATIONS:], equation]

    def contradicts_all(self, equation: OneUnknown) -> bool:
        """Whether no equation so far has a solution that this one has."""
        same = [each for each in self.equations if each.unknown == equation.unknown]
        return all(follows(each, equation) == "contradicts" for each in same)

    def is_constrained(self, symbols: frozenset[str]) -> bool:
        """Whether something is known that binds these symbols and no others."""
        return any(each <= symbols for each in self.constraints)


def scope_of(problem: str) -> Scope:
    """The scope before the first step."""
    own = _OTHER_OPERATION.search(problem)
    has_digits = bool(words_of(problem) & word_class("claims.digits"))
    scope = Scope(bool(_OTHER_BASE.search(problem)), has_digits, own[1] if own else "")
    for passage in passages_of(problem)[0]:
        for chain in chains_of(passage.text, passage.start):
            reads = [read_side(side.text) for side in chain.sides]
            if sum(read.expression is not None for read in reads) > 1:
                scope.constrain(frozenset(name for read in reads for name in read.symbols))
    return scope
