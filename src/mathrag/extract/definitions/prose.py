"""A document's contents as tokens: its words by the common tokeniser, its formulas whole, with the symbols they are."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mathrag.extract.definitions.formula_rows import WordedRow, rows_apart
from mathrag.extract.definitions.symbols import symbols_of
from mathrag.language.noun_phrases import read_phrase
from mathrag.language.tokens import Token, tokens_of
from mathrag.language.word_classes import word_class
from mathrag.types.document import Break, Content, Inline, Math, Place, Text

# `m = \text{mass (kg)}`: the words of a formula are words.
_WORDED = re.compile(
    r"^(?P<left>[^=:{}]{1,30}(?:\{[^{}]{0,20}\})?)\s*(?:=|:|\\equiv)\s*\\(?:text|textrm|mbox|mathrm|textit)\{(?P<words>[^{}]{3,120})\}\.?$"
)
_SIGNED = re.compile(r"^(?P<left>[^=:<>&]{1,80}?)\s*(?P<sign>[=:])(?:\s|\\[,;: ])*$")
_LEADING_WORDS = re.compile(r"^\\(?:text|textrm|mbox)\{(?P<words>[^{}]{2,60})\}\s*(?P<rest>.+)$")
_FEWEST_LINES = 3
_DETERMINERS = word_class("grammar.determiners")
_PREPOSITIONS = word_class("grammar.prepositions")
_NO_NAME_HOLDS = word_class("phrases.clause_verbs") | word_class("definitions.copulas")
_NO_NAME_BEGINS = _DETERMINERS | _PREPOSITIONS | _NO_NAME_HOLDS | word_class("phrases.before_stops")


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
    return (list(_apart(tokens)) if _is_run_of_names(tokens) else tokens), "".join(texts)


def _is_run_of_names(tokens: Sequence[Token]) -> bool:
    """Whether formulas and names take turns with nothing between, a formula first and a name last.

    So lines of a legend come that a format joins: `$q$ fuel flow $h$ heating value $P = q h$ firing rate`. Each name
    then says what stands before it, though the next formula follows it as closely.
    """
    starts = [place for place, token in enumerate(tokens) if token.kind == "math"]
    if len(starts) < _FEWEST_LINES or starts[0]:
        return False
    return all(
        _is_bare_name(tokens[start + 1 : stop]) for start, stop in zip(starts, [*starts[1:], len(tokens)], strict=True)
    )


def _is_bare_name(tokens: Sequence[Token]) -> bool:
    """Whether tokens are one noun phrase without an article in front, and no part of a sentence."""
    if not tokens or tokens[0].kind != "word" or tokens[0].lower in _NO_NAME_BEGINS:
        return False
    for before, token in itertools.pairwise(tokens):
        if token.lower in _NO_NAME_HOLDS or (token.lower in _DETERMINERS and before.lower not in _PREPOSITIONS):
            return False
    return read_phrase(tokens).length == len(tokens)


def _apart(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.kind == "math" and token.start:
            yield Token("break", "\n", "\n", token.start, token.start, block=token.block)
        yield token


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
        yield Token("break", "\n", "\n", offset, offset + 1, block=block)
    elif isinstance(piece, Math):
        token = _formula(Token("math", "", "", offset, offset + len(text), is_spaced=True, block=block), piece)
        yield from _math_tokens(piece, token)


def _formula(token: Token, math: Math) -> Token:
    return token._replace(text=math.source, lower=math.source, math=math, symbols=symbols_of(math))


def _math_tokens(piece: Math, token: Token) -> Iterator[Token]:
    """A formula is one token, unless it holds words: then its symbol and its words are tokens."""
    source = piece.source.strip().strip("$").strip() if piece.notation == "latex" else ""
    signed = _SIGNED.match(source) if len(source) < 90 else None
    if signed:
        # `$Q =$ flow rate`: the sign stands inside the formula, what it leads to behind it.
        yield _formula(token, replace(piece, source=signed["left"], is_display=False))
        yield Token("mark", signed["sign"], signed["sign"], token.start, token.end, is_spaced=True, block=token.block)
        return
    if "\\text" not in source and "\\mbox" not in source and "\\mathrm" not in source:
        yield token
        return
    apart = rows_apart(source)
    if apart is not None:
        if apart.formula:
            yield _formula(token, replace(piece, source=apart.formula))
        for row in apart.rows:
            yield from _row_tokens(piece, token, row)
        return
    lead = _LEADING_WORDS.match(source)
    if lead:
        for word in _text_tokens([Text(lead["words"])], lead["words"], token.start, token.block):
            yield word._replace(start=token.start, end=token.end)
        source = lead["rest"].strip()
        if not source.startswith("{"):
            piece = replace(piece, source=source, is_display=False)
            token = _formula(token, piece)
    worded = _WORDED.match(source)
    if worded and worded["words"].strip().isprintable() and " " in worded["words"].strip() + " ":
        yield _formula(token, replace(piece, source=worded["left"].strip(), is_display=False))
        yield Token("mark", "=", "=", token.start, token.end, is_spaced=True, block=token.block)
        for word in _text_tokens([Text(worded["words"])], worded["words"], token.start, token.block):
            yield word._replace(start=token.start, end=token.end)
    else:
        yield token


def _row_tokens(piece: Math, token: Token, row: WordedRow) -> Iterator[Token]:
    """A row that explains a symbol, on a line of its own: the symbol, a sign, its words."""
    yield Token("break", "\n", "\n", token.start, token.end, block=token.block)
    yield _formula(token, replace(piece, source=row.left, is_display=False))
    yield Token("mark", "=", "=", token.start, token.end, is_spaced=True, block=token.block)
    for text, is_words in row.pieces:
        if not is_words and text[:1] not in "[(":
            yield _formula(token, replace(piece, source=text, is_display=False))
            continue
        for word in _text_tokens([Text(text)], text, token.start, token.block):
            yield word._replace(start=token.start, end=token.end)
    yield Token("break", "\n", "\n", token.start, token.end, block=token.block)


def _text_tokens(run: Sequence[Text], text: str, offset: int, block: int) -> Iterator[Token]:
    ends = list(itertools.accumulate(len(part.text) for part in run))
    index = 0
    for token in tokens_of(text, grain="printed"):
        while ends[index] <= token.start:
            index += 1
        style = run[index]
        yield token._replace(
            start=offset + token.start,
            end=offset + token.end,
            is_italic=style.italic,
            is_bold=style.bold,
            block=block,
        )
