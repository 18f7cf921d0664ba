"""What each glyph of a row may be in a formula: sign, operand, neutral, function name or plain word. Joins no spans."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal, TypeAlias

from mathrag.documents.pdf.boxes import overlap_x
from mathrag.documents.pdf.layout.rows import Item
from mathrag.documents.pdf.page_content import Glyph

# sign: certainly mathematics. weak: an operator that needs operands on both sides. neutral: digits, brackets.
# function: sin, log. operand: letters that may be a symbol, a unit or a substance, or a short word. word: prose.
Role: TypeAlias = Literal["sign", "weak", "neutral", "function", "operand", "word"]

FUNCTIONS = frozenset(
    "sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan asin acos atan arsinh arcosh artanh ln log lg "
    "exp max min lim sup inf det arg dim ker gcd deg erf erfc sgn sign mod Re Im tr div grad curl rot Pr limsup "
    "liminf".split()
)
_SHORT_WORDS = frozenset(
    "a i an as at be by do he if in is it me my no of on or so to up us we and are but can for had has her him his how "
    "its let may nor not now off one our out own per say see set she the too two use via was way who why yet you all "
    "any few new eq fig ref das der die und von mit est les des une que del los las con por".split()
)
UNITS = frozenset(
    "m s kg g N J W Pa K C V A Hz mol L l cm mm km nm μm ms μs ns kJ kW kN kPa MPa GPa bar atm cal kcal eV keV MeV GeV "
    "T Wb H F S Ω lm lx cd rad sr h min d Torr mmHg M mM ft in lb mi dm mL mg kV mV mA kHz MHz GHz MW MJ Btu psi hp "
    "u dB slug erg dyn gal yd oz ly pc rev rpm Bq Ci Gy Sv".split()
)
ELEMENTS = frozenset(
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb "
    "Mo Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce W Re Os Ir Pt Au Hg Tl Pb Bi Rn Ra Th U Pu R X M".split()
)
_SUBSTANCE = re.compile(r"(?:[A-Z][a-z]?|[()\[\]])+")
_WEAK = frozenset("=+<>×·∙⋅*±∓÷/~")
_NEUTRAL = frozenset("0123456789()[]{}|!.,%'′″°‰:⟨⟩‖⌊⌋⌈⌉…⋯")
_WORD_SIGNS = frozenset('•■□▪▫●○◦►▶–—-"“”‘’«»§¶©®™†‡?&@#$€£_\\;…✓✗')
_ENDS = frozenset(".,;:)?!”’")
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
# The white between words in parts of the size; narrower is kerning or the small space of a formula.
WORD_GAP = 0.2
_TIGHT_GAP = 0.13


def find_roles(items: Sequence[Item]) -> list[Role]:
    """The role of every item of a row."""
    roles: list[Role] = [_single_role(item.glyph) for item in items]
    start = 0
    while start < len(items):
        if _is_text_letter(items[start]):
            end = start + 1
            while end < len(items) and (
                _is_script_of_last(items, end)
                if items[end].is_part
                else _is_text_letter(items[end]) and _continues(items, end) and not _is_function_at(items, end)
            ):
                end += 1
            role = _token_role(items, start, end)
            for index in range(start, end):
                roles[index] = "sign" if items[index].is_part and role == "function" else role
            start = end
        else:
            start += 1
    _settle_parts(items, roles)
    return roles


def _is_script_of_last(items: Sequence[Item], index: int) -> bool:
    """Whether a part stands at what is before it rather than over what follows, as accents do."""
    part = items[index].glyph
    if part.text and unicodedata.combining(part.text[0]):
        base = next((item.glyph for item in items[index + 1 : index + 4] if not item.is_part), None)
        before = items[index - 1].glyph
        return base is None or overlap_x(part.box, before.box) > overlap_x(part.box, base.box)
    return items[index].gap < WORD_GAP


def _is_text_letter(item: Item) -> bool:
    glyph = item.glyph
    return not item.is_part and not glyph.is_math_font and glyph.text[:1].isalpha() and not _is_greek(glyph.text)


def _continues(items: Sequence[Item], index: int) -> bool:
    before = next((items[back].glyph for back in range(index - 1, -1, -1) if not items[back].is_part), None)
    if before is None or before.style != items[index].glyph.style:
        return False
    return items[index].gap < WORD_GAP


def _is_function_at(items: Sequence[Item], index: int) -> bool:
    """Whether, after white that is narrow for a space, the name of a function begins: in a tight row, `of sin a`."""
    if items[index].gap < _TIGHT_GAP:
        return False
    end = index + 1
    while end < len(items) and _is_text_letter(items[end]) and items[end].gap < _TIGHT_GAP:
        end += 1
    return "".join(item.glyph.text for item in items[index:end]) in FUNCTIONS


def _single_role(glyph: Glyph) -> Role:
    text = glyph.text
    if not text:
        return "sign" if glyph.is_math_font else "word"
    if text in _WORD_SIGNS and not (text == "…" and glyph.is_math_font):
        return "word"
    if text in _NEUTRAL or text.isdigit():
        return "neutral"
    if text in _WEAK:
        return "weak"
    if glyph.is_math_font or _is_greek(text):
        return "sign"
    if unicodedata.category(text[0]) == "Sm" or text[0] in "√∞∂∇∆−":
        return "sign" if text != "−" else "weak"
    if unicodedata.category(text[0]) == "Mn":
        return "neutral"
    return "word"


def _is_greek(text: str) -> bool:
    return "\u0370" <= text[:1] <= "\u03ff" or text[:1] in ("µ", "ℏ", "Ω")


def _token_role(items: Sequence[Item], start: int, end: int) -> Role:
    """The role of the letters of one token."""
    base = [items[index].glyph for index in range(start, end) if not items[index].is_part]
    word = "".join(glyph.text for glyph in base)
    has_parts = len(base) < end - start
    if word in FUNCTIONS and base[0].style == "upright":
        return "function"
    if len(word) == 1 and base[0].style == "italic":
        return "word" if not has_parts and _is_in_italic_prose(items, start, end) else "sign"
    is_glued = start > 0 and items[start].gap < WORD_GAP and items[start - 1].glyph.text in _WORD_SIGNS
    if len(word) == 1 and base[0].is_bold and not is_glued and not _is_bold_row(items):
        return "word" if _is_initial(items, start, end) else "sign"
    if has_parts:
        return _scripted_role(items, word=word, start=start, end=end)
    if base[0].style == "italic" and len(word) <= 3 and _follows_operator(items, start):
        return "operand"
    if _is_in_brackets_alone(items, start, end) or _is_inch(items, start, end, word=word):
        return "operand"
    # Words of four small letters are words; longer names of quantities have capitals: `NTU`, `COP`.
    longest = 4 if not word.islower() else 3
    return "operand" if len(word) <= longest and word.lower() not in _SHORT_WORDS else "word"


def _is_in_brackets_alone(items: Sequence[Item], start: int, end: int) -> bool:
    """Whether a capital letter stands alone in square brackets, as a concentration does: `[A]`."""
    if end - start != 1 or not items[start].glyph.text.isupper() or not 0 < start < len(items) - 1:
        return False
    return items[start - 1].glyph.text == "[" and items[end].glyph.text == "]"


def _is_inch(items: Sequence[Item], start: int, end: int, *, word: str) -> bool:
    """Whether `in` is the unit: between a number and a relation."""
    if word != "in" or start == 0 or not items[start - 1].glyph.text.isdigit():
        return False
    return end >= len(items) or items[end].glyph.text in ("=", "/")


def _is_initial(items: Sequence[Item], start: int, end: int) -> bool:
    """Whether a letter is one of an abbreviation: `N.B.`."""

    def has(first: int) -> bool:
        """A point and a letter, or a letter and a point, with no white between."""
        pair = [item.glyph.text for item in items[max(first, 0) : first + 2]]
        return first >= 0 and len(pair) == 2 and "." in pair and any(text.isalpha() for text in pair)

    is_close = end >= len(items) or items[end].gap < WORD_GAP
    return (is_close and has(end) and items[end].glyph.text == ".") or (
        items[start].gap < WORD_GAP and has(start - 2) and items[start - 1].glyph.text == "."
    )


def _is_bold_row(items: Sequence[Item]) -> bool:
    letters = [item.glyph for item in items if item.glyph.text[:1].isalpha() and not item.glyph.is_math_font]
    return sum(glyph.is_bold for glyph in letters) > 0.6 * len(letters) and len(letters) > 3


def _follows_operator(items: Sequence[Item], index: int) -> bool:
    before = next((items[back].glyph.text for back in range(index - 1, -1, -1) if not items[back].is_part), "")
    return before in _WEAK or before == "−"


def _scripted_role(items: Sequence[Item], *, word: str, start: int, end: int) -> Role:
    """A token with scripts: a substance or unit reads as words, a symbol with an index does not."""
    parts = "".join(items[index].glyph.text for index in range(start, end) if items[index].is_part)
    if word in UNITS or (_SUBSTANCE.fullmatch(word) and _is_substance(word)):
        return "operand" if all(character in "0123456789+-−–()aqslgnmx*" for character in parts) else "sign"
    if len(word) == 1:
        return "sign"
    is_mark = items[end - 1].is_part and all(character in "0123456789,*†‡§¶–-[]abc " for character in parts)
    is_italic = items[start].glyph.style == "italic" and word.lower() not in _SHORT_WORDS
    if len(word) <= 3 and is_italic:
        return "sign"
    if len(word) > 4 or is_mark:
        return "word"
    return "operand" if parts.isdigit() else "sign" if len(word) <= 3 else "operand"


def _is_substance(word: str) -> bool:
    return all(part in ELEMENTS for part in re.findall(r"[A-Z][a-z]?", word))


def _settle_parts(items: Sequence[Item], roles: list[Role]) -> None:
    """Scripts go with what they stand at: marks after words and ordinals are prose, exponents are not."""
    for index, item in enumerate(items):
        if not item.is_part or (index and roles[index] == roles[index - 1] and not items[index - 1].is_part):
            continue
        if item.glyph.text and unicodedata.combining(item.glyph.text[0]) and not _is_script_of_last(items, index):
            continue
        first = index
        while first and items[first - 1].is_part:
            first -= 1
        last = index
        while last + 1 < len(items) and items[last + 1].is_part:
            last += 1
        if first != index:
            roles[index] = roles[first] if roles[first] in ("word", "operand") else "sign"
            continue
        if first and roles[first - 1] in ("word", "operand") and roles[index] == roles[first - 1]:
            continue
        text = "".join(part.glyph.text for part in items[first : last + 1])
        base = items[first - 1].glyph.text if first else ""
        following = items[last + 1] if last + 1 < len(items) else None
        is_before_word = following is not None and _is_text_letter(following) and following.gap < WORD_GAP
        if (
            (text in _ORDINALS and base.isdigit())
            or ((first == 0 or items[first].gap >= WORD_GAP) and is_before_word and _is_mark(text, ""))
            or (first and (roles[first - 1] == "word" or base in _ENDS) and _is_mark(text, base))
        ):
            roles[index] = "word"
        else:
            roles[index] = "sign"


def _is_mark(text: str, base: str) -> bool:
    return len(text) <= 8 and all(character in "0123456789,*†‡§¶∗–-[]abcdef " for character in text) and base != ")"


def _is_in_italic_prose(items: Sequence[Item], start: int, end: int) -> bool:
    """Whether a single italic letter stands among italic words, as `a` does in a theorem."""
    letter = items[start].glyph.text
    # `A. Results`: the letter of a heading.
    is_enumerating = start == 0 and end < len(items) and items[end].glyph.text in (".", ")")
    if letter not in "aAIOoyeu" and not is_enumerating:
        return False
    for step, edge in ((-1, start - 1), (1, end + 1 if is_enumerating else end)):
        letters = 0
        index = edge
        while 0 <= index < len(items) and letters < 3:
            glyph = items[index].glyph
            if glyph.is_math_font or glyph.style != "italic" or not glyph.text[:1].isalpha():
                break
            letters += 1
            index += step
        if letters >= 2:
            return True
    return False
