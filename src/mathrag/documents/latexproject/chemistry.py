"""mhchem in prose: `\\ce{H2SO4}` as plain characters. Inside formulas it stays as written, for the formula reader."""

from __future__ import annotations

import re

_ARROWS = (("<=>>", " ⇌ "), ("<=>", " ⇌ "), ("<->", " ↔ "), ("->", " → "), ("<-", " ← "))


def plain_chemistry(source: str) -> str:
    """The inside of `\\ce` as text: scripts keep `^` and `_`, arrows become arrows."""
    text = source
    for written, arrow in _ARROWS:
        text = text.replace(written, arrow)
    text = re.sub(r"([\^_])\{([^{}]{0,40})\}", r"\1\2", text)
    text = re.sub(r"\\(?:text|mathrm)\{([^{}]{0,80})\}", r"\1", text)
    text = re.sub(r"[{}$]|\\[,;! ]", "", text)
    return re.sub(r" +", " ", text).strip()
