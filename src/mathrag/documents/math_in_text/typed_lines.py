"""Formulas that stand in plain words without any mark-up (`E = ½mv²`): the manner of typed lines, and their LaTeX.

Careful by design: a sentence must never become a formula, so a line counts only as a whole, apart from a lead
("Kinetic energy:") and a tail ("where m is the mass"). What the formula means is for the formula readers to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, pairwise

from mathrag.documents.math_in_text.finder import Manner, RowGrammar, find_formulas, is_well_formed
from mathrag.documents.math_in_text.odd_brackets import without_odd_bracket
from mathrag.documents.math_in_text.tokens import (
    FUNCTIONS,
    SUBSCRIPTS,
    SUPERSCRIPTS,
    FoundFormula,
    Role,
    TextToken,
    closing_bracket,
    is_unit,
)
from mathrag.documents.math_in_text.word_lines import says_equality, word_formula
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.document import Content, Inline, Math, Notation, Place, Text

# The signs and names of a formula written in plain text, one by one. Gives up on any character no formula has.

_TYPED_FUNCTIONS = FUNCTIONS | {"asin", "acos", "atan", "lg", "sqrt"}
_RAISED = "".join(map(chr, SUPERSCRIPTS))
_LOWERED = "".join(map(chr, SUBSCRIPTS))
# Without the y, which is a coordinate sooner than a vowel where nothing is set in italics.
_VOWELS = frozenset("aeiou")
_FUNCTION = "(?:a|arc)?(?:sinh?|cosh?|tanh?|log|ln|lg|exp|sqrt)"
# With digits between its letters a name is one: nobody writes a product like `VO2max`.
_TOKEN = re.compile(
    rf"""
      (?P<space>\s+)
    | (?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d+)?|\.\d+)
    | (?P<species>\[[A-Z][A-Za-z]{{0,8}}[0-9₀-₉]{{0,3}}(?:[A-Z][A-Za-z]{{0,2}}[0-9₀-₉]{{0,3}}){{0,4}}
        (?:\^?[0-9]?[+-]|[⁰¹²³⁴-⁹]?[⁺⁻])?\])
    | (?P<superscript>[{re.escape(_RAISED)}]+)
    | (?P<subscript>[{re.escape(_LOWERED)}]+)
    | (?P<name>(?!{_FUNCTION}\d)(?:[A-Za-z]{{2,}}\d+[A-Za-z]{{2,}}|[A-Za-z]{{3,}}\d+[A-Za-z]|[A-Za-z]\d+[A-Za-z]{{3,}})
        (?![A-Za-zͰ-ϿΩµℏℓ])|[A-Za-zͰ-ϿΩµℏℓ]+)
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


VALUE_STARTS = frozenset(("name", "number", "function", "fraction", "open", "species", "infinity"))
VALUE_ENDS = frozenset(
    ("name", "number", "fraction", "close", "species", "superscript", "subscript", "mark", "infinity")
)
_ROLES: dict[str, Role] = {
    "number": "number", "fraction": "number", "infinity": "number", "species": "symbol", "name": "symbol",
    "label": "symbol", "superscript": "mark", "subscript": "mark", "mark": "mark", "relation": "relation",
    "operator": "operator", "open": "open", "close": "close", "comma": "comma", "function": "function",
}  # fmt: skip
GRAMMAR = RowGrammar(
    signs_after=frozenset(("", "open", "operator", "comma", "root")),
    doubled_signs=False,
    functions_take_more=False,
    numbers_side_by_side=True,
)


def roles_of(tokens: Sequence[TextToken]) -> list[Role]:
    """What each token is in a formula."""
    return ["root" if token.text in ("√", "∛") else _ROLES[token.kind] for token in tokens]


