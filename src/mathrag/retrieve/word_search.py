"""Search by words again and again in one library: gives what `search_words` gives, and keeps what each word scores.

The score of an entry is the sum of what the words of the question score in it, each for itself. Most questions are
asked in the same few words, and one that half of the formulas have is worth scoring once.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeAlias

import numpy

from mathrag.store.index.words import INDEX_OF, Searchable, WordHit, match_word, query_words, word_ranking
from mathrag.store.truth.database import Database
from mathrag.store.truth.model_records import Summary, summaries_of_document

_Entries: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.int64]]
_Scores: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.float64]]
# Scores of words that are kept, all words together; sixteen bytes each.
_MOST_KEPT = 2_000_000


@dataclass(slots=True)
class _Known:
    """What is kept of one state of the library, the words used last at the end."""

    generation: int
    words: OrderedDict[str, tuple[_Entries, _Scores]] = field(default_factory=OrderedDict)
    ids: dict[int, str] = field(default_factory=dict)
    size: int = 0


class WordSearch:
    """Searches one table of a library. For any number of threads."""

    def __init__(self, database: Database, *, table: Searchable = "formulas") -> None:
        self._database = database
        self._table: Searchable = table
        self._known = _Known(-1)
        self._lock = Lock()

    def search(self, text: str, *, limit: int = 20) -> list[WordHit]:
        """The entries that share the most telling words with any text; ties by id."""
        words = query_words(text)
        with self._lock, self._database.reading() as connection:
            generation = self._database.generation
            if self._known.generation != generation:
                self._known = _Known(generation)
            found = [self._scores(connection, word) for word in words]
            entries = numpy.concatenate([each for each, _ in found]) if found else numpy.zeros(0, dtype=numpy.int64)
            if not len(entries):
                return []
            different, places = numpy.unique(entries, return_inverse=True)
            # Added up in the order of the words, as one query for all of them would.
            scores = numpy.bincount(places, weights=numpy.concatenate([each for _, each in found]))
            if limit < len(scores):
                kept = numpy.flatnonzero(scores <= numpy.partition(scores, limit - 1)[limit - 1])
                different, scores = different[kept], scores[kept]
            rows = [
                (float(score), identifier)
                for entry, score in zip(different, scores, strict=True)
                if (identifier := self._id(connection, int(entry)))
            ]
        return [WordHit(self._table, identifier, -score) for score, identifier in sorted(rows)[:limit]]

    def _scores(self, connection: sqlite3.Connection, word: str) -> tuple[_Entries, _Scores]:
        known = self._known
        if word in known.words:
            known.words.move_to_end(word)
            return known.words[word]
        index = INDEX_OF[self._table]
        rows = connection.execute(
            f"SELECT rowid, {word_ranking(self._table)} FROM {index} WHERE {index} MATCH ?",  # noqa: S608 - our names
            (match_word(word),),
        ).fetchall()
        entries = numpy.fromiter((row[0] for row in rows), dtype=numpy.int64, count=len(rows))
        scores = numpy.fromiter((row[1] for row in rows), dtype=numpy.float64, count=len(rows))
        known.words[word] = (entries, scores)
        # A word that nothing has takes room too.
        known.size += len(rows) + 1
        while known.size > _MOST_KEPT and len(known.words) > 1:
            known.size -= len(known.words.popitem(last=False)[1][0]) + 1
        return entries, scores

    def _id(self, connection: sqlite3.Connection, entry: int) -> str:
        """The id of an entry; empty where a damaged index has one that the library has not."""
        if entry not in self._known.ids:
            question = f"SELECT id FROM {self._table} WHERE entry = ?"  # noqa: S608 - our own names
            row = connection.execute(question, (entry,)).fetchone()
            self._known.ids[entry] = "" if row is None else str(row[0])
        return self._known.ids[entry]


def search_summaries(database: Database, text: str, *, limit: int) -> list[tuple[Summary, float]]:
    """The summaries that share most of the words of a text, each with the share. All are looked at; there are few."""
    wanted = set(query_words(text))
    if not wanted:
        return []
    found = []
    for summary in summaries_of_document(database):
        shared = len(wanted & set(query_words(summary.text)))
        if shared:
            found.append((summary, shared / len(wanted)))
    found.sort(key=lambda one: (-one[1], one[0].document, one[0].source))
    return found[:limit]
