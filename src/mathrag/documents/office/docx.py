"""Word documents: formulas are taken out and read here, text boxes are laid open, the rest is pandoc's work."""

from __future__ import annotations

import posixpath
from itertools import accumulate, pairwise

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
from mathrag.documents.office.document_parts import Parts, columns_read, document_through_pandoc, stated_properties
from mathrag.documents.office.omml import omml_to_latex
from mathrag.documents.office.pandoc import FormulaMarks, latex_node
from mathrag.documents.office.word_baggage import heading_styles, keep_lists, keep_styles, lighten
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.types.document import Document, Place

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_MAIN = "word/document.xml"
# What pandoc needs besides the text itself; macros, themes and embedded files never reach it.
_KEPT = ("[Content_Types].xml", "_rels/.rels", "docProps/core.xml")
_NOTES = ("footnotes.xml", "endnotes.xml")
_STYLES, _LISTS, _SETTINGS = "styles.xml", "numbering.xml", "settings.xml"
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".emf", ".wmf", ".svg", ".tif", ".tiff", ".bmp")
# Columns that a cell may span, and of tables whose spans are taken as they are.
_LONGEST_SPAN = 500
_USUAL_WIDTH = 60
_LEGACY = ("equation", "mathtype")


def read_docx(source: Source) -> Document:
    """Read a Word document. Raises `DocumentError` for what is broken, protected, hostile, or lacks pandoc."""
    parts = Parts(FormulaMarks(source.hash))
    with open_archive(source, what="Word document") as archive:
        main = _main_part(archive, source.limits)
        parts.properties = stated_properties(archive, "docProps/core.xml", source.limits)
        folder = posixpath.dirname(main)
        _take_texts(archive, main, source.limits, parts)
        _take(archive, posixpath.join(folder, _SETTINGS), source.limits, parts)
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
    if name not in parts.members and name in archive:
        parts.members[name] = serialised(parse_part(archive.read(name), name=name, limits=limits))


def _take_texts(archive: Archive, main: str, limits: ReadingLimits, parts: Parts) -> None:
    """The text, its notes, and the styles and lists that they name."""
    folder = posixpath.dirname(main)
    found = {
        name: parse_part(archive.read(name), name=name, limits=limits)
        for name in (main, *(posixpath.join(folder, name) for name in (*_NOTES, _STYLES, _LISTS)))
        if name in archive
    }
    styles, lists = (found.get(posixpath.join(folder, name)) for name in (_STYLES, _LISTS))
    texts = {name: root for name, root in found.items() if root is not styles and root is not lists}
    headings = heading_styles(styles) if styles is not None else frozenset()
    for root in texts.values():
        _mark(root, parts)
        lighten(root, parts.marks, headings=headings)
    if styles is not None:
        keep_styles(styles, texts.values())
    if lists is not None:
        keep_lists(lists, texts.values(), styles)
    parts.members.update((name, serialised(root)) for name, root in found.items())


def _mark(root: Element, parts: Parts) -> None:
    """A part with text: formulas behind marks, text boxes behind their paragraphs, old formulas counted."""
    _note_old_formulas(root, parts)
    _mark_formulas(root, parts)
    _open_text_boxes(root, parts)
    _complete_grids(root, parts)


def _mark_formulas(root: Element, parts: Parts) -> None:
    formulas = [each for each in root.iter() if local_name(each) == "oMath" and not _is_inside_formula(each)]
    numbers: dict[Element, int] = {}
    for formula in formulas:
        if _is_deleted(formula):
            continue
        holder = formula.getparent()
        is_display = local_name(holder) == "oMathPara"
        try:
            latex, number = omml_to_latex(formula)
        except DocumentError as error:
            numbers = numbers or _paragraph_numbers(root)
            parts.note("formula_too_deep", f"{error.reason}; it was left out", _place_of(formula, numbers))
            latex, number = "", ""
        mark = parts.marks.add(latex_node(latex, is_display=is_display, number=number)) if latex else ""
        if is_display:
            run = holder.makeelement("run")
            _make_run(run, _word_namespace(holder), mark if formula.getnext() is None else f"{mark} ")
            holder.addprevious(run)
            drop(formula)
        else:
            _make_run(formula, _word_namespace(formula), mark)
    for holder in [each for each in root.iter() if local_name(each) == "oMathPara"]:
        drop(holder)


def _is_inside_formula(element: Element) -> bool:
    return any(local_name(outer) == "oMath" for outer in element.iterancestors())


def _is_deleted(element: Element) -> bool:
    return any(local_name(outer) in ("del", "moveFrom") for outer in element.iterancestors())


def _make_run(element: Element, word: str, words: str) -> None:
    """Makes a run with these words of an element, in its place: to put one in front of many others takes its time."""
    element.clear()
    element.tag = f"{{{word}}}r"
    text = element.makeelement(f"{{{word}}}t")
    text.text = words
    text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    element.append(text)


