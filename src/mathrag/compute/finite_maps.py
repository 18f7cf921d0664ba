"""Maps between small sets, all of them: claims on injective and surjective maps and their compositions, equations
between compositions, and images and preimages of sets.

Compositions: six rules say all that follows; what they do not give is refuted by maps between sets of up to three
elements. Images: a counterexample keeps being one on the few elements that show it (`elements_needed`), so that trying
all maps between so many is a proof.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mathrag.compute.algebra.term_reader import Node, walk

LARGEST = 3
# A map by its values, and the size of the set it goes to.
Map: TypeAlias = tuple[tuple[int, ...], int]
# Of a map by its name ("f", "g", or "gf" for the composition): injective or surjective.
Fact: TypeAlias = tuple[str, str]

# For f from X to Y and g from Y to Z, "gf" being g∘f: what follows, and why.
RULES: tuple[tuple[frozenset[Fact], Fact, str], ...] = (
    (
        frozenset({("f", "injective"), ("g", "injective")}),
        ("gf", "injective"),
        "{g}({f}(x)) = {g}({f}(y)) gives {f}(x) = {f}(y), as {g} is injective, and then x = y",
    ),
    (
        frozenset({("f", "surjective"), ("g", "surjective")}),
        ("gf", "surjective"),
        "every z is {g}(y) for some y, and that y is {f}(x) for some x",
    ),
    (frozenset({("gf", "injective")}), ("f", "injective"), "{f}(x) = {f}(y) gives {g}({f}(x)) = {g}({f}(y)), so x = y"),
    (frozenset({("gf", "surjective")}), ("g", "surjective"), "every z is {g}({f}(x)) for some x, so a value of {g}"),
    (
        frozenset({("gf", "injective"), ("f", "surjective")}),
        ("g", "injective"),
        "any y and y′ are {f}(x) and {f}(x′), and {g}({f}(x)) = {g}({f}(x′)) gives x = x′, so y = y′",
    ),
    (
        frozenset({("gf", "surjective"), ("g", "injective")}),
        ("f", "surjective"),
        "for any y, {g}(y) is {g}({f}(x)) for some x, and {g} is injective, so y = {f}(x)",
    ),
)  # fmt: skip


def consequences(given: Sequence[Fact]) -> tuple[frozenset[Fact], tuple[str, ...]]:
    """All that follows from what is given, with the reasons that were used, in their order."""
    known, reasons = set(given), []
    for _ in RULES:
        for premises, end, why in RULES:
            if premises <= known and end not in known:
                known.add(end)
                reasons.append(f"{end[0]}:{why}")
    return frozenset(known), tuple(reasons)


def maps(size: int, onto: int) -> Iterator[Map]:
    """All maps from a set of one size into another."""
    return ((values, onto) for values in itertools.product(range(onto), repeat=size))


def has(quality: str, one: Map) -> bool:
    """Whether a map is injective, or surjective."""
    values, onto = one
    return len(set(values)) == (len(values) if quality == "injective" else onto)


def composed(outer: Map, inner: Map) -> Map:
    """First the inner map, then the outer one."""
    return tuple(outer[0][value] for value in inner[0]), outer[1]


def refuting_maps(given: Sequence[Fact], denied: Sequence[Fact], wanted: Sequence[Fact]) -> tuple[Map, Map] | None:
    """Maps f and g between small sets for which all that is given holds, nothing of what is denied, and not all that is
    wanted."""
    for sizes in sorted(itertools.product(range(1, LARGEST + 1), repeat=3), key=sum):
        for f in maps(sizes[0], sizes[1]):
            for g in maps(sizes[1], sizes[2]):
                named = {"f": f, "g": g, "gf": composed(g, f)}
                is_met = all(has(quality, named[name]) for name, quality in given)
                is_met = is_met and not any(has(quality, named[name]) for name, quality in denied)
                if is_met and not all(has(quality, named[name]) for name, quality in wanted):
                    return f, g
    return None


# Equations between compositions: a word of letters, some inverted, outermost first.
Word: TypeAlias = tuple[tuple[str, bool], ...]


def reduced(word: Word) -> Word:
    """Without neighbours that undo each other."""
    found: list[tuple[str, bool]] = []
    for letter in word:
        if found and found[-1] == (letter[0], not letter[1]):
            found.pop()
        else:
            found.append(letter)
    return tuple(found)


def refuting_words(left: Word, right: Word, *, inverted: bool) -> tuple[dict[str, Map], Map, Map] | None:
    """Maps of a small set into itself for which two words differ; with `inverted` those that have inverses."""
    names = sorted({name for name, _ in (*left, *right)})
    for size in range(1, LARGEST + 1):
        every = [one for one in maps(size, size) if not inverted or has("injective", one)]
        for chosen in itertools.product(every, repeat=len(names)):
            named = dict(zip(names, chosen, strict=True))
            first, second = (_word_map(word, named, size) for word in (left, right))
            if first != second:
                return named, first, second
    return None


def _word_map(word: Word, named: Mapping[str, Map], size: int) -> Map:
    made: Map = (tuple(range(size)), size)
    for name, is_inverted in word:
        one = named[name]
        if is_inverted:
            one = (tuple(one[0].index(value) for value in range(size)), size)
        made = composed(made, one)
    return made


# Images and preimages. Terms: letters (`inside` sets of the first set, `outside` of the second), `union`,
# `intersection`, `difference`, `symmetric`, `complement`, `image`, `preimage`, `all`, `empty`.


@dataclass(frozen=True, slots=True)
class SetRelation:
    """Two sets and `=` or `⊆` between them."""

    left: Node
    right: Node
    sign: str


@dataclass(frozen=True, slots=True)
class ImageClaim:
    """Two sets and `=` or `⊆` between them; `qualities` are those that the map is said to have, `premises` what is said
    of sets."""

    left: Node
    right: Node
    sign: str
    qualities: frozenset[str] = frozenset()
    premises: tuple[SetRelation, ...] = ()


def subset_of(term: Node, chosen: Mapping[str, frozenset[int]], one: Map, side: str) -> frozenset[int]:
    """The set that a term is; `side` tells whether it lies in the first set or in the second."""
    space = frozenset(range(len(one[0]) if side == "inside" else one[1]))
    match term.kind:
        case "letter":
            return chosen[term.name]
        case "all":
            return space
        case "empty":
            return frozenset()
        case "image":
            return frozenset(one[0][place] for place in subset_of(term.parts[0], chosen, one, "inside"))
        case "preimage":
            within = subset_of(term.parts[0], chosen, one, "outside")
            return frozenset(place for place, value in enumerate(one[0]) if value in within)
    parts = [subset_of(part, chosen, one, side) for part in term.parts]
    match term.kind:
        case "union":
            return parts[0] | parts[1]
        case "intersection":
            return parts[0] & parts[1]
        case "difference":
            return parts[0] - parts[1]
        case "symmetric":
            return parts[0] ^ parts[1]
    return space - parts[0]


def _more_elements(term: Node, *, is_in: bool) -> int | None:
    """How many further elements of the first set show that an element lies in a set, or does not; None where no few of
    them do."""
    wanted: tuple[bool, ...] = (is_in,) * len(term.parts)
    if term.kind in ("difference", "complement"):
        wanted = (*wanted[1:], not is_in)
    if term.kind == "symmetric":
        # In one and not in the other, either way: all that could be needed.
        term, wanted = Node("both", (*term.parts, *term.parts)), (True, True, False, False)
    parts = [_more_elements(part, is_in=one) for part, one in zip(term.parts, wanted, strict=True)]
    counted = [part for part in parts if part is not None]
    if len(counted) != len(parts):
        return None
    match term.kind:
        case "image" if not is_in:
            return 0 if not counted[0] else None
        case "image":
            return 1 + counted[0]
        case "union" | "intersection" | "difference":
            is_one_enough = is_in == (term.kind == "union")
            return max(counted) if is_one_enough else sum(counted)
    return sum(counted)


def elements_needed(claim: ImageClaim) -> int | None:
    """How many elements of each set a counterexample needs at most; None where that is not told.

    The element itself and those that show where it lies, with their values; where the map is surjective, one more
    element may be needed that goes to the element itself, in place of it.
    """
    # What premises say of images may be lost on fewer elements; what they say of single elements is not.
    if any(node.kind == "image" for one in claim.premises for side in (one.left, one.right) for node in walk(side)):
        return None
    found = 0
    for one, other in ((claim.left, claim.right), (claim.right, claim.left))[: 1 + (claim.sign == "=")]:
        parts = (_more_elements(one, is_in=True), _more_elements(other, is_in=False))
        if parts[0] is None or parts[1] is None:
            return None
        found = max(found, 1 + parts[0] + parts[1])
    return found


@dataclass(frozen=True, slots=True)
class ImageTrial:
    """`largest`: all maps between sets of up to so many elements were tried; `counterexample`: the map, the sets, and
    what both sides are."""

    largest: int
    counterexample: tuple[Map, Mapping[str, frozenset[int]], frozenset[int], frozenset[int]] | None = None


def try_images(claim: ImageClaim, sides: Mapping[str, str], side: str) -> ImageTrial:
    """Try a claim on images; `sides` tells for each letter in which set it lies, `side` where both terms do."""
    largest = 0
    for size in range(1, LARGEST + 1):
        for first, second in itertools.product(range(1, size + 1), repeat=2):
            if max(first, second) != size:
                continue
            found = _try_sizes(claim, sides, side, (first, second))
            if found is not None:
                return ImageTrial(largest, found)
        largest = size
    return ImageTrial(largest)


def _try_sizes(
    claim: ImageClaim, sides: Mapping[str, str], side: str, sizes: tuple[int, int]
) -> tuple[Map, Mapping[str, frozenset[int]], frozenset[int], frozenset[int]] | None:
    subsets = {
        name: list(_subsets(sizes[0] if where == "inside" else sizes[1])) for name, where in sorted(sides.items())
    }
    for one in maps(*sizes):
        if not all(has(quality, one) for quality in claim.qualities):
            continue
        for values in itertools.product(*subsets.values()):
            chosen = dict(zip(subsets, values, strict=True))
            if not all(_is_met(each, chosen, one, sides) for each in claim.premises):
                continue
            left, right = (subset_of(term, chosen, one, side) for term in (claim.left, claim.right))
            if left - right or (claim.sign == "=" and left != right):
                return one, chosen, left, right
    return None


def _is_met(premise: SetRelation, chosen: Mapping[str, frozenset[int]], one: Map, sides: Mapping[str, str]) -> bool:
    side = next((each for each in ("inside", "outside") if _fits(premise, each, sides)), "inside")
    left, right = (subset_of(term, chosen, one, side) for term in (premise.left, premise.right))
    return left == right if premise.sign == "=" else left <= right


def _fits(relation: SetRelation | ImageClaim, side: str, sides: Mapping[str, str]) -> bool:
    placed = dict(sides)
    return all(_placed(term, side, placed) for term in (relation.left, relation.right))


def _subsets(size: int) -> Iterator[frozenset[int]]:
    for count in range(size + 1):
        yield from map(frozenset, itertools.combinations(range(size), count))


def sides_of(claim: ImageClaim) -> tuple[dict[str, str], str] | None:
    """In which set each letter lies, and both terms; None where that does not fit together or is left open."""
    relations: tuple[SetRelation | ImageClaim, ...] = (claim, *claim.premises)
    kinds = {node.kind for one in relations for side in (one.left, one.right) for node in walk(side)}
    if not kinds & {"image", "preimage"}:
        return None
    for sides in itertools.product(("inside", "outside"), repeat=len(relations)):
        found: dict[str, str] = {}
        if all(_placed(term, side, found) for one, side in zip(relations, sides, strict=True)
               for term in (one.left, one.right)):  # fmt: skip
            return found, sides[0]
    return None


def _placed(term: Node, side: str, found: dict[str, str]) -> bool:
    if term.kind == "letter":
        return found.setdefault(term.name, side) == side
    within = {"image": ("outside", "inside"), "preimage": ("inside", "outside")}.get(term.kind)
    if within is not None:
        return within[0] == side and _placed(term.parts[0], within[1], found)
    return all(_placed(part, side, found) for part in term.parts)
