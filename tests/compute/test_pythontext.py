"""Reading and printing Python-like text: what people type, what is declined and where, and hostile input."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.compute.evaluate import Failure, evaluate
from mathrag.compute.printers.pythontext import comparison_text, python_equation, python_text
from mathrag.compute.pythontext import read_python_text
from mathrag.compute.statements import equations_of_chain
from mathrag.knowledge.units import read_unit
from mathrag.types.expression import (
    Call,
    Comparison,
    Declined,
    Equation,
    Expression,
    Measure,
    Negate,
    Number,
    Piecewise,
    Power,
    Reading,
    Series,
    Symbol,
    add,
    call,
    divide,
    multiply,
    symbols_of,
)
from strategies import algebraic_expressions, equations, expressions


def read(text: str, symbols: tuple[str, ...] = ()) -> Reading:
    reading = read_python_text(text, symbols)
    assert isinstance(reading, Reading), reading
    return reading


def printed(text: str, symbols: tuple[str, ...] = ()) -> str:
    reading = read(text, symbols)
    if reading.expression is not None:
        return python_text(reading.expression)
    return "; ".join(python_equation(each) for each in reading.equations)


def flags(text: str, symbols: tuple[str, ...] = ()) -> list[str]:
    return [flag.code for flag in read(text, symbols).flags]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.5*m*v**2", "0.5*m*v**2"),
        ("E = m*c^2", "E = m*c**2"),
        ("E == m*c**2", "E = m*c**2"),
        ("E := m*c**2", "E ≡ m*c**2"),
        ("y ≈ 2*x", "y ≈ 2*x"),
        ("math.sqrt(x) + np.sin(y) - sp.exp(z) + Math.PI", "sqrt(x) + sin(y) - exp(z) + pi"),
        ("ln(x)", "log(x)"),
        ("np.log(x)", "log(x)"),
        ("log(x, 10)", "log10(x)"),
        ("log(x, 2)", "log2(x)"),
        ("log(x, b)", "log(x)/log(b)"),
        ("log10(x)", "log10(x)"),
        ("a · b × c ÷ d − e", "a*b*c/d - e"),
        ("√(x + 1)", "sqrt(x + 1)"),
        ("√2 * π", "sqrt(2)*pi"),
        ("x² + y³", "x**2 + y**3"),
        ("x⁻¹", "x**(-1)"),
        ("½*m*v²", "1/2*m*v**2"),
        ("θ₀ = Δx / λ", "theta_0 = Delta_x/lambda_"),
        ("λ₁ + ΔT + ε_0 + µ", "lambda_1 + Delta_T + epsilon_0 + mu"),
        ("x̄ + ẋ", "x_bar + x_dot"),
        ("lambda*f", "lambda_*f"),
        ("1e-3*x + 1_000", "0.001*x + 1000"),
        ("n! / (n - k)!", "factorial(n)/factorial(n - k)"),
        ("comb(n, k)", "comb(n, k)"),
        ("7**222 % 13", "7**222 % 13"),
        ("a // b", "floor(a/b)"),
        ("-a // b", "floor((-a)/b)"),
        ("pow(a, b)", "a**b"),
        ("pow(a, b, m)", "a**b % m"),
        ("|x - 1|", "abs(x - 1)"),
        ("exp(1)", "exp(1)"),
        ("math.e**x", "exp(1)**x"),
        ("a if x > 0 else b", "(a if x > 0 else b)"),
        ("a if 0 < x < 1 else b if x >= 1 else nan", "(a if 0 < x and x < 1 else b if x >= 1 else nan)"),
        ("sum(k**2 for k in range(1, n + 1))", "sum(k**2 for k in range(1, n + 1))"),
        ("sum(k for k in range(n))", "sum(k for k in range(0, n))"),
        ("prod(k for k in range(1, 6))", "prod(k for k in range(1, 6))"),
        ("a = b = c", "a = b; a = c; b = c"),
        ("y = x; z = 2*x", "y = x; z = 2*x"),
        ("y = x\nz = 2*x\n", "y = x; z = 2*x"),
        ("y = (x\n + 1)", "y = x + 1"),
        ("y = x  # a comment", "y = x"),
        ("y = x, x > 0", "y = x, x > 0"),
        ("y = x if x > 0", "y = x, x > 0"),
        ("y = x for x > 0 and x < 9", "y = x, x > 0 and x < 9"),
        ("y = 1/x; x != 0", "y = 1/x, x != 0"),
        ("hypot(a, b)", "sqrt(a**2 + b**2)"),
        ("cot(x)", "1/tan(x)"),
        ("radians(x)", "x*pi/180"),
        ("2**3**2", "2**(3**2)"),
        ("-x**2", "-x**2"),
        ("-a*b", "-a*b"),
        ("(-a)*b", "(-a)*b"),
        ("a - (b - c)", "a - (b - c)"),
        ("a/b/c", "a/b/c"),
        ("a/(b*c)", "a/(b*c)"),
        ("a*(b/c)", "a*(b/c)"),
        ("2*-3", "2*(-3)"),
        ("gamma*m", "gamma*m"),
        ("gamma(n)", "gamma(n)"),
    ],
)
def test_reads_what_people_type(text: str, expected: str) -> None:
    assert printed(text) == expected


@pytest.mark.parametrize(
    ("text", "expected", "code"),
    [
        ("2m", "2*m", "implicit_product"),
        ("2 m", "2*m", "implicit_product"),
        ("3(x + 1)", "3*(x + 1)", "implicit_product"),
        ("(a)(b)", "a*b", "implicit_product"),
        ("(a + b)c", "(a + b)*c", "implicit_product"),
        ("2m**2", "2*m**2", "implicit_product"),
        ("log(x)", "log(x)", "log_base"),
        ("e**-x", "exp(-x)", "e_base"),
        ("e^(x/2)", "exp(x/2)", "e_base"),
        ("e**2", "(e)**2", "e_base"),
        ("f(x) = x**2", "f = x**2", "function_of"),
        ("K(x + 1)", "K*(x + 1)", "call_or_product"),
        ("gamma(x + 1)", "gamma*(x + 1)", "call_or_product"),
        ("mv", "mv", "joined_name"),
        ("v0", "v_0", "symbol_spelling"),
        ("𝑥 + 1", "x + 1", "look_alike"),
        ("Α + 1", "Alpha + 1", "look_alike"),
        ("y = x, x = 3", "y = x, x == 3", "condition_or_equation"),
    ],
)
def test_flags_what_is_open(text: str, expected: str, code: str) -> None:
    known = ("K", "gamma", "m", "v", "v_0") if code in ("call_or_product", "joined_name", "symbol_spelling") else ()
    assert printed(text, known) == expected
    assert code in flags(text, known)


def test_unflagged_where_nothing_is_open() -> None:
    for text in ("ln(x)", "np.log(x)", "exp(-x)", "m*v", "0.5*m*v**2", "E = m*c^2"):
        assert flags(text) == []


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("m v", "adjacent_names", 2),
        ("1/2m", "ambiguous_division", 3),
        ("x**2y", "ambiguous_power", 4),
        ("x**-2y", "ambiguous_power", 5),
        ("√x²", "ambiguous_root", 2),
        ("y = foo(x)", "unknown_function", 4),
        ("x.real", "attribute", 1),
        ("a[0]", "indexing", 1),
        ("'text'", "string", 0),
        ("lambda x: x", "python_keyword", 0),
        ("import os", "python_keyword", 0),
        ("x += 1", "assignment_operator", 2),
        ("[x for x in y]", "brackets", 0),
        ("max(x for x in range(3))", "comprehension", 6),
        ("sum(x for x in y)", "comprehension", 12),
        ("x__y", "not_a_name", 0),
        ("sin x", "bare_function", 0),
        ("sin**2(x)", "bare_function", 0),
        ("5%", "percent", 1),
        ("(x + 1", "unclosed", 0),
        ("x + 1)", "unopened", 5),
        ("y ∝ x", "proportionality", 2),
        ("A -> B", "arrow", 2),
        ("x = ±2", "plus_minus", 4),
        ("аb + 1", "look_alike", 0),
        ("xа", "look_alike", 1),
        ("ρgh", "joined_letters", 1),
        ("sqrt(1, 2)", "wrong_arguments", 0),
        ("x > 0", "inequality", 0),
        ("y = x > 0", "mixed_relations", 6),
        ("", "empty", 0),
        ("x +", "unexpected", 3),
        ("3 4", "adjacent_values", 2),
        ("0x1F", "bad_number", 0),
        ("a; b = 2", "several_expressions", 0),
        ("x = inf", "not_computable", 4),
        ("diff(x, t)", "not_computable", 0),
        ("f(x=1)", "unknown_function", 0),
        ("30°", "degree", 2),
    ],
)
def test_declines_with_reason_and_place(text: str, code: str, position: int) -> None:
    declined = read_python_text(text)
    assert isinstance(declined, Declined), declined
    assert (declined.code, declined.position) == (code, position), declined
    assert declined.reason


HOSTILE = [
    "__import__('os').system('id')",
    "().__class__.__bases__[0].__subclasses__()",
    "eval('1')",
    "exec('x=1')",
    "open('/etc/passwd').read()",
    "globals()['x']",
    "getattr(x, 'y')",
    "x.__class__",
    "math.__dict__",
    "np.load('a')",
    "sp.sympify('1')",
    "lambda: 0",
    "(lambda x: x)(1)",
    "[].append(1)",
    "{x: 1}",
    "f'{x}'",
    "`id`",
    "$(id)",
    "x; import os",
    "os.system",
    "print(1)",
    "breakpoint()",
    "yield x",
    "await x",
    "raise x",
    "del x",
    "global x",
    "x := (y := 1)",
    "@x",
    "x\x00y",
    "\x00",
    "\u202ex + 1",
    "x\u200by",
    "\ufeffx",
    "ｅｖａｌ(x)",
    "𝐞𝐯𝐚𝐥(x)",
    "раураl",
    "(" * 100_000,
    "(" * 100_000 + "x" + ")" * 100_000,
    "-" * 100_000 + "x",
    "2**" * 30_000 + "2",
    "sin(" * 5_000 + "x" + ")" * 5_000,
    "x+" * 49_999 + "x",
    "x/" * 15_000 + "x",
    "x if x > 0 else " * 5_000 + "x",
    "9" * 90_000,
    "1e999999999",
    "1e-999999999",
    "a" * 90_000,
    "x" * 2_000_000,
    "x = " * 20_000 + "x",
    "x," * 40_000,
    "|" * 50_000,
    "x!" * 30_000,
    "\n" * 99_999,
    "((((((((((",
    "'unclosed",
    '"""',
    "quantity(1, 'm'); DROP TABLE",
    "quantity(1, \"__import__('os')\")",
    "sum(sum(sum(k for k in range(1, 9)) for",
    "\ud800",
    "x\\\ny",
]


