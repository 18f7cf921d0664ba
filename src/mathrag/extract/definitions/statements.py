"""Sentences that say what a symbol is: "where m is the mass", "let x be", "T denotes", "with T the temperature".

A statement starts with symbols at the edge of a clause, followed by a word that defines; its phrase runs to the next
statement or to where the noun phrase ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mathrag.extract.definitions.symbols import (
    plain_symbol,
    spelled_name,
    spells,
    styled_symbol,
    symbol_of_word,
    target_of,
    value_unit_of,
)
from mathrag.knowledge.spelling import normal_words
from mathrag.language.noun_phrases import Phrase, read_phrase
from mathrag.language.quantity_names import names_exactly, names_quantity
from mathrag.language.tokens import DASHES, SymbolSeen, Token, closing_place, joined
from mathrag.language.unit_text import reads_as_unit
from mathrag.language.word_classes import word_class, word_list, word_pairs

_WHERE = word_class("definitions.where")
_DETERMINERS = word_class("grammar.determiners")
_ARTICLES = word_class("grammar.articles")
_POSSESSIVES = word_class("grammar.possessives")
_DEFINING_COPULAS = word_class("definitions.copulas")
_NAMING_VERBS = word_class("definitions.naming_verbs")
_TWO_WORD_VERBS = word_pairs("definitions.naming_verbs_with_preposition")
_AFTER_COPULA = word_list("definitions.after_copula")
_SYMBOL_NOUNS = word_class("definitions.symbol_nouns")
_NOT_A_DESCRIPTION = word_class("definitions.not_a_description")
_MAY_OPEN = word_class("definitions.may_open")
_USELESS_NOUNS = word_class("definitions.useless_nouns")
_CONTRASTS = word_class("definitions.contrasts")
_NUMBER_NOUNS = word_class("definitions.number_nouns")
_LY_NOUNS = word_class("phrases.ly_nouns")
_RESPECTIVELY = word_class("definitions.respectively")

# The symbols at the start of a statement: one, or several joined by commas and "and"; with a value to step over.

_MOST_SYMBOLS = 6


@dataclass(frozen=True, slots=True)
class Head:
    """The start of a statement: its symbols, where it and its phrase begin, how it is said, a unit beside it."""

    symbols: tuple[SymbolSeen, ...]
    start: int
    phrase: int
    manner: str
    unit_text: str | None = None
    is_certain: bool = True


@dataclass(slots=True)
class Clause:
    """One sentence under reading. `where` is the place from which "where" governs; a list item is governed whole."""

    tokens: Sequence[Token]
    where: int | None
    is_item: bool
    heads: list[Head] = field(default_factory=list)

    def governed(self, place: int) -> bool:
        """Whether "where" or a list of symbols governs this place."""
        return self.is_item or (self.where is not None and place > self.where)


def symbol_list(clause: Clause, place: int) -> tuple[tuple[SymbolSeen, ...], int, bool] | None:
    """Symbols joined by commas and "and", the place behind them, and whether all are marked as mathematics."""
    tokens = clause.tokens
    symbols: list[SymbolSeen] = []
    are_marked = True
    after = place
    while len(symbols) < _MOST_SYMBOLS:
        one = _symbols_at(clause, after, is_first=not symbols)
        if one is None:
            break
        seen, is_marked = one
        symbols.extend(seen)
        are_marked = are_marked and is_marked
        after += 1
        if not tokens[after - 1].symbols and tokens[after - 1].kind == "math":
            # `$q = 1 - p$, and $e$ the margin`: an equation is no symbol of a list.
            break
        joint = after
        while joint < len(tokens) and joint < after + 2 and tokens[joint].lower in (",", "and", "or", "&", "…"):
            joint += 1
        if joint == after or joint >= len(tokens) or _symbols_at(clause, joint, is_first=False) is None:
            break
        after = joint
    return (tuple(symbols), after, are_marked) if symbols else None


def _symbols_at(clause: Clause, place: int, *, is_first: bool) -> tuple[tuple[SymbolSeen, ...], bool] | None:
    if place >= len(clause.tokens):
        return None
    token = clause.tokens[place]
    if token.kind == "math":
        return _symbols_in_math(token, is_first=is_first)
    if token.symbols:
        return token.symbols, True
    styled = styled_symbol(token)
    if styled:
        return (styled,), True
    plain = plain_symbol(token)
    if plain is None or not (clause.governed(place) or _in_parenthesis(clause.tokens, place)):
        return None
    if token.lower in ("a", "i") and not _verb_follows(clause.tokens, place + 1):
        return None
    return (plain,), False


def _symbols_in_math(token: Token, *, is_first: bool) -> tuple[tuple[SymbolSeen, ...], bool] | None:
    seen = token.symbols
    if not seen and token.math is not None and not token.math.is_display and "=" in token.math.source:
        target = target_of(token.math) if is_first else None
        seen = (target,) if target else ()
    spelled = spelled_name(token.math) if not seen and is_first else None
    if spelled is not None:
        return (spelled,), True
    return (seen, True) if seen else None


def _verb_follows(tokens: Sequence[Token], place: int) -> bool:
    if place >= len(tokens):
        return False
    lower = tokens[place].lower
    return (
        lower in _DEFINING_COPULAS
        or lower in _NAMING_VERBS
        or lower in _TWO_WORD_VERBS
        or lower in ("=", ":", ",", "and", "–", "—")
        # "and I the current": neither the pronoun nor the article ever stands before an article.
        or lower == "the"
    )


def _in_parenthesis(tokens: Sequence[Token], place: int) -> bool:
    """`(T = temperature in K)`: a symbol right after a bracket with an equals sign behind it."""
    return (
        place > 0
        and tokens[place - 1].text in ("(", ",", ";")
        and place + 1 < len(tokens)
        and tokens[place + 1].text in ("=", ":")
        and any(token.text == "(" for token in tokens[max(0, place - 25) : place])
    )


def past_value(tokens: Sequence[Token], place: int, *, is_item: bool = False) -> int:
    """Step over `= 9.8 m/s²` when a verb or an apposition follows: `where g = 9.8 m/s² is the acceleration`."""
    is_equation = place > 0 and tokens[place - 1].math is not None and "=" in (tokens[place - 1].text or "")
    if not is_equation and not (
        place + 1 < len(tokens) and tokens[place].text in ("=", "≈") and tokens[place + 1].kind in ("number", "math")
    ):
        return place
    for index in range(place, min(len(tokens), place + 14)):
        token = tokens[index]
        if token.lower in _DEFINING_COPULAS or token.lower in _NAMING_VERBS:
            return index
        if token.text == "," and index + 1 < len(tokens) and tokens[index + 1].lower == "the":
            return index + 1
        if token.text == "(" and index > place and is_item:
            # A line of a list: `k = 2 (shape parameter)`.
            return index
        if token.text in (",", ";", ":") or (token.kind == "word" and not reads_as_unit(token.text)):
            return place
    return place


# One phrase for several symbols: "the initial and final velocities, respectively", "the masses of A and B".

_PREPOSITIONS = word_class("grammar.prepositions")
_PLURALS = {
    "indices": "index",
    "radii": "radius",
    "moduli": "modulus",
    "axes": "axis",
    "foci": "focus",
    "vertices": "vertex",
}
COUNT_WORDS = word_class("definitions.count_words")


def read_shared(tokens: Sequence[Token], count: int) -> tuple[Phrase, ...]:
    """A phrase for each of so many symbols."""
    whole = read_phrase(tokens)
    if count == 1:
        return (whole,)
    respectively = next((place for place, token in enumerate(tokens) if token.lower in _RESPECTIVELY), None)
    if respectively is not None:
        parts = parts_of(tokens[:respectively], count)
        if parts:
            return parts
    parts = parts_of(tokens, count)
    if parts and (all(names_quantity(part.words) for part in parts) or _is_pair(parts)):
        return parts
    return (Phrase(singular(whole.words), whole.unit_text, whole.length),) * count


def _is_pair(parts: Sequence[Phrase]) -> bool:
    ends = {part.words.split()[-1] for part in parts if part.words}
    return len(ends) == 1 and len({part.words for part in parts}) == len(parts) and names_quantity(parts[-1].words)


def parts_of(tokens: Sequence[Token], count: int) -> tuple[Phrase, ...]:
    """The parts of a phrase for so many symbols; none where it has fewer, or says too much."""
    segments: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text in "([") - (token.text in ")]") if token.kind == "mark" else 0
        if depth == 0 and (token.lower in ("and", ",", "or", "&")):
            if segments[-1]:
                segments.append([])
            continue
        segments[-1].append(token)
    segments = [segment for segment in segments if segment]
    if len(segments) < count:
        return ()
    phrases = [read_phrase(segment) for segment in segments[:count]]
    if not all(phrase.words for phrase in phrases):
        return ()
    if len(segments) > count and any(len(phrase.words.split()) > 5 for phrase in phrases):
        return ()
    return tuple(_completed(phrases))


def _completed(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Give every part the words it shares with the first or the last one."""
    first, last = phrases[0].words.split(), phrases[-1].words.split()
    tail = _tail(last)
    unit = _shared_unit(phrases, first)
    done: list[Phrase] = []
    for place, phrase in enumerate(phrases):
        words = phrase.words.split()
        if place < len(phrases) - 1 and not names_quantity(phrase.words) and len(words) <= 2 and len(last) > 1:
            words = words + last[1:]
        elif place and "of" in first and "of" not in words and (not names_quantity(phrase.words) or _is_plural(first)):
            link = first.index("of")
            article = first[link + 1 : link + 2] if first[link + 1 : link + 2] == ["the"] else []
            words = [*first[: link + 1], *article, *words]
        elif place and (link := _last_link(first)) and not names_quantity(phrase.words):
            # "The storage at the start and the end of the day".
            words = [*first[:link], "the", *words]
        elif tail and not any(word in _PREPOSITIONS for word in words):
            words = words + tail
        if place < len(phrases) - 1 and "of" not in last and _lacks_noun(words):
            # "The temperatures of the hot and the cold reservoir".
            words = words + last[1:]
        done.append(Phrase(singular(" ".join(words)), phrase.unit_text or unit, phrase.length))
    return done


