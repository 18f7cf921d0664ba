"""Questions about concepts of mathematics: what a greatest common divisor is, what variance means, what holds of a sum.

The answer is what the glossary of the package says, then what a dictionary of the library says, word for word, with its
place. Strict: what is asked must be the name of a concept. A quantity of physics, a constant and whatever a formula of
the library is called are left to the formulas, unless a definition is asked for in so many words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, TypeAlias

from mathrag.compute.openmath.mentions import argument_counts
from mathrag.knowledge.constants import constants_for_symbol, constants_for_words
from mathrag.knowledge.errata import remarked
from mathrag.language.enumeration import listed
from mathrag.language.quantity_names import names_exactly
from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.comparisons import APART, answer_comparison
from mathrag.reason.direct.concept_clauses import plainly_asked
from mathrag.reason.direct.concept_examples import answer_example, with_examples, without_wish
from mathrag.reason.direct.concept_wordings import (
    PRONOUN,
    arity_topic,
    compared,
    compared_several,
    compared_unknown,
    described,
    enumerated,
    is_name_asked,
    may_ask_freely,
    meant_name,
    misspelt_among,
    signified,
    spotted,
)
from mathrag.reason.direct.dictionary_places import answer_places
from mathrag.reason.direct.examples_of_kinds import answer_examples
from mathrag.reason.direct.framed_names import framed_name
from mathrag.reason.direct.glossary_answers import (
    KnownNames,
    defines,
    differences,
    entries_for,
    entry_text,
    glossary_reply,
    only_told_apart,
    taken_as,
    with_shared_noun,
)
from mathrag.reason.direct.kinds_of_concepts import answer_kinds
from mathrag.reason.direct.named_concepts import named_concept
from mathrag.reason.direct.notations import answer_notation, answer_writing
from mathrag.reason.direct.properties import answer_properties
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.reverse_dictionary import answer_description
from mathrag.retrieve.concept_descriptions import described_symbol
from mathrag.retrieve.concept_names import (
    NameKey,
    head_of,
    is_called,
    known_keys,
    name_key,
    spelled_name,
    spoken_names,
    symbol_words,
)
from mathrag.retrieve.concepts import ConceptSearch, scored_concepts
from mathrag.retrieve.glossary import (
    glossary_called,
    glossary_names,
    glossary_near,
    is_word_of_glossary,
)
from mathrag.retrieve.rerankers import thresholds_of
from mathrag.types.answer import Citation, Reply
from mathrag.types.concept import Concept, GlossaryEntry
from mathrag.types.document import Place
from mathrag.types.library import Formula, Span

Wanted: TypeAlias = Literal["definition", "properties", "examples"]

HOW_TO_INGEST = "`mathrag ingest --openmath` reads in the dictionaries that come along"
_LONGEST = 200
_MOST_TRAILING = 2
_MOST_WORDS = 9
_MOST_ALSO = 8
_NEAREST, _SEARCHED = 3, 10
_LONGEST_QUOTE = 2_000
_NO_CONCEPT = "No concept of the library is called"
# A name of words, with the colon of arith1:gcd and the signs of names.
_BESIDE = re.compile(r"(?P<name>[^()]+?),? ?\((?:the |i\.?e\.? |called |that is )?(?P<beside>[^()]+)\)")
_QUOTES = re.compile(r"[\"“”„]")
_TOPIC = re.compile(r"[^\W_][\w'’:\- ]*\Z")
_ALTERNATIVE = r"[^\W\d_]{3,}(?:-[^\W\d_]+)*"
_ALTERNATIVES = re.compile(rf"(?<![\w/.:])(?P<first>{_ALTERNATIVE}) ?/ ?(?P<second>{_ALTERNATIVE})(?![\w/])")
_ASKS_ON = re.compile(
    rf" (?:{any_of('several_parts.joints')}) (?:(?:{any_of('several_parts.asking')}|{any_of('several_parts.orders')}) "
    rf"|(?:{any_of('several_parts.verbs')}) (?:it|they|its|their|both|there|this|that)\b)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:an?|the)\s+", re.IGNORECASE)
_KIND_WORDS = word_class("concepts.kind_words")
_SPECIFIC = word_class("concepts.specific")


@dataclass(frozen=True, slots=True)
class ConceptQuestion:
    """What is asked about: `topic` without articles, `generic` what follows it ("of a matrix"). `is_plain` where a
    definition is asked for in so many words, `is_indefinite` where an article says that no certain one is meant."""

    topic: str
    wanted: Wanted = "definition"
    generic: str = ""
    is_plain: bool = False
    is_indefinite: bool = False
    # What stood in brackets beside it, or before it: another name of the same.
    otherwise: str = ""


@cache
def _forms() -> tuple[tuple[re.Pattern[str], Wanted, bool], ...]:
    """Patterns for the whole question, what each wants, and whether it says so plainly."""

    def form(text: str) -> re.Pattern[str]:
        return re.compile(text, re.IGNORECASE)

    courtesy = (
        rf"(?:(?:{any_of('direct.greetings')}|(?:{any_of('direct.may_you')}) you|{any_of('direct.demands')})[ ,]+)*"
    )
    means = any_of("concepts.mean_endings")
    defined = any_of("concepts.defined_endings")
    sorts = any_of("concepts.sorts_of_definitions")
    return (
        (form(rf"{courtesy}what do(?:es)? (?P<topic>.+?) (?:{means})"), "definition", True),
        (form(rf"{courtesy}how (?:is|are) (?P<topic>.+?) (?:{defined})"), "definition", True),
        (
            form(rf"{courtesy}(?:explain )?what (?P<topic>(?!is\b|are\b|does\b).+?) (?:is|are|{means})"),
            "definition",
            True,
        ),
        (form(rf"{courtesy}(?:{any_of('concepts.properties')}) (?P<topic>.+)"), "properties", True),
        (form(rf"{courtesy}(?:{any_of('concepts.examples')}) (?P<topic>.+)"), "examples", True),
        (form(rf"{courtesy}(?:{any_of('concepts.define')}) (?P<topic>.+)"), "definition", True),
        (form(rf"{courtesy}(?:an? |the )?(?:{sorts}) definition of (?P<topic>.+)"), "definition", True),
        (
            form(rf"{courtesy}(?P<topic>[^:,]+?)(?::| -| –|,) ?(?:{any_of('concepts.asked_behind')})"),
            "definition",
            True,
        ),
        (form(rf"{courtesy}(?P<topic>.+?),? (?:{any_of('concepts.bare_behind')})"), "definition", True),
        (form(rf"{courtesy}(?:{any_of('concepts.what_is')}) (?P<topic>.+)"), "definition", False),
        (form(rf"{courtesy}(?:{any_of('concepts.explain')}) (?P<topic>.+)"), "definition", False),
    )


def concept_question(text: str) -> ConceptQuestion | None:
    """What a text asks about, if it has the form of a question about a concept. Knows no concepts."""
    if len(text) > _LONGEST:
        return None
    asked = _QUOTES.sub("", without_ending(tidy(text)))
    for _ in range(_MOST_TRAILING):
        asked = re.sub(rf"[ ,]+(?:{any_of('concepts.trailing')})\Z", "", asked, flags=re.IGNORECASE)
    field = re.match(rf"(?P<field>{any_of('concepts.fields')}),? (?=\w)", asked, re.IGNORECASE)
    if field is not None:
        asked = f"{asked[field.end() :]} {field['field'].lower()}"
    for pattern, wanted, is_plain in _forms():
        match = pattern.fullmatch(asked)
        if match is not None:
            return _about(match["topic"], wanted, is_plain=is_plain)
    return None


def _about(topic: str, wanted: Wanted, *, is_plain: bool) -> ConceptQuestion | None:
    """The topic, or of a name and what explains it in brackets whichever is a name; a notation is none."""
    topic = topic.strip(" \"'“”‘’?.,")
    beside = _BESIDE.fullmatch(topic)
    if beside is None:
        return _named_topic(topic, wanted, is_plain=is_plain)
    first, second = (_named_topic(part, wanted, is_plain=is_plain) for part in (beside["name"], beside["beside"]))
    if first is None or second is None or _is_notation(beside["name"]):
        return second or first
    return replace(first, otherwise=second.topic)


def _is_notation(text: str) -> bool:
    """Letters alone name sets, numbers and functions."""
    return all(len(word) == 1 for word in text.split())


def _named_topic(topic: str, wanted: Wanted, *, is_plain: bool) -> ConceptQuestion | None:
    topic = topic.strip(" \"'“”‘’?.,")
    field = re.fullmatch(rf"(.+?)[ ,]+(?:{any_of('concepts.fields')})", topic, re.IGNORECASE)
    topic = field[1] if field is not None else topic
    is_indefinite = topic.lower().startswith(("a ", "an ")) or field is not None
    article = _ARTICLE.match(topic)
    topic = topic[article.end() :] if article is not None else topic
    words = topic.split()
    # A number makes it a question about that number.
    is_name = _TOPIC.match(topic) is not None and not any(word[0].isdigit() for word in words)
    # Nor is a pronoun a name, or what goes on to ask something else.
    is_name = is_name and not PRONOUN.match(topic) and not _ASKS_ON.search(topic)
    if not is_name or len(words) > _MOST_WORDS or not _SPECIFIC.isdisjoint(topic.lower().split()):
        return None
    of_what = re.fullmatch(rf"(.+?) ((?:{any_of('concepts.generic_of')})\b.*)", topic, re.IGNORECASE)
    of_what = of_what or _general_tail(topic, is_plain=is_plain)
    if of_what is not None:
        return ConceptQuestion(of_what[1], wanted, of_what[2], is_plain, is_indefinite)
    return ConceptQuestion(topic, wanted, "", is_plain, is_indefinite)


def _general_tail(topic: str, *, is_plain: bool) -> re.Match[str] | None:
    """A name with a tail that says of what in general: "of the matrix", "on sets". Where a definition is asked for in
    so many words, any single thing may follow the article."""
    found = re.fullmatch(rf"(.+?) ((?:{any_of('concepts.tail_openings')}) (?P<tail>.+))", topic, re.IGNORECASE)
    if found is None:
        return None
    words = [word.lower() for word in found["tail"].split()]
    qualities, nouns = word_class("concepts.tail_qualities"), word_class("concepts.mathematical_nouns")
    is_general = words[-1] in nouns and qualities.issuperset(words[:-1])
    is_article = is_plain and len(words) == 2 and words[0] in ("a", "an", "the")
    return found if is_general or is_article else None


# ---- answers


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else the library knows: formulas and passages that words find, and what documents are called."""

    find_formulas: Callable[[str], Sequence[Formula]]
    find_passages: Callable[[str], Sequence[Span]]
    name_document: Callable[[str], str]


