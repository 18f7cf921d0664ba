"""Who in the library says something else about what an answer rests on: formulas for the same thing that give another
number for the same values, values of constants that are not the usual ones, documents that are not trusted.

Judges no plan and ranks none. Documents that speak of the same thing and disagree leave nobody sure: then there is no
number, only both of them with their documents. Where the question, or a mark of trust, tells them apart, the answer
stands and the other number is shown beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations, product

from mathrag.extract.same_things import kinds_of, special_words, variables_of
from mathrag.knowledge.constants import constant_quantity, standard_of
from mathrag.reason.choosing.plans import ConstantSource, constant_bound
from mathrag.reason.choosing.slots import Candidate, candidates_of
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.computing.validity import validity_warnings
from mathrag.retrieve.counterparts import Counterparts
from mathrag.types.answer import Answer, Bound, PlannedStep, Provenance, Refusal, Step
from mathrag.types.library import Formula, SymbolMeaning
from mathrag.types.quantity import Quantity, Unit

_LIMITS = thresholds("rivals")
_MOST_ASSIGNMENTS, _MOST_ALIKE = 24, 4
_MOST_SHOWN = 4
# Other words begin with a shorter stem by chance.
_LONG_STEM = 5


@dataclass(frozen=True, slots=True)
class Rival:
    """Another number for the same thing: what `formula` gives for the values of a step, or what the step would give
    with the usual value of a constant (then `formula` is its own). `is_equal` where nothing tells who is right."""

    formula: Formula
    value: Quantity
    instead_of: Quantity
    is_equal: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Doubts:
    """What the library says against the steps of an answer, and which documents of theirs are not trusted."""

    rivals: tuple[Rival, ...] = ()
    untrusted: tuple[str, ...] = ()

    @property
    def are_serious(self) -> bool:
        """Whether nobody can be sure of the number."""
        return any(each.is_equal for each in self.rivals)

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence for each."""
        told = [each.sentence for each in self.rivals]
        if len(told) > _MOST_SHOWN:
            told[_MOST_SHOWN:] = [f"and {len(told) - _MOST_SHOWN} more formulas for the same give other numbers"]
        marked = [f"this rests on “{name}”, which is marked as untrusted" for name in self.untrusted]
        return (*told, *marked)


NO_DOUBTS = Doubts()


