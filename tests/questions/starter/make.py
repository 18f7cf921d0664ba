"""Recomputes every answer of questions.jsonl with plain arithmetic in SI units; it never asks the program under test.

Constants are those of CODATA 2022, except g = 9.81 m/s^2 and the cryoscopic constant of water, 1.86 K*kg/mol, as the
documents state them. Pint converts units and does nothing else. Run it with: python make.py
"""

import collections
import json
import pathlib
from collections.abc import Callable
from math import exp, isclose, log, log10, pi, sin, sqrt
from typing import Any

import pint

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENTS = HERE.parents[2] / "src" / "mathrag" / "data" / "starter"
UNITS = pint.UnitRegistry()

TOLERANCE = 0.005
FREE_FALL = 9.81
GRAVITATION = 6.67430e-11
LIGHT = 299792458.0
PLANCK = 6.62607015e-34
GAS = 8.31446261815324
FARADAY = 96485.33212331
PERMEABILITY = 1.25663706127e-6
CRYOSCOPIC_WATER = 1.86

Values = dict[str, float]
Rule = Callable[[Values], float]

# The order is the order of the formula numbers in the identifiers: the first rule of each is the formula as the
# document has it, the others are solved by hand for another symbol.
FORMULAS: dict[int, dict[str, Rule]] = {
    1: {
        "R": lambda s: s["v_0"] ** 2 * sin(2 * s[r"\theta"]) / s.get("g", FREE_FALL),
        "v_0": lambda s: sqrt(s["R"] * s.get("g", FREE_FALL) / sin(2 * s[r"\theta"])),
        "g": lambda s: s["v_0"] ** 2 * sin(2 * s[r"\theta"]) / s["R"],
    },
    2: {
        "F_c": lambda s: s["m"] * s["v"] ** 2 / s["r"],
        "v": lambda s: sqrt(s["F_c"] * s["r"] / s["m"]),
        "r": lambda s: s["m"] * s["v"] ** 2 / s["F_c"],
    },
    3: {
        "v_f": lambda s: (s["m_1"] * s["v_1"] + s["m_2"] * s["v_2"]) / (s["m_1"] + s["m_2"]),
        "v_1": lambda s: ((s["m_1"] + s["m_2"]) * s["v_f"] - s["m_2"] * s["v_2"]) / s["m_1"],
        "m_2": lambda s: s["m_1"] * (s["v_1"] - s["v_f"]) / (s["v_f"] - s["v_2"]),
    },
    4: {
        "T": lambda s: 2 * pi * sqrt(s["a"] ** 3 / (GRAVITATION * s["M"])),
        "a": lambda s: (GRAVITATION * s["M"] * s["T"] ** 2 / (4 * pi**2)) ** (1 / 3),
        "M": lambda s: 4 * pi**2 * s["a"] ** 3 / (GRAVITATION * s["T"] ** 2),
    },
    5: {
        "P": lambda s: s["P_0"] + s[r"\rho"] * FREE_FALL * s["h"],
        "h": lambda s: (s["P"] - s["P_0"]) / (s[r"\rho"] * FREE_FALL),
        r"\rho": lambda s: (s["P"] - s["P_0"]) / (FREE_FALL * s["h"]),
    },
    6: {
        "Q": lambda s: pi * s["r"] ** 4 * s[r"\Delta P"] / (8 * s[r"\mu"] * s["L"]),
        r"\Delta P": lambda s: 8 * s[r"\mu"] * s["L"] * s["Q"] / (pi * s["r"] ** 4),
        r"\mu": lambda s: pi * s["r"] ** 4 * s[r"\Delta P"] / (8 * s["Q"] * s["L"]),
    },
    7: {
        "T_f": lambda s: (
            (s["m_1"] * s["c_1"] * s["T_1"] + s["m_2"] * s["c_2"] * s["T_2"])
            / (s["m_1"] * s["c_1"] + s["m_2"] * s["c_2"])
        ),
        "T_1": lambda s: s["T_f"] + s["m_2"] * s["c_2"] * (s["T_f"] - s["T_2"]) / (s["m_1"] * s["c_1"]),
        "c_1": lambda s: s["m_2"] * s["c_2"] * (s["T_f"] - s["T_2"]) / (s["m_1"] * (s["T_1"] - s["T_f"])),
    },
    8: {
        r"V_\mathrm{out}": lambda s: s[r"V_\mathrm{in}"] * s["R_2"] / (s["R_1"] + s["R_2"]),
        r"V_\mathrm{in}": lambda s: s[r"V_\mathrm{out}"] * (s["R_1"] + s["R_2"]) / s["R_2"],
        "R_1": lambda s: s["R_2"] * (s[r"V_\mathrm{in}"] / s[r"V_\mathrm{out}"] - 1),
    },
    9: {
        "V": lambda s: s["V_0"] * exp(-s["t"] / (s["R"] * s["C"])),
        "t": lambda s: s["R"] * s["C"] * log(s["V_0"] / s["V"]),
        "R": lambda s: s["t"] / (s["C"] * log(s["V_0"] / s["V"])),
    },
    10: {
        "L": lambda s: PERMEABILITY * s["N"] ** 2 * s["A"] / s[r"\ell"],
        "N": lambda s: sqrt(s["L"] * s[r"\ell"] / (PERMEABILITY * s["A"])),
        r"\ell": lambda s: PERMEABILITY * s["N"] ** 2 * s["A"] / s["L"],
    },
    11: {
        "f_L": lambda s: s["f_S"] * (s["v"] + s["v_L"]) / (s["v"] - s["v_S"]),
        "f_S": lambda s: s["f_L"] * (s["v"] - s["v_S"]) / (s["v"] + s["v_L"]),
        "v_S": lambda s: s["v"] - s["f_S"] * (s["v"] + s["v_L"]) / s["f_L"],
    },
    12: {
        "f": lambda s: s["d_o"] * s["d_i"] / (s["d_o"] + s["d_i"]),
        "d_i": lambda s: s["f"] * s["d_o"] / (s["d_o"] - s["f"]),
        "d_o": lambda s: s["f"] * s["d_i"] / (s["d_i"] - s["f"]),
    },
    13: {
        r"K_\mathrm{max}": lambda s: PLANCK * s["f"] - s["W_0"],
        "W_0": lambda s: PLANCK * s["f"] - s[r"K_\mathrm{max}"],
        "f": lambda s: (s[r"K_\mathrm{max}"] + s["W_0"]) / PLANCK,
    },
    14: {
        "c": lambda s: 1 / sqrt(s[r"\varepsilon_0"] * s[r"\mu_0"]),
        r"\varepsilon_0": lambda s: 1 / (s["c"] ** 2 * s[r"\mu_0"]),
        r"\mu_0": lambda s: 1 / (s["c"] ** 2 * s[r"\varepsilon_0"]),
    },
    15: {
        r"\Delta T_f": lambda s: s["i"] * s.get("K_f", CRYOSCOPIC_WATER) * s["b"],
        "b": lambda s: s[r"\Delta T_f"] / (s["i"] * s["K_f"]),
        "K_f": lambda s: s[r"\Delta T_f"] / (s["i"] * s["b"]),
    },
    16: {
        "A": lambda s: s[r"\varepsilon"] * s["c"] * s[r"\ell"],
        "c": lambda s: s["A"] / (s[r"\varepsilon"] * s[r"\ell"]),
        r"\varepsilon": lambda s: s["A"] / (s["c"] * s[r"\ell"]),
    },
    17: {
        r"\rho": lambda s: s["P"] * s["M"] / (GAS * s["T"]),
        "M": lambda s: s[r"\rho"] * GAS * s["T"] / s["P"],
        "T": lambda s: s["P"] * s["M"] / (GAS * s[r"\rho"]),
    },
    18: {
        "P_2": lambda s: s["P_1"] * exp(-s[r"\Delta H_\mathrm{vap}"] / GAS * (1 / s["T_2"] - 1 / s["T_1"])),
        r"\Delta H_\mathrm{vap}": lambda s: GAS * log(s["P_2"] / s["P_1"]) / (1 / s["T_1"] - 1 / s["T_2"]),
        "T_2": lambda s: 1 / (1 / s["T_1"] - GAS * log(s["P_2"] / s["P_1"]) / s[r"\Delta H_\mathrm{vap}"]),
    },
    19: {
        "k": lambda s: s["A"] * exp(-s["E_a"] / (GAS * s["T"])),
        "E_a": lambda s: GAS * s["T"] * log(s["A"] / s["k"]),
        "T": lambda s: s["E_a"] / (GAS * log(s["A"] / s["k"])),
    },
    20: {
        "v": lambda s: s[r"V_\mathrm{max}"] * s["c_S"] / (s["K_M"] + s["c_S"]),
        "c_S": lambda s: s["v"] * s["K_M"] / (s[r"V_\mathrm{max}"] - s["v"]),
        r"V_\mathrm{max}": lambda s: s["v"] * (s["K_M"] + s["c_S"]) / s["c_S"],
    },
    21: {
        r"\mathrm{pH}": lambda s: s[r"\mathrm{p}K_a"] + log10(s[r"[\mathrm{A^-}]"] / s[r"[\mathrm{HA}]"]),
        r"\mathrm{p}K_a": lambda s: s[r"\mathrm{pH}"] - log10(s[r"[\mathrm{A^-}]"] / s[r"[\mathrm{HA}]"]),
        r"[\mathrm{A^-}]": lambda s: s[r"[\mathrm{HA}]"] * 10 ** (s[r"\mathrm{pH}"] - s[r"\mathrm{p}K_a"]),
    },
    22: {
        r"\Delta G^\circ": lambda s: -GAS * s["T"] * log(s["K"]),
        "K": lambda s: exp(-s[r"\Delta G^\circ"] / (GAS * s["T"])),
        "T": lambda s: -s[r"\Delta G^\circ"] / (GAS * log(s["K"])),
    },
    23: {
        "E": lambda s: s[r"E^\circ"] - GAS * s["T"] / (s["z"] * FARADAY) * log(s["Q"]),
        r"E^\circ": lambda s: s["E"] + GAS * s["T"] / (s["z"] * FARADAY) * log(s["Q"]),
        "Q": lambda s: exp((s[r"E^\circ"] - s["E"]) * s["z"] * FARADAY / (GAS * s["T"])),
    },
    24: {
        "m": lambda s: s["I"] * s["t"] * s["M"] / (s["z"] * FARADAY),
        "t": lambda s: s["m"] * s["z"] * FARADAY / (s["I"] * s["M"]),
        "I": lambda s: s["m"] * s["z"] * FARADAY / (s["t"] * s["M"]),
    },
}


