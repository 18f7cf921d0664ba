"""Read a formula that is said in words ("the pressure is the force divided by the area"), in every way it can be meant.

A small grammar of the operators that people say, over the names of symbols that are already known. It finds all
readings instead of choosing one: whether "half the mass times the velocity squared" squares both is not its business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache, partial
from typing import TypeAlias

from mathrag.extract.definitions.symbols import any_symbol
from mathrag.knowledge.spelling import normal_words
from mathrag.language.word_classes import word_class, word_list
from mathrag.types.expression import (
    ONE,
    PI,
    Equation,
    Expression,
    Number,
    Symbol,
    add,
    call,
    divide,
    multiply,
    negate,
    number,
    power,
    subtract,
    symbols_of,
)

# A sentence that says a formula in words, as tokens, and which of its words name which symbol. Builds no formula.

MOST_TOKENS = 60
_TOKEN = re.compile(r"\$[^$]{1,40}\$|\\\([^()]{1,40}\\\)|\d+(?:\.\d+)?|[^\W\d_]+(?:['’\-][^\W\d_]+)*|[,;:()=%]")
_ASIDE = re.compile(r"\([^()]{0,120}\)")
_MARKUP = re.compile(r"\*\*|__|\*|`")
_BOUNDARY = word_class("proposals.name_ends")
_NOUNS = word_class("proposals.nouns")
_SILENT = word_class("proposals.silent")
_VALUE_NOUNS = word_class("proposals.value_nouns")
OPERATORS = word_class("proposals.operators")
HEDGES = word_class("proposals.hedges")
DENIALS = word_class("proposals.denials")
COPULAS = word_class("proposals.copulas")
_CASE_OPENINGS = word_class("proposals.case_openings")
_MARKS = ",;:()=%"
_PERCENT = {"percent": "%"}
# The operation that "and by" goes on with.
_CONTINUED = {
    word: operation
    for operation, words in {"divide": ("divided", "divide", "dividing"),
                             "multiply": ("multiplied", "multiply", "multiplying")}.items()
    for word in words
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A word in lower case and one spelling, a mark, a number, or a symbol (`symbol` is then its name)."""

    text: str
    symbol: str = ""

    @property
    def is_number(self) -> bool:
        """Whether it is written in digits."""
        return self.text[:1].isdecimal()


def tokens_of(sentence: str) -> tuple[Token, ...]:
    """The tokens of a sentence without asides in brackets; empty where it is longer than those that say formulas."""
    plain = _MARKUP.sub("", _ASIDE.sub(" ", sentence))
    found: list[Token] = []
    for match in _TOKEN.finditer(plain):
        text = match.group()
        if text[0] in "$\\":
            symbol = any_symbol(text.strip("$").removeprefix("\\(").removesuffix("\\)"))
            found.append(Token(text, symbol.name if symbol is not None else "?"))
        elif text.endswith(("'s", "’s")):
            # Whose it is does not matter: "the car's speed".
            continue
        else:
            found.append(Token(_PERCENT.get(text.casefold(), text.casefold())))
    return tuple(_joined_percent(found)) if len(found) <= MOST_TOKENS else ()


