"""Every check of a plan with its code, what becomes of a plan that it speaks against, and how that is said.

What stands first is what a refusal tells. The rules give no number where there is any finding; what others may do in
spite of it goes by its weight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import QuestionView
from mathrag.reason.judge.asked import nothing_asked, unit_misfits, unstated_knowledge
from mathrag.reason.judge.asked_names import called_otherwise, ends_parted, takes_what_is_asked
from mathrag.reason.judge.brought_together import (
    added_for_a_state,
    alike_things_left_out,
    others_left_out,
    part_for_the_whole,
    removed_left_out,
    values_of_two_times,
)
from mathrag.reason.judge.denied_conditions import DENIED, denied_conditions
from mathrag.reason.judge.left_over import (
    counts_left_out,
    like_things_left_out,
    multiples_left_out,
    qualifiers_left_out,
    rest_asked_for,
    states_left_out,
    times_of_day_left_out,
    values_left_out,
    which_left_out,
)
from mathrag.reason.judge.measured_from import (
    change_instead_of_whole,
    changes_of_state,
    distance_from_elsewhere,
    other_origins,
    radius_instead_of_width,
    reference_instead,
    whole_instead_of_change,
    wholes_for_differences,
)
from mathrag.reason.judge.money import asked_is_given, millions_for_one, other_periods, tax_otherwise
from mathrag.reason.judge.motion import too_steady
from mathrag.reason.judge.said_otherwise import (
    arranged_otherwise,
    constant_instead,
    names_of_other_kinds,
    names_of_other_places,
    particular_instead,
    signs_left_out,
)
from mathrag.reason.judge.spots import Check, Spot
from mathrag.reason.judge.stated_lists import lists_taken_apart
from mathrag.reason.judge.told_in_part import (
    atoms_asked_for,
    braking_past_standing,
    other_things_counted,
    said_not_to_be,
    shares_left_out,
    speeds_of_something_else,
    ways_left_open,
)
from mathrag.reason.judge.two_values import two_values
from mathrag.reason.judge.used_twice import used_twice
from mathrag.types.finding import Consequence, Finding, Weight


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of finding. `reason` is said where a spot has no words of its own."""

    code: str
    reason: str
    consequence: Consequence = "unsure"
    weight: Weight = "doubt"

    def findings(self, spots: Iterable[Spot]) -> Iterator[Finding]:
        """A finding for each spot."""
        for spot in spots:
            yield Finding(
                self.code,
                spot.reason or self.reason,
                self.consequence,
                self.weight,
                spot.values,
                spot.symbols,
                spot.spans,
            )


