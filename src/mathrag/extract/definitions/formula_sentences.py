"""The noun that a formula is written for: "the kinetic energy is given by K = ...", "the weight W = mg"."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.extract.definitions.beside import Apposition
from mathrag.extract.definitions.meaning import may_have_unit, names_exactly, names_quantity
from mathrag.extract.definitions.nouns import Noun, noun_before, noun_before_clause
from mathrag.extract.definitions.symbol_reading import target_of, value_unit_of
from mathrag.extract.definitions.tokens import Token
from mathrag.extract.definitions.vocabulary import DETERMINERS, LABELLED_THINGS

_FORMULA_LINKS = frozenset(
    "by as is are given defined equals the formula equation then thus simply relation therefore expressed "
    "calculated found computed to be can from just hence using written expression following obtained with in "
    "determined".split()
)
_OBJECT_WORDS = frozenset("and between or at for by with from to in on than versus".split())


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
    if words[-1] in LABELLED_THINGS and not names_exactly(noun.words) and _OBJECT_WORDS.isdisjoint(words):
        return None
    return Apposition(target, noun.words, unit_text, 0.6, "formula_sentence", noun.start, place + 1)


def _is_subject(tokens: Sequence[Token], noun: Noun, has_verb: bool, has_colon: bool, is_display: bool) -> bool:
    """Whether the noun is what the formula gives, and not a word of another phrase: "... divided by time: v = d/t"."""
    opening = noun.start
    while opening and tokens[opening - 1].lower in DETERMINERS:
        opening -= 1
    before = tokens[opening - 1].lower if opening else ""
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
