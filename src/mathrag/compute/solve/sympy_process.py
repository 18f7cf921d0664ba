"""SymPy in a process of its own: started when first needed, kept warm, killed when late. Both ends are here.

The process is fed only trees that we built, as nested lists of strings, and only such trees are read back. What it
finds is not verified here.
"""

from __future__ import annotations

import atexit
import contextlib
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from threading import Lock
from typing import Any, assert_never

from mathrag.compute.evaluate.failure import Failure
from mathrag.errors import FormulaError
from mathrag.isolation.tasks import Done, Listener, Outcome, ServiceName, Task, WorkerLimits
from mathrag.isolation.worker import Worker, WorkerLateError, WorkerStartError
from mathrag.isolation.worker_main import Service
from mathrag.types.expression import (
    PI,
    Add,
    Call,
    Comparison,
    Divide,
    Equation,
    Expression,
    MathConstant,
    Measure,
    Multiply,
    Negate,
    Number,
    Piecewise,
    Power,
    Series,
    Symbol,
    symbols_of,
)
from mathrag.types.json_value import Json

_SERVICE = ServiceName("mathrag.compute.solve.sympy_process:sympy_service", None)
# Loading SymPy takes a second or two, and far more on a busy machine; only one that hangs takes so long.
_START_SECONDS = 90.0
# Others may ask before; only a process that hangs takes so long.
_TURN_SECONDS = 120.0
# A solution as nested lists; no formula of a person has a thousandth of it.
_LONGEST_ANSWER_MEGABYTES = 2
# SymPy keeps caches for ever; a fresh process now and then bounds its memory.
_QUESTIONS_A_WORKER = 300
# Equations with more solutions are periodic or polynomials of high degree, where no person wants them all.
_MOST_SOLUTIONS = 16
# Digits of a number; Python refuses to print whole numbers of many more.
_LONGEST_NUMBER = 6_000


# ---- seen from outside


class _BusyError(Exception):
    """Others ask for so long that it is no use to wait."""


