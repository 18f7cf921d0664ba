"""HTML and XHTML to blocks: structure, formulas in every dress the web gives them, tables, lists, references."""

from mathrag.documents.html.reader import read_html

__all__ = ["read_html"]
