"""Every value of a question as a `Given`: readings, name, words, roles, clause. Binds no symbol."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mathrag.knowledge.kinds import kind, kinds_for_symbol
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import coherent_unit, read_canonical_unit, unit_in_context
from mathrag.language.quantities import Mention
from mathrag.language.quantity_names import kinds_in_phrase, kinds_named, literal_kinds
from mathrag.language.tokens import HALF_LIFE, Token, joined
from mathrag.language.typed_symbols import looks_like_symbol, symbol_identifier
from mathrag.language.unit_text import reads_as_unit
from mathrag.language.word_classes import word_class, word_list, word_pairs
from mathrag.reason.question.asked_unit import AskedUnit
from mathrag.reason.question.labels import abbreviation, read_labels
from mathrag.reason.question.names import ValueName, name_value
from mathrag.reason.question.role_words import given_roles, is_sum_before, lead_preposition
from mathrag.reason.question.tokens import normal_of
from mathrag.types.quantity import NO_UNIT, Dimension, Quantity, Unit
from mathrag.types.question import Given
from mathrag.types.symbol_names import GREEK_NAMES

_ARTICLES = word_class("grammar.determiners")
_ASKING_VERBS = word_class("questions.asking_verbs")
_AUXILIARIES = word_class("grammar.auxiliaries")
_CHANGE_NOUNS = word_class("phrases.change_nouns")
_CHANGING = word_class("changes.changing")
_FALLING = word_class("changes.falling")
_GENERIC_HEADS = word_class("questions.generic_heads")
_MEASURING_VERBS = word_pairs("questions.measuring_verbs")
_RISING = word_class("changes.rising")
_SOLUTIONS = word_class("questions.solutions")
_MOLAL = "mol/kg"
_PRICES = word_class("questions.prices")
_MASS = Dimension.of({"mass": 1})
_THOUSANDS = re.compile(r"[0-9]k[0-9]{0,3}$")
_SIZES = word_class("questions.sizes")
_SLOWING = word_list("changes.slowing")
_STOP_WORDS = word_class("questions.stop_words")

_THERMAL = word_class("questions.thermal")
_CHARGED = word_class("questions.charged")

# Which numbers of a question are values, which only count another, and what names each. Reads no roles.

MAXIMAL_VALUES = 60
_NUMBERED = word_class("questions.numbered")
_SKIPPED = ("date", "label", "declined")


@dataclass(frozen=True, slots=True)
class Values:
    """Places of the value tokens that are given, the place of each one's count, the phrase that names it, and what
    stands alone before it."""

    places: tuple[int, ...]
    counts: Mapping[int, int]
    namings: Mapping[int, ValueName | None]
    written: Mapping[int, str]
    labels: Mapping[int, ValueName]

    @property
    def taken(self) -> frozenset[int]:
        """Tokens that name a given value, so that nothing is asked by them."""
        named = [naming for naming in (*self.namings.values(), *self.labels.values()) if naming is not None]
        return frozenset(index for naming in named for index in range(naming.start, naming.end))


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
        # A letter that was assigned once ("k is 3") is the same symbol later on ("k 4").
        before = tokens[place - 1].text if place else ""
        if not written[place] and len(before) == 1 and before in written.values():
            written[place] = before
    namings = _handed_down(tokens, places, mentions, namings)
    labels = _labels(tokens, mentions, namings, written)
    for place, (label, symbol) in labels.items():
        own = namings[place]
        if own is None or own.start != label.start:
            # In "standard error for sd 12" only what stands alone before the value names it.
            written[place] = symbol
            namings[place] = None if symbol else label
    return Values(tuple(places), counts, namings, written, {place: label for place, (label, _) in labels.items()})


def _labels(
    tokens: Sequence[Token],
    mentions: Sequence[Mention],
    namings: Mapping[int, ValueName | None],
    written: Mapping[int, str],
) -> dict[int, tuple[ValueName, str]]:
    """What stands alone before the values at these places, where it says as much of them as their names do; with the
    symbol of the value, if it has one."""
    found: dict[int, tuple[ValueName, str]] = {}
    for place, label in read_labels(tokens, list(namings)).items():
        own = namings[place]
        symbol = written[place] or abbreviation(tokens, label)
        is_kept = own is None or own.start == label.start or (symbol and own.start < label.start)
        mention = mentions[tokens[place].value]
        # A symbol without a sign behind it may as well be an entry of a form: "Cl 102".
        is_free = not mention.symbol or tokens[place - 1].text == mention.symbol
        if is_kept and is_free and _is_labelled(mention, label):
            found[place] = label, symbol
    return found


def _is_labelled(mention: Mention, label: ValueName) -> bool:
    """Whether a label may name a value: it is a quantity of the kind that the label names."""
    ids = [item.id for item in literal_kinds(label.phrase)]
    dimensions = [unit.dimension for unit in (*mention.units, *mention.rare_units)]
    return not ids or not dimensions or any(_fits(item, dimensions) for item in ids)


def _outside(naming: ValueName | None, unit: AskedUnit) -> ValueName | None:
    """The unit asked for names no value: `the volume in mL of 3 g`."""
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
    if hyphened := _hyphened(tokens, index):
        return hyphened
    if is_linked:
        if _is_owner(tokens, index):
            return ""
        return name if looks_like_symbol(name, alone=True) or name == "a" else ""
    if len(name) == 1 or name.lower() in _STOP_WORDS:
        return name if name in symbols and not name.islower() else ""
    dimensions = [unit.dimension for unit in mention.units]
    usual = kinds_for_symbol(symbol_identifier(name), exact=True)
    fits = any(item.dimension in dimensions for item in usual) or name in symbols
    return name if looks_like_symbol(name, alone=fits and len(name) <= 3) else ""


def _hyphened(tokens: Sequence[Token], index: int) -> str:
    """A symbol with its subscript behind a hyphen, `T-in`; empty where these are words."""
    parts = tokens[index - 2 : index + 1] if index >= 2 else []
    whole = "".join(part.text for part in parts)
    is_one = len(parts) == 3 and parts[1].text == "-" and parts[2].end - parts[0].start == len(whole)
    return whole if is_one and looks_like_symbol(whole, alone=False) else ""


def _is_owner(tokens: Sequence[Token], index: int) -> bool:
    """Whether a letter says whose quantity it is: `the rate of disappearance of A is`, but not `the value of k is`."""
    if index < 2 or tokens[index - 1].lower != "of" or tokens[index - 2].kind != "word":
        return False
    noun = tokens[index - 2].normal
    if noun in _GENERIC_HEADS:
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
        is_number = counting.kind in ("count", "number") and not _THOUSANDS.search(counting.text)
        if counting.units or counting.symbol or not is_number:
            continue
        if float(counting.value).is_integer() and 2 <= counting.value <= 10_000:
            found[place] = place - 1
    return found


def _naming(tokens: Sequence[Token], place: int, mentions: Sequence[Mention]) -> ValueName | None:
    mention = mentions[tokens[place].value]
    for found in name_value(tokens, place):
        # In "b = 4 cm image size" the symbol names the value, and what follows is asked for.
        if mention.symbol and found.start > place and tokens[found.start].kind == "word" and found.end == len(tokens):
            continue
        if _is_fitting(tokens, place, mention, found):
            return found
    if place and tokens[place - 1].lower in _MEASURING_VERBS:
        return ValueName(_MEASURING_VERBS[tokens[place - 1].lower], place - 1, place)
    return None


def _is_fitting(tokens: Sequence[Token], place: int, mention: Mention, found: ValueName) -> bool:
    """A name that only has other dimensions names something else: `the pressure of 3 mol of gas`."""
    ids = tuple(item.id for item in literal_kinds(found.phrase))
    if not ids:
        opens = found.start == 0 or tokens[found.start - 1].text in ":.?!;"
        return not (mention.symbol and opens and found.start < place)
    is_of = found.start < place and tokens[place - 1].lower == "of"
    if is_of and _is_asked(tokens, found, by_default=False):
        # "What is the cost of 40 chairs", "the total mass of 3 kg and 5 kg": asked for, and no name of the value.
        return False
    dimensions = [unit.dimension for unit in (*mention.units, *mention.rare_units)]
    if mention.symbol and found.start < place and not _is_symbol_of(mention, ids):
        # `lift force rho = 1.2 kg/m^3` asks for the force and gives a density.
        return bool(dimensions) and found.start > 0 and any(_fits(item, dimensions) for item in ids)
    if dimensions:
        if _is_share(mention, found, place, ids, last=len(tokens)) or any(_fits(item, dimensions) for item in ids):
            return True
        return not _is_asked(tokens, found) and any(_is_rate(item, dimensions) for item in ids)
    is_of = place > 0 and tokens[place - 1].lower == "of"
    return not (is_of and mention.kind == "count")


def _is_share(mention: Mention, found: ValueName, place: int, ids: Sequence[str], *, last: int) -> bool:
    """Whether a value is a share, of whatever the name names. What ends the text behind a share is asked for where it
    is none itself: "6 % fixed monthly payment"."""
    if not mention.units or not mention.units[0].text.startswith("percent"):
        return False
    is_behind = found.start > place and found.end - found.start > 1 and found.end == last
    return not is_behind or any(kind(item).dimension.is_dimensionless for item in ids)


def _is_asked(tokens: Sequence[Token], found: ValueName, *, by_default: bool = True) -> bool:
    """Whether an asking word stands before the phrase: `what is the brightness of 3 W`. `by_default` holds for a
    phrase that opens the text."""
    index = found.start - 1
    while index >= 0 and tokens[index].lower in _ARTICLES | _AUXILIARIES:
        index -= 1
    if index < 0:
        return by_default
    return tokens[index].lower in _ASKING_VERBS | _SIZES | {"what", "which", "whats", "how"}


def _is_rate(kind_id: str, dimensions: Sequence[Dimension]) -> bool:
    """`a load of 2 kN/m`, `9 kW of heat`: the named quantity per one other, by length or by time."""
    named = kind(kind_id).dimension
    for dimension in dimensions:
        shared_out = [exponent for exponent in (named / dimension).exponents if exponent]
        if not named.is_dimensionless and len(shared_out) == 1 and shared_out[0] > 0:
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
    # Everybody says weight and counts in kilograms.
    dimension = _MASS if kind_id == "weight" and _MASS in dimensions else item.dimension
    return item.takes_any_unit or dimension in dimensions


def _handed_down(
    tokens: Sequence[Token], places: list[int], mentions: Sequence[Mention], namings: dict[int, ValueName | None]
) -> dict[int, ValueName | None]:
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


# Group the values of a question: lists, and clauses whose values belong to one state. Names nothing.

# These open a clause of their own; a comma or "and" only does where a dimension would repeat.
_OPENERS = word_class("questions.clause_openers")
_SOFT = word_class("questions.soft_breaks")


def number_clauses(tokens: Sequence[Token], places: Sequence[int], mentions: Sequence[Mention]) -> dict[int, int]:
    """The clause of each value. Values joined by a comma or "and" share one until a dimension comes again.

    Two lists of equal length in one sentence run in step (`2 kg and 3 kg at 1 m and 4 m`): their members pair up.
    """
    numbered: dict[int, int] = {}
    clause = 0
    seen: set[object] = set()
    previous = -1
    for place in places:
        between = tokens[previous + 1 : place]
        strong = any(token.is_stop or token.lower in _OPENERS for token in between)
        soft = any(token.text in (",", "(", ")") or token.lower in _SOFT for token in between)
        mention = mentions[tokens[place].value]
        dimension: object = mention.units[0].dimension if mention.units else mention.symbol or "number"
        if previous >= 0 and (strong or (soft and dimension in seen)):
            clause += 1
            seen = set()
        seen.add(dimension)
        numbered[place] = clause
        previous = place
    return _in_step(tokens, numbered, _lists(tokens, places, mentions))


def _in_step(tokens: Sequence[Token], numbered: dict[int, int], lists: list[list[int]]) -> dict[int, int]:
    for first, second in pairwise(lists):
        if len(first) != len(second) or len(first) < 2:
            continue
        if tokens[first[0]].sentence != tokens[second[0]].sentence:
            continue
        numbered |= {later: numbered[earlier] for earlier, later in zip(first, second, strict=True)}
    return numbered


def _lists(tokens: Sequence[Token], places: Sequence[int], mentions: Sequence[Mention]) -> list[list[int]]:
    """Runs of values of one dimension with nothing but commas and "and" between them."""
    groups: list[list[int]] = []
    for place in places:
        if groups and _is_listed(tokens, groups[-1][-1], place, mentions):
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def number_series(tokens: Sequence[Token], places: Sequence[int], mentions: Sequence[Mention]) -> dict[int, int]:
    """Three or more values in a plain list, or two that share one unit: `2, 4 and 8 m`."""
    found: dict[int, int] = {}
    number = 0
    for group in _lists(tokens, places, mentions):
        shared = any(mentions[tokens[place].value].distributed for place in group)
        if len(group) >= 3 or (len(group) == 2 and shared):
            found |= dict.fromkeys(group, number)
            number += 1
    return found


def _is_listed(tokens: Sequence[Token], earlier: int, place: int, mentions: Sequence[Mention]) -> bool:
    between = tokens[earlier + 1 : place]
    if not between or not all(token.lower in ("and", "or") or token.text == "," for token in between):
        return False
    one, two = mentions[tokens[earlier].value], mentions[tokens[place].value]
    if two.symbol or bool(one.units) != bool(two.units):
        return False
    return not one.units or one.units[0].dimension == two.units[0].dimension


# The name that a rate carries within its unit: the threads of "24 threads per cm".
_COUNTED = re.compile(
    r"(?<=[0-9])\s?(?P<name>(?:[^\W\d_][\w-]*\s){0,2}(?P<thing>[^\W\d_]{3,})\s?(?:per\s|/).*)", re.DOTALL
)


# "500 machine-hours", "0.6 kg per machine-hour".
_SPENT = re.compile(r"(?<=[^\W_])\s((?!per\s)[^\W\d_]{3,}-(?:hours?|days?|weeks?|months?|years?|km))$")


def counted_name(text: str) -> str:
    """What is counted, with what it is counted by, of a value as it was typed; empty where that is no rate."""
    match = _COUNTED.search(text)
    if match is None or reads_as_unit(match["thing"]):
        spent = _SPENT.search(text)
        return spent[1].replace("-", " ") if spent is not None else ""
    return re.sub(r"\s?/\s?", " per ", re.sub(r"\s[0-9., ]+", " ", match["name"]))


_NEAR_WORDS = 8
_ACCELERATIONS = frozenset(("m/s^2", "1/s^2"))


def read_givens(tokens: Sequence[Token], mentions: Sequence[Mention], values: Values) -> list[Given]:
    """The values in order, each with what the words around it say."""
    clauses = number_clauses(tokens, values.places, mentions)
    series = number_series(tokens, values.places, mentions)
    found: list[Given] = []
    for place in values.places:
        mention = mentions[tokens[place].value]
        naming = values.namings[place]
        counted = values.counts.get(place)
        readings = _readings(mention, naming, tokens, place)
        symbol, written = _symbol(mention, values.written[place])
        found.append(
            Given(
                text=mention.text,
                start=mention.start,
                end=mention.end,
                readings=readings,
                symbol=symbol,
                written=written,
                phrase=_phrase(naming, mention) or counted_name(mention.text),
                words=(*normal_words(counted_name(mention.text)).split(), *_near_words(tokens, place, values.namings)),
                roles=given_roles(tokens, place, naming),
                clause=clauses[place],
                preposition=lead_preposition(tokens, place, naming),
                significant_figures=mention.significant_figures,
                is_change=_is_change(tokens, place, naming),
                is_percentage="percent" in readings[0].unit.text,
                count=1 if counted is None else int(mentions[tokens[counted].value].value),
                series=series.get(place),
                is_slowing=readings[0].value > 0 and _is_slowing(tokens, place, readings[0]),
                label=_typed(tokens, values.labels.get(place)),
            )
        )
    return _with_shared_words(found, [tokens[place].sentence for place in values.places])


def _with_shared_words(givens: Sequence[Given], sentences: Sequence[int]) -> list[Given]:
    """A bare number without words of its own has those of the one before it in its sentence: "the count goes from 3
    in May to 9 in June"."""
    result: list[Given] = []
    last: tuple[int, Given] | None = None
    for given, sentence in zip(givens, sentences, strict=True):
        is_bare = not given.readings[0].unit.text and not given.symbol
        if is_bare and not given.words and not given.phrase and last is not None and last[0] == sentence:
            given = replace(given, words=last[1].words, phrase=last[1].phrase)
        if is_bare:
            last = sentence, given
        result.append(given)
    return result


