"""Chances by counting cases: what is drawn from an urn or a deck of cards, the sum of dice. Exact.

Strict: what is in the urn, how many are drawn, what is asked of them, and nothing else. What is drawn is taken not to
be put back unless the question says so, and that is told.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from mathrag.compute.distributions import binomial_exactly, hypergeometric_exactly
from mathrag.knowledge.spelling import normal_words
from mathrag.language.quantities.numbers import ONES
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.open_words import change_nothing, denies
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectResult, result_by_steps
from mathrag.types.answer import Provenance
from mathrag.types.quantity import Quantity

_LONGEST = 300
_FIGURES = 6
_MOST_THINGS, _MOST_DICE = 100_000, 8
_SMALL = {word: int(value) for word, value in ONES.items() if 1 <= value <= 20}
_N = rf"(?:[0-9]{{1,5}}|{'|'.join(sorted(_SMALL, key=len, reverse=True))})"
_ASKS = re.compile(rf"\b(?:{any_of('figures.chance')})\b")
_ONE_KIND = rf"{_N} [a-z]+(?: (?:balls?|marbles?|beads?|chips?|socks?|candies|pens?|pencils?))?"
_CONTENTS = re.compile(rf"{_ONE_KIND}(?:(?:, and |, | and ){_ONE_KIND})+")
_KIND = re.compile(rf"(?P<count>{_N}) (?P<kind>[a-z]+)")
# A whole and the part of it that is told of: "20 eggs, of which 5 are cracked", "15 bulbs, 4 defective", "9 apples,
# 2 of them rotten". Two numbers side by side are a part of a whole only where words say so.
_THESE = r"(?:them|these|those|which|whom)"
_INSIDE = r"(?: (?:in|on|inside) (?:an?|the) [a-z]+)?"
_PART = re.compile(
    rf"\b(?P<whole>{_N}) (?P<things>[a-z]+){_INSIDE}(?:"
    rf"(?:[,;]? (?:and )?(?:of {_THESE}|includ(?:es?|ing)|contain(?:s|ing)?|has|have|holds?) (?:exactly )?(?P<n1>{_N})"
    rf"|[,.;:]? (?:and )?(?P<n2>{_N}) of {_THESE})(?: (?:are|is|were|being))? (?P<kind>[a-z]+)"
    rf"|(?:[,.;:]| with|,? of {_THESE}) \(?(?P<n3>{_N})(?: (?:are|is|were|being))? (?P<flaw>{any_of('figures.flaws')}))"
    r"(?: (?:ones?|(?P=things)|items?))?(?![\w-])"
)
_DECK = re.compile(rf"\b(?:{any_of('figures.deck')})\b")
_DRAWN = re.compile(
    rf"\b(?:(?:draw|drawing|pick|picking|choose|choosing|select|selecting|take|taking|pull|pulling)s? "
    rf"(?P<n1>{_N})(?= (?:balls?|marbles?|cards?|socks?|chips?|beads?|of them|without|with|from|at)\b| *(?:[,.;:!?]|$))"
    rf"|(?P<n2>{_N}) (?:(?:of (?:them|these)|(?P<what>(?!of|more|other|less|fewer)[a-z]+)) )?(?:(?:are|is|were) )?"
    r"(?:(?:randomly|then) )?(?:drawn|picked|chosen|selected|taken|dealt|inspected|tested|sampled|grabbed))\b"
)
_REPLACED = {True: any_of("figures.put_back"), False: any_of("figures.kept_out")}
_CARD = re.compile(rf"\b(?:{any_of('figures.card_names')})s?\b")
_IN_TURN = re.compile(rf"\b(?:{any_of('figures.in_turn')})\b")
# Between a number and the kind: "2 of the eggs are cracked", "1 bulb is faulty".
_BE = r"(?:is|are|was|were|being)"
_ARE = rf"(?:(?:of (?:them|these|those|the [a-z]+)|[a-z]+(?= {_BE}\b)) )?(?:{_BE} )?"
_NOUNS = r"(?: (?:balls?|marbles?|cards?|socks?|chips?|beads?|ones?))?"
_WORD = re.compile(r"[a-z0-9'-]+")
_WORDS = re.compile(r"[^ .,;:?!()–—]+")
_BEHIND = {
    **dict.fromkeys(("more", "higher", "greater"), "at least"),
    **dict.fromkeys(("less", "fewer", "lower"), "at most"),
}
_NOT_BACK = "what is drawn is taken not to be put back"


@dataclass(frozen=True, slots=True)
class _Urn:
    """What can be drawn: how many there are of each kind, and of all."""

    kinds: Mapping[str, int]
    whole: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Event:
    """What is asked: so many of a kind, from `low` to `high`; all that are drawn where `high` is None."""

    kind: str
    low: int | None
    high: int | None
    said: str


def answer_chances(text: str) -> AlgebraOutcome:
    """The probability of a draw or a throw, or why it has none; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = re.sub(r"\bp ?\(", "probability (", without_ending(tidy(text)).lower())
    found = _of_dice(asked) or _of_birthdays(asked) or (_of_drawing(asked) if _ASKS.search(asked) is not None else None)
    if isinstance(found, DirectResult):
        return replace(found, provenance=(Provenance("question", tidy(text)),))
    return found


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else _SMALL[text]


