"""The reading order of the pieces of a page: columns where there are columns of prose, otherwise row by row.

A sheet with formulas on the left and their meaning on the right is no page of two columns: it is read across.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.documents.scans.line_kinds import words_of
from mathrag.documents.scans.pieces import Piece

_FEWEST_LINES = 4
_MOST_COLUMNS_DEEP = 3


def in_reading_order(pieces: Sequence[Piece], body: float, *, depth: int = _MOST_COLUMNS_DEEP) -> list[Piece]:
    """All pieces, first to last."""
    gutter = _gutter(pieces, body) if depth > 0 else None
    if gutter is None:
        return [piece for row in rows_of(pieces) for piece in row]
    across = sorted((piece for piece in pieces if _crosses(piece, gutter, body)), key=_middle)
    ordered: list[Piece] = []
    rest = [piece for piece in pieces if not _crosses(piece, gutter, body)]
    for position in range(len(across) + 1):
        limit = _middle(across[position]) if position < len(across) else float("inf")
        band = [piece for piece in rest if _middle(piece) < limit]
        rest = [piece for piece in rest if _middle(piece) >= limit]
        for side in (
            [piece for piece in band if _centre(piece) < gutter],
            [piece for piece in band if _centre(piece) >= gutter],
        ):
            ordered += in_reading_order(side, body, depth=depth - 1)
        if position < len(across):
            ordered.append(across[position])
    return ordered


def rows_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces side by side make a row; rows from top to bottom, each from left to right."""
    rows: list[list[Piece]] = []
    top = bottom = 0.0
    for piece in sorted(pieces, key=_middle):
        shared = min(bottom, piece.flat[3]) - max(top, piece.flat[1])
        if rows and shared > 0.5 * min(bottom - top, piece.flat[3] - piece.flat[1]):
            rows[-1].append(piece)
            # A tall formula must not draw the next line of its neighbour into the row.
            top, bottom = max(top, piece.flat[1]), min(bottom, piece.flat[3])
        else:
            rows.append([piece])
            top, bottom = piece.flat[1], piece.flat[3]
    return [sorted(row, key=lambda piece: piece.flat[0]) for row in rows]


def _gutter(pieces: Sequence[Piece], body: float) -> float | None:
    """Where a white stripe parts two columns of prose; None where there is none."""
    lines = [piece for piece in pieces if piece.kind == "prose" and len(words_of(piece.text)) >= 3]
    if len(lines) < 2 * _FEWEST_LINES:
        return None
    left, right = min(piece.flat[0] for piece in lines), max(piece.flat[2] for piece in lines)
    best, best_score = None, 0.0
    candidates = sorted({round(piece.flat[0] - 0.6 * body, 1) for piece in lines})
    for x in candidates:
        if not left + 0.2 * (right - left) < x < left + 0.8 * (right - left):
            continue
        before = [piece for piece in lines if piece.flat[2] <= x + 0.2 * body]
        after = [piece for piece in lines if piece.flat[0] >= x - 0.2 * body]
        crossing = len(lines) - len(before) - len(after)
        fewest = min(len(before), len(after))
        score = fewest - 1.5 * crossing
        if fewest >= _FEWEST_LINES and crossing <= 0.35 * len(lines) and score > best_score:
            best, best_score = x, score
    return best


def _crosses(piece: Piece, x: float, body: float) -> bool:
    return piece.flat[0] < x - 0.5 * body and piece.flat[2] > x + 0.8 * body


def _middle(piece: Piece) -> float:
    return (piece.flat[1] + piece.flat[3]) / 2


def _centre(piece: Piece) -> float:
    return (piece.flat[0] + piece.flat[2]) / 2
