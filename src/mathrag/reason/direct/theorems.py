"""Claims in words that textbooks ask for: `does every polynomial of odd degree have a real root`, `are there infinitely
many twin primes`. Told from `mathrag.knowledge.theorems` with the reason, a counterexample, or that it is open.

Strict: the content words of the question are those of a wording, with nothing left over; in their order, or, where a
wording has a condition and what is claimed under it, in any order inside these two. Such a claim may be put of all
things, of some, of none, or not of all (`claim_modes`): each gets its own verdict.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from mathrag.knowledge.theorems import Slot, Theorem, theorems
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.claim_frame import bare_claim
from mathrag.reason.direct.claim_modes import MARK, Mode, PutClaim, put_claim
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 240
_MOST_WORDS = 30
_FEWEST_WITHOUT_VERB = 3
_TOKEN = re.compile(
    r"\\[a-z]+(?:\{[a-z]\})?|[a-z][′″]|[a-zα-ω]_\{?\w\}?|[^\W\d_]+(?:['’-][^\W\d_]+)*|[0-9]+(?:\.[0-9]+)?|==|>=|->|=>|[^\s\w]"
)
# Stands where the condition of a claim ends.
_BORDER = "¦"
_CLAUSE_END = re.compile(r",\s*(?:then\b)?|\bthen\b")
_OF_IT = re.compile(r"\s*(?:\w+\s+){0,2}?(?:its|their|it|they)\b")
_DROPPED = frozenset(",:;.?!()[]{}\"'“”‘’-–—")
# Words that end in s and are no plurals.
_KEPT_ENDINGS = ("ss", "us", "is")
# A letter that may be any other; e, π, φ and μ have meanings of their own.
_LETTER = re.compile(r"(?![eπφμ]\Z)[a-zα-ω](?:_\{?\w\}?)?\Z")
# The set of natural numbers, by its letter: of 0 it is asked whether it is in it.
_NATURALS = re.compile(
    r"\bN\b(?= (?:always )?(?:include|contain|start|begin)s?\b.*\b(?:0|zero)\b)|(?<=\b0 in )N\b|(?<=\b0 ∈ )N\b"
)
_MATHEMATICS = re.compile(r"[a-z0-9)^]\Z|[0-9]+\Z")
_OPENINGS = {
    "open": "Open, not known",
    "convention": "It depends on the convention",
    "independent": "Neither provable nor refutable",
}

_VERDICTS = {
    ("true", True): ("Yes", "True"),
    ("true", False): ("No", "False"),
    ("false", True): ("No", "False"),
    ("false", False): ("Yes", "True"),
}
_HOW = {
    "shown": "The reason given is the proof",
    "told": "A theorem that is told here, not shown",
    "counterexample": "Refuted by the example",
    "convention": "A convention, nothing to be shown",
    "open": "An open problem",
    "example": "Shown by the example",
}
_OF_CONDITIONS = re.compile(
    r"(?i)\W*(?:(?:when|where)\s+(?:is|are|does|do|can|could|will|would|has|have|must)|how|which|what|who|under)\b"
)
_IMPLIES = re.compile(r"⇒|=|=>|⟹|≡|\\implies|\\Rightarrow")
_ASKS = re.compile(r"(?i)\A\W*(?:is|are|does|do|can|could|must|will|has|have)\b(?! it (?:true|correct|right))")


@lru_cache(maxsize=64)
def find_theorem(claim: str) -> tuple[Theorem, bool] | None:
    """The theorem that a bare claim puts, and whether it puts it as it stands there or denies it; None for no other."""
    if len(claim) > _LONGEST:
        return None
    words = content_words(claim)
    if not 1 <= len(words) <= _MOST_WORDS:
        return None
    letters = [word for word in words if _LETTER.match(word)]
    without = tuple(word for word in words if word not in letters) if len(set(letters)) <= 1 else ()
    lean = [word for word in words if word not in word_class("theorems.fillers")]
    for said in dict.fromkeys((_numbered(words), without, _numbered(_open_percentages(words)), _numbered(lean))):
        for known in _wordings_with(said):
            if not known.claimed and _fits(known.slots, said):
                return known.theorem, known.is_put
    return _of_parts(claim)


# Claims in two parts: a condition, and what is claimed under it.


def _of_parts(claim: str) -> tuple[Theorem, bool] | None:
    # As it stands first: "no" and "never" may be words of what is known.
    strongly = put_claim(_lower(claim))
    as_said = PutClaim(_lower(claim), "all")
    for put in dict.fromkeys((as_said, strongly) if strongly.mode != "not all" else (strongly,)):
        for ordered, is_turned in _orders(_tokens(_with_border(put.text))):
            said = tuple(word for word in _without_grammar(ordered) if word not in word_class("theorems.fillers"))
            found = _in_parts(said, put.mode, is_turned=is_turned) if len(said) > 1 else None
            if found is not None:
                return found
    return None


def _with_border(text: str) -> str:
    """A border where the clause of an "if" in front ends: "if a subgroup is abelian, the group is" says nothing of the
    subgroups of an abelian group."""
    opening = text.split(maxsplit=1)[:1]
    if not opening or opening[0] not in word_class("theorems.conditions"):
        return text
    end = _CLAUSE_END.search(text)
    claimed = text[end.end() :] if end is not None else ""
    if _OF_IT.match(claimed):
        # "Its determinant" belongs to what the condition speaks of.
        return text.split(maxsplit=1)[1]
    return _CLAUSE_END.sub(f" {_BORDER} ", text, count=1)


def _orders(tokens: list[str]) -> Iterator[tuple[list[str], bool]]:
    """The words of a claim with the condition first, and whether it was not there before."""
    if tokens and tokens[0] in word_class("theorems.conditions") and _BORDER not in tokens:
        # Without a comma the clause may end before any of its verbs but the first word.
        for place, word in enumerate(tokens[2:], 2):
            if word in word_class("grammar.auxiliaries"):
                yield [*tokens[1:place], _BORDER, *tokens[place:]], False
        return
    ordered = _condition_first(tokens)
    yield ordered, ordered[:1] != [word for word in tokens if word not in word_class("theorems.conditions")][:1]
    text = f" {' '.join(tokens)} "
    for pattern in sorted(word_class("theorems.turning")):
        before, found, after = text.partition(f" {pattern} ")
        if found and before and after:
            yield [*after.split(), *before.split()], True
    for pattern in sorted(word_class("theorems.leading"), key=len, reverse=True):
        before, found, after = text.partition(f" {pattern} ")
        if found and before and after:
            yield [*before.split(), *after.split()], False


def _in_parts(words: tuple[str, ...], mode: Mode, *, is_turned: bool) -> tuple[Theorem, bool] | None:
    unbordered = tuple(word for word in words if word != _BORDER)
    mark = unbordered.index(MARK) if MARK in unbordered else -1
    bordered = tuple(word for word in words if word != MARK)
    bare = tuple(word for word in bordered if word != _BORDER)
    letters = {word for word in bare if _LETTER.match(word)}
    lean = tuple(word for word in bare if word not in letters)
    for said in dict.fromkeys((bare, lean)) if len(letters) <= 1 and mark < 0 else (bare,):
        for known in _wordings_with(said):
            if not known.claimed or not _may_say(known, mode):
                continue
            for split in _splits(bordered, said):
                is_there = mark < 0 or mark == split or (is_turned and mark > split)
                if is_there and _says(known.slots, said[:split]) and _says(known.claimed, said[split:]):
                    return _as_put(known, mode)
    return None


def _splits(bordered: tuple[str, ...], said: tuple[str, ...]) -> Sequence[int]:
    """Where a claim may be parted into its condition and what is claimed: at its border, where it has one."""
    if bordered.count(_BORDER) != 1:
        return range(1, len(said))
    before = sum(word in said for word in bordered[: bordered.index(_BORDER)])
    return (before,) if 0 < before < len(said) else ()


def _may_say(known: KnownWording, mode: Mode) -> bool:
    """Whether something is known of a claim that is put in such a way."""
    theorem = known.theorem
    if mode == "all":
        return True
    if not known.is_put or theorem.truth not in ("true", "false"):
        return False
    if mode == "not all" or theorem.truth == "true" or theorem.never:
        return True
    return bool(theorem.some) and mode != "not"


def _as_put(known: KnownWording, mode: Mode) -> tuple[Theorem, bool]:
    theorem = known.theorem
    if mode == "all":
        return theorem, known.is_put
    if mode == "not all" or theorem.truth == "true":
        return theorem, mode == "some"
    if theorem.never:
        # What is never so is false of some, and true where it is denied.
        return theorem, mode == "some"
    says = f"it is so for some: {theorem.some}"
    return replace(theorem, truth="true", how="example", says=says, why=""), mode == "some"


def _says(slots: tuple[Slot, ...], words: Sequence[str]) -> bool:
    """Whether words say a part of a wording: in its order where nouns in it belong to each other."""
    return _fits(slots, words) if is_ordered(slots) else _holds(slots, words)


@cache
def is_ordered(slots: tuple[Slot, ...]) -> bool:
    """Whether the order of the words in a part tells what belongs to what: a function with an even derivative is no
    derivative of an even function."""
    belonging = word_class("theorems.relational")
    return any(not belonging.isdisjoint(slot.words) for slot in slots)


def _holds(slots: Sequence[Slot], words: Sequence[str]) -> bool:
    """Whether the words fill the places in any order, each place at most once, and leave none empty that may not be."""
    needed = sum(not slot.is_optional for slot in slots)
    if not needed <= len(words) <= len(slots):
        return False
    return _filled(slots, words, 0, frozenset())


def _filled(slots: Sequence[Slot], words: Sequence[str], place: int, taken: frozenset[int]) -> bool:
    if place == len(words):
        return all(slot.is_optional or number in taken for number, slot in enumerate(slots))
    fitting = [number for number, slot in enumerate(slots) if number not in taken and words[place] in slot.words]
    # Places that may not stay empty first; two of the same words are few.
    fitting.sort(key=lambda number: slots[number].is_optional)
    return any(_filled(slots, words, place + 1, taken | {number}) for number in fitting[:3])


def _numbered(words: Sequence[str]) -> tuple[str, ...]:
    """The words with letters by the order in which they come first, so that other letters are as good."""
    letters = tuple(dict.fromkeys(word for word in words if _LETTER.match(word)))
    return tuple(f"v{letters.index(word) + 1}" if word in letters else word for word in words)


def _open_percentages(words: Sequence[str]) -> tuple[str, ...]:
    """A letter for the number, where all percentages are of one number."""
    of = {word for word, follows in itertools.pairwise(words) if follows == "%" and word.isdecimal()}
    return tuple("p" if word in of else word for word in words) if len(of) == 1 else tuple(words)


def told(theorem: Theorem, *, is_put: bool, asks: bool) -> DirectStatement:
    """What is known of a claim, in sentences."""
    opening = _OPENINGS.get(theorem.truth) or _VERDICTS[theorem.truth, is_put][0 if asks else 1]
    # An example that refutes a claim shows its denial.
    how = "example" if theorem.how == "counterexample" and not is_put else theorem.how
    end = f" ({_HOW[how]}; MathRAG theorems, {theorem.name}.)"
    text = f"{opening}: {theorem.says}. {theorem.why}".rstrip() + end
    return DirectStatement(text, theorem.name, (WorkingLine(theorem.says),))


def answer_theorem(text: str, claim: str = "") -> DirectStatement | None:
    """What is known of the one claim that a text puts; None where it is no such claim."""
    asked = claim or bare_claim(text)
    # Who asks when something is so claims nothing.
    found = find_theorem(asked) if _OF_CONDITIONS.match(asked) is None else None
    if found is not None and not _is_claimed(text):
        return None
    return None if found is None else told(found[0], is_put=found[1], asks=_ASKS.match(text) is not None)


def _is_claimed(text: str) -> bool:
    """Whether a text claims or asks something, rather than naming a thing."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    if not word_class("theorems.verbs").isdisjoint(words) or _IMPLIES.search(text) is not None:
        return True
    has_frame = bare_claim(text) != text.strip(" ?.!")
    return has_frame or (text.rstrip().endswith("?") and len(words) >= _FEWEST_WITHOUT_VERB)


