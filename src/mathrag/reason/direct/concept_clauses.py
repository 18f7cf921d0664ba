"""Other frames around a question about a concept: a clause that says it of something (`what does it mean for f to be
continuous`, `when is a matrix called symmetric`), what it says of others (`what does a determinant tell us`), its name
alone, an example behind it (`a half-open interval like [a, b)`), a slip of the pen in a word that asks (`diffrence
between …`).

Each is put back into a plain question, and only where the glossary has what is then asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from mathrag.language.quantity_names import names_exactly
from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.concept_wordings import mended_frame
from mathrag.reason.direct.framed_names import said_of_value
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.retrieve.glossary import glossary_called, is_its_name
from mathrag.types.concept import GlossaryEntry

_LONGEST = 160
_WORD = re.compile(r"[^\W\d_]+")
_NAME_WORD = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*")
_ARTICLES = frozenset(("a", "an", "the", "two", "any", "every", "some", "one", "three", "given", "and", "or"))
# What may follow what is said of a thing: in relation to what.
_RELATION = re.compile(r" (?:of|to|from|on|at|in|with|over|by|for|if|when) .*\Z", re.IGNORECASE)
_MOST_WORDS = 4


def plainly_asked(text: str) -> str:
    """A question about a concept in the frame that `definitions.py` reads; any other text as it is."""
    if len(text) > _LONGEST:
        return text
    mended = mended_frame(text)
    asked = without_ending(tidy(mended))
    name = _of_clause(asked) or _required(asked) or _represented(asked) or said_of_value(mended)
    name = name or _alone(_without_trailing(asked))
    if name:
        return f"define {name}"
    return _without_illustration(mended)


# Examples.


@cache
def _illustrated() -> re.Pattern[str]:
    return re.compile(rf"(?P<asked>.+?),? \(?(?:{any_of('concepts.illustrations')})[ ,:]+\S.*", re.IGNORECASE)


@cache
def _asks_generally() -> re.Pattern[str]:
    openers = "|".join(any_of(f"concepts.{each}") for each in ("define", "what_is", "explain"))
    return re.compile(
        rf"(?:(?:{any_of('concepts.define')}) (?:an?|the)? ?|(?:{openers}) an? |explain what an? )(?P<name>[^\d=]+?)"
        r"(?: is| are)?",
        re.IGNORECASE,
    )


def _without_illustration(text: str) -> str:
    """A general question without the example behind it, where the glossary has what stands before."""
    found = _illustrated().fullmatch(without_ending(tidy(text)))
    general = _asks_generally().fullmatch(found["asked"].strip()) if found is not None else None
    if found is None or general is None:
        return text
    name = re.sub(rf" (?:{any_of('concepts.generic_of')})\b.*", "", general["name"], flags=re.IGNORECASE)
    if glossary_called(name):
        return str(found["asked"])
    # "A half-open interval" is a sort of interval, and the entry of that name says which.
    *_, head = name.split()
    return f"define {head}" if any(_says(name, one) for one in glossary_called(head)) else text


def _says(name: str, entry: GlossaryEntry) -> bool:
    return name.lower() in entry.definition.lower()


# Clauses.


@cache
def _opened() -> tuple[re.Pattern[str], re.Pattern[str]]:
    return (
        re.compile(rf"(?:{any_of('concepts.clause_openers')}) (?P<rest>.+)", re.IGNORECASE),
        re.compile(rf"(?:{any_of('concepts.when_openers')}) (?P<rest>.+)", re.IGNORECASE),
    )


def _of_clause(asked: str) -> str:
    """The name of the concept that a clause says of something; empty where there is no such clause or concept."""
    clause, when = (pattern.fullmatch(asked) for pattern in _opened())
    found = clause or when
    if found is None or any(map(str.isdigit, asked)):
        return ""
    for subject, said in _parted(found["rest"], may_lack_verb=when is not None):
        name = _named(_kind_of(subject), said)
        if name:
            return name
    return ""


@cache
def _requiring() -> tuple[re.Pattern[str], ...]:
    what = rf"(?:what|which) (?:properties|{any_of('concepts.requirements')})"
    needs, name = any_of("concepts.requires"), r"(?P<name>[^\d=,;]{3,60}?)"
    to_be = r"(?: (?:in order )?to (?:be|count as|qualify as)(?: called)?(?: an?)? (?P<kind>[^\d=,;]{3,60}))"
    listed = rf"(?:what are |list |state |name )?(?:the )?(?:{any_of('concepts.requirements')})"
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"{what} (?:does|do|must|should) (?:an? |the )?{name} (?:{needs}){to_be}?",
            rf"{what} (?:make|makes|turn|turns) (?:an? |the )?[^\d=,;]{{3,40}}? (?:into )?an? {name}",
            rf"{listed} (?:of|for) (?:an? |the )?{name}",
        )
    )


def _required(asked: str) -> str:
    """The name of what must have properties to be so called: its definition says which."""
    for pattern in _requiring():
        found = pattern.fullmatch(asked)
        if found is not None:
            said = found.groupdict()
            return next((str(each) for each in (said.get("kind"), said["name"]) if each and glossary_called(each)), "")
    return ""


@cache
def _representing() -> re.Pattern[str]:
    return re.compile(
        rf"what (?:does|do) (?:an? |the )?(?P<name>[^\d=,;]{{3,60}}?) (?:{any_of('concepts.represents')})",
        re.IGNORECASE,
    )


def _represented(asked: str) -> str:
    """The name of what something is asked to stand for: "what does a determinant tell us"."""
    found = _representing().fullmatch(asked)
    return str(found["name"]) if found is not None and glossary_called(found["name"]) else ""


def _alone(asked: str) -> str:
    """A name that the glossary has, with nothing around it; a quantity of physics is asked for its value."""
    words = asked.split()
    is_name = all(_NAME_WORD.fullmatch(word) or word.lower() == "a" for word in words)
    is_name = is_name and 0 < sum(word.lower() not in _ARTICLES for word in words) <= _MOST_WORDS
    is_name = is_name and not (len(words) == 1 and names_exactly(asked))
    return asked if is_name and any(is_its_name(asked, one) for one in glossary_called(asked)) else ""


def _without_trailing(asked: str) -> str:
    return re.sub(rf"[ ,]+(?:{any_of('concepts.trailing')})\Z", "", asked, flags=re.IGNORECASE)


def _parted(clause: str, *, may_lack_verb: bool) -> Iterator[tuple[str, str]]:
    """The ways to part a clause into a thing and what is said of it."""
    verb = re.search(rf" (?:to )?(?P<verb>{any_of('concepts.verb_nouns')})\b(?P<rest>.*)\Z", clause, re.IGNORECASE)
    between = re.compile(rf" (?:{any_of('concepts.said_between')}) ", re.IGNORECASE)
    # "What does it mean to be …" says it of nothing in particular.
    for cut in between.finditer(f" {clause}" if clause.lower().startswith("to be ") else clause):
        yield cut.string[: cut.start()], cut.string[cut.end() :]
    if verb is not None:
        yield clause[: verb.start()], word_pairs("concepts.verb_nouns")[verb["verb"].lower()]
    words = clause.split()
    if may_lack_verb:
        for place in range(1, min(len(words), 7)):
            yield " ".join(words[:place]), " ".join(words[place:])


def _kind_of(subject: str) -> str:
    """The noun of a thing, or what its letter mostly stands for; empty where nothing tells."""
    words: list[str] = _WORD.findall(re.sub(r":.*", "", subject))
    nouns = [word.lower() for word in words if len(word) > 1 and word.lower() not in _ARTICLES]
    if nouns:
        return nouns[-1]
    letters = {word for word in words if len(word) == 1}
    kinds = {word_pairs("concepts.kinds_of_letters").get(letter, "") for letter in letters}
    return f"?{kinds.pop()}" if len(kinds) == 1 and kinds != {""} else ""


def _named(kind: str, said: str) -> str:
    """The name under which the glossary has what is said of such a thing."""
    is_guessed, noun = kind.startswith("?"), kind.lstrip("?")
    bare = re.sub(r"\A(?:an?|the|called|both|each) ", "", _RELATION.sub("", said.strip(" ,")), flags=re.IGNORECASE)
    bare = re.sub(r" (?:each other|one another)\Z", "", bare)
    if not bare or len(bare.split()) > _MOST_WORDS:
        return ""
    singular = noun.removesuffix("s") if noun.endswith("s") and not noun.endswith("ss") else noun
    wholes = [f"{bare} {each}" for each in dict.fromkeys((noun, singular, f"{singular}s")) if each]
    for whole in wholes:
        if glossary_called(whole):
            return whole
    found = glossary_called(bare)
    if noun and not is_guessed:
        found = tuple(one for one in found if set(stems(noun)) & {*stems(one.name), *stems(one.definition)})
    if found:
        return found[0].name if len(found) == 1 else bare
    return "" if noun and not is_guessed else _with_any_noun(bare)


def _with_any_noun(said: str) -> str:
    """What is said of letters alone, where one sort of thing has it."""
    nouns = sorted(word_class("concepts.mathematical_nouns"))
    found = {one.name for noun in nouns for one in glossary_called(f"{said} {noun}")}
    return found.pop() if len(found) == 1 else ""
