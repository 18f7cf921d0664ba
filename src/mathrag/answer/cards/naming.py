"""What the number of an answer is called, as it stands after "the": a noun phrase that names a quantity of the right
dimension. Documents say it first, then the question, then the tables of kinds; where nobody can, nothing is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import permutations

from mathrag.answer.clean_text import clean
from mathrag.types.answer import Answer, Step
from mathrag.types.library import SymbolMeaning
from mathrag.types.quantity import Dimension

# A longer description is a sentence, and reads badly as a subject.
_LONGEST_NAME = 70
ARTICLE = re.compile(r"(?:the|a|an) ", re.IGNORECASE)
_ASIDE = re.compile(r" ?[(\[][^()\[\]]*[)\]]\s*$")
_IN_UNIT = re.compile(r",? (?:measured )?in [^,;]*$", re.IGNORECASE)
# A description with these is a sentence or a list, not a name.
_NO_NAME = re.compile(r"[;:=$\\{}<>]|\. |^(?:it|its|that|these|this|those|which|what|where|here|value|result)$")
# "the blood glucose in mmol/L, the molar concentration of the blood sugar" is one thing by two names.
_OTHER_NAME = re.compile(r", (?:the|an?|or|also|called) ", re.IGNORECASE)
_BOTH = re.compile(r" (?:and|or) | ?/ ?", re.IGNORECASE)
# "inside a round capacitor": one case among others, which a question may not be about. "of the wire" is no such case.
_A_CASE = re.compile(
    r" (?:above|at|by|for|from|in|inside|of|on|through|to|under|with) (?:an?|any) (.*)$", re.IGNORECASE
)
_WORD = re.compile(r"[a-z]{3,}")
# What may stand behind a noun that ends its phrase; another word would make an adjective of it.
_PHRASE_END = r"(?=\s*(?:[?.,;:!]|$|(?:after|at|by|for|from|if|in|is|of|on|per|that|to|when|with)\b))"


def result_name(step: Step, question: str = "") -> str:
    """What the computed symbol is called; empty where no name is known that can be right."""
    dimension = step.result.dimension
    meaning = meaning_of(step, step.target)
    if meaning is None and (quotient := _of_quotient(step)):
        return quotient
    others = tuple(each for each in step.formula.symbols if each != meaning)
    said = "" if meaning is None else next(filter(None, _from_description(meaning, dimension, question)), "")
    if meaning is not None and any(each.description == meaning.description for each in others):
        # "concentration before and after" says of two symbols which is which, and not of one.
        said = "" if _BOTH.search(meaning.description) else said
    if not any(each.dimension == dimension for each in others):
        said = _without_owner(said, question)
    asked = next(filter(None, _from_question(question, dimension)), "")
    is_asked = bool(asked) and asked.casefold() in question.casefold()
    if said and not (is_asked and _is_nearer(asked, said)):
        return said
    return asked or next(_from_kinds(step, meaning), "")


def _of_quotient(step: Step) -> str:
    """What a quotient of two symbols is called that was computed as one."""
    from mathrag.language.typed_symbols import quotient_name

    for one, other in permutations(step.formula.symbols, 2):
        if quotient_name(one.name, other.name) == step.target:
            said = f"ratio of {one.description or one.name} to {other.description or other.name}"
            return said if len(said) <= _LONGEST_NAME else f"ratio of {one.name} to {other.name}"
    return ""


def asked_name(answer: Answer) -> str:
    """What the question calls a result that no formula names; empty for a plain number, which may be of anything."""
    dimension = answer.quantity.dimension
    return "" if answer.steps or dimension.is_dimensionless else next(_from_question(answer.question, dimension), "")


def meaning_of(step: Step, symbol: str) -> SymbolMeaning | None:
    """What the formula of a step says about a symbol."""
    return next((each for each in step.formula.symbols if each.name == symbol), None)


def _from_description(meaning: SymbolMeaning, dimension: Dimension, question: str) -> Iterator[str]:
    """What the document calls it, as far as that names one quantity of this dimension."""
    name = tidy_name(meaning.description)
    if not name:
        return
    parts = [part.strip() for part in _BOTH.split(name)]
    if len(parts) > 1 and all(parts):
        # "decay constant and half-life": the one of them that it can be.
        fitting = [part for part in parts if _has_dimension(part, dimension)]
        yield _without_case(fitting[0], question) if len(fitting) == 1 else ""
        if any(map(_names_kind, parts)):
            return
    # What a document gives with its unit is a quantity, though nobody may know its kind.
    has_unit = meaning.origin == "document" and bool(meaning.unit) and meaning.dimension == dimension
    is_told = has_unit and _head(name) in _quantity_nouns() and not _names_kind(name)
    if names_another_dimension(name, dimension) and not is_told:
        return
    if _names_kind(name) or has_unit or _head(name) in _quantity_nouns() or _is_asked(name, question):
        yield _without_case(name, question)
        return
    words = name.split()
    for end in range(len(words) - 1, 0, -1):
        # "mean speed gas": what names a quantity, without what hangs behind.
        if _has_dimension(" ".join(words[:end]), dimension):
            yield " ".join(words[:end])
            return


def _from_question(question: str, dimension: Dimension) -> Iterator[str]:
    """What the question asks for, where that can have this dimension."""
    from mathrag.knowledge.kinds import known_kind
    from mathrag.reason.question import MAXIMAL_CHARACTERS, read_question

    if not question or len(question) > MAXIMAL_CHARACTERS:
        return
    for target in read_question(question).targets:
        phrase = tidy_name(target.phrase)
        if phrase and _has_dimension(phrase, dimension):
            yield phrase
        # What is asked for by its symbol may have any of the meanings of a letter, and none names it.
        for named in map(known_kind, () if target.symbol else target.kinds):
            if named is not None and not named.takes_any_unit and named.dimension == dimension:
                yield named.name


def _from_kinds(step: Step, meaning: SymbolMeaning | None) -> Iterator[str]:
    """The kind that was found for the symbol; else the only one of this dimension that is written with it."""
    from mathrag.knowledge.kinds import kinds_for_symbol, known_kind

    known = known_kind(meaning.kind) if meaning is not None else None
    if known is not None and known.dimension == step.result.dimension:
        yield known.name
    fitting = {one.name for one in kinds_for_symbol(step.target) if one.dimension == step.result.dimension}
    if len(fitting) == 1 and not step.result.dimension.is_dimensionless:
        yield fitting.pop()


def _is_nearer(asked: str, said: str) -> bool:
    """Whether the question's name is to be preferred to the document's: it says the same and one word more, or the
    document's puts the result on another side of a pair: a final concentration is not the one before."""
    from mathrag.reason.question.sides import sides_of_name

    theirs, ours = sides_of_name(asked, ()), sides_of_name(said, ())
    is_opposed = any(side != theirs[pair] for pair, side in ours.items() if pair in theirs)
    own, other = asked.casefold().split(), said.casefold().split()
    return is_opposed or own[1:] == other


