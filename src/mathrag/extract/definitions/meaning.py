"""From the words and the unit text of a definition to a unit, a dimension and a quantity kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mathrag.extract.unit_text import unit_of_text
from mathrag.knowledge.constants import all_constants, constants_for_words
from mathrag.knowledge.kinds import all_kinds, kinds_for_words
from mathrag.types.knowledge import Constant, QuantityKind
from mathrag.types.quantity import Dimension, Unit
from mathrag.types.symbol_names import split_name

_PREPOSITIONS = frozenset(
    "of in at between from on per for to due with by through across under above within into over against along "
    "during after before about around behind near relative inside outside via without when if and or".split()
)
# "magnitude of the force" is a force; "rate of change of momentum" is not of the kind of anything in it.
_TRANSPARENT = frozenset(
    "magnitude magnitudes component components value values size amount average mean sum total change changes "
    "difference increase decrease variation maximum minimum x-component y-component z-component quantity number "
    "uncertainty error level initial final rms root-mean-square modulus reading estimate".split()
)
_CHANGES = frozenset("change changes difference increase decrease variation rise drop".split())
_OPAQUE = frozenset(
    "rate rates product ratio square cube derivative gradient inverse reciprocal integral logarithm log function "
    "fraction percentage percent index term factor exponent power sign direction position coordinate half twice "
    "multiple root force's proportion series set vector matrix list type kind order constant coefficient time speed "
    "energy"
    .split()
)  # fmt: skip
_SOFT = frozenset(
    "time speed energy power constant coefficient position coordinate order direction index factor".split()
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a definition's words come to."""

    unit: Unit | None
    kind: QuantityKind | None
    constant: Constant | None = None

    @property
    def dimension(self) -> Dimension | None:
        """Of the unit, or else of the kind where that has one."""
        if self.unit is not None:
            return self.unit.dimension
        if self.constant is not None:
            return self.constant.dimension
        if self.kind is None or self.kind.takes_any_unit:
            return None
        return self.kind.dimension


def meaning_of(description: str, *, unit_text: str | None, name: str) -> Meaning:
    """The unit and the kind of a description; the unit decides between kinds, the kinds between readings of a unit."""
    groups = list(kind_groups(description))
    candidates = [kind for group in groups for kind in group]
    unit = _unit(unit_text, candidates) if unit_text is not None else None
    constant = next(
        (item for item in constants_for_words(description) if unit is None or item.dimension == unit.dimension), None
    )
    for group in groups:
        fitting = [kind for kind in group if unit is None or fits(kind, unit)]
        if constant is not None:
            fitting = [kind for kind in fitting if kind.dimension == constant.dimension]
        if fitting:
            return Meaning(unit, _likeliest(fitting, name), constant)
    return Meaning(unit, None, constant)


def fits(kind: QuantityKind, unit: Unit) -> bool:
    """Whether a quantity of this kind can have this unit."""
    return kind.takes_any_unit or kind.dimension == unit.dimension


def may_have_unit(description: str, unit_text: str) -> bool:
    """Whether the unit fits what the words name; yes where either is unknown."""
    candidates = [kind for group in kind_groups(description) for kind in group]
    unit = unit_of_text(unit_text, kinds=candidates)
    return unit is None or not candidates or any(fits(kind, unit) for kind in candidates)


def _unit(unit_text: str, candidates: Sequence[QuantityKind]) -> Unit | None:
    unit = unit_of_text(unit_text, kinds=candidates)
    letters = unit_text.strip(" ()[]$.,")
    if unit is None or not candidates or len(letters) > 1 or not letters.isalpha():
        return unit
    # "mass (m)" names the symbol, not the metre.
    fits = any(kind.dimension == unit.dimension or kind.takes_any_unit for kind in candidates)
    return unit if fits else None


def _likeliest(kinds: Sequence[QuantityKind], name: str) -> QuantityKind | None:
    if not kinds:
        return None
    parts = split_name(name)
    letter = parts.letter
    for wanted in (name, f"Delta_{letter}" if parts.prefix == "Delta" else letter):
        for kind in kinds:
            if wanted in kind.symbols:
                return kind
    return kinds[0]


