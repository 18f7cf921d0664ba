"""What a person means by a name: the one thing of that name, or a sentence that says which there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from mathrag.errors import LibraryError

Item = TypeVar("Item")


def key_of(path: str) -> str:
    """The key of the document at a path; empty for what is no path."""
    from mathrag.documents.path_text import document_key

    return document_key(path) if path and "\0" not in path else ""


def only(found: Sequence[Item], what: str, text: str, shown: Callable[[Item], str]) -> Item:
    """The one thing found; `LibraryError` where there is none or several."""
    if len(found) == 1:
        return found[0]
    if not found:
        raise LibraryError(f"the library has no {what} {text!r}; try `mathrag search`")
    listed = "; ".join(shown(item) for item in found[:5])
    more = f" and {len(found) - 5} more" if len(found) > 5 else ""
    raise LibraryError(f"{text!r} means {len(found)} {what}s: {listed}{more}; name one by its id")
