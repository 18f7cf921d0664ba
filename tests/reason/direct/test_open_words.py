"""Figures of lists, of points and of chances, whatever is told around them: the figure, its values, and no word that
would change it. What looks alike and means something else has no number."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import DirectResult, DirectStatement, compute_directly
from mathrag.reason.direct.open_words import changes_nothing


@pytest.mark.parametrize(
    ("question", "value", "unit"),
    [
        ("our hens laid 5, 7, 6, 4 and 8 eggs, median?", 6, ""),
        ("11, 4, 6 and 7 - mean", 7, ""),
        ("What is Nora's average if she got 2, 3, 2, 1?", 2, ""),
        ("average rainfall in our village: 12 mm, 30 mm, 18 mm", 20, "mm"),
        ("standard deviation (n − 1) of my darts: 2, 4, 6", 2, ""),
        ("2 4 4 4 5 5 7 9 population sd", 2, ""),
        ("Q3 of 1, 3, 5, 9", 7, ""),
        ("least squares slope for the pond: (0, 1), (1, 4), (2, 5)", 2, ""),
        ("pearson r of x: 1,2,3 y: 2,4,6", 1, ""),
        ("my die showed 8, 12, 10, 9, 11, 10 - chi squared for a fair die", 1, ""),
        ("the stall pays 8 points with probability 0.25, otherwise I lose 4 points; expected points?", -1, ""),
        ("npv @ 10%: -1000 now, +605 at the end of years 1 and 2 (dollars)", 50, "USD"),
        ("chance that two dice at our club night add to 11 or more", 1 / 12, ""),
        ("in an office with 2 employees, chance that two share a birthday", 1 / 365, ""),
        ("my uncle's bag has 3 red and 1 blue marbles, he draws 2: chance that both are red", 1 / 2, ""),
        ("36% of 900 neighbors polled like it; margin of error with z = 2, as a share", 0.032, ""),
        ("sd is 12, I want the mean within ±3 with z = 2, how many loaves must I weigh", 64, ""),
        ("lambs weigh 5 kg on average, normally distributed with sd 1 kg: what share weighs more than 5 kg?", 0.5, ""),
    ],
)
def test_what_is_told_around_a_figure_does_not_matter(question: str, value: float, unit: str) -> None:
    found = compute_directly(question)
    assert isinstance(found, DirectResult), found
    assert float(found.quantity.value) == pytest.approx(value, rel=1e-4)
    assert found.quantity.unit.text == unit
    assert found.lines or found.working


@pytest.mark.parametrize(
    "question",
    [
        "trimmed mean of 3, 4, 5, 90",
        "mean of 12, 15, 18 without the largest",
        "mean of the squares of 2, 3, 4",
        "variance of the mean of 3, 5, 7",
        "mean of 3, 5, 7 after each is doubled",
        "the averages were 70, 80 and 90 in three classes; which class is best?",
        "my average was 70, 80 and 90; by how much did it rise?",
        "how far is 3 from the mean of 1, 4, 7",
        "how many of 3, 5, 9 are larger than the median?",
        "average of 4, 6, ? is 7",
        "range of a cannon at 10 m/s, 20 m/s and 30 m/s",
        "average of 4 and 9 rounded up",
        "rank correlation of x: 1,2,3 y: 2,4,6",
        "least squares slope through the origin for (1, 2), (2, 3), (3, 5)",
        "regression line of x on y for (1, 2), (2, 3), (3, 5)",
        "a coin showed heads 60 times out of 100 tosses: chi squared for a fair coin",
        "my die showed 8, 12, 10 - chi squared for a fair die",
        "win 8 points with probability 0.25, otherwise the round repeats and I lose 4; expected points",
        "npv at 10%: -1000 now, +605 at the beginning of years 1 and 2",
        "chance that two dice add to 9 given the first shows 4",
        "chance that someone in a class of 30 shares my birthday",
        "of 23 people, chance that at least two share a birthday in June",
        "45% of 400 polled, 95% margin of error with z = 1.645",
        "survey so that a 95% interval is no wider than 3 points: how many people?",
        "toss a coin 6 times, chance of exactly 4 heads in a row",
        "normally distributed with mean 170 and sd 10: chance that both of two people are below 160",
    ],
)
def test_what_means_something_else_has_no_number(question: str) -> None:
    assert not isinstance(compute_directly(question), DirectResult | DirectStatement)


def test_words_of_mathematics_and_words_that_change_a_list_matter_and_others_do_not() -> None:
    assert all(map(changes_nothing, ("hen", "village", "our", "club", "yesterday")))
    assert not any(map(changes_nothing, ("geometric", "logarithm", "except", "doubled", "seven", "x", "tallest")))
