"""Formulas typed the way a program would compute them: whole names, every sign written out (`gain = (hi - lo) / span`).

Where names have several letters, a product that is not written out cannot be told from a word, so only formulas whose
every sign stands there are taken. Assignments of a program look the same; what tells them apart is the place (listings
are not searched at all) and that a formula never computes a name from itself. Reads no meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from mathrag.compute.printers.latex import latex_text
from mathrag.compute.pythontext import read_python_text
from mathrag.documents.math_in_text.tokens import is_unit
from mathrag.documents.math_in_text.typed_cases import cases_in_line, may_have_cases
from mathrag.documents.math_in_text.typed_lines import TextFormula, find_formula
from mathrag.documents.math_in_text.typed_prose import formulas_in_prose, is_prose, sentences_with_equations
from mathrag.language.word_classes import word_class
from mathrag.types.expression import FUNCTIONS, Declined

_LONGEST = 300
_MOST_RELATIONS = 12
_MOST_SIDES = 3
_FUNCTIONS = frozenset(FUNCTIONS) | frozenset("ln log10 log2 arcsin arccos arctan asin acos atan atan2 pow lg".split())
# What only programs, addresses, settings and mark-up have.
_PROGRAM = re.compile(
    r"==|!=|:=|=>|->|<-|[-+*/%|&<>]=|&&|\|\||\+\+|--|://|[;{}\"“”`$\\#@?!&|~<>]"
    r"|'\w|\w{2}\.[A-Za-z_]{2}|\w\.\w+\(|\breturn\b|\bdef\b|\bimport\b|\bprint\b|\bvar\b|\blet\b|\blambda\s+\w+\s*:"
)
_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<number>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.]*[A-Za-z_])|\.\d+(?![\w.]))
    | (?P<name>[A-Za-zͰ-Ͽµ][A-Za-z0-9_Ͱ-Ͽµ]*)
    | (?P<operator>\*\*|[-+−–*/^·×÷])
    | (?P<relation>=)
    | (?P<open>[(\[])
    | (?P<close>[)\]])
    | (?P<comma>,)
    """,
    re.VERBOSE,
)
# `xTop`: a name put together of words, which a reader of mathematics would take for a product of letters.
_CAMEL = re.compile(r"[a-z][A-Z][a-z]{2}")
_SPACED_MINUS = re.compile(r"\s-\s")
# `2e-3` is one number, which a reader of mathematics would take for 2·e − 3.
_SCIENTIFIC = re.compile(r"(?<![\w.])\d+(?:\.\d+)?[eE][-+]?\d")
_FROM_ITSELF = re.compile(r"\s*([A-Za-z]\w*)\s*=[^=]*(?<![\w.\\])\1(?![\w(.′'₀-₉])[^=]*$")
_LIST = re.compile(r"=\s*\[[^\[\]]*,")
_SIGNS = {"−": "-", "–": "-", "·": "*", "×": "*", "÷": "/", "^": "**", "[": "(", "]": ")"}
_PI = frozenset(("PI", "Pi", "π"))
_IDENTIFIER = re.compile(r".*[a-z][A-Z]|.*[_0-9]|[A-Z]{2,}|.{1,2}$|[^a-z]")
_END = re.compile(r"\s*(?:$|[.,;:](?=\s|$)|\)\s*[.,;:]?\s*$|::)")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


def formulas_in_line(text: str) -> list[TextFormula]:
    """The formulas of a line of plain text, from left to right; none where it is prose or a program."""
    if "=" not in text and "≈" not in text:
        return []
    text = _with_times(without_label(text))
    found = _formulas_of(text)
    unit = _UNIT_AT_END.search(text) if len(text) <= _LONGEST else None
    if unit is None or not is_unit(unit[1]) or (found and not found[-1].source.endswith("]")):
        return found
    # What stands in square brackets at the end is the unit of the result, and never a factor.
    bare = _formulas_of(text[: unit.start()])
    is_whole = bool(bare) and not text[bare[-1].end : unit.start()].strip()
    return [*bare[:-1], _in_unit(bare[-1], unit[1], unit.end())] if is_whole else found


