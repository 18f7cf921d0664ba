"""Equations in words in a document: descriptions and units of their operands, and numbers that only units explain."""

from __future__ import annotations

import pytest

from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.extract.pipeline import extract
from mathrag.types.library import Finding


def _findings(text: str) -> tuple[Finding, ...]:
    return extract(read_markdown(Source(name="a.md", data=f"{text}\n".encode())), document_id="d").findings


def _one(text: str) -> Finding:
    found = [one for one in _findings(text) if one.status == "executable"]
    assert len(found) == 1
    return found[0]


def _symbols(text: str) -> dict[str, tuple[str, str | None]]:
    return {symbol.name: (symbol.description, symbol.unit) for symbol in _one(text).symbols}


def test_operands_are_described_by_their_words_and_have_the_units_behind_them() -> None:
    assert _symbols("Feed ratio = hay mass (kg) / body mass (kg)") == {
        "Feed_ratio": ("feed ratio", ""),
        "hay_mass": ("hay mass", "kg"),
        "body_mass": ("body mass", "kg"),
    }


def test_quantities_that_the_words_name_have_their_dimensions() -> None:
    assert _symbols("Density = mass / volume")["Density"] == ("density", "kg/m^3")


def test_one_word_does_not_give_its_dimension_to_all_the_others() -> None:
    symbols = _symbols("Sugar gap = glucose − (fructose + sucrose)")
    assert {unit for _, unit in symbols.values()} == {None}


def test_an_abbreviation_in_brackets_is_the_symbol() -> None:
    assert _symbols("Planned value (PV) = total budget × share done")["PV"][0] == "planned value"


def test_numbers_that_only_units_explain_divide_by_the_stated_units() -> None:
    found = _one("Energy (kcal) = 4 × starch (g) + 9 × oil (g)")
    assert "number_equation" in {flag.code for flag in found.flags}
    assert {symbol.unit for symbol in found.symbols} == {"kcal", "g"}


def test_a_number_that_converts_units_is_not_taken_for_a_factor() -> None:
    found = _one("Pump rate (mL/h) = drug rate (mg/min) × 60 / drug strength (mg/mL)")
    assert "number_equation" in {flag.code for flag in found.flags}


def test_without_stated_units_fitted_numbers_give_none() -> None:
    symbols = _symbols("Resting burn = 66.5 + 13.75 × weight − 6.75 × age")
    assert all(unit in (None, "") for _, unit in symbols.values())


def test_what_stands_in_brackets_tells_quantities_apart() -> None:
    symbols = _symbols(r"$$\frac{\text{charge (left plate)}}{\text{charge (right plate)}} = \text{plate ratio}$$")
    assert len(symbols) == 3


@pytest.mark.parametrize(
    "text",
    [
        r"$$\mathbf{v} = \mathbf{v}_0 + \mathbf{a} t$$",
        r"$$\mathbf{v} = \mathbf{u} + \mathbf{g} t$$ in a lift",
    ],
)
def test_bold_sums_are_along_a_line_where_the_document_shows_no_vectors(text: str) -> None:
    assert _one(text).reason == ""


def test_bold_sums_are_declined_where_the_document_shows_vectors() -> None:
    text = r"$$\mathbf{v} = \mathbf{v}_0 + \mathbf{a} t$$" "\n\n" r"$$\mathbf{L} = \mathbf{r} \times \mathbf{p}$$"
    assert [one.reason_code for one in _findings(text)] == ["vector_sum", "vector_product"]


def test_a_sum_of_bold_letters_alone_is_a_resultant() -> None:
    assert [one.status for one in _findings(r"$$\mathbf{R} = \mathbf{A} + \mathbf{B}$$")] == ["declined"]


def test_directions_are_left_out_and_estimates_are_kept() -> None:
    assert [symbol.name for symbol in _one(r"$$\vec E = \frac{k q}{r^2}\hat r$$").symbols] == ["E_vec", "k", "q", "r"]
    assert "y_hat" in {symbol.name for symbol in _one(r"$$\hat y = a + b x$$").symbols}


def test_words_that_explain_a_symbol_are_no_formula() -> None:
    assert not [one for one in _findings(r"$$\mu_w = \text{mean number of visits}$$") if one.status == "executable"]
