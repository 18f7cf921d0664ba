"""How formulas hang together: found by algebra, each neighbour by itself, and told both ways where that makes sense."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extract.library_samples import EQUATIONS, METRE, UNITS, equation_of
from mathrag.compute.canonical import canonical_key
from mathrag.extract.relations import derived_forms, fixed_symbol, relate
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.document import Place
from mathrag.types.expression import equation_symbols
from mathrag.types.library import Constant, Formula, Relation, Span, SymbolMeaning
from mathrag.types.quantity import Dimension


def _formula(text: str, units: dict[str, str], *, document: str = "d", **fields: object) -> Formula:
    equation = equation_of(text)
    symbols = tuple(
        SymbolMeaning(
            name,
            unit=units.get(name),
            dimension=read_canonical_unit(units[name]).dimension if name in units else None,
            origin="document",
            role="constant" if name in ("g", "R_gas") else "variable",
            constant="standard_gravity" if name == "g" else None,
        )
        for name in equation_symbols(equation)
    )
    return Formula(
        id=f"f-{text}",
        form=canonical_key(equation),
        label=text,
        latex=text,
        status=fields.get("status", "executable"),  # type: ignore[arg-type]
        spans=(Span(document, Place(), text),),
        equation=equation,
        symbols=symbols,
    )


MOTION = {"s": "m", "u": "m/s", "v": "m/s", "a": "m/s^2", "t": "s", "r": "m", "F": "N", "m": "kg", "W": "J", "P": "W"}
GENERAL = _formula("s = u*t + a*t**2/2", MOTION)
SPECIAL = _formula("s = a*t**2/2", MOTION)
SPEED = _formula("v = u + a*t", MOTION)
FORCE = _formula("F = m*a", MOTION)
WORK = _formula("W = F*s", MOTION)
POWER = _formula("P = W/t", MOTION)


def _kinds(formula: Formula, *others: Formula) -> set[tuple[str, str]]:
    return {(one.kind, one.target) for one in relate(formula, others, (), ())}


def _told(formula: Formula, label: str, *, heading: str = "", **said: tuple[str, str | None]) -> Formula:
    """The formula with a name, what is said of its symbols (words and kind), and a heading above it."""
    symbols = tuple(
        replace(each, description=said[each.name][0], kind=said[each.name][1]) if each.name in said else each
        for each in formula.symbols
    )
    spans = tuple(replace(each, headings=(heading,) if heading else ()) for each in formula.spans)
    return replace(formula, label=label, symbols=symbols, spans=spans)


def test_a_formula_uses_what_gives_its_symbols() -> None:
    work = _told(WORK, "Work", W=("work", "work"), F=("force", "force"))
    power = _told(POWER, "Power", W=("work", "work"))
    force = _told(FORCE, "Force (second law)", F=("force", "force"))
    assert ("uses", work.id) in _kinds(power, work)
    assert ("uses", force.id) in _kinds(work, force)
    assert ("uses", power.id) not in _kinds(work, power)
    (relation,) = relate(power, (work,), (), ())
    assert relation.evidence == "W (work) is what Work gives, which is called after it"


def test_a_letter_alone_is_no_reason() -> None:
    work = _told(WORK, "Work", F=("force", "force"), s=("distance", "distance"))
    # Named after a device, which is no quantity; named after something else; an everyday quantity.
    assert _kinds(work, _told(FORCE, "Towing hook", F=("towing hooks", None))) == set()
    assert _kinds(work, _told(FORCE, "Rocket equation", F=("force", "force"))) == set()
    assert _kinds(work, _told(SPECIAL, "Distance", s=("distance", "distance"))) == set()


def test_one_heading_or_the_same_special_words_are_a_reason() -> None:
    work = _told(WORK, "Work", heading="Towing", F=("force", "force"), s=("braking distance of the sledge", "distance"))
    near = _told(FORCE, "Rocket equation", heading="Towing", F=("force", "force"))
    assert ("uses", near.id) in _kinds(work, near)
    braking = _told(SPECIAL, "Braking", s=("braking distance of the sledge", "distance"))
    assert ("uses", braking.id) in _kinds(work, braking)


def test_the_same_letter_of_another_dimension_is_not_used() -> None:
    weight = _formula("W = m*g", {"W": "N", "m": "kg", "g": "m/s^2"})
    assert not _kinds(POWER, weight)


def test_a_special_case_is_told_both_ways() -> None:
    assert ("generalizes", SPECIAL.id) in _kinds(GENERAL, SPECIAL)
    assert ("specializes", GENERAL.id) in _kinds(SPECIAL, GENERAL)


def test_a_special_case_says_what_is_fixed() -> None:
    assert GENERAL.equation is not None
    assert fixed_symbol(GENERAL.equation, SPECIAL) == "u = 0"
    assert fixed_symbol(GENERAL.equation, FORCE) is None


def test_a_product_has_no_special_cases() -> None:
    impulse = _formula("F = m", {"F": "N", "m": "kg"})
    assert {kind for kind, _ in _kinds(FORCE, impulse)}.isdisjoint({"generalizes", "specializes"})


def test_what_two_formulas_give_together() -> None:
    acceleration, speed = equation_of("a = v**2/r"), equation_of("v = w*r")
    assert canonical_key(equation_of("a = w**2*r")) in set(derived_forms(acceleration, speed, "v"))
    assert list(derived_forms(None, speed, "v")) == []


def test_a_stated_relation_is_kept_and_turned() -> None:
    stated = Relation("specializes", SPECIAL.id, GENERAL.id, 0.6, "reduces to")
    other = Relation("derived_from", SPECIAL.id, GENERAL.id, 0.6, "follows")
    assert stated in relate(SPECIAL, (), (), (stated,))
    assert relate(GENERAL, (), (), (stated, other)) == (
        Relation("generalizes", GENERAL.id, SPECIAL.id, 0.6, "reduces to"),
    )


def test_a_constant_is_used_by_its_standard_name_and_dimension() -> None:
    span = Span("d", Place(), "9.81")
    dimension = read_canonical_unit("m/s^2").dimension
    from decimal import Decimal

    gravity = Constant("c-1", "g", "gravity", Decimal("9.81"), "m/s^2", dimension, (span,), standard="standard_gravity")
    other = Constant("c-2", "g", "gram", Decimal(1), "kg", Dimension.of({"mass": 1}), (span,))
    falling = _formula("v = g*t", {"v": "m/s", "g": "m/s^2", "t": "s"})
    found = relate(falling, (), (gravity, other), ())
    assert [(one.kind, one.target) for one in found] == [("uses_constant", "c-1")]
    assert relate(SPEED, (), (gravity, other), ()) == ()


def test_what_is_set_aside_explains_nothing() -> None:
    aside = _formula("W = F*s", MOTION, status="quarantined")
    assert not _kinds(_formula("P = W/t", MOTION, status="quarantined"), aside)


def test_an_executable_formula_does_not_use_a_misprint() -> None:
    misprint = _formula("W = F*s**2", MOTION, status="quarantined")
    assert not _kinds(POWER, misprint)


# -- each neighbour is judged by itself

POOL = tuple(_formula(text, dict.fromkeys("srLh", UNITS[METRE]) | MOTION) for text in EQUATIONS)
QUIET = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@QUIET
@given(st.sampled_from(POOL), st.lists(st.sampled_from(POOL), unique_by=lambda one: one.id), st.data())
def test_part_of_the_neighbours_gives_part_of_the_relations(
    formula: Formula, neighbours: list[Formula], data: st.DataObject
) -> None:
    chosen = data.draw(st.sets(st.sampled_from(neighbours))) if neighbours else set()
    some = [one for one in neighbours if one in chosen]
    whole = relate(formula, neighbours, (), ())
    wanted = {one.id for one in some}
    assert relate(formula, some, (), ()) == tuple(one for one in whole if one.target in wanted)


@QUIET
@given(st.sampled_from(POOL), st.sampled_from(POOL))
def test_special_and_general_are_two_sides(first: Formula, second: Formula) -> None:
    turned = {"generalizes": "specializes", "specializes": "generalizes"}
    ours = {turned[one.kind] for one in relate(first, (second,), (), ()) if one.kind in turned}
    theirs = {one.kind for one in relate(second, (first,), (), ()) if one.kind in turned}
    assert ours == theirs


@QUIET
@given(st.sampled_from(POOL), st.lists(st.sampled_from(POOL)))
def test_a_formula_is_never_related_to_itself(formula: Formula, neighbours: list[Formula]) -> None:
    found = relate(formula, neighbours, (), ())
    assert all(one.source == formula.id for one in found)
    assert all(one.target != formula.id for one in found)
    assert all(0 < one.confidence <= 1 for one in found)
