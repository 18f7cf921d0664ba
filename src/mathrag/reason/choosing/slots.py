"""Formulas prepared for choosing: each symbol as a slot with its dimension, its names and its state. Nothing is scored
here, and nothing depends on a question, so that it is made once for a formula."""

from __future__ import annotations

import math
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Generic, TypeGuard, TypeVar

from mathrag.extract.guesses import guesses_of, known_dimension
from mathrag.extract.known_relations import recognition
from mathrag.extract.number_equations import telling_number
from mathrag.knowledge.constants import constants_for_symbol
from mathrag.knowledge.kinds import kind as kind_of
from mathrag.knowledge.kinds import kinds_for_symbol, kinds_for_words, known_kind, lineage
from mathrag.knowledge.roles import role, roles_for_subscript, roles_for_words
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.quantity_names import said_dimension
from mathrag.language.stems import stem, stems
from mathrag.language.typed_symbols import SQUARED
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.choosing.names import LETTER, SAID_OTHERWISE, SymbolNames, make_names
from mathrag.reason.choosing.quotients import Quotient, quotients
from mathrag.reason.choosing.unsaid_units import unsaid_units
from mathrag.reason.choosing.weights import thresholds
from mathrag.retrieve.rarity import nearest_stems
from mathrag.types.expression import (
    Add,
    Call,
    Divide,
    Equation,
    Expression,
    Measure,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    add,
    divide,
    equation_symbols,
    multiply,
    negate,
    power,
    substitute,
    walk,
)
from mathrag.types.knowledge import QuantityKind
from mathrag.types.library import Alternative, Formula, SymbolMeaning
from mathrag.types.quantity import Dimension, Unit
from mathrag.types.symbol_names import WORD_LETTERS, SymbolParts, split_name

# Formulas whose symbols people state together: `P_1 - P_2` as a pressure drop, `-r` as a rate of consumption.
#
# Gives further readings of an equation in which such a piece is one symbol. The equation stays the document's; only
# what counts as given changes.

_MOST_NODES = 400


def readings_as_one(
    equation: Equation, meanings: Mapping[str, SymbolMeaning]
) -> Iterator[tuple[Equation, dict[str, SymbolMeaning]]]:
    """Equations with one composite replaced by a symbol, each with the meaning of that symbol."""
    yield from _squares(equation, meanings)
    nodes = [node for side in (equation.left, equation.right) for node in islice(walk(side), _MOST_NODES)]
    counts = Counter(node.name for node in nodes if isinstance(node, Symbol))
    # What is subtracted is no quantity of its own; only a factor or a whole side is.
    subtracted = {id(term) for node in nodes if isinstance(node, Add) for term in node.terms}
    for node in nodes:
        found = None
        if isinstance(node, Add) and len(node.terms) == 2:
            found = _difference(node, meanings, counts)
        elif isinstance(node, Negate) and isinstance(node.operand, Symbol) and id(node) not in subtracted:
            found = _opposite(node.operand.name, meanings, counts)
        if found is not None:
            changes, meaning = found
            left, right = (_tidied(substitute(side, changes)) for side in (equation.left, equation.right))
            yield replace(equation, left=left, right=right), {meaning.name: meaning}


def _squares(
    equation: Equation, meanings: Mapping[str, SymbolMeaning]
) -> Iterator[tuple[Equation, dict[str, SymbolMeaning]]]:
    """With the squares of plain numbers as symbols, where these stand in no other power: people state R²."""
    nodes = [node for side in (equation.left, equation.right) for node in islice(walk(side), _MOST_NODES)]
    squared = Counter(node.base.name for node in nodes if _is_square(node) and isinstance(node.base, Symbol))
    counts = Counter(node.name for node in nodes if isinstance(node, Symbol))
    made: dict[str, SymbolMeaning] = {}
    left, right = equation.left, equation.right
    for name, count in squared.items():
        meaning, square = meanings.get(name), f"{name}_{SQUARED}"
        if meaning is None or counts[name] != count or square in meanings or meaning.constant is not None:
            continue
        if meaning.dimension is None or not meaning.dimension.is_dimensionless or meaning.unit == "rad":
            continue
        left, right = (_with_square(side, name, square) for side in (left, right))
        description = meaning.description if meaning.origin == "document" else ""
        made[square] = replace(
            meaning, name=square, letter=f"{meaning.letter or name}^2", description=description, kind=None
        )
    if made:
        yield replace(equation, left=left, right=right), made


