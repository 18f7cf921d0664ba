"""One prediction against the truth: whether its number and its values are right, the tool it used, and the stage at
which it went wrong. Knows one question at a time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from mathrag.errors import MathragError
from mathrag.evaluate.formula_identity import Catalogue, Likeness, names_of, symbol_name
from mathrag.evaluate.questions import Half, Truth
from mathrag.knowledge.units import difference_of, read_canonical_unit, unit_readings
from mathrag.language.currencies import codes_in_unit, unit_in_dollars
from mathrag.types.answer import MODEL_ASSUMES
from mathrag.types.quantity import Dimension, Quantity, Unit

# Whether a number with a unit is the right one: conversion first, then one per cent. Knows no question.

# One per cent: what rounding on the way and other values of constants can make.
TOLERANCE = 0.01
# `ratio`: the number is right but for a power of ten, a unit left out or the zero of a temperature scale.
Closeness: TypeAlias = Literal["right", "dimension", "ratio", "off", "unreadable"]
_KELVIN_OFFSET = 273.15


@lru_cache(maxsize=4096)
def unit_of(text: str, prefer: Dimension | None = None) -> Unit | None:
    """A unit by its canonical text; a person's spelling too where it has one reading, or one that fits. No rates of
    currencies are known: each stands for the dollar, and whoever compares must see to it that they are the same."""
    text = unit_in_dollars(text)
    try:
        return read_canonical_unit(text)
    except MathragError:
        pass
    try:
        readings = unit_readings(text)
    except MathragError:
        return None
    fitting = [unit for unit in readings if prefer is None or unit.dimension == prefer]
    return (fitting or list(readings))[0] if readings else None


def number_of(value: object) -> float | None:
    """A finite float from JSON: a number, or a text of digits."""
    if value is None or isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and len(value) > 400:
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def quantity_of(value: object, unit: object, *, prefer: Dimension | None = None) -> Quantity | None:
    """A quantity from two fields of an answer; None where one of them makes no sense."""
    number = number_of(value)
    text = "" if unit is None else unit
    if number is None or not isinstance(text, str):
        return None
    found = unit_of(text, prefer)
    return None if found is None else Quantity(number, found)


def quantity_of_text(text: str) -> Quantity | None:
    """A given value such as `2.2e2 K` or `0.30`."""
    value, _, unit = text.strip().partition(" ")
    return quantity_of(value, unit.strip())


def in_unit(quantity: Quantity, unit: Unit) -> float:
    """The number of a quantity in another unit of its dimension."""
    return (quantity.si_value - unit.offset) / unit.scale


def compare(found: Quantity | None, answer: float, unit_text: str, *, tolerance: float | None = None) -> Closeness:
    """How near a found quantity is to the right answer; `tolerance` is how far it may be from it, in its unit, where
    that is more than usual.

    A set writes °C for temperatures and for differences of them. What says of itself that it is a difference is held
    against the answer as one; what is a temperature never is.
    """
    unit = unit_of(unit_text)
    if found is None or unit is None:
        return "unreadable"
    if found.unit.text.startswith("delta_"):
        unit = difference_of(unit)
    if found.dimension != unit.dimension:
        return "dimension"
    value = in_unit(found, unit)
    if is_near(value, answer) or abs(value - answer) <= (tolerance or 0.0):
        return "right"
    return "ratio" if _is_off_by_a_unit(found, value, answer) else "off"


def is_near(value: float, answer: float, *, tolerance: float = TOLERANCE) -> bool:
    """Within one per cent of the answer; an answer of zero must be hit."""
    if not answer:
        return abs(value) <= 1e-9
    return abs(value - answer) <= tolerance * abs(answer)


def _is_off_by_a_unit(found: Quantity, value: float, answer: float) -> bool:
    if is_near(float(found.value), answer) or is_near(found.si_value, answer):
        return True
    if any(is_near(value + shift, answer, tolerance=0.002) for shift in (_KELVIN_OFFSET, -_KELVIN_OFFSET)):
        return True
    if not value or not answer or value * answer < 0:
        return False
    power = math.log10(value / answer)
    return round(power) != 0 and abs(power - round(power)) < 0.004


# Whether the values that an answer used are those that the question gives. Compares; grades nothing.

# `units`: the number of the question, taken for another unit.
Agreement: TypeAlias = Literal["same", "units", "other"]
# Values are read, not computed, so they agree but for rounding.
_TOLERANCE = 0.002


def compare_bindings(
    bindings: object, given: Sequence[tuple[str, str]], *, by_name: bool = True
) -> tuple[Agreement, str]:
    """How the bound values agree with the given ones, and what differs, in words.

    Where the symbols are those of the set (`by_name`) each must have its own value; else it is enough that every
    given value is bound to something.
    """
    bound = _bound(bindings)
    verdict: Agreement = "same"
    problems: list[str] = []
    for letter, text in given:
        wanted = quantity_of_text(text)
        if wanted is None:
            continue
        name = symbol_name(letter)
        found = [bound[name]] if by_name and name in bound else list(bound.values())
        if any(_is_same(one, wanted) for one in found):
            continue
        is_other_unit = any(is_near(float(one.value), float(wanted.value), tolerance=_TOLERANCE) for one in found)
        verdict = "units" if is_other_unit and verdict != "other" else "other"
        shown = f"{bound[name].value:g} {bound[name].unit}".strip() if name in bound else "nothing"
        problems.append(f"{letter} is {text}, bound: {shown}")
    return verdict, "; ".join(problems)


def _bound(bindings: object) -> dict[str, Quantity]:
    if not isinstance(bindings, Mapping):
        return {}
    found: dict[str, Quantity] = {}
    for letter, value in bindings.items():
        if not isinstance(value, Mapping):
            continue
        quantity = quantity_of(value.get("value"), value.get("unit"))
        if quantity is not None:
            # The symbols of an earlier step are written `step1.m`.
            found[_name(str(letter), found)] = quantity
    return found


def _name(letter: str, taken: Mapping[str, Any]) -> str:
    name = symbol_name(letter.rpartition(".")[2] or letter)
    return letter if name in taken else name


def _is_same(found: Quantity, wanted: Quantity) -> bool:
    if found.dimension != wanted.dimension:
        return False
    if is_near(found.si_value, wanted.si_value, tolerance=_TOLERANCE):
        return True
    # A difference of temperatures may be stated in either scale.
    return found.unit.scale == wanted.unit.scale and is_near(
        float(found.value), float(wanted.value), tolerance=_TOLERANCE
    )


Verdict: TypeAlias = Literal["right", "wrong", "refused", "answered", "taken", "crashed"]
Tool: TypeAlias = Literal["correct", "wrong", "none", "unknown"]
ToolFailure: TypeAlias = Literal["", "not in library", "retrieved but not used", "not retrieved", "in library"]
Stage: TypeAlias = Literal[
    "", "extraction", "retrieval", "choice", "binding", "units", "arithmetic", "refusal", "crash"
]
STAGES: tuple[Stage, ...] = (
    "extraction", "retrieval", "choice", "binding", "units", "arithmetic", "refusal", "crash",
)  # fmt: skip
TOOL_FAILURES: tuple[ToolFailure, ...] = ("not in library", "retrieved but not used", "not retrieved", "in library")
Prediction: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Grade:
    """What became of one question.

    `has_number` says whether a number was given, right or not. `note` says what is worth knowing of a right answer:
    an equivalent formula, another route. `detail` says what went wrong at the stage. `findings` are the codes of what
    spoke against the plan of a question that was refused. `origin` says whose formulas a number rests on, or that a
    model assumed a value of it.
    """

    id: str
    tier: str
    kind: str
    cluster: str
    half: Half
    wording: str | None
    verdict: Verdict
    has_number: bool
    tool: Tool
    tool_failure: ToolFailure = ""
    stage: Stage = ""
    detail: str = ""
    note: str = ""
    expected: str = ""
    found: str = ""
    question: str = ""
    confidence: float | None = None
    milliseconds: float | None = None
    findings: tuple[str, ...] = ()
    origin: str = ""

    @property
    def is_right(self) -> bool:
        """Whether this is what should have happened."""
        return self.verdict == "right"


@dataclass(frozen=True, slots=True)
class _Recognition:
    tool: Tool
    likenesses: tuple[Likeness, ...] = ()
    extra: int = 0

    @property
    def note(self) -> str:
        parts = []
        if "equivalent" in self.likenesses:
            parts.append("by an equivalent formula of another place")
        if "member" in self.likenesses:
            parts.append("by another link of the chain")
        if self.tool == "correct" and self.extra:
            parts.append(f"with {self.extra} further formula{'s' if self.extra > 1 else ''}")
        return ", ".join(parts)


def grade(truth: Truth, prediction: Prediction, catalogue: Catalogue) -> Grade:
    """Grade one prediction."""
    has_number = number_of(prediction.get("value")) is not None
    recognition = _recognise(truth, prediction, catalogue, has_number=has_number)
    found = _found(truth, prediction)
    closeness = _closeness(truth, found)
    verdict = _verdict(truth, prediction, closeness, has_number=has_number)
    stage, detail, note = "", "", ""
    if verdict == "right":
        note = _note_on_right(truth, recognition)
    else:
        stage, detail = _stage(truth, prediction, catalogue, recognition, closeness, verdict)
    return Grade(
        id=truth.id,
        tier=truth.tier,
        kind=truth.kind,
        cluster=truth.cluster,
        half=truth.half,
        wording=truth.wording,
        verdict=verdict,
        has_number=has_number,
        tool=recognition.tool,
        tool_failure=_tool_failure(truth, prediction, catalogue, recognition),
        stage=stage,  # type: ignore[arg-type]
        detail=detail,
        note=note,
        expected=_shown(truth.answer, truth.units[0]) if truth.answer is not None else _expected(truth),
        found=_shown_prediction(prediction),
        question=truth.question,
        confidence=_confidence(prediction),
        milliseconds=_milliseconds(prediction),
        findings=_findings(prediction),
        origin=_origin(prediction) if has_number else "",
    )


def _origin(prediction: Prediction) -> str:
    """Whose formulas a number rests on; that a language model only assumed a value of it comes before that."""
    bindings = prediction.get("bindings")
    values = bindings.values() if isinstance(bindings, Mapping) else ()
    assumed = [each for each in values if isinstance(each, Mapping) and each.get("origin") == "assumed"]
    if any(MODEL_ASSUMES in str(each.get("from")) for each in assumed):
        return "assumed"
    return str(prediction.get("origin") or "")


def _found(truth: Truth, prediction: Prediction) -> Quantity | None:
    unit, given = unit_of(truth.units[0]), prediction.get("unit")
    if isinstance(given, str) and codes_in_unit(given) != codes_in_unit(truth.units[0]):
        return None
    return quantity_of(prediction.get("value"), given, prefer=unit.dimension if unit else None)


def _closeness(truth: Truth, found: Quantity | None) -> Closeness:
    if truth.answer is None:
        return "unreadable"
    order: tuple[Closeness, ...] = ("right", "ratio", "off", "dimension", "unreadable")
    found_by = (compare(found, truth.answer, unit, tolerance=truth.tolerance) for unit in truth.units)
    return min(found_by, key=order.index)


def _verdict(truth: Truth, prediction: Prediction, closeness: Closeness, *, has_number: bool) -> Verdict:
    if prediction.get("failure") is not None:
        return "crashed"
    is_answered = has_number or prediction.get("outcome") == "answered"
    if truth.kind == "compute":
        if not has_number:
            return "refused"
        return "right" if closeness == "right" else "wrong"
    if not is_answered:
        return "right"
    return "taken" if truth.kind == "chat" else "answered"


def _recognise(truth: Truth, prediction: Prediction, catalogue: Catalogue, *, has_number: bool) -> _Recognition:
    if truth.kind != "compute":
        return _Recognition("unknown")
    used = [one for one in _list(prediction.get("formulas")) if isinstance(one, Mapping)]
    if not has_number or not used:
        return _Recognition("none")
    if not truth.latex:
        return _Recognition("unknown")
    # Of a chained question, no one formula has all the symbols.
    names = names_of((name for name, _ in truth.given), truth.target) if len(truth.latex) == 1 else frozenset()
    order: tuple[Likeness, ...] = ("same", "member", "equivalent", "other")
    likenesses = tuple(
        min((catalogue.likeness(one, latex, names) for one in used), key=order.index) for latex in truth.latex
    )
    is_correct = "other" not in likenesses
    return _Recognition("correct" if is_correct else "wrong", likenesses, max(0, len(used) - len(truth.latex)))


def _note_on_right(truth: Truth, recognition: _Recognition) -> str:
    if truth.kind != "compute":
        return ""
    return "by another route" if recognition.tool == "wrong" else recognition.note


def _tool_failure(truth: Truth, prediction: Prediction, catalogue: Catalogue, recognition: _Recognition) -> ToolFailure:
    """Why the tool was not the correct one, as far as can be told."""
    if truth.kind != "compute" or not truth.latex or recognition.tool == "correct":
        return ""
    if not all(catalogue.wanted(latex).is_executable for latex in truth.latex):
        return "not in library"
    candidates = _candidates(prediction)
    if candidates is None:
        return "in library"
    if all(catalogue.wanted(latex).ids & candidates for latex in truth.latex):
        return "retrieved but not used"
    return "not retrieved"


def _stage(
    truth: Truth,
    prediction: Prediction,
    catalogue: Catalogue,
    recognition: _Recognition,
    closeness: Closeness,
    verdict: Verdict,
) -> tuple[Stage, str]:
    """Where it went wrong first, in the order of the work."""
    if verdict == "crashed":
        return "crash", str((prediction.get("failure") or {}).get("reason", ""))[:200]
    if truth.kind == "chat":
        return "refusal", "taken for a computation"
    if truth.kind == "refuse":
        return "refusal", "answered though it should refuse"
    failure = _tool_failure(truth, prediction, catalogue, recognition)
    if failure == "not in library":
        return "extraction", _unread(truth, catalogue)
    if failure == "not retrieved":
        return "retrieval", "the formula is not among the candidates"
    if verdict == "refused":
        return "refusal", "refused though it can be answered" + _refusal_reason(prediction)
    if recognition.tool == "wrong" or "member" in recognition.likenesses:
        used = ", ".join(str(one.get("label") or one.get("latex")) for one in _list(prediction.get("formulas")))
        return "choice", f"used {used}"[:200]
    is_renamed = "equivalent" in recognition.likenesses or len(truth.latex) != 1
    agreement, difference = compare_bindings(prediction.get("bindings"), truth.given, by_name=not is_renamed)
    if agreement == "other":
        return "binding", difference[:200]
    if agreement == "units":
        return "units", difference[:200]
    if closeness in ("dimension", "ratio", "unreadable"):
        return "units", {"dimension": "the dimension is another", "ratio": "off by a unit"}.get(closeness, "no unit")
    return "arithmetic", "formula and values are right"


def _unread(truth: Truth, catalogue: Catalogue) -> str:
    for latex in truth.latex:
        wanted = catalogue.wanted(latex)
        if not wanted.is_executable:
            reasons = [f"{formula.status}: {formula.reason}" for formula in wanted.formulas]
            return (reasons[0] if reasons else f"no formula of the library is {latex}")[:200]
    return ""


def _refusal_reason(prediction: Prediction) -> str:
    reason = prediction.get("reason")
    code = reason.get("code") if isinstance(reason, Mapping) else None
    return f" ({code})" if code else ""


def _findings(prediction: Prediction) -> tuple[str, ...]:
    found = [one.get("code") for one in _list(prediction.get("findings")) if isinstance(one, Mapping)]
    return tuple(dict.fromkeys(str(code) for code in found if code))


def _candidates(prediction: Prediction) -> frozenset[str] | None:
    listed = prediction.get("candidates")
    if not isinstance(listed, list):
        return None
    return frozenset(str(one.get("id")) if isinstance(one, Mapping) else str(one) for one in listed)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _expected(truth: Truth) -> str:
    return "no computation" if truth.kind == "chat" else f"needs {truth.needs}" if truth.needs else "no number"


def _shown(value: float, unit: str) -> str:
    return f"{value:.6g} {unit}".rstrip()


def _shown_prediction(prediction: Prediction) -> str:
    value = number_of(prediction.get("value"))
    return str(prediction.get("outcome") or "") if value is None else _shown(value, str(prediction.get("unit") or ""))


def _confidence(prediction: Prediction) -> float | None:
    value = number_of(prediction.get("confidence"))
    return None if value is None else min(1.0, max(0.0, value))


def _milliseconds(prediction: Prediction) -> float | None:
    value = number_of(prediction.get("milliseconds"))
    return None if value is None or value < 0 else value
