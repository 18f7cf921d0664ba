"""Run the sentence rules over prose: statements first, then nouns with a symbol beside them for what is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mathrag.extract.definitions.apposition import appositions_in
from mathrag.extract.definitions.outline import Found, Reach
from mathrag.extract.definitions.prose import Prose
from mathrag.extract.definitions.statements import Statement, statements_in
from mathrag.language.tokens import Token, sentences
from mathrag.language.word_classes import word_class, word_list

_LONGEST_SENTENCE = 400
_LEADS = word_class("definitions.list_leads")
_LEAD_PHRASES = word_list("definitions.list_lead_phrases")


def found_in_prose(prose: Prose, *, is_item: bool = False, is_where: bool = False) -> Iterator[Found]:
    """Every definition of some prose. `is_item`: each sentence is an item of a list of symbols."""
    for first, end in sentences(prose.tokens):
        tokens = prose.tokens[first : min(end, first + _LONGEST_SENTENCE)]
        yield from _found_in_sentence(prose, first, tokens, is_item=is_item, is_where=is_where)


def found_in_part(prose: Prose, first: int, end: int, *, is_item: bool) -> Iterator[Found]:
    """The definitions of the tokens from one place up to another, as of one sentence."""
    yield from _found_in_sentence(prose, first, prose.tokens[first:end], is_item=is_item, is_where=False)


def _found_in_sentence(
    prose: Prose, first: int, tokens: Sequence[Token], *, is_item: bool, is_where: bool
) -> Iterator[Found]:
    said: set[str] = set()
    for statement in statements_in(tokens, is_item=is_item, is_where=is_where):
        for found in _of_statement(prose, first, statement):
            if found.symbol.name not in said:
                said.add(found.symbol.name)
                yield found
    for beside in appositions_in(tokens):
        if beside.symbol.name in said:
            continue
        said.add(beside.symbol.name)
        block = tokens[beside.start].block
        yield Found(
            symbol=beside.symbol,
            description=beside.words,
            source=beside.source,
            confidence=beside.confidence,
            block=block,
            place=prose.places[block],
            quote=prose.quote(first + beside.start, first + max(beside.start, beside.end - 1)),
            unit_text=beside.unit_text,
            reach="formula" if beside.source in ("formula_sentence", "unit") else "section",
        )


def _of_statement(prose: Prose, first: int, statement: Statement) -> Iterator[Found]:
    block = prose.tokens[first + statement.start].block
    reach: Reach = "onwards" if statement.manner == "let" else "formula" if statement.manner != "is" else "section"
    for symbol, phrase in zip(statement.symbols, statement.phrases, strict=True):
        yield Found(
            symbol=symbol,
            description=phrase.words,
            source={"names": "denoted", "item": "list"}.get(statement.manner, statement.manner),
            confidence=statement.confidence,
            block=block,
            place=prose.places[block],
            quote=prose.quote(first + statement.start, first + max(statement.start, statement.end - 1)).rstrip(" ,;"),
            unit_text=phrase.unit_text,
            reach=reach,
        )


def leads_to_list(ending: str) -> bool:
    """Whether prose ends in a way that a list of symbols follows: "where:", "with the symbols"."""
    words = [word.casefold() for word in ending.rstrip(" :.,–—-*\n").rsplit(None, 2)[-2:]]
    return bool(words) and (words[-1] in _LEADS or " ".join(words) in _LEAD_PHRASES)
