"""What people say is laid over what was read: it applies, it can be taken back, and nonsense is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extract.library_samples import equation_of, findings_of_one_form
from mathrag.compute.canonical import canonical_key
from mathrag.errors import UsageError
from mathrag.extract.corrections import apply_corrections, check_correction, corrections_for
from mathrag.extract.merger import merge_findings
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.document import Place
from mathrag.types.library import Correction, Finding, Formula, Span, SymbolMeaning


def _symbol(name: str, unit: str | None, origin: str = "document") -> SymbolMeaning:
    dimension = None if unit is None else read_canonical_unit(unit).dimension
    return SymbolMeaning(name, unit=unit, dimension=dimension, origin=origin)  # type: ignore[arg-type]


EQUATION = equation_of("v = u + a*t")
FORMULA = Formula(
    id="f-1",
    form=canonical_key(EQUATION),
    label="Speed",
    latex="v = u + at",
    status="executable",
    spans=(Span("d", Place(line=1), "v = u + at"),),
    equation=EQUATION,
    labels=("Speed",),
    symbols=(_symbol("v", "m/s"), _symbol("u", "m/s"), _symbol("a", "m/s^2"), _symbol("t", "s")),
)


def _said(field: str, value: str, formula: Formula = FORMULA) -> Correction:
    field, value = check_correction(formula, field, value)
    return Correction(formula.id, formula.form, field, value, "ada", "2026-01-01T00:00:00Z")


def test_nothing_said_changes_nothing() -> None:
    assert apply_corrections(FORMULA, ()) is FORMULA


def test_a_label_is_corrected_and_the_old_one_kept() -> None:
    changed = apply_corrections(FORMULA, (_said("label", " Final velocity "),))
    assert (changed.label, changed.label_origin) == ("Final velocity", "edited")
    assert changed.labels == ("Final velocity", "Speed")
    assert changed.corrections[0].author == "ada"


@pytest.mark.parametrize("field", ["description", "intent"])
def test_words_are_corrected(field: str) -> None:
    assert getattr(apply_corrections(FORMULA, (_said(field, "words"),)), field) == "words"


def test_a_unit_of_the_same_dimension_keeps_the_formula() -> None:
    changed = apply_corrections(FORMULA, (_said("symbol.t.unit", "minutes"),))
    (symbol,) = [one for one in changed.symbols if one.name == "t"]
    assert (symbol.unit, symbol.origin) == ("min", "edited")
    assert changed.status == "executable"


def test_a_unit_that_cannot_be_sets_the_formula_aside_and_names_the_term() -> None:
    changed = apply_corrections(FORMULA, (_said("symbol.t.unit", "kg"),))
    assert (changed.status, changed.reason_code) == ("quarantined", "dimensions")
    assert "a*t" in changed.reason


def test_the_right_unit_brings_a_formula_back() -> None:
    wrong = replace(
        FORMULA,
        status="quarantined",
        reason_code="dimensions",
        reason="a*t",
        symbols=(_symbol("v", "m/s"), _symbol("u", "m/s"), _symbol("a", "m/s^2"), _symbol("t", "kg")),
    )
    changed = apply_corrections(wrong, (_said("symbol.t.unit", "s", wrong),))
    assert (changed.status, changed.reason, changed.reason_code) == ("executable", "", "")


def test_a_guess_gives_way_to_what_a_person_says() -> None:
    guessed = replace(
        FORMULA,
        symbols=(
            _symbol("v", "m/s"),
            _symbol("u", "m/s"),
            _symbol("a", "m/s^2", "assumed"),
            _symbol("t", "s", "assumed"),
        ),
    )
    changed = apply_corrections(guessed, (_said("symbol.t.unit", "kg", guessed),))
    (symbol,) = [one for one in changed.symbols if one.name == "a"]
    assert changed.status == "executable"
    assert symbol.dimension == read_canonical_unit("m/(s*kg)").dimension
    assert symbol.origin == "inferred"


def test_saying_what_an_unusual_symbol_is_brings_the_formula_back() -> None:
    unusual = replace(
        FORMULA, status="quarantined", reason_code="unusual_dimension", reason="no usual meaning of a fits"
    )
    assert apply_corrections(unusual, (_said("symbol.a.unit", "m/s^2", unusual),)).status == "executable"


def test_a_person_has_the_last_word_on_the_status() -> None:
    aside = apply_corrections(FORMULA, (_said("status", "quarantined"),))
    assert (aside.status, aside.reason) == ("quarantined", "set aside by ada")
    back = apply_corrections(FORMULA, (_said("status", "quarantined"), _said("status", "executable")))
    assert (back.status, back.reason) == ("executable", "")
    kept = apply_corrections(FORMULA, (_said("symbol.t.unit", "kg"), _said("status", "executable")))
    assert kept.status == "executable"


def test_role_and_kind() -> None:
    changed = apply_corrections(FORMULA, (_said("symbol.a.role", "constant"), _said("symbol.t.kind", "time")))
    known = {one.name: one for one in changed.symbols}
    assert known["a"].role == "constant"
    assert (known["t"].kind, known["t"].unit) == ("time", "s")


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("colour", "red", "possible are"),
        ("symbol.m.unit", "kg", "it has v, u, a, t"),
        ("symbol.t.colour", "red", "possible are"),
        ("symbol.t.unit", "flurbs", "cannot be read"),
        ("symbol.t.unit", "__import__('os')", "cannot be read"),
        ("symbol.t.kind", "nothing_known", "no quantity kind"),
        ("symbol.t.role", "star", "a variable, a constant or an index"),
        ("status", "declined", "executable or quarantined"),
        ("symbol", "x", "possible are"),
        ("symbol..unit", "kg", "no symbol ''"),
    ],
)
def test_nonsense_is_refused_with_what_would_be_right(field: str, value: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        check_correction(FORMULA, field, value)


def test_the_fields_are_listed_as_they_are_written() -> None:
    with pytest.raises(UsageError, match=r"symbol\.NAME\.unit"):
        check_correction(FORMULA, "colour", "red")


def test_what_could_not_be_read_cannot_be_made_executable() -> None:
    with pytest.raises(UsageError, match="could not be read"):
        check_correction(replace(FORMULA, equation=None), "status", "executable")


def test_corrections_find_their_formula_again() -> None:
    ours, by_form = _said("label", "x"), replace(_said("label", "y"), formula="f-old")
    assert corrections_for(FORMULA, (ours, by_form), is_only=False) == (ours,)
    assert corrections_for(FORMULA, (ours, by_form), is_only=True) == (ours, by_form)
    assert corrections_for(FORMULA, (replace(by_form, form="other"),), is_only=True) == ()


fields = st.sampled_from(
    [
        ("label", "Named"),
        ("description", "words"),
        ("intent", "Compute"),
        ("status", "quarantined"),
        ("status", "executable"),
    ]
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(findings_of_one_form(), st.lists(fields, max_size=4), st.data())
def test_corrections_apply_and_can_be_taken_back(
    findings: list[Finding], said: list[tuple[str, str]], data: st.DataObject
) -> None:
    before = merge_findings(findings)
    chosen = data.draw(st.sampled_from(before))
    units = data.draw(
        st.dictionaries(st.sampled_from([one.name for one in chosen.symbols]), st.sampled_from(["m", "s"]))
    )
    listed = [*said, *((f"symbol.{name}.unit", unit) for name, unit in units.items())]
    corrections = [_said(field, value, chosen) for field, value in listed]
    after = merge_findings(findings, corrections)
    assert [one.id for one in after] == [one.id for one in before]
    for old, new in zip(before, after, strict=True):
        if old.id != chosen.id and len(before) > 1:
            assert new == old
        if old.id == chosen.id:
            last = dict(listed)
            for field in ("label", "description", "intent", "status"):
                assert getattr(new, field) == last.get(field, getattr(new, field))
            known = {one.name: one for one in new.symbols}
            for name, unit in units.items():
                assert (known[name].unit, known[name].origin) == (unit, "edited")
            # Saying it again says no more.
            assert replace(apply_corrections(new, corrections), corrections=()) == replace(new, corrections=())
    assert merge_findings(findings, ()) == before


def test_a_formula_can_be_marked_as_one_between_numbers() -> None:
    equation = equation_of("n = 120*f/p")
    symbols = (_symbol("n", "1/s"), _symbol("f", "Hz"), _symbol("p", ""))
    formula = replace(FORMULA, equation=equation, form=canonical_key(equation), symbols=symbols)
    said = (_said("symbol.n.unit", "rpm", formula), _said("numerical", "yes", formula))
    changed = apply_corrections(formula, said)
    assert changed.status == "executable"
    assert any(flag.code == "number_equation" for flag in changed.flags)
    assert changed.equation != equation
    assert apply_corrections(formula, (*said, _said("numerical", "no", formula))).equation == equation


def test_whether_it_is_numerical_is_yes_or_no() -> None:
    assert check_correction(FORMULA, "numerical", "yes") == ("numerical", "yes")
    with pytest.raises(UsageError, match="yes or no"):
        check_correction(FORMULA, "numerical", "perhaps")
