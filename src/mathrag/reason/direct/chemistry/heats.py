"""Heats of written reactions from enthalpies of formation that the question states, and the same of Gibbs energies."""

from __future__ import annotations

from fractions import Fraction

from mathrag.compute.chemistry.formulas import ChemicalFormula, atom_counts, is_element
from mathrag.compute.chemistry.reactions import Reaction, Term, is_balanced
from mathrag.compute.chemistry.stoichiometry import complete_combustion
from mathrag.knowledge.compounds import naming_table
from mathrag.knowledge.elements import element_names
from mathrag.reason.direct.chemistry.reading import AMOUNT, REACTION, STATES, SUBSTANCE, Amount, Reading
from mathrag.reason.direct.chemistry.results import Working, figure, species_in, unit_named
from mathrag.reason.direct.chemistry.sheet import Piece, Sheet
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, exact_fraction

_SIGN = (
    r"δ_?\{?[frc]?\}?(?P<sign>[hg])(?:_?\{?(?:f|rxn|r|c|comb)\}?)?(?:°|⁰|\^°|\^o)?(?:_?\{?(?:f|rxn|r|c)\}?)?(?![a-z])"
)
_SIGN_OF = (
    rf"(?<!\w)(?!δ_?h_?\{{?c){_SIGN}(?=:? ?[\[(]?{SUBSTANCE})|(?<!\w)δ_?\{{?f\}}?(?P<other>[hg])(?:°|⁰)?(?![a-z])"
)
_OF = r"(?:enthalp(?:y|ies)|heats?|(?P<gibbs>gibbs(?: free)? energ(?:y|ies)|free energ(?:y|ies)))"
_FORMATION = rf"(?:the )?(?:standard )?(?:molar )?{_OF} of formation"
_FORMATION_BEFORE = rf"(?:the )?(?:standard )?(?:molar )?formation {_OF}"
_FUEL = rf"(?:(?:the|one|an?) )?(?:mole of )?{SUBSTANCE}(?: gas)?"
_OF_COMBUSTION = (
    r"(?!(?:the )?(?:standard )?(?:molar )?(?:enthalpies|heats) )"
    rf"(?:the )?(?:standard )?(?:molar )?{_OF}(?: change)? (?:of|for) (?:the )?(?:complete )?combustion of {_FUEL}"
)
_OF_BURNING = rf"(?:the )?(?:standard )?(?:molar )?combustion {_OF} of {_FUEL}"
_AMOUNTS = rf"{AMOUNT}(?:(?:, and|,| and) {AMOUNT})+"
_SUBSTANCES = rf"{SUBSTANCE}(?:(?:, and|,| and) {SUBSTANCE})+"
# Heats of combustion that are stated are of another sign than those of formation.
_ASKED = (
    r"(?!(?:the )?(?:standard )?(?:(?:enthalpies|heats|energies) of combustion"
    r"|(?:enthalpy|heat|energy) of combustion(?::| is| are| of)(?!\w)))"
    rf"(?:the )?(?:standard )?(?:reaction )?(?:change (?:in|of) )?(?:standard )?{_OF}(?: change)?"
    rf"(?: of (?:the )?(?:reaction|combustion))?|(?<!\w){_SIGN}"
)
_VALUES = (
    rf"{_SUBSTANCES}(?: (?:are|is|were))?(?: ?[=:])? {_AMOUNTS}(?:,? respectively)?|"
    rf"\(?{SUBSTANCE}\)?(?: (?:is|of))?(?: ?[=:])? ?\(?{AMOUNT}\)?(?! (?:for|of) {SUBSTANCE})|"
    rf"{AMOUNT} (?:for|of) {SUBSTANCE}"
)


def answer_heat(text: str, reading: Reading) -> AlgebraOutcome:
    """The change of enthalpy or Gibbs energy in a reaction; None for any other question."""
    if _has_two_states(text):
        return None
    sheet, working = Sheet(reading), Working()
    sheet.take(REACTION)
    formation = [*sheet.take(_FORMATION), *sheet.take(_FORMATION_BEFORE), *sheet.take(_SIGN_OF)]
    burnt = [*sheet.take(_OF_COMBUSTION), *sheet.take(_OF_BURNING)] if reading.reaction is None else []
    reaction = _burning(burnt[0]) if len(burnt) == 1 else reading.reaction
    if reaction is None:
        return None
    values = _values(sheet, reaction, working)
    asked = burnt or sheet.take(_ASKED)
    letters = {_letter(piece) for piece in (*formation, *asked)}
    if len(letters) != 1 or not (formation and asked and values) or not sheet.is_spent("chemistry.heats"):
        return None
    if not is_balanced(reaction):
        return DirectFailure("unsolved", f"{reaction} is not balanced, and its heat depends on that", "chemistry")
    free = [each.formula for each in reaction.terms if each.formula not in values]
    if any(not _is_standard_element(each) for each in free):
        return None
    if free:
        working.notes.append(f"{' and '.join(map(str, free))} as an element in its usual form has none")
    return _change(reaction, values, letters.pop(), working)


