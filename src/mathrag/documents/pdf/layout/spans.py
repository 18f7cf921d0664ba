"""A row cut into words and formulas: formulas grow from signs over what belongs to them and stop at words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.documents.pdf.boxes import overlap_x
from mathrag.documents.pdf.layout.attachment import BIG_OPERATORS, end_of
from mathrag.documents.pdf.layout.rows import Item, Row
from mathrag.documents.pdf.page_content import Glyph
from mathrag.knowledge.elements import element_symbols

# What each glyph of a row may be in a formula: sign, operand, neutral, function name or plain word. Joins no spans.

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
# With the letters that stand for any rest, halogen or metal in formulas of substances.
ELEMENTS = element_symbols() | {"R", "X", "M"}
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
    if base[0].style == "italic" and len(word) <= 3 and _stands_after_operator(items, start):
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


def _stands_after_operator(items: Sequence[Item], index: int) -> bool:
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


_OPENING = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
_CLOSING = {closing: opening for opening, closing in _OPENING.items()}
_OUTSIDE = frozenset(".,;:!?'’…")
_RELATIONS = frozenset("=<>≤≥≈≡∝→≠∼≃≅≪≫~⇒⇌↔∈")
# The white after a comma of the text, in a tight row; in a formula it belongs to the font of the formula.
_AFTER_COMMA = 0.1
# Wider than any white inside a formula that stands at no operator.
_STATEMENT_GAP = 0.27
_QUAD = 0.8
_TELLING = frozenset("=<>×±")
_BEFORE_UNITS = _RELATIONS | {"×"}
_SIGNS_OF_NUMBERS = frozenset("-−+±")
_OPERATORS = _RELATIONS | frozenset("+−×·∙⋅*±∓÷/,")


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a row: items from `start` up to `end`, words or a formula."""

    start: int
    end: int
    is_math: bool


def split_row(row: Row) -> tuple[Segment, ...]:
    """The words and formulas of a row from left to right; every item is in one segment."""
    items = row.items
    roles = find_roles(items)
    _join_under_bars(row, roles)
    found = [span for start, end in _candidates(items, roles) for span in _trimmed(items, roles, start, end)]
    spans = _merged([(_start_of_name(items, start), _end_of_units(items, start, end)) for start, end in found], items)
    segments: list[Segment] = []
    position = 0
    for start, end in spans:
        if start > position:
            segments.append(Segment(position, start, is_math=False))
        segments.append(Segment(start, end, is_math=True))
        position = end
    if position < len(items):
        segments.append(Segment(position, len(items), is_math=False))
    return tuple(segments)


def _join_under_bars(row: Row, roles: list[Role]) -> None:
    """What stands above or below a bar with something on the other side is part of a fraction."""
    for rule in row.rules:
        left, top, right, bottom = rule.box
        inside = [
            i for i, item in enumerate(row.items) if left - 1 <= item.glyph.box[0] and item.glyph.box[2] <= right + 1
        ]
        above = [i for i in inside if row.items[i].glyph.y <= top + 0.1 * row.size and row.items[i].is_part]
        below = [
            i for i in inside if row.items[i].glyph.box[1] >= bottom - 0.3 * row.size and row.items[i].glyph.y > bottom
        ]
        is_root = any(item.glyph.text == "√" and abs(item.glyph.box[2] - left) < 0.3 * row.size for item in row.items)
        if (above and below) or is_root or any(roles[i] == "sign" for i in below):
            for index in (*above, *below):
                roles[index] = "sign"


def _candidates(items: Sequence[Item], roles: Sequence[Role]) -> list[tuple[int, int]]:
    """Stretches without words and without the white that stands between words."""
    found: list[tuple[int, int]] = []
    start: int | None = None
    for index, role in enumerate(roles):
        if role == "word":
            if start is not None:
                found.append((start, index))
            start = None
        elif start is None:
            start = index
        elif _is_break(items, roles, index):
            found.append((start, index))
            start = index
    if start is not None:
        found.append((start, len(items)))
    return found


