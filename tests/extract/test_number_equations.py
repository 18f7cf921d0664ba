"""Equations between numbers: exact where the text states the units, set aside where it states some only."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.compute.evaluate.quantities import evaluate_quantity
from mathrag.documents.registry import read_path
from mathrag.extract.pipeline import extract
from mathrag.knowledge.kinds import known_kind
from mathrag.knowledge.units import read_unit
from mathrag.types.library import Finding
from mathrag.types.quantity import Quantity


def _only(tmp_path: Path, formula: str, words: str) -> Finding:
    notes = tmp_path / "notes.md"
    notes.write_text(f"# Notes\n\nThis is used in practice:\n\n$${formula}$$\n\n{words}\n", encoding="utf-8")
    (found,) = extract(read_path(notes), document_id="d-1").findings
    return found


def _is_divided(found: Finding) -> bool:
    return found.status == "executable" and any(flag.code == "number_equation" for flag in found.flags)


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        # A coefficient that is there for the sake of the units.
        (r"N = \frac{120 f}{p}", "where $N$ is the rotor speed in rpm, $f$ the frequency in Hz and $p$ the number of poles."),  # noqa: E501
        (r"s = 0.278 v t", "where $s$ is the distance in m, $v$ the speed in km/h and $t$ the time in s."),
        # One unit left out, which can only be the coherent one.
        (r"s = \frac{v t}{3.6}", "where $s$ is the distance, $v$ is the speed in km/h and $t$ is the time in s."),
        # Dimensions that cannot agree.
        (r"T^2 = a^3", "where $T$ is the orbital period in years and $a$ is the semi-major axis in AU."),
        (r"V = 1.3 D^{0.62}", "where $V$ is the speed (m/s) and $D$ is the diameter (mm)."),
        (r"d = 0.3 + 1.2 h", "where $d$ is the spacing in feet and $h$ is the plant height in feet."),
        (r"p = 4.2 e^{0.07 T}", "where $p$ is the pressure in hPa and $T$ is the temperature in °C."),
        (r"w = \frac{H}{100} w_s", "where $w$ is the pressure (kPa), $H$ the relative humidity (%) and $w_s$ the vapour pressure (kPa)."),  # noqa: E501
    ],
)  # fmt: skip
def test_stated_units_are_divided_out(tmp_path: Path, formula: str, words: str) -> None:
    assert _is_divided(_only(tmp_path, formula, words))


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (r"F = m a", "where $F$ is the force (kN), $m$ the mass (t) and $a$ the acceleration (m/s²)."),
        (r"E = \frac{1}{2} m v^2", "where $E$ is the energy in J, $m$ the mass in g and $v$ the speed in km/h."),
        (r"Q = 0.61 A v", "where $Q$ is the flow rate (L/s), $A$ the area (cm²) and $v$ the flow velocity (m/s)."),
        (r"U = 4.44 f N \Phi", "where $U$ is the voltage (V), $f$ the frequency (Hz), $N$ the number of turns and $\\Phi$ the magnetic flux (Wb)."),  # noqa: E501
    ],
)  # fmt: skip
def test_equations_of_quantities_stay(tmp_path: Path, formula: str, words: str) -> None:
    found = _only(tmp_path, formula, words)
    assert found.status == "executable"
    assert not _is_divided(found)


@pytest.mark.parametrize(
    ("formula", "words", "missing"),
    [
        (r"A = 0.202 m^{0.425} l^{0.725}", "where $A$ is the area, $m$ is the mass and $l$ is the height.", "A, m, l"),
        (r"C = 140 - a", "where $C$ is the clearance (mL/min) and $a$ is the age.", "a"),
    ],
)  # fmt: skip
def test_units_that_are_not_stated_set_it_aside(tmp_path: Path, formula: str, words: str, missing: str) -> None:
    found = _only(tmp_path, formula, words)
    assert found.status == "quarantined"
    assert found.reason_code == "units_not_stated"
    assert found.reason.endswith(f"which the text does not state for {missing}")


def test_the_units_of_a_known_relation_between_numbers_are_its_usual_ones(tmp_path: Path) -> None:
    words = "where $N$ is the synchronous speed, $f$ is the frequency (Hz) and $p$ is the number of poles."
    found = _only(tmp_path, r"N = \frac{120 f}{p}", words)
    assert found.status == "executable"
    assert _is_divided(found)
    assert {symbol.name: symbol.unit for symbol in found.symbols}["N"] == "rpm"


def test_a_misprint_is_not_saved_by_units(tmp_path: Path) -> None:
    found = _only(tmp_path, "E = m c", "where $E$ is the energy (J), $m$ the mass (kg) and $c$ the speed (m/s).")
    assert (found.status, found.reason_code) == ("quarantined", "dimensions")


def test_any_unit_may_be_put_in(tmp_path: Path) -> None:
    words = "where $s$ is the distance in m, $v$ is the speed in km/h and $t$ is the time in s."
    equation = _only(tmp_path, "s = 0.278 v t", words).equation
    assert equation is not None
    values = {"v": Quantity(20, read_unit("m/s")), "t": Quantity(0.05, read_unit("min"))}
    result = evaluate_quantity(equation.right, values)
    assert isinstance(result, Quantity)
    assert result.si_value == pytest.approx(60.048)


def test_a_term_that_is_zero_converts_nothing(tmp_path: Path) -> None:
    found = _only(tmp_path, "v = 37.5 a t + 0", "$v$ is the speed, $a$ the acceleration and $t$ the time")
    assert found.equation is not None


def test_a_power_of_ten_that_the_units_make_converts_them(tmp_path: Path) -> None:
    words = "where $n_w$ is the threads per cm, $T_w$ the yarn count in tex"
    told = _only(tmp_path, "G_c = 0.1 n_w T_w", f"{words} and $G_c$ the cloth mass in g/m2.")
    assert _is_divided(told)
    # The unit of what is computed is left open: one unit alone makes 0.1 of the others, and it is told.
    taken = _only(tmp_path, "G_c = 0.1 n_w T_w", f"{words}.")
    assert (taken.status, taken.symbols[0].unit) == ("executable", "g/m^2")
    assert [flag.code for flag in taken.flags] == ["units_taken"]


def test_what_stands_over_a_hundred_is_a_number_of_percent(tmp_path: Path) -> None:
    found = _only(tmp_path, "m_f = m_d (1 + w_c/100)", "where $m_d$ is the dry mass and $w_c$ the uptake in percent.")
    assert _is_divided(found)
    values = {"m_d": Quantity(2, read_unit("kg")), "w_c": Quantity(5, read_unit("%"))}
    assert found.equation is not None
    assert evaluate_quantity(found.equation.right, values).si_value == pytest.approx(2.1)


@pytest.mark.parametrize(
    ("formula", "unit"),
    [
        (r"P\,[\mathrm{kW}] = \frac{M\,[\mathrm{N\,m}] \cdot n\,[\mathrm{rpm}]}{9549}", "kW"),
        (r"P = \frac{M\,[\mathrm{N\,m}] \cdot n\,[\mathrm{rpm}]}{9549} \quad [\mathrm{kW}]", "kW"),
        (r"P_{[kW]} = \frac{M\,[\mathrm{N\,m}] \cdot n\,[\mathrm{rpm}]}{9549}", "kW"),
        (r"\text{Shaft power (kW)} = \frac{\text{Torque (N m)} \times \text{RPM}}{9549}", "kW"),
        (r"\text{Wall load (kN/m}^2\text{)} = \text{Weight (kg)} \times 0.00981 / \text{Area (m}^2\text{)}", "kN/m^2"),
    ],
)
def test_units_in_the_formula_itself_are_those_of_its_symbols(tmp_path: Path, formula: str, unit: str) -> None:
    found = _only(tmp_path, formula, "It is read off the plate of the motor.")
    assert _is_divided(found)
    assert found.equation is not None
    assert {symbol.name: symbol.unit for symbol in found.symbols}[found.equation.target or ""] == unit


@pytest.mark.parametrize("letter", ["n", "omega", "k"])
def test_turns_are_counted_whatever_the_letter(tmp_path: Path, letter: str) -> None:
    symbol = rf"\{letter}" if len(letter) > 1 else letter
    found = _only(
        tmp_path, rf"u = \frac{{d\, {symbol}}}{{19100}}", f"with $u$ in m/s, $d$ in mm and ${symbol}$ in rpm."
    )
    assert _is_divided(found)
    kinds = {one.name: known_kind(one.kind) for one in found.symbols}
    counted = kinds[letter]
    assert counted is not None
    assert counted.counts_cycles


@pytest.mark.parametrize(
    ("formula", "words", "taken"),
    [
        (r"Q\,[\mathrm{L/min}] = 60000\, A\, v", "where $A$ is the area of the pipe and $v$ the flow velocity.", "m^2 m/s"),  # noqa: E501
        (r"P\,[\mathrm{kW}] = \frac{U I}{1000}", "where $U$ is the voltage of the pump in V and $I$ the electric current.", "A"),  # noqa: E501
    ],
)  # fmt: skip
def test_a_coefficient_tells_units_that_nobody_states(tmp_path: Path, formula: str, words: str, taken: str) -> None:
    found = _only(tmp_path, formula, words)
    assert found.status == "executable"
    (flag,) = (one for one in found.flags if one.code in ("units_taken", "number_equation"))
    assert flag.code == "number_equation" or all(f"in {unit}" in flag.message for unit in taken.split())


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        # Nobody says what is multiplied.
        (r"P = \frac{M n}{9549} \quad [\mathrm{kW}]", "It is read off the plate of the motor."),
        (r"\text{Dose (mg)} = 15 \times \text{Body index}", "It is given twice a day."),
        # The number counts units, or is part of a law.
        (r"\text{Gap (cm)} = 2 \times \text{Slat width (mm)}", "It is cut by hand."),
        # No usual units make 1700 of it.
        (r"Q\,[\mathrm{L/min}] = 1700\, A\, v", "where $A$ is the area of the pipe and $v$ the flow velocity."),
    ],
)
def test_a_number_that_may_convert_is_never_taken_as_it_is(tmp_path: Path, formula: str, words: str) -> None:
    found = _only(tmp_path, formula, words)
    assert (found.status, found.reason_code) == ("quarantined", "units_not_stated")
