"""The outline of a document for definitions: sections with their blocks, and runs of prose with the formulas between.

A sentence may run on through displayed formulas ("... is\\n E = mc^2,\\nwhere m ..."), so paragraphs and displays in a
row are one flow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.language.tokens import SymbolSeen
from mathrag.language.word_classes import any_of
from mathrag.types.document import Block, Content, Display, Heading, Math, Paragraph, Place, Text, plain_text

_LETTER = re.compile(r"[^\W\d_](?![A-Za-z'’-])")
_EXERCISES = re.compile(rf"\b(?:{any_of('headings.exercises')})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Section:
    """The blocks under a heading: `first` is the heading (or 0), `last` the last block before its equal or higher."""

    first: int
    last: int
    level: int
    headings: tuple[str, ...]

    @property
    def title(self) -> str:
        """Its own heading."""
        return self.headings[-1] if self.headings else ""

    @property
    def is_exercise(self) -> bool:
        """Whether it works with numbers made up for practice."""
        return any(_EXERCISES.search(title) for title in self.headings[-2:])


@dataclass(frozen=True, slots=True)
class Outline:
    """Which section each block stands in."""

    sections: tuple[Section, ...]
    section_of: tuple[int, ...]

    def section(self, block: int) -> Section:
        """The innermost section of a block."""
        return self.sections[self.section_of[block]]


def outline_of(blocks: Sequence[Block]) -> Outline:
    """Sections by headings. Levels may jump; an unclosed section ends with the document."""
    last = max(len(blocks) - 1, 0)
    sections: list[Section] = [Section(0, last, 0, ())]
    section_of: list[int] = []
    open_sections = [0]
    for index, block in enumerate(blocks):
        if isinstance(block, Heading):
            while len(open_sections) > 1 and sections[open_sections[-1]].level >= block.level:
                _close(sections, open_sections.pop(), index - 1)
            title = " ".join(plain_text(block.content).split())
            above = sections[open_sections[-1]].headings
            sections.append(Section(index, last, block.level, (*above, title)[-8:]))
            open_sections.append(len(sections) - 1)
        section_of.append(open_sections[-1])
    return Outline(tuple(sections), tuple(section_of))


def _close(sections: list[Section], place: int, last: int) -> None:
    section = sections[place]
    sections[place] = Section(section.first, max(last, section.first), section.level, section.headings)


def flows_of(blocks: Sequence[Block]) -> Iterator[list[tuple[int, Content, Place]]]:
    """Runs of blocks whose sentences may go on from one to the next."""
    run: list[tuple[int, Content, Place]] = []
    for index, block in enumerate(blocks):
        if isinstance(block, Display):
            run.append((index, (block.math,), block.place))
        elif isinstance(block, Paragraph):
            if run and not _goes_on(blocks, index):
                yield run
                run = []
            run.append((index, block.content, block.place))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _goes_on(blocks: Sequence[Block], index: int) -> bool:
    """Whether a paragraph continues what stands before: after a display, or in lower case."""
    before, block = blocks[index - 1], blocks[index]
    if isinstance(before, Display):
        return True
    if not isinstance(block, Paragraph) or not isinstance(before, Paragraph):
        return False
    opening = plain_text(block.content[:1]).lstrip()[:6]
    ends_with_formula = bool(before.content) and _is_display(before.content)
    goes_on = opening[:1].islower() and not _opens_with_letter(block.content)
    return ends_with_formula or goes_on or opening.casefold().startswith(("where", "here "))


def _opens_with_letter(content: Content) -> bool:
    """Whether a paragraph opens with a single letter, which is a symbol and no word that goes on with a sentence."""
    first = content[0] if content else None
    if not isinstance(first, Text):
        return isinstance(first, Math)
    found = _LETTER.match(first.text.lstrip())
    return found is not None and (found.group() != "a" or first.italic or first.bold)


def _is_display(content: Content) -> bool:
    """Whether a content ends with a displayed formula, or is nothing but a formula."""
    solid = [piece for piece in content if plain_text((piece,)).strip(" .,;\n")]
    if not solid or not isinstance(solid[-1], Math):
        return False
    return solid[-1].is_display or len(solid) == 1


def formula_start(blocks: Sequence[Block], block: int, first: int) -> int:
    """The first of the formula blocks in a row that end right before (or at) a block: what "where" looks back on."""
    start = block
    while start > first and _is_formula(blocks[start - 1]):
        start -= 1
    if start == block and start > first and isinstance(blocks[start], Paragraph) and not _has_formula(blocks[start]):
        previous = blocks[start - 1]
        if isinstance(previous, Paragraph) and _has_formula(previous):
            start -= 1
    return start


def _is_formula(block: Block) -> bool:
    return isinstance(block, Display) or (isinstance(block, Paragraph) and _is_display(block.content))


def _has_formula(block: Block) -> bool:
    return isinstance(block, Paragraph) and any(
        isinstance(piece, Math) and "=" in piece.source for piece in block.content
    )


# What the rules hand over: a symbol with its words, before scope, kind and unit are settled.

# How far a definition holds: from the formula it explains to the end of the section, over its section, everywhere.
Reach: TypeAlias = Literal["formula", "onwards", "section", "document"]


@dataclass(frozen=True, slots=True)
class Found:
    """One definition as a rule found it. `block` is the index of the block it stands in."""

    symbol: SymbolSeen
    description: str
    source: str
    confidence: float
    block: int
    place: Place
    quote: str
    unit_text: str | None = None
    reach: Reach = "onwards"
