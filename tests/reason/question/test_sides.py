"""Words that leave no doubt say on which side of a pair a value is; where they leave one, nothing is said."""

from __future__ import annotations

import pytest

from mathrag.reason.question.reader import read_question
from mathrag.reason.question.sides import (
    contrasts,
    sides_of_name,
    sides_of_target,
    sides_of_values,
    spans,
    stated_together,
    words_of_values,
)

# A question, a contrast, and the side of each stated value in it (None: nothing is said).
VALUES = [
    ("Air expands from 4 L to 9 L, starting at 3 bar.", "time", [0, 1, 0]),
    ("Air is let out to 9 L from 4 L.", "time", [1, 0]),
    ("The final speed is 3 m/s, the initial speed 8 m/s.", "time", [1, 0]),
    ("It ends at 2 bar.", "time", [1]),
    ("The raft is 3 m from the end of the pier.", "time", [None]),
    ("After 5 s the lamp is out.", "event", [None]),
    ("The outlet has an area of 3 cm² and the inlet an area of 5 cm² at 2 m/s.", "stream", [1, 0, 0]),
    ("With 0.2 V at the anode and 0.9 V at the cathode.", "electrodes", [0, 1]),
    ("A tin cathode, U = 0.2 V, and a lead anode, U = 0.1 V.", "electrodes", [1, 0]),
    ("40 mL of a base are mixed with 30 mL of an acid of 0.2 mol/L.", "acidity", [1, 0, 0]),
    ("Mix 40 mL of acid or base.", "acidity", [0]),
    ("The hot and the cold side differ by 3 K.", "heat", [None]),
    ("From oil of refractive index 1.4 into ice of refractive index 1.3.", "media", [0, 1]),
    ("A bus with a horn drives at 9 m/s toward a listener.", "hearing", [None]),
    ("A siren drives at 9 m/s toward a listener.", "hearing", [0]),
    ("A gearbox takes 90 W in and gives 70 W out.", "stream", [0, 1]),
    ("A coil of 9 V in a field of 3 T.", "stream", [None, None]),
    ("A transformer from 90 V to 30 V.", "transformed", [0, 1]),
]


@pytest.mark.parametrize(("text", "contrast", "expected"), VALUES, ids=[text for text, _, _ in VALUES])
def test_sides_of_values(text: str, contrast: str, expected: list[int | None]) -> None:
    givens = read_question(text).givens
    found = [
        sides.get(contrast)
        for given, sides in zip(givens, sides_of_values(text, givens), strict=True)
        if not given.implied and not given.covers
    ]
    assert found == expected


TARGETS = [
    ("It was 9 bar. What is the final pressure?", "time", 1),
    ("At the end, what is the pressure?", "time", 1),
    ("What is the resistance at the reference temperature of 9 °C?", "reference", 0),
    ("What frequency is heard?", "hearing", 1),
    ("What is the potential of a cell with a tin anode?", "electrodes", None),
    ("What is the pressure?", "time", None),
]


@pytest.mark.parametrize(("text", "contrast", "expected"), TARGETS, ids=[text for text, _, _ in TARGETS])
def test_sides_of_what_is_asked(text: str, contrast: str, expected: int | None) -> None:
    question = read_question(text)
    assert sides_of_target(text, question.targets[0], question.givens).get(contrast) == expected


def test_a_description_of_both_sides_is_settled_by_the_subscript() -> None:
    assert sides_of_name("concentrations of acid and base", ("b",))["acidity"] == 1
    assert "acidity" not in sides_of_name("concentrations of acid and base", ("x",))
    assert sides_of_name("potential", ("red", "anode"))["electrodes"] == 0


def test_values_stated_together_have_no_border_between_them() -> None:
    text = "A gas of 2 L at 3 bar and 5 L at 1 bar."
    givens = read_question(text).givens
    starts = [given.start for given in givens]
    assert stated_together(text, givens) == {(starts[0], starts[1]), (starts[2], starts[3])}


def test_the_ends_of_a_change_are_told() -> None:
    text = "A box is pushed from 2 m to 6 m with 5 N."
    givens = read_question(text).givens
    assert [given.text for given in givens if given.start in spans(text, givens)] == ["2 m", "6 m"]


def test_the_words_of_a_statement_are_those_around_its_value() -> None:
    text = "Mix 3 mL of vinegar, then 4 mL of wine."
    first, second = words_of_values(text, read_question(text).givens)
    assert "vinegar" in first
    assert "wine" not in first
    assert "wine" in second


def test_every_contrast_is_well_formed() -> None:
    from mathrag.knowledge.roles import role

    for contrast in contrasts().values():
        assert len(contrast.named) == len(contrast.sides)
        assert not contrast.roles or len(contrast.roles) == len(contrast.sides)
        for one in contrast.roles:
            for each in one:
                assert role(each).id == each
        phrases = [phrase for side in contrast.sides for phrase in side]
        assert len(phrases) == len(set(phrases))
