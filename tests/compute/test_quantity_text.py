"""Quantities inside sentences, against sentences written as people ask; spans are exact, nothing hangs."""

from __future__ import annotations

import time
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.errors import AmbiguousUnitError, UnitError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.quantities import MAXIMAL_CHARACTERS, MAXIMAL_NUMBERS, Mention, find_quantities
from mathrag.language.typed_symbols import symbol_identifier

GOLDEN_FILE = Path(__file__).parents[1] / "golden" / "quantities_in_text.toml"
GOLDEN = tomllib.loads(GOLDEN_FILE.read_text(encoding="utf-8"))["sentence"]


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row["text"][:60])
def test_finds_every_number_of_a_sentence(row: dict[str, Any]) -> None:
    found = find_quantities(row["text"])
    assert [mention.text for mention in found] == [expected["text"] for expected in row["mentions"]]
    for mention, expected in zip(found, row["mentions"], strict=True):
        assert row["text"][mention.start : mention.end] == mention.text
        assert mention.value == pytest.approx(expected["value"], rel=1e-9)
        assert [unit.text for unit in mention.units] == expected.get("units", [])
        assert mention.kind == expected.get("kind", "quantity")
        assert mention.symbol == expected.get("symbol", "")
        assert mention.symbol_name == expected.get("name", expected.get("symbol", ""))
        if "uncertainty" in expected:
            assert mention.uncertainty == pytest.approx(expected["uncertainty"])
        else:
            assert mention.uncertainty is None


def only(text: str) -> Mention:
    (mention,) = find_quantities(text)
    return mention


def test_a_mention_gives_its_quantity() -> None:
    quantity = only("a mass of 2.50 kg").quantity
    assert (quantity.value, quantity.unit.text) == (2.5, "kg")
    assert only("take 7").quantity.unit.text == ""


def test_an_ambiguous_mention_gives_all_and_chooses_none() -> None:
    mention = only("at 25 C")
    with pytest.raises(AmbiguousUnitError):
        _ = mention.quantity
    assert [quantity.unit.text for quantity in mention.quantities] == ["C", "degC"]


def test_a_declined_mention_says_why() -> None:
    mention = only("a bag of 2,5 kg")
    assert mention.kind == "declined"
    assert mention.quantities == ()
    with pytest.raises(UnitError, match="decimal point"):
        _ = mention.quantity


def test_rare_readings_are_kept_apart() -> None:
    mention = only("a load of 10 lb")
    assert [unit.text for unit in mention.units] == ["lb"]
    assert [unit.text for unit in mention.rare_units] == ["lbf"]


def test_a_unit_handed_down_in_a_list_is_marked() -> None:
    assert [mention.distributed for mention in find_quantities("2, 4 and 8 m")] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("3.20 m", 3),
        ("0.0050 m", 2),
        ("1200 kg", 2),
        ("1.20e3 kg", 3),
        ("6.022×10²³", 4),
        ("200. m", 1),
        ("two moles", None),
        ("10^5 Pa", None),
    ],
)
def test_counts_significant_figures(text: str, figures: int | None) -> None:
    assert only(text).significant_figures == figures


def test_whole_numbers_stay_whole() -> None:
    assert isinstance(only("1,200 kg").value, int)
    assert isinstance(only("3.5 million km").value, int)
    assert isinstance(only("2 min 30 s").value, int)
    assert isinstance(only("2.0 kg").value, float)


def test_known_symbols_need_no_equals_sign() -> None:
    assert only("KE 25 J").symbol == ""
    assert find_quantities("KE 25 J", symbols={"KE"})[0].symbol == "KE"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("m", "m"),
        ("v0", "v_0"),
        ("v₀", "v_0"),
        ("T_1", "T_1"),
        ("v_{avg}", "v_avg"),
        ("ΔT", "Delta_T"),
        ("Δ x", "Delta_x"),
        ("λ", "lambda_"),
        ("μ_k", "mu_k"),
        ("\\theta", "theta"),
        ("[H+]", "conc_H_plus"),
        ("[A]0", "conc_A_0"),
        ("x'", "x_prime"),
        ("E°", "E_circ"),
        ("pH", "pH"),
    ],
)
def test_symbols_have_one_name(written: str, name: str) -> None:
    assert symbol_identifier(written) == name


# --- properties ------------------------------------------------------------------------------------------------

UNITS = [
    "m", "km", "cm", "kg", "g", "s", "min", "h", "A", "mA", "K", "mol",
    "L", "mL", "J", "kJ", "N", "Pa", "kPa", "bar", "atm", "W", "V", "ohm",
    "uF", "T", "Hz", "eV", "m/s", "m/s^2", "kg/m^3", "J/(mol*K)", "N*m",
]  # fmt: skip
FRAMES = [
    "A body with {} moves on.",
    "What happens to {}, if anything?",
    "x = {} and nothing else",
    "Take {} of it (roughly).",
    "It ends with {}",
    "{} at the start",
]


