"""LaTeX out of pieces: characters of office programs by their commands, then pieces put side by side.

Spaces where commands need them, upright letters and units in one `\\mathrm`. Reads no document format.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.types.symbol_names import GREEK

# Characters as office programs put them into formulas, and the LaTeX that says the same. Tables and look-up only.

FUNCTIONS = frozenset(
    "sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan ln log lg exp max min lim sup inf det dim ker "
    "gcd arg deg hom Pr limsup liminf".split()
)
# Names that office programs let stand upright but LaTeX has no command for.
NAMED = {"lim sup": r"\limsup", "lim inf": r"\liminf"}

SIGNS: dict[str, str] = {
    **dict.fromkeys("−–‒﹣－", "-"), **dict.fromkeys("⋅·∙•", r"\cdot"), **dict.fromkeys("×✕⨯", r"\times"),
    "÷": r"\div", "±": r"\pm", "∓": r"\mp", "∗": "*", "∘": r"\circ", "°": r"^{\circ}", "∕": "/", "⁄": "/",
    "≈": r"\approx", "≅": r"\cong", "≃": r"\simeq", "∼": r"\sim", "≡": r"\equiv", "≠": r"\neq", "≤": r"\leq",
    "≥": r"\geq", "⩽": r"\leq", "⩾": r"\geq", "≪": r"\ll", "≫": r"\gg", "∝": r"\propto", "≔": ":=",
    "≝": r"\overset{\mathrm{def}}{=}", "→": r"\to", "⟶": r"\longrightarrow", "←": r"\leftarrow",
    "⇒": r"\Rightarrow", "⟹": r"\implies", "⇔": r"\Leftrightarrow", "↔": r"\leftrightarrow", "⇌": r"\rightleftharpoons",
    "↦": r"\mapsto", "∞": r"\infty", "∂": r"\partial", "𝜕": r"\partial", "∇": r"\nabla", "∑": r"\sum", "∏": r"\prod",
    "∐": r"\coprod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint", "∮": r"\oint", "∯": r"\oiint", "⋃": r"\bigcup",
    "⋂": r"\bigcap", "⋁": r"\bigvee", "⋀": r"\bigwedge", "∈": r"\in", "∉": r"\notin", "∋": r"\ni", "⊂": r"\subset",
    "⊆": r"\subseteq", "⊃": r"\supset", "∪": r"\cup", "∩": r"\cap", "∅": r"\emptyset", "∀": r"\forall",
    "∃": r"\exists", "∧": r"\wedge", "∨": r"\vee", "¬": r"\neg", "⊕": r"\oplus", "⊗": r"\otimes", "⊥": r"\perp",
    "⟂": r"\perp", "⊖": r"\ominus", "⦵": r"\ominus", "⊙": r"\odot", "⋆": r"\star",
    "★": r"\star", "☉": r"\odot", "⊤": r"\top",
    "∥": r"\parallel", "∠": r"\angle", "…": r"\ldots", "⋯": r"\cdots", "⋮": r"\vdots", "⋱": r"\ddots", "ℏ": r"\hbar",
    "ℓ": r"\ell", "ℜ": r"\Re", "ℑ": r"\Im", "ℵ": r"\aleph", "†": r"\dagger", "‡": r"\ddagger", "′": "'", "″": "''",
    "‴": "'''", "’": "'", "⟨": r"\langle", "⟩": r"\rangle", "⌊": r"\lfloor", "⌋": r"\rfloor", "⌈": r"\lceil",
    "⌉": r"\rceil", "‖": r"\|", "∣": "|", "∎": "", "√": r"\surd", "%": r"\%", "#": r"\#", "$": r"\$", "&": "",
    "{": r"\{", "}": r"\}", "\\": r"\backslash", "~": r"\sim", "∴": r"\therefore", "∵": r"\because", "△": r"\triangle",
    "\u00a0": r"\ ", "\u2000": r"\ ", "\u2001": r"\quad", "\u2002": r"\ ", "\u2003": r"\quad", "\u2004": r"\;",
    "\u2005": r"\:", "\u2006": r"\,",
    "\u2009": r"\,", "\u200a": r"\,", "\u202f": r"\,", "\u205f": r"\:", "\u3000": r"\quad", "\u2061": "",
    "\u2062": "", "\u2063": "", "\u2064": "", "\u200b": "", "\u200c": "", "\u200d": "", "\ufeff": "", "\u00ad": "",
    "½": r"\frac{1}{2}", "¼": r"\frac{1}{4}", "¾": r"\frac{3}{4}", "⅓": r"\frac{1}{3}", "⅔": r"\frac{2}{3}",
    "▒": "", "〖": "{", "〗": "}",
}  # fmt: skip

FENCES: dict[str, str] = {
    "(": "(", ")": ")", "[": "[", "]": "]", "{": r"\{", "}": r"\}", "|": "|", "∣": "|", "‖": r"\|", "∥": r"\|",
    "⟨": r"\langle", "⟩": r"\rangle", "〈": r"\langle", "〉": r"\rangle", "⌊": r"\lfloor", "⌋": r"\rfloor",
    "⌈": r"\lceil", "⌉": r"\rceil", "<": r"\langle", ">": r"\rangle", "/": "/", "": ".",
}  # fmt: skip

ACCENTS: dict[str, str] = {
    **dict.fromkeys("\u0302^ˆ", "hat"), **dict.fromkeys("\u0303~˜", "tilde"), **dict.fromkeys("\u0305\u0304¯‾", "bar"),
    **dict.fromkeys("\u20d7\u20d1→⃗⇀\u2192", "vec"), **dict.fromkeys("\u0307˙", "dot"), "\u0308": "ddot", "¨": "ddot",
    "\u20db": "dddot", "\u0306": "breve", "\u030c": "check", "\u0301": "acute", "\u0300": "grave", "\u030a": "mathring",
    "\u20d6": "overleftarrow", "\u20e1": "overleftrightarrow", "\u033f": "bar", "\u0332": "underline",
}  # fmt: skip

_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ", "0123456789+-ni", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-", strict=True))
_LATIN_CAPITALS = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True))
_VARIANTS = {
    "ε": r"\varepsilon", "ϵ": r"\epsilon", "ϑ": r"\vartheta", "φ": r"\varphi", "ϕ": r"\phi", "ϱ": r"\varrho",
    "ς": r"\varsigma", "ϖ": r"\varpi", "ϰ": r"\varkappa", "ο": "o",
}  # fmt: skip


def letter_or_sign(character: str) -> str:
    """LaTeX of one character, without regard to its style; unknown ones stay as they are."""
    if character.isascii() and character.isalnum():
        return character
    if character in SIGNS:
        return SIGNS[character]
    if character in _VARIANTS:
        return _VARIANTS[character]
    if character in _LATIN_CAPITALS:
        return _LATIN_CAPITALS[character]
    if character in _SUPERSCRIPTS:
        return f"^{{{_SUPERSCRIPTS[character]}}}"
    if character in _SUBSCRIPTS:
        return f"_{{{_SUBSCRIPTS[character]}}}"
    if character in GREEK:
        return f"\\{GREEK[character]}"
    return character


def plain_letter(character: str) -> tuple[str, str]:
    """A letter of Unicode's mathematical alphabets as the ordinary one and its style (`bold`, `script`, …)."""
    if character == "ℎ":
        return "h", ""
    if not ("\U0001d400" <= character <= "\U0001d7ff" or character in "ℂℍℕℙℚℝℤℬℰℱℋℐℒℳℛℭ"):
        return character, ""
    name = unicodedata.name(character, "")
    ordinary = unicodedata.normalize("NFKC", character)
    if "DOUBLE-STRUCK" in name:
        return ordinary, "double-struck"
    if "SCRIPT" in name:
        return ordinary, "script"
    if "FRAKTUR" in name or "BLACK-LETTER" in name:
        return ordinary, "fraktur"
    return ordinary, "bold" if "BOLD" in name and "DIGIT" not in name else ""


