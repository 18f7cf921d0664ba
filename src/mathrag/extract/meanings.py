"""Propose what each symbol of a formula may mean, with weights: what the document says, then the standard tables.

Evidence, strongest first: a definition in scope, the name the document gives the formula (for the symbol it is
written for), a standard constant, the usual meanings of the letter. Which proposals go together is decided in
`consistency.py`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from typing import TypeAlias

from mathrag.extract.choice_search import Proposal, Vector, vector_of
from mathrag.extract.known_relations import KnownMatch, meaning_at, speaks_for
from mathrag.extract.weights import weights
from mathrag.extract.word_operands import WORDS
from mathrag.knowledge.constants import constant, constants_for_symbol
from mathrag.knowledge.kinds import (
    SPECIAL_FIELDS,
    all_kinds,
    broader_kinds,
    kind,
    kinds_for_dimension,
    kinds_for_symbol,
)
from mathrag.knowledge.spelling import normal_words
from mathrag.language.quantity_names import is_unlikely_head, kind_groups
from mathrag.types.knowledge import Constant, QuantityKind
from mathrag.types.library import SymbolDefinition, SymbolMeaning
from mathrag.types.quantity import Dimension
from mathrag.types.symbol_names import join_name, split_name

_MOST_DIMENSIONS = 24
# How likely it is, beside all that is proposed, that a symbol has a dimension that only the formula implies.
_OPEN = 0.05
_OPEN_SAID = 0.0004
_SPOKEN_OF = 1.5
_DEFINED = 30.0
_NAMED = 120.0
# From this weight on the name of a formula begins with a quantity; others it only mentions.
_LEADS = 0.1
# The source of a definition on which a whole chapter agrees, and which holds outside of its own section.
CHAPTER = "chapter"
# The source of definitions in a table that gives constants with their values.
CONSTANTS = "constants_table"
# How sure a definition must be to count as said, and what all else then weighs at most, beside it.
_SAID_SURE = 0.85
_SAID_LIKELY = 0.65
_AGREED_LIKELY = 0.5
_UNDER_SAID = 0.005
_UNDER_LIKELY = 0.2
_SAID_AGAIN = 0.3
_MOST_KINDS = 12
_CONSTANT = 5.0
_EARLIER = 3.0
_FEW = 25
_LIKELY = 4
_SPOKEN = 0.04
_EVERYWHERE = 4.0
_SPECIAL = 1.5
_UNSIGNED_VECTOR = 0.3
_KNOWN = weights("known_relations")["proposal"]
_UNKNOWN = weights("meanings")["unknown"]
_SUBJECT = weights("meanings")["subject"]
_SETTLED = weights("meanings")["settled"]
_COEFFICIENTS = frozenset("ABC")
_OF_MANY_TRADES = SPECIAL_FIELDS | {"engineering"}
_TIME = Dimension.of({"time": 1})
# Letters that mean an angle even where nothing else means a quantity.
_ANGLES = frozenset(("theta", "phi", "varphi"))


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known around one formula. Kinds `named` in its label count most, then those `nearby`.

    `fields` are weights of subjects around 1. `earlier` holds dimensions that other formulas of the section settled
    for a symbol. `words` are those of its label and headings, `spoken` the
    quantities named nearby.
    `known` are relations of the atlas that the formula may be; `elsewhere` is what a symbol of the same name surely
    means in other formulas of the document, with weights.
    `is_abstract` says that the document is about numbers, not about quantities.
    """

    definitions: Mapping[str, Sequence[SymbolDefinition]] = field(default_factory=dict)
    named: Mapping[str, float] = field(default_factory=dict)
    nearby: Mapping[str, float] = field(default_factory=dict)
    fields: Mapping[str, float] = field(default_factory=dict)
    target: str | None = None
    target_kinds: Sequence[tuple[QuantityKind, float]] = ()
    target_units: Sequence[tuple[str, Dimension, float]] = ()
    earlier: Mapping[str, Mapping[Vector, float]] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    spoken: Sequence[QuantityKind] = ()
    known: Sequence[KnownMatch] = ()
    elsewhere: Mapping[str, Sequence[tuple[float, SymbolMeaning]]] = field(default_factory=dict)
    is_abstract: bool = False


