"""The views of a document as rows of the tables that keep them. Which views there are is decided in `documents`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from mathrag.documents.views.records import (
    ChunkView,
    EquationView,
    ImageView,
    ReferenceView,
    SectionView,
    TableView,
    Views,
)
from mathrag.store.index.vectors import Collection, Encodable, spoken
from mathrag.store.truth.codec import place_columns
from mathrag.types.document import Place

Value: TypeAlias = str | int | float | None
Row: TypeAlias = Mapping[str, Value]
_PLACE_NAMES = ("page", "line", "end_line", "path", "file", "box")


@dataclass(frozen=True, slots=True)
class ViewRows:
    """Rows by table, each a mapping from column to value, in the order of the document."""

    rows: Mapping[str, Sequence[Row]] = field(default_factory=dict)

    def of(self, table: str) -> Sequence[Row]:
        """The rows of one table."""
        return self.rows.get(table, ())


def rows_of_views(document: str, views: Views) -> ViewRows:
    """All views of a document. A row's id is made of the document's, the kind of view and its number there."""
    return ViewRows(
        {
            "pages": [
                {
                    "document": document,
                    "number": page.number,
                    "width": page.width,
                    "height": page.height,
                    "first_block": page.first_block,
                    "last_block": page.last_block,
                }
                for page in views.pages
            ],
            "sections": [_section(document, each) for each in views.sections],
            "chunks": [_chunk(document, each) for each in views.chunks],
            "tables": [_table(document, each) for each in views.tables],
            "table_cells": [row for each in views.tables for row in _cells(document, each)],
            "images": [_image(document, each) for each in views.images],
            "equations": [_equation(document, each) for each in views.equations],
            "bibliography": [_reference(document, each) for each in views.references],
        }
    )


def _id(document: str, kind: str, ordinal: int | None) -> str | None:
    return None if ordinal is None else f"{document}/{kind}/{ordinal}"


def _place(place: Place) -> dict[str, Value]:
    return dict(zip(_PLACE_NAMES, place_columns(place), strict=True))


def _beginning(document: str, kind: str, ordinal: int) -> dict[str, Value]:
    return {"id": _id(document, kind, ordinal), "document": document, "position": ordinal}


def _section(document: str, view: SectionView) -> Row:
    return {
        **_beginning(document, "section", view.ordinal),
        "parent": _id(document, "section", view.parent),
        "level": view.level,
        "title": view.title,
        "headings": " > ".join(view.path),
        "first_block": view.first_block,
        "last_block": view.last_block,
        **_place(view.place),
    }


def _chunk(document: str, view: ChunkView) -> Row:
    return {
        **_beginning(document, "chunk", view.ordinal),
        "section": _id(document, "section", view.section),
        "headings": " > ".join(view.heading_path),
        "text": view.text,
        "repeated_characters": view.repeated_characters,
        "is_oversized": int(view.is_oversized),
        "first_block": view.first_block,
        "last_block": view.last_block,
        **_place(view.place),
    }


def _table(document: str, view: TableView) -> Row:
    return {
        **_beginning(document, "table", view.ordinal),
        "section": _id(document, "section", view.section),
        "caption": view.caption,
        "header": " | ".join(text for row in view.cells[: view.header_rows] for text in row if text),
        "row_count": view.rows,
        "column_count": view.columns,
        "header_row_count": view.header_rows,
        "html": view.html,
        "block": view.block,
        **_place(view.place),
    }


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


def _image(document: str, view: ImageView) -> Row:
    return {
        **_beginning(document, "image", view.ordinal),
        "section": _id(document, "section", view.section),
        "caption": view.caption,
        "alternative": view.alternative,
        "source": view.source,
        "block": view.block,
        **_place(view.place),
    }


def _equation(document: str, view: EquationView) -> Row:
    return {
        **_beginning(document, "equation", view.ordinal),
        "section": _id(document, "section", view.section),
        "latex": view.latex,
        "source": view.source,
        "notation": view.notation,
        "is_display": int(view.is_display),
        "number": view.number,
        "quote": view.quote,
        "block": view.block,
        **_place(view.place),
    }


def _reference(document: str, view: ReferenceView) -> Row:
    return {
        **_beginning(document, "reference", view.ordinal),
        "section": _id(document, "section", view.section),
        "key": view.key,
        "text": view.text,
        "block": view.block,
        **_place(view.place),
    }


def encodable_views(views: ViewRows) -> Iterator[Encodable]:
    """The texts of the views that get a vector."""
    for row in views.of("chunks"):
        yield chunk_encodable(row)
    for row in views.of("tables"):
        yield table_encodable(row)
    for row in views.of("images"):
        yield image_encodable(row)
    for row in views.of("sections"):
        yield section_encodable(row)


def chunk_encodable(row: Row) -> Encodable:
    """A chunk by its text."""
    return _encodable("chunks", row, str(row["text"]).strip())


def table_encodable(row: Row) -> Encodable:
    """A table by its caption and the names of its columns."""
    return _encodable("tables", row, spoken((str(row["caption"]), str(row["header"]))))


def image_encodable(row: Row) -> Encodable:
    """An image by what is said about it."""
    return _encodable("images", row, spoken((str(row["caption"]), str(row["alternative"]))))


def section_encodable(row: Row) -> Encodable:
    """A section by its title."""
    return _encodable("sections", row, spoken((str(row["title"]),)))


def _encodable(collection: Collection, row: Row, text: str) -> Encodable:
    page = row.get("page")
    return Encodable(collection, str(row["id"]), text, str(row["document"]), page if isinstance(page, int) else None)