@dataclass(frozen=True, slots=True)
class DoubtFinder:
    """Looks for doubts in one library. `words` are the stems of the question. Where all documents are of one hand (the
    handbook's), another of them is no second opinion."""

    counterparts: Counterparts
    constants: ConstantSource
    name_document: Callable[[str], str]
    words: frozenset[str]
    is_of_one_hand: bool = False

    def doubts(self, steps: Sequence[PlannedStep | Step]) -> Doubts:
        """What speaks against steps that were, or would be, computed."""
        planned = [PlannedStep(each.formula, each.equation, each.target, each.bindings) for each in steps]
        computed = compute_steps(planned, is_shown=False)
        if isinstance(computed, StepFailure):
            return NO_DOUBTS
        rivals = [
            rival
            for step in computed
            for rival in (*self._rivals(_with_what_is_stated(step)), *self._usual_values(step))
        ]
        rivals.sort(key=lambda each: not each.is_equal)
        return Doubts(tuple(rivals), self._untrusted(computed))

    def _rivals(self, step: Step) -> Iterator[Rival]:
        seen: set[str] = {step.formula.form}
        for formula in self.counterparts.of(step.formula):
            standing = self._standing(step.formula, formula)
            if formula.form in seen or standing is None:
                continue
            seen.add(formula.form)
            value = self._other_number(step, formula)
            if value is not None:
                yield Rival(formula, value, step.result, standing, self._sentence(step, formula, value))

    def _standing(self, ours: Formula, theirs: Formula) -> bool | None:
        """Whether another formula has the same right to answer the question; None where it is about something else."""
        kinds = kinds_of((ours, theirs))
        own, other = special_words(ours, kinds), special_words(theirs, kinds)
        if self.is_of_one_hand:
            # One of a man and one of a woman, and the question does not say that it is of ours.
            is_variant = len(own) == len(other) and len(own - other) == 1
            return True if is_variant and not self._is_said(own - other) else None
        if not other <= {*self.words, *own}:
            return None
        if ours.documents == theirs.documents:
            # A document that says both means two things; it is no second opinion.
            return False if own == other else None
        level = self.counterparts.level(ours) - self.counterparts.level(theirs)
        if level:
            return level < 0
        return not any(word in self.words for word in own - other)

    def _is_said(self, words: frozenset[str]) -> bool:
        """Whether the question has one of the words, or one made of it: of cylinders and of what is cylindrical."""
        return any(
            said.startswith(word) if len(word) >= _LONG_STEM else said == word for word in words for said in self.words
        )

    def _other_number(self, step: Step, formula: Formula) -> Quantity | None:
        """What another formula gives for the same values; None where it agrees, or cannot say."""
        first: Quantity | None = None
        for candidate in candidates_of(formula)[:1]:
            for planned in islice(self._transferred(step, candidate), _MOST_ASSIGNMENTS):
                computed = compute_steps((planned,), unit=_unit(step.result), is_shown=False)
                if isinstance(computed, StepFailure) or computed[0].result.dimension != step.result.dimension:
                    continue
                if any(_agree(each, step.result) for each in (computed[0].result, *computed[0].others)):
                    return None
                values = {each.symbol: each.quantity for each in computed[0].bindings if each.quantity is not None}
                if not validity_warnings(formula, planned.equation, {**values, planned.target: computed[0].result}):
                    first = first or computed[0].result
        return first

    def _transferred(self, step: Step, candidate: Candidate) -> Iterator[PlannedStep]:
        """The step with another formula, in every way in which its values can stand there; the likeliest first."""
        varying = {each.name for each in variables_of(candidate.formula)}
        constants = [
            constant_bound(slot, self.constants, candidate.formula)
            for slot in candidate.slots
            if slot.symbol not in varying
        ]
        fixed = [each for each in constants if each is not None]
        kinds = {each.name: each.kind for each in (*step.formula.symbols, *candidate.formula.symbols)}
        for names in _renamings(variables_of(step.formula), variables_of(candidate.formula)):
            target = names.get(step.target)
            # In a handbook a power to lift and the power that a body needs at rest are no two words for one thing.
            is_same = not self.is_of_one_hand or target is None or kinds[step.target] == kinds[target]
            if target is not None and is_same:
                moved = [replace(each, symbol=names[each.symbol]) for each in step.bindings if each.symbol in names]
                bindings = (*(each for each in moved if each.symbol != target), *fixed)
                yield PlannedStep(candidate.formula, candidate.equation, target, bindings)

    def _usual_values(self, step: Step) -> Iterator[Rival]:
        """What the step would give with the usual values of constants that a document states otherwise."""
        for bound in step.bindings:
            usual = _usual(step.formula, bound)
            if usual is None or bound.quantity is None or _is_near(bound.quantity, usual, _LIMITS["rounded"]):
                continue
            other = replace(bound, quantity=usual, provenance=Provenance("constant", bound.provenance.text))
            bindings = tuple(other if each is bound else each for each in step.bindings)
            planned = PlannedStep(step.formula, step.equation, step.target, bindings)
            computed = compute_steps((planned,), unit=_unit(step.result), is_shown=False)
            if isinstance(computed, StepFailure) or _agree(computed[0].result, step.result):
                continue
            span = bound.provenance.span
            place = "" if span is None else f" in {self._place(span.document)}"
            sentence = (
                f"{bound.letter or bound.symbol} is {_shown(bound.quantity)}{place}; usually it is {_shown(usual)}, "
                f"which would give {_shown(computed[0].result)} instead of {_shown(step.result)}"
            )
            # The other documents of the formula speak of the constant as everybody does.
            others = {each.document for each in step.formula.spans} - ({span.document} if span else set())
            yield Rival(step.formula, computed[0].result, step.result, bool(others), sentence)

    def _sentence(self, step: Step, formula: Formula, value: Quantity) -> str:
        label = formula.label or formula.latex
        place = self._place(formula.spans[0].document) if formula.spans else "the library"
        return f"“{label}” in {place} gives {_shown(value)} instead of {_shown(step.result)} for the same values"

    def _place(self, document: str) -> str:
        marked = ", which is marked as untrusted," if self.counterparts.is_untrusted(document) else ""
        return f"“{self.name_document(document)}”{marked}"

    def _untrusted(self, steps: Sequence[Step]) -> tuple[str, ...]:
        """The documents that the steps cannot do without, and that are not trusted."""
        needed = [step.formula.spans for step in steps]
        needed += [(bound.provenance.span,) for step in steps for bound in step.bindings if bound.provenance.span]
        found: dict[str, None] = {}
        for spans in needed:
            documents = dict.fromkeys(span.document for span in spans)
            if documents and all(map(self.counterparts.is_untrusted, documents)):
                found.update(dict.fromkeys(map(self.name_document, documents)))
        return tuple(found)


