"""In a notebook, answers and formulas show themselves; the public name works as the pages say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import mathrag
from mathrag import Library
from mathrag.types.answer import Answer
from outcome_samples import HOSTILE, OUTCOMES

NOTES = r"""# Notes

The pressure is $p = \frac{F}{A}$ where $p$ is the pressure (Pa), $F$ is the force (N) and $A$ is the area (m^2).

The reaction $\ce{2 H2 + O2 -> 2 H2O}$ gives water. The speed of sound in air is $c_s = 343 \, \text{m/s}$.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    with Library(folder / "library") as opened:
        opened.ingest([folder / "notes.md"], workers=1)
        yield opened


def test_the_name_is_exported_and_nothing_else_is() -> None:
    assert mathrag.Library is Library
    with pytest.raises(AttributeError):
        mathrag.Librarian  # noqa: B018


def test_an_answer_shows_value_and_formula(library: Library) -> None:
    answer = library.ask("What is the pressure of a force of 10 N on an area of 2 m^2?")
    assert isinstance(answer, Answer)
    shown = answer._repr_html_()
    assert shown is not None
    assert shown.startswith('<article class="mathrag-card mathrag-answered">')
    assert "<mfrac><mi>F</mi><mi>A</mi></mfrac>" in shown
    latex = answer._repr_latex_()
    assert latex is not None
    assert latex.startswith("$p = 5")


def test_formulas_and_constants_show_themselves(library: Library) -> None:
    formula = next(one for one in library.formulas() if one.target == "p")
    assert "<td>pressure</td><td>Pa</td>" in (formula._repr_html_() or "")
    assert formula._repr_latex_() == r"$p = \frac{F}{A}$"
    for constant in library.constants():
        assert "343" in (constant._repr_html_() or "")


@pytest.mark.parametrize("name", OUTCOMES)
def test_every_outcome_has_a_card(name: str) -> None:
    assert (OUTCOMES[name]._repr_html_() or "").startswith("<article")


def test_hostile_text_stays_text() -> None:
    assert "<script" not in (HOSTILE._repr_html_() or "")
    assert all("<script" not in (step.formula._repr_html_() or "") for step in HOSTILE.steps)
