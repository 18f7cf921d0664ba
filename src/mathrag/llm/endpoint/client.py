"""A server that speaks OpenAI's protocol, asked for replies and vectors. Falls back where it lacks an ability."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Generator, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from types import TracebackType

from mathrag.errors import ModelError
from mathrag.llm.endpoint.address import read_address
from mathrag.llm.endpoint.exchange import Clockwork, Exchange, read_retry_after
from mathrag.llm.endpoint.line import Incoming, Line
from mathrag.llm.endpoint.refusals import as_error, blamed, is_passing
from mathrag.llm.endpoint.reply import (
    Broken,
    Draft,
    Refused,
    ServerFault,
    Unreadable,
    estimate_prompt,
    events,
    read_json,
    read_usage,
    whole,
)
from mathrag.llm.endpoint.request import Feature, chat_body, clean, limits_of, schema_feature
from mathrag.llm.messages import Ability, ChatReply, ChatRequest, Embeddings, ReplyPiece, Usage
from mathrag.types.json_value import Json

# A streamed reply that any thread can end. Holds the connection; reads nothing itself.


class Hold:
    """What a stream and whoever reads for it share: the connection in use, and whether the stream has been closed.

    Apart from the stream, so that a stream nobody looks at any more is closed at once and not by the next collection.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._line: Line | None = None
        self._is_released = False

    @property
    def is_released(self) -> bool:
        """Whether the stream has been closed."""
        return self._is_released

    def attach(self, line: Line) -> None:
        """The connection that is used from now on. Where the stream was closed meanwhile, the request ends here."""
        with self._lock:
            self._line = line
        self.check(was_charged=False)

    def detach(self) -> None:
        """The reply is over; its connection may serve others, and is no longer ours to cut."""
        with self._lock:
            self._line = None

    def check(self, *, was_charged: bool) -> None:
        """Raises where the stream has been closed."""
        if self._is_released:
            raise ModelError("cancelled", "the request was cancelled", was_charged=was_charged)

    def release(self) -> None:
        """Cut the connection."""
        with self._lock:
            self._is_released = True
            if self._line is not None:
                self._line.cut("cancelled")


class ReplyStream(Iterator[ReplyPiece]):
    """Pieces of a reply. Closing it closes the connection at once, so that the server stops writing.

    A generator cannot be closed while another thread waits in it; this can.
    """

    def __init__(self, pieces: Generator[ReplyPiece, None, None], hold: Hold) -> None:
        self._pieces = pieces
        self._hold = hold

    def __iter__(self) -> ReplyStream:
        return self

    def __next__(self) -> ReplyPiece:
        if self._hold.is_released:
            raise StopIteration
        try:
            return next(self._pieces)
        except ValueError:
            # Another thread is closing the generator at this moment.
            if self._hold.is_released:
                raise StopIteration from None
            raise

    def __enter__(self) -> ReplyStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """End the request. A thread that waits for the next piece gets a `ModelError` with the code `cancelled`."""
        if self._hold.is_released:
            return
        self._hold.release()
        try:
            self._pieces.close()
        except ValueError:
            # Another thread waits in it, and is woken by the cut.
            return


# What one server is known to lack for one model, learnt from what it refused. Shared by all who ask it.

# A refusal without a reason costs a request for every feature; so often that is tried in vain, and then no more.
_VAIN_SEARCHES = 2