class _Keeper:
    """Keeps at most one warm worker for this process."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.worker: Worker | None = None

    def ask(self, question: Json, *, seconds: float, megabytes: int, task: str = "solve") -> Outcome:
        if not self.lock.acquire(timeout=_TURN_SECONDS + seconds):
            raise _BusyError
        outcome = None
        try:
            worker = self._ready(megabytes)
            outcome = worker.ask(Task("", task, question, seconds=seconds))
        finally:
            # Interrupted in the middle, it would give the answer to this question to the next one.
            if outcome is None or worker.is_spent:
                self.stop()
            self.lock.release()
        return outcome

    def _ready(self, megabytes: int) -> Worker:
        """A worker that has SymPy loaded: its time counts for the question alone."""
        if self.worker is not None and not (self.worker.is_usable and self.worker.limits.megabytes == megabytes):
            self.stop()
        if self.worker is None:
            limits = WorkerLimits(
                megabytes=megabytes,
                answer_megabytes=_LONGEST_ANSWER_MEGABYTES,
                start_seconds=_START_SECONDS,
                tasks=_QUESTIONS_A_WORKER,
            )
            self.worker = Worker(_SERVICE, limits, has_like=False)
            self.worker.wait_until_ready()
        return self.worker

    def warm(self, megabytes: int) -> None:
        with self.lock:
            try:
                self._ready(megabytes)
            except BaseException:
                self.stop()
                raise

    def stop(self) -> None:
        worker, self.worker = self.worker, None
        if worker is not None:
            worker.stop()


_keeper = _Keeper()
atexit.register(_keeper.stop)


def start_worker(megabytes: int = 1024) -> None:
    """Start the worker ahead of the first question; otherwise that question waits for SymPy to load."""
    with contextlib.suppress(WorkerStartError, OSError):
        _keeper.warm(megabytes)


def stop_worker() -> None:
    """End the worker; the next question starts another."""
    with _keeper.lock:
        _keeper.stop()


def solve_in_worker(
    equation: Equation, symbol: str, kinds: Mapping[str, str], *, seconds: float, megabytes: int
) -> tuple[Expression, ...] | Failure:
    """Whatever SymPy finds that our trees can hold, unverified."""
    question = {
        "left": to_wire(equation.left),
        "right": to_wire(equation.right),
        "symbol": symbol,
        "kinds": dict(kinds),
    }
    return _asked(question, "solve", symbol, seconds=seconds, megabytes=megabytes)


def integrate_in_worker(
    expression: Expression,
    symbol: str,
    bounds: tuple[Expression, Expression],
    *,
    seconds: float,
    megabytes: int = 1024,
) -> tuple[Expression, ...] | Failure:
    """Whatever SymPy finds for the integral over the symbol between the bounds, unverified."""
    lower, upper = bounds
    question = {"body": to_wire(expression), "lower": to_wire(lower), "upper": to_wire(upper), "symbol": symbol}
    return _asked(question, "integrate", symbol, seconds=seconds, megabytes=megabytes)


def rewrite_in_worker(
    expression: Expression, way: str, symbol: str = "", *, place: Expression | None = None, seconds: float
) -> tuple[Expression, ...] | Failure:
    """Whatever SymPy makes of the expression one way of `mathrag.compute.solve.sympy_rewriting`, unverified."""
    question = {"body": to_wire(expression), "way": way, "symbol": symbol}
    if place is not None:
        question["place"] = to_wire(place)
    return _asked(question, "rewrite", symbol or "it", seconds=seconds, megabytes=1024)


def _asked(
    question: Json, task: str, symbol: str, *, seconds: float, megabytes: int
) -> tuple[Expression, ...] | Failure:
    late = Failure("timeout", f"no closed form for {symbol} was found within {seconds:g} s")
    gone = Failure("worker", f"the solving process ended without an answer for {symbol}")
    try:
        outcome = _keeper.ask(question, seconds=seconds, megabytes=megabytes, task=task)
    except (_BusyError, WorkerLateError):
        return Failure("timeout", f"the solving process was too busy to look for a closed form for {symbol}")
    except (WorkerStartError, OSError):
        return gone
    if isinstance(outcome, Done):
        return _solutions(outcome.result, symbol)
    if outcome.code in ("timeout", "processor_time"):
        return late
    # An error that SymPy raised is its word that it cannot; without one the process itself came to grief.
    return Failure("unsolved", f"no closed form was found for {symbol}") if outcome.error_classes else gone


def _solutions(answer: Json, symbol: str) -> tuple[Expression, ...] | Failure:
    if not isinstance(answer, list):
        return Failure("unsolved", f"no closed form was found for {symbol}")
    try:
        return tuple(from_wire(tree) for tree in answer)
    except (FormulaError, TypeError):
        return Failure("worker", "the solving process answered with something that is not a formula")


# ---- inside the process


def sympy_service(_: Json) -> Service:
    """What the process offers, with SymPy loaded: no question waits for that."""
    from mathrag.compute.printers import sympy_tree

    assert sympy_tree
    return Service({"solve": _solve_question, "integrate": _integrate_question, "rewrite": _rewrite_question})


def _solve_question(question: Json, _: Listener) -> Json:
    """The solutions as nested lists; None where SymPy finds none, for whatever reason."""
    try:
        left, right = from_wire(question["left"]), from_wire(question["right"])
        return _solved(left, right, question["symbol"], question["kinds"])
    except Exception:
        # SymPy raises many kinds of its own; whichever it is, this question has no answer and the next one may.
        return None


def _solved(left: Expression, right: Expression, symbol: str, kinds: Mapping[str, str]) -> list[Any]:
    import sympy

    from mathrag.compute.printers.sympy_tree import NotConvertibleError, from_sympy, sympy_symbol, to_sympy

    # Other symbols count as positive while solving: it lets powers and logarithms be undone. Verification decides.
    assumed = dict.fromkeys((*symbols_of(left), *symbols_of(right)), "positive") | {symbol: kinds.get(symbol, "any")}
    unknown = sympy_symbol(symbol, assumed[symbol])
    residual = to_sympy(left, assumed) - to_sympy(right, assumed)
    found = sympy.solve(residual, unknown, dict=True)
    trees = []
    for solution in found[:_MOST_SOLUTIONS]:
        try:
            trees.append(to_wire(from_sympy(solution[unknown])))
        except (NotConvertibleError, KeyError):
            continue
    return trees


def _integrate_question(question: Json, _: Listener) -> Json:
    """Closed forms of a definite integral as nested lists; None where SymPy finds none, for whatever reason."""
    try:
        body, lower, upper = (from_wire(question[name]) for name in ("body", "lower", "upper"))
        return _integrated(body, question["symbol"], lower, upper)
    except Exception:
        # As above: this question has no answer and the next one may.
        return None


def _integrated(body: Expression, symbol: str, lower: Expression, upper: Expression) -> list[Any]:
    import sympy

    from mathrag.compute.printers.sympy_tree import NotConvertibleError, from_sympy, sympy_symbol, to_sympy

    # Parameters count as positive, as while solving; the variable runs over whatever lies between the bounds.
    names = {name for side in (body, lower, upper) for name in symbols_of(side)}
    assumed = dict.fromkeys(names, "positive") | {symbol: "any"}
    variable, start, end = sympy_symbol(symbol), to_sympy(lower, assumed), to_sympy(upper, assumed)
    function = to_sympy(body, assumed)
    trees = []
    for between_bounds in (False, True):
        if between_bounds:
            found = sympy.integrate(function, (variable, start, end), conds="none")
        else:
            primitive = sympy.integrate(function, variable)
            found = primitive.subs(variable, end) - primitive.subs(variable, start)
        try:
            trees.append(to_wire(from_sympy(found)))
        except NotConvertibleError:
            continue
        break
    return trees


def _rewrite_question(question: Json, _: Listener) -> Json:
    """An expression rewritten, as nested lists; None where SymPy cannot, for whatever reason."""
    from mathrag.compute.solve.sympy_rewriting import rewritten

    try:
        place = from_wire(question["place"]) if "place" in question else None
        found = rewritten(from_wire(question["body"]), question["way"], question["symbol"], place)
        return [to_wire(tree) for tree in found]
    except Exception:
        # As above.
        return None


# ---- what goes over the pipe: trees as nested lists

_RELATIONS = frozenset(("<", "<=", ">", ">=", "=", "!="))


def to_wire(node: Expression) -> list[Any]:
    """A tree as nested lists of strings."""
    match node:
        case Number(value):
            return ["number", format(Decimal(value), "f") if isinstance(value, int) else str(value)]
        case Symbol(name):
            return ["symbol", name]
        case MathConstant():
            return ["pi"]
        case Measure(number, unit):
            return ["measure", to_wire(number), unit]
        case Add(parts):
            return ["add", *map(to_wire, parts)]
        case Multiply(parts):
            return ["multiply", *map(to_wire, parts)]
        case Divide(first, second):
            return ["divide", to_wire(first), to_wire(second)]
        case Negate(operand):
            return ["negate", to_wire(operand)]
        case Power(first, second):
            return ["power", to_wire(first), to_wire(second)]
        case Call(function, parts):
            return ["call", function, *map(to_wire, parts)]
        case Series(operation, index, lower, upper, body):
            return ["series", operation, index, to_wire(lower), to_wire(upper), to_wire(body)]
        case Piecewise():
            return _piecewise_to_wire(node)
    assert_never(node)


def _piecewise_to_wire(node: Piecewise) -> list[Any]:
    rows = [[to_wire(value), [_comparison_to_wire(each) for each in tests]] for value, tests in node.branches]
    return ["piecewise", rows, None if node.otherwise is None else to_wire(node.otherwise)]


def _comparison_to_wire(comparison: Comparison) -> list[Any]:
    return [comparison.relation, to_wire(comparison.left), to_wire(comparison.right)]


def from_wire(data: Any) -> Expression:
    """The tree of nested lists; raises FormulaError on any other shape."""
    try:
        return _read(data)
    except (ValueError, TypeError, IndexError, InvalidOperation, RecursionError) as error:
        raise FormulaError("bad_wire", "the worker process sent something that is not a formula") from error


def _read(data: Any) -> Expression:
    match data:
        case ["number", str(text)] if len(text) < _LONGEST_NUMBER:
            value = Decimal(text)
            return Number(int(value) if text.isdigit() else value)
        case ["symbol", str(name)]:
            return Symbol(name)
        case ["pi"]:
            return PI
        case ["measure", number, str(unit)]:
            inner = _read(number)
            if isinstance(inner, Number):
                return Measure(inner, unit)
        case ["call", str(function), *parts]:
            return Call(function, tuple(map(_read, parts)))
        case ["series", ("sum" | "product") as operation, str(index), lower, upper, body]:
            return Series("sum" if operation == "sum" else "product", index, _read(lower), _read(upper), _read(body))
        case ["piecewise", list(rows), otherwise]:
            branches = tuple((_read(value), tuple(map(_read_comparison, tests))) for value, tests in rows)
            return Piecewise(branches, None if otherwise is None else _read(otherwise))
        case [str(operation), *parts]:
            return _read_arithmetic(operation, [_read(part) for part in parts])
    raise ValueError("not a tree")


def _read_arithmetic(operation: str, parts: list[Expression]) -> Expression:
    match operation, parts:
        case "add", [_, _, *_]:
            return Add(tuple(parts))
        case "multiply", [_, _, *_]:
            return Multiply(tuple(parts))
        case "divide", [first, second]:
            return Divide(first, second)
        case "negate", [operand]:
            return Negate(operand)
        case "power", [first, second]:
            return Power(first, second)
    raise ValueError("not a tree")


def _read_comparison(data: Any) -> Comparison:
    relation, left, right = data
    if relation not in _RELATIONS:
        raise ValueError("not a relation")
    return Comparison(relation, _read(left), _read(right))
