"""Small documents with what a reader of the subject expects to be found in them: see `golden/README.md`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mathrag.compute.canonical import canonical_key
from mathrag.compute.pythontext import read_python_text
from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.extract.pipeline import extract
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.expression import Declined
from mathrag.types.library import Extraction, Finding, Instance, SymbolMeaning

GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(path.stem for path in GOLDEN.glob("*.md") if path.stem != "README")
KNOWN_KEYS = {
    "formula": {
        "formula", "source", "section", "status", "reason", "label", "description", "number", "conditions",
        "comparisons", "no_conditions", "instances", "symbols", "flags", "readings", "known_gap",
    },
    "absent": {"formula", "source", "known_gap"},
    "relation": {"kind", "from", "to", "absent", "once", "known_gap"},
    "constant": {"symbol", "value", "unit", "standard", "known_gap"},
    "document": {"executable", "known_gap"},
}  # fmt: skip
SYMBOL_KEYS = {"unit", "kind", "not_kind", "origin", "role", "constant", "state", "description"}


@cache
def _extraction(name: str) -> Extraction:
    path = GOLDEN / f"{name}.md"
    return extract(read_markdown(Source(name=path.name, data=path.read_bytes())), document_id="doc")


def _cases() -> list[Any]:
    cases = []
    for name in NAMES:
        expected = tomllib.loads((GOLDEN / f"{name}.toml").read_text(encoding="utf-8"))
        for sort, entries in expected.items():
            for entry in entries if isinstance(entries, list) else [entries]:
                gap = entry.get("known_gap")
                marks = [pytest.mark.xfail(strict=True, raises=AssertionError, reason=gap)] if gap else []
                shown = entry.get("formula") or entry.get("source") or entry.get("symbol") or entry.get("kind") or ""
                identity = f"{name}: {sort} {shown}{' (gap)' if gap else ''}"
                cases.append(pytest.param(name, sort, entry, marks=marks, id=identity))
    return cases


@pytest.mark.parametrize(("name", "sort", "entry"), _cases())
def test_golden_document(name: str, sort: str, entry: dict[str, Any]) -> None:
    found = _extraction(name)
    match sort:
        case "formula":
            _check_formula(_the_finding(found, entry), entry)
        case "absent":
            assert not [one for one in _findings(found, entry) if one.status == "executable"]
        case "relation":
            _check_relation(found, entry)
        case "constant":
            _check_constant(found, entry)
        case "document":
            executable = [one for one in found.findings if one.status == "executable"]
            assert len(executable) == entry["executable"], [one.latex for one in executable]


@pytest.mark.parametrize("name", NAMES)
def test_golden_file_says_nothing_unknown(name: str) -> None:
    expected = tomllib.loads((GOLDEN / f"{name}.toml").read_text(encoding="utf-8"))
    assert expected, "a golden document without expectations"
    for sort, entries in expected.items():
        for entry in entries if isinstance(entries, list) else [entries]:
            assert set(entry) <= KNOWN_KEYS[sort], set(entry) - KNOWN_KEYS[sort]
            for symbol in entry.get("symbols", {}).values():
                assert set(symbol) <= SYMBOL_KEYS, set(symbol) - SYMBOL_KEYS


def test_every_document_has_its_expectations() -> None:
    assert {path.stem for path in GOLDEN.glob("*.toml")} == set(NAMES)


def _form(text: str) -> str:
    reading = read_python_text(text)
    assert not isinstance(reading, Declined), f"the golden file writes a formula that cannot be read: {text}"
    (equation,) = reading.equations
    return canonical_key(equation)


def _findings(found: Extraction, entry: dict[str, Any], key: str = "formula") -> list[Finding]:
    if key in entry:
        form = _form(entry[key])
        matching = [one for one in found.findings if one.equation is not None and one.form == form]
    else:
        matching = [one for one in found.findings if " ".join(one.source.split()) == " ".join(entry["source"].split())]
    section = entry.get("section")
    return [one for one in matching if section is None or section in one.span.headings]


def _the_finding(found: Extraction, entry: dict[str, Any]) -> Finding:
    matching = _findings(found, entry)
    listed = [(one.status, one.latex) for one in found.findings]
    assert matching, f"not found; there are {listed}"
    assert len(matching) == entry.get("readings", 1), f"found {len(matching)} times: {matching}"
    return matching[0]


def _check_formula(finding: Finding, entry: dict[str, Any]) -> None:
    assert finding.status == entry.get("status", "executable"), finding.reason
    for words in entry.get("reason", ()):
        assert words in finding.reason
    if "label" in entry:
        assert finding.label == entry["label"]
    for words in entry.get("description", ()):
        assert words.casefold() in finding.description.casefold()
    if "number" in entry:
        assert finding.number == entry["number"]
    conditions = [condition.text.casefold() for condition in finding.conditions]
    for words in entry.get("conditions", ()):
        assert any(words.casefold() in condition for condition in conditions), conditions
    if entry.get("no_conditions"):
        assert not conditions
    comparisons = {
        f"{_name(one.left)} {one.relation} {_name(one.right)}"
        for each in finding.conditions
        for one in each.comparisons
    }
    for comparison in entry.get("comparisons", ()):
        assert comparison in comparisons
    if "instances" in entry:
        assert [_instance(one) for one in finding.instances] == entry["instances"]
    for code in entry.get("flags", ()):
        assert code in {flag.code for flag in finding.flags}
    known = {symbol.name: symbol for symbol in finding.symbols}
    for name, expected in entry.get("symbols", {}).items():
        assert name in known, f"no symbol {name} among {list(known)}"
        _check_symbol(known[name], expected)


def _name(side: Any) -> str:
    return str(getattr(side, "name", getattr(side, "value", side)))


def _instance(instance: Instance) -> dict[str, Any]:
    return {"values": dict(instance.values), "verdict": instance.verdict}


def _check_symbol(symbol: SymbolMeaning, expected: dict[str, Any]) -> None:
    shown = f"{symbol.name}: {symbol}"
    if expected.get("unit") == "none":
        assert not symbol.unit, shown
    elif "unit" in expected:
        wanted = read_canonical_unit(expected["unit"])
        assert symbol.unit is not None, shown
        unit = read_canonical_unit(symbol.unit)
        assert (unit.dimension, unit.scale) == (wanted.dimension, pytest.approx(wanted.scale)), shown
    if "kind" in expected:
        # "none": a kind would say more than the document does.
        assert (symbol.kind or "none") == expected["kind"], shown
    if "not_kind" in expected:
        assert symbol.kind not in expected["not_kind"], shown
    for part in ("origin", "role", "constant", "state"):
        if part in expected:
            assert (getattr(symbol, part) or "none") == expected[part], shown
    for word in expected.get("description", "").split():
        assert word.casefold() in symbol.description.casefold(), shown


def _check_relation(found: Extraction, entry: dict[str, Any]) -> None:
    sources = {one.position for one in _findings(found, entry, "from")}
    targets = {one.position for one in _findings(found, entry, "to")}
    assert sources, [one.latex for one in found.findings]
    assert targets, [one.latex for one in found.findings]
    matching = [
        one for one in found.relations if one.kind == entry["kind"] and one.source in sources and one.target in targets
    ]
    if entry.get("absent"):
        assert not matching
    else:
        assert matching, found.relations
        assert not entry.get("once") or len(matching) == 1


def _check_constant(found: Extraction, entry: dict[str, Any]) -> None:
    matching = [one for one in found.constants if one.symbol == entry["symbol"]]
    assert len(matching) == 1, found.constants
    (constant,) = matching
    assert float(constant.value) == pytest.approx(float(entry["value"]), rel=1e-12)
    assert read_canonical_unit(constant.unit) == read_canonical_unit(entry["unit"])
    assert constant.standard == entry.get("standard")
