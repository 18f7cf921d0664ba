"""A line that holds nothing but symbols and signs is one formula: `I<sub>s</sub> = k × min(I<sub>a</sub>, 2)`.

Tags tell where symbols are; the signs, numbers and names of functions between them are plain text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mathrag.documents.math_in_text.tokens import FUNCTIONS
from mathrag.types.document import Inline, Math, Text, plain_text

_PIECE = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<number>\d+(?:\.\d+)?(?![\w.]))
    | (?P<function>[a-z]{2,6}(?=\s*\())
    | (?P<letter>[A-Za-z\u0391-\u03c9](?![\w]))
    | (?P<root>√(?:\d+(?:\.\d+)?|(?=\()))
    | (?P<sign>[-+−–×·⋅*/÷=≈(),\[\]])
    """,
    re.VERBOSE,
)
_SIGNS = {"×": r"\times ", "·": r"\cdot ", "⋅": r"\cdot ", "*": r"\cdot ", "÷": "/", "−": "-", "–": "-", "≈": "="}
_BARE_SYMBOL = re.compile(r"[^=<>≈+*/]+")


def joined_line(line: Sequence[Inline]) -> Math | None:
    """The one formula that a line of symbols and signs is; None for any other line."""
    maths = [piece for piece in line if isinstance(piece, Math)]
    if len(maths) < 2 or len(maths) == len(line) or any(_is_no_symbol(math) for math in maths):
        return None
    parts: list[str] = []
    relations = 0
    for piece in line:
        if isinstance(piece, Math):
            parts.append(piece.source)
            continue
        latex = _latex(piece.text) if isinstance(piece, Text) else None
        if latex is None:
            return None
        relations += latex.count("=")
        parts.append(latex)
    source = " ".join(" ".join(parts).split()).rstrip(" .,;")
    if relations != 1 or source.startswith("=") or source.endswith("=") or source.count("(") != source.count(")"):
        return None
    quote = "".join(piece.quote if isinstance(piece, Math) else plain_text((piece,)) for piece in line)
    return Math(source, "latex", maths[0].place, quote.strip())


def _is_no_symbol(math: Math) -> bool:
    return math.notation != "latex" or math.is_display or _BARE_SYMBOL.fullmatch(math.source) is None


def _latex(text: str) -> str | None:
    """Signs, numbers, letters and functions as LaTeX; None where anything else stands there."""
    made: list[str] = []
    at = 0
    end = text.rstrip(" .;")
    while at < len(end):
        found = _PIECE.match(end, at)
        if found is None:
            return None
        at = found.end()
        match found.lastgroup:
            case "function":
                if found.group() not in FUNCTIONS:
                    return None
                made.append(f"\\{found.group()}")
            case "root":
                made.append(f"\\sqrt{{{found.group()[1:]}}}" if found.group()[1:] else "√")
            case "sign":
                made.append(_SIGNS.get(found.group(), found.group()))
            case _:
                made.append(found.group())
    return "".join(made)
