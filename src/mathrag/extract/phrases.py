"""Words around a formula made into names: noun phrases, useless titles, kinds that a phrase names. No formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from mathrag.knowledge.kinds import kinds_for_words
from mathrag.knowledge.spelling import normal_words
from mathrag.types.document import Break, Content, Math, Text
from mathrag.types.knowledge import QuantityKind

_LONGEST_NAME = 80
_MOST_WORDS = 9
# A phrase with a verb, a number or a clause in it is a sentence about a formula, not its name.
_NOT_A_NAME = re.compile(
    r"[=<>≈\d]|^\W|^(?:\w+ing|use|used|using|solve|enter|again|in|on|at|by|from|with|and|or|but|so|because|since|as|if|when|"
    r"once|after|before|for|to|first|second|next|consider|suppose|assume|take|plug|insert|note|see|now|thus|way|other|"
    r"these|those|both|each|all|our|your|their|its|his|her|not|only|can|rather|more|less|same|one|two|between|through)\b"
    r"|\b(?:does|do|did|not|we|you|they|it|that|which|who|because|except|gives|yields|becomes|says|tells|"
    r"shows|let|grows?|increases?|decreases?|depends?|varies|acts?|changes|determines?|means|reads|holds)\b|,",
    re.I,
)
# Titles that name no formula: parts of books, of problems and of tables.
_USELESS = frozenset(
    normal_words(title)
    for title in (
        "formula, formulas, formulae, equation, equations, key equations, definition, definitions, description, "
        "descriptions, quantity, quantities, introduction, overview, summary, section summary, chapter summary, "
        "concept items, conclusion, solution, strategy, discussion, example, examples, worked example, "
        "worked examples, exercise, exercises, problem, problems, practice problems, check your understanding, answer, "
        "answers, note, notes, remark, remarks, teacher support, teacher demonstration, hint, tip, tips, tips for "
        "success, references, bibliography, appendix, appendices, contents, table of contents, background, theory, "
        "method, methods, results, result, proof, derivation, derivations, symbol, symbols, nomenclature, notation, "
        "variables, constants, units, unit, main, general, basics, other, misc, miscellaneous, abstract, key terms, "
        "key concepts, glossary, review, quiz, homework, warm up, links to physics, snap lab, virtual physics, fun in "
        "physics, work in physics, watch physics, boundless physics, grasp check, performance task, multiple choice, "
        "short answer, extended response, critical thinking items, test prep, chapter review, section key terms, "
        "section learning objectives, general form, general, expression, law, laws, rule, rules, relation, relations, "
        "useful formulas, important formulas, formula sheet, cheat sheet, value, values, name, term, statement, where"
    ).split(", ")
)
_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|part|appendix|table|figure|eq(?:uation)?\.?)\s+[\dIVXA-Z]{1,4}(?:[.\-]\d+)*[.:)]?\s+"
    r"|(?:\d+(?:\.\d+)*|[IVX]+)[.:)]\s+|\d+\.\d+(?:\.\d+)*\s+)",
    re.I,
)
_PART_OF_A_BOOK = re.compile(
    r"(?:solution|strategy|discussion|example|exercise|problem|question|test prep|practice|teacher|section|chapter|"
    r"part|answer|step|case|figure|table|given|note|tip|hint|proof|remark|check|grasp|snap|virtual|watch|fun|link|"
    r"work in|boundless|misconception|learning)\b(?!.*\b(?:law|theorem|equation|effect|energy|of)\b)"
)
# `text/plain`, `numpy.dot`, `my_file.md`: what programs call things is no name that people ask by.
_CODE = re.compile(r"`?[a-z0-9_-]+(?:[/.:]+[a-z0-9_-]+)+(?:\(\))?`?")
_STARS = re.compile(r"[★☆*•●▪►→✓✔\-–—\s]*(?=\S)")
_LATEX_COMMAND = re.compile(r"\\(?:mathrm|mathbf|mathit|text|textbf|vec|hat|bar|ce|displaystyle|left|right)\b\s*")
_INFINITE = re.compile(r"\\inf(?:ty|in)\b")
_NAMED_COMMAND = re.compile(r"\\([A-Za-z]+)\s*")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[^\W\d_][\w'’\-]*")
_OPENERS = re.compile(
    r"^(?:(?:this|that|which|it|and|so|thus|hence|therefore|here|now|then|also|we|you|let us|recall|note that|finally|"
    r"similarly|in general|in this case|in other words|for example|another|an alternate|an alternative|alternate|the "
    r"following|yields?|gives?|is|are|has|have|can be|may be|get|obtain|find|know|write|express(?:ed)?|an?|the|basic|"
    r"simple|more|general|specific|"
    r"formula|equation|expression|relation(?:ship)?|definition|derivation|form|version|rule|law|for|of|to|"
    r"(?:mathematical )?formula for|equation for|calculate|calculating|compute|computing|determine|determining|"
    r"finding|how to)\s+)+",
    re.I,
)
_CLOSERS = re.compile(
    r"(?:\s*(?:[,;:.(\[–—-]|\b(?:is|are|was|can be|may be|must be|could be|will be|has|have|equals?|as|by|be|given|"
    r"defined|written|expressed|calculated|computed|found|obtained|determined|described|using|from|with|where|when|"
    r"which|that|in terms of|follows|the following|measured|such|so|then|the|an?|we|this|following|formula|equation|"
    r"relationship|expression|to|of|in|for|and)\b))+\s*$",
    re.I,
)
_CLAUSE = re.compile(
    r"\s*(?:[;:]|,?\s+\b(?:where|which|that is|measured|such that|so that|because|since|if|when|is|are|was|were|equals|"
    r"can|may|must|will|has|have|gives|yields|using|we|depends|states|says|relates|describes|tells|becomes|shows)\b).*$",
    re.I | re.S,
)


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


@lru_cache(maxsize=8192)
def kinds_named(text: str) -> tuple[tuple[QuantityKind, int], ...]:
    """The kinds whose name or synonym occurs in a phrase, the longest names first, none inside a longer one."""
    words = normal_words(re.sub(r"[^\w\s'’\-]", " ", text)).split()
    taken = [False] * len(words)
    found: dict[str, tuple[QuantityKind, int]] = {}
    for length in range(min(6, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            if any(taken[start : start + length]):
                continue
            phrase = " ".join(words[start : start + length])
            if length == 1 and len(phrase) < 3:
                continue
            matches = kinds_for_words(phrase)
            if matches:
                taken[start : start + length] = [True] * length
                for match in matches:
                    found.setdefault(match.id, (match, length))
    return tuple(found.values())


def head_of(name: str) -> str:
    """A name without what is said about it: "viscosity function" of "viscosity function of a power law fluid"."""
    return re.split(r"\s(?:of|for|in|on|at|by|with|from|due|per|to)\s|[(,]", name, maxsplit=1)[0]


def head_kinds(name: str) -> list[QuantityKind]:
    """The kinds that a name is about: those its head noun names, not those it only mentions.

    "Speed distribution of a gas" is about a distribution, "average speed of a gas" about a speed.
    """
    words = normal_words(head_of(name)).split()
    for start in range(max(0, len(words) - 5), len(words)):
        found = kinds_for_words(" ".join(words[start:]))
        if found:
            return list(found)
    return []


def content_words(text: str) -> Iterator[str]:
    """The words of a text that carry meaning, lower case, in order."""
    for match in _WORD.finditer(text):
        word = match.group().casefold().removesuffix("'s").removesuffix("’s")
        if len(word) > 2 and word not in _STOP:
            yield word


# Names of rules, not of what they give.
LAW_LIKE = re.compile(
    r"\b(?:laws?|equations?|theorems?|principles?|rules?|relations?|relationships?|conservation|formulas?|models?|"
    r"approximation|transformations?|definition|derivation|balance|condition|linearization|superposition|and|between|"
    r"process|effect)\b",
    re.I,
)
_STOP = frozenset(
    "the and for with from that this which are was were has have its into than then when where what how can may not "
    "per one two all any each both same other some such also over under between within given using used use called "
    "equation equations formula formulas following because about there their these those will would should must".split()
)
