"""Small stories of counting: orders of things, choices of some out of many, the letters of a word. Exact.

Strict: the whole question must be one of the forms. A condition beyond them ("two of them side by side"), things that
cannot be told apart or come in pairs leave the reading unsure, and the question is none of these.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from mathrag.language.quantities.numbers import ONES
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectResult, DirectStatement
from mathrag.types.answer import Provenance, WorkingLine
from mathrag.types.quantity import Quantity

_LONGEST = 240
_FIGURES = 10
_MOST_THINGS = 1_000
_SMALL = {word: int(value) for word, value in ONES.items() if 1 <= value <= 20}
_N = rf"(?:[0-9]{{1,4}}|{'|'.join(sorted(_SMALL, key=len, reverse=True))})"
_THINGS = r"[a-z][a-z'-]*(?: [a-z][a-z'-]*){0,3}?"
# At the end of a question one word names the things: more of them might state a condition.
_SORT = r"(?:(?:different|distinct) )?[a-z][a-z'-]*"
_WORD = re.compile(r"[a-z'-]+")


_SPELLINGS = word_pairs("counting.spellings")
_SPELLED = re.compile(rf"\b(?:{any_of('counting.spellings')})\b")
_WAYS = any_of("counting.ways")
_HOW_MANY = any_of("counting.how_many")
_ARRANGE, _CHOOSE = any_of("counting.arrange"), any_of("counting.choose")
_CHOSEN, _GROUPS = any_of("counting.chosen"), any_of("counting.groups")
_ROWS, _OUT_OF = any_of("counting.rows"), any_of("counting.out_of")
_ARRANGED = any_of("counting.arranged")
_Form: TypeAlias = tuple[str, Callable[[re.Match[str]], AlgebraOutcome]]


def _order_forms() -> tuple[_Form, ...]:
    """Things put in an order."""
    return (
        (rf"(?:{_WAYS}) can (?P<n>{_N}) (?P<things>{_THINGS}) (?:{_ARRANGE})(?P<row> (?:{_ROWS}))?", _all_orders),
        (
            rf"(?:{_WAYS}) (?:{any_of('counting.to_arrange')}) (?P<n>{_N}) (?P<things>{_THINGS})(?P<row> (?:{_ROWS}))?",
            _all_orders,
        ),
        (
            rf"(?:{_HOW_MANY}) permutations (?:are there |exist )?(?:of|for) (?P<n>{_N}) (?P<things>{_SORT})(?P<row>)",
            _all_orders,
        ),
        (
            (
                rf"(?:{_WAYS}) can (?P<k>{_N}) (?P<things>{_THINGS}) (?:{any_of('counting.sit')}) (?P<n>{_N})"
                rf" (?:{any_of('counting.seats')})"
            ),
            _some_orders,
        ),
        (
            (
                rf"(?:{_WAYS}) can (?P<k>{_N}) (?:of|out of) (?P<n>{_N}) (?P<things>{_THINGS}) (?:{_ARRANGE})"
                rf"(?P<row> (?:{_ROWS}))?"
            ),
            _some_orders,
        ),
    )


def _choice_forms() -> tuple[_Form, ...]:
    """Some chosen out of many."""
    return (
        (
            (
                rf"(?:{_WAYS}) (?:{_CHOOSE}) (?P<k>{_N})(?: (?P<some>{_THINGS}))? (?:{_OUT_OF}) (?P<n>{_N})(?: "
                rf"(?P<things>{_THINGS}))?"
            ),
            _choices,
        ),
        (
            (
                rf"(?:{_WAYS}) can (?P<k>{_N})(?: (?P<some>{_THINGS}))? (?:{_CHOSEN}) (?:{_OUT_OF}) (?P<n>{_N})"
                rf"(?: (?P<things>{_THINGS}))?"
            ),
            _choices,
        ),
        (
            (
                rf"(?:{_WAYS}) can (?:an?|the) (?:{_GROUPS}) of (?P<k>{_N})(?: (?P<some>{_THINGS}))? (?:{_CHOSEN})"
                rf" (?:{_OUT_OF}) (?P<n>{_N})(?: (?P<things>{_THINGS}))?"
            ),
            _choices,
        ),
        (
            (
                rf"(?:{_HOW_MANY}) (?:{_GROUPS}) of (?P<k>{_N})(?: (?P<some>{_THINGS}))? (?:can|"
                rf"could|may) (?:{_CHOSEN}) (?:{_OUT_OF}) (?P<n>{_N})(?: (?P<things>{_THINGS}))?"
            ),
            _choices,
        ),
        (
            (
                rf"(?:{_HOW_MANY}) (?:different |distinct )?(?P<k>{_N})[- ]card (?:poker )?hands (?:can be dealt|are "
                r"there|are possible|can be made) (?:from|in|with) (?:a |an )?(?:standard |ordinary )?deck of "
                rf"(?P<n>{_N})(?: (?:playing )?cards)?"
            ),
            _choices,
        ),
        (rf"(?P<n>{_N}) choose (?P<k>{_N})|c\( ?(?P<n2>{_N}) ?, ?(?P<k2>{_N}) ?\)", _choices),
    )


def _letter_forms() -> tuple[_Form, ...]:
    """The letters of a word in another order."""
    return (
        (
            (
                rf"(?:{_WAYS}) can (?:all )?(?:of )?the letters (?:of|in) "
                rf"(?:the word )?[\"'“”‘’]?(?P<word>[a-z]{{2,20}})"
                rf"[\"'“”‘’]? (?:{_ARRANGE})"
            ),
            _letters,
        ),
        (
            (
                rf"(?:{_WAYS}) (?:{any_of('counting.to_arrange')}) (?:all )?(?:of )?the letters (?:of|in) "
                r"(?:the word )?[\"'“”‘’]?(?P<word>[a-z]{2,20})[\"'“”‘’]?"
            ),
            _letters,
        ),
        (
            (
                rf"(?:{_HOW_MANY}) (?:{_ARRANGED}) (?:are there )?(?:of|can be made from|can "
                r"be made with|can be formed from) (?:all )?(?:of )?(?:the letters (?:of|in) )?(?:the word "
                r")?[\"'“”‘’]?(?P<word>[a-z]{2,20})[\"'“”‘’]?(?: (?:are there|have|has))?"
            ),
            _letters,
        ),
    )


def _other_forms() -> tuple[_Form, ...]:
    """Things taken at a time, offices, subsets, derangements, codes."""
    return (
        (
            (
                rf"(?:the )?(?:number of )?(?P<kind>combinations|permutations) of (?P<n>{_N})(?: (?P<things>{_THINGS})"
                rf")?,? (?:taken )?(?P<k>{_N}) at a time"
            ),
            _taken,
        ),
        (
            (
                rf"(?:{_WAYS}) can (?P<roles>{_THINGS}(?:, {_THINGS})*,? and {_THINGS}) (?:{_CHOSEN}|be awarded)"
                rf" (?:{_OUT_OF}|to) (?:a (?:group|class|club|team) of )?(?P<n>{_N}) (?P<things>{_THINGS})"
            ),
            _roles,
        ),
        (
            (
                rf"(?:{_HOW_MANY}) subsets (?:does|has|are there of|of) (?:a|the) set (?:with|"
                rf"of|that has|having) (?P<n>{_N}) (?:elements?|members?)(?: have)?"
            ),
            _subsets,
        ),
        (
            (
                rf"(?:{_HOW_MANY}) derangements(?: are there| exist| are possible)? (?:of|for|on|with|have|has) "
                rf"(?:an? set (?:of|with) )?(?P<n>{_N})(?: (?P<things>{_SORT}))?(?: have)?"
                rf"|(?:derangements) (?:of|for) (?P<n2>{_N})(?: (?P<some>{_SORT}))?[,:]? (?:how many|number|count)"
            ),
            _derangements,
        ),
        (
            (
                rf"(?:{_HOW_MANY}) (?P<k>[1-9]|{'|'.join(_SMALL)})[- ]digit "
                rf"(?:{any_of('counting.codes')})"
                r"(?: (?:are|can be) (?:possible|there|made|formed))?(?P<said>,? .+)?"
            ),
            _codes,
        ),
    )


@cache
def _forms() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], AlgebraOutcome]], ...]:
    """Patterns for the whole question, and what each comes to."""
    made = (*_order_forms(), *_choice_forms(), *_letter_forms(), *_other_forms())
    return tuple((re.compile(pattern), answer) for pattern, answer in made)


def answer_counting(text: str) -> AlgebraOutcome:
    """In how many ways something can be done; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text)).lower()
    asked = re.sub(
        rf"^(?:(?:{any_of('direct.greetings')}|{any_of('direct.demands')}|{any_of('direct.calculate')}|"
        r"what is|the)[ ,:]+)+",
        "",
        asked,
    )
    asked = _SPELLED.sub(lambda each: _SPELLINGS[each[0]], asked)
    for pattern, answer in _forms():
        found = pattern.fullmatch(asked)
        if found is None:
            continue
        if not word_class("counting.unsure").isdisjoint(_WORD.findall(_nouns(found))):
            return None
        made = answer(found)
        if made is not None:
            return made
    return None


