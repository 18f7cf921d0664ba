"""Solving: a golden table checked numerically, limits and processes, numeric roots, and solve-then-substitute."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from mathrag.compute.evaluate import Failure, compile_expression, evaluate
from mathrag.compute.patience import one_computation
from mathrag.compute.printers.pythontext import comparison_text, python_text
from mathrag.compute.pythontext import read_python_text
from mathrag.compute.solve import Solutions, solve, solve_numeric, solver
from mathrag.compute.solve import sympy_process as process
from mathrag.compute.solve.solver import Judge, Trial
from mathrag.compute.solve.sympy_process import from_wire, to_wire
from mathrag.compute.unknowns import Evaluation, evaluate_unknown
from mathrag.errors import FormulaError
from mathrag.types.expression import Equation, Expression, Reading, Symbol, equation_symbols, symbols_of
from mathrag.types.quantity import Quantity
from strategies import algebraic_expressions

GOLDEN = tomllib.loads((Path(__file__).parent.parent / "golden" / "solve.toml").read_text(encoding="utf-8"))["solve"]


def equation(text: str) -> Equation:
    reading = read_python_text(text)
    assert isinstance(reading, Reading), reading
    return reading.equations[0]


def expression(text: str) -> Expression:
    reading = read_python_text(text)
    assert isinstance(reading, Reading)
    assert reading.expression is not None
    return reading.expression


def positive(asked: Equation) -> dict[str, str]:
    return dict.fromkeys(equation_symbols(asked), "positive")


def agree(first: Expression, second: Expression) -> bool:
    """Whether two expressions have the same value at random positive points where both have one."""
    names = sorted({*symbols_of(first), *symbols_of(second)})
    left, right = compile_expression(first, names), compile_expression(second, names)
    chance = random.Random(7)
    compared = 0
    for _ in range(400):
        values = [10 ** chance.uniform(-1, 0.8) for _ in names]
        a, b = left(*values), right(*values)
        if isinstance(a, Failure) or isinstance(b, Failure):
            continue
        if not math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-9):
            return False
        compared += 1
    return compared >= 3


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: f"{row['equation']} for {row['symbol']}")
def test_golden_equations(row: dict[str, Any]) -> None:
    asked = equation(row["equation"])
    answer = solve(asked, row["symbol"], kinds=positive(asked), use_sympy=False)
    assert isinstance(answer, Solutions), answer
    expected = [expression(text) for text in row["solutions"]]
    texts = [python_text(solution.expression) for solution in answer.solutions]
    assert answer.default.is_default
    assert agree(answer.default.expression, expected[0]), texts
    for wanted in expected[1:]:
        assert any(agree(solution.expression, wanted) for solution in answer.solutions[1:]), (
            python_text(wanted),
            texts,
        )


def test_conditions_and_notes_are_given() -> None:
    answer = solve(equation("T = 2*pi*sqrt(L/g)"), "g")
    assert isinstance(answer, Solutions)
    assert [comparison_text(each) for each in answer.default.conditions] == ["T >= 0"]
    angles = solve(equation("y = sin(x)"), "x")
    assert isinstance(angles, Solutions)
    assert "principal" in angles.default.note


def test_kinds_decide_the_branch() -> None:
    asked = equation("x**2 + b*x = c")
    answer = solve(asked, "x", kinds=positive(asked))
    assert isinstance(answer, Solutions)
    value = evaluate(answer.default.expression, {"b": 1.0, "c": 6.0})
    assert value == pytest.approx(2.0)
    assert len(answer.solutions) == 2


def test_wrong_questions() -> None:
    assert solve(equation("F = m*a"), "q") == Failure("no_solution", "q does not occur in the equation")
    with pytest.raises(ValueError, match="kind is one of"):
        solve(equation("F = m*a"), "m", kinds={"m": "heavy"})
    unsolved = solve(equation("cos(x) = x*y"), "x", use_sympy=False)
    assert isinstance(unsolved, Failure)
    assert unsolved.code == "unsolved"


def test_sympy_answers_what_isolation_cannot() -> None:
    asked = equation("log(x) + log(x + a) = b")
    answer = solve(asked, "x", kinds=positive(asked), seconds=20.0)
    assert isinstance(answer, Solutions), answer
    assert answer.method == "sympy"
    assert agree(answer.default.expression, expression("(-a + sqrt(a**2 + 4*exp(b)))/2"))


def _late(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every call of SymPy's process takes too long; the symbols that were asked for."""
    asked: list[str] = []

    def late(_: Equation, symbol: str, *__: object, **___: object) -> Failure:
        asked.append(symbol)
        return Failure("timeout", f"no closed form for {symbol} was found within 2 s")

    monkeypatch.setattr(process, "solve_in_worker", late)
    return asked


def test_where_no_closed_form_can_be_nobody_looks_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _late(monkeypatch)
    found = solve(equation("M = E - k*sin(E)"), "E")
    assert isinstance(found, Failure)
    assert (found.code, asked) == ("unsolved", [])


