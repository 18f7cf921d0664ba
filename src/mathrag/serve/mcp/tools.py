"""The tools and resources for assistants: what each does with a library, and all of them under the Model Context
Protocol, through its official package. Computes nothing itself."""

from __future__ import annotations

import contextlib
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import anyio.to_thread
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from mathrag.errors import LibraryError, MathragError, UsageError
from mathrag.library import Library
from mathrag.library.ask.computation import compute
from mathrag.library.ask.conversation import Conversation
from mathrag.library.ask.models import Budget, open_models
from mathrag.library.ask.outcomes import checked_question, outcome_object
from mathrag.library.solutions import MOST_CHARACTERS, check_object
from mathrag.library.views.entries import constant_object, document_object, formula_object, span_object
from mathrag.library.views.lists import document_names
from mathrag.library.views.sources import named_entry
from mathrag.serve.conversations import Conversations
from mathrag.settings import load_settings
from mathrag.types.library import Constant, Formula
from mathrag.version import __version__

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
# Asks one question: text, values by symbol, formula, unit, conversation (`new`, an id, or none).
AskFunction: TypeAlias = Callable[[str, Mapping[str, str], str | None, str | None, str | None], Object]
# Checks one solution: its text and its problem.
CheckFunction: TypeAlias = Callable[[str, str], Object]
# An assistant reads all it is given, so lists are short.
_MOST_HITS = 50
_MOST_LISTED = 500
# Conversations of one assistant that are kept while it is connected.
_MOST_TALKS = 32
# Of an outcome, what an assistant needs to repeat it truly; the rest is for programs.
_OUTCOME = (
    "outcome", "text", "value", "unit", "uncertainty", "confidence", "origin", "formulas", "bindings", "missing",
    "assumptions", "warnings", "citations", "table", "reason", "findings", "further", "nearest", "suggestions",
    "conversation",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Abilities:
    """The tools over one library, from JSON to JSON; knows nothing of the protocol.

    `ask_question` and `check_steps` say who does the work: this process, or the processes of a server.
    """

    library: Library
    ask_question: AskFunction
    check_steps: CheckFunction

    def ask(self, question: str, values: Mapping[str, str], formula: str, unit: str, conversation: str) -> Object:
        """A computed, cited answer, or a refusal that says what is missing."""
        outcome = self.ask_question(
            checked_question(question), values, formula or None, unit or None, conversation or None
        )
        shown = {name: outcome[name] for name in _OUTCOME if outcome.get(name) not in (None, [], {}, "")}
        shown["working"] = [line for step in outcome.get("steps", ()) for line in step.get("working", ())]
        return shown

    def search_formulas(self, words: str, limit: int) -> Object:
        """Formulas and constants that fit some words, best first."""
        hits = self.library.search(words, kinds=("formula", "constant"), limit=max(1, min(limit, _MOST_HITS)))
        names = document_names(self.library)
        return {"hits": [_hit(hit.entry, hit.score, names) for hit in hits if hit.entry is not None]}

    def compute(self, formula: str, values: Mapping[str, str], solve_for: str, unit: str) -> Object:
        """The value of one symbol of a formula of the library."""
        found: Object = compute(
            self.library, formula=formula, values=values, solve_for=solve_for or None, unit=unit or None
        )
        return found

    def solve(self, formula: str, symbol: str) -> Object:
        """A formula, by its id or as LaTeX or text, solved for a symbol in closed form."""
        solved = self.library.solve(formula, symbol)
        return {
            "symbol": solved.symbol,
            "solutions": [
                {"expression": one.expression, "latex": one.latex, "is_usual": one.is_usual, "note": one.note}
                for one in solved.solutions
            ],
        }

    def convert_units(self, quantity: str, unit: str) -> Object:
        """A quantity in another unit."""
        amount = self.library.convert(quantity, unit)
        return {"value": amount.value, "unit": amount.unit, "text": str(amount)}

    def get_source(self, identifier: str) -> Object:
        """Every place where a formula or constant stands, with the words there; or a document with its formulas."""
        entry = named_entry(self.library, identifier)
        if entry is None:
            return self.document(identifier)
        names = document_names(self.library)
        return {"id": entry.id, "places": [span_object(span, names) for span in entry.spans]}

    def check_solution(self, solution: str, problem: str) -> Object:
        """A written solution, each step judged by calculation."""
        found = self.check_steps(solution, problem)
        found["steps"] = [_shown_step(step) for step in found["steps"]]
        return found

    # ---- resources

    def formula(self, identifier: str) -> Object:
        """A formula with its symbols, conditions and places."""
        return formula_object(self.library.formula(identifier), document_names(self.library))

    def document(self, identifier: str) -> Object:
        """A document with the formulas it gave."""
        info = self.library.document(identifier)
        formulas = self.library.formulas(document=info.id)
        listed = [{"id": one.id, "label": one.label, "latex": one.latex, "status": one.status} for one in formulas]
        return {**document_object(info, self.library.counts().get(info.id)), "formulas": listed[:_MOST_LISTED]}

    def documents(self) -> Object:
        """Every document with what it gave."""
        counts = self.library.counts()
        infos = self.library.documents()
        listed = [document_object(info, counts.get(info.id)) for info in infos[:_MOST_LISTED]]
        return {"total": len(infos), "documents": listed}

    def formulas(self) -> Object:
        """The formulas by id and name, as many as one can look at."""
        found = self.library.formulas()
        return {
            "total": len(found),
            "formulas": [{"id": one.id, "label": one.label, "latex": one.latex} for one in found[:_MOST_LISTED]],
        }


def _shown_step(step: Mapping[str, Any]) -> Object:
    """A step with what an assistant needs of its claims: those that are false, and how many are right."""
    kept = ("text", "right", "reason")
    false = [{name: claim[name] for name in kept} for claim in step["claims"] if claim["outcome"] == "refuted"]
    right = sum(claim["outcome"] == "verified" for claim in step["claims"])
    return {
        "number": step["number"],
        "text": step["text"],
        "outcome": step["outcome"],
        "false_claims": false,
        "right_claims": right,
    }


def _hit(entry: Formula | Constant, score: float, names: Mapping[str, str]) -> Object:
    if isinstance(entry, Constant):
        return {"kind": "constant", "score": round(score, 4), **constant_object(entry, names)}
    return {
        "kind": "formula",
        "id": entry.id,
        "label": entry.label,
        "latex": entry.latex,
        "description": entry.description,
        "status": entry.status,
        "score": round(score, 4),
        "symbols": {
            one.name: {"meaning": one.description, "unit": one.unit, "role": one.role} for one in entry.symbols
        },
        "places": [span_object(span, names) for span in entry.spans[:3]],
    }


def make_server(abilities: Abilities) -> MCPServer:
    """A server with all tools and resources over one library."""
    server: MCPServer = MCPServer("mathrag", title="MathRAG", instructions=INSTRUCTIONS, version=__version__)
    _add_question_tools(server, abilities)
    _add_formula_tools(server, abilities)
    _add_solution_tools(server, abilities)
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
        conversation: Annotated[
            str,
            Field(
                max_length=100,
                description="For questions that lean on one another ('and for 5 kg?'): `new` with the first, then the "
                "`conversation` that the answer names. Empty for a question of its own.",
            ),
        ] = "",
    ) -> Object:
        """Answer a quantitative question by computing with the library's formulas: value, unit, working and sources,
        or a refusal that names what is missing."""
        return await _done(abilities.ask, question, values, formula, unit, conversation)

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