def _joined_percent(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens with "per cent" as one."""
    for place, token in enumerate(tokens):
        following = tokens[place + 1].text if place + 1 < len(tokens) else ""
        if token.text == "cent" and place and tokens[place - 1].text == "per":
            continue
        yield Token("%") if token.text == "per" and following == "cent" else token


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words of a noun phrase that count: all of them, and those of its head; and those that could say an operation
    and are part of the name here ("heat per stop")."""

    words: frozenset[str]
    head: frozenset[str]
    operators: frozenset[str] = frozenset()


@lru_cache(maxsize=2048)
def phrase_of(words: tuple[str, ...]) -> Phrase:
    """What a run of words names."""
    head: list[str] = []
    rest: list[str] = []
    is_past = False
    for word in words:
        if word in _SILENT:
            continue
        if word in _BOUNDARY:
            is_past = is_past or bool(head)
            continue
        if head and word.endswith(("ed", "ing")) and word not in _NOUNS:
            is_past = True
        (rest if is_past else head).append(_normal(word))
    operators = frozenset(_normal(word) for word in words if word in OPERATORS)
    return Phrase(frozenset((*head, *rest)), frozenset(head), operators)


def phrase_of_text(text: str) -> Phrase:
    """What a description names."""
    plain = _ASIDE.sub(" ", text)
    return phrase_of(tuple(token.text for token in tokens_of(plain) if not token.symbol and token.text not in _MARKS))


@lru_cache(maxsize=8192)
def _normal(word: str) -> str:
    return normal_words(f"{word}")


def symbols_named(tokens: Sequence[Token], names: Mapping[str, Phrase]) -> tuple[str, ...]:
    """The symbols whose descriptions a run of tokens names, the best match or several that are as good; else none."""
    written = {token.symbol for token in tokens if token.symbol}
    words = tuple(token.text for token in tokens if not token.symbol)
    if not _can_be_a_name(words):
        return ()
    # A mass ratio is a quantity; only who is called so may have such a word in its name.
    operators = {_normal(word) for word in words if word in OPERATORS}
    said = phrase_of(words)
    open_ones = {name: phrase for name, phrase in names.items() if operators <= phrase.words | phrase.operators}
    if "and" in words or "or" in words:
        # Two things, unless one is called so: it must not swallow the next operand.
        open_ones = {name: phrase for name, phrase in open_ones.items() if said.words <= phrase.words}
    if written:
        # A letter beside the words settles it, if the words do not speak against it.
        (name, *others) = sorted(written)
        if others or name not in open_ones:
            return ()
        return (name,) if not said.words or said.words & open_ones[name].words else ()
    scores = {name: _agreement(said, phrase) for name, phrase in open_ones.items()}
    best = max(scores.values(), default=0)
    return tuple(name for name, score in scores.items() if score == best) if best else ()


def _can_be_a_name(words: Sequence[str]) -> bool:
    """Whether words can name one thing: no mark, no number, no preposition first, no verb but in "to be injected"."""
    return not (words and words[0] in _BOUNDARY) and not any(
        word in _MARKS
        or word[:1].isdecimal()
        or (word in COPULAS and tuple(words[place - 1 : place + 1]) != ("to", "be"))
        for place, word in enumerate(words)
    )


def _agreement(said: Phrase, named: Phrase) -> int:
    """How many words two phrases share where they name the same thing; 0 where they do not.

    The heads decide: "change in velocity" is no velocity, "area of the plate" is an area.
    """
    if not said.head or not named.head:
        return 0
    says_all = named.words <= said.words and said.head <= named.words
    says_less = said.head == named.head and said.words <= named.words
    return len(named.words & said.words) if says_all or says_less else 0


def symbols_named_by(said: Phrase, names: Mapping[str, Phrase]) -> tuple[str, ...]:
    """The symbols whose words name the same as a phrase, whichever of the two says more; the best of them."""
    scores = {name: max(_agreement(said, phrase), _agreement(phrase, said)) for name, phrase in names.items()}
    best = max(scores.values(), default=0)
    return tuple(name for name, score in scores.items() if score == best) if best else ()


_MOST_READINGS = 16
_MOST_LISTED = 6
_SENTENCE = re.compile(r"(?:(?<=[^\W\d_]{2})|(?<=[)$\]}\d%”’]))[.!?;]\s+|\n\s*\n|(?<=[\w)$])[.!?]$")
_NUMBERS = {
    word: value
    for value, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
} | {"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000}
_POWERS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}
_PARTS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4} | {
    f"{part}{plural}": value
    for part, value in {
        "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10, "hundredth": 100, "thousandth": 1000,
    }.items()
    for plural in ("", "s")
}  # fmt: skip
_MULTIPLES = {"twice": 2, "double": 2, "thrice": 3, "triple": 3}
_VERB_TAIL = word_class("proposals.verb_tails")
_BEFORE_VERB = word_class("proposals.before_verb")
_AIMS = word_class("proposals.aims")
_NAMED_AS_ONE = word_class("proposals.named_as_one")
_ARTICLES = word_class("proposals.articles")
PRONOUNS = word_class("proposals.pronouns")
_FIXED_FACTOR = word_class("proposals.constant_nouns")
_FACTOR_MARKS = word_class("proposals.factor_marks")
_PROPORTION = word_class("proposals.proportion")
_Words: TypeAlias = tuple[str, ...]


def _phrases(name: str) -> tuple[_Words, ...]:
    return tuple(tuple(phrase.split()) for phrase in word_list(name))