def _is_square(node: Expression) -> TypeGuard[Power]:
    return isinstance(node, Power) and isinstance(node.base, Symbol) and node.exponent == Number(2)


def _with_square(expression: Expression, name: str, square: str) -> Expression:
    match expression:
        case Power(Symbol(found), Number(2)) if found == name:
            return Symbol(square)
        case Add(terms):
            return add(*(_with_square(term, name, square) for term in terms))
        case Multiply(factors):
            return multiply(*(_with_square(factor, name, square) for factor in factors))
        case Divide(numerator, denominator):
            return divide(_with_square(numerator, name, square), _with_square(denominator, name, square))
        case Power(base, exponent):
            return power(_with_square(base, name, square), _with_square(exponent, name, square))
        case Negate(operand):
            return negate(_with_square(operand, name, square))
        case Call(function, arguments):
            return Call(function, tuple(_with_square(argument, name, square) for argument in arguments))
        case _:
            return expression


def equation_of_sizes(equation: Equation) -> Equation | None:
    """The same between the sizes of things, where a minus before a product only says which way something acts: the
    force of a spring. None where there is no such minus."""
    left, right = _unsigned(equation.left), _unsigned(equation.right)
    if (left is None) == (right is None) or not all(map(_is_product, (left or equation.left, right or equation.right))):
        return None
    return replace(equation, left=left or equation.left, right=right or equation.right)


def _is_product(side: Expression) -> bool:
    """Whether nothing is added and no function is taken, so that the sign of the whole is that of its factors."""
    return all(isinstance(node, Symbol | Number | Multiply | Divide | Power) for node in walk(side))


def _unsigned(side: Expression) -> Expression | None:
    """A product without the one minus in it; None where it has none."""
    if isinstance(side, Negate):
        return side.operand
    if isinstance(side, Multiply):
        signed = [factor for factor in side.factors if isinstance(factor, Negate)]
        if len(signed) != 1:
            return None
        return multiply(*(factor.operand if isinstance(factor, Negate) else factor for factor in side.factors))
    if isinstance(side, Divide):
        above = _unsigned(side.numerator)
        return None if above is None else divide(above, side.denominator)
    return None


def _difference(
    piece: Add, meanings: Mapping[str, SymbolMeaning], counts: Mapping[str, int]
) -> tuple[dict[str, Expression], SymbolMeaning] | None:
    """`P_1 - P_2`, where both stand nowhere else and differ by a subscript only."""
    plus = [term for term in piece.terms if isinstance(term, Symbol)]
    minus = [term.operand for term in piece.terms if isinstance(term, Negate) and isinstance(term.operand, Symbol)]
    if len(plus) != 1 or len(minus) != 1:
        return None
    first, second = plus[0].name, minus[0].name
    letter = split_name(first).letter
    one, other = meanings.get(first), meanings.get(second)
    if letter != split_name(second).letter or counts[first] > 1 or counts[second] > 1:
        return None
    name = f"Delta_{letter}"
    if one is None or other is None or name in meanings or not _are_of_one_dimension(one, other):
        return None
    quantity = one.kind.replace("_", " ") if one.kind else one.description
    kinds = [
        kind.id
        for words in (f"{quantity} difference", f"{quantity} change", f"{quantity} drop")
        for kind in kinds_for_words(words)
        if kind.dimension == one.dimension
    ]
    description = f"{quantity} difference".strip()
    meaning = SymbolMeaning(
        name,
        description,
        one.unit,
        one.dimension,
        kinds[0] if kinds else one.kind,
        origin="inferred",
        letter=rf"\Delta {letter}",
    )
    # Each stands only here, so that one may carry the difference and the other nothing.
    return {first: Symbol(name), second: Number(0)}, meaning


