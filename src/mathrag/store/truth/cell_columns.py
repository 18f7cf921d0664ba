"""Which texts of the library can be searched as cells, and the SQL that keeps cells and their words in step with them.

One table of data (`CELL_COLUMNS`): each line is a column of a table, or what is said in several columns of one row. The
schema makes its view and its triggers from it, and a step of the schema that was released is never changed: to add a
line is to add a step that makes view and triggers anew. Knows SQL, opens nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

# How the index cuts texts into words. They are indexed as they stand, so a query says both names of a Greek letter.
CELL_TOKENIZER = 'tokenize = "porter unicode61 remove_diacritics 2"'


class CellColumn(NamedTuple):
    """A column whose texts are cells.

    `text` is SQL over a row of the table; `sources` are the columns that it reads. `published` is the column of the
    published system that it stands for, empty where that has none. A column with `has_vectors` is encoded with the
    embedder of the library when a document is read; every other one only where somebody asks for it. `is_picture` is
    the region that a box names, for encoders of pictures: it has no words.
    """

    table: str
    column: str
    text: str
    sources: tuple[str, ...]
    published: str = ""
    has_vectors: bool = False
    is_picture: bool = False


class CellTable(NamedTuple):
    """How the rows of a table are told apart and where they stand: SQL over `{row}`, which is the row of the table.

    `found` says, over `cells` and the table, which row a cell is of. `only` leaves out rows that are no texts.
    """

    key: str = "{row}.id"
    document: str = "{row}.document"
    page: str = "{row}.page"
    found: str = "{table}.id = cells.source_key"
    key_columns: tuple[str, ...] = ("id",)
    only: str = "1"


# Tags that our own writer of tables gives, and what stands for each among words.
_TAGS = (
    ("<table>", ""), ("</table>", ""), ("<caption>", ""), ("</caption>", ""), ("<thead>", ""), ("</thead>", ""),
    ("<tbody>", ""), ("</tbody>", ""), ("<tr>", ""), ("</tr>", ""), ("<th>", ""), ("<td>", ""), ("</th>", " | "),
    ("</td>", " | "),
)  # fmt: skip


def _without_tags(column: str) -> str:
    for tag, instead in _TAGS:
        column = f"replace({column}, '{tag}', '{instead}')"
    return f"trim({column}, ' |' || char(10))"


def _joined(*columns: str) -> str:
    """Columns one under the other, without empty lines at the ends."""
    return f"trim({' || char(10) || '.join(f'{{row}}.{column}' for column in columns)}, char(10))"


# Every line is searched by words. Vectors are made by default where words alone find too little: passages (chunks) and
# short texts that name a thing. A page, a section and a passage say what their chunks say, and encoding the same words
# again would take longest and find least; titles and abstracts of papers are found better by words (recall at 1 .61
# against .41 over 149 questions); what is written in signs (equations, references) no embedder of words knows. A
# summary is a model's word: it is searched and shown, and no number is taken from it.
CELL_COLUMNS: tuple[CellColumn, ...] = (
    CellColumn("documents", "title", "{row}.title", ("title",), "metadata.title"),
    CellColumn("documents", "abstract", "{row}.abstract", ("abstract",), "metadata.abstract"),
    CellColumn("documents", "authors", "trim({row}.authors, '[]')", ("authors",)),
    CellColumn("pages", "text", "{row}.text", ("text",), "pages.page_content"),
    CellColumn("sections", "title", "{row}.title", ("title",), "sections.section_title", has_vectors=True),
    CellColumn("sections", "text", "{row}.text", ("text",), "sections.section_content"),
    CellColumn("passages", "text", "{row}.text", ("text",), "chunks.text_content"),
    CellColumn("chunks", "text", "{row}.text", ("text",), has_vectors=True),
    CellColumn(
        "tables", "caption", _joined("caption", "header"), ("caption", "header"), "tables.table_caption",
        has_vectors=True,
    ),
    CellColumn("tables", "content", _without_tags("{row}.html"), ("html",), "tables.table_content"),
    CellColumn("tables", "box", "{row}.box", ("box",), "tables.bounding_box", is_picture=True),
    CellColumn(
        "images", "caption", _joined("caption", "alternative"), ("caption", "alternative"), "images.image_caption",
        has_vectors=True,
    ),
    CellColumn("images", "box", "{row}.box", ("box",), "images.bounding_box", is_picture=True),
    CellColumn("equations", "latex", "{row}.latex", ("latex",), "equations.equation_content"),
    CellColumn("bibliography", "text", "{row}.text", ("text",), "reference.reference_content"),
    CellColumn(
        "summaries", "text", "{row}.text", ("text", "kind"),
        "metadata.tldr, pages.page_summary, sections.section_summary, tables.table_summary, images.image_summary",
    ),
    CellColumn("problems", "text", "{row}.text", ("text",), has_vectors=True),
    CellColumn("concepts", "text", _joined("symbol", "description"), ("symbol", "description"), has_vectors=True),
    CellColumn(
        "formulas", "text", _joined("label", "description", "intent", "keywords", "latex"),
        ("label", "description", "intent", "keywords", "latex"), has_vectors=True,
    ),
    CellColumn(
        "constants", "text", _joined("name", "description", "keywords", "symbol", "letter"),
        ("name", "description", "keywords", "symbol", "letter"), has_vectors=True,
    ),
)  # fmt: skip
# What the published system encodes and the library does not hold: an entry of a bibliography is made from the metadata,
# so its words are those of the title, the authors and the venue.
LEFT_OUT = {"metadata.bibtex": "made from title, authors and venue, which are searched themselves"}

_FIRST_PLACE = "(SELECT {column} FROM {places} WHERE {entry} = {{row}}.id ORDER BY position LIMIT 1)"
_TABLES: dict[str, CellTable] = {
    "documents": CellTable(document="{row}.id", page="NULL"),
    "pages": CellTable(
        key="{row}.document || '/page/' || {row}.number",
        page="{row}.number",
        found="{table}.document = cells.document AND {table}.number = cells.page",
        key_columns=("document", "number"),
    ),
    # Labels of worked solutions lie among the summaries, under kinds of their own.
    "summaries": CellTable(
        key="{row}.document || '/summary/' || {row}.position",
        page="NULL",
        found="{table}.document = cells.document AND {table}.position = "
        "CAST(substr(cells.source_key, length(cells.document) + length('/summary/') + 1) AS INTEGER)",
        key_columns=("document", "position"),
        only="{row}.kind IN ('document', 'page', 'section', 'table', 'image')",
    ),
    "problems": CellTable(page="NULL"),
    **{
        table: CellTable(
            document=_FIRST_PLACE.format(column="document", places=places, entry=entry),
            page=_FIRST_PLACE.format(column="page", places=places, entry=entry),
        )
        for table, places, entry in (
            ("formulas", "formula_places", "formula"),
            ("constants", "constant_places", "constant"),
        )
    },
}
# What is merged from documents rather than read from one.
ENTRY_TABLES = ("formulas", "constants")


def cell_table(table: str) -> CellTable:
    """How the rows of a table with cells are told apart."""
    return _TABLES.get(table, CellTable())


def cell_columns(table: str = "", column: str = "") -> tuple[CellColumn, ...]:
    """The columns of a table, or with a name; all where nothing is asked for."""
    return tuple(each for each in CELL_COLUMNS if table in ("", each.table) and column in ("", each.column))


def cell_question(column: CellColumn, rest: str = "") -> str:
    """SQL for key, document, page and text of the rows of a column; the row goes by `t` in the `rest`."""
    where = cell_table(column.table)
    parts = (part.format(row="t") for part in (where.key, where.document, where.page, column.text))
    return f"SELECT {', '.join(parts)} FROM {column.table} t WHERE {where.only.format(row='t')} {rest}"  # noqa: S608


def cell_statements() -> Iterator[str]:
    """The view of the texts of cells, the index of their words, and the triggers that keep them in step.

    The index keeps no text of its own: it reads the view, so a cell must go before its row does, and before the row
    says something else. A row that is changed behind the program's back loses its cells, so nothing is found by it.
    """
    texts = f"CASE cells.source_table {_texts()} END"
    yield f"CREATE VIEW cell_texts AS SELECT cells.id AS id, word_count, {texts} AS text FROM cells"  # noqa: S608
    yield "CREATE VIEW worded_cell_texts AS SELECT id, text FROM cell_texts WHERE word_count > 0"
    yield (
        "CREATE VIRTUAL TABLE cell_words USING fts5(text, content = 'worded_cell_texts', content_rowid = 'id', "
        f"{CELL_TOKENIZER})"
    )
    yield (
        "CREATE TRIGGER cells_lose_words BEFORE DELETE ON cells WHEN old.word_count > 0 BEGIN "
        "INSERT INTO cell_words (cell_words, rowid, text) SELECT 'delete', id, text FROM cell_texts "
        "WHERE id = old.id; END"
    )
    yield ("CREATE TRIGGER cells_lose_vectors AFTER DELETE ON cells BEGIN DELETE FROM vectors WHERE cell = old.id; END")
    for table, columns in _by_table():
        where = cell_table(table)
        sources = tuple(dict.fromkeys((*where.key_columns, *(name for each in columns for name in each.sources))))
        lost = (
            f"BEGIN DELETE FROM cells WHERE source_table = '{table}' "  # noqa: S608 - our own names
            f"AND source_key = {where.key.format(row='old')}; END"
        )
        differs = " OR ".join(f"old.{name} IS NOT new.{name}" for name in sources)
        yield f"CREATE TRIGGER {table}_lose_cells BEFORE DELETE ON {table} {lost}"
        changed = f"BEFORE UPDATE OF {', '.join(sources)} ON {table} WHEN {differs}"
        yield f"CREATE TRIGGER {table}_change_cells {changed} {lost}"


def _by_table() -> Iterator[tuple[str, list[CellColumn]]]:
    for table, columns in groupby(CELL_COLUMNS, key=lambda each: each.table):
        yield table, list(columns)


def _texts() -> str:
    """For each table the text of a cell of it, by its column."""
    return " ".join(
        f"WHEN '{table}' THEN (SELECT CASE cells.source_column "  # noqa: S608 - our own names
        + " ".join(f"WHEN '{each.column}' THEN {each.text.format(row=table)}" for each in columns)
        + f" END FROM {table} WHERE {cell_table(table).found.format(table=table)})"
        for table, columns in _by_table()
    )
