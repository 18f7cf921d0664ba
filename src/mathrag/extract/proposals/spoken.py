"""Read a formula that is said in words ("the pressure is the force divided by the area"), in every way it can be meant.

A small grammar of the operators that people say, over the names of symbols that are already known. It finds all
readings instead of choosing one: whether "half the mass times the velocity squared" squares both is not its business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache, partial

from mathrag.extract.definitions.symbols import any_symbol
from mathrag.knowledge.spelling import normal_words
from mathrag.language.word_classes import word_class
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
)

# A sentence that says a formula in words, as tokens, and which of its words name which symbol. Builds no formula.

MOST_TOKENS = 60
_TOKEN = re.compile(r"\$[^$]{1,40}\$|\\\([^()]{1,40}\\\)|\d+(?:\.\d+)?|[^\W\d_]+(?:['’\-][^\W\d_]+)*|[,;:()=]")
_ASIDE = re.compile(r"\([^()]{0,120}\)")
_MARKUP = re.compile(r"\*\*|__|\*|`")
_BOUNDARY = word_class("proposals.name_ends")
_NOUNS = word_class("proposals.nouns")
_SILENT = word_class("proposals.silent")
OPERATORS = word_class("proposals.operators")
HEDGES = word_class("proposals.hedges")
DENIALS = word_class("proposals.denials")
COPULAS = word_class("proposals.copulas")


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
            found.append(Token(text.casefold()))
    return tuple(found) if len(found) <= MOST_TOKENS else ()


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words of a noun phrase that count: all of them, and those of its head."""

    words: frozenset[str]
    head: frozenset[str]


@lru_cache(maxsize=2048)
def phrase_of(words: tuple[str, ...]) -> Phrase:
    """What a run of words names."""
    head: list[str] = []
    rest: list[str] = []
    is_past = False
    for word in words:
        if word in _SILENT:
            continue
        if word in _BOUNDARY or (head and word.endswith(("ed", "ing")) and word not in _NOUNS):
            is_past = is_past or bool(head)
            continue
        (rest if is_past else head).append(_normal(word))
    return Phrase(frozenset((*head, *rest)), frozenset(head))


def phrase_of_text(text: str) -> Phrase:
    """What a description names."""
    plain = _ASIDE.sub(" ", text)
    return phrase_of(tuple(token.text for token in tokens_of(plain) if not token.symbol and token.text not in ",;:()="))


@lru_cache(maxsize=8192)
def _normal(word: str) -> str:
    return normal_words(f"{word}")


def symbols_named(tokens: Sequence[Token], names: Mapping[str, Phrase]) -> tuple[str, ...]:
    """The symbols whose descriptions a run of tokens names, the best match or several that are as good; else none."""
    written = {token.symbol for token in tokens if token.symbol}
    words = tuple(token.text for token in tokens if not token.symbol)
    if any(word in COPULAS or word in ",;:()=" or word[:1].isdecimal() for word in words):
        return ()
    # A mass ratio is a quantity; only who is called so may have such a word in its name.
    operators = {_normal(word) for word in words if word in OPERATORS}
    said = phrase_of(words)
    open_ones = {name: phrase for name, phrase in names.items() if operators <= phrase.words}
    if written:
        # A letter beside the words settles it, if the words do not speak against it.
        (name, *others) = sorted(written)
        if others or name not in open_ones:
            return ()
        return (name,) if not said.words or said.words & open_ones[name].words else ()
    scores = {name: _agreement(said, phrase) for name, phrase in open_ones.items()}
    best = max(scores.values(), default=0)
    return tuple(name for name, score in scores.items() if score == best) if best else ()


def _agreement(said: Phrase, named: Phrase) -> int:
    """How many words two phrases share where they name the same thing; 0 where they do not.

    The heads decide: "change in velocity" is no velocity, "area of the plate" is an area.
    """
    if not said.head or not named.head:
        return 0
    says_all = named.words <= said.words and said.head <= named.words
    says_less = said.head == named.head and said.words <= named.words
    return len(named.words & said.words) if says_all or says_less else 0


_MOST_READINGS = 16
_SENTENCE = re.compile(r"(?:(?<=[^\W\d_]{2})|(?<=[)$\]}\d%”’]))[.!?;]\s+|\n\s*\n|(?<=[\w)$])[.!?]$")
_NUMBERS = {
    word: value
    for value, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_POWERS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}
