"""Whether two formulas are for the same thing, whatever they say about it: by the quantities that vary in them and by
what their names tell. Compares no equations; whether they agree is for arithmetic to say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from mathrag.knowledge.kinds import lineage
from mathrag.language.name_keys import name_key, telling_stems
from mathrag.language.quantity_names import name_words_of
from mathrag.language.stems import stem
from mathrag.types.library import Formula, SymbolMeaning


def variables_of(formula: Formula) -> tuple[SymbolMeaning, ...]:
    """The symbols that vary."""
    return tuple(each for each in formula.symbols if each.role != "constant" and each.constant is None)


def speak_of_the_same(one: Formula, other: Formula) -> bool:
    """Whether two formulas may say what the same thing is: they have a name in common and the same dimensions vary in
    them, or the same quantities do."""
    if (called(one) & called(other)) - {frozenset()} and _dimensions(one) == _dimensions(other):
        return True
    return are_of_same_quantities(one, other)


def called(formula: Formula) -> frozenset[frozenset[str]]:
    """What a formula is called, as keys for comparing names; an empty key for what names nothing."""
    return frozenset(name_key(label) for label in formula.labels or (formula.label,))


def _dimensions(formula: Formula) -> list[str]:
    return sorted(str(each.dimension) for each in variables_of(formula))


def are_of_same_quantities(one: Formula, other: Formula) -> bool:
    """Whether the same quantities vary in both: of one dimension each, and of kinds that are one or may be."""
    ours, theirs = variables_of(one), list(variables_of(other))
    if len(ours) != len(theirs) or any(each.dimension is None for each in (*ours, *theirs)):
        return False
    # The most special first: a speed may be any speed, a wave speed may not.
    for symbol in sorted(ours, key=lambda each: 0 if each.kind is None else -len(lineage(each.kind))):
        fitting = [each for each in theirs if each.dimension == symbol.dimension and _may_be_one(symbol, each)]
        if not fitting:
            return False
        theirs.remove(max(fitting, key=lambda each: (each.kind == symbol.kind, each.name == symbol.name)))
    return True


def _may_be_one(one: SymbolMeaning, other: SymbolMeaning) -> bool:
    if one.kind is None or other.kind is None:
        return True
    return one.kind in lineage(other.kind) or other.kind in lineage(one.kind)


def special_words(formula: Formula, kinds: Iterable[str | None] = ()) -> frozenset[str]:
    """What the name of a formula tells beside its own quantities and those of `kinds`, as stems: of "kinetic energy of
    a rolling hoop" the rolling hoop. Of several names, the one that tells least."""
    known = _words_of_kinds(frozenset(each.kind for each in formula.symbols) | frozenset(kinds))
    labels = formula.labels or (formula.label,)
    return min((telling_stems(label) - known for label in labels), key=len, default=frozenset())


def kinds_of(formulas: Sequence[Formula]) -> frozenset[str | None]:
    """The kinds of all symbols."""
    return frozenset(each.kind for formula in formulas for each in formula.symbols)


@lru_cache(maxsize=4096)
def _words_of_kinds(kinds: frozenset[str | None]) -> frozenset[str]:
    return frozenset(
        stem(word)
        for identifier in kinds
        if identifier is not None
        for each in lineage(identifier)
        for word in name_words_of(each)
    )
