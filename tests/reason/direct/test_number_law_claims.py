"""Claims of number theory in letters: the first counterexample, laws by name, and texts that are left alone."""

from __future__ import annotations

import pytest

from mathrag.compute.algebra.arithmetic_claims import Given, UnreadClaimError, read_claim, try_claim, value_of
from mathrag.knowledge.theorems import laws
from mathrag.reason.direct import DirectStatement, compute_directly
from mathrag.reason.direct.number_law_claims import _given, answer_number_law


def _said(text: str) -> str:
    found = compute_directly(text)
    return found.text if isinstance(found, DirectStatement) else ""


def test_every_law_of_the_file_holds_under_its_conditions_at_small_numbers() -> None:
    for law in laws():
        for formula in law.formulas:
            claim = read_claim(formula)
            given = tuple(_given(words, {letter: letter for letter in claim.letters}) for words in law.given)
            trial = try_claim(claim, given)
            assert trial.tried > 8, formula
            assert not trial.point, (formula, trial)


def test_values_are_exact() -> None:
    claim = read_claim("sumdiv(d, n) σ(d) + μ(n) τ(n) = lcm(n, 4) % 5")
    assert value_of(claim.left, {"n": 6}) == 24
    assert value_of(claim.right, {"n": 6}) == 2
    assert try_claim(read_claim("n^2 % 4 = 1"), (Given("odd", ("n",)),)).point == ()


@pytest.mark.parametrize(
    "text", ["a" * 500, "((((((((((((((((((((((a=b", "a ? b = c", "a + = b", "φ(a, b) = 1", "1 = 1"]
)
def test_what_is_no_claim_is_not_read(text: str) -> None:
    with pytest.raises(UnreadClaimError):
        read_claim(text)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("(x + y) % m == (x % m + y % m) % m for all integers x, y", "True"),
        ("(u*v) % w == (u % w)*(v % w), always?", "False"),
        (r"$\varphi(ab) = \varphi(a)\varphi(b)$ for all positive integers a, b", "False"),
        ("φ(ab) = φ(a)φ(b) whenever gcd(a, b) = 1", "True"),
        (r"b^{q-1} \equiv 1 \pmod{q} for prime q and every integer b", "False"),
        ("If q is prime then (q-1)! ≡ -1 (mod q), true?", "True"),
        (r"prove that \sum_{k \mid m} \varphi(k) = m", "True"),
        ("3^n ≡ 3 (mod n) for every n", "False"),
        ("n^3 ≡ n (mod 6) for all n", "No counterexample found"),
        ("gcd(u,v)*lcm(u,v) == u*v", "True"),
    ],
)
def test_verdicts(text: str, verdict: str) -> None:
    assert _said(text).startswith(verdict), _said(text)


def test_the_missing_condition_is_told() -> None:
    assert "gcd(a, b) = 1" in _said("σ(ab) = σ(a)σ(b) for all a, b")
    assert "does not divide" in _said("a^(p-1) ≡ 1 (mod p) for every integer a and prime p")


@pytest.mark.parametrize(
    "text",
    [
        "15% of 80 = 12",
        "20% of x = 5",
        "x ≡ 2 mod 7",
        "2x ≡ 3 (mod 5)",
        "φ(n) = 12",
        "σ = F/A",
        "the stress σ = 3 MPa",
        "x ≡ 2 mod 3, x ≡ 3 mod 5",
    ],
)
def test_other_texts_are_left_alone(text: str) -> None:
    assert answer_number_law(text) is None
