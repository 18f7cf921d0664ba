"""What the two interfaces in OpenAI's form share: models as libraries, fields that are taken or refused, counted
tokens, errors in their shape. Nothing that a client sends is passed over in silence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import Response

from mathrag.library.ask.outcomes import LONGEST_QUESTION
from mathrag.serve.api.ask import Asked, Question
from mathrag.serve.problems import ProblemError, openai_error
from mathrag.serve.state import states_of
from mathrag.types.json_value import Json

MODEL = "mathrag"
# Chat programs send the whole talk each time; only its end counts.
MOST_MESSAGES = 1_000
# Text goes out in pieces of about a line, so that a client that shows it as it comes has something to show.
_PIECE = 80
# A word, a number or a sign. What a language model's own tokenizer would count is not known here.
_TOKEN = re.compile(r"\w+|[^\w\s]")
_UNSUPPORTED = ("none_required", "extra_forbidden", "literal_error", "too_long")
NOT_FOLLOWED = "instructions and system messages are not followed: answers are computed, and nobody reads them"
Word = Annotated[str, Field(max_length=200)]
# No field of these may hold anything: null and empty lists mean that nothing is wanted.
Nothing = Annotated[list[Any], Field(max_length=0)]


class Strict(BaseModel):
    """Refuses fields that it does not name."""

    model_config = ConfigDict(extra="forbid")


class TextFormat(Strict):
    """The form of a reply."""

    type: Literal["text"] = Field("text", description="Text; no other form is given.")


class Common(Strict):
    """What both interfaces take. Sampling parameters are taken because any value gives the same answer: nothing is
    sampled. What asks for something that is not done here is refused."""

    model: Word = Field(MODEL, description="`mathrag`, or `mathrag:NAME` for one of several libraries.")
    library: Word | None = Field(None, description="Which library to ask, where several are served.")
    stream: bool | None = Field(None, description="Whether the answer comes in pieces.")
    temperature: float | None = Field(None, ge=0, le=2, description="Any gives the same answer: nothing is sampled.")
    top_p: float | None = Field(None, gt=0, le=1, description="Any gives the same answer.")
    user: Word | None = Field(None, description="The client's name for its user; nothing depends on it.")
    safety_identifier: Word | None = Field(None, description="The same.")
    prompt_cache_key: Word | None = Field(None, description="Nothing depends on it.")
    metadata: dict[Word, Annotated[str, Field(max_length=512)]] | None = Field(
        None, max_length=16, description="Given back with the answer."
    )
    parallel_tool_calls: bool | None = Field(None, description="There are no tools to call.")
    tools: Nothing | None = Field(None, description="None: no tools of clients are called.")
    tool_choice: Literal["none", "auto"] | None = Field(None, description="There are no tools to choose.")
    service_tier: Literal["auto", "default"] | None = Field(None, description="There is one.")

    def question(
        self, request: Request, words: str, *, previous: dict[str, Any] | None = None, earlier: Sequence[str] = ()
    ) -> Question:
        """What is asked of which library, and what it may lean on."""
        if not words:
            raise ProblemError(400, "there is no message of the user to answer", code="no_question")
        if len(words) > LONGEST_QUESTION:
            raise ProblemError(400, f"a question may have {LONGEST_QUESTION:,} characters", code="too_long")
        before = None if previous is None else Asked.model_validate(previous)
        library = self.library or library_of(request, self.model)
        return Question.model_validate(
            {
                "question": words,
                "previous": before,
                "earlier": list(earlier),
                "formats": ["markdown"],
                "library": library,
            }
        )


def library_of(request: Request, model: str) -> str | None:
    """The library that a model's name means; None for the one that the request means anyway."""
    name, colon, library = model.partition(":")
    if name != MODEL or (colon and library not in states_of(request)):
        raise ProblemError(
            404, f"there is no model {model[:60]!r}; there is {', '.join(model_names(request))}", code="model_not_found"
        )
    return library or None


def model_names(request: Request) -> list[str]:
    """The models that can be named: one for the usual library, and one for each where there are several."""
    names = list(states_of(request))
    return [MODEL, *(f"{MODEL}:{name}" for name in names if len(names) > 1)]


def unreadable(error: ValidationError) -> Response:
    """What is wrong with a request, naming the field."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    # Parts of unions are named by their types, which nobody sent.
    path = [str(part) for part in first["loc"] if isinstance(part, int) or str(part).isidentifier()]
    place = ".".join(path)[:200]
    if first["type"] in _UNSUPPORTED and place:
        sentence = f"{place}: this server does not do what it asks for; leave it out"
        return openai_error(ProblemError(400, sentence, code="unsupported_parameter"), param=place)
    sentence = f"{place}: {first['msg']}" if place else str(first["msg"])
    return openai_error(ProblemError(400, sentence), param=place or None)


def tokens(text: str) -> int:
    """How many tokens a text has, as this server counts: words, numbers and signs."""
    return sum(1 for _ in _TOKEN.finditer(text))


def counted(sent: Sequence[str], answer: str, outcome: Json) -> Json:
    """The tokens of what was sent and of the answer, and apart from them those that a language model behind the answer
    told of, where one was asked."""
    used = outcome.get("usage") or {}
    return {
        "sent": sum(map(tokens, sent)),
        "answer": tokens(answer),
        "told": {
            "counted": "words, numbers and signs",
            "model_prompt_tokens": int(used.get("prompt_tokens") or 0),
            "model_completion_tokens": int(used.get("completion_tokens") or 0),
        },
    }


def check_length(answer: str, most: int | None, field: str) -> None:
    """Refuse to give an answer that is longer than wanted: a number that is cut off is a wrong number."""
    if most is not None and tokens(answer) > most:
        raise ProblemError(
            400, f"{field}: the answer has {tokens(answer)} tokens and is not cut off; allow as many", code="too_long"
        )


def text_of(outcome: Json) -> str:
    """The answer in Markdown."""
    return str((outcome.get("rendered") or {}).get("markdown") or outcome["text"])


def data_of(outcome: Json, notes: Sequence[str]) -> Json:
    """The answer as data, with what was not done of what was asked for."""
    made = {name: value for name, value in outcome.items() if name != "rendered"}
    return {**made, **({"notes": list(notes)} if notes else {})}


def split(text: str) -> list[str]:
    """Pieces of whole lines, long lines cut; joined they are the text."""
    return [
        line[start : start + _PIECE] for line in text.splitlines(keepends=True) for start in range(0, len(line), _PIECE)
    ]


def described(model: type[BaseModel]) -> Json:
    """The schema of a model with its parts in place, for it stands where none of them are listed."""
    schema = model.model_json_schema()
    parts = schema.pop("$defs", {})

    def placed(value: Json) -> Json:
        if isinstance(value, dict) and "$ref" in value:
            return placed(parts[value["$ref"].rpartition("/")[2]])
        if isinstance(value, dict):
            return {name: placed(each) for name, each in value.items()}
        return [placed(each) for each in value] if isinstance(value, list) else value

    return placed(schema)
