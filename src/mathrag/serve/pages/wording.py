"""Sentences of other rooms for people in front of a page: where one names a command, the page that does the same."""

from __future__ import annotations

import re

# By the command and, where it matters, its option.
_PLACES = {
    "ingest --openmath": "“Read the dictionaries” on the page Library",
    "ingest": "the page Library",
    "show": "the page Library",
    "trust": "the buttons on its page in the Library",
    "search": "the search on the page Library, Formulas",
    "check": "the page Library",
    "sql": "the page Query",
    "sparql": "the page Query",
    "evaluate": "the page Evaluation",
    "cache": "the command line",
}
_COMMAND = re.compile(r"`mathrag (?P<name>[a-z-]+)(?P<rest>[^`\n]{0,300})`")
# A command that asks is an example of a question.
_EXAMPLE = re.compile(r" ['\"](?P<question>[^'\"]+)['\"]")


def for_pages(text: str) -> str:
    """The text without commands of a shell, which a page cannot run."""
    if "`mathrag " not in text:
        return text
    said = _COMMAND.sub(_place, text)
    for place in _PLACES.values():
        said = said.replace(f"{place} or {place}", place)
    return said


def _place(found: re.Match[str]) -> str:
    name, rest = found["name"], found["rest"]
    example = _EXAMPLE.match(rest)
    if name in ("ask", "solve-steps") and example is not None:
        return f"“{example['question']}”"
    for option in (f"{name}{rest[:11]}".strip(), name):
        if option in _PLACES:
            return _PLACES[option]
    return "the command line"
