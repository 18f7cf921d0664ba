"""Formulas whose digits cancel, or whose numbers leave the range of floats, by every door that leads to a number.

One formula goes through `formula eval`, a computation with the library (which the API and the tools for assistants
use), a curve, a question with its record replayed, and the Python function that is written for it. The right numbers
are from series, from forms without cancellation, or by hand.
"""

from __future__ import annotations

import atexit
import json
import math
import runpy
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from mathrag.answer.replay import replay, save_replay
from mathrag.calculator import evaluate_formula, read_value, understood
from mathrag.errors import MathragError
from mathrag.library import Library
from mathrag.library.ask.outcomes import tool_source
from mathrag.types.answer import Answer
from trust.asked import ask
from trust.attempts import HELD, Attempt, Result

TITLE = "cancellation, underflow and overflow"
_CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Case:
    """A formula with values; `right` is the number, None where there is none that a float could hold."""

    name: str
    latex: str
    target: str
    values: Mapping[str, str]
    right: float | None
    symbols: str = ""


CASES = (
    Case("slow-train", r"E = \left(\frac{1}{\sqrt{1 - \frac{v^2}{c^2}}} - 1\right) m c^2", "E",
         {"v": "2 m/s", "m": "6 kg", "c": "299792458 m/s"}, 12.0,
         "the energy $E$ (in J), the speed $v$ (in m/s), the mass $m$ (in kg) and the limit $c$ (in m/s)"),
    Case("sagitta", r"h = R - \sqrt{R^2 - s^2}", "h", {"R": "6371000 m", "s": "0.5 m"}, 1.9620153824e-08,
         "the rise $h$ (in m), the radius $R$ (in m) and the half chord $s$ (in m)"),
    Case("small-root", r"x = \frac{-b + \sqrt{b^2 - 4 a k}}{2 a}", "x", {"a": "1", "b": "2e9", "k": "6"}, -3e-9,
         "the root $x$ (a pure number), $a$, $b$ and $k$ (pure numbers)"),
    Case("shell", r"V = \frac{4}{3} \pi \left((r + d)^3 - r^3\right)", "V", {"r": "1000 m", "d": "1e-12 m"},
         4 * math.pi * 1e6 * 1e-12, "the volume $V$ (in m^3), the radius $r$ (in m) and the thickness $d$ (in m)"),
    Case("growth", r"G = B \left(e^{k t} - 1\right)", "G", {"B": "50 m", "k": "1e-12 1/s", "t": "4 s"}, 2e-10,
         "the growth $G$ (in m), the start $B$ (in m), the rate $k$ (in 1/s) and the time $t$ (in s)"),
    Case("upright", r"y = x \tan\theta", "y", {"x": "2 m", "theta": "90 deg"}, None,
         r"the height $y$ (in m), the distance $x$ (in m) and the angle $\theta$ (in rad)"),
    Case("decay", r"A = A_0 e^{-k t}", "A", {"A_0": "5 kg", "k": "3 1/s", "t": "900 s"}, None,
         "the amount $A$ (in kg), the first amount $A_0$ (in kg), the rate $k$ (in 1/s) and the time $t$ (in s)"),
    Case("tiny-product", r"p = a b k", "p", {"a": "1e-200", "b": "1e-200", "k": "1e300"}, 1e-100,
         "the product $p$ (a pure number) of $a$, $b$ and $k$ (pure numbers)"),
    Case("tiny-quotient", r"q = \frac{a}{b}", "q", {"a": "1e-200", "b": "1e200"}, None,
         "the quotient $q$ (a pure number) of $a$ and $b$ (pure numbers)"),
    Case("tiny-square", r"s = a^2 b", "s", {"a": "1e-180", "b": "1e70"}, 1e-290,
         "the product $s$ (a pure number) of $a$ and $b$ (pure numbers)"),
    Case("huge-square", r"s = \frac{a^2}{b}", "s", {"a": "1e180", "b": "1e100"}, 1e260,
         "the quotient $s$ (a pure number) of $a$ and $b$ (pure numbers)"),
    Case("huge", r"s = a^3", "s", {"a": "1e180"}, None, "the cube $s$ (a pure number) of $a$ (a pure number)"),
    Case("near-twins", r"d = \frac{a - b}{a b}", "d", {"a": "1e8 m", "b": "99999999.999999 m"}, 1e-22,
         "the difference $d$ (in 1/m) of $a$ (in m) and $b$ (in m)"),
    Case("settled", r"U = U_0 \left(1 - e^{-k t}\right)", "U", {"U_0": "8 V", "k": "9 1/s", "t": "2000 s"}, 8.0,
         "the voltage $U$ (in V), the last voltage $U_0$ (in V), the rate $k$ (in 1/s) and the time $t$ (in s)"),
    # Ordinary ones, which must go on as before.
    Case("ordinary-area", r"A = \pi r^2", "A", {"r": "3 cm"}, math.pi * 9e-4,
         "the area $A$ (in m^2) and the radius $r$ (in m)"),
    Case("ordinary-sum", r"s = v t + \frac{1}{2} a t^2", "s", {"v": "3 m/s", "t": "4 s", "a": "2 m/s^2"}, 28.0,
         "the way $s$ (in m), the speed $v$ (in m/s), the time $t$ (in s) and the acceleration $a$ (in m/s^2)"),
    Case("ordinary-zero", r"d = a - b", "d", {"a": "5 m", "b": "500 cm"}, 0.0,
         "the difference $d$ (in m) of $a$ (in m) and $b$ (in m)"),
    Case("ordinary-angle", r"F_x = F \cos\alpha", "F_x", {"F": "7 N", "alpha": "60 deg"}, 3.5,
         r"the part $F_x$ (in N), the force $F$ (in N) and the angle $\alpha$ (in rad)"),
)  # fmt: skip