@cache
def _rare_words() -> frozenset[str]:
    """Words that only a few kinds have in their name, so that one of them tells something."""
    counts: dict[str, int] = {}
    for item in all_kinds():
        for word in set(normal_words(item.name).split()):
            counts[word] = counts.get(word, 0) + 1
    return frozenset(word for word, count in counts.items() if count <= _FEW and len(word) > 3)


@lru_cache(maxsize=4096)
def _words_of_name(name: str) -> frozenset[str]:
    return frozenset(normal_words(name).split()) & _rare_words()


def _name_words(item: QuantityKind) -> frozenset[str]:
    return _words_of_name(item.name)


@lru_cache(maxsize=1)
def _commonness() -> Mapping[str, float]:
    """How usual a kind is, by how many others are special cases of it: temperature 26, tension 1."""
    narrower: dict[str, int] = {}
    for item in all_kinds():
        for broader in broader_kinds(item):
            narrower[broader.id] = narrower.get(broader.id, 0) + 1
    return {item.id: 1.0 + min(4.0, math.sqrt(narrower.get(item.id, 0))) for item in all_kinds()}


@lru_cache(maxsize=4096)
def _standard(name: str) -> tuple[tuple[QuantityKind, float, Vector], ...]:
    """The usual meanings of a symbol with weights before any context: usual kinds, whose usual symbol it is."""
    common = _commonness()
    found = []
    parts = split_name(name)
    kinds = dict.fromkeys(kinds_for_symbol(name))
    own = set(kinds)
    if parts.prefix == "Delta":
        # A change has the dimension of what changes: Delta_h may be one of an enthalpy, not only of a height.
        kinds |= dict.fromkeys(kinds_for_symbol(join_name(replace(parts, prefix=""))))
    for item in kinds:
        is_exact = name in item.symbols
        shape = name if is_exact else split_name(name).letter
        rank = item.symbols.index(shape) if shape in item.symbols else 2
        weight = common[item.id] * (1.5 if is_exact and shape != parts.letter else 1.0) / (1.0 + 0.5 * rank)
        if "vec" in parts.marks and item.sign != "any":
            # What an arrow marks has a direction, so that it can be negative: a place, no radius.
            weight *= _UNSIGNED_VECTOR
        if is_exact and len(parts.letter) > 1 and parts.letter == name:
            # Nobody writes pH or Re for anything else.
            weight *= 6.0
        dimension = item.dimension / _TIME if _is_rate_of(name, item) else item.dimension
        found.append((item, weight if item in own else 0.3 * weight, vector_of(dimension)))
    found.sort(key=lambda one: -one[1])
    return tuple(found[:60])


def _is_rate_of(name: str, item: QuantityKind) -> bool:
    """Whether a dot over the letter makes it the rate of this kind: the table lists no kind for the dotted symbol."""
    parts = split_name(name)
    if "dot" not in parts.marks:
        return False
    return name not in item.symbols and join_name(replace(parts, subscripts=())) not in item.symbols


def has_usual_meanings(name: str) -> bool:
    """Whether the standard tables list this symbol, or its letter, for anything; letters for coefficients aside."""
    if split_name(name).letter in _COEFFICIENTS or _is_numbered_coefficient(name):
        return False
    return bool(_standard(name)) or bool(constants_for_symbol(name))


def is_usually(name: str, kind_id: str | None) -> bool:
    """Whether a kind belongs to every subject and its letter is the first that people write for it: m, t, V."""
    item = kind_or_none(kind_id)
    return item is not None and _commonness()[item.id] >= _EVERYWHERE and split_name(name).letter in item.symbols[:1]


