"""The quality of what a library shows: decided by the gate for each corpus, kept with it, and used where it says so.

Wires the scores, the gate and the store. Solutions in steps are scored by what calculation finds in them, passages by
their form; a model's score counts only where the gate chose it and a model is at hand.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

from mathrag.answer.quality_cards import decision_object, gate_lines, quality_object, quality_words
from mathrag.reason.steps.checking import check_solution
from mathrag.reason.steps.quality_judge import model_qualities, model_quality
from mathrag.retrieve.gate import GatedText, decide
from mathrag.retrieve.problems import QualityOf
from mathrag.retrieve.quality import CHECKED, MODEL, RULES, checked_score, quality_numbers, rule_score, text_of
from mathrag.store.truth.database import Database
from mathrag.store.truth.gate_decisions import keep_decision, kept_decision
from mathrag.store.truth.procedures import steps_of_solutions
from mathrag.types.quality import CORPORA, Corpus, GateDecision, Quality, QualityPart
from mathrag.types.solution import Problem, Solution, SolutionStep

if TYPE_CHECKING:
    from mathrag.llm.metered import Models
    from mathrag.llm.seams import ChatModel

__all__ = [
    "QualityBook",
    "decide_gate",
    "decision_object",
    "gate_lines",
    "quality_object",
    "quality_words",
    "solution_quality",
]
_SCORE_OF: dict[Corpus, str] = {"solutions": CHECKED, "passages": RULES}
# Scores that are kept in memory, the ones used last at the end.
_MOST_KEPT = 5_000
Watcher = Callable[[str, int, int], None]


def solution_quality(solution: Solution) -> Quality:
    """The quality of a solution in steps, by what calculation finds in it."""
    return checked_score(check_solution(solution))


# ---- deciding


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A text of the sample: what the model sees, the score by rules, its label and its problem."""

    text: str
    rules: float
    is_right: bool | None = None
    group: str = ""


def decide_gate(
    database: Database,
    corpus: Corpus,
    *,
    models: Models | None = None,
    sample: int | None = None,
    seed: int = 0,
    watch: Watcher | None = None,
) -> GateDecision:
    """Score a sample of the corpus by rules and, where there is one, by the model that judges; decide, and keep it."""
    wanted = sample or int(quality_numbers("gate")["sample"])
    drawn = _DRAWING[corpus](database, wanted, random.Random(seed), watch)  # noqa: S311 - a sample, not a secret
    judge = models.chat("judge") if models is not None and models.has("judge") else None
    scores: Sequence[float | None] = [None] * len(drawn)
    if judge is not None and drawn:
        scores = model_qualities(
            judge, [one.text for one in drawn], workers=models.concurrency if models else 1
        ).results
    decision = decide(
        [GatedText(one.rules, given, one.is_right, one.group) for one, given in zip(drawn, scores, strict=True)]
    )
    named = replace(decision, scores=(_SCORE_OF[corpus], "" if judge is None else judge.name))
    return keep_decision(database, corpus, named)


def _draw_solutions(database: Database, wanted: int, chance: random.Random, watch: Watcher | None) -> list[_Drawn]:
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT min(s.id), max(s.is_right), p.text, s.answer FROM solutions s JOIN problems p ON p.id = s.problem "
            "GROUP BY s.content ORDER BY 1"
        ).fetchall()
        chosen = sorted(chance.sample(rows, min(wanted, len(rows))), key=lambda row: str(row[0]))
        steps = steps_of_solutions(connection, [row[0] for row in chosen])
    texts: dict[str, list[str]] = {}
    for step in steps:
        if not step.is_alternative:
            texts.setdefault(step.solution, []).append(step.text)
    drawn = []
    for number, (identifier, is_right, problem, answer) in enumerate(chosen, 1):
        written = texts.get(identifier, [])
        quality = solution_quality(Solution(tuple(map(SolutionStep, written)), Problem(problem), answer=answer))
        drawn.append(
            _Drawn(text_of(written), quality.value, None if is_right is None else bool(is_right), str(problem))
        )
        if watch is not None:
            watch("scoring", number, len(chosen))
    return drawn


