"""The golden snippets give exactly the definitions written beside them; the second set nearly all (a floor)."""

from __future__ import annotations

import pytest

from extract.definitions.snippet_scores import load, outcome

GOLDEN = [*load("golden_prose.toml"), *load("golden_structures.toml")]


@pytest.mark.parametrize(("text", "expected"), GOLDEN, ids=[text.strip()[:60] for text, _ in GOLDEN])
def test_golden_snippet(text: str, expected: tuple) -> None:
    assert outcome(text, expected).problems == ()


def test_held_out_snippets() -> None:
    outcomes = [outcome(text, expected) for text, expected in load("held_out.toml")]
    expected = sum(len(one.expected) for one in outcomes)
    found = sum(len(one.found) for one in outcomes)
    matched = expected - sum(problem.startswith("missing") for one in outcomes for problem in one.problems)
    assert matched / expected >= 0.93
    assert matched / found >= 0.95
    assert sum(one.right_descriptions for one in outcomes) / matched >= 0.93
    assert sum(one.right_units for one in outcomes) / matched >= 0.95