def tokenise(text: str, *, with_others: bool = False) -> list[TextToken] | None:
    """The tokens of a text; None if a character belongs to no formula, or `with_others` one of kind `other` for it."""
    tokens: list[TextToken] = []
    place, gap = 0, 0.0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            if not with_others:
                return None
            tokens.append(TextToken("other", text[place], place, place + 1, gap))
            place, gap = place + 1, 0.0
            continue
        kind = found.lastgroup or ""
        if kind == "space":
            gap = 1.0
        else:
            if kind == "name":
                tokens.extend(_names(found.group(), place, gap, is_label=_is_lowering(tokens, place)))
            else:
                tokens.append(TextToken(kind, found.group(), place, found.end(), gap))
            gap = 0.0
        place = found.end()
    return tokens


def _is_lowering(tokens: Sequence[TextToken], place: int) -> bool:
    return bool(tokens) and tokens[-1].text == "_" and tokens[-1].end == place


def _names(text: str, place: int, gap: float, *, is_label: bool) -> list[TextToken]:
    """A run of letters as a function, a name, or both: `sinθ` is a sine of θ."""
    if is_label:
        return [TextToken("label", text, place, place + len(text), gap)]
    if text.lower() in _TYPED_FUNCTIONS:
        return [TextToken("function", text.lower(), place, place + len(text), gap)]
    joined = re.fullmatch(
        r"([A-Za-z]{0,3}?)(arc(?:sin|cos|tan)|sinh|cosh|tanh|sin|cos|tan|ln|log)([Ͱ-Ͽ][A-Za-zͰ-Ͽ]?)?", text
    )
    if joined is None or not joined.group(3):
        return [TextToken("name", text, place, place + len(text), gap)]
    tokens: list[TextToken] = []
    for kind, part in zip(("name", "function", "name"), joined.groups(), strict=True):
        if part:
            tokens.append(TextToken(kind, part, place, place + len(part), gap))
            place, gap = place + len(part), 0.0
    return tokens


def is_word(token: TextToken) -> bool:
    """Whether a name looks like a word of a language and not like a symbol or a product of symbols (`mgh`, `nRT`)."""
    text = token.text
    if token.kind != "name" or len(text) < 3 or not text.isascii():
        return False
    if not text[1:].islower():
        return len(text) > 5
    return len(text) > 5 or not _VOWELS.isdisjoint(text.lower())


# A formula of plain text, token by token, as LaTeX that says the same. Judges nothing: what it gets is a formula.

_SIGNS = {"*": r"\cdot ", "·": r"\cdot ", "⋅": r"\cdot ", "∙": r"\cdot ", "×": r"\times ", "÷": "/", "−": "-", "–": "-"}
_SIGNS |= {"±": r"\pm ", "∓": r"\mp "}
_FUNCTIONS = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}


def write_latex(tokens: Sequence[TextToken]) -> str | None:
    """LaTeX of the tokens; None where plain text leaves open what is meant (`√L/g`, `√gh`)."""
    parts: list[str] = []
    place = 0
    while place < len(tokens):
        written = _write_at(tokens, place)
        if written is None:
            return None
        text, after = written
        if parts and place and tokens[place].gap and not parts[-1].endswith(" "):
            parts.append(" ")
        parts.append(text)
        place = after
    return "".join(parts).strip()


def _write_at(tokens: Sequence[TextToken], place: int) -> tuple[str, int] | None:
    token = tokens[place]
    match token.kind:
        case "number":
            return _number(tokens, place)
        case "superscript":
            return f"^{{{token.text.translate(SUPERSCRIPTS)}}}", place + 1
        case "subscript":
            return f"_{{{token.text.translate(SUBSCRIPTS)}}}", place + 1
        case "name":
            return _name(tokens, place)
        case "function":
            return _function(tokens, place)
        case "species":
            return rf"[\mathrm{{{_species(token.text[1:-1])}}}]", place + 1
        case "operator":
            return _operator(tokens, place)
        case "relation":
            return (r"\approx " if token.text in "≈≅" else "="), place + 1
        case "mark":
            return {"%": r"\%", "°": r"^\circ ", "′": "'", "″": "''"}.get(token.text, token.text), place + 1
        case "open" | "close":
            return {"{": r"\{", "}": r"\}"}.get(token.text, token.text), place + 1
        case "infinity":
            return r"\infty ", place + 1
        case _:
            return token.text, place + 1


