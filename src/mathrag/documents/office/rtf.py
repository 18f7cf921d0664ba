"""Rich Text files through pandoc: words, structure and scripts. Its formulas are not read, only counted."""

from __future__ import annotations

from mathrag.documents.office.document_parts import Parts, document_of_tree
from mathrag.documents.office.pandoc import FormulaMarks, read_with_pandoc
from mathrag.documents.seams import Source
from mathrag.errors import DocumentError
from mathrag.types.document import Document

MEDIA_TYPE = "application/rtf"
_FORMULAS = (b"\\moMath ", b"\\moMath{", b"\\objclass Equation")


def read_rtf(source: Source) -> Document:
    """Read a Rich Text file. Raises `DocumentError` for what is broken, nested too deeply, or lacks pandoc."""
    if not source.data.lstrip().startswith(b"{\\rtf"):
        raise DocumentError("broken", "this is no Rich Text file; it does not begin with {\\rtf")
    if _deepest(source.data) > source.limits.depth:
        raise DocumentError("too_large", f"groups are nested more than {source.limits.depth} deep; save it again")
    parts = Parts(FormulaMarks(source.hash))
    unread = sum(source.data.count(sign) for sign in _FORMULAS)
    if unread:
        parts.note("rtf_formula", f"{unread:,} formulas cannot be read from Rich Text; save the document as .docx")
    tree = read_with_pandoc(source.data, form="rtf", limits=source.limits)
    return document_of_tree(source, parts, tree, media_type=MEDIA_TYPE)


def _deepest(data: bytes) -> int:
    depth = deepest = 0
    # Escaped braces are text; the rest opens and closes groups.
    for byte in data.replace(b"\\\\", b"").replace(b"\\{", b"").replace(b"\\}", b""):
        if byte == 0x7B:
            depth += 1
            deepest = max(deepest, depth)
        elif byte == 0x7D:
            depth -= 1
    return deepest
