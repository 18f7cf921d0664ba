"""Speed and memory of asking, for `make bench`: each question set over its own library, the command line, and growth up
to 20,000 formulas. What is answered, and whether rightly, is measured elsewhere."""

from __future__ import annotations

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import synthetic_library

from mathrag.library import Library
from mathrag.library.ingest.reader_choice import lexicon_version, software_version

PROJECT = Path(__file__).resolve().parent.parent
SETS = PROJECT.parent / "shared" / "benchmarks"
# The whole textbook that the last set asks about lies with the other documents.
BOOK = PROJECT.parent / "shared" / "documents" / "openstax-physics" / "physics.html"
STARTER_QUESTIONS = PROJECT / "tests" / "questions" / "starter" / "questions.jsonl"
SIZES = (1_000, 5_000, 20_000)
ASKED_AT_EACH_SIZE = 60
Row = tuple[str, float, str, str]


# A process of its own for every library, so that memory and opening can be told, and nothing is warm from before.
class Asked(TypedDict):
    """What a process tells that opened a library and asked: seconds of wall and processor, and megabytes."""

    opening: tuple[float, float]
    first: tuple[float, float]
    warm: list[tuple[float, float]]
    before: float
    peak: float


_CHILD = """
import json, resource, sys, time
folder, questions = sys.argv[1], json.load(sys.stdin)
def memory():
    try:
        # What `resource` tells on Linux begins with what the process had that started this one.
        with open("/proc/self/status") as lines:
            return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
import mathrag.library.ask.session
import mathrag.reason.session
import mathrag.library.ask.asker
from mathrag.library import Library
before = memory()
def timed(action):
    wall, processor = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - processor
opened = []
def open_library():
    opened.append(Library(folder, create=False))
opening = timed(open_library)
library = opened[0]
first = timed(lambda: library.ask(questions[0]))
warm = [timed(lambda question=question: library.ask(question)) for question in questions]
library.close()
print(json.dumps({"opening": opening, "first": first, "warm": warm, "before": before, "peak": memory()}))
"""


