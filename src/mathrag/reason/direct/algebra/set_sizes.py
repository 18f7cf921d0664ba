"""Whether a statement on numbers of elements holds for all finite sets: `is |A ∪ B| = |A| + |B|?`, also with a premise
on the sets (`if A and B are disjoint`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from mathrag.compute.cardinalities import (
    Regions,
    Size,
    example_sets,
    number,
    plus,
    regions_of,
    size_of_set,
    times,
    tried_sizes,
    two_to,
    value_at,
)
from mathrag.compute.logic import Constant, Proposition, UnreadLogicError, letters_of
from mathrag.compute.set_algebra import FIRST, SECOND, joined, read_set
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.asked_claims import claim_of, without_asking
from mathrag.reason.direct.algebra.set_words import set_signs_of
from mathrag.reason.direct.algebra.sets import several_statements, without_scope
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 240
_COUNTED = "Counted region by region (which elements lie in which of the sets)"
_MOST_LETTERS = 3
_BARS = re.compile(r"\|([^|]{1,80})\||#\(([^()]{1,80})\)|#([A-Z])\b|\b(?:n|card)\(((?:[^()]|\([^()]*\)){1,80})\)")
# Bars alone may be absolute values, determinants or lengths; a cross alone may be one of vectors.
_OF_SETS = re.compile(r"[∪∩∖△∅𝒫⊆∁\\]|\| ?P\(|\b(?:set|elements?|members?|cardinality|finite|disjoint)", re.IGNORECASE)
_HOLDS: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    "≤": lambda a, b: a <= b,
    "≥": lambda a, b: a >= b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
}
_RELATION = re.compile("[=≤≥<>]")
_TOKEN = re.compile(r"\s*(⟦\d+⟧|\d{1,3}|[-−+*·×()^])")
_PREMISE = re.compile(
    r"(?P<body>.+?),? (?:if|when|whenever|provided(?: that)?|given(?: that)?|for) (?P<given>.+)"
    r"|(?:if|when|given(?: that)?|for) (?P<first>.+?)(?:(?:,? then|,)(?: is)?| is(?= [|#n])) (?P<rest>.+)"
)
_APART = re.compile(
    r"(?:(?:the )?(?:sets )?(?P<a>[A-Z]) and (?P<b>[A-Z]) are |(?:pairwise )?)(?:pairwise )?disjoint"
    r"(?: (?:finite )?sets?(?: (?P<c>[A-Z]) and (?P<d>[A-Z]))?)?"
)


@cache
def _named() -> re.Pattern[str]:
    nouns, signs = any_of("logic.size_nouns"), any_of("logic.size_signs")
    ends = rf" ?(?:[-−+=≤≥<>·*]|\b(?:{signs})\b)|$| and the (?:{nouns})"
    return re.compile(rf"(?:the )?(?:{nouns}) (?:of|in) (?P<set>.+?)(?={ends})")


def answer_set_sizes(text: str) -> DirectStatement | None:
    """What the sizes of regions say of a statement on numbers of elements; None for any other question."""
    if len(text) > _LONGEST or not (_BARS.search(text) or _named().search(text) or "\\" in text):
        return None
    plain = claim_of(text).replace("==", "=").replace("<=", "≤").replace(">=", "≥")
    if not _OF_SETS.search(plain):
        return None
    body = re.sub(r"\^ ?\{([^{}]*)\}", r"^(\1)", without_scope(plain))
    try:
        body, given = _with_premise(body)
        return _judged(body, given)
    except UnreadLogicError:
        return None


def _with_premise(body: str) -> tuple[str, Proposition]:
    found = _PREMISE.fullmatch(body)
    if found is None:
        return body, Constant(True)
    given = found["given"] or found["first"]
    rest = without_asking(found["body"] or found["rest"])
    apart = _APART.fullmatch(given)
    if apart is not None:
        names = (apart["a"] or apart["c"] or "A"), (apart["b"] or apart["d"] or "B")
        given = f"{names[0]} ∩ {names[1]} = ∅"
    statements = several_statements(given)
    if any(each.sign == "⊊" for each in statements) or letters_of(joined(statements)) == ():
        raise UnreadLogicError("a premise beyond regions")
    if any(name.endswith((FIRST, SECOND)) for name in letters_of(joined(statements))):
        raise UnreadLogicError("a premise on pairs")
    return rest, joined(statements)


class _Sizes:
    """The numbers of elements in a statement, each kept under a number of its own."""

    def __init__(self, body: str) -> None:
        self.kept: list[tuple[Proposition, bool, bool]] = []
        self.universe = any(each in body for each in ("∁", "'", "^c"))
        written = _BARS.sub(lambda found: self.keep(next(each for each in found.groups() if each)), body)
        written = _named().sub(lambda found: self.keep(found["set"]), written)
        words = word_pairs("logic.size_signs")
        self.written = re.sub(rf"\b(?:{any_of('logic.size_signs')})\b", lambda found: words[found.group()], written)

    def keep(self, inside: str) -> str:
        power = re.fullmatch(r"(?:𝒫|P) ?\((.+)\)", inside.strip())
        signs = set_signs_of(power[1] if power else inside)
        made, of_pairs = read_set(signs, universe=self.universe)
        self.kept.append((made, of_pairs, power is not None))
        return f"⟦{len(self.kept) - 1}⟧"

    def names(self) -> set[str]:
        return {name[0] for made, _, _ in self.kept for name in letters_of(made)}


def _judged(body: str, given: Proposition) -> DirectStatement | None:
    found = _Sizes(body)
    relations = _RELATION.findall(found.written)
    names = sorted(found.names() | {*letters_of(given)})
    if len(relations) != 1 or not found.kept or not 1 <= len(names) <= _MOST_LETTERS:
        return None
    regions = regions_of(names, given, universe=found.universe)
    sizes = [_size(one, regions) for one in found.kept]
    sides = [_Reader(part, sizes).whole() for part in _RELATION.split(found.written)]
    told = _verdict(" ".join(body.split()), regions, sides, relations[0], given)
    if told is None or not any(is_power for _, _, is_power in found.kept):
        return told
    return replace(told, text=f"{told.text} (An element is in a subset or not, so n elements have 2^n subsets.)")


def _size(one: tuple[Proposition, bool, bool], regions: Regions) -> Size:
    made, of_pairs, is_power = one
    size = size_of_set(made, of_pairs, regions)
    power = two_to(size) if is_power else size
    if power is None:
        raise UnreadLogicError("a power set of pairs")
    return power


def _verdict(whole: str, regions: Regions, sides: list[Size], sign: str, given: Proposition) -> DirectStatement | None:
    held = "" if given == Constant(True) else " under the premise"
    for sizes in tried_sizes(regions):
        values = [value_at(side, sizes) for side in sides]
        if not _HOLDS[sign](*values):
            sets = ", ".join(
                f"{name} = {{{', '.join(map(str, each))}}}" if each else f"{name} = ∅"
                for name, each in example_sets(regions, sizes).items()
            )
            told = f"with {sets} the left side is {values[0]} and the right side is {values[1]}"
            return DirectStatement(f"False: {told}.", whole, (WorkingLine(told),))
    difference = plus(sides[1], sides[0], -1)
    ordered = {"≤": 1, "≥": -1}.get(sign)
    if not difference:
        how = "both sides are the same sum"
    elif ordered and all(count * ordered > 0 for count in difference.values()):
        how = "what one side has more is never below 0"
    else:
        return None
    return DirectStatement(f"True for all finite sets{held}: {whole}. {_COUNTED}, {how}, which proves it.", whole)


class _Reader:
    """Sums and products of sizes."""

    def __init__(self, text: str, sizes: list[Size]) -> None:
        self.tokens: list[str] = []
        self.sizes = sizes
        place, end = 0, len(text.rstrip())
        while place < end:
            match = _TOKEN.match(text, place)
            if match is None:
                raise UnreadLogicError("no number of elements")
            self.tokens.append({"−": "-", "·": "*", "×": "*"}.get(match[1], match[1]))
            place = match.end()
        self.place = 0

    def whole(self) -> Size:
        found = self.sum()
        if self.place != len(self.tokens):
            raise UnreadLogicError("something is left over")
        return found

    def at(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def sum(self) -> Size:
        found = self.product()
        while self.at() in ("+", "-"):
            sign = 1 if self.at() == "+" else -1
            self.place += 1
            found = plus(found, self.product(), sign)
        return found

    def product(self) -> Size:
        found = self.factor()
        while self.at() == "*" or self.at().startswith(("⟦", "(")):
            self.place += self.at() == "*"
            found = times(found, self.factor())
        return found

    def factor(self) -> Size:
        one = self.at()
        self.place += 1
        if one == "(":
            found = self.sum()
            if self.at() != ")":
                raise UnreadLogicError("a bracket is missing")
            self.place += 1
            return found
        if one == "2" and self.at() == "^":
            self.place += 1
            power = two_to(self.factor())
            if power is None:
                raise UnreadLogicError("no exponent of two")
            return power
        if one.startswith("⟦"):
            return self.sizes[int(one[1:-1])]
        if one.isdecimal() and self.at() != "^":
            return number(int(one))
        raise UnreadLogicError("a number is missing")
