"""Questions whose wording decides: which value is which, what slows down, what a substance is known to have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal

NOTES = r"""# Notes

## Motion

At constant acceleration

$$v_f^2 = v_i^2 + 2 a \Delta x$$

where $v_f$ is the final speed in m/s, $v_i$ the initial speed in m/s, $a$ the acceleration in m/s^2 and $\Delta x$ the
distance in m.

## Reduced mass

$$\mu = \frac{m_1 m_2}{m_1 + m_2}$$

where $\mu$ is the reduced mass in kg, and $m_1$ and $m_2$ are the masses in kg.

## Heat

$$Q = m c \Delta T$$

where $Q$ is the heat in J, $m$ the mass in kg, $c$ the specific heat capacity in J/(kg K) and $\Delta T$ the change in
temperature in K.

| Material | Specific heat, J/(kg·K) |
|---|---|
| copper | 385 |
| ice | 2090 |

## Gas mixtures

$$X_a = \frac{n_a}{n_\mathrm{total}}$$

where $X_a$ is the mole fraction, $n_a$ the amount of the gas in mol and $n_\mathrm{total}$ the total amount in mol.

## Ideal gas of single atoms

Molar heat capacity of a monoatomic ideal gas at constant volume:

$$c_V = \frac{3}{2} R$$

Internal energy change of an ideal gas:

$$\Delta U = n c_V \Delta T$$

where $n$ is the amount of gas in mol, $c_V$ the molar heat capacity in J/(mol K), $R$ the molar gas constant and
$\Delta T$ the change in temperature in K.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("sense")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest([folder / "notes.md"], workers=1)
        yield made


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("A van going 28 m/s slows at 7 m/s^2. What is its final speed after 40 m?", 14.9666),
        ("A van going 28 m/s speeds up at 7 m/s^2. What is its final speed after 40 m?", 36.6606),
        ("The reduced mass of two spheres is 1.5 kg; one has a mass of 6.0 kg. What is the mass of the other?", 2.0),
        ("A blend of 8.0 mol in total contains 2.0 mol of argon. What is the mole fraction of the argon?", 0.25),
        ("How much heat warms 3.5 kg of copper by 60 K?", 80850.0),
        ("What is the change in internal energy when 1.5 mol of a monoatomic ideal gas warm up by 30 K?", 561.226),
    ],
)
def test_answers(library: Library, question: str, expected: float) -> None:
    outcome = library.ask(question)
    assert isinstance(outcome, Answer), outcome
    assert outcome.quantity.si_value == pytest.approx(expected, rel=1e-3)


def test_a_property_of_a_substance_is_cited(library: Library) -> None:
    outcome = library.ask("How much heat warms 3.5 kg of copper by 60 K?")
    assert isinstance(outcome, Answer)
    assert any("specific heat of copper is 385" in text for text in outcome.assumptions)


@pytest.mark.parametrize("substance", ["some alloy", "copper and ice", "wood"])
def test_no_property_is_guessed(library: Library, substance: str) -> None:
    outcome = library.ask(f"How much heat warms 3.5 kg of {substance} by 60 K?")
    assert isinstance(outcome, Refusal)
    assert outcome.code == "missing"
