"""Users with roles: the file and its commands, and every route asked by every role."""

from __future__ import annotations

import re
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from serve_makers import TOKEN, client_of, csrf_of
from starlette.testclient import TestClient

from mathrag.cli.main import cli
from mathrag.errors import UsageError
from mathrag.serve import routes
from mathrag.serve.app import make_app
from mathrag.serve.options import ServeOptions
from mathrag.serve.security.roles import NEEDS, OPEN, RoleGuard
from mathrag.serve.security.users import Role, UsersFile


@pytest.fixture(scope="module")
def users(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[Role, str]]:
    """A users file with one user of each role, and their tokens."""
    path = tmp_path_factory.mktemp("users") / "users.toml"
    return path, {role: UsersFile(path).add(f"a-{role.word}", role) for role in Role}


@pytest.fixture(scope="module")
def team(made: Path, users: tuple[Path, dict[Role, str]]) -> Iterator[TestClient]:
    with client_of(made, users=users[0]) as found:
        yield found


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_the_file_is_private_and_keeps_no_token(users: tuple[Path, dict[Role, str]]) -> None:
    path, tokens = users
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text()
    assert not any(token in text for token in tokens.values())
    kept = tomllib.loads(text)["users"]
    assert len({fields["salt"] for fields in kept.values()}) == 3


@pytest.mark.parametrize(
    "content",
    ["[users", "users = 3", '[users.ada]\nrole = "king"\nsalt = "0"\nhash = "0"', '[users.ada]\nrole = "reader"',
     '[users."Ada B"]\nrole = "reader"', "users.ada = 1"],
)  # fmt: skip
def test_a_broken_file_lets_nobody_in(tmp_path: Path, content: str) -> None:
    path = tmp_path / "users.toml"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(UsageError):
        UsersFile(path).users()


def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "users.toml"
    UsersFile(path).add("ada", Role.READER)
    path.chmod(0o644)
    with pytest.raises(UsageError, match="chmod 600"):
        UsersFile(path).users()


def test_the_commands_add_list_renew_and_remove(tmp_path: Path) -> None:
    path = tmp_path / "users.toml"

    def run(*words: str) -> str:
        done = CliRunner().invoke(cli, ["users", *words, "--users", str(path)], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    first = run("add", "ada", "--role", "editor").strip()
    found = UsersFile(path).with_token(first)
    assert found is not None
    assert (found.name, found.role) == ("ada", Role.EDITOR)
    assert re.match(r"ada +editor", run("list"))
    second = run("token", "ada").strip()
    assert UsersFile(path).with_token(first) is None
    assert UsersFile(path).with_token(second) is not None
    run("remove", "ada")
    assert run("list") == "no users\n"
    with pytest.raises(UsageError):
        UsersFile(path).remove("ada")


def test_every_route_declares_a_role_and_every_declaration_is_of_a_route(made: Path) -> None:
    listed = list(routes.listed())
    assert sorted(set(listed) - set(NEEDS)) == [], "say in security/roles.py which role these need"
    assert sorted(set(NEEDS) - set(listed)) == [], "these are no routes any more"
    # What the app itself has, however it came there.
    found = set()
    for route in make_app(ServeOptions(library=made)).routes:
        contexts = route.effective_route_contexts() if hasattr(route, "effective_route_contexts") else [route]
        for each in contexts:
            found |= {(method, each.path) for method in getattr(each, "methods", None) or () if method != "HEAD"}
    assert found == set(listed)


@pytest.mark.parametrize("role", [None, *Role])
def test_every_route_is_refused_to_whoever_has_too_little(
    team: TestClient, users: tuple[Path, dict[Role, str]], role: Role | None
) -> None:
    """Refused routes are asked for real; what is allowed is asked of the guard alone, which decides before all else."""
    team.cookies.clear()
    headers = {} if role is None else _bearer(users[1][role])
    for (method, path), need in sorted(NEEDS.items()):
        if need <= (OPEN if role is None else role):
            continue
        reply = team.request(method, re.sub(r"\{\w+\}", "x", path), headers=headers, follow_redirects=False)
        assert reply.status_code == (401 if role is None else 403), (method, path)
        if role is not None and "json" in reply.headers["content-type"]:
            assert "role" in reply.text


def test_every_role_gets_through_to_what_it_may(users: tuple[Path, dict[Role, str]]) -> None:
    from mathrag.serve.security.roles import Client

    reached: list[str] = []

    async def inner(scope: dict[str, object], receive: object, send: object) -> None:
        reached.append(str(scope["path"]))

    guard = RoleGuard(inner, routes.listed())  # type: ignore[arg-type]
    for role in Role:
        for (method, path), need in NEEDS.items():
            scope = {"type": "http", "method": method, "path": path.replace("{", "").replace("}", ""), "headers": [],
                     "mathrag_client": Client("x", role)}  # fmt: skip
            matching = [rule for rule in guard.rules if rule.pattern.match(str(scope["path"]))]
            problem = guard._problem(scope, matching)
            assert (problem is None) == (role >= need), (role, method, path)


def test_a_route_that_is_not_declared_is_refused() -> None:
    guard = RoleGuard(lambda *_: None, [("GET", "/new-page")])  # type: ignore[arg-type, return-value]
    from mathrag.serve.security.roles import Client

    scope = {"method": "GET", "path": "/new-page", "mathrag_client": Client("x", Role.OWNER)}
    problem = guard._problem(scope, guard.rules)
    assert problem is not None
    assert (problem.status, problem.code) == (403, "undeclared")


def test_a_reader_asks_and_an_editor_uploads(team: TestClient, users: tuple[Path, dict[Role, str]]) -> None:
    team.cookies.clear()
    asked = {"question": "What is the kinetic energy of 2 kg at 3 m/s?"}
    reply = team.post("/api/v1/ask", json=asked, headers=_bearer(users[1][Role.READER]))
    assert reply.json()["value"] == 9
    # Not taken for want of a file, but not for want of a role.
    assert team.post("/api/v1/jobs/uploads", headers=_bearer(users[1][Role.READER])).status_code == 403
    assert team.post("/api/v1/jobs/uploads", headers=_bearer(users[1][Role.EDITOR])).status_code in (415, 422)


def test_signing_in_on_the_page_and_losing_the_token(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "users.toml"
    file = UsersFile(path)
    token = file.add("ada", Role.READER)
    with client_of(made, users=path, is_ready=False) as client:
        login = client.get("/login")
        entered = client.post("/login", data={"csrf": csrf_of(login.text), "token": token}, follow_redirects=False)
        cookie = entered.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        page = client.get("/library")
        assert "ada: reader" in page.text
        refused = client.post("/library/starter", data={"csrf": csrf_of(page.text)}, headers={"Accept": "text/html"})
        assert refused.status_code == 403
        assert "needs the role editor" in refused.text
        file.renew("ada")
        assert client.get("/library.json").status_code == 401
        path.chmod(0o644)
        assert client.get("/library.json", headers=_bearer(token)).status_code == 503


def test_the_token_of_the_server_stays_and_makes_an_owner(made: Path, users: tuple[Path, dict[Role, str]]) -> None:
    with client_of(made, users=users[0], token=TOKEN, is_ready=False) as client:
        assert client.get("/metrics", headers=_bearer(TOKEN)).status_code == 200
        assert client.get("/metrics", headers=_bearer(users[1][Role.OWNER])).status_code == 200
        assert client.get("/metrics", headers=_bearer(users[1][Role.EDITOR])).status_code == 403
