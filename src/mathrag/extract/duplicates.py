"""Formulas that read alike and are not written alike: which are worth comparing, and what arithmetic says about them.

Merging goes by canonical form alone (`merger.py`). Here a pair is only described: nothing is ever dropped, because a
wrong merge loses what a document says and nobody would notice. Pure; asks no model.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from mathrag.compute.equality import same_equation
from mathrag.extract.merger import values_agree
from mathrag.extract.relations import form_of
from mathrag.extract.same_things import called, special_words, variables_of
from mathrag.extract.weights import weights
from mathrag.knowledge.constants import all_constants, constant_quantity, constants_for_symbol, constants_for_words
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.folding import folded
from mathrag.types.expression import equation_symbols, rename_equation
from mathrag.types.knowledge import Constant as StandardConstant
from mathrag.types.library import Conflict, Constant, Formula, SymbolMeaning
from mathrag.types.quantity import Quantity

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

# So many formulas of one name that differ are enough to know that they do.
_MOST_DIFFERENT = 8


def find_conflicts(formulas: Iterable[Formula], constants: Iterable[Constant]) -> list[Conflict]:
    """Every conflict, ordered by what it is about."""
    formulas, constants = list(formulas), list(constants)
    between = list(_constant_values(constants))
    told = {entry for conflict in between for entry in conflict.entries}
    unusual = _unusual_constants(each for each in constants if each.id not in told)
    found = [*between, *unusual, *_formula_names(formulas), *_instances(formulas)]
    return sorted(found, key=lambda conflict: (conflict.kind, conflict.subject, conflict.entries))


def _constant_values(constants: Iterable[Constant]) -> Iterator[Conflict]:
    groups: dict[tuple[str, str], list[Constant]] = {}
    for constant in constants:
        # Under both: a misprinted value is not recognised as the standard constant, but it has its name.
        for name in {constant.standard or "", normal_words(folded(constant.name))} - {""}:
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


def _unusual_constants(constants: Iterable[Constant]) -> Iterator[Conflict]:
    """Values of documents that are not those which everybody else has for the constant of that name."""
    for constant in constants:
        usual = usual_constant(constant)
        if usual is not None and not agrees_with_usual(constant, usual):
            name = constant.name or usual.name
            yield Conflict(
                "constant_value",
                name,
                (constant.id,),
                f"{name} is given as {f'{constant.value} {constant.unit}'.strip()}; usually it is "
                f"{f'{usual.value} {usual.unit}'.strip()} ({usual.source})",
                constant.spans[:1],
            )


def usual_constant(constant: Constant) -> StandardConstant | None:
    """The standard constant that a document speaks of, whatever its value: by its name, else by its letter alone."""
    if constant.standard is not None:
        return next((each for each in all_constants() if each.id == constant.standard), None)
    named = constants_for_words(folded(constant.name)) if constant.name else constants_for_symbol(constant.symbol)
    fitting = [each for each in named if constant_quantity(each).dimension == constant.dimension]
    return fitting[0] if len(fitting) == 1 else None


def agrees_with_usual(constant: Constant, usual: StandardConstant) -> bool:
    """Whether a stated value is the usual one as far as its own digits go: 9.81 is 9.80665, 9.6 is not."""
    exponent = constant.value.as_tuple().exponent
    last_digit = 10.0**exponent if isinstance(exponent, int) else 0.0
    unit = read_canonical_unit(constant.unit)
    usually = constant_quantity(usual)
    # The charge of an electron has either sign.
    stated = abs(Quantity(float(constant.value), unit).si_value)
    slack = 0.5001 * last_digit * unit.scale + (usually.uncertainty or 0.0) * usually.unit.scale
    # Half a unit of the last digit, or what people round by hand (10 m/s^2 has more digits than it means).
    return abs(stated - abs(usually.si_value)) <= max(slack, _ROUNDED * abs(usually.si_value))


# Values of constants in school books are rounded to two figures; more than this is no rounding.
_ROUNDED = 0.02


def _formula_names(formulas: Iterable[Formula]) -> Iterator[Conflict]:
    """One name and the same quantities, but another equation: a misprint, two conventions, or somebody who wants
    another number. Names are compared as they look, quantities by their dimensions, whatever their letters."""
    groups: dict[Hashable, list[Formula]] = {}
    for formula in formulas:
        # With one unknown it is a problem to solve, of which a book has many under one name.
        says_what_something_is = len(variables_of(formula)) > 1 or formula.target
        if formula.status == "executable" and formula.label and formula.equation and says_what_something_is:
            for key in name_groups(formula):
                groups.setdefault(key, []).append(formula)
    told: set[tuple[str, ...]] = set()
    for members in groups.values():
        ordered = _conflicting(sorted(members, key=lambda one: one.id))
        entries = tuple(one.id for one in ordered)
        if len(ordered) > 1 and entries not in told and not _is_one_source(ordered):
            told.add(entries)
            written = " and ".join(one.latex for one in ordered)
            yield Conflict(
                "formula_name",
                ordered[0].label,
                entries,
                f"{ordered[0].label} is given as {written}",
                tuple(one.spans[0] for one in ordered),
            )


def name_groups(formula: Formula) -> set[Hashable]:
    """Formulas that share one of these say what the same thing is: by what they are called, or by what their names tell
    beside the quantities that vary in them."""
    varying = variables_of(formula)
    if any(each.dimension is None for each in varying):
        quantities = tuple(sorted(each.name for each in formula.symbols))
        kinds = quantities
    else:
        quantities = tuple(sorted(str(each.dimension) for each in varying))
        kinds = tuple(sorted(each.kind or str(each.dimension) for each in varying))
    names = called(formula) - {frozenset()}
    return {*((key, quantities) for key in names), (special_words(formula), kinds)}


def _conflicting(members: Sequence[Formula]) -> list[Formula]:
    """One formula of each sort that another sort speaks against; those of one sort are the same by arithmetic."""
    sorts: list[list[Formula]] = []
    for formula in members:
        home = next((sort for sort in sorts if _is_same(formula, sort[0])), None)
        if home is not None:
            home.append(formula)
        elif len(sorts) < _MOST_DIFFERENT:
            sorts.append([formula])
    return [sort[0] for sort in sorts if any(_are_against(sort, other) for other in sorts if other is not sort)]


def _is_same(one: Formula, other: Formula) -> bool:
    if form_of(one) == form_of(other):
        return True
    # Arithmetic is slow, and where one document has both there is mostly nothing to tell.
    return not (_documents([one]) == _documents([other]) and _are_written_apart(one, other)) and bool(
        proof_of_sameness(one, other)
    )


def _are_against(one: Sequence[Formula], other: Sequence[Formula]) -> bool:
    """Whether documents disagree. One document that says both means two things, unless it names and writes them
    alike."""
    return _documents(one) != _documents(other) or not _are_written_apart(one[0], other[0])


def _documents(formulas: Iterable[Formula]) -> set[str]:
    return {span.document for formula in formulas for span in formula.spans}


def _are_written_apart(one: Formula, other: Formula) -> bool:
    """Whether they have other symbols or no name in common."""
    if {each.name for each in one.symbols} != {each.name for each in other.symbols}:
        return True
    return called(one).isdisjoint(called(other))


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
