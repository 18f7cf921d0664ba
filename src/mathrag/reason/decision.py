"""From a question to what should be computed, or why nothing should: plans ranked, computed, weighed, judged.
Answers nothing itself: that is `session.py`.

A confident complete plan is the suggestion. An incomplete one that wins names what is missing. What lies between is
shown as a proposal for the user to confirm, without its number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from mathrag.knowledge.kinds import kind as kind_of
from mathrag.language.stems import stem, stems
from mathrag.reason.choosing.choose import Ranking, rank_plans
from mathrag.reason.choosing.confidence import confidence_model, ranking_features
from mathrag.reason.choosing.plans import (
    ConstantSource,
    Plan,
    missing_values,
    planned_steps,
    untold_exchanges,
    with_exchanged_values,
)
from mathrag.reason.choosing.question_view import PreparedTarget, PreparedValue, QuestionView
from mathrag.reason.choosing.regimes import contradicts_motion
from mathrag.reason.choosing.resemblance import cited_case
from mathrag.reason.choosing.scores import Scorer
from mathrag.reason.choosing.systems import leans_on_knowledge
from mathrag.reason.choosing.target_evidence import how_asked
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.computing.validity import validity_warnings
from mathrag.retrieve.candidates import Finder, FoundFormula
from mathrag.types.answer import Choice, Citation, Missing, Nearest, PlannedStep, Refusal, RefusalCode, Step
from mathrag.types.expression import Symbol, equation_symbols
from mathrag.types.library import Formula, SymbolMeaning
from mathrag.types.quantity import Quantity
from mathrag.types.question import Question

# Plans whose numbers are computed to see who agrees, and formulas that a refusal shows.
COMPUTED, _SHOWN, _RANKED = 8, 3, 3
_LIMITS = thresholds("decision")
_GROUNDED = thresholds("grounded")
# Results of other formulas this near to each other, relatively, agree: documents round their constants.
_SAME = 1e-3
_NOTHING = "no formula of the library fits this question"


@dataclass(frozen=True, slots=True)
class Decision:
    """The ranked choices and, where nothing should be computed, the refusal that says why."""

    ranking: Ranking
    choices: tuple[Choice, ...]
    refusal: Refusal | None
    agreeing: tuple[str, ...] = ()
    disagreeing: tuple[tuple[str, Quantity], ...] = ()
    # What the confidence in the first choice was judged by, and the worked example that it follows.
    features: tuple[tuple[str, float], ...] = ()
    example: Citation | None = None


@dataclass(frozen=True, slots=True)
class Weighed:
    """Plans in the order in which they would be carried out, the numbers of the first ones, what speaks for and against
    the very first, and how sure that makes it in a library of so many formulas."""

    ranking: Ranking
    plans: tuple[Plan, ...]
    values: tuple[Quantity | None, ...]
    features: Mapping[str, float]
    sure: float
    formulas: int = 0


@dataclass(frozen=True, slots=True)
class _Computed:
    """The number of a plan, and whether it is broken: a step gives what the quantity cannot be, or (`is_outside`) its
    formula does not hold for these values."""

    value: Quantity
    is_broken: bool
    is_outside: bool = False


def _is_odd(plan: Plan, value: Quantity) -> bool:
    kind = plan.step.slot.kind
    if kind is None:
        return False
    is_broken = abs(value.si_value - round(value.si_value)) > _LIMITS["whole"]
    return (is_broken and kind.id.endswith("quantum_number")) or not kind.admits(value.si_value)


def _is_never_negative(asked: Sequence[PreparedTarget], value: Quantity) -> bool:
    """Whether a negative number answers a question for a size: how fast, how long."""
    kinds = [kind for one in asked for kind in one.kinds[:1] if kind.dimension == value.dimension]
    return value.si_value < 0 and any(kind.sign != "any" for kind in kinds)


def _with_exchanges(plans: Sequence[Plan], scorer: Scorer) -> tuple[Plan, ...]:
    """The plans with those in which two values of the best one have changed places, each where its worth puts it."""
    return tuple(sorted((*plans, *with_exchanged_values(plans[0], scorer)), key=lambda plan: -plan.score))


def _is_same(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers agree but for rounding."""
    return abs(one.si_value - other.si_value) <= _SAME * abs(other.si_value)


def _is_outside(step: Step) -> bool:
    values = {bound.symbol: bound.quantity for bound in step.bindings if bound.quantity is not None}
    return bool(validity_warnings(step.formula, step.equation, {**values, step.target: step.result}))


