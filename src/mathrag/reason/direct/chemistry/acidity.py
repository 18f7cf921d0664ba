"""Questions about acids and bases in water: pH and concentrations of ions from one another, constants from the table
and from a pH, the ratio that a buffer needs; solutions and mixtures are in `mixtures`."""

from __future__ import annotations

import math
from fractions import Fraction

from mathrag.compute.chemistry.acids import PKW, Dissolved, Form, dissolved
from mathrag.reason.direct.chemistry.acid_questions import (
    SCALE_IONS,
    SCALE_NAMES,
    WORDS,
    AcidCase,
    asked_of_acids,
    constants_stated,
    given_scales,
    step_of,
    told,
)
from mathrag.reason.direct.chemistry.mixtures import LARGEST, OF_A, answer_mixture
from mathrag.reason.direct.chemistry.reading import AMOUNT, SUBSTANCE, Mentioned, Reading
from mathrag.reason.direct.chemistry.results import LITRE, figure
from mathrag.reason.direct.chemistry.sheet import Sheet, is_room_temperature, measures, take_temperature
from mathrag.reason.direct.result import AlgebraOutcome
from mathrag.types.quantity import NO_UNIT

# Beyond ten moles of either ion in a litre there is hardly any water.
_LOWEST, _HIGHEST = -1.0, 15.0


def answer_acidity(reading: Reading) -> AlgebraOutcome:
    """What a question about acids and bases comes to; None for any other."""
    if reading.reaction is not None:
        return None
    sheet = Sheet(reading)
    if not is_room_temperature(take_temperature(sheet)):
        return None
    constants = constants_stated(sheet)
    given = given_scales(sheet)
    asked = asked_of_acids(sheet)
    if constants is None or asked is None or len(given) > 1:
        return None
    case = AcidCase(sheet, asked, constants, given)
    if asked.kind == "ratio":
        return _ratio(case)
    if asked.kind in ("pka", "pkb", "ka", "kb"):
        return _constant_asked(case)
    if given:
        return _converted(case)
    return answer_mixture(case)


# One value for another.


def _converted(case: AcidCase) -> AlgebraOutcome:
    """pH, pOH and the concentrations of their ions from one of them."""
    if case.asked.kind == "percent" or not case.sheet.is_spent(WORDS):
        return None
    scale, value, amount = case.given[0]
    working = case.working
    working.states(amount)
    if amount.measured == "molarity":
        working.lines.append(f"{SCALE_NAMES[scale]} = −log₁₀[{SCALE_IONS[scale]}] = {value:.4f}")
    ph = value if scale == "ph" else PKW - value
    if not _LOWEST <= ph <= _HIGHEST:
        # No water is so sour or so alkaline; what the words mean is not this.
        return None
    if scale == "poh":
        working.lines.append(f"pH = {PKW:.2f} − {value:.4f} = {ph:.4f}")
        working.notes.append("pH + pOH = 14.00, as in water at 25 °C")
    return told(ph, case, "of the solution")


# The constants of an acid.


def _one_step(mentioned: Mentioned | None) -> tuple[Form, Dissolved] | None:
    """The one form of an acid in a substance."""
    found = None if mentioned is None else dissolved(mentioned.formulas[0], mentioned.text)
    return (found.forms[0], found) if found is not None and len(found.forms) == 1 else None


def _constant_asked(case: AcidCase) -> AlgebraOutcome:
    """Ka or Kb of a substance by the table, or from the pH of its solution."""
    kind, working = case.asked.kind, case.working
    if case.given:
        return _constant_measured(case)
    pieces = case.sheet.take(SUBSTANCE)
    if len(pieces) != 1 or case.constants or not case.sheet.is_spent(WORDS):
        return None
    found = _one_step(pieces[0].substances[0])
    if found is None or found[0].number != 1:
        return None
    form, is_base = found[0], kind.endswith("b")
    if form.lost == (0 if is_base else len(form.acid.pka)):
        return None
    place = form.lost - 1 if is_base else form.lost
    step = step_of(form.acid, place, case)
    if step is None:
        return None
    value = PKW - step if is_base else step
    if is_base:
        working.lines.append(f"pKb = {PKW:.2f} − pKa = {PKW:.2f} − {step:.2f} = {value:.2f}")
    return _constant_told(value, case, str(form))


def _constant_told(value: float, case: AcidCase, of: str) -> AlgebraOutcome:
    kind = case.asked.kind
    name = kind.replace("k", "K")
    if kind.startswith("p"):
        text = f"{name} of {of} is {value:.2f}."
        return case.working.result(text, Fraction(f"{value:.6g}"), NO_UNIT, expression=name, figures=3)
    case.working.lines.append(f"{name} = 10^(−{value:.4f}) = {figure(10.0**-value)}")
    return case.working.result(
        f"{name} of {of} is {{}}.", Fraction(f"{10.0**-value:.9g}"), NO_UNIT, expression=name, figures=3
    )


