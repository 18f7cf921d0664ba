"""Search a library by words and by meaning, and join the two rankings. Looks up entries; answers no questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.retrieve.fusion import fuse
from mathrag.store.database import Database
from mathrag.store.reading import constants_by_ids, formulas_by_ids
from mathrag.store.vectors import VectorSearch
from mathrag.store.words import search_words
from mathrag.types.library import Constant, Formula, Span

HitKind: TypeAlias = Literal["formula", "constant", "text"]
HIT_KINDS: tuple[HitKind, ...] = ("formula", "constant", "text")
_TABLES = {"formula": "formulas", "constant": "constants", "text": "chunks"}
# Each search gives more than is shown, so that what both find can rise.
_WIDER = 4


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One entry that fits. `entry` is the formula or constant itself; for text, `text` is the passage."""

    kind: HitKind
    id: str
    label: str
    score: float
    found_by: tuple[str, ...]
    text: str = ""
    span: Span | None = None
    entry: Formula | Constant | None = None


def search(
    database: Database,
    words: str,
    *,
    vectors: VectorSearch | None,
    kinds: Sequence[HitKind] = HIT_KINDS,
    limit: int = 10,
) -> list[SearchHit]:
    """The entries that fit the words best, best first; formulas, constants and passages each by their own ranking."""
    hits: list[SearchHit] = []
    for kind in kinds:
        rankings = {"words": _by_words(database, words, kind, limit * _WIDER)}
        if vectors is not None:
            rankings["meaning"] = _by_meaning(vectors, words, kind, limit * _WIDER)
        fused = fuse(rankings)[:limit]
        found = _entries(database, kind, [one.id for one in fused])
        hits.extend(
            SearchHit(kind, one.id, label, one.score, one.found_by, text, span, entry)
            for one in fused
            if one.id in found
            for label, text, span, entry in (found[one.id],)
        )
    hits.sort(key=lambda hit: (-hit.score, HIT_KINDS.index(hit.kind), hit.id))
    return hits[:limit]


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
    return _passages(database, ids)


def _passages(
    database: Database, ids: Sequence[str]
) -> dict[str, tuple[str, str, Span | None, Formula | Constant | None]]:
    found: dict[str, tuple[str, str, Span | None, Formula | Constant | None]] = {}
    with database.reading() as connection:
        for identifier in ids:
            row = connection.execute("SELECT headings, text FROM chunks WHERE id = ?", (identifier,)).fetchone()
            if row is not None:
                found[identifier] = (row[0] or "", row[1], None, None)
    return found
