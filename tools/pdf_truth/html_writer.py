"""A planned document as static HTML: formulas come ready-made from KaTeX or MathJax. Runs nothing itself."""

from __future__ import annotations

import html

from pdf_truth.document_plan import DisplayPiece, Heading, Inline, ListPiece, Piece, Prose, Sentence, TablePiece, Words
from pdf_truth.formula_lists import Formula

_TAGS = {"plain": "span", "italic": "em", "bold": "strong"}
_STYLE = (
    "body{font-family:serif;font-size:12pt;margin:0}table{border-collapse:collapse;margin:1em 0}"
    "td,th{padding:4pt 10pt;text-align:left}table.ruled td,table.ruled th{border:1px solid black}"
    "table.booktabs,table.long{border-top:1px solid black;border-bottom:1px solid black}"
    "th{border-bottom:1px solid black}"
    "@page{size:A4;margin:20mm}"
)


def formulas_to_typeset(plan: tuple[Piece, ...]) -> list[dict[str, object]]:
    """What the typesetter gets, in the order in which `html_document` asks for it."""
    found: list[dict[str, object]] = []
    for piece in plan:
        match piece:
            case DisplayPiece():
                found.append({"latex": _display_source(piece.formula) + piece.mark, "display": True})
            case Prose():
                found += _of_sentence(piece.content)
            case ListPiece():
                for item in piece.items:
                    found += _of_sentence(item)
            case TablePiece():
                for row in piece.rows:
                    for cell in row:
                        found += _of_sentence(cell)
            case Heading():
                pass
    return found


def _of_sentence(sentence: Sentence) -> list[dict[str, object]]:
    return [
        {"latex": ("\\displaystyle " if part.where == "table" else "") + part.formula.source, "display": False}
        for part in sentence
        if isinstance(part, Inline)
    ]


def _display_source(formula: Formula) -> str:
    match formula.environment:
        case "":
            return formula.source
        case "multline":
            # KaTeX knows no multline; the browser shows the rows one under the other all the same.
            return f"\\begin{{gathered}}{formula.source}\\end{{gathered}}"
        case "align" | "gather" as name:
            return f"\\begin{{{name}ed}}{formula.source}\\end{{{name}ed}}"
        case name:
            return f"\\begin{{{name}}}{formula.source}\\end{{{name}}}"


def html_document(plan: tuple[Piece, ...], typeset: list[str], *, head: str) -> str:
    """The page; `typeset` holds the formulas in the order of `formulas_to_typeset`."""
    ready = iter(typeset)

    def words(part: Words | Inline) -> str:
        if isinstance(part, Inline):
            return next(ready)
        return f"<{_TAGS[part.style]}>{html.escape(part.text)}</{_TAGS[part.style]}>"

    def sentence(content: Sentence) -> str:
        return "".join(words(part) for part in content)

    found: list[str] = []
    number = 0
    for piece in plan:
        match piece:
            case Heading():
                found.append(f"<h{piece.level + 1}>{html.escape(piece.text)}</h{piece.level + 1}>")
            case Prose():
                found.append(f"<p>{sentence(piece.content)}</p>")
            case DisplayPiece():
                number += piece.numbered and not piece.formula.environment
                label = (
                    f'<span style="float:right">({number})</span>'
                    if piece.numbered and not piece.formula.environment
                    else ""
                )
                found.append(f"<div>{label}{next(ready)}</div>")
            case ListPiece():
                tag = "ol" if piece.numbered else "ul"
                found.append(f"<{tag}>" + "".join(f"<li>{sentence(item)}</li>" for item in piece.items) + f"</{tag}>")
            case TablePiece():
                header = "".join(f"<th>{html.escape(text)}</th>" for text in piece.header)
                rows = "".join(
                    "<tr>" + "".join(f"<td>{sentence(cell)}</td>" for cell in row) + "</tr>" for row in piece.rows
                )
                found.append(
                    f'<table class="{piece.style}"><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>'
                )
    title = "A collection of relations"
    top = f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>{head}</head>'
    return f"{top}<body><h1>{title}</h1>{''.join(found)}</body></html>"
