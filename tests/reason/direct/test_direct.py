"""Questions that need no formula: right values, honest failures, and None for everything else."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from mathrag.reason.direct import DirectFailure, DirectResult, DirectStatement, compute_directly, find_constant

FOLDER = Path(__file__).parent
BENCHMARKS = FOLDER.parents[3] / "shared" / "benchmarks"
COMPUTED = tomllib.loads((FOLDER / "computed.toml").read_text(encoding="utf-8"))["question"]
IMPOSSIBLE = tomllib.loads((FOLDER / "impossible.toml").read_text(encoding="utf-8"))["question"]
DECLINED = [
    text for group in tomllib.loads((FOLDER / "declined.toml").read_text(encoding="utf-8")).values() for text in group
]


@pytest.mark.parametrize("question", COMPUTED, ids=lambda question: question["text"][:60])
def test_values(question: dict[str, object]) -> None:
    found = compute_directly(str(question["text"]))
    assert isinstance(found, DirectResult), found
    assert found.kind == question["kind"]
    assert found.quantity.unit.text == question.get("unit", "")
    assert float(found.quantity.value) == pytest.approx(question["value"], rel=1e-9, abs=1e-15)
    if "exact" in question:
        assert found.exact == question["exact"]
    assert found.working
    assert found.provenance
    assert found.significant_figures >= 4
    assert found.expression


@pytest.mark.parametrize("question", IMPOSSIBLE, ids=lambda question: question["text"][:60])
def test_failures_say_why(question: dict[str, str]) -> None:
    found = compute_directly(question["text"])
    assert isinstance(found, DirectFailure), found
    assert found.code == question["code"]
    assert question["says"] in found.message


@pytest.mark.parametrize("text", DECLINED, ids=lambda text: text[:60] or "empty")
def test_other_questions_are_left_alone(text: str) -> None:
    assert compute_directly(text) is None


@pytest.mark.corpora
def test_a_question_of_the_sets_is_taken_only_where_its_value_is_right() -> None:
    if not BENCHMARKS.is_dir():
        pytest.skip("the question sets lie beside the project, in ../shared/benchmarks")
    for path in sorted(BENCHMARKS.glob("*/questions.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            truth = json.loads(line)
            found = compute_directly(truth["question"])
            if found is not None and found.kind == "story":
                # Word problems are measured apart: printed answers are rounded, and some lack their unit.
                continue
            if found is not None:
                assert isinstance(found, DirectResult), truth["id"]
                # Printed answers are rounded, those of lists to few figures.
                tolerance = 2e-3 if found.kind == "list" else 1e-5
                if truth["answer"] is None:
                    # No document of the set tells of it; substances are computed with without any.
                    assert found.kind == "chemistry", truth["id"]
                    continue
                assert float(found.quantity.value) == pytest.approx(truth["answer"], rel=tolerance), truth["id"]


@pytest.mark.corpora
def test_a_question_on_formulas_is_no_everyday_story() -> None:
    if not BENCHMARKS.is_dir():
        pytest.skip("the question sets lie beside the project, in ../shared/benchmarks")
    for name in ("dev-physics", "dev-chemistry", "dev-book", "dev-basics/refuse"):
        for line in (BENCHMARKS / name / "questions.jsonl").read_text(encoding="utf-8").splitlines():
            truth = json.loads(line)
            found = compute_directly(truth["question"])
            assert not isinstance(found, DirectResult) or found.kind != "story", truth["id"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("is 97 prime", "Yes: 97 is prime"),
        ("is 91 a prime number?", "No: 91 is not prime: it is 7 * 13"),
        ("is 12 composite", "Yes: 12 is composite: it is 2^2 * 3"),
        ("is 13 composite?", "No: 13 is prime"),
        ("is 2^61 - 1 prime?", "Yes: 2305843009213693951 is prime"),
        ("factor 10403", "10403 = 101 * 103"),
        ("prime factors of 360", "360 = 2^3 * 3^2 * 5"),
        ("factorise 600851475143", "600851475143 = 71 * 839 * 1471 * 6857"),
        ("prime factors of 1000000016000000063", "1000000016000000063 = 1000000007 * 1000000009"),
        ("divisors of 28", "28 has 6 divisors: 1, 2, 4, 7, 14, 28"),
    ],
)
def test_sentences(text: str, sentence: str) -> None:
    """The number that a sentence speaks of is not shown as a result."""
    found = compute_directly(text)
    assert isinstance(found, DirectStatement)
    assert found.text == sentence


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("log 100", "base 10"),
        ("sin 30", "radians"),
        ("200 + 10%", "before the sign"),
        ("how many days in a year", "365.25"),
        ("density of water", "nominal"),
        ("charge of an electron", "negative"),
        ("boltzman constant", "'boltzmann'"),
        ("what is g?", "standard gravity"),
        ("viscosity of air", "20 degC"),
    ],
)
def test_choices_are_said(text: str, note: str) -> None:
    found = compute_directly(text)
    assert isinstance(found, DirectResult)
    assert any(note in each for each in found.notes), found.notes


def test_every_number_has_its_source() -> None:
    found = compute_directly("what is 60 mph in m/s?")
    assert isinstance(found, DirectResult)
    assert [(each.origin, each.text) for each in found.provenance] == [
        ("question", "60 mph"),
        ("constant", "1 mi/h = 0.44704 m/s"),
    ]
    constant = compute_directly("Planck constant")
    assert isinstance(constant, DirectResult)
    assert [(each.origin, each.source) for each in constant.provenance] == [("constant", "CODATA 2022")]


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("pi in percent", ["pi"]),
        ("e in percent", ["e"]),
        ("what percent of e is pi?", ["pi", "e"]),
        ("increase pi by 10 %", ["10", "pi"]),
        ("pi m in cm", ["pi m", "pi"]),
        ("sqrt(pi)", ["pi"]),
    ],
)
def test_numbers_of_mathematics_are_a_source_however_they_are_used(text: str, sources: list[str]) -> None:
    found = compute_directly(text)
    assert isinstance(found, DirectResult)
    assert [each.text for each in found.provenance] == sources


def test_uncertainty_of_a_constant_follows_its_unit() -> None:
    found = compute_directly("gravitational constant in cm^3/(g s^2)")
    assert isinstance(found, DirectResult)
    assert found.quantity.value == pytest.approx(6.6743e-8)
    assert found.quantity.uncertainty == pytest.approx(1.5e-12)


@pytest.mark.parametrize(
    ("words", "identifier"),
    [
        ("mass of electron", "electron_mass"),
        ("electron's mass", "electron_mass"),
        ("Planck's constant", "planck_constant"),
        ("constant of Planck", "planck_constant"),
        ("value of the Planck constant", "planck_constant"),
        ("gas constant", "molar_gas_constant"),
        ("gravitation constant of Newton", "gravitational_constant"),
        ("gravitatonal constant", "gravitational_constant"),
        ("farady constant", "faraday_constant"),
        ("sun mass", "solar_mass"),
        ("proton electron mass ratio", "proton_electron_mass_ratio"),
        ("free space permeability", "vacuum_permeability"),
    ],
)
def test_constants_are_found_by_their_words(words: str, identifier: str) -> None:
    found = find_constant(words)
    assert found
    assert found[0][1].id == identifier
    assert 0 < found[0][0] <= 1


def test_scores_fall_and_each_constant_comes_once() -> None:
    found = find_constant("mass of the proton")
    scores = [score for score, _ in found]
    assert scores == sorted(scores, reverse=True)
    assert len({constant.id for _, constant in found}) == len(found)
    assert find_constant("") == []
    assert find_constant("zebra crossing") == []
