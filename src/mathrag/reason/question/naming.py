"""Which noun phrase names a value: "a molar mass of 0.028 kg/mol", "0.5 m long", "480 J of work". Chooses no symbol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.reason.question import words as english
from mathrag.reason.question.lexicon import all_names, kinds_named
from mathrag.reason.question.tokens import Token

_LINKS = frozenset("is was are were equals equal be of has have reads measures".split())
_VERBS = frozenset("is was are were equals equal be".split())
_VAGUE = frozenset(
    "about around roughly nearly approximately exactly only just another steady uniform full mere some".split()
)
_PAIRS = frozenset({("at", "most"), ("at", "least"), ("up", "to"), ("more", "than"), ("less", "than")})
_OWNER_LINKS = frozenset({"of", "in", "for", "between", "at"})
_EXTENTS = frozenset(
    "radius diameter length width height depth thickness circumference area volume mass weight size".split()
)
_LONGEST = 6


@dataclass(frozen=True, slots=True)
class Naming:
    """The phrase that names a value, and the tokens it takes up (`start` to `end`)."""

    phrase: str
    start: int
    end: int


def name_value(tokens: Sequence[Token], place: int) -> list[Naming]:
    """The phrases that may name the value at this place, likeliest first."""
    before = _before(tokens, place)
    after = _after(tokens, place)
    found = [naming for naming in (before, after) if naming is not None]
    if before is not None and after is not None and _is_kind(after) and not _is_kind(before):
        found.reverse()
    return found


def _is_kind(naming: Naming) -> bool:
    return bool(head_kinds(naming.phrase))


def head_kinds(phrase: str) -> tuple[str, ...]:
    """The kinds of the longest name that holds the head of a phrase: `length of the wire` is a length."""
    words = phrase.split()
    head = next((place for place, word in enumerate(words) if word in _OWNER_LINKS), len(words)) - 1
    found = [named for named in all_names(words) if named.start <= head < named.end]
    return max(found, key=lambda named: named.end - named.start).kinds if found else ()


def _phrase(tokens: Sequence[Token], start: int, end: int) -> str:
    return " ".join(token.normal for token in tokens[start:end] if token.kind == "word")


def _before(tokens: Sequence[Token], place: int) -> Naming | None:
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
    if link.kind != "word":
        return None
    return _noun_phrase_ending(tokens, index, takes_owner=False, needs_kind=True) or _owned_kind(tokens, index)


def _past_vague(tokens: Sequence[Token], index: int) -> int:
    """Back over `about`, `at most` and over `a constant`, where that is no name (`a constant 3 m/s`)."""
    while index >= 0:
        token = tokens[index]
        before = tokens[index - 1].lower if index else ""
        if (before, token.lower) in _PAIRS:
            index -= 2
            continue
        adjective = token.lower in ("constant", "total") and before in english.ARTICLES | english.PREPOSITIONS - {"of"}
        if not (adjective or token.lower in _VAGUE or (token.kind == "mark" and token.text in "(~$")):
            break
        index -= 1
    return index


def _noun_phrase_ending(tokens: Sequence[Token], last: int, *, takes_owner: bool, needs_kind: bool) -> Naming | None:
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
    return Naming(_phrase(tokens, first, last + 1), first, last + 1)


def _named_with_of(tokens: Sequence[Token], first: int, last: int) -> Naming | None:
    """`enthalpy of combustion`, `margin of error`: names that hold an "of" themselves."""
    start = _run_start(tokens, first - 2)
    for head in range(start, first - 1):
        if kinds_named([token.normal for token in tokens[head : last + 1]]):
            return Naming(_phrase(tokens, start, last + 1), start, last + 1)
    return None


def _owned_kind(tokens: Sequence[Token], last: int) -> Naming | None:
    """`radius of the curve 130 m`, `angle between them 15°`: the head of an owned phrase names a kind."""
    first = last if tokens[last].lower in english.PRONOUNS else _run_start(tokens, last)
    if first > last or first < 2 or not _is_owner_link(tokens, first):
        return None
    head_last = _owner_link(tokens, first) - 1
    head_first = _run_start(tokens, head_last)
    head = _longest_kind_ending(tokens, head_first, head_last) if head_first <= head_last else None
    return None if head is None else Naming(_phrase(tokens, head.start, last + 1), head.start, last + 1)


def _run_start(tokens: Sequence[Token], last: int) -> int:
    first = last + 1
    while first > 0 and last - first + 1 < _LONGEST:
        token = tokens[first - 1]
        if token.kind == "mark" and token.text in "-–" and first > 1 and tokens[first - 2].end == token.start:
            first -= 1
            continue
        if token.kind != "word" or token.lower in english.STOP_WORDS - english.FILLERS:
            break
        if token.lower in _VAGUE:
            break
        first -= 1
    return first + int(first <= last and tokens[first].kind == "mark")


def _owner_link(tokens: Sequence[Token], first: int) -> int:
    link = first - 1
    # A count in words belongs to the owner: "the reduced mass of two bodies".
    while link > 0 and (tokens[link].lower in english.ARTICLES or _is_count(tokens[link])):
        link -= 1
    return link


def _is_count(token: Token) -> bool:
    return token.kind == "value" and token.text.isalpha()


def _is_owner_link(tokens: Sequence[Token], first: int) -> bool:
    link = _owner_link(tokens, first)
    return link > 0 and tokens[link].lower in _OWNER_LINKS and tokens[link - 1].kind == "word"


def _longest_kind_ending(tokens: Sequence[Token], first: int, last: int) -> Naming | None:
    """Right before a number only a name of a kind counts: `radius 4 cm`, not `car 4 km`."""
    for start in range(first, last + 1):
        if kinds_named([token.normal for token in tokens[start : last + 1]]):
            return Naming(_phrase(tokens, first, last + 1), first, last + 1)
    return None


def _after(tokens: Sequence[Token], place: int) -> Naming | None:
    index = place + 1
    if index >= len(tokens):
        return None
    token = tokens[index]
    if token.lower in english.MEASURES:
        return Naming(english.MEASURES[token.lower], index, index + 1)
    if token.lower in ("in", "of"):
        index += 1
    if token.lower == "in" and index < len(tokens) and tokens[index].normal not in _EXTENTS:
        return None
    while index < len(tokens) and tokens[index].lower in english.ARTICLES:
        index += 1
    if index < len(tokens) and tokens[index].text == ")":
        return None
    best: Naming | None = None
    for end in range(index + 1, min(len(tokens), index + _LONGEST) + 1):
        last = tokens[end - 1]
        if last.kind != "word" or (last.lower in english.AUXILIARIES):
            break
        if kinds_named([item.normal for item in tokens[index:end]]):
            best = Naming(_phrase(tokens, index, end), index, end)
    if best is not None or tokens[place + 1].lower == "in":
        return best
    return _modified_kind(tokens, index)


def _modified_kind(tokens: Sequence[Token], index: int) -> Naming | None:
    """`2.3 m/s initial speed`: up to two words that qualify a kind."""
    for skipped in (1, 2):
        for end in range(min(len(tokens), index + skipped + 4), index + skipped, -1):
            run = tokens[index:end]
            if any(item.kind != "word" or item.lower in english.STOP_WORDS for item in run):
                continue
            if kinds_named([item.normal for item in run[skipped:]]):
                return Naming(_phrase(tokens, index, end), index, end)
    return None
