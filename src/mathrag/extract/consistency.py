"""Choose what the symbols of one formula mean, all at once: the likeliest choices whose dimensions agree.

The form of the formula gives linear equations between the dimensions of its symbols (`compute.dimension_facts`);
`choice_search.py` keeps the few best choices that satisfy them. Proposals come with their weights from `meanings.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.dimension_facts import collect_facts
from mathrag.compute.linear_dimensions import DimensionSystem, Form
from mathrag.extract.choice_search import Choice, ChoiceSearch, Proposal, Row, vector_of
from mathrag.types.expression import Equation
from mathrag.types.quantity import DIMENSIONLESS

# More symbols than any formula people use; the search recurses once a symbol.
_MOST_SYMBOLS = 60


@dataclass(frozen=True, slots=True)
class DimensionRows:
    """What the form of a formula demands. `is_impossible`: it contradicts itself, whatever its symbols mean."""

    rows: tuple[Row, ...]
    is_impossible: bool = False


def dimension_rows(equation: Equation) -> DimensionRows:
    """The linear equations between the dimensions of an equation's symbols."""
    facts = collect_facts(equation)
    system = DimensionSystem()
    is_impossible = False
    for group in facts.groups:
        first = group.members[0].form if group.expected is None else group.expected
        for member in group.members:
            is_impossible |= not system.equate(member.form, first)
    # A power with a symbol above is a plain number when its base is; otherwise it is left unchecked.
    for power in facts.powers:
        base = system.dimension_of(power.base)
        if base is not None and base.is_dimensionless:
            system.equate(Form(unknown={power.name: Fraction(1)}), Form(DIMENSIONLESS))
    open_powers = {power.name for power in facts.powers}
    rows = []
    for name, form in system.solved.items():
        if name in open_powers or not open_powers.isdisjoint(form.unknown):
            continue
        powers = ((name, 1.0), *((other, -float(exponent)) for other, exponent in form.unknown.items()))
        rows.append(Row(powers, vector_of(form.known)))
    return DimensionRows(tuple(rows), is_impossible)


def choose(rows: DimensionRows, proposals: Mapping[str, Sequence[Proposal]], *, keep: int = 4) -> list[Choice]:
    """The best choices, best first, of different dimensions each; empty if the form contradicts itself."""
    if rows.is_impossible or len(proposals) > _MOST_SYMBOLS:
        return []
    return ChoiceSearch(rows.rows, proposals, keep).run()