def _readings(mention: Mention, naming: ValueName | None, tokens: Sequence[Token], place: int) -> tuple[Quantity, ...]:
    """All readings of the unit; the one that the name asks for first."""
    units: list[Unit] = list(mention.units) or [NO_UNIT]
    asked = unit_in_context(mention.text, units[0], {token.lower for token in tokens}) if mention.units else None
    if asked is not None:
        units = [asked, *(unit for unit in units if unit != asked)]
    wanted = [kind(item).dimension for item in kinds_in_phrase(naming.phrase)] if naming else []
    if mention.rare_units and wanted:
        units += [unit for unit in mention.rare_units if unit.dimension in wanted]
    units += _molal(mention, units, tokens)
    units += _unsaid(mention, tokens)
    if mention.units and mention.units[0].text == "percent/year":
        units.append(read_canonical_unit("percent"))
    units.sort(key=lambda unit: unit.dimension not in wanted)
    if not wanted and len(units) > 1 and any(unit.is_absolute_temperature for unit in units):
        units.sort(key=lambda unit: not (unit.is_absolute_temperature and _is_thermal(tokens, place)))
    return tuple(Quantity(mention.value, unit, mention.uncertainty) for unit in units)


def _unsaid(mention: Mention, tokens: Sequence[Token]) -> list[Unit]:
    """What a bare number is where a formula wants it: `10k` a resistance, and "price 84, earnings 5.25" money."""
    if mention.units:
        return []
    found = ["ohm"] if _THOUSANDS.search(mention.text) else []
    if mention.kind == "number" and any(token.lower in _PRICES for token in tokens):
        found.append("USD")
    return [read_canonical_unit(each) for each in found]


