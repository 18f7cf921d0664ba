"""A formula that was misread or misprinted is written anew: read like any other, in its old place, with its old id."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from library.library_makers import formula_note, mathrag, write
from mathrag.errors import UsageError
from mathrag.extract.corrections import apply_corrections, check_correction, check_corrections
from mathrag.library import Library
from mathrag.types.document import Place
from mathrag.types.library import Correction, Formula, Span

SAYS = "$E_k$ is the kinetic energy in J, $m$ is the mass in kg and $v$ is the speed in m/s"
MISPRINT = formula_note("Kinetic energy", r"E_k = \frac{1}{2} m v^3", SAYS)
UNREAD = r"# Motion" "\n\n**Acceleration**\n\n" r"$$a = \frac{dv}{dt}$$" "\n"
NOTHING_READ = Formula("f-1", "source-1", "Force", "F = ??", "declined", (Span("d", Place(line=3), "F = ??"),))


def _said(field: str, value: str, formula: Formula = NOTHING_READ) -> Correction:
    return Correction("f-1", "source-1", *check_correction(formula, field, value), "ada", "2026-01-01T00:00:00Z")


@pytest.mark.slow
def test_a_misprint_is_corrected_survives_and_is_taken_back(tmp_path: Path) -> None:
    notes = write(tmp_path / "notes", {"energy.md": MISPRINT})
    with Library(tmp_path / "library") as library:
        library.ingest([notes], workers=1)
        before = library.formula("Kinetic energy")
        assert (before.status, before.reason_code) == ("quarantined", "dimensions")
        changed, made = library.edit(before.id, [("latex", r" $E_k = \frac{1}{2} m v^2$ ")], author="Ada", note="typo")
        assert [(one.field, one.value) for one in made] == [("latex", r"E_k = \frac{1}{2} m v^2")]
        assert (changed.id, changed.form, changed.spans) == (before.id, before.form, before.spans)
        assert (changed.status, changed.reason, changed.latex) == ("executable", "", r"E_k = \frac{1}{2} m v^2")
        assert "v^3" in changed.spans[0].quote
        assert changed.flags[0].code == "corrected"
        known = {symbol.name: (symbol.unit, symbol.origin) for symbol in changed.symbols}
        assert known == {"E_k": ("J", "document"), "m": ("kg", "document"), "v": ("m/s", "document")}
        write(notes, {"energy.md": MISPRINT + "\nMore words.\n"})
        library.ingest([notes], workers=1)
        assert library.formula(before.id).equation == changed.equation
        assert library.check() == []
        ((number, _),) = library.corrections(before.id)
        library.undo(number)
        again = library.formula(before.id)
        assert (again.latex, again.status, again.corrections) == (before.latex, "quarantined", ())


@pytest.mark.slow
def test_what_was_not_read_becomes_computable(tmp_path: Path) -> None:
    notes, folder = write(tmp_path / "notes", {"motion.md": UNREAD}), tmp_path / "library"
    with Library(folder) as library:
        library.ingest([notes], workers=1)
        (before,) = library.formulas()
    assert before.status == "declined"
    written = r"a = \frac{v - v_0}{t}"
    ran = mathrag("edit", before.id, "--latex", written, "--symbol", "t.unit=min", "--library", folder)
    assert ran.code == 0, ran.err
    assert f"corrected: latex = {written}" in ran.out
    assert "note: the formula was corrected by a person" in ran.out
    with Library(folder) as library:
        changed = library.formula(before.id)
        assert changed.status == "executable"
        assert {one.name: one.unit for one in changed.symbols}["t"] == "min"
        library.edit(before.id, [("status", "quarantined"), ("status", "executable")], author="Ada")
        library.undo(next(number for number, one in library.corrections(before.id) if one.field == "latex"))
        # Nobody can trust an equation that is no longer there.
        assert library.formula(before.id).equation is None
        assert library.formula(before.id).status != "executable"
        assert library.check() == []


@pytest.mark.slow
def test_a_correction_whose_dimensions_disagree_is_set_aside_like_any_formula(tmp_path: Path) -> None:
    notes = write(tmp_path / "notes", {"energy.md": MISPRINT})
    with Library(tmp_path / "library") as library:
        library.ingest([notes], workers=1)
        changed, _ = library.edit("Kinetic energy", [("latex", "E_k = m v")], author="Ada")
        assert (changed.status, changed.reason_code) == ("quarantined", "dimensions")
        trusted, _ = library.edit(changed.id, [("status", "executable")], author="Ada")
        assert trusted.status == "executable"


@pytest.mark.parametrize(
    ("latex", "says"),
    [
        ("", "write the formula in LaTeX"),
        ("$$ $$", "write the formula in LaTeX"),
        ("x" * 5_000, "at most 4,000 characters"),
        (r"F = \frac{m", "cannot be read: "),
        (r"a = \frac{dv}{dt}", "cannot be read: "),
        ("m a", "write one equation"),
        (r"F = m a \\ G = m g", "2 of them"),
        ("m = 3", "relates symbols"),
        ("{" * 1_500 + "F = m a" + "}" * 1_500, "cannot be read: "),
        ("F = " + "(" * 1_500 + "m" + ")" * 1_500, "cannot be read: "),
    ],
)
def test_what_does_not_read_is_refused_with_the_reason(latex: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        check_correction(NOTHING_READ, "latex", latex)


def test_symbols_of_the_new_equation_can_be_said_at_once_and_those_gone_cannot() -> None:
    checked = check_corrections(NOTHING_READ, [("symbol.m.unit", "g"), ("latex", "F = m a")])
    assert checked == [("latex", "F = m a"), ("symbol.m.unit", "g")]
    with pytest.raises(UsageError, match="no symbol 'q'"):
        check_corrections(NOTHING_READ, [("latex", "F = m a"), ("symbol.q.unit", "g")])


def test_the_last_equation_counts_and_what_was_said_of_symbols_stays() -> None:
    first = _said("latex", "F = m a")
    unit = _said("symbol.m.unit", "g", apply_corrections(NOTHING_READ, (first,)))
    other, last = _said("latex", "F = q E"), _said("latex", "F = m g")
    changed = apply_corrections(NOTHING_READ, (first, unit, other, last))
    assert changed.latex == "F = m g"
    assert {one.name: (one.unit, one.origin) for one in changed.symbols}["m"] == ("g", "edited")
    assert [one.field for one in changed.corrections] == ["latex", "symbol.m.unit", "latex", "latex"]
    without = apply_corrections(NOTHING_READ, (first, unit, other))
    assert {one.name for one in without.symbols} == {"F", "q", "E"}


def test_a_kept_correction_that_no_longer_reads_is_shown_and_not_computed() -> None:
    kept = replace(_said("latex", "F = m a"), value=r"F = \frac{m")
    changed = apply_corrections(NOTHING_READ, (kept,))
    assert (changed.status, changed.reason_code, changed.latex) == ("declined", "correction_unreadable", kept.value)
