"""The checks that a proposed formula passes, one function each, read top to bottom in `FORMULA_CHECKS`.

The first that fails rejects the formula with its code. What passes but leaves a doubt (words that can be meant in two
ways, a unit that nobody knows) is kept and not computed with: see `FormulaCase.doubt`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.printers.latex import latex_text
from mathrag.documents.views.records import ChunkView
from mathrag.extract.formula_reader import UNCERTAIN
from mathrag.extract.number_check import foreign_number
from mathrag.extract.proposals.agreement import Said, Verdict, compare, unanswered, worked_numbers
from mathrag.extract.proposals.equations import proposed_equation, says_the_same, telling_number
from mathrag.extract.proposals.meanings import (
    UNITS_FROM_MODEL,
    UNITS_UNKNOWN,
    Proposed,
    Understood,
    proposed_meanings,
    understand,
)
from mathrag.extract.proposals.operators import unsupported_operation
from mathrag.extract.proposals.quotes import Passage, find_passage, find_quote, missing_symbol, same_signs, signs_of
from mathrag.extract.proposals.records import FormulaProposal, Problem
from mathrag.extract.proposals.spoken import (
    PRONOUNS,
    Phrase,
    denials_in,
    phrase_of_text,
    sentences_of,
    spoken_equations,
    tokens_of,
)
from mathrag.extract.sorts import is_exercise, is_worked_context
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.unit_text import unit_of_text
from mathrag.types.document import Document
from mathrag.types.expression import Equation, Number, equation_symbols, walk
from mathrag.types.library import PROPOSED, Finding, SymbolDefinition

LONGEST_QUOTE = 600
UNCONFIRMED = "structure_unconfirmed"
AMBIGUOUS = "ambiguous_words"
# What a second asking in other words may settle.
OPEN_TO_AGREEMENT = (UNCONFIRMED, AMBIGUOUS)
_LONGEST_BEFORE = 600
_PERCENTAGE = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)\s{0,2}(?:%|per\s?cent\b)")
_IN_UNIT = re.compile(r"(?:\bin|\(|\[|\d)\s{0,2}([^\W\d_]{1,20})")
# Why the rules declined what may be an equation all the same; everything else is declined for good reason.
COMPLETABLE = frozenset(
    "syntax notation symbol subscript superscript free_text structure element order decimal_comma unit".split()
)


@dataclass(frozen=True, slots=True)
class Setting:
    """One chunk with what the rules know of it: findings by their short names, definitions over it.

    `again` are the formulas that the model gave when it was asked about the chunk a second time, in other words.
    """

    chunk: ChunkView
    findings: tuple[Finding, ...]
    definitions: Mapping[str, SymbolDefinition]
    document: Document | None = None
    again: tuple[FormulaProposal, ...] = ()

    def named(self, name: str) -> Finding | None:
        """The finding that a short name such as `F2` stands for."""
        number = name[1:]
        if name[:1] != "F" or not number.isascii() or not number.isdecimal() or len(number) > 4:
            return None
        index = int(number) - 1
        return self.findings[index] if 0 <= index < len(self.findings) else None


class FormulaCase:
    """A proposed formula under examination; what the checks share is worked out once, when first asked for."""

    def __init__(self, proposal: FormulaProposal, setting: Setting) -> None:
        self.proposal = proposal
        self.setting = setting

    @cached_property
    def passage(self) -> Passage | None:
        """Where its quote stands; of a formula that the rules found, the formula itself where no quote is given."""
        quote = self.proposal.quote
        if not quote.strip() and (named := self.setting.named(self.proposal.finding)) is not None:
            quote = named.span.quote
        return find_passage(quote, self.setting.chunk, document=self.setting.document)

    @cached_property
    def read(self) -> Equation | Problem:
        """Its equation, or why there is none."""
        return proposed_equation(self.proposal)

    @property
    def equation(self) -> Equation:
        """Its equation, once `equation_reads` has passed."""
        assert isinstance(self.read, Equation)
        return self.read

    @property
    def known_passage(self) -> Passage:
        """Its passage, once `quote_stands_in_the_text` has passed."""
        assert self.passage is not None
        return self.passage

    @cached_property
    def said(self) -> Mapping[str, Proposed]:
        """What it says of its symbols."""
        return proposed_meanings(self.proposal.parameters, self.setting.chunk.text)

    @cached_property
    def phrases(self) -> Mapping[str, Phrase]:
        """The words it uses for its symbols."""
        return {
            name: phrase_of_text(proposed.meanings[0].description)
            for name, proposed in self.said.items()
            if proposed.meanings[0].description
        }

    @property
    def is_in_words(self) -> bool:
        """Whether the document says it without an equality sign."""
        return not self.known_passage.has_relation

    @cached_property
    def overlapping(self) -> tuple[Finding, ...]:
        """What the rules found where the quote stands."""
        passage = self.known_passage
        found = []
        for finding in self.setting.findings:
            place = find_quote(finding.span.quote, self.setting.chunk.text)
            if place is not None and place.start < passage.end and passage.start < place.end:
                found.append(finding)
        return tuple(found)

    @cached_property
    def equal(self) -> Finding | None:
        """The rules' finding in this chunk that is the same equation, that at the quote first."""
        for finding in (*self.overlapping, *self.setting.findings):
            if finding.equation is not None and says_the_same(finding.equation, self.equation):
                return finding
        return None

    @cached_property
    def declined(self) -> Finding | None:
        """The rules' finding at the quote that could not be read, if it is the only one there."""
        unread = [one for one in self.overlapping if one.status == "declined" and one.equation is None]
        return unread[0] if len(unread) == 1 else None

    @cached_property
    def understood(self) -> Understood | Problem:
        """What its symbols mean."""
        return understand(
            self.stated,
            self.said,
            self.setting.definitions,
            is_in_words=self.is_in_words,
            words=self.known_passage.whole,
            is_said_plainly=self.is_in_words
            and bool(self.spoken)
            and all(says_the_same(one, self.equation) for one in self.spoken or ()),
        )

    @cached_property
    def structure(self) -> tuple[Problem | None, Problem | None]:
        """What is wrong with how it combines its symbols, and what remains doubtful about it."""
        return _spoken(self) if self.is_in_words else (_written(self), None)

    @property
    def names(self) -> dict[str, Phrase]:
        """The symbols of the equation with the words for them."""
        return {name: self.phrases[name] for name in equation_symbols(self.equation) if name in self.phrases}

    @cached_property
    def before(self) -> str:
        """The text before the sentence of the quote."""
        text, whole = self.setting.chunk.text, self.known_passage.whole
        return text[max(0, text.find(whole) - _LONGEST_BEFORE) : max(0, text.find(whole))]

    @property
    def quoted(self) -> str:
        """The words it rests on: its quote, with the sentence before where a pronoun stands for what that is about."""
        passage, text = self.known_passage, self.setting.chunk.text
        words = phrase_of_text_words(passage.whole)
        earlier = list(sentences_of(self.before))[-1:]
        if not self.is_in_words or all(phrase.head <= words for phrase in self.names.values()) or not earlier:
            return passage.quote
        return text[max(0, text.rfind(earlier[0], 0, passage.start)) : passage.end]

    @cached_property
    def spoken(self) -> tuple[Equation, ...] | None:
        """What the words of its passage say by our own reading; None where they can mean too much."""
        return spoken_equations(self.known_passage.whole, self.names, before=self.before)

    @cached_property
    def is_said(self) -> bool:
        """Whether our own reading of the words is this equation, and no other that could be meant."""
        return self.is_in_words and bool(self.spoken) and self.structure == (None, None)

    @cached_property
    def stated(self) -> Equation:
        """Its equation solved as the document solves it, where that is known."""
        own = self.equation
        stated = self.spoken if self.is_in_words else self.known_passage.equations
        same = [one for one in stated or () if says_the_same(one, own)]
        # Where the words amount to a number (increased by 10 %), their own numbers are kept.
        has_own_numbers = not self.is_in_words or foreign_number(own, self.known_passage.whole) is None
        if not same or (has_own_numbers and any(one.target == own.target for one in same)):
            return own
        return replace(same[0], conditions=())

    @cached_property
    def second(self) -> Verdict:
        """What the model said when it was asked again, in other words, of the same passage."""
        found: set[Verdict] = set()
        own = self.as_said
        for proposal in self.setting.again:
            other = FormulaCase(proposal, replace(self.setting, again=()))
            if other.passage is None or not _overlap(other.passage, self.known_passage):
                continue
            if own is not None and other.is_sound and (said := other.as_said) is not None:
                found.add(compare(own, said))
        return "contradicts" if "contradicts" in found else "confirms" if "confirms" in found else "silent"

    @property
    def is_sound(self) -> bool:
        """Whether it passes all checks."""
        return all(check(self) is None for check in FORMULA_CHECKS)

    @property
    def as_said(self) -> Said | None:
        """Its equation with what its symbols are, to be compared with another asking's."""
        if isinstance(self.understood, Problem):
            return None
        dimensions = {one.name: one.dimension for one in self.understood.symbols}
        return Said(self.equation, self.names, dimensions)

    @cached_property
    def worked(self) -> Verdict:
        """Whether the numbers that the text works out after the passage come out."""
        if not self.is_in_words or isinstance(self.understood, Problem):
            return "silent"
        text, whole = self.setting.chunk.text, self.known_passage.whole
        after = text[text.find(whole) + len(whole) :] if whole in text else ""
        return worked_numbers(self.stated, self.understood.symbols, after)

    @cached_property
    def is_agreed(self) -> bool:
        """Whether two askings decide where our own reading of the words does not: nothing is left out of the words, and
        where they can be meant in several ways it is the first of them."""
        doubt = self.structure[1]
        if doubt is None or doubt.code not in OPEN_TO_AGREEMENT or self.spoken is None:
            return False
        if self.spoken and not says_the_same(self.spoken[0], self.equation):
            return False
        is_whole = unanswered(self.equation, self.known_passage.whole, self.names) is None
        return is_whole and self.second == "confirms"

    @property
    def confirmed_by(self) -> str:
        """What vouches for how the quantities are combined, for people; empty for a formula in signs."""
        if not self.is_in_words:
            return ""
        reasons = ["the words read the same" if self.is_said else "the model said the same when asked again"]
        return " and ".join([*reasons, *(["the numbers beside it come out"] if self.worked == "confirms" else [])])

    @property
    def is_repaired(self) -> bool:
        """Whether its structure is the model's alone: the quote has the same signs and cannot be read."""
        return not self.is_in_words and not self.known_passage.equations

    @property
    def doubt(self) -> Problem | None:
        """Why it is kept without being computed with; None where nothing is open."""
        if self.structure[1] is not None and not self.is_agreed:
            return self.structure[1]
        understood = self.understood
        if isinstance(understood, Problem):
            return understood
        if self.worked == "contradicts":
            return Problem("contradicts_example", "the numbers that the text works out beside it do not come out by it")
        if understood.doubt is not None and not (self.is_said and _is_worked_out(self.stated, understood)):
            return understood.doubt
        return _number_doubt(self, understood) or (_repair_doubt(understood) if self.is_repaired else None)


