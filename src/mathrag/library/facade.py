"""`Library`: one object for everything a library on disk can do. Wires the rooms; holds no rules of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mathrag.errors import UsageError
from mathrag.library.asking_part import AskingPart
from mathrag.library.computing_part import ComputingPart
from mathrag.library.views.lookups import Lookups, exactly_one, key_of
from mathrag.store.truth.database import Database, open_database
from mathrag.store.truth.records import DocumentInfo, FailedDocument
from mathrag.store.truth.schema import FILE_NAME
from mathrag.types.library import Conflict, Correction, Formula

if TYPE_CHECKING:
    from mathrag.library.ask.models import Models
    from mathrag.library.ingest.model_reading.run import ReadingEstimate
    from mathrag.library.records import HitKind, IngestReport, Progress, SearchHit
    from mathrag.retrieve.vector_search import VectorSearch
    from mathrag.store.embedders import Embedder
    from mathrag.store.graph.contents import LibraryContents
    from mathrag.store.graph.sparql import SparqlResult
    from mathrag.store.sql.query import SqlResult


class Library(AskingPart, ComputingPart, Lookups):
    """A library in a folder. Use it as a context manager; several programs may have the same one open at once."""

    def __init__(self, folder: str | Path, *, create: bool = True) -> None:
        self.folder = Path(folder).expanduser()
        self.database: Database = open_database(self.folder, create=create)

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self._close_models()
        self.database.close()

    @cached_property
    def embedder(self) -> Embedder:
        """What turns texts into vectors; loaded when first needed."""
        from mathrag.store.embedders import load_embedder

        return load_embedder()

    @cached_property
    def _vectors(self) -> VectorSearch:
        from mathrag.retrieve.vector_search import VectorSearch

        return VectorSearch(self.database, self.embedder)

    @staticmethod
    def exists(folder: str | Path) -> bool:
        """Whether there is a library in a folder."""
        return (Path(folder).expanduser() / FILE_NAME).is_file()

    @staticmethod
    def starter_folder() -> Path:
        """The documents on physics and chemistry that come with the package."""
        return Path(str(resources.files("mathrag"))) / "data" / "starter"

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
        from mathrag.library.ingest.run import ReadingRun

        run = ReadingRun(self.database, self.embedder, retry=retry, force=force, workers=workers, progress=progress,
                         password=password, reader=reader, models=models, summaries=summaries)  # fmt: skip
        return run.run(paths)

    def estimate_reading(
        self, paths: Sequence[str | Path], *, models: Models, summaries: bool = False, **reading: Any
    ) -> ReadingEstimate:
        """What `ingest` with `models` would take. The rules read and keep the files; no model is asked."""
        from mathrag.library.ingest.run import ReadingRun

        return ReadingRun(self.database, self.embedder, models=models, summaries=summaries, **reading).estimate(paths)

    def remove(self, document: str) -> DocumentInfo:
        """Take a document and what only it supported out of the library, with the failures to read it again."""
        from mathrag.extract.merger import RuleMerger
        from mathrag.store.truth.writer import clear_failure, remove_document

        info = self.document(document)
        remove_document(self.database, info.id, merger=RuleMerger(), embedder=self.embedder)
        clear_failure(self.database, info.key)
        return info

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

    # ---- searching; asking, computing and looking things up are in `asking_part.py`, `computing_part.py`, `lookups.py`

    def search(self, words: str, *, kinds: Sequence[HitKind] = (), limit: int = 10) -> list[SearchHit]:
        """What fits some words, by words and by meaning."""
        from mathrag.library.records import HIT_KINDS
        from mathrag.library.views.search import search

        return search(self.database, words, vectors=self._vectors, kinds=tuple(kinds) or HIT_KINDS, limit=limit)

    def conflicts(self) -> list[Conflict]:
        """Entries that cannot all be right."""
        from mathrag.extract.duplicates import find_conflicts
        from mathrag.store.truth.reader import iterate_constants, iterate_formulas

        return find_conflicts(iterate_formulas(self.database), iterate_constants(self.database))

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
            now = datetime.now(UTC).isoformat(timespec="seconds")
            correction = Correction(found.id, found.form, field, value, author, now, note)
            add_correction(self.database, correction, merger=RuleMerger(), embedder=self.embedder)
            made.append(correction)
        return self._again(found), made

    def _again(self, formula: Formula) -> Formula:
        """The formula as it now is; a correction may have given it another id."""
        from mathrag.store.truth.reader import find_formulas

        same = find_formulas(self.database, formula.id)
        if same:
            return same[0]
        return next(one for one in self.formulas() if one.form == formula.form)

    def corrections(self, formula: str | None = None) -> list[tuple[int, Correction]]:
        """Corrections with their numbers, those that hold for one formula (by its id) or all."""
        from mathrag.store.truth.reader import formulas_by_ids, list_corrections

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
        """The library in another format (`turtle`, `jsonld`, `csv`, `latex`, `markdown`), piece by piece."""
        from mathrag.store.export.formats import FORMATS, export_pieces

        if form not in FORMATS:
            raise UsageError(f"there is no format {form!r}; there are {', '.join(FORMATS)}")
        _, contents = self._numbered_contents()
        return export_pieces(contents, form, with_text=with_text)

    def export(self, form: str, path: str | Path, *, with_text: bool = True) -> Path:
        """Write the library to a file; an existing one is replaced only when all of it is written."""
        from mathrag.library.whole_files import write_whole

        return write_whole(Path(path), self.exported(form, with_text=with_text))

    def import_turtle(self, file: str | Path) -> dict[str, int]:
        """Take in what `export("turtle", …)` wrote; says how many of each sort."""
        from mathrag.library.ingest.turtle import import_turtle

        return import_turtle(self.database, Path(file), embedder=self.embedder)

    def check(self) -> list[str]:
        """What is wrong with the library, in sentences; nothing for a sound one."""
        from mathrag.extract.merger import RuleMerger
        from mathrag.store.graph.shapes import check_graph
        from mathrag.store.truth.consistency import check_consistency

        found = check_consistency(self.database, merger=RuleMerger(), embedder=self.embedder)
        _, contents = self._numbered_contents()
        return [problem.message for problem in found] + check_graph(contents)

    def rebuild(self) -> None:
        """Make everything anew that is computed from what was read: formulas, relations, indexes, vectors, graph."""
        from mathrag.extract.merger import RuleMerger
        from mathrag.store.truth.rebuild import rebuild_index

        rebuild_index(self.database, merger=RuleMerger(), embedder=self.embedder)
        self._current_graph(rebuild=True)
