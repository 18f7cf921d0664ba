"""What a dictionary of mathematics states, as a tree: names of dictionaries applied to arguments and binding variables.

Wider than `Expression`, which holds what the calculator computes: a statement may speak of sets, functions, matrices or
groups. Nothing here computes; every such tree can be printed, some can be tried at points (`mathrag.compute.openmath`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class DictionaryName:
    """A symbol that a dictionary defines, such as `arith1:gcd`."""

    dictionary: str
    symbol: str

    @property
    def full(self) -> str:
        """`dictionary:symbol`, the name of the concept."""
        return f"{self.dictionary}:{self.symbol}"


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, by its name as written; `kind` is what the source says it stands for, if it does."""

    name: str
    kind: StatementTree | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Literal:
    """A number as written. A `Decimal` keeps its digits; infinite and undefined ones are possible there."""

    value: int | Decimal


@dataclass(frozen=True, slots=True)
class Quoted:
    """Text or bytes that stand for themselves."""

    text: str


@dataclass(frozen=True, slots=True)
class Application:
    """A function, relation or constructor applied to arguments."""

    head: StatementTree
    arguments: tuple[StatementTree, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """A body in which variables are bound: for all, there is, the function that maps."""

    binder: StatementTree
    variables: tuple[Variable, ...]
    body: StatementTree


@dataclass(frozen=True, slots=True)
class Foreign:
    """Something that is no mathematics of a dictionary: an error, a foreign object, a reference that leads nowhere."""

    text: str


StatementTree: TypeAlias = DictionaryName | Variable | Literal | Quoted | Application | Binding | Foreign


def parts_of_statement(tree: StatementTree) -> tuple[StatementTree, ...]:
    """The direct parts, in reading order; the variables that a binder binds are not among them."""
    match tree:
        case Application(head, arguments):
            return (head, *arguments)
        case Binding(binder, _, body):
            return (binder, body)
        case _:
            return ()


def walk_statement(tree: StatementTree) -> Iterator[StatementTree]:
    """Every node, parents first, left to right. Iterative, so that depth costs no stack."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(parts_of_statement(node)))


def free_variables(tree: StatementTree) -> tuple[str, ...]:
    """The names of the variables that nothing binds, in order of first appearance."""
    found: dict[str, None] = {}
    pending: list[tuple[StatementTree, frozenset[str]]] = [(tree, frozenset())]
    while pending:
        node, bound = pending.pop()
        if isinstance(node, Variable) and node.name not in bound:
            found.setdefault(node.name)
        inner = bound | {each.name for each in node.variables} if isinstance(node, Binding) else bound
        pending.extend((part, inner) for part in reversed(parts_of_statement(node)))
    return tuple(found)