def _shared_unit(phrases: Sequence[Phrase], first: Sequence[str]) -> str | None:
    """The unit of the last part is that of all; so is that of a plural that the others share."""
    return phrases[-1].unit_text or (phrases[0].unit_text if _is_plural(first) else None)


def _lacks_noun(words: Sequence[str]) -> bool:
    """Whether a single word that names nothing stands behind "of the"."""
    behind = [word for word in words[words.index("of") + 1 :] if word != "the"] if "of" in words[1:] else []
    return len(behind) == 1 and behind[0].islower() and not names_quantity(behind[0]) and behind[0] in _CONTRASTS


def _last_link(words: Sequence[str]) -> int:
    """The place behind a preposition of place or time that an article follows; 0 where there is none."""
    places = [place for place, word in enumerate(words) if word in ("at", "in", "on", "before", "after") and place]
    return places[-1] + 1 if places and words[places[-1] + 1 : places[-1] + 2] == ["the"] else 0


def _is_plural(words: Sequence[str]) -> bool:
    """`magnitudes of the tension and weight`: one of each."""
    head = words[words.index("of") - 1] if "of" in words[1:] else ""
    return head.endswith("s") and not head.endswith("ss")


def _tail(words: Sequence[str]) -> list[str]:
    for place, word in enumerate(words):
        if word == "of" and place:
            return list(words[place:])
    return []


