"""Formulas that a page writes half with tags and half in MathML: lone symbols of MathML become tagged text again.

Only where a sign stands beside them; anything larger than a symbol stays what it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mathrag.documents.html.tree import Node
from mathrag.documents.html.walk import Atom, Run, Style
from mathrag.types.document import Math

_OPEN, _CLOSE = r"(?:<(?:mrow|mstyle)[^<>]{0,60}>){0,4}", r"(?:</(?:mrow|mstyle)>){0,4}"
_LETTER = rf"{_OPEN}<mi>\s*([A-Za-z\u0391-\u03c9ϕϵ])\s*</mi>{_CLOSE}"
_LABEL = rf"{_OPEN}<(?:mi|mn|mtext)>\s*([A-Za-z0-9]{{1,12}})\s*</(?:mi|mn|mtext)>{_CLOSE}"
_SYMBOL = re.compile(rf"<math>{_OPEN}(?:{_LETTER}|<(msub|msup)>{_LETTER}{_LABEL}</\2>){_CLOSE}</math>")
_SIGN_AT_END = re.compile(r"[=+\-−–/×·⋅<>≤≥(]\s*$|[A-Za-z)]$")
_SIGN_AT_START = re.compile(r"\s*[=+−–/×·⋅<>≤≥]")
_ITALIC = Style(italic=True)


def with_symbols_as_runs(atoms: Sequence[Atom], node: Node) -> list[Atom]:
    """The atoms, with symbols in MathML as runs where tagged text beside them goes on with a sign."""
    if not any(isinstance(atom, Run) and (atom.style.italic or atom.style.scripts) for atom in atoms):
        return list(atoms)
    result: list[Atom] = []
    for position, atom in enumerate(atoms):
        runs = _as_runs(atom, node) if isinstance(atom, Math) and _has_sign_beside(atoms, position) else None
        result.extend(runs if runs is not None else [atom])
    return result


def _has_sign_beside(atoms: Sequence[Atom], position: int) -> bool:
    text_before = _text(atoms, position - 1)
    if _SIGN_AT_END.search(text_before[-20:]) and _is_tagged_near(atoms, position, -1):
        return True
    if _SIGN_AT_START.match(_text(atoms, position + 1)) and _is_tagged_near(atoms, position, 1):
        return True
    # `<i>I</i> <math>ω</math>`: an emphasised letter right before.
    before = atoms[position - 1] if position else None
    letters = [atom for atom in atoms[max(0, position - 2) : position] if isinstance(atom, Run) and atom.text.strip()]
    return isinstance(before, Run) and bool(letters) and letters[-1].style.italic and len(letters[-1].text.strip()) == 1


def _text(atoms: Sequence[Atom], position: int) -> str:
    atom = atoms[position] if 0 <= position < len(atoms) else None
    return atom.text if isinstance(atom, Run) else ""


def _is_tagged_near(atoms: Sequence[Atom], position: int, step: int) -> bool:
    near = [atoms[place] for place in (position + step, position + 2 * step) if 0 <= place < len(atoms)]
    return any(isinstance(atom, Run) and (atom.style.italic or atom.style.scripts) for atom in near)


def _as_runs(math: Math, node: Node) -> list[Atom] | None:
    if math.notation != "mathml" or math.is_display or len(math.source) > 300:
        return None
    found = _SYMBOL.fullmatch(math.source)
    if found is None:
        return None
    lone, script, base, label = found.groups()
    if lone:
        return [Run(lone, _ITALIC, node)]
    below = replace(_ITALIC, scripts=("sub" if script == "msub" else "sup",))
    return [Run(base, _ITALIC, node), Run(label, below, node)]