def _with_what_is_stated(step: Step) -> Step:
    """The step with the symbols whose value its document states as the constants that they are there: a formula with a
    factor of its own is for the same thing as one without."""
    stated = {
        bound.symbol
        for bound in step.bindings
        if bound.provenance.origin == "assumed" and bound.provenance.span is not None
    }
    if not stated:
        return step
    symbols = tuple(replace(each, role="constant") if each.name in stated else each for each in step.formula.symbols)
    return replace(step, formula=replace(step.formula, symbols=symbols))


def _renamings(ours: Sequence[SymbolMeaning], theirs: Sequence[SymbolMeaning]) -> Iterator[dict[str, str]]:
    """Every way to give the symbols of one formula the names of another's, within dimensions; the likeliest first."""
    groups = []
    for dimension in sorted({str(each.dimension) for each in ours}):
        here = [each for each in ours if str(each.dimension) == dimension]
        there = [each for each in theirs if str(each.dimension) == dimension]
        if len(here) != len(there):
            return
        orders = permutations(there) if len(here) <= _MOST_ALIKE else iter([tuple(there)])
        pairs = [tuple(zip(here, order, strict=True)) for order in orders]
        pairs.sort(key=lambda order: -sum((one.name == two.name) + (one.kind == two.kind) for one, two in order))
        groups.append(pairs)
    for chosen in product(*groups):
        yield {one.name: two.name for group in chosen for one, two in group}


def _usual(formula: Formula, bound: Bound) -> Quantity | None:
    """The usual value of a constant that a document gives a value for."""
    meaning = next((each for each in formula.symbols if each.name == bound.symbol), None)
    if meaning is None or meaning.constant is None or bound.provenance.origin != "document":
        return None
    standard = standard_of(meaning.constant)
    usual = None if standard is None else constant_quantity(standard)
    if usual is None:
        return None
    return usual if bound.quantity is not None and usual.dimension == bound.quantity.dimension else None


def _unit(quantity: Quantity) -> Unit | None:
    return quantity.unit if quantity.unit.text else None


def _agree(one: Quantity, other: Quantity) -> bool:
    return _is_near(one, other, _LIMITS["same"])


def _is_near(one: Quantity, other: Quantity, tolerance: float) -> bool:
    return math.isclose(one.si_value, other.si_value, rel_tol=tolerance, abs_tol=0.0)


def _shown(quantity: Quantity) -> str:
    return f"{quantity.value:.4g} {quantity.unit.text}".strip()


def with_doubts(outcome: Answer, doubts: Doubts) -> Answer:
    """An answer with what the library says against it."""
    known = {name for name, _ in outcome.disagreeing}
    more = tuple((each.formula.id, each.value) for each in doubts.rivals if each.formula.id not in known)
    own = {step.formula.id for step in outcome.steps}
    return replace(
        outcome,
        warnings=(*outcome.warnings, *doubts.warnings),
        disagreeing=(*outcome.disagreeing, *(pair for pair in more if pair[0] not in own)),
    )


def refused_for(refusal: Refusal, doubts: Doubts) -> Refusal:
    """A refusal that says who disagrees, where that is why nobody can be sure."""
    if refusal.code != "unsure" or not doubts.are_serious:
        return refusal
    return replace(
        refusal,
        reason="the documents disagree on this, and nothing tells which of them is right",
        warnings=(*refusal.warnings, *doubts.warnings),
        suggestions=(
            *refusal.suggestions,
            "name the formula that you mean, or mark a document with `mathrag trust` or `mathrag trust --untrusted`",
        ),
    )