def _nouns(found: re.Match[str]) -> str:
    said = found.groupdict()
    return " ".join(said.get(name) or "" for name in ("things", "some"))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else _SMALL[text]


def _all_orders(found: re.Match[str]) -> AlgebraOutcome:
    count = _number(found["n"])
    if (found["row"] or "").strip() in word_class("counting.rings") and 1 <= count <= _MOST_THINGS:
        orders, turned = math.factorial(count), math.factorial(count - 1)
        text = (
            f"{orders} ways if the places are told apart ({count}!), {turned} if seatings that differ only by turning "
            f"round count as one (({count} − 1)!). The question does not say which."
        )
        return _of_two(text, "orders round a ring")
    return _counted(
        math.factorial(count), f"{count}!", f"orders of {count} different things: {count}!", [found["n"]], count
    )


def _some_orders(found: re.Match[str]) -> AlgebraOutcome:
    n, k = _number(found["n"]), _number(found["k"])
    if k > n:
        return DirectFailure("domain", f"there are not enough places or things: {k} of {n}", "number_theory")
    row = (found.groupdict().get("row") or "").strip()
    if row in word_class("counting.rings"):
        return None
    rule = f"orders of {k} out of {n} different things: {n}! / ({n} − {k})!"
    return _counted(math.perm(n, k), f"{n}! / ({n} − {k})!", rule, [found["k"], found["n"]], n)


