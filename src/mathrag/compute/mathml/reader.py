"""Read MathML, presentation or content, into equations; what cannot be read comes back declined with its place."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from mathrag.compute.choices import NO_CHOICES, Choices
from mathrag.compute.mathml.content import is_content, read_content
from mathrag.compute.mathml.elements import Element, formula_element, read_elements
from mathrag.compute.mathml.presentation import notation_of
from mathrag.compute.mathml.rows import join_upright
from mathrag.compute.notation import Row, check_size
from mathrag.errors import FormulaError
from mathrag.types.expression import Declined, Reading

_TEX_ENCODINGS = frozenset(("application/x-tex", "application/x-latex", "tex", "latex", "text/latex"))


def read_mathml(
    text: str, symbols: Collection[str] = (), *, terms: int | None = None, choices: Choices = NO_CHOICES
) -> Reading | Declined:
    """What a MathML formula says. `symbols` are names known to be one symbol each; `terms`, `choices` as for LaTeX."""
    try:
        return _read(text, symbols, terms, choices)
    except FormulaError as error:
        return Declined(text, error.code, error.reason, error.position)


def read_layout(text: str) -> Row:
    """The notation of a presentation formula, before anyone gives it meaning."""
    return _layout(formula_element(read_elements(text)))


def tex_annotation(text: str) -> str | None:
    """The TeX that a formula carries along in an annotation, if it does."""
    try:
        return next(_tex_in(formula_element(read_elements(text))), None)
    except FormulaError:
        return None


def _read(text: str, symbols: Collection[str], terms: int | None, choices: Choices) -> Reading | Declined:
    formula = formula_element(read_elements(text))
    if is_content(formula):
        return read_content(formula, text)
    row = _layout(formula)
    if row.items:
        from mathrag.compute.grammar import read_notation

        # Only letters that are marked as upright can be the letters of an upright word.
        marked = join_upright(row) if '"normal"' in text or "mtext" in text else row
        return read_notation(marked, source=text, symbols=symbols, terms=terms, choices=choices)
    tex = next(_tex_in(formula), None)
    if tex is None:
        raise FormulaError("empty", "there is nothing in this formula", position=formula.position)
    return _read_tex(tex, text, symbols, choices)


def _layout(formula: Element) -> Row:
    row = notation_of(formula)
    check_size(row)
    return row


def _read_tex(tex: str, text: str, symbols: Collection[str], choices: Choices) -> Reading | Declined:
    """Through the LaTeX reader; its places are places in the annotation, so they are moved to where that stands."""
    from mathrag.compute.latex import read_latex

    result = read_latex(tex, symbols, choices=choices)
    start = text.find(tex)
    if isinstance(result, Reading):
        return replace(result, source=text)
    position = result.position + start if result.position is not None and start >= 0 else None
    return replace(result, source=text, position=position)


def _tex_in(element: Element) -> Iterator[str]:
    pending = [element]
    while pending:
        current = pending.pop()
        if (
            current.name == "annotation"
            and current.attribute("encoding").lower() in _TEX_ENCODINGS
            and current.text.strip()
        ):
            yield current.text.strip()
        pending.extend(reversed(current.elements))
