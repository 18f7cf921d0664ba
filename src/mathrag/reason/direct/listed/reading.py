"""A question against one relation over lists: which value is what, or that not all of it is understood.

A value is told by its dimension, by the word before or behind it ("weights 2, 3", "a 20 % chance"), or like the value
before it. What stays open is tried in a few ways; one of them must give lists that belong together, side by side
("80 (weight 2), 90 (weight 3)") or one after the other. Computes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Literal, TypeAlias

from mathrag.errors import UnitError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.enumeration import listed
from mathrag.language.quantities import Mention, find_quantities
from mathrag.language.tokens import Token
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.listed.rows import ListRelation, Role, any_phrase, normal_phrase
from mathrag.reason.direct.open_words import (
    are_known,
    are_listed_themselves,
    change_nothing,
    denies,
    is_asked,
    is_told,
    known_before,
    names_something,
)
from mathrag.reason.direct.result import exact_fraction
from mathrag.reason.question.asked_unit import find_asked_unit
from mathrag.reason.question.tokens import cut
from mathrag.types.quantity import NO_UNIT, Unit

_Guess: TypeAlias = Literal["like_before", "first", "by_percent"]
_GUESSES: tuple[_Guess, ...] = ("like_before", "first", "by_percent")
_MOST_VALUES, _MOST_OF_A_KIND, _FEWEST = 60, 500, 2
_LARGEST = 1e30
_MARKS = frozenset(',;:.?!()[]{}"“”–—=&')
_MINUS = frozenset("-−–")
_SPOKEN_SIGNS = {"@": "at", "±": "plus or minus"}
_JOINTS = frozenset((",", ";", "and", "then", "&"))
_JOINT = r"(?:[,;](?: and)?|and|&)"
_NAME = r"(?P<name>[^\W\d_]{3,}(?: [^\W\d_]{3,})?)"
# "Mon 12, Tue: 15" and "40 oaks, 25 ashes": the words between two values of which each has a name, and at the end.
_NAME_BEFORE = re.compile(rf" {_JOINT} {_NAME}(?: [:=])? "), re.compile(r" (?P<name>[^\W\d_]{3,})(?: [:=])? $")
_NAME_BEHIND = re.compile(rf" {_NAME} {_JOINT} "), re.compile(r" (?P<name>[^\W\d_]{3,})(?= )")
_KINDS = frozenset(("quantity", "number", "count"))
_PERCENT = "percent"
# Levels do not add up, nor have means, as the numbers that they are.
_LEVEL = "dB"
_NAMED_UNITS: Mapping[str, tuple[str, ...]] = {
    "number": ("",),
    "count": ("",),
    "share": ("", _PERCENT),
    "amount": ("", "USD"),
    "years": ("", "year"),
    "atomic_mass": ("", "u", "g/mol"),
}
# What may stand behind a word that says what the value before it is: "(0.2 weight)", "a 20 % chance of $10".
_BEHIND_HEAD = re.compile(r" (?:[),;.?!]|and |of |that |for |to )")

_STOP = re.compile(r" [.?!;] ")
# A unit in brackets behind all: "(dollars)".
_UNIT_BEHIND = re.compile(r" ?\((?P<unit>[A-Za-z]+)\)(?=[ ?.!]*\Z)")
# "A 1 in 20 chance" is one of 1/20.
_ONE_IN = re.compile(r"\b(?P<one>[0-9]+) in (?P<many>[0-9]+)(?= (?:chance|probability|likelihood))", re.IGNORECASE)
_SPELLED = re.compile(rf"(?:(?<![\w.])|(?=%))(?:{any_of('lists.spellings')})(?![\w.]*[0-9])")


@dataclass(frozen=True, slots=True)
class Value:
    """One value of the text as it is meant; `times` of them are meant."""

    text: str
    number: Fraction
    unit: Unit
    figures: int | None
    is_whole: bool
    times: int = 1

    @property
    def base(self) -> Fraction:
        """The number in the coherent unit."""
        return self.number * exact_fraction(self.unit.scale)


@dataclass(frozen=True, slots=True)
class ReadRelation:
    """A relation with its values by part; `has_remainder`: what is not told of comes to nothing; `is_completed`: the
    last element has what the others leave of a whole; `are_alike`: all elements have equal partners; so many of them
    fall due `at_once`."""

    relation: ListRelation
    values: Mapping[str, tuple[Value, ...]]
    has_remainder: bool = False
    is_completed: bool = False
    are_alike: bool = False
    at_once: int = 0


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A question that is wholly understood and states lists that do not belong together."""

    message: str


@dataclass(frozen=True, slots=True)
class Worded:
    """A question as values and the words between them, each word in the spelling of comparison; `gaps` has one more
    than `mentions`."""

    mentions: tuple[Mention, ...]
    gaps: tuple[str, ...]
    signs: tuple[int, ...]
    wanted: tuple[Unit, ...]
    text: str = ""


