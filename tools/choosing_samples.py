"""Plans for the questions of a set, each with its evidence and whether its number is right: what weights are fitted on.

Used by fit_choosing.py. The library is read from the set's documents, as in `mathrag evaluate formula-qa`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mathrag.compute.canonical import canonical_key
from mathrag.compute.latex import read_latex
from mathrag.evaluate.grades import compare
from mathrag.library import Library
from mathrag.reason.choosing.choose import Ranking, rank_plans
from mathrag.reason.choosing.confidence import ranking_features
from mathrag.reason.choosing.plans import Plan, planned_steps
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.decision import COMPUTED, plausible_first, without_failures
from mathrag.reason.question import read_question
from mathrag.retrieve.candidates import Finder
from mathrag.types.expression import Reading
from mathrag.types.quantity import Quantity


@dataclass(frozen=True)
class PlanSample:
    """A plan: its evidence, its number where it has one, and whether that is what the question asks for."""

    evidence: Mapping[str, float]
    score: float
    is_complete: bool
    hops: int
    value: float | None
    is_right: bool


@dataclass(frozen=True)
class Sample:
    """A question with its plans. `number` is that of the formula it was made for. `features` are those of the best
    plan where it is complete, and `is_right` says whether its number is."""

    id: str
    set: str
    tier: str
    number: int
    plans: tuple[PlanSample, ...]
    features: Mapping[str, float] | None = None
    is_right: bool = False

    @property
    def half(self) -> str:
        """Which half of the formulas it belongs to."""
        return "odd" if self.number % 2 else "even"


def library_of(set_folder: Path, work: Path, documents: Sequence[Path]) -> Library:
    """The library of a set, ingested once and kept in a work folder."""
    folder = work / set_folder.name
    fresh = not Library.exists(folder)
    library = Library(folder)
    if fresh:
        library.ingest(documents or [set_folder / "documents"])
    return library


def samples(
    set_folder: Path,
    library: Library,
    *,
    table: Mapping[str, float] | None = None,
    tiers: Sequence[str] = (),
) -> Iterator[Sample]:
    """Every question of the set with its plans, under some weights."""
    finder = Finder(library.database, library.vectors)
    for line in (set_folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if tiers and record["tier"] not in tiers:
            continue
        ranking = rank_plans(read_question(record["question"]), finder, table=table)
        values = [value_of(plan, ranking) if plan.is_complete else None for plan in ranking.plans]
        found, right = _judged(ranking, values, record)
        yield Sample(
            record["id"],
            set_folder.name,
            record["tier"],
            int(record["id"].split("-")[2]),
            tuple(_sample(plan, value, record) for plan, value in zip(ranking.plans, values, strict=True)),
            found,
            right,
        )


def _judged(
    ranking: Ranking, values: Sequence[Quantity | None], record: Mapping[str, object]
) -> tuple[dict[str, float] | None, bool]:
    """The features of the plan that would be carried out, and whether its number is right."""
    if not ranking.plans:
        return None, False
    plans, kept = plausible_first(*without_failures(ranking.plans[:COMPUTED], values[:COMPUTED]), scorer=ranking.scorer)
    if not plans[0].is_complete or kept[0] is None:
        return None, False
    return ranking_features(plans, kept), record["answer"] is not None and is_right(kept[0], record)


def _sample(plan: Plan, value: Quantity | None, record: Mapping[str, object]) -> PlanSample:
    if record["tier"] == "missing":
        right = not plan.is_complete and not plan.hops and _is_formula(plan, record["latex"])
    else:
        right = value is not None and record["answer"] is not None and is_right(value, record)
    number = None if value is None else value.si_value
    return PlanSample(dict(plan.evidence), plan.score, plan.is_complete, plan.hops, number, right)


def value_of(plan: Plan, ranking: Ranking) -> Quantity | None:
    """The number a plan gives, or None where it gives none."""
    steps = compute_steps(planned_steps(plan, ranking.scorer, lambda _: None))
    return None if isinstance(steps, StepFailure) else steps[-1].result


def is_right(value: Quantity, record: Mapping[str, object]) -> bool:
    """Whether a number is the answer of the record, as `mathrag evaluate` judges it."""
    return compare(value, float(str(record["answer"])), str(record["unit"])) == "right"


def forms_of(latex: str) -> set[str]:
    """The canonical forms of the equations of a formula."""
    reading = read_latex(latex, ())
    return {canonical_key(equation) for equation in reading.equations} if isinstance(reading, Reading) else set()


def _is_formula(plan: Plan, latex: object) -> bool:
    texts = latex if isinstance(latex, list) else [latex]
    return any(plan.step.candidate.formula.form in forms_of(str(text)) for text in texts)
