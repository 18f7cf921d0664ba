"""What the process does that runs one SPARQL query and ends: gives rows or a reason. `sparql.py` is the other side.

It opens the graph for reading, then gives up the right to open anything else, so that no query can reach a file or a
server. Imports next to nothing, so that it starts fast.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

import pyoxigraph

from mathrag.isolation.limits import end_after, limit_process
from mathrag.types.json_value import Json

# What Python and the store take before the query has done anything; most is only reserved.
_OWN_MEGABYTES = 336
# What a query that is just done needs to give its last rows.
_GRACE_SECONDS = 0.5
# Characters: what a page can show and a program can take in at once.
_LONGEST_ANSWER = 16_000_000
_LONGEST_VALUE = 1_000_000

Term = Any

# The lock and the graph, until the process is ended: closing a large graph takes time that nobody has to wait for.
_held: list[object] = []


def run_query(question: Json) -> Json:
    """What the query gives, or the reason why it gives nothing; `gone` where the graph was removed in the meantime."""
    lock = Path(question["lock"]).open("ab")  # noqa: SIM115 - see `_held`
    store = _opened_graph(question["path"], lock)
    _held.extend((lock, store))
    if store is None:
        return {"gone": True}
    seconds = question["seconds"]
    # The store computes without returning to Python.
    end_after(seconds + _GRACE_SECONDS)
    refused = limit_process(
        address_megabytes=question["megabytes"] + _OWN_MEGABYTES,
        # The store works with threads of its own, so that it may use more than the clock shows.
        processor_seconds=int(seconds * 2) + 2,
        file_bytes=0,
        open_files=0,
    )
    if "RLIMIT_NOFILE" in refused:
        raise OSError("without a limit on open files a query could reach other servers")
    return _answer(store, question)


def _opened_graph(path: str, lock: BinaryIO) -> pyoxigraph.Store | None:
    """The graph, with its lock; None where it was removed in the meantime."""
    fcntl.flock(lock.fileno(), fcntl.LOCK_SH)
    if not Path(path).is_dir():
        return None
    return pyoxigraph.Store.read_only(path)


def _answer(store: pyoxigraph.Store, question: Json) -> Json:
    try:
        result = store.query(question["query"], prefixes=question["prefixes"])
        if isinstance(result, pyoxigraph.QueryBoolean):
            return {"kind": "ask", "answer": bool(result)}
        if isinstance(result, pyoxigraph.QueryTriples):
            rows, truncated = _taken((tuple(triple) for triple in result), question["max_rows"])
            names = ["subject", "predicate", "object"]
            return {"kind": "construct", "variables": names, "rows": rows, "truncated": truncated}
        names = [variable.value for variable in result.variables]
        rows, truncated = _taken((tuple(solution) for solution in result), question["max_rows"])
    except SyntaxError as error:
        return {"syntax": str(error)}
    except MemoryError:
        return {"memory": True}
    except (OSError, RuntimeError, ValueError) as error:
        return {"error": str(error)}
    return {"kind": "select", "variables": names, "rows": rows, "truncated": truncated}


def _taken(found: Iterable[tuple[Term, ...]], most: int) -> tuple[Json, bool]:
    rows: list[list[list[str] | None]] = []
    length = 0
    for row in found:
        shown = [_shown(term) for term in row]
        length += sum(16 if term is None else len(term[1]) + 16 for term in shown)
        if len(rows) == most or length > _LONGEST_ANSWER:
            return rows, True
        rows.append(shown)
    return rows, False


def _shown(term: Term) -> list[str] | None:
    """Kind, text, datatype and language of a term."""
    if term is None:
        return None
    if isinstance(term, pyoxigraph.NamedNode):
        return ["iri", term.value[:_LONGEST_VALUE], "", ""]
    if isinstance(term, pyoxigraph.Literal):
        return ["literal", term.value[:_LONGEST_VALUE], term.datatype.value, term.language or ""]
    if isinstance(term, pyoxigraph.BlankNode):
        return ["blank", term.value[:_LONGEST_VALUE], "", ""]
    return ["triple", str(term)[:_LONGEST_VALUE], "", ""]
