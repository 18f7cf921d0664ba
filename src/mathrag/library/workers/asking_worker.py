"""What a process of an `AskingPool` does: the library open and warm, one operation at a time, with events on the way.

Knows no pipes and no other processes; what goes wrong is raised as an error of ours.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from mathrag.compute.patience import one_computation
from mathrag.errors import MathragError, UsageError
from mathrag.isolation.frames import strict_json
from mathrag.isolation.tasks import Listener
from mathrag.isolation.worker_main import Service
from mathrag.library.ask.models import models_within
from mathrag.library.facade import Library
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from mathrag.library.ask.models import Models
    from mathrag.library.ask.outcomes import FollowUp
    from mathrag.types.answer import Outcome
    from mathrag.types.episode import Event

Operation: TypeAlias = Callable[[Json, Listener], Json]
# Any question will do; one with a formula, two values and units loads every room that answering needs.
_WARMING = "What is the kinetic energy of 2 kg at 3 m/s?"
# Outcomes that a follow-up may lean on: about as many conversations as one process has at the same time.
_MOST_REMEMBERED = 32
# Of how a whole conversation is asked, what its earlier turns were asked with.
_MODES = ("planner", "only_documents", "assume")
# Of a conversation that is told whole each time, so many turns back: each may have to be answered again.
MOST_EARLIER = 12


def preload() -> None:
    """Load what every library's questions need, before there is a library."""
    with tempfile.TemporaryDirectory() as folder, Library(folder) as library:
        AskingSession(library).warm()


def asking_service(arguments: Json) -> Service:
    """What the process offers: the operations of a session with the library, open and warm."""
    library = Library(arguments["folder"], create=False)
    session = AskingSession(library, models=models_within(library.folder, arguments.get("budget")))
    session.warm()
    operations = {name: _strict(operation) for name, operation in session.operations.items()}
    return Service(operations, session.reading_ahead())


def _strict(operation: Operation) -> Operation:
    """The operation, with all that it says fit for the JSON of strangers."""
    return lambda payload, tell: strict_json(operation(payload, lambda event: tell(strict_json(event))))