def in_words(text: str) -> str:
    """A text with words for expressions that are no values: "50/50", "(n − 1)"."""
    known = word_pairs("lists.spellings")
    text = _ONE_IN.sub(r"\g<one>/\g<many>", text)
    return _UNIT_BEHIND.sub(r" in \g<unit>", _SPELLED.sub(lambda found: known[found[0]], text))


def worded(text: str) -> Worded | None:
    """The question cut at its values; None where a number or a sign in it is of another sort."""
    try:
        mentions = find_quantities(text)
    except UnitError:
        return None
    if not 0 < len(mentions) <= _MOST_VALUES or any(not _is_plain(each) for each in mentions):
        return None
    tokens = cut(text, mentions, ())
    unit = find_asked_unit(text, tokens)
    if unit is not None:
        lead = 1 if unit.start and tokens[unit.start - 1].lower in word_class("lists.before_units") else 0
        tokens = [each for place, each in enumerate(tokens) if not unit.start - lead <= place < unit.end]
    if sum(each.kind == "value" for each in tokens) != len(mentions):
        return None
    gaps, signs = _gaps(tokens)
    if gaps is None:
        return None
    return Worded(mentions, gaps, signs, (*unit.units, *unit.rare) if unit is not None else (), text)


def _is_plain(mention: Mention) -> bool:
    return mention.kind in _KINDS and mention.uncertainty is None and abs(mention.value) < _LARGEST


def _gaps(tokens: Sequence[Token]) -> tuple[tuple[str, ...] | None, tuple[int, ...]]:
    """The words between values, and the sign that stands apart from each value: "−$1000"."""
    gaps: list[list[str]] = [[]]
    signs: list[int] = []
    for place, token in enumerate(tokens):
        if token.kind == "value":
            signs.append(-1 if gaps[-1] and gaps[-1][-1] == "minus" else 1)
            if signs[-1] < 0:
                del gaps[-1][-1]
            gaps.append([])
        elif token.kind == "word":
            gaps[-1].append(token.normal)
        elif token.kind != "symbol":
            read = _read_mark(tokens, place)
            if read is None:
                return None, ()
            gaps[-1] += [read] if read else []
    return tuple(f" {' '.join(each)} " for each in gaps), tuple(signs)


def _read_mark(tokens: Sequence[Token], place: int) -> str | None:
    """A mark as it stands between words, empty where it says nothing; None where it is one of mathematics."""
    token, following = tokens[place], tokens[place + 1] if place + 1 < len(tokens) else None
    if token.text in _MINUS and following is not None and not following.is_spaced:
        # Within a word a hyphen parts two words; right before a value it is its sign.
        return "minus" if following.kind == "value" else (None if token.is_spaced else "")
    if token.text in _MARKS:
        return token.text
    if token.text in _MINUS and _is_dash(tokens, place):
        return "–"
    is_sign = token.text == "+" and following is not None and following.kind == "value" and token.is_spaced
    return "" if is_sign else _SPOKEN_SIGNS.get(token.text)


def _is_dash(tokens: Sequence[Token], place: int) -> bool:
    """Whether a line between blanks parts a sentence, and is no minus between two values."""
    beside = tokens[max(0, place - 1) : place + 2]
    return len(beside) > 2 and beside[2].is_spaced and any(each.kind == "word" for each in beside)


def only_list(asked: Worded) -> range | None:
    """The places of the one list of values that is written out, bare or each behind a name of its own ("Mon 12, Tue
    15"); any number beside it must say how many they are."""
    found = _longest(asked, lambda gap: _JOINTS.issuperset(gap.split()))
    if not _is_whole_list(asked, found):
        found = _longest(asked, lambda gap: _NAME_BEFORE[0].fullmatch(gap) is not None)
        if not _is_whole_list(asked, found) or not _are_named(asked, found):
            return None
    rest = (place for place in range(len(asked.mentions)) if place not in found)
    return found if all(_is_their_number(asked, place, len(found)) for place in rest) else None


def _longest(asked: Worded, joins: Callable[[str], bool]) -> range:
    """The longest run of values between which nothing but such words stand."""
    ends = [place for place in range(1, len(asked.mentions)) if not joins(asked.gaps[place])]
    return max((range(start, end) for start, end in pairwise((0, *ends, len(asked.mentions)))), key=len)


def _is_whole_list(asked: Worded, found: range) -> bool:
    behind = [*asked.gaps[found.stop].split(), ""]
    # "3, 5, ? and …" goes on with what is not told.
    goes_on = behind[0] in _JOINTS and not behind[1].isalpha()
    # "2 hours, 40 min" may be one value or two.
    unsure = any(each.symbol or "," in each.text.rstrip(",").split(" ", 1)[-1] for each in asked.mentions)
    return len(found) >= _FEWEST and not goes_on and not unsure


