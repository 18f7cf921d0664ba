"""Tables as grids of texts and as HTML in which nothing from the document is markup."""

from __future__ import annotations

from html import escape

from mathrag.documents.views.chunks import cell_text
from mathrag.documents.views.records import TableView
from mathrag.types.document import Break, Cell, Content, Inline, Math, Table, Text

# Spans come from the document and may claim anything.
_WIDEST_SPAN = 200
_MOST_COLUMNS = 1_000
_MOST_GRID_CELLS = 1_000_000
_CONTROL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127), "�")


def make_table_view(table: Table, *, ordinal: int, block: int, section: int | None) -> TableView:
    """The view of one table."""
    grid = _grid((*table.header, *table.rows))
    return TableView(
        ordinal=ordinal,
        caption=cell_text(table.caption),
        rows=len(grid),
        columns=max((len(row) for row in grid), default=0),
        header_rows=len(table.header),
        cells=grid,
        html=table_html(table),
        place=table.place,
        block=block,
        section=section,
    )


def _grid(rows: tuple[tuple[Cell, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Every row as wide as the widest, cells below a tall one moved aside as a reader of the page sees them."""
    laid: list[list[str]] = []
    # For each column, how many more rows a cell from above reaches into.
    reaching: dict[int, int] = {}
    effort = 0
    for row in rows:
        line: list[str] = []
        effort += len(reaching) + len(row)
        below = {column: left - 1 for column, left in reaching.items() if left > 1}
        for cell in row:
            while reaching.get(len(line), 0) > 0:
                line.append("")
            width = min(max(cell.columns, 1), _WIDEST_SPAN)
            if width + len(line) > _MOST_COLUMNS:
                width = 1
            elif cell.rows > 1:
                below.update(dict.fromkeys(range(len(line), len(line) + width), cell.rows - 1))
            line.extend((cell_text(cell.content), *[""] * (width - 1)))
        laid.append(line)
        reaching = below if effort < _MOST_GRID_CELLS else {}
    columns = max((len(line) for line in laid), default=0)
    if columns * len(laid) > _MOST_GRID_CELLS:
        # One absurdly wide row must not widen ten thousand others.
        return tuple(tuple(line) for line in laid)
    return tuple((*line, *[""] * (columns - len(line))) for line in laid)


def table_html(table: Table) -> str:
    """The table as HTML; formulas as written, in `<code class="math">`."""
    lines = ["<table>"]
    if table.caption:
        lines.append(f"<caption>{content_html(table.caption)}</caption>")
    if table.header:
        lines.extend(("<thead>", *(_row_html(row, is_header=True) for row in table.header), "</thead>"))
    if table.rows:
        lines.extend(("<tbody>", *(_row_html(row, is_header=False) for row in table.rows), "</tbody>"))
    lines.append("</table>")
    return "\n".join(lines)


def _row_html(row: tuple[Cell, ...], *, is_header: bool) -> str:
    return f"<tr>{''.join(_cell_html(cell, is_header or cell.is_header) for cell in row)}</tr>"


def _cell_html(cell: Cell, is_header: bool) -> str:
    name = "th" if is_header else "td"
    columns = f' colspan="{min(cell.columns, _MOST_COLUMNS)}"' if cell.columns > 1 else ""
    rows = f' rowspan="{min(cell.rows, 65_534)}"' if cell.rows > 1 else ""
    return f"<{name}{columns}{rows}>{content_html(cell.content)}</{name}>"


def content_html(content: Content) -> str:
    """Words and formulas as HTML."""
    return "".join(_inline_html(piece) for piece in content)


def _inline_html(piece: Inline) -> str:
    match piece:
        case Break():
            return "<br>"
        case Math():
            return f'<code class="math">{_escaped(piece.source)}</code>'
        case Text():
            text = _escaped(piece.text)
            text = f"<em>{text}</em>" if piece.italic else text
            return f"<strong>{text}</strong>" if piece.bold else text


def _escaped(text: str) -> str:
    return escape(text.translate(_CONTROL), quote=True)
