"""Formulas written with tags (`<i>v</i> = <i>v</i><sub>0</sub> + <i>at</i>`) among words: the manner of tagged text.

A lone symbol counts, a row of symbols and signs counts, an equation counts; measured values stay text. Half a formula
is worse than none: a row that goes on in words gives its symbols one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mathrag.compute.grammar.lexicon import SURE_NAMES
from mathrag.documents.math_in_text.finder import (
    Manner,
    RowGrammar,
    find_formulas,
    is_well_formed,
    neighbour,
    role_at,
)
from mathrag.documents.math_in_text.tagged_latex import TAGGED_FUNCTIONS, TaggedToken, write_formula
from mathrag.documents.math_in_text.tokens import LEADING_SIGNS, VOWELS, FoundFormula, Role, is_unit_name
from mathrag.knowledge.elements import element_symbols
from mathrag.language.word_classes import word_class

# Which upright letters with small digits are chemical formulas and ions (`H2O`, `SO4`, `Na+`), not mathematics.

# With D for heavy hydrogen, as chemists write it.
_ELEMENTS = element_symbols() | {"D"}
_SYMBOL = re.compile(r"[A-Z][a-z]?")
_MOLECULES = frozenset(("H2", "D2", "N2", "O2", "O3", "F2", "I2", "P4", "S8", "C60", "Cl2", "Br2"))
_CHARGE = re.compile(r"[0-9]{0,2}[+\-−–]|[0-9]{1,2}[+\-−–]")


def is_charge(superscript: str) -> bool:
    """Whether a superscript is the charge of an ion or a particle: `+`, `2−`."""
    return _CHARGE.fullmatch(superscript.strip()) is not None


def element_count(letters: str) -> int:
    """How many element symbols the letters are; 0 where they are something else."""
    place = count = 0
    while place < len(letters):
        found = _SYMBOL.match(letters, place)
        if found is None:
            return 0
        symbol = found.group()
        if symbol not in _ELEMENTS:
            symbol = symbol[0]
            if symbol not in _ELEMENTS:
                return 0
        place += len(symbol)
        count += 1
    return count


def is_molecule(letters: str, digits: str) -> bool:
    """Whether a lone element with a count is a molecule people write about: `O2`, not `F1` or `T2`."""
    return letters + digits in _MOLECULES


# What each token of tagged text can be: a symbol, part of a formula if its neighbours say so, a unit, a word.
#
# Careful by design: emphasised words, units, ions, isotopes, molecules, ordinals and footnote marks are words.

_PLAIN_ROLES: dict[str, Role] = {
    "number": "number", "relation": "relation", "operator": "operator", "root": "root",
    "fraction": "number", "open": "open", "close": "close", "infinity": "number",
}  # fmt: skip
_LITTLE_WORDS = word_class("text_formulas.in_tagged_text")
# Products of symbols that happen to be words: acceleration by time, mass by acceleration, mass of an electron.
_PRODUCTS = frozenset(("at", "am", "me"))
_ORDINALS = frozenset(("st", "nd", "rd", "th", "er", "e", "ème", "tm", "sm", "®", "o", "a"))
_LONGEST_NAME = 4
# What joins the parts of a unit.
_UNIT_JOINTS = frozenset(("/", "·", "⋅", "∙", "•", "-", "×", "*"))
# In italics these are products of symbols sooner than milligrams, years and ampere hours.
_WEIGHTS = frozenset(("mg", "ma", "at", "am", "ah", "mc", "ml", "gh", "ph"))
_LONE_UNITS = frozenset("m s g N J W V A K C L T F h".split())


def _roles(tokens: Sequence[TaggedToken]) -> list[Role]:
    """The role of each token, seen with the tokens around it."""
    prose = _in_italic_prose(tokens)
    indexed = {token.text for token in tokens if token.kind == "word" and token.subscript in ("1", "0", "i")}
    roles: list[Role] = [_role(token, in_prose=prose[place], indexed=indexed) for place, token in enumerate(tokens)]
    _mark_chemistry(tokens, roles, indexed)
    _mark_units(tokens, roles)
    return roles


def _role(token: TaggedToken, *, in_prose: bool, indexed: set[str]) -> Role:
    if token.is_aside:
        return "word"
    if token.kind in _PLAIN_ROLES:
        return _PLAIN_ROLES[token.kind]
    if token.kind == "greek":
        if is_charge(token.superscript):
            return "word"
        return "symbol" if token.has_scripts or token.italic else "greek"
    if token.kind != "word":
        return "word"
    return _word_role(token, in_prose=in_prose, indexed=indexed)


def _word_role(token: TaggedToken, *, in_prose: bool, indexed: set[str]) -> Role:
    text = token.text
    if not text.isascii() or is_charge(token.superscript) or token.superscript.lower() in _ORDINALS - {"o", "a", "e"}:
        return "word"
    if text.lower() in TAGGED_FUNCTIONS and len(text) > 1:
        return "function" if text.islower() or text.istitle() else "word"
    if len(text) == 1:
        return _letter_role(token, in_prose=in_prose, indexed=indexed)
    if len(text) > _LONGEST_NAME:
        return "word"
    if token.subscript and (token.italic or text.isupper() or text.istitle()):
        return "symbol" if not in_prose or text.isupper() else "word"
    if in_prose or text.lower() in _LITTLE_WORDS - _PRODUCTS:
        return "word"
    if token.italic:
        return "maybe"
    return "maybe" if len(text) == 2 or VOWELS.isdisjoint(text) or not text[1:].islower() else "word"


def _letter_role(token: TaggedToken, *, in_prose: bool, indexed: set[str]) -> Role:
    if token.subscript:
        if not token.italic and is_molecule(token.text, token.subscript) and token.text not in indexed:
            return "word"
        return "symbol"
    if token.italic and not in_prose:
        return "symbol"
    return "maybe"


def _in_italic_prose(tokens: Sequence[TaggedToken]) -> list[bool]:
    """Which tokens stand in an emphasised phrase or title, where a lone letter is an article or an initial."""
    flags = [False] * len(tokens)
    start = 0
    while start < len(tokens):
        if not tokens[start].italic:
            start += 1
            continue
        stop = start + 1
        while stop < len(tokens) and tokens[stop].italic and _is_in_phrase(tokens[stop]):
            stop += 1
        if any(_is_prose_word(token) for token in tokens[start:stop]):
            flags[start:stop] = [True] * (stop - start)
        start = stop
    return flags


def _is_in_phrase(token: TaggedToken) -> bool:
    """Plain white between two emphasised words that were tagged one by one parts them: each stands for itself."""
    return not token.gap or token.white_is_italic


def _is_prose_word(token: TaggedToken) -> bool:
    if token.kind != "word" or len(token.text) < 2 or token.text.lower() in TAGGED_FUNCTIONS or token.subscript:
        return False
    text = token.text
    if text.lower() in _LITTLE_WORDS - {"at"} or len(text) > _LONGEST_NAME:
        return True
    return len(text) > 2 and text[1:].islower() and not VOWELS.isdisjoint(text)


def _mark_chemistry(tokens: Sequence[TaggedToken], roles: list[Role], indexed: set[str]) -> None:
    """Upright letters and counts without spaces that are elements throughout are a molecule: `CO2`, `Al2(SO4)3`."""
    place = 0
    while place < len(tokens):
        stop = place
        while stop < len(tokens) and _may_be_chemical(tokens[stop]) and not (stop > place and tokens[stop].gap):
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


def _is_indexed(letters: list[TaggedToken], indexed: set[str]) -> bool:
    return all(len(token.text) == 1 and token.text in indexed for token in letters)


def _may_be_chemical(token: TaggedToken) -> bool:
    if token.italic or token.primes or token.kind not in ("word", "open", "close"):
        return False
    below, above = token.subscript, token.superscript
    return (not below or below.isdigit() or below in ("n", "x")) and (not above or is_charge(above))


def _mark_units(tokens: Sequence[TaggedToken], roles: list[Role]) -> None:
    """`9.8 m/s²`: upright unit text after a number, with the signs that join its parts."""
    place = 0
    while place < len(tokens):
        is_value = roles[place] == "number" and tokens[place].kind != "fraction"
        place += 1
        if not is_value:
            continue
        if _is_lone_italic_unit(tokens, roles, place):
            roles[place] = "unit"
        stop = _end_of_unit(tokens, place)
        roles[place:stop] = ["unit"] * (stop - place)
        place = stop


def _end_of_unit(tokens: Sequence[TaggedToken], start: int) -> int:
    """Where the unit ends that begins at a place; the place itself where none does."""
    place = stop = start
    while place < len(tokens) and _is_unit(tokens[place]):
        place = stop = place + 1
        if place >= len(tokens) or (tokens[place].gap and not tokens[place].has_scripts):
            break
        if tokens[place].text in _UNIT_JOINTS and not tokens[place].gap and place + 1 < len(tokens):
            if tokens[place + 1].gap:
                break
            place += 1
    return stop


def _is_lone_italic_unit(tokens: Sequence[TaggedToken], roles: list[Role], place: int) -> bool:
    """`49 <i>m</i>.`: a unit in italics by mistake; with a sign or a symbol after it, it is a symbol."""
    if place >= len(tokens) or not tokens[place].gap or not tokens[place].italic:
        return False
    is_alone = place + 1 == len(tokens) or roles[place + 1] == "word"
    return is_alone and tokens[place].text in _LONE_UNITS and not tokens[place].has_scripts


def _is_unit(token: TaggedToken) -> bool:
    if token.kind == "other":
        return token.text in ("%", "°", "℃", "Å", "‰")
    if token.subscript or token.kind not in ("word", "greek"):
        return False
    if token.kind == "greek":
        return token.text in "μµΩΩ"
    if token.italic and (len(token.text) == 1 or token.text in _WEIGHTS):
        return False
    return is_unit_name(token.text)


# A row of tokens that may be a formula: what belongs to it, what to the sentence, and whether it is one.

_LONGEST_ROW = 400
_DASHES = frozenset("-–")
# Names that stand for a quantity wherever they are set in italics; ordinary words among them are words.
_NAMES = frozenset(name for name in SURE_NAMES if not name.islower()) | {"IMA", "AMA"}
_UNIT_QUOTIENTS = frozenset(
    "m/s m/s2 m2/s2 m/s/s m/(s2) km/h km/s cm/s g/cm3 kg/m3 g/mL kg/L N/m2 W/m2 N/C V/m J/s N/kg kg/s rad/s "
    "rad/s2 kgm/s kgm/s2 kgm2/s2 kgm2 Nm J/kg mol/L g/mol J/K".split()
)


_GRAMMAR = RowGrammar(
    signs_after=frozenset(("", "open", "relation", "operator")),
    doubled_signs=True,
    functions_take_more=True,
    numbers_side_by_side=False,
)


def _formulas_in_row(tokens: Sequence[TaggedToken], roles: list[Role], start: int, stop: int) -> Iterator[FoundFormula]:
    """The whole row as a formula where it is one, with the symbols beside it; else its symbols one by one."""
    row = (start, stop)
    if stop - start > _LONGEST_ROW:
        # No formula is that long, and trimming brackets looks at a row again and again.
        yield from _lone_symbols(tokens, roles, start, stop)
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
        yield from _lone_symbols(tokens, roles, *row)
        return
    yield from _lone_symbols(tokens, roles, row[0], whole.start)
    yield whole
    yield from _lone_symbols(tokens, roles, whole.stop, row[1])


def _complete(
    tokens: Sequence[TaggedToken], roles: list[Role], row: tuple[int, int], part: tuple[int, int]
) -> tuple[int, int]:
    """Without a side that goes on in words: of `E = K + heat` nothing is left, of `F = ma = m × rate` the first two."""
    start, stop = part
    following, is_apart = neighbour(tokens, stop - 1, 1)
    if following < row[1]:
        is_remark = is_apart and _is_word_after(tokens, roles, following)
        is_dash = tokens[following].text in _DASHES
        goes_on = roles[following] in ("operator", "function", "root", "open")
        if goes_on and not (is_remark and (roles[following] == "open" or is_dash)):
            stop = _before_value(roles, start, stop)
    before = start - 1
    is_binary = tokens[start].kind == "operator" and neighbour(tokens, start, 1)[1] and before >= 0
    if is_binary or (before >= row[0] and roles[before] in ("operator", "close")):
        relations = [place for place in range(start, stop) if roles[place] == "relation"]
        start = relations[0] if relations else stop
    return _trimmed(tokens, roles, start, stop)


def _is_word_after(tokens: Sequence[TaggedToken], roles: list[Role], place: int) -> bool:
    """Whether words go on behind a bracket or dash: it opens a remark."""
    return role_at(roles, place + 1) in ("word", "unit") and tokens[place + 1].text != "constant"


def _trimmed(tokens: Sequence[TaggedToken], roles: list[Role], start: int, stop: int) -> tuple[int, int]:
    """Without signs and brackets at the ends that belong to the sentence."""
    while True:
        before = (start, stop)
        while start < stop and (roles[start] in ("relation", "close") or _is_leading_sign(tokens[start])):
            start += 1
        while stop > start and roles[stop - 1] in ("relation", "operator", "open", "function", "root"):
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


def _is_leading_sign(token: TaggedToken) -> bool:
    return token.kind == "operator" and token.text not in LEADING_SIGNS


def _is_enclosed(tokens: Sequence[TaggedToken], roles: list[Role], start: int, stop: int) -> bool:
    """Whether one bracket goes round everything; a squared bracket belongs to the formula."""
    depth = 0
    for place in range(start, stop):
        depth += {"open": 1, "close": -1}.get(roles[place], 0)
        if depth == 0:
            return place == stop - 1 and not tokens[place].has_scripts
    return False


def _before_remark(tokens: Sequence[TaggedToken], roles: list[Role], start: int, stop: int) -> int:
    """`v (m/s)` heads a column: a symbol and its unit, no function; in `pH 7` the number is a value."""
    if start >= stop or "relation" in roles[start:stop]:
        return stop
    if roles[stop - 1] == "number" and stop - start > 1 and tokens[stop - 1].gap:
        return stop - 1 if roles[stop - 2] in ("symbol", "maybe") else stop
    if roles[stop - 1] != "close":
        return stop
    opening = stop - 1
    while opening > start and roles[opening] != "open":
        opening -= 1
    inside = "".join(
        (" " if token.gap else "") + token.text + token.superscript for token in tokens[opening + 1 : stop - 1]
    )
    return opening if opening > start and tokens[opening].gap and is_unit_name(inside) else stop


def _is_measured(roles: list[Role], stop: int) -> bool:
    """Whether a number with a unit ends the row: `v = 30 km/h` states a value, not a formula."""
    return roles[stop - 1] == "number" and role_at(roles, stop) == "unit"


def _is_first_of_values(tokens: Sequence[TaggedToken], roles: list[Role], stop: int) -> bool:
    """`k = 1, 2, 3` lists values."""
    if roles[stop - 1] != "number" or stop >= len(tokens) or tokens[stop].text != ",":
        return False
    return role_at(roles, stop + 1) == "number"


def _before_value(roles: list[Role], start: int, stop: int) -> int:
    """The last relation before the value; the start where there is none."""
    while stop > start and roles[stop - 1] != "relation":
        stop -= 1
    return max(stop - 1, start)


def _whole(tokens: Sequence[TaggedToken], roles: list[Role], start: int, stop: int) -> FoundFormula | None:
    """The row as one formula."""
    row, kinds = range(start, stop), roles[start:stop]
    if not is_well_formed(tokens[start:stop], kinds, _GRAMMAR):
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


def _is_no_expression(tokens: Sequence[TaggedToken], roles: list[Role], row: range) -> bool:
    """Rows without a relation that only look like formulas: `5 m`, `1–10 (a)`, `m/s²`, `x-y`, a lone α."""
    kinds = [roles[place] for place in row]
    values = [kind for kind in kinds if kind != "operator"]
    if values == ["number", "symbol"] and tokens[row[-1]].gap:
        return True
    if kinds[:3] == ["number", "operator", "number"] and tokens[row[1]].text in _DASHES:
        return True
    if kinds == ["greek"] or _is_pair_of_names(tokens, roles, row):
        return True
    return not any(tokens[place].italic or tokens[place].subscript for place in row)


def _is_unit_row(tokens: Sequence[TaggedToken], row: range) -> bool:
    """A unit that someone set in italics: `m/s²`."""
    signs = "·⋅∙×"
    flat = "".join(tokens[place].text + tokens[place].superscript for place in row if tokens[place].text not in signs)
    return len(row) > 1 and not any(tokens[place].subscript for place in row) and flat in _UNIT_QUOTIENTS


def _is_pair_of_names(tokens: Sequence[TaggedToken], roles: list[Role], row: range) -> bool:
    """`x-y` of "the x-y plane" and `d – t` of "the d – t graph" are two names."""
    if len(row) != 3 or roles[row[1]] != "operator" or tokens[row[1]].text not in _DASHES:
        return False
    return not any(tokens[place].has_scripts for place in row)


def _is_statement(tokens: Sequence[TaggedToken], roles: list[Role], row: range) -> bool:
    """An equation has a symbol on its left; `1 N = 1 kg·m/s²` and `5 > 3` have none that we would compute."""
    relation = next(at for at, place in enumerate(row) if roles[place] == "relation")
    left, right = row[:relation], row[relation + 1 :]
    names = ("symbol", "maybe", "greek", "function")
    if not any(roles[place] in names for place in left):
        return any(roles[place] in names for place in right) and tokens[row[relation]].text in "<>≤≥=≈"
    return True


def _lone_symbols(tokens: Sequence[TaggedToken], roles: list[Role], start: int, stop: int) -> Iterator[FoundFormula]:
    """The row is no formula as a whole: each symbol in it for itself, a change (`Δt`) with what changes."""
    for place in range(start, stop):
        token = tokens[place]
        is_named = token.italic and (token.text in _NAMES or _is_product_by_itself(token))
        if roles[place] != "symbol" and not (roles[place] == "maybe" and is_named):
            continue
        first = place
        if place > start and not token.gap and _is_change(tokens[place - 1]):
            first = place - 1
        source = write_formula(tokens[first : place + 1])
        if source:
            yield FoundFormula(first, place + 1, source)


def _is_change(token: TaggedToken) -> bool:
    return token.text in ("Δ", "∆") and not token.has_scripts


def _is_product_by_itself(token: TaggedToken) -> bool:
    """`mgh`, `kx`, `qvB` in italics: letters that spell neither a word nor a unit."""
    text = token.text
    if len(text) < 2 or not text[0].islower() or not VOWELS.isdisjoint(text):
        return False
    return text in _WEIGHTS or not is_unit_name(text)


_VALUES = frozenset(("symbol", "maybe", "greek", "number", "close"))
_SIGNS = ("operator", "relation")
_BESIDE = frozenset((*_SIGNS, *_VALUES, "open", "function", "root"))


def find_tagged(
    tokens: Sequence[TaggedToken], *, after_formula: bool = False, before_formula: bool = False
) -> list[FoundFormula]:
    """The formulas among the tokens, in their order; beside a formula of another kind only symbols are taken."""
    found = list(_declared(tokens))
    taken = {place for each in found for place in range(each.start, each.stop)}
    found += find_formulas(tokens, TAGGED, taken=taken, after_formula=after_formula, before_formula=before_formula)
    return sorted(found, key=lambda each: each.start)


def _declared(tokens: Sequence[TaggedToken]) -> Iterator[FoundFormula]:
    """Where the page itself says that an element is a formula."""
    start = 0
    while start < len(tokens):
        owner = tokens[start].owner
        stop = start + 1
        while owner is not None and stop < len(tokens) and tokens[stop].owner is owner:
            stop += 1
        if owner is not None:
            first, last = start, stop
            while last > first and tokens[last - 1].text in (".", ",", ";"):
                last -= 1
            source = write_formula(tokens[first:last]) if last - first <= _LONGEST_ROW else None
            if source:
                yield FoundFormula(first, last, source)
        start = stop


def _settled_roles(tokens: Sequence[TaggedToken]) -> list[Role]:
    """The roles, those tokens that only might belong to a formula settled by their neighbours, from left to right."""
    roles = _roles(tokens)
    for place, role in enumerate(roles):
        if role == "maybe" and not _fits(tokens, roles, place):
            roles[place] = "word"
    return roles


def _is_torn(tokens: Sequence[TaggedToken], roles: Sequence[Role], place: int) -> bool:
    """Whether a word clings to a symbol, as in `<i>F</i>net`: what belongs together there cannot be told."""
    if not 0 <= place < len(tokens) or tokens[place].kind != "word" or roles[place] != "word":
        return False
    if tokens[place].text.lower() in ("st", "nd", "rd", "th"):
        return False
    beside = [role_at(roles, other) for other, is_apart in _both_sides(tokens, place) if not is_apart]
    return any(role in ("symbol", "number", "maybe") for role in beside)


def _both_sides(tokens: Sequence[TaggedToken], place: int) -> tuple[tuple[int, bool], tuple[int, bool]]:
    return neighbour(tokens, place, -1), neighbour(tokens, place, 1)


def _fits(tokens: Sequence[TaggedToken], roles: list[Role], place: int) -> bool:
    """Whether the neighbours make a letter or a short word part of a formula."""
    token = tokens[place]
    if token.italic and token.text in _NAMES:
        return True
    (before, is_before_apart), (after, is_after_apart) = _both_sides(tokens, place)
    beside, behind = role_at(roles, before), role_at(roles, after)
    ends = behind is None or (behind == "word" and tokens[after].text in ",.;:!?)")
    if token.text in _PRODUCTS:
        is_term = token.italic or ends or behind in _SIGNS
        is_factor = token.italic and beside == "number" and not is_before_apart
        return (
            (beside == "operator" and is_term)
            or is_factor
            or (token.italic and (behind in _SIGNS or beside == "relation"))
        )
    if token.italic or (token.bold and len(token.text) == 1 and not is_before_apart):
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
    # `√(LC)`, `2πRC`: what a root is taken of, and what clings to a Greek letter.
    is_below_root = beside == "open" and behind == "close" and role_at(roles, before - 1) == "root"
    has_sign = beside in _SIGNS or behind in _SIGNS or is_below_root or (not is_before_apart and beside == "greek")
    touches = token.has_scripts and (
        (not is_before_apart and beside in ("symbol", "close")) or (not is_after_apart and behind == "symbol")
    )
    return left and right and (has_sign or touches)


TAGGED: Manner[TaggedToken] = Manner(
    roles=_settled_roles, judge=_formulas_in_row, is_torn=_is_torn, remains=_lone_symbols
)
