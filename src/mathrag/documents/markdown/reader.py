"""Markdown bytes to a `Document`: decoding, front matter, blocks, captions, title. The entry point of the format."""

from __future__ import annotations

import re
from pathlib import PurePath
from time import monotonic
from typing import Any

from mathrag.documents.arrangement import arrange, find_abstract
from mathrag.documents.decoding import decode
from mathrag.documents.markdown.block_rules import make_parser
from mathrag.documents.markdown.blocks import BlockBuilder
from mathrag.documents.markdown.front_matter import FrontMatter, read_front_matter
from mathrag.documents.markdown.inline_links import normal_label
from mathrag.documents.reader import ReadingLimits, Source
from mathrag.documents.source_map import SourceText
from mathrag.types.document import Block, Document, Heading, ReaderNote, plain_text


def read_markdown(source: Source) -> Document:
    """Read a Markdown document. Raises `DocumentError` for what is no text, too large or nested too deep."""
    decoded = decode(source)
    front = read_front_matter(decoded.text)
    blocks, notes = read_markdown_text(decoded.text, limits=source.limits, front=front)
    return Document(
        source=source.name,
        media_type="text/markdown",
        hash=source.hash,
        blocks=tuple(blocks),
        title=front.title or first_heading(blocks) or PurePath(source.name).stem,
        authors=front.authors,
        year=front.year,
        abstract=front.abstract or find_abstract(blocks),
        notes=(*decoded.notes, *notes),
    )


def read_markdown_text(
    text: str,
    *,
    limits: ReadingLimits,
    front: FrontMatter | None = None,
    path: str = "",
) -> tuple[list[Block], list[ReaderNote]]:
    """The blocks of Markdown text. `path` goes into every place: the cell, where the text is one of a notebook."""
    source = SourceText(text, path=path)
    visible = text
    if front is not None and front.end:
        # Blanked, not cut: lines and offsets stay those of the document.
        visible = re.sub(r"[^\n]", " ", text[: front.end]) + text[front.end :]
    environment: dict[str, Any] = {"limits": limits, "deadline": monotonic() + limits.seconds}
    tokens = make_parser(depth=limits.depth).parse(visible, environment)
    labels = frozenset(normal_label(label) for label in environment.get("references", {}))
    builder = BlockBuilder(source, labels=labels, limits=limits)
    builder.build(tokens)
    return arrange(builder.blocks), [*builder.notes, *_shortcode_notes(builder)]


def _shortcode_notes(builder: BlockBuilder) -> list[ReaderNote]:
    notes: list[ReaderNote] = []
    for name, spans in builder.shortcodes.items():
        times = "" if len(spans) == 1 else f" ({len(spans)} times)"
        notes.append(
            ReaderNote("shortcode", f"the shortcode {name!r} was left out{times}", builder.source.place(*spans[0]))
        )
    return notes


def first_heading(blocks: list[Block]) -> str:
    """The words of the first heading of the highest level, as a title."""
    for block in blocks:
        if isinstance(block, Heading) and block.level == 1:
            return plain_text(block.content).strip()
    return ""
