"""Whether things with one property have another: `is every differentiable function continuous`, `does every bounded
sequence converge`, `can a symmetric matrix be singular`; and whether one of the examples has it: `is |x| continuous`.

Yes by a chain of implications, no by an example that has the one and lacks the other; what neither decides is left
alone. Strict: every word is a noun of the kind, a property, or grammar.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from mathrag.knowledge.properties import (
    Example,
    Implication,
    PropertyKind,
    denied,
    follow,
    property_kinds,
    property_nouns,
    steps_to,
)
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.glossary_answers import entry_text
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.retrieve.glossary import glossary_called, is_its_name
from mathrag.types.answer import Reply
from mathrag.types.concept import GlossaryEntry

_LONGEST = 160
_MOST_STATED = 4
# What may stand between properties, or deny the next one.
_DENYING, _BETWEEN = word_class("properties.denying"), word_class("properties.between")
_ON_REALS = re.compile(r" (?:on|over|in) (?:the )?(?:reals|real numbers|real line|real axis|ℝ|r)\Z")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is stated of a thing, what is asked of it, and whether for all such things or for some."""

    kind: PropertyKind
    stated: tuple[str, ...]
    wanted: str
    scope: Literal["all", "some"]


@cache
def _forms() -> tuple[tuple[re.Pattern[str], Literal["all", "some"]], ...]:
    opener = rf"(?:(?:{any_of('properties.openers')})[ ,:]+)*"
    every, always = any_of("properties.every"), rf"(?:(?:{any_of('properties.always')}) )*"
    given, it = rf"(?:if|when) {_thing('noun')} (?:is|are) (?P<stated>.+?)", rf"(?:it|they|{_thing()})"
    forms: tuple[tuple[str, Literal["all", "some"]], ...] = (
        (rf"{opener}(?:is|are) (?:{every}) (?P<both>.+)", "all"),
        # A plural without a word before it means all of them.
        (rf"{opener}are (?!there\b)(?P<both>.+)", "all"),
        (rf"{opener}(?:does|do|must|should) (?:{every}) (?P<both>.+)", "all"),
        (rf"{opener}do (?P<both>.+)", "all"),
        (rf"{opener}(?:{every}) (?P<stated>.+?) (?:is|are) {always}(?P<wanted>.+)", "all"),
        (rf"{opener}(?:does|do) (?P<stated>.+?) {always}imply (?P<wanted>.+)", "all"),
        (rf"{opener}(?P<stated>.+?) implies (?P<wanted>.+)", "all"),
        (rf"{opener}{given},? (?:is|are|must|does) {it} {always}(?:be )?(?P<wanted>.+)", "all"),
        (rf"{opener}{given},? then {it} (?:is|are|must be) {always}(?P<wanted>.+)", "all"),
        (rf"{opener}(?:can|could|may) (?:an?|some) (?P<stated>.+?) (?:also )?be (?P<wanted>.+)", "some"),
        (rf"{opener}(?:is|are) there (?:an?|any|some) (?P<stated>.+?) that (?:is|are) (?P<wanted>.+)", "some"),
    )
    return tuple((re.compile(pattern, re.IGNORECASE), scope) for pattern, scope in forms)


@cache
def _of_kind() -> re.Pattern[str]:
    """A question with the kind of thing behind it: "… for sequences"."""
    return re.compile(rf"(?P<asked>.+?),? (?:for|of) (?:all )?(?P<noun>{_nouns()})")


@cache
def _nouns() -> str:
    return "|".join(sorted(sorted(property_nouns()), key=len, reverse=True))


@cache
def _thing(group: str = "") -> str:
    """A letter, or the noun of a kind, of which something is said."""
    named = f"(?P<{group}>{_nouns()})" if group else f"(?:{_nouns()})"
    return rf"(?:(?:an? |the |every |some )?(?:{named}(?: [a-z])?|[a-z]))"


