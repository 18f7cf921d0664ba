"""The address of a server: as people write it, as the client needs it, and as it may be shown. Opens no connection."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from mathrag.errors import ModelError

_VERSION = re.compile(r"v\d+[a-z]*\d*\Z")
_ENDINGS = ("/chat/completions", "/embeddings", "/completions", "/models")


@dataclass(frozen=True, slots=True)
class Address:
    """`base` is where requests go; `shown` is the same without a name and a password in it.

    `is_on_this_machine` where nothing leaves it and nothing is encrypted.
    """

    base: str
    shown: str
    is_on_this_machine: bool


def read_address(text: str) -> Address:
    """An address with or without `/v1` at its end, with or without a slash."""
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    if parts.scheme not in ("http", "https") or not host or not text.strip().isprintable() or " " in text.strip():
        raise ModelError(
            "not_configured",
            "the address of the model server must look like http://localhost:11434/v1; see MATHRAG_LLM_URL",
        )
    path = parts.path.rstrip("/")
    for ending in _ENDINGS:
        path = path.removesuffix(ending)
    # Other versions are part of real addresses (…/v1beta/openai), so `/v1` is added only where none is named.
    if not any(_VERSION.match(segment) for segment in path.split("/")):
        path = f"{path}/v1"
    where = f"[{host}]" if ":" in host else host
    where = where if port is None else f"{where}:{port}"
    return Address(
        base=urlunsplit((parts.scheme, parts.netloc, path, "", "")),
        shown=urlunsplit((parts.scheme, where, path, "", "")),
        is_on_this_machine=parts.scheme == "http" and _is_loopback(host),
    )


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
