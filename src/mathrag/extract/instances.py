"""Worked examples as witnesses: values put into a formula, and whether it gives the result that is stated.

Two kinds of witness. A line that puts values into the formula, `F = (2 kg)(3 m/s^2) = 6 N`, has its shape: if its own
arithmetic is wrong, the example is marked. An example that states a value for each symbol, "m = 2 kg, v = 3 m/s,
KE = 9 J", tries the formula as it was read: one that comes out confirms reading, meaning and units; where none does,
the reading is uncertain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.compute.printers.pythontext import python_text
from mathrag.errors import MathragError
from mathrag.extract.formula_reader import ReadFormula
from mathrag.extract.parts import WORKED
from mathrag.extract.shapes import outline_of, values_in
from mathrag.extract.weights import weights
from mathrag.knowledge.constants import constant
from mathrag.types.expression import Equation, Expression, Measure, Negate, Number, Symbol, equation_symbols, substitute
from mathrag.types.library import GENERAL_PURPOSES, Finding, Instance

Verdict: TypeAlias = Literal["agrees", "disagrees", "untested"]

_CLOSE = weights("instances")["close"]
_FAR = weights("instances")["far"]
_CONFIRMED = weights("instances")["confirmed"]
_REACH = 12
# So many values are put into a formula one after the other where an example has no end.
_MOST_TRIED = 40
CONTRADICTED = "example_contradicts"


def attach_instances(findings: Sequence[Finding], reads: Sequence[ReadFormula], *, document_id: str) -> list[Finding]:
    """The findings, each with the worked examples that put values into it, believed more or less for them."""
    result = list(findings)
    by_block: dict[int, list[int]] = {}
    positions = positions_of(findings, reads)
    general = _by_shape(findings)
    for index, read in enumerate(reads):
        for place in positions[index]:
            by_block.setdefault(read.occurrence.block, []).append(place)
        if read.numeric:
            near = [
                place
                for block in range(read.occurrence.block, read.occurrence.block - _REACH, -1)
                for place in reversed(by_block.get(block, ()))
            ]
            _attach(read, near, general, result, document_id)
    _try_examples(reads, positions, result, document_id)
    return _weighed(result)


def _by_shape(findings: Sequence[Finding]) -> dict[tuple[str, str], list[int]]:
    """The general statements by chapter and shape, to find what an example far below puts its values into."""
    found: dict[tuple[str, str], list[int]] = {}
    for place, finding in enumerate(findings):
        if finding.equation is not None and finding.purpose in GENERAL_PURPOSES:
            key = (_chapter(finding), outline_of(finding.equation))
            found.setdefault(key, []).append(place)
    return found


def _chapter(finding: Finding) -> str:
    return " / ".join(finding.span.headings[:2])


def positions_of(findings: Sequence[Finding], reads: Sequence[ReadFormula]) -> list[list[int]]:
    """For every formula read, the places of its findings: they were made in this order."""
    made = iter(enumerate(findings))
    waiting = next(made, None)
    found: list[list[int]] = []
    for read in reads:
        own: list[int] = []
        for _ in range(max(len(read.equations), 1)):
            math = read.occurrence.math
            if waiting is not None and (waiting[1].source, waiting[1].span.place) == (math.source, math.place):
                own.append(waiting[0])
                waiting = next(made, None)
        found.append(own)
    return found


def _attach(
    read: ReadFormula,
    near: Sequence[int],
    general: Mapping[tuple[str, str], Sequence[int]],
    findings: list[Finding],
    document_id: str,
) -> None:
    """Try the nearest formulas first, then those of the chapter; the first that fits takes the example."""
    results = [equation for equation in read.numeric if _is_value(equation.right)]
    chapter = " / ".join(read.occurrence.headings[:2])
    for equation in read.numeric:
        if _is_value(equation.right):
            continue
        for place in (*near, *general.get((chapter, outline_of(equation)), ())):
            formula = findings[place].equation
            values = None if formula is None else _matched(formula, equation)
            if values:
                verdict, reason = _verdict(equation, results)
                text = f"{python_text(equation.left)} = {python_text(equation.right)}"
                stated = tuple((name, _value_text(value)) for name, value in sorted(values.items()))
                instance = Instance(text, stated, verdict, read.occurrence.span(document_id), reason)
                findings[place] = replace(findings[place], instances=(*findings[place].instances, instance))
                break


def _is_value(side: Expression) -> bool:
    return isinstance(side, Measure | Number) or (
        isinstance(side, Negate) and isinstance(side.operand, Measure | Number)
    )


def _value_text(value: Expression) -> str:
    if isinstance(value, Measure):
        return f"{python_text(value.number)} {value.unit}"
    return python_text(value)


def _matched(formula: Equation, instance: Equation) -> dict[str, Expression] | None:
    """The values that turn the formula into the instance, if it has its shape; None otherwise."""
    both_named = isinstance(formula.left, Symbol) and isinstance(instance.left, Symbol)
    if both_named and formula.left != instance.left:
        return None
    values = values_in(formula.right, instance.right, {})
    return values if values is not None and any(map(_is_value, values.values())) else None


# Values that an example states one by one.


def _try_examples(
    reads: Sequence[ReadFormula], positions: Sequence[Sequence[int]], findings: list[Finding], document_id: str
) -> None:
    """Put the values that an example states for its symbols into each of its formulas that they complete."""
    examples: dict[tuple[str, ...], list[int]] = {}
    for index, read in enumerate(reads):
        if read.occurrence.part in WORKED and read.occurrence.headings:
            examples.setdefault(read.occurrence.headings, []).append(index)
    for members in examples.values():
        values = _values_stated([reads[index] for index in members])
        if len(values) < 2:
            continue
        places = [place for index in members for place in positions[index]]
        for place in places[:_MOST_TRIED]:
            instance = _tried(findings[place], values, reads[members[0]], document_id)
            if instance is not None and all(instance.values != one.values for one in findings[place].instances):
                findings[place] = replace(findings[place], instances=(*findings[place].instances, instance))


def _values_stated(reads: Sequence[ReadFormula]) -> dict[str, Expression]:
    """The symbols that have one value throughout an example, each with it."""
    found: dict[str, set[Expression]] = {}
    for read in reads:
        for equation in read.numeric:
            if isinstance(equation.left, Symbol) and _is_value(equation.right):
                found.setdefault(equation.left.name, set()).add(equation.right)
    return {name: next(iter(values)) for name, values in found.items() if len(values) == 1}


def _tried(finding: Finding, stated: Mapping[str, Expression], read: ReadFormula, document_id: str) -> Instance | None:
    """What comes of a formula with the values of an example; None where one of them is missing or cannot be used."""
    equation = finding.equation
    if equation is None or not isinstance(equation.left, Symbol):
        return None
    values = {name: stated[name] for name in equation_symbols(equation) if name in stated}
    values |= _constants(finding, values)
    if set(values) != set(equation_symbols(equation)) or not any(isinstance(one, Measure) for one in values.values()):
        return None
    filled = Equation(equation.left, substitute(equation.right, values))
    verdict, reason = _verdict(filled, [Equation(equation.left, values[equation.left.name])])
    if verdict == "untested":
        return None
    given = tuple((name, _value_text(value)) for name, value in sorted(values.items()))
    text = ", ".join(f"{name} = {value}" for name, value in given)
    return Instance(text, given, verdict, read.occurrence.span(document_id), reason)


def _constants(finding: Finding, stated: Mapping[str, Expression]) -> dict[str, Expression]:
    """The constants of a formula for which the example has no value of its own."""
    found: dict[str, Expression] = {}
    for symbol in finding.symbols:
        if symbol.constant is not None and symbol.name not in stated:
            try:
                item = constant(symbol.constant)
            except KeyError:
                continue
            found[symbol.name] = Measure(Number(abs(item.value)), item.unit) if item.unit else Number(abs(item.value))
    return found


def _weighed(findings: Sequence[Finding]) -> list[Finding]:
    """Formulas that an example confirms are believed more; one that its only example contradicts is set aside."""
    confirmed = {finding.form for finding in findings for one in finding.instances if one.verdict == "agrees"}
    return [_judged(finding, is_confirmed=finding.form in confirmed) for finding in findings]


def _judged(finding: Finding, *, is_confirmed: bool) -> Finding:
    if is_confirmed:
        return replace(finding, prior=round(finding.prior + _CONFIRMED * (1.0 - finding.prior), 6))
    wrong = [one for one in finding.instances if _contradicts(one, finding)]
    # An example that puts its values in and miscounts is wrong by itself.
    miscounts = any(one.verdict == "disagrees" and one not in wrong for one in finding.instances)
    if not wrong or miscounts or finding.status != "executable":
        return finding
    reason = f"its worked example does not come out ({wrong[0].reason}), so its reading is uncertain"
    return replace(finding, status="quarantined", reason_code=CONTRADICTED, reason=reason)


def _contradicts(instance: Instance, finding: Finding) -> bool:
    """Whether an example gives a value to every symbol and the formula another result, far beyond rounding."""
    is_complete = finding.equation is not None and {name for name, _ in instance.values} == set(
        equation_symbols(finding.equation)
    )
    return instance.verdict == "disagrees" and is_complete and instance.reason.startswith(_FAR_OFF)


_FAR_OFF = "by far: "


def _verdict(equation: Equation, results: Sequence[Equation]) -> tuple[Verdict, str]:
    """Whether computing the example gives the number that the text states."""
    if not results:
        return "untested", "no result is stated"
    try:
        computed = evaluate_quantity(equation.right, {})
        stated = evaluate_quantity(results[-1].right, {})
    except (MathragError, ArithmeticError, ValueError) as error:
        return "untested", str(error)
    if isinstance(computed, Failure) or isinstance(stated, Failure):
        return "untested", "the example could not be computed"
    if computed.unit.dimension != stated.unit.dimension:
        return "disagrees", f"gives {computed.unit.dimension}, stated {stated.unit.dimension}"
    size = max(abs(computed.si_value), abs(stated.si_value))
    off = abs(computed.si_value - stated.si_value)
    if size and off > _CLOSE * size:
        how_far = _FAR_OFF if off > _FAR * size else ""
        return "disagrees", f"{how_far}gives {computed.si_value:.4g} in SI units, stated {stated.si_value:.4g}"
    return "agrees", ""
