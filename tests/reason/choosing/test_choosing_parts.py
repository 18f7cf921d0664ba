"""Slots, evidence, pairing, regimes, chains and confidence, each on formulas small enough to judge by eye."""

from __future__ import annotations

import math
import re
import tomllib
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mathrag
from computed_formulas import formula, quantity
from mathrag.language.stems import stems
from mathrag.reason.choosing import confidence
from mathrag.reason.choosing.chains import ChainSearch, link_evidence
from mathrag.reason.choosing.names import SymbolName, best_match, make_names
from mathrag.reason.choosing.plans import Plan, single_step_plan
from mathrag.reason.choosing.question_view import view_question
from mathrag.reason.choosing.regimes import SPEED_OF_LIGHT, regime_evidence
from mathrag.reason.choosing.scores import ScoredStep, Scorer
from mathrag.reason.choosing.slots import Candidate, Slot, candidates_of
from mathrag.reason.choosing.value_evidence import state_evidence, symbol_evidence
from mathrag.reason.choosing.weights import GROUPS, read_weights, total_worth, weights
from mathrag.reason.question import read_question
from mathrag.retrieve.candidates import FoundFormula
from mathrag.types.library import Formula
from mathrag.types.quantity import Quantity
from mathrag.types.symbol_names import split_name

KINETIC = formula(
    r"E_k = \frac{1}{2} m v^2",
    {
        "E_k": {"kind": "kinetic_energy", "description": "kinetic energy"},
        "m": {"kind": "mass", "description": "mass"},
        "v": {"kind": "speed", "description": "speed"},
    },
    label="Kinetic energy",
)
COLLISION = formula(
    r"p = m_1 v_1 + m_2 v_2",
    {
        "p": {"kind": "momentum", "description": "total momentum"},
        "m_1": {"kind": "mass", "description": "mass of the first body"},
        "v_1": {"kind": "speed", "description": "speed of the first body"},
        "m_2": {"kind": "mass", "description": "mass of the second body"},
        "v_2": {"kind": "speed", "description": "speed of the second body"},
    },
    label="Total momentum",
)
AVERAGE = replace(
    formula(
        r"v = \frac{d}{t}",
        {
            "v": {"kind": "speed", "description": "speed"},
            "d": {"kind": "distance", "description": "distance"},
            "t": {"kind": "time", "description": "time"},
        },
        label="Average speed",
    ),
    id="formula-2",
)


def candidate(item: Formula) -> Candidate:
    return candidates_of(item)[0]


def slot_of(made: Candidate, symbol: str) -> Slot:
    return next(slot for slot in made.slots if slot.symbol == symbol)


def scorer(text: str) -> Scorer:
    return Scorer(view_question(read_question(text)), weights())


def found(item: Formula, words: float = 0.0, meaning: float = 0.0) -> FoundFormula:
    return FoundFormula(item, words, meaning, 1, ())


def best(text: str, item: Formula) -> ScoredStep:
    plans = scorer(text).score(candidate(item), found(item, 1.0, 0.5), is_asked=True)
    return max(plans, key=lambda plan: plan.score)


def bound(text: str, item: Formula) -> dict[str, str]:
    """Which words of the question stand for which symbol in the best plan."""
    plan = best(text, item)
    view = view_question(read_question(text))
    slots = plan.candidate.slots
    return {slots[slot].symbol: view.values[value].given.text for slot, value in plan.pairs}


def test_slots_know_their_dimension_and_names() -> None:
    made = candidate(KINETIC)
    assert {slot.symbol: slot.dimension for slot in made.slots} == {"E_k": "m^2*kg/s^2", "m": "kg", "v": "m/s"}
    assert ("mass",) in {name.stems for name in slot_of(made, "m").names}
    assert all(0 < name.trust <= 1 for slot in made.slots for name in slot.names)
    assert not any(slot.is_constant for slot in made.slots)


