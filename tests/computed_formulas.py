"""Formulas, bindings and planned steps for tests, written the way people write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathrag.calculator import read_value, understood
from mathrag.knowledge.kinds import kind
from mathrag.knowledge.units import read_unit
from mathrag.types.answer import Bound, PlannedStep, Provenance
from mathrag.types.document import Place
from mathrag.types.expression import equation_symbols
from mathrag.types.library import Formula, Span, SymbolMeaning, Validity
from mathrag.types.quantity import Quantity


def formula(
    source: str,
    symbols: Mapping[str, Any] | None = None,
    *,
    conditions: tuple[Validity, ...] = (),
    label: str = "a formula",
    description: str = "",
) -> Formula:
    """A formula of a library; each symbol is a kind's id, or the fields of its meaning."""
    equation = understood(source).equations[0]
    meanings = [_meaning(name, (symbols or {}).get(name)) for name in equation_symbols(equation)]
    span = Span("notes.md", Place(line=3), source)
    return Formula(
        "formula-1",
        "form",
        label,
        source,
        "executable",
        (span,),
        equation=equation,
        description=description,
        symbols=tuple(meanings),
        conditions=conditions,
    )


def _meaning(name: str, stated: Any) -> SymbolMeaning:
    if stated is None:
        return SymbolMeaning(name)
    fields = {"kind": stated} if isinstance(stated, str) else dict(stated)
    if "unit" in fields:
        fields["dimension"] = read_unit(fields["unit"]).dimension
    elif "kind" in fields:
        fields["dimension"] = kind(fields["kind"]).dimension
    return SymbolMeaning(name, **{"origin": "document", **fields})


def quantity(text: str, item: SymbolMeaning | None = None) -> Quantity:
    """A value as people write it; an ambiguous unit is settled by the symbol's dimension."""
    mention = read_value(text)
    wanted = None if item is None else item.dimension
    fitting = [each for each in mention.quantities if each.dimension == wanted]
    return fitting[0] if fitting else mention.quantities[0]


def planned(
    item: Formula, target: str, given: Mapping[str, str], *, constants: Mapping[str, str] | None = None
) -> PlannedStep:
    """A step with values from a question, and constants."""
    assert item.equation is not None
    meanings = {each.name: each for each in item.symbols}
    bindings = [
        Bound(
            name,
            Provenance("question", text),
            quantity(text, meanings.get(name)),
            significant_figures=read_value(text).significant_figures,
        )
        for name, text in given.items()
    ]
    bindings += [
        Bound(name, Provenance("constant", name), quantity(text, meanings.get(name)))
        for name, text in (constants or {}).items()
    ]
    return PlannedStep(item, item.equation, target, tuple(bindings))
