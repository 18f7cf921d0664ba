"""`Library`: one object for everything a library on disk can do. Wires the rooms; holds no rules of its own.

Each method hands its work to the module that knows how. Those are imported when first needed: whoever only looks
something up does not wait for the rules that read documents or for those that answer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, Self

from mathrag.errors import LibraryError, UsageError
from mathrag.library.opened import OpenLibrary, exactly_one, key_of
from mathrag.store.truth.reader import formulas_by_ids, iterate_constants, iterate_formulas, list_corrections
from mathrag.store.truth.records import DocumentInfo, FailedDocument
from mathrag.store.truth.schema import FILE_NAME
from mathrag.store.truth.times import time_now
from mathrag.types.library import Case, Conflict, Correction, Formula

if TYPE_CHECKING:
    from mathrag.library.ask.asker import Asker
    from mathrag.library.ask.conversation import Conversation
    from mathrag.library.ask.models import Models
    from mathrag.library.ask.results import Amount, Computed, Curve, Solved, SourcePlace
    from mathrag.library.ingest.model_reading.run import ReadingEstimate
    from mathrag.library.ingest.solution_labels import LabelEstimate, LabelProgress
    from mathrag.library.ingest.solutions import SolutionImport
    from mathrag.library.integrity import Soundness
    from mathrag.library.records import IngestReport, Progress
    from mathrag.library.selftest import Examination
    from mathrag.reason.session import SessionResult
    from mathrag.retrieve.steps import StepSearch
    from mathrag.store.graph.contents import LibraryContents
    from mathrag.store.graph.sparql import SparqlResult
    from mathrag.store.sql.query import SqlResult
    from mathrag.store.truth.cell_vectors import Draw
    from mathrag.store.truth.trust import TrustMark
    from mathrag.store.truth.worksheets import SavedWorksheet
    from mathrag.types.answer import Outcome
    from mathrag.types.document_actions import ActionFormat, ObservationFormat
    from mathrag.types.episode import Event
    from mathrag.types.quality import Corpus, GateDecision
    from mathrag.types.solution import SimilarSolution, SolutionCheck
    from mathrag.types.solving import SolvingOptions, SteppedSolution, TakenStep
    from mathrag.worksheets.engine import Engine
    from mathrag.worksheets.results import Results

# One for all libraries: it is held for the moment in which models are opened.
_OPENING = Lock()


class Library(OpenLibrary):
    """A library in a folder. Use it as a context manager; several programs may have the same one open at once."""

    _models: Models | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files, and of the language models that were opened."""
        if self._models is not None:
            self._models.close()
            self._models = None
        super().close()

    @staticmethod
    def exists(folder: str | Path) -> bool:
        """Whether there is a library in a folder."""
        # `Path.is_file` raises for names that are too long.
        return os.path.isfile(Path(folder).expanduser() / FILE_NAME)  # noqa: PTH113

    @staticmethod
    def starter_folder() -> Path:
        """The documents on physics and chemistry that come with the package."""
        return Path(str(resources.files("mathrag"))) / "data" / "starter"

    @staticmethod
    def openmath_folder() -> Path:
        """The OpenMath dictionaries that come with the package, as their authors wrote them."""
        return Path(str(resources.files("mathrag"))) / "data" / "openmath"

    # ---- taking documents in, and out

    def ingest(
        self,
        paths: Sequence[str | Path],
        *,
        retry: bool = False,
        force: bool = False,
        workers: int | None = None,
        progress: Progress | None = None,
        password: str | None = None,
        reader: str | None = None,
        models: Models | None = None,
        summaries: bool = False,
    ) -> IngestReport:
        """Read files, folders and globs into the library. `retry` adds those that failed before.

        `password` opens encrypted PDF files (by default the setting); `reader` names another reader for PDF files.
        With `models` the documents are then read with a language model too, which only proposes; `summaries` also asks
        it for summaries of their parts.
        """
        from mathrag.library.ingest.ingestion import ReadingRun

        run = ReadingRun(self.database, self.embedder, retry=retry, force=force, workers=workers, progress=progress,
                         password=password, reader=reader, models=models, summaries=summaries)  # fmt: skip
        return run.run(paths)

    def estimate_reading(
        self, paths: Sequence[str | Path], *, models: Models, summaries: bool = False, **reading: Any
    ) -> ReadingEstimate:
        """What `ingest` with `models` would take. The rules read and keep the files; no model is asked."""
        from mathrag.library.ingest.ingestion import ReadingRun

        return ReadingRun(self.database, self.embedder, models=models, summaries=summaries, **reading).estimate(paths)

    def remove(self, document: str) -> DocumentInfo:
        """Take a document and what only it supported out of the library, with the failures to read it again."""
        from mathrag.extract.merger import RuleMerger
        from mathrag.store.truth.writer import clear_failure, remove_document

        info = self.document(document)
        remove_document(self.database, info.id, merger=RuleMerger(), embedder=self.embedder)
        clear_failure(self.database, info.key)
        return info

    def trust(self, document: str, mark: TrustMark | None = "trusted") -> DocumentInfo:
        """Mark a document as `trusted` or `untrusted`; None takes the mark away. The mark stays when it is read again.

        What a document says is preferred to what a less trusted one says of the same thing, and a number that rests on
        an untrusted document carries a warning.
        """
        from mathrag.store.truth.trust import MARKS, mark_document

        if mark is not None and mark not in MARKS:
            raise UsageError(f"a document is marked as {' or '.join(MARKS)}, not as {mark!r}")
        info = self.document(document)
        mark_document(self.database, info.key, mark)
        return self.document(info.id)

    def forget_failure(self, file: str) -> FailedDocument | None:
        """Forget that a file (by its path or name) could not be read; None where no such failure is known."""
        from mathrag.store.truth.writer import clear_failure

        keys = {file, key_of(file)}
        found = [failure for failure in self.failures() if failure.key in keys or failure.name == file]
        if not found:
            return None
        failure = exactly_one(found, "failed file", file, lambda one: one.key)
        clear_failure(self.database, failure.key)
        return failure

    # ---- worksheets

    def worksheet(self, text: str) -> Results:
        """Compute a worksheet: lines of text, values, formulas, systems, goals and plots that follow each other.

        Lines that did not change since the last call, and do not depend on one that did, are not computed again.
        """
        return self._worksheet_engine.run(text)

    @cached_property
    def _worksheet_engine(self) -> Engine:
        from mathrag.library.worksheets.sources import LibrarySources
        from mathrag.worksheets.engine import Engine

        return Engine(LibrarySources(self, lambda question: self.ask(question, planner="rules")))

    def worksheets(self) -> tuple[SavedWorksheet, ...]:
        """The worksheets that were saved, the one changed last first."""
        from mathrag.store.truth.worksheets import list_worksheets

        return list_worksheets(self.database)

    def saved_worksheet(self, name: str) -> SavedWorksheet:
        """A worksheet by its name."""
        from mathrag.store.truth.worksheets import load_worksheet

        return load_worksheet(self.database, name)

    def save_worksheet(self, name: str, text: str) -> SavedWorksheet:
        """Keep a worksheet under a name; one of the same name is replaced."""
        from mathrag.store.truth.worksheets import save_worksheet
        from mathrag.worksheets.reading import read_worksheet

        read_worksheet(text)
        return save_worksheet(self.database, name, text)

    def remove_worksheet(self, name: str) -> None:
        """Take a worksheet out of the library."""
        from mathrag.store.truth.worksheets import remove_worksheet

        remove_worksheet(self.database, name)

    # ---- asking

    def ask(
        self,
        text: str,
        *,
        planner: str | None = None,
        pinned: Mapping[str, str] | None = None,
        formula: str | None = None,
        unit: str | None = None,
        listener: Callable[[Event], None] | None = None,
        models: Models | None = None,
        only_documents: bool | None = None,
        assume: bool | None = None,
    ) -> Outcome:
        """Answer a question by computing with the formulas of the library, or say why not.

        `pinned` sets values by symbol (`{"m": "2 kg"}`), `formula` names the one to use, `unit` that of the answer;
        `listener` hears of every action as it happens. `planner` is `rules`, `react`, `auto` or `small`; without
        one it is `auto` where a language model is set up, else `rules`. `models` are by default those that the settings
        name. `only_documents` leaves out the handbook, which else is asked where the documents have no answer; without
        it the setting decides. With `assume` a language model that plans may take a well-known value that stands
        nowhere, which the answer then says; without it the setting decides.
        """
        return self.ask_in_detail(
            text,
            planner=planner,
            pinned=pinned,
            formula=formula,
            unit=unit,
            listener=listener,
            models=models,
            only_documents=only_documents,
            assume=assume,
        ).result.outcome

    def conversation(
        self,
        *,
        planner: str | None = None,
        models: Models | None = None,
        only_documents: bool | None = None,
        assume: bool | None = None,
    ) -> Conversation:
        """Questions one after the other, in which a short one may lean on the answer before it: "and for 5 kg?".

        `planner`, `models`, `only_documents` and `assume` are as in `ask`, for every question of it.
        """
        from mathrag.library.ask.conversation import Conversation

        answer = partial(self.ask, only_documents=only_documents, assume=assume)
        return Conversation(answer, planner=planner, models=models)

    def ask_in_detail(
        self,
        text: str,
        *,
        planner: str | None = None,
        pinned: Mapping[str, str] | None = None,
        formula: str | None = None,
        unit: str | None = None,
        listener: Callable[[Event], None] | None = None,
        models: Models | None = None,
        only_documents: bool | None = None,
        assume: bool | None = None,
    ) -> SessionResult:
        """Like `ask`, with every action and the formulas that were considered."""
        chosen = self.formula(formula) if formula is not None else None
        known = models if models is not None or planner == "rules" else self._own_models()
        return self._asker.ask(
            text,
            planner=planner,
            pinned=pinned,
            formula=chosen,
            unit=unit,
            listener=listener,
            models=known,
            only_documents=only_documents,
            assume=assume,
        )

    def ask_by_method(
        self,
        text: str,
        *,
        method: str = "neusym",
        action_format: ActionFormat = "markdown",
        observation_format: ObservationFormat = "json",
        listener: Callable[[Event], None] | None = None,
        models: Models | None = None,
    ) -> Outcome:
        """Answer a question about the documents with a language model, by one of the twelve methods.

        `method` says what the model sees first and what it may do (`mathrag ask --help` lists them);
        `action_format` is how it writes actions, `observation_format` how it is shown rows. `models` are by default
        those that the settings name; without any this is a `UsageError`. No number of the answer comes from the model.
        """
        from mathrag.library.ask.document_session import ask_by_method

        known = models if models is not None else self._own_models()
        return ask_by_method(
            self,
            text,
            method=method,
            formats=(action_format, observation_format),
            models=known,
            listener=listener,
        ).outcome

    def solve_steps(
        self,
        problem: str,
        *,
        options: SolvingOptions | None = None,
        models: Models | None = None,
        listener: Callable[[TakenStep, int], None] | None = None,
    ) -> SteppedSolution:
        """Let a language model solve a problem step by step, and check every calculation.

        `options` says how: the teacher's role, how many attempts, how deep. `models` are by default those that the
        settings name; without any this is a `UsageError`. Solved problems of the library that resemble it are shown to
        the model. The answer counts as `checked` only where a checked calculation gives it.
        """
        from mathrag.library.ask.stepped_solving import retrieval_of, solve_in_steps
        from mathrag.types.solving import SolvingOptions

        chosen = options or SolvingOptions()
        known = models if models is not None else self._own_models()
        found = retrieval_of(self, models=known) if chosen.material != "none" else None
        return solve_in_steps(problem, models=known, options=chosen, retrieval=found, listener=listener)

    def read_ahead(self) -> Iterator[int]:
        """Read formulas before they are asked for, a few at each step; gives how many were read so far."""
        return self._asker.read_ahead()

    @cached_property
    def _asker(self) -> Asker:
        from mathrag.library.ask.asker import Asker
        from mathrag.library.handbook import handbook

        return Asker(self.database, self.vectors, handbook=handbook)

    def _own_models(self) -> Models | None:
        """The language models that the settings name, opened once; None where they name none."""
        from mathrag.settings import load_settings

        settings = load_settings()
        if not settings.llm_model and not settings.llm_model_reason:
            return None
        with _OPENING:
            if self._models is None:
                from mathrag.library.ask.models import open_models

                self._models = open_models(self.folder, settings=settings)
            return self._models

    # ---- computing with one formula, converting, telling where things stand and disagree

    def compute(
        self,
        formula: str,
        values: Mapping[str, str | float],
        *,
        solve_for: str | None = None,
        unit: str | None = None,
    ) -> Computed:
        """Compute one symbol of a formula, named by its id or label.

        `values` go by symbol, such as `{"m": "2 kg", "v": "3 m/s"}`; a plain number is meant in the unit that the
        document gives the symbol. Constants are filled in. `solve_for` is by default what the formula defines, `unit`
        that of the document.

        >>> print(library.compute("Kinetic energy", {"m": "2 kg", "v": "3 m/s"}))
        E_k = 9 J
        >>> print(library.compute("Kinetic energy", {"m": "2 kg", "E_k": "9 J"}, solve_for="v", unit="km/h"))
        v = 10.8 km/h
        """
        from mathrag.library.ask.computation import computed

        return computed(self, formula=formula, values=values, solve_for=solve_for, unit=unit)

    def sweep(
        self,
        formula: str,
        values: Mapping[str, str | float],
        *,
        symbol: str,
        start: str | float,
        stop: str | float,
        points: int = 60,
        scale: Literal["linear", "logarithmic"] = "linear",
        solve_for: str | None = None,
        unit: str | None = None,
    ) -> Curve:
        """Compute a formula again and again while one `symbol` goes from `start` to `stop`; `values` are the others.

        >>> library.sweep("Kinetic energy", {"m": "2 kg"}, symbol="v", start="0 m/s", stop="4 m/s", points=3).y
        (0.0, 4.0, 16.0)
        """
        from mathrag.library.ask.computation import curve

        return curve(
            self,
            formula=formula,
            values=values,
            symbol=symbol,
            start=start,
            stop=stop,
            points=points,
            scale=scale,
            solve_for=solve_for,
            unit=unit,
        )

    def solve(self, formula: str, symbol: str) -> Solved:
        """Solve a formula for a symbol in closed form: one of the library (id or label), or one written out.

        >>> print(library.solve("Kinetic energy", "m"))
        m = 2*E_k/v**2
        >>> print(library.solve("a = b + c", "c"))
        c = a - b
        """
        from mathrag.library.ask.computation import solve_formula

        return solve_formula(self, formula, symbol)

    def convert(self, quantity: str, unit: str) -> Amount:
        """A quantity in another unit.

        >>> print(library.convert("60 mph", "m/s"))
        26.8224 m/s
        """
        from mathrag.calculator import convert_text
        from mathrag.library.ask.results import Amount

        return Amount(convert_text(quantity, unit))

    def source(self, identifier: str) -> list[SourcePlace]:
        """Every place where a formula or constant stands, with the words there and the passage around them.

        Of a document: every place that something in the library was read from.

        >>> for place in library.source("Weight"):
        ...     print(place)
        Notes on mechanics, line 27: $G = m g$
        """
        from mathrag.library.views.sources import source_places

        return source_places(self, identifier)

    def conflicts(self) -> list[Conflict]:
        """Entries that cannot all be right."""
        from mathrag.extract.duplicates import find_conflicts

        return find_conflicts(iterate_formulas(self.database), iterate_constants(self.database))

    # ---- solutions

    def check_solution(
        self, text: str | None = None, *, file: str | Path | None = None, problem: str = "", page: int | None = None
    ) -> SolutionCheck:
        """Check a written solution, in a text or a file, step by step by calculation; `problem` is its task where it
        does not state it. No false calculation found is not the same as correct.

        >>> library.check_solution("There are 12 * 8 = 96 pens.\\nHalf of them: 96 / 2 = 46.").first_error
        1
        """
        from mathrag.library.solutions import check_file, check_text

        if (text is None) == (file is None):
            raise UsageError("give the solution as a text or as a file")
        if text is not None:
            return check_text(text, problem=problem, similar=self.similar_solutions)
        assert file is not None
        return check_file(file, problem=problem, page=page, similar=self.similar_solutions)

    # ---- worked examples

    def cases(self, document: str | None = None) -> list[Case]:
        """The worked examples of the library, or of one document (by its name, path, title or id)."""
        from mathrag.store.truth.cases import list_cases

        return list_cases(self.database, document=None if document is None else self.document(document).id)

    def find_cases(self, text: str) -> list[Case]:
        """The worked examples with this id, number ("7.3", "Example 7.3") or title."""
        wanted = text.strip().casefold()
        return [
            case
            for case in self.cases()
            if wanted
            and wanted in (case.id, case.number, f"example {case.number}", case.name.casefold(), case.title.casefold())
        ]

    # ---- worked solutions

    def similar_solutions(self, problem_text: str, limit: int = 3) -> tuple[SimilarSolution, ...]:
        """Solved problems of the library that resemble this one, best first; none where none resembles it enough.

        They come from imported solutions and from the worked examples of documents.
        """
        return self.problem_search.similar_solutions(problem_text, limit)

    def decide_gate(
        self, corpus: Corpus = "solutions", *, models: Models | None = None, sample: int | None = None, seed: int = 0
    ) -> GateDecision:
        """Decide by which score of quality solutions or passages are ranked beside how well they fit, and keep it.

        A sample is scored by rules and, with `models`, by the one that judges. Where it is known which solutions are
        right, that decides; else how far the two scores agree. It holds until the corpus changes.
        """
        from mathrag.library.quality import decide_gate

        return decide_gate(self.database, corpus, models=models, sample=sample, seed=seed)

    @cached_property
    def step_search(self) -> StepSearch:
        """What finds steps within the problems found."""
        from mathrag.retrieve.steps import StepSearch

        return StepSearch(self.problem_search)

    def selftest(self, *, limit: int | None = None, watch: Callable[[int, int], None] | None = None) -> Examination:
        """Ask each worked example its own question, with that example hidden, and compare with the printed result.

        `limit` takes so many of them, spread evenly; `watch` hears how many are done, and of how many. What comes of
        it is kept in the library.
        """
        from mathrag.library.selftest import examine

        return examine(self, limit=limit, watch=watch)

    # ---- corrections by people

    def edit(
        self, formula: str, changes: Sequence[tuple[str, str]], *, author: str, note: str = ""
    ) -> tuple[Formula, list[Correction]]:
        """Correct a formula: pairs of field and value, such as `("label", …)` or `("symbol.m.unit", "kg")`."""
        from mathrag.extract.corrections import check_corrections
        from mathrag.extract.merger import RuleMerger
        from mathrag.store.truth.writer import add_correction

        if not changes:
            raise UsageError(
                "nothing to change; give --label, --description, --latex, --status or --symbol NAME.unit=kg"
            )
        found = self.formula(formula)
        checked = check_corrections(found, changes)
        made = []
        for field, value in checked:
            now = time_now()
            correction = Correction(found.id, found.form, field, value, author, now, note)
            add_correction(self.database, correction, merger=RuleMerger(), embedder=self.embedder)
            made.append(correction)
        return self._again(found), made

    def _again(self, formula: Formula) -> Formula:
        """The formula as it now is; a correction may have given it another id."""
        same = self.find_formulas(formula.id)
        if same:
            return same[0]
        return next(one for one in self.formulas() if one.form == formula.form)

    def corrections(self, formula: str | None = None) -> list[tuple[int, Correction]]:
        """Corrections with their numbers, those that hold for one formula (by its id) or all."""
        known = list_corrections(self.database)
        if formula is None:
            return known
        # By what was applied: read anew, a formula may have another id than the one it was corrected under.
        applied = {
            correction for found in formulas_by_ids(self.database, [formula]) for correction in found.corrections
        }
        return [(number, correction) for number, correction in known if correction in applied]

    def undo(self, number: int) -> None:
        """Take a correction back."""
        from mathrag.extract.merger import RuleMerger
        from mathrag.store.truth.writer import remove_correction

        remove_correction(self.database, number, merger=RuleMerger(), embedder=self.embedder)

    # ---- queries by people

    def sql(self, query: str, *, rows: int = 1000, seconds: float = 5.0) -> SqlResult:
        """Read-only SQL over the tables of the library, contained in time, rows and memory."""
        from mathrag.store.sql.query import run_sql

        return run_sql(self.folder, query, max_rows=rows, seconds=seconds)

    def sparql(self, query: str, *, rows: int = 1000, seconds: float = 10.0) -> SparqlResult:
        """Read-only SPARQL over the graph of the library, contained in time, rows and memory."""
        from mathrag.store.graph.sparql import run_sparql, screen

        screen(query)
        self._current_graph()
        return run_sparql(self.folder, query, max_rows=rows, seconds=seconds)

    def prepare_graph(self) -> None:
        """Build the graph of the library as it now is, where that is not done; the next SPARQL query starts at once."""
        self._current_graph()

    def _current_graph(self, *, rebuild: bool = False) -> Path:
        from mathrag.store.graph.generations import ensure_graph

        return ensure_graph(self.folder, self.database.generation, self._numbered_contents, rebuild=rebuild)

    def _numbered_contents(self) -> tuple[int, LibraryContents]:
        from mathrag.store.graph.library_reader import read_contents

        with self.database.reading() as connection:
            return self.database.generation, read_contents(connection)

    # ---- the whole library

    def exported(self, form: str, *, with_text: bool = True) -> Iterator[bytes]:
        """The library in another format (`turtle`, `jsonld`, `csv`, `parquet`, `latex`, `markdown`), piece by piece."""
        from mathrag.library.integrity import check_unaltered
        from mathrag.store.export.formats import FORMATS, export_pieces

        if form not in FORMATS:
            raise UsageError(f"there is no format {form!r}; there are {', '.join(FORMATS)}")
        check_unaltered(self.database)
        _, contents = self._numbered_contents()
        return export_pieces(contents, form, with_text=with_text)

    def export(self, form: str, path: str | Path, *, with_text: bool = True) -> Path:
        """Write the library to a file; an existing one is replaced only when all of it is written."""
        from mathrag.library.files import write_whole

        return write_whole(Path(path), self.exported(form, with_text=with_text))

    def import_turtle(self, file: str | Path) -> dict[str, int]:
        """Take in what `export("turtle", …)` wrote; says how many of each sort."""
        from mathrag.library.ingest.turtle import import_turtle

        return import_turtle(self.database, Path(file), embedder=self.embedder)

    def import_solutions(
        self,
        file: str | Path,
        *,
        form: str | None = None,
        models: Models | None = None,
        progress: LabelProgress | None = None,
    ) -> SolutionImport:
        """Take in a file of worked solutions; records that cannot be read are named in the report.

        `form` is `prm800k`, `prmbench`, `processbench`, `gsm8k` or `math`; without it the fields of the records tell.
        With `models` a language model then labels what no record states: types of problems, patterns of wrong steps.
        """
        from mathrag.library.ingest.solution_labels import SolutionLabeller
        from mathrag.library.ingest.solutions import import_solutions

        labeller = None if models is None else SolutionLabeller(self.database, models, progress=progress)
        return import_solutions(self.database, Path(file), embedder=self.embedder, form=form, labeller=labeller)

    def estimate_labels(self, file: str | Path, *, models: Models, form: str | None = None) -> LabelEstimate:
        """What `import_solutions` with `models` would take. The records are read and kept; no model is asked."""
        from mathrag.library.ingest.solution_labels import SolutionLabeller
        from mathrag.library.ingest.solutions import estimate_labels

        labeller = SolutionLabeller(self.database, models)
        return estimate_labels(self.database, Path(file), embedder=self.embedder, labeller=labeller, form=form)

    def check(self) -> list[str]:
        """What is wrong with the library, in sentences; nothing for a sound one."""
        return list(self.check_in_detail().problems)

    def check_in_detail(self, *, fingerprint: str = "") -> Soundness:
        """What is wrong, which files are no longer what was read, and the fingerprint of all that was read and said.

        `fingerprint` is one that was written down before, to be compared.
        """
        from mathrag.library.integrity import soundness
        from mathrag.store.graph.generations import graph_problems
        from mathrag.store.graph.shapes import check_graph

        found = soundness(self.database, embedder=self.embedder, expected=fingerprint)
        try:
            generation, contents = self._numbered_contents()
        except LibraryError as error:
            return replace(found, problems=tuple(dict.fromkeys((*found.problems, str(error)))))
        graph = (*check_graph(contents), *graph_problems(self.folder, generation, contents))
        return replace(found, problems=found.problems + graph)

    def accept(self) -> None:
        """Take all that was read and said for right as it now stands, though it was changed by other means."""
        from mathrag.library.integrity import accept

        accept(self.database)

    def encode_cells(self, embedder: str, columns: Sequence[str] = (), *, draw: Draw | None = None) -> int:
        """Encode texts with a further embedder, beside the vectors that the library has; gives how many were made.

        Columns go by names such as `pages.text`; without any, those that are encoded by default. For regions of pages,
        such as `images.box`, the embedder is one of pictures, and `draw` gives what lies within a box of a page.
        """
        from mathrag.store.embedders import load_image_embedder
        from mathrag.store.truth.cell_columns import CELL_COLUMNS
        from mathrag.store.truth.cell_vectors import encode_cells, encode_pictures

        known = {f"{each.table}.{each.column}": each for each in CELL_COLUMNS}
        unknown = [name for name in columns if name not in known]
        if unknown:
            raise UsageError(f"no cells are of {', '.join(unknown)}; columns with cells: {', '.join(known)}")
        wanted = [known[name] for name in columns] or [each for each in CELL_COLUMNS if each.has_vectors]
        made = 0
        if any(each.is_picture for each in wanted):
            if draw is None:
                raise UsageError("to encode regions of pages, say how they are drawn")
            made += encode_pictures(self.database, load_image_embedder(embedder), wanted, draw)
        if texts := [each for each in wanted if not each.is_picture]:
            made += encode_cells(self.database, self._encoder(embedder), texts)
        return made

    def rebuild(self) -> None:
        """Make everything anew that is computed from what was read: formulas, relations, indexes, vectors, graph.

        Rows that were changed since they were stored are left out.
        """
        from mathrag.extract.merger import RuleMerger
        from mathrag.store.truth.rebuild import rebuild_index

        rebuild_index(self.database, merger=RuleMerger(), embedder=self.embedder)
        self._current_graph(rebuild=True)
