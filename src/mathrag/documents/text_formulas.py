"""Formulas that stand in plain words without any mark-up (`E = ½mv²`): which text is one, and its LaTeX.

Careful by design: a sentence must never become a formula, so a line counts only as a whole, apart from a lead
("Kinetic energy:") and a tail ("where m is the mass"). What the formula means is for the formula readers to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice, pairwise

from mathrag.documents.text_formula_tokens import Token, is_word, tokenise
from mathrag.documents.text_formula_writing import write_latex
from mathrag.types.document import Content, Inline, Math, Notation, Place, Text

_LONGEST = 300
_LONGEST_LEFT = 40
_MOST_RELATIONS = 3
_MOST_TAILS = 6
_LEAD = re.compile(r"(?:[:：]|\s[–—-])\s+")
_TAIL = re.compile(
    r"[,;]?\s+(?:where|for|if|when|whenever|with|at|since|because|assuming|provided|in which)\s"
    r"|[,;]\s+(?=[A-Za-z]{2,}\s+[A-Za-z]{2,})"
    r"|\s+\((?=[^()=]{0,200}[A-Za-z]{3})(?=[^()=]{0,200}\)\W*$)"
    r"|\s{3,}\(\d"
)
_PROGRAM = re.compile(r"==|!=|:=|=>|->|<-|[-+*/%|&]=|<=|>=|<>|&&|\|\||\+\+|--|://|→|⇌|←|↔|;\s*\S|\w\.[A-Za-z_]|\\")
_COMMON_SHORT = frozenset(
    "is of to at in an as be or if so by we it on no do my us am go he me up the and are was has for not".split()
)
_PLAIN_END = " \t.,;:"
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


def find_formula(text: str, *, strict: bool = False) -> TextFormula | None:
    """The formula that a line of plain text consists of, apart from a lead and a tail; None for anything else.

    `strict` is for text that may well be a program or a setting (code spans): the right side must then compute
    something, and from other symbols than the one on the left.
    """
    if len(text) > _LONGEST or ("=" not in text and "≈" not in text) or _PROGRAM.search(text):
        return None
    start = 0 if strict else _lead(text)
    for end in (len(text),) if strict else _ends(text, start):
        first, last = _bare(text, start, end)
        found = _read(text[first:last], strict=strict)
        if found:
            return TextFormula(first, last, *found)
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


def _lead(text: str) -> int:
    """Where the formula starts: after the last colon or dash that follows words and comes before the first `=`."""
    relation = re.search(r"[=≈]", text)
    start = 0
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


def _read(candidate: str, *, strict: bool) -> tuple[str, Notation] | None:
    tokens = tokenise(candidate)
    if tokens is None:
        return None
    if any(_is_open_sum(token, following) for token, following in zip(tokens, [*tokens[1:], None], strict=True)):
        return None
    sides = _sides(tokens)
    if not 2 <= len(sides) <= _MOST_RELATIONS + 1 or not all(_is_well_formed(side) for side in sides):
        return None
    relations = [token.text for token in tokens if token.kind == "relation"]
    measured = _measured(candidate, relations)
    if measured is not None and not strict and _is_symbol(sides[0]):
        return measured, "latex"
    if not _sides_are_formulas(sides, strict=strict):
        return None
    if any(token.text in ("*", "**") for token in tokens) and not any(_juxtaposes(side) for side in sides):
        return candidate, "text"
    source = write_latex(tokens)
    return None if source is None else (source, "latex")


def _is_open_sum(token: Token, following: Token | None) -> bool:
    """Whether a sum runs over an index that is not told (`Σk²`); the sum of all forces, `ΣF`, is one symbol."""
    if not token.text.startswith("Σ"):
        return False
    return token.text[1:2] in ("i", "j", "k", "n") or (following is not None and following.kind == "superscript")


def _sides(tokens: list[Token]) -> list[list[Token]]:
    sides: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == "relation":
            sides.append([])
        else:
            sides[-1].append(token)
    return sides


def _is_well_formed(side: list[Token]) -> bool:
    """Brackets close, and every sign stands between values (or, as a sign, before one)."""
    depth, waiting = 0, True
    for place, token in enumerate(side):
        match token.kind:
            case "open":
                depth, waiting = depth + 1, True
            case "close":
                if waiting or depth == 0:
                    return False
                depth -= 1
            case "operator":
                is_sign = token.text in "+-−–±∓√∛"
                if waiting and not is_sign:
                    return False
                previous = side[place - 1] if place else None
                doubles = previous is not None and previous.kind == "operator" and previous.text in "+-−–±∓"
                if waiting and doubles and token.text not in "√∛":
                    return False
                waiting = True
            case "comma":
                if waiting or depth == 0:
                    return False
                waiting = True
            case "superscript" | "subscript" | "mark":
                if waiting:
                    return False
            case _:
                waiting = False
    return depth == 0 and not waiting and bool(side)


def _sides_are_formulas(sides: list[list[Token]], *, strict: bool) -> bool:
    left, right = sides[0], sides[1:]
    if left[-1].end - left[0].start > _LONGEST_LEFT or not any(token.kind in ("name", "species") for token in left):
        return False
    if any(_has_common_word(side) for side in sides):
        return False
    everything = [token for side in right for token in side]
    has_letters = any(token.kind in ("name", "function", "species") for token in everything)
    computes = any(token.kind in ("operator", "superscript", "function", "fraction") for token in everything)
    left_words = [token for token in left if is_word(token)]
    right_words = [token for token in everything if is_word(token)]
    if right_words:
        return not strict and computes and all(_is_word_sum(side) for side in sides)
    if left_words:
        # A name spelt out on the left needs a right side that nothing but a formula looks like.
        is_name = len(left_words) == len(left) <= 4
        return is_name and has_letters and (computes or _juxtaposes(right[0])) and not strict
    if not strict:
        return True
    repeats = _symbols(left) & _symbols(everything)
    is_capital = len(left) == 1 and len(left[0].text) == 1 and left[0].text.isupper()
    return has_letters and not repeats and (computes or _juxtaposes(right[0]) or (is_capital and len(right[0]) == 1))


def _symbols(side: list[Token]) -> set[str]:
    """The symbols of a side with the digits and subscripts that hang on them."""
    names: list[str] = []
    for before, token in zip((None, *side), side, strict=False):
        if token.kind == "name":
            names.append(token.text)
        elif names and before is not None and before.end == token.start and token.kind in ("number", "subscript"):
            names[-1] += token.text if before.kind == "name" else ""
    return set(names)


def _is_symbol(side: list[Token]) -> bool:
    return all(token.kind in ("name", "subscript", "operator", "number") for token in side) and not any(
        is_word(token) or token.text in "+-−–*/" for token in side
    )


def _has_common_word(side: list[Token]) -> bool:
    """Whether a little English word stands free between values, as in `5 at t`; `v + at` has none."""
    for place, token in enumerate(side):
        if token.kind != "name" or token.text.lower() not in _COMMON_SHORT:
            continue
        if place and side[place - 1].end < token.start and side[place - 1].is_value:
            return True
        if place + 1 < len(side) and side[place + 1].start > token.end and side[place + 1].is_value:
            return True
    return False


def _juxtaposes(side: list[Token]) -> bool:
    """Whether two values stand side by side without a sign: a product that only mathematics writes."""
    for before, after in pairwise(side):
        if before.ends_value and after.is_value and not (before.kind == "function" or _is_index(before, after)):
            return True
    return any(token.kind == "name" and _is_product(token.text) for token in side)


def _is_product(name: str) -> bool:
    """Whether letters written together can only be several symbols: `nRT`, `ρg`."""
    return len(name) > 1 and (not name.isascii() or (len(name) > 2 and not name[1:].islower() and not name.isupper()))


def _is_index(before: Token, after: Token) -> bool:
    return before.kind == "name" and after.kind == "number" and before.end == after.start


def _is_word_sum(side: list[Token]) -> bool:
    """Whether a side is made of names of quantities, numbers and signs: `mass / volume`."""
    from mathrag.compute.kinds import kinds_for_words

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
    if found is None or left is None or number is None or not _is_unit(found.group(2)):
        return None
    symbol, value = write_latex(left), write_latex(number)
    unit = found.group(2).replace("%", r"\%")
    return rf"{symbol} {relations[0]} {value}\ \mathrm{{{unit}}}" if symbol and value else None


def _is_unit(text: str) -> bool:
    # Imported here: the unit tables take a while to load and most documents have no such line.
    from mathrag.compute.units import is_unit_text

    return is_unit_text(text)
