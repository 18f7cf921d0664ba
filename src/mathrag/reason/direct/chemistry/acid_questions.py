"""A question about acids and bases, read: what it asks, the constants, pH or concentrations of ions that it states; and
how what is found is told."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from fractions import Fraction

from mathrag.compute.chemistry.acids import PKW, form_text
from mathrag.compute.chemistry.formulas import (
    SUBSCRIPTS_AS_DIGITS,
    ChemicalFormula,
    read_chemical_formula,
    same_substance,
)
from mathrag.knowledge.equilibria import AcidSteps, table_source
from mathrag.reason.direct.chemistry.reading import AMOUNT, SUBSTANCE, Amount, Mentioned
from mathrag.reason.direct.chemistry.results import LITRE, Working, unit_named
from mathrag.reason.direct.chemistry.sheet import Piece, Sheet, is_plain, measures
from mathrag.reason.direct.result import AlgebraOutcome
from mathrag.types.answer import Provenance
from mathrag.types.quantity import NO_UNIT

WORDS = "chemistry.acidity"
# A stated constant that is so far from the table (in powers of ten) is that of the other form, or of something else.
_FARTHEST = 1.0
SCALE_NAMES = {"ph": "pH", "poh": "pOH"}
SCALE_IONS = {"ph": "H⁺", "poh": "OH⁻"}


@dataclass(frozen=True, slots=True)
class AcidAsked:
    """`ph`, `poh`, `H⁺`, `OH⁻`, `percent`, `ratio` with its substances, or a constant such as `pka`."""

    kind: str
    substances: tuple[Mentioned, ...] = ()
    first: str = ""


@dataclass(slots=True)
class AcidCase:
    """A question with what was found in it; `working` grows on the way."""

    sheet: Sheet
    asked: AcidAsked
    constants: dict[str, tuple[float, Amount]]
    given: list[tuple[str, float, Amount]]
    working: Working = field(default_factory=Working)


_IS = r"(?: (?:value )?(?:of|is|was|are|equal to|equals|at)| ?[=:≈])*"
_JOINT = r"(?:[,(]|and|with|if|its|the|where|given|for which|whose|that has|has|having|when|an?| )*"
_CONSTANT = r"(?P<name>p?k_?\{?[abₐ]\}?)(?P<step>[₁-₃1-3]?)"


def constants_stated(sheet: Sheet) -> dict[str, tuple[float, Amount]] | None:
    """Constants that are stated, as pKa by their step; None where they are said twice or are none."""
    found: dict[str, tuple[float, Amount]] = {}
    for piece in sheet.take(
        rf"{_JOINT}(?<!\w){_CONSTANT}(?: (?:of|for) (?:the )?{SUBSTANCE})?{_IS} ?{AMOUNT}\)?", is_plain
    ):
        stated = float(piece.amount.si)
        name = _plain_name(piece)
        if not name.startswith("p") and not 0 < stated < 10:
            return None
        value = stated if name.startswith("p") else -math.log10(stated)
        step = piece.words.get("step", "").translate(SUBSCRIPTS_AS_DIGITS) or "1"
        if name.endswith("b"):
            value = PKW - value
        if step in found or not -3 < value < 17:
            return None
        found[step] = value, piece.amount
    return found


def _ion_scale(mentioned: Mentioned) -> str:
    """`ph` for the ion of hydrogen, `poh` for that of hydroxide, else empty."""
    for text, scale in (("H+", "ph"), ("H3O+", "ph"), ("OH^-", "poh")):
        known = read_chemical_formula(text)
        if isinstance(known, ChemicalFormula) and same_substance(known, mentioned.formulas[0]):
            return scale
    return ""


def _is_ion(piece: Piece) -> bool:
    return bool(_ion_scale(piece.substances[0]))


_ION = rf"(?:concentration of (?:the )?{SUBSTANCE}(?: ions?)?|{SUBSTANCE}(?: ions?)? concentration|{SUBSTANCE})"


def given_scales(sheet: Sheet) -> list[tuple[str, float, Amount]]:
    """pH, pOH or a concentration of their ions that the question states, as values on their scale."""
    direct = rf"(?<!\w)(?P<scale>poh|ph){_IS} ?{AMOUNT}(?! ?[{SUBSTANCE}{AMOUNT}])"
    found = [(piece.words["scale"], float(piece.amount.si), piece.amount) for piece in sheet.take(direct, is_plain)]
    stated = (
        rf"{_ION}(?: in (?:the|an?) solution)?{_IS} ?{AMOUNT}(?! ?{SUBSTANCE})|{AMOUNT} (?:of )?{SUBSTANCE}(?: ions?)?"
    )
    for piece in sheet.take(stated, lambda each: _is_ion(each) and measures("molarity")(each)):
        concentration = float(piece.amount.si * LITRE)
        if concentration > 0:
            found.append((_ion_scale(piece.substances[0]), -math.log10(concentration), piece.amount))
    return found or _measured(sheet)


def _measured(sheet: Sheet) -> list[tuple[str, float, Amount]]:
    """`The pH of the solution is 2.5`: scale and value apart."""
    if not sheet.has(rf"(?<!\w)(?:poh|ph) of (?!{AMOUNT}\??$)"):
        return []
    values = sheet.take(rf"(?:is|was|equals|=|found to be|measured as) {AMOUNT}(?! ?[{SUBSTANCE}])", is_plain)
    scales = sheet.take(r"(?<!\w)(?P<scale>poh|ph) of(?!\w)") if len(values) == 1 else []
    return [(each.words["scale"], float(values[0].amount.si), values[0].amount) for each in scales]


_RATIO = (
    rf"ratio(?: of)? (?:the )?(?:concentrations? of )?{SUBSTANCE} ?(?:to|/|and|over) ?(?:that of |the )?{SUBSTANCE}"
)
_SHARE = (
    r"(?:percent(?:age)?|degree|fraction|%) (?:of )?(?:dissociation|dissociated|ionization|ionisation|ionized|ionised)"
)


def asked_of_acids(sheet: Sheet) -> AcidAsked | None:
    """The one thing that is asked."""
    part = r"(?:ionized|ionised|dissociated)"
    one = r"(?:the )?(?:conjugate |weak )?"
    generic = (
        r"(?:the )?(?:ratio )?\[a-\] ?/ ?\[ha\](?: ratio)?|"
        rf"ratio of {one}(?P<first>base|acid) to {one}(?:acid|base)"
    )
    found = [
        *(AcidAsked("ratio", first=each.words.get("first", "base")) for each in sheet.take(generic)),
        *(AcidAsked("percent") for _ in sheet.take(rf"(?:percent(?:age)?|fraction) of(?= .*{AMOUNT}.* {part})")),
        *(
            AcidAsked("ratio", each.substances)
            for each in sheet.take(rf"(?<!\w){_RATIO}|{SUBSTANCE} ?/ ?{SUBSTANCE} ratio")
        ),
        *(AcidAsked("percent") for _ in sheet.take(rf"(?<!\w){_SHARE}(?!\w)")),
        *(AcidAsked(SCALE_IONS[_ion_scale(each.substances[0])]) for each in sheet.take(rf"{_ION}(?! ?/)", _is_ion)),
        *(AcidAsked(_plain_name(each)) for each in sheet.take(rf"(?<!\w){_CONSTANT}(?!\w)")),
        *(AcidAsked(each.words["scale"]) for each in sheet.take(r"(?<!\w)(?P<scale>poh|ph)(?: value)?(?!\w)")),
    ]
    return found[0] if len(found) == 1 else None


def _plain_name(piece: Piece) -> str:
    return re.sub(r"[_{}]", "", piece.words["name"]).replace("ₐ", "a")


# What is found.


def told(ph: float, case: AcidCase, of: str) -> AlgebraOutcome:
    """The pH, or what else is asked of the acidity."""
    working, kind = case.working, case.asked.kind
    if kind in ("ph", "H⁺"):
        value = ph
    else:
        value = PKW - ph
        working.lines.append(f"pOH = {PKW:.2f} − {ph:.4f} = {value:.4f}")
        working.notes.append("pH + pOH = 14.00, as in water at 25 °C")
    if kind in SCALE_NAMES:
        text = f"The {SCALE_NAMES[kind]} {of} is {value:.2f}."
        figures = len(f"{abs(value):.2f}".replace(".", "").lstrip("0")) or 1
        return working.result(text, Fraction(f"{value:.9g}"), NO_UNIT, expression=SCALE_NAMES[kind], figures=figures)
    working.lines.append(f"[{kind}] = 10^(−{'pH' if kind == 'H⁺' else 'pOH'}) = 10^(−{value:.4f})")
    ions = Fraction(f"{10.0**-value:.9g}")
    return working.result(f"[{kind}] {of} is {{}}.", ions, unit_named("mol/L"), expression=f"[{kind}]", figures=3)


def step_of(acid: AcidSteps, place: int, case: AcidCase) -> float | None:
    """A step of an acid: as stated, else as tabulated; None where what is stated is that of something else."""
    known = acid.pka[place]
    stated = case.constants.get(str(place + 1))
    if stated is not None:
        case.working.states(stated[1])
        return None if abs(known - stated[0]) > _FARTHEST else stated[0]
    which = f"pKa{place + 1}" if len(acid.pka) > 1 else "pKa"
    of = form_text(acid, 0) if acid.charge else acid.name
    said = f"{which} of {of}: {known:.2f}"
    case.working.sources.append(Provenance("constant", said, table_source("acidity")))
    case.working.notes.append(f"{said} ({table_source('acidity')})")
    return known


def with_constants(acid: AcidSteps, case: AcidCase) -> AcidSteps | None:
    if set(case.constants) == {"1"} and len(acid.pka) > 1:
        # One constant of an acid with several steps is that of the nearest.
        (stated,) = case.constants.values()
        nearest = min(range(len(acid.pka)), key=lambda place: abs(acid.pka[place] - stated[0]))
        case = replace(case, constants={str(nearest + 1): stated})
    steps = [step_of(acid, place, case) for place in range(len(acid.pka))]
    return None if None in steps else replace(acid, pka=tuple(each for each in steps if each is not None))
