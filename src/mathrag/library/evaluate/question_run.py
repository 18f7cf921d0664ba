"""Ask the questions of an evaluation in worker processes, with or without language models, within a budget.

Gives predictions as they come. Knows neither grades nor files but the one of the kept replies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from mathrag.errors import LibraryError, ModelError
from mathrag.evaluate.questions import Half, Truth
from mathrag.evaluate.report import add_spending
from mathrag.evaluate.run_files import prediction_line
from mathrag.isolation.pool import WorkerPool, default_workers
from mathrag.isolation.tasks import Done, Failed, Task, WorkerLimits
from mathrag.library.ask.models import Allowance
from mathrag.library.workers.evaluation_worker import ASK
from mathrag.types.json_value import Json

# Called with what is being done ("reading", "asking"), how much is done, and how much there is.
Watcher: TypeAlias = Callable[[str, int, int], None]
DEFAULT_PLANNER = "rules"
# The slowest take a few seconds; whoever needs longer hangs.
_SECONDS_A_QUESTION = 60.0
# A model may be slow, and is asked up to ten times and a few more.
_SECONDS_WITH_MODEL = 1800.0
# So many questions in a row that all fail for one reason are no accident of a question.
_FAILURES_TO_STOP = 5


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run asks. `ask` names the function (`package.module:function`) that answers in the worker processes; it
    takes `{"library", "question", "planner"}` and gives the public JSON object of an answer. With a language model it
    also gets `replies` and `budget`; `maximal_cost` (US dollars) and `maximal_calls` hold for all processes together.
    A run measures documents: only with `handbook` may built-in knowledge answer, and is counted apart; likewise what a
    model only assumes, with `assume`.
    """

    planner: str = DEFAULT_PLANNER
    limit: int | None = None
    half: Half | None = None
    workers: int | None = None
    ask: str = ASK
    watch: Watcher | None = None
    maximal_cost: float | None = None
    maximal_calls: int | None = None
    handbook: bool = False
    assume: bool = False


def model_used(planner: str) -> str:
    """The name of the language model that a planner would ask; empty where it asks none."""
    if planner == DEFAULT_PLANNER:
        return ""
    from mathrag.library.ask.models import is_model_set
    from mathrag.settings import load_settings

    settings = load_settings()
    if is_model_set(settings):
        return settings.llm_model_reason or settings.llm_model
    if planner in ("react", "small"):
        raise ModelError(
            "not_configured", f"the planner {planner} asks a language model: set MATHRAG_LLM_URL and MATHRAG_LLM_MODEL"
        )
    return ""


class QuestionRun:
    """Asks the questions of one run. `spent` is what models took so far, `stopped` what the budget left unasked."""

    def __init__(self, asking: RunOptions, *, library: Path, replies: Path | None, spent: Json) -> None:
        self._asking = asking
        self._library = library
        self._replies = replies
        self.spent = spent
        self.stopped: dict[str, str] = {}

    def predictions(self, truths: Sequence[Truth], *, done: int, total: int) -> Iterator[tuple[Truth, Json]]:
        """Each prediction as it comes; questions that the budget stopped are asked again while some of it is left."""
        watch = self._asking.watch
        if watch is not None:
            watch("asking", done, total)
        if not truths:
            return
        workers = min(len(truths), self._asking.workers or default_workers())
        asking = self._asking
        allowance = Allowance(cost=asking.maximal_cost, calls=asking.maximal_calls, workers=workers)
        seconds = _SECONDS_A_QUESTION if self._replies is None else _SECONDS_WITH_MODEL
        limits = WorkerLimits(seconds=seconds, megabytes=8192, tasks=10_000_000)
        with WorkerPool([asking.ask], workers=workers, limits=limits) as pool:
            for truth, prediction in self._pass(pool, truths, allowance, total=total):
                done += 1
                if watch is not None:
                    watch("asking", done, total)
                yield truth, prediction
        yield from self._again(truths, allowance, limits=limits, done=done, total=total)

    def _again(
        self, truths: Sequence[Truth], allowance: Allowance, *, limits: WorkerLimits, done: int, total: int
    ) -> Iterator[tuple[Truth, Json]]:
        """Those that ran out of their share, one at a time with all that is left; replies so far are kept."""
        watch, waiting = self._asking.watch, [truth for truth in truths if truth.id in self.stopped]
        allowance.narrow()
        with WorkerPool([self._asking.ask], workers=1, limits=limits) as pool:
            while waiting and allowance.has_more:
                truth = waiting.pop(0)
                del self.stopped[truth.id]
                for found, prediction in self._pass(pool, [truth], allowance, total=total):
                    done += 1
                    if watch is not None:
                        watch("asking", done, total)
                    yield found, prediction
                if truth.id in self.stopped:
                    return

    def _pass(
        self, pool: WorkerPool, truths: Sequence[Truth], allowance: Allowance, *, total: int
    ) -> Iterator[tuple[Truth, Json]]:
        by_id = {truth.id: truth for truth in truths}
        reasons: list[str] = []
        for outcome in pool.run(self._task(truth, allowance) for truth in truths):
            name = outcome.task.key
            result = _prediction(outcome)
            spending = result.get("spending")
            self._settle(name, spending, allowance)
            stopped = result.pop("stopped", None)
            if stopped is not None and stopped["code"] == "budget":
                self.stopped[name] = stopped["reason"]
                continue
            if stopped is not None:
                result = {**_EMPTY, "text": stopped["reason"], "failure": stopped, "spending": spending}
            failure = result.get("failure")
            reasons.append(failure["reason"] if failure is not None else "")
            if len(reasons) == min(_FAILURES_TO_STOP, total) and reasons[0] and len(set(reasons)) == 1:
                raise LibraryError(f"no question can be asked: {reasons[0]}")
            yield by_id[name], result

    def _task(self, truth: Truth, allowance: Allowance) -> Task:
        payload: dict[str, Any] = {
            "library": str(self._library),
            "planner": self._asking.planner,
            "question": truth.question,
            "only_documents": not self._asking.handbook,
            "assume": self._asking.assume,
        }
        share = allowance.take(truth.id)
        if self._replies is not None:
            payload |= {"replies": str(self._replies), "budget": list(share)}
        return Task(truth.id, self._asking.ask, payload)

    def _settle(self, name: str, spending: Json | None, allowance: Allowance) -> None:
        before = self.spent
        self.spent = add_spending(before, spending)
        is_known = before["cost"] is not None and self.spent["cost"] is not None
        cost = self.spent["cost"] - before["cost"] if is_known else None
        allowance.settle(name, cost=cost, calls=self.spent["calls"] - before["calls"])


def _prediction(outcome: Done | Failed) -> Json:
    if isinstance(outcome, Failed):
        # Not an answer, so written as a refusal; the report counts it as a crash.
        failure = {"code": outcome.code, "reason": outcome.reason}
        return {**_EMPTY, "text": outcome.reason, "failure": failure}
    try:
        prediction_line(outcome.task.key, outcome.result)
    except (ValueError, TypeError, AttributeError):
        return {**_EMPTY, "failure": {"code": "broken", "reason": "what came back is no object that JSON can carry"}}
    return dict(outcome.result)


_EMPTY: dict[str, Any] = {
    "outcome": "refused",
    "value": None,
    "unit": None,
    "text": "",
    "formulas": [],
    "bindings": {},
    "steps": [],
    "missing": [],
    "confidence": None,
    "warnings": [],
    "milliseconds": None,
}