# Urns and decks.


def _of_drawing(asked: str) -> AlgebraOutcome:
    urn, rest = _urn(asked)
    if urn is None:
        return None
    is_back, rest = _replacing(rest)
    drawn = next((each for each in _DRAWN.finditer(rest) if each["what"] not in urn.kinds), None)
    count = _number(drawn["n1"] or drawn["n2"]) if drawn else None
    without = rest[: drawn.start()] + " " + rest[drawn.end() :] if drawn else rest
    several = _of_two_kinds(without, urn, count, is_back=is_back)
    if several is not None:
        return several
    event, left = _event(without, urn)
    if event is None or not _is_idle(left):
        return None
    if drawn is None and not event.said.startswith("at"):
        count = event.high if event.low is None else event.low
    if not count or ("both" in without and count != len(("one", "other"))):
        return None
    low = count if event.low is None else event.low
    high = count if event.high is None or event.low is None else min(event.high, count)
    return _told(urn, event, count, range(low, high + 1), is_back)


def _urn(asked: str) -> tuple[_Urn | None, str]:
    deck = _DECK.search(asked)
    part = _part(asked) if deck is None else None
    if part is not None:
        return part
    contents = _CONTENTS.search(asked)
    if deck is not None and contents is not None:
        return None, asked
    if contents is None:
        kinds = {kind: int(count) for kind, count in word_pairs("figures.cards").items()}
        if deck is not None:
            return _Urn(kinds, 52), asked[: deck.start()] + " " + asked[deck.end() :]
        is_of_cards = _CARD.search(asked) is not None
        return (_Urn(kinds, 52, "the cards are taken to be a deck of 52") if is_of_cards else None), asked
    told = [(each["kind"], _number(each["count"])) for each in _KIND.finditer(contents[0])]
    kinds, whole = dict(told), sum(count for _, count in told)
    if told[0][0].endswith("s") and not any(kind.endswith("s") for kind, _ in told[1:]):
        # "10 marbles, 3 green and 2 blue" names a whole first; "9 apples and 2 rotten" may.
        whole = kinds.pop(told[0][0])
        if "," not in contents[0].partition(told[0][0])[2][:1] or sum(kinds.values()) > whole:
            return None, asked
    if len(dict(told)) != len(told) or not 0 < whole <= _MOST_THINGS:
        return None, asked
    return _Urn(kinds, whole), asked[: contents.start()] + " " + asked[contents.end() :]


