"""The consoles for SPARQL and SQL without JavaScript: results, files, complaints with their place, and attacks."""

from __future__ import annotations

import csv
import io
import threading
from typing import Any

import pytest
from starlette.testclient import TestClient

from mathrag.errors import LibraryError, QueryError
from mathrag.library import Library
from mathrag.library.views.queries import csv_bytes, sql_mistake
from mathrag.serve.pages import query as query_pages
from mathrag.serve.pages import query as query_running
from mathrag.serve.pages.templates import entry_href
from thinned import thinned

HTML = {"Accept": "text/html"}
LANGUAGES = ("sparql", "sql")


@pytest.fixture(autouse=True)
def _without_session(client: TestClient) -> None:
    client.cookies.clear()


def _page(client: TestClient, language: str, **asked: Any) -> str:
    reply = client.get(f"/query/{language}", params=asked, headers=HTML)
    assert reply.status_code == 200, reply.text
    return reply.text


def _data(client: TestClient, language: str, *, status: int = 200, **asked: Any) -> dict[str, Any]:
    reply = client.get(f"/query/{language}.json", params=asked)
    assert reply.status_code == status, reply.text
    found: dict[str, Any] = reply.json()
    return found


def _problem(client: TestClient, language: str, query: str) -> str:
    found = _data(client, language, status=422, q=query)
    assert found["result"] is None
    assert found["problem"]["code"] == "query_refused"
    return str(found["problem"]["detail"])


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_example_runs_and_gives_something(client: TestClient, language: str) -> None:
    examples = _data(client, language)["examples"]
    assert len(examples) >= 5
    for example in examples:
        found = _data(client, language, q=example["query"])
        assert found["problem"] is None, example
        assert found["result"]["count"] > 0, example
        assert found["result"]["truncated"] is False, example


def test_an_example_fills_the_box_and_does_not_run(client: TestClient) -> None:
    html = _page(client, "sql", example="formulas")
    assert "FROM formulas\nWHERE status = &#39;executable&#39;" in html
    assert 'aria-current="true"' in html
    assert "result-title" not in html


def test_the_page_tells_what_can_be_queried(client: TestClient) -> None:
    tables = {table["name"]: table for table in _data(client, "sql")["tables"]}
    assert {"id", "label", "latex"} <= {column["name"] for column in tables["formulas"]["columns"]}
    assert tables["documents"]["rows"] == 3
    assert "vectors" not in tables
    terms = _data(client, "sparql")
    assert terms["prefixes"]["mathrag"] == "urn:mathrag:ontology:"
    assert "mathrag:Formula" in {term["name"] for term in terms["classes"]}
    uses = next(term for term in terms["properties"] if term["name"] == "mathrag:uses")
    assert (uses["domain"], uses["range"]) == ("Formula", "Formula")


def test_the_first_console_is_for_sparql(client: TestClient) -> None:
    assert client.get("/query.json").json()["language"] == "sparql"
    html = client.get("/query", headers=HTML).text
    assert '<a href="/query/sparql" aria-current="page">SPARQL</a>' in html
    assert '<a href="/query" aria-current="page">Query</a>' in html
    assert client.get("/query/cypher", headers=HTML).status_code == 404


def test_ids_of_entries_lead_to_their_pages(client: TestClient) -> None:
    both = _page(client, "sql", q="SELECT formula, document FROM formula_places LIMIT 1")
    constants = _page(client, "sparql", q="SELECT ?c { ?c a mathrag:Constant }")
    for html, start in ((both, "/formulas/f-"), (both, "/library/documents/d-"), (constants, "/constants/c-")):
        address = html.partition(f'<td class="nowrap"><a href="{start}')[2].partition('"')[0]
        assert address
        assert client.get(start + address, headers=HTML).status_code == 200


def test_only_ids_are_links() -> None:
    assert entry_href("f-0123456789ab") == "/formulas/f-0123456789ab"
    assert entry_href("document:d-0123456789ab") == "/library/documents/d-0123456789ab"
    for other in ("f-0123456789ag", "f-0123456789ab\n", "x f-0123456789ab", "javascript:alert(1)", 7, None):
        assert entry_href(other) == ""


