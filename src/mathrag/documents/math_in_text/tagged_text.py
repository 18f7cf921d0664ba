"""Formulas written with tags (`<i>v</i> = <i>v</i><sub>0</sub> + <i>at</i>`) among words: which pieces are formulas.

A lone symbol counts, a row of symbols and signs counts, an equation counts; measured values stay text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, TypeAlias

from mathrag.compute.grammar.lexicon import SURE_NAMES
from mathrag.documents.html.text_scripts import element_count, is_charge, is_molecule
from mathrag.documents.html.walk import Run
from mathrag.documents.math_in_text.tagged_latex import FUNCTIONS, Token, tokens_of, write_formula
from mathrag.types.document import Math

# What each token of tagged text can be: a symbol, part of a formula if its neighbours say so, a unit, a word.
#
# Careful by design: emphasised words, units, ions, isotopes, molecules, ordinals and footnote marks are words.

Role: TypeAlias = Literal[
    "symbol", "maybe", "greek", "number", "operator", "relation", "open", "close", "function", "root", "space", "word",
    "unit",
]  # fmt: skip

_PLAIN_ROLES: dict[str, Role] = {
    "space": "space", "number": "number", "relation": "relation", "operator": "operator", "root": "root",
    "fraction": "number", "open": "open", "close": "close", "infinity": "number",
}  # fmt: skip
LITTLE_WORDS = frozenset(
    "a an and are as at be but by can do does for from had has have he her his how if in is it its may me my no nor "
    "not of off on one only or our out per same she so such than that the then they this to too two up us vs was we "
    "were what when who why will with yes you all any each both more most must very new now use used net due eg ie etc "
    "cf al ed pp vol fig eq sec ch via let set get see ref am pm ad bc be go".split()
)
_VOWEL_LETTERS = frozenset("aeiouyAEIOUY")
_ORDINALS = frozenset(("st", "nd", "rd", "th", "er", "e", "ème", "tm", "sm", "®", "o", "a"))
_LONGEST_NAME = 4
# In italics these are products of symbols sooner than milligrams, years and ampere hours.
WEIGHTS = frozenset(("mg", "ma", "at", "am", "ah", "mc", "ml", "gh", "ph"))
_LONE_UNITS = frozenset("m s g N J W V A K C L T F h".split())


def roles_of(tokens: Sequence[Token]) -> list[Role]:
    """The role of each token, seen with the tokens around it."""
    prose = _in_italic_prose(tokens)
    indexed = {token.text for token in tokens if token.kind == "word" and token.subscript in ("1", "0", "i")}
    roles: list[Role] = [_role(token, in_prose=prose[place], indexed=indexed) for place, token in enumerate(tokens)]
    _mark_chemistry(tokens, roles, indexed)
    _mark_units(tokens, roles)
    return roles


def _role(token: Token, *, in_prose: bool, indexed: set[str]) -> Role:
    if token.run.style.is_verbatim or token.run.style.is_mark:
        return "word"
    if token.kind in _PLAIN_ROLES:
        return _PLAIN_ROLES[token.kind]
    if token.kind == "greek":
        if is_charge(token.superscript):
            return "word"
        return "symbol" if token.has_scripts or token.italic else "greek"
    if token.kind == "prime" or token.kind != "word":
        return "word"
    return _word_role(token, in_prose=in_prose, indexed=indexed)


def _word_role(token: Token, *, in_prose: bool, indexed: set[str]) -> Role:
    text = token.text
    if not text.isascii() or is_charge(token.superscript) or token.superscript.lower() in _ORDINALS - {"o", "a", "e"}:
        return "word"
    if text.lower() in FUNCTIONS and len(text) > 1:
        return "function" if text.islower() or text.istitle() else "word"
    if len(text) == 1:
        return _letter_role(token, in_prose=in_prose, indexed=indexed)
    if len(text) > _LONGEST_NAME:
        return "word"
    if token.sub and token.subscript and (token.italic or text.isupper() or text.istitle()):
        return "symbol" if not in_prose or text.isupper() else "word"
    if in_prose or text.lower() in LITTLE_WORDS - {"at", "am", "me"}:
        return "word"
    if token.italic:
        return "maybe"
    return "maybe" if len(text) == 2 or _VOWEL_LETTERS.isdisjoint(text) or not text[1:].islower() else "word"


def _letter_role(token: Token, *, in_prose: bool, indexed: set[str]) -> Role:
    if token.sub:
        if not token.italic and is_molecule(token.text, token.subscript) and token.text not in indexed:
            return "word"
        return "symbol"
    if token.italic and not in_prose:
        return "symbol"
    return "maybe"


def _in_italic_prose(tokens: Sequence[Token]) -> list[bool]:
    """Which tokens stand in an emphasised phrase or title, where a lone letter is an article or an initial."""
    flags = [False] * len(tokens)
    start = 0
    while start < len(tokens):
        if not tokens[start].italic:
            start += 1
            continue
        stop = start
        while stop < len(tokens) and (tokens[stop].italic or _is_bridge(tokens, stop)):
            stop += 1
        if any(_is_prose_word(token) for token in tokens[start:stop]):
            flags[start:stop] = [True] * (stop - start)
        start = stop
    return flags


def _is_bridge(tokens: Sequence[Token], place: int) -> bool:
    """A space between two emphasised words that were tagged one by one is no bridge: each stands for itself."""
    return False if tokens[place].kind != "space" else tokens[place].italic


def _is_prose_word(token: Token) -> bool:
    if token.kind != "word" or len(token.text) < 2 or token.text.lower() in FUNCTIONS or token.sub:
        return False
    text = token.text
    if text.lower() in LITTLE_WORDS - {"at"} or len(text) > _LONGEST_NAME:
        return True
    return len(text) > 2 and text[1:].islower() and not _VOWEL_LETTERS.isdisjoint(text)


def _mark_chemistry(tokens: Sequence[Token], roles: list[Role], indexed: set[str]) -> None:
    """Upright letters and counts without spaces that are elements throughout are a molecule: `CO2`, `Al2(SO4)3`."""
    place = 0
    while place < len(tokens):
        stop = place
        while stop < len(tokens) and _may_be_chemical(tokens[stop]):
            stop += 1
        if stop == place:
            place += 1
            continue
        letters = [token for token in tokens[place:stop] if token.kind == "word"]
        counts = [element_count(token.text) for token in letters]
        has_counts = any(token.has_scripts for token in tokens[place:stop])
        if letters and all(counts) and has_counts and sum(counts) > 1 and not _is_indexed(letters, indexed):
            roles[place:stop] = ["word"] * (stop - place)
        place = stop


def _is_indexed(letters: list[Token], indexed: set[str]) -> bool:
    return all(len(token.text) == 1 and token.text in indexed for token in letters)


def _may_be_chemical(token: Token) -> bool:
    if token.italic or token.primes or token.kind not in ("word", "open", "close"):
        return False
    below, above = token.subscript, token.superscript
    return (not below or below.isdigit() or below in ("n", "x")) and (not above or is_charge(above))


def _mark_units(tokens: Sequence[Token], roles: list[Role]) -> None:
    """`9.8 m/s²`: upright unit text after a number, with the signs that join its parts."""
    place = 0
    while place < len(tokens):
        if roles[place] != "number" or tokens[place].kind == "fraction":
            place += 1
            continue
        place += 1
        following = place
        while following < len(tokens) and roles[following] == "space":
            following += 1
        if following > place and _is_lone_italic_unit(tokens, roles, following):
            roles[following] = "unit"
        while following < len(tokens) and _is_unit(tokens[following]):
            roles[following] = "unit"
            following += 1
            place = following
            sign = tokens[following].text if following < len(tokens) else ""
            if sign in ("/", "·", "⋅", "∙", "•", "-", "×", "*") and following + 1 < len(tokens):
                if not _is_unit(tokens[following + 1]):
                    break
                roles[following] = "unit"
                following += 1
            elif sign.isspace() and following + 1 < len(tokens) and tokens[following + 1].has_scripts:
                following += 1


def _is_lone_italic_unit(tokens: Sequence[Token], roles: list[Role], place: int) -> bool:
    """`49 <i>m</i>.`: a unit in italics by mistake; with a sign or a symbol after it, it is a symbol."""
    if place >= len(tokens) or not tokens[place].italic or tokens[place].text not in _LONE_UNITS:
        return False
    following = place + 1
    while following < len(tokens) and roles[following] == "space":
        following += 1
    return not tokens[place].has_scripts and (following == len(tokens) or roles[following] == "word")


def _is_unit(token: Token) -> bool:
    if token.kind == "other":
        return token.text in ("%", "°", "℃", "Å", "‰")
    if token.sub or token.kind not in ("word", "greek"):
        return False
    if token.kind == "greek":
        return token.text in "μµΩΩ"
    if token.italic and (len(token.text) == 1 or token.text in WEIGHTS):
        return False
    return is_unit_name(token.text)


def is_unit_name(text: str) -> bool:
    """Whether a text can be a unit."""
    return len(text) <= 20 and text.isascii() and _is_unit_text(text)


@lru_cache(maxsize=4096)
def _is_unit_text(text: str) -> bool:
    # Imported here: the unit tables take a while to load and most pages need them late or never.
    from mathrag.knowledge.units import is_unit_text

    return is_unit_text(text)


# A row of tokens that may be a formula: what belongs to it, what to the sentence, and whether it is one.
#
# Half a formula is worse than none: a row that goes on in words gives its symbols one by one.

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
