"""Documents for the golden snippets: a small Markdown-like notation read into blocks by no reader of ours."""

from __future__ import annotations

import re

from mathrag.types.document import (
    Block,
    Break,
    Cell,
    Content,
    Display,
    Document,
    Heading,
    Inline,
    ListItem,
    Math,
    Paragraph,
    Place,
    Table,
    Text,
)  # fmt: skip

_INLINE = re.compile(
    r"\$\$(?P<display>.+?)\$\$|\$(?P<math>[^$\n]+?)\$|\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*\n]+)\*|(?P<line><br\s*/?>)",
    re.DOTALL,
)
_RULE = re.compile(r"\|?\s*:?-{2,}")


def snippet_document(text: str) -> Document:
    """A document of headings, paragraphs, lists, pipe tables, definition lists and displayed formulas."""
    blocks: list[Block] = []
    lines = text.strip("\n").split("\n")
    index = 0
    while index < len(lines):
        line = lines[index].rstrip()
        place = Place(line=index + 1)
        if not line.strip():
            index += 1
        elif line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            blocks.append(Heading(place, line, level, content(line.lstrip("# "), index + 1)))
            index += 1
        elif re.match(r"\s*(?:[-*]|\d+\.)\s", line):
            blocks.append(_item(line, index + 1))
            index += 1
        elif line.lstrip().startswith("|"):
            count = _table_length(lines, index)
            blocks.append(_table(lines[index : index + count], index + 1))
            index += count
        elif re.fullmatch(r"\$\$.+\$\$", line.strip()):
            source = line.strip()[2:-2]
            blocks.append(Display(place, line, Math(source, "latex", place, line.strip(), is_display=True)))
            index += 1
        elif index + 1 < len(lines) and lines[index + 1].startswith(": "):
            definition = lines[index + 1][2:]
            blocks.append(ListItem(place, line, content(definition, index + 2), term=content(line, index + 1)))
            index += 2
        else:
            start = index
            while index < len(lines) and lines[index].strip() and (index == start or not _begins_block(lines[index])):
                index += 1
            quote = "\n".join(lines[start:index])
            blocks.append(Paragraph(place, quote, content(quote.replace("\n", " "), start + 1)))
    return Document("snippet.md", "text/markdown", "0" * 64, tuple(blocks))


def _begins_block(line: str) -> bool:
    return bool(re.match(r"#|\||\s*[-*]\s|\$\$.+\$\$\s*$", line))


def _item(line: str, number: int) -> ListItem:
    marker, _, rest = line.strip().partition(" ")
    return ListItem(Place(line=number), line, content(rest, number), marker=marker)


def _table_length(lines: list[str], index: int) -> int:
    count = 0
    while index + count < len(lines) and lines[index + count].lstrip().startswith("|"):
        count += 1
    return count


def _table(lines: list[str], number: int) -> Table:
    rows = [_row(line, number + offset) for offset, line in enumerate(lines) if not _RULE.match(line)]
    has_header = len(lines) > 1 and _RULE.match(lines[1]) is not None
    header = tuple(rows[:1]) if has_header and any(cell.content for cell in rows[0]) else ()
    body = tuple(rows[1:] if has_header else rows)
    return Table(Place(line=number), "\n".join(lines), header, body)


def _row(line: str, number: int) -> tuple[Cell, ...]:
    cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return tuple(Cell(content(cell.strip(), number), Place(line=number)) for cell in cells)


def content(text: str, line: int) -> Content:
    """Text with formulas, emphasis and line breaks as pieces."""
    pieces: list[Inline] = []
    place = 0
    for match in _INLINE.finditer(text):
        if match.start() > place:
            pieces.append(Text(text[place : match.start()]))
        source = match["display"] or match["math"]
        if source:
            is_display = match["display"] is not None
            pieces.append(Math(source, "latex", Place(line=line), match.group(), is_display=is_display))
        elif match["bold"]:
            pieces.append(Text(match["bold"], bold=True))
        elif match["italic"]:
            pieces.append(Text(match["italic"], italic=True))
        else:
            pieces.append(Break())
        place = match.end()
    if place < len(text):
        pieces.append(Text(text[place:]))
    return tuple(pieces)
