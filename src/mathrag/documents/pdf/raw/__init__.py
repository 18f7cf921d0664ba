"""The glyph layer: what pdfium finds on a page, as glyphs, rules, drawings and pictures. No words yet."""

from mathrag.documents.pdf.raw.pages import OpenPdf, PdfMetadata, open_pdf

__all__ = ["OpenPdf", "PdfMetadata", "open_pdf"]