_UNIT_AT_END = re.compile(r"\s+\[([^\[\]=]{1,20})\]\s*$")


# `(a / b) x 100`: an x before a number, where no other x stands alone, is a sign.
_TIMES = re.compile(r"(?<=[\w)\]]\s)[xX](?=\s\d)")
_LONE_CROSS = re.compile(r"(?<![\w^_])[xX](?![\w^_])")


def _with_times(text: str) -> str:
    crosses = _LONE_CROSS.findall(text)
    return _TIMES.sub("×", text) if crosses and len(crosses) == len(_TIMES.findall(text)) else text


def _in_unit(found: TextFormula, unit: str, end: int) -> TextFormula:
    reading = read_python_text(found.source) if found.notation == "text" else None
    if isinstance(reading, Declined) or (reading is not None and len(reading.equations) != 1):
        return found
    source = found.source if reading is None else latex_text(reading.equations[0])
    return TextFormula(found.start, end, rf"{source}\ [\mathrm{{{unit.replace('%', chr(92) + '%')}}}]", "latex")


def _formulas_of(text: str) -> list[TextFormula]:
    if may_have_cases(text):
        by_cases = cases_in_line(text, formulas_in_line)
        if by_cases is not None:
            return [by_cases]
    whole_names = find_explicit(text) if _SCIENTIFIC.search(text) or _CAMEL.search(text) else []
    found = None if whole_names or _SCIENTIFIC.search(text) else find_formula(text)
    if found is None:
        return whole_names or formulas_in_sentences(text)
    return [] if _is_step_of_program(text[found.start : found.end]) else [found]


# The label of a formula at the end of its line: behind dots, behind wide white, or called an equation.
_LABEL = re.compile(
    r"(?:[\s.…]*(?:\.{2,}|…)[\s.…]*|\s{2,}|\t)[(\[](?:[Ee]q(?:uation|n)?\.?\s*)?(?:[A-Z]?\d{1,3}(?:[.\-–]\d{1,3}){0,3}[a-z]?|[a-z*])[)\]]\s*$"
    r"|\s+[(\[](?:[Ee]q(?:uation|n)?\.?\s*)\d{1,3}(?:[.\-–]\d{1,3}){0,3}[a-z]?[)\]]\s*$"
)


# A number behind one blank, where at least two values stand before it: `E = m c^2 (3)`.
_NUMBER_BEHIND = re.compile(
    r"=\s*\S[^=]{0,250}?(?:[\s*/+·×-]\s*(?P<last>[^\W\d_]\w*|[^\W\d_]\w*\^\d|\S*[)²³]))\s\(\d{1,2}\)\s*$"
)


def without_label(text: str) -> str:
    """A line without the label at its end, `(3)` or `...(a)`, which is no factor of the formula."""
    if len(text) > _LONGEST:
        return text
    found = _LABEL.search(text[-60:])
    if found is not None:
        return text[: max(0, len(text) - 60) + found.start()]
    behind = _NUMBER_BEHIND.search(text)
    return text if behind is None or behind["last"].lower() in _FUNCTIONS else text[: behind.end("last")]


def formulas_in_sentences(text: str) -> list[TextFormula]:
    """The formulas in a text that is none as a whole: with whole names and every sign, and in the manner of prose."""
    found = find_explicit(text)
    if not found:
        for sentence in sentences_with_equations(text):
            if is_prose(sentence.text):
                found += (one.moved(sentence.start) for one in find_explicit(sentence.text, is_prose=True))
    others = (
        one
        for one in formulas_in_prose(text)
        if not any(one.start < each.end and each.start < one.end for each in found)
    )
    return sorted((*found, *others), key=lambda one: one.start)


# What only somebody who writes like a program writes: a star for a product, an underscore in a name, a call.
_LIKE_PROGRAM = re.compile(r"\*|\w_\w|\w\(")


