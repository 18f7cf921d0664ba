"""What a question of pure mathematics asks to be done: one record for each kind of task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.compute.algebra.identities import Comparison, Numbers
from mathrag.types.expression import Expression


@dataclass(frozen=True, slots=True)
class Differentiate:
    """The derivative of an order, at a place where one is given."""

    body: Expression
    symbol: str
    order: int = 1
    place: Expression | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Integrate:
    """A primitive function, or the integral between bounds."""

    body: Expression
    symbol: str
    bounds: tuple[Expression, Expression] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeLimit:
    """A limit; `side` is 1 from above and -1 from below."""

    body: Expression
    symbol: str
    place: Expression
    side: int = 0
    notes: tuple[str, ...] = ()


Way: TypeAlias = Literal["simplify", "one_fraction", "expand", "factor", "partial_fractions"]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Another form of an expression."""

    body: Expression
    way: Way
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Solve:
    """Equations or one inequality, for the unknowns; none where the question leaves them open. `decimal` are the same
    with logarithms to base 10, where some have no base."""

    relations: tuple[Comparison, ...]
    unknowns: tuple[str, ...] = ()
    wants_complex: bool = False
    notes: tuple[str, ...] = ()
    decimal: tuple[Comparison, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression at values of all of its symbols."""

    body: Expression
    values: tuple[tuple[str, Expression], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement whose truth is asked for, with what limits its symbols."""

    relations: tuple[Comparison, ...]
    conditions: tuple[Comparison, ...] = ()
    # Which numbers the symbols stand for: any real ones, whole ones from 0 on, or those of either sign.
    numbers: Numbers = "real"
    has_bare_log: bool = False
    notes: tuple[str, ...] = ()
    # Whether it is asked if, or when, it is true at all.
    asks_ever: bool = False
    # Whether it stands alone without a word: what is no identity is there to be solved.
    is_bare: bool = False


@dataclass(frozen=True, slots=True)
class AddUp:
    """A sum or product over an index."""

    body: Expression
    index: str
    lower: Expression
    upper: Expression
    is_product: bool = False
    notes: tuple[str, ...] = ()


Task: TypeAlias = Differentiate | Integrate | TakeLimit | Rewrite | Solve | Evaluate | Claim | AddUp
