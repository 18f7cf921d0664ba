"""What stands around a formula about its symbols, in whatever manner it is said.

The rules of sentences know how people say what a symbol is ("where m is the mass", "the mass m"). A legend is known the
other way round: by the symbols of the formula beside it. Where such a symbol opens a part of the text and a sign or a
noun phrase follows ("C_t target concentration in mg/L, V_d volume", "w ... load per metre (N/m)"), or where a noun
phrase leads to it ("from threads per cm $n$"), the words are what the document calls it, whether we know them or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mathrag.extract.definitions.outline import Found, Outline
from mathrag.extract.definitions.prose import Prose, may_define, prose_of
from mathrag.extract.definitions.statements import singular
from mathrag.extract.definitions.symbols import any_symbol, plain_symbol, target_of
from mathrag.extract.sentence_names import names_rule
from mathrag.language.noun_phrases import clean, noun_before, read_phrase
from mathrag.language.quantity_names import names_exactly, names_quantity
from mathrag.language.tokens import DASHES, SymbolSeen, Token, closing_place, joined
from mathrag.language.unit_text import is_plain_unit, reads_as_unit, unit_run
from mathrag.language.word_classes import word_class, word_list
from mathrag.types.document import Block, Content, Display, ListItem, Math, Paragraph, Place

_COPULAS = word_class("definitions.copulas")
_NAMING_VERBS = word_class("definitions.naming_verbs")
_WHERE = word_class("definitions.where")
_BEFORE_STOPS = word_class("phrases.before_stops")
_LABELLED_THINGS = word_class("definitions.labelled_things")
_SYMBOL_NOUNS = word_class("definitions.symbol_nouns")
_EMPTY_NOUNS = word_class("definitions.empty_nouns")
_NOT_A_DESCRIPTION = word_class("definitions.not_a_description")
_DETERMINERS = word_class("grammar.determiners")
_ARTICLES = word_class("grammar.articles")
_CLAUSE_VERBS = word_class("phrases.clause_verbs")
_USELESS_NOUNS = word_class("definitions.useless_nouns")
_QUANTITY_ENDINGS = word_list("definitions.quantity_endings")
_MAY_OPEN = word_class("definitions.may_open")
_ED_NOUNS = word_class("phrases.ed_nouns")
_HAVING = word_class("definitions.having")
_PREPOSITIONS = word_class("grammar.prepositions")
# How far a formula reaches for its legend: back over what introduces it, on over what explains it.
_BACK, _ON = 2, 8
_LONGEST = 1_500
_MOST_WORDS = 12
_SIGNS = DASHES | frozenset((":", "=", "≡", ".", "~"))
_OPENERS = frozenset(("(", "[", ",", ";", ".", ":", "•", "*", "·", "|", "\n", "&"))
_JOINTS = frozenset((",", "and", "or", "&", "/"))
_SIGNED, _JUXTAPOSED, _LED = 0.9, 0.8, 0.72
_SURELY_A_LEGEND = 4
_SHORTEST_PLURAL = 4
_LONGEST_QUOTE = 300
# A symbol with words below or above it; neither holds braces but those of its own subscript.
_BRACE = re.compile(
    r"\\(?:under|over)brace\s*\{\s*(?P<symbol>[^{}]{1,30}(?:\{[^{}]{1,20}\})?)\s*\}\s*[_^]\s*\{\s*"
    r"\\(?:text|textrm|mathrm|mbox|textit)\s*\{(?P<words>[^{}]{3,60})\}\s*\}"
)


# An equation whose right side is more than a number.
_COMPUTES = re.compile(r"=(?=.*[A-Za-z])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Mention:
    """Symbols of a formula in a text, from `start` up to `end`, with the unit in brackets right behind them.

    `is_equation` says that an equation stands there, whose left side is the symbol: words behind it name that side.
    """

    symbols: tuple[SymbolSeen, ...]
    start: int
    end: int
    after: int
    unit_text: str | None
    is_equation: bool = False


def legend_definitions(
    blocks: Sequence[Block], outline: Outline, symbols_at: Mapping[int, frozenset[str]]
) -> Iterator[Found]:
    """What the blocks around formulas say of their symbols; `symbols_at` has the names in each block's equations."""
    for index, block in enumerate(blocks):
        yield from _under_braces(index, block)
        if not isinstance(block, Paragraph | ListItem):
            continue
        names = _names_near(index, outline, symbols_at)
        if names:
            term: Content = block.term if isinstance(block, ListItem) else ()
            content = (*term, *block.content)
            found = list(_found_in(index, content, block.place, names))
            if len(found) >= _SURELY_A_LEGEND:
                # What is a list of symbols beyond doubt is one for all the formulas of its section.
                found = list(
                    _found_in(index, content, block.place, _names_near(index, outline, symbols_at, all_over=True))
                )
            yield from found


