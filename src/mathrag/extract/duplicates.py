"""Formulas that read alike and are not written alike: which are worth comparing, and what arithmetic says about them.

Merging goes by canonical form alone (`merger.py`). Here a pair is only described: nothing is ever dropped, because a
wrong merge loses what a document says and nobody would notice. Pure; asks no model.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mathrag.compute.equality import same_equation
from mathrag.extract.merger import values_agree
from mathrag.extract.relations import form_of
from mathrag.extract.weights import weights
from mathrag.knowledge.spelling import normal_words
from mathrag.types.expression import equation_symbols, rename_equation
from mathrag.types.library import Conflict, Constant, Formula, SymbolMeaning

# Cosine of the describing texts from which a pair is worth a question. There is no upper end, because no likeness of
# words merges formulas here, however great: either arithmetic shows that they are one, or somebody is asked.
GREY_ZONE = weights("duplicates")["grey_zone"]
ALGEBRA = "algebra"
RENAMING = "renaming"
_MOST_RENAMINGS = 200
_MOST_SYMBOLS = 12


def signature(formula: Formula) -> str | None:
    """What two formulas must share to be the same: the dimension of what they give and of what they need.

    None where a dimension is unknown: then nothing can be said.
    """
    if formula.equation is None or not formula.symbols or len(formula.symbols) > _MOST_SYMBOLS:
        return None
    if any(symbol.dimension is None for symbol in formula.symbols):
        return None
    target = formula.target
    given = next((str(symbol.dimension) for symbol in formula.symbols if symbol.name == target), "")
    counted = Counter(str(symbol.dimension) for symbol in formula.symbols)
    return f"{given}|" + ";".join(f"{dimension}*{count}" for dimension, count in sorted(counted.items()))


def are_comparable(first: Formula, second: Formula) -> bool:
    """Whether a question about the pair makes sense: both read, of one signature, and not one formula already."""
    mine = signature(first)
    return first.form != second.form and mine is not None and mine == signature(second)


def proof_of_sameness(first: Formula, second: Formula) -> str:
    """How arithmetic shows that two formulas are one: `algebra`, `renaming: m -> M, …`, or empty where it does not.

    A renaming keeps dimensions and constants: the speed of light is never another speed.
    """
    if first.equation is None or second.equation is None:
        return ""
    if set(equation_symbols(first.equation)) == set(equation_symbols(second.equation)):
        if same_equation(first.equation, second.equation) and _means_the_same(first, second):
            return ALGEBRA
        return ""
    for names in itertools.islice(_renamings(first.symbols, second.symbols), _MOST_RENAMINGS):
        if same_equation(rename_equation(first.equation, names), second.equation):
            changed = ", ".join(f"{old} -> {new}" for old, new in sorted(names.items()) if old != new)
            return f"{RENAMING}: {changed}"
    return ""


def _means_the_same(first: Formula, second: Formula) -> bool:
    meanings = {symbol.name: _sort(symbol) for symbol in second.symbols}
    return all(meanings.get(symbol.name) == _sort(symbol) for symbol in first.symbols)


def _sort(symbol: SymbolMeaning) -> tuple[str, str]:
    return str(symbol.dimension), symbol.constant or ""


def _renamings(first: Sequence[SymbolMeaning], second: Sequence[SymbolMeaning]) -> Iterator[Mapping[str, str]]:
    """Every way to give the symbols of one formula the names of the other's, within dimension and constant."""
    mine, theirs = _by_sort(first), _by_sort(second)
    if {sort: len(names) for sort, names in mine.items()} != {sort: len(names) for sort, names in theirs.items()}:
        return
    sorts = sorted(mine)
    for orders in itertools.product(*(itertools.permutations(theirs[sort]) for sort in sorts)):
        yield {
            old: new
            for sort, order in zip(sorts, orders, strict=True)
            for old, new in zip(mine[sort], order, strict=True)
        }


