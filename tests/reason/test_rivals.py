"""Documents that disagree about the same thing give no silent number; those about other things change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.answer.objects import outcome_object
from mathrag.library import Library
from mathrag.reason.judge import DoubtFinder
from mathrag.types.answer import Answer, Refusal
from trust.corpora.poisoning import in_this_process

BASE = r"""# Springs

## Spring energy

$$E = \frac{1}{2} k x^2$$

where $E$ is the spring energy in J, $k$ is the spring constant in N/m and $x$ is the extension in m.
"""
OTHER = BASE.replace(r"\frac{1}{2} ", "")
QUESTION = "What is the spring energy for a spring constant of 100 N/m and an extension of 0.2 m?"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    (tmp_path / "base.md").write_text(BASE, encoding="utf-8")
    (tmp_path / "other.md").write_text(OTHER.replace("# Springs", "# More springs"), encoding="utf-8")
    with Library(tmp_path / "library") as opened, in_this_process():
        opened.ingest([tmp_path / "base.md", tmp_path / "other.md"])
    return Library(tmp_path / "library")


def _text(outcome: object) -> str:
    assert isinstance(outcome, Answer | Refusal)
    return " ".join(outcome.warnings)


def test_equal_documents_that_disagree_are_both_shown(library: Library) -> None:
    outcome = library.ask(QUESTION)
    assert isinstance(outcome, Refusal)
    assert outcome.code == "unsure"
    assert "disagree" in outcome.reason
    assert "disagreement" in {each.code for each in outcome.findings}
    assert "2 J" in _text(outcome)
    assert "4 J" in _text(outcome)
    assert any("mathrag trust" in each for each in outcome.suggestions)


@pytest.mark.parametrize(("name", "mark", "value"), [("base.md", "trusted", 2.0), ("base.md", "untrusted", 4.0)])
def test_a_mark_decides_and_the_other_number_is_shown(library: Library, name: str, mark: str, value: float) -> None:
    library.trust(name, mark)  # type: ignore[arg-type]
    outcome = library.ask(QUESTION)
    assert isinstance(outcome, Answer)
    assert outcome.quantity.si_value == pytest.approx(value)
    assert "2 J" in _text(outcome)
    assert "4 J" in _text(outcome)
    assert ("marked as untrusted" in _text(outcome)) == (mark == "untrusted")
    library.trust(name, None)
    assert isinstance(library.ask(QUESTION), Refusal)


def test_a_formula_that_is_named_answers_with_a_warning(library: Library) -> None:
    formula = next(each for each in library.formulas() if "frac" in each.latex)
    outcome = library.ask(QUESTION, formula=formula.id)
    assert isinstance(outcome, Answer)
    assert outcome.quantity.si_value == pytest.approx(2.0)
    assert "More springs" in _text(outcome)
    assert len(outcome.disagreeing) == 1


def test_what_was_found_against_the_plan_is_not_looked_for_again(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[object] = []
    whole = DoubtFinder.doubts
    monkeypatch.setattr(DoubtFinder, "doubts", lambda *given: looked.append(given) or whole(*given))
    library.trust("base.md", "trusted")
    outcome = library.ask(QUESTION)
    assert "4 J" in _text(outcome)
    assert len(looked) == 1


def test_the_only_source_answers_with_a_warning_where_it_is_not_trusted(library: Library) -> None:
    library.remove("base.md")
    library.trust("other.md", "untrusted")
    outcome = library.ask(QUESTION)
    assert isinstance(outcome, Answer)
    assert "“More springs”, which is marked as untrusted" in _text(outcome)


def test_citations_say_how_old_a_document_is_and_where_it_comes_from(library: Library) -> None:
    library.trust("base.md")
    outcome = library.ask(QUESTION)
    assert isinstance(outcome, Answer)
    cited = outcome_object(outcome)["citations"][0]
    assert cited["origin"] == "file"
    assert cited["trust"] == "trusted"
    assert cited["read"] >= cited["modified"] > "2000"
