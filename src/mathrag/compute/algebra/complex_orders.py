"""Proofs of inequalities between sizes of complex numbers: by the triangle inequality, or by squares of real parts.

A size is at most a sum of sizes where what stands in it is a sum of what stands in those, each with either sign. A real
number is at most a size where its square is at most the square of that. Nothing else is shown here.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from mathrag.compute.algebra.complex_statements import ComplexStatement, NoPartsError, Sort, parts_of
from mathrag.compute.algebra.identities import Comparison, is_exactly_equal
from mathrag.compute.algebra.sign_proofs import sign_shown
from mathrag.compute.algebra.term_reader import Node
from mathrag.types.expression import ONE, ZERO, add, multiply, negate

_MOST_SIZES = 4
_NUMBERS = {1: ONE, -1: negate(ONE)}
_TRIANGLE = (
    "By the triangle inequality: what stands in the one size is a sum of what stands in the others, each with either "
    "sign (shown in real and imaginary parts)."
)
_SQUARES = "The square of the one side is at most that of the other (shown in real and imaginary parts)."


def order_shown(statement: ComplexStatement, sorts: Mapping[str, Sort]) -> str:
    """How an inequality is shown for all numbers of these sorts; empty where it is not."""
    if statement.sign not in ("<=", ">="):
        return ""
    less, more = (statement.left, statement.right)
    if statement.sign == ">=":
        less, more = more, less
    try:
        return _shown(less, more, sorts)
    except NoPartsError:
        return ""


def _shown(less: Node, more: Node, sorts: Mapping[str, Sort]) -> str:
    if less.kind == "abs" and _sizes(less.parts[0]) is not None:
        # The size of a difference of sizes: that difference and its opposite.
        inner = less.parts[0]
        both = [_shown(each, more, sorts) for each in (inner, Node("minus", (inner,)))]
        return both[0] if all(both) else ""
    left, right = _sizes(less), _sizes(more)
    if left is not None and right is not None:
        small = [part for part, sign in left if sign > 0] + [part for part, sign in right if sign < 0]
        large = [part for part, sign in right if sign > 0] + [part for part, sign in left if sign < 0]
        if len(small) == 1 and 1 <= len(large) <= _MOST_SIZES and _is_sum(small[0], large, sorts):
            return _TRIANGLE
    if more.kind == "abs" and less.kind in ("re", "im", "letter", "number", "sum", "minus", "product"):
        real, imaginary = parts_of(less, sorts)
        inside = parts_of(more.parts[0], sorts)
        size = add(*(multiply(part, part) for part in inside))
        if is_exactly_equal(Comparison(imaginary, "=", ZERO)) or imaginary == ZERO:
            return _SQUARES if sign_shown(Comparison(size, ">=", multiply(real, real)), ()) is not None else ""
    return ""


def _sizes(node: Node) -> list[tuple[Node, int]] | None:
    """A sum of sizes, each with its sign and what stands in it; None for anything else."""
    match node.kind:
        case "abs":
            return [(node.parts[0], 1)]
        case "minus":
            inner = _sizes(node.parts[0])
            return None if inner is None else [(part, -sign) for part, sign in inner]
        case "sum":
            found = [_sizes(part) for part in node.parts]
            return None if None in found else [each for part in found for each in part or ()]
    return None


def _is_sum(whole: Node, parts: Sequence[Node], sorts: Mapping[str, Sort]) -> bool:
    wanted = parts_of(whole, sorts)
    known = [parts_of(part, sorts) for part in parts]
    for signs in itertools.product((1, -1), repeat=len(known)):
        totals = [
            add(ZERO, *(multiply(_NUMBERS[sign], each[place]) for sign, each in zip(signs, known, strict=True)))
            for place in (0, 1)
        ]
        if all(is_exactly_equal(Comparison(one, "=", other)) for one, other in zip(wanted, totals, strict=True)):
            return True
    return False
