"""The tables of the library, in SQL: those of the first release, and the steps by which later versions changed them.

Users query these tables with `mathrag sql`, so names are whole words. What was read from documents and what people
said is the truth (`TRUTH`); everything else is computed from it and can be rebuilt (`DERIVED`). Columns are declared
here and nowhere else: what writes and reads rows takes their names from `table_columns` (`codec.py`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from mathrag.errors import LibraryError
from mathrag.store.truth.cell_columns import cell_statements
from mathrag.store.truth.cells import write_sound_cells
from mathrag.store.truth.concept_links import write_all_links
from mathrag.store.truth.document_texts import fill_texts
from mathrag.store.truth.seals import kept_agreements, seal_again, seal_all

# "mRAG" in ASCII: tells our files from other SQLite files.
APPLICATION_ID = 0x6D524147
FILE_NAME = "library.sqlite"

_PLACE = "page INTEGER, line INTEGER, end_line INTEGER, path TEXT NOT NULL, file TEXT NOT NULL, box TEXT"
_BLOCKS = "first_block INTEGER NOT NULL, last_block INTEGER NOT NULL"
_OF_DOCUMENT = "document TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE"
_OF_FORMULA = "formula TEXT NOT NULL REFERENCES formulas(id) ON DELETE CASCADE, position INTEGER NOT NULL"

_TRUTH = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE documents (
        id TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL, title TEXT NOT NULL,
        authors TEXT NOT NULL, year INTEGER, abstract TEXT NOT NULL, media_type TEXT NOT NULL,
        hash TEXT NOT NULL, bytes INTEGER NOT NULL, modified TEXT NOT NULL, ingested_at TEXT NOT NULL,
        software TEXT NOT NULL, lexicon TEXT NOT NULL, files TEXT NOT NULL, notes TEXT NOT NULL,
        extraction_notes TEXT NOT NULL)""",
    """CREATE TABLE failures (
        key TEXT PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, code TEXT NOT NULL, reason TEXT NOT NULL,
        time TEXT NOT NULL, attempts INTEGER NOT NULL) WITHOUT ROWID""",
    f"""CREATE TABLE pages (
        {_OF_DOCUMENT}, number INTEGER NOT NULL, width REAL NOT NULL, height REAL NOT NULL,
        first_block INTEGER, last_block INTEGER, PRIMARY KEY (document, number)) WITHOUT ROWID""",
    f"""CREATE TABLE sections (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, parent TEXT, level INTEGER NOT NULL,
        title TEXT NOT NULL, headings TEXT NOT NULL, {_BLOCKS}, {_PLACE})""",
    f"""CREATE TABLE chunks (
        entry INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, {_OF_DOCUMENT}, position INTEGER NOT NULL, section TEXT,
        headings TEXT NOT NULL, text TEXT NOT NULL, repeated_characters INTEGER NOT NULL, is_oversized INTEGER NOT NULL,
        {_BLOCKS}, {_PLACE})""",
    f"""CREATE TABLE tables (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, section TEXT, caption TEXT NOT NULL,
        header TEXT NOT NULL, row_count INTEGER NOT NULL, column_count INTEGER NOT NULL,
        header_row_count INTEGER NOT NULL, html TEXT NOT NULL, block INTEGER NOT NULL, {_PLACE})""",
    """CREATE TABLE table_cells (
        table_id TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, row_number INTEGER NOT NULL,
        column_number INTEGER NOT NULL, is_header INTEGER NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (table_id, row_number, column_number)) WITHOUT ROWID""",
    f"""CREATE TABLE images (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, section TEXT, caption TEXT NOT NULL,
        alternative TEXT NOT NULL, source TEXT NOT NULL, block INTEGER NOT NULL, {_PLACE})""",
    f"""CREATE TABLE equations (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, section TEXT, latex TEXT NOT NULL,
        source TEXT NOT NULL, notation TEXT NOT NULL, is_display INTEGER NOT NULL, number TEXT NOT NULL,
        quote TEXT NOT NULL, block INTEGER NOT NULL, {_PLACE})""",
    f"""CREATE TABLE bibliography (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, section TEXT, key TEXT NOT NULL,
        text TEXT NOT NULL, block INTEGER NOT NULL, {_PLACE})""",
    *(
        f"CREATE INDEX {table}_by_document ON {table}(document, position)"
        for table in ("sections", "chunks", "tables", "images", "equations", "bibliography")
    ),
    f"""CREATE TABLE definitions (
        {_OF_DOCUMENT}, position INTEGER NOT NULL, name TEXT NOT NULL, letter TEXT NOT NULL,
        description TEXT NOT NULL, unit TEXT, dimension TEXT, kind TEXT, source TEXT NOT NULL,
        first_block INTEGER NOT NULL, last_block INTEGER NOT NULL, confidence REAL NOT NULL, quote TEXT NOT NULL,
        {_PLACE}, record TEXT NOT NULL, PRIMARY KEY (document, position))""",
    f"""CREATE TABLE findings (
        {_OF_DOCUMENT}, position INTEGER NOT NULL, form TEXT NOT NULL, latex TEXT NOT NULL, source TEXT NOT NULL,
        notation TEXT NOT NULL, status TEXT NOT NULL, reason_code TEXT NOT NULL, reason TEXT NOT NULL,
        label TEXT NOT NULL, description TEXT NOT NULL, number TEXT NOT NULL, is_display INTEGER NOT NULL,
        quote TEXT NOT NULL, {_PLACE}, record TEXT NOT NULL, PRIMARY KEY (document, position))""",
    "CREATE INDEX findings_by_form ON findings(form)",
    f"""CREATE TABLE constant_findings (
        {_OF_DOCUMENT}, position INTEGER NOT NULL, symbol TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
        unit TEXT NOT NULL, standard TEXT, quote TEXT NOT NULL, {_PLACE}, record TEXT NOT NULL,
        PRIMARY KEY (document, position))""",
    "CREATE INDEX constant_findings_by_symbol ON constant_findings(symbol)",
    f"""CREATE TABLE text_relations (
        {_OF_DOCUMENT}, position INTEGER NOT NULL, kind TEXT NOT NULL, source INTEGER NOT NULL,
        target INTEGER NOT NULL, confidence REAL NOT NULL, evidence TEXT NOT NULL, record TEXT NOT NULL,
        PRIMARY KEY (document, position))""",
    "CREATE INDEX text_relations_by_source ON text_relations(document, source)",
    "CREATE INDEX text_relations_by_target ON text_relations(document, target)",
    """CREATE TABLE corrections (
        id INTEGER PRIMARY KEY AUTOINCREMENT, formula TEXT NOT NULL, form TEXT NOT NULL, field TEXT NOT NULL,
        value TEXT NOT NULL, author TEXT NOT NULL, time TEXT NOT NULL, note TEXT NOT NULL)""",
    "CREATE INDEX corrections_by_form ON corrections(form)",
)

