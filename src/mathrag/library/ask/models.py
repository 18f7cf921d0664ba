"""From settings to `Models`: servers, prices, the file of kept replies. The only place that wires them.

A role's model may name a server of its own, as `MODEL@http://HOST:PORT/v1`. Such a server gets no key: the one that is
set belongs to the server of MATHRAG_LLM_URL.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mathrag.errors import LibraryError, UsageError
from mathrag.llm.accounts import Price
from mathrag.llm.budgets import Budget
from mathrag.llm.messages import Role
from mathrag.llm.metered import Models
from mathrag.store.truth.replies import FILE_NAME, Replies, RepliesStatus
from mathrag.store.truth.schema import FILE_NAME as LIBRARY_FILE

if TYPE_CHECKING:
    from mathrag.llm.endpoint import Endpoint
    from mathrag.settings import Settings

__all__ = ["Budget", "Models", "clear_replies", "is_model_set", "no_model", "open_models", "replies_status"]

# These use the common model unless they have one of their own; embedding and seeing need one that can.
_COMMON: tuple[Role, ...] = ("extract", "reason", "judge")


def is_model_set(settings: Settings) -> bool:
    """Whether the settings name a language model. Imports nothing and asks nobody."""
    return bool(_named_models(settings))


def no_model() -> UsageError:
    """That no model is set where one is needed, and how to set one."""
    return UsageError(
        "no language model is set: set MATHRAG_LLM_URL to the address of an OpenAI-compatible server (such as "
        "http://localhost:11434/v1) and MATHRAG_LLM_MODEL to a model there; MATHRAG_LLM_KEY where the server wants one"
    )


def open_models(
    folder: str | Path, *, settings: Settings, budget: Budget | None = None, record: Path | None = None
) -> Models | None:
    """The models that the settings name, with the replies kept in the library's folder; None where they name none.

    Nothing is asked and no file is made until the first call. `record` names a file to which everything that is asked
    and answered is written.
    """
    named = _named_models(settings)
    if not named:
        return None
    price = _price(settings)
    endpoints = {text: _endpoint(text, settings) for text in dict.fromkeys(named.values())}
    return Models(
        {role: endpoints[text] for role, text in named.items() if role != "embed"},
        embedder=endpoints[named["embed"]] if "embed" in named else None,
        store=Replies(folder),
        budget=budget,
        price=price,
        concurrency=settings.llm_concurrency,
        record=record,
    )


def replies_status(folder: str | Path) -> RepliesStatus:
    """What is kept in a library's folder; `LibraryError` where there is no library."""
    _check_library(Path(folder))
    with Replies(folder) as replies:
        return replies.status()


def clear_replies(folder: str | Path, *, model: str | None = None, older_than_days: float | None = None) -> int:
    """Forget the kept replies of a library, all or those of a model or age; their number."""
    _check_library(Path(folder))
    with Replies(folder) as replies:
        return replies.clear(model=model, older_than_days=older_than_days)


def _check_library(folder: Path) -> None:
    if not (folder / LIBRARY_FILE).is_file() and not (folder / FILE_NAME).is_file():
        raise LibraryError(f"there is no library in {folder}; make one with `mathrag ingest FILES --library {folder}`")


def _named_models(settings: Settings) -> dict[Role, str]:
    """The model of each role that has one, as the settings write it."""
    own: dict[Role, str] = {
        "extract": settings.llm_model_extract,
        "reason": settings.llm_model_reason,
        "judge": settings.llm_model_judge,
        "embed": settings.llm_model_embed,
        "vision": settings.llm_model_vision,
    }
    named = {role: text or (settings.llm_model if role in _COMMON else "") for role, text in own.items()}
    return {role: text for role, text in named.items() if text and (settings.llm_url or _server_in(text))}


def _endpoint(text: str, settings: Settings) -> Endpoint:
    from mathrag.llm.endpoint import Endpoint

    server = _server_in(text)
    return Endpoint(
        server or settings.llm_url,
        text.removesuffix(f"@{server}") if server else text,
        key="" if server else settings.llm_key,
        timeout_seconds=settings.llm_timeout_seconds,
        retries=settings.llm_retries,
        context_tokens=settings.llm_context_tokens,
    )


def _server_in(text: str) -> str:
    """The server in `MODEL@http://…`; empty where there is none. Names of models may hold an @ of their own."""
    places = [text.rfind(f"@{scheme}://") for scheme in ("http", "https")]
    return text[max(places) + 1 :] if max(places) > 0 else ""


def _price(settings: Settings) -> Price | None:
    prompt, completion = settings.llm_price_input, settings.llm_price_output
    if prompt is None and completion is None:
        return None
    if prompt is None or completion is None:
        missing = "MATHRAG_LLM_PRICE_INPUT" if prompt is None else "MATHRAG_LLM_PRICE_OUTPUT"
        raise UsageError(f"the setting {missing} is missing: set both prices, in US dollars per million tokens")
    return Price(prompt, completion)
