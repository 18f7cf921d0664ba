"""Words around a formula made into its name: titles cleaned or found useless, the subject of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mathrag.knowledge.kinds import kinds_for_words
from mathrag.knowledge.spelling import normal_words
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.document import Break, Content, Math, Text

# Names of rules, not of what they give.
LAW_LIKE = re.compile(rf"\b(?:{any_of('headings.law_like')})\b", re.I)
_STOP = word_class("grammar.keyword_stop_words")
_LONGEST_NAME = 80
_MOST_WORDS = 9
# A phrase with a verb, a number or a clause in it is a sentence about a formula, not its name.
_NOT_A_NAME = re.compile(
    rf"[=<>≈\d]|^\W|^(?:\w+ing|{any_of('sentences.not_at_the_start')})\b|\b(?:{any_of('sentences.not_inside')})\b|,",
    re.I,
)
_USELESS = frozenset(normal_words(title) for title in word_class("headings.useless_titles"))
_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|part|appendix|table|figure|eq(?:uation)?\.?)\s+[\dIVXA-Z]{1,4}(?:[.\-]\d+)*[.:)]?\s+"
    r"|(?:\d+(?:\.\d+)*|[IVX]+)[.:)]\s+|\d+\.\d+(?:\.\d+)*\s+)",
    re.I,
)
_PART_OF_A_BOOK = re.compile(
    rf"(?:{any_of('headings.parts_of_a_book')})\b(?!.*\b(?:{any_of('headings.named_parts')})\b)"
)
# `text/plain`, `numpy.dot`, `my_file.md`: what programs call things is no name that people ask by.
_CODE = re.compile(r"`?[a-z0-9_-]+(?:[/.:]+[a-z0-9_-]+)+(?:\(\))?`?")
_STARS = re.compile(r"[★☆*•●▪►→✓✔\-–—\s]*(?=\S)")
_LATEX_COMMAND = re.compile(r"\\(?:mathrm|mathbf|mathit|text|textbf|vec|hat|bar|ce|displaystyle|left|right)\b\s*")
_INFINITE = re.compile(r"\\inf(?:ty|in)\b")
_NAMED_COMMAND = re.compile(r"\\([A-Za-z]+)\s*")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[^\W\d_][\w'’\-]*")
_OPENERS = re.compile(rf"^(?:(?:{any_of('sentences.openers')})\s+)+", re.I)
_CLOSERS = re.compile(rf"(?:\s*(?:[,;:.(\[–—-]|\b(?:{any_of('sentences.closers')})\b))+\s*$", re.I)
_CLAUSE = re.compile(rf"\s*(?:[;:]|,?\s+\b(?:{any_of('sentences.clauses')})\b).*$", re.I | re.S)


def words_of(content: Content) -> str:
    """A content as one line of words: formulas as the letters a person would say, breaks as blanks."""
    parts = []
    for piece in content:
        match piece:
            case Text():
                parts.append(piece.text)
            case Math():
                parts.append(_spoken(piece))
            case Break():
                parts.append(" ")
    return tidy("".join(parts))


def _spoken(math: Math) -> str:
    if math.notation == "mathml":
        return _SPACE.sub(" ", re.sub(r"<[^>]*>", "", math.source))[:80]
    text = _LATEX_COMMAND.sub("", _INFINITE.sub("infinite ", math.source))
    text = _NAMED_COMMAND.sub(r"\1 ", text)
    return re.sub(r"[{}$\\]", "", text).strip()


def tidy(text: str) -> str:
    """One line, single blanks, nothing at the ends."""
    return _SPACE.sub(" ", text).strip()


def clean_title(text: str) -> str:
    """A heading or a cell without numbering, stars and closing punctuation."""
    text = tidy(text)
    text = text[_STARS.match(text).end() :] if (_STARS.match(text) and text) else text  # type: ignore[union-attr]
    text = _NUMBERING.sub("", text)
    return text.rstrip(" .:;,–—-").strip()


def is_useless(title: str) -> bool:
    """Whether a title names no formula: empty, a part of a book, only a number or a symbol, a name of a file."""
    if _CODE.fullmatch(title.strip()):
        return True
    words = normal_words(clean_title(title))
    if len(words) == 2 and kinds_for_words(words):
        return False
    if len(words) < 3 or words in _USELESS or _PART_OF_A_BOOK.match(words):
        return True
    # A name has words; symbols and numbers are a formula's.
    return not any(len(word) > 2 for word in _WORD.findall(words))


def name_from_sentence(text: str) -> str:
    """The noun phrase that a sentence before a formula is about; empty if none can be told.

    "The kinetic energy of a body is given by" -> "kinetic energy of a body".
    """
    sentence = tidy(last_sentence(text))
    found = _subject(sentence)
    if not 3 <= len(found) <= _LONGEST_NAME or len(found.split()) > _MOST_WORDS or _NOT_A_NAME.search(found):
        return ""
    return found


def _subject(sentence: str) -> str:
    body = _OPENERS.sub("", sentence)
    main = _CLAUSE.sub("", body)
    if len(main) < 3:
        main = body
    return _CLOSERS.sub("", main).strip(" ,.:;")


def first_clause(text: str) -> str:
    """The name in a describing cell: "Yields the kinetic energy KE, measured in Joules" -> "kinetic energy KE"."""
    sentence = tidy(re.split(r"(?<=[a-z)])\.\s", text, maxsplit=1)[0])
    body = _OPENERS.sub("", sentence)
    clause = _CLAUSE.sub("", body)
    clause = clause if len(clause) >= 3 else body
    head = re.split(r",\s", clause, maxsplit=1)[0]
    return (head if len(head) >= 3 else clause).strip(" ,.:;")


def last_sentence(text: str) -> str:
    """What stands after the last full stop."""
    parts = re.split(r"(?<=[\w)”\"])[.!?]\s+(?=[A-Z])", text.strip())
    return parts[-1] if parts else ""


def content_words(text: str) -> Iterator[str]:
    """The words of a text that carry meaning, lower case, in order."""
    # Not by the tokeniser: what a hyphen joins to a single letter (n-p, i-j) is a word that people search for.
    for match in _WORD.finditer(text):
        word = match.group().casefold().removesuffix("'s").removesuffix("’s")
        if len(word) > 2 and word not in _STOP:
            yield word