def singular(text: str) -> str:
    """The head noun in the singular: each symbol stands for one of them."""
    words = text.split()
    while len(words) > 1 and words[0].casefold() in COUNT_WORDS:
        del words[0]
    head = next((place - 1 for place, word in enumerate(words) if word in _PREPOSITIONS and place), len(words) - 1)
    if head >= 0 and words and words[head] in _PLURALS:
        words[head] = _PLURALS[words[head]]
    elif head >= 0 and words and words[head].endswith("s") and words[head].islower():
        words[head] = normal_words(words[head])
    return " ".join(words)


_EDGE_MARKS = frozenset(",;:([–—•*·|.")
_EDGE_WORDS = word_class("definitions.edge_words")
_ADVERBS = word_class("definitions.adverbs")
_CONFIDENCE = {"where": 0.95, "let": 0.92, "names": 0.85, "is": 0.75, "item": 0.93}
_FORMULA_NOUNS = word_class("definitions.formula_nouns")


@dataclass(frozen=True, slots=True)
class Statement:
    """Symbols and what they are said to be, one phrase each; tokens from `start` up to `end`."""

    symbols: tuple[SymbolSeen, ...]
    phrases: tuple[Phrase, ...]
    manner: str
    start: int
    end: int

    @property
    def confidence(self) -> float:
        """How far to trust it, by its manner."""
        return _CONFIDENCE[self.manner]