def _is_break(items: Sequence[Item], roles: Sequence[Role], index: int) -> bool:
    """Whether a formula cannot go on over the white before an item."""
    gap = items[index].gap
    here, before = items[index].glyph, items[index - 1].glyph
    is_after_comma = before.text in (",", ";")
    if gap < (_AFTER_COMMA if is_after_comma else WORD_GAP) or (items[index].is_part and not is_after_comma):
        return False
    if is_after_comma and not (before.is_math_font or before.style == "italic"):
        return not _is_inside_brackets(items, index)
    if gap > 1.2 or before.text in (";", ":"):
        return True
    if before.text == "." and not (index > 1 and items[index - 2].glyph.text == "."):
        return True
    if before.text in _OPERATORS or here.text in _OPERATORS:
        return False
    if before.text.isdigit() and gap < 0.55 and _is_unit_at(items, index) and _is_inside_brackets(items, index):
        return False
    if _is_next_statement(items, index):
        return True
    if "function" in (roles[index], roles[index - 1]) or roles[index] == roles[index - 1] == "sign":
        return False
    return not (here.is_math_font and before.is_math_font)


def _is_unit_at(items: Sequence[Item], index: int) -> bool:
    """Whether letters that make a unit begin at an item: `(10 dB)`."""
    name = ""
    for position in range(index, min(index + 6, len(items))):
        item = items[position]
        if not item.glyph.text.isalpha() or item.glyph.style != "upright" or (name and item.gap > _AFTER_COMMA):
            break
        name += item.glyph.text
    return name in UNITS


def _is_next_statement(items: Sequence[Item], index: int) -> bool:
    """Whether, after white as between words, a symbol and an equals sign begin a second statement: `n = 2 R = 8.31`."""
    first, before = items[index].glyph, items[index - 1].glyph.text
    # White also stands before a differential and around relations.
    if items[index].gap < _STATEMENT_GAP or items[index].is_part or first.text == "d":
        return False
    if not before[:1].isalnum() and before not in _CLOSING:
        return False
    has_statement = any(item.glyph.text == "=" and not item.is_part for item in items[max(0, index - 60) : index])
    if not first.text[:1].isalpha():
        is_wide = items[index].gap > _QUAD and first.text in BIG_OPERATORS
        return is_wide and has_statement and any(item.glyph.text == "=" for item in items[index : index + 20])
    end = index + 1
    while end < len(items) and (items[end].is_part or items[end].glyph.text.isalpha()) and end - index < 8:
        if items[end].gap >= WORD_GAP:
            break
        end += 1
    if end >= len(items) or items[end].glyph.text != "=" or items[end].is_part:
        return False
    return has_statement


def _is_inside_brackets(items: Sequence[Item], index: int) -> bool:
    depth = 0
    for item in items[max(0, index - 60) : index]:
        if item.glyph.text in _OPENING:
            depth += 1
        elif item.glyph.text in _CLOSING:
            depth = max(0, depth - 1)
    return depth > 0


def _trimmed(items: Sequence[Item], roles: Sequence[Role], start: int, end: int) -> list[tuple[int, int]]:
    """The formula inside a stretch, without what only happens to stand beside it."""
    changed = True
    while changed and start < end:
        changed = False
        if _may_drop_first(items, roles, start, end):
            start, changed = start + 1, True
        elif _may_drop_last(items, roles, start, end):
            end, changed = end - 1, True
    while start < end and items[start].is_part and start and not _is_seed(roles[start]):
        start += 1
    if start >= end or not _is_formula(items, roles, start, end):
        return []
    return [(start, end)]


def _is_seed(role: Role) -> bool:
    return role == "sign" or role == "function"


def _may_drop_first(items: Sequence[Item], roles: Sequence[Role], start: int, end: int) -> bool:
    text, role = items[start].glyph.text, roles[start]
    if items[start].is_part and role == "sign":
        return False
    if text in _OUTSIDE or (text in _CLOSING and not items[start].is_part):
        return True
    if text in _OPENING:
        return not _is_balanced(items, start, end)
    if role == "operand":
        return not _leads_to_operator(items, roles, start, end)
    if text == "%" and start + 1 < end and items[start + 1].gap < WORD_GAP and roles[start + 1] == "operand":
        return not _leads_to_operator(items, roles, start + 1, end)
    if text in ("=", "+", "*", "/", "·", "%", "°"):
        return not any(_is_seed(role) for role in roles[start:end]) or text in ("*", "%", "°")
    return False