def content_words(claim: str) -> tuple[str, ...]:
    """The telling words of a claim in their order, each in the form that wordings have; a condition comes first."""
    ordered = _condition_first(_tokens(_lower(claim)))
    return _without_grammar([word for word in ordered if word != _BORDER])


def _lower(claim: str) -> str:
    text = _NATURALS.sub("naturals", claim).lower().replace("’", "'").replace("²", "^2").replace("³", "^3")
    return _phrases().sub(lambda found: word_pairs("theorems.same_phrases")[found[0]], text)


@cache
def _phrases() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{any_of('theorems.same_phrases')})(?![\w-])")


def _tokens(text: str) -> list[str]:
    return _without_marks(_TOKEN.findall(text))


def _without_grammar(tokens: Sequence[str]) -> tuple[str, ...]:
    grammar, kept = word_class("theorems.grammar"), []
    for place, word in enumerate(tokens):
        follows = tokens[place + 1] if place + 1 < len(tokens) else ""
        if _is_article(word, follows) or (word.removesuffix("'s") in grammar and word != "a"):
            continue
        kept.append(_folded(word))
    return tuple(kept)


def _is_article(word: str, follows: str) -> bool:
    is_word = len(follows) > 1 and follows[0].isalpha()
    is_letter = follows in word_class("theorems.letter_follows") or follows in word_class("theorems.grammar")
    return word == "a" and is_word and not is_letter


