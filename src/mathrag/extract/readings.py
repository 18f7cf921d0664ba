"""Where notation can be read in two ways, let the document decide; where it does not, say so.

`mv` is a product or a name, `U(r_0)` a value or a product, `861MPa` a strength or four factors. The grammar says where
it had to choose (`Ambiguity`); here the document's own vocabulary weighs the readings: letters that stand alone, names
that stand alone, definitions, words with those initials, functions shown with their argument, dimensions. A reading is
certain only with a margin over the next one. Reads no meanings and changes no formula.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from mathrag.compute.choices import NO_CHOICES, Choices
from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.latex import read_latex
from mathrag.compute.mathml import read_mathml
from mathrag.compute.pythontext import read_python_text
from mathrag.extract.known_relations import is_written_as_name
from mathrag.extract.vocabulary import Vocabulary
from mathrag.extract.weights import weights
from mathrag.knowledge.kinds import kinds_for_symbol, kinds_for_words
from mathrag.knowledge.units import unit_readings
from mathrag.types.document import Math
from mathrag.types.expression import Ambiguity, Declined, Equation, Reading, equation_symbols, size_of
from mathrag.types.quantity import Dimension
from mathrag.types.symbol_names import GREEK_NAMES, split_name

AMBIGUOUS = "ambiguous_notation"
# Dots behind a value, then a label in parentheses; behind a sign they stand for further terms.
_LEADERS = re.compile(
    r"(?<![-+*/=,·×\s])\s*(?:(?:\\[;,:! ]|\\q?quad\b)\s*){0,3}(?:(?:\\[lc]?dots|\.{3}|…)\s*){1,20}"
    r"(?:\\(?:text|textrm|mathrm)\s*\{)?\((?:[Ee]q(?:uation|n)?\.?\s*)?(?:\d{1,3}(?:[.\-–]\d{1,3}){0,3}[a-z]?|[a-z])\)\}?\s*$"
)
_W = weights("readings")
_TERMS = (2, 3, 4)
MOST_TERMS = _TERMS[-1]
# So many places are read in both ways, and so many usual meanings of a letter tried: a formula with more is no clearer.
_MOST_OPEN = 3
_MOST_KINDS = 4
_MOST_BALANCES = 64
# Parts of an equation, beyond which its dimensions take too long to try.
_LONGEST_BALANCE = 200
_LARGEST_FACTOR = 12
# Letters side by side without a sign or a blank: more of them are not factors.
_MOST_FACTORS = 4
# Two letters may as well be a letter and what stands below it.
_SHORT_NAME = 2
# What functions are usually functions of.
_ARGUMENTS = frozenset("x y z t r T s E f theta phi omega lambda_ lambda nu tau epsilon".split())
# Random variables: a letter before one in parentheses is what is asked of it.
_RANDOM_VARIABLES = frozenset("X Y Z".split())

Way = Literal["name", "product", "value", "unit"]
Known = Callable[[Equation], float]


@dataclass(frozen=True, slots=True)
class Assumption:
    """How one ambiguous place was read: `mv` as a product, `U(r_0)` as a value."""

    place: Ambiguity
    way: Way

    @property
    def words(self) -> str:
        """The assumption in words."""
        text, inside = self.place.text, self.place.inside
        match self.place.kind, self.way:
            case "letters", "name":
                return f"{text} as one name"
            case "letters", _:
                parts = text.split() if " " in text else text
                return f"{text} as the product of {', '.join(parts[:-1])} and {parts[-1]}"
            case "call", "value":
                return f"{text}({inside}) as the value of {text} there"
            case "call", _:
                return f"{text}({inside}) as {text} times {inside}"
            case _, "unit":
                return f"{text} after {inside} as a unit"
            case _:
                return f"{text} after {inside} as factors"


@dataclass(frozen=True, slots=True)
class ScoredReading:
    """One reading of a formula, what it assumes, and how far the document speaks for it (a sum of weights)."""

    reading: Reading | Declined
    assumptions: tuple[Assumption, ...] = ()
    score: float = 0.0


def settled_reading(math: Math, vocabulary: Vocabulary, *, known: Known | None = None) -> Reading | Declined:
    """The reading of a formula that the document supports; declined where two are supported about equally."""
    found = competing_readings(math, vocabulary, known=known)
    best = found[0]
    if len(found) == 1 or isinstance(best.reading, Declined):
        return best.reading
    if best.score - found[1].score >= _W["certain"]:
        return best.reading
    first, second = _difference(best, found[1])
    reason = f"the notation allows two readings, and nothing decides between them: {first}, or {second}"
    return Declined(math.source, AMBIGUOUS, reason, flags=best.reading.flags)


def competing_readings(math: Math, vocabulary: Vocabulary, *, known: Known | None = None) -> tuple[ScoredReading, ...]:
    """The few readings that a formula may have, best first. `known` weighs an equation by what is known of others."""
    first = read_with(math, vocabulary.names)
    places = _distinct(first.ambiguities)
    is_statement = isinstance(first, Declined) or bool(first.equations)
    if not places or not is_statement:
        return (ScoredReading(first),)
    scores = {place: _scores(place, vocabulary) for place in places}
    scores = _with_one_manner(_without_unit_letters(scores), has_only_names=_has_only_names(first, places))
    clear = {place: _best(ways) for place, ways in scores.items() if _margin(ways) >= _W["settled"]}
    unclear = sorted((place for place in scores if place not in clear), key=lambda place: _margin(scores[place]))
    for place in unclear[_MOST_OPEN:]:
        clear[place] = _best(scores[place])
    unclear = unclear[:_MOST_OPEN]
    found: list[ScoredReading] = []
    for ways in itertools.product(*(sorted(scores[place]) for place in unclear)):
        assumed = {**clear, **dict(zip(unclear, ways, strict=True))}
        found.append(_scored(math, vocabulary, assumed, scores, first, known))
    for way in ("name", "product") if known is not None and clear else ():
        # What looks clear place by place may still be a known relation when it is read in one manner.
        uniform = {place: way if way in ways else _best(ways) for place, ways in scores.items()}
        found.append(_scored(math, vocabulary, uniform, scores, first, known))
    return _ranked(found)


def _has_only_names(reading: Reading | Declined, places: Sequence[Ambiguity]) -> bool:
    """Whether every other symbol of a formula is a name of several letters, of which there are at least two."""
    if not isinstance(reading, Reading):
        return False
    open_letters = {letter for place in places for letter in (place.text, *place.text)}
    names = {name for equation in reading.equations for name in equation_symbols(equation)}
    others = [split_name(name).letter for name in names if split_name(name).letter not in open_letters]
    return len(others) > 1 and all(len(letter) > _SHORT_NAME and letter not in GREEK_NAMES for letter in others)


def _with_one_manner(
    scores: dict[Ambiguity, dict[Way, float]], *, has_only_names: bool = False
) -> dict[Ambiguity, dict[Way, float]]:
    """Whoever writes one name of capitals in a formula writes others there, too; so where all the rest are names."""

    def is_name(place: Ambiguity) -> bool:
        return place.kind == "letters" and place.text.isupper() and _best(scores[place]) == "name"

    named = [place for place in scores if is_name(place)]
    changed = {}
    for place, ways in scores.items():
        is_capitals = place.kind == "letters" and place.text.isupper()
        is_beside = is_capitals and (has_only_names or any(other != place for other in named))
        changed[place] = {**ways, "name": ways["name"] + _W["beside_name"]} if is_beside else ways
    return changed


def _scored(
    math: Math,
    vocabulary: Vocabulary,
    assumed: dict[Ambiguity, Way],
    scores: dict[Ambiguity, dict[Way, float]],
    first: Reading | Declined,
    known: Known | None,
) -> ScoredReading:
    is_first = all(place.taken == way for place, way in assumed.items())
    reading = first if is_first else read_with(math, vocabulary.names, _choices(assumed))
    score = sum(scores[place][way] for place, way in assumed.items())
    is_open = any(_margin(scores[place]) < _W["settled"] for place in assumed)
    if isinstance(reading, Reading) and is_open:
        score += max((_balance(one, vocabulary) for one in reading.equations), default=0.0)
    if isinstance(reading, Reading) and known is not None:
        score += max((known(one) for one in reading.equations), default=0.0)
    return ScoredReading(reading, tuple(Assumption(place, way) for place, way in assumed.items()), score)


def _ranked(found: Sequence[ScoredReading]) -> tuple[ScoredReading, ...]:
    """Best first; readings that come to the same equations are one."""
    ranked = sorted(found, key=lambda one: -one.score)
    kept: dict[object, ScoredReading] = {}
    for one in ranked:
        reading = one.reading
        kept.setdefault(reading.equations if isinstance(reading, Reading) else (reading.code, reading.reason), one)
    return tuple(kept.values())


def _distinct(places: Iterable[Ambiguity]) -> list[Ambiguity]:
    """One place for the same text: where it carries a subscript or stands in one token, that says more."""
    found: dict[tuple[str, str, str], Ambiguity] = {}
    for place in places:
        key = (place.kind, place.text, place.inside if place.kind == "call" else "")
        if key not in found or (place.inside and not found[key].inside):
            found[key] = place
    return list(found.values())


def _without_unit_letters(scores: dict[Ambiguity, dict[Way, float]]) -> dict[Ambiguity, dict[Way, float]]:
    """Letters that may be a unit are judged once, as that: no name stands after a number and is a unit by chance."""
    units = {letters for place in scores if place.kind == "unit" for letters in re.findall(r"[A-Za-z]+", place.text)}
    return {place: ways for place, ways in scores.items() if place.kind != "letters" or place.text not in units}


def _best(ways: dict[Way, float]) -> Way:
    return max(ways, key=lambda way: ways[way])


def _margin(ways: dict[Way, float]) -> float:
    first, second = sorted(ways.values(), reverse=True)[:2]
    return first - second


def _choices(assumed: dict[Ambiguity, Way]) -> Choices:
    texts: dict[str, set[str]] = {"name": set(), "product": set(), "value": set(), "factor": set(), "unit": set()}
    for place, way in assumed.items():
        if place.kind == "call":
            texts["value" if way == "value" else "factor"].add(f"{place.text}({place.inside})")
        else:
            texts[way].add(place.text)
    return Choices(*(frozenset(texts[way]) for way in ("name", "product", "value", "factor", "unit")))


def _difference(first: ScoredReading, second: ScoredReading) -> tuple[str, str]:
    """What the two readings assume differently, in words."""
    others = {assumption.place: assumption for assumption in second.assumptions}
    pairs = [(one, others[one.place]) for one in first.assumptions if others[one.place].way != one.way]
    return " and ".join(one.words for one, _ in pairs), " and ".join(other.words for _, other in pairs)


# How far the document speaks for each way of reading one place.


def _scores(place: Ambiguity, vocabulary: Vocabulary) -> dict[Way, float]:
    match place.kind:
        case "letters":
            return _letters_scores(place, vocabulary)
        case "call":
            return _call_scores(place, vocabulary)
        case "unit":
            return _unit_scores(place, vocabulary)


def _letters_scores(place: Ambiguity, vocabulary: Vocabulary) -> dict[Way, float]:
    """One name, or a product: by the shape of the letters, and by what stands alone in the document."""
    text = place.text
    if " " in text:
        return _words_scores(text, vocabulary)
    name, product = _by_shape(text)
    as_name, as_letters = vocabulary.support_of_name(text), vocabulary.support_of_letters(text)
    name += as_name
    product += as_letters
    if as_letters and not as_name:
        product += _W["only_letters_shown"]
    if place.is_set:
        name += _W["one_token"]
    if text in vocabulary.loose:
        product += _W["set_loose"]
    if is_written_as_name(text):
        name += _W["written_as_name"]
    if any(first == second for first, second in itertools.pairwise(text)):
        product -= _W["doubled"]
    if place.inside:
        if f"{text[-1]}_{place.inside}" in vocabulary.symbols:
            product += _W["last_with_subscript"]
        elif text.isupper():
            name += _W["subscript"]
    return {"name": name, "product": product}


def _words_scores(text: str, vocabulary: Vocabulary) -> dict[Way, float]:
    """One name of several words, or a product of names that are words: by what the document says and defines."""
    is_said = vocabulary.says(text) or bool(kinds_for_words(text.casefold()))
    are_defined = set(vocabulary.names).issuperset(text.split())
    return {
        "name": _W["words_said"] if is_said else 0.0,
        "product": _W["words_defined"] if are_defined else 0.0,
    }


def _by_shape(text: str) -> tuple[float, float]:
    """What the letters alone say, for one name and for a product."""
    usual = _W["usual_letters"] if all(kinds_for_symbol(letter, exact=True) for letter in text) else 0.0
    if len(text) > _MOST_FACTORS:
        return _W["many_letters"], 0.0
    if not text.isupper():
        is_word_like = len(text) == 2 and text[0].isupper() and text[1].islower()
        return (_W["capital_first"], _W["small_letters"]) if is_word_like else (0.0, _W["small_letters"] + usual)
    if len(text) == 2:
        return 0.0, _W["two_capitals"] + usual
    return (_W["three_capitals"] if len(text) == 3 else _W["four_capitals"]), usual


def _call_scores(place: Ambiguity, vocabulary: Vocabulary) -> dict[Way, float]:
    """A parenthesis with one symbol: an argument more often than a factor, surely where the document shows it."""
    value = _W["lone_argument"]
    argument = split_name(place.inside)
    if vocabulary.is_function(place.text):
        value += _W["shown_as_function"]
    if argument.letter in _ARGUMENTS or place.inside in _RANDOM_VARIABLES:
        value += _W["usual_argument"]
    return {"value": value, "product": 0.0}


def _unit_scores(place: Ambiguity, vocabulary: Vocabulary) -> dict[Way, float]:
    """A unit, or factors: by the number or the symbol before it, and whether the letters are symbols elsewhere."""
    letters = "".join(re.findall(r"[A-Za-z]", place.text))
    is_after_number = place.inside[:1].isdigit()
    unit = _W["unit_after_number"] if is_after_number else _W["unit_in_brackets"]
    if is_after_number:
        unit += _W["measured"] if _is_measured(place.inside) else 0.0
    else:
        unit += _W["unit_fits"] if _fits(place.inside, place.text, vocabulary) else 0.0
    unit += _W["unit_apart"] if place.is_set else 0.0
    unit += _W["long_unit"] if len(letters) > 2 or "/" in place.text else 0.0
    if len(letters) == 1:
        unit -= _W["lone_unit_letter"]
    return {"unit": unit, "product": _W["unit_as_factors"] + vocabulary.support_of_letters(letters)}


def _is_measured(number: str) -> bool:
    """Whether a number is one that somebody measured, not a factor of a formula."""
    value = Decimal(number)
    return "." in number or "E" in number or value > _LARGEST_FACTOR


def _fits(name: str, unit: str, vocabulary: Vocabulary) -> bool:
    """Whether the symbol is, or usually is, measured in such a unit."""
    dimension = unit_readings(unit)[0].dimension
    said = vocabulary.dimensions.get(name)
    return (
        said == dimension if said is not None else any(kind.dimension == dimension for kind in kinds_for_symbol(name))
    )


# Dimensions as evidence: what the document defines, and for the other symbols what their letters usually are.


def _balance(equation: Equation, vocabulary: Vocabulary) -> float:
    """How far the dimensions speak for an equation: for it where they balance, against where they cannot."""
    names = equation_symbols(equation)
    said = {name: vocabulary.dimensions[name] for name in names if name in vocabulary.dimensions}
    rest = [name for name in names if name not in said]
    options = [_usual_dimensions(name) for name in rest]
    is_long = size_of(equation.left) + size_of(equation.right) > _LONGEST_BALANCE
    if is_long or not names or any(not dimensions for dimensions in options):
        return 0.0
    for chosen in itertools.islice(itertools.product(*options), _MOST_BALANCES):
        report = check_dimensions(equation, {**said, **dict(zip(rest, chosen, strict=True))})
        if report.status == "consistent":
            return _W["balanced"] if not rest else _W["usually_balanced"]
    return 0.0 if rest else -_W["unbalanced"]


@lru_cache(maxsize=1024)
def _usual_dimensions(name: str) -> tuple[Dimension, ...]:
    found = dict.fromkeys(kind.dimension for kind in kinds_for_symbol(name))
    return tuple(found)[:_MOST_KINDS]


# Reading one formula in its own notation.


@lru_cache(maxsize=4096)
def latex_reading(
    source: str, symbols: tuple[str, ...] = (), terms: int | None = None, choices: Choices = NO_CHOICES
) -> Reading | Declined:
    """What `read_latex` gives; it never changes, so it can be shared by all who ask for the same piece."""
    return read_latex(source, symbols, terms=terms, choices=choices)


def read_with(math: Math, hints: Sequence[str] = (), choices: Choices = NO_CHOICES) -> Reading | Declined:
    """Read one formula in its own notation; an open sum is read with two, three and four terms."""
    reading = _read(math, hints, None, choices)
    if not isinstance(reading, Declined) or reading.code not in ("open_sum", "ellipsis"):
        return reading
    tried = [_read(math, hints, terms, choices) for terms in _TERMS]
    written = [one for one in tried if isinstance(one, Reading) and one.equations]
    if not written:
        return reading
    equations = tuple(dict.fromkeys(equation for one in written for equation in one.equations))
    return replace(written[0], equations=equations)


def _without_leaders(source: str) -> str:
    """A formula without the dots that lead to its label: `p = F/A \\ldots (a)`."""
    return _LEADERS.sub("", source) if "dots" in source or "..." in source else source


def _read(math: Math, hints: Sequence[str], terms: int | None, choices: Choices) -> Reading | Declined:
    match math.notation:
        case "latex":
            return latex_reading(_without_leaders(math.source), tuple(hints), terms, choices)
        case "mathml":
            return read_mathml(math.source, hints, terms=terms, choices=choices)
        case "text":
            return read_python_text(math.source, hints, choices=choices)