class Decider:
    """Decides for one library. `constants` gives its constants, `name_document` what people call its documents;
    `promise` is how often a number that is given shall be right (None: the usual promise)."""

    def __init__(
        self,
        finder: Finder,
        *,
        constants: ConstantSource,
        name_document: Callable[[str], str],
        promise: float | None = None,
    ) -> None:
        self._finder = finder
        self._formulas = len(finder.signatures)
        self._least = confidence_model().promise(promise, self._formulas).least
        self._constants = constants
        self._name_document = name_document

    def decide(self, question: Question, *, only: Formula | None = None) -> Decision:
        """What to compute for a question; with `only`, by that formula and whatever the confidence."""
        weighed = self.weigh(question, only=only)
        ranking, plans = weighed.ranking, weighed.plans
        if not plans:
            return Decision(ranking, (), self._refusal(question, ranking, "no_formula", _NOTHING))
        best, sure = plans[0], weighed.sure
        choices = tuple(self._choice(plan, ranking, sure if plan is best else 0.0) for plan in plans[:_RANKED])
        code, reason = self._verdict(best, ranking, sure, is_pinned=only is not None)
        refusal = None
        if code is not None:
            refusal = self._refusal(question, ranking, code, reason, choice=choices[0], sure=sure)
        agreeing, disagreeing = _other_formulas(plans, weighed.values)
        example = cited_case(best, ranking.cases, self._name_document)
        features = tuple(weighed.features.items())
        return Decision(ranking, choices, refusal, agreeing, disagreeing, features, example)

    def weigh(self, question: Question, *, only: Formula | None = None) -> Weighed:
        """The plans for a question in the order in which they would be carried out, and how sure the first is."""
        ranking = rank_plans(question, self._finder, only=only)
        plans = ranking.plans
        if not plans:
            return Weighed(ranking, (), (), {}, 0.0)
        computed = self._computed(plans, ranking)
        if plans[0].is_complete and (computed[0] is None or computed[0].is_broken):
            plans = _with_exchanges(plans, ranking.scorer)
            computed = self._computed(plans, ranking)
        broken = {id(plan) for plan, one in zip(plans, computed, strict=False) if one is not None and one.is_broken}
        outside = {id(plan) for plan, one in zip(plans, computed, strict=False) if one is not None and one.is_outside}
        results = [None if one is None else one.value for one in computed]
        plans, values = plausible_first(*without_failures(plans, results), scorer=ranking.scorer, broken=broken)
        best, view = plans[0], ranking.view
        flags = {"broken": float(id(best) in broken), "ungrounded": float(not is_grounded(best, view))}
        found = ranking_features(plans[: len(values)], values, view=view, flags=flags)
        sure = confidence_model().sure(found, self._formulas)
        is_asked = bool(view.asked or view.units) or not flags["ungrounded"]
        is_backwards = _is_backwards(best, values[0], view.asked[:1])
        is_at_odds = is_backwards or _is_against_motion(best, values[0], ranking.scorer)
        is_outside = only is None and (id(best) in outside or self._is_untold(best, values[0], ranking))
        if not is_asked or is_at_odds or is_outside or leans_on_knowledge(best, view):
            sure = min(sure, self._least - _LIMITS["just_under"])
        return Weighed(ranking, plans, tuple(values), found, sure, self._formulas)

    def _is_untold(self, best: Plan, value: Quantity | None, ranking: Ranking) -> bool:
        """Whether two values might as well change places, and another number would come out."""
        others = (self._compute(plan, ranking) for plan in untold_exchanges(best, ranking.scorer))
        return value is not None and any(
            other is not None and not other.is_broken and not _is_same(other.value, value) for other in others
        )

    def _computed(self, plans: Sequence[Plan], ranking: Ranking) -> list[_Computed | None]:
        return [self._compute(plan, ranking) if plan.is_complete else None for plan in plans[:COMPUTED]]

    def _compute(self, plan: Plan, ranking: Ranking) -> _Computed | None:
        steps = compute_steps(planned_steps(plan, ranking.scorer, self._constants), is_shown=False)
        if isinstance(steps, StepFailure):
            return None
        is_odd = any(_is_odd(part, step.result) for part, step in zip(plan.steps(), steps, strict=True))
        is_odd = is_odd or _is_never_negative(ranking.view.asked[:1], steps[-1].result)
        is_outside = any(map(_is_outside, steps))
        return _Computed(steps[-1].result, is_odd or is_outside, is_outside)

    def _choice(self, plan: Plan, ranking: Ranking, sure: float) -> Choice:
        steps = planned_steps(plan, ranking.scorer, self._constants)
        taken = plan.taken()
        seen = ranking.view.values
        left = ranking.view.left_over(range(len(seen)), taken)
        unused = tuple(seen[value].given.text for value in left if not seen[value].given.implied)
        return Choice(
            steps=steps,
            score=plan.score,
            confidence=sure,
            missing=(*missing_values(plan), *_absent_constants(steps)),
            unused=unused,
            features=_contributions(plan, ranking.scorer),
        )

    def _verdict(self, best: Plan, ranking: Ranking, sure: float, *, is_pinned: bool) -> tuple[RefusalCode | None, str]:
        clash = contradiction(best, ranking.view)
        if clash:
            return "contradiction", clash
        missing = missing_values(best)
        if missing and (is_pinned or how_asked(best.evidence) >= _LIMITS["least_asked"]):
            return "missing", _missing_sentence(missing, best.step.candidate.formula.label)
        if missing:
            return "no_formula", _NOTHING
        odd = impossible_value(best, ranking.scorer)
        if odd:
            return "impossible", odd
        if is_pinned:
            return None, ""
        misfit = unit_misfit(best, ranking.view)
        if misfit:
            return "unit", misfit
        if sure >= self._least:
            return None, ""
        if sure >= confidence_model().show:
            return "unsure", "a formula may fit, but not surely enough to give a number"
        return "no_formula", _NOTHING

    def _refusal(
        self,
        question: Question,
        ranking: Ranking,
        code: RefusalCode,
        reason: str,
        *,
        choice: Choice | None = None,
        sure: float = 0.0,
    ) -> Refusal:
        return Refusal(
            question=question.text,
            code=code,
            reason=reason,
            missing=choice.missing if choice is not None and code == "missing" else (),
            nearest=self._nearest(ranking, code),
            proposal=choice.steps if choice is not None and code == "unsure" else (),
            confidence=sure,
        )

    def _nearest(self, ranking: Ranking, code: RefusalCode) -> tuple[Nearest, ...]:
        """The formulas that come nearest, each once: those of the best plans where one of them may be meant, else those
        that speak of what the question speaks of, whatever their signs and units."""
        planned = [plan.step.candidate.formula for plan in ranking.plans]
        found = [one.formula for one in sorted(ranking.found, key=lambda one: -_likeness(one, ranking.view))]
        ordered = [*found, *planned] if code == "no_formula" else [*planned, *found]
        formulas = {formula.id: formula for formula in ordered if formula.label}
        shown = list(formulas.values())[:_SHOWN] or ordered[:_SHOWN]
        return tuple(as_nearest(formula, self._name_document) for formula in shown)