def _are_named(asked: Worded, found: range, *, is_behind: bool = False) -> bool:
    """Whether each value of a run has a name of its own that says nothing else; it stands before or behind all."""
    between, end = _NAME_BEHIND if is_behind else _NAME_BEFORE
    inner = [between.fullmatch(gap) for gap in asked.gaps[found.start + 1 : found.stop]]
    outer = end.match(asked.gaps[found.stop]) if is_behind else end.search(asked.gaps[found.start])
    names = [each["name"] for each in (*inner, outer) if each is not None]
    words = {word for name in names for word in name.split()}
    # Who is named again behind the list is singled out: "… average of Mon and Tue".
    again = _are_said_again(names, asked.gaps)
    return (
        not again
        and len(set(names)) == len(found)
        and words.isdisjoint(_figure_words())
        and all(map(names_something, words))
    )


def _are_said_again(names: Sequence[str], gaps: Sequence[str]) -> bool:
    """Whether a name stands more than once among the words."""
    said = f" {' # '.join(gaps)} ".replace(" ", "  ")
    return any(said.count(f" {name.replace(' ', '  ')} ") > 1 for name in names)


@cache
def _figure_words() -> frozenset[str]:
    return frozenset(word for name in word_pairs("statistics.figures") for word in normal_phrase(name).split())


def _is_their_number(asked: Worded, place: int, number: int) -> bool:
    mention, behind = asked.mentions[place], asked.gaps[place + 1].split()
    is_noun = bool(behind) and behind[0].isalpha() and behind[0] not in word_class("grammar.prepositions")
    return mention.value == number and mention.kind == "count" and not mention.units and is_noun


def _only_counts(asked: Worded) -> tuple[range, frozenset[int]] | None:
    """The places of the one list of counts, which may have names behind them, and those of the numbers beside it,
    which must say how many they are or their total."""
    found = only_list(asked)
    if found is None:
        found = max(
            _longest(asked, lambda gap: _JOINTS.issuperset(gap.split())),
            _longest(asked, lambda gap: _NAME_BEHIND[0].fullmatch(gap) is not None),
            key=len,
        )
        is_plain = all(_JOINTS.issuperset(gap.split()) for gap in asked.gaps[found.start + 1 : found.stop])
        if not _is_whole_list(asked, found) or not (is_plain or _are_named(asked, found, is_behind=True)):
            return None
    whole = sum(asked.mentions[place].value for place in found)
    rest = [place for place in range(len(asked.mentions)) if place not in found]
    totals = [place for place in rest if asked.mentions[place].value == whole and not asked.mentions[place].units]
    others = (place for place in rest if place not in totals)
    if len(totals) > 1 or not all(_is_their_number(asked, place, len(found)) for place in others):
        return None
    return found, frozenset(totals)


# Which value is what.


@dataclass(frozen=True, slots=True)
class _Meant:
    """What a value is to the relation, and whether the word for it makes it negative."""

    role: Role
    is_negative: bool = False


def read_relation(relation: ListRelation, asked: Worded) -> ReadRelation | Mismatch | None:
    """The relation with its values, or why they do not belong together; None where the question is about something
    else or says more."""
    if not _is_asked(relation, asked):
        return None
    # Words that choose the relation say nothing of single values: "weighted mean", "expected value".
    gaps = [_without_choosing(relation, gap) for gap in asked.gaps]
    negatives = _count(relation.negative_heads, gaps)
    told = _told(relation, asked.mentions, gaps)
    if sum(one.is_negative for one in told.values()) != negatives:
        return None
    beside = (
        _beside_counts(relation, asked) if relation.is_of_counts else _counted(relation, asked.mentions, gaps, told)
    )
    if beside is None:
        return None
    counted = beside
    has_remainder = _count(relation.remainder, asked.gaps) > 0
    found: list[ReadRelation] = []
    mismatch: Mismatch | None = None
    for guess in _GUESSES:
        one = _read_by(guess, relation, asked, told, counted, has_remainder=has_remainder)
        if isinstance(one, Mismatch):
            mismatch = mismatch or one
        elif one is not None and one not in found:
            found.append(one)
    if len(found) == 1:
        return found[0]
    return None if found else mismatch


def is_beyond(relation: ListRelation, asked: Worded) -> bool:
    """Whether a guarded relation is asked for together with what it does not know."""
    if not relation.is_guarded or not _count(relation.without, asked.gaps):
        return False
    is_named = all(_count(phrases, asked.gaps) for phrases in relation.needs)
    of_it = [each for each in asked.mentions if _accepted(relation.roles[0], each)]
    return is_named and len(of_it) >= _FEWEST


