"""`evaluate retrieval`: figures counted, files read, runs kept apart; the published figures on the shared data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mathrag.cli.main import main
from mathrag.errors import LibraryError, UsageError
from mathrag.evaluate.retrieval import RetrievalTrial, coverage_figures, recall_figures, retrieval_figures
from mathrag.library.evaluate.card_gate import CardGate, FoundCards
from mathrag.library.evaluate.retrieval import (
    RetrievalFiles,
    RetrievalRun,
    evaluate_retrieval,
    load_base,
    load_labels,
    measure_retrieval,
)
from mathrag.llm.seams import ScriptedModel
from mathrag.retrieve.concepts import ConceptHit
from mathrag.types.concept import Concept

SHARED = next((folder / "shared" / "data" for folder in Path(__file__).parents if (folder / "shared").is_dir()), Path())
LABELS = SHARED / "openmath-kb" / "openmath-reranked.json"
PROBLEMS = SHARED / "math500" / "test.jsonl"
BASE = SHARED / "openmath-kb" / "openmath.json"
NAMES = SHARED / "openmath-kb" / "math500-concepts.json"
needs_shared = pytest.mark.skipif(not LABELS.is_file(), reason="the shared data are not here")


def trial(index: int, wanted: Sequence[str], ranked: Sequence[str], **more: Any) -> RetrievalTrial:
    return RetrievalTrial(index, f"p{index}", "1", "geometry", tuple(wanted), ranked=tuple(ranked), **more)


def test_recall_is_counted_over_pairs_and_ranks_over_problems() -> None:
    trials = [
        trial(0, ["a", "b"], ["x", "a", "y", "z", "b"]),
        trial(1, ["c"], ["x"]),
        trial(2, [], ["a"]),
    ]
    figures = recall_figures(trials)
    assert (figures["problems"], figures["pairs"]) == (2, 3)
    assert [figures[f"at_{depth}"]["right"] for depth in (3, 10, 50)] == [1, 2, 2]
    assert figures["reciprocal_rank"] == 0.25
    assert recall_figures([])["reciprocal_rank"] is None


def test_every_threshold_counts_over_the_same_problems() -> None:
    found = coverage_figures([0.05, 0.3, 0.95, None], poor=0.2, high=0.5)
    assert [one["problems"] for one in found["thresholds"]] == [3, 2, 2, 1, 1, 1]
    assert (found["problems"], found["unknown"], found["high"], found["poor"]) == (4, 1, 1, 1)
    assert coverage_figures([], poor=0.2, high=0.5)["mean"] is None


def test_halves_levels_and_types_are_told_apart() -> None:
    trials = [trial(0, ["a"], ["a"], stored=(0.9,)), trial(1, ["b"], ["a"], stored=(0.6,))]
    figures = retrieval_figures(trials)
    assert figures["recall"]["even"]["at_3"]["right"] == 1
    assert figures["recall"]["odd"]["at_3"]["right"] == 0
    assert figures["recall_by_type"]["geometry"]["pairs"] == 2
    assert figures["stored_scores"]["by_level"]["1"]["high"] == 2
    assert "own_scores" not in figures


# ---- files of our own

ROWS = {
    "p0": {
        "problem_text": "Find the greatest common...",
        "reranked_symbols": [{"cd": "numbers1", "name": "gcd", "reranker_score": 0.9}],
    },
    "p1": {
        "problem_text": "How far do these data spread?",
        "reranked_symbols": [
            {"cd": "data1", "name": "sdev", "reranker_score": 0.6},
            {"cd": "numbers1", "name": "gcd", "reranker_score": 0.01},
        ],
    },
    "p2": {"problem_text": "Who bakes bread?", "reranked_symbols": []},
}
WHOLE = [
    {"problem": "Find the greatest common divisor of 8 and 6.", "level": 1, "subject": "Number Theory"},
    {"problem": "How far do these data spread?", "level": 2, "subject": "Statistics"},
    {"problem": "Who bakes bread?", "level": 1, "subject": "Baking"},
]
SYMBOLS = {
    "numbers1:gcd": {"cd": "numbers1", "name": "gcd", "description": "The largest number that divides all."},
    "data1:sdev": {"cd": "data1", "name": "sdev", "description": "How far data spread.", "examples": ["leaves", 3]},
    "meta:CD": {"cd": "meta", "name": "CD", "description": "A dictionary.", "sympy_function": "lambda: exit()"},
}
GIVEN = {name: {"concepts": [words]} for name, words in (("p0", "divisors"), ("p1", "deviation"), ("p2", "bread"))}


@pytest.fixture
def files(tmp_path: Path) -> RetrievalFiles:
    made = {"labels.json": ROWS, "base.json": {"symbols": SYMBOLS}, "names.json": GIVEN}
    for name, value in made.items():
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    (tmp_path / "whole.jsonl").write_text("\n".join(map(json.dumps, WHOLE)) + "\n", encoding="utf-8")
    return RetrievalFiles(
        tmp_path / "labels.json", tmp_path / "whole.jsonl", tmp_path / "names.json", tmp_path / "base.json"
    )


def test_labels_come_with_whole_problems_and_names(files: RetrievalFiles) -> None:
    first, second, third = load_labels(files.labels, problems=files.problems, concepts=files.concepts)
    assert first.text.endswith("of 8 and 6.")
    assert first.names == ("divisors",)
    assert (second.level, second.type) == ("2", "Statistics")
    assert third.stored == {}
    assert load_labels(files.labels)[0].text == "Find the greatest common..."


def test_a_base_gives_mathematics_alone(files: RetrievalFiles) -> None:
    assert files.base is not None
    assert [one.name for one in load_base(files.base)] == ["numbers1:gcd", "data1:sdev"]
    assert [one.text for one in load_base(files.base)[1].examples] == ["leaves"]


@pytest.mark.parametrize("names", ["rules", "file", "text"])
@pytest.mark.parametrize("config", ["words", "meaning", "fused", "reranked"])
def test_every_configuration_is_measured(files: RetrievalFiles, config: Any, names: Any, tmp_path: Path) -> None:
    figures = measure_retrieval(files, config=config, names=names, reranker="fitted", out=tmp_path / "out")
    assert figures["recall"]["all"]["at_3"]["right"] == 2
    assert ("own_scores" in figures) is (config == "reranked")
    folder = Path(figures["folder"])
    lines = (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["p0", "p1", "p2"]
    assert "Recall of labelled concepts" in (folder / "report.md").read_text(encoding="utf-8")
    assert json.loads((folder / "report.json").read_text(encoding="utf-8"))["config"] == config
    again = measure_retrieval(files, config=config, names=names, reranker="fitted", out=tmp_path / "out")
    assert again["folder"] != figures["folder"]


def test_a_model_may_name_the_concepts_and_fail(files: RetrievalFiles) -> None:
    assert files.base is not None
    model = ScriptedModel(['{"concepts": ["common divisor"]}', "none", "none at all", '{"concepts": ["bread"]}'])
    run = RetrievalRun("fused", "model", model=model)
    figures = evaluate_retrieval(load_labels(files.labels), load_base(files.base), run=run)
    assert figures["names_unknown"] == 1
    assert figures["recall"]["all"]["at_3"]["right"] == 2


def test_the_gate_leaves_the_order_where_labels_are_too_few(files: RetrievalFiles, tmp_path: Path) -> None:
    gated = measure_retrieval(files, config="gated", out=tmp_path / "out")
    assert {half: one["choice"] for half, one in gated["gate"].items()} == {"odd": "undecided", "even": "undecided"}
    assert gated["recall"] == measure_retrieval(files, config="fused")["recall"]
    report = (Path(gated["folder"]) / "report.md").read_text(encoding="utf-8")
    assert "gate for the odd problems, by the labels of the others: undecided" in report


def test_the_gate_of_cards_goes_by_the_labels_of_the_other_half() -> None:
    """On even places the labelled card is the one of better form, on odd ones the other: so the odd ones are ranked by
    form, which their own labels speak against, and the even ones are not."""
    good = "Therefore, since \\(a = b\\), we have 12 = 12. Hence, because it is so, the answer is 12. " * 4
    shelf = (Concept("c1:good", "c1", "good", good), Concept("c1:poor", "c1", "poor", "yes"))
    hits = tuple(ConceptHit(one, score) for one, score in zip(shelf[::-1], (0.5, 0.499), strict=True))
    found = [FoundCards(("c1:good" if place % 2 == 0 else "c1:poor",), hits) for place in range(120)]
    gate = CardGate(found)
    assert (gate.decisions["odd"].choice, gate.decisions["even"].choice) == ("rules", "undecided")
    assert "labelled texts" in gate.decisions["even"].reason
    assert gate.ranked(0, hits) == hits
    assert set(gate.ranked(1, hits)) == set(hits)
    alike = tuple(replace(one, score=0.5) for one in hits)
    assert gate.ranked(1, alike)[0].concept.symbol == "good"


def test_what_is_missing_is_said(files: RetrievalFiles) -> None:
    with pytest.raises(UsageError, match="--base"):
        measure_retrieval(RetrievalFiles(files.labels), config="fused")
    with pytest.raises(UsageError, match="--concepts"):
        measure_retrieval(RetrievalFiles(files.labels, base=files.base), config="fused", names="file")
    with pytest.raises(UsageError, match="names by a model"):
        measure_retrieval(files, config="fused", names="model")
    with pytest.raises(UsageError, match="needs a reranker"):
        measure_retrieval(files, config="reranked", reranker="none")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("labels.json", "["),
        ("labels.json", "[]"),
        ("labels.json", '{"p0": {}}'),
        ("labels.json", '{"p0": {"reranked_symbols": [{"cd": "a"}]}}'),
        ("labels.json", '{"p0": {"reranked_symbols": [{"reranker_score": true}]}}'),
        ("labels.json", "[" * 100_000),
        ("whole.jsonl", "[]\n"),
        ("base.json", "{}"),
        ("base.json", '{"symbols": {"a": {"cd": 1}}}'),
    ],
)
def test_bad_files_are_refused(files: RetrievalFiles, name: str, text: str) -> None:
    (files.labels.parent / name).write_text(text, encoding="utf-8")
    with pytest.raises((LibraryError, UsageError)):
        measure_retrieval(files, config="fused")


def test_problems_of_another_set_are_refused(files: RetrievalFiles) -> None:
    assert files.problems is not None
    files.problems.write_text("\n".join(json.dumps({"problem": "Another one"}) for _ in WHOLE), encoding="utf-8")
    with pytest.raises(UsageError, match="is not p0"):
        measure_retrieval(files, config="fused")
    files.problems.write_text(json.dumps(WHOLE[0]), encoding="utf-8")
    with pytest.raises(UsageError, match="they must be the same"):
        measure_retrieval(files, config="fused")


def test_the_command_prints_figures(files: RetrievalFiles, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "retrieval", str(files.labels), "--base", str(files.base), "--config", "reranked"]) == 0
    printed = capsys.readouterr().out
    assert "at 50" in printed
    assert "by the scores of the reranker" in printed
    assert main(["evaluate", "retrieval", str(files.labels), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["stored_scores"]["poor"] == 0


# ---- the published figures


@needs_shared
def test_coverage_of_the_stored_scores_is_the_published_one() -> None:
    found = measure_retrieval(RetrievalFiles(LABELS))["stored_scores"]
    assert [one["problems"] for one in found["thresholds"]] == [500, 201, 151, 121, 105, 75]
    assert (round(found["mean"], 4), found["poor"]) == (0.2673, 329)


@needs_shared
@pytest.mark.parametrize(("names", "least", "least_even"), [("file", 0.878, 0.85), ("rules", 0.80, 0.75)])
def test_fused_recall_is_at_least_the_published_one(names: Any, least: float, least_even: float) -> None:
    figures = measure_retrieval(RetrievalFiles(LABELS, PROBLEMS, NAMES, BASE), config="fused", names=names)
    recall = figures["recall"]
    assert (recall["all"]["pairs"], recall["all"]["problems"], figures["concepts"]) == (189, 121, 1040)
    assert recall["all"]["at_50"]["share"] >= least
    assert recall["even"]["at_50"]["share"] >= least_even
