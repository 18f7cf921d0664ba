"""SPARQL of strangers: useful queries answer, all others are refused or stopped with a clear sentence."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mathrag.errors import LibraryError, QueryError
from mathrag.store.graph.generations import ensure_graph
from mathrag.store.graph.sparql import LONGEST_QUERY, Term, run_sparql, screen
from store.graph.sample_library import large_library, sample_library

SECONDS = 1.0


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    ensure_graph(folder, 1, lambda: (1, sample_library()))
    return folder


@pytest.fixture(scope="module")
def larger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("larger")
    ensure_graph(folder, 1, lambda: (1, large_library(150)))
    return folder


def values(folder: Path, query: str) -> list[tuple[str, ...]]:
    return [tuple(str(term) for term in row) for row in run_sparql(folder, query).rows]


def test_select_with_known_prefixes(library: Path) -> None:
    query = """SELECT ?label ?unit { ?f a mathrag:Formula ; rdfs:label ?label ; mathrag:resultUnit ?unit ;
        mathrag:hasSymbol [ mathrag:quantityKind kind:mass ] } ORDER BY ?label"""
    assert values(library, query) == [("=rest energy | of a body", "unit:J"), ("energy of motion", "unit:J")]


def test_kinds_are_linked_to_qudt(library: Path) -> None:
    query = "SELECT DISTINCT ?name { ?s qudt:hasQuantityKind quantitykind:Mass ; mathrag:name ?name }"
    assert values(library, query) == [("m",)]


def test_the_other_forms(library: Path) -> None:
    asked = run_sparql(library, "ASK { ?f mathrag:usesConstant ?c }")
    assert (asked.kind, asked.answer) == ("ask", True)
    built = run_sparql(library, "CONSTRUCT { ?a rdfs:seeAlso ?b } WHERE { ?a mathrag:derivedFrom ?b }")
    assert built.kind == "construct"
    assert [str(term) for term in built.rows[0]][1] == "rdfs:seeAlso"
    assert len(run_sparql(library, "DESCRIBE ?c { ?c a mathrag:Constant }").rows) > 5
    assert run_sparql(library, "SELECT ?x { OPTIONAL { ?x a mathrag:Nothing } }").rows == ((None,),)


def test_the_ontology_is_in_the_graph(library: Path) -> None:
    assert values(library, "SELECT ?l { mathrag:usesConstant rdfs:label ?l }") == [("uses constant",)]


def test_rows_are_cut_and_said_to_be(library: Path) -> None:
    result = run_sparql(library, "SELECT * { ?s ?p ?o }", max_rows=7)
    assert (len(result.rows), result.truncated) == (7, True)
    assert not run_sparql(library, "SELECT * { ?s a mathrag:Library }", max_rows=1).truncated


def test_terms_keep_their_types(library: Path) -> None:
    ((value,),) = run_sparql(library, "SELECT ?v { ?c a mathrag:Constant ; mathrag:value ?v }").rows
    assert value == Term("literal", "299792458.0", "http://www.w3.org/2001/XMLSchema#double") or value is not None
    assert float(value.value) == 299792458.0


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?s { ?s rdfs:label 'SERVICE <http://x>' }",
        'SELECT ?s { ?s rdfs:label """INSERT "DATA" SERVICE""" }',
        "# SERVICE <http://127.0.0.1/> {}\nSELECT ?s { ?s a mathrag:Formula } # DELETE",
        "SELECT ?service ?from { ?service mathrag:form ?from }",
        "PREFIX service: <http://example.org/service#> SELECT ?s { ?s service:service 1 }",
        "SELECT ?s { ?s <http://example.org/SERVICE> 1 }",
        "BASE <http://example.org/> PREFIX insert: <x#> ASK { ?s insert:delete ?o }",
    ],
)
def test_harmless_words_are_not_refused(library: Path, query: str) -> None:
    run_sparql(library, query)


REFUSED = {
    "INSERT DATA { <urn:a:b> <urn:a:c> 1 }": "would change the graph",
    "DELETE WHERE { ?s ?p ?o }": "would change the graph",
    "PREFIX x: <urn:x:> dElEtE { ?s ?p ?o } WHERE { ?s ?p ?o }": "would change the graph",
    "LOAD <http://127.0.0.1:9/>": "would change the graph",
    "CLEAR ALL": "would change the graph",
    "DROP DEFAULT": "would change the graph",
    "CREATE GRAPH <urn:g:g>": "would change the graph",
    "WITH <urn:g:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }": "would change the graph",
    "SELECT * { SERVICE <http://127.0.0.1:8080/> { ?s ?p ?o } }": "asks another server",
    "SELECT * { sErViCe SILENT <http://127.0.0.1:8080/> { ?s ?p ?o } }": "asks another server",
    "SELECT * { VALUES ?x { <http://127.0.0.1:8080/> } SERVICE?x{ ?s ?p ?o } }": "asks another server",
    "SELECT * { FILTER EXISTS { {SERVICE<http://127.0.0.1/>{}} } }": "asks another server",
    "SELECT * FROM <http://127.0.0.1:8080/data.ttl> { ?s ?p ?o }": "leave out FROM",
    "SELECT * FROM NAMED <file:///etc/passwd> { GRAPH ?g { ?s ?p ?o } }": "leave out FROM",
    "": "nothing to run",
    "# only a comment": "nothing to run",
    "EXPLAIN SELECT * { ?s ?p ?o }": "a query begins with",
    "SELECT * { ?s ?p ?o": "ends too early",
    "SELECT ?x { ?x foo:bar 1 }": "the prefix foo: is not declared",
    "SELECT ?x {\n  ?x rdfs:label label }": "line 2, column",
    "SELECT * { ?s ?p 'open }": "line 1, column",
    "SELECT (<http://example.org/f>(1) AS ?x) {}": "not supported",
    "SELECT * { ?s ?p ?o } ; DROP ALL": "line 1, column",
    "SELECT\x00 * { ?s ?p ?o }": "null character",
    "SELECT * " + "{" * 5_000 + "}" * 5_000: "brackets inside each other",
    "SELECT (" + "(" * 5_000 + "1" + ")" * 5_000 + " AS ?x) {}": "brackets inside each other",
    "SELECT * { VALUES ?x { " + "1 " * LONGEST_QUERY + "} }": "characters; at most",
}


@pytest.mark.parametrize("query", REFUSED, ids=lambda query: query[:40])
def test_refused_with_a_reason(library: Path, query: str) -> None:
    with pytest.raises(QueryError, match=REFUSED[query]):
        run_sparql(library, query, seconds=SECONDS)


DOUBLING = "".join(
    f"BIND(CONCAT({','.join([f'?v{number}'] * 8)}) AS ?v{number + 1}) " for number in range(12)
)  # 8^12 characters
BOMBS = {
    "a cross product": "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l } ORDER BY ?c ?f ?i ?l",
    "counting a cross product": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }",
    "a distinct cross product": "SELECT DISTINCT ?a ?d ?g ?j { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l } "
    "OFFSET 100000000",
    "a property path": "SELECT (COUNT(*) AS ?n) { ?a (mathrag:uses|^mathrag:uses|!rdf:type)* ?b . ?b (!rdf:type)* ?c . "
    "?c (!rdf:type)+ ?d . ?d (!rdf:type|^!rdf:type)* ?e }",
    "nested property paths": "SELECT (COUNT(*) AS ?n) { ?a ((((!rdf:type)*|^(!rdf:type))*/(!rdf:type)*)*) ?b . "
    "?b ((^(!rdf:type))*/((!rdf:type)*))* ?c . ?c ?p ?d . ?e ?q ?f }",
    "text that doubles": f"SELECT (STRLEN(?v12) AS ?n) {{ BIND('aaaaaaaaaaaaaaaa' AS ?v0) {DOUBLING} }}",
    "text joined over a product": "SELECT (STRLEN(GROUP_CONCAT(?o; separator=',')) AS ?n) "
    "{ ?s ?p ?o . ?t ?q ?r . ?u ?v ?w . ?x ?y ?z }",
    "replacements that grow": "SELECT (STRLEN(?d) AS ?n) { BIND(REPLACE('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'a', "
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') AS ?a) BIND(REPLACE(?a, 'a', ?a) AS ?b) "
    "BIND(REPLACE(?b, 'a', ?b) AS ?c) BIND(REPLACE(?c, 'a', ?c) AS ?d) }",
    "a regular expression over a product": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i "
    "FILTER(REGEX(CONCAT(STR(?c), STR(?f), STR(?i)), '^(a+)+(b+)+$') || REGEX(STR(?c), '(.*)(.*)(.*)(.*)x')) }",
    "minus of products": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i MINUS { ?a ?x ?y . ?z ?u ?v } }",
    "nested optionals": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c OPTIONAL { ?d ?e ?f OPTIONAL { ?g ?h ?i OPTIONAL "
    "{ ?j ?k ?l OPTIONAL { ?m ?n ?o } } } } }",
    "grouping a product": "SELECT ?c ?f ?i (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } GROUP BY ?c ?f ?i",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_stopped_in_time(larger: Path, name: str) -> None:
    with pytest.raises(QueryError, match=r"took longer than|more than 300 MB"):
        run_sparql(larger, BOMBS[name], seconds=0.3, megabytes=300)


def test_a_regular_expression_alone_is_no_bomb(library: Path) -> None:
    query = "SELECT (REGEX('" + "a" * 5000 + "b', '^(a+)+$') AS ?x) {}"
    assert values(library, query) == [("false",)]


def test_long_results_are_cut(library: Path) -> None:
    query = "SELECT ?e { BIND('aaaaaaaaaaaaaaaa' AS ?a) " + "".join(
        f"BIND(CONCAT({','.join([f'?{one}'] * 8)}) AS ?{two}) " for one, two in ("ab", "bc", "cd", "de")
    )
    query += " ?s ?p ?o . ?q ?r ?t }"
    result = run_sparql(library, query, max_rows=100_000)
    assert result.truncated
    assert sum(len(str(row[0])) for row in result.rows) <= 16_000_000


@pytest.fixture
def listener() -> Iterator[tuple[int, list[bytes]]]:
    """A server that remembers who came."""
    came: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        stop = threading.Event()

        def listen() -> None:
            while not stop.is_set():
                try:
                    connection, _ = server.accept()
                except TimeoutError:
                    continue
                with connection:
                    came.append(connection.recv(10))

        thread = threading.Thread(target=listen)
        thread.start()
        yield server.getsockname()[1], came
        stop.set()
        thread.join()


def test_a_query_that_gets_past_the_screening_reaches_nobody(
    library: Path, listener: tuple[int, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, came = listener
    monkeypatch.setattr("mathrag.store.graph.sparql.screen", lambda _: None)
    for query in (
        f"SELECT * {{ SERVICE <http://127.0.0.1:{port}/> {{ ?s ?p ?o }} }}",
        f"SELECT * {{ SERVICE <http://localhost:{port}/> {{ ?s ?p ?o }} }}",
    ):
        with pytest.raises(QueryError, match="the query failed"):
            run_sparql(library, query, seconds=3)
    with pytest.raises(QueryError):
        run_sparql(library, f"LOAD <http://127.0.0.1:{port}/>")
    assert came == []


def test_screening_is_linear() -> None:
    for piece in ("a.", "<a", "'", '"', "\"\"\"a'''", "a-:", "\\", "?", "%41.", "#\n", "{}"):
        try:
            screen("SELECT * { " + (piece * LONGEST_QUERY)[: LONGEST_QUERY - 20])
        except QueryError:
            continue


def test_a_library_without_a_graph_says_so(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="has no graph yet"):
        run_sparql(tmp_path, "ASK {}")
    with pytest.raises(QueryError, match="between 1 and"):
        run_sparql(tmp_path, "ASK {}", max_rows=0)
