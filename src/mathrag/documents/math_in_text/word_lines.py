"""Equations in words (`Profit margin = net income / revenue × 100 %`): a line read whole, runs of words as operands.

Gives LaTeX in which each run of words is one `\\text{…}`, with the unit that the line states behind it in parentheses.
A line counts only if every part of it is an operand or a sign; a sentence that merely holds an equals sign is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from mathrag.documents.math_in_text.tokens import FUNCTIONS, SUBSCRIPTS, SUPERSCRIPTS, is_unit
from mathrag.language.abbreviations import abbreviates
from mathrag.language.word_classes import any_of, word_class
from mathrag.types import expression
from mathrag.types.symbol_names import GREEK_NAMES

_RAISED = "".join(map(chr, SUPERSCRIPTS))
_LOWERED = "".join(map(chr, SUBSCRIPTS))
_LETTER = "A-Za-zÀ-ÖØ-öø-ɏͰ-Ͽ"
_TOKEN = re.compile(
    rf"""
      (?P<space>\s+)
    | (?P<ion>\[?[A-Z][a-z]?(?:[A-Z][a-z]?|[0-9₀-₉])*[0-9]?(?:[⁺⁻]{{1,2}}|[+-]{{1,2}}(?=[\s)\]]|$))\]?)
    | (?P<word>\d+(?:st|nd|rd|th|-[A-Za-z]{{2,}})(?![A-Za-z])
        |[{_LETTER}](?:[{_LETTER}0-9{re.escape(_LOWERED)}]|['’](?=[{_LETTER}]))*(?:[-‑_][{_LETTER}0-9]+)*)
    | (?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d+)?|\.\d+)
    | (?P<relation>[=≈])
    | (?P<power>[{re.escape(_RAISED)}]+)
    | (?P<operator>[-+−–*/·⋅∙×÷^√])
    | (?P<open>[(\[{{])
    | (?P<close>[)\]}}])
    | (?P<money>[$€£¥])
    | (?P<percent>%)
    | (?P<hash>\#)
    | (?P<comma>,)
    """,
    re.VERBOSE,
)
_SIGNS = {"*": r"\times", "·": r"\cdot", "⋅": r"\cdot", "∙": r"\cdot", "×": r"\times", "÷": "/", "−": "-", "–": "-"}
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_IN_WORDS = (
    (re.compile(rf"(?<=[\w)\]])\s+(?:{any_of('text_formulas.times_in_words')})\s+(?=[\w(\[#])", re.I), " × "),
    (re.compile(rf"(?<=[\w)\]])\s+(?:{any_of('text_formulas.divided_in_words')})\s+(?=[\w(\[#])", re.I), " ÷ "),
    (re.compile(r"(?<=[\w)\]])\s+minus\s+(?=[\w(\[#])", re.I), " − "),
    (re.compile(r"(?<=[\w)\]])\s+plus\s+(?=[\w(\[#])", re.I), " + "),
    (re.compile(r"\b(?:the )?square root of(?: the)?\s+", re.I), " √ "),
    (re.compile(r"(?<=\w)\s+squared(?!\w)", re.I), "²"),
    (re.compile(r"(?<=\w)\s+cubed(?!\w)", re.I), "³"),
)
_EQUALITY = re.compile(rf"\s(?:{any_of('text_formulas.equality_in_words')})\s", re.I)
_SAID = re.compile(
    rf"\s(?:{any_of('text_formulas.times_in_words')}|{any_of('text_formulas.divided_in_words')}|minus|plus)\s", re.I
)
_SYMBOL = re.compile(rf"([A-Za-zͰ-Ͽ])(?:([0-9]{{1,2}})|([{re.escape(_LOWERED)}]{{1,3}}))?")
_ARTICLES = ("a", "an", "the")
# A word below another, Loadₘₐₓ, tells one load from others; digits belong to their word, as in CO₂.
_LOWERED_WORD = re.compile(rf"(?:(?![₀-₉])[{re.escape(_LOWERED)}]){{2,}}")
_WITH_BASE = {"log10": r"\log_{10}", "log2": r"\log_{2}"}
# A unit behind a whole equation, set apart: `Power = force × speed / 1000  [kW]`.
_UNIT_OF_RESULT = re.compile(r"(?:\s\[([^\[\]=]{1,24})\]|\s\s\(([^()=]{1,24})\))\s*$")
_MOST_WORDS = 9
_LONGEST_UNIT = 7  # tokens
_LONGEST_OPERAND = 60
_MOST_OPERANDS = 16
_MOST_RELATIONS = 2


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    gap: bool
    tight: bool = False


@dataclass(frozen=True, slots=True)
class _Operand:
    """A run of words, with the unit or the other name stated behind it in brackets; empty where none is."""

    words: tuple[str, ...]
    unit: str = ""
    also: str = ""
    is_ion: bool = False
    is_identifier: bool = False

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(slots=True)
class _Side:
    """One side while it is read: its LaTeX, its operands in words, and which signs it holds."""

    latex: list[str]
    operands: list[_Operand]
    signs: list[str]
    numbers: int = 0

    @property
    def is_lone(self) -> bool:
        return not self.signs and len(self.operands) <= 1


def says_equality(text: str) -> bool:
    """Whether a line without an equals sign says in words that something equals something computed."""
    return "equal" in text and _EQUALITY.search(text) is not None and _SAID.search(text) is not None


def word_formula(text: str) -> str | None:
    """LaTeX of the equation in words that a text is as a whole; None for anything else."""
    tokens = _tokens(_with_signs(_with_unit_of_result(text)))
    if tokens is None:
        return None
    places = [place for place, token in enumerate(tokens) if token.kind == "relation"]
    if not 1 <= len(places) <= _MOST_RELATIONS:
        return None
    left = _read(tokens[: places[0]], is_left=True)
    source = " ".join(left.latex) if left is not None else ""
    for start, end in pairwise((*places, len(tokens))):
        right = _read(tokens[start + 1 : end], is_left=False)
        if left is None or right is None or not _is_equation(left, right):
            return None
        source += rf" \approx {' '.join(right.latex)}" if tokens[start].text == "≈" else f" = {' '.join(right.latex)}"
    assert left is not None
    if _is_in_percent(left) and re.search(r"\\times 100\)*$", source):
        # A result in percent is a number times 1 %, whether the sign stands there again or not.
        source += r"\%"
    return source


def _with_unit_of_result(text: str) -> str:
    """The line with the unit that stands behind all of it behind what it computes, where no other unit does."""
    found = _UNIT_OF_RESULT.search(text)
    if found is None:
        return text
    unit = (found[1] or found[2]).strip()
    left, relation, right = text[: found.start()].partition("=")
    if not is_unit(unit) or not relation or "=" in right or "[" in left + right or left.rstrip().endswith(")"):
        return text
    # Behind a lone name it says what that is given in.
    return f"{left.rstrip()} ({unit}) = {right}" if re.search(r"[-+−*/·⋅∙×÷^√]", right) else text


def _with_signs(text: str) -> str:
    """The text with signs for operations that it says in words."""
    if "=" not in text and "≈" not in text:
        text = _EQUALITY.sub(" = ", text, count=1)
    for pattern, sign in _IN_WORDS:
        text = pattern.sub(sign, text)
    return text


def _tokens(text: str) -> list[_Token] | None:
    found: list[_Token] = []
    place, gap = 0, True
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            return None
        kind = match.lastgroup or ""
        place = match.end()
        if kind == "space":
            gap = True
            continue
        is_tight = not gap and not text[place : place + 1].isspace()
        found.extend(_parts(match.group(), kind, gap, is_tight))
        gap = False
    return [_as_cross(found, place) for place in range(len(found))]


def _parts(text: str, kind: str, gap: bool, is_tight: bool) -> list[_Token]:
    """A token; capitals on both sides of a hyphen (`BAC-AC`) are a difference, other words one word."""
    pieces = text.split("-") if kind == "word" else [text]
    if len(pieces) != 2 or not all(len(piece) > 1 and piece.isupper() for piece in pieces):
        return [_Token(kind, text, gap, is_tight)]
    return [_Token(kind, pieces[0], gap), _Token("operator", "-", gap=False), _Token(kind, pieces[1], gap=False)]


def _as_cross(tokens: Sequence[_Token], place: int) -> _Token:
    """An x between two values is a sign, if white or a bracket stands on either side of it."""
    token = tokens[place]
    if token.text not in ("x", "X") or not 0 < place < len(tokens) - 1:
        return token
    before, after = tokens[place - 1], tokens[place + 1]
    is_between = before.kind in ("word", "number", "close", "power", "percent", "ion") and after.kind in (
        *("word", "number", "open", "hash", "ion"),
    )
    is_apart = (token.gap or before.kind == "close") and (after.gap or after.kind == "open")
    return _Token("operator", "×", token.gap) if is_between and is_apart else token


def _read(tokens: Sequence[_Token], *, is_left: bool) -> _Side | None:
    """A side, read from left to right: operands and signs in turn, brackets closed."""
    side = _Side([], [], [])
    stack: list[str] = []
    waiting, place = True, 0
    while place < len(tokens):
        token = tokens[place]
        if waiting and (known := _known(tokens, place)):
            side.latex.append(known)
            side.signs.append(known)
            waiting = known != r"\pi"
            place += 1
            continue
        if token.kind in ("word", "hash", "ion") or (token.kind == "percent" and waiting):
            if not waiting and not _follows_bracket(tokens, place):
                return None
            taken = _operand(tokens, place, is_left=is_left) if waiting else None
            if taken is None:
                return None
            operand, place = taken
            side.operands.append(operand)
            latex = _operand_latex(operand)
            if side.latex[-1:] == ["^"] and latex.startswith(r"\text"):
                # Raised words are a mark on the name for a reader of LaTeX.
                return None
            side.latex.append(latex)
            waiting = False
            continue
        step = _sign(token, side, stack, waiting=waiting)
        if step is None:
            return None
        waiting = step
        place += 1
    return side if not stack and not waiting and side.latex else None


def _known(tokens: Sequence[_Token], place: int) -> str:
    """LaTeX of a function before its bracket, and of pi spelt out between signs; empty for any other token."""
    text = tokens[place].text.lower()
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if following is not None and following.kind == "open" and not following.gap:
        if text in _WITH_BASE:
            return _WITH_BASE[text]
        if text in FUNCTIONS:
            return rf"\{text}"
    before = tokens[place - 1].kind if place else "operator"
    is_before_sign = following.kind in ("operator", "close") if following is not None else place > 0
    return r"\pi" if text in ("pi", "π") and before in ("operator", "open") and is_before_sign else ""


def _follows_bracket(tokens: Sequence[_Token], place: int) -> bool:
    return place > 0 and tokens[place - 1].kind == "close"


def _sign(token: _Token, side: _Side, stack: list[str], *, waiting: bool) -> bool | None:
    """Whether an operand is awaited after this sign; None where the sign cannot stand here."""
    match token.kind:
        case "number":
            if not waiting:
                return None
            side.latex.append(token.text.replace(",", ""))
            side.numbers += 1
            return False
        case "operator":
            return _operation(token, side, waiting=waiting)
        case "open":
            if not waiting:
                if not (side.latex[-1][-1].isdigit() or side.latex[-1] == ")") or _follows_slash(side.latex):
                    return None
                # Brackets side by side are factors.
                side.signs.append(r"\times")
            stack.append(_PAIRS[token.text])
            side.latex.append("(")
            return True
        case "close":
            if waiting or not stack or stack.pop() != token.text:
                return None
            side.latex.append(")")
            return False
        case "power":
            if waiting:
                return None
            side.latex.append(f"^{{{token.text.translate(SUPERSCRIPTS)}}}")
            side.signs.append("^")
            return False
        case "percent":
            if waiting or not side.latex[-1][-1].isdigit():
                return None
            side.latex[-1] += r"\%"
            return False
        case _:
            return None


def _follows_slash(latex: Sequence[str]) -> bool:
    """Whether a slash stands before the factors side by side: one more may belong below it as well."""
    place = len(latex) - 1
    while place >= 0:
        depth = 0
        while place >= 0:
            depth += (latex[place] == ")") - (latex[place] == "(")
            if not depth:
                break
            place -= 1
        before = latex[place - 1] if place > 0 else ""
        if before != ")":
            return before == "/"
        place -= 1
    return False


def _operation(token: _Token, side: _Side, *, waiting: bool) -> bool | None:
    if token.text == "√":
        side.latex.append("√")
        side.signs.append("√")
        return True if waiting else None
    sign = _SIGNS.get(token.text, token.text)
    if waiting:
        is_leading = sign == "-" and (not side.latex or side.latex[-1] == "(")
        if not is_leading:
            return None
    side.latex.append(sign)
    side.signs.append(sign)
    return True


def _operand(tokens: Sequence[_Token], place: int, *, is_left: bool) -> tuple[_Operand, int] | None:
    """The run of words from a place on, with the bracket behind it, and where it ends."""
    if unit := _quotient_of_units(tokens, place):
        return _Operand(("number", "of", *unit.replace("/", " per ").split()), unit), place + 3
    words: list[str] = []
    while place < len(tokens):
        more = _more_words(tokens, place, is_first=not words, is_left=is_left)
        if not more:
            break
        words.extend(more)
        place += 1
    if words and place < len(tokens) and _is_call(tokens[place - 1], tokens[place], is_alone=len(words) == 1):
        return None
    is_ion, is_identifier = tokens[place - 1].kind == "ion", "_" in tokens[place - 1].text
    unit, also, place, more = _bracket(tokens, place, words)
    words.extend(more)
    if not unit and place < len(tokens) and tokens[place].kind == "comma":
        unit, place = _unit_behind(tokens, place + 1)
        if not unit:
            return None
    if not unit and len(words) > 2 and words[-2] == "in" and is_unit(words[-1]):
        words, unit = words[:-2], words[-1]
    while words and words[0].lower() in _ARTICLES:
        words = words[1:]
    if is_left and len(words) > 1 and words[0].lower() in word_class("text_formulas.leads_on"):
        words = words[1:]
    operand = _Operand(tuple(words), unit, also, is_ion, is_identifier)
    return (operand, place) if _is_name(operand, is_left=is_left) else None


def _quotient_of_units(tokens: Sequence[_Token], place: int) -> str:
    """`kW/ton` as an operand: so many of one unit by the other are a number of their own; empty for any other."""
    if place + 2 >= len(tokens) or tokens[place + 1].text != "/" or not tokens[place + 1].tight:
        return ""
    if place + 3 < len(tokens) and tokens[place + 3].kind in ("word", "power", "open") and not tokens[place + 3].gap:
        return ""
    parts = tokens[place].text, tokens[place + 2].text
    # Single letters are quantities as well.
    is_quotient = all(len(part) > 1 and part.isalpha() and is_unit(part) for part in parts)
    return "/".join(parts) if is_quotient else ""


def _unit_behind(tokens: Sequence[_Token], place: int) -> tuple[str, int]:
    """The unit that a comma sets off from a name (`Flow rate, gal/min`), and where it ends; the longest that is one."""
    end = place
    while end < len(tokens) and end - place < _LONGEST_UNIT and _is_part_of_unit(tokens[end]):
        end += 1
    for last in range(end, place, -1):
        text = "".join((" " if token.gap else "") + token.text for token in tokens[place:last]).strip()
        if is_unit(text) or text == "%":
            return text, last
    return "", place


def _is_part_of_unit(token: _Token) -> bool:
    return token.kind in ("word", "power", "percent") or (token.text in "/·^" and token.tight)


def _is_call(word: _Token, bracket: _Token, *, is_alone: bool) -> bool:
    """Whether a bracket holds what a function is taken of: `floor(a)` is no name with a remark behind it.

    In `fades as C(t)` a sentence stands before a symbol and what it depends on, not a name before its unit.
    """
    is_symbol = not is_alone and len(word.text) == 1
    return bracket.kind == "open" and not bracket.gap and (is_symbol or word.text.lower() in expression.FUNCTIONS)


def _more_words(tokens: Sequence[_Token], place: int, *, is_first: bool, is_left: bool) -> list[str]:
    """The words with which a run goes on at a place; none where it ends."""
    token = tokens[place]
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    match token.kind:
        case "word" | "ion":
            return _plain_words(token)
        case "hash":
            return ["number"] if following is not None and following.text.lower() == "of" else ["number", "of"]
        case "percent":
            return ["percent"] if is_first else []
        case "number":
            goes_on = not is_first and following is not None and following.kind == "word"
            return [token.text] if goes_on else []
        case _:
            return ["to"] if not is_first and _joins_names(tokens, place, is_left=is_left) else []


def _plain_words(token: _Token) -> list[str]:
    """The words of a token: without the charge of an ion, subscripts as digits (`HCO₃⁻`), identifiers taken apart."""
    text = token.text.strip("[]").rstrip("⁺⁻+-") if token.kind == "ion" else token.text
    if len(text.rstrip(_LOWERED)) > 1:
        text = _LOWERED_WORD.sub(r"_\g<0>", text).translate(SUBSCRIPTS)
    return text.split("_")


def _joins_names(tokens: Sequence[_Token], place: int, *, is_left: bool) -> bool:
    """A slash without white in the name of what is computed: "Price/earnings ratio"."""
    token = tokens[place]
    if not is_left or token.text != "/" or not token.tight or place + 2 >= len(tokens):
        return False
    return tokens[place + 1].kind == "word" and tokens[place + 2].kind == "word" and len(tokens[place + 1].text) > 2


def _bracket(tokens: Sequence[_Token], place: int, words: Sequence[str]) -> tuple[str, str, int, list[str]]:
    """What the bracket at a place says of the words before it: the unit, another name, its end, more of the name."""
    if place >= len(tokens) or tokens[place].kind != "open":
        return "", "", place, []
    closing = _PAIRS[tokens[place].text]
    end = next((n for n in range(place + 1, len(tokens)) if tokens[n].text == closing), None)
    if end is None or end == place + 1:
        return "", "", place, []
    inside = tokens[place + 1 : end]
    text = "".join((" " if token.gap else "") + token.text for token in inside).strip()
    if abbreviates(text, " ".join(words)) or abbreviates(" ".join(words), text):
        return "", text, end + 1, []
    if is_unit(text) or text == "%":
        return text, "", end + 1, []
    if all(token.kind == "word" for token in inside):
        # "(fixed)" tells a cost from others.
        return "", "", end + 1, [token.text for token in inside]
    is_rate = all(token.kind in ("word", "power", "number") or token.text in "/·" for token in inside)
    # "(drops/min)": a unit of a count that no table has.
    return ("", "", end + 1, []) if is_rate and "/" in text else ("", "", place, [])


def _is_name(operand: _Operand, *, is_left: bool) -> bool:
    words = [word.lower() for word in operand.words]
    if not words or len(words) > _MOST_WORDS or len(operand.text) > _LONGEST_OPERAND or not operand.text.isascii():
        # A Greek letter alone is an operand as well.
        return len(operand.words) == 1 and _SYMBOL.fullmatch(operand.text) is not None
    if any(word in word_class("text_formulas.not_in_operands") for word in words):
        return len(words) == 1 and operand.words[0].isupper()
    if len(words) == 1:
        return True
    if words[-1] in word_class("text_formulas.ends_no_operand") or words[0] in ("and", "or", "of", "by", "per"):
        return False
    return is_left or not any(word in word_class("text_formulas.restricts_operands") for word in words)


def _operand_latex(operand: _Operand) -> str:
    symbol = _SYMBOL.fullmatch(operand.text)
    if symbol is not None and not operand.unit:
        index = symbol[2] or (symbol[3] or "").translate(SUBSCRIPTS)
        return f"{symbol[1]}_{{{index}}}" if index else symbol[1]
    if operand.is_identifier and not operand.unit and len(operand.words) == 2 and len(operand.words[0]) == 1:
        # One letter with its subscript, as V_T.
        letter, label = operand.words
        return f"{letter}_{{{label}}}" if len(label) == 1 else rf"{letter}_{{\mathrm{{{label}}}}}"
    if operand.text in GREEK_NAMES and operand.text.islower() and not operand.unit:
        return rf"\{operand.text}"
    behind = (operand.unit or operand.also).replace("%", r"\%").replace("$", r"\$")
    return rf"\text{{{operand.text} ({behind})}}" if behind else rf"\text{{{operand.text}}}"


# Whether both sides together are an equation and not a remark with an equals sign in it.


def _is_equation(left: _Side, right: _Side) -> bool:
    operands = [*left.operands, *right.operands]
    if not left.operands or not right.operands or not right.signs or len(operands) > _MOST_OPERANDS:
        return False
    if any(sign in ("+", "-", "^", "√") for sign in left.signs) or left.numbers:
        # "Vinegar + soda = water + gas" is a reaction, "talent + work = success" a saying.
        return False
    names = {operand.text.casefold() for operand in left.operands}
    if any(operand.text.casefold() in names for operand in right.operands) and left.is_lone:
        return False
    if not _have_one_unit_each(operands):
        return False
    if not any(_is_spelt(operand) for operand in operands):
        return _are_abbreviations(left, right)
    return _computes(left, right)


def _have_one_unit_each(operands: Sequence[_Operand]) -> bool:
    """Whether no name comes with two units: then one name would stand for two quantities."""
    units: dict[str, set[str]] = {}
    for operand in operands:
        units.setdefault(operand.text.casefold(), set()).add(operand.unit)
    return all(len(found - {""}) < 2 for found in units.values())


def _is_spelt(operand: _Operand) -> bool:
    """Whether an operand is written in words of a language."""
    return operand.is_identifier or any(
        len(word) > 2 and not word.isupper() and word[1:].islower() for word in operand.words
    )


def _are_abbreviations(left: _Side, right: _Side) -> bool:
    """Whether runs of capitals are names: where every product has its sign, or nothing but such runs is there."""
    operands = [*left.operands, *right.operands]
    if any(len(operand.words) > 1 for operand in operands) or any("^" in side.signs for side in (left, right)):
        return False
    runs = [operand.text for operand in operands]
    is_long = all(len(run) > 1 for run in runs)
    are_names = all(operand.text.isupper() or operand.is_ion for operand in operands)
    is_led = len(left.operands[0].text) > 2 and left.is_lone and any(len(run) > 1 for run in runs[1:])
    says_times = any(sign in (r"\times", r"\cdot") for sign in right.signs)
    return any(len(run) > 2 for run in runs) if says_times else (is_long or is_led) and are_names


def _computes(left: _Side, right: _Side) -> bool:
    """Whether the signs are arithmetic: a product, a number, or words for what is measured show it."""
    if any(sign.startswith("\\") or sign in "√^" for sign in right.signs) or right.numbers:
        return True
    return any(_is_measured(operand) for operand in (*left.operands, *right.operands))


def _is_measured(operand: _Operand) -> bool:
    from mathrag.knowledge.kinds import kinds_for_words

    if (
        operand.unit
        or operand.is_ion
        or any(word.lower() in word_class("text_formulas.measures") for word in operand.words)
    ):
        return True
    return bool(kinds_for_words(operand.text)) or bool(kinds_for_words(operand.words[-1]))


def _is_in_percent(side: _Side) -> bool:
    return any(operand.unit == "%" for operand in side.operands)