def _number_doubt(case: FormulaCase, understood: Understood) -> Problem | None:
    """A factor such as 1000 holds for the units that the author had in mind, which words and signs do not keep."""
    number = telling_number(case.equation)
    if number is None or (case.is_said and _are_shares(case, understood)):
        return None
    is_coherent = all(
        one.origin == "document" and one.unit is not None and _is_coherent(one.unit)
        for one in understood.symbols
        if one.dimension is not None and not one.dimension.is_dimensionless and one.role != "constant"
    )
    if is_coherent and not case.is_in_words and not case.is_repaired:
        return None
    return Problem(
        "number_equation", f"the number {number} may hold for certain units only, and nothing says for which"
    )


def _is_worked_out(equation: Equation, understood: Understood) -> bool:
    """Whether at most one symbol has no dimension of its own and gets it from the others, all of which have theirs.

    Enough where the words say how they are combined; else dimensions are all that vouches for it.
    """
    open_ones = [one for one in understood.symbols if one.origin in ("inferred", "unknown") or one.dimension is None]
    known = {one.name: one.dimension for one in understood.symbols if one.dimension is not None}
    is_open = understood.doubt is not None and understood.doubt.code in (UNITS_UNKNOWN, UNITS_FROM_MODEL)
    is_whole = len(open_ones) <= 1 and len(known) == len(understood.symbols)
    return is_open and is_whole and check_dimensions(equation, known).status == "consistent"


