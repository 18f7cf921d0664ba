"""What people correct: kept apart from what was read, shown with who and when, surviving all that happens to files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from library_makers import MECHANICS, dump, exact_rows, formula_note, mathrag, write

from mathrag.errors import LibraryError, UsageError
from mathrag.library import Library

WRONG = formula_note("Drag", "F = m v", "$F$ is the force in N, $m$ is the mass in kg and $v$ is the speed in m/s")


def test_a_correction_is_shown_with_who_when_and_why(copied: Path) -> None:
    ran = mathrag(
        "edit", "Kinetic energy", "--label", "Energy of motion", "--symbol", "m.description=mass of the body",
        "--symbol", "v.unit=km/h", "--author", "Ada", "--note", "as in our handbook", "--library", copied,
    )  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Energy of motion    [f-")
    assert "m          mass of the body [kg]  (corrected)" in ran.out
    assert "v          speed [km/h]  (corrected)" in ran.out
    card = mathrag("show", "Energy of motion", "--library", copied).out
    for field, value in (("label", "Energy of motion"), ("symbol.m.description", "mass of the body")):
        line = rf"corrected: {re.escape(field)} = {value} by Ada on 20\d\d-\d\d-\d\dT\S+: as in our handbook"
        assert re.search(line, card), card
    # What was read is as it was, and the name that was read still leads there.
    with Library(copied) as library:
        findings = [one for info in library.documents() for one in library.findings(info.id)]
        assert {one.label for one in findings if "E_k = \\frac{1}{2}" in one.latex} == {"Kinetic energy"}
        assert library.formula("Kinetic energy") == library.formula("Energy of motion")
        assert library.search("energy of motion")[0].label == "Energy of motion"
        assert library.check() == []
    (shown,) = mathrag("show", "Energy of motion", "--library", copied, "--json").objects
    assert {one["author"] for one in shown["corrections"]} == {"Ada"}
    assert "Energy of motion" in mathrag("sql", "SELECT value FROM corrections", "--library", copied).out


def test_taking_a_correction_back_restores_what_was_read(copied: Path) -> None:
    before = dump(copied)
    ran = mathrag("edit", "Momentum", "--label", "Impetus", "--symbol", "p.unit=N s", "--library", copied)
    numbers = re.findall(r"correction (\d+): (\S+); take it back with --undo \1", ran.out)
    assert [field for _, field in numbers] == ["label", "symbol.p.unit"]
    assert mathrag("edit", "Impetus", "--undo", numbers[1][0], "--library", copied).code == 0
    undone = mathrag("edit", "Impetus", "--undo", numbers[0][0], "--library", copied)
    assert (undone.code, undone.err) == (0, "")
    assert undone.out.startswith("Momentum ")
    assert dump(copied) == before


def test_only_corrections_of_the_formula_can_be_taken_back(copied: Path) -> None:
    mathrag("edit", "Momentum", "--label", "Impetus", "--library", copied)
    before = exact_rows(copied)
    other = mathrag("edit", "Kinetic energy", "--undo", "1", "--library", copied)
    assert (other.code, other.out) == (2, "")
    assert "no correction 1 to take back; this formula has none" in other.err
    unknown = mathrag("edit", "Impetus", "--undo", "7", "--library", copied)
    assert unknown.code == 2
    assert "those of this formula are 1" in unknown.err
    assert exact_rows(copied) == before


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([], 2, "nothing to change"),
        (["--symbol", "q.unit=kg"], 2, "no symbol 'q'; it has E_k, m, v"),
        (["--symbol", "m.unit=blorps"], 2, "the unit 'blorps' cannot be read"),
        (["--symbol", "m.colour=red"], 2, "there is no field"),
        (["--symbol", "m.kind=nonsense"], 2, "no quantity kind 'nonsense'"),
        (["--symbol", "m.role=hero"], 2, "variable, a constant or an index"),
        (["--symbol", "kg"], 2, "NAME.FIELD=VALUE"),
        (["--status", "wonderful"], 2, "executable"),
        (["--undo", "many"], 2, "integer"),
        (["--label", "Good", "--symbol", "m.unit=blorps"], 2, "blorps"),
    ],
)
def test_a_wrong_correction_says_what_would_be_right(copied: Path, arguments: list[str], code: int, words: str) -> None:
    before = exact_rows(copied)
    ran = mathrag("edit", "Kinetic energy", *arguments, "--library", copied)
    assert (ran.code, ran.out) == (code, "")
    assert words in ran.err
    assert ran.err.count("\n") == 1
    assert exact_rows(copied) == before


def test_formulas_that_are_not_there_or_not_one(copied: Path) -> None:
    ran = mathrag("edit", "No such law", "--label", "Some law", "--library", copied)
    assert (ran.code, "no formula 'No such law'" in ran.err) == (1, True)
    mathrag("edit", "Momentum", "--label", "Work", "--library", copied)
    ran = mathrag("edit", "Work", "--label", "Toil", "--library", copied)
    assert ran.code == 1
    assert "'Work' means 2 formulas: f-" in ran.err
    with Library(copied) as library:
        declined = next(one for one in library.formulas() if one.status == "declined")
        with pytest.raises(UsageError, match="could not be read cannot be made executable"):
            library.edit(declined.id, [("status", "executable")], author="Ada")


def test_a_status_is_a_persons_last_word(copied: Path) -> None:
    set_aside = mathrag("edit", "Momentum", "--status", "quarantined", "--author", "Ada", "--library", copied)
    assert "quarantined: set aside by Ada" in set_aside.out
    trusted = mathrag("edit", "Momentum", "--status", "executable", "--library", copied, "--json")
    assert trusted.objects[0]["status"] == "executable"


@pytest.mark.slow
def test_corrections_survive_whatever_happens_to_the_file(tmp_path: Path) -> None:
    notes, folder = write(tmp_path / "notes", {"mechanics.md": MECHANICS}), tmp_path / "library"
    with Library(folder) as library:
        library.ingest([notes])
        corrected, made = library.edit(
            "Momentum", [("label", "Impetus"), ("symbol.p.description", "amount of motion")], author="Ada"
        )
        assert [one.field for one in made] == ["label", "symbol.p.description"]
        assert library.corrections() == library.corrections(corrected.id)
        # The text around it changes; the formula stays.
        write(notes, {"mechanics.md": MECHANICS.replace("Bodies move", "All bodies move")})
        library.ingest([notes])
        _expect_corrected(library)
        # The unit is no longer given, so that the formula may be known under another id.
        text = MECHANICS.replace("| $p$ | momentum | kg m/s |\n", "").replace("is the mass in kg", "is something")
        write(notes, {"mechanics.md": text})
        library.ingest([notes])
        _expect_corrected(library)
        # Gone with its document, back with it.
        library.remove("mechanics.md")
        assert library.find_formulas("Impetus") == []
        assert len(library.corrections()) == 2
        write(notes, {"mechanics.md": MECHANICS})
        library.ingest([notes])
        _expect_corrected(library)
        assert library.check() == []


def _expect_corrected(library: Library) -> None:
    formula = library.formula("Impetus")
    described = {symbol.name: (symbol.description, symbol.origin) for symbol in formula.symbols}
    assert described["p"] == ("amount of motion", "edited")
    assert [one.author for one in formula.corrections] == ["Ada", "Ada"]
    assert [number for number, _ in library.corrections(formula.id)] == [1, 2]


def test_a_unit_that_makes_a_formula_consistent_makes_it_executable(tmp_path: Path) -> None:
    notes, folder = write(tmp_path / "notes", {"drag.md": WRONG}), tmp_path / "library"
    with Library(folder) as library:
        library.ingest([notes])
        formula = library.formula("Drag")
        assert (formula.status, formula.reason_code) == ("quarantined", "dimensions")
        changed, _ = library.edit(formula.id, [("symbol.v.unit", "m/s^2")], author="Ada")
        assert (changed.status, changed.reason) == ("executable", "")
        # And the other way round.
        changed, _ = library.edit(formula.id, [("symbol.m.unit", "s")], author="Ada")
        assert changed.status == "quarantined"
        number, _ = library.corrections(formula.id)[-1]
        library.undo(number)
        assert library.formula("Drag").status == "executable"
        assert library.check() == []
        with pytest.raises(LibraryError, match="no correction with the number 99"):
            library.undo(99)
