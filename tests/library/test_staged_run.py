"""Runs in stages: all is found and scored before anything is written, models are switched once, and a run that is
killed at any moment goes on where it was."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import staged_killed

from mathrag.errors import LibraryError, ModelError
from mathrag.evaluate.augmentation import Offered
from mathrag.evaluate.math_arms import PLAIN, arm_figures, arm_name
from mathrag.library.evaluate.staged_run import ATTEMPTS, SCORED, JudgingScorer, StagedOptions, StagedReport, StagedRun
from mathrag.llm.messages import ChatReply
from mathrag.llm.seams import Scripted, ScriptedModel
from mathrag.types.solution import Problem

KINDS = ("search", "scorer", "switch", "writer")


def bill_of(folder: Path) -> list[str]:
    file = folder / "bill"
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def changes(bill: Sequence[str]) -> list[str]:
    """Who was asked, each turn once."""
    kinds = [line.split()[0] for line in bill]
    return [kind for place, kind in enumerate(kinds) if place == 0 or kinds[place - 1] != kind]


def test_everything_is_found_and_scored_before_the_one_switch(tmp_path: Path) -> None:
    made = staged_killed.run(tmp_path)
    bill = bill_of(tmp_path)
    assert changes(bill) == list(KINDS)
    assert (made.switches, made.commands, made.failed, made.stopped) == (1, 1, 0, "")
    assert max(Counter(bill).values()) == 1, "nothing is done twice"
    figures = arm_figures(made.measured, (0.5,))
    # Of twelve problems three have no known score (20, 25, 30); these are counted, and solved plainly.
    assert figures["scores"]["unknown"] == 6
    assert figures["scores"]["mean"] == pytest.approx(0.5)
    row = next(row for row in figures["coverage"] if row["threshold"] == 0.5)
    assert (row["problems"], row["of"], row["unknown"]) == (9, 12, 3)
    assert figures["arms"][PLAIN]["vote"]["right"] == 6
    assert figures["arms"][arm_name(0.5)]["vote"]["right"] == 11
    # 12 plain ones and 9 with texts, three attempts each: those without texts are not asked a second time.
    assert sum(line.startswith("writer") for line in bill) == (12 + 9) * 3


def test_a_finished_run_asks_nobody_again(tmp_path: Path) -> None:
    first = staged_killed.run(tmp_path)
    before = bill_of(tmp_path)
    again = staged_killed.run(tmp_path)
    assert bill_of(tmp_path) == before
    assert again == first


@pytest.mark.soak
@pytest.mark.parametrize(
    "moments",
    # In every stage: finding, scoring, the switch, writing.
    [(6, 20, 36, 60), pytest.param((1, 12, 13, 24, 35, 36, 37, 38, 45, 70, 99), marks=pytest.mark.slow)],
    ids=["once a stage", "often"],
)
def test_a_run_killed_at_any_moment_goes_on_where_it_was(moments: tuple[int, ...], tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    whole = staged_killed.run(tmp_path / "whole")
    total = len(bill_of(tmp_path / "whole"))
    folder = tmp_path / "killed"
    folder.mkdir()
    kills = 0
    for wanted in moments:
        process = subprocess.Popen([sys.executable, staged_killed.__file__, str(folder)])
        deadline = time.monotonic() + 120
        while len(bill_of(folder)) < wanted + kills and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        process.kill()
        process.wait()
        kills += 1
    made = staged_killed.run(folder)
    bill = bill_of(folder)
    assert set(bill) == set(bill_of(tmp_path / "whole")), "nothing is lost"
    # Two items may be under way when a process is killed; scoring the texts of a problem is one item.
    assert total <= len(bill) <= total + 2 * staged_killed.TEXTS * kills
    assert [kind for kind in changes(bill) if kind != "switch"] == ["search", "scorer", "writer"]
    assert (made.switches, made.commands) == (1, 1)
    assert bill.count("switch") <= 2, "the command is run again only where it was under way"
    figures = [arm_figures(one.measured, (0.5,)) for one in (made, whole)]
    for one in figures:
        for arm in one["arms"].values():
            del arm["milliseconds"]
    assert figures[0] == figures[1]


# ---- failures


def problem(number: int) -> Problem:
    return Problem(f"What is {number} + 1?", id=f"p-{number}", answer=str(number + 1))


def staged(folder: Path, count: int, *, command: tuple[str, ...] = ()) -> StagedRun:
    options = StagedOptions(attempts=1, thresholds=(0.5,), switch_command=command)
    return StagedRun(folder, [[problem(number) for number in range(count)]], options)


def finished(
    run: StagedRun, scores: Sequence[Scripted], replies: Sequence[Scripted]
) -> tuple[StagedReport, ScriptedModel, ScriptedModel]:
    judge = ScriptedModel(scores, name="judge", last_words="perhaps")
    writer = ScriptedModel(replies, name="writer", last_words="\\boxed{1}")
    made = run.finish(material=lambda _: [Offered("a card", None, "card")], scorer=JudgingScorer(judge), writer=writer)
    return made, judge, writer


def test_a_failed_score_is_unknown_and_asked_for_again_before_the_switch_only(tmp_path: Path) -> None:
    lost = ModelError("timeout", "the server did not answer")
    stop = ModelError("budget", "no call is left")
    made, _, writer = finished(staged(tmp_path, 3), ["yes", lost, stop], [])
    assert (made.stopped, made.failed_scores, writer.requests) == ("no call is left", 2, [])
    made, judge, writer = finished(staged(tmp_path, 3), ["no", lost], [])
    assert len(judge.requests) == 2, "what is known is not asked for again"
    assert (made.stopped, made.failed_scores, made.switches) == ("", 1, 1)
    assert [one.offers[0].score for one in made.measured] == [1.0, 0.0, None]
    made, judge, writer = finished(staged(tmp_path, 3), ["yes"], [])
    assert (judge.requests, writer.requests, made.switches) == ([], [], 1)


def test_what_is_no_verdict_is_unknown_and_not_asked_for_again(tmp_path: Path) -> None:
    stop = ModelError("budget", "no call is left")
    finished(staged(tmp_path, 2), ["perhaps", stop], [])
    made, judge, _ = finished(staged(tmp_path, 2), ["yes"], [])
    assert len(judge.requests) == 1
    assert [one.offers[0].score for one in made.measured] == [None, 1.0]
    assert made.failed_scores == 0


def test_a_server_that_only_fails_stops_the_run_before_the_switch(tmp_path: Path) -> None:
    lost = [ModelError("timeout", "nobody is there")] * 50
    made, judge, writer = finished(staged(tmp_path, 20), lost, [])
    assert "5 calls in a row failed" in made.stopped
    assert "nobody is there" in made.stopped
    assert len(judge.requests) == 5
    assert writer.requests == []
    made, _, _ = finished(staged(tmp_path, 20), ["yes"] * 20, [])
    assert (made.stopped, made.failed_scores, made.switches) == ("", 0, 1)


def test_a_failed_solution_is_counted_and_written_the_next_time(tmp_path: Path) -> None:
    lost = ModelError("timeout", "the server did not answer")
    made, _, _ = finished(staged(tmp_path, 2), ["no", "no"], ["\\boxed{1}", lost])
    assert (made.failed, made.stopped) == (1, "")
    assert arm_figures(made.measured, (0.5,))["solved"] == 1
    made, judge, writer = finished(staged(tmp_path, 2), [], [])
    assert (len(writer.requests), judge.requests, made.failed) == (1, [], 0)
    assert arm_figures(made.measured, (0.5,))["solved"] == 2


def test_a_switch_that_fails_is_told_and_tried_again(tmp_path: Path) -> None:
    bad = (sys.executable, "-c", "import sys; sys.exit('no room for the other model')")
    with pytest.raises(LibraryError, match="no room for the other model"):
        finished(staged(tmp_path, 1, command=bad), ["yes"], [])
    with pytest.raises(LibraryError, match="cannot be run"):
        finished(staged(tmp_path, 1, command=("/nowhere/at/all",)), ["yes"], [])
    good = (sys.executable, "-c", "")
    made, judge, _ = finished(staged(tmp_path, 1, command=good), ["yes"], [])
    assert (made.commands, made.switches, judge.requests) == (1, 1, [])


def test_one_model_for_both_is_never_switched(tmp_path: Path) -> None:
    model = ScriptedModel(["yes", "\\boxed{1}"], name="one", last_words="\\boxed{1}")
    made = staged(tmp_path, 1).finish(material=lambda _: [Offered("card")], scorer=JudgingScorer(model), writer=model)
    assert made.switches == 0


def test_without_a_scorer_the_scores_of_the_source_count(tmp_path: Path) -> None:
    writer = ScriptedModel([], name="writer", last_words="\\boxed{1}")
    made = staged(tmp_path, 2).finish(
        material=lambda text: [Offered("card", 0.8 if "0" in text else None)], scorer=None, writer=writer
    )
    assert made.switches == 0
    assert [bool(one.covered) for one in made.measured] == [True, False]
    assert not (tmp_path / SCORED).read_text()


def test_without_texts_there_is_one_arm_in_truth(tmp_path: Path) -> None:
    writer = ScriptedModel([], name="writer", last_words="\\boxed{1}")
    made = staged(tmp_path, 2).finish(material=None, scorer=None, writer=writer)
    assert len(writer.requests) == 4
    assert all(one.arms[PLAIN] == one.arms[arm_name(0.5)] for one in made.measured)
    assert len((tmp_path / ATTEMPTS).read_text().splitlines()) == 4


def test_output_is_bounded_and_a_reply_that_is_cut_gives_no_half_answer(tmp_path: Path) -> None:
    replies = [ChatReply("Step 1: so it is\n\\boxed{1", finish="length"), ChatReply("#### 1" * 100_000)]
    writer = ScriptedModel(replies, name="writer", last_words="\\boxed{1}")
    made = staged(tmp_path, 1).finish(material=None, scorer=None, writer=writer)
    tries = made.measured[0].arms[PLAIN]
    assert (tries.greedy.solution.is_cut, tries.greedy.solution.answer) == (True, "")
    assert writer.requests[0].maximal_tokens == 2_000
    assert all(len(line) < 20_000 for line in (tmp_path / ATTEMPTS).read_text().splitlines())


class OddScorer:
    """Gives what no scorer should."""

    name = "odd"

    def __init__(self, *given: object) -> None:
        self._given = iter(given)

    def scores(self, query: str, texts: Sequence[str]) -> Any:
        del query, texts
        return next(self._given)


def test_what_is_no_score_is_unknown(tmp_path: Path) -> None:
    scorer = OddScorer([float("nan")], [], [0.5, 0.5], ["high"], [True], [float("inf")], [0.7])
    writer = ScriptedModel([], name="writer", last_words="\\boxed{1}")
    made = staged(tmp_path, 7).finish(material=lambda _: [Offered("card", 0.9)], scorer=scorer, writer=writer)
    assert [one.offers[0].score for one in made.measured] == [None] * 6 + [0.7]
    assert arm_figures(made.measured, (0.5,))["scores"]["unknown"] == 6


def test_texts_are_scored_together_unless_each_is_taken_alone(tmp_path: Path) -> None:
    seen: list[Sequence[str]] = []

    class Comparing:
        name = "comparing"

        def scores(self, query: str, texts: Sequence[str]) -> list[float | None]:
            del query
            seen.append(texts)
            return [1 / (1 + place) for place in range(len(texts))]

    writer = ScriptedModel([], name="writer", last_words="\\boxed{1}")
    cards = [Offered("one"), Offered("two")]
    (tmp_path / "a").mkdir()
    made = staged(tmp_path / "a", 1).finish(material=lambda _: cards, scorer=Comparing(), writer=writer)
    assert seen == [("one", "two")]
    assert [one.score for one in made.measured[0].offers] == [1.0, 0.5]
    (tmp_path / "b").mkdir()
    judge = ScriptedModel(["yes", "no"], name="judge")
    staged(tmp_path / "b", 1).finish(material=lambda _: cards, scorer=JudgingScorer(judge), writer=writer)
    assert len(judge.requests) == 2


def test_files_of_a_run_that_were_changed(tmp_path: Path) -> None:
    (tmp_path / "retrieved.jsonl").write_text(
        '{"id": "p-0", "offers": 3}\n{"id": "p-1", "offers": [3, {"text": 7, "score": "x"}, {"score": NaN}]}\n',
        encoding="utf-8",
    )
    (tmp_path / ATTEMPTS).write_text('{"id": "p-0/plain/0", "answer": 1, "outcomes": 5}\n[]\n7\n', encoding="utf-8")
    writer = ScriptedModel([], name="writer", last_words="\\boxed{1}")
    made = staged(tmp_path, 2).finish(material=None, scorer=None, writer=writer)
    assert [len(one.offers) for one in made.measured] == [0, 2]
    assert arm_figures(made.measured, (0.5,))["scores"]["unknown"] == 2
    assert made.measured[0].arms[PLAIN].greedy.solution.answer == "1"
