"""Coverage-guided fuzzing of every reader: mutates real formulas, keeps what reaches new code, reports what breaks.

    python tools/fuzz.py --seconds 600 [--target latex|mathml|text|units|sentence|all] [--seed 1] [--keep FILE]

Needs nothing but the package: the coverage comes from Python's own tracing. Findings are printed as small as they can
be made, and the exit code is 1 if there are any. Each input is checked as in tests/hostile/probe.py, and what was read
must print (as LaTeX and as text) and read back to the same tree.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests")]

import mathrag  # noqa: E402
from hostile.probe import FORMULA_READERS, TooSlowError, patience, probe  # noqa: E402
from mathrag.compute.latex import read_latex  # noqa: E402
from mathrag.compute.printers.latex import latex_text  # noqa: E402
from mathrag.compute.printers.pythontext import python_equation, python_text  # noqa: E402
from mathrag.compute.pythontext import read_python_text  # noqa: E402
from mathrag.errors import MathragError  # noqa: E402
from mathrag.knowledge.units import unit_readings  # noqa: E402
from mathrag.language.quantities import find_quantities  # noqa: E402
from mathrag.types.expression import (  # noqa: E402
    Call,
    Declined,
    Equation,
    Expression,
    Negate,
    Number,
    Reading,
    Series,
    equation_symbols,
    symbols_of,
    walk,
)

PACKAGE = str(Path(mathrag.__file__).parent)
GOLDEN = ROOT / "tests" / "golden"
LONGEST = 400
# Printing and reading again can fail for many reasons that look alike; so many are looked into.
_EXAMPLES = 6
# A code object that showed nothing new for so many calls is no longer traced: tracing is what costs.
_CALLS_BEFORE_RETIRING = 1_500
_TOKENS = {
    "latex": re.compile(r"\\[A-Za-z]+|\\.|[0-9.]+|\s+|."),
    "mathml": re.compile(r"<[^<>]*>|&[^;\s]*;|[^<>&]"),
    "text": re.compile(r"[A-Za-z_]\w*|[0-9.]+|\*\*|[<>=!:]=|\s+|."),
    "units": re.compile(r"\\?[A-Za-zµΩ°Å]+|[0-9]+|\s+|."),
    "sentence": re.compile(r"\w+|\s+|."),
}
_READERS = {"units": "unit"}
_FOLDERS = {
    "latex": ("compute/latex", "compute/grammar"),
    "mathml": ("compute/mathml", "compute/grammar"),
    "text": ("compute/pythontext",),
    "units": ("knowledge/units",),
    "sentence": ("language/quantities", "knowledge/units"),
}
_SPICE = (
    "0", "1", "-1", "999999999", "1e400", "1e-400", ".", ",", "..", "{", "}", "(", ")", "[", "]", "|", "^", "_", "=",
    "'", "²", "½", "μ", "а", "１", "٣", "\0", "\u200b", "\u202e", "\u0301", "\ud800", "\x1b", "\n", " ", "%", "$", "&",
    "#", "~", "!", "\\", "<", ">", "/", "*", '"', "±", "°", "∞", "√", "∑", "-", "−", "×", "·", "e", "i", "d", "π", "Δ",
    "K",
)  # fmt: skip


# -- seeds


def _golden(name: str) -> list[dict[str, Any]]:
    with (GOLDEN / name).open("rb") as file:
        return [entry for entries in tomllib.load(file).values() if isinstance(entries, list) for entry in entries]


def seeds(target: str) -> list[str]:
    """Real inputs of one kind, from the golden tables and the hostile corpus."""
    formulas = [entry for file in GOLDEN.glob("*.toml") for entry in _golden(file.name)]
    fields = {
        "latex": ("latex",),
        "mathml": ("mathml", "content_mathml"),
        "text": ("rhs", "equation", "expression", "python"),
    }.get(target, ())
    found = [str(entry[field]) for entry in formulas for field in fields if field in entry]
    if target == "units":
        found = [entry["text"] for entry in _golden("units.toml") if "text" in entry]
    if target == "sentence":
        found = [entry["text"] for entry in _golden("quantities_in_text.toml") if "text" in entry]
    readers = {"mathml": ("mathml", "content")}.get(target, (_READERS.get(target, target),))
    with (ROOT / "tests" / "hostile" / "corpus.toml").open("rb") as file:
        found += [entry["text"] for entry in tomllib.load(file)["input"] if entry["reader"] in readers]
    return [text for text in dict.fromkeys(found) if 0 < len(text) <= LONGEST * 3]


# -- coverage


class Coverage:
    """Which steps from line to line of the package were ever taken."""

    def __init__(self) -> None:
        self.arcs: set[tuple[CodeType, int, int]] = set()
        self.quiet: dict[CodeType, int] = {}
        self.is_new = False

    def run(self, action: Callable[[], object]) -> bool:
        """Whether the action took a step never taken before. Exceptions of the action pass through."""
        self.is_new = False
        sys.settrace(self._enter)
        try:
            action()
        finally:
            sys.settrace(None)
        return self.is_new

    def _enter(self, frame: FrameType, _event: str, _argument: object) -> Callable[..., Any] | None:
        code = frame.f_code
        calls = self.quiet.get(code, 0)
        if calls > _CALLS_BEFORE_RETIRING or not code.co_filename.startswith(PACKAGE):
            return None
        self.quiet[code] = calls + 1
        previous = 0

        def step(inner: FrameType, event: str, _: object) -> Callable[..., Any]:
            nonlocal previous
            if event == "line":
                arc = (code, previous, inner.f_lineno)
                if arc not in self.arcs:
                    self.arcs.add(arc)
                    self.is_new = True
                    self.quiet[code] = 0
                previous = inner.f_lineno
            return step

        return step

    def share(self, target: str) -> tuple[int, int]:
        """Lines reached and lines there are, inside functions of the target's folders."""
        reached = {(code.co_filename, line) for code, _, line in self.arcs}
        lines: set[tuple[str, int]] = set()
        for folder in _FOLDERS[target]:
            files = list((Path(PACKAGE) / folder).glob("*.py"))
            if not files:
                raise SystemExit(f"there is no code in {folder}, which {target} is to reach")
            for path in files:
                lines |= {(str(path), line) for line in _function_lines(path)}
        return len(reached & lines), len(lines)


