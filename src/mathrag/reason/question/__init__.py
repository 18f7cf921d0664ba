"""Reading a question: what is given, what is asked, in which unit. Chooses no formula and computes nothing."""

from __future__ import annotations

from mathrag.language.quantity_names import kinds_in_phrase
from mathrag.reason.question.reader import MAXIMAL_CHARACTERS, read_question

__all__ = ["MAXIMAL_CHARACTERS", "kinds_in_phrase", "read_question"]