def _are_shares(case: FormulaCase, understood: Understood) -> bool:
    """Whether its numbers hold in any unit: percentages, or factors between quantities of one sort without units."""
    text = case.known_passage.whole
    shares = {Fraction(1), Fraction(100)}
    for digits in _PERCENTAGE.findall(text):
        share = Fraction(digits) / 100
        shares |= {Fraction(digits), share, 1 + share, 1 - share}
    numbers = {Fraction(value) for value in _numbers(case.equation)}
    if numbers <= shares:
        return True
    dimensions = {one.dimension for one in understood.symbols if one.dimension is not None}
    says_units = any(unit_of_text(word) is not None for word in _IN_UNIT.findall(text))
    return len({one for one in dimensions if not one.is_dimensionless}) <= 1 and not says_units


def _numbers(equation: Equation) -> Iterator[int | Decimal]:
    for side in (equation.left, equation.right):
        for node in walk(side):
            if isinstance(node, Number):
                yield node.value


def _is_coherent(unit: str) -> bool:
    read = read_canonical_unit(unit)
    return read.scale == 1.0 and not read.offset


def _repair_doubt(understood: Understood) -> Problem | None:
    """Only dimensions vouch for a structure that nobody wrote down, so they have to be somebody's word."""
    guessed = [one.name for one in understood.symbols if one.origin == "assumed"]
    if not guessed:
        return None
    return Problem("units_unknown", f"the structure was lost, and the text does not say what {guessed[0]} is")


