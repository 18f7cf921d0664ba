"""Unit text, conversion and ambiguity, against a table a physicist can read and against pint itself."""

from __future__ import annotations

import math
import subprocess
import sys
import tomllib
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.errors import AmbiguousUnitError, DimensionError, UnitError
from mathrag.knowledge.units import (
    coherent_unit,
    convert,
    difference_of,
    is_unit_text,
    names,
    read_canonical_unit,
    read_unit,
    unit_readings,
)
from mathrag.knowledge.units.reader import unit_of
from mathrag.knowledge.units.table import factors_table, pint_registry, units_data
from mathrag.types.quantity import DIMENSIONLESS, NO_UNIT, Dimension, Quantity, Unit

GOLDEN = tomllib.loads((Path(__file__).parents[1] / "golden" / "units.toml").read_text(encoding="utf-8"))["unit"]
READABLE = [row for row in GOLDEN if "reading" in row]
AMBIGUOUS = [row for row in GOLDEN if "readings" in row]
REFUSED = [row for row in GOLDEN if row.get("error")]

MASS = Dimension.of({"mass": 1})
TEMPERATURE = Dimension.of({"temperature": 1})
CHARGE = Dimension.of({"current": 1, "time": 1})
CAPACITANCE = Dimension.of({"length": -2, "mass": -1, "time": 4, "current": 2})
FORCE = Dimension.of({"length": 1, "mass": 1, "time": -2})
NAMES = {
    "[length]": "length",
    "[mass]": "mass",
    "[time]": "time",
    "[current]": "current",
    "[temperature]": "temperature",
    "[substance]": "amount",
    "[luminosity]": "luminosity",
    "[currency]": "currency",
}


def text_of(row: dict[str, Any]) -> str:
    return str(row["text"])


def assert_agrees_with_pint(unit: Unit, text: str) -> None:
    """Dimension, scale and offset are what pint computes from the canonical text."""
    registry = pint_registry()
    if text in ("", "dB", "dBm", "dBW"):
        assert unit.dimension == DIMENSIONLESS
        assert unit.scale == 1.0
        return
    dimensionality = registry.get_dimensionality(registry.parse_units(text))
    exponents = {NAMES[name]: Fraction(power).limit_denominator(100) for name, power in dimensionality.items()}
    assert unit.dimension == Dimension.of(exponents)
    factor, _ = registry.get_root_units(text, check_nonmult=False)
    grams = float(unit.dimension.exponents[1])
    assert unit.scale == pytest.approx(float(factor) / 1000**grams, rel=1e-12)
    if unit.is_absolute_temperature:
        zero = registry.Quantity(Fraction(0), text).to("kelvin").magnitude
        assert unit.offset == pytest.approx(float(zero), rel=1e-12)


@pytest.mark.parametrize("row", READABLE, ids=text_of)
def test_reads_one_unit(row: dict[str, Any]) -> None:
    unit = read_unit(row["text"])
    assert unit.text == row["reading"]
    assert_agrees_with_pint(unit, row["reading"])


@pytest.mark.parametrize("row", AMBIGUOUS, ids=text_of)
def test_reports_every_reading_of_ambiguous_text(row: dict[str, Any]) -> None:
    with pytest.raises(AmbiguousUnitError) as caught:
        read_unit(row["text"])
    assert list(caught.value.readings) == row["readings"]
    for unit in unit_readings(row["text"], rare=False):
        assert_agrees_with_pint(unit, unit.text)


@pytest.mark.parametrize("row", REFUSED, ids=text_of)
def test_refuses_with_a_place(row: dict[str, Any]) -> None:
    with pytest.raises(UnitError) as caught:
        read_unit(row["text"])
    assert caught.value.position is not None
    assert 0 <= caught.value.position <= len(row["text"])
    assert not is_unit_text(row["text"])


def test_every_spelling_of_the_data_file_agrees_with_pint() -> None:
    """Also the rare readings, and every prefix: what we compute is what pint makes of the canonical text."""
    tables = names._tables()
    texts: dict[str, Unit] = {}
    for spelling in (*tables.exact, *tables.words):
        for reading in names.readings_of(spelling):
            unit = unit_of(list(reading.parts))
            texts[unit.text] = unit
    assert len(texts) > 600
    for text, unit in texts.items():
        assert_agrees_with_pint(unit, text)
        if text:
            again = read_canonical_unit(text)
            assert (again.dimension, again.scale, again.offset) == (unit.dimension, unit.scale, unit.offset)


