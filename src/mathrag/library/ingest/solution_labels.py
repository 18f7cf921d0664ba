"""Let a model label what no record states of imported solutions: types of problems, patterns of wrong steps.

Problems go in waves, each twice as large as the one before, and each wave is shown the names of those before it: so a
collection of which nothing is known yet does not end with a type for every problem. What the same model was asked in
the same words before is not asked again; what could not be asked stays as it was.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

from mathrag.library.ingest.label_questions import (
    ERROR,
    TYPE,
    KnownTypes,
    WrongStep,
    pattern_said,
    prompt_version,
    question_about_error,
    question_about_type,
    type_said,
    usable_patterns,
)
from mathrag.library.ingest.model_reading.requests import Asking, Question, Settled, Work
from mathrag.library.ingest.model_reading.run import check_models
from mathrag.llm.accounts import Estimate, Spending
from mathrag.llm.metered import Models
from mathrag.store.graph.procedure_nodes import UNCLASSED, error_patterns
from mathrag.store.index.problem_likeness import TypePath
from mathrag.store.truth.database import Database
from mathrag.store.truth.model_records import LEFT, FailedPiece, RejectedProposal, rejected_proposals
from mathrag.store.truth.problem_types import stated_types
from mathrag.store.truth.records import DocumentInfo
from mathrag.store.truth.seals import agreeing_rows
from mathrag.store.truth.solution_labels import LabelKind, SolutionLabel, labels_of
from mathrag.store.truth.writer import replace_labels
from mathrag.types.document import Place

# Called with how many questions are settled, and how many there are.
LabelProgress: TypeAlias = Callable[[int, int], None]
_FIRST_WAVE, _LARGEST_WAVE = 8, 256
_LONGEST_RECORD = 2_000


@dataclass(frozen=True, slots=True)
class LabelRun:
    """What came of labelling a file. Of the `pieces` to be asked about, `done` have their reply and `left` were not
    asked for, because the run stopped before; `unknown` are those of which the model could say nothing.

    `types` and `patterns` count what the file has now by this model. `refused` counts replies that may not be kept, by
    the code of the reason; `stopped` says why the run ended before its end, empty where it did not.
    """

    model: str
    spending: Spending
    pieces: int = 0
    done: int = 0
    left: int = 0
    types: int = 0
    patterns: int = 0
    unknown: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)
    failures: tuple[FailedPiece, ...] = ()
    stopped: str = ""
    is_changed: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether everything was asked for and answered."""
        return not self.stopped and not self.failures and not self.left


@dataclass(frozen=True, slots=True)
class LabelEstimate:
    """What labelling would take: problems and wrong steps to be asked about, and what is known of tokens and money."""

    model: str
    pieces: int
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class _Problem:
    id: str
    text: str
    line: int | None


_Piece = TypeVar("_Piece", _Problem, WrongStep)


@dataclass(frozen=True, slots=True)
class _Open:
    """What of a file no record states, what was said of it before, and the names to choose from."""

    problems: tuple[_Problem, ...]
    steps: tuple[WrongStep, ...]
    before: Mapping[str, SolutionLabel]
    known: KnownTypes
    patterns: Mapping[str, str]
    lines: Mapping[str, int | None]

    @property
    def sources(self) -> list[str]:
        """The ids of all of it, in the order of the file."""
        return [*(one.id for one in self.problems), *(one.id for one in self.steps)]


def carried_labels(
    database: Database, document: str, rows: Mapping[str, Sequence[Mapping[str, object]]]
) -> list[SolutionLabel]:
    """The labels that a file had, as far as they are about what its new rows still leave open."""
    problems = {row["id"] for row in rows["problems"] if not (row["branch"] or row["subfield"] or row["type"])}
    steps = {row["id"] for row in rows["solution_steps"] if row["label"] == "bad" and not row["error"]}
    with database.reading() as connection:
        return [one for one in labels_of(connection, document) if one.source in (problems | steps)]


