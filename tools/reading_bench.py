"""How well documents of strangers are read, against truths that somebody wrote by hand who did not write the reader.

python tools/reading_bench.py FOLDER [--half open|closed] [--misses] [--out FILE.json]

The truths stand in tests/reading_truth (docs/reading-bench.md says how they are written). The documents are fetched
from the repositories that the truths name and are never committed: FOLDER holds a folder for each, named as its truth.
Without `--misses` only figures are printed; misses of the half that is kept for counting are not listed at all.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from mathrag.compute.equality import same_equation, symbol_renaming
from mathrag.compute.pythontext import read_python_text
from mathrag.errors import MathragError
from mathrag.evaluate.formula_identity import bare_text
from mathrag.knowledge.kinds import kind
from mathrag.knowledge.units import read_unit
from mathrag.language.stems import stems
from mathrag.library import Library
from mathrag.types.expression import (
    Declined,
    Equation,
    Expression,
    Measure,
    Number,
    equation_symbols,
    map_parts,
    rename_equation,
)
from mathrag.types.library import Finding, SymbolMeaning
from mathrag.types.quantity import Dimension

# A formula is looked for so many lines around the one that the truth names: a block may begin earlier than its formula.
NEAR = 3
TRUTHS = Path(__file__).resolve().parent.parent / "tests" / "reading_truth"
HALVES = ("open", "closed")
# Names are alike when they share this part of the telling words of the shorter one.
ALIKE = 0.6
GENERAL = ("general", "definition")
COLUMNS = ("formulas", "right", "wrong", "declined", "missing", "kept out", "leaked", "all meanings", "label")


@dataclass(slots=True)
class Verdict:
    """What became of one formula of the truth."""

    quote: str
    structure: str
    meanings: bool = False
    label: bool = False
    notes: list[str] = field(default_factory=list)


def main() -> None:
    """Read every document into a library of its own, judge, print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=HALVES, default="open")
    parser.add_argument("--misses", action="store_true", help="list what was not right")
    parser.add_argument("--out", type=Path, help="write the verdicts as JSON")
    arguments = parser.parse_args()
    if arguments.half == "closed" and (arguments.misses or arguments.out):
        sys.exit("this half is kept for counting: its misses are not listed")
    truths = sorted((TRUTHS / arguments.half).glob("*.toml"))
    there = [file for file in truths if (arguments.folder / file.stem).is_dir()]
    for file in truths:
        if file not in there:
            print(f"{file.stem} is not in {arguments.folder}", file=sys.stderr)
    verdicts = {file.stem: judged_document(arguments.folder / file.stem, file) for file in there}
    print(table(verdicts))
    if arguments.misses:
        print(misses(verdicts))
    if arguments.out:
        plain = {name: [asdict(one) for one in found] for name, found in verdicts.items()}
        arguments.out.write_text(json.dumps(plain, ensure_ascii=False, indent=1), encoding="utf-8")


def judged_document(folder: Path, truth_file: Path) -> list[Verdict]:
    """The verdict on every formula of a document's truth."""
    truth = tomllib.loads(truth_file.read_text(encoding="utf-8"))
    files = [path for path in sorted(folder.iterdir()) if path.name != "truth.toml"]
    with tempfile.TemporaryDirectory() as place, Library(place) as library:
        library.ingest([str(file) for file in files])
        findings = [one for info in library.documents() for one in library.findings(info.id)]
    return [judged(formula, findings) for formula in truth["formula"]]


def judged(truth: Mapping[str, Any], findings: Sequence[Finding]) -> Verdict:
    """What became of one formula: read right, wrong, declined or not found; and what its symbols and its name are."""
    wanted = _equation(truth.get("equation", ""))
    near = [one for one in findings if _is_near(one, truth)]
    is_wanted = truth["kind"] in GENERAL and truth["executable"]
    verdict = Verdict(truth["quote"][:120], "missing")
    if not is_wanted:
        leaked = [one for one in near if _is_computed_with(one) and _holds(one, truth)]
        verdict.structure = "leaked" if leaked else "kept out"
        verdict.meanings = verdict.label = not leaked
        return verdict
    # Places differ between formats (cells of notebooks, lists of pages): elsewhere the same names must do.
    for one in (*near, *(one for one in findings if one not in near)):
        if not _is_computed_with(one):
            continue
        ours = one.equation
        if ours is not None and truth.get("numerical_value"):
            ours = _between_numbers(ours)
        renamed = _renaming(ours, wanted, by_names_alone=one not in near)
        if renamed is not None:
            verdict.structure = "right"
            verdict.meanings = _meanings_are_right(one, truth, renamed, verdict.notes)
            verdict.label = _is_alike(one.label, truth["label"])
            if not verdict.label:
                verdict.notes.append(f"label {one.label!r}, wanted {truth['label'][:2]}")
            return verdict
    holding = [one for one in near if _holds(one, truth)]
    if any(_is_computed_with(one) for one in holding):
        verdict.structure = "wrong"
        verdict.notes.extend(f"read as {one.latex[:120]}" for one in holding if _is_computed_with(one))
    elif holding:
        verdict.structure = "declined"
        verdict.notes.extend(f"{one.reason_code or one.purpose}: {one.reason[:100]}" for one in holding[:1])
    return verdict


def _is_computed_with(finding: Finding) -> bool:
    """Whether questions may be answered with it: executable, and no step or case."""
    return finding.status == "executable" and finding.purpose in GENERAL


def _equation(text: str) -> Equation | None:
    reading = read_python_text(text) if text.strip() else None
    if reading is None or isinstance(reading, Declined) or not reading.equations:
        return None
    return reading.equations[0]


