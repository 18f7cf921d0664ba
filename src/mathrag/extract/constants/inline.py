"""Constants in running text: "R = 8.314 J/(mol K)", "the speed of light is 3.00 × 10⁸ m/s", "(k = 9 × 10⁹)".

A worked example sets symbols to numbers too, so a value counts only when words, symbol and size say that it is a
constant, or when it stands where constants are listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mathrag.errors import UnitError
from mathrag.extract.constants.values import (
    LONE_VALUE,
    VALUE,
    FoundConstant,
    Value,
    agrees,
    assignments_in,
    constants_named,
    standard_of,
    telling_words,
    value_of_math,
    value_of_mention,
    visible_source,
)
from mathrag.extract.definitions.outline import Found, Section
from mathrag.extract.definitions.prose import Prose, prose_of
from mathrag.extract.definitions.prose_rules import found_in_prose
from mathrag.extract.definitions.symbols import plain_symbol, symbol_of_word, target_of
from mathrag.language.noun_phrases import clean
from mathrag.language.quantities import find_quantities
from mathrag.language.quantities.mention import Mention
from mathrag.language.quantity_names import names_quantity
from mathrag.language.tokens import SymbolSeen, Token, sentences
from mathrag.language.unit_text import may_have_unit, unit_of_text, unit_run
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.document import Break, Content, Math, Place, Text

_LONGEST = 4_000


_CONSTANT = re.compile(
    r"\bconstants?\b|acceleration due to gravity|\bspeed of (?:light|sound)\b|avogadro", re.IGNORECASE
)
EXERCISE = re.compile(
    rf"\b(?:{any_of('constants.exercise_starts')}|{any_of('constants.solutions')}|"
    rf"a (?:{any_of('constants.actors')}))\b",
    re.IGNORECASE,
)
_SECTION = re.compile(rf"\b(?:{any_of('constants.section_titles')})\b", re.IGNORECASE)
_LINKS = word_class("constants.links")
_GIVING = word_class("constants.giving")
_MOST_BACK = 14
_TEXT_VALUE = re.compile(r"[\w₀-₉)]\s*[=≈]\s*[-−]?\s*\d")
_WORD = re.compile(r"[a-z]{3,}")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class StatedHere:
    """A value with the tokens it spans and the symbol it is said to be, where one is named."""

    value: Value
    first: int
    last: int
    symbol: SymbolSeen | None


def constants_in_prose(
    contents: Sequence[tuple[int, Content, Place]], section: Section, *, label: str = ""
) -> Iterator[FoundConstant]:
    """The constants of some prose. `label` is what a table's row says it is about."""
    is_listed = _SECTION.search(section.title) is not None
    if not is_listed and not any(_may_state(content) for _, content, _ in contents):
        return
    prose = prose_of(contents)
    for first, end in sentences(prose.tokens):
        tokens = prose.tokens[first:end]
        if len(tokens) <= _LONGEST and any(token.kind in ("number", "math") for token in tokens):
            yield from _in_sentence(prose, first, tokens, section=section, is_listed=is_listed, label=label)


def _may_state(content: Content) -> bool:
    """A quick look: a symbol set equal to a number, or a number beside words that name constants."""
    has_digit = False
    for piece in content:
        match piece:
            case Math():
                if VALUE.search(visible_source(piece)):
                    return True
                has_digit = has_digit or _has_digit(piece.source)
            case Text():
                if _TEXT_VALUE.search(piece.text):
                    return True
                has_digit = has_digit or _has_digit(piece.text)
            case Break():
                pass
    if not has_digit:
        return False
    words = {word for piece in content if isinstance(piece, Text) for word in _WORD.findall(piece.text.casefold())}
    return not words.isdisjoint(telling_words())


def _has_digit(text: str) -> bool:
    return _DIGIT.search(text) is not None


