"""The settings of language models, as the environment gives them."""

from __future__ import annotations

import pytest

from mathrag.errors import UsageError
from mathrag.settings import MEANINGS, VARIABLES, Settings, load_settings

KEY = "sk-very-secret-0123456789"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES.values():
        monkeypatch.delenv(variable, raising=False)


def test_without_any_no_model_is_set() -> None:
    settings = load_settings()
    assert (settings.llm_url, settings.llm_model, settings.llm_key) == ("", "", "")
    assert (settings.llm_concurrency, settings.llm_timeout_seconds, settings.llm_retries) == (4, 120.0, 4)
    assert (settings.llm_price_input, settings.llm_price_output, settings.llm_context_tokens) == (None, None, None)


def test_each_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "llm_url": "http://localhost:11434/v1",
        "llm_model": "small:7b",
        "llm_key": KEY,
        "llm_model_extract": "a",
        "llm_model_reason": "b",
        "llm_model_judge": "c",
        "llm_model_embed": "d",
        "llm_model_vision": "e",
        "llm_concurrency": 9,
        "llm_timeout_seconds": 2.5,
        "llm_retries": 0,
        "llm_price_input": 0.0,
        "llm_price_output": 1.25,
        "llm_context_tokens": 8192,
        "llm_orders": 1,
        "llm_assumptions": True,
        "llm_formulas": True,
    }
    assert set(given) == {name for name in VARIABLES if name.startswith("llm_")}
    for name, value in given.items():
        said = "yes" if value is True else str(value)
        monkeypatch.setenv(VARIABLES[name], f" {said} " if isinstance(value, str | bool) else said)
    settings = load_settings()
    assert {name: getattr(settings, name) for name in given} == given


def test_the_key_is_not_shown() -> None:
    assert KEY not in repr(Settings(llm_key=KEY))


def test_every_setting_has_a_meaning() -> None:
    assert set(MEANINGS) == set(VARIABLES) == set(Settings.__dataclass_fields__)


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("MATHRAG_LLM_URL", "localhost:11434"),
        ("MATHRAG_LLM_URL", "file:///etc/passwd"),
        ("MATHRAG_LLM_URL", "http://"),
        ("MATHRAG_LLM_URL", "http://[::1"),
        ("MATHRAG_LLM_URL", "http://host:99999"),
        ("MATHRAG_LLM_URL", "http://a b/"),
        ("MATHRAG_LLM_CONCURRENCY", "0"),
        ("MATHRAG_LLM_CONCURRENCY", "2.5"),
        ("MATHRAG_LLM_CONCURRENCY", "many"),
        ("MATHRAG_LLM_RETRIES", "-1"),
        ("MATHRAG_LLM_RETRIES", "9" * 5000),
        ("MATHRAG_LLM_RETRIES", "٣"),
        ("MATHRAG_LLM_TIMEOUT_SECONDS", "0"),
        ("MATHRAG_LLM_TIMEOUT_SECONDS", "nan"),
        ("MATHRAG_LLM_PRICE_INPUT", "-0.1"),
        ("MATHRAG_LLM_PRICE_INPUT", "nan"),
        ("MATHRAG_LLM_PRICE_OUTPUT", "$3"),
        ("MATHRAG_LLM_CONTEXT_TOKENS", "0"),
    ],
    ids=lambda value: value[:20].encode("ascii", "replace").decode(),
)
def test_what_is_wrong_is_named(variable: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, text)
    with pytest.raises(UsageError, match=variable):
        load_settings()


def test_a_password_in_a_wrong_address_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATHRAG_LLM_URL", "ftp://me:hush@host")
    with pytest.raises(UsageError) as caught:
        load_settings()
    assert "hush" not in str(caught.value)