def answer_definition(
    text: str, concepts: ConceptSearch, around: Surroundings, *, is_explained: bool = False
) -> Reply | None:
    """What the glossary of the package and the dictionaries of the library say of what is asked, or that none does;
    None for any other question.

    `is_explained` where nothing but an explanation could be the answer, as the words stand.
    """
    at_once = _with_counterexample(answer_kinds(text), text) or answer_writing(text) or answer_places(text, concepts)
    at_once = at_once or answer_example(text) or answer_description(text)
    if at_once is not None:
        return at_once
    asked, wish = without_wish(text)
    found = answer_comparison(asked) or _defined_or_framed(asked, concepts, around, is_explained=is_explained)
    if found is None:
        return None
    return replace(found if wish is None else with_examples(found, wish), question=text)


def _defined_or_framed(text: str, concepts: ConceptSearch, around: Surroundings, *, is_explained: bool) -> Reply | None:
    """What is said of what is asked; where nothing is, of the name of the glossary that stands amid other words."""
    found = _defined(_one_of_alternatives(plainly_asked(text)), concepts, around, is_explained=is_explained)
    if found is not None and not says_unknown(found):
        return found
    named = framed_name(text)
    if named is None or _stays_with_library(ConceptQuestion(named.name, is_plain=True), concepts, around):
        return found
    lead = taken_as((named.name,), named.name, named.entries)
    return _glossed(text, ConceptQuestion(named.name, is_plain=True), named.entries, concepts, around, lead=lead)


