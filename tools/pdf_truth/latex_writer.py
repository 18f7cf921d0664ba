"""A planned document as LaTeX. Knows classes and environments; fonts come with the variant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pdf_truth.document_plan import (
    DisplayPiece,
    Heading,
    Inline,
    ListPiece,
    Piece,
    Prose,
    Sentence,
    TablePiece,
    Words,
)

_SPECIAL = {"%": r"\%", "&": r"\&", "#": r"\#", "_": r"\_", "°": r"$^\circ$"}
_STYLES = {"plain": "{}", "italic": r"\emph{{{}}}", "bold": r"\textbf{{{}}}"}
_COLUMNS = {"ruled": "|l|l|l|", "booktabs": "lll", "long": "lll"}


@dataclass(frozen=True, slots=True)
class Layout:
    """The class of document and what stands before its body (for a browser: style rules)."""

    document_class: str = "article"
    options: str = "11pt,a4paper"
    preamble: str = ""
    is_slides: bool = False
    has_margin_geometry: bool = True
    has_title: bool = True


def latex_document(plan: tuple[Piece, ...], layout: Layout) -> str:
    """The whole source file."""
    body = _slides(plan) if layout.is_slides else "\n\n".join(_piece(piece, layout) for piece in plan)
    geometry = r"\usepackage[margin=25mm]{geometry}" if layout.has_margin_geometry else ""
    tables = r"\usepackage{array,booktabs,longtable}"
    return "\n".join(
        (
            rf"\documentclass[{layout.options}]{{{layout.document_class}}}",
            r"\usepackage{amsmath}",
            geometry,
            tables,
            layout.preamble,
            r"\title{A collection of relations}\author{A. Writer}\date{2026}",
            r"\setlength{\emergencystretch}{2em}",
            r"\begin{document}",
            r"\maketitle" if layout.has_title and not layout.is_slides else "",
            body,
            r"\end{document}",
            "",
        )
    )


def _piece(piece: Piece, layout: Layout) -> str:
    match piece:
        case Heading():
            return rf"\{'sub' * (piece.level - 1)}section{{{piece.text}}}"
        case Prose():
            return sentence(piece.content)
        case DisplayPiece():
            return _display(piece)
        case ListPiece():
            kind = "enumerate" if piece.numbered else "itemize"
            items = "\n".join(rf"\item {sentence(item)}" for item in piece.items)
            return f"\\begin{{{kind}}}\n{items}\n\\end{{{kind}}}"
        case TablePiece():
            return _table(piece, is_narrow="twocolumn" in layout.options or "conference" in layout.options)


def sentence(content: Sentence) -> str:
    """Words and formulas of a sentence."""
    found = []
    for part in content:
        if isinstance(part, Inline):
            found.append(f"${part.formula.source}$")
        else:
            found.append(_words(part))
    return "".join(found)


def _words(words: Words) -> str:
    text = "".join(_SPECIAL.get(sign, sign) for sign in words.text)
    return _STYLES[words.style].format(text)


def _display(piece: DisplayPiece) -> str:
    star = "" if piece.numbered else "*"
    source = piece.formula.source + piece.mark
    environment = piece.formula.environment
    if not environment:
        return f"\\begin{{equation{star}}}\n{source}\n\\end{{equation{star}}}"
    if environment == "split":
        return f"\\begin{{equation{star}}}\\begin{{split}}\n{source}\n\\end{{split}}\\end{{equation{star}}}"
    return f"\\begin{{{environment}{star}}}\n{source}\n\\end{{{environment}{star}}}"


def _table(piece: TablePiece, *, is_narrow: bool) -> str:
    style = "booktabs" if is_narrow and piece.style == "long" else piece.style
    rows = [" & ".join(_cell(cell) for cell in row) + r" \\" for row in piece.rows]
    header = " & ".join(rf"\textbf{{{text}}}" for text in piece.header) + r" \\"
    if style == "ruled":
        body = "\n".join(f"{row}\\hline" for row in rows)
        table = f"\\begin{{tabular}}{{{_COLUMNS[style]}}}\\hline\n{header}\\hline\n{body}\n\\end{{tabular}}"
        return f"{{\\renewcommand{{\\arraystretch}}{{1.9}}\n\\noindent{table}}}"
    # A class with two columns cannot break a table over columns: a long one comes as several short ones.
    if style == "booktabs":
        parts = [rows[start : start + 8] for start in range(0, len(rows), 8)]
        return "\n\n\\medskip\n".join(_booktabs(header, part) for part in parts)
    body = "\n".join(rows)
    return (
        f"{{\\renewcommand{{\\arraystretch}}{{1.9}}\n\\begin{{longtable}}{{{_COLUMNS[style]}}}\\toprule\n{header}\\midrule\\endhead\n"
        f"\\bottomrule\\endfoot\n{body}\n\\end{{longtable}}}}"
    )


def _booktabs(header: str, rows: list[str]) -> str:
    body = "\n".join(rows)
    return (
        f"{{\\renewcommand{{\\arraystretch}}{{1.7}}\n\\noindent\\begin{{tabular}}{{lll}}\\toprule\n{header}\\midrule\n"
        f"{body}\\bottomrule\n\\end{{tabular}}}}"
    )


def _cell(cell: Sentence) -> str:
    return (
        re.sub(r"\$(.+)\$", r"$\\displaystyle \1$", sentence(cell)) if isinstance(cell[0], Inline) else sentence(cell)
    )


def _slides(plan: tuple[Piece, ...]) -> str:
    """Frames of a few pieces each; a table is a frame of its own."""
    frames: list[tuple[str, list[str]]] = []
    title = "Relations"
    layout = Layout(options="twocolumn")
    weight = 99
    for piece in plan:
        if isinstance(piece, Heading):
            title, weight = piece.text, 99
            continue
        for text, cost in _slide_parts(piece, layout):
            if weight + cost > 6:
                frames.append((title, []))
                weight = 0
            frames[-1][1].append(text)
            weight += cost
    return "\n".join(
        f"\\begin{{frame}}{{{title}}}\n" + "\n\n".join(parts) + "\n\\end{frame}" for title, parts in frames
    )


def _slide_parts(piece: Piece, layout: Layout) -> Iterator[tuple[str, int]]:
    if isinstance(piece, TablePiece):
        for start in range(0, len(piece.rows), 5):
            part = TablePiece("booktabs", piece.header, piece.rows[start : start + 5])
            yield _piece(part, layout), 6
    else:
        yield _piece(piece, layout), 4 if isinstance(piece, ListPiece) else 2
