"""Contents of rows to the content of a paragraph: words broken at row ends joined, formulas broken there too."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from mathrag.documents.pdf.boxes import rounded, union
from mathrag.types.document import Break, Content, Inline, Math, Text

_BROKEN_WORD = re.compile(r"([^\W\d_]+)[-‐]$")
_WORD_START = re.compile(r"[^\W\d_]+")
_OPEN_END = re.compile(
    r"(?:[=+\-<>]|\\(?:cdot|times|pm|mp|le|leq|ge|geq|approx|equiv|sim|propto|to|rightarrow|ne|neq|in|div|simeq|cong|ll|gg))"
    r"\s*$"
)


def join_contents(parts: Sequence[Content], *, vocabulary: Collection[str] = ()) -> Content:
    """The contents of consecutive rows as one."""
    result: list[Inline] = []
    for content in parts:
        for position, piece in enumerate(content):
            if position == 0 and result:
                _append_row_start(result, piece, vocabulary=vocabulary)
            else:
                _append(result, piece)
    return tuple(result)


def _append_row_start(result: list[Inline], piece: Inline, *, vocabulary: Collection[str]) -> None:
    last = result[-1]
    if isinstance(last, Math) and isinstance(piece, Math) and is_broken(last, piece):
        result[-1] = join_maths(last, piece)
        return
    if isinstance(last, Text) and isinstance(piece, Text):
        broken = _BROKEN_WORD.search(last.text)
        following = _WORD_START.match(piece.text)
        if broken and following:
            keeps = _keeps_hyphen(broken.group(1), following.group(), vocabulary=vocabulary)
            text = last.text if keeps else last.text[:-1]
            result[-1] = replace(last, text=text)
            _append(result, replace(piece, bold=last.bold, italic=last.italic) if len(piece.text) < 2 else piece)
            return
        if last.text.endswith(("-", "–", "—", "/")) and not last.text.endswith((" -", " –")):
            _append(result, piece)
            return
    if not (isinstance(last, Text) and last.text.endswith(" ")) and not isinstance(last, Break):
        _append(result, Text(" ", *_style(last)))
    _append(result, piece)


def is_broken(one: Math, other: Math) -> bool:
    """Whether a formula goes on in the next row: TeX breaks after a relation or operator, others before it."""
    if one.is_display or other.is_display:
        return False
    return _OPEN_END.search(one.source) is not None or _OPEN_END.match(other.source[:1]) is not None


def _style(piece: Inline) -> tuple[bool, bool]:
    return (piece.bold, piece.italic) if isinstance(piece, Text) else (False, False)


def _keeps_hyphen(before: str, after: str, *, vocabulary: Collection[str]) -> bool:
    """Whether a hyphen at a row's end is one of the word's own."""
    if not after[0].islower():
        return True
    if (before + after).lower() in vocabulary:
        return False
    return f"{before}-{after}".lower() in vocabulary


def join_maths(one: Math, other: Math) -> Math:
    """Two parts of a formula that stands in two rows as one."""
    boxes = [place.box for place in (one.place, other.place) if place.box]
    return replace(
        one,
        source=f"{one.source} {other.source}",
        quote=f"{one.quote} {other.quote}",
        place=replace(one.place, box=rounded(union(boxes)) if boxes else None),
        confidence=min(one.confidence, other.confidence),
        doubts=(*one.doubts, *other.doubts),
    )


def _append(result: list[Inline], piece: Inline) -> None:
    last = result[-1] if result else None
    if isinstance(piece, Text) and isinstance(last, Text) and (last.bold, last.italic) == (piece.bold, piece.italic):
        result[-1] = replace(last, text=last.text + piece.text)
    else:
        result.append(piece)
