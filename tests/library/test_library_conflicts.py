"""What cannot all be right is listed, with the places that disagree; what only looks so is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from library_makers import formula_note, mathrag, write

from mathrag.library import Library

CONSTANTS = "# Constants\n\n| Symbol | Name | Value | Unit |\n|---|---|---|---|\n"
WHERE = "$E$ is the energy in J, $m$ is the mass in kg and $v$ is the speed in m/s"
EXAMPLE = r"""# Motion

**Newton's second law**

$$F = m a$$

where $F$ is the force in N, $m$ is the mass in kg and $a$ is the acceleration in m/s^2.

For a body of 2 kg and an acceleration of 3 m/s^2:

$$F = 2\,\mathrm{kg} \cdot 3\,\mathrm{m/s^2} = RESULT\,\mathrm{N}$$
"""


@pytest.fixture(scope="module")
def disagreeing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("disagreeing")
    write(
        folder / "notes",
        {
            "one.md": CONSTANTS + "| $v_r$ | speed of the river | 3.4 | m/s |\n| $e$ | fare | 2.5 | m |\n",
            "two.md": CONSTANTS + "| $v_r$ | speed of the river | 3.1 | m/s |\n| $e$ | fare | 2.50 | m |\n",
            "three.md": formula_note("Energy of motion", r"E = \frac{1}{2} m v^2", WHERE),
            "four.md": formula_note("Energy of motion", "E = m v^2", WHERE),
            "five.md": EXAMPLE.replace("RESULT", "7"),
        },
    )
    with Library(folder / "library") as library:
        library.ingest([folder / "notes"])
    return folder / "library"


def test_each_kind_of_conflict_is_listed_with_its_places(disagreeing: Path) -> None:
    ran = mathrag("conflicts", "--library", disagreeing, "--json")
    assert ran.code == 1
    found = {conflict["kind"]: conflict for conflict in ran.objects}
    assert set(found) == {"constant_value", "formula_name", "instance"}
    assert len(ran.objects) == 3
    constant = found["constant_value"]
    assert constant["subject"] == "speed of the river"
    assert re.fullmatch("speed of the river is given as (3.1 m/s and 3.4|3.4 m/s and 3.1) m/s", constant["message"])
    assert {place["document"] for place in constant["places"]} == {"notes/one.md", "notes/two.md"}
    name = found["formula_name"]
    assert name["subject"] == "Energy of motion"
    assert len(name["entries"]) == 2
    assert {place["document"] for place in name["places"]} == {"notes/three.md", "notes/four.md"}
    instance = found["instance"]
    assert "does not give its stated result" in instance["message"]
    assert instance["places"][0]["document"] == "notes/five.md"


def test_people_see_sentences_and_places(disagreeing: Path) -> None:
    ran = mathrag("conflicts", "--library", disagreeing)
    assert ran.code == 1
    assert "speed of the river is given as 3" in ran.out
    assert "  notes/one.md, line 5 (Constants)\n" in ran.out


def test_an_example_that_agrees_is_no_conflict(tmp_path: Path) -> None:
    write(tmp_path / "notes", {"right.md": EXAMPLE.replace("RESULT", "6")})
    with Library(tmp_path / "library") as library:
        library.ingest([tmp_path / "notes"])
        (instance,) = library.formula("Newton's second law").instances
        assert instance.verdict == "agrees"
    ran = mathrag("conflicts", "--library", tmp_path / "library")
    assert (ran.code, ran.out) == (0, "no conflicts\n")


def test_a_wrong_value_of_a_standard_constant_conflicts_with_the_right_one(tmp_path: Path) -> None:
    right = CONSTANTS + "| $c$ | speed of light in vacuum | 299792458 | m/s |\n"
    write(tmp_path / "notes", {"right.md": right, "wrong.md": right.replace("299792458", "2.79e8")})
    with Library(tmp_path / "library") as library:
        library.ingest([tmp_path / "notes"])
        assert [conflict.kind for conflict in library.conflicts()] == ["constant_value"]