def _in_sentence(
    prose: Prose, first: int, tokens: Sequence[Token], *, section: Section, is_listed: bool, label: str
) -> Iterator[FoundConstant]:
    stated = list(values_in_sentence(prose, first, tokens))
    if not stated:
        return
    sentence = Prose(tuple(tokens), prose.texts, prose.places)
    said: Mapping[str, Found] = {}
    is_exercise = section.is_exercise or EXERCISE.search(prose.quote(first, first + len(tokens) - 1)) is not None
    for one in stated:
        name = ""
        if one.symbol is None:
            name = _words_before(tokens, one, is_listed=is_listed)
        if (one.symbol is not None or name) and not said:
            said = {found.symbol.name: found for found in found_in_prose(sentence)}
        if one.symbol is None and name:
            one = replace(
                one, symbol=next((found.symbol for found in said.values() if found.description == name), None)
            )
        name = _name_of(tokens, one, said, is_listed=is_listed)
        if not name and one.symbol is not None and _CONSTANT.search(label):
            name = label
        is_given = not is_exercise and _is_given(tokens, one)
        if not is_given and not _is_constant(one, name, is_listed=is_listed, is_exercise=is_exercise):
            continue
        block = tokens[one.first].block
        own = [place for place, token in enumerate(tokens) if token.block == block]
        quote = prose.quote(first + own[0], first + own[-1])
        yield FoundConstant(one.symbol, name, one.value, block, prose.places[block], quote)


def _is_given(tokens: Sequence[Token], one: StatedHere) -> bool:
    """Whether a text gives a symbol its value for what it says: "with c_w = 4100 J/(kg K)", "take g = 9.7 m/s^2"."""
    if one.symbol is None or one.value.unit is None or one.value.unit.dimension.is_dimensionless:
        return False
    place = one.first - 1
    while place >= 0 and (tokens[place].text in ("=", "≈", ",") or _is_its_symbol(tokens[place], one)):
        place -= 1
    return place >= 0 and tokens[place].lower in _GIVING


def _is_constant(one: StatedHere, name: str, *, is_listed: bool, is_exercise: bool) -> bool:
    standard = standard_of(one.value, name=one.symbol.name if one.symbol else "", words=name)
    if standard is not None:
        # A named constant of that size; or a symbol with a unit and enough digits to tell it from a made-up number.
        if constants_named(name):
            return True
        return one.symbol is not None and (one.value.unit is not None or not standard.dimension.is_dimensionless)
    if one.value.unit is None and not is_listed:
        return False
    if is_listed:
        return bool(name or one.symbol) and not is_exercise
    return bool(name) and _CONSTANT.search(name) is not None and one.symbol is not None and not is_exercise


def _name_of(tokens: Sequence[Token], one: StatedHere, said: Mapping[str, Found], *, is_listed: bool) -> str:
    if one.symbol is not None and one.symbol.name in said:
        words = said[one.symbol.name].description
        if one.value.unit is None or may_have_unit(words, one.value.unit.text):
            return words
    if is_listed and (label := _label_of(tokens, one)):
        return label
    return _words_before(tokens, one, is_listed=is_listed)


def _label_of(tokens: Sequence[Token], one: StatedHere) -> str:
    """`Speed of sound in air: 343 m/s`, `Avogadro's number, N_A = 6.02 × 10²³`: the words that open a line."""
    words: list[str] = []
    for token in tokens[: one.first]:
        if token.kind != "word" or plain_symbol(token) is not None or token.lower in ("is", "equals"):
            break
        words.append(token.text)
    return clean(words) if words and len(words) <= 8 else ""


def _words_before(tokens: Sequence[Token], one: StatedHere, *, is_listed: bool) -> str:
    """The name of a constant among the words before a value, link words aside."""
    start = one.first
    place = start - 1
    steps = 0
    while place >= 0 and steps < _MOST_BACK and (tokens[place].lower in _LINKS or _is_its_symbol(tokens[place], one)):
        place -= 1
        steps += 1
    words: list[str] = []
    best = ""
    while place >= 0 and len(words) < 7 and tokens[place].kind == "word":
        words.insert(0, tokens[place].text)
        candidate = clean(words)
        if any(agrees(one.value, item) for item in constants_named(candidate)):
            best = candidate
        place -= 1
    if best or not is_listed:
        return best
    return clean(words) if place < 0 and (names_quantity(clean(words)) or len(words) <= 5) else ""


def _is_its_symbol(token: Token, one: StatedHere) -> bool:
    if token.kind == "math":
        return bool(token.symbols)
    return (one.symbol is not None and token.text == one.symbol.letter) or symbol_of_word(token.text) is not None


