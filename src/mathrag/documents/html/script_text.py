"""Raised and lowered characters that are not formulas, as plain text: `10^-3`, `m^2`, `H2O`, `1st`, `¹⁴C`."""

from __future__ import annotations

import re

from mathrag.documents.html.chemistry import element_count
from mathrag.documents.html.walk import Run

_RAISED = str.maketrans("0123456789+-−–n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻ⁿ")
_RAISABLE = re.compile(r"[0-9+\-−–n]+")
_PLAIN_SUPERSCRIPTS = frozenset("st nd rd th ® ™ tm sm TM SM ° º ª".split())
_SIMPLE = re.compile(r"[-+]?\w[\w.,]*|[0-9]{1,2}[-+]|\*+|[-+]")
_BASE = re.compile(r"([^\W\d_]+)$")
_CHEMICAL_BASE = re.compile(r"([A-Z][A-Za-z]*)(?:[0-9()]*)$")
_LONGEST_UNIT = 3


def script_as_text(run: Run, before: str) -> str:
    """The text of a raised or lowered run, given what stands before it."""
    text = " ".join(run.text.split())
    if not text:
        return run.text
    if run.style.is_mark or text.startswith("["):
        return text.translate(_RAISED) if text.isdigit() else text
    return _lowered(text, before) if run.style.scripts[-1] == "sub" else _raised(text, before)


def _lowered(text: str, before: str) -> str:
    base = _CHEMICAL_BASE.search(before[-20:])
    is_count = text.isdigit() or text in ("n", "x")
    if is_count and ((base is not None and element_count(base.group(1))) or before.endswith((")", "]"))):
        return text
    if not before or before[-1].isspace():
        return text
    return f"_{text}" if _SIMPLE.fullmatch(text) else f"_({text})"


def _raised(text: str, before: str) -> str:
    if text in _PLAIN_SUPERSCRIPTS:
        return text
    last = before[-1:]
    if not last or last.isspace() or last in "([,;:.!?\"”’'":
        # Nothing to raise: the mass number of an isotope, or a note.
        return text.translate(_RAISED) if _RAISABLE.fullmatch(text) else text
    base = _BASE.search(before[-40:])
    if base is not None and len(base.group()) > _LONGEST_UNIT and text.isdigit() and not _is_unit(base.group()):
        return text.translate(_RAISED)
    plain = text.replace("−", "-").replace("–", "-").replace("\u2009", "")
    return f"^{plain}" if _SIMPLE.fullmatch(plain) else f"^({plain})"


def _is_unit(word: str) -> bool:
    from mathrag.compute.units import is_unit_text

    return len(word) <= 20 and is_unit_text(word)