# Those that need more than the plan and the question: the number, the library, the ranking.
DIRECTION = Rule("direction", "", "contradiction", weight="hard")
LEFT_OVER = Rule("left_over", "", "contradiction")
MISSING = Rule("missing", "", "missing", weight="hard")
CASE = Rule("case", "", "missing", weight="hard")
FACTOR = Rule("factor", "", weight="hard")
IMPOSSIBLE_VALUE = Rule("impossible_value", "", "impossible", weight="hard")
NO_NUMBER = Rule("no_number", "", "impossible", weight="hard")
LIMIT = Rule("limit", "", "impossible", weight="hard")
BACKWARDS = Rule("backwards", "the result comes out negative, which it never is", weight="hard")
AGAINST_MOTION = Rule("against_motion", "the result does not go with which way the question says things move")
ECHO = Rule("echo", "")
GIVEN = Rule("given", "", "contradiction")
OTHER_SENSE = Rule("other_sense", "")
# Of what everybody knows nothing is said to no purpose; documents tell of cases with much beside.
OF_ONE_HAND: tuple[tuple[Rule, Check], ...] = (
    (
        Rule("qualifier", "the question says of which kind something is, which the formula found does not take up"),
        qualifiers_left_out,
    ),
    (
        Rule("like_things", "the question tells of several like things, and the formula found takes one of them"),
        like_things_left_out,
    ),
    (Rule("unused", "the formula found leaves out a value that the question states"), values_left_out),
    (Rule("period", "an amount or a rate is for another time than in the formula found"), other_periods),
    (Rule("taxed", "the question and the formula found differ in whether the tax is in a price"), tax_otherwise),
    (Rule("for_one", "an amount of millions would have to be for one share or piece"), millions_for_one),
    (
        Rule("asked_given", "the formula found takes as given what is asked for, or computes what is given"),
        asked_is_given,
    ),
    (
        Rule("called_otherwise", "what is asked goes by another name than what comes out"),
        called_otherwise,
    ),
    (Rule("ends", "a beginning and an end stand for two different quantities in the formula found"), ends_parted),
)
NAMED_AFTER_ANOTHER = Rule(
    "named_after_another", "the question says whose formula is meant, and that is another one", weight="hard"
)
BELONGS_TO_ANOTHER = Rule(
    "belongs_to_another", "what is asked for is the name of what another formula gives", weight="hard"
)
OF_ANOTHER = Rule(
    "of_another", "a value has the name of another quantity of the document than the one that it would stand for"
)
UNTOLD = Rule("untold", "nothing tells which of two values is which, and it matters", weight="open")
VARIANTS = Rule("variants", "", weight="open")
DISAGREEMENT = Rule("disagreement", "the documents disagree on this, and nothing tells which of them is right")

