"""An uncertain formula that a model read in a picture of it, held against what the page itself shows. Sees no picture.

The reader of the page had seen signs and guessed at their arrangement. Only where that guess and the model's reading
are one and the same equation does the formula count as read; two witnesses that do not know of each other rarely make
the same mistake. That holds for doubts about the arrangement alone. Where it is in doubt what belongs to the formula at
all, both have seen the same piece of the page, and agreeing proves nothing. Anything else stays a guess: letters and
digits alone could not tell `\\frac{1}{2}` from `12`, and dimensions would not notice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mathrag.compute.canonical import canonical_key
from mathrag.compute.equality import same_equation
from mathrag.compute.latex import read_latex
from mathrag.compute.printers.latex import latex_text
from mathrag.documents.pdf.formulas.doubts import SETTLED_BY_SIGHT
from mathrag.extract.formula_reader import doubts_in
from mathrag.extract.labels import find_keywords, intent_of
from mathrag.extract.number_check import foreign_number
from mathrag.extract.proposals.meanings import understand
from mathrag.extract.proposals.records import Problem
from mathrag.types.expression import Declined, Equation, Flag
from mathrag.types.library import Finding, SymbolDefinition

READ_FROM_PICTURE = "read_from_picture"
_LONGEST_LATEX = 2_000


def understood_picture(
    finding: Finding, latex: str, definitions: Mapping[str, SymbolDefinition], *, model: str
) -> Finding | Problem:
    """The finding with its equation, where the page supports the model's LaTeX; else why it does not."""
    theirs = only_equation(latex)
    if theirs is None:
        return Problem("not_one_equation", "what the model read is not one equation")
    mine = only_equation(finding.source) if finding.notation == "latex" else None
    if mine is None:
        return Problem(
            "page_unreadable", "the signs on the page give no formula by themselves, and a model's word is not enough"
        )
    doubts = doubts_in(finding.reason)
    if doubts is None or not SETTLED_BY_SIGHT.issuperset(doubts):
        return Problem(
            "picture_is_cut", "it is in doubt what belongs to the formula, and the picture ends where it does"
        )
    if not same_equation(mine, theirs):
        return Problem("page_disagrees", f"the signs on the page rather give {latex_text(mine)[:200]}")
    number = foreign_number(mine, f"{finding.span.quote} {finding.source}")
    if number is not None:
        return Problem("number_not_in_quote", f"the number {number} does not stand on the page there")
    understood = understand(mine, {}, definitions, is_in_words=False, words=finding.label)
    if isinstance(understood, Problem):
        return understood
    doubt = understood.doubt
    message = f"read from a picture by {model}; the signs on the page give the same formula"
    return replace(
        finding,
        form=canonical_key(mine),
        latex=latex_text(mine),
        status="executable" if doubt is None else "quarantined",
        equation=mine,
        reason_code="" if doubt is None else doubt.code,
        reason="" if doubt is None else doubt.reason,
        intent=intent_of(mine, understood.symbols),
        keywords=find_keywords(finding.label, finding.span.headings, understood.symbols),
        symbols=understood.symbols,
        flags=(*finding.flags, Flag(READ_FROM_PICTURE, message)),
    )


def only_equation(latex: str) -> Equation | None:
    """The equation that a model read off a picture; None where it is not just one."""
    reading = read_latex(latex) if len(latex) <= _LONGEST_LATEX else None
    if reading is None or isinstance(reading, Declined) or reading.conditions or len(reading.equations) != 1:
        return None
    return reading.equations[0]
