"""Whether a statement on sets holds for all sets: `is A ∪ (B ∩ C) = (A ∪ B) ∩ (A ∪ C)?`, in signs or in words, alone or
with premises (`if A ⊆ B then A ∩ B = A`)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from mathrag.compute.logic import MOST_LETTERS, Joined, Proposition, UnreadLogicError, cases, letters_of, truth
from mathrag.compute.set_algebra import (
    FIRST,
    SECOND,
    SetClaim,
    SetStatement,
    joined,
    of_part,
    read_relation,
    relation_places,
    states,
)
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.asked_claims import claim_of, without_asking
from mathrag.reason.direct.algebra.set_words import signs_of
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 300
_MOST_CUTS = 6
_MOST_ANDS = 4
_NAMES = r"[A-Z](?:(?:,? and |, ?| )[A-Z])*"
# What only sets have: "A minus B" and "A = B" alone may be about numbers.
_OF_SETS_ALONE = re.compile(
    r"[∪∩△⊆⊇⊂⊃⊊⊋∁∅∖\\]|\bcartesian|[A-Z]\^ ?c\).*=|\b(?:sub|super)?sets?\b|\bcomplements?\b|\bunion\b|\bintersect",
    re.IGNORECASE,
)
_OPERATION = re.compile(r"[∪∩∖△×∁'∅−\\-]|[a-z]{5}|\^ ?c\b")
_IF = re.compile(r"(?:if|suppose(?: that)?|assuming(?: that)?|given(?: that)?|let|whenever|when)\b:? ", re.IGNORECASE)
_THEN = re.compile(
    r",? then(?: is| does)?\b|, (?:is|does|do we have|we have)?|\. (?:is|does)?| (?:is|does) (?=[^=]+)", re.IGNORECASE
)
_WHEN = re.compile(r",? (?:if|whenever|when|provided(?: that)?|given(?: that)?) ", re.IGNORECASE)
_IMPLIES = re.compile(r",? (?:always )?(?:implies|imply|means?)(?: that)? | ?[⇒→] ?", re.IGNORECASE)
_BOTH_WAYS = re.compile(
    r",? (?:if and only if|iff|exactly when|exactly if|precisely when|is equivalent to|equivalent to) | ?[⇔↔] ?",
    re.IGNORECASE,
)
_AND = re.compile(r",? and | ?∧ ?|, |; ")


@cache
def _scopes() -> tuple[re.Pattern[str], ...]:
    words = rf"(?i:(?:{any_of('logic.set_scopes')}) )*"
    kind = rf"{words}(?i:sets?)"
    made = (
        rf",? (?i:for|with|among|given|when dealing with) (?:{kind}(?: {_NAMES})?|{words}{_NAMES})$",
        rf",? \(?(?i:where|if|when|given that|with|assuming|let) {_NAMES} (?i:are|is|being|be)(?i: an?)? {kind}\)?$",
        rf",? \(?{_NAMES} (?i:are |any |arbitrary ){kind}\)?$",
        rf"(?:,| \() ?(?:{_NAMES} )?{kind}\)?$",
        rf"^(?i:let|suppose|if|given(?: that)?|assume) {_NAMES} (?i:be|are|is)(?i: an?)? {kind}[.,;:]*(?i: then)?,? ",
        rf"^(?i:for|given|with) (?:{kind}(?: {_NAMES})?|{words}{_NAMES})[,:]* (?i:is |does |do we have )?",
        r"^(?i:sets? ?:|in set theory[,:]?) ",
    )
    return tuple(map(re.compile, made))


def answer_sets(text: str) -> DirectStatement | None:
    """What trying every case says of a statement on sets; None for any other question."""
    if len(text) > _LONGEST:
        return None
    body = claim_of(text).replace("==", "=")
    if not _OF_SETS_ALONE.search(body):
        return None
    body = without_scope(body)
    for made in _claims(body):
        names = letters_of(_premises(made), joined(made.conclusions))
        if len(names) <= MOST_LETTERS and _says_something(made, body):
            return _judged(made, _shown(body), names)
    return None


def _shown(body: str) -> str:
    """A statement in words as signs, which leave nothing open."""
    if not re.search("[a-z]{3}", body):
        return " ".join(body.split())
    try:
        signs = re.sub(r"∁\(([A-Z])\)", r"∁\1", signs_of(body))
    except UnreadLogicError:
        return " ".join(body.split())
    return re.sub(r"^\((.*)\)(?= = ∅$)", r"\1", signs)


def _premises(made: SetClaim) -> Proposition:
    """What the premises say of an element; of both parts of a pair, where the conclusion is on pairs."""
    given = joined(made.premises)
    if not made.premises or not _of_pairs(letters_of(joined(made.conclusions))):
        return given
    return Joined("and", of_part(given, FIRST), of_part(given, SECOND))


def _is_beyond(made: SetClaim) -> bool:
    """Premises on pairs, or proper subsets beside premises: one element does not decide those."""
    signs = {each.sign for each in (*made.premises, *made.conclusions)}
    of_pairs = [_of_pairs(letters_of(joined(each))) for each in (made.premises, made.conclusions)]
    return bool(made.premises) and ("⊊" in signs or of_pairs[0] or (made.both_ways and of_pairs[1]))


def without_scope(body: str) -> str:
    """A statement without what says that its letters are sets."""
    for _ in range(3):
        shorter = body
        for pattern in _scopes():
            shorter = pattern.sub("", shorter, count=1)
        shorter = without_asking(shorter)
        if shorter == body or not shorter:
            break
        body = shorter
    return body


def _says_something(made: SetClaim, body: str) -> bool:
    """`A ⊆ B` alone says nothing of all sets that anyone would ask."""
    return bool(made.premises) or bool(_OPERATION.search(body)) or len(letters_of(joined(made.conclusions))) < 2


def _claims(body: str) -> list[SetClaim]:
    """The one reading of a body; none where it is not wholly understood."""
    opening = _IF.match(body)
    ways: list[tuple[re.Pattern[str], str, bool, bool]] = [(_BOTH_WAYS, body, True, False)]
    if opening is not None:
        ways.append((_THEN, body[opening.end() :], False, False))
    ways += [(_IMPLIES, body, False, False), (_WHEN, body, False, True)]
    for pattern, text, both_ways, turned in ways:
        for cut in itertools.islice(pattern.finditer(text), _MOST_CUTS):
            parts = [text[: cut.start()], text[cut.end() :]]
            if turned:
                parts.reverse()
            try:
                premises, conclusions = map(several_statements, parts)
            except UnreadLogicError:
                continue
            return [SetClaim(premises, conclusions, both_ways)]
    try:
        return [SetClaim((), several_statements(body))]
    except UnreadLogicError:
        return []


def several_statements(text: str) -> tuple[SetStatement, ...]:
    """One statement, or a few joined by "and"; a chain A ⊆ B ⊆ C is two."""
    text = without_asking(text)
    try:
        return (_statement(text),)
    except UnreadLogicError:
        pass
    places = relation_places(text)
    if len(places) == 2 and not _AND.search(text):
        return (_statement(text[: places[1]]), _statement(text[places[0] + 1 :]))
    cuts = list(_AND.finditer(text))
    # Each cut is tried with every cut on both its sides: a few of them, no more.
    for cut in cuts if len(cuts) <= _MOST_ANDS else ():
        try:
            return (*several_statements(text[: cut.start()]), *several_statements(text[cut.end() :]))
        except UnreadLogicError:
            continue
    raise UnreadLogicError("no statement on sets")


def _statement(text: str) -> SetStatement:
    inner = text.strip()
    if inner.startswith("(") and inner.endswith(")") and _is_bracketed(inner):
        inner = inner[1:-1]
    signs = signs_of(inner)
    # With complements about, U is everything unless it is named as one set among others.
    return read_relation(signs, universe="∁" in signs or not re.search(r"\bU\b", inner))


def _is_bracketed(text: str) -> bool:
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return place == len(text) - 1
    return False


def _judged(made: SetClaim, whole: str, names: tuple[str, ...]) -> DirectStatement | None:
    if _is_beyond(made):
        return None
    premises, conclusions = _premises(made), joined(made.conclusions)
    tried = list(cases(names))
    directions = [(premises, conclusions)] + ([(conclusions, premises)] if made.both_ways else [])
    for given, wanted in directions:
        for case in tried:
            if truth(given, case) and not truth(wanted, case):
                return _refuted(made, whole, case, given is conclusions)
    told = f"An element may lie in {listed(names)} or not" if names else "No set is left open"
    if _of_pairs(names):
        told = "Each part of a pair may lie in each of the sets or not"
    proved = f"{told}: all {len(tried)} cases were tried, which proves it"
    return _with_equality(made, whole, f"True for all sets: {whole}. {proved}.")


def _with_equality(made: SetClaim, whole: str, held: str) -> DirectStatement | None:
    """Where a proper part is said: one set lies in the other; whether they differ is another thing."""
    if not any(each.sign in "⊂⊊" for each in (*made.premises, *made.conclusions)):
        return DirectStatement(held, whole)
    taken = f"{held} Here ⊂ is taken as ⊆, equality allowed."
    one = made.conclusions[0]
    names = letters_of(states(one))
    outside = dict.fromkeys(names, False)
    is_never_empty = truth(one.left, outside) or truth(one.right, outside)
    if made.premises or len(made.conclusions) != 1 or is_never_empty:
        return None if any(each.sign == "⊊" for each in made.conclusions) else DirectStatement(taken, whole)
    if all(truth(one.left, case) == truth(one.right, case) for case in cases(names)):
        same = "both sides are always the same set, and no set is a proper subset of itself"
    else:
        same = "where all sets are empty, both sides are the empty set, and no set is a proper subset of itself"
    if one.sign == "⊊":
        return DirectStatement(f"False: {same}. As ⊆, equality allowed, it is true for all sets.", whole)
    return DirectStatement(
        f"{held} That is for ⊂ written as ⊆, equality allowed; as a proper subset it fails: {same}.", whole
    )


def _refuted(made: SetClaim, whole: str, case: Mapping[str, bool], turned: bool) -> DirectStatement:
    lies = _lies(case)
    if made.premises:
        sides = ("right", "left") if turned else ("left", "right")
        example = f"with one element that is {lies}, and nothing else in any set, "
        if made.both_ways:
            told = f"{example}the {sides[0]} side is true and the {sides[1]} side is not"
        else:
            told = f"{example}the premise is true and the conclusion is not"
        return DirectStatement(f"False: {told}, so “{whole}” fails.", whole, (WorkingLine(told),))
    one = next(each for each in made.conclusions if not truth(states(each), case))
    left, right = truth(one.left, case), truth(one.right, case)
    told_sides = tuple(
        f"{'in' if side else 'not in'} the {word}" for side, word in ((left, "first"), (right, "second"))
    )
    thing = "a pair" if _of_pairs(case) else "an element"
    line = WorkingLine(f"{thing} {lies}: {told_sides[0]}, {told_sides[1]}")
    told = f"{thing} that is {lies} is {told_sides[0]} set and {told_sides[1]}, so {whole} fails where there is one"
    return DirectStatement(f"False: {told}.", whole, (line,))


def _of_pairs(names: Iterable[str]) -> bool:
    return any(name.endswith((FIRST, SECOND)) for name in names)


def _lies(case: Mapping[str, bool]) -> str:
    def one(names: Sequence[str]) -> str:
        return listed([f"{'in' if case[name] else 'not in'} {name[0]}" for name in names], "and")

    if not _of_pairs(case):
        return one(list(case))
    parts = [
        (word, [name for name in case if name.endswith(part)]) for word, part in (("first", FIRST), ("second", SECOND))
    ]
    return "one with " + " and with ".join(f"its {word} part {one(names)}" for word, names in parts if names)
