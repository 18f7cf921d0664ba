"""What a question asks for: after "what is", "how fast", "find", or the head of a terse query. Binds nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from mathrag.knowledge.kinds import kind, kinds_for_dimension, kinds_for_symbol
from mathrag.language.quantity_names import all_names, asking_kinds, kinds_in_phrase, kinds_named, name_words_of
from mathrag.language.tokens import DASHES, Token, closing_place
from mathrag.language.typed_symbols import looks_like_symbol, symbol_identifier
from mathrag.language.unit_text import reads_as_unit
from mathrag.language.word_classes import word_class, word_list, word_pairs
from mathrag.reason.question.asked_unit import AskedUnit
from mathrag.reason.question.names import (
    AskedPhrase,
    QuestionContext,
    bracket_kinds,
    noun_phrase,
    phrase_kinds,
    sentence_rest,
)
from mathrag.reason.question.role_words import roles_in
from mathrag.types.quantity import Dimension
from mathrag.types.question import Given, Target

_ARTICLES = word_class("grammar.determiners")
_ASKING_VERBS = word_class("questions.asking_verbs")
_AUXILIARIES = word_class("grammar.auxiliaries")
_BEFORE_ASKING = word_class("questions.before_asking")
_CHANGING = word_class("changes.changing")
_CONJUNCTIONS = word_class("grammar.conjunctions")
_GENERIC_HEADS = word_class("questions.generic_heads")
_PREPOSITIONS = word_class("grammar.prepositions")
_SIZES = word_class("questions.sizes")
_STOP_WORDS = word_class("questions.stop_words")
_SUBORDINATORS = word_class("grammar.subordinators")
_LONGEST_SYMBOL = 3
# What links the name of what is asked to what is given, at the head of a query without a verb and at its end.
_OF_HEADS, _OF_ENDS = word_class("questions.behind_heads"), frozenset(("after", "in"))
# The last stroke of those that are typed, too: `->`, `=>`.
_ARROWS = frozenset("→⇒>")
_UNASKED = word_class("questions.unasked")

# Where a question asks: "how", "what", "which", "where", and verbs such as "find". Finds places, reads no phrase.

_SKIPPED_AFTER_WHAT = word_class("questions.after_what")
_SKIPPED_AFTER_VERB = word_class("questions.after_asking_verb")
# Verbs that hardly ever tell a story in this form.
_PLAIN_VERBS = word_class("questions.plain_verbs")
_PLACES = frozenset({"where", "when"})


@dataclass(frozen=True, slots=True)
class Cue:
    """An asking word: tokens `start` to `end`, with what is asked behind them."""

    form: Literal["how", "what", "where", "verb"]
    start: int
    end: int
    text: str


def find_cues(tokens: Sequence[Token]) -> list[Cue]:
    """All cues, the questions proper first, then the verbs that ask; of two of one form the first comes first."""
    questions: list[Cue] = []
    verbs: list[Cue] = []
    for index, token in enumerate(tokens):
        if token.kind != "word":
            continue
        word = token.normal if token.normal in ("what", "how", "where") else token.lower
        if word == "how":
            questions.append(_how(tokens, index))
        elif word in ("what", "which"):
            cue = _what(tokens, index)
            if cue is not None:
                questions.append(cue)
        elif word in _PLACES and _is_asked_place(tokens, index):
            questions.append(Cue("where", index, index, word))
        elif word in _ASKING_VERBS and _opens(tokens, index):
            end = index + 1
            while end < len(tokens) and tokens[end].lower in _SKIPPED_AFTER_VERB:
                end += 1
            verbs.append(Cue("verb", index, end, word))
    return [*questions, *verbs]


def _how(tokens: Sequence[Token], index: int) -> Cue:
    words = [token.lower for token in tokens[index : index + 3]]
    if len(words) > 1 and words[1] in ("much", "many"):
        return Cue("how", index, index + 2, f"how {words[1]}")
    if len(words) > 1 and words[1] in _SIZES:
        end = index + 2
        while end < len(tokens) and tokens[end].lower in _AUXILIARIES:
            end += 1
        return Cue("how", index, end, f"how {words[1]}")
    return Cue("how", index, index + 1, "how")


def _what(tokens: Sequence[Token], index: int) -> Cue | None:
    if tokens[index].lower == "which" and not _is_asking_which(tokens, index):
        return None
    end = index + 1
    while end < len(tokens) and tokens[end].lower in _SKIPPED_AFTER_WHAT:
        end += 1
    first = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    text = f"{tokens[index].normal} {first}" if first in _AUXILIARIES else tokens[index].normal
    return Cue("what", index, end, text)


def _is_asking_which(tokens: Sequence[Token], index: int) -> bool:
    """`which` asks at the start of a clause or after a preposition of its own; elsewhere it relates."""
    if index == 0 or tokens[index - 1].is_stop:
        return True
    sentence = tokens[index].sentence
    asked = any(token.text == "?" for token in tokens[index:] if token.sentence == sentence)
    before = tokens[index - 1]
    starts = index >= 2 and (tokens[index - 2].is_stop or tokens[index - 2].text == ",")
    if index == 1 or starts:
        return asked or before.lower in _ASKING_VERBS
    return before.lower in _ASKING_VERBS


def _is_asked_place(tokens: Sequence[Token], index: int) -> bool:
    following = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    before = tokens[index - 1] if index else None
    opens = before is None or before.is_stop or before.text == "," or before.lower in ("and", "then", "so")
    if before is not None and before.lower in _ASKING_VERBS | {"out", "me"}:
        return True
    if not opens or following not in _AUXILIARIES:
        return False
    if tokens[index].lower == "when":
        return following in ("will", "does", "did", "do", "would")
    return True


def _opens(tokens: Sequence[Token], index: int) -> bool:
    if index == 0:
        return True
    before = tokens[index - 1]
    if before.kind == "mark":
        return before.text not in "-/"
    if before.kind != "word" or before.lower in _BEFORE_ASKING:
        return True
    return tokens[index].lower in _PLAIN_VERBS and before.lower not in _AUXILIARIES | _ARTICLES


# What a question asks for without naming it anew: "what will it be", "how much is left", "what volume per second".
#
# Gives kinds of quantity only, from the values stated before; `targets.py` finds the places that ask.

_OTHERS = word_class("questions.others")
_POINTING = word_class("questions.pointing")
_TIMES = word_class("questions.spans_of_time")
_EACH = word_class("questions.each")
_REMAINING = word_class("questions.remaining")
_MONEY = frozenset({"worth"})
# A value behind one of these is a circumstance, not what the sentence is about: "470 ohm at 25 °C".
_CIRCUMSTANCE = word_class("questions.circumstances")
_STATED = re.compile(
    r"\b(?:is|was|are|were|equals|reads|measures|becomes)(?: about| roughly| only| an?)? $"
    r"|\b(?:has|had|have) (?:an?|its|the) (?:[a-z]{2,20} ){1,4}of $"
)
_TIME = Dimension.of({"time": 1})
_MOST = 6


def pointed_kinds(context: QuestionContext, cue: Cue) -> tuple[str, ...]:
    """`What is it after an hour?`: the quantity that the sentences before are about."""
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
    place = next((number for number, token in enumerate(behind) if token.lower not in _AUXILIARIES), None)
    if place is None or not place or behind[place].lower not in _POINTING:
        return False
    following = tokens[cue.start + 2 + place : cue.start + 3 + place]
    if not following:
        return True
    word = following[0]
    ends = word.is_stop or word.kind == "value" or word.lower in _PREPOSITIONS or word.lower in _BEING
    return ends or word.lower in _SUBORDINATORS


_BEING = word_class("questions.being")


def other_kinds(context: QuestionContext, cue: Cue, phrase: AskedPhrase) -> tuple[str, ...]:
    """`how thick is the other`, `what is that of the inner pipe`: named with a value before."""
    words = {context.tokens[place].lower for place in phrase.core}
    pointed = bool(words & _OTHERS) or any(
        token.lower in ("that", "those") for token in context.tokens[cue.end - 1 : cue.end + 2]
    )
    head = context.tokens[phrase.core[-1]].normal if phrase.core else ""
    for given in reversed(context.givens):
        if given.phrase and (pointed or head in given.phrase.split()) and (kinds := kinds_in_phrase(given.phrase)):
            return kinds
    return ()


def remaining_kinds(context: QuestionContext, cue: Cue) -> tuple[str, ...]:
    """`how much is left`, `how much paint remains`, `what is it worth`: the quantity that something started as."""
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


def rate_kinds(context: QuestionContext, cue: Cue, kinds: Sequence[str]) -> tuple[str, ...]:
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


MAXIMAL_TARGETS = 6
MAXIMAL_KINDS = 20
_TAKING = word_class("questions.taking_time")
_STAYING = tuple(f" {phrase} " for phrase in word_list("questions.staying"))
_MEASURING = word_class("questions.measuring_length")
_TURNING = word_class("questions.turning")
_SIZED_BY = word_pairs("questions.sized_by_verb")


def read_targets(context: QuestionContext) -> list[Target]:
    """Candidates, best first."""
    found: list[Target] = _questioned(context)
    also: list[Target] = []
    for cue in find_cues(context.tokens):
        target = _after_cue(context, cue)
        if target is not None:
            found.append(_of_counted_unit(context, cue, target))
            also += _joined_targets(context, cue)
    found += also
    sentences = _asking_sentences(context, found)
    if not any(target.kinds or target.symbol for target in found):
        found = [*_terse(context, sentences), *_equation_left(context), *found]
    unknown = [] if found else [target for target in _unknown_names(context) if not _is_given(context, target)]
    if context.unit is None and not unknown and not any(target.kinds or target.symbol for target in found):
        # `linear expansion L0 = 3 m`: the only name there is may name what is asked as well as a value.
        named = _terse(replace(context, taken=frozenset()), sentences)
        found = [*[target for target in named if not _is_given(context, target)][:1], *found]
    found = [target for target in found if not _is_given(context, target)]
    found = found or unknown
    found = [_with_unit(target, context.unit) for target in _distinct(found)]
    found.sort(key=lambda target: not (target.kinds or target.symbol))
    return found[:MAXIMAL_TARGETS]


def _is_given(context: QuestionContext, target: Target) -> bool:
    """Whether no word asks for it and a value bears its name: what a question gives is not what it asks for."""
    if target.asked_by or target.symbol:
        return False
    words = set(_parted(" ".join(target.words)))
    return bool(words) and any(_has_unit(given) and words == set(_parted(given.phrase)) for given in context.givens)


def _parted(phrase: str) -> list[str]:
    return [word for word in phrase.replace("-", " ").split() if word not in _STOP_WORDS]


def _distinct(targets: list[Target]) -> list[Target]:
    seen: set[tuple[str, str, tuple[str, ...]]] = set()
    result = []
    for target in targets:
        key = (target.phrase, target.symbol, target.kinds)
        if key not in seen:
            seen.add(key)
            result.append(target)
    return result


def _with_unit(target: Target, unit: AskedUnit | None) -> Target:
    """Kinds of the dimension that the asked unit has come first."""
    if unit is None or not target.kinds:
        return target
    wanted = {item.dimension for item in unit.units}
    return replace(target, kinds=tuple(sorted(target.kinds, key=lambda item: kind(item).dimension not in wanted)))


def _symbol_kinds(context: QuestionContext, symbol: str) -> tuple[str, ...]:
    """What a symbol usually stands for; kinds whose names share words with the question first."""
    words = {token.normal for place, token in enumerate(context.tokens) if place not in context.taken}
    items = kinds_for_symbol(symbol)[:40]
    shared = {item.id: len(words & name_words_of(item.id)) for item in items}
    ranked = sorted(items, key=lambda item: -shared[item.id])
    return tuple(item.id for item in ranked)[:MAXIMAL_KINDS]


def _joined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))[:MAXIMAL_KINDS]


def _questioned(context: QuestionContext) -> list[Target]:
    """`KE = ?`, `T2 = ?`."""
    found: list[Target] = []
    for before, equals, mark in zip(context.tokens, context.tokens[1:], context.tokens[2:], strict=False):
        if before.kind in ("word", "symbol") and equals.text == "=" and mark.text == "?":
            symbol = symbol_identifier(before.text)
            kinds = _joined(kinds_named([before.normal]), _symbol_kinds(context, symbol))
            found.append(Target(phrase=before.text, words=(before.normal,), symbol=symbol, kinds=kinds, asked_by="= ?"))
    return found


def _after_cue(context: QuestionContext, cue: Cue) -> Target | None:
    tokens = context.tokens
    if cue.form == "how" and (asked := _asking(context, cue)) is not None:
        return asked
    if cue.form == "where":
        return _where(context, cue)
    phrase = noun_phrase(context, _skip_unit(context, cue.end))
    known = pointed_kinds(context, cue)
    if not known and not phrase.core:
        known = remaining_kinds(context, cue) or _sized_by_verb(context, cue)
    if known:
        return _target(context, AskedPhrase((), (*phrase.core, *phrase.rest)), Target(kinds=known, asked_by=cue.text))
    if not phrase.core and not phrase.rest:
        return None
    symbol = _symbol(context, phrase)
    if symbol in ("delta", "Delta"):
        symbol = _changed_symbol(context, phrase) or symbol
    kinds = phrase_kinds(tokens, phrase, has_symbol=bool(symbol))
    if symbol:
        kinds = _joined(kinds, _symbol_kinds(context, symbol))
    kinds = _joined(_changed(context, cue, phrase), kinds)
    if cue.form == "what":
        reach = 1 + max((*phrase.core, cue.end)) - cue.start
        kinds = _joined(_asked_with(context, cue, shortest=max(3, reach)), kinds)
    kinds = _joined(bracket_kinds(context, phrase), kinds)
    kinds = _joined(rate_kinds(context, cue, kinds), kinds)
    if not symbol and (not kinds or cue.text == "how much"):
        kinds = _joined(kinds, remaining_kinds(context, cue))
    if not kinds and not symbol:
        kinds = _asked_with(context, cue) or _sized_by_verb(context, cue)
        kinds = kinds or other_kinds(context, cue, phrase) or _sized_thing(context, cue)
    if not symbol and (not kinds or kinds[:1] == ("amount_of_substance",)) and _is_of_stuff(context, cue, phrase):
        money = any(given.readings[0].unit.text == "USD" for given in context.givens)
        kinds = _joined(("amount_of_money",) if money else ("mass", "volume", "amount_of_substance"), kinds)
    return _target(context, phrase, Target(symbol=symbol, kinds=kinds, asked_by=cue.text))


def _joined_targets(context: QuestionContext, cue: Cue) -> list[Target]:
    """`the current I and the work W`: what an "and" with an article adds to the same request."""
    if cue.form not in ("what", "verb"):
        return []
    phrase = noun_phrase(context, cue.end)
    found: list[Target] = []
    for place in phrase.rest:
        following = context.tokens[place + 1 : place + 2]
        if context.tokens[place].lower == "and" and following and following[0].lower in ("the", "its", "their"):
            second = noun_phrase(context, place + 2)
            kinds = phrase_kinds(context.tokens, second)
            if kinds and second.core:
                found.append(_target(context, second, Target(kinds=kinds, asked_by=cue.text)))
    return found[:2]


def _changed(context: QuestionContext, cue: Cue, phrase: AskedPhrase) -> tuple[str, ...]:
    """`by how much does the volume shrink`: what is asked is the change of what is named."""
    words = [context.tokens[place].normal for place in (*phrase.core, *phrase.rest)]
    behind = [token.lower for token in context.tokens[cue.end : cue.end + 14]]
    by = cue.start > 0 and context.tokens[cue.start - 1].lower == "by"
    if not by and not (cue.text == "how much" and behind[:1] and behind[0] in _AUXILIARIES):
        return ()
    if not any(word in _CHANGING for word in behind):
        return ()
    names = sorted(all_names(words), key=lambda named: (named.start, named.start - named.end))
    return tuple(
        item for named in names[:3] for item in kinds_named([*words[named.start : named.end], "change"])
    ) or tuple(item for named in names[:3] for item in kinds_named([*words[named.start : named.end], "difference"]))


def _skip_unit(context: QuestionContext, place: int) -> int:
    """Past `joules of` in `how many joules of work`."""
    unit = context.unit
    if unit is None or not unit.start <= place < unit.end:
        return place
    place = unit.end
    return place + 1 if place < len(context.tokens) and context.tokens[place].lower == "of" else place


def _of_counted_unit(context: QuestionContext, cue: Cue, target: Target) -> Target:
    """Of `how many months until the loan is paid`: the unit says what is asked, and what follows is no name of it."""
    after = _skip_unit(context, cue.end)
    is_named = after == cue.end or context.tokens[after - 1].lower == "of"
    if is_named or context.unit is None or not target.kinds:
        return target
    wanted = {unit.dimension for unit in context.unit.units}
    if any(kind(each).dimension in wanted for each in target.kinds):
        return target
    return replace(target, kinds=tuple(each for one in context.unit.units for each in _common(one.dimension)))


def _where(context: QuestionContext, cue: Cue) -> Target:
    """`Where is the kite then?`, `where does the image appear`: the position of what follows."""
    phrase = sentence_rest(context, cue.start + 1)
    words = [context.tokens[place].normal for place in phrase.rest]
    length, kinds = asking_kinds([cue.text, *words])
    if length <= 1 and cue.text == "where":
        runs = [
            words[start:end] for start in range(len(words)) for end in range(start + 2, min(len(words), start + 5) + 1)
        ]
        runs.sort(key=len, reverse=True)
        kinds = _joined(tuple(found for run in runs for found in kinds_named([*run, "position"])), kinds)
    return _target(context, phrase, Target(kinds=kinds, asked_by=cue.text))


def _asking(context: QuestionContext, cue: Cue) -> Target | None:
    """`how fast`, `how long does it take`: phrases that ask for a kind by themselves."""
    tokens = context.tokens
    words = [token.normal for token in tokens[cue.start : cue.start + 9] if token.kind == "word"]
    length, kinds = asking_kinds(words)
    adjective = words[1] if len(words) > 1 else ""
    if not (adjective == "long" and _is_measured(context, cue)):
        kinds = _not_given(context, cue, kinds)
    if adjective == "fast" and not _TURNING.isdisjoint(words):
        kinds = _joined(kinds_named(["angular", "velocity"]), kinds)
    if not kinds and "weigh" in words:
        length, kinds = len(words), ("weight", "mass")
    if not kinds or (adjective in ("much", "many", "large", "big") and length <= 2):
        return None
    if adjective == "long" and set(kinds) == {"length", "time"}:
        kinds = _how_long(context, cue)
    end = cue.start + length
    kinds = _sized_kind(context, cue, end) or kinds
    phrase = sentence_rest(context, cue.end if adjective in ("much", "many") else end)
    kinds = _joined(bracket_kinds(context, AskedPhrase((end - 1,), ())), kinds)
    if adjective in ("much", "many") and length <= 3:
        by = cue.start > 0 and tokens[cue.start - 1].lower == "by"
        named = _changed(context, cue, noun_phrase(context, cue.end)) if by else ()
        changed = asking_kinds(["by", *words])[1] if by else ()
        kinds = _joined((*changed, *named), _joined(phrase_kinds(tokens, noun_phrase(context, cue.end)), kinds))
    return _target(context, phrase, Target(kinds=kinds, asked_by=" ".join(words[:length])))


def _not_given(context: QuestionContext, cue: Cue, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Without the kinds that a value inside the asking phrase has: `how much does a 60 kg man weigh` asks no mass."""
    tokens = context.tokens[cue.start : cue.start + 9]
    inside = {token.start for token in tokens if token.kind == "value"}
    given = {item.readings[0].dimension for item in context.givens if item.start in inside}
    return tuple(item for item in kinds if kind(item).dimension not in given) if given else kinds


