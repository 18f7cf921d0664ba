"""The writing of an answer, made plain: delimiters and spaces taken off, thousands joined, and the text cut at commas
and signs that stand outside all brackets. Knows signs, not what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST_ANSWER = 4_000

_SIGN = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
_OPENING = frozenset(("(", "[", "{", "\\{", "\\langle", "\\lbrace", "\\lfloor", "\\lceil", "\\begin", "\\lbrack"))
_CLOSING = frozenset((")", "]", "}", "\\}", "\\rangle", "\\rbrace", "\\rfloor", "\\rceil", "\\end", "\\rbrack"))
_CHARACTERS = str.maketrans(
    {
        "−": "-", "–": "-", "∪": "\\cup ", "∞": "\\infty ", "≤": "\\le ", "≥": "\\ge ", "≠": "\\neq ", "±": "\\pm ",
        "°": "^\\circ ", "π": "\\pi ", "∈": "\\in ", "≈": "\\approx ", "\xa0": " ", "\u2009": " ", "\u202f": " ",
        "∅": "\\emptyset ", "×": "\\times ", "·": "\\cdot ", "⟨": "\\langle ", "⟩": "\\rangle ", "％": "%",
    }
)  # fmt: skip
# Spaces, sizes and styles: they say nothing about what is meant.
_SPACES = frozenset(
    ("\\;", "\\:", "\\ ", "\\quad", "\\qquad", "\\enspace", "\\thinspace", "\\space", "~", "\n", "\t", "\r")
)
_NOTHING = frozenset(
    (
        "\\!", "\\,", "\\displaystyle", "\\textstyle", "\\limits", "\\left", "\\right", "\\big", "\\Big", "\\bigl",
        "\\bigr", "\\Bigl", "\\Bigr", "\\bigg", "\\Bigg", "\\biggl", "\\biggr", "\\Biggl", "\\Biggr", "\\boldsymbol",
    )
)  # fmt: skip
_RENAMED = {
    **dict.fromkeys(("\\dfrac", "\\tfrac", "\\cfrac"), "\\frac"),
    **dict.fromkeys(("\\leq", "\\leqslant"), "\\le"),
    **dict.fromkeys(("\\geq", "\\geqslant"), "\\ge"),
    **dict.fromkeys(("\\mbox", "\\textnormal", "\\textrm", "\\textbf", "\\textit", "\\hbox", "\\textsf"), "\\text"),
    "\\ne": "\\neq",
    "\\lt": "<",
    "\\gt": ">",
    "\\lbrace": "\\{",
    "\\rbrace": "\\}",
    "\\lbrack": "[",
    "\\rbrack": "]",
    "\\degree": "^\\circ",
    "\\varnothing": "\\emptyset",
    "\\colon": ":",
}
_WRAPPERS = (("$$", "$$"), ("\\(", "\\)"), ("\\[", "\\]"), ("$", "$"))
_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?!\d|,\d)")
_BRACED_THOUSANDS = re.compile(r"(?<=\d)\s?\{\s?,\s?\}\s?(?=\d{3}(?!\d))")
_NEGATIVE_SPACE = re.compile(r"(?<=\d),\\!\s?(?=\d{3}(?!\d))")
_WIDE_SPACE = re.compile(r"\s{2,}")
# A wide space written against the next letter; no other command begins so.
_RUN_TOGETHER = re.compile(r"\\q?quad(?=[A-Za-z])")
# Backslashes doubled by a file format on the way.
_DOUBLED = re.compile(r"\\\\(?=[A-Za-z]{2})")


def signs(text: str) -> list[str]:
    """Commands and single characters, in order."""
    return _SIGN.findall(text)


def cleaned(text: str) -> str:
    """An answer without delimiters, spacing, sizes and closing full stop; empty where it is too long."""
    if len(text) > LONGEST_ANSWER:
        return ""
    text = text.translate(_CHARACTERS).strip()
    if "\\begin" not in text:
        text = _DOUBLED.sub(r"\\", text)
    text = _RUN_TOGETHER.sub(" ", text)
    text = _BRACED_THOUSANDS.sub(",", _NEGATIVE_SPACE.sub(",", text))
    text = _unwrapped(_without_ending(text))
    text = _without_dollars(text)
    plain = [_plain(sign) for sign in signs(text)]
    text = _WIDE_SPACE.sub(" ", "".join(_spaced(plain))).strip()
    return _without_ending(_whole_braces(text))


def _plain(sign: str) -> str:
    if sign in _NOTHING:
        return ""
    return " " if sign in _SPACES else _RENAMED.get(sign, sign)


def _spaced(parts: list[str]) -> Iterator[str]:
    """With a blank between a command and a letter that would otherwise run together."""
    before = ""
    for part in parts:
        if part and before.startswith("\\") and before[-1].isalpha() and part[0].isalpha():
            yield " "
        yield part
        before = part or before


def _without_ending(text: str) -> str:
    """Without the full stop or comma of the sentence around it; several dots say that something was left out."""
    text = text.strip()
    is_sentence_end = text.endswith((".", ",", ";")) and not text.endswith(("..", "\\.", "\\,", "\\;"))
    return text[:-1].rstrip() if is_sentence_end else text


def _unwrapped(text: str) -> str:
    """Without the delimiters of a formula, and without a box, around the whole."""
    for _ in range(4):
        before = text
        for opening, closing in _WRAPPERS:
            inner = text[len(opening) : -len(closing)]
            if text.startswith(opening) and text.endswith(closing) and inner and closing not in inner:
                text = _without_ending(inner)
        for box in ("\\boxed", "\\fbox"):
            if text.startswith(box + "{") and closing_brace(text, len(box)) == len(text) - 1:
                text = text[len(box) + 1 : -1].strip()
        if text == before:
            break
    return text


def _without_dollars(text: str) -> str:
    """Without pairs of dollar signs around formulas; a lone one before a number is money."""
    places = [place for place, sign in enumerate(text) if sign == "$" and text[place - 1 : place] != "\\"]
    if len(places) % 2 == 0:
        return text.replace("\\$", "\0").replace("$", " ").replace("\0", "\\$") if places else text
    if len(places) == 1 and text.endswith("$"):
        return text[:-1]
    return text


def _whole_braces(text: str) -> str:
    """Without braces around the whole: they are seen by nobody."""
    while text.startswith("{") and closing_brace(text, 0) == len(text) - 1:
        text = text[1:-1].strip()
    return text


def closing_brace(text: str, start: int) -> int | None:
    """The place of the brace that closes the one at `start`; escaped braces do not count."""
    depth = 0
    place = start
    while place < len(text):
        sign = text[place]
        if sign == "\\":
            place += 2
            continue
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                return place
        place += 1
    return None


def joined_thousands(text: str, *, outside: bool = False) -> str:
    """1,000 as 1000; only groups of just three digits without blanks. With `outside`, not between brackets."""
    if not outside:
        return _THOUSANDS.sub(lambda match: match.group().replace(",", ""), text)
    pieces: list[str] = []
    depth, start, place = 0, 0, 0
    for sign in signs(text):
        if depth == 0 and sign in _OPENING:
            pieces.append(joined_thousands(text[start:place]))
            start = place
        depth = max(depth + (sign in _OPENING) - (sign in _CLOSING), 0)
        place += len(sign)
        if depth == 0 and sign in _CLOSING:
            pieces.append(text[start:place])
            start = place
    return "".join((*pieces, joined_thousands(text[start:]) if depth == 0 else text[start:]))


def split_outside(text: str, separators: frozenset[str]) -> list[tuple[str, str]]:
    """The pieces between signs outside all brackets, each with the sign before it (none before the first)."""
    pieces: list[tuple[str, str]] = []
    depth, before = 0, ""
    current: list[str] = []
    for sign in signs(text):
        if sign in _OPENING:
            depth += 1
        elif sign in _CLOSING:
            depth -= 1
        if depth <= 0 and sign in separators:
            pieces.append((before, "".join(current).strip()))
            before, current = sign, []
        else:
            current.append(sign)
    pieces.append((before, "".join(current).strip()))
    return pieces


def fenced(text: str) -> tuple[str, str, str] | None:
    """The opening sign, what stands inside and the closing sign, where one pair of brackets holds the whole text."""
    parts = signs(text)
    if len(parts) < 2 or parts[0] not in _OPENING or parts[-1] not in _CLOSING:
        return None
    depth = 0
    for place, sign in enumerate(parts):
        depth += (sign in _OPENING) - (sign in _CLOSING)
        if depth == 0:
            if place != len(parts) - 1:
                return None
            return parts[0], "".join(parts[1:-1]).strip(), parts[-1]
    return None
