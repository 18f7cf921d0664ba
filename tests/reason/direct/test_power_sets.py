"""Power sets, and differences of sets with a bare backslash."""

from __future__ import annotations

import pytest

from mathrag.compute.signs_of_logic import without_bare_backslashes
from mathrag.reason.direct import compute_directly
from mathrag.reason.direct.result import DirectStatement


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("P(S ∩ T) = P(S) ∩ P(T) where P is the power set", "True for all sets"),
        ("P(S ∪ T) = P(S) ∪ P(T), P power set", "False: with S = {1} and T = {2}"),
        ("$\\mathcal{P}(S)\\cup\\mathcal{P}(T) \\subseteq \\mathcal{P}(S\\cup T)$", "True for all sets"),
        ("is the power set of S ∪ T equal to P(S) ∪ P(T)?", "False"),
        ("P(S ∖ T) = P(S) ∖ P(T) for power sets", "False"),
        ("if S ⊆ T then P(S) ⊆ P(T)", "True for all sets"),
        ("P(S) = P(T) implies S = T (power set)", "True for all sets"),
        ("S\\(T\\U) = (S\\T)\\U ?", "False"),
        ("(S\\T)\\R = S\\(T∪R)", "True for all sets"),
        ("|S \\ T| = |S| - |T|", "False: with S = ∅"),
        ("if S and T are disjoint is |S ∪ T| = |S| + |T|", "True for all finite sets"),
    ],
)
def test_claims(question: str, verdict: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectStatement), question
    assert found.text.startswith(verdict)


@pytest.mark.parametrize("question", ["P(A ∪ B) = P(A) + P(B)", "P(A ∩ B) = 0.2", "power set P = 5 W"])
def test_probabilities_are_no_power_sets(question: str) -> None:
    found = compute_directly(question)
    assert not isinstance(found, DirectStatement) or "power set" not in found.text


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("A\\B", "A∖B"),
        ("A \\ B", "A ∖ B"),
        ("A\\(B\\C)", "A∖(B∖C)"),
        ("\\(A\\B\\)", "\\(A∖B\\)"),
        ("A \\cup B", "A \\cup B"),
        ("A\\Delta B", "A\\Delta B"),
        ("Is \\(x\\) in A \\(B\\)", "Is \\(x\\) in A \\(B\\)"),
    ],
)
def test_a_bare_backslash_is_a_difference(text: str, made: str) -> None:
    assert without_bare_backslashes(text) == made