def _under_braces(index: int, block: Block) -> Iterator[Found]:
    """`\\underbrace{\\rho}_{\\text{recovery rate}}`: words below a symbol of a formula say what it is."""
    pieces = (block.math,) if isinstance(block, Display) else block.content if isinstance(block, Paragraph) else ()
    for math in pieces:
        if not isinstance(math, Math) or math.notation != "latex" or len(math.source) > _LONGEST:
            continue
        for brace in _BRACE.finditer(math.source):
            symbol, words = any_symbol(brace["symbol"]), clean(brace["words"].split())
            if symbol is not None and _is_description(words):
                quote = math.quote if len(math.quote) <= _LONGEST_QUOTE else brace.group()
                yield Found(symbol, words, "legend", _SIGNED, index, math.place, quote, None, "section")


def _names_near(
    index: int, outline: Outline, symbols_at: Mapping[int, frozenset[str]], *, all_over: bool = False
) -> frozenset[str]:
    section = outline.section_of[index]
    near = [
        names
        for other, names in symbols_at.items()
        if (all_over or -_ON <= other - index <= _BACK) and outline.section_of[other] == section
    ]
    return frozenset().union(*near)


def _found_in(index: int, content: Content, place: Place, names: frozenset[str]) -> Iterator[Found]:
    if not may_define(content):
        return
    prose = prose_of([(index, content, place)])
    if len(prose.tokens) > _LONGEST:
        return
    mentions = list(_mentions(prose.tokens, names))
    signed, juxtaposed = [], []
    for number, mention in enumerate(mentions):
        limit = mentions[number + 1].start if number + 1 < len(mentions) else len(prose.tokens)
        behind = _behind_sign(prose.tokens, mention)
        bracket = _name_in_brackets(prose.tokens, mention)
        if bracket is not None:
            signed.append((mention, mention.after + 1, bracket))
        elif behind is not None:
            signed.append((mention, behind, limit))
        elif _opens(prose.tokens, mention.start) and _may_be_juxtaposed(prose.tokens, mention.after):
            juxtaposed.append((mention, mention.after, limit))
    described: set[int] = set()
    told = [(_SIGNED, one) for one in signed]
    # One alone may be the beginning of any sentence; several of one manner are a legend.
    told += [(_JUXTAPOSED, one) for one in juxtaposed if len(juxtaposed) > 1 or _is_all(prose.tokens, one[0])]
    for confidence, (mention, start, limit) in told:
        found = list(_described(prose, index, place, mention, start, limit, confidence))
        if found:
            described.add(mention.start)
            yield from found
    for mention in mentions:
        if mention.start not in described and not mention.is_equation:
            counted = _counted(prose.tokens, mention)
            if counted:
                quote = prose.quote(mention.start, mention.end)
                yield Found(mention.symbols[0], counted, "legend", _LED, index, place, quote, None, "section")
            else:
                yield from _led(prose, index, place, mention)


