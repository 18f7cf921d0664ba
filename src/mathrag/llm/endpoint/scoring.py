"""A server that scores texts by how relevant they are to a question: `/rerank` and `/score` as they are served by vLLM,
Text Embeddings Inference, Jina, Cohere and others. Finds out once which form the server takes; trusts nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from urllib.parse import urlsplit, urlunsplit

from mathrag.errors import ModelError
from mathrag.llm.endpoint.address import Address, read_address
from mathrag.llm.endpoint.exchange import Clockwork, Exchange
from mathrag.llm.endpoint.line import Service
from mathrag.llm.endpoint.refusals import as_error
from mathrag.llm.endpoint.reply import Broken, Refused, Unreadable, read_json, whole
from mathrag.llm.endpoint.request import clean
from mathrag.types.json_value import Json

_LARGEST_REPLY = 8_000_000
_ENDINGS: tuple[Service, ...] = ("rerank", "score")
# What a server says to a body or a path that it does not know.
_NOT_THIS_FORM = frozenset({400, 404, 405, 415, 422, 501})
_LONGEST_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to ask: the service, and the body for a model, a question and texts."""

    service: Service
    body: Callable[[str, str, Sequence[str]], Mapping[str, Json]]


def _documents(model: str, query: str, texts: Sequence[str]) -> Mapping[str, Json]:
    return {"model": model, "query": query, "documents": list(texts), "top_n": len(texts), "return_documents": False}


def _texts(_model: str, query: str, texts: Sequence[str]) -> Mapping[str, Json]:
    return {"query": query, "texts": list(texts), "raw_scores": False, "truncate": True}


def _pairs(model: str, query: str, texts: Sequence[str]) -> Mapping[str, Json]:
    return {"model": model, "text_1": query, "text_2": list(texts)}


_FORMS = (_Form("rerank", _documents), _Form("rerank", _texts), _Form("score", _pairs))


class ScoringServer:
    """Asks one server. An address that ends in `/rerank` or `/score` is asked there alone."""

    def __init__(
        self,
        url: str,
        model: str = "",
        *,
        key: str = "",
        timeout_seconds: float = 120,
        retries: int = 4,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        self._address, ending = _address(url)
        self._forms = [form for form in _FORMS if not ending or form.service == ending]
        self._model = model
        self._key = key
        self._exchange = Exchange(
            self._address,
            key=key,
            timeout_seconds=timeout_seconds,
            retries=retries,
            clockwork=Clockwork(sleep=sleep),
        )

    def scores(self, query: str, texts: Sequence[str]) -> list[float | None]:
        """A score from 0 to 1 for each text, None for those that the server left out; `ModelError` where it fails."""
        if not texts:
            return []
        shown = [clean(text)[:_LONGEST_TEXT] or " " for text in texts]
        asked = clean(query)[:_LONGEST_TEXT] or " "
        refusal: Refused | None = None
        for form in tuple(self._forms):
            try:
                value = self._ask(form.service, form.body(self._model, asked, shown))
            except Refused as refused:
                refusal = refused
                if refused.status not in _NOT_THIS_FORM:
                    break
                continue
            # From now on only this form is asked.
            self._forms = [form]
            return _as_shares(_read(value, len(shown), self._address))
        assert refusal is not None
        raise as_error(refusal, address=self._address, model=self._model, key=self._key, retry_after=None)

    def close(self) -> None:
        """End what runs and close the connections."""
        self._exchange.close()

    def __enter__(self) -> ScoringServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, service: Service, body: Mapping[str, Json]) -> Json:
        incoming, line = self._exchange.send(service, body, is_final=lambda one: one.status in _NOT_THIS_FORM)
        try:
            return read_json(whole(incoming.chunks(limit=_LARGEST_REPLY)))
        except Broken as broken:
            raise self._exchange.explain(broken, was_sent=True) from None
        except Unreadable as unreadable:
            raise _bad_reply(self._address, str(unreadable)) from None
        finally:
            self._exchange.release(incoming, line)


def _address(url: str) -> tuple[Address, str]:
    """The address without its ending, and the ending where it names a service."""
    # Checked as any address; a path of its own keeps its version or has none.
    checked = read_address(url)
    parts = urlsplit(url.strip())
    path = parts.path.rstrip("/")
    ending = next((each for each in _ENDINGS if path.endswith(f"/{each}")), "")
    path = path.removesuffix(f"/{ending}") if ending else path
    shown = urlsplit(checked.shown)
    return (
        Address(
            urlunsplit((parts.scheme, parts.netloc, path, "", "")),
            urlunsplit((shown.scheme, shown.netloc, path, "", "")),
            checked.is_on_this_machine,
        ),
        ending,
    )


def _read(value: Json, count: int, address: Address) -> list[float | None]:
    """The scores in the order of the texts, which need not be the order they came in."""
    listed = value if isinstance(value, list) else None
    if isinstance(value, dict):
        listed = next((value[name] for name in ("results", "data") if isinstance(value.get(name), list)), None)
    if listed is None:
        raise _bad_reply(address, "it has no list of scores")
    scores: list[float | None] = [None] * count
    seen: set[int] = set()
    for place, entry in enumerate(listed):
        index = entry.get("index", place) if isinstance(entry, dict) else None
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < count or index in seen:
            raise _bad_reply(address, "its scores are numbered wrongly")
        seen.add(index)
        score = entry.get("relevance_score", entry.get("score"))
        is_number = isinstance(score, int | float) and not isinstance(score, bool) and math.isfinite(score)
        scores[index] = float(score) if is_number else None
    return scores


def _as_shares(scores: list[float | None]) -> list[float | None]:
    """Scores between 0 and 1. Raw ones of a cross-encoder go through the logistic function, which keeps their order."""
    if all(score is None or 0 <= score <= 1 for score in scores):
        return scores
    return [None if score is None else 1 / (1 + math.exp(-max(-60.0, min(60.0, score)))) for score in scores]


def _bad_reply(address: Address, reason: str) -> ModelError:
    said = f"the reply of the reranker at {address.shown} cannot be used: {reason}"
    return ModelError("bad_reply", said, was_charged=True)