def _is_near(finding: Finding, truth: Mapping[str, Any]) -> bool:
    place = finding.span.place
    if place.page is not None:
        return abs(place.page - int(truth["line"])) <= 1
    if place.line is None:
        return _holds(finding, truth)
    end = place.end_line or place.line
    return place.line - NEAR <= truth["line"] <= end + NEAR or _holds(finding, truth)


def _holds(finding: Finding, truth: Mapping[str, Any]) -> bool:
    """Whether a finding was read from what the truth quotes, or from a part of it."""
    ours = {bare_text(finding.source), bare_text(finding.latex), bare_text(finding.span.quote)} - {""}
    quoted = bare_text(truth["quote"].replace("\\\\", "\\"))
    return any(one in quoted or quoted in one for one in ours if len(one) >= min(4, len(quoted)))


def _renaming(ours: Equation | None, wanted: Equation | None, *, by_names_alone: bool = False) -> dict[str, str] | None:
    """Names of the truth for our symbols that make both the same; names that agree but for signs come first."""
    if ours is None or wanted is None:
        return None
    folded = {_folded(name): name for name in equation_symbols(wanted)}
    mapping = {name: folded.get(_folded(name), "") for name in equation_symbols(ours)}
    is_complete = all(mapping.values()) and len(set(mapping.values())) == len(mapping) == len(folded)
    if is_complete and same_equation(rename_equation(ours, mapping), wanted):
        return mapping
    return None if by_names_alone else symbol_renaming(ours, wanted)


def _between_numbers(equation: Equation) -> Equation:
    """Without the units that were divided out: the truth writes such an equation for the numbers alone."""
    return Equation(_without_unit(equation.left), _without_unit(equation.right))


def _without_unit(node: Expression) -> Expression:
    if isinstance(node, Measure) and node.number.value == 1:
        return Number(1)
    return map_parts(node, _without_unit)


def _folded(name: str) -> str:
    return re.sub(r"[_{}\s]", "", name)


def _meanings_are_right(
    finding: Finding, truth: Mapping[str, Any], renamed: Mapping[str, str], notes: list[str]
) -> bool:
    ours = {renamed.get(symbol.name, symbol.name): symbol for symbol in finding.symbols}
    is_right = True
    for wanted in truth.get("symbol", ()):
        symbol = ours.get(_truth_name(wanted["name"], renamed.values()))
        problem = _problem(symbol, wanted)
        if problem:
            notes.append(f"{wanted['name']}: {problem}")
            is_right = False
    return is_right


def _truth_name(name: str, names: Iterable[str]) -> str:
    return next((one for one in names if _folded(one) == _folded(name)), name)


def _problem(symbol: SymbolMeaning | None, wanted: Mapping[str, Any]) -> str:
    """What is wrong with our meaning of a symbol; empty where nothing is."""
    if symbol is None:
        return "no such symbol"
    said = " ".join((symbol.description, kind(symbol.kind).name if symbol.kind else "")).strip()
    if wanted["meaning"] == "unknown":
        return f"called {said!r}, wanted unknown" if said and symbol.origin != "document" else ""
    names = [symbol.description, *((kind(symbol.kind).name, *kind(symbol.kind).synonyms) if symbol.kind else ())]
    if not any(_is_alike(name, [wanted["meaning"]]) for name in names if name):
        return f"called {said!r}, wanted {wanted['meaning']!r}"
    dimension = _dimension(wanted["unit"])
    if dimension is not None and symbol.dimension is not None and symbol.dimension != dimension:
        return f"in {symbol.unit!r}, wanted {wanted['unit']!r}"
    return ""


def _dimension(text: str) -> Dimension | None:
    if text in ("?", ""):
        return None
    try:
        return read_unit("" if text == "1" else text).dimension
    except MathragError:
        return None


def _is_alike(text: str, wanted: Sequence[str]) -> bool:
    ours = set(stems(text))
    for one in wanted:
        theirs = set(stems(one))
        if ours and theirs and len(ours & theirs) >= ALIKE * min(len(ours), len(theirs)):
            return True
    return False


def table(verdicts: Mapping[str, Sequence[Verdict]]) -> str:
    """A row a document and one for all: counts, and shares of what can be computed."""
    lines = ["| document | " + " | ".join(COLUMNS) + " |", "|---|" + "---:|" * len(COLUMNS)]
    every = [one for found in verdicts.values() for one in found]
    for name, found in (*verdicts.items(), ("**all**", every)):
        counts = Counter(one.structure for one in found)
        right = [one for one in found if one.structure == "right"]
        cells = [len(found), *(counts[column] for column in COLUMNS[1:7])]
        cells += [sum(one.meanings for one in right), sum(one.label for one in right)]
        lines.append(f"| {name} | " + " | ".join(map(str, cells)) + " |")
    computable = [one for one in every if one.structure in ("right", "wrong", "declined", "missing")]
    right = [one for one in computable if one.structure == "right"]
    if computable:
        share = 100 / len(computable)
        lines.append("")
        lines.append(
            f"structure right {len(right) * share:.1f} %, silently wrong "
            f"{sum(one.structure == 'wrong' for one in computable) * share:.1f} %, structure, meanings and units all "
            f"right {sum(one.meanings for one in right) * share:.1f} %, labels of those right acceptable "
            f"{100 * sum(one.label for one in right) / max(1, len(right)):.1f} %"
        )
    return "\n".join(lines)


def misses(verdicts: Mapping[str, Sequence[Verdict]]) -> str:
    """What was not right, document by document."""
    lines: list[str] = []
    for name, found in verdicts.items():
        for one in found:
            if one.structure not in ("right", "kept out") or one.notes:
                lines.append(f"{name} | {one.structure} | {one.quote!r}")
                lines += [f"    {note}" for note in one.notes]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
