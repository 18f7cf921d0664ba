"""A short question after an answer: which of the last values it changes, and the whole question that this makes.

Nothing is computed but a doubled or shifted value, and that value says from what. What cannot be understood so is
either a new question (None) or a problem in words; a guess is never made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from mathrag.errors import MathragError
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import unit_readings
from mathrag.language.quantities import Mention, find_quantities
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.types.answer import Answer, Bound, Outcome, Provenance, Refusal, Step
from mathrag.types.quantity import Quantity, Unit
from mathrag.types.symbol_names import GREEK

# What the words of a follow-up ask for: another unit, a value scaled or shifted, a value replaced. Knows no answer.

LONGEST = 300


_CUE = re.compile(rf"(?:(?:{any_of('follow_up.openers')})\b[ ,]*)*(?:{any_of('follow_up.cues')})?\b", re.IGNORECASE)
_UNIT_ONLY = re.compile(
    rf"(?:(?:{any_of('follow_up.unit_openers')})[ ,]+)*(?:in|to|into|as)\s+(?P<unit>[^?!]{{1,40}}?)"
    r"(?:\s+(?:please|then|instead))?\s*[?.!]*",
    re.IGNORECASE,
)
_TIMES = {word: int(size) for word, size in word_pairs("follow_up.times").items()}
_PARTS = {words: float(Fraction(share)) for words, share in word_pairs("follow_up.parts").items()}
_VERBS = {word: float(factor) for word, factor in word_pairs("follow_up.scaling_verbs").items()}
_VERB = re.compile(rf"\b({any_of('follow_up.scaling_verbs')})(?:e|es|ed|ing)\b")
_NUMBER = r"\d{1,6}(?:\.\d{1,6})?"
_COUNT = "|".join(word for word in _TIMES if word not in ("twice", "thrice"))
_MULTIPLE = re.compile(
    rf"\b(?:(twice|thrice)|({_COUNT}|{_NUMBER}) times|({any_of('follow_up.parts')})(?= (?:the|as|of)\b))"
)
_DIRECTION = re.compile(
    rf"\b(?:(?P<up>(?:{any_of('follow_up.up_stems')})\w*|{any_of('follow_up.up')})"
    rf"|(?P<down>(?:{any_of('follow_up.down_stems')})\w*|{any_of('follow_up.down')}))\b"
)
_FACTOR = re.compile(rf"\bby a factor of ({_NUMBER}|{_COUNT})\b")
_EMPTY = word_class("follow_up.empty")


@dataclass(frozen=True, slots=True)
class Scaling:
    """A value multiplied by `factor`, or shifted by `shift`; `phrase` are the words that name which value."""

    phrase: str
    factor: float | None = None
    shift: Mention | None = None
    is_down: bool = False


def has_cue(text: str) -> bool:
    """Whether the text begins like something said after an answer."""
    found = _CUE.match(text.strip())
    return found is not None and found.end() > 0


def content_words(text: str) -> tuple[str, ...]:
    """The words that could name a quantity, in the normal form that descriptions have too."""
    words = re.findall(r"[^\W\d_][\w']*", text)
    return tuple(word for word in normal_words(" ".join(words)).split() if word not in _EMPTY)


def read_unit_wish(text: str) -> tuple[str, tuple[Unit, ...]] | None:
    """The unit where the text asks for nothing but another unit: "and in kPa?"."""
    found = _UNIT_ONLY.fullmatch(text.strip())
    if found is None:
        return None
    try:
        readings = unit_readings(found["unit"].strip())
    except MathragError:
        return None
    return (found["unit"].strip(), tuple(readings)) if readings else None


def read_trailing_unit(text: str, *, after: int) -> tuple[str, tuple[Unit, ...]] | None:
    """The unit asked for after the last value of the text: "and at 77 K in km/s?"."""
    return read_unit_wish(text[after:])


def read_scaling(text: str) -> Scaling | None:
    """A value doubled, halved, made 10 % larger, raised by 5 K; None where nothing of that is said."""
    lowered = text.lower()
    verb = _VERB.search(lowered)
    if verb is not None:
        return Scaling(_without(text, verb.span()), _VERBS[verb[1]])
    direction = _DIRECTION.search(lowered)
    if direction is not None:
        found = _directed(text, lowered, direction)
        if found is not None:
            return found
    multiple = _MULTIPLE.search(lowered)
    if multiple is None:
        return None
    word = multiple[1] or multiple[2] or ""
    factor = _PARTS[multiple[3]] if multiple[3] else float(_TIMES.get(word, 0) or word)
    return Scaling(_without(text, multiple.span()), factor)


def _directed(text: str, lowered: str, direction: re.Match[str]) -> Scaling | None:
    is_down = direction["down"] is not None
    by_factor = _FACTOR.search(lowered)
    if by_factor is not None:
        size = float(_TIMES.get(by_factor[1], 0) or by_factor[1])
        phrase = _without(text, direction.span(), by_factor.span())
        return Scaling(phrase, 1 / size if is_down else size) if size else None
    mentions = [mention for mention in find_quantities(text) if mention.kind in ("quantity", "number")]
    if len(mentions) != 1 or re.search(r"\bto\s+$", lowered[: mentions[0].start]):
        return None  # "increase the mass to 5 kg" replaces; it does not add
    mention = mentions[0]
    phrase = _without(text, direction.span(), (mention.start, mention.end))
    if mention.units and mention.units[0].text == "percent":
        change = mention.value / 100
        return Scaling(phrase, 1 - change if is_down else 1 + change)
    return Scaling(phrase, shift=mention, is_down=is_down) if mention.units else None


def _without(text: str, *spans: tuple[int, int]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def quantity_words(quantity: Quantity) -> str:
    """A quantity as a question writes it, with every digit it has."""
    number = str(quantity.value) if isinstance(quantity.value, int) else f"{quantity.value:.12g}"
    return f"{number} {quantity.unit.text}".strip()


_MOST_STRANGE_WORDS = 2
_BEFORE = "question before"
_YES = word_class("follow_up.yes")
_CHANGEABLE = ("question", "implied", "pinned", "assumed", "derived")
_FIXED = ("constant", "document")


@dataclass(frozen=True, slots=True)
class Change:
    """A symbol with its new value; `said` is where that came from, for people."""

    symbol: str
    after: Quantity
    said: str
    is_computed: bool = False


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What to ask now. `problem` says why nothing can be asked; then the rest is empty."""

    question: str = ""
    pinned: tuple[tuple[str, str], ...] = ()
    unit: str | None = None
    formula: str | None = None
    changes: tuple[Change, ...] = ()
    problem: str = ""