class Abilities:
    """Features that the server has refused. Safe to use from several threads."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._lock = threading.Lock()
        self._lacking: set[Feature] = set()
        self._vain_searches = 0

    def lacking(self) -> frozenset[Feature]:
        """What to leave out from the start."""
        with self._lock:
            return frozenset(self._lacking)

    def learn(self, features: Set[Feature]) -> None:
        """Remember what had to be left out of a request that was then served."""
        with self._lock:
            self._lacking |= features

    def note_vain_search(self) -> None:
        """A request was refused whatever was left out: it says nothing about abilities."""
        with self._lock:
            self._vain_searches += 1

    def blamed(self, fault: Refused, features: Sequence[Feature]) -> Feature | None:
        """The feature to leave out after a refusal; None where the refusal has another reason."""
        return blamed(fault, features, model=self._model, may_guess=self._vain_searches < _VAIN_SEARCHES)


# Vectors as a server sends them, checked: one for every text, finite, all of one length.

_MOST_DIMENSIONS = 16_384
BYTES_OF_A_VECTOR = 1 << 18


def read_vectors(value: Json, *, count: int) -> list[tuple[float, ...]]:
    """The vectors in the order of the texts, which need not be the order they came in."""
    data = value.get("data") if isinstance(value, dict) else None
    if not isinstance(data, list) or len(data) != count:
        raise Unreadable(f"it has not one vector for each of {count} texts")
    vectors: dict[int, tuple[float, ...]] = {}
    for position, entry in enumerate(data):
        if not isinstance(entry, dict):
            raise Unreadable("one of its vectors is no object")
        index = entry.get("index", position)
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < count or index in vectors:
            raise Unreadable("its vectors are numbered wrongly")
        vectors[index] = _vector(entry.get("embedding"))
    if len({len(vector) for vector in vectors.values()}) > 1:
        raise Unreadable("its vectors have different lengths")
    return [vectors[index] for index in range(count)]


def _vector(value: Json) -> tuple[float, ...]:
    # llama.cpp wraps the vector of a pooled text into a list of one.
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    if not isinstance(value, list) or not 0 < len(value) <= _MOST_DIMENSIONS:
        raise Unreadable("one of its vectors is no list of numbers")
    try:
        numbers = tuple(float(number) for number in value if isinstance(number, int | float))
    except OverflowError as error:
        raise Unreadable("one of its vectors has a number that is none") from error
    if len(numbers) != len(value) or not all(map(math.isfinite, numbers)):
        raise Unreadable("one of its vectors has a number that is none")
    return numbers


_TEXTS_AT_ONCE = 32
_CHARACTERS_AT_ONCE = 200_000
# The estimate may be this far off, so that a request beyond it is certainly too long.
_MOST_ERROR = 3


class Endpoint:
    """A model on a server: `ChatModel` and `EmbeddingModel`. Safe to use from several threads.

    An attempt may take `timeout_seconds` to its last byte, and is repeated up to `retries` times where no reply had
    begun. What the server refuses (a schema, tools, pictures, ...) is left out from then on, and named in the replies'
    `lacking`. `close` ends what runs. `sleep` and the rest of `clockwork` are for tests.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str = "",
        timeout_seconds: float = 120,
        retries: int = 4,
        context_tokens: int | None = None,
        sleep: Callable[[float], object] | None = None,
        clockwork: Clockwork | None = None,
    ) -> None:
        if not model:
            raise ModelError("not_configured", "no model is named; set MATHRAG_LLM_MODEL to one that the server has")
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ModelError("key_refused", "MATHRAG_LLM_KEY holds characters that no key has; copy it anew")
        self._address = read_address(url)
        self._model = model
        self._key = key
        self._context_tokens = context_tokens
        self._clockwork = clockwork or Clockwork(sleep=sleep)
        self._exchange = Exchange(
            self._address, key=key, timeout_seconds=timeout_seconds, retries=retries, clockwork=self._clockwork
        )
        self._abilities = Abilities(model)

    def __repr__(self) -> str:
        return f"Endpoint({self._address.shown!r}, {self._model!r})"

    @property
    def name(self) -> str:
        """What the server calls the model."""
        return self._model

    @property
    def address(self) -> str:
        """Where the server is, fit to be shown."""
        return self._address.shown

    @property
    def context_tokens(self) -> int | None:
        """How much the model can take in at once, where it is known."""
        return self._context_tokens

    def chat(self, request: ChatRequest) -> ChatReply:
        """The whole reply."""
        incoming, line, refused = self._begin(request)
        limits = limits_of(request)
        draft = Draft(request, limits, model=self._model)
        with self._reading(incoming, line):
            for value in _objects(incoming, draft, limit=limits.bytes):
                draft.add(value)
            reply = draft.reply()
        return self._finished(reply, request, refused)

    def stream(self, request: ChatRequest) -> ReplyStream:
        """The reply piece by piece, from the first `next` on. `close` on it, from any thread, ends the request."""
        hold = Hold()
        return ReplyStream(self._pieces(request, hold), hold)

    def embed(self, texts: Sequence[str]) -> Embeddings:
        """A vector for every text, asked for in batches."""
        vectors: list[tuple[float, ...]] = []
        prompt_tokens, is_estimated = 0, False
        for batch in _batches(texts):
            try:
                found, usage = self._embed_batch(batch)
            except ModelError as error:
                # The batches before this one have been paid for.
                error.was_charged = error.was_charged or bool(vectors)
                raise
            vectors += found
            prompt_tokens += usage.prompt_tokens
            is_estimated = is_estimated or usage.is_estimated
        if len({len(vector) for vector in vectors}) > 1:
            raise ModelError(
                "bad_reply", f"the vectors of {self._address.shown} have different lengths", was_charged=True
            )
        return Embeddings(tuple(vectors), usage=Usage(prompt_tokens, is_estimated=is_estimated), model=self._model)

    def _embed_batch(self, batch: Sequence[str]) -> tuple[list[tuple[float, ...]], Usage]:
        body = {"model": self._model, "input": [clean(text) or " " for text in batch], "encoding_format": "float"}
        try:
            incoming, line = self._exchange.send("embeddings", body, is_final=lambda _: False)
        except Refused as refused:
            raise self._error(refused) from None
        with self._reading(incoming, line):
            value = read_json(whole(incoming.chunks(limit=1_000_000 + len(batch) * BYTES_OF_A_VECTOR)))
            if isinstance(value, dict) and value.get("error"):
                raise ServerFault(str(value["error"])[:300])
            vectors = read_vectors(value, count=len(batch))
            usage = read_usage(value.get("usage"), characters=sum(map(len, batch)))
        return vectors, usage

    def close(self) -> None:
        """End what runs and close the connections."""
        self._exchange.close()

    def __enter__(self) -> Endpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin(self, request: ChatRequest, *, hold: Hold | None = None) -> tuple[Incoming, Line, frozenset[Feature]]:
        """Send a request, leaving out what the server refuses, until a reply begins: a stream where one is held."""
        self._check_length(request)
        refused = self._abilities.lacking()
        passing: set[Feature] = set()
        first: Refused | None = None
        while True:
            body, features = chat_body(request, self._model, refused=refused, is_streamed=hold is not None)
            try:
                incoming, line = self._exchange.send(
                    "chat/completions",
                    body,
                    is_final=partial(self._is_missing_ability, features=features),
                    on_line=None if hold is None else hold.attach,
                )
            except Refused as fault:
                feature = self._abilities.blamed(fault, features)
                if feature is None:
                    if first is not None and first.status == fault.status:
                        self._abilities.note_vain_search()
                        fault = first
                    raise self._error(fault) from None
                first = first or fault
                refused = refused | {feature}
                if is_passing(fault):
                    passing.add(feature)
                continue
            self._abilities.learn(refused - passing)
            return incoming, line, refused

    def _is_missing_ability(self, fault: Refused, *, features: Sequence[Feature]) -> bool:
        return self._abilities.blamed(fault, features) is not None

    def _pieces(self, request: ChatRequest, hold: Hold) -> Generator[ReplyPiece, None, None]:
        incoming, line, refused = self._begin(request, hold=hold)
        limits = limits_of(request)
        draft = Draft(request, limits, model=self._model)
        with self._reading(incoming, line):
            try:
                hold.check(was_charged=True)
                for value in _objects(incoming, draft, limit=limits.bytes):
                    text = draft.add(value)
                    if text:
                        yield ReplyPiece(text)
                reply = draft.reply()
            finally:
                hold.detach()
        yield ReplyPiece(reply=self._finished(reply, request, refused))

    def _finished(self, reply: ChatReply, request: ChatRequest, refused: frozenset[Feature]) -> ChatReply:
        lacking: set[Ability] = set()
        if request.tools and ("tools" in refused or (request.must_call and not reply.tool_calls)):
            lacking.add("tools")
        if request.alternatives > 0 and not reply.tokens and (reply.text or "logprobs" in refused):
            lacking.add("logprobs")
        if "images" in refused and any(message.pictures for message in request.messages):
            lacking.add("images")
        if request.schema is not None and not reply.tool_calls:
            feature = schema_feature(request.schema)
            if feature in refused:
                lacking.add("schema")
            elif reply.finish == "stop" and reply.text.strip() and not _is_json(reply.text):
                # The server took the schema and did not heed it. From now on the model is told of it in words.
                lacking.add("schema")
                self._abilities.learn({feature})
        return replace(reply, lacking=frozenset(lacking))

    def _check_length(self, request: ChatRequest) -> None:
        if self._context_tokens is None:
            return
        least = estimate_prompt(request) // _MOST_ERROR
        if least > self._context_tokens:
            raise ModelError(
                "too_long",
                f"the request is too long for the {self._context_tokens} tokens of the model {self._model!r}; "
                "ask with less text or raise MATHRAG_LLM_CONTEXT_TOKENS",
            )

    def _error(self, refused: Refused) -> ModelError:
        retry_after = read_retry_after(refused.headers, now=self._clockwork.time_of_day())
        return as_error(refused, address=self._address, model=self._model, key=self._key, retry_after=retry_after)

    @contextmanager
    def _reading(self, incoming: Incoming, line: Line) -> Iterator[None]:
        """The wall: whatever is wrong with a reply leaves here as a `ModelError`."""
        where = self._address.shown
        try:
            yield
        except Broken as broken:
            raise self._exchange.explain(broken, was_sent=True) from None
        except Unreadable as unreadable:
            raise ModelError(
                "bad_reply", f"the reply of the model server at {where} cannot be used: {unreadable}", was_charged=True
            ) from None
        except ServerFault as fault:
            said = str(fault).replace(self._key, "***") if len(self._key) >= 4 else str(fault)
            raise ModelError(
                "server",
                f"the model server at {where} failed during its reply: {said or 'no reason given'}",
                was_charged=True,
            ) from None
        finally:
            self._exchange.release(incoming, line)


def _objects(incoming: Incoming, draft: Draft, *, limit: int) -> Iterator[Json]:
    """The JSON objects of a reply: one, or those of a stream, whichever the server chose to send.

    A stream is whole once the draft, which takes in each object, knows why the model stopped.
    """
    if incoming.media_type in ("text/html", "application/xhtml+xml"):
        raise Unreadable("it is a page for browsers; check MATHRAG_LLM_URL")
    if incoming.media_type != "text/event-stream":
        yield read_json(whole(incoming.chunks(limit=limit)))
        return
    for data in events(incoming.chunks(limit=limit)):
        if data.strip() == "[DONE]":
            return
        yield read_json(data)
    if not draft.is_finished:
        raise Broken("connection", "", was_sent=True, has_begun=True)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for text in texts:
        if batch and (len(batch) >= _TEXTS_AT_ONCE or characters + len(text) > _CHARACTERS_AT_ONCE):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    if batch:
        yield batch


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
