"""Run a stranger's SPARQL against the graph of a library: read only, bounded in rows, time and memory.

The query runs in a process of its own (`sparql_worker.py`), which limits itself; this side waits, and kills it when it
is late.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from mathrag.errors import LibraryError, QueryError, point_at, readable
from mathrag.isolation.tasks import Done, WorkerLimits
from mathrag.isolation.worker import ask_once
from mathrag.store.graph.generations import newest_graph, use_lock_path
from mathrag.store.graph.vocabulary import PREFIXES
from mathrag.types.json_value import Json

# Look over a stranger's SPARQL before it runs: what it is, and whether it asks for something never allowed.
#
# This is for clear words, not for safety: the process that runs a query can neither write nor open a connection,
# whatever the query says.

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


_RUN = "mathrag.store.graph.sparql_worker:run_query"
_MOST_ROWS = 100_000
# How often a newer graph may take the place of the one just looked up.
_ATTEMPTS = 5
# Starting Python and opening the graph, on a slow machine; not part of the query's own time.
_START_SECONDS = 10.0
# Rows are shown as text of at most 16 million characters, each of which may take several bytes on the pipe.
_ANSWER_MEGABYTES = 256
_PLACE = re.compile(r"error at ([0-9]+):([0-9]+): ")


class Term(NamedTuple):
    """A term of a result; `datatype` and `language` only for literals."""

    kind: Literal["iri", "literal", "blank", "triple"]
    value: str
    datatype: str = ""
    language: str = ""

    def __str__(self) -> str:
        """What a person wants to see: names with their usual prefix, values without their datatype."""
        if self.kind != "iri":
            return self.value
        for prefix, namespace in PREFIXES.items():
            if self.value.startswith(namespace):
                return f"{prefix}:{self.value[len(namespace) :]}"
        return self.value


@dataclass(frozen=True, slots=True)
class SparqlResult:
    """What a query gave: rows under variables (SELECT), yes or no (ASK), or triples as rows (CONSTRUCT, DESCRIBE).

    The variables of triples are `subject`, `predicate` and `object`.

    `truncated` says that there were more rows than asked for, or that they were too long.
    """

    kind: Literal["select", "ask", "construct"]
    variables: tuple[str, ...] = ()
    rows: tuple[tuple[Term | None, ...], ...] = ()
    answer: bool | None = None
    truncated: bool = False


def run_sparql(
    folder: Path, query: str, *, max_rows: int = 1000, seconds: float = 10.0, megabytes: int = 1024
) -> SparqlResult:
    """Run one query on the newest graph of the library in a folder; `QueryError` says why there is no result.

    The caller sees to it that the graph is current (`ensure_graph`). The prefixes of `PREFIXES` need no declaration.
    """
    screen(query)
    if not 1 <= max_rows <= _MOST_ROWS:
        raise QueryError(f"the number of rows asked for must be between 1 and {_MOST_ROWS:,}")
    for _ in range(_ATTEMPTS):
        graph = newest_graph(folder)
        if graph is None:
            raise LibraryError(f"the library in {folder} has no graph yet; build it with: mathrag check --rebuild")
        question = {
            "path": str(graph.resolve()),
            "lock": str(use_lock_path(graph).resolve()),
            "query": query,
            "prefixes": PREFIXES,
            "max_rows": max_rows,
            "seconds": seconds,
            "megabytes": megabytes,
        }
        answer = _ask(question, seconds=seconds, megabytes=megabytes)
        # A newer graph took its place between looking and opening.
        if "gone" not in answer:
            return _result(answer, query, megabytes=megabytes)
    raise LibraryError("the graph of the library keeps changing; try again")


def _ask(question: Json, *, seconds: float, megabytes: int) -> Json:
    limits = WorkerLimits(
        seconds=seconds + _START_SECONDS,
        # The process itself says what the query may use, for it knows what it takes before.
        megabytes=None,
        processor_seconds=math.inf,
        answer_megabytes=_ANSWER_MEGABYTES,
        start_seconds=_START_SECONDS,
    )
    outcome = ask_once(_RUN, question, limits)
    if isinstance(outcome, Done):
        return outcome.result
    if outcome.code in ("timeout", "processor_time"):
        raise QueryError(f"the query took longer than {seconds:g} s and was stopped; ask for less, or add a condition")
    # The store ends the process where it gets no more memory; so does the system.
    if outcome.code in ("memory", "crashed", "killed"):
        raise QueryError(_too_much(megabytes))
    raise LibraryError("the graph cannot be read; build it anew with: mathrag check --rebuild")


def _result(answer: Json, query: str, *, megabytes: int) -> SparqlResult:
    if "syntax" in answer:
        raise QueryError(_syntax_error(str(answer["syntax"]), query))
    if "memory" in answer:
        raise QueryError(_too_much(megabytes))
    if "error" in answer:
        raise QueryError(readable(f"the query failed: {answer['error']}"))
    return SparqlResult(
        answer["kind"],
        tuple(answer.get("variables", ())),
        tuple(tuple(None if term is None else Term(*term) for term in row) for row in answer.get("rows", ())),
        answer.get("answer"),
        bool(answer.get("truncated", False)),
    )


def _syntax_error(message: str, query: str) -> str:
    """The parser knows the place well and the reason badly: it lists everything that could have stood there."""
    found = _PLACE.match(message)
    if found is None:
        return readable(f"the query is wrong: {message}")
    line, column = int(found[1]), int(found[2])
    lines = query.split("\n")
    rest = lines[line - 1][column - 1 :].strip() if line <= len(lines) else ""
    before = lines[line - 1][: column - 1] if line <= len(lines) else ""
    unknown = re.search(r"(?<![\w:?$<])([A-Za-z][\w-]{0,50}):[\w-]{0,80}\s*$", before)
    if unknown is not None and unknown[1] not in PREFIXES and f"{unknown[1]}:" not in query[: query.find("{")]:
        return located(f"the prefix {unknown[1]}: is not declared; add PREFIX {unknown[1]}: <…>", query, line, column)
    if not rest and not "".join(lines[line:]).strip():
        return located("the query ends too early", query, line, column)
    return located("this cannot stand here", query, line, column)


def _too_much(megabytes: int) -> str:
    return f"the query needs more than {megabytes} MB of memory; ask for less, or add a condition"
