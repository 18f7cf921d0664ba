"""The question about one chunk, and the version of all that is asked: a fingerprint, so that nobody has to count."""

from __future__ import annotations

from functools import cache

from mathrag.documents.views.nouns import ChunkView
from mathrag.extract.proposals import constants_in_chunk, findings_in_chunk, request_for_chunk
from mathrag.library.model_reading import picturing, summarising
from mathrag.library.model_reading.asking import Question
from mathrag.library.model_reading.pieces import StoredChunk
from mathrag.llm.digests import request_digest
from mathrag.types.document import Place
from mathrag.types.library import Extraction

CHUNK = "chunk"
# A heading alone, a page number: nothing that could state a formula.
_SHORTEST_TEXT = 30


def is_worth_asking(chunk: StoredChunk) -> bool:
    """Whether a chunk has words enough to say anything."""
    return sum(not character.isspace() for character in chunk.view.text) >= _SHORTEST_TEXT


def question_about_chunk(chunk: StoredChunk, rules: Extraction, *, title: str) -> Question:
    """What a model is asked about a chunk, given what the rules found there."""
    request = request_for_chunk(
        chunk.view,
        findings_in_chunk(rules, chunk.view),
        constants=constants_in_chunk(rules, chunk.view),
        title=title,
    )
    return Question(chunk.id, CHUNK, "extract", request)


@cache
def prompt_version() -> str:
    """Changes whenever a model would be asked otherwise: then documents are read with it again."""
    request = request_for_chunk(ChunkView(0, "", (), 0, 0, Place()), ())
    return f"{request_digest(request, model='')[:12]}.{picturing.VERSION}.{summarising.VERSION}"
