"""Relations that hold for any number of values, where a question lists the values: resistors in parallel, a weighted
mean, a net present value. The relations are rows of data (`data/list_relations.toml`), read by one matcher.

Strict: every value is an element, a partner of one, a count or a rate, and every word belongs to the relation. What two
relations read with different results is answered by none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mathrag.reason.direct.listed.computing import Computed, Problem, computed
from mathrag.reason.direct.listed.networks import answer_networks
from mathrag.reason.direct.listed.reading import Mismatch, Worded, in_words, is_beyond, read_relation, worded
from mathrag.reason.direct.listed.rows import all_relations, is_spoken_of
from mathrag.reason.direct.result import DirectFailure, DirectOutcome, DirectResult
from mathrag.types.answer import Provenance, WorkingLine

__all__ = ["answer_listed"]

_LONGEST = 1_500
_SIMPLER = "ask for it without further conditions"


# One question is asked several times over, by those who look things up and by those who compute.
@lru_cache(maxsize=16)
def answer_listed(text: str) -> DirectOutcome:
    """The result of a relation over the values that a question lists, or why it has none; None for any other
    question."""
    if len(text) > _LONGEST or not is_spoken_of(text):
        return None
    asked = worded(in_words(text))
    if asked is None:
        return None
    told = [*_told(asked), *answer_networks(asked)]
    found = [each for each in told if isinstance(each, Computed)]
    if not found:
        return next(
            (DirectFailure(each.code, each.message, "list") for each in told if isinstance(each, Problem)), None
        )
    if any((one.quantity.si_value, one.name) != (found[0].quantity.si_value, found[0].name) for one in found):
        return None
    return _result(found[0])


def _told(asked: Worded) -> Iterator[Computed | Problem]:
    for relation in all_relations():
        read = read_relation(relation, asked)
        if isinstance(read, Mismatch):
            yield Problem("contradiction", read.message)
        elif read is None and is_beyond(relation, asked):
            yield Problem("ambiguous", f"the {relation.name} depends on more than the values here: {_SIMPLER}")
        elif read is not None and (result := computed(read, wanted=asked.wanted)) is not None:
            yield result


def _result(found: Computed) -> DirectResult:
    return DirectResult(
        "list",
        found.quantity,
        found.figures,
        found.expression,
        exact=found.exact,
        working=found.working,
        provenance=tuple(Provenance("question", text) for text in found.texts),
        notes=found.notes,
        lines=tuple(WorkingLine(each) for each in found.working),
    )
