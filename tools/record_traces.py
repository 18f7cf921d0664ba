"""Play the recorded cases of tests/recorded and write the traces that they leave now. Review them as a difference.

python tools/record_traces.py [--only TEXT]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from mathrag.library import Library  # noqa: E402
from recorded.labels_play import label_trace  # noqa: E402
from recorded.playing import DOCUMENTS, cases, play_question, question_trace  # noqa: E402
from recorded.reading_play import read_all, reading_trace  # noqa: E402


def main() -> None:
    """Write them and name those that changed."""
    parser = argparse.ArgumentParser(description="Write the traces of the recorded cases anew.")
    parser.add_argument("--only", default="", help="those whose name has this text")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Library(Path(folder) / "library") as library:
        library.ingest(sorted(DOCUMENTS.glob("*.md")), workers=1)
        for case in cases("asking"):
            if options.only in case.file.stem:
                _write(case.trace_file, question_trace(case, play_question(case, library)))
    with tempfile.TemporaryDirectory() as folder, Library(Path(folder) / "library") as library:
        reading = read_all(cases("reading"), library, Path(folder))
        for case in cases("reading"):
            if options.only in case.file.stem:
                _write(case.trace_file, reading_trace(case, reading))
    for case in cases("labels"):
        if options.only in case.file.stem:
            with tempfile.TemporaryDirectory() as folder:
                _write(case.trace_file, label_trace(case, Path(folder)))


def _write(file: Path, text: str) -> None:
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    if before != text:
        file.write_text(text, encoding="utf-8")
        print(f"{'changed' if before else 'new':8} {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
