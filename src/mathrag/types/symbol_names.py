"""How symbols are named: one ASCII identifier for each way a symbol can look, and back to its parts.

`\\Delta x` is `Delta_x`, `v_{\\mathrm{avg}}` is `v_avg`, `\\bar x` is `x_bar`, `[\\mathrm{H^+}]` is `conc_H_plus`. The
name is the identity of a symbol; its parts (letter, subscripts, marks, prefix) are read off the name when needed.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_GREEK_NAMES = tuple(
    (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi "
        "chi psi omega"
    ).split()
)
GREEK: dict[str, str] = {
    **dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _GREEK_NAMES, strict=True)),
    **dict(zip("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", (name.capitalize() for name in _GREEK_NAMES), strict=True)),
    "ϵ": "epsilon",
    "ϑ": "theta",
    "ϕ": "phi",
    "ϱ": "rho",
    "ς": "sigma",
    "ϖ": "varpi",
    "ϰ": "kappa",
    "µ": "mu",
    "∆": "Delta",
    "Ω": "Omega",
    "ℓ": "ell",
    "ℏ": "hbar",
    "ħ": "hbar",
    "ℯ": "e",
    "Å": "angstrom",
    "ı": "i",
    "ȷ": "j",
}
GREEK_NAMES = frozenset((*_GREEK_NAMES, *(name.capitalize() for name in _GREEK_NAMES)))
WORD_LETTERS = frozenset((*GREEK_NAMES, "ell", "hbar", "varpi"))

# Marks that may stand over, after or above a letter; the LaTeX printer and the readers share this list.
ACCENT_MARKS = ("bar", "hat", "dot", "ddot", "vec", "tilde", "underline", "breve", "check", "ring", "mean", "cal")
SCRIPT_MARKS = ("prime", "dprime", "tprime", "star", "circ", "dagger", "ddagger", "plus", "minus")
MARKS = frozenset((*ACCENT_MARKS, *SCRIPT_MARKS))

# A change, a net sum and a concentration each make one symbol with what follows.
PREFIXES = ("Delta", "Sigma", "conc")


@dataclass(frozen=True, slots=True)
class SymbolParts:
    """A symbol taken apart: `Delta_G_f_circ` is prefix Delta, letter G, subscripts (f,), marks (circ,)."""

    letter: str
    subscripts: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    prefix: str = ""

    def extended(
        self, *, subscripts: Iterable[str] = (), marks: Iterable[str] = (), prefix: str | None = None
    ) -> SymbolParts:
        """The same symbol with more subscripts and marks after its own, or under another prefix."""
        chosen = self.prefix if prefix is None else prefix
        return SymbolParts(self.letter, (*self.subscripts, *subscripts), (*self.marks, *marks), chosen)


@lru_cache(maxsize=8192)
def split_name(name: str) -> SymbolParts:
    """Take a symbol name apart."""
    pieces = [piece for piece in name.split("_") if piece]
    if not pieces:
        return SymbolParts(name)
    prefix = ""
    if len(pieces) > 1 and pieces[0] in PREFIXES and not pieces[1].isdigit():
        prefix = pieces.pop(0)
    letter, rest = pieces[0], pieces[1:]
    marks: list[str] = []
    while rest and rest[-1] in MARKS:
        marks.insert(0, rest.pop())
    return SymbolParts(letter, tuple(rest), tuple(marks), prefix)


def join_name(parts: SymbolParts) -> str:
    """Make the name of the parts: `join_name(split_name(name)) == name` for every name a reader makes."""
    pieces = [*([parts.prefix] if parts.prefix else []), parts.letter, *parts.subscripts, *parts.marks]
    return safe_identifier("_".join(pieces))


def safe_identifier(text: str) -> str:
    """Keep letters, digits and underscores; never a Python keyword, never a digit first."""
    cleaned = re.sub(r"[^0-9A-Za-z_]", "", text)
    cleaned = re.sub(r"__+", "_", cleaned)
    if not cleaned or cleaned[0].isdigit():
        cleaned = f"x{cleaned}"
    # pi alone is the number, in every notation; a symbol of that letter needs another name, as a keyword does.
    return f"{cleaned}_" if keyword.iskeyword(cleaned) or cleaned == "pi" else cleaned
