"""What stands on a page before anybody reads it: glyphs, rules, drawings and pictures. Knows no words and no formulas.

Coordinates are points from the left and from the **top** of the page as it is seen (rotation and crop undone), so y
grows downwards, as in `Place.box`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.documents.boxes import Box

# How the identity of a glyph is known; `none` where it is not.
Evidence: TypeAlias = Literal["map", "encoding", "name", "shape", "none"]
# Letters of a mathematical alphabet come as plain letters with their style, whatever the font did.
Style: TypeAlias = Literal["upright", "italic", "script", "blackboard", "fraktur", "sans", "mono"]


@dataclass(frozen=True, slots=True)
class Glyph:
    """One printed sign. `text` is its character (several for a ligature, "" where it is not known).

    `x`, `y` is its origin on the baseline, `advance` how far it moves the pen, `box` its ink (left, top, right,
    bottom). Pieces of tall delimiters come as the Unicode pieces (U+239B to U+23B3, U+23B7), accents as combining
    characters (U+0302, U+20D7, ...), big operators, radicals and delimiters of any size as the plain character: their
    size is in the box. `font` has no subset prefix. `size` is in points as printed.
    """

    text: str
    font: str
    size: float
    x: float
    y: float
    advance: float
    box: Box
    style: Style = "upright"
    is_bold: bool = False
    is_math_font: bool = False
    evidence: Evidence = "map"
    angle: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight thin line, drawn or filled: a fraction bar, an overline, the border of a table."""

    box: Box

    @property
    def is_horizontal(self) -> bool:
        left, top, right, bottom = self.box
        return right - left >= bottom - top


@dataclass(frozen=True, slots=True)
class Drawing:
    """Any other drawn path, by its box and, where its shape is known, what it stands for: `√` or a stretched sign."""

    box: Box
    text: str = ""
    is_filled: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A raster image, never decoded: where it stands."""

    box: Box


@dataclass(frozen=True, slots=True)
class PageContent:
    """One page. `glyphs` in the order of the file. `is_scan`: pictures cover it and there is no usable text."""

    number: int
    width: float
    height: float
    glyphs: tuple[Glyph, ...]
    rules: tuple[Rule, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    pictures: tuple[Picture, ...] = ()
    is_scan: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FormulaReading:
    """LaTeX rebuilt from a part of a page. `confidence` from 0 to 1; 1 only where nothing was guessed.

    `unknown` counts glyphs without identity, `doubts` names what was uncertain (for people and for tests).
    """

    latex: str
    box: Box
    confidence: float
    unknown: int = 0
    doubts: tuple[str, ...] = ()
    number: str = ""
    condition: str = ""
