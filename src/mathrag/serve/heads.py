"""HEAD wherever GET is answered: the same status and headers, no body. A stream ends at its first part."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Heads:
    """Asks the app as if for GET and keeps the body back. The tools at `/mcp` answer for themselves."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD" or scope["path"].startswith("/mcp"):
            await self.app(scope, receive, send)
            return
        has_ended = False

        async def without_body(message: Message) -> None:
            nonlocal has_ended
            if message["type"] == "http.response.start":
                await send(message)
            elif has_ended:
                # What an ended connection is to whoever writes to it; streams stop at that.
                raise OSError("the reply has ended")
            else:
                has_ended = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        async def gone_at_the_end() -> Message:
            return {"type": "http.disconnect"} if has_ended else await receive()

        try:
            await self.app({**scope, "method": "GET"}, gone_at_the_end, without_body)
        except Exception:
            if not has_ended:
                raise
