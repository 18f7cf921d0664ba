"""Where formulas, constants and documents of a library stand in what was read: the list of places. Only reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mathrag.library.browsing import document_names
from mathrag.library.named import only
from mathrag.library.source_view import passage_of
from mathrag.library.worked_results import SourcePlace
from mathrag.types.library import Constant, Formula

if TYPE_CHECKING:
    from mathrag.library.facade import Library


def named_entry(library: Library, identifier: str) -> Formula | Constant | None:
    """The formula, else the constant, of this id or name; None where there is none."""
    if library.find_formulas(identifier):
        return library.formula(identifier)
    constants = library.find_constants(identifier)
    if constants:
        return only(constants, "constant", identifier, lambda one: f"{one.id} {one.name or one.symbol}")
    return None


def source_places(library: Library, identifier: str) -> list[SourcePlace]:
    """Every place of a formula or constant; of a document, every place that an entry was read from."""
    entry = named_entry(library, identifier)
    if entry is not None:
        found = [(entry.id, span) for span in entry.spans]
    else:
        document = library.document(identifier).id
        entries: list[Formula | Constant] = [*library.formulas(document=document)]
        entries += library.constants(document=document)
        found = [(one.id, span) for one in entries for span in one.spans if span.document == document]
    names = document_names(library)
    return [
        SourcePlace(owner, names.get(span.document, span.document), span, passage_of(library, span).text)
        for owner, span in found
    ]
