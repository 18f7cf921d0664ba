"""What a formula says beyond a question, what a question says beyond a formula, and what a finished plan shows."""

from __future__ import annotations

import pytest

from computed_formulas import formula
from mathrag.reason.choosing.plan_checks import examined
from mathrag.reason.choosing.plans import single_step_plan
from mathrag.reason.choosing.question_view import view_question
from mathrag.reason.choosing.scores import ScoredStep, Scorer
from mathrag.reason.choosing.slots import candidates_of
from mathrag.reason.choosing.weights import weights
from mathrag.reason.question import read_question
from mathrag.retrieve.candidates import FoundFormula
from mathrag.retrieve.rarity import Rarity, nearest_stems
from mathrag.types.library import Formula

GLIDER = formula(
    r"s = \sqrt{\frac{g_r}{L}}",
    {
        "s": {"kind": "speed", "description": "gliding speed of a seed"},
        "g_r": {"unit": "m^3/s^2", "description": "gliding ratio"},
        "L": {"kind": "length", "description": "length"},
    },
    label="Gliding speed of a maple seed",
)
SERIES = formula(
    r"C_s = C_1 + C_2",
    {
        "C_s": {"kind": "resistance", "description": "total resistance"},
        "C_1": {"kind": "resistance", "description": "first resistance"},
        "C_2": {"kind": "resistance", "description": "second resistance"},
    },
    label="Resistance of lamps in series",
)
ELECTRON = formula(
    r"p = m_e v",
    {
        "p": {"kind": "momentum", "description": "momentum"},
        "m_e": {"kind": "mass", "description": "mass", "constant": "electron_mass"},
        "v": {"kind": "speed", "description": "speed"},
    },
    label="Momentum",
)
SPRING = formula(
    "F = -k x",
    {
        "F": {"kind": "force", "description": "force"},
        "k": {"kind": "spring_constant", "description": "stiffness of the spring"},
        "x": {"kind": "length", "description": "length"},
    },
    label="Restoring force",
)
MIX = formula(
    r"f = \frac{a}{b}",
    {
        "f": {"kind": "ratio", "description": "ratio"},
        "a": {"kind": "mass", "description": "mass"},
        "b": {"kind": "mass", "description": "mass"},
    },
    label="Ratio of masses",
)


def scorer(text: str, rarity: Rarity | None = None) -> Scorer:
    view = view_question(read_question(text))
    return Scorer(view, weights()) if rarity is None else Scorer(view, weights(), rarity=rarity)


def best(made: Scorer, item: Formula) -> ScoredStep:
    plans = [
        plan
        for candidate in candidates_of(item)
        for plan in made.score(candidate, FoundFormula(item, 1.0, 0.5, 1, ()), is_asked=True)
    ]
    return max(plans, key=lambda plan: plan.score)


def library(*labels: str) -> Rarity:
    """A library of many plain formulas and a few with these labels."""
    plain = [frozenset(("speed", "resist"))] * 400
    return Rarity([*plain, *(nearest_stems(("Notes", label)) for label in labels)])


def test_a_word_of_one_formula_is_rare_and_a_word_of_all_is_not() -> None:
    rarity = library("Gliding speed of a maple seed")
    assert rarity("mapl") > 0.8 > 0.2 > rarity("speed")
    assert rarity("never seen") > 0.8


def test_in_a_small_library_nothing_is_rare() -> None:
    assert Rarity([frozenset(("mapl",)), frozenset(("seed",))])("mapl") < 0.2
    assert Rarity()("mapl") < 0.2


def test_what_is_particular_needs_support_in_the_question() -> None:
    rarity = library("Gliding speed of a maple seed")
    plain = scorer("What is the speed of a car 3 m long?", rarity).particulars.of_formula(candidates_of(GLIDER)[0])
    meant = scorer("What is the gliding speed of a maple seed 3 m long?", rarity).particulars
    assert plain["unsaid_label"] > 0.6
    assert meant.of_formula(candidates_of(GLIDER)[0])["unsaid_label"] < 0.1


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Two lamps of 20 ohm and 30 ohm burn in parallel. What is the total resistance?", 1),
        ("Two lamps of 20 ohm and 30 ohm burn in series. What is the total resistance?", 0),
        ("What is the total resistance of 20 ohm and 30 ohm?", 0),
        ("Is it series or parallel? What is the total resistance of 20 ohm and 30 ohm?", 0),
    ],
)
def test_a_formula_for_the_opposite(text: str, count: float) -> None:
    assert scorer(text).particulars.of_formula(candidates_of(SERIES)[0])["contrary"] == count


def test_what_changes_things_must_be_known_to_the_formula() -> None:
    asked = "What is the total resistance of 20 ohm and 30 ohm"
    evidence = [
        scorer(f"{asked}{more}?").particulars.of_formula(candidates_of(SERIES)[0])["unexplained"]
        for more in ("", " if the second is doubled and halfway submerged", " in series")
    ]
    assert evidence == [0.0, 3.0, 0.0]


def test_a_stated_mass_replaces_that_of_a_thing_not_spoken_of() -> None:
    made = scorer("What is the momentum of a cart of 3 kg at 2 m/s?")
    plan = best(made, ELECTRON)
    assert {made.view.values[value].given.text for _, value in plan.pairs} == {"3 kg", "2 m/s"}


def test_the_mass_of_a_thing_spoken_of_stays() -> None:
    plan = best(scorer("What is the momentum of an electron at 2 m/s?"), ELECTRON)
    assert len(plan.pairs) == 1
    assert not plan.missing


def test_without_a_mass_the_car_has_not_that_of_an_electron() -> None:
    assert best(scorer("What is the momentum of a car at 2 m/s?"), ELECTRON).missing


@pytest.mark.parametrize(
    ("text", "is_of_sizes"),
    [
        ("What is the stiffness of the spring if a force of 6 N goes with a length of 2 m?", True),
        ("What is the force at a length of 2 m with a spring stiffness of 3 N/m?", False),
        ("What is the stiffness of the spring if a force of -6 N goes with a length of 2 m?", False),
    ],
)
def test_a_minus_that_says_the_direction_is_left_out_where_only_a_size_makes_sense(
    text: str, is_of_sizes: bool
) -> None:
    assert best(scorer(text), SPRING).candidate.is_of_sizes is is_of_sizes


def test_a_sum_or_a_logarithm_has_no_such_minus() -> None:
    for source in (r"y = a - b", r"y = -\ln{x}", r"y = -(a + b)"):
        assert not any(each.is_of_sizes for each in candidates_of(formula(source)))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("What is the ratio of masses of 3 kg and 5 kg?", 1.0),
        ("What is the ratio of masses a = 3 kg and b = 5 kg?", 0.0),
    ],
)
def test_values_that_only_their_order_tells_apart(text: str, count: float) -> None:
    made = scorer(text)
    plan = examined(single_step_plan(best(made, MIX)), made)
    assert plan.evidence.get("undecided", 0.0) == count


def test_what_may_change_places_need_not_be_told_apart() -> None:
    made = scorer("What is the total resistance of 20 ohm and 30 ohm?")
    assert not examined(single_step_plan(best(made, SERIES)), made).evidence.get("undecided")
