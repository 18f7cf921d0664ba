"""Questions of chemistry that need no document: molar masses and shares, amounts, balancing, reacting amounts. Strict:
a text that is not wholly understood is left to the formulas, and a name that can mean two substances gets no number."""

from __future__ import annotations

from mathrag.reason.direct.chemistry.acidity import answer_acidity
from mathrag.reason.direct.chemistry.amounts import answer_amounts
from mathrag.reason.direct.chemistry.balancing import answer_balancing
from mathrag.reason.direct.chemistry.cells import answer_cells
from mathrag.reason.direct.chemistry.effusion import answer_effusion
from mathrag.reason.direct.chemistry.equilibria import answer_equilibrium
from mathrag.reason.direct.chemistry.heats import answer_heat
from mathrag.reason.direct.chemistry.oxidation_numbers import answer_oxidation_number
from mathrag.reason.direct.chemistry.reacting import answer_reacting
from mathrag.reason.direct.chemistry.reading import is_schematic, read_chemistry
from mathrag.reason.direct.chemistry.results import failure
from mathrag.reason.direct.chemistry.solutions import answer_solutions
from mathrag.reason.direct.result import AlgebraOutcome


def answer_chemistry(text: str) -> AlgebraOutcome:
    """What a question about substances comes to; None for any other."""
    reading = read_chemistry(text)
    if reading is None:
        return None
    if reading.problem is not None:
        return failure(reading.problem)
    if reading.reaction is not None and is_schematic(reading.reaction):
        return answer_equilibrium(text, reading)
    return (
        answer_balancing(text, reading)
        or answer_amounts(reading)
        or answer_reacting(reading)
        or answer_solutions(reading)
        or answer_acidity(reading)
        or answer_equilibrium(text, reading)
        or answer_cells(reading)
        or answer_heat(text, reading)
        or answer_effusion(reading)
        or answer_oxidation_number(reading)
    )