def _mentions(tokens: Sequence[Token], names: frozenset[str]) -> Iterator[_Mention]:
    place = 0
    while place < len(tokens):
        symbols: list[SymbolSeen] = []
        end = place
        while end < len(tokens):
            seen = _symbols_at(tokens, end, names)
            if not seen:
                break
            symbols.extend(seen)
            end += 1
            joint = end
            while joint < len(tokens) and joint < end + 2 and tokens[joint].lower in _JOINTS:
                joint += 1
            if joint == end or joint >= len(tokens) or not _symbols_at(tokens, joint, names):
                break
            end = joint
        if not symbols:
            target = _target_at(tokens, place, names)
            if target is not None:
                yield _Mention((target,), place, place + 1, place + 1, None, is_equation=True)
            place += 1
            continue
        after, unit_text = _unit_behind(tokens, end)
        yield _Mention(tuple(symbols), place, end, after, unit_text)
        place = end


def _symbols_at(tokens: Sequence[Token], place: int, names: frozenset[str]) -> tuple[SymbolSeen, ...]:
    token = tokens[place]
    if token.kind == "math":
        return token.symbols if token.symbols and all(one.name in names for one in token.symbols) else ()
    symbol = plain_symbol(token)
    if symbol is None or symbol.name not in names:
        return ()
    following = tokens[place + 1].text if place + 1 < len(tokens) else ""
    # The article and the pronoun are symbols only where a sign makes them one.
    return (symbol,) if token.text not in ("a", "A", "I") or following in _SIGNS - {"."} else ()


def _target_at(tokens: Sequence[Token], place: int, names: frozenset[str]) -> SymbolSeen | None:
    """The left side of an equation that opens a part of the text: `$S = a b$ \\ on-time ramp`."""
    math = tokens[place].math
    if math is None or math.is_display or not _COMPUTES.search(math.source):
        return None
    if not _opens(tokens, place) and tokens[place - 1].text != ")":
        return None
    target = target_of(math)
    return target if target is not None and target.name in names else None


def _name_in_brackets(tokens: Sequence[Token], mention: _Mention) -> int | None:
    """The closing bracket behind an equation with a quantity's name in brackets: `$t = l/v$ (blending time)`."""
    if not mention.is_equation or mention.after >= len(tokens) or tokens[mention.after].text != "(":
        return None
    closing = closing_place(tokens, mention.after)
    if closing is None:
        return None
    phrase = read_phrase(tokens[mention.after + 1 : closing])
    is_whole = mention.after + 1 + phrase.length >= closing
    return closing if is_whole and names_quantity(phrase.words) and not reads_as_unit(phrase.words) else None


def _is_all(tokens: Sequence[Token], mention: _Mention) -> bool:
    """Whether a text is nothing but an equation and the name of a quantity behind it, as in a margin or a cell."""
    if not mention.is_equation or mention.start or len(tokens) == mention.end:
        return False
    phrase = read_phrase(tokens[mention.end :])
    is_whole = mention.end + phrase.length >= len(tokens) - int(tokens[-1].text == ".")
    return is_whole and names_quantity(phrase.words)


def _unit_behind(tokens: Sequence[Token], place: int) -> tuple[int, str | None]:
    """`r [m]`, `f_z, mm`: the place behind a unit in brackets."""
    if place < len(tokens) and tokens[place].text in ("(", "["):
        end = closing_place(tokens, place)
        if end is not None and reads_as_unit(joined(tokens[place + 1 : end])):
            return end + 1, joined(tokens[place + 1 : end])
    return place, None


def _opens(tokens: Sequence[Token], start: int) -> bool:
    """Whether a part of the text begins here."""
    if start == 0:
        return True
    before = tokens[start - 1]
    return before.text in _OPENERS or before.kind == "break" or before.lower in _WHERE or before.lower == "with"


def _behind_sign(tokens: Sequence[Token], mention: _Mention) -> int | None:
    """Where the words begin behind a sign that follows a symbol: `w ... load`, `$c$ -- commits`, `TP being`."""
    if _is_appositive(tokens, mention.after):
        return mention.after + 1
    place = mention.after
    while place < len(tokens) and tokens[place].text in _SIGNS and place < mention.after + 4:
        place += 1
    if place >= len(tokens) or tokens[place].kind != "word":
        return None
    run = "".join(token.text for token in tokens[mention.after : place])
    if run in (".", ""):
        is_said = tokens[place].lower == "being" or (
            _opens(tokens, mention.start) and (tokens[place].lower in _COPULAS or tokens[place].lower in _NAMING_VERBS)
        )
        return place + 1 if not run and is_said else None
    if run in DASHES | {"~"} and not tokens[mention.after].is_spaced:
        # `x-direction` says nothing of x.
        return None
    if run in DASHES and not _opens(tokens, mention.start):
        return None
    return place


