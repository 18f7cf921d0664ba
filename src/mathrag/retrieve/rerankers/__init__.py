"""Rerankers: who says how relevant what was found is, and how that is used."""

from mathrag.retrieve.rerankers.opening import DEFAULT_RERANKER, Means, open_reranker
from mathrag.retrieve.rerankers.seam import (
    Relevance,
    Reranker,
    Scored,
    Thresholds,
    relevance,
    rerank,
    select,
    thresholds_of,
)

__all__ = [
    "DEFAULT_RERANKER",
    "Means",
    "Relevance",
    "Reranker",
    "Scored",
    "Thresholds",
    "open_reranker",
    "relevance",
    "rerank",
    "select",
    "thresholds_of",
]
