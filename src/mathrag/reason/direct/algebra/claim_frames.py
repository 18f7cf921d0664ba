"""What stands around a statement that is written as a formula, taken off: who said it, how its truth is asked for.

`A friend wrote √(a+b) = √a + √b, is that ok?` becomes `is it true that √(a+b) = √a + √b?`, which every reader of
statements knows. Knows no mathematics: what is left of a text is judged by those who read it. A text whose words are
not all known here keeps them, and is read or left alone as it stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.language.word_classes import any_of
from mathrag.reason.direct.question_text import tidy

_LONGEST = 400
_MOST_PARTS = 6
_MOST_ENDS = 24
_ENDS = re.compile(r"[?.!…;:,]")
_RELATION = re.compile(r"[=<>≤≥≠≡≈]|\\(?:leq?|geq?|neq?|equiv)\b")
# The commands of LaTeX that only set spaces and sizes.
_LAYOUT = re.compile(
    r"(?<!\\)\\(?:[,;:! ]|q?quad(?![A-Za-z])|(?:left|right)(?![A-Za-z])\.?|(?:big|Big|bigg|Bigg)[lr]?(?![A-Za-z]))"
)
_TEXT = re.compile(r"\\(?:text|textrm|textit|mbox) ?\{([^{}]*)\}")
_MARKS = re.compile(r"\$+|\\[()\[\]]|\\displaystyle|`")
_EQUALITY = any_of("algebra.equals")
_EQUAL_WORDS = re.compile(
    rf"\b(?P<adverb>(?:(?:{any_of('claim_frames.equal_adverbs')}) )*)(?P<equal>{_EQUALITY}|the same thing as)\b",
    re.IGNORECASE,
)
_NOT_EQUAL = re.compile(
    rf"why (?:is|are|does|do|isn['’]?t|doesn['’]?t|aren['’]?t)(?P<left>.+?)"
    rf"(?P<not> (?:not|never))? (?:(?:{any_of('claim_frames.equal_adverbs')}) )*(?P<equal>{_EQUALITY}|=) (?P<right>.+)",
    re.IGNORECASE,
)

_DEGREES = rf"(?:(?:{any_of('claim_frames.degrees')}) )*"
_ANYHOW = rf"(?:(?:{any_of('claim_frames.degrees')}|{any_of('claim_frames.ever')}) )*"
_VERDICT = rf"(?:{any_of('claim_frames.verdicts')})(?: or (?:not|no|false|wrong|incorrect|true|right|correct))?"
_SUBJECT = any_of("claim_frames.subjects")
_HOLDS = any_of("claim_frames.holding")
_OF_IT = (
    rf"(?:(?:is|isn['’]?t|are|am|was|would) (?:{_SUBJECT})(?: be)? {_ANYHOW}(?:{_VERDICT})"
    rf"|(?:{_SUBJECT}) (?:is|are|am) {_ANYHOW}(?:{_VERDICT})"
    rf"|(?:does|do|will|doesn['’]?t|can|could) (?:{_SUBJECT}) {_ANYHOW}(?:{_HOLDS})"
    rf"|{_ANYHOW}(?:{_HOLDS})|{_ANYHOW}(?:{_VERDICT})|{any_of('claim_frames.asking_behind')})"
)
_WHEN = (
    rf"(?:when|where|under (?:which|what) conditions?|for (?:which|what)(?: values| numbers)?|in (?:which|what) cases?)"
    rf" (?:is|are|does|do|would) (?:{_SUBJECT}) (?:{_ANYHOW}(?:{_VERDICT}|{_HOLDS}))"
)
_APART = r"[ ,;:.?…]*(?:[ ][-–—]+[ ]?|[–—][ ]?)?\(?"
_BEHIND = re.compile(
    rf"(?:^|(?<=[^A-Za-z0-9\\])|(?<=[?.!)])){_APART}(?P<asked>{_OF_IT}|{_WHEN})[ ?!.…]*\)?[ ?!.…]*$", re.IGNORECASE
)
_ASIDE = re.compile(
    rf"(?:(?<=[?.!,;:)])|[ ]){_APART}(?:{any_of('claim_frames.asides')})[ ?!.…]*\)?[ ?!.…]*$", re.IGNORECASE
)
_TOLD = re.compile(
    rf"(?:(?:but|so|hi|hello|hey|ok|well|hmm|um|and)[ ,:]+)*(?:{any_of('claim_frames.tellers')}) "
    rf"(?:just |once |always |often )?(?:{any_of('claim_frames.tells')})(?: that| down| in class| on the board)*[ :,]+",
    re.IGNORECASE,
)
_OPENER = re.compile(
    rf"(?:(?:please|pls|hi|hello|hey|so|ok|hmm|well|kindly)[ ,:!]+)*(?:(?:can|could|would|will) you (?:please )?)?"
    rf"(?:{any_of('claim_frames.openers')})(?: please| for me| that| if| whether)*(?:[ ]*[:,.?–—-]+[ ]*|[ ]+)",
    re.IGNORECASE,
)
# A verdict in the middle, before the numbers that it shall hold for.
_BETWEEN = re.compile(
    rf"[ ,;:]+(?:(?:is|does) (?:{_SUBJECT}) )?{_ANYHOW}(?:{_VERDICT}|{_HOLDS})(?P<also> (?:too|also|even|still))?"
    r"(?= (?:for|when|if|where|with|whenever|provided|as long as|even) )",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\b(?:for|when|if|where|with|whenever|provided|given|assuming)\b", re.IGNORECASE)
_EXISTENCE = re.compile(rf"(?:{any_of('claim_frames.existence')})[ ,:]+", re.IGNORECASE)
_VERB = re.compile(rf"(?:{any_of('claim_frames.verbs')}) (?=\S)", re.IGNORECASE)
_EVER = re.compile(rf"\b(?:{any_of('claim_frames.ever')})\b|^(?:{_WHEN})", re.IGNORECASE)
# Conditions behind without a word before them.
_ONE_LETTER = r"[A-Za-zα-ω](?:_?[0-9])?"
_CONDITION = (
    rf"{_ONE_LETTER}(?: ?(?:,|and|&) ?{_ONE_LETTER})* ?(?:<=|>=|!=|[<>≤≥≠]|\\(?:leq?|geq?|neq?)\b) ?[^=<>,;()]{{1,20}}"
)
_BARE_CONDITION = re.compile(rf"(?:[,;] ?| \()(?P<said>{_CONDITION}(?:(?:, | and ){_CONDITION})?)\)?$")
_BARE_KIND = re.compile(
    rf" ?\((?:for )?(?P<said>(?:all |both )?(?:{any_of('algebra.sign_words')}|real|integer|whole|natural)"
    r"(?: (?:numbers?|reals|integers|values|[A-Za-z](?:(?:, ?| and )[A-Za-z])*))?)\)$",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    rf"(?P<name>\b[A-Za-zα-ω]),? (?:{any_of('claim_frames.exceptions')}) (?:(?P=name) ?= ?)?"
    r"(?P<value>[-−]?[0-9/.]+|zero|one)$",
    re.IGNORECASE,
)
_NUMBERS = {"zero": "0", "one": "1"}
_SETS = {"R": "real", "ℝ": "real", "N": "natural", "ℕ": "natural", "Z": "integer", "ℤ": "integer"}
_MEMBER = re.compile(
    r"(?:\bfor )?(?:all |every |any |each )?(?P<names>[A-Za-zα-ω](?: ?, ?[A-Za-zα-ω])*) ?(?:∈|\\in\b|\bin\b) ?"
    r"(?:\\mathbb ?\{? ?)?(?P<set>[RNZℝℕℤ])\b(?: ?\})?$"
)
# The sign of a factorial stays.
_CLOSING = re.compile(r"(?:[ ?.,;:]|(?<=[ ?!])!)+$")
_DASH = re.compile(r"[ ,;:.]+[-–—]+[ ]*$")


@dataclass(frozen=True, slots=True)
class Framed:
    """A text with its frame in the usual words. `asks_ever`: whether it asks if, or when, it is true at all."""

    text: str
    asks_ever: bool = False


def without_teller(text: str) -> str:
    """A text without who is said to have said it."""
    told = _TOLD.match(text)
    return text if told is None or told.end() == len(text) else text[told.end() :]


def reframed(text: str) -> Framed:
    """The text as `is it true that …`, where a frame was taken off; as it is where there was none."""
    # Long runs of signs would be tried from each of their places.
    if len(text) > _LONGEST or len(_ENDS.findall(text)) > _MOST_ENDS:
        return Framed(text)
    laid = " ".join(_LAYOUT.sub(" ", _TEXT.sub(r" \1 ", tidy(text))).split())
    if not _RELATION.search(laid) and not _EQUAL_WORDS.search(laid):
        return Framed(text)
    body, asks_ever, is_framed = _without_frame(_MARKS.sub(" ", laid))
    body, is_limited = _with_limits(body)
    if not _RELATION.search(body) and not _EQUAL_WORDS.search(body):
        return Framed(text)
    body = _EQUAL_WORDS.sub(lambda found: found["equal"].replace("thing ", ""), body) if is_framed else body
    if not is_framed:
        return Framed(body + "?" if is_limited else (laid if laid != tidy(text) else text))
    return Framed(f"is it true that {' '.join(body.split()).strip(' ,;:')}?", asks_ever)


def _without_frame(laid: str) -> tuple[str, bool, bool]:
    """The middle of a text; whether it is asked if it is true at all; and whether anything was around it."""
    body, asks_ever, is_framed = laid.strip(), False, False
    denied = _NOT_EQUAL.fullmatch(_CLOSING.sub("", body))
    if denied is not None and (denied["not"] or "n" in body[4:12].lower().split(" ")[0]):
        return f"{denied['left'].strip()} = {denied['right'].strip()}", False, True
    for _ in range(_MOST_PARTS):
        before = body
        told = _TOLD.match(body) or _OPENER.match(body)
        if told is not None:
            body, is_framed = body[told.end() :], True
        anywhere = _EXISTENCE.match(body)
        if anywhere is not None and _RELATION.search(body):
            body, is_framed, asks_ever = body[anywhere.end() :], True, True
        aside = _ASIDE.search(body)
        if aside is not None and _is_statement(body[: aside.start()]):
            body = body[: aside.start() + 1].rstrip(" ,;:.(")
        behind = _BEHIND.search(body)
        if behind is not None and _is_statement(body[: behind.start()]):
            asks_ever = asks_ever or _EVER.search(behind["asked"]) is not None
            body, is_framed = _DASH.sub("", body[: behind.start()]).rstrip(" ,;:.?("), True
        if body == before:
            break
    between = _BETWEEN.search(body)
    if between is not None and _is_statement(body[: between.start()]):
        asks_ever = asks_ever or _EVER.search(between[0]) is not None
        body, is_framed = f"{body[: between.start()]}{body[between.end() :]}".replace(" even for ", " for "), True
    verb = _VERB.match(body)
    if verb is not None:
        body, is_framed = body[verb.end() :], True
    return body, asks_ever, is_framed


def _is_statement(text: str) -> bool:
    """Whether a relation stands in it, with something behind its sign."""
    found = _RELATION.search(text) or _EQUAL_WORDS.search(text)
    return found is not None and bool(text[found.end() :].strip(" ?.!,"))


def _with_limits(body: str) -> tuple[str, bool]:
    """Conditions that stand behind without `for`, with it."""
    body = _CLOSING.sub("", body)
    found = _BARE_CONDITION.search(body)
    if found is not None and _is_statement(body[: found.start()]):
        # Behind a clause it is one more part of that.
        before = body[: found.start()].rstrip(" ,")
        return (body, False) if _CLAUSE.search(before) else (f"{before} for {found['said']}", True)
    kind = _BARE_KIND.search(body)
    if kind is not None and _is_statement(body[: kind.start()]):
        return f"{body[: kind.start()]} for {kind['said']}", True
    excepted = _EXCEPT.search(body)
    if excepted is not None and _is_statement(body[: excepted.start()]):
        value = _NUMBERS.get(excepted["value"].lower(), excepted["value"])
        return f"{body[: excepted.start()]}{excepted['name']} != {value}", True
    member = _MEMBER.search(body)
    if member is not None and _is_statement(body[: member.start()]):
        return f"{body[: member.start()].rstrip(' ,')} for {_SETS[member['set']]} {member['names']}", True
    return body, False
