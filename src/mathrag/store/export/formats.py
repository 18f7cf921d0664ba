"""The formats a library can be written in, by name, and writing one to a file. The formats themselves are beside it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias, get_args

from mathrag.errors import LibraryError
from mathrag.store.export.csv_files import csv_texts, csv_zip
from mathrag.store.export.jsonld import jsonld_text
from mathrag.store.export.latex_document import latex_document
from mathrag.store.export.markdown import markdown_text
from mathrag.store.export.parquet_files import parquet_zip
from mathrag.store.graph.contents import LibraryContents
from mathrag.store.graph.record_digests import with_digests
from mathrag.store.graph.terms import turtle_text as _turtle_text
from mathrag.store.graph.triples import nodes_of

# The library as Turtle: everything it holds, which `mathrag import` reads back.


def turtle_text(contents: LibraryContents, *, with_text: bool = True) -> Iterator[str]:
    """A Turtle document, a node at a time."""
    return _turtle_text(with_digests(nodes_of(contents, with_text=with_text)))


FormatName: TypeAlias = Literal["turtle", "jsonld", "csv", "parquet", "latex", "markdown"]
FORMATS: tuple[FormatName, ...] = get_args(FormatName)
EXTENSIONS: dict[FormatName, str] = {
    "turtle": ".ttl",
    "jsonld": ".jsonld",
    "csv": ".zip",
    "parquet": ".zip",
    "latex": ".tex",
    "markdown": ".md",
}


def export_pieces(contents: LibraryContents, name: FormatName, *, with_text: bool = True) -> Iterator[bytes]:
    """A library in one of the formats, as a stream of bytes; CSV and Parquet as a zip archive of their files."""
    texts: dict[FormatName, Callable[[], Iterator[str]]] = {
        "turtle": lambda: turtle_text(contents, with_text=with_text),
        "jsonld": lambda: jsonld_text(contents, with_text=with_text),
        "latex": lambda: latex_document(contents),
        "markdown": lambda: markdown_text(contents),
    }
    archives = {"csv": csv_zip, "parquet": parquet_zip}
    if name in archives:
        archive = io.BytesIO()
        archives[name](contents, archive, with_text=with_text)
        yield archive.getvalue()
        return
    for piece in texts[name]():
        # Half a surrogate pair cannot be written; the exact records escape it, everything else is for reading.
        yield piece.encode("utf-8", "replace")


def write_export(contents: LibraryContents, name: FormatName, *, target: BinaryIO, with_text: bool = True) -> None:
    """Write a library to an open file."""
    for piece in export_pieces(contents, name, with_text=with_text):
        target.write(piece)


def write_csv_folder(contents: LibraryContents, folder: Path) -> tuple[Path, ...]:
    """Write the CSV files into a folder, which is made where it is missing."""
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, pieces in csv_texts(contents).items():
            path = folder / name
            with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
                file.writelines(pieces)
            written.append(path)
    except OSError as error:
        raise LibraryError(f"{folder} cannot be written: {error.strerror}; choose another folder") from error
    return tuple(written)