def _number(tokens: Sequence[TextToken], place: int) -> tuple[str, int]:
    digits = tokens[place].text.replace(",", "")
    ahead = tokens[place + 1 : place + 4]
    is_fraction = (
        len(ahead) == 3
        and ahead[0].text == "/"
        and ahead[1].kind == "number"
        and ahead[2].kind in ("name", "open", "function")
        and (place == 0 or tokens[place - 1].kind in ("operator", "relation", "open"))
    )
    if is_fraction:
        # `1/2 m v²` is half of m v², never one divided by all that follows.
        return rf"\frac{{{digits}}}{{{ahead[1].text}}}", place + 3
    return digits, place + 1


def _name(tokens: Sequence[TextToken], place: int) -> tuple[str, int]:
    words = [tokens[place].text]
    while is_word(tokens[place]) and place + 1 < len(tokens) and tokens[place + 1].kind == "name":
        place += 1
        words.append(tokens[place].text)
    if len(words) > 1:
        return rf"\text{{{' '.join(words)}}}", place + 1
    if not words[0].isalpha():
        return rf"\text{{{words[0]}}}", place + 1
    name = rf"\mathrm{{{words[0]}}}" if is_word(tokens[place]) else words[0]
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if following is None or following.gap:
        return name, place + 1
    if following.kind == "number":
        return f"{name}_{{{following.text}}}", place + 2
    return (rf"{name}_\infty ", place + 2) if following.kind == "infinity" else (name, place + 1)


def _function(tokens: Sequence[TextToken], place: int) -> tuple[str, int] | None:
    token = tokens[place]
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if token.text == "sqrt":
        return _root(tokens, place, r"\sqrt")
    name = rf"\{_FUNCTIONS.get(token.text, token.text)}"
    if following is not None and following.kind == "number" and not following.gap:
        return f"{name}_{{{following.text}}}", place + 2
    return f"{name} ", place + 1


def _species(text: str) -> str:
    plain = text.translate(SUPERSCRIPTS).translate(SUBSCRIPTS)
    found = re.fullmatch(r"(.*?)\^?(\d?[+-])?", plain)
    body, charge = found.groups() if found else (plain, None)
    lowered = re.sub(r"(\d+)", r"_{\1}", body)
    return f"{lowered}^{{{charge}}}" if charge else lowered


def _operator(tokens: Sequence[TextToken], place: int) -> tuple[str, int] | None:
    token = tokens[place]
    if token.text in ("^", "**", "_"):
        return _script(tokens, place)
    if token.text in "√∛":
        return _root(tokens, place, r"\sqrt" if token.text == "√" else r"\sqrt[3]")
    return _SIGNS.get(token.text, token.text), place + 1


def _script(tokens: Sequence[TextToken], place: int) -> tuple[str, int] | None:
    """`^(n-1)`, `^-1`, `_avg`: what belongs to the script goes into braces."""
    sign = "_" if tokens[place].text == "_" else "^"
    first = place + 1
    if tokens[first].kind == "open":
        after = _closing(tokens, first)
        inner = write_latex(tokens[first + 1 : after])
        return None if inner is None else (f"{sign}{{{inner}}}", after + 1)
    minus = ""
    if tokens[first].text in "-−–+" and first + 1 < len(tokens):
        minus, first = ("-" if tokens[first].text != "+" else "+"), first + 1
    body = tokens[first].text
    after = first + 1
    if sign == "_":
        while after < len(tokens) and tokens[after].kind in ("number", "name") and not tokens[after].gap:
            body += tokens[after].text
            after += 1
    elif tokens[first].kind == "name" and len(body) > 1:
        # `x^ab`: whether b belongs to the exponent cannot be told.
        return None
    return f"{sign}{{{minus}{body}}}", after


