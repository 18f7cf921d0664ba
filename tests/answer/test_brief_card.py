"""The brief lines of an outcome: what is said in them, and that nothing harmful is."""

from __future__ import annotations

import pytest

from mathrag.answer.cards.text import brief_lines
from mathrag.types.answer import Outcome
from outcome_samples import CHAINED, CHAT, DIRECT, HOSTILE, HOSTILE_REFUSAL, MISSING, RMS_SPEED, TABLE, UNSURE


def test_an_answer_names_formula_place_and_values() -> None:
    lines = [line for _, line in brief_lines(RMS_SPEED)]
    assert lines[0] == "The root mean square speed is 517 m/s."
    assert lines[1] == "  v_rms = √(3 R T / M)    Root mean square speed (gases.md, line 12)"
    assert lines[2].startswith("    with R = 8.314462618 J/(mol·K) (molar gas constant), T = 300 K, M = 28.0 g/mol")


def test_a_refusal_says_how_to_ask_again() -> None:
    assert [line for _, line in brief_lines(MISSING)][-1] == "  ask again  with --set 'T=NUMBER K'"


def test_a_table_shows_its_rows() -> None:
    assert len(brief_lines(TABLE)) >= len(TABLE.rows) + 2


@pytest.mark.parametrize(
    "outcome", [RMS_SPEED, CHAINED, TABLE, DIRECT, MISSING, UNSURE, CHAT, HOSTILE, HOSTILE_REFUSAL]
)
def test_every_line_is_harmless(outcome: Outcome) -> None:
    for _, line in brief_lines(outcome):
        assert line.isprintable(), line