def _with_counterexample(by_definition: Reply | None, text: str) -> Reply | None:
    """What definitions say of two kinds; where they do not say that all are so, rather an example that decides it."""
    if by_definition is not None and by_definition.text.startswith("Yes"):
        return by_definition
    return answer_properties(text) or answer_examples(text) or by_definition


def _defined(text: str, concepts: ConceptSearch, around: Surroundings, *, is_explained: bool) -> Reply | None:
    asked = concept_question(text)
    noted = answer_notation(text)
    if noted is not None and concepts.has_concepts():
        noted = _with_dictionary(noted, _of_dictionaries(text, asked, concepts, around, is_explained=is_explained))
    if asked is None and (noted is not None or not may_ask_freely(text)):
        return noted
    explained = _of_glossary(text, asked, concepts, around) or noted
    return explained or _of_dictionaries(text, asked, concepts, around, is_explained=is_explained)


def _with_dictionary(noted: Reply, then: Reply | None) -> Reply:
    """What a notation means, and behind it what a dictionary says of the concept that it stands for."""
    if then is None or then.concept is None:
        return noted
    return replace(then, text=f"{noted.text}\n{then.text}", glossary=noted.glossary)


def _one_of_alternatives(text: str) -> str:
    """A question with one of two names between which a slash stands, where the glossary has either."""
    slashed = _ALTERNATIVES.search(text)
    if slashed is None or len(_ALTERNATIVES.findall(text)) != 1:
        return text
    for name in (slashed["first"], slashed["second"]):
        single = f"{text[: slashed.start()]}{name}{text[slashed.end() :]}"
        asked = concept_question(single)
        bare = tidy(single).strip(" ?.") == name
        if (asked is not None and entries_for(_names(asked), asked.generic)) or (bare and glossary_called(name)):
            return f"what is {name}" if bare else single
    return text


