"""Queries that would write, reach out, look around or never end: refused over the API as on the command line."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from thinned import thinned

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _without_session(client: TestClient) -> None:
    client.cookies.clear()


# The same process answers as on the command line, where all sorts are tried; here it is the way in that counts.
REFUSED = [
    ("sql", "SELECT * FROM pragma_database_list"), ("sql", "SELECT * FROM pragma_compile_options"),
    ("sql", "SELECT fts3_tokenizer('x')"), ("sql", "SELECT length(zeroblob(1000000000))"),
    ("sql", "SELECT hex(randomblob(900000000))"),
    ("sql", "WITH x AS (SELECT 1) DELETE FROM formulas"), ("sql", "ATTACH ':memory:' AS m"),
    ("sql", "SELECT * FROM dbstat"), ("sql", "SELECT edit('x')"), ("sql", "/**/;;"), ("sql", "SELECT '"),
    ("sql", "SELECT 1;\x00DROP TABLE formulas"), ("sql", "SELECT " + "(" * 5_000 + "1" + ")" * 5_000),
    ("sparql", "SELECT * FROM <file:///etc/passwd> WHERE { ?s ?p ?o }"),
    ("sparql", "CONSTRUCT { ?s ?p ?o } FROM NAMED <http://attacker.example/> WHERE { ?s ?p ?o }"),
    ("sparql", "INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }"), ("sparql", "COPY DEFAULT TO <urn:x>"),
    ("sparql", "SELECT * {" + "{" * 5_000 + "}" * 5_000 + "}"), ("sparql", "SELECT * WHERE { ?s ?p"),
    ("sparql", "# comment\nDROP ALL # SELECT * WHERE { ?s ?p ?o }"), ("sparql", "CREATE GRAPH <urn:x>"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "query"), thinned(REFUSED, 7, pytest.mark.soak, name=lambda one: f"{one[0]}-{one[1][:50]}")
)
def test_more_queries_are_refused(client: TestClient, language: str, query: str) -> None:
    reply = client.post(f"/api/v1/{language}", json={"query": query})
    assert reply.status_code == 422, reply.text[:300]
    assert reply.json()["code"] == "query_refused"


def test_queries_that_only_look_like_attacks_reach_nothing(client: TestClient) -> None:
    reply = client.post("/api/v1/sparql", json={"query": "ASK { GRAPH <file:///etc/passwd> { ?s ?p ?o } }"})
    assert reply.json().get("boolean", False) is False
    slow = "SELECT (REGEX('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab', '^(a+)+$') AS ?x) {}"
    assert client.post("/api/v1/sparql", json={"query": slow}).status_code in (200, 422)
    odd = client.post("/api/v1/sql", json={"query": "SELECT char(0), 'x' || char(55296), 9e999"})
    assert odd.status_code == 200


def test_a_text_that_is_too_long_is_not_made(client: TestClient) -> None:
    """Whether the database gives nothing for it or the query runs out of time depends on the machine."""
    reply = client.post("/api/v1/sql", json={"query": "SELECT printf('%.*c', 1000000000, 'x')"})
    assert reply.status_code == 422 or reply.json()["rows"] == [[None]]
