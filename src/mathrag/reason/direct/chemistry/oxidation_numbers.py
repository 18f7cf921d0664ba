"""`What is the oxidation number of sulfur in K2SO4?`: by the rules, with the sum that gives it."""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.compute.chemistry.formulas import ChemicalFormula, atom_counts
from mathrag.compute.chemistry.oxidation import oxidation_number
from mathrag.knowledge.elements import element_names
from mathrag.reason.direct.chemistry.reading import SUBSTANCE, Reading
from mathrag.reason.direct.chemistry.results import Working
from mathrag.reason.direct.question_text import core_of
from mathrag.reason.direct.result import AlgebraOutcome
from mathrag.types.quantity import NO_UNIT

_NUMBER = r"(?:oxidation (?:number|state)|degree of oxidation)"
_IN = rf"(?:the )?(?:compound |ion |molecule |acid |salt )?{SUBSTANCE}(?: ion| anion| cation| molecule)?"
_ELEMENT = rf"(?:the )?(?:element )?{SUBSTANCE}(?: atoms?)?"
_FORMS = tuple(
    re.compile(text)
    for text in (
        rf"{_NUMBER} (?:of|for) (?P<part>{_ELEMENT}) in (?P<whole>{_IN})",
        rf"(?:which|what) {_NUMBER} does (?P<part>{_ELEMENT}) have in (?P<whole>{_IN})",
        rf"in (?P<whole>{_IN}),? (?:(?:what|which) is )?(?:the )?{_NUMBER} (?:of|for) (?P<part>{_ELEMENT})",
    )
)


def answer_oxidation_number(reading: Reading) -> AlgebraOutcome:
    """The oxidation number of an element in a substance; None for any other question."""
    if reading.reaction is not None or reading.amounts or len(reading.substances) != 2:
        return None
    core = core_of(reading.template)
    found = next((each for form in _FORMS if (each := form.fullmatch(core)) is not None), None)
    if found is None:
        return None
    is_first = found.start("part") < found.start("whole")
    part, whole = reading.substances if is_first else reversed(reading.substances)
    if not part.element or len(whole.formulas) > 1:
        return None
    return _told(whole.formulas[0], part.element)


def _told(formula: ChemicalFormula, symbol: str) -> AlgebraOutcome:
    found = oxidation_number(formula, symbol)
    if found is None:
        return None
    value, others = found
    working = Working()
    counts = atom_counts(formula)
    if others and others.keys() | {symbol} == counts.keys() and len(formula.portions) == 1:
        terms = [f"{counts[each]} × ({_signed(number)})" for each, number in others.items()]
        working.lines.append(f"{', '.join(f'{each} {_signed(number)}' for each, number in others.items())}")
        charge = _signed(formula.charge)
        working.lines.append(f"{counts[symbol]} × x + {' + '.join(terms)} = {charge}, so that x = {_signed(value)}")
    else:
        working.lines.append(f"{element_names()[symbol]} in {formula}: {_signed(value)}")
    if counts[symbol] > 1 and value:
        working.notes.append("all atoms of the element are counted alike")
    text = f"The oxidation number of {element_names()[symbol]} in {formula} is {_signed(value)}."
    return working.result(text, Fraction(value), NO_UNIT, expression=f"oxidation number of {symbol}", figures=1)


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−") if number else "0"
