"""An outcome in the format asked for: text, Markdown, LaTeX, HTML or JSON. The one door to all that write cards."""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from mathrag.answer.cards.concepts import concept_card
from mathrag.answer.cards.content import Card, answer_card, refusal_card, reply_card
from mathrag.answer.cards.html import html_card
from mathrag.answer.cards.latex import latex_card
from mathrag.answer.cards.markdown import markdown_card
from mathrag.answer.cards.text import text_card
from mathrag.answer.objects import object_text, outcome_object
from mathrag.types.answer import Answer, Outcome, Refusal, Reply

AnswerFormat: TypeAlias = Literal["text", "markdown", "latex", "html", "json"]
ANSWER_FORMATS: tuple[AnswerFormat, ...] = ("text", "markdown", "latex", "html", "json")


def outcome_card(outcome: Outcome, *, library: str = "", is_chat: bool = False) -> Card:
    """The card of an outcome. `library` is the folder as the user named it, for commands to copy."""
    match outcome:
        case Answer():
            return answer_card(outcome)
        case Refusal():
            return refusal_card(outcome, library=library, is_chat=is_chat)
        case Reply():
            is_concept = outcome.concept is not None or outcome.also or outcome.glossary
            return concept_card(outcome) if is_concept else reply_card(outcome)
    assert_never(outcome)


def render(outcome: Outcome, style: AnswerFormat, *, library: str = "") -> str:
    """The outcome as text in a format, without a line break at the end."""
    match style:
        case "json":
            return object_text(outcome_object(outcome))
        case "text":
            return text_card(outcome_card(outcome, library=library))
        case "markdown":
            return markdown_card(outcome_card(outcome, library=library))
        case "latex":
            return latex_card(outcome_card(outcome, library=library))
        case "html":
            return html_card(outcome_card(outcome, library=library))
    assert_never(style)