def answer_properties(text: str) -> Reply | None:
    """Whether all, or some, things with some properties have another; None where that is not asked or not decided."""
    if len(text) > _LONGEST:
        return None
    asked = _ON_REALS.sub("", without_ending(tidy(text)).lower())
    of_kind = _of_kind().fullmatch(asked)
    asked = of_kind["asked"] if of_kind is not None else asked
    for pattern, scope in _forms():
        found = pattern.fullmatch(asked)
        if found is None:
            continue
        said = found.groupdict()
        noun = said.get("noun") or (of_kind["noun"] if of_kind is not None else "")
        read = [one for kind in property_kinds() for one in _read(kind, said, noun, scope)]
        told = [(one, reply) for one in read if (reply := _told(text, one)) is not None]
        verdicts = {reply.text.partition(":")[0] for _, reply in told}
        if told and (len(verdicts) == 1 or _is_named(told[0][0], asked)):
            return told[0][1]
    return _of_one_thing(text, asked)


# One thing that is among the examples: "is |x| differentiable?", "is ≤ antisymmetric?".


@cache
def _of_thing() -> re.Pattern[str]:
    opener = rf"(?:(?:{any_of('properties.openers')})[ ,:]+)*"
    return re.compile(rf"{opener}(?:is|are) (?P<both>.+)", re.IGNORECASE)


@cache
def _things_named() -> dict[str, tuple[tuple[PropertyKind, Example], ...]]:
    """The examples by their names, whole and without what they are on."""
    found: dict[str, tuple[tuple[PropertyKind, Example], ...]] = {}
    for kind in property_kinds():
        for one in kind.examples:
            for name in dict.fromkeys((_folded(one.name), _folded(one.name.partition(" on ")[0]))):
                found[name] = (*found.get(name, ()), (kind, one))
    return found


def _folded(name: str) -> str:
    """A name as it is typed: without articles and what only says the kind, powers with a sign."""
    bare = re.sub(rf"\A(?:the )?(?:(?:{_nouns()}) )?(?:[fgh] ?(?:\(x\))? ?= ?)?", "", name.strip().lower())
    bare = re.sub(rf" (?:{_nouns()})\Z", "", bare)
    bare = word_pairs("properties.things").get(bare, bare)
    return bare.replace("²", "^2").replace("³", "^3").replace("ˣ", "^x").replace(" ", "").replace("-", "−")


def _of_one_thing(text: str, asked: str) -> Reply | None:
    found = _of_thing().fullmatch(asked)
    for before, after in _cuts(found["both"]) if found is not None else ():
        things = _things_named().get(_folded(before), ())
        known = [(kind, one, wanted) for kind, one in things if (wanted := _wanted(kind, after)) is not None]
        told = [each for each in known if {each[2], denied(each[2])} & each[1].literals]
        if len({each[2] in each[1].literals for each in told}) == 1:
            kind, one, wanted = told[0]
            is_so = wanted in one.literals
            said = said_of(kind, (wanted if is_so else denied(wanted),))
            return _reply(text, _Asked(kind, (), wanted, "all"), f"{'Yes' if is_so else 'No'}: {one.name} {said}.", ())
    return None


def _is_named(asked: _Asked, text: str) -> bool:
    return any(re.search(rf"\b{re.escape(noun)}\b", text) for noun in asked.kind.nouns)


# Reading.


def _read(
    kind: PropertyKind, said: dict[str, str | None], noun: str, scope: Literal["all", "some"]
) -> Iterator[_Asked]:
    """The ways in which what is said is about things of this kind."""
    if noun and noun not in kind.nouns:
        return
    parts = [(said["stated"] or "", said["wanted"] or "")] if said.get("wanted") else _cuts(said["both"] or "")
    for before, after in parts:
        stated = stated_of(kind, before)
        wanted = _wanted(kind, after)
        if stated is not None and wanted is not None and wanted not in stated:
            yield _Asked(kind, stated, wanted, scope)
            return


def _cuts(text: str) -> list[tuple[str, str]]:
    words = text.split()
    return [(" ".join(words[:place]), " ".join(words[place:])) for place in range(1, len(words))]


