"""Questions for the value of a constant, by name or symbol, in a unit if one is asked for. Explains nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from mathrag.compute.constants import constant_quantity, constants_for_symbol
from mathrag.compute.symbol_names import GREEK
from mathrag.compute.units import convert
from mathrag.reason.direct.asking import INDEFINITE
from mathrag.reason.direct.constant_names import Named, named_constants
from mathrag.reason.direct.conversions import read_target
from mathrag.reason.direct.figures import cleaned, number_text, whole_if_so, with_unit
from mathrag.reason.direct.result import DirectFailure, DirectResult, Outcome
from mathrag.reason.direct.same_kind import fits
from mathrag.types.answer import Provenance
from mathrag.types.knowledge import Constant
from mathrag.types.quantity import Quantity, Unit

_IN = re.compile(r",? (?:in|expressed in|as|with units?(?: of)?) (?:units of )?|(?= \()", re.IGNORECASE)
_SYMBOL = re.compile(r"^(?:(?:the )?(?:constant|symbol) )?([^\W\d_]{1,8}(?:_?[A-Za-z0-9∞₀-₉]{1,4})?)(?: constant)?$")
_TRAILING_SYMBOL = re.compile(r"^(.{4,}?),? \(?([A-Za-zα-ωΑ-Ωħ][A-Za-z0-9_₀-₉∞]{0,4})\)?$")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_WHERE = "(?: in (?:a |the )?(?:vacuum|empty space|air))"
_ASKS = (
    (re.compile(r"^how (?:heavy|massive) (?:is|are) (?:an? |the )?(.+)$", re.IGNORECASE), r"mass of \1"),
    (re.compile(r"^(?:how much|what) does (?:an? |the )?(.+?) weigh$", re.IGNORECASE), r"mass of \1"),
    (
        re.compile(rf"^how fast (?:is|does) (light|sound)(?: travel| move| go)?{_WHERE}?$", re.IGNORECASE),
        r"speed of \1",
    ),
    (re.compile(r"^how far (?:away )?is the moon(?: away)?$", re.IGNORECASE), "distance to the moon"),
)
_ELECTRON = frozenset(("electron", "electrons", "electron's"))
_FEWEST_FIGURES = 4
_MOST_FIGURES = 12


def answer_constant(core: str, whole: str) -> Outcome:
    """The value of one constant, where the text is its name or symbol and nothing else."""
    if len(core) > 160 or not core:
        return None
    for pattern, name in _ASKS:
        core = pattern.sub(name, core)
        whole_core = pattern.sub(name, whole)
        if whole_core != whole:
            core = whole_core
    failure: DirectFailure | None = None
    for name, unit_text in _splits(core):
        targets = read_target(unit_text) if unit_text else ()
        if unit_text and not targets:
            continue
        if not unit_text and INDEFINITE.match(whole):
            continue
        found = _by_name(name, targets) or _by_symbol(name, targets)
        if isinstance(found, DirectResult):
            return found
        failure = failure or found
    return failure


def _splits(core: str) -> Iterator[tuple[str, str]]:
    """The name with the unit asked for, then without one: `in vacuum` is no unit."""
    for joint in _IN.finditer(core):
        if joint.start() > 0:
            yield core[: joint.start()].strip(" ,("), core[joint.end() :].strip()
    yield core, ""


def _by_name(name: str, targets: tuple[Unit, ...]) -> Outcome:
    found = [each for each in named_constants(name) if each.is_full]
    if not found and (trailing := _TRAILING_SYMBOL.match(name)):
        symbols = set(_symbol_spellings(trailing.group(2)))
        named = named_constants(trailing.group(1))
        found = [each for each in named if each.is_full and symbols & set(each.constant.symbols)]
    if not found:
        return None
    if targets:
        fitting = [each for each in found if any(fits(constant_quantity(each.constant).unit, unit) for unit in targets)]
        if not fitting:
            return _misfit(found[0].constant, targets)
        found = fitting
    return _value(found[0].constant, targets, notes=_name_notes(found[0], name))


def _misfit(constant: Constant, targets: Sequence[Unit]) -> DirectFailure:
    unit = constant_quantity(constant).unit
    return DirectFailure(
        "dimension",
        f"the {constant.name} has the unit {unit.text or '1'} and cannot be given in {targets[0].text}: "
        f"the dimensions are {unit.dimension} and {targets[0].dimension}",
        "constant",
    )


def _name_notes(found: Named, asked: str) -> list[str]:
    notes = [f"{wrong!r} is read as {right!r}" for wrong, right in found.corrected]
    if any(word in ("degc", "0", "20", "25") for word in found.missing):
        notes.append(f"this is the {found.name}")
    if found.constant.id == "elementary_charge" and _ELECTRON & set(asked.casefold().split()):
        notes.append("the charge of the electron is negative; this is its size")
    return notes


def _by_symbol(name: str, targets: tuple[Unit, ...]) -> Outcome:
    match = _SYMBOL.match(name.strip())
    if match is None:
        return None
    spelled = [constant for each in _symbol_spellings(match.group(1)) for constant in constants_for_symbol(each)]
    found = [each for each in dict.fromkeys(spelled) if each.is_default or each.field == "mathematics"]
    if not found:
        return None
    if targets:
        fitting = [each for each in found if any(fits(constant_quantity(each).unit, unit) for unit in targets)]
        if not fitting:
            return _misfit(found[0], targets)
        found = fitting
    if not targets and len(match.group(1)) == 1:
        # A lone letter counts only where it is the symbol of first choice: K is rarely the Coulomb constant.
        first = [each for each in found if each.symbols[0] in _symbol_spellings(match.group(1))]
        if not first and len(found) == 1:
            return None
        found = first or found
    if len(found) > 1:
        names = " or ".join(f"the {constant.name}" for constant in found[:4])
        return DirectFailure("ambiguous", f"{match.group(1)} can be {names}; ask for it by name", "constant")
    return _value(found[0], targets, notes=[f"{match.group(1)} is read as the {found[0].name}"])


def _symbol_spellings(text: str) -> list[str]:
    """`kB`, `k_B`, `ε₀`, `mu0` as the table writes them. Small-letter pairs such as `me` are words."""
    plain = "".join(GREEK.get(character, character) for character in text.translate(_SUBSCRIPTS))
    plain = plain.replace("ħ", "hbar").replace("∞", "_inf").replace("eps0", "epsilon_0").replace("eps_0", "epsilon_0")
    spellings = [plain]
    if (joined := re.fullmatch(r"([A-Za-z]+?)_?([0-9])", plain)) is not None:
        spellings.append(f"{joined.group(1)}_{joined.group(2)}")
    if (pair := re.fullmatch(r"([A-Za-z])([A-Z])", plain)) is not None:
        spellings.append(f"{pair.group(1)}_{pair.group(2)}")
    return spellings


def _value(constant: Constant, targets: tuple[Unit, ...], *, notes: Sequence[str]) -> DirectResult:
    quantity = constant_quantity(constant)
    figures = _figures(constant)
    stated = f"{constant.name} = {_published(constant)} {quantity.unit.text}".rstrip()
    lines = [stated]
    target = next((unit for unit in targets if fits(quantity.unit, unit)), None)
    if target is not None and target.text != quantity.unit.text:
        changed = convert(quantity, target)
        value = cleaned(float(changed.value))
        quantity = Quantity(whole_if_so(value), target, changed.uncertainty)
        lines.append(f"= {with_unit(quantity.value, target, figures)}")
    elif target is not None:
        quantity = Quantity(quantity.value, target, quantity.uncertainty)
    value_notes = [*notes]
    if constant.is_nominal:
        value_notes.append(f"a nominal value ({constant.source}); the actual one depends on conditions")
    whole = isinstance(quantity.value, int) and constant.is_exact
    digits = str(quantity.value) if whole else ""
    if isinstance(quantity.value, int) and abs(quantity.value) >= 10**15:
        quantity = Quantity(float(quantity.value), quantity.unit, quantity.uncertainty)
    return DirectResult(
        "constant",
        quantity,
        figures,
        constant.name if target is None else f"{constant.name} in {target.text}",
        exact=digits,
        working=tuple(lines),
        provenance=(Provenance("constant", constant.name, constant.source),),
        notes=tuple(dict.fromkeys(value_notes)),
    )


def _published(constant: Constant) -> str:
    value = constant.value
    if value == value.to_integral_value() and abs(value) < Decimal(10) ** 15:
        return number_text(int(value), _MOST_FIGURES)
    if 0 < abs(value) < Decimal("1e-4"):
        return f"{value:e}"
    return f"{value:g}" if "E" not in str(value) else str(value).replace("E+", "e").replace("E", "e")


def _figures(constant: Constant) -> int:
    """As many as were published; a conventional whole number keeps what a reader expects."""
    digits = "".join(map(str, constant.value.as_tuple().digits)).strip("0")
    return max(_FEWEST_FIGURES, min(_MOST_FIGURES, len(digits)))
