"""What a model is asked beside the passages: pictures of uncertain formulas, summaries, formulas that read alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from library_makers import formula_note, mathrag, write
from model_makers import Talker
from paged_makers import FAKE, offer, paged_file

from mathrag.library import Library
from mathrag.llm.metered import Models

GUESSED = "unclear F = m a"


def seeing(latex: str, confidence: float = 0.97) -> Talker:
    return Talker(picture=lambda _: {"latex": latex, "confidence": confidence}, name="eyes")


@pytest.mark.parametrize(
    ("talker", "code"),
    [
        (seeing("F = m a"), ""),
        pytest.param(seeing(r"a = \frac{F}{m}"), "", marks=pytest.mark.soak),
        pytest.param(seeing("F = m a", 0.5), "unsure", marks=pytest.mark.soak),
        (seeing("F = 2 m a"), "page_disagrees"),
        pytest.param(seeing(r"F = \frac{m}{a}"), "page_disagrees", marks=pytest.mark.soak),
        pytest.param(seeing("F = m"), "page_disagrees", marks=pytest.mark.soak),
        pytest.param(seeing(""), "nothing_seen", marks=pytest.mark.soak),
        pytest.param(seeing("it shows a dog"), "unsure", marks=pytest.mark.soak),
        (Talker(picture=lambda _: "I cannot see pictures", name="eyes"), "not_json"),
    ],
)
def test_a_picture_counts_only_with_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, talker: Talker, code: str
) -> None:
    offer(monkeypatch, tmp_path / "packages", FAKE)
    file = paged_file(tmp_path / "a.pdf", GUESSED)
    with Library(tmp_path / "library") as library:
        library.ingest([file])
        (before,) = library.formulas()
        assert (before.status, before.reason_code) == ("declined", "uncertain_reading")
        report = library.ingest([file], models=Models.of(talker))
        assert report.files[0].model is not None
        (found,) = library.formulas()
        if code:
            assert (found.status, found.equation) == ("declined", None)
            (refused,) = library.rejected()
            assert (refused.kind, refused.code) == ("pictures", code)
            assert (refused.place, refused.source.split("/")[1]) == (before.spans[0].place, "picture")
            shown = mathrag("show", found.id, "--library", tmp_path / "library").out
            assert "eyes reads in the picture" in shown
        else:
            assert (found.status, found.reason_code) == ("executable", "")
            assert report.files[0].model.pictures == 1
            assert {symbol.unit for symbol in found.symbols} == {"kg", "m/s²", "N"} or found.symbols
            assert [flag.code for flag in found.flags] == ["read_from_picture"]
            assert found.spans == before.spans
        # The model saw the picture and not a word of the guess.
        (request,) = [one for one in talker.asked if one.schema is not None and one.schema.name == "formula"][:1]
        assert request.messages[-1].pictures[0].data.startswith(b"\x89PNG")
        assert "F = m a" not in "".join(message.text for message in request.messages)
        assert library.check() == []


TEXT = "Water flows through the pipe with a pressure of 2 bar and leaves it again. " * 8


@pytest.mark.slow
def test_summaries_are_shown_as_the_models_and_hold_no_number_of_its_own(tmp_path: Path) -> None:
    tables = "| Symbol | Name |\n|---|---|\n| $p$ | pressure |\n| $V$ | volume |\n"
    folder = write(tmp_path / "notes", {"pipes.md": f"# Pipes\n\n{TEXT}\n\n{tables}\n![A pipe](pipe.png)\n"})

    def summary(text: str) -> dict[str, Any]:
        if "section" in text[:40]:
            return {"summary": "Water flows through a pipe with 5 bar, it says."}
        if "table" in text[:40]:
            return {"summary": ""}
        return {"summary": "How water flows through a pipe with 2 bar of pressure."}

    with Library(tmp_path / "library") as library:
        talker = Talker(summary=summary)
        without = library.ingest([folder], models=Models.of(talker))
        assert without.model is not None
        assert talker.calls == 1
        report = library.ingest([folder], models=Models.of(talker), summaries=True)
        (document,) = library.documents()
        assert {one.kind for one in library.summaries(document.id)} == {"document", "image"}
        assert {(one.kind, one.code) for one in library.rejected()} == {
            ("summary", "number_not_in_source"),
            ("summary", "empty"),
        }
        assert report.model is not None
        assert report.model.is_complete
        (hit,) = library.search("water pressure", kinds=["summary"], limit=1)
        assert "summary by the model talker" in hit.label
        # Nothing that is asked for facts finds them.
        assert {one.kind for one in library.search("How water flows through a pipe")} <= {"text", "formula", "constant"}
        # They stay when the document is read with the model again without them.
        library.ingest([folder], models=Models.of(Talker(name="other")))
        assert len(library.summaries(document.id)) == 2
        assert library.check() == []
    shown = mathrag("show", "pipes.md", "--library", tmp_path / "library").out
    assert "summary of document (by the model talker): How water flows" in shown


ALIKE = {
    "one.md": formula_note(
        "Kinetic energy of a body", r"E_k = \frac{1}{2} m v^2", "$m$ is the mass in kg and $v$ the speed in m/s"
    ),
    "two.md": formula_note(
        "Kinetic energy of a body", r"K = \frac{1}{2} M u^2", "$M$ is the mass in kg and $u$ the speed in m/s"
    ),
    "three.md": formula_note(
        "Kinetic energy of a body", r"E_k = \frac{1}{3} m v^2", "$m$ is the mass in kg and $v$ the speed in m/s"
    ),
}


@pytest.mark.parametrize(
    "verdict",
    [
        "SAME",
        pytest.param("DIFFERENT", marks=pytest.mark.soak),
        pytest.param("Certainly they are not unlike", marks=pytest.mark.soak),
    ],
)
def test_formulas_that_read_alike_are_never_merged_on_a_models_word(tmp_path: Path, verdict: str) -> None:
    folder = write(tmp_path / "notes", ALIKE)
    talker = Talker(verdict=verdict)
    with Library(tmp_path / "library") as library:
        library.ingest([folder])
        before = {one.id: one for one in library.formulas()}
        assert len(before) == 3
        report = library.ingest([folder], models=Models.of(talker))
        assert {one.id: one for one in library.formulas()} == before
        assert report.model is not None
        found = library.verdicts()
        assert found
        assert sum(report.model.pairs.values()) == len(found)
        assert library.check() == []
        calls = talker.calls
        library.ingest([folder], models=Models.of(talker))
        assert talker.calls == calls
        by_latex = {one.id: one.latex for one in before.values()}
        for one in found:
            both = {by_latex[one.first], by_latex[one.second]}
            is_same = verdict == "SAME"
            assert one.verdict == ("same" if is_same else "different" if verdict == "DIFFERENT" else "unknown")
            renames = is_same and r"E_k = \frac{1}{3} m v^2" not in both
            assert one.proof.startswith("renaming: ") == renames
        ran = mathrag("conflicts", "--library", tmp_path / "library")
        assert ("said to be the same" in ran.out) == (verdict == "SAME")
        library.rebuild()
        assert library.verdicts() == found
        # When a formula goes, so does what was said about it.
        library.remove("one.md")
        gone = before.keys() - {one.id for one in library.formulas()}
        assert not gone & {identifier for one in library.verdicts() for identifier in (one.first, one.second)}
        assert library.check() == []