def _root(tokens: Sequence[TextToken], place: int, command: str) -> tuple[str, int] | None:
    first = place + 1
    if first >= len(tokens):
        return None
    if tokens[first].kind == "open":
        after = _closing(tokens, first)
        inner = write_latex(tokens[first + 1 : after])
        return None if inner is None else (f"{command}{{{inner}}}", after + 1)
    after = first + 1
    while after < len(tokens) and tokens[after].kind in ("subscript", "superscript"):
        after += 1
    is_clear = tokens[first].kind == "number" or (tokens[first].kind == "name" and len(tokens[first].text) == 1)
    goes_on = after < len(tokens) and (tokens[after].kind in VALUE_STARTS or tokens[after].text in ("/", "^", "_", "÷"))
    if not is_clear or goes_on:
        return None
    inner = write_latex(tokens[first:after])
    return None if inner is None else (f"{command}{{{inner}}}", after)


def _closing(tokens: Sequence[TextToken], opening: int) -> int:
    """The place of the bracket that closes; the caller has seen to it that every bracket does."""
    closing = closing_bracket(tokens, opening)
    return len(tokens) if closing is None else closing


# A line of typed text: where a formula may begin and end in it, and whether what stands there is one.

_LONGEST = 300
_LONGEST_LEFT = 40
_MOST_RELATIONS = 3
_MOST_TAILS = 6
_LEAD = re.compile(r"(?:[:：]|\s[–—-])\s+")
_TAIL = re.compile(
    rf"[,;]?\s+(?:{any_of('text_formulas.opens_remark')})\s"
    r"|[,;]\s+(?=[A-Za-z]{2,}\s+[A-Za-z]{2,})"
    r"|\s+\((?=[^()=]{0,200}[A-Za-z]{3})(?=[^()=]{0,200}\)\W*$)"
    r"|\s{3,}\(\d"
    r"|\s+\{(?=[^{}=]{0,200}\}\W*$)"
)
_PROGRAM = re.compile(
    r"==|!=|:=|=>|->|<-|[-+*/%|&]=|<=|>=|<>|&&|\|\||(?<![A-Z][a-z])\+\+|--|://|→|⇌|←|↔|;\s*(?!where\s|with\s)\S|\w\.[A-Za-z_]|\\"
)
_NUMBERING = re.compile(r"\s*\(?\d{1,2}[.)]\s+(?=[A-Za-z])")
_PLAIN_END = " \t.,;:"
_ABBREVIATION = re.compile(
    r"(?<![A-Za-z])[A-Z][A-Za-z]*[A-Z](?![A-Za-z])|(?<![A-Za-z])[A-Z][a-z]{1,2}[A-Z]|[A-Za-z0-9₀-₉][⁺⁻]"
)
_CROSS = re.compile(r"[A-Za-z]{3}_[A-Za-z]{2}|[\w)\]]\s+[xX]\s+(?:[A-Za-z]{2}|\d|[(\[])")
_SAID_PRODUCT = frozenset("*×·")
_LONG_NAME = re.compile(r"(?<![A-Za-z])[A-Z](?=[A-Za-z]{0,9}[A-Z])[A-Za-z]{3,9}(?![A-Za-z(])")
_LAST_LETTERS = re.compile(r"([^\W\d_]\w{0,11})\s*$")
_EXPLAINED = re.compile(r"\b([^\W\d_]\w{0,11})\s+(?:is|are|being|denotes|means|stands|the|=)\s")
_VALUE = re.compile(
    r"\s*([-−–+]?\s?\d[\d.,]*(?:\s*[×x·]\s*10(?:\^?[-−–+]?\d+|[⁺⁻]?[⁰¹²³⁴-⁹]+))?)\s+([^\s\d=+−–][^\s=+−–]*)"
)