def formula_in_code(text: str) -> TextFormula | None:
    """The formula that a piece of text set as code consists of; names in it are whole where every sign is written."""
    if _LIKE_PROGRAM.search(text):
        explicit = find_explicit(text.replace("≈", "="))
        if len(explicit) == 1 and not text[: explicit[0].start].strip() and not text[explicit[0].end :].strip(" .,;"):
            return explicit[0]
    return find_formula(text, strict=True)


def _is_step_of_program(text: str) -> bool:
    """`i = i + 1`, `a = [1, 2]`: a name computed from itself, or a list."""
    return bool(_FROM_ITSELF.match(text) or _LIST.search(text))


def find_explicit(text: str, *, is_prose: bool = False) -> list[TextFormula]:
    """The formulas with whole names and every sign written out that stand in a line; a sentence may have any marks."""
    if len(text) > _LONGEST or "=" not in text or (not is_prose and _PROGRAM.search(text)):
        return []
    tokens = _tokens(text)
    if _SPACED_MINUS.search(text):
        tokens = _with_hyphens(tokens)
    found: list[TextFormula] = []
    after = 0
    for place in [number for number, token in enumerate(tokens) if token.kind == "relation"][:_MOST_RELATIONS]:
        if place < after:
            continue
        span = _formula_around(text, tokens, place, after)
        if span is None:
            continue
        first, last = span
        source = _source(tokens[first:last])
        if source and not isinstance(read_python_text(source), Declined):
            found.append(TextFormula(tokens[first].start, tokens[last - 1].end, source, "text"))
        after = last
    return found


