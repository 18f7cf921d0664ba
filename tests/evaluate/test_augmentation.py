"""Texts before a problem: which reach a threshold, coverage of one fixed set, unknown scores, and labelled recall."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mathrag.errors import UsageError
from mathrag.evaluate.augmentation import (
    Offered,
    coverage,
    load_labels,
    material_of,
    recall_figures,
    score_figures,
    shown_at,
)

STORED = Path(__file__).parents[2].parent / "shared" / "data" / "openmath-kb" / "openmath-reranked.json"


@pytest.mark.skipif(not STORED.is_file(), reason="../shared/data/openmath-kb is not here")
def test_the_published_scores_give_the_published_coverage() -> None:
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    offers = [
        [Offered(one["name"], one["reranker_score"]) for one in problem["reranked_symbols"]]
        for problem in stored.values()
    ]
    found = {row["threshold"]: row["problems"] for row in coverage(offers)}
    assert [found[least] for least in (0.0, 0.1, 0.3, 0.5, 0.7, 0.9)] == [500, 201, 151, 121, 105, 75]
    assert len(offers) - found[0.2] == 329
    assert round(score_figures(offers)["best"], 4) == 0.2673


def offered(*scores: float | None) -> list[Offered]:
    return [Offered(f"text {place}", score, f"source {place}") for place, score in enumerate(scores)]


def test_the_best_come_first_and_nothing_below_the_threshold() -> None:
    offers = offered(0.2, 0.9, 0.5, 0.7, 0.6)
    assert shown_at(offers, 0.5) == (1, 3, 4)
    assert shown_at(offers, 0.5, most=10) == (1, 3, 4, 2)
    assert shown_at(offers, 0.95) == ()
    assert shown_at([], 0.0) == ()


def test_equal_scores_keep_the_order_in_which_they_were_found() -> None:
    assert shown_at(offered(0.5, 0.5, 0.5, 0.5), 0.5) == (0, 1, 2)


def test_an_unknown_score_is_never_shown_not_even_from_zero() -> None:
    assert shown_at(offered(None, 0.0, None), 0.0) == (1,)


def test_coverage_is_always_of_the_same_problems() -> None:
    offers = [offered(0.9), offered(0.3, 0.1), offered(None), offered(None, 0.2), []]
    rows = {row["threshold"]: row for row in coverage(offers, (0.0, 0.3, 0.9))}
    assert {row["of"] for row in rows.values()} == {5}
    assert [rows[least]["problems"] for least in (0.0, 0.3, 0.9)] == [3, 2, 1]
    assert [rows[least]["unknown"] for least in (0.0, 0.3, 0.9)] == [1, 2, 2]
    assert rows[0.3]["low"] <= rows[0.3]["share"] <= rows[0.3]["high"]
    assert rows[0.0]["texts"] == pytest.approx(0.8)


def test_coverage_of_nothing() -> None:
    (row,) = coverage([], (0.5,))
    assert (row["problems"], row["of"], row["share"]) == (0, 0, None)


def test_unknown_scores_are_counted_and_leave_the_mean_alone() -> None:
    figures = score_figures([offered(0.5, None), offered(None), offered(0.7)])
    assert (figures["texts"], figures["known"], figures["unknown"]) == (4, 2, 2)
    assert figures["mean"] == pytest.approx(0.6)
    assert score_figures([[]])["mean"] is None


def test_a_source_of_pairs() -> None:
    found = material_of(lambda problem: [(problem.upper(), 0.4), ("card", None)])("beads")
    assert found == [Offered("BEADS", 0.4), Offered("card", None)]


def test_recall_of_labelled_sources() -> None:
    offers = {"a": offered(0.1, 0.9), "b": offered(None, 0.3, 0.2), "c": offered(0.5)}
    labels = {"a": frozenset({"source 1"}), "b": frozenset({"source 0", "elsewhere"}), "not asked": frozenset({"x"})}
    figures = recall_figures(offers, labels)
    assert figures is not None
    assert (figures["problems"], figures["relevant"]) == (2, 3)
    # Of a the first is found at once; of b one of two, after those with a score.
    assert figures["recall"] == {"1": 0.5, "3": 0.75, "5": 0.75, "10": 0.75}
    assert figures["reciprocal_rank"] == pytest.approx((1 + 1 / 3) / 2, abs=1e-6)
    assert recall_figures(offers, {}) is None


def test_labels_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text('{"id": "set-1", "relevant": ["a", "b"]}\n\n{"id": "set-2", "relevant": []}\n', encoding="utf-8")
    assert load_labels(file) == {"set-1": frozenset({"a", "b"}), "set-2": frozenset()}


@pytest.mark.parametrize("line", ["[]", '{"id": 3, "relevant": []}', '{"id": "a", "relevant": [1]}', "{", "[" * 9999])
def test_labels_that_are_none(line: str, tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(UsageError, match="line 1"):
        load_labels(file)
    with pytest.raises(UsageError, match="cannot read"):
        load_labels(tmp_path / "nowhere")
