"""Every value of a question as a `Given`: readings, name, words, roles, clause. Binds no symbol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mathrag.compute.kinds import kind
from mathrag.compute.quantity_text import Mention
from mathrag.compute.quantity_text.symbols import symbol_identifier
from mathrag.compute.symbol_names import GREEK_NAMES
from mathrag.compute.units import read_canonical_unit
from mathrag.reason.question import words as english
from mathrag.reason.question.clauses import number_clauses, number_series
from mathrag.reason.question.lexicon import kinds_in_phrase, kinds_named
from mathrag.reason.question.naming import Naming
from mathrag.reason.question.role_words import given_roles, is_sum_before, lead_preposition
from mathrag.reason.question.tokens import Token
from mathrag.reason.question.values import Values
from mathrag.types.quantity import NO_UNIT, Quantity, Unit
from mathrag.types.question import Given

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
                phrase=_phrase(naming, mention),
                words=_near_words(tokens, place, values.namings),
                roles=given_roles(tokens, place, naming),
                clause=clauses[place],
                preposition=lead_preposition(tokens, place, naming),
                significant_figures=mention.significant_figures,
                is_change=_is_change(tokens, place, naming),
                is_percentage="percent" in readings[0].unit.text,
                count=1 if counted is None else int(mentions[tokens[counted].value].value),
                series=series.get(place),
                is_slowing=readings[0].value > 0 and _is_slowing(tokens, place, readings[0]),
            )
        )
    return _with_shared_words(found, [tokens[place].sentence for place in values.places])


def _with_shared_words(givens: Sequence[Given], sentences: Sequence[int]) -> list[Given]:
    """A bare number without words of its own has those of the one before it in its sentence: "the constant goes from 3
    at 300 K to 9 at 340 K"."""
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


def _readings(mention: Mention, naming: Naming | None, tokens: Sequence[Token], place: int) -> tuple[Quantity, ...]:
    """All readings of the unit; the one that the name asks for first."""
    units: list[Unit] = list(mention.units) or [NO_UNIT]
    wanted = [kind(item).dimension for item in kinds_in_phrase(naming.phrase)] if naming else []
    if mention.rare_units and wanted:
        units += [unit for unit in mention.rare_units if unit.dimension in wanted]
    if mention.units and mention.units[0].text.startswith("percent/"):
        units.append(read_canonical_unit("percent"))
    units.sort(key=lambda unit: unit.dimension not in wanted)
    if not wanted and len(units) > 1 and any(unit.is_absolute_temperature for unit in units):
        units.sort(key=lambda unit: not (unit.is_absolute_temperature and _is_thermal(tokens, place)))
    return tuple(Quantity(mention.value, unit, mention.uncertainty) for unit in units)


def _is_thermal(tokens: Sequence[Token], place: int) -> bool:
    near = {token.lower for token in tokens[max(0, place - 8) : place + 6]}
    before = tokens[place - 1].lower if place else ""
    warm = near & (english.RISING | english.FALLING | frozenset("temperature hot cold warm room water gas".split()))
    return (before in ("at", "to", "from", "and", "by") and not near & {"charge", "charged", "charges"}) or bool(warm)


def _symbol(mention: Mention, written: str) -> tuple[str, str]:
    """The assigned name; a plain word (`pressure = 3 atm`) is a name in words and no symbol."""
    if not written:
        return "", ""
    if _is_word(written):
        return "", written
    return mention.symbol_name if mention.symbol else symbol_identifier(written), written


def _phrase(naming: Naming | None, mention: Mention) -> str:
    if naming is not None:
        return naming.phrase
    written = mention.symbol
    return written if _is_word(written) else ""


def _is_word(written: str) -> bool:
    """Whether an assigned name is a word such as `pressure`; Greek letters are spelled out as symbols."""
    is_spelled = len(written) > 3 and written.isalpha() and written.islower()
    return is_spelled and written not in GREEK_NAMES and bool(kinds_named([written]))


def _near_words(tokens: Sequence[Token], place: int, namings: Mapping[int, Naming | None]) -> tuple[str, ...]:
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
            elif token.kind == "word" and index not in foreign and token.lower not in english.STOP_WORDS:
                ranked.append((distance + penalty, token.normal))
            index += step
    ranked.sort(key=lambda pair: pair[0])
    return tuple(dict.fromkeys(word for _, word in ranked))[:_NEAR_WORDS]


def _is_slowing(tokens: Sequence[Token], place: int, quantity: Quantity) -> bool:
    """Whether the words of its sentence say that this acceleration slows something down."""
    if str(quantity.dimension) not in _ACCELERATIONS:
        return False
    sentence = (token.lower for token in tokens if token.sentence == tokens[place].sentence)
    return any(word.startswith(english.SLOWING) for word in sentence)


def _is_change(tokens: Sequence[Token], place: int, naming: Naming | None) -> bool:
    if naming is not None and english.CHANGE_NOUNS & set(naming.phrase.split()):
        return True
    if lead_preposition(tokens, place, naming) != "by":
        return False
    for index in range(place - 1, max(-1, place - 9), -1):
        token = tokens[index]
        if token.kind == "value" or token.is_stop:
            return False
        if token.lower in english.CHANGING:
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
