"""The name that the sentence before or after a formula gives it. Knows words and one symbol; chooses no source.

A sentence comes as text in which every formula inside it stands between two marks, in plain letters (`marked`). So a
symbol that is put beside its name ("the drag force F is given by") can be told from a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mathrag.extract.phrases import (
    LAW_LIKE,
    balanced,
    clean_title,
    is_useless,
    last_sentence,
    plain_math,
    tidy,
    without_citations,
)
from mathrag.language.quantity_names import kinds_mentioned
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.document import Break, Content, Math, Text

_OPEN, _CLOSE = "\ue000", "\ue001"
_SYMBOL = re.compile(f"{_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_LONGEST_NAME = 80
_MOST_WORDS = 10
_SHORTEST_WORD = 3
_JOINING = frozenset(("and", "the"))
_MOST_IN_A_LIST = 4
_MOST_BESIDE = 6
# Longer than that, a run of words without a known verb has one that is not known.
_MOST_UNANNOUNCED = 6
_LONGEST_SENTENCE = 600
_OPENERS = re.compile(
    rf"^(?:(?:(?:{any_of('sentences.plain_adjectives')}|general|simple|common)\s+)*"
    rf"(?:{any_of('sentences.formula_nouns')})\s+(?:for|between)\s+|(?:{any_of('sentences.plain_adjectives')})\s+"
    r"|(?:definition|derivation|expression|form|version)\s+of\s+"
    rf"|(?:{any_of('sentences.openers')})\s+|[,;:]\s*)+",
    re.I,
)
_CLOSERS = re.compile(rf"(?:\s*(?:[,;:.(\[–—-]|\b(?:{any_of('sentences.closers')})\b))+\s*$", re.I)
_CLAUSE = re.compile(rf"\s*(?:[;:]|,?\s+\b(?:{any_of('sentences.clauses')})\b).*$", re.I | re.S)
# A phrase with a verb, a number or a clause in it is a sentence about a formula, not its name.
_NOT_A_NAME = re.compile(
    rf"[=<>≈\d]|^\W|^(?:{any_of('sentences.not_at_the_start')})\b(?!-)|\b(?:{any_of('sentences.not_inside')})\b|,"
    rf"|^(?:{any_of('sentences.acting')})\b"
    rf"|^(?!(?:{any_of('phrases.ed_nouns')}|{any_of('phrases.ing_nouns')})\b)\w+(?:ed|ing)(?:$|\s+(?:{any_of('grammar.plain_prepositions')}|{any_of('grammar.determiners')}|both|equations?)\b)",
    re.I,
)
_LAW = re.compile(rf"\b(?:{any_of('sentences.laws')})\b|['’]s\b")
_NAMING = re.compile(rf"\b(?:{any_of('sentences.naming')})\s+(?:the\s+|an?\s+)?", re.I)
_AFTERWARDS = re.compile(
    rf"^[\s,.;:]*(?:(?:this|which|it|that|these)\b|the\s+above\b)?\s*(?:(?:{any_of('sentences.formula_nouns')}|law)\s+)?"
    r"(?:is|are)\s+(?:\w+ly\s+|often\s+|also\s+|sometimes\s+|just\s+|the\s+){0,3}",
    re.I,
)
_END = re.compile(rf"[,.;:()]|\s+\b(?:{any_of('phrases.ends')}|and|or)\b", re.I)
_FINITE = re.compile(
    rf"\b(?:{any_of('sentences.finite_verbs')})\b"
    rf"|\b(?P<stating>{any_of('sentences.stating_verbs')})\b(?=\s*(?:that\b|the\b|how\b|:|$))",
    re.I,
)
_ACTING = re.compile(rf"\b(?:{any_of('sentences.acting')})\s+(?=\S)", re.I)
# What comes behind such a word is another clause, which the subject does not lead to.
_CONDITION = re.compile(rf"\b(?:{any_of('sentences.conditions')})\b(?=.*\w)", re.I)
_OBJECT_END = re.compile(r"\s+(?:as|by|to\s+be|using|from|with|in\s+terms|through|we|one|you)\b|[:,;]|$", re.I)
# "That" opens a clause of its own after a verb of saying; after a noun it opens a relative clause, which stays with it.
_SEGMENT = re.compile(
    r",\s+|;\s+|:\s+"
    rf"|\s+(?:(?:{any_of('sentences.before_that')})\s+that|then|thus|hence|therefore|so)\s+",
    re.I,
)
_DETERMINERS = word_class("grammar.articles") | word_class("grammar.possessives")
_PREPOSITIONS = word_class("grammar.plain_prepositions")
_BARE_BEFORE = _PREPOSITIONS - {"as", "by", "of", "with"}
_QUALIFYING = word_class("phrases.object_prepositions") | {"of", "per"}
_STOPS = word_class("phrases.before_stops") | _DETERMINERS
_VERBS = frozenset(
    word
    for word in word_class("phrases.before_stops") - _PREPOSITIONS - word_class("phrases.also_nouns")
    if not word.endswith(("ing", "ed")) and word not in ("and", "or", "first", "per", "due", "no", "place", "be")
)
_EMPTY = word_class("sentences.empty_heads")
_VAGUE = word_class("sentences.plain_adjectives") | word_class("sentences.vague_adjectives")
_ONE_OF_MANY = word_class("sentences.one_of_many")
_LEADING = word_class("sentences.leading_to_a_rule")
_LAW_NOUNS = word_class("sentences.laws") | word_class("headings.law_like") - {"and", "between"}
_CONNECTIVES = word_class("sentences.connectives")
_WORD = re.compile(r"[^\W\d_][\w'’\-–]*")
_REMARK = re.compile(r"\s*\([^()]*\)")


def marked(content: Content) -> str:
    """The words of a content, with each formula in plain letters between marks."""
    parts = []
    for piece in content:
        match piece:
            case Text():
                parts.append(piece.text)
            case Math():
                parts.append(f"{_OPEN}{plain_math(piece)}{_CLOSE}")
            case Break():
                parts.append(" ")
    return tidy("".join(parts))


def unmarked(text: str) -> str:
    """The same for people to read."""
    return tidy(_SYMBOL.sub(r"\1", text))


def only_joins(text: str) -> bool:
    """Whether words before a formula say nothing but how it goes on from the one before: "and", "so that"."""
    return all(word.casefold() in _CONNECTIVES for word in _WORD.findall(_SYMBOL.sub(" ", text)))


def name_before(text: str, target: str = "") -> str:
    """The name that a marked sentence before a formula gives it; empty if none can be told."""
    sentence = without_citations(last_sentence(text))[-_LONGEST_SENTENCE:]
    # A comparison inside a sentence restricts what is spoken of.
    sentence = tidy(_SYMBOL.sub(lambda match: " " if re.search("[=<>≤≥≈]", match.group()) else match.group(), sentence))
    for found in _proposals(sentence, target):
        if is_name(found):
            return re.sub(r"^(?:the|an?)\s+", "", found, flags=re.I)
    return ""


def _proposals(sentence: str, target: str) -> Iterator[str]:
    """What the sentence may call the formula, the plainest saying first."""
    for match in _NAMING.finditer(sentence):
        yield _made(_ahead(sentence[match.end() :]), target)
    yield from _rules(sentence)
    yield beside_symbol(sentence, target)
    sentence = _REMARK.sub("", sentence)
    for subject in _subjects(sentence, target):
        # A sentence that has ended need not be about the formula.
        if says_something(subject) or not sentence.rstrip().endswith("."):
            yield subject
    last = _made(re.split(r",\s+|;\s+", sentence)[-1], target)
    if len(last.split()) <= _MOST_IN_A_LIST and says_something(last):
        yield last
    for match in _ACTING.finditer(sentence):
        rest = sentence[match.end() :]
        yield _made(rest[: _OBJECT_END.search(rest).start()], target)  # type: ignore[union-attr]
    if not _FINITE.search(sentence):
        whole = _made(_CLAUSE.sub("", _opened(sentence)), target)
        is_announced = sentence.rstrip().endswith(":")
        length = len(whole.split())
        if (is_announced and length > 1) or (says_something(whole) and length <= _MOST_UNANNOUNCED):
            yield whole


def beside_symbol(text: str, target: str) -> str:
    """The noun phrase around the symbol that a formula is written for: "the drag force F on a sphere"."""
    if not target:
        return ""
    for match in _SYMBOL.finditer(text):
        if same_symbol(match.group(1), target):
            noun = _noun_back(text[: match.start()])
            if is_name(noun) and len(noun.split()) <= _MOST_BESIDE:
                whole = f"{noun} {_qualified(text[match.end() :])}".strip()
                return whole if is_name(whole) else noun
    return ""


def _qualified(text: str) -> str:
    """What goes on behind a symbol with a preposition: "of a monopole source"."""
    words = text.split(maxsplit=1)
    if not words or words[0].casefold() not in _QUALIFYING:
        return ""
    ahead = _ahead(text)
    verb = _FINITE.search(ahead)
    found = _made(ahead[: verb.start()] if verb else ahead, "", is_opened=False)
    return re.sub(r"\s+\w+ed$", "", found)


def same_symbol(one: str, other: str) -> bool:
    """The same letters, whichever of them are written above and below."""
    return sorted(filter(str.isalnum, one)) == sorted(filter(str.isalnum, other))


def _noun_back(text: str) -> str:
    """The noun phrase that ends a text: back to an article, a verb, a preposition other than of."""
    text = re.sub(r"[\s,(]+$", "", text)
    words: list[str] = []
    for word in reversed(text.split()[-8:]):
        lower = word.casefold()
        is_of = lower in ("of", "the") and bool(words) and _goes_on(text, words)
        if not is_of and (lower in _STOPS or word[-1] in ",;:.)" or _CLOSE in word or lower.endswith("ly")):
            if lower in _BARE_BEFORE:
                # "due to sound", "at time": what stands behind without an article is no subject.
                return ""
            break
        words.insert(0, word)
    if words and words[-1].casefold() in _PREPOSITIONS:
        return ""
    while words and words[0].casefold() in ("of", "the", "terms"):
        words.pop(0)
    return " ".join(words)


def _goes_on(text: str, words: list[str]) -> bool:
    """Whether "of" or "of the" before these words joins them to a noun: "the length of the rod"."""
    before = text[: len(text) - len(" ".join(words))].split()
    return before[-1:] == ["of"] or before[-2:] == ["of", "the"]


def name_after(text: str) -> str:
    """The name that a marked sentence right after a formula gives it: "This is known as the Hall effect"."""
    sentence = without_citations(text[:_LONGEST_SENTENCE])
    opening = _AFTERWARDS.match(sentence)
    naming = _NAMING.match(sentence, opening.end()) if opening else None
    if naming is None:
        found = re.match(r"[\s,]*(?:also\s+)?(?=\w)", sentence)
        naming = _NAMING.match(sentence, found.end()) if found else None
    if naming is not None:
        name = _made(_ahead(sentence[naming.end() :]), "")
        return name if is_name(name) else ""
    if opening is None or not re.match(r"[\s,.;:]*(?:this|which)\b", sentence, re.I):
        return ""
    # "This is the continuity equation": only a rule is named without a word of naming.
    name = _made(_ahead(sentence[opening.end() :]), "")
    is_rule = len(name.split()) > 1 and name.split()[-1].casefold() in _LAW_NOUNS
    return name if is_rule and is_name(name) else ""


def _ahead(text: str) -> str:
    """The noun phrase that begins a text."""
    end = _END.search(text)
    return text[: end.start()] if end else text


def _rules(sentence: str) -> Iterator[str]:
    """Rules that the sentence names as what it leads to: "is described by the Kelvin equation"."""
    words = sentence.split()
    bare = [word.strip(",.;:()").replace(_OPEN, "").replace(_CLOSE, "") for word in words]
    for place in range(len(words) - 1, max(-1, len(words) - 9), -1):
        if bare[place].casefold() not in _LAW_NOUNS:
            continue
        start = place
        while (
            start
            and place - start < 5
            and bare[start - 1].casefold() not in _STOPS
            and words[start - 1][-1] not in ",;:"
        ):
            start -= 1
        name = " ".join(bare[start : place + 1])
        has_owner = any(word[:1].isupper() or word.endswith(("'s", "’s")) for word in bare[max(start, 1) : place])
        before = [word.casefold() for word in bare[max(0, start - 3) : start]]
        if has_owner and set(before) & _LEADING and place > start:
            yield _made(name, "")


def _subjects(sentence: str, target: str) -> Iterator[str]:
    """The subject of the last clause with a verb that leads to the formula."""
    segments = _SEGMENT.split(sentence)
    for place in range(len(segments) - 1, -1, -1):
        verb = _FINITE.search(segments[place])
        if verb is None:
            continue
        subject = segments[place][: verb.start()].strip()
        if verb.group("stating") and not LAW_LIKE.search(subject):
            return
        if _CONDITION.search(segments[place], verb.end()) or any(map(_CONDITION.search, segments[place + 1 :])):
            return
        if subject.casefold() in ("", "which", "it", "this", "they") and place:
            # What stands between commas says more of the subject before them.
            phrases = [one for one in reversed(segments[:place]) if _begins_a_phrase(one)]
            determined = [one for one in phrases if one.split()[0].casefold() in _DETERMINERS]
            earlier = next(iter((*determined, *phrases)), "")
            subject = earlier if not subject else _last_noun(earlier)
        yield _made(_after_circumstance(subject), target)
        return


def _begins_a_phrase(segment: str) -> bool:
    words = segment.split()
    return bool(words) and words[0].casefold() not in _PREPOSITIONS and not words[0].casefold().endswith(("ed", "ing"))


def _last_noun(segment: str) -> str:
    """What stands behind the last article: of "which depends on the reduced mass" the reduced mass."""
    words = segment.split()
    places = [place for place, word in enumerate(words) if word.casefold() in _DETERMINERS]
    return " ".join(words[places[-1] :]) if places else ""


def _after_circumstance(subject: str) -> str:
    """Without what comes before the noun: "from the gas law the volume" is about the volume."""
    words = subject.split()
    if not words or words[0].casefold() not in _PREPOSITIONS:
        return subject
    for place in range(len(words) - 1, 1, -1):
        if words[place].casefold() in _DETERMINERS and words[place - 1].casefold() not in _PREPOSITIONS:
            return " ".join(words[place:])
    return subject


def _without_own(text: str, target: str) -> str:
    """Without the formula's symbol behind a noun; behind a preposition it belongs to the phrase."""
    for match in _SYMBOL.finditer(text):
        before = text[: match.start()].split()
        if before and same_symbol(match.group(1), target) and before[-1].casefold() not in _PREPOSITIONS:
            return f"{text[: match.start()].rstrip(' ,')} {text[match.end() :]}"
    return text


