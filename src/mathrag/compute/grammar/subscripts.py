"""What a subscript says, as parts of a symbol's name; and chemical species the same way."""

from __future__ import annotations

import re

from mathrag.compute.grammar.context import Context
from mathrag.compute.notation import Accent, Digits, Fence, Mark, Name, Row, Script, Sign, Space, Species, Stack, Words
from mathrag.compute.symbol_names import GREEK_NAMES

_SUBSCRIPT_SIGNS = {
    "+": "plus", "-": "minus", "*": "star", "°": "circ", "∘": "circ", "⊖": "circ", "′": "prime", "∞": "infty",
    "⊕": "oplus", "⊙": "odot", "△": "triangle", "∪": "cup", "∩": "cap", "□": "square", "∥": "parallel",
    "⊥": "perp",
    "=": "eq", "→": "to", "⇌": "eq", "±": "pm", "%": "percent", "‖": "parallel", "|": "given", "≠": "ne",
    "!=": "ne", "<": "lt", ">": "gt", "†": "dagger",
    "‡": "ddagger", "·": "", "×": "x", "…": "dots", "<=": "le", ">=": "ge",
}  # fmt: skip
_SPLITTING = frozenset((",", ";", ":", "/", ".", "\u2062", "\u2061"))


def subscript_parts(row: Row, context: Context) -> tuple[str, ...]:
    """What a subscript says, as the parts of a name: `x,max` is (x, max), `rxn` one part, `i+1` (i, plus, 1)."""
    parts: list[str] = [""]
    for mark in row.items:
        for text, alone in _pieces(mark, context, follows=bool(parts[-1])):
            if alone:
                parts.extend((text, ""))
            else:
                parts[-1] += text
    return tuple(part for part in parts if part)


def _pieces(mark: Mark, context: Context, *, follows: bool) -> list[tuple[str, bool]]:
    """What one mark adds: texts, each joined to the part before it or (True) a part of its own."""
    match mark:
        case Name(text, _, _):
            return [(text, text in GREEK_NAMES or (len(text) > 1 and follows))]
        case Digits(text, _):
            return [(text.replace(".", ""), False)]
        case Words(text, _):
            words = [word for word in re.split(r"[^0-9A-Za-z]+", text) if word]
            return [(word, len(words) > 1 or follows) for word in words]
        case Space():
            return [("", True)]
        case Sign(text, position):
            word = "" if text in _SPLITTING else _SUBSCRIPT_SIGNS.get(text)
            if word is None:
                context.decline("subscript", f"the sign {text} cannot stand in a subscript", position)
            return [(word, True)]
        case Species(text, _):
            return [("_".join(species_parts(text)), True)]
        case Row():
            inner = subscript_parts(mark, context)
            return [(part, len(inner) > 1 or (follows and len(part) > 1)) for part in inner]
        case Fence(_, _, body, _):
            return [(part, True) for part in subscript_parts(body, context)]
        case Script():
            return _script_pieces(mark, context)
        case Accent(accent, body, _):
            return [(part, True) for part in (*subscript_parts(body, context), accent)]
        case Stack(above, below, _):
            return [(part, True) for part in (*subscript_parts(above, context), *subscript_parts(below, context))]
        case _:
            context.decline("subscript", "this cannot stand in a subscript", mark.position)


def _script_pieces(mark: Script, context: Context) -> list[tuple[str, bool]]:
    """A subscript that has scripts itself; the digits of a chemical formula (H_2O) stay with their element."""
    base = mark.base
    start = subscript_parts(Row((base,), base.position), context)
    below = subscript_parts(mark.sub, context) if mark.sub is not None else ()
    above = subscript_parts(mark.sup, context) if mark.sup is not None else ()
    is_chemical = isinstance(base, Name) and base.style == "upright" and all(part.isdigit() for part in below)
    return [
        *((part, len(start) > 1) for part in start),
        *((part, not is_chemical) for part in below),
        *((part, True) for part in above),
    ]


def species_parts(text: str) -> list[str]:
    """A chemical species as parts of a name: `Ca^2+` is [Ca, 2plus], `H3O+` is [H3O, plus]."""
    text = re.sub(r"[\s{}\\$]|\\(?:mathrm|text|rm|ce)", "", text)
    text = re.sub(r"\((?:aq|s|l|g)\)", "", text)
    star = "*" in text
    match = re.search(r"\^?(\d*)([+\-−])$", text)
    charge = ""
    if match and (match.group(1) == "" or "^" in match.group(0)):
        charge = match.group(1) + ("plus" if match.group(2) == "+" else "minus")
        text = text[: match.start()]
    elif match:
        charge = "plus" if match.group(2) == "+" else "minus"
        text = text[: match.end() - 1]
    body = re.sub(r"[^0-9A-Za-z]", "", text)
    return [part for part in (body or ("site" if star else ""), charge, "star" if star else "") if part]
