"""A document as rows: its metadata, its views and pages, what was found in it; written and removed.

Merged entries are not its business, and reading is done elsewhere (`reader.py`).
"""

from __future__ import annotations

import base64
import binascii
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, assert_never

from mathrag.documents.views.records import (
    ChunkView,
    EquationView,
    ImageView,
    PassageView,
    ReferenceView,
    SectionView,
    TableView,
    Views,
)
from mathrag.errors import LibraryError
from mathrag.store.index.vectors import Collection, Encodable, spoken
from mathrag.store.truth.codec import Row, Value, insert_rows, plain_json, row_of, storable
from mathrag.store.truth.records import DocumentRecord, ViewRows
from mathrag.store.truth.schema import MODEL_TABLES, VIEW_TABLES, table_columns
from mathrag.types.document import (
    Block,
    Code,
    Content,
    Display,
    Document,
    Heading,
    Image,
    ListItem,
    Math,
    Paragraph,
    Place,
    Reference,
    Table,
    contents_of,
    plain_text,
)
from mathrag.types.json_codec import to_json
from mathrag.types.library import Extraction

_View: TypeAlias = SectionView | ChunkView | PassageView | TableView | ImageView | EquationView | ReferenceView

EXTRACTION_TABLES = ("definitions", "findings", "constant_findings", "text_relations")
# The views that get a vector, each with the columns that say what it is about.
ENCODED_VIEWS: dict[Collection, tuple[str, ...]] = {
    "chunks": ("text",),
    "tables": ("caption", "header"),
    "images": ("caption", "alternative"),
    "sections": ("title",),
    "problems": ("text",),
    "concepts": ("symbol", "description"),
}
# Cut-outs of formulas are small; what is larger is no formula.
LARGEST_PICTURE = 1024 * 1024
LARGEST_PICTURES = 64 * 1024 * 1024
_PNG = b"\x89PNG\r\n\x1a\n"
# What a person needs to know a part of a page again.
_LONGEST_TEXT = 200


def delete_document_rows(connection: sqlite3.Connection, document: str) -> None:
    """Everything the document had; the tables of its content follow by cascade."""
    connection.execute("DELETE FROM documents WHERE id = ?", (document,))


def insert_document_rows(connection: sqlite3.Connection, record: DocumentRecord) -> None:
    """The document, its views and what was found in it."""
    notes = [to_json(note) for note in record.info.notes]
    insert_rows(connection, "documents", [row_of("documents", record.info, notes=notes)])
    _insert_views(connection, record.info.id, record.views)
    rows = extraction_rows(record.extraction) if record.rows is None else record.rows
    _insert_extraction(connection, record.info.id, rows)


def replace_extraction_rows(
    connection: sqlite3.Connection, document: str, rows: Mapping[str, Sequence[Sequence[object]]]
) -> None:
    """Other findings for a document whose text stays as it is."""
    for table in EXTRACTION_TABLES:
        connection.execute(f"DELETE FROM {table} WHERE document = ?", (document,))  # noqa: S608 - our own names
    _insert_extraction(connection, document, rows)


def _insert_extraction(
    connection: sqlite3.Connection, document: str, rows: Mapping[str, Sequence[Sequence[object]]]
) -> None:
    for table in EXTRACTION_TABLES:
        if any(row[0] != document for row in rows[table]):
            raise LibraryError(f"a row for the table {table} belongs to another document than {document}")
        insert_rows(connection, table, rows[table])


def extraction_rows(extraction: Extraction) -> dict[str, list[tuple[Value, ...]]]:
    """What was found in a document as rows of `EXTRACTION_TABLES`; the last value of each is its record."""
    document = extraction.document
    return {
        "definitions": [
            row_of("definitions", each, document=document, position=position)
            for position, each in enumerate(extraction.definitions)
        ],
        "findings": [row_of("findings", each) for each in extraction.findings],
        "constant_findings": [row_of("constant_findings", each) for each in extraction.constants],
        "text_relations": [
            row_of("text_relations", each, position=position) for position, each in enumerate(extraction.relations)
        ],
    }


def _insert_views(connection: sqlite3.Connection, document: str, views: ViewRows) -> None:
    # What a model said comes along only with a library that was exported.
    for table in (*VIEW_TABLES, *MODEL_TABLES):
        rows = views.of(table)
        if rows:
            columns = _known_columns(table, rows)
            _check_owner(document, table, rows)
            connection.executemany(
                f"INSERT INTO {table} ({', '.join(columns)}) VALUES (?{', ?' * (len(columns) - 1)})",  # noqa: S608
                ([_stored(row[column]) for column in columns] for row in rows),
            )


def _known_columns(table: str, rows: Sequence[Row]) -> list[str]:
    """The columns of the rows, which may come from a file of somebody else: none may be anything but a column."""
    columns = list(rows[0])
    if not set(columns) <= set(table_columns()[table]) or any(row.keys() != rows[0].keys() for row in rows):
        raise LibraryError(f"the rows for the table {table} have other columns than it has")
    return columns


def _check_owner(document: str, table: str, rows: Sequence[Row]) -> None:
    for row in rows:
        if table == "table_cells":
            is_own = str(row["table_id"]).startswith(f"{document}/")
        else:
            is_own = row["document"] == document and str(row.get("id", f"{document}/")).startswith(f"{document}/")
        if not is_own:
            raise LibraryError(f"a row for the table {table} belongs to another document than {document}")


def _stored(value: object) -> object:
    return storable(value) if isinstance(value, str) else value


# The views of a document. Which there are is decided in `documents`.


