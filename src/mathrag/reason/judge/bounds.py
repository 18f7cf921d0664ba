"""Which values a quantity can have at all: no efficiency is above 1, no mass is negative, no correlation is below -1.

A bound belongs to a quantity: to its kind, where a document or the question calls it that, or to the name that its
document gives it (a share of something, whatever kind that is). It belongs to no word somewhere in a question: growth,
returns and changes may be more than all of it, and less than nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import islice

from mathrag.knowledge.kinds import lineage
from mathrag.language.quantity_names import head_kinds, head_of
from mathrag.language.stems import stems
from mathrag.language.word_classes import word_class
from mathrag.reason.choosing.slots import Candidate, Slot
from mathrag.types.expression import Number, walk
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import Quantity

_SHARES = word_class("choosing.shares_of_one")
_RELATIVE = word_class("choosing.beyond_one")
_SIGNED = word_class("choosing.signed_heads")
_SAID = frozenset(("document", "edited", "proposed"))
_ROUNDING = 1e-6
_HUNDRED = 100
_MOST_NODES = 400


@dataclass(frozen=True, slots=True)
class Bound:
    """From where to where a quantity goes, and what it is called."""

    name: str
    least: float | None = None
    most: float | None = None

    def broken_by(self, value: float) -> str:
        """Why a value is out of bounds; empty where it is within them."""
        if self.least is not None and value < self.least - (_ROUNDING if self.least else 0.0):
            return f"no {self.name} is " + ("negative" if self.least == 0 else f"below {self.least:g}")
        if self.most is not None and value > self.most + _ROUNDING:
            return f"no {self.name} is above {self.most:g}"
        return ""


def bound_of(slot: Slot, candidate: Candidate, asked: Collection[str] = ()) -> Bound | None:
    """The bound of what stands in a place of a formula; `asked` are the stems of what the question asks for, where it
    asks for this."""
    if is_signed(slot, candidate):
        return None
    return _of_kind(slot, candidate, asked) or _of_name(slot, own_name(slot, candidate))


def is_signed(slot: Slot, candidate: Candidate) -> bool:
    """Whether the document's own name for a quantity says that it may have either sign: a weight change, a growth."""
    return not _SIGNED.isdisjoint(_words(own_name(slot, candidate))[-1:])


def own_name(slot: Slot, candidate: Candidate) -> str:
    """What a document calls the quantity: in its words for the symbol, or by the name of a formula that gives it."""
    if slot.meaning.origin in _SAID and slot.meaning.description:
        return slot.meaning.description
    return candidate.formula.label if candidate.own_target == slot.symbol else ""


def _of_kind(slot: Slot, candidate: Candidate, asked: Collection[str]) -> Bound | None:
    kind = slot.kind
    if kind is None:
        return None
    least = 0.0 if kind.sign != "any" else None
    if not kind.dimension.is_dimensionless:
        return Bound(kind.name, least)
    # Plain numbers are told apart by no unit: a letter alone does not make one a probability.
    if not _is_said(kind, own_name(slot, candidate), candidate.label_stems, frozenset(asked)):
        return None
    most = 1.0 if kind.maximum == 1.0 else None
    if most is None:
        # Where its document calls it a share, that is its bound, however its kind is counted.
        return None if least is None or _is_share(own_name(slot, candidate)) else Bound(kind.name, least)
    return Bound(kind.name, -1.0 if kind.minimum == -1.0 else least, most)


def _is_said(kind: QuantityKind, name: str, *others: frozenset[str]) -> bool:
    """Whether a name, or other words, call a quantity what the kind is called."""
    named = {each.id for each in head_kinds(name)} if name else set()
    if named & lineage(kind.id) or any(kind.id in lineage(each) for each in named):
        return True
    own = frozenset(stems(kind.name))
    return any(own <= words for words in others)


def _of_name(slot: Slot, name: str) -> Bound | None:
    if slot.dimension not in ("1", None) or not _is_share(name):
        return None
    return Bound(" ".join(_words(name)), 0.0, 1.0)


def _is_share(name: str) -> bool:
    """Whether a name says that something is a part of one whole: "availability of the line", but no "relative
    efficiency"."""
    words = _words(name)
    if " ".join(words[-2:]) in _SHARES:
        return True
    return bool(words) and words[-1] in _SHARES and _RELATIVE.isdisjoint(words)


def _words(name: str) -> list[str]:
    return head_of(name).casefold().replace("(", " ").split()


def as_share(value: Quantity, candidate: Candidate) -> float:
    """A value as a share of one, where its formula counts in hundreds of it without saying so."""
    is_plain = value.dimension.is_dimensionless and not value.unit.text
    return value.si_value / _HUNDRED if is_plain and _counts_in_hundreds(candidate) else value.si_value


def _counts_in_hundreds(candidate: Candidate) -> bool:
    sides = (candidate.equation.left, candidate.equation.right)
    nodes = (node for side in sides for node in islice(walk(side), _MOST_NODES))
    return any(isinstance(node, Number) and node.value == _HUNDRED for node in nodes)