def _burning(asked: Piece) -> Reaction | None:
    """The combustion of one mole of the fuel whose heat is asked for."""
    (fuel,) = asked.substances[0].formulas[:1]
    found = complete_combustion(fuel)
    if found is None:
        return None
    number = found.coefficient_of(fuel)
    left, right = (
        tuple(Term(each.formula, (each.coefficient or Fraction(1)) / number) for each in side)
        for side in (found.left, found.right)
    )
    return Reaction(left, right)


def _has_two_states(text: str) -> bool:
    """Whether one substance is there in two states: water and steam are formed with different heats."""
    states = {(each[1].lstrip("0123456789/"), each[2]) for each in STATES.finditer(text)}
    return len({formula for formula, _ in states}) < len(states)


def _letter(piece: Piece) -> str:
    """Whether words or a sign are of enthalpy or of Gibbs energy."""
    is_gibbs = "gibbs" in piece.words or "g" in (piece.words.get("sign"), piece.words.get("other"))
    return "ΔG" if is_gibbs else "ΔH"


def _values(sheet: Sheet, reaction: Reaction, working: Working) -> dict[ChemicalFormula, Fraction] | None:
    """What is stated of each species in kJ/mol; None where a value is of none of them, or two are of one."""
    values: dict[ChemicalFormula, Fraction] = {}
    heats = [each for each in sheet.reading.amounts if each.measured == "molar_energy"]

    def heat_of(amount: Amount) -> Fraction | None:
        """Of a row of values the unit may stand behind the last one alone."""
        if amount.measured == "molar_energy":
            return amount.si
        is_bare = amount.measured == "number" and amount.unit is None
        unit = heats[-1].unit if is_bare and len(heats) == 1 and heats[-1] is sheet.reading.amounts[-1] else None
        return None if unit is None else amount.si * exact_fraction(unit.scale)

    for piece in sheet.take(_VALUES, lambda each: all(heat_of(one) is not None for one in each.amounts)):
        if len(piece.substances) != len(piece.amounts):
            return None
        for mentioned, amount in zip(piece.substances, piece.amounts, strict=True):
            found = species_in(reaction, mentioned)
            heat = heat_of(amount)
            if found is None or found in values or heat is None:
                return None
            values[found] = heat / 1000
            working.states(amount)
    return values


def _change(
    reaction: Reaction, values: dict[ChemicalFormula, Fraction], letter: str, working: Working
) -> AlgebraOutcome:
    """Products less reactants."""
    working.lines.append(str(reaction))
    sides = []
    for name, side in (("products", reaction.right), ("reactants", reaction.left)):
        parts = [(each.coefficient or Fraction(1), values.get(each.formula, Fraction(0))) for each in side]
        total = sum((number * value for number, value in parts), Fraction(0))
        sides.append(total)
        terms = " + ".join(f"{number} × ({figure(value)})" for number, value in parts)
        working.lines.append(f"{name}: {terms} = {figure(total, 6)} kJ".replace("-", "−"))
    change = sides[0] - sides[1]
    difference = f"{figure(sides[0], 6)} − ({figure(sides[1], 6)})"
    working.lines.append(f"{letter} = {difference} = {figure(change, 6)} kJ".replace("-", "−"))
    working.notes.append("per mole of the reaction as written")
    text = f"{letter} of the reaction is {{}}."
    return working.result(text, change, unit_named("kJ/mol"), expression=letter)


def _is_standard_element(formula: ChemicalFormula) -> bool:
    """Whether a formula is an element as it usually occurs."""
    if not is_element(formula) or formula.charge:
        return False
    ((symbol, number),) = atom_counts(formula).items()
    name = element_names()[symbol]
    usual = naming_table("molecules").get(name)
    other = naming_table("solid_molecules").get(name)
    written = f"{symbol}{number if number > 1 else ''}"
    return written == usual if usual else number == 1 or written == other
