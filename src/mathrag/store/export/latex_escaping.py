"""Any text as LaTeX that compiles and prints that text. Formulas are printed elsewhere, from their trees."""

from __future__ import annotations

import unicodedata

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    # Hyphens in a row would join to a dash, and a question mark with a grave accent to another sign.
    "-": "-{}",
}
_SIGNS = {
    "–": "--", "—": "---", "‘": "`{}", "’": "'{}", "“": "``", "”": "''", "…": r"\ldots{}", "\u00a0": "~", "\u202f": "~",
    "°": r"\textdegree{}", "·": r"\textperiodcentered{}", "×": r"$\times$", "÷": r"$\div$", "±": r"$\pm$",
    "−": "$-$", "∇": r"$\nabla$", "∂": r"$\partial$", "∫": r"$\int$", "∑": r"$\sum$", "∏": r"$\prod$", "√": r"$\surd$",
    "∞": r"$\infty$", "≈": r"$\approx$", "≠": r"$\neq$", "≤": r"$\leq$", "≥": r"$\geq$", "≡": r"$\equiv$",
    "∝": r"$\propto$", "→": r"$\to$", "⇒": r"$\Rightarrow$", "⇌": r"$\rightleftharpoons$", "∈": r"$\in$",
    "ℏ": r"$\hbar$", "ℓ": r"$\ell$", "′": r"$'$", "″": r"$''$", "Å": r"\AA{}", "µ": r"$\mu$", "Ω": r"$\Omega$",
    "€": r"\texteuro{}", "£": r"\pounds{}", "¹": "$^1$", "²": "$^2$", "³": "$^3$", "½": "$1/2$", "⋅": r"$\cdot$",
}  # fmt: skip
_GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega"  # noqa: E501 - the alphabet
_LIKE_LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧ", "ABEZHIKMNOPTX", strict=True)) | {"ο": "o"}


def _greek() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in _GREEK.split():
        for case, command in (("SMALL", name), ("CAPITAL", name.capitalize())):
            spelled = name if name != "lambda" else "lamda"
            letter = unicodedata.lookup(f"GREEK {case} LETTER {spelled.upper()}")
            found[letter] = f"${_LIKE_LATIN[letter]}$" if letter in _LIKE_LATIN else f"$\\{command}$"
    return found | {"ς": r"$\varsigma$", "ϕ": r"$\phi$", "ϵ": r"$\epsilon$", "ϑ": r"$\vartheta$"}


_TABLE = _SPECIAL | _SIGNS | _greek()
_DIGITS = {
    **{chr(0x2080 + digit): f"$_{digit}$" for digit in range(10)},
    **{chr(0x2070 + digit): f"$^{digit}$" for digit in (0, 4, 5, 6, 7, 8, 9)},
    "⁻": "$^-$",
    "₋": "$_-$",
    "⁺": "$^+$",
    "₊": "$_+$",
}
_TABLE |= _DIGITS
# Letters that the usual fonts of LaTeX have; beyond them the name of the character is printed instead of it.
_LATIN = frozenset(chr(code) for code in (*range(0xC0, 0xD7), *range(0xD8, 0xF7), *range(0xF8, 0x180))) - set("ĸŉŸſ")


def escape_latex(text: str) -> str:
    """The text as LaTeX source, on one line. No character of it is ever a command."""
    return "".join(_character(character) for character in " ".join(text.split()))


def _character(character: str) -> str:
    found = _TABLE.get(character)
    if found is not None:
        return found
    if (character.isascii() and character.isprintable()) or character in _LATIN:
        return character
    return f"[U+{ord(character):04X}]"
