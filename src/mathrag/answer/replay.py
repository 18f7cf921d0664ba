"""Save an answer with all it rests on, and compute it again later without the library. Says what changed."""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, TypeAlias, TypeVar

from mathrag.compute.canonical import canonical_key
from mathrag.errors import MathragError, ReplayError, readable
from mathrag.knowledge.constants import constant_quantity, constants_for_words
from mathrag.language.currencies import only_currency
from mathrag.language.quantities import find_quantities
from mathrag.reason.agent.trace import json_value
from mathrag.reason.computing import StepFailure, compute_step
from mathrag.reason.direct import DirectFailure, DirectResult, DirectStatement, compute_directly
from mathrag.types.answer import (
    Answer,
    Bound,
    Origin,
    Outcome,
    PlannedStep,
    Provenance,
    Refusal,
    Reply,
    Row,
    Step,
    Taken,
    without_taken,
)
from mathrag.types.expression import MAXIMUM_DEPTH, MAXIMUM_NODES, Equation, depth_of, size_of
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.library import Formula, Span
from mathrag.types.quantity import Quantity, Unit
from mathrag.version import __version__

# Saved answers as text and back. Text from outside is distrusted: every value is checked against its noun's types.

FORMAT = 1
_LONGEST_FILE = 8_000_000
_LONGEST_TEXT = 2_000_000
_MOST_STEPS = 50
_MOST_BINDINGS = 200
_MOST_ROWS = 1_000
# What is nested deeper was not written by us, and would exhaust the stack.
_DEEPEST = 400
# In bits; Python refuses to read more than 4,300 digits.
_LONGEST_WHOLE = 14_000
_ORIGINS: tuple[str, ...] = typing.get_args(Origin)
_TAKEN: tuple[Taken, ...] = typing.get_args(Taken)
_T = TypeVar("_T")


@dataclasses.dataclass(frozen=True, slots=True)
class SavedAnswer:
    """What a file says: the question, the computed steps with their results, and what computed them."""

    software: str
    question: str
    outcome: Literal["answered", "refused", "chat"]
    steps: tuple[Step, ...] = ()
    value: Quantity | None = None
    exact: str = ""
    provenance: tuple[Provenance, ...] = ()
    rows: tuple[Row, ...] = ()
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    library: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    trace: tuple[Any, ...] = ()


def is_writable(quantity: Quantity) -> bool:
    """Whether JSON can hold the number; Python writes no whole number of more than 4300 digits."""
    return not isinstance(quantity.value, int) or quantity.value.bit_length() < _LONGEST_WHOLE


def write_saved(saved: SavedAnswer) -> str:
    """The file's text: JSON, one answer, everything needed to compute it again."""
    data = {
        "mathrag_replay": FORMAT,
        "software": saved.software,
        "question": saved.question,
        "outcome": saved.outcome,
        "options": dict(saved.options),
        "library": dict(saved.library),
        "value": to_json(saved.value),
        "exact": saved.exact,
        "provenance": [_provenance_json(each) for each in saved.provenance],
        "steps": [_step_json(step) for step in saved.steps],
        "rows": [{"values": [list(pair) for pair in row.values], "result": to_json(row.result)} for row in saved.rows],
        "trace": list(saved.trace),
    }
    return json.dumps(data, ensure_ascii=True, allow_nan=False, indent=1) + "\n"


def _step_json(step: Step) -> dict[str, Any]:
    # One place is enough to say where a formula stood; worked examples and corrections compute nothing.
    formula = dataclasses.replace(step.formula, spans=step.formula.spans[:1], instances=(), corrections=())
    return {
        "number": step.number,
        "formula": to_json(formula),
        "equation": to_json(step.equation),
        "target": step.target,
        "bindings": [_bound_json(bound) for bound in step.bindings],
        "result": to_json(step.result),
        "significant_figures": step.significant_figures,
        "method": step.method,
    }


def _bound_json(bound: Bound) -> dict[str, Any]:
    return {
        "symbol": bound.symbol,
        "quantity": to_json(bound.quantity),
        "letter": bound.letter,
        "description": bound.description,
        "significant_figures": bound.significant_figures,
        "provenance": _provenance_json(bound.provenance),
    }


def _provenance_json(origin: Provenance) -> dict[str, Any]:
    return {
        "origin": origin.origin,
        "text": origin.text,
        "source": origin.source,
        "step": origin.step,
        "span": to_json(origin.span),
        "taken": origin.taken,
    }


