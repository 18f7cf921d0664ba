"""Saved answers: computed again they are the same, what changed is named, and hostile files only get an error."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.answer.replay import has_type, read_saved, replay, save_replay
from mathrag.compute.canonical import canonical_key
from mathrag.compute.latex import read_latex
from mathrag.errors import ReplayError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.reason.computing import compute_step
from mathrag.reason.direct import DirectResult, compute_directly
from mathrag.types.answer import Answer, Bound, PlannedStep, Provenance, Refusal, Reply, Row, Step
from mathrag.types.document import Place
from mathrag.types.expression import Equation, Number, Reading, Symbol
from mathrag.types.library import Formula, Span, SymbolMeaning
from mathrag.types.quantity import Quantity


def quantity(value: float, unit: str = "") -> Quantity:
    return Quantity(value, read_canonical_unit(unit))


def formula(identifier: str, latex: str, **units: str) -> Formula:
    reading = read_latex(latex, symbols=tuple(units))
    assert isinstance(reading, Reading)
    equation = reading.equations[0]
    symbols = tuple(
        SymbolMeaning(name, name, unit, read_canonical_unit(unit).dimension, origin="document")
        for name, unit in units.items()
    )
    spans = (Span("notes", Place(line=1), latex), Span("other", Place(line=2), latex))
    form = canonical_key(equation)
    return Formula(identifier, form, identifier, latex, "executable", spans, equation, symbols=symbols)


def said(symbol: str, value: float, unit: str) -> Bound:
    provenance = Provenance("question", f"{value} {unit}")
    return Bound(symbol, provenance, quantity(value, unit), significant_figures=3)


def answer() -> Answer:
    force = formula("force", "F = m a", F="N", m="kg", a="m/s^2")
    gas = formula("gas", "P V = n R T", P="Pa", V="m^3", n="mol", R="J/(mol*K)", T="K")
    work = formula("work", "W = F d", W="J", F="N", d="m")
    constant = Provenance("constant", "molar gas constant", source="CODATA 2022")
    plans = (
        (gas, "n", (said("P", 2, "Pa"), said("V", 1.5, "m^3"), said("T", 300, "K"))),
        (force, "F", (said("m", 2, "kg"), said("a", 3, "m/s^2"))),
        (work, "W", (Bound("F", Provenance("derived", "step 2", step=2)), said("d", 5, "m"))),
    )
    steps: dict[int, Step] = {}
    for number, (source, target, bindings) in enumerate(plans, start=1):
        assert source.equation is not None
        if source is gas:
            bindings = (*bindings, Bound("R", constant, quantity(8.31446261815324, "J/(mol*K)")))
        planned = PlannedStep(source, source.equation, target, tuple(bindings))
        step = compute_step(planned, number, results=steps)
        assert isinstance(step, Step), step
        steps[number] = step
    last = steps[3]
    return Answer("How much work?", last.result, 3, tuple(steps.values()), 0.9)


def lifted() -> Answer:
    rise = formula("rise", r"h = L \sin \theta", h="m", L="m", theta="rad")
    assert rise.equation is not None
    angle = Bound("theta", Provenance("question", "30"), quantity(30), significant_figures=2)
    step = compute_step(PlannedStep(rise, rise.equation, "h", (said("L", 4, "m"), angle)), 1, results={})
    assert isinstance(step, Step), step
    return Answer("How high?", step.result, 2, (step,), 0.9)


def test_how_a_number_was_taken_is_saved_and_read_from_older_files_too() -> None:
    text = save_replay(lifted())
    kept = read_saved(text).steps[0].bindings[1].provenance
    assert (kept.text, kept.taken) == ("30", "degrees")
    data = json.loads(text)
    origin = data["steps"][0]["bindings"][1]["provenance"]
    del origin["taken"]
    origin["text"] = "30, taken as degrees"
    older = json.dumps(data)
    assert read_saved(older).steps[0].bindings[1].provenance == kept
    assert replay(older).is_same
    assert replay(text).is_same


@pytest.mark.parametrize("taken", ["turns", 1, ["degrees"], None])
def test_a_number_taken_in_no_known_way_is_an_error(taken: object) -> None:
    data = json.loads(save_replay(lifted()))
    data["steps"][0]["bindings"][1]["provenance"]["taken"] = taken
    with pytest.raises(ReplayError):
        read_saved(json.dumps(data))


def changed(edit: Any, outcome: Answer | None = None) -> Any:
    data = json.loads(save_replay(outcome or answer()))
    edit(data)
    return replay(json.dumps(data))


def test_the_same_answer_again() -> None:
    text = save_replay(answer(), options={"unit": "J", "path": object()}, library={"formulas": 3}, trace=[{"round": 1}])
    report = replay(text)
    assert report.is_same, report.changes
    assert report.recomputed == 3
    assert report.value is not None
    assert report.value.value == pytest.approx(30)
    assert report.text.startswith("same: 30 J; 3 steps recomputed with version")
    saved = read_saved(text)
    assert saved.library == {"formulas": 3}
    assert saved.trace == ({"round": 1},)
    assert len(saved.steps[0].formula.spans) == 1
    assert json.loads(text)["mathrag_replay"] == 1


def test_a_changed_input_changes_every_result_that_uses_it() -> None:
    def edit(data: Any) -> None:
        data["steps"][1]["bindings"][0]["quantity"]["value"] = 4

    report = changed(edit)
    assert [(change.kind, change.step) for change in report.changes] == [("value", 2), ("value", 3), ("value", None)]
    assert "F was 6 N and is 12 N" in report.text
    assert report.text.startswith("changed")


def test_a_changed_result_is_seen() -> None:
    def edit(data: Any) -> None:
        data["steps"][2]["result"]["value"] = 31
        data["value"]["value"] = 31

    assert {change.kind for change in changed(edit).changes} == {"value"}


def test_a_changed_equation_is_seen() -> None:
    outcome = answer()
    step = outcome.steps[1]
    other = read_latex("F = m a + m a", symbols=("F", "m", "a"))
    assert isinstance(other, Reading)
    forged = replace(step.formula, equation=other.equations[0])
    steps = (outcome.steps[0], replace(step, formula=forged, equation=other.equations[0]), outcome.steps[2])
    report = replay(save_replay(replace(outcome, steps=steps)))
    assert {"formula", "value"} <= {change.kind for change in report.changes}


def test_a_library_that_changed_since() -> None:
    text = save_replay(answer())
    formulas = {step.formula.id: step.formula for step in answer().steps}
    assert replay(text, find_formula=formulas.get).is_same
    gone = replay(text, find_formula=lambda _: None)
    assert [change.kind for change in gone.changes] == ["formula"] * 3
    other = formula("force", "F = 2 m a", F="N", m="kg", a="m/s^2")
    report = replay(text, find_formula=lambda name: other if name == "force" else formulas[name])
    assert [(change.kind, change.step) for change in report.changes] == [("formula", 2)]


def test_a_constant_of_another_vintage() -> None:
    def vintage(data: Any) -> None:
        data["steps"][0]["bindings"][3]["provenance"]["source"] = "CODATA 2014"

    report = changed(vintage)
    assert [change.kind for change in report.changes] == ["constant"]
    assert "CODATA 2014" in report.text

    def value(data: Any) -> None:
        vintage(data)
        data["steps"][0]["bindings"][3]["quantity"]["value"] = 8.31

    assert {change.kind for change in changed(value).changes} >= {"constant", "value"}


def test_a_step_that_can_no_longer_be_computed() -> None:
    def edit(data: Any) -> None:
        data["steps"][1]["bindings"].pop()

    report = changed(edit)
    assert report.recomputed == 1
    assert [change.kind for change in report.changes] == ["failure"]
    assert report.value is None


def test_tables() -> None:
    outcome = answer()
    rows = (Row((("d", "5 m"),), quantity(30, "J")), Row((("d", "7 m"),), quantity(42, "J")))
    assert replay(save_replay(replace(outcome, rows=rows))).is_same
    wrong = (*rows, Row((("d", "9 m"),), quantity(42, "J")), Row((("d", "long"),), quantity(42, "J")))
    report = replay(save_replay(replace(outcome, rows=wrong)))
    assert [change.message[:5] for change in report.changes] == ["row 3", "row 4"]


@pytest.mark.parametrize("text", ["7^222 mod 13", "60 mph in m/s", "2^13000", "1/3 + 1/6", "what is 15 % of 80?"])
def test_answers_without_a_formula(text: str) -> None:
    found = compute_directly(text)
    assert isinstance(found, DirectResult)
    outcome = Answer(text, found.quantity, 3, (), 1.0, exact=found.exact, provenance=found.provenance)
    report = replay(save_replay(outcome))
    assert report.is_same, report.text
    assert not replay(save_replay(replace(outcome, quantity=quantity(1.5, "m/s"), exact="9"))).is_same


def test_a_constant_that_was_asked_for() -> None:
    origin = Provenance("constant", "Faraday constant", source="CODATA 2014")
    outcome = Answer(
        "the constant of our notes, please", quantity(96485.33212, "C/mol"), 6, (), 1.0, provenance=(origin,)
    )
    report = replay(save_replay(outcome))
    assert [change.kind for change in report.changes] == ["constant"]


def test_refusals_and_replies_have_nothing_to_compute() -> None:
    for outcome in (Refusal("q", "missing", "needs m"), Reply("hello", "Hello.")):
        report = replay(save_replay(outcome))
        assert report.is_same
        assert report.recomputed == 0
        assert "nothing to compute" in report.text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"mathrag_replay": 2}',
        '{"mathrag_replay": true, "outcome": "answered"}',
        '{"mathrag_replay": 1}',
        '{"mathrag_replay": 1, "outcome": "answered", "question": 5}',
        '{"mathrag_replay": 1, "outcome": "answered", "steps": {}}',
        '{"mathrag_replay": 1, "outcome": "answered", "steps": [1]}',
        '{"mathrag_replay": 1, "outcome": "answered", "value": {"$": "Quantity", "value": "5"}}',
        '{"mathrag_replay": 1, "outcome": "answered", "value": {"$": "os.system", "value": 5}}',
        '{"mathrag_replay": 1, "outcome": "answered", "value": {"$": "Span"}}',
        '{"mathrag_replay": 1, "outcome": "answered", "value": NaN}',
        '{"mathrag_replay": 1, "outcome": "answered", "value": {"$": "Quantity", "value": 1e999}}',
        '{"mathrag_replay": 1, "outcome": "answered", "rows": [{"values": [["a"]]}]}',
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 100_000,
        " " * 9_000_000,
        "\x00",
        "import os",
    ],
)
def test_hostile_files(text: str) -> None:
    with pytest.raises(ReplayError) as caught:
        replay(text)
    assert len(str(caught.value)) < 400
    assert str(caught.value).isprintable()


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        found += _paths(item, (*path, key))
    return found


SAVED = json.loads(save_replay(answer()))
PATHS = [path for path in _paths(SAVED) if path]
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.just([]),
    st.just({}),
    st.just({"$": "Number", "value": -1}),
    st.just({"$": "Symbol", "name": "x"}),
    st.just({"$dimension": "1 1"}),
    st.just(10**400),
)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.sampled_from(PATHS), JUNK)
def test_a_file_damaged_anywhere_gives_a_report_or_a_clear_error(path: tuple[Any, ...], junk: Any) -> None:
    data = json.loads(json.dumps(SAVED))
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = junk
    try:
        report = replay(json.dumps(data))
    except ReplayError:
        return
    assert report.text


def test_a_bomb_in_an_equation_is_a_change_and_not_a_crash() -> None:
    def edit(data: Any) -> None:
        tower: Any = {"$": "Number", "value": 9}
        for _ in range(6):
            tower = {"$": "Power", "base": {"$": "Number", "value": 9}, "exponent": tower}
        data["steps"][1]["equation"]["right"] = tower

    assert not changed(edit).is_same

    def deep(data: Any) -> None:
        tree: Any = {"$": "Symbol", "name": "m"}
        for _ in range(130):
            tree = {"$": "Negate", "operand": tree}
        data["steps"][1]["equation"]["right"] = tree

    with pytest.raises(ReplayError, match="larger than any real formula"):
        changed(deep)


def test_types_all_the_way_down() -> None:
    assert has_type(Equation(Symbol("a"), Number(Decimal("1.5"))), Equation)
    assert not has_type(Equation(Symbol("a"), "b"), Equation)  # type: ignore[arg-type]
    assert not has_type(Quantity("5"), Quantity)  # type: ignore[arg-type]
    assert has_type(Quantity(5, uncertainty=None), Quantity)
    assert not has_type(Quantity(float("nan")), Quantity)
