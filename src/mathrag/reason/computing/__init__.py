"""A planned step becomes a computed one: solved, evaluated with units, checked and shown line by line."""

from mathrag.reason.computing.step import StepFailure, compute_step, compute_steps
from mathrag.reason.computing.validity import step_assumptions

__all__ = ["StepFailure", "compute_step", "compute_steps", "step_assumptions"]
