"""A document as readable lines, for golden files: one line a block, formulas in ⟦⟧, bold in **, italics in //."""

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
    Inline,
    ListItem,
    Math,
    Paragraph,
    Reference,
    Table,
    Text,
)


def outline(document: Document) -> str:
    """Everything a reader found, without quotes."""
    lines = [f"title: {document.title}", f"authors: {'; '.join(document.authors)}", f"year: {document.year}"]
    lines += [f"abstract: {document.abstract}"] if document.abstract else []
    lines += [f"file: {name}" for name in document.files]
    for block in document.blocks:
        lines.extend(_lines(block))
    lines += [f"note: {note.code} @ {note.place}" for note in document.notes]
    return "\n".join(lines) + "\n"


def shown(content: Content) -> str:
    """A content on one line."""
    return "".join(_shown(piece) for piece in content)


def _shown(piece: Inline) -> str:
    match piece:
        case Text():
            mark = ("**" if piece.bold else "") + ("//" if piece.italic else "")
            return f"{mark}{piece.text}{mark[::-1]}"
        case Math():
            number = f" ({piece.number})" if piece.number else ""
            return f"⟦{'D ' if piece.is_display else ''}{piece.source}{number}⟧"
        case Break():
            return "↵"


def _lines(block: Block) -> list[str]:
    head = f"[{block.place}]"
    match block:
        case Heading():
            return [f"{head} {'#' * block.level} {shown(block.content)}"]
        case Paragraph():
            return [f"{head} {shown(block.content)}"]
        case Display():
            return [f"{head} display {shown((block.math,))}"]
        case ListItem():
            term = f"{shown(block.term)} := " if block.term else ""
            return [f"{head} item {block.depth} {block.marker}| {term}{shown(block.content)}"]
        case Table():
            lines = [f"{head} table {shown(block.caption)}".rstrip()]
            for row in (*block.header, *block.rows):
                cells = [
                    f"{'<' + str(cell.columns) + 'x' + str(cell.rows) + '> ' if cell.columns + cell.rows > 2 else ''}"
                    f"{shown(cell.content)}"
                    for cell in row
                ]
                mark = "=" if row and row[0].is_header else "|"
                lines.append(f"    {mark} " + " | ".join(cells).rstrip())
            return lines
        case Image():
            return [f"{head} image {block.source}: {shown(block.caption)}"]
        case Code():
            return [f"{head} code {block.language}: {block.text!r}"]
        case Reference():
            return [f"{head} reference {block.key}: {block.text}"]
