"""What documents that were just read contradict, each other included. Looks only at what could be concerned."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from mathrag.extract.duplicates import find_conflicts
from mathrag.retrieve.counterparts import by_quantities
from mathrag.retrieve.signature import signature_rows
from mathrag.store.truth.database import Database
from mathrag.store.truth.reader import formulas_by_ids, iterate_constants, list_constant_ids, list_formula_ids
from mathrag.types.library import Conflict

# A book that contradicts another one on every page is told about no further.
_MOST = 100


def conflicts_of(database: Database, documents: Collection[str]) -> dict[str, tuple[Conflict, ...]]:
    """The conflicts that documents (ids) take part in, by document; the message names the documents of each."""
    if not documents:
        return {}
    own = {
        document: {*list_formula_ids(database, document=document), *list_constant_ids(database, document=document)}
        for document in documents
    }
    fresh = frozenset[str]().union(*own.values())
    concerned = dict.fromkeys(
        identifier
        for group in by_quantities(signature_rows(database)).values()
        if not fresh.isdisjoint(group)
        for identifier in group
    )
    ids = [*concerned, *(each for each in sorted(fresh) if each.startswith("f-") and each not in concerned)]
    constants = list(iterate_constants(database)) if any(each.startswith("c-") for each in fresh) else []
    found = find_conflicts(formulas_by_ids(database, ids), constants)
    names = _names(database)
    told: dict[str, tuple[Conflict, ...]] = {}
    for document, entries in own.items():
        mine = [each for each in found if _concerns(each, document, entries)]
        told[document] = tuple(replace(each, message=_message(each, names)) for each in mine[:_MOST])
    return told


def _concerns(conflict: Conflict, document: str, entries: set[str]) -> bool:
    if conflict.kind == "instance":
        return any(span.document == document for span in conflict.spans)
    return not entries.isdisjoint(conflict.entries)


def _message(conflict: Conflict, names: Mapping[str, str]) -> str:
    places = dict.fromkeys(f"{names.get(span.document, span.document)} {span.place}".strip() for span in conflict.spans)
    return f"{conflict.message} ({'; '.join(places)})" if places else conflict.message


def _names(database: Database) -> dict[str, str]:
    with database.reading() as connection:
        return dict(connection.execute("SELECT id, name FROM documents"))
