"""What a server means by a refusal: a missing ability, or a request that cannot be served. Sends nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mathrag.errors import ModelError
from mathrag.llm.endpoint.address import Address
from mathrag.llm.endpoint.reply import Refused, Unreadable, read_json
from mathrag.llm.endpoint.request import Feature
from mathrag.types.json_value import Json

RETRIED: Final = frozenset({408, 409, 425, 429})
_LONGEST_QUOTE = 160

_TOO_LONG = (
    "context_length", "context length", "context size", "context window", "exceed_context", "maximum context",
    "prompt is too long", "input is too long", "too many tokens", "prompt too long", "string_above_max_length",
    "reduce the length", "input length", "too large to process", "max_model_len",
)  # fmt: skip
_NO_MODEL = (
    "not found",
    "does not exist",
    "not exist",
    "unknown model",
    "invalid model",
    "no such model",
    "not loaded",
)
_NO_CREDIT = ("insufficient_quota", "insufficient credits", "insufficient balance", "billing", "payment required")
_FILTERED = ("content_filter", "content management policy", "content policy", "safety system")
_FAILED_ONCE = ("json_validate_failed", "tool_use_failed", "failed_generation", "failed to generate")
_CANNOT = ("not support", "unsupported", "requires", "not implemented", "not available", "not enabled", "unrecognized")
# Words that name a feature, tried in this order: the more particular first.
_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("stream_options", ("stream_options", "include_usage")),
    ("logprobs", ("logprob",)),
    ("tool_choice", ("tool_choice", "tool choice")),
    ("schema", ("response_format", "json_schema", "response format", "structured output", "guided", "grammar")),
    ("tools", ("tool", "function")),
    ("images", ("image", "vision", "multimodal", "multi-modal", "mmproj", "picture")),
    ("seed", ("seed",)),
    ("max_completion_tokens", ("max_completion_tokens",)),
    ("max_tokens", ("max_tokens", "max tokens")),
    ("temperature", ("temperature",)),
    ("schema", ("schema", "json")),
    ("images", ("content must be", "valid string", "content type", "content part")),
    ("stop", ("stop",)),
)  # fmt: skip


def explanation(refused: Refused) -> tuple[str, str, str]:
    """The server's sentence, the parameter it blames and its code for the error; each may be empty."""
    try:
        value: Json = read_json(refused.body)
    except Unreadable:
        text = refused.body.decode("utf-8", "replace")
        # A page for browsers explains nothing.
        return ("" if "<" in text[:200] else text, "", "")
    if isinstance(value, list) and value:
        value = value[0]
    found = value.get("error") or value if isinstance(value, dict) else value
    if isinstance(found, str):
        return found, "", ""
    if not isinstance(found, dict):
        return "", "", ""
    sentence = next((found[name] for name in ("message", "detail", "msg", "error") if found.get(name)), "")
    code = " ".join(str(found[name]) for name in ("code", "type") if isinstance(found.get(name), str))
    parameter = found.get("param")
    return (
        sentence if isinstance(sentence, str) else str(sentence)[:2_000],
        parameter if isinstance(parameter, str) else "",
        code,
    )


def blamed(refused: Refused, features: Sequence[Feature], *, model: str, may_guess: bool) -> Feature | None:
    """The feature of the request that the server cannot serve; None where the refusal has another reason.

    A refusal that gives no reason may be taken as one of the first feature (`may_guess`).
    """
    if refused.status not in (400, 404, 405, 415, 422, 500, 501) or not features:
        return None
    sentence, parameter, code = explanation(refused)
    # A model may be called "tool-maker", and that is no complaint about tools.
    words = re.sub(rf"(?<!\w){re.escape(model.lower())}(?!\w)", " ", f"{parameter} {sentence} {code}".lower())
    if _is_too_long(words) or _is_unknown_model(refused.status, words) or any(sign in words for sign in _FILTERED):
        return None
    # A fault inside the server is no missing ability, unless it says so (as llama.cpp does).
    if refused.status == 500 and not any(sign in words for sign in _CANNOT):
        return None
    for name, signs in _WORDS:
        feature = _present(name, features)
        if feature is not None and any(sign in words for sign in signs):
            return feature
    # Without a word of explanation: leave out one thing after the other, where the status speaks of the request.
    return features[0] if may_guess and refused.status in (400, 422, 501) else None


