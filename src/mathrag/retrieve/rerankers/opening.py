"""Which reranker is used, by what a user calls it: a built-in one, an address, a folder, or the name of a plugin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from mathrag.errors import LibraryError, UsageError
from mathrag.retrieve.rerankers.fitted import FittedReranker
from mathrag.retrieve.rerankers.seam import Reranker
from mathrag.store.embedders import Embedder

if TYPE_CHECKING:
    from mathrag.llm.seams import ChatModel

GROUP = "mathrag.rerankers"
DEFAULT_RERANKER = "fitted"
_FOLDER = "onnx:"
_SCHEMES = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class Means:
    """What rerankers may need: the embedder, a language model that judges, the key and the patience for servers."""

    embedder: Embedder
    judge: Callable[[], ChatModel | None] = lambda: None
    key: str = ""
    timeout_seconds: float = 120.0
    retries: int = 4


def open_reranker(named: str, means: Means) -> Reranker | None:
    """The reranker of this name; None for `none`.

    `fitted` is built in; `judge` asks the language model of that role; `http://HOST/rerank` (or `MODEL@http://…`) a
    server; `onnx:FOLDER` runs the model of a folder; any other name is that of a plugin in the group
    `mathrag.rerankers`, made without arguments.
    """
    if named == "none":
        return None
    if named == DEFAULT_RERANKER:
        return FittedReranker(means.embedder)
    if named == "judge":
        from mathrag.retrieve.rerankers.asked import JudgeReranker

        model = means.judge()
        if model is None:
            raise UsageError("the reranker judge needs a language model: set MATHRAG_LLM_URL and MATHRAG_LLM_MODEL")
        return JudgeReranker(model)
    if named.startswith(_FOLDER):
        from mathrag.retrieve.rerankers.onnx_folder import OnnxReranker

        return OnnxReranker(Path(named.removeprefix(_FOLDER)).expanduser())
    if any(scheme in named for scheme in _SCHEMES):
        return _server(named, means)
    return _plugin(named)


def _server(named: str, means: Means) -> Reranker:
    from mathrag.llm.endpoint.scoring import ScoringServer
    from mathrag.retrieve.rerankers.asked import EndpointReranker

    place = min(found for scheme in _SCHEMES if (found := named.find(scheme)) >= 0)
    server = ScoringServer(
        named[place:],
        named[:place].removesuffix("@"),
        key=means.key,
        timeout_seconds=means.timeout_seconds,
        retries=means.retries,
    )
    return EndpointReranker(server)


def _plugin(named: str) -> Reranker:
    known = {entry.name: entry for entry in entry_points(group=GROUP)}
    if named not in known:
        others = ", ".join(("none", DEFAULT_RERANKER, "judge", *sorted(known)))
        raise UsageError(f"there is no reranker {named!r}; there is {others}, an address (http://…) or onnx:FOLDER")
    try:
        make: Callable[[], Reranker] = known[named].load()
        return make()
    except Exception as error:
        # A plugin is foreign code: whatever it raises becomes one sentence of ours.
        raise LibraryError(f"the reranker {named!r} cannot be loaded: {error}") from error
