"""Whether everything of one kind is of another by definition: `is every square a rectangle`.

A definition of the glossary that begins "A rectangle whose …" says so: every square is a rectangle. Several such steps
may follow each other. Where only the other direction is known, that is told; nothing else is concluded.
"""

from __future__ import annotations

import re

from mathrag.reason.direct.glossary_answers import entry_text
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.retrieve.glossary import glossary_called, is_its_name
from mathrag.types.answer import Reply
from mathrag.types.concept import GlossaryEntry

_LONGEST = 120
_MOST_STEPS = 5
_MOST_WORDS = 4
_ASKED = (
    re.compile(
        r"(?:is it true that )?(?:is|are) (?:every|each|any|an?) (?P<kind>[a-z' -]+?) (?:also |always |necessarily )?"
        r"(?:an? )(?P<wider>[a-z' -]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:are all|are) (?P<kind>[a-z' -]+?s) (?:also |always |necessarily )?(?P<wider>[a-z' -]+?s)", re.IGNORECASE
    ),
    re.compile(r"is it true that every (?P<kind>[a-z' -]+?) is (?:also )?an? (?P<wider>[a-z' -]+)", re.IGNORECASE),
)
_DESCRIBED = re.compile(
    r"(?:is it true that )?(?:is|are|must|does) (?:every|each|any|all|an?) (?P<what>[a-z' -]+?) (?P<noun>[a-z]+) "
    r"(?:also |always |necessarily |be |have to be )?(?P<quality>[a-z-]+)",
    re.IGNORECASE,
)
_OPENING = re.compile(r"\A(?:an?) (?P<rest>[^.;]+)", re.IGNORECASE)
# What may follow the wider kind in a definition: a condition on it. "A measure of …" is no measure.
_CONDITION = frozenset(("with", "whose", "that", "which", "such", "having", "greater"))


def answer_kinds(text: str) -> Reply | None:
    """What the definitions of the glossary say of two kinds of things; None where they say nothing of them."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text))
    described = _DESCRIBED.fullmatch(asked)
    if described is not None:
        # "Is every symmetric matrix square?" asks for a square matrix.
        kinds = _called(f"{described['what']} {described['noun']}")
        wider = _called(f"{described['quality']} {described['noun']}")
        if kinds is not None and wider is not None and kinds != wider and _steps(kinds, wider):
            return _told(text, kinds, wider)
    for pattern in _ASKED:
        found = pattern.fullmatch(asked)
        if found is None:
            continue
        kinds, wider = _called(found["kind"]), _called(found["wider"])
        if kinds is None or wider is None or kinds == wider:
            continue
        return _told(text, kinds, wider)
    return None


def _called(name: str) -> GlossaryEntry | None:
    """The one entry that has this very name."""
    found = [entry for entry in glossary_called(name) if is_its_name(name, entry)]
    return found[0] if len(found) == 1 else None


def _told(text: str, kind: GlossaryEntry, wider: GlossaryEntry) -> Reply | None:
    upward, downward = _steps(kind, wider), _steps(wider, kind)
    if upward:
        said = f"Yes: by definition every {kind.name} is {_with_article(wider.name)}."
    elif downward:
        said = (
            f"Not by definition: every {wider.name} is {_with_article(kind.name)}, but with a further condition; "
            f"{_with_article(kind.name)} that does not meet it is no {wider.name}."
        )
    else:
        return None
    steps = upward or downward
    return Reply(text, "\n".join((said, *map(entry_text, steps))), glossary=steps)


def _with_article(name: str) -> str:
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def _steps(kind: GlossaryEntry, wider: GlossaryEntry) -> tuple[GlossaryEntry, ...]:
    """The definitions that lead from one kind to the wider one; none where they do not."""
    steps: list[GlossaryEntry] = []
    current = kind
    for _ in range(_MOST_STEPS):
        above = _genus(current)
        if above is None or above in steps:
            return ()
        steps.append(current)
        if above == wider:
            return tuple(steps)
        current = above
    return ()


def _genus(entry: GlossaryEntry) -> GlossaryEntry | None:
    """The wider kind that a definition names first, where a condition follows it."""
    opening = _OPENING.match(entry.definition)
    if opening is None:
        return None
    words = opening["rest"].split()
    for count in range(min(_MOST_WORDS, len(words) - 1), 0, -1):
        follows = words[count].strip(",").lower()
        if follows == "in" and words[count + 1 : count + 2] == ["which"]:
            follows = "which"
        named = _called(" ".join(words[:count]).strip(","))
        if named is not None and named != entry:
            return named if follows in _CONDITION and not words[count - 1].endswith(",") else None
    return None
