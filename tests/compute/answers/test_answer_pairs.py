"""The golden pairs: what is equal, what differs, what cannot be told; and the keys that votes are counted by."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from mathrag.compute.answers import answer_key, read_answer, same_answer

PAIRS = tomllib.loads((Path(__file__).parent / "answer_pairs.toml").read_text(encoding="utf-8"))
VERDICTS = {"equal": True, "different": False, "cannot_tell": None}
CASES = [
    (group, first, second, verdict)
    for group, rows in PAIRS.items()
    for name, verdict in VERDICTS.items()
    for first, second in rows.get(name, [])
]


@pytest.mark.parametrize(("group", "first", "second", "verdict"), CASES)
def test_pairs(group: str, first: str, second: str, verdict: bool | None) -> None:
    assert same_answer(first, second) is verdict, (group, read_answer(first), read_answer(second))
    assert same_answer(second, first) is verdict, group


@pytest.mark.parametrize(("group", "first", "second", "verdict"), CASES)
def test_one_key_means_one_answer(group: str, first: str, second: str, verdict: bool | None) -> None:
    # A name before a value is no part of the key.
    if answer_key(first) == answer_key(second) and "=" not in first + second:
        assert verdict is True, group


@pytest.mark.parametrize("text", sorted({text for _, *pair, _ in CASES for text in pair}))
def test_every_answer_is_equal_to_itself(text: str) -> None:
    assert same_answer(text, text) is True
    assert same_answer(f"  ${text}$. " if "$" not in text else text, text) is True
    assert answer_key(text) == answer_key(text + " ")
