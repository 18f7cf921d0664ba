"""The library as Markdown: a readable card for each formula. Read in again, the cards give the same formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mathrag.compute.latex import read_latex
from mathrag.compute.printers.latex import latex_text, symbol_latex
from mathrag.store.graph.contents import LibraryContents
from mathrag.types.expression import Equation, Reading
from mathrag.types.library import Constant, Formula, Span

# What exports for people say about where something stands: titles of documents and places in words.


@dataclass(frozen=True, slots=True)
class Sources:
    """The names by which documents are shown, under their ids."""

    titles: Mapping[str, str]
    names: Mapping[str, str]

    def title(self, document: str) -> str:
        """The title of a document, its name where it has none, its id where it is not known."""
        return self.titles.get(document) or self.names.get(document) or document

    def place(self, span: Span) -> str:
        """For a person: `mechanics.md, line 5`."""
        name = self.names.get(span.document) or span.document
        where = str(span.place)
        return f"{name}, {where}" if where else name


def sources_of(contents: LibraryContents) -> Sources:
    """The names of all documents of a library."""
    rows = contents.of_table("documents")
    return Sources(
        {str(row["id"]): str(row.get("title") or "") for row in rows},
        {str(row["id"]): str(row.get("name") or "") for row in rows},
    )


def by_document(contents: LibraryContents, sources: Sources) -> list[tuple[str, list[Formula]]]:
    """Documents by title, each with the formulas that were first found in it, in the order of the document."""
    found: dict[str, list[Formula]] = {}
    for formula in contents.formulas:
        first = min((span.document for span in formula.spans), default="")
        found.setdefault(first, []).append(formula)
    ordered = sorted(found.items(), key=lambda item: (sources.title(item[0]).casefold(), item[0]))
    return [(document, sorted(formulas, key=lambda each: _order(each, document))) for document, formulas in ordered]


def _order(formula: Formula, document: str) -> tuple[str, int, int, str]:
    places = [(s.place.file, s.place.page or 0, s.place.line or 0) for s in formula.spans if s.document == document]
    return (*min(places, default=("", 0, 0)), formula.id)


def one_line(text: str) -> str:
    """Text with every run of white space as one blank, and nothing that cannot be printed."""
    words = " ".join(text.split())
    return words if words.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in words)


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
