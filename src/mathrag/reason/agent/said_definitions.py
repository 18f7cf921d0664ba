"""What words say a quantity is: which dimension a phrase has by its build ("power per unit area"), and what a
sentence defines ("the intensity is the power per unit area"). Reads words; looks nothing up and computes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mathrag.compute.dimensions import check_dimensions
from mathrag.errors import UnitError
from mathrag.knowledge.kinds import kinds_for_words
from mathrag.knowledge.units import unit_readings
from mathrag.language.quantity_names import kind_groups
from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.agent.quoted_values import is_plain_arithmetic, numbers_said
from mathrag.reason.choosing.question_view import head_stems
from mathrag.types.expression import Divide, Equation, Expression, Multiply, Number, Symbol, symbols_of, walk
from mathrag.types.quantity import Dimension
from mathrag.types.question import Target

_LONGEST_PHRASE = 300
_PLAIN, _TIME = Dimension.of({}), Dimension.of({"time": 1})
_DIVIDED = re.compile(rf"\s(?:{any_of('definitions.divided_by')})\s")
_MULTIPLIED = re.compile(rf"\s(?:{any_of('text_formulas.times_in_words')})\s")
_STATES = re.compile(rf"\s(?:{any_of('definitions.states_that')})\s|\s*[:=]\s+")
_RATE = re.compile(rf"^(?:\w+ ){{0,2}}(?:{any_of('definitions.changing_in_time')})\s")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PART = "part"


@dataclass(frozen=True, slots=True)
class Joined:
    """Two quantities that words put together, by the dimensions each may have."""

    is_quotient: bool
    first: frozenset[Dimension]
    second: frozenset[Dimension]

    @property
    def dimensions(self) -> frozenset[Dimension]:
        """What they may be together."""
        pairs = ((one, other) for one in self.first for other in self.second)
        return frozenset(one / other if self.is_quotient else one * other for one, other in pairs)


@dataclass(frozen=True, slots=True)
class Definition:
    """What a statement says something is. `words` are those that define."""

    words: str
    dimensions: frozenset[Dimension]
    joined: Joined | None = None


def built_dimensions(phrase: str) -> frozenset[Dimension]:
    """The dimensions that a phrase has by how it is built: a share is a plain number, "charge per area" what these two
    make; none where it is built of one name."""
    joined = joined_in(phrase)
    if joined is not None:
        return joined.dimensions
    rate = _RATE.match(phrase[:_LONGEST_PHRASE].casefold())
    if rate is not None:
        return frozenset(each / _TIME for each in _named(phrase[rate.end() : _LONGEST_PHRASE].casefold()))
    words = [word.casefold() for word in _WORD.findall(phrase[:_LONGEST_PHRASE])]
    head = next((place for place, word in enumerate(words) if word in word_class("grammar.prepositions")), len(words))
    return frozenset((_PLAIN,)) if word_class("definitions.shares").intersection(words[:head]) else frozenset()


def joined_in(phrase: str) -> Joined | None:
    """The two quantities that a phrase divides or multiplies; None where it does not, or does more than that."""
    text = f" {' '.join(phrase[:_LONGEST_PHRASE].casefold().split())} "
    words = _WORD.findall(text)
    if word_class("definitions.further_operations").intersection(words):
        return None
    for head, between in word_pairs("definitions.heads_of_pairs").items():
        first, _, second = text.partition(f" {head} of ")[2].partition(f" {between} ")
        if second:
            return _joined(first, second, is_quotient=head != "product")
    for pattern, is_quotient in ((_DIVIDED, True), (_MULTIPLIED, False)):
        sides = pattern.split(text)
        if len(sides) > 1:
            return _joined(sides[0], sides[1], is_quotient=is_quotient) if len(sides) == 2 else None
    return None


def _joined(first: str, second: str, *, is_quotient: bool) -> Joined | None:
    above, below = _named(first), _named(second) or _unit_named(second)
    return Joined(is_quotient, above, below) if above and below else None


def _named(words: str) -> frozenset[Dimension]:
    """The dimensions of what words name, by their most literal reading."""
    kinds = next(kind_groups(_bare(words)), ())
    return frozenset(kind.dimension for kind in kinds)


def _bare(words: str) -> str:
    """Without articles and "unit" before it."""
    left = words.strip(" ,.;:()").split()
    skipped = word_class("grammar.determiners") | word_class("definitions.before_one_of")
    while left and left[0] in skipped:
        left.pop(0)
    return " ".join(left)


def _unit_named(words: str) -> frozenset[Dimension]:
    """The dimension of a unit that stands where a quantity could: per kilogram."""
    first = _bare(words).split()[:1]
    if not first or len(first[0]) < 3:
        return frozenset()
    try:
        return frozenset((unit_readings(first[0])[0].dimension,))
    except UnitError:
        return frozenset()


def definition_in(quote: str, asked: Target) -> Definition | None:
    """What a quote says that the quantity asked for is; None where it does not speak of that or says nothing of it."""
    text = " ".join(quote[:_LONGEST_PHRASE].split()).rstrip(".;")
    if "?" in text:
        return None
    if _is_asked_phrase(text, asked):
        joined = joined_in(text)
        return None if joined is None else Definition(text, joined.dimensions, joined)
    for match in _STATES.finditer(f"{text} ".casefold()):
        sides = text[: match.start()].strip(), text[match.end() :].strip()
        for defined, defining in (sides, sides[::-1]):
            if names_asked(defined, asked) and defining:
                return _definition(defining, asked)
    return None


def _definition(defining: str, asked: Target) -> Definition | None:
    joined, built = joined_in(defining), built_dimensions(defining)
    if built:
        return Definition(defining, built, joined)
    words = [word.casefold() for word in _WORD.findall(defining)]
    is_more = bool(word_class("definitions.further_operations").intersection(words)) or bool(numbers_said(defining))
    # Where the very name that is asked has a dimension, only what spells out another one says otherwise.
    if is_more or kinds_for_words(asked.phrase):
        return None
    named = _named(defining)
    return Definition(defining, named) if named else None


def names_asked(words: str, asked: Target) -> bool:
    """Whether words name what is asked: all that its phrase is about, under the same head, or its symbol."""
    core, said = head_stems(asked.phrase) if asked.phrase else (), head_stems(words)
    # An average intensity is an intensity; a power factor is no power.
    plain = set(core).difference(stems(" ".join(word_class("phrases.transparent_heads")))) or set(core)
    is_named = bool(core) and bool(said) and said[-1] == core[-1] and plain.issubset(said)
    return is_named or (bool(asked.symbol) and asked.symbol in _WORD.findall(words))


def _is_asked_phrase(text: str, asked: Target) -> bool:
    """Whether a quote is what the question asks for, in its own words."""
    return bool(asked.phrase) and bool(text) and text.casefold() in asked.phrase.casefold()


def is_put_together(expression: Expression, joined: Joined, dimensions: Mapping[str, Dimension]) -> bool:
    """Whether an expression is what words say: the one quantity divided by the other, or multiplied with it, and no
    number beside them, nor one made by taking a value twice."""
    named = [node.name for node in walk(expression) if isinstance(node, Symbol)]
    if any(isinstance(node, Number) for node in walk(expression)) or len(set(named)) < len(named):
        return False
    match expression:
        case Divide(above, below) if joined.is_quotient:
            return _is_of(above, joined.first, dimensions) and _is_of(below, joined.second, dimensions)
        case Multiply((one, other)) if not joined.is_quotient:
            pairs = ((one, other), (other, one))
            return any(
                _is_of(first, joined.first, dimensions) and _is_of(second, joined.second, dimensions)
                for first, second in pairs
            )
    return False


def _is_of(part: Expression, wanted: frozenset[Dimension], dimensions: Mapping[str, Dimension]) -> bool:
    if not symbols_of(part) or not is_plain_arithmetic(part, dimensions):
        return False
    report = check_dimensions(Equation(Symbol(_PART), part), dimensions)
    return report.status != "inconsistent" and report.dimensions.get(_PART) in wanted
