"""Evaluate votes: a file of problems with several solutions each, read and measured."""

from __future__ import annotations

from pathlib import Path

from mathrag.evaluate.votes import load_sampled, measure_votes
from mathrag.types.json_value import Json

__all__ = ["evaluate_votes"]


def evaluate_votes(file: Path) -> Json:
    """How many problems of a file each way of choosing among the solutions gets right."""
    return measure_votes(load_sampled(file))
