"""Look over a stranger's SPARQL before it runs: what it is, and whether it asks for something never allowed.

This is for clear words, not for safety: the process that runs a query can neither write nor open a connection, whatever
the query says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mathrag.errors import QueryError, point_at

LONGEST_QUERY = 100_000
_DEEPEST = 200
_FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_UPDATES = frozenset("INSERT DELETE LOAD CLEAR CREATE DROP COPY MOVE ADD WITH".split())
# Alternatives in the order of the SPARQL grammar; every one is linear. What matches none is one character.
_TOKEN = re.compile(
    r"""
      (?P<space>\s+|\#[^\r\n]*)
    | (?P<string>\"\"\"(?:\\.|[^\\"]|"(?!""))*\"\"\"|'''(?:\\.|[^\\']|'(?!''))*'''
        |"(?:\\.|[^"\\\r\n])*"|'(?:\\.|[^'\\\r\n])*')
    | (?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
    | (?P<variable>[?$]\w+)
    | (?P<name>[\w.%-]{0,100}:(?:[\w.:%-]|\\.)*)
    | (?P<word>[^\W\d]\w*)
    | (?P<number>\d[\w.]*)
    | (?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def screen(query: str) -> None:
    """Raise `QueryError` for a query that is no query, changes something, or reaches outside the library."""
    if len(query) > LONGEST_QUERY:
        raise QueryError(f"the query has {len(query):,} characters; at most {LONGEST_QUERY:,} are allowed")
    if "\x00" in query:
        raise QueryError("the query contains a null character")
    form: str | None = None
    in_prologue = True
    depth = 0
    for kind, shown, position in _tokens(query):
        if kind == "word":
            word = shown.upper()
            if word == "SERVICE":
                raise QueryError(_at("SERVICE asks another server, which is not allowed here", query, position))
            if in_prologue and word not in ("PREFIX", "BASE", "VERSION"):
                form, in_prologue = word, False
                _check_form(form, query, position)
            elif word == "FROM" and form is not None:
                raise QueryError(_at("the library is one graph; leave out FROM", query, position))
        elif kind == "sign":
            depth += (shown in "({[") - (shown in ")}]")
            if depth > _DEEPEST:
                raise QueryError(_at(f"more than {_DEEPEST} brackets inside each other", query, position))
    if form is None:
        raise QueryError("there is nothing to run: write a SELECT, ASK, CONSTRUCT or DESCRIBE query")


def _tokens(query: str) -> Iterator[tuple[str, str, int]]:
    for match in _TOKEN.finditer(query):
        kind = match.lastgroup or "sign"
        if kind != "space":
            yield kind, match[0], match.start()


def _check_form(form: str, query: str, position: int) -> None:
    if form in _UPDATES:
        raise QueryError(_at(f"{form} would change the graph, and queries may only read it", query, position))
    if form not in _FORMS:
        raise QueryError(_at(f"a query begins with {', '.join(_FORMS[:-1])} or {_FORMS[-1]}", query, position))


def _at(sentence: str, query: str, position: int) -> str:
    line = query.count("\n", 0, position) + 1
    column = position - (query.rfind("\n", 0, position) + 1) + 1
    return located(sentence, query, line, column)


def located(sentence: str, query: str, line: int, column: int) -> str:
    """A sentence with the place, in words and drawn under the query."""
    lines = query.split("\n")
    start = sum(len(each) + 1 for each in lines[: line - 1])
    shown = point_at(query, start + column - 1)
    return f"line {line}, column {column}: {sentence}" + (f"\n{shown}" if shown else "")
