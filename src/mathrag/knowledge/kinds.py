"""The quantity kinds, found by id, symbol, dimension or words. A lexicon: it proposes all that fit and chooses none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from operator import itemgetter
from types import MappingProxyType

from mathrag.knowledge.data_files import QUANTITIES, Entry, load_dimensions, load_entries, make_entries
from mathrag.knowledge.spelling import normal_words
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import Dimension
from mathrag.types.symbol_names import SymbolParts, join_name, split_name

Index = Mapping[str, tuple[QuantityKind, ...]]
# Fields that give every letter and many a word to something (t for a tax rate, a growth rate without a time): their
# kinds are meant only where the words around speak of them.
SPECIAL_FIELDS = frozenset(("finance", "statistics", "biology", "information", "everyday"))


@cache
def all_kinds() -> tuple[QuantityKind, ...]:
    """Every kind, in the order of the file."""
    return make_kinds(load_entries(QUANTITIES), load_dimensions(QUANTITIES))


def make_kinds(entries: list[Entry], dimensions: Mapping[str, Dimension]) -> tuple[QuantityKind, ...]:
    """Kinds from entries of the data file and the dimensions of their units."""

    def make(entry: Entry) -> QuantityKind:
        return QuantityKind(
            id=entry["id"],
            name=entry["name"],
            field=entry["field"],
            unit=entry["unit"],
            dimension=dimensions[entry["unit"]],
            sign=entry["sign"],
            minimum=entry["range"][0],
            maximum=entry["range"][1],
            symbols=tuple(entry["symbols"]),
            synonyms=tuple(entry["synonyms"]),
            asks=tuple(entry["asks"]),
            units=tuple(entry["units"]),
            broader=entry.get("broader"),
            is_difference=bool(entry.get("difference")),
            counts_cycles=bool(entry.get("cycles")),
            takes_any_unit=bool(entry.get("any_unit")),
            qudt=entry.get("qudt"),
        )

    return make_entries(QUANTITIES, entries, make)


@cache
def _by_id() -> Mapping[str, QuantityKind]:
    return {kind.id: kind for kind in all_kinds()}


def kind(kind_id: str) -> QuantityKind:
    """The kind with this id; `KeyError` if there is none."""
    return _by_id()[kind_id]


def known_kind(kind_id: str | None) -> QuantityKind | None:
    """The kind with this id; None where a library names one that this version does not know."""
    return None if kind_id is None else _by_id().get(kind_id)


def broader_kinds(narrow: QuantityKind) -> Iterator[QuantityKind]:
    """The more general kinds, nearest first."""
    while narrow.broader is not None:
        narrow = kind(narrow.broader)
        yield narrow


@cache
def lineage(kind_id: str) -> frozenset[str]:
    """The ids of a kind and of every more general one; `KeyError` if there is no such kind."""
    own = kind(kind_id)
    return frozenset((own.id, *(each.id for each in broader_kinds(own))))


def _group(pairs: Iterable[tuple[str, QuantityKind]]) -> Index:
    found: dict[str, list[QuantityKind]] = {}
    for key, item in pairs:
        items = found.setdefault(key, [])
        if not any(other is item for other in items):
            items.append(item)
    return {key: tuple(items) for key, items in found.items()}


@cache
def _by_symbol() -> Index:
    # A kind that lists the symbol first is likelier than one that lists it last; the sort keeps file order otherwise.
    ranked = ((rank, name, item) for item in all_kinds() for rank, name in enumerate(item.symbols))
    return _group((name, item) for _, name, item in sorted(ranked, key=itemgetter(0)))


def kinds_for_symbol(name: str, *, exact: bool = False) -> tuple[QuantityKind, ...]:
    """The kinds a symbol usually stands for, likeliest first.

    First those that list the name; then, unless `exact`, those it spells out (`illuminance`, `flow_rate`) and those of
    the name without its marks and subscripts (`v_f` as `v`). A change that no kind lists is looked up as what changes.
    """
    if exact:
        return _by_symbol().get(name, ())
    return _kinds_for_simpler_names(name)


@lru_cache(maxsize=1024)
def _kinds_for_simpler_names(name: str) -> tuple[QuantityKind, ...]:
    index = _by_symbol()
    parts = split_name(name)
    found = dict.fromkeys(index.get(name, ()))
    if len(parts.letter) > 2:
        found |= dict.fromkeys(kinds_for_words(name) or kinds_for_words(parts.letter))
    for subscripts, marks in ((parts.subscripts, ()), ((), parts.marks), ((), ())):
        simpler = join_name(SymbolParts(parts.letter, subscripts, marks, parts.prefix))
        found |= dict.fromkeys(index.get(simpler, ()))
    if parts.prefix == "conc":
        found |= dict.fromkeys(index.get("conc_A", ()))
    if parts.prefix == "Delta" and not found:
        found |= dict.fromkeys(_kinds_for_simpler_names(join_name(replace(parts, prefix=""))))
    return tuple(found)


@cache
def _by_dimension() -> Mapping[Dimension, tuple[QuantityKind, ...]]:
    # By unit first: there are ten times fewer units than kinds, and a dimension is slow to hash.
    by_unit: dict[str, list[tuple[int, QuantityKind]]] = {}
    for position, item in enumerate(all_kinds()):
        by_unit.setdefault(item.unit, []).append((position, item))
    found: dict[Dimension, list[tuple[int, QuantityKind]]] = {}
    for entries in by_unit.values():
        found.setdefault(entries[0][1].dimension, []).extend(entries)
    return {key: tuple(item for _, item in sorted(entries, key=itemgetter(0))) for key, entries in found.items()}


def kinds_for_dimension(dimension: Dimension) -> tuple[QuantityKind, ...]:
    """The kinds of a dimension, in the order of the file; those that take any unit only under the plain numbers."""
    return _by_dimension().get(dimension, ())


@cache
def _by_words() -> Index:
    named = ((normal_words(item.name), item) for item in all_kinds())
    also_named = ((normal_words(synonym), item) for item in all_kinds() for synonym in item.synonyms)
    return _group((*named, *also_named))


def kinds_for_words(text: str) -> tuple[QuantityKind, ...]:
    """The kinds with exactly this name or synonym (case, hyphens and plural aside); those it names come first."""
    return _by_words().get(normal_words(text), ())


@cache
def asking_phrases() -> Index:
    """The phrases that ask for a kind ("how fast"), longest first, each with its kinds."""
    phrases = _group((phrase, item) for item in all_kinds() for phrase in item.asks)
    return MappingProxyType(dict(sorted(phrases.items(), key=lambda pair: (-len(pair[0]), pair[0]))))