def _draw_passages(database: Database, wanted: int, chance: random.Random, watch: Watcher | None) -> list[_Drawn]:
    with database.reading() as connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM chunks ORDER BY id")]
        chosen = sorted(chance.sample(ids, min(wanted, len(ids))))
        texts = [connection.execute("SELECT text FROM chunks WHERE id = ?", (one,)).fetchone()[0] for one in chosen]
    if watch is not None:
        watch("scoring", len(texts), len(texts))
    return [_Drawn(str(text), rule_score(str(text)).value) for text in texts]


_DRAWING: dict[Corpus, Callable[[Database, int, random.Random, Watcher | None], list[_Drawn]]] = {
    "solutions": _draw_solutions,
    "passages": _draw_passages,
}


# ---- using what was decided


class QualityBook:
    """What the corpora of one library are ranked by, as far as was decided; follows the library as it changes.

    Without `model`, a corpus for which the gate chose a model's score is not ranked by quality.
    """

    def __init__(self, database: Database, *, model: ChatModel | None = None) -> None:
        self._database = database
        self._model = model
        self._decisions: dict[Corpus, tuple[int, GateDecision | None]] = {}
        self._kept: OrderedDict[tuple[str, str], Quality] = OrderedDict()
        self._lock = Lock()

    def judged_by(self, models: Models) -> QualityBook:
        """The same book with the model that judges, where there is one."""
        return QualityBook(self._database, model=models.chat("judge")) if models.has("judge") else self

    def needs_model(self) -> bool:
        """Whether the gate chose a model's opinion for any corpus."""
        return any(one is not None and one.choice == "model" for one in map(self.decision, CORPORA))

    def decision(self, corpus: Corpus) -> GateDecision | None:
        """What was decided for a corpus as it now is."""
        generation = self._database.generation
        with self._lock:
            known = self._decisions.get(corpus)
        if known is None or known[0] != generation:
            known = (generation, kept_decision(self._database, corpus))
            with self._lock:
                self._decisions[corpus] = known
        return known[1]

    def for_solutions(self) -> QualityOf | None:
        """What solutions are judged by; None where quality does not count."""
        match self._chosen("solutions"):
            case "rules":
                return lambda solution: self._once("solution", _whole(solution), lambda _: solution_quality(solution))
            case "model":
                return lambda solution: self._once(
                    "model", text_of([step.text for step in solution.steps]), self._asked
                )
            case _:
                return None

    def for_passages(self) -> Callable[[str], Quality | None] | None:
        """What passages are judged by; None where quality does not count."""
        match self._chosen("passages"):
            case "rules":
                return rule_score
            case "model":
                return lambda text: self._once("model", text, self._asked)
            case _:
                return None

    def _chosen(self, corpus: Corpus) -> str:
        decision = self.decision(corpus)
        if decision is None or (decision.choice == "model" and self._model is None):
            return ""
        return decision.choice

    def _once(self, score: str, text: str, made: Callable[[str], Quality | None]) -> Quality | None:
        with self._lock:
            if (score, text) in self._kept:
                self._kept.move_to_end((score, text))
                return self._kept[score, text]
        found = made(text)
        if found is not None:
            with self._lock:
                self._kept[score, text] = found
                while len(self._kept) > _MOST_KEPT:
                    self._kept.popitem(last=False)
        return found

    def _asked(self, text: str) -> Quality | None:
        """The model's opinion; unknown where it gives none or cannot be asked."""
        from mathrag.errors import ModelError

        assert self._model is not None
        try:
            value = model_quality(self._model, text)
        except ModelError:
            return None
        if value is None:
            return None
        part = QualityPart("grade", 1 + 4 * value, value, f"graded {1 + 4 * value:g} of 5 by {self._model.name}")
        return Quality(MODEL, value, "style", (part,))


def _whole(solution: Solution) -> str:
    problem = solution.problem.text if solution.problem is not None else ""
    return "\n\n".join((problem, *(step.text for step in solution.steps)))
