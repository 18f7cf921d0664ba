"""The word index: how text becomes words, keeping the index in step with formulas, constants and chunks, searching it.
What to do with the hits is decided elsewhere."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from mathrag.language.word_classes import word_class
from mathrag.store.truth.codec import storable
from mathrag.store.truth.database import Database
from mathrag.store.truth.schema import CHUNK_WORDS, CONCEPT_WORDS, CONSTANT_WORDS, FORMULA_WORDS
from mathrag.types.library import Constant, Formula
from mathrag.types.symbol_names import GREEK, GREEK_NAMES

# Text as the words a search should find it by: symbols kept whole, Greek letters by name, spellings folded.
#
# Pure functions over text. A word of the index and a word of a question are made alike, so they meet; stemming is
# left to the index.

# A chunk has 3,000 characters; what is far longer is a table or an attack, and its beginning finds it too.
_LONGEST_TEXT = 100_000
_LONGEST_WORD = 60
_SHORT = 400
_MOST_QUERY_WORDS = 48

STOP_WORDS = word_class("grammar.index_stop_words")

_LETTER_OF_NAME = {name: letter for letter, name in reversed(GREEK.items()) if name in GREEK_NAMES and len(letter) == 1}
_FOLDED = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ı": "i"})
_LOW = dict(zip("₀₁₂₃₄₅₆₇₈₉ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789aeoxhklmnpstijruv", strict=True))
_RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"

_COMMAND = re.compile(r"\\([A-Za-z]+)[ \t]?")
_LOW_RUN = re.compile(f"[{''.join(_LOW)}]+")
_CHARGE = re.compile(r"(?:\^\{*[0-9]?([+\-−])|([⁺⁻](?![⁰¹²³⁴⁵⁶⁷⁸⁹])))(?=[}\])\s,.;]|$)")
_CIRCLE = re.compile(r"\^\{*(?:\\circ|°)\}*")
_CONCENTRATION = re.compile(r"\[ {0,3}([A-Z][A-Za-z0-9_]{0,20}) {0,3}([+\-−]?) {0,3}\]")
# Without any of these there is nothing to make plain.
_SCRIPTED = re.compile(r"[\\^_{}$\[⁺⁻" + _RAISED_DIGITS + "".join(_LOW) + "]")
_TOKEN = re.compile(r"[^\W_]+(?:['’_\-‐‑–][^\W_]+)*")
_PIECES = re.compile(r"['’\-‐‑–]")
_GREEK_OR_NOT = re.compile(f"[{''.join(GREEK)}]|[^{''.join(GREEK)}]+")
# Commands that only dress what follows them vanish; all others separate words.
_DRESSING = frozenset("mathrm text textrm textit textbf mathbf mathit mathsf operatorname left right bar vec".split())


def index_text(text: str) -> str:
    """The words to index a text by, Greek letters both by name and as letters."""
    # Headings, keywords and descriptions come with many formulas; a chunk comes once.
    return _short_index_text(text) if len(text) <= _SHORT else _index_text(text)


def _index_text(text: str) -> str:
    return " ".join([word for token in _tokens(text) for word in _index_words(token)])


_short_index_text = lru_cache(maxsize=8192)(_index_text)


def query_words(text: str) -> list[str]:
    """The different words of a question, without those that say nothing (unless there are no others)."""
    found: dict[str, None] = {}
    for token in _tokens(text):
        found.update(dict.fromkeys(_words(token)))
        if len(found) > 4 * _MOST_QUERY_WORDS:
            break
    telling = [word for word in found if word not in STOP_WORDS]
    return (telling or list(found))[:_MOST_QUERY_WORDS]


def letter_of(word: str) -> str:
    """The Greek letter that a word names; empty where it names none."""
    return _LETTER_OF_NAME.get(word, "")


def fold(text: str) -> str:
    """Lower case without accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in decomposed if not unicodedata.combining(each)).translate(_FOLDED)


