"""Whether a library is sound, and whether the files it was read from are still what was read.

A file that has changed since is no fault of the library: it is told, and reading it again is the user's choice.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from mathrag.documents.path_text import shown_path
from mathrag.errors import LibraryError
from mathrag.library.ingest.ingestion import path_of_key
from mathrag.library.ingest.solutions import SOLUTIONS_TYPE
from mathrag.store.truth.cells import write_missing_cells
from mathrag.store.truth.consistency import Problem, check_consistency
from mathrag.store.truth.reader import list_documents
from mathrag.store.truth.records import DocumentInfo
from mathrag.store.truth.seals import count_origins, disagreements, fingerprint, seal_all
from mathrag.store.truth.writer import bump_generation

if TYPE_CHECKING:
    from mathrag.store.embedders import Embedder
    from mathrag.store.truth.database import Database

FileState: TypeAlias = Literal["unchanged", "changed", "missing"]
_BLOCK = 1024 * 1024
_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class Soundness:
    """What a check found. `problems` are sentences; the files are told by the names of their documents.

    `upgraded` documents got their digests when an older library was opened, at the time `upgraded_at`: what was changed
    before cannot be told. `fingerprint` is one digest of everything that was read and said.
    """

    problems: tuple[str, ...]
    fingerprint: str
    unchanged: int = 0
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    upgraded: int = 0
    upgraded_at: str = ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is no fault of the library and worth knowing."""
        told = []
        if self.changed:
            told.append(f"changed since they were read; mathrag ingest reads them again: {_listed(self.changed)}")
        if self.missing:
            told.append(f"files that are missing; what was read from them is kept: {_listed(self.missing)}")
        if self.upgraded:
            told.append(
                f"documents with digests only since the library was upgraded on {self.upgraded_at[:10]}: "
                f"{self.upgraded}; what was changed before cannot be told"
            )
        return tuple(told)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def soundness(database: Database, *, embedder: Embedder, expected: str = "") -> Soundness:
    """Check everything. `expected` is the fingerprint that the user wrote down."""
    from mathrag.extract.merger import RuleMerger

    problems = check_consistency(database, merger=RuleMerger(), embedder=embedder)
    documents = list_documents(database)
    states = {info.id: file_state(info) for info in documents}
    with database.reading() as connection:
        found = fingerprint(connection)
        upgraded, since = count_origins(connection).get("upgraded", (0, ""))
    sentences = [*(problem.message for problem in problems), *_advice(problems, documents, states)]
    if expected and found != expected.strip().lower():
        sentences.insert(0, f"the fingerprint of the library is {found}, not the one you gave: its content was changed")
    return Soundness(
        tuple(sentences),
        found,
        sum(state == "unchanged" for state in states.values()),
        tuple(info.name for info in documents if states[info.id] == "changed"),
        tuple(info.name for info in documents if states[info.id] == "missing"),
        upgraded,
        since,
    )


def _advice(
    problems: Sequence[Problem], documents: Sequence[DocumentInfo], states: dict[str, FileState]
) -> Iterator[str]:
    """What mends the documents whose rows were altered; nothing that does not agree is used until then."""
    altered = dict.fromkeys(problem.document for problem in problems if problem.code == "altered")
    known = {info.id: info for info in documents}
    for document in altered:
        info = known.get(document)
        if info is None:
            what = "read it again" if document else "take corrections back with mathrag edit --undo and give them again"
            yield f"to mend that: {what}, or say with mathrag check --accept that all is right as it stands"
            continue
        path = shown_path(path_of_key(info.key))
        read = "import --solutions" if info.media_type == SOLUTIONS_TYPE else "ingest"
        match states[document]:
            case "unchanged":
                yield f"{info.name}: its file is what was read; mathrag {read} {path} mends it"
            case "changed":
                yield f"{info.name}: its file has changed since; mathrag {read} {path} reads it as it now is"
            case "missing":
                yield f"{info.name}: its file is missing; put it back and ingest it, or mathrag remove {info.id}"


def file_state(info: DocumentInfo) -> FileState:
    """Whether the file of a document, with all that it takes in, still has the bytes that were read."""
    path = Path(path_of_key(info.key))
    digest = hashlib.sha256()
    # `Path.is_file` raises for paths that are too long; what is no ordinary file is never opened.
    if not os.path.isfile(path):  # noqa: PTH113
        return "missing"
    for part in (path, *_parts(path, info.files)):
        if part is None or not _add(digest, part):
            return "changed"
    return "unchanged" if digest.hexdigest() == info.hash else "changed"


def _parts(path: Path, names: Sequence[str]) -> Iterator[Path | None]:
    """The further files of a project, which are named from its folder: that of the document, or one above it."""
    for name in names:
        found = (folder / name for folder in path.parents)
        yield next((each for each in found if os.path.isfile(each)), None)  # noqa: PTH113


def _add(digest: hashlib._Hash, path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                digest.update(block)
    except OSError:
        return False
    return True


def check_unaltered(database: Database) -> None:
    """`LibraryError` that names the first row which is not what was stored: nothing is handed on then."""
    with database.reading() as connection:
        first = next(iter(disagreements(connection)), None)
    if first is not None:
        raise LibraryError(f"{first}; nothing is exported until that is mended: mathrag check says how")


def accept(database: Database) -> None:
    """Take everything for right as it stands, because a person has looked at it."""
    with database.writing() as connection:
        seal_all(connection, origin="accepted")
        # Rows that were altered lost their cells; what a person has looked at can be found again.
        write_missing_cells(connection)
        bump_generation(connection)
