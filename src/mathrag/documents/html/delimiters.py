"""TeX between delimiters in the text of a page: `\\(…\\)`, `\\[…\\]`, `$$…$$`, environments; `$…$` where it is safe."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mathrag.documents.html.formulas import bare_tex, looks_like_tex
from mathrag.documents.html.tree import Node
from mathrag.documents.html.walk import Atom, Run
from mathrag.types.document import Break, Math, Place

_OPENING = re.compile(
    r"\\\(|\\\[|\$\$|\$|\\\$|\\begin\{((?:equation|align|gather|multline|eqnarray|displaymath|flalign|alignat)\*?)\}"
)
_CLOSING = {r"\(": r"\)", r"\[": r"\]", "$$": "$$"}
_LONGEST = 20_000
_MATH_SIGN = re.compile(r"[=^_\\<>+*/{}|∑∫√≤≥×·−]|(?<![A-Za-z])[A-Za-zΑ-Ωα-ω](?![A-Za-z])|[A-Za-z]\(")
_PROSE = re.compile(r"[A-Za-z]{4,}\s+[A-Za-z]{2,}\s+[A-Za-z]{2,}")


def has_delimiters(text: str) -> bool:
    """A quick look whether a text may hold formulas between delimiters."""
    return "$" in text or "\\(" in text or "\\[" in text or "\\begin{" in text


def count_dollar_formulas(text: str) -> int:
    """How many pairs of single dollars hold what can only be TeX; enough of them show what dollars mean on a page."""
    found = re.findall(r"(?<![\\$\w])\$(?![\s$])([^$\n]{1,200})(?<!\s)\$(?![\d$])", text)
    return sum(1 for inside in found if looks_like_tex(inside))


def split_delimited(atoms: Sequence[Atom], *, with_dollars: bool) -> list[Atom]:
    """Atoms with the delimited formulas in their text cut out. A formula may run over tags, never over a formula."""
    result: list[Atom] = []
    group: list[Run | Break] = []
    for atom in atoms:
        if isinstance(atom, Math) or (isinstance(atom, Run) and atom.style.is_verbatim):
            result.extend(_split(group, with_dollars=with_dollars))
            result.append(atom)
            group = []
        else:
            group.append(atom)
    result.extend(_split(group, with_dollars=with_dollars))
    return result


def _split(group: list[Run | Break], *, with_dollars: bool) -> list[Atom]:
    text = "".join("\n" if isinstance(atom, Break) else atom.text for atom in group)
    if not has_delimiters(text):
        return list(group)
    spans = _spans(text, with_dollars=with_dollars)
    return _cut(group, text, spans)


def _spans(text: str, *, with_dollars: bool) -> list[tuple[int, int, bool]]:
    """Start and stop of each formula with its delimiters, and whether it is displayed."""
    spans: list[tuple[int, int, bool]] = []
    missing: set[str] = set()
    place = 0
    while True:
        found = _OPENING.search(text, place)
        if found is None:
            return spans
        opening = found.group()
        if opening == r"\$":
            place = found.end()
            continue
        if opening == "$":
            stop = _closing_dollar(text, found.end()) if with_dollars else -1
        else:
            closing = _CLOSING.get(opening) or rf"\end{{{found.group(1)}}}"
            # A closing sign that was not found once will not be found again further on.
            stop = -1 if closing in missing else text.find(closing, found.end())
            if stop < 0:
                missing.add(closing)
            else:
                stop += len(closing)
        if stop < 0 or stop - found.start() > _LONGEST or not text[found.end() : stop].strip(" $\\)]"):
            place = found.end()
            continue
        spans.append((found.start(), stop, opening not in ("$", r"\(")))
        place = stop


def _closing_dollar(text: str, start: int) -> int:
    """As Pandoc has it: no space inside the dollars, no digit after them, and something a formula would have."""
    if start >= len(text) or text[start].isspace():
        return -1
    place = start
    while True:
        place = text.find("$", place, start + 2_000)
        if place < 0:
            return -1
        if text[place - 1] != "\\":
            break
        place += 1
    inside = text[start:place]
    if not inside or inside[-1].isspace() or text[place + 1 : place + 2].isdigit() or "\n\n" in inside:
        return -1
    is_formula = _MATH_SIGN.search(inside) is not None and not (_PROSE.search(inside) and "\\" not in inside)
    return place + 1 if is_formula else -1


def _cut(group: list[Run | Break], text: str, spans: list[tuple[int, int, bool]]) -> list[Atom]:
    pieces: list[Atom] = []
    pending = iter([*spans, (len(text) + 1, len(text) + 1, False)])
    start, stop, is_display = next(pending)
    owner: Node | None = None
    at = 0
    for atom in group:
        first = at
        end = first + (1 if isinstance(atom, Break) else len(atom.text))
        while at < end:
            if at < start:
                upto = min(end, start)
                pieces.append(_part(atom, at - first, upto - first))
                at = upto
                continue
            owner = owner or (atom.node if isinstance(atom, Run) else None)
            if stop > end:
                at = end
                continue
            source, number = bare_tex(text[start:stop])
            place = owner.place if owner is not None else Place()
            pieces.append(Math(source, "latex", place, " ".join(text[start:stop].split()), is_display, number))
            at, owner = stop, None
            start, stop, is_display = next(pending)
    return pieces


def _part(atom: Run | Break, start: int, stop: int) -> Run | Break:
    if isinstance(atom, Break):
        return atom
    return replace(atom, text=atom.text[start:stop].replace(r"\$", "$"))
