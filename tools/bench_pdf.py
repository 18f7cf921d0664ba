"""Speed and memory of PDF files, for `make bench`: seconds a page on one core, and a document of 500 pages.

The PDF files lie beside the project; without them there are no rows.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pypdfium2

PROJECT = Path(__file__).resolve().parent.parent
DOCUMENTS = PROJECT.parent / "shared" / "documents"
FILES = ("equation-sheets/pdf/phys121.pdf", "equation-sheets/pdf/phys122.pdf", "ap-physics-tex/derived_pdf/*.pdf")
LARGE = 500
Row = tuple[str, float, str, str]

# A process of its own for every file, so that nothing is warm from before.
_READ = """
import sys, time
from pathlib import Path
from mathrag.documents.pdf import read_pdf
from mathrag.documents.seams import Source
data = Path(sys.argv[1]).read_bytes()
started = time.process_time()
document = read_pdf(Source(Path(sys.argv[1]).name, data))
print((time.process_time() - started) / max(1, len(document.pages)))
"""


def measure() -> list[Row]:
    """Every row; none where the PDF files are not there."""
    files = [file for pattern in FILES for file in sorted(DOCUMENTS.glob(pattern))]
    if not files:
        return []
    rows: list[Row] = [(f"PDF read, {file.stem}, a page", _seconds_a_page(file), "s", "under 0.3") for file in files]
    with tempfile.TemporaryDirectory() as folder:
        large = repeated(files, Path(folder) / "large.pdf", pages=LARGE)
        for workers in (1, 2):
            seconds, parent, peak = ingested(large, Path(folder) / f"library{workers}", workers=workers)
            named = f"PDF of {LARGE} pages, {workers} process{'es' if workers > 1 else ''}"
            budget = "under 0.3" if workers == 1 else ""
            rows.append((f"{named}: ingested, a page (wall)", seconds / LARGE, "s", budget))
            rows.append((f"{named}: memory of all processes, peak", peak, "MB", "under 700"))
            rows.append((f"{named}: memory of the process that stores, peak", parent, "MB", ""))
    return rows


def _seconds_a_page(file: Path) -> float:
    done = subprocess.run([sys.executable, "-c", _READ, str(file)], check=True, capture_output=True, text=True)
    return float(done.stdout)


def repeated(files: list[Path], target: Path, *, pages: int) -> Path:
    """A PDF of so many pages: those of the files, over and over."""
    made = pypdfium2.PdfDocument.new()
    with contextlib.ExitStack() as stack:
        sources = []
        for file in files:
            source = pypdfium2.PdfDocument(file)
            stack.callback(source.close)
            sources.append(source)
        while len(made) < pages:
            for source in sources:
                wanted = min(len(source), pages - len(made))
                if wanted:
                    made.import_pages(source, list(range(wanted)))
        made.save(target)
        made.close()
    return target


def ingested(file: Path, library: Path, *, workers: int) -> tuple[float, float, float]:
    """Wall seconds of `mathrag ingest`, and the largest memory in MB: of its own process, and of all it started."""
    words = [sys.executable, "-m", "mathrag", "ingest", str(file), "--library", str(library), "--workers", str(workers)]
    started = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    own = peak = 0.0
    while process.poll() is None:
        sizes = [_megabytes(each) for each in _family(process.pid)]
        if sizes:
            own, peak = max(own, sizes[0]), max(peak, sum(sizes))
        time.sleep(0.1)
    seconds = time.perf_counter() - started
    said = process.stdout.read().decode() if process.stdout is not None else ""
    if process.returncode:
        raise SystemExit(f"{file} could not be ingested: {said}")
    return seconds, own, peak


def _family(process: int) -> list[int]:
    """A process and those it started, the first first; nothing where the system does not tell."""
    found = [process]
    for one in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{one}/task").iterdir():
                found.extend(int(each) for each in (task / "children").read_text().split())
    return found


def _megabytes(process: int) -> float:
    """What a process has in memory, with its share of what it has in common with others."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return float(line.split()[1]) / 1024
    return 0.0


if __name__ == "__main__":
    for row in measure():
        print(*row)
