"""`mathrag mcp`: the tools for one assistant, over standard input and output, until it hangs up."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mathrag.library import Library
from mathrag.library.ask.outcomes import outcome_object

if TYPE_CHECKING:
    from mathrag.library.ask.models import Budget


def serve_standard_streams(folder: Path, *, budget: Budget | None = None) -> None:
    """Serve a library on standard input and output. Nothing else may be written there meanwhile.

    `budget` is what language models may cost until the assistant hangs up.
    """
    from mathrag.library.ask.models import open_models
    from mathrag.serve.mcp.tools import Abilities, make_server
    from mathrag.settings import load_settings

    with Library(folder, create=False) as library, contextlib.ExitStack() as opened:
        models = None if budget is None else open_models(folder, settings=load_settings(), budget=budget)
        if models is not None:
            opened.enter_context(models)

        def ask(text: str, values: Mapping[str, str], formula: str | None, unit: str | None) -> dict[str, Any]:
            return outcome_object(library.ask(text, pinned=values, formula=formula, unit=unit, models=models))

        make_server(Abilities(library, ask)).run("stdio")
