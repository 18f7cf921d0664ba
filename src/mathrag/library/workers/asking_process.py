"""The process that works for an `AskingPool`: the library open and warm, one request at a time. Started by nobody else.

A request names an operation; the answer is `{"result": …}` or `{"failed": …}`, with events before it.
"""

from __future__ import annotations

import contextlib
import faulthandler
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from mathrag.errors import LibraryError, MathragError, UsageError
from mathrag.isolation.child_main import Pipes, limit_memory, settings
from mathrag.library.ask.budget import models_within
from mathrag.library.facade import Library
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from mathrag.library.ask.models import Models
    from mathrag.types.answer import Outcome
    from mathrag.types.episode import Event

Told: TypeAlias = Callable[[Json], None]
_WARMING = "What is the kinetic energy of 2 kg at 3 m/s?"
_MOST_REMEMBERED = 32


def main() -> None:
    """Open the library, get warm, answer until the pipe closes."""
    given = settings()
    faulthandler.enable(all_threads=False)
    pipes = Pipes()
    limit_memory(int(given["megabytes"]))
    try:
        library = Library(given["folder"], create=False)
        desk = Desk(library, models=models_within(library.folder, given.get("budget")))
        desk.warm()
    except MathragError as error:
        pipes.send({"unusable": str(error)})
        return
    pipes.send({"ready": True})
    reading = desk.reading_ahead()
    while True:
        while not pipes.is_waiting and next(reading, None) is not None:
            pass
        request = pipes.receive()
        pipes.send(_answered(desk, request, pipes))


def _answered(desk: Desk, request: Json, pipes: Pipes) -> Json:
    """The answer to a request; whatever happens, there is one."""
    try:
        operation = desk.operations[request["operation"]]
        result = operation(request["payload"], lambda event: pipes.send({"event": event}))
    except MathragError as error:
        kind = "library" if isinstance(error, LibraryError) else "input"
        return {"failed": kind, "code": str(getattr(error, "code", "")), "reason": str(error)}
    except MemoryError:
        return {"failed": "memory", "reason": "answering needed more memory than it may use"}
    except Exception as error:
        traceback.print_exc(limit=-8)
        return {"failed": "broken", "reason": f"answering stopped with an unexpected error ({type(error).__name__})"}
    return {"result": result}


class Desk:
    """A library and what is done with it here. `models` are by default those that the settings name."""

    def __init__(self, library: Library, *, models: Models | None = None) -> None:
        self.library = library
        self.models = models
        self.operations: Mapping[str, Callable[[Json, Told], Json]] = {
            "ask": self.ask,
            "compute": self.compute,
            "sweep": self.sweep,
            "compute_steps": self.compute_steps,
            "sweep_steps": self.sweep_steps,
            "export": self.export,
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

    def ask(self, payload: Json, told: Told) -> Json:
        """A question, perhaps one that leans on the one before; the public object and what was asked in the end."""
        from mathrag.library.ask.outcomes import checked_question, follow_up, outcome_object, with_origins
        from mathrag.types.answer import Reply

        question, options = checked_question(payload["question"]), dict(payload["options"])
        previous = options.get("previous")
        last = None if previous is None else self._recalled(previous)
        follow = None if last is None or isinstance(last, Reply) else follow_up(question, last)
        asked = {name: options.get(name) for name in ("pinned", "formula", "unit", "planner")}
        asked["question"] = question
        if follow is not None and follow.problem:
            return {**outcome_object(Reply(question, follow.problem)), "asked": previous}
        if follow is not None and previous is not None:
            asked["pinned"] = {**(previous.get("pinned") or {}), **dict(follow.pinned), **(asked["pinned"] or {})}
            asked["question"] = follow.question
            asked["formula"] = asked["formula"] or follow.formula or None
            asked["unit"] = asked["unit"] or follow.unit
        events: list[Event] = []

        def listen(event: Event) -> None:
            from mathrag.library.ask.outcomes import event_object

            events.append(event)
            told(event_object(event))

        outcome = self._outcome(asked, listen)
        if follow is not None:
            outcome = with_origins(outcome, follow)
        self._remember(asked, outcome)
        made = {**outcome_object(outcome), "asked": asked}
        formats = [str(name) for name in options.get("formats") or ()]
        return {**made, "rendered": self._rendered(outcome, formats, events, asked)} if formats else made

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
            **extra,
        )

    def _recalled(self, asked: Json) -> Outcome:
        """What was answered before. Where this process does not remember, it is asked again: that gives the same."""
        found = self._remembered.get(self._key(asked))
        return found if found is not None else self._outcome(asked, None)

    def _remember(self, asked: Json, outcome: Outcome) -> None:
        self._remembered[self._key(asked)] = outcome
        while len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.popitem(last=False)

    def _key(self, asked: Json) -> tuple[str, int]:
        import json

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

    def compute(self, payload: Json, told: Told) -> Json:  # noqa: ARG002 - nothing to tell on the way
        """A formula with values put in."""
        from mathrag.library.ask.computation import compute

        return compute(self.library, **payload)

    def sweep(self, payload: Json, told: Told) -> Json:  # noqa: ARG002 - nothing to tell on the way
        """A formula with one value going through a range."""
        from mathrag.library.ask.computation import sweep

        return sweep(self.library, **payload)

    def export(self, payload: Json, told: Told) -> Json:  # noqa: ARG002 - nothing to tell on the way
        """What was asked before, as code: `python` or `notebook`."""
        from mathrag.library.ask.notebook_file import notebook_text, python_source
        from mathrag.library.ask.outcomes import outcome_object

        outcome = outcome_object(self._recalled(payload["asked"]))
        write = {"python": python_source, "notebook": notebook_text}[payload["format"]]
        return write(self.library, outcome)

    def compute_steps(self, payload: Json, told: Told) -> Json:  # noqa: ARG002 - nothing to tell on the way
        """The steps of an answer with other values."""
        from mathrag.library.ask.recomputation import compute_steps

        return compute_steps(self.library, **payload)

    def sweep_steps(self, payload: Json, told: Told) -> Json:  # noqa: ARG002 - nothing to tell on the way
        """The steps of an answer with one value going through a range."""
        from mathrag.library.ask.recomputation import sweep_steps

        return sweep_steps(self.library, **payload)


def _check_symbols(pinned: Mapping[str, str]) -> None:
    """Names that are only signs around nothing cannot be symbols."""
    from mathrag.language.typed_symbols import symbol_identifier

    for name in pinned:
        try:
            is_symbol = bool(symbol_identifier(name))
        except ValueError:
            is_symbol = False
        if not is_symbol:
            raise UsageError(f"{name!r} is no symbol; set values by symbols such as m or v_0")


if __name__ == "__main__":
    main()
