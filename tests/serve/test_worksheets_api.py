"""Worksheets over HTTP: computed, kept and written, by the API and on the page."""

from __future__ import annotations

from pathlib import Path

from serve_makers import csrf_of
from starlette.testclient import TestClient

from mathrag.library import Library
from mathrag.types.expression import equation_symbols

API = "/api/v1/worksheets"


def test_a_sheet_is_computed_line_by_line(client: TestClient) -> None:
    reply = client.post(
        f"{API}/evaluate", json={"text": "m = 2 kg\nE = m*(3 m/s)^2/2\nx = m + 1 s\nplot a^2 for a = 0 .. 1"}
    )
    data = reply.json()
    assert reply.status_code == 200
    assert data["values"]["E"]["value"] == 9
    assert data["lines"][1]["mathml"].startswith("<math")
    assert "dimensions differ" in data["lines"][2]["problem"]["message"]
    assert data["lines"][3]["svg"].startswith("<svg")


def test_sheets_are_saved_listed_read_and_deleted(client: TestClient) -> None:
    assert client.put(f"{API}/Beam 1", json={"text": "a = 2 m"}).json()["name"] == "Beam 1"
    assert [each["name"] for each in client.get(API).json()["items"]] == ["Beam 1"]
    assert client.get(f"{API}/Beam 1").json()["text"] == "a = 2 m"
    assert client.delete(f"{API}/Beam 1").status_code == 200
    assert client.get(f"{API}/Beam 1").status_code == 404
    assert client.delete(f"{API}/Beam 1").status_code == 404


def test_what_is_too_long_or_strange_is_refused(client: TestClient) -> None:
    assert client.post(f"{API}/evaluate", json={"text": "x" * 100_001}).status_code == 422
    assert client.post(f"{API}/evaluate", json={"text": "x = 1\n" * 600}).status_code in (400, 422)
    assert client.post(f"{API}/evaluate", json={"text": "x", "more": 1}).status_code == 422
    assert client.post(f"{API}/export", json={"text": "x = 1", "format": "exe"}).status_code == 422
    assert client.put(f"{API}/{'a' * 101}", json={"text": ""}).status_code == 422


def test_a_sheet_is_a_file(client: TestClient) -> None:
    reply = client.post(f"{API}/export", json={"text": "x = 1 m", "format": "python", "name": 'a"b\nc'})
    assert reply.headers["content-disposition"] == 'attachment; filename="a-b-c.py"'
    assert "def compute(inputs):" in reply.text


def test_the_page_shows_results_and_escapes_words(client: TestClient) -> None:
    client.cookies.clear()
    page = client.get("/worksheets", params={"example": "1"}).text
    assert 'href="/worksheets" aria-current="page">Worksheets</a>' in page
    assert "<svg" in page
    secret = csrf_of(page)
    part = client.post("/worksheets/evaluate", data={"csrf": secret, "text": '" <b>words</b>\nx = 2 kg +\ny = 3 m'})
    assert "&lt;b&gt;words" in part.text
    assert "Column 11: " in part.text
    assert part.text.count("<math") == 1
    assert client.post("/worksheets/evaluate", data={"csrf": "no", "text": "x = 1"}).status_code == 403
    assert client.get("/worksheets.json").json()["text"] == ""


def test_the_page_saves_exports_and_removes(client: TestClient) -> None:
    client.cookies.clear()
    secret = csrf_of(client.get("/worksheets").text)
    saved = client.post("/worksheets/save", data={"csrf": secret, "name": "My sheet", "text": "x = 1 m\r\ny = 2*x"})
    assert saved.status_code == 200
    assert "name=My%20sheet" in saved.text
    assert client.get(f"{API}/My sheet").json()["text"] == "x = 1 m\ny = 2*x"
    refused = client.post("/worksheets/save", data={"csrf": secret, "name": "a/b", "text": "x = 1"})
    assert "without slashes" in refused.text
    file = client.post("/worksheets/export", data={"csrf": secret, "name": "n", "text": "x = 1 m", "format": "latex"})
    assert "\\begin{document}" in file.text
    client.post("/worksheets/remove", data={"csrf": secret, "name": "My sheet"})
    assert client.get(API).json()["items"] == []


def test_cited_formulas_link_to_their_pages(client: TestClient, made: Path) -> None:
    client.cookies.clear()
    with Library(made) as library:
        formula = next(each for each in library.formulas() if each.equation is not None and each.status == "executable")
    units = {each.name: each.unit or "" for each in formula.symbols}
    assert formula.equation is not None
    given = [name for name in equation_symbols(formula.equation) if name != formula.target]
    text = f"x = [{formula.id}]({', '.join(f'{name}=2 {units.get(name, str())}' for name in given)})"
    line = client.post(f"{API}/evaluate", json={"text": text}).json()["lines"][0]
    assert line["problem"] is None
    assert line["links"][0]["formula"] == formula.id
    page = client.get("/worksheets").text
    part = client.post("/worksheets/evaluate", data={"csrf": csrf_of(page), "text": text}).text
    assert f'href="/formulas/{formula.id}"' in part
    assert client.get(f"/formulas/{formula.id}").status_code == 200
