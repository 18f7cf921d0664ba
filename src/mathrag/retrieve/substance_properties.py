"""Properties of the substances that a text speaks of, among the constants of a library: the specific heat of copper.

Only properties of matter are offered, and only those that a document states: a mass or a radius belongs to one body and
says nothing about another.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from mathrag.knowledge.kinds import kinds_for_words
from mathrag.language.stems import stems
from mathrag.store.truth.database import Database
from mathrag.store.truth.reader import iterate_constants
from mathrag.types.library import Constant

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
# Two sources that differ by more than this share speak of different things.
_SAME = 0.02


@dataclass(frozen=True, slots=True)
class Property:
    """A constant that states a property of a substance; `kinds` are ids, the likeliest first."""

    constant: Constant
    kinds: tuple[str, ...]
    substance: frozenset[str]


class PropertyFinder:
    """Finds properties in one library, read once and again when the library has changed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._known: tuple[int, tuple[Property, ...]] | None = None

    def find(self, words: Collection[str]) -> tuple[Property, ...]:
        """The properties of substances whose words (as stems) are all among these; none where two disagree."""
        spoken = [each for each in self._properties() if each.substance <= set(words)]
        return tuple(one for one in spoken if not any(_rivals(one, other) for other in spoken)) if spoken else ()

    def _properties(self) -> tuple[Property, ...]:
        with self._lock:
            generation = self._database.generation
            if self._known is None or self._known[0] != generation:
                self._known = (generation, tuple(_properties(iterate_constants(self._database))))
            return self._known[1]


def _rivals(one: Property, other: Property) -> bool:
    """Whether two values are offered for one kind: of two substances, or of one that two sources see differently."""
    if one is other or not set(one.kinds) & set(other.kinds):
        return False
    first, second = float(one.constant.value), float(other.constant.value)
    is_same = one.constant.unit == other.constant.unit and abs(first - second) <= _SAME * abs(first)
    if is_same:
        # The more often stated one speaks for both.
        return _rank(other) < _rank(one)
    # "Sea water" is more exactly said than "water".
    return not one.substance > other.substance


def _rank(found: Property) -> tuple[int, str]:
    return (-len(found.constant.spans), found.constant.id)


def _properties(constants: Iterable[Constant]) -> Iterable[Property]:
    for constant in constants:
        match = _OWNED.fullmatch(constant.name.strip())
        if match is None or not constant.spans:
            continue
        kinds = tuple(kind.id for kind in kinds_for_words(match["property"]) if kind.id in _OF_MATTER)
        substance = frozenset(stems(match["substance"]))
        if kinds and substance:
            yield Property(constant, kinds, substance)
