"""Formulas within a text in plain signs, for people and for whoever reads numbers: 57.9±0.3 without marks of LaTeX."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_MATH = re.compile(r"\$(?=\S)([^$\n]{1,400}?)(?<=\S)\$(?!\d)")
_STYLED = re.compile(r"\\(?:mathrm|mathbf|mathit|text|textrm|textit|textbf|operatorname|mathsf|rm)\s*\{([^{}]*)\}")
_DEGREES = re.compile(r"\^\s*\{?\s*\\circ\s*\}?")
_BLANKS = re.compile(r"\\[,;:! ]|\\q?quad\b|~(?=\\|\w)")
_COMMAND = re.compile(r"\\([A-Za-z]+)\s?")
_SIGNS = {
    "times": "×", "pm": "±", "sim": "~", "approx": "≈", "simeq": "≈", "leq": "≤", "le": "≤", "leqslant": "≤",
    "geq": "≥", "ge": "≥", "geqslant": "≥", "cdot": "·", "lt": "<", "gt": ">", "equiv": "=",
}  # fmt: skip


def readable(sentence: str) -> str:
    """The sentence in plain signs: formulas within it lose their marks, so that numbers and units can be read."""
    text = _MATH.sub(lambda match: _plain_math(match[1]), sentence)
    return " ".join(text.replace("\\%", "%").split())


def _plain_math(latex: str) -> str:
    text = _STYLED.sub(r"\1", _STYLED.sub(r"\1", latex))
    text = _BLANKS.sub(" ", _DEGREES.sub("°", text))
    return _COMMAND.sub(lambda match: _sign(match[1]), text.replace("\\%", "%")).replace("{,}", ",")


@cache
def _sign(name: str) -> str:
    if name in _SIGNS:
        return _SIGNS[name]
    try:
        return unicodedata.lookup(f"GREEK {'CAPITAL' if name[0].isupper() else 'SMALL'} LETTER {name.upper()}")
    except KeyError:
        return f"{name} "