def _names_kind(name: str) -> bool:
    from mathrag.language.quantity_names import names_quantity

    return names_quantity(name)


@lru_cache(maxsize=4096)
def _has_dimension(name: str, dimension: Dimension) -> bool:
    """Whether a name is that of a quantity of this dimension."""
    from mathrag.language.quantity_names import kind_groups

    return any(kind.dimension == dimension and not kind.takes_any_unit for group in kind_groups(name) for kind in group)


@lru_cache(maxsize=4096)
def names_another_dimension(name: str, dimension: Dimension) -> bool:
    """Whether a name is that of quantities, none of which has this dimension: no pressure is called a deflection."""
    from mathrag.language.quantity_names import is_unlikely_head, kind_groups

    named = [kind for group in kind_groups(name) for kind in group if not is_unlikely_head(name, kind)]
    return bool(named) and not any(kind.takes_any_unit or kind.dimension == dimension for kind in named)


def _head(name: str) -> str:
    """The noun that a name is about: `index` of "Wobbe index of the gas"."""
    from mathrag.language.quantity_names import head_of

    words = head_of(name).split()
    return words[-1].casefold() if words else ""


@cache
def _quantity_nouns() -> frozenset[str]:
    """Nouns that names of quantities are built on: what has a size, though nobody may know its kind."""
    from mathrag.knowledge.kinds import all_kinds
    from mathrag.language.word_classes import word_class

    return frozenset(_head(kind.name) for kind in all_kinds()) | word_class("names.quantity_nouns")


