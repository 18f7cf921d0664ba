"""What a question wants: a number, a constant, an explanation or a chat. Looks at the form, not at the library."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mathrag.knowledge.constants import constants_for_symbol, constants_for_words
from mathrag.language.quantities import Mention
from mathrag.language.tokens import Token
from mathrag.language.word_classes import word_class
from mathrag.reason.question.asked_unit import AskedUnit
from mathrag.types.question import Given, Intent, Target

_ARTICLES = word_class("grammar.determiners")
_ASKING_VERBS = word_class("questions.asking_verbs")
_STOP_WORDS = word_class("questions.stop_words")
_TOPIC_NOUNS = word_class("questions.topic_nouns")

_GREETING = re.compile(
    r"^\W*(?:hi+|hello+|hey+|hiya|howdy|greetings|yo|good (?:morning|afternoon|evening|night|day)|welcome|bye|goodbye|"
    r"see you|cheers|thanks?|thank you|thx|ty|many thanks|ok(?:ay)?|cool|great|nice|awesome|perfect|wonderful|sorry|"
    r"please|yes|no|sure|lol|haha+|congratulations|never mind|nevermind)\b",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"\b(?:how are you|how(?:'s| is) it going|what(?:'s| is) up|nice to meet|who are you|what are you|"
    r"are you (?:a|an|there|real|human|able)|your name|what can you do|"
    r"can you help|(?:can|do|could) you help|help me with|things can you|"
    r"you able to|thank you|thanks|tell me a (?:joke|story)|a joke|a poem|a song|a story|the weather|who made you|"
    r"who (?:is|was|won)|how old are you|do you (?:like|know|think|have|speak|want)|"
    r"i(?:'m| am) (?:bored|sad|happy|tired|fine)|"
    r"have a (?:nice|good)|what should i (?:eat|cook|wear|watch|read)|recommend|favou?rite|movie|recipe|good ?bye|"
    r"capital of|president|translate|write (?:me )?an? (?:poem|essay|letter|email|story|song|code))\b",
    re.IGNORECASE,
)
_EXPLAIN = re.compile(
    r"\b(?:why|explain|explanation|describe|define|definition of|meaning of|what does [\w' -]{1,60} mean|what is meant|"
    r"means?\b[\w ]{0,20}\?|difference between|differ(?:s|ence)? (?:from|between)|distinguish|compare|"
    r"in (?:plain|simple|your own) words|"
    r"how (?:do|does|did) [\w' -]{1,60} (?:work|happen|form|function|arise|behave|affect)|what causes|what happens|"
    r"tell me (?:about|more)|what(?:'s| is) the (?:idea|point|reason|intuition|concept|physics|chemistry) |"
    r"derive|derivation|"
    r"prove|what are the units|what kind of|summari[sz]e|teach me|"
    r"who (?:discovered|invented))\b",
    re.IGNORECASE,
)
_ARITHMETIC = re.compile(
    r"[0-9)]\s*(?:[-+*/^×÷%]|mod\b|plus\b|times\b|minus\b|divided\b|squared\b|cubed\b)\s*[0-9(]?|\bsqrt\b|√"
)
_QUANTIFIED = re.compile(
    r"\bhow (?:much|many|fast|far|long|heavy|hot|high|deep|big|large|strong|hard|tall|wide|cold|warm)\b", re.IGNORECASE
)
_HOW_TO = re.compile(r"\bhow (?:do|can|would|should|to)\b", re.IGNORECASE)
_COMPUTING = re.compile(
    r"\b(?:calculate|compute|determine|find|work out|evaluate|estimate|solve|convert|get)\b", re.IGNORECASE
)
_BARE_WHAT = re.compile(
    r"^\W*(?:so |and |ok |hey )?what(?:'s|s| is| are)\s+(?:an? )?(?P<rest>[^?]{1,80})\??\W*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What has been read so far."""

    text: str
    tokens: Sequence[Token]
    mentions: Sequence[Mention]
    givens: Sequence[Given]
    targets: Sequence[Target]
    unit: AskedUnit | None
    has_formula: bool
    topics: tuple[str, ...]
    language: str = "en"


