"""Which noun phrase names a value ("a mass of 3 kg", "0.5 m long"), and which one is asked for. Knows no symbols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.language.noun_phrases import run_start
from mathrag.language.quantity_names import all_names, asking_kinds, kinds_named, literal_kinds
from mathrag.language.tokens import Token, closing_place
from mathrag.language.word_classes import word_class, word_pairs
from mathrag.reason.question.asked_unit import AskedUnit
from mathrag.types.question import Given

_ARTICLES = word_class("grammar.determiners")
_AUXILIARIES = word_class("grammar.auxiliaries")
_CONJUNCTIONS = word_class("grammar.conjunctions")
_DOING = word_class("questions.doing")
_FILLERS = word_class("grammar.fillers")
_GENERIC_HEADS = word_class("questions.generic_heads")
_MEASURES = word_pairs("questions.measures")
_PREPOSITIONS = word_class("grammar.prepositions")
_PRONOUNS = word_class("grammar.pronouns")
_STOP_WORDS = word_class("questions.stop_words")
_SUBORDINATORS = word_class("grammar.subordinators")

_LINKS = word_class("questions.links")
_VERBS = word_class("questions.linking_verbs")
_VAGUE = word_class("questions.vague")
_VAGUE_PAIRS = word_class("questions.vague_pairs")
_OWNER_LINKS = word_class("phrases.owner_links")
_EXTENTS = word_class("questions.extents")
_LONGEST = 6


@dataclass(frozen=True, slots=True)
class ValueName:
    """The phrase that names a value, and the tokens it takes up (`start` to `end`)."""

    phrase: str
    start: int
    end: int


def name_value(tokens: Sequence[Token], place: int) -> list[ValueName]:
    """The phrases that may name the value at this place, likeliest first."""
    before = _before(tokens, place)
    after = _after(tokens, place)
    found = [naming for naming in (before, after) if naming is not None]
    if before is not None and after is not None and _is_kind(after) and not _is_kind(before):
        found.reverse()
    return found


def _is_kind(naming: ValueName) -> bool:
    return bool(literal_kinds(naming.phrase))


def _phrase(tokens: Sequence[Token], start: int, end: int) -> str:
    return " ".join(token.normal for token in tokens[start:end] if token.kind == "word")


def _before(tokens: Sequence[Token], place: int) -> ValueName | None:
    index = _past_vague(tokens, place - 1)
    if index < 0:
        return None
    link = tokens[index]
    mark = link.text if link.kind == "mark" else ""
    if link.lower in _LINKS or (mark and mark in "=:≈"):
        index -= 1
        while index >= 0 and (tokens[index].lower in _LINKS or tokens[index].lower in _VAGUE):
            index -= 1
        has_symbol = index >= 0 and tokens[index].kind == "symbol"
        while index >= 0 and tokens[index].kind == "symbol":
            index -= 1
        if index < 0 or tokens[index].kind != "word":
            return None
        owned = not has_symbol and (link.lower in _VERBS or bool(mark))
        return _noun_phrase_ending(tokens, index, takes_owner=owned, needs_kind=mark == ":")
    if link.kind != "word" or link.lower == "pays":
        # The bond pays: that is no pay.
        return None
    return _noun_phrase_ending(tokens, index, takes_owner=False, needs_kind=True) or _owned_kind(tokens, index)


def _past_vague(tokens: Sequence[Token], index: int) -> int:
    """Back over `about`, `at most` and over `a constant`, where that is no name (`a constant 3 m/s`)."""
    while index >= 0:
        token = tokens[index]
        before = tokens[index - 1].lower if index else ""
        if f"{before} {token.lower}" in _VAGUE_PAIRS:
            index -= 2
            continue
        adjective = token.lower in ("constant", "total") and before in _ARTICLES | _PREPOSITIONS - {"of"}
        if not (adjective or token.lower in _VAGUE or (token.kind == "mark" and token.text in "(~$")):
            break
        index -= 1
    return index


def _noun_phrase_ending(tokens: Sequence[Token], last: int, *, takes_owner: bool, needs_kind: bool) -> ValueName | None:
    """The noun phrase that ends with this token; with its owner ("length of the wire") where a verb links it."""
    first = _run_start(tokens, last)
    if takes_owner and first > 1 and _is_owner_link(tokens, first):
        head_last = _owner_link(tokens, first) - 1
        head_first = _run_start(tokens, head_last)
        if head_first <= head_last:
            first = head_first
    if first > last:
        return None
    if not takes_owner and first > 1 and tokens[first - 1].lower == "of":
        whole = _named_with_of(tokens, first, last)
        if whole is not None:
            return whole
    if needs_kind:
        return _longest_kind_ending(tokens, first, last)
    return ValueName(_phrase(tokens, first, last + 1), first, last + 1)


def _named_with_of(tokens: Sequence[Token], first: int, last: int) -> ValueName | None:
    """`enthalpy of combustion`, `margin of error`: names that hold an "of" themselves."""
    start = _run_start(tokens, first - 2)
    for head in range(start, first - 1):
        if kinds_named([token.normal for token in tokens[head : last + 1]]):
            return ValueName(_phrase(tokens, start, last + 1), start, last + 1)
    return None


def _owned_kind(tokens: Sequence[Token], last: int) -> ValueName | None:
    """`width of the gate 3 m`, `gap between them 4 mm`: the head of an owned phrase names a kind."""
    first = last if tokens[last].lower in _PRONOUNS else _run_start(tokens, last)
    if first > last or first < 2 or not _is_owner_link(tokens, first):
        return None
    head_last = _owner_link(tokens, first) - 1
    head_first = _run_start(tokens, head_last)
    head = _longest_kind_ending(tokens, head_first, head_last) if head_first <= head_last else None
    return None if head is None else ValueName(_phrase(tokens, head.start, last + 1), head.start, last + 1)


def _run_start(tokens: Sequence[Token], last: int) -> int:
    """Where the words begin that stand together before a value; words joined by a hyphen are one."""
    first = run_start(last, longest=_LONGEST, ends=lambda index: _ends_run(tokens, index))
    return first + int(first <= last and tokens[first].kind == "mark")


def _ends_run(tokens: Sequence[Token], index: int) -> bool:
    token = tokens[index]
    if token.kind == "mark" and token.text in "-–":
        return index == 0 or tokens[index - 1].end != token.start
    return token.kind != "word" or token.lower in _VAGUE or token.lower in _STOP_WORDS - _FILLERS


def _owner_link(tokens: Sequence[Token], first: int) -> int:
    link = first - 1
    # A count in words belongs to the owner: "the height of three steps".
    while link > 0 and (tokens[link].lower in _ARTICLES or _is_count(tokens[link])):
        link -= 1
    return link


def _is_count(token: Token) -> bool:
    return token.kind == "value" and token.text.isalpha()


def _is_owner_link(tokens: Sequence[Token], first: int) -> bool:
    link = _owner_link(tokens, first)
    return link > 0 and tokens[link].lower in _OWNER_LINKS and tokens[link - 1].kind == "word"


def _longest_kind_ending(tokens: Sequence[Token], first: int, last: int) -> ValueName | None:
    """Right before a number only a name of a kind counts: `radius 4 cm`, not `car 4 km`."""
    for start in range(first, last + 1):
        if kinds_named([token.normal for token in tokens[start : last + 1]]):
            return ValueName(_phrase(tokens, first, last + 1), first, last + 1)
    return None


def _after(tokens: Sequence[Token], place: int) -> ValueName | None:
    index = place + 1
    if index >= len(tokens):
        return None
    token = tokens[index]
    if token.lower in _MEASURES:
        return ValueName(_MEASURES[token.lower], index, index + 1)
    if token.lower in ("in", "of"):
        index += 1
    if token.lower == "in" and index < len(tokens) and tokens[index].normal not in _EXTENTS:
        return None
    while index < len(tokens) and tokens[index].lower in _ARTICLES:
        index += 1
    if index < len(tokens) and tokens[index].text == ")":
        return None
    best: ValueName | None = None
    for end in range(index + 1, min(len(tokens), index + _LONGEST) + 1):
        last = tokens[end - 1]
        if last.kind != "word" or (last.lower in _AUXILIARIES):
            break
        if kinds_named([item.normal for item in tokens[index:end]]):
            best = ValueName(_phrase(tokens, index, end), index, end)
    if best is not None or tokens[place + 1].lower == "in":
        return best
    return _modified_kind(tokens, index)


def _modified_kind(tokens: Sequence[Token], index: int) -> ValueName | None:
    """`2.3 m/s initial speed`: up to two words that qualify a kind."""
    for skipped in (1, 2):
        for end in range(min(len(tokens), index + skipped + 4), index + skipped, -1):
            run = tokens[index:end]
            if any(item.kind != "word" or item.lower in _STOP_WORDS for item in run):
                continue
            if kinds_named([item.normal for item in run[skipped:]]):
                return ValueName(_phrase(tokens, index, end), index, end)
    return None


# The noun phrase behind an asking word, and the kinds that its head names. Knows nothing of asking words.

_LONGEST_PHRASE = 24
_MAXIMAL_KINDS = 12
_PHRASE_STOPS = _AUXILIARIES | _SUBORDINATORS
_LEADING = word_class("questions.leading")


@dataclass(frozen=True, slots=True)
class QuestionContext:
    """What target reading needs to know of the question.

    `taken` are tokens that name given values, `equations` left-hand sides of the equations written out.
    """

    text: str
    tokens: Sequence[Token]
    symbols: frozenset[str]
    unit: AskedUnit | None
    taken: frozenset[int]
    equations: tuple[str, ...]
    givens: tuple[Given, ...]
    is_terse: bool = False


@dataclass(frozen=True, slots=True)
class AskedPhrase:
    """A noun phrase as places of word tokens: `core` before the first preposition, `rest` behind it."""

    core: tuple[int, ...]
    rest: tuple[int, ...]


def noun_phrase(context: QuestionContext, start: int) -> AskedPhrase:
    """Words from here to the end of the noun phrase and of what qualifies it, up to the next value or its name."""
    tokens = context.tokens
    core: list[int] = []
    rest: list[int] = []
    index = start
    in_core = True
    while index < len(tokens) and len(core) + len(rest) < _LONGEST_PHRASE:
        token = tokens[index]
        if context.unit is not None and _opens_unit(context, index):
            index = context.unit.end
            continue
        if token.text == "(" and (core or index > start):
            index = _behind_bracket(tokens, index)
            continue
        if _ends_phrase(context, index, has_core=bool(core)):
            break
        if token.kind in ("word", "symbol"):
            if core and token.lower in _PREPOSITIONS | _CONJUNCTIONS:
                in_core = False
            elif in_core and core and token.lower in _DOING and _names_kind(tokens, core):
                # In "what heat raises its temperature" the heat is asked for.
                in_core = False
                index += 1
                continue
            if not in_core or token.lower not in _ARTICLES | _AUXILIARIES:
                (core if in_core else rest).append(index)
        index += 1
    while core and tokens[core[0]].lower in _LEADING and tokens[core[0]].kind == "word":
        core.pop(0)
    if rest and rest[-1] + 1 < len(tokens) and tokens[rest[-1] + 1].text == "=":
        # In "the weight for m = 2 kg" the mass is given.
        rest.pop()
    return AskedPhrase(tuple(core), tuple(rest))


def _names_kind(tokens: Sequence[Token], places: Sequence[int]) -> bool:
    """Whether these words end with the name of a kind."""
    words = [tokens[place].normal for place in places]
    return any(kinds_named(words[start:]) for start in range(len(words)))


def _opens_unit(context: QuestionContext, index: int) -> bool:
    unit = context.unit
    if unit is None:
        return False
    word = context.tokens[index].lower
    return unit.start == index or (unit.start == index + 1 and word in ("in", "into", "to", "as"))


def _ends_phrase(context: QuestionContext, index: int, *, has_core: bool) -> bool:
    token = context.tokens[index]
    if token.is_stop or token.kind == "value" or index in context.taken:
        return True
    if token.kind == "mark":
        return token.text not in "-'’\"“”/–" and (has_core or token.text not in ",:")
    return has_core and token.lower in _PHRASE_STOPS


def _behind_bracket(tokens: Sequence[Token], index: int) -> int:
    closing = closing_place(tokens, index)
    return len(tokens) if closing is None else closing + 1


def sentence_rest(context: QuestionContext, start: int) -> AskedPhrase:
    """Words behind `how fast`, to the end of the sentence or the next value."""
    places: list[int] = []
    for index in range(start, min(len(context.tokens), start + _LONGEST_PHRASE)):
        token = context.tokens[index]
        if token.is_stop or token.kind == "value" or token.lower in _SUBORDINATORS or index in context.taken:
            break
        unit = context.unit
        if unit is not None and unit.start - 1 <= index < unit.end:
            continue
        if token.kind == "word":
            places.append(index)
    while places and context.tokens[places[0]].lower in _AUXILIARIES | _PRONOUNS:
        places.pop(0)
    return AskedPhrase((), tuple(places))


def bracket_kinds(context: QuestionContext, phrase: AskedPhrase) -> tuple[str, ...]:
    """Kinds named in a bracket behind the phrase, where a person says what is meant: `the pull (as a force)`."""
    tokens = context.tokens
    if not phrase.core:
        return ()
    for opening in range(phrase.core[-1] + 1, min(len(tokens), phrase.core[-1] + 7)):
        if tokens[opening].is_stop or tokens[opening].kind == "value":
            return ()
        if tokens[opening].text == "(":
            inside = tokens[opening + 1 : _behind_bracket(tokens, opening) - 1]
            if any(token.kind == "value" for token in inside):
                return ()
            words = [token.normal for token in inside if token.kind == "word"]
            whole = [named for named in all_names(words) if named.end == len(words)]
            return max(whole, key=lambda named: named.end - named.start).kinds if whole else ()
    return ()


def phrase_kinds(tokens: Sequence[Token], phrase: AskedPhrase, *, has_symbol: bool = False) -> tuple[str, ...]:
    """The kinds of the longest name that the head of the phrase takes part in, then of shorter ones."""
    places = [*phrase.core, *phrase.rest]
    words = [tokens[place].normal for place in places]
    head = len(phrase.core) - 1
    if head >= 1 and has_symbol and not asking_kinds(words[head : head + 1])[0]:
        # In `position x` the head is the word before the symbol.
        head -= int(len(words[head]) <= 2)
    ranked: list[tuple[tuple[int, int, int], tuple[str, ...]]] = []
    for named in all_names(words):
        if named.start <= head < named.end:
            rank = (0, named.start - named.end, named.start)
        elif named.end <= head + 1:
            rank = (1, -named.end, named.start - named.end)
        else:
            rank = (2, named.start, named.start - named.end)
        ranked.append((rank, named.kinds))
    if not ranked:
        return ()
    ranked.sort(key=lambda pair: pair[0])
    if head >= 0 and words[head] in _GENERIC_HEADS and ranked[0][0][:2] >= (0, -1):
        ranked.sort(key=lambda pair: pair[0][0] != 2)
    level = ranked[0][0][0]
    if level == 2 and has_symbol:
        return ()
    kept = [ids for rank, ids in ranked if rank[0] == level]
    if level == 2:
        kept = [ids for rank, ids in ranked if rank[0] == 2 and rank[1] == ranked[0][0][1]]
    return tuple(dict.fromkeys(item for ids in kept for item in ids))[:_MAXIMAL_KINDS]