_RESULT_VERBS = _phrases("proposals.result_verbs")
_EQUALITY_VERBS = _phrases("proposals.equality_verbs")
_WHOLE_BEFORE = _phrases("proposals.whole_before")
_AS_LARGE_AS = _phrases("proposals.as_large_as")
_REMAINDERS = _phrases("proposals.remainders")
_REMAINDER_LINKS = _phrases("proposals.remainder_links")
_REMAINDER_ENDS = _phrases("proposals.remainder_ends")
_RESTATED = _phrases("proposals.restated")
_THAT_OF = _phrases("proposals.that_of")
# Looser ones first, so that the first reading is the one that a formula with the same words in a row would have.
_INFIX: tuple[tuple[_Words, str], ...] = (
    *((words, "add") for words in _phrases("proposals.between_add")),
    *((words, "subtract") for words in _phrases("proposals.between_subtract")),
    *((words, "taken_from") for words in _phrases("proposals.between_taken_from")),
    *((words, "multiply") for words in _phrases("proposals.between_multiply")),
    *((words, "divide") for words in _phrases("proposals.between_divide")),
)
_RANK = {"add": 0, "subtract": 0, "taken_from": 0, "multiply": 1, "divide": 1}
_OPERATIONS: Mapping[str, Callable[[Expression, Expression], Expression]] = {
    "divide": divide,
    "multiply": multiply,
    "add": add,
    "subtract": subtract,
    "taken_from": lambda taken, whole: subtract(whole, taken),
}
_APPLIED: Mapping[_Words, Callable[[Expression], Expression]] = {
    ("square", "of"): lambda each: power(each, Number(2)),
    ("cube", "of"): lambda each: power(each, Number(3)),
    ("square", "root", "of"): partial(call, "sqrt"),
    ("cube", "root", "of"): partial(call, "cbrt"),
    ("reciprocal", "of"): partial(divide, ONE),
    ("inverse", "of"): partial(divide, ONE),
    ("negative", "of"): negate,
    ("natural", "logarithm", "of"): partial(call, "log"),
    ("common", "logarithm", "of"): partial(call, "log10"),
    ("exponential", "of"): partial(call, "exp"),
    ("sine", "of"): partial(call, "sin"),
    ("cosine", "of"): partial(call, "cos"),
    ("tangent", "of"): partial(call, "tan"),
}
# Words that say how quantities are combined or stated, and name none.
_GRAMMAR = (
    OPERATORS | COPULAS | _SILENT | _BOUNDARY | _ARTICLES | _VERB_TAIL | _BEFORE_VERB | _AIMS | PRONOUNS
    | _NUMBERS.keys() | _PARTS.keys() | _MULTIPLES.keys()
    | {word for words, _ in _INFIX for word in words}
    | {
        word
        for phrases in (_RESULT_VERBS, _EQUALITY_VERBS, _WHOLE_BEFORE, _AS_LARGE_AS, _REMAINDERS, _REMAINDER_LINKS,
                        _REMAINDER_ENDS, _RESTATED, _THAT_OF, tuple(_APPLIED))
        for words in phrases
        for word in words
    }
)  # fmt: skip
# Of several quantities at once: the squares of X and Y.
_EACH: Mapping[str, int] = {"squares": 2, "cubes": 3}


def sentences_of(text: str) -> Iterator[str]:
    """The sentences of a text, without the marks that end them."""
    yield from filter(None, map(str.strip, _SENTENCE.split(text)))


def unexplained_words(text: str, names: Mapping[str, Phrase]) -> tuple[str, ...]:
    """Words of a sentence that belong to no name and to no operation: what they say is not in the formula.

    A clause before the first comma that computes nothing says when it holds, and is left out.
    """
    tokens = tokens_of(text)
    first = next((at + 1 for at, token in enumerate(tokens) if token.text == ","), 0)
    opening = {token.text for token in tokens[:first]}
    if first and OPERATORS.isdisjoint(opening) and COPULAS.isdisjoint(opening):
        tokens = tokens[first:]
    named = frozenset[str]().union(*(phrase.words for phrase in names.values()))
    return tuple(
        token.text
        for token in tokens
        if not token.symbol
        and not token.is_number
        and token.text not in _MARKS
        and token.text not in _GRAMMAR
        and _normal(token.text) not in named
    )


def spoken_equations(text: str, names: Mapping[str, Phrase], *, before: str = "") -> tuple[Equation, ...] | None:
    """Every reading of the sentences of a text as an equation between the named symbols, the likeliest first.

    None where there are more readings than are looked at. `before` is the text before it, for a pronoun that stands
    for what the sentence before was about.
    """
    found: dict[Equation, None] = {}
    earlier = before
    for sentence in _SENTENCE.split(text):
        tokens = tokens_of(sentence)
        said = {token.text for token in tokens}
        if tokens and not _denied(tokens, HEDGES | DENIALS, names) and "=" not in said:
            for variant in _variants(tokens, names, earlier):
                reader = _Reader(variant, names)
                readings = dict.fromkeys(reader.statements())
                if reader.is_overfull:
                    return None
                found |= readings
                if readings:
                    break
        earlier = sentence
    return tuple(found)


