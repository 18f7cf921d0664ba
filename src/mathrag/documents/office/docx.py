"""Word documents: formulas are taken out and read here, text boxes are laid open, the rest is pandoc's work."""

from __future__ import annotations

import posixpath

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
from mathrag.documents.office.omml import omml_to_latex
from mathrag.documents.office.pandoc import FormulaMarks, latex_node
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.types.document import Document, Place

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_MAIN = "word/document.xml"
# What pandoc needs besides the text itself; macros, themes and embedded files never reach it.
_KEPT = ("[Content_Types].xml", "_rels/.rels", "docProps/core.xml")
_KEPT_BESIDE = ("styles.xml", "numbering.xml", "settings.xml", "footnotes.xml", "endnotes.xml")
_WITH_TEXT = frozenset(("footnotes.xml", "endnotes.xml"))
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".emf", ".wmf", ".svg", ".tif", ".tiff", ".bmp")
_WIDEST = 500
_LEGACY = ("equation", "mathtype")


def read_docx(source: Source) -> Document:
    """Read a Word document. Raises `DocumentError` for what is broken, protected, hostile, or lacks pandoc."""
    parts = Parts(FormulaMarks(source.hash))
    with open_archive(source, what="Word document") as archive:
        main = _main_part(archive, source.limits)
        parts.properties = stated_properties(archive, "docProps/core.xml", source.limits)
        parts.members[main] = _with_marks(archive.read(main), main, source.limits, parts)
        folder = posixpath.dirname(main)
        for name in _KEPT_BESIDE:
            _take(archive, posixpath.join(folder, name), source.limits, parts)
        for name in (*_KEPT, *(name for name in archive.members if name.endswith(".rels"))):
            _take(archive, name, source.limits, parts)
        pictures = [name for name in archive.members if name.lower().endswith(_PICTURES)]
        # Pictures are known by their names only; what is in them is nobody's business here.
        parts.members.update(dict.fromkeys(pictures, b""))
    return document_through_pandoc(source, parts, form="docx", media_type=MEDIA_TYPE)


def _main_part(archive: Archive, limits: ReadingLimits) -> str:
    """The part that holds the text, as the archive's own relations say."""
    if "_rels/.rels" in archive:
        relations = parse_part(archive.read("_rels/.rels"), name="_rels/.rels", limits=limits)
        for relation in relations:
            target = attribute(relation, "Target").lstrip("/")
            if attribute(relation, "Type").endswith("/officeDocument") and target in archive:
                return target
    if _MAIN not in archive:
        raise DocumentError("broken", "this Word document has no text part (word/document.xml); save it again")
    return _MAIN


def _take(archive: Archive, name: str, limits: ReadingLimits, parts: Parts) -> None:
    if name in parts.members or name not in archive:
        return
    data = archive.read(name)
    if posixpath.basename(name) in _WITH_TEXT:
        parts.members[name] = _with_marks(data, name, limits, parts)
    else:
        parts.members[name] = serialised(parse_part(data, name=name, limits=limits))


def _with_marks(data: bytes, name: str, limits: ReadingLimits, parts: Parts) -> bytes:
    """A part with text: formulas behind marks, text boxes behind their paragraphs, old formulas counted."""
    root = parse_part(data, name=name, limits=limits)
    _note_old_formulas(root, parts)
    _mark_formulas(root, parts)
    _open_text_boxes(root, parts)
    _complete_grids(root)
    return serialised(root)


def _mark_formulas(root: Element, parts: Parts) -> None:
    formulas = [each for each in root.iter() if local_name(each) == "oMath" and not _is_inside_formula(each)]
    for formula in formulas:
        if _is_deleted(formula):
            continue
        holder = formula.getparent()
        is_display = local_name(holder) == "oMathPara"
        try:
            latex, number = omml_to_latex(formula)
        except DocumentError as error:
            parts.note("formula_too_deep", f"{error.reason}; it was left out", _place_of(formula))
            latex, number = "", ""
        mark = parts.marks.add(latex_node(latex, is_display=is_display, number=number)) if latex else ""
        _put_run(holder if is_display else formula, mark, is_last=formula.getnext() is None)
        if is_display:
            holder.remove(formula)
    for holder in [each for each in root.iter() if local_name(each) == "oMathPara"]:
        holder.getparent().remove(holder)


def _is_inside_formula(element: Element) -> bool:
    return any(local_name(outer) == "oMath" for outer in element.iterancestors())


