"""Blocks as lines of text, for golden files that a person can read and check. Not part of the package."""

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


def render(document: Document) -> str:
    """A line for what is known of the document, then one or more for each block."""
    lines = [f"title: {document.title}"]
    if document.authors:
        lines.append(f"authors: {'; '.join(document.authors)}")
    if document.year:
        lines.append(f"year: {document.year}")
    if document.abstract:
        lines.append(f"abstract: {document.abstract}")
    lines += [f"note {note.code} at {note.place}: {note.message}" for note in document.notes]
    for block in document.blocks:
        lines += _block(block)
    return "\n".join(lines) + "\n"


def _block(block: Block) -> list[str]:
    place = (
        f"{block.place.line}"
        if block.place.line == block.place.end_line
        else f"{block.place.line}-{block.place.end_line}"
    )
    match block:
        case Heading():
            return [f"{place} h{block.level} {_content(block.content)}"]
        case Paragraph():
            return [f"{place} p {_content(block.content)}"]
        case ListItem():
            term = f" {_content(block.term)} ::" if block.term else ""
            return [f"{place} item{block.depth} {block.marker}{term} {_content(block.content)}"]
        case Table():
            caption = f" {_content(block.caption)}" if block.caption else ""
            rows = [("  # ", row) for row in block.header] + [("  | ", row) for row in block.rows]
            shown = [mark + " | ".join(_content(cell.content) for cell in row) for mark, row in rows]
            return [f"{place} table{caption}", *shown]
        case Display():
            return [f"{place} display {_math(block.math)}"]
        case Image():
            return [f"{place} image {block.source} [{block.alternative}] {_content(block.caption)}".rstrip()]
        case Code():
            return [f"{place} code {block.language or '-'} {block.text!r}"]
        case Reference():
            return [f"{place} reference {block.key}: {block.text}"]


def _content(content: Content) -> str:
    return "".join(_piece(piece) for piece in content)


def _piece(piece: Text | Math | Break) -> str:
    match piece:
        case Text():
            marks = ("**" if piece.bold else "") + ("//" if piece.italic else "")
            return f"{marks}{piece.text}{marks[::-1]}"
        case Math():
            return _math(piece)
        case Break():
            return " ⏎ "


def _math(math: Math) -> str:
    source = " ⏎ ".join(math.source.split("\n"))
    kind = ("D" if math.is_display else "M") + ("" if math.notation == "latex" else f":{math.notation}")
    number = f" #{math.number}" if math.number else ""
    return f"⟨{kind} {source}{number} @{math.place.line}⟩"