def _word_namespace(element: Element) -> str:
    """The namespace of the text around, which differs between the two editions of the format."""
    for outer in element.iterancestors():
        if local_name(outer) == "p":
            return str(outer.tag).rpartition("}")[0].lstrip("{")
    return "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def _paragraph_numbers(root: Element) -> dict[Element, int]:
    """Each paragraph's number among those beside it, from 1."""
    counts: dict[Element, int] = {}
    numbers: dict[Element, int] = {}
    for paragraph in [each for each in root.iter() if local_name(each) == "p"]:
        parent = paragraph.getparent()
        counts[parent] = numbers[paragraph] = counts.get(parent, 0) + 1
    return numbers


def _place_of(element: Element, numbers: dict[Element, int]) -> Place:
    """The paragraph in which an element stands, counted from the start of its part."""
    for outer in element.iterancestors():
        if outer in numbers:
            return Place(path=f"{local_name(outer.getparent())}/p[{numbers[outer]}]")
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
            _place_of(old[0], _paragraph_numbers(root)),
        )
    fields = [
        each for each in root.iter() if local_name(each) == "instrText" and (each.text or "").strip()[:3] == "EQ "
    ]
    if fields:
        place = _place_of(fields[0], _paragraph_numbers(root))
        parts.note("field_equation", f"{len(fields):,} formulas in EQ fields are not read", place)


def _open_text_boxes(root: Element, parts: Parts) -> None:
    """The paragraphs of a text box follow the paragraph it hangs on; the second copy for old programs goes."""
    for both in [each for each in root.iter() if local_name(each) == "AlternateContent"]:
        if any(local_name(each) == "Choice" for each in both):
            for fallback in [each for each in both if local_name(each) == "Fallback"]:
                drop(fallback)
    boxes = [each for each in root.iter() if local_name(each) == "txbxContent"]
    for box in reversed(boxes):
        anchor = next((outer for outer in box.iterancestors() if local_name(outer) == "p"), None)
        if anchor is None:
            continue
        for child in reversed(list(box)):
            anchor.addnext(child)
        drop(box)
    if boxes:
        parts.note("text_box", f"{len(boxes):,} text boxes were read after the paragraphs they hang on")


def _complete_grids(root: Element, parts: Parts) -> None:
    """Pandoc drops cells beyond the columns that a table announces, and some programs announce too few or none."""
    lost = 0
    for table in [each for each in root.iter() if local_name(each) == "tbl"]:
        rows = [[cell for cell in row if local_name(cell) == "tc"] for row in table if local_name(row) == "tr"]
        width = _shorten_spans(rows)
        widest = columns_read(width, rows=len(rows), cells=sum(len(cells) for cells in rows))
        _complete_grid(table, widest, is_whole=widest == width)
        lost += widest < width
    if lost:
        parts.note("wide_table", f"{lost:,} tables are wider than is read; the last columns were left out")


def _shorten_spans(rows: list[list[Element]]) -> int:
    """How wide the rows are. Spans that no other row asks for are made shorter: they would only be empty columns."""
    ends = [list(accumulate((_span_of(cell) for cell in cells), initial=0)) for cells in rows]
    if max((row[-1] for row in ends), default=0) <= _USUAL_WIDTH:
        return max((row[-1] for row in ends), default=0)
    ranks = {place: rank for rank, place in enumerate(sorted({place for row in ends for place in row}))}
    for cells, row in zip(rows, ends, strict=True):
        for cell, (left, right) in zip(cells, pairwise(row), strict=True):
            for span in _spans(cell):
                key = next(key for key in span.attrib if str(key).endswith("val"))
                span.set(key, str(ranks[right] - ranks[left]))
    return len(ranks) - 1


def _complete_grid(table: Element, widest: int, *, is_whole: bool) -> None:
    word = str(table.tag).rpartition("}")[0].lstrip("{")
    grid = next((child for child in table if local_name(child) == "tblGrid"), None)
    if grid is None:
        grid = table.makeelement(f"{{{word}}}tblGrid")
        has_properties = len(table) > 0 and local_name(table[0]) == "tblPr"
        table.insert(1 if has_properties else 0, grid)
    columns = [child for child in grid if local_name(child) == "gridCol"]
    # Some announce more columns than there are; far more would only be empty cells.
    most = 2 * widest + _USUAL_WIDTH if is_whole else widest
    for column in columns[most:]:
        drop(column)
    while len(columns) < widest:
        columns.append(grid.makeelement(f"{{{word}}}gridCol"))
        grid.append(columns[-1])
    for column in columns[:most]:
        if not attribute(column, "w"):
            column.set(f"{{{word}}}w", "1000")


def _spans(cell: Element) -> list[Element]:
    """What a cell says about its own width, not what tables inside it say."""
    properties = next((child for child in cell[:1] if local_name(child) == "tcPr"), ())
    return [each for each in properties if local_name(each) == "gridSpan" and attribute(each, "val")]


def _span_of(cell: Element) -> int:
    said = next((attribute(each, "val") for each in _spans(cell)), "1")
    return max(1, min(int(said), _LONGEST_SPAN)) if said.isascii() and said.isdigit() and len(said) < 6 else 1