def _choices(found: re.Match[str]) -> AlgebraOutcome:
    said = found.groupdict()
    written = said["n"] or said.get("n2") or "", said["k"] or said.get("k2") or ""
    n, k = map(_number, written)
    if k > n:
        return DirectFailure("domain", f"{k} cannot be chosen out of {n}", "number_theory")
    rule = f"choices of {k} out of {n} different things, in any order: {n}! / ({k}! · ({n} − {k})!)"
    return _counted(math.comb(n, k), f"{n}! / ({k}! · ({n} − {k})!)", rule, list(written), n)


def _taken(found: re.Match[str]) -> AlgebraOutcome:
    return _choices(found) if found["kind"] == "combinations" else _some_orders(found)


def _letters(found: re.Match[str]) -> AlgebraOutcome:
    word = found["word"].upper()
    repeated = [(letter, count) for letter, count in sorted(Counter(word).items()) if count > 1]
    below = math.prod(math.factorial(count) for _, count in repeated)
    shown = f"{len(word)}!" + (f" / ({' · '.join(f'{count}!' for _, count in repeated)})" if repeated else "")
    also = ", ".join(f"{letter} stands {count} times" for letter, count in repeated)
    rule = f"different orders of the {len(word)} letters of {word}: {shown}" + (f" ({also})" if also else "")
    return _counted(math.factorial(len(word)) // below, shown, rule, [found["word"]], len(word))


def _roles(found: re.Match[str]) -> AlgebraOutcome:
    """Different offices or prizes, at most one a person."""
    roles = [re.sub(r"^(?:an?|the) ", "", each) for each in re.split(r",? and |, ", found["roles"])]
    n, k = _number(found["n"]), len(roles)
    known = word_class("counting.roles")
    if len(set(roles)) != k or k > n or not all(known & set(each.split()) for each in roles):
        return None
    rule = f"{k} different places for {n}, nobody in two of them: {n}! / ({n} − {k})!"
    return _counted(math.perm(n, k), f"{n}! / ({n} − {k})!", rule, [found["n"]], n)


def _subsets(found: re.Match[str]) -> AlgebraOutcome:
    n = _number(found["n"])
    rule = f"each of {n} elements is in a subset or not: 2^{n}, the empty set and the whole set included"
    return _counted(2**n, f"2^{n}", rule, [found["n"]], n, what="subsets")


def _derangements(found: re.Match[str]) -> AlgebraOutcome:
    """Orders in which nothing keeps its place, each from the two before: D(n) = (n − 1) (D(n − 1) + D(n − 2))."""
    said = found["n"] or found["n2"]
    n = _number(said)
    if n > _MOST_THINGS:
        return _counted(0, "", "", [said], n)
    before, last = 1, 0
    for count in range(2, n + 1):
        before, last = last, (count - 1) * (before + last)
    shown = f"D({n}) = {n}! · Σ (−1)^k / k! for k from 0 to {n}"
    rule = f"orders of {n} different things in which none keeps its place: {shown}"
    return _counted(last if n else 1, f"D({n})", rule, [said], n, what="derangements")


def _codes(found: re.Match[str]) -> AlgebraOutcome:
    """Codes of digits, which may begin with 0. Whether digits may repeat must be said; else both counts are told."""
    k, said = _number(found["k"]), (found["said"] or "").strip(" ,")
    repeated, distinct = 10**k, math.perm(10, k) if k <= 10 else 0
    if said in word_class("counting.repeated"):
        return _counted(repeated, f"10^{k}", f"{k} digits of 10, each free: 10^{k}", [found["k"]], k, what="codes")
    if said in word_class("counting.not_repeated"):
        rule = f"{k} different digits in order: 10! / (10 − {k})!"
        return _counted(distinct, f"10! / (10 − {k})!", rule, [found["k"]], k, what="codes")
    if said:
        return None
    text = (
        f"{repeated} if digits may repeat (10^{k}), {distinct} if they may not (10! / (10 − {k})!); 0 may stand first."
    )
    return _of_two(f"{text} The question does not say which.", f"codes of {k} digits")


def _of_two(text: str, expression: str) -> DirectStatement:
    return DirectStatement(text, expression, (WorkingLine(text),), kind="number_theory")


def _counted(value: int, shown: str, rule: str, written: list[str], size: int, *, what: str = "ways") -> AlgebraOutcome:
    if size > _MOST_THINGS:
        return DirectFailure("too_large", f"at most {_MOST_THINGS} things are counted", "number_theory")
    return DirectResult(
        "number_theory",
        Quantity(value),
        _FIGURES,
        shown,
        exact=str(value),
        text=f"{value} {what} ({rule}).",
        working=(rule, f"{shown} = {value}"),
        provenance=tuple(Provenance("question", each) for each in written),
        notes=("the things are taken to be all different",) if "different things" in rule else (),
    )
