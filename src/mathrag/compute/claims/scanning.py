"""LaTeX cut into tokens with their depth, for splitting a formula at its top level. Gives no meaning to any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"\\(?:begin|end)\s*\{[a-zA-Z]{1,20}\*?\}|\\[a-zA-Z]+|\\.|\d(?:\d|,\\!|\{,\}|,)*(?:\.\d+)?|\.\d+|\s+|.", re.DOTALL
)
_OPENING = frozenset("({[")
_CLOSING = frozenset(")}]")
_TEXT_COMMANDS = frozenset(
    (r"\text", r"\textbf", r"\textit", r"\textrm", r"\mbox", r"\mathrm", r"\mathbf", r"\operatorname", r"\mathit")
)


@dataclass(frozen=True, slots=True)
class Token:
    """A command, a number or a sign; `depth` counts the brackets and environments it stands in."""

    text: str
    start: int
    end: int
    depth: int
    # The words of \text{...}, which is one token.
    words: str | None = None

    @property
    def is_blank(self) -> bool:
        return self.text.isspace() or self.text in _BLANKS


_BLANKS = frozenset((r"\,", r"\;", r"\!", r"\:", r"\ ", "~", "&", r"\displaystyle", r"\hspace", r"\left", r"\right"))


def tokens_of(text: str) -> Iterator[Token]:
    """The tokens in order. Words in \\text{...} are one token; what never closes counts as open to the end."""
    depth, position = 0, 0
    while match := _TOKEN.match(text, position):
        sign, start, position = match.group(), match.start(), match.end()
        if sign in _TEXT_COMMANDS and (body := _braced(text, position)) is not None:
            yield Token(text[start : body[1] + 1], start, body[1] + 1, depth, text[body[0] : body[1]])
            position = body[1] + 1
            continue
        if sign[0].isdigit() and sign[-1] == ",":
            # "3, 4": the comma belongs to the list.
            position -= 1
            sign = sign[:-1]
        if sign in _CLOSING or sign.startswith(r"\end"):
            depth = max(0, depth - 1)
        yield Token(sign, start, position, depth)
        if sign in _OPENING or sign.startswith(r"\begin"):
            depth += 1


def _braced(text: str, position: int) -> tuple[int, int] | None:
    """The inside of the braces that follow."""
    while position < len(text) and text[position].isspace():
        position += 1
    if text[position : position + 1] != "{":
        return None
    depth = 0
    for place in range(position, min(len(text), position + 400)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return position + 1, place
    return None
