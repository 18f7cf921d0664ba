"""Chemical notation (`2 H2 + O2 -> 2 H2O`, `SO4^2-`) as presentation MathML. Shows it; understands no chemistry."""

from __future__ import annotations

import re
from html import escape

from mathrag.compute.printers.mathml_names import mo

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
            parts.append(f"<{'msub' if low else 'msup'}>{base}{_script(found)}</{'msub' if low else 'msup'}>")
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


def _script(found: str) -> str:
    inside = found.lstrip("^_").strip("{}").replace("-", "−")
    return f"<mtext>{escape(inside)}</mtext>"