def read_saved(text: str) -> SavedAnswer:
    """What a file says. Raises `ReplayError` for anything that `write_saved` did not write."""
    data = _object(_parsed(text), "the file")
    version = data.get("mathrag_replay")
    if version != FORMAT or isinstance(version, bool):
        raise ReplayError(f"this is no saved answer of format {FORMAT}")
    outcome = data.get("outcome")
    if outcome not in ("answered", "refused", "chat"):
        raise ReplayError("the file does not say how the question ended")
    return SavedAnswer(
        software=_text(data, "software"),
        question=_text(data, "question"),
        outcome=outcome,
        steps=tuple(_step(item, place) for place, item in enumerate(_list(data, "steps", most=_MOST_STEPS), start=1)),
        value=_optional(data.get("value"), Quantity, "value"),
        exact=_text(data, "exact"),
        provenance=tuple(_provenance(item) for item in _list(data, "provenance", most=_MOST_BINDINGS)),
        rows=tuple(_row(item) for item in _list(data, "rows", most=_MOST_ROWS)),
        options=_object(data.get("options", {}), "options"),
        library=_object(data.get("library", {}), "library"),
        trace=tuple(_list(data, "trace", most=_MOST_STEPS)),
    )


def _parsed(text: str) -> Any:
    if len(text) > _LONGEST_FILE:
        raise ReplayError(f"the file has {len(text)} characters; a saved answer has at most {_LONGEST_FILE}")
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise ReplayError("the file is nested too deeply") from None
    except ValueError as error:
        raise ReplayError(f"the file is not JSON: {error}") from None
    pending = [(data, 1)]
    while pending:
        value, depth = pending.pop()
        if depth > _DEEPEST:
            raise ReplayError("the file is nested too deeply")
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        pending.extend((item, depth + 1) for item in inner)
    return data


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _step(item: object, place: int) -> Step:
    data = _object(item, f"step {place}")
    if data.get("number") != place or isinstance(data.get("number"), bool):
        raise ReplayError(f"step {place} has another number")
    equation = _noun(data.get("equation"), Equation, f"the equation of step {place}")
    for side in (equation.left, equation.right):
        if depth_of(side) > MAXIMUM_DEPTH or size_of(side) > MAXIMUM_NODES:
            raise ReplayError(f"the equation of step {place} is larger than any real formula")
    figures = data.get("significant_figures")
    if not isinstance(figures, int) or isinstance(figures, bool) or not 0 < figures < 10_000:
        raise ReplayError(f"step {place} has no number of significant figures")
    bindings = _list(data, "bindings", most=_MOST_BINDINGS)
    return Step(
        place,
        _noun(data.get("formula"), Formula, f"the formula of step {place}"),
        equation,
        _text(data, "target"),
        tuple(_bound(bound) for bound in bindings),
        _noun(data.get("result"), Quantity, f"the result of step {place}"),
        figures,
        _text(data, "method"),
    )


def _bound(item: object) -> Bound:
    data = _object(item, "a binding")
    figures = data.get("significant_figures")
    if figures is not None and (not isinstance(figures, int) or isinstance(figures, bool)):
        raise ReplayError("a binding has a strange number of significant figures")
    return Bound(
        _text(data, "symbol"),
        _provenance(data.get("provenance")),
        _optional(data.get("quantity"), Quantity, "a binding"),
        _text(data, "letter"),
        _text(data, "description"),
        figures,
    )


def _provenance(item: object) -> Provenance:
    data = _object(item, "an origin")
    origin, step = data.get("origin"), data.get("step")
    if origin not in _ORIGINS or not (step is None or (isinstance(step, int) and not isinstance(step, bool))):
        raise ReplayError("a value does not say where it comes from")
    span = _optional(data.get("span"), Span, "a place")
    # Older files say in the text itself how the number was taken.
    text, taken = without_taken(_text(data, "text"))
    stored = next((each for each in _TAKEN if each == data.get("taken", "")), None)
    if stored is None:
        raise ReplayError("a value does not say how it was taken")
    return Provenance(origin, text, _text(data, "source"), step, span, stored or taken)


def _row(item: object) -> Row:
    data = _object(item, "a row")
    pairs = _list(data, "values", most=_MOST_BINDINGS)
    if not all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) for each in pair) for pair in pairs
    ):
        raise ReplayError("a row has strange values")
    return Row(tuple((pair[0], pair[1]) for pair in pairs), _noun(data.get("result"), Quantity, "a row"))


