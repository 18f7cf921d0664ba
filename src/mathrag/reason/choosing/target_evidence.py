"""What speaks for a slot being what is asked: its symbol, its name, its kind and state, the unit asked for; and whether
the unknown and a value stand in each other's places. Weighs nothing: `weights.py` has how much each counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mathrag.knowledge.kinds import lineage
from mathrag.language.stems import stem
from mathrag.language.word_classes import word_class
from mathrag.reason.choosing.assignment import Pairs
from mathrag.reason.choosing.names import best_match
from mathrag.reason.choosing.question_view import PreparedTarget, PreparedValue, head_stems
from mathrag.reason.choosing.slots import ANGULAR, Candidate, Slot
from mathrag.reason.choosing.value_evidence import are_siblings, state_evidence, symbol_evidence
from mathrag.reason.choosing.weights import amounts, thresholds
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import Unit

_SURELY_NAMED = thresholds("target")["surely_named"]
_SWAPPED_NAME = thresholds("target")["swapped_name"]
_SAME_SYMBOL = thresholds("symbol")["same"]
_KIND, _SYMBOL = amounts("kind"), amounts("symbol")
_SIZES = frozenset(map(stem, word_class("choosing.sizes")))
_OTHER = frozenset(map(stem, word_class("choosing.other")))


def target_evidence(asked: PreparedTarget | None, slot: Slot, *, unit_fits: bool | None) -> dict[str, float]:
    """Named evidence that a slot is what is asked. `unit_fits` says whether a unit asked for has its dimension."""
    evidence = dict.fromkeys(
        ("target_symbol", "target_kind", "target_words", "target_state", "target_other", "target_unit", "target_rank"),
        0.0,
    )
    evidence["target_unit"] = 1.0 if unit_fits else 0.0
    if asked is None:
        return evidence
    evidence["target_symbol"] = symbol_evidence(asked.parts, slot)
    if asked.parts is None and slot.spelled in asked.stems:
        evidence["target_symbol"] = _SYMBOL["same_undivided"]
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
        is_named = evidence["target_words"] >= _SURELY_NAMED and _has_meaning(slot) and _is_wholly_named(asked, slot)
        # What an author calls by this very symbol is that, whatever the letter usually is.
        is_named = is_named or (evidence["target_symbol"] >= _SAME_SYMBOL and not asked.is_named and _is_own(slot))
        if is_other and not is_named and not _is_headed(asked, slot):
            evidence["target_other"] = 0.0 if unit_fits and not asked.is_named else 1.0
        elif not is_other and asked.is_named and asked.parts is None:
            unlike = _unlike(asked, slot) * (1.0 - evidence["target_words"])
            evidence["target_conflict"] = unlike
            if slot.kind is not None and slot.kind.dimension.is_dimensionless:
                evidence["target_unlike_number"] = unlike
    return evidence


def how_asked(evidence: Mapping[str, float]) -> float:
    """How plainly a question asks for the result of a plan with this evidence: by its symbol, its kind or its name."""
    return max(evidence.get(name, 0.0) for name in ("target_symbol", "target_kind", "target_words"))


def absent_share(asked: PreparedTarget, slot: Slot, candidate: Candidate) -> float:
    """How much of what is asked for neither the slot nor the formula speaks of, where a name is asked for: a Bragg
    angle is no angle of whatever else."""
    if not asked.is_named or asked.parts is not None:
        return 0.0
    known = candidate.word_stems | candidate.label_stems
    return sum(word not in known and not slot.names.has(word) for word in asked.core) / len(asked.core)


def _is_own(slot: Slot) -> bool:
    """Whether a symbol is more than one letter, or its document says what it stands for."""
    return len(slot.symbol) > 1 or slot.meaning.origin == "document"


def _is_headed(asked: PreparedTarget, slot: Slot) -> bool:
    """Whether a name of the slot ends with the word that is asked for, where that alone names no kind for sure: a
    yearly rate may be an interest rate."""
    if not asked.head or asked.is_named or asked.parts is not None:
        return False
    names = (slot.meaning.description, *(slot.kind.words if slot.kind is not None else ()))
    heads = map(head_stems, names)
    return any(head and head[-1] == asked.head for head in heads)


def _is_wholly_named(asked: PreparedTarget, slot: Slot) -> bool:
    """Whether what is asked for has every word of a name of the slot, or several before its "of": a temperature is no
    temperature coefficient."""
    said = frozenset(asked.core or asked.stems)
    head = head_stems(slot.meaning.description)
    return any(said.issuperset(name.stems) for name in slot.names) or (len(head) > 1 and said.issuperset(head))


def _has_meaning(slot: Slot) -> bool:
    """Whether the dimension of a slot is that of its name, rather than what other symbols leave for it."""
    return slot.kind is not None or slot.meaning.unit is not None or slot.dimension is None


def _is_no_angle(asked: PreparedTarget, slot: Slot) -> bool:
    """Whether an angle is asked for and the slot is another plain number, such as a coefficient."""
    if slot.kind is None or not slot.kind.dimension.is_dimensionless or slot.kind.unit == "rad":
        return False
    return asked.is_named and all(kind.unit == "rad" for kind in asked.kinds)


def _is_other_rate(asked: PreparedTarget, slot: Slot) -> bool:
    """Whether cycles a second are asked for and the slot is in radians a second, or the other way round."""
    if slot.is_angular:
        return all(kind.counts_cycles for kind in asked.kinds)
    return slot.kind is not None and slot.kind.counts_cycles and all(kind.unit in ANGULAR for kind in asked.kinds)


def _unlike(asked: PreparedTarget, slot: Slot) -> float:
    """How far what is asked for is another kind of quantity than the slot's, of the same dimension."""
    kinds = _specific(asked)
    if slot.kind is None or any(_is_alike(kind, slot) for kind in kinds):
        return 0.0
    return _KIND["sibling_conflict"] if are_siblings(frozenset(kind.id for kind in kinds), slot) else 1.0