class AskingSession:
    """A library and what is done with it here. `models` are by default those that the settings name."""

    def __init__(self, library: Library, *, models: Models | None = None) -> None:
        self.library = library
        self.models = models
        self.operations: Mapping[str, Operation] = {
            "ask": self.ask,
            "compute": self.compute,
            "sweep": self.sweep,
            "compute_steps": self.compute_steps,
            "sweep_steps": self.sweep_steps,
            "export": self.export,
            "check_solution": self.check_solution,
        }
        self._remembered: OrderedDict[tuple[str, int], Outcome] = OrderedDict()

    def warm(self) -> None:
        """Load what the first question would have to wait for."""
        with contextlib.suppress(MathragError):
            self.library.ask(_WARMING, planner="rules")

    def reading_ahead(self) -> Iterator[int]:
        """Read formulas while nobody asks, a few at each step: the first questions need not wait for them."""
        with contextlib.suppress(MathragError):
            yield from self.library.read_ahead()

    def ask(self, payload: Json, tell: Listener) -> Json:
        """A question, perhaps one that leans on the one before; the public object and what was asked in the end.

        `is_hurried` says that something was given up for want of time: asked again, the answer may be another.
        """
        with one_computation() as computation:
            made = self._answered(payload, tell)
        return {**made, "is_hurried": computation.times > 0}

    def _answered(self, payload: Json, tell: Listener) -> Json:
        from mathrag.library.ask.outcomes import checked_question, outcome_object, with_origins
        from mathrag.types.answer import Reply

        question, options = checked_question(payload["question"]), dict(payload["options"])
        previous = options.get("previous") or self._after(options)
        asked, follow = self._meant(question, options, previous)
        if follow is not None and follow.problem:
            return {**outcome_object(Reply(question, follow.problem)), "asked": previous}
        events: list[Event] = []

        def listen(event: Event) -> None:
            from mathrag.library.ask.outcomes import event_object

            events.append(event)
            tell(event_object(event))

        outcome = self._outcome(asked, listen)
        if follow is not None:
            outcome = with_origins(outcome, follow)
        self._remember(asked, outcome)
        made = {**outcome_object(outcome), "asked": asked}
        formats = [str(name) for name in options.get("formats") or ()]
        return {**made, "rendered": self._rendered(outcome, formats, events, asked)} if formats else made

    def _meant(self, question: str, options: Json, previous: Json | None) -> tuple[Json, FollowUp | None]:
        """What is asked in the end, and the follow-up that it was read from, if it was one."""
        from mathrag.library.ask.outcomes import follow_up
        from mathrag.types.answer import Reply

        last = None if previous is None else self._recalled(previous)
        follow = None if last is None or isinstance(last, Reply) else follow_up(question, last)
        asked = {name: options.get(name) for name in ("pinned", "formula", "unit", "planner")}
        for name in ("only_documents", "assume"):
            if options.get(name) is not None:
                asked[name] = options[name]
        asked["question"] = question
        if follow is not None and previous is not None and not follow.problem:
            asked["pinned"] = {**(previous.get("pinned") or {}), **dict(follow.pinned), **(asked["pinned"] or {})}
            asked["question"] = follow.question
            asked["formula"] = asked["formula"] or follow.formula or None
            asked["unit"] = asked["unit"] or follow.unit
        return asked, follow

    def _after(self, options: Json) -> Json | None:
        """What was asked in the end by the last of the earlier turns, each read after those before it."""
        from mathrag.library.ask.outcomes import checked_question

        before: Json | None = None
        modes = {name: options.get(name) for name in _MODES}
        for text in list(options.get("earlier") or ())[-MOST_EARLIER:]:
            try:
                asked, follow = self._meant(checked_question(text), modes, before)
                self._recalled(asked)
            except MathragError:
                # It was no question then either.
                continue
            if follow is None or not follow.problem:
                before = asked
        return before

    def _outcome(self, asked: Json, listen: Callable[[Event], None] | None) -> Outcome:
        _check_symbols(asked.get("pinned") or {})
        extra = {} if asked.get("planner") is None else {"planner": asked["planner"]}
        return self.library.ask(
            asked["question"],
            pinned=asked.get("pinned") or None,
            formula=asked.get("formula") or None,
            unit=asked.get("unit") or None,
            listener=listen,
            models=self.models,
            only_documents=asked.get("only_documents"),
            assume=asked.get("assume"),
            **extra,
        )

    def _recalled(self, asked: Json) -> Outcome:
        """What was answered before. Where this process does not remember, it is asked again: that gives the same."""
        found = self._remembered.get(self._key(asked))
        if found is None:
            found = self._outcome(asked, None)
            self._remember(asked, found)
        return found

    def _remember(self, asked: Json, outcome: Outcome) -> None:
        self._remembered[self._key(asked)] = outcome
        while len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.popitem(last=False)

    def _key(self, asked: Json) -> tuple[str, int]:
        return json.dumps(asked, sort_keys=True), self.library.database.generation

    def _rendered(self, outcome: Outcome, formats: list[str], events: list[Event], asked: Json) -> Json:
        """The outcome in formats: `text`, `markdown`, `latex`, `html`, and `replay` (a file for `mathrag replay`)."""
        from mathrag.answer.replay import save_replay
        from mathrag.library.ask.outcomes import event_object, render

        found: dict[str, str] = {}
        for name in formats:
            if name == "replay":
                facts = {"name": self.library.folder.name, **self.library.totals()}
                trace = [event_object(event) for event in events]
                found[name] = save_replay(outcome, options=asked, library=facts, trace=trace)
            elif name in ("text", "markdown", "latex", "html"):
                found[name] = render(outcome, name)  # type: ignore[arg-type]
        return found

    def compute(self, payload: Json, tell: Listener) -> Json:  # noqa: ARG002 - nothing to tell on the way
        """A formula with values put in."""
        from mathrag.library.ask.computation import compute

        return compute(self.library, **payload)

    def sweep(self, payload: Json, tell: Listener) -> Json:  # noqa: ARG002 - nothing to tell on the way
        """A formula with one value going through a range."""
        from mathrag.library.ask.computation import sweep

        return sweep(self.library, **payload)

    def export(self, payload: Json, tell: Listener) -> Json:  # noqa: ARG002 - nothing to tell on the way
        """What was asked before, as code: `python` or `notebook`."""
        from mathrag.library.ask.notebook_file import notebook_text, python_source
        from mathrag.library.ask.outcomes import outcome_object

        outcome = outcome_object(self._recalled(payload["asked"]))
        write = {"python": python_source, "notebook": notebook_text}[payload["format"]]
        return write(self.library, outcome)

    def compute_steps(self, payload: Json, tell: Listener) -> Json:  # noqa: ARG002 - nothing to tell on the way
        """The steps of an answer with other values."""
        from mathrag.library.ask.recomputation import compute_steps

        return compute_steps(self.library, **payload)

    def sweep_steps(self, payload: Json, tell: Listener) -> Json:  # noqa: ARG002 - nothing to tell on the way
        """The steps of an answer with one value going through a range."""
        from mathrag.library.ask.recomputation import sweep_steps

        return sweep_steps(self.library, **payload)

    def check_solution(self, payload: Json, tell: Listener) -> Json:  # noqa: ARG002 - nothing to tell on the way
        """A written solution, as a `text` or as the `solution` that was read from a file."""
        from mathrag.library.solutions import check_object, check_read_solution, check_text, solution_from

        similar = self.library.similar_solutions
        if payload.get("solution") is not None:
            return check_object(check_read_solution(solution_from(payload["solution"]), similar=similar))
        return check_object(check_text(payload["text"], problem=payload["problem"], similar=similar))


def _check_symbols(pinned: Mapping[str, str]) -> None:
    """Names that are only signs around nothing cannot be symbols."""
    from mathrag.language.typed_symbols import symbol_identifier

    for name in pinned:
        try:
            is_symbol = any(map(str.isalnum, name)) and bool(symbol_identifier(name))
        except ValueError:
            is_symbol = False
        if not is_symbol:
            raise UsageError(f"{name!r} is no symbol; set values by symbols such as m or v_0")
