"""One run of taking files in, as its caller asks for it: first the rules, then a language model where one is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mathrag.library.ingest.ingestion import Ingestion, path_of_key
from mathrag.library.ingest.reader_choice import checked_reader, reading_settings
from mathrag.library.records import IngestReport, Progress
from mathrag.store.embedders import Embedder
from mathrag.store.truth.database import Database
from mathrag.store.truth.reader import list_failures

if TYPE_CHECKING:
    from mathrag.library.ingest.model_reading.reader import ModelReader
    from mathrag.library.ingest.model_reading.run import ReadingEstimate
    from mathrag.llm.metered import Models


@dataclass(slots=True)
class ReadingRun:
    """What is wanted: see `Library.ingest`."""

    database: Database
    embedder: Embedder | None
    retry: bool = False
    force: bool = False
    workers: int | None = None
    progress: Progress | None = None
    password: str | None = None
    reader: str | None = None
    models: Models | None = None
    summaries: bool = False

    def run(self, paths: Sequence[str | Path]) -> IngestReport:
        """Read the files, then ask the model about those that are in the library."""
        if self.models is None:
            return self._by_rules(paths)
        from mathrag.library.ingest.model_reading.run import enriched

        model_reader = self._model_reader()
        return enriched(self._by_rules(paths, model_reader), model_reader, progress=self.progress)

    def estimate(self, paths: Sequence[str | Path]) -> ReadingEstimate:
        """Read the files by the rules and say what asking a model about them would take."""
        from mathrag.library.ingest.model_reading.run import estimated

        model_reader = self._model_reader()
        return estimated(self._by_rules(paths, model_reader), model_reader)

    def _model_reader(self) -> ModelReader:
        from mathrag.library.ingest.model_reading.reader import ModelReader
        from mathrag.library.ingest.model_reading.run import check_models

        assert self.models is not None
        check_models(self.models)
        return ModelReader(self.database, self.embedder, self.models, with_summaries=self.summaries)

    def _by_rules(self, paths: Sequence[str | Path], model_reader: ModelReader | None = None) -> IngestReport:
        chosen = checked_reader(self.reader)
        limits, known_password = reading_settings(chosen)
        names = {failure.key: failure.name for failure in (list_failures(self.database) if self.retry else [])}
        forced: frozenset[str] = frozenset()
        if model_reader is not None:
            from mathrag.library.ingest.model_reading.run import keys_for_the_rules, unfinished_keys

            forced = keys_for_the_rules(model_reader)
            if self.retry:
                names = {**unfinished_keys(self.database), **names}
        ingestion = Ingestion(
            self.database,
            self.embedder,
            limits,
            workers=self.workers,
            progress=self.progress,
            force=self.force,
            names=names,
            password=known_password if self.password is None else self.password,
            reader=chosen,
            forced=forced,
            is_asking=model_reader is not None,
        )
        return ingestion.run([*map(str, paths), *map(path_of_key, names)])
