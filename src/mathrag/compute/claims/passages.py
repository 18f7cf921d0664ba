"""Where mathematics stands in the text of a step: formulas between delimiters, GSM8K's annotations, and the prose.

Finds places only; what they say is read elsewhere. Places count characters of the step.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Manner = Literal["formula", "display", "annotation", "prose"]

# Longer steps are cut there: no one writes them, and work must stay bounded.
LONGEST_STEP = 20_000
_ENVIRONMENTS = "align|aligned|equation|gather|gathered|multline|split|eqnarray|alignat|flalign"
_OPENING = re.compile(
    rf"<<|\$\$|\\\(|\\\[|\\begin\{{(?P<environment>(?:{_ENVIRONMENTS})\*?)\}}(?:\{{\d{{1,2}}\}})?|(?<!\\)\$(?=[^\s$])"
)
# Rows between delimiters of a display: what counts are the rows.
_WITHIN = re.compile(
    rf"\s*\\begin\{{(?P<environment>(?:{_ENVIRONMENTS})\*?)\}}(?P<rows>.*)\\end\{{(?P=environment)\}}\s*[.,;]?\s*",
    re.DOTALL,
)
_CLOSING = {"$$": "$$", r"\(": r"\)", r"\[": r"\]", "<<": ">>"}
# What stands for a formula in the prose around it.
HOLE = "\ufffc"


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a step that may hold claims: what it says and where it begins."""

    text: str
    start: int
    manner: Manner

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def passages_of(step: str) -> tuple[list[Passage], str]:
    """The formulas of a step in their order, and its prose: the whole step with holes where formulas stand."""
    text = step[:LONGEST_STEP]
    found: list[Passage] = []
    prose: list[str] = []
    position = 0
    while opening := _OPENING.search(text, position):
        body = _body(text, opening)
        if body is None:
            prose.append(text[position : opening.end()])
            position = opening.end()
            continue
        start, stop, end, manner = body
        inside = text[start:stop]
        # A calculator's whole division, in as many characters.
        inside = inside.replace("//", "/ ") if manner == "annotation" else inside
        found.append(Passage(inside, start, manner))
        blank = " " if manner == "annotation" else HOLE
        prose.append(text[position : opening.start()] + blank * (end - opening.start()))
        position = end
    prose.append(text[position:])
    return found, "".join(prose)


def _body(text: str, opening: re.Match[str]) -> tuple[int, int, int, Manner] | None:
    """Where the formula that begins here starts and stops, where its delimiter ends, and what it is."""
    sign, start = opening.group(), opening.end()
    if sign == "$":
        closing = _closing_dollar(text, start)
        return None if closing is None else (start, closing, closing + 1, "formula")
    environment = opening["environment"]
    closer = rf"\end{{{environment}}}" if environment else _CLOSING[sign]
    stop = text.find(closer, start)
    if stop < 0:
        return None
    inner = _WITHIN.fullmatch(text, start, stop) if sign in ("$$", r"\[") else None
    if inner is not None and rf"\end{{{inner['environment']}}}" not in inner["rows"]:
        return inner.start("rows"), inner.end("rows"), stop + len(closer), "display"
    manner: Manner = "annotation" if sign == "<<" else "formula" if sign == r"\(" else "display"
    if sign == "<<" and (stop - start > 200 or "\n" in text[start:stop]):
        return None
    return start, stop, stop + len(closer), manner


def _closing_dollar(text: str, start: int) -> int | None:
    """The dollar that closes a formula. After a blank or before a digit it is money, and so is the first one."""
    position = start
    while (position := text.find("$", position)) >= 0:
        if text[position - 1] == "\\":
            position += 1
            continue
        inside = text[start:position]
        is_money = text[position - 1].isspace() or text[position + 1 : position + 2].isdigit()
        return None if is_money or "\n\n" in inside or not inside else position
    return None