def _is_asked(name: str, question: str) -> bool:
    """Whether the question uses the name as a noun: whoever asks for the headway knows that it is a quantity."""
    return bool(re.search(rf"\b{re.escape(name)}\b{_PHRASE_END}", question, re.IGNORECASE))


def _without_case(name: str, question: str) -> str:
    """The name without the case that the document has it of, where the question is not about such a thing."""
    from mathrag.language.stems import stem

    case = _A_CASE.search(name)
    if case is None or not _names_kind(name[: case.start()]):
        return name
    asked = {stem(word) for word in _WORD.findall(question.casefold())}
    said = {stem(word) for word in _WORD.findall(case[1].casefold())}
    return name if not question or said & asked else name[: case.start()]


def _without_owner(name: str, question: str) -> str:
    """The name without the thing that the document has it of, where the question calls that otherwise: a radio wave is
    no light. Only where nothing else in the formula could be meant."""
    from mathrag.language.stems import stem
    from mathrag.language.word_classes import word_class

    head, of, owner = name.partition(" of the ")
    if not of or not _names_kind(head) or head.split()[-1] in word_class("phrases.transparent_heads"):
        return name
    asked = {stem(word) for word in _WORD.findall(question.casefold())}
    return head if asked and not asked & {stem(word) for word in _WORD.findall(owner.casefold())} else name


def tidy_name(description: str) -> str:
    """A description as a noun phrase: no article, no unit in brackets, no capital that only began a sentence."""
    name = clean(description).strip(" .,;:")
    while (aside := _ASIDE.search(name)) is not None:
        name = name[: aside.start()].rstrip(" ,;")
    name = _IN_UNIT.sub("", _OTHER_NAME.split(ARTICLE.sub("", name, count=1) if ARTICLE.match(name) else name)[0])
    words = name.split()
    while words and words[-1].casefold() in _hanging():
        words.pop()
    name = " ".join(words)
    if not name or len(name) > _LONGEST_NAME or _NO_NAME.search(name.lower()) or not name[0].isalnum():
        return ""
    first, space, rest = name.partition(" ")
    return f"{first.lower()}{space}{rest}" if first.istitle() and first.lower() in _lower_words() else name


@cache
def _hanging() -> frozenset[str]:
    """Words that lead to something that is not there: of "the probability of exactly 3 heads" without its 3."""
    from mathrag.language.word_classes import word_class

    return word_class("phrases.trailing") | word_class("grammar.fillers") | word_class("grammar.pronouns") | {"least"}


@cache
def _lower_words() -> frozenset[str]:
    """Words that stand in lower case in the names of quantities; Young and Gibbs are not among them."""
    from mathrag.knowledge.constants import all_constants
    from mathrag.knowledge.kinds import all_kinds

    words = {word for kind in all_kinds() for name in (kind.name, *kind.synonyms) for word in name.split()}
    named = {word for constant in all_constants() for word in constant.name.split()}
    capital = {word.lower() for word in words | named if word[0].isupper()}
    return frozenset(word for word in words if word.isalpha() and word.islower() and word not in capital)