def _part(asked: str) -> tuple[_Urn, str] | None:
    """An urn of which the whole and one part are told, the first such words of the question."""
    found = _PART.search(asked)
    if found is None:
        return None
    whole, special = _number(found["whole"]), _number(found["n1"] or found["n2"] or found["n3"])
    kind = found["kind"] or found["flaw"]
    if (
        not 0 < special < whole <= _MOST_THINGS
        or kind == found["things"]
        or kind in word_class("figures.drawing_words")
    ):
        return None
    return _Urn({kind: special}, whole), f"{asked[: found.start()]} {asked[found.end() :]}"


def _replacing(rest: str) -> tuple[bool | None, str]:
    said = {is_back: re.search(rf"\b(?:{phrases})\b", rest) for is_back, phrases in _REPLACED.items()}
    found = [is_back for is_back, match in said.items() if match is not None]
    for match in said.values():
        rest = rest.replace(match[0], " ") if match is not None else rest
    return (found[0] if len(found) == 1 else None), _IN_TURN.sub(" ", rest)


def _event(rest: str, urn: _Urn) -> tuple[_Event | None, str]:
    """The one thing that is asked of what is drawn, and the words without it."""
    kinds = "|".join(sorted(map(re.escape, urn.kinds), key=len, reverse=True))
    kind = rf"(?P<kind>{kinds})(?:s|es)?{_NOUNS}"
    forms: tuple[tuple[str, Callable[[int], tuple[int | None, int | None, str]]], ...] = (
        (rf"\b(?:{any_of('figures.both_of')}) {kind}\b", lambda _: (None, None, "all")),
        (rf"\bat least (?P<k>{_N}) {_ARE}{kind}\b", lambda k: (k, 10**6, f"at least {k}")),
        (rf"\bat most (?P<k>{_N}) {_ARE}{kind}\b", lambda k: (0, k, f"at most {k}")),
        (rf"\bexactly (?P<k>{_N}) {_ARE}{kind}\b", lambda k: (k, k, f"exactly {k}")),
        (rf"\b(?:no |none {_ARE}|neither is ){kind}\b", lambda _: (0, 0, "no")),
        (rf"\b(?P<k>{_N}) {kind}\b", lambda k: (k, k, str(k))),
        (rf"\b(?:an?|is|it is) {kind}\b", lambda _: (1, 1, "one")),
    )
    for form, made in forms:
        found = re.search(form, rest)
        if found is not None:
            number = found.groupdict().get("k")
            low, high, said = made(_number(number) if number else 0)
            left = rest[: found.start()] + " " + rest[found.end() :]
            if re.search(rf"\b(?:{kinds})(?:s|es)?\b", left):
                return None, rest
            return _Event(found["kind"], low, high, said), left
    return None, rest


def _of_two_kinds(rest: str, urn: _Urn, drawn: int | None, *, is_back: bool | None) -> AlgebraOutcome:
    """So many of one kind and the rest of another: "one red and one blue"."""
    kinds = "|".join(sorted(map(re.escape, urn.kinds), key=len, reverse=True))
    one = rf"(?P<k1>{_N}) (?:of them )?(?:(?:is|are) )?(?P<kind1>{kinds})(?:s|es)?{_NOUNS}"
    other = one.replace("k1", "k2").replace("kind1", "kind2")
    found = re.search(rf"\b{one},? and (?:the other )?{other}\b", rest)
    if found is None or found["kind1"] == found["kind2"] or sum(urn.kinds.values()) != urn.whole:
        return None
    k1, k2 = _number(found["k1"]), _number(found["k2"])
    first, second = urn.kinds[found["kind1"]], urn.kinds[found["kind2"]]
    if (drawn or k1 + k2) != k1 + k2 or is_back or not _is_idle(rest[: found.start()] + " " + rest[found.end() :]):
        return None
    value = Fraction(math.comb(first, k1) * math.comb(second, k2), math.comb(urn.whole, k1 + k2))
    line = f"C({first}, {k1}) × C({second}, {k2}) / C({urn.whole}, {k1 + k2})"
    return _exact(value, (line,), () if is_back is False else (_NOT_BACK,))


