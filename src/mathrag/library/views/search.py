"""Search a library by words and by meaning, and join the two rankings. Looks up entries; answers no questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from mathrag.library.records import HIT_KINDS, HitKind, SearchHit
from mathrag.retrieve.final_rank import final_rank, quality_weight
from mathrag.retrieve.fusion import fuse
from mathrag.retrieve.vector_search import VectorSearch
from mathrag.retrieve.word_search import search_summaries
from mathrag.store.index.words import search_words
from mathrag.store.truth.concepts import concepts_by_ids
from mathrag.store.truth.database import Database
from mathrag.store.truth.reader import constants_by_ids, formulas_by_ids
from mathrag.types.document import Place
from mathrag.types.library import Constant, Formula, Span
from mathrag.types.quality import Quality

PassageQuality: TypeAlias = Callable[[str], Quality | None]

_TABLES = {"formula": "formulas", "constant": "constants", "concept": "concepts", "text": "chunks"}
# Each search gives more than is shown, so that what both find can rise.
_WIDER = 4
# So many are looked at for one that is called exactly as asked, however few are shown.
_LOOKED_AT = 20


def search(
    database: Database,
    words: str,
    *,
    vectors: VectorSearch | None,
    kinds: Sequence[HitKind] = HIT_KINDS,
    limit: int = 10,
    passage_quality: Callable[[], PassageQuality | None] = lambda: None,
) -> list[SearchHit]:
    """The entries that fit the words best, best first; formulas, constants, concepts and passages each by their own
    ranking.

    What is called exactly so comes before everything else, whatever its score. `passage_quality` gives what passages
    are ranked by beside how well they fit, where the gate says that it counts.
    """
    hits: list[SearchHit] = []
    for kind in kinds:
        if kind == "summary":
            hits.extend(_summaries(database, words, limit))
            continue
        rankings = {"words": _by_words(database, words, kind, limit * _WIDER)}
        if vectors is not None:
            rankings["meaning"] = _by_meaning(vectors, words, kind, limit * _WIDER)
        fused = fuse(rankings)[: max(limit, _LOOKED_AT)]
        found = _entries(database, kind, [one.id for one in fused])
        hits.extend(
            SearchHit(kind, one.id, label, one.score, one.found_by, text, span, entry)
            for one in fused
            if one.id in found
            for label, text, span, entry in (found[one.id],)
        )
    hits = _passages_ranked(hits, passage_quality)
    order = (*HIT_KINDS, "summary", "example")
    called = _folded(words)
    hits.sort(key=lambda hit: (not _is_called(hit, called), -hit.score, order.index(hit.kind), hit.id))
    return hits[:limit]


def _passages_ranked(hits: list[SearchHit], quality: Callable[[], PassageQuality | None]) -> list[SearchHit]:
    """The same hits; passages, where the gate says so, in the order of their form, too, with each other's scores.

    What is a passage keeps the places of passages: a score of form says nothing about formulas.
    """
    judge = quality() if any(hit.kind == "text" for hit in hits) else None
    if judge is None:
        return hits
    judged = [replace(hit, quality=judge(hit.text)) for hit in hits if hit.kind == "text"]
    qualities = [None if hit.quality is None else hit.quality.value for hit in judged]
    order = final_rank([hit.score for hit in judged], qualities, weight=quality_weight())
    scores = sorted((hit.score for hit in judged), reverse=True)
    moved = [replace(judged[one.place], score=score) for one, score in zip(order, scores, strict=True)]
    return [hit for hit in hits if hit.kind != "text"] + moved


def _folded(words: str) -> str:
    return " ".join(words.casefold().split())


def _is_called(hit: SearchHit, folded: str) -> bool:
    """Whether an entry has exactly this name. Passages have only the headings that they stand under."""
    if hit.kind == "concept":
        return folded in (_folded(hit.label), _folded(hit.label.rpartition(":")[2]))
    return hit.kind in ("formula", "constant") and _folded(hit.label) == folded


def _summaries(database: Database, words: str, limit: int) -> list[SearchHit]:
    """What a model says parts of documents are about, marked as such; by words alone."""
    return [
        SearchHit(
            "summary",
            summary.source,
            f"{summary.kind} (summary by the model {summary.model})",
            score,
            ("words",),
            summary.text,
            Span(summary.document, Place(), ""),
        )
        for summary, score in search_summaries(database, words, limit=limit)
    ]


def _by_words(database: Database, words: str, kind: HitKind, limit: int) -> list[str]:
    return [hit.id for hit in search_words(database, words, table=_TABLES[kind], limit=limit)]  # type: ignore[arg-type]


def _by_meaning(vectors: VectorSearch, words: str, kind: HitKind, limit: int) -> list[str]:
    return [hit.key for hit in vectors.search(words, collection=_TABLES[kind], limit=limit)]  # type: ignore[arg-type]


def _entries(
    database: Database, kind: HitKind, ids: Sequence[str]
) -> dict[str, tuple[str, str, Span | None, Formula | Constant | None]]:
    if kind == "formula":
        return {
            one.id: (one.label or one.latex, one.latex, one.spans[0], one) for one in formulas_by_ids(database, ids)
        }
    if kind == "constant":
        return {
            one.id: (one.name or one.symbol, f"{one.symbol} = {one.value} {one.unit}".strip(), one.spans[0], one)
            for one in constants_by_ids(database, ids)
        }
    if kind == "concept":
        return _concepts(database, ids)
    return _passages(database, ids)


def _concepts(
    database: Database, ids: Sequence[str]
) -> dict[str, tuple[str, str, Span | None, Formula | Constant | None]]:
    """Concepts of mathematics; those of dictionaries about dictionaries nobody looks for. Of one name, the first."""
    with database.reading() as connection:
        found = {one.id: one for one in concepts_by_ids(connection, ids) if one.is_mathematical}
    first: dict[str, str] = {}
    for identifier, one in found.items():
        first.setdefault(one.concept.name, identifier)
    return {
        identifier: (
            one.concept.name,
            one.concept.description,
            Span(one.document, one.concept.place or Place(), one.concept.description),
            None,
        )
        for identifier, one in found.items()
        if first[one.concept.name] == identifier
    }


def _passages(
    database: Database, ids: Sequence[str]
) -> dict[str, tuple[str, str, Span | None, Formula | Constant | None]]:
    found: dict[str, tuple[str, str, Span | None, Formula | Constant | None]] = {}
    with database.reading() as connection:
        for identifier in ids:
            row = connection.execute(
                "SELECT headings, text, document, page, line, end_line, path, file FROM chunks WHERE id = ?",
                (identifier,),
            ).fetchone()
            if row is not None:
                headings, text, document, page, line, end_line, path, file = row
                place = Place(page=page, line=line, end_line=end_line, path=path, file=file)
                found[identifier] = (headings or "", text, Span(document, place, text), None)
    return found
