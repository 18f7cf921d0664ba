"""The checks that a proposed constant passes, one function each, read top to bottom in `CONSTANT_CHECKS`.

The value, its digits and its unit must stand in the quote beside the symbol, and the text must treat it as a constant:
a value of one worked example is none, however clearly it is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from mathrag.errors import UnitError
from mathrag.extract.constants.values import (
    Value,
    assignments_in,
    constants_named,
    standard_of,
    value_of_math,
    value_of_mention,
    value_of_text,
)
from mathrag.extract.proposals.equations import symbol_name
from mathrag.extract.proposals.formula_checks import LONGEST_QUOTE, Setting, phrase_of_text_words
from mathrag.extract.proposals.meanings import kinds_of, unit_stands
from mathrag.extract.proposals.plain_text import LONGEST_DESCRIPTION, text_problem
from mathrag.extract.proposals.quotes import Passage, find_passage, missing_symbol, signs_of
from mathrag.extract.proposals.records import ConstantProposal, Problem
from mathrag.extract.proposals.spoken import phrase_of_text
from mathrag.extract.sorts import is_exercise, is_worked_context
from mathrag.language.quantities import find_quantities
from mathrag.language.unit_text import unit_of_text
from mathrag.language.word_classes import any_of
from mathrag.types.document import Math, Place
from mathrag.types.knowledge import Constant
from mathrag.types.quantity import NO_UNIT, Unit

_LARGEST_EXPONENT = 400
_BETWEEN = re.compile(r"[\s,;:()\[\]=|≈<>]+")
_SAYS_CONSTANT = re.compile(r"\bconstants?\b|acceleration due to gravity|\bspeed of (?:light|sound)\b", re.I)
_ONE_CASE = re.compile(
    rf"\b(?:{any_of('constants.exercise_starts')}|{any_of('constants.case_words')}"
    rf"|an? (?:{any_of('constants.actors')}))\b",
    re.IGNORECASE,
)

_LIMIT = re.compile(rf"\b(?:{any_of('proposals.limits')})\b|\bnot\b[^.;]{{0,40}}\b\w{{2,20}}er than\b", re.IGNORECASE)
_NAMES_LIMIT = ("_max", "_min", "_lim", "_limit")


class ConstantCase:
    """A proposed constant under examination."""

    def __init__(self, proposal: ConstantProposal, setting: Setting) -> None:
        self.proposal = proposal
        self.setting = setting

    @cached_property
    def passage(self) -> Passage | None:
        """Where its quote stands."""
        return find_passage(self.proposal.quote, self.setting.chunk, document=self.setting.document)

    @property
    def known_passage(self) -> Passage:
        """Its passage, once that is known to exist."""
        assert self.passage is not None
        return self.passage

    @cached_property
    def symbol(self) -> str | None:
        """The name of ours for its symbol."""
        return symbol_name(self.proposal.symbol)

    @cached_property
    def unit(self) -> Unit | None:
        """Its unit; None where the text given is none."""
        text = self.proposal.unit
        return unit_of_text(text, kinds=kinds_of(self.proposal.description)) if text else NO_UNIT

    @property
    def unit_is_given(self) -> bool:
        """Whether it has a unit that is more than a plain number."""
        return self.unit is not None and bool(self.unit.text)

    @cached_property
    def value(self) -> Value | None:
        """Its number with its unit."""
        number = _number(self.proposal.value)
        return None if number is None or self.unit is None else Value(number.number, self.unit)

    @cached_property
    def written(self) -> tuple[tuple[str, Value], ...]:
        """The values in the sentence of the quote, each with the symbol it is given to, empty where none is."""
        return tuple(_values(self.known_passage))

    @property
    def is_limit(self) -> bool:
        """Whether the text states it as a bound: at most 180 °C, T_max = 180 °C."""
        return self.names_limit and (
            self.symbol in {name for name, _ in self.written} or _LIMIT.search(self.known_passage.whole) is not None
        )

    @property
    def names_limit(self) -> bool:
        """Whether its symbol is that of a bound, and so of no quantity that varies."""
        return self.symbol is not None and self.symbol.endswith(_NAMES_LIMIT)

    @cached_property
    def standard(self) -> Constant | None:
        """The standard constant that it is, by symbol or words, and by dimension and size."""
        if self.value is None:
            return None
        return standard_of(self.value, name=self.symbol or "", words=self.proposal.description)


def _number(text: str) -> Value | None:
    math = Math(text.strip().strip("$"), "latex", Place(), text)
    found = value_of_text(text) or value_of_math(math)
    if found is None or found.unit is not None or abs(found.number.adjusted()) > _LARGEST_EXPONENT:
        return None
    return found


def _values(passage: Passage) -> Iterator[tuple[str, Value]]:
    for math in passage.formulas:
        for assignment in assignments_in(math):
            yield assignment.name, assignment.value
        alone = value_of_math(math)
        if alone is not None:
            yield "", alone
    text = passage.whole.replace("$", " ")
    try:
        mentions = find_quantities(text)
    except UnitError:
        return
    for mention in mentions:
        value = value_of_mention(mention, text)
        if value is not None:
            yield mention.symbol_name, value


def quote_stands_in_the_text(case: ConstantCase) -> Problem | None:
    """As of a formula."""
    if not case.proposal.quote.strip():
        return Problem("no_quote", "it quotes nothing")
    if len(case.proposal.quote) > LONGEST_QUOTE:
        return Problem("quote_too_long", f"a quote of more than {LONGEST_QUOTE} characters proves nothing")
    return Problem("quote_not_found", "the quote does not stand in the passage") if case.passage is None else None


def symbol_reads(case: ConstantCase) -> Problem | None:
    """It has one symbol that can be one."""
    return Problem("unreadable", f"{case.proposal.symbol[:40]!r} is no symbol") if case.symbol is None else None


def value_reads(case: ConstantCase) -> Problem | None:
    """Number and unit are what they are given as."""
    if _number(case.proposal.value) is None:
        return Problem("value_unreadable", f"{case.proposal.value[:60]!r} is no number that can be read")
    if case.unit is None:
        return Problem("unknown_unit", f"{case.proposal.unit!r} is no unit that can be read")
    return None


def value_stands_in_the_quote(case: ConstantCase) -> Problem | None:
    """The same digits with the same unit, and given to no other symbol."""
    assert case.value is not None
    same_number = [(name, value) for name, value in case.written if value.number == case.value.number]
    if not same_number:
        return Problem("value_not_in_quote", f"the value {case.proposal.value} does not stand in the quote")
    fitting = [(name, value) for name, value in same_number if _same_unit(value, case)]
    if not fitting:
        stated = next((value.unit.text for _, value in same_number if value.unit is not None), "none")
        shown = case.proposal.unit or "no unit"
        return Problem("unit_not_in_quote", f"it is given with {shown}; the unit in the quote is {stated or 'none'}")
    names = {name for name, _ in fitting if name}
    if names and case.symbol not in names:
        return Problem("value_of_another_symbol", f"the quote gives this value to {', '.join(sorted(names))}")
    if not names and not case.unit_is_given:
        # The 1 of "1/s", a year, the bound of a range: a bare number is a value only where a sign says of what.
        return Problem("value_not_given", f"the quote does not give {case.proposal.value} to {case.proposal.symbol}")
    return None


def _same_unit(written: Value, case: ConstantCase) -> bool:
    unit = case.unit
    assert unit is not None
    if written.unit is None:
        return not unit.text or unit_stands(case.proposal.unit, case.known_passage.whole)
    return (written.unit.dimension, written.unit.scale, written.unit.offset) == (
        unit.dimension,
        unit.scale,
        unit.offset,
    )


def symbol_stands_in_the_quote(case: ConstantCase) -> Problem | None:
    """The symbol is written there; of a limit in words, the noun that it bounds is."""
    assert case.symbol is not None
    whole = case.known_passage.whole
    if case.is_limit and case.unit_is_given and _is_described(case):
        return None
    if missing_symbol((case.symbol,), whole) is not None or not _stands_alone(case.proposal.symbol, whole):
        return Problem("symbol_not_in_quote", f"{case.proposal.symbol} does not stand in the quote")
    return None


def _is_described(case: ConstantCase) -> bool:
    """Whether the words for it stand in the quote, so that it is clear what is bounded."""
    head = phrase_of_text(case.proposal.description).words
    return bool(head) and head <= phrase_of_text_words(case.known_passage.whole)


def _stands_alone(symbol: str, text: str) -> bool:
    """Whether a symbol is a word or a part of a formula by itself: the letters of "vacuum" are no symbols."""
    wanted = signs_of(symbol)
    return any(signs_of(piece) == wanted for piece in _BETWEEN.split(text) if piece)


def text_treats_it_as_a_constant(case: ConstantCase) -> Problem | None:
    """It is a known constant of that size, or the text calls it one; and it is no value of a worked example."""
    chunk = case.setting.chunk
    here = case.known_passage.here
    if is_exercise(here) or is_worked_context(here) or _ONE_CASE.search(case.known_passage.whole):
        return Problem("among_exercises", "it stands in an exercise or a worked example, as a value of one case")
    titles = " ".join(chunk.heading_path[-2:])
    said = _SAYS_CONSTANT.search(f"{case.known_passage.whole} {titles}") is not None
    if case.standard is None and not said and not case.is_limit:
        return Problem("not_called_a_constant", "it is no known constant, and the text does not call it one")
    named = constants_named(case.proposal.description) if case.proposal.description else ()
    if case.standard is None and case.value is not None and any(case.symbol in item.symbols for item in named):
        return Problem("not_the_known_constant", f"the value is not that of {named[0].name}")
    return None


def description_is_plain(case: ConstantCase) -> Problem | None:
    """A constant is known by its name, so a name that cannot be shown takes the constant along."""
    if not case.proposal.description:
        return None
    return text_problem(case.proposal.description, case.setting.chunk.text, longest=LONGEST_DESCRIPTION)


ConstantCheck = Callable[[ConstantCase], Problem | None]
CONSTANT_CHECKS: tuple[ConstantCheck, ...] = (
    quote_stands_in_the_text,
    symbol_reads,
    value_reads,
    value_stands_in_the_quote,
    symbol_stands_in_the_quote,
    text_treats_it_as_a_constant,
    description_is_plain,
)
