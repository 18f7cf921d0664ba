"""Formulas written with tags (`<i>v</i> = <i>v</i><sub>0</sub> + <i>at</i>`) among words: which pieces are formulas.

A lone symbol counts, a row of symbols and signs counts, an equation counts; measured values stay text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mathrag.compute.grammar.lexicon import SURE_NAMES
from mathrag.documents.html.tag_latex import write_formula
from mathrag.documents.html.tag_roles import WEIGHTS, Role, is_unit_name, roles_of
from mathrag.documents.html.tag_tokens import Token, tokens_of
from mathrag.documents.html.walk import Run
from mathrag.types.document import Math

_IN_FORMULAS = frozenset(
    ("symbol", "maybe", "greek", "number", "operator", "relation", "open", "close", "function", "root", "space")
)
_VALUES = frozenset(("symbol", "maybe", "greek", "number", "close"))
_SIGNS = ("operator", "relation")
_BESIDE = frozenset((*_SIGNS, *_VALUES, "open", "function", "root"))
_LONGEST = 400
_DASHES = frozenset("-–")
# Names that stand for a quantity wherever they are set in italics; ordinary words among them are words.
_NAMES = frozenset(name for name in SURE_NAMES if not name.islower()) | {"IMA", "AMA"}
_VOWELS = frozenset("aeiouyAEIOUY")
_UNIT_QUOTIENTS = frozenset(
    "m/s m/s2 m2/s2 m/s/s m/(s2) km/h km/s cm/s g/cm3 kg/m3 g/mL kg/L N/m2 W/m2 N/C V/m J/s N/kg kg/s rad/s "
    "rad/s2 kgm/s kgm/s2 kgm2/s2 kgm2 Nm J/kg mol/L g/mol J/K".split()
)


@dataclass(frozen=True, slots=True)
class _Found:
    """A formula from token `start` up to token `stop`."""

    start: int
    stop: int
    source: str


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
            found.extend(_lone_symbols(tokens, roles, start, stop))
        else:
            found.extend(_formulas_in(tokens, roles, start, stop))
    return _cut(runs, tokens, sorted(found, key=lambda each: each.start))


def _declared(tokens: Sequence[Token]) -> Iterator[_Found]:
    """Where the page itself says that an element is a formula."""
    start = 0
    while start < len(tokens):
        owner = tokens[start].run.formula
        stop = start + 1
        while owner is not None and stop < len(tokens) and tokens[stop].run.formula is owner:
            stop += 1
        if owner is not None:
            first, last = _without_spaces(tokens, start, stop)
            while last > first and tokens[last - 1].text in (".", ",", ";"):
                last -= 1
            source = write_formula(tokens[first:last]) if last - first <= _LONGEST else None
            if source:
                yield _Found(first, last, source)
        start = stop


def _without_spaces(tokens: Sequence[Token], start: int, stop: int) -> tuple[int, int]:
    while start < stop and tokens[start].kind == "space":
        start += 1
    while stop > start and tokens[stop - 1].kind == "space":
        stop -= 1
    return start, stop


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
            yield start, place
            start = None


def _is_broken(tokens: Sequence[Token], roles: list[Role], place: int) -> bool:
    """Whether a word clings to a symbol, as in `<i>F</i>net`: what belongs together there cannot be told."""
    if not 0 <= place < len(tokens) or tokens[place].kind != "word" or roles[place] != "word":
        return False
    if len(tokens[place].text) < 2 or tokens[place].text.lower() in ("st", "nd", "rd", "th"):
        return False
    before, after = _role_at(roles, place - 1), _role_at(roles, place + 1)
    return before in ("symbol", "number", "maybe") or after in ("symbol", "number", "maybe")


def _fits(tokens: Sequence[Token], roles: list[Role], place: int) -> bool:
    """Whether the neighbours make a letter or a short word part of a formula."""
    token = tokens[place]
    if token.italic and token.text in _NAMES:
        return True
    before, is_before_apart = _neighbour(roles, place, -1)
    after, is_after_apart = _neighbour(roles, place, 1)
    beside, behind = _role_at(roles, before), _role_at(roles, after)
    ends = behind is None or (behind == "word" and tokens[after].text in ",.;:!?)")
    if token.text in ("at", "am", "me"):
        return (beside == "operator" and (ends or behind in _SIGNS)) or (token.italic and behind in _SIGNS)
    if token.italic:
        return (
            _is_product_by_itself(token)
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


def _is_product_by_itself(token: Token) -> bool:
    """`mgh`, `kx`, `qvB` in italics: letters that spell neither a word nor a unit."""
    text = token.text
    if len(text) < 2 or not text[0].islower() or not _VOWELS.isdisjoint(text):
        return False
    return text in WEIGHTS or not is_unit_name(text)


def _neighbour(roles: list[Role], place: int, step: int) -> tuple[int, bool]:
    """The next token that is no space, and whether a space stands between."""
    other = place + step
    apart = False
    while 0 <= other < len(roles) and roles[other] == "space":
        other += step
        apart = True
    return other, apart


def _role_at(roles: list[Role], place: int) -> Role | None:
    return roles[place] if 0 <= place < len(roles) else None


def _formulas_in(tokens: Sequence[Token], roles: list[Role], start: int, stop: int) -> Iterator[_Found]:
    if stop - start > _LONGEST:
        # No formula is that long, and trimming brackets looks at a row again and again.
        yield from _lone_symbols(tokens, roles, start, stop)
        return
    start, stop = _trimmed(tokens, roles, start, stop)
    if start < stop and (_is_measured(roles, stop) or _is_first_of_values(tokens, roles, stop)):
        stop = _before_value(roles, start, stop)
        start, stop = _trimmed(tokens, roles, start, stop)
    stop = _before_unit_in_brackets(tokens, roles, start, stop)
    if start >= stop:
        return
    whole = _whole(tokens, roles, start, stop)
    if whole is not None:
        yield whole
        return
    yield from _lone_symbols(tokens, roles, start, stop)


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


def _before_unit_in_brackets(tokens: Sequence[Token], roles: list[Role], start: int, stop: int) -> int:
    """`v (m/s)` heads a column: a symbol and its unit, no function."""
    if stop - start < 4 or roles[stop - 1] != "close" or "relation" in roles[start:stop]:
        return stop
    opening = stop - 1
    while opening > start and roles[opening] != "open":
        opening -= 1
    inside = "".join(token.text + token.superscript for token in tokens[opening + 1 : stop - 1])
    if opening - 1 <= start or roles[opening - 1] != "space" or not is_unit_name(inside):
        return stop
    return _without_spaces(tokens, start, opening)[1]


def _is_measured(roles: list[Role], stop: int) -> bool:
    """Whether a number with a unit ends the row: `v = 30 km/h` states a value, not a formula."""
    following, _ = _neighbour(roles, stop - 1, 1)
    return roles[stop - 1] == "number" and _role_at(roles, following) == "unit"


def _is_first_of_values(tokens: Sequence[Token], roles: list[Role], stop: int) -> bool:
    """`k = 1, 2, 3` lists values."""
    following, _ = _neighbour(roles, stop - 1, 1)
    if roles[stop - 1] != "number" or following >= len(tokens) or tokens[following].text != ",":
        return False
    return _role_at(roles, _neighbour(roles, following, 1)[0]) == "number"


def _before_value(roles: list[Role], start: int, stop: int) -> int:
    """The last relation before the value; the start where there is none."""
    while stop > start and roles[stop - 1] != "relation":
        stop -= 1
    return max(stop - 1, start)


def _whole(tokens: Sequence[Token], roles: list[Role], start: int, stop: int) -> _Found | None:
    """The row as one formula."""
    row = [place for place in range(start, stop) if roles[place] != "space"]
    kinds = [roles[place] for place in row]
    if len(row) > _LONGEST or not _is_well_formed(tokens, kinds, row):
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
    return _Found(start, stop, source) if source else None


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
    if not any(tokens[place].italic or tokens[place].sub for place in row):
        return True
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


def _lone_symbols(tokens: Sequence[Token], roles: list[Role], start: int, stop: int) -> Iterator[_Found]:
    """The row is no formula as a whole: each symbol in it for itself, a change (`Δt`) with what changes."""
    for place in range(start, stop):
        if roles[place] != "symbol":
            continue
        first = place
        if place > start and tokens[place - 1].text in ("Δ", "∆") and not tokens[place - 1].has_scripts:
            first = place - 1
        source = write_formula(tokens[first : place + 1])
        if source:
            yield _Found(first, place + 1, source)


def _cut(runs: Sequence[Run], tokens: Sequence[Token], found: list[_Found]) -> list[Run | Math]:
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
