"""What begins on a line of typed text and may take several: a drawn fraction, a formula by cases; else its formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mathrag.documents.math_in_text.drawn_lines import drawn_formula
from mathrag.documents.math_in_text.explicit_lines import formulas_in_line
from mathrag.documents.math_in_text.typed_cases import cases_of, may_have_cases
from mathrag.documents.math_in_text.typed_lines import TextFormula
from mathrag.types.document import Display, Math, Place

_UNREAD = "the fraction that is drawn over these lines could not be put together"
_GUESS = 0.5
_MOST_LINES = 12


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines of a text, from `first` up to `stop`, and their formulas; a drawing that was not read has none."""

    first: int
    stop: int
    formulas: tuple[TextFormula, ...] = ()
    is_drawn: bool = False

    @property
    def is_prose(self) -> bool:
        """Whether no formula stands in it."""
        return not self.formulas and not self.is_drawn


def formulas_at(lines: Sequence[str], line: int) -> Stretch | None:
    """The formulas that begin on a line: drawn, by cases, or typed on it; None where none does."""
    return stretch_of_several(lines, line) or _on_one(lines, line)


def stretch_of_several(lines: Sequence[str], line: int) -> Stretch | None:
    """A formula that several lines make up, beginning on a line: drawn, or by cases."""
    drawn = drawn_formula(lines[line : line + 4])
    if drawn is not None:
        return Stretch(line, line + drawn.lines, tuple(_whole(drawn.text)), is_drawn=True)
    cases = cases_of(lines[line : line + _MOST_LINES], formulas_in_line) if may_have_cases(lines[line]) else None
    return None if cases is None else Stretch(line, line + cases[1], (cases[0],))


def _on_one(lines: Sequence[str], line: int) -> Stretch | None:
    formulas = tuple(_whole(lines[line]))
    return Stretch(line, line + 1, formulas) if formulas else None


def _whole(line: str) -> list[TextFormula]:
    """The formulas of a line that begins with one; what stands behind is a remark."""
    formulas = formulas_in_line(line) if line.strip() else []
    return formulas if formulas and not line[: formulas[0].start].strip() else []


def displays_of(stretch: Stretch, text: str, place: Place) -> Iterator[Display]:
    """The displayed formulas of a stretch whose lines are `text`; a drawing that was not read, as a guess."""
    if stretch.is_drawn and not stretch.formulas:
        math = Math(text, "text", place, text, is_display=True, confidence=_GUESS, doubts=(_UNREAD,))
        yield Display(place, text, math)
    for found in stretch.formulas:
        quote = text if stretch.stop - stretch.first > 1 else text[found.start : found.end]
        yield Display(place, quote, Math(found.source, found.notation, place, quote, is_display=True))