def _is_alike(kind: QuantityKind, slot: Slot) -> bool:
    """Whether a kind is the slot's, broader or narrower."""
    return slot.kind is not None and (kind.id in slot.lineage or slot.kind.id in lineage(kind.id))


def _specific(asked: PreparedTarget) -> tuple[QuantityKind, ...]:
    """The kinds asked for without those that are only broader than the first, where words name that one: whoever asks
    for a friction force asks for no other force."""
    if not asked.is_named or len(asked.kinds) < 2:
        return asked.kinds
    first = asked.kinds[0]
    return tuple([kind for kind in asked.kinds if kind.id == first.id or kind.id not in lineage(first.id)])


def _kind_evidence(asked: PreparedTarget, slot: Slot) -> float:
    if slot.kind is None:
        return 0.0
    specific = _specific(asked)
    for rank, kind in enumerate(specific):
        if kind.id == slot.kind.id:
            return _KIND["first"] if rank == 0 else _KIND["further"]
        if _is_alike(kind, slot):
            return _KIND["related"]
    return _KIND["sibling"] if any(_is_alike(kind, slot) for kind in asked.kinds) else 0.0


def is_unasked_start(candidate: Candidate, slot: Slot, asked: PreparedTarget) -> bool:
    """Whether a slot is the beginning of something whose later value the formula has too, and no beginning is asked."""
    if "initial" not in slot.states or "initial" in asked.roles or asked.parts is not None or slot.is_first:
        return False
    letter = slot.parts.letter
    return any(other is not slot and other.parts.letter == letter for other in candidate.slots)


def is_the_other(candidate: Candidate, slot: Slot, asked: PreparedTarget) -> bool:
    """Whether the other of several like things is asked for, and the slot is one of several."""
    if _OTHER.isdisjoint(asked.stems) or slot.index is None:
        return False
    letter = slot.parts.letter
    return any(other is not slot and other.parts.letter == letter and other.index for other in candidate.slots)


def is_foreign_quotient(units: Sequence[Unit], slot: Slot) -> bool:
    """Whether the unit asked for is of the slot's dimension by cancelling only: nobody gives a diameter in L/ha, nor an
    area in L/km."""
    if slot.kind is None or slot.kind.dimension.is_dimensionless:
        return False
    fitting = [unit for unit in units if str(unit.dimension) == slot.dimension]
    if not fitting or any("/" not in unit.text or min(unit.dimension.exponents) < 0 for unit in fitting):
        return False
    return not any("/" in text for text in (slot.meaning.unit or "", slot.kind.unit, *slot.kind.units))


def is_size_asked(asked: Sequence[PreparedTarget]) -> bool:
    """Whether the first thing asked for is a size, whatever its direction: the magnitude of a force."""
    return any(not _SIZES.isdisjoint(one.core) for one in asked[:1])


def is_count_asked(slot: Slot, units: frozenset[str]) -> bool:
    """Whether a number of periods is asked for as a time ("how many years")."""
    return "s" in units and slot.dimension == "1" and slot.kind is not None and slot.kind.id.startswith("number_of_")


# The unknown and a value in each other's places, as their names show.


def swapped_name_evidence(
    candidate: Candidate, target: int, pairs: Pairs, *, asked: Sequence[PreparedTarget], values: Sequence[PreparedValue]
) -> float:
    """How many values bear the name of what is solved for, and how many filled slots bear the name of what is asked:
    then the unknown and a value stand in each other's places."""
    slots, unknown = candidate.slots, candidate.slots[target]
    dimension = unknown.dimension
    alike = [(slots[place], values[value].phrase) for place, value in pairs if slots[place].dimension == dimension]
    if not alike:
        return 0.0
    words = {word for one in asked[:1] for word in one.stems}
    is_symbol_asked = any(symbol_evidence(one.parts, unknown) >= _SAME_SYMBOL for one in asked[:1])
    is_unknown_asked = is_symbol_asked or not unknown.distinct.isdisjoint(words)
    count = 0
    for slot, said in alike:
        count += not unknown.distinct.isdisjoint(said) and _is_better_name(said, unknown, slot)
        count += not is_unknown_asked and not slot.distinct.isdisjoint(words)
    return float(count)


def _is_better_name(said: Sequence[str], one: Slot, other: Slot) -> bool:
    """Whether a phrase names one slot, and names it better than the other."""
    fit = best_match(one.names, said)
    return fit >= _SWAPPED_NAME and fit > best_match(other.names, said)
