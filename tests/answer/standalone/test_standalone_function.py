"""A formula exported as a module of its own: it runs without us, gives what we give, and is nothing but a formula."""

from __future__ import annotations

import ast
import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from computed_formulas import formula, planned
from mathrag.answer.standalone import standalone_function
from mathrag.answer.standalone.module import guarded
from mathrag.calculator import understood
from mathrag.errors import EvaluationError, SolveError, UsageError
from mathrag.knowledge.units import read_unit
from mathrag.reason.computing import compute_step
from mathrag.types.answer import Step
from mathrag.types.document import Place
from mathrag.types.expression import Comparison, Equation, Measure, Number, Symbol
from mathrag.types.library import Formula, Span, Validity

GAS = formula(
    r"v = \sqrt{\frac{3 R T}{M}}",
    {
        "v": {"kind": "root_mean_square_speed", "description": "speed of the molecules"},
        "T": "temperature",
        "M": "molar_mass",
        "R": {"unit": "J/(mol K)", "constant": "molar_gas_constant"},
    },
    label="Root-mean-square speed",
)
FALL = formula(r"h = v t + \frac{1}{2} g t^2", {"h": "height", "v": "speed", "t": "time", "g": {"unit": "m/s^2"}})

# formula, target, values as people write them (number, unit), unit of the result
CASES: list[tuple[Formula, str, dict[str, tuple[float, str]], str]] = [
    (GAS, "v", {"T": (26.85, "degC"), "M": (28.0, "g/mol")}, "km/h"),
    (GAS, "T", {"v": (517.0, "m/s"), "M": (28.0, "g/mol")}, "degC"),
    (FALL, "t", {"h": (20.0, "m"), "v": (18.0, "km/h"), "g": (9.8, "m/s^2")}, "ms"),
    (FALL, "v", {"h": (20.0, "m"), "t": (1.0, "s"), "g": (9.8, "m/s^2")}, "m/s"),
    (
        formula(r"Q = m c \Delta T", {"Q": "heat", "m": "mass", "Delta_T": "temperature_difference"}),
        "Q",
        {"m": (500.0, "g"), "c": (4.2, "kJ/(kg*K)"), "Delta_T": (36.0, "degF")},
        "kJ",
    ),
    (
        formula(r"v = 2 \pi r n", {"v": "tangential_speed", "r": "radius", "n": "rotational_frequency"}),
        "n",
        {"v": (31.4, "m/s"), "r": (20.0, "cm")},
        "rpm",
    ),
    (formula(r"\eta = \frac{W}{Q} \times 100", {"eta": "efficiency", "W": "work", "Q": "heat"}), "W",
     {"eta": (25.0, "percent"), "Q": (1.2, "kJ")}, "J"),
    (formula(r"W = F d \cos\theta", {"W": "work", "F": "force", "d": "distance", "theta": "angle"}), "theta",
     {"W": (250.0, "J"), "F": (100.0, "N"), "d": (5.0, "m")}, "deg"),
    (formula(r"\ln k = \ln A - \frac{E}{R T}", {
        "k": {"unit": "1/s"}, "A": {"unit": "1/s"}, "E": {"unit": "J/mol"},
        "R": {"unit": "J/(mol K)", "constant": "molar_gas_constant"}, "T": "temperature",
    }), "k", {"A": (1e13, "1/s"), "E": (80000.0, ""), "T": (300.0, "K")}, "1/s"),
    (formula(r"P = \binom{n}{k} p^k (1 - p)^{n - k}", {"P": "probability", "p": "probability"}), "P",
     {"n": (10, ""), "k": (3, ""), "p": (0.2, "")}, ""),
    (formula(r"S = \sum_{i=1}^{n} i^2", {"n": {"unit": ""}}), "S", {"n": (10, "")}, ""),
    (formula('y = cbrt(x) + quantity(2, "km") * k', {"y": {"unit": "m"}, "x": {"unit": "m^3"}, "k": {"unit": ""}}), "y",
     {"x": (27.0, "m^3"), "k": (0.5, "")}, "m"),
]  # fmt: skip


