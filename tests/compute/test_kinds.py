"""Quantity kinds: told apart, units and dimensions in agreement, found by symbol and word."""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest

from mathrag.knowledge import kinds
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import read_canonical_unit, unit_readings
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import Dimension
from mathrag.types.symbol_names import ACCENT_MARKS, MARKS


@pytest.mark.parametrize(
    "text_of", [lambda kind: normal_words(kind.name), lambda kind: kind.qudt], ids=["name", "qudt"]
)
def test_no_two_kinds_share_a_name_or_an_identifier(text_of) -> None:  # type: ignore[no-untyped-def]
    counted = Counter(text_of(kind) for kind in kinds.all_kinds())
    assert [text for text, times in counted.items() if text is not None and times > 1] == []


def test_no_kind_is_all_synonyms_of_another() -> None:
    owners: dict[str, set[str]] = {}
    for kind in kinds.all_kinds():
        for word in kind.words:
            owners.setdefault(normal_words(word), set()).add(kind.id)
    shadowed = []
    for kind in kinds.all_kinds():
        others = set.intersection(*(owners[normal_words(word)] for word in kind.words)) - {kind.id}
        if any(kinds.kind(other).unit == kind.unit for other in others):
            shadowed.append(kind.id)
    assert shadowed == []


def test_every_unit_of_a_kind_reads_and_agrees() -> None:
    faults = []
    for kind in kinds.all_kinds():
        unit = read_canonical_unit(kind.unit)
        if unit.dimension != kind.dimension or not math.isclose(unit.scale, 1, rel_tol=1e-12) or unit.offset:
            faults.append(f"{kind.id}: {kind.unit!r} is not coherent")
        for text in kind.units:
            other = read_canonical_unit(text)
            readings = [(unit.dimension, unit.scale, unit.offset) for unit in unit_readings(text)]
            if other.dimension != kind.dimension:
                faults.append(f"{kind.id}: {text!r} has the dimension {other.dimension}, not {kind.dimension}")
            elif (other.dimension, other.scale, other.offset) not in readings:
                faults.append(f"{kind.id}: {text!r} is never read as {other.text!r}")
        if len({kind.unit, *kind.units}) != 1 + len(kind.units):
            faults.append(f"{kind.id}: a unit is listed twice")
    assert faults == []


def test_differences_of_temperature_use_difference_units() -> None:
    temperature = Dimension.of({"temperature": 1})
    for kind in kinds.kinds_for_dimension(temperature):
        has_offset = any(read_canonical_unit(text).is_absolute_temperature for text in kind.units)
        assert not (kind.is_difference and has_offset), kind.id


def test_revolutions_are_angles_for_angular_kinds_only() -> None:
    """rpm is 2 pi / 60 rad/s; a kind that counts cycles would be wrong by 2 pi if it listed it."""
    turning = re.compile(r"\b(rpm|rps|turn)\b")
    for kind in kinds.all_kinds():
        listed = [text for text in kind.units if turning.search(text)]
        assert not listed or kind.unit.startswith("rad"), f"{kind.id} lists {listed}"
        counts = kind.id == "frequency" or any(wider.id == "frequency" for wider in kinds.broader_kinds(kind))
        assert not counts or kind.counts_cycles, kind.id
        assert not (kind.counts_cycles and "rad" in kind.unit), kind.id


def test_broader_kinds_exist_end_and_have_the_same_dimension() -> None:
    for kind in kinds.all_kinds():
        seen = {kind.id}
        for wider in kinds.broader_kinds(kind):
            assert wider.id not in seen, f"{kind.id} is broader than itself"
            assert wider.dimension == kind.dimension, f"{kind.id} and {wider.id}"
            seen.add(wider.id)


def test_a_lineage_is_a_kind_and_all_broader_ones() -> None:
    for kind in kinds.all_kinds():
        assert kinds.lineage(kind.id) == {kind.id, *(wider.id for wider in kinds.broader_kinds(kind))}
    with pytest.raises(KeyError):
        kinds.lineage("no such kind")


def test_a_kind_that_is_not_known_is_none() -> None:
    assert kinds.known_kind("force") is kinds.kind("force")
    assert kinds.known_kind("no such kind") is None
    assert kinds.known_kind(None) is None


def test_words_and_symbols_are_tidy() -> None:
    for kind in kinds.all_kinds():
        words = [word.casefold() for word in kind.words]
        assert len(set(words)) == len(words), f"{kind.id}: a word twice"
        assert all(word == word.strip() and "  " not in word for word in (*kind.words, *kind.asks)), kind.id
        assert len(set(kind.symbols)) == len(kind.symbols), f"{kind.id}: a symbol twice"
        for symbol in kind.symbols:
            pieces = symbol.split("_")[1:]
            accents = [place for place, piece in enumerate(pieces) if piece in ACCENT_MARKS]
            assert not accents or all(piece in MARKS for piece in pieces[accents[0] :]), f"{kind.id}: {symbol}"


