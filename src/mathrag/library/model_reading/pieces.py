"""The chunks of a stored document, as a model is asked about them and as the checking process gets them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from mathrag.documents.views.nouns import ChunkView
from mathrag.store.database import Database
from mathrag.store.places import place_of_columns
from mathrag.types.document import Place
from mathrag.types.json_codec import from_json, to_json

Json: TypeAlias = Any
_BETWEEN_HEADINGS = " > "


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk with the id it has in the library."""

    id: str
    view: ChunkView


def chunks_of(database: Database, document: str) -> list[StoredChunk]:
    """The chunks of a document, in its order."""
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT id, position, text, headings, first_block, last_block, repeated_characters, is_oversized, "
            "page, line, end_line, path, file, box FROM chunks WHERE document = ? ORDER BY position",
            (document,),
        ).fetchall()
    return [
        StoredChunk(
            identifier,
            ChunkView(
                position,
                text,
                tuple(headings.split(_BETWEEN_HEADINGS)) if headings else (),
                first_block,
                last_block,
                place_of_columns(*place),
                repeated_characters=repeated,
                is_oversized=bool(is_oversized),
            ),
        )
        for identifier, position, text, headings, first_block, last_block, repeated, is_oversized, *place in rows
    ]


def chunk_json(chunk: StoredChunk) -> Json:
    """A chunk as a JSON object."""
    view = chunk.view
    return {
        "id": chunk.id,
        "ordinal": view.ordinal,
        "text": view.text,
        "headings": list(view.heading_path),
        "blocks": [view.first_block, view.last_block],
        "place": to_json(view.place),
        "repeated": view.repeated_characters,
    }


def chunk_of_json(value: Json) -> StoredChunk:
    """Back from `chunk_json`."""
    place = from_json(value["place"])
    assert isinstance(place, Place)
    first, last = value["blocks"]
    view = ChunkView(
        value["ordinal"],
        value["text"],
        tuple(value["headings"]),
        first,
        last,
        place,
        repeated_characters=value["repeated"],
    )
    return StoredChunk(value["id"], view)
