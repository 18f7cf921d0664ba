"""Questions that ask several things of which none needs a formula: `what is a prime, and is 91 one?`, a definition and
then a task, two claims in a row. Each part is answered alone; what has no answer is named, never passed over.

Reads no mathematics and knows no concepts: how a part is answered comes in as a function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.stories_around import is_courtesy, is_story
from mathrag.reason.second_parts import completed, decided_by, wishes_example
from mathrag.types.answer import Answer, Outcome, Reply

_LONGEST, _MOST_PARTS, _LEAST_LETTERS = 400, 4, 3
_LONGEST_WITH_VALUES = 2_000
_LETTER = re.compile(r"[^\W_]")
# A question mark ends a part, a full stop only before a capital: "0.5" and "e.g. x" go on.
_SENTENCE = re.compile(r"(?<=\?)\s+(?=\S)|(?<=[^\W\d]\.)\s+(?=[A-Z\"“(])|(?<=[)\]}0-9]\.)\s+(?=[A-Z])|;\s+", re.UNICODE)


@cache
def _joints() -> re.Pattern[str]:
    """Between two parts of a sentence: what joins them, before a word that asks or commands."""
    orders, verbs = any_of("several_parts.orders"), any_of("several_parts.verbs")
    # "When 10 % of it is used up" is a condition, "when is it used up" a question.
    asks = rf"(?!when\s+(?!(?:{verbs}|will|would|was|were|has|have)\s))(?:{any_of('several_parts.asking')})"
    please = r"(?:please\s+|pls\s+|plz\s+)?"
    wish = r"(?:an?\s+|one\s+|some\s+|with\s+)*(?:non-|counter)?examples?\b"
    return re.compile(
        rf",?\s+(?:{any_of('several_parts.joints')})\s+{please}(?=(?:{asks}|{orders}|{verbs}(?! not\b))\s|{wish})"
        rf"|,\s+{please}(?=(?:{asks}|{orders})\s|{wish}|(?:is|are)\s[^,?]{{1,40}}\sone\b)",
        re.IGNORECASE,
    )


@cache
def _asking() -> re.Pattern[str]:
    begins = "|".join(any_of(f"several_parts.{each}") for each in ("asking", "verbs", "orders"))
    return re.compile(rf"(?:(?:{any_of('several_parts.joints')})\s+)?(?:{begins})\b", re.IGNORECASE)


def parts_of(text: str) -> tuple[str, ...]:
    """What a text asks, part by part; one part where it asks one thing."""
    if len(text) > _LONGEST:
        return (text,)
    found: list[str] = []
    for sentence in _SENTENCE.split(text):
        found += _clauses(sentence)
    parts = tuple(each.strip(" ,;") for each in found if _says_something(each))
    return parts if 1 < len(parts) <= _MOST_PARTS else (text,)


def _clauses(sentence: str) -> list[str]:
    """The clauses of a sentence that each ask something. After other words than "is", "and is …" without a comma goes
    on to say something of the same thing."""
    clauses = _joints().split(sentence)
    # "And can both …" asks of the same thing by a pronoun, "and is 9 one" by a number word.
    verbs = re.compile(
        rf"(?:{any_of('several_parts.verbs')})\b(?!\s+(?:it|its|they|their|both|there)\b)(?!.*\bone\W*\Z)",
        re.IGNORECASE,
    )
    whole = [clauses[0]]
    for cut, clause in zip(_joints().findall(sentence), clauses[1:], strict=True):
        if _says_something(clause) and (not verbs.match(clause) or verbs.match(clauses[0]) or cut.startswith(",")):
            whole.append(clause)
        else:
            whole[-1] += f"{cut}{clause}"
    return whole


def _says_something(part: str) -> bool:
    return len(_LETTER.findall(part)) >= _LEAST_LETTERS


@cache
def _referring() -> re.Pattern[str]:
    return re.compile(r"\b(?:it|they|this|that|them)\b", re.IGNORECASE)


@cache
def _unresolved() -> re.Pattern[str]:
    judged = r"(?: \w+)? (?:true|correct|right|possible|so|the case|known|enough|necessary)\b"
    return re.compile(
        rf"(?:is|are|does|do|can|must|what is|what are|how is|how are) (?:it|they)\b(?!{judged})", re.IGNORECASE
    )


@cache
def _unlike() -> re.Pattern[str]:
    asked = r"(?:how|in what way) (?:is|are|does|do) (?:it|this|that|they)"
    other = r"(?P<turned>(?!it\b|this\b|that\b|they\b)[^\W\d_][^?]{2,40}?)"
    turned = rf"how (?:is|are|does|do) {other} (?:different|differ)(?: from (?:it|this|that|them))?"
    return re.compile(
        rf"(?:and )?(?:{asked} (?:{any_of('several_parts.unlike')}) (?P<other>.+)|{turned})", re.IGNORECASE
    )


def answer_parts(text: str, answer: Callable[[str], Outcome | None]) -> Reply | None:
    """The answers to the parts of a text, with what is left open; None where it has one part, or the first that asks
    has no answer."""
    parts = parts_of(text)
    if len(parts) < 2 or _has_conditions(parts):
        return None
    told: list[Outcome] = []
    left: list[str] = []
    topic = ""
    for part in parts:
        found = _answered(part, topic, answer, is_later=bool(told))
        if found is not None:
            told.append(found)
            topic = topic or _topic(found)
        elif not _asks_again(part) and (_asks(part) or part is parts[0]):
            left.append(part)
        if left and not told:
            return None
    return _together(text, told, left)


@dataclass(frozen=True, slots=True)
class AskedPart:
    """A question within a text: its own words, these as a question alone, and with what the text states."""

    words: str
    bare: str
    whole: str


def questions_of(text: str) -> tuple[AskedPart, ...]:
    """The questions of a text, in their order, where it has not too many: what stands before a question mark. One that
    is polite asks nothing."""
    stated: list[str] = []
    asked: list[str] = []
    for sentence in _SENTENCE.split(text) if len(text) <= _LONGEST_WITH_VALUES else ():
        for clause in _clauses(sentence) if sentence.endswith("?") else (sentence,):
            part = clause.strip(" ,;")
            is_question = sentence.endswith("?") and _says_something(part) and _asks(part) and not _asks_again(part)
            (asked if is_question else stated).append(part)
    bare = [(part, _without_joint(part)) for part in asked if not is_courtesy(part)]
    if len(bare) > _MOST_PARTS:
        return ()
    return tuple(AskedPart(part, alone, " ".join((*stated, alone))) for part, alone in bare)


def other_questions(text: str, is_answered: Callable[[str], bool]) -> tuple[AskedPart, ...]:
    """The questions of a text beside the one that has an answer: the first for which it can be, else the last."""
    asked = questions_of(text)
    if len(asked) < 2:
        return ()
    mine = next((each for each in asked if is_answered(each.words)), asked[-1])
    return tuple(each for each in asked if each is not mine)


def separate_questions(text: str) -> tuple[AskedPart, ...]:
    """The questions of a text that asks several, each in a sentence of its own; none where one of them leans on another
    ("What does it weigh? On the Moon?")."""
    asked = questions_of(text)
    is_whole = all(_asking().match(_without_joint(each.words)) for each in asked)
    return asked if len(asked) > 1 and is_whole else ()


def _without_joint(part: str) -> str:
    """A part without the "and" that joins it to what stands before it."""
    return re.sub(rf"\A(?:{any_of('several_parts.joints')})\s+", "", part, flags=re.IGNORECASE)


_LETTERS = re.compile(r"(?<![\w'’\\])[b-hj-zB-HJ-Z](?![\w'’])|(?<![\w'’\\])A(?= (?:is|are|has|=)|[ ]?[=<>])")
_STATES = re.compile(
    r"[=<>≤≥≠∈]|\b(?:is|are|was|be|has|have|let|means?|said|says|know|assume|suppose)\b", re.IGNORECASE
)


def _has_conditions(parts: Sequence[str]) -> bool:
    """Whether a part states something that a later one, which asks, may be about: "n is odd. Is n + 1 even?" A part
    alone would then be judged without what was said before it."""
    for place, part in enumerate(parts[:-1]):
        is_statement = not _asks(part) and not _orders(part) and _STATES.search(part) is not None
        is_about = _LETTERS.search(part) is not None or not word_class("frames.persons").isdisjoint(
            part.lower().split()
        )
        is_met = is_statement and is_about and not is_story(part) and not is_courtesy(part)
        if is_met and any(_asks(later) for later in parts[place + 1 :]) and not _asks_again(parts[place + 1]):
            return True
    return False


def _orders(part: str) -> bool:
    return re.match(rf"(?:please\s+)?(?:{any_of('frames.orders')})\b", part, re.IGNORECASE) is not None


def _asks_again(part: str) -> bool:
    bare = _without_joint(part.strip(" ?.!"))
    return re.fullmatch(any_of("several_parts.asked_again"), bare, re.IGNORECASE) is not None


def _asks(part: str) -> bool:
    return part.endswith("?") or _asking().match(part) is not None or wishes_example(part)


def _answered(
    part: str, topic: str, answer: Callable[[str], Outcome | None], *, is_later: bool = False
) -> Outcome | None:
    """The answer to a part; in a later one, a pronoun stands for what the first was about."""
    part = _without_joint(part)
    other = _unlike().fullmatch(part.rstrip(" ?.")) if topic else None
    if other is not None:
        return answer(f"What is the difference between {topic} and {other['other'] or other['turned']}?")
    for asked in completed(part, topic):
        found = answer(asked)
        if found is not None:
            return found
    if not topic and is_later and _unresolved().match(part):
        # What "it" is was not told by a name: words of the part alone would mean something else.
        return None
    if topic and _referring().search(part):
        return answer(_referring().sub(topic, part, count=1))
    return answer(part) or _behind_colon(part, answer)


def _behind_colon(part: str, answer: Callable[[str], Outcome | None]) -> Outcome | None:
    """The answer to what stands behind words that only say who asks, or that something is asked."""
    _, _, asked = part.partition(": ")
    return answer(asked) if asked and _asking().match(asked) else None


def _topic(found: Outcome) -> str:
    """The name of what an answer is about."""
    if isinstance(found, Reply) and len(found.glossary) == 1:
        return found.glossary[0].name
    return found.concept.symbol.replace("_", " ") if isinstance(found, Reply) and found.concept is not None else ""


def _together(text: str, told: Sequence[Outcome], left: Sequence[str]) -> Reply | None:
    if not told:
        return None
    # Two parts may quote the same definition.
    lines = [line for each in told for line in each.text.split("\n")]
    replies = [each for each in told if isinstance(each, Reply)]
    lines += [_left_open(each.rstrip(" ?."), replies) for each in left]
    working = tuple(line for each in told if isinstance(each, Answer | Reply) for line in each.working)
    return Reply(
        text,
        "\n".join(dict.fromkeys(lines)),
        citations=tuple(dict.fromkeys(each for one in told for each in one.citations)),
        warnings=tuple(dict.fromkeys(each for one in told for each in one.warnings)),
        concept=next((one.concept for one in replies if one.concept is not None), None),
        glossary=tuple(dict.fromkeys(entry for one in replies for entry in one.glossary)),
        working=working,
    )


def _left_open(part: str, replies: Sequence[Reply]) -> str:
    """What is to be said of a part without an answer of its own: the sentence of a definition that has all its words,
    word for word; else that it is open."""
    entries = [entry for one in replies for entry in one.glossary]
    said = decided_by(part, entries[0].definition) if len(entries) == 1 else ""
    return f"On “{part}” the definition says: “{said}”" if said else f"Not answered by itself: “{part}”."
