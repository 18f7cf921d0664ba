"""Where does each number of an outcome come from? Judged anew, from the question and the library alone, not by asking
the code that made it. Shared by the tests that ask."""

from __future__ import annotations

import contextlib
import itertools
import math
import re
from collections.abc import Collection, Iterator

from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.errors import MathragError
from mathrag.knowledge.constants import all_constants, constant_quantity
from mathrag.knowledge.units import read_canonical_unit
from mathrag.library import Library
from mathrag.reason.question.reader import read_question
from mathrag.types.answer import Answer, Bound, Outcome, Refusal, Reply, Step
from mathrag.types.expression import equation_symbols
from mathrag.types.library import Formula
from mathrag.types.quantity import Quantity

_NUMERAL = re.compile(r"\d[\d,.\u00a0\u2009\u202f ]*\d|\d")
_PLAIN_NUMERAL = re.compile(r"(?<![\w.^{_\\])\d+(?:\.\d+)?(?![\w^}])")
# A refusal may tell what a formula makes of the values of the question, where the question says otherwise.
_BY_FORMULA = re.compile(r"by “(?P<name>[^”]+)” (?:they|its other values) make it (?P<shown>[^;.]*\d[^;]*)")
_SAME = 1e-6
_SHOWN = 6e-3


def untraceable(outcome: Outcome, question: str, library: Library, *, pinned: Collection[str] = ()) -> list[str]:
    """What is said without a source, in sentences; nothing for an honest outcome."""
    if isinstance(outcome, Refusal):
        if outcome.code == "too_long":
            return []
        return [
            *_loose_numerals(_BY_FORMULA.sub("", outcome.reason), question),
            *_miscounted(outcome, question, library),
        ]
    if isinstance(outcome, Reply):
        return list(_loose_numerals(outcome.text, question))
    faults = [fault for step in outcome.steps for fault in _step_faults(step, outcome, question, library, pinned)]
    faults += _value_faults(outcome, question)
    for row in outcome.rows:
        faults += [f"a row has {text!r}" for _, text in row.values if not _has_numerals_of(question, text)]
    return faults


def _has_numerals_of(question: str, text: str) -> bool:
    """Whether the numbers of a text are in the question; a list names its unit once."""
    return all(numeral in question for numeral in re.findall(r"\d+(?:\.\d+)?", text))


def _loose_numerals(sentence: str, question: str) -> Iterator[str]:
    # A percent sign says a hundredth.
    known = set(_PLAIN_NUMERAL.findall(question)) | {"1", "2", "3"} | ({"100"} if "%" in question else set())
    digits = re.sub(r"\D", "", question)
    for numeral in _PLAIN_NUMERAL.findall(sentence):
        if numeral not in known and numeral.replace(".", "") not in digits:
            yield f"{numeral!r} in {sentence!r} is not in the question"


def _miscounted(refusal: Refusal, question: str, library: Library) -> Iterator[str]:
    """Numbers that no way of putting the values of the question into the named formula gives."""
    for told in _BY_FORMULA.finditer(refusal.reason):
        shown = next((one for one in read_question(told["shown"]).givens), None)
        formulas = [one for one in library.find_formulas(told["name"]) if one.label == told["name"]]
        if shown is None or not any(_gives(one, question, shown.readings[0], library) for one in formulas):
            yield f"{told[0]!r} is not what the formula gives"


def _gives(formula: Formula, question: str, shown: Quantity, library: Library) -> bool:
    given = [reading for one in read_question(question).givens for reading in one.readings]
    symbols = equation_symbols(formula.equation) if formula.equation else ()
    for target in symbols:
        inputs = [symbol for symbol in symbols if symbol != target]
        for values in itertools.product(given, repeat=len(inputs)):
            texts = {symbol: f"{one.value!r} {one.unit.text}" for symbol, one in zip(inputs, values, strict=True)}
            with contextlib.suppress(MathragError):
                found = library.compute(formula.id, texts, solve_for=target, unit=shown.unit.text)
                if math.isclose(abs(float(found)), abs(shown.value), rel_tol=_SHOWN):
                    return True
    return False


def _value_faults(answer: Answer, question: str) -> Iterator[str]:
    if not math.isfinite(answer.confidence) or not 0 <= answer.confidence <= 1:
        yield f"confidence {answer.confidence}"
    if answer.steps:
        last = answer.steps[-1].result
        if not _is_same(last, answer.value):
            yield f"the value {answer.value} is not the result of the last step, {last}"
        return
    if not answer.provenance:
        yield "a value without steps and without sources"
    for source in answer.provenance:
        if source.origin == "question" and source.text not in question:
            yield f"{source.text!r} is not in the question"
        elif source.origin == "constant" and not _is_known(source.text):
            yield f"there is no constant {source.text!r}"
        elif source.origin not in ("question", "constant", "document"):
            yield f"a direct answer rests on {source.origin} {source.text!r}"


def _is_known(text: str) -> bool:
    """Whether a text names a standard constant, or is the true size of a unit ("1 mi/h = 0.44704 m/s")."""
    sizes = re.fullmatch(r"1 (\S+) = (\S+) (\S+)", text)
    if sizes is None:
        return any(text in one.name for one in all_constants())
    one, other = read_canonical_unit(sizes[1]), read_canonical_unit(sizes[3])
    return one.dimension == other.dimension and math.isclose(one.scale, float(sizes[2]) * other.scale)


def _step_faults(step: Step, answer: Answer, question: str, library: Library, pinned: Collection[str]) -> Iterator[str]:
    if not any(one.id == step.formula.id for one in library.find_formulas(step.formula.id)):
        yield f"formula {step.formula.id} is not in the library"
    bound = {each.symbol for each in step.bindings}
    if lacking := set(equation_symbols(step.equation)) - bound - {step.target}:
        yield f"step {step.number} has no value for {sorted(lacking)}"
    for each in step.bindings:
        yield from _binding_faults(each, step, answer, question, library, pinned)
    yield from _result_faults(step, answer)


