"""Uniting findings: the order does not matter, saying a thing twice changes nothing, contradictions stay apart."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extract.library_samples import METRE, SECOND, constants_of_one_symbol, equation_of, findings_of_one_form
from mathrag.compute.canonical import canonical_key
from mathrag.extract.merger import RuleMerger, merge_constants, merge_findings
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.document import Place
from mathrag.types.library import Alternative, ConstantFinding, Finding, Span, SymbolMeaning

QUIET = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@pytest.mark.slow
@QUIET
@given(findings_of_one_form(), st.randoms(use_true_random=False))
def test_order_of_findings_does_not_matter(findings: list[Finding], random: object) -> None:
    shuffled = list(findings)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert merge_findings(shuffled) == merge_findings(findings)


@pytest.mark.slow
@QUIET
@given(findings_of_one_form())
def test_saying_it_twice_changes_nothing(findings: list[Finding]) -> None:
    assert merge_findings([*findings, *findings]) == merge_findings(findings)


@pytest.mark.slow
@QUIET
@given(findings_of_one_form())
def test_every_place_is_kept_once(findings: list[Finding]) -> None:
    formulas = merge_findings(findings)
    places = [span for formula in formulas for span in formula.spans]
    assert sorted(map(repr, places)) == sorted({repr(finding.span) for finding in findings})


@pytest.mark.slow
@QUIET
@given(findings_of_one_form())
def test_ids_are_unique_and_of_the_form(findings: list[Finding]) -> None:
    formulas = merge_findings(findings)
    assert len({formula.id for formula in formulas}) == len(formulas)
    assert {formula.form for formula in formulas} == {findings[0].form}


@pytest.mark.slow
@QUIET
@given(findings_of_one_form())
def test_another_document_that_says_the_same_keeps_the_ids(findings: list[Finding]) -> None:
    copies = [
        replace(one, document="z", span=replace(one.span, document="z"), position=index)
        for index, one in enumerate(findings)
    ]
    merged = merge_findings([*findings, *copies])
    assert {formula.id for formula in merged} == {formula.id for formula in merge_findings(findings)}


@pytest.mark.slow
@QUIET
@given(findings_of_one_form())
def test_documents_that_contradict_each_other_stay_apart(findings: list[Finding]) -> None:
    # Open symbols: see test_one_that_leaves_a_symbol_open_does_not_join_two_that_disagree.
    findings = [replace(one, symbols=tuple(map(_closed, one.symbols))) for one in findings]
    by_place = {(one.document, one.span.place): one for one in findings}
    for formula in merge_findings(findings):
        said: dict[str, set[object]] = {}
        for span in formula.spans:
            for symbol in by_place[(span.document, span.place)].symbols:
                if symbol.origin == "document" and symbol.dimension is not None:
                    said.setdefault(symbol.name, set()).add(symbol.dimension)
        assert all(len(dimensions) == 1 for dimensions in said.values())


def _closed(symbol: SymbolMeaning) -> SymbolMeaning:
    return symbol if symbol.dimension is not None else replace(symbol, dimension=METRE, origin="assumed")


def _finding(document: str, symbols: tuple[SymbolMeaning, ...], **fields: object) -> Finding:
    equation = equation_of("s = v*t")
    span = Span(document, Place(line=1), "s = vt")
    base = Finding(document, 0, canonical_key(equation), "s = vt", "s = vt", "latex", "executable", span, equation)
    return replace(base, symbols=symbols, **fields)


def _said(name: str, dimension: object, origin: str = "document", description: str = "") -> SymbolMeaning:
    return SymbolMeaning(name, description, dimension=dimension, origin=origin)  # type: ignore[arg-type]


def test_one_that_leaves_a_symbol_open_does_not_join_two_that_disagree() -> None:
    opened = _finding("a", (_said("s", METRE), _said("t", SECOND), _said("v", None, "unknown")), prior=1.0)
    first = _finding("b", (_said("s", None, "unknown"), _said("t", SECOND), _said("v", METRE)))
    second = _finding("c", (_said("s", None, "unknown"), _said("t", SECOND), _said("v", SECOND)))
    formulas = merge_findings([opened, first, second])
    together = [{span.document for span in formula.spans} for formula in formulas]
    assert not any({"b", "c"} <= documents for documents in together)


def test_a_document_that_says_nothing_joins_one_that_does() -> None:
    said = _finding("a", (_said("s", METRE, description="distance"), _said("t", SECOND), _said("v", METRE / SECOND)))
    silent = _finding("b", tuple(_said(name, None, "unknown") for name in "stv"), label="Motion", label_origin="cell")
    (formula,) = merge_findings([silent, said])
    assert formula.label == "Motion"
    assert {symbol.name: symbol.dimension for symbol in formula.symbols} == {
        "s": METRE,
        "t": SECOND,
        "v": METRE / SECOND,
    }
    assert {span.document for span in formula.spans} == {"a", "b"}


def test_an_assumed_reading_gives_way_to_what_another_document_says() -> None:
    said = _finding("a", (_said("s", METRE), _said("t", SECOND), _said("v", METRE / SECOND)))
    assumed = tuple(_said(name, SECOND, "assumed") for name in "stv")
    fitting = Alternative(0.3, (_said("s", METRE, "assumed"), _said("v", METRE / SECOND, "assumed")))
    (formula,) = merge_findings([_finding("b", assumed, alternatives=(fitting,), prior=0.6), said])
    assert {span.document for span in formula.spans} == {"a", "b"}
    stubborn = tuple(_said(name, SECOND, "document") for name in "stv")
    assert len(merge_findings([_finding("b", stubborn, alternatives=(fitting,)), said])) == 2


def test_the_status_is_the_best_that_is_justified() -> None:
    symbols = (_said("s", METRE), _said("t", SECOND), _said("v", METRE / SECOND))
    aside = _finding("a", symbols, status="quarantined", reason="why", reason_code="dimensions")
    (formula,) = merge_findings([aside, _finding("b", symbols)])
    assert (formula.status, formula.reason) == ("executable", "")
    (alone,) = merge_findings([aside])
    assert (alone.status, alone.reason, alone.reason_code) == ("quarantined", "why", "dimensions")


# -- constants


@pytest.mark.slow
@QUIET
@given(constants_of_one_symbol(), st.randoms(use_true_random=False))
def test_order_of_constants_does_not_matter(findings: list[ConstantFinding], random: object) -> None:
    shuffled = list(findings)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert merge_constants(shuffled) == merge_constants(findings)
    assert merge_constants([*findings, *findings]) == merge_constants(findings)


@pytest.mark.slow
@QUIET
@given(constants_of_one_symbol())
def test_constants_keep_every_place_and_have_ids_of_their_own(findings: list[ConstantFinding]) -> None:
    constants = merge_constants(findings)
    assert len({constant.id for constant in constants}) == len(constants)
    places = [span for constant in constants for span in constant.spans]
    assert sorted(map(repr, places)) == sorted({repr(finding.span) for finding in findings})


@pytest.mark.slow
@QUIET
@given(constants_of_one_symbol())
def test_values_that_differ_stay_apart(findings: list[ConstantFinding]) -> None:
    by_place = {(one.document, one.span.place): one for one in findings}
    for constant in merge_constants(findings):
        own = _si(constant)
        for span in constant.spans:
            other = by_place[(span.document, span.place)]
            assert other.dimension == constant.dimension
            assert _si(other) == pytest.approx(own, rel=0.01)


def _si(constant: object) -> float:
    unit = read_canonical_unit(constant.unit)  # type: ignore[attr-defined]
    return float(constant.value) * unit.scale + unit.offset  # type: ignore[attr-defined]


def _constant(value: str, unit: str, document: str, name: str = "speed of light") -> ConstantFinding:
    dimension = read_canonical_unit(unit).dimension
    return ConstantFinding(document, 0, "c", name, Decimal(value), unit, dimension, Span(document, Place(), value))


def test_the_most_precise_value_speaks() -> None:
    (constant,) = merge_constants([_constant("3.00E+8", "m/s", "a"), _constant("299792458", "m/s", "b")])
    assert constant.value == Decimal("299792458")
    assert {span.document for span in constant.spans} == {"a", "b"}


def test_two_values_for_one_name_are_two_constants() -> None:
    assert len(merge_constants([_constant("299792458", "m/s", "a"), _constant("2.99E+8", "m/s", "b")])) == 2


@pytest.mark.xfail(strict=True, reason="an id holds twelve digits of the value")
def test_ids_tell_values_apart_to_the_last_digit() -> None:
    digits = [_constant("1.00000000000010", "m/s", "a"), _constant("1.00000000000020", "m/s", "b")]
    constants = merge_constants(digits)
    assert len({constant.id for constant in constants}) == len(constants)


def test_the_rules_as_one_object() -> None:
    finding = _finding("a", (_said("s", METRE), _said("t", SECOND), _said("v", METRE / SECOND)))
    merger = RuleMerger()
    assert merger.merge_findings([finding], []) == merge_findings([finding])
    assert merger.merge_constants([]) == ()
    (formula,) = merger.merge_findings([finding], [])
    assert merger.relate(formula, [], [], []) == ()
