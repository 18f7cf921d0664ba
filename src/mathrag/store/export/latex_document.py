"""The library as a LaTeX document: a section for each document, each formula with its symbols and where it stands.

Formulas are printed from the trees they were understood as; what was not understood is quoted as plain text. So nothing
that a document says ever becomes a command.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from mathrag.compute.printers.latex import latex_text, symbol_latex
from mathrag.store.export.markdown import Sources, by_document, sources_of
from mathrag.store.graph.contents import LibraryContents
from mathrag.types.library import Constant, Formula, SymbolMeaning

# Any text as LaTeX that compiles and prints that text. Formulas are printed elsewhere, from their trees.

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


_HEAD = r"""\documentclass[11pt,a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage{amsmath,amssymb}
\usepackage[margin=25mm]{geometry}
\allowdisplaybreaks
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt}
\sloppy
\begin{document}
"""
_LONGEST_QUOTE = 2_000


def latex_document(contents: LibraryContents) -> Iterator[str]:
    """A document that compiles, a formula at a time."""
    sources = sources_of(contents)
    yield _HEAD
    for document, formulas in by_document(contents, sources):
        yield f"\\section*{{{escape_latex(sources.title(document))}}}\n"
        for formula in formulas:
            yield "\n".join(_formula(formula, sources)) + "\n"
    if contents.constants:
        yield "\\section*{Constants}\n"
        for constant in sorted(contents.constants, key=lambda each: (each.name, each.id)):
            yield _constant(constant, sources)
    yield "\\end{document}\n"


def _formula(formula: Formula, sources: Sources) -> Iterator[str]:
    yield f"\\subsection*{{{escape_latex(formula.label or formula.id)}}}"
    if formula.equation is not None:
        tag = f" \\tag{{{escape_latex(formula.number)}}}" if formula.number else ""
        yield f"\\[ {latex_text(formula.equation)}{tag} \\]"
    else:
        yield f"\\texttt{{{escape_latex(formula.latex[:_LONGEST_QUOTE])}}}\\par"
    if formula.status != "executable":
        yield f"\\emph{{{escape_latex(f'{formula.status}: {formula.reason}')}}}\\par"
    if formula.description:
        yield f"{escape_latex(formula.description)}\\par"
    if formula.symbols:
        yield from _symbols(formula.symbols)
    for condition in formula.conditions:
        if condition.text:
            yield f"Holds: {escape_latex(condition.text)}\\par"
    for span in formula.spans:
        yield f"{{\\small Source: {escape_latex(sources.place(span))}}}\\par"


def _symbols(symbols: tuple[SymbolMeaning, ...]) -> Iterator[str]:
    yield "\\begin{tabular}{lp{0.55\\linewidth}l}"
    for symbol in symbols:
        unit = "" if symbol.unit is None else escape_latex(symbol.unit or "1")
        yield f"${symbol_latex(symbol.name)}$ & {escape_latex(symbol.description)} & {unit} \\\\"
    yield "\\end{tabular}\\par"


def _constant(constant: Constant, sources: Sources) -> str:
    value = escape_latex(f"{constant.value} {constant.unit}".strip())
    places = "; ".join(escape_latex(sources.place(span)) for span in constant.spans)
    letter = f"${symbol_latex(constant.symbol)}$ = " if constant.symbol else ""
    return f"{letter}{value}: {escape_latex(constant.name or constant.description)} {{\\small ({places})}}\\par\n"