# Nothing here hangs on a document by a foreign key: when a document is replaced, what it shares with others stays.
_DERIVED = (
    """CREATE TABLE formulas (
        entry INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, form TEXT NOT NULL, label TEXT NOT NULL,
        description TEXT NOT NULL, intent TEXT NOT NULL, keywords TEXT NOT NULL, latex TEXT NOT NULL,
        status TEXT NOT NULL, reason_code TEXT NOT NULL, reason TEXT NOT NULL, target TEXT, target_unit TEXT,
        target_kind TEXT, number TEXT NOT NULL, place_count INTEGER NOT NULL, document_count INTEGER NOT NULL,
        is_corrected INTEGER NOT NULL, record TEXT NOT NULL)""",
    "CREATE INDEX formulas_by_form ON formulas(form)",
    "CREATE INDEX formulas_by_target ON formulas(target, target_kind)",
    f"""CREATE TABLE formula_labels (
        {_OF_FORMULA}, label TEXT NOT NULL, PRIMARY KEY (formula, position)) WITHOUT ROWID""",
    "CREATE INDEX formula_labels_by_label ON formula_labels(label COLLATE NOCASE)",
    """CREATE TABLE formula_findings (
        formula TEXT NOT NULL REFERENCES formulas(id) ON DELETE CASCADE, document TEXT NOT NULL,
        position INTEGER NOT NULL, PRIMARY KEY (document, position, formula)) WITHOUT ROWID""",
    "CREATE INDEX formula_findings_by_formula ON formula_findings(formula)",
    f"""CREATE TABLE formula_symbols (
        {_OF_FORMULA}, name TEXT NOT NULL, letter TEXT NOT NULL, description TEXT NOT NULL, unit TEXT,
        dimension TEXT, kind TEXT, role TEXT NOT NULL, constant TEXT, state TEXT, origin TEXT NOT NULL,
        is_target INTEGER NOT NULL, PRIMARY KEY (formula, position)) WITHOUT ROWID""",
    "CREATE INDEX formula_symbols_by_name ON formula_symbols(name, is_target, formula, dimension)",
    "CREATE INDEX formula_symbols_by_constant ON formula_symbols(constant) WHERE constant IS NOT NULL",
    f"""CREATE TABLE formula_places (
        {_OF_FORMULA}, document TEXT NOT NULL, {_PLACE}, quote TEXT NOT NULL, headings TEXT NOT NULL,
        PRIMARY KEY (formula, position)) WITHOUT ROWID""",
    "CREATE INDEX formula_places_by_document ON formula_places(document)",
    f"""CREATE TABLE formula_conditions (
        {_OF_FORMULA}, text TEXT NOT NULL, is_computable INTEGER NOT NULL, quote TEXT,
        PRIMARY KEY (formula, position)) WITHOUT ROWID""",
    f"""CREATE TABLE instances (
        {_OF_FORMULA}, document TEXT NOT NULL, {_PLACE}, text TEXT NOT NULL, bindings TEXT NOT NULL,
        verdict TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (formula, position)) WITHOUT ROWID""",
    "CREATE INDEX instances_by_document ON instances(document)",
    """CREATE TABLE constants (
        entry INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, symbol TEXT NOT NULL, letter TEXT NOT NULL,
        name TEXT NOT NULL, value TEXT NOT NULL, number REAL NOT NULL, unit TEXT NOT NULL, dimension TEXT NOT NULL,
        uncertainty TEXT, description TEXT NOT NULL, keywords TEXT NOT NULL, standard TEXT,
        place_count INTEGER NOT NULL, record TEXT NOT NULL)""",
    "CREATE INDEX constants_by_symbol ON constants(symbol)",
    "CREATE INDEX constants_by_standard ON constants(standard) WHERE standard IS NOT NULL",
    f"""CREATE TABLE constant_places (
        constant TEXT NOT NULL REFERENCES constants(id) ON DELETE CASCADE, position INTEGER NOT NULL,
        document TEXT NOT NULL, {_PLACE}, quote TEXT NOT NULL, headings TEXT NOT NULL,
        PRIMARY KEY (constant, position)) WITHOUT ROWID""",
    "CREATE INDEX constant_places_by_document ON constant_places(document)",
    """CREATE TABLE relations (
        kind TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, confidence REAL NOT NULL,
        evidence TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (source, kind, target)) WITHOUT ROWID""",
    "CREATE INDEX relations_by_target ON relations(target, kind)",
    """CREATE TABLE vectors (
        id INTEGER PRIMARY KEY, collection TEXT NOT NULL, source_table TEXT NOT NULL, source_column TEXT NOT NULL,
        source_key TEXT NOT NULL, document TEXT, page INTEGER, embedder TEXT NOT NULL, text_hash TEXT NOT NULL,
        vector BLOB NOT NULL, UNIQUE (source_table, source_key, source_column))""",
    "CREATE INDEX vectors_by_collection ON vectors(collection, embedder)",
    "CREATE INDEX vectors_by_document ON vectors(document)",
)

