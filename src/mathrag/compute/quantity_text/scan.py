"""Cut a sentence into numbers, words and marks with their places. Decides nothing about their meaning."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from typing import Literal

# Thousands are grouped by commas, or by the narrow and unbreakable blanks that typesetters use.
_TOKEN = re.compile(
    r"(?P<number>[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]{1,3}(?:[\u00a0\u2009\u202f][0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
    r"|(?P<word>[^\W\d_]\w*)"
    r"|(?P<mark>\S)",
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A token of running text."""

    kind: Literal["number", "word", "mark"]
    text: str
    start: int
    end: int


class Scan:
    """The pieces of one text, with look-ups by index and by place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces = [
            Piece(match.lastgroup, match.group(), match.start(), match.end())  # type: ignore[arg-type]
            for match in _TOKEN.finditer(text)
        ]
        self._starts = [piece.start for piece in self.pieces]

    def index_at(self, place: int) -> int:
        """The first piece that starts at or after a place."""
        return bisect.bisect_left(self._starts, place)

    def piece(self, index: int) -> Piece | None:
        """The piece with this index, if there is one."""
        return self.pieces[index] if 0 <= index < len(self.pieces) else None

    def word(self, index: int) -> str:
        """The word with this index in small letters; empty when it is no word."""
        piece = self.piece(index)
        return piece.text.lower() if piece is not None and piece.kind == "word" else ""

    def is_mark(self, index: int, marks: str) -> bool:
        """Whether the piece is one of these marks."""
        piece = self.piece(index)
        return piece is not None and piece.kind == "mark" and piece.text in marks