@dataclass(frozen=True, slots=True)
class TextFormula:
    """Where a formula stands in a text, from `start` up to `end`, and what a formula reader should get."""

    start: int
    end: int
    source: str
    notation: Notation

    def moved(self, by: int) -> TextFormula:
        """The same in a text that has so many characters more before it."""
        return replace(self, start=self.start + by, end=self.end + by)


def find_formula(text: str, *, strict: bool = False) -> TextFormula | None:
    """The formula that a line of plain text consists of, apart from a lead and a tail; None for anything else.

    `strict` is for text that may well be a program or a setting (code spans): the right side must then compute
    something, and from other symbols than the one on the left.
    """
    if len(text) > _LONGEST:
        return None
    if "=" not in text and "≈" not in text:
        return None if strict or not says_equality(text) else _in_words(text, 0)
    if _PROGRAM.search(text):
        return None
    start = 0 if strict else lead_of(text)
    if not strict and _has_names(text):
        in_words = _in_words(text, start)
        if in_words is not None or _multiplies_names(text):
            return in_words
    for end in (len(text),) if strict else _ends(text, start):
        first, last = _bare(text, start, end)
        candidate = text[first:last]
        tokens = tokenise(candidate)
        found = find_formulas(tokens, _typed(candidate, text[end:], strict=strict)) if tokens else []
        if found:
            named = word_formula(candidate) if strict and _has_names(candidate) else None
            return TextFormula(first, last, named or found[0].source, "latex" if named else found[0].notation)
    return None if strict else _in_words(text, start)


def _multiplies_names(text: str) -> bool:
    """Where products have a sign, a run of letters with several capitals (SrCr, CLCR) is one name, never a product."""
    return not _SAID_PRODUCT.isdisjoint(text) and _LONG_NAME.search(text) is not None


def _has_names(text: str) -> bool:
    """Whether runs of letters may be names and an x a sign, which must not be taken for products of letters."""
    return _ABBREVIATION.search(text) is not None or _CROSS.search(text) is not None


def _in_words(text: str, start: int) -> TextFormula | None:
    """The equation in words that a line is; the longest stretch first, since a unit may look like a remark."""
    for end in dict.fromkeys((len(text), *reversed(_ends(text, start)))):
        first, last = _bare(text, start, end)
        source = word_formula(text[first:last]) or without_odd_bracket(text[first:last], word_formula)
        if source is not None:
            return TextFormula(first, last, source, "latex")
    return None


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _PLAIN_END:
        start += 1
    while end > start and text[end - 1] in _PLAIN_END:
        end -= 1
    return start, end


def split_formulas(text: str, *, place: Place, bold: bool = False, italic: bool = False) -> Content:
    """A line of plain text as pieces: its lead, the formula, its tail; one piece of words where there is no formula.

    The quote of the formula is the text as given, so `text` must be what the document says, character by character.
    """
    found = find_formula(text)
    if found is None:
        return (Text(text, bold, italic),) if text else ()
    pieces: list[Inline] = []
    if text[: found.start]:
        pieces.append(Text(text[: found.start], bold, italic))
    pieces.append(Math(found.source, found.notation, place, text[found.start : found.end]))
    if text[found.end :]:
        pieces.append(Text(text[found.end :], bold, italic))
    return tuple(pieces)


def lead_of(text: str) -> int:
    """Where the formula starts: after the last colon or dash that follows words and comes before the first `=`."""
    relation = re.search(r"[=≈]", text)
    numbering = _NUMBERING.match(text)
    start = numbering.end() if numbering else 0
    for found in _LEAD.finditer(text, 0, relation.start() if relation else 0):
        before = text[: found.start()]
        if re.search(r"[^\W\d_]{3}", before) and not re.search(r"[+*/^=×·÷]\s*$", before):
            start = found.end()
    return start


def _ends(text: str, start: int) -> list[int]:
    """Where the formula may end: before words that comment on it, the nearest first; else with the text."""
    relation = re.search(r"[=≈]", text[start:])
    if relation is None:
        return []
    return [*(found.start() for found in islice(_TAIL.finditer(text, start + relation.end()), _MOST_TAILS)), len(text)]


