"""Requests made up from the API's own description: no failure inside, and what comes back is as said."""

from __future__ import annotations

import contextlib
import random
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from hand_written_pdf import lines_down_a_page, write_pdf
from mathrag.library import Library
from mathrag.serve.app import make_app
from mathrag.serve.options import ServeOptions

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis
    from schemathesis import GenerationMode
    from schemathesis.checks import not_a_server_error
    from schemathesis.python import asgi
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        negative_data_rejection,
        response_headers_conformance,
        response_schema_conformance,
        status_code_conformance,
        unsupported_method,
    )

CHECKS = [
    not_a_server_error,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    status_code_conformance,
]
# Everything that changes the library runs on a copy of it; queries and exports start a process each.
FEW = {
    "/api/v1/sql", "/api/v1/sparql", "/api/v1/export", "/api/v1/jobs/uploads", "/api/v1/jobs",
    "/api/v1/check-solution/uploads",
}  # fmt: skip
# Made-up words are no query; these are, and some of them are odd.
QUERIES = (
    "SELECT * FROM formulas", "SELECT 1/0.0, 9e999, x'00ff', NULL, -9223372036854775808, char(0, 55296)", "SELECT",
    "SELECT ?s ?p ?o WHERE { ?s ?p ?o }", "ASK { ?s ?p ?o }", "SELECT (1/0 AS ?x) (\"\\u0000\" AS ?y) {}",
    "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "DESCRIBE ?s WHERE { ?s ?p ?o }",
)  # fmt: skip


def _wrong_data_is_turned_away(context: Any, response: Any, case: Any) -> bool | None:
    """Wrong data is not taken; a body that is also too large to be read at all is turned away as that."""
    return None if response.status_code == 413 else negative_data_rejection(context, response, case)


_ROUNDS, _LATEST = 8, 12


@contextlib.contextmanager
def _served(library: Path) -> Iterator[tuple[Any, Any, Any]]:
    """The app, a session to ask it with, and its description."""
    app = make_app(ServeOptions(library, hosts=(asgi.HOST,), workers=1))
    with warnings.catch_warnings(), asgi.get_client(app, max_stream_events=100) as session:
        warnings.simplefilter("ignore")
        schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)
        assert app.state.mathrag.pool.wait_until_ready(60)
        yield app, session, schema


def _known(session: Any) -> dict[str, str]:
    """Ids that exist, by the names of the parameters they are for: made-up ones only ever lead to 404."""

    def first(path: str) -> str:
        return str(session.get(f"http://{asgi.HOST}/api/v1/{path}").json()["items"][0]["id"])

    note = ("a.md", b"# Notes\n\n## Work\n\n$$W_2 = F_2 s_2$$\n")
    job = session.post(f"http://{asgi.HOST}/api/v1/jobs/uploads", files={"files": note}).json()["id"]
    documents = session.get(f"http://{asgi.HOST}/api/v1/documents?limit=100").json()["items"]
    paged = [item["id"] for item in documents if item["name"].endswith(".pdf")]
    return {
        "formula": first("formulas?q=kinetic"),
        "constant": first("constants"),
        "document": (paged or [first("documents")])[0],
        "job": job,
    }


def _run(library: Path, *, cases: int, is_thorough: bool = False) -> Counter[int]:
    """Call every operation with made-up requests, valid and not; how often each status came back."""
    statuses: Counter[int] = Counter()
    with _served(library) as (_, session, schema):
        known = _known(session) if is_thorough else {}
        for result in schema.get_all_operations():
            operation = result.ok()
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE) if is_thorough else (None,):
                fixed = {name: value for name, value in known.items() if f"{{{name}}}" in operation.path}
                if operation.method.upper() == "DELETE":
                    fixed = {}
                # Where everything is fixed, no wrong request can be made up.
                with contextlib.suppress(Unsatisfiable):
                    _call(operation, session, mode=mode, cases=cases, fixed=fixed, known=known, statuses=statuses)
    return statuses