LatexKind: TypeAlias = Literal["plain", "number", "upright", "text", "joint", "space", "fence"]

_COMMAND_AT_END = re.compile(r"\\[A-Za-z]{1,40}$")
_SPACE_AT_END = re.compile(r"(?<!\\)(?:\\\\)*\\$")
_ONLY_PRIMES = re.compile(r"(?:'|\\prime\s*){1,6}")
_SPECIAL = str.maketrans(
    {"{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "$": r"\$", "&": r"\&", "_": r"\_", "\\": "/", "^": "",
     "\u00a0": " ", "\u2003": " ", "\u2009": " ", "’": "'"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LatexPiece:
    """Something to write. `inside` is how it is written inside `\\mathrm{…}`, empty where it cannot stand there.

    `ending` are the scripts of a piece whose base, then in `inside`, is upright letters.
    """

    tex: str
    kind: LatexKind = "plain"
    inside: str = ""
    ending: str = ""


def upright(letters: str) -> LatexPiece:
    """Letters that stand upright: the name of a function, a symbol or a unit."""
    if letters in FUNCTIONS:
        return LatexPiece(f"\\{letters}")
    return LatexPiece(rf"\mathrm{{{letters}}}", "upright", letters)


def words(text: str) -> LatexPiece:
    """Ordinary text inside a formula."""
    escaped = text.translate(_SPECIAL)
    return LatexPiece(rf"\text{{{escaped}}}", "text", escaped if escaped.isalpha() else "")


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


def row(pieces: Iterable[LatexPiece]) -> str:
    """The LaTeX of a row of pieces."""
    return joined(piece.tex for piece in _grouped(_merged(list(pieces))))


def _merged(pieces: list[LatexPiece]) -> list[LatexPiece]:
    """Runs that an office program split for reasons of its own: `k` and `g` upright beside each other are `kg`."""
    result: list[LatexPiece] = []
    for piece in pieces:
        together = _joined_pair(result[-1], piece) if result else None
        if together is not None:
            result[-1] = together
        elif piece.kind == "number" and [before.tex for before in result[-2:]] == ["0", ","]:
            # A decimal comma that was set like punctuation.
            result[-2:] = [LatexPiece(f"0{{,}}{piece.tex}", "number")]
        else:
            result.append(piece)
    return result


def _joined_pair(last: LatexPiece, piece: LatexPiece) -> LatexPiece | None:
    """Two pieces as the one they are parts of; None where they are two."""
    if not _is_letters(last):
        return None
    if last.kind == piece.kind and _is_letters(piece):
        together = last.inside + piece.inside
        return upright(together) if piece.kind == "upright" else words(together)
    if last.kind == "upright" and piece.ending:
        # The letters before a base with scripts belong to its name: `COP` with `HP` below.
        letters = last.inside + _letters_of(piece)
        return _scripted(LatexPiece(rf"\mathrm{{{letters}}}", "upright", letters), piece.ending)
    return None


def _letters_of(piece: LatexPiece) -> str:
    return piece.inside.removesuffix(piece.ending)


def _is_letters(piece: LatexPiece) -> bool:
    return piece.kind in ("upright", "text") and piece.inside.isalpha()


def _grouped(pieces: list[LatexPiece]) -> list[LatexPiece]:
    """A number's unit in one piece: `9.8 m/s²` is written `9.8\\,\\mathrm{m/s^{2}}`."""
    result: list[LatexPiece] = []
    place = 0
    while place < len(pieces):
        stop = _end_of_unit(pieces, place) if _follows_number(result) else place
        if stop > place + 1:
            inside = joined(piece.inside or piece.tex for piece in pieces[place:stop])
            result.append(LatexPiece(rf"\mathrm{{{inside}}}", "upright", inside))
            place = stop
        else:
            result.append(pieces[place])
            place += 1
    return result


def _follows_number(before: list[LatexPiece]) -> bool:
    place = len(before) - 1
    while place >= 0 and before[place].kind == "space":
        place -= 1
    return place >= 0 and before[place].kind == "number"


def _end_of_unit(pieces: list[LatexPiece], start: int) -> int:
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


def with_scripts(base: LatexPiece, below: str, above: str) -> LatexPiece:
    """A base with what stands at its lower and upper right; primes need no sign."""
    ending = f"_{{{below}}}" if below else ""
    if above:
        ending += above if _ONLY_PRIMES.fullmatch(above) else f"^{{{above}}}"
    return _scripted(base, ending) if ending else base


def _scripted(base: LatexPiece, ending: str) -> LatexPiece:
    tex = f"{base.tex}{ending}" if is_one(base.tex) else f"{{{base.tex}}}{ending}"
    if base.kind == "upright" and base.inside.isalpha():
        is_unit = re.fullmatch(r"\^\{-?\s?\d{1,2}\}", ending) is not None
        return LatexPiece(tex, "upright" if is_unit else "plain", f"{base.inside}{ending}", ending)
    return LatexPiece(tex, "number" if base.kind == "number" and not ending.startswith("_") else "plain")


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