ORDINARY = [
    ("speed", 340),
    ("mass", 70),
    ("temperature", 298.15),
    ("pressure", 101325),
    ("density", 1000),
    ("voltage", -12),
    ("electric_current", 1e-3),
    ("resistance", 4700),
    ("capacitance", 1e-12),
    ("refractive_index", 1.5),
    ("wavelength", 5e-7),
    ("frequency", 50),
    ("half_life", 1.8e11),
    ("ph", 7),
    ("molar_mass", 0.018),
    ("activation_energy", 5e4),
    ("youngs_modulus", 2e11),
    ("poisson_ratio", 0.3),
    ("reynolds_number", 1e5),
    ("interest_rate", 0.05),
    ("correlation_coefficient", -0.7),
    ("heat_capacity_ratio", 1.4),
    ("electric_charge", -1.6e-19),
    ("gravitational_potential_energy", -5e9),
    ("focal_length", -0.2),
    ("efficiency", 0.35),
]


@pytest.mark.parametrize(("kind_id", "value"), ORDINARY)
def test_ordinary_values_are_plausible(kind_id: str, value: float) -> None:
    assert kinds.kind(kind_id).admits(value)


@pytest.mark.parametrize(("kind_id", "value"), [("speed", -3), ("speed", 1e9), ("mass", -1), ("density", 0)])
def test_impossible_values_are_not(kind_id: str, value: float) -> None:
    assert not kinds.kind(kind_id).admits(value)


def identifiers(found: tuple[QuantityKind, ...]) -> list[str]:
    return [kind.id for kind in found]


def test_kinds_are_found_by_words() -> None:
    assert identifiers(kinds.kinds_for_words("kinetic energy")) == ["kinetic_energy"]
    assert identifiers(kinds.kinds_for_words("The Velocities")) == ["velocity"]
    assert identifiers(kinds.kinds_for_words("Young's modulus")) == ["youngs_modulus"]
    assert identifiers(kinds.kinds_for_words("vapor  pressure")) == ["vapour_pressure"]
    assert identifiers(kinds.kinds_for_words("radius")) == ["radius"]
    assert identifiers(kinds.kinds_for_words("diameter")) == ["diameter"]
    assert identifiers(kinds.kinds_for_words("pressure ratio")) == ["pressure_ratio"]
    assert {"first_order_rate_constant", "second_order_rate_constant"} <= set(
        identifiers(kinds.kinds_for_words("rate constant"))
    )
    assert kinds.kinds_for_words("no such thing") == ()


def test_a_name_comes_before_a_synonym() -> None:
    assert kinds.kinds_for_words("acid dissociation constant")[0].id == "acid_dissociation_constant"


def test_kinds_are_found_by_symbol() -> None:
    assert kinds.kinds_for_symbol("v_1")[0].id == "speed"
    assert kinds.kinds_for_symbol("v_1", exact=True) == ()
    assert kinds.kinds_for_symbol("conc_Cl_minus")[0].id == "molar_concentration"
    assert "boiling_point_elevation" in identifiers(kinds.kinds_for_symbol("Delta_T_b"))
    assert "kinetic_energy" in identifiers(kinds.kinds_for_symbol("E_k"))
    assert "wavelength" in identifiers(kinds.kinds_for_symbol("lambda_"))
    assert kinds.kinds_for_symbol("qqq") == ()


def test_a_symbol_that_spells_a_word_or_carries_an_index_is_found() -> None:
    assert identifiers(kinds.kinds_for_symbol("illuminance")) == ["illuminance"]
    assert "mass_flow_rate" in identifiers(kinds.kinds_for_symbol("mass_flow_rate"))
    assert {"feed_rate", "speed"} <= set(identifiers(kinds.kinds_for_symbol("v_f")))
    assert "activity" in identifiers(kinds.kinds_for_symbol("A_t"))
    assert "gibbs_energy_change" in identifiers(kinds.kinds_for_symbol("Delta_G_circ"))
    assert "magnetic_flux_density" in identifiers(kinds.kinds_for_symbol("Delta_B_x"))


def test_kinds_are_found_by_dimension() -> None:
    force = Dimension.of({"mass": 1, "length": 1, "time": -2})
    assert kinds.kinds_for_dimension(force)[0].id == "force"
    assert all(kind.dimension == force for kind in kinds.kinds_for_dimension(force))
    assert kinds.kinds_for_dimension(Dimension.of({"length": 7})) == ()


def test_asking_phrases_come_longest_first() -> None:
    phrases = kinds.asking_phrases()
    assert "speed" in identifiers(phrases["how fast"])
    assert {"mass", "weight"} <= set(identifiers(phrases["how heavy"]))
    lengths = [len(phrase) for phrase in phrases]
    assert lengths == sorted(lengths, reverse=True)