# Questions that need no formula: what is right, None where no number can be given.
ARITHMETIC: tuple[tuple[str, float | None], ...] = (
    ("What is sqrt(1+4e-20)-1?", 2e-20),
    ("What is 1 - cos(2e-9)?", 2e-18),
    ("What is (1e16 + 1) - 1e16?", 1.0),
    ("What is exp(1e-15) - 1?", 1.0000000000000005e-15),
    ("What is ln(1 + 1e-18)?", 1e-18),
    ("What is exp(-2000)?", None),
    ("What is tan(90 degrees)?", None),
    ("What is sin(180 degrees)?", 0.0),
    ("What is 3e-200 * 2e-200 * 1e300?", 6e-100),
    ("What is sqrt(2)^2 - 2?", 0.0),
    ("What is 2 + 3?", 5.0),
    ("What is sqrt(2)?", math.sqrt(2)),
    ("What is sin(30 degrees)?", 0.5),
    ("What is exp(2)?", math.exp(2)),
)  # fmt: skip

# Equations solved for a symbol inside: the wanted root must be among the solutions.
ROOTS: tuple[tuple[str, str, dict[str, str], float], ...] = (
    ("a x^2 + b x + k = 0", "x", {"a": "1", "b": "3e9", "k": "6"}, -2e-9),
    ("a x^2 - b x + k = 0", "x", {"a": "2", "b": "1e10", "k": "4"}, 4e-10),
    (r"y = v t - \frac{1}{2} g t^2", "t", {"y": "1e-12 m", "v": "1e3 m/s", "g": "9.81 m/s^2"}, 1e-15),
    (r"x + e^{x} = 1 + k", "x", {"k": "2e-14"}, 1e-14),
    (r"x - \sin x = k", "x", {"k": "1e-18"}, (6e-18) ** (1 / 3)),
)


