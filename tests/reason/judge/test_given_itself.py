"""What a question gives itself is nothing to be computed from the rest: echoes, circles, values taken for another."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mathrag.library import Library
from mathrag.reason.choosing.choose import Ranking, rank_plans
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.judge import Judge
from mathrag.reason.judge.spots import placed
from mathrag.reason.question import read_question
from mathrag.types.finding import Finding

NOTES = r"""# Notes

## Kinetic energy

$$E_k = \frac{1}{2} m v^2$$

where $E_k$ is the kinetic energy in J, $m$ is the mass in kg and $v$ is the speed in m/s.

## Ohm's law

$$U = R I$$

where $U$ is the voltage in V, $R$ is the resistance in Ω and $I$ is the current in A.

## Electric power

$$P = U I$$

where $P$ is the electric power in W, $U$ is the voltage in V and $I$ is the current in A.

## Joule heating

$$P = I^2 R$$

where $P$ is the power in W, $I$ is the current in A and $R$ is the resistance in Ω.

## Capacitance

$$C = \frac{Q}{U}$$

where $C$ is the capacitance in F, $Q$ is the charge in C and $U$ is the voltage in V.

## Period of a pendulum

$$T = 2 \pi \sqrt{\frac{L}{g}}$$

where $T$ is the period in s, $L$ is the length of the pendulum in m and $g$ is the gravitational acceleration.

## Two states of a gas

$$\frac{p_1 V_1}{T_1} = \frac{p_2 V_2}{T_2}$$

where $p_1$ and $p_2$ are the initial and final pressure in Pa, $V_1$ and $V_2$ the initial and final volume in m^3 and
$T_1$ and $T_2$ the initial and final temperature in K.

## Wave speed

$$v = f \lambda$$

where $v$ is the speed of the wave in m/s, $f$ is the frequency in Hz and $\lambda$ is the wavelength in m.

## Speed after a fall

$$v = \sqrt{2 g h}$$

where $v$ is the speed in m/s, $g$ is the gravitational acceleration and $h$ is the height of the fall in m.
"""


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest([folder / "notes.md"], workers=1)
        yield made


def judge_of(library: Library) -> Judge:
    sources = library._asker.sources
    return Judge(sources.finder, sources.load_constant, sources.name_document)


def ranked(question: str, library: Library) -> Ranking:
    return rank_plans(read_question(question), judge_of(library).finder)


def found(plan: Plan, ranking: Ranking, code: str, library: Library) -> list[Finding]:
    one = judge_of(library)
    return [each for each in one.findings(plan, ranking, one.trial(plan, ranking)) if each.code == code]


def quoted(question: str, finding: Finding) -> list[str]:
    return [question[start:end] for start, end in finding.spans]


@pytest.mark.parametrize(
    ("question", "code", "words", "said"),
    [
        (
            "A 3 kg ball with a kinetic energy of 24 J moves at 4 m/s. What is its kinetic energy?",
            "echo",
            "24 J",
            "24 J",
        ),
        # Rounded, as people state what they measured.
        ("A pendulum of length 2.0 m has a period of 2.84 s. What is its length?", "echo", "2.0 m", "length"),
        # In another unit, and told by what it is, not by its name.
        ("A capacitor of 5 µF at 12 V carries 0.06 mC. What is its capacitance?", "echo", "5 µF", "capacitance"),
        # Around in a circle, by two formulas.
        ("A current of 2 A flows through 6 Ω. What is the current at 12 V?", "echo", "2 A", "current"),
        ("A current of 2 A flows through 6 Ω. What is the current at 18 V?", "given", "2 A", "this would make it"),
        ("A resistor of 8 Ω has 24 V and 2 A. What is its resistance?", "given", "8 Ω", "this would make it 12"),
    ],
)
def test_the_value_that_is_given_is_named(notes: Library, question: str, code: str, words: str, said: str) -> None:
    ranking = ranked(question, notes)
    (finding,) = found(ranking.plans[0], ranking, code, notes)
    assert quoted(question, finding) == [words]
    assert [ranking.view.values[value].given.text for value in finding.values] == [words]
    assert said in finding.reason
    assert finding.weight == "doubt"


@pytest.mark.parametrize(
    "question",
    [
        # The later of two times, one of several to choose from, one of two things, another quantity.
        "A gas at 2.0 bar and 300 K in 4.0 L is brought to 8.0 L and 600 K. What is its pressure then?",
        "A resistor carries 3 A at 24 V. What is its resistance? The options are 6 Ω and 8 Ω.",
        "A 3 kg ball at 4 m/s has the kinetic energy of a cart of 12 kg. What is the speed of the cart?",
        "A current of 2 A flows through a resistance of 6 Ω. What is the voltage?",
    ],
)
def test_what_is_told_apart_is_not_given(notes: Library, question: str) -> None:
    ranking = ranked(question, notes)
    codes = ("echo", "given", "other_sense")
    assert all(found(ranking.plans[0], ranking, code, notes) == [] for code in codes)


def test_a_value_that_others_make_a_wavelength_is_no_height(notes: Library) -> None:
    question = "A wave of 2 m and 170 Hz moves at 340 m/s. What is its wavelength?"
    ranking = ranked(question, notes)
    fallen = next(plan for plan in ranking.plans if "h" in {slot.symbol for _, slot, _ in placed(plan, ranking.view)})
    (finding,) = found(fallen, ranking, "other_sense", notes)
    assert quoted(question, finding) == ["2 m"]
    assert "make the wavelength, and no height" in finding.reason


def test_a_value_may_be_what_others_make_it(notes: Library) -> None:
    # One too many, and they agree: each stands for what it is.
    ranking = ranked("A wave of 2 m and 170 Hz moves at 340 m/s. What is its frequency?", notes)
    assert found(ranking.plans[0], ranking, "other_sense", notes) == []
