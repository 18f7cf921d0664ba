"""Quantities inside running text: numbers with units, uncertainties and symbols, each with its exact place."""

from __future__ import annotations

from mathrag.language.quantities.finder import MAXIMAL_CHARACTERS, MAXIMAL_NUMBERS, find_quantities
from mathrag.language.quantities.mention import Kind, Mention

__all__ = ["MAXIMAL_CHARACTERS", "MAXIMAL_NUMBERS", "Kind", "Mention", "find_quantities"]