def unnamed(tokens: Sequence[Token], words: frozenset[str], names: Mapping[str, Phrase]) -> frozenset[str]:
    """Those of some words that a sentence says otherwise than in the name of a symbol ("relative error")."""
    content = [token.text for token in tokens if token.text not in _ARTICLES]
    found = set()
    for place, word in enumerate(content):
        if word not in words:
            continue
        beside = {_normal(each) for each in (*content[max(0, place - 1) : place], *content[place + 1 : place + 2])}
        own = _normal(word)
        if not any(_names_both(phrase, own, beside) for phrase in names.values()):
            found.add(word)
    return frozenset(found)


def factor_of(tokens: Sequence[Token], names: Mapping[str, Phrase]) -> tuple[str, int] | None:
    """The symbol that a sentence names as the constant of a proportion, and where the words about it begin."""
    words = tuple(token.text for token in tokens)
    places = [at for at in range(1, len(words) - 1) if words[at : at + 2] == ("proportional", "to")]
    if len(places) != 1:
        return None
    cut = next((at for at in range(places[0] + 3, len(words)) if words[at] in (",", "with")), len(words))
    tail = tokens[cut:]
    if _FIXED_FACTOR.isdisjoint(token.text for token in tail):
        return None
    marks = [at for at, token in enumerate(tail) if token.text in _FACTOR_MARKS]
    starts, ends = [0, *(at + 1 for at in marks)], [*marks, len(tail)]
    runs = [tail[first:last] for first, last in zip(starts, ends, strict=True) if last > first]
    named = {name for run in runs for name in symbols_named(run, names)}
    return (named.pop(), cut) if len(named) == 1 else None


def _denied(tokens: Sequence[Token], words: frozenset[str], names: Mapping[str, Phrase]) -> frozenset[str]:
    found = unnamed(tokens, words, names)
    return found - _PROPORTION if factor_of(tokens, names) is not None else found


def denials_in(text: str, names: Mapping[str, Phrase]) -> frozenset[str]:
    """The words of a text that say that it states no equality."""
    return _denied(tokens_of(text), DENIALS, names)


def _names_both(phrase: Phrase, word: str, beside: Set[str]) -> bool:
    """Whether a word is part of a name together with one beside it: "error" of "relative error", "true value"."""
    if word not in phrase.words:
        return False
    return bool(beside & (phrase.words - {word}) or (phrase.words == {word} and beside & _VALUE_NOUNS))


def _variants(tokens: tuple[Token, ...], names: Mapping[str, Phrase], before: str) -> Iterator[tuple[Token, ...]]:
    """The sentence as it stands; with what "that of" and a pronoun stand for in their place."""
    words = tuple(token.text for token in tokens)
    restated = _without_restating(tokens, words)
    yield from restated or (tokens,)
    head = _head_of(_subject(tokens))
    if head is not None and any(
        words[place : place + len(one)] == one for one in _THAT_OF for place in range(len(words))
    ):
        yield _replaced(tokens, {one: (head, Token("of")) for one in _THAT_OF})
    subject = _subject(tokens_of([*filter(None, map(str.strip, _SENTENCE.split(before))), ""][-2:][0]))
    if subject and not PRONOUNS.isdisjoint(words) and symbols_named(subject, names):
        yield _replaced(tokens, {(one,): subject for one in PRONOUNS})


def _without_restating(tokens: tuple[Token, ...], words: _Words) -> tuple[tuple[Token, ...], ...]:
    """`X is A, that is, B` as `X is A` and `X is B`."""
    for phrase in _RESTATED:
        for place in range(1, len(words) - len(phrase)):
            if words[place : place + len(phrase)] == phrase:
                verb = next((at for at in range(1, place) if words[at] in COPULAS), None)
                after = tokens[place + len(phrase) :]
                if verb is not None and not any(token.text in COPULAS for token in after):
                    return tokens[:place], (*tokens[: verb + 1], *after)
    return ()


