"""What speaks for a slot being what is asked: its symbol, its name, its kind and state, the unit asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mathrag.knowledge.kinds import broader_kinds
from mathrag.knowledge.kinds import kind as kind_of
from mathrag.language.stems import stem, stems, stems_of_words
from mathrag.reason.choosing.names import best_match
from mathrag.reason.choosing.slots import ANGULAR, Candidate, Slot
from mathrag.reason.choosing.value_evidence import are_siblings, state_evidence, symbol_evidence
from mathrag.types.knowledge import QuantityKind
from mathrag.types.question import Target
from mathrag.types.symbol_names import SymbolParts, split_name

_SURELY_NAMED = 0.6
# Words that many kinds share: alone they name none of them.
_VAGUE = frozenset(map(stem, ("size", "amount", "level", "rate", "range", "count", "number", "quantity", "strength")))
_OTHER = frozenset(map(stem, ("other", "another", "second", "remaining")))
# What stands before one of these is what the phrase is about: "range without air resistance".
_HEAD_ENDS = re.compile(
    r"\b(?:of|in|on|at|for|from|to|with|by|per|about|above|below|after|before|without|between|through|when|if|that|does)\b"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A target prepared for comparing. `rank` is its place among the targets of the question; `is_named` says that its
    words name a kind of quantity, rather than ask how fast or how much."""

    target: Target
    rank: int
    stems: tuple[str, ...]
    parts: SymbolParts | None
    kinds: tuple[QuantityKind, ...]
    dimensions: frozenset[str]
    roles: frozenset[str]
    is_named: bool
    core: tuple[str, ...] = ()

    @property
    def head(self) -> str:
        """The word that says what is asked for: `rate` of "yearly rate"."""
        return self.core[-1] if self.core else ""


def asked_targets(targets: Sequence[Target]) -> tuple[Asked, ...]:
    """What a question asks, prepared."""
    return tuple(_asked(rank, target) for rank, target in enumerate(targets))


def _asked(rank: int, target: Target) -> Asked:
    kinds = tuple(kind_of(each) for each in target.kinds)
    words = dict.fromkeys((*stems(target.phrase), *stems_of_words(target.words)))
    return Asked(
        target=target,
        rank=rank,
        stems=tuple(words),
        parts=split_name(target.symbol) if target.symbol else None,
        kinds=kinds,
        dimensions=frozenset(str(kind.dimension) for kind in kinds),
        roles=frozenset(target.roles),
        is_named=any(_is_said(stems(name), words.keys()) for kind in kinds for name in kind.words),
        core=stems(_HEAD_ENDS.split(target.phrase, maxsplit=1)[0]) if target.phrase else (),
    )


def _is_said(name: tuple[str, ...], words: Collection[str]) -> bool:
    return all(word in words for word in name) and not (len(name) == 1 and name[0] in _VAGUE)


def target_evidence(asked: Asked | None, slot: Slot, *, unit_fits: bool | None) -> dict[str, float]:
    """Named evidence that a slot is what is asked. `unit_fits` says whether a unit asked for has its dimension."""
    evidence = dict.fromkeys(
        ("target_symbol", "target_kind", "target_words", "target_state", "target_other", "target_unit", "target_rank"),
        0.0,
    )
    evidence["target_unit"] = 1.0 if unit_fits else 0.0
    if asked is None:
        return evidence
    evidence["target_symbol"] = symbol_evidence(asked.parts, slot)
    evidence["target_words"] = best_match(slot.names, asked.stems)
    evidence["target_state"] = state_evidence(asked.roles, slot.states)
    evidence["target_rank"] = -float(asked.rank)
    evidence["target_distinct"] = 1.0 if not slot.distinct.isdisjoint(asked.stems) else 0.0
    if asked.kinds:
        evidence["target_kind"] = _kind_evidence(asked, slot)
        is_other = slot.dimension is not None and slot.dimension not in asked.dimensions
        is_other = is_other or _is_no_angle(asked, slot) or _is_other_rate(asked, slot)
        # What bears the very name that is asked for is meant, whatever else the name can mean; so is what the unit
        # asked for measures, where the words are no name.
        if is_other and evidence["target_words"] < _SURELY_NAMED and not _is_headed(asked, slot):
            evidence["target_other"] = 0.0 if unit_fits and not asked.is_named else 1.0
        elif not is_other and asked.is_named and asked.parts is None:
            evidence["target_conflict"] = _unlike(asked, slot) * (1.0 - evidence["target_words"])
    return evidence


