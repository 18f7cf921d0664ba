"""Nouns with their symbol beside them: "the mass $m$", "spring constant k", "the mass $M$ of the Earth"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mathrag.extract.definitions.statements import COUNT_WORDS, parts_of, singular
from mathrag.extract.definitions.symbols import is_acronym, plain_symbol, styled_symbol, target_of, value_unit_of
from mathrag.language.noun_phrases import Noun, clean, noun_before, noun_before_clause, read_phrase
from mathrag.language.quantity_names import kind_groups, lists_symbol, names_exactly, names_quantity
from mathrag.language.tokens import SymbolSeen, Token, closing_place, joined
from mathrag.language.unit_text import is_upright, may_have_unit, reads_as_unit, unit_of_text, unit_run
from mathrag.language.word_classes import word_class, word_list

_DETERMINERS = word_class("grammar.determiners")
_ARTICLES = word_class("grammar.articles")
_SYMBOL_NOUNS = word_class("definitions.symbol_nouns")
_BEFORE_STOPS = word_class("phrases.before_stops")
_LABELLED_THINGS = word_class("definitions.labelled_things")
_AFTER_LABELS = word_class("definitions.after_labels")
_BEFORE_NAMED_SYMBOL = word_class("definitions.before_named_symbol")
_BEFORE_NAMING = word_class("definitions.before_naming")
_PASSIVE_NAMING = word_class("definitions.passive_naming")
_ACTIVE_NAMING = word_class("definitions.active_naming")
_WE_WILL = word_class("definitions.we_will")
_BEFORE_UNITS = word_class("definitions.before_stated_unit")
# What stands between the members of a list, and behind it.
_JOINTS = word_class("definitions.respectively") | {",", "and", "or", "&"}

# A noun with its symbol beside it, as a record: what the rules of apposition, brackets and formulas share.


@dataclass(frozen=True, slots=True)
class Apposition:
    """A symbol and the noun phrase beside it; tokens from `start` up to `end`."""

    symbol: SymbolSeen
    words: str
    unit_text: str | None
    confidence: float
    source: str
    start: int
    end: int


# Symbols in brackets and symbols named in words: "pressure (p)", "denoted by W", "the symbol for torque is".


def in_bracket(tokens: Sequence[Token], place: int, symbol: SymbolSeen, *, is_marked: bool) -> Apposition | None:
    """`pressure (p)`, `the mass ($m$, in kg)`."""
    end = closing_place(tokens, place - 1)
    if end is None or place < 2:
        return None
    unit_text = None
    if end != place + 1:
        if tokens[place + 1].lower not in (",", "in", ";"):
            return None
        lead = place + 2 if tokens[place + 1].lower != "in" else place + 1
        lead += int(lead < end and tokens[lead].lower == "in")
        run = unit_run(tokens[:end], lead)
        if run is None or run[1] != end:
            return None
        unit_text = run[0]
    spelled = _spelled_out(tokens, place)
    if spelled is not None:
        return Apposition(symbol, spelled.words, unit_text, 0.75, "parenthesis", spelled.start, end + 1)
    noun = noun_before(tokens, place - 1)
    if noun is None or len(noun.words) < 3 or not names_quantity(noun.words):
        return None
    if not is_marked and not lists_symbol(noun.words, symbol.name) and not _abbreviates(tokens[place].text, noun.words):
        return None
    if unit_text is None and not is_marked and _is_unit_of(tokens[place].text, noun.words):
        return None
    math = tokens[place].math
    if unit_text is None and is_marked and math is not None and is_upright(math):
        return None
    return Apposition(symbol, noun.words, unit_text, 0.75, "parenthesis", noun.start, end + 1)


def _spelled_out(tokens: Sequence[Token], place: int) -> Noun | None:
    """`direct manufacturing costs (DMC)`: as many words before the bracket as it has letters, with these initials."""
    text = (
        tokens[place].text if tokens[place].kind == "word" else "".join(symbol.name for symbol in tokens[place].symbols)
    )
    if not is_acronym(text) or not text.isalpha():
        return None
    words: list[str] = []
    index = place - 2
    initials = ""
    while index >= 0 and tokens[index].kind == "word" and len(initials) < len(text):
        words.insert(0, tokens[index].text)
        initials = (
            tokens[index].text[0].upper() if tokens[index].lower not in ("of", "the", "and", "in", "to") else ""
        ) + initials
        index -= 1
    if initials != text.upper() or not names_quantity(clean(words)):
        return None
    return Noun(clean(words), index + 1, True)


def _is_unit_of(text: str, words: str) -> bool:
    unit = unit_of_text(text)
    return unit is not None and any(kind.dimension == unit.dimension for group in kind_groups(words) for kind in group)


def _abbreviates(text: str, words: str) -> bool:
    """`kinetic energy (KE)`."""
    letters = "".join(character for character in text if character.isupper())
    initials = "".join(
        word[0].upper() for word in words.replace("-", " ").split() if word.casefold() not in ("of", "the", "and", "in")
    )
    return is_acronym(text) and len(letters) > 1 and initials.startswith(letters)


def denoted(tokens: Sequence[Token], place: int, symbol: SymbolSeen, *, is_marked: bool) -> Apposition | None:
    """`Work is denoted by $W$`, `the impulse, represented by the symbol J`, `the symbol for torque is $\\tau$`."""
    index = place - 1
    while index > 0 and tokens[index].lower in _BEFORE_NAMED_SYMBOL:
        index -= 1
    is_clear = is_marked or len(tokens[place].text) > 1 or not tokens[place].text.isascii()
    if tokens[index].lower in _ACTIVE_NAMING and index < place - 1:
        return _renamed(tokens, index, place, symbol)
    if tokens[index].lower not in _PASSIVE_NAMING or (index == place - 1 and not is_clear):
        return _symbol_for(tokens, place, symbol)
    index -= 1
    while index >= 0 and (
        tokens[index].lower in _BEFORE_NAMING
        or tokens[index].lower in (",", "(", "and", "which", "that", "can", "will", "may")
    ):
        index -= 1
    if index < 0 or tokens[index].kind != "word":
        return None
    noun = noun_before(tokens, index + 1)
    if noun is None or len(noun.words) < 3:
        return None
    return Apposition(symbol, noun.words, None, 0.88, "denoted", noun.start, place + 1)


def _renamed(tokens: Sequence[Token], index: int, place: int, symbol: SymbolSeen) -> Apposition | None:
    """`the serial interval, which we will denote as $T_s$`: what the clause before speaks of."""
    while index > 0 and tokens[index - 1].lower in _WE_WILL:
        index -= 1
    if index < 2 or tokens[index - 1].text != "," or tokens[index].lower not in _WE_WILL:
        return None
    noun = noun_before(tokens, index - 1)
    if noun is None or len(noun.words) < 3:
        return None
    return Apposition(symbol, noun.words, None, 0.88, "denoted", noun.start, place + 1)


def _symbol_for(tokens: Sequence[Token], place: int, symbol: SymbolSeen) -> Apposition | None:
    """`The symbol for torque is $\\tau$`, `we write $P$ for power`."""
    if tokens[place - 1].lower in ("write", "use", "using", "writing") and place + 2 < len(tokens):
        phrase = read_phrase(tokens[place + 2 :]) if tokens[place + 1].lower == "for" else None
        return (
            Apposition(symbol, phrase.words, phrase.unit_text, 0.85, "denoted", place, place + 2 + phrase.length)
            if phrase and phrase.words
            else None
        )
    if tokens[place - 1].lower == "be" and any(token.lower in ("let", "be") for token in tokens[: place - 1]):
        noun = noun_before_clause(tokens, place - 1)
        return Apposition(symbol, noun.words, None, 0.88, "let", noun.start, place + 1) if noun else None
    if place < 4 or tokens[place - 1].lower != "is":
        return None
    for index in range(place - 2, max(-1, place - 8), -1):
        if tokens[index].lower == "for" and index and tokens[index - 1].lower in ("symbol", "letter", "abbreviation"):
            words = clean([token.text for token in tokens[index + 1 : place - 1]])
            return Apposition(symbol, words, None, 0.9, "denoted", index, place + 1) if words else None
    return None


# The noun that a formula is written for: "the kinetic energy is given by K = ...", "the weight W = mg".

_FORMULA_LINKS = word_class("definitions.formula_links")
_OBJECT_WORDS = word_class("definitions.object_words")
_RELATIVES = frozenset(("that", "which", "who", "whose"))


def before_formula(tokens: Sequence[Token], place: int) -> Apposition | None:
    """`the kinetic energy is given by $K = ...$`: the noun is what the left-hand side stands for."""
    math = tokens[place].math
    index = place - 1
    has_colon = index >= 0 and tokens[index].text in (":", ",")
    index -= int(has_colon)
    links: set[str] = set()
    while index >= 0 and len(links) < 6 and tokens[index].lower in _FORMULA_LINKS:
        links.add(tokens[index].lower)
        index -= 1
    if index < 0 or tokens[index].kind != "word" or math is None:
        return None
    has_verb = bool(links & {"is", "are", "equals", "be"})
    if links and not has_verb:
        return None
    noun = noun_before_clause(tokens, index + 1) if has_verb else noun_before(tokens, index + 1)
    if (
        noun is None
        or not names_quantity(noun.words)
        or not _is_subject(tokens, noun, has_verb, has_colon, math.is_display)
    ):
        return None
    target = target_of(math)
    if target is None:
        return None
    unit_text = value_unit_of(math)
    if unit_text is not None and not may_have_unit(noun.words, unit_text):
        return None
    words = noun.words.casefold().split()
    if words[-1] in _LABELLED_THINGS and not names_exactly(noun.words) and _OBJECT_WORDS.isdisjoint(words):
        return None
    return Apposition(target, noun.words, unit_text, 0.6, "formula_sentence", noun.start, place + 1)


def _is_subject(tokens: Sequence[Token], noun: Noun, has_verb: bool, has_colon: bool, is_display: bool) -> bool:
    """Whether the noun is what the formula gives, and not a word of another phrase: "... divided by time: v = d/t"."""
    opening = noun.start
    while opening and tokens[opening - 1].lower in _DETERMINERS:
        opening -= 1
    before = tokens[opening - 1].lower if opening else ""
    if any(token.lower in _RELATIVES for token in tokens[opening : noun.start + 1]):
        return False
    if opening and tokens[opening - 1].kind == "math":
        # "The chance of k hits in n throws is": the noun counts what the symbol before it is the number of.
        return False
    if before in _RELATIVES:
        # "The yield of a press that works at night is": a relative clause stands between the subject and its verb.
        return False
    if has_verb:
        return before not in _OBJECT_WORDS
    if opening == 0 or before in ("has", "have", "gives", "give", "yields"):
        return True
    if has_colon or is_display:
        return (
            before == "of"
            and opening > 1
            and tokens[opening - 2].lower in ("definition", "formula", "equation", "expression")
        )
    return before != "between"


_EMPTY_NOUNS = word_class("definitions.empty_nouns")
_OF_NOUNS = word_class("definitions.of_nouns")
_QUANTITY_ENDINGS = word_list("definitions.quantity_endings")


def appositions_in(tokens: Sequence[Token]) -> Iterator[Apposition]:
    """All nouns with symbols of one sentence."""
    for place, token in enumerate(tokens):
        if token.text == "(":
            yield from _several_in_bracket(tokens, place)
        if token.kind == "math":
            found = _at_math(tokens, place)
        elif token.kind == "word":
            found = _at_word(tokens, place)
        else:
            found = None
        if found is not None:
            yield from _shared_out(tokens, place, found)


def _shared_out(tokens: Sequence[Token], place: int, found: Apposition) -> Iterator[Apposition]:
    """`masses $m_1$ and $m_2$`: each symbol of the list is one of them."""
    head = found.words.split(" of ")[0]
    one = singular(found.words)
    if found.source != "apposition" or one == found.words or not head.endswith(("s", "radii", "indices")):
        yield found
        return
    others = list(_listed_after(tokens, place + 1))
    has_count = found.words.split()[0] in COUNT_WORDS
    yield replace(found, words=one) if others or has_count else found
    yield from (replace(found, symbol=symbol, words=one) for symbol in others)


def _listed_after(tokens: Sequence[Token], place: int) -> Iterator[SymbolSeen]:
    while place + 1 < len(tokens):
        joint = place
        while joint < len(tokens) and tokens[joint].lower in (",", "and", "or"):
            joint += 1
        if joint == place or joint >= len(tokens):
            return
        symbols = tokens[joint].symbols or tuple(symbol for symbol in (styled_symbol(tokens[joint]),) if symbol)
        if len(symbols) != 1:
            return
        yield symbols[0]
        place = joint + 1


def _several_in_bracket(tokens: Sequence[Token], place: int) -> Iterator[Apposition]:
    """`the number of ewes and rams ($N_e$ and $N_r$, respectively)`: a noun for each symbol, in their order."""
    end = closing_place(tokens, place)
    if end is None:
        return
    inside = [token for token in tokens[place + 1 : end] if token.lower not in _JOINTS]
    found = [token.symbols for token in inside if token.kind == "math"]
    if len(inside) < 2 or len(found) < len(inside) or any(len(each) != 1 for each in found):
        return
    start = place
    for _ in found:
        noun = noun_before(tokens, start)
        if noun is None:
            return
        start = noun.start
        link = start if tokens[start].lower == "of" else start - 1
        if link > 0 and tokens[link].lower == "of" and (whole := noun_before(tokens, link)) is not None:
            start = whole.start
        while start > 1 and tokens[start - 1].lower in _JOINTS:
            start -= 1
    parts = parts_of(tokens[start:place], len(found))
    if len({part.words for part in parts}) == len(parts) and all(part.words for part in parts):
        for (symbol,), part in zip(found, parts, strict=True):
            yield Apposition(symbol, part.words, part.unit_text, 0.75, "parenthesis", start, end + 1)


def _at_math(tokens: Sequence[Token], place: int) -> Apposition | None:
    token = tokens[place]
    before = tokens[place - 1] if place else None
    symbols = token.symbols
    if before is None or (before.kind != "word" and before.text not in ("(", ",", ":", ";")):
        return _beside(tokens, place, symbols[0], is_marked=True) if before is None and len(symbols) == 1 else None
    if len(symbols) == 1:
        if token.math is not None and is_upright(token.math) and _reads_as_unit_here(tokens, place):
            return None
        return _beside(tokens, place, symbols[0], is_marked=True)
    if not symbols and token.math is not None and "=" in token.math.source:
        return before_formula(tokens, place)
    return None


def _reads_as_unit_here(tokens: Sequence[Token], place: int) -> bool:
    """`in $\\mathrm{m}$` and `(\\mathrm{m})` are units, not symbols."""
    before = tokens[place - 1] if place else None
    if before is None or not reads_as_unit(tokens[place].text):
        return False
    return before.kind == "number" or before.lower in ("in", "of", "units", "(", "[") or before.kind == "math"


def _at_word(tokens: Sequence[Token], place: int) -> Apposition | None:
    token = tokens[place]
    symbol = styled_symbol(token)
    if symbol is not None:
        return _beside(tokens, place, symbol, is_marked=True)
    if len(token.text) > 8 or token.text in ("a", "A", "I"):
        return None
    symbol = plain_symbol(token)
    return _beside(tokens, place, symbol, is_marked=False) if symbol is not None else None


def _beside(tokens: Sequence[Token], place: int, symbol: SymbolSeen, *, is_marked: bool) -> Apposition | None:
    if place and _is_label(tokens, place):
        return None
    named = _named_beside(tokens, place, symbol, is_marked=is_marked) if place else None
    if named is not None or not is_marked:
        return named
    # "with $T$ in °C": the unit of a symbol that is named elsewhere, or nowhere.
    stated = _unit_stated(tokens, place + 1, "")
    return None if stated is None else Apposition(symbol, "", stated[0], 0.8, "unit", place, stated[1])


def _named_beside(tokens: Sequence[Token], place: int, symbol: SymbolSeen, *, is_marked: bool) -> Apposition | None:
    before = tokens[place - 1]
    if before.text == "(":
        return in_bracket(tokens, place, symbol, is_marked=is_marked)
    if before.kind != "word":
        return _after_comma(tokens, place, symbol) if before.text == "," and is_marked else None
    named = denoted(tokens, place, symbol, is_marked=is_marked)
    if named is not None:
        return named
    noun = _with_place(tokens, place, noun_before(tokens, place), symbol)
    if noun is None or not _is_fit(noun, symbol, is_marked=is_marked):
        return None
    if tokens[place - 1].lower == "of" and not _names_value(tokens, place, noun):
        return None
    words, end, unit_text = extended(tokens, place, noun.words)
    if words.casefold() in _EMPTY_NOUNS:
        return None
    confidence = 0.7 if names_quantity(noun.words) else 0.5
    if not is_marked:
        confidence -= 0.1
    return Apposition(symbol, words, unit_text, confidence, "apposition", noun.start, end)


def _names_value(tokens: Sequence[Token], place: int, noun: Noun) -> bool:
    """`a distance of $s$` names the distance; `the resistance of $N$ resistors`, `a combination of $x$` "
    "name nothing."""
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if following is not None and following.kind == "word" and following.lower not in _BEFORE_STOPS:
        return False
    opening = tokens[noun.start - 1].lower if noun.start else ""
    return opening in ("a", "an") and names_exactly(noun.words) and noun.words.split()[-1] not in _OF_NOUNS


