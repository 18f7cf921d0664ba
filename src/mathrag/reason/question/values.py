"""Which numbers of a question are values, which only count another, and what names each. Reads no roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mathrag.compute.kinds import kind, kinds_for_symbol
from mathrag.compute.quantity_text import Mention
from mathrag.compute.quantity_text.symbols import symbol_identifier
from mathrag.reason.question import words as english
from mathrag.reason.question.asked_unit import AskedUnit
from mathrag.reason.question.lexicon import kinds_named
from mathrag.reason.question.naming import Naming, head_kinds, name_value
from mathrag.reason.question.symbol_shape import looks_like_symbol
from mathrag.reason.question.tokens import Token
from mathrag.types.quantity import Dimension

MAXIMAL_VALUES = 60
_NUMBERED = frozenset("level state order harmonic orbit shell mode overtone maximum minimum".split())
_SKIPPED = ("date", "label", "declined")


@dataclass(frozen=True, slots=True)
class Values:
    """Places of the value tokens that are given, the place of each one's count, and the phrase that names it."""

    places: tuple[int, ...]
    counts: Mapping[int, int]
    namings: Mapping[int, Naming | None]
    written: Mapping[int, str]

    @property
    def taken(self) -> frozenset[int]:
        """Tokens that name a given value, so that nothing is asked by them."""
        return frozenset(
            index for naming in self.namings.values() if naming is not None for index in range(naming.start, naming.end)
        )


def read_values(
    tokens: Sequence[Token], mentions: Sequence[Mention], *, symbols: frozenset[str], unit: AskedUnit | None
) -> Values:
    """The values in order; numbers that only count a following quantity are folded into it."""
    places = [place for place, token in enumerate(tokens) if token.kind == "value"]
    places = [place for place in places if _is_value(tokens, place, mentions)]
    counts = _folded_counts(tokens, places, mentions)
    places = [place for place in places if place not in counts.values()][:MAXIMAL_VALUES]
    namings = {place: _naming(tokens, place, mentions) for place in places}
    if unit is not None:
        namings = {place: _outside(found, unit) for place, found in namings.items()}
    written = {place: _written(tokens, place, mentions, symbols) for place in places}
    for place in places:
        # After "n is 1.66" so is the n of "n 1.45".
        before = tokens[place - 1].text if place else ""
        if not written[place] and len(before) == 1 and before in written.values():
            written[place] = before
    return Values(tuple(places), counts, _handed_down(tokens, places, mentions, namings), written)


def _outside(naming: Naming | None, unit: AskedUnit) -> Naming | None:
    """The unit asked for names no value: `the pressure in bar of 1.5 mol`."""
    return None if naming is not None and unit.start <= naming.start < unit.end else naming


def _written(tokens: Sequence[Token], place: int, mentions: Sequence[Mention], symbols: frozenset[str]) -> str:
    """The symbol a value is assigned to, also without an equals sign: `Kf is 1.86`, `sigma 3.4 nm`."""
    mention = mentions[tokens[place].value]
    if mention.symbol or place == 0:
        return mention.symbol
    index = place - 1
    is_linked = tokens[index].lower in ("is", "was", "equals") or tokens[index].text in ("=", ":")
    index -= int(is_linked)
    if index < 0 or tokens[index].kind != "word":
        return ""
    name = tokens[index].text
    if is_linked:
        if _is_owner(tokens, index):
            return ""
        return name if looks_like_symbol(name, alone=True) or name == "a" else ""
    if len(name) == 1 or name.lower() in english.STOP_WORDS:
        return name if name in symbols and not name.islower() else ""
    dimensions = [unit.dimension for unit in mention.units]
    usual = kinds_for_symbol(symbol_identifier(name), exact=True)
    fits = any(item.dimension in dimensions for item in usual) or name in symbols
    return name if looks_like_symbol(name, alone=fits and len(name) <= 3) else ""


def _is_owner(tokens: Sequence[Token], index: int) -> bool:
    """Whether a letter says whose quantity it is: `the rate of disappearance of A is`, but not `the value of k is`."""
    if index < 2 or tokens[index - 1].lower != "of" or tokens[index - 2].kind != "word":
        return False
    noun = tokens[index - 2].normal
    if noun in english.GENERIC_HEADS:
        return False
    usual = {item.id for item in kinds_for_symbol(symbol_identifier(tokens[index].text))}
    return not usual & set(kinds_named([noun]))


def _is_value(tokens: Sequence[Token], place: int, mentions: Sequence[Mention]) -> bool:
    mention = mentions[tokens[place].value]
    if mention.kind in _SKIPPED:
        return False
    if mention.kind == "ordinal":
        behind = {token.lower for token in tokens[place + 1 : place + 5]}
        return mention.text.isalpha() or bool(behind & _NUMBERED)
    if mention.units or mention.symbol:
        return True
    if _counts_dimensions(tokens, place, mention):
        return False
    before = tokens[place - 1].lower if place else ""
    if mention.text.isalpha() and before in ("the", "these", "those", "other", "of"):
        # `the two are …` points at things and gives no number; `of two blocks` counts.
        return before == "of" and mention.kind == "count"
    # "formula 3", "1)" and "2." number things; so does "part a of 3".
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    opens = place == 0 or tokens[place - 1].is_stop
    return not (opens and following is not None and following.text in ").")