def quote_stands_in_the_text(case: FormulaCase) -> Problem | None:
    """The quote is in the chunk, character by character but for blanks and typography."""
    if not case.proposal.quote.strip() and case.setting.named(case.proposal.finding) is None:
        return Problem("no_quote", "it quotes nothing")
    if len(case.proposal.quote) > LONGEST_QUOTE:
        return Problem("quote_too_long", f"a quote of more than {LONGEST_QUOTE} characters proves nothing")
    if case.passage is None:
        return Problem("quote_not_found", "the quote does not stand in the passage")
    return None


def stands_among_statements(case: FormulaCase) -> Problem | None:
    """Exercises hold wrong answers, worked examples the values of one case."""
    here = case.known_passage.here
    if is_exercise(here) or is_worked_context(here):
        return Problem("among_exercises", "it stands among exercises, worked examples or answers to choose from")
    return None


def equation_reads(case: FormulaCase) -> Problem | None:
    """LaTeX and Python text are one equation that our readers understand."""
    return case.read if isinstance(case.read, Problem) else None


def rules_do_not_contradict(case: FormulaCase) -> Problem | None:
    """Where the rules read an equation with certainty, another one for the same symbol loses."""
    if case.equal is not None:
        return None
    is_said_too = any(says_the_same(one, case.equation) for one in case.known_passage.equations)
    for finding in case.overlapping:
        if finding.reason_code == UNCERTAIN and not case.proposal.was_seen:
            return Problem(
                "uncertain_source", "the page could not be read with certainty there, so its signs prove nothing"
            )
        if finding.equation is None or finding.notation == PROPOSED or is_said_too:
            continue
        same_names = set(equation_symbols(finding.equation)) == set(equation_symbols(case.equation))
        if finding.equation.target == case.equation.target or same_names:
            return Problem("contradicts_rules", f"the rules read {finding.latex.strip()[:200]} there")
    declined = case.declined
    completable = {*COMPLETABLE, UNCERTAIN} if case.proposal.was_seen else COMPLETABLE
    if declined is not None and declined.reason_code not in completable:
        return Problem("not_completable", f"what stands there is no equation to compute with: {declined.reason}")
    return None


def numbers_stand_in_the_quote(case: FormulaCase) -> Problem | None:
    """Every number of the equation is written there, in digits or words, or is what the words amount to."""
    if case.equal is not None:
        return None
    if case.is_in_words and any(says_the_same(one, case.equation) for one in case.spoken or ()):
        return None
    number = foreign_number(case.equation, case.known_passage.whole)
    return (
        None if number is None else Problem("number_not_in_quote", f"the number {number} does not stand in the quote")
    )


def symbols_stand_in_the_quote(case: FormulaCase) -> Problem | None:
    """Every symbol is written there; of a formula in words, the noun that it stands for is."""
    if case.equal is not None:
        return None
    names = equation_symbols(case.equation)
    if not case.is_in_words:
        missing = missing_symbol(names, case.known_passage.whole)
        return None if missing is None else Problem("symbol_not_in_quote", f"{missing} does not stand in the quote")
    words = phrase_of_text_words(case.known_passage.whole)
    if not PRONOUNS.isdisjoint(token.text for token in tokens_of(case.known_passage.whole)):
        words |= phrase_of_text_words(case.before)
    for name in names:
        phrase = case.phrases.get(name)
        if phrase is None or not phrase.head:
            return Problem("symbol_not_described", f"it does not say in words what {name} is")
        if not phrase.head <= words:
            lacking = ", ".join(sorted(phrase.head - words))
            return Problem("noun_not_in_quote", f"{lacking}, said to be {name}, does not stand in the quote")
    return None