def _by_sort(symbols: Sequence[SymbolMeaning]) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for symbol in symbols:
        found[_sort(symbol)].append(symbol.name)
    return dict(found)


def description(formula: Formula) -> str:
    """A formula in words for whoever is asked to compare it."""
    lines = [f"{formula.label or 'Formula'}: {formula.latex}"]
    if formula.description and formula.description != formula.label:
        lines.append(formula.description)
    for symbol in formula.symbols:
        unit = f" [{symbol.unit}]" if symbol.unit else ""
        lines.append(f"{symbol.letter or symbol.name}: {symbol.description or 'not described'}{unit}")
    lines.extend(f"holds if {condition.text}" for condition in formula.conditions[:3])
    return "\n".join(line[:300] for line in lines[:16])


# Entries of a library that cannot all be right: one constant with two values, one name for two formulas.


def find_conflicts(formulas: Iterable[Formula], constants: Iterable[Constant]) -> list[Conflict]:
    """Every conflict, ordered by what it is about."""
    formulas = list(formulas)
    found = [*_constant_values(constants), *_formula_names(formulas), *_instances(formulas)]
    return sorted(found, key=lambda conflict: (conflict.kind, conflict.subject, conflict.entries))


def _constant_values(constants: Iterable[Constant]) -> Iterator[Conflict]:
    groups: dict[tuple[str, str], list[Constant]] = {}
    for constant in constants:
        # Under both: a misprinted value is not recognised as the standard constant, but it has its name.
        for name in {constant.standard or "", normal_words(constant.name)} - {""}:
            groups.setdefault((name, str(constant.dimension)), []).append(constant)
    told: set[tuple[str, ...]] = set()
    for members in groups.values():
        ordered = sorted(members, key=lambda one: one.id)
        entries = tuple(one.id for one in ordered)
        if entries not in told and any(not values_agree(one, other) for one in ordered for other in ordered):
            told.add(entries)
            values = " and ".join(f"{one.value} {one.unit}".strip() for one in ordered)
            yield Conflict(
                "constant_value",
                ordered[0].name or ordered[0].symbol,
                tuple(one.id for one in ordered),
                f"{ordered[0].name or ordered[0].symbol} is given as {values}",
                tuple(span for one in ordered for span in one.spans[:1]),
            )


def _formula_names(formulas: Iterable[Formula]) -> Iterator[Conflict]:
    """One name and the same symbols, but another equation: a misprint, or two conventions."""
    groups: dict[tuple[str, tuple[str, ...]], list[Formula]] = {}
    for formula in formulas:
        if formula.status != "executable" or not formula.label:
            continue
        names = tuple(sorted(symbol.name for symbol in formula.symbols))
        for label in {normal_words(label) for label in formula.labels or (formula.label,)}:
            groups.setdefault((label, names), []).append(formula)
    for members in groups.values():
        if len({form_of(formula) for formula in members}) > 1 and not _is_one_source(members):
            ordered = sorted(members, key=lambda one: one.id)
            written = " and ".join(one.latex for one in ordered)
            yield Conflict(
                "formula_name",
                ordered[0].label,
                tuple(one.id for one in ordered),
                f"{ordered[0].label} is given as {written}",
                tuple(one.spans[0] for one in ordered),
            )


def _is_one_source(members: Sequence[Formula]) -> bool:
    """Whether all were read from one formula: the two branches of a plus-minus are no conflict."""
    shared = set(members[0].spans)
    for formula in members[1:]:
        shared &= set(formula.spans)
    return bool(shared)


def _instances(formulas: Iterable[Formula]) -> Iterator[Conflict]:
    for formula in formulas:
        wrong = [instance for instance in formula.instances if instance.verdict == "disagrees"]
        for instance in wrong:
            yield Conflict(
                "instance",
                formula.label or formula.latex,
                (formula.id,),
                f"the worked example {instance.text} does not give its stated result: {instance.reason}",
                (instance.span,),
            )
