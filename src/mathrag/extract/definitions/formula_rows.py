"""Rows of a displayed formula that say in words what a symbol is: `\\rho &= \\text{density of the fluid}`.

Lectures often set the explanation of symbols as further rows of the formula, with "where" on a row of its own. Here the
rows with words are told from those that state something; whoever reads formulas gets the latter, whoever looks for
definitions the former.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from mathrag.language.word_classes import word_class
from mathrag.types.document import Document, Math, with_formulas

_TEXT_COMMAND = r"\\(?:text|textrm|textit|textnormal|textup|mbox|hbox)\s*\{"
_LONGEST_BLOCK = 8_000
_MOST_ROWS = 60
_ENVIRONMENT = re.compile(
    r"^\s*\\begin\{(?P<name>align(?:ed|at)?\*?|eqnarray\*?|split|gather(?:ed)?\*?|array|tabular|multline\*?)\}"
    r"(?:\s*\{[^{}]{0,40}\})?(?P<body>.*)\\end\{(?P=name)\}\s*[.,;]?\s*$",
    re.DOTALL,
)
_INTERTEXT = re.compile(r"\\(?:short)?intertext\s*\{[^{}]{0,400}\}")
_LABEL = re.compile(r"\\(?:label|tag)\*?\s*\{[^{}]{0,80}\}|\\(?:nonumber|notag)\b")
_RELATION = re.compile(r":=|=|\\equiv(?![a-zA-Z])|\\triangleq(?![a-zA-Z])|:(?!=)")
_WORDS = re.compile(_TEXT_COMMAND)
_WORD = re.compile(r"[A-Za-z]{3,}")
_BESIDE_WORDS = re.compile(r"[=+/]|\\(?:frac|dfrac|tfrac|sum|int|times|cdot|sqrt|over)(?![a-zA-Z])|(?<![\^{_])-")
_UNIT_BEHIND = re.compile(r"^\s*(?:\\left)?\s*[\[(].{1,60}[\])]\s*[.,;]?\s*$", re.DOTALL)
_SPACING = re.compile(r"\\(?:[,;:! ]|quad\b|qquad\b)|~")
# What stands for a formula that was nothing but an explanation: states nothing, so that no reader keeps it.
_NOTHING = "\N{WHITE SQUARE}"
_LEFT = re.compile(r"(?!\\(?:text|mbox|hbox))[A-Za-z\\{][^=+/*<>]{0,60}$")
_WHERE = word_class("definitions.where") | word_class("definitions.list_leads")


@dataclass(frozen=True, slots=True)
class WordedRow:
    """A row that explains: the LaTeX of the symbol, and words and short formulas in turn behind the sign."""

    left: str
    pieces: tuple[tuple[str, bool], ...]

    @property
    def words(self) -> str:
        """The words alone."""
        return " ".join(text.strip() for text, is_words in self.pieces if is_words)


@dataclass(frozen=True, slots=True)
class RowsApart:
    """A displayed formula without its rows of words (empty where nothing else is left), and those rows."""

    formula: str
    rows: tuple[WordedRow, ...]


@lru_cache(maxsize=2048)
def rows_apart(source: str) -> RowsApart | None:
    """The rows of a displayed formula by what they are for; None where none of them explains a symbol."""
    if len(source) > _LONGEST_BLOCK or not _WORDS.search(source):
        return None
    source = source.strip().strip("$").strip()
    found = _ENVIRONMENT.match(source)
    if found is None and "\\\\" in source:
        return None
    body = _LABEL.sub("", _INTERTEXT.sub(r"\\\\", found["body"] if found else source))
    rows = _split(body)
    if not 1 <= len(rows) <= _MOST_ROWS:
        return None
    kept, worded = _sorted_rows(rows)
    if not worded and kept:
        return None
    formula = " \\\\\n".join(kept)
    return RowsApart(f"\\begin{{aligned}}\n{formula}\n\\end{{aligned}}" if kept else "", tuple(worded))


def without_explaining_rows(document: Document) -> Document:
    """The document with every displayed formula freed of the rows that only explain its symbols."""
    blocks = tuple(with_formulas(block, _freed) for block in document.blocks)
    return document if blocks == document.blocks else replace(document, blocks=blocks)


def _freed(math: Math) -> Math:
    if math.notation != "latex" or not math.is_certain:
        return math
    apart = rows_apart(math.source)
    return math if apart is None else replace(math, source=apart.formula or _NOTHING)


def _split(body: str) -> list[str]:
    """The rows: cut at `\\\\` outside of braces and of environments inside."""
    rows: list[str] = [""]
    depth = place = 0
    while place < len(body):
        if body.startswith("\\begin{", place) or body.startswith("\\end{", place):
            depth += 1 if body[place + 1] == "b" else -1
        if body.startswith("\\\\", place):
            place += 2
            if depth == 0:
                rows.append("")
                # The optional space behind a row: `\\[2pt]`.
                skipped = re.compile(r"\s*\[\s*-?[0-9.]{1,6}\s*[a-z]{2}\s*\]").match(body, place)
                place = skipped.end() if skipped else place
            else:
                rows[-1] += "\\\\"
            continue
        if body[place] == "\\" and place + 1 < len(body):
            rows[-1] += body[place : place + 2]
            place += 2
            continue
        depth += (body[place] == "{") - (body[place] == "}")
        rows[-1] += body[place]
        place += 1
    return [row.strip() for row in rows if row.replace("&", "").strip()]


def _sorted_rows(rows: Sequence[str]) -> tuple[list[str], list[WordedRow]]:
    """The rows to compute with, each chain with its left side, and the rows of words."""
    kept: list[str] = []
    worded: list[WordedRow] = []
    left = ""
    is_cut = False  # whether the row before, of the same chain, was taken away
    goes_on = False  # whether the row before ended with words that the next row may go on with
    for row in rows:
        bare = row.replace("&", " ").strip()
        own_left, right = _sides(bare)
        pieces = _pieces(right if own_left is not None else bare)
        is_worded = own_left is not None and pieces is not None
        if own_left is None and pieces is not None:
            # "where" on a row of its own, or the rest of the words above.
            text = " ".join(text for text, _ in pieces)
            if goes_on and worded and text.strip(" :,.").casefold() not in _WHERE:
                worded[-1] = replace(worded[-1], pieces=(*worded[-1].pieces, *pieces))
            goes_on = goes_on and bool(worded)
            continue
        left = own_left or left
        if is_worded and pieces is not None and (not left or _LEFT.match(left)):
            if left:
                worded.append(WordedRow(left, pieces))
            is_cut = goes_on = True
            continue
        kept.append(f"{left} {bare}" if own_left == "" and is_cut and left else row)
        is_cut = goes_on = False
    return kept, worded


def _sides(row: str) -> tuple[str | None, str]:
    """What stands before the first sign of equality outside of braces, and behind it; None where there is none."""
    depth = 0
    place = 0
    while place < len(row):
        if depth == 0:
            found = _RELATION.match(row, place)
            if found:
                return row[:place].strip(), row[found.end() :].strip()
        if row[place] == "\\":
            place += 2
            continue
        depth += (row[place] in "{([") - (row[place] in "})]")
        place += 1
    return None, row


def _pieces(text: str) -> tuple[tuple[str, bool], ...] | None:
    """Words and short formulas in turn, where the text begins with words and computes nothing; else None."""
    text = _SPACING.sub(" ", text).strip()
    if not _WORDS.match(text):
        return None
    pieces = tuple(_cut(text))
    words = " ".join(piece for piece, is_words in pieces if is_words)
    if not _WORD.search(words):
        return None
    formulas = [piece for piece, is_words in pieces if not is_words]
    if any(_BESIDE_WORDS.search(piece) and not _UNIT_BEHIND.match(piece) for piece in formulas):
        return None
    return pieces


def _cut(text: str) -> Iterator[tuple[str, bool]]:
    place = 0
    while place < len(text):
        found = _WORDS.search(text, place)
        if found is None:
            break
        if text[place : found.start()].strip():
            yield text[place : found.start()].strip(), False
        depth, end = 1, found.end()
        while end < len(text) and depth:
            depth += (text[end] == "{") - (text[end] == "}")
            end += 1
        yield text[found.end() : end - 1], True
        place = end
    if text[place:].strip(" .,;"):
        yield text[place:].strip(), False
