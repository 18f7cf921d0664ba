"""Put one input through its reader and everything behind it, and say what it broke. Shared with tools/fuzz.py."""

from __future__ import annotations

import contextlib
import io
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, TypeVar

from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.equality import same_equation
from mathrag.compute.evaluate import Failure, compile_expression, evaluate, evaluate_quantity
from mathrag.compute.latex import read_latex
from mathrag.compute.mathml import read_mathml
from mathrag.compute.printers.latex import latex_text
from mathrag.compute.printers.mathml import mathml_text
from mathrag.compute.printers.pythontext import python_equation, python_text
from mathrag.compute.pythontext import read_python_text
from mathrag.compute.solve import solve, solve_numeric
from mathrag.errors import ExpressionLimitError, UnitError
from mathrag.knowledge.units import read_canonical_unit, read_unit, unit_readings
from mathrag.language.quantities import find_quantities
from mathrag.types.expression import Declined, Equation, Expression, Reading, equation_symbols, symbols_of
from mathrag.types.quantity import NO_UNIT, Dimension, Quantity

# Processor time, so that a busy machine does not fail the test.
SECONDS = 30.0
_LONGEST_REASON = 600
# What a person should never see in a sentence: names of our classes, of Python's, addresses, object dumps.
_INSIDES = re.compile(
    r"Traceback|\b[A-Z]\w*(?:Error|Exception)\b|NoneType|object at 0x|<class|mathrag\.|\b[A-Z]\w+\(\w+=|\bself\b"
)
_LENGTH = Dimension.of({"length": 1})
Result = TypeVar("Result")


class TooSlowError(BaseException):
    """Beyond patience; not an `Exception`, so that nobody swallows it on the way out."""


@dataclass(slots=True)
class Report:
    """What happened to one input. `complaints` is empty when all is well."""

    outcome: str = "none"
    reason: str = ""
    complaints: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")


def _alarm(_: int, __: FrameType | None) -> None:
    raise TooSlowError


