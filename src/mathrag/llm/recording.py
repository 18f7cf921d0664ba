"""Record what is asked and answered as lines of JSON, and play it back. Never writes keys or pictures.

A line holds `{"model": …, "request": {…}, "reply": {…}}`, or `"error"` instead of `"reply"`. Lines written by hand for
playing in order need only the reply, and of that only its `text`.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mathrag.errors import BudgetError, ModelError
from mathrag.llm.kept_replies import json_digest, reply_json, reply_of, request_digest, request_json, stream_whole
from mathrag.llm.messages import ChatReply, ChatRequest, ReplyPiece
from mathrag.llm.seams import Beneath, ChatModel, EndableStream, close_part
from mathrag.types.json_value import Json

_LARGEST_RECORDING = 256 * 1024 * 1024
_writing = threading.Lock()


class RecordingModel:
    """Asks another model and writes every request with its reply (or error) to the end of a file."""

    def __init__(self, model: ChatModel, path: str | Path) -> None:
        self._model = model
        self._path = Path(path)

    @property
    def name(self) -> str:
        """The name of the model that is asked."""
        return self._model.name

    def chat(self, request: ChatRequest) -> ChatReply:
        """The reply of the other model."""
        with self._noting_errors(request):
            reply = self._model.chat(request)
        self._write(request, {"reply": reply_json(reply)})
        return reply

    def stream(self, request: ChatRequest) -> EndableStream:
        """The pieces of the other model; the whole is written before the last one is handed on."""
        return EndableStream(partial(self._pieces, request))

    def _pieces(self, request: ChatRequest, beneath: Beneath) -> Generator[ReplyPiece, None, None]:
        pieces = self._model.stream(request)
        try:
            with self._noting_errors(request):
                beneath.attach(pieces)
                for piece in pieces:
                    if piece.reply is not None:
                        self._write(request, {"reply": reply_json(piece.reply)})
                    yield piece
        finally:
            close_part(pieces)

    @contextlib.contextmanager
    def _noting_errors(self, request: ChatRequest) -> Iterator[None]:
        try:
            yield
        except BudgetError:
            # Not something that the model did: playing back has a budget of its own.
            raise
        except ModelError as error:
            note = {"code": error.code, "reason": error.reason, "was_charged": error.was_charged}
            self._write(request, {"error": note})
            raise

    def _write(self, request: ChatRequest, outcome: dict[str, Json]) -> None:
        content = {"model": self.name, "request": request_json(request), **outcome}
        line = json.dumps(content, ensure_ascii=False)
        if any("\ud800" <= character <= "\udfff" for character in line):
            # Half a surrogate pair cannot be written as it is.
            line = json.dumps(content, ensure_ascii=True)
        try:
            with _writing, self._path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise ModelError(
                "recording", f"the recording {self._path} cannot be written: {error.strerror}; choose another file"
            ) from error


@dataclass(frozen=True, slots=True)
class _Line:
    digest: str
    model: str
    outcome: ChatReply | ModelError

    def play(self) -> ChatReply:
        if isinstance(self.outcome, ModelError):
            raise ModelError(self.outcome.code, self.outcome.reason, was_charged=self.outcome.was_charged)
        return self.outcome


class ReplayingModel:
    """Answers from a recording and asks nobody.

    By default the request must be one that was recorded, word for word; where it was recorded several times, the
    replies come one after the other and the last stays. With `in_order` the lines are played whatever is asked.
    """

    def __init__(self, path: str | Path, *, in_order: bool = False, name: str = "") -> None:
        self._path = Path(path)
        lines = _read_lines(self._path)
        self._name = name or next((line.model for line in lines if line.model), "replayed")
        self._is_in_order = in_order
        self._lock = threading.Lock()
        self._waiting = deque(lines)
        self._by_request: dict[str, deque[_Line]] = {}
        for line in lines:
            self._by_request.setdefault(line.digest, deque()).append(line)

    @property
    def name(self) -> str:
        """The name of the model that was recorded."""
        return self._name

    def chat(self, request: ChatRequest) -> ChatReply:
        """The recorded reply; `ModelError` where there is none."""
        with self._lock:
            line = self._next(request)
        return line.play()

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        """The recorded reply in pieces."""
        yield from stream_whole(self.chat(request))

    def _next(self, request: ChatRequest) -> _Line:
        if self._is_in_order:
            if not self._waiting:
                raise ModelError("bad_reply", f"the recording {self._path.name} is at its end; record it anew")
            return self._waiting.popleft()
        lines = self._by_request.get(request_digest(request, model=""))
        if lines is None:
            said = request.messages[-1].text[:80] if request.messages else ""
            raise ModelError(
                "bad_reply",
                f"the recording {self._path.name} has no reply to this request ({said!r}); record it anew, or play it "
                "in order",
            )
        return lines.popleft() if len(lines) > 1 else lines[0]


def _read_lines(path: Path) -> list[_Line]:
    try:
        if path.stat().st_size > _LARGEST_RECORDING:
            raise _unreadable(path, "it is too large")
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, getattr(error, "strerror", None) or "it is not UTF-8") from error
    lines = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                lines.append(_read_line(json.loads(line)))
            except (ValueError, RecursionError) as error:
                raise _unreadable(path, f"line {number} is damaged") from error
    return lines


def _read_line(content: Json) -> _Line:
    if not isinstance(content, dict):
        raise ValueError("not an object")  # noqa: TRY004
    model = content.get("model", "")
    error = content.get("error")
    outcome: ChatReply | ModelError
    if isinstance(error, dict):
        outcome = ModelError(
            str(error.get("code", "server")),
            str(error.get("reason", "the model failed")),
            was_charged=error.get("was_charged") is True,
        )
    else:
        outcome = reply_of(content.get("reply"))
    return _Line(json_digest(content.get("request")), model if isinstance(model, str) else "", outcome)


def _unreadable(path: Path, reason: str) -> ModelError:
    return ModelError("bad_reply", f"the recording {path} cannot be read: {reason}; record it anew")
