"""Pipe tables from the spans of their rows. Which lines are rows was decided before; captions are found later."""

from __future__ import annotations

from dataclasses import dataclass, field

from mathrag.documents.markdown.inline import InlineFindings, read_inline
from mathrag.documents.markdown.pipe_rows import split_row
from mathrag.documents.source_map import Fragment, SourceText
from mathrag.types.document import Cell, Table


@dataclass(slots=True)
class ReadTable:
    """A table, and what its cells hold besides words and formulas."""

    table: Table
    findings: list[tuple[Fragment, InlineFindings]] = field(default_factory=list)


def read_table(source: SourceText, spans: list[tuple[int, int]], *, after: int, labels: frozenset[str]) -> ReadTable:
    """The table whose header and rows stand at the spans; `after` is the number of the line that follows it."""
    findings: list[tuple[Fragment, InlineFindings]] = []

    def cell(fragment: Fragment, *, is_header: bool) -> Cell:
        found = InlineFindings()
        content = read_inline(fragment, labels=labels, findings=found)
        if found.images or found.shortcodes:
            findings.append((fragment, found))
        return Cell(content, source.place(*fragment.span(0, len(fragment.text))), is_header=is_header)

    header = split_row(source, spans[0], columns=-1)
    titles = tuple(cell(fragment, is_header=True) for fragment in header)
    rows = tuple(
        tuple(cell(fragment, is_header=False) for fragment in split_row(source, span, columns=len(header)))
        for span in spans[1:]
    )
    start, end = spans[0][0], max(spans[-1][1], source.line_span(after - 1)[1])
    while source.text[end - 1].isspace():
        end -= 1
    # A header of empty cells only frames the table; it names no column.
    named = (titles,) if any(title.content for title in titles) else ()
    return ReadTable(Table(source.place(start, end), source.text[start:end], named, rows), findings)