def stated_of(kind: PropertyKind, text: str) -> tuple[str, ...] | None:
    """The properties before and behind the noun, or of a name that needs no noun; None where a word is left over."""
    rest = re.sub(r"\A(?:an?|the) ", "", text.strip())
    nouns = "|".join(map(re.escape, sorted(kind.nouns, key=len, reverse=True)))
    around = re.fullmatch(rf"(?P<before>.*?)\b(?:{nouns})(?P<behind>(?: .*)?)", rest)
    whole = _properties(kind, rest)
    if whole:
        return whole
    if around is None:
        return None
    before, behind = _properties(kind, around["before"]), _properties(kind, around["behind"])
    if before is None or behind is None or len(before) + len(behind) > _MOST_STATED:
        return None
    return (*before, *behind)


def _properties(kind: PropertyKind, text: str) -> tuple[str, ...] | None:
    """Property after property, with commas and "and" between them; None where a word is none of these."""
    words = [word for word in re.split(r"[ ,]+", text.strip()) if word]
    found: list[str] = []
    place, is_denied = 0, False
    while place < len(words):
        is_denied |= words[place] in _DENYING
        if words[place] in _BETWEEN or words[place] in _DENYING:
            place += 1
            continue
        for length in range(min(6, len(words) - place), 0, -1):
            literal = _literal(kind, " ".join(words[place : place + length]))
            if literal is not None:
                found.append(denied(literal) if is_denied else literal)
                place, is_denied = place + length, False
                break
        else:
            return None
    return None if is_denied else tuple(dict.fromkeys(found))


def _literal(kind: PropertyKind, said: str) -> str | None:
    """The property that words say, or deny with "non" before them."""
    bare = said.removeprefix("non").lstrip("-")
    literal = kind.words.get(said) or (kind.words.get(bare) if bare != said else None)
    return denied(literal) if literal is not None and said not in kind.words else literal


def _wanted(kind: PropertyKind, text: str) -> str | None:
    """The one property that is asked for, with "not" before it or the noun behind it."""
    rest = re.sub(rf"\A(?:(?:{any_of('properties.always')}|be) )+", "", text.strip())
    is_denied = rest.startswith("not ")
    rest = rest.removeprefix("not ").strip()
    nouns = "|".join(map(re.escape, kind.nouns))
    for candidate in (rest, re.sub(rf"\A(?:an?|the) (.+) (?:{nouns})\Z", r"\1", rest), re.sub(r"\Aan? ", "", rest)):
        literal = kind.words.get(candidate)
        if literal is not None:
            return denied(literal) if is_denied else literal
    return None


# Answers.


def _told(text: str, asked: _Asked) -> Reply | None:
    known = follow(asked.stated, asked.kind.implications)
    # Of what cannot be at all nothing is said.
    if any(denied(literal) in known for literal in known):
        return None
    for verdict, literal in (("Yes", asked.wanted), ("No", denied(asked.wanted))):
        if literal in known:
            steps = tuple(steps_to(literal, known))
            lines = [_step(asked.kind, rule) for rule in steps]
            used = {each for rule in steps for each in (*rule.given, rule.then)}
            things = _things(asked) if verdict == "Yes" else f"no{_things(asked).removeprefix('every')}"
            return _reply(text, asked, f"{verdict}: {things} {said_of(asked.kind, (asked.wanted,))}.", lines, used)
    return _by_example(text, asked)


def _by_example(text: str, asked: _Asked) -> Reply | None:
    has_all = [one for one in asked.kind.examples if set(asked.stated) <= one.literals]
    without = next((one for one in has_all if denied(asked.wanted) in one.literals), None)
    with_it = next((one for one in has_all if asked.wanted in one.literals), None)
    so = f"{with_it.name} {said_of(asked.kind, (*asked.stated, asked.wanted))}" if with_it is not None else ""
    if asked.scope == "some":
        return _reply(text, asked, f"Yes: {so}.", ()) if so else None
    if without is None:
        return None
    stated = f"{said_of(asked.kind, asked.stated)}, but " if asked.stated else ""
    lead = f"No, not always: {without.name} {stated}{said_of(asked.kind, (denied(asked.wanted),))}."
    lines = [f"It can be so: {so}."] if so else []
    return _reply(text, asked, lead, [*lines, *_with_more(asked)])