def absent_share(asked: Asked, slot: Slot, candidate: Candidate) -> float:
    """How much of what is asked for neither the slot nor the formula speaks of, where a name is asked for: a Bragg
    angle is no angle of whatever else."""
    if not asked.is_named or asked.parts is not None:
        return 0.0
    known = candidate.word_stems | candidate.label_stems
    return sum(word not in known and not slot.names.has(word) for word in asked.core) / len(asked.core)


def _is_headed(asked: Asked, slot: Slot) -> bool:
    """Whether a name of the slot ends with the word that is asked for, where that alone names no kind for sure: a
    yearly rate may be an interest rate."""
    if not asked.head or asked.is_named or asked.parts is not None:
        return False
    names = (slot.meaning.description, *(slot.kind.words if slot.kind is not None else ()))
    heads = (stems(_HEAD_ENDS.split(name, maxsplit=1)[0]) for name in names)
    return any(head and head[-1] == asked.head for head in heads)


def _is_no_angle(asked: Asked, slot: Slot) -> bool:
    """Whether an angle is asked for and the slot is another plain number, such as a coefficient."""
    if slot.kind is None or not slot.kind.dimension.is_dimensionless or slot.kind.unit == "rad":
        return False
    return asked.is_named and all(kind.unit == "rad" for kind in asked.kinds)


def _is_other_rate(asked: Asked, slot: Slot) -> bool:
    """Whether cycles a second are asked for and the slot is in radians a second, or the other way round."""
    if slot.is_angular:
        return all(kind.counts_cycles for kind in asked.kinds)
    return slot.kind is not None and slot.kind.counts_cycles and all(kind.unit in ANGULAR for kind in asked.kinds)


def _unlike(asked: Asked, slot: Slot) -> float:
    """How far what is asked for is another kind of quantity than the slot's, of the same dimension."""
    if slot.kind is None or any(_is_alike(kind, slot) for kind in asked.kinds):
        return 0.0
    return 0.4 if are_siblings(frozenset(kind.id for kind in asked.kinds), slot) else 1.0


def _is_alike(kind: QuantityKind, slot: Slot) -> bool:
    return kind.id in slot.lineage or any(
        slot.kind is not None and each.id == slot.kind.id for each in broader_kinds(kind)
    )


def _kind_evidence(asked: Asked, slot: Slot) -> float:
    if slot.kind is None:
        return 0.0
    for rank, kind in enumerate(asked.kinds):
        if kind.id == slot.kind.id:
            return 1.0 if rank == 0 else 0.8
        if kind.id in slot.lineage or any(each.id == slot.kind.id for each in broader_kinds(kind)):
            return 0.6
    return 0.0


def is_unasked_start(candidate: Candidate, slot: Slot, asked: Asked) -> bool:
    """Whether a slot is the beginning of something whose later value the formula has too, and no beginning is asked."""
    if "initial" not in slot.states or "initial" in asked.roles or asked.parts is not None or slot.is_first:
        return False
    letter = slot.parts.letter
    return any(other is not slot and other.parts.letter == letter for other in candidate.slots)


def is_the_other(candidate: Candidate, slot: Slot, asked: Asked) -> bool:
    """Whether the other of several like things is asked for, and the slot is one of several."""
    if _OTHER.isdisjoint(asked.stems) or slot.index is None:
        return False
    letter = slot.parts.letter
    return any(other is not slot and other.parts.letter == letter and other.index for other in candidate.slots)


def is_count_asked(slot: Slot, units: frozenset[str]) -> bool:
    """Whether a number of periods is asked for as a time ("how many years")."""
    return "s" in units and slot.dimension == "1" and slot.kind is not None and slot.kind.id.startswith("number_of_")