def values_in_sentence(prose: Prose, first: int, tokens: Sequence[Token]) -> Iterator[StatedHere]:
    """Every value of a sentence, in formulas and in words."""
    for place, token in enumerate(tokens):
        if token.kind == "math" and token.math is not None and _has_digit(token.text):
            yield from _stated_in_math(tokens, place)
    yield from _stated_in_text(prose, first, tokens)


def _stated_in_math(tokens: Sequence[Token], place: int) -> Iterator[StatedHere]:
    math = tokens[place].math
    if math is None:
        return
    visible = visible_source(math)
    if not VALUE.search(visible):
        lone = value_of_math(math) if LONE_VALUE.match(visible) else None
        if lone is not None:
            yield StatedHere(_with_unit_after(tokens, place, lone), place, place, _symbol_before(tokens, place))
        return
    target = target_of(math) if math.notation == "latex" else None
    for assignment in assignments_in(math):
        letter = target.letter if target is not None and target.name == assignment.name else ""
        value = _with_unit_after(tokens, place, assignment.value)
        yield StatedHere(value, place, place, SymbolSeen(assignment.name, letter))


def _with_unit_after(tokens: Sequence[Token], place: int, value: Value) -> Value:
    """`$g = 9.8$ m/s²`: the unit stands outside the formula."""
    if value.unit is not None:
        return value
    run = unit_run(tokens, place + 1) if place + 1 < len(tokens) and tokens[place + 1].kind != "mark" else None
    unit = unit_of_text(run[0]) if run is not None else None
    return Value(value.number, unit, value.uncertainty) if unit is not None and unit.text else value


def _symbol_before(tokens: Sequence[Token], place: int) -> SymbolSeen | None:
    """The symbol in `c = $3\\times10^8$` and `the speed of light $c$ is $3\\times10^8$`."""
    index = place - 1
    while index >= 0 and tokens[index].lower in (
        "=",
        "≈",
        "is",
        "about",
        "approximately",
        "equals",
        "has",
        "the",
        "value",
    ):
        index -= 1
    if index < 0 or index == place - 1:
        return None
    symbols = tokens[index].symbols
    if len(symbols) == 1:
        return symbols[0]
    token = tokens[index]
    return plain_symbol(token) if token.is_italic or tokens[index + 1].text in ("=", "≈") else None


def _stated_in_text(prose: Prose, first: int, tokens: Sequence[Token]) -> Iterator[StatedHere]:
    """Numbers in the words of a sentence, block by block; formulas are blanked out."""
    for block in dict.fromkeys(token.block for token in tokens):
        own = [(place, token) for place, token in enumerate(tokens) if token.block == block]
        if not any(token.kind == "number" or _has_digit(token.text) for _, token in own if token.kind != "math"):
            continue
        start, end = own[0][1].start, own[-1][1].end
        text = list(prose.texts[block][start:end])
        for _, token in own:
            if token.kind == "math":
                text[token.start - start : token.end - start] = " " * (token.end - token.start)
        plain = "".join(text)
        if len(plain) > _LONGEST:
            continue
        try:
            mentions = find_quantities(plain)
        except UnitError:
            continue
        for mention in mentions:
            found = _stated(mention, plain, own, start, tokens)
            if found is not None:
                yield found
    del first


def _stated(
    mention: Mention, plain: str, own: Sequence[tuple[int, Token]], start: int, tokens: Sequence[Token]
) -> StatedHere | None:
    if mention.kind not in ("quantity", "number"):
        return None
    place = next((place for place, token in own if token.end > start + mention.start), None)
    last = next((place for place, token in own if token.end >= start + mention.end), place)
    value = value_of_mention(mention, plain) if mention.units else _bare(mention)
    if place is None or last is None or value is None:
        return None
    symbol = symbol_of_word(mention.symbol) if mention.symbol else None
    if symbol is None:
        symbol = _symbol_before(tokens, place)
    return StatedHere(value, place, last, symbol)


def _bare(mention: Mention) -> Value | None:
    value = value_of_mention(mention, "")
    return None if value is None else Value(value.number, None, value.uncertainty)
