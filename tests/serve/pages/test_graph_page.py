"""The page of the graph without JavaScript: picture, filters, neighbourhoods, clusters beyond a limit, list, twin."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from page_makers import TO_CHECK
from starlette.testclient import TestClient

from mathrag.library import Library
from mathrag.serve.app import make_app
from mathrag.serve.options import Limits, ServeOptions
from mathrag.serve.pages import graph

HTML = {"Accept": "text/html"}
SVG = "{http://www.w3.org/2000/svg}"


@contextmanager
def _opened(library: Path, **options: Any) -> Iterator[TestClient]:
    """A client of an app of its own. Nothing is asked here, so nobody waits for the processes that answer."""
    app = make_app(ServeOptions(library=library, workers=1, **options))
    with TestClient(app, base_url="http://localhost:8000", client=("127.0.0.1", 50000)) as client:
        yield client


@pytest.fixture(autouse=True)
def _without_session(client: TestClient) -> None:
    client.cookies.clear()


@pytest.fixture(scope="module")
def crowded(made: Path) -> Iterator[TestClient]:
    """A client of an app that takes four formulas for too many."""
    with _opened(made, limits=Limits(graph_formulas=4)) as found:
        yield found


def _node(client: TestClient, label: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        node for node in client.get("/graph.json").json()["nodes"] if label.lower() in node["label"].lower()
    )
    return found


class _Markup(HTMLParser):
    """Collects what the content policy forbids, and the links of the picture with their titles."""

    def __init__(self) -> None:
        super().__init__()
        self.forbidden: list[str] = []
        self.ids: list[str] = []
        self.links: dict[str, str] = {}
        self._link = ""
        self._is_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if "style" in given or tag in ("style", "img") or any(name.startswith("on") for name in given):
            self.forbidden.append(tag)
        if tag == "script" and "src" not in given:
            self.forbidden.append(tag)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "a" and "data-node" in given:
            self._link = str(given["href"])
        self._is_title = tag == "title"

    def handle_data(self, data: str) -> None:
        if self._is_title and self._link:
            self.links[self._link] = data

    def handle_endtag(self, tag: str) -> None:
        self._is_title = False
        if tag == "a":
            self._link = ""


def _read(html: str) -> _Markup:
    read = _Markup()
    read.feed(html)
    assert read.forbidden == []
    assert len(read.ids) == len(set(read.ids))
    assert html.count("<h1") == 1
    return read


def test_the_picture_has_a_named_link_for_every_node(client: TestClient) -> None:
    reply = client.get("/graph", headers=HTML)
    assert reply.status_code == 200
    links = _read(reply.text).links
    nodes = client.get("/graph.json").json()["nodes"]
    assert {node["href"]: node["title"] for node in nodes} == links
    assert "Formula: Kinetic energy (mechanics)" in links.values()
    assert "Document: Notes on circuits" in links.values()
    for href in links:
        assert client.get(href, headers=HTML).status_code == 200


def test_the_page_is_in_the_bar_and_has_a_twin(client: TestClient) -> None:
    html = client.get("/graph?field=mechanics", headers=HTML).text
    assert '<a href="/graph" aria-current="page">Graph</a>' in html
    assert 'href="/graph.json?field=mechanics"' in html


def test_the_twin_has_the_places_of_all_nodes_and_the_lines_between_them(client: TestClient) -> None:
    found = client.get("/graph.json").json()
    assert len(found["nodes"]) == found["node_count"] == found["total"]
    assert len(found["edges"]) == found["edge_count"]
    for node in found["nodes"]:
        assert isinstance(node["x"], float)
        assert isinstance(node["y"], float)
    for edge in found["edges"]:
        assert 0 <= edge["source"] < len(found["nodes"])
        assert 0 <= edge["target"] < len(found["nodes"])
    assert {item["id"] for item in found["items"]} == {node["id"] for node in found["nodes"]}
    assert client.get("/graph.json").json() == found


def test_filters(client: TestClient) -> None:
    circuits = next(
        choice["value"]
        for choice in client.get("/graph.json").json()["choices"]["documents"]
        if choice["label"] == "Notes on circuits"
    )

    def shown(**asked: str) -> set[str]:
        found = client.get("/graph.json", params=asked).json()
        return {node["label"] for node in found["nodes"] if node["kind"] == "formula"}

    assert len(shown(document=circuits)) == 2
    assert "Kinetic energy" in shown(field="mechanics")
    assert "Voltage (Ohm's law)" not in shown(field="mechanics")
    assert "Kinetic energy" in shown(q="kinetic energy")
    assert shown(document="d-0") == set()
    kinds = {edge["kind"] for edge in client.get("/graph.json?relation=found_in").json()["edges"]}
    assert kinds == {"found_in"}
    html = client.get("/graph", params={"document": circuits, "relation": "uses"}, headers=HTML).text
    assert f'<option value="{circuits}" selected>' in html
    assert '<option value="uses" selected>' in html


@pytest.mark.parametrize(
    "query",
    ["relation=nothing", "show=nothing", "depth=9", "offset=99999999", "q=%00", "document=%27%3B--", "q=" + "x" * 900,
     "field=" + "y" * 900],
)  # fmt: skip
def test_odd_addresses_give_a_page(client: TestClient, query: str) -> None:
    assert client.get(f"/graph?{query}", headers=HTML).status_code == 200
    assert client.get(f"/graph/picture.svg?{query}").status_code == 200


def test_nothing_found_is_said(client: TestClient) -> None:
    assert "Nothing fits" in client.get("/graph?document=d-0", headers=HTML).text


def test_neighbourhoods(client: TestClient) -> None:
    node = _node(client, "Kinetic energy")
    html = client.get(node["around"], headers=HTML).text
    assert "Around Kinetic energy" in html
    near = client.get("/graph.json", params={"around": node["id"]}).json()
    assert near["nodes"][0]["id"] == near["centre"]["id"] == node["id"]
    far = client.get("/graph.json", params={"around": node["id"], "depth": "2"}).json()
    assert len(far["nodes"]) >= len(near["nodes"])
    assert [one["href"] for one in near["centre"]["depths"]] == [
        f"/graph?around={node['id']}", f"/graph?around={node['id']}&depth=2",
    ]  # fmt: skip


def test_pages_of_entries_lead_to_their_neighbourhood(client: TestClient) -> None:
    nodes = client.get("/graph.json").json()["nodes"]
    for kind in ("formula", "constant"):
        node = next(each for each in nodes if each["kind"] == kind)
        assert f'href="{node["around"]}"' in client.get(node["href"], headers=HTML).text
    document = next(each for each in nodes if each["kind"] == "document")
    assert f'href="/graph?document={document["id"]}"' in client.get(document["href"], headers=HTML).text


@pytest.mark.parametrize("unknown", ["f-000000000000", "c-0", "d-0", "nothing", "../../etc", "<script>"])
def test_an_unknown_entry_is_said_to_be_unknown(client: TestClient, unknown: str) -> None:
    for path in ("/graph", "/graph.json", "/graph/picture.svg"):
        reply = client.get(path, params={"around": unknown}, headers=HTML)
        assert reply.status_code == 404
        assert path != "/graph" or "<script>" not in reply.text
    assert client.get("/graph/card", params={"id": unknown}, headers=HTML).status_code == 404


def test_cards_of_all_kinds(client: TestClient) -> None:
    for kind in ("formula", "constant", "document"):
        node = next(each for each in client.get("/graph.json").json()["nodes"] if each["kind"] == kind)
        html = client.get("/graph/card", params={"id": node["id"]}, headers=HTML).text
        _read(html)
        assert 'id="card"' in html
        assert f'href="{node["href"]}"' in html
        assert f'href="{node["around"]}"' in html
        twin = client.get("/graph/card.json", params={"id": node["id"]}).json()
        assert twin["kind"] == kind


def test_hostile_titles_and_labels_are_only_text(client: TestClient) -> None:
    nodes = client.get("/graph.json").json()["nodes"]
    document = next(node for node in nodes if node["kind"] == "document" and "<script>" in node["label"])
    formula = next(node for node in nodes if node["kind"] == "formula" and node["label"] == "Energy")
    paths = [
        "/graph", "/graph?q=hostile", "/graph?show=documents", "/graph/picture.svg", f"/graph?around={formula['id']}",
        f"/graph?document={document['id']}", f"/graph/card?id={formula['id']}", f"/graph/card?id={document['id']}",
        "/graph?q=" + "%3Cscript%3Ealert(1)%3C/script%3E", "/graph?document=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
    ]  # fmt: skip
    for path in paths:
        text = client.get(path, headers=HTML).text
        assert "<script>alert" not in text, path
        assert "<img src=x" not in text, path
        assert "<b onclick" not in text, path


def test_the_picture_alone_is_well_formed(client: TestClient) -> None:
    reply = client.get("/graph/picture.svg")
    assert reply.headers["content-type"].startswith("image/svg+xml")
    assert "default-src 'self'" in reply.headers["content-security-policy"]
    root = ElementTree.fromstring(reply.content)
    links = root.findall(f"{SVG}g/{SVG}a")
    assert len(links) == len(client.get("/graph.json").json()["nodes"])
    assert all(link.findtext(f"{SVG}title") for link in links)
    assert {child.tag for link in links for child in link} == {
        f"{SVG}{name}" for name in ("title", "circle", "rect", "path")
    }


def test_shapes_tell_what_is_what(client: TestClient) -> None:
    html = client.get("/graph", headers=HTML).text
    shapes = {"formula": "circle", "constant": "path", "document": "rect"}
    for kind, shape in shapes.items():
        for found in re.findall(rf'<a [^>]*class="{kind}[^>]*>.*?</a>', html):
            assert f"<{shape} " in found


def test_beyond_the_limit_there_are_clusters(crowded: TestClient) -> None:
    html = crowded.get("/graph", headers=HTML).text
    assert "too many to draw one by one" in html
    links = _read(html).links
    assert any(title == "Notes on mechanics: 3 formulas" for title in links.values())
    for href in links:
        assert href.startswith("/graph?document=d-")
        within = crowded.get(href.replace("/graph?", "/graph.json?")).json()
        assert within["show"] == "entries"
        assert not within["is_too_many"]
    found = crowded.get("/graph.json?q=kinetic+energy").json()
    assert found["show"] == "entries"
    formula = next(node for node in found["nodes"] if node["label"] == "Kinetic energy")
    assert crowded.get("/graph.json", params={"around": formula["id"]}).json()["show"] == "entries"


def test_clusters_of_fields_lead_to_their_formulas(client: TestClient) -> None:
    found = client.get("/graph.json?show=fields").json()
    assert found["nodes"]
    assert sum(node["count"] for node in found["nodes"]) == found["formulas"]
    mechanics = next(node for node in found["nodes"] if node["label"] == "mechanics")
    assert mechanics["href"] == "/graph?field=mechanics"
    for node in found["nodes"]:
        # Formulas of no known field have a cluster too, and it leads to them.
        inside = client.get(node["href"].replace("/graph?", "/graph.json?")).json()
        assert inside["formulas"] == node["count"], node["label"]


def test_a_picture_for_a_page_of_another_site_is_not_made(client: TestClient) -> None:
    foreign = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    for path in ("/graph", "/graph.json", "/graph/picture.svg", "/graph/parts.json"):
        assert client.get(path, headers=foreign).status_code == 403
    assert client.get("/graph", headers=foreign | {"Sec-Fetch-Mode": "navigate"}).status_code == 200


def test_large_pictures_come_after_the_page(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "MOST_INLINE", 3)
    html = client.get("/graph?field=mechanics&show=entries", headers=HTML).text
    assert 'data-node="' not in html
    assert '<a href="/graph/picture.svg?field=mechanics">' in html
    assert "<noscript>" in html


def test_the_list_comes_in_parts(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "PAGE", 4)
    seen: list[str] = []
    address: str | None = "/graph.json"
    while address:
        found = client.get(address).json()
        seen += [item["id"] for item in found["items"]]
        after = re.search(r"offset=(\d+)", json.dumps(found["after"]))
        address = f"/graph.json?offset={int(after.group(1))}" if after and len(found["items"]) else None
    assert set(seen) == {node["id"] for node in client.get("/graph.json").json()["nodes"]}


@pytest.mark.slow
def test_a_changed_library_has_a_new_picture_with_hollow_nodes(copied: Path, tmp_path: Path) -> None:
    (tmp_path / "to_check.md").write_text(TO_CHECK, encoding="utf-8")
    with _opened(copied) as client:
        before = client.get("/graph.json").json()
        assert "formula that cannot be computed with" not in client.get("/graph", headers=HTML).text
        with Library(copied) as library:
            assert not library.ingest([tmp_path / "to_check.md"], workers=1).failed
        assert client.get("/graph.json").json()["node_count"] > before["node_count"]
        html = client.get("/graph", headers=HTML).text
    assert re.search(r'class="formula c\S* hollow"[^>]*><title>Formula: Thrumble[^<]*set aside\)', html)
    assert "formula that cannot be computed with" in html


def test_an_empty_library_says_what_to_do(tmp_path: Path) -> None:
    with _opened(tmp_path / "library") as client:
        html = client.get("/graph", headers=HTML).text
        assert "The library is empty" in html
        assert client.get("/graph/picture.svg").status_code == 200


def test_a_large_library_opens_with_named_fields_and_a_search_narrows_it(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = client.get("/graph.json?show=entries").json()
    monkeypatch.setattr("mathrag.serve.pages.graph.MOST_AT_A_GLANCE", 1)
    found = client.get("/graph.json").json()
    assert found["show"] == "fields"
    assert 1 < len(found["nodes"]) < len(every["nodes"])
    html = client.get("/graph", headers=HTML).text
    for node in found["nodes"]:
        assert re.search(rf"<text [^>]*>{re.escape(node['label'])} · {node['count']}</text>", html), node["label"]
    assert "All formulas at once" in html
    narrowed = client.get("/graph.json", params={"q": "kinetic energy", "show": "fields"}).json()
    assert narrowed["show"] == "entries"
    assert 0 < len(narrowed["nodes"]) < len(every["nodes"])
    assert any(node["is_match"] and "kinetic energy" in node["label"].lower() for node in narrowed["nodes"])
    assert client.get("/graph.json?show=entries").json() == every
