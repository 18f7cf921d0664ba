"""Tables of a Docling document as HTML: cells by their offsets, spans and headers kept. Knows nothing else of it."""

from __future__ import annotations

from html import escape
from typing import Any

_MOST_CELLS = 200_000


def table_html(item: dict[str, Any], caption: str) -> str:
    """The table; only its caption where it has no cells."""
    data = item.get("data")
    listed = data.get("table_cells") if isinstance(data, dict) else None
    rows: dict[int, dict[int, str]] = {}
    headers: dict[int, bool] = {}
    for cell in listed[:_MOST_CELLS] if isinstance(listed, list) else ():
        if not isinstance(cell, dict):
            continue
        row, column = _count(cell.get("start_row_offset_idx")), _count(cell.get("start_col_offset_idx"))
        is_header = bool(cell.get("column_header"))
        rows.setdefault(row, {})[column] = _cell(cell, is_header=is_header)
        headers[row] = headers.get(row, True) and is_header
    heading = f"<caption>{escape(caption, quote=False)}</caption>" if caption else ""
    if not rows:
        return f"<p>{escape(caption, quote=False)}</p>" if caption else ""
    lines = {row: f"<tr>{''.join(cells[column] for column in sorted(cells))}</tr>" for row, cells in rows.items()}
    head = "".join(lines[row] for row in sorted(lines) if headers[row])
    body = "".join(lines[row] for row in sorted(lines) if not headers[row])
    return f'<table border="1">{heading}<thead>{head}</thead><tbody>{body}</tbody></table>'


def _cell(cell: dict[str, Any], *, is_header: bool) -> str:
    text = cell.get("text")
    words = escape(text if isinstance(text, str) else "", quote=False)
    name = "th" if is_header or cell.get("row_header") else "td"
    wide, tall = max(1, _count(cell.get("col_span"))), max(1, _count(cell.get("row_span")))
    spans = (f' colspan="{wide}"' if wide > 1 else "") + (f' rowspan="{tall}"' if tall > 1 else "")
    return f"<{name}{spans}>{words}</{name}>"


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 100_000 else 0