TWO_VALUES = (Rule("two_values", "", "contradiction", weight="hard"), two_values)
UNIT = (Rule("unit", "", "unit", weight="hard"), unit_misfits)
_WHAT_IS_ASKED: tuple[tuple[Rule, Check], ...] = (
    (Rule("nothing_asked", "the question does not say what is to be computed", weight="open"), nothing_asked),
    (
        Rule(
            "unstated_knowledge",
            "this would take a value that the question does not give, and leave out what it says",
            weight="open",
        ),
        unstated_knowledge,
    ),
)
# What a question says that a plan must take up.
_WHAT_IS_SAID: tuple[tuple[Rule, Check], ...] = (
    (
        Rule("multiple", "the question multiplies or divides something, which the formula found does not take up"),
        multiples_left_out,
    ),
    (
        Rule("which", "the question asks for one of many, and the formula found does not take up which"),
        which_left_out,
    ),
    (
        Rule("counts", "the question asks for the chance of other numbers than the formula found is for"),
        counts_left_out,
    ),
    (
        Rule("state", "the question tells a before and an after, and the formula found takes only one of them"),
        states_left_out,
    ),
    (
        Rule("time_of_day", "the question tells times of day, which do not go with what the formula found takes"),
        times_of_day_left_out,
    ),
    (
        Rule("rest", "the question asks for what is not so, and the formula found gives what is"),
        rest_asked_for,
    ),
    (
        Rule("origin", "a value is measured from elsewhere than the formula found counts from", weight="hard"),
        other_origins,
    ),
    (
        Rule("whole_for_difference", "the formula found needs a difference of two values, and the question gives one"),
        wholes_for_differences,
    ),
    (
        Rule("whole_for_change", "the question asks by how much, and the formula found gives what it becomes"),
        whole_instead_of_change,
    ),
    (
        Rule("reference", "the formula found gives what others are compared with, which is not asked"),
        reference_instead,
    ),
    (
        Rule("steady", "something falls, speeds up or slows down, and the formula found is for a steady speed"),
        too_steady,
    ),
    (
        Rule(
            "change_of_state",
            "water melts, freezes or boils on the way, which the formula found leaves out",
            weight="hard",
        ),
        changes_of_state,
    ),
    (
        Rule("list", "the question states values of one kind together, and the formula found takes them apart"),
        lists_taken_apart,
    ),
    (
        Rule("sign", "the question says that something counts as negative, which the formula found does not take up"),
        signs_left_out,
    ),
    (
        Rule("arranged", "the question has parts in series or in parallel, and the formula found has them otherwise"),
        arranged_otherwise,
    ),
    (
        Rule("other_place", "a value is called by another name than what it would stand for in the formula found"),
        names_of_other_places,
    ),
    (
        Rule("other_kind", "a value is called something else than what it would stand for in the formula found"),
        names_of_other_kinds,
    ),
    (Rule("constant", "the formula found gives a constant, which is not asked"), constant_instead),
    (
        Rule("particular", "the formula found gives something more particular than what is asked"),
        particular_instead,
    ),
    (Rule("condition", DENIED), denied_conditions),
    (
        Rule("sequence", "one thing happens after the other, and the formula found takes both for one"),
        values_of_two_times,
    ),
    (
        Rule("added", "one thing is added to another, and the formula found takes them for before and after"),
        added_for_a_state,
    ),
    (
        Rule("alike", "the question asks for several things together, and the formula found takes one of them"),
        alike_things_left_out,
    ),
    (Rule("part", "the question asks for all of it, and the formula found gives a part"), part_for_the_whole),
    (Rule("removed", "something is taken away, which the formula found does not take up"), removed_left_out),
    (Rule("others", "there are several of them, and the formula found takes one"), others_left_out),
    (Rule("said_not", "the question says that it is not what the formula found gives"), said_not_to_be),
    (
        Rule("other_speed", "a speed is of something else than what the formula found is for"),
        speeds_of_something_else,
    ),
    (
        Rule("other_distance", "the question asks for a distance from elsewhere than the formula found counts from"),
        distance_from_elsewhere,
    ),
    (
        Rule("radius", "the question asks how wide it is, and the formula found gives the radius"),
        radius_instead_of_width,
    ),
    (
        Rule("change_for_whole", "the question asks how large it is, and the formula found gives the change"),
        change_instead_of_whole,
    ),
    (
        Rule("standing", "it stands before the time is over, and the formula found lets it go back", weight="hard"),
        braking_past_standing,
    ),
    (
        Rule("way", "the question does not say whether it moves toward or away, and it matters"),
        ways_left_open,
    ),
    (Rule("counted", "the question counts other things than the formula found"), other_things_counted),
    (Rule("share", "the question tells a percentage, which the formula found does not take up"), shares_left_out),
    (Rule("atoms", "the question asks for atoms, and the formula found counts whole particles"), atoms_asked_for),
)
_WHAT_IS_TAKEN: tuple[tuple[Rule, Check], ...] = (
    (Rule("used_twice", "", weight="hard"), used_twice),
    (Rule("asked_taken", "the formula found takes as given what is asked for"), takes_what_is_asked),
)
OF_PLAN_AND_QUESTION = (*_WHAT_IS_TAKEN, *_WHAT_IS_SAID, *_WHAT_IS_ASKED)
RULES = (
    TWO_VALUES[0],
    DIRECTION,
    LEFT_OVER,
    MISSING,
    CASE,
    FACTOR,
    IMPOSSIBLE_VALUE,
    NO_NUMBER,
    LIMIT,
    UNIT[0],
    BACKWARDS,
    AGAINST_MOTION,
    ECHO,
    GIVEN,
    OTHER_SENSE,
    *(rule for rule, _ in OF_PLAN_AND_QUESTION),
    BELONGS_TO_ANOTHER,
    NAMED_AFTER_ANOTHER,
    OF_ANOTHER,
    *(rule for rule, _ in OF_ONE_HAND),
    UNTOLD,
    VARIANTS,
    DISAGREEMENT,
)


def checked(pairs: Iterable[tuple[Rule, Check]], plan: Plan, view: QuestionView) -> Iterator[Finding]:
    """What checks find in a plan for a question."""
    for rule, check in pairs:
        yield from rule.findings(check(plan, view))