def _are_of_one_dimension(one: SymbolMeaning, other: SymbolMeaning) -> bool:
    """Whether two symbols vary and are measured alike."""
    if one.constant or other.constant:
        return False
    return one.dimension is not None and one.dimension == other.dimension


def _opposite(
    name: str, meanings: Mapping[str, SymbolMeaning], counts: Mapping[str, int]
) -> tuple[dict[str, Expression], SymbolMeaning] | None:
    """`-r`, where the symbol stands nowhere else: people state its size."""
    meaning = meanings.get(name)
    if meaning is None or counts[name] > 1 or meaning.constant is not None or meaning.dimension is None:
        return None
    opposite = f"{name}_consumed"
    described = f"{meaning.description or name} consumed"
    changed = replace(meaning, name=opposite, description=described, letter=f"(-{meaning.letter or name})")
    return {name: Negate(Symbol(opposite))}, changed


def _tidied(expression: Expression) -> Expression:
    """Without added zeros and double signs, so that people read the formula they know."""
    match expression:
        case Negate(Negate(inner)):
            return _tidied(inner)
        case Negate(operand):
            return negate(_tidied(operand))
        case Add(terms):
            kept = [_tidied(term) for term in terms if term not in (Number(0), Negate(Number(0)))]
            return add(*kept) if kept else Number(0)
        case Multiply(factors):
            return multiply(*(_tidied(factor) for factor in factors))
        case Divide(numerator, denominator):
            return divide(_tidied(numerator), _tidied(denominator))
        case Power(base, exponent):
            return power(_tidied(base), _tidied(exponent))
        case Call(function, arguments):
            return Call(function, tuple(_tidied(argument) for argument in arguments))
        case _:
            return expression


_MOST_LETTER_KINDS = 4
# A symbol typed without its subscripts set apart has so few letters, and is none of the words that every text has.
_LONGEST_SPELLED = 4
_ORDINARY = word_class("questions.stop_words") | word_class("grammar.stop_words") | word_class("grammar.function_words")
# "height of the source above the ground": the source's.
_OWNER = re.compile(r"\bof (?:the |an? )?([a-z]{3,20})\b")
_LEAST_PRIOR = thresholds("reading")["least_prior"]
_OPENED_PRIOR = thresholds("reading")["opened_prior"]
_LEAST_UNMADE = thresholds("reading")["least_prior_without_constant"]
# A prior of zero has no logarithm.
_SMALLEST_PRIOR = 1e-3
_EARLIER = frozenset(("initial", "before", "state_1", "start_of_interval", "old", "body_1", "hot", "inlet", "inner"))
_LATER = frozenset(("final", "after", "state_2", "end_of_interval", "new", "body_2", "cold", "outlet", "outer"))
_INDEXES = {"1": 1, "0": 1, "i": 1, "2": 2, "f": 2, "3": 3, "4": 4}
_PLAIN = 0
# What a number as subscript may say; a zero marks the beginning, or what the others are compared with.
_NUMBERED = {
    "0": ("initial", "reference"),
    "1": ("initial", "before", "state_1", "body_1", "group_1", "driver", "primary", "inner", "inlet"),
    "2": ("final", "after", "state_2", "body_2", "group_2", "driven", "secondary", "outer", "outlet"),
    "3": ("state_3",),
}
_START, _END = frozenset(("initial", "before")), frozenset(("final", "after"))
# The lowest heading above something that is worked out for one case.
_WORKED = re.compile(
    rf"\s*(?:(?:{any_of('choosing.worked_heading_openers')}) )?"
    rf"(?:{any_of('choosing.worked_headings')})\b",
    re.IGNORECASE,
)
_KNOWN = thresholds("reading")["known_relation"]
ANGULAR = frozenset(("rad/s", "rad/s^2"))