def _sized_kind(context: QuestionContext, cue: Cue, end: int) -> tuple[str, ...]:
    """`how high is the pressure`: the adjective measures a named quantity."""
    tokens = context.tokens
    if end + 1 >= len(tokens) or tokens[end].lower not in ("is", "was", "are", "were", "will", "would", "must"):
        return ()
    if tokens[end + 1].lower not in _ARTICLES or tokens[cue.start + 1].lower not in _SIZES:
        return ()
    index = end + 1
    while index < len(tokens) and tokens[index].lower in _ARTICLES | {"be"}:
        index += 1
    best: tuple[str, ...] = ()
    for stop in range(index + 1, min(len(tokens), index + 6) + 1):
        if tokens[stop - 1].kind != "word":
            break
        best = kinds_named([token.normal for token in tokens[index:stop]]) or best
    return best


def _how_long(context: QuestionContext, cue: Cue) -> tuple[str, ...]:
    following = [token.lower for token in context.tokens[cue.start + 2 : cue.start + 14]]
    is_thing = bool(following) and following[0] in ("is", "was", "are", "were", "a", "an", "would", "should", "must")
    timed = any(word in _TAKING for word in following)
    timed = timed or any(phrase in f" {' '.join(following)} " for phrase in _STAYING)
    is_length = (is_thing or _is_measured(context, cue)) and not timed
    return ("length", "time") if is_length else ("time", "length")