def _likeness(found: FoundFormula, view: QuestionView) -> float:
    """How far a formula speaks of what the question does: by meaning, by words, and by its name."""
    label = frozenset(stems(found.formula.label))
    named = len(label & (view.stems | view.told)) / len(label) if label else 0.0
    return found.meaning + found.words + named


def _contributions(plan: Plan, scorer: Scorer) -> tuple[tuple[str, float], ...]:
    """What each piece of evidence is worth in a plan, the weightiest first."""
    worths = {name: scorer.table[name] * amount for name, amount in plan.evidence.items() if amount}
    return tuple(sorted(worths.items(), key=lambda item: (-abs(item[1]), item[0])))


def as_nearest(formula: Formula, name_document: Callable[[str], str]) -> Nearest:
    """A formula as one that is near. What it needs is told in words; a symbol that has none tells nobody anything."""
    needs = tuple(
        dict.fromkeys(
            in_words
            for symbol in formula.symbols
            if symbol.name != formula.target and symbol.role == "variable" and (in_words := meaning_words(symbol))
        )
    )
    document = name_document(formula.spans[0].document) if formula.spans else ""
    return Nearest(formula.id, formula.label, formula.latex, document, needs)


def meaning_words(symbol: SymbolMeaning) -> str:
    """What a symbol stands for, in words: those of its document, else the name of its kind; empty where nobody says."""
    if symbol.description and symbol.description != symbol.name:
        return symbol.description
    return kind_of(symbol.kind).name if symbol.kind is not None else ""


def without_failures(
    plans: Sequence[Plan], values: Sequence[Quantity | None]
) -> tuple[tuple[Plan, ...], list[Quantity | None]]:
    """Plans that cannot be computed after all go behind the others; if all fail, the first stays first."""
    failed = [plan.is_complete and value is None for plan, value in zip(plans, values, strict=False)]
    if not failed or not failed[0] or all(failed):
        return tuple(plans), list(values)
    order = sorted(range(len(values)), key=lambda place: failed[place])
    rest = plans[len(values) :]
    return (*(plans[place] for place in order), *rest), [values[place] for place in order]