# The prepared text is kept in the index itself, because removing a row from an FTS5 index needs the words it was
# made from, and those may have been prepared by an older version of this program.
_TOKENIZER = "tokenize = \"porter unicode61 remove_diacritics 2 tokenchars '_'\""
FORMULA_WORDS = ("label", "description", "keywords", "symbols", "conditions", "headings")
CONSTANT_WORDS = ("name", "description", "keywords", "symbols", "headings")
CHUNK_WORDS = ("headings", "text")
_INDEX = (
    f"CREATE VIRTUAL TABLE formula_words USING fts5({', '.join(FORMULA_WORDS)}, {_TOKENIZER})",
    f"CREATE VIRTUAL TABLE constant_words USING fts5({', '.join(CONSTANT_WORDS)}, {_TOKENIZER})",
    f"CREATE VIRTUAL TABLE chunk_words USING fts5({', '.join(CHUNK_WORDS)}, {_TOKENIZER})",
)

# Whatever removes an entry, a cascade included, takes its words and vectors along.
_ENCODED = ("formulas", "constants", "chunks", "tables", "images", "sections")
_INDEXED = (("formulas", "formula_words"), ("constants", "constant_words"), ("chunks", "chunk_words"))
_TRIGGERS = (
    *(
        f"CREATE TRIGGER {table}_lose_vectors AFTER DELETE ON {table} BEGIN "  # noqa: S608 - our own names
        f"DELETE FROM vectors WHERE source_table = '{table}' AND source_key = old.id; END"
        for table in _ENCODED
    ),
    *(
        f"CREATE TRIGGER {table}_lose_words AFTER DELETE ON {table} BEGIN "  # noqa: S608 - our own names
        f"DELETE FROM {index} WHERE rowid = old.entry; END"
        for table, index in _INDEXED
    ),
)