def test_what_took_too_long_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _late(monkeypatch)
    hard = equation("y = x**5 + 3*x + exp(x)")
    for _ in range(2):
        found = solve(hard, "x")
        assert isinstance(found, Failure)
        assert found.code == "timeout"
    assert len(asked) == 2
    with one_computation() as computation:
        assert [solve(hard, "x"), solve(hard, "x")] == [found, found]
        assert computation.times == 2
    assert len(asked) == 3


def test_a_solution_is_not_verified_by_one_point_where_the_others_were_not_tried() -> None:
    assert Trial(1, 0, 1).is_verified
    assert not Trial(1, 0, 1, is_cut=True).is_verified
    assert Trial(2, 0, 2, is_cut=True).is_verified


def test_verifying_counts_what_it_does_and_not_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    long = equation("y = a*sum(1/k**2 for k in range(1, 100001))")
    clock = iter(range(0, 10**9, 1000))
    for name in ("thread_time", "monotonic", "process_time"):
        monkeypatch.setattr(time, name, lambda: float(next(clock)))
    judge = Judge(long, "a", {})
    assert judge.work.nodes > 1_000_000
    found = solve(long, "a", use_sympy=False)
    assert isinstance(found, Solutions)


def test_real_roots_without_a_closed_form_are_all_told(monkeypatch: pytest.MonkeyPatch) -> None:
    cubic = equation("y = x**3 - 6*x**2 + 11*x")
    known = {"y": Quantity(6.0)}
    for is_late in (False, True):
        if is_late:
            _late(monkeypatch)
            solver._cache.entries.clear()
        found = evaluate_unknown(cubic, "x", known, seconds=60.0)
        assert isinstance(found, Evaluation)
        assert [each.value for each in (found.value, *found.others)] == [1.0, 2.0, 3.0]
        assert found.method == "numeric"
        assert found.notes
        assert found.limit == ("no closed form for x was found within 2 s" if is_late else "")


def test_a_search_by_number_counts_its_steps() -> None:
    found = solve_numeric(equation("x = cos(x)"), "x", {}, steps=100)
    assert isinstance(found, Failure)
    assert (found.code, found.message) == ("too_large", "the search for x was given up after 100 steps")


@pytest.mark.slow
def test_hostile_trees_time_out_and_the_worker_recovers() -> None:
    process.start_worker()
    bomb = solve(equation("x**x + 9**9**9**9 = y"), "x", seconds=0.5)
    assert isinstance(bomb, Failure)
    assert bomb.code in ("timeout", "worker", "unsolved")
    asked = equation("log(x) + log(x + 2*a) = b")
    assert isinstance(solve(asked, "x", kinds=positive(asked), seconds=20.0), Solutions)