@cache
def _library() -> Library:
    folder = Path(tempfile.mkdtemp(prefix="mathrag-cancellation-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    lines = ["# Formulas to try\n"]
    for case in CASES:
        lines += [f"## {_label(case)}\n", f"$$ {case.latex} $$\n", f"with {case.symbols}.\n"]
    page = folder / "formulas.md"
    page.write_text("\n".join(lines), encoding="utf-8")
    library = Library(folder / "library")
    atexit.register(library.close)
    library.ingest([page], workers=1)
    return library


def _label(case: Case) -> str:
    return f"{case.name.replace('-', ' ').capitalize()} rule"


def _formula(case: Case) -> str:
    return next(one.id for one in _library().formulas() if any(_label(case) in span.headings for span in one.spans))


def _compared(found: float | None, right: float | None) -> Result:
    """A number against the right one. Where there is none, only silence is right; zero is a number, too."""
    if found is None:
        return HELD if right is None else Result("refused", "no number, though there is one")
    if right is None or not math.isclose(found, right, rel_tol=_CLOSE, abs_tol=0.0):
        return Result("broke", f"{found!r} instead of {right!r}")
    return HELD


def _evaluated(case: Case, _folder: Path) -> Result:
    quantities = {name: read_value(text).quantity for name, text in case.values.items()}
    try:
        found = evaluate_formula(understood(case.latex), quantities, symbol=case.target).value
    except MathragError:
        return _compared(None, case.right)
    return _compared(float(found.si_value), case.right)


def _computed(case: Case, _folder: Path) -> Result:
    try:
        found = _library().compute(_formula(case), dict(case.values), solve_for=case.target)
    except MathragError:
        return _compared(None, case.right)
    return _compared(float(read_value(f"{found.value!r} {found.unit}".strip()).quantity.si_value), case.right)


def _curve(case: Case, _folder: Path) -> Result:
    name = next(iter(case.values))
    rest = {other: text for other, text in case.values.items() if other != name}
    start = case.values[name]
    try:
        found = _library().sweep(
            _formula(case), rest, symbol=name, start=start, stop=_doubled(start), points=2, solve_for=case.target
        )
    except MathragError:
        return _compared(None, case.right)
    y = found.y[0]
    return _compared(None if y is None else y * read_value(f"1 {found.unit}".strip()).quantity.si_value, case.right)


def _doubled(text: str) -> str:
    number, space, unit = text.partition(" ")
    return f"{2 * float(number)!r}{space}{unit}"


def _replayed(case: Case, _folder: Path) -> Result:
    """A question, its record, and the record computed anew: both say the same."""
    outcome = _library().ask(f"What is {case.target}?", pinned=dict(case.values), formula=_formula(case))
    if not isinstance(outcome, Answer):
        return _compared(None, case.right)
    asked = _compared(float(outcome.quantity.si_value), case.right)
    if asked.verdict == "broke":
        return asked
    report = replay(save_replay(outcome))
    if report.value is None or report.changes:
        return Result("broke", f"replayed otherwise: {report.changes}")
    return _compared(float(report.value.si_value), case.right)


def _exported(case: Case, folder: Path) -> Result:
    """The Python function for it, run as anyone would."""
    try:
        text = tool_source(_library().formula(_formula(case)), case.target, names={})
    except MathragError as error:
        return Result("refused", f"no function: {error}")
    file = folder / "exported.py"
    file.write_text(text, encoding="utf-8")
    module = runpy.run_path(str(file))
    function = next(value for name, value in module.items() if name.startswith("compute_"))
    arguments = {name: text for name, text in case.values.items() if name in module["UNITS"]}
    try:
        found = function(**arguments)
    except ValueError:
        return _compared(None, case.right)
    unit = next(iter(module["RESULT_UNITS"]))
    scale, offset = module["RESULT_UNITS"][unit]
    return _compared(found * scale + offset, case.right)


def _asked(question: str, right: float | None, _folder: Path) -> Result:
    outcome = ask(question)
    return _compared(float(outcome.quantity.si_value) if isinstance(outcome, Answer) else None, right)


def _root(latex: str, symbol: str, values: Mapping[str, str], right: float, _folder: Path) -> Result:
    quantities = {name: read_value(text).quantity for name, text in values.items()}
    try:
        found = evaluate_formula(understood(latex), quantities, symbol=symbol)
    except MathragError as error:
        return Result("refused", str(error))
    roots = [float(each.si_value) for each in (found.value, *found.others)]
    if any(math.isclose(root, right, rel_tol=_CLOSE) for root in roots):
        return HELD
    return Result("broke", f"{json.dumps(roots)} instead of {right!r}")


_DOORS: tuple[tuple[str, Callable[[Case, Path], Result]], ...] = (
    ("eval", _evaluated),
    ("compute", _computed),
    ("curve", _curve),
    ("replay", _replayed),
    ("export", _exported),
)


def attempts() -> Iterator[Attempt]:
    """Every case by every door; then arithmetic and roots."""
    for case in CASES:
        for door, run in _DOORS:
            yield Attempt(f"{case.name}-{door}", f"{case.latex} with {dict(case.values)}", partial(run, case))
    for number, (question, right) in enumerate(ARITHMETIC, start=1):
        yield Attempt(f"arithmetic-{number}", question, partial(_asked, question, right))
    for number, (latex, symbol, values, root) in enumerate(ROOTS, start=1):
        yield Attempt(f"root-{number}", f"{latex} for {symbol}", partial(_root, latex, symbol, values, root))
