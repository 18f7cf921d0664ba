"""Quantities inside running text: numbers with units, uncertainties and symbols, each with its exact place."""

from __future__ import annotations

from mathrag.compute.quantity_text.finder import MAXIMAL_CHARACTERS, find_quantities
from mathrag.compute.quantity_text.mention import Kind, Mention

__all__ = ["MAXIMAL_CHARACTERS", "Kind", "Mention", "find_quantities"]