def _function_lines(path: Path) -> Iterator[int]:
    pending = [compile(path.read_text("utf-8"), str(path), "exec")]
    while pending:
        code = pending.pop()
        pending.extend(constant for constant in code.co_consts if isinstance(constant, CodeType))
        if code.co_flags & 0x2:  # a function has fast locals; modules and classes have not
            yield from (line for _, _, line in code.co_lines() if line and line != code.co_firstlineno)


# -- mutation


@dataclass(slots=True)
class Mutator:
    """Makes new inputs from old ones by tokens, so that most stay near to what people write."""

    target: str
    chance: random.Random
    dictionary: list[str]

    def mutate(self, text: str, other: str) -> str:
        """One to four changes."""
        tokens = _TOKENS[self.target].findall(text)
        for _ in range(self.chance.choice((1, 1, 1, 2, 2, 3, 4))):
            tokens = self._change(tokens, other)
        return "".join(tokens)[:LONGEST]

    def _change(self, tokens: list[str], other: str) -> list[str]:
        chance = self.chance
        place = chance.randrange(len(tokens) + 1)
        stop = min(len(tokens), place + chance.choice((1, 1, 2, 3, 8)))
        match chance.randrange(10):
            case 0 | 1:
                return tokens[:place] + tokens[stop:]
            case 2 | 3:
                return [*tokens[:place], chance.choice(self.dictionary), *tokens[place:]]
            case 4:
                return [*tokens[:place], chance.choice(_SPICE), *tokens[place:]]
            case 5:
                return [*tokens[:place], chance.choice(self.dictionary), *tokens[stop:]]
            case 6:
                return tokens[:stop] + tokens[place:stop] * chance.choice((1, 1, 2, 5, 30)) + tokens[stop:]
            case 7:
                strange = _TOKENS[self.target].findall(other)
                start = chance.randrange(len(strange) + 1)
                return tokens[:place] + strange[start : start + chance.choice((2, 5, 20))] + tokens[stop:]
            case 8:
                second = chance.randrange(len(tokens) + 1)
                return tokens[: min(place, second)] + tokens[max(place, second) :] + tokens[min(place, second) : stop]
            case _:
                letters = list("".join(tokens))
                if letters:
                    letters[chance.randrange(len(letters))] = chance.choice(_SPICE)
                return letters