# What a meaning is made of, once it is chosen: thousands are weighed for every one that is made.
_Basis: TypeAlias = SymbolDefinition | QuantityKind | Constant | SymbolMeaning
_Weighed: TypeAlias = tuple[float, Vector, _Basis]


def propose(names: Collection[str], around: Surroundings) -> dict[str, list[Proposal]]:
    """Proposals for every symbol, one a dimension, heaviest first, and an open one."""
    numbered = _numbered(names)
    return {name: _propose_one(name, around, is_numbered=name in numbered) for name in names}


def _numbered(names: Collection[str]) -> frozenset[str]:
    """Symbols that are told apart by a number alone: `r_1` beside `r_2` is the first of several, no constant."""
    groups: dict[tuple[str, str], list[str]] = {}
    for name in names:
        parts = split_name(name)
        if len(parts.subscripts) == 1 and parts.subscripts[0].isdigit() and parts.subscripts[0] != "0":
            groups.setdefault((parts.prefix, parts.letter), []).append(name)
    return frozenset(name for group in groups.values() if len(group) > 1 for name in group)


def _propose_one(name: str, around: Surroundings, *, is_numbered: bool = False) -> list[Proposal]:
    definitions = _nearest(around.definitions.get(name, ()))
    found: list[_Weighed] = [
        (_DEFINED * definition.confidence, vector_of(definition.dimension), definition)
        for definition in definitions
        if definition.dimension is not None
    ]
    is_spelt_out = bool(definitions) and definitions[0].source == WORDS
    if name == around.target and not is_spelt_out:
        found.extend(
            (_NAMED * weight, vector_of(item.dimension), item if weight >= _LEADS else _as_spoken_of(name, item))
            for item, weight in around.target_kinds
        )
        found.extend(
            (weight, vector_of(dimension), SymbolMeaning(name, unit=unit, dimension=dimension, origin="document"))
            for unit, dimension, weight in around.target_units
        )
    found.extend(() if is_spelt_out else _of_known_relations(name, around))
    if is_spelt_out:
        # Words are no letter of a table.
        pass
    elif not around.is_abstract and not _is_numbered_coefficient(name):
        found.extend(() if is_numbered else _constants(name, around))
        found.extend(_usual(name, around))
        # A quantity that the words around speak of may have a letter that no table gives it.
        found.extend((_SPOKEN, vector_of(item.dimension), _as_spoken_of(name, item)) for item in around.spoken)
    elif name in _ANGLES:
        found.append((1.0, vector_of(kind("angle").dimension), kind("angle")))
    # A table of constants speaks of what it lists, not of every other quantity that has the letter.
    is_listed = bool(definitions) and definitions[0].source == CONSTANTS
    if not is_spelt_out and not is_listed and _is_said(name, definitions, around):
        found = list(beneath(definitions[0], found))
    grouped = _by_dimension(name, found, around)[:_MOST_DIMENSIONS]
    called = "constant" if _is_numbered_coefficient(name) else ""
    is_called = bool(definitions) and not is_listed
    opened = partial(_words_only, name, definitions[0]) if is_called else partial(SymbolMeaning, name, called)
    return [*grouped, Proposal(_open_weight(name, found, grouped, around), None, opened)]


def _as_spoken_of(name: str, item: QuantityKind) -> QuantityKind | SymbolMeaning:
    """A quantity that the words around speak of, for a symbol with a letter of it or of its name; for any other symbol
    nothing but its dimension, since nobody says that it is this one."""
    letter = split_name(name).letter.casefold()
    letters = {each.casefold() for each in item.symbols} | {word[0] for word in normal_words(item.name).split()}
    return item if letter in letters else SymbolMeaning(name, dimension=item.dimension)