def speed_from_force(s: Values) -> float:
    acceleration = s["F"] / s["m"]
    return s["v_0"] + acceleration * s["t"]


def concentration_from_mass(s: Values) -> float:
    amount = s["m"] / s["M"]
    return amount / s["V"]


def energy_of_a_disc(s: Values) -> float:
    inertia = s["M"] * s["R"] ** 2 / 2
    return inertia * s[r"\omega"] ** 2 / 2


def laminar_friction_factor(s: Values) -> float:
    reynolds = s[r"\rho"] * s["v"] * s["D"] / s[r"\mu"]
    return 64 / reynolds


def heat_of_a_wire(s: Values) -> float:
    resistance = s[r"\rho"] * s["L"] / s["A"]
    return s["I"] ** 2 * resistance


def energy_of_a_solenoid(s: Values) -> float:
    inductance = PERMEABILITY * s["N"] ** 2 * s["A"] / s[r"\ell"]
    return inductance * s["I"] ** 2 / 2


def harmonic_of_a_string(s: Values) -> float:
    speed = sqrt(s["F_T"] / s[r"\mu"])
    return s["n"] * speed / (2 * s["L"])


def dilated_time(s: Values) -> float:
    lorentz = 1 / sqrt(1 - (s["v"] / LIGHT) ** 2)
    return lorentz * s[r"\Delta t_0"]


