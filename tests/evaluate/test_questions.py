"""Question sets from outside: wrong lines are named, nothing crashes."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.errors import LibraryError, UsageError
from mathrag.evaluate.questions import load_questions, select

GOOD = '{"id": "s-d-001-01", "tier": "direct", "question": "How much?", "answer": 2, "unit": "m", "latex": "a = b"}'


def test_a_set_is_read_in_order(small_set: Path) -> None:
    truths = load_questions(small_set / "questions.jsonl")
    assert len(truths) == 14
    assert truths[0].given == (("m", "2 kg"), ("v", "3 m/s"))
    assert truths[7].latex == ("F_g = m g", r"f_k = \mu_k F_N")
    assert [truth.kind for truth in truths[8:12]] == ["refuse", "refuse", "refuse", "chat"]


def test_halves_and_limits(small_set: Path) -> None:
    truths = load_questions(small_set / "questions.jsonl")
    odd, even = select(truths, half="odd"), select(truths, half="even")
    assert {truth.id for truth in (*odd, *even)} == {truth.id for truth in truths}
    assert not {truth.id for truth in odd} & {truth.id for truth in even}
    assert select(truths, half="even", limit=2) == even[:2]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 2: this is no JSON object"),
        ("[" * 100_000, "line 2: this is no JSON object"),
        ("[1]", "line 2: this is no JSON object"),
        ('{"id": "", "tier": "direct", "question": "?"}', "'id' must be a text"),
        ('{"id": "a", "tier": "direct"}', "'question' must be a text"),
        ('{"id": "a", "tier": "direct", "question": "?", "answer": "2"}', "answer must be a number"),
        ('{"id": "a", "tier": "direct", "question": "?", "answer": true}', "answer must be a number"),
        ('{"id": "a", "tier": "direct", "question": "?", "answer": NaN}', "finite"),
        ('{"id": "a", "tier": "direct", "question": "?", "answer": 1e999}', "finite"),
        ('{"id": "a", "tier": "direct", "question": "?", "unit": 3}', "'unit' must be a text"),
        ('{"id": "a", "tier": "direct", "question": "?", "latex": [3]}', "'latex' must be"),
        ('{"id": "a", "tier": "direct", "question": "?", "given": {"m": 2}}', "'given' must"),
        (GOOD, "was used before"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(f"{GOOD}\n{line}\n", encoding="utf-8")
    with pytest.raises(LibraryError, match=said):
        load_questions(file)


def test_an_empty_or_absent_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    with pytest.raises(UsageError, match="cannot be read"):
        load_questions(file)
    file.write_text("\n\n", encoding="utf-8")
    with pytest.raises(LibraryError, match="holds no question"):
        load_questions(file)
