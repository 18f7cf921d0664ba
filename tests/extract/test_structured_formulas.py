"""Formulas that a document states by cases, in tables, in sentences and beside conditions."""

from __future__ import annotations

import pytest

from mathrag.compute.printers.pythontext import python_equation
from mathrag.documents import Source, read_document
from mathrag.extract.pipeline import extract
from mathrag.types.expression import Comparison, Measure, Number, Symbol
from mathrag.types.library import Finding


def findings_of(text: str) -> list[Finding]:
    return list(
        extract(read_document(Source("x", text.encode()), media_type="text/markdown"), document_id="d").findings
    )


def computed(text: str) -> list[str]:
    found = findings_of(text)
    return [python_equation(one.equation) for one in found if one.equation is not None and one.status == "executable"]


IN_SENTENCES = (
    (r"The lift is $P = 0.8 Q$ if $Q < 50$ kW.", ["P = 0.8*Q"]),
    ("Reach: r = v * t / 2 [m]", ["r = v*t/2"]),
    (r"The tension is $S = k_b\, \epsilon^{1.5}$, with $k_b$ = 450 N.", ["S = k_b*epsilon**1.5"]),
    (r"The rim is cut to $s = 0.75 d$, where d is the depth of the tooth.", ["s = 0.75*d"]),
    (r"The dose is `dose = 7.5 * weight`, per day.", ["dose = 7.5*weight"]),
    (r"The factor is $\kappa = 0.37 + 1.54\omega$.", ["kappa = 0.37 + 1.54*omega"]),
    (r"The shelf is $x = 34.0\,m$ long and the wait was $t = 2.5 h$.", []),
    (r"$$L = 10\,\textrm{log}_{10}(r)$$", ["L = 10*log10(r)"]),
    (r"$$p = \frac{F}{A} \ldots (a)$$", ["p = F/A"]),
)


@pytest.mark.parametrize(("text", "formulas"), IN_SENTENCES)
def test_formulas_are_told_from_values(text: str, formulas: list[str]) -> None:
    assert computed(f"# Notes\n\n{text}\n") == formulas


BY_CASES = (
    (
        r"t = \begin{cases} 0.8 B & B \le 5 \\ 1.1 B - 1.5 & B > 5 \end{cases}",
        "t = (0.8*B if B <= 5 else 1.1*B - 1.5 if B > 5 else nan)",
    ),
    (
        r"p = \begin{cases} 12 & n < 10 \\ 10 & 10 \le n \le 50 \\ 8 & n > 50 \end{cases}",
        "p = (12 if n < 10 else 10 if 10 <= n and n <= 50 else 8 if n > 50 else nan)",
    ),
    (
        r"T = \left\{ \begin{array}{ll} 0.1 I & \text{for } I \le 20 \\ 2 I & \text{otherwise} \end{array} \right.",
        "T = (0.1*I if I <= 20 else 2*I)",
    ),
    (
        r"\begin{aligned} C &= \begin{cases} 24/r & r < 1 \\ 4 & \text{otherwise} \end{cases} \\ F &= A \end{aligned}",
        "C = (24/r if r < 1 else 4)",
    ),
    (
        r"b = \begin{cases} 0 & \text{if sales} \le 10 \\ 0.05 \text{sales} & \text{if sales} > 10 \end{cases}",
        "b = (0 if sales <= 10 else 0.05*sales if sales > 10 else nan)",
    ),
)


@pytest.mark.parametrize(("source", "formula"), BY_CASES)
def test_cases_are_one_formula(source: str, formula: str) -> None:
    assert computed(f"# Notes\n\n$$\n{source}\n$$\n")[0] == formula


def test_cases_told_by_words_are_kept_and_not_computed() -> None:
    (finding,) = findings_of(
        "# Dose\n\n$$y = \\begin{cases} 2 m & \\text{for men} \\\\ 3 m & \\text{for women} \\end{cases}$$\n"
    )
    assert (finding.status, finding.reason_code) == ("declined", "cases")


def test_a_sentence_gives_a_formula_its_condition_in_the_units_of_the_document() -> None:
    text = (
        r"The bonus is $b = 0.05 s$ if $s \le 1000$ and $b = 0.08 s$ if $s > 1000$, where $s$ is the sale in dollars "
        r"and $b$ the bonus in dollars."
    )
    found = findings_of(f"# Bonus\n\n{text}\n")
    conditions = [[each for one in finding.conditions for each in one.comparisons] for finding in found]
    assert [finding.purpose for finding in found] == ["general", "general"]
    limit = Measure(Number(1000), "USD")
    assert conditions == [[Comparison("<=", Symbol("s"), limit)], [Comparison(">", Symbol("s"), limit)]]


