"""Whether other evidence than our own reading of the words vouches for a formula that a model proposed in words.

Two askings that say the same, and numbers that the text works out. Each can confirm, contradict or say nothing; which
of them is enough is decided by the checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from mathrag.compute.evaluate.compiled import compile_expression
from mathrag.compute.evaluate.failure import Failure
from mathrag.errors import UnitError
from mathrag.extract.number_check import written_numbers
from mathrag.extract.proposals.equations import says_the_same
from mathrag.extract.proposals.spoken import (
    Phrase,
    phrase_of_text,
    sentences_of,
    symbols_named_by,
    tokens_of,
    unexplained_words,
)
from mathrag.extract.weights import weights
from mathrag.language.quantities import find_quantities
from mathrag.language.quantities.mention import Mention
from mathrag.types.expression import Equation, Number, equation_symbols, rename_equation, walk
from mathrag.types.library import SymbolMeaning
from mathrag.types.quantity import DIMENSIONLESS, Dimension

Verdict: TypeAlias = Literal["confirms", "contradicts", "silent"]
_SENTENCES_AFTER = 2
_LONGEST_AFTER = 800
_CLOSE = weights("proposals")["worked_number_close"]
_FAR = weights("proposals")["worked_number_far"]


@dataclass(frozen=True, slots=True)
class Said:
    """An equation with the words for its symbols and their dimensions."""

    equation: Equation
    phrases: Mapping[str, Phrase]
    dimensions: Mapping[str, Dimension | None]


def compare(first: Said, second: Said) -> Verdict:
    """What a second asking says of the first one's formula: the same, something else of the same quantity, or nothing.

    Letters are each asking's own choice; symbols are the same where their words name the same thing in one dimension.
    """
    renamed = {
        name: other
        for name, phrase in second.phrases.items()
        if (other := _same_symbol(phrase, second.dimensions.get(name), first)) is not None
    }
    target = second.equation.target
    if target is None or renamed.get(target) != first.equation.target:
        return "silent"
    names = equation_symbols(second.equation)
    is_one_to_one = all(name in renamed for name in names) and len({renamed[name] for name in names}) == len(names)
    if is_one_to_one and says_the_same(rename_equation(second.equation, renamed), first.equation):
        return "confirms"
    return "contradicts"


def _same_symbol(phrase: Phrase, dimension: Dimension | None, other: Said) -> str | None:
    named = symbols_named_by(phrase, other.phrases)
    fitting = [name for name in named if other.dimensions.get(name) == dimension]
    return fitting[0] if len(fitting) == 1 else None


def unanswered(equation: Equation, text: str, names: Mapping[str, Phrase]) -> str | None:
    """A word of a sentence that neither names a symbol of the equation nor is a number of it; None where all are used.

    Two askings can leave out the same: what is said and not taken up speaks against both.
    """
    numbers = {
        Fraction(node.value)
        for side in (equation.left, equation.right)
        for node in walk(side)
        if isinstance(node, Number)
    }
    for token in tokens_of(text):
        values = written_numbers(token.text).values - {Fraction(1)}
        is_in_name = any(phrase_of_text(token.text).words & phrase.words for phrase in names.values())
        if values and values.isdisjoint(numbers) and not is_in_name:
            return token.text
    return next(iter(unexplained_words(text, names)), None)


def worked_numbers(equation: Equation, symbols: Sequence[SymbolMeaning], text: str) -> Verdict:
    """Whether values that the next sentences state come out by the equation.

    Only where each value can belong to one symbol alone by its dimension; else a wrong equation would find values that
    fit it.
    """
    by_dimension: dict[Dimension, str] = {}
    for one in symbols:
        if one.dimension is None or one.dimension in by_dimension or one.role == "constant":
            return "silent"
        by_dimension[one.dimension] = one.name
    for sentence in list(sentences_of(text[:_LONGEST_AFTER]))[:_SENTENCES_AFTER]:
        values = _values(sentence, by_dimension)
        if values is not None:
            return _judged(equation, values)
    return "silent"


def _values(sentence: str, by_dimension: Mapping[Dimension, str]) -> dict[str, float] | None:
    """A value for every symbol, from a sentence that states one of each dimension; None where it does not."""
    try:
        mentions = list(find_quantities(sentence))
    except UnitError:
        return None
    found: dict[str, float] = {}
    for dimension, value in _stated(mentions):
        name = by_dimension.get(dimension)
        if name is None or name in found:
            return None
        found[name] = value
    return found if len(found) == len(by_dimension) else None


def _stated(mentions: Sequence[Mention]) -> Iterator[tuple[Dimension, float]]:
    for mention in mentions:
        if mention.kind in ("quantity", "number") and len(mention.units) <= 1:
            unit = mention.units[0] if mention.units else None
            if unit is None:
                yield DIMENSIONLESS, float(mention.value)
            elif not unit.offset:
                yield unit.dimension, float(mention.value) * unit.scale


def _judged(equation: Equation, values: Mapping[str, float]) -> Verdict:
    order = tuple(values)
    sides = [
        compile_expression(side, order)(*(values[name] for name in order)) for side in (equation.left, equation.right)
    ]
    left, right = sides
    if isinstance(left, Failure) or isinstance(right, Failure):
        return "silent"
    size = max(abs(left), abs(right))
    distance = abs(left - right) / size if size else 0.0
    return "confirms" if distance <= _CLOSE else "contradicts" if distance >= _FAR else "silent"