def _is_backwards(plan: Plan, value: Quantity | None, asked: Sequence[PreparedTarget]) -> bool:
    """Whether a quantity that is never negative comes out so: the values stand in each other's places. What is asked
    for by a name of its own says better than the slot whether it can be: an image distance can, a distance cannot."""
    kind = plan.step.slot.kind
    if value is None or kind is None or value.si_value >= 0:
        return False
    named = [each for one in asked if one.is_named for each in one.kinds[:1] if each.dimension == kind.dimension]
    return (named[0] if named else kind).sign != "any"


def plausible_first(
    plans: Sequence[Plan], values: Sequence[Quantity | None], *, scorer: Scorer, broken: Collection[int] = ()
) -> tuple[tuple[Plan, ...], list[Quantity | None]]:
    """Of plans that are nearly as good, those first whose number the quantity can have, and whose formulas hold for
    these values (`broken` are the others, by identity)."""
    best = plans[0].score

    def rank(place: int) -> tuple[bool, int]:
        value = values[place]
        is_close = best - plans[place].score <= _LIMITS["close_rival"]
        is_close = is_close and plans[place].is_complete == plans[0].is_complete
        is_odd = value is not None and (_is_odd(plans[place], value) or bool(plans[place].evidence.get("regime")))
        is_odd = is_odd or id(plans[place]) in broken or _is_against_motion(plans[place], value, scorer)
        return (is_odd or not is_close, place)

    order = sorted(range(len(values)), key=rank)
    return (*(plans[place] for place in order), *plans[len(values) :]), [values[place] for place in order]


def _is_against_motion(plan: Plan, value: Quantity | None, scorer: Scorer) -> bool:
    step = plan.step
    if value is None:
        return False
    bound = [
        (step.candidate.slots[slot], scorer.quantity(step.candidate, slot, given).si_value)
        for slot, given in step.pairs
    ]
    # Small words count here: "toward" and "off" say which way something moves.
    words = frozenset(map(stem, scorer.view.question.text.casefold().split()))
    return contradicts_motion(step.candidate, words, [*bound, (step.slot, value.si_value)])


def _absent_constants(steps: Sequence[PlannedStep]) -> tuple[Missing, ...]:
    """Symbols that count as constants of which nobody knows the value."""
    found = []
    for step in steps:
        bound = {each.symbol for each in step.bindings}
        found += [
            Missing(symbol.name, symbol.description or symbol.name, symbol.unit or "", symbol.letter)
            for symbol in step.formula.symbols
            if symbol.role == "constant"
            and symbol.name != step.target
            and symbol.name not in bound
            # What cancels in another reading of the formula is not needed.
            and symbol.name in equation_symbols(step.equation)
        ]
    return tuple(found)


def _missing_sentence(missing: Sequence[Missing], label: str) -> str:
    """What is missing, in words. A symbol stands in it only where nothing else is known of the value."""
    known = [each.words for each in missing if each.words != each.symbol]
    unknown = [each.symbol for each in missing if each.words == each.symbol]
    if unknown:
        known.append(f"what “{label}” calls {' and '.join(unknown)}" if label else " and ".join(unknown))
    known = list(dict.fromkeys(known))
    listed = known[0] if len(known) == 1 else f"{', '.join(known[:-1])} and {known[-1]}"
    return f"the question does not give {listed}"


def _other_formulas(
    plans: Sequence[Plan], values: Sequence[Quantity | None]
) -> tuple[tuple[str, ...], tuple[tuple[str, Quantity], ...]]:
    """Other formulas that give the same number, and rivals close to the best that give another."""
    best, value = plans[0], values[0]
    if value is None:
        return (), ()
    agreeing: dict[str, None] = {}
    disagreeing: dict[str, Quantity] = {}
    for plan, other in zip(plans[1:], values[1:], strict=False):
        formula = plan.step.candidate.formula.id
        if other is None or formula == best.step.candidate.formula.id or other.dimension != value.dimension:
            continue
        if abs(other.si_value - value.si_value) <= _SAME * abs(value.si_value):
            agreeing[formula] = None
        elif best.score - plan.score < _LIMITS["close_rival"]:
            disagreeing[formula] = other
    return tuple(agreeing), tuple(disagreeing.items())


# What speaks against computing a plan, however well it scores: contradictions, impossible values, nothing asked.

# Letters of a symbol; what is longer is a word.
_LONGEST_SYMBOL = 3
# Characters before a value in which its own name would stand.
_NEARBY = 12
_NEVER_NEGATIVE = ("kg", "K")