def _is_idle(left: str) -> bool:
    for phrase in sorted(word_class("figures.drawing_words"), key=len, reverse=True):
        if " " in phrase:
            left = left.replace(phrase, " ")
    left = " ".join(word for word in _WORD.findall(left) if word not in word_class("figures.drawing_words"))
    return _says_no_more(left) and word_class("open_words.of_chances").isdisjoint(left.split())


def _told(urn: _Urn, event: _Event, drawn: int, wanted: range, is_back: bool | None) -> AlgebraOutcome:
    special, whole = urn.kinds[event.kind], urn.whole
    if not is_back and drawn > whole:
        return DirectFailure("domain", f"{drawn} cannot be drawn from {whole} without putting back", "number_theory")
    if drawn > 1000:
        return None
    if is_back or drawn == 1:
        share = Fraction(special, whole)
        value = sum((binomial_exactly(each, drawn, share) for each in wanted), Fraction(0))
        power = f"({special}/{whole})^k × ({whole - special}/{whole})^({drawn} − k)"
        line = f"{special}/{whole}" if drawn == 1 else f"the sum of C({drawn}, k) × {power}"
    else:
        value = sum((hypergeometric_exactly(each, drawn, special, whole) for each in wanted), Fraction(0))
        line = f"the sum of C({special}, k) × C({whole - special}, {drawn} − k) / C({whole}, {drawn})"
    if drawn > 1:
        line += f" for k = {wanted[0]}" if len(wanted) == 1 else f" for k from {wanted[0]} to {wanted[-1]}"
        line = line.removeprefix("the sum of ") if len(wanted) == 1 else line
    rule = f"{special} of {whole} are of the kind {event.kind}; {drawn} drawn, {event.said} of this kind"
    notes = ((urn.note,) if urn.note else ()) + ((_NOT_BACK,) if is_back is None and drawn > 1 else ())
    return _exact(value, (rule, line), notes)


# Birthdays.

_DAYS_IN_A_YEAR, _MOST_PEOPLE = 365, 2_000
_THEM = r"(?: (?:of (?:them|us|you)|people|persons|students|pupils|children|members|guests))?"
_SAME = (
    r"(?: will| would| must)? (?:shares?|sharing|ha(?:ve|s|ving)) (?:a|the same|their|one) birthdays?"
    r"(?! with (?!each|one))"
)
_SHARED = re.compile(
    rf"\b(?:(?:at least (?:two|2)|any two|some|a pair|(?:two|2)(?:{_THEM} or more)?){_THEM}{_SAME}"
    r"|(?:a|any) (?:shared|common|matching) birthdays?|(?:a )?birthdays? (?:match|coincidence)"
    r"|birthday (?:problem|paradox)(?:.* (?:a|any) (?:match|coincidence))?)\b"
)
# "Two of 23 people" is two of them, among 23.
_OF_SO_MANY = re.compile(
    rf"(?P<before>.*\b(?:two|2)(?: or more)?) of (?:the |a group of )?"
    rf"(?P<n>{_N}(?: (?!ha|share)[a-z]+)?)(?= (?:ha|share))"
)
_HOW_MANY_PEOPLE = r"\bhow many (?:people|persons|students|guests)\b"
_LEAST_SHARE = re.compile(
    rf"{_HOW_MANY_PEOPLE}.*?\b(?:at least |more than |over |a )*(?P<percent>[0-9]{{1,2}})(?: ?%| percent)"
)
_UNLIKE = re.compile(
    rf"\b(?:(?:no (?:two|2|one|pair)|nobody){_THEM}{_SAME}|all the birthdays are different"
    rf"|(?:all|everyone|everybody){_THEM} ha(?:ve|s|ving) (?:a )?(?:different|distinct) birthdays?)\b"
)
_PEOPLE = re.compile(
    rf"\b(?P<n>{_N})(?= (?:[a-z-]+ ){{0,2}}?"
    r"(?:people|persons|students|pupils|children|kids|members|guests|players|employees|friends)\b)"
    rf"|\b(?:class|group|room|team|party|office|crowd) (?:of|with) (?P<of>{_N})\b"
)
_BY_NAME = re.compile(rf"\bbirthday (?:problem|paradox)\b|{_HOW_MANY_PEOPLE}")
_EQUAL_DAYS = "all 365 days are taken to be equally likely, the birthdays independent"
_YEAR = re.compile(r"\b(?:in a year (?:of|with) )?365(?: |-)days?(?: (?:in|per) (?:a|the|one) year| years?)?\b")


