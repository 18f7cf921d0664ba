"""Entries that cannot all be right are named, and those that only look alike are not."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from extract.library_samples import equation_of
from mathrag.compute.canonical import canonical_key
from mathrag.extract.duplicates import find_conflicts
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.document import Place
from mathrag.types.expression import equation_symbols
from mathrag.types.library import Constant, Formula, Instance, Span, SymbolMeaning


def _formula(text: str, label: str, document: str = "d") -> Formula:
    equation = equation_of(text)
    symbols = tuple(SymbolMeaning(name) for name in equation_symbols(equation))
    span = Span(document, Place(line=len(text)), text)
    return Formula(
        f"f-{text}",
        canonical_key(equation),
        label,
        text,
        "executable",
        (span,),
        equation,
        symbols=symbols,
        labels=(label,),
    )


def _constant(value: str, unit: str, name: str, standard: str | None = None) -> Constant:
    dimension = read_canonical_unit(unit).dimension
    return Constant(
        f"c-{value}", "c", name, Decimal(value), unit, dimension, (Span("d", Place(), value),), standard=standard
    )


def test_one_constant_with_two_values() -> None:
    constants = [_constant("299792458", "m/s", "speed of light"), _constant("2.8E+8", "m/s", "Speed of light")]
    (conflict,) = find_conflicts([], constants)
    assert conflict.kind == "constant_value"
    assert "299792458 m/s" in conflict.message
    assert "2.8E+8 m/s" in conflict.message
    assert len(conflict.spans) == 2


@pytest.mark.parametrize(
    ("one", "other", "is_conflict"),
    [
        ("343", "340", False),
        ("96485", "96500", False),
        ("4186", "4.2E+3", False),
        ("3.1416", "3.141", False),
        ("2.998", "2.99", False),
        ("343", "350", True),
        ("140", "100", True),
        ("3.1416", "3.15", True),
        ("3.1416", "3.143", True),
        ("-1.602", "1.60", True),
    ],
)
def test_roundings_of_one_value_are_no_conflict(one: str, other: str, is_conflict: bool) -> None:
    for first, second in ((one, other), (other, one)):
        constants = [_constant(first, "m", "span of the old bridge"), _constant(second, "m", "span of the old bridge")]
        assert bool(find_conflicts([], constants)) == is_conflict


def test_constants_of_other_names_do_not_conflict() -> None:
    constants = [_constant("299792458", "m/s", "speed of light"), _constant("340", "m/s", "speed of sound")]
    assert find_conflicts([], constants) == []
    unnamed = [_constant("1", "m", ""), _constant("2", "m", "")]
    assert find_conflicts([], unnamed) == []


def test_one_name_for_two_equations_of_the_same_symbols() -> None:
    right, wrong = _formula("E = m*v**2/2", "Kinetic energy"), _formula("E = m*v**2", "kinetic energy", "other")
    (conflict,) = find_conflicts([right, wrong], [])
    assert conflict.kind == "formula_name"
    assert set(conflict.entries) == {right.id, wrong.id}


def test_two_branches_of_one_source_do_not_conflict() -> None:
    first, second = _formula("x = b + sqrt(c)", "Roots"), _formula("x = b - sqrt(c)", "Roots")
    assert find_conflicts([first, replace(second, spans=first.spans)], []) == []


def test_other_symbols_or_set_aside_is_no_conflict() -> None:
    first = _formula("E = m*v**2/2", "Energy")
    assert find_conflicts([first, _formula("E = m*g*h", "Energy")], []) == []
    aside = replace(_formula("E = m*v**2", "Energy"), status="quarantined")
    assert find_conflicts([first, aside], []) == []


def test_an_example_that_disagrees() -> None:
    span = Span("d", Place(line=9), "270")
    wrong = Instance("rho = 5.4/0.002", (("m", "5.4 kg"),), "disagrees", span, "gives 2700, stated 270")
    fine = Instance("rho = 1/1", (("m", "1 kg"),), "agrees", span)
    formula = replace(_formula("rho = m/V", "Density"), instances=(fine, wrong))
    (conflict,) = find_conflicts([formula], [])
    assert (conflict.kind, conflict.subject, conflict.spans) == ("instance", "Density", (span,))


def test_the_order_does_not_matter() -> None:
    entries = [
        _formula("E = m*v**2/2", "Energy"),
        _formula("E = m*v**2", "Energy"),
        _formula("E = 3*m*v**2", "Energy"),
        _formula("p = m*v", "Momentum"),
    ]
    constants = [_constant("1", "m", "a"), _constant("2", "m", "a"), _constant("3", "m", "a")]
    assert find_conflicts(entries, constants) == find_conflicts(entries[::-1], constants[::-1])


def _with_dimensions(text: str, label: str, document: str, units: dict[str, tuple[str, str | None]]) -> Formula:
    formula = _formula(text, label, document)
    symbols = tuple(
        SymbolMeaning(name, dimension=read_canonical_unit(unit).dimension, kind=kind)
        for name, (unit, kind) in units.items()
    )
    return replace(formula, symbols=symbols)


def test_names_that_look_alike_and_letters_that_differ_still_conflict() -> None:
    first = {"E": ("J", "kinetic_energy"), "m": ("kg", "mass"), "v": ("m/s", "speed")}
    second = {"T": ("J", "kinetic_energy"), "M": ("kg", "mass"), "w": ("m/s", "speed")}
    right = _with_dimensions("E = m*v**2/2", "Kinetic energy", "d", first)
    for label in ("Kinetic\u200b energy", "Energy of motion", "Erratum: kinetic energy", "Kinetic energy of a body"):
        wrong = _with_dimensions("T = M*w**2", label, "other", second)
        (conflict,) = find_conflicts([right, wrong], [])
        assert set(conflict.entries) == {right.id, wrong.id}
        assert {span.document for span in conflict.spans} == {"d", "other"}


def test_the_same_formula_in_other_letters_is_no_conflict() -> None:
    first = {"E": ("J", "kinetic_energy"), "m": ("kg", "mass"), "v": ("m/s", "speed")}
    second = {"T": ("J", "kinetic_energy"), "M": ("kg", "mass"), "w": ("m/s", "speed")}
    right = _with_dimensions("E = m*v**2/2", "Kinetic energy", "d", first)
    same = _with_dimensions("T = M*w**2/2", "Kinetic energy", "other", second)
    special = _with_dimensions("T = M*w**2", "Kinetic energy of a rolling hoop", "third", second)
    assert find_conflicts([right, same, special], []) == []


def test_a_constant_that_is_not_the_usual_one_is_told() -> None:
    (conflict,) = find_conflicts([], [_constant("2.5E+8", "m/s", "speed of light")])
    assert conflict.kind == "constant_value"
    assert "usually it is 299792458 m/s" in conflict.message
    for fine in ("3.00E+8", "299792458", "2.998E+8"):
        assert find_conflicts([], [_constant(fine, "m/s", "speed of light")]) == []
    assert find_conflicts([], [_constant("343", "m/s", "speed of sound in air")]) == []