def read_intent(evidence: Evidence) -> Intent:
    """Numbers with something asked mean computing; without numbers the form decides."""
    text = evidence.text[:4000]
    if not any(token.kind in ("word", "value", "symbol") for token in evidence.tokens):
        return "ambiguous"
    if evidence.language != "en":
        # Only the numbers can be trusted before a translation.
        return "compute" if re.search("[0-9]", text) else "ambiguous"
    valued = any(not given.implied for given in evidence.givens)
    asked = any(target.kinds or target.symbol for target in evidence.targets)
    cued = any(target.asked_by for target in evidence.targets)
    explains = _EXPLAIN.search(text) is not None
    if valued:
        return _with_values(evidence, text, asked=asked or cued, explains=explains)
    if _ARITHMETIC.search(text) and re.search("[0-9]", text):
        return "compute"
    if explains and not _COMPUTING.search(text):
        return "explain"
    if is_constant(evidence):
        return "constant"
    if _SMALL_TALK.search(text) and not _QUANTIFIED.search(text.replace("how old are", "")):
        return "chat"
    if _GREETING.match(text) and not asked:
        return "chat"
    if asked:
        return _without_values(evidence, text)
    return _about_nothing_known(evidence, text)


def _with_values(evidence: Evidence, text: str, *, asked: bool, explains: bool) -> Intent:
    if explains and not _QUANTIFIED.search(text) and not _COMPUTING.search(text):
        first = re.match(
            r"^\W*(?:why|explain|describe|define|(?:can|could|would) you (?:please )?(?:explain|describe))\b",
            text,
            re.IGNORECASE,
        )
        if first:
            return "explain"
    if asked or evidence.unit is not None or evidence.has_formula or _ARITHMETIC.search(text):
        return "compute"
    if _SMALL_TALK.search(text) or _GREETING.match(text):
        return "chat"
    words = [token for token in evidence.tokens if token.kind == "word" and token.lower not in _STOP_WORDS]
    return "compute" if words or "?" in text else "ambiguous"


def _without_values(evidence: Evidence, text: str) -> Intent:
    """`What is entropy?` wants words; `What is the impedance of my coil?` wants a number that lacks its values."""
    bare = _BARE_WHAT.match(text)
    if bare and not re.search(r"\b(?:of|for|in|at|when|if|the|my|its)\b", bare.group("rest"), re.IGNORECASE):
        return "explain"
    if _QUANTIFIED.search(text) or _COMPUTING.search(text) or evidence.unit is not None:
        return "compute"
    if _HOW_TO.search(text):
        return "explain"
    words = [token for token in evidence.tokens if token.kind == "word"]
    if any(target.asked_by for target in evidence.targets):
        specific = any(
            token.lower in ("of", "for", "if", "when", "its", "this", "my", "at", "does", "do") for token in words
        )
        return "compute" if specific else "ambiguous"
    return "ambiguous"


def _about_nothing_known(evidence: Evidence, text: str) -> Intent:
    if evidence.topics:
        return "explain"
    if _QUANTIFIED.search(text) and evidence.unit is not None:
        return "compute"
    words = [token.lower for token in evidence.tokens if token.kind == "word"]
    if _BARE_WHAT.match(text):
        return "explain"
    if _COMPUTING.search(text) and len(words) > 1:
        return "ambiguous"
    if any(word in ("what", "how", "why", "which", "where", "when") for word in words) or "?" in text:
        return "explain" if len(words) > 3 else "ambiguous"
    return "chat" if len(words) > 0 and not evidence.has_formula else "ambiguous"


