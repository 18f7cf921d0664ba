"""What a question asks for without naming it anew: "what will it be", "how much is left", "what volume per second".

Gives kinds of quantity only, from the values stated before; `targets.py` finds the places that ask.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mathrag.compute.kinds import kind, kinds_for_dimension
from mathrag.reason.question import words as english
from mathrag.reason.question.cues import Cue
from mathrag.reason.question.lexicon import kinds_in_phrase
from mathrag.reason.question.noun_phrases import Context, Phrase
from mathrag.reason.question.tokens import Token
from mathrag.types.quantity import Dimension
from mathrag.types.question import Given

_OTHERS = frozenset({"other", "another", "second", "first", "one", "missing", "unknown", "third"})
_POINTING = frozenset({"it", "this", "that"})
_TIMES = frozenset("second minute hour day week month year".split())
_EACH = frozenset({"per", "each", "every", "a"})
_REMAINING = frozenset("left remain remains remaining still have has had now end survive survives".split())
_MONEY = frozenset({"worth"})
# A value behind one of these is a circumstance, not what the sentence is about: "470 ohm at 25 °C".
_CIRCUMSTANCE = frozenset("of at in after for from with within during under over per to by".split())
_STATED = re.compile(
    r"\b(?:is|was|are|were|equals|reads|measures|becomes)(?: about| roughly| only| an?)? $"
    r"|\b(?:has|had|have) (?:an?|its|the) (?:[a-z]{2,20} ){1,4}of $"
)
_TIME = Dimension.of({"time": 1})
_MOST = 6


def pointed_kinds(context: Context, cue: Cue) -> tuple[str, ...]:
    """`What will it be at 125 °C?`: the quantity that the sentences before are about."""
    if cue.form == "verb" or not _is_pointing(context.tokens, cue):
        return ()
    asked_at = context.tokens[cue.start].start
    spoken = [given for given in context.givens if given.start < asked_at and _has_unit(given)]
    stated = [given for given in spoken if _STATED.search(context.text[: given.start])]
    about = stated or [given for given in spoken if given.preposition not in _CIRCUMSTANCE]
    return _kinds_of(about[0]) if about else ()


def _is_pointing(tokens: Sequence[Token], cue: Cue) -> bool:
    """Whether a pronoun alone stands for what is asked: `what is it`, `what will it be`, but not `what is its mass`."""
    behind = tokens[cue.start + 1 : cue.start + 4]
    place = next((number for number, token in enumerate(behind) if token.lower not in english.AUXILIARIES), None)
    if place is None or not place or behind[place].lower not in _POINTING:
        return False
    following = tokens[cue.start + 2 + place : cue.start + 3 + place]
    if not following:
        return True
    word = following[0]
    ends = word.is_stop or word.kind == "value" or word.lower in english.PREPOSITIONS or word.lower in _BEING
    return ends or word.lower in english.SUBORDINATORS


_BEING = frozenset({"be", "become", "then", "now", "later", "there"})


def other_kinds(context: Context, cue: Cue, phrase: Phrase) -> tuple[str, ...]:
    """`how large is the other one`, `what is that of the anode`: named with a value before."""
    words = {context.tokens[place].lower for place in phrase.core}
    pointed = bool(words & _OTHERS) or any(
        token.lower in ("that", "those") for token in context.tokens[cue.end - 1 : cue.end + 2]
    )
    head = context.tokens[phrase.core[-1]].normal if phrase.core else ""
    for given in reversed(context.givens):
        if given.phrase and (pointed or head in given.phrase.split()) and (kinds := kinds_in_phrase(given.phrase)):
            return kinds
    return ()


def remaining_kinds(context: Context, cue: Cue) -> tuple[str, ...]:
    """`how much is left`, `how much A do I still have`, `what is it worth`: the quantity that something started as."""
    behind = [token.lower for token in context.tokens[cue.start : cue.start + 10] if token.kind == "word"]
    if not _REMAINING & set(behind) and not _MONEY & set(behind):
        return ()
    if cue.form != "verb" and not (cue.text.startswith("how") or _MONEY & set(behind)):
        return ()
    if cue.text == "how many":
        counted = [given for given in context.givens if not given.readings[0].unit.text and not given.symbol]
        named = [item for given in counted for item in kinds_in_phrase(given.phrase)]
        return ("count", *(item for item in named if kind(item).dimension.is_dimensionless))[:_MOST] if counted else ()
    money = [given for given in context.givens if given.readings[0].unit.text == "USD"]
    if money:
        return ("amount_of_money", *_kinds_of(money[0]))[:_MOST]
    started = [given for given in context.givens if "initial" in given.roles and _has_unit(given)]
    return _kinds_of(started[0]) if started else ()


def rate_kinds(context: Context, cue: Cue, kinds: Sequence[str]) -> tuple[str, ...]:
    """`what volume comes out per second`: the kinds of what is named, by time; none where it is a rate."""
    if not kinds or not _is_per_time(context.tokens, cue):
        return ()
    named = kind(kinds[0]).dimension
    if named.is_dimensionless or named == _TIME or (named * _TIME).is_dimensionless:
        return ()
    return _common(named / _TIME)


def _is_per_time(tokens: Sequence[Token], cue: Cue) -> bool:
    sentence = tokens[cue.start].sentence
    for one, other in zip(tokens[cue.end :], tokens[cue.end + 1 :], strict=False):
        if one.sentence != sentence or one.kind == "value":
            return False
        if one.lower in _EACH and other.normal in _TIMES and (one.lower != "a" or other.normal in ("second", "minute")):
            return True
    return False


def _has_unit(given: Given) -> bool:
    return bool(given.readings[0].unit.text) and not given.implied


def _kinds_of(given: Given) -> tuple[str, ...]:
    """The kinds that a value's name says, of its dimension, then the usual ones of that dimension."""
    dimension = given.readings[0].dimension
    named = [item for item in kinds_in_phrase(given.phrase) if kind(item).dimension == dimension]
    return tuple(dict.fromkeys((*named, *_common(dimension))))[:_MOST]


def _common(dimension: Dimension) -> tuple[str, ...]:
    """The kinds of a dimension that are no special case of another one."""
    kinds = kinds_for_dimension(dimension)
    return tuple(item.id for item in kinds if item.broader is None)[:_MOST]