def _add_solution_tools(server: MCPServer, abilities: Abilities) -> None:
    @server.tool(title="Check a written solution", annotations=_READS)
    async def check_solution(
        solution: Annotated[
            str, Field(max_length=MOST_CHARACTERS, description="The solution in steps: text, Markdown or LaTeX.")
        ],
        problem: Annotated[str, Field(description="The task; empty where the solution states it.")] = "",
    ) -> Object:
        """Check a solution step by step by calculation: false calculations with the right value, the first of them,
        numbers from nowhere, the stated answer against what was derived. No false calculation found is not the same
        as correct; repeat the statement that says so."""
        return await _done(abilities.check_solution, solution, problem)


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


def serve_standard_streams(folder: Path, *, budget: Budget | None = None) -> None:
    """Serve a library to one assistant, on standard input and output. Nothing else may be written there meanwhile.

    `budget` is what language models may cost until the assistant hangs up.
    """
    with Library(folder, create=False) as library, contextlib.ExitStack() as opened:
        models = None if budget is None else open_models(folder, settings=load_settings(), budget=budget)
        if models is not None:
            opened.enter_context(models)

        talks: OrderedDict[str, Conversation] = OrderedDict()

        def ask(
            text: str, values: Mapping[str, str], formula: str | None, unit: str | None, conversation: str | None
        ) -> dict[str, Any]:
            if conversation is None:
                return outcome_object(library.ask(text, pinned=values, formula=formula, unit=unit, models=models))
            if conversation == "new":
                conversation = Conversations.new_name()
                talks[conversation] = library.conversation(models=models)
                while len(talks) > _MOST_TALKS:
                    talks.popitem(last=False)
            elif conversation not in talks:
                raise UsageError("this conversation is not kept any more; begin one with `new`")
            talks.move_to_end(conversation)
            outcome = talks[conversation].ask(text, pinned=values, formula=formula, unit=unit)
            return {**outcome_object(outcome), "conversation": conversation}

        def check(solution: str, problem: str) -> dict[str, Any]:
            return check_object(library.check_solution(solution, problem=problem))

        make_server(Abilities(library, ask, check)).run("stdio")
