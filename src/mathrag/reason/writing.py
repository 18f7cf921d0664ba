"""What a language model writes for one question beside planning: a translation, an explanation. Asked once for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mathrag.errors import ModelError
from mathrag.llm.seams import ChatModel
from mathrag.reason.agent.seams import Problem
from mathrag.reason.explaining import explain
from mathrag.reason.translating import translate_text
from mathrag.types.answer import Reply
from mathrag.types.library import Span
from mathrag.types.question import Question


class Writer:
    """Writes with one model for one question; what it wrote is remembered, so that a second episode costs nothing."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._translations: dict[str, str | Problem] = {}
        self._explanations: dict[str, Reply | str | None] = {}

    def translate(self, text: str) -> str | Problem:
        """The text in English, or why there is none."""
        if text not in self._translations:
            try:
                self._translations[text] = translate_text(text, self._model)
            except ModelError as error:
                self._translations[text] = Problem("no_translation", f"the question is not English: {error.reason}")
        return self._translations[text]

    def explain(
        self, question: Question, passages: Sequence[Span], *, plain: Reply, name_document: Callable[[str], str]
    ) -> Reply:
        """An explanation from the passages with what is near to it; the plain reply where there is none."""
        if question.text not in self._explanations:
            try:
                self._explanations[question.text] = explain(
                    question, passages, self._model, name_document=name_document
                )
            except ModelError as error:
                self._explanations[question.text] = f"the language model could not be asked: {error.reason}"
        found = self._explanations[question.text]
        if isinstance(found, str):
            return replace(plain, warnings=(*plain.warnings, found))
        return plain if found is None else replace(found, nearest=plain.nearest)
