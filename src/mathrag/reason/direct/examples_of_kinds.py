"""Examples of things with some properties and without others: `give an example of a function that is injective but not
surjective`, `example of a ring that is not commutative`, `which relations are symmetric and transitive?`

Told are examples of the list of properties, each with what it has and lacks; what no example of the list has is not
answered here. Strict: every word is a noun of the kind, a property, or grammar.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from mathrag.knowledge.properties import Example, PropertyKind, follow, property_kinds
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.properties import answer_properties, said_of, stated_of
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.types.answer import Reply

_LONGEST = 160
_MOST_TOLD = 3
# Of the matrices that are known, those written out are two by two.
_SIZE = r"(?P<rows>[0-9]) ?(?:x|×|by) ?(?P<columns>[0-9])"
_WRITTEN_OUT = re.compile(r"\[\[[^\[\],]+, [^\[\],]+\], \[[^\[\],]+, [^\[\],]+\]\]")


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    asked = rf"(?:(?:{any_of('properties.asking_examples')}) )*"
    out = any_of("properties.left_out_examples")
    limit = rf"(?:{any_of('properties.sorts_of_examples')}|{out}|{_SIZE})"
    return (
        re.compile(
            rf"{asked}(?:an? |one |some |the )?(?P<limits>(?:{limit} )*)examples? (?:of|for) (?P<said>.+?)"
            rf"(?:,? (?P<without>{out}))?",
            re.IGNORECASE,
        ),
        re.compile(
            r"(?:which|what) (?P<noun>[^\W\d_]+(?: [^\W\d_]+)?) (?:is|are) (?:both )?(?P<rest>.+)", re.IGNORECASE
        ),
    )


@cache
def _counterexample() -> re.Pattern[str]:
    asked = rf"(?:(?:{any_of('properties.asking_examples')}) )*"
    return re.compile(
        rf"{asked}(?:an? |one |some |the )?counter-?examples? (?:to|for|against|of)"
        r"(?: (?:the )?(?:claim|statement|idea))?(?: that)?:? [\"“']?(?P<claim>.+?)[\"”']?",
        re.IGNORECASE,
    )


def answer_examples(text: str) -> Reply | None:
    """Examples of things that are so; None where that is not asked, or no example is known."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text))
    against = _counterexample().fullmatch(asked)
    if against is not None:
        found = answer_properties(f"is it true that {against['claim']}")
        return found if found is not None and found.text.startswith("No") else None
    for pattern in _forms():
        match = pattern.fullmatch(asked)
        said = match.groupdict() if match is not None else {}
        wanted = said.get("said") or (f"{said['noun']} that are {said['rest']}" if said.get("rest") else "")
        left_out = _left_out(said)
        sizes = {said.get("rows"), said.get("columns")} - {None}
        if sizes - {"2"}:
            return None
        told = [
            reply
            for kind in property_kinds()
            if wanted and (reply := _told(text, kind, f"{wanted.lower()}{left_out}", is_written_out=bool(sizes)))
        ]
        if len(told) == 1:
            return told[0]
    return _of_properties_alone(text, asked)


@cache
def _alone() -> re.Pattern[str]:
    asked = rf"(?:(?:{any_of('properties.asking_examples')}) )*"
    return re.compile(rf"{asked}(?P<said>[a-z -]{{3,60}}?),? (?:an? )?examples?", re.IGNORECASE)


def _of_properties_alone(text: str, asked: str) -> Reply | None:
    """Examples where only properties are named, and one kind of things alone has them: "symmetric not transitive
    example"."""
    found = _alone().fullmatch(asked)
    said = found["said"].lower() if found is not None else ""
    told = [
        reply
        for kind in property_kinds()
        if said
        and (reply := next(filter(None, (_told(text, kind, f"{noun} that is {said}") for noun in kind.nouns)), None))
    ]
    return told[0] if len(told) == 1 else None


def _left_out(said: Mapping[str, str | None]) -> str:
    """What an example shall not be, as words behind its noun: " that is not zero"."""
    words = word_pairs("properties.left_out_examples")
    limits, without = (said.get("limits") or "").lower(), (said.get("without") or "").lower()
    found = [words[each] for each in sorted(words, key=len, reverse=True) if each in limits.split() or each == without]
    return f" that is {' and '.join(dict.fromkeys(found))}" if found else ""


def _told(text: str, kind: PropertyKind, wanted: str, *, is_written_out: bool = False) -> Reply | None:
    literals = stated_of(kind, wanted)
    if not literals:
        return None
    found = [one for one in kind.examples if set(literals) <= one.literals]
    found = [one for one in found if not is_written_out or _WRITTEN_OUT.fullmatch(one.name)]
    if not found:
        return None
    # What says the least else is the plainest.
    lines = [_line(one, said_of(kind, literals)) for one in sorted(found, key=_length)[:_MOST_TOLD]]
    setting = kind.about.partition("; ")[0]
    lead = f"For example: {listed(lines)}." if len(lines) == 1 else f"Examples: {'; '.join(lines)}."
    known = follow(literals, kind.implications)
    why = [rule.why for rule in known.values() if rule is not None and rule.then in literals]
    return Reply(text, f"{lead} (For {setting}. MathRAG properties, {kind.name})" + (f" {why[0]}." if why else ""))


def _line(one: Example, said: str) -> str:
    """ "the integers are infinite": a name may be a plural."""
    is_plural = re.match(r"the [^()]*?[^s()]s(?: (?:with|on|of|under|in|that)\b|\Z)", one.name) is not None
    return f"{one.name} are{said.removeprefix('is')}" if is_plural and said.startswith("is ") else f"{one.name} {said}"


def _length(one: Example) -> int:
    return len(one.name)