def test_what_is_cut_by_the_limit_says_so(client: TestClient) -> None:
    query = "SELECT name, is_target, unit FROM formula_symbols"
    html = _page(client, "sql", q=query, rows=2)
    assert "2 rows" in html
    assert "<strong>Cut:</strong>" in html
    found = _data(client, "sql", q=query, rows=2)["result"]
    assert (found["count"], found["truncated"]) == (2, True)
    assert found["milliseconds"] > 0
    assert "rows=2" in found["csv"]
    whole = _data(client, "sparql", q="SELECT ?s { ?s a mathrag:Formula }")["result"]
    assert whole["truncated"] is False


def test_questions_with_yes_or_no_and_graphs(client: TestClient) -> None:
    assert ">Yes</h2>" in _page(client, "sparql", q="ASK { ?f a mathrag:Formula }")
    assert ">No</h2>" in _page(client, "sparql", q="ASK { ?f a mathrag:Nothing }")
    html = _page(client, "sparql", q="CONSTRUCT { ?f rdfs:label ?l } WHERE { ?f a mathrag:Constant ; rdfs:label ?l }")
    assert "1 statement" in html
    assert "Nothing fits this query" in _page(client, "sql", q="SELECT id FROM formulas WHERE 0")


@pytest.mark.slow
def test_rows_as_files(client: TestClient) -> None:
    found = _data(client, "sql", q="SELECT label, '=1+1' AS sum, -2.5 AS less FROM formulas ORDER BY label LIMIT 2")
    reply = client.get(found["result"]["csv"])
    assert reply.headers["content-type"].startswith("text/csv")
    assert 'filename="result.csv"' in reply.headers["content-disposition"]
    rows = list(csv.reader(io.StringIO(reply.text)))
    assert rows[0] == ["label", "sum", "less"]
    assert [row[1:] for row in rows[1:]] == [["'=1+1", "-2.5"]] * 2
    whole = client.get(found["result"]["json"])
    assert 'filename="result.json"' in whole.headers["content-disposition"]
    assert whole.json() == {name: found["result"][name] for name in ("columns", "rows", "truncated")}
    asked = {"q": "SELECT ?label { ?f a mathrag:Formula ; rdfs:label ?label } ORDER BY ?label LIMIT 1"}
    assert client.get("/query/sparql/result.json", params=asked).json()["head"] == {"vars": ["label"]}
    assert client.get("/query/sparql/result.csv", params=asked).text.startswith("label\r\n")
    assert client.get("/query/sql/result.csv").status_code == 422
    assert client.get("/query/sql/result.xlsx", params={"q": "SELECT 1"}).status_code == 404


def test_no_cell_of_a_file_is_a_spreadsheet_formula() -> None:
    text = csv_bytes(["=HYPERLINK(1)", "plain"], [["@cmd", 1], ["\t=x", -1.5], [None, "-1e5"], ['a,"b"', "é\ud800"]])
    rows = list(csv.reader(io.StringIO(text.decode("utf-8"), newline="")))
    assert rows == [["'=HYPERLINK(1)", "plain"], ["'@cmd", "1"], ["'\t=x", "-1.5"], ["", "-1e5"], ['a,"b"', "é?"]]


@pytest.mark.slow
def test_what_is_found_and_asked_is_shown_as_text(client: TestClient) -> None:
    query = "SELECT title AS '<b onclick=x>', '<script>alert(2)</script>' FROM documents --</textarea><script>alert(3)"
    html = _page(client, "sql", q=query)
    assert "&lt;script&gt;alert(&#39;title&#39;)&lt;/script&gt;" in html
    assert "&lt;script&gt;alert(2)" in html
    assert "&lt;/textarea&gt;&lt;script&gt;alert(3)" in html
    assert "<script>alert" not in html
    assert "<b onclick" not in html
    graph = _page(client, "sparql", q='SELECT ("<img src=x onerror=alert(1)>" AS ?x) { }')
    assert "&lt;img src=x" in graph
    assert "<img src=x" not in graph
    wrong = _page(client, "sql", q="SELECT * FROM '<script>alert(4)</script>'")
    assert "<script>alert" not in wrong