def _may_drop_last(items: Sequence[Item], roles: Sequence[Role], start: int, end: int) -> bool:
    last = end - 1
    text, role = items[last].glyph.text, roles[last]
    if items[last].is_part:
        return False
    if text in _OUTSIDE and text != "!":
        return not _ends_with_dots(items, start, end)
    if text in _OPENING:
        return True
    if text in _CLOSING:
        return not _is_balanced(items, start, end)
    if text == "!":
        return items[last].gap > 0.1 or not _is_seed(roles[last - 1]) if last else True
    if role == "operand":
        return not _follows_operator(items, roles, start, last)
    return text in ("*",)


def _ends_with_dots(items: Sequence[Item], start: int, end: int) -> bool:
    """Whether a list goes on: `0, 1, 2, ...`."""
    dots = end
    while dots > start and items[dots - 1].glyph.text == "." and end - dots < 3:
        dots -= 1
    if end - dots != 3 and items[end - 1].glyph.text != "…":
        return False
    before = min(dots, end - 1)
    text = items[before - 1].glyph.text
    return before - 1 > start and (text in _OPERATORS or text.isdigit())


def _is_balanced(items: Sequence[Item], start: int, end: int) -> bool:
    waiting: list[str] = []
    for item in items[start:end]:
        text = item.glyph.text
        if text in _OPENING:
            waiting.append(_OPENING[text])
        elif text in _CLOSING:
            # Half-open intervals close a round bracket with a square one.
            if not waiting or (waiting[-1] != text and text not in ")]"):
                return False
            waiting.pop()
    return not waiting


def _leads_to_operator(items: Sequence[Item], roles: Sequence[Role], start: int, end: int) -> bool:
    """Whether the letters at the start are the left side of something: `KE =`, `f(x)`."""
    index = start
    while index < end and (roles[index] == "operand" or items[index].is_part):
        if index > start and items[index].gap >= WORD_GAP:
            return False
        index += 1
    if index >= end:
        return False
    text = items[index].glyph.text
    if text in _SIGNS_OF_NUMBERS and items[index].gap >= WORD_GAP > 2 * items[min(index + 1, end - 1)].gap:
        # White before a minus and none after it: a word, then something negative.
        return False
    if text in _OPERATORS - {","}:
        return index + 1 < end
    return items[index].gap < WORD_GAP and (_is_seed(roles[index]) or text in _OPENING)


def _follows_operator(items: Sequence[Item], roles: Sequence[Role], start: int, last: int) -> bool:
    """Whether the letters at the end belong to what is before them: `= nRT`, `9.81 m/s`."""
    index = last
    while index >= start and (roles[index] == "operand" or items[index].is_part):
        if items[index].gap >= WORD_GAP and index > start:
            before = items[index - 1].glyph.text
            return before in _OPERATORS - {","}
        index -= 1
    if index < start:
        return False
    text = items[index].glyph.text
    if text in _OPERATORS - {","}:
        return True
    name = "".join(item.glyph.text for item in items[index + 1 : last + 1] if not item.is_part)
    if text.isdigit():
        return len(name) <= 2 or name in UNITS
    # Plain letters right after a symbol are the rest of a word: the `th` of `nth`.
    is_slanted = all(item.glyph.style == "italic" for item in items[index + 1 : last + 1] if not item.is_part)
    return text in _CLOSING or (_is_seed(roles[index]) and (is_slanted or not text.isalpha()))