def statements_in(tokens: Sequence[Token], *, is_item: bool = False, is_where: bool = False) -> Iterator[Statement]:
    """The statements of one sentence. `is_where`: it continues a "where"; `is_item`: it is an item of such a list."""
    clause = Clause(tokens, -1 if is_where else _where_place(tokens), is_item)
    place = 0
    starts: list[int] = []
    while place < len(tokens):
        head = _head_at(clause, place)
        if head is None:
            place += 1
            continue
        clause.heads.append(head)
        starts.append(head.start)
        place = max(head.phrase, place + 1)
    for index, head in enumerate(clause.heads):
        limit = starts[index + 1] if index + 1 < len(starts) else len(tokens)
        statement = _statement(clause, head, limit)
        if statement is not None:
            yield statement


def _where_place(tokens: Sequence[Token]) -> int | None:
    for place, token in enumerate(tokens):
        if token.kind != "word":
            continue
        if token.lower in _WHERE:
            return place
        if token.lower == "which" and place and tokens[place - 1].lower in ("in", "for"):
            return place
        if token.lower == "with" and place + 1 < len(tokens) and tokens[place + 1].kind == "math":
            return place
        if token.lower == "let":
            return place
        if token.lower == "being" and place > 1 and _is_symbol_before(tokens, place):
            # "…, m being the mass and V the volume".
            return place - 2
        if token.lower == "that" and place and tokens[place - 1].lower == "such" and _stops_at(tokens, place + 1):
            return place
        if token.lower in ("denote", "denoting") and place + 1 < len(tokens) and tokens[place + 1].lower == "by":
            return place
    return None


def _is_symbol_before(tokens: Sequence[Token], place: int) -> bool:
    before = tokens[place - 1]
    is_symbol = before.kind == "math" or styled_symbol(before) is not None or plain_symbol(before) is not None
    return is_symbol and tokens[place - 2].text in (",", ";", "(")


def _stops_at(tokens: Sequence[Token], place: int) -> bool:
    """Whether a colon or the end of the line stands here: what comes is a list."""
    return place < len(tokens) and (tokens[place].kind == "break" or tokens[place].text == ":")


def _head_at(clause: Clause, place: int) -> Head | None:
    tokens = clause.tokens
    if not _at_edge(tokens, place) and not _follows_unmarked(clause, place):
        return None
    found = symbol_list(clause, place)
    if found is None:
        return None
    symbols, after, are_marked = found
    unit_text = value_unit_of(tokens[place].math) if after == place + 1 else None
    if after < len(tokens) and tokens[after].text in ("(", "["):
        end = closing_place(tokens, after)
        if end is not None and reads_as_unit(joined(tokens[after + 1 : end])):
            unit_text, after = joined(tokens[after + 1 : end]), end + 1
    after = past_value(tokens, after, is_item=clause.is_item)
    defined = _defining(clause, after, are_marked=are_marked)
    if defined is None:
        return None
    phrase, manner, is_certain = defined
    if tokens[place].lower in ("a", "i") and not are_marked and manner not in ("where", "let", "item"):
        return None
    return Head(symbols, place, phrase, manner, unit_text, is_certain)