@pytest.fixture(scope="module")
def loaded_units() -> None:
    """Loads the unit registry once, which takes longer than any text may."""
    read_unit("m")


@pytest.mark.usefixtures("loaded_units")
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:30]))
def test_hostile_text_is_declined_quickly(text: str) -> None:
    declined = read_python_text(text)
    assert isinstance(declined, Declined), declined
    assert declined.code
    assert declined.reason
    assert declined.position is not None


@pytest.mark.parametrize(
    "text", ["9**9**9**9", "factorial(10**8)", "10**10**10", "sum(k for k in range(1, 10**12))", "2**(10**9) % (10**9)"]
)
def test_towers_are_read_but_never_computed(text: str) -> None:
    tree = read(text).expression
    assert tree is not None
    value = evaluate(tree, {})
    assert isinstance(value, Failure | int)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(expressions)
def test_reading_what_was_printed_gives_the_tree(tree: Expression) -> None:
    assert read(python_text(tree)).expression == tree


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(equations)
def test_equations_too(equation: Equation) -> None:
    if equation.left == equation.right:
        return
    assert read(python_equation(equation)).equations == (equation,)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(algebraic_expressions)
def test_printed_text_means_the_same_to_python(tree: Expression) -> None:
    """The text is ours, printed from a tree of known symbols: the one place where Python's own rules are asked."""
    values = {name: 0.5 + index / 7 for index, name in enumerate(symbols_of(tree))}
    ours = evaluate(tree, values)
    names = {"sqrt": math.sqrt, "exp": math.exp, "log": math.log, "abs": abs, "__builtins__": {}}
    try:
        theirs = eval(python_text(tree), names, values)
    except (ArithmeticError, ValueError):
        assert isinstance(ours, Failure)
        return
    if isinstance(theirs, complex) or isinstance(ours, Failure) or not math.isfinite(theirs):
        return
    assert float(ours) == pytest.approx(float(theirs), rel=1e-6, abs=1e-9)