_TABLE = """\
# Mill

| name | {title} | unit |
|---|---|---|
| {name} | {cell} | {unit} |
"""
ROWS = (
    ("expression", "Picks", "60 · n · e", "", ["Picks = 60*n*e"]),
    ("Formula", "Heat flux", r"$k \frac{T_1 - T_2}{L}$", "", ["Heat_flux = k*((T_1 - T_2)/L)"]),
    ("How to compute", "Turnover", "`cogs / average_inventory`", "", ["Turnover = cogs/average_inventory"]),
    (
        "calculation",
        "Scrap rate",
        "rejected metres / woven metres × 100",
        "%",
        ["Scrap_rate = rejected_metres/woven_metres*100"],
    ),
    ("definition", "Cover", "threads per cm divided by 10", "", ["Cover = threads_per_cm/10"]),
    ("definition", "Warp", "the threads along the cloth", "", []),
    ("target", "Picks", "60 · n · e", "", []),
    ("formula", "Width", "1.8", "", []),
    ("formula", "Union", r"$A \cup B$", "", []),
)


@pytest.mark.parametrize(("title", "name", "cell", "unit", "formulas"), ROWS)
def test_a_column_of_formulas_computes_the_name_of_its_row(
    title: str, name: str, cell: str, unit: str, formulas: list[str]
) -> None:
    assert computed(_TABLE.format(title=title, name=name, cell=cell, unit=unit)) == formulas


def test_the_symbol_of_a_row_is_its_left_side() -> None:
    rows = (
        "Quantity | Symbol | Formula",
        "---|---|---",
        r"Conductance | $C$ | $\frac{k A}{L}$",
        "Biot number | Bi | h L / k",
    )
    text = "# Heat\n\n" + "".join(f"| {row} |\n" for row in rows)
    assert computed(text) == ["C = k*A/L", "Bi = h*L/k"]


def test_an_expression_that_cannot_be_read_is_kept_as_a_guess() -> None:
    (finding,) = findings_of(_TABLE.format(title="formula", name="Torque", cell="F × (r + / 2", unit=""))
    assert (finding.status, finding.reason_code) == ("declined", "uncertain_reading")


SAID = (
    ("- scrap rate: rejected metres divided by all metres woven", ["scrap_rate = rejected_metres/all_metres_woven"]),
    (
        "Utilisation is the actual output divided by the potential output, times 100.",
        ["Utilisation = actual_output/potential_output*100"],
    ),
    (
        "Net profit is the difference between total revenue and total costs.",
        ["Net_profit = total_revenue - total_costs"],
    ),
    (
        "The moisture is the wet mass minus the dry mass, divided by the dry mass.",
        ["moisture = (wet_mass - dry_mass)/dry_mass"],
    ),
    (r"The stress $\sigma$ is the force $F$ divided by the area $A$.", ["sigma = F/A"]),
    ("Occupancy is the ratio of rooms sold to rooms available.", ["Occupancy = rooms_sold/rooms_available"]),
    (
        "Total cost is the sum of labour cost, material cost and overhead.",
        ["Total_cost = labour_cost + material_cost + overhead"],
    ),
    ("To find the density, divide the mass by the volume.", ["density = mass/volume"]),
    (
        "Attendance is pupils present as a percentage of pupils enrolled.",
        ["Attendance = pupils_present/pupils_enrolled*(100/100)"],
    ),
    # What could mean two things, says more than a name, or states no equality.
    ("The load is the mass plus the tare divided by the number of axles.", []),
    ("The fee is not the price divided by the term.", []),
    ("The yield is about the crop divided by the area.", []),
    ("It is the crop divided by the area.", []),
    ("The speed is 100 km divided by 2 h.", []),
    ("If the mass is doubled, the force is mass times acceleration.", []),
    ("What is the crop divided by the area?", []),
)


@pytest.mark.parametrize(("text", "formulas"), SAID)
def test_definitions_said_in_words(text: str, formulas: list[str]) -> None:
    assert computed(f"# Notes\n\n{text}\n") == formulas


def test_what_is_counted_per_unit_has_that_unit() -> None:
    text = "# Loom\n\n$$P = 60 n$$\n\nwhere P is picks per hour and n is picks per minute.\n"
    (finding,) = findings_of(text)
    assert {one.name: one.unit for one in finding.symbols} == {"P": "1/h", "n": "1/min"}
    assert "number_equation" in {flag.code for flag in finding.flags}
