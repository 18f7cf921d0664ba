"""The tools at `/mcp` of a running server (streamable HTTP). The guards around the app hold for it too."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

from fastapi import FastAPI
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from mathrag.library.workers.asking_pool import AskOptions
from mathrag.serve.problems import problem_reply
from mathrag.serve.state import ServeState, programs_owner

PATH = "/mcp"
# As for the API: a question with its values is small.
_LARGEST_BODY = 1024 * 1024


class McpEndpoint:
    """Hands requests to the server of the protocol, while there is one."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        running = getattr(scope["app"].state, "mcp", {}).get(scope["mathrag_library"])
        if running is None:
            sentence = "the tools for assistants need a package that is not installed: pip install 'mathrag[mcp]'"
            await problem_reply(503, sentence, code="not_installed", path=PATH)(scope, receive, send)
            return
        await running(scope, receive, send)


def install(app: FastAPI) -> None:
    """Make the path known; what answers there begins and ends with the app."""
    # Nothing is kept between requests: there are no sessions to end, and nothing to send to whoever listens with GET.
    app.router.routes.append(Route(PATH, McpEndpoint(), methods=["POST"], include_in_schema=False))


@contextlib.asynccontextmanager
async def running_tools(app: FastAPI, states: Mapping[str, ServeState]) -> AsyncIterator[None]:
    """A server of the protocol for each library, over it and the processes that answer."""
    try:
        from mathrag.serve.mcp import tools  # noqa: F401 - whether it can be had at all
    except ImportError:
        yield
        return
    async with contextlib.AsyncExitStack() as stack:
        app.state.mcp = {}
        for name, state in states.items():
            inner, running = _made(state)
            await stack.enter_async_context(running)
            app.state.mcp[name] = inner
        try:
            yield
        finally:
            app.state.mcp = {}


def _made(state: ServeState) -> tuple[ASGIApp, contextlib.AbstractAsyncContextManager[None]]:
    """What answers for one library, and what it runs in."""
    from mcp.server.transport_security import TransportSecuritySettings

    from mathrag.serve.mcp.tools import Abilities, make_server

    def ask(
        text: str, values: Mapping[str, str], formula: str | None, unit: str | None, conversation: str | None
    ) -> dict[str, Any]:
        owner, kept = programs_owner(state), state.conversations
        if conversation is not None:
            conversation = kept.new_name() if conversation == "new" else kept.joined(conversation, owner=owner)
        previous = None if conversation is None else kept.previous(conversation)
        options = AskOptions(
            pinned=values, formula=formula, unit=unit, planner=state.options.planner, previous=previous
        )
        answered: dict[str, Any] = state.pool.ask(text, options=options)
        if conversation is None:
            return answered
        kept.add(conversation, text, answered, generation=state.library.database.generation, owner=owner)
        return {**answered, "conversation": conversation}

    def check(solution: str, problem: str) -> dict[str, Any]:
        return dict(state.pool.call("check_solution", {"text": solution, "problem": problem}))

    server = make_server(Abilities(state.library, ask, check))
    # Hosts and origins are checked by our own guards; nothing is kept between requests, so nothing can pile up.
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        max_request_body_size=_LARGEST_BODY,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return inner, server.session_manager.run()
