"""Tokens of tagged text as LaTeX that says the same. What it gets is a formula; what is left open gives None."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mathrag.compute.grammar.lexicon import SURE_NAMES
from mathrag.documents.html.walk import Run
from mathrag.types.symbol_names import GREEK

# Words, signs and scripts of tagged text as tokens, each with the scripts that hang on it. Judges nothing.

# Greek, raised, lowered and fractional characters, which Python counts among the letters.
_NO_WORD = (
    r"\u0370-\u03ff\u00b2\u00b3\u00b5\u00b9\u00bc-\u00be\u0127"
    r"\u1d62-\u1d6a\u2070-\u209c\u210f\u2113\u2126\u2150-\u215e\u2c7c"
)
_TOKEN = re.compile(
    r"""
      (?P<space>[\s\u2061\u2062]+)
    | (?P<number>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)
    | (?P<greek>[\u0391-\u03a9\u03b1-\u03c9ϑϕϖϱϵµ∆Ωℏħℓ])
    | (?P<word>[^\W\d_NO_WORD]+)
    | (?P<relation>[=≈≅≡≠≤≥<>∝≪≫])
    | (?P<operator>[-+−–*/·⋅∙•×÷±∓])
    | (?P<root>[√∛])
    | (?P<fraction>[½⅓¼¾⅔⅛⅜⅝⅞⅕⅖⅗⅘⅙⅚])
    | (?P<prime>[′″'’])
    | (?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ]+)
    | (?P<lowered>[₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ]+)
    | (?P<open>[(\[])
    | (?P<close>[)\]])
    | (?P<infinity>∞)
    | (?P<other>.)
    """.replace("NO_WORD", _NO_WORD),
    re.VERBOSE | re.DOTALL,
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n")
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-aeoxhklmnpstijruv")
_REACH = 60
_BASES = frozenset(("word", "greek", "number", "close", "prime"))


@dataclass(slots=True)
class Token:
    """One word or sign on the line and what hangs on it; `first` and `last` are positions (run, character)."""

    kind: str
    text: str
    first: tuple[int, int]
    last: tuple[int, int]
    run: Run
    sub: list[Run] = field(default_factory=list)
    sup: list[Run] = field(default_factory=list)
    primes: int = 0

    @property
    def italic(self) -> bool:
        return self.run.style.italic

    @property
    def subscript(self) -> str:
        """The characters below, without style."""
        return "".join(run.text for run in self.sub).strip() if self.sub else ""

    @property
    def superscript(self) -> str:
        """The characters above, without style."""
        return "".join(run.text for run in self.sup).strip() if self.sup else ""

    @property
    def has_scripts(self) -> bool:
        return bool(self.sub or self.sup)


def tokens_of(runs: Sequence[Run]) -> list[Token]:
    """The tokens of consecutive runs. A script with nothing to hang on becomes a token of kind `loose`."""
    tokens: list[Token] = []
    for position, run in enumerate(runs):
        if run.style.scripts:
            _hang(tokens, run, position)
            continue
        start, stop = _prose(run.text)
        _add_tokens(tokens, run, position, (0, start))
        if start < stop:
            tokens.append(Token("other", run.text[start:stop], (position, start), (position, stop), run))
            _add_tokens(tokens, run, position, (stop, len(run.text)))
    return tokens


def _prose(text: str) -> tuple[int, int]:
    """From where to where a long run is only words: a formula with tags in it reaches no further into plain text."""
    if len(text) <= 3 * _REACH:
        return len(text), len(text)
    start, stop = text.find(" ", _REACH), text.rfind(" ", 0, len(text) - _REACH)
    return (start, stop) if 0 <= start < stop else (len(text), len(text))


def _add_tokens(tokens: list[Token], run: Run, position: int, within: tuple[int, int]) -> None:
    for found in _TOKEN.finditer(run.text, *within):
        kind = found.lastgroup or "other"
        first, last = (position, found.start()), (position, found.end())
        if kind in ("raised", "lowered"):
            _hang_characters(tokens, kind, Token(kind, found.group(), first, last, run))
        elif kind == "prime" and _takes_prime(tokens, run.text[found.start() : found.end() + 1]):
            tokens[-1].primes += 2 if found.group() == "″" else 1
            tokens[-1].last = last
        else:
            tokens.append(Token(kind, found.group(), first, last, run))


def _hang(tokens: list[Token], run: Run, position: int) -> None:
    """Put a raised or lowered run on the token before it."""
    last = (position, len(run.text))
    if not run.text.strip():
        if tokens:
            tokens.append(Token("space", run.text, (position, 0), last, run))
        return
    base = tokens[-1] if tokens else None
    if base is not None and run.style.is_mark:
        base = None
    if base is None or base.kind not in _BASES:
        tokens.append(Token("loose", run.text, (position, 0), last, run))
        return
    (base.sub if run.style.scripts[0] == "sub" else base.sup).append(run)
    base.last = last


def _hang_characters(tokens: list[Token], kind: str, token: Token) -> None:
    """Unicode scripts (`v₀`, `t²`) become scripts like those of tags."""
    base = tokens[-1] if tokens else None
    if base is None or base.kind not in _BASES:
        tokens.append(Token("other", token.text, token.first, token.last, token.run))
        return
    text = token.text.translate(_RAISED if kind == "raised" else _LOWERED)
    script = Run(text, token.run.style, token.run.node)
    (base.sup if kind == "raised" else base.sub).append(script)
    base.last = token.last


def _takes_prime(tokens: list[Token], signs: str) -> bool:
    """A prime belongs to a lone letter right before it; in `<i>v</i>'s` and after a word it is an apostrophe."""
    if not tokens or (signs[0] in "'’" and signs[1:].isalpha()):
        return False
    base = tokens[-1]
    is_letter = base.kind == "greek" or (base.kind == "word" and len(base.text) == 1)
    return is_letter and (base.italic or base.has_scripts or base.kind == "greek")


FUNCTIONS = frozenset(
    "sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan ln log exp max min lim det".split()
)
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


def write_formula(tokens: Sequence[Token], *, depth: int = 0) -> str | None:
    """LaTeX of a row of tokens; None where it is open what is meant."""
    parts: list[str] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.kind == "space":
            place += 1
            continue
        if token.kind == "root":
            written = _root(tokens, place, depth)
        elif token.kind == "number" and _is_fraction(tokens, place):
            # `1/2 mv²` is half of mv², never one divided by all that follows.
            written = rf"\frac{{{token.text}}}{{{tokens[place + 2].text}}}", place + 3
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


def _token(token: Token, depth: int) -> str | None:
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


def _word(token: Token) -> str | None:
    text = token.text
    if not text.isascii():
        return None
    if text.lower() in FUNCTIONS and len(text) > 1:
        return f"\\{text.lower()}"
    if len(text) == 1:
        return rf"\mathbf{{{text}}}" if token.run.style.bold else text
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


def _with_scripts(base: str, token: Token, depth: int) -> str | None:
    text = base + "'" * token.primes
    for sign, runs, is_below in (("_", token.sub, True), ("^", token.sup, False)):
        if not runs:
            continue
        inner = script_latex(runs, is_below=is_below, depth=depth + 1)
        if inner is None:
            return None
        text += f"{sign}{{{inner}}}"
    return text


def script_latex(runs: Sequence[Run], *, is_below: bool, depth: int) -> str | None:
    """What stands in a script: a word below is a label, letters above are factors."""
    if depth > _DEEPEST:
        return None
    lifted = [replace(run, style=replace(run.style, scripts=run.style.scripts[1:])) for run in runs]
    tokens = [token for token in tokens_of(lifted) if token.kind != "space"]
    if not tokens:
        return None
    if not is_below:
        return "*" if [token.text for token in tokens] == ["*"] else write_formula(tokens, depth=depth)
    parts = [_label(token, depth) for token in tokens]
    return None if any(part is None for part in parts) else _joined_label([part for part in parts if part], tokens)


def _label(token: Token, depth: int) -> str | None:
    if token.kind == "word" and len(token.text) > 1 and token.text.isascii() and token.text not in _INDICES:
        return _with_scripts(rf"\mathrm{{{token.text}}}", token, depth)
    if token.kind == "word" and token.text in _INDICES:
        return _with_scripts(token.text, token, depth)
    if token.kind == "other" and token.text in ".;:":
        return token.text
    return _token(token, depth)


def _joined_label(parts: list[str], tokens: list[Token]) -> str:
    """Words of a label in one piece (`before collision`); signs and digits close together (`n-1`)."""
    if len(parts) > 1 and all(token.kind == "word" and not token.has_scripts for token in tokens):
        return rf"\mathrm{{{' '.join(token.text for token in tokens)}}}"
    text = ""
    for part in parts:
        # A command swallows the letter after it.
        text += f" {part}" if text and part[0].isalpha() and text[-1].isalpha() else part
    return text


def _is_flattened(tokens: Sequence[Token], place: int) -> bool:
    """Whether a digit clings to a letter without any tag between."""
    if tokens[place].kind != "word" or tokens[place].has_scripts or tokens[place].primes or place + 1 >= len(tokens):
        return False
    return tokens[place + 1].kind == "number" and tokens[place].text.lower() not in FUNCTIONS


def _is_fraction(tokens: Sequence[Token], place: int) -> bool:
    ahead = tokens[place + 1 : place + 4]
    if len(ahead) < 3 or ahead[0].text != "/" or ahead[1].kind != "number" or ahead[1].has_scripts:
        return False
    before = next((token for token in reversed(tokens[:place]) if token.kind != "space"), None)
    following = ahead[2] if ahead[2].kind != "space" else (tokens[place + 4] if place + 4 < len(tokens) else None)
    return (
        following is not None
        and following.kind in ("word", "greek", "open")
        and (before is None or before.kind in ("operator", "relation", "open"))
        and not tokens[place].has_scripts
    )


def _root(tokens: Sequence[Token], place: int, depth: int) -> tuple[str, int] | None:
    """A root over a bracket, an overlined piece, or one symbol with nothing after it that it might cover too."""
    command = r"\sqrt" if tokens[place].text == "√" else r"\sqrt[3]"
    first = place + 1
    while first < len(tokens) and tokens[first].kind == "space":
        first += 1
    if first >= len(tokens):
        return None
    stop = first
    if tokens[first].run.style.is_overlined:
        while stop < len(tokens) and tokens[stop].run.style.is_overlined:
            stop += 1
        body = tokens[first:stop]
    elif tokens[first].kind == "open":
        closing = _closing(tokens, first)
        if closing is None or tokens[closing].has_scripts:
            return None
        body = tokens[first + 1 : closing]
        stop = closing + 1
    else:
        stop = first + 1
        following = tokens[stop] if stop < len(tokens) else None
        is_clear = tokens[first].kind in ("number", "greek") or len(tokens[first].text) == 1
        if not is_clear or (following is not None and (following.kind in ("word", "greek") or following.text == "/")):
            return None
        body = tokens[first:stop]
    inner = write_formula(body, depth=depth + 1) if depth < 20 else None
    return None if not inner else (f"{command}{{{inner}}}", stop)


def _closing(tokens: Sequence[Token], opening: int) -> int | None:
    depth = 0
    for place in range(opening, len(tokens)):
        depth += {"open": 1, "close": -1}.get(tokens[place].kind, 0)
        if depth == 0:
            return place
    return None