def enthalpy_from_calorimeter(s: Values) -> float:
    heat = s[r"C_\mathrm{cal}"] * s[r"\Delta T"]
    return -heat / s["n"]


def energy_from_electrode_potentials(s: Values) -> float:
    potential = s[r"E^\circ_\mathrm{cathode}"] - s[r"E^\circ_\mathrm{anode}"]
    return -s["z"] * FARADAY * potential


def half_life_from_arrhenius(s: Values) -> float:
    rate_constant = s["A"] * exp(-s["E_a"] / (GAS * s["T"]))
    return log(2) / rate_constant


def acidity_of_a_weak_acid(s: Values) -> float:
    hydrogen_ions = sqrt(s["K_a"] * s["c_0"])
    return -log10(hydrogen_ions / 1000)


CHAINS: tuple[Rule, ...] = (
    speed_from_force,
    concentration_from_mass,
    energy_of_a_disc,
    laminar_friction_factor,
    heat_of_a_wire,
    energy_of_a_solenoid,
    harmonic_of_a_string,
    dilated_time,
    enthalpy_from_calorimeter,
    energy_from_electrode_potentials,
    half_life_from_arrhenius,
    acidity_of_a_weak_acid,
)

COMPOSITION = {"direct": 120, "rearranged": 48, "chained": 12, "unanswerable": 12, "missing": 10, "chat": 6}
FIELDS = "id tier question document label latex given target answer unit needs".split()