def _follows_unmarked(clause: Clause, place: int) -> bool:
    """`where S is the shear modulus $\\Delta x$ is the distance`: a list whose commas were lost."""
    tokens = clause.tokens
    if not clause.heads or not clause.governed(place) or tokens[place].kind != "math" or place + 2 >= len(tokens):
        return False
    if tokens[place + 1].text in ("=", ":") and tokens[place].symbols:
        # Lines of "symbol = words" that were joined to one: no sentence has a lone symbol and a sign between words.
        return tokens[place + 2].kind == "word" and len(tokens[place + 2].text) > 2
    return tokens[place + 1].lower in ("is", "are") and tokens[place + 2].lower == "the"


def _at_edge(tokens: Sequence[Token], place: int) -> bool:
    if place == 0:
        return True
    before = tokens[place - 1]
    match before.kind:
        case "mark":
            return before.text in _EDGE_MARKS or before.text in DASHES
        case "break":
            return True
        case "math":
            return before.math is not None and before.math.is_display
        case "word":
            if before.lower in _FORMULA_NOUNS:
                return any(token.lower == "in" for token in tokens[max(0, place - 4) : place])
            if before.lower == "by":
                return any(token.lower in ("denote", "denoting") for token in tokens[:place])
            return before.lower in _EDGE_WORDS or (before.lower in _SYMBOL_NOUNS and _is_bare_noun(tokens, place - 1))
        case "number" | "value" | "symbol":
            return False


def _is_bare_noun(tokens: Sequence[Token], place: int) -> bool:
    """`the symbol m`, `the variables x and y`; not `the spring constant k`."""
    return place == 0 or tokens[place - 1].lower in _DETERMINERS or tokens[place - 1].kind != "word"


def _defining(clause: Clause, place: int, *, are_marked: bool) -> tuple[int, str, bool] | None:
    """The place where the description begins, the manner, and whether it is certain to be one."""
    tokens = clause.tokens
    if place >= len(tokens):
        return None
    token, governed = tokens[place], clause.governed(place)
    manner = "item" if clause.is_item else "where" if governed else "is"
    if governed and clause.where is not None and clause.where >= 0 and tokens[clause.where].lower == "let":
        manner = "let"
    if token.kind == "word":
        if token.lower in _DEFINING_COPULAS:
            return _after_copula(clause, place + 1, manner)
        return _after_word(clause, place, manner, are_marked=are_marked)
    if token.kind == "mark" and (token.text in "=:≡,(" or token.text in DASHES):
        return _after_sign(clause, place, manner)
    return None


def _after_word(clause: Clause, place: int, manner: str, *, are_marked: bool) -> tuple[int, str, bool] | None:
    """A verb that names, or the description itself: `m denotes the mass`, `with T the temperature`."""
    tokens, governed = clause.tokens, clause.governed(place)
    naming = _naming_length(tokens, place)
    if naming and _opens(tokens, place + naming) and (governed or are_marked):
        return place + naming, manner if governed else "names", True
    is_followed = place + 1 < len(tokens) and tokens[place + 1].kind == "word"
    if governed and is_followed and tokens[place].lower in _ARTICLES | _POSSESSIVES:
        return (place, manner, True) if _opens(tokens, place) else None
    # "P is pressure, V volume": behind one that has its verb, the others go without.
    is_listed = bool(clause.heads) and place > 1 and tokens[place - 2].text in (",", "and")
    if not governed or not (are_marked or is_listed):
        return None
    words = read_phrase(tokens[place:]).words
    is_described = names_exactly(words) or (clause.is_item and names_quantity(words))
    return (place, manner, True) if is_described else None