def _is_said(name: str, definitions: Sequence[SymbolDefinition], around: Surroundings) -> bool:
    """Whether the document says in words what a symbol is. What the chapter says elsewhere is no more than likely where
    the formula itself is recognised."""
    if not definitions or not definitions[0].description:
        return False
    if definitions[0].source != CHAPTER:
        return definitions[0].confidence >= _SAID_LIKELY
    is_known = any(speaks_for(match, name) for match in around.known)
    return not is_known and definitions[0].confidence >= _AGREED_LIKELY


def _open_weight(name: str, found: Sequence[_Weighed], grouped: Sequence[Proposal], around: Surroundings) -> float:
    """How likely it is that a symbol means something that is not proposed: likely, where only its letter speaks."""
    if not grouped:
        return 1.0
    heaviest = max(found, key=lambda weighed: weighed[0])[2]
    if isinstance(heaviest, QuantityKind) and not _is_supported(name, heaviest, around):
        return _UNKNOWN * sum(proposal.weight for proposal in grouped)
    # A unit that is said leaves nothing open; words alone ("growth rate") do.
    is_said = any(isinstance(basis, SymbolDefinition) and basis.unit is not None for _, _, basis in found)
    return (_OPEN_SAID if is_said else _OPEN) * sum(proposal.weight for proposal in grouped)


def _is_supported(name: str, item: QuantityKind, around: Surroundings) -> bool:
    """Whether anything but its letter speaks for a meaning: words, the subject, other formulas, or plain commonness."""
    if item.id in around.named or item.id in around.nearby or not around.words.isdisjoint(_name_words(item)):
        return True
    is_settled = around.earlier.get(name, {}).get(vector_of(item.dimension), 0.0) >= _SETTLED
    return (is_settled and item.field not in SPECIAL_FIELDS) or may_be_meant(name, item, around.fields)


def may_be_meant(name: str, item: QuantityKind, subjects: Mapping[str, float]) -> bool:
    """Whether a letter can be meant so though no word says it: by plain commonness, or by the subject."""
    if is_usually(name, item.id) and item.field not in SPECIAL_FIELDS and not item.dimension.is_dimensionless:
        # That something is a ratio says nothing.
        return True
    # Everyday fields use every letter for everything, and engineers of one trade nothing of another's: only words tell
    # that t is a tax rate.
    return item.field not in _OF_MANY_TRADES and subjects.get(item.field, 0.0) >= _SUBJECT


def _of_known_relations(name: str, around: Surroundings) -> Iterator[_Weighed]:
    for match in around.known:
        # The sides of a triangle are numbers in a document about numbers.
        is_of_numbers = match.places[name].dimension.is_dimensionless or match.relation.field != "geometry"
        if speaks_for(match, name) and (is_of_numbers or not around.is_abstract):
            meaning = meaning_at(name, match.places[name])
            yield _KNOWN * match.share, vector_of(match.places[name].dimension), meaning
    for weight, meaning in around.elsewhere.get(name, ()):
        if meaning.dimension is not None:
            yield weight, vector_of(meaning.dimension), meaning


def _nearest(definitions: Sequence[SymbolDefinition]) -> Sequence[SymbolDefinition]:
    """Without what is said elsewhere in the chapter, where something is said here."""
    if not definitions or definitions[0].source == CHAPTER:
        return definitions
    return [one for one in definitions if one.source != CHAPTER]