def contradiction(plan: Plan, view: QuestionView) -> str:
    """Why the question contradicts itself: a value that is used, and another of the same symbol or name that is not."""
    taken = plan.taken()
    used = [one for one in view.values if one.index in taken]
    for one in view.values:
        if one.index in taken or one.given.implied or one.given.series is not None:
            continue
        rival = next((other for other in used if _is_same_thing(one, other, view.question.text)), None)
        if rival is not None:
            name = one.given.written or one.given.phrase or one.given.symbol
            return f"the question gives two values for {name}: {rival.given.text} and {one.given.text}"
    return ""


def _is_same_thing(one: PreparedValue, other: PreparedValue, text: str) -> bool:
    if one.dimensions[0] != other.dimensions[0] or other.given.implied or one.owner < 0 < other.owner:
        return False
    if one.given.readings[0].si_value == other.given.readings[0].si_value:
        return False
    if one.given.symbol or other.given.symbol:
        return one.given.symbol == other.given.symbol
    is_alike = bool(one.phrase) and one.phrase == other.phrase and bool(one.named) and one.roles == other.roles
    # In "lengths of 3 m and 7 m" the second has no name of its own: two things, not two values of one.
    return is_alike and _is_named_itself(one, text) and _is_named_itself(other, text)


def _is_named_itself(seen: PreparedValue, text: str) -> bool:
    before = text[max(0, seen.given.start - _NEARBY) : seen.given.start]
    return bool(set(stems(before)) & set(seen.phrase)) and not any(character.isdigit() for character in before)


def impossible_value(plan: Plan, scorer: Scorer) -> str:
    """Why a value cannot be: a quantity that is never negative is."""
    for part in plan.steps():
        candidate = part.step.candidate
        for slot, value in part.step.pairs:
            kind, seen = candidate.slots[slot].kind, scorer.view.values[value]
            quantity = scorer.quantity(candidate, slot, value)
            # What is only assumed to be a radius may be a place, which can be negative; a mass never can.
            is_sure = kind is not None and (
                bool(seen.named & candidate.slots[slot].lineage) or kind.unit in _NEVER_NEGATIVE
            )
            if kind is not None and is_sure and kind.sign != "any" and quantity.si_value < 0:
                return f"{seen.given.text} is no {kind.name}: it cannot be negative"
    return ""


def unit_misfit(plan: Plan, view: QuestionView) -> str:
    """Why the unit asked for contradicts the quantity asked for."""
    if not view.units or not view.asked or not view.asked[0].is_named:
        return ""
    if view.asked[0].dimensions & view.units or how_asked(plan.evidence) >= _GROUNDED["named"]:
        return ""
    kind = view.asked[0].kinds[0].name
    return f"{view.question.unit_text} is no unit of {kind}"


def is_grounded(plan: Plan, view: QuestionView) -> bool:
    """Whether the question asks for the result and gives something to compute it from."""
    evidence = plan.evidence
    asked, label = how_asked(evidence), evidence.get("label", 0.0)
    is_other = bool(evidence.get("target_other")) and not view.units and any(one.is_named for one in view.asked)
    if is_other or evidence.get("nameless") or leans_on_knowledge(plan, view):
        return False
    if _is_renaming(plan) and not evidence.get("topic") and label < _GROUNDED["labelled"]:
        return False
    if all(view.values[value].given.implied for value in plan.taken()):
        return asked >= _GROUNDED["named"] and label >= _GROUNDED["labelled"]
    is_dimension_asked = any(plan.step.slot.dimension in one.dimensions for one in view.asked)
    if asked >= _GROUNDED["hinted"] or view.units or is_dimension_asked:
        return True
    if not view.asked and evidence.get("target_alone") and _has_words(view) and _are_all_assigned(plan):
        return True
    return bool(evidence.get("topic")) or label >= _GROUNDED["labelled"]


def _is_renaming(plan: Plan) -> bool:
    """Whether the formula only says that two symbols are equal: then the answer would be the value that was given."""
    equation = plan.step.candidate.equation
    return isinstance(equation.left, Symbol) and isinstance(equation.right, Symbol)


def _has_words(view: QuestionView) -> bool:
    """Whether there is a word beside the symbols: values alone ask for nothing."""
    return any(len(word) > _LONGEST_SYMBOL for word in view.stems)


def _are_all_assigned(plan: Plan) -> bool:
    """Whether every value is given by the very symbol of its slot: then the formula is meant as it is written."""
    values = sum(len(part.step.pairs) for part in plan.steps())
    return plan.evidence.get("symbol", 0.0) >= _GROUNDED["assigned"] * values
