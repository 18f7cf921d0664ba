"""Computing, solving, converting and sources from Python, on the library object itself."""

from __future__ import annotations

import doctest
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from mathrag import Library
from mathrag.errors import AmbiguousUnitError, DimensionError, EvaluationError, LibraryError, MathragError, UsageError
from mathrag.library import facade
from mathrag.library.ask import computation


@pytest.fixture(scope="module")
def library(made: Path) -> Iterator[Library]:
    with Library(made, create=False) as opened:
        yield opened


def test_the_examples_of_the_docstrings_hold(library: Library) -> None:
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(verbose=False)
    examples = [one for one in finder.find(facade, globs={"library": library}) if one.examples]
    assert len(examples) == 6
    for one in examples:
        said: list[str] = []
        assert runner.run(one, out=said.append).failed == 0, "".join(said)


def test_a_result_is_a_number_a_text_and_a_formula_to_look_at(library: Library) -> None:
    speed = library.compute("Kinetic energy", {"m": 2, "E_k": "9 J"}, solve_for="v")
    assert (float(speed), speed.unit, str(speed)) == (pytest.approx(3), "m/s", "v = 3 m/s")
    assert (speed.label, speed.formula) == ("Kinetic energy", library.formula("Kinetic energy").id)
    assert {name: str(value) for name, value in speed.values.items()} == {"m": "2 kg", "E_k": "9 J"}
    assert speed.rearranged
    latex, html = speed._repr_latex_(), speed._repr_html_()
    assert latex is not None
    assert latex.startswith("$v = 3")
    assert html is not None
    assert html.startswith("<math")


def test_constants_are_filled_in_and_named(library: Library) -> None:
    weight = library.compute("Weight", {"m": "2 kg"})
    assert weight.value == pytest.approx(19.6133)
    assert list(weight.sources) == ["g"]


def test_what_cannot_be_computed_is_said(library: Library) -> None:
    with pytest.raises(UsageError, match="missing for v"):
        library.compute("Kinetic energy", {"m": "2 kg"})
    with pytest.raises(DimensionError):
        library.compute("Kinetic energy", {"m": "2 s", "v": "3 m/s"})
    with pytest.raises(LibraryError):
        library.compute("no such formula", {})


def test_a_range_of_values(library: Library) -> None:
    curve = library.sweep("Kinetic energy", {"m": "2 kg"}, symbol="v", start=1, stop=100, points=3, scale="logarithmic")
    assert curve.x == pytest.approx((1, 10, 100))
    assert curve.y == pytest.approx((1, 100, 10_000))
    assert (len(curve), curve.unit) == (3, "J")
    assert str(curve) == "E_k in J for v from 1 to 100 m/s: 3 of 3 points"


def test_a_range_that_takes_too_long_says_so_and_the_clock_does_not_decide(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.chain((0.0,), itertools.repeat(100.0))
    monkeypatch.setattr("mathrag.compute.patience.time.monotonic", lambda: next(clock))
    assert len(library.sweep("Kinetic energy", {"m": "2 kg"}, symbol="v", start=1, stop=100, points=3)) == 3
    monkeypatch.setattr(computation, "SWEEP_SECONDS", -1.0)
    with pytest.raises(UsageError, match="3 points takes too long; ask for fewer"):
        library.sweep("Kinetic energy", {"m": "2 kg"}, symbol="v", start=1, stop=100, points=3)


def test_points_without_a_value_are_none(library: Library) -> None:
    curve = library.sweep(
        "Kinetic energy", {"m": "2 kg"}, symbol="E_k", start="-4 J", stop="4 J", points=2, solve_for="v"
    )
    assert curve.y == (None, pytest.approx(2))
    assert "1 of 2 points" in str(curve)


def test_solving_gives_the_usual_branch_first(library: Library) -> None:
    solved = library.solve("Kinetic energy", "v")
    assert solved.usual.is_usual
    assert len(solved.solutions) == len(str(solved).splitlines())
    latex, html = solved._repr_latex_(), solved._repr_html_()
    assert latex is not None
    assert latex.startswith("$v = ")
    assert html is not None
    assert "<msqrt>" in html
    with pytest.raises(UsageError, match="no symbol"):
        library.solve("a = b + c", "x")
    with pytest.raises(MathragError):
        library.solve("only words here", "x")


def test_a_unit_that_means_two_things_is_settled_by_the_other(library: Library) -> None:
    assert float(library.convert("25 C", "K")) == pytest.approx(298.15)
    assert library.convert("5.0 ± 0.1 cm", "mm").uncertainty == pytest.approx(1)
    assert repr(library.convert("1 ly", "m")) == "Amount('9.46073×10¹⁵ m')"
    assert library.convert("1 ly", "m")._repr_latex_() is not None
    with pytest.raises(EvaluationError, match="too large"):
        library.convert("1e308 km", "nm")
    with pytest.raises(DimensionError):
        library.convert("3 kg", "m")
    with pytest.raises(AmbiguousUnitError):
        library.convert("25 C", "kg")


def test_a_source_has_the_words_and_the_passage(library: Library) -> None:
    place = next(one for one in library.source("Kinetic energy") if one.document == "Notes on mechanics")
    assert "E_k" in place.quote
    assert " ".join(place.quote.split()) in " ".join(place.passage.split())
    assert str(place).startswith("Notes on mechanics, line ")


def test_the_source_of_a_document_is_everything_read_from_it(library: Library) -> None:
    places = library.source("Notes on mechanics")
    assert library.formula("Kinetic energy").id in {place.entry for place in places}
    assert {place.document for place in places} == {"Notes on mechanics"}
    with pytest.raises(LibraryError):
        library.source("nothing of this name")
