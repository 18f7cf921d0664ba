"""Formulas whose left side stands in words before them: `Sale price = $p (1 - d)$`, `**Gain** $= 10 \\log_{10} r$`.

The words are what the formula computes; a formula without them is an expression that answers nothing.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mathrag.types.document import Block, Cell, Content, Document, Inline, ListItem, Math, Paragraph, Table, Text

# What ends a line of thought before a name; a name is a few words, perhaps with an abbreviation in brackets.
_BEFORE_NAME = re.compile(r"(?:^|[.;:!?•·|]\s|[–—-]\s)\s*(?P<name>[^.;:!?•|=]{1,60}?)\s*(?P<sign>[=≈]?)\s*$")
_NAME = re.compile(r"[^\W\d_][\w'’%/-]*(?: [\w'’%/&-]+){0,6}(?: \([\w.-]{1,12}\))?")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SYMBOL = re.compile(r"[^\W\d_](?:_?\w{1,8})?")
# What may stand behind such a formula: nothing, the end of a sentence, or what explains it.
_BEHIND = re.compile(r"\s*(?:$|[.,;:(\[]|(?:where|with|for|if|when|and)\b)")
_RELATION = re.compile(r"[=<>≈≤≥]|&[lg]t;|\\(?:approx|leq?|geq?|neq?|sim|propto|equiv|to|rightarrow)(?![a-zA-Z])")
_TAG = re.compile(r"<[^>]*>")
_OPENING = re.compile(r"\A\s*(?:\\displaystyle)?\s*=\s*")
_SPECIAL = re.compile(r"[%&]")
_MATHML = re.compile(r"<math\b[^>]*>")
# More words than this are a sentence about a formula rather than the name of what it gives.
_MOST_WORDS = 7


def with_worded_targets(document: Document) -> Document:
    """The document, each formula with the words before its equals sign as its left side."""
    return replace(document, blocks=tuple(map(_block, document.blocks)))


def _block(block: Block) -> Block:
    match block:
        case Paragraph() | ListItem():
            content = _content(block.content)
            return block if content is block.content else replace(block, content=content)
        case Table():
            return replace(block, rows=tuple(tuple(map(_cell, row)) for row in block.rows))
        case _:
            return block


def _cell(cell: Cell) -> Cell:
    content = _content(cell.content)
    return cell if content is cell.content else replace(cell, content=content)


def _content(content: Content) -> Content:
    if not any(isinstance(piece, Math) for piece in content) or not any(isinstance(piece, Text) for piece in content):
        return content
    return tuple(_named(content))


def _named(content: Sequence[Inline]) -> Iterator[Inline]:
    before = ""
    for index, piece in enumerate(content):
        match piece:
            case Math():
                behind = content[index + 1] if index + 1 < len(content) else None
                name = _name_before(before, piece) if _may_end(behind) else ""
                yield _with_name(piece, name) if name else piece
                before = ""
            case Text():
                before += piece.text
                yield piece
            case _:
                before = ""
                yield piece


def _may_end(behind: Inline | None) -> bool:
    if behind is None or not isinstance(behind, Text | Math):
        return True
    return isinstance(behind, Text) and _BEHIND.match(behind.text) is not None


def _name_before(before: str, math: Math) -> str:
    """The words that an equals sign makes the left side of the formula; empty where there are none."""
    if math.notation == "text" or not math.is_certain:
        return ""
    found = _BEFORE_NAME.search(before)
    if found is None:
        return ""
    rest = _right_side(math)
    shown = _TAG.sub(" ", rest) if math.notation == "mathml" else rest
    # The equals sign stands in the words or opens the formula, once.
    is_opened = rest != math.source
    if _RELATION.search(shown) or bool(found["sign"]) == is_opened:
        return ""
    name = " ".join(found["name"].split())
    if _SYMBOL.fullmatch(name):
        return name
    is_name = _NAME.fullmatch(name) is not None and _WORD.search(name) is not None
    return name if is_name and len(name.split()) <= _MOST_WORDS else ""


def _with_name(math: Math, name: str) -> Math:
    if math.notation == "mathml":
        left = f"<mtext>{html.escape(name)}</mtext><mo>=</mo>"
        return replace(math, source=_MATHML.sub(lambda found: found.group() + left, math.source, count=1))
    return replace(math, source=f"{latex_name(name)} = {_right_side(math)}")


def _right_side(math: Math) -> str:
    """The source without the equals sign that opens it, where LaTeX does so."""
    return _OPENING.sub("", math.source, count=1) if math.notation == "latex" else math.source


def latex_name(name: str) -> str:
    """A symbol or words as the left side of a formula."""
    if not _SYMBOL.fullmatch(name):
        return rf"\text{{{_SPECIAL.sub(lambda found: chr(92) + found.group(), name)}}}"
    if len(name) == 1:
        return name
    return rf"{name[0]}_{{\mathrm{{{name[2:]}}}}}" if name[1] == "_" else rf"\mathrm{{{name}}}"