def _is_formula(items: Sequence[Item], roles: Sequence[Role], start: int, end: int) -> bool:
    """Signs make a formula; weak operators do where both sides have something to operate on."""
    if any(_is_seed(role) for role in roles[start:end]):
        # A function name alone is a word.
        return any(role == "sign" for role in roles[start:end]) or any(
            items[index].glyph.text in _OPERATORS for index in range(start, end)
        )
    for index in range(start + 1, end - 1):
        text = items[index].glyph.text
        if roles[index] == "weak" and text not in ("/", "*", "~"):
            has_values = _is_value(items, roles, index - 1) and _is_value(items, roles, index + 1)
            # Two plain numbers with a slash or plus are no formula; with a relation or a cross they are.
            is_telling = text in _TELLING or "operand" in (roles[index - 1], roles[index + 1])
            if has_values and is_telling:
                return True
    return False


def _is_value(items: Sequence[Item], roles: Sequence[Role], index: int) -> bool:
    text = items[index].glyph.text
    return roles[index] in ("operand", "sign") or text.isdigit() or text in ("(", ")", "[", "]", "|", "−")


def _start_of_name(items: Sequence[Item], start: int) -> int:
    """The start of a formula with the word that it is written for: `Payoff = max(...)`."""
    if items[start].glyph.text != "=" or start < 2 or items[start].gap > 0.6:
        return start
    index = start
    while index and not items[index - 1].is_part and items[index - 1].glyph.text.isalpha():
        index -= 1
        if items[index].gap >= WORD_GAP:
            break
    name = "".join(item.glyph.text for item in items[index:start])
    return index if len(name) > 1 and name[0].isupper() and (index == 0 or items[index].gap >= WORD_GAP) else start


def _end_of_units(items: Sequence[Item], start: int, end: int) -> int:
    """The end of a formula with the unit after its value: `c = 3.00 × 10^8 m/s`."""
    if end >= len(items) or not any(items[index].glyph.text in _BEFORE_UNITS for index in range(start, end)):
        return end
    last = items[end - 1]
    if not ((last.glyph.text.isdigit() or last.glyph.text == "π") and items[end].gap < 0.55 and not items[end].is_part):
        return end
    index = end
    letters = ""
    while index < len(items) and (index == end or items[index].gap < WORD_GAP or items[index].glyph.text in ("⋅", "·")):
        glyph = items[index].glyph
        if items[index].is_part:
            if not (glyph.text.isdigit() or glyph.text in ("−", "-", "+")):
                return end
        elif glyph.text.isalpha() and glyph.style == "upright" and not glyph.is_math_font:
            # The small space of a formula parts the factors of a unit.
            is_factor = index > end and (items[index].gap > _AFTER_COMMA or items[index - 1].is_part)
            letters += f"/{glyph.text}" if is_factor else glyph.text
        elif glyph.text == "(" and items[index].gap > _AFTER_COMMA:
            break
        elif glyph.text in ("/", "⋅", "·", "(", ")") and index > end:
            letters += "/"
        else:
            break
        index += 1
    names = [name for name in letters.split("/") if name]
    if len(names) == 2 and names[1] in UNITS and _is_count_per(items[end:index]):
        # Things counted per unit: `decays/s`, `particles/mol`.
        names = names[1:]
    follows = items[index].glyph if index < len(items) else None
    if not names or any(name not in UNITS for name in names) or (names == ["in"] and follows is not None):
        return end
    # A letter that a word begins with is no unit.
    return end if follows is not None and follows.text.isalpha() and items[index].gap < WORD_GAP else index


def _is_count_per(items: Sequence[Item]) -> bool:
    """Whether a slash stands between two words."""
    return sum(item.glyph.text == "/" for item in items) == 1


def _merged(spans: Sequence[tuple[int, int]], items: Sequence[Item]) -> list[tuple[int, int]]:
    """Neighbouring formulas with nothing but a little white between them are one."""
    result: list[tuple[int, int]] = []
    for start, end in spans:
        if result and start < result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
            continue
        is_close = bool(result) and result[-1][1] == start and items[start - 1].glyph.text not in (",", ";")
        if is_close and not _is_next_statement(items, start):
            white = items[start].glyph.x - end_of(items[start - 1].glyph)
            if white < 0.7 * items[start].glyph.size:
                result[-1] = (result[-1][0], end)
                continue
        result.append((start, end))
    return result
