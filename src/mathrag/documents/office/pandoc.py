"""Pandoc for office files: run on bytes without file or network access, and its tree made into elements of a page.

Pandoc sees only archives that were taken apart and put together again here, never the file as it came. Knows none of
the formats; formulas travel past pandoc as marks.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from mathrag.documents.html.tree import Node
from mathrag.documents.seams import ReadingLimits
from mathrag.errors import DocumentError
from mathrag.isolation.launcher import ProgramLateError, run_program

INSTALL = "install it with `pip install 'mathrag[office]'`, or with the system's packages (`apt install pandoc`)"
# Pandoc's tree of a long book takes some hundred megabytes, and its reading seconds. It never gets more than half of
# what the whole document may use: our own reading comes after it.
_MEGABYTES = 768
_SECONDS = 120.0
# Pandoc's runtime does not start with less.
_FEWEST_MEGABYTES = 128
_LARGEST_ANSWER = 256 * 1024 * 1024
_LARGEST_COMPLAINT = 2_000


@cache
def pandoc_path() -> str:
    """Where pandoc is: the one inside the package pypandoc first, then the system's; empty where there is none."""
    # Looked up without importing: the package is of use only for the program inside it.
    package = importlib.util.find_spec("pypandoc")
    for folder in (package.submodule_search_locations or ()) if package is not None else ():
        for name in ("pandoc", "pandoc.exe"):
            bundled = Path(folder) / "files" / name
            if bundled.is_file():
                return str(bundled)
    return shutil.which("pandoc") or ""


def read_with_pandoc(data: bytes, *, form: str, limits: ReadingLimits) -> dict[str, Any]:
    """Pandoc's tree of a document. Raises `DocumentError` where it is missing, fails, or takes too long."""
    path = pandoc_path()
    if not path:
        raise DocumentError("no_pandoc", f"reading {form} files needs the program pandoc, which is not here; {INSTALL}")
    answer = _run(path, data, form=form, limits=limits)
    try:
        tree = json.loads(answer)
    except RecursionError as error:
        raise DocumentError("too_large", "the document is nested too deeply; simplify its structure") from error
    except ValueError as error:
        raise DocumentError("broken", "pandoc gave an answer that cannot be read; update pandoc") from error
    if not isinstance(tree, dict) or not isinstance(tree.get("blocks"), list):
        raise DocumentError("broken", "pandoc gave an answer of an unknown shape; update pandoc")
    return tree


