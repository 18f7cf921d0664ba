"""Presentation MathML to notation: the layout of a formula, as `\\frac{}{}` and its kin would give it.

Decides nothing about meaning. What cannot be laid out (scripts before their letter, open brackets, elements of school
arithmetic) raises `FormulaError` at its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from mathrag.compute.mathml import characters as table
from mathrag.compute.mathml.elements import Element, Text
from mathrag.compute.mathml.rows import (
    RELATIONS,
    Delimiter,
    LineBreak,
    Piece,
    has_relation,
    is_balanced,
    join,
    merge_scripts,
    nest,
    spelled_word,
)
from mathrag.compute.mathml.tokens import token_pieces
from mathrag.compute.notation import Accent, Fence, Grid, Mark, Name, Root, Row, Sign, Space, Stack, Style, Words
from mathrag.errors import FormulaError

# MathML tables to grids: aligned lines of equations, or a matrix.

Lay: TypeAlias = Callable[[Element, Style | None], Row]

_END_PUNCTUATION = frozenset(".,;")


def grid_of(element: Element, style: Style | None, lay: Lay) -> Grid:
    """The lines and cells; `lay` makes the row of a cell. Empty cells of aligned equations are dropped."""
    lines: list[tuple[Row, ...]] = []
    for line in element.elements:
        if line.name not in {"mtr", "mlabeledtr"}:
            raise FormulaError("structure", f"<{line.name}> cannot stand in a table", position=line.position)
        cells = line.elements[1:] if line.name == "mlabeledtr" else line.elements
        for cell in cells:
            if cell.name != "mtd":
                raise FormulaError(
                    "structure", f"<{cell.name}> cannot stand in a line of a table", position=cell.position
                )
        lines.append(tuple(lay(cell, style) for cell in cells))
    kind: Literal["lines", "matrix"] = (
        "lines" if any(has_relation(cell) for line in lines for cell in line) else "matrix"
    )
    if kind == "lines":
        tidied = (tuple(_without_label(line)) for line in lines)
        lines = [line for line in tidied if line]
    return Grid(kind, tuple(lines), element.position)


def _without_label(line: tuple[Row, ...]) -> list[Row]:
    """The cells that hold something, without an equation number such as (2.1) in the last."""
    cells = [cell for cell in line if cell.items]
    if len(cells) > 1 and len(cells[-1].items) == 1:
        last = cells[-1].items[0]
        if isinstance(last, Words) and last.text.startswith("("):
            cells.pop()
    if cells:
        cells[-1] = without_end_punctuation(cells[-1])
    return [cell for cell in cells if cell.items]


def without_end_punctuation(row: Row) -> Row:
    """The row without the full stop or comma that belongs to the sentence around it."""
    items = list(row.items)
    while items and (
        isinstance(items[-1], Space) or (isinstance(items[-1], Sign) and items[-1].text in _END_PUNCTUATION)
    ):
        items.pop()
    return Row(tuple(items), row.position)


_GROUPS = frozenset(("math", "mrow", "mstyle", "mpadded"))
_TOKENS = frozenset(("mi", "mn", "mo", "mtext", "ms"))
_NOTHING = frozenset(("mphantom", "none", "mprescripts", "malignmark", "maligngroup", "annotation", "annotation-xml"))
_ACCENTABLE = frozenset(("mo", "mi", "mn", "mtext"))
_LENGTH = re.compile(r"([-+]?[0-9]*\.?[0-9]+)\s*([a-z]*)")
_WIDE_FROM = {
    "em": 0.9,
    "ex": 1.8,
    "px": 14.0,
    "pt": 9.0,
    "mu": 16.0,
    "": 0.9,
    "in": 0.12,
    "cm": 0.3,
    "mm": 3.0,
    "rem": 0.9,
}
_UNSEEN_COLOURS = frozenset(("white", "transparent", "#fff", "#ffff", "#ffffff", "#ffffffff"))
_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?<![\w-])color\s*:\s*(?:white|transparent|#fff)", re.I
)
_STRIKES = ("strike", "longdiv", "actuarial", "phasorangle", "arrow")


def notation_of(element: Element) -> Row:
    """The notation of a `<math>` (or any presentation element), punctuation at its end taken off."""
    pieces = _pieces((element,), None)
    breaks = [index for index, piece in enumerate(pieces) if isinstance(piece, LineBreak)]
    if breaks:
        edges = [-1, *breaks, len(pieces)]
        rows = [_finished(pieces[start + 1 : stop], element.position) for start, stop in pairwise(edges)]
        lines = tuple((without_end_punctuation(row),) for row in rows if row.items)
        return Row((Grid("lines", lines, element.position),), element.position)
    row = without_end_punctuation(_finished(pieces, element.position))
    if len(row.items) == 1 and isinstance(row.items[0], Grid) and row.items[0].kind == "matrix":
        grid = row.items[0]
        return Row((Grid("lines", grid.lines, grid.position),), row.position)
    return row


def _finished(pieces: Sequence[Piece], position: int, *, in_script: bool = False) -> Row:
    """Join, pair the fences, trim white space at the ends."""
    marks = nest(join(pieces, in_script=in_script))
    while marks and isinstance(marks[0], Space):
        marks.pop(0)
    while marks and isinstance(marks[-1], Space):
        marks.pop()
    while len(marks) == 1 and isinstance(marks[0], Row):
        marks = list(marks[0].items)
    return Row(tuple(marks), marks[0].position if marks else position)


def _row(element: Element, style: Style | None, *, in_script: bool = False) -> Row:
    return _finished(_pieces((element,), style), element.position, in_script=in_script)


def _inside(element: Element, style: Style | None) -> Row:
    """The children as one row, for elements that take any number of them."""
    return _finished(_pieces(element.children, style), element.position)


def _pieces(nodes: Sequence[Element | Text], style: Style | None) -> list[Piece]:
    """The marks of siblings side by side; groups are opened, since a reader sees no groups."""
    pieces: list[Piece] = []
    skip = 0
    for index, node in enumerate(nodes):
        if isinstance(node, Text):
            if node.value.strip():
                raise FormulaError(
                    "stray_text", f"{node.value.strip()[:20]!r} stands outside any element", position=node.position
                )
            continue
        if index < skip:
            continue
        word, skip = spelled_word(nodes, index, pieces)
        if word is not None:
            pieces.append(word)
            continue
        handler = _HANDLERS.get(node.name)
        if handler is None:
            raise FormulaError(
                "element", f"<{node.name}> is not an element of formulas I can read", position=node.position
            )
        variant = style
        if node.attributes:
            _check_seen(node)
            variant = table.style_of_variant(node.attribute("mathvariant") or node.attribute("fontstyle")) or style
        added = handler(node, variant)
        if node.name in _GROUPS and len(added) > 1:
            added = _reach(added, pieces, node.position)
        pieces.extend(added)
    return pieces


def _check_seen(element: Element) -> None:
    """What is set in the colour of the paper, without size or not at all is not what a person reads."""
    colour = element.attribute("mathcolor") or element.attribute("color")
    size = element.attribute("mathsize")
    is_unseen = colour.strip().lower() in _UNSEEN_COLOURS or (size != "" and not size.strip("0. empxtrch%"))
    if is_unseen or _HIDING.search(element.attribute("style")[:2_000]):
        raise FormulaError("unseen", "a part of the formula is not seen on the page", position=element.position)


def _reach(added: list[Piece], before: Sequence[Piece], position: int) -> list[Piece]:
    """Keep a group that says how far a function reaches: the function is applied to the group, or within it."""
    signs = [piece.text for piece in added if isinstance(piece, Sign)]
    if not is_balanced(added) or any(sign in RELATIONS or sign in {",", ";"} for sign in signs):
        return added
    if _is_application(next((piece for piece in reversed(before) if not isinstance(piece, Space)), None)):
        body = _finished(added, position)
        return [body.items[0] if len(body.items) == 1 else Fence("(", ")", body, position)]
    is_sum = any(isinstance(piece, Sign) and piece.text in "+-±∓" for piece in added[1:])
    ends = next((piece for piece in reversed(added) if not isinstance(piece, Space)), None)
    if table.APPLY_FUNCTION in signs and not is_sum and not _is_application(ends):
        return [_finished(added, position)]
    return added


def _is_application(piece: Piece | None) -> bool:
    return isinstance(piece, Sign) and piece.text == table.APPLY_FUNCTION


def _children(element: Element, count: int) -> tuple[Element, ...]:
    """The child elements of one that needs exactly so many. KaTeX adds a function application that is no child."""
    children = element.elements
    if len(children) > count:
        children = tuple(each for each in children if each.name != "mo" or each.text.strip() != table.APPLY_FUNCTION)
    if len(children) != count:
        raise FormulaError(
            "structure", f"<{element.name}> needs {count} children and has {len(children)}", position=element.position
        )
    return children


def _group(element: Element, style: Style | None) -> list[Piece]:
    return _pieces(element.children, style)


def _nothing(_element: Element, _style: Style | None) -> list[Piece]:
    return []


def _error(element: Element, _style: Style | None) -> list[Piece]:
    raise FormulaError("merror", "the source marks this formula as an error", position=element.position)


def _selected_child(element: Element, style: Style | None) -> list[Piece]:
    """What an action shows before anyone acts: the child that it selects, or the first."""
    selection = element.attribute("selection").strip()
    place = int(selection) if selection.isascii() and selection.isdigit() and len(selection) < 4 else 1
    return _pieces(element.elements[max(0, place - 1) : place], style)


def _space(element: Element, _style: Style | None) -> list[Piece]:
    if element.attribute("linebreak") == "newline":
        return [LineBreak(element.position)]
    width = element.attribute("width").lower()
    match = _LENGTH.fullmatch(width)
    if match is None:
        return [Space(element.position)] if width else []
    amount, unit = float(match.group(1)), match.group(2)
    return [Space(element.position, amount >= _WIDE_FROM.get(unit, 0.9))] if amount > 0 else []


def _fraction(element: Element, style: Style | None) -> list[Piece]:
    above, below = _children(element, 2)
    thickness = _LENGTH.match(element.attribute("linethickness"))
    has_bar = thickness is None or float(thickness.group(1)) != 0
    rows = [without_end_punctuation(_row(each, style)) for each in (above, below)]
    return [Stack(rows[0], rows[1], element.position, has_bar)]


def _square_root(element: Element, style: Style | None) -> list[Piece]:
    return [Root(_inside(element, style), None, element.position)]


def _root(element: Element, style: Style | None) -> list[Piece]:
    body, degree = _children(element, 2)
    return [Root(_row(body, style), _row(degree, style), element.position)]


def _enclosed(element: Element, style: Style | None) -> list[Piece]:
    notation = element.attribute("notation").lower().split()
    if "radical" in notation:
        return _square_root(element, style)
    if "top" in notation and len(notation) == 1:
        return [Accent("bar", _inside(element, style), element.position)]
    pieces = _pieces(element.children, style)
    if any(strike in each for each in notation for strike in _STRIKES):
        # Units may be struck out where they cancel; a struck-out term is gone, or replaced by what stands beside it.
        is_unit = all(
            isinstance(piece, Words | Space) or (isinstance(piece, Name) and piece.style == "upright")
            for piece in pieces
        )
        if not is_unit or not all("strike" in each for each in notation):
            raise FormulaError("struck_out", "a part of the formula is struck out", position=element.position)
    return pieces


def _fenced(element: Element, style: Style | None) -> list[Piece]:
    opening = element.attributes.get("open", "(").strip()
    closing = element.attributes.get("close", ")").strip()
    separators = "".join(element.attributes.get("separators", ",").split())
    pieces: list[Piece] = [_bracket(opening, element, "prefix")]
    for index, child in enumerate(element.elements):
        if index and separators:
            separator = separators[min(index - 1, len(separators) - 1)]
            pieces.append(Sign(table.SIGNS.get(separator, separator), child.position))
        content = _row(child, style)
        pieces.extend(content.items)
    pieces.append(_bracket(closing, element, "postfix"))
    return list(nest(pieces))


def _bracket(text: str, element: Element, form: str) -> Delimiter:
    if text and text not in table.DELIMITERS:
        raise FormulaError("fence", f"{text!r} is no bracket", position=element.position)
    return Delimiter(table.DELIMITERS[text] if text else "", element.position, form)


def _scripts(element: Element, style: Style | None) -> list[Piece]:
    """msub, msup and msubsup."""
    children = _children(element, 3 if element.name == "msubsup" else 2)
    sub = children[1] if element.name != "msup" else None
    sup = children[-1] if element.name != "msub" else None
    return _scripted(children[0], _script(sub, style), _script(sup, style), style)


def _script(element: Element | None, style: Style | None) -> Row | None:
    if element is None:
        return None
    row = without_end_punctuation(_row(element, style, in_script=True))
    return row if row.items else None


def _scripted(base: Element, sub: Row | None, sup: Row | None, style: Style | None) -> list[Piece]:
    """Scripts on a base. On running text they sit on its last mark, as a reader sees them."""
    pieces = _pieces((base,), style)
    while pieces and isinstance(pieces[-1], Space):
        pieces.pop()
    if sub is None and sup is None:
        return pieces
    last = pieces[-1] if pieces else None
    if isinstance(last, Delimiter) and (len(pieces) == 1 or not is_balanced(pieces)):
        return [*pieces[:-1], Delimiter(last.text, last.position, last.form, sub, sup)]
    if not is_balanced(pieces) and last is not None and not isinstance(last, Delimiter | LineBreak):
        return [*pieces[:-1], merge_scripts(last, sub, sup, last.position)]
    marks = nest(join(pieces, in_script=True))
    body: Mark = Row(tuple(marks), marks[0].position if marks else base.position)
    if len(marks) == 1 or any(_ends_group(mark) for mark in marks) or (marks and _is_token(base)):
        body = marks.pop()
        return [*marks, merge_scripts(body, sub, sup, body.position)]
    return [merge_scripts(body, sub, sup, body.position)]


def _is_token(element: Element) -> bool:
    """Whether it is one token, and no group that an author made of several."""
    while element.name in _GROUPS and len(element.elements) == 1:
        element = element.elements[0]
    return element.name in _TOKENS


def _ends_group(mark: Mark) -> bool:
    """What no author groups without brackets: running text, or an operator between operands."""
    return isinstance(mark, Words | Space) or (isinstance(mark, Sign) and mark.text in "+-×·*/=,")


def _many_scripts(element: Element, style: Style | None) -> list[Piece]:
    children = element.elements
    for child in children:
        if child.name == "mprescripts":
            raise FormulaError(
                "prescript", "a script stands before its letter, as in nuclides", position=child.position
            )
    if len(children) % 2 != 1:
        raise FormulaError("structure", "<mmultiscripts> needs its scripts in pairs", position=element.position)
    below = [mark for child in children[1::2] for mark in _row(child, style, in_script=True).items]
    above = [mark for child in children[2::2] for mark in _row(child, style, in_script=True).items]
    sub = Row(tuple(below), below[0].position) if below else None
    sup = Row(tuple(above), above[0].position) if above else None
    return _scripted(children[0], sub, sup, style)


def _limits(element: Element, style: Style | None) -> list[Piece]:
    """munder, mover and munderover: accents, braces with a comment, or bounds."""
    children = _children(element, 3 if element.name == "munderover" else 2)
    under = children[1] if element.name != "mover" else None
    over = children[-1] if element.name != "munder" else None
    if _holds_brace(children[0]) or any(
        each is not None and _only_text(each) in table.BRACES for each in (under, over)
    ):
        return _pieces(children[:1], style)
    body = _row(children[0], style)
    base: Mark = body.items[0] if len(body.items) == 1 else body
    takes_accent = not (isinstance(base, Sign) or (isinstance(base, Name) and base.text in table.FUNCTION_NAMES))
    if takes_accent:
        if (accent := _accent(over, table.ACCENTS_ABOVE)) is not None:
            base, over = Accent(accent, _as_row(base, body.position), element.position), None
        if (accent := _accent(under, table.ACCENTS_BELOW)) is not None:
            base, under = Accent(accent, _as_row(base, body.position), element.position), None
    sub, sup = _script(under, style), _script(over, style)
    if isinstance(base, Sign) and base.text == "=" and sup is not None and _is_definition(sup):
        return [Sign("≡", base.position)]
    return [merge_scripts(base, sub, sup, element.position, limits=True)]


def _accent(script: Element | None, accents: Mapping[str, str]) -> str | None:
    return accents.get(_only_text(script)) if script is not None else None


def _as_row(mark: Mark, position: int) -> Row:
    return mark if isinstance(mark, Row) else Row((mark,), position)


def _is_definition(row: Row) -> bool:
    """`def` or a triangle over an equals sign."""
    texts = [item.text for item in row.items if isinstance(item, Name | Words | Sign)]
    return "".join(texts).strip(" .").lower() in {"def", "delta", "△"}


def _only_text(element: Element) -> str:
    """The characters of a token, or of a group that holds only one token; empty otherwise."""
    while element.name in _GROUPS and len(element.elements) == 1:
        element = element.elements[0]
    return element.text.strip() if element.name in _ACCENTABLE else ""


def _holds_brace(element: Element) -> bool:
    while element.name in _GROUPS and len(element.elements) == 1:
        element = element.elements[0]
    if element.name not in {"munder", "mover"}:
        return False
    return any(_only_text(child) in table.BRACES for child in element.elements[1:])


def _table(element: Element, style: Style | None) -> list[Piece]:
    lay: Lay = _inside
    return [grid_of(element, style, lay)]


def _semantics(element: Element, style: Style | None) -> list[Piece]:
    """The presentation among the children: the first, or an annotation that holds one."""
    first = next((child for child in element.elements if child.name not in {"annotation", "annotation-xml"}), None)
    if first is not None:
        return _pieces((first,), style)
    for child in element.elements:
        if child.name == "annotation-xml" and "presentation" in child.attribute("encoding").lower():
            return _pieces(child.children, style)
    return []


_HANDLERS: dict[str, Callable[[Element, Style | None], list[Piece]]] = {
    **dict.fromkeys(_GROUPS, _group),
    **dict.fromkeys(_TOKENS, token_pieces),
    **dict.fromkeys(_NOTHING, _nothing),
    "merror": _error,
    "maction": _selected_child,
    "mspace": _space,
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "menclose": _enclosed,
    "mfenced": _fenced,
    "msub": _scripts,
    "msup": _scripts,
    "msubsup": _scripts,
    "mmultiscripts": _many_scripts,
    "munder": _limits,
    "mover": _limits,
    "munderover": _limits,
    "mtable": _table,
    "semantics": _semantics,
}
