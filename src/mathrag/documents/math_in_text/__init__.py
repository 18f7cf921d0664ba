"""Formulas that stand in running text: which part of it is one, and the LaTeX that says the same.

Every format yields tokens (`tokens.py`) and brings its manner; one finder decides (`finder.py`). The manners: lines of
typed text, tagged text, printed rows of glyphs, lines read by OCR. TeX between delimiters needs none of that
(`delimiters.py`).
"""
