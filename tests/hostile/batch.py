"""Run hostile inputs in a process of their own: memory capped, every doubtful act of the interpreter reported.

Usage: batch.py READER [sympy]. Prints one JSON object per input, and the identifier before it starts, so that whoever
waits knows the culprit when the process dies.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import resource
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import Any

import mathrag
from hostile import huge_inputs
from hostile.probe import Probe, Report, probe

MEMORY = 1 << 30
CORPUS = Path(__file__).parent / "corpus.toml"
# Equations that keep an algebra system busy; each costs up to the two seconds a solution may take.
WITH_SYMPY = (
    "text-tower-equation",
    "text-exponent-in-exponent",
    "text-polynomial",
    "text-conditional-bomb",
    "text-unit-bomb",
)
STDIN_COMMAND = ["formula", "parse", "--json"]
# Where code and data may come from: the package and Python's own folders.
_OWN_FOLDERS = tuple(
    {str(Path(mathrag.__file__).parent), *(sysconfig.get_paths()[name] for name in ("stdlib", "platlib", "purelib"))}
)
_FORBIDDEN = (
    "compile",
    "exec",
    "ctypes",
    "os.exec",
    "os.fork",
    "os.kill",
    "os.posix_spawn",
    "os.putenv",
    "os.remove",
    "os.rename",
    "os.spawn",
    "os.startfile",
    "os.system",
    "pickle",
    "pty.spawn",
    "shutil",
    "socket",
    "subprocess.Popen",
    "tempfile",
    "urllib",
    "webbrowser",
)
_WORKER = "mathrag.compute.solve.sympy_process"


_OF_WORKER = re.compile(r"\d+|/proc/\d+/stat")


class Watch:
    """An audit hook that notes what no reader has any business doing."""

    def __init__(self, *, worker: bool) -> None:
        self.is_on = False
        self.worker = worker
        self.noted: list[str] = []
        sys.addaudithook(self)

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        # Our own worker process is started with its errors sent nowhere, and killed with its group when late.
        if not self.is_on or (self.worker and (event == "os.killpg" or arguments[:1] == ("/dev/null",))):
            return
        if event == "open":
            path, mode = str(arguments[0]), str(arguments[1] or "r")
            is_ours = path.startswith(_OWN_FOLDERS) and not any(letter in mode for letter in "wax+")
            # A pipe to our own worker is opened by its number; how long it has worked stands in a file of the system.
            if not is_ours and not (self.worker and _OF_WORKER.fullmatch(path)):
                self.noted.append(f"open {path} {mode}")
        elif event.startswith(_FORBIDDEN) and _WORKER not in str(arguments) and not _is_module(event, arguments):
            self.noted.append(f"{event} {str(arguments)[:120]}")


def _is_module(event: str, arguments: tuple[Any, ...]) -> bool:
    """A late import of a module that belongs here compiles and runs the code of that module."""
    place = arguments[1] if event == "compile" else getattr(arguments[0], "co_filename", "")
    return event in ("compile", "exec") and str(place).startswith(_OWN_FOLDERS)


def load_everything() -> None:
    """Import all of the package, so that nothing is left to be imported while the watch is on."""
    for module in pkgutil.walk_packages(mathrag.__path__, "mathrag."):
        if not module.name.endswith(("__main__", ".worker")):
            importlib.import_module(module.name)


def warm_up() -> None:
    """Have every lazy thing made: registries, tables, caches of regular expressions."""
    probe("latex", r"E = \frac{1}{2} m v^2 + \SI{3}{J}")
    probe("mathml", "<math><mi>x</mi><mo>=</mo><mn>1</mn></math>")
    probe("text", "E = 0.5*m*v**2")
    probe("unit", "m/s^2")
    probe("sentence", "A mass of 5 kg falls 3 m; half a litre.")
    Probe().command(["formula", "eval", "F = m a", "m=2kg", "a=3 m/s^2"])
    Probe().command(["formula", "parse", r"\input"])


def inputs(reader: str) -> dict[str, Any]:
    """name -> text, arguments or bytes of one reader, from the file and from the makers."""
    with CORPUS.open("rb") as file:
        entries = [entry for entry in tomllib.load(file)["input"] if entry["reader"] == reader]
    if reader == "cli":
        return {entry["id"]: entry["arguments"] for entry in entries} | huge_inputs.commands()
    if reader == "stdin":
        return {entry["id"]: entry["text"].encode() for entry in entries} | huge_inputs.standard_inputs()
    return {entry["id"]: entry["text"] for entry in entries} | huge_inputs.texts(reader)


def run_one(reader: str, content: Any, *, sympy: bool) -> Report:
    """One input through its door."""
    if reader == "cli":
        return Probe().command(content)
    if reader == "stdin":
        return Probe().command(STDIN_COMMAND, content)
    return probe(reader, content, sympy=sympy)


def main(reader: str, *, sympy: bool) -> None:
    load_everything()
    warm_up()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    watch = Watch(worker=sympy)
    for name, content in inputs(reader).items():
        if sympy and name not in WITH_SYMPY:
            continue
        print(json.dumps({"start": name}), flush=True)
        watch.is_on = True
        report = run_one(reader, content, sympy=sympy)
        watch.is_on = False
        complaints = report.complaints + [f"did: {act}" for act in watch.noted]
        watch.noted = []
        seconds, stage = report.slowest
        print(
            json.dumps(
                {
                    "name": name,
                    "outcome": report.outcome,
                    "reason": report.reason,
                    "complaints": complaints,
                    "seconds": round(seconds, 3),
                    "stage": stage,
                    "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
                }
            ),
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1], sympy="sympy" in sys.argv[2:])