def _tokens(text: str) -> list[_Token]:
    """The tokens of a line; a character that no such formula has is one of kind `other`."""
    tokens: list[_Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        kind, end = (match.lastgroup or "other", match.end()) if match else ("other", place + 1)
        if kind != "space":
            tokens.append(_Token(kind, text[place:end], place, end))
        place = end
    return tokens


def _with_hyphens(tokens: list[_Token]) -> list[_Token]:
    """Names with hyphens as one, in a line whose minus signs have white around them: `x = sea-level_depth - y`."""
    joined: list[_Token] = []
    for token in tokens:
        if token.kind == "name" and len(joined) > 1 and joined[-1].text == "-" and joined[-1].end == token.start:
            before = joined[-2]
            if before.kind == "name" and before.end == joined[-1].start and min(len(before.text), len(token.text)) > 1:
                joined[-2:] = [_Token("name", f"{before.text}_{token.text}", before.start, token.end)]
                continue
        joined.append(token)
    return joined


def _formula_around(text: str, tokens: list[_Token], relation: int, after: int) -> tuple[int, int] | None:
    first = _left_side(text, tokens, relation, after)
    if first is None:
        return None
    sides, last = [tokens[first:relation]], relation
    while last < len(tokens) and tokens[last].kind == "relation":
        start, last = last + 1, _expression_end(tokens, last + 1)
        if last == start:
            return None
        sides.append(tokens[start:last])
    if not 2 <= len(sides) <= _MOST_SIDES + 1 or not _ends_well(text, tokens, last):
        return None
    is_whole = not text[: tokens[first].start].strip() and not text[tokens[last - 1].end :].strip(" .,;:")
    return (first, last) if _says_something(sides, text, is_whole=is_whole) else None


def _left_side(text: str, tokens: list[_Token], relation: int, after: int) -> int | None:
    """Where the left side begins: one name (`X`, `X(t)`), or all of the line before where that is an expression."""
    if relation <= after:
        return None
    whole = next((place for place in range(after, relation) if tokens[place].kind != "comma"), relation)
    if relation - whole > 1 and _expression_end(tokens, whole) == relation and _starts_well(text, tokens, whole):
        return whole
    first = relation - 1
    if tokens[first].kind == "close" and relation - 4 >= after and tokens[relation - 3].kind == "open":
        first = relation - 4
    if first < after or tokens[first].kind != "name" or tokens[first].text.lower() in _FUNCTIONS:
        return None
    return first if _starts_well(text, tokens, first) else None


def _starts_well(text: str, tokens: list[_Token], first: int) -> bool:
    """Whether a left side may begin here: after nothing, a colon or comma, or words that only lead to it.

    Before a name that is a plain word, another word would belong to that name: `mean speed = …`.
    """
    before = text[: tokens[first].start].rstrip()
    if not before or before[-1] in ":,;":
        return True
    word = re.search(r"([A-Za-z]+)$", before)
    if word is None or before[-1] in "=+-*/^(":
        return False
    leads = word_class("text_formulas.leads_to_formula")
    return word.group(1).lower() in leads or bool(_IDENTIFIER.match(tokens[first].text))


def _expression_end(tokens: list[_Token], start: int) -> int:
    """Where the longest expression ends that begins here; `start` where none does."""
    depth, is_waiting, end = 0, True, start
    calls: list[bool] = []
    place = start
    while place < len(tokens):
        token = tokens[place]
        if is_waiting:
            is_sign = token.kind == "operator" and token.text in "+-−–"
            if token.kind == "open":
                calls.append(place > start and tokens[place - 1].kind == "name")
                depth += 1
            elif token.kind in ("name", "number"):
                is_waiting = False
            elif not is_sign or (place > start and tokens[place - 1].kind == "operator"):
                break
        elif token.kind == "operator":
            is_waiting = True
        elif token.kind == "open" and _is_call(tokens, place):
            calls.append(True)
            depth, is_waiting = depth + 1, True
        elif token.kind == "close" and depth:
            depth -= 1
            calls.pop()
        elif token.kind == "comma" and depth and calls[-1]:
            is_waiting = True
        else:
            break
        place += 1
        if not depth and not is_waiting and not _calls_next(tokens, place):
            end = place
    return end


def _is_call(tokens: list[_Token], place: int) -> bool:
    before = tokens[place - 1]
    return before.kind == "name" and (before.text.lower() in _FUNCTIONS or _is_value_at(tokens, place))


def _calls_next(tokens: list[_Token], place: int) -> bool:
    return place < len(tokens) and tokens[place].kind == "open" and _is_call(tokens, place)


def _is_value_at(tokens: list[_Token], place: int) -> bool:
    """`N(0)`: the value of a quantity at a number is a quantity of its own."""
    inside = tokens[place : place + 3]
    return [token.kind for token in inside] == ["open", "number", "close"] and inside[0].start == tokens[place - 1].end


def _ends_well(text: str, tokens: list[_Token], last: int) -> bool:
    """Whether the formula can be over here: before a full stop or a comma, or a word that goes on with the sentence."""
    end = tokens[last - 1].end
    if _END.match(text, end):
        return True
    following = re.match(r"\s+\(?([A-Za-z]+)\b", text[end:])
    if following is None:
        return bool(re.match(r"\s{2,}\(\d{1,3}(?:\.\d{1,3})?[a-z]?\)\s*$|\s+\(\d{1,3}\)\s*$", text[end:]))
    word = following.group(1).lower()
    return word in word_class("text_formulas.opens_remark") or word in word_class("text_formulas.leads_to_formula")


def _says_something(sides: list[list[_Token]], text: str, *, is_whole: bool) -> bool:
    """Whether the sides compute one thing from others, as no setting and no sentence does."""
    left, right = sides[0], [token for side in sides[1:] for token in side]
    names = {token.text for token in right if token.kind == "name"} - _FUNCTIONS
    if not names - _PI or (len(left) <= 4 and left[0].text in names):
        return False
    signs = [token for token in right if token.kind == "operator"]
    functions = [token for token in right if token.kind == "name" and token.text.lower() in _FUNCTIONS]
    if not signs and not functions:
        return False
    if any(_is_no_sign(text, sides, token) for side in sides for token in side if token.kind == "operator"):
        return False
    if functions:
        return True
    marks = [_IDENTIFIER.match(name) is not None for name in names]
    if is_whole:
        return any(marks) or _is_any_spaced(text, signs)
    multiplies = any(token.text not in "+-−–" for token in signs)
    return multiplies and (all(marks) or _is_any_spaced(text, signs))


def _is_any_spaced(text: str, signs: list[_Token]) -> bool:
    """Whether a sign has white on both sides, as no hyphen and no slash between words has."""
    return any(text[sign.start - 1 : sign.start] == " " and text[sign.end : sign.end + 1] == " " for sign in signs)


def _is_no_sign(text: str, sides: list[list[_Token]], sign: _Token) -> bool:
    """`sea-level`, `input/output`: a sign that joins words without white; `run -v`, `FLAGS=-O2`: one of an option."""
    if sign.text not in "-/":
        return False
    before, after = text[sign.start - 1 : sign.start], text[sign.end : sign.end + 1]
    if (
        sign.text == "-"
        and after.isalpha()
        and (before == "=" or (before.isspace() and text[: sign.start].rstrip()[-1:].isalnum()))
    ):
        return True
    if before.isspace() or after.isspace():
        return False
    beside = [token for side in sides for token in side if sign.start == token.end or token.start == sign.end]
    words = [token for token in beside if token.kind == "name" and re.fullmatch(r"[a-z]{2,}", token.text)]
    return len(words) == 2


def _source(tokens: list[_Token]) -> str:
    """The formula in the spelling of plain text: brackets round, powers with two stars, `N(0)` a name."""
    parts: list[str] = []
    skip = 0
    for place, token in enumerate(tokens):
        if skip:
            skip -= 1
            continue
        is_left_value = place == 0 and len(tokens) > 4 and tokens[4].kind == "relation" and tokens[1].kind == "open"
        if token.kind == "name" and is_left_value and token.text.lower() not in _FUNCTIONS:
            value = tokens[2].text
            # `X(t) = …` defines X; `X(0) = …` defines its value at one point.
            parts.append(f"{token.text}_{value}" if tokens[2].kind == "number" else token.text)
            skip = 3
        elif token.kind == "name" and place + 3 < len(tokens) + 1 and _is_named_value(tokens, place):
            parts.append(f"{token.text}_{tokens[place + 2].text}")
            skip = 3
        elif token.kind == "name":
            parts.append(_name(tokens, place))
        else:
            parts.append(_SIGNS.get(token.text, token.text.replace(",", "") if token.kind == "number" else token.text))
    return " ".join(parts)


def _is_named_value(tokens: list[_Token], place: int) -> bool:
    is_function = tokens[place].text.lower() in _FUNCTIONS
    return not is_function and place + 1 < len(tokens) and _is_value_at(tokens, place + 1)


def _name(tokens: list[_Token], place: int) -> str:
    text = tokens[place].text
    if text in _PI:
        return "pi"
    is_called = place + 1 < len(tokens) and tokens[place + 1].kind == "open"
    return text.lower() if is_called and text.lower() in _FUNCTIONS else text


def formulas_of_lines(lines: list[str]) -> list[list[TextFormula]] | None:
    """The formulas of a block of lines that holds nothing else, line by line; None where it is a program or a text."""
    found: list[list[TextFormula]] = []
    if any(map(may_have_cases, lines)):
        # Several lines may be the cases of one formula.
        return None
    for line in lines:
        formulas = formulas_in_line(line) if line.strip() else []
        if line.strip() and (not formulas or not _fills(line, formulas)):
            return None
        found.append(formulas)
    return found if any(found) else None


def _fills(line: str, formulas: list[TextFormula]) -> bool:
    """Whether nothing but formulas stands in a line, apart from a number or a remark behind them."""
    return not line[: formulas[0].start].strip() and all(_between(line, formulas))


def _between(line: str, formulas: list[TextFormula]) -> Iterator[bool]:
    for before, after in pairwise(formulas):
        yield not line[before.end : after.start].strip(" ,;")
