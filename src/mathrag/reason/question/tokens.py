"""Cut a question into words, values and marks with their places and sentences. Decides nothing about their meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from mathrag.knowledge.spelling import normal_words
from mathrag.language.quantities import Mention

_PIECE = re.compile(
    r"(?P<word>[^\W\d_]\w*(?:['’′][^\W\d_]*)*(?:°\w{0,8}|[⁺⁻*](?!\w))?|\[[A-Z][^\[\]\s=]{0,15}\](?:_?\w{1,6})?)"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<mark>\S)",
)
# The sides of an equation between letters: `U = ½kx²`, `PV = NkT`. Searched in short windows around the equals sign.
_LEFT = re.compile(r"[^\W\d_][^\s=,;:?!()]{0,24}$")
_RIGHT = re.compile(r"[^=,;:?!\n]{1,120}")
_MAXIMAL_EQUATIONS = 8
_EQUATION_END = re.compile(
    r"\.(?:\s|$)|\s(?:to|with|for|when|if|where|find|and|gives?|is|in|at|on|what|how|as|here|then|given)\b"
)
_PROSE = re.compile(r"[^\W\d_]{5,}\s+[^\W\d_]{3,}")
_OPERATORS = tuple("/*·^√(")
_ABBREVIATIONS = frozenset("approx ca e.g i.e vs fig eq no dr mr mrs st etc cf incl".split())
_SHORT = {
    "freq": "frequency",
    "temp": "temperature",
    "conc": "concentration",
    "const": "constant",
    "accel": "acceleration",
    "coeff": "coefficient",
    "coef": "coefficient",
    "vel": "velocity",
    "diam": "diameter",
    "avg": "average",
    "max": "maximum",
    "resist": "resistance",
    "wavelen": "wavelength",
    "rxn": "reaction",
}
_CONTRACTED = _SHORT | {
    "whats": "what",
    "hows": "how",
    "wheres": "where",
    "thats": "that",
    "theres": "there",
    "dont": "do",
}
_ORDER = re.compile(
    r"[\s-]order\b(?P<what>\s+(?:\w+\s+)?(?:maxim|minim|fringe|peak|reflection|diffract|bright|dark|spectr|interf))?",
    re.IGNORECASE,
)
_ENDS = ".?!;\n"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the question; a `value` token is a whole quantity, with the index of its mention.

    `normal` is the word in small letters and the singular, corrected where it was misspelt. A `symbol` token is a
    letter or name that stands for a quantity in an assignment or an equation.
    """

    kind: Literal["word", "value", "symbol", "mark"]
    text: str
    normal: str
    start: int
    end: int
    sentence: int
    value: int = -1

    @property
    def lower(self) -> str:
        """The word in small letters without apostrophes (`it's` is `its`), as word lists have it."""
        return _small(self.text) if self.kind == "word" else ""

    @property
    def is_stop(self) -> bool:
        """Whether it ends a sentence."""
        return self.kind == "mark" and self.text in _ENDS


# Every rule about wording looks at the same few words.
@lru_cache(maxsize=4_096)
def _small(text: str) -> str:
    return text.lower().replace("'", "").replace("’", "")


@dataclass(frozen=True, slots=True)
class Equation:
    """An equation that the question writes out, with its place."""

    text: str
    start: int
    end: int

    @property
    def left(self) -> str:
        """Its left-hand side."""
        return self.text.partition("=")[0].strip()


def find_equations(text: str, mentions: Sequence[Mention]) -> list[Equation]:
    """Equations with a letter on each side; `m = 2 kg` is an assignment and no equation."""
    found: list[Equation] = []
    assigned = {item.start for item in mentions if item.units or text[item.end : item.end + 1] not in _OPERATORS}
    place = text.find("=")
    tries = 0
    while place >= 0 and tries < 200 and len(found) < _MAXIMAL_EQUATIONS:
        tries += 1
        equation = _equation_at(text, place, assigned)
        if equation is not None and not any(_is_inside(item, equation) for item in mentions):
            found.append(equation)
            place = equation.end - 1
        place = text.find("=", place + 1)
    return found


def _is_inside(mention: Mention, equation: Equation) -> bool:
    return bool(mention.units) and mention.start < equation.end and equation.start < mention.end


