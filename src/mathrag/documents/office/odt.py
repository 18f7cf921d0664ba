"""OpenDocument texts: formulas are MathML parts of their own, put back where they stand; pandoc does the rest."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any

from mathrag.documents.html.tree import Node
from mathrag.documents.office.archive import (
    Archive,
    Element,
    attribute,
    drop,
    local_name,
    open_archive,
    parse_part,
    serialised,
)
from mathrag.documents.office.document_parts import Parts, columns_read, document_of_tree, packed, stated_properties
from mathrag.documents.office.mathml_latex import latex_or_mathml
from mathrag.documents.office.odt_pieces import Styles, cut_text, join_trees, with_styles
from mathrag.documents.office.pandoc import CELL_MARK, FormulaMarks, read_with_pandoc
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.types.document import Document

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
_STYLES = "styles.xml"
_KEPT = ("META-INF/manifest.xml",)
_DROPPED = frozenset(
    "tracked-changes annotation annotation-end scripts forms bookmark bookmark-start bookmark-end reference-mark "
    "reference-mark-start reference-mark-end".split()
)
_CELLS = frozenset(("table-cell", "covered-table-cell"))
_ROW_GROUPS = frozenset(("table-header-rows", "table-rows", "table-row-group"))
# Word processors offer ten levels of lists.
_DEEPEST = 8
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
_SECTIONS = ("master-styles", "automatic-styles", "styles", "font-face-decls")
_NO_STYLES = (
    f'<office:document-styles xmlns:office="{_OFFICE}"><office:font-face-decls/><office:styles/>'
    "<office:automatic-styles/><office:master-styles/></office:document-styles>"
).encode("ascii")
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
# More than any document has; each is a part of the archive that is opened.
_MOST_FORMULAS = 100_000


def read_odt(source: Source) -> Document:
    """Read an OpenDocument text. Raises `DocumentError` for what is broken, protected, hostile, or lacks pandoc."""
    parts = Parts(FormulaMarks(source.hash))
    limits = source.limits
    with open_archive(source, what="OpenDocument text") as archive:
        _refuse_encryption(archive)
        if "content.xml" not in archive:
            raise DocumentError("broken", "this OpenDocument text has no content.xml; save it again")
        root = parse_part(archive.read("content.xml"), name="content.xml", limits=limits)
        _drop(root)
        _mark_formulas(root, archive, limits, parts)
        _flatten(root)
        _cut_columns(root, parts)
        _mark_cells(root, parts)
        parts.properties = stated_properties(archive, "meta.xml", limits)
        styles = archive.read(_STYLES) if _STYLES in archive else _NO_STYLES
        sheet = _completed(parse_part(styles, name=_STYLES, limits=limits))
        for name in _KEPT:
            if name in archive:
                parts.members[name] = serialised(parse_part(archive.read(name), name=name, limits=limits))
        pictures = frozenset(name for name in archive.members if name.startswith("Pictures/"))
    tree = _read_pieces(_completed(root), sheet, pictures, parts=parts, limits=limits)
    return document_of_tree(source, parts, tree, media_type=MEDIA_TYPE)


def _read_pieces(
    root: Element, sheet: Element, pictures: frozenset[str], *, parts: Parts, limits: ReadingLimits
) -> dict[str, Any]:
    """Pandoc's tree of the whole text, read piece by piece."""
    styles = Styles([root, sheet])
    text = next(
        (each for body in root if local_name(body) == "body" for each in body if local_name(each) == "text"), None
    )
    if text is None:
        raise DocumentError("broken", "this OpenDocument text has no text in its content.xml; save it again")
    whole: dict[str, Any] = {}
    for piece in cut_text(text, parts.marks):
        used = styles.used_by(piece.body)
        content = with_styles(root, used)
        content.append(content.makeelement(f"{{{_OFFICE}}}body"))
        named = {attribute(each, "href") for each in piece.body.iter() if local_name(each) == "image"}
        content[-1].append(piece.body)
        members = {
            "mimetype": MEDIA_TYPE.encode("ascii"),
            "content.xml": serialised(content),
            _STYLES: serialised(with_styles(sheet, used)),
            **parts.members,
            **dict.fromkeys(named & pictures, b""),
        }
        tree = read_with_pandoc(packed(members), form="odt", limits=limits)
        if whole:
            join_trees(whole["blocks"], tree["blocks"], piece.shared)
        else:
            whole = tree
    return whole


def _completed(root: Element) -> Element:
    """With the sections that pandoc insists on and some programs leave out where they would be empty."""
    present = {local_name(child) for child in root}
    for name in _SECTIONS:
        if name not in present:
            root.insert(0, root.makeelement(f"{{{_OFFICE}}}{name}"))
    return root


def _refuse_encryption(archive: Archive) -> None:
    manifest = "META-INF/manifest.xml"
    if manifest in archive and b"encryption-data" in archive.read(manifest):
        raise DocumentError(
            "encrypted", "this OpenDocument text is protected by a password; save a copy without it and give that"
        )


def _drop(root: Element) -> None:
    """Deleted passages, comments, forms and bookmarks are no part of the text; spaces are counted within reason."""
    _replace({each: "" for each in root.iter() if local_name(each) in _DROPPED})
    for element in root.iter():
        if local_name(element) == "s":
            for key in [key for key, value in element.attrib.items() if len(str(value)) > 2]:
                element.set(key, "99")
        elif local_name(element) == "bookmark-ref":
            # What it shows stands in it; pandoc would look for its target among all bookmarks.
            element.tag = f"{{{_TEXT}}}span"