@contextlib.contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Interrupt the block after so much processor time."""
    before = signal.signal(signal.SIGPROF, _alarm)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


class Probe:
    """One input on its way through the stages; a stage that breaks does not keep the others from running."""

    def __init__(self, *, solving: bool = True, sympy: bool = False) -> None:
        self.report = Report()
        self.solving = solving
        self.sympy = sympy

    def stage(
        self, name: str, action: Callable[[], Result], allowed: tuple[type[Exception], ...] = ()
    ) -> Result | None:
        """Run one step; only `allowed` may be raised, and only with a sentence."""
        start = time.process_time()
        try:
            with patience(SECONDS * 2):
                result = action()
        except allowed as error:
            self.sentence(name, str(error))
            result = None
        except TooSlowError:
            self.report.complaints.append(f"{name}: still running after {SECONDS * 2:g} s")
            return None
        except (MemoryError, RecursionError, Exception) as error:
            self.report.complaints.append(f"{name}: {type(error).__name__}: {str(error)[:200]}{_place(error)}")
            return None
        spent = time.process_time() - start
        self.report.slowest = max(self.report.slowest, (spent, name))
        if spent > SECONDS:
            self.report.complaints.append(f"{name}: {spent:.1f} s")
        return result

    def sentence(self, name: str, text: str) -> None:
        """A reason must be one a person can read."""
        wrong = sentence_fault(text)
        if wrong:
            self.report.complaints.append(f"{name}: {wrong}: {text[:120]!r}")

    # -- formulas

    def formula(self, reader: Callable[[str], Reading | Declined], text: str) -> Report:
        """Read, then print, evaluate, check and solve what was read."""
        reading = self.stage("read", lambda: reader(text))
        if isinstance(reading, Declined):
            self.report.outcome, self.report.reason = "declined", reading.reason
            self.sentence("declined", reading.reason)
            if not re.fullmatch("[a-z_]+", reading.code):
                self.report.complaints.append(f"declined with the code {reading.code!r}")
            self.place(text, reading.position)
        elif isinstance(reading, Reading):
            self.report.outcome = "read"
            for flag in reading.flags:
                self.sentence("flag", flag.message)
                self.place(text, flag.position)
            self.understood(reading)
        elif not self.report.complaints:
            self.report.complaints.append(f"read: {type(reading).__name__} instead of a reading")
        return self.report

    def place(self, text: str, position: int | None) -> None:
        """A place is none, or within the text."""
        if position is not None and not 0 <= position <= len(text):
            self.report.complaints.append(f"the place {position} is outside the text of {len(text)} characters")

    def understood(self, reading: Reading) -> None:
        """Everything that may be done with a reading."""
        if bool(reading.equations) == (reading.expression is not None):
            self.report.complaints.append("a reading has equations or one expression, not both or neither")
        for equation in reading.equations[:3]:
            self.symbols(equation_symbols(equation))
            self.stage("print LaTeX", lambda each=equation: latex_text(each), (ExpressionLimitError,))
            self.stage("print MathML", lambda each=equation: mathml_text(each), (ExpressionLimitError,))
            self.stage("print text", lambda each=equation: python_equation(each, units=True), (ExpressionLimitError,))
            self.values(equation.left)
            self.values(equation.right)
            self.equation(equation)
        if reading.expression is not None:
            expression = reading.expression
            self.symbols(symbols_of(expression))
            self.stage("print LaTeX", lambda: latex_text(expression), (ExpressionLimitError,))
            self.stage("print MathML", lambda: mathml_text(expression), (ExpressionLimitError,))
            self.stage("print text", lambda: python_text(expression), (ExpressionLimitError,))
            self.values(expression)

    def symbols(self, names: tuple[str, ...]) -> None:
        """Every name is an ASCII identifier, as the naming convention says."""
        for name in names:
            if not (name.isascii() and name.isidentifier()):
                self.report.complaints.append(f"symbol: {name[:80]!r} is no ASCII identifier")

    def values(self, expression: Expression) -> None:
        """Evaluate in every way there is."""
        names = symbols_of(expression)
        whole = dict.fromkeys(names, 7)
        floats = {name: 2.0 + index / 4 for index, name in enumerate(names)}
        self.failure(self.stage("evaluate whole numbers", lambda: evaluate(expression, whole)))
        self.failure(self.stage("evaluate floats", lambda: evaluate(expression, floats)))
        compiled = self.stage("compile", lambda: compile_expression(expression, names))
        if compiled is not None:
            self.failure(self.stage("evaluate compiled", lambda: compiled(*floats.values())))
        quantities = {name: Quantity(value, NO_UNIT) for name, value in floats.items()}
        self.failure(self.stage("evaluate quantities", lambda: evaluate_quantity(expression, quantities)))
        uncertain = {name: Quantity(value, NO_UNIT, 0.1) for name, value in floats.items()}
        self.failure(self.stage("evaluate uncertain", lambda: evaluate_quantity(expression, uncertain)))

    def failure(self, value: object) -> None:
        """A failure says why."""
        if isinstance(value, Failure):
            self.sentence("failure", value.message)

    def equation(self, equation: Equation) -> None:
        """Dimensions, and a solution for the first symbol."""
        names = equation_symbols(equation)
        known = dict.fromkeys(names[:1], _LENGTH)
        report = self.stage("dimensions", lambda: check_dimensions(equation, known))
        for each in report.disagreements if report is not None else ():
            self.sentence("disagreement", each.message)
        if not names or not self.solving:
            return
        found: Any = self.stage("solve", lambda: solve(equation, names[0], use_sympy=False))
        self.failure(found)
        values = {name: 2.0 + index / 4 for index, name in enumerate(names[1:])}
        self.failure(self.stage("solve numerically", lambda: solve_numeric(equation, names[0], values)))
        self.stage("compare", lambda: same_equation(equation, equation))
        if self.sympy:
            self.failure(self.stage("solve by SymPy", lambda: solve(equation, names[0], seconds=2.0)))

    # -- units and sentences

    def unit(self, text: str) -> Report:
        """Read as one unit, and in all its readings."""
        unit = self.stage("read", lambda: read_unit(text), (UnitError,))
        self.report.outcome = "declined" if unit is None else "read"
        readings = self.stage("readings", lambda: unit_readings(text), (UnitError,))
        if unit is not None and readings is not None:
            self.stage("print", lambda: f"{unit} {unit.dimension}")
            if unit not in readings:
                self.report.complaints.append("the unit is not among its readings")
            if not unit.scale > 0 or unit.scale == float("inf"):
                self.report.complaints.append(f"the unit has the scale {unit.scale}")
            again = self.stage("read again", lambda: read_canonical_unit(unit.text))
            if again is not None and abs(again.scale / unit.scale - 1) > 1e-9:
                self.report.complaints.append(f"{unit.text!r} is read differently again")
        return self.report

    def sentence_of_quantities(self, text: str) -> Report:
        """Find the quantities, and check that they lie where they say."""
        mentions = self.stage("read", lambda: find_quantities(text), (UnitError,))
        self.report.outcome = "declined" if mentions is None else "read"
        end = 0
        for mention in mentions or ():
            if not end <= mention.start < mention.end <= len(text):
                self.report.complaints.append(f"a mention from {mention.start} to {mention.end} is out of order")
            if mention.text != text[mention.start : mention.end]:
                self.report.complaints.append(f"a mention says {mention.text[:80]!r} but stands elsewhere")
            if mention.value - mention.value != 0:
                self.report.complaints.append(f"the value of {mention.text[:80]!r} is {mention.value}")
            if mention.symbol_name and not (mention.symbol_name.isascii() and mention.symbol_name.isidentifier()):
                self.report.complaints.append(f"symbol: {mention.symbol_name[:80]!r} is no ASCII identifier")
            end = mention.end
        return self.report

    # -- commands

    def command(self, arguments: list[str], standard_input: bytes = b"") -> Report:
        """Run the command line here, with streams as strict as a terminal's."""
        from mathrag.cli.main import main

        streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="strict") for _ in range(2)]
        # Python itself escapes what the error stream cannot show.
        streams[1].reconfigure(errors="backslashreplace")
        before = sys.stdin
        sys.stdin = io.TextIOWrapper(io.BytesIO(standard_input), encoding="utf-8", errors="strict")
        try:
            with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
                code = self.stage("command", lambda: main(arguments))
        finally:
            sys.stdin = before
        texts = []
        for stream in streams:
            stream.flush()
            texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
        self.ended(code, *texts)
        return self.report

    def ended(self, code: int | None, output: str, errors: str) -> None:
        """How a command may end: 0, or 1 or 2 with one sentence (and the place) on the error stream."""
        self.report.outcome = "read" if code == 0 else "declined"
        lines = errors.splitlines()
        self.report.reason = lines[0] if lines else ""
        if code not in (0, 1, 2):
            self.report.complaints.append(f"exit code {code}")
        if "Traceback" in output + errors or "something went wrong inside" in errors:
            self.report.complaints.append(f"crashed: {errors[:300]!r}")
        if code and not output:
            if not errors.startswith("mathrag: ") or len(lines) not in (1, 3):
                self.report.complaints.append(f"no single sentence: {errors[:300]!r}")
            self.sentence("error", lines[0] if lines else "")
        if any(ord(character) < 32 and character not in "\n\t" for character in output + errors):
            self.report.complaints.append("control characters reach the terminal")


def sentence_fault(text: str) -> str:
    """What is wrong with a sentence meant for a person; empty when nothing is."""
    if len(text.split()) < 2:
        return "no sentence"
    if len(text) > _LONGEST_REASON:
        return f"a sentence of {len(text)} characters"
    if not text.isprintable():
        return "unprintable characters in a sentence"
    found = _INSIDES.search(text)
    return f"{found.group()!r} in a sentence" if found else ""


def _place(error: BaseException) -> str:
    """Where in the package an exception came from."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if "mathrag" in name and "hostile" not in name:
            place = f" at {name.rpartition('mathrag/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


FORMULA_READERS: dict[str, Callable[[str], Reading | Declined]] = {
    "latex": read_latex,
    "mathml": read_mathml,
    "content": read_mathml,
    "text": read_python_text,
}


def probe(reader: str, text: str, *, solving: bool = True, sympy: bool = False) -> Report:
    """Put a text through a reader by its name and report."""
    run = Probe(solving=solving, sympy=sympy)
    if reader in FORMULA_READERS:
        return run.formula(FORMULA_READERS[reader], text)
    if reader == "unit":
        return run.unit(text)
    if reader == "sentence":
        return run.sentence_of_quantities(text)
    raise ValueError(f"no such reader: {reader}")
