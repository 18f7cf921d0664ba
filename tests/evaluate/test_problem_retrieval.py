"""Trials of retrieval are counted by halves."""

from __future__ import annotations

from mathrag.evaluate.problem_retrieval import (
    StepTrial,
    TypeTrial,
    same_type_by_likeness,
    step_figures,
    type_figures,
)

TYPES = [
    TypeTrial(0, "sums", ("sums", "circles"), nearest=0.6, nearest_is_same=True),
    TypeTrial(1, "sums", ("circles", "solids", "sums"), nearest=0.3),
    TypeTrial(2, "sums", ("circles", "solids", "angles", "sums"), nearest=0.1),
    TypeTrial(3, "sums", ()),
]


def test_types_are_counted_first_and_among_three() -> None:
    figures = type_figures(TYPES)
    assert (figures["odd"]["trials"], figures["odd"]["first"], figures["odd"]["among_three"]) == (2, 0, 1)
    assert (figures["even"]["first"], figures["even"]["among_three"]) == (1, 1)
    assert figures["all"]["among_three_share"] == 0.5
    assert type_figures([])["all"] == {
        "trials": 0, "first": 0, "first_share": 0.0, "among_three": 0, "among_three_share": 0.0,
    }  # fmt: skip


def test_steps_are_counted_within_and_flat() -> None:
    figures = step_figures([StepTrial(1, True, False), StepTrial(2, True, True), StepTrial(3, False, False)])
    assert (figures["odd"]["within"], figures["odd"]["flat"], figures["even"]["within_share"]) == (1, 0, 1.0)


def test_the_least_likeness_is_chosen_by_what_the_nearest_are() -> None:
    bins = same_type_by_likeness(TYPES, (0.2, 0.5))
    assert [(one["problems"], one["same_type"]) for one in bins] == [(2, 0), (1, 0), (1, 1)]