@pytest.mark.slow
def test_threads_may_ask_at_once() -> None:
    texts = ["log(x) + log(x + 3*a) = b", "log(x) + log(x + 4*a) = b", "v = u + a*x", "log(x) + log(x + 5*a) = b"]
    answers: list[Any] = []

    def ask(text: str) -> None:
        asked = equation(text)
        answers.append(solve(asked, "x", kinds=positive(asked), seconds=20.0))

    threads = [threading.Thread(target=ask, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == len(texts)
    assert all(isinstance(answer, Solutions) for answer in answers)


@pytest.mark.slow
def test_worker_dies_with_its_parent() -> None:
    script = (
        "from mathrag.compute.solve import sympy_process as process\n"
        "process.start_worker()\n"
        "print(process._keeper.worker.process.pid, flush=True)\n"
        "import os; os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    pid = int(done.stdout)
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        status = Path(f"/proc/{pid}/stat")
        if status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.05)
    pytest.fail("the worker outlived the process that started it")


def test_wire_refuses_what_is_not_a_tree() -> None:
    for data in (
        None,
        5,
        ["eval", "x"],
        ["call", "system", ["symbol", "x"]],
        ["symbol", "a b"],
        ["number", "nan"],
        {"a": 1},
    ):
        with pytest.raises(FormulaError):
            from_wire(data)


# -- numeric


def test_numeric_roots_of_both_signs() -> None:
    roots = solve_numeric(equation("x**2 = a"), "x", {"a": 2.0})
    assert roots == pytest.approx((-math.sqrt(2), math.sqrt(2)))
    assert solve_numeric(equation("x**3 - 6*x**2 + 11*x - 6 = 0"), "x", {}) == pytest.approx((1.0, 2.0, 3.0))


def test_numeric_finds_double_and_close_roots() -> None:
    assert solve_numeric(equation("(x - 2)**2 = 0"), "x", {}) == pytest.approx((2.0,), rel=1e-6)
    assert solve_numeric(equation("(x - 1)*(x - 1.01) = 0"), "x", {}) == pytest.approx((1.0, 1.01))


def test_numeric_takes_no_pole_for_a_root() -> None:
    missing = solve_numeric(equation("1/(x - 3) = 0"), "x", {})
    assert isinstance(missing, Failure)
    assert solve_numeric(equation("tan(x) = 1"), "x", {}, bracket=(0.0, 3.0)) == pytest.approx((math.pi / 4,))
    assert isinstance(solve_numeric(equation("floor(x) = 2.5"), "x", {}), Failure)


def test_numeric_looks_up_to_the_edge_of_where_there_are_values() -> None:
    near_light = solve_numeric(equation("p = m*u/sqrt(1 - (u/c)**2)"), "u", {"p": 9.0, "m": 1.0, "c": 1.0})
    assert near_light == pytest.approx((9 / math.sqrt(82),))
    assert solve_numeric(equation("y = 1/sqrt(3 - x)"), "x", {"y": 100.0}) == pytest.approx((2.9999,))
    assert solve_numeric(equation("y = log(x - 2)"), "x", {"y": -9.0}) == pytest.approx((2 + math.exp(-9),))
    assert isinstance(solve_numeric(equation("sqrt(x - 2) = -1"), "x", {}), Failure)


def test_numeric_works_over_many_decades() -> None:
    assert solve_numeric(equation("h*f = E"), "f", {"h": 6.626e-34, "E": 3e-19}) == pytest.approx((3e-19 / 6.626e-34,))
    roots = solve_numeric(
        equation("m = P*r*(1 + r)**n/((1 + r)**n - 1)"), "r", {"m": 1000.0, "P": 150000.0, "n": 360.0}
    )
    assert isinstance(roots, tuple)
    monthly = max(roots)
    assert 150000 * monthly * (1 + monthly) ** 360 / ((1 + monthly) ** 360 - 1) == pytest.approx(1000.0)


def test_numeric_needs_values_and_a_sound_bracket() -> None:
    missing = solve_numeric(equation("F = m*a"), "a", {"F": 1.0})
    assert isinstance(missing, Failure)
    assert missing.code == "missing_value"
    wrong = solve_numeric(equation("F = m*a"), "a", {"F": 1.0, "m": 2.0}, bracket=(3.0, 1.0))
    assert isinstance(wrong, Failure)


# -- property


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(algebraic_expressions)
def test_solve_then_substitute(tree: Expression) -> None:
    asked = Equation(Symbol("result"), tree)
    chance = random.Random(3)
    for symbol in symbols_of(tree):
        answer = solve(asked, symbol, kinds=positive(asked), use_sympy=False)
        if isinstance(answer, Failure):
            continue
        names = list(equation_symbols(asked))
        forward = compile_expression(tree, names)
        for solution in answer.solutions:
            backward = compile_expression(solution.expression, names)
            for _ in range(10):
                point = {name: chance.uniform(0.4, 2.5) for name in names}
                outcome = forward(*point.values())
                if isinstance(outcome, Failure) or abs(outcome) > 1e6:
                    continue
                point["result"] = outcome
                found = backward(*point.values())
                if isinstance(found, Failure) or not _holds(solution.conditions, point):
                    continue
                again = forward(*{**point, symbol: found}.values())
                if isinstance(again, float):
                    assert again == pytest.approx(outcome, rel=1e-4, abs=1e-6), python_text(solution.expression)


def _holds(conditions: Any, point: dict[str, float]) -> bool:
    for condition in conditions:
        difference = evaluate(condition.left, point)
        if isinstance(difference, Failure) or difference < 1e-9:
            return False
    return True


@settings(max_examples=100, deadline=None)
@given(algebraic_expressions)
def test_wire_round_trip(tree: Expression) -> None:
    assert from_wire(to_wire(tree)) == tree


# -- the bridge to SymPy, used in the worker only


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(algebraic_expressions)
def test_sympy_objects_mean_the_same(tree: Expression) -> None:
    from mathrag.compute.printers.sympy_tree import NotConvertibleError, from_sympy, to_sympy

    names = symbols_of(tree)
    values = {name: 0.6 + index / 3 for index, name in enumerate(names)}
    before = evaluate(tree, values)
    try:
        after = evaluate(from_sympy(to_sympy(tree, dict.fromkeys(names, "positive"))), values)
    except NotConvertibleError:
        return
    if isinstance(before, Failure) or isinstance(after, Failure):
        return
    assert float(after) == pytest.approx(float(before), rel=1e-6, abs=1e-9)


def test_sympy_objects_outside_the_list_are_refused() -> None:
    import sympy

    from mathrag.compute.printers.sympy_tree import NotConvertibleError, from_sympy, to_sympy

    x = sympy.Symbol("x")
    for value in (sympy.I, sympy.LambertW(x), sympy.Integral(sympy.sin(x), x), sympy.oo, sympy.zoo, sympy.nan):
        with pytest.raises(NotConvertibleError):
            from_sympy(value)
    with pytest.raises(NotConvertibleError):
        to_sympy(expression("sum(k for k in range(1, n + 1))"))