def _naming_length(tokens: Sequence[Token], place: int) -> int:
    """How many words name here: `denotes`, `to represent`, `stands for`; none where no verb names."""
    word = tokens[place].lower
    following = tokens[place + 1].lower if place + 1 < len(tokens) else ""
    if following and word in _TWO_WORD_VERBS:
        return 2 if following == _TWO_WORD_VERBS[word] else 0
    if word == "to" and following in _NAMING_VERBS:
        return 2
    return int(word in _NAMING_VERBS)


def _after_copula(clause: Clause, place: int, manner: str) -> tuple[int, str, bool] | None:
    tokens = clause.tokens
    for _ in range(2):
        for words in (phrase.split() for phrase in _AFTER_COPULA):
            if [token.lower for token in tokens[place : place + len(words)]] == words:
                place += len(words)
                break
        while place < len(tokens) and tokens[place].lower in _ADVERBS:
            place += 1
    if not _opens(tokens, place):
        place = _second_name(tokens, place) if manner in ("where", "let", "item") else place
        if not _opens(tokens, place):
            return None
    has_article = tokens[place].lower in _DETERMINERS
    if has_article:
        return place, manner, True
    return place, manner, False


def _second_name(tokens: Sequence[Token], place: int) -> int:
    """Where another name begins behind one that says nothing: `x is the value, the upper bound`."""
    after = place
    while after < len(tokens) and tokens[after].lower in _DETERMINERS:
        after += 1
    following = [token.lower for token in tokens[after + 1 : after + 3]]
    is_renamed = len(following) == 2 and following[0] == "," and following[1] in _ARTICLES
    return after + 2 if is_renamed else place


def _after_sign(clause: Clause, place: int, manner: str) -> tuple[int, str, bool] | None:
    tokens, sign = clause.tokens, clause.tokens[place].text
    after = place + 1
    if after >= len(tokens):
        return None
    if sign == ",":
        return _after_comma(clause, after, manner)
    if sign == "(":
        end = closing_place(tokens, place)
        is_valued = place > 1 and tokens[place - 1].kind != "word"
        is_alone = end is not None and (end + 1 >= len(tokens) or tokens[end + 1].kind != "word")
        words = read_phrase(tokens[after:end]).words if end is not None and is_alone else ""
        is_telling = names_quantity(words) or (clause.is_item and is_valued and _ends_as_quantity(words))
        return (after, manner, is_valued) if words and clause.governed(place) and is_telling else None
    if place and tokens[place - 1].kind == "math" and tokens[place - 1].start == tokens[place].start:
        # The sign and the words stood inside the formula: `m = \\text{mass}`.
        return after, "where", True
    bracketed = place > 1 and any(token.text == "(" for token in tokens[max(0, place - 30) : place])
    if not clause.governed(place) and not (sign in ("=", ":") and bracketed):
        return None
    first = tokens[after]
    is_constant = clause.is_item and first.lower == "constant"
    if not is_constant and not _opens(tokens, after):
        return None
    looks_like_symbol = symbol_of_word(first.text) is not None and first.lower not in _ARTICLES
    if looks_like_symbol and not (after + 1 < len(tokens) and tokens[after + 1].kind == "word"):
        return None
    return after, manner if clause.governed(place) else "where", first.lower in _DETERMINERS or len(first.text) > 2


def _ends_as_quantity(words: str) -> bool:
    """Whether the last word is one for a number of some sort: constant, exponent, factor."""
    return bool(words) and words.split()[-1].casefold() in _NUMBER_NOUNS


def _after_comma(clause: Clause, after: int, manner: str) -> tuple[int, str, bool] | None:
    """`where m, the mass, ...`, or a line of a nomenclature: `T, temperature (K)`."""
    tokens = clause.tokens
    ready = tokens[after].kind == "word" if clause.is_item else tokens[after].lower in _ARTICLES
    if not ready or not _opens(tokens, after):
        return None
    if clause.governed(after - 1):
        return after, manner, False
    # "F, the net force, equals ...": at the start of a sentence and between commas.
    phrase = read_phrase(tokens[after:])
    behind = after + phrase.length
    is_closed = behind < len(tokens) and tokens[behind].text in (",", ".", ";")
    is_opening = after <= 2 and tokens[after - 2].kind == "math"
    return (after, "is", True) if is_closed and is_opening and names_quantity(phrase.words) else None


