"""Displayed formulas of several rows as the formulas they are: one that cannot be read takes no other with it.

A page or a note gives `\\begin{eqnarray} … \\end{eqnarray}` as one piece. Its rows are told apart as those of a LaTeX
project are; a row that goes on from the one before stays with it. Reads no formula.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from mathrag.documents.latex_project.formulas import FormulaLine, Statement, statements_of
from mathrag.documents.latex_project.tokens import TexToken, as_source, tokens_of
from mathrag.types.document import Block, Content, Display, Document, Inline, ListItem, Math, Paragraph, Place, Text

_ROWS = re.compile(
    r"\\begin\{(?P<kind>eqnarray|align|gather|flalign|alignat|aligned|gathered|alignedat|split|IEEEeqnarray)(?P<star>\*?)\}"
    r"(?:\s*\[[^\[\]]{0,20}\])?(?P<columns>\s*\{[^{}\\]{0,40}\})?(?P<inside>.*)\\end\{(?P=kind)(?P=star)\}\s*[.,;]?\s*",
    re.DOTALL,
)
_LONGEST = 20_000
_WITH_COLUMNS = frozenset(("alignat", "alignedat", "IEEEeqnarray"))
_SILENT = frozenset(("nonumber", "notag", "IEEEnonumber"))


def with_rows_apart(document: Document) -> Document:
    """The document with every displayed formula of several rows as so many formulas."""
    if not any(_may_have_rows(piece) for block in document.blocks for piece in _pieces(block)):
        return document
    return replace(document, blocks=tuple(part for block in document.blocks for part in _blocks(block)))


def _pieces(block: Block) -> Content:
    match block:
        case Display():
            return (block.math,)
        case Paragraph() | ListItem():
            return block.content
        case _:
            return ()


def _may_have_rows(piece: Inline) -> bool:
    return isinstance(piece, Math) and piece.notation == "latex" and "\\\\" in piece.source


def _blocks(block: Block) -> Iterator[Block]:
    match block:
        case Display() if _may_have_rows(block.math):
            for piece in rows_of(block.math):
                if isinstance(piece, Math):
                    yield Display(piece.place, piece.quote, piece)
                elif isinstance(piece, Text):
                    yield Paragraph(block.place, piece.text, (piece,))
        case Paragraph() | ListItem() if any(_may_have_rows(piece) for piece in block.content):
            content = [part for piece in block.content for part in (rows_of(piece) if _is_math(piece) else [piece])]
            yield replace(block, content=tuple(content))
        case _:
            yield block


def _is_math(piece: Inline) -> bool:
    return isinstance(piece, Math)


def rows_of(math: Inline) -> list[Inline]:
    """The formulas of a formula, in order, and the words between its rows; itself where it is only one."""
    if not isinstance(math, Math) or not _may_have_rows(math) or len(math.source) > _LONGEST:
        return [math]
    found = _ROWS.fullmatch(math.source.strip())
    if found is None or rf"\end{{{found['kind']}{found['star']}}}" in found["inside"]:
        return [math]
    inside = found["inside"]
    if found["columns"] and found["kind"] not in _WITH_COLUMNS:
        inside = found["columns"] + inside
    lines = _lines(_with_environments(tokens_of(inside)))
    if lines is None:
        return [math]
    made = list(statements_of(lines, found["kind"]))
    if sum(isinstance(each, Statement) for each in made) < 2:
        return [math]
    above = math.source[: math.source.find(found["inside"])].count("\n")
    pieces = [piece for each in made for piece in _written(each, math, inside, above)]
    first = next((place for place, piece in enumerate(pieces) if isinstance(piece, Math)), -1)
    leading = pieces[first] if first >= 0 else None
    if isinstance(leading, Math) and not leading.number:
        # A number that was taken off before stood, more often than not, at the first row.
        pieces[first] = replace(leading, number=math.number)
    return pieces


def _written(made: Statement | list[TexToken], math: Math, inside: str, above: int) -> list[Inline]:
    if not isinstance(made, Statement):
        words = re.sub(r"\\(?:text|mbox|textrm|textit|mathrm)\s*|[{}$\\]", "", as_source(made)).strip()
        return [Text(f" {words} ")] if words else []
    shown = [token for token in made.tokens if token.kind != "space"]
    if not made.source.strip() or not shown:
        return []
    first = min(token.start for token in shown)
    quote = inside[first : max(token.stop for token in shown)].strip()
    number = next((line.tag for line in made.lines if line.tag), "")
    is_whole = quote and (quote in math.quote or quote in math.source)
    place = _lower(math.place, above + inside.count("\n", 0, first))
    quote = quote if is_whole else math.quote
    return [replace(math, source=made.source.strip(), quote=quote, number=number, place=place)]


def _lower(place: Place, lines: int) -> Place:
    """A place so many lines further down; never below the end of what it is the place of."""
    if place.line is None or not lines:
        return place
    line = place.line + lines
    return replace(place, line=line if place.end_line is None else min(line, place.end_line))


def _with_environments(tokens: list[TexToken]) -> list[TexToken]:
    """The tokens with `\\begin{cases}` as one: rows and columns of an environment inside are its own."""
    made: list[TexToken] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        ahead = tokens[place + 1 : place + 4]
        is_named = [each.kind for each in ahead] == ["open", "characters", "close"]
        if token.kind == "command" and token.text in ("begin", "end") and is_named:
            kind: Literal["begin", "end"] = "begin" if token.text == "begin" else "end"
            made.append(token._replace(kind=kind, text=ahead[1].text, stop=ahead[2].stop))
            place += 4
        else:
            made.append(token)
            place += 1
    return made


def _lines(tokens: list[TexToken]) -> list[FormulaLine] | None:
    """The rows at the top level, with their tags; None where brackets do not close."""
    lines = [FormulaLine()]
    level = place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token.kind in ("open", "begin"):
            level += 1
        elif token.kind in ("close", "end"):
            level -= 1
            if level < 0:
                return None
        elif token.kind == "command" and not level:
            if token.text == "\\":
                lines.append(FormulaLine())
                continue
            if token.text in _SILENT:
                continue
            if token.text in ("tag", "label", "intertext"):
                argument, place = _argument(tokens, place)
                _set_aside(lines, token.text, argument)
                continue
        lines[-1].tokens.append(token)
    return lines if not level else None


def _set_aside(lines: list[FormulaLine], name: str, argument: list[TexToken]) -> None:
    if name == "tag":
        lines[-1].tag = as_source(argument).strip("() $")
    elif name == "intertext":
        lines.append(FormulaLine(text_before=argument))


def _argument(tokens: list[TexToken], place: int) -> tuple[list[TexToken], int]:
    """What stands in the braces that come next, and the place after them."""
    while place < len(tokens) and (tokens[place].kind == "space" or tokens[place].text == "*"):
        place += 1
    if place >= len(tokens) or tokens[place].kind != "open":
        return [], place
    start, level = place + 1, 0
    while place < len(tokens):
        level += {"open": 1, "close": -1}.get(tokens[place].kind, 0)
        place += 1
        if not level:
            break
    return tokens[start : place - 1], place
