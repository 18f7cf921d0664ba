"""Requests made up from the API's own description: no failure inside, and what comes back is as said."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from mathrag.serve.app import make_app
from mathrag.serve.options import ServeOptions

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.python import asgi
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
# Everything that changes the library runs on a copy of it; queries and exports start a process each.
FEW = {"/api/v1/sql", "/api/v1/sparql", "/api/v1/export", "/api/v1/jobs/uploads", "/api/v1/jobs"}


def _run(library: Path, *, cases: int) -> int:
    """Call every operation with made-up requests; how many were sent."""
    sent = 0
    app = make_app(ServeOptions(library, hosts=(asgi.HOST,), workers=1))
    with warnings.catch_warnings(), asgi.get_client(app, max_stream_events=100) as session:
        warnings.simplefilter("ignore")
        schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)
        assert app.state.mathrag.pool.wait_until_ready(60)
        for result in schema.get_all_operations():
            operation = result.ok()
            path = operation.path
            if not path.startswith("/api/v1/"):
                continue
            most = max(2, cases // 5) if path in FEW else cases

            @settings(
                max_examples=most, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )  # fmt: skip
            @given(data=st.data(), operation=st.just(operation))
            def call(data: Any, operation: Any) -> None:
                nonlocal sent
                case = data.draw(operation.as_strategy())
                if operation.path.endswith("/jobs") and isinstance(case.body, dict):
                    case.body["starter"] = False
                reply = case.call(session=session)
                sent += 1
                case.validate_response(reply, checks=CHECKS)

            call()
    return sent


def test_made_up_requests(copied: Path) -> None:
    assert _run(copied, cases=6) > 100


@pytest.mark.slow
def test_many_made_up_requests(copied: Path) -> None:
    assert _run(copied, cases=30) > 500
