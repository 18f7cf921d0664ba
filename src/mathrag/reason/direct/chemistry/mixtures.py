"""The acidity of solutions and mixtures: what is dissolved with its volumes, concentrations and amounts, buffers,
points of a titration, and the share that falls apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.chemistry.acids import (
    PKW,
    WATER,
    Dissolved,
    Form,
    dissolved,
    form_text,
    hydrogen_ions,
    ions_of_weak,
    shares,
)
from mathrag.compute.chemistry.formulas import ChemicalFormula, ChemistryProblem, same_substance
from mathrag.knowledge.equilibria import AcidSteps
from mathrag.reason.direct.chemistry.acid_questions import WORDS, AcidCase, told, with_constants
from mathrag.reason.direct.chemistry.reading import AMOUNT, ANY, SUBSTANCE, Amount, Mentioned
from mathrag.reason.direct.chemistry.results import LITRE, Working, failure, figure, moles_of, unit_named
from mathrag.reason.direct.chemistry.sheet import Piece, is_plain, measures
from mathrag.reason.direct.result import AlgebraOutcome

# Beyond one mole in a liter concentrations no longer stand for activities; beyond three not even nearly.
IDEAL, LARGEST = 1, 3
# Where the short line of a book and the balance of charges agree as well as this, the line is the answer.
_AGREES = 0.01


@dataclass(slots=True)
class _Solute:
    """A substance that is dissolved, with what is stated of it."""

    content: Dissolved
    name: str
    mentioned: Mentioned | None
    volume: Amount | None = None
    molarity: Amount | None = None
    quantity: Amount | None = None
    moles: Fraction = Fraction(0)

    @property
    def concentration(self) -> Fraction:
        """As stated, in mol/L."""
        return Fraction(0) if self.molarity is None else self.molarity.si * LITRE


OF_A = (
    rf"(?: (?:of|{ANY}|aqueous|solution|solutions|solid|pure|in|with|concentrated|dilute|diluted|weak|strong|"
    r"monoprotic|acid|base|that|is|sample|samples|portion))* ?"
)
_BEHIND = (
    rf"(?: solution)?(?: ?\((?P<c>{AMOUNT})(?:, (?P<d>{AMOUNT}))?\)"
    rf"| (?:with|of|at|having) (?:an? )?(?:initial )?(?:molarity|concentration) (?:of )?(?P<e>{AMOUNT}))"
)
_GROUP = rf"(?:{AMOUNT}{OF_A}){{0,2}}{SUBSTANCE}(?:{_BEHIND})?"
# An acid or base without a name, whose constant is stated; alone, or with the other one of the pair.
_UNNAMED = (
    rf"(?:{AMOUNT}(?: (?:of|an?|the|solution|aqueous|in))* ?){{1,2}}(?:weak |monoprotic )+"
    r"(?P<sort>acid|base)(?: h[abx])?(?!\w)"
)
_UNNAMED_PAIR = (
    rf"{AMOUNT}(?: (?:of|in|an?|the|its|weak))* (?P<sort>acid|base)(?: h[abx])?(?:,? and| \+|,) (?:with )?{AMOUNT}"
    rf"(?: (?:of|in|an?|the|its))* conjugate (?:acid|base)"
)
# The other one of a pair, whose name tells both: 0.1 M acid and 0.2 M acetate.
_OTHER_FORM = rf"{AMOUNT}(?: (?:of|in|the|its))*(?: conjugate| weak)? (?P<sort>acid|base|salt)(?! {SUBSTANCE})(?!\w)"
# What a buffer is called, beside what is in it.
_BUFFER_NAME = rf"(?<!{AMOUNT} )(?<!/){SUBSTANCE}(?: ?[/-] ?{SUBSTANCE})? (?=buffer)"
# `acetic acid 0.1 M`: the value behind, where nothing else begins with it.
_VALUE_BEHIND = (
    rf"{SUBSTANCE}(?: solution)?(?: ?[:=]| is| at)? {AMOUNT}(?!{OF_A}[{SUBSTANCE}{AMOUNT}])(?! (?:acid|base|salt))"
)
_TOTAL = (
    rf"(?:(?:in|with) )?(?:an? |the )?(?:total|final) volume (?:of|is) {AMOUNT}|"
    rf"(?:to (?:make|give|form|a total of|a volume of)|diluted (?:with {SUBSTANCE} )?to)"
    rf" (?:an? (?:total |final )?volume of )?{AMOUNT}(?: of (?:an? |the )?(?:buffer )?solution)?"
    rf"(?! of [{AMOUNT}{SUBSTANCE}])"
)
# The same where the substance stands between: `dilute 10 mL of 0.5 M acid to 500 mL`.
_DILUTION = r"(?<!\w)dilut\w*"
_DILUTING = r"(?<!\w)dilut(?:e|es|ing)(?!\w)"
_DILUTED_TO = rf"(?<={SUBSTANCE} )to (?:an? )?(?:total |final )?(?:volume of )?{AMOUNT}(?! of [{AMOUNT}{SUBSTANCE}])"
_VESSEL = (
    rf"(?:in(?:to)? )?{AMOUNT} (?:of )?(?:an? |the |this |that |its |aqueous )*(?:[a-z]+ )?"
    r"(?:buffer(?: solution)?|solution|mixture)"
    rf"(?! (?:of |that is )?(?:{AMOUNT} )?(?:of )?{SUBSTANCE}(?! and))"
)
_MIXES = r"(?<!\w)(?:mix\w*|add\w*|combin\w*|titrat\w*|pour\w*|blend\w*)(?!\w)"


@dataclass(slots=True)
class _Mixture:
    """Everything that is brought together; `total` is the volume of all of it, `vessel` that of a solution in which
    several things are. `is_mixed`: something is said to be poured together; `has_solution`: a solution is spoken of."""

    case: AcidCase
    solutes: list[_Solute]
    total: Amount | None
    vessel: Amount | None
    is_equal: bool
    is_mixed: bool
    has_solution: bool

    @property
    def dissolved(self) -> list[_Solute]:
        """All but water."""
        return [each for each in self.solutes if each.name != "H₂O"]

    @property
    def water(self) -> list[_Solute]:
        """Water that is named."""
        return [each for each in self.solutes if each.name == "H₂O"]

    @property
    def measured(self) -> list[_Solute]:
        """What has a volume of its own."""
        return [each for each in self.solutes if each.volume is not None]

    @property
    def has_volume(self) -> bool:
        """Whether any volume is stated."""
        return bool(self.measured or self.total or self.vessel)


_EQUAL = r"(?<!\w)(?:equal (?:volumes|parts|amounts)|(?:an? |the )?(?:equal|same) volume)(?: of)?(?!\w)"
_FOLDS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "ten": 10,
    "twenty": 20,
    "fifty": 50,
    "hundred": 100,
    "thousand": 1000,
}
_THINNED = (
    rf"(?:(?:and|then|is|are|was|when|after|being) )*dilut(?:ed|ing)(?: (?:with|by adding) {SUBSTANCE})? "
    rf"(?:(?:an? )?(?P<fold>{'|'.join(_FOLDS)})[- ]?fold|{AMOUNT}(?:[- ]?fold| times)|by a factor of {AMOUNT})(?!\w)"
)
_SHARE_NEUTRALISED = (
    rf"(?:when|once|if|after|and) {AMOUNT} of (?:it|the (?:acid|base)) (?:is|are|was|has been|have been) neutrali[sz]ed"
)
_HALF = (
    r"(?:at|to|when|reaching) (?:the )?half[- ]?(?:way(?: (?:to|point))?|equivalence|titration|neutrali[sz]ation)"
    r"(?:[- ](?:the )?(?:equivalence )?point)?(?!\w)"
)
_WHOLE = r"(?:at|to|reach|reaching) (?:the |its )?(?:equivalence|stoichiometric)(?: point)?(?!\w)"
_BEFORE = (
    rf"before (?:(?:any |the )?(?:{SUBSTANCE}|base|acid|titrant) (?:is|has been|was) added|the (?:titration|addition))"
)
_LATER = rf"{AMOUNT} of (?:the )?(?:titrant|added base|added acid|base|acid)(?! {SUBSTANCE})"


def answer_mixture(case: AcidCase) -> AlgebraOutcome:
    """The acidity of what is dissolved; None where the text is not wholly understood."""
    sheet = case.sheet
    is_mixed, has_solution = sheet.has(_MIXES), sheet.has(r"(?<!\w)(?:solution|buffer|contain\w*|in)(?!\w)")
    is_diluted = sheet.has(_DILUTION)
    is_equal = bool(sheet.take(_EQUAL))
    points = [
        part
        for part, text in ((Fraction(1, 2), _HALF), (Fraction(1), _WHOLE), (Fraction(0), _BEFORE))
        if sheet.take(text)
    ]
    changes = [*sheet.take(_THINNED, is_plain), *sheet.take(_SHARE_NEUTRALISED, measures("percent"))]
    diluted = sheet.take(_DILUTED_TO, measures("volume")) if sheet.has(_DILUTING) else []
    total, later, vessels = (sheet.take(text, measures("volume")) for text in (_TOTAL, _LATER, _VESSEL))
    total.extend(diluted)
    solutes = _solutes(case)
    if not solutes or not sheet.is_spent(WORDS) or any(len(each) > 1 for each in (total, later, vessels, points)):
        return None
    if later and not _poured(later[0].amount, solutes):
        return None
    if is_diluted and total and _comes_before(case, total[0].amount, solutes):
        return None
    if case.asked.kind == "percent" and (len(solutes) > 1 or points):
        return None
    if changes:
        is_alone = len(solutes) == len(changes) and not [*total, *later, *vessels, *points]
        return _changed(case, solutes[0], changes[0]) if is_alone and not is_equal else None
    if points:
        return _at_point(case, solutes, points[0]) if len(solutes) == 2 and not (total or later or is_equal) else None
    volume, vessel = (each[0].amount if each else None for each in (total, vessels))
    return _mixed(_Mixture(case, solutes, volume, vessel, is_equal, is_mixed, has_solution))


def _comes_before(case: AcidCase, total: Amount, solutes: Sequence[_Solute]) -> bool:
    """Whether something is only named after the volume to which another is diluted: it may come to that."""
    told_by_place = [*map(id, case.sheet.reading.amounts)]
    named = [each for one in solutes for each in (one.volume, one.molarity, one.quantity) if each is not None]
    is_later = any(told_by_place.index(id(each)) > told_by_place.index(id(total)) for each in named)
    return is_later and sum(each.name != "H₂O" for each in solutes) > 1


def _changed(case: AcidCase, solute: _Solute, change: Piece) -> AlgebraOutcome:
    """The acidity of one solution that is diluted so many times, or of which such a part is neutralised."""
    if case.asked.kind == "percent" or solute.molarity is None or solute.volume is not None:
        return None
    is_share = bool(change.amounts) and change.amount.measured == "percent"
    return _partly(case, solute, change.amount) if is_share else _thinned(case, solute, change)


def _thinned(case: AcidCase, solute: _Solute, told_so: Piece) -> AlgebraOutcome:
    """The acidity of one solution once it has so many times its volume."""
    times = Fraction(_FOLDS[told_so.words["fold"]]) if "fold" in told_so.words else told_so.amount.si
    if times <= 1:
        return None
    concentration = solute.concentration / times
    case.working.lines.append(
        f"c = {figure(solute.concentration)} mol/L / {figure(times)} = {figure(concentration)} mol/L"
    )
    return _acidity(case, [(solute, concentration)], None)


def _partly(case: AcidCase, solute: _Solute, part: Amount) -> AlgebraOutcome:
    """The acidity once such a part of one acid or base has reacted with a strong one that brings no volume with it."""
    capacity = solute.content.to_give or solute.content.to_take
    if capacity != 1 or not 0 < part.si < 1:
        return None
    case.working.states(part)
    case.working.notes.append("what neutralises it is taken to add no volume")
    added = _Solute(Dissolved((), 1 if solute.content.to_give else -1), "", None)
    return _acidity(case, [(solute, solute.concentration), (added, solute.concentration * part.si)], None)


def _solutes(case: AcidCase) -> list[_Solute] | None:
    """Every substance that is dissolved; None where one is not known or what is said of it does not fit together."""
    found = _unnamed(case)
    if found is None:
        return None
    names = case.sheet.take(_BUFFER_NAME)
    is_before = case.sheet.has(rf"{AMOUNT}{OF_A}{SUBSTANCE}")
    named = [] if is_before else case.sheet.take(_VALUE_BEHIND, measures("molarity"))
    for piece in [*named, *case.sheet.take(_GROUP)]:
        solute = _solute(piece, case)
        if solute is None:
            return None
        same = next((each for each in found if _is_same(each, solute)), None)
        if same is None:
            found.append(solute)
        elif not _joined(same, solute):
            return None
    for piece in case.sheet.take(_OTHER_FORM):
        form = _other_form(found, is_acid=piece.words["sort"] == "acid")
        if form is None or not _filled(form, piece.amounts):
            return None
        found.append(form)
    return found if _is_called(found, names) else None


def _unnamed(case: AcidCase) -> list[_Solute] | None:
    """An acid or base without a name, or such a pair; none of them is an empty list."""
    pieces = [*case.sheet.take(_UNNAMED_PAIR, measures("molarity", "molarity")), *case.sheet.take(_UNNAMED)]
    if not pieces:
        return []
    if len(pieces) > 1 or set(case.constants) != {"1"}:
        return None
    amounts, is_base = pieces[0].amounts, pieces[0].words["sort"] == "base"
    texts = ("HB", "B") if is_base else ("HA", "A")
    acid = AcidSteps(texts[is_base], int(is_base), (case.constants["1"][0],), tuple((each,) for each in texts))
    one = _Solute(_of_form(acid, int(is_base)), texts[is_base], None)
    if len(amounts) == 2 and amounts[1].measured == amounts[0].measured:
        other = _Solute(_of_form(acid, int(not is_base)), texts[not is_base], None)
        one.molarity, other.molarity = amounts
        return [other, one]
    return [one] if _filled(one, amounts) else None


def _is_called(found: Sequence[_Solute], names: Sequence[Piece]) -> bool:
    """Whether what a buffer is called is in it."""
    acids = {form.acid for each in found for form in each.content.forms}
    called = [dissolved(one.formulas[0], one.text) for each in names for one in each.substances]
    return all(each is not None and {form.acid for form in each.forms} <= acids for each in called)


def _other_form(found: Sequence[_Solute], *, is_acid: bool) -> _Solute | None:
    """The other form of the one acid that is named, or that of the one base."""
    forms = [form for each in found for form in each.content.forms]
    if len(found) != 1 or len(forms) != 1 or len(forms[0].acid.pka) != 1 or forms[0].lost != int(is_acid):
        return None
    lost = int(not is_acid)
    return _Solute(_of_form(forms[0].acid, lost), form_text(forms[0].acid, lost), None)


def _solute(piece: Piece, case: AcidCase) -> _Solute | None:
    mentioned = piece.substances[0]
    formula = mentioned.formulas[0]
    content = dissolved(formula, mentioned.text)
    if str(formula) == "H₂O":
        content = Dissolved((), 0)
    elif content is None and len(mentioned.formulas) == 1 and set(case.constants) == {"1"}:
        content = _unlisted(formula, case.constants["1"][0])
    if content is None:
        return None
    solute = _Solute(content, str(formula), mentioned)
    return solute if _filled(solute, piece.amounts) else None


def _filled(solute: _Solute, amounts: Sequence[Amount]) -> bool:
    """Give a substance what is stated of it, where that fits together."""
    names = {"volume": "volume", "molarity": "molarity", "moles": "quantity", "mass": "quantity"}
    for amount in amounts:
        name = names.get(amount.measured)
        if name is None or getattr(solute, name) is not None:
            return False
        setattr(solute, name, amount)
    return solute.quantity is None or solute.molarity is None


def _of_form(acid: AcidSteps, lost: int) -> Dissolved:
    form = Form(acid, lost)
    return Dissolved((form,), -form.charge)


def _unlisted(formula: ChemicalFormula, step: float) -> Dissolved | None:
    """An acid that no table knows with the constant that is stated: hydrogen first, or the group of acids."""
    text = str(formula)
    if formula.charge or not ((text.startswith("H") and not text.startswith("HO")) or text.endswith(("COOH", "CO₂H"))):
        return None
    return _of_form(AcidSteps(text, 0, (step,), ((text,), ("A",))), 0)


def _is_same(one: _Solute, other: _Solute) -> bool:
    """Whether two mentions are of one substance: strong acids have one effect, and are many."""
    if one.mentioned is None or other.mentioned is None or one.content != other.content:
        return False
    return any(same_substance(each, known) for each in one.mentioned.formulas for known in other.mentioned.formulas)


def _joined(one: _Solute, other: _Solute) -> bool:
    """Take over what is said of a substance where it is named again."""
    for name in ("volume", "molarity", "quantity"):
        stated = getattr(other, name)
        if stated is not None and getattr(one, name) is not None:
            return False
        if stated is not None:
            setattr(one, name, stated)
    return True


def _poured(amount: Amount, solutes: Sequence[_Solute]) -> bool:
    """Give a volume of what was added to the one solution that has none."""
    without = [each for each in solutes if each.molarity is not None and each.volume is None]
    if len(without) != 1:
        return False
    without[0].volume = amount
    return True


def _mixed(mixture: _Mixture) -> AlgebraOutcome:
    """The acidity of everything together."""
    if any(each.quantity or each.molarity for each in mixture.water):
        return None
    if any(each.molarity is None and each.quantity is None for each in mixture.dissolved):
        return None
    if mixture.is_equal:
        return _of_equal_volumes(mixture)
    return _of_volumes(mixture) if mixture.has_volume else _in_one(mixture)


def _of_equal_volumes(mixture: _Mixture) -> AlgebraOutcome:
    solutes = mixture.dissolved
    if mixture.has_volume or not solutes or any(each.molarity is None for each in solutes):
        return None
    mixture.case.working.notes.append("equal volumes are taken to add up")
    return _acidity(mixture.case, [(each, each.concentration / len(mixture.solutes)) for each in solutes], None)


def _is_measured(mixture: _Mixture) -> bool:
    """Whether every concentration has its volume, and no amount of a substance one of its own."""
    if any(each.quantity is not None for each in mixture.measured):
        return False
    return mixture.vessel is not None or not any(each.molarity and not each.volume for each in mixture.dissolved)


def _volume(mixture: _Mixture) -> Fraction | None:
    """Of everything in liters, with what is taken for granted about it."""
    working, measured = mixture.case.working, mixture.measured
    if mixture.vessel is None and measured and measured == [each for each in mixture.water if each.volume]:
        # Things in so much water.
        if len(measured) > 1 or mixture.total:
            return None
        working.notes.append("the volume of the solution is taken as that of the water")
    parts = [each for each in (mixture.vessel, *(each.volume for each in measured)) if each is not None]
    for amount in (mixture.total, mixture.vessel):
        if amount is not None:
            working.states(amount)
    if mixture.total is not None:
        is_enough = mixture.total.si >= sum((each.si for each in parts), Fraction(0))
        return mixture.total.si / LITRE if is_enough else None
    if len(parts) > 1:
        working.notes.append("the volumes are taken to add up")
    return sum((each.si for each in parts), Fraction(0)) / LITRE


def _of_volumes(mixture: _Mixture) -> AlgebraOutcome:
    """By how much of each there is in the volume of all."""
    volume = _volume(mixture) if _is_measured(mixture) else None
    if volume is None or volume <= 0:
        return None
    working = mixture.case.working
    for each in mixture.solutes:
        problem = _count_moles(each, Fraction(0) if mixture.vessel is None else mixture.vessel.si, working)
        if problem is not None:
            return failure(problem)
    working.lines.append(f"V = {figure(volume, 6)} L")
    return _acidity(mixture.case, [(each, each.moles / volume) for each in mixture.solutes], volume)


def _count_moles(solute: _Solute, shared: Fraction, working: Working) -> ChemistryProblem | None:
    """How much of a substance there is, with its step."""
    if solute.quantity is not None and solute.mentioned is not None:
        found = moles_of(solute.quantity, solute.mentioned.formulas[0], working)
        if isinstance(found, ChemistryProblem):
            return found
        solute.moles = found
    elif solute.molarity is not None:
        volume = shared if solute.volume is None else solute.volume.si
        working.states(solute.molarity)
        if solute.volume is not None:
            working.states(solute.volume)
        solute.moles = solute.molarity.si * volume
        product = f"{figure(solute.molarity.si * LITRE)} mol/L × {figure(volume / LITRE)} L"
        working.lines.append(f"n({solute.name}) = {product} = {figure(solute.moles)} mol")
    elif solute.volume is not None:
        working.states(solute.volume)
    return None


def _first_acid(solute: _Solute) -> AcidSteps:
    return solute.content.forms[0].acid


def _react(solutes: Sequence[_Solute]) -> bool:
    """Whether something strong would react with another: what concentrations are then is not told."""
    strong = [each for each in solutes if each.content.free_protons]
    return any(
        other.content.to_take if each.content.free_protons > 0 else other.content.to_give
        for each in strong
        for other in solutes
        if other is not each
    )


def _in_one(mixture: _Mixture) -> AlgebraOutcome:
    """Substances in one solution: by their concentrations there, or, of a buffer, by their amounts alone."""
    case, solutes = mixture.case, mixture.dissolved
    if all(each.molarity is not None for each in solutes):
        is_pair = all(each.content.forms for each in solutes) and len({_first_acid(each) for each in solutes}) == 1
        # What is mixed has these concentrations before, and how much of each there is is not told.
        if len(solutes) > 1 and (mixture.is_mixed or not (mixture.has_solution or is_pair) or _react(solutes)):
            return None
        return _acidity(case, [(each, each.concentration) for each in solutes], None)
    if len(solutes) < 2 or any(each.quantity is None for each in solutes):
        return None
    for each in solutes:
        problem = _count_moles(each, Fraction(0), case.working)
        if problem is not None:
            return failure(problem)
    return _acidity(case, [(each, each.moles) for each in solutes], None, is_ratio=True)


def _is_titration(titrant: _Solute, analyte: _Solute) -> bool:
    """Whether the titrant is strong and the analyte has one kind of proton to give or to take."""
    if titrant.quantity is not None or analyte.quantity is not None:
        return False
    if analyte.content.free_protons * titrant.content.free_protons > 0:
        return False
    return sum(each.number * len(each.acid.pka) for each in analyte.content.forms) <= 1


def _at_point(case: AcidCase, solutes: list[_Solute], fraction: Fraction) -> AlgebraOutcome:
    """The acidity where a part of what the titrant can take is taken."""
    titrant = next((each for each in reversed(solutes) if each.volume is None and not each.content.forms), None)
    if titrant is None or not titrant.content.spectators:
        return None
    analyte = next(each for each in solutes if each is not titrant)
    capacity = analyte.content.to_give if titrant.content.spectators > 0 else analyte.content.to_take
    if not capacity or not _is_titration(titrant, analyte):
        return None
    is_stated = analyte.volume is not None and analyte.molarity is not None and titrant.molarity is not None
    if fraction == Fraction(1, 2) and not is_stated and analyte.content.forms:
        return _half_way(case, analyte)
    if analyte.molarity is None:
        return None
    if not fraction:
        return _acidity(case, [(analyte, analyte.concentration)], None)
    return _titrated(case, analyte, titrant, capacity * fraction)


def _titrated(case: AcidCase, analyte: _Solute, titrant: _Solute, protons: Fraction) -> AlgebraOutcome:
    """The acidity once so many protons for each unit of the analyte were exchanged."""
    working = case.working
    if titrant.molarity is None or titrant.molarity.si <= 0:
        return None
    # Of a volume that is not stated a liter is taken: it cancels.
    of_analyte = LITRE if analyte.volume is None else analyte.volume.si
    _count_moles(analyte, of_analyte, working)
    working.states(titrant.molarity)
    titrant.moles = analyte.moles * protons / abs(titrant.content.free_protons)
    added = titrant.moles / titrant.molarity.si
    volume = (of_analyte + added) / LITRE
    if volume <= 0:
        return None
    working.lines.append(f"n({titrant.name}) = {figure(titrant.moles)} mol, in {figure(added / LITRE)} L")
    working.lines.append(f"V = {figure(volume, 6)} L")
    working.notes.append("the volumes are taken to add up")
    return _acidity(case, [(each, each.moles / volume) for each in (analyte, titrant)], volume)


def _half_way(case: AcidCase, analyte: _Solute) -> AlgebraOutcome:
    """Half of a weak acid or base is in its other form: pH = pKa."""
    form = analyte.content.forms[0]
    acid = with_constants(form.acid, case)
    if acid is None or form.number != 1:
        return None
    for each in (analyte.volume, analyte.molarity):
        if each is not None:
            case.working.states(each)
    case.working.lines.append(f"[{form_text(acid, 0)}] = [{form_text(acid, 1)}], so that pH = pKa = {acid.pka[0]:.2f}")
    return told(acid.pka[0], case, "there")


# The balance.


@dataclass(frozen=True, slots=True)
class _Contents:
    """What is in a solution: acids with all their forms together, and the charge of the ions that do not react."""

    systems: dict[AcidSteps, Fraction]
    spectators: Fraction


def _contents(case: AcidCase, solutes: Sequence[tuple[_Solute, Fraction]]) -> _Contents | None:
    """Everything by its acid, with the constants that are stated or tabulated; None where some cannot be together."""
    if any(concentration < 0 or (solute.content.forms and not concentration) for solute, concentration in solutes):
        return None
    totals: dict[AcidSteps, Fraction] = {}
    spectators = Fraction(0)
    for solute, concentration in solutes:
        spectators += solute.content.spectators * concentration
        for form in solute.content.forms:
            totals[form.acid] = totals.get(form.acid, Fraction(0)) + form.number * concentration
        if solute.mentioned is not None:
            case.working.takes(solute.mentioned, solute.mentioned.formulas[0])
        if solute.molarity is not None:
            case.working.states(solute.molarity)
    # Calcium and its like leave the water with anions of several charges.
    has_hard = any(solute.content.is_hard for solute, _ in solutes)
    if has_hard and any(len(acid.forms) > 2 or acid.charge < 0 for acid in totals):
        return None
    if case.constants and len(totals) != 1:
        return None
    systems: dict[AcidSteps, Fraction] = {}
    for acid, amount in totals.items():
        stated = with_constants(acid, case)
        if stated is None:
            return None
        systems[stated] = amount
    return _Contents(systems, spectators)


def _acidity(
    case: AcidCase, solutes: Sequence[tuple[_Solute, Fraction]], volume: Fraction | None, *, is_ratio: bool = False
) -> AlgebraOutcome:
    """The acidity of substances at these concentrations; where `is_ratio`, these are amounts in a volume not told."""
    working = case.working
    largest = max((amount for _, amount in solutes), default=Fraction(0))
    contents = _contents(case, solutes)
    if contents is None or (largest > LARGEST and not is_ratio):
        return None
    if largest > IDEAL and not is_ratio:
        working.notes.append("concentrations stand for activities, which above 1 mol/L is a rough idealization")
    if case.asked.kind == "percent":
        return _percent(case, solutes[0][0], contents)
    line = _line(working, contents, volume, is_ratio=is_ratio)
    of = _of(solutes)
    if is_ratio:
        return None if line is None else told(line, case, of)
    systems = [(acid, float(amount)) for acid, amount in contents.systems.items()]
    ions = hydrogen_ions(systems, float(contents.spectators))
    if ions is None:
        return None
    exact = -math.log10(ions)
    if line is not None and abs(line - exact) < _AGREES:
        return told(line, case, of)
    working.lines.extend(_balance_lines(contents.systems, contents.spectators, ions))
    if line is None:
        working.notes.append("the balance of charges is solved exactly, with all steps and the ions of water")
    else:
        working.notes.append(f"the short formula gives {line:.2f}; the exact balance of charges is told")
    return told(exact, case, of)


def _of(solutes: Sequence[tuple[_Solute, Fraction]]) -> str:
    """What the pH is of, for the sentence."""
    if not solutes:
        return "of pure water"
    is_one = len(solutes) == 1 and solutes[0][0].mentioned is not None
    return f"of the {solutes[0][0].name} solution" if is_one else "of the solution"


def _balance_lines(systems: dict[AcidSteps, Fraction], spectators: Fraction, ions: float) -> list[str]:
    """The charges at the pH where they balance, so that it can be checked."""
    forms = [
        f"{form_text(acid, lost)} {figure(float(amount) * share)}"
        for acid, amount in systems.items()
        for lost, share in enumerate(shares(acid, ions))
    ]
    lines = [f"in mol/L: {', '.join(forms)}, H⁺ {figure(ions)}, OH⁻ {figure(WATER / ions)}"]
    if spectators:
        lines.append(f"the other ions bring a charge of {figure(spectators)} mol/L".replace("-", "−"))
    return [*lines, f"these charges balance at pH = {-math.log10(ions):.4f}"]


def _line(working: Working, contents: _Contents, volume: Fraction | None, *, is_ratio: bool) -> float | None:
    """The pH as a book has it, with its lines, where one thing decides it: what is strong, one weak acid or base, or a
    buffer of both."""
    systems, spectators = contents.systems, contents.spectators
    if not systems:
        ion = "OH⁻" if spectators > 0 else "H⁺"
        return _strong(working, abs(spectators), ion, volume) if not is_ratio else None
    if len(systems) > 1:
        return None
    ((acid, total),) = systems.items()
    if len(acid.pka) > 1:
        return _ampholyte_buffer(working, acid, total, spectators)
    # The charges tell how much of the acid has lost its proton before water takes part.
    base = spectators + acid.charge * total
    return _single(working, acid, (total - base, base), volume, is_ratio=is_ratio)


def _strong(working: Working, concentration: Fraction, ion: str, volume: Fraction | None) -> float | None:
    if not concentration:
        working.lines.append("[H⁺] = [OH⁻] = 10⁻⁷ mol/L, as in pure water")
        return PKW / 2
    left = float(concentration)
    if left < 1e-5:
        ions = (left + math.sqrt(left**2 + 4 * WATER)) / 2
        working.notes.append("the ions of water itself are counted")
        working.lines.append(
            f"[{ion}] = (c + √(c² + 4 K_w)) / 2 = {figure(ions, 6)} mol/L, with c = {figure(left)} mol/L"
        )
    else:
        ions = left
        if volume is not None:
            working.lines.append(f"n({ion}) left over = {figure(concentration * volume)} mol")
        working.lines.append(f"[{ion}] = {figure(ions, 6)} mol/L")
    working.notes.append("strong acids and bases are taken to fall apart wholly")
    return _scaled(working, ions, ion)


def _scaled(working: Working, ions: float, ion: str) -> float:
    value = -math.log10(ions)
    if ion == "H⁺":
        working.lines.append(f"pH = −log₁₀[H⁺] = {value:.4f}")
        return value
    working.lines.append(f"pOH = −log₁₀[OH⁻] = {value:.4f}")
    working.lines.append(f"pH = {PKW:.2f} − {value:.4f} = {PKW - value:.4f}")
    working.notes.append("pH + pOH = 14.00, as in water at 25 °C")
    return PKW - value


def _single(
    working: Working, acid: AcidSteps, parts: tuple[Fraction, Fraction], volume: Fraction | None, *, is_ratio: bool
) -> float | None:
    """One acid and its base; `parts` is how much of each there is once what is strong has reacted."""
    held, given = parts
    times, unit = (volume, "mol") if volume is not None else (1, "mol" if is_ratio else "mol/L")
    one, other = form_text(acid, 0), form_text(acid, 1)
    if held > 0 and given > 0:
        working.lines.append(f"{one}: {figure(held * times)} {unit}, {other}: {figure(given * times)} {unit}")
        value = acid.pka[0] + math.log10(given / held)
        working.lines.append(
            f"pH = pKa + log₁₀([{other}] / [{one}]) = {acid.pka[0]:.2f} + log₁₀({figure(given / held)}) = {value:.4f}"
        )
        return value
    if is_ratio:
        return None
    if held < 0 or given < 0:
        return _strong(working, -min(parts), "OH⁻" if held < 0 else "H⁺", volume)
    is_base = not held
    total = float(held + given)
    ion, letter = ("OH⁻", "K_b") if is_base else ("H⁺", "K_a")
    constant = 10.0 ** (acid.pka[0] - PKW if is_base else -acid.pka[0])
    ions = ions_of_weak(total, constant)
    way = f"10^(pKa − {PKW:.0f})" if is_base else "10^(−pKa)"
    working.lines.append(f"{letter}({other if is_base else one}) = {way} = {figure(constant)}")
    working.lines.append(f"{letter} = x² / (c − x), with c = {figure(total)} mol/L")
    working.lines.append(f"x = [{ion}] = {figure(ions, 6)} mol/L (the exact root of the quadratic)")
    working.notes.append("concentrations stand for activities")
    return _scaled(working, ions, ion)


def _ampholyte_buffer(working: Working, acid: AcidSteps, total: Fraction, spectators: Fraction) -> float | None:
    """A buffer of two neighbouring forms of an acid with several steps."""
    lost = (spectators + acid.charge * total) / total
    lower = math.floor(lost)
    if not 0 <= lower < len(acid.pka) or lost == lower:
        return None
    given, held = lost - lower, lower + 1 - lost
    one, other = form_text(acid, lower), form_text(acid, lower + 1)
    value = acid.pka[lower] + math.log10(given / held)
    put_in = f"{acid.pka[lower]:.2f} + log₁₀({figure(given / held)})"
    working.lines.append(f"pH = pKa{lower + 1} + log₁₀([{other}] / [{one}]) = {put_in} = {value:.4f}")
    return value


def _percent(case: AcidCase, solute: _Solute, contents: _Contents) -> AlgebraOutcome:
    """How much of a weak acid or base has given off or taken up a proton."""
    if len(contents.systems) != 1 or contents.spectators:
        return None
    ((acid, total),) = contents.systems.items()
    if len(acid.pka) > 1:
        return None
    is_base = bool(solute.content.forms[0].lost)
    constant = 10.0 ** (acid.pka[0] - PKW if is_base else -acid.pka[0])
    ions = ions_of_weak(float(total), constant)
    if ions < 1e-6:
        return None
    working = case.working
    working.lines.append(f"K = x² / (c − x), with K = {figure(constant)} and c = {figure(total)} mol/L")
    share = ions / float(total) * 100
    working.lines.append(f"x = {figure(ions, 6)} mol/L (the exact root of the quadratic)")
    working.lines.append(f"x / c × 100 % = {figure(share)} %")
    text = f"{solute.name} is dissociated to {{}}." if not is_base else f"{solute.name} has taken up protons to {{}}."
    return working.result(text, Fraction(f"{share:.9g}"), unit_named("percent"), expression="x / c", figures=3)
