"""Requests that are malformed, oversized or misleading in their heads, forms, paths and cookies, and what they meet."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from serve_makers import QUESTION, TOKEN, client_of, csrf_of
from starlette.testclient import TestClient

from mathrag.serve import routes, system
from mathrag.serve.app import Heads

BOUNDARY = "multipart/form-data; boundary=B"
FORM_PATHS = ("/", "/library/upload", "/api/v1/jobs/uploads")


@pytest.fixture(scope="module")
def guarded(made: Path) -> Iterator[TestClient]:
    """A client of an app that has a token."""
    with client_of(made, token=TOKEN) as found:
        yield found


@pytest.fixture(autouse=True)
def _without_session(client: TestClient) -> Iterator[None]:
    client.cookies.clear()
    yield
    client.cookies.clear()


def _enter(guarded: TestClient) -> str:
    """Begin a session without the token; the secret of its forms."""
    guarded.cookies.clear()
    return csrf_of(guarded.get("/login").text)


# ---- HEAD


@pytest.mark.parametrize(
    "path",
    ["/", "/library", "/library.json", "/formulas", "/api/v1/library", "/api/v1/formulas", "/healthz", "/login",
     "/static/style.css", "/api/v1/openapi.json", "/nothing", "/api/v1/ask"],
)  # fmt: skip
def test_head_is_get_without_a_body(client: TestClient, path: str) -> None:
    client.get("/")
    whole, head = client.get(path), client.head(path)
    assert head.status_code == whole.status_code
    assert head.content == b""
    # The examples on the first page are tried in the background: it grows until they are known.
    same = () if path == "/" else ("content-length",)
    for name in (*same, "content-type", "cache-control", "content-security-policy", "allow"):
        assert head.headers.get(name) == whole.headers.get(name), name


def test_head_asks_for_the_token(guarded: TestClient) -> None:
    guarded.cookies.clear()
    assert guarded.head("/api/v1/library").status_code == 401
    away = guarded.head("/library", headers={"Accept": "text/html"}, follow_redirects=False)
    assert (away.status_code, away.headers["location"]) == (303, "/login")


def test_head_of_a_stream_ends_it() -> None:
    """An app that would speak for ever is heard until its first word."""
    sent, words = [], []

    async def talker(scope: Any, receive: Any, send: Any) -> None:
        assert scope["method"] == "GET"
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while True:
            words.append("word")
            await send({"type": "http.response.body", "body": b"word", "more_body": True})

    async def run() -> None:
        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            return {"type": "http.request"}

        await Heads(talker)({"type": "http", "method": "HEAD", "path": "/"}, receive, send)

    with anyio.from_thread.start_blocking_portal() as portal:
        portal.call(run)
    assert len(words) == 2
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert sent[-1]["body"] == b""


# ---- forms


def _part(name: str, content: bytes, *, file: str | None = None, more: bytes = b"") -> bytes:
    head = f'Content-Disposition: form-data; name="{name}"' + ("" if file is None else f'; filename="{file}"')
    return b"--B\r\n" + head.encode() + b"\r\n" + more + b"\r\n" + content + b"\r\n"


ODD_FORMS = {
    "many fields": _part("x", b"y") * 5_000,
    "many files": _part("files", b"# x", file="a.md") * 2_000,
    "long name": _part("n" * 900_000, b"y"),
    "long header": _part("x", b"y", more=b"X-Long: " + b"a" * 900_000 + b"\r\n"),
    "many headers": _part("x", b"y", more=b"X: a\r\n" * 50_000),
    "long value": _part("x", b"y" * 2_000_000),
    "no name": b"--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n",
    "no head": b"--B\r\n\r\nx\r\n",
    "zeros": bytes(1_000),
    "a secret in a file": _part("csrf", b"x", file="a.md"),
}


@pytest.mark.parametrize("path", FORM_PATHS)
@pytest.mark.parametrize("body", ODD_FORMS.values(), ids=ODD_FORMS.keys())
def test_odd_forms_are_refused(client: TestClient, path: str, body: bytes) -> None:
    secret = csrf_of(client.get("/").text)
    whole = _part("csrf", secret.encode()) + body if b"csrf" not in body else body
    headers = {"Content-Type": BOUNDARY, "X-CSRF-Token": secret}
    reply = client.post(path, content=whole + b"--B--\r\n", headers=headers)
    assert reply.status_code in (400, 403, 413, 422), reply.text[:300]
    assert reply.headers["content-type"] == "application/problem+json"
    assert client.get("/api/v1/jobs").json()["total"] == 0


@pytest.mark.parametrize(
    "kind",
    ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=" + "b" * 5_000,
     f"{BOUNDARY}; charset=utf-7", f"{BOUNDARY}; charset=punycode", f'{BOUNDARY}; Charset="idna"',
     f"{BOUNDARY}; charset=\x00", f"{BOUNDARY}; charset*=utf-8''utf-7", f"{BOUNDARY}; charset=utf-8; charset=utf-7",
     "application/x-www-form-urlencoded; charset=utf-16"],
)  # fmt: skip
def test_forms_in_strange_codes_are_refused(client: TestClient, kind: str) -> None:
    body = (
        _part("csrf", csrf_of(client.get("/").text).encode()) + _part("question", b"What +2AA- is it?") + b"--B--\r\n"
    )
    reply = client.post("/", content=body, headers={"Content-Type": kind})
    assert reply.status_code in (400, 415), reply.text[:300]


@pytest.mark.parametrize("kind", [f"{BOUNDARY}; charset=utf-8", 'multipart/form-data; charset="UTF-8"; boundary=B'])
def test_forms_in_our_code_are_taken(client: TestClient, kind: str) -> None:
    body = _part("csrf", csrf_of(client.get("/").text).encode()) + _part("question", QUESTION.encode()) + b"--B--\r\n"
    assert "9.00 J" in client.post("/", content=body, headers={"Content-Type": kind}).text


@pytest.mark.parametrize(
    "fields",
    ["question=%ED%A0%80", "question=%FF%FE&unit=%00", "question=x&set.m=5&set.m=6&pin.__class__=1",
     "question=x&formula=../../etc/passwd", "a=1&" * 5_000, "=&=&=", "%", "question[]=x",
     "question=" + "%41" * 100_000],
    ids=lambda fields: fields[:30],
)  # fmt: skip
def test_odd_fields_do_not_break_the_page(client: TestClient, fields: str) -> None:
    secret = csrf_of(client.get("/").text)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    reply = client.post("/", content=f"csrf={secret}&{fields}", headers=headers)
    assert reply.status_code in (200, 400, 422), reply.text[:300]


# ---- where a request claims to come from and go to


@pytest.mark.parametrize("name", ["X-Forwarded-Host", "X-Host", "X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Proto"])
def test_other_headers_do_not_move_a_request(client: TestClient, name: str) -> None:
    html = client.get("/library", headers={name: "attacker.example"}).text
    assert "attacker.example" not in html
    moved = client.get("/library/", headers={name: "attacker.example"}, follow_redirects=False)
    assert "attacker" not in moved.headers.get("location", "")


def test_a_method_in_a_header_or_a_field_is_not_taken(client: TestClient) -> None:
    document = client.get("/api/v1/documents").json()["items"][0]["id"]
    for name in ("X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method"):
        client.get(f"/api/v1/documents/{document}?_method=DELETE", headers={name: "DELETE"})
    assert client.get(f"/api/v1/documents/{document}").status_code == 200


@pytest.mark.parametrize("method", ["TRACE", "PUT", "CONNECT", "PROPFIND", "X" * 500])
def test_other_methods_are_refused_and_nothing_is_echoed(client: TestClient, method: str) -> None:
    reply = client.request(method, "/library", headers={"X-Secret": "do-not-echo", "Content-Type": "application/json"})
    assert reply.status_code in (400, 403, 405)
    assert "do-not-echo" not in reply.text


@pytest.mark.parametrize(
    "path", ["//attacker.example/", "//attacker.example/%2e%2e", "/\\attacker.example/", "/library//", "/formulas/"]
)
def test_no_path_leads_to_another_site(client: TestClient, path: str) -> None:
    reply = client.get(f"http://localhost:8000{path}", headers={"Accept": "text/html"}, follow_redirects=False)
    place = reply.headers.get("location", "/")
    assert place.startswith(("http://localhost:8000/", "/"))
    assert not place.startswith(("//", "/\\"))


@pytest.mark.parametrize("where", ["https://attacker.example/", "//attacker.example", "/\\x.example", "javascript:1"])
def test_signing_in_leads_home_and_nowhere_else(guarded: TestClient, where: str) -> None:
    secret = _enter(guarded)
    fields = {"csrf": secret, "token": TOKEN, "next": where}
    reply = guarded.post("/login", params={"next": where}, data=fields, follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/")


# ---- sessions


def test_cookies_have_all_their_flags(client: TestClient) -> None:
    (cookie,) = client.get("/").headers.get_list("set-cookie")
    flags = {part.strip().lower() for part in cookie.split(";")[1:]}
    # Nothing that makes it last: it ends with the browser. No domain: other names of this machine do not get it.
    assert flags == {"httponly", "samesite=strict", "path=/"}
    client.cookies.clear()
    (cookie,) = client.get("https://localhost:8000/").headers.get_list("set-cookie")
    assert "; secure" in cookie.lower()


def test_an_expired_session_is_none(guarded: TestClient) -> None:
    guarded.post("/login", data={"csrf": _enter(guarded), "token": TOKEN})
    assert guarded.get("/api/v1/library").status_code == 200
    sessions = guarded.app.state.mathrag.sessions  # type: ignore[attr-defined]
    for session in sessions._held[True].values():
        session.seen -= 13 * 3600
    assert guarded.get("/api/v1/library").status_code == 401


def test_a_session_of_another_server_is_none(guarded: TestClient, client: TestClient) -> None:
    client.get("/")
    guarded.cookies.clear()
    cookie = f"mathrag_session={client.cookies['mathrag_session']}"
    assert guarded.get("/api/v1/library", headers={"Cookie": cookie}).status_code == 401


def test_a_form_without_origin_needs_the_secret_all_the_same(client: TestClient) -> None:
    client.get("/")
    for fields in ({}, {"csrf": ""}, {"csrf": "x" * 43}):
        assert client.post("/", data={"question": QUESTION, **fields}).status_code == 403
    client.cookies.clear()
    assert client.post("/", data={"question": QUESTION, "csrf": "x"}).status_code == 403


def test_the_secret_of_one_session_is_none_in_another(client: TestClient) -> None:
    secret = csrf_of(client.get("/").text)
    client.cookies.clear()
    assert csrf_of(client.get("/").text) != secret
    assert client.post("/", data={"question": QUESTION, "csrf": secret}).status_code == 403


# ---- what browsers and proxies keep


def test_nothing_private_is_kept_by_caches(client: TestClient) -> None:
    formula = client.get("/api/v1/formulas").json()["items"][0]["id"]
    for path in ("/", "/library", "/library.json", f"/formulas/{formula}", "/api/v1/library", "/healthz", "/login"):
        kept = client.get(path).headers["cache-control"]
        assert "no-store" in kept, (path, kept)
    assert "no-store" not in client.get("/static/style.css").headers.get("cache-control", "")


def test_pictures_of_pages_are_kept_by_the_browser_alone_if_at_all(client: TestClient) -> None:
    for path in ("/api/v1/documents/d-000000000000/pages/1/picture", "/source?document=d-000000000000"):
        reply = client.get(path)
        assert reply.status_code == 404
        assert "public" not in reply.headers["cache-control"]


@pytest.mark.parametrize(
    "wanted", ["bytes=" + ",".join(f"{at}-{at}" for at in range(3_000)), "bytes=9-1", "x=1", "bytes=-"]
)
def test_odd_ranges_of_files_do_no_harm(client: TestClient, wanted: str) -> None:
    assert client.get("/static/style.css", headers={"Range": wanted}).status_code in (200, 206, 400, 416)


# ---- every page with odd values


ODD_VALUES = (
    "", "%00", "%ED%A0%80", "%FF", "-1", "0", "1e999", "nan", "99999999999999999999999", "../../etc/passwd",
    "%3Cscript%3Ealert(1)%3C/script%3E", "'%20OR%201=1--", "%22%3E%3Cimg%20src=x%3E", "%F0%9D%9B%BC%CC%81", "a" * 3_000,
    "%0d%0aSet-Cookie:%20a=b", "$(id)", "%7B%7B7*7%7D%7D",
)  # fmt: skip
# Read from the address by the pages themselves.
FREE_FIELDS = (
    "q",
    "document",
    "field",
    "status",
    "kind",
    "reason",
    "view",
    "page",
    "limit",
    "offset",
    "sort",
    "solve_for",
    "v.m",
)


def _pages() -> list[Any]:
    pages = [route for router in (system.router, *routes.PAGE_ROUTERS) for route in router.routes]
    return sorted((route for route in pages if "GET" in route.methods), key=lambda route: route.path)


@pytest.mark.slow
@pytest.mark.parametrize("route", _pages(), ids=lambda route: route.path)
def test_every_page_takes_odd_values(client: TestClient, route: Any) -> None:
    ids = {
        name: client.get(f"/api/v1/{name}").json()["items"][0]["id"] for name in ("formulas", "constants", "documents")
    }
    known = {"formula": ids["formulas"], "constant": ids["constants"], "document": ids["documents"]}
    inside = {
        field.alias: known.get(next((name for name in known if name in route.path), ""), "x")
        for field in route.dependant.path_params
    }
    fields = [field.alias for field in route.dependant.query_params] or list(FREE_FIELDS)
    plain = route.path.replace(":path}", "}")
    for value in ODD_VALUES:
        asked = plain.format(**inside) + "?" + "&".join(f"{name}={value}" for name in fields)
        _check(client.get(asked), asked)
        for name in inside:
            asked = plain.format(**{**inside, name: value.replace("/", "%2F") or "x"})
            _check(client.get(asked), asked)


def _check(reply: Any, asked: str) -> None:
    assert reply.status_code < 500, (asked, reply.text[:300])
    if reply.headers["content-type"].startswith("text/html"):
        assert "<script>alert" not in reply.text, asked
        assert "<img src=x" not in reply.text, asked
    else:
        assert reply.headers["x-content-type-options"] == "nosniff"
    assert "a=b" not in reply.headers.get("set-cookie", ""), asked
    assert "Traceback" not in reply.text, asked


# ---- numbers and texts of the API


@pytest.mark.parametrize(
    "body",
    [
        {"question": QUESTION, "pinned": {"m" * 10_000: "1 kg"}},
        {"question": QUESTION, "pinned": {f"m{number}": "1 kg" for number in range(5_000)}},
        {"question": "9" * 5_000 + "^" + "9" * 5_000}, {"question": "((((" * 2_000}, {"question": "\u202e\u0000\uffff"},
        {"question": QUESTION, "unit": "m^" * 100}, {"question": QUESTION, "unit": "__import__('os')"},
        {"question": "a" * 5_000}, {"question": "10^10^10^10"}, {"question": "100000000! + 1"},
    ],
    ids=lambda body: json.dumps(body)[:40],
)  # fmt: skip
def test_odd_questions_end_in_an_answer_a_refusal_or_a_problem(client: TestClient, body: dict[str, Any]) -> None:
    reply = client.post("/api/v1/ask", json=body)
    assert reply.status_code in (200, 413, 422), reply.text[:300]


@pytest.mark.parametrize(
    "values", [{"m": "1e400 kg", "v": "1 m/s"}, {"m": "__class__", "v": "1"}, {"m": "1;2", "v": "{}"}]
)
def test_odd_values_are_told_as_a_problem(client: TestClient, values: dict[str, str]) -> None:
    formula = client.get("/api/v1/formulas", params={"q": "kinetic energy"}).json()["items"][0]["id"]
    reply = client.post("/api/v1/compute", json={"formula": formula, "values": values})
    assert reply.status_code == 422
    assert reply.headers["content-type"] == "application/problem+json"


def test_a_file_sent_as_a_question_is_no_question(client: TestClient) -> None:
    secret = csrf_of(client.get("/").text)
    reply = client.post("/", data={"csrf": secret}, files={"question": ("x.md", io.BytesIO(b"x" * 1000))})
    assert reply.status_code == 400
