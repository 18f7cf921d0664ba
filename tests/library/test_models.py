"""From settings to models: who is asked for which role, at which server, with which key and price."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mathrag.errors import LibraryError, ModelError, UsageError
from mathrag.library.ask.models import Budget, Models, clear_replies, is_model_set, open_models, replies_status
from mathrag.llm.messages import ROLES, ChatRequest, Message, Role
from mathrag.settings import Settings

URL = "http://127.0.0.1:9/v1"
KEY = "sk-very-secret-key"


@contextmanager
def _opened(folder: Path, *, budget: Budget | None = None, **chosen: Any) -> Iterator[Models]:
    models = open_models(folder, settings=Settings(**{"llm_url": URL, "llm_model": "common", **chosen}), budget=budget)
    assert models is not None
    with models:
        yield models


def test_without_settings_there_is_no_model(tmp_path: Path) -> None:
    for chosen in ({}, {"llm_url": URL}, {"llm_model": "common"}, {"llm_key": KEY}):
        settings = Settings(**chosen)  # type: ignore[arg-type]
        assert not is_model_set(settings)
        assert open_models(tmp_path, settings=settings) is None


def test_roles_use_the_common_model_but_seeing_and_embedding_need_their_own(tmp_path: Path) -> None:
    with _opened(tmp_path) as models:
        assert [role for role in ROLES if models.has(role)] == ["extract", "reason", "judge"]
        assert models.chat("judge").name == "common"
    with _opened(tmp_path, llm_model_vision="eyes", llm_model_embed="vectors", llm_model_judge="wise") as models:
        chats: tuple[Role, ...] = ("extract", "reason", "judge", "vision")
        assert [models.chat(role).name for role in chats] == ["common", "common", "wise", "eyes"]
        assert models.embedding().name == "vectors"


def test_a_role_may_have_a_model_without_a_common_one(tmp_path: Path) -> None:
    with _opened(tmp_path, llm_model="", llm_model_reason="thinker") as models:
        assert models.has("reason")
        assert not models.has("extract")


def test_opening_makes_no_file_and_asks_nobody(tmp_path: Path) -> None:
    with _opened(tmp_path / "library"):
        pass
    assert not (tmp_path / "library").exists()


def test_a_server_of_its_own_gets_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, str, str]] = []

    class Endpoint:
        def __init__(self, url: str, model: str, *, key: str = "", **_: object) -> None:
            made.append((url, model, key))
            self.name = model

    monkeypatch.setattr("mathrag.llm.endpoint.Endpoint", Endpoint)
    with _opened(tmp_path, llm_key=KEY, llm_model_judge="org/wise@2@http://10.0.0.5:8000/v1", llm_model_reason="a@b"):
        pass
    assert made == [(URL, "common", KEY), (URL, "a@b", KEY), ("http://10.0.0.5:8000/v1", "org/wise@2", "")]


def test_prices_come_in_pairs_and_a_limit_of_cost_needs_them(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="MATHRAG_LLM_PRICE_OUTPUT is missing"), _opened(tmp_path, llm_price_input=1.0):
        pass
    with pytest.raises(UsageError, match="MATHRAG_LLM_PRICE_INPUT"), _opened(tmp_path, budget=Budget(1.0)):
        pass
    with _opened(tmp_path, llm_price_input=0.0, llm_price_output=0.0, budget=Budget(1.0)) as models:
        estimate = models.estimate("extract", [ChatRequest((Message("user", "x"),))])
        assert (estimate.calls, estimate.cost) == (1, 0.0)


def test_the_key_is_nowhere_to_be_seen(tmp_path: Path) -> None:
    with _opened(tmp_path, llm_key=KEY, llm_retries=0, llm_timeout_seconds=5.0) as models:
        with pytest.raises(ModelError) as caught:
            models.chat("judge").chat(ChatRequest((Message("user", "x"),)))
        shown = [repr(models), repr(models.meter), repr(models.chat("judge")), str(caught.value), repr(caught.value)]
        assert not any(KEY in text for text in shown)
        assert models.account.snapshot().total.failed == 1


def test_what_is_kept_can_be_counted_and_cleared(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="no library"):
        replies_status(tmp_path)
    with pytest.raises(LibraryError, match="no library"):
        clear_replies(tmp_path)
    with _opened(tmp_path) as models:
        assert models.meter.store is not None
        models.meter.store.put("d", "reply", model="common", role="judge")
    assert replies_status(tmp_path).entries == 1
    assert clear_replies(tmp_path, model="common") == 1


def test_without_a_model_nothing_of_it_is_imported() -> None:
    code = (
        "import sys; from mathrag.library.ask.models import open_models; from mathrag.settings import Settings; "
        "assert open_models('x', settings=Settings()) is None; "
        "print([name for name in ('openai', 'jsonschema', 'httpx', 'mathrag.llm.endpoint') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
