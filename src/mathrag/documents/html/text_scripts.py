"""Raised and lowered characters that are not formulas, as plain text: `10^-3`, `m^2`, `H2O`, `1st`, `¹⁴C`."""

from __future__ import annotations

import re

from mathrag.documents.html.walk import Run
from mathrag.knowledge.elements import element_symbols

# Which upright letters with small digits are chemical formulas (`H2O`, `SO4`, `Na+`). Knows element symbols only.

# With D for heavy hydrogen, as chemists write it.
_ELEMENTS = element_symbols() | {"D"}
_SYMBOL = re.compile(r"[A-Z][a-z]?")
_MOLECULES = frozenset(("H2", "D2", "N2", "O2", "O3", "F2", "I2", "P4", "S8", "C60", "Cl2", "Br2"))
_CHARGE = re.compile(r"[0-9]{0,2}[+\-−–]|[0-9]{1,2}[+\-−–]")


def is_charge(superscript: str) -> bool:
    """Whether a superscript is the charge of an ion or a particle: `+`, `2−`."""
    return _CHARGE.fullmatch(superscript.strip()) is not None


def element_count(letters: str) -> int:
    """How many element symbols the letters are; 0 where they are something else."""
    place = count = 0
    while place < len(letters):
        found = _SYMBOL.match(letters, place)
        if found is None:
            return 0
        symbol = found.group()
        if symbol not in _ELEMENTS:
            symbol = symbol[0]
            if symbol not in _ELEMENTS:
                return 0
        place += len(symbol)
        count += 1
    return count


def is_molecule(letters: str, digits: str) -> bool:
    """Whether a lone element with a count is a molecule people write about: `O2`, not `F1` or `T2`."""
    return letters + digits in _MOLECULES


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
    from mathrag.knowledge.units import is_unit_text

    return len(word) <= 20 and is_unit_text(word)
