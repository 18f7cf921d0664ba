"""Play the recorded cases of reading: documents with the replies of a model to each, and what the library then holds.

All documents are taken in at once, since every run starts processes; each is known by its title, which is the case's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mathrag.library import Library
from mathrag.llm.messages import ChatReply, ChatRequest
from mathrag.llm.metered import Models
from mathrag.llm.seams import ScriptedModel
from mathrag.types.library import Constant, Finding
from recorded.playing import Case

_FORMULA = dict.fromkeys(("quote", "finding", "latex", "python", "label", "description", "intent"), "") | {
    "parameters": [],
    "keywords": [],
    "conditions": [],
}
_CONSTANT = dict.fromkeys(("quote", "symbol", "value", "unit", "description", "intent"), "") | {"keywords": []}
_MANY = [{"quote": f"formula {number}", "latex": f"x = {number} y", "label": f"N{number}"} for number in range(200)]


@dataclass(slots=True)
class ReadingModel:
    """Plays for each document the replies of its case, whatever the order of the requests."""

    cases: Mapping[str, Case]
    models: dict[str, ScriptedModel] = field(default_factory=dict)
    name: str = "recorded"

    def chat(self, request: ChatRequest) -> ChatReply:
        """The next reply of the case that is asked about."""
        said = "\n".join(message.text for message in request.messages)
        title = next((name for name in re.findall(r"(?m)^Document and section: (\w+)", said) if name in self.cases), "")
        if not title:
            return ChatReply("unknown")
        if title not in self.models:
            replies = [_filled(text) for text in self.cases[title].content["replies"]]
            self.models[title] = ScriptedModel(replies)
        return self.models[title].chat(request)

    def stream(self, request: ChatRequest) -> Any:
        """The whole reply."""
        raise NotImplementedError


def _filled(text: str) -> str:
    """A reply with the fields that it leaves out, so that a case shows only what it is about."""
    text = text.strip("\n").replace("{many}", json.dumps(_MANY))
    try:
        value = json.loads(text)
    except ValueError:
        return text
    if not isinstance(value, dict):
        return text
    return json.dumps(
        {
            "formulas": [{**_FORMULA, **one} for one in value.get("formulas", [])],
            "constants": [{**_CONSTANT, **one} for one in value.get("constants", [])],
            "relations": value.get("relations", []),
        }
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """What the library holds of each document, by rules alone and after the model."""

    library: Library
    model: ReadingModel
    by_rules: Mapping[str, frozenset[str]]
    states: Mapping[str, Any]


def read_all(cases: Sequence[Case], library: Library, folder: Path) -> Reading:
    """Take the documents of all cases in, first by rules, then with the model."""
    files = []
    for case in cases:
        file = folder / f"{case.file.stem}.md"
        file.write_text(case.content["document"].strip("\n") + "\n", encoding="utf-8")
        files.append(file)
    library.ingest(files, workers=1)
    by_rules = {info.name: frozenset(map(_entry, _entries(library, info.id))) for info in library.documents()}
    model = ReadingModel({case.file.stem: case for case in cases})
    report = library.ingest(files, workers=1, models=Models.of(model, concurrency=1))
    return Reading(library, model, by_rules, {file.name: file.model for file in report.files})


def _entries(library: Library, document: str) -> list[Finding | Constant]:
    return [*library.findings(document), *library.constants(document=document)]


def _entry(entry: Finding | Constant) -> str:
    """An entry in a line, for people."""
    if isinstance(entry, Constant):
        return f"constant {entry.letter or entry.symbol} = {entry.value} {entry.unit}: {entry.name}"
    symbols = "; ".join(f"{one.name}: {one.description or '?'} [{one.unit}] {one.origin}" for one in entry.symbols)
    reason = f" ({entry.reason})" if entry.reason else ""
    return f"{entry.status}{reason} formula {entry.latex}: {entry.label}; {entry.description}; where {symbols}"


def reading_trace(case: Case, reading: Reading) -> str:
    """What came of a document, for people: what the model changed, what was refused and why."""
    library, name = reading.library, f"{case.file.stem}.md"
    info = next(one for one in library.documents() if one.name == name)
    before, after = reading.by_rules[name], frozenset(map(_entry, _entries(library, info.id)))
    state = reading.states[name]
    lines = [f"# {case.content['about']}", ""]
    lines += [f"by rules:  {entry}" for entry in sorted(before & after)]
    lines += [f"gone:      {entry}" for entry in sorted(before - after)]
    lines += [f"now:       {entry}" for entry in sorted(after - before)]
    lines += [f"rejected:  {one.kind}, {one.code}: {one.reason}" for one in library.rejected(info.id)]
    lines += [f"failed:    {one.code}: {one.reason}" for one in state.failures]
    asked = reading.model.models.get(case.file.stem)
    lines += [f"accepted:  {state.accepted}", f"asked:     {0 if asked is None else len(asked.requests)} times"]
    return "\n".join(line if len(line) < 400 else f"{line[:400]}…" for line in lines) + "\n"
