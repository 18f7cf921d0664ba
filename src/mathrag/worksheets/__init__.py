"""Worksheets: lines of text, values and formulas that keep their order and follow each other. Knows no store, no page.

Formulas of a library and answers to questions come in through a seam (`seams.py`); everything else is computed here.
"""
