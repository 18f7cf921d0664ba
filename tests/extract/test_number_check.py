"""Numbers of a formula that its source does not hold are noticed; everything people write for a number counts."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.choices import NO_CHOICES, Choices
from mathrag.compute.latex import read_latex
from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.extract import readings as reading_module
from mathrag.extract.number_check import foreign_number, written_numbers
from mathrag.extract.pipeline import extract
from mathrag.types.document import Math
from mathrag.types.expression import Declined, Equation, Measure, Number, Reading, Symbol, multiply, power
from mathrag.types.library import Finding


def _equation(*values: int | str) -> Equation:
    numbers = [Number(value if isinstance(value, int) else Decimal(value)) for value in values]
    return Equation(Symbol("y"), multiply(*numbers, Symbol("x")))


PRESENT: dict[str, tuple[str, tuple[int | str, ...]]] = {
    "digits": ("y = 42 x", (42,)),
    "degrees with the sign of an ordinal": ("y = x sin 30º", (30, 180)),
    "decimals": ("y = 0.5 x", ("0.5",)),
    "a decimal without its zero": ("y = .25 x", ("0.25",)),
    "a decimal comma": ("y = 0,5 x", ("0.5",)),
    "groups of digits": ("y = 12,500 x", (12500,)),
    "groups of digits in LaTeX": (r"y = 12{,}500 x", (12500,)),
    "groups with thin blanks": (r"y = 12\,500.5 x", ("12500.5",)),
    "a fraction without braces": (r"y = \tfrac12 x", (1, 2)),
    "a fraction with one brace": (r"y = \frac3{20} x", (3, 20)),
    "a power without braces": ("y = x^23", (2, 3)),
    "a vulgar fraction": ("y = ½ x", ("0.5", 2)),
    "a raised digit": ("y = x²", (2,)),
    "raised digits after digits": ("y = 10² x", (10, 2)),
    "an entity": ("y = &frac12; x", ("0.5",)),
    "tags": ("<math><mn>7</mn><msup><mi>x</mi><mn>3</mn></msup></math>", (7, 3)),
    "a power of ten": (r"k = 8.99\times10^{9} x", ("8.99E+9",)),
    "a small power of ten": ("e = 1.60 × 10⁻¹⁹ C", ("1.60E-19",)),
    "a number as computers write it": ("e = 1.60e-19 x", ("1.60E-19",)),
    "a bare power of ten": ("y = 10^{-3} x", ("0.001",)),
    "words": ("twice the square of x over three, and half of it", (2, 3, "0.5")),
    "a percentage": (r"y = 15\% x", (15, 100)),
    "degrees": (r"y = \cos 30^\circ", (30, 180)),
    "what is left out": ("y = x", (1,)),
    "digits of another script": ("y = ٣ x", (3,)),
}
FOREIGN: dict[str, tuple[str, tuple[int | str, ...]]] = {
    "another number": ("y = 42 x", (43,)),
    "none at all": ("y = a x", (2,)),
    "part of a number": ("y = 123 x", (23,)),
    "decimals of a number": ("y = 3.14 x", (14,)),
    "a digit less": ("y = 9.81 x", ("9.8",)),
    "a power of ten that is not written": ("y = 2 x^2", (200,)),
    "another power of ten": (r"y = 8.99\times10^{9} x", ("8.99E+8",)),
    "a number of a symbol's name only in part": ("y = x_{12}", (2,)),
    "degrees without their sign": (r"y = \cos 30", (180,)),
    "zero": ("y = x", (0,)),
    "an exponent beyond all reason": ("y = x", ("1E+99999",)),
}


@pytest.mark.parametrize("name", PRESENT)
def test_a_number_that_is_written_is_found(name: str) -> None:
    text, values = PRESENT[name]
    for value in values:
        assert foreign_number(_equation(value), text) is None


@pytest.mark.parametrize("name", FOREIGN)
def test_a_number_that_is_not_written_is_noticed(name: str) -> None:
    text, values = FOREIGN[name]
    assert foreign_number(_equation(*values), text) is not None


def test_numbers_in_exponents_and_measures_count() -> None:
    squared = Equation(Symbol("y"), power(Symbol("x"), Number(2)))
    assert foreign_number(squared, "y = x") == "2"
    measured = Equation(Symbol("p"), multiply(Measure(Number(Decimal("101.3")), "kPa"), Symbol("x")))
    assert foreign_number(measured, "p = 101.3 kPa x") is None
    assert foreign_number(measured, "p = 101 kPa x") == "101.3"


def test_the_terms_of_a_sum_that_is_written_out_are_counted() -> None:
    assert foreign_number(_equation(4), r"\bar x = \frac1n \sum x_i", terms=4) is None
    assert foreign_number(_equation(5), r"\bar x = \frac1n \sum x_i", terms=4) == "5"


@given(st.integers(2, 10**9), st.integers(2, 10**9))
def test_what_the_reader_reads_is_written(first: int, second: int) -> None:
    source = rf"y = {first} x^{{{second % 1000}}} + \frac{{{second}}}{{{first}}}"
    reading = read_latex(source)
    assert isinstance(reading, Reading)
    assert foreign_number(reading.equations[0], source) is None
    foreign = first * 10 + 7
    if Fraction(foreign) not in written_numbers(source).values:
        assert foreign_number(_equation(foreign), source) == str(foreign)


@given(st.text(max_size=200))
def test_any_text_can_be_looked_through(text: str) -> None:
    assert all(number >= 0 for number in written_numbers(text).values)


def _findings(text: str) -> tuple[Finding, ...]:
    return extract(read_markdown(Source(name="a.md", data=text.encode())), document_id="doc").findings


DOCUMENT = "# Kinetic energy\n\nThe kinetic energy is $$E = \\frac{1}{2} m v^2$$ with the mass $m$ and the speed $v$.\n"


def test_a_formula_with_a_made_up_number_is_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [finding.status for finding in _findings(DOCUMENT)] == ["executable"]
    read = reading_module.read_with

    def misread(math: Math, hints: tuple[str, ...] = (), choices: Choices = NO_CHOICES) -> Reading | Declined:
        changed = math.source.replace("{2}", "{3}")
        return read(Math(changed, math.notation, math.place, math.quote, math.is_display), hints, choices)

    monkeypatch.setattr(reading_module, "read_with", misread)
    (finding,) = _findings(DOCUMENT)
    assert (finding.status, finding.reason_code) == ("quarantined", "number_not_in_source")
    assert "3" in finding.reason


def test_numbers_that_the_rules_put_in_are_known() -> None:
    texts = (
        (
            "# Saturation pressure\n\n$$e = 6.11 \\exp\\left(\\frac{17.6 T}{243 + T}\\right)$$\n\n"
            "where $e$ is the vapor pressure in hPa and $T$ is the temperature in °C.\n"
        ),
        "# Acids\n\nThe acidity is $$\\mathrm{pH} = -\\log_{10}[\\mathrm{H^+}]$$\n",
        "# Mean\n\nThe mean is $$\\bar x = \\frac{1}{n} \\sum_i x_i$$ of the values $x_i$.\n",
    )
    for text in texts:
        assert all(finding.reason_code != "number_not_in_source" for finding in _findings(text))
