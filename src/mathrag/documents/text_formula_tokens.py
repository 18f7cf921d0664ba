"""The signs and names of a formula written in plain text, one by one. Gives up on any character no formula has."""

from __future__ import annotations

import re
from dataclasses import dataclass

FUNCTIONS = frozenset(
    "sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan asin acos atan ln log lg exp sqrt max min".split()
)
SUPERSCRIPTS = str.maketrans(
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀᴺᴴᴷ", "0123456789+-=()niabcdefghjklmoprstuvwxyzTNHK"
)
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥᵦᵧᵨᵩᵪ", "0123456789+-=()aeoxhklmnpstijruvβγρφχ")
_RAISED = "".join(map(chr, SUPERSCRIPTS))
_LOWERED = "".join(map(chr, SUBSCRIPTS))
_VOWELS = frozenset("aeiou")
_TOKEN = re.compile(
    rf"""
      (?P<space>\s+)
    | (?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d+)?|\.\d+)
    | (?P<species>\[[A-Z][A-Za-z]{{0,8}}[0-9₀-₉]{{0,3}}(?:[A-Z][A-Za-z]{{0,2}}[0-9₀-₉]{{0,3}}){{0,4}}
        (?:\^?[0-9]?[+-]|[⁰¹²³⁴-⁹]?[⁺⁻])?\])
    | (?P<superscript>[{re.escape(_RAISED)}]+)
    | (?P<subscript>[{re.escape(_LOWERED)}]+)
    | (?P<name>[A-Za-zͰ-ϿΩµℏℓ]+)
    | (?P<relation>[=≈≅≡])
    | (?P<operator>\*\*|[-+−–*/·⋅∙×÷^_√∛±∓])
    | (?P<fraction>[½⅓¼¾⅔⅛⅜⅝⅞⅕⅖⅗⅘⅙⅚])
    | (?P<open>[(\[{{])
    | (?P<close>[)\]}}])
    | (?P<mark>['′″!%°])
    | (?P<comma>,)
    | (?P<infinity>∞)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A sign or a name, and where it stands in the text."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def is_value(self) -> bool:
        """Whether a value may begin here."""
        return self.kind in ("name", "number", "function", "fraction", "open", "species", "infinity")

    @property
    def ends_value(self) -> bool:
        """Whether a value may end here."""
        return self.kind in (
            "name", "number", "fraction", "close", "species", "superscript", "subscript", "mark", "infinity"
        )  # fmt: skip


def tokenise(text: str) -> list[Token] | None:
    """The tokens of a text without its spaces; None if a character belongs to no formula."""
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            return None
        kind = found.lastgroup or ""
        if kind == "name":
            tokens.extend(_names(found.group(), place, follows_underscore=_is_lowering(tokens, place)))
        elif kind != "space":
            tokens.append(Token(kind, found.group(), place, found.end()))
        place = found.end()
    return tokens


def _is_lowering(tokens: list[Token], place: int) -> bool:
    return bool(tokens) and tokens[-1].text == "_" and tokens[-1].end == place


def _names(text: str, place: int, *, follows_underscore: bool) -> list[Token]:
    """A run of letters as a function, a name, or both: `sinθ` is a sine of θ."""
    if follows_underscore:
        return [Token("label", text, place, place + len(text))]
    if text.lower() in FUNCTIONS:
        return [Token("function", text.lower(), place, place + len(text))]
    joined = re.fullmatch(
        r"([A-Za-z]{0,3}?)(arc(?:sin|cos|tan)|sinh|cosh|tanh|sin|cos|tan|ln|log)([Ͱ-Ͽ][A-Za-zͰ-Ͽ]?)?", text
    )
    if joined is None or not joined.group(3):
        return [Token("name", text, place, place + len(text))]
    tokens: list[Token] = []
    for kind, part in zip(("name", "function", "name"), joined.groups(), strict=True):
        if part:
            tokens.append(Token(kind, part, place, place + len(part)))
            place += len(part)
    return tokens


def is_word(token: Token) -> bool:
    """Whether a name looks like a word of a language and not like a symbol or a product of symbols (`mgh`, `nRT`)."""
    text = token.text
    if token.kind != "name" or len(text) < 3 or not text.isascii():
        return False
    if not text[1:].islower():
        return len(text) > 5
    return len(text) > 5 or not _VOWELS.isdisjoint(text.lower())
