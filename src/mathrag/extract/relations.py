"""How formulas hang together, by algebra: what one gives another uses, which is a special case, which follows from two.

Works on small neighbourhoods that the store supplies. Relations that a text states are found in `text_relations.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial

from mathrag.compute.canonical import canonical_key
from mathrag.compute.solve.isolation import isolate
from mathrag.errors import MathragError
from mathrag.types.expression import Add, Equation, Expression, Number, Symbol, equation_symbols, size_of, walk
from mathrag.types.library import Constant, Formula, Relation, RelationKind, SymbolMeaning
from mathrag.types.substitute import substitute

_LARGEST = 60


def relate(
    formula: Formula, neighbours: Sequence[Formula], constants: Sequence[Constant], stated: Sequence[Relation]
) -> tuple[Relation, ...]:
    """All relations from one formula; each neighbour and constant is judged by itself."""
    found = [relation for relation in stated if relation.source == formula.id]
    found.extend(
        _turned(relation) for relation in stated if relation.target == formula.id and relation.kind in _REVERSE
    )
    found.extend(relation for constant in constants if (relation := _uses_constant(formula, constant)) is not None)
    if formula.status != "executable":
        return tuple(found)
    ours = _names(formula)
    target = formula.target
    for other in neighbours:
        if other.form == formula.form or other.status != "executable":
            continue
        if not ours.isdisjoint(_lone_names(other)):
            found.extend(_uses(formula, other, target))
        found.extend(_special(formula, other, ours))
    return tuple(found)


def _lone_names(formula: Formula) -> tuple[str, ...]:
    """The symbols that stand alone on a side; whatever a formula is written for is one of them."""
    equation = formula.equation
    sides = () if equation is None else (equation.left, equation.right)
    return tuple([side.name for side in sides if isinstance(side, Symbol)])


_REVERSE: Mapping[str, RelationKind] = {"generalizes": "specializes", "specializes": "generalizes"}


def _turned(relation: Relation) -> Relation:
    kind = _REVERSE[relation.kind]
    return Relation(kind, relation.target, relation.source, relation.confidence, relation.evidence, relation.span)


def _uses_constant(formula: Formula, constant: Constant) -> Relation | None:
    for symbol in formula.symbols:
        if symbol.role != "constant" and symbol.constant is None:
            continue
        is_written_so = symbol.name == constant.symbol and symbol.constant in (None, constant.standard, constant.id)
        is_the_same = symbol.constant is not None and symbol.constant == constant.standard
        if (is_written_so or is_the_same) and constant.dimension == symbol.dimension:
            evidence = f"{symbol.name} is {constant.name or constant.symbol}"
            return Relation("uses_constant", formula.id, constant.id, 0.9 if is_written_so else 0.8, evidence)
    return None


def _uses(formula: Formula, maker: Formula, target: str | None) -> list[Relation]:
    """`uses`: a symbol this formula, which is written for `target`, needs is what the other one is written for."""
    name = maker.target
    if name is None or name == target:
        return []
    needed, made = _symbol(formula, name), _symbol(maker, name)
    if needed is None or made is None or needed.role != "variable" or not _same_quantity(needed, made):
        return []
    shared = bool({span.document for span in formula.spans} & {span.document for span in maker.spans})
    confidence = 0.8 if shared and needed.kind == made.kind else 0.6 if shared else 0.5
    evidence = f"{name} ({made.description or made.unit or 'unknown'}) is what {maker.label or maker.latex} gives"
    return [Relation("uses", formula.id, maker.id, confidence, evidence)]


def _names(formula: Formula) -> set[str]:
    return {symbol.name for symbol in formula.symbols}


def _symbol(formula: Formula, name: str) -> SymbolMeaning | None:
    return next((symbol for symbol in formula.symbols if symbol.name == name), None)


def _same_quantity(first: SymbolMeaning, second: SymbolMeaning) -> bool:
    same_kind = first.kind == second.kind or first.kind is None or second.kind is None
    return first.dimension is not None and first.dimension == second.dimension and same_kind


def _special(formula: Formula, other: Formula, ours: set[str]) -> list[Relation]:
    """`generalizes` where fixing a symbol of the one gives the other, `specializes` the other way round."""
    theirs = _names(other)
    # A fixed symbol is gone from the special case: only one of the two can be one of the other.
    if ours > theirs:
        general, special, kind = formula, other, "generalizes"
    elif ours < theirs:
        general, special, kind = other, formula, "specializes"
    else:
        return []
    if general.equation is None or not _may_be_special(general.equation) or not _dimensions_agree(formula, other):
        return []
    fixed = fixed_symbol(general.equation, special)
    if fixed is None:
        return []
    evidence = f"with {fixed}, {general.label or general.latex} is {special.label or special.latex}"
    relation_kind: RelationKind = "generalizes" if kind == "generalizes" else "specializes"
    return [Relation(relation_kind, formula.id, other.id, 0.9, evidence)]


def fixed_symbol(equation: Equation, special: Formula) -> str | None:
    """What has to be fixed at 0 or 1, if that makes the special case of an equation: one of the symbols it lacks."""
    names = _names(special)
    for name in equation_symbols(equation):
        if name not in names:
            for value, left, form in _fixed_forms(equation, name):
                if names <= left and form() == form_of(special):
                    return f"{name} = {value}"
    return None


def form_of(formula: Formula) -> str:
    """The canonical form of its equation; that of what was read is another where a person corrected the formula."""
    is_rewritten = any(one.field == "latex" for one in formula.corrections)
    return canonical_key(formula.equation) if is_rewritten and formula.equation is not None else formula.form


@lru_cache(maxsize=4096)
def _may_be_special(equation: Equation) -> bool:
    return _size(equation) <= _LARGEST and _has_sum(equation)


@lru_cache(maxsize=8192)
def _fixed_forms(equation: Equation, name: str) -> tuple[tuple[int, frozenset[str], Callable[[], str]], ...]:
    """The value, the symbols left and the canonical form, worked out when asked for, with one symbol fixed."""
    found = []
    for value in (0, 1):
        fixed = _put_in(equation, name, Number(value))
        if fixed is not None and len(left := equation_symbols(fixed)) > 1:
            found.append((value, frozenset(left), cache(partial(canonical_key, fixed))))
    return tuple(found)


def derived_forms(equation: Equation | None, partner: Equation | None, name: str) -> Iterator[str]:
    """Forms that follow by putting what the partner gives for a symbol into an equation."""
    if equation is None or partner is None or max(_size(equation), _size(partner)) > _LARGEST:
        return
    for solution in _solutions(partner, name):
        combined = _put_in(equation, name, solution)
        if combined is not None and len(equation_symbols(combined)) > 1:
            yield canonical_key(combined)


def _solutions(equation: Equation, name: str) -> list[Expression]:
    try:
        candidates = isolate(equation.left, equation.right, name)
    except (MathragError, ArithmeticError):
        return []
    return [candidate.expression for candidate in candidates[:1] if len(candidates) <= 2]


def _dimensions_agree(first: Formula, second: Formula) -> bool:
    known = {symbol.name: symbol.dimension for symbol in first.symbols if symbol.dimension is not None}
    return all(
        symbol.dimension is None or known.get(symbol.name, symbol.dimension) == symbol.dimension
        for symbol in second.symbols
    )


def _size(equation: Equation) -> int:
    return size_of(equation.left) + size_of(equation.right)


def _has_sum(equation: Equation) -> bool:
    return any(isinstance(node, Add) for side in (equation.left, equation.right) for node in walk(side))


def _put_in(equation: Equation, name: str, value: Expression) -> Equation | None:
    try:
        left = substitute(equation.left, {name: value})
        right = substitute(equation.right, {name: value})
    except (MathragError, ArithmeticError, ValueError):
        return None
    if isinstance(left, Symbol) and isinstance(right, Symbol):
        return None
    return Equation(left, right)
