"""How many formulas of the real documents are read, flagged and declined: writes docs/reports/formula-reading.md."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from shared_documents import DOCUMENTS, documents, formulas_of

from mathrag.calculator import read_formula
from mathrag.types.expression import Declined

REPORT = Path(__file__).resolve().parent.parent / "docs" / "reports" / "formula-reading.md"


def main() -> None:
    """Read everything once and write the table."""
    rows: list[str] = []
    total: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for path in documents():
        counts: Counter[str] = Counter()
        for notation, source in formulas_of(path):
            reading = read_formula(source, notation=notation)  # type: ignore[arg-type]
            counts["found"] += 1
            if isinstance(reading, Declined):
                counts["declined"] += 1
                reasons[reading.code] += 1
            else:
                counts["read"] += 1
                counts["flagged"] += bool(reading.flags)
        if counts["found"]:
            total += counts
            rows.append(_row(path.relative_to(DOCUMENTS).as_posix(), counts))
    lines = [
        "# How the formulas of real documents are read",
        "",
        "Made by `python tools/document_rates.py` from the documents in `../shared/documents`. Counted are formulas",
        "with a relation (=, ≈, ≡). Declined are those without a value (derivatives, open sums, reactions, sets, free",
        "text) and those we do not understand; flagged are readings where the notation allows another.",
        "",
        "| document | formulas | read | of these flagged | declined | read |",
        "|---|---:|---:|---:|---:|---:|",
        *rows,
        _row("**all**", total),
        "",
        "## Why formulas are declined",
        "",
        "| reason | formulas |",
        "|---|---:|",
        *(f"| {code} | {count} |" for code, count in reasons.most_common()),
        "",
    ]
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text("\n".join(lines), encoding="utf-8")
    print(f"wrote {REPORT.name}: {total['read']} of {total['found']} read")


def _row(name: str, counts: Counter[str]) -> str:
    share = 100 * counts["read"] / counts["found"]
    cells = (name, counts["found"], counts["read"], counts["flagged"], counts["declined"], f"{share:.0f} %")
    return f"| {' | '.join(str(cell) for cell in cells)} |"


if __name__ == "__main__":
    main()
