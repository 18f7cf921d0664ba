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
from mathrag.reason.agent.calculations import BY_NUMBER
from mathrag.reason.question.reader import read_question
from mathrag.types.answer import Answer, Bound, Outcome, Refusal, Reply, Step
from mathrag.types.expression import (
    Add,
    Equation,
    Expression,
    Multiply,
    Number,
    Power,
    Symbol,
    children,
    equation_symbols,
    walk,
)
from mathrag.types.library import Formula
from mathrag.types.quantity import Quantity

_NUMERAL = re.compile(r"\d[\d,.\u00a0\u2009\u202f ]*\d|\d")
_PLAIN_NUMERAL = re.compile(r"(?<![\w.^{_\\])\d+(?:\.\d+)?(?![\w^}])")
# A refusal may tell what a formula makes of the values of the question, where the question says otherwise.
_BY_FORMULA = re.compile(r"by “(?P<name>[^”]+)” (?:they|its other values) make it (?P<shown>[^;.]*\d[^;]*)")
# Or what the values would make of it, where that cannot be.
_COMES_OUT = re.compile(r"the (?P<name>[^;,.]+?) comes out as (?P<shown>\d[^;,]*), but ")
_SAME = 1e-6
_SHOWN = 6e-3
# Numbers that words say, as far as the questions of these tests use them. Written apart from the program's own table.
_WORDS = {
    "zero": (0,), "no": (0,), "rest": (0,), "stops": (0,), "frictionless": (0,), "half": (0.5,), "midway": (0.5,),
    "halfway": (0.5,), "once": (1,), "one": (1,), "first": (1,), "two": (2,), "twice": (2,), "second": (2,),
    "both": (2,), "double": (2,), "three": (3,), "third": (3, 1 / 3), "thrice": (3,), "triple": (3,), "four": (4,),
    "fourth": (4, 0.25), "quarter": (0.25,), "five": (5,), "fifth": (5, 0.2), "six": (6,), "seven": (7,), "eight": (8,),
    "nine": (9,), "ten": (10,), "dozen": (12,), "hundred": (100,),
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+")
_DECIMAL = re.compile(
    r"(?<![\d.,])\d+(?:,\d{3})*(?:\.\d+)?"
    r"(?:\s?[×x·*]\s?10\^?\{?[-−+]?\d{1,3}\}?|[eE][-+]?\d{1,3})?(?!\d|[.,]\d)"
)
_LARGEST_EXPONENT = 6
_MODEL_ASSUMES = re.compile(r"a language model assumes (?P<number>\S+) ")


def untraceable(
    outcome: Outcome, question: str, library: Library, *, pinned: Collection[str] = (), may_propose: bool = False
) -> list[str]:
    """What is said without a source, in sentences; nothing for an honest outcome. `may_propose` where the user lets a
    model use formulas of its own, which must then say so."""
    if isinstance(outcome, Refusal):
        if outcome.code == "too_long":
            return []
        return [
            *_loose_numerals(_COMES_OUT.sub("", _BY_FORMULA.sub("", outcome.reason)), question),
            *_miscounted(outcome, question, library),
        ]
    if isinstance(outcome, Reply):
        return list(_loose_numerals(outcome.text, question))
    faults = [fault for step in outcome.steps for fault in _step_faults(step, outcome, question, library, pinned)]
    faults += [fault for step in outcome.steps for fault in _formula_faults(step, question, library, may_propose)]
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
    for sentence in (refusal.reason, *refusal.suggestions):
        known = [text for text, _ in told_by_rules(sentence, question, library)]
        for told in (*_BY_FORMULA.finditer(sentence), *_COMES_OUT.finditer(sentence)):
            if told["shown"] not in known:
                yield f"{told[0]!r} is not what the formula gives"


_SPELLED: dict[str, float] = {
    **{
        word: float(value)
        for value, word in enumerate(
            "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen".split(),
            start=1,
        )
    },
    **{
        word: 10.0 * value
        for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
    },
}
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}


def told_by_rules(sentence: str, question: str, library: Library) -> list[tuple[str, Quantity]]:
    """The quantities in a sentence that a formula gives for the values of the question, where it says that it does."""
    found = []
    for told in _BY_FORMULA.finditer(sentence):
        shown = next((one for one in read_question(told["shown"]).givens), None)
        formulas = [one for one in library.find_formulas(told["name"]) if one.label == told["name"]]
        if shown is not None and any(_gives(one, question, shown.readings[0], library) for one in formulas):
            found.append((told["shown"], shown.readings[0]))
    for told in _COMES_OUT.finditer(sentence):
        given = next((one.readings[0] for one in read_question(told["shown"]).givens), None)
        if given is not None and _is_made_of(given, question, library):
            found.append((told["shown"], given))
    return found


