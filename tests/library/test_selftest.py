"""The library's own examination: worked examples kept, asked with themselves hidden, compared and remembered."""

from __future__ import annotations

import shutil
from decimal import Decimal
from pathlib import Path

import pytest
from library_makers import dump, mathrag, write

from mathrag.knowledge.units import read_canonical_unit
from mathrag.library import Library
from mathrag.library.selftest import calibration_samples, is_printed
from mathrag.reason.question import read_question
from mathrag.retrieve.candidates import Finder
from mathrag.store.truth.cases import list_exam_results
from mathrag.types.answer import Answer
from mathrag.types.document import Place
from mathrag.types.library import Case, Span
from mathrag.types.quantity import Quantity

NOTES = r"""# Lifting

## Cranes

**Power of a crane**

$$P = F v$$

where $P$ is the power in W, $F$ is the force in N and $v$ is the speed in m/s.

### Example 1.1: A crate

A crane pulls a crate with a force of 900 N at a speed of 0.4 m/s. What is the power of the crane?

**Solution.** The power is

$$P = F v = (900\ \mathrm{N})(0.4\ \mathrm{m/s}) = 360\ \mathrm{W}$$

### Example 1.2: A beam

A crane lifts a beam with a force of 5000 N at a speed of 0.2 m/s. What is the power of the crane?

**Solution.** Both are known, and

$$P = 1500\ \mathrm{W}$$

### Example 1.3: A question without formulas

What is the colour of the crane, where its paint has 3 layers?

**Solution.** It is yellow: $n = 3$.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of one document: an example that comes out, one that does not, one that is none."""
    place = tmp_path_factory.mktemp("selftest")
    with Library(place / "library") as library:
        library.ingest([write(place / "documents", {"cranes.md": NOTES})])
    return place / "library"


def test_the_library_keeps_the_cases_of_its_documents(folder: Path) -> None:
    with Library(folder, create=False) as library:
        names = [case.name for case in library.cases()]
        assert names[:2] == ["Example 1.1", "Example 1.2"]
        assert library.cases("cranes.md") == library.cases()


def test_every_case_is_asked_and_compared(folder: Path) -> None:
    with Library(folder) as library:
        found = library.selftest()
        assert [one.case.name for one in found.of("right")] == ["Example 1.1"]
        assert [one.case.name for one in found.of("wrong")] == ["Example 1.2"]
        assert found.precision == 0.5
        assert sum(band.given for band in found.bands()) == 2
        assert [result.outcome for result in list_exam_results(library.database)][:2] == ["right", "wrong"]
        features, is_right = next(iter(calibration_samples(library)))
        assert is_right
        assert "score" in features


def test_a_limit_spreads_over_the_cases(folder: Path) -> None:
    with Library(folder) as library:
        assert len(library.selftest(limit=1).examined) == 1


def test_the_command_reports_and_lists_the_wrong_ones(folder: Path) -> None:
    told = mathrag("selftest", "--library", folder)
    assert told.code == 0
    assert "1 right, 1 wrong" in told.out
    assert "Example 1.2" in told.out
    (made,) = mathrag("selftest", "--json", "--limit", "2", "--library", folder).objects
    assert made["asked"] == 2
    assert {case["outcome"] for case in made["cases"]} <= {"right", "wrong", "refused"}


def test_a_library_without_examples_says_so(tmp_path: Path) -> None:
    with Library(tmp_path / "library") as library:
        library.ingest([write(tmp_path / "documents", {"plain.md": "# Words\n\nNothing to compute.\n"})])
    told = mathrag("selftest", "--library", tmp_path / "library")
    assert (told.code, told.out) == (0, "no worked example with a printed result was found in the documents\n")


@pytest.mark.slow
def test_cases_and_results_go_with_their_document(tmp_path: Path) -> None:
    with Library(tmp_path / "library") as library:
        library.ingest([write(tmp_path / "documents", {"cranes.md": NOTES})])
        library.selftest()
        library.remove("cranes.md")
        assert library.cases() == []
        assert list_exam_results(library.database) == []


def test_cases_leave_and_come_back(folder: Path, tmp_path: Path) -> None:
    assert mathrag("export", "--format", "turtle", "--out", tmp_path / "out.ttl", "--library", folder).code == 0
    assert mathrag("import", tmp_path / "out.ttl", "--library", tmp_path / "again").code == 0
    with Library(folder) as library, Library(tmp_path / "again") as again:
        assert again.cases() == library.cases()
    assert mathrag("check", "--library", tmp_path / "again").out == "the library is sound\n"