def _object(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ReplayError(f"{place} is not an object")
    return value


def _list(data: Mapping[str, Any], key: str, *, most: int) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list) or len(value) > most:
        raise ReplayError(f"{key} is not a list of at most {most}")
    return value


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        raise ReplayError(f"{key} is not a text")
    return value


def _optional(data: object, kind: type[_T], place: str) -> _T | None:
    return None if data is None else _noun(data, kind, place)


def _noun(data: object, kind: type[_T], place: str) -> _T:
    """A noun of the library, with every field of the type it should have."""
    try:
        value = from_json(data)
    except ValueError as error:
        raise ReplayError(f"{place} cannot be read: {error}") from None
    if not has_type(value, kind):
        raise ReplayError(f"{place} has parts of the wrong kind")
    assert isinstance(value, kind)
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def has_type(value: object, hint: Any) -> bool:
    """Whether a value has a type, all the way down. Iterative; numbers must be finite."""
    pending = [(value, hint)]
    while pending:
        value, hint = pending.pop()
        if typing.get_origin(hint) in (typing.Union, types.UnionType):
            hint = next((each for each in typing.get_args(hint) if _looks_like(value, each)), hint)
        if not _looks_like(value, hint):
            return False
        if isinstance(value, tuple):
            inner = typing.get_args(hint)
            pending.extend(zip(value, (inner[0],) * len(value) if inner[-1] is ... else inner, strict=True))
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            hints = _hints(type(value))
            pending.extend((getattr(value, field.name), hints[field.name]) for field in dataclasses.fields(value))
    return True


def _looks_like(value: object, hint: Any) -> bool:
    """The outermost layer of a type."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return isinstance(value, str) and value in inner
    if origin is tuple:
        return isinstance(value, tuple) and (inner[-1] is ... or len(inner) == len(value))
    if origin in (typing.Union, types.UnionType):
        return any(_looks_like(value, each) for each in inner)
    if hint is float:
        return type(value) in (int, float) and _is_finite(value)
    return type(value) is hint


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return isinstance(value, int)


ChangeKind: TypeAlias = Literal["value", "formula", "constant", "failure", "figures"]
# Another machine may round the last digits otherwise; a change of a formula shows well before.
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is not as it was: what kind, in which step (None: the answer as a whole), in a sentence."""

    kind: ChangeKind
    message: str
    step: int | None = None


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What computing again gave. `value` is today's; `recomputed` counts the steps that were computed."""

    question: str
    outcome: Literal["answered", "refused", "chat"]
    recomputed: int
    changes: tuple[Change, ...]
    software_then: str
    software_now: str
    value: Quantity | None = None

    @property
    def is_same(self) -> bool:
        """Whether nothing changed."""
        return not self.changes

    @property
    def text(self) -> str:
        """For a person: one sentence, then one line for each change."""
        software = f"version {self.software_now}"
        if self.software_then != self.software_now:
            software += f" (saved by {readable(self.software_then)[:40]})"
        if self.outcome != "answered":
            return f"same: the question was not answered with a number, so there is nothing to compute; {software}"
        if self.is_same:
            plural = "" if self.recomputed == 1 else "s"
            value = "" if self.value is None else f"{_shown(self.value)}; "
            return f"same: {value}{self.recomputed} step{plural} recomputed with {software}"
        places = (f"step {change.step}: " if change.step else "" for change in self.changes)
        lines = [f"- {place}{change.message}" for place, change in zip(places, self.changes, strict=True)]
        return "\n".join((f"changed: recomputed with {software}", *lines))


def save_replay(
    outcome: Outcome,
    *,
    question: str = "",
    options: Mapping[str, Any] | None = None,
    library: Mapping[str, Any] | None = None,
    trace: Sequence[Any] = (),
) -> str:
    """The text of a replay file. `options` and `library` are facts to keep: plain values only."""
    saved = SavedAnswer(
        software=__version__,
        question=question or outcome.question,
        outcome="answered",
        options=json_value(options or {}),
        library=json_value(library or {}),
        trace=tuple(json_value(list(trace))),
    )
    match outcome:
        case Refusal():
            saved = replace(saved, outcome="refused")
        case Reply():
            saved = replace(saved, outcome="chat")
        case Answer():
            saved = replace(
                saved,
                steps=outcome.steps,
                value=outcome.quantity if is_writable(outcome.quantity) else None,
                exact=outcome.exact,
                provenance=outcome.provenance,
                rows=outcome.rows,
            )
    return write_saved(saved)


