"""Pieces of LaTeX put side by side: spaces where commands need them, upright letters and units in one `\\mathrm`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.documents.office.math_letters import FUNCTIONS

Kind: TypeAlias = Literal["plain", "number", "upright", "text", "joint", "space", "fence"]

_COMMAND_AT_END = re.compile(r"\\[A-Za-z]{1,40}$")
_SPACE_AT_END = re.compile(r"(?<!\\)(?:\\\\)*\\$")
_ONLY_PRIMES = re.compile(r"(?:'|\\prime\s*){1,6}")
_SPECIAL = str.maketrans(
    {"{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "$": r"\$", "&": r"\&", "_": r"\_", "\\": "/", "^": "",
     "\u00a0": " ", "\u2003": " ", "\u2009": " ", "’": "'"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """Something to write. `inside` is how it is written inside `\\mathrm{…}`, empty where it cannot stand there.

    `ending` are the scripts of a piece whose base, then in `inside`, is upright letters.
    """

    tex: str
    kind: Kind = "plain"
    inside: str = ""
    ending: str = ""


def upright(letters: str) -> Piece:
    """Letters that stand upright: the name of a function, a symbol or a unit."""
    if letters in FUNCTIONS:
        return Piece(f"\\{letters}")
    return Piece(rf"\mathrm{{{letters}}}", "upright", letters)


def words(text: str) -> Piece:
    """Ordinary text inside a formula."""
    escaped = text.translate(_SPECIAL)
    return Piece(rf"\text{{{escaped}}}", "text", escaped if escaped.isalpha() else "")


def joined(texts: Iterable[str]) -> str:
    """Texts beside each other; a command that ends in letters is kept apart from letters that follow."""
    result: list[str] = []
    last = ""
    for text in texts:
        if not text:
            continue
        if last and text[0].isalpha() and _COMMAND_AT_END.search(last[-42:]):
            result.append(" ")
        result.append(text)
        last = text
    line = re.sub(r" {2,}", " ", "".join(result)).strip(" ")
    # A space that is itself a command must keep what makes it one.
    return f"{line} " if _SPACE_AT_END.search(line) else line


def row(pieces: Iterable[Piece]) -> str:
    """The LaTeX of a row of pieces."""
    return joined(piece.tex for piece in _grouped(_merged(list(pieces))))


def _merged(pieces: list[Piece]) -> list[Piece]:
    """Runs that an office program split for reasons of its own: `k` and `g` upright beside each other are `kg`."""
    result: list[Piece] = []
    for piece in pieces:
        last = result[-1] if result else None
        if last is not None and last.kind == piece.kind and _is_letters(last) and _is_letters(piece):
            together = last.inside + piece.inside
            result[-1] = upright(together) if piece.kind == "upright" else words(together)
        elif last is not None and last.kind == "upright" and _is_letters(last) and piece.ending:
            # The letters before a base with scripts belong to its name: `COP` with `HP` below.
            base = Piece(rf"\mathrm{{{last.inside}{_letters_of(piece)}}}", "upright", last.inside + _letters_of(piece))
            result[-1] = _scripted(base, piece.ending)
        elif len(result) >= 2 and piece.kind == "number" and result[-1].tex == "," and result[-2].tex == "0":
            result[-2:] = [Piece(f"0{{,}}{piece.tex}", "number")]
        else:
            result.append(piece)
    return result


def _letters_of(piece: Piece) -> str:
    return piece.inside.removesuffix(piece.ending)


def _is_letters(piece: Piece) -> bool:
    return piece.kind in ("upright", "text") and piece.inside.isalpha()


def _grouped(pieces: list[Piece]) -> list[Piece]:
    """A number's unit in one piece: `9.8 m/s²` is written `9.8\\,\\mathrm{m/s^{2}}`."""
    result: list[Piece] = []
    place = 0
    while place < len(pieces):
        stop = _end_of_unit(pieces, place) if _follows_number(result) else place
        if stop > place + 1:
            inside = joined(piece.inside or piece.tex for piece in pieces[place:stop])
            result.append(Piece(rf"\mathrm{{{inside}}}", "upright", inside))
            place = stop
        else:
            result.append(pieces[place])
            place += 1
    return result


def _follows_number(before: list[Piece]) -> bool:
    place = len(before) - 1
    while place >= 0 and before[place].kind == "space":
        place -= 1
    return place >= 0 and before[place].kind == "number"


def _end_of_unit(pieces: list[Piece], start: int) -> int:
    """Where the upright letters end that signs of a unit join; `start` itself where none stand there."""
    if pieces[start].kind != "upright":
        return start
    stop = start + 1
    while stop < len(pieces):
        ahead = stop
        while ahead < len(pieces) and pieces[ahead].kind in ("joint", "space"):
            ahead += 1
        if ahead >= len(pieces) or pieces[ahead].kind != "upright":
            break
        stop = ahead + 1
    return stop


def with_scripts(base: Piece, below: str, above: str) -> Piece:
    """A base with what stands at its lower and upper right; primes need no sign."""
    ending = f"_{{{below}}}" if below else ""
    if above:
        ending += above if _ONLY_PRIMES.fullmatch(above) else f"^{{{above}}}"
    return _scripted(base, ending) if ending else base


def _scripted(base: Piece, ending: str) -> Piece:
    tex = f"{base.tex}{ending}" if is_one(base.tex) else f"{{{base.tex}}}{ending}"
    if base.kind == "upright" and base.inside.isalpha():
        is_unit = re.fullmatch(r"\^\{-?\s?\d{1,2}\}", ending) is not None
        return Piece(tex, "upright" if is_unit else "plain", f"{base.inside}{ending}", ending)
    return Piece(tex, "number" if base.kind == "number" and not ending.startswith("_") else "plain")


def is_one(tex: str) -> bool:
    """Whether a script after this text belongs to all of it."""
    if len(tex) == 1 or re.fullmatch(r"\\[A-Za-z]{1,40}|\d{1,30}(?:\.\d{1,30})?|\\[^A-Za-z]", tex):
        return True
    wrapped = re.match(r"\\(?:mathrm|mathbf|mathbb|mathcal|mathfrak|text|boldsymbol|vec|hat|bar|dot|ddot|tilde"
                       r"|operatorname|overline|underline|left)\b|\{", tex)  # fmt: skip
    return wrapped is not None and _closes_at_end(tex)


def _closes_at_end(tex: str) -> bool:
    """Whether the first group or bracket ends where the text ends."""
    if tex.startswith("\\left"):
        return _one_fence(tex)
    start = tex.find("{")
    depth = 0
    place = start
    while 0 <= place < len(tex):
        if tex[place] == "\\":
            place += 2
            continue
        depth += {"{": 1, "}": -1}.get(tex[place], 0)
        if depth == 0:
            return place == len(tex) - 1
        place += 1
    return False


def _one_fence(tex: str) -> bool:
    depth = 0
    for found in re.finditer(r"\\(left|right)(?![A-Za-z])", tex):
        depth += 1 if found.group(1) == "left" else -1
        if depth == 0:
            return re.fullmatch(r"\\right(?:\\[A-Za-z]{1,10}|\\.|.)", tex[found.start() :]) is not None
    return False
