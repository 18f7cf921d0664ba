"""The unit a question wants its answer in: "in kPa", "how many joules", "(in degrees)"; not "in 3 s" or "in air"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from mathrag.knowledge.kinds import kinds_for_symbol
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.quantities.unit_phrase import unit_after
from mathrag.language.quantity_names import kinds_named
from mathrag.language.tokens import Token
from mathrag.language.unit_text import rate_in_words
from mathrag.language.word_classes import word_class
from mathrag.types.quantity import Unit

_ARTICLES = word_class("grammar.determiners")

_PREPOSITIONS = word_class("grammar.prepositions")
_LONGEST_RATE = 8
_INTO = word_class("questions.unit_leads")
_BEFORE_TO = word_class("questions.converting")
# What may follow an asked unit; after anything else "in" was a preposition of the story.
_CLOSERS = word_class("questions.unit_closers")
_BRACKET_CLOSERS = word_class("questions.bracket_closers")
_UNIT_WANTED = word_class("questions.unit_wanted")
_WORDY_UNITS = word_class("questions.wordy_units")


@dataclass(frozen=True, slots=True)
class AskedUnit:
    """The readings of the asked unit, the text that asks, and the tokens it takes up."""

    units: tuple[Unit, ...]
    rare: tuple[Unit, ...]
    text: str
    start: int
    end: int


_Reader = Callable[[str, Sequence[Token], int], AskedUnit | None]


def find_asked_unit(text: str, tokens: Sequence[Token]) -> AskedUnit | None:
    """The unit asked for; the last one wins, because people add it at the end."""
    best: tuple[int, AskedUnit] | None = None
    last_value = max((place for place, token in enumerate(tokens) if token.kind == "value"), default=-1)
    alone = partial(_alone, last_value=last_value)
    readers: tuple[tuple[int, _Reader], ...] = (
        (3, _how_many), (2, _bracketed), (2, _after_in), (1, _percentage), (1, _the_units), (0, alone), (0, _rate),
    )  # fmt: skip
    for place in range(len(tokens)):
        for rank, reader in readers:
            found = reader(text, tokens, place)
            if found is not None:
                if best is None or rank >= best[0]:
                    best = (rank, found)
                break
    return best[1] if best else None


def _unit_at(text: str, tokens: Sequence[Token], place: int) -> AskedUnit | None:
    """A unit that begins with this token, and the tokens it takes up."""
    token = tokens[place]
    if token.kind not in ("word", "symbol", "mark") or token.text in ",.;:?!()[]{}=-+":
        return None
    matched = unit_after(" " + text[token.start : token.start + 80], 0, 2)
    if matched is None or not matched.usual:
        return None
    end_place = token.start + matched.end - 1
    after = place
    while after < len(tokens) and tokens[after].start < end_place:
        after += 1
    if tokens[after - 1].kind == "word" and tokens[after - 1].end > end_place:
        # `t1/2` begins with no tonne.
        return None
    return AskedUnit(tuple(matched.usual), tuple(matched.rare), text[token.start : end_place], place, after)


def _rate(text: str, tokens: Sequence[Token], place: int) -> AskedUnit | None:
    """`picks per hour, n_p = 200`: a rate of counted things that heads a query says in which unit it is meant."""
    if place:
        return None
    ends = (index for index, token in enumerate(tokens[:_LONGEST_RATE]) if _ends_rate(token))
    end = next(ends, 0)
    unit = rate_in_words(text[: tokens[end].start]) if end > 1 else None
    return None if unit is None else AskedUnit((unit,), (), text[: tokens[end].start].strip(), 0, end)


def _ends_rate(token: Token) -> bool:
    return token.kind == "value" or token.text in (",", ":") or (token.lower in _PREPOSITIONS and token.lower != "per")


def _how_many(text: str, tokens: Sequence[Token], place: int) -> AskedUnit | None:
    """`how many joules`, `how many kJ of heat`."""
    if tokens[place].lower != "many" or place == 0 or tokens[place - 1].lower != "how" or place + 1 >= len(tokens):
        return None
    return _unit_at(text, tokens, place + 1)


def _the_units(text: str, tokens: Sequence[Token], place: int) -> AskedUnit | None:
    """`give the farads`, `the number of lumens`: a unit spelled out where a quantity would stand."""
    if tokens[place].lower not in ("the", "of") or place == 0 or place + 1 >= len(tokens):
        return None
    unit = tokens[place + 1]
    before = tokens[place - 1].lower
    if tokens[place].lower == "of" and before != "number":
        return None
    if before not in _UNIT_WANTED or len(unit.lower) < 4 or not unit.lower.endswith(("s", "hertz")):
        return None
    if kinds_named([unit.normal]) or unit.normal in _WORDY_UNITS:
        return None
    return _unit_at(text, tokens, place + 1)


def _alone(text: str, tokens: Sequence[Token], place: int, *, last_value: int) -> AskedUnit | None:
    """`…, cubic metres?`, `… => kW`, `…, hours on the road`: what follows the last value is a unit, or begins with the
    name of one."""
    before = tokens[place - 1] if place else None
    if before is None or not (before.is_stop or before.kind == "value" or before.text in (",", ":", "=", ">", "→")):
        return None
    if place <= last_value:
        # "…. Seconds until it boils at 100 °C?"
        if not before.is_stop or not _is_unit_word(tokens[place]):
            return None
        ends = next((token.text for token in islice(tokens, place, None) if token.is_stop), "")
        return _unit_at(text, tokens, place) if ends == "?" else None
    written = tokens[place].text
    is_symbol = not written.islower() and bool(kinds_for_symbol(written, exact=True))
    if len(written) < 2 or tokens[place].normal in _WORDY_UNITS or is_symbol:
        return None
    found = _unit_at(text, tokens, place)
    if found is None or (before.kind == "value" and not before.text[-1].isalpha()):
        return None
    following = tokens[found.end] if found.end < len(tokens) else None
    is_named = len(written) > 3 and written.endswith("s") and following is not None and following.lower in _PREPOSITIONS
    return found if following is None or following.is_stop or is_named else None


def _is_unit_word(token: Token) -> bool:
    """Whether it can hardly be anything but a unit where it opens a sentence: `Seconds`, `kWh`."""
    written = token.text
    return token.normal not in _WORDY_UNITS and (
        (len(written) > 3 and written.endswith("s")) or (len(written) > 1 and not written[1:].islower())
    )


def _after_in(text: str, tokens: Sequence[Token], place: int) -> AskedUnit | None:
    word = tokens[place].lower
    if word not in _INTO or place + 1 >= len(tokens):
        return None
    if word in ("to", "as") and not any(token.lower in _BEFORE_TO for token in tokens[max(0, place - 8) : place]):
        if word == "to":
            return None
        return _fraction_of(text, tokens, place)
    index = place + 1
    while index < len(tokens) and tokens[index].lower in ("units", "unit", "of", "the", "whole", "standard"):
        if (
            tokens[index].lower == "the"
            and tokens[index + 1 : index + 2]
            and tokens[index + 1].lower not in ("unit", "units")
        ):
            return None
        index += 1
    if index >= len(tokens) or tokens[index].lower in _ARTICLES:
        return None
    found = _unit_at(text, tokens, index)
    if found is None:
        return None
    following = tokens[found.end] if found.end < len(tokens) else None
    closes = following is None or following.kind == "mark" or following.lower in _CLOSERS
    return found if closes and following_is_plain(following) else None


def following_is_plain(following: Token | None) -> bool:
    """A value behind the unit would make it part of the story: `in minute 3`."""
    return following is None or following.kind != "value"


def _fraction_of(text: str, tokens: Sequence[Token], place: int) -> AskedUnit | None:
    """`as a fraction of c`, `as a percentage`."""
    words = [token.lower for token in tokens[place : place + 5]]
    if words[1:2] and words[1] in ("a", "percent", "percentage"):
        noun = words[2] if words[1] == "a" and len(words) > 2 else words[1]
        if noun in ("percentage", "percent"):
            return AskedUnit((read_canonical_unit("percent"),), (), "percent", place, min(len(tokens), place + 3))
        if noun in ("fraction", "multiple", "part") and words[3:4] == ["of"] and place + 4 < len(tokens):
            found = _unit_at(text, tokens, place + 4)
            return found if found is not None and found.units[0].text == "c" else None
    return None


def _bracketed(text: str, tokens: Sequence[Token], place: int) -> AskedUnit | None:
    """`the pressure (kPa)?`, `[m/s]`: nothing but a unit between the brackets, and no value before them."""
    if tokens[place].text not in "([" or place == 0 or place + 2 >= len(tokens) or tokens[place - 1].kind != "word":
        return None
    found = _unit_at(text, tokens, place + 1)
    if found is None or found.end >= len(tokens) or tokens[found.end].text not in ")]":
        return None
    following = tokens[found.end + 1] if found.end + 1 < len(tokens) else None
    closes = following is None or following.kind == "mark" or following.lower in _BRACKET_CLOSERS
    short = found.end == place + 2 and len(tokens[place + 1].text) <= 2
    if short and not (following is not None and following.text == "?"):
        return None
    return found if closes else None


def _percentage(text: str, tokens: Sequence[Token], place: int) -> AskedUnit | None:
    """`what percentage of`, `by what percent`, `yield %?`."""
    ends = place + 1 == len(tokens) or tokens[place + 1].is_stop
    if tokens[place].text == "%" and ends and place and tokens[place - 1].kind == "word":
        return AskedUnit((read_canonical_unit("percent"),), (), "%", place, place + 1)
    if tokens[place].lower not in ("percentage", "percent") or place == 0:
        return None
    if tokens[place - 1].lower not in ("what", "which", "many"):
        return None
    return AskedUnit(
        (read_canonical_unit("percent"),), (), text[tokens[place].start : tokens[place].end], place, place + 1
    )
