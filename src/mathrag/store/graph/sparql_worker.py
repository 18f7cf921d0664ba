"""The process that runs one SPARQL query and ends: reads a JSON question, writes a JSON answer. Started by `sparql.py`.

It opens the graph for reading, then gives up the right to open anything else, so that no query can reach a file or a
server. Imports next to nothing, so that it starts fast.
"""

from __future__ import annotations

import fcntl
import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any, BinaryIO

import pyoxigraph

# What Python and the store take before the query has done anything.
_OWN_MEGABYTES = 256
_GRACE_SECONDS = 0.5
_LONGEST_ANSWER = 16_000_000
_LONGEST_VALUE = 1_000_000

Term = Any


def main() -> None:
    """Answer the question on standard input."""
    question = json.loads(sys.stdin.buffer.read())
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    # Held open, and with it the lock, until the process ends.
    lock = Path(question["lock"]).open("ab")  # noqa: SIM115 - see above
    store = open_graph(question["path"], lock)
    if store is None:
        answer: dict[str, Any] = {"gone": True}
    else:
        limit_process(question["megabytes"], question["seconds"])
        answer = run(store, question)
    answers.write(json.dumps(answer))
    answers.flush()
    # No unwinding: closing a large store takes time that nobody has to wait for.
    os._exit(0)


def open_graph(path: str, lock: BinaryIO) -> pyoxigraph.Store | None:
    """The graph, with its lock; None where it was removed in the meantime."""
    fcntl.flock(lock.fileno(), fcntl.LOCK_SH)
    if not Path(path).is_dir():
        return None
    return pyoxigraph.Store.read_only(path)


def limit_process(megabytes: int, seconds: float) -> None:
    """No more memory or processor time than one query may use, and no file or connection that is not open yet."""
    size = (megabytes + _OWN_MEGABYTES) * 1024 * 1024
    # The store computes without returning to Python; the default action of an alarm ends it all the same.
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE_SECONDS)
    for name, value in (
        ("RLIMIT_AS", size),
        ("RLIMIT_CPU", int(seconds * 2) + 2),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_NOFILE", 0),
    ):
        try:
            resource.setrlimit(getattr(resource, name), (value, value))
        except (ValueError, OSError, AttributeError):
            # Without this one a query could reach other servers; the rest is also watched from outside.
            if name == "RLIMIT_NOFILE":
                raise
            continue


def run(store: pyoxigraph.Store, question: dict[str, Any]) -> dict[str, Any]:
    """What the query gives, or the reason why it gives nothing."""
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


def _taken(found: Any, most: int) -> tuple[list[list[Any]], bool]:
    rows: list[list[Any]] = []
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


if __name__ == "__main__":
    main()