def _is_asked(relation: ListRelation, asked: Worded) -> bool:
    """Whether all that the relation needs is said, and nothing that it does not know."""
    if any(_count(phrases, asked.gaps) == 0 for phrases in relation.needs) or _count(relation.without, asked.gaps):
        return False
    if not (_is_openly_asked(relation, asked) if relation.is_open else is_covered(relation.covered, asked.gaps)):
        return False
    if any(_tells_result(relation, asked.gaps[: place + 1]) for place in range(len(asked.mentions))):
        return False
    letters = "".join(role.letters for role in relation.roles)
    return all(not each.symbol or each.symbol[0] in letters for each in asked.mentions)


def _is_openly_asked(relation: ListRelation, asked: Worded) -> bool:
    """The same where whatever changes nothing may be said: of the one list there is, this figure alone."""
    if len(relation.roles) == 1 and (_only_counts if relation.is_of_counts else only_list)(asked) is None:
        return False
    return is_openly_asked(relation.needs[0], relation.named, asked)


def is_openly_asked(names: frozenset[str], known: frozenset[str], asked: Worded, left: Sequence[str] = ()) -> bool:
    """Whether a figure with one of these names is asked for, and nothing else is said beside known phrases (in the
    words `left` over by whoever has taken some out) but what changes nothing."""
    name, covering = any_phrase(names), any_phrase(known | names)
    assert name is not None
    assert covering is not None
    words = [word for gap in left or asked.gaps for word in covering.sub(" ", gap).split() if word not in _MARKS]
    is_vague = any(word in word_class("open_words.several_meanings") for word in names)
    if not (are_known if is_vague else change_nothing)(words) or denies(asked.text):
        return False
    if are_listed_themselves(names, asked.text) or any(is_told(name, gap) for gap in asked.gaps[:-1]):
        return False
    return known_before(name, known, asked.gaps, asked.text) and is_asked(name, " # ".join(asked.gaps))


def _tells_result(relation: ListRelation, gaps: Sequence[str]) -> bool:
    """Whether the value behind these words is no element but the result: "the mean is 5 cm", "with a total of 3 Ω"."""
    result = any_phrase(frozenset().union(*(relation.needs[1:] or relation.needs)))
    assert result is not None
    sentence = f" {_STOP.split(' # '.join(gaps))[-1].strip()} "
    found = result.search(sentence)
    if found is None:
        return False
    if sentence.split()[-1] in word_class("lists.comes_to"):
        return True
    before = sentence[: found.start()].split()
    words = [each for each in before if each not in word_class("grammar.determiners")]
    is_last = "#" not in sentence[found.end() :]
    return is_last and bool(words) and words[-1] in word_class("lists.having") and _is_whole(found[0])


def _is_whole(phrase: str) -> bool:
    return not word_class("lists.total").isdisjoint(phrase.split())


def is_covered(phrases: frozenset[str], gaps: Sequence[str]) -> bool:
    """Whether these phrases and marks are all that stands between the values."""
    covering = any_phrase(phrases)
    return covering is not None and all(_MARKS.issuperset(covering.sub(" ", gap).split()) for gap in gaps)


def values_of(relation: ListRelation, asked: Worded) -> tuple[Value, ...] | None:
    """The values of a part of a question that are the elements of a relation with one list, counts folded in; None
    where not all of them are."""
    counted = _counted(relation, asked.mentions, asked.gaps, {})
    if counted is None or len(relation.roles) != 1:
        return None
    meant = {place: _Meant(relation.roles[0]) for place in range(len(asked.mentions)) if place not in counted.places}
    if any(not _accepted(one.role, asked.mentions[place]) for place, one in meant.items()):
        return None
    values = _valued(relation, asked, meant, counted.times) if counted.fits({"x": len(meant)}, fewest=1) else None
    return None if values is None else values[relation.roles[0].part]


def _count(phrases: frozenset[str], gaps: Sequence[str]) -> int:
    pattern = any_phrase(phrases)
    return 0 if pattern is None else sum(len(pattern.findall(gap)) for gap in gaps)


def _without_choosing(relation: ListRelation, gap: str) -> str:
    choosing = any_phrase(relation.heads.union(*relation.needs))
    assert choosing is not None
    return choosing.sub(lambda found: found[0] if found[0] in relation.heads else "§", gap)


