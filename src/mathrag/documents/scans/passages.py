"""From pieces in reading order to passages: lines joined to paragraphs, list items and headings. Makes no blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mathrag.documents.scans.line_kinds import words_of
from mathrag.documents.scans.pieces import Piece

# OCR's boxes differ by a fifth with the letters in them; only clearly larger type is a heading.
_HEADING = 1.35
_TITLE = 1.8
_LONGEST_HEADING = 14
_ENDS = (".", ":", "?", "!", ";")


@dataclass(slots=True)
class Passage:
    """Consecutive lines of prose that belong together, or one picture. `marker` begins the item of a list."""

    pieces: list[Piece]
    marker: str = ""
    heading: int = 0
    is_picture: bool = False
    _right: float = field(default=0.0)

    @property
    def text(self) -> str:
        """The lines as one text, words divided at line ends made whole."""
        text = ""
        for piece in self.pieces:
            if len(text) > 1 and text[-1] in "-\u00ad" and text[-2].isalpha() and piece.text[:1].islower():
                text = text[:-1] + piece.text
            else:
                text = f"{text} {piece.text}" if text else piece.text
        return text


def passages_of(pieces: Sequence[Piece], body: float) -> list[Passage]:
    """Passages in the order of the pieces."""
    passages: list[Passage] = []
    marker = ""
    for piece in pieces:
        if piece.kind == "marker":
            marker = piece.text
        elif piece.kind != "prose":
            passages.append(Passage([piece], is_picture=True))
        elif not marker and passages and _continues(passages[-1], piece, body):
            passages[-1].pieces.append(piece)
        else:
            passages.append(Passage([piece], marker=marker))
            marker = ""
    for passage in passages:
        passage.heading = _heading_level(passage, body)
    return passages


def _continues(passage: Passage, piece: Piece, body: float) -> bool:
    if passage.is_picture:
        return False
    last = passage.pieces[-1]
    if max(piece.height, last.height) > 1.3 * max(1.0, min(piece.height, last.height)):
        return False
    middle = (piece.flat[1] + piece.flat[3]) / 2
    if last.flat[1] < middle < last.flat[3]:
        return -body < piece.flat[0] - last.flat[2] < 2 * body
    gap = piece.flat[1] - last.flat[3]
    if not -0.6 * body < gap < 0.75 * body:
        return False
    if piece.flat[0] > last.flat[2] or piece.flat[2] < last.flat[0]:
        return False
    right = max(line.flat[2] for line in passage.pieces)
    left = min(line.flat[0] for line in passage.pieces)
    is_indented = piece.flat[0] > left + 1.2 * body
    has_ended = last.text.endswith(_ENDS)
    is_short = last.flat[2] < right - 0.15 * (right - left)
    return not (has_ended and (is_indented or is_short))


def _heading_level(passage: Passage, body: float) -> int:
    """1 or 2 for a heading, 0 for anything else."""
    if passage.is_picture or passage.marker or len(passage.pieces) > 2:
        return 0
    height = min(piece.height for piece in passage.pieces)
    words = words_of(passage.text)
    if all(len(word) < 4 for word in words):
        return 0
    if height < _HEADING * body or not 0 < len(words) <= _LONGEST_HEADING or passage.text.endswith((".", ",", ";")):
        return 0
    return 1 if height >= _TITLE * body else 2