def beneath(said: SymbolDefinition, found: Iterable[_Weighed]) -> Iterator[_Weighed]:
    """What the document says of a symbol beside the formula, over everything else that speaks for a meaning.

    Other dimensions remain possible where the words leave them open, but under the document's own name: a thing that is
    called a width is never a rotational constant because that is what its letter often means.
    """
    own = _DEFINED * said.confidence
    most = own * (_UNDER_SAID if said.confidence >= _SAID_SURE else _UNDER_LIKELY)
    highest = 0.0
    others: list[tuple[float, Vector, Dimension]] = []
    for weight, vector, basis in found:
        if isinstance(basis, SymbolDefinition) or basis.dimension is None:
            yield weight, vector, basis
        elif isinstance(basis, Constant) and _is_named_in(basis, said.description):
            yield min(weight, own), vector, basis
        elif said.dimension is not None or _shares_a_word(basis, said.description):
            # Of words that name nothing known the letter cannot tell the dimension either.
            others.append((weight, vector, basis.dimension))
            highest = max(highest, weight)
    if said.unit is None:
        # "Load" may be a force or a pressure: of the kinds that the words can name, the formula chooses.
        seen = {said.dimension}
        for rank, item in enumerate(item for group in kind_groups(said.description) for item in group):
            if item.dimension not in seen and rank < _MOST_KINDS and not is_unlikely_head(said.description, item):
                seen.add(item.dimension)
                meant = replace(said, kind=item.id, dimension=item.dimension)
                yield own * _SAID_AGAIN / (1 + rank), vector_of(item.dimension), meant
    scale = min(1.0, most / highest) if highest else 1.0
    for weight, vector, dimension in others:
        yield weight * scale, vector, replace(said, kind=None, unit=None, dimension=dimension)


def _shares_a_word(basis: QuantityKind | Constant | SymbolMeaning, words: str) -> bool:
    """Whether the words name the head of a kind: "intensity" in "uncollided intensity"; or a word of a meaning."""
    if isinstance(basis, SymbolMeaning):
        return _same_words(basis.description, words)
    return isinstance(basis, QuantityKind) and normal_words(basis.name).split()[-1] in normal_words(words).split()


def _is_named_in(item: Constant, words: str) -> bool:
    return any(_same_words(name, words) for name in item.names)


def _described(name: str, definition: SymbolDefinition) -> SymbolMeaning:
    return SymbolMeaning(
        name,
        description=definition.description,
        unit=definition.unit,
        dimension=definition.dimension,
        kind=definition.kind,
        origin="document",
        letter=definition.letter,
        evidence=definition.span,
        is_unit_stated=definition.unit is not None,
    )


def _is_numbered_coefficient(name: str) -> bool:
    """`c_1`, `C_2`: constants of integration, not speeds of light."""
    parts = split_name(name)
    return parts.letter in ("c", "C") and len(parts.subscripts) == 1 and parts.subscripts[0] in "123456789"


def _words_only(name: str, definition: SymbolDefinition) -> SymbolMeaning:
    """What a document calls a symbol, without the dimension that it says and that does not fit."""
    meaning = _described(name, definition)
    return (
        meaning
        if definition.dimension is None
        else replace(meaning, dimension=None, unit=None, kind=None, is_unit_stated=False)
    )


def _usual(name: str, around: Surroundings) -> Iterator[_Weighed]:
    common = _commonness()
    fields, named, nearby, words = around.fields, around.named, around.nearby, around.words
    # The name of a formula speaks of the symbol it is written for, less of the others.
    emphasis = 6.0 if name == around.target else 3.0
    for item, weight, vector in _standard(name):
        subject = fields.get(item.field, 1.0)
        if item.field in SPECIAL_FIELDS and subject < _SPOKEN_OF:
            subject *= 0.15
        elif common[item.id] >= _EVERYWHERE:
            # Mass, volume, temperature belong to every subject, wherever the table files them.
            subject = max(subject, 1.6)
        factor = 1.0 + 4.0 * nearby.get(item.id, 0.0) + (emphasis * _spoken_of(item.id, named) if named else 0.0)
        if words and (shared := words & _words_of_name(item.name)):
            # "Atom" alone hardly speaks of the atoms per unit cell.
            factor += 1.5 * len(shared) / len(_words_of_name(item.name))
        yield weight * subject * factor, vector, item


