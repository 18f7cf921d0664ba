"""Formulas in plain words: right proposals become executable, proposals that are nearly right never do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mutations import mutations
from words_corpus import Case, asked_twice, cases, fate

from mathrag.compute.printers.pythontext import python_text
from mathrag.compute.pythontext import read_python_text
from mathrag.extract.proposals.equations import says_the_same
from mathrag.types.expression import Declined

RIGHT, WRONG = cases()


@pytest.mark.slow
def test_four_of_five_right_proposals_are_executable() -> None:
    once = [fate(case) for case in RIGHT]
    assert sum(one.status == "executable" for one in once) >= 31
    twice = [asked_twice(case) for case in RIGHT]
    executable = [one for one in twice if one.status == "executable"]
    assert len(executable) >= 33
    # Wherever such a formula shows, it shows that a model proposed it.
    assert all("proposed_by_model" in one.flags for one in executable)


@pytest.mark.parametrize("case", WRONG, ids=lambda case: f"{case.title}: {case.why}")
def test_no_wrong_proposal_is_executable_even_if_it_is_said_twice(case: Case) -> None:
    assert fate(case).status != "executable"
    assert asked_twice(case).status != "executable"


@pytest.mark.slow
@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case.equation)
def test_no_wrong_version_is_executable(case: Case) -> None:
    reading = read_python_text(case.equation)
    assert not isinstance(reading, Declined)
    (equation,) = reading.equations
    for what, wrong in mutations(equation):
        if says_the_same(wrong, equation):
            continue
        text = f"{python_text(wrong.left)} = {python_text(wrong.right)}"
        assert asked_twice(replace(case, equation=text, why=what)).status != "executable", text


def test_askings_that_differ_decide_nothing() -> None:
    (case,) = [one for one in RIGHT if one.equation == "H = h_m - h_r"]
    assert fate(case).status == "quarantined"
    assert fate(case, again=(case.again, case.again_symbols)).status == "executable"
    assert fate(case, again=("R = r - M", case.again_symbols)).status == "quarantined"
    others = ["R: heart rate reserve [1/min]", "M: boat speed [m/s]", "r: resting heart rate [1/min]"]
    assert fate(case, again=("R = M - r", others)).status == "quarantined"


STOP = "The heat of a stop is half the loaded mass times the square of the speed."
STOP_SYMBOLS = ("Q: heat of a stop [J]", "m: loaded mass [kg]", "v: speed [m/s]")


@pytest.mark.parametrize(
    ("example", "status", "reason"),
    [
        ("A sledge of 80 kg that comes in at 10 m/s gives off 4000 J.", "executable", ""),
        ("A sledge of 80 kg that comes in at 10 m/s gives off 9000 J.", "quarantined", "contradicts_example"),
        ("Two sledges of 80 kg and 90 kg that come in at 10 m/s give off 9000 J.", "executable", ""),
        ("The sledge was built in 1987.", "executable", ""),
    ],
)
def test_worked_numbers_of_the_document_must_come_out(example: str, status: str, reason: str) -> None:
    case = Case("Sledge", f"# Sledge\n\n{STOP} {example}\n", STOP, "Q = m*v**2/2", STOP_SYMBOLS)
    found = fate(case)
    assert (found.status, found.reason.partition(":")[0]) == (status, reason)


def test_what_words_amount_to_is_kept_with_their_own_numbers() -> None:
    words = "The gross price is the net price increased by 20 %."
    case = Case("Price", f"# Price\n\n{words}\n", words, "g = 1.2*n", ("g: gross price [USD]", "n: net price [USD]"))
    found = fate(case)
    assert (found.status, found.latex) == ("executable", r"g = n \cdot \left(1 + \frac{20}{100}\right)")
    for wrong in ("g = 1.02*n", "g = 0.2*n", "g = 1.25*n"):
        assert fate(replace(case, equation=wrong)).status == "rejected"


def test_a_pronoun_brings_the_sentence_before_into_the_quote() -> None:
    (case,) = [one for one in RIGHT if one.equation == "eta = P_h/P_e"]
    found = fate(case)
    assert found.status == "executable"
    assert found.quote.startswith("The hydraulic power delivered")
    assert found.quote.endswith("the efficiency of the pump.")


def test_a_number_that_depends_on_units_stays_out() -> None:
    """A factor between quantities of one sort holds in any unit; one between others may convert."""
    words = "The toll is 25 times the length of the trip in km."
    case = Case("Toll", f"# Toll\n\n{words}\n", words, "T = 25*L", ("T: toll [USD]", "L: length of the trip [km]"))
    assert fate(case).status != "executable"
    words = "The reserve is 1.5 times the mean load."
    case = Case("Load", f"# Load\n\n{words}\n", words, "R = 1.5*M", ("R: reserve load [N]", "M: mean load [N]"))
    assert fate(case).status != "executable"
    words = "The reserve load is 1.35 times the mean load."
    symbols = ("R: reserve load [N]", "M: mean load [N]")
    assert fate(Case("Load", f"# Load\n\n{words}\n", words, "R = 1.35*M", symbols)).status == "executable"
    words = "The mass of the salt in g is 20 times the mass of the flour in kg."
    symbols = ("s: mass of the salt [g]", "f: mass of the flour [kg]")
    assert fate(Case("Salt", f"# Salt\n\n{words}\n", words, "s = 20*f", symbols)).status != "executable"
