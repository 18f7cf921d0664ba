"""Questions for the value of a constant, by name or symbol, in a unit if one is asked for. Explains nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from mathrag.knowledge.constants import all_constants, constant_quantity, constants_for_symbol
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import convert
from mathrag.knowledge.units.families import fits
from mathrag.language.quantities.numbers import ONES
from mathrag.language.word_classes import word_class, word_pairs
from mathrag.reason.choosing.weights import thresholds
from mathrag.reason.direct.conversions import read_target
from mathrag.reason.direct.question_text import INDEFINITE
from mathrag.reason.direct.result import (
    DirectFailure,
    DirectOutcome,
    DirectResult,
    cleaned,
    number_text,
    whole_if_so,
    with_unit,
)
from mathrag.types.answer import Provenance
from mathrag.types.knowledge import Constant
from mathrag.types.quantity import Quantity, Unit
from mathrag.types.symbol_names import GREEK

# Find a constant by the words people use for it: any order, possessives, small typos. Values are not touched here.

_STOPS = word_class("direct.constant_stop_words")
_OPTIONAL = word_class("direct.constant_optional_words")
_MATCH = thresholds("constant_name")
# What a word counts that says less than others.
_LIGHT = {name: _MATCH[name] for name in ("constant", "number", "value")} | dict.fromkeys(_OPTIONAL, _MATCH["optional"])
_ORDERED = word_class("direct.ordered_names")
_TOKEN = re.compile(r"[a-z]+|[0-9]+(?:\.[0-9]+)?")
_DEGREES = re.compile(r"(?:°|\bdeg(?:ree)?s?\b) ?(?:c|celsius)\b|(?<=[0-9]) ?c\b|\bcelsius\b|℃")
_MAXIMUM_CHARACTERS = 120
_VOWELS = frozenset("aeiouy")
_OTHER_NAMES = word_pairs("direct.constant_names")


@dataclass(frozen=True, slots=True)
class Named:
    """A constant found by words. `missing` are words of its name that were not said, `corrected` typos mended."""

    score: float
    constant: Constant
    name: str
    missing: tuple[str, ...] = ()
    corrected: tuple[tuple[str, str], ...] = ()
    unmatched: tuple[str, ...] = ()

    @property
    def is_full(self) -> bool:
        """Whether every word was understood and nothing that matters was left out."""
        return not self.unmatched and all(word in _OPTIONAL for word in self.missing)


def find_constant(words: str) -> list[tuple[float, Constant]]:
    """Constants that the words may name, best first, each once, with a score up to 1 (every word of a name said)."""
    return [(found.score, found.constant) for found in named_constants(words)]


def named_constants(words: str, *, least: float = _MATCH["least"]) -> list[Named]:
    """The same with what was left out, mended or not understood."""
    asked = tokens_of(words)
    # A number alone names no constant, whichever name it stands in.
    if not asked or len(words) > _MAXIMUM_CHARACTERS or len(asked) > 12 or all(word in ONES for word in asked):
        return []
    best: dict[str, Named] = {}
    partners = {word: _partners(word) for word in asked}
    names = _names()
    for constant, name, name_tokens in (names[place] for place in _promising(partners, asked, least)):
        found = _compared(partners, asked, constant=constant, name=name, name_tokens=name_tokens)
        if found.score >= least and (constant.id not in best or best[constant.id].score < found.score):
            best[constant.id] = found
    order = _order()
    return sorted(
        best.values(), key=lambda each: (-round(each.score, 6), not each.constant.is_default, order[each.constant.id])
    )


def _promising(partners: Mapping[str, Sequence[str]], asked: Sequence[str], least: float) -> list[int]:
    """The places of the names that share enough with the question to score; there are hundreds of others."""
    shared: dict[int, float] = {}
    for word in asked:
        for partner in partners[word]:
            weight = _LIGHT.get(partner, 1.0)
            for place in _places()[partner]:
                shared[place] = shared.get(place, 0.0) + weight
    own, weights = _weight(asked), _name_weights()
    return sorted(place for place, common in shared.items() if 2 * common >= (least - 1e-9) * (own + weights[place]))


@cache
def _name_weights() -> tuple[float, ...]:
    return tuple(_weight(tokens) for _, _, tokens in _names())


@cache
def _order() -> dict[str, int]:
    return {constant.id: place for place, constant in enumerate(all_constants())}


def tokens_of(text: str) -> tuple[str, ...]:
    """Content words in normal form; `20 °C` and `20 degC` are `20 degc`."""
    plain = re.sub(r"['’]s\b|['’]", "", text.casefold()).replace("-", " ").replace("å", "a").replace("á", "a")
    plain = plain.replace("specific heat capacity", "specific heat")
    plain = _DEGREES.sub(" degc", plain)
    found = (normal_words(word) for word in _TOKEN.findall(plain))
    return tuple(word for word in found if word and word not in _STOPS)


@cache
def _names() -> tuple[tuple[Constant, str, tuple[str, ...]], ...]:
    by_id = {constant.id: constant for constant in all_constants()}
    own = [(constant, name) for constant in all_constants() for name in constant.names]
    other = [(by_id[key], name) for name, key in _OTHER_NAMES.items() if key in by_id]
    return tuple((constant, name, tokens_of(name)) for constant, name in (*own, *other))


@cache
def _places() -> dict[str, list[int]]:
    """In which names each word occurs."""
    places: dict[str, list[int]] = {}
    for place, (_, _, tokens) in enumerate(_names()):
        for token in dict.fromkeys(tokens):
            places.setdefault(token, []).append(place)
    return places


@lru_cache(maxsize=4096)
def _partners(word: str) -> tuple[str, ...]:
    """The words of names that a word of the question may stand for: itself, or what it is a typo of."""
    return (word,) if word in _places() else tuple(each for each in _places() if _is_typo(word, each))


def _weight(words: Sequence[str]) -> float:
    return sum(_LIGHT.get(word, 1.0) for word in words)


def _compared(
    partners: Mapping[str, Sequence[str]],
    asked: tuple[str, ...],
    *,
    constant: Constant,
    name: str,
    name_tokens: tuple[str, ...],
) -> Named:
    """Twice the weight of what agrees over the weight of both; less where the order turns the meaning round."""
    left = list(name_tokens)
    agreeing: list[str] = []
    corrected: list[tuple[str, str]] = []
    unmatched: list[str] = []
    for word in asked:
        partner = next((each for each in left if each in partners[word]), None)
        if partner is None:
            unmatched.append(word)
            continue
        left.remove(partner)
        agreeing.append(partner)
        if partner != word:
            corrected.append((word, partner))
    total = _weight(asked) + _weight(name_tokens)
    score = 2 * _weight(agreeing) / total if total else 0.0
    score -= _MATCH["typo"] * len(corrected)
    if not _ORDERED.isdisjoint(name_tokens) and agreeing != [word for word in name_tokens if word in agreeing]:
        score *= _MATCH["wrong_order"]
        unmatched.append("order")
    return Named(max(0.0, min(1.0, score)), constant, name, tuple(left), tuple(corrected), tuple(unmatched))


def _is_typo(word: str, right: str) -> bool:
    """One letter too many, too few, swapped, or a wrong vowel. A word that names something else is no typo of it."""
    if len(right) < 5 or abs(len(word) - len(right)) > 1 or word[:1] != right[:1] or word in _places():
        return False
    if not word.isalpha():
        return False
    place = next(
        (index for index, (a, b) in enumerate(zip(word, right, strict=False)) if a != b), min(len(word), len(right))
    )
    if len(word) == len(right):
        swapped = word[:place] + word[place + 1 : place + 2] + word[place : place + 1] + word[place + 2 :]
        vowel = word[place : place + 1] in _VOWELS and right[place : place + 1] in _VOWELS
        return swapped == right or (vowel and len(right) >= 6 and word[place + 1 :] == right[place + 1 :])
    longer, shorter = (word, right) if len(word) > len(right) else (right, word)
    return longer[:place] + longer[place + 1 :] == shorter


_IN = re.compile(r",? (?:in|expressed in|as|with units?(?: of)?) (?:units of )?|(?= \()", re.IGNORECASE)
_SYMBOL = re.compile(r"^(?:(?:the )?(?:constant|symbol) )?([^\W\d_]{1,8}(?:_?[A-Za-z0-9∞₀-₉]{1,4})?)(?: constant)?$")
_TRAILING_SYMBOL = re.compile(r"^(.{4,}?),? \(?([A-Za-zα-ωΑ-Ωħ][A-Za-z0-9_₀-₉∞]{0,4})\)?$")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_WHERE = "(?: in (?:a |the )?(?:vacuum|empty space|air))"
_ASKS = (
    (re.compile(r"^how (?:heavy|massive) (?:is|are) (?:an? |the )?(.+)$", re.IGNORECASE), r"mass of \1"),
    (re.compile(r"^(?:how much|what) does (?:an? |the )?(.+?) weigh$", re.IGNORECASE), r"mass of \1"),
    (
        re.compile(rf"^how fast (?:is|does) (light|sound)(?: travel| move| go)?{_WHERE}?$", re.IGNORECASE),
        r"speed of \1",
    ),
    (re.compile(r"^how far (?:away )?is the moon(?: away)?$", re.IGNORECASE), "distance to the moon"),
)
_ELECTRON = frozenset(("electron", "electrons", "electron's"))
_FEWEST_FIGURES = 4
_MOST_FIGURES = 12


def answer_constant(core: str, whole: str) -> DirectOutcome:
    """The value of one constant, where the text is its name or symbol and nothing else."""
    if len(core) > 160 or not core:
        return None
    for pattern, name in _ASKS:
        core = pattern.sub(name, core)
        whole_core = pattern.sub(name, whole)
        if whole_core != whole:
            core = whole_core
    failure: DirectFailure | None = None
    for name, unit_text in _splits(core):
        targets = read_target(unit_text) if unit_text else ()
        if unit_text and not targets:
            continue
        if not unit_text and INDEFINITE.match(whole):
            continue
        found = _by_name(name, targets) or _by_symbol(name, targets)
        if isinstance(found, DirectResult):
            return found
        failure = failure or found
    return failure


def _splits(core: str) -> Iterator[tuple[str, str]]:
    """The name with the unit asked for, then without one: `in vacuum` is no unit."""
    for joint in _IN.finditer(core):
        if joint.start() > 0:
            yield core[: joint.start()].strip(" ,("), core[joint.end() :].strip()
    yield core, ""


def _by_name(name: str, targets: tuple[Unit, ...]) -> DirectOutcome:
    found = [each for each in named_constants(name) if each.is_full]
    if not found and (trailing := _TRAILING_SYMBOL.match(name)):
        symbols = set(_symbol_spellings(trailing.group(2)))
        named = named_constants(trailing.group(1))
        found = [each for each in named if each.is_full and symbols & set(each.constant.symbols)]
    if not found:
        return None
    if targets:
        fitting = [each for each in found if any(fits(constant_quantity(each.constant).unit, unit) for unit in targets)]
        if not fitting:
            return _misfit(found[0].constant, targets)
        found = fitting
    return _value(found[0].constant, targets, notes=_name_notes(found[0], name))


def _misfit(constant: Constant, targets: Sequence[Unit]) -> DirectFailure:
    unit = constant_quantity(constant).unit
    return DirectFailure(
        "dimension",
        f"the {constant.name} has the unit {unit.text or '1'} and cannot be given in {targets[0].text}: "
        f"the dimensions are {unit.dimension} and {targets[0].dimension}",
        "constant",
    )


def _name_notes(found: Named, asked: str) -> list[str]:
    notes = [f"{wrong!r} is read as {right!r}" for wrong, right in found.corrected]
    if any(word in ("degc", "0", "20", "25") for word in found.missing):
        notes.append(f"this is the {found.name}")
    if found.constant.id == "elementary_charge" and _ELECTRON & set(asked.casefold().split()):
        notes.append("the charge of the electron is negative; this is its size")
    return notes


def _by_symbol(name: str, targets: tuple[Unit, ...]) -> DirectOutcome:
    match = _SYMBOL.match(name.strip())
    if match is None:
        return None
    spelled = [constant for each in _symbol_spellings(match.group(1)) for constant in constants_for_symbol(each)]
    found = [each for each in dict.fromkeys(spelled) if each.is_default or each.field == "mathematics"]
    if not found:
        return None
    if targets:
        fitting = [each for each in found if any(fits(constant_quantity(each).unit, unit) for unit in targets)]
        if not fitting:
            return _misfit(found[0], targets)
        found = fitting
    if not targets and len(match.group(1)) == 1:
        # A lone letter counts only where it is the symbol of first choice: K is rarely the Coulomb constant.
        first = [each for each in found if each.symbols[0] in _symbol_spellings(match.group(1))]
        if not first and len(found) == 1:
            return None
        found = first or found
    if len(found) > 1:
        names = " or ".join(f"the {constant.name}" for constant in found[:4])
        return DirectFailure("ambiguous", f"{match.group(1)} can be {names}; ask for it by name", "constant")
    return _value(found[0], targets, notes=[f"{match.group(1)} is read as the {found[0].name}"])


def _symbol_spellings(text: str) -> list[str]:
    """`kB`, `k_B`, `ε₀`, `mu0` as the table writes them. Small-letter pairs such as `me` are words."""
    plain = "".join(GREEK.get(character, character) for character in text.translate(_SUBSCRIPTS))
    plain = plain.replace("ħ", "hbar").replace("∞", "_inf").replace("eps0", "epsilon_0").replace("eps_0", "epsilon_0")
    spellings = [plain]
    if (joined := re.fullmatch(r"([A-Za-z]+?)_?([0-9])", plain)) is not None:
        spellings.append(f"{joined.group(1)}_{joined.group(2)}")
    if (pair := re.fullmatch(r"([A-Za-z])([A-Z])", plain)) is not None:
        spellings.append(f"{pair.group(1)}_{pair.group(2)}")
    return spellings


def _value(constant: Constant, targets: tuple[Unit, ...], *, notes: Sequence[str]) -> DirectResult:
    quantity = constant_quantity(constant)
    figures = _figures(constant)
    stated = f"{constant.name} = {_published(constant)} {quantity.unit.text}".rstrip()
    lines = [stated]
    target = next((unit for unit in targets if fits(quantity.unit, unit)), None)
    if target is not None and target.text != quantity.unit.text:
        changed = convert(quantity, target)
        value = cleaned(float(changed.value))
        quantity = Quantity(whole_if_so(value), target, changed.uncertainty)
        lines.append(f"= {with_unit(quantity.value, target, figures)}")
    elif target is not None:
        quantity = Quantity(quantity.value, target, quantity.uncertainty)
    value_notes = [*notes]
    if constant.is_nominal:
        value_notes.append(f"a nominal value ({constant.source}); the actual one depends on conditions")
    whole = isinstance(quantity.value, int) and constant.is_exact
    digits = str(quantity.value) if whole else ""
    if isinstance(quantity.value, int) and abs(quantity.value) >= 10**15:
        quantity = Quantity(float(quantity.value), quantity.unit, quantity.uncertainty)
    return DirectResult(
        "constant",
        quantity,
        figures,
        constant.name if target is None else f"{constant.name} in {target.text}",
        exact=digits,
        working=tuple(lines),
        provenance=(Provenance("constant", constant.name, constant.source),),
        notes=tuple(dict.fromkeys(value_notes)),
    )


def _published(constant: Constant) -> str:
    value = constant.value
    if value == value.to_integral_value() and abs(value) < Decimal(10) ** 15:
        return number_text(int(value), _MOST_FIGURES)
    if 0 < abs(value) < Decimal("1e-4"):
        return f"{value:e}"
    return f"{value:g}" if "E" not in str(value) else str(value).replace("E+", "e").replace("E", "e")


def _figures(constant: Constant) -> int:
    """As many as were published; a conventional whole number keeps what a reader expects."""
    digits = "".join(map(str, constant.value.as_tuple().digits)).strip("0")
    return max(_FEWEST_FIGURES, min(_MOST_FIGURES, len(digits)))
