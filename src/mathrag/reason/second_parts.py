"""Later parts of a question, which lean on what its first part names: `is sqrt(16) one`, `how many are there of 4
things`, `what is it for 4 − 7i`, `give a nonzero example`. Each is put as a question of its own, in the ways that it
may be put; and where the definition already says what is asked, its sentence is found.

Reads no mathematics and knows no concepts.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class

_LONGEST = 160
# A longer wish says what the example shall be.
_SHORT_WISH = 6
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|[0-9]+")
_SENTENCE = re.compile(r"(?<=[^\W\d_]{2}\.)\s+(?=[A-Z])|(?<=[0-9)\]|²³]\.)\s+(?=[A-Z])")
_NEGATION = re.compile(r"\b(?:not|no|never|none|nor|neither|cannot|without|only)\b|n['’]t\b", re.IGNORECASE)


@cache
def _is_one() -> tuple[re.Pattern[str], ...]:
    one = any_of("several_parts.is_one")
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?:is|are|would|does|do) (?P<what>.+?) (?:be |count as |qualify as )?(?:{one})",
            rf"(?:whether|if) (?P<what>.+?) (?:{any_of('several_parts.counts_as')}) (?:{one})",
            # A number alone: the rest is as in the question before.
            r"(?:is|what about|how about) (?P<what>[-−]?[0-9][0-9.,/]*)",
        )
    )


@cache
def _comes_to() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{any_of('several_parts.comes_to')}),? (?:{any_of('several_parts.for_which')}) (?P<what>.+)", re.IGNORECASE
    )


@lru_cache(maxsize=64)
def _how_many(topic: str) -> re.Pattern[str]:
    names = "|".join(map(re.escape, dict.fromkeys((plural(topic), topic))))
    verbs, number = any_of("several_parts.counting_verbs"), "two|three|four|five|six|seven|eight|nine|ten"
    return re.compile(
        rf"how many (?:(?:of them|such|{names}|ones) )?(?:(?:{verbs})(?: there)?|do(?:es)?) ?(?:of|for|on|with|in)? ?"
        r"(?:i (?:have|get) (?:of|for|with) )?"
        rf"(?P<what>[^?]*?[0-9][^?]*?|(?:{number}) [^?]+?)(?: have)?",
        re.IGNORECASE,
    )


@cache
def _example() -> re.Pattern[str]:
    return re.compile(r"(?P<before>.*?)\b(?P<sort>(?:non-|counter)?examples?)\b(?P<behind>.*)", re.IGNORECASE)


def plural(name: str) -> str:
    """A name in the plural: derangements, matrices stay with their last word."""
    if name.endswith("x"):
        return f"{name[:-1]}ces"
    return (
        f"{name[:-1]}ies" if re.search(r"[^aeiou]y\Z", name) else f"{name}{'es' if name.endswith(('s', 'ch')) else 's'}"
    )


def _with_article(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {name}"


def completed(part: str, topic: str) -> tuple[str, ...]:
    """A later part as questions of their own, of which the first that has an answer counts; none for other parts."""
    asked = part.strip(" ?.!,;")
    if not topic or len(asked) > _LONGEST:
        return ()
    for pattern in _is_one():
        found = pattern.fullmatch(asked)
        if found is not None:
            plurals = re.fullmatch(r"(?:all|both) .+|.+ and .+", found["what"], re.IGNORECASE)
            verb, said = ("are", plural(topic)) if plurals else ("is", _with_article(topic))
            return (f"{verb} {found['what']} {said}?",)
    value = _comes_to().fullmatch(asked)
    if value is not None:
        # "Modulus of a complex number" and "floor function" are names of what is of a number.
        names = (topic, topic.partition(" of ")[0], topic.removesuffix(" function"), topic.split()[-1])
        return tuple(f"what is the {name} of {value['what']}?" for name in dict.fromkeys(names))
    count = _how_many(topic).fullmatch(asked)
    if count is not None:
        return tuple(
            f"{opening} of {count['what']}?"
            for opening in (f"how many {plural(topic)} are there", f"what is the number of {plural(topic)}")
        )
    both = re.fullmatch(r"(?P<verb>can|could|must|are|do) both (?P<said>.+)", asked, re.IGNORECASE)
    if both is not None:
        name = topic if topic.endswith("s") else plural(topic)
        return (f"{both['verb'].lower()} two {name} both {both['said']}?",)
    return _wished(asked, topic)


def _wished(asked: str, topic: str) -> tuple[str, ...]:
    """A wish for an example, with what the example shall be and shall not be."""
    found = _example().fullmatch(asked)
    if found is None:
        return ()
    fillers = word_class("several_parts.example_wishes")
    sorts = " ".join(word for word in found["before"].split() if word.lower().strip(",") not in fillers)
    if len(sorts.split()) > 3:
        return ()
    wish = f"{sorts} {found['sort'].lower()}".strip()
    behind = found["behind"].strip(" ,").lower()
    # The two that people leave out, by their names: 0 would look like a value.
    behind = re.sub(r"\bi\b", "the identity", re.sub(r"\b0\b", "zero", behind))
    behind = re.sub(
        r"\A(?:of (?:it|one|that|this|them|such a thing)|please|pls|plz|too|as well)\b ?", "", behind
    ).strip()
    return (f"give {_with_article(wish)} of {_with_article(topic)}{f' {behind}' if behind else ''}",)


_WISH = re.compile(r"(?<!non-)(?<!counter)\bexamples?\b", re.IGNORECASE)
_ILLUSTRATED = re.compile(r"\b(?:such as|for example|for instance|e\.g\.)", re.IGNORECASE)


def wishes_example(part: str) -> bool:
    """Whether a part asks for an example, in whatever words."""
    return re.search(r"\b(?:non-|counter)?examples?\b", part, re.IGNORECASE) is not None


def decided_by(part: str, definition: str) -> str:
    """The sentence of a definition that says what a part asks; empty where none has all its words.

    A sentence is only quoted: what follows from it is left to the reader."""
    if _WISH.search(part):
        plain = _wished(part, "one") and len(part.split()) <= _SHORT_WISH
        return next((each.strip() for each in _SENTENCE.split(definition) if plain and _ILLUSTRATED.search(each)), "")
    small = word_class("several_parts.decided_fillers")
    words = [word for word in _WORD.findall(part) if word.lower() not in small]
    wanted = frozenset(stems(" ".join(words))) | {word for word in words if word.isdigit()}
    if not words or not wanted or len(part) > _LONGEST or _NEGATION.search(part):
        return ""
    for sentence in _SENTENCE.split(definition):
        said = frozenset(stems(sentence)) | frozenset(re.findall(r"[0-9]+", sentence))
        if wanted <= said:
            return sentence.strip()
    return ""