@dataclass(frozen=True, slots=True)
class Slot:
    """A symbol of a formula. `dimension` is text in base units; None fits anything."""

    symbol: str
    parts: SymbolParts
    dimension: str | None
    names: SymbolNames
    meaning: SymbolMeaning
    kind: QuantityKind | None
    lineage: frozenset[str]
    states: frozenset[str]
    is_constant: bool
    is_angular: bool
    index: int | None
    distinct: frozenset[str] = frozenset()
    subscript_stems: tuple[str, ...] = ()
    # The unit that its document states, where the formula counts in units of its trade (mL, mmHg, years).
    customary: Unit | None = None
    # The unit in which a number is meant that is given for the symbol without one.
    unsaid: Unit | None = None
    # Whether its formula counts it in percent: a number without a sign is so many percent.
    counts_percent: bool = False
    # Whether it is a quotient of two symbols taken as one, and what is left of something.
    is_quotient: bool = False
    is_share: bool = False

    @property
    def spelled(self) -> str:
        """Its symbol as people type it among words, as a stem (`Sn` for `S_n`); empty where that could be a word."""
        return _spelled(self.parts)

    @property
    def is_open(self) -> bool:
        """Whether nobody knows its dimension, so that a value must bear its symbol or its name."""
        return self.dimension is None and not self.is_constant

    @property
    def is_abbreviation(self) -> bool:
        """Whether its symbol is a word or the letters of one: `HR`, `net`."""
        return len(self.symbol) > 1 and self.symbol.isalpha() and self.symbol not in WORD_LETTERS

    @property
    def has_angle_letter(self) -> bool:
        """Whether its letter usually stands for an angle."""
        return _is_angle_letter(self.parts.letter)

    @property
    def takes_shares(self) -> bool:
        """Whether a percentage can stand here: not for a pH, a number of turns or periods, a refractive index."""
        kind = self.kind
        return (
            self.is_share
            or kind is None
            or not kind.dimension.is_dimensionless
            or "percent" in kind.units
            or kind.maximum <= 1
        )

    @property
    def is_first(self) -> bool:
        """Whether it is the first of several like things, which may stand at the same time."""
        return "1" in self.parts.subscripts


@dataclass(frozen=True, slots=True)
class Candidate:
    """A formula under one reading of its symbols. `prior` is the logarithm of how likely that reading is."""

    formula: Formula
    equation: Equation
    slots: tuple[Slot, ...]
    prior: float
    label_stems: frozenset[str]
    word_stems: frozenset[str]
    heading_stems: frozenset[str]
    own_target: str | None
    is_worked: bool = False
    # The place of each slot among those of its dimension, which of those stand behind it, and all words of the formula
    # and its headings.
    ranks: tuple[int, ...] = ()
    behind: tuple[frozenset[int], ...] = ()
    known_stems: frozenset[str] = frozenset()
    # The words of the headings that stand over every place of the formula.
    section_stems: frozenset[str] = frozenset()
    # Whether a minus before a product only says which way something acts, and whether it has been left out.
    has_sign: bool = False
    is_of_sizes: bool = False

    @property
    def own_words(self) -> frozenset[str]:
        """The words of the formula and of its symbols, as stems; not those of its headings."""
        return self.word_stems.union(self.label_stems, *(slot.names.telling for slot in self.slots))


@lru_cache(maxsize=8_192)
def _spelled(parts: SymbolParts) -> str:
    whole = f"{parts.letter}{''.join(parts.subscripts)}".casefold()
    is_plain = bool(parts.subscripts) and not parts.marks and not parts.prefix and whole.isascii() and whole.isalnum()
    return stem(whole) if is_plain and len(whole) <= _LONGEST_SPELLED and whole not in _ORDINARY else ""


_MOST_PREPARED = 8_192
_Made = TypeVar("_Made")


class _MadeOnce(Generic[_Made]):
    """What is made of each formula, kept. By identity, because formulas are shared and hashing one walks all of it; the
    formula is kept so that it stays alive."""

    def __init__(self, make: Callable[[Formula], _Made]) -> None:
        self._make = make
        self._kept: dict[int, tuple[Formula, _Made]] = {}
        self._lock = threading.Lock()

    def of(self, formula: Formula) -> _Made:
        """What is made of this formula."""
        known = self._kept.get(id(formula))
        if known is None:
            known = formula, self._make(formula)
            with self._lock:
                while len(self._kept) >= _MOST_PREPARED:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[id(formula)] = known
        return known[1]


