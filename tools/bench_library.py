"""Speed and memory of the library, for `make bench`: ingestion, opening, searching, queries, 20,000 formulas."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from mathrag.library import Library

PROJECT = Path(__file__).resolve().parent.parent
SHARED = PROJECT.parent / "shared" / "documents"
STARTER = Library.starter_folder()
Row = tuple[str, float, str, str]
WORDS = ("kinetic energy", "speed of light", "rate constant temperature", "force on a charge", "pressure in a fluid")


def timed(action: Callable[[], object]) -> float:
    """Wall seconds."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def ingestion(name: str, paths: list[str], budget: str) -> list[Row]:
    """Wall seconds and formulas a second for some files, in a process of its own so that its memory can be told."""
    code = (
        "import json, resource, sys, tempfile, time\n"
        "from mathrag.library import Library\n"
        "with tempfile.TemporaryDirectory() as folder, Library(folder) as library:\n"
        "    library.embedder.embed(['warm'])\n"
        "    started = time.perf_counter()\n"
        "    report = library.ingest(sys.argv[1:])\n"
        "    seconds = time.perf_counter() - started\n"
        "    found = sum(file.counts.formulas for file in report.files if file.counts)\n"
        "ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
        "print(json.dumps([seconds, found, max(ours, workers) / 1024]))\n"
    )
    import json

    result = subprocess.run([sys.executable, "-c", code, *paths], capture_output=True, text=True, check=True)
    seconds, found, megabytes = json.loads(result.stdout)
    return [
        (f"{name} ingested (wall)", seconds, "s", budget),
        (f"{name}, formulas a second (wall)", found / seconds, "/s", "over 200" if "Markdown" in name else ""),
        (f"{name}, memory of the largest process", megabytes, "MB", "under 1000"),
    ]


def queries(folder: str) -> list[Row]:
    """What looking things up costs in a warm library."""
    with Library(folder) as library:
        library.search("warm")
        searches = [timed(partial(library.search, words)) for words in WORDS for _ in range(5)]
        ids = [formula.id for formula in library.formulas()[:200]]
        hydrated = timed(lambda: [library.formula(identifier) for identifier in ids]) / len(ids)
        sql = timed(lambda: library.sql("SELECT count(*) FROM formulas"))
        library.sparql("ASK { ?s ?p ?o }")
        sparql = timed(lambda: library.sparql("SELECT ?f WHERE { ?f a mathrag:Formula } LIMIT 5"))
    return [
        ("search by words and meaning, median (wall)", statistics.median(searches) * 1e3, "ms", ""),
        ("a formula looked up by its id (wall)", hydrated * 1e3, "ms", ""),
        ("mathrag sql, one count (wall, own process)", sql * 1e3, "ms", ""),
        ("mathrag sparql, five rows (wall, own process)", sparql * 1e3, "ms", ""),
    ]


def measure() -> list[Row]:
    """Every row; those on real documents only where they lie beside the project."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        with Library(folder) as library:
            library.ingest([STARTER])
        rows += queries(folder)
        rows.append(("a library opened and asked for a card (wall)", _opened(folder), "s", ""))
    rows += ingestion("starter library (Markdown)", [str(STARTER)], "")
    if SHARED.is_dir():
        sheets = [str(path) for path in sorted((SHARED / "equation-sheets").rglob("*.md"))]
        rows += ingestion("equation sheets (Markdown)", sheets, "")
        rows += ingestion("school physics book (3 MB of HTML)", [str(SHARED / "openstax-physics")], "under 60")
    rows.append(
        ("memory of the library benchmark, peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB", "")
    )
    return rows


def _opened(folder: str) -> float:
    command = [sys.executable, "-m", "mathrag", "show", "Ideal gas law", "--library", folder]
    return min(timed(lambda: subprocess.run(command, check=True, capture_output=True)) for _ in range(3))
