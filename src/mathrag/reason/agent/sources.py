"""The numbers an episode may use, each with its origin, and the search for the origin of a number. Invents none."""

from __future__ import annotations

import math
from collections.abc import Iterator

from mathrag.reason.agent.seams import FoundConstant, Source
from mathrag.types.answer import Bound, Choice, Provenance, Step
from mathrag.types.quantity import Dimension, Quantity, Unit
from mathrag.types.question import Given, Question

SAME = 1e-9
# Far more numbers than a question has; a hostile one must not make every look-up slow.
_MOST_SOURCES = 400


class Ledger:
    """Sources in the order they came up. A number without one does not exist for the episode."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}
        self._counts: dict[str, int] = {}

    def __iter__(self) -> Iterator[Source]:
        return iter(self._sources.values())

    def get(self, identifier: str) -> Source | None:
        """The source with this name."""
        return self._sources.get(identifier)

    def add(
        self,
        prefix: str,
        quantities: tuple[Quantity, ...],
        *,
        provenance: Provenance,
        significant_figures: int | None = None,
        may_be_rounded: bool = False,
        symbol: str = "",
    ) -> Source | None:
        """Enter a number, unless an equal one of the same origin is there or there are far too many."""
        finite = tuple(quantity for quantity in quantities if is_finite(quantity.value))
        if not finite or (prefix == "given" and len(self._sources) >= _MOST_SOURCES):
            return None
        for source in self._sources.values():
            if source.provenance == provenance and all(quantity in source.quantities for quantity in finite):
                return source
        self._counts[prefix] = self._counts.get(prefix, 0) + 1
        identifier = f"{prefix}_{self._counts[prefix]}"
        source = Source(identifier, finite, provenance, significant_figures, may_be_rounded, symbol)
        self._sources[identifier] = source
        return source

    def add_question(self, question: Question) -> None:
        """Every value that a question states or implies, and how many equal things it speaks of."""
        for given in question.givens:
            provenance = given_provenance(given)
            self.add(
                "given",
                given.quantities,
                provenance=provenance,
                significant_figures=given.significant_figures,
                symbol=given.symbol,
            )
            if given.count != 1:
                self.add("count", (Quantity(given.count),), provenance=provenance)

    def add_constant(self, constant: FoundConstant) -> Source | None:
        """A constant that was retrieved."""
        return self.add(
            "constant",
            (constant.quantity,),
            provenance=constant.provenance,
            significant_figures=constant.significant_figures,
            may_be_rounded=True,
            symbol=constant.symbol,
        )

    def add_step(self, step: Step) -> None:
        """The result of a call, and the constants that its tool brought along."""
        self.add(
            "result",
            (step.result, *step.others),
            provenance=Provenance("derived", f"derived in step {step.number}", step=step.number),
            significant_figures=step.significant_figures,
            may_be_rounded=True,
            symbol=step.target,
        )
        for bound in step.bindings:
            if bound.quantity is not None and bound.provenance.origin in ("constant", "document", "assumed"):
                self._add_bound("constant", bound)

    def add_choice(self, choice: Choice, *, question: str) -> None:
        """The values of a suggestion: they come from the question by rules, in the reading that fits the formula.

        What claims to come from the question must quote it.
        """
        for step in choice.steps:
            for bound in step.bindings:
                origin, text = bound.provenance.origin, bound.provenance.text
                is_quoted = origin not in ("question", "implied") or (bool(text) and text in question)
                # Constants are retrieved, results computed: a suggestion supplies neither.
                if bound.quantity is not None and origin not in ("derived", "constant", "document") and is_quoted:
                    self._add_bound("binding", bound)

    def _add_bound(self, prefix: str, bound: Bound) -> None:
        if bound.quantity is not None:
            self.add(
                prefix,
                (bound.quantity,),
                provenance=bound.provenance,
                significant_figures=bound.significant_figures,
                may_be_rounded=prefix == "constant",
                symbol=bound.symbol,
            )

    def said_by_user(self) -> tuple[Source, ...]:
        """What the question states and the user pinned: no constants, no results."""
        return tuple(source for source in self if source.provenance.origin in ("question", "implied", "pinned"))

    def matching(self, quantity: Quantity) -> Iterator[tuple[Source, Quantity]]:
        """Sources that state the same quantity, in whatever unit, with the reading that does."""
        for source in self._sources.values():
            for reading in source.quantities:
                if is_same(reading, quantity):
                    yield source, reading
                    break

    def written_as(self, value: float, *, dimension: Dimension | None) -> Iterator[tuple[Source, Quantity]]:
        """Sources whose number reads the same, whatever its unit, with a reading of the dimension."""
        for source in self._sources.values():
            for reading in source.quantities:
                fits = dimension is None or reading.dimension == dimension
                if fits and is_close(float(reading.value), value):
                    yield source, reading
                    break


def given_provenance(given: Given) -> Provenance:
    """The origin of a value of the question."""
    if given.assumption:
        return Provenance("assumed", given.assumption)
    return Provenance("implied" if given.implied else "question", given.text)


def is_finite(value: object) -> bool:
    """Whether it is a number that a float can hold; a truth value is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def is_close(first: float, second: float) -> bool:
    """Equal but for the last digits of a float; zero equals only zero, and what overflowed equals nothing."""
    return math.isfinite(first) and math.isclose(first, second, rel_tol=SAME, abs_tol=0.0)


def is_same(first: Quantity, second: Quantity) -> bool:
    """One quantity, in whatever units."""
    if first.unit == second.unit:
        return is_close(float(first.value), float(second.value))
    return first.dimension == second.dimension and is_close(first.si_value, second.si_value)


def in_unit(quantity: Quantity, unit: Unit) -> float | None:
    """Its number in another unit of the same dimension."""
    if quantity.unit == unit:
        return float(quantity.value)
    if quantity.dimension != unit.dimension or unit.scale == 0:
        return None
    return (quantity.si_value - unit.offset) / unit.scale


def is_rounded(shown: float, value: float) -> bool:
    """Whether `shown` is `value` rounded to two or more significant figures."""
    if is_close(shown, value):
        return True
    if value == 0 or not (math.isfinite(value) and math.isfinite(shown)):
        return False
    digits = repr(abs(shown)).split("e")[0].replace(".", "").strip("0")
    figures = max(2, len(digits))
    place = math.floor(math.log10(abs(value))) - figures + 1
    return abs(shown - value) <= 0.5 * 10.0**place * (1 + SAME)
