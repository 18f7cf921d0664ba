"""The handbook: relations that everybody knows, as a library that comes with the package and is asked after the user's.

It is made by `tools/build_handbook.py` from its pages (`handbook_pages.py`), opened when it is first needed, and never
written to.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache

from mathrag.library.ask.asker import Asker
from mathrag.library.handbook_pages import HANDBOOK_FOLDER, handbook_pages
from mathrag.reason.sources import Sources
from mathrag.retrieve.vector_search import VectorSearch
from mathrag.store.embedders import DEFAULT_EMBEDDER, load_embedder
from mathrag.store.truth.database import open_database

# Under this name the file tells of which pages it was made.
DIGEST = "handbook"


def handbook_digest() -> str:
    """What tells whether the handbook was made of the pages as they are now."""
    texts = [f"{name}\n{text}" for name, text in handbook_pages().items()]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


@cache
def handbook() -> Sources:
    """What the handbook offers to those who answer; one for all libraries of a process."""
    database = open_database(HANDBOOK_FOLDER, read_only=True)
    sources = Asker(database, VectorSearch(database, load_embedder(DEFAULT_EMBEDDER))).sources
    sources.finder.may_be_guessed = False
    return replace(sources, is_collection=True)
