"""Formulas in a printed row of glyphs: the manner of pages. They grow from signs over what belongs to them and stop at
words and at the white between words.

Knows characters, fonts and white only; where glyphs stand on the page is for the readers of pages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mathrag.documents.math_in_text.finder import Manner
from mathrag.documents.math_in_text.tokens import FUNCTIONS, FoundFormula, Role, TextToken
from mathrag.knowledge.elements import element_symbols
from mathrag.language.word_classes import word_class


@dataclass(slots=True)
class GlyphToken(TextToken):
    """A glyph of a row. `hangs_on_last` tells of a script whether it stands at what is before it rather than over what
    follows, as accents do; `is_mathematical` that its font sets only formulas.
    """

    style: str = "upright"
    is_mathematical: bool = False
    hangs_on_last: bool = False


# What each glyph of a row may be in a formula; letters that touch have one role together. Joins no formulas.

_PRINTED_FUNCTIONS = FUNCTIONS | frozenset(
    "asin acos atan arsinh arcosh artanh lg lim sup inf det arg dim ker gcd deg erf erfc sgn sign mod Re Im tr div "
    "grad curl rot Pr limsup liminf".split()
)
_SHORT_WORDS = word_class("text_formulas.on_pages")
# Symbols that stand after values in print. The unit reader would take far more letters for units than stand for one.
_UNITS = frozenset(
    "m s kg g N J W Pa K C V A Hz mol L l cm mm km nm μm ms μs ns kJ kW kN kPa MPa GPa bar atm cal kcal eV keV MeV GeV "
    "T Wb H F S Ω lm lx cd rad sr h min d Torr mmHg M mM ft in lb mi dm mL mg kV mV mA kHz MHz GHz MW MJ Btu psi hp "
    "u dB slug erg dyn gal yd oz ly pc rev rpm Bq Ci Gy Sv".split()
)
# With the letters that stand for any rest, halogen or metal in formulas of substances.
_ELEMENTS = element_symbols() | {"R", "X", "M"}
_SUBSTANCE = re.compile(r"(?:[A-Z][a-z]?|[()\[\]])+")
_WEAK = frozenset("=+<>×·∙⋅*±∓÷/~")
_NEUTRAL = frozenset("0123456789()[]{}|!.,%'′″°‰:⟨⟩‖⌊⌋⌈⌉…⋯")
_WORD_SIGNS = frozenset('•■□▪▫●○◦►▶–—-"“”‘’«»§¶©®™†‡?&@#$€£_\\;…✓✗')
_ENDS = frozenset(".,;:)?!”’")
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
# The white between words in parts of the size; narrower is kerning or the small space of a formula.
WORD_GAP = 0.2
_TIGHT_GAP = 0.13


def glyph_roles(tokens: Sequence[GlyphToken]) -> list[Role]:
    """The role of every glyph of a row."""
    roles: list[Role] = [_single_role(token) for token in tokens]
    start = 0
    while start < len(tokens):
        if _is_text_letter(tokens[start]):
            end = start + 1
            while end < len(tokens) and (
                tokens[end].hangs_on_last
                if tokens[end].is_script
                else _is_text_letter(tokens[end]) and _continues(tokens, end) and not _is_function_at(tokens, end)
            ):
                end += 1
            role = _token_role(tokens, start, end)
            for index in range(start, end):
                roles[index] = "symbol" if tokens[index].is_script and role == "function" else role
            start = end
        else:
            start += 1
    _settle_parts(tokens, roles)
    return roles


def _is_text_letter(token: GlyphToken) -> bool:
    return not token.is_script and not token.is_mathematical and token.text[:1].isalpha() and not _is_greek(token.text)


def _continues(tokens: Sequence[GlyphToken], index: int) -> bool:
    before = next((tokens[back] for back in range(index - 1, -1, -1) if not tokens[back].is_script), None)
    if before is None or before.style != tokens[index].style:
        return False
    return tokens[index].gap < WORD_GAP


def _is_function_at(tokens: Sequence[GlyphToken], index: int) -> bool:
    """Whether, after white that is narrow for a space, the name of a function begins: in a tight row, `of sin a`."""
    if tokens[index].gap < _TIGHT_GAP:
        return False
    end = index + 1
    while end < len(tokens) and _is_text_letter(tokens[end]) and tokens[end].gap < _TIGHT_GAP:
        end += 1
    return "".join(token.text for token in tokens[index:end]) in _PRINTED_FUNCTIONS


def _single_role(token: GlyphToken) -> Role:
    text = token.text
    if not text:
        return "symbol" if token.is_mathematical else "word"
    if text in _WORD_SIGNS and not (text == "…" and token.is_mathematical):
        return "word"
    if text in _NEUTRAL or text.isdigit():
        return "neutral"
    if text in _WEAK:
        return "operator"
    if token.is_mathematical or _is_greek(text):
        return "symbol"
    if unicodedata.category(text[0]) == "Sm" or text[0] in "√∞∂∇∆−":
        return "symbol" if text != "−" else "operator"
    if unicodedata.category(text[0]) == "Mn":
        return "neutral"
    return "word"


def _is_greek(text: str) -> bool:
    return "\u0370" <= text[:1] <= "\u03ff" or text[:1] in ("µ", "ℏ", "Ω")


def _token_role(tokens: Sequence[GlyphToken], start: int, end: int) -> Role:
    """The role of the letters of one token."""
    base = [token for token in tokens[start:end] if not token.is_script]
    word = "".join(token.text for token in base)
    has_parts = len(base) < end - start
    if word in _PRINTED_FUNCTIONS and base[0].style == "upright":
        return "function"
    if len(word) == 1 and base[0].italic:
        return "word" if not has_parts and _is_in_italic_prose(tokens, start, end) else "symbol"
    if len(word) == 1 and base[0].bold and _is_bold_symbol(tokens, start):
        return "word" if _is_initial(tokens, start, end) else "symbol"
    if has_parts:
        return _scripted_role(tokens, word=word, start=start, end=end)
    return "maybe" if _may_be_operand(tokens, word=word, start=start, end=end) else "word"


def _is_bold_symbol(tokens: Sequence[GlyphToken], start: int) -> bool:
    """Whether a bold letter is bold by itself: not in a bold row, not glued to a dash or a bullet."""
    is_glued = start > 0 and tokens[start].gap < WORD_GAP and tokens[start - 1].text in _WORD_SIGNS
    return not is_glued and not _is_bold_row(tokens)


def _may_be_operand(tokens: Sequence[GlyphToken], *, word: str, start: int, end: int) -> bool:
    """Whether plain letters may be a symbol, a unit or a substance."""
    if tokens[start].italic and len(word) <= 3 and _stands_after_operator(tokens, start):
        return True
    if _is_in_brackets_alone(tokens, start, end) or _is_inch(tokens, start, end, word=word):
        return True
    # Words of four small letters are words; longer names of quantities have capitals: `NTU`, `COP`.
    longest = 4 if not word.islower() else 3
    return len(word) <= longest and word.lower() not in _SHORT_WORDS


def _is_in_brackets_alone(tokens: Sequence[GlyphToken], start: int, end: int) -> bool:
    """Whether a capital letter stands alone in square brackets, as a concentration does: `[A]`."""
    if end - start != 1 or not tokens[start].text.isupper() or not 0 < start < len(tokens) - 1:
        return False
    return tokens[start - 1].text == "[" and tokens[end].text == "]"


def _is_inch(tokens: Sequence[GlyphToken], start: int, end: int, *, word: str) -> bool:
    """Whether `in` is the unit: between a number and a relation."""
    if word != "in" or start == 0 or not tokens[start - 1].text.isdigit():
        return False
    return end >= len(tokens) or tokens[end].text in ("=", "/")


def _is_initial(tokens: Sequence[GlyphToken], start: int, end: int) -> bool:
    """Whether a letter is one of an abbreviation: `N.B.`."""

    def has(first: int) -> bool:
        """A point and a letter, or a letter and a point, with no white between."""
        pair = [token.text for token in tokens[max(first, 0) : first + 2]]
        return first >= 0 and len(pair) == 2 and "." in pair and any(text.isalpha() for text in pair)

    is_close = end >= len(tokens) or tokens[end].gap < WORD_GAP
    return (is_close and has(end) and tokens[end].text == ".") or (
        tokens[start].gap < WORD_GAP and has(start - 2) and tokens[start - 1].text == "."
    )


def _is_bold_row(tokens: Sequence[GlyphToken]) -> bool:
    letters = [token for token in tokens if token.text[:1].isalpha() and not token.is_mathematical]
    return sum(token.bold for token in letters) > 0.6 * len(letters) and len(letters) > 3


def _stands_after_operator(tokens: Sequence[GlyphToken], index: int) -> bool:
    before = next((tokens[back].text for back in range(index - 1, -1, -1) if not tokens[back].is_script), "")
    return before in _WEAK or before == "−"


def _scripted_role(tokens: Sequence[GlyphToken], *, word: str, start: int, end: int) -> Role:
    """A token with scripts: a substance or unit reads as words, a symbol with an index does not."""
    parts = "".join(tokens[index].text for index in range(start, end) if tokens[index].is_script)
    if word in _UNITS or (_SUBSTANCE.fullmatch(word) and _is_substance(word)):
        return "maybe" if all(character in "0123456789+-−–()aqslgnmx*" for character in parts) else "symbol"
    if len(word) == 1:
        return "symbol"
    is_mark = tokens[end - 1].is_script and all(character in "0123456789,*†‡§¶–-[]abc " for character in parts)
    is_italic = tokens[start].italic and word.lower() not in _SHORT_WORDS
    if len(word) <= 3 and is_italic:
        return "symbol"
    if len(word) > 4 or is_mark:
        return "word"
    return "maybe" if parts.isdigit() else "symbol" if len(word) <= 3 else "maybe"


def _is_substance(word: str) -> bool:
    return all(part in _ELEMENTS for part in re.findall(r"[A-Z][a-z]?", word))


def _settle_parts(tokens: Sequence[GlyphToken], roles: list[Role]) -> None:
    """Scripts go with what they stand at: marks after words and ordinals are prose, exponents are not."""
    for index, token in enumerate(tokens):
        if not token.is_script or (index and roles[index] == roles[index - 1] and not tokens[index - 1].is_script):
            continue
        if token.text and unicodedata.combining(token.text[0]) and not tokens[index].hangs_on_last:
            continue
        first = index
        while first and tokens[first - 1].is_script:
            first -= 1
        last = index
        while last + 1 < len(tokens) and tokens[last + 1].is_script:
            last += 1
        if first != index:
            roles[index] = roles[first] if roles[first] in ("word", "maybe") else "symbol"
            continue
        if first and roles[first - 1] in ("word", "maybe") and roles[index] == roles[first - 1]:
            continue
        text = "".join(part.text for part in tokens[first : last + 1])
        base = tokens[first - 1].text if first else ""
        following = tokens[last + 1] if last + 1 < len(tokens) else None
        is_before_word = following is not None and _is_text_letter(following) and following.gap < WORD_GAP
        if (
            (text in _ORDINALS and base.isdigit())
            or ((first == 0 or tokens[first].gap >= WORD_GAP) and is_before_word and _is_mark(text, ""))
            or (first and (roles[first - 1] == "word" or base in _ENDS) and _is_mark(text, base))
        ):
            roles[index] = "word"
        else:
            roles[index] = "symbol"


def _is_mark(text: str, base: str) -> bool:
    return len(text) <= 8 and all(character in "0123456789,*†‡§¶∗–-[]abcdef " for character in text) and base != ")"


def _is_in_italic_prose(tokens: Sequence[GlyphToken], start: int, end: int) -> bool:
    """Whether a single italic letter stands among italic words, as `a` does in a theorem."""
    letter = tokens[start].text
    # `A. Results`: the letter of a heading.
    is_enumerating = start == 0 and end < len(tokens) and tokens[end].text in (".", ")")
    if letter not in "aAIOoyeu" and not is_enumerating:
        return False
    for step, edge in ((-1, start - 1), (1, end + 1 if is_enumerating else end)):
        letters = 0
        index = edge
        while 0 <= index < len(tokens) and letters < 3:
            token = tokens[index]
            if token.is_mathematical or not token.italic or not token.text[:1].isalpha():
                break
            letters += 1
            index += step
        if letters >= 2:
            return True
    return False


# From stretches without words to formulas: what belongs to them, and whether they are one.

_OPENING = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
_CLOSING = {closing: opening for opening, closing in _OPENING.items()}
_OUTSIDE = frozenset(".,;:!?'’…")
_RELATIONS = frozenset("=<>≤≥≈≡∝→≠∼≃≅≪≫~⇒⇌↔∈")
# The white after a comma of the text, in a tight row; in a formula it belongs to the font of the formula.
_AFTER_COMMA = 0.1
# The white behind a decimal sign that is set like punctuation.
_IN_NUMBER = 0.45
# Wider than any white inside a formula that stands at no operator.
_STATEMENT_GAP = 0.27
_QUAD = 0.8
_TELLING = frozenset("=<>×±")
_BEFORE_UNITS = _RELATIONS | {"×"}
_SIGNS_OF_NUMBERS = frozenset("-−+±")
_OPERATORS = _RELATIONS | frozenset("+−×·∙⋅*±∓÷/,")


def _is_break(tokens: Sequence[GlyphToken], roles: Sequence[Role], index: int) -> bool:
    """Whether a formula cannot go on over the white before an token."""
    gap = tokens[index].gap
    here, before = tokens[index], tokens[index - 1]
    is_after_comma = before.text in (",", ";")
    if gap < (_AFTER_COMMA if is_after_comma else WORD_GAP) or (tokens[index].is_script and not is_after_comma):
        return False
    if is_after_comma and not (before.is_mathematical or before.italic):
        return not _is_inside_brackets(tokens, index)
    if gap > 1.2 or before.text in (";", ":"):
        return True
    if _is_in_number(tokens, index):
        return False
    if before.text == "." and not (index > 1 and tokens[index - 2].text == "."):
        return True
    if before.text in _OPERATORS or here.text in _OPERATORS:
        return False
    if before.text.isdigit() and gap < 0.55 and _is_unit_at(tokens, index) and _is_inside_brackets(tokens, index):
        return False
    if is_next_statement(tokens, index):
        return True
    if "function" in (roles[index], roles[index - 1]) or roles[index] == roles[index - 1] == "symbol":
        return False
    return not (here.is_mathematical and before.is_mathematical)


def _is_in_number(tokens: Sequence[GlyphToken], index: int) -> bool:
    """Whether white stands behind the decimal sign of a number in a formula, as some programs print it: `2. 5`."""
    if index < 2 or tokens[index].gap > _IN_NUMBER or not tokens[index].text.isdigit():
        return False
    point, digit = tokens[index - 1], tokens[index - 2]
    is_point = point.text == "." and point.is_mathematical and point.gap < _AFTER_COMMA and not point.is_script
    return is_point and digit.text.isdigit() and digit.is_mathematical and tokens[index].is_mathematical


def _is_unit_at(tokens: Sequence[GlyphToken], index: int) -> bool:
    """Whether letters that make a unit begin at an token: `(10 dB)`."""
    name = ""
    for position in range(index, min(index + 6, len(tokens))):
        token = tokens[position]
        if not token.text.isalpha() or token.style != "upright" or (name and token.gap > _AFTER_COMMA):
            break
        name += token.text
    return name in _UNITS


def is_next_statement(tokens: Sequence[GlyphToken], index: int) -> bool:
    """Whether, after white as between words, a symbol and an equals sign begin a second statement: `n = 2 R = 8.31`."""
    first, before = tokens[index], tokens[index - 1].text
    # White also stands before a differential and around relations.
    if tokens[index].gap < _STATEMENT_GAP or tokens[index].is_script or first.text == "d":
        return False
    if not before[:1].isalnum() and before not in _CLOSING:
        return False
    has_statement = any(token.text == "=" and not token.is_script for token in tokens[max(0, index - 60) : index])
    if not first.text[:1].isalpha():
        is_wide = tokens[index].gap > _QUAD and first.kind == "big operator"
        return is_wide and has_statement and any(token.text == "=" for token in tokens[index : index + 20])
    end = index + 1
    while end < len(tokens) and (tokens[end].is_script or tokens[end].text.isalpha()) and end - index < 8:
        if tokens[end].gap >= WORD_GAP:
            break
        end += 1
    if end >= len(tokens) or tokens[end].text != "=" or tokens[end].is_script:
        return False
    return has_statement


def _is_inside_brackets(tokens: Sequence[GlyphToken], index: int) -> bool:
    depth = 0
    for token in tokens[max(0, index - 60) : index]:
        if token.text in _OPENING:
            depth += 1
        elif token.text in _CLOSING:
            depth = max(0, depth - 1)
    return depth > 0


def _formula_in_stretch(
    tokens: Sequence[GlyphToken], roles: Sequence[Role], start: int, end: int
) -> Iterator[FoundFormula]:
    """The formula inside a stretch, without what only happens to stand beside it."""
    changed = True
    while changed and start < end:
        changed = False
        if _may_drop_first(tokens, roles, start, end):
            start, changed = start + 1, True
        elif _may_drop_last(tokens, roles, start, end):
            end, changed = end - 1, True
    while start < end and tokens[start].is_script and start and not _is_seed(roles[start]):
        start += 1
    if start < end and _is_formula(tokens, roles, start, end):
        yield FoundFormula(_start_of_name(tokens, start), _end_of_units(tokens, start, end))


def _is_seed(role: Role) -> bool:
    return role == "symbol" or role == "function"


def _may_drop_first(tokens: Sequence[GlyphToken], roles: Sequence[Role], start: int, end: int) -> bool:
    text, role = tokens[start].text, roles[start]
    if tokens[start].is_script and role == "symbol":
        return False
    if text in _OUTSIDE or (text in _CLOSING and not tokens[start].is_script):
        return True
    if text in _OPENING:
        return not _is_balanced(tokens, start, end)
    if role == "maybe":
        return not _leads_to_operator(tokens, roles, start, end)
    if text == "%" and start + 1 < end and tokens[start + 1].gap < WORD_GAP and roles[start + 1] == "maybe":
        return not _leads_to_operator(tokens, roles, start + 1, end)
    if text in ("=", "+", "*", "/", "·", "%", "°"):
        return not any(_is_seed(role) for role in roles[start:end]) or text in ("*", "%", "°")
    return False


def _may_drop_last(tokens: Sequence[GlyphToken], roles: Sequence[Role], start: int, end: int) -> bool:
    last = end - 1
    text, role = tokens[last].text, roles[last]
    if tokens[last].is_script:
        return False
    if text in _OUTSIDE and text != "!":
        return not _ends_with_dots(tokens, start, end)
    if text in _OPENING:
        return True
    if text in _CLOSING:
        return not _is_balanced(tokens, start, end)
    if text == "!":
        return tokens[last].gap > 0.1 or not _is_seed(roles[last - 1]) if last else True
    if role == "maybe":
        return not _follows_operator(tokens, roles, start, last)
    return text in ("*",)


def _ends_with_dots(tokens: Sequence[GlyphToken], start: int, end: int) -> bool:
    """Whether a list goes on: `0, 1, 2, ...`."""
    dots = end
    while dots > start and tokens[dots - 1].text == "." and end - dots < 3:
        dots -= 1
    if end - dots != 3 and tokens[end - 1].text != "…":
        return False
    before = min(dots, end - 1)
    text = tokens[before - 1].text
    return before - 1 > start and (text in _OPERATORS or text.isdigit())


def _is_balanced(tokens: Sequence[GlyphToken], start: int, end: int) -> bool:
    waiting: list[str] = []
    for token in tokens[start:end]:
        text = token.text
        if text in _OPENING:
            waiting.append(_OPENING[text])
        elif text in _CLOSING:
            # Half-open intervals close a round bracket with a square one.
            if not waiting or (waiting[-1] != text and text not in ")]"):
                return False
            waiting.pop()
    return not waiting


def _leads_to_operator(tokens: Sequence[GlyphToken], roles: Sequence[Role], start: int, end: int) -> bool:
    """Whether the letters at the start are the left side of something: `KE =`, `f(x)`."""
    index = start
    while index < end and (roles[index] == "maybe" or tokens[index].is_script):
        if index > start and tokens[index].gap >= WORD_GAP:
            return False
        index += 1
    if index >= end:
        return False
    text = tokens[index].text
    if text in _SIGNS_OF_NUMBERS and tokens[index].gap >= WORD_GAP > 2 * tokens[min(index + 1, end - 1)].gap:
        # White before a minus and none after it: a word, then something negative.
        return False
    if text in _OPERATORS - {","}:
        return index + 1 < end
    return tokens[index].gap < WORD_GAP and (_is_seed(roles[index]) or text in _OPENING)


def _follows_operator(tokens: Sequence[GlyphToken], roles: Sequence[Role], start: int, last: int) -> bool:
    """Whether the letters at the end belong to what is before them: `= nRT`, `9.81 m/s`."""
    index = last
    while index >= start and (roles[index] == "maybe" or tokens[index].is_script):
        if tokens[index].gap >= WORD_GAP and index > start:
            before = tokens[index - 1].text
            return before in _OPERATORS - {","}
        index -= 1
    if index < start:
        return False
    text = tokens[index].text
    if text in _OPERATORS - {","}:
        return True
    name = "".join(token.text for token in tokens[index + 1 : last + 1] if not token.is_script)
    if text.isdigit():
        return len(name) <= 2 or name in _UNITS
    # Plain letters right after a symbol are the rest of a word: the `th` of `nth`.
    is_slanted = all(token.italic for token in tokens[index + 1 : last + 1] if not token.is_script)
    return text in _CLOSING or (_is_seed(roles[index]) and (is_slanted or not text.isalpha()))


def _is_formula(tokens: Sequence[GlyphToken], roles: Sequence[Role], start: int, end: int) -> bool:
    """Signs make a formula; weak operators do where both sides have something to operate on."""
    if any(_is_seed(role) for role in roles[start:end]):
        # A function name alone is a word.
        return any(role == "symbol" for role in roles[start:end]) or any(
            tokens[index].text in _OPERATORS for index in range(start, end)
        )
    for index in range(start + 1, end - 1):
        text = tokens[index].text
        if roles[index] == "operator" and text not in ("/", "*", "~"):
            has_values = _is_value(tokens, roles, index - 1) and _is_value(tokens, roles, index + 1)
            # Two plain numbers with a slash or plus are no formula; with a relation or a cross they are.
            is_telling = text in _TELLING or "maybe" in (roles[index - 1], roles[index + 1])
            if has_values and is_telling:
                return True
    return False


def _is_value(tokens: Sequence[GlyphToken], roles: Sequence[Role], index: int) -> bool:
    text = tokens[index].text
    return roles[index] in ("maybe", "symbol") or text.isdigit() or text in ("(", ")", "[", "]", "|", "−")


def _start_of_name(tokens: Sequence[GlyphToken], start: int) -> int:
    """The start of a formula with the word that it is written for: `Payoff = max(...)`."""
    if tokens[start].text != "=" or start < 2 or tokens[start].gap > 0.6:
        return start
    index = start
    while index and not tokens[index - 1].is_script and tokens[index - 1].text.isalpha():
        index -= 1
        if tokens[index].gap >= WORD_GAP:
            break
    name = "".join(token.text for token in tokens[index:start])
    return index if len(name) > 1 and name[0].isupper() and (index == 0 or tokens[index].gap >= WORD_GAP) else start


def _end_of_units(tokens: Sequence[GlyphToken], start: int, end: int) -> int:
    """The end of a formula with the unit after its value: `c = 3.00 × 10^8 m/s`."""
    if end >= len(tokens) or not any(tokens[index].text in _BEFORE_UNITS for index in range(start, end)):
        return end
    last = tokens[end - 1]
    if not ((last.text.isdigit() or last.text == "π") and tokens[end].gap < 0.55 and not tokens[end].is_script):
        return end
    stop, letters = _letters_of_units(tokens, end)
    names = [name for name in letters.split("/") if name]
    if len(names) == 2 and names[1] in _UNITS and _is_count_per(tokens[end:stop]):
        # Things counted per unit: `decays/s`, `particles/mol`.
        names = names[1:]
    follows = tokens[stop] if stop < len(tokens) else None
    if not names or any(name not in _UNITS for name in names) or (names == ["in"] and follows is not None):
        return end
    # A letter that a word begins with is no unit.
    return end if follows is not None and follows.text.isalpha() and follows.gap < WORD_GAP else stop


def _letters_of_units(tokens: Sequence[GlyphToken], start: int) -> tuple[int, str]:
    """Where upright letters and the signs between them end, and the letters, parted by slashes; none where they break
    off in a script that no unit has."""
    letters = ""
    stop = start
    while stop < len(tokens) and (stop == start or tokens[stop].gap < WORD_GAP or tokens[stop].text in ("⋅", "·")):
        token = tokens[stop]
        if token.is_script:
            if not (token.text.isdigit() or token.text in ("−", "-", "+")):
                return start, ""
        elif token.text.isalpha() and token.style == "upright" and not token.is_mathematical:
            # The small space of a formula parts the factors of a unit.
            is_factor = stop > start and (token.gap > _AFTER_COMMA or tokens[stop - 1].is_script)
            letters += f"/{token.text}" if is_factor else token.text
        elif token.text == "(" and token.gap > _AFTER_COMMA:
            break
        elif token.text in ("/", "⋅", "·", "(", ")") and stop > start:
            letters += "/"
        else:
            break
        stop += 1
    return stop, letters


def _is_count_per(tokens: Sequence[GlyphToken]) -> bool:
    """Whether a slash stands between two words."""
    return sum(token.text == "/" for token in tokens) == 1


GLYPH_ROWS: Manner[GlyphToken] = Manner(roles=glyph_roles, judge=_formula_in_stretch, is_break=_is_break)