@settings(max_examples=500, deadline=None)
@given(st.text(alphabet="xyab01.+-*/^()=<>,; %!|√π²θ_e'\"[]{}ifelsornd\n", max_size=40))
def test_any_text_is_read_or_declined(text: str) -> None:
    answer = read_python_text(text, ("a", "b"))
    if isinstance(answer, Declined):
        assert answer.position is None or 0 <= answer.position <= len(text)


# -- the printer


def test_measures_print_with_and_without_units() -> None:
    tree = multiply(Measure(Number(Decimal("8.314")), "J/(mol*K)"), Symbol("T"))
    assert python_text(tree) == "8.314*T"
    assert python_text(tree, units=True) == 'quantity(8.314, "J/(mol*K)")*T'


def test_quantity_is_read() -> None:
    tree = read('quantity(8.314, "J/(mol*K)")*T').expression
    assert tree is not None
    assert read(python_text(tree, units=True)).expression == tree
    declined = read_python_text('quantity(8.314, "flurbs")')
    assert isinstance(declined, Declined)
    assert declined.code == "unknown_unit"


def test_symbol_e_is_set_apart() -> None:
    assert python_text(Power(Symbol("e"), Symbol("x"))) == "(e)**x"
    assert read("(e)**x").expression == Power(Symbol("e"), Symbol("x"))