SQL_ATTACKS = (
    ("INSERT INTO documents (id) VALUES ('x')", "not allowed"),
    ("DELETE FROM formulas", "not allowed"),
    ("UPDATE formulas SET label = 'x'", "not allowed"),
    ("DROP TABLE formulas", "not allowed"),
    ("CREATE TABLE x (a)", "not allowed"),
    ("ATTACH '/etc/passwd' AS other", "not allowed"),
    ("PRAGMA writable_schema = 1", "not allowed"),
    ("VACUUM INTO '/tmp/copy.sqlite'", "not allowed"),
    ("SELECT load_extension('x')", "the function load_extension"),
    ("SELECT readfile('/etc/passwd')", "no such function"),
    ("SELECT * FROM pragma_database_list", "not allowed"),
    ("SELECT 1; DELETE FROM formulas", "one statement"),
    ("SELECT zeroblob(1000000000)", "the function zeroblob"),
)


@pytest.mark.parametrize(("query", "told"), thinned(SQL_ATTACKS, 4, pytest.mark.soak))
def test_sql_that_is_not_reading_is_refused(client: TestClient, query: str, told: str) -> None:
    assert told in _problem(client, "sql", query)


SPARQL_ATTACKS = (
    ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", "INSERT would change the graph"),
    ("DELETE WHERE { ?s ?p ?o }", "DELETE would change the graph"),
    ("LOAD <file:///etc/passwd>", "LOAD would change the graph"),
    ("CLEAR ALL", "CLEAR would change the graph"),
    ("DROP ALL", "DROP would change the graph"),
    ("SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "SERVICE asks another server"),
    ("SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }", "leave out FROM"),
    ("SELECT * FROM NAMED <http://127.0.0.1:9/> { ?s ?p ?o }", "leave out FROM"),
    ("SELECT ?x { " + "{" * 300 + "}" * 300 + " }", "brackets"),
)


@pytest.mark.parametrize(("query", "told"), thinned(SPARQL_ATTACKS, 3, pytest.mark.soak))
def test_sparql_that_changes_or_reaches_out_is_refused(client: TestClient, query: str, told: str) -> None:
    assert told in _problem(client, "sparql", query)


RUNAWAYS = (
    ("sql", "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"),
    ("sql", f"SELECT count(*) FROM {', '.join(f'formula_symbols s{number}' for number in range(8))}"),
    ("sparql", "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"),
    ("sparql", "SELECT (COUNT(*) AS ?n) { ?a (!<urn:x>|^!<urn:y>)* ?b . ?c (!<urn:x>|^!<urn:y>)* ?d }"),
)  # fmt: skip


@pytest.mark.parametrize(("language", "query"), RUNAWAYS, ids=("recursion", "join", "product", "paths"))
def test_a_query_that_runs_away_is_stopped(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, language: str, query: str
) -> None:
    monkeypatch.setattr("mathrag.serve.api.queries.SECONDS", 0.3)
    html = _page(client, language, q=query)
    assert "The query was stopped" in html
    assert "took longer than 0.3 s and was stopped" in html


@pytest.mark.slow
def test_a_complaint_says_where(client: TestClient) -> None:
    found = _data(client, "sparql", status=422, q="SELECT ?x WHERE {\n  ?x a nothing:Known }")["problem"]
    assert found["place"]["line"] == 2
    assert "the prefix nothing: is not declared" in found["detail"]
    html = _page(client, "sql", q="SELECT id,\r\n  labl FROM formulas")
    assert 'data-line="2" data-column="3"' in html
    assert "no such column: labl; is label meant?" in html
    assert "  labl FROM formulas\n  ^" in html
    assert 'aria-invalid="true"' in html


def test_the_place_of_a_mistake_is_told_only_where_it_is_certain() -> None:
    said = 'the query is wrong: near "FORM": syntax error'
    assert sql_mistake(said, "SELECT 1\nFORM x").startswith("line 2, column 1: ")
    assert sql_mistake(said, "SELECT FORM FORM x") == said
    assert sql_mistake(said, "SELECT FORMS") == said
    assert sql_mistake("the query is wrong: no such table: formula", "SELECT * FROM formula", known=["formulas"]) == (
        "line 1, column 15: the query is wrong: no such table: formula; is formulas meant?\n"
        "SELECT * FROM formula\n              ^"
    )
    assert sql_mistake("something else", "SELECT 1") == "something else"


def test_a_query_that_is_too_long_for_an_address(client: TestClient) -> None:
    query = f"SELECT '{'x' * query_pages.LONGEST}'"
    found = _data(client, "sql", status=413, q=query)
    assert found["problem"]["code"] == "query_too_long"
    assert client.get("/query/sql/result.csv", params={"q": query}).status_code == 413


def test_odd_addresses_do_no_harm(client: TestClient) -> None:
    for asked in ({"rows": "x"}, {"rows": "-1"}, {"rows": "9" * 30}, {"rows": "0"}, {"example": "<x>"}, {"q": " \n "}):
        found = _data(client, "sql", **asked)
        assert found["result"] is None
        assert 1 <= found["rows"] <= 10_000
    assert "null character" in _problem(client, "sql", "SELECT '\x00'")
    assert "null character" in _problem(client, "sparql", "SELECT ?x {\x00}")
    assert client.post("/query/sql", data={"q": "SELECT 1"}).status_code == 405


def test_no_other_site_has_queries_run_behind_a_persons_back(client: TestClient) -> None:
    behind = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    reply = client.get("/query/sql/result.json", params={"q": "SELECT 1"}, headers=behind)
    assert (reply.status_code, reply.json()["code"]) == (403, "cross_site")
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/query/sql/result.json", params={"q": "SELECT 1"}, headers=link).status_code == 200


def test_too_many_at_once_are_sent_away(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_pages, "_MOST_WAITING", 0)
    reply = client.get("/query/sql/result.csv", params={"q": "SELECT 1"})
    assert (reply.status_code, reply.headers["retry-after"]) == (503, "5")


def test_a_graph_that_takes_long_is_not_waited_for(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    built, asked = threading.Event(), {"q": "ASK { ?f a mathrag:Formula }"}
    monkeypatch.setattr(Library, "prepare_graph", lambda _: built.wait(30))
    monkeypatch.setattr(query_running, "_PATIENCE_SECONDS", 0.01)
    try:
        for _ in range(2):
            assert _data(client, "sparql", status=503, **asked)["problem"]["code"] == "graph_building"
        assert "data-again" in _page(client, "sparql", **asked)
        assert _data(client, "sql", q="SELECT 1")["result"]["count"] == 1
    finally:
        built.set()
    monkeypatch.setattr(query_running, "_PATIENCE_SECONDS", 30)
    assert _data(client, "sparql", **asked)["result"]["answer"] is True


def test_a_graph_that_cannot_be_built_is_said_to_be(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Library) -> None:
        raise LibraryError("the disk is full")

    monkeypatch.setattr(Library, "prepare_graph", fail)
    found = _data(client, "sparql", status=409, q="ASK { ?f a mathrag:Formula }")
    assert found["problem"]["detail"] == "the disk is full"


def test_a_long_result_is_shown_in_part(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_pages, "_MOST_SHOWN", 3)
    html = _page(client, "sql", q="SELECT name, printf('%500s', name) FROM formula_symbols LIMIT 7")
    assert "The first 3 rows are shown; the files have all 7" in html
    assert html.count("<tr>") == 4


def test_a_complaint_is_shown_as_text(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise QueryError("the query failed: <b>why</b>")

    monkeypatch.setattr(query_pages, "table_of", fail)
    html = _page(client, "sql", q="SELECT 1")
    assert "&lt;b&gt;why" in html


def test_a_literal_that_is_no_number_is_shown_as_it_is() -> None:
    whole = "http://www.w3.org/2001/XMLSchema#integer"
    assert query_running._shown({"shown": "--5", "datatype": whole}) == "--5"
    assert query_running._shown({"shown": "-5", "datatype": whole}) == -5
