"""What whoever runs a server asks it: whether it is well, and its figures. Also signing in and out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from mathrag.library.ask.models import SharedBudget
from mathrag.serve.metrics import Labels
from mathrag.serve.pages.page_reply import checked_form, page
from mathrag.serve.problems import ProblemError
from mathrag.serve.replies import JsonReply
from mathrag.serve.security.access import Buckets, Tokens, client_of, too_often
from mathrag.serve.security.sessions import COOKIE
from mathrag.serve.state import ServeState, state_of, states_of
from mathrag.version import __version__

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def health(request: Request) -> Response:
    """Whether questions can be answered. Asks nobody for a token, and tells nothing but that."""
    pools = [state.pool.state for state in states_of(request).values()]
    is_well = all(pool.ready > 0 for pool in pools)
    status = "ok" if is_well else "failing" if any(pool.problem for pool in pools if not pool.ready) else "starting"
    return JsonReply({"status": status, "version": __version__}, 200 if is_well else 503)


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Figures in Prometheus' text format."""
    gauges: dict[str, dict[Labels, float]] = {}
    counted: dict[str, dict[Labels, float]] = {}
    states = states_of(request)
    for name, state in states.items():
        # One library needs no label; what was kept of one server's figures stays comparable.
        labels: Labels = (("library", name),) if len(states) > 1 else ()
        jobs = await anyio.to_thread.run_sync(state.jobs.store.counts)
        for figures, into in ((_gauges(state, jobs), gauges), (_counted(state), counted)):
            for figure, value in figures.items():
                into.setdefault(figure, {})[labels] = value
    text = state_of(request).metrics.text(gauges, counted=counted)
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


def _gauges(state: ServeState, jobs: Mapping[str, int]) -> dict[str, float]:
    pool = state.pool.state
    made = {f"mathrag_jobs_{name}": float(count) for name, count in jobs.items()} | {
        "mathrag_pool_workers": pool.workers,
        "mathrag_pool_ready": pool.ready,
        "mathrag_pool_busy": pool.busy,
        "mathrag_pool_waiting": pool.waiting,
        "mathrag_streams": state.streams,
    }
    return made | _model_gauges(state.pool.spending)


def _counted(state: ServeState) -> dict[str, float]:
    pool = state.pool.state
    return {
        "mathrag_pool_asked": pool.asked,
        "mathrag_pool_cached": pool.cached,
        "mathrag_pool_replaced": pool.replaced,
    }


def _model_gauges(spending: SharedBudget) -> dict[str, float]:
    """What language models were asked and cost in this run, and what they may; nothing where none is set."""
    spent, budget = spending.spent, spending.budget
    if spent is None or budget is None:
        return {}
    figures = {
        "mathrag_model_calls": spent.calls,
        "mathrag_model_calls_allowed": budget.maximal_calls,
        # Without prices nobody knows the cost, and 0 would be wrong.
        "mathrag_model_cost_dollars": spent.cost if spent.cost or budget.maximal_cost is not None else None,
        "mathrag_model_cost_dollars_allowed": budget.maximal_cost,
    }
    return {name: float(value) for name, value in figures.items() if value is not None}


@router.get("/login")
async def login_page(request: Request) -> Response:
    """A form for the token."""
    return page(request, "login.html", {"problem": ""}, has_twin=False)


@router.post("/login")
async def login(request: Request) -> Response:
    """Check the token and begin a session that has it."""
    state = state_of(request)
    form = await checked_form(request)
    buckets: Buckets = request.app.state.wrong_tokens
    client = client_of(request.scope)
    wait = buckets.seconds_until(client)
    if wait:
        raise too_often(wait)
    given = form.get("token")
    tokens: Tokens = request.app.state.tokens
    holder = tokens.holder(given.strip()) if isinstance(given, str) else None
    if holder is None:
        buckets.take(client)
        problem = {"problem": "This is no token of this server."}
        return page(request, "login.html", problem, status=401, has_twin=False)
    old: Any = request.scope.get("mathrag_session")
    if old is not None:
        state.sessions.end(old)
    reply = RedirectResponse("/", 303)
    user = holder[1]
    session = state.sessions.begin(has_token=True, user=user.name if user else "", proof=user.hash if user else "")
    state.sessions.put_cookie(reply, session, is_secure=request.url.scheme == "https")
    return reply


@router.post("/logout")
async def logout(request: Request) -> Response:
    """End the session."""
    await checked_form(request)
    session: Any = request.scope.get("mathrag_session")
    if session is None:
        raise ProblemError(403, "there is no session to end")
    state_of(request).sessions.end(session)
    reply = RedirectResponse("/login" if state_of(request).options.needs_token else "/", 303)
    reply.delete_cookie(COOKIE, path="/")
    return reply