def _molal(mention: Mention, units: Sequence[Unit], tokens: Sequence[Token]) -> list[Unit]:
    """Where solutions are spoken of, an `m` may be molal, and degrees by `m` degrees by molality: the formula knows."""
    if _SOLUTIONS.isdisjoint(token.lower for token in tokens):
        return []
    found = [unit for unit in mention.rare_units if unit.text == _MOLAL]
    found += [read_canonical_unit(f"{unit.text[:-2]}*kg/mol") for unit in units if unit.text.endswith("/m")]
    return [unit for unit in found if unit not in units]


def _is_thermal(tokens: Sequence[Token], place: int) -> bool:
    near = {token.lower for token in tokens[max(0, place - 8) : place + 6]}
    before = tokens[place - 1].lower if place else ""
    warm = near & (_RISING | _FALLING | _THERMAL)
    return (before in ("at", "to", "from", "and", "by") and not near & _CHARGED) or bool(warm)


def _symbol(mention: Mention, written: str) -> tuple[str, str]:
    """The assigned name; a plain word (`pressure = 3 atm`) is a name in words and no symbol."""
    if not written:
        return "", ""
    if _is_word(written) or HALF_LIFE.fullmatch(written):
        return "", written
    return mention.symbol_name if mention.symbol else symbol_identifier(written), written


