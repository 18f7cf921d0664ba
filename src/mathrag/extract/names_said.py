"""Names that a document says where it writes a formula: whose curve, law or method it is. Names no formula; whoever
looks for one by such a name finds it."""

from __future__ import annotations

from mathrag.extract.occurrences import Occurrence
from mathrag.language.proper_names import proper_names
from mathrag.language.tokens import SENTENCE_BREAK
from mathrag.types.document import Paragraph, plain_text

_MOST = 4


def names_said(occurrence: Occurrence) -> tuple[str, ...]:
    """The proper names in the sentence that a formula stands in, or in the one that leads to it."""
    before, after = plain_text(occurrence.before), plain_text(occurrence.after)
    if not before.strip():
        leads = [block for block in occurrence.lead if isinstance(block, Paragraph)]
        before = plain_text(leads[0].content) if leads else ""
    sentence = SENTENCE_BREAK.split(before.strip())[-1], SENTENCE_BREAK.split(after)[0]
    return proper_names(" ".join(sentence))[:_MOST]
