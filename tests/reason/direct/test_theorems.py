"""Claims in words: every wording of the data file is found, the verdicts are right, and other texts are left alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from mathrag.knowledge.theorems import Theorem, theorems
from mathrag.language.word_classes import word_class
from mathrag.reason.direct import DirectStatement, compute_directly
from mathrag.reason.direct import theorems as reader
from mathrag.reason.direct.theorems import content_words, find_theorem

_MOST_FORMS = 5_000


def _verdict(found: tuple[Theorem, bool] | None) -> object:
    if found is None or found[0].truth not in ("true", "false"):
        return found and found[0].truth
    return (found[0].truth == "true") == found[1]


def _said(text: str) -> str:
    found = compute_directly(text)
    return found.text if isinstance(found, DirectStatement) else ""


def test_every_way_fits_its_truth() -> None:
    for one in theorems():
        assert (one.how == "counterexample") <= (one.truth == "false"), one.name
        assert (one.how == "open") == (one.truth == "open"), one.name
        assert not one.says.endswith("."), one.name
        assert one.why.endswith((".", ")")), one.name


def _forms(known: reader.KnownWording) -> Iterator[str]:
    """The rows of words that a wording stands for; where the order in a part is free, sorted."""
    choices = [
        [(*slot.words, "") if slot.is_optional else slot.words for slot in part]
        for part in (known.slots, known.claimed)
    ]
    cut = len(known.slots)
    for words in itertools.islice(itertools.product(*choices[0], *choices[1]), _MOST_FORMS):
        said = [[word for word in part if word] for part in (words[:cut], words[cut:])]
        if not known.claimed:
            yield " ".join(said[0])
            continue
        parts = (known.slots, known.claimed)
        ordered = (one if reader.is_ordered(part) else sorted(one) for part, one in zip(parts, said, strict=True))
        yield " > ".join(" ".join(one) for one in ordered)


def test_no_two_theorems_judge_a_wording_differently() -> None:
    seen: dict[str, tuple[object, str]] = {}
    for known in reader.known_wordings():
        verdict = _verdict((known.theorem, known.is_put))
        for form in _forms(known):
            assert seen.setdefault(form, (verdict, known.theorem.name))[0] == verdict, (form, known.theorem.name)


def test_every_word_of_a_wording_can_be_said() -> None:
    silent = word_class("theorems.grammar") | word_class("theorems.implying")
    for known in reader.known_wordings():
        assert known.slots, known.theorem.name
        lost = silent | word_class("theorems.fillers") if known.claimed else silent
        for slot in (*known.slots, *known.claimed):
            assert lost.isdisjoint(slot.words), (known.theorem.name, slot.words)


def _put(known: reader.KnownWording) -> tuple[str, str]:
    parts = (known.slots, known.claimed)
    condition, claimed = (" ".join(slot.words[0] for slot in part if not slot.is_optional) for part in parts)
    return condition, claimed


@pytest.mark.soak
def test_a_claim_gets_its_own_verdict_however_strongly_it_is_put() -> None:
    for known in reader.known_wordings():
        one = known.theorem
        if not known.claimed or not known.is_put or one.truth not in ("true", "false"):
            continue
        condition, claimed = _put(known)
        is_true = one.truth == "true"
        of_some = True if is_true or one.some else False if one.never else None
        of_none = None if of_some is None else not of_some
        denied = False if is_true else True if one.never else None
        for text, right in (
            (f"every {condition} is {claimed}", is_true),
            (f"not every {condition} is {claimed}", not is_true),
            (f"a {condition} need not be {claimed}", not is_true),
            (f"is there a {condition} that is not {claimed}", not is_true),
            (f"some {condition} is {claimed}", of_some),
            (f"no {condition} is {claimed}", of_none),
            (f"a {condition} is never {claimed}", of_none),
            (f"every {condition} is not {claimed}", denied),
        ):
            assert _verdict(find_theorem(text)) in (right, None), (text, one.name)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Is every symmetric real matrix diagonalizable?", "Yes"),
        ("T/F: a real symmetric matrix is always diagonalisable", "True"),
        ("is every square matrix diagonalizable", "No"),
        ("prove that the angles in a triangle add up to 180°", "True"),
        ("if a series converges, do its terms go to zero?", "True"),
        ("A function is differentiable if it is continuous, right?", "False"),
        ("does every polynomial of odd degree have a real root", "Yes"),
        ("a price is decreased by 15% and then increased by 15%, is it back at the original price?", "False"),
        ("Is the median always one of the values?", "No"),
        ("can a standard deviation be negative???", "No"),
        ("Are there infinitely many twin primes?", "Open"),
        ("does ℕ include zero?", "It depends"),
        ("Is there a largest prime number?", "No"),
        ("is 1 prime?", "No: 1 is neither prime nor composite"),
        ("is 1 composite?", "No: 1 is neither prime nor composite"),
        ("my teacher says that subtraction is commutative, true?", "False"),
        ("the union of two subspaces is a subspace. correct?", "False"),
        ("Is the continuum hypothesis true?", "Neither"),
    ],
)
def test_verdicts(text: str, verdict: str) -> None:
    assert _said(text).startswith(verdict), _said(text)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("the diagonals of a kite always cross at right angles", "True"),
        ("Do the diagonals of a rectangle always cross at right angles?", "No"),
        ("does a covariance of zero mean independence", "No"),
        ("zero covariance is not enough for independence", "True"),
        ("T/F: a uniformly continuous function need not be continuous", "False"),
        ("is there a continuous function that is not uniformly continuous", "Yes"),
        ("can a bounded function be continuous?", "Yes"),
        ("no bounded function is continuous", "False"),
        ("every function with an even derivative is odd", ""),
        ("the derivative of an even function is odd", "True"),
        ("If f''(a) = 0, must a be an inflection point of f?", "False"),
        ("when the edges of a cube are doubled, does its volume double too?", "False"),
        ("my neighbour swears that every monotone sequence converges. Is he right?", "False"),
        ("At lunch somebody claimed that a subgroup of a cyclic group is always cyclic. Was that correct?", "True"),
        ("In a non-Euclidean plane somebody said that the angles of a triangle add up to 180 degrees. True?", ""),
        ("floor(t + m) = floor(t) + m, m integer", "True"),
        ("floor(t + m) = ceil(t) + m, m integer", ""),
    ],
)
def test_claims_are_known_by_what_they_say(text: str, verdict: str) -> None:
    said = _said(text)
    assert said.startswith(verdict) if verdict else "MathRAG theorems" not in said, said


def test_two_claims_in_one_text() -> None:
    said = _said("Is every cyclic group abelian? Is the converse true?")
    assert "1. Yes" in said
    assert "2. False" in said
    said = _said("The sum of two invertible matrices is invertible. And the product?")
    assert "1. False" in said
    assert "2. True" in said


@pytest.mark.parametrize(
    "text",
    [
        "is there a continuous function that is differentiable",
        "is some rectangle a square",
        "is every symmetric matrix with positive entries diagonalizable by hand",
        "a price of 80 euros is increased by 20% and then decreased by 20%",
        "mean and median",
        "data set mode",
        "riemann hypothesis",
        "the angles of my roof have sum 180 degrees of freedom",
        "if f is continuous is g differentiable",
        "is every continuous function not differentiable",
        "square rectangle",
    ],
)
def test_other_texts_are_left_alone(text: str) -> None:
    assert "MathRAG theorems" not in _said(text)


def test_letters_count_only_by_their_order() -> None:
    assert find_theorem("u% of v is the same as v% of u") is not None
    assert find_theorem("u% of v is the same as u% of v") is None
    assert content_words("Is the terms of a convergent series") == ("term", "converge", "series")