def kind_groups(description: str) -> Iterator[tuple[QuantityKind, ...]]:
    """The kinds that a phrase names, most literal first: the whole phrase, then its head without what qualifies it."""
    yield from _kind_groups(" ".join(description.split()[:16]))


@lru_cache(maxsize=4096)
def _kind_groups(description: str) -> tuple[tuple[QuantityKind, ...], ...]:
    words = description.split()
    found: list[tuple[QuantityKind, ...]] = []
    for variant in _variants(words):
        kinds = kinds_for_words(variant)
        if kinds and kinds not in found:
            found.append(kinds)
    return tuple(found)


def _variants(words: Sequence[str], depth: int = 0) -> Iterator[str]:
    lower = [word.casefold().strip(",.;:()") for word in words]
    breaks = [place for place in range(1, len(lower)) if _is_break(lower, place)]
    head_end = breaks[0] if breaks else len(lower)
    head = lower[head_end - 1] if head_end else ""
    shortest = _rate_end(lower)
    for cut in (cut for cut in (len(lower), *reversed(breaks)) if cut > shortest):
        starts = 1 if cut == head_end and head in _OPAQUE and head not in _SOFT and breaks else head_end
        for start in range(min(starts, 6)):
            if cut == head_end and breaks and head in (_TRANSPARENT | {"number", "rate"}) and start == head_end - 1:
                continue
            yield " ".join(lower[start:cut])
    if breaks and head in _TRANSPARENT and depth < 3:
        rest = [word for word in lower[head_end + 1 :] if word not in ("the", "a", "an", "its", "this", "that")]
        if head in _CHANGES and rest:
            yield from (f"{' '.join(rest)} {noun}" for noun in ("change", "difference"))
        yield from _variants(rest, depth + 1)


def _rate_end(words: Sequence[str]) -> int:
    """Where "per unit area" and the like stand: without them a phrase names another quantity. Per period is a rate."""
    for place in range(len(words) - 1):
        below = words[place + 1]
        if words[place] == "per" and below != "period" and (below in ("unit", "mole") or kinds_for_words(below)):
            return place
    return 0


def _is_break(words: Sequence[str], place: int) -> bool:
    """A preposition, or a participle behind the noun: "time elapsed", "heat absorbed"."""
    if words[place] in _PREPOSITIONS or words[place] in ("the", "that", "which", "a", "an"):
        return True
    if not words[place].endswith("ed") or words[place] in ("speed", "feed"):
        return False
    return place == len(words) - 1 or words[place + 1] in _PREPOSITIONS


def names_quantity(phrase: str) -> bool:
    """Whether a phrase names a kind of quantity or a constant, as a whole or by its head."""
    return bool(_kind_groups(phrase)) or bool(constants_for_words(phrase))


def names_exactly(phrase: str) -> bool:
    """Whether the whole phrase is the name of a kind or of a constant."""
    return bool(kinds_for_words(phrase)) or bool(constants_for_words(phrase))


def lists_symbol(phrase: str, name: str) -> bool:
    """Whether what the phrase names is usually written with this symbol."""
    letter = split_name(name).letter
    constants = constants_for_words(phrase)
    if any(name in item.symbols or letter in item.symbols for item in constants):
        return True
    kinds = [kind for group in _kind_groups(phrase) for kind in group]
    return any(name in kind.symbols or letter in kind.symbols for kind in kinds)


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    """Words that names of kinds use in lower case: no names of people."""
    return frozenset(word for kind in all_kinds() for name in kind.words for word in name.split() if word.islower())


@lru_cache(maxsize=1)
def proper_words() -> frozenset[str]:
    """Words that keep their capital: names of people and abbreviations in the names of kinds and constants."""
    names = [name for kind in all_kinds() for name in kind.words]
    names.extend(name for constant in all_constants() for name in constant.names)
    return frozenset(word.split("'")[0].split("’")[0] for name in names for word in name.split() if word[:1].isupper())
