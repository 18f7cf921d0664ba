"""Items by the lines they stand on, one above the other. Scripts and limits stay with their line."""

from __future__ import annotations

from mathrag.documents.pdf.formulas import thresholds as limit
from mathrag.documents.pdf.formulas.items import Item


def split_rows(items: list[Item]) -> list[list[Item]]:
    """Items by the lines they stand on, from top to bottom. Scripts stay with their line."""
    spans = sorted(((*_band(item), item) for item in items), key=lambda each: each[0])
    rows: list[tuple[float, list[Item]]] = []
    for top, bottom, item in spans:
        if rows and top < rows[-1][0]:
            reached, row = rows[-1]
            row.append(item)
            rows[-1] = (max(reached, bottom), row)
        else:
            rows.append((bottom, [item]))
    return _with_scripts([row for _, row in rows])


def _band(item: Item) -> tuple[float, float]:
    """The heart of an item: what two lines never share."""
    if item.is_centred or item.kind in ("block", "grid", "fraction"):
        # A tall sign on one line may reach into the next; what is built holds type in all its height.
        slack = (0.12 if item.kind in ("block", "grid", "fraction") or item.depth else 0.3) * item.height
        return item.top + slack, item.bottom - slack
    if item.kind in ("operator", "relation", "punctuation", "unknown"):
        return item.baseline - 0.45 * item.size, item.baseline + 0.05 * item.size
    return min(item.baseline - 0.45 * item.size, item.top), item.baseline + 0.08 * item.size


def _with_scripts(rows: list[list[Item]]) -> list[list[Item]]:
    """A row of small signs only, close to a row of larger ones, holds scripts of that row."""
    merged: list[list[Item]] = []
    pending: list[Item] = []
    for number, row in enumerate(rows):
        size = max(item.size for item in row)
        before = max((item.size for item in merged[-1]), default=0.0) if merged else 0.0
        after = max((item.size for item in rows[number + 1]), default=0.0) if number + 1 < len(rows) else 0.0
        if size < limit.SCRIPT_SIZE_TO * max(before, after):
            gap_before = min(i.top for i in row) - max(i.bottom for i in merged[-1]) if merged else float("inf")
            gap_after = (
                min(i.top for i in rows[number + 1]) - max(i.bottom for i in row)
                if number + 1 < len(rows)
                else float("inf")
            )
            if min(gap_before, gap_after) < 0.4 * size:
                if gap_before <= gap_after:
                    merged[-1].extend(row)
                else:
                    pending.extend(row)
                continue
        merged.append([*pending, *row])
        pending = []
    if pending:
        merged.append(pending)
    return merged