class SolutionLabeller:
    """Labels stored files with the models of one run."""

    def __init__(self, database: Database, models: Models, *, progress: LabelProgress | None = None) -> None:
        check_models(models)
        self.database = database
        self.models = models
        self.model = models.chat("extract").name
        self._progress = progress

    def estimate(self, info: DocumentInfo) -> LabelEstimate:
        """What labelling a file would take; asks nobody. Names found on the way make later questions longer."""
        parts = self._parts(info)
        asked = [*(question_about_type(one.id, one.text, parts.known) for one in self._unasked(parts, parts.problems))]
        asked += [question_about_error(one, parts.patterns) for one in self._unasked(parts, parts.steps)]
        estimate = self.models.estimate("extract", [question.request for question in asked])
        return LabelEstimate(self.model, len(asked), estimate)

    def run(self, info: DocumentInfo) -> LabelRun:
        """Ask about all that is open in a file, and store what may be kept."""
        earlier = self.models.account.snapshot()
        parts = self._parts(info)
        problems, steps = self._unasked(parts, parts.problems), self._unasked(parts, parts.steps)
        made = _Made(info.id, self.model, parts)
        asking = Asking(self.models)
        pieces = len(problems) + len(steps)
        for wave in _waves(problems):
            texts = {one.id: one.text for one in wave}
            questions = [question_about_type(one.id, one.text, parts.known) for one in wave]
            for settled in self._settled(asking, questions, made, pieces):
                made.take_type(settled, texts[settled.question.source])
        questions = [question_about_error(one, parts.patterns) for one in steps]
        for settled in self._settled(asking, questions, made, pieces):
            made.take_error(settled)
        run = LabelRun(self.model, self.models.account.snapshot() - earlier, pieces=pieces)
        stop = asking.stopped or asking.budget
        return self._finished(replace(run, stopped="" if stop is None else stop.reason), info, made)

    def _finished(self, run: LabelRun, info: DocumentInfo, made: _Made) -> LabelRun:
        """Store what there is to store; the run with its figures."""
        labels = made.labels()
        is_changed, stopped = made.is_more, run.stopped
        # What was refused before and is not asked for now stays refused.
        kept = [one for one in rejected_proposals(self.database, document=info.id) if one.source not in made.said]
        if is_changed and not replace_labels(self.database, info, labels, [*kept, *made.rejected]):
            is_changed, stopped = False, "another program changed the file in the library meanwhile; run it again"
        own = [label for label in labels if label.model == self.model]
        return replace(
            run,
            done=len(made.said),
            left=sum(one.code == LEFT for one in made.failures),
            types=sum(label.path != TypePath() for label in own),
            patterns=sum(label.pattern != "" for label in own),
            unknown=made.unknown,
            refused=dict(Counter(one.code for one in made.rejected).most_common()),
            failures=tuple(one for one in made.failures if one.code != LEFT),
            stopped=stopped,
            is_changed=is_changed,
        )

    def _parts(self, info: DocumentInfo) -> _Open:
        with self.database.reading():
            return _open_parts(self.database, info.id, is_own=self._is_current)

    def _is_current(self, label: SolutionLabel) -> bool:
        return (label.model, label.prompt) == (self.model, prompt_version(label.kind))

    def _unasked(self, parts: _Open, pieces: Sequence[_Piece]) -> list[_Piece]:
        found = ((one, parts.before.get(one.id)) for one in pieces)
        return [one for one, label in found if label is None or not self._is_current(label)]

    def _settled(self, asking: Asking, questions: Sequence[Question], made: _Made, pieces: int) -> Iterator[Settled]:
        """What became of questions, in their order: which reply comes first must not matter."""
        work = Work(questions)
        before = made.count
        for _ in asking.run([work] if questions else []):
            if self._progress is not None:
                self._progress(before + len(work.settled), pieces)
        yield from work.in_order()


