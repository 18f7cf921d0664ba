"""Where a statement that is not true in general does hold: asked by `is it ever true`, `when is it true`."""

from __future__ import annotations

from mathrag.compute.algebra.identities import Comparison, Trial
from mathrag.compute.algebra.points import point_text
from mathrag.compute.algebra.polynomials import NotPolynomialError, expression_of, terms_of
from mathrag.compute.algebra.rewriting import factored, over_one
from mathrag.compute.evaluate.failure import Failure
from mathrag.reason.direct.algebra.wording import plain
from mathrag.types.expression import ONE, Add, Call, Expression, Negate, multiply, subtract

_LOGARITHMS = frozenset(("log", "log2", "log10"))


def where_it_holds(relation: Comparison, trial: Trial) -> str:
    """A sentence on the numbers for which a statement holds that fails for others."""
    exactly = _as_zeros(relation) if relation.sign == "=" else ""
    if trial.example is None:
        never = "It held at none of the points tried."
        return f" It is true exactly where {exactly} and both sides have a value. {never}" if exactly else f" {never}"
    example = f"for example at {point_text(trial.example.point)}"
    if exactly:
        return f" It is true exactly where {exactly} and both sides have a value, {example}."
    return f" It is true for some numbers, {example}."


def _as_zeros(relation: Comparison) -> str:
    """An equation as one between a product and 0 that says the same wherever both sides have a value."""
    sides = _without_logarithms(relation)
    try:
        above, _ = over_one(subtract(*sides))
        terms = terms_of(above)
    except NotPolynomialError:
        return ""
    if not terms:
        return ""
    found = factored(expression_of(terms))
    whole = expression_of(terms) if isinstance(found, Failure) or not found.is_exact else found.expression
    return f"{plain(whole.operand if isinstance(whole, Negate) else whole)} = 0"


def _without_logarithms(relation: Comparison) -> tuple[Expression, Expression]:
    """Sums of logarithms to one base are equal where the products of what stands in them are."""
    found = [_product(side) for side in (relation.left, relation.right)]
    bases = {name for each in found if each is not None for name in each[0]}
    if None in found or len(bases) != 1:
        return relation.left, relation.right
    (_, above, below), (_, other_above, other_below) = (each for each in found if each is not None)
    return multiply(above, other_below), multiply(other_above, below)


def _product(side: Expression) -> tuple[set[str], Expression, Expression] | None:
    """A sum of logarithms: their names, the product of what is added and of what is subtracted."""
    names: set[str] = set()
    above: list[Expression] = []
    below: list[Expression] = []
    for term in side.terms if isinstance(side, Add) else (side,):
        inner, taken = (term.operand, below) if isinstance(term, Negate) else (term, above)
        if not isinstance(inner, Call) or inner.function not in _LOGARITHMS:
            return None
        names.add(inner.function)
        taken.append(inner.arguments[0])
    return names, multiply(ONE, *above), multiply(ONE, *below)