def _opens(tokens: Sequence[Token], place: int) -> bool:
    """Whether a noun phrase can begin here."""
    if place >= len(tokens) or tokens[place].kind not in ("word", "number"):
        return False
    if tokens[place].kind == "number":
        return False
    after = place
    while after < len(tokens) and tokens[after].lower in _DETERMINERS:
        after += 1
    if after >= len(tokens) or tokens[after].kind != "word":
        return False
    lower = tokens[after].lower
    if lower in _USELESS_NOUNS:
        return after + 1 < len(tokens) and tokens[after + 1].kind == "word" and tokens[after + 1].lower == "of"
    if lower not in _NOT_A_DESCRIPTION:
        return True
    # Behind an article a participle belongs to a noun: "the measured interval".
    if lower not in _MAY_OPEN and not (after > place and lower.endswith("ed")):
        return False
    return (
        after + 1 < len(tokens)
        and tokens[after + 1].kind == "word"
        and (tokens[after + 1].lower not in _NOT_A_DESCRIPTION or lower in ("constant", "normal"))
    )


def _statement(clause: Clause, head: Head, limit: int) -> Statement | None:
    tokens = list(clause.tokens[head.phrase : limit])
    while tokens and (tokens[-1].lower in ("and", "or", "where", "with", "while", "the", "symbol", "(", ",", ";")):
        tokens.pop()
    phrases = read_shared(tokens, len(head.symbols))
    words = phrases[0].words
    first = clause.tokens[head.start]
    is_name = first.kind == "math" and not first.symbols and head.symbols[0] == spelled_name(first.math)
    if is_name and not spells(head.symbols[0].name, words):
        # Letters side by side are a product, unless the words are what they stand for.
        return None
    if not words or not any(len(word) > 1 for word in words.split()):
        return None
    if words.casefold() in _NOT_A_DESCRIPTION and not (words == "constant" and head.manner != "is"):
        return None
    if not head.is_certain and not _is_noun_phrase(words, head.manner):
        return None
    if head.manner == "is" and not _is_telling(clause.tokens[head.phrase], words):
        return None
    unit_text = head.unit_text
    if unit_text is None and len(phrases) == 1 and head.manner in ("where", "let", "item"):
        unit_text = _unit_at_end(tokens)
    if unit_text is not None:
        phrases = tuple(Phrase(phrase.words, phrase.unit_text or unit_text, phrase.length) for phrase in phrases)
    return Statement(head.symbols, phrases, head.manner, head.start, min(limit, len(clause.tokens)))


def _unit_at_end(tokens: Sequence[Token]) -> str | None:
    """The unit in brackets that ends a statement, whatever stands between: `the top resistor, the upper one (ohm)`."""
    while tokens and tokens[-1].text == ".":
        tokens = tokens[:-1]
    opening = next((place for place in range(len(tokens) - 1, 0, -1) if tokens[place].text in ("(", "[")), None)
    if opening is None or closing_place(tokens, opening) != len(tokens) - 1:
        return None
    inside = joined(tokens[opening + 1 : -1])
    return inside if reads_as_unit(inside) else None


def _is_noun_phrase(words: str, manner: str) -> bool:
    if names_quantity(words):
        return True
    first, *rest = words.casefold().split()
    if first in _NOT_A_DESCRIPTION:
        return False
    is_adjective = first in _LY_NOUNS or (bool(rest) and not first.endswith("ly") and rest[0] not in _PREPOSITIONS)
    if first.endswith(("ed", "ing", "ly")) and not is_adjective:
        return False
    return manner in ("item", "let", "where")


def _is_telling(first: Token, words: str) -> bool:
    """Outside "where", "x is the ..." counts when it names a quantity, or with "the" a thing of some length."""
    if names_exactly(words) or names_quantity(words):
        return first.lower in _DETERMINERS or names_exactly(words)
    return first.lower == "the" and len(words.split()) >= 2