# -- checks


def _reads_back(tree: Expression) -> bool:
    """Whether the printers promise it: short sums are written out on reading, the least of one value is refused."""
    for node in walk(tree):
        bounds = (node.lower, node.upper) if isinstance(node, Series) else ()
        literal = [isinstance(each.operand if isinstance(each, Negate) else each, Number) for each in bounds]
        if bounds and all(literal):
            return False
        if isinstance(node, Call) and node.function in ("min", "max", "gcd", "lcm") and len(node.arguments) == 1:
            return False
    return True


def _round_trip(reading: Reading) -> str:
    """What is wrong with printing and reading again; empty when nothing is."""
    for formula in (*reading.equations, *((reading.expression,) if reading.expression is not None else ())):
        sides = (formula.left, formula.right) if isinstance(formula, Equation) else (formula,)
        if not all(map(_reads_back, sides)):
            continue
        names = equation_symbols(formula) if isinstance(formula, Equation) else symbols_of(formula)
        bare = Equation(formula.left, formula.right, formula.relation) if isinstance(formula, Equation) else formula
        written = python_equation(bare, units=True) if isinstance(bare, Equation) else python_text(bare, units=True)
        for kind, text, again in (
            ("LaTeX", latex_text(bare), read_latex(latex_text(bare), names)),
            ("text", written, read_python_text(written, names)),
        ):
            if isinstance(again, Declined):
                return f"printed {kind} is declined ({again.code}: {again.reason}): {text[:200]}"
            found = again.equations[0] if again.equations else again.expression
            if isinstance(found, Equation):
                found = Equation(found.left, found.right, found.relation)
            if found != bare:
                return f"printed {kind} reads differently: {text[:200]}"
    return ""


def complaints(target: str, text: str, *, deep: bool) -> list[str]:
    """Everything that is wrong with what we make of a text."""
    reader = _READERS.get(target, target)
    report = probe(reader, text, solving=deep)
    found = list(report.complaints)
    if reader in FORMULA_READERS and report.outcome == "read" and not found:
        reading = FORMULA_READERS[reader](text)
        try:
            with patience(4.0):
                wrong = _round_trip(reading) if isinstance(reading, Reading) else ""
        except TooSlowError:
            wrong = "printing and reading again takes too long"
        except MathragError:
            wrong = ""  # nested too deeply to be written out
        found += [wrong] if wrong else []
    return found


def _read_only(target: str, text: str) -> None:
    reader = _READERS.get(target, target)
    try:
        with patience(6.0):
            if reader in FORMULA_READERS:
                FORMULA_READERS[reader](text)
            elif reader == "unit":
                unit_readings(text)
            else:
                find_quantities(text)
    except (TooSlowError, Exception):  # judged without tracing, by `complaints`
        return


def _kind(complaint: str) -> str:
    """The same fault for the same reason, whatever the input: without numbers and quoted text."""
    head = re.sub(r": [^:]*$", "", complaint) if complaint.startswith("printed") else complaint
    return re.sub(r"'[^']*'|\"[^\"]*\"|(?<!py:)\b[0-9][0-9.]*", "…", head)[:160]


