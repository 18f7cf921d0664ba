"""What each token of tagged text can be: a symbol, part of a formula if its neighbours say so, a unit, a word.

Careful by design: emphasised words, units, ions, isotopes, molecules, ordinals and footnote marks are words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from mathrag.documents.html.chemistry import element_count, is_charge, is_molecule
from mathrag.documents.html.tag_latex import FUNCTIONS
from mathrag.documents.html.tag_tokens import Token

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
_VOWELS = frozenset("aeiouyAEIOUY")
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
    return "maybe" if len(text) == 2 or _VOWELS.isdisjoint(text) or not text[1:].islower() else "word"


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
    return len(text) > 2 and text[1:].islower() and not _VOWELS.isdisjoint(text)


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
    from mathrag.compute.units import is_unit_text

    return is_unit_text(text)