def test_slots_with_an_index() -> None:
    made = candidate(COLLISION)
    assert {slot.symbol: slot.index for slot in made.slots} == {"p": None, "m_1": 1, "v_1": 1, "m_2": 2, "v_2": 2}


def test_what_cannot_be_computed_is_no_candidate() -> None:
    assert candidates_of(replace(KINETIC, status="quarantined")) == ()
    assert candidates_of(replace(KINETIC, equation=None, status="declined")) == ()


@pytest.mark.parametrize(
    ("typed", "least", "most"), [("m", 1.0, 1.0), ("M", 0.0, 0.5), ("m_1", 0.0, 0.5), ("q", -1.0, 0.0)]
)
def test_a_symbol_typed(typed: str, least: float, most: float) -> None:
    found = symbol_evidence(split_name(typed), slot_of(candidate(KINETIC), "m"))
    assert least <= found <= most


def test_states_agree_or_oppose() -> None:
    assert state_evidence(frozenset(("initial",)), frozenset(("initial",))) == 1.0
    assert state_evidence(frozenset(("initial",)), frozenset(("final",))) == -1.0
    assert state_evidence(frozenset(), frozenset(("final",))) == 0.0


@given(
    names=st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3, unique=True), max_size=4),
    words=st.lists(st.sampled_from("abcdef"), max_size=5),
)
def test_a_match_of_words_is_a_share(names: list[list[str]], words: list[str]) -> None:
    made = [SymbolName(tuple(stems), 1.0) for stems in names]
    found = best_match(made, words)
    assert 0.0 <= found <= 1.0
    assert (found == 0.0) == (not any(set(stems) & set(words) for stems in names))
    if any(set(stems) == set(words) for stems in names):
        assert found == 1.0


@given(
    kind=st.sampled_from([None, "mass", "speed", "kinetic_energy"]),
    letters=st.lists(st.sampled_from(["mass", "time", "molar_mass"]), max_size=2, unique=True),
    description=st.sampled_from(["", "mass of the ball", "speed", "time it takes"]),
    words=st.lists(st.sampled_from([*stems("mass of the moving ball speed time energy kinetic"), "x"]), max_size=5),
)
def test_names_that_many_share_are_compared_like_any(
    kind: str | None, letters: list[str], description: str, words: list[str]
) -> None:
    made = make_names(description, kind=kind, letter_kinds=letters, letter_trust=0.75)
    assert best_match(made, words) == best_match(list(made), words)
    assert made.first == next((name.stems for name in made), ())
    assert all(made.has(word) == any(word in name.stems for name in made) for word in words)
    assert made.telling == {word for name in made if name.trust >= 0.75 for word in name.stems}


@pytest.mark.parametrize(
    ("text", "target", "values"),
    [
        ("What is the kinetic energy of a mass of 2 kg at 3 m/s?", "E_k", {"m": "2 kg", "v": "3 m/s"}),
        ("A mass of 2 kg has a kinetic energy of 9 J. How fast is it?", "v", {"m": "2 kg", "E_k": "9 J"}),
        ("find m for E_k = 9 J and v = 3 m/s", "m", {"E_k": "9 J", "v": "3 m/s"}),
    ],
)
def test_unknown_and_values_are_chosen_together(text: str, target: str, values: dict[str, str]) -> None:
    assert best(text, KINETIC).slot.symbol == target
    assert bound(text, KINETIC) == values


def test_what_is_missing_is_told_and_costs() -> None:
    whole = best("What is the kinetic energy of a mass of 2 kg at a speed of 3 m/s?", KINETIC)
    partial = best("What is the kinetic energy of a body at a speed of 3 m/s?", KINETIC)
    assert whole.missing == ()
    assert [partial.candidate.slots[place].symbol for place in partial.missing] == ["m"]
    assert partial.score < whole.score


def test_a_value_of_another_dimension_never_stands_in() -> None:
    plan = best("What is the kinetic energy of a mass of 2 kg with a temperature of 300 K?", KINETIC)
    filled = {plan.candidate.slots[slot].symbol for slot, _ in plan.pairs}
    assert filled == {"m"}
    assert len(plan.unused) == 1


