"""What becomes of the documents in ../shared/documents when they are read into a library; with --write, the report.

python tools/library_rates.py [--write] [PATH ...]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from mathrag.library import DocumentInfo, FileReport, Library

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = ROOT.parent / "shared" / "documents"
REPORT = ROOT / "docs" / "reports" / "library.md"
# Formats that have no reader yet are left out visibly: the report says how many files that were.
HEAD = """# What the documents gave

Made by `python tools/library_rates.py --write` from the real documents used in development: equation sheets, a school
physics book in HTML, a formula sheet in LaTeX, small notes. One row a document: formulas found (each equation of a
chain counts), executable, quarantined, declined with the most frequent reasons; constants; of the symbols in
executable formulas, how many are described by the document itself, how many by the standard tables (assumed), how many
got their dimension from the formula (inferred), and how many stay unknown.

"""
COLUMNS = (
    "document", "found", "executable", "quarantined", "declined", "why declined", "constants", "symbols",
    "by the document", "assumed", "inferred", "unknown",
)  # fmt: skip
TITLES = f"| {' | '.join(COLUMNS)} |\n|---|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|\n"


def main() -> None:
    """Read the documents into a fresh library and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", default=[str(DOCUMENTS)])
    parser.add_argument("--write", action="store_true", help="write docs/reports/library.md")
    arguments = parser.parse_args()
    if not DOCUMENTS.is_dir() and arguments.paths == [str(DOCUMENTS)]:
        sys.exit(f"there are no documents in {DOCUMENTS.name} beside the project")
    with tempfile.TemporaryDirectory() as folder, Library(folder) as library:
        report = library.ingest(arguments.paths, progress=_told)
        rows = [row(library, info) for info in library.documents()]
        failed = [f"- {file.name}: {file.reason}" for file in report.files if file.state in ("failed", "skipped")]
        totals = library.totals()
        conflicts = library.conflicts()
    text = HEAD + TITLES + "\n".join(sorted(rows)) + "\n\n"
    text += f"The library then holds {totals['formulas']} formulas, {totals['constants']} constants and "
    text += f"{totals['relations']} relations; {len(conflicts)} conflicts are listed by `mathrag conflicts`. "
    text += f"{report.passed_over} files of kinds without a reader were passed over.\n"
    if failed:
        text += "\nNot read:\n\n" + "\n".join(failed) + "\n"
    if arguments.write:
        REPORT.write_text(text, encoding="utf-8")
    print(text)


def row(library: Library, info: DocumentInfo) -> str:
    """One line of the table."""
    findings = library.findings(info.id)
    status = Counter(finding.status for finding in findings)
    reasons = Counter(finding.reason_code for finding in findings if finding.status == "declined")
    why = ", ".join(f"{code} {count}" for code, count in reasons.most_common(4))
    origins = Counter(
        symbol.origin for finding in findings if finding.status == "executable" for symbol in finding.symbols
    )
    constants = len(library.constants(document=info.id))
    cells = (
        info.name,
        len(findings),
        status["executable"],
        status["quarantined"],
        status["declined"],
        why,
        constants,
        sum(origins.values()),
        origins["document"],
        origins["assumed"],
        origins["inferred"],
        origins["unknown"],
    )
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def _told(report: FileReport, done: int, total: int) -> None:
    print(f"{done}/{total} {report.name} {report.state} {report.seconds:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
