"""The wording of a question: which sentences ask, what stands around a value, from which line an angle is counted."""

from __future__ import annotations

import pytest

from mathrag.reason.question import read_question
from mathrag.reason.question.wording import AngleUnit, Wording, has_word
from mathrag.types.question import Question


def read(text: str) -> tuple[Question, Wording]:
    question = read_question(text)
    return question, Wording(question)


def test_sentences_that_ask() -> None:
    _, wording = read("A disc is 4 cm wide. It is warmed. How wide is it then? Neglect the air.")
    assert wording.asking == ("How wide is it then?",)
    assert [found[0] for found in wording.asked("size_asked")] == ["How wide is"]
    assert not wording.asked("air")
    assert wording.says("grown", "air")
    _, told = read("Find the speed.")
    assert (told.asking, told.asks_in) == ((), ("Find the speed.",))


def test_what_stands_around_a_value() -> None:
    question, wording = read("Ice melts. A rod of 2 m was cut by 30 cm, and 5 kg of fuel are left.")
    rod, cut, fuel = question.givens
    assert wording.clause_before(cut) == "A rod of 2 m was cut by "
    assert wording.before(cut, "by_before")
    assert not wording.before(rod, "by_before")
    found = wording.behind(fuel, "of_stuff")
    assert found is not None
    assert found[1] == "fuel"
    assert wording.words_behind(fuel, 2) == ["of", "fuel"]
    assert wording.words_behind(cut, 2) == []
    assert wording.sentence_start(cut) == len("Ice melts. ")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("A ray meets a pane at 30° to the surface.", {"flat"}),
        ("A ray meets a pane at 30° to the normal.", {"upright"}),
        ("A ball is thrown at 40° above the horizontal.", {"flat", "level"}),
        ("A rope makes 25° with the vertical.", {"upright", "vertical"}),
        ("An angle of incidence of 30° is measured.", {"normal"}),
    ],
)
def test_the_line_an_angle_is_counted_from(text: str, lines: set[str]) -> None:
    question, wording = read(text)
    assert wording.references(question.givens[0]) >= lines


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("A road rises at a slope of 3", "deg"),
        ("pulled up a ramp at 4", "deg"),
        ("Give the angle in degrees", "deg"),
        ("turned by 2 rad and then by 1", "rad"),
        ("at 20 °C and an angle of 1", ""),
        ("heated to 40 degrees Celsius", ""),
        ("2 rad on a slope", ""),
        ("an angle of 1", ""),
    ],
)
def test_the_unit_of_angles_that_is_spoken_of(text: str, unit: AngleUnit) -> None:
    assert read(text)[1].angle_unit == unit


def test_what_is_said_of_each_value() -> None:
    question, wording = read("40 mL of acid were taken. 60 mL of base were heated from 10 °C to 30 °C.")
    acid, base, *_ = question.givens
    assert "acid" in wording.said_of(acid)
    assert "acid" not in wording.said_of(base)
    assert len(wording.spans) == 2
    assert (acid.start, base.start) not in wording.neighbours


def test_words_are_whole() -> None:
    assert has_word("the Candle-light", "candle")
    assert not has_word("candles", "candle")
