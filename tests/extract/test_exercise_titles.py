"""Which titles announce exercises, whose equations are no formulas, and which only speak of such a thing."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathrag.library import Library

_NOTE = """# {title}

## Force of a spring

$$F_s = k x$$

where $F_s$ is the force of the spring (N), $k$ is the spring constant (N/m) and $x$ is the extension (m).
"""


@pytest.mark.parametrize(
    ("titles", "formulas"),
    [
        (
            (
                "Exercise physiology", "The three-body problem", "Risk assessment", "Sports, exercise, shopping",
                "Questions of scale", "Boundary value problems", "Exercise and heart rate", "Problem solving",
            ),
            1,
        ),
        (
            (
                "Exercises", "5.3 Exercises", "Additional problems", "Problems & Exercises", "Review Questions",
                "Chapter 7 problems", "Problem set 3", "Problems for Section 3", "Problem 7: a crate", "Exercise B.2",
                "Check your understanding", "Quiz", "Homework 3", "End-of-chapter exercises",
            ),
            0,
        ),
    ],
    ids=["speaks of it", "announces them"],
)  # fmt: skip
def test_titles_of_exercises(titles: tuple[str, ...], formulas: int, tmp_path: Path) -> None:
    for number, title in enumerate(titles):
        (tmp_path / f"{number}.md").write_text(_NOTE.format(title=title), encoding="utf-8")
    with Library(tmp_path / "library") as library:
        report = library.ingest([tmp_path / f"{number}.md" for number in range(len(titles))], workers=1)
    found = {
        titles[int(file.name.rpartition("/")[2].partition(".")[0])]: file.counts and file.counts.formulas
        for file in report.files
    }
    assert found == dict.fromkeys(titles, formulas)