def _is_made_of(shown: Quantity, question: str, library: Library) -> bool:
    """Whether a quantity comes from the values of the question: as a product of powers, or by a formula."""
    given = [one.readings[0].si_value for one in read_question(question).givens][:4]
    for powers in itertools.product((-2, -1, 0, 1, 2), repeat=len(given)):
        value = math.prod(each**power for each, power in zip(given, powers, strict=True) if each)
        if any(math.isclose(value * factor, abs(shown.si_value), rel_tol=_SHOWN) for factor in (0.5, 1, 2)):
            return True
    formulas = [
        one
        for one in library.formulas()
        if one.equation is not None
        and len(equation_symbols(one.equation)) <= 4
        and any(symbol.dimension == shown.dimension for symbol in one.symbols)
    ]
    return any(_gives(one, question, shown, library) for one in formulas)


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
        if not _is_same(last, answer.quantity):
            yield f"the value {answer.quantity} is not the result of the last step, {last}"
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
    bound = {each.symbol for each in step.bindings}
    if lacking := set(equation_symbols(step.equation)) - bound - {step.target}:
        yield f"step {step.number} has no value for {sorted(lacking)}"
    for each in step.bindings:
        yield from _binding_faults(each, step, answer, question, library, pinned)
    yield from _result_faults(step, answer)


def _formula_faults(step: Step, question: str, library: Library, may_propose: bool) -> Iterator[str]:
    """A formula stands in the library. One that was made for the question is put together of such, and its numbers are
    theirs, structural, or said by the question."""
    if not step.formula.is_made:
        yield from _unknown_formula(step.formula, library, may_propose)
        return
    if step.formula.is_proposed:
        yield from _unknown_formula(step.formula, library, may_propose)
        return
    for part in step.parts:
        yield from _unknown_formula(part, library, may_propose)
    if not any(bound.quantity is not None or bound.provenance.step for bound in step.bindings):
        yield f"step {step.number} rests on no value"
    own = {float(node.value) for part in step.parts if part.equation for node in _numbers(part.equation)}
    known = {0.0, 0.5, 1.0, 2.0} | own | numbers_in_words(question) | _decimals(question)
    if step.parts:
        # Putting formulas together multiplies their numbers with each other.
        known |= {one * other for one in known for other in known} | {1 / one for one in known if one}
    for side in (step.equation.left, step.equation.right):
        for value in _literals(side):
            if not any(math.isclose(value, one, rel_tol=1e-9) for one in known):
                yield f"step {step.number}: nobody said {value:g}"


def _unknown_formula(formula: Formula, library: Library, may_propose: bool) -> Iterator[str]:
    if formula.is_proposed:
        if not may_propose:
            yield f"formula {formula.label!r} is a model's own, and nobody allowed that"
        elif "not from your documents" not in formula.label:
            yield f"formula {formula.label!r} is a model's own and does not say so"
        return
    found = next((one for one in library.find_formulas(formula.id) if one.id == formula.id), None)
    if found is None:
        yield f"formula {formula.id} is not in the library"


def _numbers(equation: Equation) -> Iterator[Number]:
    for side in (equation.left, equation.right):
        yield from (node for node in walk(side) if isinstance(node, Number))


def _literals(expression: Expression, *, is_exponent: bool = False) -> Iterator[float]:
    """The numbers of an expression as its reader takes them: those that only stand together (1 + 1 + 1, 2 * 2) are
    one, and an expression of numbers alone is the number that it gives."""
    if isinstance(expression, Number):
        value = float(expression.value)
        if not (is_exponent and value <= _LARGEST_EXPONENT):
            yield value
        return
    if not any(isinstance(node, Symbol) for node in walk(expression)):
        yield from _constant_value(expression)
        return
    if isinstance(expression, Power):
        yield from _literals(expression.base)
        yield from _literals(expression.exponent, is_exponent=True)
        return
    parts = list(children(expression))
    if isinstance(expression, Add | Multiply):
        plain = [each for each in parts if not any(isinstance(node, Symbol) for node in walk(each))]
        if len(plain) > 1:
            together = Add(tuple(plain)) if isinstance(expression, Add) else Multiply(tuple(plain))
            yield from _constant_value(together)
            parts = [each for each in parts if each not in plain]
    for part in parts:
        yield from _literals(part)


