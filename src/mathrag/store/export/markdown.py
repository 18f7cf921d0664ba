"""The library as Markdown: a readable card for each formula. Read in again, the cards give the same formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mathrag.compute.latex import read_latex
from mathrag.compute.printers.latex import latex_text, symbol_latex
from mathrag.store.export.sources import Sources, by_document, one_line, sources_of
from mathrag.store.graph.contents import LibraryContents
from mathrag.types.expression import Equation, Reading
from mathrag.types.library import Constant, Formula

# A backslash before brackets would begin a formula for many readers of Markdown, so those are written by number.
_ESCAPES = str.maketrans({sign: f"\\{sign}" for sign in "`*_{}<>|~$&^"} | {"\\": "&#92;", "[": "&#91;", "]": "&#93;"})
# At the beginning of a line these make a list, a heading or a rule.
_LEADING = re.compile(r"^(\d*)([.)#+\-=])")
_LONGEST_QUOTE = 2_000
_RELATIONS = {"<": "<", "<=": "\\leq", ">": ">", ">=": "\\geq", "=": "=", "!=": "\\neq"}


def markdown_text(contents: LibraryContents) -> Iterator[str]:
    """A Markdown document, a card at a time, under the titles of the documents that the formulas come from."""
    sources = sources_of(contents)
    yield "# Formulas\n"
    for document, formulas in by_document(contents, sources):
        yield f"\n## {escape_markdown(sources.title(document))}\n"
        for formula in formulas:
            yield "\n".join(_card(formula, sources)) + "\n"
    if contents.constants:
        yield "\n## Constants\n\n| Symbol | Value | Unit | Name | Source |\n|---|---|---|---|---|\n"
        for constant in sorted(contents.constants, key=lambda each: (each.name, each.id)):
            yield _constant(constant, sources)


def escape_markdown(text: str) -> str:
    """Text on one line that Markdown shows as it is."""
    return _LEADING.sub(r"\1\\\2", one_line(text).translate(_ESCAPES))


def _card(formula: Formula, sources: Sources) -> Iterator[str]:
    yield f"\n### {escape_markdown(formula.label or formula.id)}\n"
    if formula.equation is not None:
        yield f"$$\n{_displayed(formula.equation)}\n$$\n"
    else:
        yield f"{_code(formula.latex[:_LONGEST_QUOTE])}\n"
    if formula.status != "executable":
        yield f"Not computed ({formula.status}): {escape_markdown(formula.reason)}\n"
    if formula.description and formula.description != formula.label:
        yield f"{escape_markdown(formula.description)}\n"
    if formula.symbols:
        yield "| Symbol | Meaning | Unit |\n|---|---|---|"
        for symbol in formula.symbols:
            unit = "" if symbol.unit is None else escape_markdown(symbol.unit or "1")
            yield f"| ${symbol_latex(symbol.name)}$ | {escape_markdown(symbol.description)} | {unit} |"
        yield ""
    inside = () if formula.equation is None else formula.equation.conditions
    said = (*(each.text for each in formula.conditions), *(each.text for each in inside))
    for words in dict.fromkeys(said):
        if words:
            yield f"Valid: {escape_markdown(words)}\n"
    for instance in formula.instances:
        yield f"Example ({instance.verdict}): {_code(instance.text)}\n"
    for span in formula.spans:
        yield f"Source: {escape_markdown(sources.place(span))}\n"
    yield f"<!-- {formula.id} -->"


def _displayed(equation: Equation) -> str:
    """The equation in LaTeX, with the conditions it carries where they can be read again."""
    plain = latex_text(equation)
    if not equation.conditions:
        return plain
    comparisons = (each for condition in equation.conditions for each in condition.comparisons)
    shown = [f"{latex_text(each.left)} {_RELATIONS[each.relation]} {latex_text(each.right)}" for each in comparisons]
    conditional = ", \\quad ".join((plain, *shown))
    reading = read_latex(conditional)
    is_same = isinstance(reading, Reading) and [each.right for each in reading.equations] == [equation.right]
    return conditional if is_same else plain


def _code(text: str) -> str:
    """Between as many backticks as it takes."""
    shown = one_line(text)
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    marks = "`" * (longest + 1)
    return f"{marks} {shown} {marks}" if shown else ""


def _constant(constant: Constant, sources: Sources) -> str:
    places = "; ".join(escape_markdown(sources.place(span)) for span in constant.spans)
    letter = f"${symbol_latex(constant.symbol)}$" if constant.symbol else ""
    return (
        f"| {letter} | {constant.value} | {escape_markdown(constant.unit)} "
        f"| {escape_markdown(constant.name or constant.description)} | {places} |\n"
    )
