"""A question against one relation between named values: which value is what, or that not all of it is understood.

A value is told by the phrase right before or right behind it or by its symbol ("mean 50", "95 % confidence", "n = 49"),
by standing beside a value of the same kind ("means 75 and 70"), or by being the only one left for the only role that
may go without a name. Computes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.quantities import Mention
from mathrag.language.quantities.numbers import ORDINAL_POWERS
from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.labelled.rows import Relation, Role, beginning_with, ending_with
from mathrag.reason.direct.listed.reading import Value, Worded, is_covered, is_openly_asked
from mathrag.reason.direct.listed.rows import any_phrase, normal_phrase
from mathrag.reason.direct.result import exact_fraction
from mathrag.types.quantity import NO_UNIT, Unit

_PLAIN_NAMES: Mapping[str, str] = {"number": "", "percent": "percent", "money": "USD"}
# "The first term", "the first success" are names.
_ORDINALS = sorted(word for word, number in ORDINAL_POWERS.items() if number > 1)
_ORDINAL = re.compile(
    rf"\b(?:(?P<digits>[0-9]{{1,6}})(?:st|nd|rd|th)|(?P<word>{'|'.join(_ORDINALS)}))"
    rf"(?= (?:{any_of('figures.ordered')})\b)",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    rf"\b(?P<lead>in|during|within) (?:an?|any|the next) (?P<unit>{any_of('questions.spans_of_time')})\b", re.IGNORECASE
)
_PROBABILITY = re.compile(r"\bP ?\( ?(?P<letter>[XZ])\b")
_TIME = re.compile(r"\bP ?\( ?[TY](?= ?[<>≤≥=])")
# "P(1 < X < 3)": between the two, whatever of them counts itself only where both do.
# "The probability that one lasts longer": one of them, which is no count.
_ONE = re.compile(rf"\b(?P<lead>that|probability|chance) one (?={any_of('figures.of_one')}\b)", re.IGNORECASE)
_SIGN, _BOUND = "(?:<=|≤|<)", r"[-−]?[0-9.]+(?: ?[a-z%]+)?"
_WITHIN = re.compile(
    rf"\bP ?\( ?(?P<low>{_BOUND}) ?(?P<one>{_SIGN}) ?(?P<letter>[XZTY]) ?(?P<other>{_SIGN}) ?(?P<high>{_BOUND}) ?\)"
)
_SPELLED = re.compile(rf"\b(?:{any_of('figures.spellings')})\b", re.IGNORECASE)
# A letter for what is asked about says no more than the words before it: "to the right of z = 1.5".
_VARIABLES = frozenset("xXzZ")
_BESIDE = frozenset((" and ", " , ", " , and ", " or ", " to ", " by ", " x "))
_CLAUSE = re.compile(r" [.?!;:,] ")
_FIRST_WORD = re.compile(r" (?P<word>[a-z][a-z'-]*)(?= )")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A value with the place it has among the values of its question."""

    value: Value
    place: int


@dataclass(frozen=True, slots=True)
class ReadRelation:
    """A relation with its values by role, the flags that were raised, the words between all values, and the unit that
    is asked for."""

    relation: Relation
    values: Mapping[str, tuple[Labelled, ...]]
    flags: frozenset[str]
    gaps: tuple[str, ...]
    wanted: tuple[Unit, ...] = ()


def spelled(text: str) -> str:
    """The question with ordinals as numbers ("the 12th term": "the nth 12 term"), periods counted and expressions of
    several words joined."""
    known = word_pairs("figures.spellings")
    text = _TIME.sub("P(X ", _WITHIN.sub(_range_in_words, text))
    joined = _SPELLED.sub(
        lambda found: known[found[0].lower()], _PROBABILITY.sub(r"probability that \g<letter> ", text)
    )
    for sign, words in word_pairs("figures.signs").items():
        joined = joined.replace(sign, f" {words} ")
    joined = _ONE.sub(r"\g<lead> it ", joined)
    counted = _PERIOD.sub(lambda found: f"{found['lead']} 1 {found['unit']}", joined)
    return _ORDINAL.sub(lambda found: f"nth {found['digits'] or int(ORDINAL_POWERS[found['word'].lower()])}", counted)


