"""Long OpenDocument texts in pieces that pandoc reads one by one, and the trees of the pieces as one again.

Pandoc's time for an OpenDocument text grows with the square of its length, and faster; pieces of bounded length make
it grow with the length. A text that is short is one piece. Paragraphs, lists and tables may be cut, other things not.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from mathrag.documents.html.tree import Node
from mathrag.documents.office.archive import Element, attribute, drop, local_name
from mathrag.documents.office.pandoc import NAME_MARK, FormulaMarks
from mathrag.errors import DocumentError

# Elements of one piece, and of what cannot be cut: some pages, and a text box of a whole chapter.
_LONGEST = 1_500
_LONGEST_WHOLE = 10_000
_PARAGRAPHS = frozenset(("p", "h"))
_ITEMS = frozenset(("list-item", "list-header"))
# Nothing is lost where these are left out around what they hold.
_TRANSPARENT = frozenset(("section", "table-rows", "table-row-group"))
_CUT = _PARAGRAPHS | _ITEMS | _TRANSPARENT | {"list", "table"}


@dataclass(slots=True)
class Piece:
    """Elements of a text with the open elements around them; the first `shared` of these go on from the last piece."""

    body: Element
    shared: tuple[str, ...] = ()
    size: int = 0


@dataclass(slots=True)
class _Cutter:
    """Moves the elements of a text into pieces, one after the other."""

    body: Element
    marks: FormulaMarks
    pieces: list[Piece] = field(default_factory=list)
    # The elements around the one at hand, as they came and as they are in the last piece.
    path: list[Element] = field(default_factory=list)
    copies: list[Element] = field(default_factory=list)

    def cut(self, parent: Element) -> None:
        for child in list(parent):
            size = sum(1 for _ in child.iter())
            name = local_name(child)
            if size > _LONGEST and name in _TRANSPARENT:
                self.cut(child)
            elif size > _LONGEST and name in _CUT:
                self._open(child)
                self.cut(child)
                self.path.pop()
                self.copies.pop()
            elif size > _LONGEST_WHOLE:
                reason = f"one {name} holds more than {_LONGEST_WHOLE:,} elements"
                raise DocumentError("too_large", f"{reason}; split the document")
            else:
                self._put(child, size)

    def _put(self, child: Element, size: int) -> None:
        if self.pieces[-1].size and self.pieces[-1].size + size > _LONGEST:
            self._begin()
        self.pieces[-1].size += size
        self.copies[-1].append(child)

    def _open(self, element: Element) -> None:
        copy = _copied(element)
        copy.text = element.text
        self.copies[-1].append(copy)
        self.copies.append(copy)
        self.path.append(element)

    def _begin(self) -> None:
        """A new piece, with everything open that is open now."""
        kept = len(self.path)
        while kept and not len(self.copies[kept]) and not self.copies[kept].text:
            # Opened just now: nothing of it was in the piece before.
            drop(self.copies[kept])
            kept -= 1
        shared = tuple(local_name(each) for each in self.path[:kept])
        is_cut = bool(shared) and shared[-1] in _PARAGRAPHS
        if is_cut:
            # Whatever is in them, neither part of the paragraph is empty.
            _append_words(self.copies[kept], self._mark())
        self.pieces.append(Piece(_copied(self.body), shared))
        self.copies = [self.pieces[-1].body]
        for element in self.path:
            self.copies.append(_copied(element))
            self.copies[-2].append(self.copies[-1])
        if is_cut:
            self.copies[-1].text = self._mark()

    def _mark(self) -> str:
        return self.marks.add(Node(NAME_MARK))


def cut_text(body: Element, marks: FormulaMarks) -> list[Piece]:
    """The pieces of a text (`office:text`), which is used up; one where it is short."""
    size = sum(1 for _ in body.iter())
    if size <= _LONGEST:
        return [Piece(body, (), size)]
    first = Piece(_copied(body))
    cutter = _Cutter(body, marks, [first], copies=[first.body])
    cutter.cut(body)
    return cutter.pieces


def _copied(element: Element) -> Element:
    """The element without what it holds."""
    return element.makeelement(element.tag, dict(element.attrib), element.nsmap)


def _append_words(element: Element, words: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + words
    else:
        element.text = (element.text or "") + words


def join_trees(blocks: list[Any], following: list[Any], shared: tuple[str, ...]) -> None:
    """In place: the blocks of a piece after those of the piece before, what was cut as one again."""
    if not shared or not blocks or not following:
        blocks.extend(following)
        return
    before, after = blocks[-1], following[0]
    held = [_held(before), _held(after)]
    if before["t"] != after["t"] or held[0] is None or held[1] is None:
        blocks.extend(following)
        return
    if shared[0] == "list" and len(shared) > 1 and held[0] and held[1]:
        join_trees(held[0][-1], held[1][0], shared[2:])
        held[0].extend(held[1][1:])
    else:
        held[0].extend(held[1])
    blocks.extend(following[1:])


def _held(block: Any) -> list[Any] | None:
    """What a block of pandoc's tree is a row of: words, items, rows of a table."""
    match block["t"]:
        case "Para" | "Plain" | "BulletList":
            return _list_of(block["c"])
        case "Header":
            return _list_of(block["c"][2])
        case "OrderedList":
            return _list_of(block["c"][1])
        case "Table":
            return _list_of(block["c"][4][-1][3]) if block["c"][4] else None
        case _:
            return None


def _list_of(value: Any) -> list[Any] | None:
    """The value, where it is a list."""
    return value if isinstance(value, list) else None


# Styles that a style is based on, one upon the other; templates have five.
_LONGEST_CHAIN = 20
_STYLE_HOLDERS = frozenset(("automatic-styles", "styles"))
# Fonts are a dozen, and pages have no say in the text.
_MOST_FONTS = 200


@dataclass(slots=True)
class Styles:
    """The styles of a document by name, to go along with the pieces that name them."""

    holders: list[Element]
    _named: dict[str, list[tuple[Element, Element]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for root in self.holders:
            for section in root:
                if local_name(section) in _STYLE_HOLDERS:
                    for style in section:
                        self._named.setdefault(attribute(style, "name"), []).append((section, style))

    def used_by(self, body: Element) -> dict[Element, list[Element]]:
        """The styles that a piece names and those they are based on, by the section they stand in."""
        found: dict[Element, list[Element]] = {}
        seen: set[str] = set()
        names = _style_names(body)
        for _ in range(_LONGEST_CHAIN):
            new = [pair for name in names if name not in seen for pair in self._named.get(name, ())]
            seen |= names
            names = set()
            for section, style in new:
                found.setdefault(section, []).append(style)
                names |= _style_names(style)
        return found


def _style_names(element: Element) -> set[str]:
    """The styles that an element and what it holds name."""
    return {
        str(value)
        for each in element.iter()
        for key, value in each.attrib.items()
        if str(key).rpartition("}")[2].endswith("style-name")
    }


def with_styles(root: Element, used: dict[Element, list[Element]]) -> Element:
    """A part of its own like `root`, with these styles alone and no text."""
    copy = _copied(root)
    for section in root:
        name = local_name(section)
        kept = used.get(section, []) if name in _STYLE_HOLDERS else []
        if name == "font-face-decls" and len(section) <= _MOST_FONTS:
            kept = list(section)
        if name != "body":
            copy.append(_copied(section))
            copy[-1].extend([deepcopy(each) for each in kept])
    return copy