def test_values_stated_together_share_an_index() -> None:
    text = "What is the total momentum of a body of 2 kg at 3 m/s and another of 5 kg at 7 m/s?"
    found = bound(text, COLLISION)
    pairs = {(found["m_1"], found["v_1"]), (found["m_2"], found["v_2"])}
    assert pairs == {("2 kg", "3 m/s"), ("5 kg", "7 m/s")}


@pytest.mark.parametrize(("share", "expected"), [(1e-6, 0.0), (0.05, 0.0), (0.5, 1.0), (0.9, 1.0), (1.0, 0.0)])
def test_classical_formulas_end_near_the_speed_of_light(share: float, expected: float) -> None:
    made = candidate(KINETIC)
    value = Quantity(share * SPEED_OF_LIGHT, quantity("1 m/s").unit)
    assert regime_evidence(made, [(slot_of(made, "v"), value)]) == expected


def test_no_speed_no_regime() -> None:
    made = candidate(KINETIC)
    assert regime_evidence(made, [(slot_of(made, "m"), quantity("2 kg"))]) == 0.0


def test_a_missing_value_is_derived_from_what_is_left_over() -> None:
    made = scorer("What is the kinetic energy of a mass of 2 kg that covers a distance of 12 m in a time of 4 s?")
    plans = made.score(candidate(KINETIC), found(KINETIC, 1.0, 0.5), is_asked=True)
    chains = ChainSearch(made, lambda _dimension, _free: [candidate(AVERAGE), candidate(KINETIC)]).chains(plans)
    chosen = max(chains, key=lambda plan: plan.score)
    assert chosen.is_complete
    assert [part.step.slot.symbol for part in chosen.steps()] == ["v", "E_k"]
    assert chosen.hops == 1
    assert len(chosen.taken()) == 3
    for plan in chains:
        *inner, last = plan.steps()
        outer = {value for _, value in last.step.pairs}
        assert all({value for _, value in part.step.pairs} - outer for part in inner)


def test_nothing_left_over_no_chain() -> None:
    made = scorer("What is the kinetic energy of a mass of 2 kg?")
    plans = made.score(candidate(KINETIC), found(KINETIC, 1.0, 0.5), is_asked=True)
    assert ChainSearch(made, lambda _dimension, _free: [candidate(AVERAGE)]).chains(plans) == []


def test_links_between_formulas() -> None:
    same = link_evidence(slot_of(candidate(KINETIC), "v"), slot_of(candidate(AVERAGE), "v"))
    assert same["link_kind"] == same["link_symbol"] == 1.0
    other = link_evidence(slot_of(candidate(KINETIC), "m"), slot_of(candidate(AVERAGE), "d"))
    assert other["link_kind"] < 0
    assert other["link_symbol"] == 0.0


DATA = resources.files("mathrag.reason.choosing").joinpath("data")


def test_every_piece_of_evidence_has_a_weight() -> None:
    """What a plan or a chain counts is in the file, and the file has nothing that is counted nowhere."""
    table = weights()
    made = scorer("A mass of 2 kg covers 12 m in 4 s; v_0 = 0. What is its kinetic energy in kJ?")
    plans = [
        plan
        for item in (KINETIC, AVERAGE, COLLISION)
        for plan in made.score(candidate(item), found(item), is_asked=True)
    ]
    chains = ChainSearch(made, lambda _dimension, _free: [candidate(AVERAGE)]).chains(plans)
    for evidence in (*(plan.evidence for plan in plans), *(chain.evidence for chain in chains)):
        assert set(evidence) <= set(table)
        assert math.isfinite(total_worth(evidence, table))
    folder = Path(mathrag.__file__).parent / "reason" / "choosing"
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    for name in table:
        assert re.search(rf'["\s]{name}["\s]', code), f"{name} is counted nowhere"


