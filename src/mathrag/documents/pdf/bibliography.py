"""The list of literature of a PDF, entry by entry, over the ends of columns and pages.

Entries are told apart by their numbers where these count up, by keys in brackets, by rows that hang, else by white.
Works on the rows of drafts; looks at no glyph.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from unicodedata import normalize

from mathrag.documents.arrangement import names_references
from mathrag.documents.boxes import Box, rounded
from mathrag.documents.pdf.layout.flow import text_of
from mathrag.documents.pdf.layout.page_record import Draft
from mathrag.documents.pdf.layout.pieces import join_contents
from mathrag.types.document import Place, Reference, Text, plain_text

_OUTLINE = re.compile(r"(?:\d{1,2}|[IVX]{1,6}|[A-Z])[.)]?\s+(?=[^\W\d_]{4})")
_BRACKET = re.compile(r"\[\s?(\d{1,4})\s?\]\s*")
_DOTTED = re.compile(r"\(?(\d{1,4})[.)]\s+(?=\S)|(\d{1,4})\s+(?=[A-Z])")
_ALONE = re.compile(r"[\[(]?\s?(\d{1,4})\s?[\]).]?")
_CELL = " | "
_KEYED = re.compile(r"\[([^\W\d_][^\[\]]{1,30})\]\s*")
# An address may end in what was taken for a formula.
_ENDED = re.compile(r"[.!?)\]\d]\$?['\"”’]*\s*$")
_AUTHORED = re.compile(
    r"[^\W\d_][\w'’-]+(?:\s[^\W\d_][\w'’-]+){0,2},\s(?:[^\W\d_]\.[-\s]?){1,4}(?:[;,&]|and\b|\(?(?:19|20)\d\d)"
)
_DATED = re.compile(r"[^\W\d_][^()]{2,300}\((?:19|20)\d\d[a-z]?\)")
_YEAR = re.compile(r"\b(?:19|20)\d\d[a-z]?\b")
# Of the paragraphs of a list: so many begin with a name where entries do.
_MOSTLY = 0.6
# Of the steps from entry to entry in a list that is sorted by names: so many go up.
_RISING = 0.8
# In points: rows that begin this far from the edge hang. Of all rows: so many hang where entries do.
_HANG, _HANGING = 4.0, 0.2
# A list without a heading has as many entries at least, and stands in the last part of the document.
_FEWEST, _LAST_PART = 4, 0.5
# No entry without a key is shorter: what is, is a footnote or a stray number.
_FEWEST_WORDS = 3
# In sizes: a remark behind the list stands this far below it.
_APART = 1.2
# Sizes that differ by less than this part are of one type.
_SAME_TYPE = 0.08

Numbered = tuple[int, Draft]


@dataclass(frozen=True, slots=True)
class _Row:
    text: str
    page: int
    box: Box
    offset: float
    is_draft_start: bool
    is_column_start: bool


def take_references(drafts: Sequence[Numbered], headings: Collection[int]) -> tuple[list[Numbered], dict[int, int]]:
    """The drafts with references in place of the rows of the list of literature.

    Gives, too, where each draft that stayed stands now.
    """
    result: list[Numbered] = []
    moved: dict[int, int] = {}
    spans = _spans(drafts, headings)
    taken: set[int] = set()
    position = 0
    while position < len(drafts):
        end = spans.get(position)
        if end is None:
            if position not in taken:
                moved[position] = len(result)
                result.append(drafts[position])
            position += 1
            continue
        listed, kept, beyond = _parted(drafts, range(position, end), headings)
        taken.update(beyond)
        result.extend(_entries([drafts[number] for number in (*listed, *beyond)]))
        for number in kept:
            moved[number] = len(result)
            result.append(drafts[number])
        position = end
    return result, moved


def _parted(
    drafts: Sequence[Numbered], span: range, headings: Collection[int]
) -> tuple[list[int], list[int], list[int]]:
    """What is of a list in its span, what is not, and what is of it beyond."""
    own = [drafts[number][1] for number in span if drafts[number][1].kind in ("text", "item")]
    usual = median([draft.size for draft in own for _ in range(draft.rows)]) if own else 0.0
    kept = [number for number in span if not _is_of_list(drafts[number][1], usual)]
    kept += _after_list(drafts, [number for number in span if number not in kept])
    listed = [number for number in span if number not in kept]
    return listed, kept, _going_on(drafts, listed, span.stop, headings=headings, usual=usual)


def _going_on(
    drafts: Sequence[Numbered], listed: Sequence[int], end: int, *, headings: Collection[int], usual: float
) -> list[int]:
    """Where a numbered list goes on beyond other headings: in a next column these stand above the rest of the list."""
    rows = _rows([drafts[number] for number in listed])
    for pattern in (_BRACKET, _DOTTED):
        counted = _counted(rows, pattern)
        if len(counted) < 2:
            continue
        last = _number_of(rows[counted[-1]].text, pattern)
        for start in range(end, len(drafts)):
            number = _number_of(drafts[start][1].block.quote, pattern)
            if start in headings or number != last + 1 or not _is_of_list(drafts[start][1], usual):
                continue
            stop = next((other for other in range(start, len(drafts)) if other in headings), len(drafts))
            return [number for number in range(start, stop) if _is_of_list(drafts[number][1], usual)]
    return _named_on(drafts, listed, end, headings=headings, usual=usual)


def _named_on(
    drafts: Sequence[Numbered], listed: Sequence[int], end: int, *, headings: Collection[int], usual: float
) -> list[int]:
    """The same for a list without numbers: entries go on in the order of their names."""
    names = [name for number in listed if (name := _name_of(drafts[number][1]))]
    rising = sum(one <= other for one, other in pairwise(names))
    if len(names) < max(_FEWEST, _MOSTLY * len(listed)) or rising < _RISING * (len(names) - 1):
        return []
    found: list[int] = []
    last = names[-1]
    for number in range(end, len(drafts)):
        draft = drafts[number][1]
        name = _name_of(draft) if _is_of_list(draft, usual) else ""
        if name and name >= last:
            found.append(number)
            last = name
        elif found and (number in headings or name or not _is_rest_of_entry(draft, usual)):
            break
        elif found:
            found.append(number)
    return found


def _is_rest_of_entry(draft: Draft, usual: float) -> bool:
    """Whether a paragraph is what a column or page cut off an entry."""
    first = draft.block.quote.lstrip()[:1]
    hangs = draft.box[0] > draft.edges[0] + _HANG
    return _is_of_list(draft, usual) and (first.islower() or first.isdigit() or hangs)


def _name_of(draft: Draft) -> str:
    """The first letters of the name that a dated entry begins with, as lists are sorted; empty where it has none."""
    text = " ".join(draft.block.quote.split())
    if draft.kind != "text" or not (_AUTHORED.match(text) or _DATED.match(text)):
        return ""
    return "".join(sign for sign in normalize("NFD", text[:8].lower()) if sign.isalpha())[:2]


def _number_of(text: str, pattern: re.Pattern[str]) -> int:
    """The number that a text begins with; 0 where it has none."""
    match = pattern.match(text)
    return int(next(group for group in match.groups() if group)) if match else 0


def _is_of_list(draft: Draft, usual: float) -> bool:
    """Whether a draft is of the list: words in its type. Footnotes are smaller, what follows it is larger."""
    if draft.kind == "code" or (draft.kind == "table" and _is_numbered_list(draft)):
        return True
    return draft.kind in ("text", "item") and abs(draft.size - usual) <= _SAME_TYPE * usual


def _is_numbered_list(draft: Draft) -> bool:
    """Whether a table is none: numbers that count up, and beside them one text each. Pages with a line above and below
    look like that."""
    rows = [line.split(_CELL) for line in draft.block.quote.split("\n")]
    numbers = [int(found[1]) for row in rows if (found := _ALONE.fullmatch(row[0].strip()))]
    is_counted = numbers == list(range(numbers[0], numbers[0] + len(rows))) if numbers else False
    return is_counted and len(rows) > 1 and all(len(row) == 2 and len(row[1].split()) > 2 for row in rows)


def _after_list(drafts: Sequence[Numbered], listed: Sequence[int]) -> list[int]:
    """The last paragraph behind a list of dated entries, where it has no digit: a remark, no entry."""
    if len(listed) < _FEWEST:
        return []
    quotes = [drafts[number][1].block.quote for number in listed]
    dated = sum(_YEAR.search(quote) is not None for quote in quotes)
    is_remark = not any(map(str.isdigit, quotes[-1])) and len(quotes[-1].split()) > _FEWEST_WORDS
    stands_apart = drafts[listed[-1]][1].gap > _APART * drafts[listed[-1]][1].size
    return [listed[-1]] if is_remark and stands_apart and dated >= _MOSTLY * len(quotes) else []


def _spans(drafts: Sequence[Numbered], headings: Collection[int]) -> dict[int, int]:
    """Where lists of literature begin and end: under their headings, or as a run of numbers at the end."""
    spans: dict[int, int] = {}
    for index, (_, draft) in enumerate(drafts):
        if draft.kind not in ("text", "item") or draft.rows > 1 or not is_references_title(draft):
            continue
        end = next((other for other in range(index + 1, len(drafts)) if other in headings), len(drafts))
        if end > index + 1:
            spans[index + 1] = end
    # How a paper wants to be cited itself stands on its first page.
    later = {start: end for start, end in spans.items() if drafts[start][0] > drafts[0][0]}
    spans = later or spans
    return spans or _unnamed(drafts, headings)


def is_references_title(draft: Draft) -> bool:
    """Whether a draft says that a list of literature follows; a number before it says nothing else."""
    marker = getattr(draft.block, "marker", "")
    words = f"{marker} {text_of(draft)}".strip()
    return names_references(words) or names_references(_OUTLINE.sub("", words, count=1))


def _unnamed(drafts: Sequence[Numbered], headings: Collection[int]) -> dict[int, int]:
    """A list of literature without a heading: the last run of rows with numbers in brackets from 1 on."""
    start, expected = None, 1
    for index in range(int(_LAST_PART * len(drafts)), len(drafts)):
        if index in headings:
            start, expected = None, 1
            continue
        numbers = [int(found[1]) for row in drafts[index][1].block.quote.split("\n") if (found := _BRACKET.match(row))]
        for number in numbers:
            if number == 1:
                start, expected = index, 2
            elif number == expected:
                expected += 1
    return {start: len(drafts)} if start is not None and expected > _FEWEST else {}


def _entries(drafts: Sequence[Numbered]) -> list[Numbered]:
    rows = _rows(drafts)
    if not rows:
        return []
    starts = _starts(rows)
    if 0 not in starts:
        starts = [0, *starts]
    made: list[Numbered] = []
    for begin, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        entry = _reference(rows[begin:end])
        if entry is not None:
            made.append(entry)
    return made


def _rows(drafts: Sequence[Numbered]) -> list[_Row]:
    rows: list[_Row] = []
    edges: dict[tuple[int, int], float] = defaultdict(lambda: float("inf"))
    for page, draft in drafts:
        for start in draft.starts:
            edges[page, draft.column] = min(edges[page, draft.column], start)
    before: tuple[int, int] | None = None
    for page, draft in drafts:
        lines = draft.block.quote.split("\n")
        if draft.kind == "table":
            lines = [line.replace(_CELL, " ", 1) for line in lines]
        left, top, right, bottom = draft.box
        step = (bottom - top) / max(1, len(lines))
        for number, line in enumerate(lines):
            if not line.strip():
                continue
            known = len(draft.starts) == len(lines)
            start = draft.starts[number] if known else left
            offset = start - edges[page, draft.column] if known else 0.0 if number == 0 else _HANG + 1
            box = (left, top + number * step, right, top + (number + 1) * step)
            is_column_start = number == 0 and before != (page, draft.column)
            rows.append(_Row(line.strip(), page, rounded(box), offset, number == 0, is_column_start))
        before = (page, draft.column)
    return rows


def _starts(rows: Sequence[_Row]) -> list[int]:
    """The rows with which entries begin."""
    for pattern in (_BRACKET, _DOTTED):
        counted = _counted(rows, pattern)
        if len(counted) >= 2 and counted[0] <= 2:
            return counted
    keyed = [index for index, row in enumerate(rows) if _KEYED.match(row.text)]
    if len(keyed) >= 3 and keyed[0] == 0:
        return keyed
    if sum(row.offset > _HANG for row in rows) >= _HANGING * len(rows):
        return [index for index, row in enumerate(rows) if row.offset <= _HANG]
    begun = [
        index
        for index, row in enumerate(rows)
        if row.is_draft_start and (index == 0 or not row.is_column_start or _is_ended(rows[index - 1], row))
    ]
    named = [index for index in begun if _AUTHORED.match(rows[index].text)]
    return _authored(rows) if len(named) >= max(_FEWEST, _MOSTLY * len(begun)) else begun


def _authored(rows: Sequence[_Row]) -> list[int]:
    """The rows that begin with the name of an author, where the entry above has a year and has ended."""
    starts = [0]
    for index in range(1, len(rows)):
        above = " ".join(row.text for row in rows[starts[-1] : index])
        if _AUTHORED.match(rows[index].text) and _is_ended(rows[index - 1], rows[index]) and _YEAR.search(above):
            starts.append(index)
    return starts


def _is_ended(before: _Row, row: _Row) -> bool:
    return _ENDED.search(before.text) is not None and row.text[:1].isupper()


def _counted(rows: Sequence[_Row], pattern: re.Pattern[str]) -> list[int]:
    """The rows whose numbers count up from 1; at most one number may be missing at a time."""
    found: list[int] = []
    last = 0
    for index, row in enumerate(rows):
        number = _number_of(row.text, pattern)
        if last < number <= last + (2 if last else 1):
            found.append(index)
            last = number
    return found


def _reference(rows: Sequence[_Row]) -> Numbered | None:
    text = plain_text(join_contents([(Text(row.text),) for row in rows])).strip()
    key = ""
    for pattern in (_BRACKET, _KEYED, _DOTTED):
        found = pattern.match(text)
        if found:
            key = next(group for group in found.groups() if group)
            text = text[found.end() :].strip()
            break
    if (not key and len(text.split()) < _FEWEST_WORDS) or sum(character.isalpha() for character in text) < 4:
        return None
    first = rows[0]
    own = [row.box for row in rows if row.page == first.page and row.box[1] >= first.box[1]]
    box = (min(b[0] for b in own), first.box[1], max(b[2] for b in own), max(b[3] for b in own))
    block = Reference(Place(page=first.page, box=rounded(box)), "\n".join(row.text for row in rows), text, key)
    return first.page, Draft("reference", block, rounded(box))
