"""Constants agree with each other within their uncertainties, and with their units."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from mathrag.knowledge import constants
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import read_canonical_unit


def test_every_unit_of_a_constant_reads_and_agrees() -> None:
    for item in constants.all_constants():
        assert read_canonical_unit(item.unit).dimension == item.dimension, item.id


def value(constant_id: str) -> float:
    """The value of a constant in coherent SI."""
    return constants.constant_quantity(constants.constant(constant_id)).si_value


def relative_uncertainty(constant_id: str) -> float:
    item = constants.constant(constant_id)
    return float((item.uncertainty or 0) / abs(item.value))


PI = math.pi


@pytest.mark.parametrize(
    ("constant_id", "computed", "rests_on"),
    [
        ("reduced_planck_constant", lambda: value("planck_constant") / (2 * PI), ""),
        ("molar_gas_constant", lambda: value("avogadro_constant") * value("boltzmann_constant"), ""),
        ("faraday_constant", lambda: value("avogadro_constant") * value("elementary_charge"), ""),
        (
            "stefan_boltzmann_constant",
            lambda: PI**2 * value("boltzmann_constant") ** 4 / (60 * value("reduced_planck_constant") ** 3 * C() ** 2),
            "",
        ),
        (
            "wien_wavelength_displacement_constant",
            lambda: value("planck_constant") * C() / (4.965114231744276 * value("boltzmann_constant")),
            "",
        ),
        ("first_radiation_constant", lambda: 2 * PI * value("planck_constant") * C() ** 2, ""),
        ("second_radiation_constant", lambda: value("planck_constant") * C() / value("boltzmann_constant"), ""),
        ("josephson_constant", lambda: 2 * value("elementary_charge") / value("planck_constant"), ""),
        ("von_klitzing_constant", lambda: value("planck_constant") / value("elementary_charge") ** 2, ""),
        ("magnetic_flux_quantum", lambda: value("planck_constant") / (2 * value("elementary_charge")), ""),
        ("conductance_quantum", lambda: 2 * value("elementary_charge") ** 2 / value("planck_constant"), ""),
        (
            "molar_volume_ideal_gas_atm",
            lambda: value("molar_gas_constant") * value("ice_point") / value("standard_atmosphere"),
            "",
        ),
        ("loschmidt_constant", lambda: value("avogadro_constant") / value("molar_volume_ideal_gas_atm"), ""),
        ("vacuum_permittivity", lambda: 1 / (value("vacuum_permeability") * C() ** 2), "vacuum_permeability"),
        ("vacuum_impedance", lambda: value("vacuum_permeability") * C(), "vacuum_permeability"),
        ("coulomb_constant", lambda: 1 / (4 * PI * value("vacuum_permittivity")), "vacuum_permittivity"),
        (
            "fine_structure_constant",
            lambda: (
                value("elementary_charge") ** 2
                / (4 * PI * value("vacuum_permittivity") * value("reduced_planck_constant") * C())
            ),
            "vacuum_permittivity",
        ),
        ("inverse_fine_structure_constant", lambda: 1 / ALPHA(), "fine_structure_constant"),
        (
            "bohr_radius",
            lambda: value("reduced_planck_constant") / (value("electron_mass") * C() * ALPHA()),
            "electron_mass",
        ),
        (
            "rydberg_constant",
            lambda: ALPHA() ** 2 * value("electron_mass") * C() / (2 * value("planck_constant")),
            "electron_mass",
        ),
        ("rydberg_energy", lambda: value("rydberg_constant") * value("planck_constant") * C(), "rydberg_constant"),
        ("rydberg_energy_ev", lambda: value("rydberg_energy"), "rydberg_energy"),
        ("hartree_energy", lambda: 2 * value("rydberg_energy"), "rydberg_energy"),
        ("compton_wavelength", lambda: value("planck_constant") / (value("electron_mass") * C()), "electron_mass"),
        ("classical_electron_radius", lambda: ALPHA() ** 2 * value("bohr_radius"), "fine_structure_constant"),
        (
            "thomson_cross_section",
            lambda: 8 * PI / 3 * value("classical_electron_radius") ** 2,
            "classical_electron_radius",
        ),
        (
            "bohr_magneton",
            lambda: value("elementary_charge") * value("reduced_planck_constant") / (2 * value("electron_mass")),
            "electron_mass",
        ),
        (
            "nuclear_magneton",
            lambda: value("elementary_charge") * value("reduced_planck_constant") / (2 * value("proton_mass")),
            "proton_mass",
        ),
        ("electron_rest_energy_mev", lambda: value("electron_mass") * C() ** 2, "electron_mass"),
        ("proton_rest_energy_mev", lambda: value("proton_mass") * C() ** 2, "proton_mass"),
        ("neutron_rest_energy_mev", lambda: value("neutron_mass") * C() ** 2, "neutron_mass"),
        ("atomic_mass_constant_energy_mev", lambda: value("atomic_mass_constant") * C() ** 2, "atomic_mass_constant"),
        ("proton_mass_u", lambda: value("proton_mass"), "proton_mass"),
        ("neutron_mass_u", lambda: value("neutron_mass"), "neutron_mass"),
        ("alpha_particle_mass_u", lambda: value("alpha_particle_mass"), "alpha_particle_mass"),
        ("proton_electron_mass_ratio", lambda: value("proton_mass") / value("electron_mass"), "electron_mass"),
        (
            "neutron_proton_mass_difference",
            lambda: value("neutron_mass") - value("proton_mass"),
            "neutron_proton_mass_difference",
        ),
        (
            "molar_mass_constant",
            lambda: value("atomic_mass_constant") * value("avogadro_constant"),
            "molar_mass_constant",
        ),
        (
            "hydrogen_rydberg_constant",
            lambda: value("rydberg_constant") / (1 + 1 / value("proton_electron_mass_ratio")),
            "hydrogen_rydberg_constant",
        ),
        (
            "planck_mass",
            lambda: math.sqrt(value("reduced_planck_constant") * C() / value("gravitational_constant")),
            "gravitational_constant",
        ),
        ("solar_mass", lambda: value("solar_gravitational_parameter") / value("gravitational_constant"), "solar_mass"),
        ("earth_mass", lambda: value("earth_gravitational_parameter") / value("gravitational_constant"), "earth_mass"),
        ("light_year", lambda: C() * value("julian_year"), ""),
        ("parsec", lambda: 648000 / PI * value("astronomical_unit"), ""),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_constants_agree_with_each_other(constant_id: str, computed, rests_on: str) -> None:  # type: ignore[no-untyped-def]
    allowed = 2e-15 + 2 * relative_uncertainty(constant_id) + (2 * relative_uncertainty(rests_on) if rests_on else 0)
    assert computed() == pytest.approx(value(constant_id), rel=allowed)


def C() -> float:
    return value("speed_of_light")


def ALPHA() -> float:
    return value("fine_structure_constant")


def test_constants_are_found() -> None:
    assert constants.constants_for_words("Planck's constant")[0].id == "planck_constant"
    assert constants.constants_for_words("the gas constant")[0].id == "molar_gas_constant"
    assert constants.constants_for_symbol("R")[0].id == "molar_gas_constant"
    assert {item.id for item in constants.constants_for_symbol("k")} >= {"boltzmann_constant", "coulomb_constant"}
    assert constants.constants_for_symbol("no_such_symbol") == ()


def test_a_constant_as_a_quantity_keeps_its_uncertainty_and_exactness() -> None:
    light = constants.constant_quantity(constants.constant("speed_of_light"))
    assert (light.value, light.unit.text, light.uncertainty) == (299792458, "m/s", None)
    gravity = constants.constant_quantity(constants.constant("gravitational_constant"))
    assert gravity.uncertainty == pytest.approx(1.5e-15)


def test_defaults_of_one_symbol_are_told_apart_by_dimension() -> None:
    for symbol in {symbol for item in constants.all_constants() for symbol in item.symbols}:
        defaults = [item.dimension for item in constants.constants_for_symbol(symbol) if item.is_default]
        assert len(set(defaults)) == len(defaults), symbol


def test_names_of_constants_are_unique() -> None:
    counted = Counter(
        name for item in constants.all_constants() for name in {normal_words(name) for name in item.names}
    )
    assert [name for name, times in counted.items() if times > 1] == []