def follow_up(text: str, last: Answer | Refusal) -> FollowUp | None:
    """The question that a follow-up stands for; None where it is a question of its own."""
    words = " ".join(text[: LONGEST + 1].split())
    if not words or len(text) > LONGEST:
        return None
    return _after_answer(words, last) if isinstance(last, Answer) else _after_refusal(words, last)


def with_origins(outcome: Outcome, follow: FollowUp) -> Outcome:
    """The outcome with each value saying that it came from the question before, or how it was changed."""
    if not isinstance(outcome, Answer):
        return outcome
    changes = {change.symbol: change for change in follow.changes}
    return replace(outcome, steps=tuple(_step_with_origins(step, changes) for step in outcome.steps))


def _step_with_origins(step: Step, changes: dict[str, Change]) -> Step:
    bindings = []
    for bound in step.bindings:
        change = changes.get(bound.symbol)
        provenance = bound.provenance
        if change is not None and bound.quantity is not None and _is_near(bound.quantity, change.after):
            provenance = Provenance("derived" if change.is_computed else "question", change.said)
        elif provenance.origin == "question" and change is None and not provenance.source:
            provenance = replace(provenance, source=_BEFORE)
        bindings.append(replace(bound, provenance=provenance))
    return replace(step, bindings=tuple(bindings))


def _is_near(first: Quantity, second: Quantity) -> bool:
    scale = max(abs(first.si_value), abs(second.si_value))
    return first.dimension == second.dimension and abs(first.si_value - second.si_value) <= 1e-9 * scale


# ---- after an answer


def _after_answer(words: str, last: Answer) -> FollowUp | None:
    wish = read_unit_wish(words)
    if wish is not None:
        return _in_unit(wish[0], wish[1], last)
    bounds = _changeable(last)
    is_cued = has_cue(words)
    scaling = read_scaling(words)
    if scaling is not None and bounds:
        return _scaled(scaling, last, bounds, is_cued=is_cued)
    mentions = [mention for mention in find_quantities(words) if mention.kind in ("quantity", "number", "count")]
    known = (*bounds, *_bounds_of(last, _FIXED))
    if not bounds or _is_new_question(words, mentions, known, is_cued=is_cued):
        return None
    if not mentions:
        return FollowUp(problem=_cannot(bounds))
    if last.rows:
        return FollowUp(problem="The last question had several values; ask the whole question again with the new one.")
    return _replaced(words, mentions, last, bounds, is_cued=is_cued)


