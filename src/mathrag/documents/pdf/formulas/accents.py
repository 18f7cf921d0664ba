"""Accents, arrows and lying braces, each with what it stands over or under."""

from __future__ import annotations

from mathrag.documents.pdf.formulas import characters as table
from mathrag.documents.pdf.formulas import thresholds as limit
from mathrag.documents.pdf.formulas.board import Board, extent_of, gather
from mathrag.documents.pdf.formulas.items import Item, box_of, ink_of


def read_brace(brace: Item, board: Board) -> None:
    """A lying brace and what it embraces."""
    over = brace.text in ("⏞", "⎴")
    body_items = gather(brace.box, board, upwards=not over)
    body_items = [item for item in body_items if item is not brace]
    if not body_items:
        board.ledger.doubt("a brace over nothing", 0.5)
        board.remove([brace])
        board.items.append(brace.with_(kind="unknown", latex=""))
        return
    body = board.compose(body_items)
    used = [brace, *body_items]
    board.remove(used)
    # It stays a brace: a label on its other side is attached like the limits of a sum.
    board.items.append(
        body.with_(
            kind="brace",
            text=brace.text,
            latex=f"{brace.latex}{{{body.latex}}}",
            box=box_of(used),
            left=min(item.left for item in used),
            right=max(item.right for item in used),
            ink=ink_of(used),
            depth=body.depth + 1,
        )
    )


def read_accent(accent: Item, board: Board) -> None:
    """An accent and what it stands over."""
    if not any(item is accent for item in board.items):
        return
    is_arrow = accent.kind != "accent"
    size = accent.size
    centre = (accent.top + accent.bottom) / 2
    under: list[Item] = []
    for item in board.items:
        if item is accent or item.kind in ("accent", "operator", "relation", "punctuation"):
            continue
        gap = item.top - accent.bottom
        if not -0.75 * size < gap < (0.22 if is_arrow else limit.ACCENT_GAP) * size:
            continue
        if (item.top + item.bottom) / 2 <= centre or (is_arrow and (gap < -0.1 * size or item.size < 0.9 * size)):
            continue
        under.append(item)
    # An accent is set in the size of its base; what is smaller is a script beside it.
    under = [item for item in under if item.size > limit.SCRIPT_SIZE_TO * size] or under
    slack = limit.ACCENT_OFFSET * size
    near = [item for item in under if item.box[0] - slack <= accent.middle <= item.box[2] + slack]
    wide = [item for item in under if accent.box[0] - 0.05 * size <= item.middle <= accent.box[2] + 0.05 * size]
    if is_arrow and (not wide or extent_of(wide) < 0.5 * accent.width):
        return
    if len(wide) > 1 and accent.width > 0.55 * size:
        base = wide
    elif near:
        if not is_arrow and _is_between(accent, near):
            board.ledger.doubt("an accent between two letters", 0.25)
        base = [min(near, key=lambda item: abs(item.middle - accent.middle) + abs(item.top - accent.bottom))]
    else:
        if not is_arrow:
            board.ledger.doubt("an accent over nothing", 0.5)
            board.remove([accent])
            board.items.append(accent.with_(kind="unknown", latex=""))
        return
    body = board.compose(base) if len(base) > 1 else base[0]
    board.remove([accent, *base])
    command = "\\overrightarrow" if is_arrow else accent.latex
    if accent.text in ("←", "⟵"):
        command = "\\overleftarrow"
    elif accent.text in ("⟷", "↔"):
        command = "\\overleftrightarrow"
    if len(base) > 1:
        command = table.WIDE_ACCENTS.get(command, command)
    elif is_arrow:
        command = "\\vec" if command == "\\overrightarrow" else command
    latex = f"{command}{{{body.latex}}}"
    if command == "\\bar" and body.text == "h" and accent.bottom > body.top + 0.02 * size:
        latex = "\\hbar"
    board.items.append(
        body.with_(
            kind="block", latex=latex, box=box_of([accent, *base]), ink=accent.ink + ink_of(base), depth=body.depth + 1
        )
    )


def _is_between(accent: Item, near: list[Item]) -> bool:
    """Whether an accent stands over the gap between two neighbours rather than over one of them."""
    nearest = sorted(near, key=lambda item: abs(item.middle - accent.middle))[:2]
    if len(nearest) < 2:
        return False
    first, second = (abs(item.middle - accent.middle) for item in nearest)
    sides = (nearest[0].middle - accent.middle) * (nearest[1].middle - accent.middle)
    return sides < 0 and first > limit.ACCENT_BETWEEN * accent.size and second < 2 * first