def candidates_of(formula: Formula) -> tuple[Candidate, ...]:
    """The formula under each of its likely readings; none where it cannot be computed."""
    return _prepared.of(formula)


def opened_candidate_of(formula: Formula) -> Candidate | None:
    """The formula without the dimensions that nobody stated: those that a letter or a bare word made likely.

    A guess may be wrong, and then it forbids the right value. Here it forbids none, but a value must bear the symbol or
    the name of its place, and that the dimensions agree is seen when the plan is computed. None where nothing was
    guessed.
    """
    return _opened.of(formula)


def _opened_candidate(formula: Formula) -> Candidate | None:
    if formula.equation is None or formula.status != "executable":
        return None
    guesses = guesses_of(formula.symbols, formula.equation)
    if not guesses.names or recognition(formula.equation) >= _KNOWN or telling_number(formula.equation) is not None:
        # What everybody knows by its form and its letters is no guess; a number that may convert holds for one unit.
        return None
    symbols = tuple(
        replace(
            meaning,
            description=meaning.description if meaning.origin in ("document", "edited") else "",
            unit=None,
            dimension=guesses.demanded.get(meaning.name),
            kind=None,
        )
        if meaning.name in guesses.names
        else meaning
        for meaning in formula.symbols
    )
    opened = replace(formula, symbols=symbols, alternatives=())
    return _candidate(opened, formula.equation, _OPENED_PRIOR, {meaning.name: meaning for meaning in symbols})


def _candidates(formula: Formula) -> tuple[Candidate, ...]:
    if formula.equation is None or formula.status != "executable":
        return ()
    meanings = {meaning.name: meaning for meaning in formula.symbols}
    readings = [(max(formula.prior, _SMALLEST_PRIOR), meanings)]
    readings += [
        (alternative.prior, meanings | {each.name: each for each in alternative.symbols})
        for alternative in formula.alternatives
        if alternative.prior >= _LEAST_PRIOR
        and not _unmakes_constant(meanings, alternative)
        and not any(map(_is_misnamed, alternative.symbols))
    ]
    made = [_candidate(formula, formula.equation, prior, reading) for prior, reading in readings]
    made += [
        _candidate(formula, equation, max(formula.prior, _SMALLEST_PRIOR), {**meanings, **more})
        for equation, more in readings_as_one(formula.equation, meanings)
    ]
    made += [_of_quotient(formula, each, meanings) for each in quotients(formula.equation, meanings)]
    sizes = equation_of_sizes(formula.equation)
    if sizes is None:
        return tuple(made)
    made = [replace(each, has_sign=True) for each in made]
    prior = max(formula.prior, _SMALLEST_PRIOR)
    return (*made, replace(_candidate(formula, sizes, prior, meanings), is_of_sizes=True))


def _of_quotient(formula: Formula, found: Quotient, meanings: dict[str, SymbolMeaning]) -> Candidate:
    prior, name = max(formula.prior, _SMALLEST_PRIOR), found.meaning.name
    made = _candidate(formula, found.equation, prior, {**meanings, name: found.meaning})
    slots = tuple(
        replace(slot, is_quotient=True, is_share=found.is_share, states=frozenset()) if slot.symbol == name else slot
        for slot in made.slots
    )
    return replace(made, slots=slots)


_prepared = _MadeOnce(_candidates)
_opened = _MadeOnce(_opened_candidate)


def _is_misnamed(meaning: SymbolMeaning) -> bool:
    """Whether a reading leaves a symbol a dimension that nothing of its name has: an "energy" in square amperes, a
    period that is a plain number."""
    if meaning.kind is not None or meaning.unit is not None:
        return False
    said = said_dimension(meaning.description)
    return said is not None and said != meaning.dimension


