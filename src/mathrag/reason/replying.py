"""Replies to what asks for no number: a greeting, a definition. Words of the library, never a number of our own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from mathrag.reason.deciding import nearest
from mathrag.reason.explaining import PASSAGES
from mathrag.reason.writing import Writer
from mathrag.retrieve.finding import Finder
from mathrag.types.answer import Citation, Reply
from mathrag.types.library import Span
from mathrag.types.question import Question


class Passages(Protocol):
    """Gives passages of the documents for words, best first."""

    def __call__(self, words: str, /, *, limit: int = 1) -> Sequence[Span]: ...


_SHOWN = 3
_CHAT = (
    "I compute answers from the formulas of your documents. Ask for a quantity and give the values it depends on, with "
    "their units."
)
_EXPLAIN = "I compute rather than explain; this is where your documents speak of it."
_NOTHING = "I compute rather than explain, and your documents say nothing on this."


def make_reply(
    question: Question,
    finder: Finder,
    *,
    find_passages: Passages,
    name_document: Callable[[str], str],
    writer: Writer | None = None,
) -> Reply:
    """A short honest reply with the nearest entries of the library; explained by `writer` where there is one."""
    if question.intent == "chat":
        return Reply(question.text, _CHAT)
    passages = find_passages(question.text)[:1]
    formulas = [one.formula for one in finder.find(question, limit=_SHOWN)]
    reply = Reply(
        question.text,
        _EXPLAIN if passages or formulas else _NOTHING,
        nearest=tuple(nearest(formula, name_document) for formula in formulas),
        citations=tuple(Citation(span.document, name_document(span.document), span) for span in passages),
    )
    if writer is None:
        return reply
    return writer.explain(
        question, find_passages(question.text, limit=PASSAGES), plain=reply, name_document=name_document
    )
