"""Save an answer with all it rests on, and compute it again later without the library. Says what changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from mathrag import __version__
from mathrag.answer.replay_file import SavedAnswer, is_writable, read_saved, write_saved
from mathrag.compute.canonical import canonical_key
from mathrag.compute.constants import constant_quantity, constants_for_words
from mathrag.compute.quantity_text import find_quantities
from mathrag.errors import MathragError, readable
from mathrag.reason.agent.trace import plain
from mathrag.reason.computing import StepFailure, compute_step
from mathrag.reason.direct import DirectFailure, DirectResult, compute_directly
from mathrag.types.answer import Answer, Bound, Outcome, PlannedStep, Refusal, Reply, Row, Step
from mathrag.types.library import Formula
from mathrag.types.quantity import Quantity, Unit

ChangeKind: TypeAlias = Literal["value", "formula", "constant", "failure", "figures"]
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
        options=plain(options or {}),
        library=plain(library or {}),
        trace=tuple(plain(list(trace))),
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
                value=outcome.value if is_writable(outcome.value) else None,
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
    step = _guarded(planned, old.result.unit if old.result.unit.text else None, done=done)
    if isinstance(step, StepFailure) and step.code == "unit":
        # The unit was the program's own choice then and is not one it would be asked for.
        return _guarded(planned, None, done=done)
    return step


def _guarded(planned: PlannedStep, unit: Unit | None, *, done: Sequence[Step]) -> Step | StepFailure:
    try:
        return compute_step(planned, len(done) + 1, results={step.number: step for step in done}, unit=unit)
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
    found = compute_directly(saved.question)
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
