"""How much of a hand-checked sample of the real documents the extraction gets right: formula, name, parameters, units.

The expectations are in tests/golden/library_sample.toml, written from the documents by a reader. This tool measures;
it holds no expectation of its own and changes nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from mathrag.calculator import read_formula
from mathrag.compute.equality import same_equation
from mathrag.documents.registry import read_path
from mathrag.extract.pipeline import extract
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.expression import Declined, Equation, equation_symbols, rename_symbols
from mathrag.types.library import Extraction, Finding, SymbolMeaning

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "tests" / "golden" / "library_sample.toml"
DOCUMENTS = ROOT.parent / "shared" / "documents"
MEASURES = ("formula", "label", "description", "unit", "declined")
# A formula over several lines may be placed at its first line or at the line of its first sign.
_NEAR_LINES = 3
_OPEN = "any"


@dataclass(frozen=True, slots=True)
class Miss:
    """One expectation that was not met."""

    measure: str
    group: str
    place: str
    formula: str
    expected: str
    found: str


@dataclass(slots=True)
class Rates:
    """Right and asked, by measure and group, and every miss."""

    counts: dict[str, dict[str, list[int]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(lambda: [0, 0]))
    )
    misses: list[Miss] = field(default_factory=list)

    def note(self, is_right: bool, miss: Miss) -> None:
        """Count one expectation; keep the miss where it was not met."""
        for group in (miss.group, "all"):
            right_and_asked = self.counts[miss.measure][group]
            right_and_asked[0] += is_right
            right_and_asked[1] += 1
        if not is_right:
            self.misses.append(miss)

    def percent(self, measure: str, group: str = "all") -> float:
        """How many of a hundred expectations were met; 100 where nothing was asked."""
        right, asked = self.counts[measure][group]
        return 100 * right / asked if asked else 100.0


def load_sample(path: Path = SAMPLE) -> Mapping[str, list[dict[str, Any]]]:
    """The formulas and the things to decline of the sample."""
    with path.open("rb") as file:
        return tomllib.load(file)


def measure_sample(sample: Mapping[str, list[dict[str, Any]]], documents: Path = DOCUMENTS) -> Rates:
    """Read every document of the sample once and compare."""
    rates = Rates()
    by_document: dict[str, list[tuple[str, dict[str, Any]]]] = defaultdict(list)
    for kind in ("formula", "declined"):
        for entry in sample.get(kind, ()):
            by_document[entry["document"]].append((kind, entry))
    for name, entries in by_document.items():
        extraction = extract(read_path(documents / name), document_id=name)
        for kind, entry in entries:
            if kind == "formula":
                _compare_formula(entry, extraction, rates)
            else:
                _compare_declined(entry, extraction, rates)
    return rates


def _compare_formula(entry: Mapping[str, Any], extraction: Extraction, rates: Rates) -> None:
    expected = _expected_equation(entry)
    near = list(_near(entry, extraction.findings))
    finding = next((one for one in near if one.equation and _is_same(expected, one.equation)), None)
    is_found = finding is not None and finding.status == "executable"
    missing = "; ".join(f"{one.status}: {one.latex} {one.reason}" for one in near) or "nothing at this place"
    rates.note(is_found, _miss("formula", entry, entry["formula"], missing))
    label = finding.label if finding else ""
    rates.note(_names(label, entry["labels"]), _miss("label", entry, " | ".join(entry["labels"]), label))
    meanings = {_plain(one.name): one for one in finding.symbols} if finding else {}
    for name, wanted in entry["symbols"].items():
        _compare_symbol(name, wanted, meanings.get(_plain(name)), entry, rates)


def _compare_symbol(
    name: str, wanted: Mapping[str, Any], meaning: SymbolMeaning | None, entry: Mapping[str, Any], rates: Rates
) -> None:
    if wanted["description"]:
        described = meaning.description if meaning else ""
        expected = f"{name}: {' | '.join(wanted['description'])}"
        found = f"{described!r} ({meaning.origin if meaning else 'absent'})"
        is_right = _names(described, wanted["description"]) and not _names(described, wanted.get("wrong", ()))
        rates.note(is_right, _miss("description", entry, expected, found))
    if wanted["unit"] != _OPEN:
        dimension = read_canonical_unit(wanted["unit"]).dimension
        is_right = meaning is not None and meaning.dimension == dimension
        found = f"{meaning.unit!r} ({meaning.origin}, {meaning.description!r})" if meaning else "absent"
        rates.note(is_right, _miss("unit", entry, f"{name}: {wanted['unit']!r}", found))


def _compare_declined(entry: Mapping[str, Any], extraction: Extraction, rates: Rates) -> None:
    findings = [
        one
        for one in extraction.findings
        if _distance(entry, one) == 0 and entry["contains"] in one.source and one.status == "executable"
    ]
    found = "; ".join(one.latex for one in findings)
    rates.note(not findings, _miss("declined", {"group": "declined", **entry}, entry["reason"], found))


def _miss(measure: str, entry: Mapping[str, Any], expected: str, found: str) -> Miss:
    place = f"{entry['document']}{' ' + entry['file'] if 'file' in entry else ''} line {entry['line']}"
    return Miss(measure, entry["group"], place, entry.get("formula", entry.get("contains", "")), expected, found)


def _expected_equation(entry: Mapping[str, Any]) -> Equation:
    reading = read_formula(entry["formula"], notation="latex", symbols=tuple(entry["symbols"]))
    if isinstance(reading, Declined) or len(reading.equations) != 1:
        raise ValueError(f"the sample's own formula must be one equation: {entry['formula']}")
    return reading.equations[0]


def _near(entry: Mapping[str, Any], findings: Iterable[Finding]) -> Iterator[Finding]:
    """Findings of the entry's place, the nearest first."""
    contains = "".join(entry.get("contains", "").split())
    close = [(distance, one) for one in findings if (distance := _distance(entry, one)) <= _NEAR_LINES]
    for _, finding in sorted(close, key=lambda pair: (pair[0], pair[1].position)):
        if contains in "".join(finding.source.split()):
            yield finding