def _unknown(topic: str) -> str:
    return f"{_NO_CONCEPT} “{topic}”."


def says_unknown(reply: Reply) -> bool:
    """Whether a reply only says that nothing of that name is known."""
    return reply.text.startswith(_NO_CONCEPT) and not reply.glossary and reply.concept is None and not reply.citations


def _of_dictionaries(
    text: str, asked: ConceptQuestion | None, concepts: ConceptSearch, around: Surroundings, *, is_explained: bool
) -> Reply | None:
    """What a dictionary of the library says, or that none does; None where something else may be the answer."""
    has_concepts = concepts.has_concepts()
    freely = _freely_asked(text, asked, concepts, around) if has_concepts else None
    freely = freely or (_not_known(text, concepts, around) if has_concepts else None)
    if freely is not None or asked is None:
        return freely
    if not has_concepts and not _is_known(asked):
        return None
    if not asked.is_plain and _is_for_formulas(asked, around):
        return None
    if not has_concepts:
        if asked.is_plain and _is_for_formulas(asked, around):
            return None
        said = (
            f"No dictionary of mathematics has been read in, so “{asked.topic}” cannot be looked up: {HOW_TO_INGEST}."
        )
        return Reply(text, said)
    called = _called(asked, concepts)
    if called:
        return _definition(text, asked, called, concepts, around)
    is_open = asked.is_plain or asked.is_indefinite or is_explained or _is_known(asked)
    if not is_open or _is_spoken_of(asked, around):
        return None
    near = _nearest(asked, concepts)
    said = _unknown(asked.topic)
    return Reply(text, f"{said} Near to it by its words: {', '.join(near)}." if near else said, also=near)


def _of_glossary(
    text: str, asked: ConceptQuestion | None, concepts: ConceptSearch, around: Surroundings
) -> Reply | None:
    """What the glossary says of one thing or of several, with what the dictionaries add; None where it has none."""
    known = KnownNames(lambda: concepts.shelf().keys if concepts.has_concepts() else ())
    if asked is not None:
        found = _longer_named(asked)
        is_longer = bool(found)
        found = found or entries_for(_names(asked), asked.generic)
        found = found if asked.wanted == "definition" else ()
        if found and _stays_with_library(asked, concepts, around):
            return None
        if found:
            names = (*_names(asked), *(one.name for one in found if is_longer))
            return _glossed(text, asked, found, concepts, around, lead=taken_as(names, asked.topic, found))
    together = _of_several(text, asked, known, concepts, around)
    if together is not None:
        return together
    if asked is not None and asked.wanted != "definition":
        return None
    # A name misspelt, or one amid words that say nothing more.
    found = _amid_words(text, known) if asked is None else _misspelt(asked, known, concepts, around)
    taken = ConceptQuestion(found[0].name) if found else None
    if taken is None or _stays_with_library(taken, concepts, around):
        return None
    lead = f"“{asked.topic}” is taken as {taken.topic}." if asked is not None else ""
    return _glossed(text, replace(taken, is_plain=True), found, concepts, around, lead=lead)


