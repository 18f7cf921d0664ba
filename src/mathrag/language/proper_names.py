"""Proper names in running text: of the people, places and standards that formulas are called after ("a Hazen curve",
"the Beverton-Holt relation"). Knows no person: a capital inside a sentence, or two names joined by a hyphen."""

from __future__ import annotations

import re

from mathrag.language.tokens import SENTENCE_BREAK
from mathrag.language.word_classes import word_class

_NAME = re.compile(r"(?<![\w\\$'’])[A-Z][a-z]{2,}(?:[-–][A-Z][a-z]{2,})*(?![\w'’]*\()(?=\W|$)")
# Capitalised inside sentences, and nobody's name: parts of a document, days, months, letters by name.
_NO_NAMES = word_class("phrases.no_proper_names")


def proper_names(text: str) -> tuple[str, ...]:
    """The names in a text, in small letters, each part of a joined name for itself; each once."""
    found: dict[str, None] = {}
    for sentence in SENTENCE_BREAK.split(text):
        for match in _NAME.finditer(sentence):
            parts = re.split(r"[-–]", match[0])
            opens = not sentence[: match.start()].strip(' \t\n*_(["“‘#>-')
            if (opens and len(parts) == 1) or any(part.casefold() in _NO_NAMES for part in parts):
                continue
            found |= dict.fromkeys(part.casefold() for part in parts)
    return tuple(found)
