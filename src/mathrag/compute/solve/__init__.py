"""Solve an equation for one of its symbols: by undoing operations, by SymPy in a worker process, or numerically."""

from mathrag.compute.solve.numeric import solve_numeric
from mathrag.compute.solve.solver import Solution, Solutions, solve

__all__ = ["Solution", "Solutions", "solve", "solve_numeric"]
