"""MathML in all its dialects to formulas. Layout and content only: the grammar of notation gives layout its meaning."""

from mathrag.compute.mathml.reader import read_layout, read_mathml, tex_annotation

__all__ = ["read_layout", "read_mathml", "tex_annotation"]
