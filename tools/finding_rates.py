"""How often the right formula is among the first found: by words, by meaning, by signature, and by all of them fused.

    python tools/finding_rates.py --work FOLDER SET… [--documents SET=FILE]

Counts the direct and rearranged questions whose formula the library has. "chosen" is the order after choosing formula,
unknown and values together.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from choosing_samples import forms_of

from mathrag.library import Library
from mathrag.reason.choosing.choose import rank_plans
from mathrag.reason.question import read_question
from mathrag.retrieve.candidates import Finder
from mathrag.retrieve.fusion import fuse
from mathrag.store.truth.reader import iterate_formulas

DEPTHS = (1, 5, 10)
SEARCHES = ("words", "meaning", "signature")


def library_of(folder: Path, documents: Path) -> Library:
    """The library of some documents, read once and kept in a folder."""
    is_new = not Library.exists(folder)
    library = Library(folder)
    if is_new:
        library.ingest([documents])
    return library


def truths(library: Library, record: dict[str, object]) -> set[str]:
    """Ids of the formulas of the library that are the one the question was made for."""
    forms = forms_of(str(record["latex"]))
    return {formula.id for formula in iterate_formulas(library.database) if formula.form in forms}


def ranks(set_folder: Path, library: Library) -> Iterator[dict[str, int | None]]:
    """For each question, the rank of the right formula under each way of searching; None where it is not found."""
    finder = Finder(library.database, library.vectors)
    known: dict[str, set[str]] = {}
    for line in (set_folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["tier"] not in ("direct", "rearranged"):
            continue
        right = known.setdefault(str(record["latex"]), truths(library, record))
        if not right:
            continue
        question = read_question(record["question"])
        rankings = {name: [one for one, _ in ranking] for name, ranking in finder.rankings(question).items()}
        found: dict[str, int | None] = {}
        for size in (1, 2, 3):
            for names in combinations(SEARCHES, size):
                fused = [one.id for one in fuse({name: rankings[name] for name in names})]
                found[" + ".join(names)] = _rank(fused, right)
        chosen = dict.fromkeys(plan.step.candidate.formula.id for plan in rank_plans(question, finder).plans)
        found["chosen"] = _rank(list(chosen), right)
        yield found


def _rank(ids: Sequence[str], right: set[str]) -> int | None:
    return next((rank for rank, one in enumerate(ids, start=1) if one in right), None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--documents", action="append", default=[], metavar="SET=FILE")
    chosen = parser.parse_args()
    documents = {name: Path(file) for name, _, file in (each.partition("=") for each in chosen.documents)}
    for folder in chosen.sets:
        source = documents.get(folder.name, folder / "documents")
        with library_of(chosen.work / folder.name, source) as library:
            rows: dict[str, list[int | None]] = defaultdict(list)
            for found in ranks(folder, library):
                for name, rank in found.items():
                    rows[name].append(rank)
        print(f"\n{folder.name}: {len(next(iter(rows.values()), []))} questions\n")
        print("| search | " + " | ".join(f"first {depth}" for depth in DEPTHS) + " |\n|---|---|---|---|")
        for name, values in rows.items():
            shares = (sum(rank is not None and rank <= depth for rank in values) / len(values) for depth in DEPTHS)
            print(f"| {name} | " + " | ".join(f"{100 * share:.1f} %" for share in shares) + " |")


if __name__ == "__main__":
    main()
