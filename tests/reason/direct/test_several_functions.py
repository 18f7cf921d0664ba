"""Several functions of whole numbers at once; one figure of a bare list; remainders of negative numbers."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import DirectResult, DirectStatement, compute_directly


def _said(text: str) -> str:
    found = compute_directly(text)
    return found.text if isinstance(found, DirectStatement) else ""


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("gcd and lcm of 84 and 30", ("gcd(84, 30) = 6", "lcm(84, 30) = 420")),
        ("HCF of 20 and 50 and also the LCM?", ("gcd(20, 50) = 10", "lcm(20, 50) = 100")),
        ("What are the LCM/GCD of 9, 12 and 15", ("lcm(9, 12, 15) = 180", "gcd(9, 12, 15) = 3")),
        ("factor 385 and compute φ(385)", ("385 = 5 * 7 * 11", "φ(385) = 240")),
        ("Möbius function at 42 and at 18", ("μ(42) = −1", "μ(18) = 0")),
        ("φ(9), σ(9) and τ(9)", ("φ(9) = 6", "σ(9) = 13", "τ(9) = 3")),
        ("isprime(2^9 - 1)? if not factor it", ("511", "7 * 73")),
        ("standard deviation of 1, 3 (sample and population)", ("√2", "1 (population")),
    ],
)
def test_values(text: str, parts: tuple[str, ...]) -> None:
    assert all(part in _said(text) for part in parts), _said(text)


def test_remainders_of_negative_numbers_have_two_customs() -> None:
    found = compute_directly("-11 mod 4")
    assert isinstance(found, DirectResult)
    assert found.exact == "1"
    assert any("−3" in note for note in found.notes)
    plainly = compute_directly("11 mod 4")
    assert isinstance(plainly, DirectResult)
    assert plainly.notes == ()


@pytest.mark.parametrize(
    "text",
    [
        "gcd and lcm of my two hobbies",
        "gcd and lcm of 12 m and 18 m",
        "phi and psi of 12",
        "factor 12 and dance with φ(12)",
    ],
)
def test_other_texts_are_left_alone(text: str) -> None:
    assert "computed exactly" not in _said(text)