@pytest.mark.parametrize(
    ("text", "prefer", "expected"),
    [
        ("C", TEMPERATURE, "degC"),
        ("C", CHARGE, "C"),
        ("F", TEMPERATURE, "degF"),
        ("F", CAPACITANCE, "F"),
        ("lb", FORCE, "lbf"),
        ("lb", MASS, "lb"),
        ("degrees", DIMENSIONLESS, "deg"),
        ("oz", MASS, "oz"),
        ("oz", Dimension.of({"length": 3}), "fluid_ounce"),
        ("g", Dimension.of({"length": 1, "time": -2}), "g_0"),
        ("C/m", Dimension.of({"current": 1, "time": 1, "length": -1}), "C/m"),
        ("C/min", Dimension.of({"temperature": 1, "time": -1}), "delta_degC/min"),
        ("h", Dimension.of({"time": 1}), "h"),
        ("h", Dimension.of({"length": 2, "mass": 1, "time": -1}), "planck_constant"),
        ("m", Dimension.of({"amount": 1, "mass": -1}), "mol/kg"),
    ],
)
def test_a_preferred_dimension_decides(text: str, prefer: Dimension, expected: str) -> None:
    assert read_unit(text, prefer=[prefer]).text == expected


def test_a_preference_among_units_of_one_dimension_stays_ambiguous() -> None:
    with pytest.raises(AmbiguousUnitError):
        read_unit("ton", prefer=[MASS])
    with pytest.raises(AmbiguousUnitError):
        read_unit("degrees", prefer=[TEMPERATURE])


def test_preferences_count_in_order_and_others_are_ignored() -> None:
    assert read_unit("C", prefer=[MASS, TEMPERATURE, CHARGE]).text == "degC"
    assert read_unit("kg", prefer=[TEMPERATURE]).text == "kg"


def test_rare_readings_are_offered_last() -> None:
    assert [unit.text for unit in unit_readings("h")] == ["h", "planck_constant"]
    assert [unit.text for unit in unit_readings("min")] == ["min", "arcmin"]
    assert [unit.text for unit in unit_readings("M")] == ["M", "nmi"]
    assert [unit.text for unit in unit_readings("deg")] == ["deg", "degC", "degF"]
    assert [unit.text for unit in unit_readings("h", rare=False)] == ["h"]


def test_case_is_kept_where_it_matters() -> None:
    assert read_unit("mW").scale == 1e-3
    assert read_unit("MW").scale == 1e6
    assert read_unit("mPa").scale == 1e-3
    assert read_unit("MPa").scale == 1e6
    assert read_unit("Mg").scale == 1e3
    assert read_unit("mg").scale == 1e-6
    assert read_unit("K").dimension == TEMPERATURE
    assert not is_unit_text("k")


def test_absolute_and_difference_temperatures() -> None:
    absolute = read_unit("°C")
    difference = read_unit("°C", difference=True)
    assert absolute.offset == 273.15
    assert (difference.text, difference.scale, difference.offset) == ("delta_degC", 1.0, 0.0)
    assert difference_of(read_unit("°F")).text == "delta_degF"
    assert difference_of(read_unit("K")).text == "K"
    assert read_unit("kg", difference=True).text == "kg"
    assert read_unit("J/°C").offset == 0.0


def test_no_unit() -> None:
    for text in ("", "  ", "1", "dimensionless"):
        assert read_unit(text) == NO_UNIT
        assert read_canonical_unit(text) == NO_UNIT


def test_errors_suggest_and_point() -> None:
    with pytest.raises(UnitError, match="did you mean 'kilogram'") as caught:
        read_unit("m/kilogrm")
    assert caught.value.position == 2
    with pytest.raises(UnitError) as caught:
        read_unit(r"\mathrm{m\,parsnip}")
    assert caught.value.position == r"\mathrm{m\,parsnip}".index("parsnip")
    with pytest.raises(UnitError, match="gauge pressure"):
        read_unit("psig")
    with pytest.raises(UnitError, match="US dollars"):
        read_unit("€")


