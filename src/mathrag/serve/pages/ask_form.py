"""What the forms of the page ask: a new question, a follow-up, or an earlier one with other values. Answers nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from starlette.datastructures import FormData

from mathrag.errors import UsageError
from mathrag.serve.api.asking import Asked, Question

_PLAIN_NUMBER = re.compile(r"[-+−]?[0-9.,]{1,40}(?:[eE][-+]?[0-9]{1,4})?")


def question_of(form: FormData, *, trace: bool = False) -> Question:
    """The question that a form asks.

    `asked` is an earlier question as the server gave it out. Then `pin.m` sets m, with `unit.m` for a plain
    number; `set.m` changes the value that was `was.m`; `formula` names the formula. Else `question` is asked, which may
    lean on `previous`.
    """
    unit, formula = _text(form, "unit") or None, _text(form, "formula") or None
    earlier = _earlier(form, "asked")
    if earlier is None:
        return Question(
            question=_text(form, "question"), pinned=dict(_pinned(form)), unit=unit, formula=formula,
            previous=_earlier(form, "previous"), trace=trace,
        )  # fmt: skip
    question, pinned = _changed(form, earlier)
    return Question(
        question=question, pinned={**pinned, **dict(_pinned(form))}, unit=unit or earlier.unit,
        formula=formula or earlier.formula, trace=trace,
    )  # fmt: skip


def _text(form: FormData, name: str) -> str:
    found = form.get(name)
    return found.strip() if isinstance(found, str) else ""


def _earlier(form: FormData, name: str) -> Asked | None:
    text = _text(form, name)
    return Asked.model_validate_json(text) if text else None


def _fields(form: FormData, prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in form.items():
        if name.startswith(prefix) and isinstance(value, str) and value.strip():
            yield name.removeprefix(prefix), value.strip()


def _pinned(form: FormData) -> Iterator[tuple[str, str]]:
    for symbol, value in _fields(form, "pin."):
        yield symbol, _with_unit(value, _text(form, f"unit.{symbol}"))


def _changed(form: FormData, earlier: Asked) -> tuple[str, dict[str, str]]:
    """The question and the set values after the changes of a form.

    What the question says is changed in the question, so that it is one question again and every step sees the change;
    what it does not say is set apart from it.
    """
    question, pinned = earlier.question, dict(earlier.pinned or {})
    for name, value in _fields(form, "set."):
        before = _text(form, f"was.{name}")
        if value == before:
            continue
        chosen = _with_unit(value, before.partition(" ")[2])
        quote = _text(form, f"quote.{name}")
        if quote and name not in pinned and question.count(quote) == 1:
            question = question.replace(quote, chosen)
        elif "." in name:
            raise UsageError(f"{name.replace('.', ': ', 1)} has no place of its own in the question; write it there")
        else:
            pinned[name] = chosen
    return question, pinned


def _with_unit(value: str, unit: str) -> str:
    """A plain number is meant in the unit that stands beside the field."""
    return f"{value} {unit}".strip() if _PLAIN_NUMBER.fullmatch(value) else value
