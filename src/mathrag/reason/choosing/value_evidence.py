"""What speaks for a value standing in a slot. Dimension decides what is possible at all; words, symbols, states and
plausibility say how likely it is. Every piece of evidence is a named number; `weights.py` has how much each counts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mathrag.knowledge.constants import constant as standard_constant
from mathrag.knowledge.constants import constant_quantity
from mathrag.knowledge.kinds import broader_kinds, kinds_for_words
from mathrag.knowledge.kinds import kind as kind_of
from mathrag.knowledge.roles import all_roles
from mathrag.language.stems import stem, stems, stems_of_words
from mathrag.reason.choosing.names import UsualNames, best_match
from mathrag.reason.choosing.slots import Slot
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import Quantity
from mathrag.types.question import Given
from mathrag.types.symbol_names import WORD_LETTERS, SymbolParts, split_name

_FADING = 0.65
_OF = re.compile(r"\s+of\s+(?:the\s+|its\s+|an?\s+|this\s+|some\s+)?((?:[A-Za-z-]{2,20}\s?){1,2})")
# A noun right after the unit belongs to the value too ("0.015 mol/L acid"); small words begin something else.
_NEXT = re.compile(
    r"[ \t]+((?!(?:and|or|at|in|on|to|for|with|when|while|is|are|was|if|by|from|of|the|then|so)\b)[a-z]{3,20}"
    r"(?:[ \t](?!(?:and|or|at|in|on|to|for|with|when|while|is|are|was|if|by|from|of|the|then|so)\b)[a-z]{3,20})?)"
)
# "Two beads", "three blocks in a row": how many things there are, in words.
_COUNTED = re.compile(r"[ \t]+(?:[a-z-]{2,20}[ \t]+){0,2}[a-z-]{2,20}s\b", re.IGNORECASE)
_EACH = re.compile(r"\s*,?\s*(?:each|apiece)\b")
_MOST_EQUAL = 4
# A value this close to a constant, in its dimension, is that constant as somebody measured or rounded it.
_NEAR_CONSTANT = 0.1
_NAMED_ZERO = 0.3
_LONGEST_SYMBOL = 3
_ANGLE_UNITS = frozenset(("deg", "rad", "mrad", "arcmin", "arcsec", "grad", "gon"))
_PER_CYCLE = frozenset(("Hz", "kHz", "MHz", "GHz", "THz", "mHz"))
_OPPOSITES = {role.id: role.opposite for role in all_roles()}


@dataclass(frozen=True, slots=True)
class Seen:
    """A given value prepared for comparing: the dimension of each of its readings, stems of its words with how near
    they are, the kinds its words name. `owner` is more than 0 where it is of the thing asked about, less where it is
    of another."""

    index: int
    given: Given
    dimensions: tuple[str, ...]
    phrase: tuple[str, ...]
    near: Mapping[str, float]
    parts: SymbolParts | None
    named: frozenset[str]
    named_dimensions: frozenset[str]
    roles: frozenset[str]
    order: int
    is_covered: bool = False
    is_copy: bool = False
    is_symbol_shared: bool = False
    owner: float = 0.0
    has_zero: bool = False
    # How near the usual names of slots stand, as far as it has been asked.
    near_usual: dict[UsualNames, float] = field(default_factory=dict, repr=False, compare=False)


def seen_givens(givens: Sequence[Given], text: str = "") -> tuple[Seen, ...]:
    """The values of a question, those of several equal things once for each."""
    shared = _without_counts(_shared_out(givens, text), text)
    copies = [(given, number) for given in shared for number in range(min(given.count, _MOST_EQUAL))]
    twice = _assigned_twice(shared)
    covered = {start for given in givens for start in given.covers}
    order: dict[str, int] = {}
    found = []
    for index, (given, number) in enumerate(copies):
        dimensions = tuple(str(quantity.dimension) for quantity in given.readings)
        # What a library knows of a substance has no place in the order of what is stated.
        place = order.get(dimensions[0], -1) + 1
        if not (given.implied and given.kinds):
            order[dimensions[0]] = place
        seen = _seen(index, given, dimensions, place, _followed_by(given, text))
        is_covered = given.start in covered and not given.covers
        found.append(replace(seen, is_covered=is_covered, is_copy=number > 0, is_symbol_shared=given.symbol in twice))
    return tuple(found)


def _assigned_twice(givens: Sequence[Given]) -> frozenset[str]:
    """Symbols with two values: in "2 kg at x = 1 m and 3 kg at x = 4 m" `x` tells what is measured, and speaks
    against no slot."""
    values: dict[str, set[float]] = {}
    for given in givens:
        if given.symbol:
            values.setdefault(given.symbol, set()).add(given.readings[0].si_value)
    return frozenset(symbol for symbol, known in values.items() if len(known) > 1)


def _without_counts(givens: Sequence[Given], text: str) -> list[Given]:
    """Without a number in words that only says how many values follow: "two charges of 4 µC and 9 µC"."""
    sizes: dict[str, int] = {}
    for given in givens:
        if given.readings[0].unit.text and not given.implied:
            key = str(given.readings[0].dimension)
            sizes[key] = sizes.get(key, 0) + 1
    counts = {size for size in sizes.values() if 2 <= size <= _MOST_EQUAL}
    return [given for given in givens if not (_is_count(given, text) and given.readings[0].value in counts)]


def _is_count(given: Given, text: str) -> bool:
    is_bare = not given.readings[0].unit.text and not given.symbol and not given.implied and given.text.isalpha()
    return is_bare and _COUNTED.match(text, given.end) is not None


def _shared_out(givens: Sequence[Given], text: str) -> list[Given]:
    """Values with their number: "two protons, 1.6e-19 C each" gives the charge twice and the two no more."""
    kept: list[Given] = []
    for given in givens:
        number = next((one for one in reversed(kept) if not one.readings[0].unit.text and not one.symbol), None)
        is_each = not given.implied and _EACH.match(text, given.end) is not None and given.readings[0].unit.text
        if is_each and number is not None and number.readings[0].value in range(2, _MOST_EQUAL + 1):
            kept.remove(number)
            given = replace(given, count=int(number.readings[0].value))
        kept.append(given)
    return kept


def _followed_by(given: Given, text: str) -> str:
    """What a value is of ("0.07 mol/L of its conjugate base"): the few words after it that belong to it."""
    if not text or given.implied or not given.end:
        return ""
    match = _OF.match(text, given.end) or _NEXT.match(text, given.end)
    return match.group(1) if match else ""


def _seen(index: int, given: Given, dimensions: tuple[str, ...], order: int, of: str) -> Seen:
    phrase = stems(given.phrase) or stems(of)
    near: dict[str, float] = dict.fromkeys((*stems(given.phrase), *stems(of)), 1.0)
    for position, word in enumerate(stems_of_words(given.words)):
        near.setdefault(word, _FADING**position)
    is_word = _is_word(given.symbol)
    if is_word:
        near[stem(given.symbol)] = 1.0
    kinds = _named_kinds(given.phrase)
    return Seen(
        index=index,
        given=given,
        dimensions=dimensions,
        phrase=phrase,
        near=near,
        parts=split_name(given.symbol) if given.symbol and not is_word else None,
        named=frozenset(kind.id for kind in kinds),
        named_dimensions=frozenset(str(kind.dimension) for kind in kinds),
        roles=frozenset(given.roles),
        order=order,
        has_zero=any(quantity.value == 0 for quantity in given.readings),
    )


def _is_word(symbol: str) -> bool:
    """Whether what a value is assigned to is a word rather than a symbol: `E cathode = 0.8 V`."""
    return len(symbol) > _LONGEST_SYMBOL and symbol.isalpha() and symbol.islower() and symbol not in WORD_LETTERS


def _named_kinds(phrase: str) -> tuple[QuantityKind, ...]:
    """The kinds that the phrase, or the longest end of it, names."""
    words = phrase.split()
    for start in range(len(words)):
        if found := kinds_for_words(" ".join(words[start:])):
            return found
    for end in range(len(words) - 1, 0, -1):
        if found := kinds_for_words(" ".join(words[:end])):
            return found
    return ()


def fitting_reading(seen: Seen, slot: Slot) -> tuple[int, Quantity] | None:
    """The first reading of a value whose dimension is the slot's, with its rank; None where the value cannot stand
    there. A bare zero fits anywhere; cycles a second are no radians a second."""
    given = seen.given
    is_difference = slot.parts.prefix == "Delta" or (slot.kind is not None and slot.kind.is_difference)
    if given.covers:
        # Where the formula has both ends, they are stated, and with them the sign.
        fits = is_difference and slot.meaning.origin != "inferred" and seen.dimensions[0] == slot.dimension
        return (0, given.readings[0]) if fits else None
    if seen.is_covered and is_difference:
        # One end of a change is not the change.
        return None
    if given.kinds and not _related(frozenset(given.kinds), slot):
        return None
    if given.implied and seen.roles and not seen.roles & slot.states:
        # "From rest" says something about the start, and about nothing else.
        return None
    for rank, (dimension, quantity) in enumerate(zip(seen.dimensions, given.readings, strict=True)):
        if slot.dimension is None or dimension == slot.dimension:
            if slot.is_angular and quantity.unit.text in _PER_CYCLE:
                continue
            if slot.kind is not None and _is_foreign_unit(slot.kind, quantity.unit.text):
                continue
            return rank, quantity
        if quantity.value == 0 and _is_any_zero(seen, quantity, slot):
            return rank, quantity
    return None


def _is_foreign_unit(kind: QuantityKind, unit: str) -> bool:
    """Whether a unit belongs to another kind of plain number: degrees are no decibels, radians no turns."""
    if kind.counts_cycles and "rad" in unit:
        return True
    return unit in _ANGLE_UNITS and kind.unit != "rad" and kind.dimension.is_dimensionless


def _is_any_zero(seen: Seen, quantity: Quantity, slot: Slot) -> bool:
    """Whether a zero of another unit will do: a bare one that is named does, and what is at rest neither moves nor
    turns."""
    if quantity.unit.text:
        return seen.given.implied and slot.is_angular and quantity.unit.text == "m/s"
    return seen.parts is not None or best_near(slot, seen) >= _NAMED_ZERO


def pair_evidence(seen: Seen, slot: Slot, *, rank: int, quantity: Quantity) -> dict[str, float]:
    """Named evidence that this value stands in this slot; of what there is none may be left out."""
    if seen.given.implied and not seen.roles:
        # That something rests is only worth knowing where a value would be missing.
        return {"symbol": 0.0, "phrase": 0.0, "state": 0.0, "order": 0.0}
    phrase = best_match(slot.names, seen.phrase)
    near = best_near(slot, seen)
    state = state_evidence(seen.roles, slot.states) if seen.roles else 0.0
    evidence = {"symbol": _symbol_of(seen, slot), "phrase": phrase}
    if near > phrase:
        evidence["near"] = near - phrase
    evidence["state"] = state
    if shared := slot.distinct.intersection(seen.near):
        evidence["distinct"] = max([seen.near[word] for word in shared])
    if rank:
        evidence["reading"] = -float(rank)
    if seen.owner:
        evidence["owner"] = seen.owner
    evidence["order"] = 0.0
    if slot.kind is not None:
        _add_of_kind(evidence, seen, slot, kind=slot.kind, quantity=quantity)
    if slot.dimension is None:
        evidence["unknown"] = 1.0
    unit = quantity.unit.text
    if slot.kind is not None and not unit and quantity.value and seen.parts is None:
        if max(phrase, near, state) <= 0 and not slot.kind.id.startswith("number_of_"):
            evidence["nameless"] = 1.0
        if slot.kind.unit == "rad":
            evidence["bare"] = 1.0
    return evidence


def _add_of_kind(evidence: dict[str, float], seen: Seen, slot: Slot, *, kind: QuantityKind, quantity: Quantity) -> None:
    """What the kind of a slot says of a value: the name of another kind, the unit, the size, a change or not."""
    if seen.named and slot.dimension in seen.named_dimensions and not _related(seen.named, slot):
        evidence["conflict"] = (1.0 - evidence["phrase"]) * (0.4 if are_siblings(seen.named, slot) else 1.0)
    unit = quantity.unit.text
    if unit and (unit in kind.units or unit == kind.unit):
        evidence["unit"] = 1.0
    if not kind.admits(quantity.si_value):
        evidence["range"] = 1.0
    if slot.dimension == "K":
        evidence["change"] = _change_evidence(seen.given, kind, quantity)


def _change_evidence(given: Given, kind: QuantityKind, quantity: Quantity) -> float:
    """Temperatures and their differences have one dimension; the wording and the unit tell them apart."""
    if kind.is_difference:
        return 1.0 if given.is_change else -1.0 if quantity.unit.is_absolute_temperature else -0.3
    return -1.0 if given.is_change else 0.0


def _related(named: frozenset[str], slot: Slot) -> bool:
    """Whether one of the kinds named is the slot's kind, broader or narrower."""
    if named & slot.lineage:
        return True
    return slot.kind is not None and any(
        slot.kind.id == broader.id for each in named for broader in broader_kinds(kind_of(each))
    )