def _is_appositive(tokens: Sequence[Token], place: int) -> bool:
    """`$D$, the average infectious period,`: an article behind the comma, and an end behind the noun."""
    if place + 2 >= len(tokens) or tokens[place].text != "," or tokens[place + 1].lower not in _DETERMINERS:
        return False
    end = place + 1 + read_phrase(tokens[place + 1 :]).length
    return end >= len(tokens) or tokens[end].kind == "break" or tokens[end].text in (",", ".", ";", ")", ":")


def _counted(tokens: Sequence[Token], mention: _Mention) -> str:
    """`a station with $c$ servers`: how many there are of what stands behind it; empty where nothing is counted."""
    place = mention.end
    if len(mention.symbols) != 1 or not mention.start or place >= len(tokens) or tokens[place].kind != "word":
        return ""
    noun = tokens[place].text
    is_plural = noun.endswith("s") and not noun.endswith("ss") and len(noun) >= _SHORTEST_PLURAL and noun.islower()
    is_marked = tokens[mention.start].kind == "math"
    if not is_marked or not is_plural or reads_as_unit(noun) or tokens[mention.start - 1].lower not in _HAVING:
        return ""
    return f"number of {noun}"


def _may_be_juxtaposed(tokens: Sequence[Token], place: int) -> bool:
    if place >= len(tokens) or tokens[place].kind != "word" or not tokens[place].is_spaced:
        return False
    lower = tokens[place].lower
    if lower in _DETERMINERS or lower in _ARTICLES:
        return True
    return not (
        lower in _BEFORE_STOPS or lower in _CLAUSE_VERBS or lower in _COPULAS or lower in _PREPOSITIONS
        or lower in _WHERE or plain_symbol(tokens[place]) is not None
    )  # fmt: skip


def _described(
    prose: Prose, index: int, place: Place, mention: _Mention, start: int, limit: int, confidence: float
) -> Iterator[Found]:
    phrase = read_phrase(prose.tokens[start:limit])
    words = phrase.words
    if not _is_description(words) or len(words.split()) > _MOST_WORDS:
        return
    if mention.is_equation and names_rule(words):
        # `$F = m a$ Newton's second law`: the name of the equation.
        return
    end = min(start + phrase.length, limit)
    quote = prose.quote(mention.start, max(mention.start, end - 1)).rstrip(" ,;")
    one = words if len(mention.symbols) == 1 else singular(words)
    for symbol in mention.symbols:
        yield Found(
            symbol, one, "legend", confidence, index, place, quote, mention.unit_text or phrase.unit_text, "formula"
        )


def _is_description(words: str) -> bool:
    first = words.split()[0].casefold() if words else ""
    name = words.split(" of ")[0]
    head = name.split()[-1:]
    # A "heating value" says what it is, a "value" does not.
    is_useless = bool(head and head[0].casefold() in _USELESS_NOUNS) and not names_quantity(name)
    is_empty = words.casefold() in _EMPTY_NOUNS or is_useless
    parts = words.casefold().split()
    if parts and parts[0].endswith("ed") and parts[0] not in _ED_NOUNS and (not parts[1:] or parts[1] in _PREPOSITIONS):
        # "Counted", "based upon the age" is what is done with it.
        return False
    return len(words) > 2 and first not in _NOT_A_DESCRIPTION and not is_empty


