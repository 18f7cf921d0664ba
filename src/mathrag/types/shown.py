"""Lets a noun show itself, in a notebook or printed. Knows no format: whoever can write one says so with `shows`.

Notebooks call `_repr_html_` and `_repr_latex_` on the object itself, and `print` its `__str__`, but the nouns stand
below everything that could write a page; so the writers are put in from above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

ShownAs: TypeAlias = Literal["html", "latex", "text", "card"]
Writer: TypeAlias = Callable[["Shown", ShownAs], str | None]
_writers: list[Writer] = []


def shows(writer: Writer) -> None:
    """Use this writer from now on."""
    _writers[:] = [writer]


class Shown:
    """A noun with a rich display; plain where nobody has said how."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return self._written("html")

    def _repr_latex_(self) -> str | None:
        return self._written("latex")

    def _written(self, form: ShownAs) -> str | None:
        return _writers[0](self, form) if _writers else None
