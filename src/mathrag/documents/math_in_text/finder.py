"""The one finder of formulas in running text: which tokens belong together, and whether they are a formula.

Formats show different things: tags show styles, glyphs show fonts and white, a typed line shows nothing but letters. So
each brings its `Manner`: the roles of its tokens, what breaks a stretch and what a stretch must have. The way from
tokens to formulas and the grammar of a row are the same for all. Reads no meaning and knows no format.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

from mathrag.documents.math_in_text.tokens import LEADING_SIGNS, AnyToken, FoundFormula, Role, TextToken

_OUTSIDE = frozenset(("word", "unit"))


@dataclass(frozen=True, slots=True)
class RowGrammar:
    """What may stand side by side in a formula of some kind of text.

    `signs_after` are the roles after which a sign may lead a value; the empty one is the start of the row.
    """

    signs_after: frozenset[str]
    doubled_signs: bool
    functions_take_more: bool
    numbers_side_by_side: bool


def _never(_tokens: Sequence[TextToken], _roles: Sequence[Role], _place: int) -> bool:
    return False


def _nothing(_tokens: Sequence[TextToken], _roles: Sequence[Role], _start: int, _stop: int) -> Iterable[FoundFormula]:
    return ()


@dataclass(frozen=True, slots=True)
class Manner(Generic[AnyToken]):
    """How one kind of text shows its formulas: everything in which formats differ.

    `judge` finds the formulas in a stretch of tokens without words. `is_break` says whether a formula cannot go on from
    the token before to the one at a place, `is_torn` whether what belongs together at a word cannot be told;
    of a torn stretch only `remains` are taken.
    """

    roles: Callable[[Sequence[AnyToken]], list[Role]]
    judge: Callable[[Sequence[AnyToken], list[Role], int, int], Iterable[FoundFormula]]
    is_break: Callable[[Sequence[AnyToken], Sequence[Role], int], bool] = _never
    is_torn: Callable[[Sequence[AnyToken], Sequence[Role], int], bool] = _never
    remains: Callable[[Sequence[AnyToken], list[Role], int, int], Iterable[FoundFormula]] = _nothing


def find_formulas(
    tokens: Sequence[AnyToken],
    manner: Manner[AnyToken],
    *,
    taken: Collection[int] = (),
    after_formula: bool = False,
    before_formula: bool = False,
) -> list[FoundFormula]:
    """The formulas in a row of tokens, from left to right.

    Tokens that are `taken` belong to formulas already. Half a formula is worse than none: where the row goes on in a
    formula of another kind, before it or after it, the stretch beside that counts as torn.
    """
    roles = manner.roles(tokens)
    found: list[FoundFormula] = []
    for start, stop in stretches(tokens, roles, manner.is_break, taken):
        is_cut = (after_formula and start == 0) or (before_formula and stop == len(tokens))
        is_torn = is_cut or manner.is_torn(tokens, roles, start - 1) or manner.is_torn(tokens, roles, stop)
        found.extend((manner.remains if is_torn else manner.judge)(tokens, roles, start, stop))
    return found


def stretches(
    tokens: Sequence[AnyToken],
    roles: Sequence[Role],
    is_break: Callable[[Sequence[AnyToken], Sequence[Role], int], bool],
    taken: Collection[int] = (),
) -> Iterator[tuple[int, int]]:
    """The longest rows of tokens without words."""
    start: int | None = None
    for place, role in enumerate(roles):
        if role in _OUTSIDE or place in taken:
            if start is not None:
                yield start, place
            start = None
        elif start is None:
            start = place
        elif is_break(tokens, roles, place):
            yield start, place
            start = place
    if start is not None:
        yield start, len(roles)


def is_well_formed(tokens: Sequence[TextToken], roles: Sequence[Role], grammar: RowGrammar) -> bool:
    """Whether brackets close and every sign stands between values (or, as the sign of a value, before one)."""
    depth, waiting = 0, True
    previous: tuple[str, str] = ("", "")
    for token, role in zip(tokens, roles, strict=True):
        match role:
            case "open":
                depth, waiting = depth + 1, True
            case "close":
                if waiting or depth == 0:
                    return False
                depth -= 1
            case "operator" | "relation":
                if waiting and not (role == "operator" and _may_lead(token, previous, grammar)):
                    return False
                waiting = True
            case "comma":
                if waiting or depth == 0:
                    return False
                waiting = True
            case "mark":
                if waiting:
                    return False
            case "root":
                waiting = True
            case "function":
                waiting = grammar.functions_take_more
            case _:
                if role == previous[0] == "number" and not grammar.numbers_side_by_side and token.kind != "fraction":
                    return False
                waiting = False
        previous = (role, token.text)
    return depth == 0 and not waiting


def _may_lead(token: TextToken, previous: tuple[str, str], grammar: RowGrammar) -> bool:
    """Whether a sign is that of the value after it."""
    if token.text not in LEADING_SIGNS or previous[0] not in grammar.signs_after:
        return False
    return grammar.doubled_signs or previous[1] not in LEADING_SIGNS


def neighbour(tokens: Sequence[TextToken], place: int, step: int) -> tuple[int, bool]:
    """The place of the next token to one side, and whether white stands between."""
    other = place + step
    right = max(place, other)
    return other, 0 < right < len(tokens) and tokens[right].gap > 0


def role_at(roles: Sequence[Role], place: int) -> Role | None:
    """The role at a place; None outside the row."""
    return roles[place] if 0 <= place < len(roles) else None