def _counts_dimensions(tokens: Sequence[Token], place: int, mention: Mention) -> bool:
    """`1-d`, `2 D`, `three-dimensional`: a kind of space, not a value."""
    behind = [token.text.lower() for token in tokens[place + 1 : place + 3]]
    if behind[:1] in (["-"], ["\u2010"], ["\u2011"]):
        behind = behind[1:]
    return mention.value in (1, 2, 3) and bool(behind) and behind[0] in ("d", "dimensional", "dimensions", "dimension")


def _folded_counts(tokens: Sequence[Token], places: list[int], mentions: Sequence[Mention]) -> dict[int, int]:
    """`two 1200 kg satellites`: the place of the quantity, and that of its count."""
    found: dict[int, int] = {}
    for place in places:
        if place == 0 or tokens[place - 1].kind != "value" or not mentions[tokens[place].value].units:
            continue
        counting = mentions[tokens[place - 1].value]
        if counting.units or counting.symbol or counting.kind not in ("count", "number"):
            continue
        if float(counting.value).is_integer() and 2 <= counting.value <= 10_000:
            found[place] = place - 1
    return found


def _naming(tokens: Sequence[Token], place: int, mentions: Sequence[Mention]) -> Naming | None:
    mention = mentions[tokens[place].value]
    for found in name_value(tokens, place):
        # In "di = 40 cm focal length" the symbol names the value, and what follows is asked for.
        if mention.symbol and found.start > place and tokens[found.start].kind == "word" and found.end == len(tokens):
            continue
        if _is_fitting(tokens, place, mention, found):
            return found
    if place and tokens[place - 1].lower in english.MEASURING_VERBS:
        return Naming(english.MEASURING_VERBS[tokens[place - 1].lower], place - 1, place)
    return None


def _is_fitting(tokens: Sequence[Token], place: int, mention: Mention, found: Naming) -> bool:
    """A name that only has other dimensions names something else: `the pressure of 3 mol of gas`."""
    ids = head_kinds(found.phrase)
    if not ids:
        opens = found.start == 0 or tokens[found.start - 1].text in ":.?!;"
        return not (mention.symbol and opens and found.start < place)
    dimensions = [unit.dimension for unit in (*mention.units, *mention.rare_units)]
    if mention.symbol and found.start < place and not _is_symbol_of(mention, ids):
        # `critical angle n1 = 1.33` asks for the angle and gives an index.
        return bool(dimensions) and found.start > 0 and any(_fits(item, dimensions) for item in ids)
    if dimensions:
        is_share = mention.units[0].text.startswith("percent") if mention.units else False
        if is_share or any(_fits(item, dimensions) for item in ids):
            return True
        return not _is_asked(tokens, found) and any(_is_rate(item, dimensions) for item in ids)
    counted = mention.kind == "count" and place and tokens[place - 1].lower == "of"
    return not counted


def _is_asked(tokens: Sequence[Token], found: Naming) -> bool:
    """Whether an asking word stands before the phrase: `what is the molality of 0.4 mol`."""
    index = found.start - 1
    while index >= 0 and tokens[index].lower in english.ARTICLES | english.AUXILIARIES:
        index -= 1
    return index < 0 or tokens[index].lower in english.ASKING_VERBS | english.SIZES | {"what", "which", "whats", "how"}


def _is_rate(kind_id: str, dimensions: Sequence[Dimension]) -> bool:
    """`a load of 2 kN/m`, `9 kW of heat`: the named quantity per one other, by length or by time."""
    named = kind(kind_id).dimension
    for dimension in dimensions:
        ratio = named / dimension
        if not named.is_dimensionless and sum(1 for exponent in ratio.exponents if exponent) == 1:
            return not dimension.is_dimensionless
    return False


def _is_symbol_of(mention: Mention, ids: Sequence[str]) -> bool:
    if mention.symbol.lower() in kind_words(ids):
        return True
    return any(item.id in ids for item in kinds_for_symbol(mention.symbol_name))


def kind_words(ids: Sequence[str]) -> frozenset[str]:
    """The words in the names of these kinds."""
    return frozenset(word for item in ids for word in kind(item).name.split())


def _fits(kind_id: str, dimensions: Sequence[Dimension]) -> bool:
    item = kind(kind_id)
    return item.takes_any_unit or item.dimension in dimensions


def _handed_down(
    tokens: Sequence[Token], places: list[int], mentions: Sequence[Mention], namings: dict[int, Naming | None]
) -> dict[int, Naming | None]:
    """A list shares the name before its first member: `masses of 2 kg and 3 kg`, `radii 3 cm and 5 cm`."""
    result = dict(namings)
    for earlier, place in pairwise(places):
        if result[place] is not None or result[earlier] is None or mentions[tokens[place].value].symbol:
            continue
        between = tokens[earlier + 1 : place]
        joined = all(token.lower in ("and", "or", "to", "respectively") or token.text == "," for token in between)
        one, two = mentions[tokens[earlier].value], mentions[tokens[place].value]
        same = bool(one.units and two.units) and one.units[0].dimension == two.units[0].dimension
        if joined and between and same:
            result[place] = result[earlier]
    return result