def _range_in_words(found: re.Match[str]) -> str:
    """A range of a variable; a probability of Z is one of the standard normal distribution."""
    is_strict = "<" in (found["one"], found["other"])
    letter = "Z" if found["letter"] == "Z" else "X"
    between = "strictly between" if is_strict else "between"
    return f"probability that {letter} is {between} {found['low']} and {found['high']}"


def read_relation(relation: Relation, asked: Worded) -> ReadRelation | None:
    """The relation with its values; None where the question is about something else or says more."""
    said = (*asked.gaps, *(f" {each.symbol.casefold()} " for each in asked.mentions if each.symbol))
    if any(not _is_said(group, said) for group in relation.needs) or _is_said(relation.without, asked.gaps):
        return None
    meant = _meant(relation, asked)
    if meant is None or not _says_no_more(relation, asked, _left_over(asked, meant)):
        return None
    for role in relation.roles:
        count = sum(each.role is role for each in meant)
        if count > role.many or (not count and not role.is_optional):
            return None
    values: dict[str, tuple[Labelled, ...]] = {}
    for role in relation.roles:
        own = [place for place, each in enumerate(meant) if each.role is role]
        values[role.part] = tuple(Labelled(_value(role, asked, place), place) for place in own)
    flags = frozenset(flag for flag, phrases in relation.flags.items() if _is_said(phrases, asked.gaps))
    return ReadRelation(relation, values, flags, asked.gaps, asked.wanted)


def is_beyond(relation: Relation, asked: Worded) -> bool:
    """Whether a guarded relation is asked for together with what it does not know."""
    is_named = relation.is_guarded and all(_is_said(group, asked.gaps) for group in relation.needs)
    return is_named and _is_said(relation.without, asked.gaps)


def _says_no_more(relation: Relation, asked: Worded, left: list[str]) -> bool:
    if is_covered(relation.covered, left):
        return True
    is_open = _is_said(relation.opened_by, asked.gaps)
    if not is_open or not is_openly_asked(relation.needs[0], relation.named, asked, left):
        return False
    return not relation.is_of_told_event or _is_told_event(relation, asked)


def _is_told_event(relation: Relation, asked: Worded) -> bool:
    """Whether what is asked of has been told in the same words: of the faulty ones, where so many are faulty, and not
    of the good ones."""
    clauses = _CLAUSE.split(" # ".join(asked.gaps))
    name = any_phrase(relation.needs[0])
    assert name is not None
    asks = [" ".join(_behind(name, clause)) for clause in clauses if name.search(f" {clause} ")]
    told = {
        stem for clause in clauses if not name.search(f" {clause} ") for word in clause.split() for stem in stems(word)
    }
    told |= {stem for clause in clauses for word in _before(name, clause) for stem in stems(word)}
    words = {word for clause in asks for word in clause.split() if word.isalpha() and word not in _small_words()}
    return all(not told.isdisjoint(stems(word)) for word in words)


@cache
def _small_words() -> frozenset[str]:
    """Words that name no event, in the spelling of comparison."""
    classes = (f"grammar.{name}" for name in ("determiners", "auxiliaries", "prepositions", "conjunctions", "pronouns"))
    bounds = (f"figures.{name}" for name in ("exactly", "at_least", "at_least_behind", "at_most", "at_most_behind"))
    other = ("figures.between", "lists.fillers", "figures.counts")
    phrases = (phrase for name in (*classes, *bounds, *other) for phrase in word_class(name))
    return frozenset(word for phrase in phrases for word in normal_phrase(phrase).split()) | {"none", "that", "than"}


def _behind(name: re.Pattern[str], clause: str) -> list[str]:
    (*_, last) = name.finditer(f" {clause} ")
    return f" {clause} "[last.end() :].split()


def _before(name: re.Pattern[str], clause: str) -> list[str]:
    found = name.search(f" {clause} ")
    return [] if found is None else f" {clause} "[: found.start()].split()


@dataclass(frozen=True, slots=True)
class _Meant:
    """The role of a value, and where in the words before or behind it the phrase stands that says so."""

    role: Role
    before: tuple[int, int] | None = None
    behind: tuple[int, int] | None = None


