"""From recognised lines and ink to the pieces of a page: prose, formulas and figures. Orders nothing, in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from mathrag.documents.scans.ink import Pixels, regions
from mathrag.documents.scans.line_kinds import LineKind, equation_number, is_page_number, kind_of, words_of
from mathrag.documents.scans.nouns import Box, ScanLine, area, overlap, united

PieceKind: TypeAlias = Literal["prose", "marker", "formula", "figure"]
# In lines of text: what is taller shows something other than a formula.
_TALLEST_FORMULA = 9.0
_EDGE = 0.09


@dataclass(frozen=True, slots=True)
class Piece:
    """Something on the page. `flat` is its box on the page made level; `height` that of its lines."""

    kind: PieceKind
    box: Box
    flat: Box
    height: float
    text: str = ""
    confidence: float = 1.0
    number: str = ""


def page_tilt(lines: Sequence[ScanLine]) -> float:
    """How much the lines of a page fall per pixel: that of the longest lines, for short ones wobble."""
    longest = sorted(lines, key=lambda line: line.box[2] - line.box[0], reverse=True)[: max(1, len(lines) // 3)]
    tilts = sorted(line.tilt for line in longest)
    return tilts[len(tilts) // 2] if tilts else 0.0


def body_height(lines: Sequence[ScanLine]) -> float:
    """The height of most of the text, each line counting by its length."""
    heights = sorted((_height(line), len(line.text)) for line in lines)
    left = sum(length for _, length in heights) / 2
    for height, length in heights:
        left -= length
        if left <= 0:
            return max(4.0, height)
    return 20.0


def _height(line: ScanLine) -> float:
    return line.height or line.box[3] - line.box[1]


def find_pieces(lines: Sequence[ScanLine], bright: Pixels) -> tuple[list[Piece], float]:
    """The pieces of a page in no order, and the height of its text."""
    kinds = [kind_of(line) for line in lines]
    prose = [line for line, kind in zip(lines, kinds, strict=True) if kind == "prose"]
    body, tilt = body_height(prose or lines), page_tilt(lines)
    others: list[tuple[ScanLine, LineKind]] = [
        (line, kind) for line, kind in zip(lines, kinds, strict=True) if kind != "prose"
    ]
    markers, others = _markers_before(prose, others, body)
    covered = [line.box for line in (*prose, *markers)]
    found = [
        region
        for region in regions(bright, covered, line_height=body)
        if not _is_frame(region, [line.box for line in lines], body)
    ]
    pieces = [_text_piece(line, "prose", tilt) for line in prose]
    pieces += [_text_piece(line, "marker", tilt) for line in markers]
    formulas, lonely = _formula_pieces(found, others, body=body, tilt=tilt)
    formulas += [_text_piece(line, "formula", tilt) for line in lonely]
    pieces = _with_numbers(_with_openings(pieces, formulas, body), body)
    return [piece for piece in pieces if not _is_furniture(piece, bright.shape[0])], body


def _text_piece(line: ScanLine, kind: PieceKind, tilt: float) -> Piece:
    height = _height(line)
    return Piece(kind, line.box, _level(line.box, tilt, height), height, _shown(line.text), line.confidence)


def _shown(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text).strip()


def _level(box: Box, tilt: float, height: float) -> Box:
    """The box on the page made level: as tall as its line, however far it falls."""
    left, top, right, bottom = box
    if not tilt:
        return box
    middle = (top + bottom) / 2 - tilt * (left + right) / 2
    half = min(height, bottom - top) / 2
    return (left, middle - half, right, middle + half)


def _markers_before(
    prose: Sequence[ScanLine], others: Sequence[tuple[ScanLine, LineKind]], body: float
) -> tuple[list[ScanLine], list[tuple[ScanLine, LineKind]]]:
    """Markers count only where prose follows on their line: a lone `a)` or `-` may be part of a formula."""
    markers, rest = [], []
    for line, kind in others:
        follows = any(
            0 <= other.box[0] - line.box[2] + body < 4 * body
            and abs(other.box[1] + other.box[3] - line.box[1] - line.box[3]) < body
            for other in prose
        )
        if kind == "marker" and follows:
            markers.append(line)
        else:
            rest.append((line, kind))
    return markers, rest


def _is_frame(region: Box, lines: Sequence[Box], body: float) -> bool:
    """Whether ink only surrounds text, as the rules of a table do."""
    if region[3] - region[1] < 2.5 * body or area(region) == 0:
        return False
    inside = [box for box in lines if overlap(region, box) > 0.8 * area(box)]
    return len(inside) >= 4 and sum(area(box) for box in inside) > 0.12 * area(region)


def _formula_pieces(
    found: Sequence[Box], others: Sequence[tuple[ScanLine, LineKind]], *, body: float, tilt: float
) -> tuple[list[Piece], list[ScanLine]]:
    """Regions of ink as formulas and figures, and the lines that lie in none of them."""
    inside: dict[int, list[ScanLine]] = {}
    lonely = []
    for line, _ in others:
        shares = [(overlap(region, line.box), index) for index, region in enumerate(found)]
        best, index = max(shares, default=(0.0, 0))
        if best > 0.3 * area(line.box):
            inside.setdefault(index, []).append(line)
        else:
            lonely.append(line)
    pieces = []
    for index, region in enumerate(found):
        lines = sorted(inside.get(index, ()), key=lambda line: (round(line.box[1] / body), line.box[0]))
        box = united([region, *(line.box for line in lines)])
        height = box[3] - box[1]
        is_formula = bool(lines) and height <= _TALLEST_FORMULA * body
        if not is_formula and height < 1.5 * body:
            # Scraps of ink without a readable sign: dirt, underlines, parts of prose outside their boxes.
            continue
        text = " ".join(_shown(line.text) for line in lines).strip()
        confidence = min((line.confidence for line in lines), default=0.0)
        kind: PieceKind = "formula" if is_formula else "figure"
        pieces.append(Piece(kind, box, _level(box, tilt, height), height, text, confidence))
    return pieces, lonely


def _with_openings(pieces: list[Piece], formulas: list[Piece], body: float) -> list[Piece]:
    """A few words right before a formula on its line begin it: `COP (cooling) = ...`."""
    kept = []
    grown = list(formulas)
    for piece in pieces:
        index = next((i for i, formula in enumerate(grown) if _opens(piece, formula, body)), None)
        if index is None:
            kept.append(piece)
            continue
        formula = grown[index]
        grown[index] = replace(
            formula,
            box=united([piece.box, formula.box]),
            flat=united([piece.flat, formula.flat]),
            text=f"{piece.text} {formula.text}",
        )
    return kept + grown


def _opens(piece: Piece, formula: Piece, body: float) -> bool:
    if piece.kind != "prose" or formula.kind != "formula" or len(words_of(piece.text)) > 3:
        return False
    if overlap(piece.box, formula.box) > 0.5 * area(piece.box) and len(words_of(piece.text)) <= 2:
        return True
    middle = (piece.flat[1] + piece.flat[3]) / 2
    is_beside = formula.flat[1] < middle < formula.flat[3] and -body < formula.flat[0] - piece.flat[2] < 1.5 * body
    is_equation = piece.text.rstrip().endswith(("=", "≡", "≈")) or formula.text.lstrip()[:1] in ("=", "≡", "≈")
    return is_beside and (is_equation or formula.flat[3] - formula.flat[1] > 1.6 * body)


def _with_numbers(pieces: list[Piece], body: float) -> list[Piece]:
    """Give `(3.2)` at the end of a line to the formula before it."""
    numbers = [piece for piece in pieces if piece.kind != "figure" and equation_number(piece.text)]
    kept = [piece for piece in pieces if piece not in numbers]
    for number in numbers:
        middle = (number.flat[1] + number.flat[3]) / 2
        owners = [
            index
            for index, piece in enumerate(kept)
            if piece.kind == "formula"
            and not piece.number
            and piece.flat[1] - body < middle < piece.flat[3] + body
            and piece.flat[2] < number.flat[0] + body
        ]
        if owners:
            owner = max(owners, key=lambda index: kept[index].flat[2])
            kept[owner] = replace(kept[owner], number=equation_number(number.text))
        else:
            kept.append(number)
    return kept


def _is_furniture(piece: Piece, page_height: int) -> bool:
    """The number of the page, at its upper or lower edge."""
    is_at_edge = piece.box[3] < _EDGE * page_height or piece.box[1] > (1 - _EDGE) * page_height
    return is_at_edge and piece.kind in ("formula", "marker", "prose") and is_page_number(piece.text)