def _typed(tokens: Sequence[Token], label: ValueName | None) -> str:
    return "" if label is None else joined(tokens[label.start : label.end])


def _phrase(naming: ValueName | None, mention: Mention) -> str:
    if naming is not None:
        return naming.phrase
    written = mention.symbol
    if HALF_LIFE.fullmatch(written):
        return normal_of(written)
    return written if _is_word(written) else ""


def _is_word(written: str) -> bool:
    """Whether an assigned name is a word such as `pressure`; Greek letters are spelled out as symbols."""
    is_spelled = len(written) > 3 and written.isalpha() and written.islower()
    return is_spelled and written not in GREEK_NAMES and bool(kinds_named([written]))


def _near_words(tokens: Sequence[Token], place: int, namings: Mapping[int, ValueName | None]) -> tuple[str, ...]:
    """Content words of the clause, nearest first, stopping at other values and leaving out their names."""
    own = namings[place]
    foreign: set[int] = set()
    for other, naming in namings.items():
        if naming is not None and other != place and (own is None or naming.start != own.start):
            foreign.update(range(naming.start, naming.end))
    ranked: list[tuple[float, str]] = []
    for step, penalty in ((-1, 0.0), (1, 0.5)):
        index = place + step
        distance = 0.0
        while 0 <= index < len(tokens) and tokens[index].sentence == tokens[place].sentence and distance < 14:
            token = tokens[index]
            if token.kind == "value":
                distance += 6
            elif token.kind == "mark" and token.text in ",;:()":
                distance += 3
            distance += 1
            if step < 0 and is_sum_before(tokens, index):
                # "5 mol in total" ends what is said of that value.
                distance += 6
            elif token.kind == "word" and index not in foreign and token.lower not in _STOP_WORDS:
                ranked.append((distance + penalty, token.normal))
            index += step
    ranked.sort(key=lambda pair: pair[0])
    return tuple(dict.fromkeys(word for _, word in ranked))[:_NEAR_WORDS]