def _is_measured(context: QuestionContext, cue: Cue) -> bool:
    """`how long does it measure`, `how long does it appear`: a thing is as long as it is measured to be."""
    return any(token.lower in _MEASURING for token in context.tokens[cue.start + 2 : cue.start + 14])


def _asked_with(context: QuestionContext, cue: Cue, *, shortest: int = 2) -> tuple[str, ...]:
    """`which marker`, `at what angle`: an asking phrase that begins at or before the cue."""
    for start in (cue.start - 1, cue.start):
        if start < 0:
            continue
        words = [token.normal for token in context.tokens[start : start + 8] if token.kind == "word"]
        length, kinds = asking_kinds(words)
        if kinds and length >= shortest:
            return kinds
    return ()


def _sized_by_verb(context: QuestionContext, cue: Cue) -> tuple[str, ...]:
    """`how much does the 2 m rope stretch`: the verb says what is measured."""
    if cue.text != "how much" or not any(
        token.lower in _AUXILIARIES for token in context.tokens[cue.end : cue.end + 1]
    ):
        return ()
    sentence = context.tokens[cue.start].sentence
    behind = (token.lower for token in context.tokens[cue.end :] if token.sentence == sentence)
    named = next((_SIZED_BY[word] for word in behind if word in _SIZED_BY), "")
    return kinds_named(named.split()) if named else ()


