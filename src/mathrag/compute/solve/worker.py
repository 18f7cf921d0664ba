"""The process that runs SymPy: reads one JSON question a line, answers one JSON line. Started by `solve.process`.

It limits its own memory and processor time, and ends as soon as the process that started it closes the pipe, even
in the middle of a computation.
"""

from __future__ import annotations

import json
import os
import queue
import resource
import sys
import threading
from typing import Any

from mathrag.compute.solve.wire import from_wire, to_wire
from mathrag.types.expression import symbols_of


def main() -> None:
    """Answer questions until the pipe closes."""
    _limit_memory(int(sys.argv[1]) if len(sys.argv) > 1 else 1024)
    # SymPy may print; our answers keep the real standard output to themselves.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    questions: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    # Loaded before the first question, so that no question waits for it.
    from mathrag.compute.printers import sympy_tree

    assert sympy_tree
    _send(answers, {"ready": True})
    while True:
        question = json.loads(questions.get())
        _limit_seconds(float(question["seconds"]))
        _send(answers, _answer(question))


def _listen(questions: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        questions.put(line)
    os._exit(0)


def _send(answers: Any, message: dict[str, Any]) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()


def _limit_memory(megabytes: int) -> None:
    size = megabytes * 1024 * 1024
    for limit in ("RLIMIT_AS", "RLIMIT_DATA"):
        try:
            resource.setrlimit(getattr(resource, limit), (size, size))
        except (ValueError, OSError, AttributeError):
            # Some systems refuse this limit; the time limit and the kill still hold.
            continue
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_seconds(seconds: float) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime + seconds) + 2
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    try:
        left, right = from_wire(question["left"]), from_wire(question["right"])
        return {"solutions": _solve(left, right, question["symbol"], question["kinds"])}
    except MemoryError:
        return {"error": "MemoryError"}
    except Exception as error:
        # SymPy raises many kinds of its own; whichever it is, this question has no answer and the next one may.
        return {"error": type(error).__name__}


def _solve(left: Any, right: Any, symbol: str, kinds: dict[str, str]) -> list[Any]:
    import sympy

    from mathrag.compute.printers.sympy_tree import NotConvertibleError, from_sympy, sympy_symbol, to_sympy

    # Other symbols count as positive while solving: it lets powers and logarithms be undone. Verification decides.
    assumed = dict.fromkeys((*symbols_of(left), *symbols_of(right)), "positive") | {symbol: kinds.get(symbol, "any")}
    unknown = sympy_symbol(symbol, assumed[symbol])
    residual = to_sympy(left, assumed) - to_sympy(right, assumed)
    found = sympy.solve(residual, unknown, dict=True)
    trees = []
    for solution in found[:16]:
        try:
            trees.append(to_wire(from_sympy(solution[unknown])))
        except (NotConvertibleError, KeyError):
            continue
    return trees


if __name__ == "__main__":
    main()
