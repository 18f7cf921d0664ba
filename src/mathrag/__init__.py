"""MathRAG: quantitative questions answered by computing with the formulas of your documents."""

__version__ = "0.1.0"
