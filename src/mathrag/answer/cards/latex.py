"""A card as LaTeX to paste into a document that loads amsmath and textcomp. No word of a stranger becomes a command."""

from __future__ import annotations

from typing import assert_never

from mathrag.answer.cards.content import Card, Command, Inline, Line, Math, Section, Words
from mathrag.answer.clean_text import between_its_blanks, clean
from mathrag.store.export.latex_document import escape_latex

_LONGEST = 4_000


def latex_card(card: Card) -> str:
    """The card as a fragment of LaTeX."""
    parts = [f"\\paragraph*{{{_line(card.headline)}}}"]
    for section in card.sections:
        parts.append(f"\\subparagraph*{{{escape_latex(section.title)}}}")
        parts.append(_section(section))
    return "\n".join(parts)


def _section(section: Section) -> str:
    match section.layout:
        case "columns":
            return _table(section)
        case "items":
            items = "\n".join(f"  \\item {{}}{_line(line)}" for line in section.lines)
            return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"
        case "formulas":
            return "\n".join(_display(line) for line in section.lines)
        case "lines":
            return "\\\\\n".join(_guarded(_line(line)) for line in section.lines)
    assert_never(section.layout)


def _display(line: Line) -> str:
    match line:
        case (Math(_, latex),):
            return f"\\[ {latex} \\]"
        case _:
            return f"\\par {_line(line)}\\par"


def _table(section: Section) -> str:
    # The last column holds sentences and may break; the others are short.
    columns = "l" * (len(section.header) - 1) + ("p{0.5\\textwidth}" if len(section.header) == 3 else "l")
    lines = [f"\\begin{{tabular}}{{{columns}}}", f"{_row(section.header)} \\hline"]
    return "\n".join([*lines, *(_row(row) for row in section.rows), "\\end{tabular}"])


def _row(cells: tuple[Line, ...]) -> str:
    return f"{_guarded(' & '.join(_line(cell) for cell in cells))} \\\\"


def _guarded(line: str) -> str:
    """After the end of a line, LaTeX takes a bracket or a star for a part of that end."""
    return f"{{}}{line}" if line.startswith(("[", "*")) else line


def _line(line: Line) -> str:
    return "".join(_inline(part) for part in line).strip()


def _inline(part: Inline) -> str:
    match part:
        case Words(text):
            return between_its_blanks(text, escape_latex(clean(text, longest=_LONGEST)))
        case Math(_, latex):
            return f"${latex}$"
        case Command(text):
            return f"\\texttt{{{escape_latex(clean(text, longest=_LONGEST))}}}"
    assert_never(part)
