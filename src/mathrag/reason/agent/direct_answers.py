"""What needs no formula, as the outcome of an episode. The computing is done in `mathrag.reason.direct`."""

from __future__ import annotations

from mathrag.reason.direct import DirectFailure, compute_directly
from mathrag.types.answer import Answer, Refusal, RefusalCode
from mathrag.types.question import LONGEST_QUESTION, Question

# The rest is a failure of the calculation itself.
_CODES: dict[str, RefusalCode] = {
    "division_by_zero": "impossible",
    "domain": "impossible",
    "complex": "impossible",
    "undefined": "impossible",
    "not_whole": "impossible",
    "dimension": "unit",
    "temperature": "unit",
    "ambiguous": "unsure",
}


def answer_directly(question: Question) -> Answer | Refusal | None:
    """The outcome of a question that needs no formula; None for every other question."""
    if len(question.text) > LONGEST_QUESTION:
        return None
    found = compute_directly(question.text)
    if found is None:
        return None
    if isinstance(found, DirectFailure):
        return Refusal(question.text, _CODES.get(found.code, "failed"), found.message)
    return Answer(
        question=question.text,
        value=found.quantity,
        significant_figures=found.significant_figures,
        steps=(),
        confidence=1.0,
        text=found.text,
        exact=found.exact,
        warnings=found.notes,
        provenance=found.provenance,
    )