def rows_of_views(document: str, views: Views) -> ViewRows:
    """All views of a document. A row's id is made of the document's, the kind of view and its number there."""

    def row(table: str, kind: str, view: _View, **others: object) -> Row:
        above = {} if isinstance(view, SectionView) else {"section": _id(document, "section", view.section)}
        identity = {"id": _id(document, kind, view.ordinal), "document": document, "position": view.ordinal}
        return _named(table, row_of(table, view, **identity, **above, **others))

    return ViewRows(
        {
            "pages": [_named("pages", row_of("pages", each, document=document)) for each in views.pages],
            "sections": [
                row(
                    "sections",
                    "section",
                    each,
                    parent=_id(document, "section", each.parent),
                    headings=" > ".join(each.path),
                )
                for each in views.sections
            ],
            "chunks": [row("chunks", "chunk", each, headings=" > ".join(each.heading_path)) for each in views.chunks],
            "passages": [row("passages", "passage", each) for each in views.passages],
            "tables": [
                row(
                    "tables",
                    "table",
                    each,
                    header=" | ".join(text for cells in each.cells[: each.header_rows] for text in cells if text),
                    row_count=each.rows,
                    column_count=each.columns,
                    header_row_count=each.header_rows,
                )
                for each in views.tables
            ],
            "table_cells": [cell for each in views.tables for cell in _cells(document, each)],
            "images": [row("images", "image", each) for each in views.images],
            "equations": [row("equations", "equation", each) for each in views.equations],
            "bibliography": [row("bibliography", "reference", each) for each in views.references],
        }
    )


def _id(document: str, kind: str, ordinal: int | None) -> str | None:
    return None if ordinal is None else f"{document}/{kind}/{ordinal}"


def _named(table: str, row: Sequence[Value]) -> Row:
    return dict(zip(table_columns()[table], row, strict=True))


def _cells(document: str, view: TableView) -> Iterator[Row]:
    for row_number, row in enumerate(view.cells):
        for column_number, text in enumerate(row):
            yield {
                "table_id": _id(document, "table", view.ordinal),
                "row_number": row_number,
                "column_number": column_number,
                "is_header": int(row_number < view.header_rows),
                "text": text,
            }


def encodable_views(views: ViewRows) -> Iterator[Encodable]:
    """The texts of the views that get a vector."""
    for table in ENCODED_VIEWS:
        yield from (view_encodable(table, row) for row in views.of(table))


def view_encodable(table: Collection, row: Row) -> Encodable:
    """A view by what is said about it, such as the caption of a table and the names of its columns."""
    page = row.get("page")
    said = [str(row[column]) for column in ENCODED_VIEWS[table]]
    # What a chunk says is encoded as it stands; so is a problem, which is known by its formulas, too.
    text = said[0].strip() if table in ("chunks", "problems") else spoken(said)
    return Encodable(table, str(row["id"]), text, str(row["document"]), page if isinstance(page, int) else None)


# What stands where on the pages, and the pictures kept of them. Draws nothing, reads no page.


def page_layout_rows(document: str, content: Document) -> list[Row]:
    """A row for every page on which something has a box: blocks, cells of tables, formulas, in reading order."""
    parts: dict[int, list[dict[str, object]]] = {}
    for number, block in enumerate(content.blocks):
        for kind, place, text, math in _parts(block):
            if place.page is None or place.box is None:
                continue
            part: dict[str, object] = {"kind": kind, "box": list(place.box), "text": _short(text), "block": number}
            if math is not None:
                part |= {"confidence": math.confidence, "doubts": list(math.doubts)}
            parts.setdefault(place.page, []).append(part)
    return [{"document": document, "number": page, "parts": plain_json(parts[page])} for page in sorted(parts)]


def _parts(block: Block) -> Iterator[tuple[str, Place, str, Math | None]]:
    if isinstance(block, Display):
        yield "display", _better_place(block.math.place, block.place), block.math.source, block.math
        return
    yield _kind(block), block.place, block.quote, None
    if isinstance(block, Table):
        for row in (*block.header, *block.rows):
            for cell in row:
                yield "cell", cell.place, plain_text(cell.content), None
    for content in contents_of(block):
        yield from _formulas(content)


def _formulas(content: Content) -> Iterator[tuple[str, Place, str, Math | None]]:
    for piece in content:
        if isinstance(piece, Math):
            yield "display" if piece.is_display else "inline", piece.place, piece.source, piece


def _better_place(first: Place, second: Place) -> Place:
    return first if first.box is not None else second


def _kind(block: Block) -> str:
    match block:
        case Heading():
            return "heading"
        case Paragraph():
            return "paragraph"
        case ListItem():
            return "list item"
        case Table():
            return "table"
        case Display():
            return "display"
        case Image():
            return "image"
        case Code():
            return "code"
        case Reference():
            return "reference"
    assert_never(block)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_TEXT else f"{line[: _LONGEST_TEXT - 1]}…"


def picture_rows(document: str, content: Document) -> list[Row]:
    """A row for every picture that is one and not too large; what goes beyond the limits is left out."""
    rows: list[Row] = []
    total = 0
    for picture in content.pictures:
        total += len(picture.png)
        if total > LARGEST_PICTURES:
            break
        if len(picture.png) <= LARGEST_PICTURE and _is_png(picture.png):
            position = len(rows)
            identifier = f"{document}/picture/{position}"
            row = row_of("pictures", picture, id=identifier, document=document, position=position)
            rows.append(_named("pictures", row))
    return rows


def _is_png(text: str) -> bool:
    try:
        return base64.b64decode(text, validate=True).startswith(_PNG)
    except (binascii.Error, ValueError):
        return False
