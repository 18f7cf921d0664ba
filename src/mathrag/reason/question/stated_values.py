"""What documents state for the symbols of their formulas, for a question that gives no value: the one that holds
anyway, or that of the case which the question names. Of cases that it does not name none is taken.

Each becomes a value of the question that can stand in its own place alone and gives way to whatever is stated there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from mathrag.errors import UnitError
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.quantities import find_quantities
from mathrag.language.stems import STOP_WORDS, stem, stems
from mathrag.language.word_classes import word_class
from mathrag.types.library import Formula, StatedValue, SymbolMeaning
from mathrag.types.quantity import Quantity
from mathrag.types.question import Given, Question

_PIECE = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+")
_EITHER = re.compile(r"\s*/\s*|\s+or\s+")
_DENIALS = word_class("questions.case_denials")
# A name that is as short as this is one only beside what it numbers: zone A, type II.
_SHORT = 2
# So many words apart two words are said of each other.
_BESIDE = 2
_VAGUE = frozenset(map(stem, word_class("constants.vague_cases")))
_SAME = 1e-9
_MOST_STATED, _MOST_SHOWN = 40, 6


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Words and numbers of a text, without case, each with its place."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Pick:
    """A value that is chosen, with the beginnings of the numbers of the question that only name its case."""

    value: StatedValue
    covers: tuple[int, ...] = ()


def with_stated_values(question: Question, formulas: Iterable[Formula], *, untrusted: Collection[str] = ()) -> Question:
    """A question with what the documents state for the symbols of these formulas, where it is clear which value.
    Documents that are `untrusted` (ids) are not asked."""
    said = _Said(question)
    found: dict[tuple[object, ...], Given] = {}
    for formula in formulas:
        for symbol in formula.symbols:
            trusted = [one for one in symbol.stated if one.span.document not in untrusted]
            pick = said.pick(trusted, formula) if trusted else None
            if pick is not None and symbol.name == formula.target:
                # What the result is multiplied by in a case stands in no place of the formula.
                found[formula.id, pick.value] = _given(symbol, pick, ((formula.id, ""),))
                continue
            if pick is None or any(each.is_known and _is_value(each, pick.value) for each in question.givens):
                # As a property of a substance it is known already, and compared with what others know.
                continue
            key = (symbol.name, pick.value)
            known = found.get(key)
            places = ((formula.id, symbol.name), *(() if known is None else known.only))
            found[key] = _given(symbol, pick, places)
    givens = (*question.givens, *tuple(found.values())[:_MOST_STATED])
    return replace(question, givens=givens) if found else question


def _given(symbol: SymbolMeaning, pick: _Pick, places: tuple[tuple[str, str], ...]) -> Given:
    value = pick.value
    text = f"{symbol.name} = {value.value} {value.unit}".strip()
    named = f"{symbol.description} " if symbol.description else ""
    case = f" for {' and '.join(value.cases)}" if value.cases else ""
    place = f" ({value.span.place})" if str(value.span.place) else ""
    return Given(
        text,
        0,
        0,
        (_quantity_of(value),),
        words=tuple(normal_words(" ".join(value.cases)).split()),
        significant_figures=len(value.value.as_tuple().digits),
        implied=True,
        assumption=f"{named}{text}{case}, as the document states{place}",
        covers=pick.covers,
        only=places,
        span=value.span,
    )


def _quantity_of(stated: StatedValue) -> Quantity:
    return Quantity(float(stated.value), read_canonical_unit(stated.unit))


def choices_in_words(stated: Sequence[StatedValue]) -> str:
    """The cases that a document states values for, to be named: "450 N for cotton, 1200 N for flax"."""
    cases = [one for one in stated if one.cases]
    shown = [f"{one.value} {one.unit}".strip() + f" for {', '.join(one.cases)}" for one in cases[:_MOST_SHOWN]]
    return ", ".join((*shown, "…")) if len(cases) > _MOST_SHOWN else ", ".join(shown)


class _Said:
    """What a question says, as far as the names of cases may be among it."""

    def __init__(self, question: Question) -> None:
        self._question = question

    @cached_property
    def _pieces(self) -> _Pieces:
        return pieces_of(self._question.text)

    @cached_property
    def _stems(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, word in enumerate(self._pieces.words):
            for each in {stem(word), *_normal_stems(word)}:
                found.setdefault(each, []).append(place)
        return found

    def pick(self, stated: Sequence[StatedValue], formula: Formula) -> _Pick | None:
        """The one value that is meant; None where several may be, or none is."""
        cases = [one for one in stated if one.cases]
        general = [one for one in stated if not one.cases]
        common = _common(cases)
        matched = [(one, covers) for one in cases if (covers := self._named(one, common)) is not None]
        matched = [each for each in matched if not any(_says_more(other[0], each[0]) for other in matched)]
        if matched:
            values = {(one.value, one.unit) for one, _ in matched}
            return _Pick(*matched[0]) if len(values) == 1 else None
        if general:
            return _Pick(general[0]) if len({(one.value, one.unit) for one in general}) == 1 else None
        if len(stated) == 1 and (self._is_about(cases[0], formula) or self._is_undisputed(cases[0])):
            return _Pick(cases[0])
        return None

    def _named(self, one: StatedValue, common: Sequence[frozenset[str]]) -> tuple[int, ...] | None:
        """The numbers of the question that name the case, none where words do; None where it is not named."""
        covers: list[int] = []
        for key, case in enumerate(one.cases):
            shared = common[key] if key < len(common) else frozenset()
            found = next((got for each in _EITHER.split(case) if (got := self._finds(each, shared)) is not None), None)
            if found is None:
                return None
            covers.extend(found)
        return tuple(covers)

    def _finds(self, case: str, common: frozenset[str]) -> tuple[int, ...] | None:
        quantity = _quantity(case)
        if quantity is not None:
            return self._equal_to(quantity)
        pieces = pieces_of(case).words
        if any(word.isdigit() or len(word) <= _SHORT for word in pieces if word not in STOP_WORDS or len(pieces) == 1):
            return self._in_a_row(pieces)
        wanted = (frozenset(stems(case)) - common) or frozenset(stems(case))
        if not wanted or not all(word in self._stems for word in wanted):
            return None
        places = [place for word in wanted for place in self._stems[word]]
        if any(self._is_denied(place) for place in places):
            return None
        is_vague = wanted <= _VAGUE
        return () if not is_vague or self._has_beside(places, frozenset(stems(case)) - wanted) else None

    def _has_beside(self, places: Sequence[int], others: frozenset[str]) -> bool:
        """Whether one of some words stands right beside one of these places: "high" says which case it is only of what
        it is said."""
        return any(
            abs(place - other) <= _BESIDE for word in others for other in self._stems.get(word, ()) for place in places
        )

    def _in_a_row(self, pieces: Sequence[str]) -> tuple[int, ...] | None:
        """Where a name with a number stands word by word: DN 80, class 2."""
        words, spans = self._pieces.words, self._pieces.spans
        for start in range(len(words) - len(pieces) + 1):
            if words[start : start + len(pieces)] == tuple(pieces) and len(pieces) > (pieces[0].isalpha() - 1):
                if self._is_denied(start) or (len(pieces) == 1 and len(pieces[0]) == 1):
                    return None
                first, last = spans[start][0], spans[start + len(pieces) - 1][1]
                if _goes_on(self._question.text, last):
                    continue
                inside = (each for each in self._question.givens if not each.implied and each.end > each.start)
                return tuple(each.start for each in inside if first <= each.start and each.end <= last)
        return None

    def _equal_to(self, quantity: Quantity) -> tuple[int, ...] | None:
        for given in self._question.givens:
            first = given.readings[0]
            is_same = first.dimension == quantity.dimension and first.unit.text != ""
            if is_same and abs(first.si_value - quantity.si_value) <= _SAME * max(1.0, abs(quantity.si_value)):
                return (given.start,)
        return None

    def _is_denied(self, place: int) -> bool:
        return any(word in _DENIALS for word in self._pieces.words[max(0, place - 2) : place])

    def _is_about(self, one: StatedValue, formula: Formula) -> bool:
        """Whether the formula itself is about the only case that there is a value for."""
        told = frozenset(stems(" ".join((formula.label, *one.span.headings[-1:]))))
        return all(_quantity(case) is None and frozenset(stems(case)) <= told for case in one.cases)

    def _is_undisputed(self, one: StatedValue) -> bool:
        """Whether the only value there is holds at a temperature, say, and the question speaks of no other."""
        quantities = [_quantity(case) for case in one.cases]
        stated = {each.readings[0].dimension for each in self._question.givens if not each.implied}
        return all(each is not None and each.dimension not in stated for each in quantities)


@lru_cache(maxsize=2_048)
def pieces_of(text: str) -> _Pieces:
    """The words and numbers of a text."""
    found = [(match.group().casefold(), match.span()) for match in _PIECE.finditer(text)]
    return _Pieces(tuple(word for word, _ in found), tuple(span for _, span in found))


def _goes_on(text: str, end: int) -> bool:
    """Whether a number or a word is longer than what was found of it: 80 of 80.5."""
    return re.match(r"\.\d|\d|-\d", text[end : end + 2]) is not None


@lru_cache(maxsize=4_096)
def _normal_stems(word: str) -> tuple[str, ...]:
    return tuple(stem(each) for each in normal_words(word).split())


@lru_cache(maxsize=2_048)
def _quantity(case: str) -> Quantity | None:
    """The quantity that a case is, such as 10 °C; None where it is a name."""
    try:
        mentions = find_quantities(case)
    except UnitError:
        return None
    if len(mentions) != 1 or mentions[0].kind != "quantity" or mentions[0].text.strip() != case.strip():
        return None
    return mentions[0].quantities[0] if mentions[0].units else None


def _common(cases: Sequence[StatedValue]) -> tuple[frozenset[str], ...]:
    """The words that all cases share, key by key: they tell none of them from the others."""
    if len(cases) < 2:
        return ()
    width = min(len(one.cases) for one in cases)
    return tuple(frozenset.intersection(*(frozenset(stems(one.cases[key])) for one in cases)) for key in range(width))


def _says_more(one: StatedValue, other: StatedValue) -> bool:
    """Whether the name of one case is that of another with more: sea water and water."""
    first, second = frozenset(stems(" ".join(one.cases))), frozenset(stems(" ".join(other.cases)))
    return first > second


def is_for(given: Given, formula: str, symbol: SymbolMeaning) -> bool:
    """Whether a value can stand in a place at all: what a document states for one formula says nothing of others, and
    where it states values what everybody knows is not taken instead."""
    if given.only:
        return (formula, symbol.name) in given.only
    if symbol.stated and _numbers_a_case(given, symbol.stated):
        return False
    return not given.is_known or not symbol.stated or any(_is_value(given, one) for one in symbol.stated)


def adjustments(givens: Iterable[Given], formula: str) -> tuple[Given, ...]:
    """What documents say that the result of a formula is multiplied by in the cases that the question names."""
    return tuple(given for given in givens if (formula, "") in given.only)


def _numbers_a_case(given: Given, stated: Sequence[StatedValue]) -> bool:
    """Whether a bare number stands beside the word that numbers the cases: class 7, of which nothing is stated."""
    if given.readings[0].unit.text or given.symbol or given.implied:
        return False
    cases = [pieces_of(case).words for one in stated for case in one.cases]
    titles = {stem(words[0]) for words in cases if len(words) == 2 and words[1].isdigit()}
    return not titles.isdisjoint(map(stem, given.words[:_BESIDE]))


def _is_value(given: Given, stated: StatedValue) -> bool:
    """Whether a value is the very one that a document states."""
    quantity = _quantity_of(stated)
    first = given.readings[0]
    is_near = abs(first.si_value - quantity.si_value) <= _SAME * abs(quantity.si_value)
    return first.dimension == quantity.dimension and is_near