def test_the_files_of_weights_are_complete() -> None:
    groups = tomllib.loads(DATA.joinpath("weights.toml").read_text(encoding="utf-8"))
    assert set(groups) == set(GROUPS)
    names = [name for group in groups.values() for name in group]
    assert len(names) == len(set(names)) == len(weights())
    assert all(math.isfinite(value) for value in weights().values())
    for cost in ("missing", "unused", "hops", "conflict", "target_other"):
        assert weights()[cost] < 0
    assert read_weights(DATA.joinpath("weights.toml").read_text(encoding="utf-8")) == dict(weights())


@pytest.mark.parametrize("file", ["evidence", "thresholds"])
def test_every_number_of_the_data_is_read_somewhere(file: str) -> None:
    folder = Path(mathrag.__file__).parent / "reason"
    code = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    for group, numbers in tomllib.loads(DATA.joinpath(f"{file}.toml").read_text(encoding="utf-8")).items():
        assert f'("{group}")' in code, f"[{group}] of {file}.toml is read nowhere"
        for name, value in numbers.items():
            assert math.isfinite(value)
            assert f'"{name}"' in code, f"{group}.{name} of {file}.toml is read nowhere"


def plan_of(text: str, item: Formula) -> Plan:
    return single_step_plan(best(text, item))


KINETIC_ASKED = "What is the kinetic energy of a mass of 2 kg at 3 m/s?"
SMALL, LARGE = 10, 10_000


def test_every_feature_that_counts_is_one_or_is_evidence() -> None:
    model = confidence.confidence_model()
    view = view_question(read_question(KINETIC_ASKED))
    flags = {"broken": 0.0, "ungrounded": 0.0}
    found = confidence.ranking_features([plan_of(KINETIC_ASKED, KINETIC)], [quantity("9 J")], view=view, flags=flags)
    assert set(model.weights) - {"intercept"} <= {*found, *weights()}
    assert set(model.ranges) == set(model.weights) - {"intercept"}
    assert all(low <= high for low, high in model.ranges.values())
    assert 0 < model.show < model.answer <= 1
    for formulas in (SMALL, LARGE):
        assert 0 < model.sure(found, formulas) < 1


@given(
    st.dictionaries(
        st.sampled_from(sorted(set(confidence.confidence_model().weights) - {"intercept"})), st.floats(-1e6, 1e6)
    )
)
def test_a_probability_is_one(found: dict[str, float]) -> None:
    for formulas in (SMALL, LARGE):
        assert 0.0 <= confidence.confidence_model().sure(found, formulas) <= 1.0


def test_what_rivals_do_to_confidence() -> None:
    def sure(plans: list[Plan], values: list[Quantity | None]) -> float:
        return confidence.confidence_model().raw(confidence.ranking_features(plans, values))

    plan, value = plan_of(KINETIC_ASKED, KINETIC), quantity("9 J")
    rival = replace(plan, score=plan.score - 0.1)
    alone = sure([plan], [value])
    assert alone == sure([plan, rival], [value, value])
    assert sure([plan, rival], [value, quantity("7 J")]) < alone
    lacking = replace(
        plan_of("What is the kinetic energy of a body at a speed of 3 m/s?", KINETIC), score=plan.score - 0.1
    )
    assert sure([plan, lacking], [value, None]) <= alone


def test_what_the_question_gives_is_hardly_ever_the_answer() -> None:
    view = view_question(read_question("What is the kinetic energy of a mass of 2 kg at 3 m/s after 9 J of work?"))
    plan = plan_of(KINETIC_ASKED, KINETIC)
    echoed = confidence.ranking_features([plan], [quantity("9 J")], view=view)
    other = confidence.ranking_features([plan], [quantity("8 J")], view=view)
    assert (echoed["echo"], other["echo"]) == (1.0, 0.0)
    assert confidence.confidence_model().raw(echoed) < confidence.confidence_model().raw(other)