def _unmakes_constant(meanings: Mapping[str, SymbolMeaning], alternative: Alternative) -> bool:
    """Whether an unlikely reading takes a constant for something that a question would have to give: `h f` as a height
    times a force."""
    return alternative.prior < _LEAST_UNMADE and any(
        each.constant is None and each.name in meanings and meanings[each.name].constant is not None
        for each in alternative.symbols
    )


def _candidate(formula: Formula, equation: Equation, prior: float, meanings: dict[str, SymbolMeaning]) -> Candidate:
    names = equation_symbols(equation)
    slots = _with_customary_units([_slot(meanings.get(name, SymbolMeaning(name))) for name in names])
    unsaid = unsaid_units([slot.meaning for slot in slots], equation)
    percents = _in_percent(equation)
    slots = tuple(
        replace(slot, unsaid=unsaid.get(slot.symbol), counts_percent=slot.symbol in percents) for slot in slots
    )
    labels = " ".join((formula.label, *formula.labels))
    headings = " ".join(heading for span in formula.spans for heading in span.headings)
    conditions = " ".join(condition.text for condition in formula.conditions)
    words = frozenset(stems(" ".join((labels, formula.description, " ".join(formula.keywords), conditions))))
    heading_stems = frozenset(stems(headings))
    ordered = tuple(sorted(_told_apart(_with_plain_indexes(_in_time(slots))), key=_order))
    ranks = _ranks(ordered)
    return Candidate(
        formula,
        equation,
        ordered,
        math.log(prior),
        frozenset(stems(formula.label or labels)),
        words,
        heading_stems,
        equation.target,
        _is_worked(formula),
        ranks,
        _behind(ordered, ranks),
        words | heading_stems,
        _section_stems(formula),
    )


def _in_percent(equation: Equation) -> frozenset[str]:
    return frozenset(
        node.numerator.name
        for side in (equation.left, equation.right)
        for node in walk(side)
        if isinstance(node, Divide)
        and isinstance(node.numerator, Symbol)
        and node.denominator == Measure(Number(1), "percent")
    )


