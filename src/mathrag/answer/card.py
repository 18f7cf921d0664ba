"""What an outcome shows to a person, part by part, before any format: words, formulas, values. Writes no text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Words:
    """Text, possibly a stranger's: each format must make it harmless."""

    text: str
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class Math:
    """A formula or a value in both writings. The LaTeX is made by us, or was checked."""

    plain: str
    latex: str


@dataclass(frozen=True, slots=True)
class Command:
    """Something to type or to copy: a command, an id."""

    text: str


Inline: TypeAlias = Words | Math | Command
Line: TypeAlias = tuple[Inline, ...]
# How the lines of a section stand: each by itself, as items, as formulas on lines of their own, or as columns.
Layout: TypeAlias = Literal["lines", "items", "formulas", "columns"]


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part. With the layout `columns`, each row holds one line for each column."""

    title: str
    lines: tuple[Line, ...] = ()
    layout: Layout = "lines"
    header: tuple[Line, ...] = ()
    rows: tuple[tuple[Line, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A headline, the value where there is one, and the sections below."""

    headline: Line
    sections: tuple[Section, ...]
    kind: Literal["answered", "refused", "chat"]
