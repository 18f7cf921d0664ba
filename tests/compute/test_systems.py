"""Systems of equations: textbook ones, random linear ones against exact elimination, and hostile ones, all in time."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest

from mathrag.compute.evaluate import Failure, compile_expression
from mathrag.compute.printers.pythontext import python_text
from mathrag.compute.pythontext import read_python_text
from mathrag.compute.solve.numeric_systems import solve_numerically
from mathrag.compute.solve.systems import MOST_EQUATIONS, Combined, combine, holds_at
from mathrag.compute.unknowns import evaluate_unknown
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.expression import (
    ONE,
    Equation,
    Expression,
    Measure,
    Number,
    Reading,
    Series,
    Symbol,
    add,
    equation_symbols,
    multiply,
    number,
    power,
    walk,
)
from mathrag.types.quantity import Quantity


def equations(text: str) -> tuple[Equation, ...]:
    reading = read_python_text(text)
    assert isinstance(reading, Reading), reading
    return reading.equations


def combined(text: str, target: str, known: str) -> Combined:
    found = combine(equations(text), target, known.split())
    assert isinstance(found, Combined), found
    return found


def refused(text: str, target: str, known: str) -> Failure:
    found = combine(equations(text), target, known.split())
    assert isinstance(found, Failure), found
    return found


def text_of(equation: Equation) -> str:
    return f"{python_text(equation.left)} = {python_text(equation.right)}"


def value_of(expression: Expression, **values: float) -> float:
    found = compile_expression(expression, list(values))(*values.values())
    assert isinstance(found, float), found
    return found


ATWOOD = "m_1*g - T = m_1*a\nT - m_2*g = m_2*a"
SLOPE = "N = m*g*cos(theta)\nf = mu*N\nm*g*sin(theta) - f = m*a"
LENSES = "1/f_1 = 1/a_1 + 1/b_1\na_2 = d - b_1\n1/f_2 = 1/a_2 + 1/b_2"
CIRCUIT = "I_1 = I_2 + I_3\nU_1 = R_1*I_1 + R_2*I_2\nR_2*I_2 = R_3*I_3 + U_2"


@pytest.mark.parametrize(
    ("text", "target", "known", "expected"),
    [
        (ATWOOD, "a", "m_1 m_2 g", "a = g*(m_1 - m_2)/(m_1 + m_2)"),
        (ATWOOD, "T", "m_1 m_2 g", "T = 2*m_2*g*m_1/(m_1 + m_2)"),
        ("x_1 = v_1*t\nx_2 = d - v_2*t\nx_1 = x_2", "t", "v_1 v_2 d", "t = d/(v_1 + v_2)"),
        ("x_1 = v_1*t\nx_2 = d - v_2*t\nx_1 = x_2", "x_1", "v_1 v_2 d", "x_1 = d*v_1/(v_1 + v_2)"),
        ("p = m*v\nE = m*v**2/2", "m", "p E", "m = p**2/(2*E)"),
        ("T**2 = 4*pi**2*r**3/(G*M)\nv = 2*pi*r/T", "r", "v G M", "r = G*M/v**2"),
    ],
)
def test_textbook_systems_come_out_as_in_the_textbook(text: str, target: str, known: str, expected: str) -> None:
    found = combined(text, target, known)
    assert text_of(found.equation) == expected
    assert found.others == ()
    assert found.cancelled == ()


def test_the_range_of_a_throw_has_no_time_in_it_and_no_throw_of_length_zero() -> None:
    found = combined("0 = v*sin(theta)*t - g*t**2/2\nR = v*cos(theta)*t", "R", "v theta g")
    assert found.eliminated == ("t",)
    assert found.others == ()
    expected = 20**2 * math.sin(2 * 0.6) / 9.81
    assert value_of(found.equation.right, v=20, theta=0.6, g=9.81) == pytest.approx(expected)


def test_two_lenses_in_a_row() -> None:
    found = combined(LENSES, "b_2", "f_1 a_1 d f_2")
    first = 1 / (1 / 0.1 - 1 / 0.15)
    second = 1 / (1 / 0.2 - 1 / (0.9 - first))
    assert value_of(found.equation.right, f_1=0.1, a_1=0.15, d=0.9, f_2=0.2) == pytest.approx(second)


@pytest.mark.parametrize("target", ["I_1", "I_2", "I_3"])
def test_a_circuit_of_two_loops(target: str) -> None:
    found = combined(CIRCUIT, target, "U_1 U_2 R_1 R_2 R_3")
    values = {"U_1": 12.0, "U_2": 5.0, "R_1": 3.0, "R_2": 4.0, "R_3": 7.0}
    third = (12.0 * 4.0 - 3.0 * 5.0 - 5.0 * 4.0) / (3.0 * 11.0 + 28.0)
    second = (7.0 * third + 5.0) / 4.0
    expected = {"I_1": second + third, "I_2": second, "I_3": third}[target]
    value = value_of(found.equation.right, **values)
    assert value == pytest.approx(expected)
    assert found.used == (0, 1, 2)
    assert holds_at(equations(CIRCUIT), found.branches[0], {**values, target: value})
    assert not holds_at(equations(CIRCUIT), found.branches[0], {**values, target: value + 0.01})


def test_what_cancels_is_left_out_and_named() -> None:
    found = combined(SLOPE, "a", "g mu theta")
    assert text_of(found.equation) == "a = g*(sin(theta) - mu*cos(theta))"
    assert found.cancelled == ("m",)
    assert set(found.eliminated) == {"N", "f"}
    assert "m" not in equation_symbols(found.unsolved)


def test_unknowns_under_roots_cancel_too() -> None:
    found = combined("v_1 = sqrt(k/m)\nv_2 = sqrt(k/(2*m))\nr = v_2/v_1", "r", "")
    assert value_of(found.equation.right) == pytest.approx(math.sqrt(0.5))
    assert found.cancelled == ("k", "m")


def test_an_unknown_that_does_not_cancel_is_missing() -> None:
    failure = refused("F = m*g*sin(theta)\nF + P = m*a", "a", "g theta P")
    assert failure.code == "underdetermined"
    assert failure.message == "a, F and m are not determined: one more equation or value is needed"


def test_units_work_out_where_something_cancelled() -> None:
    found = combined("F = m*g - b\nF + b = m*a + m*quantity(2, 'm/s^2')", "a", "g")
    given = Quantity(9.81, read_canonical_unit("m/s^2"))
    result = evaluate_unknown(found.equation, "a", {"g": given})
    assert not isinstance(result, Failure), result
    assert result.value.value == pytest.approx(7.81)
    assert result.value.dimension == given.dimension
    assert set(found.cancelled) == {"m", "b"}


def test_numbers_with_units_come_back_as_they_were() -> None:
    found = combined("F = m*a\nF = k*x + quantity(3, 'kN')", "a", "m k x")
    assert Measure(Number(3), "kN") in walk(found.equation.right)
    values = {"m": 2.0, "k": 100.0, "x": 0.5}
    assert holds_at(equations("F = m*a\nF = k*x + quantity(3, 'kN')"), found.branches[0], {**values, "a": 1525.0})


def test_a_unit_that_is_not_known_is_no_number() -> None:
    wrong = Measure(Number(3), "no such unit")
    rows = [Equation(Symbol("F"), multiply(Symbol("m"), Symbol("a"))), Equation(Symbol("F"), wrong)]
    assert isinstance(combine(rows, "a", ["m"], values={"m": 2.0}), Failure)
    assert isinstance(solve_numerically(rows, "a", {"m": 2.0}), Failure)
    found = combine(rows, "a", ["m"])
    assert isinstance(found, Combined)
    assert not holds_at(rows, found.branches[0], {"m": 2.0, "a": 1.5})


def test_only_what_is_needed_is_used() -> None:
    found = combined("E = m*c**2\nT = 2*pi*r/v\nv = a*b\nF = m*a", "v", "F m b")
    assert found.used == (2, 3)
    assert found.eliminated == ("a",)


def test_all_branches_are_told_the_usual_one_first() -> None:
    found = combined("x**2 + y**2 = 25\nx*y = 12", "x", "")
    assert value_of(found.equation.right) > 0
    assert {value_of(each.right) for each in (found.equation, *found.others)} == {3.0, 4.0, -3.0, -4.0}
    found = combined("v**2 = u**2 + 2*a*s\nK = m*v", "v", "u a s")
    assert found.used == (0,)
    assert len(found.others) == 1


def test_all_four_roots_of_a_square_of_a_square() -> None:
    found = combined("k*y = x*x\ny**2 + c = x**2", "x", "k c")
    values = {value_of(each.right, k=5.0, c=4.0) for each in (found.equation, *found.others)}
    assert sorted(values) == pytest.approx([-math.sqrt(20), -math.sqrt(5), math.sqrt(5), math.sqrt(20)])


def test_with_the_values_of_a_question_only_what_holds_there_is_told() -> None:
    rows = equations("y + x = c\ny = sqrt(k*x)")
    known = {"c": 7.28, "k": -225.6}
    found = combine(rows, "x", known, values=known)
    assert isinstance(found, Combined)
    for branch in found.branches:
        value = value_of(branch.equation.right, **known)
        assert holds_at(rows, branch, {**known, "x": value})
        assert value + math.sqrt(-225.6 * value) == pytest.approx(7.28)
    # No real x has y = sqrt(x) and y = x + 5.
    assert isinstance(combine(equations("y = x + c\ny = sqrt(x)"), "x", ["c"], values={"c": 5.0}), Failure)


def test_zero_is_not_the_answer_where_there_is_another() -> None:
    found = combined("a - b = k*b\nc*a = b*b", "a", "k c")
    assert value_of(found.equation.right, k=2.0, c=3.0) == pytest.approx(27.0)
    assert isinstance(combine(equations("y = k*x**2\nc*y = x*x"), "x", ["k", "c"], use_sympy=False), Failure)


def test_an_elastic_collision_has_one_answer_that_is_not_nothing_happening() -> None:
    text = "m_1*u = m_1*v_1 + m_2*v_2\nm_1*u**2/2 = m_1*v_1**2/2 + m_2*v_2**2/2"
    assert text_of(combined(text, "v_2", "m_1 m_2 u").equation) == "v_2 = 2*m_1*u/(m_2 + m_1)"


def test_where_the_target_cannot_stand_alone_it_stays_on_both_sides() -> None:
    found = combined("x = v*cos(theta)*t\ny = v*sin(theta)*t - g*t**2/2", "theta", "v x g y")
    assert set(equation_symbols(found.equation)) == {"theta", "v", "x", "g", "y"}
    found = combined("y = exp(-x)\ny = x", "x", "")
    assert text_of(found.equation) == "x = exp(-x)"


def test_near_equalities_stay_near() -> None:
    first, second = equations("y = 2*x\nz = y + 1")
    found = combine((Equation(first.left, first.right, "≈"), second), "z", ["x"])
    assert isinstance(found, Combined)
    assert found.equation.relation == "≈"


@pytest.mark.parametrize(
    ("text", "target", "known", "code", "words"),
    [
        ("x + y = 3\n2*x + 2*y = 6", "x", "", "underdetermined", "repeat each other"),
        ("x + y = 3\n2*x + 2*y = 7", "x", "", "underdetermined", "contradict each other"),
        ("x + y = a\nz = 3*x", "z", "a", "underdetermined", "z, x and y are not determined"),
        ("x + y + z = a", "z", "a", "underdetermined", "two more equations or values"),
        ("x = y\ny = z\nz = x", "x", "", "underdetermined", "repeat each other"),
        ("a = b", "x", "b", "no_solution", "x does not occur"),
        ("x - x = y - y", "x", "", "underdetermined", ""),
        ("x = 1/(y - y)\nz = x", "z", "", "", ""),
    ],
)
def test_what_is_not_determined_is_refused(text: str, target: str, known: str, code: str, words: str) -> None:
    failure = refused(text, target, known)
    assert not code or failure.code == code, failure
    assert words in failure.message


# Random linear systems against exact elimination.


def _exact(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for place in range(len(rows)):
        pivot = next((row for row in range(place, len(rows)) if rows[row][place]), None)
        if pivot is None:
            return None
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [value / rows[place][place] for value in rows[place]]
        for row in range(len(rows)):
            if row != place:
                rows[row] = [
                    value - rows[row][place] * other for value, other in zip(rows[row], rows[place], strict=True)
                ]
    return [row[-1] for row in rows]


@pytest.mark.parametrize("seed", range(24))
def test_random_linear_systems(seed: int) -> None:
    chance = random.Random(seed)
    size = 2 + seed % 4
    names = [f"x_{place}" for place in range(size)]
    matrix = [[Fraction(chance.choice((-3, -2, -1, 0, 0, 1, 2, 5))) for _ in names] for _ in names]
    values = [Fraction(chance.randint(-9, 9)) for _ in names]
    rows = [
        Equation(
            add(*(multiply(number(int(each)), Symbol(name)) for each, name in zip(row, names, strict=True) if each)),
            Symbol(f"b_{place}"),
        )
        for place, row in enumerate(matrix)
    ]
    exact = _exact(matrix, values)
    target = names[seed % size]
    found = combine(rows, target, [f"b_{place}" for place in range(size)], use_sympy=False)
    if exact is None or isinstance(found, Failure):
        # A singular system may still determine some of its unknowns; a regular one all of them.
        assert exact is None or target not in {name for row in rows for name in equation_symbols(row)}, found
        return
    given = {f"b_{place}": float(value) for place, value in enumerate(values)}
    value = compile_expression(found.equation.right, list(given))(*given.values())
    assert value == pytest.approx(float(exact[names.index(target)]), abs=1e-9)


# Hostile input.


def _dense(size: int) -> list[Equation]:
    return [
        Equation(
            add(*(multiply(Symbol(f"a_{row}_{place}"), Symbol(f"x_{place}")) for place in range(size))),
            Symbol(f"b_{row}"),
        )
        for row in range(size)
    ]


def _tower(size: int) -> list[Equation]:
    """Each unknown is a sum of powers of the next: put into each other they would have no end."""
    rows = [
        Equation(Symbol(f"x_{place}"), add(*(power(Symbol(f"x_{place + 1}"), Number(each)) for each in range(2, 9))))
        for place in range(size)
    ]
    return [*rows[:-1], Equation(Symbol("x_0"), multiply(Symbol(f"x_{size - 1}"), Symbol("k")))]


@pytest.mark.parametrize(
    "rows",
    [
        _dense(6),
        _tower(6),
        [Equation(power(Symbol("x_0"), Symbol(f"x_{place}")), Symbol(f"x_{place + 1}")) for place in range(6)],
        [
            Equation(multiply(*(Symbol(f"x_{place}") for place in range(6))), add(*(Symbol(f"x_{each}"), ONE)))
            for each in range(6)
        ],
    ],
    ids=["dense", "tower", "powers", "symmetric"],
)
def test_hostile_systems_end_in_time(rows: list[Equation]) -> None:
    known = {name for row in rows for name in equation_symbols(row) if not name.startswith("x_")}
    found = combine(rows, "x_0", known, seconds=3, use_sympy=False)
    assert isinstance(found, Failure | Combined)


def test_a_search_out_of_time_says_so_instead_of_telling_a_part() -> None:
    rows = equations("s = v*t\nv = a*t")
    assert isinstance(combine(rows, "s", ["a", "t"], use_sympy=False), Combined)
    found = combine(rows, "s", ["a", "t"], use_sympy=False, seconds=-1.0)
    assert isinstance(found, Failure)
    assert found.code == "timeout"


def test_the_clock_ends_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = equations("s = v*t\nv = a*t")
    clock = itertools.chain((0.0,), itertools.repeat(100.0))
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    assert isinstance(combine(rows, "s", ["a", "t"], use_sympy=False), Combined)
    assert solve_numerically(rows, "s", {"a": 2.0, "t": 3.0}) == pytest.approx((18.0,))


def test_a_search_by_number_counts_its_steps() -> None:
    found = solve_numerically(equations("s = v*t\nv = a*t"), "s", {"a": 2.0, "t": 3.0}, steps=0)
    assert isinstance(found, Failure)
    assert "0 steps" in found.message


def test_what_is_too_large_is_not_tried() -> None:
    many = [Equation(Symbol(f"x_{place}"), Symbol(f"x_{place + 1}")) for place in range(MOST_EQUATIONS + 1)]
    long = Equation(Symbol("x"), add(*(Symbol(f"y_{place}") for place in range(2000))))
    nested: Expression = Symbol("x")
    for _ in range(200):
        nested = add(ONE, power(nested, Number(2)))
    for rows in (many, [long], [Equation(Symbol("y"), nested)]):
        found = combine(rows, "x" if rows is not many else "x_0", [])
        assert isinstance(found, Failure)
        assert found.code == "too_large"
    assert isinstance(combine([], "x", []), Failure)


def test_the_index_of_a_sum_is_no_quantity() -> None:
    total = Series("sum", "k", ONE, Number(3), multiply(Symbol("x"), Symbol("k")))
    rows = [Equation(Symbol("y"), total), Equation(Symbol("x"), multiply(Symbol("k"), Symbol("z")))]
    found = combine(rows, "y", ["k", "z"])
    assert isinstance(found, Failure)
    assert "index" in found.message


# By number, where algebra has no way.


def test_numbers_find_what_algebra_finds() -> None:
    found = solve_numerically(equations(CIRCUIT), "I_3", {"U_1": 12, "U_2": 5, "R_1": 3, "R_2": 4, "R_3": 7})
    assert found == pytest.approx(((12.0 * 4.0 - 3.0 * 5.0 - 5.0 * 4.0) / (3.0 * 11.0 + 28.0),))
    found = solve_numerically(equations("x**2 + y**2 = 25\nx*y = 12"), "x", {})
    assert found == pytest.approx((-4.0, -3.0, 3.0, 4.0))


def test_two_equations_that_cannot_be_put_into_each_other() -> None:
    text = "x*exp(y) + y*exp(x) = a\nx**3*y + x*y**5 = b"
    values = {"a": 1.2 * math.exp(0.7) + 0.7 * math.exp(1.2), "b": 1.2**3 * 0.7 + 1.2 * 0.7**5}
    assert isinstance(combine(equations(text), "x", ["a", "b"], use_sympy=False), Failure)
    found = solve_numerically(equations(text), "x", values)
    assert not isinstance(found, Failure)
    assert any(each == pytest.approx(1.2) for each in found)


def test_unknowns_of_very_different_size() -> None:
    text = "F = G*M*m/r**2\nF = m*v**2/r\nT = 2*pi*r/v"
    values = {"G": 6.674e-11, "M": 5.97e24, "m": 900.0, "T": 86164.0}
    found = solve_numerically(equations(text), "r", values)
    assert not isinstance(found, Failure), found
    expected = (6.674e-11 * 5.97e24 * 86164.0**2 / (4 * math.pi**2)) ** (1 / 3)
    assert any(each == pytest.approx(expected) for each in found)


@pytest.mark.parametrize(
    ("text", "known", "code"),
    [
        ("x + y = 3\n2*x + 2*y = 7", {}, "no_solution"),
        ("x + y = 3\n2*x + 2*y = 6", {}, "no_solution"),
        ("x = y\ny = z\nz = x", {}, "no_solution"),
        ("x*y = 1\nx*y = 1.001", {}, "no_solution"),
        ("1/x = exp(-y)\n1/x = 2*exp(-y)", {}, "no_solution"),
        ("x + y = a", {"a": 1.0}, "underdetermined"),
        ("x**2 + y**2 = -1\nx = y", {}, "no_solution"),
        ("x = a*y\ny = 2", {"a": math.inf}, "bad_value"),
        ("y = 2", {}, "no_solution"),
    ],
)
def test_numbers_refuse_what_has_no_solution(text: str, known: dict[str, float], code: str) -> None:
    found = solve_numerically(equations(text), "x", known)
    assert isinstance(found, Failure), found
    assert found.code == code


@pytest.mark.parametrize("rows", [_dense(6), _tower(6)], ids=["dense", "tower"])
def test_numbers_end(rows: list[Equation]) -> None:
    chance = random.Random(3)
    names = {name: None for row in rows for name in equation_symbols(row) if not name.startswith("x_")}
    known = {name: chance.uniform(0.5, 2.0) for name in names}
    solve_numerically(rows, "x_0", known)
