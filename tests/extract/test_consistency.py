"""Choosing meanings together: what is chosen agrees, the best comes first, and nothing better was passed over."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from functools import partial

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extract.library_samples import (
    EQUATIONS,
    METRE,
    SECOND,
    SPEED,
    UNITS,
    dimensions_of,
    equation_of,
    proposals_for,
)
from mathrag.compute.dimensions import check_dimensions
from mathrag.extract.choice_search import Choice, Proposal, choose, dimension_of, dimension_rows, vector_of
from mathrag.extract.meanings import Surroundings, propose
from mathrag.types.document import Place
from mathrag.types.expression import Equation, equation_symbols
from mathrag.types.library import Span, SymbolDefinition, SymbolMeaning
from mathrag.types.quantity import Dimension
from noun_strategies import dimensions
from strategies import algebraic_expressions, symbols

QUIET = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
drawn_equations = st.one_of(
    st.sampled_from(EQUATIONS).map(equation_of), st.builds(Equation, symbols, algebraic_expressions)
)


@given(dimensions)
def test_a_dimension_survives_as_floats(dimension: Dimension) -> None:
    assert dimension_of(vector_of(dimension)) == dimension


@QUIET
@given(st.data())
def test_choices_agree_and_come_best_first(data: st.DataObject) -> None:
    equation = data.draw(drawn_equations)
    proposals = data.draw(proposals_for(equation_symbols(equation)))
    choices = choose(dimension_rows(equation), proposals)
    scores = [choice.score for choice in choices]
    assert scores == sorted(scores, reverse=True)
    assert len(choices) <= 4
    for choice in choices:
        assert set(choice.meanings) == set(equation_symbols(equation))
        if not _leaves_open(choice):
            assert check_dimensions(equation, dimensions_of(choice)).status != "inconsistent"


def _one(name: str, dimension: Dimension) -> Proposal:
    return Proposal(1.0, vector_of(dimension), partial(SymbolMeaning, name, dimension=dimension))


def _leaves_open(choice: Choice) -> bool:
    return any(one.dimension is None for one in choice.meanings.values())


def test_a_symbol_left_open_hides_no_contradiction() -> None:
    """v = u + a t with lengths for u, a and t: v cannot be a length and an area."""
    equation = equation_of("v = u + a*t")
    either = {name: [_one(name, METRE), _one(name, SECOND)] for name in "ua"}
    proposals = {**either, "t": [_one("t", METRE)], "v": [Proposal(1.0, None, partial(SymbolMeaning, "v"))]}
    for choice in choose(dimension_rows(equation), proposals):
        assert check_dimensions(equation, dimensions_of(choice)).status != "inconsistent"


@QUIET
@given(st.data())
def test_choices_differ_in_dimension(data: st.DataObject) -> None:
    equation = data.draw(drawn_equations)
    choices = choose(dimension_rows(equation), data.draw(proposals_for(equation_symbols(equation))))
    found = [tuple(sorted((name, str(one)) for name, one in dimensions_of(choice).items())) for choice in choices]
    assert len(set(found)) == len(found)


@QUIET
@given(st.data())
def test_nothing_better_was_passed_over(data: st.DataObject) -> None:
    """Against trying everything, where every symbol gets one of the meanings proposed for it."""
    equation = data.draw(st.sampled_from(EQUATIONS[:14]).map(equation_of))
    names = equation_symbols(equation)
    proposals = data.draw(proposals_for(names))
    choices = choose(dimension_rows(equation), proposals)
    options = [[one for one in proposals[name] if one.vector is not None] for name in names]
    for chosen in itertools.product(*options):
        known = {name: one.make().dimension for name, one in zip(names, chosen, strict=True)}
        if check_dimensions(equation, known).status != "inconsistent":  # type: ignore[arg-type]
            score = sum(_share(one, proposals[name]) for name, one in zip(names, chosen, strict=True))
            assert choices
            assert choices[0].score >= score - 1e-9


def _share(proposal: Proposal, among: list[Proposal]) -> float:
    return math.log(max(proposal.weight / sum(one.weight for one in among), 1e-9))


@QUIET
@given(st.data())
def test_choosing_is_repeatable(data: st.DataObject) -> None:
    equation = data.draw(drawn_equations)
    proposals = data.draw(proposals_for(equation_symbols(equation)))
    turned = dict(reversed(proposals.items()))
    assert choose(dimension_rows(equation), proposals) == choose(dimension_rows(equation), turned)


def test_a_form_that_contradicts_itself_has_no_choice() -> None:
    equation = equation_of("x = sin(x) + x/x*y + y**2")
    rows = dimension_rows(equation_of("x**2 = x + sin(x)"))
    assert not rows.is_impossible
    assert all(choice.meanings["x"].dimension is not None for choice in choose(rows, propose(("x",), Surroundings())))
    assert choose(replace(dimension_rows(equation), is_impossible=True), {}) == []


definitions = st.dictionaries(st.sampled_from("vuatsFmr"), st.sampled_from((None, METRE, SECOND, SPEED)), max_size=6)


@QUIET
@given(st.sampled_from(EQUATIONS), definitions)
def test_what_is_proposed_for_a_formula_is_chosen_consistently(text: str, defined: dict[str, Dimension | None]) -> None:
    equation = equation_of(text)
    names = equation_symbols(equation)
    around = Surroundings(
        definitions={
            name: [
                SymbolDefinition(
                    name,
                    "something",
                    Span("d", Place(), name),
                    0,
                    9,
                    "where",
                    unit=None if dimension is None else UNITS[dimension],
                    dimension=dimension,
                )
            ]
            for name, dimension in defined.items()
            if name in names
        }
    )
    for choice in choose(dimension_rows(equation), propose(names, around)):
        if not _leaves_open(choice):
            assert check_dimensions(equation, dimensions_of(choice)).status != "inconsistent"


def test_a_family_of_subscripts_has_one_dimension() -> None:
    equation = equation_of("Delta_y = x_1 + x_2*k")
    lengths = [Proposal(1.0, vector_of(METRE), lambda: SymbolMeaning("x_1", dimension=METRE))]
    either = [
        Proposal(1.0, vector_of(METRE), lambda: SymbolMeaning("x_2", dimension=METRE)),
        Proposal(1.2, vector_of(SECOND), lambda: SymbolMeaning("x_2", dimension=SECOND)),
    ]
    opened = {name: [Proposal(1.0, None, partial(SymbolMeaning, name))] for name in ("Delta_y", "k")}
    best = choose(dimension_rows(equation), {"x_1": lengths, "x_2": either, **opened})[0]
    assert best.meanings["x_2"].dimension == METRE
    assert best.meanings["Delta_y"].dimension == METRE
