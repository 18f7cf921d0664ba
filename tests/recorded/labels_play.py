"""Play a recorded case of labelling: solutions, the replies of a model in order, and what the library then says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from mathrag.library import Library
from mathrag.llm.metered import Models
from mathrag.llm.seams import ScriptedModel
from recorded.playing import Case, tidy

# What the library knows before; the names of its types are shown to the model.
KNOWN = [
    {"problem": "Is 51 a prime number?", "solution": "No.", "subject": "Number Theory"},
    {"problem": "How many ways are there to seat 3 people?", "solution": "6.", "subject": "Counting & Probability"},
]


def label_trace(case: Case, folder: Path) -> str:
    """What came of a case, for people; the library is made in the folder."""
    for name, records in (("known", KNOWN), ("open", case.content["records"])):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    model = ScriptedModel(case.replies(), name="recorded", last_words="I have nothing more to say.")
    with Library(folder / "library") as library:
        library.import_solutions(folder / "known.jsonl")
        library.import_solutions(folder / "open.jsonl", models=Models.of(model, concurrency=1))
        lines = [f"# {case.content['about']}", "", *_lines(library), f"model asked: {len(model.requests)} times"]
        assert library.check() == []
    return "\n".join(map(tidy, lines)) + "\n"


def _lines(library: Library) -> Iterator[str]:
    document = library.document("open.jsonl").id
    problems = library.sql(
        "SELECT p.text, t.branch, t.subfield, t.type, t.origin FROM problems p LEFT JOIN problem_types t "
        f"ON t.problem = p.id WHERE p.document = '{document}' ORDER BY p.position"
    )
    for text, *names, origin in problems.rows:
        shown = " > ".join(str(name) for name in names if name) or "no type"
        yield f"problem: {' '.join(str(text).split())}"
        yield f"   {shown} ({origin or 'unknown'})"
    steps = library.sparql(
        "SELECT ?text ?name ?model { ?step mathrag:text ?text ; mathrag:showsError/dcterms:identifier ?name . "
        "OPTIONAL { ?step mathrag:errorModel ?model } } ORDER BY ?text"
    )
    for text, name, model in steps.rows:
        yield f"wrong step: {' '.join(str(text).split())}"
        yield f"   {name} ({f'says {model}' if model else 'unknown'})"
    for one in library.rejected(document):
        yield f"refused, {one.code}: {one.reason}"
        yield f"   said: {one.record}"
