"""The blocks of a page from a walk through it: what begins and ends, where text goes, which words are whose caption."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mathrag.documents.html.contents import (
    as_display,
    finish,
    is_reference_entry,
    is_reference_heading,
    is_reference_list,
    key_and_text,
    with_line_breaks_as_text,
)
from mathrag.documents.html.tables import (
    captions_of,
    equations_of,
    holds_nothing_but_text,
    kind_of,
    read_table,
    rows_of,
)
from mathrag.documents.html.tree import Node
from mathrag.documents.html.walk import (
    HEADINGS,
    PLAIN,
    Atom,
    Closed,
    LeftOut,
    Opened,
    OpenItem,
    OpenList,
    StyledText,
    Whole,
    code_of,
    is_decoration,
    is_figure_of_pictures,
    marker_of,
    open_list,
    picture_of,
    pictures_in,
    walk,
)
from mathrag.documents.math_in_text.explicit_lines import formulas_of_lines
from mathrag.documents.seams import ReadingLimits
from mathrag.errors import DocumentError
from mathrag.language.parts import box_kind
from mathrag.types.document import (
    Block,
    Box,
    Break,
    Code,
    Content,
    Display,
    Heading,
    Image,
    ListItem,
    Math,
    Paragraph,
    Reference,
    Table,
    plain_text,
)

_LISTS = frozenset(("ul", "ol", "menu", "dir", "dl"))
_LONGEST_TERM = 30
_LONGEST_REFERENCE = 2_000
# Beyond so many characters a listing is a listing.
_LONGEST_PLAIN = 5_000
# Elements that set a part apart, if their class says as what.
_BOXES = frozenset(("section", "div", "article", "aside", "details"))
_WHOLE = frozenset(("pre", "listing", "xmp", "plaintext", "img", "picture", "figcaption"))
_RELATIONS = ("=", "≈", "<", ">", "≤", "≥", r"\approx", r"\le", r"\ge", r"\equiv", "∝", r"\propto", "≡")


@dataclass(slots=True)
class BlockReader:
    """Listens to the walk and keeps what is open. One for each page."""

    limits: ReadingLimits
    with_dollars: bool
    left_out: LeftOut = field(default_factory=LeftOut)
    blocks: list[Block] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    _atoms: list[Atom] = field(default_factory=list)
    _pictures: list[Image] = field(default_factory=list)
    _open: list[Node] = field(default_factory=list)
    _open_boxes: list[tuple[Node, str, int]] = field(default_factory=list)
    _lists: list[OpenList] = field(default_factory=list)
    _items: list[OpenItem] = field(default_factory=list)
    _tables: dict[int, list[Block]] = field(default_factory=dict)
    _caption: tuple[Node | None, Content] = (None, ())
    _last_entry: Node | None = None
    _reference_level: int = 0
    _reference_depth: int = 0

    def read(self, body: Node) -> list[Block]:
        """All blocks inside an element."""
        self._open.append(body)
        for event in walk(body, is_whole=self._is_whole, left_out=self.left_out):
            if isinstance(event, Opened):
                self._begin(event.node)
            elif isinstance(event, Closed):
                self._end(event.node)
            elif isinstance(event, Whole):
                self._read_whole(event.node)
            else:
                self._hear(event)
        self._flush()
        return self.blocks

    def _is_whole(self, node: Node) -> bool:
        if node.name in _WHOLE:
            return True
        if node.name == "table":
            return self._read_table(node)
        return node.name == "figure" and is_figure_of_pictures(node)

    def _hear(self, atom: Atom) -> None:
        if isinstance(atom, Break) and self._atoms and isinstance(self._last_said(), Break):
            # Two breaks are how old pages begin a paragraph.
            self._flush()
            return
        self._atoms.append(atom)

    def _last_said(self) -> Atom | None:
        for atom in reversed(self._atoms):
            if not isinstance(atom, StyledText) or atom.text.strip():
                return atom
        return None

    def _begin(self, node: Node) -> None:
        self._flush()
        self._open.append(node)
        if node.name in _BOXES and (kind := _kind_of_box(node)):
            self._open_boxes.append((node, kind, len(self.blocks)))
        if node.name in _LISTS:
            self._start_item_for_inner_list()
            self._lists.append(open_list(node, is_of_references=self._in_references or is_reference_list(node)))
        elif node.name == "li":
            opened = self._lists[-1] if self._lists else open_list(node)
            self._items.append(OpenItem(node, max(1, len(self._lists)), marker_of(opened, node)))
        elif node.name == "dt" and self._lists:
            if len(self._lists[-1].term) > _LONGEST_TERM:
                self._finish_term()
                self._lists[-1].term = ()
            if self._lists[-1].has_definition:
                self._lists[-1].term = ()
            self._lists[-1].has_definition = False
        elif node.name == "dd":
            term = self._lists[-1].term if self._lists else ()
            self._items.append(OpenItem(node, max(1, len(self._lists)), term=term))
        if node.name not in _LISTS and is_reference_list(node):
            self._reference_depth += 1

    def _start_item_for_inner_list(self) -> None:
        """A term whose definition is nothing but another list comes before that list."""
        item = self._items[-1] if self._items else None
        if item is not None and item.term and not item.is_started:
            item.is_started = True
            self._add(ListItem(item.node.place, plain_text(item.term), (), item.depth, term=item.term))

    def _end(self, node: Node) -> None:
        self._flush()
        self._open.pop()
        if self._open_boxes and self._open_boxes[-1][0] is node:
            _, kind, first = self._open_boxes.pop()
            if len(self.blocks) > first:
                self.boxes.append(Box(kind, first, len(self.blocks) - 1))
        if node.name in _LISTS:
            self._finish_term()
            self._lists.pop()
        elif node.name in ("li", "dd"):
            item = self._items.pop()
            if node.name == "dd" and self._lists:
                self._lists[-1].has_definition = True
                if item.term and not item.is_started:
                    self._add(ListItem(node.place, plain_text(item.term), (), item.depth, term=item.term))
        elif node.name == "dt":
            pass
        if node.name not in _LISTS and is_reference_list(node):
            self._reference_depth -= 1

    def _finish_term(self) -> None:
        """A term that nobody defines is still an item."""
        opened = self._lists[-1]
        if opened.node.name == "dl" and opened.term and not opened.has_definition:
            self._add(
                ListItem(opened.node.place, plain_text(opened.term), (), max(1, len(self._lists)), term=opened.term)
            )

    @property
    def _in_references(self) -> bool:
        return self._reference_level > 0 or self._reference_depth > 0

    def _add(self, block: Block) -> None:
        self.blocks.append(block)
        if len(self.blocks) > self.limits.blocks:
            raise DocumentError("too_large", f"the page has more than {self.limits.blocks:,} blocks; split it")

    def _flush(self) -> None:
        """What was heard since the last block becomes one."""
        atoms, self._atoms = self._atoms, []
        pictures, self._pictures = self._pictures, []
        if any(
            not isinstance(atom, Break) and not (isinstance(atom, StyledText) and not atom.text.strip())
            for atom in atoms
        ):
            owner = self._open[-1]
            is_heading = self._heading_level(owner) > 0
            content = finish(atoms, with_dollars=self.with_dollars, node=owner, words_may_be_formulas=not is_heading)
            if content:
                self._place(owner, with_line_breaks_as_text(content))
        for picture in pictures:
            self._add(picture)

    def _heading_level(self, node: Node) -> int:
        if node.name in HEADINGS:
            return HEADINGS[node.name]
        if node.attributes.get("role") == "heading":
            level = node.attribute("aria-level")
            return min(max(int(level), 1), 6) if level.isdigit() and len(level) == 1 else 2
        return 1 if node.has_class("MsoTitle") else 0

    def _place(self, owner: Node, content: Content) -> None:
        quote = plain_text(content)
        heading = next((node for node in reversed(self._open[-4:]) if self._heading_level(node)), None)
        if heading is not None:
            self._add_heading(heading, content, quote)
        elif owner.name == "dt" and self._lists:
            opened = self._lists[-1]
            opened.term = (*opened.term, *content) if not opened.term else (*opened.term, Break(), *content)
        elif self._is_reference(owner, content):
            self._add_reference(owner, quote)
        elif self._items and not self._items[-1].is_started:
            self._add_item(owner, content, quote)
        else:
            self._add_text(owner, content, quote)

    def _add_heading(self, node: Node, content: Content, quote: str) -> None:
        level = self._heading_level(node)
        if is_reference_heading(quote):
            self._reference_level = level
        elif level <= self._reference_level or not self._reference_level:
            self._reference_level = 0
        self._add(Heading(node.place, quote, level, content))

    def _is_reference(self, owner: Node, content: Content) -> bool:
        if any(isinstance(piece, Math) and piece.notation != "text" for piece in content):
            return False
        if self._entry is not None:
            return True
        if not self._in_references:
            return bool(self._lists) and bool(self._items) and self._lists[-1].is_of_references
        return bool(self._items) or is_reference_list(owner)

    @property
    def _entry(self) -> Node | None:
        """The entry of a bibliography that is open, if one is."""
        return next((node for node in reversed(self._open[-6:]) if is_reference_entry(node)), None)

    def _add_reference(self, owner: Node, quote: str) -> None:
        item = self._items[-1] if self._items else None
        node = self._entry or (item.node if item is not None else owner)
        last = self.blocks[-1] if self.blocks else None
        goes_on = node is self._last_entry and isinstance(last, Reference) and len(last.quote) < _LONGEST_REFERENCE
        if goes_on and isinstance(last, Reference):
            quote = f"{last.quote} {quote}"
        key, text = key_and_text(node, quote, item.marker if item is not None else "")
        if item is not None:
            item.is_started = True
        if goes_on:
            self.blocks.pop()
        self._last_entry = node
        self._add(Reference(node.place, quote, text, key))

    def _add_item(self, owner: Node, content: Content, quote: str) -> None:
        item = self._items[-1]
        item.is_started = True
        if item.node.name == "dd" and not item.term:
            # A definition without a term is how wikis indent.
            self._add_text(owner, content, quote)
            return
        if item.term:
            quote = f"{plain_text(item.term)}: {quote}"
        self._add(ListItem(item.node.place, quote, content, item.depth, item.marker, item.term))

    def _add_text(self, owner: Node, content: Content, quote: str) -> None:
        math = as_display(content)
        is_statement = math is not None and (
            any(isinstance(piece, Math) and piece.is_display for piece in content)
            or any(sign in math.quote for sign in _RELATIONS)
        )
        if math is not None and is_statement:
            self._add(Display(owner.place, quote, math))
        else:
            self._add(Paragraph(owner.place, quote, content))

    def _read_whole(self, node: Node) -> None:
        if node.name in ("img", "picture"):
            if not is_decoration(node):
                self._pictures.append(picture_of(node, ()))
            return
        ready = self._tables.pop(id(node), None)
        self._flush()
        if ready is not None:
            for block in ready:
                self._add(block)
        elif node.name == "figure":
            caption_node = node.find("figcaption")
            caption = with_line_breaks_as_text(self._cell(caption_node)) if caption_node is not None else ()
            for picture in pictures_in(node):
                self._add(picture_of(picture, caption))
        elif node.name == "figcaption":
            self._read_caption(node)
        elif node.text().strip():
            self._add_code(code_of(node))

    def _add_code(self, code: Code) -> None:
        """A listing; where all its lines are formulas and it names no language, the formulas."""
        lines = (
            formulas_of_lines(code.text.split("\n")) if not code.language and len(code.text) < _LONGEST_PLAIN else None
        )
        if lines is None:
            self._add(code)
            return
        first = code.place.line or 1
        for number, (found, text) in enumerate(zip(lines, code.text.split("\n"), strict=True)):
            place = replace(code.place, line=first + number)
            for each in found:
                quote = text[each.start : each.end]
                self._add(Display(place, quote, Math(each.source, each.notation, place, quote, is_display=True)))

    def _read_table(self, table: Node) -> bool:
        """Read a table and keep its blocks; False for one that only arranges the page, which is then walked through."""
        rows = rows_of(table)
        kind = kind_of(table, rows)
        may_be_equations = holds_nothing_but_text(rows)
        if kind == "layout" and not may_be_equations:
            return False
        before, self._pictures = self._pictures, []
        cells: dict[int, Content] = {}

        def read(node: Node) -> Content:
            if id(node) not in cells:
                cells[id(node)] = self._cell(node)
            return cells[id(node)]

        blocks: list[Block] = [*(equations_of(table, rows, read) or ())] if may_be_equations else []
        if not blocks and kind == "data":
            caption = self._caption_of(table)
            blocks = [read_table(table, rows, read=read, caption=with_line_breaks_as_text(caption))]
        pictures, self._pictures = self._pictures, before
        if blocks:
            self._tables[id(table)] = [*blocks, *pictures]
        return bool(blocks)

    def _caption_of(self, table: Node) -> Content:
        parts = [self._cell(node) for node in captions_of(table)]
        joined = [piece for part in parts for piece in (Break(), *part)]
        return tuple(joined[1:]) or self._take_caption(table)

    def _take_caption(self, table: Node) -> Content:
        """A caption that stood above the table in the same figure."""
        figure, caption = self._caption
        if figure is None or not table.path.startswith(f"{figure.path}/"):
            return ()
        self._caption = (None, ())
        if self.blocks and isinstance(self.blocks[-1], Paragraph) and self.blocks[-1].content == caption:
            self.blocks.pop()
        return caption

    def _read_caption(self, node: Node) -> None:
        """The caption of a figure that holds something else than pictures: a table, before or after it."""
        caption = with_line_breaks_as_text(self._cell(node))
        figure = node.parent
        last = self.blocks[-1] if self.blocks else None
        if figure is None or not caption:
            return
        if isinstance(last, Table) and not last.caption and last.place.path.startswith(f"{figure.path}/"):
            quote = f"{plain_text(caption)}\n{last.quote}"
            self.blocks[-1] = replace(last, caption=caption, quote=quote)
            return
        self._caption = (figure, caption)
        self._add(Paragraph(node.place, plain_text(caption), caption))

    def _cell(self, node: Node) -> Content:
        """The content of a cell or a caption: blocks inside it are lines."""
        atoms: list[Atom] = []
        for event in walk(node, is_whole=lambda inner: inner.name in ("img", "picture"), left_out=self.left_out):
            if isinstance(event, Opened | Closed):
                is_cell = event.node.name in ("td", "th")
                atoms.append(StyledText(" ", PLAIN, event.node) if is_cell else Break())
            elif isinstance(event, Whole):
                if not is_decoration(event.node):
                    self._pictures.append(picture_of(event.node, ()))
            else:
                atoms.append(event)
        return finish(atoms, with_dollars=self.with_dollars, node=node)


def _kind_of_box(node: Node) -> str:
    """`example`, `exercise`, ... where the class or the data type of an element says so; else empty."""
    if "class" not in node.attributes and "data-type" not in node.attributes:
        return ""
    return box_kind(f"{node.attributes.get('class', '')} {node.attributes.get('data-type', '')}")
