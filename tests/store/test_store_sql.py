"""A stranger's SQL: what is refused, what works, and that neither costs more than it may."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from store_makers import MECHANICS, MERGER, WAVES, dump

from mathrag.errors import LibraryError, QueryError
from mathrag.store.embedders.hashing import HashingEmbedder
from mathrag.store.sql.policy import FUNCTIONS
from mathrag.store.sql.query import SqlResult, run_sql
from mathrag.store.truth.database import open_database
from mathrag.store.truth.writer import replace_document
from thinned import thinned

CORPUS = tomllib.loads((Path(__file__).parent / "sql_refused.toml").read_text(encoding="utf-8"))
HARMLESS = CORPUS.pop("harmless")["queries"]
REFUSED = [
    pytest.param(query, group["because"], id=f"{name}-{number}")
    for name, group in CORPUS.items()
    for number, query in enumerate(group["queries"])
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    with open_database(folder) as database:
        for record in (MECHANICS, WAVES):
            replace_document(database, record, merger=MERGER, embedder=HashingEmbedder())
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("query", "because"), thinned(REFUSED, 12, pytest.mark.soak))
def test_hostile_queries_are_refused(folder: Path, query: str, because: str) -> None:
    with open_database(folder) as database:
        before = dump(database)
    with pytest.raises(QueryError, match=because):
        run_sql(folder, query, seconds=0.7, megabytes=64)
    with open_database(folder) as database:
        assert dump(database) == before
    assert not Path("/tmp/stolen-library.sqlite").exists()


@pytest.mark.parametrize("query", HARMLESS)
def test_what_looks_dangerous_ends_soon(folder: Path, query: str) -> None:
    with contextlib.suppress(QueryError):
        run_sql(folder, query, seconds=0.7, megabytes=64)


def test_memory_stays_bounded(folder: Path) -> None:
    """In a process of its own, so that the largest child is the one that ran this query."""
    query = (
        "WITH RECURSIVE n(i, s) AS (SELECT 1, printf('%.*c', 1000000, 'a') UNION ALL "
        "SELECT i + 1, s || i FROM n ORDER BY 1) SELECT count(*) FROM n"
    )
    code = (
        "import resource, sys\nfrom pathlib import Path\nfrom mathrag.errors import QueryError\n"
        "from mathrag.store.sql.query import run_sql\n"
        "try:\n    run_sql(Path(sys.argv[1]), sys.argv[2], megabytes=64, seconds=1)\n"
        "except QueryError:\n    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    command = [sys.executable, "-c", code, str(folder), query]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(result.stdout) < 320 * 1024


GOOD = [
    ("SELECT count(*) FROM documents", [(2,)]),
    ("SELECT name FROM documents ORDER BY name", [("mechanics.md",), ("waves.md",)]),
    ("SELECT label FROM formulas JOIN formula_symbols ON formula = id WHERE name = 'lambda_'", [("Wave speed",)]),
    ("SELECT label FROM formulas WHERE label LIKE '%speed%'", [("Wave speed",)]),
    ("SELECT caption, html FROM tables LIMIT 1", [("Densities", "<table></table>")]),
    ("SELECT text FROM table_cells WHERE row_number = 1 AND column_number = 0", [("water",), ("water",)]),
    ("SELECT DISTINCT value FROM documents, json_each(documents.authors) ORDER BY 1", [("Ada",), ("Émilie",)]),
    ("SELECT DISTINCT json_extract(box, '$[2]') FROM chunks", [(3.0,)]),
    ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT sum(i) FROM n", [(15,)]),
    (
        "SELECT f.label FROM formula_words w JOIN formulas f ON entry = w.rowid WHERE formula_words MATCH 'wavelength'",
        [("Wave speed",)],
    ),
    ("SELECT count(*) FROM chunk_words WHERE chunk_words MATCH 'λ OR lambda'", [(2,)]),
    ("SELECT count(*) > 10 FROM sqlite_master WHERE type = 'table'", [(1,)]),
    ("SELECT status, count(*) FROM findings GROUP BY status ORDER BY 1", [("declined", 1), ("executable", 6)]),
    ("SELECT label, rank() OVER (ORDER BY place_count DESC) FROM formulas LIMIT 1", [("Second law", 1)]),
    ("SELECT vector FROM vectors LIMIT 1", [("<128 bytes>",)]),
    ("VALUES (1, 'two', NULL)", [(1, "two", None)]),
    ("SELECT 9e999, -9e999", [(float("inf"), float("-inf"))]),
    ("SELECT round(number, 2) FROM constants WHERE symbol = 'g' ORDER BY 1", [(9.81,), (9.81,)]),
    ("SELECT a, k FROM (SELECT 'a' AS a, key AS k FROM bibliography) GROUP BY 1, 2", [("a", "newton")]),
    ("SELECT count(*) FROM relations r JOIN formulas f ON f.id = r.source WHERE r.kind = 'uses'", [(2,)]),
    ("SELECT 1 -- a remark; and more", [(1,)]),
    ("SELECT count(*) FROM corrections", [(0,)]),
    ("SELECT 1;", [(1,)]),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("query", "rows"), thinned(GOOD, 6, pytest.mark.soak))
def test_good_queries_give_their_rows(folder: Path, query: str, rows: list[tuple[object, ...]]) -> None:
    assert list(run_sql(folder, query).rows) == rows


def test_columns_parameters_and_the_limit_of_rows(folder: Path) -> None:
    query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS number, ? AS word FROM n"
    assert run_sql(folder, query, max_rows=2, parameters=["x"]) == SqlResult(
        ("number", "word"), ((1, "x"), (2, "x")), True
    )
    assert not run_sql(folder, "SELECT 1 UNION SELECT 2", max_rows=2).truncated


def test_rows_that_are_too_long_are_cut(folder: Path) -> None:
    result = run_sql(folder, "SELECT printf('%.*c', 3000000, 'a') FROM sqlite_master, sqlite_master b", seconds=20)
    assert result.truncated
    assert sum(len(str(row[0])) for row in result.rows) <= 16_000_000


def test_an_answer_is_text_even_where_the_column_is_not(folder: Path) -> None:
    assert run_sql(folder, "SELECT CAST(x'ff41' AS TEXT)").rows == (("\ufffdA",),)


@pytest.mark.parametrize(
    ("options", "because"),
    [
        ({"query": "SELECT 1" + " " * 30_000}, "characters"),
        ({"query": "SELECT 1\x00"}, "null"),
        ({"parameters": [b"x"]}, "parameter"),
        ({"parameters": ["x" * 200_000]}, "parameter"),
        ({"parameters": [2**70]}, "64 bits"),
        ({"parameters": [1] * 200}, "parameters"),
        ({"parameters": [1]}, "wrong"),
        ({"max_rows": 0}, "rows"),
    ],
)
def test_questions_that_cannot_be_asked(folder: Path, options: dict[str, object], because: str) -> None:
    with pytest.raises(QueryError, match=because):
        run_sql(folder, **{"query": "SELECT 1", **options})


def test_no_library_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="no library"):
        run_sql(tmp_path, "SELECT 1")


def test_no_function_of_the_list_reaches_outside() -> None:
    assert (
        not {"load_extension", "readfile", "writefile", "edit", "zeroblob", "randomblob", "fts3_tokenizer"} & FUNCTIONS
    )
