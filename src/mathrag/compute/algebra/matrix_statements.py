"""Equations between matrices in letters, `(AB)^T = B^T A^T`: read into a tree and tried with matrices of small whole
numbers, exactly. One that fails refutes the statement; holding for all that were tried is no proof."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Literal, TypeAlias

from mathrag.compute.algebra.matrices import Matrix, determinant, inverse, product, rank, trace, transposed, unit_matrix
from mathrag.compute.algebra.term_reader import Node, TermReader, Token, names_of, tokens_of, two_sides, walk

Value: TypeAlias = Matrix | Fraction

TRIALS = 60
# Besides, matrices of few entries: what fails for those without an inverse alone fails for no other.
_SPARSE_TRIALS = 40
MOST_LETTERS = 4
_LONGEST = 200
_DEEPEST = 30
_LARGEST_POWER = 6
_TOKEN = re.compile(
    r"\s*(?:(?P<function>det|trace|tr|rank|inverse|inv|transpose|min|max|exp)(?=\s*[(A-Z])"
    r"|(?P<raised>\^ ?\{? ?(?:\(-1\)|\(−1\)|-1|−1|T|t|[2-6]|n(?![A-Za-z]))\}?|⁻¹|ᵀ|²|³|')"
    r"|(?P<letter>[A-Z])(?![a-z])|(?P<scalar>[a-z])(?![a-z])|(?P<number>[0-9]{1,6})|(?P<sign>[-−+*/·()|=≠≤≥,\[\]]|!=))"
)


# The power that stands for the size of the matrices, as in k^n det A.
SIZE = "N"


class UnreadMatricesError(ValueError):
    """A text that is no equation between matrices, or does not fit together."""


class NoValueError(ValueError):
    """An inverse that does not exist for these matrices."""


@dataclass(frozen=True, slots=True)
class MatrixStatement:
    """Two sides that are said to be equal, or one number not above the other; `letters` stand for matrices, `scalars`
    for numbers."""

    left: Node
    right: Node
    letters: tuple[str, ...]
    scalars: tuple[str, ...] = ()
    sign: str = "="


@dataclass(frozen=True, slots=True)
class MatrixTrial:
    """How many choices of matrices it held for, and the first for which it did not, with both sides."""

    held: int
    counterexample: tuple[Mapping[str, Value], Value, Value] | None = None


def read_matrix_statement(text: str) -> MatrixStatement:
    """The equation that a text is as a whole; raises `UnreadMatricesError`."""
    sides = two_sides(_tokens(text.replace("<=", "≤").replace(">=", "≥")), ("=", "≤", "≥"))
    if sides is None:
        raise UnreadMatricesError("no equation")
    left, right = (_Reader(side).whole() for side in (sides.left, sides.right))
    letters = tuple(sorted(names_of((left, right), "letter") - {"I"}))
    scalars = tuple(sorted(names_of((left, right), "scalar")))
    if not letters or len(letters) + len(scalars) > MOST_LETTERS:
        raise UnreadMatricesError("no letter stands for a matrix, or there are too many letters")
    return MatrixStatement(left, right, letters, scalars, sides.sign)


# What is asked of the matrices: made so from any matrix, exactly.
Shape: TypeAlias = Literal[
    "symmetric", "diagonal", "invertible", "skew", "orthogonal", "idempotent", "nilpotent", "involutory", "commuting"
]


def try_matrices(
    statement: MatrixStatement,
    *,
    size: int = 2,
    seed: int = 7,
    shapes: Mapping[str, frozenset[Shape]] | None = None,
    few: bool = False,
) -> MatrixTrial:
    """Try a statement with matrices; those that lack an inverse it needs are left out. `shapes` says of which shape the
    matrix of a letter must be. `UnreadMatricesError` where a number is set against a matrix."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    held = 0
    wanted = shapes or {}
    has_exponentials = any(node.kind == "exp" for side in (statement.left, statement.right) for node in walk(side))
    for number in range(TRIALS // 3 if few else TRIALS + _SPARSE_TRIALS):
        made = _strictly_upper if has_exponentials else _matrix if number < TRIALS else _sparse_matrix
        case: dict[str, Value] = dict(_chosen(statement.letters, wanted, partial(made, chance, size)))
        case |= {
            name: Fraction(chance.choice((-3, -2, -1, 2, 3, 4)), chance.choice((1, 2))) for name in statement.scalars
        }
        if any("invertible" in kinds and not _is_invertible(case.get(name)) for name, kinds in wanted.items()):
            continue
        try:
            if not holds_for(statement, case, size):
                left, right = _value(statement.left, case, size), _value(statement.right, case, size)
                return MatrixTrial(held, (case, _as_matrix(left, right), _as_matrix(right, left)))
        except NoValueError:
            continue
        held += 1
    return MatrixTrial(held)


def holds_for(statement: MatrixStatement, case: Mapping[str, Value], size: int) -> bool:
    """Whether a statement holds for matrices that were chosen; `NoValueError` where a side has no value."""
    left, right = _value(statement.left, case, size), _value(statement.right, case, size)
    left, right = _as_matrix(left, right), _as_matrix(right, left)
    if isinstance(left, Fraction) != isinstance(right, Fraction):
        raise UnreadMatricesError("a number and a matrix are not compared")
    return _holds(left, statement.sign, right)


def _is_invertible(value: Value | None) -> bool:
    return not isinstance(value, tuple) or bool(determinant(value))


def _holds(left: Value, sign: str, right: Value) -> bool:
    if sign == "=":
        return left == right
    if isinstance(left, tuple) or isinstance(right, tuple):
        raise UnreadMatricesError("matrices are not ordered")
    return left <= right if sign == "≤" else left >= right


def _chosen(
    letters: Sequence[str], shapes: Mapping[str, frozenset[Shape]], made: Callable[[], Matrix]
) -> dict[str, Matrix]:
    """A matrix for each letter, of its shape; letters that commute are polynomials of one matrix."""
    found: dict[str, Matrix] = {}
    first: Matrix | None = None
    for name in letters:
        kinds = shapes.get(name, frozenset())
        matrix = made()
        if "commuting" in kinds and first is not None:
            # a + bM + cM², with small whole numbers.
            if kinds - {"commuting", "symmetric", "diagonal", "invertible"}:
                raise UnreadMatricesError("there is no way here to choose such matrices that commute")
            a, b, c = (int(entry) for entry in (*matrix[0], *matrix[1])[:3])
            matrix = _polynomial(first, a, b, c)
        matrix = _shaped(matrix, kinds, made)
        if "commuting" in kinds and first is None:
            first = matrix
        found[name] = matrix
    return found


def _polynomial(matrix: Matrix, a: int, b: int, c: int) -> Matrix:
    size = len(matrix)
    parts = (
        _times(Fraction(a), unit_matrix(size)),
        _times(Fraction(b), matrix),
        _times(Fraction(c), product(matrix, matrix)),
    )
    total = _added(_added(parts[0], parts[1]), parts[2])
    assert isinstance(total, tuple)
    return total


def _strictly_upper(chance: random.Random, size: int) -> Matrix:
    """A matrix some power of which is 0, so that the series of its exponential ends."""
    return tuple(
        tuple(Fraction(chance.randint(-2, 2)) if column > row else Fraction(0) for column in range(size))
        for row in range(size)
    )


def _matrix(chance: random.Random, size: int) -> Matrix:
    return tuple(tuple(Fraction(chance.randint(-3, 3)) for _ in range(size)) for _ in range(size))


def _sparse_matrix(chance: random.Random, size: int) -> Matrix:
    return tuple(tuple(Fraction(chance.choice((0, 0, 0, 1, -1))) for _ in range(size)) for _ in range(size))


def _shaped(matrix: Matrix, shapes: frozenset[Shape], made: Callable[[], Matrix]) -> Matrix:
    size = len(matrix)
    if "diagonal" in shapes:
        return tuple(
            tuple(value if row == column else Fraction(0) for column, value in enumerate(values))
            for row, values in enumerate(matrix)
        )
    if "symmetric" in shapes:
        return tuple(tuple(matrix[min(row, column)][max(row, column)] for column in range(size)) for row in range(size))
    if "skew" in shapes:
        return _skew(matrix)
    if "orthogonal" in shapes:
        return _orthogonal(_skew(matrix), matrix)
    for kind in ("idempotent", "involutory", "nilpotent"):
        if kind in shapes:
            return _turned(_diagonal_of(kind, matrix), made())
    return matrix


def _skew(matrix: Matrix) -> Matrix:
    """The part above the diagonal, with the other sign below it."""
    size = len(matrix)
    return tuple(
        tuple(
            Fraction(0) if row == column else matrix[row][column] if row < column else -matrix[column][row]
            for column in range(size)
        )
        for row in range(size)
    )


def _orthogonal(skew: Matrix, matrix: Matrix) -> Matrix:
    """(1 − S)(1 + S)⁻¹ with a skew-symmetric S, some rows with the other sign."""
    size = len(skew)
    one = unit_matrix(size)
    above, below = _added(one, _times(Fraction(-1), skew)), inverse(_as_rows(_added(one, skew)))
    assert below is not None
    turned = product(_as_rows(above), below)
    return tuple(tuple(-value for value in row) if matrix[place][0] > 0 else row for place, row in enumerate(turned))


def _as_rows(value: Value) -> Matrix:
    assert isinstance(value, tuple)
    return value


def _diagonal_of(kind: str, matrix: Matrix) -> Matrix:
    """Noughts and ones, ones with signs, or ones beside the diagonal: what is idempotent, its own inverse, "
    "nilpotent."""
    size = len(matrix)
    signs = [matrix[place][place] > 0 for place in range(size)]
    values = {"idempotent": (1, 0), "involutory": (1, -1)}
    if kind == "nilpotent":
        return tuple(tuple(Fraction(column == row + 1 and signs[row]) for column in range(size)) for row in range(size))
    return tuple(
        tuple(
            Fraction(values[kind][0 if signs[row] else 1]) if row == column else Fraction(0) for column in range(size)
        )
        for row in range(size)
    )


def _turned(matrix: Matrix, by: Matrix) -> Matrix:
    """PMP⁻¹, where the P that is at hand has an inverse."""
    back = inverse(by)
    return matrix if back is None else product(product(by, matrix), back)


def _as_matrix(value: Value, other: Value) -> Value:
    """0 beside a matrix is the matrix of noughts."""
    if value == Fraction(0) and isinstance(value, Fraction) and isinstance(other, tuple):
        return _times(Fraction(0), other)
    return value


def _tokens(text: str) -> list[Token]:
    if len(text) > _LONGEST:
        raise UnreadMatricesError("too long")
    found, unread = tokens_of(text, _TOKEN)
    if unread:
        raise UnreadMatricesError(f"“{unread[:20]}” is no sign of matrices")
    return found


_RAISED = {"⁻¹": "-1", "ᵀ": "T", "'": "T", "²": "2", "³": "3"}
# What a function is called in the tree; the last two are powers.
_FUNCTIONS = {"trace": "tr", "inverse": "-1", "inv": "-1", "transpose": "T"}


class _Reader(TermReader):
    def whole(self) -> Node:
        found = self.signed_products()
        if self.place != len(self.tokens):
            raise UnreadMatricesError("something is left over at the end")
        return found

    def product(self) -> Node:
        found = self.raised()
        while self.place < len(self.tokens) and not self.at("+", "-", ")", "=", ",", "]"):
            if self.at("|") and self.is_within_bars:
                break
            if self.take("/"):
                found = Node("product", (found, Node("raised", (self.divisor(),), "-1")))
                continue
            self.place += self.at("*", "·")
            found = Node("product", (found, self.raised()))
        return found

    def divisor(self) -> Node:
        found = self.raised()
        if not _is_number(found):
            raise UnreadMatricesError("matrices are not divided by")
        return found

    def raised(self) -> Node:
        found = self.single()
        while self.place < len(self.tokens) and self.tokens[self.place][0] == "raised":
            said = self.tokens[self.place][1]
            power = _RAISED.get(said) or said.strip("^ {}()").upper()
            found = Node("raised", (found,), power)
            self.place += 1
        return found

    def single(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST or self.place >= len(self.tokens):
            raise UnreadMatricesError("something is missing")
        kind, said = self.tokens[self.place]
        self.place += 1
        made: Node
        if kind in ("letter", "number", "scalar"):
            made = Node(kind, (), said)
        elif kind == "function":
            name = _FUNCTIONS.get(said, said)
            if name in ("min", "max"):
                return self.left_of_two(name)
            inner = self.bracketed() if self.at("(") else self.raised()
            made = Node("raised", (inner,), name) if name in ("-1", "T") else Node(name, (inner,))
        elif (kind, said) == ("sign", "("):
            self.place -= 1
            made = self.bracketed()
        elif (kind, said) == ("sign", "["):
            self.place -= 1
            made = self.commutator()
        elif (kind, said) == ("sign", "|"):
            self.place -= 1
            made = Node("det", (self.bracketed("|", "|"),))
        else:
            raise UnreadMatricesError(f"“{said}” stands where a matrix is expected")
        self.depth -= 1
        return made

    def left_of_two(self, name: str) -> Node:
        """The smaller or the larger of two numbers."""
        parts = self.pair("(", ")")
        if not all(map(_is_number, parts)):
            raise UnreadMatricesError("matrices are not ordered")
        self.depth -= 1
        return Node(name, parts)

    def commutator(self) -> Node:
        """[A, B] is AB − BA."""
        first, second = self.pair("[", "]")
        if _is_number(first) or _is_number(second):
            raise UnreadMatricesError("a commutator is one of matrices")
        return Node("sum", (Node("product", (first, second)), Node("minus", (Node("product", (second, first)),))))

    def pair(self, opening: str, closing: str) -> tuple[Node, Node]:
        if not self.take(opening):
            raise UnreadMatricesError("a bracket is missing")
        first = self.signed_products()
        if not self.take(","):
            raise UnreadMatricesError("two are needed")
        second = self.signed_products()
        if not self.take(closing):
            raise UnreadMatricesError("a bracket is missing")
        return first, second

    def bracketed(self, opening: str = "(", closing: str = ")") -> Node:
        if not self.take(opening):
            raise UnreadMatricesError("a bracket is missing")
        outside, self.is_within_bars = self.is_within_bars, opening == "|"
        found = self.signed_products()
        self.is_within_bars = outside
        if not self.take(closing):
            raise UnreadMatricesError("a bracket is missing")
        return found


def _is_number(node: Node) -> bool:
    """Whether a term is a number whatever the matrices are."""
    if node.kind in ("scalar", "number", "det", "tr", "rank", "min", "max"):
        return True
    return node.kind != "letter" and all(map(_is_number, node.parts))


def _value(node: Node, case: Mapping[str, Value], size: int) -> Value:
    match node.kind:
        case "scalar":
            return case[node.name]
        case "letter":
            return case.get(node.name) or unit_matrix(size)
        case "number":
            return Fraction(node.name)
    parts = [_value(part, case, size) for part in node.parts]
    match node.kind:
        case "sum":
            return _added(parts[0], parts[1])
        case "minus":
            return _times(Fraction(-1), parts[0])
        case "product":
            return _times(parts[0], parts[1])
        case "min" | "max":
            return _of_two(node.kind, parts)
        case "exp":
            return _exponential(parts[0])
        case "det" | "tr" | "rank":
            if isinstance(parts[0], Fraction):
                raise UnreadMatricesError("a number has no determinant, trace or rank")
            if node.kind == "rank":
                return Fraction(rank(parts[0]))
            return determinant(parts[0]) if node.kind == "det" else trace(parts[0])
    if node.name == SIZE:
        return _to_size(parts[0], size)
    return _raised(parts[0], node.name)


def _of_two(kind: str, parts: Sequence[Value]) -> Value:
    numbers = [part for part in parts if isinstance(part, Fraction)]
    if len(numbers) != len(parts):
        raise UnreadMatricesError("matrices are not ordered")
    return min(numbers) if kind == "min" else max(numbers)


def _exponential(base: Value) -> Value:
    """The series, where it ends: of 0, and of a matrix some power of which is 0."""
    if isinstance(base, Fraction):
        if base:
            raise NoValueError
        return Fraction(1)
    size = len(base)
    total: Value = unit_matrix(size)
    term: Value = unit_matrix(size)
    for step in range(1, size + 1):
        term = _times(Fraction(1, step), _times(term, base))
        total = _added(total, term)
    if any(map(any, _as_rows(term))):
        raise NoValueError
    return total


def _to_size(base: Value, size: int) -> Value:
    """A number to the power that is the size of the matrices."""
    if not isinstance(base, Fraction):
        raise UnreadMatricesError("a matrix is not raised to a power in letters")
    return base**size


def _added(left: Value, right: Value) -> Value:
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left + right
    if isinstance(left, Fraction) or isinstance(right, Fraction):
        raise UnreadMatricesError("a number is not added to a matrix")
    return tuple(tuple(a + b for a, b in zip(one, other, strict=True)) for one, other in zip(left, right, strict=True))


def _times(left: Value, right: Value) -> Value:
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left * right
    if isinstance(left, Fraction):
        assert not isinstance(right, Fraction)
        return tuple(tuple(left * value for value in row) for row in right)
    if isinstance(right, Fraction):
        return _times(right, left)
    return product(left, right)


def _raised(base: Value, power: str) -> Value:
    if power == "T":
        if isinstance(base, Fraction):
            raise UnreadMatricesError("a number is not transposed")
        return transposed(base)
    if power == "-1":
        if isinstance(base, Fraction):
            if not base:
                raise NoValueError
            return 1 / base
        found = inverse(base)
        if found is None:
            raise NoValueError
        return found
    result = base
    for _ in range(int(power) - 1):
        result = _times(result, base)
    return result