def _of_birthdays(asked: str) -> AlgebraOutcome:
    """The chance that birthdays coincide, or that none do, among so many people; leap days are left out."""
    if "birth" not in asked or (_ASKS.search(asked) is None and _BY_NAME.search(asked) is None):
        return None
    asked = _OF_SO_MANY.sub(r"among \g<n> \g<before> of them", asked)
    is_unlike = _UNLIKE.search(asked) is not None
    rest, events = (_UNLIKE if is_unlike else _SHARED).subn(" ", _YEAR.sub(" ", asked))
    people, least = list(_PEOPLE.finditer(rest)), _LEAST_SHARE.search(rest)
    is_any_day = word_class("figures.of_certain_days").isdisjoint(_WORD.findall(rest))
    left = _PEOPLE.sub(" ", _LEAST_SHARE.sub(" ", rest))
    if events != 1 or not is_any_day or not _says_no_more(left):
        return None
    if least is not None and not people and not is_unlike:
        return _people_for(int(least["percent"]))
    if least is not None or len(people) != 1:
        return None
    many = _number(people[0]["n"] or people[0]["of"])
    if not 2 <= many <= _MOST_PEOPLE:
        return None
    unlike = Fraction(math.perm(_DAYS_IN_A_YEAR, many), _DAYS_IN_A_YEAR**many)
    line = f"365 × 364 × … × {_DAYS_IN_A_YEAR - many + 1} / 365^{many} that all differ"
    return _exact(unlike if is_unlike else 1 - unlike, (line if is_unlike else f"1 − {line}",), (_EQUAL_DAYS,))


def _people_for(percent: int) -> AlgebraOutcome:
    """The fewest people of whom two share a birthday with this chance."""
    many, unlike = 1, Fraction(1)
    while 100 * (1 - unlike) < percent:
        unlike *= Fraction(_DAYS_IN_A_YEAR - many, _DAYS_IN_A_YEAR)
        many += 1
    line = f"1 − 365 × 364 × … × {_DAYS_IN_A_YEAR - many + 1} / 365^{many} is the first chance of at least {percent} %"
    return _exact(Fraction(many), (line,), (_EQUAL_DAYS,), name="number of people")


# Dice.

_IDLE = rf"(?:(?:{any_of('figures.throwing')}|{any_of('figures.chance')}) )*"
_RANGE = "at least |at most |more than |greater than |less than |fewer than |exactly "
_DIE = r"(?:(?:fair|six-sided|standard|ordinary) )*(?:dice|die)(?: (?:are|is|thrown|rolled))*"
_SUM = re.compile(
    r"\b(?:(?:sum|total)s?(?: of| is| being| equal to| that is| equals| to)?|(?:add|adds|adding) (?:up )?to|comes? to) "
    rf"(?P<range>{_RANGE})?(?P<k>{_N})(?P<behind> or (?:more|higher|greater|less|fewer|lower))?(?![\w.,]*[0-9])\b"
)
_DICE = re.compile(
    rf"\b(?:a pair of |(?P<n>{_N}) )(?:(?:fair|normal|regular|six-sided|standard|ordinary|usual) )*dice\b"
)
_MEAN_OF_DICE = re.compile(rf"{_IDLE}(?:expected value|expectation|mean)(?: of| for| when)+ {_IDLE}(?:one |1 )?{_DIE}")
_FAIR_DIE = re.compile(rf"{_IDLE}(?P<k>{_N}|(?:even|odd) number) {_IDLE}(?:one |1 )?{_DIE}")


