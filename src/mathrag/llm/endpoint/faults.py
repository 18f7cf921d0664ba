"""What can go wrong between us and a server, before it becomes a sentence for a person. Never leaves this package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Cut: TypeAlias = Literal["timeout", "cancelled"]


@dataclass(eq=False)
class Refused(Exception):  # noqa: N818 - a value that travels, not an error that a caller meets
    """The server answered with another status than 200. `body` is the beginning of what it said."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(eq=False)
class Broken(Exception):  # noqa: N818
    """The connection failed. `was_sent` once the whole request had gone out, `has_begun` once a reply had started."""

    kind: Literal["connection", "garbled", "untrusted", "unwritable"] | Cut
    detail: str
    was_sent: bool = False
    has_begun: bool = False


class Unreadable(Exception):  # noqa: N818
    """Bytes that are no reply of a model. The message says what is wrong with them."""
