"""The app: guards around routes, opened with its libraries and closed with them. Which routes there are says
`routes.py`."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import AsyncIterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import anyio.to_thread
from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from mathrag.errors import MathragError
from mathrag.library import Library
from mathrag.library.ask.models import Budget
from mathrag.library.views.lists import kind_fields, kind_names
from mathrag.library.workers.asking_pool import AskingPool
from mathrag.serve import problem_replies, routes
from mathrag.serve.conversations import Conversations
from mathrag.serve.jobs.runner import JobRunner
from mathrag.serve.jobs.uploads import clear_unfinished
from mathrag.serve.jobs.watcher import Watcher
from mathrag.serve.libraries import PARAMETER as LIBRARY_PARAMETER
from mathrag.serve.libraries import LibraryGuard
from mathrag.serve.mcp.http_endpoint import running_tools
from mathrag.serve.metrics import Metrics
from mathrag.serve.middleware import Catch, Heads, Watch
from mathrag.serve.options import ServeOptions
from mathrag.serve.problems import Problem
from mathrag.serve.responses import KeptResponses
from mathrag.serve.security.access import Buckets, RateGuard, TokenGuard, Tokens
from mathrag.serve.security.request_guards import BodyGuard, HeaderGuard, HostGuard
from mathrag.serve.security.roles import NEEDS, RoleGuard
from mathrag.serve.security.sessions import OriginGuard, Sessions
from mathrag.serve.security.users import Role, UsersFile
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
    """The app for the libraries. Nothing is opened before it starts, and all of it is closed when it stops."""
    sessions, metrics = Sessions(), Metrics()
    tokens = Tokens(options.token, None if options.users is None else UsersFile(options.users))
    wrong = Buckets(options.limits.wrong_tokens_a_minute, burst=options.limits.wrong_tokens_a_minute)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
        states = await anyio.to_thread.run_sync(_all_opened, options, sessions, metrics)
        app.state.libraries = states
        app.state.mathrag = states[options.name]
        try:
            async with running_tools(app, states):
                yield
        finally:
            await anyio.to_thread.run_sync(_closed, states)

    app = FastAPI(
        title="MathRAG", version=__version__, description=_DESCRIPTION, lifespan=lifespan,
        docs_url=None, redoc_url=None, openapi_url="/api/v1/openapi.json",
    )  # fmt: skip
    app.state.wrong_tokens, app.state.tokens, app.state.responses = wrong, tokens, KeptResponses()
    problem_replies.install(app)
    routes.install(app)
    _describe(app, options)
    static = Path(str(resources.files("mathrag"))) / "serve" / "static"
    app.mount("/static", StaticFiles(directory=static, follow_symlink=False), name="static")
    # The last one added is the first one asked.
    app.add_middleware(Heads)
    app.add_middleware(Catch)
    app.add_middleware(BodyGuard, limits=options.limits)
    app.add_middleware(OriginGuard)
    app.add_middleware(LibraryGuard, names=[name for name, _ in options.libraries])
    app.add_middleware(RoleGuard, routes=routes.listed())
    app.add_middleware(TokenGuard, tokens=tokens, sessions=sessions, wrong=wrong)
    app.add_middleware(RateGuard, a_minute=_allowed(options))
    app.add_middleware(HostGuard, options=options)
    app.add_middleware(HeaderGuard)
    app.add_middleware(Watch, metrics=metrics)
    return app


def _describe(app: FastAPI, options: ServeOptions) -> None:
    """Have the OpenAPI document say what routes cannot say of themselves: problems, the token, roles, libraries."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        document = plain()
        components = document.setdefault("components", {})
        components.setdefault("schemas", {})["Problem"] = Problem.model_json_schema()
        components["securitySchemes"] = {"HTTPBearer": _TOKEN}
        # The empty one makes it optional.
        document["security"] = [{}, {"HTTPBearer": []}]
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                _add_role(operation, NEEDS.get((method.upper(), path)))
                _add_library(operation, [name for name, _ in options.libraries])
        return document

    app.openapi = described  # type: ignore[method-assign]


def _add_role(operation: dict[str, Any], need: int | None) -> None:
    if need:
        operation["x-role"] = Role(need).word


def _add_library(operation: dict[str, Any], names: list[str]) -> None:
    """Where there are several, every operation takes the name of one."""
    parameters = operation.setdefault("parameters", [])
    if len(names) > 1 and all(each["name"] != LIBRARY_PARAMETER for each in parameters):
        about = f"Which library is meant; {names[0]} where none is named."
        schema = {"type": "string", "enum": names}
        parameters.append({"name": LIBRARY_PARAMETER, "in": "query", "description": about, "schema": schema})


def _allowed(options: ServeOptions) -> int | None:
    """How many requests a minute one client may make."""
    if options.limits.requests_a_minute is not None:
        return options.limits.requests_a_minute
    return _PUBLIC_REQUESTS_A_MINUTE if options.is_public else None


def _all_opened(options: ServeOptions, sessions: Sessions, metrics: Metrics) -> dict[str, ServeState]:
    """The states of all libraries; those that wait for answers and queries are counted together."""
    states: dict[str, ServeState] = {}
    try:
        for name, folder in options.libraries:
            states[name] = _opened(name, folder, options=options, sessions=sessions, metrics=metrics)
    except BaseException:
        _closed(states)
        raise
    workers = sum(state.pool.size for state in states.values())
    asking = anyio.CapacityLimiter(options.limits.queue + workers + options.limits.streams)
    heavy = anyio.CapacityLimiter(options.limits.queries)
    for state in states.values():
        state.asking, state.heavy = asking, heavy
    for name, folder in options.watch:
        states[name].watchers.append(
            Watcher(states[name].library, states[name].jobs, folder, remove=options.watch_remove)
        )
    return states


def _share(options: ServeOptions) -> tuple[int | None, Budget | None]:
    """The processes and the spending that each library gets: all together are to be what one would have."""
    count, budget = len(options.libraries), options.budget
    if count == 1:
        return options.workers, budget
    workers = max(1, (options.workers or os.cpu_count() or 1) // count)
    if budget is None:
        return workers, None
    cost = None if budget.maximal_cost is None else budget.maximal_cost / count
    calls = None if budget.maximal_calls is None else budget.maximal_calls // count
    return workers, Budget(cost, calls)


def _opened(name: str, folder: Path, *, options: ServeOptions, sessions: Sessions, metrics: Metrics) -> ServeState:
    workers, budget = _share(options)
    library = Library(folder, create=True)
    try:
        clear_unfinished(library.folder)
        pool = AskingPool(
            library.folder,
            workers=workers,
            seconds=options.limits.ask_seconds,
            queue=options.limits.queue,
            budget=budget,
        )
        jobs = JobRunner(library.folder, workers=workers, most_waiting=options.limits.jobs_waiting)
        conversations = Conversations(library.folder)
    except BaseException:
        library.close()
        raise
    jobs.start()
    threading.Thread(target=_warm, args=(library,), name="mathrag-warm", daemon=True).start()
    return ServeState(name, options, library, pool, jobs, sessions, metrics, conversations)


def _warm(library: Library) -> None:
    """Load what the first pages and searches wait for. The library may be closed meanwhile; then nobody searches."""
    kind_names()
    kind_fields()
    with contextlib.suppress(MathragError, sqlite3.Error):
        library.search("energy", limit=1)


def _closed(states: Mapping[str, ServeState]) -> None:
    for state in states.values():
        for watcher in state.watchers:
            watcher.close()
        state.pool.close()
        state.jobs.close()
        state.conversations.close()
        state.library.close()
