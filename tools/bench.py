"""Speed and memory in a table (`make bench`), compared with the last one committed in docs/reports/bench.md.

Machines are noisy: compare within one run, look at ratios. Every figure is processor time unless it says otherwise.
"""

from __future__ import annotations

import argparse
import platform
import re
import resource
import statistics
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

import bench_asking
import bench_library
import bench_pdf

from mathrag.compute.evaluate import compile_expression
from mathrag.compute.latex import read_latex
from mathrag.compute.mathml import read_mathml
from mathrag.compute.pythontext import read_python_text
from mathrag.compute.solve import solve
from mathrag.compute.solve.sympy_process import start_worker, stop_worker
from mathrag.knowledge.units import read_unit
from mathrag.language.quantities import find_quantities
from mathrag.types.expression import Declined, Equation, Reading, equation_symbols, symbols_of

PROJECT = Path(__file__).resolve().parent.parent
REPORT = PROJECT / "docs" / "reports" / "bench.md"
SENTENCE = (
    "A 1,200 kg car passes the 0.30 km sign at 54 km/h and accelerates steadily at 1.1 m/s² for 12 s while the air is "
    "at 25 °C and 1.01 × 10^5 Pa; how far has it gone?"
)


def golden(name: str) -> list[dict[str, str]]:
    """The entries of a golden file."""
    with (PROJECT / "tests" / "golden" / f"{name}.toml").open("rb") as file:
        return list(next(iter(tomllib.load(file).values())))


def each(action: Callable[[str], object], items: Iterable[str]) -> list[float]:
    """The seconds of processor time that each item takes, best of three."""
    times = []
    for item in items:
        runs = []
        for _ in range(3):
            started = time.process_time_ns()
            action(item)
            runs.append(time.process_time_ns() - started)
        times.append(min(runs) / 1e9)
    return times


def per_call(action: Callable[[], object], *, calls: int = 20_000) -> float:
    """Seconds per call in a tight loop, best of five."""
    best = float("inf")
    for _ in range(5):
        started = time.process_time_ns()
        for _ in range(calls):
            action()
        best = min(best, (time.process_time_ns() - started) / 1e9 / calls)
    return best


def readings() -> list[Reading]:
    """What the golden LaTeX formulas say."""
    found = (read_latex(entry["latex"], entry.get("hint", [])) for entry in golden("formulas"))
    return [reading for reading in found if not isinstance(reading, Declined)]


def evaluations(equations: list[Equation]) -> list[float]:
    """Seconds per evaluation of compiled right sides at ordinary values."""
    times = []
    for equation in equations[:150]:
        names = symbols_of(equation.right)
        compiled = compile_expression(equation.right, names)
        values = [1.25 + 0.25 * index for index in range(len(names))]
        if isinstance(compiled(*values), float):
            times.append(per_call(lambda compiled=compiled, values=values: compiled(*values), calls=2_000))  # type: ignore[misc]
    return times


def solving(equations: list[Equation]) -> list[float]:
    """Wall seconds of solving each equation for each of its symbols, the worker process warm."""
    start_worker()
    times = []
    for equation in equations[:120]:
        for name in equation_symbols(equation):
            started = time.perf_counter()
            solve(equation, name, seconds=2.0)
            times.append(time.perf_counter() - started)
    stop_worker()
    return times


def wall(*arguments: str) -> float:
    """Wall seconds of a command, best of five."""
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-m", "mathrag", *arguments], check=True, capture_output=True)
        best = min(best, time.perf_counter() - started)
    return best


def measure() -> list[tuple[str, float, str, str]]:
    """Name, value, unit and budget of everything measured."""
    latex = [entry["latex"] for entry in golden("formulas")]
    mathml = [entry["mathml"] for entry in golden("formulas") if "mathml" in entry]
    read_latex(r"R = 8.314\,\mathrm{J/(mol\,K)}")  # load the unit registry before measuring
    equations = [equation for reading in readings() for equation in reading.equations]
    in_latex, in_mathml = each(read_latex, latex), each(read_mathml, mathml)
    evaluated, solved = evaluations(equations), solving(equations)
    in_text = each(read_python_text, ["E = 0.5*m*v**2", "P*V = n*R*T", "k = A*exp(-E_a/(R*T))"])
    sentence = per_call(lambda: find_quantities(SENTENCE), calls=100)
    late = sum(seconds > 2.5 for seconds in solved)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [
        ("LaTeX formula read, median", statistics.median(in_latex) * 1e3, "ms", "under 1"),
        ("LaTeX formula read, 99th percentile", statistics.quantiles(in_latex, n=100)[98] * 1e3, "ms", ""),
        ("MathML formula read, median", statistics.median(in_mathml) * 1e3, "ms", "under 1"),
        ("plain text formula read, median", statistics.median(in_text) * 1e3, "ms", "under 1"),
        ("compiled formula evaluated, median", statistics.median(evaluated) * 1e6, "µs", "under 2"),
        ("compiled formula evaluated, slowest", max(evaluated) * 1e6, "µs", ""),
        ("equation solved for a symbol, median (wall)", statistics.median(solved) * 1e3, "ms", ""),
        ("equation solved, 95th percentile (wall)", statistics.quantiles(solved, n=20)[18] * 1e3, "ms", ""),
        ("equation solved, slowest (wall)", max(solved) * 1e3, "ms", "2000, then falls back"),
        ("equations later than 2.5 s", float(late), "of " + str(len(solved)), "0"),
        ("unit text read, cached", per_call(lambda: read_unit("J/(mol K)")) * 1e6, "µs", ""),
        ("quantities found in a 150-character sentence", sentence * 1e3, "ms", ""),
        ("mathrag --help (wall)", wall("--help"), "s", "under 0.3"),
        ("mathrag formula parse (wall)", wall("formula", "parse", "F = m a"), "s", ""),
        ("mathrag formula eval with units (wall)", wall("formula", "eval", "F = m a", "m=2kg", "a=3 m/s^2"), "s", ""),
        ("memory of this benchmark, peak", peak, "MB", ""),
    ]  # fmt: skip


def last_committed() -> dict[str, float]:
    """The figures of the committed table."""
    if not REPORT.exists():
        return {}
    rows = re.findall(r"^\| ([^|]+?) \| ([\d.]+) [^|]*\|", REPORT.read_text(encoding="utf-8"), re.M)
    return {name: float(value) for name, value in rows}


def main() -> None:
    """Measure, print the table with ratios to the last one, write it when asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="replace the committed table by this one")
    options = parser.parse_args()
    before = last_committed()
    rows = []
    measured = (*measure(), *bench_library.measure(), *bench_pdf.measure(), *bench_asking.measure())
    for name, value, unit, budget in measured:
        ratio = f"{value / before[name]:.2f}" if before.get(name) else ""
        rows.append((name, f"{value:.3g} {unit}", budget, ratio))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    if options.write:
        machine = f"{platform.machine()}, Python {platform.python_version()}, {platform.system()}"
        lines = [
            "# Speed",
            "",
            f"Written by `python tools/bench.py --write` on {machine}. Compare ratios, not seconds.",
            "",
        ]
        lines += [
            "| what | measured | budget |",
            "|---|---|---|",
            *(f"| {row[0]} | {row[1]} | {row[2]} |" for row in rows),
            "",
        ]
        REPORT.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