def _without_marks(tokens: list[str]) -> list[str]:
    """Without punctuation and brackets; a dash between numbers or letters is a minus sign."""
    kept: list[str] = []
    for place, word in enumerate(tokens):
        around = tokens[place - 1 : place] + tokens[place + 1 : place + 2]
        if word in "-−" and len(around) == 2 and all(_MATHEMATICS.match(each) for each in around):
            kept.append("−")
        elif word not in _DROPPED:
            kept.append(word)
    return kept


def _condition_first(tokens: list[str]) -> list[str]:
    """A condition before what follows from it, without the word that opens it; "only if" stays where it is."""
    conditions, implying = word_class("theorems.conditions"), word_class("theorems.implying")
    tokens = " ".join(tokens).replace("if and only if", "iff").split(" ")
    tokens = tokens[1:] if tokens[0] in conditions else tokens
    inside = [place for place, word in enumerate(tokens) if word in conditions and tokens[place - 1] != "only"]
    if len(inside) == 1 and 0 < inside[0] < len(tokens) - 1:
        condition, claimed = tokens[inside[0] + 1 :], tokens[: inside[0]]
        border = () if condition[0] in word_class("grammar.pronouns") else (_BORDER,)
        tokens = [*condition, *border, *claimed]
    implied = [word for word in tokens if word in implying]
    if len(implied) == 1 and _BORDER not in tokens:
        return [_BORDER if word in implying else word for word in tokens]
    return [word for word in tokens if word not in implying]


