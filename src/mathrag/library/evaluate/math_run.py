"""Solve the problems of a file (MATH-500, GSM8K) with a language model and report how well: in steps with a teacher, or
whole solutions with and without texts put before the problem. Problems that the library also has are not shown to the
model, and are counted. Every run has a folder of its own and goes on there where it was stopped."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from mathrag.answer.stepped import attempt_object
from mathrag.errors import UsageError
from mathrag.evaluate.augmentation import MaterialSource, Offered, Scorer, load_labels, recall_figures
from mathrag.evaluate.math_arms import PLAIN, MeasuredProblem, arm_figures, arm_name, mark
from mathrag.evaluate.math_problems import SolvedProblem, grade, math_figures
from mathrag.evaluate.math_report import math_report_files, question_records
from mathrag.evaluate.run_files import program_fingerprint, text_fingerprint, write_whole
from mathrag.evaluate.samples import disjoint_samples
from mathrag.evaluate.stage_files import run_folder
from mathrag.library.ask.models import no_model, price_of
from mathrag.library.ask.stepped_solving import retrieval_of, solve_in_steps
from mathrag.library.evaluate.staged_run import JudgingScorer, ScorerChoice, StagedOptions, StagedRun
from mathrag.library.reranking import configured_reranker
from mathrag.library.views.evaluations import fresh_results_folder, results_folder
from mathrag.llm.accounts import Estimate, dollars, usual_usage
from mathrag.llm.concurrency import ask_each
from mathrag.llm.messages import Usage
from mathrag.reason.concept_material import concept_card
from mathrag.reason.steps.material import LibraryRetrieval, Search
from mathrag.reason.steps.prompts import LONGEST_PROBLEM, Way, write_request
from mathrag.reason.steps.whole import whole_request
from mathrag.retrieve.concepts import ConceptSearch, scored_concepts
from mathrag.sources.procedures.collection import read_collection
from mathrag.types.json_value import Json
from mathrag.types.solution import Problem
from mathrag.types.solving import SolvingOptions, SteppedSolution

if TYPE_CHECKING:
    from mathrag.library.opened import OpenLibrary
    from mathrag.llm.metered import Models
    from mathrag.settings import Settings

# steps: one step at a time, checked, with a teacher; whole: whole solutions, with and without texts before the problem.
SolvingWay: TypeAlias = Literal["steps", "whole"]
# What stands before a problem: solved problems that resemble it, or cards of the concepts that it is about.
TextsFrom: TypeAlias = Literal["solutions", "concepts"]
_MOST_CARDS = 10
WAYS: tuple[SolvingWay, ...] = ("steps", "whole")
_LARGEST_FILE = 256 * 1024 * 1024
# What a reply usually has, and how many judging, advising and rewriting calls come with a round of writing.
_USUAL_REPLY = 350
# So many texts are found for a problem.
_TEXTS_A_PROBLEM = 3
_BESIDE_WRITING = {"responsible": 2, "socratic": 2, "critical": 3}


@dataclass(frozen=True, slots=True)
class MathRun:
    """Which problems, how they are solved, and who watches. With several `runs`, each has a `sample` of its own."""

    options: SolvingOptions
    limit: int | None = None
    sample: int | None = None
    seed: int = 0
    search: Search = "graph"
    watch: Callable[[str, int, int], None] | None = None
    runs: int = 1
    way: SolvingWay = "steps"
    staged: StagedOptions = field(default_factory=StagedOptions)
    scorer: ScorerChoice = "similarity"
    labels: Path | None = None
    texts: TextsFrom = "solutions"


@dataclass(frozen=True, slots=True)
class MathEstimate:
    """What solving a file would usually take, and how often a model could be asked at most."""

    problems: int
    usual: Estimate
    most_calls: int


def load_problems(file: Path, run: MathRun) -> list[Problem]:
    """The problems of a file that have an answer: all, the first `limit`, or random samples that the seed fixes."""
    return [problem for sample in load_samples(file, run) for problem in sample]


def load_samples(file: Path, run: MathRun) -> list[list[Problem]]:
    """The problems of each run. No problem is in two of them."""
    try:
        if file.stat().st_size > _LARGEST_FILE:
            raise UsageError(f"{file} is larger than {_LARGEST_FILE // 1024 // 1024} MB")
        content = file.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror or error}") from error
    found = [
        replace(solution.problem, answer=solution.problem.answer or solution.answer, id=f"{file.stem}-{record.line}")
        for record in read_collection(content).records
        for solution in record.solutions[:1]
        if solution.problem is not None
    ]
    problems = [one for one in found if one.answer and len(one.text) <= LONGEST_PROBLEM]
    if run.runs == 1:
        return [sample[: run.limit] for sample in disjoint_samples(problems, runs=1, size=run.sample, seed=run.seed)]
    return disjoint_samples(problems[: run.limit], runs=run.runs, size=run.sample, seed=run.seed)


def evaluate_math(
    file: Path,
    *,
    models: Models | None,
    run: MathRun,
    library: OpenLibrary | None = None,
    out: Path | None = None,
    material: MaterialSource | None = None,
    scorer: Scorer | None = None,
) -> dict[str, Any]:
    """Solve and grade; the report as data. With `out`, it and a line for every problem are also written there.

    `material` finds the texts for whole solutions; without it they are solved problems of the library. `scorer` says
    how relevant they are; without it that goes by `run.scorer`.
    """
    if models is None or not models.has("reason"):
        raise no_model()
    samples = load_samples(file, run)
    if out is None:
        if run.way == "whole":
            raise UsageError("whole solutions are written in stages, which need a folder: give --out")
        return _in_steps(file, samples, models, run, library).report
    about = _run_object(file, run, models, library)
    if scorer is not None:
        about |= {"scorer": scorer.name}
    with run_folder(out, about, fingerprint=text_fingerprint(json.dumps(about, sort_keys=True))):
        if run.way == "whole":
            found = _Texts(*_texts(samples, run, library, material, models), _scorer(run, models, scorer))
            made = _whole(file, samples, models, run, out, texts=found)
        else:
            made = _in_steps(file, samples, models, run, library)
        write_whole(out / "predictions.jsonl", "".join(made.lines))
        write_whole(out / "report.json", json.dumps(made.report, ensure_ascii=False, indent=1) + "\n")
        for name, text in math_report_files(made.report).items():
            write_whole(out / name, text)
    return made.report


def math_folder(folder: Path, file: Path, *, run: MathRun, models: Models, library: OpenLibrary | None) -> Path:
    """Where a run is kept when nobody says otherwise: one that was stopped goes on in its folder, every other has its
    own."""
    about = json.dumps(_run_object(file, run, models, library), sort_keys=True)
    return fresh_results_folder(results_folder(folder, file, f"math-{run.way}", model=about))


@dataclass(frozen=True, slots=True)
class _Made:
    report: dict[str, Any]
    lines: Sequence[str]


def _run_object(file: Path, run: MathRun, models: Models, library: OpenLibrary | None) -> dict[str, Json]:
    """All that a run depends on. What differs in any of it is another run."""
    try:
        content = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror or error}") from error
    return {
        "format": 1,
        "file": text_fingerprint(content),
        "options": _options_object(run),
        "models": [models.chat(role).name for role in ("reason", "judge") if models.has(role)],
        "library": None if library is None else [str(library.folder.resolve()), library.database.generation],
        "program": program_fingerprint(),
    }


def _in_steps(
    file: Path, samples: Sequence[Sequence[Problem]], models: Models, run: MathRun, library: OpenLibrary | None
) -> _Made:
    problems = [problem for sample in samples for problem in sample]
    found = _retrieval(run, library, models=models)
    left_out = 0 if found is None else found.leave_out([one.text for one in problems])
    before = models.account.snapshot()
    watched = _Watched(run.watch, len(problems))

    def solved(problem: Problem) -> tuple[SteppedSolution, float]:
        begun = time.monotonic()
        made = solve_in_steps(problem.text, models=models, options=run.options, retrieval=found)
        watched.add()
        return made, 1000 * (time.monotonic() - begun)

    batch = ask_each(solved, problems, workers=models.concurrency)
    numbers = [number for number, sample in enumerate(samples) for _ in sample]
    graded = [
        SolvedProblem(problem, None, number) if made is None else SolvedProblem(problem, made[0], number, made[1])
        for problem, made, number in zip(problems, batch.results, numbers, strict=True)
    ]
    spent = models.account.snapshot() - before
    report = {
        **_head(file, run, models),
        **math_figures(graded),
        "leakage": {"left_out_of_the_library": left_out, "search": run.search if found is not None else "none"},
        "failed": batch.failures,
        "stopped": "" if batch.stopped is None else batch.stopped.reason,
        "spent": spent.total.to_json(),
    }
    records = [_step_record(one, run.options.vote) for one in graded if one.solution is not None]
    return _Made({**report, **question_records(records)}, [_line(one) for one in graded])


def _retrieval(
    run: MathRun, library: OpenLibrary | None, *, models: Models | None = None, has_concepts: bool = True
) -> LibraryRetrieval | None:
    """What finds material in the library, where there is one and the run wants any."""
    if library is None or run.options.material == "none":
        return None
    return retrieval_of(library, search=run.search, models=models, has_concepts=has_concepts)


@dataclass(frozen=True, slots=True)
class _Texts:
    """Where texts come from, how many problems of the library are left out, how it is searched, and who scores."""

    source: MaterialSource | None
    left_out: int
    search: str
    scorer: Scorer | None


def _texts(
    samples: Sequence[Sequence[Problem]],
    run: MathRun,
    library: OpenLibrary | None,
    material: MaterialSource | None,
    models: Models,
) -> tuple[MaterialSource | None, int, str]:
    if material is not None:
        return material, 0, "given"
    if run.texts == "concepts":
        return concept_cards(library, models), 0, "concepts"
    found = _retrieval(run, library, has_concepts=False)
    if found is None:
        return None, 0, "none"
    return solved_problems(found), found.leave_out([one.text for sample in samples for one in sample]), run.search


def _scorer(run: MathRun, models: Models, given: Scorer | None) -> Scorer | None:
    if given is not None or run.scorer != "judge" or not models.has("judge"):
        return given
    return JudgingScorer(models.chat("judge"))


def _whole(
    file: Path, samples: Sequence[Sequence[Problem]], models: Models, run: MathRun, out: Path, *, texts: _Texts
) -> _Made:
    writer, scorer = models.chat("reason"), texts.scorer
    before = models.account.snapshot()
    staged = StagedRun(out, samples, run.staged, workers=models.concurrency, watch=run.watch)
    made = staged.finish(material=texts.source, scorer=scorer, writer=writer)
    labels = {} if run.labels is None else load_labels(run.labels)
    figures = arm_figures(made.measured, run.staged.thresholds)
    report = {
        **_head(file, run, models),
        "scorer": "similarity" if scorer is None else scorer.name,
        **figures,
        "scores": {**figures["scores"], "failed_calls": made.failed_scores},
        "recall": recall_figures({one.problem.id: one.offers for one in made.measured}, labels),
        "switches": made.switches,
        "switch_commands": made.commands,
        "leakage": {"left_out_of_the_library": texts.left_out, "search": texts.search},
        "failed": made.failed,
        "stopped": made.stopped,
        "spent": (models.account.snapshot() - before).total.to_json(),
    }
    shown = arm_name(run.staged.thresholds[0]) if run.staged.thresholds else PLAIN
    records = [_arm_record(one, shown) for one in made.measured if shown in one.arms]
    return _Made({**report, **question_records(records)}, [_arm_line(one) for one in made.measured])


def solved_problems(found: LibraryRetrieval) -> MaterialSource:
    """Solved problems of a library as texts to put before a problem, scored by how much they resemble it."""

    def material(problem: str) -> list[Offered]:
        return [Offered(one.text, one.similarity, one.source) for one in found.for_problem(problem)]

    return material


def concept_cards(library: OpenLibrary | None, models: Models | None = None) -> MaterialSource:
    """Cards of the concepts that a problem is about, each with the score of the reranker that is set."""
    search = None if library is None else ConceptSearch(library.database, library.embedder)
    if search is None or not search.has_concepts():
        raise UsageError("there are no concepts in the library; `mathrag ingest --openmath` reads dictionaries in")
    shelf = search.shelf()
    reranker = configured_reranker(shelf.embedder, models=models)

    def material(problem: str) -> list[Offered]:
        scored = scored_concepts(problem, shelf, reranker, limit=_MOST_CARDS)
        return [Offered(concept_card(one.found.concept), one.score, one.found.concept.name) for one in scored]

    return material


def _head(file: Path, run: MathRun, models: Models) -> dict[str, Any]:
    return {
        "set": file.stem,
        "file": file.name,
        "planner": run.way,
        "way": run.way,
        "texts": run.texts,
        "model": models.chat("reason").name,
        "options": _options_object(run),
    }


def _step_record(solved: SolvedProblem, rule: str) -> dict[str, Any]:
    """A problem as reports have questions, with the answer that the chosen vote gives."""
    marks = grade(solved)
    is_right = marks.votes[rule]
    solution = solved.solution
    best = None if solution is None else solution.best
    stage = "" if is_right else "wrong answer" if best is not None and best.answer else "no answer"
    return _record(solved.problem, is_right, stage, "" if best is None else best.answer, solved.milliseconds)


def _arm_record(measured: MeasuredProblem, name: str) -> dict[str, Any]:
    marks = mark(measured.arms[name], measured.problem.answer)
    stage = "" if marks.vote else "wrong answer" if marks.chosen else "no answer"
    taken = sum(marks.milliseconds) if marks.milliseconds else None
    return _record(measured.problem, marks.vote, stage, marks.chosen, taken)


def _record(problem: Problem, is_right: bool, stage: str, found: str, milliseconds: float | None) -> dict[str, Any]:
    """What is asked is not repeated: collections of problems have licences of their own."""
    return {
        "id": problem.id,
        "right": is_right,
        "verdict": "right" if is_right else "wrong",
        "tier": "level unknown" if problem.level is None else f"level {problem.level}",
        "kind": problem.type or "unknown",
        "stage": stage,
        "expected": problem.answer,
        "found": found,
        "question": "",
        "milliseconds": milliseconds,
    }


def _arm_line(measured: MeasuredProblem) -> str:
    """One problem without its text: what each arm answered and whether that is right."""
    problem = measured.problem
    marked = {name: (tries, mark(tries, problem.answer)) for name, tries in measured.arms.items()}
    line = {
        "id": problem.id,
        "run": measured.run,
        "level": problem.level,
        "type": problem.type,
        "expected": problem.answer,
        "scores": [one.score for one in measured.offers],
        "sources": [one.source for one in measured.offers],
        "arms": {
            name: {
                "has_texts": name in measured.covered,
                "greedy": tries.greedy.solution.answer,
                "drawn": [one.solution.answer for one in tries.drawn],
                "voted": marks.chosen,
                "greedy_right": marks.greedy,
                "vote_right": marks.vote,
                "oracle_right": marks.any,
                "settled_after": marks.settled,
                "errors": list(marks.errors),
            }
            for name, (tries, marks) in marked.items()
        },
    }
    return json.dumps(line, ensure_ascii=True) + "\n"


class _Watched:
    def __init__(self, watch: Callable[[str, int, int], None] | None, total: int) -> None:
        self._watch, self._total, self._done = watch, total, 0
        self._lock = threading.Lock()

    def add(self) -> None:
        with self._lock:
            self._done += 1
            if self._watch is not None:
                self._watch("solving", self._done, self._total)


def _options_object(run: MathRun) -> dict[str, Any]:
    options, staged = run.options, run.staged
    drawn = {"sample": run.sample, "limit": run.limit, "seed": run.seed, "runs": run.runs, "search": run.search}
    if run.way == "whole":
        return {
            "n": staged.attempts,
            "thresholds": list(staged.thresholds),
            "tokens": staged.tokens,
            "scorer": run.scorer,
            "material": options.material,
            "texts": run.texts,
            **drawn,
        }
    return {
        "role": options.teacher,
        "n": options.attempts,
        "depth": options.depth,
        "padding": options.padding,
        "vote": options.vote,
        "material": options.material,
        **drawn,
    }


def _line(solved: SolvedProblem) -> str:
    """One problem without its text: its place in the file, what was answered and whether that is right."""
    marks = grade(solved)
    solution = solved.solution
    line = {
        "id": solved.problem.id,
        "level": solved.problem.level,
        "expected": solved.problem.answer,
        "right": list(marks.attempts),
        "votes": dict(marks.votes),
        "chosen": None if solution is None else solution.chosen,
        "attempts": [] if solution is None else [attempt_object(attempt) for attempt in solution.attempts],
    }
    return json.dumps(line, ensure_ascii=True) + "\n"


def estimate_math(file: Path, *, run: MathRun, settings: Settings) -> MathEstimate:
    """What solving the file would take. Reads it; asks nobody."""
    problems = load_problems(file, run)
    if run.way == "whole":
        return _estimate_whole(problems, run, settings)
    options = run.options
    rounds = math.ceil(options.depth / options.padding)
    # Most problems end in the first round or the one after it.
    usual_rounds = min(rounds, 2)
    beside = _BESIDE_WRITING[options.teacher]
    calls = len(problems) * options.attempts * usual_rounds * (1 + beside)
    sent = sum(_prompt(problem, options) for problem in problems) * options.attempts * usual_rounds * (1 + beside)
    written = len(problems) * options.attempts * usual_rounds * min(options.tokens, _USUAL_REPLY)
    price = price_of(settings)
    cost = None if price is None else dollars(price.picodollars(Usage(sent, written)))
    return MathEstimate(len(problems), Estimate(calls, 0, sent, written, cost), len(problems) * most_calls(options))


def _estimate_whole(problems: Sequence[Problem], run: MathRun, settings: Settings) -> MathEstimate:
    """Every problem plainly; of those with texts, which nobody knows before they are found, at most all at every
    threshold."""
    each = run.staged.attempts + 1
    sent = sum(
        usual_usage(whole_request(problem.text, (), number=0, tokens=run.staged.tokens)).prompt_tokens
        for problem in problems
    )
    calls, written = each * len(problems), each * len(problems) * min(run.staged.tokens, _USUAL_REPLY)
    price = price_of(settings)
    cost = None if price is None else dollars(price.picodollars(Usage(sent * each, written)))
    scored = _TEXTS_A_PROBLEM * len(problems) if run.scorer == "judge" else 0
    most = calls * (1 + len(run.staged.thresholds)) + scored
    return MathEstimate(len(problems), Estimate(calls, 0, sent * each, written, cost), most)


def _prompt(problem: Problem, options: SolvingOptions) -> int:
    request = write_request(Way(problem.text, options, options.seed), help_text="", most=options.padding)
    return usual_usage(request).prompt_tokens


def most_calls(options: SolvingOptions) -> int:
    """How often a model could be asked for one problem: a step a round, each written twice, with all that is beside."""
    beside = _BESIDE_WRITING[options.teacher] + 1
    return options.attempts * (options.depth * (2 + beside) + 1) + 1
