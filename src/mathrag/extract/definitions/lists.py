"""Lists and lines of symbols: "where:" with bullets, nomenclature lines, definition lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mathrag.extract.definitions.apposition import extended
from mathrag.extract.definitions.outline import Found
from mathrag.extract.definitions.prose import Prose, may_define, prose_of
from mathrag.extract.definitions.prose_rules import found_in_part, found_in_prose
from mathrag.extract.definitions.symbols import any_symbol, plain_symbol, styled_symbol
from mathrag.language.noun_phrases import clean, read_phrase
from mathrag.language.quantity_names import names_quantity
from mathrag.language.tokens import DASHES, SymbolSeen, Token, joined
from mathrag.types.document import Break, Content, Heading, ListItem, Place, Text, plain_text

_LONGEST_NOTE = 4_000
_IDENTIFIER = re.compile(r"[^\W\d_]\w{1,23}")
_OPENING = re.compile(r"\s*[^\W\d_]\w{1,23}\s*=\s")
_SIGNS = DASHES | frozenset((":", "=", "≡"))


def found_in_item(block: int, item: ListItem, *, is_governed: bool, is_nomenclature: bool) -> Iterator[Found]:
    """The definitions of one item. `is_governed`: the prose before announced symbols."""
    if item.term:
        found = list(_of_term(block, item.term, item.content, item.place))
        if found:
            yield from found
            return
    yield from found_in_line(block, item.content, item.place, is_governed=is_governed, is_nomenclature=is_nomenclature)


def found_in_line(
    block: int, content: Content, place: Place, *, is_governed: bool, is_nomenclature: bool
) -> Iterator[Found]:
    """A line that may be "symbol: meaning (unit)" or the other way round; else ordinary prose."""
    if not may_define(content) and _OPENING.match(plain_text(content)) is None:
        return
    prose = with_identifier(prose_of([(block, content, place)]), is_governed=is_governed or is_nomenclature)
    if not prose.tokens:
        return
    if starts_with_symbol(prose.tokens, is_governed=is_governed or is_nomenclature):
        found = list(found_in_prose(prose, is_item=True))
        if found and _is_at_start(prose.tokens, found[0]):
            source = "nomenclature" if is_nomenclature else found[0].source
            for one in found:
                yield replace(
                    one, source=source, confidence=1.0 if is_nomenclature else one.confidence,
                    reach="document" if is_nomenclature else "formula",
                )  # fmt: skip
            return
    turned = _turned(prose, block, place)
    if turned is not None and (is_governed or is_nomenclature or names_quantity(turned.description)):
        yield replace(turned, reach="document" if is_nomenclature else "formula")
        return
    yield from found_in_prose(prose, is_where=is_governed)


def found_in_heading(block: int, heading: Heading) -> Iterator[Found]:
    """`Slip ($s$)`, `The drag coefficient $C_d$`: a title names the symbol of its section."""
    if not may_define(heading.content):
        return
    for one in found_in_prose(prose_of([(block, heading.content, heading.place)])):
        if one.source in ("parenthesis", "apposition") and one.description:
            yield replace(one, reach="section")


def is_note(content: Content) -> bool:
    """Whether a paragraph is a note in brackets, as stands over a table: `[Q, discharge; h, head, in feet]`."""
    text = plain_text(content).strip()
    return text.startswith("[") and text.endswith("]") and ";" in text and len(text) < _LONGEST_NOTE


def found_in_note(block: int, content: Content, place: Place) -> Iterator[Found]:
    """Each part of such a note, between its semicolons, as an item of a list of symbols."""
    prose = prose_of([(block, content, place)])
    first = 1
    ends = [index for index, token in enumerate(prose.tokens) if token.text == ";"]
    for end in (*ends, len(prose.tokens) - 1):
        if end - first > 2 and starts_with_symbol(prose.tokens[first:end], is_governed=True):
            for one in found_in_part(prose, first, end, is_item=True):
                yield replace(one, reach="section")
        first = end + 1


def with_identifier(prose: Prose, *, is_governed: bool) -> Prose:
    """The line with the name that opens it as a symbol, where an equals sign says that it is one: `fz = feed a tooth`.

    Nobody writes that sign behind a word of a sentence.
    """
    if len(prose.tokens) < 3 or prose.tokens[1].text != "=":
        return prose
    first = prose.tokens[0]
    if (
        first.kind != "word"
        or first.symbols
        or plain_symbol(first) is not None
        or not _IDENTIFIER.fullmatch(first.text)
    ):
        return prose
    symbol = any_symbol(first.text)
    if symbol is None or not (is_governed or names_quantity(read_phrase(prose.tokens[2:]).words)):
        return prose
    return replace(prose, tokens=(first._replace(symbols=(symbol,)), *prose.tokens[1:]))


def starts_with_symbol(tokens: Sequence[Token], *, is_governed: bool) -> bool:
    """Whether a line opens with a symbol and a sign or verb that defines it."""
    first = tokens[0]
    if len(tokens) < 3 and not (len(tokens) == 2 and first.symbols):
        return False
    if first.kind == "math":
        return bool(first.symbols) or "=" in first.text
    if first.kind != "word" or not (first.symbols or plain_symbol(first)):
        return False
    signs = [token.text for token in tokens[1:6]]
    is_signed = any(sign in _SIGNS for sign in signs[:1]) or (bool(signs) and signs[0] in ("(", ",", "and"))
    if first.is_italic or first.is_bold or is_governed:
        return True
    return is_signed and names_quantity(read_phrase(tokens[2:]).words)


def _is_at_start(tokens: Sequence[Token], found: Found) -> bool:
    first = tokens[0]
    symbols = first.symbols or tuple(symbol for symbol in (plain_symbol(first),) if symbol)
    if first.kind == "math" and not symbols:
        return True
    return any(symbol.name == found.symbol.name for symbol in symbols)


def _of_term(block: int, term: Content, content: Content, place: Place) -> Iterator[Found]:
    symbols = symbols_of_content(term)
    prose = prose_of([(block, content, place)])
    if symbols:
        phrase = read_phrase(prose.tokens)
        if phrase.words:
            for symbol in symbols:
                yield Found(
                    symbol, phrase.words, "definition_list", 0.97, block, place, plain_text(content).strip(),
                    phrase.unit_text, "section",
                )  # fmt: skip
        return
    turned = _turned(prose_of([(block, (*term, Text(": "), *content), place)]), block, place)
    if turned is not None:
        yield replace(turned, source="definition_list", confidence=0.95, reach="section")
        return
    yield from found_in_prose(prose_of([(block, term, place)]))
    yield from found_in_prose(prose)


def symbols_of_content(content: Content, *, any_word: bool = True) -> tuple[SymbolSeen, ...]:
    """The symbols of a content that holds nothing but symbols: a cell, a term."""
    tokens = [token for token in prose_of([(0, content, Place())]).tokens if token.kind != "break"]
    found: list[SymbolSeen] = []
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.lower in (",", ";", "or", "and", "/", "&") and parts[-1]:
            parts.append([])
        elif token.text not in ("*", "`", "_"):
            parts[-1].append(token)
    for part in (part for part in parts if part):
        if part[0].kind == "math" and len(part) == 1:
            symbols = part[0].symbols
            if not symbols:
                return ()
            found.extend(symbols)
            continue
        text = joined(part).strip()
        symbol = any_symbol(text) if " " not in text and any_word else plain_symbol(part[0])
        if symbol is None or len(text) > 14:
            return ()
        found.append(symbol)
    return tuple(found[:6])


def _turned(prose: Prose, block: int, place: Place) -> Found | None:
    """`velocity: $v$ (m/s)`: the words first."""
    tokens = prose.tokens
    sign = next(
        (index for index, token in enumerate(tokens[:9]) if token.text in (":", "=", "–", "—", "-") and index), None
    )
    if sign is None or sign + 1 >= len(tokens) or any(token.kind != "word" for token in tokens[:sign]):
        return None
    symbol_token = tokens[sign + 1]
    symbols = symbol_token.symbols or tuple(item for item in (styled_symbol(symbol_token),) if item)
    if len(symbols) != 1:
        return None
    words = clean([token.text for token in tokens[:sign]])
    _, rest, unit_text = extended(tokens, sign + 1, words)
    if rest < len(tokens) and tokens[rest].text not in (".", ",", ";", "("):
        return None
    quote = prose.quote(0, len(tokens) - 1)
    return Found(symbols[0], words, "list", 0.88, block, place, quote, unit_text, "formula")


def lines_of(content: Content) -> list[Content]:
    """A content cut at the line breaks its author set."""
    lines: list[list[object]] = [[]]
    for piece in content:
        if isinstance(piece, Break):
            lines.append([])
        elif isinstance(piece, Text) and "\n" in piece.text and len(piece.text) < 4_000:
            for number, part in enumerate(piece.text.split("\n")):
                if number:
                    lines.append([])
                lines[-1].append(Text(part, piece.bold, piece.italic))
        else:
            lines[-1].append(piece)
    return [tuple(line) for line in lines if plain_text(tuple(line)).strip()]  # type: ignore[arg-type]