class _Made:
    """What the replies of a run came to, over what was said before."""

    def __init__(self, document: str, model: str, parts: _Open) -> None:
        self._document = document
        self._model = model
        self._parts = parts
        self.said: dict[str, SolutionLabel] = {}
        self.rejected: list[RejectedProposal] = []
        self.failures: list[FailedPiece] = []
        self.unknown = 0

    @property
    def count(self) -> int:
        """How many questions are settled."""
        return len(self.said) + len(self.failures)

    def labels(self) -> list[SolutionLabel]:
        """All labels of the file, in its order: what is said now stands in place of what was said before."""
        every = {**self._parts.before, **self.said}
        return [every[source] for source in self._parts.sources if source in every]

    @property
    def is_more(self) -> bool:
        """Whether anything is said that was not said before."""
        return any(self._parts.before.get(source) != label for source, label in self.said.items())

    def take_type(self, settled: Settled, problem: str) -> None:
        """Take up the reply about a problem."""
        if not self._has_reply(settled):
            return
        found = ("reply", settled.problem) if settled.problem else type_said(settled.value, problem, self._parts.known)
        if isinstance(found, tuple):
            self._refuse(settled, *found)
            return
        self.unknown += found == TypePath()
        if found.type:
            self._parts.known.add(found)
        self.said[settled.question.source] = self._label(settled, TYPE, found)

    def take_error(self, settled: Settled) -> None:
        """Take up the reply about a wrong step."""
        if not self._has_reply(settled):
            return
        if settled.problem:
            self._refuse(settled, "reply", settled.problem)
            return
        pattern = pattern_said(settled.value, self._parts.patterns)
        self.unknown += not pattern
        self.said[settled.question.source] = self._label(settled, ERROR, pattern=pattern)

    def _has_reply(self, settled: Settled) -> bool:
        """Whether anything came back; what failed or was not asked for is unknown and stays as it was."""
        source, error = settled.question.source, settled.error
        if error is None:
            return True
        if settled.was_asked:
            self.failures.append(FailedPiece(source, error.code, error.reason))
        else:
            self.failures.append(FailedPiece(source, LEFT, "it was not asked yet, because the run had stopped"))
        return False

    def _refuse(self, settled: Settled, code: str, reason: str) -> None:
        question = settled.question
        place = Place(line=self._parts.lines.get(question.source))
        said = settled.said[:_LONGEST_RECORD]
        self.rejected.append(
            RejectedProposal(
                self._document,
                question.source,
                question.kind,
                code,
                reason[:_LONGEST_RECORD],
                "",
                said,
                self._model,
                place,
            )
        )
        # The model has been asked: asking again in the same words would give the same.
        self.said[question.source] = self._label(settled, TYPE if question.kind == TYPE else ERROR)

    def _label(
        self, settled: Settled, kind: LabelKind, path: TypePath | None = None, *, pattern: str = ""
    ) -> SolutionLabel:
        source = settled.question.source
        return SolutionLabel(
            self._document, kind, source, self._model, prompt_version(kind), path or TypePath(), pattern
        )


def _waves(problems: Sequence[_Problem]) -> Iterator[Sequence[_Problem]]:
    start, size = 0, _FIRST_WAVE
    while start < len(problems):
        yield problems[start : start + size]
        start, size = start + size, min(2 * size, _LARGEST_WAVE)


def _open_parts(database: Database, document: str, *, is_own: Callable[[SolutionLabel], bool]) -> _Open:
    """What a file leaves open. Labels that will be given anew (not `is_own`) are no names to choose from."""
    connection = database.connection
    rows = agreeing_rows(connection, "problems", "WHERE document = ? ORDER BY position", (document,))
    stated = stated_types(connection)
    problems = tuple(_Problem(row["id"], row["text"], row["line"]) for row in rows if row["content"] not in stated)
    steps = agreeing_rows(connection, "solution_steps", "WHERE document = ? ORDER BY position", (document,))
    wrong = tuple(_wrong_steps(connection, document, steps, {row["id"]: row["text"] for row in rows}))
    labels = labels_of(connection)
    sources = {*(one.id for one in problems), *(one.id for one in wrong)}
    named = (one.path for one in labels if one.path.type and (one.document != document or is_own(one)))
    described = {name: known["about"] for name, known in error_patterns().items() if name != UNCLASSED}
    errors = (row[0] for row in connection.execute("SELECT DISTINCT error FROM solution_steps WHERE error <> ''"))
    return _Open(
        problems,
        wrong,
        {one.source: one for one in labels if one.document == document and one.source in sources},
        KnownTypes([*stated.values(), *named]),
        usable_patterns(described, errors),
        {row["id"]: row["line"] for row in (*rows, *steps)},
    )


def _wrong_steps(
    connection: sqlite3.Connection, document: str, steps: Sequence[Mapping[str, Any]], problems: Mapping[str, str]
) -> Iterator[WrongStep]:
    """The steps that are called wrong without a pattern, each with the problem and the steps before it."""
    solutions = agreeing_rows(connection, "solutions", "WHERE document = ?", (document,))
    problem_of = {row["id"]: problems.get(row["problem"], "") for row in solutions}
    chains: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in steps:
        if not row["is_alternative"]:
            chains[row["solution"]].append((row["number"], row["text"]))
    for row in steps:
        if row["label"] == "bad" and not row["error"]:
            before = tuple(text for number, text in sorted(chains[row["solution"]]) if number < row["number"])
            yield WrongStep(row["id"], problem_of.get(row["solution"], ""), before, row["text"])