def measure() -> list[Row]:
    """Every row; those of question sets only where they lie beside the project."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        starter = _ingested(Path(folder) / "starter", [Library.starter_folder()])
        rows += _set_rows("starter", starter, questions_in(STARTER_QUESTIONS))
        rows += _command_rows(starter)
        for name in ("dev-physics", "dev-chemistry", "dev-book", "dev-exercises"):
            rows += _shared_rows(name, Path(folder) / name)
    for size in SIZES:
        rows += _growth_rows(size, grown_library(size))
    return rows


def questions_in(file: Path) -> list[str]:
    """The questions of a set, in order."""
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line)["question"] for line in lines if line.strip()]


def grown_library(size: int) -> Path:
    """A library of so many made-up formulas; kept between runs, because making one takes minutes."""
    version = f"{software_version()}-{lexicon_version()}".replace(os.sep, "-")
    place = Path(tempfile.gettempdir()) / f"mathrag-bench-{version}"
    done = place / f"library-{size}"
    if done.is_dir():
        return done
    smaller = [place / f"library-{each}" for each in SIZES if each < size and (place / f"library-{each}").is_dir()]
    unfinished = place / f"unfinished-{size}"
    shutil.rmtree(unfinished, ignore_errors=True)
    if smaller:
        shutil.copytree(smaller[-1], unfinished)
    print(f"making a library of {size:,} formulas in {place}, once", file=sys.stderr)
    # Only its own: documents of a larger library may lie in the same folder.
    _ingested(unfinished, synthetic_library.write_documents(place / f"documents-{SIZES[-1]}", size))
    unfinished.rename(done)
    return done


def _ingested(folder: Path, paths: Sequence[Path]) -> Path:
    with Library(folder) as library:
        library.ingest(paths)
    return folder


def _shared_rows(name: str, folder: Path) -> list[Row]:
    file = SETS / name / "questions.jsonl"
    documents = [BOOK] if name == "dev-book" else sorted((SETS / name / "documents").glob("*"))
    documents = [path for path in documents if path.suffix in (".md", ".html") and path.name != "SOURCES.md"]
    if not file.is_file() or not documents:
        print(f"{name} is not there; its rows are left out", file=sys.stderr)
        return []
    return _set_rows(name, _ingested(folder, documents), questions_in(file))


def _set_rows(name: str, folder: Path, questions: Sequence[str]) -> list[Row]:
    """How long the questions of a set take in its warm library."""
    found = _asked(folder, questions)
    wall, processor = _sorted(found["warm"], 0), _sorted(found["warm"], 1)
    return [
        (f"ask, {name}, median (wall)", statistics.median(wall) * 1e3, "ms", "under 50"),
        (f"ask, {name}, median", statistics.median(processor) * 1e3, "ms", "under 50"),
        (f"ask, {name}, 95th percentile (wall)", _percentile(wall, 95) * 1e3, "ms", "under 200"),
        (f"ask, {name}, 95th percentile", _percentile(processor, 95) * 1e3, "ms", "under 200"),
        (f"ask, {name}, slowest of {len(questions)}", processor[-1] * 1e3, "ms", ""),
    ]


def _growth_rows(size: int, folder: Path) -> list[Row]:
    """What a library of made-up formulas costs to open, to ask first, and to ask again."""
    entries = synthetic_library.entries(size)
    step = max(1, len(entries) // ASKED_AT_EACH_SIZE)
    # A step that shares no factor with the number of shapes meets all of them.
    while step > 1 and len(synthetic_library.SHAPES) % step == 0:
        step -= 1
    asked = [entry.question() for entry in entries[:: step or 1]][:ASKED_AT_EACH_SIZE]
    found = _asked(folder, asked)
    wall, processor = _sorted(found["warm"], 0), _sorted(found["warm"], 1)
    of = f"{size:,} formulas"
    largest = size == SIZES[-1]
    return [
        (f"{of}: opened (wall)", found["opening"][0], "s", "under 1"),
        (f"{of}: first question, everything loaded", found["first"][1], "s", ""),
        (f"{of}: ask, median (wall)", statistics.median(wall) * 1e3, "ms", "under 300" if largest else ""),
        (f"{of}: ask, median", statistics.median(processor) * 1e3, "ms", "under 300" if largest else "under 50"),
        (f"{of}: ask, 95th percentile", _percentile(processor, 95) * 1e3, "ms", "under 300" if largest else ""),
        (f"{of}: memory beyond the program itself", found["peak"] - found["before"], "MB", ""),
    ]


def _command_rows(folder: Path) -> list[Row]:
    question = "What is the kinetic energy of a 2 kg ball at 3 m/s?"
    command = [sys.executable, "-m", "mathrag", "ask", question, "--library", str(folder)]
    return [
        ("mathrag ask, cold (wall)", min(_spent(command)[0] for _ in range(5)), "s", "under 2"),
        ("mathrag ask, cold", min(_spent(command)[1] for _ in range(5)), "s", "under 2"),
    ]


def _spent(command: Sequence[str]) -> tuple[float, float]:
    """Wall and processor seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = os.times().elapsed
    subprocess.run(command, check=True, capture_output=True)
    wall = os.times().elapsed - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _asked(folder: Path, questions: Sequence[str]) -> Asked:
    result = subprocess.run(
        [sys.executable, "-c", _CHILD, str(folder)],
        input=json.dumps(list(questions)),
        capture_output=True,
        text=True,
        check=True,
    )
    found: Asked = json.loads(result.stdout)
    return found


def _sorted(times: Sequence[Sequence[float]], which: int) -> list[float]:
    return sorted(each[which] for each in times)


def _percentile(ordered: Sequence[float], percent: int) -> float:
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


if __name__ == "__main__":
    for name, value, unit, budget in measure():
        print(f"{name:55} {value:10.3g} {unit:4} {budget}")
