"""What each formula of a document is for: a general statement, a definition, a step, a case of one example, numbers.

Told from where it stands (a summary, an example), from the words that introduce it ("substituting", "is defined as"),
from its symbols (`m_car` occurs in one example only) and from numbers of one case in place of symbols. Everything is
kept; only general statements and definitions are computed with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from mathrag.compute.canonical import LAW, canonical_key
from mathrag.extract.conditions import compared_in_sentence
from mathrag.extract.formula_reader import ReadFormula
from mathrag.extract.occurrences import Occurrence
from mathrag.extract.parts import WORKED
from mathrag.extract.phrases import last_sentence, words_of
from mathrag.extract.shapes import case_of, instance_of, is_value, outline_of
from mathrag.extract.weights import weights
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.document import ListItem, Paragraph
from mathrag.types.expression import (
    Call,
    Declined,
    Divide,
    Equation,
    Expression,
    Measure,
    Number,
    Power,
    Symbol,
    equation_symbols,
    symbols_of,
    walk,
)
from mathrag.types.library import GENERAL_PURPOSES, Purpose

_MOSTLY_WORKED = weights("purposes")["mostly_worked"]
_STEP = re.compile(rf"\b(?:{any_of('parts.step_words')})", re.IGNORECASE)
_STATING = re.compile(rf"\b(?:{any_of('parts.stating')})\b", re.IGNORECASE)
_DEFINING = re.compile(rf"\b(?:{any_of('parts.defining')})\b", re.IGNORECASE)
_SUPPOSING = re.compile(rf"\b(?:{any_of('parts.supposing')})\b[^,;:.]*$", re.IGNORECASE)
_EXAMPLE = re.compile(rf"\b(?:{any_of('parts.example_leads')})\b", re.IGNORECASE)
_CONNECTIVES = word_class("parts.connectives")
_EXPLAINS = re.compile(r"\W*(?:\(?[\d.\-]+\)?\W*)?(?:where|here|in which|with)\b", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z]\w*")
# Functions whose value people leave to the one case; `ln 2` and a root of two stand in rules.
_OF_A_VALUE = frozenset(("exp", "sin", "cos", "tan"))
_REACH = 4
# Different equations of one outline: each is compared with all of them, so a list of thousands must not be.
_MOST_ALIKE = 100
_LONGEST_LEAD = 240


def with_purposes(reads: Sequence[ReadFormula]) -> list[ReadFormula]:
    """The formulas of a document, each with what its equations are for."""
    by_place = not _is_about_examples(reads)
    first = [replace(read, purposes=_by_place(read, by_place=by_place)) for read in reads]
    first = _with_results_used(first)
    steps = _steps(first)
    second = [
        replace(read, purposes=tuple("step" if one == "general" else one for one in read.purposes))
        if index in steps
        else read
        for index, read in enumerate(first)
    ]
    return _by_others(second)


def _with_results_used(reads: Sequence[ReadFormula]) -> list[ReadFormula]:
    """Where a number came out of a case shortly before, an equation with that number is of the same case; a whole
    number that the formula of the case has itself, the 16 of 16 T/(pi d^3), came out of nothing."""
    came_out: dict[Decimal | int, int] = {}
    factors: set[Decimal | int] = set()
    found = []
    for read in reads:
        block = read.occurrence.block
        is_used = [
            any(block - came_out.get(number, -_REACH - 1) <= _REACH for number in _measured(equation))
            for equation in read.equations
        ]
        purposes: list[Purpose] = [
            "instance" if used and purpose in GENERAL_PURPOSES and read.occurrence.row is None else purpose
            for used, purpose in zip(is_used, read.purposes, strict=True)
        ]
        found.append(replace(read, purposes=tuple(purposes)))
        instances = [one for one, purpose in zip(read.equations, purposes, strict=True) if purpose == "instance"]
        general = (one for one, purpose in zip(read.equations, purposes, strict=True) if purpose in GENERAL_PURPOSES)
        factors.update(number for one in general for number in _measured(one) if isinstance(number, int))
        for equation in (*instances, *read.numeric):
            came_out.update(dict.fromkeys((each for each in _measured(equation) if each not in factors), block))
    return found


def _measured(equation: Equation) -> list[Decimal | int]:
    """The measured numbers of an equation, without their units."""
    return [
        node.value
        for side in (equation.left, equation.right)
        for node in walk(side)
        if isinstance(node, Number) and is_value(node)
    ]


def _is_about_examples(reads: Sequence[ReadFormula]) -> bool:
    """Whether a document is a collection of examples: then standing in one says nothing."""
    all_equations = sum(len(read.equations) for read in reads)
    worked = sum(len(read.equations) for read in reads if read.occurrence.part in WORKED)
    return worked > _MOSTLY_WORKED * all_equations


def _by_place(read: ReadFormula, *, by_place: bool) -> tuple[Purpose, ...]:
    """What the equations are for by the part they stand in and by their own numbers."""
    occurrence = read.occurrence
    is_worked = by_place and occurrence.part in WORKED
    found: list[Purpose] = []
    for place, equation in enumerate(read.equations):
        if is_worked:
            found.append("instance" if _has_number_of_a_case(equation) else "step")
        elif occurrence.row is None and (
            _is_a_result(equation) or _is_an_example(occurrence, equation) or _is_worked_out(read, equation)
        ):
            found.append("instance")
        elif _is_on_the_way(equation, occurrence) or _is_unfinished(equation, occurrence):
            found.append("step")
        elif _is_said_of_a_case(occurrence):
            found.append("case")
        elif _is_inside_a_chain(read, place):
            found.append("step")
        elif occurrence.part == "definition" or _DEFINING.search(lead_of(occurrence)):
            found.append("definition")
        else:
            found.append("general")
    return tuple(found)


def _has_number_of_a_case(equation: Equation) -> bool:
    """Whether a measured number stands in it: one with a unit, or with decimals."""
    return any(
        isinstance(node, Measure) or (isinstance(node, Number) and isinstance(node.value, Decimal))
        for side in (equation.left, equation.right)
        for node in walk(side)
    )


def _is_a_result(equation: Equation) -> bool:
    """Whether a ratio or a function of symbols is said to be a measured number, as only one case can say: a product or
    a sum that is the same number in all cases may be a law."""
    for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if isinstance(side, Divide | Call | Power) and is_value(other) and not isinstance(other, Measure):
            return True
    return False


def _is_worked_out(read: ReadFormula, equation: Equation) -> bool:
    """Whether numbers were put in: into a function (`exp(-1)`), or along a chain in place of symbols that are gone."""
    for node in walk(equation.right):
        if isinstance(node, Call) and node.function in _OF_A_VALUE and not symbols_of(node):
            return True
    stated = set(equation_symbols(read.equations[0]))
    return _has_number_of_a_case(equation) and set(equation_symbols(equation)) < stated


def _is_an_example(occurrence: Occurrence, equation: Equation) -> bool:
    """Whether a sentence gives an example with a number: "for example, with A = 5 m"."""
    has_number = any(isinstance(node, Number | Measure) for node in walk(equation.right))
    return has_number and not _stands_alone(occurrence) and _EXAMPLE.search(lead_of(occurrence)) is not None


def _is_on_the_way(equation: Equation, occurrence: Occurrence) -> bool:
    """Whether something was done to both sides and is not finished: nothing stands free on the left."""
    left = equation.left
    parts: tuple[Expression, ...] = (left,)
    if isinstance(left, Divide):
        parts = (left.numerator, left.denominator)
    elif isinstance(left, Power):
        parts = (left.base,)
    is_free = all(isinstance(part, Symbol) for part in parts)
    is_finished = is_free and not set(symbols_of(left)) & set(symbols_of(equation.right))
    return not is_finished and not _is_listed(occurrence) and not _is_explained(occurrence) and _follows(occurrence)


def _is_unfinished(equation: Equation, occurrence: Occurrence) -> bool:
    """Whether a symbol stands in it that cancels, as in `T = m/(m g/L)`: nobody states a rule like that."""
    key = canonical_key(equation)
    if key.startswith(LAW) or not _NAME.search(key):
        # Both sides are the same, whatever the symbols are; or there are none.
        return True
    is_simple = "#" in key or set(_NAME.findall(key)) >= set(equation_symbols(equation))
    return not is_simple and not _is_listed(occurrence)


def _is_said_of_a_case(occurrence: Occurrence) -> bool:
    """Whether a formula inside a sentence is a supposition: "if the speeds are equal, v_1 = v_2"."""
    if _stands_alone(occurrence) or any(compared_in_sentence(occurrence)):
        # A comparison is a condition that values decide, not a supposition.
        return False
    return _SUPPOSING.search(lead_of(occurrence)) is not None


def _is_inside_a_chain(read: ReadFormula, place: int) -> bool:
    """Whether it is one of the middle members of a = b = c = d: the way from the first to the last."""
    if isinstance(read.reading, Declined) or _is_listed(read.occurrence):
        return False
    members = [one for one in read.equations if one.left == read.equations[0].left]
    return len(members) == len(read.equations) > 2 and 0 < place < len(members) - 1


def _stands_alone(occurrence: Occurrence) -> bool:
    return occurrence.math.is_display or occurrence.row is not None


def _is_listed(occurrence: Occurrence) -> bool:
    """Whether it stands where formulas are stated: a table, a summary, a line with a number."""
    return (
        occurrence.row is not None
        or occurrence.part in ("summary", "definition", "statement")
        or bool(occurrence.math.number)
    )


def lead_of(occurrence: Occurrence) -> str:
    """The words that introduce a formula: the sentence before it, in its own paragraph or the one above."""
    before = words_of(occurrence.before)
    if not before and occurrence.lead and isinstance(occurrence.lead[0], Paragraph | ListItem):
        before = words_of(occurrence.lead[0].content)
    return last_sentence(before[-2 * _LONGEST_LEAD :])[-_LONGEST_LEAD:]


def _steps(reads: Sequence[ReadFormula]) -> set[int]:
    """The formulas that are on the way to another: introduced as a step, and followed by the next step."""
    known = [index for index, read in enumerate(reads) if _counts(read)]
    follows = {index: _follows(reads[index].occurrence) for index in known}
    steps: set[int] = set()
    for index, later in pairwise(known):
        here, after = reads[index].occurrence, reads[later].occurrence
        is_near = here.headings == after.headings and after.block - here.block <= _REACH
        if not is_near or _is_listed(here) or not _stands_alone(after) or not follows[later]:
            continue
        in_derivation = here.part == "derivation"
        if (follows[index] or in_derivation or not _stands_alone(here)) and not _is_explained(here):
            steps.add(index)
    return steps


def _counts(read: ReadFormula) -> bool:
    return bool(read.equations or (isinstance(read.reading, Declined) and read.occurrence.math.is_display))


def _follows(occurrence: Occurrence) -> bool:
    """Whether the words before a formula make it follow from the one before."""
    lead = lead_of(occurrence)
    if not lead or _STATING.search(lead):
        return False
    return _STEP.search(lead) is not None or lead.strip(" ,.:;").casefold() in _CONNECTIVES


def _is_explained(occurrence: Occurrence) -> bool:
    """Whether the words after it say what its symbols are, as is done for what is stated."""
    if _EXPLAINS.match(words_of(occurrence.after)):
        return True
    following = occurrence.follow[0] if occurrence.follow and not occurrence.after else None
    return isinstance(following, Paragraph) and _EXPLAINS.match(words_of(following.content[:3])) is not None


def _by_others(reads: Sequence[ReadFormula]) -> list[ReadFormula]:
    """What the rest of the document shows: symbols of one example only, a general statement with numbers put in."""
    general: dict[str, dict[Equation, None]] = {}
    names: set[str] = set()
    for read in reads:
        for equation, purpose in zip(read.equations, read.purposes, strict=True):
            if purpose in GENERAL_PURPOSES:
                names.update(equation_symbols(equation))
                alike = general.setdefault(outline_of(equation), {})
                if len(alike) < _MOST_ALIKE:
                    alike[equation] = None
    result = []
    shared = frozenset(names)
    for read in reads:
        pairs = zip(read.equations, read.purposes, strict=True)
        result.append(replace(read, purposes=tuple(_settled(one, purpose, general, shared) for one, purpose in pairs)))
    return result


def _settled(
    equation: Equation, purpose: Purpose, general: Mapping[str, Iterable[Equation]], names: frozenset[str]
) -> Purpose:
    if purpose == "step" and not names.issuperset(equation_symbols(equation)):
        return "case"
    if purpose not in GENERAL_PURPOSES:
        return purpose
    alike = general.get(outline_of(equation), ())
    if _has_number_of_a_case(equation) and any(instance_of(equation, other) for other in alike):
        return "instance"
    # "q_1 = C_1 V" beside "q = C V" speaks of one of several things.
    return "case" if any(case_of(equation, other) for other in alike) else purpose
