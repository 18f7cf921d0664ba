"""Questions about cells: standard potentials, the potential at stated concentrations, Gibbs energy and constant behind
them; and what a current deposits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache

from mathrag.compute.chemistry.formulas import (
    ELECTRON,
    ChemicalFormula,
    ChemistryProblem,
    atom_counts,
    is_element,
    read_chemical_formula,
    same_substance,
)
from mathrag.compute.chemistry.masses import mass_problem
from mathrag.compute.chemistry.reactions import Reaction, Term, balance, reaction_among
from mathrag.compute.chemistry.salts import salt_of
from mathrag.knowledge.constants import constant
from mathrag.knowledge.equilibria import couples, table_source
from mathrag.language.word_classes import word_pairs
from mathrag.reason.direct.chemistry.reading import AMOUNT, REACTION, SUBSTANCE, Amount, Mentioned, Reading
from mathrag.reason.direct.chemistry.results import (
    LITRE,
    Working,
    figure,
    moles_of,
    si_to,
    species_in,
    unit_named,
)
from mathrag.reason.direct.chemistry.sheet import ROOM, Piece, Sheet, is_room_temperature, measures, take_temperature
from mathrag.reason.direct.result import AlgebraOutcome
from mathrag.types.answer import Provenance
from mathrag.types.quantity import NO_UNIT

_CELL_WORDS, _CURRENT_WORDS = "chemistry.cells", "chemistry.electrolysis"
# A stated standard potential that is farther from the table (in volts) is that of another cell.
_FARTHEST = 0.05


@dataclass(frozen=True, slots=True)
class _Couple:
    """A half-cell: what is reduced, what it becomes, how many electrons one unit of the first takes."""

    name: str
    oxidized: ChemicalFormula
    reduced: ChemicalFormula
    electrons: Fraction
    volts: Decimal

    @property
    def symbol(self) -> str:
        return f"{self.oxidized}/{self.reduced}"

    def has(self, formula: ChemicalFormula) -> bool:
        """Whether a formula is one of its two sides."""
        return same_substance(formula, self.oxidized) or same_substance(formula, self.reduced)


@cache
def _couples() -> tuple[_Couple, ...]:
    found = []
    for each in couples():
        oxidized, reduced = read_chemical_formula(each.oxidized), read_chemical_formula(each.reduced)
        assert isinstance(oxidized, ChemicalFormula), each
        assert isinstance(reduced, ChemicalFormula), each
        half = reaction_among([oxidized, reduced, ELECTRON])
        assert half is not None, each
        electrons = half.coefficient_of(ELECTRON) / half.coefficient_of(oxidized)
        found.append(_Couple(each.name, oxidized, reduced, electrons, each.volts))
    return tuple(found)


def answer_cells(reading: Reading) -> AlgebraOutcome:
    """What a question about a cell or a current comes to; None for any other."""
    return _potential(reading) or _electrolysis(reading)


# Potentials.


@dataclass(slots=True)
class _Cell:
    """Two half-cells with the reaction between them as it is asked about, and the electrons that pass in it."""

    cathode: _Couple
    anode: _Couple
    reaction: Reaction
    electrons: Fraction
    stated: Amount | None = None
    values: dict[ChemicalFormula, Fraction] = field(default_factory=dict)
    working: Working = field(default_factory=Working)


_DEGREE = r"(?:°|⁰|\^°|\^0)"
_VOLTAGE = (
    r"(?:the )?(?P<potential>(?P<standard>standard )?(?:(?:cell|electrode|reduction|half-cell) )*"
    rf"(?:potential|emf|voltage|electromotive force)(?: \(?e{_DEGREE}?(?:_?\{{?cell\}}?)?\)?)?"
    rf"|(?P<degree>(?<!\w)e{_DEGREE}_?\{{?(?:cell)?\}}?|(?<!\w)e_?\{{?cell\}}?))(?!\w)"
)
_GIBBS = (
    r"(?P<gibbs>(?:standard )?(?:change (?:in|of) )?(?:standard )?(?:gibbs|free)(?: free)? energy(?: change)?"
    r"|δ_?\{?r?\}?g(?:°|⁰)?)(?:,? \(?δg(?:°|⁰)?\)?)?"
)
_CONSTANT = r"(?P<constant>equilibrium constant(?:,? \(?k\)?)?|(?<!\w)k(?:_?eq)?(?!\w))"
_VALUE = (
    rf"{SUBSTANCE} ?\({AMOUNT}\)|{SUBSTANCE}(?: (?:is|at|of|are))*(?: ?=)? ?{AMOUNT}(?! (?:of )?{SUBSTANCE})|"
    rf"{AMOUNT} (?:of |in )?{SUBSTANCE}"
)
_STATED_STANDARD = (
    rf"(?:the )?(?:standard (?:cell )?potential|e{_DEGREE}_?\{{?(?:cell)?\}}?)(?: (?:of|is))?(?: ?[=:])? ?{AMOUNT}"
)
_IS_CELL = r"(?<!\w)(?:cells?|half-cells?|electrodes?|battery|anode|cathode)(?!\w)"


def _potential(reading: Reading) -> AlgebraOutcome:
    sheet = Sheet(reading)
    if not is_room_temperature(take_temperature(sheet)):
        return None
    is_written = "||" in sheet.text or "‖" in sheet.text
    stated = sheet.take(_STATED_STANDARD, measures("voltage"))
    found = [*sheet.take(rf"(?<!\w){_GIBBS}"), *sheet.take(_CONSTANT), *sheet.take(_VOLTAGE)]
    if len(found) != 1 or len(stated) > 1:
        return None
    asked, reaction = found[0].words, reading.reaction
    is_cell = sheet.has(_IS_CELL)
    if not (is_cell or is_written or reaction is not None or "potential" in asked):
        return None
    sheet.take(REACTION)
    values = sheet.take(_VALUE, measures("molarity"))
    sheet.take(SUBSTANCE)
    if not sheet.is_spent(_CELL_WORDS):
        return None
    if reaction is not None:
        cell = _cell_of_reaction(reaction)
    else:
        single = (
            None
            if values or stated or sheet.has(r"(?<![-\w])cells?(?!\w)")
            else _one_electrode(reading.substances, asked)
        )
        if single is not None:
            return single
        cell = _cell_named(reading.substances, is_written=is_written, is_stated=bool(stated))
    if cell is not None and stated:
        cell.stated = stated[0].amount
        if abs(float(cell.stated.si) - float(cell.cathode.volts - cell.anode.volts)) > _FARTHEST:
            return None
    if cell is None or not _has_values(cell, values, reading.substances):
        return None
    return _told(cell, asked)


def _has_values(cell: _Cell, values: Sequence[Piece], mentioned: Sequence[Mentioned]) -> bool:
    """Take the concentrations into the cell; false where one, or a substance, is of something else."""
    for piece in values:
        side = species_in(cell.reaction, piece.substances[0])
        if side is None or side in cell.values or piece.amount.si <= 0:
            return False
        cell.values[side] = piece.amount.si * LITRE
        cell.working.states(piece.amount)
    return all(
        any(couple.has(one) for couple in (cell.cathode, cell.anode) for one in each.formulas) for each in mentioned
    )


def _one_electrode(mentioned: Sequence[Mentioned], asked: dict[str, str]) -> AlgebraOutcome:
    """The standard potential of one half-cell."""
    if "potential" not in asked or not mentioned:
        return None
    first = [each for each in _couples() if all(any(each.has(one) for one in m.formulas) for m in mentioned)]
    is_named = "standard" in asked or "degree" in asked
    if len(first) != 1 or not is_named or "cell potential" in asked["potential"].replace("half-cell", ""):
        return None
    working = Working()
    _from_table(working, first[0])
    return _volts(working, f"The standard potential of {first[0].symbol} is {{}}.", float(first[0].volts), 2)


def _from_table(working: Working, couple: _Couple) -> None:
    said = f"E°({couple.symbol}) = {couple.volts} V".replace("-", "−")
    working.lines.append(said)
    working.sources.append(Provenance("constant", said, table_source("potentials")))
    working.notes.append(f"standard potentials: {table_source('potentials')}")


def _cell_named(mentioned: Sequence[Mentioned], *, is_written: bool, is_stated: bool) -> _Cell | None:
    """The cell of two elements, or of what is written between strokes; the higher potential is the cathode unless it is
    written which one is. Where its potential is stated, and tells that they do, ions stand for their metals."""
    found: list[_Couple] = []
    elements = [each for each in mentioned if each.element]
    for each in elements or mentioned:
        fitting = _couples_of(each, is_element=bool(elements), is_stated=is_stated)
        if len(fitting) != 1:
            return None
        if fitting[0] not in found:
            found.append(fitting[0])
    if len(found) != 2 or any(
        not any(couple.has(one) for couple in found for one in each.formulas) for each in mentioned
    ):
        return None
    anode, cathode = found if is_written else sorted(found, key=lambda each: each.volts)
    if anode.volts == cathode.volts:
        return None
    return _joined(cathode, anode)


def _couples_of(mentioned: Mentioned, *, is_element: bool, is_stated: bool) -> list[_Couple]:
    """The half-cells that have a substance in them."""
    found = [couple for couple in _couples() if any(couple.has(one) for one in mentioned.formulas)]
    if is_element:
        found = [couple for couple in found if not (couple.oxidized.charge and couple.reduced.charge)]
    if is_stated and len(found) > 1:
        found = [couple for couple in found if not couple.reduced.charge]
    return found


def _joined(cathode: _Couple, anode: _Couple) -> _Cell | None:
    reaction = balance(
        Reaction((Term(anode.reduced), Term(cathode.oxidized)), (Term(anode.oxidized), Term(cathode.reduced)))
    )
    if isinstance(reaction, ChemistryProblem):
        return None
    return _Cell(cathode, anode, reaction, reaction.coefficient_of(cathode.oxidized) * cathode.electrons)


def _cell_of_reaction(reaction: Reaction) -> _Cell | None:
    """The two half-cells of a reaction in which one element gives electrons to another."""
    written = _as_ions(reaction)
    taking = [each for each in _couples() if {(True, each.oxidized), (False, each.reduced)} <= written.keys()]
    giving = [each for each in _couples() if {(True, each.reduced), (False, each.oxidized)} <= written.keys()]
    for cathode in taking:
        for anode in giving:
            cell = _joined(cathode, anode) if cathode != anode else None
            if cell is None:
                continue
            factors = {
                written[side, formula] / coefficient if (side, formula) in written else Fraction(0)
                for side, formula, coefficient in _terms(cell.reaction)
            }
            if len(factors) == 1 and len(written) == len(cell.reaction.terms) and (factor := factors.pop()):
                terms = [Term(each.formula, (each.coefficient or 1) * factor) for each in cell.reaction.terms]
                half = len(cell.reaction.left)
                cell.reaction = Reaction(tuple(terms[:half]), tuple(terms[half:]))
                cell.electrons *= factor
                return cell
    return None


def _terms(reaction: Reaction) -> list[tuple[bool, ChemicalFormula, Fraction]]:
    return [
        (side is reaction.left, each.formula, each.coefficient or Fraction(1))
        for side in (reaction.left, reaction.right)
        for each in side
    ]


def _as_ions(reaction: Reaction) -> dict[tuple[bool, ChemicalFormula], Fraction]:
    """The terms of a reaction, dissolved salts as their cations where the anions are the same on both sides."""
    plain = {(side, formula): number for side, formula, number in _terms(reaction)}
    ions: dict[tuple[bool, ChemicalFormula], Fraction] = {}
    rest: dict[ChemicalFormula, Fraction] = {}
    for (side, formula), number in plain.items():
        salt = salt_of(formula)
        if salt is None:
            ions[side, formula] = number
            continue
        ions[side, salt.cation] = number * salt.cations
        rest[salt.anion] = rest.get(salt.anion, Fraction(0)) + (1 if side else -1) * number * salt.anions
    return plain if any(rest.values()) else ions


def _told(cell: _Cell, asked: dict[str, str]) -> AlgebraOutcome:
    working = cell.working
    working.lines.append(f"cell reaction: {cell.reaction}, n = {cell.electrons} electrons")
    standard = _standard(cell)
    is_standard = any(each in asked for each in ("standard", "degree")) or "standard" in asked.get("gibbs", "")
    ions = [each for each in cell.reaction.terms if each.formula.charge]
    if cell.values and (set(cell.values) != {each.formula for each in ions}):
        return None
    off_standard = any(value != 1 for value in cell.values.values())
    is_repeated = cell.stated is not None and not off_standard and "potential" in asked
    if is_repeated or (off_standard and (is_standard or "constant" in asked)):
        return None
    volts = float(standard)
    if off_standard:
        volts = _nernst(cell, volts)
    elif not is_standard and "potential" in asked:
        working.notes.append("standard conditions are taken: 1 mol/L, 1 bar, 25 °C")
    if any(not each.formula.charge and _is_gas(each.formula) for each in cell.reaction.terms):
        working.notes.append("gases are taken at 1 bar")
    if "potential" in asked:
        what = "cell potential" if off_standard else "standard cell potential"
        return _volts(working, f"The {what} is {{}}.", volts, 3 if off_standard else 2)
    return _gibbs(cell, volts, asked, is_standard=not off_standard)


def _standard(cell: _Cell) -> Decimal:
    """The standard potential in volts, as stated, else by the table."""
    working = cell.working
    if cell.stated is not None:
        working.states(cell.stated)
        return Decimal(str(float(cell.stated.si)))
    for couple in (cell.cathode, cell.anode):
        _from_table(working, couple)
    standard = cell.cathode.volts - cell.anode.volts
    working.lines.append(
        f"E° = E°(cathode) − E°(anode) = {cell.cathode.volts} − ({cell.anode.volts}) = {standard} V".replace("-", "−")
    )
    return standard


def _is_gas(formula: ChemicalFormula) -> bool:
    """Whether the element of an electrode is a gas."""
    return str(formula) in ("H₂", "Cl₂", "F₂")


def _nernst(cell: _Cell, standard: float) -> float:
    gas, faraday = constant("molar_gas_constant"), constant("faraday_constant")
    cell.working.sources.extend(Provenance("constant", each.name, each.source) for each in (gas, faraday))
    logarithm = 0.0
    for sign, side in ((1, cell.reaction.right), (-1, cell.reaction.left)):
        for each in side:
            if each.formula in cell.values:
                logarithm += sign * float(each.coefficient or 1) * math.log(cell.values[each.formula])
    step = float(gas.value) * float(ROOM) / (float(cell.electrons) * float(faraday.value))
    value = standard - step * logarithm
    cell.working.lines.append(f"Q = {figure(math.exp(logarithm))}, of the concentrations in mol/L")
    cell.working.lines.append(
        f"E = E° − (R T / n F) ln Q = {standard:.2f} − {figure(step)} × {figure(logarithm)} = {value:.4f} V".replace(
            "-", "−"
        )
    )
    return value


def _volts(working: Working, text: str, volts: float, places: int) -> AlgebraOutcome:
    digits = len(f"{abs(volts):.{places}f}".replace(".", "").lstrip("0")) or 1
    said = text.format(f"{volts:.{places}f} V")
    return working.result(said, Fraction(f"{volts:.9g}"), unit_named("V"), expression="E", figures=digits)


def _gibbs(cell: _Cell, volts: float, asked: dict[str, str], *, is_standard: bool) -> AlgebraOutcome:
    """ΔG = −n F E, or K = exp(n F E° / R T)."""
    working = cell.working
    faraday, gas = constant("faraday_constant"), constant("molar_gas_constant")
    working.sources.append(Provenance("constant", faraday.name, faraday.source))
    work = float(cell.electrons) * float(faraday.value) * volts
    sign = "°" if is_standard else ""
    if "gibbs" in asked:
        working.lines.append(
            f"ΔG{sign} = −n F E{sign} = −{cell.electrons} × 96485 C/mol × {volts:.4g} V = {figure(-work / 1000)} kJ/mol"
        )
        working.notes.append("per mole of the cell reaction as written")
        text = f"ΔG{sign} is {{}}."
        return working.result(text, Fraction(f"{-work / 1000:.9g}"), unit_named("kJ/mol"), expression="ΔG", figures=4)
    working.sources.append(Provenance("constant", gas.name, gas.source))
    power = work / (float(gas.value) * float(ROOM))
    if abs(power) > 600:
        return None
    working.lines.append(f"ln K = n F E° / (R T) = {figure(power)}")
    working.notes.append("an error of 0.01 V in the table changes K by a factor of about 1.5 per electron")
    text = "K of the cell reaction is {}."
    return working.result(text, Fraction(f"{math.exp(power):.6g}"), NO_UNIT, expression="K", figures=2)


# Electrolysis.

_UNITS_OF_TIME = r"seconds|minutes|hours|days"
_TIMES = (
    rf"how long|(?:what|which) time|how many (?P<unit>{_UNITS_OF_TIME})"
    rf"|(?:the )?time(?: in (?P<other>{_UNITS_OF_TIME}))?"
)
_CURRENTS = (
    r"(?:what|which) current|how many (?:amperes|amps)"
    r"|(?:the )?current(?=(?: that)?(?: is)? (?:needed|required|necessary))"
)
_GIVEN = rf"(?:(?:an?|the) )?(?:constant |steady |average )?(?:current of |time of )?{AMOUNT}(?: (?:of )?current)?"
_IN_TIME = rf"in (?P<unit>{_UNITS_OF_TIME})(?= |\?|$)"
_MASSES = (
    r"(?:what |the )?mass(?:es)?(?: in (?P<unit>grams|kilograms|milligrams|g|kg|mg))?|how much"
    r"|how many (?P<other>grams|g|kilograms|kg|milligrams|mg|moles|mol)"
    rf"|(?P<third>grams|g|kilograms|kg|milligrams|mg|moles) (?:of )?(?={SUBSTANCE})"
)
_CURRENT_WORD = (
    r"(?<!\w)(?:electroly\w*|deposit\w*|plat(?:e|ed|es|ing)|electroplat\w*|produced?|form(?:s|ed)?|liberated?|evolved?"
    r"|generated?|released?|cathode|anode|set free)(?!\w)"
)


def _electrolysis(reading: Reading) -> AlgebraOutcome:
    """Mass, current or time of a deposit from the two others."""
    sheet = Sheet(reading)
    kinds = {each.measured: each for each in reading.amounts}
    # A current through a compound sets its element free; through an element alone it may just flow.
    has_source = len({each.formulas for each in reading.substances}) > 1 and "current" in kinds
    is_about = sheet.has(_CURRENT_WORD) or has_source
    stated = (kinds.get("mass") or kinds.get("moles"), kinds.get("current"), kinds.get("time"))
    if reading.reaction is not None or not is_about or len(reading.amounts) != 2 or stated.count(None) != 1:
        return None
    sheet.take(_GIVEN)
    wanted = (_MASSES, _CURRENTS, _TIMES)[stated.index(None)]
    asked = sheet.take(rf"(?<!\w)(?:{wanted})(?!\w)")
    in_time = sheet.take(_IN_TIME) if stated[2] is None else []
    units = {each for piece in (*asked, *in_time) for each in piece.words.values()}
    sheet.take(SUBSTANCE)
    if len(asked) != 1 or len(units) > 1 or not sheet.is_spent(_CURRENT_WORDS):
        return None
    working = Working()
    found = _electrons(reading.substances, working)
    if found is None or mass_problem(found[0]) is not None:
        return None
    return _faraday(*found, stated, units.pop() if units else "", working)


def _electrons(mentioned: Sequence[Mentioned], working: Working) -> tuple[ChemicalFormula, int] | None:
    """The element that is set free and the electrons for one of its units: by the ion or compound it comes from, else
    by the one ion that the table has."""
    targets = [each for each in mentioned if each.element]
    sources = [each for each in mentioned if not each.element]
    if len({each.element for each in targets}) != 1 or len(sources) > 1 or (sources and len(sources[0].formulas) > 1):
        return None
    symbol, formula = targets[0].element, targets[0].formulas[0]
    atoms = atom_counts(formula)[symbol]
    if sources:
        charge = _charge_in(sources[0].formulas[0], symbol)
        if not charge:
            return None
        working.lines.append(f"{sources[0].text}: {symbol} has the charge {charge:+d}".replace("-", "−"))
        return formula, abs(charge) * atoms
    fitting = [each for each in _couples() if each.has(formula)]
    if len(fitting) != 1:
        return None
    ion = fitting[0].oxidized if fitting[0].oxidized.charge else fitting[0].reduced
    working.notes.append(f"{symbol} is taken to come from {ion}")
    return formula, abs(ion.charge) * atoms


def _charge_in(source: ChemicalFormula, symbol: str) -> int:
    """The charge of an element in an ion of its own, a salt or water; 0 where it is none of these."""
    if source.charge and is_element(source):
        return source.charge if symbol in atom_counts(source) and sum(atom_counts(source).values()) == 1 else 0
    if str(source) == "H₂O":
        return {"H": 1, "O": -2}.get(symbol, 0)
    salt = salt_of(source)
    for ion in () if salt is None else (salt.cation, salt.anion):
        if dict(atom_counts(ion)) == {symbol: 1}:
            return ion.charge
    return 0


def _faraday(
    formula: ChemicalFormula,
    electrons: int,
    stated: tuple[Amount | None, Amount | None, Amount | None],
    unit: str,
    working: Working,
) -> AlgebraOutcome:
    quantity, current, time = stated
    faraday = constant("faraday_constant")
    working.sources.append(Provenance("constant", faraday.name, faraday.source))
    one = Fraction(faraday.value)
    if quantity is None:
        if current is None or time is None or current.si <= 0 or time.si <= 0:
            return None
        working.states(current)
        working.states(time)
        charge = current.si * time.si
        moles = charge / (electrons * one)
        working.lines.append(f"Q = I t = {figure(current.si)} A × {figure(time.si)} s = {figure(charge)} C")
        working.lines.append(f"n({formula}) = Q / ({electrons} F) = {figure(moles)} mol")
        if unit in ("moles", "mol"):
            return working.result(
                f"{{}} of {formula} are set free.", moles, unit_named("mol"), expression=f"n({formula})"
            )
        mass = working.mass_of_a_mole(formula)
        wanted = unit_named(word_pairs("chemistry.units").get(unit, "g"))
        working.lines.append(f"m({formula}) = {figure(moles * mass)} g")
        text = f"The mass of {formula} is {{}}."
        return working.result(text, si_to(moles * mass / 1000, wanted), wanted, expression=f"m({formula})")
    moles_found = moles_of(quantity, formula, working)
    if isinstance(moles_found, ChemistryProblem) or moles_found <= 0:
        return None
    charge = moles_found * electrons * one
    working.lines.append(f"Q = {electrons} F n({formula}) = {figure(charge)} C")
    known = current or time
    if known is None or known.si <= 0:
        return None
    working.states(known)
    if current is not None:
        named = unit_named({"minutes": "min", "hours": "h", "days": "d"}.get(unit, "s"))
        working.lines.append(f"t = Q / I = {figure(charge / current.si)} s")
        return working.result("The current must flow for {}.", si_to(charge / current.si, named), named, expression="t")
    working.lines.append(f"I = Q / t = {figure(charge / known.si)} A")
    return working.result("A current of {} is needed.", charge / known.si, unit_named("A"), expression="I")
