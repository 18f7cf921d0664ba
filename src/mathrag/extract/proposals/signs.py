"""Compare a formula with a quote sign by sign, for quotes whose structure cannot be read. Knows no grammar.

A repaired formula may add structure (fractions, exponents, brackets) to what is printed, but no letter, digit or sign,
and it may leave none out: "E = 1 2 mv2" has the signs of `E = \\frac{1}{2} m v^2`, in that order.
"""

from __future__ import annotations

import re
import unicodedata

from mathrag.compute.symbol_names import GREEK, GREEK_NAMES

_LONGEST = 1_200
_STYLE = re.compile(
    r"\\(?:mathrm|mathbf|mathit|mathsf|mathcal|text|textrm|textit|textbf|operatorname|boldsymbol|left|right|big|Big|bigg|"
    r"displaystyle|dfrac|tfrac|frac|cdot|times|quad|qquad|over|limits|boxed|label|tag|begin|end)(?![A-Za-z])"
)
_SIGN = re.compile(r"\\[A-Za-z]+|\d|[^\W\d_]|[=≈≡∝<>≤≥+\-−–±∓∫∂∑∏√∞∇!]|\\pm")
# What would belong to the formula if it stood right before or after it: a digit, a sign, a lone letter.
_BEFORE = re.compile(r"(?:[^\W_]|\\[A-Za-z]+|[\\^_{])$|[=+\-−–*/×·^_<>≈∝]\s*$|(?<![^\W_])\d+\s*$")
_AFTER = re.compile(
    r"[^\W_]|['′]|\s*(?:[\d=+\-−–*/×·^_{}\[<>≈∝\\]|\((?![^()]{0,60}[^\W\d_]{3})|(?!a\s)[^\W\d_](?![^\W_]|['’.)]))"
)
_SAME = {
    "−": "-",
    "–": "-",
    "\\approx": "≈",
    "\\equiv": "≡",
    "\\propto": "∝",
    "\\le": "≤",
    "\\leq": "≤",
    "\\ge": "≥",
    "\\geq": "≥",
    "\\lt": "<",
    "\\gt": ">",
    "\\pm": "±",
    "\\mp": "∓",
    "\\int": "∫",
    "\\partial": "∂",
    "\\sum": "∑",
    "\\prod": "∏",
    "\\sqrt": "√",
    "\\infty": "∞",
    "\\nabla": "∇",
    "\\varepsilon": "epsilon",
    "\\vartheta": "theta",
    "\\varphi": "phi",
    "\\varrho": "rho",
    "\\ell": "ell",
    "\\hbar": "hbar",
}


def signs_of(text: str) -> tuple[str, ...]:
    """The letters, digits and signs of a formula in the order in which they are written, without its structure."""
    return tuple(sign for sign, _ in _placed_signs(text))


def _placed_signs(text: str) -> list[tuple[str, re.Match[str]]]:
    plain = spelled_plainly(text)
    found: list[tuple[str, re.Match[str]]] = []
    for match in _SIGN.finditer(plain):
        sign = _SAME.get(match.group(), match.group())
        if sign.startswith("\\"):
            name = sign[1:]
            found.extend((part, match) for part in ((name,) if name in GREEK_NAMES else tuple(name)))
        else:
            found.append((GREEK.get(sign, sign), match))
    return found


def spelled_plainly(text: str) -> str:
    """Scripts and fractions that are one character, as plain ones; commands of style and structure as blanks."""
    parts = []
    for character in text[:_LONGEST]:
        plain = character if character in GREEK else unicodedata.normalize("NFKC", character)
        parts.append(f" {plain} " if plain != character else character)
    return _STYLE.sub(lambda match: " " * len(match.group()), "".join(parts).replace("⁄", " "))


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether nothing that would belong to the same formula touches a stretch of a text."""
    return _BEFORE.search(text[max(0, start - 40) : start]) is None and _AFTER.match(text, end) is None


def same_signs(latex: str, quote: str) -> bool:
    """Whether the signs of a formula stand in a quote, all and in their order, with no other between or beside them."""
    wanted, placed = signs_of(latex), _placed_signs(quote)
    size = len(wanted)
    if not size:
        return False
    written = tuple(sign for sign, _ in placed)
    plain = spelled_plainly(quote)
    return any(
        written[start : start + size] == wanted
        and stands_alone(plain, placed[start][1].start(), placed[start + size - 1][1].end())
        for start in range(len(written) - size + 1)
    )


def missing_symbol(names: tuple[str, ...], quote: str) -> str | None:
    """A symbol none of whose looks stand in the quote; None where all do."""
    written = "".join(signs_of(quote))
    for name in names:
        letters = [piece for piece in name.split("_") if piece and piece not in _MARKS]
        if not all("".join(signs_of(_looks(piece))) in written for piece in letters):
            return name
    return None


_MARKS = frozenset(
    "bar hat dot ddot vec tilde underline breve check ring mean cal prime dprime tprime star circ dagger ddagger plus "
    "minus conc".split()
)


def _looks(piece: str) -> str:
    return f"\\{piece}" if piece in GREEK_NAMES or piece in ("ell", "hbar") else piece