def _led(prose: Prose, index: int, place: Place, mention: _Mention) -> Iterator[Found]:
    """`from threads per cm $n$`, `the yarn count in tex $T$`, `the number of teeth ($z$)`: the words before it."""
    tokens = prose.tokens
    start, unit_text, after = mention.start, mention.unit_text, mention.after
    is_marked = tokens[start].kind == "math"
    if start and tokens[start - 1].text == "(":
        closing = closing_place(tokens, start - 1)
        inner = None if closing is None else _inside(tokens, mention.end, closing)
        if inner is None:
            return
        unit_text, is_marked = unit_text or (inner or None), True
        start, after = start - 1, (closing or start) + 1
    if start and is_marked and _is_apposition(tokens, start, after):
        start -= 1
    if not start or not is_marked or tokens[start - 1].kind != "word":
        return
    unit_place = _unit_before(tokens, start)
    if unit_place is not None:
        start, unit_text = unit_place[0], unit_text or unit_place[1]
    noun = noun_before(tokens, start)
    if noun is None:
        return
    words, first = noun.words, noun.start
    if first and tokens[first - 1].lower == "per":
        above = noun_before(tokens, first - 1)
        if above is None:
            return
        words, first = f"{above.words} per {' '.join(token.text for token in tokens[first:start])}", above.start
    is_of = first and tokens[first - 1].lower == "of"
    if not _is_name(words) or (is_of and not names_quantity(words)):
        return
    unit_text = unit_text or _unit_stated(tokens, after)
    quote = prose.quote(first, max(first, mention.end - 1))
    for symbol in mention.symbols:
        yield Found(symbol, words, "legend", _LED, index, place, quote, unit_text, "section")


def _is_apposition(tokens: Sequence[Token], start: int, after: int) -> bool:
    """`The mean stock, $N$, gives`, `The culling rate, $r$ is`: a subject, a comma, its symbol, and what goes on."""
    if tokens[start - 1].text != "," or after >= len(tokens):
        return False
    goes_on = tokens[after].text == "," or tokens[after].lower in _COPULAS or tokens[after].lower in _CLAUSE_VERBS
    noun = noun_before(tokens, start - 1)
    if not goes_on or noun is None or reads_as_unit(tokens[start - 2].text):
        return False
    first = noun.start - int(noun.start > 0 and tokens[noun.start - 1].lower == "the")
    is_subject = not first or tokens[first - 1].text in (".", ";") or tokens[first - 1].kind == "break"
    return is_subject and tokens[first].lower == "the"


def _inside(tokens: Sequence[Token], place: int, closing: int) -> str | None:
    """The unit behind a symbol within its brackets, empty where nothing is; None where anything else is."""
    if place == closing:
        return ""
    lead = place + 1 if tokens[place].lower in (",", ";", "in") else place
    lead += int(lead < closing and tokens[lead].lower == "in")
    text = joined(tokens[lead:closing])
    return text if lead > place and reads_as_unit(text) else None


def _unit_before(tokens: Sequence[Token], start: int) -> tuple[int, str] | None:
    """`in tex`, `in kg per m`: where a unit begins that stands between the words and the symbol."""
    for lead in range(start - 2, max(0, start - 7), -1):
        if tokens[lead].lower == "in" and lead:
            text = joined(tokens[lead + 1 : start])
            return (lead, text) if is_plain_unit(text) else None
    return None


def _unit_stated(tokens: Sequence[Token], place: int) -> str | None:
    if place + 1 < len(tokens) and tokens[place].lower == "in":
        run = unit_run(tokens, place + 1)
        return None if run is None else run[0]
    return None


def _is_name(words: str) -> bool:
    """Whether words can be what a symbol is called: any noun phrase of two words, or a noun that looks like a quantity;
    not what only labels the symbol ("the point P", "a constant k")."""
    parts = words.casefold().split()
    if not parts or len(words) < 3 or words.casefold() in _EMPTY_NOUNS or parts[0] in _NOT_A_DESCRIPTION:
        return False
    head = clean(words.split(" of ")[0].split()).casefold().split()[-1:]
    if head and head[0] in _USELESS_NOUNS:
        return False
    if head and (head[0] in _LABELLED_THINGS or head[0] in _SYMBOL_NOUNS):
        return len(parts) > 1 and (names_exactly(words) or parts[-2] not in _MAY_OPEN)
    return len(parts) > 1 or names_quantity(words) or words.casefold().endswith(_QUANTITY_ENDINGS)