def _sized_thing(context: QuestionContext, cue: Cue) -> tuple[str, ...]:
    """`how big is the drop`: a thing's size is a length of it, at a guess its radius or diameter."""
    adjective = context.tokens[cue.start + 1].lower if cue.start + 1 < len(context.tokens) else ""
    return ("length", "radius", "diameter") if cue.form == "how" and adjective in ("big", "large", "small") else ()


def _is_of_stuff(context: QuestionContext, cue: Cue, phrase: AskedPhrase) -> bool:
    """`how much coal`, `the amount of fuel`: stuff is measured by mass, volume or moles."""
    if cue.text == "how much":
        return bool(phrase.core) and context.tokens[cue.end].lower not in _AUXILIARIES
    return bool(phrase.core) and context.tokens[phrase.core[-1]].lower in ("amount", "quantity")


def _changed_symbol(context: QuestionContext, phrase: AskedPhrase) -> str:
    """`delta G` spelled out: the change of the symbol that follows."""
    words = [context.tokens[place].text for place in (*phrase.core, *phrase.rest)]
    for word, following in pairwise(words):
        if word.lower() == "delta" and len(following) <= 2 and following.isalpha():
            return f"Delta_{following}"
    return ""


def _symbol(context: QuestionContext, phrase: AskedPhrase) -> str:
    """A symbol among the first words: `find v_rms`, `position x`, `value of ε`."""
    tokens = context.tokens
    if quotient := _quotient(context, phrase):
        return symbol_identifier(quotient)
    last = len(phrase.core) - 1
    for position, place in enumerate(phrase.core[:6]):
        written = tokens[place].text
        if place + 1 < len(tokens) and tokens[place + 1].text == "-" and tokens[place + 1].start == tokens[place].end:
            continue
        if written == "A" and place + 1 < len(tokens) and tokens[place + 1].kind == "word" and not place:
            continue
        capitals = context.is_terse and written.isupper() and len(written) > 1
        if capitals and looks_like_symbol(written, alone=True) and kinds_for_symbol(written, exact=True):
            return symbol_identifier(written)
        edge = position in (0, last)
        known = written in context.symbols and not (written.islower() and len(written) > 3)
        if (known and edge) or looks_like_symbol(written, alone=edge and _is_letter_asked(context, phrase, position)):
            return symbol_identifier(written)
    heads = {tokens[place].lower for place in phrase.core}
    if heads & (_GENERIC_HEADS | {"happens", "formula"}):
        for place in phrase.rest[:4]:
            written = tokens[place].text
            if looks_like_symbol(written, alone=len(written) < 3 and written.lower() not in _STOP_WORDS):
                return symbol_identifier(written)
    return ""


