"""What stands around a mathematical question and changes nothing in it, taken off: courtesies and stories before and
behind it, who said a statement, how its truth is asked for, the name that "it" stands for.

`My neighbour told me that ab = ba. I forgot why. Is she right?` becomes `is it true that ab = ba?`, and `I met the word
"torus" in a novel. What does it mean?` becomes `define torus`. Every reader of claims, computations and definitions may
be asked the plain question where it could not read the whole one. Knows no mathematics: a sentence is dropped only
where nothing in it could matter, and what is left must be understood wholly by whoever reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.stories_around import is_about_people, is_courtesy, is_remark, is_story

_LONGEST = 500
_MOST_SENTENCES = 8
_MOST_TURNS = 8
_MOST_CUTS = 6
_FAR = 120
# A factorial is no exclamation, and the dot of "e.g." ends no sentence.
_SENTENCE = re.compile(
    r"(?<=\?)\s+(?=\S)|(?<=[^\W\d_][^\W\d_]!)\s+(?=[^\W\d_\"“])"
    r"|(?<=[.?!][\"”])\s+(?=[^\W\d_])"
    r"|(?<![ (]e\.g\.)(?<![ (]i\.e\.)(?<! vs\.)(?<! etc\.)(?<=[\w)\]}$\"”'’|°…]\.)\s+(?=[^\W\d_\"“(])"
)
_QUOTED = re.compile(r"[\"“„”«]([^\"“„”«»]{1,200})[\"”“»]|(?<!\w)[‘'](\w[^‘’'\"]{1,80}\w)[’'](?!\w)")
_MATHEMATICS = re.compile(r"[0-9=<>+*/^|\\√∑∫≤≥≠≡∈⊂⊆∪∩¬∧∨→⇒⇔∀∃×·−$]|(?<![\w'’])[b-hj-zB-HJ-Z](?![\w'’])")


@dataclass(frozen=True, slots=True)
class _Part:
    """A sentence without its frame. `is_stated` where somebody said it, so that its truth is asked for."""

    text: str
    is_stated: bool = False


@lru_cache(maxsize=64)
def unframed(text: str) -> str:
    """The plain question of a text; the text itself where nothing stands around it."""
    if len(text) > _LONGEST:
        return text
    tidied = _mended(tidy(text))
    sentences = _SENTENCE.split(tidied)
    if len(sentences) > _MOST_SENTENCES:
        return text
    plain = _meant(sentences) or _plain(sentences)
    return plain if plain and _bare(plain) != _bare(text) else text


def _bare(text: str) -> str:
    return " ".join(text.lower().strip(" ?.!").split())


# Words typed in haste.


@cache
def _shortened() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'’\\])(?:{any_of('frames.shortened')})(?![\w'’])", re.IGNORECASE)


def _mended(text: str) -> str:
    meant = word_pairs("frames.shortened")
    return _shortened().sub(lambda found: meant[found[0].lower()], text)


# A name that a pronoun stands for.


@cache
def _pronoun_question() -> re.Pattern[str]:
    return re.compile(any_of("frames.pronoun_questions"), re.IGNORECASE)


@cache
def _difference_question() -> re.Pattern[str]:
    number = r"(?P<number>[-−]?[0-9]{1,9}(?:[./][0-9]{1,9})?)"
    shown = rf"(?:,? (?:say |for example |for instance |e\.g\. )?(?:for|with) {number})?"
    return re.compile(rf"(?:{any_of('frames.between_both')}){shown}", re.IGNORECASE)


@cache
def _mention() -> re.Pattern[str]:
    """A name behind "the word", where no quotation marks stand around it."""
    return re.compile(
        rf"\bthe (?:{any_of('frames.mentioning')}) (?P<name>[^\W\d_]+(?:[ -][^\W\d_]+)?)"
        r"(?=[,.]|\Z| (?:was|is|in|came|on)\b)",
        re.IGNORECASE,
    )


def _meant(sentences: list[str]) -> str:
    """A question for the meaning of the one name that stands before it, or for the difference of two; else empty."""
    if len(sentences) < 2:
        return ""
    kept = [each for each in sentences if not (is_courtesy(each) or is_story(each))]
    # A sentence with mathematics of its own does more than name something.
    telling = [each for each in kept if _MATHEMATICS.search(_QUOTED.sub(" ", each)) is None]
    names = [name.strip(" ,.") for each in telling for name in _names(each)]
    questions = [_opened(each).strip(" ?.!,") for each in kept if not _names(each)]
    if len(questions) != 1:
        return ""
    if len(names) == 1:
        return _meaning_of(names[0], questions[0])
    return _difference_of(names, questions[0]) if len(names) == 2 else ""


def _meaning_of(name: str, asked: str) -> str:
    """The question what a name means, and what is asked behind it."""
    then = _then().fullmatch(asked)
    if not _is_pronoun_question(asked if then is None else then["asked"]):
        return ""
    return f"define {name}" if then is None else f"what is {name}? {then['then']}?"


def _difference_of(names: list[str], asked: str) -> str:
    """The question how two things differ, and what each is of a number that is named as an example."""
    found = _difference_question().fullmatch(asked)
    if found is None:
        return ""
    number = found["number"]
    shown = "".join(f" What is the {name} of {number}?" for name in names) if number else ""
    return f"What is the difference between {names[0]} and {names[1]}?{shown}"


def _is_pronoun_question(asked: str) -> bool:
    return _pronoun_question().fullmatch(asked) is not None


@cache
def _then() -> re.Pattern[str]:
    """A question for a meaning, and one more behind it."""
    return re.compile(r"(?P<asked>.+?),? and (?P<then>(?:how|what|why|when|where|is|are|does|do)\b.+)", re.IGNORECASE)


def _names(sentence: str) -> list[str]:
    quoted = [found[1] or found[2] for found in _QUOTED.finditer(sentence)]
    return quoted or [found["name"] for found in _mention().finditer(sentence)]


# Sentences.


def _plain(sentences: list[str]) -> str:
    """What is left of a text; empty where nothing is, or where its truth is asked for and several things are said."""
    kept: list[_Part] = []
    whole_sentences: list[str] = []
    scope, is_judged = "", False
    for sentence in sentences:
        verdict = _verdict().fullmatch(sentence.strip(" .?!()-–—").strip('"“”'))
        if verdict is not None:
            is_judged = True
            scope = f" {verdict['scope']}" if verdict["scope"] else scope
        elif not is_courtesy(sentence) and not is_story(sentence) and not (kept and _asks_again(sentence)):
            kept.append(_part(sentence))
            whole_sentences.append(sentence)
    if not kept:
        return ""
    if len(kept) > 1:
        # What somebody said beside a question may be what it is about.
        parts = [whole if part.is_stated else part.text for part, whole in zip(kept, whole_sentences, strict=True)]
        return "" if is_judged else _conditioned(kept, whole_sentences) or " ".join(parts)
    if is_judged or kept[0].is_stated:
        said = _QUOTED_WHOLE.sub(r"\1", kept[0].text.strip(" ?.,;:"))
        whole = f"{said.strip(' ?.,;:')}{scope}"
        return f"{whole}?" if _asks().match(whole) else f"is it true that {whole}?"
    return kept[0].text


@cache
def _known() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of('frames.conditions_known')})(?:[ ,:]+|\Z)", re.IGNORECASE)


_LETTER = re.compile(r"(?<![\w'’\\])[A-Zb-hj-z](?![\w'’])")
_SAYS = re.compile(r"[=<>≤≥≠∈]|\b(?:is|are|be|has|have)\b", re.IGNORECASE)


def _conditioned(kept: list[_Part], sentences: list[str]) -> str:
    """A question with the condition that stands before it: `if n is odd, is n² odd?`; empty for other texts."""
    is_asked = len(kept) == 2 and re.match(rf"(?:{any_of('several_parts.verbs')})\b", kept[1].text, re.IGNORECASE)
    if not is_asked or not sentences[1].rstrip().endswith("?"):
        return ""
    known = _known().match(sentences[0])
    said = (sentences[0][known.end() :] if known is not None else kept[0].text).strip(" .,;:")
    letters = set(_LETTER.findall(said)) if word_class("frames.persons").isdisjoint(said.lower().split()) else set()
    is_condition = bool(letters) and _SAYS.search(said) is not None and not _asks().match(said) and "?" not in said
    if not is_condition or letters.isdisjoint(_LETTER.findall(kept[1].text)):
        return ""
    asked = kept[1].text
    return f"if {said}, {asked[0].lower()}{asked[1:]}"


def _asks_again(sentence: str) -> bool:
    asked = _courtesy_behind().sub("", _opened(sentence)).strip(" ?.!,")
    return re.fullmatch(any_of("frames.asked_again"), asked, re.IGNORECASE) is not None


_QUOTED_WHOLE = re.compile(r"\A[\"“„«](.*)[\"”“»]\Z")


@cache
def _verdict() -> re.Pattern[str]:
    """A sentence that asks for the truth of what was said, and of which numbers."""
    said = rf"(?:the|this|that|my|his|her|our) (?:{any_of('frames.persons')}|{any_of('frames.labels')})"
    subject = rf"(?:{any_of('claim_frames.subjects')}|{said})"
    wrong = "not|no|false|wrong|incorrect|true|right|correct"
    verdict = rf"(?:{any_of('claim_frames.verdicts')})(?: or (?:{wrong}))?"
    holds = rf"(?:{any_of('claim_frames.holding')})(?: always| too| also)?"
    scope = r"(?: (?P<scope>(?:for|when|if|whenever|over) (?!general\b)[^?]{2,60}?))?"
    lead = r"(?:(?:and|so|but|now|please|well|ok|hmm)[ ,]+)*"
    return re.compile(
        rf"{lead}(?:(?:is|isn['’]?t|are|am|was|wasn['’]?t|were|would) {subject}(?: be)? {_ANYHOW}(?:{verdict})"
        rf"|{subject} (?:is|are|am|was) {_ANYHOW}(?:{verdict})"
        rf"|(?:does|do|did|will|doesn['’]?t|can|could) {subject} {_ANYHOW}(?:{holds})"
        rf"|{_ANYHOW}(?:{verdict})|{any_of('claim_frames.asking_behind')}|{any_of('frames.verdict_questions')})"
        rf"(?: in general| in mathematics| in maths?)?{scope}"
        rf"(?:,? or (?:{any_of('frames.doubts')}|not))?(?:, (?:right|correct|isn['’]?t (?:it|he|she|that)|no|yes))?",
        re.IGNORECASE,
    )


# Clauses.


_ANYHOW = rf"(?:(?:{any_of('claim_frames.degrees')}) )*"


@cache
def _asks() -> re.Pattern[str]:
    """The beginning of what asks, or orders."""
    begins = "|".join(
        (
            any_of("several_parts.asking"),
            any_of("several_parts.verbs"),
            any_of("frames.orders"),
            "was|were|has|have|will|(?:is|are|does|do)n['’]?t",
        )
    )
    return re.compile(rf"(?:{begins})\b", re.IGNORECASE)


@cache
def _request() -> re.Pattern[str]:
    """A request up to what is requested."""
    whom, soft = any_of("frames.whom"), rf"(?:(?:{any_of('frames.softeners')})[ ,]+)*"
    helping = rf"(?:(?:{any_of('frames.helping')})[ ,:]+(?:please[ ,]+)?(?:to )?)?"
    asking = rf"(?:{any_of('frames.helping')})(?: please)?(?:: | (?:to )?)(?!that\b|why\b|how\b|if\b|whether\b)"
    may = r"(?:can|could|would|will|may|might)"
    grateful = (
        rf"(?:(?:i|we)(?: would|['’]d) (?:be (?:{any_of('frames.grateful')})|(?:really |very much )?appreciate it) if )"
    )
    greeting = (
        rf"(?:(?:{any_of('direct.greetings')}|good (?:morning|evening|afternoon|day)|bonjour|hola|excuse me"
        r"|dear \w+(?: (?:or|and) \w+)?)[ ,:!.]+"
        r"|sorry[,:!.] ?)*"
    )
    wonder = rf"(?:(?:{any_of('frames.wondering')})(?: about this| about)?[ ,:]+(?:if |whether )?)"
    return re.compile(
        rf"(?=\S){greeting}(?:(?:{grateful}|{wonder})?"
        rf"(?:(?:(?:{whom}) {may}|{may} (?:{whom})) {soft}{helping}|please[ ,]+{helping}|{asking}))?",
        re.IGNORECASE,
    )


@cache
def _wonder() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{any_of('frames.wondering')})(?: about(?: this| it)?)?(?:(?: [^\W\d_]+){{1,8}}(?=:))?[ ,:]+"
        r"(?P<if>(?:if|whether|that) )?",
        re.IGNORECASE,
    )


@cache
def _attempt() -> re.Pattern[str]:
    who = r"(?:i|we|he|she|(?:my|our) [^\W\d_]+)"
    tries = rf"(?:{any_of('frames.attempts')})"
    known = rf"(?:(?:{any_of('frames.knowing')}) (?:if |whether )?(?=(?:the|an?) |{_asks().pattern}))?"
    return re.compile(rf"\b{who} ?{tries} (?:please )?{known}", re.IGNORECASE)


@cache
def _how_to() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of('frames.how_to')}) (?=(?:{any_of('frames.orders')})\b)", re.IGNORECASE)


@cache
def _judging() -> re.Pattern[str]:
    """Before a statement: whether it may be said, or is a rule."""
    verdict, says = any_of("claim_frames.verdicts"), any_of("frames.saying")
    rule = rf"(?:{any_of('frames.labels')}|theorem)"
    return re.compile(
        rf"(?:(?:is|would) it (?:be )?(?:{_ANYHOW}(?:{verdict}) )to (?:{says})(?: that)?"
        rf"|(?:is|isn['’]t) there (?:an? )?(?:{rule}) (?:that|which says that|saying that|which states that)(?: says)?"
        rf"|(?:am i|are we|is (?:he|she)) {_ANYHOW}(?:{verdict}) (?:(?:{any_of('frames.thinking')})(?: that)?|that)"
        rf"|it(?: is|['’]s) {_ANYHOW}(?:{verdict}) that) ",
        re.IGNORECASE,
    )


@cache
def _told_cut() -> re.Pattern[str]:
    return re.compile(r"\bthat:? |: ", re.IGNORECASE)


@cache
def _told_verb() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{any_of('frames.tells')})(?: me| us| down)?,? ", re.IGNORECASE)


@cache
def _joint() -> re.Pattern[str]:
    return re.compile(r",? but |: |,? so |\.\.\. ?|… ?|; |, | -+ | ?[–—] ?| and ", re.IGNORECASE)


@cache
def _label() -> re.Pattern[str]:
    return re.compile(
        rf"(?:[^\W\d_]+ ){{0,5}}(?:{any_of('frames.labels')})(?: ?(?:no\.? ?|#)?[0-9]{{1,3}}[a-z]?)?[.)]?: ?(?=\S)",
        re.IGNORECASE,
    )


def _opened(sentence: str) -> str:
    """A sentence without the courtesies and requests before it."""
    for _ in range(_MOST_TURNS):
        found = _request().match(sentence)
        if found is None or not found.end() or found.end() == len(sentence):
            break
        sentence = sentence[found.end() :].lstrip(" ,:")
    return sentence


def _part(sentence: str) -> _Part:
    """A sentence without what stands before and behind it."""
    body, is_stated = sentence.strip(), False
    for _ in range(_MOST_TURNS):
        before = body
        body = _opened(body)
        attempt = _attempt().search(body[:_FAR])
        if attempt is not None and (not attempt.start() or is_about_people(f"{body[: attempt.start()]} i")):
            body = body[attempt.end() :]
        how = _how_to().match(body)
        body = body[how.end() :] if how is not None else body
        judging = _judging().match(body)
        if judging is not None:
            body, is_stated = body[judging.end() :], True
        wonder = _wonder().match(body)
        if wonder is not None:
            body = body[wonder.end() :]
            is_stated = is_stated or (bool(wonder["if"]) and _request().match(body) is None)
        label = _label().match(body)
        if label is not None and not _MATHEMATICS.search(re.sub(r"[0-9]{1,3}[a-z]?[.)]?: ?\Z", "", label[0])):
            body = body[label.end() :]
        body = _after_story(body)
        body = _DENIED.sub(lambda found: f"{found[1]} ", body)
        told = _after_teller(body)
        if told:
            body, is_stated = told, True
        body = _without_tail(body)
        if body == before:
            break
    return _Part(_ordered(body), is_stated)


# "Isn't x = y" asks what "is x = y" does.
_DENIED = re.compile(r"\A(is|are|does|do)n['’]?t (?!it\b|that\b)", re.IGNORECASE)


def _cuts(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    for count, found in enumerate(pattern.finditer(text)):
        if count >= _MOST_CUTS:
            return
        yield found


def _after_teller(text: str) -> str:
    """What somebody is told to have said; empty where nobody is. What the words before it say must be a story."""
    if _asks().match(text):
        return ""
    source = re.match(r"according to [^,:0-9]{2,40}[,:] ", text, re.IGNORECASE)
    if source is not None and is_about_people(source[0]):
        return text[source.end() :]
    for pattern in (_told_cut(), _told_verb()):
        for cut in _cuts(pattern, text):
            before = text[: cut.start()] if pattern is _told_cut() else text[: cut.end()]
            if _told_verb().search(f"{before} ") and is_about_people(before) and cut.end() < len(text):
                return text[cut.end() :]
    return ""


def _after_story(text: str) -> str:
    """What asks, behind a clause that only tells of people."""
    if _asks().match(text):
        return text
    for cut in _cuts(_joint(), text):
        before, after = text[: cut.start()], text[cut.end() :]
        if not (is_story(before) or is_courtesy(before) or is_remark(before)):
            continue
        is_open = cut[0].strip() in (":", "–", "—", "...", "…") or set(cut[0].strip()) == {"-"}
        if is_open or _asks().match(_opened(after)):
            return after
    return text


@cache
def _doubt() -> re.Pattern[str]:
    slips = (
        rf"(?:did|have|am|was|do|are|were) (?:i|we) (?:[^\W\d_]+ ){{0,3}}?(?:{any_of('frames.slips')})\b"
        r"[^?=0-9]{0,40}"
    )
    return re.compile(
        rf"[ ,;:?–—-]+\(?or,? (?:maybe |perhaps |is it that )?(?:{any_of('frames.doubts')}|{slips})\)?[ ?.!]*\Z",
        re.IGNORECASE,
    )


@cache
def _courtesy_behind() -> re.Pattern[str]:
    return re.compile(
        rf"(?:[ ,;.?!-]+(?:{any_of('frames.behind')}))+(?P<mark>[ ?.!]*)\Z",
        re.IGNORECASE,
    )


@cache
def _for_booleans() -> re.Pattern[str]:
    return re.compile(rf" for (?:{any_of('frames.booleans')})(?=[ ?.!]*\Z)", re.IGNORECASE)


def _without_tail(text: str) -> str:
    """A sentence without courtesies, doubts and stories behind it."""
    text = _for_booleans().sub("", _doubt().sub("?", text))
    text = _courtesy_behind().sub(lambda found: found["mark"].strip(), text)
    for cut in reversed(list(_cuts(_joint(), text))):
        tail = text[cut.end() :]
        if (
            cut.start()
            and cut[0] != " and "
            and _MATHEMATICS.search(text[: cut.start()])
            and (is_story(tail) or is_courtesy(tail))
        ):
            return text[: cut.start()]
    return text


@cache
def _order_behind() -> re.Pattern[str]:
    return re.compile(rf"(?P<formula>.+?)[ ,:;-]+(?P<order>{any_of('frames.orders_behind')})[ ?.!]*", re.IGNORECASE)


def _ordered(text: str) -> str:
    """What is to be done with a formula before it, where it stands behind; `what 2 + 2 is` as `what is 2 + 2`."""
    value = re.fullmatch(
        r"what (?P<value>[^?a-z]*[0-9][^?a-z]*) (?:is|are|equals|makes|gives)[ ?.]*", text, re.IGNORECASE
    )
    if value is not None:
        return f"what is {value['value']}?"
    found = _order_behind().fullmatch(text)
    if found is None or not _MATHEMATICS.search(found["formula"]) or _asks().match(text):
        return text
    return f"{word_pairs('frames.orders_behind')[found['order'].lower()]} {found['formula']}"
