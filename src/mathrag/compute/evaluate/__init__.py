"""Evaluation of trees: compiled for floats, exact for whole numbers and fractions, with units and uncertainties.

What cannot be computed (division by zero, outside a domain, too large) is a `Failure` value, never an exception.
"""

from mathrag.compute.evaluate.compiled import compile_expression
from mathrag.compute.evaluate.exact import evaluate
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.evaluate.quantities import evaluate_quantity, evaluate_surely

__all__ = ["Failure", "compile_expression", "evaluate", "evaluate_quantity", "evaluate_surely"]