def _read_by(
    guess: _Guess,
    relation: ListRelation,
    asked: Worded,
    told: Mapping[int, _Meant],
    counted: _Counted,
    *,
    has_remainder: bool,
) -> ReadRelation | Mismatch | None:
    kept = [place for place in range(len(asked.mentions)) if place not in counted.places]
    meant = _guessed(relation, asked.mentions, kept, told, guess)
    if meant is None:
        return None
    is_completed = not has_remainder and _is_completed(relation, asked, meant)
    are_alike = _are_alike(relation, asked, meant)
    years = _years_alike(relation, asked, meant)
    spread = _spread(relation, asked, meant) if not years else _sizes(relation, meant)
    grouped = spread or _grouped(
        relation, meant, has_remainder=has_remainder, is_completed=is_completed, are_alike=are_alike
    )
    if grouped is None or isinstance(grouped, Mismatch):
        return grouped if isinstance(grouped, Mismatch) else None
    if not counted.fits(grouped, fewest=1 if has_remainder else _FEWEST) or _are_named_twice(relation, asked, meant):
        return None
    at_once = (grouped["x"] - 1 if years else _count(relation.at_start, asked.gaps)) if spread else 0
    times = counted.times
    if spread:
        last = max((place for place, one in meant.items() if one.role.part == "x"), default=0)
        times = {**times, last: years or spread["t"] - spread["x"] + 1 + at_once}
    stated = _valued(relation, asked, meant, times)
    values = None if stated is None else _told_in_other_ways(relation, asked, stated, years, at_once)
    return None if values is None else ReadRelation(relation, values, has_remainder, is_completed, are_alike, at_once)


def _told_in_other_ways(
    relation: ListRelation, asked: Worded, stated: Mapping[str, tuple[Value, ...]], years: int, at_once: int
) -> Mapping[str, tuple[Value, ...]] | None:
    """The values with those that words tell: the times of what comes again each year, partners by names."""
    values = dict(stated)
    if years:
        (span,) = values["t"]
        values["t"] = tuple(replace(span, number=Fraction(year)) for year in range(1, years + 1))
        values["x"] = (*map(_paid, values["x"][:at_once]), *values["x"][at_once:])
    if relation.known:
        partners = _known_partners(relation, asked)
        if partners is None:
            return None
        values["y"] = partners
    return values


def _sizes(relation: ListRelation, meant: Mapping[int, _Meant]) -> Mapping[str, int]:
    """How many values each part has."""
    return {role.part: sum(one.role is role for one in meant.values()) for role in relation.roles}


def _years_alike(relation: ListRelation, asked: Worded, meant: Mapping[int, _Meant]) -> int:
    """For how many years the last element comes again at each end of one, where it is said so and what is paid at the
    start is stated: "$40 today, and $9 each year for 6 years"; 0 where it is not."""
    x, t, start = ([at for at, one in sorted(meant.items()) if one.role.part == part] for part in ("x", "t", "start"))
    due = x[-1:]
    if len(t) != 1 or len(x) + len(start) != len(("start", "yearly")) or t[0] != due[0] + 1:
        return 0
    said = f"{asked.gaps[due[0]]}{asked.mentions[due[0]].text} {asked.gaps[t[0]]}"
    is_at_once = bool(start) or _count(relation.at_start, asked.gaps[x[0] + 1 : x[0] + 2]) > 0
    years = asked.mentions[t[0]].value
    if not is_at_once or not isinstance(years, int) or not 1 < years <= _MOST_OF_A_KIND:
        return 0
    is_for = asked.gaps[t[0]].split()[-1:] == ["for"]
    return years if is_for and _count(relation.yearly, (f" {said} ",)) else 0


def _paid(value: Value) -> Value:
    """What is paid at the start, whatever sign it has."""
    return replace(value, number=-abs(value.number))


def _known_partners(relation: ListRelation, asked: Worded) -> tuple[Value, ...] | None:
    """The partners that belong to the names of the elements: "12 g of fat"; all names stand behind or all before."""
    names = any_phrase(frozenset(relation.known))
    assert names is not None
    behind = [re.match(rf" (?:of )?(?P<name>{_any_of(relation.known)}) ", gap) for gap in asked.gaps[1:]]
    before = [re.search(rf" (?P<name>{_any_of(relation.known)})(?: [:=])? $", gap) for gap in asked.gaps[:-1]]
    found = [each["name"] for each in (behind if all(behind) else before) if each is not None]
    said = sum(len(names.findall(gap)) for gap in asked.gaps)
    if len(found) != len(asked.mentions) or len(set(found)) != len(found) or said != len(found):
        return None
    mentions = [find_quantities(relation.known[name])[0] for name in found]
    return tuple(_value(each, each.units[0], 1, False, 1) for each in mentions)


def _any_of(phrases: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))


