"""Whether what is asked bears another name than what a plan gives, or the name of something that it takes.

Most of it is asked where one hand wrote all formulas and names what it means: there a ratio that goes by another name
is another one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from mathrag.language.stems import stem, stems
from mathrag.language.word_classes import word_class
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.choosing.question_view import PreparedTarget, PreparedValue, QuestionView, head_stems
from mathrag.reason.choosing.slots import Slot, candidates_of
from mathrag.reason.choosing.value_evidence import symbol_evidence
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.judge.spots import Spot, of_result, of_value, placed
from mathrag.types.library import Formula

# They stand before the name of any quantity and make no other of it.
_ANY = frozenset(stem(word) for name in ("sizes", "wholes", "any_quantity") for word in word_class(f"choosing.{name}"))
_PLAIN = "1"
_SAME_SYMBOL = thresholds("symbol")["same"]
# A word alone is the name of too many things.
_NAME = 2


def called_otherwise(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """What is asked and what comes out are plain numbers of one noun ("ratio", "index"), each with words of its own
    before it: what is asked has a word that the formula does not know, and what comes out one that nobody says."""
    asked = _name_asked(view)
    if asked is None or best.step.slot.dimension != _PLAIN:
        return
    candidate = best.step.candidate
    known = candidate.word_stems | candidate.label_stems | _ANY
    absent = [word for word in asked.core[:-1] if word not in known]
    names = [name for name in _names(best) if head_stems(name)[-1:] == (asked.head,)]
    said = view.stems | view.told | _ANY
    if absent and names and all(not said.issuperset(head_stems(name)[:-1]) for name in names):
        yield of_result(best)


def takes_what_is_asked(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """A value stands for the very thing that is asked for, by its name, and what comes out is called otherwise."""
    asked = _name_asked(view)
    if asked is None or any(_is_called(asked.core, name) for name in _names(best)):
        return
    for _, slot, one in placed(best, view):
        if not one.given.implied and _is_called(asked.core, slot.meaning.description):
            yield of_value(one, slot=slot)


def named_after_another(best: Plan, plans: Iterable[Plan], view: QuestionView) -> Iterator[Spot]:
    """The question says whose law, curve or method is meant, and a document says so of another formula that the values
    fill, and not of this one: after Hazen is not after Kozeny."""
    names = frozenset(stem(name) for name in view.wording.names)
    if not names or any(not names.isdisjoint(part.step.candidate.known_stems) for part in best.steps()):
        return
    for other in plans:
        is_alike = other.is_complete and other.step.slot.dimension == best.step.slot.dimension
        if is_alike and not names.isdisjoint(other.step.candidate.known_stems):
            yield of_result(best)
            return


def belongs_to_another(best: Plan, formulas: Iterable[Formula], view: QuestionView) -> Iterator[Spot]:
    """What is asked for has in full the name, of two words and more, or the abbreviation of what another formula of the
    same document gives, and what comes out has no such name: a gross yield is no net yield."""
    asked = _first_asked(view)
    slot, label = best.step.slot, best.step.candidate.label_stems
    if asked is None or symbol_evidence(asked.parts, slot) >= _SAME_SYMBOL:
        return
    said, typed = frozenset(asked.core), frozenset(asked.target.phrase.split())
    documents = best.step.candidate.formula.documents
    for formula in formulas:
        if documents.isdisjoint(formula.documents):
            continue
        for candidate in candidates_of(formula)[:1]:
            other = next((each for each in candidate.slots if each.symbol == candidate.own_target), None)
            if other is None or other.symbol == slot.symbol or other.names.own is None:
                continue
            name = frozenset(other.names.own.stems)
            is_named = len(name) >= _NAME and name <= said
            is_known = name <= label or any(name <= frozenset(own.stems) for own in slot.names)
            is_called = other.is_abbreviation and other.symbol.isupper() and other.symbol in typed
            is_called = is_called and stem(other.symbol.casefold()) not in best.step.candidate.own_words
            if (is_named and not is_known) or is_called:
                yield of_result(best)
                return


def values_of_others(best: Plan, formulas: Iterable[Formula], view: QuestionView) -> Iterator[Spot]:
    """A value has in full the name, of two words and more, of another symbol of the same document and of its dimension
    than the one that it stands for: a focal length is no distance of the image."""
    called = _called(best, formulas)
    for _, slot, one in placed(best, view):
        name = frozenset(one.phrase)
        others = {symbol for symbol, dimension in called.get(name, ()) if dimension == one.dimensions[0]}
        is_own = any(name <= frozenset(own.stems) for own in slot.names) or slot.symbol in others
        is_stated = not one.given.implied and symbol_evidence(one.parts, slot) < _SAME_SYMBOL
        if len(name) >= _NAME and others and not is_own and is_stated:
            yield of_value(one, slot=slot)


def _called(best: Plan, formulas: Iterable[Formula]) -> dict[frozenset[str], set[tuple[str, str | None]]]:
    """The symbols that the documents of a plan call by each name, with their dimensions."""
    documents = frozenset().union(*(part.step.candidate.formula.documents for part in best.steps()))
    found: dict[frozenset[str], set[tuple[str, str | None]]] = {}
    for formula in formulas:
        if documents.isdisjoint(formula.documents):
            continue
        for slot in (slot for candidate in candidates_of(formula)[:1] for slot in candidate.slots):
            if slot.names.own is not None and slot.meaning.origin == "document":
                found.setdefault(frozenset(slot.names.own.stems), set()).add((slot.symbol, slot.dimension))
    return found


def ends_parted(best: Plan, view: QuestionView) -> Iterator[Spot]:
    """What something is in the beginning and what it becomes stand for two different quantities."""
    stated = [(slot, one) for _, slot, one in placed(best, view) if not one.given.implied]
    for slot, one in stated:
        for other_slot, other in stated:
            if "initial" in one.roles and "final" in other.roles and _are_ends(one, other):
                is_one_letter = slot.parts.letter == other_slot.parts.letter
                if not is_one_letter and _heads(slot).isdisjoint(_heads(other_slot)):
                    yield of_value(one, other)


def _name_asked(view: QuestionView) -> PreparedTarget | None:
    asked = _first_asked(view)
    return asked if asked is not None and asked.parts is None and len(asked.core) >= _NAME else None


def _first_asked(view: QuestionView) -> PreparedTarget | None:
    """What a word asks for, before what only stands somewhere as names do."""
    return next((one for one in view.asked if one.target.asked_by), view.asked[0] if view.asked else None)


def _names(best: Plan) -> list[str]:
    """What the result of a plan is called, and its formula."""
    formula = best.step.candidate.formula
    return [*best.step.slot.meaning.description.split(","), *(formula.labels or (formula.label,))]


def _is_called(words: Collection[str], name: str) -> bool:
    return set(words) <= set(stems(name))


def _are_ends(one: PreparedValue, other: PreparedValue) -> bool:
    return one is not other and one.dimensions[0] == other.dimensions[0]


def _heads(slot: Slot) -> frozenset[str]:
    return frozenset(word for name in slot.meaning.description.split(",") for word in head_stems(name)[-1:])