def _equation_at(text: str, place: int, assigned: set[int]) -> Equation | None:
    """The equation around an equals sign, unless a value or a sentence stands behind it."""
    window = max(0, place - 40)
    left = _LEFT.search(text[window:place].rstrip())
    behind = place + 1
    while text[behind : behind + 1] == " ":
        behind += 1
    right = _RIGHT.match(text, behind)
    if left is None or right is None or behind in assigned:
        return None
    side = right.group()
    ending = _EQUATION_END.search(side)
    side = (side[: ending.start()] if ending else side).rstrip(" .)" if side.count("(") < side.count(")") else " .")
    if len(side) > 80 or not any(letter.isalpha() for letter in side) or _PROSE.search(side):
        return None
    start = window + left.start()
    return Equation(text[start : behind + len(side)], start, behind + len(side))


def cut(text: str, mentions: Sequence[Mention], equations: Sequence[Equation] = ()) -> list[Token]:
    """All tokens in order: mentions that carry a value become one token each."""
    spans = sorted(
        [(mention.start, mention.end, index) for index, mention in enumerate(mentions) if not _is_name(text, mention)]
        + [(equation.start, equation.end, -1) for equation in equations]
    )
    tokens: list[Token] = []
    sentence = 0
    place = 0
    for start, end, index in [*spans, (len(text), len(text), -2)]:
        if start < place:
            continue
        for token in _pieces(text, place, start):
            tokens.append(_in_sentence(token, sentence))
            if _ends_sentence(text, token):
                sentence += 1
        if index >= 0:
            tokens.append(Token("value", text[start:end], "", start, end, sentence, index))
        elif index == -1:
            tokens.append(Token("symbol", text[start:end], "", start, end, sentence))
        place = end
    return _with_symbols(tokens, mentions)


def _is_name(text: str, mention: Mention) -> bool:
    """`second order reaction`: the ordinal belongs to a name; `in first order` and `second-order maximum` count."""
    if mention.kind != "ordinal":
        return False
    counted = _ORDER.match(text, mention.end)
    before = text[max(0, mention.start - 4) : mention.start].strip().lower()
    return counted is not None and not counted.group("what") and before not in ("in", "the in")


def _pieces(text: str, start: int, end: int) -> list[Token]:
    found: list[Token] = []
    for match in _PIECE.finditer(text, start, end):
        piece = match.group()
        if match.lastgroup == "word":
            found.append(Token("word", piece, normal_of(piece), match.start(), match.end(), 0))
        else:
            found.append(Token("mark", piece, "", match.start(), match.end(), 0))
        if len(found) > 20_000:
            break
    newlines = [place for place in range(start, end) if text[place] == "\n"]
    found += [Token("mark", "\n", "", place, place + 1, 0) for place in newlines[:2000]]
    return sorted(found, key=lambda token: token.start) if newlines else found


def normal_of(word: str) -> str:
    """One word in the spelling that names are compared in; `what's` is `what`."""
    if "_" in word or word.startswith("["):
        return word.lower()
    lower = normal_words(word)
    return _CONTRACTED.get(word.lower(), lower) if lower else word.lower()


def _in_sentence(token: Token, sentence: int) -> Token:
    return Token(token.kind, token.text, token.normal, token.start, token.end, sentence, token.value)


def _ends_sentence(text: str, token: Token) -> bool:
    if not token.is_stop:
        return False
    if token.text != ".":
        return True
    following = text[token.end : token.end + 1]
    before = text[max(0, token.start - 8) : token.start].split()
    if before and before[-1].lower() in _ABBREVIATIONS:
        return False
    return not following or following.isspace() or following in ".)\"'"


def _with_symbols(tokens: list[Token], mentions: Sequence[Mention]) -> list[Token]:
    """Mark the name that a value is assigned to as a symbol: `v0` in `v0 = 3 m/s`."""
    result = list(tokens)
    for place, token in enumerate(tokens):
        if token.kind != "value" or not mentions[token.value].symbol:
            continue
        written = mentions[token.value].symbol
        for back in range(place - 1, max(-1, place - 8), -1):
            earlier = result[back]
            if earlier.kind == "value":
                break
            if earlier.kind == "word" and (earlier.text in written or written in earlier.text):
                result[back] = Token(
                    "symbol", earlier.text, earlier.normal, earlier.start, earlier.end, earlier.sentence
                )
                if not written.startswith(("Δ", "∆", "Delta", "delta", "[")) or back == 0:
                    break
                if earlier.text.startswith(written[:1]):
                    break
    return result