def _is_slowing(tokens: Sequence[Token], place: int, quantity: Quantity) -> bool:
    """Whether the words of its sentence say that this acceleration slows something down."""
    if str(quantity.dimension) not in _ACCELERATIONS:
        return False
    sentence = (token.lower for token in tokens if token.sentence == tokens[place].sentence)
    return any(word.startswith(_SLOWING) for word in sentence)


def _is_change(tokens: Sequence[Token], place: int, naming: ValueName | None) -> bool:
    if naming is not None and _CHANGE_NOUNS & set(naming.phrase.split()):
        return True
    if lead_preposition(tokens, place, naming) != "by":
        return False
    for index in range(place - 1, max(-1, place - 9), -1):
        token = tokens[index]
        if token.kind == "value" or token.is_stop:
            return False
        if token.lower in _CHANGING:
            return True
    return False


def with_periods(givens: Sequence[Given], *, is_finance: bool) -> list[Given]:
    """In money matters a span of time also counts periods: `3 years` is 3 as well."""
    if not is_finance:
        return list(givens)
    return [
        replace(given, readings=(*given.readings, Quantity(given.readings[0].value, NO_UNIT)))
        if given.readings[0].unit.text in ("year", "month", "week", "day")
        else given
        for given in givens
    ]


# A change that two values state together: "from 15 °C to 95 °C" is a rise of 80 K. Reads no text of its own.

