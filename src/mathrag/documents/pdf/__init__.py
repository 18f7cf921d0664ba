"""PDF with a text layer: from the places of its glyphs and rules back to prose, tables and formulas."""

from mathrag.documents.pdf.reader import assemble, count_pages, read_pages, read_pdf

__all__ = ["assemble", "count_pages", "read_pages", "read_pdf"]
