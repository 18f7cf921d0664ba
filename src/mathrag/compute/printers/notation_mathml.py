"""LaTeX as presentation MathML for browsers, laid out as it was written. Gives no meaning: what cannot be computed with
can still be shown. Everything that comes from the source is escaped; no attribute ever holds text of the source."""

from __future__ import annotations

import re
from html import escape
from typing import assert_never

from mathrag.compute.latex import latex_notation
from mathrag.compute.notation import (
    Accent,
    Amount,
    Digits,
    Fence,
    Grid,
    Mark,
    Name,
    Root,
    Row,
    Script,
    Sign,
    Space,
    Species,
    Stack,
    Words,
    check_size,
    walk_marks,
)
from mathrag.compute.printers.mathml import ACCENT_SIGNS, LETTERS, mo
from mathrag.errors import FormulaError

# Chemical notation (`2 H2 + O2 -> 2 H2O`, `SO4^2-`) as presentation MathML. Shows it; understands no chemistry.

_LONGEST = 2_000
_TOKEN = re.compile(
    r"(?P<arrow><=>>|<<=>|<=>|<-->|<->|->|<-)"
    r"|(?P<charge>\^\{[^{}]{0,20}\}|\^[0-9]{0,3}[+-]|(?<=[A-Za-z\])0-9])[+-](?=\s|$|[\])},]))"
    r"|(?P<up>\^(?=\s|$))|(?P<down>(?<=\s)v(?=\s|$))"
    r"|(?P<state>\((?:aq|s|l|g)\))"
    r"|(?P<below>_\{[^{}]{0,40}\}|_[A-Za-z0-9])"
    r"|(?P<number>[0-9]+(?:[./][0-9]+)?)"
    r"|(?P<word>[A-Za-z]+)"
    r"|(?P<blank>\s+)"
    r"|(?P<other>.)",
    re.S,
)
_ARROWS = {
    "->": "⟶", "<-": "⟵", "<->": "⟷", "<-->": "⇄", "<=>": "⇌", "<=>>": "⇌", "<<=>": "⇌",
}  # fmt: skip
_NEEDS_BASE = frozenset(("charge", "below"))


def species_markup(text: str) -> str:
    """The text of a `\\ce{...}` as markup; digits after a symbol or a bracket are set low, charges high."""
    parts: list[str] = []
    before = ""
    for match in _TOKEN.finditer(text[:_LONGEST]):
        kind, found = match.lastgroup or "other", match.group()
        if kind == "number" and before in ("word", "close"):
            parts.append(f"<msub>{parts.pop()}<mn>{found}</mn></msub>")
            before = "close"
            continue
        if kind in _NEEDS_BASE:
            base = parts.pop() if parts and before in ("word", "close", "number") else "<mrow></mrow>"
            low = kind == "below"
            parts.append(f"<{'msub' if low else 'msup'}>{base}{_species_script(found)}</{'msub' if low else 'msup'}>")
            before = "close"
            continue
        parts.append(_plain(kind, found))
        before = "close" if found in (")", "]", "}") else kind
    return f"<mrow>{''.join(parts)}</mrow>"


def _plain(kind: str, found: str) -> str:
    match kind:
        case "arrow":
            return mo(_ARROWS[found])
        case "up" | "down":
            return mo("↑" if kind == "up" else "↓")
        case "number":
            return f"<mn>{found}</mn>"
        case "word" | "state":
            return f"<mtext>{found}</mtext>"
        case "blank":
            return '<mspace width="0.25em"/>'
        case _:
            return mo("·" if found in "*." else "−" if found == "-" else found)


def _species_script(found: str) -> str:
    inside = found.lstrip("^_").strip("{}").replace("-", "−")
    return f"<mtext>{escape(inside)}</mtext>"


_SIGNS = {
    "-": "−", "*": "∗", "<=": "≤", ">=": "≥", "!=": "≠", "~": "∼",
}  # fmt: skip
_SIGNED = frozenset("+-±∓")
# Signs that end what is before them: a minus behind them subtracts.
_AFTER = frozenset("!%°′″‴∞…")
_VARIANTS = {"upright": "normal", "bold": "bold", "script": "script", "operator": "normal"}
_THIN, _WIDE = '<mspace width="0.17em"/>', '<mspace width="1em"/>'
_SPACES = {True: _WIDE, False: _THIN}
_FRACTIONS = {True: "<mfrac>", False: '<mfrac linethickness="0">'}
_NAMESPACE = "http://www.w3.org/1998/Math/MathML"


def latex_mathml(latex: str, *, is_display: bool = False) -> str | None:
    """A `math` element that shows the formula as its source wrote it; None where the source is no readable LaTeX."""
    try:
        row, _ = latex_notation(latex)
        check_size(row)
    except (FormulaError, RecursionError):
        return None
    inside = _row(row)
    if not inside:
        return None
    display = ' display="block"' if is_display else ""
    return f'<math xmlns="{_NAMESPACE}"{display}>{inside}</math>'