def _longer_named(asked: ConceptQuestion) -> tuple[GlossaryEntry, ...]:
    """The one entry whose name goes on behind the topic: "order of an element", of which more follows."""
    named = named_concept(_whole(asked)) if asked.generic else None
    is_longer = named is not None and len(named.name.split()) > len(asked.topic.split())
    return named.entries if named is not None and is_longer and named.tail and len(named.entries) == 1 else ()


def _of_several(
    text: str,
    asked: ConceptQuestion | None,
    known: Collection[NameKey],
    concepts: ConceptSearch,
    around: Surroundings,
) -> Reply | None:
    """What the glossary says of several things that are compared or enumerated."""
    pair = compared_several(text, known) or compared(text, known)
    pair = pair or (None if asked is None else compared(asked.topic, known))
    if pair:
        topics = with_shared_noun((pair[0], pair[1]), known) if len(pair) == 2 else pair
        return _glossed_together(text, topics, concepts, around, is_compared=True)
    several = enumerated(text)
    if len(several) > 1 and not any(_is_for_formulas(ConceptQuestion(each), around) for each in several):
        return _glossed_together(text, several, concepts, around)
    return None


def _amid_words(text: str, known: Collection[NameKey]) -> tuple[GlossaryEntry, ...]:
    name = spotted(text, known)
    return () if name is None else glossary_called(name)


def _misspelt(
    asked: ConceptQuestion, known: Collection[NameKey], concepts: ConceptSearch, around: Surroundings
) -> tuple[GlossaryEntry, ...]:
    # A word that definitions use is no slip of the pen: a homomorphism is no homeomorphism.
    if is_word_of_glossary(asked.topic) or _called(asked, concepts) or _is_spoken_of(asked, around):
        return ()
    meant = meant_name(asked.topic, known)
    if meant is not None:
        return glossary_near(meant)
    # A slip near the end of a word changes its stem, too.
    whole = misspelt_among(spelled_name(asked.topic), glossary_names())
    return () if whole is None else glossary_called(" ".join(whole))


def _stays_with_library(asked: ConceptQuestion, concepts: ConceptSearch, around: Surroundings) -> bool:
    """Whether formulas or documents of the library answer rather than the glossary: a quantity or a constant that
    formulas speak of, and what a document defines. Whoever asks for a definition in so many words means no formula."""
    if _is_for_formulas(asked, around) and not (asked.is_plain and not names_exactly(asked.topic)):
        return True
    return not _called(asked, concepts) and defines(around.find_passages(asked.topic), asked.topic)


def _glossed(
    text: str,
    asked: ConceptQuestion,
    entries: Sequence[GlossaryEntry],
    concepts: ConceptSearch,
    around: Surroundings,
    *,
    lead: str = "",
) -> Reply:
    called = _called(asked, concepts)
    then = _definition(text, asked, called, concepts, around) if called else None
    return glossary_reply(text, entries, then, lead=lead)


