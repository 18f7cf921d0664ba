"""Blocks of a document as lines a person can compare with the page."""

from __future__ import annotations

from mathrag.types.document import (
    Block,
    Break,
    Code,
    Content,
    Display,
    Document,
    Heading,
    Image,
    ListItem,
    Math,
    Paragraph,
    Reference,
    Table,
    Text,
)


def listing(document: Document) -> str:
    """Title, authors, then every block with its page."""
    lines = [f"title: {document.title}", f"authors: {', '.join(document.authors)}"]
    if document.abstract:
        lines.append(f"abstract: {document.abstract}")
    for block in document.blocks:
        lines.extend(f"{block.place.page} {line}" for line in _lines(block))
    return "\n".join(lines) + "\n"


def _lines(block: Block) -> list[str]:
    match block:
        case Heading():
            return [f"{'#' * block.level} {_content(block.content)}"]
        case Paragraph():
            return [_content(block.content)]
        case ListItem():
            return [f"{'  ' * (block.depth - 1)}{block.marker or '-'} {_content(block.content)}"]
        case Display():
            return [_content((block.math,))]
        case Table():
            caption = [f"caption: {_content(block.caption)}"] if block.caption else []
            header = [f"|| {_row(row)}" for row in block.header]
            return [*caption, *header, *(f"| {_row(row)}" for row in block.rows)]
        case Image():
            return [f"image: {_content(block.caption)}"]
        case Code():
            return [f"code: {line}" for line in block.text.split("\n")]
        case Reference():
            return [f"reference {block.key}: {block.text}"]


def _row(row: tuple) -> str:  # type: ignore[type-arg]
    return " | ".join(_content(cell.content) + (f" <{cell.columns}>" if cell.columns > 1 else "") for cell in row)


def _content(content: Content) -> str:
    parts: list[str] = []
    for piece in content:
        match piece:
            case Text():
                parts.append(piece.text)
            case Math():
                sign = "$$" if piece.is_display else "$"
                number = f" {piece.number}" if piece.number else ""
                parts.append(f"{sign}{piece.source}{number}{sign}")
            case Break():
                parts.append(" / ")
    return "".join(parts)
