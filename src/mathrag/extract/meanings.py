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

from mathrag.compute.constants import constants_for_symbol
from mathrag.compute.kinds import all_kinds, broader_kinds, kind, kinds_for_symbol
from mathrag.compute.roles import opposite_of, roles_for_mark, roles_for_subscript
from mathrag.compute.symbol_names import join_name, split_name
from mathrag.compute.wording import normal_words
from mathrag.extract.consistency import Proposal, Vector, vector_of
from mathrag.types.knowledge import Constant, QuantityKind, Role
from mathrag.types.library import SymbolDefinition, SymbolMeaning
from mathrag.types.quantity import Dimension

# Fields whose meanings apply only where the words around speak of them.
_SPECIAL_FIELDS = frozenset(("finance", "statistics", "biology", "information", "everyday"))
_MOST_DIMENSIONS = 24
_OPEN = 0.0004
_SPOKEN_OF = 1.5
_DEFINED = 30.0
_NAMED = 120.0
_CONSTANT = 5.0
_EARLIER = 3.0
_FEW = 25
_SPOKEN = 0.04
_EVERYWHERE = 4.0
_SPECIAL = 1.5
_COEFFICIENTS = frozenset("ABC")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known around one formula. Kinds `named` in its label count most, then those `nearby`.

    `fields` are weights of subjects around 1. `earlier` holds dimensions that other formulas of the section settled
    for a symbol. `words` are those of its label and headings, `spoken` the
    quantities named nearby.
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
        weight = common[item.id] * (1.5 if is_exact and shape != split_name(name).letter else 1.0) / (1.0 + 0.5 * rank)
        found.append((item, weight if item in own else 0.3 * weight, vector_of(item.dimension)))
    found.sort(key=lambda one: -one[1])
    return tuple(found[:60])


def has_usual_meanings(name: str) -> bool:
    """Whether the standard tables list this symbol, or its letter, for anything; letters for coefficients aside."""
    if split_name(name).letter in _COEFFICIENTS:
        return False
    return bool(_standard(name)) or bool(constants_for_symbol(name))


# What a meaning is made of, once it is chosen: thousands are weighed for every one that is made.
_Basis: TypeAlias = SymbolDefinition | QuantityKind | Constant | SymbolMeaning
_Weighed: TypeAlias = tuple[float, Vector, _Basis]


def propose(names: Collection[str], around: Surroundings) -> dict[str, list[Proposal]]:
    """Proposals for every symbol, one a dimension, heaviest first, and an open one."""
    return {name: _propose_one(name, around) for name in names}


def _propose_one(name: str, around: Surroundings) -> list[Proposal]:
    definitions = around.definitions.get(name, ())
    found: list[_Weighed] = [
        (_DEFINED * definition.confidence, vector_of(definition.dimension), definition)
        for definition in definitions
        if definition.dimension is not None
    ]
    if name == around.target:
        found.extend((_NAMED * weight, vector_of(item.dimension), item) for item, weight in around.target_kinds)
        found.extend(
            (weight, vector_of(dimension), SymbolMeaning(name, unit=unit, dimension=dimension, origin="document"))
            for unit, dimension, weight in around.target_units
        )
    if not around.is_abstract:
        found.extend(_constants(name, around))
        found.extend(_usual(name, around))
        # A quantity that the words around speak of may have a letter that no table gives it.
        found.extend((_SPOKEN, vector_of(item.dimension), item) for item in around.spoken)
    grouped = _by_dimension(name, found, around)[:_MOST_DIMENSIONS]
    opened = partial(_words_only, name, definitions[0]) if definitions else partial(SymbolMeaning, name)
    open_weight = _OPEN * sum(proposal.weight for proposal in grouped) if grouped else 1.0
    return [*grouped, Proposal(open_weight, None, opened)]


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
    )


def _words_only(name: str, definition: SymbolDefinition) -> SymbolMeaning:
    """What a document calls a symbol, without the dimension that it says and that does not fit."""
    meaning = _described(name, definition)
    return meaning if definition.dimension is None else replace(meaning, dimension=None, unit=None, kind=None)


def _usual(name: str, around: Surroundings) -> Iterator[_Weighed]:
    for item, weight, vector in _standard(name):
        subject = around.fields.get(item.field, 1.0)
        if item.field in _SPECIAL_FIELDS and subject < _SPOKEN_OF:
            subject *= 0.15
        elif _commonness()[item.id] >= _EVERYWHERE:
            # Mass, volume, temperature belong to every subject, wherever the table files them.
            subject = max(subject, 1.6)
        words = 1.0 + 4.0 * around.nearby.get(item.id, 0.0) + 6.0 * around.named.get(item.id, 0.0)
        if around.words and not around.words.isdisjoint(_name_words(item)):
            words += 1.5
        yield weight * subject * words, vector, item


