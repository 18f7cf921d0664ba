"""The data files keep their schema, their units and dimensions agree, and the constants agree with each other."""

from __future__ import annotations

import importlib.util
import math
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from mathrag.compute import constants, kinds, roles
from mathrag.compute.data_files import (
    CONSTANTS,
    DATA_FILES,
    QUANTITIES,
    ROLES,
    DataFile,
    Entry,
    compile_entries,
    parse_source,
    read_source,
)
from mathrag.compute.symbol_names import ACCENT_MARKS, MARKS
from mathrag.compute.units import read_canonical_unit, unit_readings
from mathrag.compute.wording import normal_words
from mathrag.errors import DataFileError
from mathrag.types.knowledge import FIELDS, QuantityKind
from mathrag.types.quantity import Dimension

PROJECT = Path(__file__).resolve().parents[2]
QUDT = PROJECT.parent / "shared" / "data" / "qudt"

# How many kinds each field must keep: a lexicon that shrinks loses answers.
LEAST_KINDS = {
    "mechanics": 150,
    "fluids": 80,
    "heat": 90,
    "electricity": 100,
    "magnetism": 45,
    "waves": 40,
    "optics": 75,
    "modern physics": 90,
    "astronomy": 50,
    "chemistry": 220,
    "engineering": 240,
    "materials": 50,
    "geometry": 40,
    "finance": 70,
    "statistics": 65,
    "biology": 45,
    "information": 30,
    "everyday": 25,
}


