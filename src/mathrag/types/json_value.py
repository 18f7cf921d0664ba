"""The type of a value that is JSON, or was read from JSON and is not checked yet."""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = Any