def _quotient(context: QuestionContext, phrase: AskedPhrase) -> str:
    """Two symbols with a stroke between them, `N/N0`, where they are no unit; empty where there are none."""
    tokens = context.tokens
    for place in [*phrase.core, *phrase.rest]:
        written = tokens[place : place + 3]
        if len(written) == 3 and written[1].text == "/" and not written[2].is_spaced:
            whole = "".join(each.text for each in written)
            ends = [each.text for each in (written[0], written[2])]
            are_known = all(each in context.symbols for each in ends)
            are_symbols = all(looks_like_symbol(each, alone=len(each) < _LONGEST_SYMBOL) for each in ends)
            if are_known or (are_symbols and not reads_as_unit(whole)):
                return whole
    return ""


def _is_letter_asked(context: QuestionContext, phrase: AskedPhrase, position: int) -> bool:
    """A letter that ends a phrase is a symbol where a name of a quantity stands before it; `vitamin C` is none."""
    written = context.tokens[phrase.core[position]].text
    if position == 0:
        last = context.tokens[phrase.core[-1]].normal
        return len(phrase.core) == 1 or len(written) == 1 or (written.isupper() and not kinds_named([last]))
    return (
        len(written) > 1
        or context.is_terse
        or written in context.symbols
        or bool(kinds_named([context.tokens[phrase.core[position - 1]].normal]))
    )


