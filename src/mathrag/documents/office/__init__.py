"""Word, OpenDocument, Rich Text and EPUB files to blocks. Formulas are read here; pandoc reads words and structure."""

from mathrag.documents.office.docx import read_docx
from mathrag.documents.office.epub import read_epub
from mathrag.documents.office.odt import read_odt
from mathrag.documents.office.rtf import read_rtf

__all__ = ["read_docx", "read_epub", "read_odt", "read_rtf"]