def _tokens(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(_plain(text[:_LONGEST_TEXT])):
        yield match.group()


def _plain(text: str) -> str:
    """LaTeX and typographic scripts as underscores and plain letters."""
    if not _SCRIPTED.search(text):
        return text
    text = _CIRCLE.sub("_circ", text)
    text = _CHARGE.sub(lambda match: "_plus" if (match.group(1) or match.group(2)) in "+⁺" else "_minus", text)
    text = _COMMAND.sub(_command, text)
    text = _LOW_RUN.sub(lambda match: "_" + "".join(_LOW[each] for each in match.group()), text)
    text = re.sub(r"_[\s{]*", "_", text)
    text = re.sub(r"[{}$" + _RAISED_DIGITS + "]", " ", text)
    return _CONCENTRATION.sub(_concentration, text)


def _command(match: re.Match[str]) -> str:
    name = match.group(1)
    name = name.removeprefix("var") if name.startswith("var") else name
    if name in _DRESSING:
        return ""
    letter = _LETTER_OF_NAME.get(name)
    if letter is None:
        return " "
    # A change belongs to what it is a change of; other letters stand for themselves unless they are subscripts.
    is_subscript = match.string[max(0, match.start() - 3) : match.start()].rstrip(" {").endswith("_")
    return letter if name == "Delta" or is_subscript else f" {letter}"


def _concentration(match: re.Match[str]) -> str:
    charge = {"+": "_plus", "-": "_minus", "−": "_minus"}.get(match.group(2), "")
    return f" conc_{match.group(1)}{charge} "


# The same tokens come again and again, in one document and over all of them.
@lru_cache(maxsize=50_000)
def _index_words(token: str) -> tuple[str, ...]:
    words = tuple(_words(token))
    return (*words, *(_LETTER_OF_NAME[word] for word in words if word in _LETTER_OF_NAME))


def _words(token: str) -> Iterator[str]:
    for piece in _joined_pieces(token):
        names = [name for part in piece.split("_") if part for name in _letters_named(part)]
        # Some signs fold to a space and a mark above it.
        names = [name for name in ("".join(fold(each).split())[:_LONGEST_WORD] for each in names) if name]
        if len(names) > 1:
            yield "_".join(names)[:_LONGEST_WORD]
            yield "".join(names)[:_LONGEST_WORD]
        yield from names


def _joined_pieces(token: str) -> Iterator[str]:
    """The parts of a hyphened or apostrophed word, and the word without the hyphen; a possessive loses its s."""
    for possessive in ("'s", "’s", "'S", "’S"):
        token = token.removesuffix(possessive)
    pieces = [piece for piece in _PIECES.split(token) if piece]
    yield from pieces
    if 1 < len(pieces) <= 3 and not any("_" in piece or piece.isdigit() for piece in pieces):
        yield "".join(pieces)


def _letters_named(part: str) -> Iterator[str]:
    greek = sum(character in GREEK for character in part)
    # Three Greek letters and nothing else are a word of the Greek language.
    if not greek or (greek > 2 and all(unicodedata.name(each, "").startswith("GREEK") for each in part)):
        yield part
        return
    for run in _GREEK_OR_NOT.findall(part):
        yield GREEK.get(run, run)


# Bump it when `word_tokens` changes what it gives: a library indexed otherwise is then reported by the check.
WORDS_VERSION = "1"

Searchable: TypeAlias = Literal["formulas", "constants", "chunks", "concepts"]

_COLUMNS: dict[Searchable, tuple[str, ...]] = {
    "formulas": FORMULA_WORDS,
    "constants": CONSTANT_WORDS,
    "chunks": CHUNK_WORDS,
    "concepts": CONCEPT_WORDS,
}
INDEX_OF: dict[Searchable, str] = {
    "formulas": "formula_words",
    "constants": "constant_words",
    "chunks": "chunk_words",
    "concepts": "concept_words",
}
# How much a word counts in each column, in the order of the columns.
_WEIGHTS: dict[Searchable, tuple[float, ...]] = {
    "formulas": (8.0, 3.0, 5.0, 3.0, 1.5, 1.0),
    "constants": (8.0, 3.0, 5.0, 4.0, 1.0),
    "chunks": (2.0, 1.0),
    "concepts": (8.0, 1.0),
}
_PLACES_OF: dict[Searchable, str] = {
    "formulas": "entry_table.id IN (SELECT formula FROM formula_places WHERE document IN ({}))",
    "constants": "entry_table.id IN (SELECT constant FROM constant_places WHERE document IN ({}))",
    "chunks": "entry_table.document IN ({})",
    "concepts": "entry_table.document IN ({})",
}


@dataclass(frozen=True, slots=True)
class WordHit:
    """An entry that a search by words found; a higher score is better."""

    table: Searchable
    id: str
    score: float


def search_words(
    database: Database, text: str, *, table: Searchable = "formulas", limit: int = 20, documents: Sequence[str] = ()
) -> list[WordHit]:
    """The entries of a table that share the most telling words with any text. No text is a syntax error."""
    query = match_query(text)
    if not query:
        return []
    index = INDEX_OF[table]
    within = f"AND {_PLACES_OF[table].format(', '.join('?' * len(documents)))}" if documents else ""
    with database.reading() as connection:
        rows = connection.execute(
            f"SELECT entry_table.id, {word_ranking(table)} AS score FROM {index} "  # noqa: S608 - our own names
            f"JOIN {table} AS entry_table ON entry_table.entry = {index}.rowid "
            f"WHERE {index} MATCH ? {within} ORDER BY score, entry_table.id LIMIT ?",
            (query, *documents, limit),
        ).fetchall()
    return [WordHit(table, identifier, -score) for identifier, score in rows]


def word_ranking(table: Searchable) -> str:
    """How SQL ranks the entries that match in the index of a table: the lower, the better."""
    return f"bm25({INDEX_OF[table]}, {', '.join(str(weight) for weight in _WEIGHTS[table])})"


def match_query(text: str) -> str:
    """An FTS5 query for any of the words of a text; empty where it has none."""
    return " OR ".join(match_word(word) for word in query_words(text))


def match_word(word: str) -> str:
    """An FTS5 query for one word. It is quoted: nothing in it is syntax."""
    return '"' + storable(word).replace('"', '""') + '"'


def formula_words(formula: Formula) -> tuple[str, ...]:
    """The row of a formula in the index."""
    symbols = (
        part
        for symbol in formula.symbols
        for part in (symbol.name, symbol.letter, symbol.description, (symbol.kind or "").replace("_", " "))
    )
    conditions = (condition.text for condition in formula.conditions)
    return _row(
        [*dict.fromkeys((formula.label, *formula.labels))],
        [formula.description, formula.intent],
        formula.keywords,
        symbols,
        conditions,
        _headings(formula),
    )


def constant_words(constant: Constant) -> tuple[str, ...]:
    """The row of a constant in the index."""
    return _row(
        [constant.name],
        [constant.description, (constant.standard or "").replace("_", " ")],
        constant.keywords,
        [constant.symbol, constant.letter],
        _headings(constant),
    )


def chunk_words(headings: str, text: str) -> tuple[str, ...]:
    """The row of a chunk in the index."""
    return _row([headings], [text])


def concept_words(symbol: str, description: str) -> tuple[str, ...]:
    """The row of a concept in the index."""
    return _row([symbol], [description])


def _row(*columns: Iterable[str]) -> tuple[str, ...]:
    # Joined by a mark that ends words, so that no word runs over from one piece into the next.
    return tuple(storable(index_text(" ; ".join(piece for piece in column if piece))) for column in columns)


def _headings(entry: Formula | Constant) -> list[str]:
    return [*dict.fromkeys(heading for span in entry.spans for heading in span.headings)]


def index_rows(connection: sqlite3.Connection, table: Searchable, rows: Iterable[tuple[str, tuple[str, ...]]]) -> None:
    """Put entries, by id, into the index of their table; those it already holds are replaced.

    Removing an entry takes its words along by a trigger.
    """
    index, columns = INDEX_OF[table], _COLUMNS[table]
    insert = f"INSERT INTO {index} (rowid, {', '.join(columns)}) VALUES (?{', ?' * len(columns)})"  # noqa: S608 - our names
    for identifier, words in rows:
        (entry,) = connection.execute(f"SELECT entry FROM {table} WHERE id = ?", (identifier,)).fetchone()  # noqa: S608
        connection.execute(f"DELETE FROM {index} WHERE rowid = ?", (entry,))  # noqa: S608 - our own names
        connection.execute(insert, (entry, *words))


def word_columns(table: Searchable) -> tuple[str, ...]:
    """The columns of the index of a table."""
    return _COLUMNS[table]