def ours(item: Formula, target: str, values: dict[str, tuple[float, str]], unit: str) -> float:
    constants = {"R": "8.31446261815324 J/(mol K)"} if "R" in {each.name for each in item.symbols} else {}
    step = planned(item, target, {}, constants=constants)
    bindings = []
    for name, (value, text) in values.items():
        bound = planned(item, target, {name: "1"}).bindings[0]
        chosen = read_unit(text or "J/mol") if text or name == "E" else None
        quantity = replace(bound.quantity, value=value) if bound.quantity is not None else None
        assert quantity is not None
        bindings.append(replace(bound, quantity=quantity if chosen is None else replace(quantity, unit=chosen)))
    found = compute_step(
        replace(step, bindings=(*bindings, *step.bindings)), 1, results={}, unit=read_unit(unit) if unit else None
    )
    assert isinstance(found, Step), found
    return float(found.result.value)


def run(folder: Path, text: str, *, call: str = "") -> subprocess.CompletedProcess[str]:
    """Run a module, isolated from this project; `call` is appended to it."""
    file = folder / "exported.py"
    file.write_text(text + call, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-I", "-W", "error", str(file)], capture_output=True, text=True, timeout=30, check=False
    )


def called(folder: Path, item: Formula, target: str, call: str) -> subprocess.CompletedProcess[str]:
    return run(folder, standalone_function(item, target), call=f"\nprint(repr({call}))\n")


@pytest.mark.parametrize(
    ("item", "target", "values", "unit"), CASES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_an_exported_function_gives_what_we_give(
    item: Formula, target: str, values: dict[str, tuple[float, str]], unit: str, tmp_path: Path
) -> None:
    arguments = ", ".join(f"{name}={value if value[1] else value[0]!r}" for name, value in values.items())
    done = called(tmp_path, item, target, f"compute_{target}({arguments}, unit={unit!r})")
    assert done.returncode == 0, done.stderr
    example, result = done.stdout.splitlines()
    assert "worked example holds" in example
    assert float(result) == pytest.approx(ours(item, target, values, unit), rel=1e-9)


def test_the_text_cites_its_source_and_the_vintage_of_its_constants() -> None:
    text = standalone_function(GAS, "v")
    heading = ast.get_docstring(ast.parse(text))
    assert heading is not None
    assert heading.startswith("Root-mean-square speed: v from T, M.")
    assert "Source:  notes.md, line 3" in heading
    assert r"\sqrt{\frac{3 R T}{M}}" in heading
    assert "# J/(mol*K); gas constant; CODATA" in text
    assert "mathrag" not in text.lower()
    assert {node.names[0].name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import)} == {
        "decimal",
        "fractions",
        "math",
    }


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ('compute_v("300 m", 0.028)', "T cannot be given in 'm'"),
        ('compute_v(300, "28 g")', "M cannot be given in 'g'"),
        ("compute_v(300, 0)", "division by zero"),
        ("compute_v(-300, 0.028)", "no real value of v"),
        ("compute_v(float('nan'), 0.028)", "not a finite number"),
        ("compute_v(True, 0.028)", "needs a number"),
        ("compute_v('hot', 0.028)", "needs a number"),
        ("compute_v((1, 2, 3), 0.028)", "needs a number and a unit"),
        ("compute_v(300, 0.028, unit='kg')", "cannot be given in 'kg'"),
        ("compute_v(1e308, 1e-308)", "too large"),
        ("compute_v(10**400, 1)", "needs a number"),
    ],
)
def test_an_exported_function_checks_what_it_gets(call: str, words: str, tmp_path: Path) -> None:
    done = called(tmp_path, GAS, "v", call)
    assert done.returncode == 1
    assert words in done.stderr.splitlines()[-1]


def test_a_condition_of_validity_becomes_a_warning(tmp_path: Path) -> None:
    condition = Validity("T > 0", (Comparison(">", Symbol("T"), Symbol("M")),))
    hot = formula("y = T / M", conditions=(condition,))
    done = called(tmp_path, hot, "y", "compute_y(1, 2)")
    assert "UserWarning: the formula holds for T > M" in done.stderr


