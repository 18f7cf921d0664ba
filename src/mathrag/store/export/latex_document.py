"""The library as a LaTeX document: a section for each document, each formula with its symbols and where it stands.

Formulas are printed from the trees they were understood as; what was not understood is quoted as plain text. So nothing
that a document says ever becomes a command.
"""

from __future__ import annotations

from collections.abc import Iterator

from mathrag.compute.printers.latex import latex_text, symbol_latex
from mathrag.store.export.latex_escaping import escape_latex
from mathrag.store.export.sources import Sources, by_document, sources_of
from mathrag.store.graph.contents import LibraryContents
from mathrag.types.library import Constant, Formula, SymbolMeaning

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
