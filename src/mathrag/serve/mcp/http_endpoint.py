"""The tools at `/mcp` of a running server (streamable HTTP). The guards around the app hold for it too."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

from fastapi import FastAPI
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from mathrag.library.workers.asking_pool import AskOptions
from mathrag.serve.problems import problem_reply
from mathrag.serve.state import ServeState

PATH = "/mcp"
# As for the API: a question with its values is small.
_LARGEST_BODY = 1024 * 1024


class McpEndpoint:
    """Hands requests to the server of the protocol, while there is one."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        running = getattr(scope["app"].state, "mcp", None)
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
async def running_tools(app: FastAPI, state: ServeState) -> AsyncIterator[None]:
    """The server of the protocol over the library and the processes that answer."""
    try:
        from mcp.server.transport_security import TransportSecuritySettings

        from mathrag.serve.mcp.tools import Abilities, make_server
    except ImportError:
        yield
        return

    def ask(text: str, values: Mapping[str, str], formula: str | None, unit: str | None) -> dict[str, Any]:
        options = AskOptions(pinned=values, formula=formula, unit=unit, planner=state.options.planner)
        answered: dict[str, Any] = state.pool.ask(text, options=options)
        return answered

    server = make_server(Abilities(state.library, ask))
    # Hosts and origins are checked by our own guards; nothing is kept between requests, so nothing can pile up.
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        max_request_body_size=_LARGEST_BODY,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    async with server.session_manager.run():
        app.state.mcp = inner
        try:
            yield
        finally:
            app.state.mcp = None
