"""Where a document has a formula for goats and one for sheep, a question that names neither gets no number; where it
gives what a formula computes, that formula is not meant; turns count as the formula counts them, however it is used."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal

NOTES = r"""
# Hill farm

## Daily hay for goats

$$H = 0.031 m + 0.4$$

where $H$ is the daily hay in kg and $m$ is the body mass in kg.

## Daily hay for sheep

$$H = 0.024 m + 0.7$$

where $H$ is the daily hay in kg and $m$ is the body mass in kg.

# Wood turning

The tool travel $v_t$ is

$$v_t = s_t n_l$$

where $s_t$ is the advance per turn (mm/turn) and $n_l$ is the lathe speed (rpm).

# Run-off

If the ditch follows a Marten curve then the overflow is

$$O = c_d E_w / (1 + E_w)$$

where $O$ is the overflow, $c_d$ is the ditch number and $E_w$ is the wet share.

With an Ousel curve the overflow is as follows

$$O = c_d E_w \exp(-E_w)$$

# Sale

The purse $P$ is

$$P = B (1 + q)$$

where $P$ is the sale purse, $B$ is the base price and $q$ is the raise.

# Stall

## KWB margin

$$\text{KWB Margin} = \frac{\text{KWB}}{\text{Revenue}}$$

$$\text{KWB} = \text{Revenue} - \text{Wages}$$

# Dairy

The curd share of a vat is

$$S_c = \frac{K_c}{M_v}$$

where $S_c$ is the curd share, $K_c$ is the curd and $M_v$ is the milk.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("variants")
    (folder / "farm.md").write_text(NOTES, encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest([folder / "farm.md"], workers=1)
        yield made


def test_nothing_tells_which_of_two_formulas_is_meant(library: Library) -> None:
    outcome = library.ask("What is the daily hay for a body mass of 40 kg?")
    assert isinstance(outcome, Refusal)
    assert "say which is meant" in outcome.reason
    assert "variants" in {each.code for each in outcome.findings}


@pytest.mark.parametrize(("animal", "hay"), [("goats", 1.64), ("sheep", 1.66)])
def test_the_question_says_which(library: Library, animal: str, hay: float) -> None:
    outcome = library.ask(f"What is the daily hay for {animal} with a body mass of 40 kg?")
    assert isinstance(outcome, Answer), outcome
    assert outcome.value == pytest.approx(hay, rel=1e-3)


def test_a_turn_counts_as_one_in_asking_computing_and_sweeping(library: Library) -> None:
    asked = library.ask("What is the tool travel in mm/min for s_t = 0.5 mm/turn and n_l = 600 rpm?")
    assert isinstance(asked, Answer), asked
    assert asked.value == pytest.approx(300)
    (formula,) = [one for one in library.formulas() if one.target == "v_t"]
    given = {"s_t": "0.5 mm/turn", "n_l": "600 rpm"}
    assert float(library.compute(formula.id, given, unit="mm/min")) == pytest.approx(300)
    back = library.compute(formula.id, {"v_t": "300 mm/min", "s_t": "0.5 mm/turn"}, solve_for="n_l", unit="rpm")
    assert float(back) == pytest.approx(600)
    curve = library.sweep(formula.id, given, symbol="n_l", start="300 rpm", stop="600 rpm", points=2, unit="mm/min")
    assert curve.y == pytest.approx((150, 300))


@pytest.mark.parametrize(("name", "overflow"), [("a Marten", 0.25), ("an Ousel", 0.1839)])
def test_a_formula_is_found_by_whose_it_is(library: Library, name: str, overflow: float) -> None:
    outcome = library.ask(f"What is the overflow O of {name} curve for c_d = 0.5 and E_w = 1?")
    assert isinstance(outcome, Answer), outcome
    assert outcome.value == pytest.approx(overflow, rel=0.01)


def test_what_is_asked_for_is_not_taken_as_given(library: Library) -> None:
    outcome = library.ask("What is the sale purse for a start value of 40 and a raise of 0.1?")
    assert not (isinstance(outcome, Answer) and outcome.value == pytest.approx(40 / 1.1))


def test_what_is_given_by_its_whole_name_is_not_computed(library: Library) -> None:
    outcome = library.ask("What is the curd for a curd share of 0.12 and a milk of 300?")
    assert not (isinstance(outcome, Answer) and outcome.value == pytest.approx(0.12 / 300))


def test_a_given_margin_is_no_result(library: Library) -> None:
    outcome = library.ask("What is KWB for a KWB margin of 0.3 and a revenue of 60 USD?")
    assert isinstance(outcome, Refusal), outcome
    assert "given" in {each.code for each in outcome.findings}
