"""Group the values of a question: lists, and clauses whose values belong to one state. Names nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mathrag.compute.quantity_text import Mention
from mathrag.reason.question.tokens import Token

# These open a clause of their own; a comma or "and" only does where a dimension would repeat.
_OPENERS = frozenset("while whereas when if then but until whose once".split())
_SOFT = frozenset({"and", "or", "to", "from"})


def number_clauses(tokens: Sequence[Token], places: Sequence[int], mentions: Sequence[Mention]) -> dict[int, int]:
    """The clause of each value. Values joined by a comma or "and" share one until a dimension comes again.

    Two lists of equal length in one sentence run in step (`2 kg and 3 kg at 1 m and 4 m`): their members pair up.
    """
    numbered: dict[int, int] = {}
    clause = 0
    seen: set[object] = set()
    previous = -1
    for place in places:
        between = tokens[previous + 1 : place]
        strong = any(token.is_stop or token.lower in _OPENERS for token in between)
        soft = any(token.text in (",", "(", ")") or token.lower in _SOFT for token in between)
        mention = mentions[tokens[place].value]
        dimension: object = mention.units[0].dimension if mention.units else mention.symbol or "number"
        if previous >= 0 and (strong or (soft and dimension in seen)):
            clause += 1
            seen = set()
        seen.add(dimension)
        numbered[place] = clause
        previous = place
    return _in_step(tokens, numbered, _lists(tokens, places, mentions))


def _in_step(tokens: Sequence[Token], numbered: dict[int, int], lists: list[list[int]]) -> dict[int, int]:
    for first, second in pairwise(lists):
        if len(first) != len(second) or len(first) < 2:
            continue
        if tokens[first[0]].sentence != tokens[second[0]].sentence:
            continue
        numbered |= {later: numbered[earlier] for earlier, later in zip(first, second, strict=True)}
    return numbered


def _lists(tokens: Sequence[Token], places: Sequence[int], mentions: Sequence[Mention]) -> list[list[int]]:
    """Runs of values of one dimension with nothing but commas and "and" between them."""
    groups: list[list[int]] = []
    for place in places:
        if groups and _is_listed(tokens, groups[-1][-1], place, mentions):
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def number_series(tokens: Sequence[Token], places: Sequence[int], mentions: Sequence[Mention]) -> dict[int, int]:
    """Three or more values in a plain list, or two that share one unit: `2, 4 and 8 m`."""
    found: dict[int, int] = {}
    number = 0
    for group in _lists(tokens, places, mentions):
        shared = any(mentions[tokens[place].value].distributed for place in group)
        if len(group) >= 3 or (len(group) == 2 and shared):
            found |= dict.fromkeys(group, number)
            number += 1
    return found


def _is_listed(tokens: Sequence[Token], earlier: int, place: int, mentions: Sequence[Mention]) -> bool:
    between = tokens[earlier + 1 : place]
    if not between or not all(token.lower in ("and", "or") or token.text == "," for token in between):
        return False
    one, two = mentions[tokens[earlier].value], mentions[tokens[place].value]
    if two.symbol or bool(one.units) != bool(two.units):
        return False
    return not one.units or one.units[0].dimension == two.units[0].dimension