def _with_place(tokens: Sequence[Token], place: int, noun: Noun | None, symbol: SymbolSeen) -> Noun | None:
    """`the change in temperature ΔT`, `the speed of light in vacuum c`: a noun with a place behind it."""
    if noun is None:
        return None
    link = noun.start - 1
    while link >= 0 and tokens[link].lower in _DETERMINERS:
        link -= 1
    if link < 1 or tokens[link].lower not in ("in", "at", "between", "on", "for"):
        return noun
    before = noun_before(tokens, link)
    if before is None:
        return noun
    rest = " ".join(token.text for token in tokens[link:place])
    whole = clean(f"{before.words} {rest}".split())
    is_known = names_exactly(whole)
    is_placed = names_quantity(before.words) and not names_quantity(noun.words)
    if is_known or (is_placed and lists_symbol(before.words, symbol.name)):
        return Noun(whole, before.start, before.is_determined)
    return noun


def _is_label(tokens: Sequence[Token], place: int) -> bool:
    """`the x axis`, `x-direction`, `v^2`-like continuations: the letter names no quantity here."""
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if following is None:
        return False
    if following.lower in _AFTER_LABELS:
        return True
    if following.kind == "mark" and following.text in "-‐‑–" and not following.is_spaced and place + 2 < len(tokens):
        return tokens[place + 2].kind == "word"
    return following.kind == "mark" and following.text in "'’^" and not following.is_spaced