VERSION_1 = (*_TRUTH, *_DERIVED, *_INDEX, *_TRIGGERS)

# What stands where on each page of a paged document (a JSON list), and cut-outs of pages that could not be read with
# certainty (PNG in base64).
VERSION_2 = (
    f"""CREATE TABLE page_layouts (
        {_OF_DOCUMENT}, number INTEGER NOT NULL, parts TEXT NOT NULL, PRIMARY KEY (document, number)) WITHOUT ROWID""",
    f"""CREATE TABLE pictures (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, png TEXT NOT NULL, {_PLACE})""",
    "CREATE INDEX pictures_by_document ON pictures(document, position)",
)

# What language models said. `rule_extractions` keeps what the rules alone had found, so that another model, or the same
# one with more of its replies, starts from there and never from what a model said before. `summaries` are words about
# words; nothing is computed from them, but for the labels of worked solutions, which lie there too
# (`solution_labels.py`). `verdicts` are about pairs of formulas, smaller id first.
VERSION_3 = (
    f"""CREATE TABLE model_readings (
        {_OF_DOCUMENT}, model TEXT NOT NULL, prompt TEXT NOT NULL, time TEXT NOT NULL, chunks INTEGER NOT NULL,
        chunks_done INTEGER NOT NULL, accepted INTEGER NOT NULL, rejected INTEGER NOT NULL, failures TEXT NOT NULL,
        calls INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cost REAL,
        extras TEXT NOT NULL, PRIMARY KEY (document)) WITHOUT ROWID""",
    f"""CREATE TABLE rule_extractions (
        {_OF_DOCUMENT}, record TEXT NOT NULL, PRIMARY KEY (document)) WITHOUT ROWID""",
    f"""CREATE TABLE proposals_rejected (
        {_OF_DOCUMENT}, position INTEGER NOT NULL, source TEXT NOT NULL, kind TEXT NOT NULL, code TEXT NOT NULL,
        reason TEXT NOT NULL, quote TEXT NOT NULL, record TEXT NOT NULL, model TEXT NOT NULL, {_PLACE},
        PRIMARY KEY (document, position)) WITHOUT ROWID""",
    f"""CREATE TABLE summaries (
        {_OF_DOCUMENT}, position INTEGER NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL, text TEXT NOT NULL,
        model TEXT NOT NULL, PRIMARY KEY (document, position)) WITHOUT ROWID""",
    """CREATE TABLE verdicts (
        first TEXT NOT NULL, second TEXT NOT NULL, verdict TEXT NOT NULL, proof TEXT NOT NULL,
        similarity REAL NOT NULL, model TEXT NOT NULL, time TEXT NOT NULL,
        PRIMARY KEY (first, second)) WITHOUT ROWID""",
    "CREATE INDEX verdicts_by_second ON verdicts(second)",
)

# What large libraries are looked through by; the rows themselves are long, and few of their columns are asked for.
WITH_ALTERNATIVES = 'instr(record, \'"$":"Alternative"\')'
VERSION_4 = (
    f"CREATE INDEX formulas_with_alternatives ON formulas(id) WHERE {WITH_ALTERNATIVES}",
    "CREATE INDEX formulas_by_facets ON formulas(id, status, target_kind, reason_code)",
    "CREATE INDEX formulas_by_label ON formulas(label = '', label COLLATE NOCASE, id)",
    "CREATE INDEX findings_by_status ON findings(document, status)",
)

