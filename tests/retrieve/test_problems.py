"""Problems are found by type and likeness, steps within them; what resembles nothing finds nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mathrag.library import Library
from mathrag.retrieve.problems import KnownProblem, ProblemShelf
from mathrag.retrieve.steps import StepShelf
from mathrag.store.embedders.hashing import HashingEmbedder
from mathrag.store.index.problem_likeness import (
    TypePath,
    are_near_duplicates,
    normal_text,
    settled_type,
    shingles,
    type_shares,
)

EMBEDDER = HashingEmbedder()
CIRCLE = TypePath("Mathematics", "Geometry", "Circles")
SOLID = TypePath("Mathematics", "Geometry", "Solids")
SUM = TypePath("Mathematics", "Arithmetic", "Sums")
PROBLEMS = (
    KnownProblem("c1", "Find the area of a circle whose radius is 5 inches.", ("c1",), CIRCLE),
    KnownProblem("c2", "A circle has a diameter of 8 inches. Find its circumference.", ("c2",), CIRCLE),
    KnownProblem("s1", "Find the volume of a cone of height 6 inches and radius 2 inches.", ("s1",), SOLID),
    KnownProblem("a1", "Lena buys 3 pens and 4 rulers. How many things does she buy?", ("a1",), SUM),
    KnownProblem("a2", "Omar buys 7 books and sells 2 of them. How many books has he?", ("a2",), SUM),
    KnownProblem("u1", "A garden gnome is painted red.", ("u1",), None),
)


@pytest.fixture
def shelf() -> ProblemShelf:
    return ProblemShelf(PROBLEMS, EMBEDDER.embed([one.text for one in PROBLEMS]), EMBEDDER)


def test_the_nearest_problems_come_first(shelf: ProblemShelf) -> None:
    hits = shelf.nearest("What is the area of a circle with a radius of 9 inches?")
    assert hits[0].problem.key == "c1"
    assert hits[0].reach == "type"
    assert all(0 < hit.similarity <= 1 for hit in hits)
    assert len(shelf.nearest("the area of a circle of radius 9 inches", limit=1)) == 1


def test_what_resembles_nothing_finds_nothing(shelf: ProblemShelf) -> None:
    for text in ("", "   ", "zebra quartz", "\0", "$" * 50_000):
        assert shelf.nearest(text) == ()
    assert ProblemShelf((), EMBEDDER.embed([]), EMBEDDER).nearest("circle") == ()


def test_a_problem_is_not_its_own_neighbour(shelf: ProblemShelf) -> None:
    text = "find the area of a  circle whose radius is $5$ inches"
    assert shelf.nearest(text)[0].problem.key == "c1"
    assert "c1" not in [hit.problem.key for hit in shelf.nearest(text, without_same=True)]


def test_a_problem_without_a_type_is_found_all_the_same(shelf: ProblemShelf) -> None:
    (hit,) = shelf.nearest("Who painted the garden gnome red?")
    assert hit.problem.key == "u1"


def test_equal_but_for_setting_and_nearly_equal() -> None:
    assert normal_text("Find $ \\left( x \\right)$ . ") == normal_text("find $(x)$ .")
    long = "Three friends share 12 apples and 5 pears so that everybody has the same number of apples."
    assert are_near_duplicates(shingles(long), shingles(long.replace("Three", "Four")))
    assert not are_near_duplicates(shingles("Find 3 + 4."), shingles("Find 5 + 9."))
    assert not are_near_duplicates(shingles(long), shingles("Something else entirely is asked here."))


def test_types_come_from_the_neighbours_and_widen(shelf: ProblemShelf) -> None:
    scores = shelf.likeness("Find the circumference of a circle whose radius is 3 inches.")
    shares = shelf.shares(scores)
    assert next(iter(shares)) == CIRCLE
    assert sum(shares.values()) == pytest.approx(1.0)
    assert settled_type({CIRCLE: 0.6, SUM: 0.4}, 0.5) == (CIRCLE, 0.6)
    path, share = settled_type({CIRCLE: 0.4, SOLID: 0.35, SUM: 0.25}, 0.5) or (None, 0.0)
    assert path == TypePath("Mathematics", "Geometry")
    assert share == pytest.approx(0.75)
    assert settled_type({CIRCLE: 0.9}, 0.01) is None
    assert settled_type({}, 0.9) is None
    assert type_shares(scores, [None] * len(PROBLEMS)) == {}


def test_a_step_lands_within_the_problems_found() -> None:
    owners = ["c1", "c1", "s1"]
    steps = [
        "The area is pi times the square of the radius.",
        "So it is 25 pi.",
        "The volume is a third of the cylinder.",
    ]
    found = StepShelf(owners, steps, EMBEDDER)
    assert found.best_owner("volume: one third of a cylinder", None) == "s1"
    assert found.best_owner("volume: one third of a cylinder", frozenset(("c1",))) == "c1"
    assert found.best_owner("volume", frozenset(("x",))) is None


RECORDS = [
    {
        "original_question": "Find the area of a circle whose radius is 5 inches.",
        "modified_question": "Find the area of a circle whose radius is 5 inches.",
        "original_process": ["The area is $A = \\pi r^2$.", "So it is $25\\pi$."],
        "modified_process": ["The area is $A = 2 \\pi r$.", "So it is $10\\pi$."],
        "error_steps": [1],
        "classification": "deception",
    },
    {
        "original_question": "Lena buys 3 pens and 4 rulers. How many things does she buy?",
        "modified_question": "Lena buys 3 pens and 4 rulers. How many things does she buy?",
        "original_process": ["She buys $3 + 4 = 7$ things."],
        "modified_process": ["She buys $3 \\cdot 4 = 12$ things."],
        "error_steps": [1],
        "classification": "counterfactual",
    },
]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    text = "\n".join(json.dumps(record) for record in RECORDS)
    for name in ("one.jsonl", "two.jsonl"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = Library(tmp_path / "library")
    for name in ("one.jsonl", "two.jsonl"):
        made.import_solutions(tmp_path / name)
    return made


def test_the_context_of_a_problem_goes_in_depth(library: Library) -> None:
    with library:
        (hit, *_) = library.problem_search.search("What is the area of a circle of radius 7 inches?")
        context = library.problem_search.context(hit.problem)
        assert context.procedures == (("The area is $A = \\pi r^2$.", "So it is $25\\pi$."),)
        (error,) = context.errors
        assert (error.pattern, error.instead_of) == ("deception", "The area is $A = \\pi r^2$.")


def test_the_context_of_a_step_goes_in_breadth(library: Library) -> None:
    with library:
        problem = "What is the area of a circle of radius 7 inches?"
        (hit, *_) = library.step_search.search("I know that $A = \\pi r^2$ is the area", problem)
        assert hit.step.text == "The area is $A = \\pi r^2$."
        context = library.step_search.context(hit.step)
        assert context.next_steps == ("So it is $25\\pi$.",)
        assert [error.text for error in context.errors] == ["The area is $A = 2 \\pi r$."]
        assert library.step_search.search("zebra", "zebra quartz") == ()


def test_similar_solutions_are_cited_with_their_place(library: Library) -> None:
    with library:
        (found, *_) = library.similar_solutions("What is the area of a circle of radius 7 inches?")
        assert found.problem.startswith("Find the area of a circle")
        assert found.source == "one.jsonl, record 1"
        assert library.similar_solutions("zebra quartz") == ()
        # What is removed is not cited any more.
        library.remove("one.jsonl")
        (found, *_) = library.similar_solutions("What is the area of a circle of radius 7 inches?")
        assert found.source == "two.jsonl, record 1"
        library.remove("two.jsonl")
        assert library.similar_solutions("What is the area of a circle of radius 7 inches?") == ()
