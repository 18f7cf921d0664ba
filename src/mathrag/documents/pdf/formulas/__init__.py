"""The formula reader: glyphs, rules and drawings of one region of a page as LaTeX, with how far it can be trusted."""

from mathrag.documents.pdf.formulas.formula_reader import read_display, read_inline

__all__ = ["read_display", "read_inline"]
