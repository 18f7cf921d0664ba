"""Entries by their ids, or the problem that there is none. The one place where the API says 404 about entries."""

from __future__ import annotations

from mathrag.library import DocumentInfo, Library
from mathrag.serve.problems import ProblemError
from mathrag.types.library import Constant, Formula


def one_formula(library: Library, identifier: str) -> Formula:
    """The formula of an id."""
    found = [formula for formula in library.find_formulas(identifier) if formula.id == identifier]
    if not found:
        raise ProblemError(404, f"the library has no formula {identifier}; it may have another id since it was edited")
    return found[0]


def one_constant(library: Library, identifier: str) -> Constant:
    """The constant of an id."""
    found = [constant for constant in library.find_constants(identifier) if constant.id == identifier]
    if not found:
        raise ProblemError(404, f"the library has no constant {identifier}")
    return found[0]


def one_document(library: Library, identifier: str) -> DocumentInfo:
    """The document of an id."""
    found = [document for document in library.find_documents(identifier) if document.id == identifier]
    if not found:
        raise ProblemError(404, f"the library has no document {identifier}")
    return found[0]