def _call(
    operation: Any,
    session: Any,
    *,
    mode: Any,
    cases: int,
    fixed: dict[str, str],
    known: dict[str, str],
    statuses: Counter[int],
    number: int = 0,
    replies: list[Any] | None = None,
) -> None:
    options = {} if mode is None else {"generation_mode": mode, "path_parameters": fixed or None}
    strategy = operation.as_strategy(**options)
    checks = list(CHECKS)
    # A list in a form is as good as its parts, whatever the description says of it.
    if mode is GenerationMode.NEGATIVE and not operation.path.endswith("/uploads"):
        checks.append(_wrong_data_is_turned_away)
    if mode is GenerationMode.POSITIVE:
        checks.append(unsupported_method)

    @seed(number)
    @settings(
        max_examples=max(1, cases // 5) if operation.path in FEW else cases, deadline=None, database=None,
        phases=[Phase.generate], suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(data=st.data())
    def call(data: Any) -> None:
        case = data.draw(strategy)
        if isinstance(case.body, dict) and operation.path.endswith("/jobs"):
            case.body["starter"] = False
        if isinstance(case.body, dict) and mode is GenerationMode.POSITIVE:
            if operation.path.endswith(("/sql", "/sparql")):
                case.body["query"] = data.draw(st.sampled_from(QUERIES))
            elif "formula" in case.body:
                case.body["formula"] = known["formula"]
        reply = case.call(session=session)
        statuses[reply.status_code] += 1
        if replies is not None:
            replies.append(reply)
        case.validate_response(reply, checks=checks)

    call()


@pytest.mark.fuzz
def test_made_up_requests(copied: Path) -> None:
    assert _run(copied, cases=6).total() > 100


@pytest.fixture
def with_pdf(copied: Path, tmp_path: Path) -> Path:
    """The copy with a PDF file in it, for its pages."""
    lines = lines_down_a_page("Notes", "The weight is", "W = m g", "where W is the weight in N and m the mass in kg.")
    with Library(copied) as library:
        library.ingest([write_pdf(tmp_path / "weight.pdf", lines)], workers=1)
    return copied


@pytest.mark.fuzz
def test_many_made_up_requests(with_pdf: Path) -> None:
    statuses = _run(with_pdf, cases=30, is_thorough=True)
    assert statuses.total() > 1_000
    assert statuses[200] > 200


@pytest.mark.fuzz
def test_requests_that_follow_from_replies(with_pdf: Path) -> None:
    """What replies name is asked for, changed, cancelled and removed, in any order."""
    chance = random.Random(7)
    seen: dict[str, list[str]] = {"formula": [], "constant": [], "document": [], "job": []}
    statuses: Counter[int] = Counter()
    labels = Counter[tuple[str, int]]()
    with _served(with_pdf) as (_, session, schema):
        _known(session)
        operations = [result.ok() for result in schema.get_all_operations()]
        # Each as often as any other, in an order of its own each time.
        rounds = [operation for _ in range(_ROUNDS) for operation in chance.sample(operations, len(operations))]
        for step, operation in enumerate(rounds):
            # What was named last is the likeliest to be there still.
            fixed = {
                name: chance.choice(found[-_LATEST:])
                for name, found in seen.items()
                if found and f"{{{name}}}" in operation.path
            }
            formula = {"formula": chance.choice(seen["formula"])} if seen["formula"] else {"formula": "f-000000000000"}
            replies: list[Any] = []
            with contextlib.suppress(Unsatisfiable):
                _call(
                    operation, session, mode=GenerationMode.POSITIVE, cases=1, fixed=fixed, known=formula,
                    statuses=statuses, number=step, replies=replies,
                )  # fmt: skip
            for reply in replies:
                labels[operation.label, reply.status_code] += 1
                # Some replies are files, such as a worksheet in PDF, and no text.
                said = reply.content.decode("utf-8", "replace")
                for letter, found in zip("fcdj", seen.values(), strict=True):
                    found += re.findall(rf'"({letter}-[0-9a-f]{{12,16}})"', said)[:5]
    for label in ("GET /api/v1/documents/{document}", "GET /api/v1/formulas/{formula}", "GET /api/v1/jobs/{job}"):
        assert labels[label, 200], labels
    assert labels["DELETE /api/v1/documents/{document}", 200]