def _is_fit(noun: Noun, symbol: SymbolSeen, *, is_marked: bool) -> bool:
    head = noun.words.casefold().split(" of ")[0].split()
    if not head or len(noun.words) < 3 or head[0] in ("more", "less", "fewer", "greater", "most"):
        return False
    if " " in noun.words and names_exactly(noun.words):
        return is_marked or lists_symbol(noun.words, symbol.name)
    is_quantity = names_quantity(noun.words)
    if not is_marked:
        return is_quantity and lists_symbol(noun.words, symbol.name)
    if head[-1] in _LABELLED_THINGS or head[-1] in _SYMBOL_NOUNS:
        return names_exactly(" ".join(head)) and len(head) > 1
    if is_quantity:
        return True
    if not noun.is_determined or len(head) > 4:
        return False
    is_initial = symbol.name[:1].casefold() == head[-1][0] and len(head[-1]) > 3
    return len(head) >= 2 or is_initial or head[-1].endswith(_QUANTITY_ENDINGS)


def extended(tokens: Sequence[Token], place: int, words: str) -> tuple[str, int, str | None]:
    """`the mass $M$ of the Earth` is the mass of the Earth; `(in kg)` behind the symbol is its unit."""
    after = place + 1
    unit_text = None
    if after < len(tokens) and tokens[after].text in ("(", "["):
        end = closing_place(tokens, after)
        if end is not None and reads_as_unit(joined(tokens[after + 1 : end])):
            unit_text, after = joined(tokens[after + 1 : end]), end + 1
    stated = _unit_stated(tokens, after, words)
    if stated is not None:
        unit_text, after = unit_text or stated[0], stated[1]
    if after + 1 < len(tokens) and tokens[after].lower == "of" and tokens[after + 1].lower in _DETERMINERS | _ARTICLES:
        phrase = read_phrase(tokens[after + 1 : after + 8])
        short = phrase.words.split(" and ")[0].split(" at ")[0].split(" with ")[0].split(" in ")[0]
        may_extend = " of " not in f" {words} " or names_exactly(words)
        if short and len(short.split()) <= 4 and may_extend:
            article = f"{tokens[after + 1].text} " if tokens[after + 1].lower in ("the", "a", "an") else ""
            return f"{words} of {article}{short}", after + 1 + phrase.length, unit_text or phrase.unit_text
    return words, after, unit_text