def _is_deleted(element: Element) -> bool:
    return any(local_name(outer) in ("del", "moveFrom") for outer in element.iterancestors())


def _put_run(target: Element, mark: str, *, is_last: bool) -> None:
    """Puts a run with the mark before an element; an element that is a formula itself goes."""
    parent = target.getparent()
    word = _word_namespace(target)
    run = target.makeelement(f"{{{word}}}r")
    text = run.makeelement(f"{{{word}}}t")
    text.text = f"{mark} " if local_name(target) == "oMathPara" and not is_last else mark
    text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    run.append(text)
    parent.insert(parent.index(target), run)
    if local_name(target) == "oMath":
        parent.remove(target)


def _word_namespace(element: Element) -> str:
    """The namespace of the text around, which differs between the two editions of the format."""
    for outer in element.iterancestors():
        if local_name(outer) == "p":
            return str(outer.tag).rpartition("}")[0].lstrip("{")
    return "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def _place_of(element: Element) -> Place:
    """The paragraph in which an element stands, counted from the start of its part."""
    for outer in element.iterancestors():
        if local_name(outer) == "p":
            count = sum(1 for sibling in outer.itersiblings(preceding=True) if local_name(sibling) == "p")
            return Place(path=f"{local_name(outer.getparent())}/p[{count + 1}]")
    return Place()


def _note_old_formulas(root: Element, parts: Parts) -> None:
    """Formulas of Equation 3.0 and MathType are programs' private data with a picture; only their number is known."""
    old = [
        each
        for each in root.iter()
        if local_name(each) == "OLEObject" and attribute(each, "ProgID").lower().startswith(_LEGACY)
    ]
    if old:
        kinds = ", ".join(sorted({attribute(each, "ProgID")[:40] for each in old}))
        parts.note(
            "legacy_equation",
            f"{len(old):,} formulas of an old equation editor ({kinds}) cannot be read; convert them in Word",
            _place_of(old[0]),
        )
    fields = [
        each for each in root.iter() if local_name(each) == "instrText" and (each.text or "").strip()[:3] == "EQ "
    ]
    if fields:
        parts.note("field_equation", f"{len(fields):,} formulas in EQ fields are not read", _place_of(fields[0]))


def _open_text_boxes(root: Element, parts: Parts) -> None:
    """The paragraphs of a text box follow the paragraph it hangs on; the second copy for old programs goes."""
    for fallback in [each for each in root.iter() if local_name(each) == "Fallback"]:
        siblings = [local_name(each) for each in fallback.getparent()]
        if "Choice" in siblings:
            fallback.getparent().remove(fallback)
    boxes = [each for each in root.iter() if local_name(each) == "txbxContent"]
    for box in reversed(boxes):
        anchor = next((outer for outer in box.iterancestors() if local_name(outer) == "p"), None)
        if anchor is None:
            continue
        box.getparent().remove(box)
        for child in reversed(list(box)):
            anchor.addnext(child)
    if boxes:
        parts.note("text_box", f"{len(boxes):,} text boxes were read after the paragraphs they hang on")


def _complete_grids(root: Element) -> None:
    """Pandoc drops cells beyond the columns that a table announces, and some programs announce too few or none."""
    for table in [each for each in root.iter() if local_name(each) == "tbl"]:
        widest = max((_width_of(row) for row in table if local_name(row) == "tr"), default=0)
        word = str(table.tag).rpartition("}")[0].lstrip("{")
        grid = next((child for child in table if local_name(child) == "tblGrid"), None)
        if grid is None:
            grid = table.makeelement(f"{{{word}}}tblGrid")
            has_properties = len(table) > 0 and local_name(table[0]) == "tblPr"
            table.insert(1 if has_properties else 0, grid)
        columns = [child for child in grid if local_name(child) == "gridCol"]
        while len(columns) < widest:
            columns.append(grid.makeelement(f"{{{word}}}gridCol"))
            grid.append(columns[-1])
        for column in columns:
            if not attribute(column, "w"):
                column.set(f"{{{word}}}w", "1000")


def _width_of(row: Element) -> int:
    total = 0
    for cell in row:
        if local_name(cell) != "tc":
            continue
        spans = (attribute(each, "val") for each in cell.iter() if local_name(each) == "gridSpan")
        span = next(spans, "1")
        total += max(1, min(int(span), _WIDEST)) if span.isascii() and span.isdigit() and len(span) < 6 else 1
    return min(total, _WIDEST)