def _spoken_of(kind_id: str, named: Mapping[str, float]) -> float:
    """How much a kind is named: itself, or nearly as much as what it is a case of (work, where energy is named)."""
    own = named.get(kind_id, 0.0)
    if own:
        return own
    return 0.9 * max([named.get(broader, 0.0) for broader in _broader_ids(kind_id)], default=0.0)


@cache
def _broader_ids(kind_id: str) -> tuple[str, ...]:
    return tuple(item.id for item in broader_kinds(kind(kind_id)))


def _constants(name: str, around: Surroundings) -> Iterator[_Weighed]:
    for item in constants_for_symbol(name):
        # What a formula is written for is computed; a constant only where the words around name that one.
        is_meant = name != around.target or any(set(normal_words(each).split()) <= around.words for each in item.names)
        if item.is_default and is_meant:
            weight = _CONSTANT * around.fields.get(item.field, 1.0) * _exactness(name)
            yield weight, vector_of(item.dimension), item


def _exactness(name: str) -> float:
    """A symbol with a subscript (k_B, epsilon_0) says more than a lone letter."""
    parts = split_name(name)
    return 6.0 if parts.subscripts or parts.marks else 3.0


def _meaning(name: str, item: QuantityKind) -> SymbolMeaning:
    if _is_rate_of(name, item):
        rate = item.dimension / _TIME
        usual = max(kinds_for_dimension(rate), key=lambda one: _commonness()[one.id], default=None)
        called = f"rate of {item.name}" if usual is None else usual.name
        return SymbolMeaning(
            name, called, None if usual is None else usual.unit, rate, usual.id if usual else None, origin="assumed"
        )
    return SymbolMeaning(
        name,
        description=described_kind(name, item),
        unit=item.unit,
        dimension=item.dimension,
        kind=item.id,
        origin="assumed",
    )


def _constant_meaning(name: str, item: Constant) -> SymbolMeaning:
    return SymbolMeaning(
        name,
        description=item.name,
        unit=item.unit,
        dimension=item.dimension,
        role="constant",
        constant=item.id,
        origin="assumed",
    )


def _by_dimension(name: str, found: Sequence[_Weighed], around: Surroundings) -> list[Proposal]:
    """One proposal a dimension: the heaviest stands for all, and the others lend it some of their weight."""
    groups: dict[Vector, list[_Weighed]] = {}
    for weighed in found:
        groups.setdefault(weighed[1], []).append(weighed)
    earlier = around.earlier.get(name, {})
    totals = []
    for vector, members in groups.items():
        members.sort(key=lambda member: -member[0])
        weight = members[0][0] + 0.1 * sum(member[0] for member in members[1:])
        totals.append((weight * (1.0 + _EARLIER * earlier.get(vector, 0.0)), vector, members))
    totals.sort(key=lambda total: -total[0])
    return [
        Proposal(weight, vector, partial(_meaning_of, name, members, around))
        for weight, vector, members in totals[:_MOST_DIMENSIONS]
    ]


def _meaning_of(name: str, members: Sequence[_Weighed], around: Surroundings) -> SymbolMeaning:
    heaviest = members[0][2]
    if isinstance(heaviest, QuantityKind) and not _is_supported(name, heaviest, around):
        supported = [
            weighed
            for weighed in members[:_LIKELY]
            if not isinstance(weighed[2], QuantityKind) or _is_supported(name, weighed[2], around)
        ]
        if not supported:
            # The formula has a place for this dimension; what has it there, nothing says.
            return SymbolMeaning(name, dimension=heaviest.dimension)
        members = supported
    return _united([_made(name, basis) for basis in _general(name, members, around)])


