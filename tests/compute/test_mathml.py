"""MathML: the layout of presentation, the trees of content, hostile text, and printing."""

from __future__ import annotations

import time
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from strategies import expressions

from mathrag.compute.latex import read_latex
from mathrag.compute.mathml import read_layout, read_mathml, tex_annotation
from mathrag.compute.notation import (
    Accent,
    Amount,
    Digits,
    Fence,
    Grid,
    Mark,
    Name,
    Root,
    Row,
    Script,
    Sign,
    Space,
    Species,
    Stack,
    Words,
)
from mathrag.compute.printers.mathml import mathml_text
from mathrag.compute.printers.pythontext import comparison_text, python_text
from mathrag.errors import FormulaError
from mathrag.types.expression import (
    Call,
    Declined,
    Equation,
    Expression,
    Measure,
    Number,
    Piecewise,
    Reading,
    Series,
    Symbol,
    add,
    divide,
    multiply,
    power,
    symbols_of,
    walk,
)

GOLDEN = Path(__file__).parents[1] / "golden"
INVISIBLE = {"\u2062": "times", "\u2061": "apply"}


def golden(name: str, table: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = tomllib.loads((GOLDEN / name).read_text(encoding="utf-8"))[table]
    return entries


def dump(mark: Mark | None) -> str:
    """Notation as a line a person can read: `[(over m a) + x:bold^2]` with every group explicit."""
    match mark:
        case None:
            return "-"
        case Name(text, _, style):
            return text if style == "italic" else f"{text}:{style}"
        case Digits(text):
            return f"#{text}"
        case Sign(text):
            return f"<{INVISIBLE.get(text, text)}>"
        case Space(_, wide):
            return "__" if wide else "_"
        case Words(text):
            return f'"{text}"'
        case Row(items):
            return "[" + " ".join(map(dump, items)) + "]"
        case Fence(opening, closing, body):
            return f"(fence {opening or '.'} {closing or '.'} {dump(body)})"
        case Script(base, sub, sup, _, limits):
            return f"({'limits' if limits else 'script'} {dump(base)} {dump(sub)} {dump(sup)})"
        case Accent(accent, body):
            return f"({accent} {dump(body)})"
        case Stack(above, below, _, bar):
            return f"({'over' if bar else 'stack'} {dump(above)} {dump(below)})"
        case Root(body, degree):
            return f"(root {dump(body)} {dump(degree)})"
        case Grid(kind, lines):
            return f"({kind} {' / '.join(' & '.join(map(dump, line)) for line in lines)})"
        case Amount() | Species():
            raise AssertionError("MathML has no such marks")
