"""The library as Turtle: everything it holds, which `mathrag import` reads back."""

from __future__ import annotations

from collections.abc import Iterator

from mathrag.store.graph.contents import LibraryContents
from mathrag.store.graph.triples import nodes_of
from mathrag.store.graph.turtle import turtle_text as _turtle_text


def turtle_text(contents: LibraryContents, *, with_text: bool = True) -> Iterator[str]:
    """A Turtle document, a node at a time."""
    return _turtle_text(nodes_of(contents, with_text=with_text))