def replay(text: str, *, find_formula: Callable[[str], Formula | None] | None = None) -> ReplayReport:
    """Compute a saved answer again with today's code. Raises `ReplayError` where the text is no saved answer.

    With `find_formula` (a library at hand), formulas are also compared with what the library has now.
    """
    saved = read_saved(text)
    if saved.outcome != "answered":
        return ReplayReport(saved.question, saved.outcome, 0, (), saved.software, __version__)
    if saved.steps:
        steps, changes = _recomputed(saved)
        changes += [change for step in saved.steps for change in _formula_changes(step, find_formula)]
        changes += [change for step in saved.steps for change in _constant_changes(step)]
        changes += _row_changes(saved)
        value = steps[-1].result if len(steps) == len(saved.steps) else None
        if value is not None and saved.value is not None and not _same(saved.value, value):
            changes.append(Change("value", f"the answer was {_shown(saved.value)} and is {_shown(value)}"))
        recomputed = len(steps)
    else:
        value, changes = _recomputed_directly(saved)
        recomputed = int(value is not None)
    unique = tuple(dict.fromkeys(changes))
    return ReplayReport(saved.question, "answered", recomputed, unique, saved.software, __version__, value)


def _recomputed(saved: SavedAnswer) -> tuple[list[Step], list[Change]]:
    """The steps computed anew, each from the new results of those before; up to the first that fails."""
    changes: list[Change] = []
    done: list[Step] = []
    for old in saved.steps:
        new = _compute(old, saved.steps, done)
        if isinstance(new, StepFailure):
            changes.append(Change("failure", f"{old.target} can no longer be computed: {new.message}", old.number))
            break
        if not _same(old.result, new.result):
            message = f"{old.target} was {_shown(old.result)} and is {_shown(new.result)}"
            changes.append(Change("value", message, old.number))
        if old.significant_figures != new.significant_figures:
            message = f"{old.significant_figures} significant figures were shown, now {new.significant_figures}"
            changes.append(Change("figures", message, old.number))
        done.append(new)
    return done, changes


def _compute(old: Step, saved: Sequence[Step], done: Sequence[Step]) -> Step | StepFailure:
    bindings = tuple(_linked(bound, saved, number=old.number) for bound in old.bindings)
    planned = PlannedStep(old.formula, old.equation, old.target, bindings)
    # Of several solutions of what was put together for one question, the one that was meant is checked.
    near = old.result.si_value if old.formula.is_made else None
    step = _guarded(planned, old.result.unit if old.result.unit.text else None, done=done, near=near)
    if isinstance(step, StepFailure) and step.code == "unit":
        # The unit was the program's own choice then and is not one it would be asked for.
        return _guarded(planned, None, done=done, near=near)
    return step


def _guarded(
    planned: PlannedStep, unit: Unit | None, *, done: Sequence[Step], near: float | None
) -> Step | StepFailure:
    results = {step.number: step for step in done}
    try:
        return compute_step(planned, len(done) + 1, results=results, unit=unit, near=near)
    except (ArithmeticError, LookupError, TypeError, ValueError, MathragError) as error:
        # A file may hold a formula no document ever gave: whatever it breaks is a failure of that file.
        return StepFailure("failed", f"{type(error).__name__}: {error}", planned.target)


def _linked(bound: Bound, saved: Sequence[Step], *, number: int) -> Bound:
    """A value that was the result of an earlier step is taken from that step again."""
    step = bound.provenance.step
    if bound.provenance.origin != "derived" or step is None or not 1 <= step < number:
        return bound
    return replace(bound, quantity=None) if bound.quantity in (None, saved[step - 1].result) else bound


def _formula_changes(step: Step, find_formula: Callable[[str], Formula | None] | None) -> Iterator[Change]:
    formula = step.formula
    if formula.is_made:
        # Put together for one question: no library has it, and it goes by its number alone.
        return
    try:
        is_whole = formula.equation is None or canonical_key(formula.equation) == formula.form
    except (MathragError, ArithmeticError, ValueError, RecursionError):
        is_whole = False
    if not is_whole:
        yield Change("formula", f"the equation of {_name(formula)} is not the one it was identified by", step.number)
    if find_formula is None:
        return
    today = find_formula(formula.id)
    if today is None:
        yield Change("formula", f"the library no longer has {_name(formula)}", step.number)
    elif today.equation != formula.equation:
        yield Change("formula", f"the library now writes {_name(formula)} as {readable(today.latex)}", step.number)


