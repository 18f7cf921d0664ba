"""Which roles the words around a value or a target signal: initial or final, hot or cold. Proposes, never chooses."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise

from mathrag.knowledge.roles import all_roles, roles_for_words
from mathrag.knowledge.spelling import normal_words
from mathrag.language.tokens import Token
from mathrag.language.word_classes import word_class
from mathrag.reason.question.names import ValueName

_CHANGE_NOUNS = word_class("phrases.change_nouns")
_CHANGING = word_class("changes.changing")
_PREPOSITIONS = word_class("grammar.prepositions")
_SUBORDINATORS = word_class("grammar.subordinators")

# Words that signal a role in a name but are everyday words in a story.
_TOO_COMMON = word_class("roles.too_common")
_BETWEEN = word_class("roles.between")
_LASTING = word_class("roles.lasting")
_ALTOGETHER = word_class("roles.altogether")
_NEAR = 5
_MAXIMAL_ROLES = 6
_STARTING = word_class("changes.starting")
_ENDING = word_class("changes.ending")


@cache
def _first_words() -> frozenset[str]:
    return frozenset(normal_words(text).split()[0] for item in all_roles() for text in item.words if text.strip())


def given_roles(tokens: Sequence[Token], place: int, naming: ValueName | None) -> tuple[str, ...]:
    """Roles of a value: those its own name carries, then order in "from … to", then words close by."""
    found: dict[str, None] = {}
    if naming is not None:
        words = naming.phrase.split()
        heads = {words[-1], *(one for one, two in pairwise(words) if two in ("of", "in"))}
        found |= dict.fromkeys(roles_in(words, common=True, heads=heads))
    found |= dict.fromkeys(_order_roles(tokens, place, naming))
    found |= dict.fromkeys(_moving_roles(tokens, place))
    for run in _close_runs(tokens, place):
        found |= dict.fromkeys(roles_in(run))
    return tuple(found)[:_MAXIMAL_ROLES]


def lead_preposition(tokens: Sequence[Token], place: int, naming: ValueName | None) -> str:
    """The preposition before a value or before the phrase that names it: `at` in `at a temperature of 300 K`."""
    index = place - 1
    while index >= 0 and tokens[index].lower in _BETWEEN:
        index -= 1
    direct = tokens[index].lower if index >= 0 else ""
    if naming is not None and naming.start < place:
        index = naming.start - 1
        while index >= 0 and tokens[index].lower in _BETWEEN:
            index -= 1
        lead = tokens[index].lower if index >= 0 else ""
        if lead in _PREPOSITIONS and lead != "of":
            return lead
    return direct if direct in _PREPOSITIONS else ""


def roles_in(words: Sequence[str], *, common: bool = False, heads: Collection[str] = ()) -> Iterator[str]:
    """Ids of the roles that runs of up to four of these normal words signal; a head alone is what plays the role."""
    firsts = _first_words()
    words = [word for word in words if word not in ("a", "an")]
    # The second of "per second" is no second thing.
    words = [word for place, word in enumerate(words) if not (place and words[place - 1] == "per")]
    taken = 0
    for start, word in enumerate(words):
        # The second peak of "peak to peak" is no peak.
        if word not in firsts or start < taken:
            continue
        for end in range(min(len(words), start + 4), start, -1):
            run = " ".join(words[start:end])
            if (not common and run in _TOO_COMMON) or (run in heads and run not in _CHANGE_NOUNS):
                continue
            items = [item for item in roles_for_words(run) if item.group != "mark" or item.id == "change"]
            if items:
                yield from (item.id for item in items[:3])
                taken = end
                break


def _close_runs(tokens: Sequence[Token], place: int) -> Iterator[list[str]]:
    """The words before and behind a value, up to the next value, mark or sentence."""
    for step in (-1, 1):
        run: list[str] = []
        index = place + step
        while 0 <= index < len(tokens) and len(run) < _NEAR:
            token = tokens[index]
            if token.kind == "value" or token.is_stop or (token.kind == "mark" and token.text in ",;:"):
                break
            if step < 0 and is_sum_before(tokens, index):
                break
            if token.lower in _SUBORDINATORS or (step > 0 and token.lower in ("and", "at", "with")):
                break
            if _ends_run(tokens, index, step):
                break
            if token.kind == "word":
                run.append(token.normal)
            index += step
        yield _without_share(tokens, index, run[::-1]) if step < 0 else run


def _without_share(tokens: Sequence[Token], end: int, run: list[str]) -> list[str]:
    """The words before a value without what the share before it is of: of "12 % of its initial level after 3 h" those
    that begin with "after"."""
    is_share = end >= 0 and tokens[end].kind == "value" and tokens[end].text.endswith(("%", "percent"))
    if not is_share or run[:1] != ["of"]:
        return run
    return run[next((place for place, word in enumerate(run) if place and word in _PREPOSITIONS), len(run)) :]


def _ends_run(tokens: Sequence[Token], index: int, step: int) -> bool:
    """Whether what lies beyond this word belongs to another value: before "and" to the one before it, behind "to" to
    the one that follows ("to 5 L", but not "to the cold side")."""
    word = tokens[index].lower
    if step > 0:
        return word == "to" and any(token.kind == "value" for token in tokens[index + 1 : index + 4])
    sentence = tokens[index].sentence
    return word == "and" and any(token.kind == "value" and token.sentence == sentence for token in tokens[:index])


def is_sum_before(tokens: Sequence[Token], index: int) -> bool:
    """Whether the word here ends "in total" right behind a value, and so belongs to that value."""
    if tokens[index].lower in _ALTOGETHER and index and tokens[index - 1].kind == "value":
        return True
    return (
        index > 1
        and tokens[index].lower in ("total", "all")
        and tokens[index - 1].lower == "in"
        and tokens[index - 2].kind == "value"
    )


def _moving_roles(tokens: Sequence[Token], place: int) -> Iterator[str]:
    """What moves toward the one who hears is the source, and the other way round: `flies away from us at 40 m/s`."""
    clause = range(max(0, place - _CLAUSE), min(len(tokens), place + _CLAUSE))
    for index in clause:
        if tokens[index].lower not in _DIRECTIONS or tokens[index].sentence != tokens[place].sentence:
            continue
        if any(token.kind == "value" for token in tokens[min(index, place) + 1 : max(index, place)]):
            continue
        behind = [token for token in tokens[index + 1 : index + 5] if token.kind == "word"]
        roles = set(roles_in([token.normal for token in behind], common=True))
        if any(token.lower in _HEARERS for token in behind[:2]):
            roles.add("observer")
        yield from (role for role, other in (("source", "observer"), ("observer", "source")) if other in roles)


_CLAUSE = 9
_DIRECTIONS = word_class("roles.directions")
_HEARERS = word_class("roles.hearers")


def _order_roles(tokens: Sequence[Token], place: int, naming: ValueName | None) -> Iterator[str]:
    """`from 3 L to 5 L`, `rises to 5 L`, `starts at 3 m`."""
    arrow = _arrow_role(tokens, place)
    if arrow:
        yield arrow
        return
    told = _then_and_now(tokens, place) or _changing_to(tokens, place)
    if told:
        yield told
        return
    lead = lead_preposition(tokens, place, naming)
    near = _back_to_value(tokens, place)
    if lead == "from":
        sentence = tokens[place].sentence
        earlier = (token.lower for token in tokens[max(0, place - 16) : place] if token.sentence == sentence)
        if _is_followed_by_to(tokens, place) or any(word in _CHANGING for word in earlier):
            yield "initial"
    elif lead == "to":
        if any(word in _CHANGING or word in _ENDING for word in near) or _follows_from(tokens, place):
            yield "final"
    elif lead in _LASTING or (naming is not None and "time" in naming.phrase):
        return
    elif any(word in _STARTING for word in near[-4:]):
        yield "initial"
    elif any(word in _ENDING for word in near[-4:]):
        yield "final"


def _then_and_now(tokens: Sequence[Token], place: int) -> str:
    """`was 80, now 60`."""
    before = tokens[place - 1].lower if place else ""
    if before == "now":
        return "final"
    behind = tokens[place + 1 : place + 5]
    is_past = any(one.lower == "now" and other.kind == "value" for one, other in pairwise(behind))
    return "initial" if before in ("was", "were") and is_past else ""


def _changing_to(tokens: Sequence[Token], place: int) -> str:
    """`went 52,000 to 55,900`."""
    before, behind = tokens[max(0, place - 3) : place], tokens[place + 1 : place + 3]
    if len(behind) > 1 and behind[0].lower == "to" and behind[1].kind == "value":
        return "initial" if before and before[-1].lower in _CHANGING else ""
    is_to = len(before) == 3 and before[2].lower == "to" and before[1].kind == "value"
    return "final" if is_to and before[0].lower in _CHANGING else ""


def _arrow_role(tokens: Sequence[Token], place: int) -> str:
    """`273 K -> 546 K`."""
    ahead = "".join(token.text for token in tokens[place + 1 : place + 4] if token.kind == "mark")
    back = "".join(token.text for token in tokens[max(0, place - 2) : place] if token.kind == "mark")
    if ahead.startswith(("->", "→", "-->")):
        return "initial"
    return "final" if back.endswith(("->", "→")) else ""


def _back_to_value(tokens: Sequence[Token], place: int) -> list[str]:
    words: list[str] = []
    for index in range(place - 1, max(-1, place - 12), -1):
        token = tokens[index]
        if token.kind == "value" or token.is_stop:
            break
        if token.kind == "word":
            words.append(token.lower)
    return words[::-1]


def _is_followed_by_to(tokens: Sequence[Token], place: int) -> bool:
    """Whether "to" and another value come next, past a few words."""
    seen = False
    for token in tokens[place + 1 : place + 9]:
        if token.is_stop:
            return False
        if token.kind == "value":
            return seen
        seen = seen or token.lower in ("to", "until")
    return False


def _follows_from(tokens: Sequence[Token], place: int) -> bool:
    passed = 0
    for index in range(place - 1, max(-1, place - 16), -1):
        token = tokens[index]
        if token.is_stop:
            return False
        passed += token.kind == "value"
        if token.lower == "from" and passed == 1:
            return True
    return False