def phrase_of_text_words(text: str) -> frozenset[str]:
    """All words of a text in one spelling."""
    found: set[str] = set()
    for sentence in text.split("."):
        tokens = tokens_of(sentence)
        found.update(*(phrase_of_text(token.text).words for token in tokens if not token.symbol), ())
    return frozenset(found)


def operators_are_those_of_the_quote(case: FormulaCase) -> Problem | None:
    """The quote combines the symbols as the equation does: read as a formula, as words, or sign by sign."""
    return None if case.equal is not None else case.structure[0]


def dimensions_agree(case: FormulaCase) -> Problem | None:
    """With the units of the document, of the model's words and of the usual meanings."""
    if case.equal is not None:
        return None
    return case.understood if isinstance(case.understood, Problem) else None


FormulaCheck = Callable[[FormulaCase], Problem | None]
FORMULA_CHECKS: tuple[FormulaCheck, ...] = (
    quote_stands_in_the_text,
    stands_among_statements,
    equation_reads,
    rules_do_not_contradict,
    numbers_stand_in_the_quote,
    symbols_stand_in_the_quote,
    operators_are_those_of_the_quote,
    dimensions_agree,
)


def _written(case: FormulaCase) -> Problem | None:
    """The quote holds a formula in signs: it is this one, or, where it cannot be read, it has just these signs."""
    passage, equation = case.known_passage, case.equation
    if any(says_the_same(one, equation) for one in passage.equations):
        return None
    if passage.equations:
        shown = latex_text(passage.equations[0])
        return Problem("not_what_the_quote_says", f"the quote says {shown[:200]}")
    latex = case.proposal.latex or latex_text(equation)
    wanted = signs_of(latex)
    is_there = any(signs_of(math.source) == wanted for math in passage.formulas) or same_signs(latex, passage.whole)
    if not is_there:
        return Problem("signs_not_in_quote", "its letters, digits and signs are not those of the quote, in their order")
    return None


def _spoken(case: FormulaCase) -> tuple[Problem | None, Problem | None]:
    """The quote says it in words: what they can mean is compared with the equation."""
    passage, equation = case.known_passage, case.equation
    denial = denials_in(passage.whole, case.names)
    if denial:
        return Problem("not_an_equation", f"the quote states no equality: {', '.join(sorted(denial))}"), None
    readings = case.spoken
    if readings is None:
        return None, Problem(AMBIGUOUS, "the words can be meant in too many ways")
    if not readings:
        if equation.target is None:
            return Problem(
                "no_target", "no symbol stands alone on one side, and the words do not say how they combine"
            ), None
        operation = unsupported_operation(equation, passage.whole)
        if operation is not None:
            return Problem(
                "operators_not_in_quote", f"the words of the quote and the equation disagree on: {operation}"
            ), None
        return None, Problem(UNCONFIRMED, "the words do not say with certainty how the quantities are combined")
    others = [one for one in readings if not says_the_same(one, equation)]
    if len(others) == len(readings):
        return Problem("not_what_the_quote_says", f"the words say {latex_text(others[0])[:200]}"), None
    rivals = [one for one in others if _may_be_meant(one, case)]
    if rivals:
        return None, Problem(AMBIGUOUS, f"the words can also mean {latex_text(rivals[0])[:200]}")
    return None, None


def _may_be_meant(equation: Equation, case: FormulaCase) -> bool:
    """Whether another reading of the words has dimensions that agree just as well."""
    if isinstance(case.understood, Problem):
        return True
    known = {one.name: one.dimension for one in case.understood.symbols if one.dimension is not None}
    return check_dimensions(equation, known).status != "inconsistent"


def _overlap(one: Passage, other: Passage) -> bool:
    return one.start < other.end and other.start < one.end


def field_problems(said: Mapping[str, Proposed], names: Sequence[str]) -> list[tuple[str, Problem]]:
    """What is wrong with descriptions and units of symbols, one by one."""
    return [(name, problem) for name, proposed in said.items() if name in names for problem in proposed.problems]