# --- conversion ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        (98.6, "°F", "°C", 37.0),
        (0, "°C", "K", 273.15),
        (-40, "°C", "°F", -40),
        (20, "delta_degC", "delta_degF", 36),
        (90, "km/h", "m/s", 25),
        (1, "atm", "Pa", 101325),
        (760, "torr", "atm", 1),
        (1, "kWh", "J", 3.6e6),
        (1, "cal", "J", 4.184),
        (5, "percent", "", 0.05),
        (180, "deg", "rad", math.pi),
        (60, "rpm", "rad/s", 2 * math.pi),
        (1, "eV", "J", 1.602176634e-19),
        (1, "mol/L", "mol/m^3", 1000),
        (1, "gauss", "T", 1e-4),
        (12, "inch", "ft", 1),
        (2, "USD/kWh", "USD/MJ", 2 / 3.6),
    ],
)
def test_converts(value: float, source: str, target: str, expected: float) -> None:
    result = convert(Quantity(value, read_canonical_unit(source)), _any_unit(target))
    assert result.value == pytest.approx(expected, rel=1e-9, abs=1e-9)


def _any_unit(text: str) -> Unit:
    if text == "USD/MJ":
        return read_unit("USD/MJ")
    return read_unit(text) if "°" in text else read_canonical_unit(text)


def test_conversion_carries_the_uncertainty() -> None:
    result = convert(Quantity(20.0, read_unit("°C"), 0.5), read_unit("°F"))
    assert result.value == pytest.approx(68)
    assert result.uncertainty == pytest.approx(0.9)


def test_conversion_between_dimensions_names_both() -> None:
    with pytest.raises(DimensionError, match=r"kg.*m/s") as caught:
        convert(Quantity(1, read_unit("kg")), read_unit("m/s"))
    assert "dimensions are kg and m/s" in str(caught.value)


def test_coherent_units_have_names_people_expect() -> None:
    for text in ("N", "J", "Pa", "W", "V", "ohm", "C", "F", "H", "T", "Wb", "S"):
        unit = coherent_unit(read_canonical_unit(text).dimension)
        assert unit.text == text
        assert unit.scale == 1.0
        assert_agrees_with_pint(unit, text)
    assert coherent_unit(Dimension.of({"time": -1})).text == "1/s"
    assert coherent_unit(DIMENSIONLESS) == NO_UNIT
    speed = coherent_unit(Dimension.of({"length": 1, "time": -1}))
    assert (speed.text, speed.scale) == ("m/s", 1.0)
    assert read_canonical_unit(speed.text) == speed


# --- properties ------------------------------------------------------------------------------------------------

ATOMS = [
    "m", "km", "cm", "kg", "g", "s", "ms", "min", "h", "A", "mA", "K",
    "mol", "mmol", "L", "mL", "J", "kJ", "N", "Pa", "kPa", "bar", "atm", "W",
    "V", "ohm", "uF", "T", "Hz", "eV", "cal", "ft", "inch", "lb", "psi", "USD",
]  # fmt: skip
POWERS = st.sampled_from([-3, -2, -1, 1, 2, 3])
PRODUCTS = st.lists(st.tuples(st.sampled_from(ATOMS), POWERS), min_size=1, max_size=4, unique_by=lambda pair: pair[0])


def written(parts: list[tuple[str, int]], style: int) -> str:
    """The same product in different handwriting."""
    if style == 0:
        return " ".join(name if power == 1 else f"{name}^{power}" for name, power in parts)
    if style == 1:
        superscripts = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
        return "·".join(name if power == 1 else name + str(power).translate(superscripts) for name, power in parts)
    if style == 2:
        inside = r"\,".join(name if power == 1 else f"{name}^{{{power}}}" for name, power in parts)
        return rf"\mathrm{{{inside}}}"
    return "*".join(name if power == 1 else f"{name}**({power})" for name, power in parts)


@given(PRODUCTS, st.integers(0, 3))
@settings(max_examples=200, deadline=None)
def test_every_handwriting_gives_the_same_unit(parts: list[tuple[str, int]], style: int) -> None:
    unit = read_unit(written(parts, style))
    assert_agrees_with_pint(unit, unit.text)
    assert unit == read_unit(written(parts, 3)) or "lb" in unit.text


@given(PRODUCTS)
@settings(max_examples=200, deadline=None)
def test_printed_units_read_back(parts: list[tuple[str, int]]) -> None:
    unit = read_canonical_unit(written(parts, 3))
    assert read_canonical_unit(unit.text) == unit
    if "lb" not in unit.text:  # a foot with a pound is read as a torque when a person writes it
        assert read_unit(unit.text, prefer=[unit.dimension]) == unit