# What each formula is for: old libraries hold general statements until their documents are read anew.
VERSION_5 = (
    "ALTER TABLE formulas ADD COLUMN purpose TEXT NOT NULL DEFAULT 'general'",
    "CREATE INDEX formulas_by_purpose ON formulas(id) WHERE purpose NOT IN ('general', 'definition')",
)

# Worked examples read as cases, and what the library made of each when it was hidden: the latter is no truth, and a
# copy of the library does without.
VERSION_6 = (
    f"""CREATE TABLE cases (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, title TEXT NOT NULL, number TEXT NOT NULL,
        part TEXT NOT NULL, problem TEXT NOT NULL, symbol TEXT NOT NULL, value TEXT, unit TEXT NOT NULL,
        formula_count INTEGER NOT NULL, {_PLACE}, record TEXT NOT NULL)""",
    "CREATE INDEX cases_by_document ON cases(document, position)",
    """CREATE TABLE case_results (
        case_id TEXT NOT NULL REFERENCES cases(id) ON DELETE CASCADE, outcome TEXT NOT NULL, is_right INTEGER NOT NULL,
        confidence REAL NOT NULL, answer TEXT NOT NULL, features TEXT NOT NULL, software TEXT NOT NULL,
        PRIMARY KEY (case_id)) WITHOUT ROWID""",
)

# Which documents people trust, by key and without a tie to the document: whoever removes a file and puts it back in
# has not won trust for it.
VERSION_7 = (
    """CREATE TABLE trust_marks (
        key TEXT PRIMARY KEY, mark TEXT NOT NULL CHECK (mark IN ('trusted', 'untrusted')),
        time TEXT NOT NULL) WITHOUT ROWID""",
)

# Digests of what was read and said (`seals.py`). No row here hangs on a document by a foreign key: when a document is
# taken out by other means than this program, they remain to tell.
VERSION_8 = (
    """CREATE TABLE digests (
        document TEXT NOT NULL, source_table TEXT NOT NULL, source_key TEXT NOT NULL, digest TEXT NOT NULL,
        PRIMARY KEY (document, source_table, source_key)) WITHOUT ROWID""",
    """CREATE TABLE seals (
        document TEXT PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, origin TEXT NOT NULL,
        time TEXT NOT NULL) WITHOUT ROWID""",
    "ALTER TABLE formulas ADD COLUMN digest TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE constants ADD COLUMN digest TEXT NOT NULL DEFAULT ''",
)

# Collections of worked solutions. A file of them is a document whose views these are. `content` tells the same problem
# or solution in another file; `forms` are the canonical forms of the equations in a step, by which it meets formulas.
# The types are computed: those that a record states, those that a model said, and those of the nearest problems.
VERSION_9 = (
    f"""CREATE TABLE problems (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, content TEXT NOT NULL, text TEXT NOT NULL,
        branch TEXT NOT NULL, subfield TEXT NOT NULL, type TEXT NOT NULL, level INTEGER, answer TEXT NOT NULL,
        line INTEGER)""",
    f"""CREATE TABLE solutions (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, problem TEXT NOT NULL, content TEXT NOT NULL,
        answer TEXT NOT NULL, is_right INTEGER, step_count INTEGER NOT NULL, line INTEGER)""",
    f"""CREATE TABLE solution_steps (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, solution TEXT NOT NULL,
        number INTEGER NOT NULL, text TEXT NOT NULL, label TEXT NOT NULL, error TEXT NOT NULL, forms TEXT NOT NULL,
        is_alternative INTEGER NOT NULL, alternative_to TEXT, line INTEGER)""",
    "CREATE INDEX problems_by_document ON problems(document, position)",
    "CREATE INDEX problems_by_content ON problems(content)",
    "CREATE INDEX solutions_by_document ON solutions(document, position)",
    "CREATE INDEX solutions_by_problem ON solutions(problem)",
    "CREATE INDEX solutions_by_content ON solutions(content)",
    "CREATE INDEX solution_steps_by_document ON solution_steps(document, position)",
    "CREATE INDEX solution_steps_by_solution ON solution_steps(solution, number)",
    "CREATE INDEX solution_steps_by_place ON solution_steps(alternative_to) WHERE alternative_to IS NOT NULL",
    """CREATE TABLE problem_types (
        problem TEXT PRIMARY KEY REFERENCES problems(id) ON DELETE CASCADE, branch TEXT NOT NULL,
        subfield TEXT NOT NULL, type TEXT NOT NULL, origin TEXT NOT NULL, share REAL NOT NULL) WITHOUT ROWID""",
    """CREATE TRIGGER problems_lose_vectors AFTER DELETE ON problems BEGIN
        DELETE FROM vectors WHERE source_table = 'problems' AND source_key = old.id; END""",
)

