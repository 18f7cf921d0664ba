"""A run in stages: all texts are found, then all are scored and written down, then the models are switched once, then
all solutions are written. So two models that do not fit into one machine together are each loaded once.

Every item that is done is a line in the folder of the run. A run that was killed goes on where it was: what is written
is not done again, and what was under way is lost alone. The models are asked in this order whatever happens, and how
often they were switched is counted from what was asked, not from what was planned.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Literal, TypeAlias

from mathrag.errors import LibraryError, ModelError
from mathrag.evaluate.augmentation import MaterialSource, Offered, Scorer, shown_at
from mathrag.evaluate.math_arms import PLAIN, MeasuredProblem, Tried, Tries, arm_name
from mathrag.evaluate.stage_files import StageLog
from mathrag.isolation.launcher import ProgramLateError, run_program
from mathrag.llm.concurrency import ask_each
from mathrag.llm.judge import yes_probability
from mathrag.llm.seams import ChatModel
from mathrag.reason.steps.whole import GREEDY, WholeSolution, read_whole, whole_request
from mathrag.types.json_value import Json
from mathrag.types.solution import Problem

Watcher: TypeAlias = Callable[[str, int, int], None]
ScorerChoice: TypeAlias = Literal["similarity", "judge"]
SCORERS: tuple[ScorerChoice, ...] = ("similarity", "judge")
RETRIEVED, SCORED, ASKED, SWITCHED, ATTEMPTS = (
    "retrieved.jsonl", "scores.jsonl", "asked.jsonl", "switches.jsonl", "attempts.jsonl",
)  # fmt: skip
# So many items in a row that all fail are no accident of an item.
_FAILURES_TO_STOP = 5
_SWITCH_SECONDS = 1800.0
_LARGEST = 1e300
_HELPS = "The context holds knowledge or a solved example whose method helps to solve this problem: "


@dataclass(frozen=True, slots=True)
class StagedOptions:
    """How solutions are written: `attempts` drawn ones beside the greedy one, with the texts that reach each of
    `thresholds`; a reply has at most `tokens`. `switch_command` is run between the two models."""

    attempts: int = 5
    thresholds: tuple[float, ...] = (0.5,)
    tokens: int = 2_000
    switch_command: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StagedReport:
    """What came of a run: the problems with their attempts, and what it took to get there.

    `stopped` says why it ended early; then the same run goes on when it is started again.
    """

    measured: tuple[MeasuredProblem, ...]
    switches: int
    commands: int
    failed: int
    failed_scores: int
    stopped: str = ""


class JudgingScorer:
    """Scores by how likely a model takes a text to help, whatever the other texts are."""

    scores_each_alone = True

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._model.name

    def scores(self, query: str, texts: Sequence[str]) -> list[float | None]:
        """A probability for each text; None where the model gives no verdict."""
        return [yes_probability(self._model, f"{_HELPS}{query}", context=text) for text in texts]


@dataclass(slots=True)
class StagedRun:
    """One run in its folder. Stages are taken in order by `finish`; each does what is not yet written down."""

    folder: Path
    samples: Sequence[Sequence[Problem]]
    options: StagedOptions
    workers: int = 1
    watch: Watcher | None = None
    _lock: Lock = field(default_factory=Lock)

    def finish(
        self, *, material: MaterialSource | None, scorer: Scorer | None, writer: ChatModel, is_switching: bool = True
    ) -> StagedReport:
        """Do all stages. Without a scorer the scores of the source count; without a source no text is shown."""
        with self._logs() as logs:
            self._retrieve(logs, material)
            failed_scores, stopped = self._score(logs, scorer)
            failed = 0
            if not stopped:
                if scorer is not None and is_switching and self._waiting(logs):
                    self._switch(logs)
                failed, stopped = self._write(logs, writer)
            return StagedReport(
                tuple(self._measured(logs)),
                switches=_switches(logs[ASKED].done),
                commands=sum(line.get("state") == "done" for line in logs[SWITCHED].done.values()),
                failed=failed,
                failed_scores=failed_scores,
                stopped=stopped,
            )

    @contextmanager
    def _logs(self) -> Iterator[Mapping[str, StageLog]]:
        with ExitStack() as opened:
            names = (RETRIEVED, SCORED, ASKED, SWITCHED, ATTEMPTS)
            yield {name: opened.enter_context(StageLog(self.folder / name)) for name in names}

    @property
    def _problems(self) -> list[Problem]:
        return [problem for sample in self.samples for problem in sample]

    # ---- the stages

    def _retrieve(self, logs: Mapping[str, StageLog], material: MaterialSource | None) -> None:
        log = logs[RETRIEVED]
        waiting = [problem for problem in self._problems if problem.id not in log.done]
        for place, problem in enumerate(waiting, 1):
            found = [] if material is None else material(problem.text)
            log.add(
                problem.id,
                {"offers": [{"text": one.text, "score": one.score, "source": one.source} for one in found]},
            )
            self._told("finding", place, len(waiting))

    def _score(self, logs: Mapping[str, StageLog], scorer: Scorer | None) -> tuple[int, str]:
        """Score every text; how many calls failed, and why it stopped. A failed call leaves the score unknown.

        Once models were switched nothing is scored any more: that would take another switch.
        """
        if scorer is None or logs[ATTEMPTS].done or logs[SWITCHED].done or _last_asked(logs) not in ("", scorer.name):
            return sum(bool(line.get("failure")) for line in logs[SCORED].done.values()), ""
        log, rounds = logs[SCORED], _Round()
        waiting = self._unscored(logs, scorer)

        def scored(item: _Scoring) -> None:
            rounds.check()
            self._asked(logs, scorer.name)
            try:
                given = list(scorer.scores(item.problem.text, item.texts))
            except ModelError as error:
                rounds.fail(error)
                for name in item.names:
                    log.add(name, {"score": None, "failure": error.reason})
                raise
            rounds.succeed()
            # Scores that are not one for each text cannot be told apart.
            known = given if len(given) == len(item.names) else [None] * len(item.names)
            for name, score in zip(item.names, known, strict=True):
                log.add(name, {"score": _number(score)})
            self._told("scoring", rounds.done, len(waiting))

        batch = ask_each(scored, waiting, workers=self.workers)
        return (
            sum(bool(line.get("failure")) for line in log.done.values()),
            "" if batch.stopped is None else batch.stopped.reason,
        )

    def _unscored(self, logs: Mapping[str, StageLog], scorer: Scorer) -> list[_Scoring]:
        """What is to be scored: the texts of a problem together, for scores may depend on the others; one by one only
        for a scorer that says that it takes each alone, so that a kill or a failure costs no more than one."""
        done = logs[SCORED].done
        found = []
        for problem in self._problems:
            texts = [one.text for one in _offers(logs[RETRIEVED].done.get(problem.id))]
            places = range(len(texts))
            groups = [[place] for place in places] if getattr(scorer, "scores_each_alone", False) else [list(places)]
            for group in groups:
                names = tuple(f"{problem.id}/{place}" for place in group)
                if any(name not in done or done[name].get("failure") for name in names):
                    found.append(_Scoring(names, problem, tuple(texts[place] for place in group)))
        return found

    def _switch(self, logs: Mapping[str, StageLog]) -> None:
        """Run the command that switches models, once: what was begun and not ended is begun again."""
        command, log = self.options.switch_command, logs[SWITCHED]
        if not command or any(line.get("state") == "done" for line in log.done.values()):
            return
        log.add("1", {"state": "begun"})
        try:
            end = run_program(command, folder=Path.cwd(), seconds=_SWITCH_SECONDS)
        except OSError as error:
            raise LibraryError(f"the command that switches models cannot be run: {error.strerror or error}") from error
        except ProgramLateError:
            raise LibraryError(
                f"the command that switches models did not end within {_SWITCH_SECONDS:g} seconds"
            ) from None
        if end.status != 0:
            raise LibraryError(
                f"the command that switches models failed ({end.status}): {end.complaint.strip()[-300:]}"
            )
        log.add("1", {"state": "done"})

    def _write(self, logs: Mapping[str, StageLog], writer: ChatModel) -> tuple[int, str]:
        """Write every solution that is not there yet; how many failed, and why it stopped."""
        log, rounds = logs[ATTEMPTS], _Round()
        waiting = self._waiting(logs)

        def written(item: _Attempt) -> None:
            rounds.check()
            self._asked(logs, writer.name)
            request = whole_request(item.problem.text, item.texts, number=item.number, tokens=self.options.tokens)
            begun = time.monotonic()
            try:
                reply = writer.chat(request)
            except ModelError as error:
                rounds.fail(error)
                raise
            taken = None if reply.from_cache else round(1000 * (time.monotonic() - begun), 3)
            rounds.succeed()
            solution = read_whole(reply, item.problem.text)
            log.add(item.name, _line(solution, taken))
            self._told("solving", rounds.done, len(waiting))

        batch = ask_each(written, waiting, workers=self.workers)
        return batch.failures, "" if batch.stopped is None else batch.stopped.reason

    # ---- what is done, and what is to be done

    def _scored_offers(self, logs: Mapping[str, StageLog], problem: Problem) -> tuple[Offered, ...]:
        """The texts of a problem with the scores that count: those of the scorer where it was asked."""
        scores = logs[SCORED].done
        found = _offers(logs[RETRIEVED].done.get(problem.id))
        names = [f"{problem.id}/{place}" for place in range(len(found))]
        if not scores:
            return found
        return tuple(
            Offered(one.text, _number(scores.get(name, {}).get("score")), one.source)
            for name, one in zip(names, found, strict=True)
        )

    def _shown(self, offers: Sequence[Offered]) -> dict[str, tuple[int, ...]]:
        """The texts of every arm, as places. Arms that show the same ones are one and the same request."""
        return {PLAIN: (), **{arm_name(least): shown_at(offers, least) for least in self.options.thresholds}}

    def _waiting(self, logs: Mapping[str, StageLog]) -> list[_Attempt]:
        found = []
        for problem in self._problems:
            offers = self._scored_offers(logs, problem)
            for shown in dict.fromkeys(self._shown(offers).values()):
                texts = tuple(offers[place].text for place in shown)
                for number in range(GREEDY, self.options.attempts + 1):
                    item = _Attempt(_attempt_name(problem, shown, number), problem, texts, number)
                    if item.name not in logs[ATTEMPTS].done:
                        found.append(item)
        return found

    def _measured(self, logs: Mapping[str, StageLog]) -> Iterator[MeasuredProblem]:
        for run, sample in enumerate(self.samples):
            for problem in sample:
                offers = self._scored_offers(logs, problem)
                shown = self._shown(offers)
                arms = {name: tries for name, places in shown.items() if (tries := self._tries(logs, problem, places))}
                covered = frozenset(name for name, places in shown.items() if places)
                yield MeasuredProblem(problem, run, offers, arms, covered)

    def _tries(self, logs: Mapping[str, StageLog], problem: Problem, shown: tuple[int, ...]) -> Tries | None:
        names = [_attempt_name(problem, shown, number) for number in range(GREEDY, self.options.attempts + 1)]
        lines = [logs[ATTEMPTS].done.get(name) for name in names]
        found = [_tried(line) for line in lines if line is not None]
        return Tries(found[0], tuple(found[1:])) if len(found) == len(names) else None

    def _asked(self, logs: Mapping[str, StageLog], model: str) -> None:
        """Write down that another model is asked than before."""
        log = logs[ASKED]
        with self._lock:
            if _last_asked(logs) != model:
                log.add(str(len(log.done) + 1), {"model": model})

    def _told(self, what: str, done: int, total: int) -> None:
        if self.watch is not None:
            with self._lock:
                self.watch(what, done, total)


@dataclass(frozen=True, slots=True)
class _Scoring:
    names: tuple[str, ...]
    problem: Problem
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Attempt:
    name: str
    problem: Problem
    texts: tuple[str, ...]
    number: int


class _Round:
    """Counts what came of the items of a stage, and gives up where nothing but failures comes."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._failed = 0
        self._reason = ""
        self.done = 0

    def check(self) -> None:
        """`ModelError` where no further item is worth a call."""
        if self._failed >= _FAILURES_TO_STOP:
            raise ModelError("cancelled", f"{self._failed} calls in a row failed, the last one because {self._reason}")

    def fail(self, error: ModelError) -> None:
        """Count a failure."""
        with self._lock:
            self._failed += 1
            self._reason = error.reason

    def succeed(self) -> None:
        """Count a success."""
        with self._lock:
            self._failed = 0
            self.done += 1