def test_what_has_no_closed_form_is_refused() -> None:
    with pytest.raises(SolveError, match="no closed form for E"):
        standalone_function(formula(r"M = E - \epsilon \sin E"), "E")
    with pytest.raises(UsageError, match="does not occur"):
        standalone_function(GAS, "x")
    with pytest.raises(UsageError, match="cannot be computed"):
        standalone_function(replace(GAS, status="declined", equation=None), "v")


HOSTILE = [
    '"""; import os; os.system("echo pwned"); """',
    "'''\nimport os\n'''",
    "\\",
    '\\"""\nprint("pwned")\n"""',
    'x\nprint("pwned")',
    'x\r\nprint("pwned")',
    "x\x0cprint('pwned')",
    "x\u2028print('pwned')\u2029",
    "\N{RIGHT-TO-LEFT OVERRIDE}pwned",
    "{function} {0} {__import__('os')} %s",
    "\x00\x1a\ud800",
    "é" * 5000,
    '"' * 7,
    "\\N{DIGIT ONE}\\x41\\u0041",
]


def hostile(words: str) -> Formula:
    """A formula with these words wherever words can stand."""
    symbols = tuple(replace(each, description=words, letter=words) for each in GAS.symbols)
    span = Span(words, Place(line=1, path=words, file=words), words, (words,))
    condition = Validity(words, (Comparison(">", Symbol("T"), Measure(Number(1), "K")),))
    return replace(
        GAS, label=words, description=words, latex=words, symbols=symbols, spans=(span,), conditions=(condition,)
    )


def structure(text: str) -> list[str]:
    """The module without its words: what it defines and calls."""
    return [type(node).__name__ for node in ast.walk(ast.parse(text)) if not isinstance(node, ast.Constant)]


@pytest.mark.parametrize("words", HOSTILE, ids=range(len(HOSTILE)))
def test_words_of_a_document_stay_words(words: str, tmp_path: Path) -> None:
    text = standalone_function(hostile(words), "v")
    assert structure(text) == structure(standalone_function(hostile("harmless"), "v"))
    done = run(tmp_path, text)
    assert done.returncode == 0, done.stderr
    assert "pwned" not in done.stdout


@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.text(max_size=60) | st.text(alphabet="\"'\\\n\r#{};()", max_size=20))
def test_no_words_change_the_program(words: str) -> None:
    assert structure(standalone_function(hostile(words), "v")) == structure(
        standalone_function(hostile("harmless"), "v")
    )


@pytest.mark.parametrize(
    "name", ["math", "unit", "print", "lambda_", "UNITS", "compute_y", "index_2", "ｍath", "value", "match"]
)
def test_names_of_symbols_collide_with_nothing(name: str, tmp_path: Path) -> None:
    equation = Equation(Symbol("y"), understood("2 * x", notation="text").expression or Symbol("x"))
    item = Formula("f", "f", "", "", "executable", (), equation=replace(equation, right=Symbol(name)))
    done = run(tmp_path, standalone_function(item, "y"))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "import os",
        "from os import system",
        "import math as os",
        "eval('1')",
        "(lambda: 1)()",
        "math.__dict__",
        "x = [].__class__",
        "class A: pass",
        "getattr(math, 'x')",
        "def f(:",
        "open('/etc/passwd')",
        "f()()",
    ],
)
def test_the_guard_lets_nothing_else_through(text: str) -> None:
    with pytest.raises(EvaluationError):
        guarded(text)


def test_units_of_the_table_are_worth_what_ours_are(tmp_path: Path) -> None:
    done = run(
        tmp_path, standalone_function(GAS, "v"), call="\nimport json\nprint(json.dumps([UNITS, RESULT_UNITS]))\n"
    )
    tables: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    for table in (tables[0]["T"], tables[0]["M"], tables[1]):
        for text, (scale, offset) in table.items():
            unit = read_unit(text)
            assert (scale, offset) == (unit.scale, unit.offset)
    assert set(tables[0]["T"]) >= {"K", "degC", "°C", "degF"}