@cache
def _folded(word: str) -> str:
    known = word_pairs("theorems.same").get(word)
    if known is not None:
        return known
    if len(word) > 3 and word.endswith("'s"):
        return _folded(word[:-2])
    if len(word) > 3 and word.endswith("s") and not word.endswith(_KEPT_ENDINGS):
        single = f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
        return word_pairs("theorems.same").get(single, single)
    return word


@dataclass(frozen=True, slots=True)
class KnownWording:
    """A wording of a theorem or of its opposite, its words in the form of claims."""

    theorem: Theorem
    is_put: bool
    slots: tuple[Slot, ...]
    claimed: tuple[Slot, ...] = ()

    @property
    def lengths(self) -> tuple[int, int]:
        """How few and how many words a claim so put can have."""
        places = (*self.slots, *self.claimed)
        return sum(not slot.is_optional for slot in places), len(places)


@cache
def known_wordings() -> tuple[KnownWording, ...]:
    """All wordings of all theorems."""
    return tuple(
        KnownWording(one, is_put, _prepared(wording.slots, bool(wording.claimed)), _prepared(wording.claimed, True))
        for one in theorems()
        for is_put, group in ((True, one.wordings), (False, one.denied))
        for wording in group
    )


@cache
def known_words() -> frozenset[str]:
    """Every word that a wording may have."""
    return frozenset(
        word for known in known_wordings() for slot in (*known.slots, *known.claimed) for word in slot.words
    )


@cache
def _by_word() -> dict[str, tuple[KnownWording, ...]]:
    """The wordings under each word that their first place which may not be missing may have."""
    found: dict[str, list[KnownWording]] = {}
    for wording in known_wordings():
        first = next(slot for slot in (*wording.slots, *wording.claimed) if not slot.is_optional)
        for word in first.words:
            found.setdefault(word, []).append(wording)
    return {word: tuple(each) for word, each in found.items()}


def _wordings_with(words: Sequence[str]) -> Iterator[KnownWording]:
    """The wordings that have one of the words where they begin, and can be of so many."""
    seen: set[int] = set()
    for word in dict.fromkeys(words):
        for one in _by_word().get(word, ()):
            fewest, most = one.lengths
            if fewest <= len(words) <= most and id(one) not in seen:
                seen.add(id(one))
                yield one


def _prepared(slots: Sequence[Slot], keeps_letters: bool = False) -> tuple[Slot, ...]:
    grammar = word_class("theorems.grammar") - {"a"}
    follow = [*(slot.words[0] for slot in slots[1:]), ""]
    kept = [
        slot
        for slot, follows in zip(slots, follow, strict=False)
        if not grammar.issuperset(slot.words) and not _is_article(slot.words[0], follows)
    ]
    letters = tuple(dict.fromkeys(word for slot in kept for word in slot.words if _LETTER.match(word)))

    def name(word: str) -> str:
        return f"v{letters.index(word) + 1}" if word in letters and not keeps_letters else _folded(word)

    return tuple(Slot(tuple(map(name, slot.words)), slot.is_optional) for slot in kept)


def _fits(slots: Sequence[Slot], words: Sequence[str]) -> bool:
    places = {0}
    for slot in slots:
        moved = {place + 1 for place in places if place < len(words) and words[place] in slot.words}
        places = moved | places if slot.is_optional else moved
        if not places:
            return False
    return len(words) in places


@cache
def converse_words() -> re.Pattern[str]:
    """A question for the opposite direction of what was claimed before."""
    return re.compile(rf"(?:{any_of('theorems.converse')})", re.IGNORECASE)