def _glossed_together(
    text: str, topics: Sequence[str], concepts: ConceptSearch, around: Surroundings, *, is_compared: bool = False
) -> Reply | None:
    """One definition after the other, each from the glossary or else from a dictionary; of two, what tells them apart.
    None where the glossary has none of them, where most are unknown, or where one is a matter of formulas."""
    entries = {topic: entries_for((topic,)) for topic in topics}
    if is_compared:
        entries = only_told_apart(entries)
    unglossed = [topic for topic in topics if not entries[topic]]
    unknown = [topic for topic in unglossed if not _called(ConceptQuestion(topic, is_plain=True), concepts)]
    if len(unglossed) == len(topics) or 2 * len(unknown) > len(topics) or _is_elsewhere(unknown, concepts, around):
        return None
    found = tuple(dict.fromkeys(one for topic in topics for one in entries[topic]))
    apart = tuple(dict.fromkeys(differences(topics, found).values())) if is_compared else ()
    told: list[str] = []
    cited: list[Citation] = []
    for topic in topics:
        if topic in unknown:
            told += [] if apart else [_unknown(topic)]
        elif topic in unglossed:
            reply = _said_of(text, topic, concepts, around, with_twin=False)
            told.append(reply.text)
            cited.extend(reply.citations)
        told.extend(map(entry_text, entries[topic]))
    lines = (*told, *(f"{APART} {each}" for each in apart))
    return Reply(text, "\n".join(lines), citations=tuple(cited), glossary=found)


def _freely_asked(
    text: str, asked: ConceptQuestion | None, concepts: ConceptSearch, around: Surroundings
) -> Reply | None:
    """The answer to a question that has none of the strict forms, or asks about two concepts or about a sign."""
    names = concepts.shelf().keys
    pair = compared(text, names)
    if pair is not None and not _is_elsewhere(pair, concepts, around):
        return _said_together(text, pair, concepts, around)
    several = enumerated(text)
    counted = sum(bool(_called(ConceptQuestion(each, is_plain=True), concepts)) for each in several)
    if len(several) > 1 and counted > len(several) / 2 and not _is_elsewhere(several, concepts, around):
        return _said_together(text, several, concepts, around)
    topic = arity_topic(text)
    if topic is not None and _called(ConceptQuestion(topic, is_plain=True), concepts):
        return _of_arguments(_said_of(text, topic, concepts, around, with_twin=False))
    description = described(text)
    if description is not None:
        found = _by_description(text, description, concepts, around)
        if found is not None:
            return found
    is_called = asked is not None and bool(_called(asked, concepts))
    sign = None if is_called else signified(text, names)
    if sign is not None:
        reply = _said_of(text, sign[1], concepts, around)
        return replace(reply, text=f"{sign[0]} is the sign for {sign[1]}. {reply.text}")
    if asked is not None:
        if is_called or (not asked.is_plain and _is_for_formulas(asked, around)):
            return None
        meant = meant_name(asked.topic, names)
        if meant is None:
            return None
        concept = concepts.shelf().called(meant)[0]
        reply = _said_of(text, symbol_words(concept.symbol), concepts, around)
        return replace(reply, text=f"“{asked.topic}” is taken as {symbol_words(concept.symbol)}. {reply.text}")
    name = spotted(text, names)
    if name is None or _is_for_formulas(ConceptQuestion(name), around):
        return None
    return _said_of(text, name, concepts, around)


def _not_known(text: str, concepts: ConceptSearch, around: Surroundings) -> Reply | None:
    """That neither of two compared names is known, or that no concept is surely meant by a description."""
    pair = compared_unknown(text)
    if pair is not None:
        asked = [ConceptQuestion(each) for each in pair]
        is_open = not _is_elsewhere(pair, concepts, around) and not all(_is_spoken_of(each, around) for each in asked)
        return _said_together(text, pair, concepts, around) if is_open else None
    if is_name_asked(text):
        return Reply(text, "By its words this describes no concept of the library surely enough to be named.")
    return None


def _is_elsewhere(topics: Sequence[str], concepts: ConceptSearch, around: Surroundings) -> bool:
    """Whether a name that no dictionary has is one of a formula or a constant: then no concepts are asked about."""
    unknown = [ConceptQuestion(each) for each in topics if not _called(ConceptQuestion(each, is_plain=True), concepts)]
    return any(_is_for_formulas(each, around) or names_exactly(each.topic) for each in unknown)


def _said_together(text: str, topics: Sequence[str], concepts: ConceptSearch, around: Surroundings) -> Reply:
    """One definition after the other; of a name that no dictionary has, that it has none."""
    told: list[str] = []
    cited: list[Citation] = []
    for topic in topics:
        if not _called(ConceptQuestion(topic, is_plain=True), concepts):
            told.append(_unknown(topic))
            continue
        reply = _said_of(text, topic, concepts, around, with_twin=False)
        told.append(reply.text)
        cited.extend(reply.citations)
    return Reply(text, "\n".join(told), citations=tuple(cited))


