"""The gate of a library: decided on its solutions, kept until they change, and used for what is shown first."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from library_makers import mathrag

from mathrag.library import Library
from mathrag.library.quality import QualityBook, decide_gate
from mathrag.llm.messages import ChatReply, ChatRequest
from mathrag.llm.metered import Models
from mathrag.llm.seams import ScriptedModel
from mathrag.reason.agent.react.context import quoted
from mathrag.store.truth.gate_decisions import keep_decision, kept_decision
from mathrag.types.quality import Estimate, GateDecision, Quality
from mathrag.types.solution import Solution

THINGS = ("pens", "lamps", "stones", "books", "plums", "chairs", "coins", "tiles", "cards", "ropes", "bells", "masks")


def process_records(count: int = 24) -> list[dict[str, object]]:
    """Problems with a right and a wrong solution each; the wrong ones compute falsely and doubt."""
    made: list[dict[str, object]] = []
    for number in range(count):
        boxes, thing = 3 + number, THINGS[number % len(THINGS)]
        problem = f"Mia packs {boxes} boxes with {7 + number} {thing} each. How many {thing} does she pack?"
        product = boxes * (7 + number)
        right = [f"She packs {boxes} * {7 + number} = {product} {thing}.", f"The answer is {product}."]
        wrong = [
            f"But wait, there might be a mistake. It is {boxes} * {7 + number} = {product + 2} {thing}.",
            f"The answer is {product + 2}.",
        ]
        made.append({"id": f"r{number}", "problem": problem, "steps": right, "label": -1})
        made.append({"id": f"w{number}", "problem": problem, "steps": wrong, "label": 0})
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    file = tmp_path / "boxes.json"
    file.write_text(json.dumps(process_records()), encoding="utf-8")
    place = tmp_path / "library"
    assert mathrag("import", "--solutions", file, "--library", place).code == 0
    return place


def judging(reply: Callable[[ChatRequest], ChatReply | str]) -> Models:
    return Models({"judge": ScriptedModel([reply] * 500, name="opinion")})


def test_labels_decide_without_a_model_and_are_kept(folder: Path) -> None:
    ran = mathrag("gate", "--library", folder)
    assert ran.code == 0
    assert ran.out.startswith("rules: solutions are ranked by the score “checked”")
    shown = json.loads(mathrag("gate", "--show", "--json", "--library", folder).out)
    assert (shown["decision"]["choice"], shown["decision"]["basis"]) == ("rules", "labels")
    assert shown["decision"]["sample"] == 48
    assert shown["decision"]["rules"]["value"] > 0.9
    assert mathrag("check", "--library", folder).code == 0


def test_a_decision_ends_with_the_corpus_it_was_made_for(folder: Path, tmp_path: Path) -> None:
    assert mathrag("gate", "--library", folder).code == 0
    other = tmp_path / "other.json"
    more = {"id": "x", "problem": "What is 3 - 1?", "steps": ["3 - 1 = 2"], "label": -1}
    other.write_text(json.dumps([more]), encoding="utf-8")
    assert mathrag("import", "--solutions", other, "--library", folder).code == 0
    ran = mathrag("gate", "--show", "--library", folder)
    assert "nothing is decided" in ran.out
    # The same corpus again is the one that was decided for.
    assert mathrag("remove", "other.json", "--library", folder).code == 0
    assert mathrag("gate", "--show", "--library", folder).out.startswith("rules")


def test_similar_solutions_carry_their_quality_where_the_gate_says_so(folder: Path, tmp_path: Path) -> None:
    with Library(folder) as library:
        asked = "Tom packs 9 boxes with 6 plums each. How many plums does he pack?"
        before = library.similar_solutions(asked)
        assert before
        assert all(one.quality is None for one in before)
        library.decide_gate()
        after = library.similar_solutions(asked)
        assert after
        assert all(one.quality is not None and one.quality.standing == "correctness" for one in after)
    solution = tmp_path / "mine.md"
    solution.write_text("9 * 6 = 54\n\nThe answer is 54.\n", encoding="utf-8")
    card = mathrag("check-solution", solution, "--problem", asked, "--library", folder)
    assert "score “checked”" in card.out
    told = json.loads(mathrag("check-solution", solution, "--problem", asked, "--library", folder, "--json").out)
    assert told["similar"][0]["quality"]["is_about"] == "correctness"


def test_quality_orders_what_fits_as_well_and_nothing_else(folder: Path) -> None:
    with Library(folder) as library:
        problems = library.problem_search
        hits = problems.shelf().fitting("Mia packs boxes with plums and stones", limit=6)
        alike = [replace(hit, similarity=0.5) for hit in hits]
        best = hits[3].problem.text

        def judge(solution: Solution) -> Quality:
            assert solution.problem is not None
            return Quality("invented", float(solution.problem.text == best), "style")

        assert problems.ranked(alike, judge)[0].problem.text == best
        far = [replace(hit, similarity=0.9 - 0.1 * place) for place, hit in enumerate(hits)]
        assert problems.ranked(far, judge)[0].problem == hits[0].problem
        assert problems.ranked(far, lambda _: None) == tuple(far)
        # The order before counts, also where a type moved a less similar one up.
        moved = [replace(hits[0], similarity=0.4), *far[1:]]
        same = problems.ranked(moved, lambda _: Quality("invented", 0.5, "style"))
        assert [hit.problem.key for hit in same] == [hit.problem.key for hit in moved]


def test_examples_are_found_with_their_score_explained(folder: Path) -> None:
    ran = mathrag("search", "boxes with plums", "--kind", "example", "--limit", "2", "--json", "--library", folder)
    assert ran.code == 0
    hits = [json.loads(line) for line in ran.out.splitlines()]
    assert len(hits) == 2
    assert all(hit["kind"] == "example" and "plums" in hit["text"] for hit in hits)
    assert {hit["quality"]["is_about"] for hit in hits} == {"correctness"}
    assert all(part["said"] for hit in hits for part in hit["quality"]["parts"])
    plain = mathrag("search", "boxes with plums", "--kind", "example", "--library", folder)
    assert "by which right solutions tend to be ahead" in plain.out
    assert mathrag("search", "zebra quartz", "--kind", "example", "--library", folder).code == 1
    with Library(folder) as library:
        assert all(hit.kind != "example" for hit in library.search("boxes with plums"))


def test_a_model_that_is_surely_better_is_chosen_and_used_where_it_is_at_hand(tmp_path: Path) -> None:
    # Nothing can be calculated here, and the right ones are the longer and the more doubtful.
    file, place = tmp_path / "words.json", tmp_path / "library"
    records = []
    for number, thing in enumerate(THINGS):
        problem = f"Why does the story number {number} about {thing} end well?"
        right, wrong = f"However, the {thing} might be found, but late, and all is well in the end.", f"No {thing}."
        records.append({"id": f"r{number}", "problem": problem, "steps": [right], "label": -1})
        records.append({"id": f"w{number}", "problem": problem, "steps": [wrong], "label": 0})
    file.write_text(json.dumps(records), encoding="utf-8")
    assert mathrag("import", "--solutions", file, "--library", place).code == 0
    models = judging(lambda asked: "[[5]]" if "found" in asked.messages[-1].text else "[[1]]")
    with Library(place) as library, models:
        decision = library.decide_gate(models=models)
        assert (decision.choice, decision.basis, decision.scores) == ("model", "labels", ("checked", "opinion"))
        assert QualityBook(library.database).for_solutions() is None
        judge = QualityBook(library.database, model=models.chat("judge")).for_solutions()
        assert judge is not None
        hit = library.problem_search.shelf().fitting("story about plums", limit=1)[0]
        stored = next(one for one in library.problem_search.solutions(hit.problem) if one.is_right)
        quality = judge(library.problem_search.whole_solution(stored, hit.problem))
        assert quality is not None
        assert (quality.value, quality.standing) == (1.0, "style")
        assert "opinion" in quality.parts[0].said


def test_a_model_that_says_nothing_leaves_scores_unknown(folder: Path) -> None:
    with Library(folder) as library, judging(lambda _: "no idea") as models:
        decision = decide_gate(library.database, "solutions", models=models, sample=20)
        assert decision.unknown == 20
        assert decision.model is None


def test_passages_without_a_model_stay_undecided_and_in_their_order(copied: Path) -> None:
    with Library(copied) as library:
        before = library.search("energy", kinds=("text",))
        decision = library.decide_gate("passages")
        assert (decision.choice, decision.basis) == ("undecided", "nothing")
        assert library.search("energy", kinds=("text",)) == before
        chosen = GateDecision("rules", "agreement", "invented", 200, scores=("rules", "m"))
        keep_decision(library.database, "passages", chosen)
        after = library.search("energy", kinds=("text",))
        assert {hit.id for hit in after} == {hit.id for hit in before}
        assert all(hit.quality is not None and hit.quality.standing == "style" for hit in after)
        assert [hit.score for hit in after] == sorted((hit.score for hit in before), reverse=True)


def test_passages_are_ranked_by_a_model_where_the_gate_chose_one_and_it_is_at_hand(copied: Path) -> None:
    with Library(copied) as library:
        before = library.search("energy", kinds=("text",))
        keep_decision(library.database, "passages", GateDecision("model", "agreement", "invented", 200))
        assert library.search("energy", kinds=("text",)) == before
        last = quoted(before[-1].text, 60)
        with judging(lambda asked: "[[5]]" if last[:-1] in asked.messages[-1].text else "[[1]]") as models:
            graded = library.search("energy", kinds=("text",), models=models)
        assert {hit.id for hit in graded} == {hit.id for hit in before}
        assert {hit.quality.value for hit in graded if hit.quality is not None} == {0.0, 1.0}
        places = [hit.id for hit in before], [hit.id for hit in graded]
        assert places[1].index(before[-1].id) < places[0].index(before[-1].id)


@pytest.mark.parametrize(
    "value",
    ["", "{", "[]", "null", '{"choice": "all"}', "[" * 10_000, '{"choice": "rules", "basis": "labels", "scores": [1]}'],
)
def test_a_decision_that_cannot_be_read_is_none(folder: Path, value: str) -> None:
    with Library(folder) as library:
        with library.database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES ('quality_gate_solutions', ?)", (value,))
        assert kept_decision(library.database, "solutions") is None
        assert library.similar_solutions("Tom packs 9 boxes with 6 plums each. How many plums?")


def test_what_is_kept_is_read_back(folder: Path) -> None:
    with Library(folder) as library:
        made = GateDecision("model", "agreement", "so", 10, 1, Estimate(0.1, 0.0, 0.2, 9), scores=("checked", "m"))
        kept = keep_decision(library.database, "solutions", made)
        assert kept.time
        assert kept.fingerprint
        assert kept_decision(library.database, "solutions") == kept
        assert replace(kept, time="", fingerprint="") == made
