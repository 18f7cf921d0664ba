"""Properties of the things that a text speaks of: the specific heat of copper, the mass of an electron.

What documents of the library state comes first, among its constants and in its tables; what everybody knows fills in
where they are silent. Only properties of matter, and of things of which there is one kind in the world, are offered: a
mass or a radius belongs to one body and says nothing about another.
"""

from __future__ import annotations

import re
import threading
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from mathrag.knowledge.constants import all_constants
from mathrag.knowledge.constants import constant as standard_constant
from mathrag.knowledge.elements import element_names
from mathrag.knowledge.kinds import kind as kind_of
from mathrag.knowledge.kinds import kinds_for_words
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.stems import stem, stems
from mathrag.language.word_classes import word_class
from mathrag.retrieve.property_tables import TableEntry, properties_in_tables
from mathrag.store.truth.database import Database
from mathrag.store.truth.reader import iterate_constants
from mathrag.store.truth.trust import trust_levels
from mathrag.types.knowledge import Constant as StandardConstant
from mathrag.types.library import Constant
from mathrag.types.quantity import Quantity

# Kinds of quantity that a substance has, however much of it there is.
_OF_MATTER = frozenset(
    "density specific_heat_capacity specific_heat_constant_pressure specific_heat_constant_volume molar_heat_capacity "
    "latent_heat latent_heat_of_fusion latent_heat_of_vaporization enthalpy_of_vaporization enthalpy_of_fusion "
    "thermal_conductivity thermal_diffusivity linear_expansion_coefficient area_expansion_coefficient "
    "volume_expansion_coefficient resistivity conductivity resistance_temperature_coefficient relative_permittivity "
    "dielectric_strength refractive_index dynamic_viscosity kinematic_viscosity surface_tension youngs_modulus "
    "shear_modulus bulk_modulus poisson_ratio emissivity work_function half_life molar_mass cryoscopic_constant "
    "ebullioscopic_constant speed_of_sound".split()
)
_OWNED = re.compile(r"(?P<property>.{3,60}?)\s+(?:of|in|for)\s+(?:the\s+|an?\s+)?(?P<substance>.{2,60})")
# What stands behind the name of a substance: its state, a temperature, how pure it is.
_REMARK = re.compile(r"\(([^()]*)\)|,.*$|\s+at\s+-?\d.*$")
_ALTERNATIVES = re.compile(r"\s*/\s*|\s+or\s+")
_PLAIN_REMARKS = frozenset(map(stem, word_class("constants.plain_remarks")))
_COMPOUND = frozenset(map(stem, word_class("constants.compound_words")))
_ELEMENTS = frozenset(map(stem, element_names().values()))
# Two sources that differ by more than this share speak of different things.
_SAME = 0.02
# Samples of one substance differ by less than this; by more, somebody should be told.
_QUITE_ANOTHER = 0.1


@dataclass(frozen=True, slots=True)
class Property:
    """A constant that states a property of a thing; `kinds` are ids, the likeliest first.

    `roles` are those of which a symbol must have one to mean it. `source` says who knows the value where no document of
    the library states it. `beside` are words (as stems) of which a text must have one, where there are any. `usual` is
    what others know for it, where that is quite another value.
    """

    constant: Constant
    kinds: tuple[str, ...]
    substance: frozenset[str]
    roles: tuple[str, ...] = ()
    source: str = ""
    beside: frozenset[str] = frozenset()
    usual: str = ""