def _general(name: str, members: Sequence[_Weighed], around: Surroundings) -> list[_Basis]:
    """What the heaviest members are made of; a special kind that no word speaks for gives way to its general one."""
    bases = [basis for _, _, basis in members[:4]]
    bases.extend(basis for _, _, basis in members[4:] if isinstance(basis, Constant))
    first = bases[0]
    if not isinstance(first, QuantityKind) or first.broader is None or _commonness()[first.id] > _SPECIAL:
        return bases
    is_usual = name in first.symbols[:2] and len(split_name(name).letter) == 1
    if first.dimension.is_dimensionless or (is_usual and first.broader == "length"):
        # "Ratio" would say less than the likeliest guess, and "length" less than "width".
        return bases
    if first.id in around.named or first.id in around.nearby or not around.words.isdisjoint(_name_words(first)):
        return bases
    general = kind(first.broader)
    has_rivals = sum(isinstance(basis, QuantityKind) for _, _, basis in members) > 1
    return [general, *bases] if has_rivals and general.dimension == first.dimension else bases


def _made(name: str, basis: _Basis) -> SymbolMeaning:
    match basis:
        case SymbolDefinition():
            return _described(name, basis)
        case QuantityKind():
            return _meaning(name, basis)
        case Constant():
            return _constant_meaning(name, basis)
        case SymbolMeaning():
            return basis


def _united(meanings: Sequence[SymbolMeaning]) -> SymbolMeaning:
    """The first meaning, completed by the others of its dimension where it says nothing."""
    first = meanings[0]
    for other in meanings[1:]:
        fits = not first.description or first.origin != "document" or _same_words(first.description, other.description)
        if first.kind is None and other.kind is not None and first.role != "constant" and fits:
            first = replace(first, kind=other.kind)
        if not first.description and other.description:
            first = replace(first, description=other.description, evidence=other.evidence)
        if first.origin != "document" and other.origin == "document" and other.unit and not other.description:
            # A column of units says in which unit the document gives it, whatever it is called.
            first = replace(first, unit=other.unit, is_unit_stated=True)
        is_ours = first.role == "constant" and first.origin == "assumed" and first.kind is None
        if is_ours and first.name in _usual_first(other) and _is_value_of(first, other):
            # g is first of all the acceleration due to gravity, for which the standard value may stand in.
            first = replace(first, description=other.description, kind=other.kind)
        is_said_to_be = first.origin == "document" and _is_called(other, first.description)
        if first.constant is None and other.constant is not None and is_said_to_be:
            first = replace(first, constant=other.constant, role="constant")
    return first


def _is_called(meaning: SymbolMeaning, words: str) -> bool:
    """Whether words speak of a meaning: by its own words, or by one of the names of the constant that it is."""
    names = () if meaning.constant is None else constant(meaning.constant).names
    return any(_same_words(name, words) for name in (meaning.description, *names))


def _usual_first(meaning: SymbolMeaning) -> tuple[str, ...]:
    item = kind_or_none(meaning.kind)
    return () if item is None else item.symbols[:1]


def _is_value_of(constant_meaning: SymbolMeaning, meaning: SymbolMeaning) -> bool:
    """Whether the constant is a value of the kind: of one subject, and alike in name."""
    item = kind_or_none(meaning.kind)
    known = next((one for one in constants_for_symbol(meaning.name) if one.id == constant_meaning.constant), None)
    if item is None or known is None or item.field != known.field:
        return False
    return _same_words(constant_meaning.description, meaning.description)


def _same_words(first: str, second: str) -> bool:
    ours, theirs = set(normal_words(first).split()), set(normal_words(second).split())
    return bool(ours & theirs - {"the", "of", "a", "constant"})


def described_kind(name: str, item: QuantityKind) -> str:
    """The kind's name, as a change where the symbol is one and the kind is not."""
    is_change = split_name(name).prefix == "Delta" and not item.is_difference and name not in item.symbols
    bare = "Delta_" + split_name(name).letter
    return f"change in {item.name}" if is_change and bare not in item.symbols else item.name


def kind_or_none(kind_id: str | None) -> QuantityKind | None:
    """The kind with this id, if it is one."""
    try:
        return None if kind_id is None else kind(kind_id)
    except KeyError:
        return None
