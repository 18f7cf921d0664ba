"""Marks that stand for formulas while pandoc reads the words around them, and their way back into the tree.

A mark is made of the document's own hash, so that no text of the document can be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from mathrag.documents.html.nodes import Node

# An element that says something about the cell in which it stands: how far it spans, whether it is a header.
CELL_MARK = "cell-mark"


@dataclass(slots=True)
class FormulaMarks:
    """The formulas of one document as elements, in the order in which they were marked."""

    hash: str
    formulas: list[Node] = field(default_factory=list)

    def add(self, formula: Node) -> str:
        """The mark that stands for a formula from now on."""
        self.formulas.append(formula)
        return f"x{self.hash[:20]}n{len(self.formulas) - 1}x"

    def split(self, text: str) -> Iterator[str | Node]:
        """A text with its marks replaced by their formulas."""
        place = 0
        for found in re.finditer(rf"x{self.hash[:20]}n(\d{{1,7}})x", text):
            number = int(found.group(1))
            if number >= len(self.formulas):
                continue
            if found.start() > place:
                yield text[place : found.start()]
            yield self.formulas[number]
            place = found.end()
        if place < len(text):
            yield text[place:]


def latex_node(source: str, *, is_display: bool, number: str = "") -> Node:
    """LaTeX as the element in which pages keep it, so that one reader reads both."""
    text = rf"{source} \tag{{{number}}}" if number else source
    return Node("tex-math", attributes={"block": ""} if is_display else {}, children=[text])