def _typed(candidate: str, behind: str, *, strict: bool) -> Manner[TextToken]:
    """The manner of a typed line; numbers with units are read from its characters, unless the words behind it explain
    the last letters as a symbol (`s = 0.75 d, where d is the depth`)."""
    last = _LAST_LETTERS.search(candidate)
    is_symbol = last is not None and any(found[1] == last[1] for found in _EXPLAINED.finditer(behind))
    return Manner(
        roles=roles_of, judge=partial(_whole_line, candidate=candidate, strict=strict, may_measure=not is_symbol)
    )


def _whole_line(
    tokens: Sequence[TextToken],
    roles: Sequence[Role],
    start: int,
    stop: int,
    *,
    candidate: str,
    strict: bool,
    may_measure: bool,
) -> Iterator[FoundFormula]:
    """The line as one formula, or nothing."""
    if any(_is_open_sum(token, following) for token, following in zip(tokens, [*tokens[1:], None], strict=True)):
        return
    sides = _sides(tokens)
    if not 2 <= len(sides) <= _MOST_RELATIONS + 1 or not all(
        is_well_formed(side, roles_of(side), GRAMMAR) for side in sides
    ):
        return
    if sides[0][0].kind == "number" and all(is_amount(side) for side in sides):
        # "30 lb / 2.2 = 13.6 kg" is a sum that somebody did.
        return
    relations = [token.text for token, role in zip(tokens, roles, strict=True) if role == "relation"]
    measured = _measured(candidate, relations) if may_measure else None
    if measured is not None and not strict and _is_symbol(sides[0]):
        yield FoundFormula(start, stop, measured)
    elif not _sides_are_formulas(sides, strict=strict):
        return
    elif any(token.text in ("*", "**") for token in tokens) and not any(juxtaposes(side) for side in sides):
        yield FoundFormula(start, stop, candidate, "text")
    elif source := write_latex(tokens):
        yield FoundFormula(start, stop, source)


def is_amount(side: Sequence[TextToken]) -> bool:
    """Whether all letters of a side are units behind numbers."""
    for before, token in zip((None, *side), side, strict=False):
        is_placed = before is not None and (before.kind in ("number", "name") or before.text in "/·")
        if token.kind in ("name", "function") and not (is_placed and is_unit(token.text)):
            return False
    return True


def _is_open_sum(token: TextToken, following: TextToken | None) -> bool:
    """Whether a sum runs over an index that is not told (`Σk²`); the sum of all forces, `ΣF`, is one symbol."""
    if not token.text.startswith("Σ"):
        return False
    return token.text[1:2] in ("i", "j", "k", "n") or (following is not None and following.kind == "superscript")


def _sides(tokens: Sequence[TextToken]) -> list[list[TextToken]]:
    sides: list[list[TextToken]] = [[]]
    for token in tokens:
        if token.kind == "relation":
            sides.append([])
        else:
            sides[-1].append(token)
    return sides


def _sides_are_formulas(sides: list[list[TextToken]], *, strict: bool) -> bool:
    left, right = sides[0], sides[1:]
    if left[-1].end - left[0].start > _LONGEST_LEFT or not any(token.kind in ("name", "species") for token in left):
        return False
    if any(_has_common_word(side) for side in sides):
        return False
    everything = [token for side in right for token in side]
    left_words = [token for token in left if is_word(token)]
    if any(is_word(token) for token in everything):
        return not strict and computes(everything) and all(_is_word_sum(side) for side in sides)
    if left_words:
        # A name spelt out on the left needs a right side that nothing but a formula looks like.
        is_name = len(left_words) == len(left) <= 4
        return is_name and _has_letters(everything) and (computes(everything) or juxtaposes(right[0])) and not strict
    return not strict or _defines(left, right[0], everything)


