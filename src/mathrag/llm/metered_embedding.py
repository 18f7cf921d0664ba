"""The view of an embedding model: vectors kept text by text, calls counted and paid for like all others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mathrag.errors import ModelError
from mathrag.llm.digests import embedding_digest
from mathrag.llm.nouns import Embeddings, Usage
from mathrag.llm.prices import most_tokens, usual_tokens
from mathrag.llm.reply_text import read_vector, write_vector
from mathrag.llm.seams import EmbeddingModel

if TYPE_CHECKING:
    from mathrag.llm.metering import Meter

# Small enough that a run that is killed loses little, large enough that the way to the server does not count.
_TEXTS_A_CALL = 64


class MeteredEmbedding:
    """An embedding model that asks only for what is not kept."""

    def __init__(self, model: EmbeddingModel, meter: Meter) -> None:
        self._model = model
        self._meter = meter

    @property
    def name(self) -> str:
        """What the server calls the model."""
        return self._model.name

    def embed(self, texts: Sequence[str]) -> Embeddings:
        """A vector for every text."""
        known = {text: vector for text in dict.fromkeys(texts) if (vector := self._kept(text)) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        used = Usage()
        for start in range(0, len(missing), _TEXTS_A_CALL):
            asked = missing[start : start + _TEXTS_A_CALL]
            made = self._ask(asked)
            known.update(zip(asked, made.vectors, strict=True))
            used = Usage(
                used.prompt_tokens + made.usage.prompt_tokens,
                is_estimated=used.is_estimated or made.usage.is_estimated,
            )
        if len({len(vector) for vector in known.values()}) > 1:
            raise ModelError(
                "bad_reply",
                f"the vectors of {self.name} differ in length; clear those kept with "
                f"`mathrag cache clear --model {self.name}`",
            )
        return Embeddings(
            tuple(known[text] for text in texts), used, model=self.name, from_cache=not missing and bool(texts)
        )

    def _ask(self, texts: list[str]) -> Embeddings:
        largest = Usage(sum(most_tokens(text) + 8 for text in texts), 0, is_estimated=True)
        with self._meter.call("embed", largest) as call:
            made = self._model.embed(texts)
            usage = made.usage
            if usage.prompt_tokens <= 0:
                usage = Usage(sum(usual_tokens(text) for text in texts), is_estimated=True)
            call.succeed(usage)
            if len(made.vectors) != len(texts):
                raise ModelError(
                    "bad_reply",
                    f"asked for {len(texts)} vectors, the server gave {len(made.vectors)}",
                    was_charged=True,
                )
            if self._meter.store is not None:
                for text, vector in zip(texts, made.vectors, strict=True):
                    digest = embedding_digest(text, model=self.name)
                    self._meter.store.put(digest, write_vector(vector), model=self.name, role="embed")
        return Embeddings(made.vectors, usage, model=made.model)

    def _kept(self, text: str) -> tuple[float, ...] | None:
        store = self._meter.store
        kept = None if store is None else store.get(embedding_digest(text, model=self.name))
        vector = None if kept is None else read_vector(kept)
        if vector is not None:
            self._meter.account.add_cached("embed", Usage(usual_tokens(text)))
        return vector