def _binding_faults(
    bound: Bound, step: Step, answer: Answer, question: str, library: Library, pinned: Collection[str]
) -> Iterator[str]:
    source, quantity = bound.provenance, bound.quantity
    name = f"{bound.symbol} in step {step.number}"
    if source.origin == "derived":
        if source.step is None or not 1 <= source.step < step.number or source.step > len(answer.steps):
            yield f"{name} comes from step {source.step}"
        elif quantity is not None and not _is_same(quantity, answer.steps[source.step - 1].result):
            yield f"{name} differs from the result of step {source.step}"
        return
    if quantity is None:
        yield f"{name} has no value"
    elif not math.isfinite(quantity.value):
        yield f"{name} is {quantity.value}"
    elif source.origin == "question":
        if source.text not in question:
            yield f"{name}: {source.text!r} is not in the question"
        elif not states_number(source.text, quantity.value):
            yield f"{name}: {source.text!r} does not say {quantity.value}"
    elif source.origin == "implied":
        if source.text not in question:
            yield f"{name}: {source.text!r} is not in the question"
    elif source.origin == "assumed":
        if not states_number(source.text, quantity.value):
            yield f"{name}: the assumption {source.text!r} does not say {quantity.value}"
    elif source.origin == "constant":
        if not any(one.name == source.text and _is_same(constant_quantity(one), quantity) for one in all_constants()):
            yield f"{name}: no constant {source.text!r} has the value {quantity.value} {quantity.unit.text}"
    elif source.origin == "document":
        if not any(_is_same(_stored(one.value, one.unit), quantity) for one in library.find_constants(source.text)):
            yield f"{name}: the library has no constant {source.text!r} of {quantity.value} {quantity.unit.text}"
    elif source.origin == "pinned" and bound.symbol not in pinned:
        yield f"{name}: nobody pinned it"


def _stored(value: object, unit: str) -> Quantity:
    return Quantity(float(str(value)), read_canonical_unit(unit))


def states_number(text: str, value: float) -> bool:
    """Whether a text writes a number: by its digits, wherever the decimal point; in words, where it has no digit."""
    numerals = [re.sub(r"\D", "", one).strip("0") for one in _NUMERAL.findall(text)]
    if not numerals:
        return True
    if value == 0:
        return "" in numerals
    wanted = re.sub(r"\D", "", f"{abs(value):.12e}".split("e")[0])
    wanted = wanted.strip("0")
    whole = "".join(re.findall(r"\d", text)).strip("0")
    return any(one == wanted or one.startswith(wanted) for one in (*numerals, whole)) or _is_worked_out(text, value)


def _is_worked_out(text: str, value: float) -> bool:
    """Fractions, degrees with minutes and the like: a small sum or quotient of the numbers written."""
    numbers = [float(one.replace(",", "")) for one in re.findall(r"\d+(?:[.,]\d+)*", text) if one.count(".") < 2]
    if not 1 < len(numbers) <= 3:
        return False
    first, second = numbers[0], numbers[1]
    tried = [first / second if second else 0, first * second, first + second / 60, first * 60 + second, first + second]
    if len(numbers) == 3 and numbers[2]:
        tried += [first + second / numbers[2], first + second / 60 + numbers[2] / 3600]
    tried += [first * 10.0**sign * second for sign in (1, -1)] if abs(second) < 300 else []
    return any(math.isclose(one, abs(value), rel_tol=1e-9) for one in tried)


def _result_faults(step: Step, answer: Answer) -> Iterator[str]:
    """The equation holds for the values and the result: the number is computed, not made up."""
    values: dict[str, Quantity] = {step.target: step.result}
    for each in step.bindings:
        quantity = each.quantity
        if quantity is None and each.provenance.step is not None and each.provenance.step <= len(answer.steps):
            quantity = answer.steps[each.provenance.step - 1].result
        if quantity is not None:
            values[each.symbol] = quantity
    left = evaluate_quantity(step.equation.left, values, lenient_logarithms=True)
    right = evaluate_quantity(step.equation.right, values, lenient_logarithms=True)
    if isinstance(left, Failure) or isinstance(right, Failure):
        return
    size = max(abs(left.si_value), abs(right.si_value))
    if not math.isfinite(size):
        yield f"step {step.number} is not finite"
    elif abs(left.si_value - right.si_value) > 1e-6 * size and not _is_small_difference(step, values, size):
        yield f"step {step.number}: {left.si_value} is not {right.si_value} with {step.target} = {step.result.value}"


def _is_small_difference(step: Step, values: dict[str, Quantity], size: float) -> bool:
    """Whether the sides come together when the result moves a little: near a cancellation, digits are lost."""
    sides = []
    for factor in (1 - _SAME, 1 + _SAME):
        moved = Quantity(float(step.result.value) * factor, step.result.unit)
        both = [
            evaluate_quantity(side, {**values, step.target: moved}, lenient_logarithms=True)
            for side in (step.equation.left, step.equation.right)
        ]
        if any(isinstance(one, Failure) for one in both):
            return True
        sides.append(both[0].si_value - both[1].si_value)  # type: ignore[union-attr]
    return sides[0] * sides[1] <= 0 or size == 0


def _is_same(one: Quantity, other: Quantity) -> bool:
    if one.unit == other.unit:
        return one.value == other.value or math.isclose(float(one.value), float(other.value), rel_tol=_SAME)
    return one.dimension == other.dimension and math.isclose(one.si_value, other.si_value, rel_tol=_SAME)
