"""Prose as tokens: words, marks, numbers and formulas in order, each with its place. Knows no grammar of sentences."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from mathrag.extract.definitions.symbols import SymbolSeen, symbol_of_word, symbols_of
from mathrag.extract.definitions.vocabulary import ABBREVIATIONS
from mathrag.types.document import Break, Content, Inline, Math, Place, Text

TokenKind: TypeAlias = Literal["word", "mark", "number", "math", "break"]

_PIECES = re.compile(
    r"(?P<number>\d+(?:[.,]\d+)*(?![\w]))"
    r"|(?P<word>(?:e\.g|i\.e)\.?"
    r"|[^\W\d_](?:[\w'’′₀-₉ₐ-ₜ]|[-‐‑](?=[^\W\d_]{2})|_\{[^{}\s]{1,12}\})*)"
    r"|(?P<mark>\S)"
)
# `m = \text{mass (kg)}`: the words of a formula are words.
_WORDED = re.compile(
    r"^(?P<left>[^=:{}]{1,30}(?:\{[^{}]{0,20}\})?)\s*(?:=|:|\\equiv)\s*\\(?:text|textrm|mbox|mathrm|textit)\{(?P<words>[^{}]{3,120})\}\.?$"
)
_LEADING_WORDS = re.compile(r"^\\(?:text|textrm|mbox)\{(?P<words>[^{}]{2,60})\}\s*(?P<rest>.+)$")


class Token(NamedTuple):
    """One piece of prose. `start` and `end` are places in the plain text of its content; `block` the block's index.

    `lower` is the text without case. A tuple, because a book has half a million of them.
    """

    kind: TokenKind
    text: str
    lower: str
    start: int
    end: int
    block: int = -1
    is_spaced: bool = False
    is_italic: bool = False
    is_bold: bool = False
    math: Math | None = None

    def symbols(self) -> tuple[SymbolSeen, ...]:
        """The symbols it is, where it is mathematics."""
        return symbols_of(self.math) if self.math is not None else ()

    def styled_symbol(self) -> SymbolSeen | None:
        """The symbol that an italic or bold short word is."""
        if self.kind == "word" and (self.is_italic or self.is_bold):
            return symbol_of_word(self.text)
        return None

    def plain_symbol(self) -> SymbolSeen | None:
        """The symbol that a short word could be."""
        return symbol_of_word(self.text) if self.kind == "word" else None


@dataclass(frozen=True, slots=True)
class Prose:
    """The tokens of one or several contents in a row, and the texts they come from."""

    tokens: tuple[Token, ...]
    texts: dict[int, str]
    places: dict[int, Place]

    def quote(self, first: int, last: int) -> str:
        """The exact words from one token to another (both included) of the block of the first."""
        start = self.tokens[first]
        end = next(token for token in reversed(self.tokens[first : last + 1]) if token.block == start.block)
        return self.texts[start.block][start.start : end.end]


_SYMBOL_LIKE = re.compile(
    r"(?<![\w'’])(?:[B-HJ-Zb-z]|[Α-ω]|[A-Za-z]{1,3}_|[A-Z]{2,6}|[A-Za-z][₀-₉ₐ-ₜ0-9]|pH|pOH|Re|Nu|Pr|Sc|Sh|Bi|Gr|Pe|We|Fr|Ma)(?![A-Za-z'’])|(?<!\w)[aI](?=\s+(?:is|=|denotes)\b)|[∆Δ]"
)


def may_define(content: Content) -> bool:
    """A quick look whether a content can hold a symbol at all: most prose does not."""
    for piece in content:
        if isinstance(piece, Math):
            return True
        if isinstance(piece, Text) and (
            ((piece.italic or piece.bold) and len(piece.text) < 16) or _SYMBOL_LIKE.search(piece.text)
        ):
            return True
    return False


def prose_of(contents: Sequence[tuple[int, Content, Place]]) -> Prose:
    """Tokens of contents with the index and the place of the block each belongs to."""
    tokens: list[Token] = []
    texts: dict[int, str] = {}
    places: dict[int, Place] = {}
    for block, content, place in contents:
        found, text = _tokens_of(content, block)
        tokens.extend(found)
        texts[block] = text
        places[block] = place
    return Prose(tuple(tokens), texts, places)


def _tokens_of(content: Content, block: int) -> tuple[list[Token], str]:
    tokens: list[Token] = []
    texts: list[str] = []
    offset = 0
    run: list[Text] = []
    for piece in (*content, None):
        if isinstance(piece, Text):
            run.append(piece)
            continue
        if run:
            text = "".join(part.text for part in run)
            tokens.extend(_text_tokens(run, text, offset, block))
            texts.append(text)
            offset += len(text)
            run = []
        if piece is not None:
            text = _piece_text(piece)
            tokens.extend(_piece_tokens(piece, text, offset, block))
            texts.append(text)
            offset += len(text)
    return tokens, "".join(texts)


def _piece_text(piece: Inline) -> str:
    match piece:
        case Math():
            return piece.quote
        case Break():
            return "\n"
        case Text():
            return piece.text


def _piece_tokens(piece: Inline, text: str, offset: int, block: int) -> Iterator[Token]:
    if isinstance(piece, Break):
        yield Token("break", "\n", "\n", offset, offset + 1, block)
    elif isinstance(piece, Math):
        end = offset + len(text)
        yield from _math_tokens(
            piece, Token("math", piece.source, piece.source, offset, end, block, is_spaced=True, math=piece)
        )


def _math_tokens(piece: Math, token: Token) -> Iterator[Token]:
    """A formula is one token, unless it holds words: then its symbol and its words are tokens."""
    source = piece.source.strip().strip("$").strip() if piece.notation == "latex" else ""
    if "\\text" not in source and "\\mbox" not in source and "\\mathrm" not in source:
        yield token
        return
    lead = _LEADING_WORDS.match(source)
    if lead:
        for word in _text_tokens([Text(lead["words"])], lead["words"], token.start, token.block):
            yield word._replace(start=token.start, end=token.end)
        source = lead["rest"].strip()
        if not source.startswith("{"):
            piece = replace(piece, source=source, is_display=False)
            token = token._replace(text=source, lower=source, math=piece)
    worded = _WORDED.match(source)
    if worded and worded["words"].strip().isprintable() and " " in worded["words"].strip() + " ":
        yield token._replace(
            text=worded["left"],
            lower=worded["left"],
            math=replace(piece, source=worded["left"].strip(), is_display=False),
        )
        yield Token("mark", "=", "=", token.start, token.end, token.block, is_spaced=True)
        for word in _text_tokens([Text(worded["words"])], worded["words"], token.start, token.block):
            yield word._replace(start=token.start, end=token.end)
    else:
        yield token


def _text_tokens(run: Sequence[Text], text: str, offset: int, block: int) -> Iterator[Token]:
    ends = list(itertools.accumulate(len(part.text) for part in run))
    index = 0
    last = -1
    for match in _PIECES.finditer(text):
        start, end = match.span()
        while ends[index] <= start:
            index += 1
        style = run[index]
        word = match.group()
        kind: TokenKind = match.lastgroup  # type: ignore[assignment]
        lower = word if kind == "mark" else word.casefold()
        is_spaced = start != last
        yield Token(kind, word, lower, offset + start, offset + end, block, is_spaced, style.italic, style.bold)
        last = end


def joined(tokens: Sequence[Token]) -> str:
    """The tokens as text again, with single blanks where they had any; formulas as their source."""
    parts: list[str] = []
    for token in tokens:
        if parts and token.is_spaced:
            parts.append(" ")
        parts.append(token.text)
    return "".join(parts).strip()


def sentences(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Where sentences begin and end (end excluded). A displayed formula or a line break does not end one."""
    start = 0
    for place, token in enumerate(tokens):
        if token.text in (".", "?", "!") and token.kind == "mark" and _ends_sentence(tokens, place):
            yield start, place + 1
            start = place + 1
    if start < len(tokens):
        yield start, len(tokens)


def _ends_sentence(tokens: Sequence[Token], place: int) -> bool:
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if following is None:
        return True
    if not following.is_spaced and following.kind not in ("break",) and following.block == tokens[place].block:
        return following.kind == "mark" and following.text in ')"”’'
    before = tokens[place - 1] if place else None
    if before is not None and before.kind == "word" and tokens[place].text == ".":
        if before.lower.rstrip(".") in ABBREVIATIONS:
            return False
        return not (following.kind == "word" and following.text[:1].islower() and following.plain_symbol() is None)
    return True