def _constant_value(expression: Expression) -> Iterator[float]:
    found = evaluate_quantity(expression, {}, lenient_logarithms=True)
    if isinstance(found, Failure):
        yield from (float(node.value) for node in walk(expression) if isinstance(node, Number))
        return
    value = abs(found.si_value)
    # Multiples of pi, roots and logarithms of structural numbers are no counts of anything.
    is_count = any(math.isclose(value * one, round(value * one), abs_tol=1e-9) for one in range(1, 13))
    if is_count:
        yield value


def numbers_in_words(text: str) -> set[float]:
    """The numbers that words of a text say, by little tables of our own: each word, and words that make one number."""
    words = _WORD.findall(text.casefold())
    found = {float(value) for word in words for value in _WORDS.get(word, ())}
    whole, part = 0.0, 0.0
    for word in (piece for each in words for piece in each.split("-")):
        if word in _SPELLED:
            part += _SPELLED[word]
        elif word == "hundred" and part:
            part *= 100
        elif word in _SCALES and part:
            whole, part = whole + part * _SCALES[word], 0.0
        elif word != "and" and whole + part:
            found.add(whole + part)
            whole, part = 0.0, 0.0
    return found | ({whole + part} if whole + part else set())


def _decimals(text: str) -> set[float]:
    found = set()
    for match in _DECIMAL.finditer(text):
        plain = re.sub(r"\s?[×x·*]\s?10\^?\{?", "e", match.group().replace(",", "").replace("−", "-")).rstrip("}")
        with contextlib.suppress(ValueError, OverflowError):
            found.add(float(plain))
    return found


def is_whole_quote(quote: str, question: str) -> bool:
    """Whether words stand in a question by themselves, not as a piece of a longer word or number."""
    start = question.find(quote) if quote else -1
    while start >= 0:
        before, after = question[:start][-2:], question[start + len(quote) :][:2]
        is_cut = before[-1:].isalnum() and quote[0].isalnum()
        is_cut |= after[:1].isalnum() and quote[-1].isalnum() and not (quote[-1].isdigit() and after[:1].isalpha())
        is_cut |= quote[0].isdigit() and before[-1:] in ".," and before[:1].isdigit()
        is_cut |= quote[-1].isdigit() and after[:1] in ".," and after[1:].isdigit()
        if not is_cut:
            return True
        start = question.find(quote, start + 1)
    return False


def _binding_faults(
    bound: Bound, step: Step, answer: Answer, question: str, library: Library, pinned: Collection[str]
) -> Iterator[str]:
    source, quantity = bound.provenance, bound.quantity
    name = f"{bound.symbol} in step {step.number}"
    if source.origin == "derived" and source.step == step.number and BY_NUMBER in step.warnings:
        # Unknowns of one system have their values together.
        return
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
        elif not is_whole_quote(source.text, question):
            yield f"{name}: {source.text!r} is a piece of something longer"
        elif not states_number(source.text, quantity.value) or not _says_in_words(source.text, quantity.value):
            yield f"{name}: {source.text!r} does not say {quantity.value}"
    elif source.origin == "implied":
        if source.text not in question:
            yield f"{name}: {source.text!r} is not in the question"
    elif source.origin == "assumed":
        if not states_number(source.text, quantity.value):
            yield f"{name}: the assumption {source.text!r} does not say {quantity.value}"
        told = _MODEL_ASSUMES.match(source.text)
        if told is not None and (
            len(re.findall(r"\d+", source.text.replace(told["number"], ""))) > _digits_of_unit(quantity)
        ):
            yield f"{name}: the assumption {source.text!r} has other numbers"
    elif source.origin == "constant":
        if not any(one.name == source.text and _is_same(constant_quantity(one), quantity) for one in all_constants()):
            yield f"{name}: no constant {source.text!r} has the value {quantity.value} {quantity.unit.text}"
    elif source.origin == "document" and source.span is not None and source.span.quote == source.text:
        # A sentence of a document, that was looked up and says the value.
        if not states_number(source.text, quantity.value) or not library.search(source.text, kinds=("text",)):
            yield f"{name}: no document says {quantity.value} by {source.text!r}"
    elif source.origin == "document":
        if not any(_is_same(_stored(one.value, one.unit), quantity) for one in library.find_constants(source.text)):
            yield f"{name}: the library has no constant {source.text!r} of {quantity.value} {quantity.unit.text}"
    elif source.origin == "pinned" and bound.symbol not in pinned:
        yield f"{name}: nobody pinned it"


def _says_in_words(text: str, value: float) -> bool:
    """Whether words without digits that say numbers say this one."""
    said = set() if re.search(r"\d", text) else numbers_in_words(text)
    return not said or any(math.isclose(abs(value), one, rel_tol=1e-9) for one in said)


def _digits_of_unit(quantity: Quantity) -> int:
    return len(re.findall(r"\d+", quantity.unit.text))


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