def are_siblings(named: frozenset[str], slot: Slot) -> bool:
    """Whether a kind named and the slot's have a broader kind in common: a thickness and a path are both lengths."""
    return any(broader.id in slot.lineage for each in named for broader in broader_kinds(kind_of(each)))


def is_near_constant(quantity: Quantity, slot: Slot) -> bool:
    """Whether a value is the slot's constant, measured or rounded."""
    if slot.meaning.constant is None or quantity.unit.text == slot.symbol:
        return False
    try:
        constant = constant_quantity(standard_constant(slot.meaning.constant))
    except KeyError:
        return False
    return abs(quantity.si_value - constant.si_value) <= _NEAR_CONSTANT * abs(constant.si_value)


def _symbol_of(seen: Seen, slot: Slot) -> float:
    found = symbol_evidence(seen.parts, slot)
    return max(found, 0.0) if seen.is_symbol_shared else found


def symbol_evidence(parts: SymbolParts | None, slot: Slot) -> float:
    """1 for the same symbol, less for one that only resembles it, negative for another letter."""
    if parts is None:
        return 0.0
    own = slot.parts
    if parts == own:
        return 1.0
    if _bare(parts) == _bare(own):
        return 0.9
    if (parts.letter, parts.prefix) == (own.letter, own.prefix):
        return 0.4 if not _extras(parts) or not _extras(own) else -0.2
    if parts.letter.casefold() == own.letter.casefold() and parts.prefix == own.prefix:
        return 0.4 if _extras(parts) == _extras(own) else 0.0
    letters = () if slot.kind is None else slot.kind.symbols
    return 0.2 if parts.letter in letters else -0.6