def is_passing(refused: Refused) -> bool:
    """Whether it was the model that failed this once, and not the server that never can."""
    sentence, _, code = explanation(refused)
    return any(sign in f"{sentence} {code}".lower() for sign in _FAILED_ONCE)


def is_worth_another_try(refused: Refused) -> bool:
    """Whether the same request may be served a little later."""
    if refused.status == 501 or not (refused.status in RETRIED or refused.status >= 500):
        return False
    sentence, _, code = explanation(refused)
    return not any(sign in f"{sentence} {code}".lower() for sign in _NO_CREDIT)


def _present(name: str, features: Sequence[Feature]) -> Feature | None:
    if name == "schema":
        return next(
            (feature for feature in features if feature.startswith("schema:") or feature == "json_object"), None
        )
    if name == "logprobs" and "many_logprobs" in features:
        return "many_logprobs"
    return name if name in features else None


def as_error(refused: Refused, *, address: Address, model: str, key: str, retry_after: float | None) -> ModelError:
    """The refusal as a sentence for a person, once nothing more can be tried."""
    sentence, parameter, code = explanation(refused)
    words = f"{parameter} {sentence} {code}".lower()
    where, status = address.shown, refused.status
    quote = _quote(sentence, key)
    if status in (401, 403):
        return ModelError(
            "key_refused", f"the model server at {where} refuses the key; set MATHRAG_LLM_KEY to a valid one"
        )
    if any(sign in words for sign in _NO_CREDIT) or status == 402:
        return ModelError(
            "rejected", f"the account at {where} has no credit left; top it up there, or use another server"
        )
    if status == 429:
        wait = f"in {retry_after:.0f} seconds" if retry_after else "later"
        return ModelError(
            "busy", f"the model server at {where} has too many requests; try again {wait}", retry_after=retry_after
        )
    if status == 413 or _is_too_long(words):
        return ModelError("too_long", f"the request is too long for the model {model!r}; ask with less text{quote}")
    if _is_unknown_model(status, words):
        return ModelError(
            "not_found", f"the server at {where} has no model {model!r}; set MATHRAG_LLM_MODEL to one it serves{quote}"
        )
    if status in (404, 405):
        return ModelError("not_found", f"there is no model server at {where}; check MATHRAG_LLM_URL{quote}")
    if 300 <= status < 400:
        target = re.sub(r"[^\w.:/\-]", "", refused.headers.get("location", "").split("?")[0])[:100]
        return ModelError(
            "rejected",
            f"{where} sends requests on to {target or 'elsewhere'}; set MATHRAG_LLM_URL to the final address",
        )
    if status in (408, 504, 524):
        return ModelError(
            "timeout", f"the model server at {where} gave up waiting for the model{quote}", was_charged=True
        )
    if status == 501:
        return ModelError("rejected", f"the model server at {where} cannot do what was asked{quote}")
    if status >= 500 or status in RETRIED:
        return ModelError(
            "server",
            f"the model server at {where} fails with status {status}; see its log{quote}",
            retry_after=retry_after,
        )
    if status < 300:
        return ModelError("bad_reply", f"{where} answers with status {status} and not with a reply of a model")
    return ModelError("rejected", f"the model server at {where} refuses the request (status {status}){quote}")


def _is_too_long(words: str) -> bool:
    return any(sign in words for sign in _TOO_LONG)


def _is_unknown_model(status: int, words: str) -> bool:
    if "model_not_found" in words:
        return True
    return status in (400, 404, 422) and "model" in words and any(sign in words for sign in _NO_MODEL)


def _quote(sentence: str, key: str) -> str:
    if len(key) >= 4:
        sentence = sentence.replace(key, "***")
    sentence = " ".join(sentence.split())
    if not sentence:
        return ""
    return f'; it says: "{sentence[:_LONGEST_QUOTE]}{"…" if len(sentence) > _LONGEST_QUOTE else ""}"'