def _spread(relation: ListRelation, asked: Worded, meant: Mapping[int, _Meant]) -> Mapping[str, int] | None:
    """How many values each part has, where one falls due at once or is called an outlay, and those behind it at times
    that are stated: each at its own, or a single one, the same at all of them."""
    x, t, start = ([at for at, one in sorted(meant.items()) if one.role.part == part] for part in ("x", "t", "start"))
    now = [place for place in x[:1] if _count(relation.at_start, asked.gaps[place + 1 : place + 2])]
    if len(now) + len(start) != 1 or len(now) != _count(relation.at_start, asked.gaps):
        return None
    due = x[len(now) :]
    is_one = len(due) == 1 and len(t) >= _FEWEST and t[0] > due[0]
    in_turn = [at for both in zip(due, t, strict=False) for at in both]
    are_paired = len(due) == len(t) >= _FEWEST and sorted((*due, *t)) == in_turn
    sizes = {role.part: sum(one.role is role for one in meant.values()) for role in relation.roles}
    is_whole = all(size == 1 for part, size in sizes.items() if part not in ("x", "t", "start"))
    return sizes if is_whole and (is_one or are_paired) else None


def _is_completed(relation: ListRelation, asked: Worded, meant: Mapping[int, _Meant]) -> bool:
    """Whether the last element, alone of all, stands behind words for all other cases: its partner is what is left."""
    last = max(meant, default=0)
    said = [place for place, gap in enumerate(asked.gaps) if _count(relation.complement, (gap,))]
    own = " ".join(_STOP.sub(" , ", asked.gaps[-1]).partition(" , ")[0].split()[:_FEWEST])
    is_behind = said == [last + 1] and _count(relation.complement, (f" {own} ",)) > 0
    if last not in meant or meant[last].role.part != "x":
        return False
    return is_behind or (said == [last] and _is_beside(relation, asked.gaps[last]))


def _is_beside(relation: ListRelation, gap: str) -> bool:
    """Whether what stands between the words for all other cases and the value only says what the value is."""
    complement, heads = any_phrase(relation.complement), any_phrase(relation.heads)
    assert complement is not None
    assert heads is not None
    small = frozenset().union(*(word_class(f"grammar.{name}") for name in ("articles", "pronouns", "conjunctions")))
    return small.union(_MARKS).issuperset(heads.sub(" ", complement.split(gap)[-1]).split())


def _are_alike(relation: ListRelation, asked: Worded, meant: Mapping[int, _Meant]) -> bool:
    """Whether the elements are said to have equal partners, and there are as many as what they are of has sides."""
    sides = [int(many) for thing, many in relation.sides.items() if _count(frozenset((thing,)), asked.gaps)]
    only = all(one.role.part == "x" for one in meant.values()) and _only_counts(asked) is not None
    return only and _count(relation.alike, asked.gaps) > 0 and all(each == len(meant) for each in sides)


def _are_named_twice(relation: ListRelation, asked: Worded, meant: Mapping[int, _Meant]) -> bool:
    """Whether things are named in both of two lists, which may then have another order: "homework 20 %, final 80 %;
    final 70, homework 90"."""
    places = [place for place, one in sorted(meant.items()) if one.role.is_list]
    changes = [later for one, later in pairwise(places) if meant[one].role is not meant[later].role]
    pattern = any_phrase(relation.words)
    if len(changes) != 1 or pattern is None:
        return False
    # A new sentence behind all values asks, and names none of them.
    last = _STOP.split(asked.gaps[-1], maxsplit=1)[0]
    before, behind = asked.gaps[: changes[0]], (*asked.gaps[changes[0] + 1 : -1], f"{last} ")
    return not {word for gap in before for word in pattern.findall(gap)}.isdisjoint(
        word for gap in behind for word in pattern.findall(gap)
    )


def _accepted(role: Role, mention: Mention) -> tuple[Unit, ...]:
    """The units in which a value can be of a role; none where it cannot."""
    # A unit that was borrowed from the next value may not be meant: "0.2 and $1".
    units = [*mention.units, *([NO_UNIT] if not mention.units or mention.distributed else [])]
    named = _NAMED_UNITS.get(role.takes)
    if named is not None:
        return tuple(unit for unit in units if unit.text in named)
    if role.takes in ("any", "measured"):
        fits = (unit for unit in units if unit.text or role.takes == "any")
        return tuple(unit for unit in fits if not unit.text.endswith(_LEVEL))
    return tuple(unit for unit in units if _is_of(unit, role.takes))


def _is_of(unit: Unit, taken: str) -> bool:
    wanted = read_canonical_unit(taken)
    if wanted.dimension.is_dimensionless:
        return unit.text == wanted.text
    return unit.dimension == wanted.dimension


