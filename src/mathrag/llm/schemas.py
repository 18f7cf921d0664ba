"""Check a JSON value against a JSON schema (Draft 2020-12) and say in sentences what is wrong. Fetches nothing."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import islice
from typing import Any

from mathrag.errors import ModelError
from mathrag.llm.nouns import Json, Schema

_MOST_MESSAGES = 6
_MOST_ERRORS = 100
_LONGEST_MESSAGE = 240


def schema_problems(value: Json, schema: Schema) -> tuple[str, ...]:
    """What is wrong with a value, each with its place; empty where it fits."""
    validator = _validator(json.dumps(schema.schema, sort_keys=True, default=dict))
    try:
        found = islice(validator.iter_errors(value), _MOST_ERRORS)
        errors = sorted(found, key=lambda error: [str(one) for one in error.absolute_path])
    except RecursionError:
        return ("the value is nested too deeply",)
    return tuple(_sentence(error) for error in errors[:_MOST_MESSAGES])


@lru_cache(maxsize=32)
def _validator(text: str) -> Any:
    try:
        from jsonschema import Draft202012Validator
    except ImportError as error:
        raise ModelError(
            "not_installed", "asking for JSON needs the package jsonschema: pip install 'mathrag[llm]'"
        ) from error
    schema = json.loads(text)
    _refuse_remote(schema)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def _refuse_remote(schema: Json) -> None:
    """References stay inside the schema: nothing is ever looked up elsewhere."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            for name in ("$ref", "$dynamicRef"):
                if not str(part.get(name, "#")).startswith("#"):
                    raise ValueError(f"the schema refers to {part[name]!r}; only references inside it are allowed")
            if "$id" in part:
                raise ValueError("a schema of ours has no $id")
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)


def _sentence(error: Any) -> str:
    place = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in error.absolute_path).lstrip(".")
    message = str(error.message)
    if len(message) > _LONGEST_MESSAGE:
        # The value is quoted at the beginning; what is wrong with it stands at the end.
        message = f"{message[:80]} … {message[-120:]}"
    return f"at {place[:120]}: {message}" if place else message
