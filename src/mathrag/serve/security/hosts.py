"""Which names a server answers to. Against DNS rebinding: a stranger's page may point its own name at this machine, and
a browser would then let it read everything here."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

from starlette.types import ASGIApp, Receive, Scope, Send

from mathrag.serve.options import ServeOptions, is_loopback
from mathrag.serve.problems import ProblemError
from mathrag.serve.security.replying import header_values, turn_away


class HostGuard:
    """Turns away requests for hosts that are not ours."""

    def __init__(self, app: ASGIApp, options: ServeOptions) -> None:
        self.app = app
        self.options = options
        self.names = _names(options)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        hosts = header_values(scope, b"host")
        if len(hosts) != 1 or not self.is_ours(hosts[0]):
            problem = ProblemError(
                421, "this server does not answer to that host name; name it with --allow-host", code="host"
            )
            await turn_away(problem, scope, receive, send)
            return
        await self.app(scope, receive, send)

    def is_ours(self, value: str) -> bool:
        """Whether a Host header names this server."""
        name = host_name(value)
        if name is None:
            return False
        if name in self.names or is_loopback(name):
            return True
        # A number cannot be rebound; only names can.
        return self.options.is_public and _is_address(name)


def _names(options: ServeOptions) -> frozenset[str]:
    named: Iterable[str] = (options.host, *options.hosts)
    return frozenset(name.strip("[]").lower() for name in named if name not in ("0.0.0.0", "::", ""))  # noqa: S104


def host_name(value: str) -> str | None:
    """The name in a Host header, without its port; None where it is malformed."""
    text = value.strip().lower()
    if text.startswith("["):
        name, bracket, port = text[1:].partition("]")
        port = port.removeprefix(":") if port else "0"
        return name if bracket and port.isdigit() and _is_address(name) else None
    name, colon, port = text.partition(":")
    if not name or (colon and not (port.isascii() and port.isdigit())):
        return None
    return name.rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
