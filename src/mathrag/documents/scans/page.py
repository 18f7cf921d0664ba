"""A scanned page from its picture to blocks: prose as read by OCR, formulas and figures as pictures with their box.

Nothing that looks like a formula becomes one by OCR. Where a package offers to read pictures of formulas, what it says
is added as a guess that names it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from mathrag.documents.math_in_text.recognised_lines import has_relation, is_prose, words_of
from mathrag.documents.scans.formula_pictures import FormulaProposal, propose_latex
from mathrag.documents.scans.ink import Pixels, cut_out, grey, grey_png, regions
from mathrag.documents.scans.recogniser import Upright, read_upright, text_recogniser
from mathrag.documents.scans.records import Box, ScanLine, ScannedPage, TextRecogniser, area, overlap, united
from mathrag.errors import DocumentError
from mathrag.types.document import (
    Block,
    Display,
    Heading,
    Image,
    KeptPicture,
    ListItem,
    Math,
    Paragraph,
    Place,
    ReaderNote,
    Text,
)

# What a recognised line is: prose, a formula or a fragment of one, the marker of an item. Knows no places.

LineKind: TypeAlias = Literal["prose", "formula", "fragment", "marker"]

# Below this the recogniser guesses, and its words are no words.
_UNREADABLE = 0.5
_MARKER = re.compile(r"(?:[•·▪◦–*-]|\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,4})[.)])")
_NUMBER = re.compile(r"[(\[]\s?([A-Z]?\.?\d{1,3}(?:[.\-–]\d{1,3}){0,3}[a-z]?)\s?[)\]]")


def kind_of(line: ScanLine) -> LineKind:
    """What a line is by itself; its neighbours may still draw it into a formula."""
    text = line.text.strip()
    if _MARKER.fullmatch(text):
        return "marker"
    if line.confidence >= _UNREADABLE and is_prose(text):
        return "prose"
    return "formula" if has_relation(text) else "fragment"


def equation_number(text: str) -> str:
    """The number in `(3.2)`, empty where the text is none."""
    match = _NUMBER.fullmatch(text.strip())
    return match.group(1) if match else ""


def is_page_number(text: str) -> bool:
    """Whether a lone piece at the edge of a page can be its number: `31`, `- 4 -`, `xii`."""
    bare = text.strip(" .·-–—|[]()")
    return 0 < len(bare) <= 5 and (bare.isdigit() or re.fullmatch(r"[ivxlc]{1,5}", bare.lower()) is not None)


# From recognised lines and ink to the pieces of a page: prose, formulas and figures. Orders nothing, in pixels.

PieceKind: TypeAlias = Literal["prose", "marker", "formula", "figure"]
# In lines of text: what is taller shows something other than a formula.
_TALLEST_FORMULA = 9.0
_EDGE = 0.09


@dataclass(frozen=True, slots=True)
class PagePiece:
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


def find_pieces(lines: Sequence[ScanLine], bright: Pixels) -> tuple[list[PagePiece], float]:
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


def _text_piece(line: ScanLine, kind: PieceKind, tilt: float) -> PagePiece:
    height = _height(line)
    return PagePiece(kind, line.box, _level(line.box, tilt, height), height, _shown(line.text), line.confidence)


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
) -> tuple[list[PagePiece], list[ScanLine]]:
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
        pieces.append(PagePiece(kind, box, _level(box, tilt, height), height, text, confidence))
    return pieces, lonely


def _with_openings(pieces: list[PagePiece], formulas: list[PagePiece], body: float) -> list[PagePiece]:
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


def _opens(piece: PagePiece, formula: PagePiece, body: float) -> bool:
    if piece.kind != "prose" or formula.kind != "formula" or len(words_of(piece.text)) > 3:
        return False
    if overlap(piece.box, formula.box) > 0.5 * area(piece.box) and len(words_of(piece.text)) <= 2:
        return True
    middle = (piece.flat[1] + piece.flat[3]) / 2
    is_beside = formula.flat[1] < middle < formula.flat[3] and -body < formula.flat[0] - piece.flat[2] < 1.5 * body
    is_equation = piece.text.rstrip().endswith(("=", "≡", "≈")) or formula.text.lstrip()[:1] in ("=", "≡", "≈")
    return is_beside and (is_equation or formula.flat[3] - formula.flat[1] > 1.6 * body)


def _with_numbers(pieces: list[PagePiece], body: float) -> list[PagePiece]:
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


def _is_furniture(piece: PagePiece, page_height: int) -> bool:
    """The number of the page, at its upper or lower edge."""
    is_at_edge = piece.box[3] < _EDGE * page_height or piece.box[1] > (1 - _EDGE) * page_height
    return is_at_edge and piece.kind in ("formula", "marker", "prose") and is_page_number(piece.text)


# From pieces in reading order to passages: lines joined to paragraphs, list items and headings. Makes no blocks.

# OCR's boxes differ by a fifth with the letters in them; only clearly larger type is a heading.
_HEADING = 1.35
_TITLE = 1.8
_LONGEST_HEADING = 14
_ENDS = (".", ":", "?", "!", ";")


@dataclass(slots=True)
class Passage:
    """Consecutive lines of prose that belong together, or one picture. `marker` begins the item of a list."""

    pieces: list[PagePiece]
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


def passages_of(pieces: Sequence[PagePiece], body: float) -> list[Passage]:
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


def _continues(passage: Passage, piece: PagePiece, body: float) -> bool:
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


# The reading order of the pieces of a page: columns where there are columns of prose, otherwise row by row.
#
# A sheet with formulas on the left and their meaning on the right is no page of two columns: it is read across.

_FEWEST_LINES = 4
_MOST_COLUMNS_DEEP = 3


def in_reading_order(pieces: Sequence[PagePiece], body: float, *, depth: int = _MOST_COLUMNS_DEEP) -> list[PagePiece]:
    """All pieces, first to last."""
    gutter = _gutter(pieces, body) if depth > 0 else None
    if gutter is None:
        return [piece for row in rows_of(pieces) for piece in row]
    across = sorted((piece for piece in pieces if _crosses(piece, gutter, body)), key=_middle)
    ordered: list[PagePiece] = []
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


def rows_of(pieces: Sequence[PagePiece]) -> list[list[PagePiece]]:
    """Pieces side by side make a row; rows from top to bottom, each from left to right."""
    rows: list[list[PagePiece]] = []
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


def _gutter(pieces: Sequence[PagePiece], body: float) -> float | None:
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


def _crosses(piece: PagePiece, x: float, body: float) -> bool:
    return piece.flat[0] < x - 0.5 * body and piece.flat[2] > x + 0.8 * body


def _middle(piece: PagePiece) -> float:
    return (piece.flat[1] + piece.flat[3]) / 2


def _centre(piece: PagePiece) -> float:
    return (piece.flat[0] + piece.flat[2]) / 2


# Pixels along the longer side: more than OCR needs costs time, less costs letters.
_SIDE = 2_200
_LARGEST_SCALE = 6.0
_MOST_PICTURES = 300
_PICTURE_BYTES = 4_000_000
_UNSURE = 0.8


def read_scanned_page(
    render: Callable[[float], tuple[int, int, bytes]],
    *,
    number: int,
    width: float,
    height: float,
    recogniser: TextRecogniser | None = None,
) -> ScannedPage:
    """Read a page that is a picture. `render(scale)` gives its width and height in pixels and its red-green-blue bytes.

    Raises `DocumentError` with code `no_ocr` where the extra for OCR is not installed.
    """
    recognise = recogniser or text_recogniser(number)
    if not (0 < width < 1e6 and 0 < height < 1e6):
        raise DocumentError("broken", f"page {number} has no size that can be drawn")
    scale = min(_SIDE / max(width, height), _LARGEST_SCALE)
    columns, rows, rgb = render(scale)
    if columns < 4 or rows < 4:
        return ScannedPage(())
    return read_picture(rgb, columns, rows, number=number, points=width / columns, recogniser=recognise)


def read_picture(
    rgb: bytes, width: int, height: int, *, number: int, points: float, recogniser: TextRecogniser
) -> ScannedPage:
    """The same from the pixels; one of them is `points` wide on the page."""
    upright = read_upright(rgb, width, height, recogniser=recogniser)
    bright = grey(upright.pixels)
    pieces, body = find_pieces(upright.lines, bright)
    builder = _PageBuilder(upright, bright, number, points)
    for passage in passages_of(in_reading_order(pieces, body), body):
        builder.add(passage, margin=0.25 * body)
    return ScannedPage(tuple(builder.blocks), tuple(builder.pictures), builder.notes())


class _PageBuilder:
    """Collects the blocks of one page and the pictures that are kept, within what may be kept."""

    def __init__(self, upright: Upright, bright: Pixels, number: int, points: float) -> None:
        self.blocks: list[Block] = []
        self.pictures: list[KeptPicture] = []
        self._upright = upright
        self._bright = bright
        self._number = number
        self._points = points
        self._bytes = 0
        self._formulas = 0
        self._dropped = 0
        self._unsure = 0

    def add(self, passage: Passage, *, margin: float) -> None:
        if passage.is_picture:
            self._add_picture(passage.pieces[0], margin)
            return
        text = passage.text
        if not text.strip():
            return
        place = self._place([piece.box for piece in passage.pieces])
        if min(piece.confidence for piece in passage.pieces) < _UNSURE:
            self._unsure += 1
        content = (Text(text),)
        if passage.heading:
            self.blocks.append(Heading(place, text, passage.heading, content))
        elif passage.marker:
            self.blocks.append(ListItem(place, f"{passage.marker} {text}", content, marker=passage.marker))
        else:
            self.blocks.append(Paragraph(place, text, content))

    def _place(self, boxes: list[Box], margin: float = 0.0) -> Place:
        corners = [self._upright.turned_back(box) for box in boxes]
        left, top = min(box[0] for box in corners) - margin, min(box[1] for box in corners) - margin
        right, bottom = max(box[2] for box in corners) + margin, max(box[3] for box in corners) + margin
        points = self._points
        box = tuple(round(max(0.0, value) * points, 2) for value in (left, top, right, bottom))
        return Place(page=self._number, box=(box[0], box[1], box[2], box[3]))

    def _add_picture(self, piece: PagePiece, margin: float) -> None:
        place = self._place([piece.box], margin)
        if piece.kind == "figure":
            self.blocks.append(Image(place, "a figure in a scan", alternative=piece.text[:500]))
            return
        png = grey_png(cut_out(self._bright, piece.box, margin=margin))
        self._keep(place, png)
        self._formulas += 1
        proposal = propose_latex(png)
        seen = piece.text.strip()[:500]
        if proposal is None:
            label = f" ({piece.number})" if piece.number else ""
            words = f"a formula in a scan{label}, not read; OCR saw: {seen}" if seen else f"a formula in a scan{label}"
            self.blocks.append(Image(place, seen or "a formula in a scan", alternative=words))
        else:
            self.blocks.append(Display(place, seen or proposal.latex, self._math(proposal, place, piece)))

    def _math(self, proposal: FormulaProposal, place: Place, piece: PagePiece) -> Math:
        return Math(
            proposal.latex,
            "latex",
            place,
            piece.text.strip()[:500] or proposal.latex,
            is_display=True,
            number=piece.number,
            confidence=proposal.confidence,
            doubts=proposal.doubts,
        )

    def _keep(self, place: Place, png: bytes) -> None:
        if len(self.pictures) >= _MOST_PICTURES or self._bytes + len(png) > _PICTURE_BYTES:
            self._dropped += 1
            return
        self._bytes += len(png)
        self.pictures.append(KeptPicture(place, base64.b64encode(png).decode("ascii")))

    def notes(self) -> tuple[ReaderNote, ...]:
        """What a reader of the report should know about the page."""
        place = Place(page=self._number)
        told = [ReaderNote("ocr", f"page {self._number} is a picture; its text was read by OCR", place)]
        if not self.blocks:
            told.append(ReaderNote("ocr_empty", f"OCR found no text on page {self._number}", place))
        if self._formulas:
            kept = f"{self._formulas} formulas" if self._formulas > 1 else "one formula"
            told.append(ReaderNote("formula_picture", f"{kept} of page {self._number} kept as pictures", place))
        if self._dropped:
            told.append(ReaderNote("picture_dropped", f"{self._dropped} cut-outs were too many or too large", place))
        if self._unsure:
            told.append(ReaderNote("ocr_unsure", f"{self._unsure} passages were hard to read for OCR", place))
        return tuple(told)