# Dictionaries of mathematical concepts. A dictionary is a document whose views these are; the signatures of its
# concepts are stated in a file of their own, which is another document, so they meet by name. Which concepts a formula
# uses follows from its tree alone, whether a dictionary of the library has them or not.
CONCEPT_WORDS = ("name", "description")
VERSION_10 = (
    f"""CREATE TABLE concepts (
        entry INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, {_OF_DOCUMENT}, position INTEGER NOT NULL,
        name TEXT NOT NULL, dictionary TEXT NOT NULL, symbol TEXT NOT NULL, description TEXT NOT NULL,
        role TEXT NOT NULL, status TEXT NOT NULL, is_mathematical INTEGER NOT NULL, {_PLACE})""",
    f"""CREATE TABLE concept_signatures (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, concept TEXT NOT NULL,
        signature TEXT NOT NULL, source TEXT NOT NULL, {_PLACE})""",
    f"""CREATE TABLE concept_properties (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, concept TEXT NOT NULL, kind TEXT NOT NULL,
        text TEXT NOT NULL, latex TEXT NOT NULL, source TEXT NOT NULL, outcome TEXT, points INTEGER NOT NULL,
        numbers TEXT NOT NULL, counterexample TEXT NOT NULL, reason TEXT NOT NULL, {_PLACE})""",
    f"""CREATE TABLE concept_examples (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, concept TEXT NOT NULL, text TEXT NOT NULL,
        latex TEXT NOT NULL, {_PLACE})""",
    *(
        f"CREATE INDEX {table}_by_document ON {table}(document, position)"
        for table in ("concepts", "concept_signatures", "concept_properties", "concept_examples")
    ),
    "CREATE INDEX concepts_by_name ON concepts(name)",
    *(
        f"CREATE INDEX {table}_by_concept ON {table}(concept, position)"
        for table in ("concept_signatures", "concept_properties", "concept_examples")
    ),
    f"""CREATE TABLE formula_concepts (
        {_OF_FORMULA}, concept TEXT NOT NULL, PRIMARY KEY (formula, position)) WITHOUT ROWID""",
    "CREATE INDEX formula_concepts_by_concept ON formula_concepts(concept)",
    f"CREATE VIRTUAL TABLE concept_words USING fts5({', '.join(CONCEPT_WORDS)}, {_TOKENIZER})",
    """CREATE TRIGGER concepts_lose_words AFTER DELETE ON concepts BEGIN
        DELETE FROM concept_words WHERE rowid = old.entry; END""",
    """CREATE TRIGGER concepts_lose_vectors AFTER DELETE ON concepts BEGIN
        DELETE FROM vectors WHERE source_table = 'concepts' AND source_key = old.id; END""",
)

# The text of pages and sections, passages within a page, and what papers state of themselves. The store of an older
# library holds no text by page, so pages and their passages stay empty until the document is read anew; the text of
# sections, and the passages of documents without pages, follow from the chunks (`document_texts.py`).
VERSION_11 = (
    "ALTER TABLE pages ADD COLUMN text TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE sections ADD COLUMN text TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE sections ADD COLUMN page_numbers TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE documents ADD COLUMN venue TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE documents ADD COLUMN volume TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE documents ADD COLUMN identifier TEXT NOT NULL DEFAULT ''",
    f"""CREATE TABLE passages (
        id TEXT PRIMARY KEY, {_OF_DOCUMENT}, position INTEGER NOT NULL, section TEXT, text TEXT NOT NULL,
        tokens INTEGER NOT NULL, {_PLACE})""",
    "CREATE INDEX passages_by_document ON passages(document, position)",
)