def is_constant(evidence: Evidence) -> bool:
    """Whether what is asked names a constant, and nothing else is given."""
    for target in evidence.targets[:2]:
        words = re.sub(r"^(?:numerical |exact |accepted )?value of (?:the )?", "", target.phrase).split()
        name = " ".join(words)
        if name and constants_for_words(name):
            return True
        if re.search(r"\bvalue of\b", evidence.text) and len(words) <= 2 and words and constants_for_symbol(words[-1]):
            return True
    phrase = " ".join(
        token.normal for token in evidence.tokens if token.kind == "word" and token.lower not in _ARTICLES
    )
    return bool(constants_for_words(phrase))


# Whether a question is plainly not English, by its letters and small words. Names no language.

# Small words of other languages that are no English words.
_FOREIGN = word_class("questions.foreign")
_ENGLISH = word_class("questions.english")
_LAST_LATIN = "\u02af"


def read_language(tokens: Sequence[Token]) -> Literal["en", "other"]:
    """`other` where most letters are not Latin or Greek symbols, or foreign small words outnumber English ones."""
    words = [token for token in tokens[:400] if token.kind == "word"]
    long = [token.text for token in words if len(token.text) > 1]
    letters = [letter for text in long for letter in text]
    if len(letters) >= 2:
        foreign_script = sum(letter > _LAST_LATIN for letter in letters)
        if foreign_script > len(letters) / 2 and any(len(text) >= 3 or ord(text[0]) > 0x2E80 for text in long):
            return "other"
    foreign = sum(1 for token in words if token.lower in _FOREIGN)
    native = sum(1 for token in words if token.lower in _ENGLISH and token.lower not in _FOREIGN)
    # Two small words may belong to a name (van der Waals); a sentence has more.
    return "other" if foreign >= 3 and foreign > native else "en"


# Laws, effects and equations that a question names ("Bragg's law", "the Nernst equation"). Looks nothing up.

MAXIMAL_TOPICS = 6
_LONGEST = 5
_BARE = word_class("questions.bare_topics")
_LINKS = frozenset({"of", "for"})


def read_topics(text: str, tokens: Sequence[Token]) -> tuple[str, ...]:
    """Noun phrases that end in law, equation, effect and the like, or follow it with "of" or "for"."""
    found: dict[str, None] = {}
    for index, token in enumerate(tokens):
        if token.kind != "word" or token.normal not in _TOPIC_NOUNS:
            continue
        start = index
        while start > 0 and index - start < _LONGEST and _qualifies(tokens[start - 1], tokens[start - 2 : start - 1]):
            start -= 1
        end = index + 1
        if end + 1 < len(tokens) and tokens[end].lower in _LINKS:
            end = _owner_end(tokens, end + 1)
        if start == index and end == index + 1:
            continue
        found[" ".join(text[tokens[start].start : tokens[end - 1].end].split())] = None
    for index, token in enumerate(tokens):
        if _is_named_pair(tokens, index):
            found[token.text + text[token.end : tokens[index + 2].end]] = None
    return tuple(found)[:MAXIMAL_TOPICS]


def _qualifies(token: Token, before: Sequence[Token]) -> bool:
    if token.kind == "mark":
        return token.text in "-–" and bool(before) and before[0].kind == "word"
    if token.kind != "word" or token.lower in _BARE or token.lower in _ASKING_VERBS:
        return False
    return token.lower not in _STOP_WORDS or (token.lower == "of" and bool(before) and before[0].kind == "word")


def _owner_end(tokens: Sequence[Token], start: int) -> int:
    end = start
    while end < len(tokens) and end - start < _LONGEST:
        token = tokens[end]
        if token.kind != "word" or (token.lower in _STOP_WORDS and token.lower not in _ARTICLES):
            break
        end += 1
    return end


def _is_named_pair(tokens: Sequence[Token], index: int) -> bool:
    """`Stefan–Boltzmann`, `Clausius-Clapeyron`: two names joined by a dash."""
    if index + 2 >= len(tokens) or tokens[index + 1].text not in "-–":
        return False
    first, second = tokens[index], tokens[index + 2]
    if first.kind != "word" or second.kind != "word" or first.end != tokens[index + 1].start:
        return False
    return all(len(item.text) > 3 and item.text[0].isupper() and item.text[1:].islower() for item in (first, second))
