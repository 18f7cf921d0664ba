"""What the words of a question rule out is no plan, whatever its score; what they leave open gives no number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal

NOTES = r"""
# Notes

### Squeezing law

At constant temperature.

$$P_1 V_1 = P_2 V_2$$

where $P_1$ and $P_2$ are the pressures (Pa), and $V_1$ and $V_2$ are the volumes (m³).

### Acidity

$$\mathrm{pH} = -\log_{10}\frac{[\mathrm{H^+}]}{c^\circ}$$

where $\mathrm{pH}$ is the acidity of the solution (dimensionless), $[\mathrm{H^+}]$ is the concentration of hydrogen
ions (mol/L) and $c^\circ$ is the standard concentration (1 mol/L).

### Enlargement of a lens

$$m = \frac{d_i}{d_o}$$

where $m$ is the enlargement (dimensionless), $d_i$ is the distance of the image (m) and $d_o$ is the distance of the
object (m).

### Work of a push

$$W = F d$$

where $W$ is the work (J), $F$ is the force (N) and $d$ is the distance (m).
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder: Path = tmp_path_factory.mktemp("sides")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    with Library(folder / "library") as made:
        made.ingest([folder / "notes.md"])
        yield made


TOLD = [
    ("By the squeezing law, a gas goes from 6 L to 2 L starting at 1 bar. What is the final pressure?", 3e5),
    ("By the squeezing law, a gas goes to 2 L from 6 L and ends at 3 bar. What was the initial pressure?", 1e5),
    (
        "What is the enlargement of a lens with the image at a distance of 8 cm and the object at a distance of 2 cm?",
        4.0,
    ),
    (
        "What is the enlargement of a lens with the object at a distance of 2 cm and the image at a distance of 8 cm?",
        4.0,
    ),
    ("What is the pH of 0.001 mol/L HBr?", 3.0),
    ("What is the pH of 0.001 mol/L KOH?", 11.0),
    ("What is the pH of a solution with a hydrogen ion concentration of 1e-9 mol/L?", 9.0),
    ("What is the work of a push with a force of 5 N over a distance of 4 m?", 20.0),
]


@pytest.mark.parametrize(("question", "expected"), TOLD, ids=[question for question, _ in TOLD])
def test_words_settle_it(library: Library, question: str, expected: float) -> None:
    outcome = library.ask(question)
    assert isinstance(outcome, Answer), outcome
    assert outcome.quantity.si_value == pytest.approx(expected, rel=1e-6)


UNTOLD = [
    "By the squeezing law, a gas has volumes of 2 L and 6 L and a pressure of 1 bar. What is the other pressure?",
    "What is the enlargement of a lens with distances of 2 cm and 8 cm?",
    "What is the pH of 0.001 mol/L caffeine?",
    "What is the pH of 0.001 mol/L fruit vinegar?",
    "What is the work of a push with a force of 5 N from 2 m to 6 m?",
]


@pytest.mark.parametrize("question", UNTOLD)
def test_what_is_open_gives_no_number(library: Library, question: str) -> None:
    assert isinstance(library.ask(question), Refusal)
