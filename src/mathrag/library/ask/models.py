"""The language models of a library: opened as the settings say, and what may be spent on them by all who ask.

The only place that wires servers, prices, budgets and the file of kept replies. Asks no model more than whether it is
there.

A role's model may name a server of its own, as `MODEL@http://HOST:PORT/v1`. Such a server gets no key: the one that is
set belongs to the server of MATHRAG_LLM_URL.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from mathrag.errors import LibraryError, ModelError, UsageError
from mathrag.llm.accounts import Price, dollars
from mathrag.llm.budgets import Budget, Ledger
from mathrag.llm.messages import Role
from mathrag.llm.metered import Models
from mathrag.store.truth.replies import FILE_NAME, Replies, RepliesStatus
from mathrag.store.truth.schema import FILE_NAME as LIBRARY_FILE
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from mathrag.llm.endpoint import Endpoint
    from mathrag.settings import Settings

__all__ = [
    "Allowance",
    "Budget",
    "Models",
    "Reached",
    "SharedBudget",
    "Spent",
    "clear_replies",
    "is_model_set",
    "models_within",
    "no_model",
    "open_models",
    "reach_models",
    "replies_status",
]

# These use the common model unless they have one of their own; embedding and seeing need one that can.
_COMMON: tuple[Role, ...] = ("extract", "reason", "judge")
# A model that has to be loaded first takes its time.
_REACHING_SECONDS = 30.0


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
    price = price_of(settings)
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


@dataclass(frozen=True, slots=True)
class Reached:
    """What came of asking a model for one word: `problem` is empty where it answered."""

    model: str
    roles: tuple[str, ...]
    problem: str = ""


def reach_models(settings: Settings) -> tuple[Reached, ...]:
    """Ask every model that the settings name for one word, past all that is kept. This may cost a few tokens."""
    from mathrag.llm.messages import ChatRequest, Message

    by_model: dict[str, list[Role]] = {}
    for role, text in _named_models(settings).items():
        by_model.setdefault(text, []).append(role)
    found: list[Reached] = []
    for text, roles in by_model.items():
        problem = ""
        endpoint = _endpoint(text, replace(settings, llm_retries=0, llm_timeout_seconds=_REACHING_SECONDS))
        try:
            if roles == ["embed"]:
                endpoint.embed(["one"])
            else:
                endpoint.chat(ChatRequest((Message("user", "Say yes."),), maximal_tokens=8))
        except ModelError as error:
            problem = str(error)
        finally:
            endpoint.close()
        found.append(Reached(endpoint.name, tuple(roles), problem))
    return tuple(found)


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


def answering_model(settings: Settings) -> tuple[str, str] | None:
    """The model that is asked about questions and the host of its server, for people; None where there is none."""
    text = _named_models(settings).get("reason")
    if text is None:
        return None
    server = _server_in(text)
    name = text.removesuffix(f"@{server}") if server else text
    return name, urlsplit(server or settings.llm_url).hostname or ""


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


def price_of(settings: Settings) -> Price | None:
    """What tokens cost by the settings; None where they do not say."""
    prompt, completion = settings.llm_price_input, settings.llm_price_output
    if prompt is None and completion is None:
        return None
    if prompt is None or completion is None:
        missing = "MATHRAG_LLM_PRICE_INPUT" if prompt is None else "MATHRAG_LLM_PRICE_OUTPUT"
        raise UsageError(f"the setting {missing} is missing: set both prices, in US dollars per million tokens")
    return Price(prompt, completion)


# One budget for several processes that ask at once: each question gets a share and gives back what it did not need.
# Hard: the shares given out and what was spent never exceed the budget together.

# US dollars and calls; None is no limit.
Share: TypeAlias = tuple[float | None, int | None]
# Ten rounds and a few calls for translating or wording: more than a question takes.
_CALLS_A_QUESTION = 14


class Allowance:
    """What may still be spent, given out in shares by the name of a question."""

    def __init__(self, *, cost: float | None, calls: int | None, workers: int) -> None:
        self._cost = cost
        self._calls = calls
        self._workers = max(1, workers)
        self._lent: dict[str, Share] = {}

    def take(self, name: str) -> Share:
        """A share for a question. It may be nothing: what is kept already can be asked for all the same."""
        cost, calls = self._cost, self._calls
        for lent in self._lent.values():
            cost = None if cost is None else cost - (lent[0] or 0.0)
            calls = None if calls is None else calls - (lent[1] or 0)
        idle = max(1, self._workers - len(self._lent))
        # Two questions with half of what one needs would both come to nothing.
        parts = idle if calls is None else max(1, min(idle, calls // _CALLS_A_QUESTION))
        share = (
            None if cost is None else max(0.0, cost / parts),
            None if calls is None else max(0, -(-calls // parts)),
        )
        self._lent[name] = share
        return share

    def settle(self, name: str, *, cost: float | None, calls: int) -> None:
        """Book what a question took. A cost that nobody knows is its whole share."""
        share = self._lent.pop(name)
        if self._cost is not None:
            self._cost = max(0.0, self._cost - (cost if cost is not None else share[0] or 0.0))
        if self._calls is not None:
            self._calls = max(0, self._calls - calls)

    def narrow(self) -> None:
        """From now on one question at a time, each with all that is left."""
        self._workers = 1

    @property
    def has_more(self) -> bool:
        """Whether anything is left to spend."""
        return (self._cost is None or self._cost > 0) and (self._calls is None or self._calls > 0)


# What a server and its answering processes may spend together on language models, and have spent.


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls and US dollars, those of calls under way at their worst. Without prices the dollars stay 0."""

    calls: int
    cost: float


class SharedBudget:
    """A budget for the run of a server; None is nothing to count. Close it when the processes are ended."""

    def __init__(self, folder: Path, budget: Budget | None) -> None:
        self.budget = budget
        try:
            self._ledger = None if budget is None else Ledger.begin(folder)
        except OSError as error:
            reason = error.strerror or str(error)
            raise LibraryError(f"no file for counting what models cost can be made in {folder}: {reason}") from error

    @property
    def settings(self) -> Json:
        """What a process is told, for `models_within`."""
        if self.budget is None or self._ledger is None:
            return None
        budget = self.budget
        return {"cost": budget.maximal_cost, "calls": budget.maximal_calls, "ledger": str(self._ledger.path)}

    @property
    def spent(self) -> Spent | None:
        """What all processes have spent so far; None where nobody counts."""
        totals = None if self._ledger is None else self._ledger.read()
        return None if totals is None else Spent(totals.calls, dollars(totals.picodollars))

    def close(self) -> None:
        """Forget what was spent. May be called twice."""
        if self._ledger is not None:
            self._ledger.end()


def models_within(folder: Path, settings: Mapping[str, Json] | None) -> Models | None:
    """The models of the settings, spending from a shared budget; None where there is no budget or no model."""
    if settings is None:
        return None
    from mathrag.settings import load_settings

    budget = Budget(settings["cost"], settings["calls"], ledger=Path(settings["ledger"]))
    return open_models(folder, settings=load_settings(), budget=budget)
