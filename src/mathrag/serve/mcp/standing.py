"""`mathrag mcp`: the tools for one assistant, over standard input and output, until it hangs up."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mathrag.library import Library
from mathrag.library.answering import outcome_object


def serve_standard_streams(folder: Path) -> None:
    """Serve a library on standard input and output. Nothing else may be written there meanwhile."""
    from mathrag.serve.mcp.abilities import Abilities
    from mathrag.serve.mcp.server import make_server

    with Library(folder, create=False) as library:

        def ask(text: str, values: Mapping[str, str], formula: str | None, unit: str | None) -> dict[str, Any]:
            return outcome_object(library.ask(text, pinned=values, formula=formula, unit=unit))

        make_server(Abilities(library, ask)).run("stdio")
