"""Play a recorded case: a question or a document, the replies of a model in order, and what comes of it as a trace.

A trace is text that a person can review: what was done and seen, how it ended, what was warned of. Times, scores and
ids are left out, so that it changes only when the behaviour does.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mathrag.library import Library
from mathrag.llm.messages import ChatReply, ToolCall
from mathrag.llm.metered import Models
from mathrag.llm.seams import ScriptedModel
from mathrag.types.answer import Answer, Outcome, Refusal
from mathrag.types.episode import Event

HERE = Path(__file__).parent
DOCUMENTS = HERE / "documents"
_FILLINGS = {"{very}": "very " * 100_000, "{on}": "and so on " * 2_000}
_IDENTIFIER = re.compile(r"\b([fcd])-[0-9a-f]{12}\b")
_LONGEST = 300
# A line whose end is a sentence of ours, or of the model: what kind of line, and what it says.
_SENTENCE = re.compile(
    r"( *(?:thought|says|explains|reply|warning|(?:ok|refused), \w+|rejected: +\w+, \w+|failed: +\w+)): (.*)"
)
_CUT = re.compile(r"… \([0-9]+ characters\)$")
_NUMBER = re.compile(r"[-−]?[0-9]+(?:[.,][0-9]+)*")


@dataclass(frozen=True, slots=True)
class Case:
    """One recorded case; `content` is what its file says."""

    file: Path
    content: Mapping[str, Any]

    @property
    def trace_file(self) -> Path:
        """The trace that it must leave."""
        return self.file.with_suffix(".trace")

    def replies(self) -> list[ChatReply | str]:
        """What the model says, in order. A line `TOOL NAME {…}` is a native call of a tool."""
        said = [_reply(text) for text in self.content["replies"]]
        return said * int(self.content.get("repeat", 1))


def cases(folder: str) -> list[Case]:
    """The cases of a folder, by name."""
    files = sorted((HERE / folder).glob("*.toml"))
    return [Case(file, tomllib.loads(file.read_text(encoding="utf-8"))) for file in files]


def _reply(text: str) -> ChatReply | str:
    text = text.strip("\n")
    for mark, filling in _FILLINGS.items():
        text = text.replace(mark, filling)
    if not text.startswith("TOOL "):
        return text
    _, name, arguments = text.split(" ", 2)
    return ChatReply("", tool_calls=(ToolCall(name, arguments, "call-1"),), finish="tool_calls")


@dataclass(frozen=True, slots=True)
class Played:
    """How a question ended, with every round and what the model was shown."""

    outcome: Outcome
    events: tuple[Event, ...]
    model: ScriptedModel


def play_question(case: Case, library: Library) -> Played:
    """Ask the question of a case with the model that it records."""
    model = ScriptedModel(case.replies(), last_words="I have nothing more to say.")
    asked = library.ask_in_detail(
        case.content["question"], planner=case.content.get("planner", "react"), models=Models.of(model)
    )
    return Played(asked.result.outcome, asked.result.events, model)


def question_trace(case: Case, played: Played) -> str:
    """What came of a question, for people."""
    lines = [f"# {case.content['about']}", f"question: {case.content['question']}", ""]
    for event in played.events:
        lines += _event_lines(event)
    lines += ["", *_outcome_lines(played.outcome), f"model asked: {len(played.model.requests)} times"]
    return "\n".join(tidy(line) for line in lines) + "\n"


def _event_lines(event: Event) -> Iterator[str]:
    action, seen = event.action, event.observation
    yield f"{event.round}. {action.name or '(unreadable)'} {json.dumps(action.inputs, ensure_ascii=False)}"
    if action.thought:
        yield f"   thought: {action.thought}"
    yield f"   {'ok' if seen.succeeded else 'refused'}, {seen.code}: {seen.message}"


def _outcome_lines(outcome: Outcome) -> Iterator[str]:
    if isinstance(outcome, Answer):
        yield f"answer: {outcome.quantity.value:.6g} {outcome.quantity.unit.text}".rstrip()
        yield f"says: {outcome.words}"
        if outcome.explanation:
            yield f"explains: {outcome.explanation}"
        yield f"confidence: {'high' if outcome.confidence >= 0.5 else 'low' if outcome.confidence > 0 else 'none'}"
        for step in outcome.steps:
            bound = ", ".join(
                f"{one.symbol} from {one.provenance.origin} “{one.provenance.text}”" for one in step.bindings
            )
            yield f"step {step.number}: {step.formula.label} for {step.target}: {bound}"
    elif isinstance(outcome, Refusal):
        yield f"refused, {outcome.code}: {outcome.reason}"
    else:
        yield f"reply: {outcome.text}"
        for citation in outcome.citations:
            yield f"cites: {citation.name} {citation.span.place}: {' '.join(citation.span.quote.split())}"
    for warning in outcome.warnings:
        yield f"warning: {warning}"


def what_matters(trace: str) -> list[str]:
    """A trace without its wording: what was done, refused, bound, answered and cited, word for word, and of every
    sentence that it is there, its numbers, and whether rules took the place of the model."""
    return [_without_wording(line) for line in trace.splitlines() if not line.startswith("# ")]


def _without_wording(line: str) -> str:
    found = _SENTENCE.fullmatch(line)
    if found is None:
        return line
    said = _CUT.sub("", found[2])
    return " ".join([f"{found[1]}:", *(["by rules"] if "by rules" in said else []), *_NUMBER.findall(said)])


def tidy(line: str) -> str:
    """A line that shows what cannot be printed, without ids and of bounded length."""
    plain = _IDENTIFIER.sub(r"\1-…", line)
    plain = "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in plain)
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]}… ({len(plain)} characters)"
