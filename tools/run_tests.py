"""Runs the tests in two processes, then alone those that want to be alone, then once more those that failed.

What passes alone after failing is unsteady: it is told and does not fail the run. Tests in `tests/known_failures.toml`
run and do not decide. At the end: the dearest files, folders over their budget (`tests/budget.toml`), what was skipped
and why.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
TESTS = PROJECT / "tests"
KNOWN = TESTS / "known_failures.toml"
UNSTEADY = TESTS / "unsteady.toml"
BUDGET = TESTS / "budget.toml"

# What has a command of its own and is no part of the check.
OUTSIDE = ("soak", "fuzz", "growth", "corpora", "pictures")
MOST_KNOWN = 15
KNOWN_FOR_DAYS = 7
# More failures than this are no accident: the first ones are tried again for their messages alone.
MOST_TRIED_AGAIN = 10
OVER_BUDGET = 1.2
# Seconds of a folder of tests that nobody needs to watch.
CHEAP = 15


@dataclass
class Outcomes:
    """What became of the tests of one or several runs."""

    states: dict[str, str] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    # Something went wrong that is no test's failure: a file that cannot be imported, an interrupted run.
    broken: list[str] = field(default_factory=list)

    def take(self, row: dict[str, str]) -> None:
        test = row["test"]
        self.seconds[test] = self.seconds.get(test, 0.0) + float(row["seconds"])
        # A test fails as a whole when it passes and cannot clean up.
        if row["outcome"] != "passed" or test not in self.states:
            self.states[test] = row["outcome"]
            self.said[test] = row["said"]

    def of(self, state: str) -> list[str]:
        return [test for test, one in self.states.items() if one == state]


@dataclass(frozen=True)
class Known:
    """A failure that does not decide, for a while."""

    test: str
    reason: str
    since: datetime.date


def known_failures(path: Path, today: datetime.date) -> tuple[dict[str, Known], list[str]]:
    """Those failures by test, and what is wrong with their list."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("known", []) if path.is_file() else []
    known = [Known(row["test"], row["reason"], row["since"]) for row in rows]
    complaints = [
        f"{path.name}: {one.test} stands there since {one.since}, longer than {KNOWN_FOR_DAYS} days"
        for one in known
        if (today - one.since).days > KNOWN_FOR_DAYS
    ]
    if len(known) > MOST_KNOWN:
        complaints.append(f"{path.name}: {len(known)} tests, at most {MOST_KNOWN} may stand there")
    return {one.test: one for one in known}, complaints


