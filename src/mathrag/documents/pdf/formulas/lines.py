"""Items of one place into one line of nodes, or into one item: limits first, then rows in delimiters, then scripts.

The one place where the parts of the reader call each other; each of them sees only `Reader.compose`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mathrag.documents.pdf.formulas import thresholds as limit
from mathrag.documents.pdf.formulas.glyph_items import items_of
from mathrag.documents.pdf.formulas.grids import build_grids
from mathrag.documents.pdf.formulas.items import Item, Ledger, Node, box_of, ink_of
from mathrag.documents.pdf.formulas.plausibility import doubt_bounds
from mathrag.documents.pdf.formulas.printing import latex_of
from mathrag.documents.pdf.formulas.rows import split_rows
from mathrag.documents.pdf.formulas.scripts import Level, lay_out
from mathrag.documents.pdf.formulas.spans import reduce_spans
from mathrag.documents.pdf.formulas.stacks import attach_limits
from mathrag.documents.pdf.page_content import Drawing, Glyph, Rule


@dataclass(slots=True)
class Reader:
    """Reads one region; `ledger` collects what was uncertain."""

    ledger: Ledger = field(default_factory=Ledger)
    depth: int = 0
    # The size of scripts of scripts, if the region has sizes that differ enough to tell.
    smallest: float = 0.0

    def items(
        self, glyphs: Sequence[Glyph], rules: Sequence[Rule], drawings: Sequence[Drawing], *, size: float
    ) -> list[Item]:
        """The region with all spans and stacks put together; lines and scripts are still to be found."""
        loose, lying = items_of(glyphs, rules, drawings, size=size, ledger=self.ledger)
        sizes = [item.size for item in loose if item.is_size_known]
        if sizes and min(sizes) < limit.SMALLEST_SIZE * max(*sizes, size):
            self.smallest = min(sizes)
        reduced = reduce_spans(loose, lying, compose=self.compose, ledger=self.ledger)
        return self.stacked(reduced)

    def stacked(self, items: list[Item]) -> list[Item]:
        """Limits and grids put together."""
        limited = attach_limits(items, compose=self.compose)
        return build_grids(limited, compose=self.compose, ledger=self.ledger)

    def line(self, items: list[Item]) -> Level:
        """The nodes of items that stand on one line."""
        level = lay_out(items, self.ledger, smallest=self.smallest)
        doubt_bounds(level.nodes, self.ledger)
        return level

    def latex(self, nodes: list[Node], size: float) -> str:
        """The LaTeX of nodes."""
        return latex_of(nodes, size=size, ledger=self.ledger)

    def compose(self, items: list[Item]) -> Item:
        """Items of one place as one item that stands on the baseline of its line."""
        if len(items) == 1:
            return items[0]
        deepest = max(item.depth for item in items)
        if self.depth > limit.DEEPEST_NESTING or deepest > limit.DEEPEST_NESTING:
            self.ledger.doubt("nested too deeply to be a formula", 1.0)
            return items[0].with_(ink=ink_of(items), box=box_of(items))
        self.depth += 1
        stacked = self.stacked(items)
        rows = split_rows(stacked)
        levels = [self.line(row) for row in rows]
        texts = [self.latex(level.nodes, level.size) for level in levels]
        self.depth -= 1
        latex = texts[0]
        if len(rows) > 1:
            self.ledger.doubt("several lines where one was expected", 0.4)
            latex = "\\substack{" + " \\\\ ".join(texts) + "}"
        return Item(
            "block",
            latex,
            "",
            box_of(stacked),
            min(item.left for item in stacked),
            max(item.right for item in stacked),
            levels[0].baseline,
            levels[0].size,
            ink=ink_of(stacked),
            depth=1 + max(item.depth for item in stacked),
        )
