"""Equations between matrices that follow from the laws of sums, products, transposes, inverses, determinants, traces.

Both sides are brought to one form: a sum of words, each a product of letters, some of them transposed or inverted, with
a number, scalars, determinants and traces before it. Products do not commute; the word of a trace may be turned round.
Square matrices of one size are meant, for which both sides exist. What is not of this form is not decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from mathrag.compute.algebra.matrix_statements import SIZE, MatrixStatement
from mathrag.compute.algebra.polynomials import Monomial, monomial_product
from mathrag.compute.algebra.term_reader import Node

# A letter, whether it is transposed, whether it is inverted.
_Letter: TypeAlias = tuple[str, bool, bool]
_Word: TypeAlias = tuple[_Letter, ...]
# Scalars before a word: a name, or the determinant of a letter, or the trace of a word; each with its power.
_Sum: TypeAlias = dict[tuple[Monomial, _Word], Fraction]

_MOST_TERMS, _LONGEST_WORD, _HIGHEST_POWER = 200, 40, 6


class _UndecidedError(ValueError):
    """What has no such form, or too long a one."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """The letters of each kind; `size` is that of the matrices, 0 where it is left open."""

    symmetric: frozenset[str] = frozenset()
    skew: frozenset[str] = frozenset()
    orthogonal: frozenset[str] = frozenset()
    idempotent: frozenset[str] = frozenset()
    involutory: frozenset[str] = frozenset()
    commuting: frozenset[str] = frozenset()
    size: int = 0


def follows_from_laws(statement: MatrixStatement, kinds: Kinds | None = None) -> bool:
    """Whether both sides have one form, with what the letters are said to be."""
    if statement.sign != "=":
        return False
    try:
        return _form(statement.left, kinds or Kinds()) == _form(statement.right, kinds or Kinds())
    except _UndecidedError:
        return False


def difference_form(left: Node, right: Node, kinds: Kinds) -> _Sum | None:
    """The left side less the right one in the one form; None where it has none."""
    try:
        return _form(Node("sum", (left, Node("minus", (right,)))), kinds)
    except _UndecidedError:
        return None


def _form(node: Node, kinds: Kinds) -> _Sum:
    match node.kind:
        case "letter":
            return {((), () if node.name == "I" else ((node.name, False, False),)): Fraction(1)}
        case "scalar":
            return {(((node.name, 1),), ()): Fraction(1)}
        case "number":
            return _without_zeros({((), ()): Fraction(node.name)})
    parts = [_form(part, kinds) for part in node.parts]
    match node.kind:
        case "sum":
            return _added(parts[0], parts[1])
        case "minus":
            return {term: -count for term, count in parts[0].items()}
        case "product":
            return _product(parts[0], parts[1], kinds)
        case "raised":
            return _raised(parts[0], node.name, kinds)
        case "det":
            return _determinant(parts[0], kinds)
        case "tr":
            return _trace(parts[0], kinds)
    raise _UndecidedError


def _without_zeros(found: Mapping[tuple[Monomial, _Word], Fraction]) -> _Sum:
    if len(found) > _MOST_TERMS:
        raise _UndecidedError
    return {term: count for term, count in found.items() if count}


def _added(first: _Sum, second: _Sum) -> _Sum:
    found = dict(first)
    for term, count in second.items():
        found[term] = found.get(term, Fraction(0)) + count
    return _without_zeros(found)


def _product(first: _Sum, second: _Sum, kinds: Kinds) -> _Sum:
    if len(first) * len(second) > _MOST_TERMS:
        raise _UndecidedError
    found: _Sum = {}
    for (factors, word), count in first.items():
        for (more, behind), times in second.items():
            sign, settled = _settled((*word, *behind), kinds)
            term = (monomial_product(factors, more), settled)
            found[term] = found.get(term, Fraction(0)) + sign * count * times
    return _without_zeros(found)


def _settled(word: _Word, kinds: Kinds) -> tuple[int, _Word]:
    """A word in the one form of its letters, without neighbours that undo each other, and its sign."""
    if len(word) > _LONGEST_WORD:
        raise _UndecidedError
    sign = 1
    letters: list[_Letter] = []
    for name, is_transposed, is_inverted in word:
        if is_transposed and name in kinds.symmetric | kinds.skew | kinds.orthogonal:
            sign = -sign if name in kinds.skew else sign
            is_transposed, is_inverted = False, is_inverted != (name in kinds.orthogonal)
        letters.append((name, is_transposed, is_inverted and name not in kinds.involutory))
    found: list[_Letter] = []
    for name, is_transposed, is_inverted in _in_order(letters, kinds):
        letter = (name, is_transposed, is_inverted)
        is_again = bool(found) and found[-1] == letter
        if found and (found[-1] == (name, is_transposed, not is_inverted) or (is_again and name in kinds.involutory)):
            found.pop()
        elif not (is_again and name in kinds.idempotent and not is_inverted):
            found.append(letter)
    return sign, tuple(found)


def _in_order(word: list[_Letter], kinds: Kinds) -> list[_Letter]:
    """Letters that all commute, by their names; transposes need not commute with the others."""
    if not kinds.commuting or any(name not in kinds.commuting or turned for name, turned, _ in word):
        return word
    return sorted(word)


def _transposed(word: _Word, kinds: Kinds) -> tuple[int, _Word]:
    return _settled(tuple((name, not turned, inverted) for name, turned, inverted in reversed(word)), kinds)


def _raised(base: _Sum, power: str, kinds: Kinds) -> _Sum:
    if power == "T":
        found: _Sum = {}
        for (factors, word), count in base.items():
            sign, turned = _transposed(word, kinds)
            found = _added(found, {(factors, turned): sign * count})
        return found
    if power == "-1":
        return _inverted(base, kinds)
    if power == SIZE:
        factors, word, count = _single(base)
        if word:
            raise _UndecidedError
        made, times = _to_size(factors, count, kinds.size)
        return {(made, ()): times}
    if not power.isdecimal() or not 0 < int(power) <= _HIGHEST_POWER:
        raise _UndecidedError
    found = base
    for _ in range(int(power) - 1):
        found = _product(found, base, kinds)
    return found


def _to_size(factors: Monomial, count: Fraction, size: int) -> tuple[Monomial, Fraction]:
    """Numbers and scalars to the power of the size, and the number where the size is known."""
    if size:
        return tuple((name, power * size) for name, power in factors), count**size
    made: Monomial = ((f"{count}^n", 1),) if count != 1 else ()
    for name, power in factors:
        made = monomial_product(made, ((f"{name}^n", power),))
    return made, Fraction(1)


def _single(found: _Sum) -> tuple[Monomial, _Word, Fraction]:
    """The one term of a sum that has one."""
    if len(found) != 1:
        raise _UndecidedError
    ((factors, word), count), *_ = found.items()
    return factors, word, count


def _inverted(base: _Sum, kinds: Kinds) -> _Sum:
    factors, word, count = _single(base)
    turned = tuple((name, is_transposed, not is_inverted) for name, is_transposed, is_inverted in reversed(word))
    sign, settled = _settled(turned, kinds)
    return {(tuple((name, -power) for name, power in factors), settled): sign / count}


def _determinant(found: _Sum, kinds: Kinds) -> _Sum:
    factors, word, count = _single(found)
    # A number before a matrix multiplies each of its rows.
    made, times = _to_size(factors, count, kinds.size)
    for name, _, is_inverted in word:
        made = monomial_product(made, ((f"det {name}", -1 if is_inverted else 1),))
    return {(made, ()): times}


def _trace(found: _Sum, kinds: Kinds) -> _Sum:
    made: _Sum = {}
    for (factors, word), count in found.items():
        turned = ((1, word), _transposed(word, kinds))
        ways = [
            (_closed((*each[place:], *each[:place])), sign)
            for sign, each in turned
            for place in range(max(1, len(each)))
        ]
        smallest, sign = min(ways)
        if (smallest, -sign) in ways:
            # It is its own opposite, as the trace of a skew-symmetric matrix is.
            continue
        factors = monomial_product(factors, ((f"tr {smallest}", 1),))
        made = _added(made, {(factors, ()): sign * count})
    return made


def _closed(word: _Word) -> _Word:
    """A word whose ends meet: an inverse at the other end goes, too."""
    while len(word) > 1 and word[0][:2] == word[-1][:2] and word[0][2] != word[-1][2]:
        word = word[1:-1]
    return word
