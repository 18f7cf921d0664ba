"""The app: guards around routes, opened with a library and closed with it. Which routes there are says `routes.py`."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import AsyncIterator
from importlib import resources
from pathlib import Path
from typing import Any

import anyio.to_thread
from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from mathrag.errors import MathragError
from mathrag.library import Library
from mathrag.library.views.lists import kind_fields, kind_names
from mathrag.library.workers.asking_pool import AskingPool
from mathrag.serve import problem_replies, routes
from mathrag.serve.jobs.runner import JobRunner
from mathrag.serve.jobs.uploads import clear_unfinished
from mathrag.serve.mcp.http_endpoint import running_tools
from mathrag.serve.metrics import Metrics
from mathrag.serve.middleware import Catch, Heads, Watch
from mathrag.serve.options import ServeOptions
from mathrag.serve.problems import Problem
from mathrag.serve.security.access import Buckets, RateGuard, TokenGuard
from mathrag.serve.security.request_guards import BodyGuard, HeaderGuard, HostGuard
from mathrag.serve.security.sessions import OriginGuard, Sessions
from mathrag.serve.state import ServeState
from mathrag.version import __version__

# For pages and lookups; whoever waits for an answer is counted apart (`ServeState.asking`).
_THREADS = 64
# What one client may ask of a public server in a minute: twenty a second, more than a page with all its pictures takes.
_PUBLIC_REQUESTS_A_MINUTE = 1_200
_DESCRIPTION = (
    "Quantitative questions answered by computing with the formulas of a library of documents. Errors are RFC 9457 "
    "problem objects with a stable `code`. Lists take `limit` and `offset` and tell their `total`; a search gives its "
    "best `limit` hits."
)
_TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "The token of the server, where it was started with one; without one, nobody is asked for it.",
}


def make_app(options: ServeOptions) -> FastAPI:
    """The app for a library. Nothing is opened before it starts, and all of it is closed when it stops."""
    sessions, metrics = Sessions(), Metrics()
    wrong = Buckets(options.limits.wrong_tokens_a_minute, burst=options.limits.wrong_tokens_a_minute)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
        state = await anyio.to_thread.run_sync(_opened, options, sessions, metrics)
        state.asking.total_tokens = options.limits.queue + state.pool.size + options.limits.streams
        state.heavy.total_tokens = options.limits.queries
        app.state.mathrag = state
        try:
            async with running_tools(app, state):
                yield
        finally:
            await anyio.to_thread.run_sync(_closed, state)

    app = FastAPI(
        title="MathRAG", version=__version__, description=_DESCRIPTION, lifespan=lifespan,
        docs_url=None, redoc_url=None, openapi_url="/api/v1/openapi.json",
    )  # fmt: skip
    app.state.wrong_tokens = wrong
    problem_replies.install(app)
    routes.install(app)
    _describe(app)
    static = Path(str(resources.files("mathrag"))) / "serve" / "static"
    app.mount("/static", StaticFiles(directory=static, follow_symlink=False), name="static")
    # The last one added is the first one asked.
    app.add_middleware(Heads)
    app.add_middleware(Catch)
    app.add_middleware(BodyGuard, limits=options.limits)
    app.add_middleware(OriginGuard)
    app.add_middleware(TokenGuard, token=options.token, sessions=sessions, wrong=wrong)
    app.add_middleware(RateGuard, a_minute=_allowed(options))
    app.add_middleware(HostGuard, options=options)
    app.add_middleware(HeaderGuard)
    app.add_middleware(Watch, metrics=metrics)
    return app


def _describe(app: FastAPI) -> None:
    """Have the OpenAPI document say what routes cannot say of themselves: the problems and the token."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        document = plain()
        components = document.setdefault("components", {})
        components.setdefault("schemas", {})["Problem"] = Problem.model_json_schema()
        components["securitySchemes"] = {"HTTPBearer": _TOKEN}
        # The empty one makes it optional.
        document["security"] = [{}, {"HTTPBearer": []}]
        return document

    app.openapi = described  # type: ignore[method-assign]


def _allowed(options: ServeOptions) -> int | None:
    """How many requests a minute one client may make."""
    if options.limits.requests_a_minute is not None:
        return options.limits.requests_a_minute
    return _PUBLIC_REQUESTS_A_MINUTE if options.is_public else None


def _opened(options: ServeOptions, sessions: Sessions, metrics: Metrics) -> ServeState:
    library = Library(options.library, create=True)
    try:
        clear_unfinished(library.folder)
        pool = AskingPool(
            library.folder,
            workers=options.workers,
            seconds=options.limits.ask_seconds,
            queue=options.limits.queue,
            budget=options.budget,
        )
        jobs = JobRunner(library.folder, workers=options.workers, most_waiting=options.limits.jobs_waiting)
    except BaseException:
        library.close()
        raise
    jobs.start()
    threading.Thread(target=_warm, args=(library,), name="mathrag-warm", daemon=True).start()
    return ServeState(options, library, pool, jobs, sessions, metrics)


def _warm(library: Library) -> None:
    """Load what the first pages and searches wait for. The library may be closed meanwhile; then nobody searches."""
    kind_names()
    kind_fields()
    with contextlib.suppress(MathragError, sqlite3.Error):
        library.search("energy", limit=1)


def _closed(state: ServeState) -> None:
    state.pool.close()
    state.jobs.close()
    state.library.close()
