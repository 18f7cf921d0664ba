"""Pages on a server with users: nobody is offered a form or link that would be refused, and what one may use is there.

The server is a process of its own. All pages that links lead to are looked at, for every role.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter, deque
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from serve_makers import RunningServer

from mathrag.library import Library
from mathrag.serve import routes
from mathrag.serve.security.roles import NEEDS, Client, RoleGuard, may
from mathrag.serve.security.users import Role, UsersFile
from thinned import thinned

# The unit of the grumble is a misprint, so the formula is set aside; the other formula contradicts that of the samples.
TO_CHECK = r"""# Notes to be checked

## Thrumble of a wall

$$T_w = G_w A_w$$

where $T_w$ is the thrumble in N, $G_w$ is the grumble in J and $A_w$ is the area in m^2.

## Kinetic energy

$$E_k = m v^2$$

where $E_k$ is the kinetic energy in J, $m$ is the mass in kg and $v$ is the speed in m/s.
"""
START = ("/", "/library", "/formulas", "/constants", "/concepts", "/review", "/review?view=conflicts", "/worksheets",
         "/worksheets?name=Walls", "/check", "/graph", "/query", "/evaluation", "/api/v1/docs")  # fmt: skip


class Offers(HTMLParser):
    """What a page offers: `GET /library`, `POST /library/upload`, …; and what the forms to try the API send."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: set[tuple[str, str]] = set()
        self.links: list[str] = []
        self._method = "GET"
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if tag == "a" and known.get("href", "").startswith("/"):
            self.links.append(known["href"])
            self.found.add(("GET", urlsplit(known["href"]).path))
        if tag == "form":
            self._method = known.get("method", "get").upper()
            if "action" in known:
                self.found.add((self._method, urlsplit(known["action"]).path))
            if "data-path" in known:
                self.found.add((known["data-method"], known["data-path"].replace("{", "").replace("}", "")))
        if "formaction" in known:
            self.found.add((self._method, urlsplit(known["formaction"]).path))


@pytest.fixture(scope="module")
def shared(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, dict[Role, str]]]:
    """A server with a user of each role, on a library with something set aside, corrected, in conflict and unread."""
    folder = tmp_path_factory.mktemp("roles")
    shutil.copytree(made, folder / "library")
    (folder / "to_check.md").write_text(TO_CHECK, encoding="utf-8")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 and nothing else")
    with Library(folder / "library") as library:
        library.ingest([folder / "to_check.md", folder / "broken.pdf"], workers=1)
        library.save_worksheet("Walls", "a = 2 m")
    users = folder / "users.toml"
    tokens = {role: UsersFile(users).add(f"a-{role.word}", role) for role in Role}
    running = RunningServer(folder / "library", "--users", str(users))
    try:
        running.wait_until_ready()
        owner = _headers(tokens[Role.OWNER])
        formula = running.ask("/formulas.json?q=spring", **owner)[1]["items"][0]["id"]
        named = {"changes": [{"field": "label", "value": "Pull of a spring"}]}
        assert running.ask(f"/api/v1/formulas/{formula}", named, method="PATCH", **owner)[0] == 200
        yield running, tokens
    finally:
        running.stop()


def _headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", "Accept": "text/html"}


def _visited(server: RunningServer, token: str) -> dict[str, str]:
    """A few pages of every kind that links lead to."""
    waiting, kinds, pages = deque(START), Counter[str](), dict[str, str]()
    seen = set(waiting)
    while waiting and len(pages) < 80:
        address = waiting.popleft()
        kind = re.sub(r"[fcd]-[0-9a-f]{12}|\d+", "x", address)
        kinds[kind] += 1
        if kinds[kind] > 2 or re.search(r"\.(json|svg|png|csv|md)\b|/result\.|/picture", address):
            continue
        status, html = server.ask(address, **_headers(token))
        assert status == 200, (address, html)
        pages[address] = html
        fresh = [link for link in dict.fromkeys(Offers(html).links) if link not in seen]
        seen.update(fresh)
        waiting.extend(fresh)
    return pages


@pytest.mark.slow
@pytest.mark.parametrize("role", thinned(list(Role), 1, pytest.mark.soak))
def test_nothing_is_offered_that_is_refused(shared: tuple[RunningServer, dict[Role, str]], role: Role) -> None:
    server, tokens = shared
    pages = _visited(server, tokens[role])
    assert len(pages) > 30
    guard = RoleGuard(lambda *_: None, routes.listed())  # type: ignore[arg-type, return-value]
    offered: dict[tuple[str, str], str] = {}
    for address, html in pages.items():
        for one in Offers(html).found:
            offered.setdefault(one, address)
    for (method, path), address in offered.items():
        matching = [rule for rule in guard.rules if rule.pattern.match(path)]
        problem = guard._problem({"method": method, "path": path, "mathrag_client": Client("x", role)}, matching)
        assert problem is None, (address, method, path)


# On which page, what is looked for, and who sees it.
SEEN = (
    ("/library", 'action="/library/upload"', Role.EDITOR),
    ("/library", 'action="/library/reread"', Role.EDITOR),
    ("/library", 'action="/library/retry"', Role.EDITOR),
    ("/library", 'action="/library/forget"', Role.EDITOR),
    ("/library", 'class="remove"', Role.OWNER),
    ("document", 'action="/library/trust"', Role.OWNER),
    ("document", "/remove", Role.OWNER),
    ("formula", "/edit", Role.EDITOR),
    ("formula", "/undo", Role.EDITOR),
    ("formula", "Pull of a spring", Role.READER),
    ("/review", 'action="/review/status"', Role.EDITOR),
    ("/review?view=conflicts", ">Correct</a>", Role.EDITOR),
    ("/worksheets?name=Walls", ">Save</button>", Role.EDITOR),
    ("/worksheets?name=Walls", 'formaction="/worksheets/remove"', Role.EDITOR),
    ("/worksheets?name=Walls", 'formaction="/worksheets/export"', Role.READER),
    ("/api/v1/docs", 'data-method="PATCH"', Role.EDITOR),
    ("/api/v1/docs", 'data-path="/api/v1/documents/{document}/trust"', Role.OWNER),
)


@pytest.mark.slow
@pytest.mark.parametrize("role", thinned(list(Role), 1, pytest.mark.soak))
def test_what_a_role_may_use_is_there(shared: tuple[RunningServer, dict[Role, str]], role: Role) -> None:
    server, tokens = shared
    head = _headers(tokens[role])
    formula = server.ask("/formulas.json?q=spring", **head)[1]["items"][0]["id"]
    document = server.ask("/library.json", **head)[1]["documents"]["items"][0]["id"]
    places = {"formula": f"/formulas/{formula}", "document": f"/library/documents/{document}"}
    for page, part, need in SEEN:
        status, html = server.ask(places.get(page, page), **head)
        assert status == 200
        assert (part in html) == (role >= need), (page, part)


def test_the_table_alone_decides() -> None:
    for (method, path), need in NEEDS.items():
        assert [may(Client("x", role), f"{method} {path}") for role in Role] == [role >= need for role in Role]
        assert may(None, f"{method} {path}") == (need == 0)
    with pytest.raises(KeyError):
        may(Client("x", Role.OWNER), "POST /no/such/route")