def _told(relation: ListRelation, mentions: Sequence[Mention], gaps: list[str]) -> dict[int, _Meant]:
    """The values of which a word says what they are; the word behind one is taken out of `gaps`."""
    heads = any_phrase(relation.heads)
    told: dict[int, _Meant] = {}
    if heads is None:
        return told
    for place, mention in enumerate(mentions):
        gap = gaps[place + 1]
        behind = heads.match(gap, 1)
        if behind is None:
            continue
        ends = place + 1 == len(mentions) and not gap[behind.end() :].strip()
        if not ends and _BEHIND_HEAD.match(gap, behind.end()) is None:
            continue
        meant = _meant_by(relation, behind[0], mention)
        if meant is not None:
            told[place] = meant
            gaps[place + 1] = gap[behind.end() :]
    for place, mention in enumerate(mentions):
        before = [*heads.finditer(gaps[place])]
        meant = _meant_by(relation, before[-1][0], mention) if before and place not in told else None
        if meant is not None:
            told[place] = meant
    return told


def _meant_by(relation: ListRelation, head: str, mention: Mention) -> _Meant | None:
    for role in relation.roles:
        if head in (*role.heads, *role.negative) and _accepted(role, mention):
            return _Meant(role, head in role.negative)
    return None


def _guessed(
    relation: ListRelation, mentions: Sequence[Mention], kept: Sequence[int], told: Mapping[int, _Meant], guess: _Guess
) -> dict[int, _Meant] | None:
    meant: dict[int, _Meant] = {}
    before: _Meant | None = None
    for place in kept:
        one = told.get(place) or _guess(relation, mentions[place], before, guess)
        if one is None:
            return None
        meant[place] = before = one
    return meant


def _guess(relation: ListRelation, mention: Mention, before: _Meant | None, guess: _Guess) -> _Meant | None:
    fits = [role for role in relation.roles if not role.is_headed and _accepted(role, mention)]
    if guess == "like_before" and before is not None and before.role.is_list and _accepted(before.role, mention):
        only = len(fits) == 1 and fits[0] is not before.role and before.role.takes == "any"
        if not only:
            return before
    if not fits:
        return None
    if guess == "by_percent" and any(unit.text == _PERCENT for unit in mention.units) and not mention.distributed:
        return _Meant(next((role for role in fits if role.sums), fits[0]))
    return _Meant(fits[0])


def _grouped(
    relation: ListRelation, meant: Mapping[int, _Meant], *, has_remainder: bool, is_completed: bool, are_alike: bool
) -> Mapping[str, int] | Mismatch | None:
    """How many values each part has, where they belong together; `x` and `y` in step or one list after the other."""
    parts = [meant[place].role.part for place in sorted(meant)]
    sizes = {role.part: parts.count(role.part) for role in relation.roles}
    if not all(are_alike or _may_have(role, sizes[role.part]) for role in relation.roles):
        return None
    lists = [role for role in relation.roles if role.is_list and sizes[role.part]]
    if sizes["x"] < _FEWEST and len(lists) > 1 and not has_remainder:
        return None
    if len(lists) < _FEWEST:
        return sizes
    order = [part for part in parts if part in {role.part for role in lists}]
    if is_completed:
        return sizes if _are_pairs(order[:-1]) else None
    return _side_by_side(lists, order, sizes)


def _side_by_side(
    lists: Sequence[Role], order: Sequence[str], sizes: Mapping[str, int]
) -> Mapping[str, int] | Mismatch | None:
    changes = sum(one != other for one, other in pairwise(order))
    is_blocks = changes == len(lists) - 1
    first, second = lists[0], lists[1]
    if sizes[first.part] == sizes[second.part] and (is_blocks or changes == len(order) - 1):
        return sizes
    if is_blocks and min(sizes[first.part], sizes[second.part]) >= _FEWEST:
        stated = [f"{sizes[role.part]} {role.name}" for role in (first, second)]
        return Mismatch(f"{listed(stated)} are stated, and each value needs its partner; state as many of both")
    return None


def _may_have(role: Role, size: int) -> bool:
    return (size <= 1 or role.is_list) and (size > 0 or role.is_optional)


def _are_pairs(order: Sequence[str]) -> bool:
    paired = zip(order[::2], order[1::2], strict=False)
    return bool(order) and len(order) % 2 == 0 and all(one != other for one, other in paired)


# Counts: "three 6 Ω resistors", "two of 8 Ω each", "three resistors of 4 Ω, 6 Ω and 12 Ω".


@dataclass(frozen=True, slots=True)
class _Counted:
    """The places of numbers that only count, how often each value is meant, and the sizes that were named."""

    places: frozenset[int]
    times: Mapping[int, int]
    named: tuple[int, ...] = ()

    def fits(self, sizes: Mapping[str, int], *, fewest: int) -> bool:
        """Whether as many values are stated as the words say."""
        whole = sizes["x"] + sizes.get("start", 0) + sum(times - 1 for times in self.times.values())
        return whole >= fewest and all(each == whole for each in self.named)


