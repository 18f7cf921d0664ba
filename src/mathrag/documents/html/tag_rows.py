"""A row of tokens that may be a formula: what belongs to it, what to the sentence, and whether it is one.

Half a formula is worse than none: a row that goes on in words gives its symbols one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mathrag.compute.grammar.lexicon import SURE_NAMES
from mathrag.documents.html.tag_latex import write_formula
from mathrag.documents.html.tag_roles import WEIGHTS, Role, is_unit_name
from mathrag.documents.html.tag_tokens import Token

LONGEST_ROW = 400
_DASHES = frozenset("-–")
# Names that stand for a quantity wherever they are set in italics; ordinary words among them are words.
NAMES = frozenset(name for name in SURE_NAMES if not name.islower()) | {"IMA", "AMA"}
_VOWELS = frozenset("aeiouyAEIOUY")
_UNIT_QUOTIENTS = frozenset(
    "m/s m/s2 m2/s2 m/s/s m/(s2) km/h km/s cm/s g/cm3 kg/m3 g/mL kg/L N/m2 W/m2 N/C V/m J/s N/kg kg/s rad/s "
    "rad/s2 kgm/s kgm/s2 kgm2/s2 kgm2 Nm J/kg mol/L g/mol J/K".split()
)


@dataclass(frozen=True, slots=True)
class FoundFormula:
    """A formula from token `start` up to token `stop`."""

    start: int
    stop: int
    source: str


def formulas_in_row(tokens: Sequence[Token], roles: list[Role], start: int, stop: int) -> Iterator[FoundFormula]:
    row = (start, stop)
    if stop - start > LONGEST_ROW:
        # No formula is that long, and trimming brackets looks at a row again and again.
        yield from lone_symbols(tokens, roles, start, stop)
        return
    start, stop = _trimmed(tokens, roles, start, stop)
    if start < stop and (_is_measured(roles, stop) or _is_first_of_values(tokens, roles, stop)):
        stop = _before_value(roles, start, stop)
        start, stop = _trimmed(tokens, roles, start, stop)
    elif start < stop:
        start, stop = _complete(tokens, roles, row, (start, stop))
    stop = _before_remark(tokens, roles, start, stop)
    if start < stop and _is_unit_row(tokens, range(start, stop)):
        return
    whole = _whole(tokens, roles, start, stop) if start < stop else None
    if whole is None:
        yield from lone_symbols(tokens, roles, *row)
        return
    yield from lone_symbols(tokens, roles, row[0], whole.start)
    yield whole
    yield from lone_symbols(tokens, roles, whole.stop, row[1])


def _complete(
    tokens: Sequence[Token], roles: list[Role], row: tuple[int, int], part: tuple[int, int]
) -> tuple[int, int]:
    """Without a side that goes on in words: of `E = K + heat` nothing is left, of `F = ma = m × rate` the first two."""
    start, stop = part
    following, is_apart = neighbour(roles, stop - 1, 1)
    if following < row[1]:
        is_remark = is_apart and _is_word_after(tokens, roles, following)
        is_dash = tokens[following].text in _DASHES
        goes_on = roles[following] in ("operator", "function", "root", "open")
        if goes_on and not (is_remark and (roles[following] == "open" or is_dash)):
            stop = _before_value(roles, start, stop)
    before, _ = neighbour(roles, start, -1)
    is_binary = tokens[start].kind == "operator" and roles[start + 1 : start + 2] == ["space"] and before >= 0
    if is_binary or (before >= row[0] and roles[before] in ("operator", "close")):
        relations = [place for place in range(start, stop) if roles[place] == "relation"]
        start = relations[0] if relations else stop
    return _trimmed(tokens, roles, start, stop)


def _is_word_after(tokens: Sequence[Token], roles: list[Role], place: int) -> bool:
    """Whether words go on behind a bracket or dash: it opens a remark."""
    following, _ = neighbour(roles, place, 1)
    return role_at(roles, following) in ("word", "unit") and tokens[following].text != "constant"


def _trimmed(tokens: Sequence[Token], roles: list[Role], start: int, stop: int) -> tuple[int, int]:
    """Without signs, spaces and brackets at the ends that belong to the sentence."""
    while True:
        before = (start, stop)
        while start < stop and (roles[start] in ("space", "relation", "close") or _is_leading_sign(tokens[start])):
            start += 1
        while stop > start and roles[stop - 1] in ("space", "relation", "operator", "open", "function", "root"):
            stop -= 1
        depth, opening = 0, start
        for place in range(start, stop):
            if roles[place] == "open":
                opening = opening if depth else place
                depth += 1
            elif roles[place] == "close":
                depth -= 1
                if depth < 0:
                    if any(role in ("relation", "symbol") for role in roles[start:place]):
                        stop = place
                    else:
                        start = place + 1
                    break
        else:
            if depth > 0 and opening == start:
                start += 1
            elif depth > 0:
                stop = opening
            elif start < stop and roles[start] == "open" and _is_enclosed(tokens, roles, start, stop):
                start, stop = start + 1, stop - 1
        if (start, stop) == before:
            return before


def _is_leading_sign(token: Token) -> bool:
    return token.kind == "operator" and token.text not in "+-−–±∓"


def _is_enclosed(tokens: Sequence[Token], roles: list[Role], start: int, stop: int) -> bool:
    """Whether one bracket goes round everything; a squared bracket belongs to the formula."""
    depth = 0
    for place in range(start, stop):
        depth += {"open": 1, "close": -1}.get(roles[place], 0)
        if depth == 0:
            return place == stop - 1 and not tokens[place].has_scripts
    return False


def _before_remark(tokens: Sequence[Token], roles: list[Role], start: int, stop: int) -> int:
    """`v (m/s)` heads a column: a symbol and its unit, no function; in `pH 7` the number is a value."""
    if start >= stop or "relation" in roles[start:stop]:
        return stop
    if roles[stop - 1] == "number" and stop - start > 2 and roles[stop - 2] == "space":
        first = neighbour(roles, stop - 1, -1)[0]
        return first + 1 if roles[first] in ("symbol", "maybe") else stop
    if stop - start < 4 or roles[stop - 1] != "close":
        return stop
    opening = stop - 1
    while opening > start and roles[opening] != "open":
        opening -= 1
    inside = "".join(token.text + token.superscript for token in tokens[opening + 1 : stop - 1])
    if opening - 1 <= start or roles[opening - 1] != "space" or not is_unit_name(inside):
        return stop
    return without_spaces(tokens, start, opening)[1]


def _is_measured(roles: list[Role], stop: int) -> bool:
    """Whether a number with a unit ends the row: `v = 30 km/h` states a value, not a formula."""
    following, _ = neighbour(roles, stop - 1, 1)
    return roles[stop - 1] == "number" and role_at(roles, following) == "unit"


def _is_first_of_values(tokens: Sequence[Token], roles: list[Role], stop: int) -> bool:
    """`k = 1, 2, 3` lists values."""
    following, _ = neighbour(roles, stop - 1, 1)
    if roles[stop - 1] != "number" or following >= len(tokens) or tokens[following].text != ",":
        return False
    return role_at(roles, neighbour(roles, following, 1)[0]) == "number"


def _before_value(roles: list[Role], start: int, stop: int) -> int:
    """The last relation before the value; the start where there is none."""
    while stop > start and roles[stop - 1] != "relation":
        stop -= 1
    return max(stop - 1, start)


def _whole(tokens: Sequence[Token], roles: list[Role], start: int, stop: int) -> FoundFormula | None:
    """The row as one formula."""
    row = [place for place in range(start, stop) if roles[place] != "space"]
    kinds = [roles[place] for place in row]
    if len(row) > LONGEST_ROW or not _is_well_formed(tokens, kinds, row):
        return None
    symbols = [place for place in row if roles[place] in ("symbol", "maybe", "greek")]
    if not any(tokens[place].italic or tokens[place].has_scripts for place in symbols):
        return None
    has_relation = "relation" in kinds
    if not has_relation:
        if _is_no_expression(tokens, roles, row):
            return None
    elif not _is_statement(tokens, roles, row):
        return None
    source = write_formula(tokens[start:stop])
    return FoundFormula(start, stop, source) if source else None


def _is_no_expression(tokens: Sequence[Token], roles: list[Role], row: list[int]) -> bool:
    """Rows without a relation that only look like formulas: `5 m`, `1–10 (a)`, `m/s²`, `x-y`, a lone α."""
    kinds = [roles[place] for place in row]
    values = [kind for kind in kinds if kind != "operator"]
    if values == ["number", "symbol"] and row[-1] - row[-2] > 1:
        return True
    if kinds[:3] == ["number", "operator", "number"] and tokens[row[1]].text in _DASHES:
        return True
    if kinds == ["greek"] or _is_pair_of_names(tokens, roles, row):
        return True
    return not any(tokens[place].italic or tokens[place].sub for place in row)


def _is_unit_row(tokens: Sequence[Token], row: Sequence[int]) -> bool:
    """A unit that someone set in italics: `m/s²`."""
    signs = "·⋅∙× "
    flat = "".join(tokens[place].text + tokens[place].superscript for place in row if tokens[place].text not in signs)
    return len(row) > 1 and not any(tokens[place].sub for place in row) and flat in _UNIT_QUOTIENTS


def _is_pair_of_names(tokens: Sequence[Token], roles: list[Role], row: list[int]) -> bool:
    """`x-y` of "the x-y plane" and `d – t` of "the d – t graph" are two names."""
    if len(row) != 3 or roles[row[1]] != "operator" or tokens[row[1]].text not in _DASHES:
        return False
    return not any(tokens[place].has_scripts for place in row)


def _is_statement(tokens: Sequence[Token], roles: list[Role], row: list[int]) -> bool:
    """An equation has a symbol on its left; `1 N = 1 kg·m/s²` and `5 > 3` have none that we would compute."""
    relation = next(at for at, place in enumerate(row) if roles[place] == "relation")
    left, right = row[:relation], row[relation + 1 :]
    names = ("symbol", "maybe", "greek", "function")
    if not any(roles[place] in names for place in left):
        return any(roles[place] in names for place in right) and tokens[row[relation]].text in "<>≤≥=≈"
    return True


def _is_well_formed(tokens: Sequence[Token], kinds: list[Role], row: list[int]) -> bool:
    """Brackets close, signs stand between values, no two numbers side by side."""
    depth, waiting, previous = 0, True, ""
    for kind, place in zip(kinds, row, strict=True):
        if kind == "open":
            depth, waiting = depth + 1, True
        elif kind == "close":
            depth -= 1
            if waiting or depth < 0:
                return False
        elif kind in ("operator", "relation"):
            is_sign = tokens[place].text in "+-−–±∓"
            if waiting and not (kind == "operator" and is_sign and previous in ("", "open", "relation", "operator")):
                return False
            waiting = True
        elif kind in ("function", "root"):
            waiting = True
        else:
            if kind == "number" and previous == "number" and tokens[place].kind != "fraction":
                return False
            waiting = False
        previous = kind
    return depth == 0 and not waiting


def lone_symbols(tokens: Sequence[Token], roles: list[Role], start: int, stop: int) -> Iterator[FoundFormula]:
    """The row is no formula as a whole: each symbol in it for itself, a change (`Δt`) with what changes."""
    for place in range(start, stop):
        token = tokens[place]
        is_named = token.italic and (token.text in NAMES or is_product_by_itself(token))
        if roles[place] != "symbol" and not (roles[place] == "maybe" and is_named):
            continue
        first = place
        if place > start and tokens[place - 1].text in ("Δ", "∆") and not tokens[place - 1].has_scripts:
            first = place - 1
        source = write_formula(tokens[first : place + 1])
        if source:
            yield FoundFormula(first, place + 1, source)


def is_product_by_itself(token: Token) -> bool:
    """`mgh`, `kx`, `qvB` in italics: letters that spell neither a word nor a unit."""
    text = token.text
    if len(text) < 2 or not text[0].islower() or not _VOWELS.isdisjoint(text):
        return False
    return text in WEIGHTS or not is_unit_name(text)


def neighbour(roles: list[Role], place: int, step: int) -> tuple[int, bool]:
    """The next token that is no space, and whether a space stands between."""
    other = place + step
    apart = False
    while 0 <= other < len(roles) and roles[other] == "space":
        other += step
        apart = True
    return other, apart


def role_at(roles: list[Role], place: int) -> Role | None:
    return roles[place] if 0 <= place < len(roles) else None


def without_spaces(tokens: Sequence[Token], start: int, stop: int) -> tuple[int, int]:
    while start < stop and tokens[start].kind == "space":
        start += 1
    while stop > start and tokens[stop - 1].kind == "space":
        stop -= 1
    return start, stop