@given(
    st.floats(-1e12, 1e12, allow_nan=False).filter(lambda value: value == 0 or abs(value) > 1e-9),
    st.sampled_from([row["reading"] for row in READABLE]),
    st.sampled_from([row["reading"] for row in READABLE]),
)
@settings(max_examples=400, deadline=None)
def test_converts_there_and_back(value: float, first: str, second: str) -> None:
    source, target = read_canonical_unit(first), read_canonical_unit(second)
    quantity = Quantity(value, source)
    if source.dimension != target.dimension:
        with pytest.raises(DimensionError):
            convert(quantity, target)
        return
    back = convert(convert(quantity, target), source)
    assert back.unit == source
    slack = 1e-9 * max(abs(value), abs(source.offset / source.scale), abs(target.offset / source.scale))
    assert back.value == pytest.approx(value, rel=1e-9, abs=slack)


@given(st.text(max_size=60))
@settings(max_examples=400, deadline=None)
def test_any_text_reads_or_is_refused(text: str) -> None:
    try:
        readings = unit_readings(text)
    except UnitError as error:
        place, readings = error.position, ()
    else:
        place = None
        assert readings
    assert place is None or 0 <= place <= len(text)
    assert all(unit.scale > 0 and math.isfinite(unit.scale) for unit in readings)


@given(st.text(alphabet="mskgJKNC/^*()-·.²⁻ 123\\{}frac,permol%$°", max_size=40))
@settings(max_examples=600, deadline=None)
def test_unit_like_text_reads_or_is_refused(text: str) -> None:
    reason = ""
    try:
        readings = unit_readings(text)
    except UnitError as error:
        reason, readings = error.reason, ()
    assert bool(readings) != bool(reason)


# --- hostile text ----------------------------------------------------------------------------------------------

HOSTILE = [
    "__import__('os').system('true')",
    "m; import os",
    "eval(1)",
    "lambda: 0",
    "m**9**9**9**9",
    "m^9999999999999999999",
    "m^-99999",
    "m^1e999",
    "m^(1/0)",
    "m^(1/999999)",
    "((((m^24)^24)^24)^24)",
    "Gm^24*Gm^24*Gm^24*Gm^24*Gm^24*Gm^24",
    "m" * 100_000,
    "m*" * 50_000 + "m",
    "(" * 100_000 + "m" + ")" * 100_000,
    "(" * 100 + "m" + ")" * 100,
    "{" * 100 + "m" + "}" * 100,
    "\\mathrm{" * 40 + "m" + "}" * 40,
    "\\frac{m}{" * 30 + "s" + "}" * 30,
    "√" * 200 + "m",
    "/" * 200,
    "^" * 200,
    "m^" * 120,
    "m\x00",
    "\x00",
    "ｍ／ｓ；",
    "m\u202es",
    "мс",
    "kg\ud7ff",
    "C*F*R*D*C*F*R*D*ton*oz*degrees*rads*gr*pt",
    "1" * 200,
    "m^" + "9" * 200,
    "\\tothe{99999999}",
    "\\input{/etc/passwd}",
    "\\def\\x{\\x\\x}\\x",
    "${jndi:ldap://x}",
    "%s%s%s%n",
    "<script>m</script>",
    "m'; DROP TABLE units; --",
    "\\" * 200,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_refused_fast(text: str) -> None:
    read_unit("m")
    with pytest.raises(UnitError) as caught:
        read_unit(text)
    assert caught.value.position is not None
    assert len(caught.value.source) <= 400


def test_outside_text_never_reaches_the_string_parser_of_pint(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = pint_registry()
    allowed = set(units_data().entries)

    def refuse(text: str, *_: object, **__: object) -> None:
        raise AssertionError(f"pint was asked to parse {text!r}")

    monkeypatch.setattr(registry, "parse_expression", refuse)
    original = registry.get_root_units

    def watched(name: str, *arguments: Any, **options: Any) -> Any:
        assert name in allowed
        return original(name, *arguments, **options)

    monkeypatch.setattr(registry, "get_root_units", watched)
    for text in ("quart/fortnight^3", "J/(mol*K)", "acre/century", "__import__('os')"):
        is_unit_text(text)


def test_importing_does_not_import_pint() -> None:
    script = (
        "import sys, mathrag.knowledge.units, mathrag.language.quantities as q;"
        "assert 'pint' not in sys.modules; q.find_quantities('5 m'); assert 'pint' not in sys.modules"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True, timeout=60)


def test_the_kept_factors_are_what_pint_says() -> None:
    kept = resources.files("mathrag.knowledge").joinpath("data", "unit_factors.json").read_text(encoding="utf-8")
    assert kept == factors_table(), "unit_factors.json is out of date: run `make data`"


def test_reading_units_does_not_load_pint() -> None:
    code = (
        "import sys; from mathrag.knowledge.units import read_unit; "
        "read_unit('J/(mol K)'); print('pint' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
