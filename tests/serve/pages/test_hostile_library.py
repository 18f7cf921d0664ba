"""Every page of a library of hostile documents: what they say is text, wherever it is shown."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from hostile_makers import (
    FILE_NAME,
    MARK,
    NAUGHTY,
    QUESTION,
    hostile_files,
    looked_at,
    make_hostile_library,
    pattern_of,
)
from serve_makers import client_of, csrf_of, wait_for
from starlette.testclient import TestClient

from mathrag.serve.pages.templates import NAVIGATION

# Reading hostile files and following every link takes its time.
pytestmark = pytest.mark.slow
HTML = {"Accept": "text/html"}
MOST_OF_A_KIND = 6


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client that has asked and uploaded hostile things already."""
    with client_of(make_hostile_library(tmp_path_factory.mktemp("hostile"))) as client:
        secret = csrf_of(client.get("/").text)
        client.post("/", data={"csrf": secret, "question": QUESTION})
        client.post("/", data={"csrf": secret, "question": f"What is {NAUGHTY}?", "unit": NAUGHTY})
        files = [("files", (name, content)) for name, content in hostile_files().items()]
        assert client.post("/library/upload", data={"csrf": secret}, files=files).status_code == 200
        wait_for(lambda: client.get("/api/v1/jobs").json()["items"][0]["state"] == "done", seconds=90, what="reading")
        yield client


def _crawled(client: TestClient, *begin: str) -> dict[str, tuple[str, Any]]:
    """Pages that can be reached from some, a few of every kind: by address, the kind and the reply."""
    waiting, seen, kinds = deque(begin), set(begin), Counter[str]()
    found: dict[str, tuple[str, Any]] = {}
    while waiting:
        address = waiting.popleft()
        kind = pattern_of(address)
        kinds[kind] += 1
        if kinds[kind] > MOST_OF_A_KIND or len(found) > 400:
            continue
        reply = client.get(address, headers=HTML)
        found[address] = (kind, reply)
        if not reply.headers["content-type"].startswith("text/html"):
            continue
        for link in looked_at(reply.text).links:
            parts = urlsplit(urljoin(str(reply.url), link))
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            if target not in seen and not target.startswith("/static/"):
                seen.add(target)
                waiting.append(target)
    return found


@pytest.mark.pictures
def test_what_documents_say_is_text_on_every_page(hostile: TestClient) -> None:
    found = _crawled(hostile, "/", *(address for address, _ in NAVIGATION), "/api/v1/docs")
    showing = set()
    for address, (kind, reply) in found.items():
        assert reply.status_code < 500, address
        assert reply.status_code == 200 or "picture" in address or "export" in address, (address, reply.status_code)
        kind_of_reply = reply.headers["content-type"]
        if kind_of_reply.startswith(("text/html", "image/svg")):
            page = looked_at(reply.text)
            # A picture that is downloaded brings its own style along.
            assert [each for each in page.problems if each != "<style>" or "svg" not in kind_of_reply] == [], address
            if MARK in "".join(page.text):
                showing.add(kind.partition("?")[0])
        else:
            assert reply.headers["x-content-type-options"] == "nosniff", address
            assert not kind_of_reply.startswith(("application/xhtml", "text/xml", "application/xml")), address
    # Had the pages shown nothing of it, nothing would have been tried.
    assert showing >= {
        "/", "/library", "/library/documents/{}", "/formulas", "/formulas/{}", "/constants", "/constants/{}", "/review",
        "/source", "/library/jobs/{}", "/evaluation", "/graph",
    }, sorted(showing)  # fmt: skip
    assert len(found) > 60


@pytest.mark.parametrize(
    "path",
    ["/formulas?q={}", "/constants?q={}", "/library?q={}", "/formulas/{}", "/constants/{}", "/library/documents/{}",
     "/library/jobs/{}", "/source?document={}", "/source?formula={}", "/{}", "/?question={}", "/review?view={}",
     "/formulas?document={}&field={}&status={}&kind={}", "/static/{}", "/api/v1/docs?{}", "/login?next={}",
     "/query?q={}", "/query/{}", "/evaluation/{}", "/graph?document={}&field={}"],
)  # fmt: skip
def test_what_an_address_says_is_text(hostile: TestClient, path: str) -> None:
    for naughty in (NAUGHTY, f"javascript:{MARK}", f'" on{MARK}=1 x="', "{{7919*7907}}${7919*7907}<%= 7919*7907 %>"):
        sent = naughty if "?" in path else naughty.replace("/", "")
        reply = hostile.get(path.replace("{}", sent), headers=HTML)
        assert reply.status_code < 500
        assert looked_at(reply.text).problems == []
        assert "62615533" not in reply.text


def test_what_forms_say_is_text(hostile: TestClient) -> None:
    secret = csrf_of(hostile.get("/").text)
    formula = hostile.get("/api/v1/formulas", params={"q": "kinetic energy"}).json()["items"][0]["id"]
    tries = (
        ("/", {"question": NAUGHTY, "formula": NAUGHTY, "set.m": NAUGHTY, "pin.v": NAUGHTY, "unit": NAUGHTY}),
        ("/", {"question": "What is the kinetic energy of 2 kg at 3 m/s?", "set.m": NAUGHTY}),
        ("/library/remove", {"document": NAUGHTY}), ("/library/forget", {"file": NAUGHTY}),
        ("/library/cancel", {"job": NAUGHTY}), ("/library/reread", {"document": NAUGHTY}),
        (f"/formulas/{formula}/edit", {"label": NAUGHTY, "unit.m": NAUGHTY, "meaning.m": NAUGHTY}),
        ("/login", {"token": NAUGHTY}),
    )  # fmt: skip
    for path, fields in tries:
        reply = hostile.post(path, data={"csrf": secret, **fields}, headers=HTML)
        assert reply.status_code < 500, path
        assert looked_at(reply.text).problems == [], path
    shown = hostile.get(f"/formulas/{formula}", params={"v.m": NAUGHTY, "solve_for": NAUGHTY, "unit": NAUGHTY})
    assert looked_at(shown.text).problems == []


def test_the_name_of_a_file_stays_one_name(hostile: TestClient) -> None:
    names = {item["name"] for item in hostile.get("/api/v1/documents", params={"limit": 100}).json()["items"]}
    assert any(name.endswith(FILE_NAME) for name in names)
    kept = Path(hostile.app.state.mathrag.library.folder) / "uploads"  # type: ignore[attr-defined]
    assert all(path.parent == kept for path in kept.rglob("*") if path.is_file())


def test_replies_that_are_files_say_so(hostile: TestClient) -> None:
    """What a browser could show as a page of ours is only ever JSON, a picture or a download."""
    for form in ("turtle", "json-ld", "csv", "latex", "markdown"):
        reply = hostile.get("/api/v1/export", params={"format": form})
        assert not reply.headers["content-type"].startswith("text/html")
        assert "\n" not in reply.headers.get("content-disposition", "")