def _attempt_name(problem: Problem, shown: Sequence[int], number: int) -> str:
    return f"{problem.id}/{'+'.join(map(str, shown)) or PLAIN}/{number}"


def _last_asked(logs: Mapping[str, StageLog]) -> str:
    """The model that was asked last; empty where none was."""
    asked = logs[ASKED].done
    return str(asked.get(str(len(asked)), {}).get("model", ""))


def _switches(asked: Mapping[str, Json]) -> int:
    """How often another model was asked than before."""
    return max(0, len(asked) - 1)


def _offers(line: Json | None) -> tuple[Offered, ...]:
    rows = line.get("offers") if isinstance(line, dict) else None
    return tuple(
        Offered(str(row.get("text", "")), _number(row.get("score")), str(row.get("source", "")))
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, dict)
    )


def _number(value: object) -> float | None:
    """A finite number; None for anything else, also for what a file or a scorer gives that is none."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST
    return float(value) if is_number and isinstance(value, int | float) else None


def _line(solution: WholeSolution, milliseconds: float | None) -> dict[str, Json]:
    return {
        "answer": solution.answer,
        "cut": solution.is_cut,
        "outcomes": list(solution.outcomes),
        "milliseconds": milliseconds,
        "text": solution.text,
    }


def _tried(line: Mapping[str, Json]) -> Tried:
    given = line.get("outcomes")
    listed = given if isinstance(given, list) else ()
    outcomes = tuple(one for one in listed if one in ("verified", "refuted", "unchecked"))
    solution = WholeSolution(str(line.get("text", "")), str(line.get("answer", "")), line.get("cut") is True, outcomes)
    return Tried(solution, _number(line.get("milliseconds")))
