"""Counts of maps and of shares: orders that leave nothing in its place, maps of one set to another, equal things given
to different ones, whole solutions of x + y + z = 8. Exact.

Strict as its neighbours: the whole question must be one of the forms.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache

from mathrag.language.quantities.numbers import ONES
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectResult
from mathrag.types.answer import Provenance
from mathrag.types.quantity import Quantity

_LONGEST, _FIGURES, _MOST = 240, 10, 300
_SMALL = {word: int(value) for word, value in ONES.items() if 1 <= value <= 20}
_N = rf"(?:[0-9]{{1,3}}|{'|'.join(sorted(_SMALL, key=len, reverse=True))})"
_OPENING = re.compile(
    rf"(?:(?:{any_of('direct.greetings')}|{any_of('direct.demands')}|{any_of('direct.calculate')}|what "
    rf"is|the)\b[ ,:]*)+"
)


def answer_counting_maps(text: str) -> AlgebraOutcome:
    """How many such maps or shares there are; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text)).lower().replace("$", "")
    asked = re.sub(r" +", " ", _OPENING.sub("", asked, count=1) if _OPENING.match(asked) else asked).strip()
    for pattern, answer in _forms():
        found = pattern.fullmatch(asked)
        if found is not None:
            return answer(found)
    return None


@cache
def _forms() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], AlgebraOutcome]], ...]:
    many, things = any_of("counting_maps.how_many"), any_of("counting_maps.things")
    maps, sets = any_of("counting_maps.maps"), any_of("counting_maps.sets")
    ways, given = any_of("counting_maps.ways"), any_of("counting_maps.given")
    alike, shared = any_of("counting_maps.alike"), any_of("counting_maps.sharers")
    said = rf"(?:{many})"
    signs = r"(?P<letters>[a-z](?:_?[0-9])? ?(?:\+ ?[a-z](?:_?[0-9])? ?)+)= ?(?P<n>[0-9]{1,3})"
    kind = rf"(?P<kind>{any_of('counting_maps.from_zero')}|{any_of('counting_maps.from_one')})"
    count, size = rf"(?P<n>{_N})(?: (?:{things}))?", rf"(?P<k>{_N})(?: (?:{things}))?"
    derangements = rf"(?:{said} )?(?:are there )?derangements? (?:are there )?(?:of|for|on|with) {count}"
    ordered = rf"(?:{said}) (?:permutations|orders|arrangements) of {count}"
    mapped = rf"(?:{said} )?(?P<kind>{maps})(?: are there| exist)? (?:from )?(?:a |the )?(?:{sets}) ?{count}"
    reached = rf" (?:to|onto|into) (?:a |the )?(?:{sets}) ?{size}(?: are there| exist)?(?:,? how many)?"
    divided = rf"(?:{ways}) can (?P<n>{_N}) (?:{alike}) [a-z]+(?: [a-z]+)? (?:{given}) (?P<k>{_N}) (?:{shared})"
    asked = rf"(?:{said}) {kind} (?:solutions|integer solutions)(?: does| are there (?:to|of|for)| of| to| for| has)?"
    behind = rf",? (?:in|with|among|over) {kind}(?: integers| numbers)?(?: [a-z](?:, ?[a-z])*)?"
    whole = rf"(?: the equation)? {signs}(?: have)?"
    made = (
        (derangements + rf"(?:,? (?:{said}|are there|exist|how many are there))?", _derangements),
        (ordered + rf" (?:{any_of('counting_maps.no_fixed')})", _derangements),
        (mapped + reached, _maps),
        (divided + rf"(?P<each>,? (?:{any_of('counting_maps.each_one')}))?", _shares),
        (asked + whole, _solutions),
        (rf"(?:number of|how many) solutions (?:of|to|does|has){whole}{behind}", _solutions),
    )
    return tuple((re.compile(pattern), answer) for pattern, answer in made)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else _SMALL[text]


def _derangements(found: re.Match[str]) -> AlgebraOutcome:
    n = _number(found["n"])
    if n > _MOST:
        return None
    # D(n) = (n − 1)(D(n − 1) + D(n − 2)), with D(0) = 1 and D(1) = 0.
    before, value = 1, 0
    for count in range(2, n + 1):
        before, value = value, (count - 1) * (value + before)
    rule = f"orders of {n} different things with none of them in its own place: {n}! · Σ(k=0…{n}) (−1)^k / k!"
    return _counted(value, f"D({n})", rule, [found["n"]], "derangements")


def _maps(found: re.Match[str]) -> AlgebraOutcome:
    n, k, said = _number(found["n"]), _number(found["k"]), found["kind"]
    if max(n, k) > _MOST:
        return None
    written = [found["n"], found["k"]]
    if re.match(r"surj|onto", said):
        value = sum((-1) ** j * math.comb(k, j) * (k - j) ** n for j in range(k + 1))
        rule = (
            f"maps of {n} elements that reach all of {k}: Σ(j=0…{k}) (−1)^j C({k}, j) ({k} − j)^{n}, by "
            f"inclusion and exclusion"
        )
        return _counted(value, f"surjections {n} → {k}", rule, written, "surjections")
    if re.match(r"inj|one", said):
        rule = f"maps of {n} elements to {k} that take no value twice: {k} · ({k} − 1) · … with {n} factors"
        return _counted(math.perm(k, n), f"injections {n} → {k}", rule, written, "injections")
    if said.startswith("bij"):
        rule = (
            f"bijections need as many elements on both sides: {n}!"
            if n == k
            else f"{n} and {k} elements are not as many"
        )
        return _counted(math.factorial(n) if n == k else 0, f"bijections {n} → {k}", rule, written, "bijections")
    return _counted(k**n, f"{k}^{n}", f"each of {n} elements goes to one of {k}: {k}^{n}", written, "functions")


def _shares(found: re.Match[str]) -> AlgebraOutcome:
    return _bars(_number(found["n"]), _number(found["k"]), [found["n"], found["k"]], least=1 if found["each"] else 0)


def _solutions(found: re.Match[str]) -> AlgebraOutcome:
    letters = [each.strip() for each in found["letters"].split("+")]
    if len(set(letters)) != len(letters):
        return None
    least = 0 if re.fullmatch(any_of("counting_maps.from_zero"), found["kind"]) else 1
    return _bars(int(found["n"]), len(letters), [found["n"]], least=least, what="solutions")


def _bars(n: int, k: int, written: list[str], *, least: int, what: str = "ways") -> AlgebraOutcome:
    if max(n, k) > _MOST or not k:
        return None
    above, below = (n + k - 1, k - 1) if not least else (n - 1, k - 1)
    value = math.comb(above, below) if above >= 0 else 0
    each = "each may get none" if not least else "each gets at least one"
    rule = f"{n} equal ones among {k} different ones, {each}: C({above}, {below}), by bars between stars"
    return _counted(value, f"C({above}, {below})", rule, written, what)


def _counted(value: int, shown: str, rule: str, written: list[str], what: str) -> AlgebraOutcome:
    return DirectResult(
        "number_theory",
        Quantity(value),
        _FIGURES,
        shown,
        exact=str(value),
        text=f"{value} {what if value != 1 else what.removesuffix('s')} ({rule}).",
        working=(rule, f"{shown} = {value}"),
        provenance=tuple(Provenance("question", each) for each in written),
    )