def _distance(entry: Mapping[str, Any], finding: Finding) -> int:
    place = finding.span.place
    if place.line is None or place.file != entry.get("file", ""):
        return _NEAR_LINES + 1
    last = place.end_line or place.line
    line = int(entry["line"])
    return max(place.line - line, line - last, 0)


def _is_same(expected: Equation, found: Equation) -> bool:
    """By algebra; an arrow over a letter may be part of its name or not."""
    return same_equation(_without_arrows(expected), _without_arrows(found))


def _without_arrows(equation: Equation) -> Equation:
    names = {name: _plain(name) for name in equation_symbols(equation)}
    return Equation(rename_symbols(equation.left, names), rename_symbols(equation.right, names), equation.relation)


def _plain(name: str) -> str:
    return name.removesuffix("_vec")


def _names(text: str, phrases: Sequence[str]) -> bool:
    """Whether a text holds all the words of one of the phrases."""
    letters = "".join(sign if sign.isalnum() or sign in "'’" else " " for sign in text)
    words = set(normal_words(letters).split())
    return any(words.issuperset(normal_words(phrase).split()) for phrase in phrases)


def report(rates: Rates, *, with_misses: bool, only: str = "") -> str:
    """A table of the rates and, if asked for, every miss (of one measure alone with `only`)."""
    groups = ["all", *sorted({group for counts in rates.counts.values() for group in counts} - {"all", "declined"})]
    lines = [f"{'group':<14}" + "".join(f"{name:>20}" for name in MEASURES[:-1])]
    for group in groups:
        cells = []
        for name in MEASURES[:-1]:
            right, asked = rates.counts[name][group]
            cells.append(f"{rates.percent(name, group):6.1f} % ({right}/{asked})".rjust(20))
        lines.append(f"{group:<14}" + "".join(cells))
    right, asked = rates.counts["declined"]["all"]
    lines.append(f"rightly declined: {right} of {asked}")
    if with_misses:
        listed = [miss for miss in rates.misses if only in ("", miss.measure)]
        for miss in sorted(listed, key=lambda one: (MEASURES.index(one.measure), one.place)):
            lines += [
                "",
                f"{miss.measure}: {miss.place}",
                f"  formula   {miss.formula}",
                f"  expected  {miss.expected}",
                f"  found     {miss.found}",
            ]
    return "\n".join(lines)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the rates and misses as JSON")
    parser.add_argument("--misses", action="store_true", help="list every miss")
    parser.add_argument("--only", default="", help="only documents whose path contains this")
    options = parser.parse_args()
    if not DOCUMENTS.is_dir():
        print("the documents of ../shared are not here: nothing to measure", file=sys.stderr)
        return 1
    sample = load_sample()
    chosen = {kind: [one for one in entries if options.only in one["document"]] for kind, entries in sample.items()}
    rates = measure_sample(chosen)
    if options.json:
        print(json.dumps({"counts": rates.counts, "misses": [asdict(one) for one in rates.misses]}, ensure_ascii=False))
    else:
        print(report(rates, with_misses=options.misses))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