def test_series_bounds() -> None:
    series = Series("sum", "k", Number(1), Symbol("n"), Symbol("k"))
    assert python_text(series) == "sum(k for k in range(1, n + 1))"
    assert python_text(Series("sum", "k", Number(1), Number(9), Symbol("k"))) == "sum(k for k in range(1, 10))"


def test_piecewise_and_comparison() -> None:
    positive = Comparison(">", Symbol("x"), Number(0))
    tree = Piecewise(((Symbol("a"), (positive,)),))
    assert python_text(tree) == "(a if x > 0 else nan)"
    assert comparison_text(positive) == "x > 0"
    assert read(python_text(tree)).expression == tree


def test_negative_numbers_and_remainders() -> None:
    assert python_text(add(Symbol("a"), Negate(Negate(Symbol("b"))))) == "a - (-b)"
    assert python_text(Negate(call("mod", Symbol("a"), Symbol("b")))) == "-(a % b)"
    assert python_text(divide(Call("mod", (Symbol("a"), Symbol("b"))), Symbol("c"))) == "(a % b)/c"


def test_long_integers_print() -> None:
    assert python_text(Number(10**4_500)) == "1" + "0" * 4_500


# -- chains


def chain(*texts: str, relations: tuple[str, ...] | None = None) -> list[str]:
    members = [read(text).expression for text in texts]
    links = relations or ("=",) * (len(texts) - 1)
    return [python_equation(each) for each in equations_of_chain(members, links)]  # type: ignore[arg-type]


def test_chains() -> None:
    assert chain("a", "b + 1", "c + 2") == ["a = b + 1", "a = c + 2"]
    assert chain("a", "b", "c + 2") == ["a = b", "a = c + 2", "b = c + 2"]
    assert chain("a*x", "b*y", "c*z") == ["a*x = b*y", "a*x = c*z", "b*y = c*z"]
    assert chain("a", "b + 1", "b + 1") == ["a = b + 1"]
    assert chain("a", "b + 1", "2", relations=("≡", "≈")) == ["a ≡ b + 1", "a ≈ 2"]
    assert chain("a", "b + 1", "2", relations=("≡", "=")) == ["a ≡ b + 1", "a = 2"]
    with pytest.raises(ValueError, match="relations"):
        equations_of_chain([Symbol("a")], ["="])
