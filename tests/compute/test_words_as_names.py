"""Runs of words in a formula are one name each, in every notation; letters that are factors stay factors."""

from __future__ import annotations

import pytest

from mathrag.compute.latex import read_latex
from mathrag.compute.mathml import read_mathml
from mathrag.compute.printers.pythontext import python_text
from mathrag.types.expression import Declined, Reading


def _equation(reading: Reading | Declined) -> str:
    assert isinstance(reading, Reading), reading
    first = reading.equations[0]
    return f"{python_text(first.left)} = {python_text(first.right)}"


@pytest.mark.parametrize(
    ("source", "known", "expected"),
    [
        (r"Gross Yield = \frac{Annual Rent}{Price}", "", "Gross_Yield = Annual_Rent/Price"),
        (r"Milk Days = \frac{Days In A Month}{MP Index}", "", "Milk_Days = Days_In_A_Month/MP_Index"),
        ("net load = gross load - tare", "", "net_load = gross_load - tare"),
        ("net load = Gross load - Tax", "", "net_load = Gross_load - Tax"),
        (r"Bed Rate = \frac{Used Beds}{BD_{end}}", "", "Bed_Rate = Used_Beds/(B*D_end)"),
        (r"Bed Rate = \frac{Used Beds}{Bd_{end}}", "", "Bed_Rate = Used_Beds/Bd_end"),
        ("Net Flow = NF (New Funds) - Old Funds", "", "Net_Flow = NF - Old_Funds"),
        ("floor area = length x width", "", "floor_area = length*width"),
        ("NetCharge = GrossCharge - Fee", "", "Net_Charge = Gross_Charge - Fee"),
        # What is known by itself is a factor.
        ("Turnover = Price Quantity", "Price,Quantity", "Turnover = Price*Quantity"),
        # Letters and units beside words.
        ("Work = force d", "", "Work = force*d"),
        (r"t = 12 months \cdot rate", "", "t = 12*months*rate"),
        ("weight = m g", "", "weight = m*g"),
        ("p = rho g h", "", "p = rho*g*h"),
        ("F = ma", "", "F = m*a"),
        ("PV = nRT", "", "P*V = n*R*T"),
        (r"v = \lambda f", "", "v = lambda_*f"),
        ("W = mgh", "", "W = m*g*h"),
        # A known name inside a longer one.
        ("FAKT = FAKTOR - rest", "FAKT", "FAKT = F*A*K*T*O*R - rest"),
        ("margin = gin - arm", "gin,arm", "margin = gin - arm"),
        (r"h = \frac{k Nu}{d}", "Nu", "h = k*Nu/d"),
    ],
)
def test_runs_of_words_in_latex(source: str, known: str, expected: str) -> None:
    assert _equation(read_latex(source, known.split(",") if known else ())) == expected


def _letters(text: str) -> str:
    return "".join("<mtext> </mtext>" if one == " " else f"<mi>{one}</mi>" for one in text)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<mi>Gross</mi><mi>Yield</mi><mo>=</mo><mi>Rent</mi><mo>-</mo><mn>3</mn>", "Gross_Yield = Rent - 3"),
        (f"{_letters('Net Load')}<mo>=</mo>{_letters('DaysInAWeek')}", "Net_Load = Days_In_A_Week"),
        ("<mi>Power</mi><mo>=</mo><mi>force</mi><mo>&#x2062;</mo><mi>speed</mi>", "Power = force*speed"),
        ("<mi>E</mi><mo>=</mo><mi>m</mi><mi>g</mi><mi>h</mi>", "E = m*g*h"),
    ],
)
def test_runs_of_words_in_mathml(source: str, expected: str) -> None:
    assert _equation(read_mathml(f"<math>{source}</math>")) == expected


def test_words_that_name_quantities_may_be_factors() -> None:
    reading = read_latex("force = mass acceleration")
    assert isinstance(reading, Reading)
    assert [(one.text, one.taken) for one in reading.ambiguities] == [("mass acceleration", "name")]
