"""Printers: the one tree written as Python text, LaTeX, MathML or SymPy objects. Reading is done elsewhere."""