# Every text that can be searched is a cell: words hang on it, and vectors, one for each embedder. Neither keeps the
# text (`cell_columns.py`). Vectors that there were are kept: nothing is encoded again whose text is as before.
VERSION_12 = (
    *(
        f"DROP TRIGGER {table}_lose_vectors"
        for table in ("formulas", "constants", "chunks", "tables", "images", "sections", "problems", "concepts")
    ),
    "ALTER TABLE vectors RENAME TO vectors_before",
    """CREATE TABLE cells (
        id INTEGER PRIMARY KEY, source_table TEXT NOT NULL, source_column TEXT NOT NULL, source_key TEXT NOT NULL,
        document TEXT, page INTEGER, text_hash TEXT NOT NULL, word_count INTEGER NOT NULL,
        UNIQUE (source_table, source_key, source_column))""",
    """CREATE TABLE vectors (
        id INTEGER PRIMARY KEY, cell INTEGER NOT NULL, embedder TEXT NOT NULL, text_hash TEXT NOT NULL,
        vector BLOB NOT NULL, UNIQUE (cell, embedder))""",
    *cell_statements(),
)
KEPT_VECTORS = (
    """INSERT INTO vectors (cell, embedder, text_hash, vector) SELECT c.id, v.embedder, v.text_hash, v.vector
        FROM vectors_before v JOIN cells c ON c.source_table = v.source_table AND c.source_key = v.source_key
        AND c.source_column = v.source_column ORDER BY v.id""",
    """INSERT INTO meta (name, value) SELECT 'embedder', embedder FROM vectors_before
        GROUP BY embedder ORDER BY count(*) DESC, embedder LIMIT 1""",
    "DROP TABLE vectors_before",
)

# Worksheets that people saved: their text is all there is, everything else is computed when they are opened.
VERSION_13 = (
    """CREATE TABLE worksheets (
        name TEXT PRIMARY KEY, text TEXT NOT NULL, created TEXT NOT NULL, changed TEXT NOT NULL) WITHOUT ROWID""",
)

CELL_WORDS = "cell_words"
WORD_TABLES = ("formula_words", "constant_words", "chunk_words", "concept_words")
# Tables with a row or more for a document, beside its views and findings, that a copy of a library needs.
MODEL_TABLES = ("model_readings", "proposals_rejected", "summaries")
VIEW_TABLES = (
    "pages", "sections", "chunks", "passages", "tables", "table_cells", "images", "equations", "bibliography",
    "page_layouts", "pictures", "cases", "problems", "solutions", "solution_steps", "concepts", "concept_signatures",
    "concept_properties", "concept_examples",
)  # fmt: skip
TRUTH = (
    "documents", "failures", *VIEW_TABLES, "definitions", "findings", "constant_findings", "text_relations",
    "corrections", *MODEL_TABLES, "rule_extractions", "verdicts", "trust_marks", "worksheets",
)  # fmt: skip
DERIVED = (
    "formulas", "formula_labels", "formula_findings", "formula_symbols", "formula_places", "formula_conditions",
    "formula_concepts", "instances", "constants", "constant_places", "relations", "cells", "vectors", "case_results",
    "problem_types",
)  # fmt: skip
SEALS = ("digests", "seals")
# What a user's SQL may read: our tables, the schema itself, and what FTS5 keeps behind its tables.
SHADOW_TABLES = tuple(
    f"{table}_{part}"
    for table in (*WORD_TABLES, CELL_WORDS)
    for part in ("data", "idx", "content", "docsize", "config")
)
READABLE = frozenset(
    ("meta", *TRUTH, *DERIVED, *SEALS, *WORD_TABLES, CELL_WORDS, "cell_texts", "worded_cell_texts",
     *SHADOW_TABLES, "sqlite_master", "sqlite_schema")
)  # fmt: skip


class Column(NamedTuple):
    """What a column holds, and whether it always holds something."""

    type: str
    has_value: bool


@cache
def table_columns() -> Mapping[str, Mapping[str, Column]]:
    """The columns of every table, as SQLite understands their declaration; without numbers that it gives by itself."""
    connection = sqlite3.connect(":memory:")
    try:
        for statement in (
            *VERSION_1, *VERSION_2, *VERSION_3, *VERSION_4, *VERSION_5, *VERSION_6, *VERSION_7, *VERSION_8,
            *VERSION_9, *VERSION_10, *VERSION_11, *VERSION_12, *VERSION_13, *KEPT_VECTORS,
        ):  # fmt: skip
            if statement.startswith(("CREATE TABLE ", "ALTER TABLE ", "DROP TABLE ")):
                connection.execute(statement)
        return {
            table: {
                name: Column(kind, bool(is_required or key))
                for _, name, kind, is_required, _, key in connection.execute(f"PRAGMA table_info({table})")
                if not (kind == "INTEGER" and key == 1)
            }
            for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        }
    finally:
        connection.close()


