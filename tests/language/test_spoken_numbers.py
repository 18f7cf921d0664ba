"""Numbers in words, letters and pictures, and words in letters that nobody checks."""

from __future__ import annotations

import pytest

from mathrag.language.spoken_numbers import digits_as_seen, spoken_numbers, strange_words

NUMBERS = (
    "fortytwo", "twohundred", "f o r t y", "ｆｏｒｔｙ", "𝐭𝐰𝐨", "tԝо", "ᴛᴡᴏ", "Ⅻ", "XLII", "xlii", "sixtieth",
    "elevenfold", "zweiundvierzig", "zweihundertdrei", "quarantadue", "tweeënveertig", "veintidós", "veintidos",
    "czterdziesci",
    "🕓", "⚃", "🇻", "🔟", "4O", "O.5", "1l7", "seventy\u00adone",
)  # fmt: skip
ORDINARY = (
    "the centre of mass and the tension of the string", "a mix of gases", "H2O and CO2", "the second law", "metadata",
    "Ångström, Schrödinger and naïve", "the current flows from the anode", "an attempt to convert someone",
    "5 l of oil", "a lens, a prism and a mirror",
)  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_are_found_however_they_are_written(text: str) -> None:
    assert spoken_numbers(f"it is {text} or so", frozenset())


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_words_are_no_numbers(text: str) -> None:
    assert spoken_numbers(text, frozenset()) == ()
    assert strange_words(text, frozenset()) == ()


def test_known_words_may_be_repeated() -> None:
    assert spoken_numbers("the half-life", frozenset(("half-life",))) == ()
    assert strange_words("сила тока", frozenset(("сила", "тока"))) == ()


@pytest.mark.parametrize("text", ["сорок", "σαράντα", "ארבעים", "สี่", "마흔", "四十", "քառասուն", "ʇʍo", "fоrce"])
def test_letters_that_nobody_checks(text: str) -> None:
    assert strange_words(f"it is {text}", frozenset())


def test_symbols_and_accents_are_read() -> None:
    assert strange_words("Δt, λ and μm; straße, façade, Łódź, ｆｏｒｃｅ, 𝐦", frozenset()) == ()


def test_digits_of_all_scripts_are_digits() -> None:
    assert digits_as_seen("４٢४𝟒 m² ④") == "4244 m² ④"


def test_long_words_take_no_time() -> None:
    assert not spoken_numbers("zwei" * 20_000 + "x", frozenset())
