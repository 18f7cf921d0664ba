"""Lists of a page: how deep an item stands and what its marker is. Reads no content."""

from __future__ import annotations

from dataclasses import dataclass

from mathrag.documents.html.nodes import Node
from mathrag.types.document import Content

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_BULLET = "•"


@dataclass(slots=True)
class OpenList:
    """A list whose items are being read: the next number and the term of a definition list."""

    node: Node
    next_number: int
    step: int = 1
    term: Content = ()
    has_definition: bool = True
    is_of_references: bool = False


@dataclass(slots=True)
class OpenItem:
    """An item being read; `is_started` once its first text became a block."""

    node: Node
    depth: int
    marker: str = ""
    term: Content = ()
    is_started: bool = False


def open_list(node: Node, *, is_of_references: bool = False) -> OpenList:
    """A list at its start."""
    start = _whole_number(node.attribute("start"))
    is_reversed = "reversed" in node.attributes
    if start is None:
        start = sum(child.name == "li" for child in node.elements) if is_reversed else 1
    return OpenList(node, start, -1 if is_reversed else 1, is_of_references=is_of_references)


def marker_of(opened: OpenList, item: Node) -> str:
    """The marker of the next item: `•`, `3.`, `b.`, `iv.`; counts on."""
    if opened.node.name not in ("ol",):
        return _BULLET
    number = _whole_number(item.attribute("value"))
    number = opened.next_number if number is None else number
    opened.next_number = number + opened.step
    kind = item.attribute("type") or opened.node.attribute("type")
    if kind in ("a", "A") and number > 0:
        text = _letters(number)
    elif kind in ("i", "I") and 0 < number < 4_000:
        text = _roman(number)
    else:
        return f"{number}."
    return f"{text.upper() if kind.isupper() else text}."


def _whole_number(text: str) -> int | None:
    digits = text.lstrip("+-")
    return (
        int(text)
        if digits.isascii() and digits.isdigit() and len(digits) <= 9 and len(text) - len(digits) <= 1
        else None
    )


def _letters(number: int) -> str:
    text = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def _roman(number: int) -> str:
    text = ""
    for value, sign in _ROMAN:
        count, number = divmod(number, value)
        text += sign * count
    return text
