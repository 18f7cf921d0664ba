"""The library as CSV files for spreadsheets and statistics: one for each kind of thing. RFC 4180, UTF-8.

Text from documents may begin like a spreadsheet formula; such cells get an apostrophe in front, so that opening a file
never runs anything.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, TypeAlias

from mathrag.compute.printers.pythontext import python_equation
from mathrag.store.export.markdown import sources_of
from mathrag.store.graph.contents import LibraryContents
from mathrag.types.library import Formula, Span

Cell: TypeAlias = str | int | float | None
Row: TypeAlias = tuple[Cell, ...]

_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")
# Spreadsheets take these for the beginning of a formula, some also in full width or after white space.
_DANGEROUS = frozenset("=+-@|%\t\r\n＝＋－＠")
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_BLOCK = 1 << 16


def csv_texts(contents: LibraryContents) -> dict[str, Iterator[str]]:
    """The files by name, each as pieces of text."""
    return {name: _lines(head.split(), rows(contents, head.split())) for name, (head, rows) in _FILES.items()}


def csv_zip(contents: LibraryContents, target: BinaryIO) -> None:
    """All files in one archive, with the pictures kept of pages; the same bytes for the same library."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, pieces in csv_texts(contents).items():
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as file:
                for piece in pieces:
                    file.write(piece.encode("utf-8", "replace"))
        for row in contents.of_table("pictures"):
            entry = zipfile.ZipInfo(f"pictures/{row['document']}-{row['position']}.png", _ZIP_TIME)
            archive.writestr(entry, base64.b64decode(str(row["png"])))


def safe_cell(value: Cell) -> Cell:
    """The value, with an apostrophe where a spreadsheet would take it for a formula. Numbers stay numbers."""
    if not isinstance(value, str) or not value:
        return value
    value = value.replace("\x00", "\ufffd")
    first = value.lstrip()[:1]
    if (value[0] in _DANGEROUS or first in _DANGEROUS) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def _lines(head: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow([safe_cell(value) for value in row])
        if buffer.tell() > _BLOCK:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def _row(noun: object, head: Sequence[str], **others: Cell) -> Row:
    """A noun under the names of a head: each cell one of `others`, or the field of that name as text."""
    return tuple(others[name] if name in others else _cell(getattr(noun, name)) for name in head)


def _cell(value: object) -> Cell:
    match value:
        case None | str() | int() | float():
            return value
        case tuple():
            return "; ".join(value)
        case _:
            return str(value)


def _formulas(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
    sources = sources_of(contents)
    for formula in sorted(contents.formulas, key=lambda each: each.id):
        documents = dict.fromkeys(span.document for span in formula.spans)
        yield _row(
            formula,
            head,
            python=None if formula.equation is None else python_equation(formula.equation),
            result_unit=_result_unit(formula),
            conditions="; ".join(condition.text for condition in formula.conditions),
            documents="; ".join(sources.title(document) for document in documents),
        )


def _result_unit(formula: Formula) -> str | None:
    return next((symbol.unit for symbol in formula.symbols if symbol.name == formula.target), None)


def _symbols(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
    for formula in sorted(contents.formulas, key=lambda each: each.id):
        yield from (_row(symbol, head, formula=formula.id) for symbol in formula.symbols)


def _constants(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
    yield from (_row(constant, head) for constant in sorted(contents.constants, key=lambda each: each.id))


def _relations(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
    in_order = sorted(contents.relations, key=lambda each: (each.source, each.kind, each.target))
    yield from (_row(relation, head) for relation in in_order)


def _places(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
    entries: list[tuple[str, tuple[Span, ...]]] = [(each.id, each.spans) for each in contents.formulas]
    entries.extend((each.id, each.spans) for each in contents.constants)
    for entry, spans in sorted(entries, key=lambda each: each[0]):
        for span in spans:
            yield _row(
                span.place,
                head,
                entry=entry,
                document=span.document,
                box=None if span.place.box is None else " ".join(map(repr, span.place.box)),
                headings=" > ".join(span.headings),
                quote=span.quote,
            )


def _documents(contents: LibraryContents, head: Sequence[str]) -> Iterator[Row]:
    for row in sorted(contents.of_table("documents"), key=lambda each: str(each["id"])):
        try:
            authors = "; ".join(map(str, json.loads(str(row["authors"]))))
        except (ValueError, TypeError):
            authors = str(row["authors"])
        yield tuple(authors if name == "authors" else row[name] for name in head)


_FILES: dict[str, tuple[str, Callable[[LibraryContents, Sequence[str]], Iterator[Row]]]] = {
    "formulas.csv": (
        """id label description intent keywords latex python target result_unit status reason number conditions
        prior documents""",
        _formulas,
    ),
    "symbols.csv": ("formula name letter description unit dimension kind role constant state origin", _symbols),
    "constants.csv": (
        "id name symbol value uncertainty unit dimension description keywords standard",
        _constants,
    ),
    "relations.csv": ("source kind target confidence evidence", _relations),
    "places.csv": ("entry document file page line end_line path box headings quote", _places),
    "documents.csv": ("id name title authors year media_type hash", _documents),
}
CSV_NAMES = tuple(_FILES)