def _target(context: QuestionContext, phrase: AskedPhrase, found: Target) -> Target:
    tokens = context.tokens
    places = [*phrase.core, *phrase.rest]
    while places and tokens[places[-1]].lower in _PREPOSITIONS | _ARTICLES | _CONJUNCTIONS:
        places.pop()
    words = [tokens[place].normal for place in places if tokens[place].lower not in _STOP_WORDS]
    shown = context.text[tokens[places[0]].start : tokens[places[-1]].end] if places else ""
    # In "the distance from the start" the start is where the distance begins, not when it is asked for.
    away = next((order for order, place in enumerate(places) if tokens[place].lower == "from"), len(places))
    roles = tuple(dict.fromkeys(_target_roles([tokens[place].normal for place in places[:away]])))[:6]
    return replace(found, phrase=" ".join(shown.split()), words=tuple(dict.fromkeys(words)), roles=roles)


def _target_roles(words: Sequence[str]) -> list[str]:
    found = list(roles_in(words))
    return [role for item in found for role in (("final", "new") if item == "new" else (item,))]


def _asking_sentences(context: QuestionContext, found: Sequence[Target]) -> frozenset[int]:
    """The sentences that ask what something is, by a name that no kind of quantity has; what other sentences tell of
    is not asked for."""
    if not any(target.phrase and target.asked_by.startswith("what ") for target in found):
        return frozenset()
    return frozenset(context.tokens[cue.start].sentence for cue in find_cues(context.tokens) if cue.form == "what")


