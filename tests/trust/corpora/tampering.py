"""Rows, imports and indexes changed behind the product's back: told by name, not computed with, not spread, mended."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from mathrag.library import Library
from mathrag.store.truth.schema import FILE_NAME, VERSION_8, VERSION_9, VERSION_10, VERSION_11
from taken_back import take_back_cells
from trust.attempts import HELD, Attempt, Result
from trust.tampered import (
    ENERGY,
    WEIGHT_ASKED,
    Spoiled,
    first_failure,
    mathrag,
    no_lie,
    same_number,
    sound,
    spoiled,
    told,
)

TITLE = "tampered libraries"

_HALF = '"denominator":{"$":"Number","value":2}'
_WHOLE = '"denominator":{"$":"Number","value":1}'


def _twice(table: str) -> str:
    return f"UPDATE {table} SET record = replace(record, '{_HALF}', '{_WHOLE}') WHERE label = 'Kinetic energy'"


def _heavy(table: str) -> str:
    return f"UPDATE {table} SET record = replace(record, '9.79', '97.9') WHERE symbol = 'g_0'"


_OF_MOTION = "(SELECT id FROM documents WHERE name LIKE '%motion.md')"
_OF_WEIGHT = "(SELECT id FROM documents WHERE name LIKE '%weight.md')"
_COLUMNS_OF_FINDINGS = (
    "form, latex, source, notation, status, reason_code, reason, label, description, number, is_display, quote, page, "
    "line, end_line, path, file, box"
)
_ADDED = (
    f"INSERT INTO findings (document, position, {_COLUMNS_OF_FINDINGS}, record) "
    f"SELECT document, 77, {_COLUMNS_OF_FINDINGS}, "
    f"replace(replace(replace(record, '{_HALF}', '{_WHOLE}'), '\"position\":0', '\"position\":77'), '\"line\":5', "
    "'\"line\":3') FROM findings WHERE label = 'Kinetic energy'"
)
_CORRECTED = (
    "INSERT INTO corrections (formula, form, field, value, author, time, note) "
    "SELECT id, form, 'latex', 'E_k = m v^2', 'Ada', '2024-01-01', '' FROM formulas WHERE label = 'Kinetic energy'"
)
_SWAPPED = (
    "UPDATE vectors SET vector = (SELECT vector FROM vectors v JOIN cells c ON c.id = v.cell "
    "WHERE c.source_table = 'chunks' LIMIT 1) WHERE cell IN (SELECT id FROM cells WHERE source_table = 'formulas')"
)

# What is changed, and one of the names that a person must be told.
_TOLD: dict[str, tuple[str, tuple[str, ...]]] = {
    "finding-equation": (_twice("findings"), ("motion.md",)),
    "finding-label": ("UPDATE findings SET label = 'Potential energy' WHERE label = 'Kinetic energy'", ("motion.md",)),
    "finding-latex": ("UPDATE findings SET latex = 'p = m v^3' WHERE latex = 'p = m v'", ("motion.md",)),
    "finding-status": ("UPDATE findings SET status = 'declined' WHERE label = 'Weight'", ("weight.md",)),
    "finding-removed": ("DELETE FROM findings WHERE label = 'Kinetic energy'", ("motion.md",)),
    "finding-added": (_ADDED, ("motion.md",)),
    "finding-moved": (
        f"UPDATE findings SET document = {_OF_WEIGHT}, position = 90 WHERE label = 'Kinetic energy'",
        ("motion.md", "weight.md"),
    ),
    "constant-value": (_heavy("constant_findings"), ("weight.md",)),
    "constant-column": ("UPDATE constant_findings SET value = '0.28' WHERE symbol = 'eta_w'", ("weight.md",)),
    "constant-removed": ("DELETE FROM constant_findings WHERE symbol = 'eta_w'", ("weight.md",)),
    "definition-unit": (
        f"UPDATE definitions SET unit = 'g' WHERE document = {_OF_MOTION} AND name = 'm'",
        ("motion.md",),
    ),
    "definition-removed": (f"DELETE FROM definitions WHERE document = {_OF_MOTION} AND position = 0", ("motion.md",)),
    "case-problem": ("UPDATE cases SET problem = replace(problem, '4 kg', '40 kg')", ("motion.md",)),
    "case-record": ("UPDATE cases SET record = replace(record, '4 kg', '40 kg')", ("motion.md",)),
    "correction-changed": ("UPDATE corrections SET value = 'mass times speed squared'", ("correction",)),
    "correction-removed": ("DELETE FROM corrections", ("correction",)),
    "correction-added": (_CORRECTED, ("correction",)),
    "cell": ("UPDATE table_cells SET text = '9999' WHERE text = '4100'", ("materials.md",)),
    "cell-removed": ("DELETE FROM table_cells WHERE text = '4100'", ("materials.md",)),
    "caption": ("UPDATE tables SET header = 'Density (g/m³)' WHERE header LIKE 'Subst%'", ("materials.md",)),
    "passage": ("UPDATE chunks SET text = replace(text, 'speed', 'height') WHERE text LIKE '%speed%'", ("motion.md",)),
    "document-hash": ("UPDATE documents SET hash = 'ab' WHERE name LIKE '%motion.md'", ("motion.md",)),
    "document-title": ("UPDATE documents SET title = 'Handbook' WHERE name LIKE '%motion.md'", ("motion.md",)),
    "document-removed": ("DELETE FROM documents WHERE name LIKE '%motion.md'", ("motion.md",)),
    "formula-record": (_twice("formulas"), ("Kinetic energy", "f-")),
    "formula-label": ("UPDATE formulas SET label = 'Heat' WHERE label = 'Kinetic energy'", ("Kinetic energy", "f-")),
    "formula-status": ("UPDATE formulas SET status = 'quarantined' WHERE label = 'Weight'", ("Weight", "f-")),
    "formula-symbol": ("UPDATE formula_symbols SET unit = 'g' WHERE name = 'm'", ("f-",)),
    "formula-place": ("UPDATE formula_places SET line = 99", ("f-",)),
    "constant-merged": (_heavy("constants"), ("local gravity", "c-")),
    "constant-number": ("UPDATE constants SET number = 97.9 WHERE symbol = 'g_0'", ("local gravity", "c-")),
    "relation": ("UPDATE relations SET confidence = 0.123", ("relation", "f-")),
    "vectors-swapped": (_SWAPPED, ("vector",)),
    "words-swapped": ("UPDATE formula_words SET label = 'enthalpy'", ("word index", "indexed")),
}  # fmt: skip


def attempts() -> Iterator[Attempt]:
    """What is told, what is not spread, what is not computed with, what comes in from a file; and what must go on."""
    for name, (statement, names) in _TOLD.items():
        yield Attempt(f"told-{name}", statement[:80], _is_told(statement, names))
    others: tuple[tuple[str, str, Callable[[Path], Result]], ...] = (
        ("told-document-cascade", "a document removed with all its rows", _removed_whole),
        ("told-graph", "the graph of another library in place of this one", _another_graph),
        ("told-recomputed", "a row changed together with every digest there is", _recomputed),
        ("rebuild-finding", "a changed finding, then a rebuild", _rebuild(_twice("findings"), ENERGY, 9.0)),
        ("rebuild-constant", "a changed constant, then a rebuild",
         _rebuild(_heavy("constant_findings"), WEIGHT_ASKED, 97.9, 98.0665)),
        ("rebuild-added", "an added finding, then a rebuild", _rebuild(_ADDED, ENERGY, 9.0)),
        ("rebuild-correction", "an added correction, then a rebuild",
         _rebuild(_TOLD["correction-added"][0], ENERGY, 9.0)),
        ("spread-ingest", "a changed finding, then another document with the same formula", _spread_by_ingest),
        ("spread-edit", "a changed finding, then a correction of the same formula", _spread_by_edit),
        ("spread-export", "a changed finding, then an export", _spread_by_export),
        ("ask-formula", "a question for a formula whose row was changed", _asked(_twice("formulas"), ENERGY, 9.0)),
        ("ask-constant", "a question that needs a constant whose row was changed",
         _asked(_heavy("constants"), WEIGHT_ASKED, 97.9)),
        ("ask-cell", "a question that needs a number of a changed table",
         _asked(_TOLD["cell"][0], "What is the mass of 2 m^3 of quorium?", 8200.0)),
        ("compute-formula", "computing with a formula whose row was changed", _computed),
        ("import-finding", "a changed finding in an exported file",
         _imported(r'(denominator.{1,30}value.{1,4}:)2', r"\g<1>1", "finding")),
        ("import-constant", "a changed constant in an exported file",
         _imported(r'(\$decimal\\?"\s*:\s*\\?")9\.79', r"\g<1>97.9", "constant")),
        ("import-cell", "a changed cell in an exported file",
         _imported(r'(\\?")4100(\\?")', r"\g<1>9100\g<2>", "table")),
        ("import-correction", "a changed correction in an exported file",
         _imported(r'(value\\?"\s*:\s*\\?")mass times speed', r"\g<1>mass times height", "correction")),
        ("import-removed", "a finding taken out of an exported file", _import_removed),
        ("import-plain", "an exported file without digests", _import_without_digests),
        ("mend", "a changed finding, then reading the same file again", _mended),
        ("mend-added", "an added finding, then reading the same file again", _mended_added),
        ("file-changed", "a changed row, and the file has changed, too", _file_changed),
        ("file-missing", "a changed row, and the file is gone", _file_missing),
        ("fine-file-changed", "a file that was changed after it was read", _fine_file_changed),
        ("fine-edit", "corrections and taking them back", _fine_edit),
        ("fine-remove", "removing a document", _fine_remove),
        ("fine-exchange", "an export read back", _fine_exchange),
        ("fine-rebuild", "rebuilding a sound library", _fine_rebuild),
        ("fine-old", "a library of the first version", _fine_old),
    )  # fmt: skip
    for name, what, run in others:
        yield Attempt(name, what, run)


def _is_told(statement: str, names: tuple[str, ...]) -> Callable[[Path], Result]:
    def run(folder: Path) -> Result:
        library = spoiled(folder)
        library.sql(statement)
        return told(library.run("check"), *names)

    return run


def _removed_whole(folder: Path) -> Result:
    library = spoiled(folder)
    library.sql("DELETE FROM documents WHERE name LIKE '%motion.md'", foreign_keys=True)
    return told(library.run("check"), "motion.md")


def _another_graph(folder: Path) -> Result:
    library = spoiled(folder)
    (graph,) = [each for each in (library.folder / "graph").iterdir() if each.is_dir()]
    (folder / "note.md").write_text("# Other\n\n**Speed**\n\n$$v = 3 s / t$$\n\nwhere $v$ is the speed in m/s.\n")
    with Library(folder / "other") as other:
        other.ingest([folder / "note.md"], workers=1)
        other.prepare_graph()
    (foreign,) = [each for each in (folder / "other" / "graph").iterdir() if each.is_dir()]
    shutil.rmtree(graph)
    shutil.copytree(foreign, graph)
    return told(library.run("check"), "graph")


def _recomputed(folder: Path) -> Result:
    """Whoever changes a row and every digest with it changes the fingerprint, which the user has written down."""
    library = spoiled(folder)
    before = library.run("check", "--json")
    fingerprint = json.loads(before.out).get("fingerprint", "")
    if not fingerprint:
        return Result("broke", "there is no fingerprint to write down")
    library.sql(_twice("findings"))
    _recompute_everything(library)
    return first_failure(
        told(library.run("check", "--fingerprint", fingerprint), "fingerprint"),
        sound(spoiled(folder / "again").run("check", "--fingerprint", fingerprint)),
    )


def _recompute_everything(library: Spoiled) -> None:
    from mathrag.store.truth.database import open_database
    from mathrag.store.truth.seals import seal_all

    with open_database(library.folder) as database, database.writing() as connection:
        seal_all(connection, origin="read")


def _rebuild(statement: str, question: str, *right: float) -> Callable[[Path], Result]:
    def run(folder: Path) -> Result:
        library = spoiled(folder)
        library.sql(statement)
        ran = library.run("check", "--rebuild")
        return first_failure(told(ran, ".md", "correction"), no_lie(library.number(question), *right))

    return run


def _spread_by_ingest(folder: Path) -> Result:
    library = spoiled(folder)
    library.sql(_twice("findings"))
    note = folder / "again.md"
    note.write_text(
        "# Again\n\n**Kinetic energy**\n\n$$E_k = \\frac{1}{2} m v^2$$\n\nwhere $E_k$ is the kinetic energy in J, $m$ "
        "is the mass in kg and $v$ is the speed in m/s.\n"
    )
    library.run("ingest", note)
    return first_failure(same_number(library.number(ENERGY), 9.0), told(library.run("check"), "motion.md"))


def _spread_by_edit(folder: Path) -> Result:
    library = spoiled(folder)
    library.sql(_twice("findings"))
    library.run("edit", "Kinetic energy", "--description", "of what moves")
    return no_lie(library.number(ENERGY), 9.0)


def _spread_by_export(folder: Path) -> Result:
    library = spoiled(folder)
    library.sql(_twice("findings"))
    ran = library.run("export", "--format", "turtle", "--out", folder / "out.ttl")
    if ran.code == 0 and mathrag("import", folder / "out.ttl", "--library", folder / "copy").code == 0:
        copy = Spoiled(folder / "copy", folder)
        return no_lie(copy.number(ENERGY), 9.0)
    return HELD if "motion.md" in ran.said else Result("broke", ran.said[:200])


def _asked(statement: str, question: str, right: float) -> Callable[[Path], Result]:
    def run(folder: Path) -> Result:
        library = spoiled(folder)
        before = same_number(library.number(question), right)
        library.sql(statement)
        return first_failure(before, no_lie(library.number(question), right))

    return run


def _computed(folder: Path) -> Result:
    library = spoiled(folder)
    library.sql(_twice("formulas"))
    from mathrag.errors import MathragError

    with Library(library.folder, create=False) as opened:
        try:
            number = opened.compute("Kinetic energy", {"m": "2 kg", "v": "3 m/s"}).value
        except MathragError as error:
            return HELD if "check" in str(error) else Result("broke", f"does not say what to do: {error}")
    return same_number(number, 9.0)


def _exported(folder: Path) -> Path:
    file = folder / "library.ttl"
    spoiled(folder).run("export", "--format", "turtle", "--out", file)
    return file


def _imported(pattern: str, replacement: str, name: str) -> Callable[[Path], Result]:
    def run(folder: Path) -> Result:
        file = _exported(folder)
        text = file.read_text(encoding="utf-8")
        # Only in records: what else the file says is not read.
        lines = text.split("\n")
        changed = [
            re.sub(pattern, replacement, line) if "record" in line or '\\"$' in line or '"$' in line else line
            for line in lines
        ]
        if changed == lines:
            return Result("broke", "the attempt changed nothing")
        file.write_text("\n".join(changed), encoding="utf-8")
        return told(mathrag("import", file, "--library", folder / "copy"), name)

    return run


def _import_removed(folder: Path) -> Result:
    file = _exported(folder)
    text = file.read_text(encoding="utf-8")
    blocks = re.split(r"(?<=\.)\n\n?(?=<urn:mathrag:)", text)
    kept = [block for block in blocks if not block.startswith("<urn:mathrag:finding:") or "Kinetic energy" not in block]
    if len(kept) == len(blocks):
        return Result("broke", "the attempt changed nothing")
    file.write_text("\n\n".join(kept), encoding="utf-8")
    return told(mathrag("import", file, "--library", folder / "copy"), "motion.md")


def _import_without_digests(folder: Path) -> Result:
    file = _exported(folder)
    lines = file.read_text(encoding="utf-8").split("\n")
    without = [line for line in lines if "igest" not in line]
    file.write_text("\n".join(without), encoding="utf-8")
    ran = mathrag("import", file, "--library", folder / "copy")
    if ran.code not in (0, 1) or "inside" in ran.err:
        return Result("broke", ran.said[:200])
    if ran.code == 0 and "digest" not in ran.said:
        return Result("broke", f"it is not said that nothing could be compared: {ran.said[:200]!r}")
    return HELD


def _mended(folder: Path) -> Result:
    library = spoiled(folder)
    library.sql(_twice("findings"))
    library.run("check", "--rebuild")
    library.run("ingest", library.documents / "motion.md")
    return first_failure(same_number(library.number(ENERGY), 9.0), sound(library.run("check")))


def _mended_added(folder: Path) -> Result:
    library = spoiled(folder)
    library.sql(_ADDED)
    library.run("ingest", library.documents / "motion.md")
    return first_failure(same_number(library.number(ENERGY), 9.0), sound(library.run("check")))


def _file_changed(folder: Path) -> Result:
    library = spoiled(folder, own_documents=True)
    library.sql(_twice("findings"))
    file = library.documents / "motion.md"
    file.write_text(file.read_text() + "\nMore.\n")
    ran = library.run("check")
    return first_failure(
        told(ran, "motion.md"), HELD if "changed since" in ran.said else Result("broke", ran.said[:200])
    )


def _file_missing(folder: Path) -> Result:
    library = spoiled(folder, own_documents=True)
    library.sql(_twice("findings"))
    (library.documents / "motion.md").unlink()
    ran = library.run("check")
    return first_failure(told(ran, "motion.md"), HELD if "missing" in ran.said else Result("broke", ran.said[:200]))


def _fine_file_changed(folder: Path) -> Result:
    library = spoiled(folder, own_documents=True)
    file = library.documents / "motion.md"
    file.write_text(file.read_text() + "\nMore.\n")
    (library.documents / "heat" / "power.tex").write_text("\\section{Power} None.\n")
    (library.documents / "weight.md").unlink()
    ran = library.run("check")
    names = [name for name in ("motion.md", "heat.tex", "weight.md") if name not in ran.said]
    return first_failure(sound(ran), Result("broke", f"says nothing of {names}: {ran.said[:300]}") if names else HELD)


def _fine_edit(folder: Path) -> Result:
    library = spoiled(folder)
    library.run("edit", "Kinetic energy", "--label", "Energy of motion")
    first = sound(library.run("check"))
    (number,) = library.rows("SELECT max(id) FROM corrections")[0]
    library.run("edit", "Energy of motion", "--undo", str(number))
    return first_failure(first, sound(library.run("check")), same_number(library.number(ENERGY), 9.0))


def _fine_remove(folder: Path) -> Result:
    library = spoiled(folder)
    name = library.rows("SELECT name FROM documents WHERE name LIKE '%weight.md'")[0][0]
    library.run("remove", name)
    return first_failure(sound(library.run("check")), same_number(library.number(ENERGY), 9.0))


def _fine_exchange(folder: Path) -> Result:
    file = _exported(folder)
    ran = mathrag("import", file, "--library", folder / "copy")
    copy = Spoiled(folder / "copy", folder)
    return first_failure(sound(ran), sound(copy.run("check")), same_number(copy.number(ENERGY), 9.0))


def _fine_rebuild(folder: Path) -> Result:
    library = spoiled(folder)
    return first_failure(sound(library.run("check", "--rebuild")), same_number(library.number(WEIGHT_ASKED), 97.9))


def _undone(*statements: str) -> list[str]:
    """What takes back what steps of the schema added, the last first; indexes and triggers go with their table."""
    tables = [found[1] for each in statements if (found := re.match(r"CREATE (?:VIRTUAL )?TABLE (\w+)", each))]
    added = (re.match(r"ALTER TABLE (\w+) ADD COLUMN (\w+)", each) for each in statements)
    return [
        *(f"DROP TABLE {table}" for table in reversed(tables)),
        *(
            f"ALTER TABLE {table} DROP COLUMN {column}"
            for table, column in (found.groups() for found in added if found)
        ),
    ]


def _fine_old(folder: Path) -> Result:
    """A library of the version before there were digests; what is done to it afterwards is told."""
    library = spoiled(folder)
    with contextlib.closing(sqlite3.connect(library.folder / FILE_NAME)) as connection:
        take_back_cells(connection)
        for statement in (*_undone(*VERSION_8, *VERSION_9, *VERSION_10, *VERSION_11), "PRAGMA user_version = 7"):
            connection.execute(statement)
        connection.commit()
    ran = library.run("check")
    number = same_number(library.number(ENERGY), 9.0)
    since = HELD if "upgraded" in ran.said else Result("broke", f"it is not said since when: {ran.said[:200]}")
    library.sql(_twice("findings"))
    return first_failure(sound(ran), number, since, told(library.run("check"), "motion.md"))
