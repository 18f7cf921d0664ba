"""A question as tokens: the common ones, with its values, equations and assigned symbols whole. Decides no meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.knowledge.spelling import normal_words
from mathrag.language.quantities import Mention
from mathrag.language.quantity_names import corrected
from mathrag.language.tokens import HALF_LIFE, Token, tokens_of, with_sentences
from mathrag.language.unit_text import reads_as_unit
from mathrag.language.word_classes import any_of, word_pairs

# The sides of an equation between letters: `U = ½kx²`, `PV = NkT`. Searched in short windows around the equals sign.
_LEFT = re.compile(r"[^\W\d_][^\s=,;:?!()]{0,24}$")
_RIGHT = re.compile(r"[^=,;:?!\n]{1,120}")
_MAXIMAL_EQUATIONS = 8
_LONGEST_SYMBOL = 3
_EQUATION_END = re.compile(rf"\.(?:\s|$)|\s(?:{any_of('questions.equation_ends')})\b")
_PROSE = re.compile(r"[^\W\d_]{5,}\s+[^\W\d_]{3,}")
_OPERATORS = tuple("/*·^√(")
_CONTRACTED = {**word_pairs("questions.shortened"), **word_pairs("questions.contracted")}
_ORDER = re.compile(
    r"[\s-]order\b(?P<what>\s+(?:\w+\s+)?(?:maxim|minim|fringe|peak|reflection|diffract|bright|dark|spectr|interf))?",
    re.IGNORECASE,
)


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
    is_word = left.group().islower() and len(left.group()) > _LONGEST_SYMBOL
    if is_word and text[behind + len(side) :].strip() in ("", "?") and reads_as_unit(side):
        # `8 laps of 400 m = km?` asks in a unit.
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
    place = 0
    for start, end, index in [*spans, (len(text), len(text), -2)]:
        if start < place:
            continue
        tokens += [
            token._replace(normal=normal_of(token.text)) if token.kind == "word" else token
            for token in tokens_of(text, place, start, grain="typed")
        ]
        is_spaced = text[start - 1 : start].isspace()
        if index >= 0:
            tokens.append(Token("value", text[start:end], "", start, end, is_spaced, value=index))
        elif index == -1:
            tokens.append(Token("symbol", text[start:end], "", start, end, is_spaced))
        place = end
    return _with_symbols(with_sentences(tokens), mentions)


def _is_name(text: str, mention: Mention) -> bool:
    """`second order reaction`: the ordinal belongs to a name; `in first order` and `second-order maximum` count."""
    if mention.kind != "ordinal":
        return False
    counted = _ORDER.match(text, mention.end)
    before = text[max(0, mention.start - 4) : mention.start].strip().lower()
    return counted is not None and not counted.group("what") and before not in ("in", "the in")


def normal_of(word: str) -> str:
    """One word in the spelling that names are compared in; `what's` is `what`."""
    if HALF_LIFE.fullmatch(word):
        return "half life"
    if "_" in word or word.startswith("["):
        return word.lower()
    lower = normal_words(word)
    return _CONTRACTED.get(word.lower(), lower) if lower else word.lower()


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
                result[back] = earlier._replace(kind="symbol", lower="")
                if not written.startswith(("Δ", "∆", "Delta", "delta", "[")) or back == 0:
                    break
                if earlier.text.startswith(written[:1]):
                    break
    return result


def correct(tokens: Sequence[Token]) -> tuple[list[Token], tuple[str, ...]]:
    """The tokens with misspelt words put right, and a note for each."""
    notes: dict[str, None] = {}
    result = list(tokens)
    for index, token in enumerate(tokens):
        if token.kind != "word" or not token.text.isalpha():
            continue
        if token.text[0].isupper() and token.text[1:].islower() and index and not tokens[index - 1].is_stop:
            continue
        better = corrected(token.normal)
        if better is not None:
            notes[f"read “{token.text}” as “{better}”"] = None
            result[index] = token._replace(normal=better)
    return result, tuple(notes)