def _with_customary_units(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    units = [_stated_unit(slot.meaning) for slot in slots]
    is_trade = any(unit is not None and _is_customary(unit, slot) for unit, slot in zip(units, slots, strict=True))
    return tuple(replace(slot, customary=unit) if is_trade else slot for slot, unit in zip(slots, units, strict=True))


def _stated_unit(meaning: SymbolMeaning) -> Unit | None:
    """The unit that a document gives a symbol; none for plain numbers, and where it was only inferred."""
    if meaning.origin != "document" or not meaning.unit or meaning.dimension is None:
        return None
    unit = read_canonical_unit(meaning.unit)
    return None if unit.dimension.is_dimensionless else unit


def _is_customary(unit: Unit, slot: Slot) -> bool:
    """Whether it is not the one that theory counts in: mL, mmHg, years; or mmol/L, which is as large as that."""
    return (unit.scale, unit.offset) != (1.0, 0.0) or (slot.kind is not None and unit.text != slot.kind.unit)


def _section_stems(formula: Formula) -> frozenset[str]:
    """What the sections of a formula have in common: one that stands in several is particular to none."""
    sections = [nearest_stems(span.headings) for span in formula.spans]
    return frozenset.intersection(*sections) if sections else frozenset()


def _ranks(slots: Sequence[Slot]) -> tuple[int, ...]:
    """The place of each slot among those of its dimension."""
    counts: dict[str | None, int] = {}
    ranks = []
    for slot in slots:
        counts[slot.dimension] = counts.get(slot.dimension, -1) + (0 if slot.is_constant else 1)
        ranks.append(max(counts[slot.dimension], 0))
    return tuple(ranks)


def _behind(slots: Sequence[Slot], ranks: Sequence[int]) -> tuple[frozenset[int], ...]:
    return tuple(
        frozenset(
            other
            for other, each in enumerate(slots)
            if each.dimension == slot.dimension and ranks[other] > ranks[place]
        )
        for place, slot in enumerate(slots)
    )


def _is_worked(formula: Formula) -> bool:
    """Whether a formula stands in worked examples and exercises alone: there it speaks of one case."""
    places = [span.headings[-1:] for span in formula.spans]
    return bool(places) and all(heading and _WORKED.match(heading[0]) for heading in places)


def _slot(meaning: SymbolMeaning) -> Slot:
    meaning = replace(meaning, dimension=known_dimension(meaning))
    kind = kind_of(meaning.kind) if meaning.kind is not None else None
    if meaning.constant is None and meaning.role == "variable":
        constant = usual_constant(meaning, kind)
        meaning = meaning if constant is None else replace(meaning, constant=constant)
    parts = split_name(meaning.name)
    dimension = None if meaning.dimension is None else _dimension_text(meaning.dimension)
    return Slot(
        symbol=meaning.name,
        parts=parts,
        dimension=dimension,
        names=_names(meaning, kind, dimension),
        meaning=meaning,
        kind=kind,
        lineage=frozenset() if kind is None else lineage(kind.id),
        states=frozenset(_states(meaning, parts)),
        is_constant=meaning.role == "constant" or meaning.constant is not None,
        index=_index(parts),
        is_angular=(kind is not None and kind.unit in ANGULAR) or (meaning.unit or "") in ANGULAR,
        # Subscripts that are words name what the symbol belongs to: the cathode, the solvent.
        subscript_stems=tuple(stem(text.casefold()) for text in parts.subscripts if len(text) > 2),
    )


def meaning_words(meaning: SymbolMeaning) -> str:
    """What a symbol stands for, in words: those of its document, else the name of its kind; empty where nobody says."""
    if meaning.description and meaning.description != meaning.name:
        return meaning.description
    kind = known_kind(meaning.kind)
    return "" if kind is None else kind.name


def usual_constant(meaning: SymbolMeaning, kind: QuantityKind | None) -> str | None:
    """The standard constant that a symbol stands for though its document gives no value: one of its symbol and
    dimension, with its name, or with a subscript that nothing else has (`I_th`). Of typical values, such as properties
    of materials, none is filled in by its symbol alone."""
    found = [each for each in constants_for_symbol(meaning.name) if each.dimension == meaning.dimension]
    if not found:
        return None
    words = {stems(text) for text in (meaning.description, "" if kind is None else kind.name) if text}
    for constant in found:
        if words & {stems(name) for name in constant.names}:
            return constant.id
    is_special = any(len(subscript) > 1 for subscript in split_name(meaning.name).subscripts)
    return found[0].id if len(found) == 1 and is_special and not found[0].is_nominal else None


def _index(parts: SymbolParts) -> int | None:
    """Which of several like things a symbol belongs to: 1 for `m_1` and `v_i`, 2 for `m_2` and `v_f`."""
    for subscript in map(_numbering, parts.subscripts):
        if subscript in _INDEXES:
            return _INDEXES[subscript]
    return None


def _numbering(subscript: str) -> str:
    """The number of a subscript that also names a direction: `0` of `0z`."""
    return subscript[0] if len(subscript) == 2 and subscript[0].isdigit() and subscript[1] in "xyz" else subscript


# What is so called is a thing, and nothing is in that state.
_THINGS = frozenset(("finance", "body", "kind", "phase", "process"))
# A question tells the old one as what it was at first.
_WHEN = {"old": "initial", "new": "final"}


def _states(meaning: SymbolMeaning, parts: SymbolParts) -> Iterator[str]:
    for state in _own_states(meaning, parts):
        yield state
        if state in _WHEN:
            yield _WHEN[state]


def _own_states(meaning: SymbolMeaning, parts: SymbolParts) -> Iterator[str]:
    if meaning.state is not None:
        yield meaning.state
    owner = _OWNER.search(meaning.description)
    if owner is not None:
        yield from (found.id for found in roles_for_words(owner[1])[:2])
    words = normal_words(meaning.description).split()
    for subscript in map(_numbering, parts.subscripts):
        if subscript in _NUMBERED:
            yield from _NUMBERED[subscript]
            continue
        # The n of a new salary stands for new, and for no neutron.
        meant = [word for word in words if word.startswith(subscript.casefold())] if len(subscript) == 1 else []
        if meant:
            usual = roles_for_subscript(subscript)[:1]
            said = (found for word in meant for found in roles_for_words(word)[:1])
            yield from (found.id for found in said if found.group not in _THINGS or found in usual)
            continue
        # A letter has many meanings; a word has related ones (high and hot).
        for found in roles_for_subscript(subscript)[: 6 if len(subscript) > 2 else 1]:
            yield found.id


def _names(meaning: SymbolMeaning, kind: QuantityKind | None, dimension: str | None) -> SymbolNames:
    # What the document says a symbol is counts for more than what its letter usually is.
    trust = SAID_OTHERWISE if meaning.origin == "document" else LETTER
    usual = _usual_kinds(meaning.name, dimension)
    return make_names(
        meaning.description, kind=None if kind is None else kind.id, letter_kinds=usual, letter_trust=trust
    )


def _usual_kinds(symbol: str, dimension: str | None) -> tuple[str, ...]:
    """What else the letter usually stands for, of the same dimension: a document may call it by another name."""
    # A last subscript may only number the symbol: [A-]_0 is first of all [A-].
    shorter = symbol.rpartition("_")[0] or symbol
    exact = (each.id for each in kinds_for_symbol(symbol, exact=True) if _dimension_of(each.id) == dimension)
    return tuple(islice(dict.fromkeys((*exact, *_letter_kinds(shorter, dimension))), _MOST_LETTER_KINDS))


@lru_cache(maxsize=1_024)
def _is_angle_letter(letter: str) -> bool:
    return any(each.unit == "rad" for each in kinds_for_symbol(letter))


@lru_cache(maxsize=4_096)
def _letter_kinds(symbol: str, dimension: str | None) -> tuple[str, ...]:
    return tuple(each.id for each in kinds_for_symbol(symbol) if _dimension_of(each.id) == dimension)


@lru_cache(maxsize=4_096)
def _dimension_of(kind: str) -> str:
    return str(kind_of(kind).dimension)


@lru_cache(maxsize=4_096)
def _dimension_text(dimension: Dimension) -> str:
    return str(dimension)


def _in_time(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """Slots whose states say when: a prime means later, and beside one a number tells things apart, not times."""
    primed = {slot.parts.letter for slot in slots if "prime" in slot.parts.marks}
    found = []
    for slot in slots:
        states = slot.states
        if slot.parts.letter in primed:
            states = (states - _START) | _END if "prime" in slot.parts.marks else states - _END
        if states & _END and not states & _START:
            states |= _END
        found.append(slot if states == slot.states else replace(slot, states=states))
    return tuple(found)


def _with_plain_indexes(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """Slots in which a plain symbol beside a numbered one of its letter (`R` beside `R_0`) counts as numbered too."""
    numbered = {slot.parts.letter for slot in slots if slot.index is not None}
    return tuple(
        replace(slot, index=_PLAIN) if slot.index is None and slot.parts.letter in numbered else slot for slot in slots
    )


def _told_apart(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """Slots with the words that only they have among those of their dimension: cathode, source, conjugate."""
    words = [_telling_words(slot) for slot in slots]
    return tuple(
        replace(
            slot,
            distinct=words[place].difference(
                *(
                    words[other]
                    for other, rival in enumerate(slots)
                    if other != place and rival.dimension == slot.dimension and not rival.is_constant
                )
            ),
        )
        for place, slot in enumerate(slots)
    )


def _telling_words(slot: Slot) -> frozenset[str]:
    return slot.names.telling.union(slot.subscript_stems, *map(_state_words, slot.states))


@lru_cache(maxsize=1_024)
def _state_words(state: str) -> frozenset[str]:
    return frozenset(word for words in role(state).words for word in stems(words))


def _order(slot: Slot) -> int:
    """Where a text would state the slot among others of its dimension: the initial and the hot before the others, else
    in the order of the formula."""
    return 0 if slot.states & _EARLIER else 2 if slot.states & _LATER else 1
