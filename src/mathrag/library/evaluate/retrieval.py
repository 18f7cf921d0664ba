"""Measure how well concepts are found for problems, on files of labels. Needs no library on disk where the concepts
come from a file. Every run has a folder of its own; none is ever written over."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from mathrag.answer.quality_cards import decision_object
from mathrag.errors import LibraryError, UsageError
from mathrag.evaluate.retrieval import (
    CHART_FILE,
    RetrievalTrial,
    recall_chart,
    retrieval_figures,
    retrieval_report,
)
from mathrag.evaluate.run_files import PREDICTIONS_FILE, PredictionLog, write_whole
from mathrag.library.evaluate.card_gate import CardGate, FoundCards
from mathrag.library.reranking import configured_reranker
from mathrag.retrieve.concept_names import ask_concept_names, concept_names
from mathrag.retrieve.concepts import (
    ConceptHit,
    ConceptSearch,
    ConceptShelf,
    SearchedBy,
    card_text,
    reranker_query,
)
from mathrag.retrieve.rerankers import Reranker, rerank, select, thresholds_of
from mathrag.sources.dictionaries.concepts import is_mathematical
from mathrag.store.embedders import Embedder, load_embedder
from mathrag.types.concept import Concept, ConceptExample, ConceptProperty
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from mathrag.library.opened import OpenLibrary
    from mathrag.llm.metered import Models
    from mathrag.llm.seams import ChatModel

Config: TypeAlias = Literal["words", "meaning", "fused", "reranked", "gated"]
NamesFrom: TypeAlias = Literal["rules", "file", "model", "text"]
CONFIGS: tuple[Config, ...] = ("words", "meaning", "fused", "reranked", "gated")
NAMES_FROM: tuple[NamesFrom, ...] = ("rules", "file", "model", "text")

# From this score on a concept counts as one that the problem is about.
LABELLED = 0.5
_LARGEST_FILE = 256 * 1024 * 1024
_MOST_RUNS = 10_000
# What stands where a long text was cut.
_CUT = "..."


@dataclass(frozen=True, slots=True)
class LabelledProblem:
    """A problem with the concepts that it was labelled with, each with the score that it was given."""

    id: str
    text: str
    stored: Mapping[str, float]
    level: str = ""
    type: str = ""
    names: tuple[str, ...] | None = None

    @property
    def wanted(self) -> tuple[str, ...]:
        """The concepts that the problem is about."""
        return tuple(name for name, score in self.stored.items() if score >= LABELLED)


@dataclass(frozen=True, slots=True)
class RetrievalRun:
    """What is measured. `watch` is told how far the run is."""

    config: Config = "fused"
    names: NamesFrom = "rules"
    reranker: Reranker | None = None
    model: ChatModel | None = None
    limit: int | None = None
    watch: Callable[[str, int, int], None] | None = None


# ---- files


def load_labels(labels: Path, *, problems: Path | None = None, concepts: Path | None = None) -> list[LabelledProblem]:
    """The problems of a file of labels, in its order.

    `labels` is a JSON object: under the id of each problem its `problem_text` and its `reranked_symbols`, each with
    `cd`, `name` and `reranker_score`. `problems` (JSON lines in the same order) has the whole texts, for those of the
    labels may be cut; `concepts` (a JSON object with the same ids) the names that a model gave each problem, its level
    and type.
    """
    rows = _object(labels)
    whole = _whole_texts(problems) if problems is not None else []
    named = _object(concepts) if concepts is not None else {}
    if problems is not None and len(whole) != len(rows):
        raise UsageError(f"{problems} has {len(whole)} problems and {labels} has {len(rows)}; they must be the same")
    found = []
    for place, (name, row) in enumerate(rows.items()):
        text, stored = _labels(row, f"{labels}, {name}")
        more = whole[place] if whole else {}
        if more and not _is_same(text, str(more.get("problem", ""))):
            raise UsageError(f"problem {place + 1} of {problems} is not {name} of {labels}")
        about = named.get(name, {})
        about = about if isinstance(about, dict) else {}
        listed = about.get("concepts")
        found.append(
            LabelledProblem(
                name,
                str(more.get("problem") or text),
                stored,
                str(more.get("level", about.get("level", ""))),
                str(about.get("type") or more.get("subject") or ""),
                tuple(map(str, listed)) if isinstance(listed, list) else None,
            )
        )
    if not found:
        raise UsageError(f"{labels} holds no problem")
    return found


def load_base(file: Path) -> list[Concept]:
    """The concepts of a published base: a JSON object whose `symbols` have `cd`, `name`, `description`,
    `cmp_properties` and `examples`. Those that are no mathematics are left out; its texts of programs are not read."""
    symbols = _object(file).get("symbols")
    if not isinstance(symbols, dict):
        raise LibraryError(f"{file} has no symbols; it is no base of concepts")
    concepts = [_concept(row, file) for row in symbols.values()]
    return [one for one in concepts if is_mathematical(one.dictionary)]


def _concept(row: Json, file: Path) -> Concept:
    if not isinstance(row, dict) or not isinstance(row.get("cd"), str) or not isinstance(row.get("name"), str):
        raise LibraryError(f"{file} has a symbol without dictionary or name")
    return Concept(
        f"{row['cd']}:{row['name']}",
        row["cd"],
        row["name"],
        str(row.get("description") or ""),
        role=str(row.get("role") or ""),
        signature=str(row.get("type_signature") or ""),
        properties=tuple(ConceptProperty("stated", text) for text in _texts(row.get("cmp_properties"))),
        examples=tuple(ConceptExample(text) for text in _texts(row.get("examples"))),
    )


def _texts(value: Json) -> Iterator[str]:
    return (each for each in value if isinstance(each, str)) if isinstance(value, list) else iter(())


def _labels(row: Json, where: str) -> tuple[str, dict[str, float]]:
    symbols = row.get("reranked_symbols") if isinstance(row, dict) else None
    if not isinstance(symbols, list):
        raise LibraryError(f"{where}: there is no list of reranked_symbols")
    stored: dict[str, float] = {}
    for one in symbols:
        score = one.get("reranker_score") if isinstance(one, dict) else None
        if not isinstance(score, int | float) or isinstance(score, bool):
            raise LibraryError(f"{where}: a symbol has no reranker_score")
        stored[f"{one.get('cd')}:{one.get('name')}"] = float(score)
    return str(row.get("problem_text", "")), stored


def _is_same(text: str, whole: str) -> bool:
    shown = text.removesuffix(_CUT).strip()
    return whole.strip().startswith(shown)


def _whole_texts(file: Path) -> list[dict[str, Any]]:
    found = []
    for number, line in enumerate(_read(file).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise LibraryError(f"{file}, line {number}: this is no JSON object")
        found.append(value)
    return found


def _object(file: Path) -> dict[str, Any]:
    try:
        value = json.loads(_read(file))
    except (ValueError, RecursionError) as error:
        raise LibraryError(f"{file} is no JSON") from error
    if not isinstance(value, dict):
        raise LibraryError(f"{file} is no JSON object")
    return value


def _read(file: Path) -> str:
    try:
        if file.stat().st_size > _LARGEST_FILE:
            raise UsageError(f"{file} is larger than {_LARGEST_FILE // 1024**2} MB")
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise LibraryError(f"{file} is no text in UTF-8") from error


# ---- the run


@dataclass(frozen=True, slots=True)
class RetrievalFiles:
    """The files of a run. Without `base` the concepts are those of a library."""

    labels: Path
    problems: Path | None = None
    concepts: Path | None = None
    base: Path | None = None


def measure_retrieval(
    files: RetrievalFiles,
    *,
    config: Config | None = None,
    names: NamesFrom = "rules",
    reranker: str | None = None,
    library: OpenLibrary | None = None,
    models: Models | None = None,
    out: Path | None = None,
    limit: int | None = None,
    watch: Callable[[str, int, int], None] | None = None,
) -> dict[str, Any]:
    """Figures of one configuration on files; without a configuration, what the labels themselves say.

    `reranker` is one by name (see `MATHRAG_RERANKER`, which holds without it).
    """
    labelled = load_labels(files.labels, problems=files.problems, concepts=files.concepts)
    if config is None:
        return evaluate_retrieval(labelled, (), out=out, run=RetrievalRun(limit=limit))
    embedder = load_embedder()
    concepts = load_base(files.base) if files.base is not None else _of_library(library)
    run = RetrievalRun(
        config,
        names,
        configured_reranker(embedder, models=models, named=reranker or "") if config == "reranked" else None,
        models.chat("reason") if names == "model" and models is not None and models.has("reason") else None,
        limit=limit,
        watch=watch,
    )
    return evaluate_retrieval(labelled, concepts, run=run, embedder=embedder, out=out)


def _of_library(library: OpenLibrary | None) -> Sequence[Concept]:
    concepts = () if library is None else ConceptSearch(library.database, library.embedder).shelf().concepts
    if not concepts:
        raise UsageError("there are no concepts: name a base with --base, or ingest dictionaries into a library")
    return concepts


def evaluate_retrieval(
    labelled: Sequence[LabelledProblem],
    concepts: Sequence[Concept],
    *,
    run: RetrievalRun | None = None,
    embedder: Embedder | None = None,
    out: Path | None = None,
) -> dict[str, Any]:
    """Figures for one configuration; with `out`, each problem as a line, the figures and a report in a folder of their
    own there, named in `folder`. Without concepts only what the labels themselves say is counted."""
    run = run or RetrievalRun()
    used = embedder or load_embedder()
    problems = list(labelled)[: run.limit]
    folder = None if out is None else _own_folder(out, run, has_concepts=bool(concepts))
    searcher = _Searcher(ConceptShelf(concepts, used), run, problems) if concepts else None
    trials: list[RetrievalTrial] = []
    for index, problem in enumerate(problems):
        trials.append(_trial(index, problem, searcher))
        if folder is not None:
            with PredictionLog(folder / PREDICTIONS_FILE) as log:
                log.add(problem.id, _line(trials[-1]))
        if run.watch is not None:
            run.watch("problems", index + 1, len(problems))
    # What scores are poor or high is told by whose scores they are.
    own = thresholds_of(run.reranker.name if run.reranker is not None else "usual")
    figures: dict[str, Any] = {
        **(_labels_alone() if searcher is None else searcher.told()),
        "concepts": len(concepts),
        **retrieval_figures(trials, poor=own.poor, high=own.high),
    }
    if folder is not None:
        write_whole(folder / "report.json", json.dumps(figures, ensure_ascii=False, indent=1) + "\n")
        write_whole(folder / "report.md", retrieval_report(figures))
        if "recall_by_type" in figures:
            write_whole(folder / CHART_FILE, recall_chart(figures))
        figures["folder"] = str(folder)
    return figures


def _labels_alone() -> dict[str, Any]:
    return {"config": "labels", "names": "", "names_unknown": 0, "reranker": "", "embedder": ""}


class _Searcher:
    """Searches for one problem after the other as a configuration says. Where the gate decides, everything is searched
    for first, because the labels of all problems decide."""

    def __init__(self, shelf: ConceptShelf, run: RetrievalRun, problems: Sequence[LabelledProblem]) -> None:
        if run.config == "reranked" and run.reranker is None:
            raise UsageError("the configuration reranked needs a reranker; name one with --reranker")
        if run.names == "model" and run.model is None:
            raise UsageError(
                "names by a model need one: set MATHRAG_LLM_URL and MATHRAG_LLM_MODEL, or take --names rules"
            )
        self._shelf = shelf
        self._run = run
        self.unknown = 0
        self.gate: CardGate | None = None
        self._found: list[tuple[tuple[ConceptHit, ...], tuple[str, ...]]] = []
        if run.config == "gated":
            self._found = [self._hits(one) for one in problems]
            self.gate = CardGate(
                [FoundCards(one.wanted, hits) for one, (hits, _) in zip(problems, self._found, strict=True)]
            )

    def told(self) -> dict[str, Any]:
        """What a report says of the search."""
        run = self._run
        told: dict[str, Any] = {
            "config": run.config,
            "names": run.names,
            "names_unknown": self.unknown,
            "reranker": run.reranker.name if run.reranker is not None and run.config == "reranked" else "",
            "embedder": self._shelf.embedder.name,
        }
        if self.gate is not None:
            told["gate"] = {half: decision_object(one) for half, one in self.gate.decisions.items()}
        return told

    def _hits(self, problem: LabelledProblem) -> tuple[tuple[ConceptHit, ...], tuple[str, ...]]:
        names = self._names(problem)
        query = problem.text if self._run.names == "text" else ", ".join(names)
        by: SearchedBy = self._run.config if self._run.config in ("words", "meaning") else "fused"
        return self._shelf.search(query, by=by), names

    def search(
        self, place: int, problem: LabelledProblem
    ) -> tuple[tuple[ConceptHit, ...], tuple[float | None, ...], tuple[str, ...]]:
        """What is found, best first, the scores it was given, and the names of what a prompt would be given."""
        run = self._run
        hits, names = self._found[place] if self._found else self._hits(problem)
        if self.gate is not None:
            # What entries are worth compares them within one problem; it is no score of relevance.
            return self.gate.ranked(place, hits), (), ()
        if run.config != "reranked" or run.reranker is None:
            return hits, (), ()
        asked = reranker_query(problem.text, names)
        scored = rerank(asked, hits, [card_text(one.concept) for one in hits], run.reranker)
        chosen = select(scored, thresholds_of(run.reranker.name))
        return (
            tuple(one.found for one in scored),
            tuple(one.score for one in scored),
            tuple(one.found.concept.name for one in chosen),
        )

    def _names(self, problem: LabelledProblem) -> tuple[str, ...]:
        match self._run.names:
            case "text":
                return ()
            case "file":
                if problem.names is None:
                    raise UsageError(
                        f"there are no names for {problem.id}; give the file that has them with --concepts"
                    )
                return problem.names
            case "model":
                assert self._run.model is not None
                said = ask_concept_names(self._run.model, problem.text)
                self.unknown += said is None
                return concept_names(problem.text) if said is None else said
            case "rules":
                return concept_names(problem.text)


def _trial(index: int, problem: LabelledProblem, searcher: _Searcher | None) -> RetrievalTrial:
    started = time.perf_counter()
    found = ((), (), ()) if searcher is None else searcher.search(index, problem)
    hits, scores, selected = found
    milliseconds = 1000 * (time.perf_counter() - started)
    return RetrievalTrial(
        index,
        problem.id,
        problem.level,
        problem.type,
        problem.wanted,
        tuple(problem.stored.values()),
        tuple(one.concept.name for one in hits),
        scores,
        selected,
        round(milliseconds, 3),
    )


def _line(trial: RetrievalTrial) -> dict[str, Any]:
    return {
        "level": trial.level,
        "type": trial.type,
        "wanted": list(trial.wanted),
        "stored_best": max(trial.stored, default=None),
        "ranked": list(trial.ranked),
        "scores": list(trial.scores),
        "selected": list(trial.selected),
        "milliseconds": trial.milliseconds,
    }


def _own_folder(out: Path, run: RetrievalRun, *, has_concepts: bool) -> Path:
    """A new folder for this run, numbered where there is one of its name already."""
    named = "-".join((run.config, run.names)) if has_concepts else "labels"
    if run.config == "reranked" and run.reranker is not None:
        named += "-" + "".join(each if each.isalnum() else "_" for each in run.reranker.name)[:40]
    try:
        out.mkdir(parents=True, exist_ok=True)
        for number in range(1, _MOST_RUNS):
            folder = out / (named if number == 1 else f"{named}-{number}")
            try:
                folder.mkdir()
            except FileExistsError:
                continue
            return folder
    except OSError as error:
        raise UsageError(f"{out} cannot be written to: {error.strerror or error}") from error
    raise UsageError(f"{out} holds too many runs")
