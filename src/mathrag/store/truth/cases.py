"""Worked examples of the library, and what it made of each when it was hidden; read and written.

Cases come and go with their document, as one of its views. Results are measurements: they are replaced by the next
examination, and go with the case.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal

from mathrag.errors import LibraryError
from mathrag.store.truth.codec import Row, decode, insert_rows, plain_json, row_of, select_rows
from mathrag.store.truth.database import Database
from mathrag.store.truth.schema import table_columns
from mathrag.store.truth.seals import agreeing_rows
from mathrag.types.library import EXAM_OUTCOMES, Case, CaseFormula, ExamResult, Span

# Far beyond any problem that is read.
_LONGEST_PROBLEM = 20_000


def case_rows(cases: Sequence[Case]) -> list[Row]:
    """The cases of a document as rows of its view."""
    columns = table_columns()["cases"]
    return [dict(zip(columns, row_of("cases", case, formula_count=len(case.formulas)), strict=True)) for case in cases]


def list_cases(database: Database, *, document: str | None = None) -> list[Case]:
    """Every case of the library or of one document, in the order of the text.

    A library may come from any file: a record that is no case of its row, or was changed since it was read, is passed
    over, because no question needs it.
    """
    with database.reading() as connection:
        rows = agreeing_rows(
            connection, "cases", "WHERE ? IS NULL OR document = ? ORDER BY document, position", (document, document)
        )
    found = (_case(row["record"], row["id"], row["document"]) for row in rows)
    return [case for case in found if case is not None]


def _case(record: str, identifier: str, document: str) -> Case | None:
    try:
        case = decode(record, Case)
    except LibraryError:
        return None
    texts = (case.title, case.number, case.part, case.problem, case.symbol, case.unit, *case.givens)
    is_sound = (
        (case.id, case.document) == (identifier, document)
        and all(isinstance(text, str) for text in texts)
        and len(case.problem) <= _LONGEST_PROBLEM
        and isinstance(case.value, Decimal | None)
        and isinstance(case.span, Span)
        and all(isinstance(one, CaseFormula) and isinstance(one.form, str) for one in case.formulas)
    )
    return case if is_sound else None


def write_exam_results(database: Database, results: Sequence[ExamResult], *, software: str) -> None:
    """Keep what came of an examination in place of what was known of these cases.

    A case that was removed meanwhile is left out. What is answered does not follow from it, so the library is the same
    as before to whoever has it open.
    """
    with database.writing() as connection:
        known = {identifier for (identifier,) in connection.execute("SELECT id FROM cases")}
        rows = [
            row_of(
                "case_results",
                each,
                case_id=each.case,
                is_right=int(each.is_right),
                features=plain_json(dict(each.features)),
                software=software,
            )
            for each in results
            if each.case in known
        ]
        insert_rows(connection, "case_results", rows, verb="INSERT OR REPLACE")


def list_exam_results(database: Database) -> list[ExamResult]:
    """What is kept of the last examinations, in the order of the cases."""
    with database.reading() as connection:
        rows = select_rows(
            connection, "case_results", "JOIN cases ON cases.id = case_id ORDER BY cases.document, cases.position"
        )
    return [
        ExamResult(
            row["case_id"],
            next((one for one in EXAM_OUTCOMES if one == row["outcome"]), "refused"),
            bool(row["is_right"]),
            float(row["confidence"]),
            row["answer"],
            _features(row["features"]),
        )
        for row in rows
    ]


def _features(text: str) -> tuple[tuple[str, float], ...]:
    """The features of a column. Believes nothing: a library may come from any file."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    if not isinstance(found, dict):
        return ()
    return tuple((str(name), float(value)) for name, value in found.items() if isinstance(value, int | float))
