"""Try every way we know to get a wrong number, and print what held and what broke.

python tools/trust.py [--only NAME] [--breaks] [--out FILE.json]

The attempts stand in tests/trust. Those that are kept for counting are counted and never shown.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from trust.attempts import Corpus, Result, all_corpora, tried

COLUMNS = ("tried", "held", "refused", "broke")


def run(corpus: Corpus, folder: Path) -> list[Result]:
    """The results of a corpus, one for each attempt."""
    results = []
    for number, attempt in enumerate(corpus.attempts):
        results.append(tried(attempt, folder / f"{corpus.name}-{number}"))
        if sys.stderr.isatty():
            print(f"\r{corpus.name}: {number + 1} of {len(corpus.attempts)}", end="", file=sys.stderr, flush=True)
    print(f"\r{corpus.name}: {len(results)} tried", file=sys.stderr, flush=True)
    return results


def row(corpus: Corpus, results: Sequence[Result]) -> dict[str, str | int]:
    """A line of the table."""
    counts = Counter(result.verdict for result in results)
    return {"class": corpus.title, "tried": len(results), **{name: counts[name] for name in COLUMNS[1:]}}


def table(rows: Sequence[dict[str, str | int]]) -> str:
    """The rows as a Markdown table, with their sum."""
    total: dict[str, str | int] = {"class": "all", **{name: sum(int(each[name]) for each in rows) for name in COLUMNS}}
    lines = [f"| class | {' | '.join(COLUMNS)} |", f"|---|{'---:|' * len(COLUMNS)}"]
    lines += [f"| {each['class']} | {' | '.join(str(each[name]) for name in COLUMNS)} |" for each in (*rows, total)]
    return "\n".join(lines)


def main() -> int:
    """Run and print; a failure where anything broke."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this corpus (repeatable)")
    parser.add_argument("--breaks", action="store_true", help="list what broke, except where it is only counted")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="write the figures here, too")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="mathrag-trust-") as name:
        for corpus in all_corpora(options.only):
            results = run(corpus, Path(name))
            rows.append(row(corpus, results))
            for attempt, result in zip(corpus.attempts, results, strict=True):
                if options.breaks and result.verdict != "held" and not attempt.is_closed:
                    print(f"{corpus.name} {attempt.id} {result.verdict}: {attempt.what!r} {result.how}")
    print(table(rows))
    if options.out is not None:
        options.out.write_text(json.dumps(rows, indent=2), encoding="utf-8")
    return int(any(each["broke"] for each in rows))


if __name__ == "__main__":
    raise SystemExit(main())
