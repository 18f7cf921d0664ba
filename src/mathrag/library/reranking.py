"""The reranker that the settings name, with what it needs: the model that judges, a server's key and patience."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mathrag.retrieve.rerankers import Means, Reranker, open_reranker
from mathrag.settings import load_settings
from mathrag.store.embedders import Embedder

if TYPE_CHECKING:
    from mathrag.llm.metered import Models


def configured_reranker(embedder: Embedder, *, models: Models | None = None, named: str = "") -> Reranker | None:
    """The reranker of this name, else that of `MATHRAG_RERANKER`; None where it is `none`."""
    settings = load_settings()
    judge = None if models is None or not models.has("judge") else models.chat("judge")
    means = Means(embedder, lambda: judge, settings.reranker_key, settings.llm_timeout_seconds, settings.llm_retries)
    return open_reranker(named or settings.reranker, means)