def _changeable(last: Answer) -> tuple[Bound, ...]:
    """The values that the user gave, each symbol once; of two steps the later counts."""
    return _bounds_of(last, _CHANGEABLE)


def _bounds_of(last: Answer, origins: tuple[str, ...]) -> tuple[Bound, ...]:
    found = {
        bound.symbol: bound
        for step in last.steps
        for bound in step.bindings
        if bound.quantity is not None and bound.provenance.origin in origins and bound.provenance.step is None
    }
    return tuple(found.values())


def _is_new_question(words: str, mentions: Sequence[Mention], bounds: Sequence[Bound], *, is_cued: bool) -> bool:
    """A follow-up begins like one, or is nothing but values; and it names little that the last answer has not."""
    strange = _strange_words(_outside(words, mentions), bounds)
    if is_cued:
        return len(strange) > _MOST_STRANGE_WORDS
    return not mentions or bool(strange)


def _strange_words(text: str, bounds: Sequence[Bound]) -> list[str]:
    known = {word for bound in bounds for word in (*content_words(bound.description), *_spellings(bound.symbol))}
    return [word for word in content_words(text) if word not in known]


def _outside(words: str, mentions: Sequence[Mention]) -> str:
    for mention in sorted(mentions, key=lambda each: each.start, reverse=True):
        words = f"{words[: mention.start]} {words[mention.end :]}"
    return words


def _in_unit(written: str, readings: tuple[Unit, ...], last: Answer) -> FollowUp:
    fitting = [unit for unit in readings if unit.dimension == last.quantity.dimension]
    if not fitting:
        shown = last.quantity.unit.text or "no unit"
        return FollowUp(
            problem=f"The answer cannot be given in {written}: it is in {shown}, which measures something else."
        )
    return replace(_asked_again(last, ()), unit=fitting[0].text)


def _scaled(scaling: Scaling, last: Answer, bounds: tuple[Bound, ...], *, is_cued: bool) -> FollowUp | None:
    has_numbers = bool(find_quantities(scaling.phrase))
    if has_numbers or len(_strange_words(scaling.phrase, bounds)) > (_MOST_STRANGE_WORDS if is_cued else 0):
        return None
    named = _named(scaling.phrase, bounds)
    if len(named) != 1:
        return FollowUp(problem=_which(named or bounds))
    if last.rows:
        return FollowUp(problem="The last question had several values; ask the whole question again with the new ones.")
    change = _computed_change(scaling, named[0])
    return FollowUp(problem=change) if isinstance(change, str) else _asked_again(last, (change,))


def _computed_change(scaling: Scaling, bound: Bound) -> Change | str:
    """The new value with its history, or why there is none."""
    before = bound.quantity
    assert before is not None
    old = quantity_words(before)
    if scaling.shift is None:
        factor = scaling.factor or 0.0
        if before.unit.is_absolute_temperature:
            return f"{old} has no double or half; say the new temperature."
        shown = f"{factor:.6g}"
        value = before.value * (int(factor) if factor.is_integer() else factor)
        after = replace(before, value=value, uncertainty=None)
        return Change(bound.symbol, after, f"{shown} × {old}, from the {_BEFORE}", is_computed=True)
    amount = _difference(scaling.shift, before)
    if amount is None:
        return f"{scaling.shift.text} cannot be added to {old}; say the new value."
    sign = "−" if scaling.is_down else "+"
    after = replace(before, value=before.value - amount if scaling.is_down else before.value + amount, uncertainty=None)
    return Change(bound.symbol, after, f"{old} {sign} {scaling.shift.text}, from the {_BEFORE}", is_computed=True)


def _difference(shift: Mention, before: Quantity) -> float | None:
    """The shift in the unit of the value; a step of a degree has no zero point."""
    for quantity in shift.quantities:
        if quantity.dimension == before.dimension and quantity.unit.text not in ("percent", "deg"):
            return quantity.value * quantity.unit.scale / before.unit.scale
    return None