def minimised(target: str, text: str, kind: str, seconds: float = 4.0) -> str:
    """A shorter text with the same kind of fault."""
    end = time.monotonic() + seconds
    size = max(1, len(text) // 2)
    while size and time.monotonic() < end:
        place = 0
        while place < len(text) and time.monotonic() < end:
            shorter = text[:place] + text[place + size :]
            if any(_kind(each) == kind for each in complaints(target, shorter, deep=True)):
                text = shorter
            else:
                place += size
        size //= 2
    return text


# -- the run


@dataclass(slots=True)
class Run:
    """One target, until its time is up."""

    target: str
    seconds: float
    seed: int
    executions: int = 0
    kept: int = 0
    seen: dict[str, int] = field(default_factory=dict)
    findings: dict[str, tuple[str, str]] = field(default_factory=dict)

    def go(self) -> Coverage:
        """Fuzz; the findings are in `findings`, by kind."""
        chance = random.Random(f"{self.target} {self.seed}")
        corpus = seeds(self.target)
        tokens = sorted({token for text in corpus for token in _TOKENS[self.target].findall(text)})
        mutator = Mutator(self.target, chance, tokens)
        coverage = Coverage()
        end = time.monotonic() + self.seconds
        for text in corpus:
            if time.monotonic() > end:
                break
            self._try(text, coverage, deep=False)
        fresh: list[str] = []
        while time.monotonic() < end:
            # What reached new code lately is the best ground; old seeds keep the variety.
            pool = fresh[-200:] if fresh and chance.random() < 0.6 else corpus
            text = mutator.mutate(chance.choice(pool), chance.choice(corpus))
            if text and self._try(text, coverage, deep=chance.random() < 0.03):
                self.kept += 1
                fresh.append(text)
                corpus.append(text)
        return coverage

    def _try(self, text: str, coverage: Coverage, *, deep: bool) -> bool:
        self.executions += 1
        is_new = coverage.run(lambda: _read_only(self.target, text))
        for complaint in complaints(self.target, text, deep=deep):
            kind = _kind(complaint)
            if self.seen.get(kind, 0) >= (_EXAMPLES if kind.startswith("printed") else 1):
                continue
            self.seen[kind] = self.seen.get(kind, 0) + 1
            small = minimised(self.target, text, kind)
            again = [each for each in complaints(self.target, small, deep=True) if _kind(each) == kind]
            # Two findings that differ in letters and digits only are one.
            shape = f"{kind} {re.sub('[0-9]+', '1', re.sub('[A-Za-z]+', 'a', small))}"
            self.findings.setdefault(shape, (small, (again or [complaint])[0]))
        return is_new


def main() -> int:
    """Run the targets one after the other and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="time in all, shared by the targets")
    parser.add_argument("--target", choices=[*_TOKENS, "all"], default="all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a file to write the findings to, as JSON lines")
    arguments = parser.parse_args()
    targets = list(_TOKENS) if arguments.target == "all" else [arguments.target]
    kept: list[dict[str, str]] = []
    for target in targets:
        run = Run(target, arguments.seconds / len(targets), arguments.seed)
        reached, lines = run.go().share(target)
        print(
            f"{target:<9} {run.executions:>8,} inputs, {run.kept:>5,} reached new code, "
            f"{reached:,} of {lines:,} lines ({reached / lines:.0%}), {len(run.findings)} finding(s)",
            flush=True,
        )
        for text, complaint in run.findings.values():
            print(f"  {text!r}\n      {complaint}", flush=True)
            kept.append({"target": target, "text": text, "complaint": complaint})
    if arguments.keep:
        arguments.keep.write_text("".join(json.dumps(each) + "\n" for each in kept), encoding="utf-8")
    return 1 if kept else 0


if __name__ == "__main__":
    sys.exit(main())
