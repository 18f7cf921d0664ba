"""What computing, solving and converting give in Python: numbers to go on with, text to print, a notebook's display."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mathrag.types.library import Span
from mathrag.types.quantity import Quantity

# For the eye; `value` has them all.
_FIGURES = 6


class _Written:
    """Prints as text; in a notebook as LaTeX and as MathML."""

    __slots__ = ()

    def _latex(self) -> str:
        raise NotImplementedError

    def _repr_latex_(self) -> str | None:
        from mathrag.answer.clean_text import is_safe_latex, shown_latex

        latex = self._latex()
        return f"${shown_latex(latex)}$" if is_safe_latex(latex) else None

    def _repr_html_(self) -> str | None:
        from mathrag.library.views.mathml import mathml_of_latex

        return mathml_of_latex(self._latex())


@dataclass(frozen=True, slots=True, repr=False)
class Amount(_Written):
    """A quantity that reads well: `str(amount)` is `26.8224 m/s`, `float(amount)` its number in full precision."""

    quantity: Quantity

    @property
    def value(self) -> float | int:
        """The number, in `unit`, not rounded."""
        return self.quantity.value

    @property
    def unit(self) -> str:
        """The unit as canonical text, such as `m/s`; empty for a plain number."""
        return self.quantity.unit.text

    @property
    def uncertainty(self) -> float | None:
        """The standard uncertainty in the same unit, where one is known."""
        return self.quantity.uncertainty

    def __float__(self) -> float:
        return float(self.quantity.value)

    def __repr__(self) -> str:
        return f"Amount({str(self)!r})"

    def __str__(self) -> str:
        from mathrag.answer.figures import stated_quantity_text

        return stated_quantity_text(_rounded(self.quantity))

    def _latex(self) -> str:
        from mathrag.answer.figures import stated_quantity_latex

        return stated_quantity_latex(_rounded(self.quantity))


def _rounded(quantity: Quantity) -> Quantity:
    """For the eye: six figures without the zeros at the end. An uncertainty says by itself how many there are."""
    if quantity.uncertainty is not None or isinstance(quantity.value, int):
        return quantity
    return Quantity(float(f"{quantity.value:.{_FIGURES}g}"), quantity.unit)


@dataclass(frozen=True, slots=True)
class Computed(_Written):
    """The value of one symbol of a formula.

    `values` are all that went in, and `sources` says where those come from that were not given (constants). `others`
    are the other solutions, where there are several. `rearranged` is what the symbol equals, as Python writes it.
    """

    formula: str
    label: str
    symbol: str
    result: Amount
    values: Mapping[str, Amount]
    sources: Mapping[str, str]
    others: tuple[Amount, ...] = ()
    rearranged: str = ""
    method: str = ""
    notes: tuple[str, ...] = ()

    @property
    def value(self) -> float | int:
        """The number, in `unit`, not rounded."""
        return self.result.value

    @property
    def unit(self) -> str:
        """The unit of the result as canonical text."""
        return self.result.unit

    def __float__(self) -> float:
        return float(self.result)

    def __str__(self) -> str:
        return f"{self.symbol} = {self.result}"

    def _latex(self) -> str:
        from mathrag.compute.printers.latex import symbol_latex

        return f"{symbol_latex(self.symbol)} = {self.result._latex()}"


@dataclass(frozen=True, slots=True)
class Curve:
    """A result (`target`, in `unit`) against one value (`symbol`, in `symbol_unit`); None where there is no result."""

    formula: str
    label: str
    symbol: str
    symbol_unit: str
    target: str
    unit: str
    x: tuple[float, ...] = field(repr=False)
    y: tuple[float | None, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.x)

    def __str__(self) -> str:
        known = sum(value is not None for value in self.y)
        ends = f"{self.x[0]:g} to {self.x[-1]:g} {self.symbol_unit}".strip() if self.x else "nothing"
        said = f" in {self.unit}" if self.unit else ""
        return f"{self.target}{said} for {self.symbol} from {ends}: {known} of {len(self.x)} points"


@dataclass(frozen=True, slots=True)
class SolvedForm(_Written):
    """One thing that a symbol equals: as Python writes it, and as LaTeX. `is_usual` marks the branch that is used."""

    symbol: str
    expression: str
    latex: str
    is_usual: bool = True
    note: str = ""

    def __str__(self) -> str:
        return f"{self.symbol} = {self.expression}" + (f"  ({self.note})" if self.note else "")

    def _latex(self) -> str:
        from mathrag.compute.printers.latex import symbol_latex

        return f"{symbol_latex(self.symbol)} = {self.latex}"


@dataclass(frozen=True, slots=True)
class Solved(_Written):
    """An equation solved for a symbol in closed form; the usual solution stands first."""

    symbol: str
    solutions: tuple[SolvedForm, ...]

    @property
    def usual(self) -> SolvedForm:
        """The solution that computing uses."""
        return self.solutions[0]

    def __str__(self) -> str:
        return "\n".join(map(str, self.solutions))

    def _latex(self) -> str:
        return self.usual._latex()


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A place where something stands: the document by name, the exact words there, and the passage around them."""

    entry: str
    document: str
    span: Span
    passage: str = field(repr=False)

    @property
    def quote(self) -> str:
        """The exact words."""
        return self.span.quote

    def __str__(self) -> str:
        where = ", ".join(part for part in (self.document, str(self.span.place)) if part)
        return f"{where}: {' '.join(self.quote.split())}"
