"""In which dictionary of the library a concept is: `which OpenMath CD has gcd and lcm?`"""

from __future__ import annotations

import re
from functools import cache

from mathrag.language.word_classes import any_of
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.retrieve.concept_names import name_key
from mathrag.retrieve.concepts import ConceptSearch
from mathrag.types.answer import Reply

_LONGEST, _MOST_NAMES, _MOST_PLACES = 160, 6, 8


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    dictionary = rf"(?:(?:the )?(?:{any_of('concepts.dictionaries')}))"
    names = r"(?P<names>[^\d=?]+?)"
    within = r"(?: (?:in|of) (?:the )?openmath)?"
    has = r"(?:has|have|contains?|defines?|holds?|introduces?|includes?)"
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?:in )?(?:which|what) {dictionary}s? {has} {names}{within}",
            rf"(?:in )?(?:which|what) {dictionary}s? (?:is|are) {names}(?: (?:in|defined|found))?{within}",
            rf"where (?:is|are) {names} (?:in|of) openmath",
            rf"(?:openmath )?{dictionary} (?:of|for|with) {names}",
        )
    )


def answer_places(text: str, concepts: ConceptSearch) -> Reply | None:
    """The dictionaries in which concepts stand, each with its symbol; None for any other question."""
    asked = without_ending(tidy(text)) if len(text) <= _LONGEST else ""
    found = next((match for each in _forms() if (match := each.fullmatch(asked))), None)
    if found is None or not concepts.has_concepts():
        return None
    names = [each.strip(" '\"") for each in re.split(r",? and |, | or ", found["names"]) if each.strip(" '\"")]
    if not 0 < len(names) <= _MOST_NAMES:
        return None
    shelf = concepts.shelf()
    lines = []
    for name in names:
        bare = re.sub(r"\A(?:an?|the) ", "", name, flags=re.IGNORECASE)
        placed = [one.name for one in shelf.concepts if one.symbol.lower() == bare.lower()]
        placed += [one.name for one in shelf.called(name_key(bare)) if one.name not in placed]
        shown = ", ".join(placed[:_MOST_PLACES])
        lines.append(f"{bare}: {shown}" if placed else f"{bare}: in no dictionary of the library")
    if all(line.endswith("in no dictionary of the library") for line in lines):
        return None
    return Reply(text, f"As dictionary:symbol, {'; '.join(lines)}.")