def _replaced(
    words: str, mentions: Sequence[Mention], last: Answer, bounds: tuple[Bound, ...], *, is_cued: bool
) -> FollowUp | None:
    changes: list[Change] = []
    for mention in mentions:
        target = _target(words, mention, bounds, _bounds_of(last, _FIXED))
        if isinstance(target, str):
            return FollowUp(problem=target) if is_cued or mention.symbol_name else None
        bound, quantity = target
        if any(change.symbol == bound.symbol for change in changes):
            return FollowUp(problem=f"Two values are given for {bound.symbol}; give one at a time.")
        changes.append(Change(bound.symbol, quantity, mention.text))
    asked = _asked_again(last, tuple(changes))
    wish = read_trailing_unit(words, after=max(mention.end for mention in mentions))
    if wish is None:
        return asked
    in_unit = _in_unit(*wish, last)
    return in_unit if in_unit.problem else replace(asked, unit=in_unit.unit)


def _target(
    words: str, mention: Mention, bounds: tuple[Bound, ...], constants: tuple[Bound, ...]
) -> tuple[Bound, Quantity] | str:
    """Which of the last values a new one takes the place of; a sentence where that is not clear.

    A constant is replaced only where it is named by its symbol.
    """
    named = [bound for bound in (*bounds, *constants) if mention.symbol and _same_name(mention, bound.symbol)]
    if mention.symbol_name and not named:
        named = list(_named(mention.symbol, bounds))
        if not named:
            symbols = ", ".join(bound.symbol for bound in bounds)
            return f"The last question has no {mention.symbol}; it has {symbols}."
    possible = named or list(bounds)
    fitting = [(bound, quantity) for bound in possible for quantity in mention.quantities if _fits(bound, quantity)]
    if not fitting:
        return _misfit(mention, possible)
    if len({bound.symbol for bound, _ in fitting}) > 1:
        by_words = _named(_outside(words, [mention]), tuple(bound for bound, _ in fitting))
        fitting = [pair for pair in fitting if pair[0] in by_words] or fitting
    places = {bound.symbol for bound, _ in fitting}
    return fitting[0] if len(places) == 1 else _which(tuple(bound for bound, _ in fitting))


def _misfit(mention: Mention, bounds: list[Bound]) -> str:
    """Why a value can take the place of none of these."""
    if mention.kind != "quantity" and not mention.units:
        return f"{mention.text} of which unit? Write it with the number, as in {_example(bounds)}."
    return f"{mention.text} fits none of the last values: {_listed(bounds)}."


def _fits(bound: Bound, quantity: Quantity) -> bool:
    return bound.quantity is not None and bound.quantity.dimension == quantity.dimension


def _same_name(mention: Mention, symbol: str) -> bool:
    return mention.symbol_name == symbol or mention.symbol.replace("_", "") == symbol.replace("_", "")


def _spellings(symbol: str) -> tuple[str, ...]:
    letters = {name: letter for letter, name in reversed(GREEK.items())}
    bare = symbol.replace("_", "")
    return tuple({symbol.lower(), bare.lower(), letters.get(symbol.rstrip("_"), bare).lower()})


def _named(phrase: str, bounds: Sequence[Bound]) -> tuple[Bound, ...]:
    """The values that a phrase names: by symbol, else by the most words of their descriptions."""
    tokens = phrase.replace("?", " ").replace(",", " ").replace(".", " ").split()
    by_symbol = tuple(
        bound
        for bound in bounds
        if any(
            token in (bound.symbol, bound.symbol.replace("_", "")) or _is_greek(token, bound.symbol) for token in tokens
        )
    )
    # The article "a" is also an acceleration: a symbol of that name must be all that is said.
    if by_symbol and not (all(bound.symbol in ("a", "I") for bound in by_symbol) and content_words(phrase)):
        return by_symbol
    words = set(content_words(phrase))
    scores = [(len(words & set(content_words(bound.description))), bound) for bound in bounds]
    best = max((score for score, _ in scores), default=0)
    return tuple(bound for score, bound in scores if score == best) if best else ()


def _is_greek(token: str, symbol: str) -> bool:
    return len(token) == 1 and GREEK.get(token) == symbol.rstrip("_")


