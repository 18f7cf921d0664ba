"""Score the PDF reader against the truth: `python -m pdf_truth.score [NAME ...] --folder FOLDER --misses FILE`.

Prints a table with the share of formulas equal to their source, by document and by family, for the half A (tuning) and
the half B (checking) apart. Changes nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mathrag.documents.registry import read_document, readable_media_types
from mathrag.documents.seams import Source
from mathrag.errors import DocumentError
from mathrag.types.document import CERTAIN, Document
from pdf_truth.judging import Expected, Judgement, Verdict, expected_in, found_in, judge
from pdf_truth.make import FOLDER
from pdf_truth.shared_truth import shared_pairs

THRESHOLD = CERTAIN
_KINDS = ("display", "table", "inline", "symbol")


@dataclass(slots=True)
class Scored:
    """One PDF with its figures."""

    name: str
    family: str
    columns: int
    pages: int
    seconds: float
    path: Path
    judgement: Judgement


def read_pdf_at(path: Path) -> Document:
    """Read through the public door, or through the reader itself while it has no door yet."""
    source = Source(name=path.name, data=path.read_bytes(), path=path)
    if "application/pdf" in readable_media_types():
        return read_document(source)
    from mathrag.documents.pdf.reader import read_pdf

    return read_pdf(source)


def truths(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, str, int, Path, list[Expected]]]:
    """Name, family, columns, PDF and expected formulas of everything that is there."""
    for path in sorted(folder.glob("*.json")):
        pdf = path.with_suffix(".pdf")
        if not pdf.exists() or (names and path.stem not in names and "made" not in names):
            continue
        truth = json.loads(path.read_text(encoding="utf-8"))
        expected = [Expected(each["id"], each["where"], each["latex"], each["half"]) for each in truth["formulas"]]
        yield truth["variant"], truth["family"], truth["columns"], pdf, expected
    for name, family, pdf, document in shared_pairs():
        if not names or name in names or "shared" in names:
            yield name, family, 1, pdf, expected_in(document(), name)


def score(name: str, family: str, columns: int, pdf: Path, expected: Sequence[Expected], *, threshold: float) -> Scored:
    """Read one PDF and judge it."""
    started = time.process_time()
    document = read_pdf_at(pdf)
    seconds = time.process_time() - started
    judgement = judge(expected, found_in(document), threshold=threshold)
    return Scored(name, family, columns, max(1, len(document.pages)), seconds, pdf, judgement)


def percent(verdicts: Iterable[Verdict]) -> str:
    """The share that came back right, with the number asked."""
    listed = list(verdicts)
    if not listed:
        return "-"
    right = sum(each.outcome == "right" for each in listed)
    return f"{100 * right / len(listed):.1f} ({len(listed)})"


def _row(label: str, verdicts: Sequence[Verdict], judgements: Sequence[Judgement], seconds: float) -> list[str]:
    def of(where: tuple[str, ...], half: str = "AB") -> str:
        return percent(each for each in verdicts if each.expected.where in where and each.expected.half in half)

    believed = sum(each.is_believed for each in verdicts)
    invented = sum(len(each.invented_believed) for each in judgements)
    executable = max(1, sum(each.executable for each in judgements))
    return [
        label,
        of(("display",)),
        of(("display",), "A"),
        of(("display",), "B"),
        of(("table",)),
        of(("inline",)),
        of(("symbol",)),
        f"{believed}+{invented} ({100 * (believed + invented) / executable:.1f} %)",
        str(sum(each.outcome == "missed" for each in verdicts)),
        str(sum(len(each.invented) for each in judgements)),
        f"{seconds:.2f}",
    ]


HEADER = [
    "document",
    "display",
    "disp. A",
    "disp. B",
    "table",
    "inline",
    "symbols",
    "believed",
    "missed",
    "invented",
    "s/page",
]


def table(scored: Sequence[Scored]) -> str:
    """All figures, documents first, then families."""
    rows = [HEADER]
    rows += [_row(each.name, each.judgement.verdicts, [each.judgement], each.seconds / each.pages) for each in scored]
    families: dict[str, list[Scored]] = defaultdict(list)
    for each in scored:
        families[each.family].append(each)
        if len(scored) > 1:
            families["all"].append(each)
    for family, members in sorted(families.items()):
        verdicts = [verdict for member in members for verdict in member.judgement.verdicts]
        seconds = sum(member.seconds for member in members) / sum(member.pages for member in members)
        rows.append(_row(f"= {family}", verdicts, [member.judgement for member in members], seconds))
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def miss_lines(scored: Sequence[Scored], halves: str = "A") -> Iterator[str]:
    """Every miss of these halves with both sources, for those who mend the reader."""
    for each in scored:
        yield f"\n## {each.path}"
        for verdict in each.judgement.verdicts:
            if verdict.outcome != "right" and verdict.expected.half in halves:
                mark = "BELIEVED " if verdict.is_believed else ""
                got = verdict.found
                detail = f" conf={got.confidence:.2f} {'; '.join(got.doubts)}" if got else ""
                truth = verdict.expected
                yield f"p{verdict.page} {mark}{verdict.outcome} {truth.where} [{truth.id}]{detail}"
                yield f"   truth: {truth.latex}"
                yield f"   got:   {got.latex if got else ''}"
        for found in each.judgement.invented:
            mark = "BELIEVED " if found in each.judgement.invented_believed else ""
            yield f"p{found.page} {mark}invented {found.where} conf={found.confidence:.2f}: {found.latex}"


def _of_kind(verdicts: Iterable[Verdict], kind: str, half: str) -> list[Verdict]:
    return [each for each in verdicts if each.expected.where == kind and each.expected.half == half]


def as_data(scored: Sequence[Scored]) -> dict[str, object]:
    """The figures and every miss, for programs."""
    return {
        each.name: {
            "family": each.family,
            "pages": each.pages,
            "seconds": round(each.seconds, 3),
            "executable": each.judgement.executable,
            "shares": {
                f"{kind}-{half}": [sum(verdict.outcome == "right" for verdict in chosen), len(chosen)]
                for kind in _KINDS
                for half in "AB"
                if (
                    chosen := [
                        v for v in each.judgement.verdicts if v.expected.where == kind and v.expected.half == half
                    ]
                )
            },
            "believed": sum(verdict.is_believed for verdict in each.judgement.verdicts),
            "invented": len(each.judgement.invented),
            "invented_believed": len(each.judgement.invented_believed),
            "misses": [
                {
                    "id": verdict.expected.id,
                    "half": verdict.expected.half,
                    "where": verdict.expected.where,
                    "outcome": verdict.outcome,
                    "believed": verdict.is_believed,
                    "page": verdict.page,
                    "truth": verdict.expected.latex,
                    "got": verdict.found.latex if verdict.found else "",
                }
                for verdict in each.judgement.verdicts
                if verdict.outcome != "right"
            ],
        }
        for each in scored
    }


def main(arguments: list[str] | None = None) -> int:
    """Score what is there and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="variants or shared documents; `made` or `shared` for all of a kind")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--threshold", type=float, default=THRESHOLD)
    parser.add_argument("--out", type=Path, help="write figures and misses as JSON")
    parser.add_argument("--misses", type=Path, help="write every miss as text")
    parser.add_argument("--halves", default="A", help="which halves to list misses of: A, B or AB")
    chosen = parser.parse_args(arguments)
    scored = []
    for name, family, columns, pdf, expected in truths(chosen.folder, chosen.names):
        try:
            scored.append(score(name, family, columns, pdf, expected, threshold=chosen.threshold))
        except DocumentError as error:
            print(f"{name}: {error}", file=sys.stderr)
    if not scored:
        print(f"nothing to score in {chosen.folder}; run `make pdf-truth` first", file=sys.stderr)
        return 1
    print(table(scored))
    if chosen.out:
        chosen.out.write_text(json.dumps(as_data(scored), indent=1, ensure_ascii=False), encoding="utf-8")
    if chosen.misses:
        chosen.misses.write_text("\n".join(miss_lines(scored, chosen.halves)) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