# Every function at places where it is easy and where digits cancel: what floats give there, or fifty digits do.
FUNCTIONS = [
    ("y = sin(x)", 2.5, math.sin(2.5)),
    ("y = sin(x)", 1e6, math.sin(1e6)),
    ("y = cos(x)", 1.0, math.cos(1.0)),
    ("y = tan(x)", -0.7, math.tan(-0.7)),
    ("y = asin(x)", 0.3, math.asin(0.3)),
    ("y = asin(x)", 1.0, math.pi / 2),
    ("y = acos(x)", -0.999, math.acos(-0.999)),
    ("y = atan(x)", 40.0, math.atan(40.0)),
    ("y = atan2(x, 0 - 3)", 2.0, math.atan2(2.0, -3.0)),
    ("y = sinh(x)", 1e-12, 1e-12),
    ("y = cosh(x) - 1", 1e-9, 5e-19),
    ("y = tanh(x)", 0.5, math.tanh(0.5)),
    ("y = asinh(x)", -2.0, math.asinh(-2.0)),
    ("y = acosh(x)", 3.0, math.acosh(3.0)),
    ("y = atanh(x)", 0.25, math.atanh(0.25)),
    ("y = exp(x) - 1", 1e-17, 1e-17),
    ("y = ln(x)", 7.0, math.log(7.0)),
    ("y = log10(x)", 1000.0, 3.0),
    ("y = log2(x)", 8.0, 3.0),
    ("y = erf(x)", 0.8, math.erf(0.8)),
    ("y = erfc(x)", 6.0, math.erfc(6.0)),
    ("y = gamma(x)", 4.5, math.gamma(4.5)),
    ("y = floor(x/0.2)", 0.6, 3.0),
    ("y = ceil(x)", 2.1, 3.0),
    ("y = cbrt(x)", -27.0, -3.0),
    ("y = abs(x)", -4.0, 4.0),
    ("y = x**2 - x**2 + x*0", 3.0, 0.0),
    ("y = (1 + x)**3 - 1", 1e-20, 3e-20),
]


@pytest.mark.parametrize(("text", "x", "right"), FUNCTIONS)
def test_every_function_keeps_its_digits(text: str, x: float, right: float, tmp_path: Path) -> None:
    done = called(tmp_path, formula(text, {"x": {"unit": ""}, "y": {"unit": ""}}), "y", f"compute_y({x!r})")
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.splitlines()[-1]) == pytest.approx(right, rel=1e-12, abs=0.0)


@pytest.mark.parametrize(
    ("text", "x", "words"),
    [
        ("y = exp(0 - x)", 3000.0, "too small"),
        ("y = x**3", 1e200, "too large"),
        ("y = x/1e200", 1e-200, "too small"),
        ("y = x - 0.1", 0.10000000000000002, "digits of the result cancel"),
        ("y = 1/(x - 2)", 2.0, "division by zero"),
        ("y = log(x)", -2.0, "no real value"),
    ],
)
def test_a_number_that_is_not_there_is_an_error(text: str, x: float, words: str, tmp_path: Path) -> None:
    done = called(tmp_path, formula(text, {"x": {"unit": ""}, "y": {"unit": ""}}), "y", f"compute_y({x!r})")
    assert done.returncode == 1
    assert words in done.stderr.splitlines()[-1]


def test_a_quarter_turn_has_a_cosine_of_zero_and_no_tangent(tmp_path: Path) -> None:
    work = formula(r"W = F s \cos\theta", {"W": "work", "F": "force", "s": "distance", "theta": "angle"})
    assert called(tmp_path, work, "W", "compute_W(40, 3, '90 deg')").stdout.splitlines()[-1] == "0.0"
    rise = formula(r"h = s \tan\theta", {"h": "height", "s": "distance", "theta": "angle"})
    done = called(tmp_path, rise, "h", "compute_h(3, '90 deg')")
    assert done.returncode == 1
    assert "digits" in done.stderr


def test_what_only_floats_can_do_is_told() -> None:
    text = standalone_function(formula("y = gamma(x)", {"x": {"unit": ""}}), "y")
    assert "Limit: the gamma function" in (ast.get_docstring(ast.parse(text)) or "")
