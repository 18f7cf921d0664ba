"""How well answers are compared: labels of best-of-n, golds against themselves and altered copies, literal cases.

    python tools/equivalence_rates.py [--labels LABELS.jsonl] [--golds GOLDS.jsonl] [--cases FOLDER] [--wrong]

LABELS has `gt`, `pred` and `score` in each line, GOLDS has `answer`; FOLDER holds files of tests whose cases are
written out as (gold, answer, expected). Such files are parsed, never run. Where the package math_verify can be
imported, it is counted beside ours: install it in an environment of its own, with this package.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from mathrag.compute.answers import final_answer, same_answer

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from altered_answers import altered  # noqa: E402

# Gold, answer, and whether they are the same.
Case: TypeAlias = tuple[str, str, bool]
Compared: TypeAlias = Callable[[str, str], bool]


_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$|\\\[(.+?)\\\]|\\\((.+?)\\\)", re.DOTALL)
_NUMBER = re.compile(r"(?<!\w)-?[0-9][0-9,]*(?:\.[0-9]+)?(?:\s?%)?(?!\w)")
# What may stand between formulas that are one answer together.
_JOINING = re.compile(r"(?:\s|,|;|and|or|%|percent|miles)*")


def ours(gold: str, answer: str) -> bool:
    """Whether two answers are the same, as the product says; what cannot be told is no."""
    return bool(same_answer(_stated(gold), _stated(answer)))


def _stated(text: str) -> str:
    """What a text states in the end: its final answer, its formulas, its last formula, its last number."""
    found = final_answer(text)
    if found:
        return found
    if _JOINING.fullmatch(_FORMULA.sub(" ", text)) or not re.search(r"[^\W\d_]", text):
        return text.replace("$", "")
    formulas: list[str] = [next(filter(None, one.groups())) for one in _FORMULA.finditer(text)]
    return (formulas[-1:] or _NUMBER.findall(text)[-1:] or [text])[0]


def theirs() -> Compared | None:
    """The comparison of math_verify, where it is installed."""
    try:
        from math_verify import (  # type: ignore[import-not-found]  # rarely installed
            ExprExtractionConfig,
            LatexExtractionConfig,
            parse,
            verify,
        )
    except ImportError:
        return None
    targets = [LatexExtractionConfig(boxed_match_priority=0), ExprExtractionConfig()]

    def compared(gold: str, answer: str) -> bool:
        return bool(verify(parse(gold, targets), parse(answer, targets)))

    return compared


def labelled(file: Path) -> Iterator[Case]:
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for answer, is_right in zip(row["pred"], row["score"], strict=True):
            yield f"${row['gt']}$", f"${answer}$", bool(is_right)


def golds(file: Path) -> list[str]:
    return [str(json.loads(line)["answer"]) for line in file.read_text(encoding="utf-8").splitlines()]


def literal(folder: Path) -> Iterator[Case]:
    """The cases that stand in files of tests as three literals."""
    for file in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Tuple) or len(node.elts) not in (3, 4):
                continue
            try:
                # A fourth one is an option of theirs.
                gold, answer, expected = ast.literal_eval(node)[:3]
            except ValueError:
                continue
            if isinstance(gold, str) and isinstance(answer, str) and isinstance(expected, int):
                yield gold, answer, bool(expected)


def count(name: str, cases: Sequence[Case], compared: Compared, *, shows_wrong: bool) -> None:
    right, false_equals, failed = 0, 0, 0
    for gold, answer, expected in cases:
        try:
            found = compared(gold, answer)
        except Exception:  # what another program raises is counted, whatever it is
            failed += 1
            continue
        right += found == expected
        false_equals += found and not expected
        if shows_wrong and found != expected:
            print(f"    {'equal' if found else 'different'}: {gold!r} and {answer!r}")
    raised = f", {failed} raised" if failed else ""
    print(f"  {name}: {right} of {len(cases)} right, {false_equals} called equal that are not{raised}", flush=True)


def main() -> int:
    """Count what is given by each comparison that is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--golds", type=Path)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--wrong", action="store_true", help="show what was judged otherwise than expected")
    asked = parser.parse_args()
    sets: list[tuple[str, list[Case]]] = []
    if asked.labels:
        sets.append(("labels", list(labelled(asked.labels))))
    if asked.golds:
        known = golds(asked.golds)
        sets.append(("golds and themselves", [(f"${one}$", f"${one}$", True) for one in known]))
        others = [(f"${one}$", f"${other}$", False) for one in known for other in altered(one)]
        sets.append(("golds and altered copies", others))
    if asked.cases:
        sets.append(("literal cases", list(literal(asked.cases))))
    if not sets:
        parser.error("give --labels, --golds or --cases")
    other = theirs()
    for name, compared in (("ours", ours), ("math_verify", other)):
        if compared is None:
            print("math_verify is not installed here")
            continue
        print(name)
        for title, cases in sets:
            count(title, cases, compared, shows_wrong=asked.wrong)
    return 0


if __name__ == "__main__":
    sys.exit(main())
