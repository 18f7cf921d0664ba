"""Questions about equilibria: the constant of a written reaction from what is there, what is there from the constant,
which way a reaction goes, K_p and K_c, and how much of a salt dissolves."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from mathrag.compute.chemistry.equilibrium import Counted, log_quotient, settle
from mathrag.compute.chemistry.formulas import (
    SUBSCRIPTS_AS_DIGITS,
    ChemicalFormula,
    charge_text,
    read_chemical_formula,
    same_substance,
)
from mathrag.compute.chemistry.masses import mass_problem
from mathrag.compute.chemistry.reactions import Reaction, balance, is_balanced
from mathrag.compute.chemistry.salts import Salt, salt_of
from mathrag.knowledge.constants import constant
from mathrag.knowledge.equilibria import solubility_products, table_source
from mathrag.reason.direct.chemistry.reading import (
    AMOUNT,
    REACTION,
    STATES,
    SUBSTANCE,
    Amount,
    Mentioned,
    Reading,
    is_schematic,
    letter_as_species,
)
from mathrag.reason.direct.chemistry.results import (
    ATMOSPHERE,
    LITRE,
    Working,
    figure,
    species_in,
    unit_named,
)
from mathrag.reason.direct.chemistry.sheet import (
    Piece,
    Sheet,
    is_plain,
    is_room_temperature,
    measures,
    take_temperature,
)
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure
from mathrag.types.answer import Provenance
from mathrag.types.quantity import NO_UNIT

_WORDS = "chemistry.equilibria"
_BAR = Fraction(100_000)
_IS = r"(?: (?:value )?(?:of|is|was|are|were|equal to|equals|at)| ?[=:≈])*"
_RAISED = str.maketrans("0123456789/", "⁰¹²³⁴⁵⁶⁷⁸⁹ᐟ")


def answer_equilibrium(text: str, reading: Reading) -> AlgebraOutcome:
    """What a question about an equilibrium comes to; None for any other."""
    if reading.reaction is None:
        return _answer_solubility(reading)
    return _answer_reaction(text, reading, reading.reaction)


# Reactions.


@dataclass(slots=True)
class _Case:
    """A reaction with what is known of its species; values in mol/L or in atmospheres or bars."""

    reaction: Reaction
    pure: frozenset[ChemicalFormula]
    kind: str
    constant: float | None = None
    stated: Amount | None = None
    first: dict[ChemicalFormula, Fraction] = field(default_factory=dict)
    settled: dict[ChemicalFormula, Fraction] = field(default_factory=dict)
    working: Working = field(default_factory=Working)

    @property
    def counted(self) -> list[tuple[ChemicalFormula, Fraction]]:
        """Species in the quotient with their powers, the products first."""
        sides = ((1, self.reaction.right), (-1, self.reaction.left))
        return [
            (each.formula, sign * (each.coefficient or Fraction(1)))
            for sign, side in sides
            for each in side
            if each.formula not in self.pure
        ]

    @property
    def unit(self) -> str:
        """Of the values."""
        return {"c": "mol/L", "atm": "atm", "bar": "bar"}[self.kind]


_K = (
    r"(?:the )?(?:(?:value of )?(?:the )?equilibrium constant(?:,? \(?(?P<other>k_?\{?[cp]?\}?)(?![a-z])\)?)?"
    r"|(?P<name>k_?\{?[cp]?\}?)(?![a-z]))"
)
_Q = r"(?:the )?(?:value of )?(?:reaction quotient|(?<!\w)q_?[cp]?(?!\w))(?:,? q_?[cp]?(?!\w))?"
_DIRECTION = r"(?:in )?(?:which|what) (?:direction|way)|(?:the )?direction"
_MEASURE = r"(?:concentrations?|molarity|partial pressures?|pressures?)"
_SETTLED = (
    rf"(?:the )?equilibrium (?P<what>{_MEASURE}) of (?:the )?{SUBSTANCE}(?! ?(?:is|are|=|was) {AMOUNT})|"
    rf"(?:the )?(?P<other>{_MEASURE}) of (?:the )?{SUBSTANCE} at equilibrium(?! ?(?:is|are|=|was) {AMOUNT})"
)
# Brackets stand for a concentration, of which no value follows or precedes.
_SETTLED_SIGN = (
    rf"(?<!{AMOUNT} )(?<!{AMOUNT} of )(?:{SUBSTANCE} at equilibrium|(?:the )?equilibrium {SUBSTANCE})"
    rf"(?! ?(?:is|are|=|:|was)(?: found to be)? ?{AMOUNT})(?! (?:and|or) {SUBSTANCE})"
)
# What puts the values of a sentence at the start, and what puts them at the end.
_STATE_WORDS = re.compile(
    r"(?P<first>(?<!\w)(?:initial(?:ly)?|start\w*|begin\w*|placed|introduced|charged|injected|put|originally|filled|mixed|combined"
    r"|added|(?:come|comes|reach|reaches|attain|attains|allowed|brought)(?: to)?(?: reach)?(?: an)? equilibrium)(?!\w))"
    r"|(?P<last>at equilibrium|equilibrium (?:concentrations?|partial|pressures?|mixture|values?|amounts?)"
    r"|equilibrium (?:is|was|has been) (?:reached|established|attained))"
)
_SENTENCE = re.compile(
    r"[.;?](?!\d)|,? (?=what|calculate|find|when)|, (?:and )?(?=at equilibrium|the equilibrium|when)"
    r"| and (?=at equilibrium)"
)


def _answer_reaction(text: str, reading: Reading, reaction: Reaction) -> AlgebraOutcome:
    sheet = Sheet(reading)
    sheet.take(REACTION)
    temperature = take_temperature(sheet)
    given = sheet.take(rf"(?<!\w){_K}(?: (?:of|for) (?:this|the) (?:reaction|equilibrium))?{_IS} ?{AMOUNT}", is_plain)
    wanted = sheet.take(_SETTLED) or sheet.take(_SETTLED_SIGN, _is_in_brackets)
    direction, quotient = sheet.take(_DIRECTION), sheet.take(_Q)
    constants = sheet.take(rf"(?<!\w){_K}")
    if sum(map(bool, (wanted, direction or quotient, constants))) != 1 or len(wanted) > 1 or len(given) > 1:
        return None
    case = _Case(reaction, _left_out(text, reaction), "c")
    if given:
        case.constant, case.stated = float(given[0].amount.si), given[0].amount
        if case.constant <= 0:
            return None
    kinds = {_kind(each) for each in (*given, *constants)}
    if kinds == {"kc", "kp"} and constants:
        return _other_constant(case, sheet, constants, temperature)
    case.kind = "atm" if "kp" in kinds else "c"
    if not _values(sheet, case, is_open=not wanted) or not sheet.is_spent(_WORDS):
        return None
    if not _fits(case, kinds, wanted):
        return None
    problem = _not_balanced(reaction)
    if problem is not None:
        return problem
    _begin(case)
    if wanted:
        return _settled_value(case, wanted[0].substances[0])
    if constants:
        return None if given else _constant(case)
    return _compared(case, is_direction=bool(direction))


def _is_in_brackets(piece: Piece) -> bool:
    return piece.substances[0].text.startswith("[")


def _left_out(text: str, reaction: Reaction) -> frozenset[ChemicalFormula]:
    """What is marked as solid or liquid, and among ions water, which is the solvent."""
    written = [re.sub(r"^\d+(?:/\d+)?", "", each[1]) for each in STATES.finditer(text) if each[2] in "sl"]
    pure = {*map(read_chemical_formula, written), *(letter_as_species(each) for each in written)} - {None}
    has_ions = any(each.formula.charge for each in reaction.terms)
    return frozenset(
        each.formula for each in reaction.terms if each.formula in pure or (has_ions and str(each.formula) == "H₂O")
    )


def _kind(piece: Piece) -> str:
    """`k`, `kc` or `kp`."""
    return re.sub(r"[_{}]", "", piece.words.get("name") or piece.words.get("other") or "k")


def _fits(case: _Case, kinds: set[str], wanted: Sequence[Piece]) -> bool:
    """Whether pressures go with K_p and concentrations with K_c."""
    is_pressure = case.kind != "c"
    if kinds & ({"kc"} if is_pressure else {"kp"}):
        return False
    words = "".join(wanted[0].words.values()) if wanted else ""
    return not wanted or is_pressure == ("pressure" in words)


def _begin(case: _Case) -> None:
    """The reaction and its quotient as the first lines."""
    case.working.lines.append(str(case.reaction))
    if case.pure:
        case.working.notes.append(f"left out as pure or as the solvent: {', '.join(sorted(map(str, case.pure)))}")
    if case.kind != "c":
        case.working.notes.append(f"pressures are taken in {case.unit}")
    case.working.lines.append(f"{_letter(case)} = {_quotient_text(case)}")


def _letter(case: _Case, letter: str = "K") -> str:
    return f"{letter}_c" if case.kind == "c" else f"{letter}_p"


def _not_balanced(reaction: Reaction) -> DirectFailure | None:
    if is_schematic(reaction) or is_balanced(reaction):
        return None
    found = balance(reaction)
    right = f"; balanced it is {found}" if isinstance(found, Reaction) else ""
    return DirectFailure(
        "unsolved", f"{reaction} is not balanced, and its constant depends on that{right}", "chemistry"
    )


def _quotient_text(case: _Case) -> str:
    def product(sign: int) -> str:
        sign_open, sign_close = ("[", "]") if case.kind == "c" else ("p(", ")")
        return " ".join(
            f"{sign_open}{formula}{sign_close}{'' if abs(power) == 1 else str(abs(power)).translate(_RAISED)}"
            for formula, power in case.counted
            if power * sign > 0
        )

    below = product(-1)
    many = sum(power < 0 for _, power in case.counted) > 1
    above = product(1) or "1"
    return above if not below else f"{above} / ({below})" if many else f"{above} / {below}"


_AMOUNTS = rf"{AMOUNT}(?:(?:, and|,| and) {AMOUNT})+"
_SUBSTANCES = rf"{SUBSTANCE}(?:(?:, and|,| and) {SUBSTANCE})+"
# One value for several: each of them has it.
_EACH = (
    rf"(?P<each>{AMOUNT}(?P<said> each)?(?: (?:of|in))?(?P<before> (?:each|both)(?: of)?)? {_SUBSTANCES}"
    rf"(?P<behind> each)?(?! ?[=:({AMOUNT}])(?! (?:is|are|was|were) {AMOUNT})|"
    rf"{_SUBSTANCES}(?: (?:is|are|was|were|of|both|at|have|equal))* {AMOUNT} (?P<last>each)|"
    rf"(?P<chain>{SUBSTANCE} ?= ?{SUBSTANCE} ?= ?{AMOUNT}))"
)
_OF_REACTANTS = rf"{AMOUNT} (?:of )?(?:each|both)(?: of the)? (?:reactants?|starting materials?)(?!\w)"
# What makes a value that of several together.
_OF_ALL = re.compile(r"(?<!\w)(?:total|together|altogether|combined|overall|sum|mixture of)(?!\w)")
_ONE_VALUE = (
    rf"{_EACH}|(?P<list>{_SUBSTANCES}(?: at equilibrium)?{_IS} ?{_AMOUNTS}(?:,? respectively)?)|"
    rf"(?:{_MEASURE} of )?{SUBSTANCE}(?: (?:gas|concentration))?(?: at equilibrium)?(?: is| was| of| are| ?=| ?:)+"
    rf" ?(?:found to be )?{AMOUNT}(?! (?:of )?{SUBSTANCE})|"
    rf"{AMOUNT} (?:of |for |in )?(?:the )?(?:pure |gaseous )?{SUBSTANCE}|{SUBSTANCE} ?\({AMOUNT}\)"
)


def _values(sheet: Sheet, case: _Case, *, is_open: bool) -> bool:
    """Read what there is of each species, at first and at equilibrium; false where it does not fit together. `is_open`:
    what is said to be at neither may be taken as at equilibrium, if nothing is said to be at first."""
    vessel = sheet.take(_VESSEL, measures("volume"))
    text = sheet.text
    is_open = is_open and not any(each["first"] for each in _STATE_WORDS.finditer(text))
    units: set[str] = set()
    for piece in sheet.take(_OF_REACTANTS):
        unit = _filled_reactants(case, piece, vessel) if _state(text, piece.start) == "first" else None
        if unit is None:
            return False
        units.add(unit)
    for piece in sheet.take(_ONE_VALUE):
        state = _state(text, piece.start)
        if "each" in piece.words and _OF_ALL.search(text) is not None:
            return False
        if state is None and is_open:
            case.working.notes.append("the values are taken as those that the constant or quotient is asked for")
        elif state is None:
            return False
        unit = _filled(case, piece, vessel, case.first if state == "first" else case.settled)
        if unit is None:
            return False
        units.add(unit)
    if len(units) > 1 or len(vessel) > 1:
        return False
    case.kind = units.pop() if units else case.kind
    if case.stated is not None:
        case.working.states(case.stated)
    return True


def _filled(case: _Case, piece: Piece, vessel: Sequence[Piece], into: dict[ChemicalFormula, Fraction]) -> str | None:
    """Put the values of a piece with their species; what they measure, None where that does not fit."""
    amounts = _for_each(piece, case)
    if len(piece.substances) != len(amounts):
        return None
    units = set()
    for mentioned, amount in zip(piece.substances, amounts, strict=True):
        formula, value = species_in(case.reaction, mentioned), _value(amount, vessel)
        if formula is None or value is None or formula in into or formula in case.pure or value[0] < 0:
            return None
        into[formula] = value[0]
        units.add(value[1])
        case.working.states(amount)
    return units.pop() if len(units) == 1 else None


def _filled_reactants(case: _Case, piece: Piece, vessel: Sequence[Piece]) -> str | None:
    """Put one value with every reactant."""
    found = _value(piece.amount, vessel)
    if found is None or found[0] < 0 or case.first:
        return None
    case.working.states(piece.amount)
    case.first.update((each.formula, found[0]) for each in case.reaction.left if each.formula not in case.pure)
    return found[1]


def _for_each(piece: Piece, case: _Case) -> tuple[Amount, ...]:
    """The values of a piece, each for one species. Of a concentration that is said of several it is taken for granted
    that each of them has it; an amount or a pressure could be that of all together."""
    if "each" not in piece.words:
        return piece.amounts
    is_said = any(name in piece.words for name in ("said", "before", "behind", "last", "chain"))
    if not is_said and piece.amount.measured != "molarity":
        return ()
    if not is_said:
        case.working.notes.append(f"{piece.amount.text} is taken as the concentration of each")
    return piece.amounts * len(piece.substances)


_VESSEL = (
    rf"(?:in(?:to)?|of) (?:an? |the )?(?:[a-z]+ ){{0,2}}(?:of )?{AMOUNT}"
    r"(?: (?:[a-z]+ )?(?:flask|vessel|container|reactor|chamber|bulb|box|tank))?"
)


def _state(text: str, place: int) -> str | None:
    """`first` or `last`, by the words nearest before a value in its sentence, else behind it; None where none tells."""
    ends = [0, *(each.end() for each in _SENTENCE.finditer(text)), len(text)]
    begin = max(each for each in ends if each <= place)
    end = min((each for each in ends if each > place), default=len(text))
    words = list(_STATE_WORDS.finditer(text, begin, end))
    before = [each for each in words if each.start() < place]
    nearest = before[-1] if before else words[0] if words else None
    return None if nearest is None else nearest.lastgroup


def _value(amount: Amount, vessel: Sequence[Piece]) -> tuple[Fraction, str] | None:
    """A concentration in mol/L or a pressure, with its kind."""
    if amount.measured == "molarity":
        return amount.si * LITRE, "c"
    if amount.measured == "moles" and vessel and vessel[0].amount.si > 0:
        return amount.si / (vessel[0].amount.si / LITRE), "c"
    if amount.measured == "pressure" and amount.unit is not None:
        is_bar = amount.unit.text == "bar"
        return amount.si / (_BAR if is_bar else ATMOSPHERE), "bar" if is_bar else "atm"
    return None


def _constant(case: _Case) -> AlgebraOutcome:
    """K from what there is at equilibrium, some of it by the reaction from what there was at first."""
    species = [formula for formula, _ in case.counted]
    if case.first and not _reacted(case):
        return None
    if set(case.settled) != set(species) or any(value <= 0 for value in case.settled.values()):
        return None
    return _quotient(case, "K")


def _reacted(case: _Case) -> bool:
    """Complete what there is at equilibrium by one species that is measured then."""
    if len(case.settled) != 1:
        return False
    ((measured, value),) = case.settled.items()
    powers = dict(case.counted)
    extent = (value - case.first.get(measured, Fraction(0))) / powers[measured]
    case.working.lines.append(f"the reaction went on by x = {figure(extent)} {case.unit}")
    for formula, power in case.counted:
        at_first = case.first.get(formula, Fraction(0))
        case.settled[formula] = at_first + power * extent
        case.working.lines.append(_row(case, formula, at_first, power, float(case.settled[formula])))
    silent = [str(each) for each in powers if each not in case.first and each != measured]
    if silent:
        case.working.notes.append(f"at first there is taken to be no {' and no '.join(silent)}")
    return True


def _row(case: _Case, formula: ChemicalFormula, at_first: Fraction, power: Fraction, value: float) -> str:
    change = f"{'+' if power > 0 else '−'} {'' if abs(power) == 1 else f'{abs(power)} '}x"
    name = f"[{formula}]" if case.kind == "c" else f"p({formula})"
    return f"{name} = {figure(at_first)} {change} = {figure(value)} {case.unit}"


def _quotient(case: _Case, letter: str) -> AlgebraOutcome:
    value = math.exp(log_quotient([(power, float(case.settled[formula])) for formula, power in case.counted]))
    name = _letter(case, letter)
    put_in = ", ".join(f"{formula} {figure(case.settled[formula])}" for formula, _ in case.counted)
    case.working.lines.append(f"{name} = {figure(value)}, with {put_in} (in {case.unit})")
    text = f"{name} is {{}}."
    figures = max(3, min((each.figures for each in case.working.stated if not each.is_whole), default=3))
    return case.working.result(text, Fraction(f"{value:.9g}"), NO_UNIT, expression=name, figures=figures)


def _compared(case: _Case, *, is_direction: bool) -> AlgebraOutcome:
    """Q, and where K is stated, which way the reaction goes."""
    values = {**case.settled, **case.first}
    if set(values) != {formula for formula, _ in case.counted} or any(value <= 0 for value in values.values()):
        return None
    case.settled = values
    if not is_direction:
        return _quotient(case, "Q") if case.constant is None else None
    if case.constant is None:
        return None
    value = math.exp(log_quotient([(power, float(values[formula])) for formula, power in case.counted]))
    q, k = f"{_letter(case, 'Q')} = {figure(value)}", f"{_letter(case)} = {figure(case.constant)}"
    case.working.lines.append(f"{q}, {k}")
    if abs(value / case.constant - 1) < 1e-3:
        said = f"{q} equals {k}: the reaction is at equilibrium."
    elif value > case.constant:
        said = f"{q} is larger than {k}: the reaction goes to the left, towards the reactants."
    else:
        said = f"{q} is smaller than {k}: the reaction goes to the right, towards the products."
    return case.working.statement(said, expression=_letter(case, "Q"))


def _settled_value(case: _Case, mentioned: Mentioned) -> AlgebraOutcome:
    """How much of a species there is at equilibrium."""
    target = species_in(case.reaction, mentioned)
    powers = dict(case.counted)
    if case.constant is None or target is None or target not in powers:
        return None
    if target in case.settled or (case.first and case.settled):
        return None
    others = set(powers) - {target}
    if (case.settled and set(case.settled) != others) or any(value <= 0 for value in case.settled.values()):
        return None
    if case.settled:
        rest = log_quotient([(powers[formula], float(value)) for formula, value in case.settled.items()])
        value = math.exp((math.log(case.constant) - rest) / float(powers[target]))
        case.working.lines.append(f"solved for {target}: {figure(value)} {case.unit}")
        return _value_told(case, target, value)
    found = settle(
        [Counted(power, case.first.get(formula, Fraction(0))) for formula, power in case.counted], case.constant
    )
    # From pure solids alone something forms, else something must be there.
    if found is None or (not any(case.first.values()) and any(power < 0 for _, power in case.counted)):
        return None
    for (formula, power), value in zip(case.counted, found.values, strict=True):
        case.working.lines.append(_row(case, formula, case.first.get(formula, Fraction(0)), power, value))
    case.working.lines.append(f"{_letter(case)} = {figure(case.constant)} at x = {figure(found.extent, 6)} {case.unit}")
    case.working.notes.append("x is the only root that leaves no amount negative; nothing is neglected")
    silent = [str(formula) for formula, _ in case.counted if formula not in case.first]
    if silent:
        case.working.notes.append(f"at first there is taken to be no {' and no '.join(silent)}")
    index = [formula for formula, _ in case.counted].index(target)
    return _value_told(case, target, found.values[index])


def _value_told(case: _Case, target: ChemicalFormula, value: float) -> AlgebraOutcome:
    what = "concentration" if case.kind == "c" else "partial pressure"
    text = f"The equilibrium {what} of {target} is {{}}."
    name = f"[{target}]" if case.kind == "c" else f"p({target})"
    return case.working.result(text, Fraction(f"{value:.9g}"), unit_named(case.unit), expression=name, figures=3)


def _other_constant(
    case: _Case, sheet: Sheet, constants: Sequence[Piece], temperature: Amount | None
) -> AlgebraOutcome:
    """K_p from K_c or the reverse: K_p = K_c (R T)^Δn."""
    if case.constant is None or case.stated is None or temperature is None or temperature.si <= 0:
        return None
    if not sheet.is_spent(_WORDS):
        return None
    problem = _not_balanced(case.reaction)
    if problem is not None:
        return problem
    change = sum((power for _, power in case.counted), Fraction(0))
    gas = constant("molar_gas_constant")
    working = case.working
    working.sources.append(Provenance("constant", gas.name, gas.source))
    working.states(case.stated)
    working.states(temperature)
    size = Fraction(gas.value) * temperature.si / ATMOSPHERE / LITRE
    is_kp = next(iter(constants[0].words.values())).startswith(("kp", "k_p", "k_{p"))
    factor = float(size) ** float(change if is_kp else -change)
    working.lines.append(str(case.reaction))
    working.lines.append(f"Δn = {change}, R T = {figure(size)} L·atm/mol at {figure(temperature.si, 5)} K")
    name, other = ("K_p", "K_c") if is_kp else ("K_c", "K_p")
    working.lines.append(
        f"{name} = {other} (R T)^{change if is_kp else -change} = {figure(case.constant)} × {figure(factor)}"
    )
    working.notes.append(
        "all species that are not marked as solid or liquid are gases; K_p is in atmospheres, K_c in mol/L"
    )
    return working.result(
        f"{name} is {{}}.", Fraction(f"{case.constant * factor:.9g}"), NO_UNIT, expression=name, figures=3
    )


# Salts that dissolve a little.

_PRODUCT = r"(?:the )?(?:solubility product(?: constant)?(?:,? \(?k_?\{?sp\}?\)?)?|k_?\{?sp\}?)(?: value)?"


def _answer_solubility(reading: Reading) -> AlgebraOutcome:
    sheet = Sheet(reading)
    if not is_room_temperature(take_temperature(sheet)):
        return None
    given = sheet.take(rf"(?<!\w){_PRODUCT}(?: (?:of|for) (?:{SUBSTANCE}|it))?{_IS} ?{AMOUNT}", is_plain)
    asked_product = sheet.take(rf"(?<!\w){_PRODUCT}(?!\w)")
    if len(given) > 1 or (bool(given) == bool(asked_product) and given):
        return None
    if asked_product:
        return _product(sheet, asked_product)
    return _solubility(sheet, given)


def _salt(pieces: Sequence[Piece]) -> tuple[Mentioned, Salt] | None:
    """The one salt that is named."""
    mentioned = [each for piece in pieces for each in piece.substances]
    if not mentioned or any(set(each.formulas) != set(mentioned[0].formulas) for each in mentioned):
        return None
    found = salt_of(mentioned[0].formulas[0]) if len(mentioned[0].formulas) == 1 else None
    return None if found is None else (mentioned[0], found)


def _dissolving(mentioned: Mentioned, salt: Salt, working: Working) -> str:
    """The line of the salt in water, and its product."""
    working.takes(mentioned, mentioned.formulas[0])
    one, other = (
        f"{'' if number == 1 else f'{number} '}{ion}"
        for ion, number in ((salt.cation, salt.cations), (salt.anion, salt.anions))
    )
    working.lines.append(f"{mentioned.formulas[0]} → {one} + {other}")
    powers = [
        f"[{each}]{'' if number == 1 else str(number).translate(_RAISED)}"
        for each, number in ((salt.cation, salt.cations), (salt.anion, salt.anions))
    ]
    working.notes.append(
        "only this equilibrium is counted: no hydrolysis, no complexes, concentrations stand for activities"
    )
    return " ".join(powers)


_SOLUBILITY = r"(?:(?:the )?(?:molar )?solubility(?: in (?:pure )?water)?)"
_IN_GRAMS = r"(?:in|into) (?:g/l|grams? per lit(?:er|re))"


def _product(sheet: Sheet, asked: Sequence[Piece]) -> AlgebraOutcome:
    """K_sp from a solubility."""
    if len(asked) != 1:
        return None
    values = [
        *sheet.take(rf"{_SOLUBILITY}{_IS} ?{AMOUNT}", measures("molarity")),
        *sheet.take(rf"{_SOLUBILITY}{_IS} ?{AMOUNT}", measures("mass_concentration")),
        *sheet.take(rf"{_SOLUBILITY} of {SUBSTANCE}(?: in (?:pure )?(?:water|{SUBSTANCE}))?{_IS} ?{AMOUNT}"),
        *sheet.take(rf"{SUBSTANCE} (?:has|with) (?:an? )?{_SOLUBILITY}{_IS} ?{AMOUNT}"),
    ]
    pieces = [*values, *sheet.take(rf"(?:in )?(?:pure )?{SUBSTANCE}", lambda each: not _is_water(each)), *_water(sheet)]
    found = _salt([each for each in pieces if each.substances and not _is_water(each)])
    if len(values) > 1 or found is None or not sheet.is_spent(_WORDS):
        return None
    mentioned, salt = found
    if not values:
        return _product_known(mentioned, salt)
    amount, working = values[0].amount, Working()
    product = _dissolving(mentioned, salt, working)
    solubility = amount.si * LITRE
    if amount.measured == "mass_concentration":
        if mass_problem(mentioned.formulas[0]) is not None:
            return None
        mass = working.mass_of_a_mole(mentioned.formulas[0])
        solubility = amount.si / mass
        working.lines.append(f"s = {figure(amount.si)} g/L / ({figure(mass, 6)} g/mol) = {figure(solubility)} mol/L")
    elif amount.measured != "molarity":
        return None
    if solubility <= 0 or _is_of_water(salt, float(solubility)):
        return None
    working.states(amount)
    value = (salt.cations * solubility) ** salt.cations * (salt.anions * solubility) ** salt.anions
    working.lines.append(f"K_sp = {product} = {_in_s(salt)} = {figure(value)}")
    text = f"K_sp of {mentioned.formulas[0]} is {{}}."
    return working.result(text, Fraction(f"{float(value):.9g}"), NO_UNIT, expression="K_sp", figures=3)


def _in_s(salt: Salt) -> str:
    parts = []
    for number in (salt.cations, salt.anions):
        base = "s" if number == 1 else f"({number} s)"
        parts.append(base + ("" if number == 1 else str(number).translate(_RAISED)))
    return " ".join(parts)


def _is_water(piece: Piece) -> bool:
    return bool(piece.substances) and str(piece.substances[-1].formulas[0]) == "H₂O"


def _water(sheet: Sheet) -> list[Piece]:
    return sheet.take(rf"(?:in )?(?:pure )?{SUBSTANCE}", _is_water)


def _product_known(mentioned: Mentioned, salt: Salt) -> AlgebraOutcome:
    working = Working()
    product = _dissolving(mentioned, salt, working)
    value = _solubility_product(mentioned.formulas[0], (), working)
    if value is None:
        return None
    working.lines.append(f"K_sp = {product}")
    text = f"K_sp of {mentioned.formulas[0]} is {{}}."
    return working.result(text, Fraction(f"{value:.9g}"), NO_UNIT, expression="K_sp", figures=3)


def _is_of_water(salt: Salt, solubility: float) -> bool:
    """Whether water gives as many hydroxide ions as the salt, which changes how much dissolves."""
    return str(salt.anion) == f"OH{charge_text(-1)}" and solubility * salt.anions < 1e-6


def _solubility(sheet: Sheet, given: Sequence[Piece]) -> AlgebraOutcome:
    """How much of a salt dissolves, in water or where one of its ions is there already."""
    asked = sheet.take(rf"(?:molar )?solubility of (?:solid )?{SUBSTANCE}") or sheet.take(r"its (?:molar )?solubility")
    _water(sheet)
    in_grams = sheet.take(_IN_GRAMS)
    there = rf"(?:solution (?:of|that is|containing) )?{AMOUNT} (?:in |solution of |aqueous )?{SUBSTANCE}(?: solution)?"
    beside = sheet.take(rf"in (?:an? )?{there}", measures("molarity"))
    named = [piece for piece in given if piece.substances]
    found = _salt([*asked, *named])
    if len(asked) != 1 or len(beside) > 1 or found is None or not sheet.is_spent(_WORDS):
        return None
    mentioned, salt = found
    working = Working()
    product = _dissolving(mentioned, salt, working)
    constant_value = _solubility_product(mentioned.formulas[0], given, working)
    if constant_value is None:
        return None
    ions = {salt.cation: (salt.cations, Fraction(0)), salt.anion: (salt.anions, Fraction(0))}
    if beside:
        common = _common_ion(beside[0], ions)
        if common is None:
            return None
        ion, concentration = common
        ions[ion] = ions[ion][0], concentration
        working.states(beside[0].amount)
        working.lines.append(f"[{ion}] = {figure(concentration)} mol/L from the {beside[0].substances[0].formulas[0]}")
    settled = settle([Counted(Fraction(number), start) for number, start in ions.values()], constant_value)
    if settled is None or settled.extent <= 0:
        return None
    value = Fraction(f"{settled.extent:.9g}")
    way = "with the ion that is there already, solved exactly" if beside else _in_s(salt)
    working.lines.append(f"K_sp = {product} = {way} = {figure(constant_value)}")
    working.lines.append(f"s = {figure(value)} mol/L")
    if not beside and _is_of_water(salt, float(value)):
        return None
    formula = mentioned.formulas[0]
    if in_grams:
        if mass_problem(formula) is not None:
            return None
        mass = working.mass_of_a_mole(formula)
        working.lines.append(f"{figure(value)} mol/L × {figure(mass, 6)} g/mol = {figure(value * mass)} g/L")
        return working.result(
            f"The solubility of {formula} is {{}}.", value * mass, unit_named("g/L"), expression="s", figures=3
        )
    text = f"The molar solubility of {formula} is {{}}."
    return working.result(text, value, unit_named("mol/L"), expression="s", figures=3)


def _solubility_product(formula: ChemicalFormula, given: Sequence[Piece], working: Working) -> float | None:
    """As stated, else as tabulated."""
    if given:
        working.states(given[0].amount)
        value = float(given[0].amount.si)
        return value if 0 < value < 1 else None
    known = solubility_products().get(str(formula).translate(SUBSCRIPTS_AS_DIGITS))
    if known is not None:
        said = f"K_sp of {formula}: {figure(known)}"
        working.sources.append(Provenance("constant", said, table_source("solubility")))
        working.notes.append(f"{said} ({table_source('solubility')})")
    return known


def _common_ion(
    piece: Piece, ions: dict[ChemicalFormula, tuple[int, Fraction]]
) -> tuple[ChemicalFormula, Fraction] | None:
    """The ion of the salt that another one brings, and its concentration; None where it brings none or both."""
    formula = piece.substances[0].formulas[0]
    concentration = piece.amount.si * LITRE
    if concentration <= 0:
        return None
    if formula.charge:
        found = {each: 1 for each in ions if same_substance(each, formula)}
    else:
        other = salt_of(formula)
        brought = {} if other is None else {other.cation: other.cations, other.anion: other.anions}
        found = {each: brought[one] for each in ions for one in brought if same_substance(each, one)}
    if len(found) != 1:
        return None
    ((ion, number),) = found.items()
    return ion, concentration * number
