"""Formulas that stand in running text: which part of a line is one, and the LaTeX that says the same."""
