"""At which stage questions with known answers are lost: a table of what is refused over a library or the handbook.

    python tools/refusals.py QUESTIONS.jsonl… --library FOLDER

Without --library the handbook alone is asked. Questions of odd number are listed one by one; of all others only the
counts are told, so that they stay a measure.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from choosing_samples import Sample, half_of, samples

from mathrag.library import Library
from mathrag.library.handbook_pages import HANDBOOK_FOLDER
from mathrag.reason.choosing.confidence import confidence_model
from mathrag.store.truth.schema import FILE_NAME
from mathrag.types.answer import Answer

_LONGEST = 110


def stage_of(sample: Sample) -> str:
    """Where a refused question is lost: the first of the steps to an answer that does not give the right one."""
    if not sample.plans:
        return "no plan"
    rank = next((place for place, plan in enumerate(sample.plans, start=1) if plan.is_right), None)
    if rank is None:
        return "a value is missing" if not sample.plans[0].is_complete else "no plan gives the answer"
    if rank > 1:
        return f"right plan is number {rank}"
    if sample.findings:
        return f"finding: {', '.join(sample.findings)}"
    least = confidence_model().promise(None, sample.formulas).least
    return "not sure enough" if sample.sure < least else "lost after choosing"


def refused(records: list[dict[str, Any]], library: Library) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The questions that have an answer and get none, each with its stage."""
    asked = [each for each in records if each["answer"] is not None]
    open_ones = [
        each
        for each in asked
        if not isinstance(library.ask(each["question"], planner="rules", only_documents=True), Answer)
    ]
    for record, sample in zip(open_ones, samples(open_ones, library, name="", group="", with_plans=True), strict=True):
        yield record, stage_of(sample)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="+", type=Path)
    parser.add_argument("--library", type=Path)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        if chosen.library is None:
            # Whoever opens a library may write to it.
            shutil.copy(HANDBOOK_FOLDER / FILE_NAME, folder)
        told(chosen.questions, chosen.library or Path(folder))


def told(questions: Sequence[Path], folder: Path) -> None:
    """Print the table of each file of questions, asked over the library in a folder."""
    with Library(folder, create=False) as library:
        for file in questions:
            records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            found = list(refused(records, library))
            print(f"{file}: {len(found)} of {sum(each['answer'] is not None for each in records)} refused")
            for stage, count in Counter(stage for _, stage in found).most_common():
                print(f"  {count:4}  {stage}")
            for record, stage in found:
                if half_of(record["id"]) == "odd":
                    print(f"  {record['id']}  {stage}: {record['question'][:_LONGEST]}")


if __name__ == "__main__":
    main()