def _row(row: Row) -> str:
    """One element, so that it can stand below, above or beside another."""
    filled: list[str] = []
    is_open = True
    for mark in row.items:
        part = _signed(mark.text) if is_open and isinstance(mark, Sign) and mark.text in _SIGNED else _mark(mark)
        if part:
            filled.append(part)
        if not isinstance(mark, Space):
            # After a relation or another operator, a minus belongs to what follows it.
            is_open = isinstance(mark, Sign) and mark.text not in _AFTER
    return filled[0] if len(filled) == 1 else f"<mrow>{''.join(filled)}</mrow>" if filled else ""


def _signed(sign: str) -> str:
    return f'<mo form="prefix">{_SIGNS.get(sign, sign)}</mo>'


def _part(row: Row | None) -> str:
    """The same where an element must stand, if only an empty one."""
    return (_row(row) if row is not None else "") or "<mrow></mrow>"


def _mark(mark: Mark) -> str:
    match mark:
        case Name(text, _, style):
            return _name(text, style)
        case Digits(text, _):
            return f"<mn>{escape(text)}</mn>"
        case Sign(text, _):
            return mo(_SIGNS.get(text, text))
        case Space(_, wide, _):
            return _SPACES[wide]
        case Words(text, _):
            return f"<mtext>{_kept_blanks(text)}</mtext>"
        case Row():
            return _row(mark)
        case Fence():
            return _fenced(mark)
        case Script():
            return _script(mark)
        case Accent(accent, body, _):
            return _accent(accent, _part(body))
        case Stack(above, below, _, bar):
            return f"{_FRACTIONS[bar]}{_part(above)}{_part(below)}</mfrac>"
        case Root(body, degree, _):
            return _root(_part(body), degree)
        case Grid():
            return _grid(mark)
        case Amount(number, unit, _):
            return f"<mrow><mn>{escape(number)}</mn>{_THIN}<mtext>{escape(unit)}</mtext></mrow>"
        case Species(text, _):
            return species_markup(text)
    assert_never(mark)


def _root(body: str, degree: Row | None) -> str:
    return f"<msqrt>{body}</msqrt>" if degree is None else f"<mroot>{body}{_part(degree)}</mroot>"


def _fenced(mark: Fence) -> str:
    # Around what is not tall, stretched brackets only stand farther off.
    is_tall = any(isinstance(inner, Stack | Root | Grid) for inner in walk_marks(mark.body))
    before, after = _fence(mark.opening, "prefix", is_tall=is_tall), _fence(mark.closing, "postfix", is_tall=is_tall)
    return f"<mrow>{before}{_row(mark.body)}{after}</mrow>"


def _name(text: str, style: str) -> str:
    shown = escape(LETTERS.get(text, text))
    if style == "italic" and len(shown) == 1:
        # Capital Greek letters stand upright, as TeX sets them.
        upright = ' mathvariant="normal"' if "Α" <= shown <= "Ω" else ""
        return f"<mi{upright}>{shown}</mi>"
    if style == "italic":
        return f'<mi mathvariant="italic">{shown}</mi>'
    return f'<mi mathvariant="{_VARIANTS[style]}">{shown}</mi>'


def _kept_blanks(text: str) -> str:
    """Blanks at the ends are part of the text, and browsers drop plain ones."""
    inner = text.strip(" ")
    if not inner:
        return "&#xA0;" if text else ""
    before = "&#xA0;" if text[0] == " " else ""
    after = "&#xA0;" if text[-1] == " " else ""
    return f"{before}{escape(inner)}{after}"


def _fence(sign: str, form: str, *, is_tall: bool) -> str:
    if not sign:
        return ""
    stretchy = "true" if is_tall else "false"
    return f'<mo fence="true" stretchy="{stretchy}" form="{form}" lspace="0" rspace="0">{escape(sign)}</mo>'


def _script(mark: Script) -> str:
    base = _mark(mark.base) or "<mrow></mrow>"
    below, above = ("munder", "mover") if mark.limits else ("msub", "msup")
    both = "munderover" if mark.limits else "msubsup"
    if mark.sub is not None and mark.sup is not None:
        return f"<{both}>{base}{_part(mark.sub)}{_part(mark.sup)}</{both}>"
    if mark.sub is not None:
        return f"<{below}>{base}{_part(mark.sub)}</{below}>"
    return f"<{above}>{base}{_part(mark.sup)}</{above}>"


def _accent(accent: str, body: str) -> str:
    if accent == "underline":
        return f"<munder>{body}<mo>_</mo></munder>"
    sign = ACCENT_SIGNS.get("ring" if accent == "mathring" else accent)
    return body if sign is None else f'<mover accent="true">{body}{mo(sign)}</mover>'


def _grid(grid: Grid) -> str:
    rows = "".join(f"<mtr>{''.join(f'<mtd>{_row(cell)}</mtd>' for cell in line)}</mtr>" for line in grid.lines)
    table = f"<mtable>{rows}</mtable>"
    if grid.kind == "cases":
        return f'<mrow><mo fence="true" stretchy="true" form="prefix">{{</mo>{table}</mrow>'
    return table
