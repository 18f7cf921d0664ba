"""What the package's own glossary answers, in a library without dictionaries: what things are, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mathrag.cli.main import main
from mathrag.library import Library
from mathrag.library.ask.outcomes import outcome_object, render
from mathrag.types.answer import Answer, Reply

DOCUMENTS = {
    "motion.md": "# Motion\n\nThe momentum of a body is $p = m v$, where $p$ is the momentum in kg m/s, $m$ the mass "
    "in kg and $v$ the velocity in m/s.\n",
    "cells.md": "# Growth\n\nA monoid is a small green organism that lives in ponds and divides once a day.\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("glossary")


@pytest.fixture(scope="module")
def empty(folder: Path) -> Iterator[Library]:
    with Library(folder / "empty") as opened:
        yield opened


@pytest.fixture(scope="module")
def filled(folder: Path) -> Iterator[Library]:
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    with Library(folder / "filled") as opened:
        opened.ingest([folder / name for name in DOCUMENTS])
        yield opened


def glossed(library: Library, question: str) -> list[str]:
    outcome = library.ask(question)
    return [one.name for one in outcome.glossary] if isinstance(outcome, Reply) else []


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What is a prime number?", "prime number"),
        ("define Prime-Numbers", "prime number"),
        ("what does bijection mean", "bijective function"),
        ("hey, could you explain what the median is?", "median"),
        ("what is the determinant of a matrix", "determinant"),
        ("what are eigenvalues?", "eigenvalue"),
        ("lcm meaning", "least common multiple"),
        ("define tranpose", "transpose"),
        ("what does it mean to integrate", "integration"),
        ("what does WLOG mean?", "without loss of generality"),
        ("what is an oblique asymptote", "oblique asymptote"),
        ("meaning of well-defined", "well-defined"),
    ],
)
def test_a_name_is_explained_without_any_library(empty: Library, question: str, name: str) -> None:
    outcome = empty.ask(question)
    assert isinstance(outcome, Reply)
    assert [one.name for one in outcome.glossary] == [name]
    entry = outcome.glossary[0]
    assert f"{name}: {entry.definition} ({entry.source})" in outcome.text


def test_names_that_begin_alike_are_all_told(empty: Library) -> None:
    outcome = empty.ask("what is a limit")
    assert isinstance(outcome, Reply)
    assert {"limit of a function", "limit of a sequence"} <= {one.name for one in outcome.glossary}
    assert outcome.text.startswith("“limit” is taken as")


def test_an_adjective_alone_is_taken_as_what_it_is_said_of(empty: Library) -> None:
    outcome = empty.ask("meaning of surjective")
    assert isinstance(outcome, Reply)
    assert outcome.text.startswith("“surjective” is taken as surjective function.")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("what is the difference between a permutation and a combination", {"permutation", "combination"}),
        ("what is a sequence vs a series", {"sequence", "series"}),
        ("horizontal vs vertical asymptote", {"horizontal asymptote", "vertical asymptote"}),
        ("difference between a walk and a trail", {"walk in a graph", "trail in a graph"}),
        ("rational vs irrational numbers", {"rational number", "irrational number"}),
        ("how do absolute and relative maximum differ", {"global maximum", "local maximum"}),
        ("define union, intersection and subset", {"union", "intersection", "subset"}),
    ],
)
def test_several_names_are_explained_side_by_side(empty: Library, question: str, names: set[str]) -> None:
    assert set(glossed(empty, question)) == names


def test_what_tells_two_apart_is_said(empty: Library) -> None:
    outcome = empty.ask("what's the difference between an estimator and an estimate?")
    assert isinstance(outcome, Reply)
    assert [one.name for one in outcome.glossary] == ["estimator"]
    assert dict(outcome.glossary[0].unlike)["estimate"] in outcome.text


def test_of_a_name_that_nobody_has_that_is_said(empty: Library) -> None:
    outcome = empty.ask("difference between a group and a snorful")
    assert isinstance(outcome, Reply)
    assert "No concept of the library is called “snorful”." in outcome.text


@pytest.mark.parametrize(
    "question",
    [
        "what is the mean of 3, 4, 5",
        "what is the median of 9, 1 and 4",
        "what is the derivative of x^3",
        "what is the power of a 5 A motor at 12 V",
        "what is the area of a circle of radius 2 m",
        "what is the gcd of 12 and 18",
        "what is the determinant of [[1, 2], [3, 4]]",
        "what is pi",
        "is 7 a prime number",
        "properties of a prime number",
        "what is the order of a reaction",
        "what is the rank of a soldier",
        "what is an ear",
        "what is a snorful",
        "what is an estimate",
        "what is a diagram",
        "hello",
    ],
)
def test_what_asks_for_no_definition_has_none(empty: Library, question: str) -> None:
    assert glossed(empty, question) == []


def test_formulas_and_documents_of_the_library_come_first(filled: Library) -> None:
    assert glossed(filled, "what is the momentum") == []
    moved = filled.ask("what is the momentum of 2 kg at 3 m/s")
    assert isinstance(moved, Answer)
    assert moved.value == pytest.approx(6)
    assert glossed(filled, "what is a monoid?") == []
    assert "pond" in render(filled.ask("what is a monoid?"), "text")
    assert glossed(filled, "what is a semigroup?") == ["semigroup"]


def test_cards_and_data_show_source_and_formula(
    empty: Library, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = empty.ask("define derivative")
    assert isinstance(outcome, Reply)
    shown = render(outcome, "text")
    assert "MathRAG glossary, calculus" in shown
    assert "\\lim" in shown
    for style in ("markdown", "html", "latex"):
        assert "MathRAG glossary" in render(outcome, style)  # type: ignore[arg-type]
    (entry,) = outcome_object(outcome)["glossary"]
    assert entry["source"] == "MathRAG glossary, calculus"
    assert entry["formula"] == outcome.glossary[0].formula
    assert main(["ask", "what is a subset", "--json", "--library", str(folder / "empty")]) == 0
    assert json.loads(capsys.readouterr().out)["glossary"][0]["name"] == "subset"


def test_the_command_lists_an_entry(empty: Library, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert empty.concepts() == ()
    assert main(["concepts", "Semigroups", "--library", str(folder / "empty")]) == 0
    assert capsys.readouterr().out.startswith("semigroup ")
    assert main(["concepts", "snorful", "--library", str(folder / "empty")]) == 1
