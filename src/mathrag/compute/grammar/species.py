"""Chemical notation: concentrations in square brackets and `\\ce{...}`; reactions are declined."""

from __future__ import annotations

import re

from mathrag.compute.grammar.context import Context
from mathrag.compute.notation import Digits, Fence, Mark, Name, Row, Script, Sign, Space, Species, Words
from mathrag.knowledge.elements import unmistakable_symbols
from mathrag.types.expression import Expression, Number, Symbol, multiply, power
from mathrag.types.symbol_names import safe_identifier

# Elements and groups with counts, then a charge: H+, OH-, Ca^2+, CH3COO-, HA, A.
_FORMULA = re.compile(r"(?:[A-Z][a-z]?\d*|\((?:[A-Z][a-z]?\d*)+\)\d*)+(?:\^?\d*[+\-])?$")
_ARROWS = ("->", "<=>", "<->", "→", "⇌", "=", "<-")
_BRACKETS = re.compile(r"\[([^\[\]]+)\](?:\^\{?(\d+)\}?)?")


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


def is_chemical(text: str) -> bool:
    """Whether a text is a formula of real elements: H2O, CaCO3, not KE."""
    plain = re.sub(r"\^?\d*[+-]$|[()]", "", text)
    parts = re.findall(r"[A-Z][a-z]?|\d+|.", plain)
    return bool(parts) and all(part.isdigit() or part in unmistakable_symbols() for part in parts)


def flat_text(items: tuple[Mark, ...]) -> str | None:
    """A species as plain text (`CH3COO^-`), or None when something else stands there."""
    parts = [_mark_text(mark) for mark in items]
    return None if None in parts else "".join(part for part in parts if part)


def _mark_text(mark: Mark) -> str | None:
    match mark:
        case Name(text, _, _) | Digits(text, _):
            return text
        case Words(text, _):
            return text.strip()
        case Species(text, _):
            return "".join(text.split())
        case Row(inner, _):
            return flat_text(inner)
        case Script(base, sub, sup, _):
            part = _mark_text(base)
            below = "" if sub is None else flat_text(sub.items)
            above = "" if sup is None else _charge(sup)
            return None if part is None or below is None or above is None else part + below + above
        case Space():
            return ""
        case Sign(sign, _) if sign in "+-":
            return sign
        case Fence("(", ")", body, _):
            inside = flat_text(body.items)
            return inside if inside in (None, "aq", "s", "l", "g") else f"({inside})"
        case _:
            return None


def _charge(sup: Row) -> str | None:
    text = ""
    for mark in sup.items:
        if isinstance(mark, Digits) or (isinstance(mark, Sign) and mark.text in "+-"):
            text += mark.text
        elif not isinstance(mark, Space):
            return None
    return f"^{text}" if text and text[-1] in "+-" else None


def concentration(fence: Fence, context: Context) -> list[str] | None:
    """The parts of the name when square brackets hold one species, else None (they only group)."""
    if fence.closing != "]":
        return None
    items = tuple(mark for mark in fence.body.items if not isinstance(mark, Space))
    if not items:
        return None
    text = flat_text(items)
    if text is None:
        return None
    is_marked = all(isinstance(mark, Species | Words) or _is_upright(mark) for mark in items)
    plain = text.replace("aq", "") if text.endswith("aq") else text
    if is_marked:
        parts = species_parts(plain)
        if len(plain) == 1:
            context.flag("concentration", f"[{plain}] is read as a concentration, not as a unit", fence.position)
        return parts if parts and parts[0][:1].isalpha() else None
    if not _FORMULA.match(plain):
        return None
    context.flag("concentration", f"[{plain}] is read as a concentration", fence.position)
    return species_parts(plain)


def _is_upright(mark: Mark) -> bool:
    if isinstance(mark, Name):
        return mark.style == "upright"
    if isinstance(mark, Script):
        return _is_upright(mark.base)
    if isinstance(mark, Row):
        return bool(mark.items) and all(_is_upright(item) or isinstance(item, Digits | Space) for item in mark.items)
    return False


def bracketed(mark: Species) -> list[str] | None:
    """The parts of the name when `\\ce{[A]}` holds one concentration and nothing else."""
    match = _BRACKETS.fullmatch(mark.text.strip())
    return species_parts(match.group(1)) if match is not None and match.group(2) is None else None


def read_species(mark: Species, context: Context) -> Expression:
    """`\\ce{[H3O+]}` is a concentration; an arrow is a reaction; a bare species is not a quantity."""
    text = mark.text.strip()
    if "\\" in text and not re.fullmatch(r"[^\\]*(\\(mathrm|text|,| )[^\\]*)*", text):
        context.decline("species", "LaTeX commands inside chemical notation are not read", mark.position)
    brackets = list(_BRACKETS.finditer(text))
    if brackets and "".join(match.group(0) for match in brackets) == text.replace(" ", ""):
        factors: list[Expression] = []
        for match in brackets:
            symbol = Symbol(safe_identifier("_".join(("conc", *species_parts(match.group(1))))))
            factors.append(power(symbol, Number(int(match.group(2)))) if match.group(2) else symbol)
        return multiply(*factors)
    if any(arrow in text for arrow in _ARROWS):
        context.decline("reaction", "a chemical reaction is not an equation between numbers", mark.position)
    context.decline(
        "species",
        "a chemical species is not a quantity; its concentration is written in square brackets",
        mark.position,
    )
