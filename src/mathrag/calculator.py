"""The calculator as a whole: read a formula in any notation, solve it, evaluate it with units, check its dimensions.

The public Python API of the calculator; the command line uses nothing else. It wires `mathrag.compute` together and
holds no state. Units, sentences and solving are imported when first needed: reading a formula needs none of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Literal

from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.compute.printers.latex import latex_text
from mathrag.compute.printers.pythontext import python_text
from mathrag.compute.unknowns import Evaluation, evaluate_unknown
from mathrag.errors import AmbiguousUnitError, DimensionError, EvaluationError, FormulaError, UnitError, UsageError
from mathrag.types.expression import Declined, Equation, Reading, equation_symbols
from mathrag.types.quantity import Dimension, Quantity, Unit
from mathrag.types.symbol_names import GREEK

if TYPE_CHECKING:
    from mathrag.compute.dimensions import DimensionReport
    from mathrag.compute.solve import Solutions
    from mathrag.language.quantities import Mention
    from mathrag.types.solution import SolutionCheck

Notation = Literal["auto", "latex", "mathml", "text"]
NOTATIONS: tuple[Notation, ...] = ("auto", "latex", "mathml", "text")
_TEMPERATURE = Dimension.of({"temperature": 1})
_WORDY = re.compile(r"(?<!\\)\b[A-Za-z]{4,}|[A-Za-z]\d|\*")


def guess_notation(text: str) -> Notation:
    """MathML begins with a tag; LaTeX has backslashes or braces; text has stars, words or names such as v0."""
    stripped = text.lstrip()
    if stripped.startswith("<"):
        return "mathml"
    if "\\" in text or "{" in text or stripped.startswith("$"):
        return "latex"
    return "text" if _WORDY.search(text) else "latex"


def read_formula(text: str, *, notation: Notation = "auto", symbols: Collection[str] = ()) -> Reading | Declined:
    """Read a formula. `symbols` are names known to be one symbol each."""
    chosen = guess_notation(text) if notation == "auto" else notation
    if chosen == "mathml":
        from mathrag.compute.mathml import read_mathml

        return read_mathml(text, symbols)
    if chosen == "text":
        from mathrag.compute.pythontext import read_python_text

        return read_python_text(text, symbols)
    from mathrag.compute.latex import read_latex

    return read_latex(text, symbols)


def understood(text: str, *, notation: Notation = "auto", symbols: Collection[str] = ()) -> Reading:
    """Read a formula that must be readable; a declined one raises `FormulaError` with the reason and the place."""
    reading = read_formula(text, notation=notation, symbols=symbols)
    if isinstance(reading, Declined):
        raise FormulaError(reading.code, reading.reason, source=reading.source, position=reading.position)
    return reading


def formula_mathml(latex: str, *, is_display: bool = False) -> str | None:
    """LaTeX as a MathML element for a browser, as it was written; None where it cannot be laid out."""
    from mathrag.compute.printers.notation_mathml import latex_mathml

    return latex_mathml(latex, is_display=is_display)


def resolve_symbol(written: str, symbols: Collection[str]) -> str:
    """The symbol of the formula that a person means by `v0`, `λ`, `Δx` or `v_{avg}`."""
    if written in symbols:
        return written
    wanted = _bare(written)
    found = [name for name in symbols if _bare(name) == wanted]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(symbols) or "none"
    raise UsageError(f"the formula has no symbol {written!r}; it has {listed}")


def _bare(name: str) -> str:
    spelled = "".join(GREEK.get(character, character) for character in name)
    subscripts = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
    return re.sub(r"[^0-9A-Za-z]", "", spelled.translate(subscripts).replace("\\mathrm", "").replace("\\text", ""))


def read_value(text: str) -> Mention:
    """A value such as `2 kg`, `3.2e-4`, `5.0 ± 0.1 cm`: exactly one quantity and nothing else."""
    from mathrag.language.quantities import find_quantities

    stripped = text.strip()
    mentions = find_quantities(stripped)
    if len(mentions) != 1 or mentions[0].start != 0 or mentions[0].end != len(stripped) or mentions[0].kind == "range":
        position = mentions[0].end if mentions and mentions[0].start == 0 and mentions[0].end < len(stripped) else 0
        raise UnitError(
            f"{stripped!r} is not one quantity; write a number and a unit, such as 2.5 kg",
            source=stripped,
            position=position,
        )
    return mentions[0]


def choose_values(equations: Collection[Equation], mentions: Mapping[str, Mention]) -> dict[str, Quantity]:
    """One quantity for each value; an ambiguous unit (25 C) is settled by the dimensions of the formula, or refused."""
    chosen = {
        name: mention.quantity
        for name, mention in mentions.items()
        if len(mention.units) < 2 or mention.kind == "declined"
    }
    for name, mention in mentions.items():
        if name in chosen:
            continue
        fitting = _fitting(name, mention, chosen, equations)
        chosen[name] = fitting if fitting is not None else mention.quantity
    return chosen


def _fitting(
    name: str, mention: Mention, known: Mapping[str, Quantity], equations: Collection[Equation]
) -> Quantity | None:
    from mathrag.compute.dimensions import check_dimensions

    dimensions = {symbol: quantity.dimension for symbol, quantity in known.items()}
    for equation in equations:
        report = check_dimensions(equation, dimensions)
        wanted = report.dimensions.get(name) if report.status != "inconsistent" else None
        readings = [quantity for quantity in mention.quantities if quantity.dimension == wanted]
        if len(readings) == 1:
            return readings[0]
    return None


def fill_constants(
    equations: Collection[Equation], values: Mapping[str, Quantity], *, asked: str | None = None
) -> dict[str, tuple[Quantity, str]]:
    """Physical constants for symbols without a value, where one of that symbol fits the dimensions; each with its name.

    The symbol that is `asked` for, or stands alone on the left, is never a constant.
    """
    from mathrag.compute.dimensions import check_dimensions
    from mathrag.knowledge.constants import constant_quantity, constants_for_symbol

    found: dict[str, tuple[Quantity, str]] = {}
    for equation in equations:
        for name in equation_symbols(equation):
            if name in values or name in found or name == (asked or equation.target):
                continue
            for constant in constants_for_symbol(name):
                quantity = constant_quantity(constant)
                known = {**values, **{other: each for other, (each, _) in found.items()}, name: quantity}
                report = check_dimensions(equation, {other: each.dimension for other, each in known.items()})
                if constant.is_default and report.status != "inconsistent":
                    found[name] = (quantity, f"{constant.name}, {constant.source}")
                    break
    return found


def evaluate_formula(
    reading: Reading,
    values: Mapping[str, Quantity],
    *,
    symbol: str | None = None,
    unit: Unit | None = None,
    seconds: float = 2.0,
) -> Evaluation:
    """Compute the one unknown of a formula (or `symbol`), in `unit` if one is asked for."""
    if reading.expression is not None:
        value = _checked(evaluate_quantity(reading.expression, values))
        return Evaluation(None, _presented(value, unit), None, reading.expression, "evaluation")
    found = [
        evaluate_unknown(equation, unknown, values, seconds=seconds)
        for equation, unknown in _unknowns(reading, values, symbol)
    ]
    best = next((each for each in found if not isinstance(each, Failure)), found[0])
    if isinstance(best, Failure):
        raise _as_error(best)
    others = [other for each in found if not isinstance(each, Failure) for other in (each.value, *each.others)]
    return Evaluation(
        best.symbol,
        _presented(best.value, unit),
        best.equation,
        best.rearranged,
        best.method,
        tuple(_presented(other, unit) for other in dict.fromkeys(others) if other != best.value),
        best.notes,
    )


def _unknowns(reading: Reading, values: Mapping[str, Quantity], symbol: str | None) -> list[tuple[Equation, str]]:
    """The equations that can be computed, each with its unknown; the most direct first."""
    found: list[tuple[Equation, str]] = []
    shortest: tuple[str, ...] = ()
    for equation in reading.equations:
        missing = tuple(name for name in equation_symbols(equation) if name not in values)
        if symbol is not None:
            missing = tuple(dict.fromkeys((*missing, *((symbol,) if symbol in equation_symbols(equation) else ()))))
        if len(missing) == 1 and symbol in (None, missing[0]):
            found.append((equation, missing[0]))
        elif missing and (not shortest or len(missing) < len(shortest)):
            shortest = missing
    if found:
        first = found[0][1]
        return sorted((pair for pair in found if pair[1] == first), key=lambda pair: pair[0].target != pair[1])
    if not shortest:
        raise UsageError("every symbol has a value already; leave out the one to compute")
    wanted = [name for name in shortest if name != symbol]
    raise EvaluationError(
        f"values are missing for {', '.join(wanted or shortest)}; give all but one, as in {shortest[0]}=2.5"
    )


def _checked(value: Quantity | Failure) -> Quantity:
    if isinstance(value, Failure):
        raise _as_error(value)
    return value


def _as_error(failure: Failure) -> EvaluationError | DimensionError:
    return DimensionError(failure.message) if failure.code == "dimension" else EvaluationError(failure.message)


def _presented(value: Quantity, unit: Unit | None) -> Quantity:
    """In the unit asked for, or in the named SI unit of the dimension (J rather than kg*m^2/s^2)."""
    from mathrag.knowledge.units import coherent_unit, convert

    shown = convert(value, unit if unit is not None else coherent_unit(value.dimension))
    if isinstance(shown.value, float) and not math.isfinite(shown.value):
        raise EvaluationError(f"the result is too large a number in {shown.unit.text}; ask for a larger unit")
    if value.value and not shown.value and not shown.unit.offset:
        raise EvaluationError(f"the result is too small a number in {shown.unit.text}; ask for a smaller unit")
    return shown


def read_unit(text: str, *, prefer: Collection[Dimension] = ()) -> Unit:
    """A unit as people write it; `prefer` settles what is ambiguous."""
    from mathrag.knowledge.units import read_unit as read

    return read(text, prefer=prefer)


def convert(quantity: Quantity, unit: Unit) -> Quantity:
    """The same quantity in another unit; no rate between currencies is known."""
    from mathrag.knowledge.units import convert as change
    from mathrag.language.currencies import codes_in_unit

    if codes_in_unit(quantity.unit.text) != codes_in_unit(unit.text):
        raise DimensionError(f"{quantity.unit.text} cannot become {unit.text}: no rate between them is known")
    return change(quantity, unit)


def convert_text(text: str, unit: str) -> Quantity:
    """A quantity as people write it in another unit; what is ambiguous (25 C) is settled by that unit, or refused."""
    mention = read_value(text)
    target = read_unit(unit, prefer=[quantity.dimension for quantity in mention.quantities])
    fitting = [quantity for quantity in mention.quantities if quantity.dimension == target.dimension]
    if len(fitting) > 1:
        raise AmbiguousUnitError(mention.text, tuple(quantity.unit.text for quantity in fitting))
    converted = in_kind(fitting[0] if fitting else mention.quantity, target)
    if isinstance(converted.value, float) and not math.isfinite(converted.value):
        raise EvaluationError(f"{mention.text} is too large a number in {target.text}; take a larger unit")
    return converted


def in_kind(quantity: Quantity, target: Unit) -> Quantity:
    """The quantity in a unit that measures the same kind of thing: no steradians in radians, turns counted as such."""
    from mathrag.knowledge.units.families import cycles_factor, fits

    own = quantity.unit
    if own.dimension == target.dimension and not fits(own, target):
        raise DimensionError(
            f"{own.text or 'a plain number'} and {target.text or 'a plain number'} measure different things"
        )
    is_cold = own.dimension == _TEMPERATURE and not own.text.startswith("delta_") and quantity.si_value < 0
    if is_cold and (own.is_absolute_temperature or target.is_absolute_temperature):
        raise EvaluationError(f"{quantity.value:.6g} {own.text} is below absolute zero")
    cycles = cycles_factor(own, target)
    if cycles is None:
        raise DimensionError(f"{own.text} counts angles and {target.text} may not; ask for Hz or rad/s")
    converted = convert(quantity, target)
    spread = converted.uncertainty
    return (
        Quantity(converted.value * cycles, target, None if spread is None else spread * cycles)
        if cycles != 1.0
        else converted
    )


def reading_notes(text: str, unit: str, converted: Quantity) -> tuple[str, ...]:
    """What a conversion took for names that leave their unit open, such as a gallon."""
    from mathrag.knowledge.units import reading_notes as notes

    own = " ".join(quantity.unit.text for quantity in read_value(text).quantities)
    return notes(f"{text} in {unit}", f"{own} {converted.unit.text}")


def find_quantities(text: str, *, symbols: Collection[str] = ()) -> tuple[Mention, ...]:
    """The quantities of a sentence."""
    from mathrag.language.quantities import find_quantities as find

    return find(text, symbols=symbols)


def check_dimensions(equation: Equation, known: Mapping[str, Dimension]) -> DimensionReport:
    """Whether the dimensions of an equation agree."""
    from mathrag.compute.dimensions import check_dimensions as check

    return check(equation, known)


def solve(
    equation: Equation,
    symbol: str,
    *,
    kinds: Mapping[str, str] | None = None,
    seconds: float = 2.0,
    megabytes: int = 1024,
) -> Solutions | Failure:
    """An equation solved for a symbol, in closed form."""
    from mathrag.compute.solve import solve as solve_equation

    return solve_equation(equation, symbol, kinds=kinds, seconds=seconds, megabytes=megabytes)


def check_solution(text: str, *, problem: str = "") -> SolutionCheck:
    """Check a solution written in steps (plain text, Markdown or LaTeX) by calculation; `problem` is its task where it
    does not state it. No false calculation found is not the same as correct."""
    from mathrag.reason.steps.checking import check_read_solution
    from mathrag.sources.procedures.solution_files import solution_of_text

    return check_read_solution(solution_of_text(text, problem=problem))


__all__ = [
    "NOTATIONS",
    "Evaluation",
    "Failure",
    "check_dimensions",
    "check_solution",
    "choose_values",
    "convert",
    "convert_text",
    "evaluate_formula",
    "fill_constants",
    "find_quantities",
    "guess_notation",
    "in_kind",
    "latex_text",
    "python_text",
    "read_formula",
    "read_unit",
    "read_value",
    "resolve_symbol",
    "solve",
    "understood",
]
