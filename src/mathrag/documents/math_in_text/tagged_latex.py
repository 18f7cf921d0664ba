"""Formulas of tagged text as LaTeX that says the same. What it gets is a formula; what is left open gives None."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mathrag.compute.grammar.lexicon import SURE_NAMES
from mathrag.documents.math_in_text.tokens import FUNCTIONS, TextToken, closing_bracket
from mathrag.types.symbol_names import GREEK

TAGGED_FUNCTIONS = FUNCTIONS | {"lim", "det", "lg"}
_WITH_BASE = frozenset(("10", "2"))


@dataclass(slots=True)
class TaggedToken(TextToken):
    """A word or a sign and what hangs on it, as tokens and as bare characters.

    `is_aside` tells a mark or a piece of a program, which is part of no formula; `owner` is what says that the token
    belongs to a formula, where anything does.
    """

    below: list[TaggedToken] = field(default_factory=list)
    above: list[TaggedToken] = field(default_factory=list)
    subscript: str = ""
    superscript: str = ""
    has_scripts: bool = False
    primes: int = 0
    white_is_italic: bool = True
    is_overlined: bool = False
    is_aside: bool = False
    owner: object = None


_SIGNS = {
    **dict.fromkeys("−–", "-"), **dict.fromkeys("·⋅∙•*", r"\cdot"), "×": r"\times", "÷": r"\div", "±": r"\pm",
    "∓": r"\mp", "≈": r"\approx", "≅": r"\approx", "≡": r"\equiv", "≠": r"\neq", "≤": r"\leq", "≥": r"\geq",
    "∝": r"\propto", "≪": r"\ll", "≫": r"\gg", "∞": r"\infty",
}  # fmt: skip
_FRACTIONS = {
    "½": "12", "⅓": "13", "¼": "14", "¾": "34", "⅔": "23", "⅛": "18", "⅜": "38", "⅝": "58", "⅞": "78", "⅕": "15",
    "⅖": "25", "⅗": "35", "⅘": "45", "⅙": "16", "⅚": "56",
}  # fmt: skip
_CAPITALS = {"Omicron": "O", "omicron": "o", "mu": r"\mu", "angstrom": r"\mathrm{Å}"}
_LATIN_CAPITALS = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True))
_DEEPEST = 3
# Letters that together are several indices, not a word.
_INDICES = frozenset("ij ik jk kl mn xx xy xz yx yy yz zx zy zz ijk nm lm".split())


def write_formula(tokens: Sequence[TaggedToken], *, depth: int = 0) -> str | None:
    """LaTeX of a row of tokens; None where it is open what is meant."""
    parts: list[str] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.kind == "root":
            written = _root(tokens, place, depth)
        elif token.kind == "number" and _is_fraction(tokens, place):
            # `1/2 mv²` is half of mv², never one divided by all that follows.
            written = rf"\frac{{{token.text}}}{{{tokens[place + 2].text}}}", place + 3
        elif token.text.lower() == "log" and _has_base(tokens, place):
            written = rf"\log_{{{tokens[place + 1].text}}}", place + 2
        elif _is_flattened(tokens, place):
            # `R3` was `R` with a subscript once; of `mc2` nobody knows.
            is_letter = len(token.text) == 1
            written = (f"{token.text}_{{{tokens[place + 1].text}}}", place + 2) if is_letter else None
        else:
            text = _token(token, depth)
            written = None if text is None else (text, place + 1)
        if written is None:
            return None
        parts.append(written[0])
        place = written[1]
    return _joined(parts)


def _joined(parts: list[str]) -> str:
    """With spaces as a person sets them: none inside brackets, one round signs and between factors."""
    text = ""
    for part in parts:
        is_tight = not text or text[-1] in "([" or part[0] in ")],!'" or text.endswith(r"\sqrt")
        text += part if is_tight or (part in ("(", "[") and text[-1] not in "=+-/,") else f" {part}"
    return text


def _token(token: TaggedToken, depth: int) -> str | None:
    match token.kind:
        case "word":
            base = _word(token)
        case "greek":
            base = _greek(token.text)
        case "number":
            base = token.text.replace(",", "")
        case "relation" | "operator" | "infinity":
            return _SIGNS.get(token.text, token.text)
        case "fraction":
            digits = _FRACTIONS[token.text]
            base = rf"\frac{{{digits[0]}}}{{{digits[1]}}}"
        case "open" | "close" | "prime":
            base = "'" if token.kind == "prime" else token.text
        case _:
            base = {",": ",", "!": "!", "|": "|", "%": r"\%", "°": r"^{\circ}"}.get(token.text)
    if base is None:
        return None
    return _with_scripts(base, token, depth)


def _word(token: TaggedToken) -> str | None:
    text = token.text
    if not text.isascii():
        return None
    if text.lower() in TAGGED_FUNCTIONS and len(text) > 1:
        return f"\\{text.lower()}"
    if len(text) == 1:
        return rf"\mathbf{{{text}}}" if token.bold else text
    if token.italic or not token.has_scripts:
        # Capitals may be one name (KE) or a product (PV): the formula reader knows names, spaces would hide them.
        return text if text[0].isupper() or text in SURE_NAMES else " ".join(text)
    if text[0].isupper():
        return rf"\mathrm{{{text}}}"
    return " ".join(text)


def _greek(character: str) -> str | None:
    if character in _LATIN_CAPITALS:
        return _LATIN_CAPITALS[character]
    if character in ("ϖ", "ℓ", "ℏ", "ħ"):
        return {"ϖ": r"\varpi", "ℓ": r"\ell"}.get(character, r"\hbar")
    name = GREEK.get(character)
    return None if name is None else _CAPITALS.get(name, f"\\{name}")


def _with_scripts(base: str, token: TaggedToken, depth: int) -> str | None:
    text = base + "'" * token.primes
    for sign, script, shown in (("_", token.below, token.subscript), ("^", token.above, token.superscript)):
        if not shown:
            continue
        inner = _script(script, is_below=sign == "_", depth=depth + 1)
        if inner is None:
            return None
        text += f"{sign}{{{inner}}}"
    return text


def _script(tokens: list[TaggedToken], *, is_below: bool, depth: int) -> str | None:
    """What stands in a script: a word below is a label, letters above are factors."""
    if depth > _DEEPEST or not tokens:
        return None
    if not is_below:
        return "*" if [token.text for token in tokens] == ["*"] else write_formula(tokens, depth=depth)
    parts = [_label(token, depth) for token in tokens]
    return None if any(part is None for part in parts) else _joined_label([part for part in parts if part], tokens)


def _label(token: TaggedToken, depth: int) -> str | None:
    if token.kind == "word" and len(token.text) > 1 and token.text.isascii() and token.text not in _INDICES:
        return _with_scripts(rf"\mathrm{{{token.text}}}", token, depth)
    if token.kind == "word" and token.text in _INDICES:
        return _with_scripts(token.text, token, depth)
    if token.kind == "other" and token.text in ".;:":
        return token.text
    return _token(token, depth)


def _joined_label(parts: list[str], tokens: list[TaggedToken]) -> str:
    """Words of a label in one piece (`before collision`); signs and digits close together (`n-1`)."""
    if len(parts) > 1 and all(token.kind == "word" and not token.has_scripts for token in tokens):
        return rf"\mathrm{{{' '.join(token.text for token in tokens)}}}"
    text = ""
    for part in parts:
        # A command swallows the letter after it.
        text += f" {part}" if text and part[0].isalpha() and text[-1].isalpha() else part
    return text


def _has_base(tokens: Sequence[TaggedToken], place: int) -> bool:
    """`log10(`: a number that clings to the logarithm and is no argument, since one follows."""
    ahead = tokens[place + 1 : place + 3]
    return len(ahead) == 2 and ahead[0].text in _WITH_BASE and not ahead[0].gap and not tokens[place].has_scripts


def _is_flattened(tokens: Sequence[TaggedToken], place: int) -> bool:
    """Whether a digit clings to a letter without any tag between."""
    if tokens[place].kind != "word" or tokens[place].has_scripts or tokens[place].primes or place + 1 >= len(tokens):
        return False
    following = tokens[place + 1]
    return following.kind == "number" and not following.gap and tokens[place].text.lower() not in TAGGED_FUNCTIONS


def _is_fraction(tokens: Sequence[TaggedToken], place: int) -> bool:
    """Whether digits, a slash and digits, with no white between, are a factor of what follows."""
    ahead = tokens[place + 1 : place + 4]
    if len(ahead) < 3 or ahead[0].text != "/" or ahead[1].kind != "number" or ahead[0].gap or ahead[1].gap:
        return False
    if tokens[place].has_scripts or ahead[1].has_scripts or ahead[2].kind not in ("word", "greek", "open"):
        return False
    return place == 0 or tokens[place - 1].kind in ("operator", "relation", "open")


def _root(tokens: Sequence[TaggedToken], place: int, depth: int) -> tuple[str, int] | None:
    """A root over a bracket, an overlined piece, or one symbol with nothing after it that it might cover too."""
    command = r"\sqrt" if tokens[place].text == "√" else r"\sqrt[3]"
    first = stop = place + 1
    if first >= len(tokens):
        return None
    if tokens[first].is_overlined:
        while stop < len(tokens) and tokens[stop].is_overlined:
            stop += 1
        body = tokens[first:stop]
    elif tokens[first].kind == "open":
        closing = closing_bracket(tokens, first)
        if closing is None or tokens[closing].has_scripts:
            return None
        body = tokens[first + 1 : closing]
        stop = closing + 1
    else:
        stop = first + 1
        following = tokens[stop] if stop < len(tokens) and not tokens[stop].gap else None
        is_clear = tokens[first].kind in ("number", "greek") or len(tokens[first].text) == 1
        if not is_clear or (following is not None and (following.kind in ("word", "greek") or following.text == "/")):
            return None
        body = tokens[first:stop]
    inner = write_formula(body, depth=depth + 1) if depth < 20 else None
    return None if not inner else (f"{command}{{{inner}}}", stop)
