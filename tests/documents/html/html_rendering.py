"""A document in a form that a person can check at a glance: one line for each block, formulas between ⟦ and ⟧."""

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
    lines = [f"title: {document.title}"]
    lines.extend([f"authors: {'; '.join(document.authors)}"] if document.authors else [])
    lines.extend([f"year: {document.year}"] if document.year else [])
    lines.extend([f"abstract: {document.abstract}"] if document.abstract else [])
    lines.extend(f"note: {note.code}: {note.message}" for note in document.notes)
    lines.append("")
    for block in document.blocks:
        lines.extend(render_block(block))
    return "\n".join(lines) + "\n"


def render_block(block: Block) -> list[str]:
    match block:
        case Heading():
            return [f"h{block.level} {render_content(block.content)}"]
        case Paragraph():
            return [f"p  {render_content(block.content)}"]
        case ListItem():
            term = f"{render_content(block.term)} :: " if block.term else ""
            return [f"li {'  ' * (block.depth - 1)}{block.marker} {term}{render_content(block.content)}".rstrip()]
        case Display():
            return [f"=  {render_math(block.math)}"]
        case Table():
            head = [f"table {render_content(block.caption)}".rstrip()]
            rows = [("th", row) for row in block.header] + [("td", row) for row in block.rows]
            return head + [
                f"  {kind} " + " | ".join(_cell(render_content(cell.content), cell.columns, cell.rows) for cell in row)
                for kind, row in rows
            ]
        case Image():
            return [f"img {block.source} [{block.alternative}] {render_content(block.caption)}".rstrip()]
        case Code():
            return [f"code {block.language}".rstrip(), *(f"  {line}" for line in block.text.split("\n"))]
        case Reference():
            return [f"ref {block.key}: {block.text}"]


def _cell(text: str, columns: int, rows: int) -> str:
    return text + (f" <{columns}x{rows}>" if columns > 1 or rows > 1 else "")


def render_content(content: Content) -> str:
    return "".join(_piece(piece) for piece in content)


def _piece(piece: Text | Math | Break) -> str:
    if isinstance(piece, Math):
        return render_math(piece)
    if isinstance(piece, Break):
        return "⏎"
    text = piece.text.replace("\n", "⏎")
    mark = ("**" if piece.bold else "") + ("_" if piece.italic else "")
    return f"{mark}{text}{mark[::-1]}"


def render_math(math: Math) -> str:
    display = ("!" if math.is_display else "") + (f"{math.number}: " if math.is_display and math.number else "")
    return f"⟦{display}{'' if math.notation == 'latex' else math.notation + ' '}{math.source}⟧".replace("\n", " ")
