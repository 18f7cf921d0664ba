"""Everyday word problems: numbers in words, ages, percent, interest, rates, figures, mixtures, lists of data.

Each schema reads a story that it wholly understands or nothing: every value of the question must be used, one
solution must fit, and what is asked must be one of the unknowns. Where two schemas disagree there is no answer.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from mathrag.knowledge.units import read_canonical_unit
from mathrag.reason.direct.result import (
    PLAIN_FIGURES,
    DirectFailure,
    DirectOutcome,
    DirectResult,
    exact_fraction,
    exact_text,
    with_unit,
)
from mathrag.reason.direct.stories.angles import solve_angles
from mathrag.reason.direct.stories.bargains import solve_bargain, solve_percent_change
from mathrag.reason.direct.stories.comparisons import (
    solve_changes,
    solve_counts,
    solve_difference,
    solve_each,
    solve_weights,
)
from mathrag.reason.direct.stories.geometry import solve_figure, solve_slant
from mathrag.reason.direct.stories.kinds_of_things import solve_collection, solve_mixture
from mathrag.reason.direct.stories.legs import (
    solve_same_time_in_stream,
    solve_symbols_that_vary,
    solve_two_legs,
    solve_variation,
)
from mathrag.reason.direct.stories.lists import solve_chance
from mathrag.reason.direct.stories.motion import solve_stream, solve_travel, solve_two_movers
from mathrag.reason.direct.stories.numbers import solve_ages, solve_numbers
from mathrag.reason.direct.stories.percent import (
    solve_interest,
    solve_share,
    solve_what_percent,
)
from mathrag.reason.direct.stories.rates import (
    solve_proportion,
    solve_shadow,
    solve_unit_rate,
    solve_work,
)
from mathrag.reason.direct.stories.reading import (
    Story,
    asked_decimals,
    covered,
    doubtful_fraction,
    everyday,
    quantity,
    read_fragment,
    read_story,
)
from mathrag.reason.direct.stories.school import solve_school
from mathrag.reason.direct.stories.solved import Solved
from mathrag.reason.direct.stories.stated_formulas import solve_stated_formula
from mathrag.reason.question.clock_times import clock_span
from mathrag.types.answer import Provenance
from mathrag.types.quantity import NO_UNIT, Unit

__all__ = ["answer_story"]

_SCHEMAS: tuple[Callable[[Story], Solved | None], ...] = (
    solve_numbers, solve_ages, solve_figure, solve_slant, solve_angles, solve_chance,
    solve_percent_change, solve_what_percent, solve_share, solve_bargain, solve_interest,
    solve_unit_rate, solve_proportion, solve_shadow, solve_work,
    solve_travel, solve_two_movers, solve_stream, solve_collection, solve_mixture,
    solve_difference, solve_changes, solve_each, solve_counts, solve_weights,
    solve_same_time_in_stream, solve_two_legs, solve_variation,
)  # fmt: skip
# What asks nothing in so many words is understood where a bargain is told.
_FRAGMENTS: tuple[Callable[[Story], Solved | None], ...] = (solve_percent_change, solve_bargain)
_FIGURES = 6


def answer_story(text: str) -> DirectOutcome:
    """The answer to an everyday word problem, or why it has none; None for every other question."""
    if clock_span(text) is not None:
        # No schema reads times of day; what they say beside a duration would be left out.
        return None
    for solve in (solve_school, solve_symbols_that_vary, solve_stated_formula):
        direct = solve(text)
        if direct is not None:
            return _result(direct, decimals=asked_decimals(text))
    doubtful = doubtful_fraction(text)
    if doubtful and "?" in text:
        said = f"{doubtful} may be a mixed number that lost its blank; write it with the blank or as a decimal"
        return DirectFailure("ambiguous", said, "story")
    story, schemas = read_story(text), _SCHEMAS
    if story is None:
        story, schemas = read_fragment(text), _FRAGMENTS
    if story is None or not story.values or not everyday(story):
        return None
    found = [solved for solve in schemas if (solved := solve(story)) is not None and covered(story, solved.used)]
    if not found or any((one.value, one.unit) != (found[0].value, found[0].unit) for one in found):
        return None
    return _result(found[0], wanted=story.wanted, decimals=story.decimals)


def _result(solved: Solved, *, wanted: Unit | None = None, decimals: int | None = None) -> DirectResult:
    unit = NO_UNIT if solved.unit is None else read_canonical_unit(solved.unit)
    value = solved.value
    if wanted is not None and wanted.dimension == unit.dimension and unit.text:
        value, unit = value * exact_fraction(unit.scale / wanted.scale), wanted
    places = 2 if decimals is None and unit.text == "USD" else decimals
    if places is not None:
        value = Fraction(round(value * 10**places), 10**places)
    answer = quantity(value, unit)
    figures = PLAIN_FIGURES if value.denominator == 1 else _FIGURES
    said = with_unit(answer.value, unit, figures)
    lines = (f"{solved.rule}", *solved.working, f"= {said}")
    exact = exact_text(value, decimals=True) if solved.unit is None else ""
    texts = dict.fromkeys(each.text for each in solved.used)
    return DirectResult(
        "story",
        answer,
        figures,
        solved.working[0] if solved.working else solved.rule,
        exact=exact if len(exact) <= 12 and "/" not in exact else "",
        working=lines,
        provenance=tuple(Provenance("question", text) for text in texts),
        text=f"The result is {said} ({'; '.join(lines[:-1])}).",
    )
