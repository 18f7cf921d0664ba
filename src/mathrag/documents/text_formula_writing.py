"""A formula of plain text, token by token, as LaTeX that says the same. Judges nothing: what it gets is a formula."""

from __future__ import annotations

import re

from mathrag.documents.text_formula_tokens import SUBSCRIPTS, SUPERSCRIPTS, Token, is_word

_SIGNS = {"*": r"\cdot ", "·": r"\cdot ", "⋅": r"\cdot ", "∙": r"\cdot ", "×": r"\times ", "÷": "/", "−": "-", "–": "-"}
_SIGNS |= {"±": r"\pm ", "∓": r"\mp "}
_FUNCTIONS = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}


def write_latex(tokens: list[Token]) -> str | None:
    """LaTeX of the tokens; None where plain text leaves open what is meant (`√L/g`, `√gh`)."""
    parts: list[str] = []
    place = 0
    while place < len(tokens):
        written = _write_at(tokens, place)
        if written is None:
            return None
        text, after = written
        if parts and place and tokens[place].start > tokens[place - 1].end and not parts[-1].endswith(" "):
            parts.append(" ")
        parts.append(text)
        place = after
    return "".join(parts).strip()


def _write_at(tokens: list[Token], place: int) -> tuple[str, int] | None:
    token = tokens[place]
    match token.kind:
        case "number":
            return _number(tokens, place)
        case "superscript":
            return f"^{{{token.text.translate(SUPERSCRIPTS)}}}", place + 1
        case "subscript":
            return f"_{{{token.text.translate(SUBSCRIPTS)}}}", place + 1
        case "name":
            return _name(tokens, place)
        case "function":
            return _function(tokens, place)
        case "species":
            return rf"[\mathrm{{{_species(token.text[1:-1])}}}]", place + 1
        case "operator":
            return _operator(tokens, place)
        case "relation":
            return (r"\approx " if token.text in "≈≅" else "="), place + 1
        case "mark":
            return {"%": r"\%", "°": r"^\circ ", "′": "'", "″": "''"}.get(token.text, token.text), place + 1
        case "open" | "close":
            return {"{": r"\{", "}": r"\}"}.get(token.text, token.text), place + 1
        case "infinity":
            return r"\infty ", place + 1
        case _:
            return token.text, place + 1


def _number(tokens: list[Token], place: int) -> tuple[str, int]:
    digits = tokens[place].text.replace(",", "")
    ahead = tokens[place + 1 : place + 4]
    is_fraction = (
        len(ahead) == 3
        and ahead[0].text == "/"
        and ahead[1].kind == "number"
        and ahead[2].kind in ("name", "open", "function")
        and (place == 0 or tokens[place - 1].kind in ("operator", "relation", "open"))
    )
    if is_fraction:
        # `1/2 m v²` is half of m v², never one divided by all that follows.
        return rf"\frac{{{digits}}}{{{ahead[1].text}}}", place + 3
    return digits, place + 1


def _name(tokens: list[Token], place: int) -> tuple[str, int]:
    words = [tokens[place].text]
    while is_word(tokens[place]) and place + 1 < len(tokens) and tokens[place + 1].kind == "name":
        place += 1
        words.append(tokens[place].text)
    if len(words) > 1:
        return rf"\text{{{' '.join(words)}}}", place + 1
    name = rf"\mathrm{{{words[0]}}}" if is_word(tokens[place]) else words[0]
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if following is None or following.start > tokens[place].end:
        return name, place + 1
    if following.kind == "number":
        return f"{name}_{{{following.text}}}", place + 2
    return (rf"{name}_\infty ", place + 2) if following.kind == "infinity" else (name, place + 1)


def _function(tokens: list[Token], place: int) -> tuple[str, int] | None:
    token = tokens[place]
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if token.text == "sqrt":
        return _root(tokens, place, r"\sqrt")
    name = rf"\{_FUNCTIONS.get(token.text, token.text)}"
    if following is not None and following.kind == "number" and following.start == token.end:
        return f"{name}_{{{following.text}}}", place + 2
    return f"{name} ", place + 1


def _species(text: str) -> str:
    plain = text.translate(SUPERSCRIPTS).translate(SUBSCRIPTS)
    found = re.fullmatch(r"(.*?)\^?(\d?[+-])?", plain)
    body, charge = found.groups() if found else (plain, None)
    lowered = re.sub(r"(\d+)", r"_{\1}", body)
    return f"{lowered}^{{{charge}}}" if charge else lowered


def _operator(tokens: list[Token], place: int) -> tuple[str, int] | None:
    token = tokens[place]
    if token.text in ("^", "**", "_"):
        return _script(tokens, place)
    if token.text in "√∛":
        return _root(tokens, place, r"\sqrt" if token.text == "√" else r"\sqrt[3]")
    return _SIGNS.get(token.text, token.text), place + 1


def _script(tokens: list[Token], place: int) -> tuple[str, int] | None:
    """`^(n-1)`, `^-1`, `_avg`: what belongs to the script goes into braces."""
    sign = "_" if tokens[place].text == "_" else "^"
    first = place + 1
    if tokens[first].kind == "open":
        after = _closing(tokens, first)
        inner = write_latex(tokens[first + 1 : after])
        return None if inner is None else (f"{sign}{{{inner}}}", after + 1)
    minus = ""
    if tokens[first].text in "-−–+" and first + 1 < len(tokens):
        minus, first = ("-" if tokens[first].text != "+" else "+"), first + 1
    body = tokens[first].text
    after = first + 1
    if sign == "_":
        while (
            after < len(tokens)
            and tokens[after].kind in ("number", "name")
            and tokens[after].start == tokens[after - 1].end
        ):
            body += tokens[after].text
            after += 1
    elif tokens[first].kind == "name" and len(body) > 1:
        # `x^ab`: whether b belongs to the exponent cannot be told.
        return None
    return f"{sign}{{{minus}{body}}}", after


def _root(tokens: list[Token], place: int, command: str) -> tuple[str, int] | None:
    first = place + 1
    if first >= len(tokens):
        return None
    if tokens[first].kind == "open":
        after = _closing(tokens, first)
        inner = write_latex(tokens[first + 1 : after])
        return None if inner is None else (f"{command}{{{inner}}}", after + 1)
    after = first + 1
    while after < len(tokens) and tokens[after].kind in ("subscript", "superscript"):
        after += 1
    is_clear = tokens[first].kind == "number" or (tokens[first].kind == "name" and len(tokens[first].text) == 1)
    goes_on = after < len(tokens) and (tokens[after].is_value or tokens[after].text in ("/", "^", "_", "÷"))
    if not is_clear or goes_on:
        return None
    inner = write_latex(tokens[first:after])
    return None if inner is None else (f"{command}{{{inner}}}", after)


def _closing(tokens: list[Token], opening: int) -> int:
    """The place of the bracket that closes; the caller has seen to it that every bracket does."""
    depth = 0
    for place in range(opening, len(tokens)):
        depth += {"open": 1, "close": -1}.get(tokens[place].kind, 0)
        if depth == 0:
            return place
    return len(tokens)