def _extras(parts: SymbolParts) -> str:
    """Subscripts and marks, however they are divided; an arrow over a vector says nothing here."""
    pieces = (*parts.subscripts, *(mark for mark in parts.marks if mark != "vec"))
    # Some write the letter O where others write a zero.
    return "".join(pieces).casefold().replace("_", "").replace("o", "0")


def _bare(parts: SymbolParts) -> str:
    """The whole symbol without divisions: `pKa` is `pK_a`, `do` is `d_o`."""
    whole = f"{parts.prefix} {parts.letter}"
    return whole.replace("o", "0") + _extras(parts) if len(parts.letter) <= _LONGEST_SYMBOL else whole + _extras(parts)


def state_evidence(roles: frozenset[str], states: frozenset[str]) -> float:
    """1 where a role fits the slot's state, -1 where it is the other of the pair."""
    if roles & states:
        return 1.0
    return -1.0 if any(_OPPOSITES.get(role) in states for role in roles) else 0.0


def opposites_of(roles: frozenset[str]) -> frozenset[str]:
    """The other of each pair: cold for hot."""
    return frozenset(found for role in roles if (found := _OPPOSITES.get(role)) is not None)


def best_near(slot: Slot, seen: Seen) -> float:
    """How near the words of one of the slot's names stand to the value."""
    usual, near = slot.names.usual, seen.near
    best = seen.near_usual.get(usual)
    if best is None:
        best = max((name.near(near) for name in usual.having(near)), default=0.0)
        seen.near_usual[usual] = best
    if slot.names.own is not None:
        best = max(best, slot.names.own.near(near))
    for word in slot.subscript_stems:
        best = max(best, 0.7 * near.get(word, 0.0))
    return best