@pytest.mark.parametrize(
    "record",
    [
        "{}",
        "no JSON",
        '{"$":"Place"}',
        '{"$":"Case","id":"other","document":"other","position":0,"title":"","number":"","part":"","problem":"x"}',
        '{"$":"Case","id":5,"document":[],"position":0,"title":5,"number":"","part":"","problem":7,"span":0}',
    ],
)
def test_a_record_that_is_no_case_is_passed_over(folder: Path, tmp_path: Path, record: str) -> None:
    shutil.copytree(folder, tmp_path / "library")
    with Library(tmp_path / "library") as library:
        with library.database.writing() as connection:
            connection.execute("UPDATE cases SET record = ? WHERE position = 0", (record,))
        assert [case.number for case in library.cases()] == ["1.2"]
        assert isinstance(library.ask(LIKE), Answer)


def test_rebuilding_leaves_the_cases_as_they_were(folder: Path) -> None:
    with Library(folder) as library:
        before = dump(folder)["cases"]
        library.rebuild()
        assert dump(folder)["cases"] == before


@pytest.mark.parametrize(
    ("printed", "found", "is_right"),
    [("360", 361.0, True), ("360", 400.0, False), ("0.4", 0.44, True), ("0.40", 0.44, False), ("360", -360.0, False)],
)
def test_as_many_digits_count_as_are_printed(printed: str, found: float, is_right: bool) -> None:
    span = Span("d", Place(), "")
    case = Case("d/case/0", "d", 0, "", "", "", "", span, value=Decimal(printed), unit="W")
    assert is_printed(Quantity(found, read_canonical_unit("W")), case) is is_right
    assert not is_printed(Quantity(found, read_canonical_unit("N")), case)


def test_an_example_is_shown_by_its_number_and_by_its_title(folder: Path) -> None:
    told = mathrag("show", "Example 1.1", "--library", folder)
    assert told.code == 0
    assert "printed result: P = 360 W" in told.out
    (made,) = mathrag("show", "A beam", "--json", "--library", folder).objects
    assert (made["name"], made["value"], made["unit"]) == ("Example 1.2", "1500", "W")
    assert mathrag("show", "Example 9.9", "--library", folder).code == 1


LIKE = "A crane pulls a container with a force of 700 N at a speed of 0.3 m/s. What is the power of the crane?"


def test_an_answer_cites_the_example_that_the_question_resembles(folder: Path) -> None:
    with Library(folder) as library:
        answer = library.ask(LIKE)
    assert isinstance(answer, Answer)
    assert answer.quantity.si_value == pytest.approx(210)
    (like,) = [one for one in answer.citations if one.label.startswith("as in ")]
    assert like.label == "as in Example 1.1"
    # The numbers of the example stay where they are.
    assert "900" not in like.span.quote
    assert "360" not in answer.text


def test_a_question_about_something_else_cites_no_example(folder: Path) -> None:
    with Library(folder) as library:
        answer = library.ask("What power has a conveyor belt with F = 20 N and v = 2 m/s?")
    assert not [one for one in getattr(answer, "citations", ()) if one.label.startswith("as in ")]


def test_resemblance_goes_by_words_and_sorts_of_values_and_never_by_numbers(folder: Path) -> None:
    with Library(folder) as library:
        finder = Finder(library.database, library.vectors)
        hits = finder.resembling(read_question(LIKE))
        assert hits[0].case.name == "Example 1.1"
        assert hits[0].formulas
        other = finder.resembling(read_question(LIKE.replace("700", "900").replace("0.3", "0.4")))
        assert [(one.case.id, one.resemblance) for one in other] == [(one.case.id, one.resemblance) for one in hits]
        elsewhere = finder.resembling(read_question(LIKE.replace("0.3 m/s", "0.3 A")))
        assert elsewhere[0].resemblance < hits[0].resemblance
        assert finder.resembling(read_question("How long does a candle burn?")) == []


def test_a_hidden_case_is_not_found(folder: Path) -> None:
    with Library(folder) as library:
        finder = Finder(library.database, library.vectors)
        finder.hidden = frozenset(case.id for case in library.cases())
        assert finder.resembling(read_question(LIKE)) == []