def _of_arguments(reply: Reply) -> Reply:
    """What the dictionary says of the arguments: its signature, and with how many its own formulas write the symbol."""
    concept = reply.concept
    if concept is None:
        return reply
    counts = argument_counts(concept)
    said = [f"Signature: {concept.signature}."] if concept.signature else ["No signature of it is in the library."]
    if counts:
        shown = listed([str(each) for each in counts], "or")
        noun = "argument" if counts == (1,) else "arguments"
        said.append(f"In the formulas of its dictionary it is written with {shown} {noun}.")
    return replace(reply, text=f"{reply.text} {' '.join(said)}")


def _by_description(text: str, description: str, concepts: ConceptSearch, around: Surroundings) -> Reply | None:
    """The concept that a description means by its words, with what its dictionary says."""
    symbol = described_symbol(description)
    if symbol is None:
        return None
    name = symbol_words(symbol)
    asked = ConceptQuestion(name, generic=description, is_plain=True)
    called = [one for one in _called(asked, concepts) if one.symbol == symbol]
    if not called:
        known = f"By its words this describes what people call “{name}”."
        return Reply(text, f"{known} No dictionary of the library defines it, so nothing more is said of it here.")
    reply = _definition(text, asked, called, concepts, around)
    return replace(reply, text=f"By its words this describes {', '.join(spoken_names(symbol)[:3])}. {reply.text}")


def _said_of(text: str, name: str, concepts: ConceptSearch, around: Surroundings, *, with_twin: bool = True) -> Reply:
    asked = ConceptQuestion(name, is_plain=True)
    return _definition(text, asked, _called(asked, concepts), concepts, around, with_twin=with_twin)


def _whole(asked: ConceptQuestion) -> str:
    return f"{asked.topic} {asked.generic}".strip()


def _names(asked: ConceptQuestion) -> list[str]:
    """The names that may be meant, the most particular first: whole, without of what, without what sort of thing."""
    found = []
    # "the modulus of a complex number z"
    lettered = " ".join(word for word in _whole(asked).split() if len(word) > 1 or word.lower() == "a")
    for name in (_whole(asked), lettered, asked.topic, asked.otherwise):
        plain = [word for word in name.split() if word.lower() not in _KIND_WORDS]
        found += [name, " ".join(plain)]
    return list(dict.fromkeys(found))


def _keys(asked: ConceptQuestion) -> list[NameKey]:
    return [key for key in dict.fromkeys(map(name_key, _names(asked))) if key]


def _called(asked: ConceptQuestion, concepts: ConceptSearch) -> tuple[Concept, ...]:
    """The concepts that are called so, the best one first."""
    shelf = concepts.shelf()
    exact = tuple(one for one in shelf.concepts if one.name == asked.topic)
    if exact:
        return exact
    for key in _keys(asked):
        # A letter alone is the name of many things; only who asks for a definition means the letter itself.
        found = shelf.called(key) if asked.is_plain or max(map(len, key)) > 1 else ()
        if found:
            return _best_first(asked, found, concepts)
    return ()


def _best_first(asked: ConceptQuestion, found: Sequence[Concept], concepts: ConceptSearch) -> tuple[Concept, ...]:
    """Of several with one name those that speak of what the question speaks of; then official ones, those of that very
    symbol, those that use the very words; of these the one of the fewest words, because it is the most general."""
    further = set(stems(asked.generic))

    def place(one: Concept) -> tuple[bool, int, bool, bool, bool, int]:
        stored = concepts.stored(one.name)
        words = one.description.lower().split()
        shared = len(further & set(stems(one.description)))
        is_official = stored is not None and stored.status == "official"
        is_other = name_key(one.symbol.replace("_", " ")) != name_key(asked.topic)
        is_silent = f" {asked.topic.lower()}" not in f" {' '.join(words)}"
        is_alike = not any(is_called(one, name) for name in (_whole(asked), asked.topic, asked.otherwise))
        return is_alike, -shared, not is_official, is_other, is_silent, len(words)

    return tuple(sorted(found, key=place))


