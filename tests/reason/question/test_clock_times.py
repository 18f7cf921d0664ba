"""Two times of day tell how long something took."""

from __future__ import annotations

import pytest

from mathrag.reason.question.clock_times import clock_span


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("It left at 7:40 and arrived at 9:10.", 90),
        ("from 11:30 to 1:00", 90),
        ("open from 9 a.m. until 5 p.m.", 480),
        ("from noon until three o'clock", 180),
        ("between 22:00 and 1:30", 210),
    ],
)
def test_the_span_between_two_times_of_day(text: str, minutes: int) -> None:
    span = clock_span(text)
    assert span is not None
    assert span.minutes == minutes


@pytest.mark.parametrize(
    "text", ["a scale of 1:25 and of 1:50", "at 8:00", "at 8:00, at 9:00 and at 10:00", "at 25:00 to 26:00"]
)
def test_other_numbers_are_no_span(text: str) -> None:
    assert clock_span(text) is None


def test_half_a_day_more_agrees_where_the_dial_leaves_it_open() -> None:
    span = clock_span("from 7:00 to 9:00")
    assert span is not None
    assert span.agrees(2 * 3600.0)
    assert span.agrees(14 * 3600.0)
    assert not span.agrees(3 * 3600.0)