def _with_more(asked: _Asked) -> Iterator[str]:
    """What else a thing must be for it to follow; of several such properties the one that most of the others have."""
    rules = asked.kind.implications
    names = {each for rule in rules for each in rule.given} - {*asked.stated, asked.wanted}
    alone = {name: follow((name,), rules) for name in sorted(names)}
    enough = [name for name in alone if asked.wanted not in alone[name] and _is_enough(asked, name)]
    if not enough:
        return
    widest = max(enough, key=lambda name: sum(name in alone[other] for other in enough))
    known = follow((*asked.stated, widest), rules)
    why = "; ".join(rule.why for rule in steps_to(asked.wanted, known) if len(rule.given) > 1)
    yield f"It is always so where it also {said_of(asked.kind, (widest,))} ({why})."


def _is_enough(asked: _Asked, more: str) -> bool:
    known = follow((*asked.stated, more), asked.kind.implications)
    return asked.wanted in known and not any(denied(literal) in known for literal in known)


def _step(kind: PropertyKind, rule: Implication) -> str:
    return f"What {said_of(kind, sorted(rule.given))} {said_of(kind, (rule.then,))}: {rule.why}."


def _reply(text: str, asked: _Asked, lead: str, lines: Sequence[str], used: Collection[str] = ()) -> Reply:
    entries = _entries(asked)
    setting, *notes = asked.kind.about.split("; ")
    spoken = {each.removeprefix("!") for each in (*asked.stated, asked.wanted, *used)}
    meant = "".join(f"; {note}" for note in notes if note.partition(" means ")[0] in spoken)
    source = f"(For {setting}{meant}. MathRAG properties, {asked.kind.name})"
    return Reply(text, "\n".join((f"{lead} {source}", *lines, *map(entry_text, entries))), glossary=entries)


def _entries(asked: _Asked) -> tuple[GlossaryEntry, ...]:
    """What the glossary says of the properties, each that it has under its very name."""
    found: dict[GlossaryEntry, None] = {}
    for literal in (*asked.stated, asked.wanted):
        bare = literal.removeprefix("!")
        for name in (f"{bare} {asked.kind.name}", bare):
            entry = next((one for one in glossary_called(name) if is_its_name(name, one)), None)
            if entry is not None and (name != bare or " " in bare or asked.kind.name in entry.definition):
                found[entry] = None
                break
    return tuple(found)


def _things(asked: _Asked) -> str:
    """ "every continuous function", "every field", "every group that is finite and …"."""
    kind, stated = asked.kind, asked.stated
    is_noun = len(stated) == 1 and kind.called.get(stated[0], "").startswith(("a ", "an "))
    if is_noun:
        return f"every {kind.called[stated[0]].partition(' ')[2]}"
    if any(each.startswith(("!", "has ", "of ")) or each in (*kind.called, _ON_CLOSED) for each in stated):
        return f"every {kind.name} that {said_of(kind, stated)}"
    return f"every {' '.join((*stated, kind.name))}"


_ON_CLOSED = "closed domain"


def said_of(kind: PropertyKind, literals: Sequence[str]) -> str:
    """ "is continuous and bounded and has an antiderivative", "is not even"."""
    plainly: list[str] = []
    otherwise: list[str] = []
    for literal in literals:
        is_denied, bare = literal.startswith("!"), literal.removeprefix("!")
        no = "not " if is_denied else ""
        if bare.startswith("has "):
            otherwise.append(f"does not have {bare[4:]}" if is_denied else bare)
        elif bare == _ON_CLOSED:
            plainly.append(f"{no}on a closed bounded interval")
        else:
            plainly.append(kind.called.get(literal) or f"{no}{kind.called.get(bare, bare)}")
    return " and ".join((*((f"is {listed(plainly)}",) if plainly else ()), *otherwise))
