"""Reading with a model: what it adds, what is refused, what a second run costs, and that nothing else changes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from library_makers import dump, exact_rows, formula_note, write
from model_makers import NOTHING, Talker, formula, formulas

from mathrag.errors import ModelError, UsageError
from mathrag.library import Library
from mathrag.llm.kept_replies import MemoryReplies
from mathrag.llm.metered import Models
from mathrag.store.truth.schema import FILE_NAME

# Verdicts and what the rules had found are made anew at no cost; a copy does without them.
NOT_COPIED = ("rule_extractions", "verdicts", "vectors")


def says_work(text: str) -> dict[str, Any]:
    """More about a formula of the rules, one that nobody wrote, and one in words."""
    if "Work is force times distance" not in text:
        return NOTHING
    return formulas(
        formula(quote="Work is force times distance", finding="F1", label="Mechanical work", keywords=["work"]),
        formula(quote="Work is force squared", latex="W = F^2"),
        formula(quote="with F the force in N", latex="W = 7 F"),
    )


def forms(library: Library) -> set[str]:
    return {one.form for one in library.formulas() if one.status == "executable"}


@pytest.mark.slow
def test_a_model_adds_and_is_checked(copied: Path, documents: Path) -> None:
    talker = Talker(says_work)
    with Library(copied) as library:
        before = forms(library)
        report = library.ingest([documents], models=Models.of(talker))
        assert [file.state for file in report.files] == ["enriched"] * 4
        assert report.model is not None
        assert report.model.is_complete
        energy = next(file.model for file in report.files if file.name.endswith("energy.html"))
        assert energy is not None
        assert (energy.state, energy.accepted) == ("read", 1)
        assert sum(energy.refused.values()) == 2
        assert forms(library) == before
        (work,) = library.find_formulas("Mechanical work") or library.find_formulas("Work")
        assert any(flag.code == "completed_by_model" for flag in work.flags)
        refused = library.rejected()
        assert {one.code for one in refused} <= set(library.rejected_counts())
        assert "quote_not_found" in {one.code for one in refused}
        assert all(one.source.startswith(f"{one.document}/chunk/") and one.model == "talker" for one in refused)
        assert {one.place.line for one in refused} != {None}
        assert library.check() == []


@pytest.mark.slow
def test_what_was_read_so_is_left_alone(copied: Path, documents: Path) -> None:
    talker = Talker(says_work)
    with Library(copied) as library, Models.of(talker, store=MemoryReplies()) as models:
        library.ingest([documents], models=models)
        calls, rows = talker.calls, exact_rows(copied)
        again = library.ingest([documents], models=models)
        assert [file.state for file in again.files] == ["unchanged"] * 4
        assert (talker.calls, exact_rows(copied)) == (calls, rows)
        # Without a model nothing is asked, and nothing that a model gave is lost.
        plain = library.ingest([documents])
        assert plain.model is None
        assert exact_rows(copied) == rows
        # Another model starts from what the rules found, not from what this one said.
        other = Talker(name="other")
        library.ingest([documents], models=Models.of(other))
        assert other.calls == calls
        assert library.find_formulas("Mechanical work") == []
        assert {one.model for one in library.model_readings()} == {"other"}
        assert library.check() == []


@pytest.mark.slow
def test_read_again_from_kept_replies(copied: Path, documents: Path) -> None:
    talker = Talker(says_work)
    with Library(copied) as library, Models.of(talker, store=MemoryReplies()) as models:
        library.ingest([documents], models=models)
        calls, before = talker.calls, dump(copied, without=("model_readings",))
        report = library.ingest([documents], models=models, force=True)
        assert [file.state for file in report.files] == ["replaced"] * 4
        assert talker.calls == calls
        assert dump(copied, without=("model_readings",)) == before
        # Read again by the rules alone, it says what is lost.
        plain = library.ingest([documents / "energy.html"], force=True)
        assert ["--llm" in warning for warning in plain.files[0].warnings] == [True]
        assert len(library.model_readings()) == 3


@pytest.mark.slow
def test_the_rules_come_first_even_without_a_library(tmp_path: Path) -> None:
    """Whatever the model does, what the rules found is stored before it is asked."""
    folder = write(tmp_path / "notes")
    seen: list[int] = []
    with Library(tmp_path / "library") as library:

        def look(_: str) -> ModelError:
            with Library(tmp_path / "library") as other:
                seen.append(len(other.documents()))
            return ModelError("bad_reply", "this model talks nonsense")

        report = library.ingest([folder], models=Models.of(Talker(look)))
        assert set(seen) == {4}
        assert [file.state for file in report.files] == ["added"] * 4
        assert report.model is not None
        assert not report.model.is_complete
        assert library.check() == []
        with Library(tmp_path / "plain") as plain:
            plain.ingest([folder])
    said = ("model_readings", "rule_extractions")
    assert dump(tmp_path / "library", without=said) == dump(tmp_path / "plain", without=said)


@pytest.mark.slow
def test_copies_and_rebuilding_keep_what_a_model_gave(copied: Path, documents: Path, tmp_path: Path) -> None:
    talker = Talker(says_work)
    with Library(copied) as library:
        library.ingest([documents], models=Models.of(talker), summaries=True)
        before = dump(copied)
        library.rebuild()
        assert dump(copied) == before
        assert library.check() == []
        library.export("turtle", tmp_path / "library.ttl")
    copy = tmp_path / "copy"
    with Library(copy) as library:
        library.import_turtle(tmp_path / "library.ttl")
        assert library.check() == []
        assert dump(copy, without=NOT_COPIED) == dump(copied, without=NOT_COPIED)
        calls = talker.calls
        assert {one.state for one in library.ingest([documents], models=Models.of(talker)).files} == {"unchanged"}
        # What the rules had found did not come along, so another model makes them read first.
        report = library.ingest([documents], models=Models.of(Talker(name="other")))
        assert {one.state for one in report.files} == {"replaced"}
        assert talker.calls == calls
        assert library.check() == []


@pytest.mark.slow
def test_removing_a_document_removes_what_was_said_about_it(copied: Path, documents: Path) -> None:
    with Library(copied) as library:
        library.ingest([documents], models=Models.of(Talker(says_work)), summaries=True)
        for info in library.documents():
            library.remove(info.id)
        assert (library.model_readings(), library.rejected(), library.verdicts()) == ([], [], [])
        assert library.check() == []
    with closing(sqlite3.connect(copied / FILE_NAME)) as connection:
        for table in ("summaries", "rule_extractions", "proposals_rejected", "model_readings", "verdicts"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


@pytest.mark.slow
def test_a_document_that_changes_meanwhile_is_left_to_whoever_changed_it(tmp_path: Path) -> None:
    law = formula_note("Force", "F = m a", "$m$ is the mass in kg and $a$ the acceleration in m/s^2")
    folder = write(tmp_path / "notes", {"note.md": law})
    with Library(tmp_path / "library") as library:

        def change(_: str) -> dict[str, Any]:
            with Library(tmp_path / "library") as other:
                write(folder, {"note.md": law + "\nMore words, which another program has read meanwhile.\n"})
                other.ingest([folder])
            return NOTHING

        report = library.ingest([folder], models=Models.of(Talker(change)))
        assert report.files[0].model is not None
        assert report.files[0].model.state == "changed"
        assert library.model_readings() == []
        assert library.check() == []


@pytest.mark.slow
def test_readers_see_either_the_old_or_the_new_state(tmp_path: Path) -> None:
    words = "The pressure is the force divided by the area, as everybody knows who ever used a needle."
    folder = write(tmp_path / "notes", {"a.md": f"# Pressure\n\n{words}\n", "b.md": f"# Again\n\n{words}\n"})
    said = formula(
        quote="The pressure is the force divided by the area",
        latex=r"p = \frac{F}{A}",
        parameters=[
            {"symbol": "p", "description": "pressure", "unit": "Pa"},
            {"symbol": "F", "description": "force", "unit": "N"},
            {"symbol": "A", "description": "area", "unit": "m^2"},
        ],
    )
    with Library(tmp_path / "library") as library, Library(tmp_path / "library") as reader:
        seen = set()

        def look(*_: object) -> None:
            places = sum(len(one.spans) for one in reader.formulas())
            seen.add((reader.totals()["documents"], reader.totals()["formulas"], places, len(reader.model_readings())))

        library.ingest([folder])
        look()
        library.ingest([folder], models=Models.of(Talker(lambda _: formulas(said)), concurrency=1), progress=look)
        look()
        assert library.check() == []
        assert (2, 0, 0, 0) in seen
        assert (2, 1, 2, 2) in seen
        assert seen <= {(2, 0, 0, 0), (2, 1, 1, 1), (2, 1, 2, 2)}
        (made,) = library.formulas()
        assert (made.status, made.label) == ("executable", "Pressure")


def test_a_model_for_something_else_cannot_read(copied: Path, documents: Path) -> None:
    with (
        Library(copied) as library,
        Models({"judge": Talker()}) as models,
        pytest.raises(UsageError, match="MATHRAG_LLM_URL"),
    ):
        library.ingest([documents], models=models)