def _asked_again(last: Answer, changes: tuple[Change, ...]) -> FollowUp:
    """The last question with the new values in the places of the old; what has no place there is pinned."""
    changed = {change.symbol for change in changes}
    bounds = {bound.symbol: bound for bound in _bounds_of(last, (*_CHANGEABLE, *_FIXED))}
    pinned: dict[str, str] = {
        bound.symbol: quantity_words(bound.quantity)
        for bound in bounds.values()
        if bound.provenance.origin == "pinned" and bound.quantity is not None and bound.symbol not in changed
    }
    edits: list[tuple[int, int, str]] = []
    mentions = find_quantities(last.question)
    for change in changes:
        place = _place(bounds[change.symbol], mentions)
        written = quantity_words(change.after) if change.is_computed else change.said
        sharers = [each for each in bounds.values() if place is not None and _place(each, mentions) is place]
        if place is None or len(sharers) > 1 or bounds[change.symbol].provenance.origin == "pinned":
            pinned[change.symbol] = written
        else:
            edits.append((place.start, place.end, written))
    question = last.question
    for start, end, written in sorted(edits, reverse=True):
        question = question[:start] + written + question[end:]
    is_single = len(last.steps) == 1
    return FollowUp(
        question,
        tuple(pinned.items()),
        last.quantity.unit.text or None,
        last.steps[0].formula.id if is_single else None,
        changes,
    )


def _place(bound: Bound, mentions: Sequence[Mention]) -> Mention | None:
    """Where the question states a value; None where it does not, or does twice."""
    if bound.quantity is None or bound.provenance.origin not in ("question", "derived"):
        return None
    equal = [
        mention for mention in mentions if any(_is_near(bound.quantity, quantity) for quantity in mention.quantities)
    ]
    by_symbol = [mention for mention in equal if mention.symbol and _same_name(mention, bound.symbol)]
    chosen = by_symbol or equal
    return chosen[0] if len(chosen) == 1 else None


def _cannot(bounds: Sequence[Bound]) -> str:
    return (
        "Only values can be changed in a follow-up, and this names none. "
        f"Say a new value, as in {_example(bounds)}, or ask the whole question."
    )


def _which(bounds: Sequence[Bound]) -> str:
    return f"Which value? The last question has {_listed(bounds)}; name one by its symbol."


def _listed(bounds: Sequence[Bound]) -> str:
    shown = []
    for bound in bounds[:6]:
        value = f" = {quantity_words(bound.quantity)}" if bound.quantity is not None else ""
        shown.append(f"{bound.symbol}{value}{f' ({bound.description})' if bound.description else ''}")
    return ", ".join(shown)


def _example(bounds: Sequence[Bound]) -> str:
    bound = bounds[0]
    unit = bound.quantity.unit.text if bound.quantity is not None else ""
    return f"“{bound.symbol} = 2 {unit}”".replace(" ”", "”")


# ---- after a refusal


def _after_refusal(words: str, last: Refusal) -> FollowUp | None:
    """The missing values supplied, or a proposal confirmed."""
    if last.proposal and set(words.lower().strip(" .!").replace(",", " ").split()) <= _YES:
        return FollowUp(last.question, formula=last.proposal[-1].formula.id)
    if not last.missing:
        return None
    mentions = [mention for mention in find_quantities(words) if mention.kind in ("quantity", "number", "count")]
    wanted = tuple(Bound(each.symbol, Provenance("pinned", ""), None, "", each.words) for each in last.missing)
    if not mentions or _is_new_question(words, mentions, wanted, is_cued=has_cue(words)):
        return None
    pinned: dict[str, str] = {}
    changes: list[Change] = []
    for mention in mentions:
        symbol = _missing_symbol(words, mention, last, wanted)
        if symbol is None:
            listed = ", ".join(f"{each.symbol} ({each.words})" for each in last.missing)
            return FollowUp(problem=f"{mention.text} is not what is missing: {listed}.")
        pinned[symbol] = mention.text
        changes.append(Change(symbol, mention.quantities[0], mention.text))
    return FollowUp(last.question, tuple(pinned.items()), changes=tuple(changes))


def _missing_symbol(words: str, mention: Mention, last: Refusal, wanted: tuple[Bound, ...]) -> str | None:
    from mathrag.knowledge.units import read_canonical_unit

    if mention.symbol:
        return next((each.symbol for each in wanted if _same_name(mention, each.symbol)), None)
    dimensions = {each.symbol: read_canonical_unit(each.unit).dimension for each in last.missing if each.unit}
    fitting = [
        each
        for each in wanted
        if each.symbol not in dimensions
        or any(quantity.dimension == dimensions[each.symbol] for quantity in mention.quantities)
    ]
    named = _named(_outside(words, [mention]), fitting)
    chosen = named or tuple(fitting)
    return chosen[0].symbol if len(chosen) == 1 else None
