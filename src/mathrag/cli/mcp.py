"""`mathrag mcp`: the library as tools for assistants that speak the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path

import click

from mathrag.cli.options import ModelOptions, library_option, library_to_ask, model_options
from mathrag.errors import UsageError

EXAMPLE = (
    "\b\n"
    """Example, as most assistants are told about it:
  {"mcpServers": {"mathrag": {"command": "mathrag", "args": ["mcp", "--library", "/path/to/my-library"]}}}
"""
)


@click.command("mcp", epilog=EXAMPLE)
@library_option
@model_options()
def command(folder: Path | None, models: ModelOptions) -> int:
    """Serve the library to an assistant over standard input and output (Model Context Protocol).

    Tools: ask, search_formulas, compute, solve, convert_units, get_source. Started by the assistant, not by hand. The
    same tools are offered at /mcp by `mathrag serve`.
    """
    try:
        from mathrag.serve.mcp.tools import serve_standard_streams
    except ImportError as error:
        raise UsageError("this needs a package that is not installed: pip install 'mathrag[mcp]'") from error
    with library_to_ask(folder) as library:
        serve_standard_streams(library.folder, budget=models.budget())
    return 0
