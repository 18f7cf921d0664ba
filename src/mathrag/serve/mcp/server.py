"""The tools and resources under the Model Context Protocol, through its official library. Computes nothing itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import anyio.to_thread
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from mathrag import __version__
from mathrag.errors import LibraryError, MathragError

if TYPE_CHECKING:
    from mathrag.serve.mcp.abilities import Abilities

Object: TypeAlias = dict[str, Any]
INSTRUCTIONS = (
    "A library of formulas read from documents, with units and sources. Ask it whenever a number must be right: it "
    "computes, checks units and cites the place of every formula. A refusal says what is missing; supply that value or "
    "tell the user, and never fill in a number yourself."
)
_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
Values: TypeAlias = Annotated[
    dict[str, str], Field(description='Values by symbol with their units, such as {"m": "2 kg", "v": "3 m/s"}.')
]


def make_server(abilities: Abilities) -> MCPServer:
    """A server with all tools and resources over one library."""
    server: MCPServer = MCPServer("mathrag", title="MathRAG", instructions=INSTRUCTIONS, version=__version__)
    _add_question_tools(server, abilities)
    _add_formula_tools(server, abilities)
    _add_resources(server, abilities)
    return server


async def _done(function: Callable[..., Object], *arguments: object) -> Object:
    """The work in a thread, so that the connection stays alive; an error of ours is told to the assistant in words."""
    try:
        return await anyio.to_thread.run_sync(lambda: function(*arguments), abandon_on_cancel=True)
    except MathragError as error:
        raise ToolError(str(error)) from error


def _add_question_tools(server: MCPServer, abilities: Abilities) -> None:
    @server.tool(title="Ask a quantitative question", annotations=_READS)
    async def ask(
        question: Annotated[str, Field(description="The question in words, with its values and units.")],
        values: Values = {},  # noqa: B006 - never changed; the schema needs the default
        formula: Annotated[str, Field(description="Use only this formula (its id); empty for any.")] = "",
        unit: Annotated[str, Field(description="The unit of the answer; empty for the usual one.")] = "",
    ) -> Object:
        """Answer a quantitative question by computing with the library's formulas: value, unit, working and sources,
        or a refusal that names what is missing."""
        return await _done(abilities.ask, question, values, formula, unit)

    @server.tool(title="Find formulas and constants", annotations=_READS)
    async def search_formulas(
        words: Annotated[str, Field(description="What to look for: a name, a quantity, symbols.")],
        limit: Annotated[int, Field(ge=1, le=50, description="How many at most.")] = 10,
    ) -> Object:
        """Find formulas and constants of the library by words and by meaning, best first."""
        return await _done(abilities.search_formulas, words, limit)

    @server.tool(title="Show where something stands", annotations=_READS)
    async def get_source(
        identifier: Annotated[str, Field(description="The id or name of a formula, a constant or a document.")],
    ) -> Object:
        """Every place in the documents where a formula or constant stands, with the exact words; or what a document
        holds."""
        return await _done(abilities.get_source, identifier)


def _add_formula_tools(server: MCPServer, abilities: Abilities) -> None:
    @server.tool(title="Compute with a formula", annotations=_READS)
    async def compute(
        formula: Annotated[str, Field(description="The id of a formula of the library.")],
        values: Values,
        solve_for: Annotated[str, Field(description="The symbol to compute; empty for the formula's own.")] = "",
        unit: Annotated[str, Field(description="The unit of the result; empty for the usual one.")] = "",
    ) -> Object:
        """Compute one symbol of a formula from values with units; constants are filled in."""
        return await _done(abilities.compute, formula, values, solve_for, unit)

    @server.tool(title="Solve a formula for a symbol", annotations=_READS)
    async def solve(
        formula: Annotated[str, Field(description="The id of a formula of the library, or one in LaTeX or text.")],
        symbol: Annotated[str, Field(description="The symbol to solve for.")],
    ) -> Object:
        """Solve a formula for any of its symbols, in closed form."""
        return await _done(abilities.solve, formula, symbol)

    @server.tool(title="Convert units", annotations=_READS)
    async def convert_units(
        quantity: Annotated[str, Field(description="A number with its unit, such as `60 mph`.")],
        unit: Annotated[str, Field(description="The unit wanted, such as `m/s`.")],
    ) -> Object:
        """Convert a quantity to another unit; units of another dimension are refused."""
        return await _done(abilities.convert_units, quantity, unit)


def _add_resources(server: MCPServer, abilities: Abilities) -> None:
    kind = "application/json"

    @server.resource("mathrag://formulas", name="formulas", description="The formulas of the library.", mime_type=kind)
    async def formulas() -> str:
        return await _text(abilities.formulas)

    @server.resource("mathrag://documents", name="documents", description="The documents read.", mime_type=kind)
    async def documents() -> str:
        return await _text(abilities.documents)

    @server.resource("mathrag://formulas/{identifier}", name="formula", description="A formula.", mime_type=kind)
    async def formula(identifier: str) -> str:
        return await _text(abilities.formula, identifier)

    @server.resource("mathrag://documents/{identifier}", name="document", description="A document.", mime_type=kind)
    async def document(identifier: str) -> str:
        return await _text(abilities.document, identifier)


async def _text(function: Callable[..., Mapping[str, Any]], *arguments: object) -> str:
    try:
        found = await anyio.to_thread.run_sync(lambda: function(*arguments))
    except LibraryError as error:
        raise ResourceNotFoundError(str(error)) from error
    return json.dumps(found, ensure_ascii=False, allow_nan=False)
