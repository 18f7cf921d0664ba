"""Formulas written with tags (`<i>v</i> = <i>v</i><sub>0</sub> + <i>at</i>`) among words: which pieces are formulas.

A lone symbol counts, a row of symbols and signs counts, an equation counts; measured values stay text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mathrag.documents.html.tag_latex import write_formula
from mathrag.documents.html.tag_roles import Role, roles_of
from mathrag.documents.html.tag_rows import (
    LONGEST_ROW,
    NAMES,
    FoundFormula,
    formulas_in_row,
    is_product_by_itself,
    lone_symbols,
    neighbour,
    role_at,
    without_spaces,
)
from mathrag.documents.html.tag_tokens import Token, tokens_of
from mathrag.documents.html.walk import Run
from mathrag.types.document import Math

_IN_FORMULAS = frozenset(
    ("symbol", "maybe", "greek", "number", "operator", "relation", "open", "close", "function", "root", "space")
)
_VALUES = frozenset(("symbol", "maybe", "greek", "number", "close"))
_LETTERS = frozenset(("symbol", "maybe", "greek"))
_SIGNS = ("operator", "relation")
_BESIDE = frozenset((*_SIGNS, *_VALUES, "open", "function", "root"))


def split_tagged(runs: Sequence[Run], *, after_formula: bool = False, before_formula: bool = False) -> list[Run | Math]:
    """Consecutive runs with the formulas among them cut out.

    Half a formula is worse than none: a row that goes on in a formula of another kind beside it gives only its symbols.
    """
    if not any(run.style.italic or run.style.scripts or run.formula is not None for run in runs):
        return list(runs)
    tokens = tokens_of(runs)
    roles = roles_of(tokens)
    found = [*_declared(tokens)]
    taken = {place for each in found for place in range(each.start, each.stop)}
    for start, stop in _stretches(tokens, roles, taken):
        is_cut = (after_formula and start == 0) or (before_formula and stop == len(tokens))
        if is_cut or _is_broken(tokens, roles, start - 1) or _is_broken(tokens, roles, stop):
            found.extend(lone_symbols(tokens, roles, start, stop))
        else:
            found.extend(formulas_in_row(tokens, roles, start, stop))
    return _cut(runs, tokens, sorted(found, key=lambda each: each.start))


def _declared(tokens: Sequence[Token]) -> Iterator[FoundFormula]:
    """Where the page itself says that an element is a formula."""
    start = 0
    while start < len(tokens):
        owner = tokens[start].run.formula
        stop = start + 1
        while owner is not None and stop < len(tokens) and tokens[stop].run.formula is owner:
            stop += 1
        if owner is not None:
            first, last = without_spaces(tokens, start, stop)
            while last > first and tokens[last - 1].text in (".", ",", ";"):
                last -= 1
            source = write_formula(tokens[first:last]) if last - first <= LONGEST_ROW else None
            if source:
                yield FoundFormula(first, last, source)
        start = stop


def _stretches(tokens: Sequence[Token], roles: list[Role], taken: set[int]) -> Iterator[tuple[int, int]]:
    """Longest rows of tokens that can belong to formulas; tokens that only might are checked by their neighbours."""
    for place, role in enumerate(roles):
        if role == "maybe" and not _fits(tokens, roles, place):
            roles[place] = "word"
    start: int | None = None
    for place in range(len(tokens) + 1):
        inside = place < len(tokens) and place not in taken and roles[place] in _IN_FORMULAS
        if inside and start is None:
            start = place
        elif not inside and start is not None:
            if not _LETTERS.isdisjoint(roles[start:place]):
                yield start, place
            start = None


def _is_broken(tokens: Sequence[Token], roles: list[Role], place: int) -> bool:
    """Whether a word clings to a symbol, as in `<i>F</i>net`: what belongs together there cannot be told."""
    if not 0 <= place < len(tokens) or tokens[place].kind != "word" or roles[place] != "word":
        return False
    if tokens[place].text.lower() in ("st", "nd", "rd", "th"):
        return False
    before, after = role_at(roles, place - 1), role_at(roles, place + 1)
    return before in ("symbol", "number", "maybe") or after in ("symbol", "number", "maybe")


def _fits(tokens: Sequence[Token], roles: list[Role], place: int) -> bool:
    """Whether the neighbours make a letter or a short word part of a formula."""
    token = tokens[place]
    if token.italic and token.text in NAMES:
        return True
    before, is_before_apart = neighbour(roles, place, -1)
    after, is_after_apart = neighbour(roles, place, 1)
    beside, behind = role_at(roles, before), role_at(roles, after)
    ends = behind is None or (behind == "word" and tokens[after].text in ",.;:!?)")
    if token.text in ("at", "am", "me"):
        is_term = token.italic or ends or behind in _SIGNS
        return (beside == "operator" and is_term) or (token.italic and (behind in _SIGNS or beside == "relation"))
    if token.italic or (token.run.style.bold and len(token.text) == 1 and not is_before_apart):
        return (
            is_product_by_itself(token)
            or beside in _BESIDE
            or behind in (*_SIGNS, "symbol", "greek", "close", "function")
        )
    left = beside in (None, *_SIGNS, "open", "function", "root") or (not is_before_apart and beside in _VALUES)
    right = ends or behind in (*_SIGNS, "close", "open") or (not is_after_apart and behind in _VALUES)
    if token.has_scripts:
        left = left or beside in _VALUES
        right = right or beside in _SIGNS
    if behind == "relation" and len(token.text) == 1 and token.text not in "aAI":
        left = True
    has_sign = beside in _SIGNS or behind in _SIGNS
    touches = token.has_scripts and (
        (not is_before_apart and beside in ("symbol", "close")) or (not is_after_apart and behind == "symbol")
    )
    return left and right and (has_sign or touches)


def _cut(runs: Sequence[Run], tokens: Sequence[Token], found: list[FoundFormula]) -> list[Run | Math]:
    pieces: list[Run | Math] = []
    at = (0, 0)
    for each in found:
        first, last = tokens[each.start].first, tokens[each.stop - 1].last
        pieces.extend(_between(runs, at, first))
        quote = "".join(run.text for run in _between(runs, first, last))
        pieces.append(Math(each.source, "latex", tokens[each.start].run.node.place, " ".join(quote.split())))
        at = last
    pieces.extend(_between(runs, at, (len(runs), 0)))
    return pieces


def _between(runs: Sequence[Run], start: tuple[int, int], stop: tuple[int, int]) -> list[Run]:
    """The characters from one position up to another."""
    parts: list[Run] = []
    for number in range(start[0], min(stop[0] + 1, len(runs))):
        run = runs[number]
        first = start[1] if number == start[0] else 0
        last = stop[1] if number == stop[0] else len(run.text)
        if first < last:
            parts.append(run if (first, last) == (0, len(run.text)) else replace(run, text=run.text[first:last]))
    return parts
