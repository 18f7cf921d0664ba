"""The JSON API as a program meets it: what it gives, in which shape, and which problems it tells."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from serve_makers import QUESTION, client_of
from starlette.testclient import TestClient

API = "/api/v1"


@pytest.fixture(autouse=True)
def _without_session(client: TestClient) -> None:
    client.cookies.clear()


def _formula(client: TestClient, label: str = "Kinetic energy") -> str:
    items = client.get(f"{API}/formulas", params={"q": label}).json()["items"]
    return str(next(item["id"] for item in items if item["label"] == label))


def _events(text: str) -> list[tuple[str, Any]]:
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and not line.startswith(":"))
        if "data" in fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


def test_ask(client: TestClient) -> None:
    reply = client.post(f"{API}/ask", json={"question": QUESTION, "trace": True, "formats": ["markdown"]})
    found = reply.json()
    assert (found["outcome"], found["value"], found["unit"]) == ("answered", 9.0, "J")
    assert found["citations"][0]["quote"]
    assert found["trace"][-1]["action"] == "RESPOND"
    assert "9" in found["rendered"]["markdown"]
    then = client.post(f"{API}/ask", json={"question": "and for 4 kg?", "previous": found["asked"]}).json()
    assert then["value"] == 18.0


def test_a_refusal_is_an_outcome_and_says_what_is_missing(client: TestClient) -> None:
    found = client.post(f"{API}/ask", json={"question": "What is the kinetic energy of 2 kg?"}).json()
    assert found["outcome"] == "refused"
    assert [each["symbol"] for each in found["missing"]] == ["v"]


def test_ask_stream(client: TestClient) -> None:
    with client.stream("POST", f"{API}/ask/stream", json={"question": "kinetic energy of 7 kg at 2 m/s"}) as reply:
        assert reply.headers["content-type"].startswith("text/event-stream")
        events = _events("".join(reply.iter_text()))
    names = [name for name, _ in events]
    assert names[0] == "started"
    assert names[-1] == "outcome"
    assert set(names[1:-1]) == {"action", "observation"}
    assert events[-1][1]["value"] == 14.0
    got = client.get(f"{API}/ask/stream", params={"question": "kinetic energy of 7 kg at 2 m/s", "unit": "kJ"})
    assert _events(got.text)[-1][1]["value"] == pytest.approx(0.014)


def test_a_stream_ends_with_a_problem_where_there_is_no_outcome(client: TestClient) -> None:
    reply = client.post(f"{API}/ask/stream", json={"question": QUESTION, "formula": "f-000000000000"})
    name, problem = _events(reply.text)[-1]
    assert (name, problem["status"], problem["code"]) == ("error", 404, "not_found")


def test_a_formula_that_is_not_there_cannot_be_used(client: TestClient) -> None:
    for name in ("f-000000000000", "nothing of that name", "' OR 1=1"):
        assert client.post(f"{API}/ask", json={"question": QUESTION, "formula": name}).status_code == 404


def test_formulas_are_listed_with_facets_and_pages(client: TestClient) -> None:
    whole = client.get(f"{API}/formulas").json()
    assert whole["total"] == len(whole["items"]) == 6
    assert {facet["value"] for facet in whole["facets"]["status"]} <= {"executable", "declined", "quarantined"}
    documents = {facet["label"]: facet for facet in whole["facets"]["document"]}
    circuits = documents["Notes on circuits"]
    narrowed = client.get(f"{API}/formulas", params={"document": circuits["value"]}).json()
    assert narrowed["total"] == circuits["count"] == 2
    paged = [
        item["id"]
        for offset in range(6)
        for item in client.get(f"{API}/formulas", params={"limit": 1, "offset": offset}).json()["items"]
    ]
    assert paged == [item["id"] for item in whole["items"]]
    assert client.get(f"{API}/formulas", params={"offset": 100}).json()["items"] == []
    best = client.get(f"{API}/formulas", params={"q": "ohm's law voltage current"}).json()["items"][0]
    assert best["latex"] == "V = I R"
    assert best["mathml"].startswith("<math")


def test_one_formula_with_relations_examples_and_its_place(client: TestClient) -> None:
    identifier = _formula(client)
    found = client.get(f"{API}/formulas/{identifier}").json()
    assert [symbol["name"] for symbol in found["symbols"]] == ["E_k", "m", "v"]
    assert found["places"][0]["document_name"] == "Notes on mechanics"
    (instance,) = client.get(f"{API}/formulas/{identifier}/instances").json()["items"]
    assert instance["verdict"] == "agrees"
    assert isinstance(client.get(f"{API}/formulas/{identifier}/relations").json()["items"], list)
    source = client.get(f"{API}/formulas/{identifier}/source").json()
    passage = source["passage"]
    assert passage["text"][passage["start"] : passage["end"]] == source["place"]["quote"]
    assert source["picture"] is None
    assert client.get(f"{API}/formulas/{identifier}/source", params={"place": 50}).status_code == 404


def test_constants(client: TestClient) -> None:
    (found,) = client.get(f"{API}/constants").json()["items"]
    assert (found["value"], found["unit"]) == ("343", "m/s")
    assert client.get(f"{API}/constants/{found['id']}").json()["symbol"] == found["symbol"]
    assert client.get(f"{API}/constants", params={"q": "speed of sound"}).json()["total"] == 1


def test_documents_and_passages(client: TestClient) -> None:
    listed = client.get(f"{API}/documents").json()
    assert [item["name"] for item in listed["items"]] == [
        f"documents/{name}.md" for name in ("circuits", "hostile", "mechanics")
    ]
    document = listed["items"][0]
    assert document["counts"]["formulas"] == 2
    assert "key" not in document
    found = client.get(f"{API}/documents/{document['id']}/passage", params={"line": 7, "quote": "V = I R"}).json()
    assert found["text"][found["start"] : found["end"]] == "V = I R"
    assert client.get(f"{API}/documents/{document['id']}/pages/1").status_code == 404
    assert client.get(f"{API}/documents/{document['id']}/pages/1/picture").status_code == 404


def test_search(client: TestClient) -> None:
    hits = client.get(f"{API}/search", params={"q": "momentum", "kind": ["formula"]}).json()["items"]
    assert hits[0]["label"] == "Momentum"
    assert {hit["kind"] for hit in hits} == {"formula"}


def test_compute_and_sweep(client: TestClient) -> None:
    identifier = _formula(client)
    body = {"formula": identifier, "values": {"E_k": "9 J", "m": "2 kg"}, "solve_for": "v", "unit": "km/h"}
    assert client.post(f"{API}/compute", json=body).json()["value"] == pytest.approx(10.8)
    curve = {"formula": identifier, "values": {"m": "2"}, "symbol": "v", "start": "1", "stop": "100", "points": 3}
    points = client.post(f"{API}/compute/sweep", json={**curve, "scale": "logarithmic"}).json()["points"]
    assert [point["y"] for point in points] == pytest.approx([1, 100, 10_000])
    for wrong in ({"values": {"m": "2 s", "v": "3"}}, {"values": {"q": "1"}}, {"values": {"m": "1e"}}, {"unit": "x"}):
        reply = client.post(f"{API}/compute", json={"formula": identifier, "values": {"m": "2", "v": "3"}, **wrong})
        assert reply.status_code == 422, wrong
    assert client.post(f"{API}/compute", json={"formula": "f-000000000000"}).status_code == 404


@pytest.mark.slow
def test_sql_and_sparql(client: TestClient) -> None:
    query = "SELECT label FROM formulas WHERE target = 'p'"
    assert client.post(f"{API}/sql", json={"query": query}).json()["rows"] == [["Momentum"]]
    text = client.post(f"{API}/sql", json={"query": query, "format": "csv"}).text
    assert list(csv.reader(io.StringIO(text))) == [["label"], ["Momentum"]]
    ask = client.post(f"{API}/sparql", json={"query": "ASK { ?s ?p ?o }"}).json()
    assert ask["boolean"] is True
    select = client.post(f"{API}/sparql", json={"query": "SELECT ?s WHERE { ?s ?p ?o } LIMIT 2"}).json()
    assert select["head"]["vars"] == ["s"]
    assert len(select["results"]["bindings"]) == 2


@pytest.mark.parametrize("form", ["turtle", "jsonld", "csv", "parquet", "latex", "markdown"])
def test_export(client: TestClient, form: str) -> None:
    reply = client.get(f"{API}/export", params={"format": form})
    assert reply.status_code == 200
    assert "attachment" in reply.headers["content-disposition"]
    if form in ("csv", "parquet"):
        assert zipfile.ZipFile(io.BytesIO(reply.content)).namelist()
    else:
        assert "Kinetic energy" in reply.text


def test_what_needs_a_person(client: TestClient) -> None:
    assert client.get(f"{API}/quarantined").json()["total"] == 0
    assert client.get(f"{API}/conflicts").json()["items"] == []
    assert client.get(f"{API}/library").json()["totals"]["formulas"] == 6


def test_health_and_figures(client: TestClient) -> None:
    client.post(f"{API}/ask", json={"question": QUESTION})
    assert client.get("/healthz").json()["status"] == "ok"
    text = client.get("/metrics").text
    assert 'mathrag_asks_total{outcome="answered"}' in text
    assert "mathrag_pool_ready 1" in text
    assert 'mathrag_request_seconds_bucket{route="/api/v1/ask",le="+Inf"}' in text
    assert "mathrag_jobs_queued 0" in text
    assert "# TYPE mathrag_pool_asked counter" in text
    names = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    assert names == {line.split()[2] for line in text.splitlines() if line.startswith("# HELP")}


def test_clients_cannot_make_up_the_labels_of_figures(client: TestClient) -> None:
    for path in ("/formulas/zz1", f"{API}/formulas/zz2", "/zz3", f"{API}/zz4", "/static/zz5", "/mcp", f"{API}/search"):
        client.get(path)
    text = client.get("/metrics").text
    assert not re.search(r"zz\d", text)
    routes = set(re.findall(r'route="([^"]*)"', text))
    assert routes >= {"/formulas/{formula}", f"{API}/formulas/{{formula}}", "other", "/static", "/mcp", f"{API}/search"}


def test_problems_and_the_token_are_described_as_they_are(client: TestClient) -> None:
    document = client.get(f"{API}/openapi.json").json()
    for status in ("4XX", "5XX"):
        content = document["paths"][f"{API}/search"]["get"]["responses"][status]["content"]
        assert content == {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    found = client.get(f"{API}/search").json()
    assert set(found) <= set(document["components"]["schemas"]["Problem"]["properties"])
    assert document["components"]["securitySchemes"]["HTTPBearer"]["scheme"] == "bearer"
    assert document["security"] == [{}, {"HTTPBearer": []}]


def test_a_search_ignores_nothing_silently(client: TestClient) -> None:
    reply = client.get(f"{API}/search", params={"q": "energy", "offset": 2})
    assert (reply.status_code, reply.json()["code"]) == (422, "invalid")
    assert "'offset'" in reply.json()["detail"]


def test_the_api_documents_itself(client: TestClient) -> None:
    document = client.get(f"{API}/openapi.json").json()
    paths = {path: methods for path, methods in document["paths"].items() if path.startswith(API)}
    assert len(paths) > 20
    for path, methods in paths.items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            assert operation["description"], (method, path)
            assert {"4XX", "5XX"} <= set(operation["responses"]), (method, path)
            for parameter in operation.get("parameters", ()):
                assert parameter.get("description"), (path, parameter["name"])
    for name in ("Question", "OutcomeObject", "FormulaList", "Computation", "Sweep", "JobObject", "Problem"):
        for field, about in document["components"]["schemas"][name]["properties"].items():
            assert about.get("description"), (name, field)
    assert 'data-method="POST" data-path="/api/v1/ask"' in client.get(f"{API}/docs").text


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "not_found"),
        ("GET", f"{API}/nothing", 404, "not_found"),
        ("DELETE", f"{API}/library", 405, "method_not_allowed"),
        ("GET", f"{API}/formulas?limit=0", 422, "invalid"),
        ("GET", f"{API}/formulas?limit=100000", 422, "invalid"),
        ("GET", f"{API}/documents/d-000000000000", 404, "not_found"),
        ("GET", f"{API}/jobs/j-0000000000000000", 404, "not_found"),
    ],
)
def test_problems(client: TestClient, method: str, path: str, status: int, code: str) -> None:
    reply = client.request(method, path)
    found = reply.json()
    assert (reply.status_code, found["status"], found["code"]) == (status, status, code)
    assert reply.headers["content-type"] == "application/problem+json"


@pytest.mark.slow
def test_editing_has_a_history_and_can_be_taken_back(copied: Path) -> None:
    with client_of(copied, is_ready=False) as client:
        identifier = _formula(client)
        path = f"{API}/formulas/{identifier}"
        change = {"changes": [{"field": "label", "value": "Energy of motion"}], "author": "Ada", "note": "clearer"}
        edited = client.patch(path, json=change).json()
        assert edited["label"] == "Energy of motion"
        (made,) = edited["corrections"]
        assert (made["author"], made["note"], made["field"]) == ("Ada", "clearer", "label")
        aside = client.patch(path, json={"changes": [{"field": "status", "value": "quarantined"}]}).json()
        assert aside["status"] == "quarantined"
        (listed,) = client.get(f"{API}/quarantined").json()["items"]
        assert listed["id"] == identifier
        for number in [each["number"] for each in aside["corrections"]]:
            assert client.delete(f"{path}/corrections/{number}").status_code == 200
        assert client.delete(f"{path}/corrections/99").status_code == 404
        back = client.get(path).json()
        assert (back["label"], back["status"], back["corrections"]) == ("Kinetic energy", "executable", [])
        for wrong in ({"field": "colour", "value": "red"}, {"field": "symbol.m.unit", "value": "flurbs"}):
            assert client.patch(path, json={"changes": [wrong]}).status_code == 422


@pytest.mark.slow
def test_trusting_a_document(copied: Path) -> None:
    with client_of(copied, is_ready=False) as client:
        document = client.get(f"{API}/documents").json()["items"][0]
        assert (document["trust"], document["origin"]) == (None, "file")
        path = f"{API}/documents/{document['id']}"
        assert client.put(f"{path}/trust", json={"trust": "untrusted"}).json()["trust"] == "untrusted"
        assert client.get(path).json()["trust"] == "untrusted"
        assert client.put(f"{path}/trust", json={"trust": None}).json()["trust"] is None
        assert client.put(f"{path}/trust", json={"trust": "beloved"}).status_code == 422
        assert client.put(f"{API}/documents/d-000000000000/trust", json={"trust": None}).status_code == 404
        client.put(f"{path}/trust", json={"trust": "untrusted"})
        assert "Marked as untrusted" in client.get(f"/library/documents/{document['id']}").text


@pytest.mark.slow
def test_removing_a_document(copied: Path) -> None:
    with client_of(copied, is_ready=False) as client:
        document = client.get(f"{API}/documents").json()["items"][0]
        assert client.delete(f"{API}/documents/{document['id']}").json()["name"] == "documents/circuits.md"
        assert client.get(f"{API}/documents").json()["total"] == 2
        assert client.delete(f"{API}/documents/{document['id']}").status_code == 404


@pytest.mark.slow
def test_an_empty_library_can_be_served(tmp_path: Path) -> None:
    with client_of(tmp_path / "new") as client:
        assert client.post(f"{API}/ask", json={"question": QUESTION}).json()["outcome"] == "refused"
        assert "The library is empty" in client.get("/").text
        assert client.get(f"{API}/formulas").json()["total"] == 0
    shutil.rmtree(tmp_path / "new")