def load_tool(name: str) -> ModuleType:
    """A script of the tools folder as a module."""
    spec = importlib.util.spec_from_file_location(name, PROJECT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def sources() -> dict[str, list[Entry]]:
    return {file.name: read_source(file) for file in DATA_FILES}


# ---------------------------------------------------------------- the files as files


@pytest.mark.parametrize("file", DATA_FILES, ids=lambda file: file.name)
def test_the_compiled_file_equals_its_source(file: DataFile, sources: dict[str, list[Entry]]) -> None:
    compiled = (PROJECT / "src/mathrag/compute/data" / file.compiled_name).read_text(encoding="utf-8")
    assert compiled == compile_entries(file, sources[file.name]), (
        f"{file.compiled_name} is out of date: run `make data`"
    )


def test_the_build_tool_writes_every_data_file() -> None:
    assert {path.name for path in load_tool("build_data").compiled_files()} == {f.compiled_name for f in DATA_FILES}


def test_headings_follow_the_order_of_fields() -> None:
    text = (PROJECT / "src/mathrag/compute/data" / QUANTITIES.source_name).read_text(encoding="utf-8")
    assert tuple(re.findall(r"^# =+ (.+)$", text, re.MULTILINE)) == FIELDS
    assert list(dict.fromkeys(kind.field for kind in kinds.all_kinds())) == list(FIELDS)


KIND = """
[[kind]]
id = "force"
name = "force"
synonyms = ["push"]
asks = []
symbols = ["F"]
unit = "N"
units = ["kN"]
sign = "any"
range = [-1e50, 1e50]
field = "mechanics"
"""

CONSTANT = """
[[constant]]
id = "speed_of_light"
names = ["speed of light"]
symbols = ["c"]
value = "299792458"
unit = "m/s"
uncertainty = "0"
exact = true
source = "CODATA 2022"
field = "modern physics"
"""

ROLE = """
[[role]]
id = "initial"
name = "initial"
subscripts = ["0"]
marks = []
words = ["initially"]
group = "state"
note = "at the beginning"
"""


@pytest.mark.parametrize(
    ("file", "text", "old", "new", "message"),
    [
        (QUANTITIES, KIND, 'name = "force"', 'name = "force"\nnick = "f"', "kind 'force': nick is not a key"),
        (QUANTITIES, KIND, "asks = []\n", "", "kind 'force': asks is missing"),
        (
            QUANTITIES,
            KIND,
            'synonyms = ["push"]',
            'synonyms = "push"',
            "kind 'force': synonyms must be a list of texts",
        ),
        (QUANTITIES, KIND, 'symbols = ["F"]', 'symbols = ["F vec"]', "kind 'force': symbols must be a list of symbol"),
        (QUANTITIES, KIND, 'symbols = ["F"]', 'symbols = ["lambda"]', "kind 'force': symbols must be a list of symbol"),
        (QUANTITIES, KIND, 'symbols = ["F"]', 'symbols = ["φ"]', "kind 'force': symbols must be a list of symbol"),
        (QUANTITIES, KIND, "[-1e50, 1e50]", "[1]", "kind 'force': range must be a list of two numbers"),
        (QUANTITIES, KIND, "[-1e50, 1e50]", "[true, false]", "kind 'force': range must be a list of two numbers"),
        (QUANTITIES, KIND, 'sign = "any"', "sign = 1", "kind 'force': sign must be a text"),
        (QUANTITIES, KIND, 'id = "force"\n', "", "kind 'number 1': id is missing"),
        (QUANTITIES, KIND, 'field = "mechanics"\n', 'field = "mechanics"\n' + KIND, "kind 'force': id is used by"),
        (QUANTITIES, KIND, "[[kind]]", "[[kinds]]", "unknown table"),
        (QUANTITIES, KIND, KIND, "", "has no [[kind]] entry"),
        (QUANTITIES, KIND, "asks = []", "asks = [", "not valid TOML"),
        (
            CONSTANTS,
            CONSTANT,
            '"299792458"',
            "299792458",
            "constant 'speed_of_light': value must be a number in quotes",
        ),
        (CONSTANTS, CONSTANT, '"299792458"', '"fast"', "constant 'speed_of_light': value must be a number in quotes"),
        (CONSTANTS, CONSTANT, "exact = true\n", "", "constant 'speed_of_light': exact is missing"),
        (
            CONSTANTS,
            CONSTANT,
            "exact = true",
            'exact = "yes"',
            "constant 'speed_of_light': exact must be true or false",
        ),
        (ROLES, ROLE, 'words = ["initially"]', 'words = [""]', "role 'initial': words must be a list of texts"),
        (ROLES, ROLE, 'note = "at the beginning"\n', "", "role 'initial': note is missing"),
    ],
)
def test_a_broken_file_names_the_entry_and_the_key(file: DataFile, text: str, old: str, new: str, message: str) -> None:
    assert old in text
    with pytest.raises(DataFileError, match=re.escape(message)):
        parse_source(file, text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("file", "text", "old", "new", "message"),
    [
        (QUANTITIES, KIND, 'sign = "any"', 'sign = "maybe"', "kind 'force': sign is 'maybe'"),
        (QUANTITIES, KIND, 'sign = "any"', 'sign = "positive"', "kind 'force': range has negative values"),
        (QUANTITIES, KIND, "[-1e50, 1e50]", "[5, 5]", "kind 'force': range runs from 5 to 5"),
        (QUANTITIES, KIND, "[-1e50, 1e50]", "[nan, nan]", "kind 'force': range runs from"),
        (QUANTITIES, KIND, 'symbols = ["F"]', "symbols = []", "kind 'force': symbols is empty"),
        (QUANTITIES, KIND, '"mechanics"', '"cooking"', "kind 'force': field is 'cooking'"),
        (QUANTITIES, KIND, 'id = "force"', 'id = "The Force"', "kind 'The Force': id is 'The Force'"),
        (
            CONSTANTS,
            CONSTANT,
            'uncertainty = "0"',
            'uncertainty = "1"',
            "constant 'speed_of_light': uncertainty must be 0",
        ),
        (CONSTANTS, CONSTANT, "exact = true", "exact = false", "constant 'speed_of_light': uncertainty must be 0"),
        (CONSTANTS, CONSTANT, 'source = "CODATA 2022"', 'source = ""', "constant 'speed_of_light': source is empty"),
        (
            ROLES,
            ROLE,
            'group = "state"',
            'group = "state"\nopposite = "initial"',
            "role 'initial': opposite is the role",
        ),
        (ROLES, ROLE, 'subscripts = ["0"]', 'subscripts = ["a b"]', "role 'initial': subscripts has 'a b'"),
    ],
)
def test_a_value_that_cannot_be_names_the_entry(file: DataFile, text: str, old: str, new: str, message: str) -> None:
    assert old in text
    entries = parse_source(file, text.replace(old, new, 1))
    dimensions = {entry["unit"]: Dimension() for entry in entries if "unit" in entry}
    make = {
        QUANTITIES.name: lambda: kinds.make_kinds(entries, dimensions),
        CONSTANTS.name: lambda: constants.make_constants(entries, dimensions),
        ROLES.name: lambda: roles.make_roles(entries),
    }[file.name]
    with pytest.raises(DataFileError, match=re.escape(message)):
        make()


# ---------------------------------------------------------------- quantity kinds


def test_there_are_enough_kinds() -> None:
    counted = Counter(kind.field for kind in kinds.all_kinds())
    assert sum(counted.values()) >= 1500
    assert {field: counted[field] for field, least in LEAST_KINDS.items() if counted[field] < least} == {}
    assert set(LEAST_KINDS) == set(FIELDS)


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


# ---------------------------------------------------------------- roles


def test_opposite_roles_name_each_other() -> None:
    for role in roles.all_roles():
        other = roles.opposite_of(role)
        assert other is None or other.opposite == role.id, f"{role.id} and {role.opposite}"


def test_marks_of_roles_are_marks_of_symbol_names() -> None:
    assert {mark for role in roles.all_roles() for mark in role.marks} <= MARKS


def test_roles_are_found() -> None:
    assert roles.roles_for_subscript("0")[0].id == "initial"
    assert "hot" in [role.id for role in roles.roles_for_subscript("h")]
    assert roles.roles_for_mark("bar")[0].id == "average"
    assert roles.roles_for_words("Initially")[0].id == "initial"
    assert roles.roles_for_words("at the cathode")[0].opposite == "anode"
    assert roles.roles_for_subscript("nonsense") == ()


# ---------------------------------------------------------------- constants


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


# ---------------------------------------------------------------- QUDT

_LETTERS = {
    "A": "amount",
    "E": "current",
    "L": "length",
    "I": "luminosity",
    "M": "mass",
    "H": "temperature",
    "T": "time",
}


# Where QUDT itself links a constant to a quantity kind of another dimension (for magnetic moments, to the one that is
# measured in Wb*m), only the name is checked.
_QUDT_MISLINKED = {"ConductanceQuantum", "GravitationalConstant", "ElectromagneticPermeabilityOfVacuum"}
_QUDT_OTHER_CONVENTION = "MagneticDipoleMoment"


def qudt_text(name: str) -> str:
    path = QUDT / name
    if not path.exists():
        pytest.skip("the QUDT vocabulary is not beside the project (../shared/data/qudt), so its names are not checked")
    return path.read_text(encoding="utf-8")


def qudt_subjects(text: str, prefix: str) -> dict[str, str]:
    """The block of every subject; a block ends where the next line starts without a blank."""
    blocks = re.split(rf"^{prefix}:(?=\S)", text, flags=re.MULTILINE)[1:]
    return {block.split(None, 1)[0]: block for block in blocks}


def qudt_dimension(block: str) -> Dimension | None:
    found = re.search(r"qudt:hasDimensionVector\s+qkdv:([\w-]+)", block)
    if found is None:
        return None
    exponents = re.findall(r"([AELIMHT])(-?\d+(?:dot\d+)?)", found[1].replace("pt", "dot"))
    if any("dot" in number for _, number in exponents):
        return None
    return Dimension.of({_LETTERS[letter]: int(number) for letter, number in exponents})


def test_kinds_agree_with_qudt() -> None:
    subjects = qudt_subjects(qudt_text("quantitykinds/VOCAB_QUDT-QUANTITY-KINDS-ALL.ttl"), "quantitykind")
    checked = 0
    for kind in kinds.all_kinds():
        if kind.qudt is None:
            continue
        assert kind.qudt in subjects, f"{kind.id}: {kind.qudt} is not in QUDT"
        dimension = qudt_dimension(subjects[kind.qudt])
        assert dimension in (None, kind.dimension), f"{kind.id}: {kind.qudt} has the dimension {dimension}"
        checked += dimension is not None
    assert checked >= 350


def test_constants_agree_with_qudt() -> None:
    subjects = qudt_subjects(qudt_text("constants/VOCAB_QUDT-CONSTANTS.ttl"), "constant")
    quantities = qudt_subjects(qudt_text("quantitykinds/VOCAB_QUDT-QUANTITY-KINDS-ALL.ttl"), "quantitykind")
    checked = 0
    for item in constants.all_constants():
        if item.qudt is None:
            continue
        assert item.qudt in subjects, f"{item.id}: {item.qudt} is not in QUDT"
        names = re.findall(r"qudt:hasQuantityKind\s+quantitykind:(\w+)", subjects[item.qudt])
        if item.qudt in _QUDT_MISLINKED or _QUDT_OTHER_CONVENTION in names:
            continue
        dimensions = {qudt_dimension(quantities[name]) for name in names if name in quantities} - {None}
        assert not dimensions or item.dimension in dimensions, f"{item.id}: {item.qudt} is {names}"
        checked += bool(dimensions)
    assert checked >= 90