def _opened(text: str) -> str:
    return _OPENERS.sub("", text.strip())


def _made(text: str, target: str, *, is_opened: bool = True) -> str:
    """A phrase without openers, remarks in brackets, closing words and the formula's own symbol."""
    text = _REMARK.sub("", text)
    if not re.search(r"[^\W\d_]{3}", _SYMBOL.sub(" ", text)):
        return ""
    if target:
        text = tidy(_without_own(text, target))
    text = _SYMBOL.sub(r"\1", _opened(text) if is_opened else text)
    return _CLOSERS.sub("", balanced(tidy(text))).strip(" ,.:;\"“”'‘*_")


def is_name(phrase: str) -> bool:
    """Whether a phrase is a noun phrase that can name a formula."""
    words = phrase.split()
    if not 3 <= len(phrase) <= _LONGEST_NAME or len(words) > _MOST_WORDS or _NOT_A_NAME.search(phrase):
        return False
    if all(len(word) < _SHORTEST_WORD or "_" in word or word.casefold() in _JOINING for word in words):
        # "R and θ" are symbols.
        return False
    head = next((place for place, word in enumerate(words) if word.casefold() in _PREPOSITIONS), len(words))
    if not head or is_useless(phrase) or any(word.casefold() in _VERBS for word in words):
        return False
    if words[-1].casefold() in _STOPS:
        return False
    if words[head - 1].casefold() not in _EMPTY:
        return True
    qualities = [word for word in words[: head - 1] if not _is_vague(word.casefold())]
    return words[head - 1].casefold() not in _ONE_OF_MANY and (bool(qualities) or words[head : head + 1] == ["of"])


def _is_vague(word: str) -> bool:
    """Whether an adjective tells nothing of what it stands before: "following", "new"."""
    return word in _VAGUE or word.endswith(("ing", "ed")) or word in _STOPS


def says_something(phrase: str) -> bool:
    """A phrase before a formula surely names it when it speaks of a quantity or of a law."""
    return bool(kinds_mentioned(phrase)) or names_rule(phrase)


def names_rule(phrase: str) -> bool:
    """Whether a name is that of a law, a model, an effect, and not of a quantity."""
    return _LAW.search(phrase) is not None or LAW_LIKE.search(phrase) is not None


def first_clause(text: str) -> str:
    """The name in a describing cell: "Yields the kinetic energy KE, measured in Joules" -> "kinetic energy KE"."""
    sentence = tidy(re.split(r"(?<=[a-z)])\.\s", text, maxsplit=1)[0])
    body = _opened(sentence)
    clause = _CLAUSE.sub("", body)
    clause = clause if len(clause) >= 3 else body
    head = re.split(r",\s", clause, maxsplit=1)[0]
    return clean_title((head if len(head) >= 3 else clause).strip(" ,.:;"))