def _defines(left: list[TextToken], first: list[TextToken], right: list[TextToken]) -> bool:
    """Whether the right side computes the left one from other symbols, as no setting of a program does."""
    if not _has_letters(right) or symbols_of(left) & symbols_of(right):
        return False
    is_capital = len(left) == 1 and len(left[0].text) == 1 and left[0].text.isupper()
    return computes(right) or juxtaposes(first) or (is_capital and len(first) == 1)


def _has_letters(side: Sequence[TextToken]) -> bool:
    return any(token.kind in ("name", "function", "species") for token in side)


def computes(side: Sequence[TextToken]) -> bool:
    """Whether a side has a sign or a function."""
    return any(token.kind in ("operator", "superscript", "function", "fraction") for token in side)


def symbols_of(side: Sequence[TextToken]) -> set[str]:
    """The symbols of a side with the digits and subscripts that hang on them."""
    names: list[str] = []
    for before, token in zip((None, *side), side, strict=False):
        if token.kind == "name":
            names.append(token.text)
        elif names and before is not None and not token.gap and token.kind in ("number", "subscript", "mark"):
            names[-1] += token.text if before.kind == "name" else ""
    return set(names)


def _is_symbol(side: Sequence[TextToken]) -> bool:
    return all(token.kind in ("name", "subscript", "operator", "number") for token in side) and not any(
        is_word(token) or token.text in "+-−–*/" for token in side
    )


def _has_common_word(side: Sequence[TextToken]) -> bool:
    """Whether a little English word stands free between values, as in `5 at t`; `v + at` has none."""
    for place, token in enumerate(side):
        if token.kind != "name" or token.text.lower() not in word_class("text_formulas.free_in_lines"):
            continue
        if place and token.gap and side[place - 1].kind in VALUE_STARTS:
            return True
        if place + 1 < len(side) and side[place + 1].gap and side[place + 1].kind in VALUE_STARTS:
            return True
    return False


def juxtaposes(side: Sequence[TextToken]) -> bool:
    """Whether two values stand side by side without a sign: a product that only mathematics writes."""
    for before, after in pairwise(side):
        if before.kind in VALUE_ENDS and after.kind in VALUE_STARTS and not _is_index(before, after):
            return True
    return any(token.kind == "name" and _is_product(token.text) for token in side)


def _is_product(name: str) -> bool:
    """Whether letters written together can only be several symbols: `nRT`, `ρg`."""
    return len(name) > 1 and (not name.isascii() or (len(name) > 2 and not name[1:].islower() and not name.isupper()))


def _is_index(before: TextToken, after: TextToken) -> bool:
    return before.kind == "name" and after.kind == "number" and not after.gap


def _is_word_sum(side: Sequence[TextToken]) -> bool:
    """Whether a side is made of names of quantities, numbers and signs: `mass / volume`."""
    from mathrag.knowledge.kinds import kinds_for_words

    phrases: list[list[str]] = [[]]
    for token in side:
        if token.kind == "name":
            phrases[-1].append(token.text)
        elif token.kind in ("operator", "open", "close", "number"):
            phrases.append([])
        else:
            return False
    return all(kinds_for_words(" ".join(phrase)) for phrase in phrases if phrase)


def _measured(candidate: str, relations: list[str]) -> str | None:
    """LaTeX of `c = 3.00 × 10⁸ m/s`: a symbol, one number and a unit; None where the end is no unit."""
    if len(relations) != 1:
        return None
    at = candidate.index(relations[0])
    found = _VALUE.fullmatch(candidate, at + 1)
    left = tokenise(candidate[:at])
    number = tokenise(found.group(1)) if found else None
    if found is None or left is None or number is None or not is_unit(found.group(2)):
        return None
    symbol, value = write_latex(left), write_latex(number)
    unit = found.group(2).replace("%", r"\%")
    return rf"{symbol} {relations[0]} {value}\ \mathrm{{{unit}}}" if symbol and value else None