def run(arguments: Sequence[str], outcomes: Outcomes) -> None:
    """Run pytest with these arguments and add what became of its tests."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.jsonl"
        command = [sys.executable, "-m", "pytest", "--record", str(record), *arguments]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        code = subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode
        rows = record.read_text(encoding="utf-8").splitlines() if record.is_file() else []
    before = set(outcomes.of("failed"))
    for row in map(json.loads, rows):
        if row["stage"] == "collect":
            outcomes.broken.append(f"{row['test']} cannot be collected")
        else:
            outcomes.take(row)
    # 5: nothing was selected. 1: tests failed, and then there are such.
    if code not in (0, 1, 5) or (code == 1 and not outcomes.broken and set(outcomes.of("failed")) == before):
        outcomes.broken.append(f"pytest ended with {code}: see what it printed above")


def files_with(mark: str) -> list[str]:
    """The files of tests that have such a mark: nothing else is collected for them."""
    return sorted(
        str(path.relative_to(PROJECT))
        for path in TESTS.rglob("test_*.py")
        if f"mark.{mark}" in path.read_text(encoding="utf-8")
    )


def select(marks: Sequence[str], *, alone: bool) -> str:
    """The expression for tests with one of these marks; "unmarked" is for those without any."""
    if "unmarked" in marks:
        others = [mark for mark in (*OUTSIDE, "slow") if mark not in marks]
        wanted = f"not ({' or '.join(others)})"
    else:
        wanted = f"({' or '.join(marks)})"
    return f"{wanted} and alone" if alone else f"{wanted} and not alone"


def by_folder(outcomes: Outcomes) -> dict[str, dict[str, float]]:
    """The seconds of each file, by the folder of tests it stands in."""
    folders: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for test, seconds in outcomes.seconds.items():
        name = test.partition("::")[0]
        parts = Path(name).parts
        folders[parts[1] if len(parts) > 2 else "."][name] += seconds
    return folders


def over_budget(outcomes: Outcomes) -> Iterator[str]:
    """Folders that took longer than they may, with their dearest file."""
    if not BUDGET.is_file():
        return
    allowed = tomllib.loads(BUDGET.read_text(encoding="utf-8"))["seconds"]
    for folder, files in sorted(by_folder(outcomes).items()):
        total, may = sum(files.values()), allowed.get(folder, CHEAP)
        if total > may * OVER_BUDGET:
            dearest, seconds = max(files.items(), key=lambda file: file[1])
            yield f"tests/{folder} took {total:.0f} s of {may} s; most of it {dearest}, {seconds:.0f} s"


def write_budget(outcomes: Outcomes) -> None:
    """Make what was measured the budget."""
    lines = [
        "# What the tests of each folder may take in the check, in seconds of two processors at work; written by",
        "# `tools/run_tests.py unmarked slow --write-budget` on an idle machine.",
        "[seconds]",
    ]
    for folder, files in sorted(by_folder(outcomes).items()):
        lines.append(f'"{folder}" = {max(CHEAP, round(sum(files.values())))}')
    BUDGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


def report(outcomes: Outcomes, *, has_budget: bool = True) -> None:
    """Print where the time went and what was not run. Budgets are those of the check."""
    files = {name: seconds for folder in by_folder(outcomes).values() for name, seconds in folder.items()}
    print(f"\nThe ten dearest files of {len(files)}, of {sum(files.values()):.0f} s of work:")
    for name, seconds in sorted(files.items(), key=lambda file: -file[1])[:10]:
        print(f"  {seconds:6.1f} s  {name}")
    skipped = Counter(outcomes.said[test] for test in outcomes.of("skipped"))
    print(f"Skipped: {skipped.total()}")
    for reason, count in skipped.most_common():
        print(f"  {count:5}  {_first_line(reason)}")
    if expected := outcomes.of("expected"):
        print(f"Failed as expected: {len(expected)}")
    for line in over_budget(outcomes) if has_budget else ():
        print(f"OVER BUDGET: {line}")


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "no message")[:300]


def judge(outcomes: Outcomes, processes: str) -> bool:
    """Try failures once more, tell what is left, and say whether the run passes."""
    known, complaints = known_failures(KNOWN, datetime.datetime.now(tz=datetime.UTC).date())
    failed = [test for test in outcomes.of("failed") if test not in known]
    unsteady: list[str] = []
    # Drawn at random, the second time is another test: what the first one found would be lost.
    is_repeatable = "MATHRAG_TEST_DRAWING" not in os.environ
    if failed and not outcomes.broken and processes != "0" and is_repeatable:
        print(f"\nOnce more, alone: {min(len(failed), MOST_TRIED_AGAIN)} of {len(failed)}", flush=True)
        again = Outcomes()
        run(["-n", "0", *failed[:MOST_TRIED_AGAIN]], again)
        if len(failed) <= MOST_TRIED_AGAIN and not again.broken:
            unsteady = [test for test in failed if again.states.get(test) == "passed"]
        # The first time without the values that an assertion compares.
        outcomes.said |= {test: said for test, said in again.said.items() if again.states[test] == "failed"}
    listed = {row["test"] for row in tomllib.loads(UNSTEADY.read_text(encoding="utf-8")).get("unsteady", [])}
    for test in outcomes.of("failed"):
        if test in known:
            print(f"KNOWN: {test} - {known[test].reason}")
    for test in known:
        if outcomes.states.get(test) == "passed":
            print(f"KNOWN, and passed: {test}; take it out of {KNOWN.name}")
    for test in unsteady:
        told = "listed before: mend or move it" if test in listed else f"add it to {UNSTEADY.name}"
        print(f"UNSTEADY: {test} - {_first_line(outcomes.said[test])} ({told})")
    failed = [test for test in failed if test not in unsteady]
    for test in failed:
        print(f"FAILED: {test} - {_first_line(outcomes.said[test])}")
    for line in (*outcomes.broken, *complaints):
        print(f"FAILED: {line}")
    passed = len(outcomes.of("passed")) + len(unsteady)
    print(f"{passed} passed, {len(failed)} failed, {len(outcomes.of('skipped'))} skipped")
    return not failed and not outcomes.broken and not complaints


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("marks", nargs="+", choices=["unmarked", "slow", *OUTSIDE], help="which tests")
    parser.add_argument("--processes", default="auto", help="how many at once; 0 for none beside this one")
    parser.add_argument("--write-budget", action="store_true", help="make what is measured the budget of each folder")
    asked = parser.parse_args()
    began = time.monotonic()
    outcomes = Outcomes()
    # Preparing every assertion to tell its values takes half a minute; those that fail are prepared when tried again.
    plain = [] if asked.processes == "0" else ["--assert=plain"]
    run(["-n", asked.processes, "--dist", "worksteal", *plain, "-m", select(asked.marks, alone=False)], outcomes)
    alone = files_with("alone")
    if alone and not outcomes.broken:
        print("\nOne at a time:", flush=True)
        run(["-n", "0", "-m", select(asked.marks, alone=True), *alone], outcomes)
    if asked.write_budget:
        write_budget(outcomes)
    report(outcomes, has_budget="unmarked" in asked.marks)
    passes = judge(outcomes, asked.processes)
    print(f"{time.monotonic() - began:.0f} s in all")
    return 0 if passes else 1


if __name__ == "__main__":
    sys.exit(main())