def in_base_units(text: str) -> float:
    number, _, unit = text.partition(" ")
    return float(UNITS.Quantity(float(number), unit).to_base_units().magnitude) if unit else float(number)


def in_unit(value: float, unit: str) -> float:
    if not unit:
        return value
    base = UNITS.get_base_units(unit)[1]
    return float(UNITS.Quantity(value, base).to(unit).magnitude)


def recompute(row: dict[str, Any]) -> float:
    """The answer in the unit of the row; for a rearranged row also checked by putting it back into the formula."""
    values = {symbol: in_base_units(text) for symbol, text in row["given"].items()}
    number = int(row["id"].split("-")[2])
    if row["tier"] == "chained":
        return in_unit(CHAINS[number - 1](values), row["unit"])
    rules = FORMULAS[number]
    left_hand_side = next(iter(rules))
    assert (row["target"] == left_hand_side) == (row["tier"] == "direct"), row["id"]
    result = rules[row["target"]](values)
    if row["tier"] == "rearranged":
        back = rules[left_hand_side](values | {row["target"]: result})
        assert isclose(back, values[left_hand_side], rel_tol=1e-9), row["id"]
    return in_unit(result, row["unit"])


def check_place(row: dict[str, Any]) -> None:
    """The document exists and holds the formula and its name as the row quotes them."""
    text = (DOCUMENTS / row["document"]).read_text(encoding="utf-8")
    formulas = row["latex"] if isinstance(row["latex"], list) else [row["latex"]]
    for name, formula in zip(row["label"].split("; "), formulas, strict=True):
        assert f"### {name}\n" in text or f"**{name}.**" in text, (row["id"], name)
        assert f"$${formula}$$" in text, (row["id"], formula)


def check(row: dict[str, Any]) -> None:
    assert list(row) == FIELDS, row["id"]
    if row["document"] is not None:
        check_place(row)
    assert (row["needs"] is not None) == (row["tier"] == "missing"), row["id"]
    if row["tier"] in ("direct", "rearranged", "chained"):
        expected = recompute(row)
        assert isclose(row["answer"], expected, rel_tol=TOLERANCE), (row["id"], row["answer"], expected)
    else:
        assert row["answer"] is None, row["id"]
        assert row["unit"] == "", row["id"]


def main() -> None:
    lines = (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows:
        check(row)
    assert len({row["id"] for row in rows}) == len({row["question"] for row in rows}) == len(rows)
    assert collections.Counter(row["tier"] for row in rows) == COMPOSITION
    wordings = collections.Counter(row["id"][-2:] for row in rows if row["tier"] == "direct")
    assert wordings == {f"{number:02}": 12 for number in range(1, 11)}, wordings
    print(f"{len(rows)} questions agree:", COMPOSITION)


if __name__ == "__main__":
    main()
