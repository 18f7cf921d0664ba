"""What whoever runs a server asks it: whether it is well, and its figures. Also signing in and out."""

from __future__ import annotations

from typing import Any

import anyio
from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from mathrag.library.ask.models import SharedBudget
from mathrag.serve.pages.page_reply import checked_form, page
from mathrag.serve.problems import ProblemError
from mathrag.serve.replies import JsonReply
from mathrag.serve.security.access import Buckets, client_of, is_token, too_often
from mathrag.serve.security.sessions import COOKIE
from mathrag.serve.state import state_of
from mathrag.version import __version__

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def health(request: Request) -> Response:
    """Whether questions can be answered. Asks nobody for a token, and tells nothing but that."""
    pool = state_of(request).pool.state
    is_well = pool.ready > 0
    status = "ok" if is_well else "starting" if not pool.problem else "failing"
    return JsonReply({"status": status, "version": __version__}, 200 if is_well else 503)


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Figures in Prometheus' text format."""
    state = state_of(request)
    jobs = await anyio.to_thread.run_sync(state.jobs.store.counts)
    pool = state.pool.state
    gauges = {f"mathrag_jobs_{name}": float(count) for name, count in jobs.items()} | {
        "mathrag_pool_workers": pool.workers,
        "mathrag_pool_ready": pool.ready,
        "mathrag_pool_busy": pool.busy,
        "mathrag_pool_waiting": pool.waiting,
        "mathrag_streams": state.streams,
    }
    counted = {
        "mathrag_pool_asked": pool.asked,
        "mathrag_pool_cached": pool.cached,
        "mathrag_pool_replaced": pool.replaced,
    }
    gauges |= _model_gauges(state.pool.spending)
    return PlainTextResponse(state.metrics.text(gauges, counted=counted), media_type="text/plain; version=0.0.4")


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
    if not state.options.token or not isinstance(given, str) or not is_token(given.strip(), state.options.token):
        buckets.take(client)
        problem = {"problem": "This is not the token of this server."}
        return page(request, "login.html", problem, status=401, has_twin=False)
    old: Any = request.scope.get("mathrag_session")
    if old is not None:
        state.sessions.end(old)
    reply = RedirectResponse("/", 303)
    session = state.sessions.begin(has_token=True)
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
    reply = RedirectResponse("/login" if state_of(request).options.token else "/", 303)
    reply.delete_cookie(COOKIE, path="/")
    return reply
