"""Notation that can be read in two ways: what the document decides, and what stays open. Cases in `readings/*.toml`."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from mathrag.compute.canonical import canonical_key
from mathrag.compute.pythontext import read_python_text
from mathrag.documents.html import read_html
from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.extract.definitions import find_definitions
from mathrag.extract.pipeline import extract
from mathrag.extract.readings import AMBIGUOUS, Known, ScoredReading, competing_readings, settled_reading
from mathrag.extract.vocabulary import Vocabulary, gather_vocabulary
from mathrag.types.document import Math, contents_of
from mathrag.types.expression import Declined, Equation, Reading, equation_symbols
from mathrag.types.library import Finding

FOLDER = Path(__file__).parent / "readings"
CASES = [
    pytest.param(case, id=f"{path.stem}: {case['name']}")
    for path in sorted(FOLDER.glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
]


def _findings(case: dict[str, Any]) -> list[Finding]:
    data = case["document"].encode()
    if case.get("format") == "html":
        document = read_html(Source(name="a.html", data=data))
    else:
        document = read_markdown(Source(name="a.md", data=data))
    found = extract(document, document_id="doc").findings
    return [finding for finding in found if case["at"] in finding.source]


_UNIT = re.compile(r"\*\[1 [^\]]+\](?:\^-?[\d/]+)?|^(?:\[1 [^\]]+\](?:\^-?[\d/]+)?\*)+")


@pytest.mark.parametrize("case", CASES)
def test_a_document_decides_or_nothing_is_computed(case: dict[str, Any]) -> None:
    # Units that are divided out where numbers are known to hold for them are no part of the reading.
    executable = {_terms(finding.form) for finding in _findings(case) if finding.status == "executable"}
    if case.get("unsure"):
        assert not executable
        return
    wanted = read_python_text(case["reads"])
    assert isinstance(wanted, Reading)
    assert executable == {_terms(canonical_key(equation)) for equation in wanted.equations}


_QUOTIENT = re.compile(r"(\w+)\^-1\*(\w+) = 10\^(-?[\d.]+)$|(?!)")
_SIZE = re.compile(r"(-?\d+(?:/\d+)?)(?:\*(.*))?$")


def _terms(form: str) -> frozenset[str]:
    """The terms of a sum that is zero, as multiples of the first by name: what units are divided out changes sizes."""
    if found := _QUOTIENT.match(_UNIT.sub("", form)):
        return frozenset((f"{found[1]}*{found[2]}^-1 = 10^{-float(found[3]):.9f}",))
    terms = _UNIT.sub("", form).removesuffix(" = 0").split(" + ")
    sized = [found for term in terms if (found := _SIZE.match(term))]
    if len(sized) < len(terms) or len(terms) < 2:
        return frozenset(terms)
    sizes = {(found[2] or "1").replace("1*", ""): Fraction(found[1]) for found in sized}
    first = sizes[min(sizes)]
    return frozenset(f"{size / first}*{name}" for name, size in sizes.items())


def _competing(text: str, known: Known | None = None) -> tuple[ScoredReading, ...]:
    math, vocabulary = _last_formula(text)
    return competing_readings(math, vocabulary, known=known)


def _last_formula(text: str) -> tuple[Math, Vocabulary]:
    document = read_markdown(Source(name="a.md", data=text.encode()))
    pieces = [piece for block in document.blocks for content in contents_of(block) for piece in content]
    formulas = [piece for piece in pieces if isinstance(piece, Math)]
    return formulas[-1], gather_vocabulary(document, find_definitions(document, document_id="doc"))


def test_readings_come_best_first_with_what_they_assume() -> None:
    first, second = _competing("Only this:\n\n$$KX = \\frac{w}{3}$$\n")
    assert first.score >= second.score
    ways = {one.way for reading in (first, second) for one in reading.assumptions}
    assert ways == {"name", "product"}


def test_a_clear_formula_has_one_reading() -> None:
    (only,) = _competing("$$a = b + c$$\n")
    assert only.assumptions == ()


def test_two_readings_about_as_likely_are_declined_with_both_named() -> None:
    math, vocabulary = _last_formula("Only this:\n\n$$KX = \\frac{w}{3}$$\n")
    declined = settled_reading(math, vocabulary)
    assert isinstance(declined, Declined)
    assert declined.code == AMBIGUOUS
    assert "KX as one name" in declined.reason
    assert "the product of K and X" in declined.reason


def test_what_is_known_of_other_relations_decides() -> None:
    math, vocabulary = _last_formula("Only this:\n\n$$KX = \\frac{w}{3}$$\n")

    def knows_the_product(equation: Equation) -> float:
        return 1.0 if "K" in equation_symbols(equation) else 0.0

    reading = settled_reading(math, vocabulary, known=knows_the_product)
    assert isinstance(reading, Reading)
    assert set(equation_symbols(reading.equations[0])) == {"K", "X", "w"}


def test_vocabulary_of_a_document() -> None:
    text = "The mass is $m$ and $V_1$ the volume. The rate $HRV$ is new.\n\n$$f(x) = a x$$\n\n$$QF = 3 b$$\n"
    _, vocabulary = _last_formula(text)
    assert vocabulary.support_of_letters("m") > vocabulary.support_of_letters("b") > 0
    assert vocabulary.support_of_letters("mb") == vocabulary.support_of_letters("b")
    assert vocabulary.support_of_letters("mj") == 0
    assert vocabulary.support_of_name("HRV") > vocabulary.support_of_name("QF") > 0
    assert "V_1" in vocabulary.symbols
    assert vocabulary.is_function("f")
    assert not vocabulary.is_function("m")


@pytest.mark.parametrize("size", [2_000])
def test_a_long_formula_of_letters_costs_little(size: int) -> None:
    math, vocabulary = _last_formula(f"$$y = {'mv + GM + ' * (size // 10)} x$$\n")
    assert competing_readings(math, vocabulary)
