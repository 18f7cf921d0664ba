"""What a subscript says, as parts of a symbol's name; and chemical species the same way."""

from __future__ import annotations

import re

from mathrag.compute.grammar.context import Context
from mathrag.compute.notation import Accent, Digits, Fence, Name, Row, Script, Sign, Space, Species, Stack, Words
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
    pieces: list[str] = [""]

    def push(text: str, *, alone: bool = False) -> None:
        if alone:
            pieces.extend((text, ""))
        else:
            pieces[-1] += text

    for mark in row.items:
        match mark:
            case Name(text, _, _):
                push(text, alone=text in GREEK_NAMES or (len(text) > 1 and bool(pieces[-1])))
            case Digits(text, _):
                push(text.replace(".", ""))
            case Words(text, _):
                words = [word for word in re.split(r"[^0-9A-Za-z]+", text) if word]
                for word in words:
                    push(word, alone=len(words) > 1 or bool(pieces[-1]))
            case Space():
                pieces.append("")
            case Sign(text, _) if text in _SPLITTING:
                pieces.append("")
            case Sign(text, position):
                word = _SUBSCRIPT_SIGNS.get(text)
                if word is None:
                    context.decline("subscript", f"the sign {text} cannot stand in a subscript", position)
                push(word, alone=True)
            case Species(text, _):
                push("_".join(species_parts(text)), alone=True)
            case Row():
                inner = subscript_parts(mark, context)
                if len(inner) == 1:
                    push(inner[0])
                else:
                    for part in inner:
                        push(part, alone=True)
            case Fence(_, _, body, _):
                for part in subscript_parts(body, context):
                    push(part, alone=True)
            case Script(base, sub, sup, _):
                start = subscript_parts(Row((base,), base.position), context)
                for part in start:
                    push(part, alone=len(start) > 1)
                below = subscript_parts(sub, context) if sub is not None else ()
                is_chemical = (
                    isinstance(base, Name) and base.style == "upright" and all(part.isdigit() for part in below)
                )
                for part in below:
                    push(part, alone=not is_chemical)
                for part in subscript_parts(sup, context) if sup is not None else ():
                    push(part, alone=True)
            case Accent(accent, body, _):
                for part in (*subscript_parts(body, context), accent):
                    push(part, alone=True)
            case Stack(above, below, _):
                for part in (*subscript_parts(above, context), *subscript_parts(below, context)):
                    push(part, alone=True)
            case _:
                context.decline("subscript", "this cannot stand in a subscript", mark.position)
    return tuple(piece for piece in pieces if piece)


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
