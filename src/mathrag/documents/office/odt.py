"""OpenDocument texts: formulas are MathML parts of their own, put back where they stand; pandoc does the rest."""

from __future__ import annotations

import posixpath

from mathrag.documents.html.tree import Node
from mathrag.documents.office.archive import (
    Archive,
    Element,
    attribute,
    local_name,
    open_archive,
    parse_part,
    serialised,
)
from mathrag.documents.office.document_parts import Parts, document_through_pandoc, stated_properties
from mathrag.documents.office.mathml_latex import latex_or_mathml
from mathrag.documents.office.pandoc import CELL_MARK, FormulaMarks
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.types.document import Document

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
_KEPT = ("styles.xml", "meta.xml", "META-INF/manifest.xml")
_DROPPED = frozenset(("tracked-changes", "annotation", "annotation-end", "scripts", "forms"))
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
        _mark_cells(root, parts)
        parts.properties = stated_properties(archive, "meta.xml", limits)
        parts.members["mimetype"] = MEDIA_TYPE.encode("ascii")
        parts.members["content.xml"] = serialised(_completed(root))
        for name in _KEPT:
            if name in archive:
                part = parse_part(archive.read(name), name=name, limits=limits)
                parts.members[name] = serialised(_completed(part) if name == "styles.xml" else part)
        parts.members.setdefault("styles.xml", _NO_STYLES)
        parts.members.update({name: b"" for name in archive.members if name.startswith("Pictures/")})
    return document_through_pandoc(source, parts, form="odt", media_type=MEDIA_TYPE)


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
    """Deleted passages, comments and forms are no part of the text."""
    for element in [each for each in root.iter() if local_name(each) in _DROPPED]:
        parent = element.getparent()
        if parent is not None:
            _replace(element, "")


def _replace(element: Element, text: str) -> None:
    """Puts text in the place of an element."""
    parent, before = element.getparent(), element.getprevious()
    words = text + (element.tail or "")
    if before is not None:
        before.tail = (before.tail or "") + words
    else:
        parent.text = (parent.text or "") + words
    parent.remove(element)


def _mark_formulas(root: Element, archive: Archive, limits: ReadingLimits, parts: Parts) -> None:
    unread = 0
    for holder in [each for each in root.iter() if local_name(each) == "object"][:_MOST_FORMULAS]:
        frame = holder.getparent()
        formula = _formula_of(holder, archive, limits)
        if formula is None:
            unread += 1
            continue
        if local_name(frame) != "frame" or frame.getparent() is None:
            continue
        _replace(frame, parts.marks.add(formula))
    if unread:
        parts.note("embedded_object", f"{unread:,} embedded objects (charts, sheets) hold no formula and were left out")


def _mark_cells(root: Element, parts: Parts) -> None:
    """Pandoc forgets headers and spans of OpenDocument's tables and fills rows up; marks in the cells tell."""
    for cell in [each for each in root.iter() if local_name(each) in ("table-cell", "covered-table-cell")]:
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
        table = head.getparent()
        for row in list(head):
            table.insert(table.index(head), row)
        table.remove(head)


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
