"""From a question to what should be computed, or why nothing should: plans ranked, computed, weighed, judged.
Answers nothing itself: that is `session.py`.

A confident complete plan is the suggestion. An incomplete one that wins names what is missing. What lies between is
shown as a proposal for the user to confirm, without its number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mathrag.language.enumeration import listed
from mathrag.language.stems import stem, stems
from mathrag.reason.brought_together import (
    leaves_out_alike_things,
    leaves_out_others_like_it,
    leaves_out_what_is_gone,
    mixes_what_follows,
    takes_a_part_for_the_whole,
    takes_what_is_added_for_a_state,
)
from mathrag.reason.choosing.choose import Ranking, rank_plans
from mathrag.reason.choosing.confidence import confidence_model, ranking_features
from mathrag.reason.choosing.plans import ConstantSource, Plan, missing_values, planned_steps, untold_exchanges
from mathrag.reason.choosing.question_view import PreparedTarget, PreparedValue, QuestionView
from mathrag.reason.choosing.regimes import contradicts_motion, is_too_steady
from mathrag.reason.choosing.resemblance import cited_case
from mathrag.reason.choosing.scores import Scorer
from mathrag.reason.choosing.slots import meaning_words
from mathrag.reason.choosing.systems import leans_on_knowledge
from mathrag.reason.choosing.target_evidence import how_asked
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.computing import compute_steps
from mathrag.reason.denied_conditions import denies_a_condition
from mathrag.reason.directions import contradicted_direction
from mathrag.reason.distant_limits import broken_limit
from mathrag.reason.impossible import Trial, impossible_value, trial_of
from mathrag.reason.left_over import (
    asks_for_the_rest,
    contradiction_of_left_over,
    leaves_out_a_multiple,
    leaves_out_a_state,
    leaves_out_times_of_day,
    leaves_out_which,
)
from mathrag.reason.measured_from import (
    gives_a_difference_for_a_whole,
    gives_a_radius_for_a_width,
    gives_a_reference,
    gives_a_whole_for_a_difference,
    is_asked_from_elsewhere,
    is_from_elsewhere,
    passes_a_change_of_state,
    takes_a_percentage_for_a_number,
    takes_a_whole_for_a_difference,
)
from mathrag.reason.rivals import NO_DOUBTS, DoubtFinder, Doubts, refused_for
from mathrag.reason.said_otherwise import (
    belongs_elsewhere,
    counts_the_other_way,
    gives_a_constant,
    gives_something_particular,
    is_called_something_else,
)
from mathrag.reason.stated_lists import takes_a_list_apart
from mathrag.reason.told_in_part import (
    asks_for_atoms_of_molecules,
    counts_something_else,
    goes_on_after_standing,
    is_what_it_is_said_not_to_be,
    leaves_open_which_way,
    leaves_out_a_share,
    takes_the_speed_of_something_else,
)
from mathrag.retrieve.candidates import Finder, FoundFormula
from mathrag.types.answer import Choice, Citation, Missing, Nearest, PlannedStep, Refusal, RefusalCode
from mathrag.types.expression import Symbol, equation_symbols
from mathrag.types.library import Formula
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
    # What the library itself says against it.
    doubts: Doubts = NO_DOUBTS


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
    # Why the first has no number, in words; empty where it has one.
    against: str = ""
    # What the question says that the first does not take up, in words.
    objection: str = ""
    doubts: Doubts = NO_DOUBTS
    # Whether its number is not given, however sure the features make it.
    is_held_back: bool = False


def _is_odd(plan: Plan, value: Quantity) -> bool:
    kind = plan.step.slot.kind
    return kind is not None and not kind.admits(value.si_value)


def _is_same(one: Quantity, other: Quantity) -> bool:
    """Whether two numbers agree but for rounding."""
    return abs(one.si_value - other.si_value) <= _SAME * abs(other.si_value)


def _is_too_steady(plan: Plan, view: QuestionView) -> bool:
    # What is asked for as an average may change as it likes.
    is_average = any("average" in one.roles for one in view.asked[:1])
    return not is_average and any(is_too_steady(part.step.candidate, view.question.text) for part in plan.steps())


# What a question says that a plan must take up, and what is said where it does not.
_OBJECTIONS: tuple[tuple[Callable[[Plan, QuestionView], bool], str], ...] = (
    (leaves_out_a_multiple, "the question multiplies or divides something, which the formula found does not take up"),
    (leaves_out_which, "the question asks for one of many, and the formula found does not take up which"),
    (leaves_out_a_state, "the question tells a before and an after, and the formula found takes only one of them"),
    (leaves_out_times_of_day, "the question tells times of day, which do not go with what the formula found takes"),
    (asks_for_the_rest, "the question asks for what is not so, and the formula found gives what is"),
    (is_from_elsewhere, "a value is measured from elsewhere than the formula found counts from"),
    (takes_a_whole_for_a_difference, "the formula found needs a difference of two values, and the question gives one"),
    (gives_a_whole_for_a_difference, "the question asks by how much, and the formula found gives what it becomes"),
    (takes_a_percentage_for_a_number, "a percentage would have to stand for a plain number"),
    (gives_a_reference, "the formula found gives what others are compared with, which is not asked"),
    (_is_too_steady, "something falls, speeds up or slows down, and the formula found is for a steady speed"),
    (passes_a_change_of_state, "water melts, freezes or boils on the way, which the formula found leaves out"),
    (takes_a_list_apart, "the question states values of one kind together, and the formula found takes them apart"),
    (
        counts_the_other_way,
        "the question says that something counts as negative, which the formula found does not take up",
    ),
    (belongs_elsewhere, "a value is called by another name than what it would stand for in the formula found"),
    (is_called_something_else, "a value is called something else than what it would stand for in the formula found"),
    (gives_a_constant, "the formula found gives a constant, which is not asked"),
    (gives_something_particular, "the formula found gives something more particular than what is asked"),
    (denies_a_condition, "the question does not meet a condition of the formula found"),
    (mixes_what_follows, "one thing happens after the other, and the formula found takes both for one"),
    (
        takes_what_is_added_for_a_state,
        "one thing is added to another, and the formula found takes them for before and after",
    ),
    (leaves_out_alike_things, "the question asks for several things together, and the formula found takes one of them"),
    (takes_a_part_for_the_whole, "the question asks for all of it, and the formula found gives a part"),
    (leaves_out_what_is_gone, "something is taken away, which the formula found does not take up"),
    (leaves_out_others_like_it, "there are several of them, and the formula found takes one"),
    (is_what_it_is_said_not_to_be, "the question says that it is not what the formula found gives"),
    (takes_the_speed_of_something_else, "a speed is of something else than what the formula found is for"),
    (is_asked_from_elsewhere, "the question asks for a distance from elsewhere than the formula found counts from"),
    (gives_a_radius_for_a_width, "the question asks how wide it is, and the formula found gives the radius"),
    (gives_a_difference_for_a_whole, "the question asks how large it is, and the formula found gives the change"),
    (goes_on_after_standing, "it stands before the time is over, and the formula found lets it go back"),
    (leaves_open_which_way, "the question does not say whether it moves toward or away, and it matters"),
    (counts_something_else, "the question counts other things than the formula found"),
    (leaves_out_a_share, "the question tells a percentage, which the formula found does not take up"),
    (asks_for_atoms_of_molecules, "the question asks for atoms, and the formula found counts whole particles"),
)
_UNTOLD = "nothing tells which of two values is which, and it matters"


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
        choices = tuple(
            choice_of(plan, ranking, self._constants, sure=sure if plan is best else 0.0) for plan in plans[:_RANKED]
        )
        code, reason = self.verdict(weighed, is_pinned=only is not None)
        refusal = None
        if code is not None:
            refusal = self._refusal(question, ranking, code, reason, choice=choices[0], sure=sure)
            refusal = refused_for(refusal, weighed.doubts)
        agreeing, disagreeing = _other_formulas(plans, weighed.values)
        example = cited_case(best, ranking.cases, self._name_document)
        features = tuple(weighed.features.items())
        return Decision(ranking, choices, refusal, agreeing, disagreeing, features, example, weighed.doubts)

    def weigh(self, question: Question, *, only: Formula | None = None) -> Weighed:
        """The plans for a question in the order in which they would be carried out, and how sure the first is."""
        ranking = rank_plans(question, self._finder, only=only)
        plans = ranking.plans
        if not plans:
            return Weighed(ranking, (), (), {}, 0.0)
        plans, trials = in_order(plans, self._tried(plans, ranking), ranking.scorer)
        plans, trials = self._in_possible_places(plans, trials, ranking)
        values = [trial.value for trial in trials]
        best, view, is_broken = plans[0], ranking.view, trials[0].is_impossible
        flags = {"broken": float(is_broken), "ungrounded": float(not is_grounded(best, view))}
        found = ranking_features(plans[: len(values)], values, view=view, flags=flags)
        sure = confidence_model().sure(found, self._formulas)
        is_asked = bool(view.asked or view.units) or not flags["ungrounded"]
        is_backwards = _is_backwards(best, values[0], view.asked[:1])
        is_at_odds = is_backwards or _is_against_motion(best, values[0], ranking.scorer)
        objection = next((said for applies, said in _OBJECTIONS if applies(best, view)), "")
        if not objection and only is None and self._is_untold(best, values[0], ranking):
            objection = _UNTOLD
        doubts = NO_DOUBTS if values[0] is None else self._doubts(best, ranking)
        is_at_odds = is_at_odds or bool(objection) or doubts.are_serious
        is_held_back = not is_asked or is_at_odds or leans_on_knowledge(best, view)
        if is_held_back:
            sure = min(sure, self._least - _LIMITS["just_under"])
        against = trials[0].against if is_broken else ""
        if not against and values[0] is not None and only is None:
            against = broken_limit(best, ranking, self._finder, self._constants)
        return Weighed(
            ranking, plans, tuple(values), found, sure, self._formulas, against, objection, doubts, is_held_back
        )

    def _doubts(self, plan: Plan, ranking: Ranking) -> Doubts:
        words = ranking.view.stems | ranking.view.told
        finder = DoubtFinder(self._finder.counterparts, self._constants, self._name_document, words)
        return finder.doubts(planned_steps(plan, ranking.scorer, self._constants))

    def _is_untold(self, best: Plan, value: Quantity | None, ranking: Ranking) -> bool:
        """Whether two values might as well change places, and another number would come out."""
        if value is None:
            return False
        others = (self._trial(plan, ranking) for plan in untold_exchanges(best, ranking.scorer))
        return any(
            other.value is not None and not other.against and not _is_same(other.value, value) for other in others
        )

    def _in_possible_places(
        self, plans: Sequence[Plan], trials: Sequence[Trial], ranking: Ranking
    ) -> tuple[tuple[Plan, ...], tuple[Trial, ...]]:
        """The plans, the first with two values in each other's places where the question gives both by one symbol
        (n = 6 and n = 3), nothing but their order tells them apart, and only so the plan has a number."""
        is_shared = any(ranking.view.values[value].is_symbol_shared for value in plans[0].taken())
        if is_shared and trials and trials[0].is_impossible:
            options = [(plan, self._trial(plan, ranking)) for plan in untold_exchanges(plans[0], ranking.scorer)]
            possible = [(plan, trial) for plan, trial in options if trial.value is not None and not trial.against]
            if len(possible) == 1:
                return (possible[0][0], *plans[1:]), (possible[0][1], *trials[1:])
        return tuple(plans), tuple(trials)

    def _tried(self, plans: Sequence[Plan], ranking: Ranking) -> list[Trial]:
        """What comes of computing the first plans; nothing of those that lack a value."""
        return [self._trial(plan, ranking) if plan.is_complete else Trial() for plan in plans[:COMPUTED]]

    def _trial(self, plan: Plan, ranking: Ranking) -> Trial:
        steps = compute_steps(planned_steps(plan, ranking.scorer, self._constants), is_shown=False)
        return trial_of(plan, steps, ranking.view)

    def verdict(self, weighed: Weighed, *, is_pinned: bool) -> tuple[RefusalCode | None, str]:
        """Why the first plan should not be computed, as a code and in words; no code where it should."""
        best, ranking, sure = weighed.plans[0], weighed.ranking, weighed.sure
        clash = contradiction(best, ranking.view) or contradicted_direction(ranking.view)
        if not clash and best.is_complete and not is_pinned:
            clash = contradiction_of_left_over(best, weighed.values[0], ranking, self._constants)
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
        if weighed.against:
            # Where it is not even plain that the formula is meant, its failing tells nobody anything.
            is_meant = how_asked(best.evidence) >= _LIMITS["least_asked"] and is_grounded(best, ranking.view)
            return ("impossible", weighed.against) if is_meant else ("no_formula", _NOTHING)
        misfit = unit_misfit(best, ranking.view)
        if misfit:
            return "unit", misfit
        if sure >= self._least:
            return None, ""
        if sure >= confidence_model().show:
            return "unsure", weighed.objection or "a formula may fit, but not surely enough to give a number"
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


def choice_of(plan: Plan, ranking: Ranking, constants: ConstantSource, *, sure: float = 0.0) -> Choice:
    """A ranked plan as what would be computed."""
    steps = planned_steps(plan, ranking.scorer, constants)
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


def in_order(
    plans: Sequence[Plan], trials: Sequence[Trial], scorer: Scorer
) -> tuple[tuple[Plan, ...], tuple[Trial, ...]]:
    """The plans in the order in which they would be carried out, with what came of the first ones.

    A plan that this program cannot compute goes behind the others. One that has no number at all stays where it is:
    only a plan that says the same as well may take its place, never a worse one.
    """
    ranks = range(len(trials))
    is_lost = [plans[place].is_complete and trials[place].value is None for place in ranks]
    is_lost = [lost and not trials[place].is_impossible for place, lost in enumerate(is_lost)]
    order = list(ranks) if all(is_lost) else sorted(ranks, key=lambda place: is_lost[place])
    best = plans[order[0]].score
    if trials[order[0]].is_impossible:
        ties = [place for place in order if best - plans[place].score <= _LIMITS["tie"] and plans[place].is_complete]
        possible = [place for place in ties if trials[place].value is not None and not trials[place].against]
        order = [*possible[:1], *(place for place in order if place not in possible[:1])]
    else:
        order = _plausible_first(order, plans, trials, scorer)
    rest = plans[len(trials) :]
    return (*(plans[place] for place in order), *rest), tuple(trials[place] for place in order)


def _is_backwards(plan: Plan, value: Quantity | None, asked: Sequence[PreparedTarget]) -> bool:
    """Whether a quantity that is never negative comes out so: the values stand in each other's places. What is asked
    for by a name of its own says better than the slot whether it can be: an image distance can, a distance cannot."""
    kind = plan.step.slot.kind
    if value is None or kind is None or value.si_value >= 0:
        return False
    named = [each for one in asked if one.is_named for each in one.kinds[:1] if each.dimension == kind.dimension]
    return (named[0] if named else kind).sign != "any"


def _plausible_first(order: Sequence[int], plans: Sequence[Plan], trials: Sequence[Trial], scorer: Scorer) -> list[int]:
    """Of plans that are nearly as good, those first whose number the quantity is known to have, and whose formulas hold
    for these values."""
    first = plans[order[0]]

    def is_later(place: int) -> bool:
        plan, value = plans[place], trials[place].value
        is_close = first.score - plan.score <= _LIMITS["close_rival"] and plan.is_complete == first.is_complete
        is_odd = value is not None and (_is_odd(plan, value) or bool(plan.evidence.get("regime")))
        return is_odd or not is_close or bool(trials[place].against) or _is_against_motion(plan, value, scorer)

    return sorted(order, key=is_later)


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
    return f"the question does not give {listed(list(dict.fromkeys(known)))}"


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
        if _is_same(other, value):
            agreeing[formula] = None
        elif best.score - plan.score < _LIMITS["close_rival"]:
            disagreeing[formula] = other
    return tuple(agreeing), tuple(disagreeing.items())


# What speaks against computing a plan, however well it scores: contradictions, impossible values, nothing asked.

# Letters of a symbol; what is longer is a word.
_LONGEST_SYMBOL = 3
# Characters before a value in which its own name would stand.
_NEARBY = 12


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