@pytest.mark.slow
@given(
    st.floats(1e-3, 9e5).map(lambda value: float(f"{value:.4g}")),
    st.sampled_from(UNITS),
    st.sampled_from(FRAMES),
    st.sampled_from(["{}", "{:.3e}", "{:.6f}"]),
)
@settings(max_examples=400, deadline=None)
def test_a_number_and_unit_put_into_a_sentence_is_found(value: float, unit: str, frame: str, style: str) -> None:
    number = style.format(value)
    text = frame.format(f"{number} {unit}")
    mention = find_quantities(text)[0]
    assert mention.text == f"{number} {unit}"
    assert mention.value == pytest.approx(float(number), rel=1e-12)
    assert mention.units[0] == read_canonical_unit(unit)


@given(st.lists(st.sampled_from([row["text"] for row in GOLDEN]), min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_spans_are_exact_in_longer_texts(sentences: list[str]) -> None:
    text = "\n\n".join(sentences)
    mentions = find_quantities(text)
    assert all(text[mention.start : mention.end] == mention.text for mention in mentions)
    starts = [mention.start for mention in mentions]
    assert starts == sorted(starts)
    assert all(before.end <= after.start for before, after in pairwise(mentions))


@given(st.text(max_size=120))
@settings(max_examples=400, deadline=None)
def test_any_text_is_searched(text: str) -> None:
    for mention in find_quantities(text):
        assert text[mention.start : mention.end] == mention.text


@pytest.mark.slow
@given(st.text(alphabet="0123456789.,eE+-−±×x^ {}()/kgms°C%$π½\\⁻²³ aninofperhalf=", max_size=60))
@settings(max_examples=800, deadline=None)
def test_number_like_text_is_searched(text: str) -> None:
    for mention in find_quantities(text):
        assert text[mention.start : mention.end] == mention.text


# --- hostile text ----------------------------------------------------------------------------------------------

HOSTILE = [
    "9" * 5000 + " kg",
    "1e99999 kg and 1e-99999 m",
    "1" + "0" * 400 + ".5 m",
    "5 m^99999999",
    "5 " + "(" * 5000 + "m",
    "5 \\mathrm{" * 200,
    "__import__('os').getpid() 5 kg",
    "9**9**9**9 m",
    "5 kg\x00\x00 6 m",
    "٣ kg and ３ m and Ⅷ s",
    "1/0 m and 5/0 kg",
    "½" * 500,
    "one hundred " * 200,
    "ten to the ten to the ten to the minus",
    "x = " * 500 + "5",
    "5 ± ± ± 3 m",
    "$" * 500 + "5",
    "3 of a of a of a of a per per per m",
    "5 m = " * 100,
    "-" * 500 + "5 m",
    "[" * 500 + "] = 5",
    "5 sq cubic square sq m",
    "\u202e5 kg\u202c",
    "10^10^10^10 Pa",
    "5 e e e e e e",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_searched_fast(text: str) -> None:
    find_quantities("5 m")
    for mention in find_quantities(text):
        assert text[mention.start : mention.end] == mention.text
        assert mention.kind == "declined" or abs(mention.value) < float("inf")


def test_numbers_beyond_floats_are_declined() -> None:
    assert [mention.kind for mention in find_quantities("1e400 m and 1e-400 m")] == ["declined", "declined"]
    assert only("9" * 100 + " kg").kind == "declined"


def test_texts_too_long_or_too_full_are_refused() -> None:
    with pytest.raises(UnitError, match="too long"):
        find_quantities("a" * (MAXIMAL_CHARACTERS + 1))
    with pytest.raises(UnitError, match="numbers"):
        find_quantities("5 " * (MAXIMAL_NUMBERS + 10))


@pytest.mark.growth
def test_a_long_text_takes_time_in_proportion() -> None:
    page = "A 63 g golf disc is flung at 170 km/h over a net 0.914 m high, and lands 18 m away after 0.4 s. " * 20
    find_quantities(page)
    started = time.process_time()
    find_quantities(page)
    once = time.process_time() - started
    started = time.process_time()
    find_quantities(page * 8)
    assert time.process_time() - started < 8 * once * 4 + 1.0


def test_digits_that_belong_to_a_longer_piece_are_no_uncertainty() -> None:
    assert [mention.text for mention in find_quantities(r"y = 1.5* x +8 \pm2$$")][:1] == ["1.5"]