def _constant_measured(case: AcidCase) -> AlgebraOutcome:
    """Ka from the pH of a solution of one weak acid: x² / (c − x) with x = [H⁺]."""
    is_base = case.asked.kind.endswith("b")
    pieces = case.sheet.take(
        rf"{AMOUNT}{OF_A}(?:{SUBSTANCE})?|(?:{SUBSTANCE} )?(?:with|of) (?:a )?concentration (?:of )?{AMOUNT}",
        measures("molarity"),
    )
    others = case.sheet.take(SUBSTANCE)
    if len(pieces) != 1 or not case.sheet.is_spent(WORDS):
        return None
    mentioned = [*pieces[0].substances, *(each for one in others for each in one.substances)]
    for each in mentioned:
        known = dissolved(each.formulas[0], each.text)
        # What is known to be strong, or to hold the other form, has no such constant.
        if known is None or len(known.forms) != 1 or bool(known.forms[0].lost) != is_base or known.spectators:
            return None
    scale, value, amount = case.given[0]
    own = value if (scale == "poh") == is_base else PKW - value
    concentration, ions = float(pieces[0].amount.si * LITRE), 10.0**-own
    if not 1e-6 < ions < concentration <= LARGEST:
        return None
    working, ion = case.working, "OH⁻" if is_base else "H⁺"
    working.states(amount)
    working.states(pieces[0].amount)
    constant = ions**2 / (concentration - ions)
    working.lines.append(f"x = [{ion}] = 10^(−{own:.4g}) = {figure(ions)} mol/L")
    working.lines.append(f"x² / (c − x) = {figure(constant)}, with c = {figure(concentration)} mol/L")
    working.notes.append("one proton is taken to be given off or taken up")
    of = str(mentioned[0].formulas[0]) if mentioned else "the base" if is_base else "the acid"
    return _constant_told(-math.log10(constant), case, of)


# The ratio of a buffer.


def _ratio(case: AcidCase) -> AlgebraOutcome:
    if not case.asked.substances:
        return _ratio_of_any(case)
    first, second = (_one_step(each) for each in case.asked.substances)
    if len(case.given) != 1 or case.given[0][0] != "ph" or not case.sheet.is_spent(WORDS):
        return None
    if first is None or second is None or first[0].acid != second[0].acid or abs(first[0].lost - second[0].lost) != 1:
        return None
    place = min(first[0].lost, second[0].lost)
    step = step_of(first[0].acid, place, case)
    if step is None:
        return None
    _, ph, amount = case.given[0]
    case.working.states(amount)
    sign = 1 if first[0].lost > second[0].lost else -1
    ratio = 10.0 ** (sign * (ph - step))
    acid, base = sorted((first[0], second[0]), key=lambda each: each.lost)
    case.working.lines.append(f"pH = pKa + log₁₀([{base}] / [{acid}])")
    case.working.lines.append(f"log₁₀([{base}] / [{acid}]) = {ph:g} − {step:.2f} = {ph - step:.4g}")
    text = f"[{first[0]}] / [{second[0]}] is {{}}."
    name = f"[{first[0]}]/[{second[0]}]"
    return case.working.result(text, Fraction(f"{ratio:.9g}"), NO_UNIT, expression=name, figures=3)


def _ratio_of_any(case: AcidCase) -> AlgebraOutcome:
    """The ratio of base and acid for a stated pKa."""
    if set(case.constants) - {"1"} or len(case.given) != 1 or case.given[0][0] != "ph":
        return None
    named = case.sheet.take(rf"{SUBSTANCE} (?=buffer)")
    if not case.sheet.is_spent(WORDS) or len(named) > 1 or not (named or case.constants):
        return None
    if named:
        found = _one_step(named[0].substances[0])
        known = None if found is None or len(found[0].acid.pka) > 1 else step_of(found[0].acid, 0, case)
    else:
        known, amount = case.constants["1"]
        case.working.states(amount)
    if known is None:
        return None
    step, (_, ph, other) = known, case.given[0]
    case.working.states(other)
    sign, name = (1, "[base] / [acid]") if case.asked.first == "base" else (-1, "[acid] / [base]")
    case.working.lines.append(f"log₁₀([base] / [acid]) = pH − pKa = {ph:g} − {step:.4g} = {ph - step:.4g}")
    ratio = Fraction(f"{10.0 ** (sign * (ph - step)):.9g}")
    return case.working.result(f"{name} is {{}}.", ratio, NO_UNIT, expression=name, figures=3)