def _terse(context: QuestionContext, sentences: frozenset[int] = frozenset()) -> list[Target]:
    """A query without an asking word: a fragment with a question mark, or its head. Of some sentences alone where
    others only tell."""
    found: list[tuple[bool, Target]] = []
    terse = replace(context, is_terse=True)
    for each in _fragments(context):
        if sentences and context.tokens[each.start].sentence not in sentences:
            continue
        phrase = _before_assignment(context, noun_phrase(context, each.start))
        if not phrase.core:
            continue
        symbol = _symbol(terse, phrase) or _lone_symbol(context, each)
        kinds = phrase_kinds(context.tokens, phrase, has_symbol=bool(symbol))
        is_named = bool(kinds)
        if symbol:
            kinds = _joined(kinds, _symbol_kinds(context, symbol))
        if kinds or symbol:
            is_first = is_named or each.is_asked
            found.append((not is_first, _target(context, phrase, Target(symbol=symbol, kinds=kinds))))
    # In "RC low-pass 10k 22nF cutoff" the symbol only says of what.
    return [target for _, target in sorted(found, key=lambda pair: pair[0])]


def _lone_symbol(context: QuestionContext, fragment: _Fragment) -> str:
    """What alone is asked for is a symbol where it is as short as one: `fc?`."""
    tokens, start = context.tokens, fragment.start
    written = tokens[start].text
    # Behind a value stands of what it is: "0.1 M HCl?".
    is_of_value = start > 0 and tokens[start - 1].kind == "value"
    is_lone = fragment.is_asked and fragment.end - start == 1 and len(written) <= _LONGEST_SYMBOL and not is_of_value
    return symbol_identifier(written) if is_lone and written.lower() not in _STOP_WORDS else ""


def _unknown_names(context: QuestionContext) -> list[Target]:
    """What stands before a colon or a question mark with no value beside it is asked for, known to us or not: "real
    return: nominal 7 %", "… at 4 kN/m: greatest deflection?"."""
    tokens = context.tokens
    cues = {cue.start: cue for cue in find_cues(tokens)}
    found = []
    for each in _fragments(context):
        start = each.start
        is_asked = each.is_asked or (each.ending == ":" and start == 0) or (not each.ending and start > 0)
        is_asked = is_asked or (not cues and _is_head_or_end(context, each))
        phrase = noun_phrase(context, start) if is_asked and start not in cues else None
        if phrase is not None and phrase.core and phrase.core[-1] < each.end:
            found.append(_target(context, phrase, Target()))
    # "How much after 15 years?" asks for what the rest of the question is about, and "How much is that?" does not.
    open_ones = [cue for cue in cues.values() if cue.text == "how much" and cue.end < len(tokens)]
    found += [Target(asked_by=cue.text) for cue in open_ones if tokens[cue.end].lower in _PREPOSITIONS]
    return found


