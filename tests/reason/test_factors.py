"""By what factor something changes when something else does: one formula for two states, or an honest no."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal

NOTES = r"""# Notes

## Kinetic energy

$$E_k = \frac{1}{2} m v^2$$

where $E_k$ is the kinetic energy in J, $m$ the mass in kg and $v$ the speed in m/s.

## Gravitational force

$$F = \frac{G m_1 m_2}{r^2}$$

where $F$ is the gravitational force in N, $G$ the gravitational constant, $m_1$ and $m_2$ the masses in kg and $r$ the
distance in m.

## Friction factor

$$f_D = \frac{64}{\mathrm{Re}}$$

where $f_D$ is the friction factor and $\mathrm{Re}$ the Reynolds number.

## Cooling

$$T = T_a + T_d e^{-k t}$$

where $T$ is the temperature in K, $T_a$ the ambient temperature in K, $T_d$ the temperature difference in K, $k$ the
cooling constant in 1/s and $t$ the time in s.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("factors")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest([folder / "notes.md"], workers=1)
        yield made


@pytest.mark.parametrize(
    ("question", "factor"),
    [
        ("By what factor does the kinetic energy of a sled change when its speed triples?", 9.0),
        ("If the speed of a sled is halved, by what factor does its kinetic energy change?", 0.25),
        ("By what factor does the gravitational force change when the distance is doubled?", 0.25),
        ("By what factor does the kinetic energy of a sled grow if its mass increases by a factor of 5?", 5.0),
    ],
)
def test_the_factor_follows_from_the_formula(
    library: Library, monkeypatch: pytest.MonkeyPatch, question: str, factor: float
) -> None:
    # What is computed, whatever the promise: no exercises with printed answers say yet how sure such plans are.
    monkeypatch.setenv("MATHRAG_PROMISED_PRECISION", "0.5")
    outcome = library.ask(question)
    assert isinstance(outcome, Answer), outcome
    assert outcome.quantity.si_value == pytest.approx(factor)
    assert outcome.citations


@pytest.mark.parametrize(
    "question",
    [
        "By what factor does the kinetic energy of a sled change?",
        "By what factor does the kinetic energy change when the temper of the driver doubles?",
        "By what factor does the kinetic energy change when the mass is doubled and the speed is halved?",
        "By what factor does the temperature change when the time doubles?",  # no power law
        "By what factor does the noise change if the traffic increases by a factor of 5?",
    ],
)
def test_what_does_not_follow_is_refused(library: Library, question: str) -> None:
    assert isinstance(library.ask(question), Refusal)