def _subject(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """What a sentence is about: the words before its verb."""
    place = next((at for at, token in enumerate(tokens) if token.text in COPULAS), 0)
    return tuple(tokens[:place])


def _head_of(tokens: Sequence[Token]) -> Token | None:
    """The noun of a noun phrase: the mass, of the total mass of all."""
    head: Token | None = None
    for token in tokens:
        if token.text in _SILENT or token.symbol:
            continue
        if token.text in _BOUNDARY:
            return head
        head = token
    return head


def _replaced(tokens: Sequence[Token], by: Mapping[_Words, Sequence[Token]]) -> tuple[Token, ...]:
    found: list[Token] = []
    place = 0
    while place < len(tokens):
        for words, others in by.items():
            if tuple(token.text for token in tokens[place : place + len(words)]) == words:
                found.extend(others)
                place += len(words)
                break
        else:
            found.append(tokens[place])
            place += 1
    return tuple(found[:MOST_TOKENS])


@dataclass(frozen=True, slots=True)
class _Infix:
    """An operation between two operands: where the first ends, where the second begins. A comma makes it loose; one
    that continues another ("and by") needs that in its first operand, at `origin`."""

    end: int
    start: int
    operation: str
    is_loose: bool
    origin: int = -1


class _Reader:
    """All readings of one sentence; what a run of tokens can mean is worked out once."""

    def __init__(self, tokens: Sequence[Token], names: Mapping[str, Phrase]) -> None:
        self.tokens = tokens
        self.words = tuple(token.text for token in tokens)
        self.names = names
        self.is_overfull = False
        self._known: dict[tuple[int, int], tuple[Expression, ...]] = {}
        self._infixes = sorted(
            self._found_infixes(), key=lambda one: (not one.is_loose, _RANK[one.operation], -one.end)
        )

    def statements(self) -> Iterator[Equation]:
        """The sentence as an equation, with nothing about operators before or after what is read."""
        for start, end in self._clauses():
            yield from self._is_said(start, end)
            yield from self._results(start, end)
            yield from self._advised(start, end)
        if (factor := factor_of(self.tokens, self.names)) is not None:
            yield from self._proportional(*factor)

    def _clauses(self) -> Iterator[tuple[int, int]]:
        """Where a statement may begin and end: at the ends, at marks; what is left out must not compute anything."""
        starts = [0, *(index + 1 for index, word in enumerate(self.words) if word in (",", ":", "that"))]
        ends = [*(index for index, word in enumerate(self.words) if word in (",", "where", "whereas")), len(self.words)]
        for start in (*starts[:4], *self._openings()):
            for end in ends[-4:]:
                outside = (*self.words[:start], *self.words[end:])
                if end - start >= 3 and OPERATORS.isdisjoint(outside):
                    yield start, end

    def _openings(self) -> Iterator[int]:
        """Where the subject may begin after a short phrase that says when it holds: For safety the strength is …"""
        if self.words and self.words[0] in _CASE_OPENINGS:
            for place in range(2, min(5, len(self.words))):
                if self.words[place] in _ARTICLES and self.words[place] != "of":
                    yield place

    def _is_said(self, start: int, end: int) -> Iterator[Equation]:
        """`X is <expression>`."""
        for verb in _EQUALITY_VERBS:
            for place in self._places(verb, start + 1, end - 1):
                first = place
                while first > start and self.words[first - 1] in _BEFORE_VERB:
                    first -= 1
                last = place + len(verb)
                while last < end and self.words[last] in _VERB_TAIL:
                    last += 1
                for target in symbols_named(self.tokens[start:first], self.names):
                    yield from self._equations(target, last, end)

    def _results(self, start: int, end: int) -> Iterator[Equation]:
        """`<expression> gives X`, `<expression> is called X`, `Divide X by Y and you have Z`."""
        for verb in _RESULT_VERBS:
            for place in self._places(verb, start + 1, end - 1):
                cut = place - 1 if self.words[place - 1] == "," else place
                for target in symbols_named(self.tokens[place + len(verb) : end], self.names):
                    yield from self._equations(target, start, cut)

    def _advised(self, start: int, end: int) -> Iterator[Equation]:
        """`To find X, divide Y by Z`."""
        first = start + 1 if self.words[start] == "to" else start
        if self.words[first] not in _AIMS:
            return
        for place in self._places((",",), first + 1, end - 1):
            for target in symbols_named(self.tokens[first + 1 : place], self.names):
                yield from self._equations(target, place + 1, end)

    def _proportional(self, factor: str, end: int) -> Iterator[Equation]:
        """`X is inversely proportional to Y, with K as the constant`."""
        for place in self._places(("proportional", "to"), 1, end):
            is_inverse = self.words[place - 1] == "inversely"
            verb = place - 1 if is_inverse or self.words[place - 1] == "directly" else place
            if self.words[verb - 1] not in COPULAS:
                continue
            for target in symbols_named(self.tokens[: verb - 1], self.names):
                for right in self.expressions(place + 2, end):
                    make = divide if is_inverse else multiply
                    yield Equation(Symbol(target), make(Symbol(factor), right))

    def _equations(self, target: str, start: int, end: int) -> Iterator[Equation]:
        for right in self.expressions(start, end):
            if not isinstance(right, Symbol | Number) and target not in symbols_of(right):
                yield Equation(Symbol(target), right)

    def _places(self, words: Sequence[str], start: int, end: int) -> Iterator[int]:
        size = len(words)
        for place in range(start, end - size + 1):
            if self.words[place : place + size] == tuple(words):
                yield place

    def _found_infixes(self) -> Iterator[_Infix]:
        size = len(self.words)
        taken: set[int] = set()
        for words, operation in sorted(_INFIX, key=lambda one: -len(one[0])):
            for place in self._places(words, 1, size - 1):
                if place in taken:
                    continue
                taken.add(place)
                end, is_loose = self._loosened(place)
                yield _Infix(end, place + len(words), operation, is_loose)
        for place in self._places(("and", "by"), 1, size - 1):
            origins = [at for at in range(place) if self.words[at] in _CONTINUED]
            if origins:
                yield _Infix(place, place + 2, _CONTINUED[self.words[origins[-1]]], False, origins[-1])

    def _loosened(self, place: int) -> tuple[int, bool]:
        """Where the first operand ends before an operation, and whether it is all of it: `…, all divided by`."""
        for words in _WHOLE_BEFORE:
            if self.words[max(0, place - len(words)) : place] == words:
                end = place - len(words)
                return (end - 1 if end > 1 and self.words[end - 1] == "," else end), True
        if self.words[place - 1] == ",":
            return place - 1, True
        return place, False

    def expressions(self, start: int, end: int) -> tuple[Expression, ...]:
        """Everything that a run of tokens can mean, the likeliest first."""
        while start < end and self.words[start] in _ARTICLES:
            start += 1
        if start >= end:
            return ()
        key = (start, end)
        if key not in self._known:
            found: dict[Expression, None] = {}
            for reading in self._readings(start, end):
                found[reading] = None
                if len(found) > _MOST_READINGS:
                    self.is_overfull = True
                    break
            self._known[key] = tuple(found)[:_MOST_READINGS]
        return self._known[key]

    def _readings(self, start: int, end: int) -> Iterator[Expression]:
        for rule in (self._atom, self._after, self._between, self._before, self._done_to, self._left_over):
            yield from rule(start, end)

    def _atom(self, start: int, end: int) -> Iterator[Expression]:
        if end - start == 1:
            word = self.words[start]
            if word in ("pi", "π"):
                yield PI
            if word in _NUMBERS or self.tokens[start].is_number:
                yield _literal(word)
        if end - start == 2 and self.words[end - 1] in ("pi", "π"):
            yield from (multiply(each, PI) for each in self.expressions(start, start + 1) if isinstance(each, Number))
        for name in symbols_named(self.tokens[start:end], self.names):
            yield Symbol(name)

    def _after(self, start: int, end: int) -> Iterator[Expression]:
        """`X squared`, `X to the fourth power`, `X raised to the power of 3`."""
        last = self.words[end - 1]
        if last in ("squared", "cubed"):
            for base in self._bases(start, end - 1):
                yield power(base, Number(2 if last == "squared" else 3))
        if last == "power" and end - start > 4 and self.words[end - 2] in _POWERS:
            yield from self._powered(start, end - 2, Number(_POWERS[self.words[end - 2]]), ("to", "the"))
        is_exponent = last in _NUMBERS or (self.tokens[end - 1].is_number and len(last) < 6)
        for lead in (("to", "the", "power", "of"), ("to", "the", "power")) if is_exponent else ():
            yield from self._powered(start, end - 1, _literal(last), lead)

    def _powered(self, start: int, end: int, exponent: Expression, lead: _Words) -> Iterator[Expression]:
        if self.words[max(start, end - len(lead)) : end] != lead:
            return
        end -= len(lead)
        if end > start and self.words[end - 1] == "raised":
            end -= 1
        for base in self._bases(start, end):
            yield power(base, exponent)

    def _bases(self, start: int, end: int) -> Iterator[Expression]:
        """What is raised to a power: the quantity just named, or a sum and the like that is named as one thing."""
        while start < end and self.words[start] in _ARTICLES:
            start += 1
        if start < end and self.words[start] in _NAMED_AS_ONE:
            yield from self.expressions(start, end)
        else:
            yield from self._atom(start, end)

    def _between(self, start: int, end: int) -> Iterator[Expression]:
        within = [
            one
            for one in self._infixes
            if start < one.end and one.start < end and (one.origin < 0 or one.origin >= start)
        ]
        is_read = False
        for is_repeated in (False, True):
            for one in within:
                if is_read and is_repeated:
                    return
                if self._is_repeated(one, end) == is_repeated:
                    for reading in self._joined(one.operation, (start, one.end), (one.start, end)):
                        is_read = True
                        yield reading

    def _is_repeated(self, infix: _Infix, end: int) -> bool:
        """Whether the same follows: of `A minus B minus C` nobody takes C away from B."""
        return infix.operation in ("subtract", "divide") and any(
            infix.end < one.end and one.start < end and one.operation == infix.operation and not infix.is_loose
            for one in self._infixes
        )

    def _joined(self, operation: str, first: tuple[int, int], second: tuple[int, int]) -> Iterator[Expression]:
        make = _OPERATIONS[operation]
        share = self._share(*second) if operation in ("add", "subtract") else None
        for left in self.expressions(*first):
            if share is not None:
                # Increased by 5 %: a share is always one of what stands before it.
                yield multiply(left, make(ONE, share))
                continue
            for right in self.expressions(*second):
                yield make(left, right)

    def _share(self, start: int, end: int) -> Expression | None:
        """A percentage or a fraction that is not said of anything: `10 %`, `a quarter`, `two thirds`."""
        while start < end and self.words[start] in _ARTICLES:
            start += 1
        words = self.words[start:end]
        if len(words) == 2 and words[1] == "%" and (words[0] in _NUMBERS or self.tokens[start].is_number):
            return divide(_literal(words[0]), Number(100))
        if len(words) == 1 and words[0] in _PARTS:
            return divide(ONE, Number(_PARTS[words[0]]))
        if len(words) == 2 and words[0] in _NUMBERS and words[1] in _PARTS:
            return divide(Number(_NUMBERS[words[0]]), Number(_PARTS[words[1]]))
        return None

    def _before(self, start: int, end: int) -> Iterator[Expression]:
        """`half X`, `10 % of X`, `the product of X and Y`, `the square root of X`."""
        word = self.words[start]
        after = self.words[start + 1] if start + 1 < end else ""
        yield from self._shared(start, end)
        if word in ("product", "sum") and after == "of":
            make = multiply if word == "product" else add
            for parts in self._listed(start + 2, end):
                yield make(*parts)
        if word in ("mean", "average") and after == "of":
            for parts in self._listed(start + 2, end):
                yield divide(add(*parts), Number(len(parts)))
        if word in ("ratio", "quotient") and after in ("of", "between"):
            for link in (("to",), ("and",), ("over",), ("divided", "by")):
                for place in self._places(link, start + 3, end - 1):
                    yield from self._joined("divide", (start + 2, place), (place + len(link), end))
        if word == "difference" and after in ("between", "of", "in"):
            yield from self._differences(start + 2, end)
        if word == "excess" and after == "of":
            for place in self._places(("over",), start + 3, end - 1):
                yield from self._joined("subtract", (start + 2, place), (place + 1, end))
        yield from self._applied(start, end)

    def _shared(self, start: int, end: int) -> Iterator[Expression]:
        """A multiple or a part of what follows: `twice`, `half`, `three quarters of`, `10 % of`."""
        word = self.words[start]
        after = self.words[start + 1] if start + 1 < end else ""
        if word in _MULTIPLES or word == "half":
            rest = start + 1
            for words in _AS_LARGE_AS:
                if self.words[rest : rest + len(words)] == words:
                    rest += len(words)
            for each in self.expressions(rest, end):
                yield divide(each, Number(2)) if word == "half" else multiply(Number(_MULTIPLES[word]), each)
        elif word in _PARTS and after == "of":
            yield from (divide(each, Number(_PARTS[word])) for each in self.expressions(start + 1, end))
        if (
            end - start > 2
            and (after == "%" or after in _PARTS)
            and (share := self._share(start, start + 2)) is not None
        ):
            yield from (multiply(share, each) for each in self.expressions(start + 2, end))

    def _differences(self, start: int, end: int) -> Iterator[Expression]:
        """People say "the difference between" either way round."""
        for place in self._places(("and",), start + 1, end - 1):
            yield from self._joined("subtract", (start, place), (place + 1, end))
            yield from self._joined("subtract", (place + 1, end), (start, place))

    def _applied(self, start: int, end: int) -> Iterator[Expression]:
        for words, make in _APPLIED.items():
            if self.words[start : start + len(words)] == words:
                yield from map(make, self.expressions(start + len(words), end))

    def _done_to(self, start: int, end: int) -> Iterator[Expression]:
        """`dividing X by Y`, `multiply X by Y`, `subtracting X from Y`."""
        word = self.words[start]
        for words, link, operation, is_turned in (
            (("dividing", "divide"), "by", "divide", False),
            (("multiplying", "multiply"), "by", "multiply", False),
            (("multiplying", "multiply"), "and", "multiply", False),
            (("adding", "add"), "to", "add", False),
            (("adding", "add"), "and", "add", False),
            (("subtracting", "subtract"), "from", "subtract", True),
            (("deducting", "deduct"), "from", "subtract", True),
        ):
            if word in words:
                for place in self._places((link,), start + 2, end - 1):
                    first, second = (start + 1, place), (place + 1, end)
                    yield from self._joined(operation, *((second, first) if is_turned else (first, second)))
        if word == "squaring":
            yield from (power(each, Number(2)) for each in self.expressions(start + 1, end))
        if word in ("taking", "take"):
            yield from self.expressions(start + 1, end)

    def _left_over(self, start: int, end: int) -> Iterator[Expression]:
        """`what remains of X after Y has been deducted`."""
        for opener in _REMAINDERS:
            if self.words[start : start + len(opener)] != opener:
                continue
            for tail in _REMAINDER_ENDS:
                if self.words[max(start, end - len(tail)) : end] == tail:
                    end -= len(tail)
                    break
            for link in _REMAINDER_LINKS:
                for place in self._places(link, start + len(opener) + 1, end - 1):
                    yield from self._joined("subtract", (start + len(opener), place), (place + len(link), end))

    def _listed(self, start: int, end: int) -> Iterator[tuple[Expression, ...]]:
        """The parts of a product or a sum: `X and Y`, `X, Y and Z`, `the squares of X and Y`."""
        while start < end and self.words[start] in _ARTICLES:
            start += 1
        if self.words[start] in _EACH and self.words[start + 1 : start + 2] == ("of",):
            exponent = Number(_EACH[self.words[start]])
            for parts in self._listed(start + 2, end):
                yield tuple(power(part, exponent) for part in parts)
        yield from self._distributed(start, end)
        for place in self._places(("and",), start + 1, end - 1):
            lasts = self.expressions(place + 1, end)
            cut = place - 1 if self.words[place - 1] == "," else place
            for first in self.expressions(start, cut) if lasts else ():
                yield from ((first, last) for last in lasts)
            for comma in self._places((",",), start + 1, cut - 1) if lasts else ():
                for first in self.expressions(start, comma):
                    for second in self.expressions(comma + 1, cut):
                        yield from ((first, second, last) for last in lasts)

    def _distributed(self, start: int, end: int) -> Iterator[tuple[Expression, ...]]:
        """One noun for several: `the masses of the flour, the water and the salt`, each of which is a mass."""
        for place in self._places(("of",), start + 1, min(start + 4, end - 3)):
            lead = self.tokens[start : place + 1]
            if not any(token.text.endswith("s") for token in lead) or not OPERATORS.isdisjoint(self.words[start:place]):
                continue
            cuts = [at for at in range(place + 1, end) if self.words[at] in (",", "and")]
            starts, ends = [place + 1, *(at + 1 for at in cuts)], [*cuts, end]
            runs = [self.tokens[first:last] for first, last in zip(starts, ends, strict=True) if last > first]
            named = [symbols_named((*lead, *run), self.names) for run in runs]
            if 2 <= len(named) <= _MOST_LISTED and all(len(one) == 1 for one in named):
                yield tuple(Symbol(one[0]) for one in named)


def _literal(word: str) -> Expression:
    if word in _NUMBERS:
        return number(_NUMBERS[word])
    return number(int(word) if word.isdecimal() else Decimal(word))