def _is_head_or_end(context: QuestionContext, fragment: _Fragment) -> bool:
    """Whether a fragment is what a query without any verb is about: "yield strength for a hardness of 200" as its
    head, "…, balance after 6 years" as its end. What a thing has at or of a value is given with it."""
    tokens = context.tokens
    core = noun_phrase(context, fragment.start).core
    link = tokens[core[-1] + 1].lower if core and core[-1] + 1 < len(tokens) else ""
    is_alone = not any(token.is_stop for token in tokens[:-1])
    if fragment.start == 0:
        # Of "stall margin Kr 2 Vs 30 m/s" what stands before the first value or its symbol is what it is about, where
        # nothing else asks.
        is_before_value = fragment.end < len(tokens) and tokens[fragment.end].kind == "value" and not link
        is_before_value = is_before_value and context.unit is None and tokens[-1].text != "?"
        return is_alone and (link in _OF_HEADS or is_before_value or (link == "," and len(context.givens) > 0))
    is_last = all(token.kind == "mark" for token in tokens[fragment.end + 1 :])
    return is_alone and is_last and link in _OF_ENDS


def _equation_left(context: QuestionContext) -> list[Target]:
    """`Use R = ρL/A for a wire with …`: the left-hand side is asked, unless it is given."""
    given = {item.symbol for item in context.givens}
    found: list[Target] = []
    for left in context.equations:
        symbol = symbol_identifier(left)
        if " " in left or len(left) > 24 or symbol in given:
            continue
        words = left.lower()
        kinds = _joined(kinds_named([words]), _symbol_kinds(context, symbol))
        found.append(Target(phrase=left, words=(words,), symbol=symbol, kinds=kinds))
    return found


@dataclass(frozen=True, slots=True)
class _Fragment:
    """Words between marks, from the token `start` to before `end`; `ending` is the mark there. What an arrow leads to
    is asked for as what ends in a question mark is."""

    start: int
    end: int
    ending: str
    is_led_to: bool = False

    @property
    def is_asked(self) -> bool:
        """Whether a mark says that it asks."""
        return self.is_led_to or self.ending == "?"


def _fragments(context: QuestionContext) -> list[_Fragment]:
    """Fragments that a value does not open: those that end in a question mark first, then the head, then the others.
    What stands in brackets, or says what there is not ("no drag", "ignore the air"), asks for nothing."""
    tokens = context.tokens
    starts = [0] if tokens else []
    starts += [index + 1 for index in range(len(tokens) - 1) if _divides(tokens, index)]
    # What stands behind the last value belongs to none: "m = 2 kg, v = 3 m/s kinetic energy".
    last = max((index for index, token in enumerate(tokens) if token.kind == "value"), default=len(tokens))
    starts += [last + 1] if last + 1 < len(tokens) else []
    bracketed = _bracketed(tokens)
    found: list[_Fragment] = []
    for start in starts[:40]:
        token = tokens[start]
        if token.kind in ("value", "mark") or start in context.taken or start in bracketed:
            continue
        if token.lower not in _UNASKED:
            open_places = (index for index in range(start, len(tokens)) if index not in bracketed)
            ends = (index for index in open_places if _ends_fragment(context, index))
            end = next(ends, len(tokens))
            is_led_to = start > 0 and tokens[start - 1].text in _ARROWS
            found.append(_Fragment(start, end, tokens[end].text if end < len(tokens) else "", is_led_to))
    return sorted(found, key=lambda each: not each.is_asked)


def _divides(tokens: Sequence[Token], index: int) -> bool:
    """Whether a mark ends one fragment and begins another: stops, commas, arrows, dashes with blanks around them, and
    the equals sign behind a value ("SV 70 mL × HR 60 = CO?")."""
    token = tokens[index]
    if token.kind != "mark":
        return False
    before, following = tokens[index - 1 : index], tokens[index + 1 : index + 2]
    if token.text == ">":
        return bool(before) and before[0].text in ("-", "=")
    if token.text == "=":
        return bool(before) and before[0].kind == "value"
    if token.text in DASHES:
        return token.text in _ARROWS or (token.is_spaced and bool(following) and following[0].is_spaced)
    return token.is_stop or token.text in ",:"


def _bracketed(tokens: Sequence[Token]) -> frozenset[int]:
    """The places of what stands in round brackets."""
    found: set[int] = set()
    for index, token in enumerate(tokens):
        if token.text == "(" and index not in found:
            found.update(range(index, (closing_place(tokens, index) or index) + 1))
    return frozenset(found)


def _ends_fragment(context: QuestionContext, index: int) -> bool:
    return context.tokens[index].kind == "value" or _divides(context.tokens, index)


def _before_assignment(context: QuestionContext, phrase: AskedPhrase) -> AskedPhrase:
    """Cut `centripetal force m` before `= 0.2 kg`: an assigned symbol is not what is asked."""
    core = tuple(place for place in phrase.core if context.tokens[place].kind != "symbol")
    return AskedPhrase(core, tuple(place for place in phrase.rest if context.tokens[place].kind != "symbol"))
