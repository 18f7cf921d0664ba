"""Texts that look alike fold to one, and names of the same thing have one key."""

from __future__ import annotations

import pytest

from mathrag.language.folding import folded, is_invisible, without_invisible
from mathrag.language.name_keys import name_key, telling_stems


@pytest.mark.parametrize(
    "odd",
    [
        "Spring\u200b force",
        "Spr\u00ading for\u2060ce",
        "\u202aSpring\u202c \u2066force\u2069",
        "Sрring fоrсе",
        "Ｓｐｒｉｎｇ　ｆｏｒｃｅ",
        "𝐒𝐩𝐫𝐢𝐧𝐠 𝐟𝐨𝐫𝐜𝐞",
        "Spring\u00a0force\ufe0f",
        "Spr\u0131ng f\u03bfrce",
        "Sprıng fórce",
        "Spr\u034fing force",
    ],
)
def test_what_looks_alike_folds_to_one(odd: str) -> None:
    assert folded(odd) == "Spring force"
    assert name_key(odd) == name_key("Spring force")


def test_what_looks_otherwise_stays() -> None:
    assert folded("Δ-connection at 50 Ω") == "Δ-connection at 50 Ω"
    assert folded("plain text, 1.5 m/s^2") == "plain text, 1.5 m/s^2"
    assert folded("") == ""


def test_invisible_characters_are_known_from_blanks() -> None:
    assert all(map(is_invisible, "\u200b\u200d\u2060\ufeff\u00ad\u202e\u3164\ufe0f\U000e0041"))
    assert not any(map(is_invisible, "a \t\n\u00a0\u2009é漢"))
    assert without_invisible("a\u200bb c") == "ab c"


@pytest.mark.parametrize(
    "name",
    [
        "Energy, kinetic",
        "Erratum: the kinetic energy",
        "Energy of motion",
        "2.3 KINETIC ENERGY.",
        "Kinetic energy (new)",
    ],
)
def test_names_of_one_quantity_have_one_key(name: str) -> None:
    assert name_key(name) == name_key("Kinetic energy")


def test_names_of_different_things_have_different_keys() -> None:
    names = (
        "Kinetic energy",
        "Potential energy",
        "Kinetic energy of a rolling hoop",
        "Ohm's law",
        "Hooke's law",
        "Law",
    )
    assert len({name_key(name) for name in names}) == len(names)
    assert name_key("") == frozenset()
    assert name_key("Rule 2") != name_key("Rule 3")
    assert name_key("Equation 4") == name_key("equation 4")
    assert telling_stems("") == frozenset()
