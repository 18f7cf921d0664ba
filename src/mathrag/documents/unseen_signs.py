"""Signs of a formula that nobody sees: characters that turn the order of others, and characters without width.

A person reads what is shown, a program what is written. Where a formula holds such characters the two may differ, so
it is kept as uncertain. Invisible operators (times, function application) and lone marks between whole elements are
what converters write, and change nothing.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace

from mathrag.documents.two_forms import doubted
from mathrag.types.document import Block, Document, Math, formulas_of, with_formulas

_TURNING = "\u061c\u200f\u202a-\u202e\u2066-\u2069"
_WIDTHLESS = "\u00ad\u180e\u200b-\u200d\u2060\ufeff"
TURNED = re.compile(f"[{_TURNING}]")
_OVERRIDE = re.compile("[\u202d\u202e]")
# Between signs of a formula; at its ends and between whole elements of MathML nothing depends on them.
_INSIDE = re.compile(f"[^\\s>{_WIDTHLESS}][{_WIDTHLESS}]+[^\\s<{_WIDTHLESS}]")
_ORDER = "it holds characters that change the order in which signs are shown"
_NO_WIDTH = "it holds characters that nobody sees"


def with_unseen_signs_doubted(document: Document) -> Document:
    """The document, with every formula uncertain that holds characters which are not seen."""
    blocks = tuple(_checked(block) for block in document.blocks)
    is_changed = any(new is not old for new, old in zip(blocks, document.blocks, strict=True))
    return replace(document, blocks=blocks) if is_changed else document


def _checked(block: Block) -> Block:
    is_turned = not block.quote.isascii() and _OVERRIDE.search(block.quote) is not None
    if not is_turned and not any(_doubt(math) for math in formulas_of(block)):
        return block

    def change(math: Math) -> Math:
        doubt = _ORDER if is_turned else _doubt(math)
        return doubted(math, doubt) if doubt else math

    return with_formulas(block, change)


def _doubt(math: Math) -> str:
    source = html.unescape(math.source) if math.notation == "mathml" and "&" in math.source else math.source
    if source.isascii() and math.quote.isascii():
        return ""
    if TURNED.search(source) or TURNED.search(math.quote):
        return _ORDER
    return _NO_WIDTH if _INSIDE.search(source) else ""