class PropertyFinder:
    """Finds properties in one library, read once and again when the library has changed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._known: tuple[int, tuple[Property, ...]] | None = None

    def find(self, words: Collection[str], given: Collection[Quantity] = ()) -> tuple[Property, ...]:
        """The properties of things whose words (as stems) are all among these, without those that are `given` already
        with fewer digits; none where two disagree."""
        said = set(words)
        stated = [each for each in self._properties() if _is_spoken_of(each, said)]
        known = [
            each
            for each in _well_known()
            if _is_spoken_of(each, said) and not any(_is_same_property(each, other) for other in stated)
        ]
        spoken = [each for each in (*map(_beside_the_usual, stated), *known) if not _is_given(each, given)]
        return tuple(one for one in spoken if not any(_rivals(one, other) for other in spoken)) if spoken else ()

    def _properties(self) -> tuple[Property, ...]:
        with self._lock:
            generation = self._database.generation
            if self._known is None or self._known[0] != generation:
                constants = list(iterate_constants(self._database))
                with self._database.reading() as connection:
                    entries = list(properties_in_tables(connection))
                found = (*_properties(constants), *_of_tables(entries), *_of_things(constants))
                self._known = (generation, _without_untrusted(found, trust_levels(self._database)))
            return self._known[1]


def _is_spoken_of(found: Property, said: Collection[str]) -> bool:
    """Whether a text names the thing, and no compound of it: carbon dioxide is not carbon."""
    if not all(word in said for word in found.substance):
        return False
    if found.beside and not any(word in said for word in found.beside):
        return False
    return not (found.substance <= _ELEMENTS and any(word in said for word in _COMPOUND))


def _is_given(found: Property, given: Collection[Quantity]) -> bool:
    """Whether a value says what is known but for rounding: water with an index of 1.33."""
    if not given:
        return False
    dimension, value = read_canonical_unit(found.constant.unit).dimension, _si_value(found.constant)
    return any(each.dimension == dimension and abs(each.si_value - value) <= _SAME * abs(value) for each in given)


def _beside_the_usual(stated: Property) -> Property:
    """What a document states, with what others know where that differs by more than substances of one name do."""
    for known in _well_known():
        if _is_same_property(stated, known):
            value, usually = _si_value(stated.constant), _si_value(known.constant)
            if abs(value - usually) > _QUITE_ANOTHER * abs(usually):
                said = f"{known.constant.value} {known.constant.unit}".strip()
                return replace(stated, usual=f"{said} ({known.source})" if known.source else said)
    return stated


def _without_untrusted(found: Iterable[Property], levels: Mapping[str, int]) -> tuple[Property, ...]:
    """The properties that not only untrusted documents state."""
    return tuple(
        each
        for each in found
        if not each.constant.spans or any(levels.get(span.document, 0) >= 0 for span in each.constant.spans)
    )


def _is_same_property(one: Property, other: Property) -> bool:
    return one.substance == other.substance and bool(set(one.kinds) & set(other.kinds))


def _rivals(one: Property, other: Property) -> bool:
    """Whether two values are offered for one kind: of two substances, or of one that two sources see differently."""
    if one is other or not set(one.kinds) & set(other.kinds) or bool(one.roles) != bool(other.roles):
        return False
    first, second = _si_value(one.constant), _si_value(other.constant)
    if abs(first - second) <= _SAME * abs(first):
        # The more often stated one speaks for both.
        return _rank(other) < _rank(one)
    # "Sea water" is more exactly said than "water".
    return not one.substance > other.substance


def _si_value(constant: Constant) -> float:
    return float(constant.value) * read_canonical_unit(constant.unit).scale


def _rank(found: Property) -> tuple[int, str]:
    return (-len(found.constant.spans), found.constant.id)


def _properties(constants: Iterable[Constant]) -> Iterator[Property]:
    """The constants of a library that are properties of a substance by their name."""
    for constant in constants:
        match = _OWNED.fullmatch(constant.name.strip())
        if match is None or not constant.spans:
            continue
        kinds = _matter_kinds(match["property"], constant)
        for substance in _substances(match["substance"]):
            if kinds:
                yield Property(constant, kinds, substance)


def _matter_kinds(words: str, constant: Constant | StandardConstant) -> tuple[str, ...]:
    return tuple(
        kind.id for kind in kinds_for_words(words) if kind.id in _OF_MATTER and kind.dimension == constant.dimension
    )


def _substances(label: str) -> Iterator[frozenset[str]]:
    """The words of each thing that a label names: "Iron or steel (average)" are two."""
    remarks = " ".join(match[1] or "" for match in _REMARK.finditer(label))
    # "Steel (stainless)" is not every steel, "water (20 °C)" is water.
    telling = () if any(sign.isdigit() for sign in remarks) else stems(remarks)
    further = frozenset(word for word in telling if word not in _PLAIN_REMARKS and len(word) > 2)
    for name in _ALTERNATIVES.split(_REMARK.sub(" ", label)):
        words = frozenset(stems(name))
        if words:
            yield words | further


def _of_tables(entries: Iterable[TableEntry]) -> Iterator[Property]:
    for place, entry in enumerate(entries):
        kinds = tuple(kind.id for kind in entry.kinds if kind.id in _OF_MATTER)
        if not kinds:
            continue
        name = f"{kind_of(kinds[0]).name} of {entry.label[:80]}"
        constant = Constant(
            f"t-{place}", "", name, entry.value, entry.unit.text, entry.unit.dimension, spans=(entry.span,)
        )
        for substance in _substances(entry.label):
            yield Property(constant, kinds, substance)


@dataclass(frozen=True, slots=True)
class _Thing:
    words: frozenset[str]
    roles: tuple[str, ...]
    beside: frozenset[str]
    constants: Mapping[str, str]


@cache
def _things() -> tuple[_Thing, ...]:
    source = resources.files("mathrag.retrieve").joinpath("data", "named_things.toml").read_text("utf-8")
    return tuple(
        _Thing(
            frozenset(stems(entry["words"])),
            tuple(entry.get("roles", ())),
            frozenset(map(stem, entry.get("beside", ()))),
            {kind: name for kind, name in entry.items() if kind not in ("words", "roles", "beside")},
        )
        for entry in tomllib.loads(source)["thing"]
    )


def _of_things(constants: Iterable[Constant]) -> Iterator[Property]:
    """What the documents state of the things that everybody knows."""
    stated: dict[str, Constant] = {}
    for constant in constants:
        if constant.standard and constant.spans and constant.value > 0:
            known = stated.setdefault(constant.standard, constant)
            if len(constant.spans) > len(known.spans):
                stated[constant.standard] = constant
    for thing in _things():
        for kind, name in thing.constants.items():
            if name in stated:
                yield Property(stated[name], (kind,), thing.words, thing.roles, beside=thing.beside)


@cache
def _well_known() -> tuple[Property, ...]:
    """What is known of substances and things without any document."""
    found = []
    for thing in _things():
        for kind, name in thing.constants.items():
            known = _known(standard_constant(name), (kind,), thing.words, thing.roles)
            found.append(replace(known, beside=thing.beside))
    for constant in all_constants():
        for name in constant.names:
            match = _OWNED.fullmatch(_REMARK.sub("", name))
            kinds = _matter_kinds(match["property"], constant) if match else ()
            # "Carbon-12" is one isotope: its words say less than its name.
            if match and kinds and not any(sign.isdigit() for sign in match["substance"]):
                found.append(_known(constant, kinds, frozenset(stems(match["substance"])), ()))
                break
    return tuple(found)


def _known(
    constant: StandardConstant, kinds: tuple[str, ...], substance: frozenset[str], roles: tuple[str, ...]
) -> Property:
    made = Constant(
        constant.id, "", constant.names[0], constant.value, constant.unit, constant.dimension, spans=(),
        standard=constant.id,
    )  # fmt: skip
    return Property(made, kinds, substance, roles, constant.source)
