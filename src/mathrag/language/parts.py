"""What a part of a text is by its name: an example, a solution, a derivation, a summary. Knows names, not contents.

Authors name parts in two ways: in titles that people read ("Worked example 3", "Key equations") and in the names of
classes and environments that set a part apart (`box-example`, `ltx_theorem_definition`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from mathrag.language.word_classes import any_of, word_pairs

PartKind: TypeAlias = Literal[
    "", "example", "solution", "closing", "exercise", "derivation", "summary", "definition", "statement", "note"
]

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LONGEST = 300
# After its word, a title may have a number, a letter in brackets, a colon, or the thing that is worked.
_WORKED = r"(?:part|problem|example|exercise|question|[\d(])"
_CASE = rf"\b(?:\s*[-–—:.(#\d]|\s+[A-Z]\b|\s+(?:for|to|of)\s+(?:the\s+)?{_WORKED})"
_EXAMPLE = re.compile(rf"(?:{any_of('parts.example_titles')})(?:{_CASE}|\s*$|\s+(?:of|for|with)\b)", re.IGNORECASE)
_SOLUTION = re.compile(rf"(?:{any_of('parts.solution_titles')})(?:{_CASE}|\s*$)", re.IGNORECASE)
_CLOSING = re.compile(rf"(?:{any_of('parts.closing_titles')})(?:{_CASE}|\s*$)", re.IGNORECASE)
_DERIVATION = re.compile(rf"(?:{any_of('parts.derivation_titles')})\b", re.IGNORECASE)
_SUMMARY = re.compile(rf"\b(?:{any_of('parts.summary_titles')})\b", re.IGNORECASE)
_DEFINITION = re.compile(rf"\b(?:{any_of('parts.definition_titles')})\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?:\d+(?:\.\d+)*|[A-Z]|[IVX]+)[.):]?\s+")


@lru_cache(maxsize=4096)
def title_kind(title: str) -> PartKind:
    """What a title announces; empty for one that names a topic."""
    words = title.strip()[:_LONGEST]
    words = words[found.end() :] if (found := _NUMBER.match(words)) else words
    if _EXAMPLE.match(words):
        return "example"
    if _SOLUTION.match(words):
        return "solution"
    if _CLOSING.match(words):
        return "closing"
    if _DERIVATION.match(words):
        return "derivation"
    if _SUMMARY.search(words):
        return "summary"
    return "definition" if _DEFINITION.search(words) else ""


@lru_cache(maxsize=4096)
def box_kind(names: str) -> PartKind:
    """What a part is that the names of its classes or of its environment set apart; empty where they do not say."""
    words = {word.lower() for word in _WORDS.findall(names[:_LONGEST])}
    kinds = word_pairs("parts.boxes")
    found = next((kind for word, kind in kinds.items() if word in words), "")
    return next((kind for kind in get_args(PartKind) if kind == found), "")
