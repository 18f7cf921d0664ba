"""Outcomes for whoever shows them: rendered, traced, explained, followed up, made into tools. Decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mathrag.answer.cards.formats import ANSWER_FORMATS, AnswerFormat, outcome_card, render
from mathrag.answer.cards.text import LineStyle, brief_lines, text_lines
from mathrag.answer.objects import object_text, outcome_object
from mathrag.errors import UsageError
from mathrag.library.ask.foreign_money import follow_up
from mathrag.library.opened import OpenLibrary
from mathrag.reason.follow_up import FollowUp, with_origins
from mathrag.types.expression import equation_symbols
from mathrag.types.question import LONGEST_QUESTION

if TYPE_CHECKING:
    from mathrag.answer.replay import ReplayReport
    from mathrag.types.answer import Outcome
    from mathrag.types.episode import Event
    from mathrag.types.library import Formula

__all__ = [
    "ANSWER_FORMATS",
    "LONGEST_QUESTION",
    "AnswerFormat",
    "FollowUp",
    "LineStyle",
    "brief_lines",
    "checked_question",
    "event_lines",
    "event_object",
    "explanation_lines",
    "follow_up",
    "object_text",
    "outcome_lines",
    "outcome_object",
    "render",
    "replay_file",
    "tool_source",
    "with_origins",
    "write_record",
]

# Far more than a recorded answer with all its rounds takes.
_LARGEST_RECORD = 32_000_000
_SHORT = (
    "In the model's words",
    "Formula",
    "Values",
    "Table",
    "Missing",
    "Warnings",
    "Assumptions",
    "Ask again",
    "Nearest in the library",
    "Signature",
    "Properties",
    "Examples",
    "Also called so",
    "Near to it",
)


def checked_question(text: str) -> str:
    """The question without blanks around it; `UsageError` where there is none or far too much."""
    question = text.strip().strip("\ufeff\x00")
    if not question:
        raise UsageError("there is no question; ask one, such as `mathrag ask 'kinetic energy of 2 kg at 3 m/s'`")
    if len(question) > LONGEST_QUESTION:
        raise UsageError(
            f"the question has {len(question):,} characters and may have {LONGEST_QUESTION:,}; "
            "ask one thing at a time, and read documents in with `mathrag ingest`"
        )
    return question


def outcome_lines(outcome: Outcome, *, library: str = "", is_chat: bool = False) -> tuple[tuple[LineStyle, str], ...]:
    """The lines of a card for a terminal, each with what it is. In a chat, what can be asked for later is left out."""
    card = outcome_card(outcome, library=library, is_chat=is_chat)
    if is_chat:
        kept = tuple(each for each in card.sections if each.title.endswith((*_SHORT, "?")))
        card = replace(card, sections=kept)
    return text_lines(card)


def event_lines(event: Event) -> tuple[str, ...]:
    """One round of an episode for people."""
    from mathrag.answer.trace_lines import event_lines as lines

    return lines(event)


def event_object(event: Event) -> dict[str, Any]:
    """One round of an episode as data."""
    from mathrag.answer.trace_lines import event_object as made

    return made(event)


def explanation_lines(events: Iterable[Event]) -> tuple[str, ...]:
    """Why this formula and not the others."""
    from mathrag.answer.trace_lines import explanation_lines as lines

    return lines(events)


def tool_source(formula: Formula, target: str | None, *, names: Mapping[str, str]) -> str:
    """A formula as the text of a Python module that needs nothing but Python. `names` are those of documents, by id."""
    from mathrag.answer.standalone import standalone_function
    from mathrag.calculator import resolve_symbol

    if formula.equation is None:
        raise UsageError(
            f"{formula.label or formula.id} is {formula.status}, so it cannot be computed: {formula.reason}"
        )
    symbols = equation_symbols(formula.equation)
    chosen = resolve_symbol(target, symbols) if target else formula.target
    if chosen is None:
        raise UsageError(f"say which symbol to compute: --solve-for with one of {', '.join(symbols)}")
    spans = tuple(replace(span, document=names.get(span.document, span.document)) for span in formula.spans)
    return standalone_function(replace(formula, spans=spans), chosen)


def write_record(
    path: Path, *, library: OpenLibrary, outcome: Outcome, events: Sequence[Event], options: Mapping[str, Any]
) -> None:
    """Write an outcome with all it rests on, so that it can be computed again without the library."""
    from mathrag.answer.replay import save_replay

    facts = {"name": library.folder.name, **library.totals()}
    trace = [event_object(event) for event in events]
    text = save_replay(outcome, options=options, library=facts, trace=trace)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def replay_file(path: Path, *, library: OpenLibrary | None = None) -> ReplayReport:
    """Compute a recorded answer again; with a library, its formulas are also compared with those of today."""
    from mathrag.answer.replay import replay

    try:
        if path.stat().st_size > _LARGEST_RECORD:
            raise UsageError(f"{path} is larger than any recorded answer")
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {getattr(error, 'strerror', None) or 'it is no text'}") from error
    if library is None:
        return replay(text)
    return replay(text, find_formula=lambda name: _formula_by_id(library, name))


def _formula_by_id(library: OpenLibrary, identifier: str) -> Formula | None:
    return next((each for each in library.find_formulas(identifier) if each.id == identifier), None)
