"""What language models said of imported solutions: of which type a problem is, which pattern a wrong step shows.

Labels lie among the summaries, under kinds of their own, and are sealed like them. They fill what no record states and
never stand for a statement: whoever shows one shows the model's name with it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from mathrag.store.index.problem_likeness import TypePath
from mathrag.store.truth.codec import Row, insert_rows, plain_json, row_of
from mathrag.store.truth.model_records import RejectedProposal
from mathrag.store.truth.schema import table_columns
from mathrag.store.truth.seals import agreeing_rows

LabelKind: TypeAlias = Literal["problem_type", "step_error"]
LABEL_KINDS: tuple[LabelKind, ...] = ("problem_type", "step_error")
# In characters; what is longer is a sentence and no name.
LONGEST_NAME = 60
_LONGEST_TEXT = 1_000
_CHOSEN = "kind IN ('problem_type', 'step_error')"


@dataclass(frozen=True, slots=True)
class SolutionLabel:
    """What a model said of a problem or a wrong step, whose id is the `source`.

    A problem has a `path`, a step a `pattern`; both are empty where the model was asked and named none that may be
    kept. `prompt` is the version of what it was asked.
    """

    document: str
    kind: LabelKind
    source: str
    model: str
    prompt: str
    path: TypePath = field(default_factory=TypePath)
    pattern: str = ""

    @property
    def text(self) -> str:
        """What is stored of it: JSON with the names."""
        names = (
            {"branch": self.path.branch, "subfield": self.path.subfield, "type": self.path.type}
            if self.kind == "problem_type"
            else {"pattern": self.pattern}
        )
        return plain_json({**names, "prompt": self.prompt})


def label_of_row(row: Mapping[str, Any]) -> SolutionLabel | None:
    """The label of a row of `summaries`; None where it holds none. Believes nothing: a library may come from a file."""
    kind = next((one for one in LABEL_KINDS if one == row.get("kind")), None)
    text = str(row.get("text") or "")
    if kind is None or len(text) > _LONGEST_TEXT or not row.get("model"):
        return None
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    expected = ("branch", "subfield", "type") if kind == "problem_type" else ("pattern",)
    if not isinstance(said, dict) or said.keys() != {*expected, "prompt"}:
        return None
    if not all(
        isinstance(value, str) and len(value) <= LONGEST_NAME and value.isprintable() for value in said.values()
    ):
        return None
    path = TypePath(*(said[name] for name in expected)) if kind == "problem_type" else TypePath()
    return SolutionLabel(
        str(row["document"]), kind, str(row["source"]), str(row["model"]), said["prompt"], path, said.get("pattern", "")
    )


def labels_of(connection: sqlite3.Connection, document: str | None = None) -> list[SolutionLabel]:
    """The labels of a document, or of all, by what they are about; none that was changed since it was stored."""
    rows = agreeing_rows(
        connection,
        "summaries",
        f"WHERE {_CHOSEN} AND (:document IS NULL OR document = :document) ORDER BY source, position",
        {"document": document},
    )
    return _labels(rows)


def error_labels(connection: sqlite3.Connection, steps: Sequence[str]) -> dict[str, SolutionLabel]:
    """The patterns that models gave a few steps, by the step; without those that name none."""
    if not steps:
        return {}
    marks = ", ".join("?" * len(steps))
    rows = agreeing_rows(connection, "summaries", f"WHERE kind = 'step_error' AND source IN ({marks})", list(steps))
    return {one.source: one for one in reversed(_labels(rows)) if one.pattern}


def _labels(rows: Iterable[Mapping[str, Any]]) -> list[SolutionLabel]:
    return [label for row in rows if (label := label_of_row(row)) is not None]


def label_rows(document: str, labels: Sequence[SolutionLabel]) -> list[Row]:
    """Labels as rows of a document that is about to be stored."""
    columns = table_columns()["summaries"]
    rows = (row_of("summaries", one, document=document, position=position) for position, one in enumerate(labels))
    return [dict(zip(columns, row, strict=True)) for row in rows]


def write_labels(
    connection: sqlite3.Connection,
    document: str,
    labels: Sequence[SolutionLabel],
    rejected: Sequence[RejectedProposal],
) -> None:
    """Put these in place of the labels that a document had, and of what was refused of them."""
    for table in ("summaries", "proposals_rejected"):
        connection.execute(f"DELETE FROM {table} WHERE document = ?", (document,))  # noqa: S608 - our own names
    insert_rows(
        connection,
        "summaries",
        (row_of("summaries", one, document=document, position=position) for position, one in enumerate(labels)),
    )
    insert_rows(
        connection,
        "proposals_rejected",
        (row_of("proposals_rejected", one, position=position) for position, one in enumerate(rejected)),
    )