def _replace(texts: dict[Element, str]) -> None:
    """Puts texts in the place of elements, all those in one parent at once."""
    for parent in {element.getparent(): None for element in texts}:
        if parent is None:
            continue
        before: Element | None = None
        words = [parent.text or ""]
        for child in list(parent):
            if child in texts:
                words += [texts[child], child.tail or ""]
                drop(child)
                continue
            _put_words(parent, before, "".join(words))
            before, words = child, [child.tail or ""]
        _put_words(parent, before, "".join(words))


def _put_words(parent: Element, before: Element | None, words: str) -> None:
    if before is None:
        parent.text = words
    else:
        before.tail = words


def _mark_formulas(root: Element, archive: Archive, limits: ReadingLimits, parts: Parts) -> None:
    unread = 0
    marks: dict[Element, str] = {}
    named: set[str] = set()
    for holder in [each for each in root.iter() if local_name(each) == "object"][:_MOST_FORMULAS]:
        frame, target = holder.getparent(), attribute(holder, "href")
        # A part is read where it is named first: a long one that is named often would never end.
        formula = _formula_of(holder, archive, limits) if target not in named else None
        named |= {target} - {""}
        if formula is None:
            unread += 1
            continue
        if local_name(frame) == "frame" and frame.getparent() is not None:
            marks[frame] = parts.marks.add(formula)
    _replace(marks)
    if unread:
        parts.note("embedded_object", f"{unread:,} embedded objects (charts, sheets) hold no formula and were left out")


def _flatten(root: Element) -> None:
    """Lists in lists only so deep as people write them: pandoc's time doubles with each level."""
    depths: dict[Element, int] = {}
    for element in [each for each in root.iter() if local_name(each) == "list"]:
        outer = next((each for each in element.iterancestors() if each in depths), None)
        depths[element] = 1 + (depths[outer] if outer is not None else 0)
    for element in [each for each, depth in depths.items() if depth > _DEEPEST]:
        for paragraph in [each for each in element.iter() if local_name(each) in ("p", "h")]:
            element.addprevious(paragraph)
        drop(element)


def _mark_cells(root: Element, parts: Parts) -> None:
    """Pandoc forgets headers and spans of OpenDocument's tables and fills rows up; marks in the cells tell."""
    for cell in [each for each in root.iter() if local_name(each) in _CELLS]:
        said = {"real": ""}
        if local_name(cell) == "covered-table-cell":
            said["covered"] = ""
        elif any(local_name(outer) == "table-header-rows" for outer in cell.iterancestors()):
            said["header"] = ""
        for name, span in (("colspan", "number-columns-spanned"), ("rowspan", "number-rows-spanned")):
            value = attribute(cell, span)
            if value.isascii() and value.isdigit() and len(value) <= 4 and int(value) > 1:
                said[name] = value
        _put_mark(cell, parts.marks.add(Node(CELL_MARK, attributes=said)))
    for head in [each for each in root.iter() if local_name(each) == "table-header-rows"]:
        for row in list(head):
            head.addprevious(row)
        drop(head)


def _cut_columns(root: Element, parts: Parts) -> None:
    """Tables no wider than is read."""
    lost = 0
    for table in [each for each in root.iter() if local_name(each) == "table"]:
        lines = [[cell for cell in row if local_name(cell) in _CELLS] for row in _rows(table)]
        width = max((len(cells) for cells in lines), default=0)
        widest = columns_read(width, rows=len(lines), cells=sum(len(cells) for cells in lines))
        lost += widest < width
        for cell in [cell for cells in lines for cell in cells[widest:]]:
            drop(cell)
    if lost:
        parts.note("wide_table", f"{lost:,} tables are wider than is read; the last columns were left out")


def _rows(table: Element) -> Iterator[Element]:
    """The rows of a table, also those in groups, but not those of tables inside it."""
    for child in table:
        name = local_name(child)
        if name == "table-row":
            yield child
        elif name in _ROW_GROUPS:
            yield from _rows(child)


def _put_mark(cell: Element, mark: str) -> None:
    paragraph = next((child for child in cell if local_name(child) in ("p", "h")), None)
    if paragraph is None:
        paragraph = cell.makeelement(f"{{{_TEXT}}}p")
        cell.insert(0, paragraph)
    paragraph.text = mark + (paragraph.text or "")


def _formula_of(holder: Element, archive: Archive, limits: ReadingLimits) -> Node | None:
    """The MathML of an embedded object: inside it, or in the part it names; None for objects of other kinds."""
    inside = next((child for child in holder if local_name(child) == "math"), None)
    if inside is None:
        target = attribute(holder, "href").removeprefix("./").strip("/")
        name = posixpath.join(target, "content.xml")
        if not target or name not in archive:
            return None
        try:
            inside = parse_part(archive.read(name), name=name, limits=limits)
        except DocumentError as error:
            if error.code == "syntax":
                return None
            raise
        if local_name(inside) != "math":
            return None
    return latex_or_mathml(_as_node(inside))


def _as_node(element: Element) -> Node:
    """An XML element as a node, without namespaces."""
    root = Node(local_name(element), attributes=_attributes(element))
    pending = [(element, root)]
    while pending:
        here, node = pending.pop()
        if here.text:
            node.children.append(here.text)
        for child in here:
            name = local_name(child)
            if name:
                inner = Node(name, node, 1, 1, len(node.children), _attributes(child))
                node.children.append(inner)
                pending.append((child, inner))
            if child.tail:
                node.children.append(child.tail)
    return root


def _attributes(element: Element) -> dict[str, str]:
    return {str(key).rpartition("}")[2]: str(value) for key, value in element.attrib.items()}