def _is_said(phrases: frozenset[str], gaps: tuple[str, ...]) -> bool:
    pattern = any_phrase(phrases)
    return pattern is not None and any(pattern.search(gap) for gap in gaps)


def _meant(relation: Relation, asked: Worded) -> list[_Meant] | None:
    """What each value is; None where one is told twice or not at all."""
    meant: list[_Meant | None] = []
    for place in range(len(asked.mentions)):
        one = _named(relation, asked, place)
        last = meant[-1] if meant else None
        if one is None and last is not None and last.role.many > 1 and asked.gaps[place] in _BESIDE:
            one = _Meant(last.role) if accepted(last.role, asked.mentions[place]) else None
        meant.append(one)
    for place, one in enumerate(meant):
        if one is None:
            taken = {each.role.part for each in meant if each is not None}
            free = [each for each in relation.roles if each.is_open and each.part not in taken]
            fits = [each for each in free if accepted(each, asked.mentions[place])]
            if len(fits) != 1:
                return None
            meant[place] = _Meant(fits[0])
    return [each for each in meant if each is not None]


def _named(relation: Relation, asked: Worded, place: int) -> _Meant | None:
    """The role that the symbol or the words beside a value name, longer phrases and those before it first."""
    mention = asked.mentions[place]
    fits = [role for role in relation.roles if accepted(role, mention)]
    symbol = next((role for role in fits if mention.symbol in role.symbols), None) if mention.symbol else None
    if mention.symbol and (symbol is not None or mention.symbol not in _VARIABLES):
        return None if symbol is None else _Meant(symbol)
    before = ending_with(tuple(phrase for role in fits for phrase in role.before)).search(asked.gaps[place])
    if before is not None:
        role = next(role for role in fits if before["head"] in role.before)
        return _Meant(role, before=before.span("head"))
    behind = beginning_with(tuple(phrase for role in fits for phrase in role.behind)).match(asked.gaps[place + 1])
    if behind is not None:
        role = next(role for role in fits if behind["head"] in role.behind)
        return _Meant(role, behind=behind.span("head"))
    return None


def _left_over(asked: Worded, meant: list[_Meant]) -> list[str]:
    """The words between values without those that name them: a name without its value would be what is asked for. A
    noun right behind a number of things may be any."""
    gaps = list(asked.gaps)
    for place, one in enumerate(meant):
        if one.before is not None:
            start, end = one.before
            gaps[place] = f"{gaps[place][:start]}{gaps[place][end:]}"
    for place, one in enumerate(meant):
        behind = gaps[place + 1]
        noun = _FIRST_WORD.match(behind)
        own = beginning_with(one.role.behind).match(behind)
        if own is not None:
            gaps[place + 1] = behind[own.end() :]
        elif one.role.is_count and noun is not None and noun["word"] not in word_class("figures.unsure"):
            gaps[place + 1] = behind[noun.end() :]
    return gaps


def accepted(role: Role, mention: Mention) -> Unit | None:
    """The unit in which a value can be of a role; None where it cannot."""
    units = [*mention.units, *([NO_UNIT] if not mention.units or mention.distributed else [])]
    if "share" in role.bounds and not mention.units and mention.value > 1:
        return None
    for takes in role.takes:
        for unit in units:
            if takes == "any" or (takes in _PLAIN_NAMES and unit.text == _PLAIN_NAMES[takes]):
                return unit
            if takes not in _PLAIN_NAMES and takes != "any" and unit.text and _is_like(unit, takes):
                return unit
    return None


def _is_like(unit: Unit, takes: str) -> bool:
    if takes.startswith("percent"):
        return unit.text.startswith("percent") and unit.dimension == read_canonical_unit(takes).dimension
    wanted = read_canonical_unit(takes)
    return unit.dimension == wanted.dimension and (not wanted.dimension.is_dimensionless or unit.text == wanted.text)


def _value(role: Role, asked: Worded, place: int) -> Value:
    mention = asked.mentions[place]
    unit = accepted(role, mention)
    assert unit is not None
    number = Fraction(mention.value) if isinstance(mention.value, int) else exact_fraction(mention.value)
    is_whole = isinstance(mention.value, int)
    return Value(mention.text, number * asked.signs[place], unit, mention.significant_figures, is_whole)