# From one version of the schema to the next, in numbered steps, each in one transaction. Knows no data, only tables.
#
# A released step is never changed: a library on somebody's disk may stand just before it. To change the schema, add a
# step. What can be computed is better dropped and rebuilt by the step than converted.

Migration: TypeAlias = Callable[[sqlite3.Connection], None]


def _first_release(connection: sqlite3.Connection) -> None:
    for statement in VERSION_1:
        connection.execute(statement)
    connection.execute("INSERT INTO meta(name, value) VALUES ('generation', '0')")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _pages_and_pictures(connection: sqlite3.Connection) -> None:
    for statement in VERSION_2:
        connection.execute(statement)


def _language_models(connection: sqlite3.Connection) -> None:
    for statement in VERSION_3:
        connection.execute(statement)


def _large_libraries(connection: sqlite3.Connection) -> None:
    for statement in VERSION_4:
        connection.execute(statement)


def _purposes(connection: sqlite3.Connection) -> None:
    for statement in VERSION_5:
        connection.execute(statement)


def _cases(connection: sqlite3.Connection) -> None:
    for statement in VERSION_6:
        connection.execute(statement)


def _trust_marks(connection: sqlite3.Connection) -> None:
    for statement in VERSION_7:
        connection.execute(statement)


def _digests(connection: sqlite3.Connection) -> None:
    for statement in VERSION_8:
        connection.execute(statement)
    seal_all(connection, origin="upgraded")


def _solutions(connection: sqlite3.Connection) -> None:
    for statement in VERSION_9:
        connection.execute(statement)


def _concepts(connection: sqlite3.Connection) -> None:
    for statement in VERSION_10:
        connection.execute(statement)
    write_all_links(connection)


def _texts(connection: sqlite3.Connection) -> None:
    held = kept_agreements(connection)
    for statement in VERSION_11:
        connection.execute(statement)
    fill_texts(connection, [document for document, was in held.items() if was.is_whole])
    seal_again(connection, held)


def _cells(connection: sqlite3.Connection) -> None:
    for statement in VERSION_12:
        connection.execute(statement)
    write_sound_cells(connection, entries=True)
    for statement in KEPT_VECTORS:
        connection.execute(statement)


def _worksheets(connection: sqlite3.Connection) -> None:
    for statement in VERSION_13:
        connection.execute(statement)


# The number of a migration is its place in this list, from 1: applying it makes that version.
MIGRATIONS: tuple[Migration, ...] = (
    _first_release,
    _pages_and_pictures,
    _language_models,
    _large_libraries,
    _purposes,
    _cases,
    _trust_marks,
    _digests,
    _solutions,
    _concepts,
    _texts,
    _cells,
    _worksheets,
)
CURRENT_VERSION = len(MIGRATIONS)


def schema_version(connection: sqlite3.Connection) -> int:
    """The version of the open file; 0 for an empty one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """Apply the missing steps, one transaction each; several processes may try at once. Gives the number applied."""
    applied = 0
    while schema_version(connection) < len(migrations):
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Asked again under the lock: another process may have been faster.
            version = schema_version(connection)
            if version < len(migrations):
                migrations[version](connection)
                connection.execute(f"PRAGMA user_version = {version + 1}")
                applied += 1
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    return applied


def check_version(connection: sqlite3.Connection, *, newest: int = CURRENT_VERSION) -> int:
    """The version of the file, or `LibraryError` where it is not ours or made by a newer program."""
    # One look at one state: another process may be making the file at this moment.
    connection.execute("BEGIN")
    try:
        tables = int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
        version = schema_version(connection)
        application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    finally:
        connection.execute("COMMIT")
    if application != APPLICATION_ID and (application or version or tables):
        raise LibraryError("library.sqlite in this folder is an SQLite file of another program; choose another folder")
    if version > newest:
        raise LibraryError(
            f"this library has schema version {version}, made by a newer MathRAG; this one knows up to {newest}: "
            "upgrade MathRAG to use it"
        )
    return version
