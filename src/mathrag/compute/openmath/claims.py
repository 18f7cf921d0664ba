"""A statement as something to try: the variables that are for all values, what is supposed of them, what is claimed.

Variables that nothing binds count as bound for all at the outside, as text books write them. A quantifier further in is
brought to the outside where that changes nothing: it must be for all in a place that is not negated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import count

from mathrag.compute.openmath.evaluating import conditions_and_claim
from mathrag.types.statement import (
    Application,
    Binding,
    DictionaryName,
    Literal,
    StatementTree,
    Variable,
    free_variables,
    walk_statement,
)

_NOT = DictionaryName("logic1", "not")


@dataclass(frozen=True, slots=True)
class Claim:
    """`unbound` are those of the variables that the statement itself does not bind; `within` those that it does not
    bind either, and that are read as bound further in."""

    variables: tuple[str, ...]
    unbound: tuple[str, ...]
    conditions: tuple[StatementTree, ...]
    claim: StatementTree
    within: tuple[str, ...] = ()


def claim_of(tree: StatementTree) -> Claim:
    """The statement taken apart."""
    free = free_variables(tree)
    tree = _bound_within(tree)
    unbound = free_variables(tree)
    taken = {node.name for node in walk_statement(tree) if isinstance(node, Variable)}
    taken |= {each.name for node in walk_statement(tree) if isinstance(node, Binding) for each in node.variables}
    found: dict[str, None] = dict.fromkeys(unbound)
    inner = _Hoisting(found, taken).hoisted(tree)
    conditions, claim = conditions_and_claim(inner)
    within = tuple(name for name in free if name not in unbound)
    return Claim(tuple(found), unbound, (*conditions, *_usual_domains(tree, found)), claim, within)


# Where variables that nothing binds do not stand for all values at the outside.

_FORALL = DictionaryName("quant1", "forall")
_SELECTORS = frozenset(("matrix_selector", "vector_selector"))


def _bound_within(tree: StatementTree) -> StatementTree:
    """The statement with a quantifier where an unbound variable is meant to have one further in: under a negation ("it
    is not transitive"), on the one side of an equivalence that it occurs on, and for an index in a condition on all
    entries ("where M_ij is 0 unless i = j")."""
    match tree:
        case Binding(DictionaryName("quant1", "forall") as binder, variables, body):
            own = {each.name for each in variables}
            free = frozenset(free_variables(body)) - own
            return Binding(binder, variables, _bound_part(body, free))
        case _:
            return _bound_part(tree, frozenset(free_variables(tree)))


def _bound_part(tree: StatementTree, free: frozenset[str]) -> StatementTree:
    match tree:
        case Application(DictionaryName("logic1", "not") as head, (inner,)) if free and _is_conditional(inner):
            return Application(head, (_for_all(free, inner),))
        case Application(DictionaryName("logic1", "equivalent") as head, (left, right)):
            sides = []
            for side, other in ((left, right), (right, left)):
                alone = free & (frozenset(free_variables(side)) - frozenset(free_variables(other)))
                sides.append(_for_all(alone, side) if alone else side)
            return Application(head, tuple(sides))
        case Application(DictionaryName("logic1", "implies") as head, (condition, claim)):
            alone = free & _indices(condition) - frozenset(free_variables(claim))
            return Application(head, (_for_all(alone, condition) if alone else condition, claim))
        case _:
            return tree


def _is_conditional(tree: StatementTree) -> bool:
    match tree:
        case Application(DictionaryName("logic1", "implies")):
            return True
        case _:
            return False


def _for_all(names: frozenset[str], body: StatementTree) -> StatementTree:
    return Binding(_FORALL, tuple(Variable(name) for name in sorted(names)), body)


def _indices(tree: StatementTree) -> frozenset[str]:
    """The variables that say which entry of a vector or matrix is meant."""
    found: set[str] = set()
    for node in walk_statement(tree):
        match node:
            case Application(DictionaryName("linalg1", name), (*places, _)) if name in _SELECTORS:
                found.update(each.name for each in places if isinstance(each, Variable))
    return frozenset(found)


def _usual_domains(tree: StatementTree, variables: Collection[str]) -> Iterator[StatementTree]:
    """What a name says of the numbers it is about: an nth root has a whole degree; a logarithm that is to undo a power
    has a positive base, and is one of a positive number."""
    for node in walk_statement(tree):
        match node:
            case Application(DictionaryName("arith1", "root"), (_, Variable(name) as degree)) if name in variables:
                yield Application(DictionaryName("set1", "in"), (degree, DictionaryName("setname1", "N")))
            case Application(DictionaryName("transc1", "log"), arguments):
                for each in arguments:
                    if isinstance(each, Variable) and each.name in variables:
                        yield Application(DictionaryName("relation1", "gt"), (each, Literal(0)))


class _Hoisting:
    """Takes quantifiers out of places that are not negated, with new names where a name is used already."""

    def __init__(self, found: dict[str, None], taken: set[str]) -> None:
        self.found = found
        self.taken = taken

    def hoisted(self, tree: StatementTree) -> StatementTree:
        match tree:
            case Binding(DictionaryName("quant1", "forall"), variables, body):
                return self.hoisted(self._freed(variables, body))
            case Application(DictionaryName("logic1", "implies") as head, (condition, claim)):
                return Application(head, (condition, self.hoisted(claim)))
            case Application(DictionaryName("logic1", "and" | "or") as head, parts):
                return Application(head, tuple(map(self.hoisted, parts)))
            case Application(
                DictionaryName("logic1", "not"), (Binding(DictionaryName("quant1", "exists"), variables, body),)
            ):
                return Application(_NOT, (self._freed(variables, body),))
            case _:
                return tree

    def _freed(self, variables: tuple[Variable, ...], body: StatementTree) -> StatementTree:
        for variable in variables:
            name = variable.name
            if name in self.found:
                name = next(each for each in (f"{variable.name}_{n}" for n in count(1)) if each not in self.taken)
                self.taken.add(name)
                body = _renamed(body, variable.name, name)
            self.found[name] = None
        return body


def _renamed(tree: StatementTree, old: str, new: str) -> StatementTree:
    match tree:
        case Variable(name, kind) if name == old:
            return Variable(new, kind)
        case Application(head, arguments):
            return Application(_renamed(head, old, new), tuple(_renamed(each, old, new) for each in arguments))
        case Binding(binder, variables, body) if old not in {each.name for each in variables}:
            return Binding(binder, variables, _renamed(body, old, new))
        case _:
            return tree
