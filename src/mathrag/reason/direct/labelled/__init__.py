"""Relations between a few values that a question names in words: an interval from a mean, a deviation and a size; the
n-th term of a sequence; a binomial chance. The relations are rows of data (`data/labelled_relations.toml`), read by one
matcher; each is an equation or one of a closed set of ways to compute.

Strict: every value is one of the relation's by the word beside it, and every word of the question belongs to the
relation or changes nothing. What two relations read with different results is answered by none.
"""

from __future__ import annotations

from functools import lru_cache

from mathrag.reason.direct.labelled.computing import computed
from mathrag.reason.direct.labelled.reading import is_beyond, read_relation, spelled
from mathrag.reason.direct.labelled.rows import all_relations
from mathrag.reason.direct.listed.reading import Worded, worded
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectResult

__all__ = ["answer_labelled"]

_LONGEST = 600


# One question is asked several times over, by those who look things up and by those who compute.
@lru_cache(maxsize=16)
def answer_labelled(text: str) -> AlgebraOutcome:
    """What a relation between named values comes to, or why it has no value; None for any other question."""
    asked = worded(spelled(text)) if len(text) <= _LONGEST else None
    if asked is None:
        return None
    read = [read_relation(relation, asked) for relation in all_relations()]
    told = [outcome for each in read if each is not None and (outcome := computed(each)) is not None]
    answers = [each for each in told if not isinstance(each, DirectFailure)]
    if not answers:
        return told[0] if told else _beyond(asked)
    return answers[0] if all(_said(each) == _said(answers[0]) for each in answers) else None


def _beyond(asked: Worded) -> DirectFailure | None:
    """That a guarded relation is asked for under a condition, which formulas would leave out."""
    found = next((each for each in all_relations() if is_beyond(each, asked)), None)
    if found is None:
        return None
    return DirectFailure("ambiguous", f"the {found.name} here has a condition that I cannot compute with", "list")


def _said(found: AlgebraOutcome) -> object:
    return found.quantity.si_value if isinstance(found, DirectResult) else found