def _unit_stated(tokens: Sequence[Token], place: int, words: str) -> tuple[str, int] | None:
    """The unit that words behind a symbol state: `in kg`, `, measured in kPa`, `is given in mm`, `has units of m/s`."""
    lead = place
    if lead < len(tokens) and tokens[lead].text == ",":
        lead += 1
    steps = 0
    while lead < len(tokens) and steps < 4 and tokens[lead].lower in _BEFORE_UNITS:
        lead += 1
        steps += 1
    if lead >= len(tokens) or (steps == 0 and (lead != place or tokens[lead].lower != "in")):
        return None
    if tokens[lead].lower == "in":
        run = unit_run(tokens, lead + 1)
    elif tokens[lead].lower in ("unit", "units") and tokens[lead - 1].lower in ("has", "have", "with"):
        run = unit_run(tokens, lead)
    else:
        return None
    # What a verb says may be said of something else in the sentence.
    return run if run is not None and (steps == 0 or may_have_unit(words, run[0])) else None


def _after_comma(tokens: Sequence[Token], place: int, symbol: SymbolSeen) -> Apposition | None:
    """`the angular momentum, $L$, is`; `$F$, the force, ...`."""
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    noun = noun_before(tokens, place - 1)
    if following is None or noun is None or not names_quantity(noun.words):
        return None
    if noun.start and tokens[noun.start - 1].kind == "math":
        return None
    _, end, unit_text = extended(tokens, place, noun.words)
    is_closed = following.text in (",", ".", ";", ")") and noun.is_determined
    # "Wind speed, $u$ (m/s), ...": a unit that fits says as much as an article.
    is_measured = unit_text is not None and following.text in ("(", "[") and may_have_unit(noun.words, unit_text)
    if not is_closed and not is_measured:
        return None
    return Apposition(symbol, noun.words, unit_text, 0.7, "apposition", noun.start, end)
