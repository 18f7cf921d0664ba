"""What the formulas of a concept speak of: other concepts; and with how many arguments the concept is written there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mathrag.compute.openmath.objects import read_object
from mathrag.errors import FormulaError
from mathrag.types.concept import Concept
from mathrag.types.statement import Application, Binding, DictionaryName, StatementTree

# Dictionaries of what every statement is written with: they tell nothing of a concept.
_EVERYWHERE = frozenset(("quant1", "logic1", "relation1", "meta", "sts"))
_MOST_MENTIONED = 8


@lru_cache(maxsize=4_096)
def _tree(source: str) -> StatementTree | None:
    try:
        return read_object(source)
    except FormulaError:
        return None


def _parts(tree: StatementTree) -> Iterator[StatementTree]:
    yield tree
    match tree:
        case Application(head, arguments):
            for each in (head, *arguments):
                yield from _parts(each)
        case Binding(binder, _, body):
            yield from _parts(binder)
            yield from _parts(body)


def _trees(concept: Concept) -> Iterator[StatementTree]:
    for each in concept.properties:
        tree = _tree(each.source) if each.source else None
        if tree is not None:
            yield tree


def mentioned_concepts(concept: Concept) -> tuple[str, ...]:
    """The names of other concepts that the formal properties of a concept mention, in their order."""
    return mentioned_names((each.source for each in concept.properties if each.source), concept.name)


def mentioned_names(sources: Iterator[str] | tuple[str, ...], own: str) -> tuple[str, ...]:
    """The same of formulas as a dictionary writes them."""
    found: dict[str, None] = {}
    for source in sources:
        tree = _tree(source)
        for part in () if tree is None else _parts(tree):
            if isinstance(part, DictionaryName) and part.dictionary not in _EVERYWHERE:
                found.setdefault(f"{part.dictionary}:{part.symbol}")
    found.pop(own, None)
    return tuple(found)[:_MOST_MENTIONED]


def argument_counts(concept: Concept) -> tuple[int, ...]:
    """With how many arguments the properties of a concept write it, smallest first; none where they never apply it."""
    own = (concept.dictionary, concept.symbol)
    counts = {
        len(part.arguments)
        for tree in _trees(concept)
        for part in _parts(tree)
        if isinstance(part, Application)
        and isinstance(part.head, DictionaryName)
        and (part.head.dictionary, part.head.symbol) == own
    }
    return tuple(sorted(counts))
