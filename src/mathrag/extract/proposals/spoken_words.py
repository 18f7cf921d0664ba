"""A sentence that says a formula in words, as tokens, and which of its words name which symbol. Builds no formula."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mathrag.compute.wording import normal_words
from mathrag.extract.definitions.symbol_reading import any_symbol

MOST_TOKENS = 60
_TOKEN = re.compile(r"\$[^$]{1,40}\$|\\\([^()]{1,40}\\\)|\d+(?:\.\d+)?|[^\W\d_]+(?:['’\-][^\W\d_]+)*|[,;:()=]")
_ASIDE = re.compile(r"\([^()]{0,120}\)")
_MARKUP = re.compile(r"\*\*|__|\*|`")
# A noun phrase ends its own name where it begins to say more about the thing: "force | acting on the surface".
_BOUNDARY = frozenset(
    "of in on at by to for from with within through along across over under between among per acting exerted applied "
    "perpendicular normal parallel due that which who whose when where while during inside outside it they we you "
    "required needed available produced done used taken made measured".split()
)
_NOUNS = frozenset(
    "speed feed seed bed need spring string ring wing bearing winding loading rating reading setting opening spacing "
    "damping heating cooling bending heat timing thing building".split()
)
_SILENT = frozenset(
    "the a an its their his her our your this that these those corresponding respective given same certain each any "
    "so then thus therefore hence and numerical value magnitude amount".split()
)
# These say how quantities are combined, so that they are never part of the name of one.
OPERATORS = frozenset(
    "divided dividing divide over per ratio quotient reciprocal inverse times multiplied multiplying multiply product "
    "plus sum added adding add minus difference subtracted subtracting subtract less squared square squaring cubed "
    "cube root power raised half halves twice double doubled third thirds quarter quarters triple thrice increased "
    "decreased reduced logarithm log sine cosine tangent exponential negative halved halving doubling".split()
)
# These say that the sentence does not state an equality of just these things.
HEDGES = frozenset(
    "approximately roughly about nearly almost least most unless except increases decreases rises falls grows maximum "
    "minimum if suppose assume would could".split()
)
# These say that it is no equality at all.
DENIALS = frozenset(
    "not never neither nor cannot true proportional proportionally proportionality inversely varies depends than "
    "mistake mistaken mistakenly wrong wrongly false falsely incorrect incorrectly error erroneous erroneously myth "
    "misconception confused".split()
)
COPULAS = frozenset("is are equals equal be".split())


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
