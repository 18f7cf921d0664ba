"""What must hold for any values: a formula solved for each of its symbols gives them back, whatever the units."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from computed_formulas import formula
from mathrag.compute.printers.units import latex_unit, plain_unit
from mathrag.knowledge.units import read_unit
from mathrag.reason.computing import StepFailure, compute_step
from mathrag.reason.computing.worked_lines import latex_number, number_parts, plain_number
from mathrag.types.answer import Bound, PlannedStep, Provenance, Step
from mathrag.types.expression import equation_symbols
from mathrag.types.library import Formula
from mathrag.types.quantity import Quantity, Unit

# A formula with, for each symbol but the one it is written for, two units that it may be given in.
FORMULAS: list[tuple[str, dict[str, tuple[str, str]], str]] = [
    ("F = m a", {"m": ("kg", "lb"), "a": ("m/s^2", "km/h/s")}, "kN"),
    (r"K = \frac{1}{2} m v^2", {"m": ("kg", "g"), "v": ("m/s", "mi/h")}, "kJ"),
    (r"v = \sqrt{\frac{3 E}{M}}", {"E": ("J/mol", "L*atm/mol"), "M": ("kg/mol", "g/mol")}, "km/s"),
    (r"\frac{1}{f} = \frac{1}{a} + \frac{1}{b}", {"a": ("m", "cm"), "b": ("m", "inch")}, "mm"),
    (r"N = N_0 e^{-\lambda t}", {"N_0": ("", ""), "lambda_": ("1/s", "1/min"), "t": ("s", "min")}, ""),
    (r"p = p_0 + w h", {"p_0": ("Pa", "atm"), "w": ("N/m^3", "kN/m^3"), "h": ("m", "ft")}, "bar"),
    (r"L = 10 \log_{10}\left(\frac{I}{I_0}\right)", {"I": ("W/m^2", "mW/m^2"), "I_0": ("W/m^2", "W/m^2")}, ""),
    (r"\ln k = \ln A - \frac{E}{w}", {"A": ("1/s", "1/h"), "E": ("J/mol", "kJ/mol"), "w": ("J/mol", "J/mol")}, "1/min"),
]


def bound(name: str, quantity: Quantity) -> Bound:
    return Bound(name, Provenance("question", ""), quantity)


def computed(item: Formula, target: str, values: dict[str, Quantity], unit: Unit | None = None) -> Step | StepFailure:
    assert item.equation is not None
    bindings = tuple(bound(name, quantity) for name, quantity in values.items() if name != target)
    return compute_step(PlannedStep(item, item.equation, target, bindings), 1, results={}, unit=unit)


def written_for(source: str, given_units: dict[str, tuple[str, str]]) -> str:
    equation = formula(source).equation
    assert equation is not None
    return next(name for name in equation_symbols(equation) if name not in given_units)


@pytest.mark.parametrize(("source", "units", "asked"), FORMULAS, ids=[case[0] for case in FORMULAS])
@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_solving_for_each_symbol_gives_it_back(
    source: str, units: dict[str, tuple[str, str]], asked: str, data: st.DataObject
) -> None:
    item = formula(source)
    target = written_for(source, units)
    values = {
        name: Quantity(data.draw(st.floats(0.2, 5.0), label=name), read_unit(data.draw(st.sampled_from(texts))))
        if any(texts)
        else Quantity(data.draw(st.floats(0.2, 5.0), label=name))
        for name, texts in units.items()
    }
    forward = computed(item, target, values)
    assume(isinstance(forward, Step))
    assert isinstance(forward, Step)
    assume(1e-200 < abs(forward.result.si_value) < 1e200)
    everything = {**values, target: forward.result}
    for name in values:
        back = computed(item, name, everything)
        if isinstance(back, StepFailure):
            # Rounding may put a value a hair outside a domain; nothing else may fail.
            assert back.code in ("domain", "no_solution", "division_by_zero", "underflow", "overflow"), back
            continue
        results = [back.result.si_value, *(other.si_value for other in back.others)]
        again = [
            computed(item, target, {**values, name: Quantity(each, Unit("", back.result.dimension))})
            for each in results
        ]
        for each in again:
            assert isinstance(each, Step)
            assert each.result.si_value == pytest.approx(forward.result.si_value, rel=1e-5)
    if asked:
        shown = computed(item, target, values, read_unit(asked))
        assert isinstance(shown, Step)
        assert shown.result.si_value == pytest.approx(forward.result.si_value, rel=1e-12)


@given(
    value=st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**30), 10**30), figures=st.integers(1, 12)
)
def test_printed_numbers_keep_their_figures(value: float, figures: int) -> None:
    mantissa, power = number_parts(value, figures)
    printed = float(f"{mantissa}e{power}") if power else float(mantissa)
    if value and not math.isinf(printed):
        assert printed == pytest.approx(float(value), rel=0.51 * 10 ** (1 - figures) + 1e-12)
    assert plain_number(value, figures).replace("−", "-").startswith(mantissa)
    assert latex_number(value, figures).startswith(mantissa)


@pytest.mark.parametrize(
    ("text", "plain", "latex"),
    [
        ("", "", ""),
        ("m/s^2", "m/s²", r"\,\mathrm{m/s^{2}}"),
        ("kg*m^2/(s^2*mol)", "kg·m²/(s²·mol)", r"\,\mathrm{kg\,m^{2}/(s^{2}\,mol)}"),
        ("degC", "°C", r"\,\mathrm{{}^{\circ}C}"),
        ("deg", "°", r"\mathrm{{}^{\circ}}"),
        ("um", "µm", r"\,\mathrm{\mu m}"),
        ("u", "u", r"\,\mathrm{u}"),
        ("kohm", "kΩ", r"\,\mathrm{k\Omega}"),
        ("uohm", "µΩ", r"\,\mathrm{\mu \Omega}"),
        ("percent", "%", r"\,\mathrm{\%}"),
        ("V/m^(1/2)", "V/m^(1/2)", r"\,\mathrm{V/m^{1/2}}"),
    ],
)
def test_units_are_printed_for_people(text: str, plain: str, latex: str) -> None:
    assert plain_unit(text) == plain
    assert latex_unit(text) == latex
