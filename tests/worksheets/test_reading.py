"""The grammar of worksheets: what is read, where it stops, and that what was read is written back."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mathrag.errors import UsageError
from mathrag.types.expression import Divide, Measure, Multiply
from mathrag.worksheets.lines import Assignment, Goal, Plot, Question, Spread, System, Unread, Value
from mathrag.worksheets.reading import read_line, read_worksheet
from mathrag.worksheets.writing import write_line, write_worksheet


def tree(text: str) -> object:
    line = read_line(text)
    assert isinstance(line, Assignment), line
    return line.formula.tree


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("x = 3 m", "m"),
        ("x = 3 m/s^2", "m/s^2"),
        ("x = 3 kg*m/s²", "kg*m/s^2"),
        ("x = 8.3 J/(mol K)", "J/(mol*K)"),
        ("x = 5 N m", "N*m"),
        ("x = 4 [m/t]", "m/tonne"),
        ("x = 5 %", "percent"),
        ("x = 3 in", "inch"),
    ],
)
def test_a_number_takes_the_unit_behind_it(text: str, unit: str) -> None:
    found = tree(text)
    assert isinstance(found, Measure)
    assert found.unit == unit


def test_a_blank_ends_a_unit() -> None:
    assert isinstance(tree("x = 10 m / t"), Divide)
    assert isinstance(tree("x = 10 m*q"), Multiply)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("x = 2 x1", 6, "2*x1"),
        ("x = m*", 6, "value is missing"),
        ("x =", 3, "expected a value"),
        ("x = 3 m ->", 10, "expected a unit"),
        ("x = 3 m -> blorp", 11, "blorp"),
        ("x = 1/2 kg", 6, "divisor"),
        ("if = 3", 0, "choose another"),
        ("sin = 3", 0, "choose another"),
        ("solve x + y = 5 for x, y", 20, "need as many equations"),
        ("solve x + y for x", 6, "one ="),
        ("solve x = 5", 11, "expected 'for'"),
        ("plot E", 6, "expected 'for'"),
        ("plot E for v = 3 m/s", 14, "' .. '"),
        ("goal E = 1 J", 12, "expected 'by'"),
        ("montecarlo E 7", 13, "from 100 to 100,000"),
        ("montecarlo E 1e9", 13, "whole number"),
        ("worst E F", 9, "nothing behind"),
        ("#no blank", 0, "expected a blank"),
        ("just some words", 5, 'text begins with "'),
        ("x = __import__('os')", 4, "underscore"),
        ("x = a.b", 5, "attribute"),
        ("? what is {1+1}", 11, "name between the braces"),
        ("E = [kinetic energy](m, 3)", 23, "symbol = value"),
        ("E = [kinetic energy](m, m)", 20, "twice"),
        ("x = 2\u202e kg", 5, "invisible"),
    ],
)
def test_an_error_names_its_place_and_what_was_expected(text: str, column: int, words: str) -> None:
    line = read_line(text)
    assert isinstance(line, Unread), line
    assert (line.column, words in line.reason) == (column, True), line


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("m = 1200 ± 15 kg", Value),
        ("m = 10 +/- 0.1 V uniform", Value),
        ("goal = 5", Assignment),
        ("solve a + b = 3, a = b for a, b", System),
        ("plot E for v = 0 .. 40 m/s -> kJ", Plot),
        ("goal E = 1 MJ by v in 0 m/s .. 100 m/s as u", Goal),
        ("montecarlo E 5000 seed 3", Spread),
        ("? how far is {v} in {t}", Question),
    ],
)
def test_kinds_of_lines(text: str, kind: type) -> None:
    assert isinstance(read_line(text), kind)


NAMES = st.sampled_from(["a", "b_1", "mu", "λ", "E", "x2"])
UNITS = st.sampled_from(["", " m", " kg", " m/s^2", " J/(mol K)", " degC", " %"])
NUMBERS = st.sampled_from(["1", "2.5", "1e-3", "12_000", "0"])
AMOUNTS = st.builds(lambda number, unit: number + unit, NUMBERS, UNITS)
FORMULAS = st.recursive(
    st.one_of(NAMES, AMOUNTS),
    lambda inner: st.one_of(
        st.builds(lambda x, sign, y: f"({x}) {sign} ({y})", inner, st.sampled_from("+-*/"), inner),
        st.builds(lambda x: f"sqrt({x})", inner),
    ),
    max_leaves=6,
)
LINES = st.one_of(
    st.builds(lambda name, formula: f"{name}  =  {formula}", NAMES, FORMULAS),
    st.builds(lambda name, formula: f"{name} = {formula} -> km", NAMES, FORMULAS),
    st.builds(lambda name, number: f"{name} = {number} ± 0.1 kg", NAMES, NUMBERS),
    st.builds(lambda name, formula: f"{name} = [some law](m, v={formula})", NAMES, FORMULAS),
    st.builds(lambda x, y, name: f"solve {x} = {y} for {name}", FORMULAS, FORMULAS, NAMES),
    st.builds(lambda x, name, low, high: f"plot {x} for {name} = {low} .. {high}", FORMULAS, NAMES, AMOUNTS, AMOUNTS),
    st.builds(lambda x, y, name: f"goal {x} = {y} by {name} in 0 m .. 3 m as q", FORMULAS, AMOUNTS, NAMES),
    st.builds(lambda text: f'" {text}', st.text(max_size=20)),
    st.builds(lambda text: f"## {text}", st.text(max_size=20)),
    st.text(max_size=40),
)


@settings(max_examples=300, deadline=None)
@given(LINES)
@example('" \x1f')
@example("# \x85 \t")
def test_what_is_written_reads_back_to_the_same_line(text: str) -> None:
    line = read_line(text)
    assert read_line(write_line(line)) == line


@settings(max_examples=50, deadline=None)
@given(st.lists(LINES, max_size=8))
def test_a_sheet_reads_back(rows: list[str]) -> None:
    lines = read_worksheet("\n".join(rows))
    assert read_worksheet(write_worksheet(lines)) == lines


def test_more_than_anyone_writes_is_refused() -> None:
    with pytest.raises(UsageError, match="at most 500 lines"):
        read_worksheet("x = 1\n" * 501)
    with pytest.raises(UsageError, match="characters"):
        read_worksheet("x" * 100_001)
    assert isinstance(read_line("x = " + "1+" * 1500 + "1"), Unread)
    assert isinstance(read_line("x = " + "(" * 900 + "1" + ")" * 900), Unread)
