"""TeX between delimiters in the text of a page, cut out of its runs. Where it stands is told by `math_in_text`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mathrag.documents.html.formulas import bare_tex, looks_like_tex
from mathrag.documents.html.tagged_runs import with_doubts_of
from mathrag.documents.html.tree import Node
from mathrag.documents.html.walk import Atom, StyledText
from mathrag.documents.math_in_text.delimiters import DelimiterReader, MathSpan, has_delimiters
from mathrag.types.document import Break, Math, Place


def count_dollar_formulas(text: str) -> int:
    """How many pairs of single dollars hold what can only be TeX; enough of them show what dollars mean on a page."""
    found = re.findall(r"(?<![\\$\w])\$(?![\s$])([^$\n]{1,200})(?<!\s)\$(?![\d$])", text)
    return sum(1 for inside in found if looks_like_tex(inside))


def split_delimited(atoms: Sequence[Atom], *, with_dollars: bool) -> list[Atom]:
    """Atoms with the delimited formulas in their text cut out. A formula may run over tags, never over a formula."""
    result: list[Atom] = []
    group: list[StyledText | Break] = []
    for atom in atoms:
        if isinstance(atom, Math) or (isinstance(atom, StyledText) and atom.style.is_verbatim):
            result.extend(_split(group, with_dollars=with_dollars))
            result.append(atom)
            group = []
        else:
            group.append(atom)
    result.extend(_split(group, with_dollars=with_dollars))
    return result


def _split(group: list[StyledText | Break], *, with_dollars: bool) -> list[Atom]:
    text = "".join("\n" if isinstance(atom, Break) else atom.text for atom in group)
    if not has_delimiters(text):
        return list(group)
    return _cut(group, text, DelimiterReader(text).trusted_spans(with_dollars=with_dollars))


def _cut(group: list[StyledText | Break], text: str, spans: list[MathSpan]) -> list[Atom]:
    pieces: list[Atom] = []
    pending = iter([*spans, MathSpan(len(text) + 1, len(text) + 1, len(text) + 1, len(text) + 1, False)])
    span = next(pending)
    owner: Node | None = None
    inside: list[StyledText] = []
    at = 0
    for atom in group:
        first = at
        end = first + (1 if isinstance(atom, Break) else len(atom.text))
        while at < end:
            if at < span.start:
                upto = min(end, span.start)
                pieces.append(_part(atom, at - first, upto - first))
                at = upto
                continue
            if isinstance(atom, StyledText):
                owner = owner or atom.node
                inside.append(atom)
            if span.end > end:
                at = end
                continue
            written = text[span.start : span.end]
            source, number = bare_tex(written)
            place = owner.place if owner is not None else Place()
            math = Math(source, "latex", place, " ".join(written.split()), span.is_display, number)
            pieces.append(with_doubts_of(inside, math))
            at, owner, inside = span.end, None, []
            span = next(pending)
    return pieces


def _part(atom: StyledText | Break, start: int, stop: int) -> StyledText | Break:
    if isinstance(atom, Break):
        return atom
    return replace(atom, text=atom.text[start:stop].replace(r"\$", "$"))