def test_a_result_of_another_dimension_than_what_is_asked_counts_against_a_plan() -> None:
    view = view_question(read_question(KINETIC_ASKED))
    plan = plan_of(KINETIC_ASKED, KINETIC)
    found = [confidence.ranking_features([plan], [quantity(each)], view=view) for each in ("9 J", "9 kg")]
    assert [each["asked_dimension"] for each in found] == [1.0, -1.0]
    assert [each["dimension_broken"] for each in found] == [0.0, 1.0]


INELASTIC = formula(
    r"m_1 v_1 + m_2 v_2 = (m_1 + m_2) v'",
    {
        "m_1": {"kind": "mass", "description": "first mass"},
        "v_1": {"kind": "velocity", "description": "first velocity"},
        "m_2": {"kind": "mass", "description": "second mass"},
        "v_2": {"kind": "velocity", "description": "second velocity"},
        "v_prime": {"kind": "velocity", "description": "final velocity"},
    },
    label="Perfectly inelastic collision",
)


def _slots_of(found: Formula) -> dict[str, Slot]:
    return {slot.symbol: slot for slot in candidates_of(found)[0].slots}


def test_beside_a_prime_numbers_tell_things_apart_and_no_times() -> None:
    slots = _slots_of(INELASTIC)
    assert {"final", "after"} <= slots["v_prime"].states
    assert "final" not in slots["v_2"].states
    assert "body_2" in slots["v_2"].states
    assert "initial" in _slots_of(COLLISION)["v_1"].states


def test_the_first_value_stated_goes_with_the_first_slot_that_is_not_asked_for() -> None:
    question = read_question("Find v' after a 60 kg sled at 6 m/s meets a 30 kg sled at 1 m/s.")
    scorer = Scorer(view_question(question), weights())
    candidate = candidates_of(INELASTIC)[0]
    target = next(place for place, slot in enumerate(candidate.slots) if slot.symbol == "v_prime")
    plan = scorer.plan(candidate, target, {})
    bound = {candidate.slots[slot].symbol: scorer.view.values[value].given.text for slot, value in plan.pairs}
    assert bound == {"m_1": "60 kg", "v_1": "6 m/s", "m_2": "30 kg", "v_2": "1 m/s"}


def test_a_number_in_words_that_counts_the_values_is_none_itself() -> None:
    seen = view_question(read_question("Two charges of 4 uC and 9 uC are 3 m apart.")).values
    assert [one.given.text for one in seen] == ["4 uC", "9 uC", "3 m"]


def test_the_same_value_of_a_second_thing_may_stay_unused() -> None:
    seen = view_question(read_question("Two tin discs, 0.04 m^2 each, lie 3 mm apart.")).values
    assert [one.is_copy for one in seen] == [False, True, False]


def test_a_symbol_with_two_values_speaks_against_no_slot() -> None:
    seen = view_question(read_question("7 kg at x = -2 m and 3 kg at x = 8 m")).values
    assert [one.is_symbol_shared for one in seen] == [False, True, False, True]


ESCAPE = formula(
    r"v = \sqrt{\frac{2 G M_E}{R_E}}",
    {
        "v": {"kind": "speed", "description": "escape velocity"},
        "G": {"constant": "newtonian_gravitational_constant", "role": "constant", "unit": "m^3/(kg*s^2)"},
        "M_E": {"constant": "earth_mass", "role": "constant", "unit": "kg"},
        "R_E": {"kind": "radius", "description": "radius"},
    },
    label="Escape velocity",
)


@pytest.mark.parametrize(("place", "is_missing"), [("the Earth", False), ("a planet", True)])
def test_the_mass_of_the_earth_is_no_constant_on_another_planet(place: str, is_missing: bool) -> None:
    question = read_question(f"What is the escape velocity from {place} with a radius of 5000 km?")
    scorer = Scorer(view_question(question), weights())
    candidate = candidates_of(ESCAPE)[0]
    target = next(index for index, slot in enumerate(candidate.slots) if slot.symbol == "v")
    assert bool(scorer.plan(candidate, target, {}).missing) == is_missing
