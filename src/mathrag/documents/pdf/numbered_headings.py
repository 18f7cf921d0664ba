"""Headings told by their numbers: what counts up over the whole document in one look, with text between.

A paper sets its headings in small capitals, italics or plain bold, often no larger than its prose; that "II." follows
"I." some paragraphs later tells them from rows of tables, items of lists and equations. Looks at no glyph.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from mathrag.documents.pdf.layout.flow import text_of
from mathrag.documents.pdf.layout.page_record import Draft
from mathrag.types.document import ListItem, Math, Paragraph

_Style: TypeAlias = Literal["arabic", "roman", "letter"]
_ARABIC = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})[.)]?\s+(?=[^\W\d_\s])")
_ROMAN = re.compile(r"(?P<number>[IVX]{1,6})[.)]\s+(?=[^\W\d_\s])")
_LETTER = re.compile(r"(?P<number>[A-Z](?:\.\d{1,2}){0,3})[.)]?\s+(?=[^\W\d_\s])")
_ROMANS = {"I": 1, "V": 5, "X": 10}
# Characters and rows of a heading at most; prose between two headings has more rows.
_LONGEST, _MOST_ROWS, _PROSE_ROWS = 130, 3, 2
# As many headings in a row at least; of the steps between them, so many lead over prose.
_FEWEST, _OVER_PROSE = 3, 0.5


@dataclass(frozen=True, slots=True)
class _Candidate:
    index: int
    style: _Style
    number: tuple[int, ...]
    look: tuple[object, ...]


def numbered_headings(drafts: Sequence[Draft], *, body_size: float) -> dict[int, int]:
    """The positions of headings that count up, each with its depth from 1."""
    groups: dict[tuple[_Style, tuple[object, ...]], list[_Candidate]] = defaultdict(list)
    for index, draft in enumerate(drafts):
        for candidate in _candidates(index, draft, body_size=body_size):
            groups[candidate.style, candidate.look].append(candidate)
    found: dict[int, int] = {}
    for style in ("arabic", "roman"):
        top: dict[int, int] = {}
        for (of_style, _), group in groups.items():
            if of_style == style:
                chain = _chain([each for each in group if len(each.number) == 1], drafts)
                if len(chain) > len(top):
                    top = {each.index: 1 for each in chain}
        if len(top) >= _FEWEST or (len(top) == 2 and style == "arabic" and not found):
            found |= top
            break
    if not found:
        return {}
    found |= _below(groups, found, drafts)
    return found


def _candidates(index: int, draft: Draft, *, body_size: float) -> list[_Candidate]:
    text = _heading_text(draft)
    letters = [character for character in text if character.isalpha()]
    if len(letters) < 4:
        return []
    is_capital = sum(character.isupper() for character in letters) > 0.8 * len(letters)
    is_other_size = abs(draft.size / body_size - 1) > 0.05
    if not (draft.is_bold or draft.is_italic or is_capital or draft.is_centred or is_other_size):
        return []
    # Capitals and small capitals mix two sizes in one look; a bold heading may be one abbreviation.
    is_capital = is_capital and not draft.is_bold
    size = 0 if is_capital else round(draft.size)
    look = (draft.is_bold, draft.is_italic and not draft.is_bold, is_capital, size)
    patterns: tuple[tuple[_Style, re.Pattern[str]], ...] = (("roman", _ROMAN), ("arabic", _ARABIC), ("letter", _LETTER))
    made = []
    for style, pattern in patterns:
        at = pattern.match(text)
        if at and text[at.end()].isupper():
            made.append(_Candidate(index, style, _value(style, at["number"]), look))
    return made


def _heading_text(draft: Draft) -> str:
    """The words of a draft that may be a heading; empty for one that is too long, a sentence or a formula."""
    block = draft.block
    if draft.kind not in ("text", "item") or draft.rows > _MOST_ROWS or not isinstance(block, Paragraph | ListItem):
        return ""
    if any(isinstance(piece, Math) and piece.is_display for piece in block.content):
        return ""
    marker = block.marker if isinstance(block, ListItem) else ""
    text = " ".join(f"{marker} {text_of(draft)}".split())
    is_sentence = text.endswith(".") and len(text.split()) > 6
    return "" if len(text) > _LONGEST or text.endswith((",", ";", "=")) or is_sentence else text


def _value(style: _Style, number: str) -> tuple[int, ...]:
    if style == "roman":
        total = 0
        for sign, following in pairwise(f"{number} "):
            worth = _ROMANS[sign]
            total += -worth if worth < _ROMANS.get(following, 0) else worth
        return (total,)
    first, *rest = number.split(".")
    head = int(first) if style == "arabic" else ord(first) - ord("A") + 1
    return (head, *(int(part) for part in rest))


def _chain(candidates: Sequence[_Candidate], drafts: Sequence[Draft]) -> list[_Candidate]:
    """The candidates that count up from 1, where most steps lead over prose."""
    chain: list[_Candidate] = []
    for candidate in candidates:
        if candidate.number[0] == len(chain) + 1:
            chain.append(candidate)
    steps = [_has_prose(drafts[one.index + 1 : other.index]) for one, other in pairwise(chain)]
    return chain if sum(steps) >= _OVER_PROSE * len(steps) else []


def _has_prose(between: Sequence[Draft]) -> bool:
    return any(draft.kind in ("text", "item") and draft.rows > _PROSE_ROWS for draft in between)


def _below(
    groups: dict[tuple[_Style, tuple[object, ...]], list[_Candidate]], top: dict[int, int], drafts: Sequence[Draft]
) -> dict[int, int]:
    """The numbered headings between those of the top: 2.1 after 2, and letters that count up anew under each."""
    order = sorted(top)
    found: dict[int, int] = {}
    for (style, _), group in groups.items():
        if style == "arabic":
            for each in group:
                above = sum(index < each.index for index in order)
                if len(each.number) > 1 and each.number[0] == above:
                    found[each.index] = len(each.number)
        elif style == "letter":
            found |= _lettered([each for each in group if each.index not in top], order, drafts)
    return found


def _lettered(group: Sequence[_Candidate], order: Sequence[int], drafts: Sequence[Draft]) -> dict[int, int]:
    """Letters that count up from A within one section, or after the last as appendices."""
    found: dict[int, int] = {}
    section, last = -1, 0
    for each in group:
        above = sum(index < each.index for index in order)
        if above != section:
            section, last = above, 0
        if len(each.number) > 1:
            if each.number[0] == last or (last == 0 and above == len(order)):
                found[each.index] = len(each.number)
        elif each.number[0] == last + 1:
            found[each.index] = 1 if above == len(order) and drafts[each.index].size >= drafts[order[0]].size else 2
            last = each.number[0]
    if len(group) == 1 or not any(each.number[0] == 2 for each in group):
        single = group[0].index if group else -1
        return {index: depth for index, depth in found.items() if drafts[single].is_bold or depth == 1}
    return found
