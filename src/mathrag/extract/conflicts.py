"""Entries of a library that cannot all be right: one constant with two values, one name for two formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mathrag.compute.wording import normal_words
from mathrag.extract.merging import values_agree
from mathrag.extract.relations import form_of
from mathrag.types.library import Conflict, Constant, Formula


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