def _is_known(asked: ConceptQuestion) -> bool:
    return any(key in known_keys() for key in _keys(asked)[:2])


def _is_for_formulas(asked: ConceptQuestion, around: Surroundings) -> bool:
    """Whether what is asked is a constant, or what a formula of the library is called or gives; of a quantity it is
    enough that a formula speaks of it."""
    whole = _whole(asked)
    if constants_for_words(whole) or constants_for_symbol(asked.topic):
        return True
    keys = {name_key(whole), name_key(asked.topic)}
    is_quantity = names_exactly(asked.topic) or names_exactly(whole)
    wanted = set(stems(asked.topic))
    for formula in around.find_formulas(whole):
        meant = next((one.description for one in formula.symbols if one.name == formula.target), "")
        if name_key(formula.label) in keys or (meant and name_key(meant) in keys):
            return True
        spoken = (formula.label, *(one.description for one in formula.symbols))
        if is_quantity and any(wanted <= set(stems(each)) for each in spoken):
            return True
    return False


def _is_spoken_of(asked: ConceptQuestion, around: Surroundings) -> bool:
    """Whether documents or formulas have all the words of what is asked: then they are the better answer."""
    wanted = set(stems(asked.topic))
    if not wanted:
        return True
    texts = [span.quote for span in around.find_passages(asked.topic)[:1]]
    texts += [formula.label for formula in around.find_formulas(asked.topic)[:_NEAREST]]
    return any(wanted <= set(stems(each)) for each in texts)


def _nearest(asked: ConceptQuestion, concepts: ConceptSearch) -> tuple[str, ...]:
    """Names of concepts whose cards have to do with what is asked; none where the reranker finds none relevant."""
    reranker = concepts.reranker
    if reranker is None:
        return ()
    scored = scored_concepts(_whole(asked), concepts.shelf(), reranker, names=(), limit=_SEARCHED)
    least = thresholds_of(reranker.name).least
    head, is_bare = head_of(_whole(asked)), len(asked.topic.split()) == 1
    # What shares a general word alone is no neighbour: to whom asks for a power set, neither a power nor a set is.
    near = (
        one.found.concept
        for one in scored
        if one.score is not None
        and one.score >= least
        and any(
            head_of(name) == head and (is_bare or len(name.split()) > 1)
            for name in spoken_names(one.found.concept.symbol)
        )
    )
    return tuple(one.name for one in near)[:_NEAREST]


def _definition(
    text: str,
    asked: ConceptQuestion,
    called: Sequence[Concept],
    concepts: ConceptSearch,
    around: Surroundings,
    *,
    with_twin: bool = True,
) -> Reply:
    concept = called[0]
    stored = concepts.stored(concept.name)
    said = _described(concept) or "the dictionary gives no description"
    citations: tuple[Citation, ...] = ()
    if stored is not None:
        span = Span(stored.document, concept.place or Place(), concept.description[:_LONGEST_QUOTE])
        citations = (Citation(stored.document, around.name_document(stored.document), span, label=concept.name),)
    names = (_whole(asked), asked.topic, asked.otherwise)
    others = tuple(one.name for one in called[1:] if any(is_called(one, name) for name in names))[:_MOST_ALSO]
    # Dictionaries make mistakes: where two define one symbol, people see both.
    twin = next((one for one in called[1:] if one.symbol == concept.symbol and one.description.strip()), None)
    if with_twin and twin is not None and stems(twin.description) != stems(concept.description):
        said += f" — In another dictionary, {twin.name}: {_described(twin)}"
    lead = {"definition": "", "properties": _of_properties(concept), "examples": _of_examples(concept)}[asked.wanted]
    return Reply(text, f"{concept.name}: {said}{lead}", citations=citations, concept=concept, also=others)


def _described(concept: Concept) -> str:
    """What the dictionary says it is, with a remark where it errs."""
    return " ".join(remarked(concept).description.split())


def _of_properties(concept: Concept) -> str:
    count = len(concept.properties)
    return f" (properties in the dictionary: {count})" if count else " (the dictionary states no properties of it)"


def _of_examples(concept: Concept) -> str:
    count = len(concept.examples)
    return f" (examples in the dictionary: {count})" if count else " (the dictionary gives no examples of it)"