_TEMPERATURE = Dimension.of({"temperature": 1})
_PAIR = 2
_TIMES = frozenset(("initial", "final", "before", "after"))


def below_absolute_zero(given: Given) -> bool:
    """Whether a value can only be a temperature below absolute zero: no difference, and colder than 0 K in any unit."""
    is_place = given.preposition in ("at", "from", "to") or "temperature" in given.phrase.split()
    return (
        not given.is_change
        and not given.symbol.startswith("Delta")
        and all(reading.dimension == _TEMPERATURE and reading.si_value < 0 for reading in given.readings)
        and (is_place or any(reading.unit.is_absolute_temperature for reading in given.readings))
    )


def temperature_changes(text: str, givens: Sequence[Given]) -> list[Given]:
    """The change between the two temperatures of a question, where it states just two and no change itself."""
    stated = [
        given
        for given in givens
        if given.readings[0].dimension == _TEMPERATURE and not given.implied and given.series is None
    ]
    if len(stated) != _PAIR or any(given.is_change or given.symbol or given.preposition == "by" for given in stated):
        return []
    first, last = stated
    if "final" in first.roles or "initial" in last.roles:
        first, last = last, first
    size = last.readings[0].si_value - first.readings[0].si_value
    if not _TIMES & {*first.roles, *last.roles}:
        # Between two sides, or from what is to what is wanted, only how far apart they are is said.
        size = abs(size)
    start, end = min(first.start, last.start), max(first.end, last.end)
    figures = [given.significant_figures for given in stated if given.significant_figures is not None]
    return [
        Given(
            text=text[start:end],
            start=start,
            end=end,
            readings=(Quantity(size, coherent_unit(_TEMPERATURE)),),
            phrase="temperature change",
            words=("temperature", "change"),
            roles=("change",),
            significant_figures=min(figures, default=None),
            implied=True,
            is_change=True,
            covers=(first.start, last.start),
        )
    ]
