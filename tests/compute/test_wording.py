"""Names that mean the same are spelled the same."""

from __future__ import annotations

import pytest

from mathrag.knowledge.spelling import normal_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kinetic  Energy", "kinetic energy"),
        ("the velocities", "velocity"),
        ("masses", "mass"),
        ("mass", "mass"),
        ("radius", "radius"),
        ("boxes", "box"),
        ("gas", "gas"),
        ("Young's modulus", "young modulus"),
        ("Young’s modulus", "young modulus"),
        ("half-lives", "half live"),
        ("centre of mass", "center of mass"),
        ("vapour pressures", "vapor pressure"),
        ("heat of vaporisation", "heat of vaporization"),
        ("flow_rate", "flow rate"),
        ("a", "a"),
        ("", ""),
        ("' - '", ""),
    ],
)
def test_words_are_spelled_one_way(text: str, expected: str) -> None:
    assert normal_words(text) == expected


def test_spelling_again_changes_nothing() -> None:
    for text in ("Centres of Mass", "series", "Analyses", "moments of inertia", "losses", "Joule-Thomson coefficients"):
        once = normal_words(text)
        assert normal_words(once) == once
