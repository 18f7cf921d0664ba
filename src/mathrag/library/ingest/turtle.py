"""Take a library that was exported as Turtle into this one: each document as if it had just been read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from pathlib import Path

from mathrag.errors import LibraryError, UsageError
from mathrag.extract.corrections import check_correction
from mathrag.extract.merger import RuleMerger
from mathrag.store.embedders import Embedder
from mathrag.store.graph.contents import TEXT_TABLES, LibraryContents, Value
from mathrag.store.graph.turtle_import import read_turtle
from mathrag.store.truth.database import Database
from mathrag.store.truth.reader import list_corrections, list_failures
from mathrag.store.truth.records import DocumentInfo, DocumentRecord, FailedDocument, ViewRows
from mathrag.store.truth.worksheets import MOST_WORKSHEETS, SavedWorksheet, keep_worksheets, list_worksheets
from mathrag.store.truth.writer import add_correction, bump_generation, replace_document
from mathrag.types.expression import Equation, Symbol
from mathrag.types.json_codec import from_json
from mathrag.types.library import Correction, Extraction, Formula, SymbolMeaning
from mathrag.worksheets.reading import read_worksheet


def import_turtle(database: Database, file: Path, *, embedder: Embedder) -> dict[str, int]:
    """Store every document, correction, failure and worksheet of the file; says how many, and what was not needed."""
    try:
        with file.open("rb") as stream:
            imported = read_turtle(stream)
    except OSError as error:
        raise LibraryError(f"{file} cannot be read: {error.strerror or error}") from error
    contents = imported.contents
    records = _records(contents)
    worksheets = [SavedWorksheet(**row) for row in contents.of_table("worksheets")]  # type: ignore[arg-type]
    _check_corrections(contents.corrections)
    here = {each.name: each.text for each in list_worksheets(database)}
    _check_worksheets(worksheets, here)
    changed = sum(
        replace_document(database, one, merger=RuleMerger(), embedder=embedder, origin="imported") for one in records
    )
    known = {correction for _, correction in list_corrections(database)}
    added = 0
    for correction in contents.corrections:
        if correction not in known:
            add_correction(database, correction, merger=RuleMerger(), embedder=embedder)
            added += 1
    _keep_failures(database, [FailedDocument(**row) for row in contents.of_table("failures")])  # type: ignore[arg-type]
    return {
        "documents": len(records),
        "documents_changed": changed,
        "corrections_added": added,
        "worksheets_added": keep_worksheets(database, worksheets),
        "worksheets_not_replaced": sum(here.get(each.name, each.text) != each.text for each in worksheets),
        "foreign_statements_ignored": imported.foreign,
        "digests_compared": imported.digests,
    }


def _check_corrections(corrections: Sequence[Correction]) -> None:
    """Each must be one that a person could have made, whatever formula it is about."""
    equation = Equation(Symbol("x"), Symbol("x"))
    for one in corrections:
        name = one.field.removeprefix("symbol.").rpartition(".")[0]
        formula = Formula(
            one.formula, one.form, "", "", "executable", (), equation=equation, symbols=(SymbolMeaning(name),)
        )
        try:
            checked = check_correction(formula, one.field, one.value)
        except UsageError as error:
            raise LibraryError(f"nothing was imported, because a correction is wrong: {error}") from error
        if checked != (one.field, one.value):
            raise LibraryError(
                f"nothing was imported, because the correction {one.field} = {one.value!r} is written otherwise here: "
                f"{checked[1]!r}"
            )


def _check_worksheets(worksheets: Sequence[SavedWorksheet], here: Mapping[str, str]) -> None:
    """Each must be one that could have been saved, and there must be room for them."""
    if len(here.keys() | {each.name for each in worksheets}) > MOST_WORKSHEETS:
        raise LibraryError(f"nothing was imported, because a library keeps at most {MOST_WORKSHEETS:,} worksheets")
    for one in worksheets:
        try:
            read_worksheet(one.text)
        except UsageError as error:
            raise LibraryError(f"nothing was imported, because the worksheet {one.name!r} is wrong: {error}") from error


def _keep_failures(database: Database, failures: Sequence[FailedDocument]) -> None:
    """As they are, attempts included; what this library says of a file itself stays."""
    known = {failure.key for failure in list_failures(database)}
    new = [failure for failure in failures if failure.key not in known]
    if new:
        with database.writing() as connection:
            connection.executemany(
                "INSERT INTO failures (key, name, hash, code, reason, time, attempts) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [astuple(failure) for failure in new],
            )
            bump_generation(connection)


def _records(contents: LibraryContents) -> list[DocumentRecord]:
    extractions = {extraction.document: extraction for extraction in contents.extractions}
    views: dict[str, dict[str, list[Mapping[str, Value]]]] = {}
    owners: dict[str, str] = {}
    for table in TEXT_TABLES:
        for row in contents.of_table(table):
            owner = owners[str(row["table_id"])] if table == "table_cells" else str(row["document"])
            if table == "tables":
                owners[str(row["id"])] = owner
            views.setdefault(owner, {}).setdefault(table, []).append(row)
    records = []
    for row in contents.of_table("documents"):
        info = _info(row)
        extraction = extractions.get(info.id, Extraction(info.id))
        records.append(DocumentRecord(info, extraction, ViewRows(views.get(info.id, {}))))
    return records


def _info(row: Mapping[str, Value]) -> DocumentInfo:
    values = dict(row)
    listed = {name: tuple(json.loads(str(values[name]))) for name in ("authors", "files", "extraction_notes")}
    notes = from_json(json.loads(str(values["notes"])))
    return DocumentInfo(**{**values, **listed, "notes": notes})
