"""Equations in words: which lines are read whole, what their operands are, and which sentences stay sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.latex import read_latex
from mathrag.documents.math_in_text.typed_lines import find_formula
from mathrag.documents.math_in_text.word_lines import word_formula
from mathrag.types.expression import Declined

EQUATIONS = {
    "Tuition share = tuition paid / family income × 100 %": (
        r"\text{Tuition share} = \text{tuition paid} / \text{family income} \times 100\%"
    ),
    "Water gap = intake − (urine + sweat loss)": (
        r"\text{Water gap} = \text{intake} - ( \text{urine} + \text{sweat loss} )"
    ),
    "Load factor equals average demand divided by peak demand": (
        r"\text{Load factor} = \text{average demand} / \text{peak demand}"
    ),
    "Daily dose (mg) = weight (kg) x dose rate (mg/kg)": (
        r"\text{Daily dose (mg)} = \text{weight (kg)} \times \text{dose rate (mg/kg)}"
    ),
    "Wing loading = mass in kg / (span in m)^2": r"\text{Wing loading} = \text{mass (kg)} / ( \text{span (m)} ) ^ 2",
    "Net charge = # of protons − # of electrons": (
        r"\text{Net charge} = \text{number of protons} - \text{number of electrons}"
    ),
    "Yearly harvest = 1,250 × number of trees": r"\text{Yearly harvest} = 1250 \times \text{number of trees}",
    "output voltage / input voltage = output turns / input turns": (
        r"\text{output voltage} / \text{input voltage} = \text{output turns} / \text{input turns}"
    ),
    "Price/sales ratio = share price / sales per share": (
        r"\text{Price to sales ratio} = \text{share price} / \text{sales per share}"
    ),
    "Diagonal = square root of (width squared + height squared)": (
        r"\text{Diagonal} = √ ( \text{width} ^{2} + \text{height} ^{2} )"
    ),
    "QRS = (TUV + 2 × XYZ)/3": r"\text{QRS} = ( \text{TUV} + 2 \times \text{XYZ} ) / 3",
    "AVG = H / AB": r"\text{AVG} = H / \text{AB}",
    "FCF = OCF - CAPEX": r"\text{FCF} = \text{OCF} - \text{CAPEX}",
    "Strong ion gap = Na⁺ + K⁺ − Cl⁻": r"\text{Strong ion gap} = \text{Na} + K - \text{Cl}",
    "Planned value (PV) = budget x share done": r"\text{Planned value (PV)} = \text{budget} \times \text{share done}",
    "leaf_area = leaf_mass / area_density": r"\text{leaf area} = \text{leaf mass} / \text{area density}",
    "sky_flux = PI * mean_radiance": r"\text{sky flux} = \pi \times \text{mean radiance}",
    "Grade (%) = rise / run × 100": r"\text{Grade (\%)} = \text{rise} / \text{run} \times 100\%",
    "3. Mean score = total score / number of tests": r"\text{Mean score} = \text{total score} / \text{number of tests}",
    "Milk margin ($/kg) = milk price ($/kg) – [feed price ($/t) * feed rate (t/kg)]": (
        r"\text{Milk margin (\$/kg)} = \text{milk price (\$/kg)} - "
        r"( \text{feed price (\$/t)} \times \text{feed rate (t/kg)} )"
    ),
    "Weekly pay = hourly pay * hours/day * days worked": (
        r"\text{Weekly pay} = \text{hourly pay} \times \text{number of hours per day (hours/day)} "
        r"\times \text{days worked}"
    ),
    "Blood volume = 0.07 x wt (kg) for adults": r"\text{Blood volume} = 0.07 \times \text{wt (kg)}",
}
SENTENCES = """
The price of the house = the price we paid at the auction / what it was
green = go and red = stop
More sleep = better grades
A score of 8 = good, 4 = poor
city = Oslo / country = Norway
Patience + practice = mastery
Salt + acid = gas + water
Read/write = access to files and/or folders
Total = see the next page / appendix
Upper side = lower side
balance = balance - payment
Answer = yes / no
Break time (min) = break time (h) / 2
file_name = base_dir / leaf
44 lb / 2.2 = 20 kg
""".strip().split("\n")


@pytest.mark.parametrize(("text", "latex"), EQUATIONS.items())
def test_equations_in_words_are_read_whole(text: str, latex: str) -> None:
    found = find_formula(text)
    assert found is not None
    assert (found.source, found.notation) == (latex, "latex")
    assert not isinstance(read_latex(found.source), Declined)


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences_stay_sentences(text: str) -> None:
    assert find_formula(text) is None


@given(st.text(alphabet="abc ABC=+-x×/()[]{}%#.,;_0123²√", max_size=80))
def test_any_line_gives_a_formula_or_nothing(text: str) -> None:
    found = find_formula(text)
    assert found is None or 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("Area of Floor = (Length)(Width)", r"\text{Area of Floor} = ( \text{Length} ) ( \text{Width} )"),
        (
            "Discharge, gal/min = (Section, ft²)(Speed, ft/min)(7.48)",
            r"\text{Discharge (gal/min)} = ( \text{Section (ft²)} ) ( \text{Speed (ft/min)} ) ( 7.48 )",
        ),
        (
            "Yield, % = Mass obtained / Mass expected × 100",
            r"\text{Yield (\%)} = \text{Mass obtained} / \text{Mass expected} \times 100\%",
        ),
        ("Speed, m/s = Distance, m / Time, s", r"\text{Speed (m/s)} = \text{Distance (m)} / \text{Time (s)}"),
    ],
)
def test_sheets_in_words_have_units_behind_commas_and_brackets_side_by_side(text: str, latex: str) -> None:
    assert word_formula(text) == latex


@pytest.mark.parametrize(
    "text",
    [
        # What is below the slash?
        "Power = (Flow)(Head) / (3960)(Efficiency)",
        "Rate = Mass, of each kind, / Time",
        "Total = apples, pears + plums",
    ],
)
def test_commas_and_slashes_that_leave_it_open(text: str) -> None:
    assert word_formula(text) is None
