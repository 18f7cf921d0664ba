"""Free wordings of questions about concepts: two compared, several at once, a name amid other words, a sign, a name
misspelt, a description instead of a name, how many arguments something takes.

The strict forms of `definitions.py` come first. Here a question counts only where nothing in it is left over: every
word is part of a concept's name, or asks, or is grammar.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher
from functools import cache

from mathrag.language.stems import STOP_WORDS
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.retrieve.concept_names import NameKey, name_key, names_among, sign_names
from mathrag.retrieve.glossary import is_word_of_glossary

_LONGEST = 200
_MOST_WORDS = 5
# So many words may have a name that no dictionary has.
_MOST_UNKNOWN = 4
_MOST_COMPARED = 5
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_PLAIN_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"[^\W\d_][^\d=+*/^<>()|]*\Z")
# Letters of sets, functions and vectors around a sign.
_OPERAND = re.compile(r"[A-Za-zα-ωΑ-Ω](?:[_^]?\{?[0-9a-z]\}?)?\Z")
# A shorter word has too many neighbours; from here on one letter more, less or other is a slip of the pen.
_LEAST_LETTERS = 6
_ALIKE = 0.85
# A long word stays itself with two letters wrong.
_LONG, _ALIKE_IF_LONG = 9, 0.8
PRONOUN = re.compile(r"(?:it|they|them|this|that|these|those|one|each)\b", re.IGNORECASE)


@cache
def _comparisons() -> tuple[re.Pattern[str], ...]:
    between, differ = any_of("concepts.difference_between"), any_of("concepts.differ")
    versus = any_of("concepts.versus")
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?:.{{0,40}}\b)?(?:{between}) (?P<both>.+)",
            rf"(?:.{{0,40}}[, ])?how (?:do|does|is|are) (?P<first>.+?) (?:{differ}) from (?P<second>.+)",
            rf"(?:.{{0,40}}[, ])?how (?:do|does|is|are) (?P<both>.+?) (?:{differ})(?: .*)?",
            r"(?:how (?:can|do|could|does) (?:you|i|we|one) )?(?:tell|distinguish) (?P<first>.+?) from (?P<second>.+)",
            rf"(?:what(?:'s| is| are) )?(?P<first>.+?) (?:{versus}) (?P<second>.+)",
        )
    )


def may_ask_freely(text: str) -> bool:
    """Whether any of the wordings here could be one of a text: what needs no names comes first."""
    words = {word for word in re.split(r"[\W\d_]+", text[: _LONGEST + 1].lower()) if word}
    words.update(word.lower() for word in _WORD.findall(tidy(text[: _LONGEST + 1])))
    if not _asking(signs=True).isdisjoint(words):
        return True
    asked = without_ending(tidy(text[:_LONGEST]))
    if described(text) is not None or arity_topic(text) is not None or len(enumerated(text)) > 1:
        return True
    return any(each.fullmatch(asked) for each in _comparisons())


@cache
def _descriptions() -> tuple[re.Pattern[str], ...]:
    sort = any_of("concepts.which_sort")
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?:{any_of('concepts.name_of')}) (?P<said>.+)",
            rf"(?:what|how) (?:is|are) (?P<said>.+ .+) (?:{any_of('concepts.called_behind')})",
            rf"(?P<said>(?:{sort}) (?!is it\b|is that\b|has the\b).+)",
        )
    )


def is_name_asked(text: str) -> bool:
    """Whether the name of what is described is asked for in so many words: "what do we call …"."""
    asked = without_ending(tidy(text[: _LONGEST + 1]))
    return re.match(rf"(?:{any_of('concepts.call_forms')}) .+ .+", asked, re.IGNORECASE) is not None


def described(text: str) -> str | None:
    """The description of something whose name is asked for; None where no name is asked for."""
    asked = without_ending(tidy(text[: _LONGEST + 1]))
    if len(asked) > _LONGEST:
        return None
    found = next((match for each in _descriptions() if (match := each.fullmatch(asked))), None)
    if found is None or not {"my", "your", "our"}.isdisjoint(asked.lower().split()):
        return None
    return re.sub(r"\A(?:which|what)(?: (?:sort|kind|type) of)? ", "", found["said"], flags=re.IGNORECASE)


@cache
def _arities() -> tuple[re.Pattern[str], ...]:
    return (
        re.compile(rf"(?:what is )?(?:{any_of('concepts.arity')}) (?P<topic>[^\d=]+)", re.IGNORECASE),
        re.compile(
            r"how many (?:arguments|operands|inputs|parameters) (?:does|do|can) (?P<topic>[^\d=]+?) "
            r"(?:take|have|need|accept)",
            re.IGNORECASE,
        ),
        re.compile(
            r"is (?P<topic>[^\d=]+?) (?:an? )?(?:unary|binary|n-ary|nary)(?: or (?:unary|binary|n-ary|nary))?"
            r"(?: (?:function|operation|operator|relation))?",
            re.IGNORECASE,
        ),
    )


def arity_topic(text: str) -> str | None:
    """The name of what is asked how many arguments it takes; None for any other question."""
    asked = without_ending(tidy(text[:_LONGEST]))
    found = next((match for each in _arities() if (match := each.fullmatch(asked))), None)
    return None if found is None else _topic(found["topic"])


def enumerated(text: str) -> tuple[str, ...]:
    """The names in a question that asks for several definitions at once; none where it does not have that form."""
    asked = without_ending(tidy(text[:_LONGEST]))
    opening = "|".join(any_of(f"concepts.{each}") for each in ("define", "what_is", "explain", "definitions"))
    found = re.fullmatch(rf"(?:{opening}) (?P<list>[^\d=?:;]+)", asked, re.IGNORECASE)
    if found is None:
        return ()
    parts = [_topic(each) for each in re.split(r",? and |, ", found["list"]) if each.strip()]
    # A part that asks is a question of its own.
    is_list = len(parts) > 1 and not any(map(_asks().match, parts))
    return tuple(dict.fromkeys(parts)) if is_list else ()


@cache
def _asks() -> re.Pattern[str]:
    begins = "|".join(any_of(f"several_parts.{each}") for each in ("asking", "verbs", "orders"))
    wish = r"(?:please |an? |one |some |with |also )*(?:non-|counter)?examples?"
    return re.compile(rf"(?:(?:please )?(?:{begins})|{wish})\b", re.IGNORECASE)


@cache
def _asking(*, signs: bool = False) -> frozenset[str]:
    words = word_class("concepts.asking") | word_class("concepts.asking_more")
    return words | word_class("concepts.asking_signs") if signs else words


@cache
def _grammar(*, signs: bool = False) -> frozenset[str]:
    """Words that may stand beside a name or a sign and say nothing more."""
    return STOP_WORDS | _asking(signs=signs) | word_class("concepts.kind_words") | word_class("concepts.grammar")


def compared(text: str, names: Collection[NameKey]) -> tuple[str, str] | None:
    """The two names whose difference is asked for; None where neither is among `names`. One that is not stays a name of
    few words, so that what is said of it can be that no dictionary has it."""
    for _, pairs in _pairs(text):
        for topics in pairs:
            known = [name_key(topic) in names for topic in topics]
            is_named = all(
                is_known or len(topic.split()) <= _MOST_UNKNOWN for topic, is_known in zip(topics, known, strict=True)
            )
            if topics[0] != topics[1] and (all(known) or (any(known) and is_named and len(pairs) == 1)):
                return topics
    return None


def compared_several(text: str, names: Collection[NameKey]) -> tuple[str, ...]:
    """Three names or more whose differences are asked for; none where one of them is not among `names`."""
    asked = without_ending(tidy(text[:_LONGEST]))
    between = re.fullmatch(rf"(?:.{{0,40}}\b)?(?:{any_of('concepts.difference_between')}) (?P<list>.+)", asked, re.I)
    parts = re.split(r",? and |,? or |, ", between["list"]) if between is not None else []
    parts = parts or re.split(rf",? (?:{any_of('concepts.versus')}) ", re.sub(r"\A(?:what(?:'s| is| are)) ", "", asked))
    topics = tuple(dict.fromkeys(_topic(each) for each in parts if each.strip()))
    return topics if 2 < len(topics) <= _MOST_COMPARED and all(name_key(each) in names for each in topics) else ()


def compared_unknown(text: str) -> tuple[str, str] | None:
    """The two names whose difference is asked for where nothing is known of them: parted in one way only, of few words
    each, and nothing but words that ask in front."""
    for before, pairs in _pairs(text):
        words = {word.lower() for word in _WORD.findall(before)}
        topics = pairs[0] if len(pairs) == 1 else ("", "")
        is_named = all(0 < len(topic.split()) <= _MOST_UNKNOWN and _NAME.match(topic) for topic in topics)
        if is_named and topics[0] != topics[1] and words <= _grammar():
            return topics
    return None


def _pairs(text: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """What stands before a comparison, and the ways to part what is compared; a pronoun is no name."""
    for before, pairs in _all_pairs(text):
        named = [pair for pair in pairs if not any(PRONOUN.match(topic) for topic in pair)]
        if named:
            yield before, named


def _all_pairs(text: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    asked = without_ending(tidy(text[:_LONGEST]))
    for pattern in _comparisons():
        found = pattern.fullmatch(asked)
        if found is None:
            continue
        said = found.groupdict()
        if "both" not in said:
            yield asked[: found.start("first")], [(_topic(said["first"]), _topic(said["second"]))]
            continue
        both = said["both"]
        cuts = re.finditer(r",? (?:and|or|from|to|with) ", both, re.IGNORECASE)
        opening = re.sub(
            rf"(?:{any_of('concepts.difference_between')}) ?\Z", "", asked[: found.start("both")], flags=re.I
        )
        yield opening, [(_topic(both[: cut.start()]), _topic(both[cut.end() :])) for cut in cuts]


def _topic(text: str) -> str:
    """A name without article and without what only says where it belongs, or for which numbers."""
    text = re.sub(r",? (?:for|on|when|if|with|in case of) .*\Z", "", text, flags=re.IGNORECASE)
    text = re.sub(rf"[ ,]+(?:{any_of('concepts.fields')})\Z", "", text.strip(" \"'“”‘’?.,"), flags=re.IGNORECASE)
    return re.sub(r"\A(?:an?|the) ", "", text, flags=re.IGNORECASE)


def spotted(text: str, names: Collection[NameKey]) -> str | None:
    """The one name of a question that says nothing else; None where words are left over, or several names stand."""
    asked = tidy(text[: _LONGEST + 1])
    if len(asked) > _LONGEST or any(map(str.isdigit, asked)) or "=" in asked:
        return None
    # "the transpose of a matrix" is about the transpose: what follows says of what in general.
    asked = _of_what().sub(" ", asked)
    words = [word.lower() for word in _WORD.findall(asked)]
    # "When" may ask, or stand before what is done in general.
    if _asking().isdisjoint(words) or not (word_class("concepts.specific") - {"when"}).isdisjoint(words):
        return None
    grammar = _grammar()
    found = list(dict.fromkeys(name for name in names_among(asked, names) if not grammar.issuperset(name.split())))
    if len(found) != 1:
        return None
    return found[0] if set(words) - set(found[0].split()) <= grammar else None


@cache
def _of_what() -> re.Pattern[str]:
    return re.compile(rf" (?:{any_of('concepts.generic_of')})(?: [^\W\d_]+)?\b", re.IGNORECASE)


def signified(text: str, names: Collection[NameKey]) -> tuple[str, str] | None:
    """A sign whose meaning is asked for, and its name; beside it only letters it stands between and words that ask."""
    asked = tidy(text[: _LONGEST + 1])
    if len(asked) > _LONGEST or "=" in asked:
        return None
    called = [
        (sign, next((name for name in given if name_key(name) in names), "")) for sign, given in sign_names(asked)
    ]
    called = [(sign, name) for sign, name in called if name]
    if len(called) != 1:
        return None
    sign, name = called[0]
    asked = re.sub(rf"[ ,]+(?:{any_of('concepts.fields')})\b", " ", asked, flags=re.IGNORECASE)
    rest = re.sub(r"\\(?:mathbf|vec|mathrm|boldsymbol|left|right)\b|[{}()$?.,:\"'“”‘’]", " ", asked.replace(sign, " "))
    parts = [part.lower() for part in rest.split() if not _OPERAND.match(part)]
    is_asked = not _asking(signs=True).isdisjoint(parts) and _grammar(signs=True).issuperset(parts)
    return (sign, name) if is_asked else None


def meant_name(topic: str, names: Collection[NameKey]) -> NameKey | None:
    """The one name that a topic misspells by a letter or two in one word."""
    return misspelt_among(name_key(topic), names)


def misspelt_among(typed: NameKey, names: Collection[NameKey]) -> NameKey | None:
    """The same for words that are given, whether they are stems or whole."""
    if not typed or len(typed) > _MOST_WORDS:
        return None
    found = [key for key in names if len(key) == len(typed) and _is_misspelt(typed, key)]
    return found[0] if len(found) == 1 else None


def _is_misspelt(typed: NameKey, key: NameKey) -> bool:
    different = [(one, other) for one, other in zip(typed, key, strict=True) if one != other]
    if len(different) != 1:
        return False
    return is_slip(*different[0])


def is_slip(one: str, other: str) -> bool:
    """Whether two words differ by a slip of the pen alone: a letter or two in a word that is not short."""
    if min(len(one), len(other)) < _LEAST_LETTERS or abs(len(one) - len(other)) > 1 or one[0] != other[0]:
        return False
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    alike = _ALIKE if min(len(one), len(other)) < _LONG else _ALIKE_IF_LONG
    return matcher.quick_ratio() >= alike and matcher.ratio() >= alike


def mended_frame(text: str) -> str:
    """A text in which words that ask about concepts are spelled as they should be."""
    return _PLAIN_WORD.sub(lambda word: _frame_word(word[0]), text)


def _frame_word(word: str) -> str:
    small = word.lower()
    if small in word_class("concepts.frame_words") or small.endswith(("s", "t", "ed", "ing")):
        return word
    meant = [each for each in sorted(word_class("concepts.frame_words")) if is_slip(small, each)]
    return meant[0] if len(meant) == 1 and not is_word_of_glossary(small) else word