def _constant_changes(step: Step) -> Iterator[Change]:
    """Constants whose value or vintage in the table is another today; the answer was computed with the saved ones."""
    for bound in step.bindings:
        if bound.provenance.origin == "constant" and bound.quantity is not None:
            message = _constant_change(bound.provenance.text, bound.provenance.source, bound.quantity)
            if message:
                yield Change("constant", message, step.number)


def _constant_change(name: str, source: str, quantity: Quantity) -> str:
    known = constants_for_words(name) if 0 < len(name) <= 200 else ()
    if not known:
        return ""
    item = known[0]
    today = constant_quantity(item)
    if not _same(quantity, today):
        return f"{item.name} was {_shown(quantity)} ({readable(source)}) and is {_shown(today)} ({item.source})"
    return f"{item.name} is of {item.source} now, then of {readable(source)}" if item.source != source else ""


def _row_changes(saved: SavedAnswer) -> list[Change]:
    """Every row of a table computed anew, with the values that vary put in; a row that cannot be read is a change."""
    changes = []
    for place, row in enumerate(saved.rows, start=1):
        steps = tuple(_with_values(step, row) for step in saved.steps)
        if None in steps:
            changes.append(Change("failure", f"row {place} of the table cannot be read"))
            continue
        done, _ = _recomputed(replace(saved, steps=tuple(step for step in steps if step is not None)))
        if len(done) < len(saved.steps):
            changes.append(Change("failure", f"row {place} of the table can no longer be computed"))
        elif not _same(row.result, done[-1].result):
            shown = f"was {_shown(row.result)} and is {_shown(done[-1].result)}"
            changes.append(Change("value", f"row {place} of the table {shown}"))
    return changes


def _with_values(step: Step, row: Row) -> Step | None:
    values = dict(row.values)
    bindings = []
    for bound in step.bindings:
        if bound.symbol in values and bound.provenance.origin != "derived":
            quantity = _read(values[bound.symbol], like=bound.quantity)
            if quantity is None:
                return None
            bound = replace(bound, quantity=quantity)
        bindings.append(bound)
    return replace(step, bindings=tuple(bindings))


def _read(text: str, *, like: Quantity | None) -> Quantity | None:
    mentions = find_quantities(text[:200].replace("−", "-"))
    readings = mentions[0].quantities if len(mentions) == 1 else ()
    return next((each for each in readings if like is None or each.dimension == like.dimension), None)


def _recomputed_directly(saved: SavedAnswer) -> tuple[Quantity | None, list[Change]]:
    """An answer without a formula: computed from the question again, or a constant looked up again."""
    currency = only_currency(saved.question)
    found = compute_directly(saved.question if currency is None else currency.exchanged(saved.question).text)
    if currency is not None and isinstance(found, DirectResult):
        unit = found.quantity.unit
        found = replace(
            found, quantity=replace(found.quantity, unit=replace(unit, text=currency.given_back(unit.text)))
        )
    if isinstance(found, DirectStatement):
        return saved.value, [Change("value", "the answer is no single number any more")]
    if isinstance(found, DirectResult):
        then = saved.value
        # A whole number too long to be written stands in its digits alone.
        is_value = bool(saved.exact) if then is None else _same(then, found.quantity)
        is_same = is_value and saved.exact in ("", found.exact)
        was = "nothing" if then is None else _shown(then)
        changes = [] if is_same else [Change("value", f"the answer was {was} and is {_shown(found.quantity)}")]
        return found.quantity, changes
    constants = [
        _constant_change(origin.text, origin.source, saved.value)
        for origin in saved.provenance
        if origin.origin == "constant" and saved.value is not None
    ]
    if constants or any(origin.origin == "document" for origin in saved.provenance):
        return saved.value, [Change("constant", message) for message in constants if message]
    reason = found.message if isinstance(found, DirectFailure) else "the question is no longer read as a calculation"
    return None, [Change("failure", f"the answer can no longer be computed: {reason}")]


def _same(first: Quantity, second: Quantity) -> bool:
    """One quantity but for the last digits of a float; whole numbers must be equal."""
    if first.dimension != second.dimension:
        return False
    if first.unit == second.unit and first.value == second.value:
        return True
    try:
        return math.isclose(first.si_value, second.si_value, rel_tol=_SAME, abs_tol=0.0)
    except ArithmeticError:
        return False


def _shown(quantity: Quantity) -> str:
    try:
        number = f"{quantity.value:.12g}"
    except OverflowError:
        number = "a very long number"
    return readable(f"{number} {quantity.unit.text}".strip())


def _name(formula: Formula) -> str:
    return readable(formula.label or formula.latex or formula.id)
