"""Candidates for a question from a real library: by words, meaning and signature, following the library as it grows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mathrag.library import Library
from mathrag.reason.question import read_question
from mathrag.retrieve.candidates import Finder, searched_text, signature_of
from mathrag.retrieve.vector_search import VectorSearch

NOTES = r"""# Notes

## Kinetic energy

$$E_k = \frac{1}{2} m v^2$$

where $E_k$ is the kinetic energy in J, $m$ is the mass in kg and $v$ is the speed in m/s.

## Force

$$F = m a$$

where $F$ is the force in N, $m$ is the mass in kg and $a$ is the acceleration in m/s^2.

## Density

$$\rho = \frac{m}{V}$$

where $\rho$ is the density in kg/m^3, $m$ is the mass in kg and $V$ is the volume in m^3.
"""
MORE = r"""# More

## Capacitance

$$Q = C U$$

where $Q$ is the charge in coulomb, $C$ is the capacitance in F and $U$ is the voltage in V.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("found")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest([folder / "notes.md"], workers=1)
        yield made


def finder_of(library: Library, *, with_meaning: bool = True) -> Finder:
    return Finder(library.database, VectorSearch(library.database, library.embedder) if with_meaning else None)


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("What is the kinetic energy of 2 kg at 3 m/s?", "Kinetic energy"),
        ("How strong is the push that gives 2 kg an acceleration of 3 m/s^2? Force in N.", "Force"),
        ("density of 2 kg in 3 m^3", "Density"),
    ],
)
def test_the_right_formula_is_first(library: Library, question: str, label: str) -> None:
    found = finder_of(library).find(read_question(question))
    assert found[0].formula.label == label
    assert [each.rank for each in found] == list(range(1, len(found) + 1))
    assert len({each.formula.id for each in found}) == len(found)


def test_what_each_search_says(library: Library) -> None:
    question = read_question("What is the kinetic energy of 2 kg at 3 m/s?")
    best = finder_of(library).find(question)[0]
    assert set(best.found_by) == {"words", "meaning", "signature"}
    assert best.words == 1.0
    assert 0.0 < best.meaning <= 1.0
    without = finder_of(library, with_meaning=False).find(question)[0]
    assert "meaning" not in without.found_by
    assert without.meaning == 0.0


def test_the_limit_holds(library: Library) -> None:
    question = read_question("What is the kinetic energy of 2 kg at 3 m/s?")
    assert len(finder_of(library).find(question, limit=1)) == 1


def test_values_are_not_searched_for() -> None:
    text = searched_text(read_question("What is the kinetic energy of a ball of 1234 kg at 56.78 m/s?"))
    assert "1234" not in text
    assert "56.78" not in text
    assert text.count("kinetic energy") >= 2


def test_the_signature_of_a_question() -> None:
    found = signature_of(read_question("Two 1200 kg satellites with v = 3 km/s: what is the force in N?"))
    assert found.givens.count(frozenset(("kg",))) == 2
    assert frozenset(("m/s",)) in found.givens
    assert found.asked == {"m*kg/s^2"}
    assert "v" in found.symbols


@pytest.mark.parametrize("text", ['"', "AND OR NOT", "NEAR(a b)", "*", "mass:^2 -", "'; DROP TABLE x", "\x00", "(((("])
def test_words_are_no_query(library: Library, text: str) -> None:
    finder_of(library).find(read_question(text))


@pytest.mark.slow
def test_what_comes_into_the_library_is_found(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(NOTES, encoding="utf-8")
    (tmp_path / "more.md").write_text(MORE, encoding="utf-8")
    question = read_question("What is the charge for a capacitance of 2 F and a voltage of 3 V?")
    with Library(tmp_path / "library") as library, Library(tmp_path / "library") as other:
        library.ingest([tmp_path / "notes.md"], workers=1)
        finder = finder_of(library)
        assert "Q = C U" not in [each.formula.latex for each in finder.find(question)]
        before = len(finder.signatures)
        other.ingest([tmp_path / "more.md"], workers=1)
        assert finder.find(question)[0].formula.latex == "Q = C U"
        assert len(finder.signatures) == before + 1
        other.remove("more.md")
        assert len(finder.signatures) == before
