"""Fenced and indented blocks: which are formulas, and which are programs to be left alone. Runs nothing."""

from __future__ import annotations

import re

from mathrag.documents.markdown.inline import read_inline
from mathrag.documents.math_spans import MathFinder, MathSpan, number_of, without_trailing_number
from mathrag.documents.source_map import Fragment
from mathrag.documents.text_formulas import find_formula
from mathrag.types.document import Math

_LATEX_DOCUMENT = re.compile(
    r"\\(?:documentclass|usepackage|section|chapter|newcommand|def|begin\{(?:document|tabular|itemize|table|figure|tikzpicture))"
)
_OPTION = re.compile(r"[ \t]*:[\w-]+:.*")
_BLANK = re.compile(r"\n[ \t]*\n")
_MATH_LANGUAGES = frozenset(("math", "{math}", "katex", "mathjax", "eqn", "equation"))
_LATEX_LANGUAGES = frozenset(("latex", "tex"))
_NO_LANGUAGES = frozenset(("", "text", "txt", "plain", "plaintext", "none"))


def formulas_of_block(fragment: Fragment, language: str) -> list[Math]:
    """The displayed formulas that a block of code consists of; none where it is a program or a mixture."""
    name = language.strip().lower()
    if not fragment.text.strip():
        return []
    if name in _MATH_LANGUAGES:
        return _displays(fragment)
    if name in _LATEX_LANGUAGES:
        return [] if _LATEX_DOCUMENT.search(fragment.text) else _displays(fragment)
    if name in _NO_LANGUAGES:
        return _plain_formulas(fragment)
    return []


def _displays(fragment: Fragment) -> list[Math]:
    """Delimited formulas where there are any; else each paragraph of the block is one formula."""
    text = fragment.text
    if "$" in text or "\\[" in text or "\\(" in text or "\\begin{" in text:
        pieces = read_inline(fragment)
        formulas = [piece for piece in pieces if isinstance(piece, Math)]
        if formulas and all(isinstance(piece, Math) or not piece_text(piece) for piece in pieces):
            return formulas
    found: list[Math] = []
    start = 0
    for stop in (*(blank.start() for blank in _BLANK.finditer(text)), len(text)):
        math = _display(fragment, start, stop)
        if math is not None:
            found.append(math)
        start = stop
    return found


def piece_text(piece: object) -> str:
    """The words of a piece that is no formula, without spaces and full stops."""
    return str(getattr(piece, "text", "")).strip(" .,;\n")


def _display(fragment: Fragment, start: int, stop: int) -> Math | None:
    text = fragment.text
    while start < stop:
        line_end = text.find("\n", start, stop)
        line_end = stop if line_end < 0 else line_end
        if text[start:line_end].strip() and not _OPTION.fullmatch(text[start:line_end]):
            break
        start = line_end + 1
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    if start >= stop:
        return None
    inner = text[start:stop]
    number = number_of(inner)
    source = without_trailing_number(inner).strip() if number else inner
    return Math(source, "latex", fragment.place(start, stop), fragment.quote(start, stop), True, number)


def _plain_formulas(fragment: Fragment) -> list[Math]:
    """The formulas of a block whose every line is one; a block with any other line is a program."""
    found: list[Math] = []
    position = 0
    for line in fragment.text.split("\n"):
        start, position = position, position + len(line) + 1
        if not line.strip():
            continue
        span = _delimited(line)
        formula = None if span else find_formula(line)
        if span is not None:
            first, last = start + span.start, start + span.end
            source = line[span.inner_start : span.inner_end].strip()
            found.append(Math(source, "latex", fragment.place(first, last), fragment.quote(first, last), True))
        elif formula is not None and formula.start == len(line) - len(line.lstrip()):
            first, last = start + formula.start, start + formula.end
            place, quote = fragment.place(first, last), fragment.quote(first, last)
            found.append(Math(formula.source, formula.notation, place, quote, True))
        else:
            return []
    return found


def _delimited(line: str) -> MathSpan | None:
    start = len(line) - len(line.lstrip())
    if not line.startswith("$", start):
        return None
    span = MathFinder(line).at_dollar(start)
    return span if span is not None and not line[span.end :].strip() else None