_PARTS = {"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4}
_VERB_TAIL = word_class("proposals.verb_tails")
_BEFORE_VERB = word_class("proposals.before_verb")
_RESULT_VERBS = (("gives",), ("yields",), ("is", "called"), ("is", "known", "as"), ("is", "termed"), ("equals",))
_AIMS = word_class("proposals.aims")
_NAMED_AS_ONE = word_class("proposals.named_as_one")
_ARTICLES = word_class("proposals.articles")
_INFIX: tuple[tuple[tuple[str, ...], str], ...] = (
    (("divided", "by"), "divide"),
    (("over",), "divide"),
    (("per", "unit"), "divide"),
    (("per",), "divide"),
    (("times",), "multiply"),
    (("multiplied", "by"), "multiply"),
    (("multiplied", "with"), "multiply"),
    (("plus",), "add"),
    (("added", "to"), "add"),
    (("increased", "by"), "add"),
    (("minus",), "subtract"),
    (("less",), "subtract"),
    (("decreased", "by"), "subtract"),
    (("reduced", "by"), "subtract"),
)
_OPERATIONS: Mapping[str, Callable[[Expression, Expression], Expression]] = {
    "divide": divide,
    "multiply": multiply,
    "add": add,
    "subtract": subtract,
}
_APPLIED: Mapping[tuple[str, ...], Callable[[Expression], Expression]] = {
    ("square", "of"): lambda each: power(each, Number(2)),
    ("cube", "of"): lambda each: power(each, Number(3)),
    ("square", "root", "of"): partial(call, "sqrt"),
    ("cube", "root", "of"): partial(call, "cbrt"),
    ("reciprocal", "of"): partial(divide, ONE),
    ("inverse", "of"): partial(divide, ONE),
    ("negative", "of"): negate,
    ("natural", "logarithm", "of"): partial(call, "log"),
    ("sine", "of"): partial(call, "sin"),
    ("cosine", "of"): partial(call, "cos"),
    ("tangent", "of"): partial(call, "tan"),
}


def spoken_equations(text: str, names: Mapping[str, Phrase]) -> tuple[Equation, ...] | None:
    """Every reading of the sentences of a text as an equation between the named symbols.

    None where there are more readings than are looked at.
    """
    found: dict[Equation, None] = {}
    for sentence in _SENTENCE.split(text):
        tokens = tokens_of(sentence)
        said = {token.text for token in tokens}
        if not tokens or said & HEDGES or said & DENIALS or "=" in said:
            continue
        reader = _Reader(tokens, names)
        found |= dict.fromkeys(reader.statements())
        if reader.is_overfull:
            return None
    return tuple(found)


class _Reader:
    """All readings of one sentence; what a run of tokens can mean is worked out once."""

    def __init__(self, tokens: Sequence[Token], names: Mapping[str, Phrase]) -> None:
        self.tokens = tokens
        self.words = tuple(token.text for token in tokens)
        self.names = names
        self.is_overfull = False
        self._known: dict[tuple[int, int], tuple[Expression, ...]] = {}

    def statements(self) -> Iterator[Equation]:
        """The sentence as an equation, with nothing about operators before or after what is read."""
        for start, end in self._clauses():
            yield from self._is_said(start, end)
            yield from self._results(start, end)
            yield from self._advised(start, end)

    def _clauses(self) -> Iterator[tuple[int, int]]:
        """Where a statement may begin and end: at the ends, at marks; what is left out must not compute anything."""
        starts = [0, *(index + 1 for index, word in enumerate(self.words) if word in (",", ":", "that"))]
        ends = [*(index for index, word in enumerate(self.words) if word in (",", "where", "whereas")), len(self.words)]
        for start in starts[:4]:
            for end in ends[-4:]:
                outside = (*self.words[:start], *self.words[end:])
                if end - start >= 3 and OPERATORS.isdisjoint(outside):
                    yield start, end

    def _is_said(self, start: int, end: int) -> Iterator[Equation]:
        """`X is <expression>`."""
        for place in range(start + 1, end - 1):
            if self.words[place] not in ("is", "are", "equals", "be"):
                continue
            first = place
            while first > start and self.words[first - 1] in _BEFORE_VERB:
                first -= 1
            last = place + 1
            while last < end and self.words[last] in _VERB_TAIL:
                last += 1
            for target in symbols_named(self.tokens[start:first], self.names):
                yield from self._equations(target, last, end)

    def _results(self, start: int, end: int) -> Iterator[Equation]:
        """`<expression> gives X`, `<expression> is called X`."""
        for verb in _RESULT_VERBS:
            for place in self._places(verb, start + 1, end - 1):
                for target in symbols_named(self.tokens[place + len(verb) : end], self.names):
                    yield from self._equations(target, start, place)

    def _advised(self, start: int, end: int) -> Iterator[Equation]:
        """`To find X, divide Y by Z`."""
        first = start + 1 if self.words[start] == "to" else start
        if self.words[first] not in _AIMS:
            return
        for place in self._places((",",), first + 1, end - 1):
            for target in symbols_named(self.tokens[first + 1 : place], self.names):
                yield from self._equations(target, place + 1, end)

    def _equations(self, target: str, start: int, end: int) -> Iterator[Equation]:
        for right in self.expressions(start, end):
            if not isinstance(right, Symbol | Number):
                yield Equation(Symbol(target), right)

    def _places(self, words: Sequence[str], start: int, end: int) -> Iterator[int]:
        size = len(words)
        for place in range(start, end - size + 1):
            if self.words[place : place + size] == tuple(words):
                yield place

    def expressions(self, start: int, end: int) -> tuple[Expression, ...]:
        """Everything that a run of tokens can mean."""
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
        for rule in (self._atom, self._after, self._between, self._before, self._done_to):
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
            yield from self._powered(start, end - 2, _POWERS[self.words[end - 2]], ("to", "the"))
        exponent = _NUMBERS.get(last, int(last) if last.isdecimal() and len(last) < 3 else None)
        if exponent is not None:
            for lead in (("to", "the", "power", "of"), ("to", "the", "power")):
                yield from self._powered(start, end - 1, exponent, lead)

    def _powered(self, start: int, end: int, exponent: int, lead: tuple[str, ...]) -> Iterator[Expression]:
        if self.words[max(start, end - len(lead)) : end] != lead:
            return
        end -= len(lead)
        if end > start and self.words[end - 1] == "raised":
            end -= 1
        for base in self._bases(start, end):
            yield power(base, Number(exponent))

    def _bases(self, start: int, end: int) -> Iterator[Expression]:
        """What is raised to a power: the quantity just named, or a sum and the like that is named as one thing."""
        while start < end and self.words[start] in _ARTICLES:
            start += 1
        if start < end and self.words[start] in _NAMED_AS_ONE:
            yield from self.expressions(start, end)
        else:
            yield from self._atom(start, end)

    def _between(self, start: int, end: int) -> Iterator[Expression]:
        for words, operation in _INFIX:
            for place in self._places(words, start + 1, end - 1):
                if words == ("per",) and self.words[place + 1] == "unit":
                    continue
                yield from self._joined(operation, (start, place), (place + len(words), end))

    def _joined(self, operation: str, first: tuple[int, int], second: tuple[int, int]) -> Iterator[Expression]:
        make = _OPERATIONS[operation]
        for left in self.expressions(*first):
            for right in self.expressions(*second):
                yield make(left, right)

    def _before(self, start: int, end: int) -> Iterator[Expression]:
        """`half X`, `the product of X and Y`, `the square root of X`."""
        word = self.words[start]
        after = self.words[start + 1] if start + 1 < end else ""
        if word in ("twice", "double"):
            yield from (multiply(Number(2), each) for each in self.expressions(start + 1, end))
        if word in _PARTS and (word == "half" or after == "of"):
            yield from (divide(each, Number(_PARTS[word])) for each in self.expressions(start + 1, end))
        if word in _NUMBERS and after in _PARTS:
            share = divide(Number(_NUMBERS[word]), Number(_PARTS[after]))
            yield from (multiply(share, each) for each in self.expressions(start + 2, end))
        if word in ("product", "sum") and after == "of":
            make = multiply if word == "product" else add
            for parts in self._listed(start + 2, end):
                yield make(*parts)
        if word in ("ratio", "quotient") and after in ("of", "between"):
            for link in (("to",), ("and",), ("over",), ("divided", "by")):
                for place in self._places(link, start + 3, end - 1):
                    yield from self._joined("divide", (start + 2, place), (place + len(link), end))
        if word == "difference" and after in ("between", "of", "in"):
            yield from self._differences(start + 2, end)
        yield from self._applied(start, end)

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
        ):
            if word in words:
                for place in self._places((link,), start + 2, end - 1):
                    first, second = (start + 1, place), (place + 1, end)
                    yield from self._joined(operation, *((second, first) if is_turned else (first, second)))
        if word == "squaring":
            yield from (power(each, Number(2)) for each in self.expressions(start + 1, end))
        if word in ("taking", "take"):
            yield from self.expressions(start + 1, end)

    def _listed(self, start: int, end: int) -> Iterator[tuple[Expression, ...]]:
        """Two or three parts of a product or a sum: `X and Y`, `X, Y and Z`."""
        for place in self._places(("and",), start + 1, end - 1):
            lasts = self.expressions(place + 1, end)
            cut = place - 1 if self.words[place - 1] == "," else place
            for first in self.expressions(start, cut) if lasts else ():
                yield from ((first, last) for last in lasts)
            for comma in self._places((",",), start + 1, cut - 1) if lasts else ():
                for first in self.expressions(start, comma):
                    for second in self.expressions(comma + 1, cut):
                        yield from ((first, second, last) for last in lasts)


def _literal(word: str) -> Expression:
    if word in _NUMBERS:
        return number(_NUMBERS[word])
    return number(int(word) if word.isdecimal() else Decimal(word))
