"""A row cut into words and formulas: formulas grow from signs over what belongs to them and stop at words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.documents.pdf.layout.glyph_roles import UNITS, WORD_GAP, Role, find_roles
from mathrag.documents.pdf.layout.rows import Item, Row
from mathrag.documents.pdf.layout.runs import BIG_OPERATORS, end_of

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