def _counted(
    relation: ListRelation, mentions: Sequence[Mention], gaps: Sequence[str], told: Mapping[int, _Meant]
) -> _Counted | None:
    yearly = any_phrase(relation.yearly)
    gaps = gaps if yearly is None else [yearly.sub(" ", gap) for gap in gaps]
    is_single = len(relation.roles) == 1
    counts = [place for place in range(len(mentions)) if _is_count(relation, mentions, gaps, told, place)]
    times: dict[int, int] = {}
    named: list[int] = []
    for count, end in pairwise((*counts, len(mentions))):
        number = int(mentions[count].value)
        values = range(count + 1, end)
        is_beside = bool(values) and not gaps[count + 1].strip()
        is_each = any(_says_each(gap) for gap in gaps[count + 1 : end + 1])
        if is_single and (is_beside or (len(values) == 1 and (number > 1 or is_each))):
            times[count + 1] = number
        elif not values or (len(values) == number and not is_each) or not is_single:
            named.append(number)
        else:
            return None
    if any(_says_each(gap) for gap in gaps) and not times:
        return None
    return _Counted(frozenset(counts), times, tuple(named))


def _beside_counts(relation: ListRelation, asked: Worded) -> _Counted | None:
    """The same of values that count themselves: numbers beside the one list of them say how many they are or their
    total. Where a total is spoken of, it must be among them, or else there is a count for each side of the thing."""
    only = _only_counts(asked)
    sides = [int(many) for thing, many in relation.sides.items() if _count(frozenset((thing,)), asked.gaps)]
    if only is None:
        return None if _count(relation.of_all, asked.gaps) else _Counted(frozenset(), {})
    found, totals = only
    is_whole = bool(totals) or (bool(sides) and all(each == len(found) for each in sides))
    if not is_whole and _count(relation.of_all, asked.gaps):
        return None
    return _Counted(frozenset(place for place in range(len(asked.mentions)) if place not in found), {})


def _says_each(gap: str) -> bool:
    said = word_class("lists.each")
    # "To each other" counts nothing.
    return any(word in said and behind not in ("other", "another") for word, behind in pairwise([*gap.split(), ""]))


def _is_count(
    relation: ListRelation, mentions: Sequence[Mention], gaps: Sequence[str], told: Mapping[int, _Meant], place: int
) -> bool:
    mention = mentions[place]
    if mention.units or mention.symbol or not isinstance(mention.value, int) or place in told:
        return False
    if not 1 <= mention.value <= _MOST_OF_A_KIND:
        return False
    if not any(_accepted(role, mention) for role in relation.roles):
        return True
    # Where values are bare numbers themselves, a count stands before its noun and outside of any list.
    joints = gaps[place].split()
    is_listed = place > 0 and bool(joints) and all(each in (",", ";", "and") for each in joints)
    return mention.kind == "count" and not is_listed


# The values as they are computed with.


def _valued(
    relation: ListRelation, asked: Worded, meant: Mapping[int, _Meant], times: Mapping[int, int]
) -> Mapping[str, tuple[Value, ...]] | None:
    values: dict[str, tuple[Value, ...]] = {}
    for role in relation.roles:
        places = [place for place, one in sorted(meant.items()) if one.role is role]
        mentions = [asked.mentions[place] for place in places]
        units = [_unit_in(role, mention, mentions) for mention in mentions]
        texts = {unit.text for unit in units}
        if len({unit.dimension for unit in units}) > 1:
            return None
        if len(texts) > 1 and ("" in texts or any(unit.is_absolute_temperature for unit in units)):
            return None
        values[role.part] = tuple(
            _value(asked.mentions[place], unit, asked.signs[place], meant[place].is_negative, times.get(place, 1))
            for place, unit in zip(places, units, strict=True)
        )
    return values


def _unit_in(role: Role, mention: Mention, others: Sequence[Mention]) -> Unit:
    """The unit of a value; a borrowed one only where another value of its list has it of its own."""
    units = _accepted(role, mention)
    if not mention.distributed:
        return units[0]
    own = [each.units[0].dimension if each.units else NO_UNIT.dimension for each in others if not each.distributed]
    return next((unit for unit in units if unit.dimension in own), units[0])


def _value(mention: Mention, unit: Unit, sign: int, is_negative: bool, times: int) -> Value:
    number = Fraction(mention.value) if isinstance(mention.value, int) else exact_fraction(mention.value)
    number *= sign
    if is_negative:
        number = -abs(number)
    written = mention.text.lstrip("+")
    text = written if not mention.distributed else f"{written} {unit.text}".strip()
    is_signed = number < 0 <= mention.value
    whole = isinstance(mention.value, int)
    return Value(f"−{text}" if is_signed else text, number, unit, mention.significant_figures, whole, times)