def _of_dice(asked: str) -> AlgebraOutcome:
    if _MEAN_OF_DICE.fullmatch(asked):
        note = ("the die is taken to be fair",)
        return _exact(
            Fraction(7, 2), ("the mean of the faces: (1 + 2 + 3 + 4 + 5 + 6)/6",), note, name="expected value"
        )
    if _ASKS.search(asked) is None:
        return None
    dice, sums = list(_DICE.finditer(asked)), list(_SUM.finditer(asked))
    if len(dice) == len(sums) == 1 and _says_no_more(_SUM.sub(" ", _DICE.sub(" ", asked))):
        many = _number(dice[0]["n"] or "2")
        bounds = [each for each in (sums[0]["range"], _BEHIND.get((sums[0]["behind"] or "").split(" ")[-1])) if each]
        if not 1 <= many <= _MOST_DICE or len(bounds) > 1:
            return None
        return _sum_of_dice(many, "".join(bounds).strip(), _number(sums[0]["k"]))
    one = _FAIR_DIE.fullmatch(asked)
    if one is None:
        return None
    many = 3 if "number" in one["k"] else int(1 <= _number(one["k"]) <= 6)
    return _exact(Fraction(many, 6), (f"{many} of 6 equally likely faces",), ("the die is taken to be fair",))


def _says_no_more(rest: str) -> bool:
    """Whether the words left over change nothing: neither do those of throwing, nor the names of a chance."""
    left = _ASKS.sub(" ", rest)
    known = word_class("figures.throwing") | word_class("figures.of_faces")
    return not denies(left) and change_nothing(normal_words(each) for each in _WORDS.findall(left) if each not in known)


def _sum_of_dice(dice: int, asked: str, bound: int) -> AlgebraOutcome:
    sums: Counter[int] = Counter({0: 1})
    for _ in range(dice):
        sums = _added(sums)
    kept: Mapping[str, Callable[[int], bool]] = {
        "": lambda each: each == bound,
        "exactly": lambda each: each == bound,
        "at least": lambda each: each >= bound,
        "at most": lambda each: each <= bound,
        "more than": lambda each: each > bound,
        "greater than": lambda each: each > bound,
        "less than": lambda each: each < bound,
        "fewer than": lambda each: each < bound,
    }
    many = sum(count for total, count in sums.items() if kept[asked](total))
    said = f"{asked} {bound}".strip()
    rule = f"{many} of the 6^{dice} = {6**dice} equally likely throws have a sum that is {said}"
    return _exact(Fraction(many, 6**dice), (rule,), ("the dice are taken to be fair",))


def _added(sums: Counter[int]) -> Counter[int]:
    found: Counter[int] = Counter()
    for total, count in sums.items():
        for face in range(1, 7):
            found[total + face] += count
    return found


def _exact(
    value: Fraction, lines: tuple[str, ...], notes: tuple[str, ...], *, name: str = "probability"
) -> DirectResult:
    shown = str(value) if value.denominator <= 10**9 else f"{float(value):.{_FIGURES}g}"
    decimal = f"{float(value):.{_FIGURES}g}"
    sign = "=" if Fraction(decimal) == value else "≈"
    digits = "" if value.denominator == 1 or shown != str(value) else f" {sign} {decimal}"
    number: int | float = value.numerator if value.denominator == 1 else float(value)
    said = f"{shown}{digits}"
    found = result_by_steps("number_theory", Quantity(number), name=name, said=said, steps=lines, figures=_FIGURES)
    return replace(found, notes=notes)