def _run(path: str, data: bytes, *, form: str, limits: ReadingLimits) -> bytes:
    megabytes = max(_FEWEST_MEGABYTES, min(_MEGABYTES, limits.megabytes // 2))
    seconds = max(1.0, min(_SECONDS, limits.seconds / 2))
    command = [path, "--from", form, "--to", "json", "--sandbox", "+RTS", f"-M{megabytes}m", "-RTS"]
    with tempfile.TemporaryDirectory() as folder:
        try:
            end = run_program(
                command,
                folder=Path(folder),
                seconds=seconds,
                data=data,
                # Nothing of the user's own: neither filters and templates nor the words of another language.
                environment={"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "HOME": folder, "TMPDIR": folder},
                largest_output=_LARGEST_ANSWER,
            )
        except OSError as error:
            raise DocumentError("no_pandoc", f"pandoc at {path} cannot be started ({error}); {INSTALL}") from error
        except ProgramLateError as error:
            raise DocumentError("timeout", f"pandoc did not finish within {seconds:g} s; split the document") from error
    if end.status:
        raise _failure(end.status, end.complaint[:_LARGEST_COMPLAINT], megabytes)
    if end.output is None:
        raise DocumentError("too_large", "the document is too large once it is read; split it")
    return end.output


def _failure(status: int, words: str, megabytes: int) -> DocumentError:
    first = " ".join(words.split())[:200]
    if "heap" in words.lower() or status == 251:
        return DocumentError("too_large", f"pandoc needs more than {megabytes} MB for this document; split it")
    if "--sandbox" in words:
        return DocumentError("no_pandoc", f"this pandoc is older than 2.15; {INSTALL}")
    return DocumentError("broken", f"pandoc cannot read this document: {first or f'status {status}'}; save it again")


# Marks that stand for formulas while pandoc reads the words around them, and their way back into the tree.
#
# A mark is made of the document's own hash, so that no text of the document can be one.

# An element that says something about the cell in which it stands: how far it spans, whether it is a header.
CELL_MARK = "cell-mark"
# An element that says nothing: it makes words differ that are the same.
NAME_MARK = "name-mark"


@dataclass(slots=True)
class FormulaMarks:
    """The formulas of one document as elements, in the order in which they were marked."""

    hash: str
    formulas: list[Node] = field(default_factory=list)

    def add(self, formula: Node) -> str:
        """The mark that stands for a formula from now on."""
        self.formulas.append(formula)
        return f"x{self.hash[:20]}n{len(self.formulas) - 1}x"

    def split(self, text: str) -> Iterator[str | Node]:
        """A text with its marks replaced by their formulas."""
        place = 0
        for found in re.finditer(rf"x{self.hash[:20]}n(\d{{1,7}})x", text):
            number = int(found.group(1))
            if number >= len(self.formulas):
                continue
            if found.start() > place:
                yield text[place : found.start()]
            yield self.formulas[number]
            place = found.end()
        if place < len(text):
            yield text[place:]


def latex_node(source: str, *, is_display: bool, number: str = "") -> Node:
    """LaTeX as the element in which pages keep it, so that one reader reads both."""
    text = rf"{source} \tag{{{number}}}" if number else source
    return Node("tex-math", attributes={"block": ""} if is_display else {}, children=[text])


# Pandoc's tree of a document as the elements of a page, so that the reader of pages makes the blocks.

# Levels of pandoc's tree: lists in tables in lists have twenty.
_DEEPEST = 150
_STYLED = {
    "Emph": "em", "Underline": "u", "Strong": "strong", "Strikeout": "s", "Superscript": "sup", "Subscript": "sub",
    "SmallCaps": "span",
}  # fmt: skip
_NUMBERINGS = {
    "LowerAlpha": "a", "UpperAlpha": "A", "LowerRoman": "i", "UpperRoman": "I", "Decimal": "1", "Example": "1",
}  # fmt: skip
# Columns or rows that a cell may span.
_WIDEST = 1_000


@dataclass(slots=True)
class TreeBuilder:
    """Builds the elements below a body. One for each document."""

    marks: FormulaMarks
    body: Node = field(default_factory=lambda: Node("body"))
    _counts: dict[int, dict[str, int]] = field(default_factory=dict)
    _notes: deque[list[Any]] = field(default_factory=deque)
    _cell: Node | None = None
    _depth: int = 0

    def build(self, blocks: list[Any]) -> Node:
        """The body with everything in it. Footnotes follow the block they belong to: what they say belongs there."""
        for block in blocks:
            self._block(self.body, block)
            while self._notes:
                aside = self._add(self.body, "div")
                self._blocks(aside, self._notes.popleft())
        return self.body

    def _add(self, parent: Node, name: str, **attributes: str) -> Node:
        node = Node(name, attributes=attributes) if attributes else Node(name)
        return self._attach(parent, node)

    def _attach(self, parent: Node, node: Node) -> Node:
        counts = self._counts.setdefault(id(parent), {})
        counts[node.name] = counts.get(node.name, 0) + 1
        node.parent, node.index, node.position = parent, counts[node.name], len(parent.children)
        parent.children.append(node)
        return node

    def _blocks(self, parent: Node, blocks: Iterable[Any]) -> None:
        for block in blocks:
            self._block(parent, block)

    def _block(self, parent: Node, block: Any) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise DocumentError("too_large", f"the document is nested more than {_DEEPEST} deep; simplify it")
        kind, content = block["t"], block.get("c")
        match kind:
            case "Para" | "Plain":
                self._inlines(self._add(parent, "p"), content)
            case "LineBlock":
                paragraph = self._add(parent, "p")
                for line in content:
                    self._inlines(paragraph, line)
                    self._add(paragraph, "br")
            case "CodeBlock":
                classes = " ".join(f"language-{name}" for name in content[0][1][:1])
                self._add(self._add(parent, "pre"), "code", **{"class": classes}).children.append(content[1])
            case "Header":
                level = max(1, min(int(content[0]), 6))
                self._inlines(self._add(parent, f"h{level}"), content[2])
            case "Div":
                self._blocks(self._add(parent, "div", **_kept_classes(content[0])), content[1])
            case "BlockQuote":
                self._blocks(self._add(parent, "blockquote"), content)
            case "Table":
                self._table(self._add(parent, "table"), content)
            case "Figure":
                self._figure(parent, content)
            case _:
                self._list(parent, kind, content)
        self._depth -= 1

    def _list(self, parent: Node, kind: str, content: Any) -> None:
        match kind:
            case "BulletList":
                self._items(self._add(parent, "ul"), content)
            case "OrderedList":
                start, style, _ = content[0]
                numbering = _NUMBERINGS.get(style.get("t", ""), "1")
                self._items(self._add(parent, "ol", start=str(start), type=numbering), content[1])
            case "DefinitionList":
                listing = self._add(parent, "dl")
                for term, definitions in content:
                    self._inlines(self._add(listing, "dt"), term)
                    for definition in definitions:
                        self._blocks(self._add(listing, "dd"), definition)
            case _:
                # Rules and raw code of other formats say nothing.
                return

    def _items(self, listing: Node, items: Any) -> None:
        for item in items:
            self._blocks(self._add(listing, "li"), item)

    def _figure(self, parent: Node, content: Any) -> None:
        figure = self._add(parent, "figure")
        self._blocks(figure, content[2])
        self._caption(figure, "figcaption", content[1])

    def _caption(self, parent: Node, name: str, caption: Any) -> None:
        blocks = caption[1]
        if blocks:
            self._blocks(self._add(parent, name), blocks)

    def _table(self, table: Node, content: Any) -> None:
        self._caption(table, "caption", content[1])
        head, bodies, foot = content[3], content[4], content[5]
        self._rows(self._add(table, "thead"), head[1], lambda _: True)
        for body in bodies:
            section = self._add(table, "tbody")
            header_columns = int(body[1])
            self._rows(section, body[2], lambda _: True)
            self._rows(section, body[3], lambda column, width=header_columns: column < width)  # type: ignore[misc]
        self._rows(self._add(table, "tfoot"), foot[1], lambda _: False)

    def _rows(self, section: Node, rows: Any, is_header: Callable[[int], bool]) -> None:
        for row in rows:
            line = Node("tr")
            for column, cell in enumerate(row[1]):
                _, _, tall, wide, blocks = cell
                spans: dict[str, str] = {}
                if int(wide) > 1:
                    spans["colspan"] = str(min(int(wide), _WIDEST))
                if int(tall) > 1:
                    spans["rowspan"] = str(min(int(tall), _WIDEST))
                outer, self._cell = self._cell, self._add(line, "th" if is_header(column) else "td", **spans)
                self._blocks(self._cell, blocks)
                self._cell = outer
            self._put_row(section, line)

    def _put_row(self, section: Node, line: Node) -> None:
        """A row where it belongs, after what the marks in its cells say: headers go to the head, covered cells away."""
        is_marked = any("real" in cell.attributes for cell in line.elements)
        line.children = [
            cell
            for cell in line.elements
            if "covered" not in cell.attributes and ("real" in cell.attributes or not is_marked)
        ]
        if line.elements and all("header" in cell.attributes for cell in line.elements) and section.parent is not None:
            head = section.parent.elements[0] if section.parent.elements[0].name == "thead" else section
            for cell in line.elements:
                cell.name = "th"
            self._attach(head if not section.elements else section, line)
        elif line.text().strip() or line.find("img", "tex-math", "math") is not None:
            self._attach(section, line)

    def _inlines(self, parent: Node, inlines: Iterable[Any]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise DocumentError("too_large", f"the document is nested more than {_DEEPEST} deep; simplify it")
        for inline in _with_words_joined(inlines):
            if isinstance(inline, str):
                self._text(parent, inline)
            else:
                self._inline(parent, inline)
        self._depth -= 1

    def _text(self, parent: Node, text: str) -> None:
        for piece in self.marks.split(text):
            if isinstance(piece, str):
                parent.children.append(piece)
            elif piece.name == CELL_MARK:
                if self._cell is not None:
                    self._cell.attributes = {**self._cell.attributes, **piece.attributes}
            elif piece.name != NAME_MARK:
                self._attach(parent, piece)

    def _inline(self, parent: Node, inline: Any) -> None:
        kind, content = inline["t"], inline.get("c")
        match kind:
            case "Quoted":
                opening, closing = ("“", "”") if content[0]["t"] == "DoubleQuote" else ("‘", "’")
                parent.children.append(opening)
                self._inlines(parent, content[1])
                parent.children.append(closing)
            case "Cite":
                self._inlines(parent, content[1])
            case "Code":
                self._add(parent, "code").children.append(content[1])
            case "LineBreak":
                self._add(parent, "br")
            case "Math":
                is_display = content[0]["t"] == "DisplayMath"
                self._attach(parent, latex_node(content[1], is_display=is_display))
            case "Link":
                self._inlines(self._add(parent, "a"), content[1])
            case "Span":
                self._inlines(self._add(parent, "span"), content[1])
            case "Image":
                words = _words_of(content[1])
                # An empty description would say that the picture is mere decoration.
                described = {"alt": words} if words.strip() else {}
                self._add(parent, "img", src=str(content[2][0]), **described)
            case "Note":
                self._notes.append(content)
            case _ if kind in _STYLED:
                self._inlines(self._add(parent, _STYLED[kind]), content)
            case _:
                return


def _kept_classes(attributes: Any) -> dict[str, str]:
    """Bibliographies are known by their classes; other classes are styles of the author."""
    identifier, classes, _ = attributes
    if identifier == "refs" or "references" in classes:
        return {"class": "references"}
    return {"class": "csl-entry"} if "csl-entry" in classes else {}


def _with_words_joined(inlines: Iterable[Any]) -> Iterable[Any]:
    """Words and spaces as one text: pandoc tells them apart, formulas stand across them."""
    words: list[str] = []
    for inline in inlines:
        match inline["t"]:
            case "Str":
                words.append(inline["c"])
            case "Space" | "SoftBreak":
                words.append(" ")
            case _:
                if words:
                    yield "".join(words)
                    words = []
                yield inline
    if words:
        yield "".join(words)


def _words_of(inlines: Iterable[Any]) -> str:
    """The words of a picture's description."""
    return "".join(
        inline["c"] if inline["t"] == "Str" else " " if inline["t"] in ("Space", "SoftBreak") else ""
        for inline in inlines
    )