def _constants(name: str, around: Surroundings) -> Iterator[_Weighed]:
    for item in constants_for_symbol(name):
        if item.is_default:
            weight = _CONSTANT * around.fields.get(item.field, 1.0) * _exactness(name)
            yield weight, vector_of(item.dimension), item


def _exactness(name: str) -> float:
    """A symbol with a subscript (k_B, epsilon_0) says more than a lone letter."""
    parts = split_name(name)
    return 6.0 if parts.subscripts or parts.marks else 1.5


def _meaning(name: str, item: QuantityKind) -> SymbolMeaning:
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
    return _united([_made(name, basis) for basis in _general(members, around)])


def _general(members: Sequence[_Weighed], around: Surroundings) -> list[_Basis]:
    """What the heaviest members are made of; a special kind that no word speaks for gives way to its general one."""
    bases = [basis for _, _, basis in members[:4]]
    first = bases[0]
    if not isinstance(first, QuantityKind) or first.broader is None or _commonness()[first.id] > _SPECIAL:
        return bases
    if first.dimension.is_dimensionless:
        # "Ratio" would say less than the likeliest guess.
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
        is_said_to_be = first.origin == "document" and _same_words(first.description, other.description)
        if first.constant is None and other.constant is not None and is_said_to_be:
            first = replace(first, constant=other.constant, role="constant")
    return first


def _same_words(first: str, second: str) -> bool:
    ours, theirs = set(first.casefold().split()), set(second.casefold().split())
    return bool(ours & theirs - {"the", "of", "a", "constant"})


def role_of(name: str, others: Collection[str] = ()) -> Role | None:
    """The role that a subscript or mark gives a symbol beside these others: initial beside final, hot beside cold.

    A lone letter below is a role only where the other end of the pair is there too; a word always is.
    """
    parts = split_name(name)
    if parts.prefix == "conc":
        # What stands below a concentration belongs to the species: [H+] has a charge, not a role.
        parts = replace(parts, subscripts=tuple(one for one in parts.subscripts[-1:] if one in _STATES), marks=())
    siblings = [split_name(other) for other in others if other != name]
    marks = {mark for other in siblings if other.letter == parts.letter for mark in other.subscripts}
    for subscript in parts.subscripts:
        if subscript.isdigit() and subscript != "0":
            return next((role for role in roles_for_subscript(subscript) if role.id == f"state_{subscript}"), None)
        for role in roles_for_subscript(subscript):
            other_end = opposite_of(role)
            if other_end is not None and marks & set(other_end.subscripts):
                return role
        if subscript == "0" and any(other.letter == parts.letter and not other.subscripts for other in siblings):
            return next(iter(roles_for_subscript("0")), None)
        roles = roles_for_subscript(subscript)
        if roles and len(subscript) > 1 and not subscript.isdigit():
            return roles[0]
    for mark in parts.marks:
        if mark not in _SILENT_MARKS:
            for role in roles_for_mark(mark):
                return role
    return None


_STATES = frozenset(("0", "t", "i", "f", "eq"))
# An arrow or a hat says what sort of object a quantity is, not which one.
_SILENT_MARKS = frozenset(("vec", "hat", "tilde", "bold"))


def with_roles(meanings: Iterable[SymbolMeaning]) -> tuple[SymbolMeaning, ...]:
    """The meanings of one formula with the roles that their subscripts have beside each other."""
    listed = tuple(meanings)
    names = [meaning.name for meaning in listed]
    found = []
    for meaning in listed:
        role = role_of(meaning.name, names)
        if role is None:
            found.append(meaning)
            continue
        description = meaning.description
        is_ours = meaning.origin in ("assumed", "inferred") and meaning.role == "variable"
        if is_ours and description and role.name not in description and role.group not in _SILENT_GROUPS:
            description = f"{_ORDINALS.get(role.id, role.name)} {description}"
        found.append(replace(meaning, state=role.id, description=description))
    return tuple(found)


_SILENT_GROUPS = frozenset(("index",))
_ORDINALS = {"state_1": "first", "state_2": "second", "state_3": "third", "state_4": "fourth"}


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
