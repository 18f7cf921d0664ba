"""Words, signs and scripts of tagged text as tokens, each with the scripts that hang on it. Judges nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from mathrag.documents.html.walk import Run

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
